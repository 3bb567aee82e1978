"""The network: MiniLM reads both texts at once; a linear layer reads what it made of them."""

from __future__ import annotations

from pathlib import Path

import torch
from safetensors.torch import load
from torch import nn
from transformers import BertConfig, BertModel


class PairClassifier(nn.Module):
    """Logits from the first token, and from mean and maximum over the second text.

    The maximum lets one word without support in the evidence decide, however long the claim is.
    """

    def __init__(self, classes: int) -> None:
        super().__init__()
        config = BertConfig(
            hidden_size=384,
            num_hidden_layers=6,
            num_attention_heads=12,
            intermediate_size=1536,
            attn_implementation="sdpa",
        )
        self.bert = BertModel(config, add_pooling_layer=False)
        self.drop = nn.Dropout(0.1)
        self.head = nn.Linear(3 * 384, classes)
        for parameter in self.bert.embeddings.parameters():
            parameter.requires_grad = False

    def forward(self, ids: torch.Tensor, mask: torch.Tensor, types: torch.Tensor) -> torch.Tensor:
        hidden = self.bert(ids, attention_mask=mask, token_type_ids=types).last_hidden_state
        second = (types * mask).unsqueeze(-1).to(hidden.dtype)
        mean = (hidden * second).sum(1) / second.sum(1).clamp(min=1)
        highest = (hidden - 1e4 * (1 - second)).max(1).values
        logits: torch.Tensor = self.head(self.drop(torch.cat([hidden[:, 0], mean, highest], 1)))
        return logits


def start(classes: int, weights: bytes) -> PairClassifier:
    """The classifier over the official weights of all-MiniLM-L6-v2."""
    made = PairClassifier(classes)
    made.bert.load_state_dict(load(weights), strict=False)
    return made


def resume(made: PairClassifier, path: Path) -> PairClassifier:
    """Take the encoder from another trained classifier."""
    state = {k: v for k, v in load(path.read_bytes()).items() if k.startswith("bert.")}
    made.load_state_dict(state, strict=False)
    return made
