"""Two runs side by side, as tables for the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from ragstone.report.numbers import interval_text, p_text, score_text, signed_text
from ragstone.report.plaintext import broken_name, one_line
from ragstone.report.table import empty_table
from ragstone.stats.paired import PairedComparison

__all__ = ["comparison_table"]

_LEAST, _WIDE = 12, 19  # characters of a name beside the numbers, and beside their grounds
_STYLES = {
    "better": "bold green",
    "worse": "bold red",
    "more often": "bold",
    "less often": "bold",
    "not comparable": "yellow",
}
_SIGNS = {
    "better": "▲",
    "worse": "▼",
    "more often": "▲",
    "less often": "▼",
    "not comparable": "!",
}


def comparison_table(
    comparisons: Mapping[str, PairedComparison],
    *,
    name_a: str = "A",
    name_b: str = "B",
    verdicts: Mapping[str, str] | None = None,
    level: float = 0.95,
) -> RenderableType:
    """What run B changed against run A, by metric, on the rows that both have scored.

    The first table holds the verdicts (`verdicts` replaces those of the statistics), the second
    what they rest on. `level` is that of the intervals. Fits in 80 columns.
    """
    return Group(
        Text.assemble(("A  ", "dim"), one_line(name_a)),
        Text.assemble(("B  ", "dim"), one_line(name_b)),
        Text(),
        _verdicts(comparisons, verdicts or {}, level),
        Text(),
        _grounds(comparisons),
        Text(),
        Text(
            "The means are over the matched rows that both runs have scored. p is adjusted over "
            "the metrics (Holm). Detectable: the true difference that these rows would show four "
            "times in five.",
            style="dim",
        ),
    )


def _verdicts(
    comparisons: Mapping[str, PairedComparison], verdicts: Mapping[str, str], level: float
) -> RenderableType:
    shown = {key: verdicts.get(key, one.verdict) for key, one in comparisons.items()}
    heads = ("mean A", "mean B", "B − A", f"{level * 100:g} % interval", "p", "verdict")
    rows = {
        key: (
            _mean(one.mean_a),
            _mean(one.mean_b),
            "–" if one.difference is None else signed_text(one.difference),
            interval_text(one.interval),
            p_text(one.p_adjusted),
            f"{_SIGNS.get(shown[key], '·')} {shown[key]}",
        )
        for key, one in comparisons.items()
    }
    width = _room(heads, rows.values())
    table = empty_table()
    table.add_column("metric", overflow="fold", min_width=_LEAST)
    for name in heads:
        left = name.endswith("interval") or name == "verdict"
        table.add_column(name, justify="left" if left else "right", no_wrap=True)
    for key, (mean_a, mean_b, difference, interval, p, verdict) in rows.items():
        table.add_row(
            Text(broken_name(key, width)),
            mean_a,
            mean_b,
            Text(difference, style="bold"),
            Text(interval),
            p,
            Text(verdict, style=_STYLES.get(shown[key], "dim")),
        )
    return table


def _room(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> int:
    """How many characters of a line of 80 the other columns leave to the names."""
    columns = zip(heads, *rows, strict=True)
    return max(_LEAST, 80 - sum(2 + max(map(len, column)) for column in columns))


def _mean(value: float | None) -> str:
    return "–" if value is None else score_text(value)


def _grounds(comparisons: Mapping[str, PairedComparison]) -> RenderableType:
    table = empty_table()
    table.add_column("metric", overflow="fold", min_width=_LEAST)
    table.add_column("rows", justify="right", no_wrap=True)
    table.add_column("effect", no_wrap=True)
    table.add_column("detectable", justify="right", no_wrap=True)
    table.add_column("test", overflow="fold")
    for key, one in comparisons.items():
        effect = "–" if one.effect is None else f"{signed_text(one.effect)} {one.effect_name}"
        smallest = one.smallest_detectable
        table.add_row(
            Text(broken_name(key, _WIDE)),
            f"{one.n:,}",
            effect,
            "–" if smallest is None else f"±{score_text(smallest)}",
            one.test or "–",
        )
    return table
