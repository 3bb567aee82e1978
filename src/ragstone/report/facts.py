"""The facts of a run in words, the same in every report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from ragstone.report.numbers import count_text, seconds_text, share_text, usage_text
from ragstone.report.plaintext import excerpt, one_line
from ragstone.schema.cells import Cell
from ragstone.schema.runs import JudgeInfo, Run
from ragstone.schema.usage import Usage
from ragstone.stats.runs import MetricLine, RunSummary

__all__ = [
    "errors",
    "judge_note",
    "judge_text",
    "label_shares",
    "left_out",
    "missing",
    "needs_llm",
    "overall_note",
    "run_facts",
    "state_text",
    "time_text",
    "took_text",
]

_EXAMPLE = "gpt-4o-mini"
_LOCAL_NOTE = (
    "The local judge compares words and meaning; it misses some contradictions. "
    "Use it to compare runs, or judge with an LLM: --judge MODEL."
)


def run_facts(run: Run, usage: Usage, cells: Iterable[Cell] = ()) -> dict[str, str]:
    """What the reader must know first: data, judge, embedder, when, and what it took.

    `cells` add how often a cascade asked its LLM.
    """
    data = f"{one_line(run.dataset)}, " if run.dataset else ""
    facts = {
        "Data": f"{data}{count_text(run.n_rows, 'row')}, hash {run.data_hash[:12]}",
        "Judge": judge_text(run.judge),
        "Embedder": judge_text(run.embedder),
        "When": f"{time_text(run.created)}, took {seconds_text(run.seconds)}",
        "Usage": usage_text(Usage() if _is_local(run.judge) else usage),
    }
    if shares := _cascade_text(run.judge, cells):
        facts["Cascade"] = shares
    if run.group_by is not None:
        facts["Groups"] = f"intervals are clustered by {one_line(run.group_by)}"
    if run.seconds is None:
        facts["When"] = time_text(run.created)
    return facts


def judge_note(run: Run) -> str | None:
    """What the scores of the local judge are good for; None for another judge."""
    return _LOCAL_NOTE if _is_local(run.judge) else None


def took_text(cell: Cell, judge: JudgeInfo | None) -> str:
    """What a cell took: calls, tokens, cost and time; empty where no provider was asked."""
    usage = cell.usage
    if _is_local(judge) or not (usage.calls or usage.cached_calls):
        return ""
    return f"{usage_text(usage)}, {seconds_text(cell.seconds)}"


def _is_local(judge: JudgeInfo | None) -> bool:
    return judge is not None and judge.kind == "local"


def _cascade_text(judge: JudgeInfo | None, cells: Iterable[Cell]) -> str:
    """How many answers (of a list, items) a cascade asked of its LLM; empty for another judge."""
    if judge is None or judge.kind != "cascade":
        return ""
    went = [
        call.output
        for cell in cells
        for call in cell.calls
        if call.judge == judge.name and call.output is not None and not call.cached
    ]
    items, to_llm = (sum(one[name] for one in went) for name in ("items", "to_llm"))
    share = f" ({share_text(to_llm / items)})" if items else ""
    return f"the LLM was asked for {to_llm:,} of {count_text(items, 'answer')}{share}"


def judge_text(judge: JudgeInfo | None) -> str:
    """Name and kind of a judge or embedder."""
    if judge is None:
        return "none"
    name = one_line(judge.name)
    return name if judge.kind in (name, "llm") else f"{name} ({judge.kind})"


def time_text(when: datetime | None) -> str:
    """Date and time to the minute, with its zone when it has one."""
    if when is None:
        return "–"
    zone = when.strftime(" %Z") if when.tzinfo else ""
    return when.strftime("%Y-%m-%d %H:%M") + zone


def state_text(run: Run) -> str | None:
    """How a run that is not done ended, and how to go on; None for a run that is done."""
    resume = f"Resume with: ragstone resume {run.id}"
    if run.state == "stopped":
        return f"Stopped: {one_line(run.stopped_by or 'cause unknown')}. {resume}"
    if run.state == "running":
        return f"Still running, or ended without notice. {resume}"
    return None


def missing(line: MetricLine) -> list[str]:
    """Why rows have no score, the most frequent first: "12 refusal", "3 failed: timeout"."""
    parts = [f"{n:,} {one_line(code)}" for code, n in line.unscored.items()]
    parts += [f"{n:,} failed: {one_line(code)}" for code, n in line.failed.items()]
    return parts + ([f"{line.pending:,} not measured"] if line.pending else [])


def label_shares(line: MetricLine) -> str:
    """The labels of a metric with their shares: "pass 82 %, fail 18 %", the largest first."""
    ranked = sorted(line.shares.items(), key=lambda item: -(item[1].mean or 0.0))
    return ", ".join(f"{one_line(label)} {share_text(share.mean)}" for label, share in ranked)


def needs_llm(summary: RunSummary) -> str | None:
    """One sentence about the metrics that only an LLM judge can score; None when there is none."""
    keys = [line.info.key for line in summary.lines if "needs_llm" in line.unscored]
    if not keys:
        return None
    verb = "needs" if len(keys) == 1 else "need"
    names = ", ".join(one_line(key) for key in keys)
    return f"{names} {verb} an LLM judge: pass --judge {_EXAMPLE}"


def left_out(run: Run) -> list[str]:
    """The metrics that were left out of the run, each with its reason."""
    return [f"{one_line(key)} left out: {one_line(why)}" for key, why in run.left_out.items()]


def overall_note(summary: RunSummary) -> str:
    """What went into the overall score, and what could not."""
    overall = summary.overall
    note = f"mean of {count_text(len(overall.metrics), 'metric')}, 0 to 1, higher is better"
    names = [f"{one_line(key)} ({why})" for key, why in overall.left_out.items()]
    return f"{note}; without {', '.join(names)}" if names else note


def errors(cells: Iterable[Cell], keys: Sequence[str] = ()) -> Mapping[str, int]:
    """The distinct errors of failed cells with their counts, the most frequent first."""
    failed = [cell for cell in cells if cell.result.status == "failed"]
    kept = [cell for cell in failed if not keys or cell.metric in keys]
    texts = (excerpt(cell.result.error or "no message", 300) for cell in kept)
    return dict(Counter(texts).most_common())
