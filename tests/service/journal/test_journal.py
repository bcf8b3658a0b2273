"""The journal of a season: games come back as they were played, and one that is open goes on."""

from pathlib import Path

import pytest
from journal_games import BEGUN_MS, BOX, begin, new_game, play

from referee.rules.cards import parse_card
from referee.rules.errors import BadLog
from referee.rules.events import Flip, Slap, Watermark
from referee.rules.referee import Referee
from referee.service.journal.check import check
from referee.service.journal.clock import Sitting
from referee.service.journal.journal import Journal, season_file
from referee.service.journal.trouble import JournalInUse


def test_game_comes_back_as_it_was_played(journal: Journal) -> None:
    referee, seen = new_game()
    record = begin(journal, referee)
    shown = play(record, referee, seen)
    record.end(referee.table, BEGUN_MS + 60_000)
    log = journal.log(record.id)
    assert log.header == referee.header
    assert list(log.verdicts) == shown
    assert any(verdict.kind == "valid_slap" for verdict in shown)
    info = journal.games()[0]
    assert (info.id, info.begun_ms, info.ended_ms) == (1, BEGUN_MS, BEGUN_MS + 60_000)
    assert info.players == referee.header.players
    assert info.box == BOX


def test_open_game_goes_on_with_the_same_books(path: Path) -> None:
    whole, seen = new_game()
    expected = [verdict for one in seen for verdict in whole.observe(one)]
    referee, _ = new_game()
    journal = Journal.open(path)
    shown = play(begin(journal, referee), referee, seen[:120])
    journal.close()  # no end: the power was cut

    journal = Journal.open(path)
    game = journal.open_game()
    assert game is not None
    assert list(game.said) == shown
    again = game.replayed()
    assert again.table == referee.table
    record = journal.go_on(game, Sitting("first boot"))
    shown += play(record, again, seen[120:])
    assert shown == expected
    record.end(again.table, BEGUN_MS + 1)
    assert list(journal.log(1).verdicts) == expected
    assert journal.open_game() is None
    journal.close()


def test_last_words_of_a_game_are_kept_and_replayed(journal: Journal) -> None:
    referee = Referee("slapjack", ("Ann", "Bo"))
    record = begin(journal, referee)
    seen = [Flip(10**9, parse_card("JS")), Slap(13 * 10**8, "Bo"), Watermark(10**9, "camera")]
    shown = play(record, referee, seen)
    last_words = referee.finish()
    assert [verdict.kind for verdict in last_words][-1] == "valid_slap"
    record.end(referee.table, BEGUN_MS + 1, last_words)
    assert list(journal.log(1).verdicts) == [*shown, *last_words]
    assert all(finding.ok for finding in check(journal))


def test_nothing_is_kept_after_the_end(journal: Journal) -> None:
    referee, seen = new_game(60)
    record = begin(journal, referee)
    play(record, referee, seen)
    record.end(referee.table, BEGUN_MS + 1)
    before = journal.entries(1)
    record.note("table", {"cards": 1})
    record.crop("1-1-before", b"jpeg")
    record.end(referee.table, BEGUN_MS + 9)
    record.close()
    assert journal.entries(1) == before
    assert journal.crops(1) == []
    assert journal.games()[0].ended_ms == BEGUN_MS + 1


def test_new_game_ends_the_open_one(journal: Journal) -> None:
    first, seen = new_game()
    play(begin(journal, first), first, seen[:50])
    second, _ = new_game(seed=2)
    record = begin(journal, second, BEGUN_MS + 5)
    assert [info.ended_ms for info in journal.games()] == [BEGUN_MS + 5, None]
    game = journal.open_game()
    assert game is not None
    assert game.id == record.id == 2


def test_second_box_is_refused_kindly(journal: Journal) -> None:
    with pytest.raises(JournalInUse, match="another box writes the journal"):
        Journal.open(journal.path)


def test_reader_sees_a_game_while_it_is_played(journal: Journal) -> None:
    referee, seen = new_game()
    record = begin(journal, referee)
    shown = play(record, referee, seen[:100])
    reader = Journal.open_read_only(journal.path)
    assert list(reader.log(record.id).verdicts) == shown
    shown += play(record, referee, seen[100:])
    assert list(reader.log(record.id).verdicts) == shown
    reader.close()


def test_slap_without_a_verdict_is_in_the_file_at_once(journal: Journal) -> None:
    referee, _ = new_game()
    record = begin(journal, referee)
    slap = Slap(2 * 10**9, "Bo")
    record.write(slap, [])
    reader = Journal.open_read_only(journal.path)
    assert reader.log(record.id).observations == (slap,)
    reader.close()


def test_game_that_is_not_there_is_named(journal: Journal) -> None:
    with pytest.raises(BadLog, match=r"no game 7 in .*season-2026\.db"):
        journal.log(7)


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({"STATE_DIRECTORY": "/var/lib/referee", "HOME": "/home/a"}, "/var/lib/referee"),
        ({"STATE_DIRECTORY": "/var/lib/a:/var/lib/b"}, "/var/lib/a"),
        ({"HOME": "/home/a"}, "/home/a/.local/state/referee"),
        ({"HOME": "/home/a", "XDG_STATE_HOME": "/s"}, "/s/referee"),
    ],
)
def test_season_is_kept_where_the_service_or_the_user_may_write(
    environment: dict[str, str], expected: str
) -> None:
    assert season_file(2026, environment) == Path(expected) / "season-2026.db"
