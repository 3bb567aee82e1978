"""A result as Python prints it and as a notebook shows it."""

from __future__ import annotations

from ragstone.api.evaluation import evaluate
from ragstone.metrics.catalogue import build
from ragstone.testing import row


def test_a_result_says_why_nothing_was_scored() -> None:
    rows = [row(reference=" ") for _ in range(2)]
    result = evaluate(rows, [build("string_presence")], store=False, show_progress=False)
    assert repr(result) == "{'string_presence': no score (0/2: 2 no_reference)}"


def test_a_notebook_shows_a_table_in_which_foreign_text_stays_text() -> None:
    metric = build("exact_match:name=<script>x</script>")
    result = evaluate([row()], [metric], store=False, show_progress=False, name="<b>run</b>")
    page = result._repr_html_()
    assert page.startswith("<table>")
    assert "<script" not in page
    assert "<b>" not in page
    assert "&lt;script&gt;x&lt;/script&gt;" in page
    assert "&lt;b&gt;run&lt;/b&gt;" in page
