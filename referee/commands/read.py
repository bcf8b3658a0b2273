"""`referee read`: which card is in a picture."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from models.enrol.own import open_reader
from models.explain import draw_explanation
from models.pictures import BadPicture, load_picture, pictures_in
from models.reader import Reading
from referee.locale import text
from referee.rules.cards import JOKER_RANK
from referee.rules.errors import RefereeError
from referee.service.enrolment_words import strange_deck

RANK_NAMES = {"A": "ace", "J": "jack", "Q": "queen", "K": "king", JOKER_RANK: "joker"}
SUIT_NAMES = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}


def run(
    pictures: Annotated[
        list[Path], typer.Argument(help=text("read", "Pictures, or folders of pictures."))
    ],
    deck: Annotated[
        str,
        typer.Option(
            help=text("enrol", "Letters in the corners: en, de, fr, nl; or a taught deck.")
        ),
    ] = "en",
    as_json: Annotated[
        bool, typer.Option("--json", help=text("read", "One JSON object a line."))
    ] = False,
    explain: Annotated[
        Path | None,
        typer.Option(help=text("read", "Folder for pictures of what was seen and why.")),
    ] = None,
) -> None:
    """Say which card is on top in each picture, or that it cannot be read."""
    reader = open_reader(deck)
    refused = 0
    for path in _files(pictures):
        try:
            picture = load_picture(path)
        except BadPicture as error:
            if len(pictures) == 1 and not pictures[0].is_dir():
                raise
            typer.echo(f"referee: {error}", err=True)
            refused += 1
            continue
        began = time.perf_counter()
        reading = reader.read_picture(picture)
        ms = (time.perf_counter() - began) * 1000
        typer.echo(json.dumps(as_record(path, reading, ms)) if as_json else _line(path, reading))
        if explain:
            _write_explanation(explain, path, draw_explanation(picture, reading))
    if strange := strange_deck(reader):
        typer.echo(f"referee: {strange}", err=True)
    if refused:
        raise RefereeError(_refusal(refused))


def _files(pictures: list[Path]) -> Iterator[Path]:
    yield from pictures_in(pictures)


def _refusal(refused: int) -> str:
    if refused == 1:
        return text("read", "one picture could not be used, the others were read")
    return text("read", "{count} pictures could not be used, the others were read").format(
        count=refused
    )


def as_record(path: Path, reading: Reading, ms: float) -> dict[str, object]:
    """The answer as `--json` prints it."""
    card = reading.card
    return {
        "file": str(path),
        "rank": card.rank if card else None,
        "suit": card.suit if card and card.suit != "?" else None,
        "confidence": round(reading.confidence, 4),
        "ms": round(ms, 1),
    }


def _line(path: Path, reading: Reading) -> str:
    percent = round(reading.confidence * 100)
    if reading.card is None:
        if reading.guess is None:
            return f"{path}: " + text("read", "no card found")
        guess = card_name(reading.guess.rank, reading.guess.suit)
        return f"{path}: " + text("read", "unread (perhaps {card}, {percent} %)").format(
            card=guess, percent=percent
        )
    name = card_name(reading.card.rank, reading.card.suit)
    return f"{path}: " + text("read", "{card}, {percent} % sure").format(card=name, percent=percent)


def card_name(rank: str, suit: str) -> str:
    """A card in words, such as "jack of spades"."""
    named = text("read", RANK_NAMES[rank]) if rank in RANK_NAMES else rank
    if suit not in SUIT_NAMES:
        return named
    return text("read", "{rank} of {suit}").format(rank=named, suit=text("read", SUIT_NAMES[suit]))


def _write_explanation(folder: Path, path: Path, drawn: object) -> None:
    import cv2

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RefereeError(
            f"cannot write to {folder}: {error.strerror}, expected a folder (--explain)"
        ) from error
    target = folder / f"{path.stem}.png"
    if not cv2.imwrite(str(target), drawn):  # type: ignore[call-overload]
        raise RefereeError(f"cannot write {target} (--explain)")
