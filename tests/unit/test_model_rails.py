"""Rails by centre and angles, three points, a table, DXF and SVG: the same rail is the same curve."""

from __future__ import annotations

import math
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from chaindrive.errors import InputError
from chaindrive.geometry.guide import outline, path
from chaindrive.geometry.joined import arc_through, bezier_arcs
from chaindrive.geometry.profile import Arc, Segment
from chaindrive.model import Guide, PathGuide
from support.dxf_text import dxf, entity

CENTRE, RADIUS, START, END = (-0.345, 0.22), 0.4, math.radians(15.0), math.radians(-20.0)
SAME = 1e-9
"""Largest distance between curves that count as the same. [m]"""


def at(angle: float) -> tuple[float, float]:
    return CENTRE[0] + RADIUS * math.cos(angle), CENTRE[1] + RADIUS * math.sin(angle)


def shape_of(**fields: Any) -> PathGuide:
    guide = Guide.from_dict({"name": "rail", "shape": {"side": "right", **fields}, "contact": {"stiffness": 1e8}})
    assert isinstance(guide.shape, PathGuide)
    return guide.shape


def points_on(shape: PathGuide, count: int = 50) -> np.ndarray:
    """Points at equal distances along a rail, (count, 2)."""
    elements = path(shape.start, shape.direction, shape.pieces, shape.side)  # type: ignore[arg-type]
    lengths = [element.length for element in elements]
    ends = np.cumsum([0.0, *lengths])
    found = []
    for s in np.linspace(0.0, ends[-1], count):
        k = min(int(np.searchsorted(ends, s, "right")) - 1, len(elements) - 1)
        found.append(elements[k].at((s - ends[k]) / lengths[k])[0])
    return np.array(found)


def problem(**fields: Any) -> str:
    with pytest.raises(InputError) as caught:
        shape_of(**fields)
    (only,) = caught.value.problems
    assert only.place.startswith("shape")
    return only.message


def svg(*content: str, size: str = 'width="400mm" viewBox="0 0 400 400"') -> str:
    return f'<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" {size}>{"".join(content)}</svg>'


def drawn(tmp_path: Path, text: str, name: str = "rail.svg", **fields: Any) -> dict[str, Any]:
    (tmp_path / name).write_text(text)
    return {"kind": "drawn", "file": str(tmp_path / name), **fields}


BY_ANGLES = {"kind": "arc", "centre": CENTRE, "radius": RADIUS, "start_angle": START, "end_angle": END}


def millimetres(point: tuple[float, float]) -> str:
    return f"{1e3 * point[0]!r} {-1e3 * point[1]!r}"


def test_an_arc_lies_on_its_circle_from_start_to_end() -> None:
    points = points_on(shape_of(**BY_ANGLES))
    assert np.hypot(*(points - CENTRE).T) == pytest.approx(RADIUS, abs=SAME)
    assert points[0] == pytest.approx(at(START), abs=SAME)
    assert points[-1] == pytest.approx(at(END), abs=SAME)


@pytest.mark.parametrize("end", [START + 0.5, START - 0.5, START + 5.0])
def test_an_arc_turns_towards_the_larger_angle(end: float) -> None:
    shape = shape_of(**{**BY_ANGLES, "end_angle": end})
    assert shape.pieces[0].bend == ("left" if end > START else "right")
    assert shape.pieces[0].length == pytest.approx(RADIUS * abs(end - START))


@pytest.mark.parametrize("between", [-17.0, 0.0, 14.0])
def test_three_points_give_the_arc(between: float) -> None:
    three = shape_of(kind="three_points", points=[at(START), at(math.radians(between)), at(END)])
    assert points_on(three) == pytest.approx(points_on(shape_of(**BY_ANGLES)), abs=SAME)


def test_three_points_give_the_long_arc() -> None:
    """More than half of a circle: the middle point decides."""
    ends, middle = (0.3, 5.2), 2.0
    long = shape_of(**{**BY_ANGLES, "start_angle": ends[0], "end_angle": ends[1]})
    three = shape_of(kind="three_points", points=[at(ends[0]), at(middle), at(ends[1])])
    assert points_on(three) == pytest.approx(points_on(long), abs=SAME)


def test_points_of_a_table_on_a_circle_give_the_arc() -> None:
    angles = [15.0, 9.0, 2.0, -11.0, -20.0]
    table = shape_of(kind="spline", points=[at(math.radians(angle)) for angle in angles])
    assert points_on(table) == pytest.approx(points_on(shape_of(**BY_ANGLES)), abs=SAME)


def test_a_table_in_the_file_is_that_of_a_file_of_points(tmp_path) -> None:
    points = [(0.0, 0.1), (0.05, 0.11), (0.11, 0.105), (0.16, 0.08)]
    text = "".join(f"{1e3 * x!r}, {1e3 * y!r}\n" for x, y in points)
    from_file = shape_of(**drawn(tmp_path, text, "rail.csv"))
    assert points_on(shape_of(kind="spline", points=points)) == pytest.approx(points_on(from_file), abs=SAME)


