"""The tables of models/README.md, so that anybody can print them again.

Real photographs are only read here and in the tests: nothing was trained or tuned on them.
"""

from __future__ import annotations

import csv
import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from models.candidates import luma_colour
from models.footprint import footprint
from models.pictures import load_picture
from models.reader import Reader
from models.scores import Score, calibration, confusion_table, percent
from models.sheet import MOST, Case, draw_sheet
from models.spread import read_spread
from models.watch import PileWatcher
from referee.rules.errors import RefereeError
from referee.rules.events import Flip


class BadPhotographs(RefereeError, OSError):
    """The real photographs are not where they should be."""


# --- real photographs -----------------------------------------------------------------------------


def photographs_folder() -> Path | None:
    """Where the real photographs are: $REFEREE_PICTURES, or beside the repository."""
    named = os.environ.get("REFEREE_PICTURES")
    beside = Path(__file__).resolve().parent.parent.parent / "shared" / "real-cards"
    folder = Path(named) if named else beside
    return folder if folder.is_dir() else None


def measure_photographs(reader: Reader, folder: Path) -> list[Score]:
    """Top card of the photographs in `folder` (pictures and labels.csv), single cards and piles.

    Raises:
        BadPhotographs: No labels.csv there.
    """
    scores = {kind: Score(f"{folder.name} {kind}") for kind in ("single", "pile")}
    for row in _labels(folder / "labels.csv"):
        if row["kind"] not in scores or not row["top_rank"]:
            continue
        reading = reader.read_picture(load_picture(folder / row["file"]))
        scores[row["kind"]].add(row["top_rank"], reading.card.rank if reading.card else None)
    return list(scores.values())


@dataclass(slots=True)
class IndexScore:
    """Every index reading of a set of spreads."""

    name: str
    boxes: int = 0
    found: int = 0
    readings: Score = field(default_factory=lambda: Score("readings"))
    outside: int = 0
    """Readings where nobody labelled an index."""


def measure_indices(
    reader: Reader, folder: Path, *, bar: float = 0.9, every: int = 1
) -> IndexScore:
    """Index by index against boxes.csv: a reading belongs to the box around it.

    Args:
        bar: Confidence that counts as a reading.
        every: Only each so many-th picture, to save time.
    """
    boxes: dict[str, list[tuple[str, float, float, float, float]]] = {}
    for row in _labels(folder / "boxes.csv"):
        x, y, w, h = (float(row[key]) for key in "xywh")
        boxes.setdefault(row["file"], []).append((row.get("card") or row["rank"], x, y, w, h))
    result = IndexScore(f"{folder.name} indices")
    for file in list(boxes)[::every]:
        labelled = boxes[file]
        seen: set[int] = set()
        for reading in read_spread(reader, load_picture(folder / file)):
            card = reading.opinion.card
            if card is None or reading.opinion.confidence < bar:
                continue
            inside = [
                i
                for i, (_, x, y, w, h) in enumerate(labelled)
                if -0.2 * w < reading.x - x < 1.2 * w and -0.2 * h < reading.y - y < 1.2 * h
            ]
            if not inside:
                result.outside += 1
                continue
            names = [labelled[i][0] for i in inside]
            ranks = [name.rstrip("SHDC") for name in names]
            right = card.rank in ranks
            at = ranks.index(card.rank) if right else 0
            seen.update(inside)
            result.readings.add(ranks[at], card.rank)
            if names[at][-1] in "SHDC":
                result.readings.add_suit(names[at][-1], card.suit)
        result.boxes += len(labelled)
        result.found += len(seen)
    return result


def _labels(path: Path) -> Iterator[dict[str, str]]:
    try:
        with path.open(newline="") as file:
            yield from csv.DictReader(file)
    except OSError as error:
        raise BadPhotographs(
            f"no {path.name} in {path.parent}, expected the photographs"
        ) from error


# --- drawn landing clips --------------------------------------------------------------------------


@dataclass(slots=True)
class ClipScore:
    """Landing clips of one group of decks."""

    score: Score
    one_corner: Score
    by_rank: dict[str, int] = field(default_factory=dict)
    late_frames: list[int] = field(default_factory=list)
    """Still frames needed for an answer."""
    outside_interval: int = 0
    """Flips whose interval does not hold the true moment."""
    confident: list[tuple[float, bool]] = field(default_factory=list)
    cases: list[Case] = field(default_factory=list)
    """The last frame of each clip with what was said of it: all wrong and unread ones, a few right
    ones."""


