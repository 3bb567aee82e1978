"""The counts as a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ragstone.bench.calls.counting import Counted
from ragstone.bench.calls.peers import peer

__all__ = ["cells", "head", "markdown", "note"]


def head() -> tuple[str, ...]:
    """The names of the columns."""
    return ("metric", "calls", "tokens in", "tokens out", f"calls of {peer().name}")


def cells(found: Sequence[Counted]) -> Iterator[tuple[str, ...]]:
    """The rows as text; a peer's count that is not documented is a dash."""
    for one in found:
        numbers = (one.calls, one.input_tokens, one.output_tokens)
        theirs = "-" if one.peer_calls is None else str(one.peer_calls)
        yield (one.metric, *(f"{number:,}" for number in numbers), theirs)


def note(contexts: int) -> str:
    """What was counted, and how."""
    return (
        f"One sample with {contexts} contexts, judged by a script: one call for every question, no "
        "second tries. A token is taken as four characters. "
        f"{peer().name} {peer().version}: {peer().source}."
    )


def markdown(found: Sequence[Counted], contexts: int) -> str:
    """The table in Markdown, with the note above it."""
    lines = [note(contexts), "", f"| {' | '.join(head())} |", "|---|" + "---:|" * 4]
    lines += [f"| {' | '.join(row)} |" for row in cells(found)]
    return "\n".join(lines)
