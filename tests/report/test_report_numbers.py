"""Numbers as they are written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.report.numbers import (
    cost_text,
    interval_text,
    p_text,
    score_text,
    seconds_text,
    share_text,
    signed_text,
    usage_text,
    value_text,
)
from ragstone.schema.usage import Usage
from ragstone.stats.intervals import Interval


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "no score"),
        (0.0, "0.000"),
        (-0.0, "0.000"),
        (1.0, "1.000"),
        (0.8734, "0.873"),
        (0.99996, "0.99996"),
        (0.0004, "0.0004"),
        (0.00001234, "1.2e-05"),
        (7.25, "7.250"),
        (-0.0311, "-0.031"),
        (23.456, "23.46"),
        (1234567.8, "1,234,568"),
        (0.1 + 0.2 + 0.7, "1.000"),
    ],
)
def test_scores(value: float | None, text: str) -> None:
    assert score_text(value) == text


@given(st.floats(-1, 1))
def test_what_is_not_one_does_not_read_as_one(value: float) -> None:
    if abs(value) < 1 - 1e-9:
        assert abs(float(score_text(value))) < 1


@pytest.mark.parametrize(
    ("p", "text"),
    [(None, "–"), (0.0, "<0.001"), (0.00099, "<0.001"), (0.0314, "0.031"), (1, "1.000")],
)
def test_p_values(p: float | None, text: str) -> None:
    assert p_text(p) == text


def test_other_numbers() -> None:
    assert interval_text(None) == "–"
    assert interval_text(Interval(0.1, 0.25, 0.95, "t")) == "[0.100, 0.250]"
    assert [share_text(s) for s in (0.0, 0.001, 0.5, 0.999, 1.0)] == [
        "0 %",
        "<1 %",
        "50 %",
        ">99 %",
        "100 %",
    ]
    assert signed_text(0.02) == "+0.020"
    assert [value_text(v) for v in (1, 0.5, "dry", ["a", "b"], None)] == [
        "1",
        "0.500",
        "dry",
        "a, b",
        "no score",
    ]
    assert [cost_text(c) for c in (None, 0.0, 0.00000721, 0.2437, 12.5)] == [
        "cost unknown",
        "$0.00",
        "<$0.0001",
        "$0.24",
        "$12.50",
    ]
    assert [seconds_text(s) for s in (None, 0.0, 0.418, 12.4, 59.7, 185, 3725)] == [
        "–",
        "0 s",
        "0.42 s",
        "12 s",
        "1 min 00 s",
        "3 min 05 s",
        "1 h 02 min",
    ]


def test_usage() -> None:
    assert usage_text(Usage()) == "no calls to a provider"
    assert usage_text(Usage(2, 1, 1200, 30, None)) == (
        "2 judge calls, 1 cached, 1,200 + 30 tokens, cost unknown"
    )
    assert "about 5 + 6 tokens" in usage_text(Usage(1, 0, 5, 6, 0.1, estimated=True))
