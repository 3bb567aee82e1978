"""Metrics in folders of the user's own, named by RAGSTONE_METRICS."""

from __future__ import annotations

import importlib.util
import re
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import ModuleType

from ragstone.errors import UsageError
from ragstone.metrics.base import Metric, snake_case

__all__ = ["class_in", "metric_files"]

_CLASS = re.compile(r"^class (\w+)\(", re.MULTILINE)


def metric_files(folders: Iterable[Path]) -> Mapping[str, Path]:
    """The files by the registered name of their metric; nothing is imported.

    A file NAME.py is one when it writes a class of that name: `polite.py` with `class Polite(`.
    Raises UsageError for a folder that is not there, and for two files of one name.
    """
    found: dict[str, Path] = {}
    for folder in folders:
        if not folder.is_dir():
            raise UsageError(f"RAGSTONE_METRICS names {str(folder)!r}, which is no folder")
        for path in sorted(folder.glob("*.py")):
            if _class_name(path) is None:
                continue
            if path.stem in found:
                raise UsageError(
                    f"two files hold a metric {path.stem!r}: {found[path.stem]} and {path}"
                )
            found[path.stem] = path
    return found


def class_in(path: Path) -> type[Metric]:
    """The metric class of a file, imported once; raises UsageError when it cannot be loaded."""
    path = path.resolve()
    name = f"ragstone_metrics_{path.stem}"
    module = sys.modules.get(name)
    if module is None or module.__file__ != str(path):
        module = _imported(name, path)
    found = getattr(module, _class_name(path) or "", None)
    if not (isinstance(found, type) and issubclass(found, Metric)):
        del sys.modules[name]
        raise UsageError(f"{str(path)!r} holds no Metric class called {path.stem!r}")
    return found


def _imported(name: str, path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise UsageError(f"{str(path)!r} is no Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # as an import does; the types of a dataclass are looked up there
    try:
        spec.loader.exec_module(module)
    except (ImportError, SyntaxError, NameError, TypeError, UsageError) as error:
        del sys.modules[name]
        raise UsageError(f"{str(path)!r} cannot be loaded: {error}") from error
    return module


def _class_name(path: Path) -> str | None:
    """The class in the file whose registered name is the file's name."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None
    return next((n for n in _CLASS.findall(text) if snake_case(n) == path.stem), None)
