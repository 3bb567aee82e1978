"""What every metric is: a frozen dataclass with one method, `measure`."""

from __future__ import annotations

import asyncio
import inspect
import os
import re
from abc import ABC
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Self

from ragstone import bridge
from ragstone.errors import MissingField, Unscored, UsageError
from ragstone.metrics._prompts import PromptOwner
from ragstone.metrics.signature import Needs, read_needs
from ragstone.prompt.prompt import Prompt
from ragstone.schema.results import MetricResult, Value
from ragstone.schema.runs import MetricInfo
from ragstone.schema.samples import MultiTurnSample, Sample, SingleTurnSample
from ragstone.schema.specs import MetricSpec
from ragstone.tools.embedder import Embedder
from ragstone.tools.judge import Judge
from ragstone.tools.recording import recording
from ragstone.tools.toolbox import Toolbox

__all__ = ["Metric", "snake_case"]

_OWN_TOOLS = {"llm": "judge", "embeddings": "embedder"}


@dataclass(frozen=True, kw_only=True)
class Metric(PromptOwner, ABC):
    """One aspect of quality, measured on one sample at a time.

    A subclass writes `measure`, sync (then it runs in a thread) or async: its ordinary parameters
    are the sample fields that it reads, its keyword-only parameters the tools that it uses. `low`
    and `high` bound the value (None when it is a category), `higher_is_better` is its direction.
    A metric holds no state: results are returned, never kept. Only its prompts can be replaced.
    """

    name: str = ""
    llm: Judge | None = field(default=None, repr=False, compare=False)
    embeddings: Embedder | None = field(default=None, repr=False, compare=False)

    measure: ClassVar[Callable[..., Any]]
    low: ClassVar[float | None] = 0.0
    high: ClassVar[float | None] = 1.0
    higher_is_better: ClassVar[bool] = True
    silent: ClassVar[frozenset[str]] = frozenset()  # parameters that do not show in the key
    _class_needs: ClassVar[Needs]
    _is_async: ClassVar[bool]

    def __init_subclass__(cls) -> None:
        if "measure" in cls.__dict__:
            if cls.needs is Metric.needs:
                cls._class_needs = read_needs(cls.__name__, cls.measure)
            cls._is_async = inspect.iscoroutinefunction(cls.measure)

    def __post_init__(self) -> None:
        kind = type(self).__name__
        if not self.name:
            raise UsageError(f"{kind} needs a name: {kind}(name='...')")
        self.check_prompts()
        for given, tool in _OWN_TOOLS.items():
            if getattr(self, given) is not None and tool not in self.needs.tools:
                raise UsageError(f"{self.name!r} uses no {tool}, so it takes no {given}=")

    @property
    def needs(self) -> Needs:
        """The sample fields and tools that this metric uses."""
        return self._class_needs

    @classmethod
    def registered_name(cls) -> str:
        """The name under which the class stands in the catalogue."""
        return snake_case(cls.__name__)

    @classmethod
    def defined_in(cls) -> str:
        """The class itself, "module:qualname": two classes may share a registered name."""
        return f"{cls.__module__}:{cls.__qualname__}"

    @property
    def spec(self) -> MetricSpec:
        """The registered name and the parameters that differ from the defaults."""
        return MetricSpec(self.registered_name(), self._changed())

    def _changed(self) -> dict[str, Any]:
        values = {f.name: getattr(self, f.name) for f in fields(self) if f.compare}
        defaults = {f.name: f.default for f in fields(self)}
        return {name: _plain(value) for name, value in values.items() if value != defaults[name]}

    @cached_property
    def key(self) -> str:
        """The name under which results are kept; two configurations have two keys."""
        hidden = {"name", *self.silent, *self.prompts}
        shown = {name: value for name, value in self._changed().items() if name not in hidden}
        if not shown:
            return self.name
        return f"{self.name}({','.join(f'{name}={value}' for name, value in shown.items())})"

    def info(self) -> MetricInfo:
        """What a run stores of this metric."""
        return MetricInfo(
            key=self.key,
            spec=self.spec.to_dict(),
            low=self.low,
            high=self.high,
            higher_is_better=self.higher_is_better,
            prompts=tuple(prompt.describe() for prompt in self.prompts.values()),
            defined_in=self.defined_in(),
        )

    def tools_from(self, tools: Toolbox) -> Toolbox:
        """The given tools with this metric's own `llm` and `embeddings` in their place."""
        return replace(
            tools,
            judge=self.llm or tools.judge,
            embedder=self.embeddings or tools.embedder,
        )

    def select(self, sample: Sample) -> dict[str, Any]:
        """The fields of a sample that this metric reads; raises MissingField."""
        needs = self.needs
        values = {name: sample.value(name) for name in (*needs.required, *needs.optional)}
        return self._complete(values, sample.get_features)

    def _complete(
        self, values: Mapping[str, Any], available: Callable[[], Iterable[str]]
    ) -> dict[str, Any]:
        for name in self.needs.required:
            if values.get(name) is None:
                raise MissingField(self.key, name, available())
        return {name: _own(value) for name, value in values.items() if value is not None}

    async def run(self, values: Mapping[str, Any], tools: Toolbox) -> MetricResult:
        """Measure with fields and tools already chosen; an honest lack of a score is unscored."""
        chosen = {tool: tools.get(tool, self.key) for tool in self.needs.tools}
        try:
            if self._is_async:
                result = await self.measure(**values, **chosen)
            else:
                result = await asyncio.to_thread(self._measure_in_thread, **values, **chosen)
        except Unscored as signal:
            return MetricResult.unscored(signal.code, signal.detail)
        return self._in_range(result if isinstance(result, MetricResult) else MetricResult(result))

    def _measure_in_thread(self, **given: Any) -> Any:
        try:
            return self.measure(**given)
        except StopIteration as error:  # asyncio cannot carry it, and would wait for ever
            raise RuntimeError(f"{self.key!r} raised StopIteration") from error

    def _in_range(self, result: MetricResult) -> MetricResult:
        value, low, high = result.value, self.low, self.high
        if low is None or high is None or not isinstance(value, (int, float)):
            return result
        if not low <= value <= high:
            raise UsageError(
                f"{self.key!r} gave {value!r}, outside of its range {low:g} to {high:g}; "
                "set low and high of the metric"
            )
        return result

    async def ascore(
        self,
        *,
        llm: Judge | None = None,
        embeddings: Embedder | None = None,
        groundedness: Judge | None = None,
        **values: Any,
    ) -> MetricResult:
        """Measure one sample given as fields.

        The tools given here win over those of the constructor. The result is unscored
        when there is honestly no score. Raises MissingField, MissingTool, JudgeError.
        """
        known = (*self.needs.required, *self.needs.optional)
        for name in values:
            if name not in known:
                raise UsageError(
                    f"{self.key!r} does not read {name!r}; it reads: {', '.join(known)}"
                )
        chosen = self._complete(values, lambda: [k for k, v in values.items() if v is not None])
        own = self.tools_from(Toolbox())
        tools = Toolbox(
            judge=llm or own.judge,
            embedder=embeddings or own.embedder,
            groundedness=groundedness or own.groundedness,
        )
        with recording() as calls:
            result = await self.run(chosen, tools)
        if not calls:
            return result
        asked = {"input": [c.input for c in calls], "output": [c.output for c in calls]}
        return replace(result, traces=asked)

    def score(self, *args: Any, **values: Any) -> MetricResult:
        """`ascore` from sync code; works inside a running event loop too."""
        if args:
            names = ", ".join(f"{name}=..." for name in self.needs.required)
            raise TypeError(f"fields are given by keyword only: {self.name}.score({names})")
        return bridge.run(self.ascore(**values))

    async def abatch_score(
        self, inputs: Sequence[Mapping[str, Any]], **shared: Any
    ) -> list[MetricResult]:
        """Measure several samples at the same time; the results are in the order of the inputs."""
        return list(await asyncio.gather(*(self.ascore(**{**shared, **row}) for row in inputs)))

    def batch_score(self, inputs: Sequence[Mapping[str, Any]], **shared: Any) -> list[MetricResult]:
        """`abatch_score` from sync code."""
        return bridge.run(self.abatch_score(inputs, **shared))

    def save(self, path: str | os.PathLike[str] | None = None) -> Path:
        """Write the metric to a JSON file; the path is returned. A file that is there is replaced.

        Without a path, or for a folder, the file is NAME.json; `.gz` at the end compresses it. What
        judges and embeds is not kept. Raises UsageError for a parameter that is no plain data.
        """
        from ragstone.metrics.saving import save_metric

        return save_metric(self, path)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Read a metric that was saved, of this class or one below it.

        `Metric.load` reads any metric of the catalogue. Raises UsageError.
        """
        from ragstone.metrics.saving import load_metric

        return load_metric(cls, path)

    async def single_turn_ascore(self, sample: SingleTurnSample) -> Value:
        """The bare value for a sample, None when it is unscored."""
        return (await self.ascore(**self.select(sample))).value

    async def multi_turn_ascore(self, sample: MultiTurnSample) -> Value:
        """The bare value for a conversation, None when it is unscored."""
        return (await self.ascore(**self.select(sample))).value


def snake_case(class_name: str) -> str:
    """The registered name of a class: ToolCallF1 -> tool_call_f1, CHRFScore -> chrf_score."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", class_name).lower()


def _own(value: Any) -> Any:
    """A copy of what a metric could change, so that it cannot change what others score."""
    if isinstance(value, list):
        return [_own(each) for each in value]
    return {key: _own(each) for key, each in value.items()} if isinstance(value, dict) else value


def _plain(value: Any) -> Any:
    if isinstance(value, Prompt):
        return value.describe()
    if isinstance(value, range):
        return repr(value)
    if isinstance(value, Metric):
        return value.spec.to_dict() if value.spec.parameters else value.spec.metric
    if callable(value):
        kind = value if inspect.isroutine(value) else type(value)
        return f"{kind.__module__}:{kind.__qualname__}"
    return list(value) if isinstance(value, tuple) else value
