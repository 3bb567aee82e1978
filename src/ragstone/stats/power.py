"""How small a difference the data could have shown."""

from __future__ import annotations

from ragstone.stats.distributions import student_quantile

__all__ = ["fewest_units", "smallest_detectable"]


def fewest_units(alpha: float) -> int:
    """Return the fewest differing pairs that can reach p < alpha when all point one way."""
    units = 1
    while 2.0 ** (1 - units) >= alpha:
        units += 1
    return units


def smallest_detectable(
    error: float, df: float, units: int, *, alpha: float = 0.05, power: float = 0.8
) -> float | None:
    """Return the true difference that a two-sided test at alpha would find with that power.

    error: the standard error of the mean difference; units: independent rows or groups.
    None where no difference could reach alpha (too few units), or where nothing is known of
    the noise (no spread).

    Source: Bloom 1995, Minimum detectable effects.
    """
    if units < fewest_units(alpha) or error == 0:
        return None
    return error * (student_quantile(1 - alpha / 2, df) + student_quantile(power, df))
