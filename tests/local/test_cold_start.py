"""Grammar is read where it can matter: plain answers are judged without loading spaCy."""

import subprocess
import sys

import pytest

from ragstone.local.clauses import clauses

PROGRAM = """
import sys
from ragstone.local.judge import LocalJudge
from ragstone.metrics import Faithfulness
result = Faithfulness().score(
    user_input="When was the old bridge opened?",
    response=sys.argv[1],
    retrieved_contexts=["The old bridge was opened by the mayor in 1932, who crossed it."],
    llm=LocalJudge(),
)
print(result.value, "spacy" in sys.modules)
"""


@pytest.mark.parametrize(
    ("response", "told"),
    [
        ("The old bridge was opened by the mayor in 1932.", "1.0 False"),
        ("The mayor opened the bridge and he crossed it.", "True"),
    ],
)
def test_only_an_answer_whose_grammar_matters_loads_spacy(response: str, told: str) -> None:
    command = [sys.executable, "-c", PROGRAM, response]
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=120)
    assert done.stdout.strip().endswith(told)


@pytest.mark.parametrize(
    "sentence",
    [
        "Rangers have promised to probe claims Mike Ashley has grabbed control of the badges.",
        "Unless it rains, the ferry leaves at 9 and returns at 11.",
    ],
)
def test_a_sentence_without_a_join_or_with_a_condition_stays_whole(sentence: str) -> None:
    assert clauses(sentence) == [sentence]
