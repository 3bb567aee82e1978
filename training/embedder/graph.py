"""all-MiniLM-L6-v2 as one ONNX graph: token ids in, one unit vector per text out.

The graph is the BERT encoder (Devlin et al. 2018) with mean pooling over the real tokens and
L2 normalization, as sentence-transformers runs the model. It is written node by node from the
tensors, so that no tracer decides what it looks like and equal input gives equal bytes.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

LAYERS = 6
HEADS = 12
WIDTH = 384
LAYER_NORM_EPSILON = 1e-12
MASKED = -1e9
"""Added to the attention score of padding: far enough below zero for exp() to give 0."""

Tensors = Mapping[str, NDArray[np.float32]]


def build(tensors: Tensors, *, int8: bool) -> onnx.ModelProto:
    """Return the graph over `tensors`, the official checkpoint by its own names.

    With `int8` the matrices and the token table are stored as 8-bit integers with one scale
    per output channel (per token in the table) and turned back into floats in the graph;
    activations and sums are fp32 either way.
    """
    graph = Graph(tensors, int8)
    mask = graph.attention_bias()
    hidden = graph.embedded()
    for layer in range(LAYERS):
        hidden = graph.layer(f"encoder.layer.{layer}", hidden, mask)
    graph.pooled(hidden)
    return graph.model()


def quantized(
    weight: NDArray[np.float32], axis: int
) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Return `weight` rounded to -127..127 and the scale of each slice along `axis`."""
    others = tuple(i for i in range(weight.ndim) if i != axis)
    peak = np.abs(weight).max(axis=others)
    scale = (np.where(peak > 0, peak, 1) / 127).astype(np.float32)
    levels = np.rint(weight / np.expand_dims(scale, others))
    return np.clip(levels, -127, 127).astype(np.int8), scale


