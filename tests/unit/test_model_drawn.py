"""Rails and teeth from files: shapes written as DXF are read back, points of a curve become arcs through them."""

from __future__ import annotations

import copy
import math
import random
from itertools import pairwise

import numpy as np
import pytest

import chaindrive as cd
from chaindrive.errors import InputError
from chaindrive.geometry.joined import arcs_through, bulged, joined, pieces_of
from chaindrive.geometry.profile import Arc, Segment
from chaindrive.geometry.tooth_forms import tooth_profile
from chaindrive.mechanism.facts import drive_facts
from chaindrive.mechanism.rails import guide_profile
from chaindrive.mechanism.teeth import tooth_gap
from chaindrive.model import loads
from chaindrive.model.guide import Guide, PathGuide
from chaindrive.model.tooth import ProfileTooth
from support.dxf_text import dxf, entity, pairs, polyline

DRIVE = {
    "name": "two",
    "chain": {"standard": "08B-1", "links": "auto"},
    "contact": {"stiffness": 5e10},
    "wheels": [
        {
            "name": "motor",
            "teeth": 17,
            "position": [0, 0],
            "tooth": {"form": "iso-606"},
            "motion": {"kind": "constant_speed", "speed": "100 rpm"},
        },
        {"name": "drum", "teeth": 38, "position": ["509.2 mm", 0], "inertia": 0.1, "tooth": {"form": "iso-606"}},
    ],
}


def rail(tmp_path, text: str, name: str = "rail.dxf", **shape: object) -> PathGuide:
    (tmp_path / name).write_text(text)
    fields = {"name": "rail", "shape": {"kind": "drawn", "file": str(tmp_path / name), "side": "left"} | shape}
    return Guide.from_dict(fields | {"contact": {"stiffness": 2e8}}).shape


def problem(tmp_path, text: str, name: str = "rail.dxf", **shape: object) -> str:
    with pytest.raises(InputError) as caught:
        rail(tmp_path, text, name, **shape)
    (only,) = caught.value.problems
    assert only.place.startswith("shape")
    return only.message


# Elements -------------------------------------------------------------------------------------------------------------


def test_a_bulge_is_the_tangent_of_a_quarter_of_the_turn() -> None:
    half = bulged((0.0, 0.0), (2.0, 0.0), 1.0)  # half a circle, counter-clockwise: below the chord
    assert isinstance(half, Arc)
    assert half.centre == pytest.approx((1.0, 0.0))
    assert half.at(0.5)[0] == pytest.approx((1.0, -1.0))
    quarter = bulged((1.0, 0.0), (0.0, 1.0), math.tan(math.pi / 8))
    assert quarter.centre == pytest.approx((0.0, 0.0), abs=1e-15)
    right = bulged((0.0, 1.0), (1.0, 0.0), -math.tan(math.pi / 8))
    assert right.centre == pytest.approx((0.0, 0.0), abs=1e-15)
    assert right.curvature > 0.0
    assert isinstance(bulged((0.0, 0.0), (1.0, 0.0), 0.0), Segment)


def test_points_on_a_circle_become_that_circle() -> None:
    """However unevenly spaced: the tangents are those of the circle through three of them."""
    angles = np.cumsum(random.Random(1).choices([0.05, 0.12, 0.3], k=12))
    points = [(3.0 + 2.0 * math.cos(a), -1.0 + 2.0 * math.sin(a)) for a in angles]
    for element in arcs_through(points):
        assert isinstance(element, Arc)
        assert element.radius == pytest.approx(2.0, rel=1e-9)
        assert element.centre == pytest.approx((3.0, -1.0), abs=1e-8)


def test_arcs_through_points_of_a_parabola_are_tangent_and_come_nearer_with_the_cube_of_the_step() -> None:
    def error(count: int) -> float:
        x = np.linspace(-0.2, 0.2, count)
        curve = arcs_through([(float(u), float(u * u)) for u in x])
        for one, other in pairwise(curve):
            assert one.at(1.0)[0] == pytest.approx(other.at(0.0)[0], abs=1e-12)
            assert one.at(1.0)[1] == pytest.approx(other.at(0.0)[1], abs=1e-9)
        seen = [e.at(f)[0] for e in curve[8:-8] for f in np.linspace(0, 1, 9)]
        return max(abs(b - a * a) for a, b in seen)

    coarse, fine = error(21), error(41)
    assert coarse < 1e-5
    assert coarse / fine > 6.0


