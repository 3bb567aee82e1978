"""From the text of a reply to a validated answer: the ladder.

1. The whole text as JSON. Nothing that is valid is ever touched.
2. The objects in the text, fenced or in prose; the LAST one that fits the schema wins, because
   models correct themselves as they go on.
3. An object that is broken is mended where it stands: quotes, Python literals, commas, escapes, a
   missing end. What a cut left incomplete is dropped, not guessed.

A number must stand as a JSON value in its place: none is ever taken from prose, and NaN and
Infinity are refused. All functions are pure. What no rung can read is asked for once more by the
judge, with the error quoted.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NoReturn, TypeVar, get_args, get_origin

import json_repair
import pydantic_core
from pydantic import BaseModel, ValidationError

__all__ = ["Misfit", "Parsed", "parse", "parse_whole"]

Out = TypeVar("Out", bound=BaseModel)

_LONGEST = 60_000  # characters of a broken reply that are searched
_MOST_FAILURES = 200  # opening brackets that may lead nowhere
_MOST_MENDED = 10


class Misfit(ValueError):
    """The text holds no answer of the asked form; the message says what is wrong, for the model."""


@dataclass(frozen=True, slots=True)
class Parsed(Generic[Out]):
    """An answer; `repaired` says whether it was the whole text or had to be found or mended."""

    output: Out
    repaired: bool


def parse(text: str, form: type[Out]) -> Parsed[Out]:
    """Read an answer out of a reply, by the lowest rung that can. Raises Misfit."""
    try:
        return Parsed(parse_whole(text, form), False)
    except Misfit as error:
        first = error
    # The candidate that ends last comes first, and before it those that it is a part of.
    found = sorted(_candidates(text[-_LONGEST:]), key=lambda c: (-c.end, c.start))
    output = _best(found, form)
    if output is None:
        raise first if not found else _misfit_of(found[0].value, form, first)
    return Parsed(output, True)


def _misfit_of(value: Any, form: type[BaseModel], first: Misfit) -> Misfit:
    """What is wrong with the object that was found; with the text itself when there is none."""
    if isinstance(value, dict) and value.keys() & _keys(form):
        try:
            form.model_validate(value)
        except ValidationError as error:
            return Misfit(_explain(error))
    return first


def parse_whole(text: str, form: type[Out]) -> Out:
    """Read the whole text as the answer, without any mending. Raises Misfit."""
    try:
        output = form.model_validate_json(text)
    except ValidationError as error:
        raise Misfit(_explain(error)) from None
    if "NaN" in text or "Infinity" in text or _has_floats(form):
        _refuse_non_finite(text)
    return output


def _refuse_non_finite(text: str) -> None:
    try:
        value = _STRICT.decode(text)
    except ValueError as error:
        raise Misfit(str(error)) from None
    if not _sound(value):
        raise Misfit("a number in the reply is not finite")


def _explain(error: ValidationError) -> str:
    """The first few things that are wrong, as short lines."""
    lines = []
    for problem in error.errors(include_url=False, include_context=False, include_input=False)[:5]:
        place = ".".join(str(part) for part in problem["loc"])
        lines.append(f"{place}: {problem['msg']}" if place else problem["msg"])
    return "; ".join(lines)


# ---- which of the candidates is the answer ----


def _best(candidates: Sequence[_Candidate], form: type[Out]) -> Out | None:
    """The first object that fits; else, where the form is one list, a bare list or its items.

    Scattered items count only when they carry ids, so that nobody takes some for all.
    """
    for candidate in candidates:
        if (output := _fit(candidate.value, form)) is not None:
            return output
    field = _only_list(form)
    if field is None:
        return None
    for candidate in candidates:
        some = isinstance(candidate.value, list) and candidate.value
        if some and (output := _validated({field: candidate.value}, form)) is not None:
            return output
    whole = [c.value for c in reversed(candidates) if c.whole]
    items = [value for value in whole if isinstance(value, dict) and "id" in value]
    return _validated({field: items}, form) if items else None


def _fit(value: Any, form: type[Out]) -> Out | None:
    """The object as an answer, or one that it wraps, as in {"result": {...}}."""
    if not isinstance(value, dict):
        return None
    known = value.keys() & _keys(form)
    if known and (output := _validated(value, form)) is not None:
        return output
    inside = reversed(value.values())
    return next((o for part in inside if (o := _fit(part, form)) is not None), None)


def _validated(value: Any, form: type[Out]) -> Out | None:
    try:
        return form.model_validate(value) if _sound(value) else None
    except ValidationError:
        return None


def _keys(form: type[BaseModel]) -> set[str]:
    return {info.alias or name for name, info in form.model_fields.items()}


def _only_list(form: type[BaseModel]) -> str | None:
    """The name of the one field of a form that is nothing but a list."""
    if len(form.model_fields) != 1:
        return None
    name, info = next(iter(form.model_fields.items()))
    return (info.alias or name) if get_origin(info.annotation) in (list, tuple) else None


_HALF = re.compile("[\ud800-\udfff]")  # half a character: it cannot be written as UTF-8


def _sound(value: Any) -> bool:
    """Whether all numbers are finite and all texts can be written down."""
    if isinstance(value, float):
        return math.isfinite(value)
    if isinstance(value, str):
        return not _HALF.search(value)
    if isinstance(value, dict):
        return all(_sound(part) for part in value.values())
    return all(_sound(part) for part in value) if isinstance(value, list) else True


_FLOATS: dict[type[BaseModel], bool] = {}


def _has_floats(form: type[BaseModel]) -> bool:
    """Whether a number of the form may have a fraction, and so may be infinite."""
    if form not in _FLOATS:
        if len(_FLOATS) > 512:
            _FLOATS.clear()
        _FLOATS[form] = any(_is_float(info.annotation) for info in form.model_fields.values())
    return _FLOATS[form]


def _is_float(kind: Any) -> bool:
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return any(_is_float(info.annotation) for info in kind.model_fields.values())
    return kind in (float, Any) or any(_is_float(part) for part in get_args(kind))


# ---- finding the candidates: whole JSON values, or broken ones mended ----


@dataclass(frozen=True, slots=True)
class _Candidate:
    value: Any
    start: int
    end: int
    whole: bool = True


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


_STRICT = json.JSONDecoder(parse_constant=_refuse_constant)
# A raw line break in a string is no JSON, but it can be read in one way only.
_LENIENT = json.JSONDecoder(parse_constant=_refuse_constant, strict=False)
_OPENING = re.compile(r"[{\[]")


def _candidates(text: str) -> Iterator[_Candidate]:
    """The objects and lists that stand in the text, whole or broken."""
    position, failures = 0, 0
    while failures < _MOST_FAILURES and (opening := _OPENING.search(text, position)):
        start = opening.start()
        try:
            value, position = _LENIENT.raw_decode(text, start)
            yield _Candidate(value, start, position)
        except (ValueError, RecursionError):
            position, failures = opening.end(), failures + 1
            if failures <= _MOST_MENDED:
                yield from _mended(text, start)


def _mended(text: str, start: int) -> Iterator[_Candidate]:
    """The broken object or list that opens at `start`, mended, if it can be."""
    closed = _closing(text, start)
    end = _break_off(text, start) if closed is None else closed
    piece = text[start:end]
    if not _numbers_stand_alone(piece) or (closed is None and _breaks_in_list(piece)):
        return
    try:
        value = _complete_part(piece) if closed is None else _mend(piece)
    except (ValueError, RecursionError):
        return
    yield _Candidate(value, start, end, whole=closed is not None)


def _mend(piece: str) -> Any:
    escaped = re.sub(r"\\(?=[^\"\\/bfnrtu'])", r"\\\\", piece)
    return json_repair.loads(escaped, skip_json_loads=True)


def _complete_part(piece: str) -> Any:
    """What of a piece that breaks off is complete: an unfinished string or number is dropped."""
    return pydantic_core.from_json(re.sub(r"[-+.\w]+$", "", piece), allow_partial=True)


_BRACKET = re.compile(r"[{}\[\]]")
_BRACKET_OR_STRING = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]]', re.DOTALL)


def _closing(text: str, start: int) -> int | None:
    """Where the bracket that opens at `start` is closed; None when it is not.

    Brackets in double quotes don't count, unless the quotes themselves are broken.
    """
    for pattern in (_BRACKET_OR_STRING, _BRACKET):
        depth = 0
        for found in pattern.finditer(text, start):
            if found[0][0] != '"':
                depth += 1 if found[0] in "{[" else -1
            if depth == 0:
                return found.end()
    return None


def _breaks_in_list(piece: str) -> bool:
    """Whether a piece that is never closed breaks off inside of a list.

    Then items are lost, and a shorter list would pass for the whole. (Whole items that carry an id
    are still found one by one, because what is missing among them gets noticed.)
    """
    open_ones: list[str] = []
    for found in _BRACKET_OR_STRING.finditer(piece):
        if found[0] in "{[":
            open_ones.append(found[0])
        elif found[0] in "}]" and open_ones:
            open_ones.pop()
    return "[" in open_ones


def _break_off(text: str, start: int) -> int:
    """Where a piece that is never closed ends: at the end of its fence, or of the text."""
    fence = text.find("\n```", start)
    return len(text) if fence < 0 else fence


_STRING = re.compile(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'', re.DOTALL)
_WITH_DIGIT = re.compile(r"([^\s,:\[\]{}\"]*\d[^\s,:\[\]{}\"]*)\s*(?=(.?))", re.DOTALL)
_BEFORE_NUMBER, _AFTER_NUMBER = {":", ",", "["}, {",", "}", "]", '"', ""}
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?")


def _numbers_stand_alone(piece: str) -> bool:
    """Whether each number outside of strings is a JSON number that fills its place.

    "3 out of 5", "~3", "3%" and "1 or 0" are prose: a mended 3 or 1 would be made up.
    """
    bare = _STRING.sub('""', piece)
    for token in _WITH_DIGIT.finditer(bare):
        if not (_NUMBER.fullmatch(token[1]) and token[2] in _AFTER_NUMBER):
            return False
        before = bare[max(0, token.start() - 64) : token.start()].rstrip()[-1:]
        if before not in _BEFORE_NUMBER:
            return False
    return not re.search(r"\b(?:NaN|Infinity|inf|nan)\b", bare)
