"""A deck that was taught: the corners of its own cards, kept as one file.

Only the small pictures are kept, never what a net makes of them, so a profile outlives the nets
that it was taught with.
"""

from __future__ import annotations

import json
import os
import re
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.decks import LANGUAGES
from models.recognise import CROP
from referee.rules.cards import RANKS, SUITS
from referee.rules.errors import RefereeError

VERSION = 2
SUFFIX = ".deck.npz"
FOLDER_VARIABLE = "STATE_DIRECTORY"
"""systemd names the box's own folder in it."""
MOST_PATCHES = 2000
MOST_BYTES = 32 * 2**20
"""A file that claims more is none of ours."""

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
_PARTS = ("patches", "ranks", "suits", "looks", "head")


class BadProfile(RefereeError, ValueError):
    """A taught deck that cannot be used."""


@dataclass(frozen=True, slots=True, eq=False)
class Profile:
    """The corners of one deck."""

    name: str
    language: str
    """Of the index letters: a key of decks.LANGUAGES."""
    patches: NDArray[np.uint8]
    """Straightened corners as recognise.index_crop cuts them, YCrCb, shape (n, 64, 48, 3)."""
    ranks: NDArray[np.int64]
    """Of each patch, its place in cards.RANKS."""
    suits: NDArray[np.int64]
    """Of each patch, its place in cards.SUITS; len(SUITS) if nobody knows."""
    looks: NDArray[np.int64]
    """Patches of one look at one card share a number."""
    card_height_px: float
    """Of the cards while they were taught."""
    picture: tuple[int, int]
    """Width and height of the camera's pictures then."""
    demo: bool = False
    """A drawn deck, not a real one."""


def check_name(name: str) -> str:
    """Return `name` if a deck may be called so.

    Raises:
        BadProfile: It may not.
    """
    if not _NAME.fullmatch(name):
        raise BadProfile(
            f"bad name of a deck: {name!r}, expected small letters, digits, - and _, "
            "such as oma (--name oma)"
        )
    if name in LANGUAGES:
        raise BadProfile(
            f"a deck cannot be called {name!r}, that is a language of index letters; "
            "choose another name, such as oma (--name oma)"
        )
    return name


def decks_folder(environment: Mapping[str, str] = os.environ) -> Path:
    """Where taught decks are kept: the box's own folder, else this user's."""
    state = environment.get(FOLDER_VARIABLE, "").split(":")[0]
    if state:
        return Path(state) / "decks"
    data = environment.get("XDG_DATA_HOME", "")
    base = Path(data) if data else Path.home() / ".local" / "share"
    return base / "referee" / "decks"


def profile_file(name: str, folder: Path | None = None) -> Path:
    """The file of a taught deck.

    Raises:
        BadProfile: No deck can be called so.
    """
    return (folder or decks_folder()) / f"{check_name(name)}{SUFFIX}"


def taught_decks(folder: Path | None = None) -> list[str]:
    """Names of the decks that were taught here."""
    found = (folder or decks_folder()).glob(f"*{SUFFIX}")
    return sorted(path.name.removesuffix(SUFFIX) for path in found)


def write_profile(profile: Profile, path: Path) -> None:
    """Write a profile whole or not at all.

    Raises:
        BadProfile: The file cannot be written.
    """
    head = {
        "version": VERSION,
        "name": profile.name,
        "language": profile.language,
        "card_height_px": profile.card_height_px,
        "picture": profile.picture,
        "demo": profile.demo,
    }
    unfinished = path.with_name(path.name + ".new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with unfinished.open("wb") as file:
            np.savez_compressed(
                file,
                patches=profile.patches,
                ranks=profile.ranks,
                suits=profile.suits,
                looks=profile.looks,
                head=np.array(json.dumps(head)),
            )
        os.replace(unfinished, path)
    except OSError as error:
        raise BadProfile(
            f"cannot write {path}: {error.strerror or error}, expected a folder of ours (--out)"
        ) from error


def read_profile(path: Path) -> Profile:
    """Read a taught deck.

    Raises:
        BadProfile: Missing, damaged, or of another version of this program.
    """
    again = f"teach it again: referee enrol --name {path.name.removesuffix(SUFFIX)}"
    try:
        if path.stat().st_size > MOST_BYTES:
            raise BadProfile(f"{path} is too large for a taught deck, {again}")
        with path.open("rb") as content, np.load(content, allow_pickle=False) as file:
            parts = {name: file[name] for name in _PARTS}
        head = json.loads(str(parts["head"]))
        version = head["version"]
    except FileNotFoundError as error:
        raise BadProfile(_unknown(path.name.removesuffix(SUFFIX), path.parent)) from error
    except OSError as error:
        raise BadProfile(f"cannot read {path}: {error.strerror or error}") from error
    except (ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile) as error:
        raise BadProfile(f"{path} is damaged, {again}") from error
    except Exception as error:  # a broken archive raises a dozen kinds, zlib.error among them
        raise BadProfile(f"{path} is damaged, {again}") from error
    if version != VERSION:
        raise BadProfile(
            f"{path} is of version {version!r}, this program reads version {VERSION}: {again}"
        )
    try:
        return _checked(parts, head)
    except (ValueError, KeyError, TypeError) as error:
        raise BadProfile(f"{path} is damaged: {error}, {again}") from error


def open_profile(name: str, folder: Path | None = None) -> Profile:
    """The taught deck of this name.

    Raises:
        BadProfile: It was never taught, or its file cannot be used.
    """
    if not _NAME.fullmatch(name) or name in LANGUAGES:
        raise BadProfile(_unknown(name, folder or decks_folder()))
    return read_profile(profile_file(name, folder))


def deck_language(deck: str, folder: Path | None = None) -> str:
    """Language of the index letters of a deck: a language itself, or a deck that was taught.

    Raises:
        BadProfile: No such deck, or its file cannot be used.
    """
    return deck if deck in LANGUAGES else open_profile(deck, folder).language


def _unknown(name: str, folder: Path) -> str:
    known = taught_decks(folder)
    taught = f", taught here: {', '.join(known)}" if known else ""
    return (
        f"no such deck: {name!r}, expected one of {', '.join(LANGUAGES)} or a deck that was "
        f"taught{taught} (referee enrol)"
    )


def _checked(parts: dict[str, Any], head: dict[str, Any]) -> Profile:
    patches = parts["patches"]
    n = len(patches)
    if patches.dtype != np.uint8 or patches.shape[1:] != (CROP[1], CROP[0], 3):
        raise ValueError("its corners have another size")
    if not 0 < n <= MOST_PATCHES:
        raise ValueError(f"it holds {n} corners")
    numbers = {}
    for name, most in (("ranks", len(RANKS) - 1), ("suits", len(SUITS)), ("looks", MOST_PATCHES)):
        values = parts[name].astype(np.int64)
        if values.shape != (n,) or values.min() < 0 or values.max() > most:
            raise ValueError(f"its {name} fit no card")
        numbers[name] = values
    language = str(head["language"])
    if language not in LANGUAGES:
        raise ValueError(f"it has index letters of the language {language!r}")
    width, height = (int(side) for side in head["picture"])
    return Profile(
        str(head["name"]),
        language,
        patches,
        numbers["ranks"],
        numbers["suits"],
        numbers["looks"],
        float(head["card_height_px"]),
        (width, height),
        bool(head["demo"]),
    )
