"""A decomposition is bounded by its text: claims that no text of that length makes are invented."""

from __future__ import annotations

from ragstone.errors import BadReply
from ragstone.prompt.claims import Claims, ClaimsIn
from ragstone.prompt.prompt import Prompt
from ragstone.tools.judge import Judge

__all__ = ["decompose"]

_LETTERS_A_CLAIM = 4  # about a word; in Chinese about a clause
_ALWAYS = 10  # "Ann, Bo and Cy are tall, old and French" makes nine claims with few words


async def decompose(judge: Judge, prompt: Prompt[ClaimsIn, Claims], data: ClaimsIn) -> Claims:
    """The claims of a text, without blanks and each once.

    A reply with more claims than a quarter of the text's characters, plus ten, is asked for once
    more. Raises BadReply when the second has too many as well.
    """
    most = len("".join(data.text.split())) // _LETTERS_A_CLAIM + _ALWAYS
    for attempt in range(2):
        reply = await judge.ask(prompt, data, sample=attempt)
        claims = dict.fromkeys(claim.strip() for claim in reply.claims if claim.strip())
        if len(claims) <= most:
            return Claims(refuses=reply.refuses, claims=list(claims))
    raise BadReply(
        f"the judge made {len(claims)} claims of a text of {len(data.text)} characters, asked "
        f"twice; at most {most} are believed",
        raw=reply.model_dump_json(),
    )
