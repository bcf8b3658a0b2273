"""On any architecture: import what a Pi imports, read pictures, print what was read as JSON.

read.py RUNNER PICTURE …   RUNNER: onnxruntime or opencv
"""

import importlib
import json
import platform
import sys

MODULES = (
    "referee.cli",
    "referee.service.config",
    "referee.rules.referee",
    "hardware.pads",
    "hardware.display",
    "hardware.camera",
    "hardware.mpr121",
    "models.reader",
    "onnxruntime",
    "smbus2",
)


def main(runner: str, pictures: list[str]) -> None:
    imported = [name for name in MODULES if importlib.import_module(name)]
    if platform.machine() == "aarch64":
        imported.append(importlib.import_module("lgpio").__name__)
    import cv2

    import models.net
    import models.reader
    from models.reader import Reader

    models.net.RUNNERS = (runner,)
    models.net._fastest = lambda: runner
    # One scale is enough to compare: all five take minutes under emulation.
    models.reader.SCALES = (340,)
    cv2.setNumThreads(1)
    reader = Reader()
    read = []
    for picture in pictures:
        reading = reader.read_picture(cv2.imread(picture))
        read.append([str(reading.card or ""), str(reading.guess or ""), reading.confidence])
    print(json.dumps({"machine": platform.machine(), "imported": imported, "read": read}))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
