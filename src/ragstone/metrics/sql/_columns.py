"""Which columns a table has, as far as a described schema tells."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from ragstone.metrics.sql._parsed import parse_statements

__all__ = ["columns_by_table"]

_LISTED = re.compile(r"^\s*(?:table\s+)?[\"`\[]?(\w+)[\"`\]]?\s*\(([^()]*)\)\s*;?\s*$", re.I | re.M)
_NAME = re.compile(r"^\s*[\"`\[]?(\w+)")


def columns_by_table(texts: Iterable[str], dialect: str) -> Mapping[str, frozenset[str]]:
    """The columns of each table, in lower case: from CREATE TABLE, or lines like `t(a, b)`.

    What is described in another way is left out.
    """
    found: dict[str, frozenset[str]] = {}
    for text in texts:
        if re.search(r"\bcreate\s+table\b", text, re.IGNORECASE):
            found.update(_created(text, dialect))
        else:
            found.update((table.lower(), _names(inner)) for table, inner in _LISTED.findall(text))
    return found


def _created(text: str, dialect: str) -> Mapping[str, frozenset[str]]:
    from sqlglot import exp

    created = (each for each in parse_statements(text, dialect) if isinstance(each, exp.Create))
    return {
        each.this.this.name.lower(): frozenset(
            column.name.lower() for column in each.this.find_all(exp.ColumnDef)
        )
        for each in created
        if isinstance(each.this, exp.Schema)
    }


def _names(inner: str) -> frozenset[str]:
    return frozenset(m[1].lower() for part in inner.split(",") if (m := _NAME.match(part)))
