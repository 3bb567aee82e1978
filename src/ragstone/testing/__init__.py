"""Public fakes: test your own metrics and pipelines without a model, a key or a network.

    from ragstone.testing import FakeJudge, LLMServer, labels, sample

The names are loaded when first used: the fakes need no HTTP library, only the server does.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ragstone.testing.fakes import FakeEmbedder as FakeEmbedder
    from ragstone.testing.fakes import FakeJudge as FakeJudge
    from ragstone.testing.fakes import labels as labels
    from ragstone.testing.llm_server import Asked as Asked
    from ragstone.testing.llm_server import LLMServer as LLMServer
    from ragstone.testing.llm_server import Reply as Reply
    from ragstone.testing.llm_server import failure as failure
    from ragstone.testing.llm_server import from_schema as from_schema
    from ragstone.testing.llm_server import hang as hang
    from ragstone.testing.llm_server import reset as reset
    from ragstone.testing.plausible import PlausibleJudge as PlausibleJudge
    from ragstone.testing.samples import call as call
    from ragstone.testing.samples import dialogue as dialogue
    from ragstone.testing.samples import row as row
    from ragstone.testing.samples import rows as rows
    from ragstone.testing.samples import sample as sample

_HOMES = {
    "Asked": "ragstone.testing.llm_server",
    "FakeEmbedder": "ragstone.testing.fakes",
    "FakeJudge": "ragstone.testing.fakes",
    "LLMServer": "ragstone.testing.llm_server",
    "PlausibleJudge": "ragstone.testing.plausible",
    "Reply": "ragstone.testing.llm_server",
    "call": "ragstone.testing.samples",
    "dialogue": "ragstone.testing.samples",
    "failure": "ragstone.testing.llm_server",
    "from_schema": "ragstone.testing.llm_server",
    "hang": "ragstone.testing.llm_server",
    "labels": "ragstone.testing.fakes",
    "reset": "ragstone.testing.llm_server",
    "row": "ragstone.testing.samples",
    "rows": "ragstone.testing.samples",
    "sample": "ragstone.testing.samples",
}

__all__ = [*sorted(_HOMES)]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'ragstone.testing' has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
