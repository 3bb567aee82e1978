"""(h) The local judge's reading: pairs a second, the first result of a cold process, memory.

    python benchmarks/pairs.py

Reads 2,000 different pairs of 64 tokens with the groundedness model, as many at once as there are
processors. Then measures the Faithfulness of one answer in a process that has just begun, from its
start to its end: an answer that is judged by its words, and one whose grammar spaCy must read; it
is then loaded. Every figure is the median of five runs, each a process of its own.
"""

from __future__ import annotations

import json
import resource
import statistics
import subprocess
import sys
import time
from itertools import islice, product

PAIRS, TOKENS, RUNS = 2000, 64, 5
WORDS = [
    "old",
    "bridge",
    "near",
    "town",
    "was",
    "opened",
    "by",
    "mayor",
    "in",
    "spring",
    "many",
    "came",
]


def pairs() -> list[tuple[str, str]]:
    """Different pairs of exactly 64 tokens, the three special ones included."""
    evidence = [WORDS[n % len(WORDS)] for n in range(TOKENS - 3 - len(WORDS))]
    openings = islice(product(WORDS, repeat=4), PAIRS)
    return [(" ".join([*opening, *evidence[4:]]), " ".join(WORDS)) for opening in openings]


def read() -> float:
    """Pairs per second, the model being loaded."""
    from ragstone.local.crossencoder import cross_encoder

    model = cross_encoder("groundedness")
    model.scores([("The bridge was opened in 1932.", "It opened in 1932.")])
    data = pairs()
    began = time.perf_counter()
    assert len(model.scores(data)) == PAIRS
    return PAIRS / (time.perf_counter() - began)


def first() -> float:
    """The value of an answer in which no grammar needs to be read."""
    return faithfulness("The old bridge was opened by the mayor in 1932.")


def grammar() -> float:
    """The value of an answer of which the grammar must tell who does what."""
    return faithfulness("The mayor opened the old bridge in 1932.")


def faithfulness(response: str) -> float:
    from ragstone.local.judge import LocalJudge
    from ragstone.metrics import Faithfulness

    result = Faithfulness().score(
        user_input="When was the old bridge opened?",
        response=response,
        retrieved_contexts=["The old bridge was opened by the mayor in 1932."],
        llm=LocalJudge(),
    )
    assert result.value == 1.0, result
    return float(result.value)


def run(name: str) -> tuple[float, float, float]:
    """What a process of its own gives, its seconds from start to end, and its peak memory in MB."""
    began = time.perf_counter()
    command = [sys.executable, __file__, name]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    value, memory = json.loads(done.stdout)
    return value, time.perf_counter() - began, memory


def report(name: str, unit: str, values: list[float]) -> None:
    runs = ", ".join(f"{value:.2f}" for value in values)
    print(f"{name}: {statistics.median(values):.2f} {unit} (five runs: {runs})")


def main() -> None:
    read_runs = [run("read") for _ in range(RUNS)]
    first_runs = [run("first") for _ in range(RUNS)]
    grammar_runs = [run("grammar") for _ in range(RUNS)]
    report(f"groundedness, {TOKENS} tokens", "pairs/s", [value for value, _, _ in read_runs])
    report("first result of a cold process", "s", [seconds for _, seconds, _ in first_runs])
    report("the same, with grammar", "s", [seconds for _, seconds, _ in grammar_runs])
    highest = max(memory for _, _, memory in read_runs + first_runs + grammar_runs)
    print(f"highest peak memory: {highest:.0f} MB")


if __name__ == "__main__":
    if len(sys.argv) == 1:
        main()
    else:
        found = {"read": read, "first": first, "grammar": grammar}[sys.argv[1]]()
        print(json.dumps([found, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024]))
