"""The labelled sets that are known, and how each is measured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ragstone.bench.agreement import answers, floor
from ragstone.bench.agreement.rows import Label, Row
from ragstone.errors import UsageError

__all__ = ["SETS", "LabelledSet", "Measure", "chosen_sets"]

Measure = Literal["auroc", "balanced_accuracy", "accuracy", "f1", "map", "spearman", "pearson"]


@dataclass(frozen=True)
class LabelledSet:
    """Rows of a file (those whose id starts with `prefix`), the question asked, and the measures.

    `measures` are pairs of a measure and the label that it is held against. `groups_of` is a set
    with the same rows under ids without the `id_mark`, whose groups count here too.
    """

    name: str
    file: str
    ask: answers.Ask
    floor: floor.Floor
    measures: tuple[tuple[Measure, Label], ...]
    needs: tuple[str, ...]
    prefix: str = ""
    ranking: bool = False
    groups_of: str | None = None
    id_mark: str = ""

    @property
    def labels(self) -> tuple[Label, ...]:
        """The different labels that the measures read."""
        return tuple(dict.fromkeys(label for _, label in self.measures))

    def holds(self, row: Row) -> bool:
        """Whether a row of the file is of this set; a ranking needs both labels."""
        if not row.id.startswith(self.prefix):
            return False
        return not self.ranking or all(
            len(set(row.labels[label.field])) > 1 for label in self.labels
        )


def _classes(label: Label, *measures: Measure) -> tuple[tuple[Measure, Label], ...]:
    return tuple((measure, label) for measure in measures)


def _supported(name: str, label: str = "supported") -> LabelledSet:
    measures = _classes(Label(label), "auroc", "balanced_accuracy", "f1")
    needs = ("contexts", "response")
    return LabelledSet(name, name, answers.support, floor.in_contexts, measures, needs)


def _summaries(part: str) -> LabelledSet:
    return LabelledSet(
        f"qags_{part}",
        "qags",
        answers.summary_support,
        floor.in_contexts_with_pairs,
        (
            *_classes(Label("consistent"), "auroc"),
            *_classes(Label("consistency", grade=True), "pearson", "spearman"),
        ),
        ("contexts", "response"),
        prefix=f"qags_{part}",
    )


SETS: Sequence[LabelledSet] = (
    _supported("wice"),
    LabelledSet(
        "wice_oracle_chunks",
        "wice_oracle_chunks",
        answers.best_chunk,
        floor.in_best_context,
        _classes(Label("supported"), "auroc", "balanced_accuracy", "f1"),
        ("contexts", "response"),
        groups_of="wice",
        id_mark="oracle-",
    ),
    _supported("factcheck_gpt"),
    LabelledSet(
        "factcheck_gpt_relevance",
        "factcheck_gpt",
        answers.usefulness,
        floor.in_contexts,
        _classes(Label("relevant"), "auroc", "balanced_accuracy"),
        ("question", "contexts", "response"),
    ),
    _supported("fm2"),
    _supported("lfqa_verification"),
    _supported("begin_wow", "attributable"),
    _supported("begin_cmu", "attributable"),
    _summaries("cnndm"),
    _summaries("xsum"),
    LabelledSet(
        "trecqa",
        "trecqa",
        answers.usefulness_of_each,
        floor.in_each_context,
        _classes(Label("context_relevance", many=True), "map", "balanced_accuracy"),
        ("question", "contexts"),
        ranking=True,
    ),
    LabelledSet(
        "evouna_tq",
        "evouna_tq",
        answers.equivalence,
        floor.in_response,
        _classes(Label("correct"), "accuracy", "balanced_accuracy", "auroc"),
        ("question", "references", "response"),
    ),
    LabelledSet(
        "sts_dev_2012_2014",
        "sts_dev_2012_2014",
        answers.similarity,
        floor.either,
        _classes(Label("similarity_0to5", top=5, grade=True), "spearman", "pearson"),
        ("response", "reference"),
    ),
)
"""Every known set, in the order of the table."""


def chosen_sets(names: Sequence[str]) -> list[LabelledSet]:
    """The sets of these names, or of the files of these names; all when none is given.

    Raises UsageError naming an unknown set and those that are known.
    """
    if not names:
        return list(SETS)
    chosen: dict[str, LabelledSet] = {}
    for name in names:
        found = [s for s in SETS if s.name == name] or [s for s in SETS if s.file == name]
        if not found:
            known = ", ".join(s.name for s in SETS)
            raise UsageError(f"there is no labelled set {name!r}; known are {known}")
        chosen.update({s.name: s for s in found})
    return list(chosen.values())
