"""What peers document of their metrics, with the local judge in the place of their LLM."""

import pytest

from ragstone.local.embedder import LocalEmbedder
from ragstone.local.judge import LocalJudge
from ragstone.metrics import AnswerCorrectness, AnswerRelevancy, Faithfulness
from ragstone.prompt.duplication import DUPLICATION, DuplicationIn
from ragstone.prompt.similarity import SIMILARITY, SimilarityIn

PETS = ["Fido is the name of Ana's dog.", "Ana has a cat named Whiskers."]


@pytest.mark.parametrize(
    ("answer", "value"),
    [
        ("Fido is her dog and Whiskers is her cat.", 1.0),
        ("Fido is her dog and Rex is her cat.", 0.5),
        ("Spot is her dog and Rex is her cat.", 0.0),
        ("Fido", 1.0),
        ("Rex", 0.0),
    ],
)
async def test_answer_consistency(judge: LocalJudge, answer: str, value: float) -> None:
    result = await Faithfulness().ascore(
        user_input="What are the names of Ana's dog and cat?",
        response=answer,
        retrieved_contexts=PETS,
        llm=judge,
    )
    assert result.value == value, result.evidence


@pytest.mark.parametrize("answer", ["", "I am not sure.", "It depends.", "Das weiß ich nicht."])
async def test_an_answer_that_settles_nothing_has_no_consistency(
    judge: LocalJudge, answer: str
) -> None:
    result = await Faithfulness().ascore(
        user_input="What is the dog called?", response=answer, retrieved_contexts=PETS, llm=judge
    )
    assert (result.value, result.code) == (None, "refusal")


@pytest.mark.parametrize("answer", ["I am not sure.", "It depends.", "Maybe.", "No lo sé."])
async def test_an_answer_that_settles_nothing_has_no_relevancy(
    judge: LocalJudge, answer: str
) -> None:
    result = await AnswerRelevancy().ascore(
        user_input="What is the dog called?", response=answer, llm=judge, embeddings=LocalEmbedder()
    )
    assert result.value == 0.0
    assert "noncommittal" in result.reason


async def test_paris_is_as_similar_to_paris_as_can_be(judge: LocalJudge) -> None:
    data = SimilarityIn(
        question="What is the capital of France?", reference="Paris", response="Paris"
    )
    assert (await judge.ask(SIMILARITY, data)).grade == "5"


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("Ana's dog is named Fido.", "does_not_repeat"),
        ("Ana's dog is named Fido. Ana's dog is named Fido.", "repeats"),
    ],
)
async def test_duplication(judge: LocalJudge, text: str, verdict: str) -> None:
    assert (await judge.ask(DUPLICATION, DuplicationIn(text=text))).verdict == verdict


async def test_b16_the_date_of_the_super_bowl_in_two_spellings(judge: LocalJudge) -> None:
    held = "The first superbowl was held on {} 15, 1967"
    result = await AnswerCorrectness().ascore(
        user_input="When was the first super bowl?",
        response=held.format("Jan"),
        reference=held.format("January"),
        llm=judge,
        embeddings=LocalEmbedder(),
    )
    assert result.value is not None
    assert result.value >= 0.95


async def test_b15_einstein_born_in_the_wrong_country(judge: LocalJudge) -> None:
    result = await AnswerCorrectness(weights=(1, 0)).ascore(
        user_input="Where and when was Einstein born?",
        response="Einstein was born in Spain. Einstein was born in 1879.",
        reference="Einstein was born in Germany. Einstein was born in 1879.",
        llm=judge,
    )
    assert (result.value, result.reason) == (0.5, "TP 1, FP 1, FN 1")
