"""The computer under the box: power, heat, storage, clocks and buses."""

from __future__ import annotations

from pathlib import Path

from hardware.clock import SAME_CLOCK_NS
from referee.service.doctor.codes import Code
from referee.service.doctor.finding import Finding, amber, green, red, say, skipped
from referee.service.doctor.machine import Machine, join_groups

PI_4 = 4
MEGABYTE = 1_000_000
ENOUGH_BYTES = 1000 * MEGABYTE
TOO_FEW_BYTES = 100 * MEGABYTE
"""An evening of games takes some 10 MB."""
WARM_C = 75
HOT_C = 80
"""From here the Pi slows itself down."""
STATE_FOLDER = "/var/lib/referee"
GROUPS = ("gpio", "spi", "video")

ASK_CHIPS = (
    "import sys;from hardware.mpr121 import open_chip;"
    "seats = range(1, int(sys.argv[1]) + 1);"
    "print(*[seat for seat in seats if not open_chip(seat).answers()])"
)

UNDERVOLTAGE_NOW, SLOWED_NOW = 1 << 0, (1 << 1 | 1 << 2 | 1 << 3)
UNDERVOLTAGE_ONCE, SLOWED_ONCE = 1 << 16, (1 << 17 | 1 << 18 | 1 << 19)
"""Bits of `vcgencmd get_throttled`."""
EARLIEST_DATE_NS = 1_767_225_600 * 1_000_000_000
"""2026-01-01: a clock before it has never been set."""


def check_model(machine: Machine) -> Finding:
    """A Pi 4 or 5; older ones read cards too slowly."""
    if machine.generation >= PI_4:
        return green("model", machine.model or "")
    return amber(
        "model",
        Code.FRAMES_MISSING,
        say("{model} is slower than the box was made for", model=machine.model),
        say("use a Raspberry Pi 4 or 5"),
    )


def check_power(machine: Machine) -> Finding:
    """Undervoltage is the true cause of many a stutter. OctoPrint 3857."""
    answer = machine.run(["vcgencmd", "get_throttled"])
    _, _, bits = answer.out.strip().partition("throttled=")
    if answer.code or not bits:
        return amber(
            "power",
            Code.NO_RIGHTS,
            say("vcgencmd does not answer: {found}", found=answer.last_line),
            join_groups(machine, "video"),
        )
    return _power(int(bits, 16))


def _power(bits: int) -> Finding:
    supply = say("use the official power supply and a short cable")
    if bits & UNDERVOLTAGE_NOW:
        return red("power", Code.UNDERVOLTAGE, say("the voltage is too low now"), supply)
    if bits & SLOWED_NOW:
        return red("power", Code.TOO_HOT, say("the Pi is slowed down now"), say("cool the Pi"))
    if bits & UNDERVOLTAGE_ONCE:
        found = say("the voltage was too low since the Pi was started")
        return amber("power", Code.UNDERVOLTAGE, found, supply)
    if bits & SLOWED_ONCE:
        found = say("the Pi was slowed down since it was started")
        return amber("power", Code.TOO_HOT, found, say("cool the Pi"))
    return green("power", say("never too low since the start"))


def check_temperature(machine: Machine) -> Finding:
    """From 80 degrees the Pi slows down and drops pictures."""
    read = machine.read("/sys/class/thermal/thermal_zone0/temp")
    if read is None or not read.isdigit():
        return skipped("temperature", say("no sensor"))
    degrees = int(read) / 1000
    found = say("{degrees:.0f} degrees", degrees=degrees)
    if degrees >= HOT_C:
        return red("temperature", Code.TOO_HOT, found, say("cool the Pi"))
    if degrees >= WARM_C:
        return amber("temperature", Code.TOO_HOT, found, say("cool the Pi"))
    return green("temperature", found)


def check_space(machine: Machine) -> Finding:
    """The log is written before a verdict is shown, so it needs room."""
    folder = _existing(machine.path(STATE_FOLDER))
    free = machine.free_bytes(folder)
    found = say("{free:.0f} MB free in {path}", free=free / MEGABYTE, path=folder)
    mend = say("delete old games, or use a bigger memory card")
    if free < TOO_FEW_BYTES:
        return red("space", Code.DISK_FULL, found, mend)
    if free < ENOUGH_BYTES:
        return amber("space", Code.DISK_FULL, found, mend)
    return green("space", found)


def _existing(path: Path) -> Path:
    while not path.exists() and path != path.parent:
        path = path.parent
    return path


def check_writable(machine: Machine) -> Finding:
    """A worn memory card turns read-only; so does the overlay file system, on purpose."""
    mounts = (machine.read("/proc/mounts") or "").splitlines()
    kinds = [line.split()[2:4] for line in mounts if line.split()[1:2] == ["/"]]
    kind, options = kinds[-1] if kinds else ("", "")
    if "ro" in options.split(","):
        return red(
            "storage",
            Code.DISK_READ_ONLY,
            say("the memory card is read-only"),
            say("restart; if it stays, use a new card"),
        )
    if kind == "overlay":
        return amber(
            "storage",
            Code.DISK_READ_ONLY,
            say("overlay file system: games are forgotten when the power goes"),
            say("put {path} on a partition of its own", path=STATE_FOLDER),
        )
    return green("storage", say("can be written"))


