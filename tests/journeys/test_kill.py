"""Kill -9 in the middle of a run, again and again: nothing finished is lost or paid for twice."""

import asyncio
import json
import random
import re
import sys
from pathlib import Path

import pytest

from ragstone.store.opening import open_store
from ragstone.testing.llm_server import Asked, LLMServer

CHILD = Path(__file__).with_name("evaluate_child.py")
ROWS, KILLS = 2000, 20


class CountingModel:
    """Answers both questions of faithfulness, and notes which rows are asked about."""

    def __init__(self) -> None:
        self.rows_asked: list[int] = []

    def __call__(self, asked: Asked) -> str:
        row = re.search(r"This is row (\d+)\.", asked.user)
        assert row, asked.user
        self.rows_asked.append(int(row[1]))
        if "claims" in (asked.schema or {}).get("properties", {}):
            return json.dumps({"refuses": False, "claims": [f"This is row {row[1]}."]})
        return json.dumps({"verdicts": [{"id": "1", "verdict": "supported"}]})


def write_rows(path: Path) -> None:
    with path.open("w", encoding="utf-8") as file:
        for n in range(ROWS):
            row = {
                "user_input": f"Which row is number {n}?",
                "response": f"This is row {n}.",
                "retrieved_contexts": [f"Here stands row {n}."],
            }
            file.write(json.dumps(row) + "\n")


async def run_child(
    given: dict[str, object], model: CountingModel, kill_after: int | None
) -> tuple[int | None, bytes]:
    child = await asyncio.create_subprocess_exec(
        sys.executable, str(CHILD), json.dumps(given), stdout=asyncio.subprocess.PIPE
    )
    start = len(model.rows_asked)
    while kill_after is not None and child.returncode is None:
        if len(model.rows_asked) - start >= kill_after:
            child.kill()
            break
        await asyncio.sleep(0.001)
    out, _ = await child.communicate()
    return child.returncode, out


@pytest.mark.slow
@pytest.mark.timeout(900)
async def test_T68_kill_9_twenty_times_then_resume(tmp_path: Path) -> None:
    data, url = tmp_path / "rows.jsonl", f"sqlite:///{tmp_path / 'runs.db'}"
    write_rows(data)
    model = CountingModel()
    chance = random.Random(20261130)
    async with LLMServer(model, latency=0.02, keep=False) as server:
        given: dict[str, object] = {
            "data": str(data),
            "url": server.url,
            "store": url,
            "resume": None,
        }
        finished: set[int] = set()
        for _ in range(KILLS):
            before = len(model.rows_asked)
            code, _ = await run_child(given, model, kill_after=chance.randint(20, 260))
            assert code == -9
            asked_again = finished & set(model.rows_asked[before:])
            assert not asked_again, f"rows {sorted(asked_again)[:5]} were finished and asked again"
            with open_store(url) as store:
                (run,) = store.runs()
                given["resume"] = run.id
                now = {key.row for key in store.finished_cells(run.id)}
            assert finished <= now
            finished = now
        assert 0 < len(finished) < ROWS
        before = len(model.rows_asked)
        code, out = await run_child(given, model, kill_after=None)
        assert not finished & set(model.rows_asked[before:])
    assert code == 0
    assert b"'faithfulness': 1.0000 (2000/2000)" in out
    with open_store(url) as store:
        (run,) = store.runs()
        assert run.state == "done"
        rows = [cell.row for cell in store.cells(run.id)]
        texts = [sample.value("response") for sample in store.samples(run.id)]
    assert rows == list(range(ROWS))
    assert texts == [f"This is row {n}." for n in range(ROWS)]
