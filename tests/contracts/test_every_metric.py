"""What holds for every metric of the catalogue. A new metric is held to it by being listed."""

import asyncio
import dataclasses
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import FrozenInstanceError, dataclass, field
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from valid_replies import DrawnJudge

from ragstone.errors import MissingField, MissingTool, UnknownMetric, UsageError
from ragstone.metrics import Metric, catalogue
from ragstone.schema.results import MetricResult
from ragstone.schema.samples import MultiTurnSample, Sample, SingleTurnSample
from scripted import (
    ASPECT,
    CLAIMS,
    QUESTIONS,
    SUPPORT,
    USEFUL,
    FakeEmbedder,
    FakeJudge,
    all_support,
    call,
    claims,
    dialogue,
    quiet,
    reading_judge,
    row,
)

OWN = {
    "aspect_critic": {"name": "color", "definition": "Does it name a color?"},
    "discrete_metric": {"name": "tone", "prompt": "Is {response} fine for {user_input}?"},
}
"""Parameters of the metrics that have no defaults for all of them."""


def make(name: str, **changes: Any) -> Metric:
    """The metric with its defaults."""
    return catalogue.from_spec({name: {**OWN.get(name, {}), **changes}})


every = pytest.mark.parametrize("name", sorted(catalogue.NAMES))
SINGLE = SingleTurnSample(**row(0))
MULTI = dialogue(call("a", x=1), call("b"), reference=[call("b"), call("c")])


def sample_for(metric: Metric) -> Sample:
    """A sample that has all that the metric reads."""
    return MULTI if "reference_tool_calls" in metric.needs.required else SINGLE


def fields_for(metric: Metric, **changes: Any) -> dict[str, Any]:
    """The fields that the metric reads."""
    return {**metric.select(sample_for(metric)), **changes}


def tools_for(metric: Metric, judge: Any = None) -> dict[str, Any]:
    """The tools that it uses, by the names under which they are given."""
    given_tools = {"judge": ("llm", judge), "embedder": ("embeddings", EMBEDDER)}
    return dict(given_tools[tool] for tool in metric.needs.tools)


EMBEDDER = FakeEmbedder(
    {"north": [1.0, 0.0], "east": [0.0, 1.0], "south": [-1.0, 0.0]}, dimensions=2
)


@dataclass(frozen=True)
class Extremes:
    """Fields and replies that make the best value, and those that make the worst."""

    best: Mapping[str, Any] = field(default_factory=dict)
    worst: Mapping[str, Any] = field(default_factory=dict)


def asked_questions(question: str, stance: str) -> dict[str, Any]:
    return {"questions": [{"question": question, "stance": stance}]}


BEST = {
    CLAIMS: claims("One.", "Two."),
    SUPPORT: all_support("supported"),
    USEFUL: {"verdict": "useful"},
    QUESTIONS: asked_questions("north", "committal"),
    ASPECT: {"reason": "r", "verdict": "yes"},
}
WORST = {
    CLAIMS: claims("One.", "Two."),
    SUPPORT: all_support("contradicted"),
    USEFUL: {"verdict": "not_useful"},
    QUESTIONS: asked_questions("south", "committal"),
    ASPECT: {"reason": "r", "verdict": "no"},
}
CALLS = {"best": [call("b"), call("a", x=1)], "worst": [call("z")]}
EXTREMES = {
    "answer_relevancy": Extremes({"user_input": "north"}, {"user_input": "north"}),
    "aspect_critic": Extremes(),
    "context_precision": Extremes(),
    "context_recall": Extremes(),
    "context_utilization": Extremes(),
    "discrete_metric": None,  # its labels have no order
    "exact_match": Extremes({"response": "a", "reference": "a"}, {"response": "A"}),
    "factual_correctness": Extremes(),
    "faithfulness": Extremes(),
    "semantic_similarity": Extremes(
        {"response": "north", "reference": "north"}, {"response": "north", "reference": "east"}
    ),
    "string_presence": Extremes({"response": "a b", "reference": "b"}, {"reference": "z"}),
    "tool_call_f1": Extremes(
        {"reference_tool_calls": CALLS["best"]}, {"reference_tool_calls": CALLS["worst"]}
    ),
}


def test_every_metric_states_its_extremes_and_its_policy() -> None:
    assert set(EXTREMES) == set(catalogue.NAMES)
    assert {name for name, _ in POLICY} == set(catalogue.NAMES)