def check_sleep(machine: Machine) -> Finding:
    """A computer that slept has two clocks, and the camera's cannot be told. picamera2 821."""
    clocks = machine.clocks()
    ahead_ns = clocks.boottime_ns - clocks.monotonic_ns
    if ahead_ns < SAME_CLOCK_NS:
        return green("clocks", say("both kernel clocks agree"))
    return amber(
        "clocks",
        Code.SLEPT,
        say("this computer slept for {s:.1f} s since it was started", s=ahead_ns / 1e9),
        say("restart it, and switch sleep off on the box"),
    )


def check_date(machine: Machine) -> Finding:
    """Verdicts never ask the date; evenings and statistics do."""
    if machine.clocks().realtime_ns < EARLIEST_DATE_NS:
        found = say("the clock has never been set")
    elif machine.path("/run/systemd/timesync/synchronized").exists():
        return green("date", say("synchronised"))
    else:
        answer = machine.run(["timedatectl", "show", "--property=NTPSynchronized", "--value"])
        if answer.out.strip() == "yes":
            return green("date", say("synchronised"))
        found = say("not synchronised")
    mend = say("connect a network, or fit a clock battery; games can be played all the same")
    return amber("date", Code.NO_DATE, found, mend)


def check_network(machine: Machine) -> Finding:
    """The page is InkyPi's top complaint: say where it is, or why it is nowhere."""
    addresses = machine.run(["hostname", "-I"]).out.split()
    if addresses:
        return green("network", addresses[0])
    return amber(
        "network",
        Code.NO_NETWORK,
        say("no address"),
        say("games can be played; the page needs a cable or WLAN (sudo nmtui)"),
    )


def check_groups(machine: Machine) -> Finding:
    """Rights come with groups."""
    wanted = [*GROUPS, *(["i2c"] if machine.settings.pads.kind == "mpr121" else [])]
    missing = [name for name in wanted if name not in machine.groups]
    if not missing or machine.user == "root":
        return green("groups", ", ".join(wanted))
    names = ",".join(missing)
    return red(
        "groups",
        Code.NO_RIGHTS,
        say("{user} is not in {names}", user=machine.user, names=names),
        join_groups(machine, names),
    )


def check_spi(machine: Machine) -> Finding:
    """The LED matrix hangs on SPI 0, chip select 0."""
    return _bus(machine, "SPI", machine.path("/dev/spidev0.0"), Code.NO_DISPLAY)


def check_i2c(machine: Machine) -> Finding:
    """Only MPR121 pads need it."""
    if machine.settings.pads.kind != "mpr121":
        found = say("not needed by {kind} pads", kind=machine.settings.pads.kind)
        return skipped("I2C", found)
    return _bus(machine, "I2C", machine.path("/dev/i2c-1"), Code.TOUCH_CHIP_SILENT)


def check_touch_chips(machine: Machine) -> Finding:
    """Every player's MPR121 answers; from five on that needs the multiplexer."""
    if machine.settings.pads.kind != "mpr121":
        found = say("not needed by {kind} pads", kind=machine.settings.pads.kind)
        return skipped("touch chips", found)
    players = str(len(machine.settings.players))
    answer = machine.run([machine.python, "-c", ASK_CHIPS, players])
    code, mend = Code.TOUCH_CHIP_SILENT, say("look at its wires and at ADDR: referee wiring")
    if answer.code:
        return red("touch chips", code, answer.last_line.rpartition("BadTouchChip: ")[2], mend)
    silent = answer.out.split()
    if silent:
        return red("touch chips", code, say("silent: seat {seats}", seats=", ".join(silent)), mend)
    return green("touch chips", say("all {n} answer", n=players))


def _bus(machine: Machine, name: str, device: Path, code: Code) -> Finding:
    if not device.exists():
        found = say("no {device}: {bus} is switched off", device=device, bus=name)
        mend = say("run the installer again, or sudo raspi-config, then restart")
        return red(name, code, found, mend)
    if not machine.is_usable(device):
        found = say("{user} may not use {device}", user=machine.user, device=device)
        return red(name, Code.NO_RIGHTS, found, join_groups(machine, name.lower()))
    return green(name, str(device))


def check_spi_shared(machine: Machine) -> Finding:
    """Two programs on one SPI garble each other's pictures. gpiozero 1131."""
    owners = {}
    for link in machine.root.glob("proc/[0-9]*/fd/*"):
        try:
            target = link.readlink().name
        except OSError:
            continue  # another user's process, or one that has just ended
        if target.startswith("spidev0."):
            owners[link.parts[-3]] = (link.parent.parent / "comm").read_text().strip()
    if len(owners) < 2:
        return green("SPI owners", str(len(owners)))
    names = ", ".join(f"{name} ({number})" for number, name in sorted(owners.items()))
    return red(
        "SPI owners",
        Code.DISPLAY_SHARED,
        say("two programs drive the LED matrix: {names}", names=names),
        say("stop one of them, such as: sudo systemctl stop referee"),
    )
