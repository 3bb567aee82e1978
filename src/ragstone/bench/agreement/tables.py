"""The results in words and cells: for the terminal, and as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from ragstone.bench.agreement.interval import Estimate
from ragstone.bench.agreement.measuring import Agreement, Line
from ragstone.bench.agreement.scores import Who

__all__ = [
    "HEAD",
    "NOTE",
    "cells",
    "heading",
    "judged_by",
    "markdown",
    "seen_by",
    "set_name",
    "sources",
]

HEAD = ("measure", "judge", "word overlap", "published")
NOTE = (
    "In brackets: 95 % intervals, bootstrap over documents or questions. A star: the sharing of "
    "words has the threshold that is best on these very rows; the judge has its own, stored one."
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
_DIGEST = re.compile(r"[0-9a-f]{40,}")


def heading(found: Agreement) -> str:
    """What concerns a whole set: how many rows, how many without a score and why, how fast."""
    reasons = ", ".join(f"{count:,} {code}" for code, count in found.unscored.items())
    rate = found.rows_per_second
    parts = (
        f"{found.scored:,} of {found.rows:,} rows scored",
        f"not scored: {reasons}" if reasons else "",
        f"{found.groups:,} groups",
        f"{found.seconds:,.1f} s",
        "" if rate is None else f"{rate:,.2f} rows/s",
    )
    return ", ".join(part for part in parts if part)


def set_name(found: Agreement) -> str:
    """The set, marked when the judge has learned from its rows."""
    return f"{found.set} (seen)" if found.seen else found.set


def cells(found: Agreement) -> Iterator[tuple[str, ...]]:
    """One line a measure, under HEAD."""
    for line in found.lines:
        star = "*" if line.floor_threshold is not None else ""
        yield _NAMES[line.measure], _text(line.judge), _text(line.floor) + star, _peers(line)


def judged_by(who: Who | None) -> str:
    """Who judged, in one line; digests are cut to twelve digits."""
    if who is None or who.judge is None:
        return "Judge: none"
    settings = ", ".join(_flat(who.judge.settings))
    embedder = f"; embedder {who.embedder.name}" if who.embedder else ""
    judge = f"{who.judge.name} ({who.judge.kind}; {settings})"
    return f"Judge: {judge}{embedder}; Ragstone {who.version}"


def seen_by(found: Sequence[Agreement]) -> list[str]:
    """What of the judge has learned from how many rows of the marked sets."""
    return [
        f"{one.set}, seen: " + ", ".join(f"{part.rows:,} rows by {part.by}" for part in one.seen)
        for one in found
        if one.seen
    ]


def sources(found: Sequence[Agreement]) -> list[str]:
    """The sources of the published numbers that are shown."""
    lines = [line for one in found for line in one.lines]
    return list(dict.fromkeys(f"{p.name}: {p.source}" for line in lines for p in line.peers))


def markdown(found: Sequence[Agreement], who: Who | None) -> str:
    """A page's section: the judge, the table, the notes."""
    head = ("set", *HEAD, "rows")
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    for one in found:
        for number, row in enumerate(cells(one)):
            ends = (set_name(one), heading(one)) if number == 0 else ("", "")
            lines.append("| " + " | ".join((ends[0], *row, ends[1])) + " |")
    notes = [f"- {source}" for source in (*seen_by(found), *sources(found))]
    return "\n".join([judged_by(who), "", *lines, "", NOTE, *([""] if notes else []), *notes])


def _flat(settings: Mapping[str, object], above: str = "") -> Iterator[str]:
    for key, value in settings.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{above}{key} ")
        elif value is not None:
            yield f"{above}{key} " + _DIGEST.sub(lambda match: match[0][:12], str(value))


def _text(one: Estimate) -> str:
    if one.value is None:
        return "-"
    if one.low is None or one.high is None:
        return f"{one.value:.3f}"
    return f"{one.value:.3f} [{one.low:.3f}, {one.high:.3f}]"


def _peers(line: Line) -> str:
    return ", ".join(f"{peer.name} {peer.value:.3f}" for peer in line.peers)