@every
def test_it_is_documented(name: str) -> None:
    metric = make(name)
    text = " ".join(str(type(metric).__doc__).split())
    assert "Unscored:" in text
    assert "Source:" in text
    assert ("Calls:" in text) == bool(metric.needs.tools and "judge" in metric.needs.tools)
    if metric.low is not None:
        assert re.search(r"0 to 1|1(\.0)? when .*0(\.0)?[ .;]", text), "the range is missing"
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
    ("aspect_critic", {"strictness": 3, "higher_is_better": False}),
    ("discrete_metric", {"allowed_values": ["good", "bad", 3], "strictness": 3}),
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
        ({"faithfulness": {"nli_statement_prompt": {"id": "x"}}}, "prompt"),
        ({"faithfulness": None}, "parameters"),
        ({"faithfulness": {"llm": "gpt"}}, "'llm'"),
        ({"discrete_metric": {"name": "d", "prompt": "no field"}}, "placeholder"),
        ({"discrete_metric": {"name": "d", "prompt": "{a", "allowed_values": ["x", "y"]}}, "brace"),
        ({"discrete_metric": {"name": "d", "prompt": "{a}", "allowed_values": ["x"]}}, "two"),
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
        with pytest.raises(FrozenInstanceError):
            setattr(metric, each.name, "x")


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
        given_tools.pop({"judge": "llm", "embedder": "embeddings"}[tool])
        with pytest.raises(MissingTool, match=f"needs an? {tool}"):
            metric.score(**fields_for(metric), **given_tools)
    if "judge" not in metric.needs.tools:
        with pytest.raises(UsageError, match="uses no judge"):
            dataclasses.replace(metric, llm=FakeJudge({}))


def check_spans(result: MetricResult, given_fields: Mapping[str, Any]) -> None:
    """Every span lies within the text that it points at."""
    for piece in result.evidence:
        for span in piece.spans:
            value = given_fields[span.field]
            text = value if span.index is None else value[span.index]
            assert 0 <= span.start <= span.end <= len(text)


@every
@given(data=st.data())
async def test_any_valid_reply_makes_a_value_in_range(name: str, data: st.DataObject) -> None:
    metric = make(name)
    given_fields = fields_for(metric)
    result = await metric.ascore(**given_fields, **tools_for(metric, DrawnJudge(data)))
    check_spans(result, given_fields)
    if result.status == "unscored":
        assert result.code
        assert result.value is None
        return
    assert result.status == "scored"
    if metric.low is not None and metric.high is not None:
        assert isinstance(result.value, (int, float))
        assert metric.low <= result.value <= metric.high
    else:
        assert result.value in metric.allowed_values  # type: ignore[attr-defined]


@every
@pytest.mark.parametrize("end", ["best", "worst"])
def test_the_best_reply_makes_the_best_value_and_the_worst_the_worst(name: str, end: str) -> None:
    metric, extremes = make(name), EXTREMES[name]
    if extremes is None:
        assert metric.low is None
        return
    script, changes = (BEST, extremes.best) if end == "best" else (WORST, extremes.worst)
    given_fields = fields_for(metric, **changes)
    result = metric.score(**given_fields, **tools_for(metric, FakeJudge(script)))
    assert result.value == (
        metric.high if (end == "best") is metric.higher_is_better else metric.low
    )


def some_samples(metric: Metric) -> list[Sample]:
    """Five different samples that the metric can read."""
    if isinstance(sample_for(metric), MultiTurnSample):
        return [
            dialogue(*[call("a")] * made, reference=[call("a"), call("b")]) for made in range(5)
        ]
    return [
        SingleTurnSample(**row(n, response=f"Number {n} is red. {'It is blue. ' * n}".strip()))
        for n in range(5)
    ]


def judged(metric: Metric, samples: list[Sample]) -> list[Any]:
    judge = reading_judge()
    judge.script["own/tone"] = lambda d: {
        "reason": "r",
        "value": "pass" if "0" in d.response else "fail",
    }
    return quiet(samples, [metric], llm=judge, embeddings=EMBEDDER)[metric.key]


@every
def test_the_order_of_the_rows_does_not_matter(name: str) -> None:
    metric = make(name)
    samples = some_samples(metric)
    plain = judged(metric, samples)
    assert None not in plain
    assert judged(metric, samples[::-1]) == plain[::-1]
    assert judged(metric, samples[2:] + samples[:2]) == plain[2:] + plain[:2]


@every
async def test_one_object_may_be_used_by_many_at_once(name: str) -> None:
    metric = make(name)
    given_fields, script = (
        fields_for(metric),
        {**BEST, "own/tone": {"reason": "r", "value": "pass"}},
    )
    alone = await metric.ascore(**given_fields, **tools_for(metric, FakeJudge(script)))
    many = await asyncio.gather(
        *(metric.ascore(**given_fields, **tools_for(metric, FakeJudge(script))) for _ in range(20))
    )
    assert all(result == alone for result in many)


