"""The measurement as a whole: a folder, a judge, and the sets that are there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ragstone import __version__, bridge
from ragstone.bench.agreement.asking import ask_all
from ragstone.bench.agreement.groups import is_held_out
from ragstone.bench.agreement.measuring import Agreement, agreement
from ragstone.bench.agreement.rows import Row, by_hash, find_set, read_set
from ragstone.bench.agreement.scores import Answer, ScoreFile, Who
from ragstone.bench.agreement.seen import seen
from ragstone.bench.agreement.sets import LabelledSet, chosen_sets
from ragstone.errors import UsageError
from ragstone.tools.toolbox import Toolbox

__all__ = ["Choice", "Progress", "find_sets", "measure_agreement"]

Progress = Callable[[str, int, int], None]
"""Called with a set, how many of its rows have an answer, and how many it has."""


@dataclass(frozen=True, slots=True)
class Choice:
    """Which rows: sets by name (all that are there), how many, and only held-out groups or all."""

    data: Path
    sets: Sequence[str] = ()
    rows: int | None = None
    held_out: bool = False


def find_sets(choice: Choice) -> list[tuple[LabelledSet, Path]]:
    """The chosen sets that are there, with their files.

    Raises UsageError when a set that was named is not there, or none of all.
    """
    wanted = chosen_sets(choice.sets)
    found = [(one, path) for one in wanted if (path := find_set(choice.data, one.file))]
    lacking = [one.file for one in wanted if find_set(choice.data, one.file) is None]
    if not found or (choice.sets and lacking):
        names = ", ".join(dict.fromkeys(lacking))
        raise UsageError(
            f"in {str(choice.data)!r} there is no labelled set of the name {names}; a set is "
            "NAME.jsonl.gz or NAME.jsonl, there or in its folder 'dev'"
        )
    return found


def measure_agreement(
    choice: Choice,
    name: str,
    tools: Callable[[], Toolbox],
    scores: ScoreFile,
    progress: Progress = lambda name, done, total: None,
) -> Iterator[Agreement]:
    """Each set in turn. `tools` is called once, and only when a row has no answer yet.

    `name` is what the judge was asked for as. Raises UsageError, BadDataset, JudgeError.
    """
    made: Toolbox | None = None
    for one_set, path in find_sets(choice):
        rows = _rows(one_set, path, choice)
        left = [row for row in rows if scores.get(one_set.name, row) is None]
        if left:
            if made is None:
                made = tools()
                scores.begin(_who(name, made))
            bridge.run(_asked(one_set, rows, left, made, scores, progress))
        found = [scores.get(one_set.name, row) for row in rows]
        answers = [one for one in found if isinstance(one, Answer)]
        judge = scores.who.judge if scores.who else None
        yield agreement(one_set, rows, answers, seen(one_set, judge, rows))


async def _asked(
    one_set: LabelledSet,
    rows: Sequence[Row],
    left: Sequence[Row],
    tools: Toolbox,
    scores: ScoreFile,
    progress: Progress,
) -> None:
    done = len(rows) - len(left)

    def step() -> None:
        nonlocal done
        done += 1
        progress(one_set.name, done, len(rows))

    await ask_all(one_set, left, tools, scores, step)


def _rows(one_set: LabelledSet, path: Path, choice: Choice) -> list[Row]:
    found = read_set(path, one_set.needs, one_set.labels)
    rows = [row for row in _regrouped(found, one_set, choice.data) if one_set.holds(row)]
    if choice.held_out:
        rows = [row for row in rows if is_held_out(row.group)]
    return by_hash(rows, choice.rows)


def _regrouped(rows: list[Row], one_set: LabelledSet, folder: Path) -> list[Row]:
    """The rows with the groups of the set that has the same rows under other ids, if there."""
    path = find_set(folder, one_set.groups_of) if one_set.groups_of else None
    if path is None:
        return rows
    groups = {row.id: row.group for row in read_set(path, (), ())}
    return [
        replace(row, group=groups.get(row.id.replace(one_set.id_mark, "", 1), row.group))
        for row in rows
    ]


def _who(name: str, tools: Toolbox) -> Who:
    judge, embedder = tools.judge, tools.embedder
    return Who(
        name,
        __version__,
        None if judge is None else judge.describe(),
        None if embedder is None else embedder.describe(),
    )
