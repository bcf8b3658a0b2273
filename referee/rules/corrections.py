"""What the table corrects: marks on the timeline, after which the game is replayed.

Nothing is ever taken out of the log. A slap or flip is struck out, a card gets its true name, the
last verdict that moved cards is undone by striking what caused it.
"""

from __future__ import annotations

from dataclasses import replace

from referee.rules.events import (
    CardIs,
    Flip,
    Observation,
    Play,
    Ruling,
    Slap,
    SpitCard,
    Undo,
    VoidFlip,
    VoidSlap,
)
from referee.rules.timeline import Timeline
from referee.rules.verdicts import Split, Tie, Verdict

Said = list[tuple[int, Verdict]]
"""Verdicts with the place in the timeline after which they were said."""

Correcting = CardIs | Undo | VoidFlip | VoidSlap


def is_correction(seen: Observation) -> bool:
    """The history changes, so that it must be replayed."""
    return isinstance(seen, Correcting)


def correct(timeline: Timeline, ruling: Correcting, said: Said) -> int:
    """Mark the timeline; return the event time from which on verdicts are announced again.

    Args:
        timeline: All observations; those before `at` are ruled on.
        ruling: What the table says.
        said: Every verdict so far.

    Source: Slapjack, "Spielablauf" 7 (Unerlaubtes Spiel; nach Ermessen der Spielrunde).
    """
    if isinstance(ruling, Undo):
        return _undo(timeline, ruling, said)
    for place in range(timeline.at):
        seen = timeline.entries[place][5]
        if seen.t_ns == ruling.ref_t_ns and _is_meant(seen, ruling):
            if isinstance(ruling, CardIs):
                timeline.replace(place, replace(seen, card=ruling.card))  # type: ignore[call-arg]
            else:
                timeline.struck.add(id(seen))
    return ruling.ref_t_ns


def _is_meant(seen: Observation, ruling: CardIs | VoidFlip | VoidSlap) -> bool:
    if isinstance(ruling, VoidSlap):
        return isinstance(seen, Slap) and seen.player == ruling.player
    return isinstance(seen, Flip | Play | SpitCard)


def _undo(timeline: Timeline, ruling: Undo, said: Said) -> int:
    """Strike out what caused the last verdict that moved cards."""
    for number in range(len(said) - 1, -1, -1):
        place, verdict = said[number]
        if not getattr(verdict, "cards_moved", ()):
            continue
        if isinstance(verdict, Split):
            _strike_tied(timeline, said[:number])
            return verdict.t_ns
        cause = _cause(timeline, place, verdict)
        if cause is not None:
            timeline.struck.add(id(cause))
            return min(verdict.t_ns, cause.t_ns)
    return ruling.t_ns


def _cause(timeline: Timeline, place: int, verdict: Verdict) -> Observation | None:
    """The slap with the verdict's player and time, else the flip or ruling before it."""
    player = getattr(verdict, "player", "")
    before = [timeline.entries[at][5] for at in range(place)]
    for seen in reversed(before):
        if isinstance(seen, Slap) and (seen.player, seen.t_ns) == (player, verdict.t_ns):
            return seen
    for seen in reversed(before):
        if isinstance(seen, Flip | Ruling | Play) and not is_correction(seen):
            return seen
    return None


def _strike_tied(timeline: Timeline, said: Said) -> None:
    """All slaps of the tied players on the card for which they tied."""
    place, tie = next((at, verdict) for at, verdict in reversed(said) if isinstance(verdict, Tie))
    for at in range(place - 1, len(timeline.entries)):
        seen = timeline.entries[at][5]
        if isinstance(seen, Flip):
            return
        if isinstance(seen, Slap) and seen.player in tie.players:
            timeline.struck.add(id(seen))


def again_from(old: Said, new: Said, ref_ns: int, timeline: Timeline) -> int:
    """Number of the first verdict to announce again: from `ref_ns` on, or where it changed."""
    for number, (place, verdict) in enumerate(new):
        changed = number >= len(old) or old[number][1] != verdict
        if changed or verdict.t_ns >= ref_ns or _placed_ns(timeline, place) >= ref_ns:
            return number
    return len(new)


def _placed_ns(timeline: Timeline, place: int) -> int:
    return timeline.entries[place - 1][0] if place else -(10**18)
