"""The training loop of the nets that read crops."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import numpy as np
import torch
from torch import nn

BATCH = 256
WARM_UP = 100
"""Steps in which the learning rate rises."""
MEMORY = 0.999
"""The net that is kept is the running mean of the weights: so much of it stays at each step."""
FAST_HALVES = ("amx_bf16", "avx512_bf16")
"""Marks of processors that multiply bfloat16 in hardware; training takes half the time there."""

AnyNet = TypeVar("AnyNet", bound=nn.Module)
Loss = Callable[[torch.Tensor, torch.Tensor], tuple[torch.Tensor, list[float]]]
Prepared = Callable[[torch.Tensor], torch.Tensor]


def fit(
    net: AnyNet,
    crops: torch.Tensor,
    labels: torch.Tensor,
    chance: torch.Tensor,
    *,
    prepared: Prepared,
    loss: Loss,
    steps: int,
    learning: float,
) -> AnyNet:
    """Train for so many batches.

    Args:
        crops: All samples, shape (n, height, width, planes), uint8.
        labels: What they show.
        chance: How likely each is drawn.
        prepared: Crops -> what the net sees, another light and noise every time.
        loss: Scores and labels -> what is made smaller, and figures to print.
        learning: The rate falls from there to 0 along half a cosine.
    """
    net.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    mean = torch.optim.swa_utils.AveragedModel(net, avg_fn=_remember, use_buffers=True)
    optimizer = torch.optim.AdamW(net.parameters(), learning, weight_decay=2e-3)
    half = has_fast_halves()
    began, kept = time.monotonic(), []
    for step in range(steps):
        for group in optimizer.param_groups:
            group["lr"] = _rate(step, steps, learning)
        chosen = torch.multinomial(chance, BATCH, replacement=True)
        inputs = prepared(crops[chosen]).contiguous(memory_format=torch.channels_last)
        with torch.autocast("cpu", torch.bfloat16, enabled=half):
            scores = net(inputs)
        missed, figures = loss(scores.float(), labels[chosen])
        optimizer.zero_grad()
        torch.autograd.backward(missed)
        optimizer.step()
        mean.update_parameters(net)
        kept.append(figures)
        if (step + 1) % 250 == 0:
            shown = np.mean(kept[-250:], 0).round(3).tolist()
            seconds = time.monotonic() - began
            print(f"{type(net).__name__} {step + 1}/{steps} {seconds:.0f} s {shown}", flush=True)
    net.load_state_dict(mean.module.state_dict())
    net.eval()
    return net


def _remember(mean: torch.Tensor, new: torch.Tensor, count: torch.Tensor | int) -> torch.Tensor:
    """A running mean that forgets its beginning fast and its end slowly."""
    keep = min(MEMORY, (1 + int(count)) / (10 + int(count)))
    return keep * mean + (1 - keep) * new


def _rate(step: int, steps: int, learning: float) -> float:
    fallen = learning * (1 + math.cos(math.pi * step / steps)) / 2
    return min(1.0, (step + 1) / WARM_UP) * fallen


def has_fast_halves() -> bool:
    """The processor multiplies bfloat16 matrices in hardware; elsewhere they are slower."""
    try:
        return any(flag in Path("/proc/cpuinfo").read_text() for flag in FAST_HALVES)
    except OSError:
        return False
