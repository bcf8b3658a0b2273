"""Writes the nets as ONNX files that cv2.dnn 4.10 and 5.0 load."""

from __future__ import annotations

import warnings
from pathlib import Path

import torch
from torch import nn

from models.recognise import CROP
from models.train.nets import Detector, Reader

OPSET = 13


def export_nets(detector: Detector, reader: Reader, folder: Path) -> None:
    """Write detector.onnx (any size that 8 divides) and reader.onnx (any number of crops)."""
    folder.mkdir(parents=True, exist_ok=True)
    _export(
        detector,
        torch.zeros(1, 2, 256, 256),
        folder / "detector.onnx",
        {"x": {2: "height", 3: "width"}},
    )
    _export(reader, torch.zeros(1, 3, CROP[1], CROP[0]), folder / "reader.onnx", {"x": {0: "n"}})


def _export(
    net: nn.Module, example: torch.Tensor, path: Path, free: dict[str, dict[int, str]]
) -> None:
    net.eval().to(memory_format=torch.contiguous_format)  # type: ignore[call-overload]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            net,
            (example,),
            str(path),
            input_names=["x"],
            output_names=["y"],
            dynamic_axes=free,
            opset_version=OPSET,
            dynamo=False,
        )
