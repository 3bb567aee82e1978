"""The sign-flip test agrees with scipy's paired permutation test."""

import numpy as np
import pytest
from scipy import stats

from ragstone.stats.sign_flip import sign_flip


def scipy_p(differences: np.ndarray, resamples: float) -> float:
    found = stats.permutation_test(
        (differences, np.zeros(len(differences))),
        lambda x, y, axis: np.mean(x - y, axis=axis),
        permutation_type="samples",
        n_resamples=resamples,
        vectorized=True,
        rng=np.random.default_rng(4),
    )
    return float(found.pvalue)


@pytest.mark.parametrize("seed", range(5))
def test_all_patterns_agree_exactly(seed: int) -> None:
    differences = np.random.default_rng(seed).normal(0.3, 1, 9)
    p, method = sign_flip(differences)
    assert p == pytest.approx(scipy_p(differences, np.inf), abs=1e-12)
    assert method == "sign-flip, exact"


def test_ties_count_as_extreme() -> None:
    assert sign_flip(np.array([0.1, 0.2, 0.3, -0.3]))[0] == pytest.approx(
        scipy_p(np.array([0.1, 0.2, 0.3, -0.3]), np.inf)
    )


@pytest.mark.parametrize("shift", [0.0, 0.2, 0.4])
def test_random_patterns_agree_within_their_error(shift: float) -> None:
    differences = np.random.default_rng(7).normal(shift, 1, 60)
    p, method = sign_flip(differences)
    error = 4 * np.sqrt(2 * p * (1 - p) / 10_000) + 2e-4
    assert p == pytest.approx(scipy_p(differences, 10_000), abs=error)
    assert method == "sign-flip, 10,000 random"


def test_large_data_gets_student() -> None:
    differences = np.random.default_rng(7).normal(0.02, 1, 8000)
    p, method = sign_flip(differences)
    assert p == pytest.approx(stats.ttest_1samp(differences, 0).pvalue, rel=1e-8)
    assert method == "t"


def test_zeros_do_not_matter() -> None:
    some = np.array([0.3, -0.1, 0.4, 0.2, 0.25, 0.31])
    assert sign_flip(some)[0] == sign_flip(np.concatenate([some, np.zeros(500)]))[0]


@pytest.mark.parametrize("empty", [np.array([]), np.zeros(5)])
def test_nothing_differs(empty: np.ndarray) -> None:
    assert sign_flip(empty)[0] == 1.0


def test_never_zero() -> None:
    assert sign_flip(np.full(100, 0.5))[0] == pytest.approx(1 / 10_001)
    assert sign_flip(np.full(3, 0.5))[0] == 0.25
