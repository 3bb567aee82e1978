"""The command line: one file a command, loaded when it is called."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import NoReturn

from ragstone.cli.commands import ragstone
from ragstone.cli.faults import exit_code
from ragstone.cli.streams import accept_all_text

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and exit: 0 done, 1 failed (or a gate), 2 misuse, 130 interrupted."""
    accept_all_text()
    sys.exit(exit_code(ragstone, sys.argv[1:] if arguments is None else list(arguments)))
