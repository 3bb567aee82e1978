"""The models that ship in the package ragstone-models: their names, and whether they are whole."""

from __future__ import annotations

from pathlib import Path

from ragstone.errors import MissingExtra, RagstoneError

__all__ = ["packaged_folder", "packaged_models", "verify_packaged"]


def packaged_models() -> list[str]:
    """The names; none when the package is not installed."""
    try:
        from ragstone_models import names
    except ImportError:
        return []
    found: list[str] = names()
    return found


def packaged_folder(name: str) -> Path:
    """Where the files of a model lie. Raises MissingExtra."""
    try:
        from ragstone_models import model
    except ImportError as error:
        raise MissingExtra("the packaged models", "local") from error
    return Path(model(name).directory)


def verify_packaged(name: str) -> None:
    """Hash the files of a model. Raises RagstoneError when one is damaged, MissingExtra."""
    try:
        from ragstone_models import DamagedModel, verify
    except ImportError as error:
        raise MissingExtra("the packaged models", "local") from error
    try:
        verify(name)
    except DamagedModel as error:
        raise RagstoneError(str(error)) from error