def test_a_spline_goes_through_its_points() -> None:
    points = [(0.0, 0.1), (0.05, 0.11), (0.11, 0.105), (0.16, 0.08)]
    line = points_on(shape_of(kind="spline", points=points), 4001)
    for point in points:
        assert np.hypot(*(line - point).T).min() < 5e-5


def test_the_arc_of_a_dxf_is_the_same(tmp_path) -> None:
    text = dxf(entity(Arc(CENTRE, RADIUS, START, END), "RAIL", 1e3))
    from_file = shape_of(**drawn(tmp_path, text, "rail.dxf", layer="rail", reverse=True))
    assert points_on(from_file) == pytest.approx(points_on(shape_of(**BY_ANGLES)), abs=SAME)


# SVG ------------------------------------------------------------------------------------------------------------------

ARC = f'<path d="M {millimetres(at(END))} A 400 400 0 0 0 {millimetres(at(START))}"/>'


@pytest.mark.parametrize(
    ("content", "fields"),
    [
        (svg(ARC), {}),
        (svg(f'<g id="a">{ARC}</g><g id="b"><circle r="3"/></g>'), {"layer": "A"}),
        (svg(f'<g id="x" inkscape:label="Rail">{ARC}</g><g id="b"><circle r="3"/></g>'), {"layer": "rail"}),
        (svg(ARC, size='width="40cm" viewBox="0 0 400 400"'), {}),
        (svg(ARC, size=""), {}),
        (svg(ARC, size='width="4in" viewBox="0 0 7 7"'), {"unit": "mm"}),
        (svg(f'<g transform="translate(9,2)rotate(30)"><g transform="rotate(-30)translate(-9 -2)">{ARC}</g></g>'), {}),
        (svg(f'<g transform="scale(2)">{ARC}</g>', size='width="2e2mm" viewBox="0 0 400 400"'), {}),
        (svg(f'<g transform="rotate(40 3 7) matrix(1 0 0 1 0 0) rotate(-40, 3, 7)">{ARC}</g>'), {}),
        (svg(f'<defs><path d="M0 0L9 9"/></defs><path style="display: none" d="M0 0L9 9"/>{ARC}'), {}),
    ],
)  # fmt: skip
def test_the_arc_of_an_svg_is_the_same(tmp_path, content: str, fields: dict[str, Any]) -> None:
    expected = shape_of(**{**BY_ANGLES, "start_angle": END, "end_angle": START})
    shape = shape_of(**drawn(tmp_path, content, **fields))
    if points_on(shape)[0] != pytest.approx(at(END), abs=1e-6):  # begins at its left end
        shape = shape_of(**drawn(tmp_path, content, reverse=True, **fields))
    assert points_on(shape) == pytest.approx(points_on(expected), abs=SAME)


def test_a_mirrored_arc_turns_the_other_way(tmp_path) -> None:
    plain = shape_of(**drawn(tmp_path, svg('<path d="M0 0 A 100 100 0 0 1 50 0"/>')))
    mirrored = shape_of(**drawn(tmp_path, svg('<path transform="scale(1,-1)" d="M0 0 A 100 100 0 0 1 50 0"/>')))
    assert points_on(mirrored) == pytest.approx(points_on(plain) * [1.0, -1.0], abs=SAME)
    assert plain.pieces[0].bend == "right"  # sweep 1 is clockwise on the screen: over the chord, it bends down


def test_relative_and_absolute_commands_agree(tmp_path) -> None:
    absolute = "M10 10 H40 L60 10 C70 10 80 12 90 16 S110 25 120 31"
    relative = "m10,10h30l20 0c10 0,20 2 30 6s20 9 30 15"
    one, other = (shape_of(**drawn(tmp_path, svg(f'<path d="{d}"/>'))) for d in (absolute, relative))
    assert points_on(one) == pytest.approx(points_on(other), abs=SAME)
    assert one.start == pytest.approx((0.01, -0.01))


def test_the_long_arc_of_an_svg(tmp_path) -> None:
    short, long = (
        shape_of(**drawn(tmp_path, svg(f'<path d="M0 0 A 100 100 0 {flag} 1 50 0"/>'))).pieces[0] for flag in (0, 1)
    )
    assert short.length + long.length == pytest.approx(2.0 * math.pi * 0.1)
    assert short.length == pytest.approx(0.2 * math.asin(0.25))


@pytest.mark.parametrize("d", ["M0 0 Q 50 40 120 30 T 260 0", "M0 0 C 30 20 60 35 120 30 S 190 25 260 0"])
def test_smooth_curves_are_those_with_all_control_points(tmp_path, d: str) -> None:
    whole = {"Q": "M0 0 Q 50 40 120 30 Q 190 20 260 0", "C": "M0 0 C 30 20 60 35 120 30 C 180 25 190 25 260 0"}
    one, other = (
        shape_of(**drawn(tmp_path, svg(f'<path d="{text}"/>'))) for text in (d, whole["Q" if "Q" in d else "C"])
    )
    assert points_on(one) == pytest.approx(points_on(other), abs=SAME)


