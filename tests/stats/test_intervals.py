"""Intervals of one mean: agreement with scipy, coverage, properties and odd data."""

import time
import tracemalloc

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy import stats

from ragstone.errors import UsageError
from ragstone.stats.bootstrap import Resamples, bca_ends, bootstrap_t_ends
from ragstone.stats.intervals import Interval, mean_interval

SCORES = st.lists(st.integers(0, 20).map(lambda k: k / 20), min_size=2, max_size=40)
RATES = st.lists(st.sampled_from([0.0, 1.0]), min_size=2, max_size=40)


def interval(values, **options) -> Interval:  # type: ignore[no-untyped-def]
    found = mean_interval(values, **options)
    assert found is not None
    return found


@pytest.mark.parametrize(("hits", "n"), [(0, 10), (10, 10), (7, 10), (1, 2), (493, 1000)])
@pytest.mark.parametrize("level", [0.9, 0.95])
def test_rates_agree_with_scipy_wilson(hits: int, n: int, level: float) -> None:
    ours = interval([1.0] * hits + [0.0] * (n - hits), level=level)
    theirs = stats.binomtest(hits, n).proportion_ci(level, method="wilson")
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=1e-12)
    assert ours.method == "wilson"


def test_bca_agrees_with_scipy() -> None:
    values = np.random.default_rng(5).beta(6, 2, 60)
    theirs = stats.bootstrap(
        (values,), np.mean, n_resamples=20_000, method="BCa", rng=np.random.default_rng(1)
    ).confidence_interval
    low, high = bca_ends(Resamples(values, seed=0, draws=20_000), 0.95)
    # Two bootstraps of 20,000 draws differ at an end by about 2 % of the width.
    width = theirs.high - theirs.low
    assert low == pytest.approx(theirs.low, abs=0.05 * width)
    assert high == pytest.approx(theirs.high, abs=0.05 * width)


def test_bootstrap_t_agrees_with_student_on_normal_data() -> None:
    values = np.random.default_rng(3).normal(5, 2, 400)
    low, high = bootstrap_t_ends(Resamples(values, seed=0, draws=20_000), 0.95)
    theirs = stats.t.interval(0.95, 399, values.mean(), stats.sem(values))
    assert (low, high) == pytest.approx(theirs, abs=0.05 * (theirs[1] - theirs[0]))


def test_large_data_gets_the_t_interval() -> None:
    values = np.random.default_rng(3).random(6000)
    ours = interval(values)
    theirs = stats.t.interval(0.95, 5999, values.mean(), stats.sem(values))
    assert (ours.low, ours.high) == pytest.approx(theirs, rel=1e-9)
    assert ours.method == "t"


DRAWN = {
    "beta": (lambda rng, n: rng.beta(8, 2, n), 0.8),
    "mostly perfect": (lambda rng, n: np.where(rng.random(n) < 0.8, 1, rng.random(n)), 0.9),
    "nearly all perfect": (lambda rng, n: np.where(rng.random(n) < 0.95, 1, rng.random(n)), 0.975),
    "five steps": (
        lambda rng, n: rng.choice([0, 0.25, 0.5, 0.75, 1], n, p=[0.05, 0.05, 0.1, 0.2, 0.6]),
        0.8125,
    ),
    "rate": (lambda rng, n: (rng.random(n) < 0.9).astype(float), 0.9),
}


@pytest.mark.parametrize("name", DRAWN)
@pytest.mark.parametrize("n", [10, 40])
def test_coverage_is_nominal(name: str, n: int) -> None:
    draw, mean = DRAWN[name]
    rng, rounds = np.random.default_rng(20), 400
    found = [interval(draw(rng, n), bounds=(0, 1)) for _ in range(rounds)]
    covered = sum(one.low <= mean <= one.high for one in found)
    # Three binomial standard errors of 400 rounds at 95 % are 3.3 points.
    assert covered / rounds >= 0.95 - 0.033


