"""What a run was made of: package versions and the git revision of the working folder."""

from __future__ import annotations

import platform
import subprocess
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

__all__ = ["git_revision", "versions"]

_PACKAGES = (
    "ragstone",
    "ragstone-models",
    "pydantic",
    "numpy",
    "onnxruntime",
    "tokenizers",
    "spacy",
    "pydantic-ai-slim",
)


def versions() -> dict[str, str]:
    """Python and the packages that can move a score, as far as they are installed."""
    found = {"python": platform.python_version()}
    for name in _PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def git_revision(folder: Path | None = None) -> str | None:
    """The revision of the git work tree that `folder` is in, with "+" when files were changed."""
    try:
        where = str(folder or Path.cwd())
        head = _git(where, "rev-parse", "HEAD")
        changed = _git(where, "status", "--porcelain", "--untracked-files=no")
    except (OSError, subprocess.SubprocessError):
        return None
    return f"{head}{'+' if changed else ''}"


def _git(where: str, *arguments: str) -> str:
    done = subprocess.run(
        ["git", "--no-optional-locks", "-C", where, *arguments],  # only look, write nothing
        capture_output=True,
        text=True,
        check=True,
        timeout=5,
    )
    return done.stdout.strip()