texts = st.sampled_from(["", " ", "\n", "\t \u3000"])
lists = st.lists(texts, max_size=3)

POLICY: dict[tuple[str, str], str | float | None] = {
    ("answer_relevancy", "response"): 0.0,
    ("answer_relevancy", "user_input"): "no_question",
    ("aspect_critic", "response"): None,
    ("aspect_critic", "user_input"): None,
    ("context_precision", "reference"): "no_reference",
    ("context_precision", "retrieved_contexts"): "no_context",
    ("context_precision", "user_input"): "no_question",
    ("context_recall", "reference"): "no_claims",
    ("context_recall", "retrieved_contexts"): "no_context",
    ("context_recall", "user_input"): None,
    ("context_utilization", "response"): "refusal",
    ("context_utilization", "retrieved_contexts"): "no_context",
    ("context_utilization", "user_input"): "no_question",
    ("discrete_metric", "response"): None,
    ("discrete_metric", "user_input"): None,
    ("exact_match", "reference"): 0.0,
    ("exact_match", "response"): 0.0,
    ("factual_correctness", "reference"): "no_claims",
    ("factual_correctness", "response"): "refusal",
    ("factual_correctness", "user_input"): None,
    ("faithfulness", "response"): "refusal",
    ("faithfulness", "retrieved_contexts"): "no_context",
    ("faithfulness", "user_input"): None,
    ("semantic_similarity", "reference"): "no_reference",
    ("semantic_similarity", "response"): "refusal",
    ("string_presence", "reference"): "no_reference",
    ("string_presence", "response"): 0.0,
    ("tool_call_f1", "reference_tool_calls"): 0.0,
}
"""What a blank field makes of a sample that is whole otherwise: a code of unscored, a value, or
None when the field only helps, and the sample is judged without it."""


@pytest.mark.parametrize(("name", "blank_field"), sorted(POLICY), ids=lambda v: str(v))
@given(data=st.data())
async def test_a_blank_field_follows_the_policy(
    name: str, blank_field: str, data: st.DataObject
) -> None:
    metric = make(name)
    given_fields = fields_for(metric)
    if blank_field == "reference_tool_calls":
        blank: Any = []
    else:
        blank = data.draw(lists if isinstance(given_fields[blank_field], list) else texts)
    judge = FakeJudge({**BEST, "own/tone": {"reason": "r", "value": "pass"}})
    given_fields[blank_field] = blank
    result = await metric.ascore(**given_fields, **tools_for(metric, judge))
    policy = POLICY[name, blank_field]
    if policy is None:
        assert result.status == "scored"
        assert judge.asked
    elif isinstance(policy, str):
        assert (result.status, result.code, result.value) == ("unscored", policy, None)
        assert result.reason
        assert judge.asked == []
    else:
        assert (result.status, result.value) == ("scored", policy)
        assert judge.asked == []


@pytest.mark.parametrize(
    "name", ["faithfulness", "context_precision", "context_recall", "context_utilization"]
)
@given(contexts=lists)
async def test_strict_counts_no_context_as_zero(name: str, contexts: list[str]) -> None:
    metric = make(name, strict=True)
    judge = FakeJudge({})
    given_fields = fields_for(metric, retrieved_contexts=contexts)
    result = await metric.ascore(**given_fields, llm=judge)
    assert (result.status, result.value, judge.asked) == ("scored", 0.0, [])


def strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from strings(part)
    elif isinstance(value, list):
        for part in value:
            yield from strings(part)


@every
@given(data=st.data())
async def test_no_blank_text_reaches_a_judge(name: str, data: st.DataObject) -> None:
    """Whatever fields are blank, alone or together: what is asked about holds something."""
    metric = make(name)
    given_fields = fields_for(metric)
    for key, value in given_fields.items():
        if isinstance(value, str) and data.draw(st.booleans(), label=f"blank {key}"):
            given_fields[key] = data.draw(texts)
        elif isinstance(value, list) and all(isinstance(each, str) for each in value):
            given_fields[key] = data.draw(st.lists(texts | st.just("It is red."), max_size=3))
    judge = FakeJudge({**BEST, "own/tone": {"reason": "r", "value": "pass"}})
    await metric.ascore(**given_fields, **tools_for(metric, judge))
    for _, asked in judge.asked:
        said = asked.model_dump(exclude_none=True)
        blank = [not text.strip() for text in strings(said)]
        # the prompt of a discrete metric is the user's own, and may ask whether a field is empty
        assert not (all(blank) if name == "discrete_metric" else any(blank)), said
