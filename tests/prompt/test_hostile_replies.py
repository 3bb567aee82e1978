"""Replies that nearly fit: labels of another type, numbers as ids, one bad verdict among good."""

from __future__ import annotations

import json

import pytest
from pydantic import BaseModel, ValidationError

from ragstone.errors import Unscored
from ragstone.prompt.claims import SUPPORT as CHECK
from ragstone.prompt.criteria import label_reply
from scripted import SUPPORT, FakeJudge

VERDICTS = CHECK.output
GOOD = {"id": "1", "verdict": "supported"}


def read_both_ways(form: type[BaseModel], data: object) -> list[BaseModel]:
    return [form.model_validate(data), form.model_validate_json(json.dumps(data))]


@pytest.mark.parametrize("value", [True, False, 1.0, 2.0, "1", 4, None, [1]])
def test_a_label_of_another_type_is_refused(value: object) -> None:
    form = label_reply((0, 1, 2, 3))
    for read in (form.model_validate, lambda data: form.model_validate_json(json.dumps(data))):
        with pytest.raises(ValidationError, match="not one of 0, 1, 2, 3"):
            read({"reason": "r", "value": value})


def test_a_label_of_its_own_type_is_taken() -> None:
    for reply in read_both_ways(label_reply((1, 2, "1")), {"reason": "r", "value": "1"}):
        assert reply.model_dump()["value"] == "1"
    schema = label_reply((1, 2)).model_json_schema()
    assert schema["properties"]["value"]["enum"] == [1, 2]


def test_an_id_as_a_number_is_the_id() -> None:
    for reply in read_both_ways(VERDICTS, {"verdicts": [{**GOOD, "id": 12}]}):
        assert reply.model_dump()["verdicts"][0]["id"] == "12"
    id_schema = VERDICTS.model_json_schema()["$defs"]["SupportVerdict"]["properties"]["id"]
    assert id_schema["type"] == "string"


BAD = [
    {"id": "2", "verdict": "maybe"},
    {"id": True, "verdict": "supported"},
    {"id": 2.0, "verdict": "supported"},
    {"verdict": "supported"},
    ["2", "supported"],
    "supported",
    None,
]


@pytest.mark.parametrize("bad", BAD)
def test_what_is_no_verdict_is_dropped_and_the_others_stand(bad: object) -> None:
    others = [GOOD, {"id": "3", "verdict": "contradicted"}]
    for reply in read_both_ways(VERDICTS, {"verdicts": [others[0], bad, others[1]]}):
        found = [(v["id"], v["verdict"]) for v in reply.model_dump()["verdicts"]]
        assert found == [("1", "supported"), ("3", "contradicted")]


@pytest.mark.parametrize("bad", BAD)
def test_a_list_without_any_verdict_is_no_answer(bad: object) -> None:
    with pytest.raises(ValidationError, match=r"verdicts\.0"):
        VERDICTS.model_validate({"verdicts": [bad, bad]})


@pytest.mark.parametrize("value", ["supported", {"0": GOOD}, None, 3])
def test_verdicts_that_are_no_list_are_no_answer(value: object) -> None:
    with pytest.raises(ValidationError, match="verdicts"):
        VERDICTS.model_validate({"verdicts": value})


async def test_only_the_bad_verdict_is_asked_for_again() -> None:
    first = {"verdicts": [GOOD, {"id": "2", "verdict": "maybe"}]}
    judge = FakeJudge({SUPPORT: [first, {"verdicts": [{"id": 2, "verdict": "contradicted"}]}]})
    found = await judge.verdicts(CHECK, ["a", "b"], contexts=["c"])
    assert [v.verdict for v in found] == ["supported", "contradicted"]
    assert [[i.id for i in data.items] for _, data in judge.asked] == [["1", "2"], ["2"]]  # type: ignore[attr-defined]


async def test_a_verdict_that_stays_bad_is_missing() -> None:
    reply = {"verdicts": [GOOD, {"id": "2", "verdict": "maybe"}]}
    again = {"verdicts": [{"id": "1", "verdict": "contradicted"}]}
    judge = FakeJudge({SUPPORT: [reply, again]})
    with pytest.raises(Unscored, match="1 of 2 items got no usable verdict"):
        await judge.verdicts(CHECK, ["a", "b"], contexts=["c"])
