"""The service: its unit is sandboxed, and the installer does, repeats and undoes its work."""

import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

SYSTEMD = Path(__file__).parent.parent / "systemd"
UNIT = SYSTEMD / "referee.service"
WORST_EXPOSURE = 2.5

needs_analyze = pytest.mark.skipif(
    not shutil.which("systemd-analyze"), reason="systemd-analyze is not installed"
)


def _run(*words: str | Path, **more: str) -> subprocess.CompletedProcess[str]:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("LC_")}
    return subprocess.run(
        [str(word) for word in words],
        capture_output=True,
        text=True,
        check=False,
        env=clean | {"LANG": "en_GB.UTF-8"} | more,
        timeout=60,
    )


def _settings() -> list[tuple[str, str]]:
    lines = [line for line in UNIT.read_text().splitlines() if "=" in line and line[0] != "#"]
    return [(name, value) for name, _, value in (line.partition("=") for line in lines)]


@needs_analyze
def test_unit_is_exposed_little() -> None:
    said = _run("systemd-analyze", "security", "--offline=true", "--no-pager", UNIT)
    last = [line for line in said.stdout.splitlines() if "exposure level" in line][-1]
    exposure = float(last.partition(": ")[2].split()[0])
    assert exposure <= WORST_EXPOSURE, last


@needs_analyze
def test_unit_has_no_unknown_word(tmp_path: Path) -> None:
    unit = tmp_path / "referee.service"
    content = UNIT.read_text()
    for started in (value for name, value in _settings() if name.startswith("ExecStart")):
        content = content.replace(started, shutil.which("true") or "/bin/true")
    unit.write_text(content)
    said = _run("systemd-analyze", "verify", "--man=no", unit)
    ours = [line for line in said.stderr.splitlines() if "referee.service" in line]
    assert not ours
    assert said.returncode == 0


def test_lgpio_finds_a_writable_current_directory() -> None:
    # Without one gpiozero falls back to pins without kernel time: gpiozero 1106, 1130, lg 22.
    said = dict(_settings())
    assert said["WorkingDirectory"] == f"/run/{said['RuntimeDirectory']}"
    assert "LG_WD" not in UNIT.read_text(), "LG_WD changes the folder of the process: lg 12"


def test_unit_leaves_what_the_box_needs() -> None:
    names = [name for name, _ in _settings()]
    said = dict(_settings())
    devices = [value for name, value in _settings() if name == "DeviceAllow"]
    assert "ProcSubset" not in names, "gpiozero reads the revision of the Pi from /proc"
    assert {"gpio", "spi", "i2c", "video"} <= set(said["SupplementaryGroups"].split())
    assert {"char-gpiochip rw", "char-spi rw", "char-i2c rw", "char-video4linux rw"} <= set(devices)
    assert (said["Type"], said["User"]) == ("notify", "referee")
    assert said["WatchdogSec"] == "10s"
    assert said["Restart"] == "always", "a box has nothing else to do"


def test_matrix_is_lit_before_the_program_is_loaded_and_may_be_missing() -> None:
    said = dict(_settings())
    assert said["ExecStartPre"].startswith("-/opt/referee/current/venv/bin/python -m ")
    assert said["ExecStartPre"].split()[2:] == [
        "referee.service.first_picture",
        said["ExecStart"].split()[-1],
    ]


def test_libraries_live_without_writable_code() -> None:
    # MemoryDenyWriteExecute=yes of the unit, asked of the kernel directly.
    program = """
import ctypes, sys
PR_SET_MDWE, REFUSE_EXEC_GAIN = 65, 1
if ctypes.CDLL(None).prctl(PR_SET_MDWE, REFUSE_EXEC_GAIN, 0, 0, 0):
    sys.exit(77)
import cv2, gpiozero, numpy, msgspec, sqlite3
picture = numpy.full((64, 64), 9, numpy.float32)
assert cv2.GaussianBlur(picture, (5, 5), 1)[32, 32] > 8.9
print("alive")
"""
    said = _run(sys.executable, "-c", program)
    if said.returncode == 77:
        pytest.skip("this kernel cannot refuse writable code (before 6.3)")
    assert said.stdout == "alive\n", said.stderr


