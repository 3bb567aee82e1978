"""Train a cross-encoder of ragstone-models and write it.

    RAGSTONE_LABELLED_DATA=FOLDER python training/crossencoder/build.py groundedness

See README.md beside this file.
"""

from __future__ import annotations

import argparse
import importlib
import json
import sys
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from types import ModuleType

import network
import numpy as np
import torch
from examples import Example
from safetensors.torch import save_file
from tokenizers import Tokenizer
from train import predict, train

sys.path.append(str(Path(__file__).parents[1] / "embedder"))
import source  # noqa: E402

CLASSES = {"groundedness": 3, "relevance": 2}
MAX_TOKENS = 192


def tokenizer(content: bytes) -> Tokenizer:
    made = Tokenizer.from_str(content.decode())
    made.no_padding()
    made.enable_truncation(MAX_TOKENS, strategy="only_first")
    return made


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", choices=CLASSES)
    parser.add_argument("--work", type=Path, default=Path("build/crossencoder"))
    parser.add_argument("--from", dest="start", type=Path, help="weights to start from")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--rate", type=float, default=1e-4)
    parser.add_argument("--minutes", type=float, default=1e9, help="stop after so long")
    given = parser.parse_args()
    torch.set_num_threads(2)
    official = source.download()
    reader = tokenizer(official["tokenizer.json"])
    rows = kept(given.work / f"{given.model}-rows.jsonl", importlib.import_module(given.model))
    print(Counter((r.source, r.classes, r.held_out) for r in rows), flush=True)
    model = network.start(CLASSES[given.model], official["model.safetensors"])
    if given.start:
        network.resume(model, given.start)
    steps = train(
        model,
        reader,
        rows,
        epochs=given.epochs,
        rate=given.rate,
        device=given.device,
        minutes=given.minutes,
    )
    for line in steps:
        print(line, flush=True)
    given.work.mkdir(parents=True, exist_ok=True)
    save_file(model.state_dict(), given.work / f"{given.model}.safetensors")
    held = [row for row in rows if row.held_out]
    logits = predict(model, reader, held)
    with (given.work / f"{given.model}-held-out.jsonl").open("w") as out:
        for row, line in zip(held, logits, strict=True):
            entry = {"id": row.id, "source": row.source, "classes": row.classes}
            out.write(json.dumps({**entry, "logits": [round(float(v), 5) for v in line]}) + "\n")
    for name in sorted({row.source for row in held}):
        here = [n for n, row in enumerate(held) if row.source == name]
        first = np.array([row.classes == (0,) for row in held])[here]
        ranks = logits[here, 0] - np.logaddexp.reduce(logits[here, 1:], axis=1)
        print(name, len(here), "AUROC", round(auroc(ranks, first), 3))


def kept(path: Path, recipe: ModuleType) -> list[Example]:
    """The rows of a recipe; kept in a file, since finding the closest windows takes minutes."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = [json.dumps(asdict(row), ensure_ascii=False) + "\n" for row in recipe.build()]
        path.write_text("".join(lines), encoding="utf-8")
    read = [json.loads(line) for line in path.open(encoding="utf-8")]
    return [Example(**{**row, "classes": tuple(row["classes"])}) for row in read]


def auroc(scores: np.ndarray, positive: np.ndarray) -> float:
    order = np.argsort(scores, kind="stable")
    ranks = np.empty(len(scores))
    ranks[order] = np.arange(1, len(scores) + 1)
    for value in np.unique(scores):
        ranks[scores == value] = ranks[scores == value].mean()
    n, m = positive.sum(), (~positive).sum()
    return float((ranks[positive].sum() - n * (n + 1) / 2) / (n * m))


if __name__ == "__main__":
    main()
