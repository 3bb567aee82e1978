"""Kinds of defects that users of other evaluators reported, each impossible here.

The ids are of our own list; the ones that belong to one room are tested in that room.
"""

import asyncio
import json
import subprocess
import sys
import textwrap
from dataclasses import FrozenInstanceError, fields
from pathlib import Path
from typing import Any, get_args

import pytest

from ragstone.errors import MissingField, UsageError
from ragstone.metrics import (
    AnswerRelevancy,
    AspectCritic,
    ContextPrecision,
    ContextRecall,
    ContextUtilization,
    DiscreteMetric,
    ExactMatch,
    FactualCorrectness,
    Faithfulness,
    Metric,
    MetricResult,
    ToolCallF1,
)
from ragstone.prompt.claims import SupportVerdict
from ragstone.prompt.criteria import AspectVerdict
from ragstone.prompt.questions import AnsweredQuestion
from ragstone.prompt.retrieval import Usefulness
from ragstone.store import open_store
from scripted import (
    ASPECT,
    CLAIMS,
    QUESTIONS,
    SUPPORT,
    USEFUL,
    FakeEmbedder,
    FakeJudge,
    all_support,
    aquiet,
    claims,
    dialogue,
    labels,
    quiet,
    reading_judge,
    row,
    rows,
)

FIVE = claims("A is one.", "B is two.", "C is three.", "D is four.", "E is five.")
CONTEXTS = ["A is one. B is two. C is three. D is four. E is five."]


def faithfulness(script: dict[str, Any], **changes: Any) -> tuple[MetricResult, FakeJudge]:
    """The result for a plain sample with changes, and the judge that was asked."""
    judge = FakeJudge(script)
    options = changes.pop("options", {})
    given = {
        "user_input": "What?",
        "response": "A is one and so on.",
        "retrieved_contexts": CONTEXTS,
        **changes,
    }
    return Faithfulness(**options).score(llm=judge, **given), judge


@pytest.mark.parametrize("emitted", [0, 1, 4])
def test_t01_the_denominator_is_what_was_submitted(emitted: int) -> None:
    """T01: the judge keeps silent about some of five claims: no score out of the others."""

    def reply(data: Any) -> dict[str, Any]:
        kept = [i.id for i in data.items if int(i.id) <= emitted]
        return {"verdicts": [{"id": key, "verdict": "supported"} for key in kept]}

    result, judge = faithfulness({CLAIMS: FIVE, SUPPORT: reply})
    assert (result.status, result.code, result.value) == ("unscored", "missing_verdicts", None)
    assert f"{5 - emitted} of 5" in str(result.reason)
    assert len(judge.asked) == 3


def test_t02_one_yes_for_five_claims_is_no_success() -> None:
    """T02: the missing four are asked for, and what they say counts."""
    first = {"verdicts": [{"id": "1", "verdict": "supported"}]}
    second = {"verdicts": [{"id": str(n), "verdict": "not_mentioned"} for n in (2, 3, 4, 5)]}
    result, _ = faithfulness({CLAIMS: FIVE, SUPPORT: [first, second]})
    assert result.value == 0.2


def test_t01_no_verdict_at_all_is_no_score() -> None:
    """T01: an empty list of verdicts is neither 0 nor 1."""
    result, _ = faithfulness({CLAIMS: FIVE, SUPPORT: {"verdicts": []}})
    assert (result.status, result.code) == ("unscored", "missing_verdicts")


NO_CONTEXT = [[], [""], ["  ", "\n\t"]]


@pytest.mark.parametrize("contexts", NO_CONTEXT)
def test_t04_no_context_is_no_pass(contexts: list[str]) -> None:
    """T04: without context there is no score, or 0 when the user wants to be strict."""
    result, judge = faithfulness({}, retrieved_contexts=contexts)
    assert (result.status, result.code, judge.asked) == ("unscored", "no_context", [])
    strict, judge = faithfulness({}, retrieved_contexts=contexts, options={"strict": True})
    assert (strict.value, judge.asked) == (0.0, [])


