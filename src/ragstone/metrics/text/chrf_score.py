"""chrF: how many character sequences response and reference share."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated

from pydantic import ConfigDict, Field, with_config
from typing_extensions import TypedDict

from ragstone.errors import MissingExtra
from ragstone.metrics._texts import blank, need_text
from ragstone.metrics.base import Metric
from ragstone.metrics.text._options import checked
from ragstone.metrics.text._shared import shared_passages
from ragstone.metrics.text._words import spread
from ragstone.schema.results import MetricResult

__all__ = ["CHRFOptions", "CHRFScore"]


@with_config(ConfigDict(extra="forbid"))
class CHRFOptions(TypedDict, total=False):
    """The options of sacrebleu's `corpus_chrf`."""

    char_order: Annotated[int, Field(ge=1, le=100)]
    word_order: Annotated[int, Field(ge=0, le=100)]
    beta: Annotated[int, Field(ge=0, le=100)]
    remove_whitespace: bool
    eps_smoothing: bool


@dataclass(frozen=True, kw_only=True)
class CHRFScore(Metric):
    """chrF of the response against the reference, 0 to 1, higher is better.

    The F-score of their sequences of one to six characters, white space aside, in which recall
    counts twice as much as precision. `kwargs` are options of sacrebleu: `char_order`, `beta`, and
    `word_order`, which adds sequences of words (told apart by script). A blank response gives 0.
    Unscored: a blank reference. Source: Popović 2015; sacrebleu counts.
    """

    name: str = "chrf_score"
    kwargs: CHRFOptions | None = field(default=None, hash=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "kwargs", checked(self.name, CHRFOptions, self.kwargs))

    def measure(self, reference: str, response: str) -> MetricResult:
        """Count the sequences that response and reference share."""
        need_text(reference, "no_reference", "reference")
        if blank(response):
            return MetricResult(0.0, reason="the response is blank")
        try:
            from sacrebleu import corpus_chrf
        except ImportError:
            raise MissingExtra("chrF", "text") from None
        options: CHRFOptions = self.kwargs or {}
        texts = [response, reference]
        ours, theirs = map(spread, texts) if options.get("remove_whitespace", True) else texts
        chrf = corpus_chrf([ours], [[theirs]], **options)
        return MetricResult(
            min(1.0, chrf.score / 100),
            reason=f"chrF{chrf.beta} of up to {chrf.char_order} characters",
            evidence=shared_passages(reference, response),
        )
