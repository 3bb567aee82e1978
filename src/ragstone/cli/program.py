"""How this program is called here, for hints that can be copied."""

from __future__ import annotations

import shlex
import shutil
import sys
from pathlib import Path

__all__ = ["program"]

_NAME = "ragstone"


def program() -> str:
    """`ragstone` when the shell finds it, else the way in which it was started."""
    if shutil.which(_NAME):
        return _NAME
    if Path(sys.argv[0]).stem == _NAME:
        return shlex.quote(sys.argv[0])
    return f"{shlex.quote(sys.executable)} -m {_NAME}"