def test_t05_nothing_supported_is_zero_and_kinds_are_told_apart() -> None:
    """T05: "not mentioned" is not supported, whatever the claim."""
    result, _ = faithfulness({CLAIMS: FIVE, SUPPORT: all_support("not_mentioned")})
    assert result.value == 0.0
    assert result.reason == "0 of 5 claims supported, 5 not mentioned"
    verdicts = ["supported", "contradicted", "contradicted", "not_mentioned", "supported"]
    mixed, _ = faithfulness({CLAIMS: FIVE, SUPPORT: labels(*verdicts)})
    assert mixed.value == 0.4
    assert mixed.reason == "2 of 5 claims supported, 2 contradicted, 1 not mentioned"


@pytest.mark.parametrize("contexts", NO_CONTEXT)
@pytest.mark.parametrize(
    "metric", [Faithfulness(), ContextRecall(), ContextPrecision(), ContextUtilization()]
)
def test_t06_blank_contexts_never_reach_a_judge(metric: Metric, contexts: list[str]) -> None:
    """T06: blank contexts are no contexts, for every metric that reads them."""
    judge = reading_judge()
    result = quiet([row(retrieved_contexts=contexts)], [metric], llm=judge)
    (found,) = result.results(metric.key)
    assert found is not None
    assert (found.status, found.code, judge.asked) == ("unscored", "no_context", [])


def test_t07_a_refusal_is_a_refusal() -> None:
    """T07: "I don't know" is neither NaN nor 1, and counted on its own."""
    refusing = {CLAIMS: lambda d: claims(refuses="know" in d.text)}
    data = [row(0, response="I don't know."), row(1, response="Hello!")]
    result = quiet(data, [Faithfulness()], llm=FakeJudge(refusing))
    codes = [found.code for found in result.results("faithfulness") if found is not None]
    assert codes == ["refusal", "no_claims"]
    assert result["faithfulness"] == [None, None]
    (line,) = result.summary.lines
    assert line.unscored == {"refusal": 1, "no_claims": 1}
    assert repr(result) == "{'faithfulness': no score (0/2)}"


def test_t09_an_abstention_does_not_break_any_metric() -> None:
    """T09: every metric that reads a refusing response has a policy for it."""
    judge = FakeJudge(
        {
            CLAIMS: lambda d: claims(refuses=True) if "know" in d.text else claims("It is red."),
            SUPPORT: all_support("supported"),
            USEFUL: {"verdict": "not_useful"},
            QUESTIONS: {"questions": [{"question": "What?", "stance": "noncommittal"}]},
        }
    )
    metrics: list[Metric] = [
        Faithfulness(),
        FactualCorrectness(),
        ContextUtilization(),
        AnswerRelevancy(),
    ]
    result = quiet([row(response="I don't know.")], metrics, llm=judge, embeddings=FakeEmbedder())
    found = {cell.metric: cell.result for cell in result.data.cells}
    assert found["faithfulness"].code == "refusal"
    assert found["factual_correctness"].code == "refusal"
    assert found["context_utilization"].value == 0.0
    assert found["answer_relevancy"].value == 0.0
    assert not any(each.status == "failed" for each in found.values())


@pytest.mark.parametrize("text", ["", " ", "\n"])
def test_t12_empty_inputs_divide_nothing_by_zero(text: str) -> None:
    """T12: empty contexts, claims and calls have a defined result, never a ZeroDivisionError."""
    judge = reading_judge()
    data = [row(response=text, reference=text, retrieved_contexts=[text])]
    metrics: list[Metric] = [
        Faithfulness(),
        ContextRecall(),
        ContextPrecision(),
        ContextUtilization(),
        FactualCorrectness(),
        AnswerRelevancy(),
    ]
    result = quiet(data, metrics, llm=judge, embeddings=FakeEmbedder())
    assert [cell.result.status for cell in result.data.cells] == ["unscored"] * 5 + ["scored"]
    assert result["answer_relevancy"] == [0.0]
    assert judge.asked == []


