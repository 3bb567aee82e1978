"""Fill the demo rows with passages retrieved from the SQLite documentation.

Reads the HTML pages of the documentation, cuts them into passages at paragraph borders, ranks
the passages for each question with BM25 and writes the best ones into `retrieved_contexts` and
`source`. All other fields of a row stay as they are. It needs the standard library only:

    python build_contexts.py /usr/share/doc/sqlite3 sqlite_docs.jsonl
"""

import json
import math
import re
import sys
from collections import Counter
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path


def words(text: str) -> frozenset[str]:
    """The words of a text, without their order."""
    return frozenset(text.split())


PAGES = sorted(
    words(
        "atomiccommit autoinc backup datatype3 different expridx faq fileformat2 floatingpoint "
        "flextypegood foreignkeys fts5 gencol howtocorrupt inmemorydb isolation json1 "
        "lang_altertable lang_conflict lang_createindex lang_createtable lang_returning "
        "lang_transaction lang_upsert lang_vacuum lang_with limits lockingv3 nulls partialindex "
        "pragma queryplanner quirks rowidtable security serverless sharedcache stricttables "
        "tempfiles threadsafe transactional wal whentouse windowfunctions withoutrowid zeroconf"
    )
)

BLOCKS = words("blockquote dd div dl dt h1 h2 h3 h4 h5 li ol p pre table tr ul")
CELLS = words("td th")
HIDDEN_TAGS = words("head script style svg")
HIDDEN_CLASSES = words("nosearch fancy_title fancy_toc imgcontainer")
SENTENCE_END = re.compile(r"(?<=[.?!:])\s+(?=[A-Z\"'(])")
LAST_LINE = "This page last modified on"

SHORT, MIN_WORDS, MAX_WORDS = 20, 60, 140
K1, B = 1.2, 0.75
MIN_PASSAGES, MAX_PASSAGES = 3, 4
FOURTH_PASSAGE_SHARE = 0.6
"""A fourth passage is kept when it scores at least this share of the best one."""

STOP_WORDS = words(
    "a an and are as at be by can do does for from has have how i if in is it its my not of on or "
    "so than that the then there these this to was what when which who why will with you your "
    "sqlite"
)


@dataclass(frozen=True)
class Passage:
    """A stretch of one documentation page."""

    page: str
    text: str


class PageText(HTMLParser):
    """Collects the visible paragraphs of a documentation page in `paragraphs`."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.paragraphs: list[str] = []
        self._words: list[str] = []
        self._hidden_tag = ""
        self._depth = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self._hidden_tag:
            self._depth += tag == self._hidden_tag
            return
        classes = (dict(attrs).get("class") or "").split()
        if tag in HIDDEN_TAGS or HIDDEN_CLASSES.intersection(classes):
            self._hidden_tag, self._depth = tag, 1
        elif tag in BLOCKS:
            self._end_paragraph()
        elif tag == "sup":
            self._words.append("^")

    def handle_endtag(self, tag: str) -> None:
        if self._hidden_tag:
            self._depth -= tag == self._hidden_tag
            self._hidden_tag = self._hidden_tag if self._depth else ""
        elif tag in BLOCKS:
            self._end_paragraph()
        elif tag in CELLS:
            self._words.append(" | ")

    def handle_data(self, data: str) -> None:
        if not self._hidden_tag:
            self._words.append(data)

    def close(self) -> None:
        super().close()
        self._end_paragraph()

    def _end_paragraph(self) -> None:
        text = " ".join("".join(self._words).split()).strip(" |")
        self._words.clear()
        if text and not text.startswith(LAST_LINE):
            self.paragraphs.append(text)


def split_long(paragraph: str) -> list[str]:
    """Cut a paragraph above MAX_WORDS into pieces at the ends of sentences."""
    if len(paragraph.split()) <= MAX_WORDS:
        return [paragraph]
    pieces = [""]
    for sentence in SENTENCE_END.split(paragraph):
        if len(f"{pieces[-1]} {sentence}".split()) > MAX_WORDS and pieces[-1]:
            pieces.append("")
        pieces[-1] = f"{pieces[-1]} {sentence}".strip()
    return pieces


def passages_of(page: str, html: str) -> list[Passage]:
    """The passages of one page, each of MIN_WORDS to MAX_WORDS words where possible."""
    parser = PageText()
    parser.feed(html)
    parser.close()
    passages: list[list[str]] = [[]]
    for piece in (piece for text in parser.paragraphs for piece in split_long(text)):
        length = sum(len(text.split()) for text in passages[-1])
        if length >= MIN_WORDS or (length >= SHORT and length + len(piece.split()) > MAX_WORDS):
            passages.append([])
        passages[-1].append(piece)
    if len(passages) > 1 and len(" ".join(passages[-1]).split()) < SHORT:
        passages[-2].extend(passages.pop())
    return [Passage(page, "\n".join(lines)) for lines in passages if lines]


def terms(text: str) -> list[str]:
    """The lower-case search words of a text, without stop words and without a plural s."""
    words = re.findall(r"[a-z0-9_]+", text.lower())
    return [re.sub(r"(?<=[a-z]{3})(?<!s)s$", "", word) for word in words if word not in STOP_WORDS]


class Bm25:
    """Okapi BM25 over a list of passages."""

    def __init__(self, passages: list[Passage]) -> None:
        self.passages = passages
        self._counts = [Counter(terms(passage.text)) for passage in passages]
        self._lengths = [count.total() for count in self._counts]
        self._mean_length = sum(self._lengths) / len(self._lengths)
        self._spread = Counter(term for count in self._counts for term in count)

    def best(self, question: str) -> list[Passage]:
        """Three or four passages, the best first."""
        query = sorted(set(terms(question)))
        scores = [self._score(query, index) for index in range(len(self.passages))]
        order = sorted(range(len(scores)), key=lambda index: -scores[index])[:MAX_PASSAGES]
        if scores[order[-1]] < FOURTH_PASSAGE_SHARE * scores[order[0]]:
            order = order[:MIN_PASSAGES]
        return [self.passages[index] for index in order]

    def _score(self, query: list[str], index: int) -> float:
        count, share = self._counts[index], self._lengths[index] / self._mean_length
        return sum(
            self._weight(term) * count[term] * (K1 + 1) / (count[term] + K1 * (1 - B + B * share))
            for term in query
            if term in count
        )

    def _weight(self, term: str) -> float:
        found = self._spread[term]
        return math.log(1 + (len(self.passages) - found + 0.5) / (found + 0.5))


def read_passages(docs: Path) -> list[Passage]:
    """The passages of all pages; a text that stands on two pages counts once."""
    passages: dict[str, Passage] = {}
    for page in PAGES:
        for passage in passages_of(page, (docs / f"{page}.html").read_text("utf-8")):
            passages.setdefault(passage.text, passage)
    return list(passages.values())


def main(docs: Path, rows_file: Path) -> None:
    """Rewrite the rows of `rows_file` with passages from the pages in `docs`."""
    index = Bm25(read_passages(docs))
    with rows_file.open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    for row in rows:
        found = index.best(row["user_input"])
        row["retrieved_contexts"] = [passage.text for passage in found]
        row["source"] = ", ".join(dict.fromkeys(f"{passage.page}.html" for passage in found))
    with rows_file.open("w", encoding="utf-8", newline="\n") as target:
        target.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
