"""The overall score: normalised, turned, honest about what it left out."""

import math

import numpy as np
import pytest

from ragstone.errors import UsageError
from ragstone.stats.intervals import mean_interval
from ragstone.stats.overall import MetricScores, overall_score


def test_normalised_and_turned_round() -> None:
    found = overall_score(
        {
            "faithfulness": MetricScores([1.0, 0.5, None]),
            "rubric": MetricScores([1, 3, 5], low=1, high=5),
            "noise": MetricScores([0.1, 0.3, 0.2], higher_is_better=False),
        }
    )
    assert found.value == pytest.approx((0.75 + 0.5 + 0.8) / 3)
    assert found.metrics == ("faithfulness", "rubric", "noise")
    assert found.left_out == {}
    assert found.interval is not None
    assert 0 <= found.interval.low < found.value < found.interval.high <= 1  # type: ignore[operator]


def test_what_cannot_enter_is_named() -> None:
    found = overall_score(
        {
            "faithfulness": MetricScores([0.5, 0.7]),
            "broken": MetricScores([None, None]),
            "seconds": MetricScores([1.2, 3.4], low=0, high=None, higher_is_better=False),
            "tokens": MetricScores([10, 20], low=0, high=math.inf),
        }
    )
    assert found.value == pytest.approx(0.6)
    assert found.left_out == {
        "broken": "no scored rows",
        "seconds": "no finite range",
        "tokens": "no finite range",
    }
    # two scores of two metrics that have a range; no score of "broken" is missing coverage
    assert (found.n_scored, found.n_total, found.coverage) == (2, 4, 0.5)


@pytest.mark.parametrize("metrics", [{}, {"a": MetricScores([None])}, {"a": MetricScores([])}])
def test_nothing_to_score(metrics: dict[str, MetricScores]) -> None:
    found = overall_score(metrics)
    assert found.value is None
    assert found.interval is None
    assert set(found.left_out) == set(metrics)
    assert (found.n_scored, found.coverage) == (0, 0.0)


def test_one_complete_metric_has_its_own_interval() -> None:
    scores = np.random.default_rng(1).random(40).tolist()
    alone = mean_interval(scores, bounds=(0, 1))
    found = overall_score({"only": MetricScores(scores)}).interval
    assert alone is not None
    assert found is not None
    assert (found.low, found.high) == pytest.approx((alone.low, alone.high), abs=1e-12)
    rates = [0.0, 1.0, 1.0, 1.0]
    assert overall_score({"only": MetricScores(rates)}).interval == mean_interval(rates)


def test_metrics_that_agree_are_not_counted_twice() -> None:
    scores = np.random.default_rng(1).random(40).tolist()
    one = overall_score({"a": MetricScores(scores)}).interval
    two = overall_score({"a": MetricScores(scores), "b": MetricScores(scores)}).interval
    assert one is not None
    assert two is not None
    assert two.high - two.low == pytest.approx(one.high - one.low)


def test_interval_covers_with_gaps() -> None:
    rng, rounds, covered = np.random.default_rng(40), 400, 0
    for _ in range(rounds):
        quality = rng.random(60)
        first = [float(x) if rng.random() < 0.7 else None for x in quality]
        second = [float(x) if rng.random() < 0.9 else None for x in quality**2]
        found = overall_score({"a": MetricScores(first), "b": MetricScores(second)}).interval
        assert found is not None
        covered += found.low <= (1 / 2 + 1 / 3) / 2 <= found.high
    # Three binomial standard errors of 400 rounds at 95 % are 3.3 points.
    assert covered / rounds == pytest.approx(0.95, abs=0.033)


def test_rows_that_no_metric_scored_change_nothing() -> None:
    scores: list[float | None] = [0.1, 0.5, 0.9, 0.4]
    short = overall_score({"a": MetricScores(scores)})
    long = overall_score({"a": MetricScores([*scores, None, None])})
    assert (short.value, short.interval) == (long.value, long.interval)
    assert (short.n_scored, short.n_total, short.coverage) == (4, 4, 1.0)
    assert (long.n_scored, long.n_total, long.coverage) == (4, 6, 4 / 6)


def test_groups_are_kept_beside_their_rows() -> None:
    scores: list[float | None] = [0.1, None, 0.15, 0.9, 0.95, None]
    found = overall_score({"a": MetricScores(scores)}, groups=["x", "x", "x", "y", "y", "y"])
    alone = mean_interval([0.1, 0.15, 0.9, 0.95], groups=["x", "x", "y", "y"], bounds=(0, 1))
    assert found.interval is not None
    assert alone is not None
    assert found.interval.low == pytest.approx(alone.low, abs=1e-12)


def test_bad_input_is_named() -> None:
    with pytest.raises(UsageError, match="differ in their number of rows"):
        overall_score({"a": MetricScores([0.1]), "b": MetricScores([0.1, 0.2])})
    with pytest.raises(UsageError, match=r"rubric\[1\] is 7.0, outside"):
        overall_score({"rubric": MetricScores([3, 7], low=1, high=5)})
    with pytest.raises(UsageError, match=r"a\[1\] is nan"):
        overall_score({"a": MetricScores([None, float("nan")])})
