"""Conditions in one form: what may be written in several ways without meaning another thing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from sqlglot import exp

__all__ = ["conjuncts", "joined", "plain_conditions"]


def plain_conditions(query: exp.Query) -> exp.Query:
    """The tree without parentheses, and with each condition written in one way.

    Comparisons point one way and equal sides are sorted; BETWEEN is two comparisons; a list of one
    is an equality; TRUE is 1; COUNT(1) is COUNT(*); the parts of AND, OR and IN are sorted. All of
    it holds for NULL as well.
    """
    found: exp.Expr = query
    for rule in (_unwrapped, _one_way, _sorted_parts):
        found = _rewritten(found, rule)
    return cast("exp.Query", found)


def conjuncts(condition: exp.Expr) -> Iterator[exp.Expr]:
    """The conditions that AND holds together."""
    from sqlglot import exp

    if isinstance(condition, exp.And):
        yield from conjuncts(condition.left)
        yield from conjuncts(condition.right)
    else:
        yield condition


def joined(kind: type[exp.Connector], parts: Sequence[exp.Expr]) -> exp.Expr:
    """The parts, each once and in order of their text, held together by AND or OR."""
    unique = {repr(part): part for part in parts}
    first, *rest = (unique[key] for key in sorted(unique))
    for part in rest:
        first = kind(this=first, expression=part)
    return first


def _rewritten(node: exp.Expr, rule: Callable[[exp.Expr], exp.Expr]) -> exp.Expr:
    """The tree with the rule applied to every node, the innermost first."""
    for child in list(node.iter_expressions()):
        changed = _rewritten(child, rule)
        if changed is not child:
            child.replace(changed)
    return rule(node)


def _unwrapped(node: exp.Expr) -> exp.Expr:
    from sqlglot import exp

    return node.this if isinstance(node, exp.Paren) else node


def _one_way(node: exp.Expr) -> exp.Expr:
    from sqlglot import exp

    turned: dict[type[exp.Expr], type[exp.Binary]] = {exp.GT: exp.LT, exp.GTE: exp.LTE}
    if isinstance(node, exp.Boolean):
        return exp.Literal.number(int(node.this))
    if type(node) in turned:
        return turned[type(node)](this=node.expression, expression=node.this)
    if isinstance(node, exp.Between) and isinstance(node.this, exp.Column) and _plain(node):
        low = exp.LTE(this=node.args["low"], expression=node.this.copy())
        return exp.And(this=low, expression=exp.LTE(this=node.this, expression=node.args["high"]))
    if isinstance(node, exp.In) and len(node.expressions) == 1 and _plain(node):
        return exp.EQ(this=node.this, expression=node.expressions[0])
    if isinstance(node, exp.Count) and isinstance(node.this, exp.Literal):
        return exp.Count(this=exp.Star(), big_int=node.args.get("big_int"))
    if isinstance(node, exp.Not) and isinstance(node.this, exp.EQ):
        return exp.NEQ(this=node.this.this, expression=node.this.expression)
    return node


def _plain(node: exp.Expr) -> bool:
    """Whether a condition has none of the rarer parts, such as SYMMETRIC or a subquery."""
    return {key for key, value in node.args.items() if value} <= {
        "this",
        "low",
        "high",
        "expressions",
    }


def _sorted_parts(node: exp.Expr) -> exp.Expr:
    from sqlglot import exp

    if isinstance(node, (exp.And, exp.Or)) and type(node.parent) is not type(node):
        return joined(type(node), list(_parts(node, type(node))))
    if isinstance(node, (exp.EQ, exp.NEQ)):
        sides = sorted((node.this, node.expression), key=repr)
        return type(node)(this=sides[0], expression=sides[1])
    if isinstance(node, exp.In) and node.expressions:
        listed = {repr(each): each for each in node.expressions}
        node.set("expressions", [listed[key] for key in sorted(listed)])
    return node


def _parts(node: exp.Expr, kind: type[exp.Expr]) -> Iterator[exp.Expr]:
    if isinstance(node, kind):
        yield from _parts(node.this, kind)
        yield from _parts(node.expression, kind)
    else:
        yield node
