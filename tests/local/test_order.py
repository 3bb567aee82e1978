"""Same input, same score: whatever the batch, the order and the number of threads."""

import json
import os
import subprocess
import sys
from typing import Any

import pytest

TOLERANCE = 1e-5
SCRIPT = """
import asyncio, json, os, random, sys
from concurrent.futures import ThreadPoolExecutor

threads, manner = int(sys.argv[1]), sys.argv[2]
os.cpu_count = lambda: threads  # as many texts are read at once as there are processors

from ragstone.local.crossencoder import cross_encoder
from ragstone.local.embedder import LocalEmbedder
from ragstone.local.judge import LocalJudge
from ragstone.prompt.claims import SUPPORT
from ragstone.prompt.relevance import RELEVANCE

CONTEXTS = [
    "The Harlow Bridge crosses the river Tamsin. It was opened on 12 May 1931. Its main span "
    "measures 418 metres, and about 23,000 vehicles use it every day.",
    "Lorries above 18 tonnes are not admitted. " + "Cyclists may cross free of charge. " * 30,
]
TEXTS = [
    "The Harlow Bridge was opened in 1931.",
    "The Harlow Bridge was opened in 1950.",
    "Lorries of 20 tonnes are admitted.",
    "Cyclists pay nothing.",
    "x",
    "Der Fluss ist breit.",
    "The main span is " + "very, very " * 30 + "long.",
]
QUESTION = "When was the Harlow Bridge opened?"
judge, embedder = LocalJudge(), LocalEmbedder()


async def scores(texts):
    support = await judge.verdicts(SUPPORT, texts, contexts=CONTEXTS)
    relevant = await judge.verdicts(RELEVANCE, texts, question=QUESTION)
    vectors = await embedder.aembed_texts(texts)
    found = {}
    for model in ("groundedness", "relevance"):
        pairs = [(CONTEXTS[0], text[:400]) for text in texts]
        found[model] = cross_encoder(model).scores(pairs).tolist()
    return {
        text: {
            "support": support[n].probability,
            "supported": support[n].verdict,
            "relevance": relevant[n].probability,
            "relevant": relevant[n].verdict,
            "vector": [float(value) for value in vectors[n]],
            **{f"{model} logits": rows[n] for model, rows in found.items()},
        }
        for n, text in enumerate(texts)
    }


def alone(texts):
    return {key: value for text in texts for key, value in asyncio.run(scores([text])).items()}


shuffled = random.Random(5).sample(TEXTS, len(TEXTS))
if manner == "together":
    result = asyncio.run(scores(TEXTS))
elif manner == "backwards":
    result = asyncio.run(scores(TEXTS[::-1]))
elif manner == "alone":
    result = alone(shuffled)
else:
    with ThreadPoolExecutor(4) as pool:
        parts = list(pool.map(alone, [shuffled[n::4] for n in range(4)]))
    result = {text: found for part in parts for text, found in part.items()}
print(json.dumps({text: result[text] for text in TEXTS}))
"""


def scored(manner: str, threads: int, **environment: str) -> Any:
    """What a fresh process, which remembers nothing, makes of the texts."""
    command = [sys.executable, "-c", SCRIPT, str(threads), manner]
    env = {key: value for key, value in os.environ.items() if "NUM_THREADS" not in key}
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=120, env=env | environment
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def expected() -> Any:
    """The scores of all texts in one batch, by two threads."""
    return scored("together", 2)


@pytest.mark.parametrize(
    ("manner", "threads", "environment"),
    [
        ("together", 1, {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}),
        ("backwards", 2, {}),
        ("alone", 2, {}),
        ("from four threads", 2, {}),
    ],
    ids=lambda given: given if isinstance(given, str) else None,
)
def test_the_score_is_the_same(
    expected: Any, manner: str, threads: int, environment: dict[str, str]
) -> None:
    found = scored(manner, threads, **environment)
    assert list(found) == list(expected)
    for text, scores in expected.items():
        for name, value in scores.items():
            same = value if isinstance(value, str) else pytest.approx(value, abs=TOLERANCE, rel=0)
            assert found[text][name] == same, (text[:60], name)


def test_the_texts_are_scored_apart(expected: Any) -> None:
    """Else a constant would pass."""
    assert len({scores["support"] for scores in expected.values()}) >= 5
    assert len({scores["relevance"] for scores in expected.values()}) >= 5
    assert {scores["supported"] for scores in expected.values()} >= {"supported", "contradicted"}
