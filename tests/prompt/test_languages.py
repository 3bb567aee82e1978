"""Prompts in other languages: translated on demand, and told what language the data are in."""

import re
from typing import Any, Literal

import pytest
from pydantic import BaseModel

from ragstone.errors import BadReply, UsageError
from ragstone.metrics import AnswerRelevancy, StringPresence
from ragstone.prompt import Prompt
from ragstone.prompt.claims import EXTRACT_CLAIMS, SUPPORT
from ragstone.prompt.entities import EXTRACT_ENTITIES
from ragstone.prompt.questions import ANSWERED_QUESTIONS
from ragstone.prompt.render import render
from ragstone.prompt.words import Words
from ragstone.schema.messages import AIMessage, HumanMessage
from scripted import FakeJudge


class ToneVerdict(BaseModel):
    tone: Literal["warm", "cold"]


TRANSLATE = "translation/texts"


def german(data: Any) -> dict[str, Any]:
    """A translator that says the same of every text, and copies where it is told to."""
    return {"verdicts": [{"id": i.id, "text": _german(i.text, data)} for i in data.items]}


def _german(text: str, data: Any) -> str:
    return f"⟦{text}⟧" + " und das ist nicht von der" * (len(text.split()) // 7)


async def test_examples_are_translated_in_one_call_and_labels_stay() -> None:
    judge = FakeJudge({TRANSLATE: german})
    adapted = await EXTRACT_CLAIMS.adapt("german", judge)
    assert len(judge.asked) == 1
    assert adapted.language == "german"
    assert adapted.instruction == EXTRACT_CLAIMS.instruction
    pairs = zip(adapted.examples, EXTRACT_CLAIMS.examples, strict=True)
    for (given, reply), (old_given, old_reply) in pairs:
        assert given.text.startswith(f"⟦{old_given.text}")
        assert (given.atomicity, given.coverage) == (old_given.atomicity, old_given.coverage)
        assert len(reply.claims) == len(old_reply.claims)
        assert all(
            new.startswith(f"⟦{old}")
            for new, old in zip(reply.claims, old_reply.claims, strict=True)
        )
    assert await adapted.adapt("German", judge) is adapted
    assert await SUPPORT.adapt("english", judge) is SUPPORT


async def test_the_instruction_is_translated_on_demand_and_keeps_its_labels() -> None:
    judge = FakeJudge({TRANSLATE: german})
    adapted = await ANSWERED_QUESTIONS.adapt("german", judge, adapt_instruction=True)
    assert adapted.instruction.startswith("⟦")

    def without_labels(data: Any) -> dict[str, Any]:
        reply = german(data)
        for verdict in reply["verdicts"]:
            verdict["text"] = verdict["text"].replace("noncommittal", "ausweichend")
        return reply

    with pytest.raises(BadReply, match="lost the labels noncommittal"):
        await ANSWERED_QUESTIONS.adapt(
            "german", FakeJudge({TRANSLATE: without_labels}), adapt_instruction=True
        )


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (lambda d: {"verdicts": []}, "nothing was translated.*missing_verdicts"),
        (lambda d: {"verdicts": german(d)["verdicts"][:-1]}, "missing_verdicts"),
        (lambda d: {"verdicts": [{"id": i.id, "text": i.text} for i in d.items]}, "untranslated"),
        (lambda d: {"verdicts": [{"id": i.id, "text": " "} for i in d.items]}, "is blank"),
        (
            lambda d: {
                "verdicts": [
                    {"id": i.id, "text": f"this is the {i.text} of the and it was"} for i in d.items
                ]
            },
            "came back in English",
        ),
        (
            lambda d: {
                "verdicts": [
                    {"id": i.id, "text": f"{i.text} {n}"} for i in d.items for n in range(2)
                ]
            },
            "missing_verdicts",
        ),
    ],
    ids=["nothing", "one missing", "as it was", "blank", "English", "two that disagree"],
)
async def test_silent_english_and_missing_translations_are_errors(reply: Any, words: str) -> None:
    with pytest.raises(BadReply, match=words):
        await EXTRACT_CLAIMS.adapt("german", FakeJudge({TRANSLATE: reply}))


async def test_the_order_of_the_reply_means_nothing() -> None:
    def turned(data: Any) -> dict[str, Any]:
        return {"verdicts": german(data)["verdicts"][::-1]}

    one = await EXTRACT_CLAIMS.adapt("german", FakeJudge({TRANSLATE: german}))
    assert await EXTRACT_CLAIMS.adapt("german", FakeJudge({TRANSLATE: turned})) == one


