"""The LLM judge: answers typed prompts with a language model.

A question goes through: words and data rendered -> cache -> one flight -> limit -> provider, with
deadline and retries -> the reply read and validated. Whatever it took is recorded.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from ragstone.cache import CacheInterface
from ragstone.errors import UsageError
from ragstone.llms.calling import Caller, Retries
from ragstone.llms.exchange import Answer, exchange
from ragstone.llms.flights import Flights
from ragstone.llms.forms import OutputForm
from ragstone.llms.keys import QuestionKeys
from ragstone.llms.provider import ChatRequest, Provider
from ragstone.llms.usage import price_of
from ragstone.prompt.prompt import Prompt
from ragstone.prompt.render import Rendered, render
from ragstone.schema.runs import JudgeInfo
from ragstone.schema.usage import Call, Usage
from ragstone.tools.judge import Judge, refuse_too_long
from ragstone.tools.recording import record

__all__ = ["LLMJudge", "Sampling"]

In = TypeVar("In", bound=BaseModel)
Out = TypeVar("Out", bound=BaseModel)

_USUAL_WINDOW = 24_000  # characters, for a model whose context length is not known
_WIDEST_WINDOW = 400_000
_CHARACTERS_PER_TOKEN = 2  # safely few: English has four, Chinese about one and a half
_INSTRUCTION_TOKENS = 2_000
_MOST_FORMS = 1024


@dataclass(frozen=True, slots=True)
class Sampling:
    """How a model chooses its words; None leaves it to the provider.

    `max_tokens` bounds a reply. With a `seed`, a provider that knows seeds repeats its answers.
    """

    max_tokens: int | None = 4096
    temperature: float | None = 0.0
    top_p: float | None = None
    seed: int | None = None


class LLMJudge(Judge):
    """Answers prompts with a language model. Make one with `llm_factory`.

    `system_prompt` is said before every prompt's own instruction. `timeout` is the deadline of one
    call in seconds. One judge may be used from several event loops and threads at once.
    """

    def __init__(
        self,
        provider: Provider,
        *,
        sampling: Sampling | None = None,
        system_prompt: str | None = None,
        cache: CacheInterface | None = None,
        timeout: float = 120.0,
        retries: Retries | None = None,
    ) -> None:
        if not timeout > 0:
            raise UsageError(f"timeout must be a positive number of seconds, not {timeout!r}")
        if cache is not None and not isinstance(cache, CacheInterface):
            raise UsageError(f"cache must be a CacheInterface, not {type(cache).__name__!r}")
        self._provider = provider
        self._sampling = sampling or Sampling()
        self._system_prompt = system_prompt
        self._cache = cache
        self._caller = Caller(provider, timeout, retries or Retries())
        self._name = f"{provider.name}/{provider.model}"
        self._keys = QuestionKeys(self._name, self._settings())
        self._flights: Flights[Answer[Any]] = Flights()
        self._forms: dict[tuple[str, str], OutputForm] = {}
        self._window: int | None = None

    def __repr__(self) -> str:
        return f"LLMJudge({self._name!r}, endpoint={self._provider.endpoint!r})"

    @property
    def provider(self) -> Provider:
        """Who carries the questions."""
        return self._provider

    @property
    def cache(self) -> CacheInterface | None:
        """Where answers are kept, if anywhere."""
        return self._cache

    @property
    def window(self) -> int | None:
        """How many characters of data go into one question; from the model's context length.

        Set it for a model that the price list does not know, such as your own server's.
        """
        if self._window is None:
            context = price_of(self._provider.endpoint, self._provider.model).context_tokens
            self._window = _window(context, self._sampling.max_tokens)
        return self._window

    @window.setter
    def window(self, characters: int | None) -> None:
        self._window = characters

    def describe(self) -> JudgeInfo:
        """Provider and model, with endpoint, sampling parameters and system prompt."""
        return JudgeInfo("llm", self._name, self._settings())

    def _settings(self) -> dict[str, Any]:
        sampling = self._sampling
        settings = {
            "endpoint": self._provider.endpoint,
            "max_tokens": sampling.max_tokens,
            "temperature": sampling.temperature,
            "top_p": sampling.top_p,
            "seed": sampling.seed,
            "system_prompt": self._system_prompt,
            **self._provider.settings,
        }
        return {name: value for name, value in settings.items() if value is not None}

    async def ask(self, prompt: Prompt[In, Out], data: In, *, sample: int = 0) -> Out:
        """Answer one prompt.

        Raises Unscored (judge_refused, truncated, too_long), ProviderError, or BadReply.
        """
        refuse_too_long(data, self.window)
        began = time.perf_counter()
        rendered = render(prompt, data)
        key = self._keys.key(prompt, rendered.system, rendered.user, sample, rendered.images)
        answer, paid = self._remembered(key, prompt.output), False
        if answer is None:
            answer, paid = await self._flights.join(
                (key, prompt.output), lambda: self._find_out(prompt, rendered, sample, key)
            )
        return self._deliver(prompt, data, answer, paid, time.perf_counter() - began)

    def _deliver(
        self, prompt: Prompt[In, Out], data: In, answer: Answer[Out], paid: bool, seconds: float
    ) -> Out:
        output = answer.output
        differs = answer.repaired or output is None
        record(
            Call(
                prompt=prompt.id,
                judge=self._name,
                input=prompt.dump(data),
                output=None if output is None else output.model_dump(mode="json"),
                usage=answer.usage if paid else Usage(cached_calls=1),
                seconds=seconds,
                cached=not paid,
                raw=(answer.raw or None) if differs else None,
            )
        )
        if output is None:
            assert answer.error is not None
            raise answer.error
        return output if paid else output.model_copy(deep=True)

    async def _find_out(
        self, prompt: Prompt[Any, Out], rendered: Rendered, sample: int, key: str
    ) -> Answer[Out]:
        request = self._request(prompt, rendered, sample)
        answer = await exchange(self._provider, self._caller.call, request, prompt.output)
        if answer.output is not None:
            self._remember(key, answer.output, answer)
        return answer

    def _request(self, prompt: Prompt[Any, Any], said: Rendered, sample: int) -> ChatRequest:
        own, sampling = self._system_prompt, self._sampling
        return ChatRequest(
            system=f"{own}\n\n{said.system}" if own else said.system,
            turns=(said.user,),
            form=self._form(prompt),
            max_tokens=sampling.max_tokens,
            temperature=sampling.temperature,
            top_p=sampling.top_p,
            seed=(sampling.seed or 0) + sample if sample else sampling.seed,
            sample=sample,
            images=said.images,
        )

    def _form(self, prompt: Prompt[Any, Any]) -> OutputForm:
        key = (prompt.id, prompt.content_hash)
        form = self._forms.get(key)
        if form is None:
            if len(self._forms) >= _MOST_FORMS:  # own prompts can be made without end
                self._forms.clear()
            form = OutputForm(_form_name(prompt.id), prompt.output.model_json_schema())
            self._forms[key] = form
        return form

    def _remembered(self, key: str, form: type[Out]) -> Answer[Out] | None:
        """The kept answer; what does not fit any more is asked for anew."""
        kept = self._cache.get(key) if self._cache is not None else None
        if not isinstance(kept, Mapping) or not isinstance(kept.get("reply"), str):
            return None
        try:
            output = form.model_validate_json(kept["reply"])
        except ValidationError:
            return None
        return Answer(output, None, Usage(), kept.get("raw") or "", bool(kept.get("raw")))

    def _remember(self, key: str, output: BaseModel, answer: Answer[Any]) -> None:
        if self._cache is None:
            return
        kept: dict[str, Any] = {"reply": answer.raw, "model": answer.model}
        if answer.repaired:
            kept |= {"reply": output.model_dump_json(by_alias=True), "raw": answer.raw}
        self._cache.set(key, kept)

    async def aclose(self) -> None:
        """Close the connections to the provider; the judge may be used again afterwards."""
        await self._provider.aclose()


def _form_name(prompt_id: str) -> str:
    """A name that providers accept: letters, digits, _ and -, at most 64."""
    kept = (c if c.isascii() and c.isalnum() else "_" for c in prompt_id)
    return "".join(kept)[:64] or "reply"


def _window(context_tokens: int | None, max_tokens: int | None) -> int:
    if context_tokens is None:
        return _USUAL_WINDOW
    reply = min(max_tokens or 0, context_tokens // 4)
    left = max(context_tokens - reply - _INSTRUCTION_TOKENS, context_tokens // 4)
    return min(left * _CHARACTERS_PER_TOKEN, _WIDEST_WINDOW)
