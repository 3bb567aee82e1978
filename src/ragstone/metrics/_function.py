"""A plain function as a metric: what the three decorators make."""

from __future__ import annotations

import asyncio
import inspect
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ragstone.errors import UsageError
from ragstone.metrics._hints import Hints
from ragstone.metrics.base import Metric
from ragstone.metrics.signature import Needs
from ragstone.schema.results import MetricResult
from ragstone.schema.specs import MetricSpec
from ragstone.tools.embedder import Embedder
from ragstone.tools.judge import Judge

__all__ = ["FunctionMetric"]

_TOOLS = {"llm": "judge", "embeddings": "embedder"}


@dataclass(frozen=True, kw_only=True, repr=False)
class FunctionMetric(Metric):
    """A function, sync or async, that gives a value or a MetricResult for what it is given.

    Its parameters are the inputs: sample fields or other columns; parameters called `llm` and
    `embeddings` are the tools. `check` says what is wrong with a value, "" when nothing is; such a
    value is unscored (not_allowed). Called directly, the function runs as it is written, and its
    value comes back as a MetricResult. What it raises is raised. Unscored: what the function
    returns unscored, a value that is not allowed. Source: ours.
    """

    function: Callable[..., Any]
    kind: str = "DiscreteMetric"
    allowed_values: Any = None
    bounds: tuple[float | None, float | None] = (None, None)
    check: Callable[[Any], str] = field(default=lambda value: "", compare=False)
    higher_is_better: bool = True  # type: ignore[misc]

    silent = frozenset(
        {"function", "kind", "allowed_values", "bounds", "check", "higher_is_better"}
    )

    def __post_init__(self) -> None:
        own = ("__doc__", self.function.__doc__), *zip(("low", "high"), self.bounds, strict=True)
        for name, value in own:
            object.__setattr__(self, name, value)
        for name, parameter in self._parameters.items():
            if parameter.kind in (parameter.POSITIONAL_ONLY, parameter.VAR_POSITIONAL):
                raise UsageError(f"{self.name!r} reads fields by name, so {name!r} needs one")
        super().__post_init__()

    @property
    def spec(self) -> MetricSpec:
        """The name, the function and what it may give; code is needed to make the metric again."""
        where = f"{self.function.__module__}:{self.function.__qualname__}"
        allowed = self.allowed_values
        told = repr(allowed) if isinstance(allowed, range) else allowed
        parameters = {"name": self.name, "function": where, "allowed_values": told}
        return MetricSpec(self.registered_name(), parameters)

    @cached_property
    def needs(self) -> Needs:
        """The parameters of the function; those that may be None or have a default are optional."""
        named = {
            name: parameter
            for name, parameter in self._parameters.items()
            if name not in _TOOLS and parameter.kind is not parameter.VAR_KEYWORD
        }
        optional = [
            n for n, p in named.items() if p.default is not p.empty or self._hints.fit(n, None)
        ]
        return Needs(
            required=tuple(name for name in named if name not in optional),
            optional=tuple(optional),
            tools=tuple(tool for name, tool in _TOOLS.items() if name in self._parameters),
        )

    async def measure(
        self, *, judge: Judge | None = None, embedder: Embedder | None = None, **fields: Any
    ) -> MetricResult:
        """Run the function; one that is not async runs in a thread."""
        tools = {"llm": judge, "embeddings": embedder}
        given = {name: fields.get(name) for name in self.needs.optional if self._lacks(name)}
        given |= {name: self._hints.take(self.name, name, fields[name]) for name in fields}
        given |= {name: tool for name, tool in tools.items() if name in self._parameters}
        if inspect.iscoroutinefunction(self.function):
            return self._result(await self.function(**given))
        return self._result(await asyncio.to_thread(self._in_thread, given))

    async def ascore(
        self, *, llm: Judge | None = None, embeddings: Embedder | None = None, **values: Any
    ) -> MetricResult:
        """Measure one sample given as fields; fields that the function does not take are left out.

        Raises MissingField, and what the function raises.
        """
        known = (*self.needs.required, *self.needs.optional)
        if extra := [name for name in values if name not in known]:
            warnings.warn(
                f"{self.name!r} does not read {', '.join(map(repr, extra))}; it reads: "
                f"{', '.join(known)}",
                UserWarning,
                stacklevel=2,
            )
        kept = {name: value for name, value in values.items() if name in known}
        return await super().ascore(llm=llm, embeddings=embeddings, **kept)

    def __call__(self, *args: Any, **values: Any) -> Any:
        """Run the function as it is written; a result, or the coroutine of one."""
        found = self.function(*args, **values)
        return self._awaited(found) if inspect.isawaitable(found) else self._result(found)

    def __repr__(self) -> str:
        names = ", ".join(self._parameters)
        return f"{self.name}({names}) -> {self.kind}[{self.allowed_values!r}]"

    async def _awaited(self, found: Any) -> MetricResult:
        return self._result(await found)

    def _result(self, found: Any) -> MetricResult:
        result = found if isinstance(found, MetricResult) else None
        if result is not None and result.status != "scored":
            return result
        value = found if result is None else result.value
        if wrong := self.check(value):
            return MetricResult.unscored("not_allowed", f"{self.name!r} gave {value!r}: {wrong}")
        return MetricResult(value) if result is None else result

    def _in_thread(self, given: Mapping[str, Any]) -> Any:
        try:
            return self.function(**given)
        except StopIteration as error:  # asyncio cannot carry it, and would wait for ever
            raise RuntimeError(f"{self.name!r} raised StopIteration") from error

    @cached_property
    def _parameters(self) -> Mapping[str, inspect.Parameter]:
        return inspect.signature(self.function).parameters

    @cached_property
    def _hints(self) -> Hints:
        return Hints(self.function)

    def _lacks(self, name: str) -> bool:
        return self._parameters[name].default is inspect.Parameter.empty