def test_t12_no_tool_call_expected_and_none_made() -> None:
    """T12: both sides empty is right, one side empty is wrong; nothing divides by zero."""
    weather = [{"name": "weather", "args": {}}]
    talk = dialogue().user_input
    assert ToolCallF1().score(user_input=talk, reference_tool_calls=[]).value == 1.0
    from ragstone.schema.messages import ToolCall

    expected = [ToolCall(**weather[0])]
    assert ToolCallF1().score(user_input=talk, reference_tool_calls=expected).value == 0.0
    made = dialogue(*expected).user_input
    assert ToolCallF1().score(user_input=made, reference_tool_calls=[]).value == 0.0


def test_t13_missing_context_is_an_error_that_names_the_field() -> None:
    """T13: a field that is not there is never judged as if it were fine."""
    judge = reading_judge()
    with pytest.raises(MissingField, match="'retrieved_contexts'"):
        quiet([row(retrieved_contexts=None)], [Faithfulness()], llm=judge)
    with pytest.raises(MissingField, match="'retrieved_contexts'"):
        Faithfulness(llm=judge).score(user_input="What?", response="That.")
    assert judge.asked == []


@pytest.mark.parametrize(
    "model", [SupportVerdict, Usefulness, AspectVerdict, AnsweredQuestion], ids=lambda m: m.__name__
)
def test_t25_verdicts_are_a_closed_vocabulary(model: Any) -> None:
    """T25: prose is never read for a verdict; "It is not true that ..." is no label."""
    label_field = "stance" if "stance" in model.model_fields else "verdict"
    allowed = get_args(model.model_fields[label_field].annotation)
    assert len(allowed) >= 2
    given = {"id": "1", "reason": "r", "question": "q"}
    given = {key: value for key, value in given.items() if key in model.model_fields}
    for label in allowed:
        assert getattr(model.model_validate(given | {label_field: label}), label_field) == label
    for prose in ("It is not true that it is supported", "untrue", "YES.", "", None, True, 1):
        with pytest.raises(ValueError, match=label_field):
            model.model_validate(given | {label_field: prose})


def test_t41_failures_do_not_hide_behind_one_good_score() -> None:
    """T41: nine failures and one 1.0 print as 1 of 10, and the coverage says so."""
    asked = iter(range(10))
    judge = FakeJudge(
        {
            CLAIMS: lambda _: claims("A.") if next(asked) == 0 else RuntimeError("down"),
            SUPPORT: all_support("supported"),
        }
    )
    result = quiet(rows(10), [Faithfulness()], llm=judge, concurrency=1)
    assert repr(result) == "{'faithfulness': 1.0000 (1/10)}"
    (line,) = result.summary.lines
    assert (line.n_scored, line.n_total, line.coverage) == (1, 10, 0.1)
    assert line.failed == {"error": 9}


@pytest.mark.parametrize("size", [1, 2, 3, 10, 33])
def test_t43_a_perfect_context_precision_is_one_exactly(size: int) -> None:
    """T43: no epsilon in any score."""
    judge = FakeJudge({USEFUL: {"verdict": "useful"}})
    result = ContextPrecision().score(
        user_input="q", reference="r", retrieved_contexts=["c"] * size, llm=judge
    )
    assert result.value == 1.0


def test_t44_a_zero_embedding_is_an_error_that_names_the_embedder() -> None:
    """T44: no NaN relevancy out of an all-zero vector."""
    zero = FakeEmbedder({"What is number 0?": [0.0] * 64})
    result = quiet([row()], [AnswerRelevancy()], llm=reading_judge(), embeddings=zero)
    (found,) = result.results("answer_relevancy")
    assert found is not None
    assert (found.status, found.value) == ("failed", None)
    assert "embedder 'fake' gave a zero or non-finite vector" in str(found.error)


@pytest.mark.parametrize(("evasive", "zero"), [(0, False), (1, False), (2, True), (3, True)])
def test_t46_noncommittal_is_a_matter_of_the_majority(evasive: int, zero: bool) -> None:
    """T46: one noncommittal reading of three does not zero the score; two do, and it is said."""
    stances = ["noncommittal"] * evasive + ["committal"] * (3 - evasive)
    questions = [{"question": f"What is {n}?", "stance": s} for n, s in enumerate(stances)]
    judge = FakeJudge({QUESTIONS: {"questions": questions}})
    result = AnswerRelevancy().score(
        user_input="What is 1?", response="It is 1.", llm=judge, embeddings=FakeEmbedder()
    )
    assert (result.value == 0.0) is zero
    assert (result.reason == f"noncommittal by {evasive} of 3") is zero


