"""A budget in words."""

from __future__ import annotations

import re

from ragstone.engine.budget import Budget
from ragstone.errors import UsageError

__all__ = ["parse_budget"]

_NUMBER = r"(\d[\d,]*(?:\.\d+)?|\.\d+)"
_MONEY = re.compile(rf"\$\s*{_NUMBER}", re.ASCII)
_COUNT = re.compile(rf"{_NUMBER}\s*([kM]?)\s*(calls?|tokens?)", re.ASCII)
_UNITS = {"": 1, "k": 1_000, "M": 1_000_000}


def parse_budget(text: str | None) -> Budget | None:
    """A budget from '$5', '1000 calls' or '2M tokens'; None stays None. Raises UsageError."""
    if text is None:
        return None
    if money := _MONEY.fullmatch(text.strip()):
        return Budget(money=_number(money[1]))
    if count := _COUNT.fullmatch(text.strip()):
        amount = round(_number(count[1]) * _UNITS[count[2]])
        calls = count[3].startswith("call")
        return Budget(calls=amount) if calls else Budget(tokens=amount)
    hint = " (put it in single quotes: a shell reads $5 as a variable)" if not text else ""
    raise UsageError(
        f"the budget {text!r} cannot be read{hint}; write '$5', '1000 calls' or '2M tokens'"
    )


def _number(digits: str) -> float:
    return float(digits.replace(",", ""))
