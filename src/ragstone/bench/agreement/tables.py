"""The results as lines of text cells, and as Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ragstone.bench.agreement.interval import Estimate
from ragstone.bench.agreement.measuring import Agreement, Line
from ragstone.bench.agreement.scores import Who

__all__ = ["HEAD", "STARRED", "cells", "judged_by", "markdown", "sources"]

HEAD = ("set", "measure", "judge", "word overlap", "published", "scored", "seconds", "rows/s")
STARRED = (
    "Intervals: 95 %, bootstrap over documents or questions. "
    "* at the threshold that is best for word overlap on these very rows; the judge has its own."
)
_NAMES = {
    "auroc": "AUROC",
    "balanced_accuracy": "balanced accuracy",
    "f1": "F1",
    "map": "MAP",
    "accuracy": "accuracy",
    "spearman": "Spearman",
    "pearson": "Pearson",
}


def cells(found: Agreement) -> Iterator[tuple[str, ...]]:
    """One line a measure; what concerns the whole set stands in the first."""
    rate = found.rows_per_second
    whole = (
        f"{found.scored:,}/{found.rows:,}{_reasons(found)}",
        f"{found.seconds:,.1f}",
        "" if rate is None else f"{rate:,.2f}",
    )
    for number, line in enumerate(found.lines):
        first = number == 0
        yield (
            found.set if first else "",
            _NAMES[line.measure],
            _text(line.judge),
            _text(line.floor) + ("*" if line.floor_threshold is not None else ""),
            _peers(line),
            *(whole if first else ("", "", "")),
        )


def judged_by(who: Who | None) -> str:
    """Who judged, in one line."""
    if who is None or who.judge is None:
        return "judge: none"
    embedder = f", embedder {who.embedder.name}" if who.embedder else ""
    settings = ", ".join(f"{key} {value}" for key, value in who.judge.settings.items())
    return f"judge: {who.judge.kind} {who.judge.name} ({settings}){embedder}"


def sources(found: Sequence[Agreement]) -> list[str]:
    """The sources of the published numbers that are shown, and the rows that they are about."""
    used = {
        f"{peer.name}: {peer.source}; rows: {peer.rows}"
        for one in found
        for line in one.lines
        for peer in line.peers
    }
    return sorted(used)


def markdown(found: Sequence[Agreement], who: Who | None) -> str:
    """A page's section: the judge, the table, the notes."""
    lines = ["| " + " | ".join(HEAD) + " |", "|" + "---|" * len(HEAD)]
    for one in found:
        lines += ["| " + " | ".join(row) + " |" for row in cells(one)]
    notes = [f"- {source}" for source in sources(found)]
    return "\n".join([judged_by(who), "", *lines, "", STARRED, *([""] if notes else []), *notes])


def _text(one: Estimate) -> str:
    if one.value is None:
        return "-"
    if one.low is None or one.high is None:
        return f"{one.value:.3f}"
    return f"{one.value:.3f} [{one.low:.3f}, {one.high:.3f}]"


def _peers(line: Line) -> str:
    return ", ".join(f"{peer.name} {peer.value:.3f}" for peer in line.peers)


def _reasons(found: Agreement) -> str:
    parts = [f"{count:,} {code}" for code, count in found.unscored.items()]
    return f" ({', '.join(parts)})" if parts else ""
