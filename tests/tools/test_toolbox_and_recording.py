"""The toolbox names what is missing; recordings do not run into each other."""

import asyncio

import pytest

from ragstone.errors import MissingTool
from ragstone.schema.usage import Call
from ragstone.tools.recording import record, recording
from ragstone.tools.toolbox import Toolbox
from scripted import FakeEmbedder, reading_judge


def made(name: str) -> Call:
    return Call(prompt=name, judge="j", input={}, output=None)


@pytest.mark.parametrize(
    ("tool", "mend"), [("judge", "pass llm=llm_factory"), ("embedder", "pass embeddings=")]
)
def test_a_missing_tool_names_metric_and_mend(tool: str, mend: str) -> None:
    with pytest.raises(MissingTool, match=f"'my_metric' needs an? {tool}: {mend}"):
        Toolbox().get(tool, "my_metric")


def test_what_is_there_is_given() -> None:
    judge, embedder = reading_judge(), FakeEmbedder()
    tools = Toolbox(judge=judge, embedder=embedder)
    assert tools.get("judge", "m") is judge
    assert tools.get("embedder", "m") is embedder


def test_nothing_is_recorded_outside_of_a_recording() -> None:
    record(made("lost"))
    with recording() as calls:
        pass
    assert calls == []


def test_an_inner_recording_takes_the_calls() -> None:
    with recording() as outer:
        with recording() as inner:
            record(made("a"))
        record(made("b"))
    assert [call.prompt for call in inner] == ["a"]
    assert [call.prompt for call in outer] == ["b"]


async def test_recordings_of_two_tasks_are_apart() -> None:
    async def work(name: str) -> list[str]:
        with recording() as calls:
            for _ in range(3):
                await asyncio.sleep(0)
                record(made(name))
            return [call.prompt for call in calls]

    found = await asyncio.gather(*(work(name) for name in "abc"))
    assert found == [["a"] * 3, ["b"] * 3, ["c"] * 3]


async def test_a_task_that_the_block_starts_records_into_it() -> None:
    async def ask() -> None:
        record(made("child"))

    with recording() as calls:
        await asyncio.create_task(ask())
    assert [call.prompt for call in calls] == ["child"]