def test_coverage_with_groups_that_are_alike() -> None:
    rng, rounds, covered, blind = np.random.default_rng(21), 400, 0, 0
    for _ in range(rounds):
        groups = np.repeat(np.arange(15), rng.integers(1, 12, 15))
        values = np.clip(
            0.5 + 0.15 * rng.normal(size=15)[groups] + 0.05 * rng.normal(size=len(groups)), 0, 1
        )
        one = interval(values, groups=groups.tolist(), bounds=(0, 1))
        naive = interval(values, bounds=(0, 1))
        covered += one.low <= 0.5 <= one.high
        blind += naive.low <= 0.5 <= naive.high
    assert covered / rounds >= 0.95 - 0.033
    assert blind / rounds < 0.85  # what ignoring the groups would have claimed


def test_coverage_of_rates_in_groups() -> None:
    rng, rounds, covered = np.random.default_rng(22), 400, 0
    for _ in range(rounds):
        groups = np.repeat(np.arange(20), 8)
        rates = rng.beta(4, 1, 20)  # mean 0.8, alike within a group
        values = (rng.random(160) < rates[groups]).astype(float)
        one = interval(values, groups=groups.tolist())
        covered += one.low <= 0.8 <= one.high
    assert covered / rounds >= 0.95 - 0.033


def test_too_little_data_gives_none() -> None:
    assert mean_interval([]) is None
    assert mean_interval([0.7]) is None
    assert mean_interval([1.0]) is None
    assert mean_interval([0.2, 0.9, 0.4], groups=["a", "a", "a"]) is None


@pytest.mark.parametrize("values", [[0.2, 0.9], [0.2, 0.5, 0.9], [0.5, 0.5, 0.9]])
def test_few_values_give_a_wide_finite_interval(values: list[float]) -> None:
    for bounds in (None, (0.0, 1.0)):
        found = interval(values, bounds=bounds)
        assert np.isfinite([found.low, found.high]).all()
        assert found.high - found.low > 0.4


def test_equal_values_claim_no_certainty() -> None:
    assert mean_interval([0.8] * 30) is None
    found = interval([0.8] * 30, bounds=(0, 1))
    assert found.low < 0.8 < found.high
    assert found.low == pytest.approx(0.8 * 0.025 ** (1 / 30))
    wider = interval([0.8] * 30, bounds=(0, 1), groups=[i % 5 for i in range(30)])
    assert wider.low < found.low
    perfect = interval([1.0] * 30, bounds=(0, 1))
    assert perfect.low < 0.9
    assert perfect.high == 1.0


def test_rounding_noise_counts_as_equal() -> None:
    assert mean_interval([0.1 + 0.2, 0.3] * 20) is None


def test_groups_that_agree_by_luck_do_not_narrow() -> None:
    values, groups = [0.2, 0.8] * 10, [i // 2 for i in range(20)]
    clustered, plain = interval(values, groups=groups), interval(values)
    assert clustered.high - clustered.low >= 0.95 * (plain.high - plain.low)
    rate = interval([0.0, 1.0] * 10, groups=groups)
    assert rate.high - rate.low >= interval([0.0, 1.0] * 10).high - interval([0.0, 1.0] * 10).low


def test_every_row_its_own_group_is_the_t_interval() -> None:
    values = np.random.default_rng(8).random(30)
    ours = interval(values, groups=list(range(30)))
    theirs = stats.t.interval(0.95, 29, values.mean(), stats.sem(values))
    assert (ours.low, ours.high) == pytest.approx(theirs, rel=1e-9)


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), -float("inf"), None, "0.5"])
def test_no_score_is_ever_nan(bad: object) -> None:
    with pytest.raises(UsageError, match=r"values\[2\] is"):
        mean_interval([0.5, 0.6, bad])  # type: ignore[list-item]


