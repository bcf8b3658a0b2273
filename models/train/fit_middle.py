"""Trains the net that looks at the middles of cards."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional

from models.middle import MIDDLES, NO_CARD, SEEN_PART
from models.train.fit_reader import relit
from models.train.fitting import fit
from models.train.nets import Middle

NONE_SHARE = 0.2
"""Of a batch: places that are no whole card."""


def fit_middle(
    shards: Sequence[Path], steps: int, *, net: Middle, learning: float = 3e-3
) -> Middle:
    """Train for so many batches, every kind of middle as often as any other."""
    samples = [np.load(path) for path in shards]
    crops = torch.from_numpy(np.concatenate([sample["crops"] for sample in samples]))
    labels = torch.from_numpy(np.concatenate([sample["labels"] for sample in samples]))
    return fit(
        net,
        crops,
        labels,
        _chances(labels),
        prepared=_prepared,
        loss=_loss,
        steps=steps,
        learning=learning,
    )


def _chances(labels: torch.Tensor) -> torch.Tensor:
    share = torch.full((len(MIDDLES),), (1 - NONE_SHARE) / (len(MIDDLES) - 1))
    share[NO_CARD] = NONE_SHARE
    return (share / torch.bincount(labels, minlength=len(MIDDLES)).clamp(min=1))[labels]


def _prepared(crops: torch.Tensor) -> torch.Tensor:
    """Crops in another light, as models.middle gives them; any card may lie the other way round."""
    x = relit(crops).clamp(0, 255)
    turned = torch.rand(len(x)) < 0.5
    x[turned] = x[turned].flip(2, 3)
    mask = torch.from_numpy(SEEN_PART)
    area = mask.sum()
    x = (x - (x * mask).sum((2, 3), keepdim=True) / area) * mask
    return x / (((x[:, :1] ** 2).sum((2, 3), keepdim=True) / area).sqrt() + 4)


def _loss(scores: torch.Tensor, labels: torch.Tensor) -> tuple[torch.Tensor, list[float]]:
    loss = functional.cross_entropy(scores, labels)
    return loss, [loss.item(), (scores.argmax(1) == labels).float().mean().item()]
