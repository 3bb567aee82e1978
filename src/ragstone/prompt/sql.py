"""SQL: do two queries give the same result."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from ragstone.prompt.items import Probability
from ragstone.prompt.prompt import Prompt

__all__ = ["SQL_EQUIVALENCE", "SQLEquivalence", "SQLEquivalenceIn"]


class SQLEquivalenceIn(BaseModel):
    """Two queries, and what is known of the tables that they read."""

    model_config = ConfigDict(frozen=True)

    reference: str
    response: str
    database_schema: list[str] | None = None


class SQLEquivalence(BaseModel):
    """What each query does, and whether both give the same result on any data."""

    model_config = ConfigDict(frozen=True)

    reference_explanation: str = Field(default="", description="what the reference query does")
    response_explanation: str = Field(default="", description="what the response query does")
    verdict: Literal["equivalent", "different"]
    probability: Probability = None


SQL_EQUIVALENCE = Prompt("sql/equivalence", SQLEquivalenceIn, SQLEquivalence)
