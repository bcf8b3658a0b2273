"""Disk full, no right to write, damaged, foreign and newer files: named, and the game goes on."""

from __future__ import annotations

import errno
import os
import resource
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from journal_games import BEGUN_MS, begin, new_game, play

from referee.locale import choose_language
from referee.rules.verdicts import Verdict
from referee.service.doctor.codes import Code
from referee.service.journal import schema
from referee.service.journal.journal import Journal
from referee.service.journal.store import Store
from referee.service.journal.trouble import REASONS, JournalError, Trouble

PAGE_BYTES = 4096


def _fill_up(journal: Journal) -> None:
    """SQLite may take no more pages: its own error for a full disk, without a full disk."""
    assert journal.store is not None
    database = journal.store._database
    used = database.execute("PRAGMA page_count").fetchone()[0]
    database.execute(f"PRAGMA max_page_count={used}")


def _kept(journal: Journal) -> list[Verdict]:
    return list(journal.log(1).verdicts)


def test_full_file_is_named_and_a_fresh_one_has_the_whole_game(journal: Journal) -> None:
    old = journal.path
    referee, seen = new_game(300)
    record = begin(journal, referee)
    shown = play(record, referee, seen[:100])
    _fill_up(journal)
    shown += play(record, referee, seen[100:])
    assert journal.trouble is not None
    assert (journal.trouble.code, journal.trouble.path) == (Code.DISK_FULL, old)
    assert journal.path == old.with_stem("season-2026-2")
    assert journal.is_recording
    assert _kept(journal) == shown
    record.end(referee.table, BEGUN_MS + 1)
    assert journal.trouble is None, "the next game has nothing to do with it"
    assert journal.games()[0].ended_ms == BEGUN_MS + 1


def test_next_start_goes_on_in_the_fresh_file(path: Path) -> None:
    journal = Journal.open(path)
    referee, seen = new_game(300)
    record = begin(journal, referee)
    _fill_up(journal)
    shown = play(record, referee, seen)
    journal.close()
    journal = Journal.open(path)
    game = journal.open_game()
    assert game is not None
    assert list(game.said) == shown
    assert journal.path.name == "season-2026-2.db"
    journal.close()


@pytest.mark.parametrize("moment", ["begin", "note", "crop", "end", "delete"])
def test_disk_that_fills_up_at_any_moment_loses_nothing(journal: Journal, moment: str) -> None:
    referee, seen = new_game(60)
    if moment == "begin":
        _fill_up(journal)
    record = begin(journal, referee)
    shown = play(record, referee, seen)
    if moment != "begin":
        _fill_up(journal)
    record.note("table", {"cards": "x" * 3 * PAGE_BYTES})
    record.crop("1-2-before", b"x" * 3 * PAGE_BYTES)
    journal.delete_crops()
    record.end(referee.table, BEGUN_MS + 1)
    assert _kept(journal) == shown
    assert journal.games()[0].ended_ms == BEGUN_MS + 1


