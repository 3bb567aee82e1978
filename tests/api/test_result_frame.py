"""A result as a DataFrame: a missing score stays missing and does not become a number."""

from ragstone import evaluate
from ragstone.metrics import StringPresence


def test_a_row_without_a_score_holds_none() -> None:
    rows = [{"response": "a", "reference": r, "topic": "t"} for r in ("a", " ", "b")]
    result = evaluate(rows, [StringPresence()], store=False, show_progress=False)
    frame = result.to_pandas()
    assert frame["string_presence"].tolist() == [1.0, None, 0.0]
    assert frame["string_presence"].mean() == 0.5
    assert frame["topic"].tolist() == ["t"] * 3
