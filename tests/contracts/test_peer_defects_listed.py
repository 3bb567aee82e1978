"""Every kind of defect on our list is named by a test somewhere."""

import ast
import re
from pathlib import Path

TESTS = Path(__file__).parents[1]

LISTED = frozenset(
    f"T{number:02}"
    for number in (
        *(1, 2, 4, 5, 6, 7, 9, 11, 12, 13, 16, 18, 19, 21, 22, 23, 25, 26, 33, 35, 38, 41, 42, 43),
        *(44, 46, 47, 51, 52, 53, 54, 56, 58, 59, 61, 62, 63, 65, 66, 67, 68, 70, 74, 75, 76, 79),
        81,
        *(82, 84, 86, 87, 89, 90, 99),
    )
)


def named() -> set[str]:
    """The ids in the names of all test functions."""
    found: set[str] = set()
    for path in TESTS.rglob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                found |= {f"T{n}" for n in re.findall(r"(?<=_)[tT](\d\d)(?=_|$)", node.name)}
    return found


def test_every_listed_defect_is_named_by_a_test() -> None:
    assert sorted(LISTED - named()) == []
