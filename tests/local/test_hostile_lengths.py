"""Texts made to be slow, and a process that forks after the models were used."""

import subprocess
import sys
import time

import pytest

from ragstone.tools.sentences import sentences


@pytest.mark.parametrize("text", ["." * 40_000, ". " * 20_000, "!?" * 20_000, "1. " * 20_000])
def test_the_time_grows_with_the_text_and_not_with_its_square(text: str) -> None:
    began = time.process_time()
    sentences(text)
    assert time.process_time() - began < 5  # it took minutes; now about 0.1 s


@pytest.mark.slow
def test_a_fork_after_the_local_judge_was_used_goes_on() -> None:
    script = """
import os
from ragstone import evaluate
from ragstone.metrics import Faithfulness
cat = "The cat sleeps."
rows = [{"user_input": "q", "response": cat, "retrieved_contexts": [cat]}]
def go():
    return evaluate(rows, [Faithfulness()], "local", store=False, show_progress=False).scores
first = go()
child = os.fork()
if child == 0:
    os._exit(0 if go() == first else 1)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    command = [sys.executable, "-W", "ignore", "-c", script]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    assert done.stdout == "0\n", done.stderr