def test_elements_are_joined_in_any_order_and_direction() -> None:
    points = [(0.0, 0.0), (0.1, 0.0), (0.2, 0.01), (0.3, 0.03), (0.4, 0.06)]
    whole = [Segment(a, b) for a, b in pairwise(points)]
    for seed in range(10):
        chance = random.Random(seed)
        mixed = [each if chance.random() < 0.5 else Segment(each.end, each.start) for each in whole]
        chance.shuffle(mixed)
        assert joined(mixed) == whole


# Rails ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["lines and arcs", "polyline", "light polyline"])
def test_a_rail_of_an_example_comes_back_from_a_dxf(tmp_path, kind: str) -> None:
    """Written in mm with the ends of the timing drive's rail left out, read, and the same surface to a nanometre."""
    drive = cd.example("timing-06b")
    plain = drive.guides[0].model_copy(
        update={"shape": drive.guides[0].shape.model_copy(update={"end_length": 0.0, "end_radius": 0.0})}
    )
    way = drive_facts(drive).route
    wanted = guide_profile(plain, way, 0.003, 0)
    if kind == "lines and arcs":
        text = dxf(*(entity(e, "rail", 1e3) for e in wanted), entity(Segment((0, 0), (9, 9)), "other", 1e3))
    else:
        ends = [tuple(1e3 * c for c in e.at(0.0)[0]) for e in wanted]
        ends.append(tuple(1e3 * c for c in wanted[-1].at(1.0)[0]))
        turns = [math.tan((e.end_angle - e.start_angle) / 4) if isinstance(e, Arc) else 0.0 for e in wanted]
        text = dxf(polyline(ends, [*turns, 0.0], "rail", light=kind == "light polyline"))
    side = plain.shape.side
    for reverse in (False, True):
        shape = rail(tmp_path, text, layer="RAIL", side=side, reverse=reverse)
        assert isinstance(shape, PathGuide)
        found = guide_profile(plain.model_copy(update={"shape": shape}), way, 0.003, 0)
        if found[0].at(0.0)[0] == pytest.approx(wanted[0].at(0.0)[0], abs=1e-9):
            break
    assert len(found) == len(wanted)
    for one, other in zip(found, wanted, strict=True):
        for part in (0.0, 0.3, 1.0):
            assert one.at(part)[0] == pytest.approx(other.at(part)[0], abs=1e-9)
            assert one.at(part)[1] == pytest.approx(other.at(part)[1], abs=1e-8)


def test_points_of_a_file_with_a_heading_remarks_and_a_unit(tmp_path) -> None:
    lines = [f"{100 * math.cos(a):.9f}; {100 * math.sin(a):.9f}" for a in np.linspace(2.4, 0.8, 30)]
    text = "x; y\n# measured\n\n" + "\n".join(lines)
    shape = rail(tmp_path, text, "rail.csv", unit="inch", origin=["1 m", 0])
    assert all(piece.radius == pytest.approx(2.54, rel=1e-6) and piece.bend == "right" for piece in shape.pieces)
    assert shape.start == pytest.approx((1.0 + 2.54 * math.cos(2.4), 2.54 * math.sin(2.4)), abs=1e-9)
    assert sum(piece.length for piece in shape.pieces) == pytest.approx(2.54 * 1.6, rel=1e-6)


@pytest.mark.parametrize(
    ("units", "unit", "length"), [(None, None, 0.1), (6, None, 100.0), (1, None, 2.54), (1, "m", 100.0)]
)
def test_the_unit_is_that_of_the_header_unless_given(tmp_path, units, unit, length) -> None:
    text = dxf(pairs(0, "LINE", 8, "0", 10, 0, 20, 0, 11, 100, 21, 0), units=units)
    assert rail(tmp_path, text, unit=unit).pieces[0].length == pytest.approx(length)


def test_files_are_named_as_seen_from_the_drive(tmp_path, monkeypatch) -> None:
    (tmp_path / "sub").mkdir()
    lines = "\n".join(f"{x} {0.0001 * x * x + 60:.6f}" for x in range(150, 351, 10))
    (tmp_path / "sub" / "rail.txt").write_text(lines)
    drive = cd.Drive.from_dict(DRIVE)
    text = drive.to_toml() + (
        '[[guides]]\nname = "rail"\nshape = { kind = "drawn", file = "rail.txt", side = "left", reverse = true }\n'
        "contact = { stiffness = 2e8 }\n"
    )
    (tmp_path / "sub" / "drive.toml").write_text(text)
    monkeypatch.chdir(tmp_path)
    made = cd.load("sub/drive.toml")
    assert made.guides[0].shape.kind == "path"
    assert made.guides[0].shape.start == pytest.approx((0.35, 0.0001 * 0.35 * 350 + 0.06))
    assert loads(made.to_toml()) == made  # the file is not needed any more
    with pytest.raises(InputError, match=r"guides\[0\]\.shape.*rail\.txt: does not exist"):
        loads(text)


