"""The page: what it holds, and that foreign text in it stays text."""

from __future__ import annotations

import base64
import hashlib
import re
from html.parser import HTMLParser

from ragstone.report.charts import chart
from ragstone.report.render import render_report
from ragstone.report.rows import letter, row_views
from ragstone.report.worst import row_score, worst_rows
from ragstone.schema.rundata import RunData
from ragstone.stats.runs import number, summarize_run

VOID = {"meta", "link", "input", "wbr", "line", "circle", "rect"}


class _Tags(HTMLParser):
    """Checks that every element is closed where it belongs, and keeps all attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        ends = {"li", "p", "option"}
        while self.open and self.open[-1] != tag and self.open[-1] in ends:
            self.open.pop()
        assert self.open.pop() == tag


def tags(page: str) -> _Tags:
    found = _Tags()
    found.feed(page)
    found.close()
    assert not found.open
    return found


def test_the_page_is_whole_and_asks_for_nothing(edge: RunData) -> None:
    page = render_report(edge, "html")
    found = tags(page)
    assert page.startswith("<!doctype html>")
    for tag, attributes in found.seen:
        assert not any(name.startswith("on") for name in attributes)
        assert tag not in {"img", "iframe", "object", "embed", "base"}
        for name in ("src", "href", "action", "srcset"):
            assert (attributes.get(name) or "#")[:1] == "#" or attributes[name] == "data:,"
    assert "@import" not in page
    assert "url(" not in page.partition("</style>")[0]


def test_the_policy_allows_the_one_script(edge: RunData) -> None:
    page = render_report(edge, "html")
    scripts = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    assert len(scripts) == 1
    digest = base64.b64encode(hashlib.sha256(scripts[0].encode()).digest()).decode()
    assert f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}';" in page


def test_ids_are_unique_and_links_lead_somewhere(edge: RunData) -> None:
    found = tags(render_report(edge, "html"))
    ids = [attributes["id"] for _, attributes in found.seen if "id" in attributes]
    assert len(ids) == len(set(ids))
    links = {a["href"] for tag, a in found.seen if tag == "a"}
    assert {link.removeprefix("#") for link in links if link} <= set(ids)


def test_the_page_says_what_matters(mixed_run: RunData) -> None:
    page = render_report(mixed_run, "html")
    assert "ragstone resume run-1" in page
    assert "19 of 20 cells are measured" in page
    assert "⚠ 3/5 scored" in page
    assert page.count("critic needs an LLM judge") == 1
    assert '<mark class="good" data-k="A1" data-l="A1✓">Answer 0.</mark>' in page
    assert '<mark class="bad" data-k="A2" data-l="A2✗">Secon</mark>' in page
    assert "ProviderError: overloaded" in page
    assert "Judge: 1 answer, 1 judge call, 30 + 9 tokens, $0.001, 0.5 s" in page
    assert "claims/extract, gpt-x, 1 judge call, 30 + 9 tokens, $0.001, 0.5 s" in page


def test_hostile_text_stays_text(hostile_run: RunData) -> None:
    page = render_report(hostile_run, "html")
    body = page.partition("</head>")[2]
    assert "<script" not in body
    assert "onerror=alert(1)>" not in body
    assert "\x00" not in page
    assert "\x1b" not in re.sub(r'<span class="ctl" data-c="U\+001B">\x1b</span>', "", page)
    assert "\u202e" not in re.sub(r'<span class="ctl" data-c="U\+202E">\u202e</span>', "", page)
    assert "{{ 7*7 }}" in page
    assert body.count("<noscript>") == body.count("</noscript>") == hostile_run.run.n_rows


def test_a_chart_counts_every_row(edge: RunData) -> None:
    for line in summarize_run(edge).lines:
        values = [number(cell) for cell in edge.column(line.info.key)]
        drawn = chart(line, [value for value in values if value is not None])
        if drawn is not None:
            assert sum(bar.count for bar in drawn.bars) == edge.run.n_rows
            assert all(bar.x >= 0 and bar.x + bar.width <= 320 for bar in drawn.bars)


def test_worst_rows(mixed_run: RunData) -> None:
    assert worst_rows(mixed_run) == [0, 4]
    assert row_score(mixed_run, 0) == 0.25  # faithfulness 0.5, harm 1 turned round
    assert [view.worst for view in row_views(mixed_run)] == ["0.25", "1", "1", "1", "0.25"]


def test_letters_go_on_after_z() -> None:
    assert [letter(n) for n in (0, 25, 26, 27, 701, 702)] == ["A", "Z", "AA", "AB", "ZZ", "AAA"]
