"""Train a cross-encoder of ragstone-models and write it.

    RAGSTONE_LABELLED_DATA=FOLDER python training/crossencoder/build.py groundedness
    RAGSTONE_LABELLED_DATA=FOLDER python training/crossencoder/build.py relevance \\
        --from build/crossencoder/groundedness.safetensors

See README.md beside this file.
"""

from __future__ import annotations

import argparse
import importlib
import json
import sys
from collections import Counter
from dataclasses import asdict, replace
from pathlib import Path
from types import ModuleType

import network
import numpy as np
import torch
from examples import Example
from safetensors.torch import save_file
from tokenizers import Tokenizer
from train import predict, train

from ragstone.bench.agreement.measures import auroc

sys.path.append(str(Path(__file__).parents[1] / "embedder"))
import source

CLASSES = {"groundedness": 3, "relevance": 2}
STAGES: dict[str, tuple[dict[str, int], ...]] = {
    "groundedness": (
        {"cad_nli": 1, "fever": 1, "fm2": 1, "factcheck_gpt": 1, "wice": 1},
        {
            "cad_nli": 1,
            "fm2": 3,
            "factcheck_gpt": 2,
            "wice": 3,
            "counterfactuals": 1,
            "summaries": 1,
            "dialogues": 1,
        },
        {
            "contrasts": 1,
            "fm2": 2,
            "wice": 2,
            "factcheck_gpt": 1,
            "summaries": 1,
            "fever": 1,
            "cad_nli": 1,
        },
    ),
    "relevance": ({"factcheck_gpt": 3, "ares": 1, "halueval_qa": 1},),
}
"""What is learned from, one stage after the other, and how often a row is seen in it."""
RATE = {"groundedness": 1e-4, "relevance": 8e-5}
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
    parser.add_argument("--minutes", type=float, default=1e9, help="stop each stage after so long")
    given = parser.parse_args()
    torch.set_num_threads(2)
    official = source.download()
    reader = tokenizer(official["tokenizer.json"])
    rows = kept(given.work / f"{given.model}-rows.jsonl", importlib.import_module(given.model))
    print(Counter((r.source, r.classes, r.held_out) for r in rows), flush=True)
    model = network.start(CLASSES[given.model], official["model.safetensors"])
    if given.start:
        network.resume(model, given.start)
    for stage in STAGES[given.model]:
        seen = [replace(row, repeat=stage[row.source]) for row in rows if row.source in stage]
        rate, minutes = RATE[given.model], given.minutes
        for line in train(model, reader, seen, rate=rate, device=given.device, minutes=minutes):
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
        value = auroc(ranks, first.astype(float))(np.ones(len(here)))
        print(name, len(here), "AUROC", round(value, 3))


def kept(path: Path, recipe: ModuleType) -> list[Example]:
    """The rows of a recipe; kept in a file, since finding the closest windows takes minutes."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = [json.dumps(asdict(row), ensure_ascii=False) + "\n" for row in recipe.build()]
        path.write_text("".join(lines), encoding="utf-8")
    read = [json.loads(line) for line in path.open(encoding="utf-8")]
    return [Example(**{**row, "classes": tuple(row["classes"])}) for row in read]


if __name__ == "__main__":
    main()
