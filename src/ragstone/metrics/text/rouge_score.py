"""ROUGE: how many words of the reference stand in the response."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from ragstone.errors import MissingExtra, Unscored, UsageError
from ragstone.metrics._texts import blank, need_text
from ragstone.metrics.base import Metric
from ragstone.metrics.text._shared import common_length, shared_passages
from ragstone.metrics.text._words import Word, words
from ragstone.schema.results import MetricResult

__all__ = ["RougeMode", "RougeScore", "RougeType"]

RougeType = Literal["rouge1", "rougeL"]
RougeMode = Literal["fmeasure", "precision", "recall"]


@dataclass(frozen=True, kw_only=True)
class RougeScore(Metric):
    """ROUGE of the response against the reference, 0 to 1, higher is better.

    `rouge_type` rouge1 counts the words in common, rougeL the longest sequence of words that stand
    in both in one order; `mode` is the share in the response (precision), in the reference (recall)
    or their harmonic mean. Texts in plain ASCII words are compared by English stems, as published;
    in others words are told apart by script, unstemmed, and Chinese and Japanese count by
    character. A blank response gives 0. Unscored: a blank reference, or one without any word.
    Source: Lin 2004; the package rouge-score.
    """

    name: str = "rouge_score"
    rouge_type: RougeType = "rougeL"
    mode: RougeMode = "fmeasure"

    def __post_init__(self) -> None:
        super().__post_init__()
        for name, labels in {"rouge_type": RougeType, "mode": RougeMode}.items():
            if getattr(self, name) not in get_args(labels):
                allowed = ", ".join(get_args(labels))
                raise UsageError(f"{name} must be one of {allowed}, not {getattr(self, name)!r}")

    def measure(self, reference: str, response: str) -> MetricResult:
        """Count the words that response and reference share."""
        need_text(reference, "no_reference", "reference")
        if blank(response):
            return MetricResult(0.0, reason="the response is blank")
        if not words(reference):
            raise Unscored("not_applicable", "the reference holds no word")
        try:
            from rouge_score import rouge_scorer, scoring, tokenizers
        except ImportError:
            raise MissingExtra("ROUGE", "text") from None
        plain = all(_in_ascii(text) for text in (reference, response))
        tokenizer = tokenizers.DefaultTokenizer(use_stemmer=True) if plain else _ByScript()
        if self.rouge_type == "rouge1":
            scorer = rouge_scorer.RougeScorer(["rouge1"], tokenizer=tokenizer)
            score = scorer.score(reference, response)["rouge1"]
        else:  # rouge_scorer's own table takes seconds for texts of some thousand words
            theirs, ours = map(tokenizer.tokenize, (reference, response))
            common = common_length(theirs, ours)
            precision, recall = common / max(1, len(ours)), common / max(1, len(theirs))
            score = scoring.Score(precision, recall, scoring.fmeasure(precision, recall))
        return MetricResult(
            float(getattr(score, self.mode)),
            reason=f"{self.rouge_type}: precision {score.precision:.3g}, recall {score.recall:.3g}",
            evidence=shared_passages(reference, response),
        )


class _ByScript:
    """The words of any script, as rouge_scorer wants them."""

    def tokenize(self, text: str) -> Sequence[str]:
        return [word.text for word in words(text)]


def _in_ascii(text: str) -> bool:
    return all(_written(text, word).isascii() for word in words(text))


def _written(text: str, word: Word) -> str:
    return text[word.start : word.end]
