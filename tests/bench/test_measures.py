"""Every measure against a slow one that says what it means; weights against repeated rows."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from ragstone.bench.agreement import measures
from ragstone.bench.agreement.interval import estimate

pairs = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 1)), min_size=1, max_size=14)


def columns(rows: list[tuple[int, int]]) -> tuple[np.ndarray, np.ndarray]:
    return np.array([r[0] / 4 for r in rows]), np.array([float(r[1]) for r in rows])


def value(measure, scores, labels) -> float:
    return measure(scores, labels)(np.ones(len(labels)))


def same(found: float, expected: float) -> bool:
    return math.isclose(found, expected, abs_tol=1e-9) or (
        math.isnan(found) and math.isnan(expected)
    )


@given(pairs)
def test_auroc_is_the_share_of_pairs_in_the_right_order(rows) -> None:
    scores, labels = columns(rows)
    wins = [
        float(p > n) + 0.5 * float(p == n) for p in scores[labels == 1] for n in scores[labels == 0]
    ]
    assert same(value(measures.auroc, scores, labels), float(np.mean(wins)) if wins else math.nan)


@given(pairs)
def test_verdicts_are_counted(rows) -> None:
    scores, labels = columns(rows)
    verdicts = (scores >= 0.5).astype(float)
    tp = sum(v == 1 and y == 1 for v, y in zip(verdicts, labels, strict=True))
    tn = sum(v == 0 and y == 0 for v, y in zip(verdicts, labels, strict=True))
    fp = sum(v == 1 and y == 0 for v, y in zip(verdicts, labels, strict=True))
    fn = sum(v == 0 and y == 1 for v, y in zip(verdicts, labels, strict=True))
    balanced = (tp / (tp + fn) + tn / (tn + fp)) / 2 if tp + fn and tn + fp else math.nan
    assert same(value(measures.balanced_accuracy, verdicts, labels), balanced)
    assert same(value(measures.accuracy, verdicts, labels), (tp + tn) / len(rows))
    f1 = 2 * tp / (2 * tp + fp + fn) if tp + fp + fn else math.nan
    assert same(value(measures.f1, verdicts, labels), f1)


@given(st.lists(st.tuples(st.integers(-3, 3), st.integers(0, 5)), min_size=2, max_size=14))
def test_correlations_are_those_of_scipy(rows) -> None:
    x, y = (np.array(column, dtype=float) for column in zip(*rows, strict=True))
    if len(set(x)) < 2 or len(set(y)) < 2:
        assert math.isnan(value(measures.pearson, x, y))
        assert math.isnan(value(measures.spearman, x, y))
        return
    assert same(value(measures.pearson, x, y), float(stats.pearsonr(x, y)[0]))
    assert same(value(measures.spearman, x, y), float(stats.spearmanr(x, y)[0]))


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 1)), min_size=1, max_size=6))
def test_average_precision_is_the_mean_over_all_orders_of_the_ties(rows) -> None:
    scores, relevant = columns(rows)
    found = []
    for order in itertools.permutations(range(len(rows))):
        ranked = [scores[n] for n in order]
        if ranked == sorted(ranked, reverse=True):
            hits = [i for i, n in enumerate(order, start=1) if relevant[n]]
            precisions = [(place + 1) / rank for place, rank in enumerate(hits)]
            found.append(np.mean(precisions) if hits else math.nan)
    assert same(measures.average_precision(scores, relevant), float(np.mean(found)))


@given(pairs, st.data())
@pytest.mark.parametrize(
    "measure",
    [
        measures.auroc,
        measures.balanced_accuracy,
        measures.accuracy,
        measures.f1,
        measures.pearson,
        measures.spearman,
    ],
)
def test_a_weight_counts_as_so_many_equal_rows(measure, rows, data) -> None:
    scores, labels = columns(rows)
    if measure not in (measures.auroc, measures.pearson, measures.spearman):
        scores = (scores >= 0.5).astype(float)
    weights = data.draw(st.lists(st.integers(0, 3), min_size=len(rows), max_size=len(rows)))
    if not sum(weights):
        return
    repeated = np.repeat(np.arange(len(rows)), weights)
    expected = value(measure, scores[repeated], labels[repeated])
    assert same(measure(scores, labels)(np.array(weights, dtype=float)), expected)


def test_the_interval_covers_the_truth_about_as_often_as_it_says() -> None:
    rng = np.random.default_rng(7)
    covered = 0
    for _ in range(200):
        values = rng.normal(0.5, 0.1, 60)
        found = estimate(measures.mean(values), list(range(60)), draws=300)
        covered += found.low <= 0.5 <= found.high
    assert 0.89 <= covered / 200 <= 0.99


def test_rows_of_one_group_are_drawn_together() -> None:
    values = np.repeat(np.linspace(0, 1, 10), 20)
    alone = estimate(measures.mean(values), list(range(200)))
    grouped = estimate(measures.mean(values), [n // 20 for n in range(200)])
    assert grouped.high - grouped.low > 3 * (alone.high - alone.low)
    assert estimate(measures.mean(values), ["one"] * 200).low is None
    assert estimate(measures.mean(np.array([])), []).value is None
