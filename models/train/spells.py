"""What each net learns from and for how long: the spells behind the weights of this repository."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch
from torch import nn

from models.train.fit_detector import fit_detector
from models.train.fit_middle import fit_middle
from models.train.fit_reader import fit_reader
from models.train.nets import Detector, Middle, Reader, Witness

NETS: dict[str, type[nn.Module]] = {
    "detector": Detector,
    "reader": Reader,
    "witness": Witness,
    "middle": Middle,
}
KINDS = ("scenes", "corners", "middles")
"""Of shards."""


@dataclass(frozen=True, slots=True)
class Spell:
    """One spell of the training of one net."""

    net: str
    """One of NETS."""
    shards: Mapping[str, int]
    """How many of each of KINDS it learns from: whole tables, single corners, whole cards."""
    steps: int
    """Batches."""
    seed: int
    learning: float = 3e-3
    """Highest learning rate."""
    number: int = 1
    """The first one begins with random weights, the second one goes on from there."""

    def scaled(self, scale: float) -> Spell:
        """A smaller one of the same kind."""
        return replace(
            self,
            shards={kind: max(1, round(n * scale)) for kind, n in self.shards.items()},
            steps=max(1, round(self.steps * scale)),
        )


TABLES, FIRST, ALL = {"scenes": 36}, {"scenes": 36, "corners": 64}, {"scenes": 36, "corners": 128}

SPELLS = (
    Spell("reader", FIRST, 6500, seed=1),
    Spell("witness", FIRST, 6500, seed=2),
    Spell("detector", TABLES, 6500, seed=3),
    Spell("middle", {"middles": 24}, 2600, seed=6),
    Spell("reader", ALL, 3500, seed=4, learning=1.5e-3, number=2),
    Spell("witness", ALL, 3500, seed=5, learning=1.5e-3, number=2),
    Spell("middle", {"middles": 36}, 1100, seed=7, learning=1.5e-3, number=2),
)
"""The second spells begin when the first ones are done.

Reader and witness share nothing but the samples: other first weights, other batches, and the
witness sees no colour.
"""


def weights_path(out: Path, net: str, number: int) -> Path:
    """Where the weights of a net are after its spell of this number."""
    return out / f"{net}-{number}.pt"


def train_net(out: Path, spell: Spell) -> None:
    """Train one net, if that was not done before, and keep its weights."""
    torch.set_num_threads(1)
    path = weights_path(out, spell.net, spell.number)
    if path.exists():
        return
    shards = [
        shard_path(out, kind, number)
        for kind in KINDS
        for number in range(spell.shards.get(kind, 0))
    ]
    torch.manual_seed(spell.seed)
    net: nn.Module
    if spell.net == "detector":
        net = fit_detector(shards, spell.steps, seed=spell.seed, learning=spell.learning)
    elif spell.net == "middle":
        net = fit_middle(shards, spell.steps, net=_begun(out, spell), learning=spell.learning)
    else:
        net = fit_reader(shards, spell.steps, net=_begun(out, spell), learning=spell.learning)
    partial = path.with_suffix(".part")
    torch.save(net.state_dict(), partial)
    partial.rename(path)


def _begun(out: Path, spell: Spell) -> Any:
    """What a spell begins with: a net of the spell's kind."""
    net = NETS[spell.net]()
    if spell.number > 1:
        net.load_state_dict(torch.load(weights_path(out, spell.net, spell.number - 1)))
    return net


def trained(out: Path, net: str, number: int) -> nn.Module:
    """A net after its spell of this number."""
    finished = NETS[net]()
    finished.load_state_dict(torch.load(weights_path(out, net, number)))
    return finished


def shard_path(out: Path, kind: str, number: int) -> Path:
    """Where a shard of samples is."""
    return out / kind / f"{number:04d}.npz"
