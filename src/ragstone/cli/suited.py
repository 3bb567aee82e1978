"""Which metrics suit the columns of a file."""

from __future__ import annotations

from collections.abc import Collection

from ragstone.api.evaluation import DEFAULT_METRICS
from ragstone.data.columns import FIELDS
from ragstone.data.dataset import EvaluationDataset
from ragstone.engine.plan import choose_defaults
from ragstone.errors import MissingField, UsageError
from ragstone.metrics.base import Metric
from ragstone.metrics.catalogue import build, names

__all__ = ["check_defaults", "column_error", "unmeasured"]


def check_defaults(data: EvaluationDataset) -> None:
    """Raise UsageError with the columns that there are when no usual metric suits them."""
    if len(data) and not choose_defaults(data, [build(name) for name in DEFAULT_METRICS])[0]:
        present = data.features()
        wanted = next(
            f
            for f in ("user_input", "response", "retrieved_contexts", "reference")
            if f not in present
        )
        raise UsageError(f"the usual metrics do not fit these columns. {_found(data, wanted)}")


def column_error(error: MissingField, data: EvaluationDataset) -> UsageError:
    """What a metric lacks, in the words of the command line."""
    return UsageError(
        f"{error.metric!r} needs the field {error.field!r}. {_found(data, error.field)}"
    )


def _found(data: EvaluationDataset, wanted: str) -> str:
    columns = data.features()
    free = next((name for name in columns if name not in FIELDS), "COLUMN")
    found = ", ".join(columns) or "none with a value"
    return f"Columns found: {found}. Name them: --column {wanted}={free}"


def unmeasured(data: EvaluationDataset, measured: Collection[str]) -> list[str]:
    """The metrics that these data could feed and that need no parameters, less the measured."""
    present = set(data.features())
    found = (_plain(name) for name in names() if name not in measured)
    return [m.key for m in found if m is not None and present.issuperset(m.needs.required)]


def _plain(name: str) -> Metric | None:
    """The metric as it is without parameters; None when it needs some."""
    try:
        return build(name)
    except UsageError:
        return None
