"""Trains the detector."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from models.train.nets import Detector

BATCH = 16
WINDOW_PX = 192
CELL_PX = 8
CELLS = WINDOW_PX // CELL_PX
PEAK = 0.9
"""Sigma of a peak in cells."""
SURE, MAYBE = 0.75, 0.3
"""Share of an index that must be seen to count; between the two nothing is learned."""

_rows, _columns = np.mgrid[0:CELLS, 0:CELLS].astype(np.float32)
Maps = tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]


def fit_detector(
    shards: Sequence[Path], steps: int, *, seed: int, learning: float = 3e-3
) -> Detector:
    """Train for so many batches, with the samples of these shards."""
    torch.manual_seed(seed)
    net = Detector()
    net.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    pictures = np.concatenate([np.load(path)["pictures"] for path in shards])
    corners = np.concatenate([np.load(path)["corners"] for path in shards])
    optimizer = torch.optim.AdamW(net.parameters(), learning, weight_decay=1e-3)
    began, losses = time.monotonic(), []
    for step, (inputs, targets) in enumerate(_batches(pictures, corners, steps, seed)):
        for group in optimizer.param_groups:
            group["lr"] = learning * min(1.0, (step + 1) / 200) * (1 - step / steps) + 2e-5
        outputs = net(inputs.contiguous(memory_format=torch.channels_last))
        loss, parts = _loss(outputs, targets)
        optimizer.zero_grad()
        torch.autograd.backward(loss)
        torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimizer.step()
        losses.append(parts)
        if (step + 1) % 250 == 0:
            mean = np.mean(losses[-250:], 0).round(3).tolist()
            print(
                f"detector {step + 1}/{steps} {time.monotonic() - began:.0f} s {mean}", flush=True
            )
    net.eval()
    return net


def _batches(
    pictures: NDArray[np.uint8], corners: NDArray[np.float32], steps: int, seed: int
) -> Iterator[tuple[torch.Tensor, list[torch.Tensor]]]:
    dice = np.random.default_rng(seed)
    order = dice.permutation(len(pictures))
    at = 0
    for _ in range(steps):
        if at + BATCH > len(order):
            order, at = dice.permutation(len(pictures)), 0
        chosen = order[at : at + BATCH]
        at += BATCH
        samples = [_sample(pictures[i], corners[i], dice) for i in chosen]
        inputs = torch.from_numpy(np.stack([sample[0] for sample in samples]))
        targets = [
            torch.from_numpy(np.stack([sample[1][part] for sample in samples])) for part in range(4)
        ]
        yield inputs, targets


def _sample(
    picture: NDArray[np.uint8], corners: NDArray[np.float32], dice: np.random.Generator
) -> tuple[NDArray[np.float32], Maps]:
    """A turned and shifted window with another light."""
    turns = int(dice.integers(4))
    room = picture.shape[1] - WINDOW_PX + 1
    x0, y0 = (int(v) for v in dice.integers(room, size=2))
    turned = np.rot90(picture, turns, (1, 2))
    window = turned[:, y0 : y0 + WINDOW_PX, x0 : x0 + WINDOW_PX].astype(np.float32)
    gain, shift = dice.uniform(0.7, 1.25), dice.normal(0, 12)
    now = np.clip(window[0] * gain + shift, 0, 255)
    inputs = np.stack([now / 64 - 2, (window[0] - window[1]) * gain / 64]).astype(np.float32)
    side = picture.shape[1] - 1
    return inputs, _maps(_turned(corners, turns, side), x0, y0)


def _turned(corners: NDArray[np.float32], turns: int, side: int) -> NDArray[np.float32]:
    turned = corners.copy()
    for _ in range(turns):
        x = turned[:, 0].copy()
        turned[:, 0], turned[:, 1] = turned[:, 1], side - x
        turned[:, 2] -= math.pi / 2
    return turned


def _maps(corners: NDArray[np.float32], x0: int, y0: int) -> Maps:
    """Heat, ignored cells, values to regress, where to regress them."""
    heat = np.zeros((2, CELLS, CELLS), np.float32)
    ignored = np.zeros((2, CELLS, CELLS), np.float32)
    values = np.zeros((5, CELLS, CELLS), np.float32)
    where = np.zeros((CELLS, CELLS), np.float32)
    for x, y, down, height, seen, new in corners:
        cx, cy = (x - x0) / CELL_PX - 0.5, (y - y0) / CELL_PX - 0.5
        if not (-2 < cx < CELLS + 2 and -2 < cy < CELLS + 2):
            continue
        far = np.maximum(abs(_columns - cx), abs(_rows - cy))
        if seen > SURE:
            peak = np.exp(-((_columns - cx) ** 2 + (_rows - cy) ** 2) / (2 * PEAK**2))
            column, row = round(float(cx)), round(float(cy))
            for channel in (0, 1) if new else (0,):
                heat[channel] = np.maximum(heat[channel], peak)
                if 0 <= column < CELLS and 0 <= row < CELLS:
                    heat[channel, row, column] = 1
            near = far < 1.05
            truth = (math.cos(down), math.sin(down), 0.0, 0.0, math.log(height / 150))
            for channel, value in enumerate(truth):
                values[channel][near] = value
            values[2][near], values[3][near] = (cx - _columns)[near], (cy - _rows)[near]
            where[near] = 1
        elif seen > MAYBE:
            ignored[:, far < 2.5] = 1
    ignored[heat > 0.3] = 0
    return heat, ignored, values, where


def _loss(outputs: torch.Tensor, targets: list[torch.Tensor]) -> tuple[torch.Tensor, list[float]]:
    """Focal loss of the peaks, absolute error of what they carry."""
    heat, ignored, values, where = targets
    share = torch.sigmoid(outputs[:, :2]).clamp(1e-4, 1 - 1e-4)
    hit = (heat == 1).float()
    missed = hit * (1 - share) ** 2 * share.log()
    false = (1 - hit) * (1 - ignored) * (1 - heat) ** 4 * share**2 * (1 - share).log()
    focal = -(missed + false).sum() / hit.sum().clamp(min=1)
    chosen = where > 0
    got = outputs[:, 2:].permute(0, 2, 3, 1)[chosen]
    wanted = values.permute(0, 2, 3, 1)[chosen]
    error = functional.l1_loss(got, wanted) if len(got) else outputs.sum() * 0
    return focal + 2 * error, [focal.item(), error.item()]
