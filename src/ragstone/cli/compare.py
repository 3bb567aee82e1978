"""`ragstone compare`: is run B better than run A."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import click
from rich.text import Text

from ragstone.cli import options
from ragstone.cli.naming import split_names
from ragstone.cli.screen import show, show_json
from ragstone.cli.stored import load_run, open_runs
from ragstone.engine.compare import LoneScore, MetricComparison, RunComparison, compare_runs
from ragstone.errors import UsageError
from ragstone.report.comparison import comparison_table
from ragstone.report.facts import judge_text
from ragstone.report.numbers import count_text, value_text
from ragstone.report.plaintext import one_line
from ragstone.schema.runs import Run

__all__ = ["command"]

_SHOWN_FIELDS = 6
_SHOWN_ROWS = 5


@click.command("compare")
@click.argument("run_a")
@click.argument("run_b")
@click.option("--metrics", "-m", multiple=True, metavar="KEYS", help="Only these, as in a,b.")
@click.option(
    "--alpha",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.05,
    show_default=True,
    help="Chance of a false finding to accept, over all metrics together.",
)
@options.json_output
@options.database
def command(
    run_a: str,
    run_b: str,
    metrics: tuple[str, ...],
    alpha: float,
    as_json: bool,
    database: str | None,
) -> None:
    """Say whether run B is better than run A, and how sure that is.

    A run is named by id, start of an id, name, or "latest". Rows are matched by sample id when all
    have one, else by question and reference; only rows that both runs have scored count.
    """
    with open_runs(database) as store:
        a, b = load_run(store, run_a), load_run(store, run_b)
    if a.run.id == b.run.id:
        raise UsageError(f"{run_a!r} and {run_b!r} are the same run; give two runs")
    found = compare_runs(a, b, metrics=_keys(a.run, metrics), alpha=alpha)
    if as_json:
        show_json(_plain(found))
    else:
        _show(found)


def _keys(run: Run, texts: tuple[str, ...]) -> list[str]:
    """The keys that are named; a key may hold commas itself."""
    known = {info.key for info in run.metrics}
    return [key for text in texts for key in ([text] if text in known else split_names([text]))]


def _plain(found: RunComparison) -> dict[str, object]:
    return {
        "a": {"id": found.a.id, "name": found.a.name},
        "b": {"id": found.b.id, "name": found.b.name},
        "alpha": found.alpha,
        "rows": {
            "matched": len(found.matching.pairs),
            "matched_by": found.matching.by,
            "only_a": found.matching.only_a,
            "only_b": found.matching.only_b,
            "changed": found.changed,
        },
        "metrics": [
            {
                "metric": one.metric,
                "label": one.label,
                "verdict": one.verdict,
                "obstacle": one.obstacle,
                "result": one.result,
                "scored_in_one_run_only": [_lone_plain(score) for score in one.lone],
            }
            for one in found.metrics
        ],
        "left_out": found.left_out,
        "warnings": found.warnings,
    }


def _lone_plain(score: LoneScore) -> dict[str, object]:
    """A score without a partner; its row counts from 1, as everywhere."""
    return {
        "run": score.side,
        "row": score.row + 1,
        "value": score.value,
        "cause_in_other": score.cause,
    }


def _show(found: RunComparison) -> None:
    results = {one.name: one.result for one in found.metrics}
    verdicts = {one.name: one.verdict for one in found.metrics}
    show(
        comparison_table(
            results,
            name_a=_title(found.a),
            name_b=_title(found.b),
            verdicts=verdicts,
            level=1 - found.alpha,
        ),
        Text(),
        *(Text(line) for line in _rows(found)),
        *(Text(line, style="yellow") for line in _doubts(found)),
    )


def _title(run: Run) -> str:
    judge = f", judged by {judge_text(run.judge)}" if run.judge else ""
    return f"{run.name} ({run.id}){judge}"


def _rows(found: RunComparison) -> Iterator[str]:
    matching = found.matching
    rest = [
        f"{count:,} only in {name}"
        for name, count in (("A", matching.only_a), ("B", matching.only_b))
        if count
    ]
    matched = f"{count_text(len(matching.pairs), 'row')} matched by {matching.by}"
    yield f"{', '.join([matched, *rest])}."
    if not found.changed:
        yield "The data of the matched rows are the same in both runs."
    else:
        shown = list(found.changed.items())[:_SHOWN_FIELDS]
        fields = ", ".join(f"{one_line(name)} in {count:,}" for name, count in shown)
        more = len(found.changed) - len(shown)
        yield f"Changed: {fields}{f' and {more} more columns' if more else ''}."
    lone = {one.metric: one.lone for one in found.metrics}
    for metric, scores in lone.items():
        yield from _lone_text(metric, scores)
    for one in found.metrics:
        if one.verdict == "no evidence":
            yield _no_evidence(one)
    for key, why in found.left_out.items():
        yield f"{one_line(key)} left out: {one_line(why)}."


def _lone_text(metric: str, scores: Sequence[LoneScore]) -> Iterator[str]:
    """The rows that only A, then only B, has scored, and why the other has not."""
    for side, other in (("a", "b"), ("b", "a")):
        own = [score for score in scores if score.side == side]
        if not own:
            continue
        causes = Counter(score.cause for score in own).most_common()
        why = ", ".join(
            one_line(cause) if len(own) == 1 else f"{n:,} {one_line(cause)}" for cause, n in causes
        )
        rows = [f"row {one.row + 1:,} = {one_line(value_text(one.value))}" for one in own]
        more = len(rows) - _SHOWN_ROWS
        yield (
            f"{one_line(metric)}: {count_text(len(own), 'row')} scored in {side.upper()} only "
            f"({why} in {other.upper()}): {', '.join(rows[:_SHOWN_ROWS])}"
            f"{f' and {more:,} more' if more > 0 else ''}."
        )


def _no_evidence(one: MetricComparison) -> str:
    result, name = one.result, one_line(one.name)
    if not result.n:
        return f"{name}: no row is scored in both runs."
    rows = count_text(result.n, "row")
    if result.smallest_detectable is None:
        return f"{name}: no evidence of a change; {rows} like these cannot show one."
    change = f"{float(f'{result.smallest_detectable:.2g}'):g}"
    return (
        f"{name}: no evidence of a change. With {rows}, only a change of {change} or more could "
        "be detected."
    )


def _doubts(found: RunComparison) -> Iterator[str]:
    by_reason: dict[str, list[str]] = {}
    for one in found.metrics:
        if one.obstacle is not None:
            by_reason.setdefault(one.obstacle, []).append(one_line(one.name))
    for reason, names in by_reason.items():
        yield (
            f"Not comparable: {', '.join(names)}, for {one_line(reason)}. "
            "The difference may come from that alone."
        )
    yield from found.warnings
