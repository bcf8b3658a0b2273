"""Reading cards tells nobody: the library of the nets would report to its makers."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("onnxruntime")

READ = "from models.reader import Reader; Reader()"


def test_no_device_number_and_no_report_are_made(tmp_path: Path) -> None:
    # onnxruntime 1.32 writes both under the home folder when it is imported.
    clean = {name: value for name, value in os.environ.items() if "TELEMETRY" not in name}
    homes = {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / ".cache")}
    subprocess.run([sys.executable, "-c", READ], env=clean | homes, check=True)
    assert [path for path in tmp_path.rglob("*") if "onnxruntime" in path.name] == []