def test_unrecorded_game_tries_again_and_then_has_everything(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = journal.path
    referee, seen = new_game(700)
    record = begin(journal, referee)
    shown = play(record, referee, seen[:60])
    _fill_up(journal)
    tries = []

    def refuse(path: Path) -> Store:
        tries.append(path)
        raise JournalError(path, "full")

    monkeypatch.setattr(Store, "open", refuse)
    shown += play(record, referee, seen[60:500])
    assert journal.trouble is not None
    assert not journal.is_recording
    assert "not recorded" in journal.trouble.sentence("en")
    seconds = (seen[499].t_ns - seen[60].t_ns) / 1e9
    assert 2 <= len(tries) <= 2 * (seconds / 10 + 1), "now and then, not all the time"
    monkeypatch.undo()
    shown += play(record, referee, seen[500:])
    assert journal.trouble is None
    assert journal.path == old
    assert _kept(journal) == shown


def test_closed_journal_is_not_begun_anew(path: Path) -> None:
    journal = Journal.open(path)
    referee, seen = new_game(60)
    record = begin(journal, referee)
    play(record, referee, seen)
    journal.close()
    record.close()
    record.end(referee.table, 1)
    assert [file.name for file in path.parent.glob("*.db")] == [path.name]


def _write_foreign(path: Path) -> None:
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE recipes(name)")
    database.close()


def _write_newer(path: Path) -> None:
    Journal.open(path).close()
    with sqlite3.connect(path) as database:
        database.execute("PRAGMA user_version=99")
    database.close()


def _write_words(path: Path) -> None:
    path.write_text("Dear diary, today we played Slapjack. " * 100)


def _write_damaged(path: Path) -> None:
    journal = Journal.open(path)
    referee, seen = new_game(200)
    play(begin(journal, referee), referee, seen)
    journal.close()
    content = bytearray(path.read_bytes())
    content[PAGE_BYTES:] = os.urandom(len(content) - PAGE_BYTES)
    path.write_bytes(content)


@pytest.mark.parametrize(
    ("write", "why"),
    [
        (_write_foreign, "foreign"),
        (_write_words, "foreign"),
        (_write_newer, "newer"),
        (_write_damaged, "damaged"),
    ],
)
@pytest.mark.parametrize("language", ["de", "en"])
def test_file_that_cannot_be_used_is_named_and_left_as_it_is(
    path: Path, write: object, why: str, language: str
) -> None:
    write(path)  # type: ignore[operator]
    before = path.read_bytes()
    journal = Journal.open(path)
    journal.open_game()
    assert journal.trouble is not None
    assert journal.trouble.code == Code.LOG_DAMAGED
    sentence = journal.trouble.sentence(language)
    assert sentence.startswith("E43: ")
    assert str(path) in sentence
    assert journal.path.name in sentence
    assert "\n" not in sentence
    referee, seen = new_game(60)
    record = begin(journal, referee)
    shown = play(record, referee, seen)
    assert _kept(journal) == shown
    journal.close()
    assert path.read_bytes() == before
    assert REASONS[why][1] in Trouble(JournalError(path, why), None).sentence("en")


def _pages_in_log(log: Path) -> set[int]:
    """Numbers of the pages of which the write-ahead log holds a newer state.

    Source: sqlite.org/fileformat.html, "The WAL File Format".
    """
    frames = log.read_bytes()[32:]
    size = 24 + PAGE_BYTES
    return {int.from_bytes(frames[at : at + 4]) for at in range(0, len(frames), size)}


def test_damage_of_an_old_game_is_found_at_the_start_after_a_power_cut(
    path: Path, tmp_path: Path
) -> None:
    journal = Journal.open(path)
    for number in (1, 2):
        referee, seen = new_game(200, seed=number)
        record = begin(journal, referee, number)
        play(record, referee, seen)
        if number == 1:
            record.end(referee.table, 2)
    cut = tmp_path / "cut" / path.name
    cut.parent.mkdir()
    for ending in ("", "-wal"):
        shutil.copy(f"{path}{ending}", f"{cut}{ending}")
    journal.close()
    content = bytearray(cut.read_bytes())
    newer = _pages_in_log(cut.with_name(f"{cut.name}-wal"))
    page = next(
        at
        for at in range(0, len(content), PAGE_BYTES)
        if b'"verdict":"card_seen"' in content[at : at + PAGE_BYTES]
        and at // PAGE_BYTES + 1 not in newer
    )
    content[page : page + 200] = bytes(200)
    cut.write_bytes(content)
    journal = Journal.open(cut)
    assert journal.trouble is not None
    assert journal.trouble.code == Code.LOG_DAMAGED
    journal.close()


def test_file_without_right_to_write_is_named(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # The super-user may write everything: SQLite is asked for a reader's connection instead.
    import referee.service.journal.store as module

    Journal.open(path).close()
    real = module.connect

    def reading(file: Path, way: str = "mode=rwc") -> sqlite3.Connection:
        return real(file, "mode=ro" if file == path else way)

    monkeypatch.setattr(module, "connect", reading)
    journal = Journal.open(path)
    referee, seen = new_game(60)
    shown = play(begin(journal, referee), referee, seen)
    assert journal.trouble is not None
    assert journal.trouble.code == Code.DISK_READ_ONLY
    assert journal.path != path
    assert _kept(journal) == shown
    journal.close()


def test_without_any_folder_the_game_is_played_unrecorded(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    journal = Journal.open(tmp_path / "file" / "season-2026.db")
    assert journal.trouble is not None
    assert journal.trouble.code == Code.DISK_READ_ONLY
    referee, seen = new_game(300)
    record = begin(journal, referee)
    expected, _ = new_game(300)
    assert play(record, referee, seen) == [
        verdict for one in seen for verdict in expected.observe(one)
    ]
    record.end(referee.table, 1)
    assert journal.trouble is not None
    journal.close()


def test_game_that_replays_otherwise_is_named_and_a_new_one_begins(path: Path) -> None:
    journal = Journal.open(path)
    referee, seen = new_game(100)
    record = begin(journal, referee)
    shown = play(record, referee, seen)
    record.write(seen[-1], shown[-1:])  # said twice: no rule says so
    journal.close()
    journal = Journal.open(path)
    assert journal.open_game() is None
    assert journal.trouble is not None
    assert "cannot go on" in journal.trouble.sentence("en")
    assert journal.path == path
    referee, seen = new_game(100)
    record = begin(journal, referee)
    shown = play(record, referee, seen)
    assert record.id == 2
    assert list(journal.log(2).verdicts) == shown
    journal.close()


# --- the real thing -------------------------------------------------------------------------------


def test_file_that_the_system_keeps_small_is_named(path: Path) -> None:
    """RLIMIT_FSIZE: the kernel refuses the write itself."""
    script = (
        "import sys; from pathlib import Path; from journal_games import *\n"
        "journal = Journal.open(Path(sys.argv[1])); referee, seen = new_game(400)\n"
        "record = begin(journal, referee); shown = play(record, referee, seen)\n"
        "print(journal.trouble.code, journal.is_recording, len(shown))\n"
    )
    limit = 60 * PAGE_BYTES
    box = subprocess.run(
        [sys.executable, "-c", script, str(path)],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parent,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
    )
    assert box.stdout.split()[0] in ("E41", "E42")
    kept = [journal for journal in map(_readable, sorted(path.parent.glob("*.db"))) if journal]
    assert kept
    assert max(len(journal.log(1).verdicts) for journal in kept) > 10
    for journal in kept:
        journal.close()


def _readable(path: Path) -> Journal | None:
    journal = Journal.open_read_only(path)
    if journal.games():
        return journal
    journal.close()
    return None


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 4 MB."""
    mount = shutil.which("mount")
    disk = tmp_path / "disk"
    disk.mkdir()
    options = ["-t", "tmpfs", "-o", "size=4m", "tmpfs", str(disk)]
    if os.geteuid() != 0 or mount is None:
        pytest.skip("only the super-user can mount a small disk")
    if subprocess.run([mount, *options], capture_output=True, check=False).returncode:
        pytest.skip("no disk can be mounted here")
    yield disk
    subprocess.run(["umount", str(disk)], check=True)


def _fill(ballast: Path) -> None:
    """Write until there is no room."""
    with ballast.open("wb", buffering=0) as file:
        try:
            while file.write(bytes(PAGE_BYTES)):
                pass
        except OSError as error:
            assert error.errno == errno.ENOSPC  # noqa: PT017


def test_full_disk_is_named_and_the_game_is_recorded_again_when_there_is_room(
    small_disk: Path,
) -> None:
    journal = Journal.open(small_disk / "season-2026.db")
    ballast = small_disk / "ballast"
    referee, seen = new_game(600)
    record = begin(journal, referee)
    shown = play(record, referee, seen[:60])
    _fill(ballast)
    shown += play(record, referee, seen[60:300])
    assert journal.trouble is not None
    assert journal.trouble.code == Code.DISK_FULL
    assert not journal.is_recording
    ballast.unlink()
    shown += play(record, referee, seen[300:])
    assert journal.trouble is None
    assert _kept(journal) == shown
    journal.close()


def test_disk_that_was_mounted_to_read_only_is_named(small_disk: Path) -> None:
    path = small_disk / "season-2026.db"
    Journal.open(path).close()
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    journal = Journal.open(path)
    assert journal.trouble is not None
    assert journal.trouble.code == Code.DISK_READ_ONLY
    referee, seen = new_game(60)
    record = begin(journal, referee)
    play(record, referee, seen)
    assert not journal.is_recording
    reader = Journal.open_read_only(path)
    assert reader.games() == []
    reader.close()
    journal.close()


def test_every_reason_is_said_in_german() -> None:
    choose_language("en")
    for why in REASONS:
        for fresh in (None, Path("fresh.db")):
            trouble = Trouble(JournalError(Path("season.db"), why), fresh)
            assert trouble.sentence("de") != trouble.sentence("en")


def test_schema_is_the_one_of_the_file(journal: Journal) -> None:
    assert journal.store is not None
    version = journal.store._database.execute("PRAGMA user_version").fetchone()[0]
    assert version == schema.SCHEMA
