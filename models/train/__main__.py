"""`python -m models.train --out FOLDER`: makes the nets from nothing, the same every time.

Fetches art, draws shards of samples, trains the nets in rounds side by side, writes ONNX files.
Work already done in the folder is not done again, so an interrupted run goes on.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from models.train import fetch
from models.train.rounds import KINDS, ROUNDS, finished, fit_copy, join_copies
from referee.rules.errors import RefereeError


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
    from models.train.export import export_nets

    rounds = [each.scaled(scale) for each in ROUNDS]
    with ProcessPoolExecutor(max_workers=workers) as pool:
        for kind in ("scenes", "corners"):
            (out / kind).mkdir(parents=True, exist_ok=True)
            count = max(getattr(each, kind) for each in rounds)
            list(pool.map(_draw, [kind] * count, range(count), [out] * count, [art] * count))
        for number, each in enumerate(rounds):
            jobs = [
                pool.submit(fit_copy, out, kind, number, copy, each)
                for kind in KINDS
                for copy in range(each.copies(kind))
            ]
            for job in jobs:
                job.result()
            for kind in KINDS:
                join_copies(out, kind, number, each)
    export_nets({kind: finished(out, kind, len(rounds)) for kind in KINDS}, out)
    print(f"nets written to {out}: copy its *.onnx to models/weights")


def _draw(kind: str, number: int, out: Path, art: Path) -> None:
    """Draw one shard."""
    from models.train.corners import draw_corners
    from models.train.samples import draw_shard

    path = out / kind / f"{number:04d}.npz"
    if not path.exists():
        draw = draw_shard if kind == "scenes" else draw_corners
        draw(number, art).save(path)
        print(f"{kind} {number}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
