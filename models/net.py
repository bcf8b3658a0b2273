"""Runs an ONNX net on one thread: with onnxruntime if it is there, else with OpenCV.

Both give the same numbers to 1e-6; onnxruntime is two to three times faster (models/README.md).
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.rules.errors import RefereeError

Blob = NDArray[np.float32]

RUNNERS = ("onnxruntime", "opencv")

# From 1.32 on onnxruntime makes a device number at its import and reports to its makers. Nothing
# leaves this box. Source: Privacy.md in its package.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"


class BadWeights(RefereeError, OSError):
    """A net is missing or damaged."""


class Net:
    """A net with one input and one output."""

    def __init__(self, weights: Path, runner: str | None = None) -> None:
        """Load it once.

        Args:
            weights: The ONNX file.
            runner: One of RUNNERS; None: the fastest that is installed.

        Raises:
            BadWeights: Missing or damaged.
        """
        if not weights.is_file():
            raise BadWeights(f"no net at {weights}, install the box again")
        self.runner = runner or fastest()
        loaders = {"onnxruntime": _with_onnxruntime, "opencv": _with_opencv}
        try:
            self._run = loaders[self.runner](weights)
        except Exception as error:  # the two libraries raise half a dozen kinds
            raise BadWeights(f"cannot load {weights}: install the box again") from error

    def __call__(self, x: Blob) -> Blob:
        """The output for this input."""
        return self._run(x)


def fastest() -> str:
    """The fastest of RUNNERS that is installed."""
    try:
        import onnxruntime  # noqa: F401
    except ImportError:
        return "opencv"
    return "onnxruntime"


def _with_onnxruntime(weights: Path) -> Callable[[Blob], Blob]:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.enable_cpu_mem_arena = False
    session = onnxruntime.InferenceSession(
        str(weights), options, providers=["CPUExecutionProvider"]
    )

    def run(x: Blob) -> Blob:
        out: Blob = session.run(None, {"x": x})[0]
        return out

    return run


def _with_opencv(weights: Path) -> Callable[[Blob], Blob]:
    net = cv2.dnn.readNetFromONNX(str(weights))

    def run(x: Blob) -> Blob:
        net.setInput(x)
        return np.asarray(net.forward(), np.float32)

    return run
