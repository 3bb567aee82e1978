"""What was computed for a key, kept: each key is computed once, however many threads ask for it."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import Future
from functools import partial
from typing import Generic, TypeVar

from ragstone.local.worker import reading

__all__ = ["Remembered"]

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Remembered(Generic[K, V]):
    """The values of the `size` keys that were asked for last; new ones are computed in parallel."""

    def __init__(self, compute: Callable[[K], V], size: int) -> None:
        self._compute, self._size = compute, size
        self._lock = threading.Lock()
        self._known: OrderedDict[K, Future[V]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._known)

    def clear(self) -> None:
        """Forget all."""
        with self._lock:
            self._known.clear()

    def of(self, keys: Sequence[K]) -> list[V]:
        """The value of every key, in order. Raises what the computation raises, and forgets it."""
        with self._lock:
            wanted = [self._started(key) for key in keys]
            while len(self._known) > self._size:
                self._known.popitem(last=False)
        try:
            return [future.result() for future in wanted]
        except BaseException:
            self._forget_failed()
            raise

    def _started(self, key: K) -> Future[V]:
        if key in self._known:
            self._known.move_to_end(key)
        else:
            self._known[key] = reading(partial(self._compute, key))
        return self._known[key]

    def _forget_failed(self) -> None:
        with self._lock:
            failed = [k for k, f in self._known.items() if f.done() and f.exception() is not None]
            for key in failed:
                del self._known[key]
