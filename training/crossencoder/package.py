"""Write a trained cross-encoder into ragstone-models as ONNX with 8-bit weights.

    python training/crossencoder/package.py groundedness --work build/crossencoder

Weights and, at run time, activations are rounded to 8 bits: a pair of 64 tokens then takes two
thirds of the time. Weights use 7 of the 8 bits, since older processors add in 16 bits and would
overflow. Pairs are judged one at a time, so the scale of the activations depends on the pair alone.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import tempfile
from pathlib import Path

import export
import onnx
from onnxruntime.quantization import QuantType, quantize_dynamic
from safetensors.numpy import load_file

sys.path.append(str(Path(__file__).parents[1] / "embedder"))
import source

PACKAGED = Path(__file__).parents[2] / "packages/ragstone-models/src/ragstone_models"
CLASSES = {
    "groundedness": ("supported", "contradicted", "not_mentioned"),
    "relevance": ("relevant", "irrelevant"),
}


def model_bytes(trained: Path, name: str) -> bytes:
    """model.onnx; equal weights give equal bytes."""
    with tempfile.TemporaryDirectory() as folder:
        whole, small = Path(folder) / "whole.onnx", Path(folder) / "small.onnx"
        onnx.save(export.build(load_file(trained), name, int8=False), whole)
        quantize_dynamic(
            whole,
            small,
            weight_type=QuantType.QInt8,
            per_channel=True,
            reduce_range=True,
            op_types_to_quantize=["MatMul", "Gather"],
        )
        return onnx.load(small).SerializeToString(deterministic=True)


def tokenizer_bytes(published: bytes) -> bytes:
    """tokenizer.json without limits: the reader sets its own."""
    tokenizer = json.loads(published)
    tokenizer["truncation"] = tokenizer["padding"] = None
    return (json.dumps(tokenizer, ensure_ascii=False, separators=(",", ":")) + "\n").encode()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", choices=CLASSES)
    parser.add_argument("--work", type=Path, default=Path("build/crossencoder"))
    given = parser.parse_args()
    trained = given.work / f"{given.model}.safetensors"
    published = source.download()["tokenizer.json"]
    files = {
        "model.onnx": model_bytes(trained, given.model),
        "tokenizer.json": tokenizer_bytes(published),
    }
    record = {
        "model": f"MiniLM-L6 cross-encoder for {given.model}, 8-bit integers",
        "license": "Apache-2.0",
        "classes": CLASSES[given.model],
        "weights_sha256": hashlib.sha256(trained.read_bytes()).hexdigest(),
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
    folder = PACKAGED / given.model
    folder.mkdir(parents=True, exist_ok=True)
    manifest = (json.dumps(record, indent=2) + "\n").encode()
    for file, content in {**files, "manifest.json": manifest}.items():
        (folder / file).write_bytes(content)


if __name__ == "__main__":
    main()
