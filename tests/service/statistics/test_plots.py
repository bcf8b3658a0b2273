"""Plots: every figure is where its number says, and nothing of a player can break the picture."""

from __future__ import annotations

import itertools
import re
import xml.etree.ElementTree as ET

import pytest

from referee.service.statistics.plots import (
    LEFT,
    RIGHT,
    WIDTH,
    colour_of,
    evening_plot,
    reaction_plot,
    share_plot,
)
from referee.service.statistics.spread import Share
from referee.service.statistics.svg import COLOURS, nice_step

SVG = "{http://www.w3.org/2000/svg}"


def _drawn(svg: str) -> ET.Element:
    return ET.fromstring(svg)


def _words(svg: str) -> list[str]:
    return [each.text or "" for each in _drawn(svg).iter(f"{SVG}text")]


def test_reaction_plot_shows_median_and_number_of_each_player() -> None:
    times = {"Ann": [300.0, 400.0, 500.0], "Bo": [250.0], "Cleo": []}
    words = _words(reaction_plot(times, colour_of(list(times)), language="en"))
    assert {"Ann", "400 ms", "n = 3", "Bo", "250 ms", "n = 1"} <= set(words)
    assert "Cleo" not in words


def test_reaction_plot_puts_the_median_where_the_axis_says() -> None:
    svg = reaction_plot({"Ann": [250.0]}, {"Ann": COLOURS[0]}, language="en")
    (median,) = [one for one in _drawn(svg).iter(f"{SVG}line") if one.get("stroke-width") == "2.5"]
    assert float(median.get("x1", "0")) == pytest.approx(LEFT + (WIDTH - LEFT - RIGHT) / 2, abs=0.1)


@pytest.mark.parametrize("time", [-50.0, 0.0, 9_999.0])
def test_reaction_plot_keeps_strange_times_inside(time: float) -> None:
    svg = reaction_plot({"Ann": [time]}, {"Ann": COLOURS[0]}, language="de")
    for bar in _drawn(svg).iter(f"{SVG}rect"):
        assert 0 <= float(bar.get("x", "0")) <= WIDTH


def test_share_plot_shows_share_and_count() -> None:
    words = _words(share_plot({"Ann": Share(3, 12), "Bo": Share(0, 0)}, {"Ann": "#000"}, "False"))
    assert {"Ann", "25 %", "3 / 12"} <= set(words)
    assert "Bo" not in words


def test_evening_without_a_value_breaks_the_line() -> None:
    svg = evening_plot(
        {"Ann": [1.0, 2.0, None, 3.0, 4.0], "Bo": [None] * 5},
        ["1", "2", "3", "4", "5"],
        colour_of(["Ann", "Bo"]),
        "Games won",
    )
    assert len(list(_drawn(svg).iter(f"{SVG}polyline"))) == 2
    assert "Bo" not in _words(svg)


@pytest.mark.parametrize("values", [[], [None], [5.0], [0.0, 0.0], [7.0, 7.0]])
def test_evening_plot_of_hardly_anything_is_a_picture(values: list[float | None]) -> None:
    svg = evening_plot({"Ann": values}, ["x"] * len(values), {"Ann": "#000"}, "Won")
    assert "nan" not in svg
    assert _drawn(svg).tag == f"{SVG}svg"


def test_names_at_the_end_of_lines_do_not_overlap() -> None:
    names = ["Ann", "Bo", "Cleo", "Dan", "Eve", "Fin", "Gus", "Hal"]
    svg = evening_plot({key: [5.0, 5.0] for key in names}, ["1", "2"], colour_of(names), "Won")
    heights = [
        float(each.get("y", "0")) for each in _drawn(svg).iter(f"{SVG}text") if each.text in names
    ]
    ordered = sorted(heights)
    assert all(b - a >= 18.9 for a, b in itertools.pairwise(ordered))
    assert ordered[-1] < 300


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", 'Ann" onload="x', "Ä & Ö"])
def test_names_are_only_text(name: str) -> None:
    for svg in (
        reaction_plot({name: [300.0]}, {name: "#000"}, language="en"),
        share_plot({name: Share(1, 2)}, {name: "#000"}, name),
        evening_plot({name: [1.0]}, ["1"], {name: "#000"}, "Won"),
    ):
        assert name in _words(svg)
        assert not re.search(r"<script|onload=\"", svg)


def test_plot_for_a_file_has_paper_behind_it() -> None:
    times, colours = {"Ann": [300.0]}, {"Ann": "#000"}
    assert 'fill="#ffffff"' in reaction_plot(times, colours, on_paper=True)
    assert 'fill="#ffffff"' not in reaction_plot(times, colours)


@pytest.mark.parametrize(("span", "step"), [(1, 0.2), (10, 2), (26, 10), (0.04, 0.01), (400, 100)])
def test_nice_steps(span: float, step: float) -> None:
    assert nice_step(span, 5) == pytest.approx(step)
