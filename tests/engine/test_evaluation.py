"""An evaluation: every cell once, rows in order, and a clean end whatever happens."""

import asyncio
import gc
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from ragstone.engine.evaluation import Evaluation
from ragstone.engine.plan import make_plan
from ragstone.errors import ProviderError
from ragstone.metrics import ExactMatch, Faithfulness, Metric, StringPresence
from ragstone.schema.cells import Cell, CellKey
from ragstone.schema.samples import SingleTurnSample
from ragstone.tools.toolbox import Toolbox
from scripted import (
    CLAIMS,
    SUPPORT,
    FakeJudge,
    aquiet,
    claims,
    quiet,
    reading_judge,
    row,
    rows,
    sample,
)


@dataclass(frozen=True, kw_only=True)
class Told(Metric):
    """Does for each row what it is told."""

    name: str = "told"
    act: Callable[[str], Any] = len

    async def measure(self, response: str) -> Any:
        return await self.act(response)


def numbered(count: int) -> list[SingleTurnSample]:
    return [SingleTurnSample(response=str(n)) for n in range(count)]


async def all_cells(evaluation: Evaluation) -> list[Cell]:
    return [cell async for batch in evaluation.batches() for cell in batch]


@pytest.mark.parametrize("count", [1, 2, 63, 64, 65, 1000])
@pytest.mark.parametrize("concurrency", [1, 64])
async def test_every_cell_is_measured_once(count: int, concurrency: int) -> None:
    samples = [sample(n) for n in range(count)]
    plan = make_plan(samples, [ExactMatch(), StringPresence()], Toolbox())
    cells = await all_cells(Evaluation(plan, concurrency=concurrency))
    wanted = {CellKey(n, name) for n in range(count) for name in ("exact_match", "string_presence")}
    assert len(cells) == len(wanted)
    assert {cell.key for cell in cells} == wanted


async def test_no_more_cells_are_under_way_than_asked_for() -> None:
    under_way, most = 0, 0

    async def act(_: str) -> float:
        nonlocal under_way, most
        under_way += 1
        most = max(most, under_way)
        await asyncio.sleep(0.001)
        under_way -= 1
        return 1.0

    plan = make_plan(numbered(50), [Told(act=act)], Toolbox())
    await all_cells(Evaluation(plan, concurrency=5))
    assert most == 5


async def test_t68_rows_stay_in_the_order_of_the_data_whatever_finishes_first() -> None:
    """T68: bounded concurrency, every row kept, results in row order, failed rows among them."""

    async def act(text: str) -> float:
        number = int(text)
        await asyncio.sleep((30 - number) / 1000)
        if number % 7 == 3:
            raise ValueError(f"row {number}")
        return number / 100

    result = await aquiet(numbered(30), [Told(act=act, name="late")])
    (key,) = result.metrics
    assert result[key] == [None if n % 7 == 3 else n / 100 for n in range(30)]
    assert [cell.row for cell in result.data.cells] == list(range(30))
    errors = [r.error for r in result.results(key) if r is not None and r.status == "failed"]
    assert errors == [f"ValueError: row {n}" for n in range(30) if n % 7 == 3]


async def test_finished_cells_are_left_out() -> None:
    plan = make_plan([sample(n) for n in range(4)], [ExactMatch()], Toolbox())
    done = {CellKey(0, "exact_match"), CellKey(2, "exact_match")}
    cells = await all_cells(Evaluation(plan, finished=done))
    assert sorted(cell.row for cell in cells) == [1, 3]


async def test_nothing_is_left_to_measure() -> None:
    plan = make_plan([sample()], [ExactMatch()], Toolbox())
    assert await all_cells(Evaluation(plan, finished={CellKey(0, "exact_match")})) == []


def refusing(when: Callable[[int], bool]) -> tuple[FakeJudge, list[int]]:
    """A judge that refuses the key at the claims calls whose number `when` picks."""
    asked: list[int] = []

    def reply(data: Any) -> Any:
        asked.append(len(asked))
        if when(asked[-1]):
            return ProviderError("wrong key", provider="p", kind="authentication")
        return claims("It is red.")

    judge = FakeJudge(
        {
            CLAIMS: reply,
            SUPPORT: lambda d: {"verdicts": [{"id": "1", "verdict": "supported"}]},
        }
    )
    return judge, asked


