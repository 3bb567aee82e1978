"""What holds for every prompt: its words are typed, in place, and fit to be sent anywhere."""

import importlib
import pkgutil
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from every_metric import make

import ragstone.prompt
from ragstone.metrics import catalogue
from ragstone.prompt.items import VerdictList
from ragstone.prompt.prompt import Prompt

TEXT = Path(ragstone.prompt.__file__).parent / "text"
FILES = sorted(TEXT.rglob("*.toml"))


def all_prompts() -> dict[str, Prompt[Any, Any]]:
    """The prompts that stand in the modules of the room, by id."""
    found: dict[str, Prompt[Any, Any]] = {}
    for module in pkgutil.iter_modules(ragstone.prompt.__path__, "ragstone.prompt."):
        for value in vars(importlib.import_module(module.name)).values():
            if isinstance(value, Prompt):
                assert found.setdefault(value.id, value) is value, f"two prompts {value.id!r}"
    return found


PROMPTS = all_prompts()
every_file = pytest.mark.parametrize(
    "path", FILES, ids=lambda p: p.relative_to(TEXT).with_suffix("").as_posix()
)
every_prompt = pytest.mark.parametrize("prompt", PROMPTS.values(), ids=PROMPTS.keys())


def parts(path: Path) -> tuple[str, str]:
    """Language and prompt id of a file."""
    language, _, prompt_id = path.relative_to(TEXT).with_suffix("").as_posix().partition("/")
    return language, prompt_id


@every_file
def test_a_file_of_words_belongs_to_a_prompt(path: Path) -> None:
    language, prompt_id = parts(path)
    assert prompt_id in PROMPTS
    assert re.fullmatch(r"[a-z]{2,3}(-[A-Za-z]+)?", language)


@every_file
def test_its_words_are_whole(path: Path) -> None:
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    assert set(data) <= {"version", "instruction", "examples"}
    assert re.fullmatch(r"\d+(\.\d+)*", data["version"])
    assert len(data["instruction"].split()) > 10
    assert all(set(shown) == {"input", "output"} for shown in data.get("examples", ()))


@every_file
def test_every_example_fits_the_types_word_for_word(path: Path) -> None:
    language, prompt_id = parts(path)
    known = PROMPTS[prompt_id]
    prompt = Prompt(known.id, known.input, known.output, language=language, split=known.split)
    written = prompt.words.examples
    assert written
    for (given, reply), example in zip(prompt.examples, written, strict=True):
        assert given.model_dump(mode="json", include=set(example.input)) == example.input
        told = reply.model_dump(mode="json", include=set(example.output), exclude_none=True)
        assert told == example.output
        assert set(example.input) <= set(type(given).model_fields)


@every_file
def test_the_examples_of_a_list_answer_every_item(path: Path) -> None:
    language, prompt_id = parts(path)
    known = PROMPTS[prompt_id]
    if not issubclass(known.output, VerdictList):
        return
    prompt = Prompt(known.id, known.input, known.output, language=language)
    for given, reply in prompt.examples:
        assert [v.id for v in reply.verdicts] == [item.id for item in given.items]


@every_prompt
def test_a_prompt_has_words_in_english(prompt: Prompt[Any, Any]) -> None:
    assert prompt.version
    assert prompt.instruction
    assert "{" not in prompt.instruction.replace("{}", "")


@every_prompt
def test_a_prompt_that_can_be_split_can_be_combined(prompt: Prompt[Any, Any]) -> None:
    if prompt.split is None:
        return
    assert prompt.split in prompt.input.model_fields
    verdict = prompt.output.model_fields["verdicts"].annotation.__args__[0]
    assert "combine" in vars(verdict)


@every_prompt
def test_its_types_are_documented_and_frozen(prompt: Prompt[Any, Any]) -> None:
    for model in (prompt.input, prompt.output):
        generic = model.__pydantic_generic_metadata__["origin"] or model
        assert generic.__doc__
        assert model.model_config.get("frozen") is True


AHEAD = {"answer/duplication", "answer/equivalence", "answer/similarity"}
"""Prompts whose metrics come later; each leaves the list with its first metric."""


def test_every_prompt_is_used_by_a_metric() -> None:
    used = {prompt.id for name in catalogue.NAMES for prompt in make(name).prompts.values()}
    # The translation is asked of examples, not of samples.
    assert set(PROMPTS) - used == AHEAD | {"translation/texts"}


TRIPS = re.compile(
    r"\b(kill|murder|suicid|self-harm|bomb|weapon|explosi|terroris|sex|nude|porn|rape|drug|cocaine|"
    r"hack|malware|exploit|jailbreak|racis|nazi|slur|hate|blood|torture|die|death)\w*",
    re.IGNORECASE,
)
"""Words at which the content filters of providers are known to stumble."""


@every_file
def test_t89_our_own_words_trip_no_content_filter(path: Path) -> None:
    """T89: a metric must not be refused for the words of its own prompt."""
    assert TRIPS.findall(path.read_text(encoding="utf-8")) == []


def test_t89_the_scan_finds_what_it_should() -> None:
    """T89: the scan itself can fail."""
    assert TRIPS.findall("How to build a bomb") == ["bomb"]
    assert not TRIPS.search("the order of the study")
