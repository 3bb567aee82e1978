"""The file of scores: what was asked once is not asked again."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from ragstone.bench.agreement.answers import Said
from ragstone.bench.agreement.rows import Row
from ragstone.errors import UsageError
from ragstone.schema.runs import JudgeInfo

__all__ = ["Answer", "ScoreFile", "Who"]


@dataclass(frozen=True, slots=True)
class Who:
    """Who gave the scores: what was asked for by name, and what that turned out to be.

    `version` is that of Ragstone, whose rules and prompts have a share in every score.
    """

    name: str
    version: str
    judge: JudgeInfo | None
    embedder: JudgeInfo | None


@dataclass(frozen=True, slots=True)
class Answer:
    """What was said about a row, or the code why nothing was, and the seconds it took."""

    said: tuple[Said, ...]
    unscored: str | None
    seconds: float


class ScoreFile:
    """Answers by set and row; with a path, kept there as JSON Lines, the first of them who judged.

    A last line that was cut off, as by a killed process, is dropped. Raises UsageError for a file
    that is no file of scores.
    """

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.who: Who | None = None
        self._answers: dict[tuple[str, str, str], Answer] = {}
        if path is not None and path.exists():
            _drop_cut_line(path)
            for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), start=1):
                if line:
                    self._read(line, f"{str(path)!r}, line {number}")
            if self._answers and self.who is None:
                raise UsageError(f"{str(path)!r} does not say who judged; its first line is gone")

    def get(self, name: str, row: Row) -> Answer | None:
        """The answer about a row of a set, unless its texts have changed since."""
        return self._answers.get((name, row.id, row.digest))

    def begin(self, who: Who) -> None:
        """Say who judges; UsageError when the file holds the scores of another."""
        if self.who is None:
            self._write({"who": asdict(who)})
        elif _plain(self.who) != _plain(who):
            raise UsageError(
                f"{str(self.path)!r} holds the scores of another judge or version of it; name "
                "another file with --scores, or remove that one"
            )
        self.who = who

    def put(self, name: str, row: Row, answer: Answer) -> None:
        """Keep an answer; it is on its way to the disk when this returns."""
        answer = replace(answer, seconds=round(answer.seconds, 4))
        self._answers[name, row.id, row.digest] = answer
        said = [[one.score, one.verdict] for one in answer.said]
        line: dict[str, Any] = {"set": name, "id": row.id, "text": row.digest}
        line |= {"said": said} if answer.unscored is None else {"unscored": answer.unscored}
        self._write(line | {"seconds": answer.seconds})

    def _write(self, line: Mapping[str, Any]) -> None:
        if self.path is not None:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(line, ensure_ascii=False) + "\n")

    def _read(self, line: str, where: str) -> None:
        try:
            found = json.loads(line)
            if "who" in found:
                self.who = _who(found["who"])
                return
            said = tuple(Said(float(score), verdict) for score, verdict in found.get("said", ()))
            answer = Answer(said, found.get("unscored"), float(found["seconds"]))
            self._answers[found["set"], found["id"], found["text"]] = answer
        except (ValueError, KeyError, TypeError) as error:
            raise UsageError(f"{where}: no line of a file of scores ({error!r})") from None


def _drop_cut_line(path: Path) -> None:
    content = path.read_bytes()
    if content and not content.endswith(b"\n"):
        with path.open("r+b") as file:
            file.truncate(content.rfind(b"\n") + 1)


def _who(found: Mapping[str, Any]) -> Who:
    judge, embedder = (JudgeInfo(**found[k]) if found[k] else None for k in ("judge", "embedder"))
    return Who(found["name"], found["version"], judge, embedder)


def _plain(who: Who) -> object:
    return json.loads(json.dumps([who.version, asdict(who)["judge"], asdict(who)["embedder"]]))