async def test_a_wrong_key_stops_the_run_at_once() -> None:
    judge, asked = refusing(lambda number: True)
    with pytest.raises(ProviderError, match="wrong key"):
        await aquiet(rows(50), [Faithfulness()], llm=judge, concurrency=2)
    assert len(asked) <= 2


async def test_one_refusal_among_answers_is_one_failed_cell() -> None:
    judge, _ = refusing(lambda number: number == 3)
    result = await aquiet(rows(50), [Faithfulness()], llm=judge, concurrency=1)
    assert [cell.row for cell in result.data.cells if cell.result.status == "failed"] == [3]


async def test_a_key_that_ceases_to_work_stops_the_run_and_what_was_scored_is_kept() -> None:
    judge, asked = refusing(lambda number: number >= 3)
    kept: list[Cell] = []
    with pytest.raises(ProviderError, match="wrong key"):
        await aquiet(rows(90), [Faithfulness()], llm=judge, concurrency=2, callbacks=[kept.append])
    assert [cell.result.value for cell in kept if cell.finished] == [1.0] * 3
    assert len(asked) <= 3 + 20 + 2


async def test_raise_exceptions_raises_the_error_itself() -> None:
    async def act(text: str) -> float:
        if text == "4":
            raise ZeroDivisionError
        return 1.0

    with pytest.raises(ZeroDivisionError):
        await aquiet(numbered(9), [Told(act=act)], raise_exceptions=True)


@pytest.mark.parametrize("kind", [KeyboardInterrupt, SystemExit])
def test_what_means_to_end_the_program_ends_the_run_and_is_raised(
    kind: type[BaseException],
) -> None:
    async def act(text: str) -> float:
        if text == "4":
            raise kind
        return 1.0

    kept: list[Cell] = []
    with pytest.raises(kind):
        quiet(numbered(9), [Told(act=act)], concurrency=1, callbacks=[kept.append])
    assert [cell.row for cell in kept] == [0, 1, 2, 3]
    assert quiet(rows(2), [ExactMatch()])["exact_match"] == [0.0, 0.0]  # the loop still serves


def test_the_reader_s_own_error_ends_the_run_and_no_call_goes_on() -> None:
    judge = reading_judge()

    def watch(cell: Cell) -> None:
        raise RuntimeError("the callback broke")

    with pytest.raises(RuntimeError, match="callback broke"):
        quiet(rows(500), [Faithfulness()], llm=judge, callbacks=[watch], concurrency=2)
    asked = len(judge.asked)
    time.sleep(0.1)
    assert len(judge.asked) == asked
    assert asked < 100


async def test_a_reader_that_leaves_gets_what_was_ready_as_leftover() -> None:
    plan = make_plan([sample(n) for n in range(200)], [ExactMatch()], Toolbox())
    evaluation = Evaluation(plan, concurrency=8)
    batches = evaluation.batches()
    got = list(await anext(batches))
    await asyncio.sleep(0.05)  # the queue fills, and the workers stand at it with their cells
    await batches.aclose()
    keys = [cell.key for cell in [*got, *evaluation.leftover]]
    assert len(set(keys)) == len(keys)
    assert {key.row for key in keys} == set(range(len(keys)))  # none lost on the way
    assert len(evaluation.leftover) > 8


async def test_cancelling_keeps_every_finished_cell() -> None:
    finished: list[str] = []

    async def act(text: str) -> float:
        await asyncio.sleep(0.001)
        finished.append(text)
        return 1.0

    kept: list[Cell] = []
    task = asyncio.create_task(
        aquiet(numbered(5000), [Told(act=act)], callbacks=[kept.append], concurrency=16)
    )
    while len(kept) < 100:
        await asyncio.sleep(0.005)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert sorted(cell.row for cell in kept) == sorted(map(int, finished))
    assert len(kept) < 5000
    left = asyncio.all_tasks() - {asyncio.current_task()}
    assert not left


async def test_a_cancelled_run_leaves_no_task_and_no_warning(
    recwarn: pytest.WarningsRecorder,
) -> None:
    never = asyncio.Event()

    class Hanging(FakeJudge):
        async def ask(self, prompt: Any, data: Any, *, sample: int = 0) -> Any:
            await never.wait()

    task = asyncio.create_task(aquiet(rows(30), [Faithfulness()], llm=Hanging({})))
    await asyncio.sleep(0.05)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await asyncio.sleep(0)
    assert not asyncio.all_tasks() - {asyncio.current_task()}
    gc.collect()
    assert not recwarn.list


