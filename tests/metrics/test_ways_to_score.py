"""The ways to have a metric score: in batches, from sync code, and as a bare value."""

import asyncio

import pytest

from ragstone.errors import MissingField
from ragstone.metrics import ExactMatch, Faithfulness, ToolCallF1
from ragstone.schema.samples import SingleTurnSample
from scripted import CLAIMS, FakeJudge, call, claims, dialogue, reading_judge, row


def test_a_batch_is_in_the_order_of_the_inputs() -> None:
    inputs = [{"response": text, "reference": "a"} for text in ("a", "b", "a")]
    results = ExactMatch().batch_score(inputs)
    assert [result.value for result in results] == [1.0, 0.0, 1.0]
    assert ExactMatch().batch_score([]) == []


def test_a_batch_shares_a_judge_and_fields() -> None:
    judge = reading_judge()
    contexts = ["It is known: A is red."]
    inputs = [{"response": "A is red."}, {"response": "A is big."}]
    results = Faithfulness().batch_score(
        inputs, user_input="What is A?", retrieved_contexts=contexts, llm=judge
    )
    assert [result.value for result in results] == [1.0, 0.0]
    assert len(judge.asked) == 4


async def test_a_batch_is_scored_at_the_same_time() -> None:
    both = asyncio.Barrier(2)

    class Meeting(FakeJudge):
        async def ask(self, prompt, data, *, sample=0):
            await asyncio.wait_for(both.wait(), 10)
            return await super().ask(prompt, data, sample=sample)

    inputs = [{"response": "A."}, {"response": "B."}]
    results = await Faithfulness().abatch_score(
        inputs,
        user_input="q",
        retrieved_contexts=["c"],
        llm=Meeting({CLAIMS: claims(refuses=True)}),
    )
    assert [result.code for result in results] == ["refusal", "refusal"]


def test_a_batch_with_a_missing_field_names_it() -> None:
    with pytest.raises(MissingField, match="needs the field 'reference'"):
        ExactMatch().batch_score([{"response": "a", "reference": "a"}, {"response": "a"}])


async def test_single_turn_ascore_gives_the_bare_value() -> None:
    metric = Faithfulness(llm=reading_judge())
    assert await metric.single_turn_ascore(SingleTurnSample(**row(0))) == 0.5
    blank = SingleTurnSample(**row(0, retrieved_contexts=[]))
    assert await metric.single_turn_ascore(blank) is None
    with pytest.raises(MissingField, match="'retrieved_contexts'"):
        await metric.single_turn_ascore(SingleTurnSample(user_input="q", response="r"))


async def test_multi_turn_ascore_gives_the_bare_value() -> None:
    made = dialogue(call("a"), call("b"), reference=[call("a")])
    assert await ToolCallF1().multi_turn_ascore(made) == pytest.approx(2 / 3)
    with pytest.raises(MissingField, match="'reference_tool_calls'"):
        await ToolCallF1().multi_turn_ascore(dialogue(call("a")))
