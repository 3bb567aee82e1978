"""Take up a run again that stopped: everything that it was made of comes from the store."""

from __future__ import annotations

import asyncio
from typing import Any

from ragstone import bridge
from ragstone.api.defaults import choose_embedder, choose_judge
from ragstone.api.evaluation import aevaluate
from ragstone.api.result import EvaluationResult
from ragstone.cache import DiskCacheBackend
from ragstone.data.dataset import EvaluationDataset
from ragstone.engine.budget import Budget
from ragstone.engine.comparable import versus
from ragstone.errors import UsageError
from ragstone.local_llm.catalogue import MODELS
from ragstone.metrics.base import Metric
from ragstone.metrics.catalogue import from_spec
from ragstone.schema.runs import JudgeInfo, MetricInfo, Run
from ragstone.settings import Settings
from ragstone.store.opening import open_store
from ragstone.store.store import Store
from ragstone.tools.embedder import Embedder
from ragstone.tools.judge import Judge

__all__ = ["aresume", "resume"]


async def aresume(
    run_id: str,
    llm: Judge | str | None = None,
    embeddings: Embedder | None = None,
    *,
    store: Store | str | None = None,
    budget: Budget | str | None = None,
    raise_exceptions: bool = False,
    show_progress: bool = True,
    concurrency: int = 64,
) -> EvaluationResult:
    """Measure what a stopped run still lacks, and the cells that failed. Nothing is paid twice.

    run_id        id, start of the id, or name of the run; "latest"
    llm           default: the judge of the run, rebuilt from its name and settings; a judge made
                  in code (an own client, several judges) must be given again
    embeddings    default: the local embedder
    store         a Store or database URL; default: the one of the settings

    Raises UsageError when the run cannot be continued as it began: another judge or embedder, a
    metric that is known to Python code only.
    """
    settings = Settings.from_env()
    opened = store if isinstance(store, Store) else open_store(store or settings.database_url)
    try:
        run = await asyncio.to_thread(opened.run, run_id)
        samples = await asyncio.to_thread(lambda: list(opened.samples(run.id)))
        _same_embedder(run, embeddings)
        return await aevaluate(
            EvaluationDataset(samples, name=run.dataset),
            [_rebuilt(run, info) for info in run.metrics],
            _judge(run, llm, settings),
            embeddings,
            store=opened,
            resume=run.id,
            group_by=run.group_by,
            budget=budget,
            raise_exceptions=raise_exceptions,
            show_progress=show_progress,
            concurrency=concurrency,
        )
    finally:
        if opened is not store:
            opened.close()


resume = bridge.sync(aresume, "resume")
"""Take up a run again; `aresume` from sync code, with its parameters."""


def _rebuilt(run: Run, info: MetricInfo) -> Metric:
    try:
        return from_spec(info.spec, defined_in=info.defined_in)
    except UsageError as error:
        raise UsageError(
            f"the run {run.id!r} cannot be resumed from its record alone: {error} "
            f"In Python: evaluate(data, metrics=[...], resume={run.id!r})"
        ) from error


def _judge(run: Run, llm: Judge | str | None, settings: Settings) -> Judge | None:
    if run.judge is None:
        return choose_judge(llm, settings) if llm is not None else None
    judge = _same_judge(run.judge, settings) if llm is None else choose_judge(llm, settings)
    if judge is None:
        raise UsageError(
            f"the run {run.id!r} was judged by {run.judge.name!r} ({run.judge.kind}), which "
            f"cannot be made again from its record; give it again: resume({run.id!r}, llm=...)"
        )
    if judge.describe() != run.judge:
        raise UsageError(
            f"the run {run.id!r} must be resumed with the judge that began it; "
            f"here the judges differ: {versus(run.judge, judge.describe())}"
        )
    return judge


def _same_judge(info: JudgeInfo, settings: Settings) -> Judge | None:
    """The judge that is described, None when a description is not enough to make it."""
    if info.kind == "local":
        return choose_judge("local", settings)
    if info.name.startswith("local-llm/"):
        return _same_local_llm(info, settings)
    return _same_llm(info, settings) if info.kind == "llm" else None


def _same_local_llm(info: JudgeInfo, settings: Settings) -> Judge | None:
    """The fetched model of that file name, with the threads and the context of the beginning."""
    folder = settings.models_dir
    file = folder / info.name.partition("/")[2]
    if not any(m.is_fetched(folder) and m.file(folder) == file for m in MODELS.values()):
        return None
    from ragstone.local_llm.judge import LocalLLMJudge

    told = {name: info.settings[name] for name in ("threads", "context")}
    return LocalLLMJudge(file, **told, cache=DiskCacheBackend(settings.cache_dir))


def _same_llm(info: JudgeInfo, settings: Settings) -> Judge | None:
    """The LLM at the usual endpoint of its provider or, if that is another, at the stored one."""
    from ragstone.llms.factory import llm_factory

    provider, _, model = info.name.partition("/")
    options = dict(info.settings)
    endpoint = options.pop("endpoint", None)
    options.pop("api_version", None)  # comes from the environment, as at the beginning
    told: dict[str, Any] = {"max_tokens": None, "temperature": None, **options}
    cache = DiskCacheBackend(settings.cache_dir)
    found, problem = None, None
    for base_url in (None, endpoint):
        try:
            found = llm_factory(model, provider, base_url=base_url, cache=cache, **told)
        except UsageError as error:
            problem = error
            continue
        if found.describe() == info:
            return found
    if found is None and problem is not None:
        raise problem
    return found


def _same_embedder(run: Run, embeddings: Embedder | None) -> None:
    if run.embedder is None:
        return
    chosen = choose_embedder(embeddings)
    described = chosen.describe() if chosen else None
    if described != run.embedder:
        raise UsageError(
            f"the run {run.id!r} must be resumed with the embedder that began it; "
            f"here the embedders differ: {versus(run.embedder, described)}"
        )
