"""The training loop: batches of equal length, AdamW, a rate that falls to nothing."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator

import numpy as np
import torch
from examples import Example
from network import PairClassifier
from tokenizers import Tokenizer

TOKENS = 2560
"""Tokens of a batch, padding included."""

Encoded = tuple[list[int], list[int]]


def encode(tokenizer: Tokenizer, rows: list[Example]) -> list[Encoded]:
    pairs = tokenizer.encode_batch([(row.first, row.second) for row in rows])
    return [(pair.ids, pair.type_ids) for pair in pairs]


def batches(encoded: list[Encoded], order: list[int], chance: random.Random) -> list[list[int]]:
    """Rows of like length together; which batch comes when is left to chance."""
    jitter = {n: len(encoded[n][0]) * (1 + 0.1 * chance.random()) for n in set(order)}
    made: list[list[int]] = [[]]
    for n in sorted(order, key=lambda n: jitter[n]):
        longest = max(len(encoded[m][0]) for m in [*made[-1][-1:], n])
        if (len(made[-1]) + 1) * longest > TOKENS:
            made.append([])
        made[-1].append(n)
    chance.shuffle(made)
    return made


def tensors(encoded: list[Encoded], device: str) -> tuple[torch.Tensor, ...]:
    longest = max(len(ids) for ids, _ in encoded)
    shape = (3, len(encoded), longest)
    filled = np.zeros(shape, dtype=np.int64)
    for n, (ids, types) in enumerate(encoded):
        filled[0, n, : len(ids)], filled[1, n, : len(ids)] = ids, 1
        filled[2, n, : len(ids)] = types
    return tuple(torch.from_numpy(part).to(device) for part in filled)


def loss(logits: torch.Tensor, rows: list[Example]) -> torch.Tensor:
    """Minus the log of the probability that the answer is among the possible classes."""
    possible = torch.full(logits.shape, -1e9, device=logits.device)
    for n, row in enumerate(rows):
        possible[n, list(row.classes)] = 0.0
    return -torch.logsumexp(torch.log_softmax(logits, 1) + possible, 1).mean()


def train(
    model: PairClassifier,
    tokenizer: Tokenizer,
    rows: list[Example],
    *,
    rate: float,
    device: str,
    minutes: float,
    seed: int = 1,
) -> Iterator[str]:
    """Train in place; yields a line about every tenth of the way. Stops on time, rate at zero."""
    chance = random.Random(seed)
    torch.manual_seed(seed)
    model.to(device).train()
    seen = [row for row in rows if not row.held_out]
    encoded = encode(tokenizer, seen)
    order = [n for n, row in enumerate(seen) for _ in range(row.repeat)]
    plan = batches(encoded, order, chance)
    learned = [p for p in model.parameters() if p.requires_grad]
    optimizer = torch.optim.AdamW(learned, lr=rate, weight_decay=0.01)
    began, total, recent = time.monotonic(), len(plan), []
    for step, batch in enumerate(plan):
        spent = (time.monotonic() - began) / (60 * minutes)
        progress = max(step / total, spent)
        if progress >= 1:
            yield f"out of time after {step} of {total} batches"
            return
        for group in optimizer.param_groups:
            group["lr"] = rate * min(1.0, step / 60) * (1 - progress)
        chosen = [seen[n] for n in batch]
        value = loss(model(*tensors([encoded[n] for n in batch], device)), chosen)
        value.backward()
        torch.nn.utils.clip_grad_norm_(learned, 1.0)
        optimizer.step()
        optimizer.zero_grad()
        recent.append(value.item())
        if step % max(1, total // 20) == 0:
            spent_minutes = (time.monotonic() - began) / 60
            yield f"{step}/{total} loss {np.mean(recent[-50:]):.3f} {spent_minutes:.1f} min"


def predict(model: PairClassifier, tokenizer: Tokenizer, rows: list[Example]) -> np.ndarray:
    """Logits of every row, in order."""
    model.eval()
    device = next(model.parameters()).device.type
    encoded = encode(tokenizer, rows)
    found = np.zeros((len(rows), model.head.out_features), dtype=np.float32)
    with torch.no_grad():
        for batch in batches(encoded, list(range(len(rows))), random.Random(0)):
            part = model(*tensors([encoded[n] for n in batch], device))
            found[batch] = part.cpu().numpy()
    return found
