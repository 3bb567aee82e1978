"""Every other protocol, through pydantic-ai's model layer: Anthropic, Google, Bedrock, Cohere, ...

The package is optional, so it is imported where it is used. It sends the question; limits, retries
and deadlines stay with the judge.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import pydantic_core

from ragstone.errors import MissingExtra, ProviderError, UsageError
from ragstone.llms.classify import problem_in, redact, refused_status, unreachable
from ragstone.llms.dialect import Dialect
from ragstone.llms.known import Known
from ragstone.llms.per_loop import PerLoop
from ragstone.llms.provider import ChatReply, ChatRequest, Finish, Provider, Tokens

if TYPE_CHECKING:
    from pydantic_ai.exceptions import AgentRunError, ModelAPIError
    from pydantic_ai.messages import ModelMessage, ModelResponse
    from pydantic_ai.models import Model, ModelRequestParameters
    from pydantic_ai.settings import ModelSettings

__all__ = ["AIProvider", "client_model", "named_model"]

_MAX_ADAPTATIONS = 4


@dataclass(frozen=True, eq=False)
class AIProvider(Provider):
    """Asks a model through pydantic-ai; `opening` opens its `Model`, once for each event loop."""

    opening: Callable[[], AbstractAsyncContextManager[Model[Any]]] = field(kw_only=True)
    extra: Mapping[str, Any] = field(default_factory=dict, kw_only=True)
    _models: PerLoop[Model[Any]] = field(init=False, repr=False)
    _learned: list[Dialect] = field(default_factory=lambda: [Dialect()], init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_models", PerLoop(self.opening))

    async def complete(self, request: ChatRequest) -> ChatReply:
        """Ask once; a provider that refuses a sampling parameter is asked again without it."""
        from pydantic_ai.direct import model_request
        from pydantic_ai.exceptions import AgentRunError, UserError

        model = await self._models.get()
        for _ in range(_MAX_ADAPTATIONS):
            sent = self._tuning(request, model)
            settings: ModelSettings = {**sent, **self.extra}  # type: ignore[typeddict-item]
            try:
                response = await model_request(
                    model,
                    _messages(request),
                    model_settings=settings,
                    model_request_parameters=_parameters(request),
                    instrument=False,
                )
            except UserError as error:
                said = redact(str(error), self.key)
                raise UsageError(f"{self.name}/{self.model}: {said}") from error
            except AgentRunError as error:
                if not self._adapt(error, sent):
                    raise _classified(self, error) from error
            else:
                return _chat_reply(response, request.form.name)
        raise UsageError(f"{self.name}/{self.model} refuses every form of the question")

    def _tuning(self, request: ChatRequest, model: Model[Any]) -> dict[str, Any]:
        tuning = {
            "max_tokens": request.max_tokens,
            "temperature": request.temperature,
            "top_p": request.top_p,
            "seed": request.seed,
            "max_retries": 0,  # the judge retries, under the limit that all calls share
        }
        left_out = self._learned[-1].left_out | model.unsupported_settings
        return {k: v for k, v in tuning.items() if v is not None and k not in left_out}

    def _adapt(self, error: AgentRunError, sent: Mapping[str, Any]) -> bool:
        from pydantic_ai.exceptions import ModelHTTPError

        if not isinstance(error, ModelHTTPError) or error.status_code not in (400, 422):
            return False
        named = replace(Dialect(), limit_name="max_tokens").after(
            problem_in(_body_text(error.body)), {k: v for k, v in sent.items() if k != "max_tokens"}
        )
        if named is None:
            return False
        known = self._learned[-1]
        self._learned.append(replace(known, left_out=known.left_out | named.left_out))
        return True

    async def aclose(self) -> None:
        """Close the connections; the next question opens new ones."""
        await self._models.aclose()


# ---- from our request to theirs, and back ----


def _messages(request: ChatRequest) -> list[ModelMessage]:
    from pydantic_ai.messages import (
        BinaryContent,
        ModelRequest,
        ModelResponse,
        SystemPromptPart,
        TextPart,
        UserPromptPart,
    )

    first, *more = request.turns
    pictures = [BinaryContent(data=i.data, media_type=i.media_type) for i in request.images]
    asked = UserPromptPart([first, *pictures] if pictures else first)
    messages: list[ModelMessage] = [ModelRequest(parts=[SystemPromptPart(request.system), asked])]
    for number, text in enumerate(more):
        if number % 2 == 0:
            messages.append(ModelResponse(parts=[TextPart(text)]))
        else:
            messages.append(ModelRequest(parts=[UserPromptPart(text)]))
    return messages


def _parameters(request: ChatRequest) -> ModelRequestParameters:
    """The wanted form; "auto" takes the model's best means: native schema, tool, or prompt."""
    from pydantic_ai.models import ModelRequestParameters
    from pydantic_ai.output import OutputObjectDefinition
    from pydantic_ai.tools import ToolDefinition

    form = request.form
    schema = dict(form.schema)
    tool = ToolDefinition(
        name=form.name,
        parameters_json_schema=schema,
        description="Give the answer.",
        kind="output",
    )
    return ModelRequestParameters(
        output_mode="auto",
        output_object=OutputObjectDefinition(json_schema=schema, name=form.name),
        output_tools=[tool],
    )


