"""What was retrieved against what should have been: by ids, by rank and grade, by likeness."""

import json
import math
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.errors import UsageError
from ragstone.metrics import (
    MAP,
    MRR,
    NDCG,
    ExactMatch,
    HitAtK,
    IDBasedContextPrecision,
    IDBasedContextRecall,
    Metric,
    MetricResult,
    NonLLMContextPrecisionWithReference,
    NonLLMContextRecall,
    NonLLMStringSimilarity,
    PrecisionAtK,
    RecallAtK,
    catalogue,
)
from scripted import quiet

PARIS = "The Eiffel Tower is located in Paris."
CAPITAL = "Paris is the capital of France."
LANDMARK = "The Eiffel Tower is one of the most famous landmarks in Paris."
RANKED: list[Metric] = [HitAtK(), PrecisionAtK(), RecallAtK(), MRR(), MAP(), NDCG()]
BY_IDS: list[Metric] = [IDBasedContextPrecision(), IDBasedContextRecall(), *RANKED]


def by_ids(
    metric: Metric, retrieved: Sequence[Any], reference: Sequence[Any], **more: Any
) -> MetricResult:
    return metric.score(
        retrieved_context_ids=list(retrieved), reference_context_ids=list(reference), **more
    )


def alike(metric: Metric, retrieved: list[str], reference: list[str]) -> MetricResult:
    return metric.score(retrieved_contexts=retrieved, reference_contexts=reference)


def test_a12_non_llm_context_precision() -> None:
    metric = NonLLMContextPrecisionWithReference()
    result = alike(metric, [PARIS], [CAPITAL, LANDMARK])
    assert result.value == 1.0
    assert result.value == pytest.approx(0.9999999999, abs=1e-6)
    assert result.evidence[0].weight == pytest.approx(0.5483870967741935, abs=1e-12)
    assert result.evidence[0].reason == "most like reference context 2"


def test_a13_non_llm_context_recall() -> None:
    result = alike(NonLLMContextRecall(), [CAPITAL], [CAPITAL, LANDMARK])
    assert result.value == 0.5
    assert [piece.weight for piece in result.evidence] == [1.0, pytest.approx(0.2258, abs=1e-4)]
    assert [piece.verdict for piece in result.evidence] == ["present", "missing"]


def test_a14_id_based_context_precision() -> None:
    retrieved, reference = [f"doc_{n}" for n in (1, 2, 3, 4)], [f"doc_{n}" for n in (1, 4, 5, 6)]
    assert by_ids(IDBasedContextPrecision(), retrieved, reference).value == 0.5


def test_a15_id_based_context_recall() -> None:
    retrieved, reference = [f"doc_{n}" for n in (1, 2, 3)], [f"doc_{n}" for n in (1, 4, 5, 6)]
    assert by_ids(IDBasedContextRecall(), retrieved, reference).value == 0.25


@pytest.mark.parametrize("metric", [NonLLMContextPrecisionWithReference, NonLLMContextRecall])
def test_precision_and_recall_share_one_threshold(metric: type[Metric]) -> None:
    """A similarity equal to the threshold counts in both, not in one of them only."""
    assert alike(metric(), ["ab"], ["ax"]).value == 1.0  # one of two characters: 0.5
    assert alike(metric(threshold=0.51), ["ab"], ["ax"]).value == 0.0  # type: ignore[call-arg]


@pytest.mark.parametrize("metric", [NonLLMContextPrecisionWithReference, NonLLMContextRecall])
def test_the_distance_is_a_measure_or_a_string_similarity(metric: Any) -> None:
    by_name, by_metric = (
        metric(distance_measure="jaro"),
        metric(distance_measure=NonLLMStringSimilarity(distance_measure="jaro")),
    )
    assert by_name == by_metric
    spec = json.loads(json.dumps(by_metric.spec.to_dict()))
    assert catalogue.from_spec(spec) == by_name
    assert metric(distance_measure=NonLLMStringSimilarity()) == metric()
    assert by_name.key != metric().key
    for wrong in ("cosine", ExactMatch(), None):
        with pytest.raises(UsageError, match="distance_measure must be one of levenshtein"):
            metric(distance_measure=wrong)
    with pytest.raises(UsageError, match="threshold must be above 0"):
        metric(threshold=0)


