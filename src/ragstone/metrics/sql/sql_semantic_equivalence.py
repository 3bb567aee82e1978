"""SQL equivalence: does the query of the response mean what the reference query means."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ragstone.metrics._texts import blank, need_text
from ragstone.metrics.base import Metric
from ragstone.metrics.sql._normal import normal_form
from ragstone.metrics.sql._parsed import check_dialect
from ragstone.prompt.prompt import Prompt
from ragstone.prompt.sql import SQL_EQUIVALENCE, SQLEquivalence, SQLEquivalenceIn
from ragstone.schema.results import Evidence, MetricResult
from ragstone.tools.judge import Judge

__all__ = ["SQLSemanticEquivalence"]


@dataclass(frozen=True, kw_only=True)
class SQLSemanticEquivalence(Metric):
    """1.0 when both queries give the same result on any data, else 0.0; higher is better.

    Queries that are the same but for spelling (names, aliases, layout, the order of columns,
    conditions and inner joins) need no judge. Of others a judge decides, who is told the schema in
    `reference_contexts`; the local judge leaves them unscored (needs_llm). `dialect` is that of
    sqlglot, such as "postgres". A blank response gives 0. Unscored: a blank reference. Calls: 0 or
    1. Source: Ragas documentation, SQL semantic equivalence.
    """

    name: str = "sql_semantic_equivalence"
    dialect: str = ""
    prompt: Prompt[SQLEquivalenceIn, SQLEquivalence] = SQL_EQUIVALENCE

    def __post_init__(self) -> None:
        super().__post_init__()
        check_dialect(self.name, self.dialect)

    async def measure(
        self,
        response: str,
        reference: str,
        reference_contexts: Sequence[str] = (),
        *,
        judge: Judge,
    ) -> MetricResult:
        """Compare the normal forms of the queries, and ask the judge when they differ."""
        need_text(reference, "no_reference", "reference")
        if blank(response):
            return MetricResult(0.0, reason="the response is blank")
        schema = [text for text in reference_contexts if not blank(text)]
        if self._same_form(response, reference, schema):
            return _result("equivalent", "the queries are the same but for their spelling")
        data = SQLEquivalenceIn(
            reference=reference, response=response, database_schema=schema or None
        )
        reply = await judge.ask(self.prompt, data)
        told = [
            f"{query}: {says}"
            for query, says in (
                ("reference", reply.reference_explanation),
                ("response", reply.response_explanation),
            )
            if says
        ]
        return _result(reply.verdict, " ".join(told))

    def _same_form(self, response: str, reference: str, schema: Sequence[str]) -> bool:
        ours, theirs = (normal_form(q, schema, self.dialect) for q in (response, reference))
        return ours is not None and ours == theirs


def _result(verdict: str, reason: str) -> MetricResult:
    evidence = (Evidence("response", verdict, reason),)
    return MetricResult(float(verdict == "equivalent"), reason=reason, evidence=evidence)
