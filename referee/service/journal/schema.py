"""The tables of a journal file, and how an older file becomes a newer one."""

from __future__ import annotations

APPLICATION_ID = 0x52454642
"""Marks a SQLite file as a journal of ours ("REFB")."""
SCHEMA = 1
"""Version of these tables; it stands in the file as `user_version`."""

TABLES = """
CREATE TABLE games(
  id INTEGER PRIMARY KEY,
  begun_ms INTEGER NOT NULL,
  ended_ms INTEGER,
  header TEXT NOT NULL,
  box TEXT NOT NULL,
  winner TEXT,
  placing TEXT
);
CREATE TABLE entries(
  game INTEGER NOT NULL REFERENCES games(id),
  n INTEGER NOT NULL,
  t_ns INTEGER NOT NULL,
  what TEXT NOT NULL CHECK (what IN ('seen', 'said', 'note')),
  record TEXT NOT NULL,
  PRIMARY KEY (game, n)
) WITHOUT ROWID;
CREATE TABLE crops(
  game INTEGER NOT NULL REFERENCES games(id),
  id TEXT NOT NULL,
  jpeg BLOB NOT NULL,
  PRIMARY KEY (game, id)
) WITHOUT ROWID;
CREATE TRIGGER entries_are_not_changed BEFORE UPDATE ON entries
  BEGIN SELECT RAISE(ABORT, 'entries are only appended'); END;
CREATE TRIGGER entries_are_not_deleted BEFORE DELETE ON entries
  BEGIN SELECT RAISE(ABORT, 'entries are only appended'); END;
"""
"""`header` and `box` are JSON; `ended_ms` is empty while a game is open; times are Unix ms, but
`t_ns` is event time."""

MIGRATIONS: dict[int, str] = {}
"""Version -> statements that make the next version of it."""
