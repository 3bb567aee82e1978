"""A trained pair classifier as one ONNX graph with 8-bit weights: two texts in, logits out."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper

sys.path.append(str(Path(__file__).parents[1] / "embedder"))
import graph

FAR_BELOW = 1e4


def build(state: Mapping[str, NDArray[np.float32]], name: str, *, int8: bool) -> onnx.ModelProto:
    """The graph over the tensors that `network.PairClassifier` saves."""
    tensors = {key.removeprefix("bert."): value for key, value in state.items()}
    made = PairGraph(tensors, int8)
    mask = made.attention_bias()
    hidden = made.embedded()
    for layer in range(graph.LAYERS):
        hidden = made.layer(f"encoder.layer.{layer}", hidden, mask)
    made.classified(hidden)
    return made.finished(name)


class PairGraph(graph.Graph):
    """The encoder's graph with both segments, and the head of `network.PairClassifier`."""

    def embedded(self) -> str:
        """Token, position and segment embeddings, summed and normalized."""
        segments = self.tensors["embeddings.token_type_embeddings.weight"]
        positions = self.tensors["embeddings.position_embeddings.weight"]
        shape = self.add("Shape", "input_ids", start=1, end=2)
        table = self.constant("positions", positions)
        position = self.add("Slice", table, self.integers(0), shape, self.integers(0))
        segment = self.add("Gather", self.constant("segments", segments), "token_type_ids")
        summed = self.add("Add", self.add("Add", self.tokens(), position), segment)
        return self.normalized("embeddings.LayerNorm", summed)

    def classified(self, hidden: str) -> None:
        """First token, mean and maximum over the second text, then one linear layer."""
        types = self.add("Cast", "token_type_ids", to=TensorProto.FLOAT)
        second = self.add("Unsqueeze", self.add("Mul", types, "mask"), self.integers(2))
        own = self.add("Mul", hidden, second)
        summed = self.add("ReduceSum", own, self.integers(1), keepdims=0)
        count = self.add("ReduceSum", second, self.integers(1), keepdims=0)
        mean = self.add("Div", summed, self.add("Max", count, self.number("one", 1.0)))
        outside = self.add("Sub", self.number("one", 1.0), second)
        away = self.add("Mul", outside, self.number("far_below", FAR_BELOW))
        lowered = self.add("Sub", hidden, away)
        highest = self.add("ReduceMax", lowered, self.integers(1), keepdims=0)
        opening = self.add("Gather", hidden, self.integers(0), axis=1)
        first = self.add("Squeeze", opening, self.integers(1))
        joined = self.add("Concat", first, mean, highest, axis=1)
        weight = self.constant("head.weight", self.tensors["head.weight"].T)
        bias = self.constant("head.bias", self.tensors["head.bias"])
        self.add("Add", self.add("MatMul", joined, weight), bias, output="logits")

    def finished(self, name: str) -> onnx.ModelProto:
        """The finished and checked model."""
        inputs = [
            helper.make_tensor_value_info(field, TensorProto.INT64, ["pairs", "tokens"])
            for field in ("input_ids", "attention_mask", "token_type_ids")
        ]
        classes = len(self.tensors["head.bias"])
        out = helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["pairs", classes])
        constants = list(self.constants.values())
        body = helper.make_graph(self.nodes, name, inputs, [out], constants)
        opset = helper.make_opsetid("", 20)
        made = helper.make_model(body, opset_imports=[opset], ir_version=9)
        onnx.checker.check_model(made, full_check=True)
        return made
