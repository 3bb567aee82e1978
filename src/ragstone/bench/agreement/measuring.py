"""From answers and labels to numbers: the judge's, and the floor's on the same rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ragstone.bench.agreement import measures
from ragstone.bench.agreement.answers import Said
from ragstone.bench.agreement.interval import Estimate, estimate
from ragstone.bench.agreement.measures import Weighted
from ragstone.bench.agreement.peers import Peer, peers
from ragstone.bench.agreement.rows import Label, Row
from ragstone.bench.agreement.scores import Answer
from ragstone.bench.agreement.seen import Seen
from ragstone.bench.agreement.sets import LabelledSet, Measure
from ragstone.stats.values import Floats

__all__ = ["Agreement", "Line", "agreement"]

_RANKINGS = {"auroc": measures.auroc, "spearman": measures.spearman, "pearson": measures.pearson}
_VERDICTS = {
    "balanced_accuracy": measures.balanced_accuracy,
    "accuracy": measures.accuracy,
    "f1": measures.f1,
}


@dataclass(frozen=True, slots=True)
class Line:
    """One measure of a set. `floor_threshold`: the one of all that flatters the floor most."""

    measure: Measure
    judge: Estimate
    floor: Estimate
    floor_threshold: float | None
    peers: tuple[Peer, ...]


@dataclass(frozen=True, slots=True)
class Agreement:
    """How a judge agrees with people on a set. Rows without a score are in no number.

    `seen` says what of the judge has learned from these rows; empty when nothing has.
    """

    set: str
    rows: int
    scored: int
    groups: int
    unscored: Mapping[str, int]
    seconds: float
    lines: tuple[Line, ...]
    seen: tuple[Seen, ...]

    @property
    def rows_per_second(self) -> float | None:
        """Rows answered in a second."""
        return self.rows / self.seconds if self.seconds > 0 else None


def agreement(
    one_set: LabelledSet,
    rows: Sequence[Row],
    answers: Sequence[Answer],
    seen: tuple[Seen, ...] = (),
) -> Agreement:
    """Measure one set; every row has its answer, in order."""
    pairs = list(zip(rows, answers, strict=True))
    scored = [(row, answer.said) for row, answer in pairs if answer.unscored is None]
    kept = [row for row, _ in scored]
    missing = Counter(answer.unscored for answer in answers if answer.unscored is not None)
    floor = [[Said(score) for score in one_set.floor(row)] for row in kept]
    return Agreement(
        set=one_set.name,
        rows=len(rows),
        scored=len(kept),
        groups=len({row.group for row in kept}),
        unscored=dict(missing.most_common()),
        seconds=sum(answer.seconds for answer in answers),
        lines=tuple(
            _line(one_set.name, measure, label, kept, [said for _, said in scored], floor)
            for measure, label in one_set.measures
        ),
        seen=seen,
    )


def _line(
    name: str,
    measure: Measure,
    label: Label,
    rows: Sequence[Row],
    said: Sequence[Sequence[Said]],
    floor: Sequence[Sequence[Said]],
) -> Line:
    labels = [row.labels[label.field] for row in rows]
    threshold = _best_threshold(measure, floor, labels) if measure in _VERDICTS and rows else None
    if threshold is not None:
        floor = [[Said(one.score, one.score >= threshold) for one in part] for part in floor]
    return Line(
        measure=measure,
        judge=_estimate(measure, rows, said, labels),
        floor=_estimate(measure, rows, floor, labels),
        floor_threshold=threshold,
        peers=peers(name, measure),
    )


def _estimate(
    measure: Measure,
    rows: Sequence[Row],
    said: Sequence[Sequence[Said]],
    labels: Sequence[Sequence[float]],
) -> Estimate:
    if not rows:
        return Estimate(None)
    if measure == "map":
        values = [
            measures.average_precision([one.score for one in part], right)
            for part, right in zip(said, labels, strict=True)
        ]
        return estimate(measures.mean(np.array(values)), [row.group for row in rows])
    groups = [row.group for row, part in zip(rows, said, strict=True) for _ in part]
    return estimate(_weighted(measure, said, _flat(labels)), groups)


def _weighted(measure: Measure, said: Sequence[Sequence[Said]], labels: Floats) -> Weighted:
    if measure in _RANKINGS:
        return _RANKINGS[measure](_flat([[one.score for one in part] for part in said]), labels)
    verdicts = _flat([[float(bool(one.verdict)) for one in part] for part in said])
    return _VERDICTS[measure](verdicts, labels)


def _best_threshold(
    measure: Measure, floor: Sequence[Sequence[Said]], labels: Sequence[Sequence[float]]
) -> float:
    scores, right = _flat([[one.score for one in part] for part in floor]), _flat(labels)
    once = np.ones(len(scores))

    def quality(threshold: float) -> float:
        return _VERDICTS[measure]((scores >= threshold).astype(np.float64), right)(once)

    return max((float(t) for t in np.unique(scores)), key=lambda t: np.nan_to_num(quality(t)))


def _flat(parts: Sequence[Sequence[float]]) -> Floats:
    return np.array([value for part in parts for value in part], dtype=np.float64)
