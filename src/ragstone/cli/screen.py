"""What a command writes: results on stdout, notes on stderr."""

from __future__ import annotations

from typing import Any

import click
from pydantic_core import to_json
from rich.console import Console, RenderableType

__all__ = ["note", "show", "show_json"]


def show(*parts: RenderableType) -> None:
    """Print results. Colors only on a terminal, and never with NO_COLOR."""
    console = Console(highlight=False)
    with console.capture() as capture:
        for part in parts:
            console.print(part, markup=False)
    lines = capture.get().splitlines()  # tables fill their lines up with blanks
    click.echo("\n".join(line.rstrip() for line in lines))


def note(text: str) -> None:
    """Print a sentence that is no result."""
    Console(stderr=True, highlight=False).print(text, markup=False, soft_wrap=True)


def show_json(value: Any) -> None:
    """Print plain data as JSON in UTF-8; dataclasses become objects, what is unknown null."""
    click.echo(to_json(value, indent=2, inf_nan_mode="null", fallback=str))
