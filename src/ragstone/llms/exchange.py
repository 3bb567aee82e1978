"""The exchange with a model until there is an answer: a longer reply, or one second try."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from pydantic import BaseModel

from ragstone.errors import BadReply, JudgeError, ProviderError, Unscored
from ragstone.llms.classify import hide_key
from ragstone.llms.provider import ChatReply, ChatRequest, Provider
from ragstone.llms.repair import Misfit, Parsed, parse, parse_whole
from ragstone.llms.usage import usage_of
from ragstone.schema.usage import Usage

__all__ = ["Answer", "exchange"]

Out = TypeVar("Out", bound=BaseModel)

_QUOTED = 20_000  # characters of a broken reply that are shown to the model again
_USUAL_LIMIT = 4096  # tokens assumed when a reply was cut off and no limit was set


@dataclass(frozen=True, slots=True)
class Answer(Generic[Out]):
    """How a question ended: an output or an error, what it took, and the text that came back."""

    output: Out | None
    error: Unscored | JudgeError | None
    usage: Usage
    raw: str = ""
    repaired: bool = False
    model: str = ""


async def exchange(
    provider: Provider,
    call: Callable[[ChatRequest], Awaitable[ChatReply]],
    request: ChatRequest,
    form: type[Out],
) -> Answer[Out]:
    """Ask until there is an answer of the form, at most three times. Never raises our errors.

    A reply cut off at the token limit is asked for once with twice the limit, a reply of another
    form once more with the error quoted.
    """
    usage, text = Usage(), ""
    longer = again = False
    while True:
        try:
            reply = _without_key(await call(request), provider.key)
        except ProviderError as error:
            return Answer(None, _outcome(error), usage, text)
        usage += usage_of(reply, request, provider.endpoint, provider.model)
        text = reply.text
        if reply.finish == "refused":
            return Answer(None, Unscored("judge_refused", text[:300]), usage, text)
        try:
            parsed = _read(reply, form)
            return Answer(parsed.output, None, usage, text, parsed.repaired, reply.model)
        except Misfit as misfit:
            problem = str(misfit)
        if reply.finish == "length" and longer:
            return Answer(None, _truncated(request), usage, text)
        if reply.finish == "length":
            longer, request = True, _with_longer_reply(request)
        elif again:
            return Answer(None, _bad_reply(provider, problem, text), usage, text)
        else:
            again, request = True, _asked_again(request, text, problem)


def _without_key(reply: ChatReply, key: str | None) -> ChatReply:
    """Whatever is read, kept or shown of a reply does not hold the key, even when the reply did."""
    return replace(reply, text=hide_key(reply.text, key))


def _read(reply: ChatReply, form: type[Out]) -> Parsed[Out]:
    if reply.finish == "length":  # a cut reply is an answer only if it is whole nevertheless
        return Parsed(parse_whole(reply.text, form), repaired=False)
    return parse(reply.text, form)


def _with_longer_reply(request: ChatRequest) -> ChatRequest:
    return replace(request, max_tokens=2 * (request.max_tokens or _USUAL_LIMIT))


def _asked_again(request: ChatRequest, text: str, problem: str) -> ChatRequest:
    complaint = (
        f"This reply cannot be used: {problem}\n"
        "Reply again with one JSON object that fits the schema, and with nothing else."
    )
    if not text.strip():  # providers refuse an empty turn
        return replace(request, turns=(f"{request.turns[0]}\n\n{complaint}", *request.turns[1:]))
    return replace(request, turns=(*request.turns, text[-_QUOTED:], complaint))


def _truncated(request: ChatRequest) -> Unscored:
    limit = request.max_tokens or _USUAL_LIMIT
    return Unscored("truncated", f"truncated at {limit} tokens; raise max_tokens=...")


def _bad_reply(provider: Provider, problem: str, text: str) -> BadReply:
    who = f"{provider.name}/{provider.model}"
    return BadReply(f"{who} gave no usable reply, asked twice: {problem}", raw=text)


def _outcome(error: ProviderError) -> Unscored | ProviderError:
    """What concerns one question only, not the setup, leaves it unscored."""
    if error.kind == "content_filter":
        return Unscored("judge_refused", str(error))
    return Unscored("too_long", str(error)) if error.kind == "too_long" else error
