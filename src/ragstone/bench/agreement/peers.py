"""Numbers that others have published for a set, with their sources."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

__all__ = ["Peer", "peers"]


@dataclass(frozen=True, slots=True)
class Peer:
    """A published number: whose, how much on the scale of the measure, and where it stands."""

    set: str
    measure: str
    name: str
    value: float
    source: str


def peers(name: str, measure: str) -> tuple[Peer, ...]:
    """The published numbers for a measure of a set, the highest first."""
    found = [peer for peer in _all() if (peer.set, peer.measure) == (name, measure)]
    return tuple(sorted(found, key=lambda peer: -peer.value))


@lru_cache(maxsize=1)
def _all() -> tuple[Peer, ...]:
    text = resources.files(__package__).joinpath("peers.toml").read_text(encoding="utf-8")
    return tuple(Peer(**entry) for entry in tomllib.loads(text)["peer"])
