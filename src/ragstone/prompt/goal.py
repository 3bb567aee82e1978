"""Goals: what the user wanted, how the conversation ended, and whether that is the same."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from ragstone.prompt.conversation import ConversationIn
from ragstone.prompt.prompt import Prompt

__all__ = ["OUTCOME", "WORKFLOW", "OutcomeIn", "OutcomeVerdict", "Workflow"]


class Workflow(BaseModel):
    """What the user wanted, and what the state of things is at the end."""

    model_config = ConfigDict(frozen=True)

    user_goal: str
    end_state: str


class OutcomeIn(BaseModel):
    """The outcome that was to be, and the one that came about."""

    model_config = ConfigDict(frozen=True)

    desired_outcome: str
    arrived_outcome: str


class OutcomeVerdict(BaseModel):
    """Whether what was to be came about."""

    model_config = ConfigDict(frozen=True)

    reason: str = Field(description="one short sentence")
    verdict: Literal["reached", "not_reached"]


WORKFLOW = Prompt("goal/workflow", ConversationIn, Workflow)
OUTCOME = Prompt("goal/outcome", OutcomeIn, OutcomeVerdict)