class Graph:
    """Nodes and constants in the order in which they were added; names count upwards."""

    def __init__(self, tensors: Tensors, int8: bool) -> None:
        self.tensors = tensors
        self.int8 = int8
        self.nodes: list[onnx.NodeProto] = []
        self.constants: dict[str, onnx.TensorProto] = {}

    def add(self, op: str, *inputs: str, output: str | None = None, **attributes: Any) -> str:
        """Append one node and return the name of its output."""
        output = output or f"{op.lower()}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(op, inputs, [output], name=output, **attributes))
        return output

    def constant(self, name: str, value: NDArray[np.generic]) -> str:
        """Store `value` once under `name` and return the name."""
        if name not in self.constants:
            self.constants[name] = numpy_helper.from_array(np.ascontiguousarray(value), name)
        return name

    def integers(self, *values: int) -> str:
        """Store a list of integers (axes, shapes) and return its name."""
        return self.constant("ints_" + "_".join(map(str, values)), np.array(values, np.int64))

    def number(self, name: str, value: float) -> str:
        """Store one float and return its name."""
        return self.constant(name, np.array(value, np.float32))

    def attention_bias(self) -> str:
        """Shape (batch, 1, 1, tokens): 0 for a token, `MASKED` for padding."""
        mask = self.add("Cast", "attention_mask", output="mask", to=TensorProto.FLOAT)
        padding = self.add("Sub", self.number("one", 1.0), mask)
        bias = self.add("Mul", padding, self.number("masked", MASKED))
        return self.add("Unsqueeze", bias, self.integers(1, 2))

    def embedded(self) -> str:
        """Token, position and segment embeddings, summed and normalized."""
        segment = self.tensors["embeddings.token_type_embeddings.weight"][0]
        positions = self.tensors["embeddings.position_embeddings.weight"] + segment
        shape = self.add("Shape", "input_ids", start=1, end=2)
        table = self.constant("positions", positions)
        position = self.add("Slice", table, self.integers(0), shape, self.integers(0))
        return self.normalized("embeddings.LayerNorm", self.add("Add", self.tokens(), position))

    def tokens(self) -> str:
        """Rows of the token table; in int8 only the rows that are looked up become floats."""
        table = self.tensors["embeddings.word_embeddings.weight"]
        if not self.int8:
            return self.add("Gather", self.constant("tokens", table), "input_ids")
        levels, scale = quantized(table, axis=0)
        rows = self.add("Gather", self.constant("tokens", levels), "input_ids")
        scales = self.add("Gather", self.constant("tokens.scale", scale[:, None]), "input_ids")
        return self.add("Mul", self.add("Cast", rows, to=TensorProto.FLOAT), scales)

    def layer(self, name: str, hidden: str, mask: str) -> str:
        """One transformer block: attention, then the feed-forward network, each with a residual."""
        attended = self.dense(
            [f"{name}.attention.output.dense"], self.attention(name, hidden, mask)
        )
        hidden = self.normalized(
            f"{name}.attention.output.LayerNorm", self.add("Add", attended, hidden)
        )
        inner = self.add("Gelu", self.dense([f"{name}.intermediate.dense"], hidden))
        outer = self.dense([f"{name}.output.dense"], inner)
        return self.normalized(f"{name}.output.LayerNorm", self.add("Add", outer, hidden))

    def attention(self, name: str, hidden: str, mask: str) -> str:
        """Scaled dot-product attention over `HEADS` heads; query, key, value in one product."""
        parts = [f"{name}.attention.self.{part}" for part in ("query", "key", "value")]
        joined = self.dense(parts, hidden)
        heads = self.add("Reshape", joined, self.integers(0, 0, 3 * HEADS, WIDTH // HEADS))
        heads = self.add("Transpose", heads, perm=[0, 2, 1, 3])
        query, key, value = (
            self.add("Slice", heads, *map(self.integers, (i * HEADS, (i + 1) * HEADS, 1)))
            for i in range(3)
        )
        query = self.add("Mul", query, self.number("head_scale", (WIDTH // HEADS) ** -0.5))
        scores = self.add("MatMul", query, self.add("Transpose", key, perm=[0, 1, 3, 2]))
        weights = self.add("Softmax", self.add("Add", scores, mask), axis=-1)
        mixed = self.add("Transpose", self.add("MatMul", weights, value), perm=[0, 2, 1, 3])
        return self.add("Reshape", mixed, self.integers(0, 0, WIDTH))

    def dense(self, names: list[str], hidden: str) -> str:
        """Linear layers that share their input, as one product plus one bias."""
        weight = np.concatenate([self.tensors[f"{name}.weight"] for name in names]).T
        bias = np.concatenate([self.tensors[f"{name}.bias"] for name in names])
        product = self.add("MatMul", hidden, self.matrix("+".join(names), weight))
        return self.add("Add", product, self.constant("+".join(names) + ".bias", bias))

    def matrix(self, name: str, weight: NDArray[np.float32]) -> str:
        """A constant matrix (inputs, outputs), stored as integers with one scale per output.

        Cast and Mul, not DequantizeLinear: onnxruntime folds the former into a float matrix
        when it loads the model, but rewrites the latter into MatMulNBits, which rounds the
        activations to 8 bits as well (measured: error up by half, two thirds of the speed).
        """
        if not self.int8:
            return self.constant(name, weight)
        levels, scale = quantized(weight, axis=1)
        stored = self.add("Cast", self.constant(name, levels), to=TensorProto.FLOAT)
        return self.add("Mul", stored, self.constant(f"{name}.scale", scale))

    def normalized(self, name: str, hidden: str) -> str:
        """Layer normalization with the checkpoint's weights."""
        weight = self.constant(f"{name}.weight", self.tensors[f"{name}.weight"])
        bias = self.constant(f"{name}.bias", self.tensors[f"{name}.bias"])
        return self.add(
            "LayerNormalization", hidden, weight, bias, axis=-1, epsilon=LAYER_NORM_EPSILON
        )

    def pooled(self, hidden: str) -> None:
        """Mean over the real tokens, scaled to length 1; all padding gives the zero vector."""
        mask = self.add("Unsqueeze", "mask", self.integers(2))
        summed = self.add("ReduceSum", self.add("Mul", hidden, mask), self.integers(1), keepdims=0)
        count = self.add("ReduceSum", mask, self.integers(1), keepdims=0)
        mean = self.add("Div", summed, self.add("Max", count, self.number("some", 1e-9)))
        length = self.add("ReduceL2", mean, self.integers(1))
        length = self.add("Max", length, self.number("tiny", 1e-12))
        self.add("Div", mean, length, output="embedding")

    def model(self) -> onnx.ModelProto:
        """The finished and checked model."""
        shape = ["texts", "tokens"]
        ids, mask = (
            helper.make_tensor_value_info(name, TensorProto.INT64, shape)
            for name in ("input_ids", "attention_mask")
        )
        out = helper.make_tensor_value_info("embedding", TensorProto.FLOAT, ["texts", WIDTH])
        constants = list(self.constants.values())
        graph = helper.make_graph(self.nodes, "all-MiniLM-L6-v2", [ids, mask], [out], constants)
        opset = helper.make_opsetid("", 20)
        made = helper.make_model(graph, opset_imports=[opset], ir_version=9)
        onnx.checker.check_model(made, full_check=True)
        return made
