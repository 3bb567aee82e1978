"""One cell: one metric on one sample. The one place where any exception is caught."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from ragstone.errors import BadReply, BudgetExceeded, MissingField, ProviderError
from ragstone.metrics.base import Metric
from ragstone.schema.cells import Cell
from ragstone.schema.results import MetricResult
from ragstone.schema.samples import Sample
from ragstone.schema.usage import Usage
from ragstone.tools.recording import recording
from ragstone.tools.toolbox import Toolbox

__all__ = ["is_fatal", "measure"]


async def measure(
    metric: Metric,
    row: int,
    sample: Sample,
    tools: Toolbox,
    *,
    raises: Callable[[Exception], bool] = lambda _: False,
) -> Cell:
    """Measure one cell. A break becomes a failed result with its error, unless `raises` wants it.

    A cell that the budget cuts off fails with the code "budget" and keeps the calls that it made.
    What means to end the program (KeyboardInterrupt, SystemExit) is always raised.
    """
    started = time.perf_counter()
    with recording() as calls:
        try:
            result = await metric.run(metric.select(sample), tools)
        except MissingField as error:
            if raises(error):
                raise
            result = MetricResult.unscored("missing_field", f"the row has no {error.field!r}")
        except Exception as error:
            if raises(error):
                raise
            result = MetricResult.failed(_message(error), code=_code(error))
        except asyncio.CancelledError as error:
            if _told_to_stop():
                raise
            result = MetricResult.failed(_message(error))  # the metric was cancelled from within
    return Cell(
        row=row,
        metric=metric.key,
        result=result,
        usage=Usage.total(call.usage for call in calls),
        seconds=time.perf_counter() - started,
        calls=tuple(calls),
    )


def is_fatal(error: Exception) -> bool:
    """Whether every other cell would meet the same error: a wrong key, an unknown model."""
    return isinstance(error, ProviderError) and error.kind in ("authentication", "unknown_model")


def _told_to_stop() -> bool:
    task = asyncio.current_task()
    return task is None or task.cancelling() > 0


def _message(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__


def _code(error: Exception) -> str:
    if isinstance(error, ProviderError):
        return error.kind
    if isinstance(error, BudgetExceeded):
        return "budget"
    return "bad_reply" if isinstance(error, BadReply) else "error"