def test_blank_contexts_are_like_nothing_and_keep_their_rank() -> None:
    metric = NonLLMContextPrecisionWithReference()
    assert alike(metric, [" ", PARIS], [PARIS, " "]).value == 0.5
    assert alike(NonLLMContextRecall(), [" ", PARIS], [PARIS, " "]).value == 1.0


@pytest.mark.parametrize(
    ("texts", "other"),
    [
        pytest.param(("برج إيفل يقع في باريس.", "يقع برج إيفل في باريس"), "السماء زرقاء", id="ar"),
        pytest.param(("埃菲尔铁塔位于巴黎。", "埃菲尔铁塔在巴黎。"), "今天下雨了", id="zh"),
        pytest.param(
            ("エッフェル塔はパリにある。", "エッフェル塔はパリにあります。"), "雨が降る", id="ja"
        ),
        pytest.param(("एफिल टॉवर पेरिस में है।", "एफिल टॉवर पेरिस में स्थित है।"), "आज बारिश है", id="hi"),
        pytest.param(("Der Turm steht in Köln.", "Der Turm ist in Köln."), "Es regnet", id="de"),
    ],
)
def test_likeness_in_any_script(texts: tuple[str, str], other: str) -> None:
    retrieved, reference = texts
    precision = NonLLMContextPrecisionWithReference()
    assert alike(precision, [other, retrieved], [reference]).value == 0.5
    assert alike(NonLLMContextRecall(), [retrieved], [reference, other]).value == 0.5


def test_ids_are_compared_as_text_and_count_once() -> None:
    assert by_ids(IDBasedContextPrecision(), [1, "1", 2], ["1"]).value == 0.5
    assert by_ids(IDBasedContextRecall(), [1], ["1", 1, "2"]).value == 0.5
    for metric in RANKED:
        twice = by_ids(metric, ["x", "a", "a", "b"], ["a", "b"])
        assert twice == by_ids(metric, ["x", "a", "b"], ["b", "a"]).value


@pytest.mark.parametrize("metric", BY_IDS, ids=lambda m: m.name)
@pytest.mark.parametrize("blank", [[], [""], [" ", "\n"]])
def test_t12_no_ids_divide_nothing_by_zero(metric: Metric, blank: list[str]) -> None:
    """T12: nothing retrieved and nothing expected have a code each, and no value."""
    strict = catalogue.from_spec({metric.name: {"strict": True}})
    assert by_ids(metric, blank, ["a"]).code == "no_context"
    assert by_ids(strict, blank, ["a"]).value == 0.0
    assert by_ids(metric, ["a"], blank).code == "no_reference"
    assert by_ids(strict, blank, blank).code == "no_reference"


def ranked(metric: Metric, ids: str, **more: Any) -> float:
    """The value for one-letter ids, of which a, b and c are relevant."""
    return float(by_ids(metric, list(ids), ["a", "b", "c"], **more))


def test_values_worked_out_by_hand() -> None:
    assert [ranked(HitAtK(k=k), "xyazb") for k in (1, 2, 3)] == [0.0, 0.0, 1.0]
    assert ranked(PrecisionAtK(k=5), "xyazb") == 0.4
    assert ranked(PrecisionAtK(k=5), "ab") == 0.4  # the divisor stays 5
    assert [ranked(RecallAtK(k=k), "xyazb") for k in (2, 3, 5)] == [0.0, 1 / 3, 2 / 3]
    assert ranked(MRR(), "xyazb") == 1 / 3
    assert ranked(MRR(), "xyz") == 0.0
    assert ranked(MAP(), "xyazb") == pytest.approx((1 / 3 + 2 / 5) / 3)
    assert ranked(MAP(), "cab") == 1.0


