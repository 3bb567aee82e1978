"""Two runs side by side, as tables for the terminal."""

from __future__ import annotations

from collections.abc import Mapping

from rich.console import Group, RenderableType
from rich.text import Text

from ragstone.report.numbers import interval_text, p_text, score_text, signed_text
from ragstone.report.plaintext import broken_name, one_line
from ragstone.report.table import empty_table
from ragstone.stats.paired import PairedComparison

__all__ = ["comparison_table"]

_WIDE, _NARROW = 19, 16  # so many characters of a name fit beside the numbers
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
    table = empty_table()
    shown = {key: verdicts.get(key, one.verdict) for key, one in comparisons.items()}
    width = _NARROW if "not comparable" in shown.values() else _WIDE
    table.add_column("metric", overflow="fold", min_width=12)
    for name in ("mean A", "mean B", "B − A"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column(f"{level * 100:g} % interval", no_wrap=True)
    table.add_column("p", justify="right", no_wrap=True)
    table.add_column("verdict", no_wrap=True)
    for key, one in comparisons.items():
        verdict = shown[key]
        table.add_row(
            Text(broken_name(key, width)),
            _mean(one.mean_a),
            _mean(one.mean_b),
            Text("–" if one.difference is None else signed_text(one.difference), style="bold"),
            Text(interval_text(one.interval)),
            p_text(one.p_adjusted),
            Text(f"{_SIGNS.get(verdict, '·')} {verdict}", style=_STYLES.get(verdict, "dim")),
        )
    return table


def _mean(value: float | None) -> str:
    return "–" if value is None else score_text(value)


def _grounds(comparisons: Mapping[str, PairedComparison]) -> RenderableType:
    table = empty_table()
    table.add_column("metric", overflow="fold", min_width=12)
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
