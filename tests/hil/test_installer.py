"""The installer in clean Debian roots: minutes and 300 MB, so only when asked for."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parent / "run-installer.sh"


def _why_not() -> str:
    if not os.environ.get("REFEREE_LONG_TESTS"):
        return "takes minutes: set REFEREE_LONG_TESTS=1"
    if os.geteuid() != 0:
        return "needs root for a root of its own"
    return "" if shutil.which("debootstrap") else "needs debootstrap (apt)"


@pytest.mark.hil
@pytest.mark.skipif(bool(_why_not()), reason=_why_not())
@pytest.mark.parametrize("suite", ["trixie", "bookworm"])
def test_box_is_installed_updated_and_removed_in_a_clean_root(suite: str) -> None:
    said = subprocess.run([str(SCRIPT), suite], capture_output=True, text=True, check=False)
    assert said.returncode == 0, said.stdout[-3000:] + said.stderr[-3000:]
    assert f"installer: good on {suite}" in said.stdout