def test_ndcg_of_grades_worked_out_by_hand() -> None:
    """The example of the encyclopedias: grades 3, 2, 3, 0, 1, 2 in the order retrieved."""
    ids, grades = ["d1", "d2", "d3", "d5", "d6"], [3.0, 2.0, 3.0, 1.0, 2.0]
    got = ["d1", "d2", "d3", "d4", "d5", "d6"]
    dcg = 3 + 2 / math.log2(3) + 3 / 2 + 0 + 1 / math.log2(6) + 2 / math.log2(7)
    best = 3 + 3 / math.log2(3) + 2 / 2 + 2 / math.log2(5) + 1 / math.log2(6)
    result = by_ids(NDCG(), got, ids, reference_context_grades=grades)
    assert result.value == pytest.approx(dcg / best)
    assert dcg == pytest.approx(6.861, abs=1e-3)
    first = by_ids(NDCG(k=2), got, ids, reference_context_grades=grades)
    assert first.value == pytest.approx((3 + 2 / math.log2(3)) / (3 + 3 / math.log2(3)))
    assert [piece.weight for piece in result.evidence] == [3.0, 2.0, 3.0, 0.0, 1.0, 2.0]


def test_a_grade_of_zero_is_not_relevant() -> None:
    grades = {"reference_context_grades": [2.0, 0.0, 0.0]}
    assert ranked(RecallAtK(k=1), "abc", **grades) == 1.0
    assert ranked(MRR(), "bca", **grades) == 1 / 3
    assert by_ids(MAP(), ["a"], ["a"], reference_context_grades=[0.0]).code == "no_reference"
    with pytest.raises(UsageError, match="2 reference_context_grades for 1"):
        by_ids(NDCG(), ["a"], ["a"], reference_context_grades=[1.0, 2.0])


@pytest.mark.parametrize("metric", [HitAtK, PrecisionAtK, RecallAtK, NDCG])
def test_k_is_one_or_more_and_shows_in_the_key(metric: Any) -> None:
    with pytest.raises(UsageError, match="k must be 1 or more, not 0"):
        metric(k=0)
    assert metric(k=3).key == f"{metric().name}(k=3)"


ids = st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=10)


@given(retrieved=ids, reference=ids, k=st.integers(1, 9), data=st.data())
def test_every_value_agrees_with_its_definition(
    retrieved: list[str], reference: list[str], k: int, data: st.DataObject
) -> None:
    got, wanted = list(dict.fromkeys(retrieved)), set(reference)
    hits = [each in wanted for each in got]
    at = [sum(hits[:n]) / n for n, hit in enumerate(hits, 1) if hit]
    expected = {
        "hit_at_k": float(any(hits[:k])),
        "precision_at_k": sum(hits[:k]) / k,
        "recall_at_k": sum(hits[:k]) / len(wanted),
        "mrr": 1 / (hits.index(True) + 1) if any(hits) else 0.0,
        "map": sum(at) / len(wanted),
        "id_based_context_precision": sum(hits) / len(got),
        "id_based_context_recall": sum(hits) / len(wanted),
    }
    for name, value in expected.items():
        options = {"k": k} if name.endswith("_k") else {}
        metric = catalogue.from_spec({name: options})
        found = by_ids(metric, retrieved, reference)
        assert found.value == pytest.approx(value, abs=1e-12), name
        assert len(found.evidence) == len({*got, *wanted})
    grades = data.draw(
        st.lists(st.floats(0.5, 9), min_size=len(reference), max_size=len(reference))
    )
    ndcg = by_ids(NDCG(k=k), retrieved, reference, reference_context_grades=grades)
    assert 0.0 <= float(ndcg) <= 1.0
    best = [each for _, each in sorted(zip(grades, reference, strict=True), reverse=True)]
    assert by_ids(NDCG(k=k), best, reference, reference_context_grades=grades).value == 1.0


def test_a_run_over_rows_with_ids_and_grades() -> None:
    rows = [
        {"retrieved_context_ids": "[1, 2]", "reference_context_ids": "[2, 3]",
         "reference_context_grades": "[3, 1]"},
        {"retrieved_context_ids": [9], "reference_context_ids": [9]},
    ]  # fmt: skip
    result = quiet(rows, RANKED)
    assert result["mrr"] == [0.5, 1.0]
    assert result["recall_at_k"] == [0.5, 1.0]
    gain = 3 / math.log2(3)
    assert result["ndcg"] == [pytest.approx(gain / (3 + 1 / math.log2(3))), 1.0]
