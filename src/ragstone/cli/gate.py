"""`ragstone gate`: hold a run against limits, for a build that must stop."""

from __future__ import annotations

import click
from rich.text import Text

from ragstone.cli import options
from ragstone.cli.screen import note, show, show_json
from ragstone.cli.stored import load_run, open_runs
from ragstone.engine.gate import Finding, GateAnswer, Rule, check_gate
from ragstone.errors import UsageError
from ragstone.report.gate import GateCheck, gate_table
from ragstone.report.numbers import interval_text, score_text, share_text
from ragstone.schema.rundata import RunData

__all__ = ["command"]

_ASKED = {"min": "at least", "max": "at most", "no worse": "no worse than"}


@click.command("gate")
@click.argument("run", default="latest")
@click.option(
    "--min",
    "minima",
    multiple=True,
    metavar="METRIC=LIMIT",
    help="The mean must be at least this. For the share of a label: METRIC.LABEL=LIMIT.",
)
@click.option(
    "--max",
    "maxima",
    multiple=True,
    metavar="METRIC=LIMIT",
    help="The mean must be at most this.",
)
@click.option("--against", metavar="RUN", help="The run that this one must not be worse than.")
@click.option(
    "--no-worse-than",
    "losses",
    multiple=True,
    metavar="LOSS|METRIC=LOSS",
    help="The loss against it to accept, for all metrics or for one, as in 0.02.",
)
@click.option(
    "--coverage",
    type=float,
    default=1.0,
    show_default=True,
    metavar="SHARE",
    help="The least share of rows that must have a score, whatever the mean.",
)
@options.json_output
@options.database
@click.pass_context
def command(  # noqa: PLR0913 - one parameter an option
    context: click.Context,
    run: str,
    minima: tuple[str, ...],
    maxima: tuple[str, ...],
    against: str | None,
    losses: tuple[str, ...],
    coverage: float,
    as_json: bool,
    database: str | None,
) -> None:
    """Hold a run against limits, for a build that must stop.

    Exits with 0 when the run passes, 1 when it fails, 2 when the call is wrong. RUN is an id, the
    start of an id, a name, or "latest" (the default). Doubt fails: a metric with missing scores, or
    too few rows to exclude the loss, does not pass.
    """
    rules = [_rule("min", text) for text in minima] + [_rule("max", text) for text in maxima]
    rules += [_loss_rule(text) for text in losses]
    with open_runs(database) as store:
        data = load_run(store, run)
        baseline = None if against is None else load_run(store, against)
    if baseline is not None and baseline.run.id == data.run.id:
        raise UsageError(f"{run!r} and {against!r} are the same run; give another baseline")
    answer = check_gate(data, rules, baseline=baseline, coverage=coverage)
    if as_json:
        show_json(_plain(data, baseline, answer))
    else:
        _show(data, baseline, answer)
    if not answer.passed:
        context.exit(1)


def _rule(kind: str, text: str) -> Rule:
    metric, equals, limit = text.rpartition("=")
    if not (equals and metric.strip()):
        raise UsageError(f"--{kind} {text!r}: write METRIC=LIMIT, as in faithfulness=0.8")
    return Rule("min" if kind == "min" else "max", _number(limit, text), metric.strip())


def _loss_rule(text: str) -> Rule:
    metric, _, limit = text.rpartition("=")
    return Rule("no worse", _number(limit, text), metric.strip() or None)


def _number(digits: str, text: str) -> float:
    try:
        return float(digits)
    except ValueError:
        raise UsageError(f"{text!r}: {digits.strip()!r} is no number") from None


def _plain(data: RunData, baseline: RunData | None, answer: GateAnswer) -> dict[str, object]:
    return {
        "passed": answer.passed,
        "run": {"id": data.run.id, "name": data.run.name},
        "against": None if baseline is None else {"id": baseline.run.id, "name": baseline.run.name},
        "rules": answer.findings,
        "notes": answer.notes,
    }


def _show(data: RunData, baseline: RunData | None, answer: GateAnswer) -> None:
    against = "" if baseline is None else f", against {baseline.run.name}  {baseline.run.id}"
    show(Text(f"{data.run.name}  {data.run.id}{against}\n", style="dim"))
    show(gate_table([_check(finding) for finding in answer.findings]))
    for text in answer.notes:
        note(text)


def _check(finding: Finding) -> GateCheck:
    if finding.kind == "coverage":
        asked = f"{share_text(finding.limit)} of rows scored"
        found = f"{finding.n_scored:,} of {finding.n_total:,}"
    else:
        asked = f"{_ASKED[finding.kind]} {finding.limit:g}"
        found = _loss(finding) if finding.kind == "no worse" else _mean(finding)
    return GateCheck(finding.metric, asked, finding.passed, found, finding.message)


def _mean(finding: Finding) -> str:
    interval = "" if finding.interval is None else f" {interval_text(finding.interval)}"
    return f"{score_text(finding.value)}{interval}"


def _loss(finding: Finding) -> str:
    if finding.value is None:
        return "no matched rows"
    seen = f"{'loss' if finding.value > 0 else 'gain'} {score_text(abs(finding.value))}"
    if finding.value == 0:
        seen = "no change"
    if finding.none_worse:
        return f"{seen}, no matched row got worse"
    if finding.bound is None or finding.bound <= 0:
        return seen
    return f"{seen}; at worst a loss of {score_text(finding.bound)}"
