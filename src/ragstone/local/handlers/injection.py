"""safety/injection: orders to a model in their usual wordings; other wordings are not seen."""

from __future__ import annotations

import re

from ragstone.errors import Unscored
from ragstone.local.encoder import Encoder
from ragstone.prompt.items import VerdictList
from ragstone.prompt.safety import InjectionIn, InjectionVerdict

__all__ = ["find_injections"]

_SAID = r"(?:(?:all|any|the|my|your|these|those|of)\s+)*"
_EARLIER = r"(?:previous|prior|above|earlier|preceding|foregoing|system|original|initial)"
_TASK = r"(?:instructions?|prompts?|directions?|commands?|rules?|guidelines?|context|messages?)"
_WORDINGS = re.compile(
    rf"(?:ignore|disregard|forget|override|bypass)\s+{_SAID}{_EARLIER}\s+(?:\w+\s+)?{_TASK}"
    rf"|(?:ignore|disregard|forget)\s+{_SAID}{_TASK}\s+(?:above|before|given|you)"
    rf"|(?:reveal|print|repeat|show|output|leak)\s+(?:me\s+)?(?:your|the)\s+(?:system|hidden|initial)"
    rf"\s+(?:prompt|instructions?|message)"
    r"|<\|(?:im_start|im_end|system|endoftext)\|>|\[/?INST\]|<</?SYS>>"
    r"|ignorier\w*\s+(?:sie\s+)?(?:alle\s+)?(?:vorherigen|bisherigen|obigen)\s+(?:Anweisungen|Befehle)"
    r"|ignor\w+\s+(?:todas\s+)?(?:las\s+)?instrucciones\s+(?:anteriores|previas)"
    r"|ignore[zr]?\s+(?:toutes\s+)?(?:les\s+)?instructions\s+(?:précédentes|ci-dessus)"
    r"|忽略(?:之前|以上|前面|上面)的?(?:所有)?(?:指令|指示|提示)"
    r"|(?:以前|上記|これまで)の(?:すべての)?指示を(?:無視|忘れ)",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"\"[^\"\n]*\"|“[^”]*”|«[^»]*»|「[^」]*」|`[^`\n]*`")


def find_injections(data: InjectionIn, _model: Encoder) -> VerdictList[InjectionVerdict]:
    """The contexts with such a wording that does not stand in quotation marks.

    Raises Unscored("needs_llm") when there is none: that they hold no other order is not known.
    """
    found = {item.id: _order(item.text) for item in data.items}
    if not any(found.values()):
        raise Unscored(
            "needs_llm",
            "the contexts hold none of the usual wordings of an order to the model; whether they "
            "hold another needs a language model: give llm=...",
        )
    return VerdictList[InjectionVerdict](
        verdicts=[
            InjectionVerdict(
                id=key,
                verdict="injected" if quote else "clean",
                quote=quote,
                reason="a usual wording" if quote else "no usual wording; others were not sought",
            )
            for key, quote in found.items()
        ]
    )


def _order(text: str) -> str:
    plain = _QUOTED.sub(lambda match: " " * len(match.group()), text)
    match = _WORDINGS.search(plain)
    return match.group() if match else ""
