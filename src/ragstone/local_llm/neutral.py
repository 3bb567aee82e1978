"""Text that cannot end its turn: the marks that chat templates give a meaning are taken apart."""

from __future__ import annotations

import re

__all__ = ["neutral"]

_PIPED = re.compile(r"<(?=[|｜])|(?<=[|｜])>")
_NAMED = re.compile(
    r"<(?=/?(?:s|bos|eos|pad|unk|start_of_turn|end_of_turn|think|tool_call|tool_response|tools"
    r"|fim_\w+|image|system|user|assistant)>)|\[(?=/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS"
    r"|TOOL_CALLS|TOOL_RESULTS)\])|<(?=</?SYS>>)",
    re.IGNORECASE,
)


def neutral(text: str) -> str:
    """The text with a blank inside every mark such as <|im_end|>, </s>, [INST] or <end_of_turn>.

    A runtime reads such marks in data as the end of the turn. Nothing is taken away, so no mark can
    come together from the rest.
    """
    apart = _PIPED.sub(lambda found: "< " if found[0] == "<" else " >", text)
    return _NAMED.sub(lambda found: f"{found[0]} ", apart)