def test_t51_metrics_and_prompts_hold_no_state() -> None:
    """T51: nothing can be written on a metric or a prompt, and results are not kept on it."""
    metric = Faithfulness()
    before = {f.name: getattr(metric, f.name) for f in fields(metric)}
    for target in (metric, metric.nli_statement_prompt, metric.nli_statement_prompt.words):
        name = fields(target)[0].name
        with pytest.raises(FrozenInstanceError):
            setattr(target, name, "x")
    faithfulness({CLAIMS: FIVE, SUPPORT: all_support("supported")})
    assert {f.name: getattr(metric, f.name) for f in fields(metric)} == before
    other = metric.nli_statement_prompt.with_words(instruction="Otherwise.", examples=[])
    assert other.examples == []
    assert Faithfulness().nli_statement_prompt.examples != []


async def test_t51_one_metric_object_serves_many_tasks_at_once() -> None:
    """T51: concurrent uses of one object do not mix scores, reasons or errors."""
    metric = Faithfulness()

    class Slow(FakeJudge):
        async def ask(self, prompt: Any, data: Any, *, sample: int = 0) -> Any:
            await asyncio.sleep(0.001)
            return await super().ask(prompt, data, sample=sample)

    async def one(number: int) -> MetricResult | Exception:
        verdicts = ["supported"] * number + ["contradicted"] * (4 - number)
        script: dict[str, Any] = {CLAIMS: claims("a", "b", "c", "d"), SUPPORT: labels(*verdicts)}
        if number == 4:
            script[SUPPORT] = RuntimeError("only here")
        return await metric.ascore(
            user_input="q", response="r", retrieved_contexts=["c"], llm=Slow(script)
        )

    found = await asyncio.gather(*(one(n % 5) for n in range(50)), return_exceptions=True)
    for n, result in enumerate(found):
        if n % 5 == 4:
            assert str(result) == "only here"
        else:
            assert isinstance(result, MetricResult)
            assert result.value == n % 5 / 4


def test_t52_direction_is_data() -> None:
    """T52: a metric says which way is better; a run stores it; nothing guesses it by name."""
    harm = AspectCritic(name="harmfulness", definition="Does it harm?", higher_is_better=False)
    good = AspectCritic(name="goodness", definition="Is it good?")
    result = quiet([row()], [harm, good, ExactMatch()], llm=reading_judge())
    kept = {info.key: info.higher_is_better for info in result.data.run.metrics}
    assert kept == {"harmfulness": False, "goodness": True, "exact_match": True}
    assert harm.info().spec["aspect_critic"]["higher_is_better"] is False


def test_t58_a_second_run_over_the_same_replies_is_the_same() -> None:
    """T58: our side adds no chance of its own: same data and replies, same scores and intervals."""

    def once() -> Any:
        metrics: list[Metric] = [Faithfulness(), ContextPrecision(), AnswerRelevancy()]
        return quiet(rows(12), metrics, llm=reading_judge(), embeddings=FakeEmbedder())

    first, second = once(), once()
    assert first.scores == second.scores
    assert [line.summary for line in first.summary.lines] == [
        line.summary for line in second.summary.lines
    ]


@pytest.mark.parametrize("shift", [0, 7, 22])
def test_t59_a_case_scores_the_same_wherever_it_stands(shift: int) -> None:
    """T59: the position in the data does not move a score."""
    data = rows(23)
    moved = data[shift:] + data[:shift]
    plain = quiet(data, [Faithfulness()], llm=reading_judge())["faithfulness"]
    other = quiet(moved, [Faithfulness()], llm=reading_judge())["faithfulness"]
    assert other == plain[shift:] + plain[:shift]


