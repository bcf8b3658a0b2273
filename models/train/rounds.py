"""The rounds of training: what each net learns from, for how long, and in how many copies.

Copies of a net go on from the same weights, each with its own share of the samples; then the mean
of their weights is the net. It reads unseen typefaces better than any of them, and the copies can
be trained side by side.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass, replace
from pathlib import Path

import torch
from torch import nn

from models.train.fit_detector import fit_detector
from models.train.fit_reader import fit_reader
from models.train.nets import Detector, Reader, Witness

KINDS = ("detector", "reader", "witness")
NETS: dict[str, type[nn.Module]] = {"detector": Detector, "reader": Reader, "witness": Witness}


@dataclass(frozen=True, slots=True)
class Round:
    """One spell of training; the next one starts from its weights."""

    scenes: int
    """Shards of whole tables."""
    corners: int
    """Shards of single corners."""
    seed: int
    detector_steps: int = 0
    reader_steps: int = 0
    """Of each copy."""
    witness_steps: int = 0
    reader_copies: int = 1
    learning: float = 2e-3
    last_learning: float = 0.0

    def copies(self, kind: str) -> int:
        """How many copies of this net are trained."""
        return self.reader_copies if kind == "reader" else 1

    def steps(self, kind: str) -> int:
        """For how many batches."""
        steps: int = getattr(self, f"{kind}_steps")
        return steps

    def scaled(self, scale: float) -> Round:
        """A smaller round of the same kind."""
        return replace(
            self,
            scenes=max(1, round(self.scenes * scale)),
            corners=max(1, round(self.corners * scale)) if self.corners else 0,
            detector_steps=round(self.detector_steps * scale),
            reader_steps=round(self.reader_steps * scale),
            witness_steps=round(self.witness_steps * scale),
        )


ROUNDS = (
    Round(16, 0, 16, detector_steps=2400, reader_steps=850, learning=3e-3),
    Round(44, 0, 44, detector_steps=1800, reader_steps=900),
    Round(44, 0, 45, detector_steps=3000, reader_steps=1500),
    Round(44, 0, 46, reader_steps=750),
    Round(18, 4, 81, 0, 500, 0, 2, learning=1.5e-3, last_learning=1e-3),
    Round(18, 9, 83, 0, 700, 700, 2, learning=1.5e-3, last_learning=8e-4),
    Round(18, 9, 85, 0, 550, 550, 2, learning=1.2e-3),
)
"""The rounds behind the weights in this repository.

Of the first four the steps are as many as gave the same number of samples in batches of half the
size; models/README.md says what else was different.
"""


def finished(out: Path, kind: str, rounds: int) -> nn.Module:
    """The net after so many rounds."""
    net = NETS[kind]()
    net.load_state_dict(torch.load(_weights(out, kind, rounds - 1)))
    return net


def fit_copy(out: Path, kind: str, number: int, copy: int, each: Round) -> None:
    """Train one copy of one net for one round."""
    torch.set_num_threads(1)
    path = _weights(out, kind, number, copy)
    if path.exists():
        return
    start = _start(out, kind, number)
    steps = each.steps(kind)
    if steps == 0:
        if start is not None:
            shutil.copyfile(start, path)
        return
    shards = _shards(out, kind, copy, each)
    if kind == "detector":
        net: nn.Module = fit_detector(
            shards, steps, start=start, seed=each.seed, learning=each.learning
        )
    else:
        net = fit_reader(
            shards,
            steps,
            net=Witness() if kind == "witness" else Reader(),
            start=start,
            seed=each.seed + copy + (10 if kind == "witness" else 0),
            learning=each.learning,
            last_learning=each.last_learning,
        )
    torch.save(net.state_dict(), path)


def join_copies(out: Path, kind: str, number: int, each: Round) -> None:
    """The mean of the copies' weights is the net of this round."""
    target = _weights(out, kind, number)
    paths = [_weights(out, kind, number, copy) for copy in range(each.copies(kind))]
    if target.exists() or not paths[0].exists():
        return
    states = [torch.load(path) for path in paths]
    mean = {
        name: torch.stack([state[name].float() for state in states]).mean(0).to(value.dtype)
        for name, value in states[0].items()
    }
    torch.save(mean, target)


def _weights(out: Path, kind: str, number: int, copy: int | None = None) -> Path:
    ending = "" if copy is None else f"-{'abcdefgh'[copy]}"
    return out / f"{kind}-{number}{ending}.pt"


def _start(out: Path, kind: str, number: int) -> Path | None:
    """The weights to begin with: of the last round, or for a new witness the reader's."""
    if number == 0:
        return None
    path = _weights(out, kind, number - 1)
    if path.exists() or kind != "witness":
        return path
    colour_blind = torch.load(_weights(out, "reader", number - 1))
    first = next(iter(colour_blind))
    colour_blind[first] = colour_blind[first][:, :1]
    torch.save(colour_blind, path)
    return path


def _shards(out: Path, kind: str, copy: int, each: Round) -> list[Path]:
    """A copy's share of the samples; a detector learns from whole tables only."""
    scenes = [out / "scenes" / f"{shard:04d}.npz" for shard in range(each.scenes)]
    corners = [out / "corners" / f"{shard:04d}.npz" for shard in range(each.corners)]
    if kind == "detector":
        return scenes
    count = each.copies(kind)
    own = [*scenes[copy::count], *corners[copy::count]]
    return own or scenes
