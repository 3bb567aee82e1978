"""Reading what may be damaged: a row that cannot be understood is named."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ragstone.errors import StoreError

__all__ = ["readable"]


@contextmanager
def readable(where: str, run_id: str, part: str) -> Iterator[None]:
    """Turn what goes wrong with a stored part of a run into a StoreError that names it."""
    try:
        yield
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
        why = str(error).partition("\n")[0]
        raise StoreError(
            f"the store {where} cannot read {part} of the run {run_id!r}, which is damaged: "
            f"{why}; restore the store from a copy, or delete the run"
        ) from error
