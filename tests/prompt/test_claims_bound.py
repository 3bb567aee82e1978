"""Claims are bounded by the text: a judge cannot invent thousands, each with a call to check it."""

from __future__ import annotations

import pytest

from ragstone.errors import BadReply
from ragstone.metrics import Faithfulness
from ragstone.metrics._decomposition import decompose
from ragstone.prompt.claims import EXTRACT_CLAIMS, ClaimsIn
from scripted import CLAIMS, FakeJudge, all_support, claims, quiet, sample

TEXT = "Paris is the capital of France."  # 26 characters besides the spaces: 16 claims at most
FLOOD = claims(*(f"claim {n}" for n in range(5_000)))


def made(count: int) -> dict[str, object]:
    return claims(*(f"claim {n}" for n in range(count)))


async def split(*replies: object, text: str = TEXT) -> tuple[list[str], int]:
    judge = FakeJudge({CLAIMS: list(replies)})
    found = await decompose(judge, EXTRACT_CLAIMS, ClaimsIn(text=text))
    return found.claims, len(judge.asked)


@pytest.mark.parametrize(
    ("text", "most"), [("x", 10), (" " * 400, 10), (TEXT, 16), ("法" * 40, 20)]
)
async def test_as_many_claims_as_the_text_can_make_are_taken_at_once(text: str, most: int) -> None:
    found, asked = await split(made(most), text=text)
    assert (len(found), asked) == (most, 1)
    found, asked = await split(made(most + 1), made(1), text=text)
    assert (found, asked) == (["claim 0"], 2)


async def test_the_same_claim_many_times_is_one() -> None:
    assert await split(claims(*["a ", "a", "", " "] * 5_000)) == (["a"], 1)


async def test_a_flood_twice_is_a_bad_reply() -> None:
    with pytest.raises(BadReply, match="5000 claims of a text of 31 characters, asked twice"):
        await split(FLOOD, FLOOD)


def test_a_flood_fails_the_cell_after_two_calls() -> None:
    judge = FakeJudge({CLAIMS: FLOOD, "claims/support": all_support("supported")})
    data = [sample(user_input="q", response=TEXT, retrieved_contexts=[TEXT])]
    result = quiet(data, [Faithfulness()], llm=judge)
    (cell,) = result.data.cells
    assert (cell.result.status, cell.result.code) == ("failed", "bad_reply")
    assert len(judge.asked) == cell.usage.calls == 2
