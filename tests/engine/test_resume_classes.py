"""A metric is its class: another class of the same name is another metric."""

from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from compared_runs import run_data

from ragstone.api.resume import resume
from ragstone.engine.comparable import obstacle
from ragstone.errors import UsageError
from ragstone.metrics import ExactMatch as LibraryExactMatch
from ragstone.metrics.base import Metric
from scripted import quiet, rows

OWN = f"{__name__}:ExactMatch"
LIBRARY = "ragstone.metrics.text.exact_match:ExactMatch"


@dataclass(frozen=True, kw_only=True)
class ExactMatch(Metric):
    """A user's class that shares a name with one of the library."""

    name: str = "exact_match"

    def measure(self, response: str) -> float:
        """Always 0.25, which the library never gives."""
        if not response:
            raise ValueError("empty")
        return 0.25


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'runs.db'}"


def test_a_run_keeps_the_class(url: str) -> None:
    result = quiet(rows(2), [ExactMatch(), LibraryExactMatch(name="theirs")], store=url)
    assert [info.defined_in for info in result.data.run.metrics] == [OWN, LIBRARY]


def test_the_class_of_the_library_does_not_go_on_for_another(url: str) -> None:
    first = quiet(rows(2), [ExactMatch()], store=url)
    with pytest.raises(UsageError, match=f"was the class '{OWN}', but .* '{LIBRARY}'") as refused:
        resume(first.run_id, store=url, show_progress=False)
    assert "evaluate(data, metrics=[...], resume=" in str(refused.value)
    with pytest.raises(UsageError, match=f"'{OWN}', now .* '{LIBRARY}'; resume .* same class"):
        quiet(rows(2), [LibraryExactMatch()], store=url, resume=first.run_id)
    again = quiet(rows(2), [ExactMatch()], store=url, resume=first.run_id)
    assert again["exact_match"] == [0.25, 0.25]


def test_runs_of_two_classes_are_not_comparable() -> None:
    run = run_data({"exact_match": [1.0]}).run

    def of(defined_in: str):  # type: ignore[no-untyped-def]
        (info,) = run.metrics
        return replace(run, metrics=(replace(info, defined_in=defined_in),))

    assert (
        obstacle(of(OWN), of(LIBRARY), "exact_match") == f"its classes differ: {OWN} and {LIBRARY}"
    )
    assert obstacle(of(OWN), of(OWN), "exact_match") is None
    assert obstacle(of(""), of(LIBRARY), "exact_match") is None
