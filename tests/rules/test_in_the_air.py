"""A card that was in the air when the pile under it was slapped away."""

from __future__ import annotations

import pytest

from referee.rules.cards import parse_card
from referee.rules.events import Flip, Observation, Slap, Watermark
from referee.rules.flips import FROM_PAD_TO_PILE_NS
from referee.rules.house_rules import house_rules
from referee.rules.pile import NS_PER_MS as MS
from referee.rules.position import Position
from referee.rules.referee import Referee
from referee.rules.verdicts import Doubt, FalseSlap

WON_NS = 2000 * MS
LATEST_NS = WON_NS + FROM_PAD_TO_PILE_NS


def _flip(t_ns: int, card: str, player: str | None = None) -> Flip:
    return Flip(t_ns, parse_card(card), player, early_ns=17 * MS)


def _table(*more: Observation, game: str = "ratscrew", **options: object) -> Referee:
    """A, then B have laid a pair; A takes it while C's card may be in the air."""
    start = Position(counts=(("A", 9), ("B", 9), ("C", 9)), to_act="A")
    options = {"triggers": ["pair"], "lead_after_slap": "winner"} | options
    referee = Referee(game, "ABC", house_rules(game, options), start)
    log = [_flip(1000 * MS, "7S"), _flip(1500 * MS, "7H"), Slap(WON_NS, "A"), *more]
    end_ns = max(one.t_ns for one in log) + 5000 * MS
    for one in [*log, Watermark(end_ns, "pads"), Watermark(end_ns, "camera")]:
        referee.observe(one)
    return referee


@pytest.mark.parametrize("game", ["ratscrew", "slapjack"])
@pytest.mark.parametrize(
    ("t_ns", "flipper"),
    [(WON_NS + 1, "C"), (LATEST_NS - 1, "C"), (LATEST_NS, "C"), (LATEST_NS + 1, "A")],
)
def test_card_that_lands_just_after_a_slap_is_his_whose_turn_it_was(
    game: str, t_ns: int, flipper: str
) -> None:
    # It was booked for the winner, whose hand was on his pad, and the books were off by one.
    table = _table(_flip(t_ns, "4D"), game=game).table
    counts = {"A": 10, "B": 8, "C": 9}
    counts[flipper] -= 1
    assert dict(table.counts) == counts
    assert table.pile == 1
    assert table.to_act == ("A" if flipper == "C" else "B")


def test_card_without_a_width_is_as_the_definition_of_the_rules_has_it() -> None:
    table = _table(Flip(WON_NS + 100 * MS, parse_card("4D"))).table
    assert dict(table.counts) == {"A": 9, "B": 8, "C": 9}


def test_card_that_was_seen_in_somebodys_hand_is_his() -> None:
    table = _table(_flip(WON_NS + 100 * MS, "4D", "A")).table
    assert dict(table.counts) == {"A": 9, "B": 8, "C": 9}


def test_court_card_that_was_in_the_air_demands() -> None:
    table = _table(_flip(WON_NS + 100 * MS, "QD")).table
    assert table.challenge == ("C", "A", 2)
    assert table.to_act == "A"


def test_table_where_the_next_after_the_flipper_leads_sees_no_difference() -> None:
    one = _table(_flip(WON_NS + 100 * MS, "4D"), lead_after_slap="next_after_flipper")
    assert dict(one.table.counts) == {"A": 10, "B": 8, "C": 8}
    assert one.table.to_act == "A"


@pytest.mark.parametrize(("next_card", "kind"), [((), Doubt), ((4000,), FalseSlap)])
def test_slap_on_a_card_that_lies_on_the_won_pile_is_in_doubt(
    next_card: tuple[int, ...], kind: type
) -> None:
    """The won cards still lie under it: who slaps has seen a pair of both piles."""
    later = [_flip(ms * MS, "KD") for ms in next_card]
    slap_ns = (next_card[0] if next_card else 2200) * MS + 400 * MS
    referee = _table(_flip(WON_NS + 100 * MS, "7D"), *later, Slap(slap_ns, "B"))
    assert [type(v) for v in referee.verdicts if isinstance(v, FalseSlap | Doubt)] == [kind]


def test_demand_that_was_paid_leaves_nobody_a_card_in_the_air() -> None:
    start = Position(counts=(("A", 9), ("B", 9), ("C", 9)), to_act="A")
    referee = Referee("ratscrew", "ABC", house_rules("ratscrew"), start)
    log = [_flip(1000 * MS, "JS"), _flip(2000 * MS, "4H"), _flip(2100 * MS, "9D")]
    for one in [*log, Watermark(9000 * MS, "pads"), Watermark(9000 * MS, "camera")]:
        referee.observe(one)
    assert dict(referee.table.counts) == {"A": 9 - 1 + 2 - 1, "B": 8, "C": 9}
