"""Model weights that Ragstone runs on a CPU: where they lie, what they are, are they whole.

Nothing here loads a model, and nothing but the standard library is imported.

>>> from ragstone_models import model, verify
>>> verify("embedder")
>>> model("embedder").path("model.onnx").name
'model.onnx'
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

__all__ = ["MODELS", "DamagedModel", "ModelFiles", "model", "names", "verify"]


class DamagedModel(Exception):
    """A file of a model is missing or is not the one that the manifest records."""


@dataclass(frozen=True)
class ModelFiles:
    """The files of one model, in the folder `directory`, listed in its manifest.json."""

    name: str
    directory: Path

    @cached_property
    def sha256(self) -> Mapping[str, str]:
        """File name -> recorded sha256 in lower-case hexadecimal; raises DamagedModel."""
        try:
            manifest = json.loads((self.directory / "manifest.json").read_text(encoding="utf-8"))
            return {file: str(record["sha256"]) for file, record in manifest["files"].items()}
        except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
            raise DamagedModel(
                f"manifest.json of model {self.name!r} is missing or unreadable ({error}): "
                "install ragstone-models again"
            ) from error

    @property
    def card(self) -> str:
        """The model card in Markdown: origin, license, how it was made, what was measured."""
        return (self.directory / "CARD.md").read_text(encoding="utf-8")

    def path(self, file: str) -> Path:
        """Where `file` lies; ValueError when the model has no such file."""
        if file not in self.sha256:
            known = ", ".join(self.sha256)
            raise ValueError(f"model {self.name!r} has no file {file!r}; it has: {known}")
        return self.directory / file

    def verify(self) -> None:
        """Hash every file and raise DamagedModel at the first that is not as recorded."""
        for file, expected in self.sha256.items():
            found = _sha256(self.path(file))
            if found != expected:
                raise DamagedModel(
                    f"{file!r} of model {self.name!r} is damaged: expected sha256 {expected}, "
                    f"found {found}; install ragstone-models again"
                )


MODELS: Mapping[str, ModelFiles] = {
    name: ModelFiles(name, Path(__file__).parent / name)
    for name in ("embedder", "groundedness", "relevance")
}
"""Every model in this package, by name."""


def names() -> list[str]:
    """The names of all models in this package."""
    return list(MODELS)


def model(name: str) -> ModelFiles:
    """Return the files of the model `name`; ValueError when there is no such model."""
    if name not in MODELS:
        raise ValueError(f"no model {name!r}; ragstone-models has: {', '.join(MODELS)}")
    return MODELS[name]


def verify(name: str) -> None:
    """Check every file of the model `name` against its manifest; raises DamagedModel."""
    model(name).verify()


def _sha256(path: Path) -> str:
    """The hash of a file, or the words "no file" when there is none."""
    try:
        with path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except FileNotFoundError:
        return "no file"