def test_nan_in_an_array_is_refused_too() -> None:
    with pytest.raises(UsageError, match=r"values\[1\] is nan"):
        mean_interval(np.array([0.5, np.nan]))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"level": 95}, "level is 95"),
        ({"bounds": (0, 0.5)}, r"values\[1\] is 0.9"),
        ({"bounds": (1, 0)}, "bounds"),
        ({"groups": ["a"]}, "1 entries for 2 rows"),
        ({"groups": ["a", None]}, r"groups\[1\]"),
    ],
)
def test_bad_arguments_are_named(options: dict, message: str) -> None:  # type: ignore[type-arg]
    with pytest.raises(UsageError, match=message):
        mean_interval([0.2, 0.9], **options)


def test_a_table_is_no_row() -> None:
    with pytest.raises(UsageError, match="one row of numbers"):
        mean_interval(np.zeros((3, 2)))


def test_single_precision_rounding_is_inside_the_bounds() -> None:
    assert interval([0.5, 0.7, 1.0000001], bounds=(0, 1)).high <= 1.0000001


@settings(deadline=None, max_examples=40)
@given(SCORES | RATES, st.sampled_from([None, (0.0, 1.0)]))
def test_contains_the_mean_within_bounds(values, bounds) -> None:  # type: ignore[no-untyped-def]
    found = mean_interval(values, bounds=bounds)
    if found is None:
        assert len(set(values)) == 1
        return
    assert found.low <= np.mean(values) + 1e-12
    assert found.high >= np.mean(values) - 1e-12
    if bounds:
        assert bounds[0] <= found.low <= found.high <= bounds[1]


@settings(deadline=None, max_examples=30)
@given(
    st.lists(st.tuples(st.floats(0, 1), st.integers(0, 4)), min_size=2, max_size=30), st.randoms()
)
def test_order_of_rows_does_not_matter(rows, random) -> None:  # type: ignore[no-untyped-def]
    moved = random.sample(rows, len(rows))
    for grouped in (False, True):
        first, second = (
            mean_interval(
                [value for value, _ in order],
                groups=[f"g{group}" for _, group in order] if grouped else None,
                bounds=(0, 1),
            )
            for order in (rows, moved)
        )
        assert first == second


@settings(deadline=None, max_examples=30)
@given(SCORES, st.floats(0.01, 100), st.floats(-5, 5))
@example([0.0, 0.1, 0.1, 0.1, 0.1], 0.01171875, 0.0)
def test_unit_and_zero_do_not_matter(values, scale, shift) -> None:  # type: ignore[no-untyped-def]
    values = [value * 0.9 + 0.05 for value in values]
    first = mean_interval(values)
    second = mean_interval([scale * value + shift for value in values])
    if first is None or second is None:
        assert first is second
        return
    moved = scale * first.low + shift, scale * first.high + shift
    assert (second.low, second.high) == pytest.approx(moved, rel=1e-9, abs=1e-9)


@settings(deadline=None, max_examples=20)
@given(SCORES)
def test_repeated_rows_never_widen(values: list[float]) -> None:
    once, often = mean_interval(values, bounds=(0, 1)), mean_interval(values * 8, bounds=(0, 1))
    assert once is not None
    assert often is not None
    assert often.high - often.low <= once.high - once.low + 1e-12


@pytest.mark.parametrize("n", [5000, 100_000])
def test_huge_data_is_quick_and_lean(n: int) -> None:
    values = np.random.default_rng(1).random(n)
    started = time.process_time()
    interval(values, bounds=(0, 1))
    assert time.process_time() - started < 1
    tracemalloc.start()
    interval(values, bounds=(0, 1))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 40e6


def test_huge_data_with_groups_is_quick() -> None:
    rng = np.random.default_rng(1)
    started = time.process_time()
    interval(rng.random(100_000), groups=rng.integers(0, 900, 100_000).tolist(), bounds=(0, 1))
    assert time.process_time() - started < 1
