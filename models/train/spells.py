"""What each net learns from and for how long: the spells behind the weights of this repository."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import torch
from torch import nn

from models.train.fit_detector import fit_detector
from models.train.fit_reader import fit_reader
from models.train.nets import Detector, Reader, Witness

NETS: dict[str, type[nn.Module]] = {"detector": Detector, "reader": Reader, "witness": Witness}


@dataclass(frozen=True, slots=True)
class Spell:
    """One spell of the training of one net."""

    net: str
    """One of NETS."""
    scenes: int
    """Shards of whole tables."""
    corners: int
    """Shards of single corners; a detector learns from whole tables only."""
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
            scenes=max(1, round(self.scenes * scale)),
            corners=max(1, round(self.corners * scale)) if self.corners else 0,
            steps=max(1, round(self.steps * scale)),
        )


SPELLS = (
    Spell("reader", 36, 64, 6500, seed=1),
    Spell("witness", 36, 64, 6500, seed=2),
    Spell("detector", 36, 0, 6500, seed=3),
    Spell("reader", 36, 128, 3500, seed=4, learning=1.5e-3, number=2),
    Spell("witness", 36, 128, 3500, seed=5, learning=1.5e-3, number=2),
)
"""The second spell of the two readers begins when the first ones are done.

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
    scenes = [shard_path(out, "scenes", number) for number in range(spell.scenes)]
    corners = [shard_path(out, "corners", number) for number in range(spell.corners)]
    if spell.net == "detector":
        net: nn.Module = fit_detector(scenes, spell.steps, seed=spell.seed, learning=spell.learning)
    else:
        torch.manual_seed(spell.seed)
        net = fit_reader(
            [*scenes, *corners],
            spell.steps,
            net=_begun(out, spell),
            learning=spell.learning,
        )
    partial = path.with_suffix(".part")
    torch.save(net.state_dict(), partial)
    partial.rename(path)


def _begun(out: Path, spell: Spell) -> Reader:
    """What a spell begins with."""
    net = Witness() if spell.net == "witness" else Reader()
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
