"""Writes the nets as ONNX files that cv2.dnn 4.10 and 5.0 load."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from pathlib import Path

import torch
from torch import nn

from models import middle
from models.recognise import CROP

OPSET = 13


def export_nets(nets: Mapping[str, nn.Module], folder: Path) -> None:
    """Write each net as NAME.onnx: the detector for any size that 8 divides, the others for any
    number of crops."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, net in nets.items():
        if name == "detector":
            example, free = torch.zeros(1, 2, 256, 256), {2: "height", 3: "width"}
        else:
            width, height = middle.CROP if name == "middle" else CROP
            example, free = torch.zeros(1, 3, height, width), {0: "n"}
        _export(net, example, folder / f"{name}.onnx", {"x": free})


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
