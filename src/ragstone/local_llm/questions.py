"""The yes/no questions: their words, and P(yes) from the one token that answers them."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from math import exp
from typing import Any

from ragstone.errors import Unscored
from ragstone.local_llm.neutral import neutral

__all__ = ["Question", "first_token", "p_yes", "question", "questions_version"]


@dataclass(frozen=True, slots=True)
class Question:
    """A question that is answered with one word, yes or no.

    `beginnings` of the user's message are shared with other questions, from short to long.
    """

    system: str
    user: str
    beginnings: tuple[str, ...] = ("",)

    @property
    def body(self) -> dict[str, Any]:
        """The request: one token, with the probabilities of the likeliest twenty."""
        roles = (("system", self.system), ("user", self.user))
        return {
            "messages": [{"role": role, "content": text} for role, text in roles],
            "max_tokens": 1,
            "temperature": 0,
            "logprobs": True,
            "top_logprobs": 20,
        }


def question(task: str, /, **data: str) -> Question:
    """The question of a task about the data; no text in the data can end its turn."""
    words = _words()[task]
    safe = {name: neutral(text) for name, text in data.items()}
    beginnings = [""]
    if "shared" in words:
        beginnings.append(words["shared"].format(**safe))
    return Question(words["system"], words["user"].strip().format(**safe), tuple(beginnings))


def first_token(reply: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    """The likeliest first tokens of a reply; none when the model ended its turn at once."""
    tokens = (reply["choices"][0].get("logprobs") or {}).get("content") or ()
    return tokens[0]["top_logprobs"] if tokens else ()


def p_yes(top: Sequence[Mapping[str, Any]]) -> float:
    """Yes / (yes + no) over the likeliest tokens; Unscored("no_verdict") when neither is there."""
    mass = {"yes": 0.0, "no": 0.0}
    for token in top:
        word = str(token["token"]).strip().lower()
        if word in mass:
            mass[word] += exp(token["logprob"])
    if not (total := sum(mass.values())):
        raise Unscored("no_verdict", "the model answered neither yes nor no")
    return mass["yes"] / total


def questions_version() -> str:
    """The version of the words."""
    return str(_words()["version"])


@lru_cache(maxsize=1)
def _words() -> dict[str, Any]:
    source = resources.files("ragstone.local_llm") / "questions.toml"
    return tomllib.loads(source.read_text(encoding="utf-8"))
