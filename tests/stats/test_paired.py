"""Comparison of two runs: verdicts, symmetry, error rates, odd data."""

import time
import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from scipy.special import gamma

from ragstone.errors import UsageError
from ragstone.stats.holm import holm
from ragstone.stats.paired import compare_metrics, compare_paired
from ragstone.stats.pairs import PairedData
from ragstone.stats.power import fewest_units

PAIRS = st.lists(
    st.tuples(st.integers(0, 10), st.integers(0, 10), st.integers(0, 3)), min_size=2, max_size=25
)


def shifted(n: int, shift: float, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    a = rng.random(n)
    return a, a + shift + 0.1 * rng.normal(size=n)


def test_a_real_gain() -> None:
    a, b = shifted(80, 0.1)
    found = compare_paired(a, b)
    assert found.verdict == "better"
    assert found.difference == pytest.approx((b - a).mean())
    assert found.interval is not None
    assert found.interval.low > 0
    assert found.smallest_detectable is not None
    assert found.smallest_detectable < 0.1
    assert compare_paired(a, b, higher_is_better=False).verdict == "worse"


def test_noise_is_no_evidence() -> None:
    a, b = shifted(80, 0.0)
    found = compare_paired(a, b)
    assert found.verdict == "no evidence"
    assert found.p_value is not None
    assert found.p_value > 0.05


def test_rates_get_the_tests_of_rates() -> None:
    found = compare_paired([0, 0, 0, 0, 0, 0, 0, 1, 1, 1], [1, 1, 1, 1, 1, 1, 1, 1, 1, 1])
    assert found.test == "mcnemar, exact"
    assert found.p_value == pytest.approx(2 / 2**7)
    assert found.interval is not None
    assert found.interval.method == "newcombe"
    assert (found.effect, found.effect_name) == (0.5, "cohen g")
    assert found.verdict == "better"


def test_effect_is_the_corrected_d_z() -> None:
    a, b = shifted(12, 0.1)
    d = b - a
    factor = gamma(5.5) / (np.sqrt(5.5) * gamma(5.0))
    assert compare_paired(a, b).effect == pytest.approx(factor * d.mean() / d.std(ddof=1))


def test_smallest_detectable_reaches_its_power() -> None:
    rng = np.random.default_rng(2)
    noise = rng.normal(size=(600, 40))
    found = compare_paired(np.zeros(40), (noise[0] - noise[0].mean()) / noise[0].std(ddof=1))
    assert found.smallest_detectable is not None
    p_values = stats.ttest_1samp(noise + found.smallest_detectable, 0, axis=1).pvalue
    # Three binomial standard errors of 600 rounds at 80 % are 4.9 points.
    assert np.mean(p_values < 0.05) == pytest.approx(0.8, abs=0.049)


def test_too_few_rows_can_show_nothing() -> None:
    assert fewest_units(0.05) == 6
    found = compare_paired([0.1, 0.2, 0.3, 0.15, 0.2], [0.8, 0.95, 0.9, 0.85, 0.7])
    assert found.p_value == 2 / 2**5
    assert found.verdict == "no evidence"
    assert found.smallest_detectable is None


def test_no_rows() -> None:
    found = compare_paired([], [])
    assert found.n == 0
    assert found.verdict == "no evidence"
    assert found.p_value is None
    assert found.difference is None


def test_one_row() -> None:
    found = compare_paired([0.2], [0.9])
    assert found.interval is None
    assert found.p_value == 1.0
    assert found.effect is None
    assert found.verdict == "no evidence"


def test_two_rows() -> None:
    found = compare_paired([0.2, 0.3], [0.9, 0.8])
    assert found.interval is not None
    assert found.p_value == 0.5


def test_the_same_run_twice() -> None:
    scores = np.random.default_rng(0).random(50)
    found = compare_paired(scores, scores, bounds=(0, 1))
    assert found.difference == 0
    assert found.p_value == 1.0
    assert found.verdict == "no evidence"
    assert found.interval is not None
    assert found.interval.low < 0 < found.interval.high
    rates = compare_paired([0, 1] * 25, [0, 1] * 25)
    assert rates.interval is not None
    assert rates.interval.low < 0 < rates.interval.high
    assert rates.smallest_detectable == pytest.approx(6 / 50)


def test_rounding_noise_is_no_difference() -> None:
    found = compare_paired([0.3] * 40, [0.1 + 0.2] * 40)
    assert found.difference == 0
    assert found.verdict == "no evidence"


def test_a_constant_gain_is_evidence() -> None:
    found = compare_paired([0.2] * 20, [0.3] * 20, bounds=(0, 1))
    assert found.verdict == "better"
    assert found.interval is not None
    assert found.interval.low < 0.1 < found.interval.high


def test_groups_are_the_unit_of_evidence() -> None:
    groups = [i // 20 for i in range(100)]  # 100 rows, but five conversations
    a, b = np.zeros(100), 0.2 + 0.01 * np.random.default_rng(1).normal(size=100)
    found = compare_paired(a, b, groups=groups)
    assert compare_paired(a, b).verdict == "better"
    assert found.p_value == 2 / 2**5
    assert found.verdict == "no evidence"
    assert found.test == "sign-flip, exact, by group"
    assert compare_paired(a, b, groups=["one"] * 100).interval is None


def test_false_alarms_stay_below_alpha() -> None:
    rng, rounds, alarms = np.random.default_rng(12), 300, 0
    for _ in range(rounds):
        a = np.where(rng.random(30) < 0.6, 1.0, rng.random(30))
        b = np.where(rng.random(30) < 0.6, 1.0, rng.random(30))
        alarms += compare_paired(a, b, bounds=(0, 1)).verdict != "no evidence"
    # Three binomial standard errors of 300 rounds at 5 % are 3.8 points.
    assert alarms / rounds <= 0.05 + 0.038


def test_false_alarms_with_groups_stay_below_alpha() -> None:
    rng, rounds, alarms = np.random.default_rng(13), 300, 0
    groups = np.repeat(np.arange(12), 6)
    for _ in range(rounds):
        change = 0.2 * rng.normal(size=12)[groups] + 0.05 * rng.normal(size=72)
        found = compare_paired(np.zeros(72), change, groups=groups.tolist())
        alarms += found.verdict != "no evidence"
    assert alarms / rounds <= 0.05 + 0.038


def test_difference_interval_covers() -> None:
    rng, rounds, covered = np.random.default_rng(14), 400, 0
    for _ in range(rounds):
        a = rng.random(40)
        b = np.where(rng.random(40) < 0.7, a, a * rng.random(40))  # 30 % of rows lose half
        found = compare_paired(a, b, bounds=(0, 1)).interval
        assert found is not None
        covered += found.low <= -0.3 * 0.25 <= found.high
    assert covered / rounds >= 0.95 - 0.033


def test_holm_over_metrics_sets_the_verdicts() -> None:
    rates = {
        "strong": PairedData([0] * 12, [1] * 12),
        "weak": PairedData([0] * 6, [1] * 6),
        "same": PairedData([0, 1], [0, 1]),
    }
    data = rates | {"scores": PairedData(*shifted(40, 0.2)), "empty": PairedData([], [])}
    found = compare_metrics(data)
    assert list(found) == list(data)
    raw = [one.p_value for one in found.values()]
    assert [one.p_adjusted for one in found.values()] == holm(raw)
    assert found["empty"].p_adjusted is None
    assert found["weak"].p_value == pytest.approx(2 / 2**6)
    assert found["weak"].p_adjusted == pytest.approx(2 * 2 / 2**6)
    verdicts = [one.verdict for one in found.values()]
    assert verdicts == ["better", "no evidence", "no evidence", "better", "no evidence"]


def test_errors_name_the_metric_and_the_row() -> None:
    with pytest.raises(UsageError, match=r"metric 'faithfulness': b\[1\] is nan"):
        compare_metrics({"faithfulness": PairedData([0.1, 0.2], [0.1, float("nan")])})
    with pytest.raises(UsageError, match="a has 2 rows and b has 1"):
        compare_paired([0.1, 0.2], [0.1])


@settings(deadline=None, max_examples=40)
@given(PAIRS, st.sampled_from([1, 10]), st.booleans())
def test_the_other_way_round_is_the_negative(rows, scale, grouped) -> None:  # type: ignore[no-untyped-def]
    a = [min(row[0] / scale, 1.0) for row in rows]
    b = [min(row[1] / scale, 1.0) for row in rows]
    groups = [row[2] for row in rows] if grouped else None
    there = compare_paired(a, b, groups=groups, bounds=(0, 1))
    back = compare_paired(b, a, groups=groups, bounds=(0, 1))
    assert there.difference == -back.difference  # type: ignore[operator]
    assert there.p_value == back.p_value
    assert (there.effect or 0) == pytest.approx(-(back.effect or 0))
    assert (there.interval is None) == (back.interval is None)
    if there.interval is not None and back.interval is not None:
        assert there.interval.low == pytest.approx(-back.interval.high, abs=1e-12)
        assert there.interval.high == pytest.approx(-back.interval.low, abs=1e-12)
    assert {there.verdict, back.verdict} in ({"no evidence"}, {"better", "worse"})


@settings(deadline=None, max_examples=30)
@given(PAIRS, st.randoms(), st.booleans())
def test_order_of_rows_does_not_matter(rows, random, grouped) -> None:  # type: ignore[no-untyped-def]
    first, second = (
        compare_paired(
            [row[0] / 10 for row in order],
            [row[1] / 10 for row in order],
            groups=[row[2] for row in order] if grouped else None,
        )
        for order in (rows, random.sample(rows, len(rows)))
    )
    assert first == second


@settings(deadline=None, max_examples=20)
@given(PAIRS, st.floats(0.01, 1000))
def test_unit_does_not_matter(rows, unit) -> None:  # type: ignore[no-untyped-def]
    a, b = ([0.5 + row[side] / 10 for row in rows] for side in (0, 1))
    first = compare_paired(a, b)
    second = compare_paired([unit * x for x in a], [unit * x for x in b])
    assert second.p_value == pytest.approx(first.p_value)
    assert second.verdict == first.verdict
    assert second.difference == pytest.approx(unit * first.difference)  # type: ignore[operator]


@pytest.mark.parametrize("n", [5000, 100_000])
@pytest.mark.parametrize("rates", [True, False])
def test_huge_data_is_quick_and_lean(n: int, rates: bool) -> None:
    rng = np.random.default_rng(1)
    a, b = rng.random(n), rng.random(n)
    if rates:
        a, b = np.round(a), np.round(b)
    started = time.process_time()
    compare_paired(a, b, bounds=(0, 1))
    assert time.process_time() - started < 5  # about 0.3 s; the rest is for a busy machine
    tracemalloc.start()
    compare_paired(a, b, bounds=(0, 1))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 60e6
