"""BLEU: how many word sequences of the response stand in the reference."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from pydantic import ConfigDict, with_config
from typing_extensions import TypedDict

from ragstone.errors import MissingExtra
from ragstone.metrics._texts import blank, need_text
from ragstone.metrics.base import Metric
from ragstone.metrics.text._options import checked
from ragstone.metrics.text._shared import shared_passages
from ragstone.metrics.text._words import spread
from ragstone.schema.results import MetricResult

__all__ = ["BleuOptions", "BleuScore"]


@with_config(ConfigDict(extra="forbid"))
class BleuOptions(TypedDict, total=False):
    """The options of sacrebleu's `corpus_bleu`, but for tokenizers that load a model."""

    smooth_method: Literal["none", "floor", "add-k", "exp"]
    smooth_value: float | None
    force: bool
    lowercase: bool
    tokenize: Literal["13a", "intl", "char", "zh", "ja-mecab", "ko-mecab", "none"]
    use_effective_order: bool


@dataclass(frozen=True, kw_only=True)
class BleuScore(Metric):
    """BLEU of the response against the reference, 0 to 1, higher is better.

    The geometric mean of the precisions of its sequences of one to four words, less a penalty for
    being shorter. Each text counts as a whole, however many sentences it has, and one shorter than
    four words by the sequences that it can have. Words are told apart by script, so Chinese and
    Japanese count by character; `kwargs` are options of sacrebleu, and with `tokenize` among them
    the texts are left as they are. A blank response gives 0. Unscored: a blank reference. Source:
    Papineni et al. 2002; sacrebleu counts.
    """

    name: str = "bleu_score"
    kwargs: BleuOptions | None = field(default=None, hash=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "kwargs", checked(self.name, BleuOptions, self.kwargs))

    def measure(self, reference: str, response: str) -> MetricResult:
        """Count the sequences that response and reference share."""
        need_text(reference, "no_reference", "reference")
        if blank(response):
            return MetricResult(0.0, reason="the response is blank")
        try:
            from sacrebleu import corpus_bleu
        except ImportError:
            raise MissingExtra("BLEU", "text") from None
        options: BleuOptions = {"use_effective_order": True, **(self.kwargs or {})}
        texts = [response, reference]
        ours, theirs = texts if "tokenize" in options else map(spread, texts)
        bleu = corpus_bleu([ours], [[theirs]], **options)
        shares = "/".join(f"{share:.1f}" for share in bleu.precisions)
        return MetricResult(
            min(1.0, bleu.score / 100),  # sacrebleu's 100 is a little more in floating point
            reason=f"precisions {shares} %, brevity penalty {bleu.bp:.3f}",
            evidence=shared_passages(reference, response),
        )
