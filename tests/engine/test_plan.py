"""The plan refuses what cannot work before the first call is paid for."""

from dataclasses import dataclass
from typing import Any

import pytest

from ragstone.engine.plan import choose_defaults, make_plan
from ragstone.errors import BadDataset, MissingField, MissingTool, RagstoneError, UsageError
from ragstone.metrics import (
    AnswerRelevancy,
    AspectCritic,
    ContextRecall,
    DiscreteMetric,
    ExactMatch,
    FactualCorrectness,
    Faithfulness,
    Metric,
    SemanticSimilarity,
    ToolCallF1,
)
from ragstone.tools.toolbox import Toolbox
from scripted import (
    FakeEmbedder,
    FakeJudge,
    call,
    dialogue,
    quiet,
    reading_judge,
    row,
    rows,
    sample,
)

TOOLS = Toolbox(judge=reading_judge(), embedder=FakeEmbedder())


def test_a_plan_counts_its_cells() -> None:
    assert make_plan([sample(0), sample(1)], [ExactMatch(), Faithfulness()], TOOLS).size == 4


@pytest.mark.parametrize(
    ("samples", "metrics", "tools", "kind", "words"),
    [
        ([], [ExactMatch()], TOOLS, BadDataset, "no rows"),
        ([sample()], [], TOOLS, UsageError, "no metric to measure"),
        ([sample()], [Faithfulness], TOOLS, UsageError, "with parentheses"),
        ([sample()], ["faithfulness"], TOOLS, UsageError, "'faithfulness' is not a metric"),
        ([sample()], Faithfulness(), TOOLS, UsageError, "metrics takes a list"),
        ([sample()], [ExactMatch(), ExactMatch()], TOOLS, UsageError, "key 'exact_match'"),
        ([sample()], [ToolCallF1()], TOOLS, MissingField, "'reference_tool_calls'"),
        ([sample(reference=None)], [ExactMatch()], TOOLS, MissingField, "'reference'"),
        ([sample()], [Faithfulness()], Toolbox(), MissingTool, "'faithfulness' needs a judge"),
        ([sample()], [SemanticSimilarity()], Toolbox(), MissingTool, "needs a embedder"),
        (
            [sample()],
            [DiscreteMetric(name="d", prompt="{unheard_of}")],
            TOOLS,
            MissingField,
            "'unheard_of'",
        ),
    ],
)
def test_what_cannot_work_is_refused_by_name(
    samples: Any, metrics: Any, tools: Toolbox, kind: type[RagstoneError], words: str
) -> None:
    with pytest.raises(kind, match=words):
        make_plan(samples, metrics, tools)


def test_a_missing_field_names_metric_field_what_is_there_and_the_mend() -> None:
    with pytest.raises(MissingField) as caught:
        make_plan([sample(retrieved_contexts=None)], [Faithfulness()], TOOLS)
    text = str(caught.value)
    assert "'faithfulness' needs the field 'retrieved_contexts'" in text
    assert "reference, response, user_input" in text
    assert "column_map={'retrieved_contexts': 'your_column'}" in text


def test_a_field_that_some_row_has_is_no_missing_field() -> None:
    samples = [sample(0, reference=None), sample(1)]
    assert make_plan(samples, [ExactMatch()], TOOLS).size == 2


def test_a_metadata_column_feeds_the_placeholder_of_an_own_metric() -> None:
    metric = DiscreteMetric(name="tone", prompt="Is {answer_style} fine?")
    samples = [sample(metadata={"answer_style": "curt"})]
    assert make_plan(samples, [metric], TOOLS).size == 1


def test_two_configurations_of_one_metric_have_two_keys() -> None:
    metrics = [FactualCorrectness(), FactualCorrectness(mode="recall"), Faithfulness(strict=True)]
    keys = [metric.key for metric in make_plan([sample()], metrics, TOOLS).metrics]
    assert keys == [
        "factual_correctness",
        "factual_correctness(mode=recall)",
        "faithfulness(strict=True)",
    ]


def test_t74_a_metric_key_stands_once_in_a_run() -> None:
    """T74: nothing is scored twice under one name; what differs only in silence is refused."""
    twins = [AspectCritic(name="safe", definition=d) for d in ("Is it safe?", "Is it safe really?")]
    with pytest.raises(UsageError, match="two metrics have the key 'safe'; give one another name="):
        make_plan([sample()], twins, TOOLS)
    result = quiet(rows(7), [ExactMatch(), Faithfulness()], llm=reading_judge())
    keys = [cell.key for cell in result.data.cells]
    assert len(set(keys)) == len(keys) == 14


def test_the_metric_s_own_tools_win() -> None:
    own = reading_judge()
    plan = make_plan([sample()], [Faithfulness(llm=own)], Toolbox())
    assert plan.metrics[0].tools_from(Toolbox(judge=FakeJudge({}))).judge is own


def test_nothing_is_asked_when_the_plan_is_refused() -> None:
    judge = reading_judge()
    with pytest.raises(MissingField):
        quiet(rows(3), [Faithfulness(), ToolCallF1()], llm=judge)
    assert judge.asked == []


def test_default_metrics_are_those_that_the_data_can_feed() -> None:
    defaults: list[Metric] = [AnswerRelevancy(), ContextRecall(), Faithfulness()]
    chosen, left_out = choose_defaults([sample(reference=None)], defaults)
    assert [metric.key for metric in chosen] == ["answer_relevancy", "faithfulness"]
    assert left_out == {"context_recall": "the data lack reference"}


def test_the_run_says_which_defaults_were_left_out() -> None:
    data = [row(reference=None)]
    result = quiet(data, None, llm=reading_judge(), embeddings=FakeEmbedder())
    assert result.metrics == ["answer_relevancy", "faithfulness"]
    assert set(result.data.run.left_out) == {"context_precision", "context_recall"}


def test_no_default_fits() -> None:
    with pytest.raises(UsageError, match=r"no default metric fits these data .*the data lack"):
        quiet([{"reference": "only this"}], None, llm=reading_judge(), embeddings=FakeEmbedder())


@pytest.mark.parametrize("concurrency", [0, -1])
def test_a_run_needs_room_for_one_cell(concurrency: int) -> None:
    with pytest.raises(UsageError, match="concurrency must be 1 or more"):
        quiet(rows(2), [ExactMatch()], concurrency=concurrency)


def test_conversations_and_single_turns_are_planned_alike() -> None:
    samples = [dialogue(call("a"), reference=[call("a")])]
    assert make_plan(samples, [ToolCallF1()], Toolbox()).size == 1


def test_a_metric_whose_parameters_are_unknown_is_refused_when_it_is_written() -> None:
    with pytest.raises(TypeError, match="'respnse' is not a sample field"):

        @dataclass(frozen=True, kw_only=True)
        class Misspelt(Metric):
            name: str = "misspelt"

            def measure(self, respnse: str) -> float:
                return 1.0

    with pytest.raises(TypeError, match="'jugde' is not a tool"):

        @dataclass(frozen=True, kw_only=True)
        class WrongTool(Metric):
            name: str = "wrong_tool"

            def measure(self, response: str, *, jugde: Any) -> float:
                return 1.0

    with pytest.raises(TypeError, match="neither a sample field nor a tool"):

        @dataclass(frozen=True, kw_only=True)
        class Greedy(Metric):
            name: str = "greedy"

            def measure(self, **everything: Any) -> float:
                return 1.0
