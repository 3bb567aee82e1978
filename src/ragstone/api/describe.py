"""The record of a run before it starts: everything that it is made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
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
        judge=_tool(plan, "judge"),
        embedder=_tool(plan, "embedder"),
        dataset=data.name,
        versions=versions(),
        git=git_revision(),
        group_by=group_by,
        left_out=plan.left_out,
        metadata=dict(metadata or {}),
    )


def _tool(plan: Plan, tool: str) -> JudgeInfo | None:
    """Who a tool is: one for all metrics, or "several", then with each metric's own."""
    used = {
        metric.key: getattr(metric.tools_from(plan.tools), tool).describe()
        for metric in plan.metrics
        if tool in metric.needs.tools
    }
    different = list({str(info): info for info in used.values()}.values())
    if len(different) > 1:
        names = ", ".join(sorted({info.name for info in different}))
        return JudgeInfo("several", names, {key: asdict(info) for key, info in used.items()})
    return different[0] if different else None
