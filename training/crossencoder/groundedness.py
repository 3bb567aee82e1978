"""Rows for the groundedness model: evidence, claim -> supported, contradicted, not mentioned."""

from __future__ import annotations

from collections.abc import Iterator

from contrasts import falsified, joined, turned
from counterfactuals import Made
from counterfactuals import rows as counterfactual_rows
from examples import GROUNDEDNESS, Example, smallest
from sets import raw

from ragstone.bench.agreement.groups import hashed
from ragstone.local.encoder import encoder
from ragstone.local.match import Evidence
from ragstone.local.passage import READ_WORDS, passage
from ragstone.tools.sentences import sentences

SUPPORTED, CONTRADICTED, NOT_MENTIONED = ((GROUNDEDNESS.index(name),) for name in GROUNDEDNESS)
UNSUPPORTED = CONTRADICTED + NOT_MENTIONED


def closest(contexts: list[str], claim: str) -> str | None:
    """What the judge would read beside the claim."""
    match = Evidence(contexts, encoder()).match(claim)
    return None if match is None else passage(match, READ_WORDS)


def build() -> list[Example]:
    """All rows, in a fixed order."""
    human = [*fm2(), *factcheck(), *wice()]
    made = [*counterfactual_nli(), *fever(), *summaries(), *dialogues(), *counterfactuals()]
    return human + made + [*contrasts([*human, *made])]


def _example(row: dict, source: str, group: str, classes: tuple[int, ...]) -> Example:
    text = closest(row["contexts"], row["response"]) or row["contexts"][0]
    held_out = hashed(group) % 5 == 0
    return Example(row["id"], source, text, row["response"], classes, held_out)


def fm2() -> Iterator[Example]:
    for row in raw("dev/fm2"):
        classes = SUPPORTED if row["supported"] else CONTRADICTED
        yield _example(row, "fm2", row["page"], classes)


def factcheck() -> Iterator[Example]:
    classes = {
        "completely-support": SUPPORTED,
        "refute": CONTRADICTED,
        "irrelevant": NOT_MENTIONED,
        "partially-support": UNSUPPORTED,
    }
    for row in raw("dev/factcheck_gpt"):
        yield _example(row, "factcheck_gpt", row["question"], classes[row["label"]])


def wice() -> Iterator[Example]:
    for row in raw("dev/wice"):
        group = str(row.get("page") or row.get("wiki_title") or row["contexts"][0][:300])
        yield _example(row, "wice", group, SUPPORTED if row["supported"] else UNSUPPORTED)


def counterfactual_nli() -> Iterator[Example]:
    classes = {
        "entailment": SUPPORTED,
        "contradiction": CONTRADICTED,
        "neutral": NOT_MENTIONED,
    }
    for row in raw("train/cad_nli"):
        held_out = hashed("".join(row["contexts"])[:300]) % 20 == 0
        label = classes[row["label"]]
        yield Example(row["id"], "cad_nli", row["contexts"][0], row["response"], label, held_out)


def fever() -> Iterator[Example]:
    """Claims that a model wrote about a passage; the answer names the class, or the wrong one."""
    for row in raw("train/ares_synthetic"):
        if row["subset"] != "fever" or row["response"] not in ("SUPPORTS", "REFUTES"):
            continue
        if not row["context_relevance"][0]:
            label = NOT_MENTIONED
        else:
            said = (row["response"] == "SUPPORTS") == bool(row["faithful"])
            label = SUPPORTED if said else CONTRADICTED
        text = closest(row["contexts"], row["question"])
        if text:
            yield Example(row["id"], "fever", text, row["question"], label)


def summaries() -> Iterator[Example]:
    """Sentences of people's summaries, with what the article says of them, and of another's."""
    kept = smallest(
        (
            Example(row["id"], "summaries", row["contexts"][0], row["response"], SUPPORTED)
            for row in raw("train/halueval_summarization")
            if row["supported"]
        ),
        700,
    )
    for number, row in enumerate(kept):
        for place, sentence in enumerate(sentences(row.second)):
            if len(sentence.text.split()) < 5:
                continue
            text = closest([row.first], sentence.text)
            if text:
                name = f"{row.id}-{place}"
                yield Example(name, "summaries", text, sentence.text, SUPPORTED)
        other = kept[(number + 1) % len(kept)]
        text = closest([other.first], sentence.text)
        if text:
            yield Example(f"{row.id}-other", "summaries", text, sentence.text, NOT_MENTIONED)


def dialogues() -> Iterator[Example]:
    """Replies with the facts that they were written from, as many of each label and length."""
    rows = [r for r in raw("train/halueval_dialogue") if len(r["response"].split()) >= 5]
    buckets: dict[tuple[int, int], list[dict]] = {}
    for row in sorted(rows, key=lambda r: hashed(r["id"])):
        size = len(row["response"].split()) // 4
        buckets.setdefault((size, row["supported"]), []).append(row)
    for size in sorted({size for size, _ in buckets}):
        pair = [buckets.get((size, label), []) for label in (0, 1)]
        for label, found in enumerate(pair):
            for row in found[: min(len(pair[0]), len(pair[1]), 150)]:
                classes = SUPPORTED if label else UNSUPPORTED
                yield Example(row["id"], "dialogues", row["contexts"][0], row["response"], classes)


def counterfactuals() -> Iterator[Example]:
    """Edits of sentences of texts that may be used, see counterfactuals.py."""
    for number, row in enumerate(counterfactual_rows(passages(), per_passage=3)):
        label = (GROUNDEDNESS.index(row.label),)
        name = f"counterfactual-{number}"
        yield Example(name, "counterfactuals", row.passage, row.claim, label)


def contrasts(known: list[Example]) -> Iterator[Example]:
    """True claims made false, and sentences turned on one side or on both, see contrasts.py."""
    true = [
        (row.first, row.second)
        for row in known
        if row.source not in ("counterfactuals", "dialogues")
        and row.classes == SUPPORTED
        and not row.held_out
        and (row.source != "cad_nli" or hashed(row.id) % 2)
    ]
    classes = {
        **{name: (number,) for number, name in enumerate(GROUNDEDNESS)},
        "unsupported": UNSUPPORTED,
    }
    texts = passages()
    half = len(texts) // 2
    made: list[Made] = [*falsified(true), *turned(texts[half:]), *joined(texts[:half])]
    for number, row in enumerate(made):
        name = f"contrast-{row.kind}-{number}"
        yield Example(name, "contrasts", row.passage, row.claim, classes[row.label])


def passages() -> list[str]:
    """Passages to edit: no row of a held-out group is among them."""
    found: list[str] = []
    for name, count in (
        ("train/halueval_qa", 700),
        ("train/halueval_summarization", 500),
        ("train/ares_synthetic", 1000),
    ):
        texts = sorted({row["contexts"][0] for row in raw(name)}, key=hashed)[:count]
        found += [_opening(text, 100 if hashed(text) % 2 else 45) for text in texts]
    return found


def _opening(text: str, words: int) -> str:
    """Whole sentences from the start, up to so many words."""
    kept: list[str] = []
    for sentence in sentences(text):
        if kept and len(" ".join([*kept, sentence.text]).split()) > words:
            break
        kept.append(" ".join(sentence.text.split()))
    return " ".join(kept)
