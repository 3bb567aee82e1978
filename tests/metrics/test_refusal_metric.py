"""Refusal: a label of a judge, and of the local judge by wordings."""

from typing import Any

import pytest

from ragstone.local.judge import LocalJudge
from ragstone.metrics import Refusal
from scripted import DECLINES, FakeJudge, quiet, reading_judge

SORRY = "I'm sorry, but I don't know what it costs. Ask the shop."


def test_a_refusal_is_one_and_shows_its_words() -> None:
    judge = FakeJudge({DECLINES: {"verdict": "refuses", "quote": "I don't know what it costs"}})
    result = Refusal().score(response=SORRY, user_input="What does it cost?", llm=judge)
    (piece,) = result.evidence
    (span,) = piece.spans
    assert result.value == 1.0
    assert SORRY[span.start : span.end] == "I don't know what it costs"
    answers = FakeJudge({DECLINES: {"verdict": "answers"}})
    assert Refusal().score(response="80 euros.", llm=answers).value == 0.0


def test_the_mean_is_the_refusal_rate() -> None:
    data = [{"response": text} for text in ("I don't know.", "It is red.", " ", "It is blue.")]
    result = quiet(data, [Refusal()], llm=reading_judge())
    assert result["refusal"] == [1.0, 0.0, 1.0, 0.0]
    (line,) = result.summary.lines
    assert line.summary is not None
    assert line.summary.mean == 0.5


@pytest.mark.parametrize(
    ("response", "value"),
    [
        (SORRY, 1.0),
        ("The documents do not mention the price.", 1.0),
        ("我不知道。", 1.0),
        ("Ich weiß es nicht.", 1.0),
        ("I am not sure, but it usually costs 80 euros.", 0.0),
        ("It costs 80 euros.", 0.0),
        ('She said "I don\'t know" and left.', 0.0),
        ("价格是八十欧元。", 0.0),
    ],
)
def test_the_local_judge_goes_by_wordings(response: str, value: float) -> None:
    result: Any = Refusal().score(response=response, llm=LocalJudge())
    assert result.value == value
