"""Install the art and fonts that training needs, and find them again."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path

from models.train import sources
from referee.rules.errors import RefereeError

DEFAULT_ART = Path.home() / ".cache" / "referee-box" / "art"
_WEIGHTS = ("400", "700")
"""Of each family: regular and bold, where they exist."""


class BadArt(RefereeError, OSError):
    """Art or fonts for training are missing or could not be installed."""


def fetch(art: Path) -> None:
    """Install everything into `art` (npm) and onto the system (Debian packages).

    Raises:
        BadArt: A package could not be installed.
    """
    art.mkdir(parents=True, exist_ok=True)
    if not (art / "package.json").exists():
        (art / "package.json").write_text('{"private": true}\n')
    fonts = [f"@fontsource/{name}" for name in (*sources.FONTS_NPM, *sources.FONTS_HELD_OUT)]
    missing = [
        name for name in (sources.CARDS_NPM, *fonts) if not (art / "node_modules" / name).exists()
    ]
    if missing:
        _run(["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", *missing], art)
    debian = [*sources.FONTS_DEBIAN, *sources.CARDS_HELD_OUT, "librsvg2-bin"]
    if not _installed(debian):
        _run(["apt-get", "install", "-y", "--no-install-recommends", *debian], art)


def _installed(packages: Sequence[str]) -> bool:
    command = ["dpkg-query", "-W", "-f", "${Status}\n", *packages]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode == 0 and done.stdout.count("install ok installed") == len(packages)


def _run(command: Sequence[str], folder: Path) -> None:
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    except FileNotFoundError as error:
        raise BadArt(f"{command[0]} is not installed, it is needed to fetch the art") from error
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        raise BadArt(f"{' '.join(command[:3])} failed: {last}")


def training_fonts(art: Path) -> list[Path]:
    """Font files to learn from, sorted, so that a seed always draws the same."""
    debian = (
        path
        for folder in ("/usr/share/fonts/truetype", "/usr/share/fonts/opentype")
        for path in Path(folder).glob("**/*.[ot]tf")
    )
    return _plain([*debian, *_fontsource(art, sources.FONTS_NPM)])


def held_out_fonts(art: Path) -> list[Path]:
    """Font files that no training run has seen."""
    return _plain(_fontsource(art, sources.FONTS_HELD_OUT))


def _fontsource(art: Path, names: Iterable[str]) -> list[Path]:
    return [
        path
        for name in names
        for weight in _WEIGHTS
        for path in (art / "node_modules/@fontsource" / name / "files").glob(
            f"{name}-latin-{weight}-normal.woff"
        )
    ]


def _plain(paths: Iterable[Path]) -> list[Path]:
    kept = [p for p in paths if not any(word in p.name.lower() for word in sources.WRONG_FONTS)]
    if not kept:
        raise BadArt("no fonts found, run `python -m models.train fetch` first")
    return sorted(kept)