# Teeth ----------------------------------------------------------------------------------------------------------------


def tooth(tmp_path, text: str, **options: object) -> cd.Drive:
    (tmp_path / "tooth.dxf").write_text(text)
    fields = copy.deepcopy(DRIVE)
    fields["wheels"][1]["tooth"] = {"form": "drawn", "file": str(tmp_path / "tooth.dxf")} | options
    return cd.Drive.from_dict(fields)


@pytest.mark.parametrize("form", ["iso-606", "asa-ii", "six-point", "conveyor", "circular"])
@pytest.mark.parametrize("left", [False, True])
def test_half_a_gap_comes_back_from_a_dxf(tmp_path, form: str, left: bool) -> None:
    wanted = tooth_profile(form, 38, 0.0127, 0.00851)
    elements = list(wanted.elements)
    if left:
        elements = [
            Arc((-e.centre[0], e.centre[1]), e.radius, math.pi - e.start_angle, math.pi - e.end_angle)
            if isinstance(e, Arc)
            else Segment((-e.start[0], e.start[1]), (-e.end[0], e.end[1]))
            for e in elements
        ]
    random.Random(2).shuffle(elements)
    drive = tooth(tmp_path, dxf(*(entity(e, "0", 1e3) for e in elements)))
    assert isinstance(drive.wheels[1].tooth, ProfileTooth)
    found = tooth_gap(drive, 1)
    assert len(found.elements) == len(wanted.elements)
    for one, other in zip(found.elements, wanted.elements, strict=True):
        for part in (0.0, 0.5, 1.0):
            assert one.at(part)[0] == pytest.approx(other.at(part)[0], abs=1e-9)
        assert one.curvature == pytest.approx(other.curvature, rel=1e-6)
    assert (found.tip_radius, found.seat_radius) == pytest.approx((wanted.tip_radius, wanted.seat_radius), abs=1e-9)
    assert loads(drive.to_toml()) == drive


@pytest.mark.parametrize("kind", ["roller", "link", "spatial", "block"])
def test_every_formulation_runs_on_drawn_teeth_as_on_those_of_the_standard(tmp_path, kind: str) -> None:
    text = dxf(*(entity(e, "0", 1e3) for e in tooth_profile("iso-606", 38, 0.0127, 0.00851).elements))
    drawn = tooth(tmp_path, text)
    options = {} if kind == "block" else {"friction_speed": "0.1 m/s"}
    run = {"run": {"until": "2 ms", "start": "at_speed", "formulation": {"kind": kind} | options}}
    one, other = (cd.simulate(cd.Drive.from_dict(each.to_dict() | run)) for each in (drawn, cd.Drive.from_dict(DRIVE)))
    for name in ("link_tension", "wheel_speed"):
        if name in one.channels:
            scale = float(np.abs(other[name]).max())
            np.testing.assert_allclose(one[name], other[name], rtol=0, atol=1e-5 * scale)
    assert float(np.abs(one["wheel_speed"]).max()) > 1.0


def test_teeth_that_cannot_be(tmp_path) -> None:
    elements = tooth_profile("iso-606", 38, 0.0127, 0.00851).elements
    text = dxf(*(entity(e, "0", 1e3) for e in elements))

    def message_for(text: str, teeth: int = 38, **options: object) -> str:
        def gap() -> None:
            drive = tooth(tmp_path, text, **options)
            changed = drive.wheels[1].model_copy(update={"teeth": teeth})
            tooth_gap(drive.model_copy(update={"wheels": (drive.wheels[0], changed)}), 1)

        with pytest.raises(InputError) as caught:
            gap()
        assert caught.value.problems[0].place.startswith("wheels[1].tooth")
        return caught.value.problems[0].message

    assert "pitch circle of 38 teeth" in message_for(text, unit="cm")
    assert "pitch circle of 40 teeth" in message_for(text, teeth=40)
    assert "the centre line of the tooth is at" in message_for(dxf(*(entity(e, "0", 1e3) for e in elements[:2])))
    rising = Segment((0.0, elements[0].at(0.0)[0][1]), (0.002, elements[0].at(0.0)[0][1] + 0.001))
    assert "at right angles" in message_for(dxf(entity(rising, "0", 1e3)))
    assert "on the positive y axis" in message_for(dxf(entity(elements[1], "0", 1e3)))
    seat = elements[0]
    flat = Segment(seat.at(1.0)[0], tuple(a + 0.02 * b for a, b in zip(*seat.at(1.0), strict=True)))
    assert "corner of" in message_for(dxf(entity(seat, "0", 1e3), entity(flat, "0", 1e3)))


