"""Whatever fits the schema comes back as it went in; on SQLite and on PostgreSQL."""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from store_builders import make_run, make_samples

from ragstone.errors import UsageError
from ragstone.schema.cells import Cell
from ragstone.schema.messages import AIMessage, HumanMessage, ToolCall, ToolMessage
from ragstone.schema.results import Evidence, MetricResult, Span
from ragstone.schema.runs import JudgeInfo, MetricInfo, Run
from ragstone.schema.samples import MultiTurnSample, SingleTurnSample
from ragstone.schema.usage import Call, Usage
from ragstone.store import Store
from ragstone.store.columns import escape, unescape
from ragstone.store.jsontext import dumps, loads

odd = st.sampled_from(
    ["\x00", "\x1a", "\x1a0000", "\ud800", "\udfff", "🙂", "é", "e\u0301", "\\u0000"]
)
texts = st.one_of(st.text(), odd, st.text(st.characters(exclude_categories=())))
maybe_text = st.none() | texts
floats = st.floats(allow_nan=False, allow_infinity=False)
big = st.integers(-(10**400), 10**400)
json_values = st.recursive(
    st.none() | st.booleans() | big | floats | texts | st.just(math.inf),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)
json_objects = st.dictionaries(texts, json_values, max_size=3)
text_map = st.dictionaries(texts, texts, max_size=3)
counts = st.integers(0, 2**63 - 1)

usages = st.builds(
    Usage,
    calls=counts,
    cached_calls=counts,
    input_tokens=counts,
    output_tokens=counts,
    cost=st.none() | floats.map(lambda cost: cost + 0.0),  # SQLite keeps no sign of a zero
    estimated=st.booleans(),
)
calls = st.builds(
    Call,
    prompt=texts,
    judge=texts,
    input=json_objects,
    output=st.none() | json_objects,
    usage=usages,
    seconds=floats,
    cached=st.booleans(),
    raw=maybe_text,
)
spans = st.builds(Span, field=texts, start=counts, end=counts, index=st.none() | st.integers(0, 99))
evidence = st.builds(
    Evidence,
    text=texts,
    verdict=texts,
    reason=texts,
    spans=st.lists(spans, max_size=2).map(tuple),
    weight=st.none() | st.floats(-1e150, 1e150),
)
common = {
    "reason": maybe_text,
    "code": maybe_text,
    "error": maybe_text,
    "evidence": st.lists(evidence, max_size=2).map(tuple),
    "traces": st.none() | json_objects,
}
scores = st.floats(-1e150, 1e150) | st.integers(int(-1e150), int(1e150))
values = scores | st.booleans() | texts | st.lists(texts, max_size=4)
results = st.one_of(
    st.builds(MetricResult, value=values, status=st.just("scored"), **common),
    st.builds(
        MetricResult,
        status=st.sampled_from(["unscored", "failed"]),
        **common,
    ),
)
judges = st.none() | st.builds(JudgeInfo, kind=texts, name=texts, settings=json_objects)
moments = st.datetimes(
    datetime(1, 1, 3),
    datetime(9999, 12, 28),
    timezones=st.sampled_from([UTC, timezone(timedelta(hours=-9, minutes=-30))]),
)
metrics = st.builds(
    MetricInfo,
    key=texts,
    spec=st.dictionaries(texts, json_objects, max_size=2),
    low=st.none() | floats,
    high=st.none() | floats,
    higher_is_better=st.booleans(),
    prompts=st.lists(text_map, max_size=2).map(tuple),
    defined_in=texts,
)
runs = st.builds(
    Run,
    id=st.text(max_size=60),
    name=texts,
    created=moments,
    metrics=st.lists(metrics, max_size=3, unique_by=lambda info: info.key).map(tuple),
    n_rows=st.just(0),
    data_hash=texts,
    judge=judges,
    embedder=judges,
    dataset=maybe_text,
    state=st.sampled_from(["running", "done", "stopped"]),
    stopped_by=maybe_text,
    finished=st.none() | moments,
    seconds=st.none() | floats,
    versions=text_map,
    git=maybe_text,
    group_by=maybe_text,
    left_out=text_map,
    metadata=json_objects,
)
texts_or_none = st.none() | st.lists(texts, max_size=3)
tool_calls = st.builds(ToolCall, name=texts, args=json_objects)
single = st.builds(
    SingleTurnSample,
    id=maybe_text,
    reference=maybe_text,
    rubrics=st.none() | text_map,
    metadata=st.none() | json_objects,
    user_input=maybe_text,
    response=maybe_text,
    retrieved_contexts=texts_or_none,
    reference_contexts=texts_or_none,
    retrieved_context_ids=st.none() | st.lists(texts | st.integers(), max_size=3),
    reference_tool_calls=st.none() | st.lists(tool_calls, max_size=2),
    run_time=st.none() | floats,
    persona_name=maybe_text,
)
humans = st.builds(HumanMessage, content=texts, metadata=st.none() | json_objects)
answers = st.builds(
    lambda content, called, returned: [
        AIMessage(content=content, tool_calls=called),
        *(ToolMessage(content=text) for text in (returned if called else ())),
    ],
    texts,
    st.none() | st.lists(tool_calls, max_size=2),
    st.lists(texts, max_size=2),
)
multi = st.builds(
    lambda turns, **rest: MultiTurnSample(user_input=list(itertools.chain(*turns)), **rest),
    st.lists(humans.map(lambda message: [message]) | answers, max_size=4),
    reference=maybe_text,
    metadata=st.none() | json_objects,
    reference_topics=texts_or_none,
)

