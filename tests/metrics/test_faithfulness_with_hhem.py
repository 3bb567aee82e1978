"""Faithfulness with a groundedness model: who is asked what."""

import warnings
from typing import Any

import pytest

import ragstone.metrics
from ragstone.errors import MissingTool
from ragstone.metrics import FaithfulnessWithHHEM, catalogue
from ragstone.schema.samples import SingleTurnSample
from scripted import (
    CLAIMS,
    SUPPORT,
    FakeJudge,
    all_support,
    claims,
    labels,
    quiet,
    reading_judge,
    row,
)

FACTS = claims("It is red.", "It is big.", "It is old.")


def judges(*verdicts: str) -> dict[str, Any]:
    return {
        "llm": FakeJudge({CLAIMS: FACTS}),
        "groundedness": FakeJudge({SUPPORT: labels(*verdicts)}),
    }


def test_the_llm_splits_and_the_groundedness_model_checks() -> None:
    given = judges("supported", "not_mentioned", "supported")
    values = {"user_input": "?", "response": "It.", "retrieved_contexts": ["text"]}
    result = FaithfulnessWithHHEM(**given).score(**values)
    assert result.value == pytest.approx(2 / 3)
    assert [prompt for prompt, _ in given["llm"].asked] == [CLAIMS]
    assert [prompt for prompt, _ in given["groundedness"].asked] == [SUPPORT]
    at_the_call = FaithfulnessWithHHEM().score(**values, **judges("supported"))
    assert at_the_call.code == "missing_verdicts"


async def test_a_sample_is_scored_with_the_tools_of_the_metric() -> None:
    metric = FaithfulnessWithHHEM(**judges("supported", "supported", "contradicted"))
    assert await metric.single_turn_ascore(SingleTurnSample(**row())) == pytest.approx(2 / 3)
    assert metric == FaithfulnessWithHHEM()
    assert metric.key == "faithfulness_with_hhem"
    assert catalogue.from_spec(metric.spec.to_dict()) == metric


def test_without_a_groundedness_model_it_says_how_to_get_one() -> None:
    metric = FaithfulnessWithHHEM(llm=FakeJudge({}))
    with pytest.raises(MissingTool, match="groundedness=LocalJudge"):
        metric.score(user_input="?", response="It.", retrieved_contexts=["text"])


def test_a_run_uses_the_metric_s_own_model_and_shares_the_claims() -> None:
    llm, model = reading_judge(), FakeJudge({SUPPORT: all_support("supported")})
    metrics = [FaithfulnessWithHHEM(groundedness=model), ragstone.metrics.Faithfulness()]
    result = quiet([row()], metrics, llm=llm)
    assert result["faithfulness_with_hhem"] == [1.0]
    assert result["faithfulness"] == [0.5]
    assert [prompt for prompt, _ in llm.asked] == [CLAIMS, SUPPORT]


def test_a_run_takes_the_local_judge_when_none_is_named() -> None:
    pytest.importorskip("ragstone_models")
    llm = FakeJudge({CLAIMS: claims("The tower is in Paris.", "The tower is in Rome.")})
    data = [row(response="The tower.", retrieved_contexts=["The tower is in Paris, France."])]
    result = quiet(data, [FaithfulnessWithHHEM()], llm=llm)
    assert result["faithfulness_with_hhem"] == [0.5]
    assert [prompt for prompt, _ in llm.asked] == [CLAIMS]


def test_the_older_name_resolves() -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert ragstone.metrics.FaithfulnesswithHHEM is FaithfulnessWithHHEM
    assert "FaithfulnessWithHHEM" in str(caught[0].message)
