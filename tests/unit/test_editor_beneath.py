"""Drawings beneath the editor: lines in m, layers, units, omissions, and refused files."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest

from chaindrive.editor.beneath import MOST_ELEMENTS, STEP, beneath, keep_drawing
from chaindrive.errors import InputError


def dxf(*entities, unit=4):
    """A DXF with entities, each its kind and its codes."""
    header = ["0", "SECTION", "2", "HEADER", "9", "$INSUNITS", "70", str(unit), "0", "ENDSEC"]
    lines = [*header, "0", "SECTION", "2", "ENTITIES"]
    for kind, codes in entities:
        lines += ["0", kind, *(str(part) for pair in codes.items() for part in pair)]
    return "\n".join([*lines, "0", "ENDSEC", "0", "EOF"])


def line(layer, *ends):
    return "LINE", {8: layer} | dict(zip((10, 20, 11, 21), ends, strict=True))


CIRCLE = ("CIRCLE", {8: "wheels", 10: 100, 20: 0, 40: 30})


def test_lines_that_follow_each_other_are_one():
    found = beneath({"text": dxf(line("a", 0, 0, 100, 0), line("a", 100, 0, 100, 50), line("b", 0, 9, 9, 9))})
    assert found["lines"] == [[[0.0, 0.0], [0.1, 0.0], [0.1, 0.05]], [[0.0, 0.009], [0.009, 0.009]]]
    assert found["layers"] == ["a", "b"]


@pytest.mark.parametrize(
    "text",
    [
        dxf(CIRCLE),
        '<svg width="200mm" viewBox="0 0 400 100"><circle cx="200" cy="0" r="60"/></svg>',
        '<svg><g transform="rotate(90)"><circle cx="0" cy="-100" r="30"/></g></svg>',
    ],
)
def test_a_circle_is_a_closed_polygon_within_its_radius(text):
    """A circle of 30 mm at (100 mm, 0): n chords of 2 r sin(pi / n) each, n = 2 pi / STEP."""
    (points,) = beneath({"text": text})["lines"]
    assert all(math.dist(point, (0.1, 0.0)) == pytest.approx(0.03) for point in points)
    count = math.ceil(2.0 * math.pi / STEP)
    length = sum(math.dist(a, b) for a, b in pairwise(points))
    assert length == pytest.approx(count * 2.0 * 0.03 * math.sin(math.pi / count), rel=1e-6)
    assert math.dist(points[0], points[-1]) < 1e-8


def test_a_rectangle_of_an_svg_has_four_sides():
    (points,) = beneath({"text": '<svg><rect x="10" y="20" width="30" height="40"/></svg>'})["lines"]
    assert points == [[0.01, -0.02], [0.04, -0.02], [0.04, -0.06], [0.01, -0.06], [0.01, -0.02]]


def test_what_cannot_be_drawn_is_counted_and_texts_are_not():
    spline, text, insert = ("SPLINE", {8: "a"}), ("TEXT", {8: "a", 1: "scale 1:1"}), ("INSERT", {8: "b"})
    found = beneath({"text": dxf(line("a", 0, 0, 1, 0), spline, spline, text, insert)})
    assert found["skipped"] == {"SPLINE": 2, "INSERT": 1}
    assert beneath({"text": '<svg><line x2="1"/><use/><line x1="?"/></svg>'})["skipped"] == {"use": 1, "line": 1}


def test_one_layer_and_another_unit():
    text = dxf(line("a", 0, 0, 100, 0), CIRCLE)
    (found,) = beneath({"text": text, "layer": "A", "unit": "cm"})["lines"]
    assert found == [[0.0, 0.0], [1.0, 0.0]]
    (inches,) = beneath({"text": dxf(line("a", 0, 0, 100, 0), unit=1)})["lines"]
    assert inches == [[0.0, 0.0], [2.54, 0.0]]


@pytest.mark.parametrize(
    ("given", "place"),
    [
        ({}, "text"),
        ({"text": 3}, "text"),
        ({"text": "", "layer": 1}, "layer"),
        ({"text": "", "unit": "mile"}, "unit"),
        ({"text": "", "unit": ["mm"]}, "unit"),
        ({"text": ""}, "drawing"),
        ({"text": "not a drawing\nat all"}, "drawing"),
        ({"text": "<svg><text>only words</text></svg>"}, "drawing"),
        ({"text": "<svg><path d='M 0 0 L 1'/>"}, "drawing"),
        ({"text": dxf(CIRCLE), "layer": "rails"}, "drawing"),
        ({"text": dxf(line("a", 0, 0, 1e300, 0))}, "drawing"),
        ({"text": '<svg><g transform="scale(1e300)"><circle r="1e300"/></g></svg>'}, "drawing"),
        ({"text": "<svg>" + (MOST_ELEMENTS + 1) * '<line x2="1"/>' + "</svg>"}, "drawing"),
    ],
)
def test_anything_else_is_refused_with_its_place(given, place):
    with pytest.raises(InputError) as refused:
        beneath(given)
    assert [problem.place for problem in refused.value.problems] == [place]


def test_a_line_without_length_does_no_harm():
    assert beneath({"text": dxf(line("a", 5, 5, 5, 5))})["lines"] == [[[0.005, 0.005], [0.005, 0.005]]]


def test_a_drawing_is_kept_beside_the_drive_and_takes_no_other_files_place(tmp_path):
    keep_drawing(tmp_path, {"name": "Rails 2.DXF", "text": "0\r\nEOF\r\n"})
    assert (tmp_path / "Rails 2.DXF").read_bytes() == b"0\r\nEOF\r\n"
    keep_drawing(tmp_path, {"name": "Rails 2.DXF", "text": "0\r\nEOF\r\n"})  # the same again
    with pytest.raises(InputError, match="another name"):
        keep_drawing(tmp_path, {"name": "Rails 2.DXF", "text": "other"})
    assert (tmp_path / "Rails 2.DXF").read_bytes() == b"0\r\nEOF\r\n"


@pytest.mark.parametrize(
    "name", ["", "../a.dxf", "a/b.svg", "a\\b.svg", "c:a.dxf", ".dxf", ".a.dxf", "a.toml", "a\n.dxf", 3]
)
def test_no_other_file_is_written(tmp_path, name):
    with pytest.raises(InputError) as refused:
        keep_drawing(tmp_path, {"name": name, "text": "x"})
    assert [problem.place for problem in refused.value.problems] == ["name"]
    assert list(tmp_path.iterdir()) == []
