"""What `evaluate` returns."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ragstone.data.dataset import EvaluationDataset
from ragstone.errors import UsageError
from ragstone.schema.cells import Cell
from ragstone.schema.results import MetricResult, Value
from ragstone.schema.rundata import RunData
from ragstone.schema.usage import Usage

if TYPE_CHECKING:
    import pandas as pd

    from ragstone.stats.runs import MetricLine, RunSummary

__all__ = ["EvaluationResult"]


@dataclass(frozen=True)
class EvaluationResult:
    """The scores of a run. It prints as {metric: mean (n scored/n total)}.

    `result["faithfulness"]` is the list of values in row order, None where a row has no score.
    """

    data: RunData

    @property
    def run_id(self) -> str:
        """The id of the run in the store."""
        return self.data.run.id

    @cached_property
    def summary(self) -> RunSummary:
        """Mean, interval, coverage and the reasons for missing scores, by metric."""
        from ragstone.stats.runs import summarize_run

        return summarize_run(self.data)

    @property
    def dataset(self) -> EvaluationDataset:
        """The samples that were measured."""
        return EvaluationDataset(self.data.samples, name=self.data.run.dataset)

    @property
    def metrics(self) -> list[str]:
        """The keys of the metrics."""
        return [info.key for info in self.data.run.metrics]

    def __getitem__(self, metric: str) -> list[Value]:
        return [None if cell is None else cell.result.value for cell in self._column(metric)]

    def results(self, metric: str) -> list[MetricResult | None]:
        """The whole results of a metric in row order; None where a stopped run did not come."""
        return [None if cell is None else cell.result for cell in self._column(metric)]

    def _column(self, metric: str) -> list[Cell | None]:
        if metric not in self.metrics:
            raise UsageError(f"no metric {metric!r} in this run; it has: {', '.join(self.metrics)}")
        return self.data.column(metric)

    @property
    def scores(self) -> list[dict[str, Value]]:
        """One dict {metric: value} a row, in row order."""
        columns = {metric: self[metric] for metric in self.metrics}
        return [
            {metric: column[row] for metric, column in columns.items()}
            for row in range(self.data.run.n_rows)
        ]

    @property
    def traces(self) -> list[dict[str, list[dict[str, Any]]]]:
        """One dict {metric: calls} a row; a call holds prompt, input and output."""
        rows: list[dict[str, list[dict[str, Any]]]] = [{} for _ in range(self.data.run.n_rows)]
        for cell in self.data.cells:
            rows[cell.row][cell.metric] = [
                {"prompt": call.prompt, "input": call.input, "output": call.output}
                for call in cell.calls
            ]
        return rows

    def means(self) -> dict[str, float | None]:
        """The mean of every numeric metric over its scored rows; None when none is scored."""
        return {line.info.key: line.summary.mean for line in self.summary.lines if line.summary}

    def total_tokens(self) -> Usage:
        """Calls, tokens and cost of the whole run."""
        return self.data.usage

    def total_cost(
        self,
        cost_per_input_token: float | None = None,
        cost_per_output_token: float | None = None,
    ) -> float | None:
        """The cost in US dollars, None when a price is unknown; or by the given token prices."""
        usage = self.data.usage
        if cost_per_input_token is None and cost_per_output_token is None:
            return usage.cost
        into, out = cost_per_input_token or 0.0, cost_per_output_token or 0.0
        return usage.input_tokens * into + usage.output_tokens * out

    def to_pandas(self) -> pd.DataFrame:
        """The samples with one column a metric; rows without a score hold None.

        Raises MissingExtra.
        """
        frame = self.dataset.to_pandas()
        import pandas as pd

        for metric in self.metrics:
            frame[metric] = pd.Series(self[metric], dtype=object)
        return frame

    def report(self, format: str = "html", path: str | Path | None = None) -> str:
        """The report as text (html, md, junit, json, csv); written to `path` when one is given."""
        from ragstone.report.render import render_report

        text = render_report(self.data, format)
        if path is not None:
            Path(path).write_text(text, encoding="utf-8")
        return text

    def __repr__(self) -> str:
        scores = "{" + ", ".join(_shown(line) for line in self.summary.lines) + "}"
        if self.data.run.state != "stopped":
            return scores
        return f"{scores} stopped ({self.data.run.stopped_by}); go on with resume({self.run_id!r})"

    def _repr_html_(self) -> str:
        """The table that a notebook shows."""
        from html import escape

        from ragstone.report.facts import missing
        from ragstone.report.plaintext import visible

        head = "".join(f"<th>{name}</th>" for name in ("metric", "mean", "scored", "no score"))
        rows = [
            (line.info.key, _mean(line), f"{line.n_scored}/{line.n_total}", missing(line))
            for line in self.summary.lines
        ]
        body = "".join(
            "<tr>"
            + "".join(f"<td>{escape(visible(text))}</td>" for text in (*cells, ", ".join(why)))
            + "</tr>"
            for *cells, why in rows
        )
        run = escape(visible(f"{self.data.run.name} ({self.run_id}), {self.data.run.state}"))
        return f"<table><caption>{run}</caption><tr>{head}</tr>{body}</table>"


def _shown(line: MetricLine) -> str:
    return f"'{line.info.key}': {_mean(line)} ({_scored(line)})"


def _mean(line: MetricLine) -> str:
    """The mean, or the shares of the labels; "no score" where there is none."""
    if line.shares:
        return " ".join(f"{label} {share.mean:.0%}" for label, share in line.shares.items())
    mean = line.summary.mean if line.summary else None
    return "no score" if mean is None else f"{mean:.4f}"


def _scored(line: MetricLine) -> str:
    """How many rows are scored and, when none is, why: "0/8: 8 needs_llm"."""
    from ragstone.report.facts import missing

    why = "" if line.n_scored else ", ".join(missing(line))
    return f"{line.n_scored}/{line.n_total}{f': {why}' if why else ''}"
