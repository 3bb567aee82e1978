"""Which contexts support each claim, in as few questions as the judge's window allows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ragstone.errors import Unscored
from ragstone.metrics._texts import blank
from ragstone.metrics._together import together
from ragstone.prompt.items import VerdictList
from ragstone.prompt.prompt import Prompt
from ragstone.prompt.sources import SourcesIn, SourcesVerdict
from ragstone.tools.judge import Judge, fit

__all__ = ["SourcesPrompt", "find_sources"]

SourcesPrompt = Prompt[SourcesIn, VerdictList[SourcesVerdict]]


async def find_sources(
    judge: Judge, prompt: SourcesPrompt, claims: Sequence[str], contexts: Sequence[str]
) -> list[frozenset[int]]:
    """For each claim the positions, from 0, of the contexts that support it by themselves.

    Blank contexts support nothing; of one too long for a question, a piece is enough. A verdict
    that names only contexts that do not exist is no verdict: Unscored("missing_verdicts").
    """
    groups = list(_groups(judge, contexts))
    replies = await together(
        judge.verdicts(prompt, claims, contexts=[piece for _, piece in group]) for group in groups
    )
    found: list[set[int]] = [set() for _ in claims]
    for group, verdicts in zip(groups, replies, strict=True):
        for claim, verdict in zip(found, verdicts, strict=True):
            known = [number for number in verdict.contexts if 1 <= number <= len(group)]
            if verdict.contexts and not known:
                named = ", ".join(map(str, verdict.contexts))
                raise Unscored("missing_verdicts", f"a verdict names no context there is: {named}")
            claim |= {group[number - 1][0] for number in known}
    return [frozenset(claim) for claim in found]


def _groups(judge: Judge, contexts: Sequence[str]) -> Iterator[list[tuple[int, str]]]:
    """The contexts with their positions, so many at once as fill half of the judge's window."""
    room = None if judge.window is None else judge.window // 2
    group: list[tuple[int, str]] = []
    for position, context in enumerate(contexts):
        for piece in [] if blank(context) else _pieces(judge, context):
            if group and room is not None and sum(len(p) for _, p in group) + len(piece) > room:
                yield group
                group = []
            group.append((position, piece))
    if group:
        yield group


def _pieces(judge: Judge, context: str) -> list[str]:
    """The context whole, or in pieces of at most half of the window."""
    if judge.window is None or len(context) <= judge.window // 2:
        return [context]
    beside = "x" * (judge.window - judge.window // 2)
    return [piece for piece in fit(judge, context, beside) if not blank(piece)]
