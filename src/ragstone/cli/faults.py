"""From whatever goes wrong to one sentence and an exit code."""

from __future__ import annotations

import os
import traceback
import warnings
from collections.abc import Sequence
from typing import TextIO

import click

from ragstone.cli.wording import spoken
from ragstone.errors import RagstoneError, UsageError

__all__ = ["exit_code"]

FAILED, MISUSE, INTERRUPTED = 1, 2, 130


def exit_code(command: click.Command, arguments: Sequence[str]) -> int:
    """Run a command and return its exit code.

    Errors raised on purpose become one sentence on stderr; with RAGSTONE_DEBUG=1 the traceback
    stands above it. Any other error is a defect of ours and keeps its traceback. A reader that goes
    away (`| head`) ends the process quietly: click sees to that.
    """
    with warnings.catch_warnings():
        warnings.showwarning = _show_warning
        try:
            code = command.main(list(arguments), prog_name="ragstone", standalone_mode=False)
        except click.ClickException as error:
            error.show()
            return error.exit_code
        except (KeyboardInterrupt, click.Abort):
            return INTERRUPTED
        except (RagstoneError, OSError) as error:
            _say(error)
            return MISUSE if isinstance(error, UsageError) else FAILED
    return code if isinstance(code, int) else 0  # what a command gave to context.exit()


def _say(error: Exception) -> None:
    if os.environ.get("RAGSTONE_DEBUG") not in (None, "", "0"):
        traceback.print_exception(error)
    click.echo(f"Error: {_safe(str(error))}", err=True)


def _safe(message: str) -> str:
    """The message in the words of the command line; what a server sent cannot steer the screen."""
    from ragstone.report.plaintext import visible

    return visible(spoken(message))


def _show_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    click.echo(f"Note: {_safe(str(message))}", err=True)
