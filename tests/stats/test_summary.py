"""A mean is never shown without how many rows it rests on."""

import pytest

from ragstone.errors import UsageError
from ragstone.stats.summary import summarize


def test_nine_failures_and_one_perfect_row_are_no_perfect_run() -> None:
    found = summarize([1.0], n_total=10)
    assert (found.mean, found.n_scored, found.n_total, found.coverage) == (1.0, 1, 10, 0.1)
    assert found.interval is None


@pytest.mark.parametrize("bad", [float("nan"), None])
def test_a_missing_score_cannot_enter_the_mean(bad: float | None) -> None:
    with pytest.raises(UsageError, match=r"scored\[1\]"):
        summarize([0.5, bad], n_total=2)  # type: ignore[list-item]


def test_all_numbers() -> None:
    found = summarize([0.2, 0.4, 0.9], n_total=4, bounds=(0, 1))
    assert found.mean == pytest.approx(0.5)
    assert found.sd == pytest.approx(0.36055512754639896)
    assert (found.minimum, found.maximum, found.coverage) == (0.2, 0.9, 0.75)
    assert found.interval is not None
    assert 0 <= found.interval.low < 0.5 < found.interval.high <= 1


def test_a_mean_of_equal_scores_is_that_score() -> None:
    assert summarize([0.1] * 3, n_total=3).mean == 0.1
    assert summarize([1.0] * 7, n_total=7).mean == 1.0


def test_nothing_scored() -> None:
    found = summarize([], n_total=5)
    assert (found.mean, found.sd, found.minimum, found.coverage) == (None, None, None, 0.0)
    assert summarize([], n_total=0).coverage is None


def test_more_scores_than_rows() -> None:
    with pytest.raises(UsageError, match="n_total is 1 but 2"):
        summarize([0.1, 0.2], n_total=1)
