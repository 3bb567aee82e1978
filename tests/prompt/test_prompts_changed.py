"""Prompts changed by users: other words, files, classes, another language."""

import gzip
import json
from pathlib import Path
from typing import Any, Literal

import pytest
from pydantic import BaseModel

from ragstone.errors import UsageError
from ragstone.metrics import (
    DiscreteMetric,
    FactualCorrectness,
    Faithfulness,
    StringPresence,
)
from ragstone.prompt import BasePrompt, Prompt, PydanticPrompt
from ragstone.prompt.claims import EXTRACT_CLAIMS, SUPPORT, SupportIn, SupportVerdict
from ragstone.prompt.items import VerdictList, to_items
from ragstone.prompt.library import library
from scripted import CLAIMS, FakeJudge, aquiet, claims, row
from scripted import SUPPORT as SUPPORT_ID

EXAMPLE = (
    SupportIn(items=to_items(["A whale is a fish."]), contexts=["A whale is a mammal."]),
    VerdictList[SupportVerdict](
        verdicts=[SupportVerdict(id="1", reason="It is a mammal.", verdict="contradicted")]
    ),
)


class Strict(BasePrompt[Any, Any]):
    base = Faithfulness.nli_statement_prompt
    instruction = "Only what the contexts state word for word is supported. Use only the contexts."
    examples = [EXAMPLE]  # noqa: RUF012


class Tone(BaseModel):
    text: str


class ToneVerdict(BaseModel):
    tone: Literal["warm", "cold"]


class OwnTone(PydanticPrompt[Tone, ToneVerdict]):
    instruction = "Say whether the text sounds warm or cold."
    examples = [(Tone(text="Hello, my dear!"), ToneVerdict(tone="warm"))]  # noqa: RUF012


def test_a_class_of_ones_own_is_a_prompt() -> None:
    strict, tone = Strict(), OwnTone()
    assert isinstance(strict, Prompt)
    assert (strict.id, strict.input, strict.output, strict.split) == (
        SUPPORT.id,
        SUPPORT.input,
        SUPPORT.output,
        "contexts",
    )
    assert strict.examples == [EXAMPLE]
    assert strict.content_hash != SUPPORT.content_hash
    assert "word for word" in strict.to_string(EXAMPLE[0])
    assert (tone.id, tone.input, tone.output) == ("own/own_tone", Tone, ToneVerdict)
    assert "warm or cold" in tone.to_string()
    assert type(tone.with_words(instruction="Is it warm?")) is Prompt


def test_parts_of_a_class_are_inherited() -> None:
    class Stricter(Strict):
        instruction = "Nothing is supported unless it is copied from the contexts, with its commas."

    assert Stricter().examples == [EXAMPLE]
    assert Stricter().instruction.startswith("Nothing")
    assert Strict().instruction.startswith("Only")


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ({"input_model": Tone, "output_model": ToneVerdict}, "needs an instruction"),
        ({"instruction": "x", "output_model": ToneVerdict}, "needs input_model"),
        ({"instruction": "x", "input_model": Tone}, "needs output_model"),
        ({"base": SUPPORT, "instruction": " "}, "needs an instruction"),
        ({"base": SUPPORT, "examples": "none"}, "a list of pairs"),
        ({"base": SUPPORT, "examples": [EXAMPLE[0]]}, "a pair of input and output"),
        ({"base": SUPPORT, "examples": [EXAMPLE[::-1]]}, "needs a SupportIn"),
        ({"base": SUPPORT, "input_model": "SupportIn"}, "needs input_model"),
    ],
)
def test_a_class_that_cannot_be_asked_is_refused(parts: dict[str, Any], words: str) -> None:
    kind = type("Broken", (BasePrompt,), parts)
    with pytest.raises(UsageError, match=words):
        kind()


