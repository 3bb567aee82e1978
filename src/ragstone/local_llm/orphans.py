"""Processes that were forked after the runtime had begun in the parent.

The runtime can load a model and answer there too. But it keeps one object for the whole process
whose thread only the parent has, and whatever frees that object waits for the thread without end:
to close a model does, and so does the end of the process.
"""

from __future__ import annotations

import ctypes
import sys
from typing import Any

from ragstone.forks import renew_in_child

__all__ = ["RUNTIME", "Runtime", "keep_for_ever"]


class Runtime:
    """What is known of the runtime in this process: has it begun, and was it forked since."""

    def __init__(self) -> None:
        self.begun = self.orphaned = False
        renew_in_child(self)

    def begin_anew(self) -> None:
        """Let a child of a process in which the runtime has begun end without it."""
        if self.begun and not self.orphaned:
            self.orphaned = True
            _end_at_once()


RUNTIME = Runtime()
"""The runtime of this process."""


def keep_for_ever(thing: Any) -> None:
    """Never let the thing be freed."""
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(thing))


def _end_at_once() -> None:
    """Once Python has ended, end the process with its status, before the runtime is taken down.

    The C library calls `_exit` with the status at that point. This is how glibc does it; on other
    systems a process that uses the runtime should not be forked but spawned.
    """
    if sys.platform == "linux":
        library = ctypes.CDLL(None)
        library.on_exit(library._exit, None)
