"""Trains the reader."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional

from models.decks import GLYPHS, NONE
from models.train.nets import Reader

BATCH = 128
NONE_SHARE = 0.14
"""Of a batch: places that are no index."""


def fit_reader(
    shards: Sequence[Path], steps: int, *, start: Path | None, seed: int, learning: float = 3e-3
) -> Reader:
    """Train for so many batches; glyphs are drawn so that no rank is seen more than another."""
    torch.manual_seed(seed)
    net = Reader()
    if start:
        net.load_state_dict(torch.load(start))
    net.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    crops = torch.from_numpy(np.concatenate([np.load(path)["crops"] for path in shards]))
    labels = torch.from_numpy(np.concatenate([np.load(path)["labels"] for path in shards]))
    chance = _chances(labels[:, 0])
    optimizer = torch.optim.AdamW(net.parameters(), learning, weight_decay=1e-3)
    began, kept = time.monotonic(), []
    for step in range(steps):
        for group in optimizer.param_groups:
            group["lr"] = learning * min(1.0, (step + 1) / 200) * (1 - step / steps) + 2e-5
        chosen = torch.multinomial(chance, BATCH, replacement=True)
        inputs = prepared(crops[chosen]).contiguous(memory_format=torch.channels_last)
        scores = net(inputs)[:, : len(GLYPHS) + 5]
        glyph, suit = labels[chosen].unbind(1)
        loss = functional.cross_entropy(scores[:, : len(GLYPHS)], glyph, label_smoothing=0.02)
        named = functional.cross_entropy(scores[:, len(GLYPHS) :], suit, label_smoothing=0.02)
        optimizer.zero_grad()
        torch.autograd.backward(loss + 0.4 * named)
        optimizer.step()
        right = [
            (scores[:, : len(GLYPHS)].argmax(1) == glyph).float().mean().item(),
            (scores[:, len(GLYPHS) :].argmax(1) == suit).float().mean().item(),
        ]
        kept.append([loss.item(), *right])
        if (step + 1) % 250 == 0:
            mean = np.mean(kept[-250:], 0).round(3).tolist()
            print(f"reader {step + 1}/{steps} {time.monotonic() - began:.0f} s {mean}", flush=True)
    net.eval()
    return net


def _chances(glyphs: torch.Tensor) -> torch.Tensor:
    """How likely each sample is drawn: rare letters more often than they occur, but not evenly."""
    count = torch.bincount(glyphs, minlength=len(GLYPHS)).float().clamp(min=1)
    weight = count.rsqrt()
    share = weight * count
    share[NONE] = 0
    scale = NONE_SHARE / (1 - NONE_SHARE) * share.sum()
    weight[NONE] = scale / count[NONE]
    return weight[glyphs]


def prepared(crops: torch.Tensor) -> torch.Tensor:
    """Crops with another light, tint, blur, noise and cover, as models.recognise gives them."""
    x = crops.permute(0, 3, 1, 2).float()
    n = len(x)
    gain = torch.rand(n, 1, 1, 1) * 0.6 + 0.7
    x[:, :1] = x[:, :1] * gain + torch.randn(n, 1, 1, 1) * 15
    x[:, 1:] = (x[:, 1:] - 128) * gain * (torch.rand(n, 1, 1, 1) * 0.7 + 0.6) + 128
    soft = torch.rand(n) < 0.15
    if soft.any():
        padded = functional.pad(x[soft], (1, 1, 1, 1), mode="replicate")
        x[soft] = functional.avg_pool2d(padded, 3, 1)
    x[:, :1] += torch.randn(n, 1, *x.shape[2:]) * torch.rand(n, 1, 1, 1) * 8
    for i in (torch.rand(n) < 0.1).nonzero()[:, 0].tolist():
        x[i, 0, 46:] = float(torch.randint(0, 255, (1,)))
        x[i, 1:, 46:] = 128
    x = x.clamp(0, 255)
    x = x - x.mean((2, 3), keepdim=True)
    return x / (x[:, :1].std((2, 3), keepdim=True, unbiased=False) + 4)
