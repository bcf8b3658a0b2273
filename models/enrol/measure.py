"""What teaching a deck is worth: right, wrong and unread with and without a profile.

`python -m models.enrol.measure drawn` teaches decks that no training run has seen and reads landing
clips of them; `photographs` teaches the deck of the real photographs from some pictures and reads
the others. Nothing was chosen on photographs.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models.enrol.collect import Collected, judge
from models.enrol.look import Look, take_look
from models.enrol.own import OwnReader
from models.measure import photographs_folder
from models.pictures import load_picture
from models.reader import Reader
from models.scores import percent
from models.watch import PileWatcher
from referee.rules.cards import RANKS
from referee.rules.errors import RefereeError
from referee.rules.events import Flip

SIDES = {"net alone": 0, "with the profile": 1}


@dataclass(slots=True)
class Paired:
    """The same pictures read twice."""

    name: str
    counts: Counter[str] = field(default_factory=Counter)
    """Two letters each, right, wrong or unread: without the profile, then with it."""
    pictures: set[str] = field(default_factory=set)
    """Different ones: several splits read the same picture several times."""

    def add(self, picture: str, truth: str, alone: str | None, taught: str | None) -> None:
        """Count one picture."""
        self.pictures.add(picture)
        self.counts[_letter(truth, alone) + _letter(truth, taught)] += 1

    def rows(self) -> list[str]:
        """Rows of a Markdown table; intervals count each picture once."""
        total, n = sum(self.counts.values()), len(self.pictures)
        if not total:
            return []
        rows = []
        for side, at in SIDES.items():
            shares = [
                sum(count for pair, count in self.counts.items() if pair[at] == letter) / total
                for letter in "rwu"
            ]
            cells = [percent(round(share * n), n) for share in shares[:2]]
            cells += [f"{100 * shares[2]:.1f}"]
            rows.append(f"| {self.name}, {side} | {n} | {' | '.join(cells)} |")
        pairs = sorted(self.counts.items())
        moves = ", ".join(f"{pair[0]}>{pair[1]} {count}" for pair, count in pairs)
        return [*rows, f"| ({total} readings: {moves}) | | | | |"]


HEADER = (
    "| set | n | right % (95 % interval) | wrong % (95 % interval) | unread % |\n"
    "|---|---|---|---|---|"
)


def _letter(truth: str, said: str | None) -> str:
    return "u" if said is None else "r" if said == truth else "w"


# --- photographs ----------------------------------------------------------------------------------


def measure_split(folder: Path, splits: int, taught: int, seed: int) -> tuple[list[Paired], int]:
    """Teach the deck of `folder` from so many pictures a rank, read all others.

    Returns:
        Scores of single cards and of piles; how many enrolments were refused.
    """
    alone = Reader("en")
    with (folder / "labels.csv").open(newline="") as file:
        rows = [
            r for r in csv.DictReader(file) if r["kind"] in ("single", "pile") and r["top_rank"]
        ]
    known: dict[str, str | None] = {}
    scores = {kind: Paired(f"{folder.name} {kind}") for kind in ("single", "pile")}
    refused = 0
    for split in range(splits):
        dice = np.random.default_rng([seed, split])
        used, collected = _teach_split(alone, folder, rows, taught, dice)
        profile = collected.profile()
        trouble, _ = judge(profile, alone)
        refused += trouble is not None
        own = OwnReader(profile)
        for row in rows:
            if row["file"] in used:
                continue
            picture = load_picture(folder / row["file"])
            if row["file"] not in known:
                known[row["file"]] = _rank(alone, picture)
            pair = known[row["file"]], _rank(own, picture)
            scores[row["kind"]].add(row["file"], row["top_rank"], *pair)
    return list(scores.values()), refused


def _teach_split(
    reader: Reader,
    folder: Path,
    rows: Sequence[dict[str, str]],
    taught: int,
    dice: np.random.Generator,
) -> tuple[set[str], Collected]:
    """Pictures of single cards, drawn by lot; those that teach nothing are used up, too."""
    used: set[str] = set()
    collected = Collected("photographs", "en")
    singles = [row for row in rows if row["kind"] == "single"]
    counts: Counter[str] = Counter()
    for number in dice.permutation(len(singles)).tolist():
        row = singles[number]
        if counts[row["top_rank"]] >= taught:
            continue
        used.add(row["file"])
        look = take_look(reader, load_picture(folder / row["file"]))
        if isinstance(look, Look):
            collected.add(look, row["top_rank"])
            counts[row["top_rank"]] += 1
    return used, collected


def _rank(reader: Reader, picture: NDArray[np.uint8]) -> str | None:
    card = reader.read_picture(picture).card
    return card.rank if card else None


# --- drawn decks ----------------------------------------------------------------------------------


def measure_drawn(
    decks: Iterator[tuple[str, object]], clips: int, looks: int, seed: int
) -> Iterator[Paired]:
    """Teach each deck from single cards, read landing clips of it: usual and out of focus."""
    from dataclasses import replace

    from models.train.art import Deck
    from models.train.clips import ClipWish, draw_clip

    lone = ClipWish(cards=(1, 1), hand=0, finger=0, nudge=0, blur=(0.0, 1.2), noise=(1.5, 4))
    soft = replace(ClipWish(), blur=(2.0, 4.0), hand=0, finger=0)
    readers: dict[str, Reader] = {}
    for name, drawn in decks:
        deck: Deck = drawn  # type: ignore[assignment]
        alone = readers.setdefault(deck.language, Reader(deck.language))
        dice = np.random.default_rng([seed, len(name), looks])
        collected = Collected("drawn", deck.language)
        for rank in RANKS:
            taken = 0
            for _ in range(3 * looks):
                clip = draw_clip(deck, lone, dice, rank)
                look = take_look(alone, clip.frames[-1], clip.height_px)
                if isinstance(look, Look) and taken < looks:
                    collected.add(look, rank)
                    taken += 1
                if taken == looks:
                    break
        own = OwnReader(collected.profile())
        for kind, wish, count in (("usual", ClipWish(), clips), ("defocus", soft, clips // 4)):
            score = Paired(f"{kind}: {name}")
            for number in range(count):
                clip = draw_clip(deck, wish, dice, RANKS[number % len(RANKS)])
                said = [_flip(reader, clip.frames, clip.height_px) for reader in (alone, own)]
                score.add(f"{name} {kind} {number}", clip.card.rank, said[0], said[1])
            yield score


def _flip(
    reader: Reader,
    frames: Sequence[NDArray[np.uint8]],
    height_px: float,
) -> str | None:
    """The rank of the last flip that a watcher reports."""
    watcher = PileWatcher(reader, card_height_px=height_px)
    said = None
    for number, frame in enumerate(frames):
        for seen in watcher.see(frame, t_ns=number * 16_666_667, exposure_ns=4_000_000):
            if isinstance(seen, Flip) and seen.card.is_read:
                said = seen.card.rank
    return said


def unseen_decks(art: Path) -> Iterator[tuple[str, object]]:
    """Decks that no training run has seen, in all four languages."""
    from models.train.heldout import english_decks, german_decks, reset_decks

    for named in (*english_decks(art), *german_decks(art)):
        yield named.name, named.deck
    for language in ("fr", "nl"):
        for named in reset_decks(language, art, heights=(0.07, 0.12))[::3]:
            yield named.name, named.deck


def main(words: Sequence[str] | None = None) -> int:
    """Print the table."""
    parser = argparse.ArgumentParser("python -m models.enrol.measure", description=__doc__)
    parser.add_argument("what", choices=("drawn", "photographs"))
    parser.add_argument("--clips", type=int, default=26, help="clips of each drawn deck")
    parser.add_argument("--looks", type=int, default=2, help="at each card of a drawn deck")
    parser.add_argument("--splits", type=int, default=5, help="of the photographs, by lot")
    parser.add_argument("--taught", type=int, default=3, help="photographs of each rank")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(words)
    cv2.setNumThreads(1)
    print(HEADER)
    try:
        if options.what == "photographs":
            folder = photographs_folder()
            if folder is None:
                raise RefereeError("no photographs, expected them in $REFEREE_PICTURES")
            scores, refused = measure_split(
                folder / "edje-tf", options.splits, options.taught, options.seed
            )
            for score in scores:
                print("\n".join(score.rows()))
            print(f"{refused} of {options.splits} enrolments refused")
        else:
            _print_drawn(options)
    except RefereeError as error:
        print(f"models.enrol.measure: {error}", file=sys.stderr)
        return 2
    return 0


def _print_drawn(options: argparse.Namespace) -> None:
    from models.train import fetch

    total = {kind: Paired(f"all decks, {kind}") for kind in ("usual", "defocus")}
    decks = unseen_decks(fetch.DEFAULT_ART)
    for score in measure_drawn(decks, options.clips, options.looks, options.seed):
        print("\n".join(score.rows()), flush=True)
        kind = score.name.partition(":")[0]
        total[kind].counts += score.counts
        total[kind].pictures |= score.pictures
    for score in total.values():
        print("\n".join(score.rows()))


if __name__ == "__main__":
    sys.exit(main())
