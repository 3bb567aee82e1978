"""Compare two runs on the rows that both have scored."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from ragstone.errors import UsageError
from ragstone.stats.clusters import cluster_mean, cluster_sums
from ragstone.stats.holm import holm
from ragstone.stats.intervals import Interval
from ragstone.stats.pairs import PairedData, Pairs, difference_interval
from ragstone.stats.power import fewest_units, smallest_detectable
from ragstone.stats.rates import cohen_g, mcnemar
from ragstone.stats.sign_flip import sign_flip
from ragstone.stats.values import Groups, Values, checked_share, exact_mean, spread

__all__ = [
    "PairedComparison",
    "Verdict",
    "compare_metrics",
    "compare_paired",
]

Verdict = Literal["better", "worse", "no evidence"]


@dataclass(frozen=True, slots=True)
class PairedComparison:
    """What the matched rows say about b against a; every difference is b minus a.

    effect is Cohen's g for rates (-0.5 to 0.5), else Hedges's corrected d_z (difference over
    the standard deviation of the differences). smallest_detectable is the true difference
    that this many rows would show four times in five, before any adjustment for several
    metrics; None where no difference could. The verdict rests on p_adjusted.
    """

    n: int
    mean_a: float | None
    mean_b: float | None
    difference: float | None
    interval: Interval | None
    p_value: float | None
    p_adjusted: float | None
    test: str | None
    effect: float | None
    effect_name: str | None
    smallest_detectable: float | None
    verdict: Verdict


def compare_paired(
    a: Values,
    b: Values,
    *,
    higher_is_better: bool = True,
    level: float = 0.95,
    groups: Groups | None = None,
    seed: int = 0,
    bounds: tuple[float, float] | None = None,
) -> PairedComparison:
    """Compare b with a on aligned rows; alpha of the verdict is 1 - level.

    Rates get Newcombe's interval and the exact McNemar test, other scores the bootstrap
    interval and the sign-flip test; with groups the interval is cluster-robust and whole
    groups are flipped. Without rows everything is None and the verdict is "no evidence".

    Raises UsageError: lengths that differ, NaN or infinity, values outside the bounds.
    """
    checked_share(level, "level")
    pairs = Pairs.check(PairedData(a, b, higher_is_better, groups, bounds))
    n = len(pairs.a)
    if n == 0:
        return PairedComparison(
            0, None, None, None, None, None, None, None, None, None, None, "no evidence"
        )
    p, test = _test(pairs, seed)
    effect, effect_name = _effect(pairs)
    difference = exact_mean(pairs.differences)
    return PairedComparison(
        n=n,
        mean_a=exact_mean(pairs.a),
        mean_b=exact_mean(pairs.b),
        difference=difference,
        interval=difference_interval(pairs, level=level, seed=seed),
        p_value=p,
        p_adjusted=p,
        test=test,
        effect=effect,
        effect_name=effect_name,
        smallest_detectable=_detectable(pairs, 1 - level),
        verdict=_verdict(difference, p, 1 - level, higher_is_better),
    )


def compare_metrics(
    metrics: Mapping[str, PairedData], *, alpha: float = 0.05, seed: int = 0
) -> dict[str, PairedComparison]:
    """Compare every metric, adjust the p-values over all of them, and set the verdicts.

    Raises UsageError: as compare_paired, with the name of the metric.
    """
    checked_share(alpha, "alpha")
    compared = {name: _compare_named(name, data, alpha, seed) for name, data in metrics.items()}
    adjusted = holm([one.p_value for one in compared.values()])
    return {
        name: replace(
            one,
            p_adjusted=p,
            verdict=_verdict(one.difference, p, alpha, metrics[name].higher_is_better),
        )
        for (name, one), p in zip(compared.items(), adjusted, strict=True)
    }


def _compare_named(name: str, data: PairedData, alpha: float, seed: int) -> PairedComparison:
    try:
        return compare_paired(
            data.a,
            data.b,
            higher_is_better=data.higher_is_better,
            level=1 - alpha,
            groups=data.groups,
            seed=seed,
            bounds=data.bounds,
        )
    except UsageError as error:
        raise UsageError(f"metric {name!r}: {error}") from error


def _test(pairs: Pairs, seed: int) -> tuple[float, str]:
    if pairs.groups is not None:
        p, test = sign_flip(cluster_sums(pairs.differences, pairs.groups)[0], seed)
        return p, f"{test}, by group"
    if pairs.table is not None:
        return mcnemar(pairs.table), "mcnemar, exact"
    return sign_flip(pairs.differences, seed)


def _effect(pairs: Pairs) -> tuple[float | None, str]:
    """Return Cohen's g, or d_z with Hedges's small-sample factor.

    Source: Cohen 1988; Hedges 1981, Distribution theory for Glass's estimator.
    """
    if pairs.table is not None:
        return cohen_g(pairs.table), "cohen g"
    sd, df = spread(pairs.differences), len(pairs.a) - 1
    if sd == 0 or df < 2:
        return None, "hedges d_z"
    log_factor = math.lgamma(df / 2) - math.lgamma((df - 1) / 2) - math.log(df / 2) / 2
    return math.exp(log_factor) * exact_mean(pairs.differences) / sd, "hedges d_z"


def _detectable(pairs: Pairs, alpha: float) -> float | None:
    n = len(pairs.a)
    if pairs.groups is not None:
        clustered = cluster_mean(pairs.differences, pairs.groups)
        if clustered is None:
            return None
        return smallest_detectable(clustered.error, clustered.df, clustered.clusters, alpha=alpha)
    error = spread(pairs.differences) / math.sqrt(n)
    found = smallest_detectable(error, max(n - 1, 1), n, alpha=alpha)
    if pairs.table is None or n < fewest_units(alpha):
        return found
    return max(found or 0.0, fewest_units(alpha) / n)


def _verdict(
    difference: float | None, p: float | None, alpha: float, higher_is_better: bool
) -> Verdict:
    if difference is None or p is None or difference == 0 or p >= alpha:
        return "no evidence"
    return "better" if (difference > 0) == higher_is_better else "worse"
