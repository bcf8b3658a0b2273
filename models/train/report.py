"""`python -m models.train.report`: prints the tables of models/README.md.

Draws landing clips and stories with decks that no training run has seen; with --photographs it
reads the real photographs instead. The same seed gives the same clips.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np

from models.measure import (
    ClipScore,
    IndexScore,
    measure_clips,
    measure_indices,
    measure_photographs,
    photographs_folder,
)
from models.reader import Reader
from models.scores import HEADER, Score, calibration, confusion_table, percent
from models.train import fetch
from models.train.answers import answer_scores
from models.train.clips import Clip, ClipWish, draw_clip
from models.train.heldout import Named, english_decks, german_decks, own_decks, reset_decks
from referee.rules.cards import RANKS
from referee.rules.errors import RefereeError

USUAL = (0.07, 0.12)
"""Index heights of most decks, in card heights."""
BIG = (0.15, 0.2)
"""Index heights of big-index decks."""

Decks = Callable[[Path], list[Named]]


@dataclass(frozen=True, slots=True)
class Suite:
    """A group of clips."""

    language: str
    decks: Decks
    wish: ClipWish
    share: float
    """Of the number of clips asked for."""


SUITES = {
    "unseen English decks": Suite("en", english_decks, ClipWish(), 1.0),
    "big index": Suite("en", lambda art: reset_decks("en", art, heights=BIG), ClipWish(), 0.15),
    "German decks": Suite("de", german_decks, ClipWish(), 0.25),
    "French letters": Suite(
        "fr", lambda art: reset_decks("fr", art, heights=USUAL), ClipWish(), 0.15
    ),
    "Dutch letters": Suite(
        "nl", lambda art: reset_decks("nl", art, heights=USUAL), ClipWish(), 0.15
    ),
    "defocus sigma 2-4 px": Suite(
        "en", english_decks, replace(ClipWish(), blur=(2.0, 4.0), hand=0, finger=0), 0.15
    ),
    "never at rest, 4-12 px": Suite(
        "en", english_decks, replace(ClipWish(), shake_px=8.0, hand=0, finger=0), 0.15
    ),
}

OWN_SUITES = {
    "decks of the simulated table (not held out)": Suite(
        "en", lambda art: own_decks("en"), ClipWish(), 0.3
    ),
}
"""Need no art."""


@cache
def _reader(language: str) -> Reader:
    return Reader(language)


def suite_clips(suite: Suite, count: int, seed: int, art: Path) -> Iterator[tuple[str, Clip]]:
    """The clips of a suite, ranks and decks in turn."""
    cv2.setNumThreads(1)
    decks = suite.decks(art)
    dice = np.random.default_rng([seed, count])
    for number in range(count):
        deck = decks[number % len(decks)].deck
        yield suite.language, draw_clip(deck, suite.wish, dice, RANKS[number % len(RANKS)])


def clip_scores(
    count: int, seed: int, art: Path, suites: Mapping[str, Suite] = SUITES
) -> dict[str, ClipScore]:
    """Measure every suite."""
    scores = {}
    for name, suite in suites.items():
        clips = suite_clips(suite, max(1, round(count * suite.share)), seed, art)
        scores[name] = measure_clips(name, {suite.language: _reader(suite.language)}, clips)
    return scores


def photograph_scores() -> tuple[list[Score], list[IndexScore]]:
    """Measure the real photographs, if they are there."""
    folder = photographs_folder()
    if folder is None:
        return [], []
    reader = _reader("en")
    singles = [
        score
        for name in ("edje-tf", "cadyze-webcam")
        for score in measure_photographs(reader, folder / name)
        if score.n
    ]
    return singles, [measure_indices(reader, folder / "cadyze-webcam")]


def main(words: Sequence[str] | None = None) -> int:
    """Print the tables."""
    parser = argparse.ArgumentParser("python -m models.train.report", description=__doc__)
    parser.add_argument("--clips", type=int, default=300, help="clips of the largest suite")
    parser.add_argument("--seed", type=int, default=1, help="the same seed, the same clips")
    parser.add_argument("--art", type=Path, default=fetch.DEFAULT_ART, help="folder for art")
    parser.add_argument("--photographs", action="store_true", help="real photographs only")
    parser.add_argument("--answers", type=int, default=40, help="stories of each other answer")
    options = parser.parse_args(words)
    try:
        if options.photographs:
            _print_photographs()
        else:
            suites = {**SUITES, **OWN_SUITES}
            _print_clips(clip_scores(options.clips, options.seed, options.art, suites))
            for score in answer_scores(options.answers, options.seed, options.art):
                print(score.row(), dict(score.confusion))
    except RefereeError as error:
        print(f"models.train.report: {error}", file=sys.stderr)
        return 2
    return 0


def _print_photographs() -> None:
    began = time.monotonic()
    singles, indices = photograph_scores()
    print(HEADER)
    for score in singles:
        print(score.row())
    for index in indices:
        print(f"{index.name}: found {percent(index.found, index.boxes)} of {index.boxes}")
        rank = index.readings
        print(f"  right {percent(rank.right, rank.n)} of {rank.n}, false jacks {rank.false_jacks}")
        print(f"  suits right {percent(rank.suits_right, rank.suits_named)}")
        print(f"  readings where nobody labelled an index: {index.outside}")
    print(confusion_table([*singles, *(index.readings for index in indices)]))
    print(f"{time.monotonic() - began:.0f} s")


def _print_clips(scores: dict[str, ClipScore]) -> None:
    print(HEADER)
    for clip_score in scores.values():
        print(clip_score.score.row())
    hidden = Score("one corner hidden, all suites")
    for clip_score in scores.values():
        hidden.merge(clip_score.one_corner)
    print(hidden.row())
    for name, clip_score in scores.items():
        late = np.bincount([min(6, max(0, n)) for n in clip_score.late_frames] or [0]).tolist()
        score = clip_score.score
        suits = percent(score.suits_right, score.suits_named)
        outside = clip_score.outside_interval
        print(f"{name}: answers in still frame {late}, suits {suits}, outside interval {outside}")
    print("confusion:", confusion_table([s.score for s in scores.values()]))
    print("calibration:", calibration(pair for s in scores.values() for pair in s.confident))


if __name__ == "__main__":
    sys.exit(main())
