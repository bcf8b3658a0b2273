"""`python -m models.train --out FOLDER`: makes the nets from nothing, the same every time.

Fetches art, draws shards of samples, trains the nets side by side, writes ONNX files.
Work already done in the folder is not done again, so an interrupted run goes on.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from models.train import fetch
from models.train.spells import KINDS, SPELLS, shard_path, train_net, trained
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

    spells = [spell.scaled(scale) for spell in SPELLS]
    with ProcessPoolExecutor(max_workers=workers) as pool:
        for kind in KINDS:
            (out / kind).mkdir(parents=True, exist_ok=True)
            count = max(spell.shards.get(kind, 0) for spell in spells)
            list(pool.map(_draw, [kind] * count, range(count), [out] * count, [art] * count))
        for number in sorted({spell.number for spell in spells}):
            now = [spell for spell in spells if spell.number == number]
            for done in [pool.submit(train_net, out, spell) for spell in now]:
                done.result()
    export_nets({spell.net: trained(out, spell.net, spell.number) for spell in spells}, out)
    print(f"nets written to {out}: copy its *.onnx to models/weights")


def _draw(kind: str, number: int, out: Path, art: Path) -> None:
    """Draw one shard."""
    from models.train.corners import draw_corners
    from models.train.middles import MiddleShard, draw_middles
    from models.train.samples import Shard, draw_shard

    path = shard_path(out, kind, number)
    if not path.exists():
        draws: dict[str, Callable[[int, Path], Shard | MiddleShard]] = {
            "scenes": draw_shard,
            "corners": draw_corners,
            "middles": draw_middles,
        }
        draws[kind](number, art).save(path)
        print(f"{kind} {number}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
