"""A run remembers the judge of every metric, also when two judges have one name."""

from asyncio import to_thread

from ragstone import evaluate, llm_factory
from ragstone.metrics import ContextRecall, Faithfulness
from ragstone.testing.llm_server import LLMServer

ROW = {
    "user_input": "Where?",
    "response": "In Paris.",
    "retrieved_contexts": ["It is in Paris."],
    "reference": "In Paris.",
}


async def test_two_judges_of_one_name_are_told_apart() -> None:
    async with LLMServer() as server:
        cool, warm = (
            llm_factory("m", base_url=server.url, api_key="k", temperature=t) for t in (0.0, 1.0)
        )
        metrics = [Faithfulness(llm=cool), ContextRecall(llm=warm)]
        result = await to_thread(evaluate, [ROW], metrics, store=False, show_progress=False)
    judge = result.data.run.judge
    assert judge is not None
    assert judge.kind == "several"
    by_metric = {key: info["settings"]["temperature"] for key, info in judge.settings.items()}
    assert by_metric == {"faithfulness": 0.0, "context_recall": 1.0}


async def test_a_direct_score_tells_what_was_asked_and_answered() -> None:
    async with LLMServer() as server:
        judge = llm_factory("m", base_url=server.url, api_key="k")
        result = await Faithfulness(llm=judge).ascore(
            user_input="Where?", response="In Paris.", retrieved_contexts=["It is in Paris."]
        )
    assert result.traces is not None
    assert set(result.traces) == {"input", "output"}
    assert result.traces["input"][0]["text"] == "In Paris."
    assert len(result.traces["output"]) == 2