async def test_a_prompt_is_replaced_in_one_metric_only() -> None:
    """The documented way: an attribute of the metric is set."""
    judge = FakeJudge({CLAIMS: claims("It is red."), SUPPORT_ID: lambda d: _yes(d)})
    mine, other = Faithfulness(llm=judge), Faithfulness(llm=judge)
    mine.nli_statement_prompt = Strict()  # type: ignore[misc]
    assert mine.nli_statement_prompt.instruction.startswith("Only")
    assert other.nli_statement_prompt == Faithfulness.nli_statement_prompt == SUPPORT
    assert mine.get_prompts()["nli_statement_prompt"].content_hash == Strict().content_hash
    assert mine.key == "faithfulness"
    assert mine.info().prompts != other.info().prompts
    assert mine != other
    result = await mine.ascore(user_input="?", response="Red.", retrieved_contexts=["It is red."])
    assert result.value == 1.0


def _yes(data: Any) -> dict[str, Any]:
    return {"verdicts": [{"id": item.id, "verdict": "supported"} for item in data.items]}


def test_set_prompts_sets_all_or_none() -> None:
    metric = FactualCorrectness()
    own = metric.prompt.with_words(instruction="Split the text into claims, each with one fact.")
    with pytest.raises(UsageError, match="no prompt 'nli_promt' to replace; it has: prompt, nli_"):
        metric.set_prompts(prompt=own, nli_promt=Strict())
    assert metric.prompt == EXTRACT_CLAIMS
    metric.set_prompts(prompt=own, nli_prompt=Strict())
    assert (metric.prompt, metric.nli_prompt) == (own, Strict())
    metric.get_prompts().clear()
    assert set(metric.get_prompts()) == {"prompt", "nli_prompt"}


@pytest.mark.parametrize(
    ("prompt", "words"),
    [
        ("Be strict.", r"with_words\(instruction"),
        (EXTRACT_CLAIMS, "whose input is SupportIn, not ClaimsIn"),
        (OwnTone(), "whose input is SupportIn, not Tone"),
        (Prompt("x", SupportIn, ToneVerdict), "whose output is VerdictList"),
        (None, "takes a prompt"),
    ],
)
def test_what_cannot_take_the_place_of_a_prompt_is_refused(prompt: Any, words: str) -> None:
    metric = Faithfulness()
    with pytest.raises(UsageError, match=words):
        metric.nli_statement_prompt = prompt  # type: ignore[misc]
    with pytest.raises(UsageError, match=words):
        Faithfulness(nli_statement_prompt=prompt)
    assert metric == Faithfulness()


def test_a_metric_without_prompts_has_none_to_set() -> None:
    assert StringPresence().get_prompts() == {}
    with pytest.raises(UsageError, match="it has: none"):
        StringPresence().set_prompts(prompt=SUPPORT)
    own = DiscreteMetric(name="d", prompt="Is {response} fine?")
    with pytest.raises(UsageError, match="no prompt 'question'"):
        own.set_prompts(question=SUPPORT)


async def test_t51_a_run_keeps_the_prompts_that_it_began_with() -> None:
    """T51: a prompt that is replaced while a run is under way changes nothing in the run."""
    metric = Faithfulness()

    def replacing(data: Any) -> dict[str, Any]:
        metric.nli_statement_prompt = Strict()  # type: ignore[misc]
        return claims("It is red.")

    judge = FakeJudge({CLAIMS: replacing, SUPPORT_ID: _yes})
    result = await aquiet([row(0), row(1)], [metric], llm=judge, concurrency=1)
    (info,) = result.data.run.metrics
    assert [p["hash"] for p in info.prompts] == [EXTRACT_CLAIMS.content_hash, SUPPORT.content_hash]
    assert metric.nli_statement_prompt.content_hash == Strict().content_hash


def test_t51_examples_do_not_leak() -> None:
    """T51: what is done to the list of examples is done to a copy."""
    SUPPORT.examples.clear()
    SUPPORT.examples[0][1].verdicts.clear()
    assert SUPPORT.examples
    assert SUPPORT.examples[0][1].verdicts


# ---- files ----