# What is refused ------------------------------------------------------------------------------------------------------


LINE = pairs(0, "LINE", 8, "a", 10, 0, 20, 0, 11, 100, 21, 0)


def test_what_is_refused_says_why(tmp_path) -> None:
    corner = LINE + pairs(0, "ARC", 8, "a", 10, 100, 20, 10, 40, 10, 50, 180, 51, 270)
    assert "corner of 180 deg" in problem(tmp_path, dxf(corner))
    apart = LINE + pairs(0, "LINE", 8, "a", 10, 101, 20, 0, 11, 200, 21, 0)
    assert "in several parts: 1 of 2" in problem(tmp_path, dxf(apart))
    square = polyline([(0, 0), (100, 0), (100, 100), (0, 100)], [0] * 4, closed=1)
    assert "closed curve" in problem(tmp_path, dxf(square))
    assert "turns by 90 deg" in problem(tmp_path, dxf(polyline([(0, 0), (100, 0), (100, 100)], [0] * 3)))
    assert "SPLINE (layer 'a')" in problem(tmp_path, dxf(LINE, pairs(0, "SPLINE", 8, "a")))
    assert "nothing in the layer 'b'. Layers: a" in problem(tmp_path, dxf(LINE), layer="b")
    assert "no LINE, ARC" in problem(tmp_path, dxf(pairs(0, "TEXT", 8, "a", 1, "hello")))
    assert "drawn as seen from behind" in problem(tmp_path, dxf(LINE + pairs(230, -1.0)))
    assert "must be a group code" in problem(tmp_path, "hello\nworld\n")
    assert "binary DXF" in problem(tmp_path, "AutoCAD Binary DXF\r\n")
    assert "no value of code 11" in problem(tmp_path, dxf(pairs(0, "LINE", 8, "a", 10, 0, 20, 0)))
    assert "where a number" in problem(tmp_path, dxf(LINE.replace("100", "hundred")))
    assert "two numbers" in problem(tmp_path, "0 0\n1 2 3\n", "rail.csv")
    assert "at least two points" in problem(tmp_path, "# nothing\n", "rail.csv")
    assert "no layers" in problem(tmp_path, "0 0\n100 0\n", "rail.csv", layer="a")
    assert "two finite" in problem(tmp_path, "0 0\nnan 0\n", "rail.csv")
    assert "at least two points" in problem(tmp_path, "0 0\n0 0\n", "rail.csv")
    assert "a curve may have at most 500" in problem(tmp_path, "\n".join(f"{x} 0" for x in range(600)), "rail.csv")


def test_damaged_files_are_problems_and_nothing_else(tmp_path) -> None:
    """Lines removed, doubled, swapped, replaced: a rail, or one problem with a sentence."""
    bends = polyline([(0, 0), (50, 5), (100, 20), (150, 45)], [0.02, 0.02, 0.02, 0], light=True)
    text = dxf(LINE, pairs(0, "ARC", 8, "b", 10, 0, 20, 10, 40, 10, 50, 200, 51, 270), bends, units=4)
    chance = random.Random(5)
    outcomes = set()
    for _ in range(300):
        lines = text.splitlines()
        for _ in range(chance.randint(1, 3)):
            at = chance.randrange(len(lines))
            lines[at : at + 1] = chance.choice([[], [lines[at]] * 2, ["-1e400"], ["x"], ["0"], ["1e308"], ["nan"]])
        try:
            rail(tmp_path, "\n".join(lines), layer=chance.choice([None, "a", "b", "0"]))
            outcomes.add("read")
        except InputError as error:
            outcomes.add("refused" if all(each.message for each in error.problems) else "without a word")
    assert outcomes == {"read", "refused"}


def test_pieces_of_a_straight_row_of_points_are_one_line_each() -> None:
    start, direction, pieces = pieces_of([Segment((0.0, 0.0), (1.0, 0.0)), Segment((1.0, 0.0), (3.0, 0.0))])
    assert (start, direction) == ((0.0, 0.0), 0.0)
    assert [piece.length for piece in pieces] == [1.0, 2.0]
