"""Data longer than the window, and metrics that would change what others score (T87, T51)."""

from dataclasses import dataclass

import pytest

from ragstone import evaluate, llm_factory
from ragstone.metrics import AnswerRelevancy, ContextPrecision, Faithfulness, Metric, MetricResult
from ragstone.prompt.retrieval import UsefulnessIn
from ragstone.testing.fakes import FakeEmbedder, FakeJudge, labels
from ragstone.testing.llm_server import LLMServer

BIG = "word " * 20_000


async def test_t87_a_long_context_is_judged_in_parts_that_fit() -> None:
    sizes: list[int] = []

    def useful_at_the_end(data: UsefulnessIn) -> dict[str, object]:
        sizes.append(sum(len(item.text) for item in data.items))
        ends = {item.id: item.text.rstrip().endswith("END") for item in data.items}
        return {
            "verdicts": [
                {"id": key, "verdict": "useful" if end else "not_useful"}
                for key, end in ends.items()
            ]
        }

    judge = FakeJudge({"retrieval/usefulness": useful_at_the_end}, window=8_000)
    result = await ContextPrecision(llm=judge).ascore(
        user_input="q", reference="a", retrieved_contexts=[BIG + "END", "short"]
    )
    assert result.value == 1.0
    assert max(sizes) <= 8_000
    assert len(sizes) > 10


async def test_t87_a_long_response_is_split_before_its_claims_are_taken() -> None:
    seen: list[str] = []

    def extract(data: object) -> dict[str, object]:
        seen.append(data.text)  # type: ignore[attr-defined]
        return {"refuses": False, "claims": [f"Claim {len(seen)}."]}

    script = {"claims/extract": extract, "claims/support": labels(*["supported"] * 50)}
    judge = FakeJudge(script, window=30_000)
    result = await Faithfulness(llm=judge).ascore(
        user_input="q", response=BIG, retrieved_contexts=["c"]
    )
    assert len(seen) > 3
    assert max(map(len, seen)) <= 30_000
    assert len(result.evidence) == len(seen)


async def test_t87_what_cannot_be_split_is_unscored_and_never_sent() -> None:
    async with LLMServer() as server:
        judge = llm_factory("m", base_url=server.url, api_key="k")
        assert judge.window is not None
        result = await AnswerRelevancy(llm=judge, embeddings=FakeEmbedder()).ascore(
            user_input="q", response="x" * (judge.window + 1)
        )
        assert (result.status, result.code) == ("unscored", "too_long")
        assert server.calls == 0


@dataclass(frozen=True, kw_only=True)
class Poisoning(Metric):
    name: str = "poisoning"

    def measure(self, retrieved_contexts: list[str]) -> MetricResult:
        retrieved_contexts[:] = ["poison"]
        return MetricResult(0.0)


@dataclass(frozen=True, kw_only=True)
class Clean(Metric):
    name: str = "clean"

    def measure(self, retrieved_contexts: list[str]) -> MetricResult:
        return MetricResult(float(retrieved_contexts == ["c"]))


@pytest.mark.parametrize("order", [1, -1])
def test_t51_a_metric_cannot_change_what_another_scores(order: int) -> None:
    rows = [{"retrieved_contexts": ["c"]} for _ in range(5)]
    metrics = [Poisoning(), Clean()][::order]
    result = evaluate(rows, metrics, store=False, show_progress=False, concurrency=1)
    assert result["clean"] == [1.0] * 5
    assert result.data.samples[0].value("retrieved_contexts") == ["c"]
