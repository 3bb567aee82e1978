"""From what went wrong to one classified error with one clear sentence.

The sentence names the provider, the endpoint and the mend. It never holds the key, even when the
server echoes it.
"""

from __future__ import annotations

import email.utils
import math
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import pydantic_core

from ragstone.errors import ProviderError
from ragstone.llms.provider import Provider

__all__ = [
    "Problem",
    "hide_key",
    "problem_in",
    "redact",
    "refused_status",
    "retry_after",
    "unreachable",
]

_KEY_LIKE = re.compile(r"\b(?:sk|gsk|xai|pk|AIza|key)[-_][-\w*.]{6,}|\bAIza[-\w]{10,}")
_NO_MODEL = re.compile(
    r"model[^.]{0,80}(not (?:found|exist)|does not exist|unknown|no such)|not a valid model"
    r"|(?:invalid|unknown|no such) model|model_not_found",
    re.IGNORECASE,
)
_TOO_LONG = re.compile(
    r"context_length_exceeded|maximum context|context (?:window|length|size)|prompt is too long"
    r"|too many (?:input )?tokens|input is too long",
    re.IGNORECASE,
)
_FILTERED = re.compile(
    r"content[_ ](?:filter|policy|management)|responsible_?ai|safety system|moderation|guardrail",
    re.IGNORECASE,
)
_DELAY = re.compile(r'"retryDelay":\s*"(\d{1,9}(?:\.\d{1,9})?)s"', re.ASCII)
_SHORTEST_SECRET = 12  # characters; a server without keys gets a word such as "none" for one
_NO_QUOTA = {"insufficient_quota", "billing_error", "billing_not_active", "quota_exhausted"}


@dataclass(frozen=True, slots=True)
class Problem:
    """What the body of an error says, in whatever dialect: message, code and parameter."""

    message: str = ""
    code: str = ""
    parameter: str = ""
    status: int | None = None
    retry_after: float | None = None


def problem_in(body: str) -> Problem:
    """Read the body of an error reply; plain text or HTML become a short message."""
    try:
        data: Any = pydantic_core.from_json(body)
    except ValueError:
        text = re.sub(r"<[^>]*>|\s+", " ", body)
        return Problem(message=" ".join(text.split())[:300])
    if isinstance(data, list) and data:
        data = data[0]
    if not isinstance(data, Mapping):
        return Problem(message=str(data)[:300])
    inner = data.get("error", data)
    if isinstance(inner, str):
        return Problem(message=inner[:1000], code=str(data.get("code") or ""))
    return _read(inner if isinstance(inner, Mapping) else data, body)


def _read(data: Mapping[str, Any], body: str) -> Problem:
    message, parameter = data.get("message") or data.get("detail") or "", data.get("param") or ""
    if isinstance(message, Mapping):
        message = message.get("detail") or message.get("message") or message
    if isinstance(message, list):  # validation errors as FastAPI servers send them
        places = [m.get("loc") for m in message if isinstance(m, Mapping)]
        first = places[0] if places else None
        parameter = parameter or (first[-1] if first and isinstance(first, list) else "")
        message = "; ".join(str(m.get("msg", m)) for m in message if isinstance(m, Mapping))
    code = data.get("code")
    words = [str(code or ""), str(data.get("type") or ""), str(data.get("status") or "")]
    delay = _DELAY.search(body)
    return Problem(
        message=str(message)[:1000],
        code=" ".join(word for word in words if word),
        parameter=str(parameter),
        status=code if isinstance(code, int) and 400 <= code < 600 else None,
        retry_after=float(delay[1]) if delay else None,
    )


def redact(text: str, key: str | None) -> str:
    """The text of an error without the key, and without anything else that looks like one."""
    if key:
        text = text.replace(key, "[key]").replace(quote(key, safe=""), "[key]")
    return _KEY_LIKE.sub("[key]", text)


def hide_key(text: str, key: str | None) -> str:
    """A reply without the key, should the model have been told it; nothing else is touched.

    A key that is too short for a secret is left, for it may be a word of the answer.
    """
    return text.replace(key, "[key]") if key and len(key) >= _SHORTEST_SECRET else text


