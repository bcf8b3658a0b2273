"""Every trap the doctor knows, on computers made of files and answers."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
import typer

from hardware.display import BadDisplay
from hardware.drawing import steps
from hardware.pins import BadPins, Pins
from referee.commands import doctor
from referee.service.config import OffSettings, PadsSettings, Settings, parse_settings
from referee.service.doctor import board_checks, pin_checks, program_checks, reading
from referee.service.doctor.codes import Code
from referee.service.doctor.examination import CHECKS, Check, examine, to_record, worst
from referee.service.doctor.finding import Finding, State
from referee.service.doctor.machine import (
    COMMAND_NOT_FOUND,
    Answer,
    Clocks,
    Machine,
    at_least,
    own_groups,
    read_chip_label,
    read_clocks,
    run_command,
    version_of,
)
from referee.service.doctor.shown import announce_finding

S = 1_000_000_000
NOW = Clocks(100 * S, 100 * S, 1_800_000_000 * S)
PINS = Pins({1: 5, 2: 6}, heartbeat_out=21, heartbeat_in=20, lights={1: 4}, buzzer=15)
UNIT = {
    "LoadState": "loaded",
    "ActiveState": "active",
    "Type": "notify",
    "WatchdogUSec": "10s",
    "NRestarts": "0",
    "UnitFileState": "enabled",
}
NO_CHIPS = {"I2C", "touch chips"}
VERSIONS = {"gpiozero": "2.0.1.post3", "lgpio": "0.2.2.0"}


@dataclass
class Fake:
    """A Pi 5 on which all is well, until a test breaks something."""

    root: Path
    answers: dict[str, Answer] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=lambda: dict(VERSIONS))
    labels: dict[str, str] = field(default_factory=lambda: {"gpiochip0": "pinctrl-rp1"})
    locked: set[str] = field(default_factory=set)
    changes: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.put("proc/device-tree/model", "Raspberry Pi 5 Model B Rev 1.0\0")
        self.put("proc/sys/kernel/osrelease", "6.12.47+rpt-rpi-2712\n")
        self.put("proc/mounts", "/dev/mmcblk0p2 / ext4 rw,noatime 0 0\n")
        self.put("sys/class/thermal/thermal_zone0/temp", "52123\n")
        self.put("boot/firmware/config.txt", "dtparam=spi=on # LED\n")
        self.put("run/systemd/timesync/synchronized", "")
        for device in ("dev/gpiochip0", "dev/spidev0.0", "dev/i2c-1"):
            self.put(device, "")
        self.answer("vcgencmd", "throttled=0x0\n")
        self.answer("hostname", "192.168.1.7 fe80::1\n")
        self.answer("import lgpio", "True\n")
        self.answer("kernel_factory", "kernel\n")
        self.answer("import cv2", "5.0.0\n")
        self.answer("Picamera2", "['imx708']\n")
        self.answer("referee.service.doctor.reading", "7H JS -> 7H JS\n")
        self.unit()

    def put(self, name: str, content: str) -> None:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)

    def remove(self, name: str) -> None:
        (self.root / name).unlink()

    def answer(self, command: str, out: str = "", error: str = "", code: int = 0) -> None:
        self.answers[command] = Answer(code, out, error)

    def unit(self, **facts: str) -> None:
        lines = (UNIT | facts).items()
        self.answer("systemctl", "\n".join(f"{name}={value}" for name, value in lines))

    def run(self, words: Sequence[str]) -> Answer:
        asked = " ".join(words)
        for command, answer in self.answers.items():
            if command in asked:
                return answer
        return Answer(COMMAND_NOT_FOUND, error=f"{words[0]}: not found")

    @property
    def machine(self) -> Machine:
        given: dict[str, Any] = {
            "root": self.root,
            "environment": {},
            "folder": Path("/run/referee"),
            "scratch": Path("/tmp"),
            "user": "referee",
            "groups": frozenset({"gpio", "spi", "i2c", "video"}),
            "run": self.run,
            "clocks": lambda: NOW,
            "chip_label": lambda path: self.labels.get(path.name),
            "is_usable": lambda path: path.name not in self.locked,
            "free_bytes": lambda path: 9_000_000_000,
            "version": self.versions.get,
            "pins": lambda: PINS,
        }
        return Machine(**(given | self.changes))


@pytest.fixture
def pi(tmp_path: Path) -> Fake:
    return Fake(tmp_path)


def _is(finding: Finding, state: State, code: Code | None = None, said: str = "") -> None:
    assert finding.state is state, finding
    assert finding.code is code, finding
    assert said in finding.found, finding
    assert bool(finding.mend) is (state in (State.AMBER, State.RED)), finding


# --- the whole examination


def test_good_pi_is_green_everywhere(pi: Fake) -> None:
    findings = list(examine(pi.machine))
    assert [finding for finding in findings if finding.mend] == []
    assert {finding.name for finding in findings if finding.state is State.SKIPPED} == NO_CHIPS
    assert worst(findings) is None


def test_laptop_is_told_what_does_not_apply(pi: Fake) -> None:
    pi.remove("proc/device-tree/model")
    findings = {finding.name: finding for finding in examine(pi.machine)}
    only_on_a_pi = {check.name for check in CHECKS if check.only_on_a_pi}
    skipped = {name for name, finding in findings.items() if finding.state is State.SKIPPED}
    assert only_on_a_pi <= skipped
    assert "no Raspberry Pi" in findings["gpiochip"].found
    assert findings["card reader"].state is State.GREEN
    assert not [finding for finding in findings.values() if finding.state is State.RED]


def test_every_check_answers_under_its_own_name(pi: Fake) -> None:
    assert [finding.name for finding in examine(pi.machine)] == [check.name for check in CHECKS]
    assert len({check.name for check in CHECKS}) == len(CHECKS)


def test_check_that_breaks_does_not_end_the_examination(pi: Fake) -> None:
    def breaks(_: Machine) -> Finding:
        raise ZeroDivisionError("a fault of ours")

    good = Check("power", board_checks.check_power)
    broken, after = examine(pi.machine, [Check("kernel", breaks), good])
    _is(broken, State.AMBER, Code.PROGRAM_FAULT, "ZeroDivisionError: a fault of ours")
    _is(after, State.GREEN)


def test_worst_is_the_first_red_one_else_the_first_amber_one() -> None:
    one = Finding("a", State.AMBER, "", "", Code.TOO_HOT)
    two = Finding("b", State.RED, "", "", Code.NO_CAMERA)
    three = Finding("c", State.RED, "", "", Code.NO_DISPLAY)
    assert worst([one, two, three]) is two
    assert worst([one]) is one
    assert worst([Finding("d", State.SKIPPED, "")]) is None


# --- pins


@pytest.mark.parametrize("version", [None, "1.6.2", "2.0.1", "2.0.1.post1", "2.0.1.post2"])
def test_old_gpiozero_is_red(pi: Fake, version: str | None) -> None:
    pi.versions = {"gpiozero": version} if version else {}
    _is(pin_checks.check_gpiozero(pi.machine), State.RED, Code.NO_KERNEL_TIME, version or "0")


def test_newer_gpiozero_is_green(pi: Fake) -> None:
    pi.versions["gpiozero"] = "2.1"
    _is(pin_checks.check_gpiozero(pi.machine), State.GREEN)


def test_empty_lgpio_of_pypi_is_red(pi: Fake) -> None:
    pi.versions["lgpio"] = "0.0.0.2"
    pi.answer("import lgpio", "False\n")
    _is(pin_checks.check_lgpio(pi.machine), State.RED, Code.NO_KERNEL_TIME, "0.0.0.2 is an empty")


def test_missing_lgpio_is_red(pi: Fake) -> None:
    pi.answer(
        "import lgpio", error="Traceback\nModuleNotFoundError: No module named 'lgpio'", code=1
    )
    _is(
        pin_checks.check_lgpio(pi.machine),
        State.RED,
        Code.NO_KERNEL_TIME,
        "No module named 'lgpio'",
    )


def test_old_lgpio_is_red(pi: Fake) -> None:
    pi.versions["lgpio"] = "0.2.0.0"
    _is(pin_checks.check_lgpio(pi.machine), State.RED, Code.NO_KERNEL_TIME, "0.2.2 or newer")


def test_folder_that_cannot_be_written_is_named(pi: Fake) -> None:
    pi.locked = {"referee"}
    _is(pin_checks.check_lgpio_folder(pi.machine), State.AMBER, Code.NO_FOLDER, "/run/referee")
    pi.locked = {"tmp"}
    _is(pin_checks.check_lgpio_folder(pi.machine), State.RED, Code.NO_FOLDER, "/tmp")


def test_lg_wd_is_named(pi: Fake) -> None:
    pi.changes["environment"] = {"LG_WD": "/somewhere"}
    _is(pin_checks.check_lg_wd(pi.machine), State.AMBER, Code.NO_FOLDER, "/somewhere")


@pytest.mark.parametrize(
    ("out", "error", "said"),
    [
        ("software\n", "", "no kernel time: software"),
        ("", "hardware.gpio.NoKernelTime: no pins with kernel time stamps", "NoKernelTime"),
    ],
)
def test_pins_without_kernel_time_are_red(pi: Fake, out: str, error: str, said: str) -> None:
    pi.answer("kernel_factory", out, error, code=1 if error else 0)
    _is(pin_checks.check_pin_factory(pi.machine), State.RED, Code.NO_KERNEL_TIME, said)


def test_foreign_pin_factory_setting_is_named(pi: Fake) -> None:
    pi.changes["environment"] = {"GPIOZERO_PIN_FACTORY": "rpigpio"}
    finding = pin_checks.check_factory_setting(pi.machine)
    _is(finding, State.AMBER, Code.NO_KERNEL_TIME, "rpigpio")
    pi.changes["environment"] = {"GPIOZERO_PIN_FACTORY": "lgpio"}
    _is(pin_checks.check_factory_setting(pi.machine), State.GREEN)


def test_chip_that_moved_to_another_number_is_red(pi: Fake) -> None:
    # gpiozero opens 4 on a Pi 5 as soon as there is a /dev/gpiochip4, whatever that is.
    pi.put("dev/gpiochip4", "")
    pi.labels["gpiochip4"] = "gpio-brcmstb@107d508500"
    finding = pin_checks.check_gpiochip(pi.machine)
    _is(finding, State.RED, Code.NO_KERNEL_TIME, "header is gpiochip0, gpiozero opens gpiochip4")
    pi.labels = {"gpiochip0": "gpio-brcmstb@107d508500", "gpiochip4": "pinctrl-rp1"}
    _is(pin_checks.check_gpiochip(pi.machine), State.GREEN, None, "/dev/gpiochip4: pinctrl-rp1")


def test_pi_4_has_its_own_chip(pi: Fake) -> None:
    pi.put("proc/device-tree/model", "Raspberry Pi 4 Model B Rev 1.5")
    pi.put("dev/gpiochip4", "")
    pi.labels = {"gpiochip0": "pinctrl-bcm2711", "gpiochip4": "raspberrypi-exp-gpio"}
    _is(pin_checks.check_gpiochip(pi.machine), State.GREEN, None, "gpiochip0: pinctrl-bcm2711")


def test_chip_that_may_not_be_opened_names_the_group(pi: Fake) -> None:
    pi.labels = {}
    finding = pin_checks.check_gpiochip(pi.machine)
    _is(finding, State.RED, Code.NO_RIGHTS, "/dev/gpiochip0 may not be opened by referee")
    assert "usermod -aG gpio referee" in finding.mend


def test_no_chip_at_all_is_red(pi: Fake) -> None:
    pi.remove("dev/gpiochip0")
    _is(pin_checks.check_gpiochip(pi.machine), State.RED, Code.NO_KERNEL_TIME, "/dev/gpiochip*")


@pytest.mark.parametrize(
    ("model", "kernel", "state"),
    [
        ("Raspberry Pi 4 Model B Rev 1.5", "6.1.28-v8+", State.RED),
        ("Raspberry Pi 4 Model B Rev 1.5", "6.1.29-v8+", State.GREEN),
        ("Raspberry Pi 400 Rev 1.0", "5.15.84-v8+", State.RED),
        ("Raspberry Pi Compute Module 4 Rev 1.0", "6.6.31", State.GREEN),
        ("Raspberry Pi 5 Model B Rev 1.0", "6.1.20", State.GREEN),
    ],
)
def test_kernel_that_loses_edges_is_red_up_to_the_pi_4(
    pi: Fake, model: str, kernel: str, state: State
) -> None:
    pi.put("proc/device-tree/model", model)
    pi.put("proc/sys/kernel/osrelease", kernel)
    code = Code.OLD_KERNEL if state is State.RED else None
    _is(pin_checks.check_kernel(pi.machine), state, code, kernel)


def test_bad_pin_file_is_red_with_its_line(pi: Fake) -> None:
    def refuse() -> Pins:
        raise BadPins("wiring/pins.toml line 9: that pin belongs to SPI")

    pi.changes["pins"] = refuse
    _is(pin_checks.check_pins_file(pi.machine), State.RED, Code.PINS_CLASH, "line 9")
    _is(pin_checks.check_off_button(pi.machine), State.GREEN)


@pytest.mark.parametrize(
    ("line", "clash"),
    [
        ("dtoverlay=w1-gpio", "4"),
        ("dtoverlay=w1-gpio,gpiopin=5", "5"),
        ("dtoverlay=gpio-fan,gpiopin=14", None),
        ("dtoverlay=hifiberry-dac", "20, 21"),
        ("# dtoverlay=w1-gpio", None),
        ("dtoverlay=gpio-shutdown,gpio_pin=6,debounce=2000", "6"),
    ],
)
def test_overlay_on_one_of_our_pins_is_red(pi: Fake, line: str, clash: str | None) -> None:
    pi.put("boot/firmware/config.txt", f"[all]\n{line}\n")
    finding = pin_checks.check_pins_file(pi.machine)
    if clash is None:
        _is(finding, State.GREEN)
    else:
        _is(finding, State.RED, Code.PINS_CLASH, f"pin {clash} to something else")


def test_off_button_that_config_and_wiring_name_differently_is_amber(pi: Fake) -> None:
    line = "dtoverlay=gpio-shutdown,gpio_pin=3,active_low=1,debounce=2000\n"
    pi.put("boot/firmware/config.txt", line)
    _is(pin_checks.check_off_button(pi.machine), State.AMBER, Code.PINS_CLASH, "disagree")


@pytest.mark.parametrize(
    ("line", "state"),
    [
        ("dtoverlay=gpio-shutdown,gpio_pin=7,active_low=1,debounce=2000", State.GREEN),
        ("dtoverlay=gpio-shutdown,gpio_pin=7,active_low=1", State.AMBER),
        ("", State.AMBER),
    ],
)
def test_off_button_is_held_for_two_seconds(pi: Fake, line: str, state: State) -> None:
    pi.put("boot/firmware/config.txt", line)
    pi.changes["pins"] = lambda: replace(PINS, off=7)
    assert pin_checks.check_off_button(pi.machine).state is state


def test_off_button_is_held_as_long_as_the_settings_say(pi: Fake) -> None:
    pi.put("boot/firmware/config.txt", "dtoverlay=gpio-shutdown,gpio_pin=7,debounce=2000")
    pi.changes["pins"] = lambda: replace(PINS, off=7)
    pi.changes["settings"] = Settings(off=OffSettings(hold_s=4))
    _is(pin_checks.check_off_button(pi.machine), State.AMBER, Code.PINS_CLASH)
    pi.put("boot/firmware/config.txt", "dtoverlay=gpio-shutdown,gpio_pin=7,debounce=4000")
    _is(pin_checks.check_off_button(pi.machine), State.GREEN, None, "hold it for 4 s")


def test_off_button_on_the_second_chip_select_of_spi_is_amber(pi: Fake) -> None:
    # Without dtoverlay=spi0-1cs the SPI driver drives pin 7: the kernel cannot listen to it.
    line = "dtoverlay=gpio-shutdown,gpio_pin=7,active_low=1,debounce=2000"
    pi.put("boot/firmware/config.txt", line)
    pi.put("dev/spidev0.1", "")
    pi.changes["pins"] = lambda: replace(PINS, off=7)
    _is(pin_checks.check_off_button(pi.machine), State.AMBER, Code.PINS_CLASH, "chip select")


def test_overlay_on_the_pin_of_the_off_button_is_red(pi: Fake) -> None:
    pi.changes["pins"] = lambda: replace(PINS, off=7)
    line = "dtoverlay=gpio-shutdown,gpio_pin=7,debounce=2000\n"
    pi.put("boot/firmware/config.txt", line)
    _is(pin_checks.check_pins_file(pi.machine), State.GREEN)
    pi.put("boot/firmware/config.txt", f"{line}dtoverlay=gpio-fan,gpiopin=7\n")
    _is(pin_checks.check_pins_file(pi.machine), State.RED, Code.PINS_CLASH, "pin 7 to something")


def test_fake_rpi_on_a_real_pi_is_amber(pi: Fake) -> None:
    pi.versions["fake-rpi"] = "0.7.1"
    _is(pin_checks.check_fake_rpi(pi.machine), State.AMBER, Code.NO_KERNEL_TIME, "0.7.1")


def test_another_owner_of_the_pins_is_red(pi: Fake) -> None:
    pi.put("proc/99/comm", "pigpiod\n")
    pi.put("proc/100/comm", "bash\n")
    finding = pin_checks.check_other_owner(pi.machine)
    _is(finding, State.RED, Code.NO_KERNEL_TIME, "pigpiod")


# --- board


def test_old_pi_is_amber(pi: Fake) -> None:
    pi.put("proc/device-tree/model", "Raspberry Pi Zero 2 W Rev 1.0")
    _is(board_checks.check_model(pi.machine), State.AMBER, Code.FRAMES_MISSING, "Zero 2 W")


@pytest.mark.parametrize(
    ("bits", "state", "code"),
    [
        ("0x0", State.GREEN, None),
        ("0x1", State.RED, Code.UNDERVOLTAGE),
        ("0x50005", State.RED, Code.UNDERVOLTAGE),
        ("0x4", State.RED, Code.TOO_HOT),
        ("0x8", State.RED, Code.TOO_HOT),
        ("0x50000", State.AMBER, Code.UNDERVOLTAGE),
        ("0x10000", State.AMBER, Code.UNDERVOLTAGE),
        ("0x80000", State.AMBER, Code.TOO_HOT),
    ],
)
def test_power_bits(pi: Fake, bits: str, state: State, code: Code | None) -> None:
    pi.answer("vcgencmd", f"throttled={bits}\n")
    _is(board_checks.check_power(pi.machine), state, code)


def test_silent_vcgencmd_names_the_group(pi: Fake) -> None:
    pi.answer("vcgencmd", error="Can't open device file: /dev/vcio", code=255)
    finding = board_checks.check_power(pi.machine)
    _is(finding, State.AMBER, Code.NO_RIGHTS, "/dev/vcio")
    assert "video" in finding.mend


@pytest.mark.parametrize(
    ("millidegrees", "state"),
    [
        ("74999", State.GREEN),
        ("75000", State.AMBER),
        ("79999", State.AMBER),
        ("80000", State.RED),
        (None, State.SKIPPED),
    ],
)
def test_temperature(pi: Fake, millidegrees: str | None, state: State) -> None:
    sensor = "sys/class/thermal/thermal_zone0/temp"
    if millidegrees is None:
        pi.remove(sensor)
    else:
        pi.put(sensor, millidegrees)
    assert board_checks.check_temperature(pi.machine).state is state


@pytest.mark.parametrize(
    ("free", "state"),
    [
        (1_000_000_000, State.GREEN),
        (999_999_999, State.AMBER),
        (100_000_000, State.AMBER),
        (99_999_999, State.RED),
    ],
)
def test_space(pi: Fake, free: int, state: State) -> None:
    pi.changes["free_bytes"] = lambda path: free
    assert board_checks.check_space(pi.machine).state is state


def test_space_is_asked_where_the_games_will_be(pi: Fake) -> None:
    asked: list[Path] = []

    def free_bytes(path: Path) -> int:
        asked.append(path)
        return 9_000_000_000

    pi.changes["free_bytes"] = free_bytes
    board_checks.check_space(pi.machine)
    (pi.root / "var/lib/referee").mkdir(parents=True)
    board_checks.check_space(pi.machine)
    assert asked == [pi.root, pi.root / "var/lib/referee"]


@pytest.mark.parametrize(
    ("mounts", "state"),
    [
        ("/dev/x / ext4 ro,noatime 0 0\n", State.RED),
        ("overlay / overlay rw,lowerdir=/a 0 0\n", State.AMBER),
        ("/dev/x / ext4 rw,errors=remount-ro 0 0\n/dev/y /media ext4 ro 0 0\n", State.GREEN),
    ],
)
def test_storage(pi: Fake, mounts: str, state: State) -> None:
    pi.put("proc/mounts", mounts)
    code = Code.DISK_READ_ONLY if state is not State.GREEN else None
    _is(board_checks.check_writable(pi.machine), state, code)


@pytest.mark.parametrize(
    ("ahead_ns", "state"), [(0, State.GREEN), (999_999, State.GREEN), (1_000_000, State.AMBER)]
)
def test_sleep_sets_the_clocks_apart(pi: Fake, ahead_ns: int, state: State) -> None:
    clocks = replace(NOW, boottime_ns=NOW.boottime_ns + ahead_ns)
    pi.changes["clocks"] = lambda: clocks
    code = Code.SLEPT if state is State.AMBER else None
    _is(board_checks.check_sleep(pi.machine), state, code)


def test_date(pi: Fake) -> None:
    _is(board_checks.check_date(pi.machine), State.GREEN)
    pi.remove("run/systemd/timesync/synchronized")
    pi.answer("timedatectl", "yes\n")
    _is(board_checks.check_date(pi.machine), State.GREEN)
    pi.answer("timedatectl", "no\n")
    _is(board_checks.check_date(pi.machine), State.AMBER, Code.NO_DATE, "not synchronised")
    pi.changes["clocks"] = lambda: replace(NOW, realtime_ns=40 * S)
    _is(board_checks.check_date(pi.machine), State.AMBER, Code.NO_DATE, "never been set")


def test_no_network_is_amber(pi: Fake) -> None:
    pi.answer("hostname", "\n")
    _is(board_checks.check_network(pi.machine), State.AMBER, Code.NO_NETWORK)


def test_missing_groups_are_named(pi: Fake) -> None:
    pi.changes["groups"] = frozenset({"video"})
    finding = board_checks.check_groups(pi.machine)
    _is(finding, State.RED, Code.NO_RIGHTS, "referee is not in gpio,spi")
    assert "usermod -aG gpio,spi referee" in finding.mend
    pi.changes["user"] = "root"
    _is(board_checks.check_groups(pi.machine), State.GREEN)


def test_i2c_group_is_needed_by_mpr121_pads_only(pi: Fake) -> None:
    pi.changes["groups"] = frozenset({"gpio", "spi", "video"})
    _is(board_checks.check_groups(pi.machine), State.GREEN)
    pi.changes["settings"] = Settings(pads=PadsSettings(kind="mpr121"))
    _is(board_checks.check_groups(pi.machine), State.RED, Code.NO_RIGHTS, "i2c")


def test_spi(pi: Fake) -> None:
    pi.locked = {"spidev0.0"}
    _is(board_checks.check_spi(pi.machine), State.RED, Code.NO_RIGHTS, "referee may not use")
    pi.remove("dev/spidev0.0")
    _is(board_checks.check_spi(pi.machine), State.RED, Code.NO_DISPLAY, "SPI is switched off")


def test_i2c(pi: Fake) -> None:
    pi.changes["settings"] = Settings(pads=PadsSettings(kind="mpr121"))
    _is(board_checks.check_i2c(pi.machine), State.GREEN)
    pi.remove("dev/i2c-1")
    _is(board_checks.check_i2c(pi.machine), State.RED, Code.TOUCH_CHIP_SILENT, "I2C is switched")


@pytest.mark.parametrize(
    ("answer", "state", "said"),
    [
        (Answer(0, "\n"), State.GREEN, "all 8 answer"),
        (Answer(0, "3 7\n"), State.RED, "silent: seat 3, 7"),
        (
            Answer(1, "", "x\nhardware.mpr121.BadTouchChip: no I2C bus\n"),
            State.RED,
            "no I2C",
        ),
    ],
)
def test_touch_chips_are_asked_for_an_answer(
    pi: Fake, answer: Answer, state: State, said: str
) -> None:
    pi.changes["settings"] = Settings(players=tuple("abcdefgh"), pads=PadsSettings(kind="mpr121"))
    pi.answers["open_chip"] = answer
    finding = board_checks.check_touch_chips(pi.machine)
    _is(finding, state, None if state is State.GREEN else Code.TOUCH_CHIP_SILENT, said)
    assert finding.found.startswith(said)


def test_touch_chips_of_other_pads_are_not_asked_for(pi: Fake) -> None:
    _is(board_checks.check_touch_chips(pi.machine), State.SKIPPED)


def test_question_to_the_touch_chips_is_a_sentence_without_a_bus() -> None:
    # The words that the doctor runs, run: without a Pi they end in our own sentence.
    done = run_command([sys.executable, "-c", board_checks.ASK_CHIPS, "8"])
    assert done.code == 1
    assert "BadTouchChip: no I2C bus" in done.last_line or "smbus2" in done.last_line


def test_two_programs_on_one_spi_are_named(pi: Fake) -> None:
    for number, name in ((41, "referee"), (42, "led-clock")):
        pi.put(f"proc/{number}/comm", name)
        (pi.root / f"proc/{number}/fd").mkdir()
        (pi.root / f"proc/{number}/fd/3").symlink_to("/dev/spidev0.0")
        finding = board_checks.check_spi_shared(pi.machine)
        if number == 41:
            _is(finding, State.GREEN, None, "1")
    _is(finding, State.RED, Code.DISPLAY_SHARED, "referee (41), led-clock (42)")


# --- program


def test_wrong_settings_are_red_with_their_sentence(pi: Fake) -> None:
    pi.changes["settings_fault"] = "box.toml: pads.kind: invalid"
    _is(program_checks.check_settings(pi.machine), State.RED, Code.BAD_SETTINGS, "pads.kind")


def test_120_pictures_a_second_are_too_many_for_a_pi_4(pi: Fake) -> None:
    pi.changes["settings"] = parse_settings("[camera]\nframes_per_second = 120")
    _is(program_checks.check_settings(pi.machine), State.GREEN)
    pi.put("proc/device-tree/model", "Raspberry Pi 4 Model B Rev 1.5")
    _is(program_checks.check_settings(pi.machine), State.AMBER, Code.FRAMES_MISSING, "120")


def test_slow_pads_are_amber(pi: Fake) -> None:
    pi.changes["settings"] = Settings(pads=PadsSettings(kind="ttp223"))
    _is(program_checks.check_pad_kind(pi.machine), State.AMBER, Code.EDGES_LOST, "60 ms")


def test_missing_opencv_is_red(pi: Fake) -> None:
    pi.answer("import cv2", error="ImportError: libGL.so.1: cannot open", code=1)
    _is(program_checks.check_opencv(pi.machine), State.RED, Code.NO_READER, "libGL.so.1")


def test_reader_that_reads_wrongly_is_red(pi: Fake) -> None:
    pi.answer("referee.service.doctor.reading", error="7H JS -> 7H QS", code=1)
    _is(program_checks.check_reader(pi.machine), State.RED, Code.NO_READER, "7H JS -> 7H QS")


def test_drawn_cards_are_really_read() -> None:
    laid, read = reading.read_drawn_cards()
    assert len(read) == reading.CARDS
    assert [card[:-1] for card in read] == [card[:-1] for card in laid]


@pytest.mark.parametrize(
    ("laid", "read", "code"),
    [
        (["7H", "JS"], ["7H", "JS"], 0),
        (["7H", "JS"], ["7S", "JC"], 0),
        (["7H", "JS"], ["7H", "QS"], 1),
        ([], [], 1),
    ],
)
def test_reading_is_good_if_all_ranks_are(
    monkeypatch: pytest.MonkeyPatch, laid: list[str], read: list[str], code: int
) -> None:
    monkeypatch.setattr(reading, "read_drawn_cards", lambda: (laid, read))
    assert reading.main() == code


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (
            "ValueError: numpy.dtype size changed, may indicate binary incompatibility",
            Code.CAMERA_LIBRARY,
            "built for another numpy",
        ),
        (
            "A module that was compiled using NumPy 1.x cannot be run in NumPy 2\nImportError: x",
            Code.CAMERA_LIBRARY,
            "built for another numpy",
        ),
        (
            "ModuleNotFoundError: No module named 'libcamera'",
            Code.CAMERA_LIBRARY,
            "No module named 'libcamera'",
        ),
    ],
)
def test_camera_library_that_cannot_be_loaded_is_red(
    pi: Fake, error: str, code: Code, said: str
) -> None:
    pi.answer("Picamera2", error=error, code=1)
    _is(program_checks.check_camera(pi.machine), State.RED, code, said)


def test_no_camera_is_red(pi: Fake) -> None:
    pi.answer("Picamera2", "[]\n")
    _is(program_checks.check_camera(pi.machine), State.RED, Code.NO_CAMERA)


@pytest.mark.parametrize(
    ("facts", "state", "code"),
    [
        ({}, State.GREEN, None),
        ({"Type": "simple"}, State.AMBER, Code.NOT_WATCHED),
        ({"WatchdogUSec": "0"}, State.AMBER, Code.NOT_WATCHED),
        ({"WatchdogUSec": "infinity"}, State.AMBER, Code.NOT_WATCHED),
        ({"ActiveState": "failed"}, State.RED, Code.PROGRAM_FAULT),
        ({"NRestarts": "3"}, State.AMBER, Code.PROGRAM_FAULT),
        ({"UnitFileState": "disabled"}, State.AMBER, Code.NOT_WATCHED),
        ({"LoadState": "not-found"}, State.SKIPPED, None),
    ],
)
def test_service(pi: Fake, facts: Mapping[str, str], state: State, code: Code | None) -> None:
    pi.unit(**facts)
    _is(program_checks.check_service(pi.machine), state, code)


def test_computer_without_systemd_has_no_service(pi: Fake) -> None:
    del pi.answers["systemctl"]
    _is(program_checks.check_service(pi.machine), State.SKIPPED)


# --- this computer


def test_command_that_is_missing_or_fails_is_an_answer() -> None:
    assert run_command(["/nowhere/at-all"]).code == COMMAND_NOT_FOUND
    said = run_command(["sh", "-c", "echo one; echo two >&2; exit 3"])
    assert (said.code, said.out, said.last_line) == (3, "one\n", "two")
    assert Answer(3).last_line == "exit code 3"


def test_command_runs_in_a_folder_of_its_own() -> None:
    folder = Path(run_command(["pwd"]).out.strip())
    assert folder.name.startswith("referee-doctor-")
    assert not folder.exists()


def test_chip_label_is_asked_of_a_device_only(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert read_chip_label(tmp_path / "file") is None
    assert read_chip_label(tmp_path / "absent") is None


def test_this_computer_can_be_asked() -> None:
    clocks = read_clocks()
    assert clocks.boottime_ns >= clocks.monotonic_ns > 0
    assert own_groups()
    assert version_of("gpiozero") is not None
    assert version_of("no-such-package-as-this") is None


@pytest.mark.parametrize(
    ("found", "wanted", "is_enough"),
    [
        ("6.12.25+rpt-rpi-v8", (6, 1, 29), True),
        ("6.1", (6, 1, 29), False),
        ("2.0.1.post3", (2, 0, 1, 3), True),
        ("nothing", (1,), False),
    ],
)
def test_versions_are_compared_by_number(
    found: str, wanted: tuple[int, ...], is_enough: bool
) -> None:
    assert at_least(found, wanted) is is_enough


# --- the command


@pytest.fixture
def here(pi: Fake, monkeypatch: pytest.MonkeyPatch) -> Fake:
    monkeypatch.setattr(doctor, "_machine", lambda path: pi.machine)
    return pi


def test_json_says_everything_and_red_is_exit_code_1(
    here: Fake, capsys: pytest.CaptureFixture[str]
) -> None:
    here.answer("Picamera2", "[]\n")
    with pytest.raises(typer.Exit) as left:
        doctor.run(as_json=True)
    assert left.value.exit_code == 1
    records = json.loads(capsys.readouterr().out)
    assert [record["name"] for record in records] == [check.name for check in CHECKS]
    camera = next(record for record in records if record["name"] == "camera")
    assert (camera["state"], camera["code"]) == ("red", "E11")
    assert set(camera) == {"name", "state", "found", "mend", "code"}


def test_amber_is_exit_code_0_and_the_table_tells_what_to_do(
    here: Fake, capsys: pytest.CaptureFixture[str]
) -> None:
    here.answer("hostname", "\n")
    doctor.run()
    shown = capsys.readouterr().out
    assert "E73: no address" in shown
    assert "-> games can be played" in shown
    assert "The display shows E73." in shown


def test_laptop_has_no_display_to_speak_of(here: Fake, capsys: pytest.CaptureFixture[str]) -> None:
    here.remove("proc/device-tree/model")
    here.answer("hostname", "\n")
    doctor.run()
    assert "The display shows" not in capsys.readouterr().out


def test_brackets_in_a_finding_are_shown(here: Fake, capsys: pytest.CaptureFixture[str]) -> None:
    here.changes["settings_fault"] = "box.toml: players[1]: expected str"
    with pytest.raises(typer.Exit):
        doctor.run()
    assert "players[1]" in capsys.readouterr().out


def test_wrong_settings_file_is_a_finding(tmp_path: Path) -> None:
    path = tmp_path / "box.toml"
    path.write_text("game = 'chess'")
    assert "line 1: game: found" in doctor._machine(path).settings_fault
    assert doctor._machine(None).settings_fault == ""


def test_codes_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    doctor.run(codes=True)
    shown = capsys.readouterr().out
    assert all(code.value in shown for code in Code)


def test_unknown_language_is_refused() -> None:
    with pytest.raises(typer.BadParameter, match="expected de or en"):
        doctor.run(language="fr")


def test_record_of_a_green_finding_has_no_code() -> None:
    record = to_record(Finding("power", State.GREEN, "fine"))
    assert record == {"name": "power", "state": "green", "found": "fine", "mend": "", "code": None}


# --- on the LED matrix


class Matrix:
    """Instead of the real one: keeps what it was shown."""

    size = (32, 8)

    def __init__(self) -> None:
        self.shown: list[bytes] = []
        self.is_closed = False

    def show(self, picture: Any) -> None:
        self.shown.append(picture.tobytes())

    def close(self) -> None:
        self.is_closed = True


@pytest.fixture
def matrix(monkeypatch: pytest.MonkeyPatch) -> Matrix:
    opened = Matrix()
    monkeypatch.setattr(doctor, "open_matrix", lambda width, **more: opened)
    monkeypatch.setattr(doctor, "SHOWN_S", 0)
    monkeypatch.setattr(doctor.time, "sleep", lambda seconds: None)  # type: ignore[attr-defined]
    return opened


def _pictures(finding: Finding | None) -> list[bytes]:
    return [picture.tobytes() for picture, _ in steps(announce_finding(finding), (32, 8))]


def test_worst_code_is_shown_on_the_matrix(here: Fake, matrix: Matrix) -> None:
    here.answer("Picamera2", "[]\n")
    with pytest.raises(typer.Exit):
        doctor.run(as_json=True, display=True)
    expected = _pictures(Finding("camera", State.RED, "", "", Code.NO_CAMERA))
    assert matrix.shown == expected
    assert matrix.shown != _pictures(Finding("x", State.RED, "", "", Code.NO_READER))
    assert matrix.is_closed


def test_good_box_shows_that_it_is_ready(here: Fake, matrix: Matrix) -> None:
    doctor.run(as_json=True, display=True)
    assert matrix.shown == _pictures(None)


def test_matrix_of_the_running_service_is_left_alone(here: Fake, matrix: Matrix) -> None:
    here.put("proc/41/comm", "referee")
    (here.root / "proc/41/fd").mkdir()
    (here.root / "proc/41/fd/3").symlink_to("/dev/spidev0.0")
    with pytest.raises(BadDisplay, match="systemctl stop referee"):
        doctor.run(as_json=True, display=True)
    assert matrix.shown == []
