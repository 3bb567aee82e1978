"""Rows for the relevance model: passage, question (with or without answer) -> relevant or not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from examples import RELEVANCE, Example
from groundedness import closest
from sets import raw

from ragstone.bench.agreement.groups import hashed
from ragstone.local.encoder import encoder
from ragstone.tools.sentences import sentences

RELEVANT, IRRELEVANT = ((RELEVANCE.index(name),) for name in RELEVANCE)
NEIGHBORS = slice(1, 8)
"""Which of the nearest other passages may be a negative."""


def build() -> list[Example]:
    """All rows, in a fixed order."""
    return [*factcheck(), *asked_passages(), *asked_sentences()]


def factcheck() -> Iterator[Example]:
    """Questions with one claim of an answer, and what a search found: people's labels."""
    for row in raw("dev/factcheck_gpt"):
        held_out = hashed(row["question"]) % 5 == 0
        query = f"{row['question']} {row['response']}"
        text = closest(row["contexts"], query) or row["contexts"][0]
        classes = RELEVANT if row["relevant"] else IRRELEVANT
        yield Example(row["id"], "factcheck_gpt", text, query, classes, held_out)


def asked_passages() -> Iterator[Example]:
    """Questions that a model wrote about a passage; its nearest neighbors are the negatives."""
    for subset in ("nq", "hotpotqa", "multirc", "record"):
        rows = {
            row["contexts"][0]: row
            for row in raw("train/ares_synthetic")
            if row["subset"] == subset and row["context_relevance"][0]
        }
        chosen = sorted(rows.values(), key=lambda row: hashed(row["id"]))[:350]
        yield from _with_neighbors(chosen)


def _with_neighbors(rows: Sequence[dict]) -> Iterator[Example]:
    passages = [row["contexts"][0] for row in rows]
    vectors = encoder().vectors([" ".join(text.split()[:120]) for text in passages])
    questions = encoder().vectors([row["question"] for row in rows])
    nearest = np.argsort(-(questions @ vectors.T), axis=1)
    for number, row in enumerate(rows):
        others = [n for n in nearest[number] if n != number][NEIGHBORS]
        for kind, n in (("own", number), ("near", others[hashed(row["id"]) % len(others)])):
            text = closest([passages[n]], row["question"])
            if text:
                classes = RELEVANT if kind == "own" else IRRELEVANT
                yield Example(f"{row['id']}-{kind}", "ares", text, row["question"], classes)


def asked_sentences() -> Iterator[Example]:
    """Questions with the sentence that holds the answer, and close sentences that do not."""
    rows = [row for row in raw("train/halueval_qa") if row["supported"]]
    rows = sorted(rows, key=lambda row: hashed(row["id"]))[:2600]
    pool = [(n, s.text.strip()) for n, row in enumerate(rows) for s in _sentences(row)]
    vectors = encoder().vectors([text for _, text in pool])
    questions = encoder().vectors([row["question"] for row in rows])
    for number, row in enumerate(rows):
        answer = row["response"].casefold()
        closeness = vectors @ questions[number]
        holding = [i for i, (n, s) in enumerate(pool) if n == number and answer in s.casefold()]
        lacking = [i for i in np.argsort(-closeness)[:25] if answer not in pool[i][1].casefold()]
        if not holding or not lacking:
            continue
        best = max(holding, key=lambda i: closeness[i])
        spoken = f" {row['response']}" if hashed(row["id"]) % 3 == 0 else ""
        query = row["question"] + spoken
        yield Example(f"{row['id']}-has", "halueval_qa", pool[best][1], query, RELEVANT)
        for place in {0, hashed(row["id"]) % min(8, len(lacking))}:
            text = pool[lacking[place]][1]
            yield Example(f"{row['id']}-{place}", "halueval_qa", text, query, IRRELEVANT)


def _sentences(row: dict) -> list:
    return [s for s in sentences(row["contexts"][0].replace(".", ". ")) if len(s.text.split()) > 4]
