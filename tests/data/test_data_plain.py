"""Values of any origin become plain JSON values, or are refused."""

from __future__ import annotations

import datetime
import decimal
import enum
import math
import subprocess
import sys
from collections import OrderedDict

import numpy as np
import pandas as pd
import pytest

from ragstone.data.dataset import EvaluationDataset
from ragstone.data.plain import plain
from ragstone.errors import BadDataset
from ragstone.messages import ToolCall


class Color(enum.Enum):
    RED = "red"


class Word(str):
    __slots__ = ()

    def __str__(self) -> str:
        return "not this"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (math.nan, None),
        (np.float64("nan"), None),
        (np.float32(0.5), 0.5),
        (np.int64(3), 3),
        (np.bool_(True), True),
        (np.str_("a"), "a"),
        (np.array(["a", None, "c"], dtype=object), ["a", None, "c"]),
        (np.array([[1, 2], [3, 4]]), [[1, 2], [3, 4]]),
        (pd.NA, None),
        (pd.NaT, None),
        (pd.Timestamp("2024-01-02"), "2024-01-02T00:00:00"),
        (datetime.date(2024, 1, 2), "2024-01-02"),
        (decimal.Decimal("1.10"), "1.10"),
        (Color.RED, "red"),
        (Word("this"), "this"),
        (OrderedDict(a=(1, math.nan)), {"a": [1, None]}),
        (ToolCall(name="f", args={"a": np.int64(1)}), {"name": "f", "args": {"a": 1}}),
        ("nul \x00 stays", "nul \x00 stays"),
    ],
)
def test_values_become_plain(value, expected):
    found = plain(value)
    assert found == expected
    assert type(found) is type(expected)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (math.inf, "inf has no JSON form"),
        ([-math.inf], "no JSON form"),
        ("half \ud83d", "lone surrogate at character 5"),
        ({"\ud83d": 1}, "lone surrogate"),
        ({1: "a"}, "key 1 is not text"),
        (object(), "type 'object' has no JSON form"),
        (b"\xff", "type 'bytes' has no JSON form"),
    ],
)
def test_what_has_no_form_is_refused(value, message):
    with pytest.raises(ValueError, match=message):
        plain(value)
    with pytest.raises(BadDataset, match=f"row 0, column 'note': .*{message}"):
        EvaluationDataset.from_list([{"note": value}])


def test_deep_nesting_is_refused():
    value: list = []
    for _ in range(5_000):
        value = [value]
    with pytest.raises(BadDataset, match="row 0, column 'note': nested too deeply"):
        EvaluationDataset.from_list([{"note": value}])


def test_the_import_is_light():
    code = (
        "import sys, ragstone; ragstone.EvaluationDataset; import ragstone.data.readers; "
        "print([m for m in ('numpy', 'pandas', 'pyarrow', 'datasets') if m in sys.modules])"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"
