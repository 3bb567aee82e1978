"""Resuming: finished cells are neither lost nor paid for again, and nothing else is mixed in."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from ragstone.api.result import EvaluationResult
from ragstone.engine.budget import Budget
from ragstone.errors import UsageError
from ragstone.metrics import AnswerRelevancy, ExactMatch, Faithfulness
from ragstone.schema.cells import Cell
from ragstone.schema.runs import JudgeInfo
from ragstone.store import open_store
from scripted import FakeEmbedder, FakeJudge, aquiet, quiet, reading_judge, row, rows


class NamedJudge(FakeJudge):
    """The reading judge under another name."""

    def __init__(self, name: str) -> None:
        super().__init__(reading_judge().script)
        self.name = name

    def describe(self) -> JudgeInfo:
        return JudgeInfo(kind="fake", name=self.name)


class OtherEmbedder(FakeEmbedder):
    """An embedder of another size."""

    def __init__(self) -> None:
        super().__init__(dimensions=32)


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'runs.db'}"


def stopped_run(url: str, calls: int = 9) -> EvaluationResult:
    """A run of ten rows that its budget stops."""
    return quiet(
        rows(10),
        [Faithfulness()],
        llm=reading_judge(),
        store=url,
        budget=Budget(calls=calls),
        concurrency=1,
    )


def test_a_stopped_run_goes_on_where_it_was(url: str) -> None:
    first = stopped_run(url)
    assert first["faithfulness"] == [0.5] * 4 + [None] * 6
    judge, seen = reading_judge(), []
    second = quiet(
        rows(10),
        [Faithfulness()],
        llm=judge,
        store=url,
        resume=first.run_id,
        callbacks=[lambda cell: seen.append(cell.row)],
    )
    assert second.run_id == first.run_id
    assert second["faithfulness"] == [0.5] * 10
    assert sorted(seen) == [4, 5, 6, 7, 8, 9]
    assert len(judge.asked) == 12
    assert (second.data.run.state, second.data.run.stopped_by) == ("done", None)


def test_a_finished_run_is_measured_no_more(url: str) -> None:
    first = quiet(rows(3), [Faithfulness()], llm=reading_judge(), store=url)
    judge = reading_judge()
    again = quiet(rows(3), [Faithfulness()], llm=judge, store=url, resume=first.run_id)
    assert judge.asked == []
    assert again["faithfulness"] == first["faithfulness"]
    assert again.data.cells == first.data.cells


def test_failed_cells_are_measured_again(url: str) -> None:
    broken = FakeJudge({"claims/extract": RuntimeError("down")})
    first = quiet(rows(2), [Faithfulness()], llm=broken, store=url)
    assert first["faithfulness"] == [None, None]
    second = quiet(rows(2), [Faithfulness()], llm=reading_judge(), store=url, resume=first.run_id)
    assert second["faithfulness"] == [0.5, 0.5]
    assert len(second.data.cells) == 2


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"dataset": rows(9)}, r"measured other data \(10 rows"),
        ({"dataset": [*rows(9), row(9, response="Other.")]}, "measured other data"),
        ({"dataset": list(reversed(rows(10)))}, "measured other data"),
        ({"metrics": [ExactMatch()]}, r"measured \['faithfulness'\], not \['exact_match'\]"),
        ({"metrics": [Faithfulness(strict=True)]}, "not .'faithfulness.strict=True.'"),
        ({"metrics": [Faithfulness(), ExactMatch()]}, "resume it with the same metrics"),
        (
            {"llm": NamedJudge("another")},
            "was 'fake', now it would be 'another'; resume it with the same judge",
        ),
    ],
)
def test_another_run_is_not_mixed_in(url: str, change: dict[str, Any], words: str) -> None:
    first = stopped_run(url)
    given = {"dataset": rows(10), "metrics": [Faithfulness()], "llm": reading_judge(), **change}
    data, metrics = given.pop("dataset"), given.pop("metrics")
    with pytest.raises(UsageError, match=words):
        quiet(data, metrics, store=url, resume=first.run_id, **given)
    with open_store(url) as store:
        assert store.run(first.run_id).state == "stopped"
        assert len(store.finished_cells(first.run_id)) == 4


def test_another_embedder_is_not_mixed_in(url: str) -> None:
    options: dict[str, Any] = {"llm": reading_judge(), "store": url}
    first = quiet(rows(2), [AnswerRelevancy()], embeddings=FakeEmbedder(), **options)
    with pytest.raises(UsageError, match="same embedder"):
        quiet(
            rows(2),
            [AnswerRelevancy()],
            embeddings=OtherEmbedder(),
            resume=first.run_id,
            **options,
        )


def test_other_words_of_a_prompt_are_not_mixed_in(url: str) -> None:
    first = stopped_run(url)
    plain = Faithfulness()
    own = Faithfulness(
        nli_statement_prompt=plain.nli_statement_prompt.with_words(instruction="Otherwise.")
    )
    with pytest.raises(UsageError, match="prompts"):
        quiet(rows(10), [own], llm=reading_judge(), store=url, resume=first.run_id)


def test_a_run_that_is_not_there(url: str) -> None:
    with pytest.raises(UsageError, match="nowhere"):
        quiet(rows(1), [ExactMatch()], store=url, resume="nowhere")


def test_without_a_store_there_is_nothing_to_resume() -> None:
    with pytest.raises(UsageError, match="keeps nothing"):
        quiet(rows(1), [ExactMatch()], store=False, resume="x")


async def test_an_interrupted_run_keeps_all_and_says_so(url: str) -> None:
    judge, kept = reading_judge(), []
    task = asyncio.create_task(
        aquiet(
            rows(2000), [Faithfulness()], llm=judge, store=url, callbacks=[kept.append], name="i"
        )
    )
    while len(kept) < 50:
        await asyncio.sleep(0.002)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    with open_store(url) as store:
        run = store.run("i")
        stored = [cell.row for cell in store.cells(run.id)]
    assert (run.state, run.stopped_by) == ("stopped", "interrupt")
    assert sorted(stored) == sorted(cell.row for cell in kept)
    assert len(stored) < 2000
    again = reading_judge()
    result = await aquiet(rows(2000), [Faithfulness()], llm=again, store=url, resume=run.id)
    assert result["faithfulness"] == [0.5] * 2000
    assert len(again.asked) == 2 * (2000 - len(stored))


def test_an_error_without_words_does_not_look_like_the_end(url: str) -> None:
    def watch(cell: Cell) -> None:
        raise ValueError

    with pytest.raises(ValueError, match=r"^$"):
        quiet(rows(3), [ExactMatch()], store=url, callbacks=[watch])
    with open_store(url) as store:
        (run,) = store.runs()
        assert (run.state, run.stopped_by) == ("stopped", "ValueError")


def test_what_was_ready_when_a_callback_broke_is_stored(url: str) -> None:
    def watch(cell: Cell) -> None:
        raise RuntimeError("stop")

    with pytest.raises(RuntimeError):
        quiet(rows(300), [ExactMatch()], store=url, callbacks=[watch])
    with open_store(url) as store:
        (run,) = store.runs()
        stored = sorted(cell.row for cell in store.cells(run.id))
    assert stored == list(range(len(stored)))
    assert stored


async def test_a_run_that_is_being_measured_is_not_resumed_at_the_same_time(url: str) -> None:
    first = await asyncio.to_thread(stopped_run, url)
    judge = reading_judge()
    options: dict[str, Any] = {"llm": judge, "store": url, "resume": first.run_id}
    both = await asyncio.gather(
        *(aquiet(rows(10), [Faithfulness()], **options) for _ in range(2)), return_exceptions=True
    )
    refused = [each for each in both if isinstance(each, UsageError)]
    assert len(refused) == 1
    assert "is being measured by another process" in str(refused[0])
    assert len(judge.asked) == 12
    again = await aquiet(rows(10), [Faithfulness()], **options)
    assert again["faithfulness"] == [0.5] * 10
    assert len(judge.asked) == 12
