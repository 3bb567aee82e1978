"""answer/refusal: does a response decline to answer, by the wordings of refusals."""

from __future__ import annotations

from ragstone.local.encoder import Encoder
from ragstone.local.refusal import is_refusal, refuses
from ragstone.prompt.refusal import RefusalIn, RefusalVerdict
from ragstone.tools.sentences import sentences

__all__ = ["judge_refusal"]


def judge_refusal(data: RefusalIn, _model: Encoder) -> RefusalVerdict:
    """A response refuses when it opens with a refusal and does not go on to answer."""
    spoken = [piece.text for piece in sentences(data.response)]
    if not refuses(spoken):
        return RefusalVerdict(verdict="answers", reason="it does not open with a refusal")
    quote = next((sentence for sentence in spoken if is_refusal(sentence)), "")
    return RefusalVerdict(verdict="refuses", quote=quote, reason="it opens with a refusal")
