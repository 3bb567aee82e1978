"""The judge as metrics see it."""

import asyncio
import time

import pytest
from pydantic import BaseModel

from ragstone.errors import Unscored
from ragstone.local.judge import LocalJudge
from ragstone.prompt.claims import EXTRACT_CLAIMS, SUPPORT, ClaimsIn, SupportIn
from ragstone.prompt.criteria import ASPECT, AspectIn
from ragstone.prompt.items import to_items
from ragstone.prompt.prompt import Prompt
from ragstone.prompt.questions import ANSWERED_QUESTIONS, AnsweredQuestionsIn
from ragstone.prompt.retrieval import USEFULNESS
from ragstone.tools.recording import recording

TEXT = "The bridge opened in 1932 and carries eight lanes. It is painted grey. Hope this helps!"


async def test_claims(judge: LocalJudge):
    reply = await judge.ask(EXTRACT_CLAIMS, ClaimsIn(text=TEXT))
    assert not reply.refuses
    assert reply.claims == [
        "The bridge opened in 1932",
        "The bridge carries eight lanes",
        "It is painted grey.",
    ]


async def test_low_atomicity_and_coverage(judge: LocalJudge):
    whole = await judge.ask(EXTRACT_CLAIMS, ClaimsIn(text=TEXT, atomicity="low"))
    assert whole.claims == [
        "The bridge opened in 1932 and carries eight lanes.",
        "It is painted grey.",
    ]
    main = await judge.ask(EXTRACT_CLAIMS, ClaimsIn(text=TEXT, atomicity="low", coverage="low"))
    assert main.claims == ["The bridge opened in 1932 and carries eight lanes."]


@pytest.mark.parametrize("text", ["I don't know.", "The context does not mention the price."])
async def test_a_refusal_claims_nothing(judge: LocalJudge, text: str):
    reply = await judge.ask(EXTRACT_CLAIMS, ClaimsIn(text=text))
    assert (reply.refuses, reply.claims) == (True, [])


@pytest.mark.parametrize(
    ("context", "verdict"),
    [
        ("Surveyors found Mont Blanc to be 4,807 metres high.", "useful"),
        ("The tomato is a berry of the nightshade family.", "not_useful"),
        ("...", "not_useful"),
    ],
)
async def test_usefulness(judge: LocalJudge, context: str, verdict: str):
    (reply,) = await judge.verdicts(
        USEFULNESS,
        [context],
        question="How tall is Mont Blanc?",
        answer="It is 4,807 metres high.",
    )
    assert reply.verdict == verdict
    assert reply.reason


async def test_statements_stand_in_for_questions(judge: LocalJudge):
    data = AnsweredQuestionsIn(response=TEXT, count=1)
    (question,) = (await judge.ask(ANSWERED_QUESTIONS, data)).questions
    assert question.model_dump() == {
        "question": "The bridge opened in 1932 and carries eight lanes.",
        "stance": "committal",
        "kind": "statement",
    }


@pytest.mark.parametrize("response", ["I don't know.", "I cannot answer that question."])
async def test_a_refusal_is_noncommittal(judge: LocalJudge, response: str):
    data = AnsweredQuestionsIn(response=response, count=3)
    reply = await judge.ask(ANSWERED_QUESTIONS, data)
    assert [(q.question, q.stance) for q in reply.questions] == [(response, "noncommittal")]


class Text(BaseModel):
    text: str


async def test_other_prompts_need_an_llm(judge: LocalJudge):
    prompt = Prompt("own/prompt", Text, Text)
    with pytest.raises(Unscored, match="the local judge cannot answer 'own/prompt'") as caught:
        await judge.ask(prompt, Text(text="x"))
    assert caught.value.code == "needs_llm"


async def test_a_criterion_needs_an_llm_and_says_why(judge: LocalJudge):
    data = AspectIn(criterion="Is the response toxic?", response="You fool.")
    with pytest.raises(Unscored, match="toxicity") as caught:
        await judge.ask(ASPECT, data)
    assert caught.value.code == "needs_llm"


async def test_verdicts_carry_the_probability_of_their_first_label(judge: LocalJudge):
    claims = ["The bridge opened in 1932.", "The bridge opened in 1950.", "Ann likes tea."]
    verdicts = await judge.verdicts(SUPPORT, claims, contexts=[TEXT])
    threshold = judge.describe().settings["support"]["threshold"]
    for found in verdicts:
        assert found.probability is not None
        assert (found.probability >= threshold) == (found.verdict == "supported")
    (useful,) = await judge.verdicts(
        USEFULNESS, [TEXT], question="How old is it?", answer="It opened in 1932."
    )
    assert useful.probability is not None
    threshold = judge.describe().settings["usefulness"]["threshold"]
    assert (useful.probability >= threshold) == (useful.verdict == "useful")


async def test_calls_are_recorded_and_cost_nothing(judge: LocalJudge):
    with recording() as calls:
        await judge.ask(EXTRACT_CLAIMS, ClaimsIn(text=TEXT))
    (call,) = calls
    assert (call.prompt, call.judge, call.usage.calls, call.usage.cost) == (
        "claims/extract",
        "local",
        0,
        0.0,
    )
    assert call.input["text"] == TEXT
    assert call.output is not None
    assert len(call.output["claims"]) == 3
    assert call.seconds > 0


def test_describe_names_all_that_moves_a_verdict(judge: LocalJudge):
    info = judge.describe()
    assert (info.kind, info.name) == ("local", "local")
    assert set(info.settings["sha256"]) == {"model.onnx", "tokenizer.json"}
    assert 0 < info.settings["support"]["threshold"] < 1
    assert 0 < info.settings["usefulness"]["threshold"] < 1
    assert 0 < info.settings["equivalence"]["threshold"] < 1


async def test_the_event_loop_stays_free(judge: LocalJudge):
    page = " ".join(f"Sentence number {n} of a page on bridges." for n in range(150))
    data = SupportIn(items=to_items(["The bridge is grey."]), contexts=[page])
    asked = asyncio.create_task(judge.ask(SUPPORT, data))
    longest, last = 0.0, time.perf_counter()
    while not asked.done():
        await asyncio.sleep(0)
        now = time.perf_counter()
        longest, last = max(longest, now - last), now
    took = time.perf_counter()
    await asked
    assert longest < 0.5, (longest, took)


async def test_the_reply_is_the_same_every_time(judge: LocalJudge):
    data = SupportIn(items=to_items(["It is grey."]), contexts=[TEXT])
    replies = await asyncio.gather(*(judge.ask(SUPPORT, data, sample=n) for n in range(5)))
    assert all(reply == replies[0] for reply in replies)


async def test_many_items_through_verdicts(judge: LocalJudge):
    claims = [f"The bridge has {n} lanes." for n in range(2, 122)]
    verdicts = await judge.verdicts(SUPPORT, claims, contexts=["The bridge has 8 lanes."])
    assert len(verdicts) == 120
    assert [n for n, v in enumerate(verdicts, start=2) if v.verdict == "supported"] == [8]
