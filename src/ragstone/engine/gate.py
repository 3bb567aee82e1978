"""A gate: rules that a run must keep, and what was found for each."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from ragstone.engine.comparable import INPUTS, obstacle
from ragstone.engine.compare import pair_values
from ragstone.engine.matching import Matching, changed_fields, match_rows
from ragstone.engine.targets import Target, find_target
from ragstone.errors import UsageError
from ragstone.schema.rundata import RunData
from ragstone.stats.intervals import Interval
from ragstone.stats.non_inferiority import NonInferiority, non_inferior
from ragstone.stats.runs import MetricLine, summarize_run

__all__ = ["Finding", "GateAnswer", "Rule", "check_gate"]

_TINY = 1e-9  # shares such as 19/20 and 0.95 are not told apart by rounding


@dataclass(frozen=True, slots=True)
class Rule:
    """What is asked of one metric, or of the share of one label (METRIC.LABEL).

    `min` and `max` hold its mean; `no worse` its mean loss against a baseline, and without a metric
    that of every metric that has numbers in both runs.
    """

    kind: Literal["min", "max", "no worse"]
    limit: float
    metric: str | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """One rule and its answer.

    `value` is the mean, the loss against the baseline, or the share of scored rows (`coverage`);
    `interval` belongs to a mean, `bound` is the most that the loss may be. When no matched row got
    worse (`none_worse`) there is no loss to bound. `message` is a sentence where the numbers alone
    do not explain a failure.
    """

    metric: str
    kind: Literal["min", "max", "no worse", "coverage"]
    limit: float
    passed: bool
    value: float | None
    n_scored: int
    n_total: int
    interval: Interval | None = None
    bound: float | None = None
    none_worse: bool = False
    message: str = ""


@dataclass(frozen=True, slots=True)
class GateAnswer:
    """All findings, and notes about what no rule could look at."""

    findings: tuple[Finding, ...]
    notes: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether every rule is kept."""
        return all(finding.passed for finding in self.findings)


@dataclass(frozen=True, slots=True)
class _Against:
    """A run, what it is held against, their matched rows, and the least share of them."""

    data: RunData
    baseline: RunData
    matching: Matching
    coverage: float

    @property
    def other_questions(self) -> int:
        """In how many matched rows the question or the expected answer differs."""
        changed = changed_fields(self.baseline.samples, self.data.samples, self.matching)
        return max((changed.get(name, 0) for name in INPUTS), default=0)


def check_gate(
    data: RunData,
    rules: Sequence[Rule],
    *,
    baseline: RunData | None = None,
    coverage: float = 1.0,
) -> GateAnswer:
    """Hold a run against rules, and against the coverage of each metric that they name.

    `coverage` is the least share of rows that must have a score, whatever their mean. Doubt fails:
    a metric without a score, a loss that too few rows leave open, another judge than the baseline.

    Raises UsageError: no rule, a metric or label that the run does not have, a limit out of reach,
    "no worse" without a baseline or a baseline without "no worse".
    """
    _check_question(rules, baseline, coverage)
    lines = {line.info.key: line for line in summarize_run(data).lines}
    findings: list[Finding] = []
    targets: list[Target] = []
    notes: list[str] = []
    for rule in rules:
        if rule.kind != "no worse":
            targets.append(find_target(rule.metric or "", lines))
            findings.append(_level(rule, targets[-1]))
        elif baseline is not None:
            against = _Against(data, baseline, match_rows(baseline.samples, data.samples), coverage)
            chosen, unchecked = _shared(rule, lines, baseline)
            targets += chosen
            notes += unchecked
            findings += [_loss(rule, target, against) for target in chosen]
    keys = dict.fromkeys(target.key for target in targets)
    findings += [_coverage(lines[key], coverage) for key in keys]
    return GateAnswer(tuple(findings), tuple(notes))


def _check_question(rules: Sequence[Rule], baseline: RunData | None, coverage: float) -> None:
    if not 0 <= coverage <= 1:
        raise UsageError(f"coverage is {coverage!r}; give a share of rows from 0 to 1, as in 0.95")
    if not rules and baseline is None:
        raise UsageError(
            "a gate needs a rule: --min METRIC=LIMIT, --max METRIC=LIMIT, or "
            "--against RUN with --no-worse-than LOSS"
        )
    if (baseline is None) == any(rule.kind == "no worse" for rule in rules):
        raise UsageError(
            "--against (the run to hold it against) and --no-worse-than (the loss to accept) "
            "need each other"
        )


def _level(rule: Rule, target: Target) -> Finding:
    line, label = target.line, target.label
    _in_reach(rule, target)
    summary = line.summary if label is None else line.shares.get(label)
    value = summary.mean if summary else None
    if value is None and label is not None and line.n_scored:
        value = 0.0  # a known label that no row was given
    if value is None:
        passed = False
    else:
        passed = value >= rule.limit if rule.kind == "min" else value <= rule.limit
    return Finding(
        target.name,
        rule.kind,
        rule.limit,
        passed,
        value,
        line.n_scored,
        line.n_total,
        interval=summary.interval if summary else None,
        message="no row has a score" if value is None else "",
    )