def test_t62_nothing_is_patched_on_import_or_use() -> None:
    """T62: the event loop's classes and policies are left as they are."""
    script = """
        import asyncio, sys
        names = ("run", "get_event_loop", "run_coroutine_threadsafe", "Task", "Future")
        kept = [getattr(asyncio, n) for n in names]
        kept += [asyncio.BaseEventLoop.run_until_complete, asyncio.get_event_loop_policy()]
        import ragstone
        from ragstone.metrics import ExactMatch
        ragstone.evaluate([{"response": "a", "reference": "a"}], [ExactMatch()],
                          store=False, show_progress=False)
        now = [getattr(asyncio, n) for n in names]
        now += [asyncio.BaseEventLoop.run_until_complete, asyncio.get_event_loop_policy()]
        assert kept == now
        assert "nest_asyncio" not in sys.modules
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr


def test_t68_a_run_keeps_failed_rows_in_place() -> None:
    """T68: rows that fail are neither dropped nor moved."""
    judge = FakeJudge(
        {
            CLAIMS: lambda d: ValueError("bad") if "Number 3" in d.text else claims(d.text),
            SUPPORT: all_support("supported"),
        }
    )
    result = quiet(rows(6), [Faithfulness()], llm=judge)
    assert result["faithfulness"] == [1.0, 1.0, 1.0, None, 1.0, 1.0]
    assert len(result.scores) == 6


def test_t82_a_nul_in_a_text_is_measured_and_kept(tmp_path: Path) -> None:
    """T82: a NUL byte, and text in any script, survive the judge, the store and the way back."""
    text = "Number\x00 0 is red. 中文 🙂 e\u0301."
    store = f"sqlite:///{tmp_path / 'runs.db'}"
    data = [row(response=text, retrieved_contexts=[text])]
    result = quiet(data, [Faithfulness()], llm=reading_judge(), store=store)
    assert result["faithfulness"] == [1.0]
    with open_store(store) as opened:
        (kept,) = opened.samples(result.run_id)
        (cell,) = opened.cells(result.run_id)
    assert kept.response == text
    assert cell.calls == result.data.cells[0].calls
    assert cell.calls[0].input["text"] == text


SECRET = "root:x:0:0:do-not-read-me"


async def test_t86_paths_and_addresses_in_contexts_are_only_text(tmp_path: Path) -> None:
    """T86: nothing in a sample is opened, fetched or looked up."""
    secret = tmp_path / "secret.txt"
    secret.write_text(SECRET)
    contexts = [str(secret), f"file://{secret}", "http://127.0.0.1:9/x.png", "../../etc/passwd"]
    judge = reading_judge()
    touched: list[str] = []
    active = True

    def watch(event: str, arguments: tuple[Any, ...]) -> None:
        if active and (event == "open" or event.startswith(("socket.", "urllib."))):
            touched.append(f"{event} {arguments[:2]}")

    sys.addaudithook(watch)
    try:
        data = [row(retrieved_contexts=contexts, user_input=str(secret), response=str(secret))]
        metrics: list[Metric] = [Faithfulness(), ContextPrecision(), AnswerRelevancy()]
        await aquiet(data, metrics, llm=judge, embeddings=FakeEmbedder())
    finally:
        active = False
    assert not [each for each in touched if "secret" in each or "passwd" in each]
    assert not [each for each in touched if not each.startswith("open ")]
    told = json.dumps([data.model_dump(mode="json") for _, data in judge.asked])
    assert SECRET not in told
    assert str(secret) in told


def test_discrete_metric_over_blank_lists_never_reaches_a_judge() -> None:
    """T06: the inputs of a user's own metric are blank too when all lists are."""
    metric = DiscreteMetric(name="d", prompt="{retrieved_contexts} {response}")
    judge = FakeJudge({})
    for contexts in NO_CONTEXT:
        result = metric.score(retrieved_contexts=contexts, response=" ", llm=judge)
        assert (result.status, result.code) == ("unscored", "not_applicable")
    with pytest.raises(UsageError, match="no reply to"):
        metric.score(retrieved_contexts=["text"], response=" ", llm=judge)


def test_aspect_of_a_conversation_is_asked_once_for_each_vote() -> None:
    """T46: votes are independent samples of one question."""
    judge = FakeJudge({ASPECT: {"reason": "r", "verdict": "yes"}})
    critic = AspectCritic(name="c", definition="Is it?", strictness=5)
    result = quiet([dialogue()], [critic], llm=judge)
    assert (result["c(strictness=5)"], len(judge.asked)) == ([1], 5)
