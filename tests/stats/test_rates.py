"""Paired rates: McNemar against scipy, Newcombe against published values and by simulation."""

import numpy as np
import pytest
from scipy import stats

from ragstone.stats.rates import PairedRates, cohen_g, mcnemar, newcombe_ends
from ragstone.stats.sign_flip import sign_flip


@pytest.mark.parametrize(("only_a", "only_b"), [(0, 1), (0, 6), (3, 9), (5, 5), (40, 72), (1, 0)])
def test_mcnemar_is_the_exact_binomial_test(only_a: int, only_b: int) -> None:
    theirs = stats.binomtest(only_a, only_a + only_b).pvalue
    assert mcnemar(PairedRates(4, only_a, only_b, 2)) == pytest.approx(theirs, rel=1e-9)


def test_mcnemar_without_discordant_rows() -> None:
    assert mcnemar(PairedRates(4, 0, 0, 2)) == 1.0


@pytest.mark.parametrize(("only_a", "only_b"), [(2, 9), (0, 6), (7, 7)])
def test_mcnemar_is_the_sign_flip_test_of_rates(only_a: int, only_b: int) -> None:
    differences = np.array([-1.0] * only_a + [1.0] * only_b)
    assert mcnemar(PairedRates(1, only_a, only_b, 1)) == pytest.approx(sign_flip(differences)[0])


def test_newcombe_on_the_airway_example() -> None:
    # Fagerland, Lydersen and Laake 2014, table 3: 21 children, difference 2/21 - 8/21.
    low, high = newcombe_ends(PairedRates(both=1, only_a=7, only_b=1, neither=12), 0.95)
    assert (low, high) == pytest.approx((-0.507, -0.026), abs=5e-4)


@pytest.mark.parametrize("cells", [(0.6, 0.1, 0.2, 0.1), (0.9, 0.02, 0.02, 0.06)])
@pytest.mark.parametrize("n", [20, 80])
def test_newcombe_covers(cells: tuple[float, ...], n: int) -> None:
    rng, rounds, true = np.random.default_rng(9), 1000, cells[2] - cells[1]
    tables = rng.multinomial(n, cells, rounds)
    ends = [newcombe_ends(PairedRates(*map(int, table)), 0.95) for table in tables]
    covered = sum(low <= true <= high for low, high in ends)
    # Three binomial standard errors of 1,000 rounds at 95 % are 2.1 points.
    assert covered / rounds >= 0.95 - 0.021


@pytest.mark.parametrize(
    "table", [PairedRates(30, 0, 0, 0), PairedRates(0, 0, 0, 30), PairedRates(0, 30, 0, 0)]
)
def test_newcombe_never_claims_certainty(table: PairedRates) -> None:
    low, high = newcombe_ends(table, 0.95)
    assert -1 <= low < high <= 1
    assert high - low > 0.1


def test_cohen_g() -> None:
    assert cohen_g(PairedRates(5, 2, 6, 5)) == 0.25
    assert cohen_g(PairedRates(5, 6, 2, 5)) == -0.25
    assert cohen_g(PairedRates(5, 0, 0, 5)) is None
