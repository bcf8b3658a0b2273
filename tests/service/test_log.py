"""The log: everything comes back, watermarks are thinned without loss, bad lines are named."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from referee.rules.errors import BadLog
from referee.rules.referee import Referee, replay
from referee.rules.verdicts import Verdict
from referee.service.log import LogWriter, read_log


def test_log_replays_to_the_same_verdicts(game: tuple[Path, list[Verdict]]) -> None:
    path, said = game
    log = read_log(path)
    assert list(log.verdicts) == said
    assert replay(log.header, log.observations)[: len(said)] == said
    assert any(verdict.kind == "valid_slap" for verdict in said)


def test_watermarks_that_changed_nothing_are_left_out(log: Path) -> None:
    lines = log.read_text().splitlines()
    marks = [line for line in lines if '"watermark"' in line]
    assert len(marks) < 20


def test_header_names_the_schema_and_every_line_is_json(log: Path) -> None:
    records = [json.loads(line) for line in log.read_text().splitlines()]
    assert records[0]["schema"] == 1
    assert all(set(record) <= {"seen", "said"} for record in records[1:])


def _cut(lines: list[str]) -> list[str]:
    return [*lines[:-1], lines[-1][: len(lines[-1]) // 2]]


def _other_schema(lines: list[str]) -> list[str]:
    return [lines[0].replace('"schema":1', '"schema":99'), *lines[1:]]


def _unknown_player(lines: list[str]) -> list[str]:
    return [line.replace('"player":"Bo"', '"player":7') for line in lines]


def _unknown_kind(lines: list[str]) -> list[str]:
    return [*lines, '{"seen":{"kind":"sneeze","t_ns":1}}']


def _neither(lines: list[str]) -> list[str]:
    return [*lines, '{"heard":{}}']


@pytest.mark.parametrize(
    "spoil",
    [_cut, _other_schema, _unknown_player, _unknown_kind, _neither, lambda lines: ["[]"]],
)
def test_bad_line_is_named_in_one_sentence(
    log: Path, spoil: Callable[[list[str]], list[str]]
) -> None:
    log.write_text("\n".join(spoil(log.read_text().splitlines())))
    with pytest.raises(BadLog, match=r"game\.jsonl line \d+: ") as refused:
        read_log(log)
    assert "\n" not in str(refused.value)


def test_empty_missing_and_binary_files_are_refused_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "empty").write_text("")
    (tmp_path / "binary").write_bytes(b"\xff\x00\xfe")
    for name in ("empty", "binary", "missing"):
        with pytest.raises(BadLog, match=name):
            read_log(tmp_path / name)


def test_log_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(BadLog, match="cannot write the log"):
        LogWriter(tmp_path / "file" / "game.jsonl", Referee("slapjack", ("Ann", "Bo")).header)
