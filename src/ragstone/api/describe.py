"""The record of a run before it starts: everything that it is made of."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from ragstone.api.provenance import git_revision, versions
from ragstone.data.dataset import EvaluationDataset
from ragstone.engine.plan import Plan
from ragstone.schema.runs import JudgeInfo, Run

__all__ = ["describe_run"]


def describe_run(
    plan: Plan,
    data: EvaluationDataset,
    *,
    name: str | None = None,
    group_by: str | None = None,
    metadata: Mapping[str, Any] | None = None,
) -> Run:
    """The run that this plan will be; its name defaults to data set and time."""
    now = datetime.now(UTC)
    return Run(
        id=uuid4().hex[:12],
        name=name or f"{data.name or 'run'}-{now:%Y%m%d-%H%M%S}",
        created=now,
        metrics=tuple(metric.info() for metric in plan.metrics),
        n_rows=len(data),
        data_hash=data.content_hash,
        judge=_judge(plan),
        embedder=_embedder(plan),
        dataset=data.name,
        versions=versions(),
        git=git_revision(),
        group_by=group_by,
        left_out=plan.left_out,
        metadata=dict(metadata or {}),
    )


def _judge(plan: Plan) -> JudgeInfo | None:
    judges = [
        own.describe()
        for metric in plan.metrics
        if "judge" in metric.needs.tools and (own := metric.tools_from(plan.tools).judge)
    ]
    distinct = {(info.kind, info.name): info for info in judges}
    if len(distinct) > 1:
        names = ", ".join(name for _, name in distinct)
        settings = {info.name: info.settings for info in distinct.values()}
        return JudgeInfo("several", names, settings)
    return judges[0] if judges else None


def _embedder(plan: Plan) -> JudgeInfo | None:
    for metric in plan.metrics:
        if "embedder" in metric.needs.tools and (own := metric.tools_from(plan.tools).embedder):
            return own.describe()
    return None
