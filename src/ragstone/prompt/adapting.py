"""A prompt in another language: its examples are translated, its labels stay as they are."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from typing import Any, Literal, Protocol, TypeVar, get_args, get_origin

from pydantic import BaseModel

from ragstone.errors import BadReply, Unscored, UsageError
from ragstone.prompt.language import language_of, named
from ragstone.prompt.prompt import Prompt
from ragstone.prompt.translation import TRANSLATE, Translation
from ragstone.schema.messages import ToolCall

__all__ = ["Translator", "adapt"]

In = TypeVar("In", bound=BaseModel)
Out = TypeVar("Out", bound=BaseModel)
Place = tuple[str | int, ...]

_WORDS_THAT_CHANGE = 4  # a text of so many words is no name, and reads otherwise in any language


class Translator(Protocol):
    """Whoever answers prompts over a list: any judge."""

    async def verdicts(self, prompt: Any, texts: Sequence[str], **shared: Any) -> list[Any]:
        """One verdict for every text, in order."""


async def adapt(
    prompt: Prompt[In, Out], target_language: str, llm: Translator, adapt_instruction: bool = False
) -> Prompt[In, Out]:
    """The prompt with its examples, and on demand its instruction, in the target language.

    All texts are translated in one call; what is copied from another text is looked for in that
    text's translation once more where it is not found. Raises BadReply when a translation is
    missing, blank, still in the old language, or has lost a label or a quotation.
    """
    language = target_language.strip()
    if not language:
        raise UsageError("target_language is the name of a language, such as 'hindi'")
    if named(language) == named(prompt.language):
        return prompt
    examples = prompt.examples
    texts = dict.fromkeys(text for pair in examples for part in pair for _, text in _texts(part))
    labels = sorted(_labels(prompt.output))
    if adapt_instruction:
        texts[prompt.instruction] = None
    translated = await _translate(llm, list(texts), language, labels)
    await _mend_quotations(llm, examples, translated, language)
    instruction = translated[prompt.instruction] if adapt_instruction else None
    if instruction is not None:
        _check_labels(labels, prompt.instruction, instruction)
    new = [(_rebuilt(data, translated), _rebuilt(reply, translated)) for data, reply in examples]
    return prompt.with_words(instruction=instruction, examples=new, language=language)


async def _translate(
    llm: Translator, texts: list[str], language: str, keep: list[str], within: Sequence[str] = ()
) -> dict[str, str]:
    if not texts:
        return {}
    asked: dict[str, Any] = {"keep": keep or None, "within": list(within) or None}
    try:
        found: list[Translation] = await llm.verdicts(TRANSLATE, texts, language=language, **asked)
    except Unscored as signal:
        raise BadReply(f"nothing was translated to {language}: {signal}", raw="") from signal
    translated = dict(zip(texts, (each.text.strip() for each in found), strict=True))
    if not within:
        _check(translated, language)
    return translated


def _check(translated: Mapping[str, str], language: str) -> None:
    """No text is missing, and none came back as it was."""
    for text, new in translated.items():
        if not new:
            raise BadReply(f"the translation of {text!r} to {language} is blank", raw="")
        if new == text.strip() and len(text.split()) >= _WORDS_THAT_CHANGE:
            raise BadReply(f"{text!r} came back untranslated, asked for {language}", raw=new)
    said = " ".join(translated.values())
    spoken, wanted = language_of(said), named(language)
    if spoken and wanted and spoken != wanted:
        raise BadReply(f"the examples came back in {spoken}, asked for {language}", raw=said)


async def _mend_quotations(
    llm: Translator,
    examples: Sequence[tuple[BaseModel, BaseModel]],
    translated: dict[str, str],
    language: str,
) -> None:
    """What an output copies from its input must stand in the translated input too."""
    for data, reply in examples:
        hosts = [text for _, text in _texts(data)]
        copied = {text: host for _, text in _texts(reply) for host in hosts if text in host}
        lost = [text for text, host in copied.items() if not _in(text, host, translated)]
        if not lost:
            continue
        within = [translated[copied[text]] for text in lost]
        translated |= await _translate(llm, lost, language, [], within)
        for text in lost:
            if not _in(text, copied[text], translated):
                raise BadReply(
                    f"{text!r} is copied from {copied[text]!r}, but its translation "
                    f"{translated[text]!r} does not stand in the other's",
                    raw=translated[copied[text]],
                )


def _in(text: str, host: str, translated: Mapping[str, str]) -> bool:
    return bool(translated[text]) and translated[text] in translated[host]


def _check_labels(labels: Sequence[str], old: str, new: str) -> None:
    def stands(label: str, text: str) -> bool:
        return re.search(rf"(?<!\w){re.escape(label)}(?!\w)", text) is not None

    lost = [label for label in labels if stands(label, old) and not stands(label, new)]
    if lost:
        raise BadReply(f"the translated instruction lost the labels {', '.join(lost)}", raw=new)


def _texts(value: Any, place: Place = ()) -> Iterator[tuple[Place, str]]:
    """The texts of a model that are written in a language, with their places in its data."""
    if isinstance(value, BaseModel):
        if isinstance(value, ToolCall):
            return
        for name, part in value:
            field = type(value).model_fields.get(name)
            if name != "id" and not (field and _closed(field.annotation)):
                yield from _texts(part, (*place, name))
    elif isinstance(value, (list, tuple)):
        for number, part in enumerate(value):
            yield from _texts(part, (*place, number))
    elif isinstance(value, dict):
        for name, part in value.items():
            yield from _texts(part, (*place, name))
    elif isinstance(value, str) and any(map(str.isalpha, value)):
        yield place, value


def _closed(kind: Any) -> bool:
    """Whether a type holds fixed labels."""
    if get_origin(kind) is Literal or (isinstance(kind, type) and issubclass(kind, Enum)):
        return True
    return any(_closed(part) for part in get_args(kind))


def _labels(kind: Any) -> set[str]:
    """The labels that an output may have, those of its parts included."""
    if get_origin(kind) is Literal:
        return {value for value in get_args(kind) if isinstance(value, str)}
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return {label for f in kind.model_fields.values() for label in _labels(f.annotation)}
    return {label for part in get_args(kind) for label in _labels(part)}


def _rebuilt(model: Any, translated: Mapping[str, str]) -> Any:
    data = model.model_dump(mode="json")
    for place, text in _texts(model):
        part = data
        for step in place[:-1]:
            part = part[step]
        part[place[-1]] = translated[text]
    return type(model).model_validate(data)