def _chat_reply(response: ModelResponse, form: str) -> ChatReply:
    from pydantic_ai.messages import TextPart, ToolCallPart

    calls = [p for p in response.parts if isinstance(p, ToolCallPart) and p.tool_name == form]
    texts = [part.content for part in response.parts if isinstance(part, TextPart)]
    finish: Finish = "stop"
    if response.finish_reason == "length":
        finish = "length"
    elif response.finish_reason == "content_filter":
        finish = "refused"
    usage = response.usage
    counted = usage.input_tokens or usage.output_tokens
    tokens = Tokens.reported(usage.input_tokens, usage.output_tokens, usage.cache_read_tokens)
    return ChatReply(
        text=calls[-1].args_as_json_str() if calls else "".join(texts),
        finish=finish,
        tokens=tokens if counted else None,
        model=response.model_name or "",
    )


# ---- from their errors to ours ----


def _body_text(body: object) -> str:
    if body is None or isinstance(body, str):
        return body or ""
    return pydantic_core.to_json(body, fallback=str).decode()


def _classified(provider: Provider, error: AgentRunError) -> ProviderError:
    from pydantic_ai.exceptions import (
        ContentFilterError,
        ModelAPIError,
        ModelConnectionError,
        ModelHTTPError,
        ModelTimeoutError,
    )

    if isinstance(error, ModelConnectionError):
        kind = "timeout" if isinstance(error, ModelTimeoutError) else "connection"
        return unreachable(provider, _root(error), kind)
    if isinstance(error, ContentFilterError):
        return refused_status(provider, 400, '{"error": {"code": "content_filter"}}')
    if isinstance(error, ModelAPIError):
        said = _body_text(error.body)
        if isinstance(error, ModelHTTPError):
            found = refused_status(provider, error.status_code, said)
        else:
            found = refused_status(provider, _status(error), said or str(error))
        found.retry_after = error.retry_after
        return found
    return refused_status(provider, 500, str(error))


def _status(error: ModelAPIError) -> int:
    """The HTTP status that says what an error without one means."""
    from pydantic_ai import exceptions as theirs

    meanings = (
        (theirs.ModelAuthenticationError, 401),
        (theirs.ModelNotFoundError, 404),
        (theirs.ModelQuotaExceededError, 402),
        (theirs.ModelRateLimitError, 429),
        (theirs.ModelUnavailableError, 503),
        (theirs.ModelContextWindowExceededError, 413),
        (theirs.ModelRequestRejectedError, 400),
    )
    return next((status for kind, status in meanings if isinstance(error, kind)), 500)


def _root(error: BaseException) -> BaseException:
    while error.__cause__ is not None:
        error = error.__cause__
    return error


# ---- making them ----


def named_model(
    known: Known, model: str, *, base_url: str | None, key: str | None, extra: Mapping[str, Any]
) -> AIProvider:
    """A provider for a model by its name. Raises MissingExtra, and UsageError when not set up."""
    given = {"api_key": key, "base_url": base_url}
    options = {name: value for name, value in given.items() if value is not None}

    def build() -> Model[Any]:
        from pydantic_ai.models import infer_model
        from pydantic_ai.providers import infer_provider_class

        return infer_model(
            f"{known.inner}:{model}", lambda name: infer_provider_class(name)(**options)
        )

    made = _checked(build, known, key)
    endpoint = base_url or known.endpoint or (made.base_url or made.system).rstrip("/")
    return _made(known, endpoint, model, build, extra, key)


def client_model(known: Known, model: str, client: Any, extra: Mapping[str, Any]) -> AIProvider:
    """A provider that asks through an Anthropic client of the user's.

    The client serves the first event loop that asks; each further loop gets a copy of it.
    """
    key = client.api_key if isinstance(client.api_key, str) else None
    if not type(client).__name__.startswith("Async"):
        if type(client).__name__ != "Anthropic" or key is None:
            raise UsageError(f"client must be asynchronous: pass Async{type(client).__name__}(...)")
        return named_model(known, model, base_url=str(client.base_url), key=key, extra=extra)
    used: list[bool] = []

    @asynccontextmanager
    async def opening() -> AsyncIterator[Model[Any]]:
        import anthropic

        if not used:
            used.append(True)
            yield _anthropic_model(model, client)
            return
        async with client.copy(http_client=anthropic.DefaultAsyncHttpxClient()) as copied:
            yield _anthropic_model(model, copied)

    _checked(lambda: _anthropic_model(model, client), known, key)
    return _made(known, str(client.base_url).rstrip("/"), model, opening, extra, key)


def _anthropic_model(model: str, client: Any) -> Model[Any]:
    from pydantic_ai.models.anthropic import AnthropicModel
    from pydantic_ai.providers.anthropic import AnthropicProvider

    return AnthropicModel(model, provider=AnthropicProvider(anthropic_client=client))


def _made(
    known: Known,
    endpoint: str,
    model: str,
    opening: Callable[[], AbstractAsyncContextManager[Model[Any]]],
    extra: Mapping[str, Any],
    key: str | None,
) -> AIProvider:
    return AIProvider(
        known.name,
        endpoint,
        model,
        opening=opening,
        extra=dict(extra),
        settings=dict(extra),
        key=key,
        key_variable=next(iter(known.variables), None),
    )


def _checked(build: Callable[[], Model[Any]], known: Known, key: str | None) -> Model[Any]:
    try:
        from pydantic_ai.exceptions import UserError
    except ImportError as error:
        raise MissingExtra(f"the provider {known.name!r}", known.extra) from error
    try:
        return build()
    except ImportError as error:
        raise MissingExtra(f"the provider {known.name!r}", known.extra) from error
    except UserError as error:
        said = redact(str(error), key)
        raise UsageError(f"the provider {known.name!r} is not set up: {said}") from error
