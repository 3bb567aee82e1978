"""What must begin anew in a process that was forked.

A fork copies locks that threads of the parent hold and counts of what they do, but not the
threads: in the child nobody would ever give them back.
"""

from __future__ import annotations

import os
import sys
import weakref
from typing import Protocol

__all__ = ["Forkable", "renew_in_child"]


class Forkable(Protocol):
    """Something that threads share."""

    def begin_anew(self) -> None:
        """Make new locks, and forget what only the parent's threads can end."""


_all: weakref.WeakSet[Forkable] = weakref.WeakSet()


def renew_in_child(thing: Forkable) -> None:
    """Let the thing begin anew, for as long as it lives, in every process that is forked."""
    _all.add(thing)


def _renew() -> None:
    for thing in list(_all):
        thing.begin_anew()


if sys.platform != "win32":  # which has no fork
    os.register_at_fork(after_in_child=_renew)
