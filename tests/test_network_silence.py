"""The library opens no connection but to the judge that the user configured, and writes at home."""

import json
import socket
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from ragstone.llms.factory import llm_factory
from ragstone.metrics import AnswerRelevancy, ContextPrecision, ExactMatch, Faithfulness, Metric
from ragstone.testing.llm_server import LLMServer
from scripted import FakeEmbedder, aquiet, quiet, reading_judge, row, rows

_NETWORK = ("socket.connect", "socket.getaddrinfo", "socket.gethostby", "socket.sendto")
_watchers: list[list[tuple[str, Any]]] = []


def _hook(event: str, arguments: tuple[Any, ...]) -> None:
    if _watchers and event.startswith(_NETWORK):
        where = arguments[1:] if event in ("socket.connect", "socket.sendto") else arguments
        for seen in _watchers:
            seen.append((event, where[0]))


sys.addaudithook(_hook)


@contextmanager
def network() -> Iterator[list[tuple[str, Any]]]:
    """Every connection and every look-up of a host that Python makes inside the block."""
    seen: list[tuple[str, Any]] = []
    _watchers.append(seen)
    try:
        yield seen
    finally:
        _watchers.remove(seen)


def test_the_guard_sees_a_connection() -> None:
    with network() as seen, socket.create_server(("127.0.0.1", 0)) as server:
        where = server.getsockname()
        with socket.socket() as client:
            client.connect(where)
    assert seen == [("socket.connect", where)]


METRICS: list[Metric] = [Faithfulness(), ContextPrecision(), AnswerRelevancy(), ExactMatch()]


def test_t75_an_evaluation_without_a_remote_judge_opens_no_socket(tmp_path: Path) -> None:
    """T75: no telemetry: nothing leaves the process, stored or not."""
    store = f"sqlite:///{tmp_path / 'runs.db'}"
    with network() as seen:
        result = quiet(
            rows(20), METRICS, llm=reading_judge(), embeddings=FakeEmbedder(), store=store
        )
    assert len(result.data.cells) == 80
    assert seen == []


@pytest.mark.parametrize("setting", ["DO_NOT_TRACK", "RAGSTONE_DISABLE_TELEMETRY", None])
def test_t76_no_setting_makes_or_stops_a_beacon(
    setting: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """T76: there is nothing to disable, so nothing is sent when it is "disabled"."""
    if setting:
        monkeypatch.setenv(setting, "1")
    with network() as seen:
        quiet(rows(3), METRICS, llm=reading_judge(), embeddings=FakeEmbedder())
    assert seen == []


def test_t75_the_local_tools_open_no_socket() -> None:
    """T75: the packaged models are read from the package, nothing is fetched."""
    pytest.importorskip("ragstone_models")
    with network() as seen:
        result = quiet(rows(20), METRICS, llm="local")
    assert not [cell.result.error for cell in result.data.cells if cell.result.error]
    assert seen == []


USEFUL = '{"verdicts": [{"id": "1", "verdict": "useful"}]}'


async def test_t76_only_the_configured_judge_is_connected_to() -> None:
    """T76: with a judge on a server, that address is the only one that is connected to."""
    async with LLMServer(lambda _: USEFUL) as server:
        judge = llm_factory("m", provider="openai", api_key="k", base_url=server.url)
        try:
            with network() as seen:
                result = await aquiet(rows(20), [ContextPrecision()], llm=judge)
        finally:
            await judge.aclose()
    assert result["context_precision"] == [1.0] * 20
    connected = {where for event, where in seen if event == "socket.connect"}
    assert connected == {("127.0.0.1", server.port)}
    assert all(where == "127.0.0.1" for event, where in seen if event == "socket.getaddrinfo")


def test_nothing_is_written_outside_of_the_data_folder(own_home: Path, tmp_path: Path) -> None:
    """An evaluation with the default store writes below the data folder and nowhere else."""
    data = tmp_path / "rows.jsonl"
    data.write_text("\n".join(json.dumps(row(n)) for n in range(5)))
    script = f"""
        import sys
        written = []

        def watch(event, arguments):
            if event == "open" and isinstance(arguments[0], (str, bytes)):
                path, mode, flags = arguments
                if any(c in (mode or "") for c in "wax+") or (mode is None and flags & 3):
                    written.append(str(path))
            elif event in ("os.mkdir", "os.rename", "os.remove", "sqlite3.connect"):
                written.append(str(arguments[0]))

        sys.dont_write_bytecode = True
        sys.addaudithook(watch)
        import ragstone
        from ragstone.metrics import ExactMatch
        ragstone.evaluate({str(data)!r}, [ExactMatch()], show_progress=False)
        print("\\n".join(sorted(set(written))))
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    written = [line for line in done.stdout.splitlines() if line and line != "/dev/null"]
    assert written
    elsewhere = [
        path for path in written if str(own_home) not in path and not own_home.is_relative_to(path)
    ]
    assert elsewhere == []
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {"rows.jsonl", own_home.name}