def _in_reach(rule: Rule, target: Target) -> None:
    """Refuse a limit that can never be missed or never be reached: it is a mistake."""
    low, high = target.range
    below, above = low is not None and rule.limit < low, high is not None and rule.limit > high
    if below or above or not math.isfinite(rule.limit):
        ends = "" if low is None or high is None else f" from {low:g} to {high:g}"
        raise UsageError(f"{target.name}={rule.limit:g}: the limit must be a number{ends}")


def _shared(
    rule: Rule, lines: Mapping[str, MetricLine], baseline: RunData
) -> tuple[list[Target], list[str]]:
    """The metrics that the rule is about, and notes about those that it cannot look at."""
    known = {info.key for info in baseline.run.metrics}
    if rule.metric is not None:
        target = find_target(rule.metric, lines)
        if target.key not in known:
            raise UsageError(f"{baseline.run.name!r} has not measured {target.key!r}")
        return [target], []
    numeric = [Target(line) for key, line in lines.items() if key in known and not line.shares]
    if not numeric:
        raise UsageError(f"{baseline.run.name!r} has no metric with numbers that this run has too")
    labels = [key for key, line in lines.items() if line.shares]
    gone = [key for key in known if key not in lines]
    new = [key for key in lines if key not in known]
    notes = [f"{key} gives labels; name one: --no-worse-than {key}.LABEL=0.02" for key in labels]
    notes += [f"{key} was measured only in the baseline, so it is not compared" for key in gone]
    return numeric, notes + [f"{key} was not measured in the baseline" for key in new]


def _loss(rule: Rule, target: Target, against: _Against) -> Finding:
    data, baseline = against.data, against.baseline
    pairs = pair_values(baseline, data, against.matching, target.key, target.label)
    answer = non_inferior(pairs, rule.limit)
    expected = sum(
        cell is not None and cell.result.status == "scored" for cell in baseline.column(target.key)
    )
    message = _undecided(answer) if answer.reason == "too few rows" else answer.message
    hindered = obstacle(baseline.run, data.run, target.key)
    lacking = answer.n < against.coverage * expected - _TINY
    other = against.other_questions
    if other:
        message = (
            f"{other:,} matched rows ask another question or expect another answer than in the "
            "baseline; compare runs of the same data set"
        )
    elif hindered is not None:
        message = f"{hindered}, so the loss cannot be known; score both runs alike"
    elif lacking:
        message = (
            f"only {answer.n:,} of the {expected:,} rows that the baseline scored are scored here"
        )
    none_worse = answer.reason == "no row worse"
    return Finding(
        target.name,
        rule.kind,
        rule.limit,
        answer.passed and hindered is None and not lacking and not other,
        answer.loss,
        answer.n,
        expected,
        bound=None if none_worse else answer.loss_bound,
        none_worse=none_worse,
        message=message,
    )


def _undecided(answer: NonInferiority) -> str:
    """Why neither "within the limit" nor "worse" can be said, in numbers that agree with it."""
    if answer.loss_bound is None:
        return answer.message
    limit = f"{answer.margin:g}"
    bound = _above(answer.loss_bound, answer.margin)
    said = f"on {answer.n:,} matched rows the loss could be up to {bound}, more than {limit}"
    more = (answer.rows_needed or 0) - answer.n
    if more <= 0:
        return said
    return f"{said}; about {more:,} more row{'' if more == 1 else 's'} would tell"


def _above(value: float, limit: float) -> str:
    """A number above a limit, with as many digits as show that."""
    texts = (f"{value:.{digits}f}" for digits in range(3, 12))
    return next((text for text in texts if float(text) > limit), f"{value!r}")


def _way_out(line: MetricLine) -> str:
    """How to accept rows without a score where all are refusals, which may well be right."""
    if not line.n_scored or set(line.unscored) != {"refusal"} or line.failed or line.pending:
        return ""
    share = math.floor(100 * line.coverage + _TINY) / 100
    return f" (refusing may be right; --coverage {share:g} accepts it)"


def _coverage(line: MetricLine, floor: float) -> Finding:
    reasons = [f"{n:,} {code}" for code, n in line.unscored.items()]
    reasons += [f"{n:,} failed: {code}" for code, n in line.failed.items()]
    reasons += [f"{line.pending:,} not measured"] if line.pending else []
    way_out = _way_out(line)
    passed = line.n_scored >= floor * line.n_total - _TINY
    return Finding(
        line.info.key,
        "coverage",
        floor,
        passed,
        line.coverage,
        line.n_scored,
        line.n_total,
        message="" if passed else f"rows without a score: {', '.join(reasons)}{way_out}",
    )
