"""A run: what was measured, with what, and how it ended."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from ragstone.schema import plain

__all__ = ["JudgeInfo", "MetricInfo", "Run", "RunState"]

RunState = Literal["running", "done", "stopped"]


@dataclass(frozen=True, slots=True)
class JudgeInfo:
    """Who judged: kind (llm, local, ...), name, and every setting that can move a verdict."""

    kind: str
    name: str
    settings: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class MetricInfo:
    """A metric of a run: its key, spec, range, direction, and the prompts that it used.

    `low` and `high` are None for categorical values. `prompts` holds one
    {"id", "version", "hash", "language"} a prompt. `defined_in` is the class, "module:qualname";
    "" when the run was stored before that was kept.
    """

    key: str
    spec: dict[str, dict[str, Any]]
    low: float | None = 0.0
    high: float | None = 1.0
    higher_is_better: bool = True
    prompts: tuple[dict[str, str], ...] = ()
    defined_in: str = ""

    def same_class(self, other: MetricInfo) -> bool:
        """Whether both come from one class, as far as it was kept."""
        return not (self.defined_in and other.defined_in) or self.defined_in == other.defined_in


@dataclass(frozen=True, slots=True)
class Run:
    """One evaluation and what it was made of, so that it can be explained, compared and resumed.

    Raises UsageError when its id or name is no string.

    `state` is running, done or stopped; `stopped_by` says why it stopped (interrupt, budget).
    `data_hash` is the hash of the samples in order; `versions` the packages that matter;
    `git` the revision of the folder it ran in, if any, with "+" when files were changed.
    """

    id: str
    name: str
    created: datetime
    metrics: tuple[MetricInfo, ...]
    n_rows: int
    data_hash: str
    judge: JudgeInfo | None = None
    embedder: JudgeInfo | None = None
    dataset: str | None = None
    state: RunState = "running"
    stopped_by: str | None = None
    finished: datetime | None = None
    seconds: float | None = None
    versions: dict[str, str] = field(default_factory=dict)
    git: str | None = None
    group_by: str | None = None
    left_out: dict[str, str] = field(default_factory=dict)
    metadata: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        plain.text(self.id, "the id of a run")
        plain.text(self.name, "the name of a run")