@pytest.mark.skipif(not shutil.which("shellcheck"), reason="shellcheck is not installed")
def test_scripts_are_clean() -> None:
    said = _run("shellcheck", "-x", "-P", SYSTEMD, *sorted(SYSTEMD.glob("*.sh")))
    assert said.returncode == 0, said.stdout


# --- the installer, in a root of its own, with stand-ins for the system's commands

STAND_INS = {
    "apt-get": 'if [ -e "$FAKE/no-network" ]; then echo "E: cannot resolve"; exit 100; fi',
    "dpkg": 'cat "$FAKE/architecture"',
    "getent": "exit 2",
    "groupadd": "",
    "useradd": "",
    "usermod": "",
    "userdel": "",
    "udevadm": "",
    "hostname": 'if [ "$*" = -I ]; then echo "192.168.1.7 fe80::1"; else echo rasp; fi',
    "systemctl": """
if [ "$1" = restart ] && [ -s "$FAKE/restarts-that-fail" ]; then
  sed -i 1d "$FAKE/restarts-that-fail"
  echo "Job for referee.service failed."
  exit 1
fi""",
    "runuser": "echo doctor was asked",
    "python3": """
mkdir -p "$4/bin"
printf '#!/bin/sh\\necho pip "$@" >>"%s/calls"\\n' "$FAKE" >"$4/bin/pip"
if [ -e "$FAKE/pip-fails" ]; then
  printf 'echo "ERROR: No matching distribution found"; exit 1\\n' >>"$4/bin/pip"
fi
printf '#!/bin/sh\\n' >"$4/bin/referee"
chmod +x "$4/bin/pip" "$4/bin/referee\"""",
    "date": """
[ "$2" = +%Y%m%d-%H%M%S ] || { echo now; exit; }
n=$(($(cat "$FAKE/n" 2>/dev/null || echo 0) + 1)); echo $n >"$FAKE/n"; echo "release-$n\"""",
    "df": 'printf "h\\n/dev/x 9999 1 %s 1%% /\\n" "$(cat "$FAKE/free" 2>/dev/null || echo 9000)"',
}
CONFIG = "# a family's own line\ndtparam=audio=on\n"
RELEASE = 'PRETTY_NAME="{}"\nID={}\nVERSION_CODENAME={}\n'

Script = Callable[..., subprocess.CompletedProcess[str]]


