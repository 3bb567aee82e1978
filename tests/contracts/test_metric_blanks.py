"""What every metric makes of blank fields: one policy each, and no blank reaches a judge."""

from collections.abc import Iterator
from typing import Any

import pytest
from blank_policy import POLICY
from every_metric import BEST, every, fields_for, make, tools_for
from hypothesis import given
from hypothesis import strategies as st

from ragstone.messages import AIMessage, HumanMessage
from ragstone.metrics import catalogue
from scripted import FakeJudge

texts = st.sampled_from(["", " ", "\n", "\t \u3000"])
lists = st.lists(texts, max_size=3)
silence = st.lists(
    st.builds(HumanMessage, content=texts) | st.builds(AIMessage, content=texts), max_size=3
)


OF_THE_USER = {"discrete_metric", "numeric_metric", "ranking_metric"}


def test_every_metric_states_its_policy() -> None:
    assert {name for name, _ in POLICY} == set(catalogue.NAMES)


@pytest.mark.parametrize(("name", "blank_field"), sorted(POLICY), ids=lambda v: str(v))
@given(data=st.data())
async def test_a_blank_field_follows_the_policy(
    name: str, blank_field: str, data: st.DataObject
) -> None:
    metric = make(name)
    given_fields = fields_for(metric)
    if blank_field in ("reference_tool_calls", "rubrics"):
        blank: Any = type(given_fields[blank_field])()
    elif isinstance(given_fields[blank_field], list) and blank_field == "user_input":
        blank = data.draw(silence)
    else:
        blank = data.draw(lists if isinstance(given_fields[blank_field], list) else texts)
    judge = FakeJudge(BEST)
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
    "name",
    [
        "context_entity_recall",
        "citation_accuracy",
        "context_precision",
        "context_recall",
        "context_relevance",
        "context_utilization",
        "faithfulness",
        "multi_modal_faithfulness",
        "multi_modal_relevance",
        "response_groundedness",
    ],
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
    judge = FakeJudge(BEST)
    await metric.ascore(**given_fields, **tools_for(metric, judge))
    for _, asked in judge.asked:
        said = asked.model_dump(exclude_none=True)
        blank = [not text.strip() for text in strings(said)]
        # the prompt is the user's own, and may ask whether a field is empty
        assert not (all(blank) if name in OF_THE_USER else any(blank)), said
