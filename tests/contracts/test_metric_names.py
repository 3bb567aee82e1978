"""What every metric says of itself and refuses. A new one is held to it by being listed."""

import dataclasses
import json
import re
from dataclasses import FrozenInstanceError
from typing import Any

import pytest
from every_metric import OWN, every, fields_for, make, tools_for

from ragstone.errors import MissingField, MissingTool, UnknownMetric, UsageError
from ragstone.metrics import catalogue
from ragstone.prompt.prompt import Prompt
from scripted import (
    FakeJudge,
)


@every
def test_it_is_documented(name: str) -> None:
    metric = make(name)
    text = " ".join(str(type(metric).__doc__).split())
    assert "Unscored:" in text
    assert "Source:" in text
    assert ("Calls:" in text) == bool(metric.needs.tools and "judge" in metric.needs.tools)
    if metric.low is not None:
        span = f"{metric.low:g} to {metric.high:g}"
        assert re.search(rf"{span}|1(\.0)? when .*0(\.0)?[ .;]", text), "the range is missing"
        assert re.search(r"(higher|lower) is better|higher_is_better", text)
    assert "measure" in type(metric).__dict__
    assert type(metric).measure.__doc__


@every
def test_its_names_agree(name: str) -> None:
    metric = make(name)
    assert type(metric).registered_name() == name
    assert metric.name == OWN.get(name, {}).get("name", name)
    assert catalogue.metric_class(name) is type(metric)
    assert type(metric).__name__ == catalogue.NAMES[name]


@every
def test_its_spec_makes_it_again(name: str) -> None:
    metric = make(name)
    spec = json.loads(json.dumps(metric.spec.to_dict()))
    again = catalogue.from_spec(spec)
    assert again == metric
    assert (again.key, again.info()) == (metric.key, metric.info())


VARIANTS: list[tuple[str, dict[str, Any]]] = [
    ("faithfulness", {"strict": True}),
    ("context_precision", {"strict": True}),
    ("answer_relevancy", {"strictness": 5}),
    ("factual_correctness", {"mode": "recall", "beta": 2.0, "atomicity": "high"}),
    ("semantic_similarity", {"threshold": 0.5}),
    ("bleu_score", {"kwargs": {"smooth_method": "floor", "smooth_value": 0.1}}),
    ("chrf_score", {"kwargs": {"char_order": 4, "word_order": 2}}),
    ("rouge_score", {"rouge_type": "rouge1", "mode": "recall"}),
    ("data_compy_score", {"mode": "columns", "metric": "recall", "on": ["id"]}),
    ("sql_semantic_equivalence", {"dialect": "postgres"}),
    ("execution_accuracy", {"timeout": 5.0, "max_rows": 10}),
    ("aspect_critic", {"strictness": 3, "higher_is_better": False}),
    ("discrete_metric", {"allowed_values": ["good", "bad", 3], "strictness": 3}),
    ("domain_specific_rubrics", {"with_reference": True}),
    ("simple_criteria", {"scale": [1, 10], "strictness": 3}),
    ("tool_call_accuracy", {"strict_order": False, "arg_comparison": "exact_match"}),
    ("topic_adherence", {"mode": "recall"}),
]


