"""The words of a prompt: version, instruction and worked examples, kept as TOML by language."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any

from ragstone.errors import UsageError

__all__ = ["Example", "Words", "languages", "load_words", "read_words"]


@dataclass(frozen=True)
class Example:
    """One worked example: the input fields and the output that they should get."""

    input: dict[str, Any] = field(hash=False)  # so that a prompt can be a key
    output: dict[str, Any] = field(hash=False)


@dataclass(frozen=True)
class Words:
    """What a prompt says in one language."""

    version: str
    instruction: str
    examples: tuple[Example, ...] = ()


@lru_cache(maxsize=256)
def load_words(prompt_id: str, language: str = "en") -> Words:
    """Read the words of a prompt, such as "claims/support", in a language.

    Raises UsageError when there are none, naming the languages that exist.
    """
    have = languages(prompt_id)
    if language not in have:
        raise UsageError(
            f"no words for the prompt {prompt_id!r} in {language!r}; "
            f"there are: {', '.join(have) or 'none'}"
        )
    source = resources.files("ragstone.prompt") / "text" / language / f"{prompt_id}.toml"
    return _words(source.read_text(encoding="utf-8"))


def read_words(path: Path) -> Words:
    """The words of a prompt of your own, from a TOML file with version, instruction and examples.

    Raises UsageError naming the file when it holds no such words.
    """
    try:
        return _words(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, KeyError, AttributeError, TypeError) as error:
        raise UsageError(f"{str(path)!r} holds no words of a prompt: {error!r}") from error


def _words(text: str) -> Words:
    data = tomllib.loads(text)
    examples = tuple(Example(e["input"], e["output"]) for e in data.get("examples", ()))
    return Words(str(data["version"]), data["instruction"].strip(), examples)


def languages(prompt_id: str) -> list[str]:
    """The languages in which a prompt has words."""
    root = resources.files("ragstone.prompt") / "text"
    return sorted(d.name for d in root.iterdir() if (d / f"{prompt_id}.toml").is_file())
