"""Counting calls and tokens, with a judge that answers from a script."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ragstone.bench.calls.peers import peer
from ragstone.bench.calls.samples import EXAMPLES, sample_for
from ragstone.engine.cell import measure
from ragstone.engine.shared import SharedJudge
from ragstone.errors import UsageError
from ragstone.metrics import catalogue
from ragstone.metrics.base import Metric
from ragstone.prompt.claims import EXTRACT_CLAIMS
from ragstone.prompt.entities import EXTRACT_ENTITIES
from ragstone.prompt.prompt import In, Out, Prompt
from ragstone.schema.usage import Usage
from ragstone.testing.fakes import FakeEmbedder
from ragstone.testing.plausible import PlausibleJudge
from ragstone.tools.judge import Judge
from ragstone.tools.recording import recording
from ragstone.tools.sentences import statements
from ragstone.tools.toolbox import Toolbox

__all__ = ["PACK", "Counted", "count_metrics", "count_packs", "judged_metrics"]

PACK = ("faithfulness", "context_precision", "context_recall", "answer_relevancy")
"""The metrics that `evaluate` measures when none are named."""


@dataclass(frozen=True, slots=True)
class Counted:
    """What one sample takes: calls, tokens read and written, and what a peer documents."""

    metric: str
    calls: int
    input_tokens: int
    output_tokens: int
    peer_calls: int | None = None


def judged_metrics() -> list[Metric]:
    """The metrics of the catalogue that ask a judge, with their defaults."""
    made = [catalogue.from_spec({name: EXAMPLES.get(name, {})}) for name in _countable()]
    return [metric for metric in made if "judge" in metric.needs.tools]


def _countable() -> list[str]:
    """The names of the metrics that can be made."""
    return [name for name in sorted(catalogue.NAMES) if name in EXAMPLES or not _needs_more(name)]


def _needs_more(name: str) -> bool:
    """Whether the metric cannot be made of its defaults."""
    try:
        catalogue.from_spec({name: {}})
    except UsageError:
        return True
    return False


async def count_metrics(contexts: int = 5) -> list[Counted]:
    """Calls and tokens of each metric by itself, for one sample."""
    return [
        _counted(
            metric.registered_name(),
            [metric.registered_name()],
            await _usage([metric], _judge(), contexts),
            contexts,
        )
        for metric in judged_metrics()
    ]


async def count_packs(contexts: int = 5) -> list[Counted]:
    """The usual four metrics together, and with noise sensitivity, sharing what they ask."""
    found = []
    for names in _packs():
        metrics = [catalogue.from_spec({name: {}}) for name in names]
        usage = await _usage(metrics, SharedJudge(_judge()), contexts)
        found.append(_counted(" + ".join(names), names, usage, contexts))
    return found


def _packs() -> Iterator[Sequence[str]]:
    yield PACK
    if "noise_sensitivity" in catalogue.NAMES:
        yield (*PACK, "noise_sensitivity")


def _counted(title: str, names: Sequence[str], usage: Usage, contexts: int) -> Counted:
    documented = peer().of(names, contexts)
    return Counted(title, usage.calls, usage.input_tokens, usage.output_tokens, documented)


async def _usage(metrics: Sequence[Metric], judge: Judge, contexts: int) -> Usage:
    tools = Toolbox(judge, FakeEmbedder(), groundedness=_SmallModel())
    cells = [
        await measure(metric, 0, sample_for(metric, contexts), tools, raises=lambda _: True)
        for metric in metrics
    ]
    return Usage.total(cell.usage for cell in cells)


class _SmallModel(PlausibleJudge):
    """A groundedness model in this process: its answers are no calls of a language model."""

    async def ask(self, prompt: Prompt[In, Out], data: In, *, sample: int = 0) -> Out:
        """Answer, and keep that out of what is counted."""
        with recording():
            return await super().ask(prompt, data, sample=sample)


def _judge() -> Judge:
    """A judge that takes the sentences of a text for its claims, and its capitals for names."""
    return PlausibleJudge(
        {EXTRACT_CLAIMS.id: _sentences, EXTRACT_ENTITIES.id: _names, "own/order": _order}
    )


def _order(_: Any) -> dict[str, Any]:
    """The order of the example of a ranking metric."""
    return {"reason": "The text says so.", "value": ["tower", "metres"]}


def _sentences(data: Any) -> dict[str, Any]:
    return {"refuses": False, "claims": [piece.text for piece in statements(data.text)]}


def _names(data: Any) -> dict[str, Any]:
    found = dict.fromkeys(re.findall(r"[A-Z]\w+(?: [A-Z]\w+)*|\d+", data.text))
    return {"entities": [{"text": text, "kind": "other"} for text in found]}
