"""A prompt is immutable, typed, and its hash covers all that the judge reads besides the data."""

import pytest
from pydantic import BaseModel

from ragstone.errors import UsageError
from ragstone.prompt.claims import EXTRACT_CLAIMS, SUPPORT, Claims, ClaimsIn
from ragstone.prompt.criteria import label_reply
from ragstone.prompt.prompt import Prompt
from ragstone.prompt.words import languages, load_words


def test_a_prompt_describes_itself() -> None:
    assert EXTRACT_CLAIMS.describe() == {
        "id": "claims/extract",
        "version": EXTRACT_CLAIMS.version,
        "hash": EXTRACT_CLAIMS.content_hash,
        "language": "en",
    }


def test_unknown_words_name_the_languages_that_exist() -> None:
    with pytest.raises(UsageError, match=r"no words for the prompt 'claims/extract' in 'tlh'.*en"):
        load_words("claims/extract", "tlh")
    with pytest.raises(UsageError, match=r"'no/such'.*there are: none"):
        load_words("no/such")
    assert "en" in languages("claims/extract")


@pytest.mark.parametrize("language", ["../en", "..", "en/..", ""])
def test_a_language_is_no_path(language: str) -> None:
    with pytest.raises(UsageError, match="no words"):
        load_words("../text/en/claims/extract", language)


def test_other_words_are_another_hash_and_leave_the_prompt_alone() -> None:
    before = EXTRACT_CLAIMS.content_hash
    other = EXTRACT_CLAIMS.with_words(instruction="Split it.")
    fewer = EXTRACT_CLAIMS.with_words(examples=EXTRACT_CLAIMS.examples[:1])
    assert len({before, other.content_hash, fewer.content_hash}) == 3
    assert (other.id, other.instruction) == (EXTRACT_CLAIMS.id, "Split it.")
    assert other.examples == EXTRACT_CLAIMS.examples
    assert EXTRACT_CLAIMS.content_hash == before


def test_another_reply_form_is_another_hash() -> None:
    class Other(BaseModel):
        claims: list[str]

    assert Prompt("claims/extract", ClaimsIn, Other).schema_json != EXTRACT_CLAIMS.schema_json
    wider = Prompt("claims/extract", ClaimsIn, Claims, own_words=EXTRACT_CLAIMS.words)
    assert wider.content_hash == EXTRACT_CLAIMS.content_hash


def test_equal_prompts_are_equal_and_can_be_keys() -> None:
    assert Prompt("claims/extract", ClaimsIn, Claims) == EXTRACT_CLAIMS
    assert len({EXTRACT_CLAIMS, Prompt("claims/extract", ClaimsIn, Claims), SUPPORT}) == 2
    own = EXTRACT_CLAIMS.with_words(instruction="Own.")
    assert len({own, EXTRACT_CLAIMS.with_words(instruction="Own.")}) == 1


def test_closed_labels_of_any_kind() -> None:
    reply = label_reply(("good", "bad", 3))
    assert reply.model_validate({"reason": "r", "value": 3}).model_dump()["value"] == 3
    with pytest.raises(ValueError, match="value"):
        reply.model_validate({"reason": "r", "value": "Good"})


def test_examples_of_own_words_are_typed() -> None:
    shown = (ClaimsIn(text="Red."), Claims(refuses=False, claims=["It is red."]))
    own = EXTRACT_CLAIMS.with_words(examples=[shown])
    assert own.examples == [shown]