def retry_after(headers: Mapping[str, str]) -> float | None:
    """The wait in seconds that a server asks for, None when it asks for none that makes sense."""
    try:
        if (milliseconds := headers.get("retry-after-ms")) is not None:
            wait = float(milliseconds) / 1000
        elif (value := headers.get("retry-after")) is None:
            return None
        elif re.fullmatch(r"\s*[\d.]+\s*", value):
            wait = float(value)
        else:
            wait = email.utils.parsedate_to_datetime(value).timestamp() - time.time()
    except (ValueError, OverflowError):
        return None
    return max(0.0, wait) if math.isfinite(wait) else None


def refused_status(
    provider: Provider, status: int, body: str, headers: Mapping[str, str] | None = None
) -> ProviderError:
    """The error for a reply whose HTTP status says no."""
    problem = problem_in(hide_key(body, provider.key))  # before anything is cut in the key's midst
    kind, retryable = _kind(status, problem)
    said = redact(problem.message, provider.key).strip().rstrip(".")
    answer = f"HTTP {status}: {said}" if said else f"HTTP {status}"
    wait = retry_after(headers or {})
    return ProviderError(
        _SENTENCES[kind if retryable or kind != "rate_limit" else "quota"].format(
            who=f"{provider.name} at {provider.endpoint}",
            model=provider.model,
            answer=answer,
            key=provider.key_variable or "the provider's key variable",
        ),
        provider=provider.name,
        kind=kind,
        status=status,
        retryable=retryable,
        retry_after=problem.retry_after if wait is None else wait,
    )


def _kind(status: int, problem: Problem) -> tuple[str, bool]:
    words = f"{problem.code} {problem.message}"
    if status in (401, 403):
        blocked = status == 403 and _FILTERED.search(words)
        return ("content_filter" if blocked else "authentication"), False
    if status == 402 or _NO_QUOTA & set(problem.code.split()):
        return "rate_limit", False
    if status == 429:
        return "rate_limit", True
    if status == 408 or status == 504:
        return "timeout", True
    if status in (425, 503, 529) or "overloaded" in words.lower():
        return "overloaded", True
    if status >= 500:
        return "server", True
    return _kind_of_refusal(status, words), False


def _kind_of_refusal(status: int, words: str) -> str:
    if status == 404 or _NO_MODEL.search(words):
        return "unknown_model"
    if status == 413 or _TOO_LONG.search(words):
        return "too_long"
    return "content_filter" if _FILTERED.search(words) else "bad_request"


_SENTENCES = {
    "authentication": "{who} does not accept the API key ({answer}); set {key} or pass api_key=...",
    "unknown_model": "{who} knows no model {model!r} ({answer}); check the model's name and "
    "base_url",
    "too_long": "the question is longer than {model!r} of {who} reads at once ({answer})",
    "content_filter": "{who} refuses this content ({answer})",
    "bad_request": "{who} does not accept the request for {model!r} ({answer}); check the "
    "arguments given to llm_factory",
    "quota": "the account at {who} has no quota left ({answer}); add credit there or use another "
    "key",
    "rate_limit": "{who} limits the rate of calls ({answer}); run again later or raise the limit "
    "there",
    "overloaded": "{who} is overloaded ({answer}); run again later",
    "timeout": "{who} took too long ({answer}); run again later or raise timeout=...",
    "server": "{who} failed ({answer}); run again later",
}


def unreachable(
    provider: Provider, error: BaseException, kind: str = "connection"
) -> ProviderError:
    """The error for a call that got no reply at all."""
    reason, retryable = _reason(error)
    mend = (
        f"; start the server or check base_url ({provider.endpoint!r})"
        if isinstance(_os_error(error), ConnectionRefusedError)
        else "; check the network and base_url"
    )
    who, why = f"{provider.name} at {provider.endpoint}", redact(reason, provider.key)[:300]
    return ProviderError(
        f"cannot reach {who}: {why}{mend}",
        provider=provider.name,
        kind=kind,
        retryable=retryable,
    )


def _os_error(error: BaseException) -> BaseException:
    return getattr(error, "os_error", None) or error.__cause__ or error


def _reason(error: BaseException) -> tuple[str, bool]:
    import ssl

    cause = _os_error(error)
    if isinstance(cause, ConnectionRefusedError):
        return "connection refused", True
    if isinstance(cause, ssl.SSLError):
        return f"the TLS certificate was not accepted ({cause})", False
    if isinstance(cause, ConnectionResetError):
        return "connection reset", True
    return f"{type(cause).__name__}: {cause}".rstrip(": "), True
