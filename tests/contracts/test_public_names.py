"""Every public name resolves, is documented, and is named as public where it stands."""

import ast
import importlib
import inspect
import pkgutil
from pathlib import Path
from types import ModuleType

import pytest

import ragstone
import ragstone.metrics
import ragstone.prompt
import ragstone.testing

SOURCE = Path(ragstone.__file__).parent
MODULES = [
    found.name
    for found in pkgutil.walk_packages(ragstone.__path__, "ragstone.")
    if ".migrations" not in found.name and not found.name.endswith("__main__")
]
every = pytest.mark.parametrize("name", MODULES)


LAZY = [ragstone, ragstone.metrics, ragstone.prompt, ragstone.testing]


@pytest.mark.parametrize("room", LAZY, ids=lambda room: room.__name__)
def test_the_lazy_lists_resolve(room: ModuleType) -> None:
    assert len(set(room.__all__)) == len(room.__all__)
    for name in room.__all__:
        assert getattr(room, name) is not None
        assert name in dir(room)
    with pytest.raises(AttributeError, match="has no attribute 'no_such_name'"):
        _ = room.no_such_name


def test_the_lazy_lists_are_what_type_checkers_see() -> None:
    for room in LAZY:
        tree = ast.parse(Path(str(room.__file__)).read_text(encoding="utf-8"))
        seen = {
            alias.asname
            for node in ast.walk(tree)
            if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
            for statement in node.body
            if isinstance(statement, ast.ImportFrom)
            for alias in statement.names
        }
        assert seen == set(room.__all__) - {"__version__"}


@every
def test_every_public_name_resolves_and_is_documented(name: str) -> None:
    module = importlib.import_module(name)
    assert (module.__doc__ or "").strip(), "the module has no docstring"
    for public in getattr(module, "__all__", ()):
        value = getattr(module, public)
        if inspect.isclass(value) or inspect.isfunction(value):
            if not value.__module__.startswith("ragstone"):
                continue
            assert (value.__doc__ or "").strip(), f"{public} has no docstring"


@every
def test_every_public_function_and_class_is_listed(name: str) -> None:
    module = importlib.import_module(name)
    tree = ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))
    public = {
        node.name
        for node in tree.body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        and not node.name.startswith("_")
        and not _is_command(node)
    }
    assert public <= set(getattr(module, "__all__", ()))


def _is_command(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> bool:
    """Whether the function is a command, which its group finds."""
    return any(".command" in ast.unparse(decorator) for decorator in node.decorator_list)
