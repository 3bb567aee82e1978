"""One cell: whatever a metric does, it becomes one result, and the run goes on."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np
import pytest

from ragstone.engine.cell import is_fatal, measure
from ragstone.errors import (
    BadReply,
    BudgetExceeded,
    ProviderError,
    Unscored,
    UsageError,
)
from ragstone.metrics import ExactMatch, Faithfulness, Metric, MetricResult
from ragstone.schema.cells import Cell
from ragstone.tools.toolbox import Toolbox
from scripted import CLAIMS, SUPPORT, FakeJudge, claims, quiet, rows, sample


@dataclass(frozen=True, kw_only=True)
class Sync(Metric):
    """Does what it is told, in a thread."""

    name: str = "sync"
    act: Callable[[], Any] = lambda: 1.0

    def measure(self, response: str) -> Any:
        return self.act()


@dataclass(frozen=True, kw_only=True)
class Async(Metric):
    """Does what it is told, in the loop."""

    name: str = "async"
    act: Callable[[], Any] = lambda: 1.0

    async def measure(self, response: str) -> Any:
        return self.act()


def raises(error: BaseException) -> Callable[[], Any]:
    def act() -> Any:
        raise error

    return act


async def cell_of(metric: Metric, **options: Any) -> Cell:
    return await asyncio.wait_for(measure(metric, 3, sample(), Toolbox(), **options), 10)


both = pytest.mark.parametrize("kind", [Sync, Async])


@both
async def test_a_bare_value_is_a_score(kind: type[Any]) -> None:
    cell = await cell_of(kind(act=lambda: 0.25))
    assert (cell.row, cell.metric[: len(kind().name)]) == (3, kind().name)
    assert (cell.result.status, cell.result.value) == ("scored", 0.25)


@both
async def test_a_break_is_a_failed_result_with_its_error(kind: type[Any]) -> None:
    result = (await cell_of(kind(act=raises(ZeroDivisionError("by 0"))))).result
    assert (result.status, result.code, result.value) == ("failed", "error", None)
    assert result.error == "ZeroDivisionError: by 0"


@both
async def test_an_error_without_words_is_named(kind: type[Any]) -> None:
    assert (await cell_of(kind(act=raises(KeyError())))).result.error == "KeyError"


@both
async def test_an_honest_lack_of_a_score_is_no_error(kind: type[Any]) -> None:
    result = (await cell_of(kind(act=raises(Unscored("not_applicable", "no quotes"))))).result
    assert (result.status, result.code, result.reason) == (
        "unscored",
        "not_applicable",
        "no quotes",
    )


@both
@pytest.mark.parametrize(
    "value",
    [float("nan"), float("inf"), np.float32("nan"), np.float64("inf"), Decimal("NaN"), None],
    ids=repr,
)
async def test_t42_a_value_that_is_no_number_fails_and_is_never_a_score(
    kind: type[Any], value: Any
) -> None:
    """T42: NaN from a metric is that cell's error, not the mean of the whole run."""
    result = (await cell_of(kind(act=lambda: value))).result
    assert (result.status, result.value) == ("failed", None)


@pytest.mark.parametrize(
    ("value", "kept"),
    [(np.float32(0.5), 0.5), (np.int64(1), 1), (np.float64(0.5), 0.5), (True, True), (0, 0)],
    ids=repr,
)
async def test_numbers_of_other_kinds_are_kept_as_plain_numbers(value: Any, kept: Any) -> None:
    result = (await cell_of(Sync(act=lambda: value))).result
    assert result.value == kept
    assert type(result.value) in (int, float, bool)


@pytest.mark.parametrize(
    "value", [{"a": 1}, object(), b"x", [1, 2.5], 1 + 2j], ids=lambda value: type(value).__name__
)
async def test_what_is_no_score_at_all_fails_with_its_text(value: Any) -> None:
    result = (await cell_of(Sync(act=lambda: value))).result
    assert result.status == "failed"
    assert "UsageError" in str(result.error)


async def test_a_value_out_of_the_range_fails_and_names_the_range() -> None:
    result = (await cell_of(Sync(act=lambda: 7))).result
    assert result.status == "failed"
    assert "7, outside of its range 0 to 1" in str(result.error)


async def test_stop_iteration_in_a_thread_fails_and_does_not_hang() -> None:
    result = (await cell_of(Sync(act=lambda: next(iter(()))))).result
    assert result.status == "failed"
    assert "StopIteration" in str(result.error)


