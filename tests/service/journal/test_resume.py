"""What a power cut leaves open: waiting slaps, a play-off, an open claim, a question."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from journal_games import begin, play

from referee.rules.cards import UNREAD, parse_card
from referee.rules.events import Flip, Observation, Slap, TableAnswer, Undo, Watermark
from referee.rules.house_rules import house_rules
from referee.rules.referee import Referee
from referee.rules.verdicts import Verdict
from referee.service.box import Box
from referee.service.journal.clock import Sitting
from referee.service.journal.journal import Journal
from referee.service.journal.resume import after_power_cut

MS = 1_000_000
SECOND_BOOT_NS = 4_000 * MS


def _flip(t_ms: int, card: str) -> Flip:
    return Flip(t_ms * MS, parse_card(card), early_ns=17 * MS)


def _slap(t_ms: int, player: str) -> Slap:
    return Slap(t_ms * MS, player, early_ns=MS, late_ns=MS)


def _marks(t_ms: int) -> list[Observation]:
    return [Watermark(t_ms * MS, "pads"), Watermark(t_ms * MS, "camera")]


class Silent:
    """No pads, no camera: everything is told."""

    is_finished = False

    def observations(self) -> list[Observation]:
        return []

    def frames(self) -> list[object]:
        return []

    def close(self) -> None:
        """Nothing to release."""


def _power_cut(
    path: Path, referee: Referee, seen: Iterable[Observation]
) -> tuple[Box, Journal, list[Verdict], list[Verdict]]:
    """Play, cut the power, go on in another boot.

    Returns:
        The box that goes on, what was shown before, and what it says at first.
    """
    journal = Journal.open(path)
    before = play(begin(journal, referee), referee, seen)
    journal.close()
    journal = Journal.open(path)
    game = journal.open_game()
    assert game is not None
    assert list(game.said) == before
    again = game.replayed()
    assert again.table == referee.table
    sitting = game.sitting.after(game.last_ns, "second boot", SECOND_BOOT_NS)
    record = journal.go_on(game, sitting)
    silent = Silent()
    box = Box(again, [silent], silent, [], log=record, offset_ns=sitting.offset_ns)  # type: ignore[list-item, arg-type]
    return box, journal, before, box.tell(after_power_cut(again, SECOND_BOOT_NS))


def _later(ms: int, observations: Iterable[Observation]) -> list[Observation]:
    """Stamps of the second boot: so long after it began."""
    return [replace(one, t_ns=SECOND_BOOT_NS + ms * MS + one.t_ns) for one in observations]


def _kinds(said: Iterable[Verdict]) -> list[str]:
    return [verdict.kind for verdict in said]


def test_waiting_slap_is_a_let_and_costs_nobody_a_card(path: Path) -> None:
    referee = Referee("slapjack", ("Ann", "Bo"))
    # The jack came down, but the power was cut before the camera had read it.
    seen = [_flip(1000, "7H"), *_marks(1200), _slap(1900, "Bo"), Watermark(1990 * MS, "pads")]
    box, journal, _, said = _power_cut(path, referee, seen)
    assert _kinds(said) == ["hold", "let"]
    later = box.tell(_later(0, _marks(5000)))
    assert "false_slap" not in _kinds(later)
    assert dict(box.referee.table.counts)["Bo"] == 26
    assert box.referee.waiting == []
    assert list(journal.log(1).verdicts)[-2:] == said
    journal.close()


def test_without_a_waiting_slap_nothing_is_said(path: Path) -> None:
    referee = Referee("slapjack", ("Ann", "Bo"))
    _, journal, _, said = _power_cut(path, referee, [_flip(1000, "7H"), *_marks(1200)])
    assert said == []
    journal.close()


def test_slap_that_was_already_shown_as_held_is_a_let_too(path: Path) -> None:
    referee = Referee("slapjack", ("Ann", "Bo"))
    seen = [_flip(1000, "7H"), *_marks(1200), _slap(1900, "Bo"), Watermark(6500 * MS, "pads")]
    _, journal, before, said = _power_cut(path, referee, seen)
    assert _kinds(before)[-2:] == ["hold", "ask_table"]
    assert _kinds(said) == ["let"]
    journal.close()


def test_question_about_an_unread_card_is_still_open(path: Path) -> None:
    rules = house_rules("slapjack")
    referee = Referee("slapjack", ("Ann", "Bo"), rules)
    seen = [Flip(1000 * MS, UNREAD, early_ns=17 * MS), _slap(1400, "Bo"), *_marks(2000)]
    box, journal, before, said = _power_cut(path, referee, seen)
    assert "pending_slap" in _kinds(before)
    assert said == []
    answered = box.tell([*_later(3000, [TableAnswer(0, "slap")]), *_later(0, _marks(4000))])
    assert "valid_slap" in _kinds(answered)
    assert dict(box.referee.table.counts)["Bo"] == 27
    journal.close()


def test_play_off_goes_on(path: Path) -> None:
    referee = Referee("slapjack", ("Ann", "Bo"), house_rules("slapjack", {"tie_rule": "replay"}))
    seen = [
        _flip(1000, "JS"),
        _slap(1300, "Ann"),
        _slap(1300, "Bo"),
        *_marks(2000),
    ]
    box, journal, before, said = _power_cut(path, referee, seen)
    assert "tie" in _kinds(before)
    assert said == []
    more = [_flip(1000, "4C"), _slap(1350, "Bo"), *_marks(3000)]
    assert "valid_slap" in _kinds(box.tell(_later(0, more)))
    journal.close()


def _claim(path: Path) -> tuple[Box, Journal]:
    """Bo has a claim on a pile that could also be slapped; two seconds are left, or fewer."""
    referee = Referee("ratscrew", ("Ann", "Bo"))
    seen = [_flip(1000, "4H"), _flip(1500, "JS"), _flip(2000, "4C"), *_marks(2100)]
    box, journal, before, said = _power_cut(path, referee, seen)
    assert _kinds(before)[-1] == "card_seen"
    assert said == []
    return box, journal


def test_open_claim_is_paid_out_when_time_goes_on(path: Path) -> None:
    box, journal = _claim(path)
    assert _kinds(box.tell(_later(0, _marks(10_000)))) == ["challenge_won"]
    assert dict(box.referee.table.counts) == {"Ann": 24, "Bo": 28}
    journal.close()


def test_open_claim_can_still_be_slapped_away(path: Path) -> None:
    box, journal = _claim(path)
    said = box.tell(_later(0, [_slap(300, "Ann"), *_marks(10_000)]))
    assert "valid_slap" in _kinds(said)
    assert dict(box.referee.table.counts) == {"Ann": 27, "Bo": 25}
    journal.close()


def test_correction_after_the_cut_reaches_back_before_it(path: Path) -> None:
    referee = Referee("slapjack", ("Ann", "Bo"))
    seen = [_flip(1000, "7H"), _slap(1300, "Bo"), *_marks(2000)]
    box, journal, before, _ = _power_cut(path, referee, seen)
    assert "false_slap" in _kinds(before)
    said = box.tell([*_later(500, [Undo(0)]), *_later(0, _marks(1000))])
    assert _kinds(said)[0] == "correction"
    assert dict(box.referee.table.counts) == {"Ann": 25, "Bo": 26}
    game = journal.open_game()
    assert game is not None
    assert game.replayed().table == box.referee.table
    journal.close()


def test_second_cut_in_the_same_boot_keeps_the_offset(path: Path) -> None:
    referee = Referee("slapjack", ("Ann", "Bo"))
    box, journal, _, _ = _power_cut(path, referee, [_flip(1000, "7H"), *_marks(1200)])
    box.tell(_later(0, [_flip(1000, "8H"), *_marks(1200)]))
    box.close()
    journal.close()
    journal = Journal.open(path)
    game = journal.open_game()
    assert game is not None
    again = game.sitting.after(game.last_ns, "second boot", SECOND_BOOT_NS + 9_000 * MS)
    assert again == Sitting("second boot", box.offset_ns)
    journal.close()
