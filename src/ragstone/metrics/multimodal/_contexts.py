"""What the multimodal metrics share: their contexts, and the evidence of one verdict."""

from __future__ import annotations

from collections.abc import Sequence

from ragstone.metrics._texts import whole
from ragstone.prompt.images import Image
from ragstone.schema.results import Evidence, MetricResult
from ragstone.tools.images import read_images

__all__ = ["judged", "seen_contexts"]


async def seen_contexts(
    contexts: Sequence[str | bytes], allow_paths: Sequence[str], allow_hosts: Sequence[str]
) -> list[str | Image]:
    """The contexts that are not blank, pictures read."""
    given = [context for context in contexts if context.strip()]
    return await read_images(given, allow_paths, allow_hosts)


def judged(
    good: bool, verdict: str, reason: str, response: str, contexts: Sequence[str | Image]
) -> MetricResult:
    """1.0 or 0.0 with the verdict on the response, and which pictures were looked at."""
    pictures = [
        Evidence(f"image/{context.sha256[:12]}", "seen", f"{context.media_type}, {context.size} B")
        for context in contexts
        if isinstance(context, Image)
    ]
    said = Evidence("response", verdict, reason, (whole("response", response),))
    return MetricResult(float(good), reason=reason or None, evidence=(said, *pictures))