on_a_store = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
_ids = itertools.count()


def same(one: Any, other: Any) -> bool:
    """Equal, and of the same types all the way down."""
    return repr(one) == repr(other)


def whole(cell: Cell) -> tuple[str, str]:
    return repr(cell), repr(cell.result.traces)  # the traces are not in the repr of a result


@on_a_store
@given(run=runs)
def test_runs(store: Store, run: Run) -> None:
    store.add_run(run, [])
    loaded = store.run(run.id)
    store.delete_run(run.id)
    assert loaded == run


@on_a_store
@given(samples=st.lists(single | multi, max_size=4))
def test_samples(store: Store, samples: list[SingleTurnSample | MultiTurnSample]) -> None:
    run = make_run(f"s{next(_ids)}", n_rows=len(samples))
    store.add_run(run, samples)
    loaded = list(store.samples(run.id))
    assert loaded == samples
    assert same(loaded, samples)


@on_a_store
@given(results=st.lists(results, max_size=3), usage=usages, made=st.lists(calls, max_size=2))
def test_cells(store: Store, results: list[MetricResult], usage: Usage, made: list[Call]) -> None:
    run = make_run(f"c{next(_ids)}", n_rows=0)
    store.add_run(run, [])
    cells = [
        Cell(row, "bleu", result, usage, 0.25, tuple(made)) for row, result in enumerate(results)
    ]
    store.add_cells(run.id, cells)
    loaded = list(store.cells(run.id))
    assert loaded == cells
    if all(result.value != 0 for result in results):  # SQLite keeps no sign of a zero
        assert list(map(whole, loaded)) == list(map(whole, cells))


def test_metric_keys_of_any_length_and_letters(store: Store) -> None:
    keys = ["k" * 100_000, "\x00", "\ud800", "", " ", "é", "e\u0301", "K", "k"]
    infos = tuple(MetricInfo(key, {}) for key in keys)
    store.add_run(make_run(metrics=infos), make_samples())
    cells = [Cell(0, key, MetricResult(value=1.0)) for key in keys]
    store.add_cells("run-1", cells)
    assert list(store.cells("run-1")) == cells
    assert {key.metric for key in store.finished_cells("run-1")} == set(keys)


def test_huge_texts(store: Store) -> None:
    text = ("x\x00é🙂\ud800" + 1000 * "z") * 5_000
    sample = SingleTurnSample(user_input="huge", metadata={"text": text})
    cell = Cell(0, "bleu", MetricResult(value=text, reason=text))
    store.add_run(make_run(n_rows=1, name=text), [sample])
    store.add_cells("run-1", [cell])
    assert store.run(text).name == text
    assert next(store.samples("run-1")).value("text") == text
    assert next(store.cells("run-1")) == cell


def test_numpy_numbers_come_back_as_plain_ones(store: Store) -> None:
    sample = SingleTurnSample(metadata={"a": np.float32(0.5), "b": np.int64(7)})
    store.add_run(make_run(n_rows=1), [sample])
    store.add_cells("run-1", [Cell(0, "bleu", MetricResult(value=np.float64(0.75)))])
    loaded = next(store.samples("run-1"))
    assert same(loaded.metadata, {"a": 0.5, "b": 7})
    assert same(next(store.cells("run-1")).result.value, 0.75)


@given(texts)
def test_escaped_text_fits_any_database(text: str) -> None:
    safe = escape(text)
    assert unescape(safe) == text
    assert "\x00" not in safe.encode().decode()


@given(texts, texts)
def test_the_start_of_a_text_is_the_start_of_its_escaped_form(start: str, rest: str) -> None:
    assert escape(start + rest).startswith(escape(start))


@given(json_values)
def test_json_text_is_exact_and_fits_any_database(value: Any) -> None:
    text = dumps(value)
    assert "\x00" not in text.encode().decode()
    assert same(loads(text), value)
    assert same(json.loads(text), value)  # and anybody can read it


def nested(depth: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(depth):
        value = [value]
    return value


def test_json_text_of_the_rare_kind() -> None:
    for value in (nested(400), 10**6000, {"digits": -(10**6000), "text": "x"}):
        assert loads(dumps(value)) == value
    assert loads(dumps(["\ud800", (1, 2)])) == ["\ud800", [1, 2]]


@pytest.mark.parametrize(
    ("make", "named"),
    [
        (lambda: {"a": print}, "dict"),
        (lambda: {"a": print, "b": "\ud800"}, "dict"),
        (lambda: [object()], "list"),
        (lambda: nested(100_000), "list"),
    ],
)
def test_what_json_has_no_form_for_is_refused(make: Callable[[], Any], named: str) -> None:
    with pytest.raises(UsageError, match=f"{named}.*cannot be stored"):
        dumps(make())
