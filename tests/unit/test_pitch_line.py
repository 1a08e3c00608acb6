"""Oval sprockets: positions of rollers, placement of the chain, and speed of the next wheel."""

import math
import tomllib
from itertools import pairwise

import numpy as np
import pytest

from chaindrive.analyses.analytical.oval import ellipse_lever, lever_arms, oval_text
from chaindrive.drawing.contacts import Places, contact_normals
from chaindrive.drawing.contours import wheel_contour
from chaindrive.drawing.scene import wheel_outline
from chaindrive.errors import InputError
from chaindrive.geometry.pitch_line import OvalWheel, ellipse, pitch_polygon
from chaindrive.geometry.route import oval_route, pitch_radius, route
from chaindrive.mechanism.facts import drive_facts
from chaindrive.mechanism.layout import initial_configuration
from chaindrive.mechanism.teeth import tooth_gap
from chaindrive.model import Drive, example_path, loads
from support.small_drives import PITCH, two_wheels

OVAL = {"form": "ellipse", "ovality": 1.1, "angle": 0.4}
CENTRES, RADII, SIGNS = [[0.0, 0.0], [-0.4, 0.05]], pitch_radius(PITCH, [50, 19]), [-1.0, -1.0]


def bicycle(kind="roller", **line):
    """The example 50x19 with an oval chainring."""
    fields = tomllib.loads(example_path("bicycle-50x19").read_text(encoding="utf-8"))
    fields["bicycle"] |= {"pitch_line": OVAL | line, "straight_chainline": kind != "spatial"}
    fields["run"] = {"until": "0.1 s", "formulation": {"kind": kind}}
    return Drive.from_dict(fields)


@pytest.mark.parametrize("ovality", [1.0, 1.1, 1.4])
def test_rollers_lie_one_pitch_apart_on_an_ellipse(ovality):
    polygon = pitch_polygon(ellipse(ovality), 50, PITCH)
    sides = np.roll(polygon.corners, -1, axis=0) - polygon.corners
    assert np.hypot(*sides.T) == pytest.approx(PITCH, rel=1e-12)
    assert polygon.convex
    (x, y), scale = polygon.corners.T, polygon.scale
    assert (x / (scale * ovality**0.5)) ** 2 + (y * ovality**0.5 / scale) ** 2 == pytest.approx(1.0, rel=1e-12)
    assert polygon.radii.max() / polygon.radii.min() == pytest.approx(ovality, rel=2e-3)
    radius = float(pitch_radius(PITCH, 50))
    along = np.column_stack([np.cos(polygon.direction), np.sin(polygon.direction)])
    assert polygon.origins + radius * along == pytest.approx(polygon.corners, abs=1e-15)
    normal = np.column_stack([x / ovality, y * ovality])
    assert along == pytest.approx(normal / np.hypot(*normal.T)[:, None], abs=0.01 * (ovality - 1.0) + 1e-12)  # by sides


def test_a_round_table_is_a_round_sprocket():
    polygon = pitch_polygon(lambda angle: 3.0, 23, PITCH)
    assert np.abs(polygon.shift).max() < 1e-15
    assert polygon.direction % (2.0 * np.pi) == pytest.approx(2.0 * np.pi * np.arange(23) / 23, abs=1e-12)
    assert 3.0 * polygon.scale == pytest.approx(float(pitch_radius(PITCH, 23)), rel=1e-12)


def test_lever_arms_are_how_fast_the_way_of_the_chain_changes():
    """dL/dtheta = h_behind - h_before for a chain that is held on the sprocket: virtual work of its two tensions."""
    path, polygon = route(CENTRES, RADII, SIGNS), pitch_polygon(ellipse(1.2), 50, PITCH)

    def length(angle):
        way = oval_route(path, OvalWheel(0, polygon, angle))
        steps = -(way.oval_gaps[1] - way.oval_gaps[0]) % 50
        return way, way.span_length.sum() + way.wrap[1] * RADII[1] + steps * PITCH

    compared = 0
    for angle in np.linspace(0.0, math.pi, 17):
        (before, less), (after, more) = length(angle - 1e-6), length(angle + 1e-6)
        if before.oval_gaps != after.oval_gaps:
            continue
        ends = (after.span_end[1], after.span_direction[1]), (after.span_start[0], after.span_direction[0])
        arms = [abs(x * uy - y * ux) for (x, y), (ux, uy) in ends]
        assert (more - less) / 2e-6 == pytest.approx(arms[1] - arms[0], abs=1e-7)
        compared += 1
    assert compared > 10


