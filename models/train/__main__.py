"""`python -m models.train --out FOLDER`: makes the nets from nothing, the same every time.

Fetches art, draws shards of samples, trains both nets in rounds side by side, writes ONNX files.
Work already done in the folder is not done again, so an interrupted run goes on.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import torch

from models.train import fetch
from models.train.export import export_nets
from models.train.fit_detector import fit_detector
from models.train.fit_reader import fit_reader
from models.train.nets import Detector, Reader
from models.train.samples import draw_shard
from referee.rules.errors import RefereeError


@dataclass(frozen=True, slots=True)
class Round:
    """One spell of training; the next one starts from its weights with more samples."""

    shards: int
    detector_steps: int
    reader_steps: int
    learning: float
    seed: int


ROUNDS = (
    Round(16, 2400, 1700, 3e-3, 16),
    Round(44, 1800, 1800, 2e-3, 44),
    Round(44, 3000, 3000, 2e-3, 45),
    Round(44, 0, 1500, 2e-3, 45),
)
"""The rounds behind the weights in this repository."""


def main(words: Sequence[str] | None = None) -> int:
    """Run the command."""
    options = _options(words)
    try:
        if not options.skip_fetch:
            fetch.fetch(options.art)
        train(options.out, options.art, options.workers, options.scale)
    except RefereeError as error:
        print(f"models.train: {error}", file=sys.stderr)
        return 2
    return 0


def _options(words: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m models.train", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="folder for samples and nets")
    parser.add_argument("--art", type=Path, default=fetch.DEFAULT_ART, help="folder for art")
    parser.add_argument("--workers", type=int, default=2, help="processes")
    parser.add_argument("--scale", type=float, default=1.0, help="share of samples and steps")
    parser.add_argument("--skip-fetch", action="store_true", help="the art is already there")
    return parser.parse_args(words)


def train(out: Path, art: Path, workers: int, scale: float) -> None:
    """Draw, train, export."""
    (out / "shards").mkdir(parents=True, exist_ok=True)
    rounds = [_scaled(each, scale) for each in ROUNDS]
    numbers = range(max(each.shards for each in rounds))
    with ProcessPoolExecutor(max_workers=workers) as pool:
        list(pool.map(_draw, numbers, [out] * len(numbers), [art] * len(numbers)))
        for number, each in enumerate(rounds):
            jobs = [pool.submit(_fit, kind, number, each, out) for kind in ("detector", "reader")]
            for job in jobs:
                job.result()
    detector, reader = Detector(), Reader()
    last = len(rounds) - 1
    detector.load_state_dict(torch.load(_weights(out, "detector", last)))
    reader.load_state_dict(torch.load(_weights(out, "reader", last)))
    export_nets(detector, reader, out)
    print(f"nets written to {out}: copy detector.onnx and reader.onnx to models/weights")


def _scaled(each: Round, scale: float) -> Round:
    return Round(
        max(1, round(each.shards * scale)),
        round(each.detector_steps * scale),
        round(each.reader_steps * scale),
        each.learning,
        each.seed,
    )


def _shard(out: Path, number: int) -> Path:
    return out / "shards" / f"{number:04d}.npz"


def _weights(out: Path, kind: str, number: int) -> Path:
    return out / f"{kind}-{number}.pt"


def _draw(number: int, out: Path, art: Path) -> None:
    path = _shard(out, number)
    if not path.exists():
        draw_shard(number, art).save(path)
        print(f"shard {number}", flush=True)


def _fit(kind: str, number: int, each: Round, out: Path) -> None:
    """Train one net for one round."""
    torch.set_num_threads(1)
    path = _weights(out, kind, number)
    if path.exists():
        return
    start = _weights(out, kind, number - 1) if number else None
    steps = each.detector_steps if kind == "detector" else each.reader_steps
    if steps == 0 and start is not None:
        shutil.copyfile(start, path)
        return
    shards = [_shard(out, shard) for shard in range(each.shards)]
    fit = fit_detector if kind == "detector" else fit_reader
    net = fit(shards, steps, start=start, seed=each.seed, learning=each.learning)
    torch.save(net.state_dict(), path)


if __name__ == "__main__":
    sys.exit(main())
