"""What one server accepts of the chat protocol, learned from its refusals.

Servers that speak "the OpenAI protocol" differ in how they take the form of the reply and in which
sampling parameters they know; reasoning models refuse some that their siblings take. A list of
model names would be wrong tomorrow, so the first call says all we would like to say, and a refusal
that names a parameter makes the next call leave it out or rename it.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from ragstone.llms.classify import Problem
from ragstone.llms.forms import OutputForm
from ragstone.llms.provider import ChatRequest
from ragstone.prompt.images import Image

__all__ = ["Dialect"]

_FORMS = ("strict", "schema", "object", "prompt")
_ABOUT_FORM = re.compile(
    r"response[_ ]format|schema|json[_ ]object|structured output|json mode|guided|grammar"
    r"|json_validate_failed|additionalProperties",
    re.IGNORECASE,
)
_NOT_TAKEN = re.compile(
    r"unsupported|not support|n't support|unrecognized|unknown|unexpected|extra|not permitted"
    r"|deprecated|not allowed|cannot be used|only the default|not available|incompatible",
    re.IGNORECASE,
)
_TUNING = ("max_tokens", "max_completion_tokens", "temperature", "top_p", "seed")


@dataclass(frozen=True, slots=True)
class Dialect:
    """How questions are put to one server: the means of structured output, names left out."""

    form: str = "strict"
    limit_name: str = "max_tokens"
    left_out: frozenset[str] = frozenset()

    def body(self, model: str, request: ChatRequest, extra: Mapping[str, Any]) -> dict[str, Any]:
        """The request as JSON data."""
        roles = ("user", "assistant")
        turns: list[dict[str, Any]] = [
            {"role": roles[n % 2], "content": text} for n, text in enumerate(request.turns)
        ]
        if request.images:
            said = {"type": "text", "text": request.turns[0]}
            turns[0]["content"] = [said, *map(_picture, request.images)]
        tuning = {
            self.limit_name: request.max_tokens,
            "temperature": request.temperature,
            "top_p": request.top_p,
            "seed": request.seed,
            **extra,
        }
        asked = {k: v for k, v in tuning.items() if v is not None and k not in self.left_out}
        if (response_format := self._response_format(request.form)) is not None:
            asked["response_format"] = response_format
        messages = [{"role": "system", "content": request.system}, *turns]
        return {"model": model, "messages": messages, **asked}

    def _response_format(self, form: OutputForm) -> dict[str, Any] | None:
        if self.form == "prompt":
            return None
        if self.form == "object":
            return {"type": "json_object"}
        strict = form.strict_schema if self.form == "strict" else None
        schema = {
            "name": form.name,
            "schema": form.schema if strict is None else strict,
            "strict": strict is not None,
        }
        return {"type": "json_schema", "json_schema": schema}

    def after(self, problem: Problem, sent: Mapping[str, Any]) -> Dialect | None:
        """The dialect to try after a refusal of `sent`; None when the refusal is about the rest."""
        words = f"{problem.parameter} {problem.code} {problem.message}"
        if "response_format" in sent and _ABOUT_FORM.search(words):
            return replace(self, form=_FORMS[_FORMS.index(self.form) + 1])
        if not _NOT_TAKEN.search(words):
            return None
        named = next((p for p in _TUNING if p in sent and re.search(rf"\b{p}\b", words)), None)
        if named == "max_tokens" and "max_completion_tokens" not in self.left_out:
            return replace(self, limit_name="max_completion_tokens")
        if named == "max_completion_tokens":
            back = {"max_completion_tokens"}
            return replace(self, limit_name="max_tokens", left_out=self.left_out | back)
        return replace(self, left_out=self.left_out | {named}) if named else None


def _picture(image: Image) -> dict[str, Any]:
    data = base64.b64encode(image.data).decode()
    return {"type": "image_url", "image_url": {"url": f"data:{image.media_type};base64,{data}"}}
