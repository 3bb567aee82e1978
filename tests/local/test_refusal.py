import time

import pytest

from ragstone.local.refusal import is_refusal
from ragstone.local.statements import read

REFUSALS = [
    "I don't know.",
    "I don’t know the answer to that.",
    "I cannot find that in the documents.",
    "The context does not mention the price.",
    "The provided passages don't say when it was built.",
    "As an AI language model, I cannot give medical advice.",
    "I'm sorry, but I can't help with that.",
    "This is not mentioned in the provided context.",
    "There is no information about the price in the context.",
    "I don't have enough information to answer this.",
    "Based on the provided context, I cannot determine the answer.",
    "The answer cannot be determined from the given text.",
    "Unknown",
    "I'm not sure.",
    "Ich weiß es nicht.",
    "Je ne sais pas.",
    "No lo sé.",
    "Non lo so.",
    "Não sei.",
    "我不知道。",
    "分かりません。",
    "It depends.",
    "That's hard to say.",
    "Maybe.",
    "I don't have access to real-time data.",
    "Ich bin mir nicht sicher.",
    "Das kann ich nicht beantworten.",
    "Das hängt davon ab.",
    "Je ne suis pas sûre.",
    "Aucune idée.",
    "Ça dépend.",
    "No estoy seguro.",
    "No tengo ni idea.",
    "Depende.",
    "Non sono sicuro.",
    "Dipende.",
    "Não tenho certeza.",
    "É difícil dizer.",
    "我不确定。",
    "很难说。",
    "場合によります。",
    "لا أعرف.",
    "मुझे नहीं पता।",
]
ANSWERS = [
    "I don't know of a faster way than X, which takes 3 s.",
    "I'm not sure, but I think the bridge opened in 1932.",
    'He said "I don\'t know" and left.',
    "The witness answered “I cannot say” three times.",
    "The study found no evidence that it works.",
    "You cannot find the file in /tmp.",
    "The function does not return a value.",
    "There is no limit on the number of rows.",
    "She cannot swim.",
    "I can't recommend it highly enough.",
    "Yes!",
    "It depends on the pressure: water boils at 100 °C at sea level.",
    "Perhaps 30 people attended.",
    "It is hard to say goodbye to the old bridge.",
    "Der Hund ist nicht sicher im Auto.",
    "La película depende del director.",
    "他不知道桥的名字。",
    "",
]


@pytest.mark.parametrize("text", REFUSALS)
def test_refusals(text: str):
    assert is_refusal(text)
    found = read(text)
    assert (found.refuses, found.texts) == (True, ())


@pytest.mark.parametrize("text", ANSWERS)
def test_answers(text: str):
    assert not is_refusal(text)
    assert not read(text).refuses


def test_a_refusal_can_still_state_something():
    found = read("The documents do not describe replication. The backup API copies a database.")
    assert found.refuses
    assert found.texts == ("The backup API copies a database.",)


def test_a_hedge_that_answers_is_no_refusal():
    found = read("I don't know the exact year. However, the bridge opened before 1940.")
    assert not found.refuses
    assert found.texts == ("However, the bridge opened before 1940.",)


def test_a_gap_named_after_the_answer_is_no_refusal():
    found = read("The bridge opened in 1932. The context does not mention its cost.")
    assert not found.refuses
    assert found.texts == ("The bridge opened in 1932.",)


@pytest.mark.parametrize("hedge", ["It depends.", "Maybe.", "Das kommt darauf an."])
def test_a_hedge_refuses_only_alone(hedge: str):
    found = read(f"{hedge} The bridge opened in 1932.")
    assert not found.refuses
    assert found.texts == ("The bridge opened in 1932.",)
    assert read(f"{hedge} I don't know.").refuses


def test_an_apology_is_passed_over():
    assert read("Sorry. I cannot answer that.").refuses


def test_a_very_long_sentence_takes_no_long_time():
    start = time.perf_counter()
    assert not is_refusal("the documents " * 8000)
    assert time.perf_counter() - start < 2
