"""One player's pad: where it is, how fast it answers, and what an edge says about the slap."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from hardware.clock import NS_PER_MS
from referee.rules.errors import RefereeError
from referee.rules.events import SOFTWARE, Slap

STAMP_NS = 100_000
"""Half of the tie floor: the interrupt handler serves pins in number order, so two stamps closer
than 0.2 ms say nothing about who was first."""
SOFTWARE_STAMP_NS = 20 * NS_PER_MS
"""A stamp taken by a program, on a busy machine."""

EARLIEST_NS = -10 * NS_PER_MS
"""A touch chip may feel a palm that is still in the air: 5 mm at 1 m/s, and as much again."""


class BadPads(RefereeError, ValueError):
    """Pads that cannot be set up like this."""


@dataclass(frozen=True, slots=True)
class PadSettings:
    """One player's pad."""

    pin: int
    """BCM number."""
    active_high: bool = True
    """The level that means "touched"; False for open-drain outputs such as the MPR121's."""
    fastest_ns: int = 0
    """From the touch to the edge, at best."""
    slowest_ns: int = 0
    """From the touch to the edge, at worst."""


PAD_KINDS = {
    "at42qt1010": PadSettings(0, True, 9 * NS_PER_MS, 12 * NS_PER_MS),
    "mpr121": PadSettings(0, False, 0, 4 * NS_PER_MS),
    "ttp223": PadSettings(0, True, 0, 60 * NS_PER_MS),
}
"""Latencies before calibration, by chip.

Source: data sheets. AT42QT1010 in fast mode: 4 detections, spread of one 3 ms cycle; MPR121 one
chip a player: 4 samples of 1 ms; TTP223: 60 ms at most while awake.
"""


def pad_of_kind(kind: str, pin: int, *, idle_high: bool = False) -> PadSettings:
    """An uncalibrated pad.

    Args:
        kind: One of `PAD_KINDS`.
        pin: BCM number.
        idle_high: Its board is high while nobody touches it, whatever is usual for its kind.

    Raises:
        BadPads: No such kind.
    """
    if kind not in PAD_KINDS:
        raise BadPads(f"no such kind of pad: {kind!r}, expected one of {', '.join(PAD_KINDS)}")
    usual = PAD_KINDS[kind]
    return replace(usual, pin=pin, active_high=usual.active_high and not idle_high)


def slap_of(player: str, pad: PadSettings, edge_ns: int, stamp: str) -> Slap:
    """The slap behind an edge: the touch was the pad's latency earlier.

    Its interval is [edge - slowest, edge - fastest], widened by the doubt about the stamp; its time
    is the middle.
    """
    doubt_ns = SOFTWARE_STAMP_NS if stamp == SOFTWARE else STAMP_NS
    first_ns = edge_ns - pad.slowest_ns - doubt_ns
    last_ns = edge_ns - pad.fastest_ns + doubt_ns
    middle_ns = (first_ns + last_ns) // 2
    return Slap(middle_ns, player, middle_ns - first_ns, last_ns - middle_ns, stamp)


def check_pads(pads: Mapping[str, PadSettings], heartbeat_out: int, heartbeat_in: int) -> None:
    """Refuse pads that cannot be.

    Raises:
        BadPads: Two lines share a pin, or a latency is impossible.
    """
    taken = {heartbeat_out: "the heartbeat's output"}
    uses = [(heartbeat_in, "the heartbeat's input")]
    uses += [(pad.pin, f"the pad of {player}") for player, pad in pads.items()]
    for pin, use in uses:
        if pin in taken:
            raise BadPads(f"pin {pin} is both {taken[pin]} and {use} (wiring/pins.toml)")
        taken[pin] = use
    for player, pad in pads.items():
        if not EARLIEST_NS <= pad.fastest_ns <= pad.slowest_ns:
            raise BadPads(
                f"the pad of {player} answers in {pad.fastest_ns} to {pad.slowest_ns} ns, "
                "expected -10 ms <= fastest <= slowest (referee calibrate pads)"
            )