def test_a_quadratic_curve_of_an_svg_is_on_its_parabola(tmp_path) -> None:
    """Q: (1 - t)^2 a + 2 t (1 - t) b + t^2 c; with x linear in t, y is a parabola in x."""
    line = points_on(shape_of(**drawn(tmp_path, svg('<path d="M0 0 Q 60 -40 120 0"/>'))), 200)
    x = line[:, 0]
    assert line[:, 1] == pytest.approx(0.08 * (x / 0.12) * (1.0 - x / 0.12), abs=2e-6)


def test_a_quadratic_curve_is_its_cubic() -> None:
    """Degree elevation: control points at two thirds of the way to that of the quadratic."""
    start, middle, end = (0.0, 0.0), (0.05, 0.04), (0.12, 0.03)
    first = tuple(a + 2.0 / 3.0 * (b - a) for a, b in zip(start, middle, strict=True))
    second = tuple(a + 2.0 / 3.0 * (b - a) for a, b in zip(end, middle, strict=True))
    arcs = bezier_arcs(start, first, second, end)  # type: ignore[arg-type]
    for t in np.linspace(0.0, 1.0, 33):
        x, y = ((1 - t) ** 2 * a + 2 * t * (1 - t) * b + t**2 * c for a, b, c in zip(start, middle, end, strict=True))
        lines = [outline((arc,), 1e-3) for arc in arcs]
        assert min(np.hypot(*(line - (x, y)).T).min() for line in lines) < 1e-4
        on_arcs = [abs(math.dist(arc.centre, (x, y)) - arc.radius) for arc in arcs if isinstance(arc, Arc)]
        assert min(on_arcs) < 1e-6


def test_the_arcs_of_a_curve_are_tangent() -> None:
    arcs = bezier_arcs((0.0, 0.0), (0.03, 0.06), (0.1, 0.08), (0.14, 0.02))
    for one, other in pairwise(arcs):
        assert one.at(1.0)[0] == pytest.approx(other.at(0.0)[0], abs=SAME)
        assert one.at(1.0)[1] == pytest.approx(other.at(0.0)[1], abs=1e-8)


# What cannot be -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({**BY_ANGLES, "end_angle": START}, "must differ from start_angle"),
        ({**BY_ANGLES, "end_angle": START + 7.0}, "less than a full circle"),
        ({**BY_ANGLES, "radius": 0}, "above 0"),
        ({"kind": "three_points", "points": [[0, 0], [0, 0], [1, 0]]}, "three different points"),
        ({"kind": "three_points", "points": [[0, 0], [2, 0], [1, 0]]}, "second is not between the others"),
        ({"kind": "spline", "points": [[0, 0], [0, 0]]}, "points 0 and 1 coincide"),
        ({"kind": "spline", "points": [[0, 0], [0.1, 0], [0.1, 0.1]]}, "turns by 90 deg"),
        ({"kind": "spline", "points": [[0, 0]]}, "at least 2"),
    ],
)
def test_a_rail_that_cannot_be_is_refused(fields: dict[str, Any], told: str) -> None:
    assert told in problem(**fields)


@pytest.mark.parametrize(
    ("content", "fields", "told"),
    [
        ("<svg", {}, "is not an SVG"),
        ("<svg><path d='M0 0'/></svg>", {}, "has no path"),
        ("<html></html>", {}, "first element is 'html'"),
        ('<!DOCTYPE svg [<!ENTITY a "x">]><svg><path d="&a;"/></svg>', {}, "declares entities"),
        ('<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]><svg>&a;</svg>', {}, "declares entities"),
        (svg('<path d="M0 0 A 10 20 0 0 1 9 9"/>'), {}, "ellipse"),
        (svg('<path d="M0 0 L 5"/>'), {}, "too few numbers"),
        (svg('<path d="M0 0 X 5 5"/>'), {}, "cannot be read"),
        (svg('<path d="0 0 5 5"/>'), {}, "cannot be read"),
        (svg('<path d="M0 0 L 1e999 0"/>'), {}, "not finite"),
        (svg('<circle r="3"/>'), {}, "it is closed"),
        (svg('<use href="#a"/>'), {}, "save it as a path"),
        (svg('<path d="M0 0 H5 V5 H0 Z"/>'), {}, "closed curve"),
        (svg(f'<g transform="scale(1 2)">{ARC}</g>'), {}, "skews or scales unequally"),
        (svg(f'<g transform="skewX(3)">{ARC}</g>'), {}, "cannot be read"),
        (svg(f'<g id="Rail">{ARC}</g>'), {"layer": "Rial"}, "did you mean 'Rail'?"),
        (svg("<g>" * 150 + "</g>" * 150), {}, "nests elements"),
    ],
)  # fmt: skip
def test_a_drawing_that_cannot_be_read_is_refused(tmp_path, content: str, fields: dict[str, Any], told: str) -> None:
    assert told in problem(**drawn(tmp_path, content, **fields))


def test_an_arc_flatter_than_a_kilometre_is_a_line() -> None:
    assert isinstance(arc_through((0.0, 0.0), (0.5, 1e-9), (1.0, 0.0)), Segment)
    assert isinstance(arc_through((0.0, 0.0), (0.5, 1e-3), (1.0, 0.0)), Arc)
