"""Every error that Ragstone raises on purpose.

    RagstoneError
    |-- UsageError            the caller can mend it (the command line exits with 2)
    |   |-- MissingField      a sample lacks a field that a metric reads
    |   |-- UnknownMetric     no metric of that name
    |   |-- MissingTool       a metric needs a judge or an embedder that was not given
    |   |-- MissingExtra      an optional package is absent (also an ImportError)
    |   `-- BadDataset        a file or table that cannot be read as samples
    |-- JudgeError            the judge could not answer
    |   |-- ProviderError     the provider answered with an error, or not at all
    |   `-- BadReply          the reply does not fit the asked form, even after a second try
    |-- BudgetExceeded        the run's budget is spent; what was scored is kept
    `-- StoreError            the store of runs cannot be read or written

`Unscored` is no error: a metric or a judge raises it to say that there is honestly no score.
"""

from __future__ import annotations

from collections.abc import Iterable

__all__ = [
    "BadDataset",
    "BadReply",
    "BudgetExceeded",
    "JudgeError",
    "MissingExtra",
    "MissingField",
    "MissingTool",
    "ProviderError",
    "RagstoneError",
    "StoreError",
    "UnknownMetric",
    "Unscored",
    "UsageError",
]


class RagstoneError(Exception):
    """The root of all errors that Ragstone raises on purpose."""


class UsageError(RagstoneError, ValueError):
    """Something the caller can mend; the message says what and how."""


class MissingField(UsageError):
    """A sample lacks a field that a metric reads."""

    def __init__(self, metric: str, field: str, available: Iterable[str] = ()) -> None:
        self.metric, self.field = metric, field
        has = ", ".join(sorted(available)) or "none"
        super().__init__(
            f"{metric!r} needs the field {field!r}; fields with a value here: {has}. "
            f"Add it, or map a column to it with column_map={{{field!r}: 'your_column'}}."
        )


class UnknownMetric(UsageError):
    """No metric has that name."""


class MissingTool(UsageError):
    """A metric needs a tool, such as a judge or an embedder, that was not given."""


class MissingExtra(UsageError, ImportError):
    """An optional package is absent; the message holds the pip line that installs it."""

    def __init__(self, what: str, extra: str) -> None:
        self.extra = extra
        super().__init__(f"{what} needs the extra {extra!r}: pip install 'ragstone[{extra}]'")


class BadDataset(UsageError):
    """A file or table that cannot be read as samples."""


class JudgeError(RagstoneError):
    """The judge could not answer."""


class ProviderError(JudgeError):
    """The provider answered with an error, or did not answer.

    `kind` is one of authentication, bad_request, unknown_model, content_filter, too_long,
    rate_limit, overloaded, timeout, connection, server, unknown. `status` is the HTTP status, if
    there was one. `retryable` says whether the same call may succeed later; `retry_after` is the
    wait in seconds that the server asked for.
    """

    def __init__(
        self,
        message: str,
        *,
        provider: str,
        kind: str = "unknown",
        status: int | None = None,
        retryable: bool = False,
        retry_after: float | None = None,
    ) -> None:
        self.provider, self.kind, self.status = provider, kind, status
        self.retryable, self.retry_after = retryable, retry_after
        super().__init__(message)


class BadReply(JudgeError):
    """The reply does not fit the asked form, even after one second try; `raw` is its text."""

    def __init__(self, message: str, *, raw: str) -> None:
        self.raw = raw
        super().__init__(message)


class BudgetExceeded(RagstoneError):
    """The budget of the run is spent: the run stops and keeps what was scored."""


class StoreError(RagstoneError):
    """The store of runs cannot be read or written."""


class Unscored(Exception):
    """Raised inside a metric or a judge when there is honestly no score.

    `code` is a short fixed word (no_context, no_claims, refusal, missing_verdicts, judge_refused,
    truncated, not_applicable, needs_llm, missing_field, too_long, ...); `detail` says more.
    """

    def __init__(self, code: str, detail: str = "") -> None:
        self.code, self.detail = code, detail
        super().__init__(f"{code}: {detail}" if detail else code)
