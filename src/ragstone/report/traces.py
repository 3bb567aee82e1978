"""The call of a judge as compact text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ragstone.schema.samples import Sample
from ragstone.schema.usage import Call

__all__ = ["known_texts", "trace_text"]

_LONG = 40


def known_texts(sample: Sample) -> dict[str, str]:
    """The long texts of a sample and their places, such as {"...": "response"}."""
    found: dict[str, str] = {}
    for field, value in sample.to_dict().items():
        if isinstance(value, str):
            found.setdefault(value, field)
        elif isinstance(value, list):
            for index, item in enumerate(value):
                if isinstance(item, str):
                    found.setdefault(item, f"{field}[{index}]")
    return {text: place for text, place in found.items() if len(text) >= _LONG}


def trace_text(call: Call, known: Mapping[str, str]) -> str:
    """Input and output of a call, one line a value.

    A text that stands in the row already is named, not repeated, so that a report stays small.
    """
    lines = ["input", *_lines(call.input, known, "  ")]
    if call.output is not None:
        lines += ["output", *_lines(call.output, known, "  ")]
    if call.raw is not None:
        lines += ["raw reply", *(f"  {line}" for line in call.raw.splitlines())]
    return "\n".join(lines)


def _lines(value: Any, known: Mapping[str, str], indent: str) -> Iterator[str]:
    if isinstance(value, Mapping):
        pairs = [(f"{key}:", item) for key, item in value.items()]
    elif isinstance(value, (list, tuple)):
        pairs = [("-", item) for item in value]
    else:
        yield f"{indent}{_scalar(value, known, indent)}"
        return
    for name, item in pairs:
        if isinstance(item, (Mapping, list, tuple)) and item:
            yield f"{indent}{name}"
            yield from _lines(item, known, indent + "  ")
        else:
            yield f"{indent}{name} {_scalar(item, known, indent + '  ')}"


def _scalar(value: Any, known: Mapping[str, str], indent: str) -> str:
    if not isinstance(value, str):
        return "null" if value is None else str(value)
    if value in known:
        return f"⟨{known[value]}⟩"
    return value.replace("\n", f"\n{indent}")
