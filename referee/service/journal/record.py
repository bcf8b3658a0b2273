"""One game being written. Nothing that a disk does can stop it.

The whole game is also kept in memory, so that a fresh file can take over at any moment.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from referee.rules.events import Observation, Watermark
from referee.rules.game import TableView
from referee.rules.record import to_record
from referee.rules.verdicts import Verdict
from referee.service.journal.store import Entry, GameRow, Store
from referee.service.journal.trouble import JournalError

if TYPE_CHECKING:
    from referee.service.journal.journal import Journal

RETRY_NS = 10_000_000_000
"""A game that is not recorded tries again after so much event time."""


class GameRecord:
    """Writes one game; the peer of referee.service.log.LogWriter."""

    def __init__(self, journal: Journal, row: GameRow, entries: Sequence[Entry] = ()) -> None:
        """Use `Journal.begin` or `Journal.go_on`."""
        self._journal = journal
        self._row = row
        self._entries = list(entries)
        self._written = len(self._entries)
        self._watermarks: dict[str, Watermark] = {}
        self._now_ns = self._entries[-1].t_ns if self._entries else 0
        self._tried_ns = 0
        self._noted: dict[str, dict[str, Any]] = {}
        self._is_open = True

    @property
    def id(self) -> int:
        """The game's number; it stays when a fresh file takes over."""
        return self._row.id

    @property
    def entries(self) -> Sequence[Entry]:
        """All that was written so far."""
        return self._entries

    def write(self, observation: Observation, verdicts: Iterable[Verdict]) -> None:
        """Note what was seen and what it made the referee say.

        If the referee said something, all is on the disk when this returns. A source renews its
        watermark many times a second; only the newest is written, and only when something follows.
        """
        if isinstance(observation, Watermark):
            # The order of the newest ones is kept: the replay gets them as the referee did.
            self._watermarks.pop(observation.source, None)
            self._watermarks[observation.source] = observation
        else:
            self._flush_watermarks()
            self._add("seen", observation.t_ns, to_record(observation))
        self._now_ns = max(self._now_ns, observation.t_ns)
        said = list(verdicts)
        if said:
            self._flush_watermarks()
        for verdict in said:
            self._add("said", verdict.t_ns, to_record(verdict))
        self._save(sync=bool(said))

    def note(self, kind: str, record: dict[str, Any]) -> None:
        """Keep something that no rule needs, such as the cards of the drawn table, if it is new.

        Args:
            kind: Such as "table".
            record: Plain values.
        """
        if not self._is_open or self._noted.get(kind) == record:
            return
        self._noted[kind] = record
        self._add("note", self._now_ns, {kind: record})
        self._save(sync=False)

    def crop(self, name: str, jpeg: bytes) -> None:
        """Keep a picture of the pile, if there is a file; it is the first thing to be left out."""
        if self._is_open:
            self._journal.attempt(lambda store: store.add_crop(self.id, name, jpeg))

    def end(self, table: TableView, ended_ms: int, last_words: Iterable[Verdict] = ()) -> None:
        """The game is over, with or without a winner.

        Args:
            table: How the books stand.
            ended_ms: Unix time in ms.
            last_words: What the referee said when it was told that nothing more will come.
        """
        if not self._is_open:
            return
        self._flush_watermarks()
        for verdict in last_words:
            self._add("said", verdict.t_ns, to_record(verdict))
        placing = None if table.placing is None else json.dumps(table.placing, ensure_ascii=False)
        self._row = self._row._replace(ended_ms=ended_ms, winner=table.winner, placing=placing)
        self._save(sync=True, at_once=True)
        self._journal.attempt(self._end)
        self._leave()

    def close(self) -> None:
        """Stop writing; a game without an end is open and goes on later. Safe to call twice."""
        if self._is_open:
            self._flush_watermarks()
            self._save(sync=True)
            self._leave()

    def hand_over(self, store: Store) -> None:
        """Bring a file that may know the game, or not, up to date."""
        known = store.game(self.id)
        if known is None or known.begun_ms != self._row.begun_ms:
            if known is not None:
                self._row = self._row._replace(id=store.newest() + 1)
            store.add_game(self._row)
        have = store.count(self.id)
        store.append(self.id, have, self._entries[have:], sync=True)
        if self._row.ended_ms is not None:
            self._end(store)
        self._written = len(self._entries)

    def _end(self, store: Store) -> None:
        row = self._row
        store.end_game(row.id, row.ended_ms or 0, row.winner, row.placing)
        store.tidy()

    def _leave(self) -> None:
        self._is_open = False
        self._journal.left(self, ended=self._row.ended_ms is not None)

    def _flush_watermarks(self) -> None:
        for watermark in self._watermarks.values():
            self._add("seen", watermark.t_ns, to_record(watermark))
        self._watermarks.clear()

    def _add(self, what: str, t_ns: int, record: dict[str, Any]) -> None:
        line = json.dumps(record, ensure_ascii=False, separators=(",", ":"))
        self._entries.append(Entry(t_ns, what, line))

    # --- saving ---

    def _save(self, *, sync: bool, at_once: bool = False) -> None:
        """Write what is not yet in the file; if that fails, a fresh file gets the whole game."""
        if self._journal.store is None:
            if at_once or self._now_ns - self._tried_ns >= RETRY_NS:
                self._tried_ns = self._now_ns
                self._journal.try_again()
        elif self._written < len(self._entries):
            first = self._written
            self._tried_ns = self._now_ns
            try:
                self._journal.store.append(self.id, first, self._entries[first:], sync=sync)
            except JournalError as error:
                self._journal.fall_back(error)
            else:
                self._written = len(self._entries)
