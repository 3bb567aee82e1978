"""The rows of a run as a page shows them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ragstone.report.facts import took_text
from ragstone.report.marks import Mark
from ragstone.report.numbers import count_text, score_text, seconds_text, usage_text, value_text
from ragstone.report.plaintext import excerpt
from ragstone.report.texts import Place, Text, sample_texts
from ragstone.report.titles import row_title
from ragstone.report.traces import known_texts, trace_text
from ragstone.report.verdicts import SIGNS, Tone, tone
from ragstone.report.worst import row_score, share_of_range
from ragstone.schema.cells import Cell, CellKey
from ragstone.schema.results import Evidence
from ragstone.schema.rundata import RunData
from ragstone.schema.runs import JudgeInfo, MetricInfo
from ragstone.schema.usage import Usage
from ragstone.stats.runs import number

__all__ = ["CallView", "EvidenceView", "ResultView", "RowView", "ScoreView", "letter", "row_views"]

_TITLE = 220
_LABEL = 40


@dataclass(frozen=True, slots=True)
class ScoreView:
    """A cell of the table: its text, whole and short, its state, the value to sort by, its bar."""

    text: str
    state: str
    sort: str
    percent: float | None

    @property
    def short(self) -> str:
        """The text as far as a narrow column holds it."""
        return excerpt(self.text, _LABEL)


@dataclass(frozen=True, slots=True)
class EvidenceView:
    """One piece of evidence, with the anchor of its first mark."""

    tag: str
    tone: Tone
    sign: str
    verdict: str
    text: str
    reason: str
    weight: str
    anchor: str


@dataclass(frozen=True, slots=True)
class CallView:
    """A call of the judge: who answered what, what it took, and the raw texts."""

    prompt: str
    judge: str
    took: str
    cached: bool
    trace: str


@dataclass(frozen=True, slots=True)
class ResultView:
    """The result of one metric on the row, with all that explains it."""

    key: str
    letter: str
    score: ScoreView
    reason: str
    evidence: tuple[EvidenceView, ...]
    calls: tuple[CallView, ...]
    took: str


@dataclass(frozen=True, slots=True)
class RowView:
    """A row: number from 1, title, scores in the order of the metrics, and the details."""

    number: int
    id: str
    title: str
    worst: str
    scores: tuple[ScoreView, ...]
    texts: tuple[Text, ...]
    results: tuple[ResultView, ...]


def row_views(data: RunData) -> Iterator[RowView]:
    """All rows in order, made one at a time."""
    for row in range(len(data.samples)):
        yield _row(data, row)


def letter(index: int) -> str:
    """The short name of a metric in tags: A to Z, then AA, AB, ..."""
    head, tail = divmod(index, 26)
    return (letter(head - 1) if head else "") + chr(ord("A") + tail)


def _row(data: RunData, row: int) -> RowView:
    sample = data.samples[row]
    cells = [data.by_key.get(CellKey(row, info.key)) for info in data.run.metrics]
    scores = tuple(map(_score, cells, data.run.metrics))
    worst = row_score(data, row)
    known = known_texts(sample)
    return RowView(
        number=row + 1,
        id=sample.id or "",
        title=excerpt(row_title(sample), _TITLE) or "(blank)",
        worst="" if worst is None else f"{worst:.6g}",
        scores=scores,
        texts=tuple(sample_texts(sample, _marks(row, cells, data.run.metrics))),
        results=tuple(
            _result(row, cell, info, index, scores[index], known, data.run.judge)
            for index, (cell, info) in enumerate(zip(cells, data.run.metrics, strict=True))
            if cell is not None
        ),
    )


def _score(cell: Cell | None, info: MetricInfo) -> ScoreView:
    if cell is None:
        return ScoreView("not measured", "pending", "", None)
    result = cell.result
    if result.status != "scored":
        return ScoreView(result.code or result.status, result.status, "", None)
    value = number(cell)
    share = share_of_range(value, info)
    if share is not None and not info.higher_is_better:
        share = 1 - share
    return ScoreView(
        value_text(result.value),
        "scored",
        str(result.value) if value is None else f"{value:.12g}",
        None if share is None else round(100 * share, 1),
    )


def _result(
    row: int,
    cell: Cell,
    info: MetricInfo,
    index: int,
    score: ScoreView,
    known: dict[str, str],
    judge: JudgeInfo | None,
) -> ResultView:
    result = cell.result
    answers = f"Judge: {count_text(len(cell.calls), 'answer')}"
    return ResultView(
        key=info.key,
        letter=letter(index),
        score=score,
        reason=result.error or result.reason or "",
        evidence=tuple(
            _evidence(row, index, n, one, info) for n, one in enumerate(result.evidence)
        ),
        calls=tuple(
            CallView(
                call.prompt,
                call.judge,
                _took(call.usage, call.seconds),
                call.cached,
                trace_text(call, known),
            )
            for call in cell.calls
        ),
        took=", ".join(filter(None, [answers, took_text(cell, judge)])),
    )


def _took(usage: Usage, seconds: float) -> str:
    """Calls, tokens and cost, unless nobody was called, and the time."""
    called = usage.calls or usage.cached_calls
    return f"{usage_text(usage)}, {seconds_text(seconds)}" if called else seconds_text(seconds)


def _evidence(row: int, index: int, n: int, one: Evidence, info: MetricInfo) -> EvidenceView:
    found = tone(one.verdict, higher_is_better=info.higher_is_better)
    tag = f"{letter(index)}{n + 1}"
    return EvidenceView(
        tag=tag,
        tone=found,
        sign=SIGNS[found],
        verdict=one.verdict.replace("_", " "),
        text=one.text,
        reason=one.reason,
        weight="" if one.weight is None else score_text(one.weight),
        anchor=_anchor(row, tag, 0) if one.spans else "",
    )


def _marks(
    row: int, cells: Sequence[Cell | None], metrics: Sequence[MetricInfo]
) -> dict[Place, list[Mark]]:
    marks: dict[Place, list[Mark]] = defaultdict(list)
    for index, (cell, info) in enumerate(zip(cells, metrics, strict=True)):
        for n, one in enumerate(cell.result.evidence if cell else ()):
            found = tone(one.verdict, higher_is_better=info.higher_is_better)
            tag = f"{letter(index)}{n + 1}"
            for place, span in enumerate(one.spans):
                mark = Mark(span.start, span.end, tag, found, _anchor(row, tag, place))
                marks[span.field, span.index].append(mark)
    return marks


def _anchor(row: int, tag: str, place: int) -> str:
    return f"r{row + 1}-{tag}-{place}"