@pytest.mark.parametrize(("name", "parameters"), VARIANTS, ids=lambda v: str(v))
def test_other_parameters_survive_the_spec_and_show_in_the_key(
    name: str, parameters: dict[str, Any]
) -> None:
    metric = make(name, **parameters)
    assert catalogue.from_spec(json.loads(json.dumps(metric.spec.to_dict()))) == metric
    shown = {k for k in parameters if k not in ("name", *metric.silent)}
    assert all(f"{key}=" in metric.key for key in shown)
    assert metric.key != make(name).key


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ({"faithfulness": {"strictt": True}}, "no parameter 'strictt'; it has: .*strict"),
        ({"faithfulness": {}, "exact_match": {}}, "one name"),
        ({}, "one name"),
        ({"answer_relevancy": {"strictness": "many"}}, "'strictness'.*'many'"),
        ({"answer_relevancy": {"strictness": 0}}, "1 or more"),
        ({"factual_correctness": {"mode": "f2"}}, "mode.*'f2'"),
        ({"factual_correctness": {"beta": None}}, "'beta'"),
        ({"semantic_similarity": {"threshold": 7}}, "threshold"),
        ({"bleu_score": {"kwargs": {"tokenize": "flores200"}}}, "tokenize"),
        ({"chrf_score": {"kwargs": {"char_order": 0}}}, "char_order"),
        ({"sql_semantic_equivalence": {"dialect": "klingon"}}, "klingon"),
        ({"execution_accuracy": {}}, "database_url"),
        ({"rouge_score": {"rouge_type": "rougeX"}}, "rouge_type"),
        ({"faithfulness": {"nli_statement_prompt": {"id": "x"}}}, "prompt"),
        ({"faithfulness": None}, "parameters"),
        ({"faithfulness": {"llm": "gpt"}}, "'llm'"),
        ({"discrete_metric": {"name": "d", "prompt": "no field"}}, "placeholder"),
        ({"discrete_metric": {"name": "d", "prompt": "{a", "allowed_values": ["x", "y"]}}, "brace"),
        ({"discrete_metric": {"name": "d", "prompt": "{a}", "allowed_values": ["x"]}}, "two"),
        ({"numeric_metric": {"name": "n", "prompt": "{a}", "allowed_values": [1, 0]}}, "lowest"),
        ({"ranking_metric": {"name": "r", "prompt": "{a}", "allowed_values": 1}}, "2 or more"),
        ({"simple_criteria": {"name": "s", "definition": "d", "scale": [3, 3]}}, "lowest"),
        ({"simple_criteria": {"name": "s", "definition": " "}}, "definition"),
        ({"domain_specific_rubrics": {"rubrics": {"one": "w"}}}, "'one'"),
        ({"domain_specific_rubrics": {"rubrics": {"score1_description": "w"}}}, "two or more"),
        ({"aspect_critic": {"name": "a", "definition": " "}}, "definition"),
        ({"aspect_critic": {"definition": "Is it?"}}, "needs a name"),
    ],
)
def test_a_spec_that_cannot_work_is_refused_in_words(spec: Any, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        catalogue.from_spec(spec)


def test_an_unknown_metric_gets_the_nearest_names() -> None:
    with pytest.raises(UnknownMetric, match="'faithfullness'; did you mean 'faithfulness'"):
        catalogue.build("faithfullness")


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("faithfulness", "faithfulness"),
        ("factual_correctness:mode=recall,beta=2", "factual_correctness(mode=recall,beta=2.0)"),
        (" faithfulness : strict = true ", "faithfulness(strict=True)"),
    ],
)
def test_a_metric_from_text(text: str, key: str) -> None:
    assert catalogue.build(text).key == key


def test_older_names_resolve_and_say_the_new_one() -> None:
    import ragstone.metrics as room

    for old, new in catalogue.ALIASES.items():
        with pytest.warns(DeprecationWarning, match=f"{old} is now called {new}") as caught:
            assert getattr(room, old) is catalogue.load_class(new)
        assert caught[0].filename == __file__


@every
def test_it_is_frozen(name: str) -> None:
    metric = make(name)
    for each in dataclasses.fields(metric):
        is_prompt = isinstance(each.default, Prompt)  # another may take its place, but no text
        with pytest.raises(UsageError if is_prompt else FrozenInstanceError):
            setattr(metric, each.name, "x")
    with pytest.raises(FrozenInstanceError):
        metric.no_such_field = 1
    assert metric == make(name)


@every
def test_a_missing_field_is_refused_by_name(name: str) -> None:
    metric = make(name)
    for required in metric.needs.required:
        given_fields = fields_for(metric) | {required: None}
        with pytest.raises(MissingField, match=f"needs the field '{required}'"):
            metric.score(**given_fields, **tools_for(metric, FakeJudge({})))


@every
def test_a_field_that_it_does_not_read_is_refused(name: str) -> None:
    metric = make(name)
    with pytest.raises(UsageError, match="does not read 'respnse'; it reads: "):
        metric.score(**fields_for(metric), respnse="x", **tools_for(metric, FakeJudge({})))
    with pytest.raises(TypeError, match="by keyword only"):
        metric.score("What?")


@every
def test_a_missing_tool_is_refused_by_name(name: str) -> None:
    metric = make(name)
    for tool in metric.needs.tools:
        given_tools = tools_for(metric, FakeJudge({}))
        given_tools.pop({"judge": "llm", "embedder": "embeddings"}.get(tool, tool))
        with pytest.raises(MissingTool, match=f"needs an? {tool}"):
            metric.score(**fields_for(metric), **given_tools)
    if "judge" not in metric.needs.tools:
        with pytest.raises(UsageError, match="uses no judge"):
            dataclasses.replace(metric, llm=FakeJudge({}))
