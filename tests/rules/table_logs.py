"""Random tables and logs for property tests."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

from hypothesis import strategies as st

from referee.rules.cards import UNREAD, Card, deck_of_52
from referee.rules.events import (
    Award,
    Call,
    CardIs,
    Flip,
    HiddenCard,
    Observation,
    Penalty,
    Slap,
    Tick,
    Undo,
    VoidFlip,
    VoidSlap,
    Watermark,
)
from referee.rules.house_rules import HouseRules, house_rules
from referee.rules.house_rules_check import CHOICES, TRIGGER_NAMES, games_of
from referee.rules.position import Deal, Position, Start
from referee.rules.referee import Referee
from referee.rules.verdicts import AskTable, Hold, Verdict

MS = 1_000_000
CARDS = [Card(rank, suit) for rank in ("J", "9", "Q", "K", "A", "10", "7") for suit in "SH"]
GAPS_MS = (0, 1, 5, 20, 60, 100, 300, 1000, 2500)


@dataclass(frozen=True)
class Table:
    """Everything that a log needs."""

    game: str
    players: tuple[str, ...]
    rules: HouseRules
    start: Start
    log: tuple[Observation, ...]

    def referee(self) -> Referee:
        return Referee(self.game, self.players, self.rules, self.start, lockout_ms=0)


def verdicts_of(table: Table, log: list[Observation] | None = None) -> list[Verdict]:
    """All verdicts but the notices about waiting, which depend on what arrived when."""
    referee = table.referee()
    seen = list(table.log) if log is None else log
    said = [verdict for each in seen for verdict in referee.observe(each)]
    return final_words(said + referee.finish())


def final_words(said: list[Verdict]) -> list[Verdict]:
    return [verdict for verdict in said if not isinstance(verdict, Hold | AskTable)]


def with_watermarks(log: list[Observation]) -> list[Observation]:
    """After each observation both sources promise all that they can."""
    marked: list[Observation] = []
    for place, seen in enumerate(log):
        marked.append(seen)
        begins = [each.t_ns - getattr(each, "early_ns", 0) for each in log[place + 1 :]]
        if begins:
            marked += [Watermark(min(begins) - 1, source) for source in ("pads", "camera")]
    return marked


@st.composite
def rules_for(draw: st.DrawFn, game: str) -> HouseRules:
    """Any house rules that do not contradict each other."""
    options: dict[str, Any] = {}
    changed = draw(
        st.sets(st.sampled_from([f.name for f in fields(HouseRules) if game in games_of(f.name)]))
    )
    for name in sorted(changed - {"decks", "jokers", "challenge", "slap_ban"}):
        default = getattr(HouseRules(), name)
        if name == "triggers":
            names = [each for each in TRIGGER_NAMES if each != "joker"]
            options[name] = draw(st.lists(st.sampled_from(names), min_size=1, max_size=5))
        elif name in CHOICES:
            options[name] = draw(st.sampled_from(CHOICES[name]))
        elif isinstance(default, bool):
            options[name] = draw(st.booleans())
        elif name.endswith("_ms"):
            options[name] = draw(st.sampled_from((0, 1, 10, 50, 100, 500, 1500)))
        else:
            options[name] = draw(st.integers(1, 4))
    if "slap_ban" in changed and not options.get("pile_on_false_slap"):
        options["slap_ban"] = draw(st.sampled_from(CHOICES["slap_ban"]))
    return house_rules(game, options)


@st.composite
def starts(draw: st.DrawFn, players: tuple[str, ...]) -> Start:
    if draw(st.booleans()):
        return Deal(dealer=draw(st.sampled_from(players)))
    counts = tuple((player, draw(st.integers(1, 5))) for player in players)
    pile = draw(st.lists(st.sampled_from(deck_of_52()), max_size=3))
    return Position(
        counts=counts,
        pile=tuple(pile),
        pile_burn=draw(st.integers(0, 1)),
        last_flipper=draw(st.sampled_from((*players, None))),
        to_act=draw(st.sampled_from(players)),
    )


@st.composite
def tables(draw: st.DrawFn, *, judge: bool = True, exact: bool = False) -> Table:
    """A table with random house rules and a random log in the order of event time.

    Args:
        judge: The table overrules now and then.
        exact: All intervals have no width.
    """
    game = draw(st.sampled_from(("slapjack", "ratscrew")))
    players = tuple("ABCDE"[: draw(st.integers(2, 5))])
    rules, start = draw(rules_for(game)), draw(starts(players))
    log: list[Observation] = []
    t_ns = 1000 * MS
    for seq in range(draw(st.integers(3, 30))):
        t_ns += draw(st.sampled_from(GAPS_MS)) * MS
        log.append(draw(_happenings(players, t_ns, seq, log, judge=judge, exact=exact)))
    return Table(game, players, rules, start, tuple(log))


@st.composite
def _happenings(
    draw: st.DrawFn,
    players: tuple[str, ...],
    t_ns: int,
    seq: int,
    log: list[Observation],
    *,
    judge: bool,
    exact: bool,
) -> Observation:
    player = draw(st.sampled_from(players))
    early_ns = 0 if exact else draw(st.sampled_from((0, 0, 3, 5, 17, 40))) * MS
    kind = draw(st.integers(0, 23 if judge else 19))
    if kind < 10:
        card = draw(st.sampled_from([*CARDS, UNREAD]))
        flipper = player if kind == 0 else None
        return Flip(t_ns, card, flipper, early_ns=early_ns, seq=seq)
    if kind < 18:
        late_ns = 0 if exact else draw(st.sampled_from((0, 1))) * MS
        return Slap(t_ns, player, early_ns=min(early_ns, 5 * MS), late_ns=late_ns, seq=seq)
    if kind < 20:
        return Call(t_ns, player, seq=seq) if kind == 18 else Tick(t_ns, seq=seq)
    return draw(_rulings(players, t_ns, seq, log, player))


@st.composite
def _rulings(
    draw: st.DrawFn,
    players: tuple[str, ...],
    t_ns: int,
    seq: int,
    log: list[Observation],
    player: str,
) -> Observation:
    meant = draw(st.sampled_from(log)) if log else None
    if isinstance(meant, Slap):
        return VoidSlap(t_ns, meant.player, meant.t_ns, seq=seq)
    if isinstance(meant, Flip):
        card = draw(st.sampled_from(CARDS))
        void = VoidFlip(t_ns, meant.t_ns, seq=seq)
        return draw(st.sampled_from((void, CardIs(t_ns, card, meant.t_ns, seq=seq))))
    target = draw(st.sampled_from((*players, "pile", "pile_bottom")))
    return draw(
        st.sampled_from(
            (
                Award(t_ns, player, seq=seq),
                Penalty(t_ns, player, target, 1, seq=seq),
                HiddenCard(t_ns, player, 1, seq=seq),
                Undo(t_ns, seq=seq),
            )
        )
    )


def moved(item: Any, by_ns: int) -> Any:
    """The same fact, later."""
    times = {f.name: getattr(item, f.name) + by_ns for f in fields(item) if f.name in _TIMES}
    return replace(item, **times)


_TIMES = ("t_ns", "ref_t_ns")


def renamed(value: Any, names: dict[str, str]) -> Any:
    """The same, with other names for the players."""
    if isinstance(value, str):
        return names.get(value, value)
    if isinstance(value, tuple):
        return tuple(renamed(each, names) for each in value)
    if isinstance(value, Card):
        return value
    if hasattr(value, "__dataclass_fields__"):
        init = {f.name: renamed(getattr(value, f.name), names) for f in fields(value)}
        return replace(value, **init)
    return value
