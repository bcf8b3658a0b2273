"""Which checks there are, in which order, and what they come to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from referee.service.doctor import board_checks, pin_checks, program_checks
from referee.service.doctor.codes import Code
from referee.service.doctor.finding import Finding, State, amber, say, skipped
from referee.service.doctor.machine import Machine


@dataclass(frozen=True, slots=True)
class Check:
    """One question to a computer."""

    name: str
    ask: Callable[[Machine], Finding]
    only_on_a_pi: bool = False


CHECKS = (
    Check("model", board_checks.check_model, only_on_a_pi=True),
    Check("kernel", pin_checks.check_kernel, only_on_a_pi=True),
    Check("power", board_checks.check_power, only_on_a_pi=True),
    Check("temperature", board_checks.check_temperature),
    Check("space", board_checks.check_space),
    Check("storage", board_checks.check_writable),
    Check("clocks", board_checks.check_sleep),
    Check("date", board_checks.check_date),
    Check("network", board_checks.check_network),
    Check("gpiozero", pin_checks.check_gpiozero),
    Check("lgpio", pin_checks.check_lgpio, only_on_a_pi=True),
    Check("lgpio folder", pin_checks.check_lgpio_folder),
    Check("LG_WD", pin_checks.check_lg_wd),
    Check("GPIOZERO_PIN_FACTORY", pin_checks.check_factory_setting, only_on_a_pi=True),
    Check("gpiochip", pin_checks.check_gpiochip, only_on_a_pi=True),
    Check("pin factory", pin_checks.check_pin_factory, only_on_a_pi=True),
    Check("other owners", pin_checks.check_other_owner, only_on_a_pi=True),
    Check("fake-rpi", pin_checks.check_fake_rpi, only_on_a_pi=True),
    Check("pins", pin_checks.check_pins_file),
    Check("off button", pin_checks.check_off_button, only_on_a_pi=True),
    Check("groups", board_checks.check_groups, only_on_a_pi=True),
    Check("SPI", board_checks.check_spi, only_on_a_pi=True),
    Check("SPI owners", board_checks.check_spi_shared, only_on_a_pi=True),
    Check("I2C", board_checks.check_i2c, only_on_a_pi=True),
    Check("touch chips", board_checks.check_touch_chips, only_on_a_pi=True),
    Check("camera", program_checks.check_camera, only_on_a_pi=True),
    Check("OpenCV", program_checks.check_opencv),
    Check("card reader", program_checks.check_reader),
    Check("settings", program_checks.check_settings),
    Check("pad kind", program_checks.check_pad_kind, only_on_a_pi=True),
    Check("service", program_checks.check_service),
)
"""In the order of a search: a cause stands before its effects."""

_SEVERITY = (State.RED, State.AMBER)


def examine(machine: Machine, checks: Iterable[Check] = CHECKS) -> Iterator[Finding]:
    """Ask everything. One finding a check, as soon as it is known."""
    for check in checks:
        if check.only_on_a_pi and machine.model is None:
            yield skipped(check.name, say("not applicable: this is no Raspberry Pi"))
        else:
            yield _ask(check, machine)


def _ask(check: Check, machine: Machine) -> Finding:
    try:
        return check.ask(machine)
    except Exception as error:  # the doctor must finish: the other findings may be the reason
        return amber(
            check.name,
            Code.PROGRAM_FAULT,
            say("the check itself failed: {kind}: {error}", kind=type(error).__name__, error=error),
            say("please report it"),
        )


def worst(findings: Iterable[Finding]) -> Finding | None:
    """What the display shows: the first red one, else the first amber one, else nothing."""
    known = list(findings)
    for state in _SEVERITY:
        for finding in known:
            if finding.state is state:
                return finding
    return None


def to_record(finding: Finding) -> dict[str, str | None]:
    """For `--json` and for the page."""
    return {
        "name": finding.name,
        "state": finding.state.value,
        "found": finding.found,
        "mend": finding.mend,
        "code": finding.code.value if finding.code else None,
    }
