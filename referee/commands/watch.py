"""`referee watch`: what the watcher of a pile says, frame by frame."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import cv2
import numpy as np
import typer
from numpy.typing import NDArray

from models.enrol.own import open_reader
from models.pictures import BadPicture, load_picture, pictures_in
from models.watch import Answer, PileWatcher
from referee.commands.read import card_name
from referee.locale import text
from referee.rules.errors import RefereeError
from referee.rules.events import Flip, Observation
from referee.service.enrolment_words import strange_deck

KINDS = {
    "start": "lay there at the start",
    "empty": "empty table",
    "still": "nothing new",
    "motion": "something moves",
    "hand": "something lies over the pile",
    "unread": "a card that cannot be read yet",
    "card": "new card",
    "joker": "new card",
    "two": "two new cards at once",
    "back": "a card face down",
    "removed": "the newest card was taken back",
    "cleared": "the pile was taken",
}


@dataclass(frozen=True, slots=True)
class _Still:
    """One picture of a sequence."""

    name: str
    image: NDArray[np.uint8]
    t_ns: int


def run(
    clip: Annotated[Path, typer.Argument(help=text("read", "A film, or a folder of pictures."))],
    deck: Annotated[
        str,
        typer.Option(
            help=text("enrol", "Letters in the corners: en, de, fr, nl; or a taught deck.")
        ),
    ] = "en",
    fps: Annotated[float, typer.Option(help=text("read", "Frames a second of a folder."))] = 60.0,
    card_px: Annotated[
        float | None,
        typer.Option(help=text("read", "Height of a card in pixels; else it is measured.")),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help=text("read", "One JSON object a line."))
    ] = False,
) -> None:
    """Watch a film of a pile and say what happens on it."""
    if not 0 < fps <= 1000:
        raise RefereeError(f"no such frame rate: {fps}, expected 1 to 1000 (--fps)")
    reader = open_reader(deck)
    watcher = PileWatcher(reader, card_height_px=card_px)
    said = ""
    for number, still in enumerate(_stills(clip, fps)):
        began = time.perf_counter()
        seen = watcher.see(still.image, t_ns=still.t_ns)
        ms = (time.perf_counter() - began) * 1000
        answer = watcher.answer
        if as_json:
            typer.echo(json.dumps(_record(number, still, answer, seen, watcher.watermark_ns, ms)))
        elif answer.kind != said or seen:
            typer.echo(f"{still.t_ns / 1e9:8.3f} s  {_words(answer)}")
        said = answer.kind
    for observation in watcher.finish():
        typer.echo(_last_words(observation, as_json=as_json))
    if strange := strange_deck(reader):
        typer.echo(f"referee: {strange}", err=True)


def _stills(clip: Path, fps: float) -> Iterator[_Still]:
    """The frames of a film or folder, with their times."""
    if not clip.exists():
        raise BadPicture(f"no such film or folder: {clip}")
    if clip.is_dir():
        for number, path in enumerate(pictures_in([clip])):
            yield _Still(path.name, load_picture(path, plain=True), round(number * 1e9 / fps))
        return
    film = cv2.VideoCapture(str(clip))
    rate = film.get(cv2.CAP_PROP_FPS) or fps
    number = 0
    while True:
        there, image = film.read()
        if not there:
            break
        yield _Still(clip.name, np.asarray(image, np.uint8), round(number * 1e9 / rate))
        number += 1
    film.release()
    if number == 0:
        raise BadPicture(f"{clip} is not a film, expected a video file or a folder of pictures")


def _record(
    number: int,
    still: _Still,
    answer: Answer,
    seen: list[Observation],
    watermark_ns: int,
    ms: float,
) -> dict[str, object]:
    return {
        "frame": number,
        "file": still.name,
        "t_ns": still.t_ns,
        "answer": answer.kind,
        "cards": [str(card) for card in answer.cards],
        "confidence": round(answer.confidence, 4),
        "guess": str(answer.guess) if answer.guess else None,
        "observations": [_observation(observation) for observation in seen],
        "watermark_ns": watermark_ns,
        "ms": round(ms, 1),
    }


def _observation(observation: Observation) -> dict[str, object]:
    record: dict[str, object] = {"kind": observation.kind, "t_ns": observation.t_ns}
    if isinstance(observation, Flip):
        record |= {"card": str(observation.card), "confidence": observation.confidence}
    return record | {"early_ns": getattr(observation, "early_ns", 0)}


def _words(answer: Answer) -> str:
    words = text("read", KINDS[answer.kind])
    named = [card_name(card.rank, card.suit) for card in answer.cards if card.is_read]
    return f"{words}: {', '.join(named)}" if named else words


def _last_words(observation: Observation, *, as_json: bool) -> str:
    if as_json:
        return json.dumps({"frame": None, "observations": [_observation(observation)]})
    return text("read", "a card was never read")
