"""What measuring takes: the counts hold, are always the same, and stand in the docs."""

import inspect
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from ragstone.bench.calls.counting import PACK, count_metrics, count_packs, judged_metrics
from ragstone.bench.calls.peers import peer
from ragstone.bench.calls.tables import cells
from ragstone.cli import main
from ragstone.metrics import catalogue
from ragstone.testing import PlausibleJudge
from scripted import quiet, row

PAGE = Path(__file__).parents[2] / "docs" / "benchmarks.md"


async def test_the_pack_takes_five_calls_at_five_contexts() -> None:
    pack = (await count_packs(5))[0]
    assert pack.metric == " + ".join(PACK)
    assert pack.calls <= 5
    assert pack.peer_calls == 11
    assert (pack.input_tokens > 0, pack.output_tokens > 0) == (True, True)


def test_an_evaluation_of_the_pack_takes_no_more() -> None:
    """Not only when metric is measured after metric: in a run, at the same time."""
    judge = PlausibleJudge()
    data = [row(retrieved_contexts=[f"Context {n} is red." for n in range(5)])]
    result = quiet(data, [catalogue.build(name) for name in PACK], llm=judge)
    assert result.total_tokens().calls == len(judge.asked) <= 5


async def test_noise_sensitivity_asks_little_more_than_the_pack() -> None:
    packs = await count_packs(5)
    assert len(packs) == 1 + ("noise_sensitivity" in catalogue.NAMES)
    for more in packs[1:]:
        assert more.calls - packs[0].calls <= 4
        assert more.peer_calls == 24


@pytest.mark.parametrize("contexts", [1, 5, 40])
async def test_calls_do_not_grow_with_the_contexts(contexts: int) -> None:
    few = {one.metric: one.calls for one in await count_metrics(1)}
    found = {one.metric: one.calls for one in await count_metrics(contexts)}
    assert found == few


async def test_the_counts_are_always_the_same_and_no_peer_makes_fewer_calls() -> None:
    found = await count_metrics()
    assert found == await count_metrics()
    assert all(one.calls >= 1 for one in found)
    assert [one.metric for one in found if one.peer_calls and one.peer_calls < one.calls] == []


def test_every_judged_metric_is_counted() -> None:
    counted = {metric.registered_name() for metric in judged_metrics()}
    judged = {
        name for name in catalogue.NAMES if _must_be_judged(catalogue.metric_class(name).measure)
    }
    assert judged - counted == set()


def _must_be_judged(measure: Callable[..., object]) -> bool:
    judge = inspect.signature(measure).parameters.get("judge")
    return judge is not None and judge.default is inspect.Parameter.empty


def test_the_peer_names_metrics_that_exist_or_will() -> None:
    assert peer().source == "documented by the peer"
    assert peer().of(["faithfulness", "no_such_metric"], 5) is None
    assert peer().of(["noise_sensitivity"], 5) == 13


async def test_the_page_tells_the_counts() -> None:
    text = PAGE.read_text(encoding="utf-8")
    rows = [tuple(part.strip() for part in line.strip("|").split("|")) for line in text.split("\n")]
    shown = {found[0]: found for found in rows if len(found) == 5}
    counted = {found[0]: found for found in cells([*await count_metrics(), *await count_packs()])}
    compared = [name for name in shown if name in counted]
    assert len(compared) >= 5
    for name in compared:
        for told, found in zip(shown[name][1:], counted[name][1:], strict=True):
            assert told == found or abs(_number(told) / _number(found) - 1) < 0.1, name
        assert (shown[name][1], shown[name][4]) == (counted[name][1], counted[name][4])


def _number(text: str) -> float:
    return float(text.replace(",", ""))


@pytest.mark.parametrize("form", ["table", "markdown", "json"])
def test_the_command_prints_them(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["bench", "calls", "--format", form, "--contexts", "5"])
    out = capsys.readouterr().out
    assert not stop.value.code
    if form == "json":
        found = json.loads(out)
        assert {one["metric"] for one in found} >= set(PACK)
        return
    assert re.search(r"faithfulness\W+2\W", out)
    assert "documented by the peer" in " ".join(out.split())
