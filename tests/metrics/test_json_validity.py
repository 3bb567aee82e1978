"""JSON validity: what is JSON, what fits a schema, and that nothing is fetched."""

import json
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.errors import MissingExtra, UsageError
from ragstone.metrics import JSONValidity, catalogue

SCHEMA = {
    "type": "object",
    "required": ["city"],
    "properties": {"city": {"type": "string"}, "sizes": {"items": {"type": "integer"}}},
    "additionalProperties": False,
}
json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(json_values, st.booleans())
def test_whatever_json_writes_is_valid(value: Any, plain: bool) -> None:
    text = json.dumps(value, ensure_ascii=plain)
    try:
        text.encode()
    except UnicodeEncodeError:
        return
    assert JSONValidity().score(response=text).value == 1.0


@pytest.mark.parametrize(
    "text",
    [
        "",
        "  \n",
        "Paris",
        "{'a': 1}",
        '{"a": 1,}',
        '{"a": NaN}',
        "[Infinity]",
        '{"a": 1} {"b": 2}',
        'Here it is: {"a": 1}',
        '```json\n{"a": 1}\n```',
        '{"a": "one\ntwo"}',
        "{'a': True}",
        '{"a": 1',
        "[" * 100_000,
        "{“a”: 1}",
    ],
)
def test_what_a_program_could_not_read_is_not_valid(text: str) -> None:
    result = JSONValidity().score(response=text)
    assert result.value == 0.0
    assert result.reason


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ('{"city": "東京", "sizes": [1, 2]}', []),
        ('{"sizes": [1, "two", 2.5]}', ["$", "$.sizes[1]", "$.sizes[2]"]),
        ('{"city": 3}', ["$.city"]),
        ('{"city": "x", "more": 1}', ["$"]),
        ("[]", ["$"]),
    ],
)
def test_each_violation_is_told_with_its_place(text: str, places: list[str]) -> None:
    result = JSONValidity(schema=SCHEMA).score(response=text)
    assert result.value == float(not places)
    assert sorted(piece.text for piece in result.evidence) == places
    assert {piece.verdict for piece in result.evidence} <= {"invalid"}


def test_long_violations_are_cut() -> None:
    text = json.dumps({"city": "x", "sizes": ["y" * 5_000] * 1_000})
    result = JSONValidity(schema=SCHEMA).score(response=text)
    assert len(result.evidence) == 20
    assert all(len(piece.reason) <= 300 for piece in result.evidence)


def test_a_schema_that_is_none_is_refused_at_once() -> None:
    with pytest.raises(UsageError, match=r"no JSON Schema: 'objekt' .* at \$\.type"):
        JSONValidity(schema={"type": "objekt"})


def test_references_are_looked_up_within_the_schema_only() -> None:
    within = {"$defs": {"n": {"type": "integer"}}, "items": {"$ref": "#/$defs/n"}}
    assert JSONValidity(schema=within).score(response="[1]").value == 1.0
    assert JSONValidity(schema=within).score(response='["1"]').value == 0.0
    beyond = JSONValidity(schema={"$ref": "http://127.0.0.1:9/schema.json"})
    with pytest.raises(UsageError, match=r"127\.0\.0\.1:9/schema\.json.*does not hold"):
        beyond.score(response="1")


def test_a_value_nested_too_deep_for_the_schema_has_no_score() -> None:
    endless = JSONValidity(schema={"$ref": "#"})
    assert endless.score(response="1").code == "too_long"


def test_the_schema_survives_the_spec() -> None:
    metric = JSONValidity(schema=SCHEMA)
    assert catalogue.from_spec(json.loads(json.dumps(metric.spec.to_dict()))) == metric
    assert metric.key == "json_validity"
    assert catalogue.build("json_validity").score(response="1").value == 1.0


def test_an_absent_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jsonschema", None)
    with pytest.raises(MissingExtra, match=r"pip install 'ragstone\[json\]'"):
        JSONValidity(schema=SCHEMA)
    assert JSONValidity().score(response="{}").value == 1.0
