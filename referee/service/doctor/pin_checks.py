"""Pins: do slaps get the kernel's time, and is every pin wired to one thing?

Source: the reports named at each check; lgpio is joan2937/lg.
"""

from __future__ import annotations

import re

from hardware.gpio import CHIP_LABELS
from hardware.pins import BadPins
from referee.service.doctor.codes import Code
from referee.service.doctor.finding import Finding, amber, green, red, say
from referee.service.doctor.machine import Machine, at_least, join_groups

OLDEST_GPIOZERO = (2, 0, 1, 3)
"""2.0.1.post3: post1 and post2 end in a NameError and fall back silently (gpiozero 1229, 1230)."""
OLDEST_LGPIO = (0, 2, 2)
"""Before it, debounce compared two different clocks (lg 18, 19)."""
PI_5 = 5
SHUTDOWN = "gpio-shutdown"
"""The overlay that gives the kernel an off button."""
SECOND_CHIP_SELECT = 7
"""SPI 0 drives this pin unless dtoverlay=spi0-1cs leaves it out."""

ASK_LGPIO = (
    "import lgpio;"
    "print(all(hasattr(lgpio, name) for name in"
    " ('gpiochip_open', 'gpio_claim_alert', 'SET_PULL_NONE')))"
)
ASK_FACTORY = (
    "from hardware.gpio import kernel_factory, stamp_quality;print(stamp_quality(kernel_factory()))"
)


def check_gpiozero(machine: Machine) -> Finding:
    """Old versions fall back to pins without kernel time. gpiozero 1166, 1181, 1229, 1230."""
    version = machine.version("gpiozero") or "0"
    if at_least(version, OLDEST_GPIOZERO):
        return green("gpiozero", version)
    return red(
        "gpiozero",
        Code.NO_KERNEL_TIME,
        say("version {version}, 2.0.1.post3 or newer is needed", version=version),
        say("run the installer again"),
    )


def check_lgpio(machine: Machine) -> Finding:
    """PyPI holds an empty stub 0.0.0.2 that pip takes where no wheel fits. lg 43."""
    version = machine.version("lgpio") or ""
    answer = machine.run([machine.python, "-c", ASK_LGPIO])
    mend = say("sudo apt install python3-lgpio, and pip uninstall lgpio in the environment")
    if answer.code:
        return red("lgpio", Code.NO_KERNEL_TIME, answer.last_line, mend)
    if answer.out.strip() != "True":
        found = say("version {version} is an empty or a wrong lgpio", version=version or "?")
        return red("lgpio", Code.NO_KERNEL_TIME, found, mend)
    if version and not at_least(version, OLDEST_LGPIO):
        found = say("version {version}, 0.2.2 or newer is needed", version=version)
        return red("lgpio", Code.NO_KERNEL_TIME, found, mend)
    return green("lgpio", version or say("there, without a version"))


def check_lgpio_folder(machine: Machine) -> Finding:
    """lgpio makes a pipe where it is imported. gpiozero 1106, 1130; lg 22; OctoPi 857."""
    if not machine.is_usable(machine.scratch):
        return red(
            "lgpio folder",
            Code.NO_FOLDER,
            say("{path} cannot be written, lgpio needs it", path=machine.scratch),
            say("start the box as the service, or set TMPDIR"),
        )
    if not machine.is_usable(machine.folder):
        return amber(
            "lgpio folder",
            Code.NO_FOLDER,
            say("the current folder {path} cannot be written", path=machine.folder),
            say("the referee manages; other programs with lgpio fail here"),
        )
    return green("lgpio folder", str(machine.scratch))


def check_lg_wd(machine: Machine) -> Finding:
    """LG_WD makes `import lgpio` change the folder of the whole process. lg 12, gpiozero 1131."""
    folder = machine.environment.get("LG_WD")
    if not folder:
        return green("LG_WD", say("not set"))
    return amber(
        "LG_WD",
        Code.NO_FOLDER,
        say("set to {folder}: relative paths will not be found", folder=folder),
        say("unset LG_WD; the referee chooses a folder itself"),
    )


