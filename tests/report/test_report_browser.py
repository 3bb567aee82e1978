"""The page in a real browser: sort, search, unfold; no request, no foreign code, no complaint."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ragstone.report.render import render_report
from ragstone.schema.rundata import RunData

playwright = pytest.importorskip("playwright.sync_api")
CHROMIUM = Path("/usr/bin/chromium")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not CHROMIUM.exists(), reason="Debian's chromium is not installed"),
]


@pytest.fixture(scope="module")
def browser() -> Iterator[playwright.Browser]:
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=str(CHROMIUM), args=ARGUMENTS)
        yield browser
        browser.close()


class Opened:
    """A report in a browser, with what it asked for and complained about."""

    def __init__(
        self, browser: playwright.Browser, folder: Path, data: RunData, **options: object
    ) -> None:
        file = folder / "report.html"
        file.write_text(render_report(data, "html"), encoding="utf-8")
        self.context = browser.new_context(**options)
        self.page = self.context.new_page()
        self.asked: list[str] = []
        self.said: list[str] = []
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("dialog", lambda dialog: (self.said.append("dialog"), dialog.dismiss()))
        self.page.goto(file.as_uri())

    def shows(self, *numbers: int) -> None:
        """Wait until these rows are to be seen, from top to bottom."""
        rows = self.page.locator(".row:not([hidden]) .no")
        playwright.expect(rows).to_have_text([str(number) for number in numbers])

    def close(self) -> None:
        """Check that nothing left the page and nothing went wrong."""
        self.context.close()
        assert all(url.startswith(("file:", "data:")) for url in self.asked)
        assert sum(url.startswith("file:") for url in self.asked) == 1
        assert self.said == []


@pytest.fixture
def opened(browser: playwright.Browser, tmp_path: Path, mixed_run: RunData) -> Iterator[Opened]:
    opened = Opened(browser, tmp_path, mixed_run, viewport={"width": 1280, "height": 900})
    yield opened
    opened.close()


def test_a_click_on_a_metric_sorts_the_worst_first_then_the_best(opened: Opened) -> None:
    head = opened.page.locator(".head button")
    opened.shows(1, 2, 3, 4, 5)
    head.nth(0).click()  # higher is better
    opened.shows(5, 1, 2, 3, 4)
    head.nth(0).click()
    opened.shows(2, 1, 5, 3, 4)
    head.nth(1).click()  # lower is better
    opened.shows(1, 2, 3, 4, 5)
    opened.page.select_option("[name=sort]", "2 down")  # labels
    opened.shows(1, 2, 4, 5, 3)
    opened.page.select_option("[name=sort]", "worst up")
    opened.shows(1, 5, 2, 3, 4)


def test_search_and_filter(opened: Opened) -> None:
    count = opened.page.locator("#count")
    opened.page.fill("[name=q]", "first  CONTEXT of 3.")
    playwright.expect(count).to_have_text("1 of 5 rows")
    opened.shows(4)
    opened.page.fill("[name=q]", "no such words")
    playwright.expect(opened.page.locator("#none")).to_be_visible()
    opened.page.click("button[type=reset]")
    playwright.expect(count).to_have_text("5 rows")
    opened.page.select_option("[name=state]", "failed")
    playwright.expect(count).to_have_text("1 of 5 rows")
    opened.shows(4)
    opened.page.select_option("[name=metric]", "1")
    opened.page.select_option("[name=state]", "pending")
    playwright.expect(count).to_have_text("1 of 5 rows")
    opened.shows(5)
    opened.page.select_option("[name=metric]", "0")
    opened.page.select_option("[name=state]", "worse")
    opened.page.fill("[name=limit]", "0.6")
    playwright.expect(count).to_have_text("2 of 5 rows")
    opened.shows(1, 5)
    opened.page.select_option("[name=metric]", "1")  # lower is better: worse is above
    playwright.expect(count).to_have_text("1 of 5 rows")
    opened.shows(1)


def test_a_row_unfolds_with_its_evidence_and_marks(opened: Opened) -> None:
    row = opened.page.locator("#row-1")
    row.locator("summary").first.click()
    playwright.expect(row.locator("mark.good")).to_have_text("Answer 0.")
    row.locator(".evs a", has_text="A2").click()
    mark = row.locator("mark.bad")
    playwright.expect(mark).to_be_visible()
    assert mark.evaluate("mark => getComputedStyle(mark).outlineStyle") == "solid"
    row.locator(".evs li").first.hover()
    playwright.expect(row.locator("mark.good")).to_have_class("good lit")
    opened.page.fill("[name=q]", "answer 0.")
    playwright.expect(opened.page.locator("#count")).to_have_text("1 of 5 rows")


def test_keys_alone_are_enough(opened: Opened) -> None:
    opened.page.locator("#row-2 > summary").focus()
    opened.page.keyboard.press("Enter")
    playwright.expect(opened.page.locator("#row-2 .texts")).to_contain_text("Answer 1.")


@pytest.mark.parametrize("scripts", [True, False], ids=["script", "no script"])
def test_hostile_text_does_nothing(
    browser: playwright.Browser, tmp_path: Path, hostile_run: RunData, scripts: bool
) -> None:
    opened = Opened(browser, tmp_path, hostile_run, java_script_enabled=scripts)
    for number in (1, 2):
        row = opened.page.locator(f"#row-{number}")
        row.locator("summary").first.click()
        playwright.expect(row.locator(".texts")).to_contain_text("<script>alert(1)</script>")
    assert opened.page.locator("img").count() == 0
    assert opened.page.locator("script").count() == 1
    opened.close()


def test_without_scripts_a_row_can_be_read(
    browser: playwright.Browser, tmp_path: Path, mixed_run: RunData
) -> None:
    opened = Opened(browser, tmp_path, mixed_run, java_script_enabled=False)
    playwright.expect(opened.page.locator(".controls")).to_be_hidden()
    opened.page.locator("#row-1 > summary").click()
    playwright.expect(opened.page.locator("#row-1 mark.good")).to_be_visible()
    playwright.expect(opened.page.locator("#row-1 .results")).to_contain_text("1 of 2")
    opened.close()


@pytest.mark.parametrize("width", [375, 1280])
def test_nothing_is_wider_than_the_window(
    browser: playwright.Browser, tmp_path: Path, edge: RunData, width: int
) -> None:
    opened = Opened(browser, tmp_path, edge, viewport={"width": width, "height": 800})
    if edge.run.n_rows:
        opened.page.locator(".row > summary").first.click()
    assert opened.page.evaluate("document.documentElement.scrollWidth") <= width
    opened.close()
