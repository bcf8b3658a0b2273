"""`referee calibrate pads`: taps on foil, pad after pad."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

from hardware.clock import NS_PER_MS, NS_PER_S
from hardware.gpio import kernel_factory, mock_factory
from hardware.mpr121 import open_chip
from hardware.pad_settings import PadSettings, pad_of_kind
from hardware.pins import Pins, read_pins
from hardware.probe import PadProbe
from referee.locale import text
from referee.rules.errors import RefereeError
from referee.rules.events import DEMO
from referee.service.calibration.demo import DemoHand
from referee.service.calibration.file import PadMeasured, read_calibration, write_calibration
from referee.service.calibration.latency import (
    LATE_NS,
    Accuracy,
    BadTaps,
    PadLatency,
    Reason,
    accuracy_of,
    first_contacts,
    latency_of,
    pair_taps,
)
from referee.service.calibration.talk import Talk
from referee.service.config import Settings

PATIENCE_S = 60.0
"""So long without a tap, and nobody is there or the foil is not wired."""
ROUND_S = 0.02
GRADES = {Accuracy.COMPETITION: "good", Accuracy.HOME: "poor", Accuracy.DEMO: "bad"}


def measure_pads(
    settings: Settings,
    file: Path,
    talk: Talk,
    *,
    seats: Sequence[int] | None = None,
    taps: int,
    foil: int | None = None,
    demo: bool = False,
    seed: int = 1,
) -> bool:
    """Measure pads one by one and write each down at once.

    Args:
        settings: Who plays, and with what kind of pads.
        file: Calibration file.
        talk: To the person with the probe.
        seats: Which pads; None: all players'.
        taps: Wanted taps on each.
        foil: Pin of the foil; None: the heartbeat's input, which has nothing else to do now.
        demo: A simulated hand on simulated pins.
        seed: Of that hand.

    Returns:
        Every pad is good for more than a demo (or this was one).

    Raises:
        RefereeError: A pin, a chip or a tap is missing.
    """
    pins = read_pins()
    foil = pins.heartbeat_in if foil is None else foil
    factory = mock_factory() if demo else kernel_factory()
    if demo:
        talk.tell(text("calibrate", "DEMO: a simulated hand taps simulated pads."))
    accuracies = []
    for seat in seats or range(1, len(settings.players) + 1):
        pad = _pad(settings, pins, seat)
        probe = PadProbe(pad, foil, factory, chip=None if demo else _chip(settings, seat))
        try:
            if demo:
                hand = DemoHand(
                    probe, settings.pads.kind, Random(f"{seed} {seat}"), active_high=pad.active_high
                )
                found = _collect(probe, taps, talk, seat, hand.tap, lambda _: None)
            else:
                talk.ask(_instruction(seat, taps))
                found = _collect(probe, taps, talk, seat, lambda: None, time.sleep)
        finally:
            probe.close()
        latency = latency_of(pair_taps(*found))
        measured = _measured(latency, probe.stamp)
        _write(file, seat, measured)
        _report(talk, seat, measured)
        accuracies.append(measured.accuracy)
    return demo or Accuracy.DEMO not in accuracies


def _pad(settings: Settings, pins: Pins, seat: int) -> PadSettings:
    if seat not in pins.pads:
        raise RefereeError(
            f"seat {seat} has no pad, expected one of {', '.join(map(str, pins.pads))} "
            "(wiring/pins.toml)"
        )
    wanted = settings.pads
    return pad_of_kind(wanted.kind, pins.pads[seat], idle_high=seat in wanted.idle_high)


def _chip(settings: Settings, seat: int) -> Any:
    if settings.pads.kind != "mpr121":
        return None
    return open_chip(seat)


def _collect(
    probe: PadProbe,
    wanted: int,
    talk: Talk,
    seat: int,
    tap: Callable[[], None],
    wait: Callable[[float], None],
) -> tuple[list[int], list[int]]:
    """Contacts and edges until there are enough taps.

    Raises:
        BadTaps: Nobody taps, or the foil is not wired.
    """
    contacts: list[int] = []
    edges: list[int] = []
    silent_s, done = 0.0, 0
    while done < wanted:
        tap()
        wait(ROUND_S)
        new_contacts, new_edges = probe.take()
        contacts += new_contacts
        edges += new_edges
        silent_s = 0.0 if new_contacts else silent_s + ROUND_S
        if silent_s > PATIENCE_S:
            raise BadTaps(
                f"no tap within {PATIENCE_S:.0f} s after {done}, expected the foil to touch "
                "ground (is the foil on its pin, and the probe on a ground pin?)"
            )
        done = len(first_contacts(contacts))
        talk.progress(_line(text("calibrate", "seat {seat}: {done} of {wanted} taps"),
                            seat=seat, done=done, wanted=wanted))  # fmt: skip
    wait(LATE_NS / NS_PER_S)  # the pad's answer to the last tap
    return contacts, edges + probe.take()[1]


def _line(message: str, **fields: object) -> str:
    return message.format(**fields)


def _instruction(seat: int, taps: int) -> str:
    return text(
        "calibrate",
        "Seat {seat}: lay the foil on the pad and tap it {taps} times with the grounded probe; "
        "sometimes twice in a second, sometimes after 5 s. Press Enter to begin.",
    ).format(seat=seat, taps=taps)


def _measured(latency: PadLatency, stamp: str) -> PadMeasured:
    accuracy, reasons = accuracy_of(latency, stamp)
    return PadMeasured(
        fastest_ms=latency.fastest_ns / NS_PER_MS,
        slowest_ms=latency.slowest_ns / NS_PER_MS,
        median_ms=latency.median_ns / NS_PER_MS,
        taps=latency.taps,
        missed=latency.missed,
        idle_correlation=latency.idle_correlation,
        accuracy=accuracy.value,
        reasons=tuple(reason.value for reason in reasons),
        demo=stamp == DEMO,
    )


def _write(file: Path, seat: int, measured: PadMeasured) -> None:
    known = read_calibration(file)
    write_calibration(file, replace(known, pads=known.pads | {seat: measured}))


def _report(talk: Talk, seat: int, measured: PadMeasured) -> None:
    accuracy = Accuracy(measured.accuracy)
    talk.tell(
        text(
            "calibrate",
            "seat {seat}: {fastest:.1f} to {slowest:.1f} ms (spread {spread:.1f}), "
            "after a pause {correlation:+.2f}, {missed} missed: {accuracy}",
        ).format(
            seat=seat,
            fastest=measured.fastest_ms,
            slowest=measured.slowest_ms,
            spread=measured.slowest_ms - measured.fastest_ms,
            correlation=measured.idle_correlation,
            missed=measured.missed,
            accuracy=accuracy_word(accuracy),
        ),
        GRADES[accuracy],
    )
    for reason in measured.reasons:
        talk.tell("   " + reason_sentence(Reason(reason)))


def accuracy_word(accuracy: Accuracy) -> str:
    """The class of a pad in one word."""
    return {
        Accuracy.COMPETITION: text("calibrate", "competition"),
        Accuracy.HOME: text("calibrate", "home"),
        Accuracy.DEMO: text("calibrate", "demo"),
    }[accuracy]


def reason_sentence(reason: Reason) -> str:
    """Why a pad is not good for more, and what helps."""
    return {
        Reason.STAMP: text("calibrate", "the edges have no time stamps of the kernel"),
        Reason.SPREAD: text(
            "calibrate", "spread over 6 ms: a faster chip (AT42QT1010 in fast mode)"
        ),
        Reason.IDLE: text(
            "calibrate", "slower after a pause: the chip falls asleep, which nothing can correct"
        ),
        Reason.UNTRIED: text(
            "calibrate", "too few taps after a pause of 3 s, or too few within a second"
        ),
        Reason.MISSED: text(
            "calibrate", "taps that the pad did not feel: thinner cover, or larger electrode"
        ),
    }[reason]
