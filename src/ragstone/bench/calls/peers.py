"""What peers document about their calls."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

__all__ = ["Peer", "peer"]


@dataclass(frozen=True)
class Peer:
    """A peer, and the calls of its metrics as (fixed, for each context)."""

    name: str
    version: str
    source: str
    calls: dict[str, tuple[int, int]]

    def of(self, metrics: Sequence[str], contexts: int) -> int | None:
        """The calls of these metrics together; None when one of them is not documented."""
        found = [self.calls.get(metric) for metric in metrics]
        known = [calls for calls in found if calls is not None]
        if len(known) < len(found):
            return None
        return sum(fixed + each * contexts for fixed, each in known)


@lru_cache(maxsize=1)
def peer() -> Peer:
    """The peer whose counts are known."""
    source = resources.files("ragstone.bench.calls") / "peers.toml"
    (data,) = tomllib.loads(source.read_text(encoding="utf-8"))["peer"]
    calls = {name: (c.get("fixed", 0), c.get("each", 0)) for name, c in data["calls"].items()}
    return Peer(data["name"], data["version"], data["source"], calls)
