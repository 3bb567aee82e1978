"""Metrics of other packages: found by the entry-point group, or named when they are broken."""

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ragstone.cli import main
from ragstone.errors import UsageError
from ragstone.metrics import Metric, catalogue

MODULE = '''
from dataclasses import dataclass
from ragstone.metrics import Metric

@dataclass(frozen=True, kw_only=True)
class Loudness(Metric):
    """Share of capitals, 0 to 1, lower is better. Unscored: never. Source: ours."""

    name: str = "loudness"

    def measure(self, response: str) -> float:
        """Count."""
        return sum(map(str.isupper, response)) / max(1, len(response))
'''
POINTS = """
[ragstone.metrics]
loudness = loud_metrics:Loudness
gone = loud_metrics:Gone
lost = no_such_module_here:Lost
function = os.path:join
"""


@pytest.fixture(autouse=True)
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A package with metrics, as an installer leaves it."""
    (tmp_path / "loud_metrics.py").write_text(MODULE)
    info = tmp_path / "loud_metrics-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: loud-metrics\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(POINTS)
    monkeypatch.syspath_prepend(tmp_path)
    importlib.invalidate_caches()
    yield
    sys.modules.pop("loud_metrics", None)


def test_a_metric_of_a_package_is_in_the_catalogue() -> None:
    assert "loudness" in catalogue.names()
    metric = catalogue.build("loudness")
    assert metric.score(response="AB cd").value == 0.4
    assert catalogue.from_spec(metric.spec.to_dict()) == metric
    assert isinstance(metric, Metric)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("gone", "'gone' of the package 'loud-metrics' cannot be loaded"),
        ("lost", "'lost' of the package 'loud-metrics' cannot be loaded"),
        ("function", "'function' of the package 'loud-metrics' is no Metric class"),
    ],
)
def test_a_broken_one_names_its_package(name: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        catalogue.build(name)


def test_a_broken_one_does_not_hide_the_others(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["metrics", "--json"])
    out, err = capsys.readouterr()
    assert not stop.value.code
    assert '"loudness"' in out
    assert '"faithfulness"' in out
    assert "gone is left out" in err
    assert "lost is left out" in err
