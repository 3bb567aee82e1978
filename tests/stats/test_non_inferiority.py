"""The gate against a baseline: passes on proof, fails on doubt, says which."""

import numpy as np
import pytest

from ragstone.errors import UsageError
from ragstone.stats.non_inferiority import non_inferior
from ragstone.stats.pairs import PairedData


def noisy(n: int, loss: float, seed: int = 0) -> PairedData:
    rng = np.random.default_rng(seed)
    a = 0.4 + 0.2 * rng.random(n)
    noise = 0.1 * rng.normal(size=n)
    return PairedData(a, a - loss + noise - noise.mean(), bounds=(-1, 2))


def test_enough_rows_within_the_margin() -> None:
    found = non_inferior(noisy(400, 0.0), 0.02)
    assert found.passed
    assert found.reason == "within margin"
    assert found.loss_bound is not None
    assert found.loss_bound <= 0.02
    assert "No worse than 0.02" in found.message


def test_clearly_worse() -> None:
    found = non_inferior(noisy(400, 0.1), 0.02)
    assert not found.passed
    assert found.reason == "worse"
    assert found.rows_needed is None
    assert "Worse by more than 0.02: the mean loss is 0.1 on 400 matched rows" in found.message


def test_doubt_fails_and_says_how_many_rows_would_do() -> None:
    found = non_inferior(noisy(30, 0.0), 0.02)
    assert not found.passed
    assert found.reason == "too few rows"
    assert "Not enough rows to tell" in found.message
    assert found.rows_needed is not None
    assert found.rows_needed > 30
    assert non_inferior(noisy(2 * found.rows_needed, 0.0), 0.02).passed


def test_a_loss_above_the_margin_on_few_rows_promises_nothing() -> None:
    found = non_inferior(noisy(12, 0.03), 0.02)
    assert found.reason == "too few rows"
    assert found.rows_needed is None


def test_an_unchanged_run_passes() -> None:
    scores = [0.0, 1.0] * 10
    found = non_inferior(PairedData(scores, scores), 0.0)
    assert found.passed
    assert found.reason == "no row worse"
    assert "Not one of 20 matched rows got worse" in found.message
    assert non_inferior(PairedData([0.1], [0.1 + 1e-17]), 0.0).passed


def test_no_rows_fail() -> None:
    found = non_inferior(PairedData([], []), 0.02)
    assert not found.passed
    assert found.loss is None
    assert "No matched rows" in found.message


def test_one_row_that_got_worse_fails() -> None:
    found = non_inferior(PairedData([0.9], [0.8]), 0.5)
    assert not found.passed
    assert found.reason == "too few rows"


def test_direction_follows_the_metric() -> None:
    seconds = np.random.default_rng(3).random(300)
    slower = PairedData(seconds, seconds + 0.5, higher_is_better=False, bounds=(0, 2))
    assert non_inferior(slower, 0.02).reason == "worse"
    assert non_inferior(slower, 0.02).loss == pytest.approx(0.5)
    assert non_inferior(PairedData(seconds + 0.5, seconds, higher_is_better=False), 0.02).passed


def test_groups_make_the_gate_stricter() -> None:
    rng = np.random.default_rng(5)
    groups = [i // 25 for i in range(200)]
    a = rng.random(200)
    b = a + 0.04 * rng.normal(size=8)[groups]
    b -= (b - a).mean()
    assert non_inferior(PairedData(a, b), 0.02).passed
    assert not non_inferior(PairedData(a, b, groups=groups), 0.02).passed


@pytest.mark.parametrize("rates", [True, False])
def test_a_loss_at_the_margin_passes_rarely(rates: bool) -> None:
    rng, rounds, passes, margin = np.random.default_rng(30), 400, 0, 0.1
    for _ in range(rounds):
        a = (rng.random(100) < 0.9).astype(float) if rates else rng.random(100)
        keeps = rng.random(100) < (1 - margin / 0.9 if rates else 0.8)
        b = np.where(keeps, a, 0.0)  # loses 0.1 on average in both cases
        passes += non_inferior(PairedData(a, b, bounds=(0, 1)), margin).passed
    # Three binomial standard errors of 400 rounds at 5 % are 3.3 points.
    assert passes / rounds <= 0.05 + 0.033


@pytest.mark.parametrize("margin", [-0.1, float("nan"), float("inf")])
def test_refuses_a_margin_that_is_none(margin: float) -> None:
    with pytest.raises(UsageError, match="margin is"):
        non_inferior(PairedData([0.1], [0.2]), margin)


def test_refuses_a_level_that_proves_nothing() -> None:
    with pytest.raises(UsageError, match=r"level is 0\.5"):
        non_inferior(PairedData([0.1], [0.2]), 0.02, level=0.5)