async def test_what_an_output_copies_is_looked_for_in_the_translated_input() -> None:
    """The entities of an example are words of its text, in the new language too."""

    def translator(data: Any) -> dict[str, Any]:
        if data.within is None:  # endings differ when a name stands alone
            found = {i.id: f"{i.text.upper()} und der ist nicht das" for i in data.items}
            return {
                "verdicts": [
                    {"id": key, "text": text.replace("UND", "und")} for key, text in found.items()
                ]
            }
        return {"verdicts": [{"id": i.id, "text": i.text.upper()} for i in data.items]}

    judge = FakeJudge({TRANSLATE: translator})
    adapted = await EXTRACT_ENTITIES.adapt("german", judge)
    for given, reply in adapted.examples:
        assert all(entity.text in given.text for entity in reply.entities)
    assert any(reply.entities for _, reply in adapted.examples)
    lost = FakeJudge({TRANSLATE: german})
    with pytest.raises(BadReply, match="is copied from"):
        await EXTRACT_ENTITIES.adapt("german", lost)


async def test_a_metric_in_another_language_is_a_copy() -> None:
    judge = FakeJudge({TRANSLATE: german})
    metric = AnswerRelevancy()
    found = await metric.adapt_prompts("german", judge)
    assert {name: p.language for name, p in found.items()} == {"prompt": "german"}
    adapted = await metric.adapt("german", llm=judge)
    assert (adapted.prompt.language, metric.prompt.language) == ("german", "en")
    assert type(adapted) is AnswerRelevancy
    metric.prompt = await metric.prompt.adapt(target_language="german", llm=judge)  # type: ignore[misc]
    assert metric == adapted
    with pytest.raises(UsageError, match="no prompt with examples"):
        await StringPresence().adapt("german", judge)
    with pytest.raises(UsageError, match="name of a language"):
        await metric.prompt.adapt(" ", judge)


GREETINGS = {
    "Arabic": "ما هي عاصمة فرنسا؟ باريس هي عاصمة فرنسا.",
    "Chinese": "法国的首都是哪里？巴黎是法国的首都。",
    "Japanese": "フランスの首都はどこですか。パリです。",
    "Hindi": "भारत की राजधानी क्या है? नई दिल्ली भारत की राजधानी है।",
    "German": "Was ist die Hauptstadt von Frankreich? Es ist die Stadt Paris.",
    "Spanish": "¿Cuál es la capital de Francia? Es la ciudad de París.",
    "Ukrainian": "Яке місто є столицею Франції? Це Париж, він стоїть на Сені.",
}


@pytest.mark.parametrize("language", GREETINGS)
def test_t77_the_judge_is_told_the_language_of_the_sample(language: str) -> None:
    """T77: questions and claims come in the language of the sample, labels stay English."""
    data = ANSWERED_QUESTIONS.input(response=GREETINGS[language], count=3)
    rendered = render(ANSWERED_QUESTIONS, data)
    assert re.search(rf"\[\[begin data language (\w+)\]\]\n{language}\n\[\[end", rendered.user)
    assert "Keep the labels of the schema in English" in rendered.system
    assert "in the language of the data" in rendered.system
    assert '"noncommittal"' in rendered.system
    assert (
        rendered.system
        == render(
            ANSWERED_QUESTIONS, ANSWERED_QUESTIONS.input(response="It is red.", count=3)
        ).system
    )


@pytest.mark.parametrize(
    "text",
    ["", "42", "Paris", "The tower is in Paris.", "xyzzy foo bar", "😀😀😀", "Paris 巴黎 Париж"],
)
def test_english_and_what_is_not_sure_is_not_told(text: str) -> None:
    data = ANSWERED_QUESTIONS.input(response=text, count=1)
    assert "data language" not in render(ANSWERED_QUESTIONS, data).user


def test_messages_are_read_for_their_language_too() -> None:
    class Talk(BaseModel):
        messages: list[HumanMessage | AIMessage]

    talk = Talk(messages=[HumanMessage(content=GREETINGS["Hindi"])])
    asked = Prompt("own/talk", Talk, ToneVerdict, own_words=Words("1", "Warm or cold?"))
    assert "\nHindi\n[[end data language" in render(asked, talk).user
