"""Evaluate a data set: plan, measure, store, summarize."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import aclosing
from typing import Any, Literal

from ragstone import bridge
from ragstone.api.defaults import choose_tools
from ragstone.api.describe import describe_run
from ragstone.api.progress import ProgressBar
from ragstone.api.recorder import Recorder, open_recorder
from ragstone.api.result import EvaluationResult
from ragstone.api.sources import as_dataset
from ragstone.data.dataset import EvaluationDataset
from ragstone.engine.budget import Budget
from ragstone.engine.evaluation import Evaluation
from ragstone.engine.plan import Plan, choose_defaults, make_plan
from ragstone.errors import StoreError, UsageError
from ragstone.metrics.base import Metric
from ragstone.metrics.catalogue import build
from ragstone.schema.cells import Cell
from ragstone.schema.runs import RunState
from ragstone.settings import Settings
from ragstone.store.store import Store
from ragstone.tools.embedder import Embedder
from ragstone.tools.judge import Judge
from ragstone.tools.toolbox import Toolbox

__all__ = ["DEFAULT_METRICS", "aevaluate", "evaluate"]

DEFAULT_METRICS = ("answer_relevancy", "context_precision", "faithfulness", "context_recall")


async def aevaluate(  # noqa: PLR0913 - the documented entry point
    dataset: Any,
    metrics: Sequence[Metric] | None = None,
    llm: Judge | str | None = None,
    embeddings: Embedder | None = None,
    *,
    name: str | None = None,
    store: Store | str | Literal[False] | None = None,
    resume: str | None = None,
    budget: Budget | str | None = None,
    raise_exceptions: bool = False,
    column_map: Mapping[str, str] | None = None,
    show_progress: bool = True,
    callbacks: Sequence[Callable[[Cell], None]] | None = None,
    group_by: str | None = None,
    concurrency: int = 64,
    metadata: Mapping[str, Any] | None = None,
) -> EvaluationResult:
    """Measure every metric on every sample of a data set.

    dataset       EvaluationDataset, list of dicts, dict of columns, path of a CSV, JSONL or Parquet
                  file, pandas DataFrame, Hugging Face Dataset; `column_map` maps {field: column}
    metrics       default: answer relevancy, context precision, faithfulness and context recall,
                  less those whose fields the data lack
    llm           a judge, "local", or a model name; default: an LLM whose key is in the
                  environment, else the local judge
    store         a Store or database URL; default: the one of the settings; False keeps nothing
    resume        id of a run that stopped: its finished cells are not measured again
    budget        the most that the run may take, a Budget or "$5", "1000 calls", "2M tokens"; when
                  it is spent the run stops and keeps its cells
    callbacks     functions called with each finished cell
    group_by      column that names what rows belong together (document, conversation, user): the
                  intervals are then clustered
    concurrency   cells under way at the same time

    Failed cells are kept with their error and the run goes on, unless `raise_exceptions`. Raises
    UsageError before the first call when the plan cannot work, and ProviderError when every cell
    would fail (a wrong key, an unknown model).
    """
    settings, limit = Settings.from_env(), Budget.of(budget)
    data = as_dataset(dataset, column_map)
    tools = choose_tools(llm, embeddings, metrics or (), settings)
    plan = _plan(data, metrics, tools)
    if group_by is not None and group_by not in data.features():
        raise UsageError(f"no column {group_by!r} to group by; there are: {data.features()}")
    recorder = open_recorder(store, settings)
    try:
        new = describe_run(plan, data, name=name, group_by=group_by, metadata=metadata)
        run = await recorder.begin(new, data, resume)
        evaluation = Evaluation(plan, recorder.finished, limit, concurrency, raise_exceptions)
        bar = ProgressBar(plan.size, len(recorder.finished), show=show_progress)
        try:
            with bar:
                await _measure(evaluation, recorder, bar, callbacks or ())
        finally:
            if recorder.stopped_by and store is not False:
                bar.say_stopped(evaluation.stopped_by, run.id)
        return EvaluationResult(await recorder.data(data))
    finally:
        recorder.close()


evaluate = bridge.sync(aevaluate, "evaluate")
"""Measure every metric on every sample; `aevaluate` from sync code, with its parameters.

Works inside a running event loop (a notebook, a web handler) and under uvloop. Ctrl-C stops the run
cleanly: what was scored is kept and can be resumed.
"""


def _plan(data: EvaluationDataset, metrics: Sequence[Metric] | None, tools: Toolbox) -> Plan:
    if metrics is not None:
        return make_plan(data, metrics, tools)
    chosen, left_out = choose_defaults(data, [build(name) for name in DEFAULT_METRICS])
    if not chosen:
        reasons = "; ".join(f"{key}: {reason}" for key, reason in left_out.items())
        raise UsageError(f"no default metric fits these data ({reasons}); pass metrics=[...]")
    return make_plan(data, chosen, tools, left_out)


async def _measure(
    evaluation: Evaluation,
    recorder: Recorder,
    bar: ProgressBar,
    callbacks: Sequence[Callable[[Cell], None]],
) -> None:
    started = time.monotonic()
    stopped_by: str | None = "interrupt"

    async def keep(cells: Sequence[Cell]) -> None:
        unkept.extend(cells)
        await recorder.add(unkept)
        kept = [*unkept]
        unkept.clear()
        bar.advance(kept)
        for watch in callbacks:
            for cell in kept:
                watch(cell)

    unkept: list[Cell] = []  # when the run is stopped in the midst of adding, they are added again
    try:
        async with aclosing(evaluation.batches()) as batches:
            async for cells in batches:
                await keep(cells)
        stopped_by = evaluation.stopped_by
    except asyncio.CancelledError:
        await keep(evaluation.leftover)
        raise
    except BaseException as error:
        if isinstance(error, Exception):
            stopped_by = str(error) or type(error).__name__
        if not isinstance(error, StoreError):
            await recorder.add(evaluation.leftover)
            bar.advance(evaluation.leftover)
        raise
    finally:
        state: RunState = "stopped" if stopped_by else "done"
        await recorder.end(state, stopped_by, time.monotonic() - started)