def test_lever_arms_are_those_of_the_ellipse_but_for_polygonal_action():
    drive = bicycle()
    facts = drive_facts(drive)
    angles = np.linspace(0.0, math.pi, 200)
    polygon, way = facts.oval.polygon, facts.route
    long, short = polygon.radii.max(), polygon.scale / 1.1**0.5
    ux, uy = way.span_direction[3]
    smooth = ellipse_lever(math.atan2(ux, -uy) - angles, long, short)
    # The span turns by the change of the lever arm over its length, 1.2 degrees; corners lie on the ellipse.
    turned = 0.5 * (long - short) / float(way.span_length[3])
    assert lever_arms(drive, angles)[:, 0] == pytest.approx(smooth, rel=1.0 - math.cos(math.pi / 45) + 0.1 * turned)
    ratio = lever_arms(drive, angles)[:, 0] / facts.pitch_radii[3]
    assert ratio.mean() == pytest.approx(50 / 19, rel=0.01)
    assert f"{ratio.max():.3g}" in oval_text(drive)


@pytest.mark.parametrize("angle", [0.0, 0.7, 1.6])
@pytest.mark.parametrize("kind", ["roller", "spatial"])
def test_the_cage_of_a_bicycle_closes_the_chain_on_an_oval_ring(angle, kind):
    drive = bicycle(kind, angle=angle)
    placed = initial_configuration(drive)
    place, aside = placed.roller_position, np.zeros(drive.chain.links)
    assert placed.spacing == pytest.approx(drive.chain.pitch, rel=1e-12)
    if kind == "roller":
        sides = np.roll(place, -1, axis=0) - place
        assert np.hypot(*sides.T) + aside == pytest.approx(drive.chain.pitch, rel=1e-12)
    # Rollers on the ring lie in the gaps that the configuration names, of a wheel that stands at the given angle.
    on_ring = np.flatnonzero(placed.seat_wheel == 0)
    corners = drive_facts(drive).oval.corners[placed.seat_gap[on_ring]]
    assert placed.wheel_angle[0] == pytest.approx(angle)
    assert place[on_ring] == pytest.approx(corners, abs=1e-12)
    assert set(np.diff(placed.seat_gap[on_ring]) % 50) == {49}


def test_a_file_with_a_table_gives_the_same_ring():
    angles = np.linspace(0.0, 360.0, 181)
    polygon = pitch_polygon(ellipse(1.1), 50, PITCH)
    radius = ellipse(1.1)
    radii = [polygon.scale * radius(math.radians(angle)) for angle in angles]
    table = {"form": "table", "angles": [f"{angle} deg" for angle in angles], "radii": radii}
    drive = loads(str(two_wheels((50, 19), span=30.0, first={"pitch_line": table})))
    found = drive_facts(drive).oval.polygon
    assert found.corners == pytest.approx(polygon.corners, abs=2e-9)


def test_teeth_are_drawn_where_the_rollers_lie():
    drive = bicycle()
    polygon, gap = drive_facts(drive).oval.polygon, tooth_gap(drive, 0)
    contour = wheel_contour(gap, 50, polygon)
    for one, following in pairwise([*contour, contour[0]]):
        assert one.at(1.0)[0] == pytest.approx(following.at(0.0)[0], abs=1e-12)
    outline = wheel_outline(gap, 50, 0.3, 201, polygon=polygon)
    corners = OvalWheel(0, polygon, 0.3).corners
    nearest = np.hypot(*(outline[:, None] - corners).transpose(2, 0, 1)).min(axis=0)
    round_one = np.hypot(*(wheel_outline(gap, 50, 0.0, 201) - (pitch_radius(PITCH, 50), 0.0)).T).min()
    assert nearest == pytest.approx(round_one, abs=1e-9)


def test_normals_in_a_drawing_are_those_of_the_gaps():
    drive = bicycle()
    oval = drive_facts(drive).oval
    along = np.column_stack([np.cos(oval.angle + oval.polygon.direction), np.sin(oval.angle + oval.polygon.direction)])
    rollers = oval.corners[None] - 1e-5 * along
    places = Places(wheel_angle=np.array([[oval.angle, 0.0, 0.0, 0.0]]))
    normals = contact_normals(drive, rollers, np.zeros((1, 50), dtype=int), places)
    assert normals[0] == pytest.approx(along, abs=1e-9)


def problems(**first):
    with pytest.raises(InputError) as caught:
        two_wheels((30, 19), first=first, **({"links": 60} if "links" in first else {}))
    return {problem.place: problem.message for problem in caught.value.problems}


def test_bad_pitch_lines_are_refused_with_what_is_wrong():
    flat = {"form": "table", "angles": [f"{k} deg" for k in (0, 90, 180, 270, 360)]}
    assert "mean radius of" in problems(pitch_line=flat | {"radii": ["30 mm"] * 5})["wheels[0].pitch_line.radii"]
    wavy = flat | {"radii": ["40 mm", "80 mm", "40 mm", "80 mm", "40 mm"]}
    assert "convex" in problems(pitch_line=wavy)["wheels[0].pitch_line.radii"]
    assert "pitch_line.ovality" in problems(pitch_line={"form": "ellipse", "ovality": 0.9})
    with pytest.raises(InputError, match="one wheel of a chain can be oval"):
        two_wheels((30, 30), first={"pitch_line": OVAL}, second={"pitch_line": OVAL})
    with pytest.raises(InputError, match="which has no teeth"):
        two_wheels((30, 30), first={"pitch_line": OVAL}, run={"formulation": {"kind": "block"}})
