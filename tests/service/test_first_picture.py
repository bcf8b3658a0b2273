"""The first picture of the matrix, written by a program that ends at once."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from luma.core.device import dummy
from PIL import Image

from hardware.display import BadDisplay, MatrixDisplay
from referee.service.first_picture import main

HEAVY = ("cv2", "onnxruntime", "starlette", "gpiozero", "numpy")


class Opened:
    """Opens a matrix of luma's dummy, and keeps what it was asked for."""

    def __init__(self) -> None:
        self.asked: dict[str, Any] = {}
        self.device: Any = None

    def __call__(self, width: int, **asked: Any) -> MatrixDisplay:
        self.asked = {"width": width, **asked}
        self.device = dummy(width=width, height=8, mode="1")
        self.device.data = lambda values: None
        return MatrixDisplay(self.device, writes=False)


def test_matrix_says_hands_off_as_the_settings_want_it(tmp_path: Path) -> None:
    settings = tmp_path / "box.toml"
    settings.write_text("[display]\nwidth = 64\nbrightness = 9\nblock_orientation = 90\n")
    opened = Opened()
    assert main([str(settings)], opened) == 0
    assert opened.asked == {"width": 64, "brightness": 9, "block_orientation": 90}
    image: Image.Image = opened.device.image
    assert image.size == (64, 8)
    assert image.convert("1").getbbox() is not None
    assert opened.device.persist


def test_wrong_settings_do_not_keep_the_matrix_dark(tmp_path: Path) -> None:
    settings = tmp_path / "box.toml"
    settings.write_text("[display]\nwidth = 33\n")
    opened = Opened()
    assert main([str(settings)], opened) == 0
    assert opened.asked["width"] == 32


def test_missing_settings_do_not_keep_the_matrix_dark(tmp_path: Path) -> None:
    opened = Opened()
    assert main([str(tmp_path / "none.toml")], opened) == 0
    assert opened.asked["width"] == 32


def test_box_without_a_matrix_is_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    def refuse(width: int, **asked: Any) -> MatrixDisplay:
        raise BadDisplay("no LED matrix: SPI is off")

    assert main([], refuse) == 1
    assert capsys.readouterr().err == "first picture: no LED matrix: SPI is off\n"


def test_nothing_heavy_is_loaded_for_it() -> None:
    # It is shown within 2 s of the start: OpenCV and the nets alone take a Pi longer.
    words = f"import sys, referee.service.first_picture; print(*set(sys.modules) & set({HEAVY}))"
    said = subprocess.run([sys.executable, "-c", words], capture_output=True, text=True, check=True)
    assert said.stdout == "\n"