async def test_stop_iteration_in_the_loop_fails() -> None:
    assert (await cell_of(Async(act=raises(StopIteration())))).result.status == "failed"


@both
async def test_a_metric_that_is_cancelled_from_within_fails(kind: type[Any]) -> None:
    result = (await cell_of(kind(act=raises(asyncio.CancelledError())))).result
    assert (result.status, result.error) == ("failed", "CancelledError")


async def test_a_cell_that_is_told_to_stop_stops() -> None:
    started = asyncio.Event()

    @dataclass(frozen=True, kw_only=True)
    class Endless(Metric):
        name: str = "endless"

        async def measure(self, response: str) -> float:
            started.set()
            await asyncio.Event().wait()
            return 1.0

    task = asyncio.create_task(measure(Endless(), 0, sample(), Toolbox()))
    await started.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


@both
async def test_raise_exceptions_raises_the_very_error(kind: type[Any]) -> None:
    error = ZeroDivisionError("by 0")
    with pytest.raises(ZeroDivisionError) as caught:
        await cell_of(kind(act=raises(error)), raises=lambda _: True)
    assert caught.value is error


async def test_a_missing_field_of_one_row_is_unscored_and_named() -> None:
    cell = await measure(ExactMatch(), 0, sample(reference=None), Toolbox())
    assert (cell.result.status, cell.result.code) == ("unscored", "missing_field")
    assert "'reference'" in str(cell.result.reason)


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (BadReply("no JSON", raw="hm"), "bad_reply"),
        (ProviderError("slow down", provider="p", kind="rate_limit"), "rate_limit"),
        (ProviderError("refused", provider="p", kind="content_filter"), "content_filter"),
        (RuntimeError("x"), "error"),
    ],
)
async def test_the_code_names_the_kind_of_error(error: Exception, code: str) -> None:
    judge = FakeJudge({CLAIMS: error})
    cell = await measure(Faithfulness(), 0, sample(), Toolbox(judge=judge))
    assert (cell.result.status, cell.result.code) == ("failed", code)


@pytest.mark.parametrize("kind", ["authentication", "unknown_model"])
async def test_errors_that_every_cell_would_meet_are_raised(kind: str) -> None:
    error = ProviderError("no", provider="p", kind=kind)
    assert is_fatal(error)
    tools = Toolbox(judge=FakeJudge({CLAIMS: error}))
    with pytest.raises(ProviderError):
        await measure(Faithfulness(), 0, sample(), tools, raises=is_fatal)


async def test_a_cell_that_the_budget_cuts_off_fails_and_keeps_what_it_paid() -> None:
    judge = FakeJudge({CLAIMS: claims("A."), SUPPORT: BudgetExceeded("spent")})
    cell = await measure(Faithfulness(), 0, sample(), Toolbox(judge=judge))
    assert (cell.result.status, cell.result.code) == ("failed", "budget")
    assert cell.usage.calls == 1


async def test_usage_calls_and_seconds_are_of_this_cell() -> None:
    judge = FakeJudge({CLAIMS: {"refuses": True, "claims": []}})
    cell = await measure(Faithfulness(), 0, sample(), Toolbox(judge=judge))
    assert (cell.result.code, cell.usage.calls) == ("refusal", 1)
    assert [call.prompt for call in cell.calls] == [CLAIMS]
    assert 0 < cell.seconds < 10


async def test_a_sync_metric_does_not_hold_up_the_loop() -> None:
    ticks = 0

    async def tick() -> None:
        nonlocal ticks
        while True:
            ticks += 1
            await asyncio.sleep(0.01)

    ticking = asyncio.create_task(tick())
    await cell_of(Sync(act=lambda: time.sleep(0.2) or 1.0))
    ticking.cancel()
    assert ticks > 3


def test_a_scored_result_needs_a_value_and_an_unscored_one_has_none() -> None:
    with pytest.raises(UsageError, match="needs a value"):
        MetricResult(None)
    with pytest.raises(UsageError, match="has no value"):
        MetricResult(0.5, status="unscored", code="no_context")


def test_bad_cells_do_not_stop_a_run() -> None:
    acts = iter([lambda: 1.0, raises(ValueError("bad")), lambda: float("nan"), lambda: 0.0])
    result = quiet(rows(4), [Sync(act=lambda: next(acts)())], concurrency=1)
    (key,) = result.metrics
    assert result[key] == [1.0, None, None, 0.0]
    assert [r.status for r in result.results(key) if r is not None] == [
        "scored",
        "failed",
        "failed",
        "scored",
    ]
