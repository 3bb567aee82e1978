"""Judging with the packaged models reports nothing: the runtime keeps no events to send later."""

import os
import subprocess
import sys
from pathlib import Path

PROGRAM = """
from ragstone.local.encoder import encoder
from ragstone.local.crossencoder import cross_encoder
encoder()
cross_encoder("relevance").scores([("When was it opened?", "It was opened in 1932.")])
"""


def test_the_runtime_writes_no_events_and_no_identity_of_the_machine(tmp_path: Path) -> None:
    mine = ("ORT_", "XDG_", "CI", "GITHUB_", "PYTEST_")  # the runtime also keeps still in a CI
    env = {name: value for name, value in os.environ.items() if not name.startswith(mine)}
    command = [sys.executable, "-c", PROGRAM]
    subprocess.run(command, check=True, timeout=120, env={**env, "HOME": str(tmp_path)})
    assert [path for path in tmp_path.rglob("*") if "onnxruntime" in path.name] == []
