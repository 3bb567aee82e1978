"""The core stands on its own: no extra is needed to import it, and the import costs nothing."""

import json
import resource
import subprocess
import sys
import textwrap
from typing import Any

import pytest

EXTRAS = (
    *("torch", "transformers", "pandas", "pyarrow", "datasets", "onnxruntime", "tokenizers"),
    *("spacy", "ragstone_models", "psycopg", "pydantic_ai", "anthropic", "google.genai"),
    *("boto3", "cohere", "openai", "fastapi", "uvicorn", "uvloop", "scipy", "playwright"),
    *("pytest", "hypothesis"),
)

BLOCK = f"""
import sys

class Without:
    def __init__(self, finder):
        self.finder = finder

    def __getattr__(self, name):
        return getattr(self.finder, name)

    def find_spec(self, name, path=None, target=None):
        if any(name == each or name.startswith(each + ".") for each in {EXTRAS!r}):
            return None
        return self.finder.find_spec(name, path, target)

sys.meta_path[:] = [Without(finder) for finder in sys.meta_path]
"""


def python(script: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments, "-c", script], capture_output=True, text=True, timeout=120
    )


def clean(script: str) -> str:
    done = python(BLOCK + textwrap.dedent(script))
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_extras_are_absent() -> None:
    assert "No module named 'pandas'" in python(BLOCK + "import pandas").stderr


def test_t99_the_core_imports_and_evaluates_without_any_extra() -> None:
    """T99: an optional package that is absent or broken never breaks the core."""
    out = clean(
        """
        import ragstone
        for name in ragstone.__all__:
            getattr(ragstone, name)
        import ragstone.metrics
        for name in ragstone.metrics.__all__:
            getattr(ragstone.metrics, name)
        from ragstone.metrics import ExactMatch
        result = ragstone.evaluate(
            [{"response": "a", "reference": "a"}], [ExactMatch()], store=False, show_progress=False
        )
        print(result)
        """
    )
    assert out == "{'exact_match': 1.0000 (1/1)}\n"


ENTRY_OF_EXTRAS = {"ragstone.pytest_plugin"}


def test_t99_every_module_of_the_core_imports_without_any_extra() -> None:
    """T99: heavy packages are imported where they are used, never at the top of a module."""
    out = clean(
        f"""
        import importlib, pkgutil, json
        import ragstone
        broken = {{}}
        for found in pkgutil.walk_packages(ragstone.__path__, "ragstone."):
            if found.name.endswith("__main__") or ".migrations" in found.name:
                continue
            if found.name in {ENTRY_OF_EXTRAS!r}:
                continue
            try:
                importlib.import_module(found.name)
            except ImportError as error:
                broken[found.name] = str(error)
        print(json.dumps(broken))
        """
    )
    broken: dict[str, str] = json.loads(out)
    assert broken == {}


def test_t99_the_command_line_helps_without_any_extra() -> None:
    """T99: `ragstone --help` works on a bare install."""
    out = clean(
        """
        from ragstone.cli import main
        sys.argv = ["ragstone", "--help"]
        main()
        """
    )
    assert "evaluate" in out


@pytest.mark.parametrize("extra", ["data", "local"])
def test_t99_a_missing_extra_says_how_to_install_it(extra: str) -> None:
    """T99: what needs an extra names the pip line."""
    use = {
        "data": "ragstone.EvaluationDataset.from_list([{'response': 'a'}]).to_pandas()",
        "local": "ragstone.evaluate([{'user_input': 'q', 'response': 'a', "
        "'retrieved_contexts': ['c']}], [Faithfulness()], llm='local', store=False, "
        "show_progress=False)",
    }[extra]
    out = clean(
        f"""
        import ragstone
        from ragstone.metrics import Faithfulness
        try:
            print({use})
        except ImportError as error:
            print(error)
        """
    )
    assert f"pip install 'ragstone[{extra}]'" in out


HEAVY = (
    *("numpy", "pydantic", "sqlalchemy", "aiohttp", "alembic", "jinja2", "click", "rich"),
    *("genai_prices", "asyncio"),
)


def test_importing_ragstone_loads_nothing_heavy() -> None:
    script = f"import sys, ragstone; print([n for n in {HEAVY!r} if n in sys.modules])"
    assert python(script).stdout == "[]\n"


def seconds(module: str) -> float:
    """The shortest of five imports in fresh processes, in seconds of the processor."""
    script = (
        f"import time; t = time.process_time(); import {module}; print(time.process_time() - t)"
    )
    return min(float(python(script).stdout) for _ in range(5))


@pytest.mark.parametrize(("module", "most"), [("ragstone", 0.2), ("ragstone.metrics", 0.4)])
def test_imports_are_quick(module: str, most: float) -> None:
    assert seconds(module) < most


def test_the_command_line_answers_quickly() -> None:
    """`ragstone --help`, process and all: the shortest of five, in seconds of the processor."""

    def once() -> float:
        began = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(
            [sys.executable, "-m", "ragstone", "--help"], capture_output=True, timeout=60
        )
        assert done.returncode == 0, done.stderr
        ended = resource.getrusage(resource.RUSAGE_CHILDREN)
        return ended.ru_utime + ended.ru_stime - began.ru_utime - began.ru_stime

    assert min(once() for _ in range(5)) < 0.4


def test_metrics_load_only_when_they_are_named() -> None:
    script = (
        "import sys, ragstone.metrics; from ragstone.metrics import ExactMatch; "
        "print([n for n in sys.modules if n.startswith('ragstone.metrics.rag')])"
    )
    done: Any = python(script)
    assert done.stdout == "[]\n", done.stderr


def test_the_fakes_load_no_http_library_until_the_server_is_named() -> None:
    script = (
        "import sys; from ragstone.testing import FakeEmbedder, FakeJudge, labels, sample; "
        "early = 'aiohttp' in sys.modules; from ragstone.testing import LLMServer, Reply; "
        "print(early, 'aiohttp' in sys.modules)"
    )
    assert python(script).stdout == "False True\n"
