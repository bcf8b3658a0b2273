"""`python -m models.footprint`: the memory of a process that watches a pile, step by step, as JSON.

A process of its own, so that nothing else is counted. Linux only: elsewhere it prints {}.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

STATUS = Path("/proc/self/status")


def _megabytes(entry: str = "VmRSS") -> float:
    """An entry of /proc/self/status. Source: proc(5)."""
    line = next(line for line in STATUS.read_text().splitlines() if line.startswith(f"{entry}:"))
    return round(int(line.split()[1]) / 1024, 1)


def steps() -> dict[str, float]:
    """Resident MB after each step: libraries loaded, nets loaded, a card watched and read."""
    if not STATUS.exists():
        return {}
    import cv2
    import numpy as np

    from models import net

    cv2.setNumThreads(1)
    net.fastest()
    figures = {"NumPy, OpenCV, onnxruntime loaded": _megabytes()}

    from models.memory import give_memory_back
    from models.reader import Reader
    from models.watch import PileWatcher

    watcher = PileWatcher(Reader(), card_height_px=176)
    figures["nets loaded"] = _megabytes()
    table = np.clip(np.random.default_rng(1).normal(90, 12, (480, 640, 3)), 0, 255)
    empty = table.astype(np.uint8)
    card = empty.copy()
    card[150:326, 240:364] = 235
    for number, picture in enumerate([empty] * 8 + [card] * 8):
        watcher.see(picture, t_ns=number * 16_666_667)
        if number == 7:
            give_memory_back()
    figures["a changed pile read"] = _megabytes()
    figures["of that private"] = _megabytes("RssAnon")
    return figures


def footprint() -> dict[str, float]:
    """The same of a new process: MB by step; empty where it cannot be measured."""
    command = [sys.executable, "-m", "models.footprint"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    figures: dict[str, float] = json.loads(done.stdout) if done.returncode == 0 else {}
    return {f"memory: {name}, MB": value for name, value in figures.items()}


if __name__ == "__main__":
    print(json.dumps(steps()))
