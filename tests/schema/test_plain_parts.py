"""What a metric returns is checked when it is made: each bad part is named, none gets further."""

import enum
import math
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import numpy as np
import pytest

from ragstone.errors import UsageError
from ragstone.schema.results import Evidence, MetricResult, Span
from ragstone.schema.runs import Run


class Silent:
    """An object that cannot even be shown."""

    def __repr__(self) -> str:
        raise RuntimeError("no words")


LOOP: list[Any] = []
LOOP.append(LOOP)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: MetricResult(0.5, evidence=["quote"]), r"evidence\[0\] must be a Evidence object"),
        (lambda: MetricResult(0.5, evidence="quote"), "evidence must be a tuple of Evidence"),
        (lambda: MetricResult(0.5, reason=5), "reason must be a string or None, not 5"),
        (lambda: MetricResult(status="unscored", code=5), "code must be a string or None, not 5"),
        (lambda: MetricResult.failed(ValueError("x")), "error must be a string or None"),
        (lambda: MetricResult(status=[]), r"status must be one of \('scored', .*, not \[\]"),
        (lambda: MetricResult(0.5, traces=[1]), r"traces must be a dict, not \[1\]"),
        (lambda: MetricResult(0.5, traces={"a": object()}), r"traces\['a'\] must be JSON data"),
        (lambda: MetricResult(0.5, traces={"a": [1, Silent()]}), r"traces\['a'\]\[1\] must be"),
        (lambda: MetricResult(0.5, traces={"a": {1: 2}}), r"the key of traces\['a'\] must be a"),
        (lambda: MetricResult(0.5, traces={"a": LOOP}), "nested more than 200 levels"),
        (lambda: MetricResult(1e200), r"finite number \(of a size up to 1e\+150\), not 1e\+200"),
        (lambda: MetricResult(10**400), "not an integer of 1,329 bits"),
        (lambda: MetricResult(-(10**6000)), "finite number .*, not an integer of 19,932 bits"),
        (lambda: MetricResult(math.nan), "a score must be a finite number .*, not nan"),
        (lambda: MetricResult(Silent()), "a score is a number, a label or a list of labels"),
        (lambda: Evidence("a", "b", spans=((1, 2),)), r"spans of Evidence\[0\] must be a Span"),
        (lambda: Evidence("a", "b", weight=math.nan), "weight of Evidence must be a finite"),
        (lambda: Evidence("a", "b", weight="1"), "weight of Evidence must be a finite"),
        (lambda: Evidence(None, "b"), "text of Evidence must be a string, not None"),
        (lambda: Evidence("a", True), "verdict of Evidence must be a string, not True"),
        (lambda: Evidence("a", "b", reason=None), "reason of Evidence must be a string, not None"),
        (lambda: Span(1, 0, 1), "field of a Span must be a string, not 1"),
        (lambda: Span("response", 0.5, 1), "start of a Span must be a whole number"),
        (lambda: Span("response", 0, -1), "end of a Span must be a whole number from 0, not -1"),
        (lambda: Span("response", 0, 1, "x"), "index of a Span must be a whole number"),
    ],
)
def test_a_bad_part_is_named(make: Callable[[], Any], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        make()


def test_lists_become_tuples_and_numbers_of_libraries_plain_ones() -> None:
    span = Span("response", np.int64(1), np.int32(3))
    evidence = Evidence("a", "b", spans=[span], weight=np.float32(0.5))
    result = MetricResult(np.float32(0.25), evidence=[evidence], traces={"n": np.float64(1.5)})
    assert result.evidence == (Evidence("a", "b", spans=(Span("response", 1, 3),), weight=0.5),)
    assert (type(span.start), type(evidence.weight), type(result.value)) == (int, float, float)


def test_the_largest_scores_are_kept_exactly() -> None:
    assert MetricResult(1e150).value == 1e150
    assert MetricResult(-(10**149)).value == -(10**149)


def test_a_label_of_an_enumeration_becomes_plain_text() -> None:
    class Label(enum.StrEnum):
        GOOD = "good"

    assert type(MetricResult(Label.GOOD).value) is str
    assert MetricResult([Label.GOOD]).value == ["good"]


@pytest.mark.parametrize("name", [5, None, b"x", ["x"]])
def test_the_name_of_a_run_is_a_string(name: Any) -> None:
    with pytest.raises(UsageError, match="the name of a run must be a string"):
        Run("id", name, datetime.now(UTC), (), 0, "hash")
