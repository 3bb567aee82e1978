"""Metrics in files: they come back as they were, with their prompts, or say why not."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from ragstone.errors import UnknownMetric, UsageError
from ragstone.metrics import (
    AspectCritic,
    DiscreteMetric,
    ExactMatch,
    FactualCorrectness,
    Faithfulness,
    Metric,
    MetricResult,
)
from scripted import FakeJudge

OWN_WORDS = Faithfulness.nli_statement_prompt.with_words(
    instruction="Hold each item against the contexts: नमस्ते.", language="hindi"
)

METRICS: list[Metric] = [
    ExactMatch(),
    FactualCorrectness(mode="recall", beta=2.0, name="my recall"),
    AspectCritic(name="polite", definition="Is it polite?", strictness=3),
    DiscreteMetric(name="tone", prompt="Is {response} fine?", allowed_values=("good", "bad", 3)),
    Faithfulness(strict=True, nli_statement_prompt=OWN_WORDS),
]


@pytest.mark.parametrize("metric", METRICS, ids=lambda m: m.name)
@pytest.mark.parametrize("file", ["m.json", "m.json.gz", "m"])
def test_a_metric_comes_back_from_its_file(tmp_path: Path, metric: Metric, file: str) -> None:
    path = metric.save(tmp_path / file)
    for cls in (Metric, type(metric)):
        again = cls.load(path)
        assert again == metric
        assert (type(again), again.key, again.info()) == (type(metric), metric.key, metric.info())
    assert metric.save(path) == path
    assert [p.name for p in tmp_path.glob("m*")] == [path.name]


def test_where_a_file_goes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert ExactMatch().save() == Path("exact_match.json")
    assert ExactMatch(name="mine").save(tmp_path) == tmp_path / "mine.json"
    with pytest.raises(UsageError, match="no file name"):
        ExactMatch(name="a/b").save(tmp_path)
    assert ExactMatch(name="a/b").save(tmp_path / "ab") == tmp_path / "ab.json"
    with pytest.raises(FileNotFoundError):
        ExactMatch().save(tmp_path / "none" / "x.json")


def test_what_judges_is_not_kept(tmp_path: Path) -> None:
    path = Faithfulness(llm=FakeJudge({})).save(tmp_path)
    assert Faithfulness.load(path).llm is None
    assert "llm" not in path.read_text()


@dataclass(frozen=True, kw_only=True)
class Own(Metric):
    """A metric that is in no catalogue."""

    name: str = "own"
    limit: int = 3
    anything: Any = None

    def measure(self, response: str) -> MetricResult:
        """Whether the response is short."""
        return MetricResult(float(len(response) <= self.limit))


def test_a_metric_of_ones_own_is_loaded_with_its_class(tmp_path: Path) -> None:
    path = Own(limit=5).save(tmp_path)
    assert Own.load(path) == Own(limit=5)
    with pytest.raises(UnknownMetric, match="'own'"):
        Metric.load(path)
    with pytest.raises(UsageError, match="'own' cannot be saved as JSON"):
        Own(anything=object()).save(tmp_path)
    assert Own.load(path).limit == 5


def test_another_class_is_refused(tmp_path: Path) -> None:
    path = ExactMatch().save(tmp_path)
    with pytest.raises(UsageError, match="holds a ExactMatch, not a Faithfulness"):
        Faithfulness.load(path)
    data = json.loads(path.read_text())
    path.write_text(json.dumps({**data, "defined_in": "elsewhere:ExactMatch"}))
    with pytest.raises(UsageError, match="written by the class 'elsewhere:ExactMatch'"):
        Metric.load(path)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"format_version": "2.0"}, "format '2.0'"),
        ({"metric": None}, "holds no metric"),
        ({"config": {"stricct": True}}, "no parameter 'stricct'"),
        ({"config": {"strict": "perhaps"}}, "'strict' cannot be 'perhaps'"),
        ({"prompts": {"prompt": {}}}, "no prompt 'prompt'"),
        ({"prompts": {"nli_statement_prompt": {"id": "x"}}}, "holds no prompt"),
    ],
)
def test_a_file_that_was_changed_by_hand_says_what_is_wrong(
    tmp_path: Path, change: dict[str, Any], words: str
) -> None:
    path = Faithfulness().save(tmp_path)
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises(UsageError, match=words):
        Metric.load(path)
