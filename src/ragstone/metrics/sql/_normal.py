"""A query in one normal form: two queries with one form give the same result on every database.

The other way round does not hold: queries that are written too differently have two forms, and
somebody who understands both has to say whether they mean the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import count
from typing import TYPE_CHECKING

from ragstone.metrics.sql._columns import columns_by_table
from ragstone.metrics.sql._parsed import parse_query
from ragstone.metrics.sql._predicates import conjuncts, joined, plain_conditions

if TYPE_CHECKING:
    from sqlglot import exp
    from sqlglot.optimizer.scope import Scope

__all__ = ["normal_form"]


def normal_form(text: str, schema: Iterable[str] = (), dialect: str = "") -> str | None:
    """The normal form of a query; None when the text is no single query that can be read.

    The spelling of names, aliases and truth values, white space, comments, parentheses, the order
    of columns, of conditions and of inner joins make no difference. `schema` describes the tables,
    so that a column may be written without its table.
    """
    query = parse_query(text, dialect)
    if query is None:
        return None
    from sqlglot.errors import SqlglotError

    try:
        return repr(_normalized(query, columns_by_table(schema, dialect)))
    except (SqlglotError, RecursionError):
        return None


def _normalized(query: exp.Query, columns: Mapping[str, frozenset[str]]) -> exp.Query:
    from sqlglot import exp
    from sqlglot.optimizer.scope import traverse_scope

    for node in query.walk():
        node.pop_comments()
        if isinstance(node, exp.Identifier):
            _plain_name(node)
    selects = list(query.find_all(exp.Select))
    for select in selects:
        _expand_references(select)
    scopes = traverse_scope(query)
    for scope in scopes:
        _name_tables(scope, columns)
    _one_name_a_table(scopes)
    if isinstance(query, exp.Select):
        _drop_aliases(query)
    query = plain_conditions(query)
    for select in query.find_all(exp.Select):
        _sort_parts(select)
    if isinstance(query, exp.Select):
        query.set("expressions", sorted(query.expressions, key=repr))
    return query


def _plain_name(name: exp.Identifier) -> None:
    """Names count without case, but for quoted ones with capitals."""
    if not name.args.get("quoted"):
        name.set("this", name.name.lower())
    elif name.name == name.name.lower():
        name.set("quoted", False)


def _expand_references(select: exp.Select) -> None:
    """Put in ORDER BY and GROUP BY the columns themselves for their numbers and aliases."""
    from sqlglot import exp

    for each in select.expressions:
        column = each.this if isinstance(each, exp.Alias) else None
        if isinstance(column, exp.Column) and column.name == each.alias:
            each.replace(column)
    shown = [each.unalias() for each in select.expressions]
    aliases = {each.alias: each.this for each in select.expressions if isinstance(each, exp.Alias)}
    group, order = select.args.get("group"), select.args.get("order")
    places = [*(group.expressions if group else ()), *(o.this for o in _ordered(order))]
    for place in places:
        if isinstance(place, exp.Literal) and place.is_int and 1 <= int(place.name) <= len(shown):
            place.replace(shown[int(place.name) - 1].copy())
        elif isinstance(place.parent, exp.Ordered) and _bare(place) and place.name in aliases:
            place.replace(aliases[place.name].copy())
    for ordered in _ordered(order):
        ordered.set("desc", bool(ordered.args.get("desc")))


def _bare(node: exp.Expression) -> bool:
    """Whether a node is a column without the name of its table."""
    from sqlglot import exp

    return isinstance(node, exp.Column) and not node.table and not isinstance(node.this, exp.Star)


def _ordered(order: exp.Order | None) -> list[exp.Ordered]:
    from sqlglot import exp

    return [each for each in (order.expressions if order else ()) if isinstance(each, exp.Ordered)]


def _name_tables(scope: Scope, columns: Mapping[str, frozenset[str]]) -> None:
    """Write before a column the name of its table, where only one can be meant.

    Raises OptimizeError for a table's alias that is used like a column: it may be its whole row.
    """
    from sqlglot import exp
    from sqlglot.errors import OptimizeError

    sources = scope.sources
    shown = scope.expression.selects if isinstance(scope.expression, exp.Query) else []
    aliases = {each.alias for each in shown if isinstance(each, exp.Alias)}
    for column in scope.columns:
        if not _bare(column) or column.parent_select is not scope.expression:
            continue
        source = sources.get(column.name)
        if source is not None and not (isinstance(source, exp.Table) and not source.alias):
            raise OptimizeError(f"{column.name} may be a row")
        known = [
            name
            for name, source in sources.items()
            if isinstance(source, exp.Table) and column.name in columns.get(source.name, ())
        ]
        found = known or (list(sources) if scope.is_root else [])
        if len(found) == 1 and column.name not in aliases:
            column.set("table", exp.to_identifier(found[0]))


def _one_name_a_table(scopes: list[Scope]) -> None:
    """Let each table be called by its own name, numbered when it stands in the query twice."""
    from sqlglot import exp

    tables = [
        (scope, alias, table)
        for scope in scopes
        for alias, (_, table) in scope.selected_sources.items()
        if isinstance(table, exp.Table)
    ]
    often = Counter(table.name for _, _, table in tables)
    often.update(
        alias
        for scope in scopes
        for alias, source in scope.sources.items()
        if not isinstance(source, exp.Table)
    )
    numbers: dict[str, count[int]] = {name: count(1) for name in often}
    renamed: list[tuple[exp.Column, str]] = []
    for scope, alias, table in tables:
        name = table.name
        new = name if often[name] == 1 else f"{name} {next(numbers[name])}"
        named = (each for each in (*scope.columns, *scope.stars) if isinstance(each, exp.Column))
        renamed += [(column, new) for column in named if column.table == alias]
        table.set("alias", exp.TableAlias(this=exp.to_identifier(new)))
    for column, new in renamed:
        column.set("table", exp.to_identifier(new))


def _drop_aliases(select: exp.Select) -> None:
    """The names of the columns of the result do not matter, unless they are used."""
    from sqlglot import exp

    used = {column.name for column in select.find_all(exp.Column) if not column.table}
    for each in select.expressions:
        if isinstance(each, exp.Alias) and each.alias not in used:
            each.replace(each.this)


def _sort_parts(select: exp.Select) -> None:
    """Sort what has no order: the conditions, inner joins and groups of a query."""
    from sqlglot import exp

    joins = select.args.get("joins") or []
    if all(set(_given(join)) <= {"this", "on", "kind"} and _inner(join) for join in joins):
        where = select.args.get("where")
        found = [join.args["on"] for join in joins if join.args.get("on")]
        conditions = [part for each in found for part in conjuncts(each)]
        conditions += conjuncts(where.this) if where else []
        if conditions:
            select.set("where", exp.Where(this=joined(exp.And, conditions)))
        if joins:
            place = "from_" if select.args.get("from_") else "from"  # its name before sqlglot 28
            tables = [select.args[place].this, *(join.this for join in joins)]
            first, *rest = sorted(tables, key=repr)
            select.set(place, exp.From(this=first))
            select.set("joins", [exp.Join(this=table) for table in rest])
    group = select.args.get("group")
    if group and _given(group) == ["expressions"]:
        group.set("expressions", sorted(group.expressions, key=repr))


def _inner(join: exp.Join) -> bool:
    return join.kind in ("", "INNER", "CROSS") and join.this.key in ("table", "subquery")


def _given(node: exp.Expression) -> list[str]:
    return [key for key, value in node.args.items() if value]
