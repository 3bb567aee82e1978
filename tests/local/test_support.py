"""Verdicts of the real models on short texts."""

import random

import pytest

from ragstone.local.encoder import Encoder
from ragstone.local.judge import LocalJudge
from ragstone.local.match import Evidence
from ragstone.local.support import TrainedEntailment
from ragstone.prompt.claims import SUPPORT, SupportIn, SupportVerdict
from ragstone.prompt.items import to_items

CONTEXTS = [
    "Jonas is a student at the technical university. He takes courses in data structures and "
    "algorithms, and he is often in the library until it closes at 22:00.",
    "The bridge is 1,149 metres long. It opened in 1932 after eight years of work.",
    "Der Speicher fasst zwei Megabyte.",
]
CLAIMS = [
    "The library closes at 10 pm.",
    "The library closes at 20:00.",
    "Jonas takes courses in algorithms.",
    "The bridge is 1149 metres long.",
    "The bridge opened in 1935.",
    "Penguins live in Antarctica.",
    "The bridge is not 1,149 metres long.",
]


async def ask(judge: LocalJudge, contexts: list[str], claims: list[str]) -> list[SupportVerdict]:
    reply = await judge.ask(SUPPORT, SupportIn(items=to_items(claims), contexts=contexts))
    return list(reply.verdicts)


async def test_verdicts(judge: LocalJudge):
    found = dict(zip(CLAIMS, await ask(judge, CONTEXTS, CLAIMS), strict=True))
    assert {claim: v.verdict for claim, v in found.items()} == {
        "The library closes at 10 pm.": "supported",
        "The library closes at 20:00.": "contradicted",
        "Jonas takes courses in algorithms.": "supported",
        "The bridge is 1149 metres long.": "supported",
        "The bridge opened in 1935.": "contradicted",
        "Penguins live in Antarctica.": "not_mentioned",
        "The bridge is not 1,149 metres long.": "contradicted",
    }
    reason = found["The library closes at 20:00."].reason
    assert reason == "the closest sentence says 22:00 where the claim says 20:00"


@pytest.mark.parametrize(
    ("context", "claim"),
    [
        (
            "Only one process can make changes at any moment.",
            "No, only one process can make changes.",
        ),
        (
            "Red ships come first, then blue ships.",
            "Red ships come first, and blue ships come last.",
        ),
        ("The limit was raised before 1932.", "The limit was raised before 1935."),
        ("About 280 ships sailed.", "281 ships sailed."),
    ],
)
async def test_what_only_looks_like_a_conflict(judge: LocalJudge, context: str, claim: str):
    (verdict,) = await ask(judge, [context], [claim])
    assert verdict.verdict != "contradicted"


async def test_quotes_are_verbatim(judge: LocalJudge):
    for verdict in await ask(judge, CONTEXTS, CLAIMS):
        assert verdict.quote
        assert any(verdict.quote in context for context in CONTEXTS)
        assert verdict.reason


async def test_an_answer_depends_on_its_own_claim_alone(judge: LocalJudge):  # T59
    alone = [(await ask(judge, CONTEXTS, [claim]))[0] for claim in CLAIMS]
    together = await ask(judge, CONTEXTS, CLAIMS)
    assert [v.model_dump(exclude={"id"}) for v in together] == [
        v.model_dump(exclude={"id"}) for v in alone
    ]


async def test_the_order_of_contexts_and_claims_does_not_matter(judge: LocalJudge):  # T59
    expected = dict(zip(CLAIMS, await ask(judge, CONTEXTS, CLAIMS), strict=True))
    for seed in range(5):
        order = random.Random(seed)
        contexts, claims = order.sample(CONTEXTS, 3), order.sample(CLAIMS, len(CLAIMS))
        for claim, verdict in zip(claims, await ask(judge, contexts, claims), strict=True):
            assert verdict.verdict == expected[claim].verdict
            assert verdict.quote == expected[claim].quote


def test_probabilities_are_those_of_the_pair_to_the_last_bit(model: Encoder):
    judged = TrainedEntailment()
    matches = [Evidence(CONTEXTS, model).match(claim) for claim in CLAIMS]
    usable = [match for match in matches if match is not None]
    together = judged.probabilities(usable)
    assert together == [judged.probabilities([match])[0] for match in reversed(usable)][::-1]
    for found in together:
        assert found.supported + found.contradicted + found.not_mentioned == pytest.approx(1)
        assert min(found.supported, found.contradicted, found.not_mentioned) >= 0


@pytest.mark.parametrize("contexts", [[], [""], ["  \n", "..."], ["|---|"]])
async def test_no_words_to_compare(judge: LocalJudge, contexts: list[str]):
    (verdict,) = await ask(judge, contexts, ["The sky is blue."])
    assert (verdict.verdict, verdict.quote) == ("not_mentioned", "")


async def test_a_claim_without_words(judge: LocalJudge):
    (verdict,) = await ask(judge, CONTEXTS, ["..."])
    assert verdict.verdict == "not_mentioned"


async def test_a_long_page_is_read_to_its_end(judge: LocalJudge):
    filler = [f"Filler sentence {n} speaks of nothing in particular." for n in range(200)]
    page = " ".join([*filler, "The old bridge of Sydney opened in 1932."])
    (verdict,) = await ask(judge, [page], ["The old bridge of Sydney opened in 1932."])
    assert verdict.verdict == "supported"
    assert "1932" in verdict.quote


async def test_the_same_words_in_other_scripts(judge: LocalJudge):
    contexts = ["東京は日本の首都です。人口は1400万人です。"]
    same, other = await ask(judge, contexts, ["東京は日本の首都です。", "猫は魚が好きです。"])
    assert same.verdict == "supported"
    assert other.verdict != "supported"


async def test_a_repeated_context_changes_nothing(judge: LocalJudge):
    once = await ask(judge, CONTEXTS, CLAIMS)
    twice = await ask(judge, CONTEXTS + CONTEXTS, CLAIMS)
    assert [v.quote for v in once] == [v.quote for v in twice]
