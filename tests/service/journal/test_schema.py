"""Versions of the file: an old one is brought to this version, all or nothing."""

import sqlite3
from pathlib import Path

import pytest
from journal_games import begin, new_game, play

from referee.service.journal import schema
from referee.service.journal.journal import Journal
from referee.service.journal.trouble import JournalError

SCHEMA_1 = """
CREATE TABLE games(id INTEGER PRIMARY KEY, begun_ms INTEGER NOT NULL, ended_ms INTEGER,
  header TEXT NOT NULL, box TEXT NOT NULL, winner TEXT, placing TEXT);
CREATE TABLE entries(game INTEGER NOT NULL REFERENCES games(id), n INTEGER NOT NULL,
  t_ns INTEGER NOT NULL, what TEXT NOT NULL CHECK (what IN ('seen', 'said', 'note')),
  record TEXT NOT NULL, PRIMARY KEY (game, n)) WITHOUT ROWID;
CREATE TABLE crops(game INTEGER NOT NULL REFERENCES games(id), id TEXT NOT NULL,
  jpeg BLOB NOT NULL, PRIMARY KEY (game, id)) WITHOUT ROWID;
INSERT INTO games VALUES (1, 1790000000000, NULL,
  '{"schema":1,"game":"slapjack","players":["Ann","Bo"],"house_rules":{},
    "start":{"kind":"deal","dealer":null,"totals":[]},"lockout_ms":120}',
  '{"demo":true,"stamp":"demo","deck":"en","boot":"b","version":"0.1.0"}', NULL, NULL);
INSERT INTO entries VALUES (1, 0, 1000, 'seen',
  '{"kind":"flip","t_ns":1000,"seq":0,"card":"JS","player":null,"early_ns":0,"late_ns":0,
    "pile":0,"confidence":1.0}');
INSERT INTO entries VALUES (1, 1, 0, 'said',
  '{"verdict":"deal","t_ns":0,"counts":[["Ann",26],["Bo",26]],"to_act":"Ann"}');
PRAGMA application_id=1380271682;
PRAGMA user_version=1;
"""
"""A file as the first version wrote it. It must stay readable for ever: do not change it."""


@pytest.fixture
def old(path: Path) -> Path:
    """A file of the first version, with an open game."""
    database = sqlite3.connect(path)
    database.executescript(SCHEMA_1)
    database.close()
    return path


def _version(path: Path) -> int:
    database = sqlite3.connect(path)
    version = database.execute("PRAGMA user_version").fetchone()[0]
    database.close()
    return int(version)


def _flips(journal: Journal) -> list[str]:
    return [str(one.card) for one in journal.log(1).observations if one.kind == "flip"]  # type: ignore[attr-defined]


def test_file_of_the_first_version_is_read_and_goes_on(old: Path) -> None:
    journal = Journal.open(old)
    assert journal.trouble is None
    game = journal.open_game()
    assert game is not None
    assert game.sitting.boot == "b"
    assert _flips(journal) == ["JS"]
    journal.close()


def test_every_older_version_has_a_way_to_the_next() -> None:
    assert sorted(schema.MIGRATIONS) == list(range(1, schema.SCHEMA))


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> None:
    """A program two versions later."""
    monkeypatch.setattr(schema, "SCHEMA", 3)
    steps = {
        1: "ALTER TABLE games ADD COLUMN table_name TEXT;",
        2: "CREATE INDEX games_by_time ON games(begun_ms);",
    }
    monkeypatch.setattr(schema, "MIGRATIONS", steps)


@pytest.mark.usefixtures("later")
def test_old_file_is_brought_to_the_version_of_the_program(old: Path) -> None:
    with pytest.raises(JournalError, match="start the box once"):
        Journal.open_read_only(old)
    journal = Journal.open(old)
    assert journal.trouble is None
    assert journal.path == old
    assert _flips(journal) == ["JS"]
    referee, seen = new_game(60)
    record = begin(journal, referee)
    assert list(journal.log(record.id).verdicts) == []
    shown = play(record, referee, seen)
    assert list(journal.log(record.id).verdicts) == shown
    journal.close()
    assert _version(old) == 3
    database = sqlite3.connect(old)
    assert database.execute("SELECT table_name FROM games").fetchall() == [(None,), (None,)]
    database.close()


@pytest.mark.usefixtures("later")
def test_failed_step_leaves_the_file_as_it_was(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = schema.MIGRATIONS | {1: "ALTER TABLE games ADD COLUMN a; ALTER TABLE no SET b;"}
    monkeypatch.setattr(schema, "MIGRATIONS", broken)
    journal = Journal.open(old)
    assert journal.trouble is not None
    assert journal.path != old
    journal.close()
    assert _version(old) == 1
    database = sqlite3.connect(old)
    assert "a" not in [row[1] for row in database.execute("PRAGMA table_info(games)")]
    database.close()


def test_entries_are_never_changed_nor_deleted(journal: Journal) -> None:
    referee, seen = new_game(60)
    play(begin(journal, referee), referee, seen)
    assert journal.store is not None
    for statement in ("UPDATE entries SET t_ns = 0", "DELETE FROM entries"):
        with pytest.raises(sqlite3.IntegrityError, match="only appended"):
            journal.store._database.execute(statement)


def test_commit_with_a_verdict_is_synced_and_one_without_is_not(journal: Journal) -> None:
    referee, seen = new_game(60)
    record = begin(journal, referee)
    assert journal.store is not None
    full, normal = 2, 1
    levels = []
    journal.store._database.set_trace_callback(
        lambda statement: levels.append(statement) if "COMMIT" in statement else None
    )
    for one in seen:
        verdicts = referee.observe(one)
        before = len(levels)
        record.write(one, verdicts)
        level = journal.store._database.execute("PRAGMA synchronous").fetchone()[0]
        if verdicts:
            assert (len(levels), level) == (before + 1, full)
        elif len(levels) > before:
            assert level == normal
    assert len(levels) > 10
