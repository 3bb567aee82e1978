"""A picture as data of a question."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from pydantic import BaseModel, ConfigDict, Field, computed_field

__all__ = ["Image", "images_in"]


class Image(BaseModel):
    """A picture for a judge that can see: its media type and its bytes.

    As plain data, in traces and keys, it is its type, size and hash; the bytes stay out.
    """

    model_config = ConfigDict(frozen=True)

    media_type: str
    data: bytes = Field(repr=False, exclude=True)

    @computed_field  # type: ignore[prop-decorator]
    @property
    def sha256(self) -> str:
        """The hash of the bytes."""
        return hashlib.sha256(self.data).hexdigest()

    @computed_field  # type: ignore[prop-decorator]
    @property
    def size(self) -> int:
        """How many bytes there are."""
        return len(self.data)


def images_in(data: BaseModel) -> tuple[Image, ...]:
    """The pictures in the lists of a question's data, in order, each once."""
    return tuple(dict.fromkeys(_found(data)))


def _found(data: BaseModel) -> Iterator[Image]:
    for _, value in data:
        if isinstance(value, list):
            yield from (part for part in value if isinstance(part, Image))
