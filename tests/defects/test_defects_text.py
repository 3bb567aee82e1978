"""Text is only text: verdicts are closed labels, and nothing in a sample is opened.

The ids are of our list of defects that users of other evaluators reported.
"""

import json
import sys
from pathlib import Path
from typing import Any, get_args

import pytest

from ragstone.metrics import (
    AnswerRelevancy,
    ContextPrecision,
    Faithfulness,
    Metric,
)
from ragstone.prompt.claims import SupportVerdict
from ragstone.prompt.criteria import AspectVerdict
from ragstone.prompt.questions import AnsweredQuestion
from ragstone.prompt.retrieval import Usefulness
from ragstone.store import open_store
from scripted import (
    FakeEmbedder,
    aquiet,
    quiet,
    reading_judge,
    row,
)


@pytest.mark.parametrize(
    "model", [SupportVerdict, Usefulness, AspectVerdict, AnsweredQuestion], ids=lambda m: m.__name__
)
def test_t25_verdicts_are_a_closed_vocabulary(model: Any) -> None:
    """T25: prose is never read for a verdict; "It is not true that ..." is no label."""
    label_field = "stance" if "stance" in model.model_fields else "verdict"
    allowed = get_args(model.model_fields[label_field].annotation)
    assert len(allowed) >= 2
    given = {"id": "1", "reason": "r", "question": "q"}
    given = {key: value for key, value in given.items() if key in model.model_fields}
    for label in allowed:
        assert getattr(model.model_validate(given | {label_field: label}), label_field) == label
    for prose in ("It is not true that it is supported", "untrue", "YES.", "", None, True, 1):
        with pytest.raises(ValueError, match=label_field):
            model.model_validate(given | {label_field: prose})


def test_t82_a_nul_in_a_text_is_measured_and_kept(tmp_path: Path) -> None:
    """T82: a NUL byte, and text in any script, survive the judge, the store and the way back."""
    text = "Number\x00 0 is red. 中文 🙂 e\u0301."
    store = f"sqlite:///{tmp_path / 'runs.db'}"
    data = [row(response=text, retrieved_contexts=[text])]
    result = quiet(data, [Faithfulness()], llm=reading_judge(), store=store)
    assert result["faithfulness"] == [1.0]
    with open_store(store) as opened:
        (kept,) = opened.samples(result.run_id)
        (cell,) = opened.cells(result.run_id)
    assert kept.response == text
    assert cell.calls == result.data.cells[0].calls
    assert cell.calls[0].input["text"] == text


SECRET = "root:x:0:0:do-not-read-me"


async def test_t86_paths_and_addresses_in_contexts_are_only_text(tmp_path: Path) -> None:
    """T86: nothing in a sample is opened, fetched or looked up."""
    secret = tmp_path / "secret.txt"
    secret.write_text(SECRET)
    contexts = [str(secret), f"file://{secret}", "http://127.0.0.1:9/x.png", "../../etc/passwd"]
    judge = reading_judge()
    touched: list[str] = []
    active = True

    def watch(event: str, arguments: tuple[Any, ...]) -> None:
        if active and (event == "open" or event.startswith(("socket.", "urllib."))):
            touched.append(f"{event} {arguments[:2]}")

    sys.addaudithook(watch)
    try:
        data = [row(retrieved_contexts=contexts, user_input=str(secret), response=str(secret))]
        metrics: list[Metric] = [Faithfulness(), ContextPrecision(), AnswerRelevancy()]
        await aquiet(data, metrics, llm=judge, embeddings=FakeEmbedder())
    finally:
        active = False
    assert not [each for each in touched if "secret" in each or "passwd" in each]
    assert not [each for each in touched if not each.startswith("open ")]
    told = json.dumps([data.model_dump(mode="json") for _, data in judge.asked])
    assert SECRET not in told
    assert str(secret) in told
