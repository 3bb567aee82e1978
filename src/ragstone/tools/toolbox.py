"""The tools of a run, by the names under which a metric asks for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ragstone.errors import MissingTool
from ragstone.tools.embedder import Embedder
from ragstone.tools.judge import Judge

__all__ = ["Toolbox"]

_MEND = {
    "judge": "pass llm=llm_factory('gpt-4o-mini'), or install the local judge: "
    "pip install 'ragstone[local]'",
    "groundedness": "pass groundedness=LocalJudge() when making the metric, or install the local "
    "judge: pip install 'ragstone[local]'",
    "embedder": "pass embeddings=..., or install the local embedder: pip install 'ragstone[local]'",
}


@dataclass(frozen=True)
class Toolbox:
    """What a metric may use: a keyword-only parameter `judge` gets `judge`, and so on.

    `groundedness` is a judge that says whether contexts support statements, a local model.
    """

    judge: Judge | None = None
    embedder: Embedder | None = None
    groundedness: Judge | None = None

    def get(self, tool: str, metric: str) -> Any:
        """The tool, or MissingTool naming the metric and the mend."""
        found = getattr(self, tool)
        if found is None:
            raise MissingTool(f"{metric!r} needs a {tool}: {_MEND[tool]}")
        return found
