"""The log: every observation and verdict as one JSON line, one schema, enough to replay a game.

The first line is the header (game, players, house rules, start). Then `{"seen": ...}` for an
observation and `{"said": ...}` for a verdict, in the order of arrival. A source renews its
watermark many times a second; only the newest is written, and only when something else follows:
the replay is the same and the file stays small.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from referee.rules.errors import BadLog, RefereeError
from referee.rules.events import Observation, Watermark
from referee.rules.record import (
    Header,
    header_from_record,
    header_to_record,
    observation_from_record,
    to_record,
    verdict_from_record,
)
from referee.rules.verdicts import Verdict


class LogWriter:
    """Appends to a log file."""

    def __init__(self, path: Path, header: Header) -> None:
        """Begin a log.

        Args:
            path: The file; its folder is made if need be.
            header: Game, players, house rules and start.

        Raises:
            BadLog: The file cannot be written.
        """
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file: TextIO = path.open("w", encoding="utf-8", newline="\n")
        except OSError as error:
            raise BadLog(
                f"cannot write the log {path}: {error.strerror}, expected a folder that may be "
                "written (--log)"
            ) from error
        self._watermarks: dict[str, Watermark] = {}
        self._line(header_to_record(header))

    def write(self, observation: Observation, verdicts: Iterable[Verdict]) -> None:
        """Note what was seen and what it made the referee say."""
        if isinstance(observation, Watermark):
            self._watermarks[observation.source] = observation
        else:
            self._flush_watermarks()
            self._line({"seen": to_record(observation)})
        for verdict in verdicts:
            self._flush_watermarks()
            self._line({"said": to_record(verdict)})

    def close(self) -> None:
        """Finish the file. Safe to call twice."""
        if not self._file.closed:
            self._flush_watermarks()
            self._file.close()

    def _flush_watermarks(self) -> None:
        for watermark in self._watermarks.values():
            self._line({"seen": to_record(watermark)})
        self._watermarks.clear()

    def _line(self, record: dict[str, Any]) -> None:
        self._file.write(json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n")


@dataclass(frozen=True, slots=True)
class Log:
    """A log that was read."""

    header: Header
    observations: tuple[Observation, ...]
    verdicts: tuple[Verdict, ...]


def read_log(path: Path) -> Log:
    """Read a log file.

    Raises:
        BadLog: It cannot be read, or a line is no log line. The text names file and line.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not UTF-8 text"
        raise BadLog(f"cannot read the log {path}: {reason}, expected JSON lines") from error
    if not lines:
        raise BadLog(f"empty log: {path}, expected a header line as `referee demo --log` writes it")
    header: Header | None = None
    seen: list[Observation] = []
    said: list[Verdict] = []
    for number, line in enumerate(lines, 1):
        record = _record(line, f"{path} line {number}")
        try:
            if header is None:
                header = header_from_record(record)
            elif "seen" in record:
                seen.append(observation_from_record(record["seen"]))
            elif "said" in record:
                said.append(verdict_from_record(record["said"]))
            else:
                raise BadLog('expected "seen" or "said"')
        except RefereeError as error:
            raise BadLog(f"{path} line {number}: {error}") from error
    assert header is not None  # the first line was one, or was refused
    return Log(header, tuple(seen), tuple(said))


def _record(line: str, where: str) -> dict[str, Any]:
    try:
        record = json.loads(line)
    except ValueError as error:
        raise BadLog(f"{where}: not JSON: {error}, expected one object a line") from error
    if not isinstance(record, dict):
        raise BadLog(f"{where}: expected a JSON object, got {line[:40]!r}")
    return record
