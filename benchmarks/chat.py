"""(g) The chat suite with the local judge: whole messages per second.

    python benchmarks/chat.py

60 different messages from the demonstration data, each with ten context sentences and four response
sentences, one after the other. Every run is a process of its own, because a process remembers what
it has read; the models are loaded before the clock starts. Prints messages per second,
milliseconds of CPU per message and the peak memory of the process, median of five runs.
"""

from __future__ import annotations

import json
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib import resources
from itertools import islice

from ragstone import chat_suite
from ragstone.local.embedder import LocalEmbedder
from ragstone.local.judge import LocalJudge
from ragstone.tools.sentences import sentences

MESSAGES, IN_CONTEXTS, IN_RESPONSE, RUNS = 60, 10, 4, 5
WARM_UP = {
    "user_input": "When was the old bridge opened?",
    "retrieved_contexts": ["The old bridge was opened by the mayor in 1932."],
    "response": "The mayor opened the old bridge in 1932.",
}


def messages() -> Iterator[dict[str, object]]:
    """Each question with the first sentences of its contexts and of answers from its own on."""
    source = resources.files("ragstone.demo") / "sqlite_docs.jsonl"
    rows = [json.loads(line) for line in source.read_text(encoding="utf-8").splitlines()]
    for n, row in enumerate(rows):
        said = (line for text in row["retrieved_contexts"] for line in lines(text))
        following = rows[n:] + rows[:n]
        answers = (line for other in following for line in lines(other["response"]))
        contexts = list(islice(said, IN_CONTEXTS))
        if len(contexts) == IN_CONTEXTS:
            response = " ".join(islice(answers, IN_RESPONSE))
            question = row["user_input"]
            yield {"user_input": question, "response": response, "retrieved_contexts": contexts}


def lines(text: str) -> Iterator[str]:
    """The sentences of a text that stand on one line."""
    return (piece.text for piece in sentences(text) if "\n" not in piece.text)


def measure() -> tuple[float, float, float]:
    """Messages per second, seconds of CPU per message, and peak memory in MB."""
    judge, embedder = LocalJudge(), LocalEmbedder()
    chat_suite(WARM_UP, llm=judge, embeddings=embedder)
    data = list(islice(messages(), MESSAGES))
    assert len(data) == MESSAGES, len(data)
    clock, cpu = time.perf_counter(), time.process_time()
    for message in data:
        results = chat_suite(message, llm=judge, embeddings=embedder)
        assert len(results) == 4, results
    cpu, clock = time.process_time() - cpu, time.perf_counter() - clock
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return MESSAGES / clock, cpu / MESSAGES, memory


def main() -> None:
    runs: list[tuple[float, float, float]] = []
    for _ in range(RUNS):
        command = [sys.executable, __file__, "once"]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        rate, cpu, memory = json.loads(done.stdout)
        runs.append((rate, cpu, memory))
    rates, cpus, memories = zip(*runs, strict=True)
    print(f"{statistics.median(rates):.1f} messages/s", end=", ")
    print(f"{1000 * statistics.median(cpus):.0f} ms of CPU a message, ", end="")
    print(f"{statistics.median(memories):.0f} MB (five runs: ", end="")
    print(", ".join(f"{rate:.1f}" for rate in rates), end=" messages/s)\n")


if __name__ == "__main__":
    if sys.argv[1:] == ["once"]:
        print(json.dumps(measure()))
    else:
        main()