async def test_t70_an_evaluation_holds_no_cells_that_were_read() -> None:
    """T70: memory does not grow with the rows that are done."""
    plan = make_plan(numbered(3000), [ExactMatchOfResponse()], Toolbox())
    evaluation = Evaluation(plan, concurrency=8)
    async for batch in evaluation.batches():
        del batch
    assert evaluation.leftover == []
    assert sum(isinstance(thing, Cell) for thing in gc.get_objects()) < 500


@dataclass(frozen=True, kw_only=True)
class ExactMatchOfResponse(Metric):
    """Reads one field, so that the rows can be tiny."""

    name: str = "tiny"

    async def measure(self, response: str) -> float:
        return 1.0


async def test_two_evaluations_at_once_do_not_meet() -> None:
    judges = [reading_judge(), reading_judge()]
    results = await asyncio.gather(
        *(
            aquiet(rows(40), [Faithfulness(strict=strict)], llm=judge)
            for judge, strict in zip(judges, (True, False), strict=True)
        )
    )
    assert [len(judge.asked) for judge in judges] == [80, 80]
    assert [result.total_tokens().calls for result in results] == [80, 80]
    assert results[0]["faithfulness(strict=True)"] == results[1]["faithfulness"] == [0.5] * 40


def test_rows_may_hold_what_cannot_be_hashed() -> None:
    data = [row(n, tags=["a", {"b": [n]}], more={"deep": [[n]]}) for n in range(3)]
    assert quiet(data, [ExactMatch()])["exact_match"] == [0.0] * 3


def test_a_thousand_rows_from_sync_code() -> None:
    result = quiet(rows(1000), [Faithfulness(), ExactMatch()], llm=reading_judge())
    assert result["faithfulness"] == [0.5] * 1000
    assert str(result) == "{'faithfulness': 0.5000 (1000/1000), 'exact_match': 0.0000 (1000/1000)}"


def test_one_row() -> None:
    assert quiet([row()], [Faithfulness()], llm=reading_judge())["faithfulness"] == [0.5]


async def test_two_hundred_rows_inside_a_running_loop() -> None:
    """The sync door inside a running loop, as in a notebook or a web handler."""
    result = quiet(rows(200), [Faithfulness()], llm=reading_judge())
    assert result["faithfulness"] == [0.5] * 200


@pytest.mark.skipif(sys.platform == "win32", reason="uvloop is not for Windows")
def test_two_hundred_rows_under_uvloop() -> None:
    import uvloop

    async def main() -> None:
        sync = quiet(rows(200), [Faithfulness()], llm=reading_judge())
        asynchronous = await aquiet(rows(200), [Faithfulness()], llm=reading_judge())
        assert sync["faithfulness"] == asynchronous["faithfulness"] == [0.5] * 200

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(main())


def test_what_a_metric_asked_when_it_stops_early_is_still_counted() -> None:
    """A side of a metric that ends first must not hide what the other side costs."""

    class Uneven(FakeJudge):
        async def ask(self, prompt: Any, data: Any, *, sample: int = 0) -> Any:
            if getattr(data, "text", "") == "The reference.":
                await asyncio.sleep(0.02)
            return await super().ask(prompt, data, sample=sample)

    from ragstone.metrics import FactualCorrectness

    judge = Uneven(
        {
            CLAIMS: lambda d: (
                claims("It is.") if d.text == "The reference." else claims(refuses=True)
            ),
            SUPPORT: lambda d: {"verdicts": [{"id": "1", "verdict": "supported"}]},
        }
    )
    data = [row(response="I do not know.", reference="The reference.")]
    result = quiet(data, [FactualCorrectness()], llm=judge)
    (found,) = result.results("factual_correctness")
    assert found is not None
    assert found.code == "refusal"
    assert result.total_tokens().calls == len(judge.asked) == 3


def test_no_callbacks_may_be_given_as_none() -> None:
    assert quiet([row()], [ExactMatch()], callbacks=None)["exact_match"] == [0.0]
