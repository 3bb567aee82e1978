"""The texts of a sample as a page shows them: marked, folded when long, contexts with badges."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from ragstone.report.marks import Mark, marked, shown
from ragstone.report.plaintext import excerpt
from ragstone.report.verdicts import SIGNS, Tone
from ragstone.schema.messages import AIMessage, AnyMessage
from ragstone.schema.samples import Sample

__all__ = ["Badge", "Place", "Text", "sample_texts"]

_LABELS = {
    "user_input": "Question",
    "response": "Response",
    "reference": "Reference",
    "retrieved_contexts": "Context",
    "reference_contexts": "Reference context",
}
_BLANK = Markup('<span class="soft">(blank)</span>')
_FOLD = 1200
_EXCERPT = 160
Place = tuple[str, int | None]


@dataclass(frozen=True, slots=True)
class Badge:
    """The verdict on a text as a whole."""

    tag: str
    tone: Tone

    @property
    def sign(self) -> str:
        """The sign of the tone."""
        return SIGNS[self.tone]


@dataclass(frozen=True, slots=True)
class Text:
    """One text: its label, its HTML, and its excerpt when it is folded at first."""

    label: str
    body: Markup
    length: int
    excerpt: str = ""
    badges: tuple[Badge, ...] = ()
    kind: str = "text"


def sample_texts(sample: Sample, marks: Mapping[Place, Sequence[Mark]]) -> list[Text]:
    """Question, response, reference, contexts, then all other columns."""
    values = sample.to_dict()
    if not isinstance(sample.user_input, str) and sample.user_input:
        values["user_input"] = sample.user_input
    values.pop("id", None)
    ordered = [name for name in _LABELS if name in values]
    texts = [text for name in ordered for text in _field(name, values.pop(name), marks)]
    return texts + [_other(name, value) for name, value in values.items()]


def _field(name: str, value: Any, marks: Mapping[Place, Sequence[Mark]]) -> Iterator[Text]:
    label = _LABELS[name]
    if isinstance(value, str):
        yield _text(label, value, marks.get((name, None), ()))
    elif name == "user_input":
        body = Markup("\n").join(
            _turn(message, marks.get((name, index), ())) for index, message in enumerate(value)
        )
        yield Text("Conversation", body, len(body.striptags()), kind="turns")
    else:
        for index, item in enumerate(value):
            yield _context(f"{label} {index + 1}", item, marks.get((name, index), ()))


def _text(label: str, text: str, marks: Sequence[Mark]) -> Text:
    folded = excerpt(text, _EXCERPT) if len(text) > _FOLD else ""
    return Text(label, marked(text, marks) if text.strip() else _BLANK, len(text), folded)


def _context(label: str, text: str, marks: Sequence[Mark]) -> Text:
    """A context is folded; a verdict on all of it is a badge, for a mark would hide the others."""
    badges = tuple(Badge(mark.tag, mark.tone) for mark in marks)
    inner = [mark for mark in marks if (mark.start, mark.end) != (0, len(text))]
    whole = [mark for mark in marks if mark not in inner]
    ids = Markup("").join(Markup('<i id="{}"></i>').format(mark.anchor) for mark in whole)
    return Text(
        label,
        ids + marked(text, inner),
        len(text),
        excerpt(text, _EXCERPT) or "(blank)",
        badges,
        "context",
    )


def _turn(message: AnyMessage, marks: Sequence[Mark]) -> Markup:
    calls = (message.tool_calls or ()) if isinstance(message, AIMessage) else ()
    told = "".join(
        f"<code>{shown(call.name)}({shown(json.dumps(call.args, ensure_ascii=False, default=str))})"
        "</code>"
        for call in calls
    )
    role = {"human": "User", "ai": "Assistant", "tool": "Tool"}[message.type]
    return Markup(
        f'<div class="turn {message.type}"><b>{role}</b>'
        f'<div class="tx" dir="auto">{marked(message.content, marks)}</div>{told}</div>'
    )


def _other(name: str, value: Any) -> Text:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    folded = excerpt(text, _EXCERPT) if len(text) > _FOLD else ""
    return Text(name, shown(text), len(text), folded, kind="field")
