"""The worst finding on the LED matrix, for a box without a screen."""

from __future__ import annotations

from hardware.announcement import Announcement, Motion, Priority
from referee.service.announce import announce_state
from referee.service.doctor.finding import Finding, State


def announce_finding(finding: Finding | None) -> Announcement:
    """Its code under a warning sign; without one the box is ready.

    Red blinks, amber pulses.
    """
    if finding is None or finding.code is None:
        return announce_state("ready")
    return Announcement(
        kind="fault",
        icon="warning",
        fact=finding.code.value,
        sentence=f"{finding.code.value}: {finding.found}",
        motion=Motion.BLINK if finding.state is State.RED else Motion.PULSE,
        priority=Priority.FAULT,
    )