def measure_clips(
    name: str, readers: dict[str, Reader], clips: Iterable[tuple[str, object]]
) -> ClipScore:
    """Let a watcher see clips: pairs of a language and a models.train.clips.Clip.

    A card that did not come is a wrong answer, too, whatever else was said.
    """
    from models.train.clips import FRAME_NS, Clip

    result = ClipScore(Score(name), Score(f"{name}, one corner hidden"))
    for language, clip in clips:
        assert isinstance(clip, Clip)
        watcher = PileWatcher(readers[language], card_height_px=clip.height_px)
        flips: list[Flip] = []
        for number, frame in enumerate(clip.frames):
            seen = watcher.see(frame, t_ns=number * FRAME_NS, exposure_ns=4_000_000, line_ns=20_000)
            new = [o for o in seen if isinstance(o, Flip) and o.card.is_read]
            if new and not flips:
                result.late_frames.append(number - clip.settled + 1)
            flips += new
        said = flips[-1].card if flips else None
        ranks = " and ".join(flip.card.rank for flip in flips) or None
        hidden = clip.corners_seen < 2
        score = result.one_corner if hidden else result.score
        score.add(clip.card.rank, ranks)
        case = Case(
            clip.frames[-1],
            clip.card.rank,
            ranks,
            flips[-1].confidence if flips else 0.0,
        )
        if case.kind != "right" or len(result.cases) < MOST:
            result.cases.append(case)
        if said:
            score.add_suit(clip.card.suit, said.suit)
            began = flips[-1].t_ns - flips[-1].early_ns
            true_ns = clip.settled * FRAME_NS
            result.outside_interval += not began <= true_ns <= flips[-1].t_ns
            result.confident.append((flips[-1].confidence, ranks == clip.card.rank))
    return result


# --- speed ----------------------------------------------------------------------------------------


def milliseconds(job: Callable[[], object], rounds: int = 40) -> tuple[float, float]:
    """Median and 95th percentile of a job's CPU time."""
    job()
    times = []
    for _ in range(rounds):
        began = time.process_time()
        job()
        times.append((time.process_time() - began) * 1e3)
    return float(np.median(times)), float(np.percentile(times, 95))


def measure_reading(clips: int = 60, seed: int = 1, sheet: Path | None = None) -> dict[str, Any]:
    """All figures of the reading, each a share in percent with its 95 % interval and its n.

    Args:
        clips: Drawn clips of the largest suite.
        sheet: Where to write a contact sheet of the clips. It shows the art of the decks.

    Raises:
        RefereeError: The sheet cannot be written.
    """
    from models.train import answers, fetch, report

    figures: dict[str, Any] = {**speed_figures(), **footprint()}
    singles, indices = report.photograph_scores()
    for score in singles:
        figures |= _figures(score)
    for index in indices:
        figures[f"{index.name}: found %"] = f"{percent(index.found, index.boxes)} of {index.boxes}"
        figures |= _figures(index.readings)
    suites = dict(report.clip_scores(clips, seed, fetch.DEFAULT_ART, report.OWN_SUITES))
    try:
        suites |= report.clip_scores(clips, seed, fetch.DEFAULT_ART)
        for score in answers.answer_scores(max(4, clips // 4), seed, fetch.DEFAULT_ART):
            figures |= _figures(score)
    except fetch.BadArt as error:
        figures["drawn clips of unseen decks"] = f"not measured: {error}"
    for clip_score in suites.values():
        figures |= _figures(clip_score.score)
    every = [clip_score.score for clip_score in suites.values()]
    figures["confusions"] = ", ".join(confusion_table(every)) or "none"
    confident = [pair for clip_score in suites.values() for pair in clip_score.confident]
    for row in calibration(confident):
        name, _, share = row.partition(": ")
        figures[f"confidence {name}: right %"] = share
    if sheet is not None:
        write_sheet(sheet, [case for each in suites.values() for case in each.cases])
    return figures


def write_sheet(path: Path, cases: Sequence[Case]) -> None:
    """Write a contact sheet of these cases.

    Raises:
        RefereeError: It cannot be written there.
    """
    if path.suffix.lower() not in (".png", ".jpg") or not path.parent.is_dir():
        raise RefereeError(f"cannot write {path}, expected a .png or .jpg in a folder that exists")
    if not cv2.imwrite(str(path), draw_sheet(cases)):
        raise RefereeError(f"cannot write {path}, is the folder writable?")


def _figures(score: Score) -> dict[str, str]:
    return {
        f"{score.name}: right %": f"{percent(score.right, score.n)} of {score.n}",
        f"{score.name}: wrong %": percent(score.wrong, score.n),
        f"{score.name}: false jacks": f"{score.false_jacks} of {score.not_jacks}",
    }


def speed_figures() -> dict[str, float]:
    """Milliseconds of CPU time on one thread, for a table on which an eight has landed."""
    from models.train.heldout import own_decks

    dice = np.random.default_rng(1)
    cv2.setNumThreads(1)
    reader = Reader()
    table = np.clip(dice.normal(90, 12, (480, 640, 3)), 0, 255).astype(np.uint8)
    card = table.copy()
    face = own_decks("en")[0].deck.face("8", "H").bgr
    card[150:326, 240:364] = cv2.resize(face, (124, 176), interpolation=cv2.INTER_AREA)
    whole, region = luma_colour(card), luma_colour(card[112:368, 176:432])
    before = np.ascontiguousarray(luma_colour(table)[..., 0])
    part = np.ascontiguousarray(before[112:368, 176:432])
    watcher = PileWatcher(reader, card_height_px=176)
    for number in range(4):
        watcher.see(table, t_ns=number)
    jobs: dict[str, Callable[[], object]] = {
        "still frame": lambda: watcher.see(table, t_ns=9),
        "changed region 256 px": lambda: reader.newest(region, part, 176),
        "whole frame 640 x 480": lambda: reader.newest(whole, before, 176),
        "one picture, scale unknown": lambda: reader.read_picture(card),
    }
    figures: dict[str, float] = {}
    for name, job in jobs.items():
        median, late = milliseconds(job)
        figures |= {f"{name}: ms median": median, f"{name}: ms p95": late}
    return figures