@pytest.mark.parametrize("name", ["strict.json", "strict.json.gz", "strict.gz", "strict"])
def test_a_prompt_comes_back_from_its_file(tmp_path: Path, name: str) -> None:
    prompt = Strict().with_words(language="hindi")
    path = prompt.save(tmp_path / name)
    assert path.parent == tmp_path
    again = Prompt.load(path)
    assert again == prompt
    assert (again.content_hash, again.language) == (prompt.content_hash, "hindi")
    assert Strict.load(path) == prompt
    raw = path.read_bytes()
    text = gzip.decompress(raw) if path.suffix == ".gz" else raw
    assert json.loads(text)["instruction"] == prompt.instruction
    with pytest.raises(FileExistsError, match="exists already"):
        prompt.save(path)
    assert path.read_bytes() == raw
    SUPPORT.save(path, overwrite=True)
    assert Prompt.load(path).instruction == SUPPORT.instruction
    assert [p.name for p in tmp_path.iterdir()] == [path.name]


def test_every_prompt_of_the_library_survives_its_file(tmp_path: Path) -> None:
    assert len(library()) > 10
    for prompt in library().values():
        again = Prompt.load(prompt.save(tmp_path))
        assert again.content_hash == prompt.content_hash
        assert again.examples == prompt.examples


def test_a_prompt_of_ones_own_is_loaded_with_its_class(tmp_path: Path) -> None:
    path = OwnTone().save(tmp_path / "tone.json")
    with pytest.raises(UsageError, match=r"no prompt of the library.*MyPrompt\.load"):
        Prompt.load(path)
    assert OwnTone.load(path).examples == OwnTone().examples
    with pytest.raises(UsageError, match="holds the prompt 'own/own_tone', not 'claims/support'"):
        Prompt.load(path, base=SUPPORT)


GOOD = {
    "format_version": "1.0",
    "id": "claims/support",
    "version": "1",
    "language": "en",
    "instruction": "Check each item.",
    "examples": [],
}


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"{", "cannot be read"),
        (b"[]", "no JSON object"),
        (b"\x1f\x8b\x08\x00broken", "cannot be read"),
        (b"\xff\xfe", "cannot be read"),
        ({}, "holds no prompt"),
        ({**GOOD, "format_version": "9"}, "format '9'"),
        ({**GOOD, "examples": 3}, "holds no prompt"),
        ({**GOOD, "examples": [{"input": {}, "output": {}}]}, "an example does not fit"),
    ],
)
def test_a_file_that_is_no_prompt_is_named(tmp_path: Path, data: Any, words: str) -> None:
    path = tmp_path / "p.json"
    path.write_bytes(data if isinstance(data, bytes) else json.dumps(data).encode())
    with pytest.raises(UsageError, match=words) as caught:
        Prompt.load(path)
    assert "p.json" in str(caught.value)


def test_a_file_that_is_not_there_and_an_output_that_changed(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is no file"):
        Prompt.load(tmp_path / "none.json")
    path = tmp_path / "p.json"
    path.write_text(json.dumps({**GOOD, "hash": "0"}))
    with pytest.warns(UserWarning, match="has changed since"):
        Prompt.load(path)


def test_prompts_of_a_metric_in_a_folder(tmp_path: Path) -> None:
    metric = Faithfulness(nli_statement_prompt=Strict())
    metric.save_prompts(tmp_path)
    names = sorted(p.name for p in tmp_path.iterdir())
    assert names == [
        "faithfulness_nli_statement_prompt_en.json",
        "faithfulness_statement_generator_prompt_en.json",
    ]
    other = Faithfulness()
    other.load_prompts(tmp_path)
    assert other.nli_statement_prompt.content_hash == Strict().content_hash
    with pytest.raises(UsageError, match="no folder"):
        metric.save_prompts(tmp_path / "none")
    with pytest.raises(UsageError, match="there is no file"):
        other.load_prompts(tmp_path, language="hindi")