class Pi:
    """A folder that looks like a Pi, and what was asked of its commands."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "root"
        self.fake = folder / "fake"
        commands = self.fake / "bin"
        commands.mkdir(parents=True)
        for name, body in STAND_INS.items():
            path = commands / name
            path.write_text(f'#!/bin/sh\necho {name} "$@" >>"$FAKE/calls"\n{body}\n')
            path.chmod(0o755)
        self.put("etc/os-release", RELEASE.format("Debian GNU/Linux 13", "debian", "trixie"))
        self.put("proc/device-tree/model", "Raspberry Pi 5 Model B Rev 1.0\0")
        self.put("boot/firmware/config.txt", CONFIG)
        (self.root / "run/systemd/system").mkdir(parents=True)
        (self.root / "tmp").mkdir()
        (self.fake / "architecture").write_text("arm64\n")

    def put(self, name: str, content: str) -> None:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)

    def read(self, name: str) -> str:
        return (self.root / name).read_text()

    def run(self, script: str, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
        path = f"{self.fake / 'bin'}:{os.environ['PATH']}"
        given = {"FAKE": str(self.fake), "PATH": path, "PYTHON": "python3"} | more
        return _run(SYSTEMD / script, "--root", self.root, *words, **given)

    @property
    def calls(self) -> str:
        path = self.fake / "calls"
        return path.read_text() if path.exists() else ""

    @property
    def release(self) -> str:
        return os.readlink(self.root / "opt/referee/current")


@pytest.fixture
def pi(tmp_path: Path) -> Pi:
    return Pi(tmp_path)


def test_install_leaves_a_box_that_starts(pi: Pi) -> None:
    said = pi.run("install.sh")
    assert said.returncode == 0, said.stdout + said.stderr
    assert pi.read("etc/systemd/system/referee.service") == UNIT.read_text()
    assert pi.release == "/opt/referee/releases/release-1"
    assert (pi.root / "opt/referee/releases/release-1/wiring").is_dir()
    assert "python3-picamera2 python3-lgpio python3-spidev" in pi.calls
    assert "constraints-trixie.txt" in pi.calls
    assert "systemctl enable referee.service" in pi.calls
    assert "doctor was asked" in said.stdout
    assert "http://rasp.local:8080/ or http://192.168.1.7:8080/" in said.stdout
    assert said.stdout.rstrip().endswith("sudo reboot")


def test_install_switches_buses_and_off_button_on(pi: Pi) -> None:
    pi.run("install.sh")
    config = pi.read("boot/firmware/config.txt")
    assert config.startswith(CONFIG)
    assert "dtparam=spi=on" in config
    assert "dtparam=i2c_arm=on" in config
    assert "dtoverlay=spi0-1cs\n" in config, "or SPI drives the pin of the off button"
    assert "dtoverlay=i2c-mux,pca9548,addr=0x70\n" in config
    pins = tomllib.loads((SYSTEMD.parent / "wiring/pins.toml").read_text())
    assert f"gpio-shutdown,gpio_pin={pins['off']['pin']},active_low=1" in config
    assert "debounce=2000" in config, "the kernel wants the button held for 2 s"


def test_off_button_is_found_in_the_pin_file(tmp_path: Path) -> None:
    (tmp_path / "wiring").mkdir()
    pins = "[pads]\n1 = 5\n[off]   # the button\n# pin = 3\npin = 7 # CE1\n[buzzer]\npin = 15\n"
    (tmp_path / "wiring/pins.toml").write_text(pins)
    ask = 'source "$1/common.sh"; checkout=$2; pin_of off; pin_of buzzer; pin_of nothing'
    said = _run("bash", "-euc", ask, "-", SYSTEMD, tmp_path)
    assert said.stdout == "7\n15\n", said.stderr


def test_install_takes_the_page_s_port_and_the_button_s_time_from_the_settings(pi: Pi) -> None:
    pi.put(
        "etc/referee/referee.toml",
        'players = ["A"]\n[page]  # own\n port = 9000 # free\n[off]\nhold_s=4\n',
    )
    said = pi.run("install.sh")
    assert "http://rasp.local:9000/ or http://192.168.1.7:9000/" in said.stdout
    assert "debounce=4000" in pi.read("boot/firmware/config.txt")
    pi.put("etc/referee/referee.toml", "# port = 1\n[display]\nport = 2\n[page]\non = false\n")
    said = pi.run("install.sh")
    assert "The page is switched off" in said.stdout
    assert "http://" not in said.stdout


def test_install_again_changes_nothing_of_the_family(pi: Pi) -> None:
    pi.run("install.sh")
    pi.put("etc/referee/referee.toml", 'game = "spit"\n')
    once = pi.read("boot/firmware/config.txt")
    again = pi.run("install.sh")
    assert again.returncode == 0
    assert pi.read("etc/referee/referee.toml") == 'game = "spit"\n'
    assert pi.read("boot/firmware/config.txt") == once
    assert pi.release == "/opt/referee/releases/release-2"


def test_only_the_last_releases_are_kept(pi: Pi) -> None:
    for _ in range(5):
        pi.run("install.sh")
    kept = sorted(path.name for path in (pi.root / "opt/referee/releases").iterdir())
    assert kept == ["release-3", "release-4", "release-5"]


def test_bookworm_gets_the_old_numpy(pi: Pi) -> None:
    # numpy 2 breaks the picamera2 of Bookworm: picamera2 1088, 1170, 1211.
    pi.put("etc/os-release", RELEASE.format("Debian GNU/Linux 12", "debian", "bookworm"))
    assert pi.run("install.sh").returncode == 0
    assert "constraints-bookworm.txt" in pi.calls
    assert "numpy<2" in (SYSTEMD / "constraints-bookworm.txt").read_text()


@pytest.mark.parametrize(
    ("release", "architecture", "free", "english", "german"),
    [
        (("Ubuntu 26.04", "ubuntu", "x"), "arm64", "9000", "'Ubuntu 26.04', exp", "'Ubuntu 26.04'"),
        (("Debian 11", "debian", "bullseye"), "arm64", "9000", "'Debian 11', expec", "erwartet"),
        (("Raspbian 12", "raspbian", "bookworm"), "armhf", "9000", "is 32 bit", "hat 32 Bit"),
        (("Debian 13", "debian", "trixie"), "armhf", "9000", "is 32 bit", "hat 32 Bit"),
        (("Debian 13", "debian", "trixie"), "arm64", "700", "only 700 MB are free", "nur 700 MB"),
    ],
)
def test_wrong_system_is_refused_kindly_and_untouched(
    pi: Pi,
    release: tuple[str, str, str],
    architecture: str,
    free: str,
    english: str,
    german: str,
) -> None:
    pi.put("etc/os-release", RELEASE.format(*release))
    (pi.fake / "architecture").write_text(architecture)
    (pi.fake / "free").write_text(free)
    for language, sentence in (("en_GB.UTF-8", english), ("de_DE.UTF-8", german)):
        said = pi.run("install.sh", LANG=language)
        assert said.returncode == 2
        assert sentence in said.stderr
        assert said.stderr.count("\n") == 1
    assert not (pi.root / "opt").exists()
    assert not (pi.root / "var").exists()
    assert "apt-get" not in pi.calls


def test_computer_that_is_no_pi_is_told_of_the_demo(pi: Pi) -> None:
    (pi.root / "proc/device-tree/model").unlink()
    assert "add --no-hardware" in pi.run("install.sh").stderr
    said = pi.run("install.sh", "--no-hardware")
    assert said.returncode == 0
    assert "referee demo" in said.stdout
    assert "picamera2" not in pi.calls
    assert pi.read("boot/firmware/config.txt") == CONFIG


def test_no_network_is_refused_before_anything_changes(pi: Pi) -> None:
    (pi.fake / "no-network").touch()
    said = pi.run("install.sh")
    assert said.returncode == 2
    assert "Is the network up?" in said.stderr
    assert not (pi.root / "opt").exists()


def test_somebody_who_is_not_root_is_told_the_command(pi: Pi) -> None:
    path = pi.fake / "bin" / "id"
    path.write_text("#!/bin/sh\necho 1000\n")
    path.chmod(0o755)
    said = _run(SYSTEMD / "install.sh", PATH=f"{path.parent}:{os.environ['PATH']}")
    assert said.returncode == 2
    assert f"sudo {SYSTEMD / 'install.sh'}" in said.stderr


def test_failure_ends_in_its_own_last_words(pi: Pi) -> None:
    # Errors that scroll by during a long install are never seen: RPi-Jukebox-RFID 1630.
    (pi.fake / "pip-fails").touch()
    said = pi.run("install.sh")
    assert said.returncode == 1
    assert "FAILED at: The program" in said.stderr
    assert "ERROR: No matching distribution found" in said.stderr.splitlines()[-2]
    assert "run this again" in said.stderr.splitlines()[-1]
    assert not (pi.root / "opt/referee/current").exists(), "half a release must not be in use"


def test_dry_run_tells_everything_and_does_nothing(pi: Pi) -> None:
    before = sorted(pi.root.rglob("*"))
    said = pi.run("install.sh", "--dry-run")
    assert said.returncode == 0, said.stderr
    assert sorted(pi.root.rglob("*")) == before
    assert "apt-get" not in pi.calls
    for expected in (
        "would run: env DEBIAN_FRONTEND=noninteractive apt-get",
        "would run: useradd --system",
        "would run: python3 -m venv --system-site-packages",
        f"would write: {pi.root}/etc/systemd/system/referee.service",
        f"would write: {pi.root}/boot/firmware/config.txt",
        "would run: systemctl enable referee.service",
    ):
        assert expected in said.stdout


def test_uninstall_leaves_the_pi_as_it_was_and_the_games(pi: Pi) -> None:
    pi.run("install.sh")
    pi.put("var/lib/referee/season.sqlite", "games")
    said = pi.run("uninstall.sh")
    assert said.returncode == 0, said.stderr
    assert pi.read("boot/firmware/config.txt") == CONFIG
    assert not (pi.root / "opt/referee").exists()
    assert not (pi.root / "etc/systemd/system/referee.service").exists()
    assert pi.read("var/lib/referee/season.sqlite") == "games"
    assert "systemctl disable --now referee.service" in pi.calls


def test_purge_deletes_the_games_too(pi: Pi) -> None:
    pi.run("install.sh")
    pi.put("var/lib/referee/season.sqlite", "games")
    assert pi.run("uninstall.sh", "--purge").returncode == 0
    assert not (pi.root / "var/lib/referee").exists()
    assert not (pi.root / "etc/referee").exists()


def test_update_switches_over_and_saves_the_games(pi: Pi) -> None:
    pi.run("install.sh")
    pi.put("var/lib/referee/season.sqlite", "games")
    said = pi.run("update.sh")
    assert said.returncode == 0, said.stdout + said.stderr
    assert pi.release == "/opt/referee/releases/release-2"
    assert (pi.root / "var/backups/referee/release-2.tar.gz").exists()


def test_update_that_does_not_start_goes_back_by_itself(pi: Pi) -> None:
    pi.run("install.sh")
    pi.put("var/lib/referee/season.sqlite", "games")
    (pi.fake / "restarts-that-fail").write_text("one\n")
    said = pi.run("update.sh")
    assert said.returncode == 1
    assert "going back" in said.stdout
    assert pi.release == "/opt/referee/releases/release-1"
    assert not (pi.root / "opt/referee/releases/release-2").exists()
    assert pi.read("var/lib/referee/season.sqlite") == "games"
    assert pi.calls.rstrip().endswith("systemctl restart referee.service")


def test_update_that_cannot_be_built_leaves_the_box_running(pi: Pi) -> None:
    pi.run("install.sh")
    (pi.fake / "pip-fails").touch()
    assert pi.run("update.sh").returncode == 1
    assert pi.release == "/opt/referee/releases/release-1"
    assert "systemctl stop" not in pi.calls


def test_update_back_uses_the_release_before(pi: Pi) -> None:
    pi.run("install.sh")
    pi.put("var/lib/referee/season.sqlite", "games")
    pi.run("update.sh")
    said = pi.run("update.sh", "--back")
    assert said.returncode == 0, said.stderr
    assert pi.release == "/opt/referee/releases/release-1"
    assert "release-2.tar.gz" in said.stdout


def test_container_without_systemd_is_installed_all_the_same(pi: Pi) -> None:
    (pi.root / "run/systemd/system").rmdir()
    said = pi.run("install.sh", "--no-hardware")
    assert said.returncode == 0, said.stderr
    assert "systemd is not running here" in said.stdout
    assert "systemctl" not in pi.calls


@pytest.mark.parametrize("words", [(), ("--back",)])
def test_update_of_nothing_is_refused(pi: Pi, words: tuple[str, ...]) -> None:
    said = pi.run("update.sh", *words)
    assert said.returncode == 2
    assert said.stderr.startswith("Nothing was done:")


@pytest.mark.parametrize("script", ["install.sh", "update.sh", "uninstall.sh"])
def test_unknown_option_is_one_sentence(pi: Pi, script: str) -> None:
    said = pi.run(script, "--chess")
    assert said.returncode == 2
    assert "unknown option --chess" in said.stderr
    helped = _run(SYSTEMD / script, "--help")
    assert helped.returncode == 0
    assert "sudo" in helped.stdout