def check_pin_factory(machine: Machine) -> Finding:
    """The pins as the box opens them: only lgpio hands on the kernel's time. gpiozero 1106."""
    answer = machine.run([machine.python, "-c", ASK_FACTORY])
    quality = answer.out.strip() or answer.last_line
    if answer.code == 0 and quality == "kernel":
        return green("pin factory", say("lgpio, with the kernel's time"))
    return red(
        "pin factory",
        Code.NO_KERNEL_TIME,
        say("no kernel time: {found}", found=quality),
        say("mend the lines above about lgpio, gpiozero and the gpiochip"),
    )


def check_factory_setting(machine: Machine) -> Finding:
    """Other programs' choice. Ours is forced, but a wrong one shows who else was at work."""
    name = machine.environment.get("GPIOZERO_PIN_FACTORY", "")
    if name in ("", "lgpio"):
        return green("GPIOZERO_PIN_FACTORY", name or say("not set"))
    return amber(
        "GPIOZERO_PIN_FACTORY",
        Code.NO_KERNEL_TIME,
        say("set to {name}; the referee uses lgpio all the same", name=name),
        say("unset GPIOZERO_PIN_FACTORY"),
    )


def check_gpiochip(machine: Machine) -> Finding:
    """The header's chip changed its number twice. gpiozero 1166; linux 6144; pironman5 95."""
    chips = {path.name: machine.chip_label(path) for path in machine.devices("gpiochip*")}
    wanted = "gpiochip4" if machine.generation == PI_5 and "gpiochip4" in chips else "gpiochip0"
    label = chips.get(wanted)
    if label and label.startswith(CHIP_LABELS):
        return green("gpiochip", f"/dev/{wanted}: {label}")
    headers = [name for name, other in chips.items() if other and other.startswith(CHIP_LABELS)]
    if headers:
        found = say("the header is {chip}, gpiozero opens {wanted}", chip=headers[0], wanted=wanted)
        return red("gpiochip", Code.NO_KERNEL_TIME, found, say("update gpiozero: the number moved"))
    if wanted in chips and label is None:
        found = say("/dev/{chip} may not be opened by {user}", chip=wanted, user=machine.user)
        mend = join_groups(machine, "gpio")
        return red("gpiochip", Code.NO_RIGHTS, found, mend)
    found = say("no chip of the header among {chips}", chips=", ".join(chips) or "/dev/gpiochip*")
    return red("gpiochip", Code.NO_KERNEL_TIME, found, say("sudo apt full-upgrade, then restart"))


def check_kernel(machine: Machine) -> Finding:
    """Up to the Pi 4, of two edges close together one was lost. linux 760, 5457; libgpiod 83."""
    oldest = (6, 1, 29)  # 5457 was merged into rpi-6.1.y in the days of 6.1.27 and 6.1.28
    kernel = machine.read("/proc/sys/kernel/osrelease") or "0"
    if machine.generation >= PI_5 or at_least(kernel, oldest):
        return green("kernel", kernel)
    return red(
        "kernel",
        Code.OLD_KERNEL,
        say("{kernel} loses one of two touches close together, 6.1.29 is needed", kernel=kernel),
        say("sudo apt full-upgrade, then restart"),
    )


