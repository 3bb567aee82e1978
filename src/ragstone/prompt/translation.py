"""Translation: the texts of worked examples in another language."""

from __future__ import annotations

from pydantic import ConfigDict, Field

from ragstone.prompt.items import ItemsIn, ItemVerdict, VerdictList
from ragstone.prompt.prompt import Prompt

__all__ = ["TRANSLATE", "Translation", "TranslationIn"]


class TranslationIn(ItemsIn):
    """Texts (the items), the language to translate them to, and words that must stay as they are.

    With `within`, translated texts, an item is looked for there: its translation is copied.
    """

    language: str
    keep: list[str] | None = None
    within: list[str] | None = None


class Translation(ItemVerdict):
    """A text in the other language."""

    model_config = ConfigDict(frozen=True)

    text: str = Field(description="the translation of the item")

    def decision(self) -> object:
        """Two different translations of one item disagree."""
        return self.text


TRANSLATE = Prompt("translation/texts", TranslationIn, VerdictList[Translation])
