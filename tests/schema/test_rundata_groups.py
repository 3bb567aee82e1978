"""The groups of a run: a missing value is no group."""

import math
from datetime import UTC, datetime
from typing import Any

import numpy as np
import pytest

from ragstone.schema.rundata import RunData
from ragstone.schema.runs import Run
from ragstone.schema.samples import SingleTurnSample


def groups(values: list[Any], group_by: str | None = "topic") -> Any:
    run = Run("id", "name", datetime.now(UTC), (), len(values), "hash", group_by=group_by)
    samples = [SingleTurnSample(metadata={"topic": value}) for value in values]
    return RunData(run, samples, []).groups


@pytest.mark.parametrize("missing", [None, math.nan, math.inf, -math.inf, np.float32("nan")])
def test_a_missing_value_is_a_group_of_its_own(missing: Any) -> None:
    assert groups([missing, "a", missing, "a"]) == [("row", 0), "a", ("row", 2), "a"]


def test_every_other_value_is_a_group() -> None:
    found = groups([1, 0.5, "", "nan", True, 10**400])
    assert found[:5] == ["1", "0.5", "", "nan", "True"]
    assert len(found[5]) == 401
    assert groups(["a"], group_by=None) is None