def check_pins_file(machine: Machine) -> Finding:
    """No pin twice, none that SPI, I2C or the HAT's memory needs."""
    try:
        pins = machine.pins()
    except BadPins as error:
        return red("pins", Code.PINS_CLASH, str(error), say("mend that line"))
    used = {*pins.pads.values(), *pins.lights.values(), pins.heartbeat_out, pins.heartbeat_in}
    used |= {pin for pin in (pins.buzzer, pins.off) if pin is not None}
    others = [
        line
        for line in machine.boot_config.splitlines()
        if not (SHUTDOWN in line and f"gpio_pin={pins.off}," in f"{line},")
    ]
    claimed = sorted(overlay_pins("\n".join(others)) & used)
    if claimed:
        return red(
            "pins",
            Code.PINS_CLASH,
            say("config.txt gives pin {pins} to something else", pins=", ".join(map(str, claimed))),
            say("remove that dtoverlay or dtparam, or move the wire and wiring/pins.toml"),
        )
    return green("pins", say("{n} pins, none twice", n=len(used)))


def overlay_pins(boot_config: str) -> set[int]:
    """Pins that the firmware's settings hand to kernel drivers.

    Source: the firmware's overlays/README: default pins of the overlays that people use most.
    """
    always = {
        "dtparam=uart0=on": {14, 15},
        "dtoverlay=w1-gpio": {4},
        "dtoverlay=gpio-ir": {18},
        "dtoverlay=pwm": {18},
        "dtoverlay=audremap": {12, 13},
        "dtoverlay=hifiberry": {18, 19, 20, 21},
        "dtparam=i2s=on": {18, 19, 20, 21},
        "dtoverlay=spi1-": {18, 19, 20, 21},
        "dtoverlay=gpio-fan": {12},
    }
    claimed: set[int] = set()
    for line in boot_config.splitlines():
        named = re.search(r"(?:gpio_?pin|gpiopin)=(\d+)", line)
        if named:
            claimed.add(int(named.group(1)))
        for start, pins in always.items():
            claimed |= pins if line.startswith(start) and not named else set()
    return claimed


def check_off_button(machine: Machine) -> Finding:
    """The kernel switches off when the button of wiring/pins.toml is held for so many seconds."""
    try:
        pin = machine.pins().off
    except BadPins:
        pin = None
    lines = [line for line in machine.boot_config.splitlines() if SHUTDOWN in line]
    if pin is None and not lines:
        return green("off button", say("none in wiring/pins.toml"))
    if pin == SECOND_CHIP_SELECT and machine.devices("spidev0.1"):
        return amber(
            "off button",
            Code.PINS_CLASH,
            say("its pin {pin} is the second chip select of SPI", pin=pin),
            say("run the installer again and restart"),
        )
    hold_s = machine.settings.off.hold_s
    wanted = (f",gpio_pin={pin},", f",debounce={hold_s * 1000},")
    if any(all(word in f"{line}," for word in wanted) for line in lines):
        return green("off button", say("hold it for {s} s (pin {pin})", s=hold_s, pin=pin))
    return amber(
        "off button",
        Code.PINS_CLASH,
        say("config.txt and wiring/pins.toml disagree about it (pin {pin})", pin=pin),
        say("run the installer again and restart"),
    )


def check_fake_rpi(machine: Machine) -> Finding:
    """fake-rpi's pins never send an edge: with it every pad is deaf, and nobody is told."""
    version = machine.version("fake-rpi")
    if version is None:
        return green("fake-rpi", say("not installed"))
    return amber(
        "fake-rpi",
        Code.NO_KERNEL_TIME,
        say("{version} is installed on a real Pi", version=version),
        say("pip uninstall fake-rpi: it is for tests on other computers"),
    )


def check_other_owner(machine: Machine) -> Finding:
    """A pin has one owner; pigpiod takes them all. gpiozero 1131."""
    running = {path.read_text().strip() for path in machine.root.glob("proc/[0-9]*/comm")}
    rivals = sorted(running & {"pigpiod", "lgd", "rgpiod"})
    if not rivals:
        return green("other owners", say("none"))
    return red(
        "other owners",
        Code.NO_KERNEL_TIME,
        say("{names} holds the pins", names=", ".join(rivals)),
        say("sudo systemctl disable --now {names}", names=" ".join(rivals)),
    )
