"""The identity of a data set: a hash over the content of its samples."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable

from ragstone.data.rows import checked, parts_of
from ragstone.schema.samples import Sample

__all__ = ["content_hash"]


def content_hash(samples: Iterable[Sample]) -> str:
    """SHA-256 over the samples in order, in hexadecimal; the same whatever file they came from.

    Empty fields and empty metadata do not count, nor does the order of keys; NaN is a missing
    value. Raises BadDataset for metadata that JSON cannot hold.
    """
    digest = hashlib.sha256()
    for parts in checked(samples, parts_of):
        text = json.dumps(parts, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        digest.update(text.encode() + b"\n")
    return digest.hexdigest()
