"""Tooth forms and the distance from their surfaces."""

from itertools import pairwise
from math import atan2, cos, degrees, hypot, pi, radians, sin, sqrt, tan

import numpy as np
import pytest

from chaindrive.errors import InputError
from chaindrive.geometry.kernels import beyond, distance, gap_distance, profile_distance, profile_row
from chaindrive.geometry.profile import MOST_ELEMENTS, Arc, Profile, Segment, outline, table
from chaindrive.geometry.tooth_forms import TOOTH_FORMS, tooth_profile
from chaindrive.geometry.tooth_forms.passing import obstruction
from chaindrive.geometry.tooth_forms.wedge import wedge
from chaindrive.kernels import kernel

PITCH, ROLLER = 0.0889, 0.05398  # ISO 606 56B
FORMS = [
    ("asa-ii", {}),
    ("asa-ii", {"flank_factor": 1.24}),
    ("iso-606", {"gap": "minimum"}),
    ("iso-606", {"gap": "mean"}),
    ("iso-606", {"gap": "maximum"}),
    ("circular", {}),
    ("single-point", {}),
    ("rectangular", {"clearance": 2e-4, "height": 5e-3}),
    ("semi-real", {"clearance": 2e-4, "height": 5e-3, "flank_angle": 0.4, "corner_radius": 2e-3}),
    ("conveyor", {}),
    ("conveyor", {"flank_angle": 0.25, "clearance": 0.0}),
]
SIX_POINT = ("six-point", {})
"""Its hollow corners are narrower than any roller, which touches bottom and both flanks separately."""
KINEMATIC = ("kinematic-seat", {})
"""Its bottom is narrower than any roller, which touches both walls separately."""
SMOOTH = ("smooth", {})
"""A rim, from which no roller is released."""
ALL = [*FORMS, SIX_POINT, KINEMATIC, SMOOTH]
forms = pytest.mark.parametrize(
    ("form", "options"), FORMS, ids=["-".join([f, *map(str, o.values())]) for f, o in FORMS]
)


@kernel
def distances(gap, points, out):
    """gap_distance of many points, computed by the compiled routine under test."""
    for i in range(points.shape[0]):
        out[i, 0], out[i, 1], out[i, 2] = gap_distance(gap, points[i, 0], points[i, 1])


def distance_to_polyline(points, line):
    """Distance of every point from a polyline, shape (n,)."""
    a, d = line[:-1], np.diff(line, axis=0)
    best = np.empty(len(points))
    for i, p in enumerate(points):
        t = np.clip(((p - a) * d).sum(axis=1) / (d * d).sum(axis=1), 0.0, 1.0)
        best[i] = np.hypot(*(p - a - t[:, None] * d).T).min()
    return best


def tangency_residual(profile):
    """Largest gap between neighbouring elements: in position [m] and in direction [rad].

    A symmetric profile must also leave its axis at a right angle: the bottom counts as a joint.
    """
    gap, kink = 0.0, 0.0
    if profile.symmetric:
        (x, _), (ux, uy) = profile.elements[0].at(0.0)
        gap, kink = abs(x), abs(atan2(uy, ux))
    for before, after in zip(profile.elements[:-1], profile.elements[1:], strict=True):
        (x0, y0), (ux, uy) = before.at(1.0)
        (x1, y1), (vx, vy) = after.at(0.0)
        gap = max(gap, hypot(x1 - x0, y1 - y0))
        kink = max(kink, abs(atan2(ux * vy - uy * vx, ux * vx + uy * vy)))
    return gap, kink


all_forms = pytest.mark.parametrize(
    ("form", "options"), ALL, ids=["-".join([f, *map(str, o.values())]) for f, o in ALL]
)


def test_all_forms_are_covered():
    drawn = {"profile"}  # of one number of teeth each: test_model_drawn.py
    assert {form for form, _ in ALL} == set(TOOTH_FORMS) - drawn


@all_forms
def test_surfaces_are_tangent_continuous(form, options):
    # Rounding: coordinates of 2 m with an epsilon of 2e-16 go through differences of squares of a 20 times smaller
    # size in the tip; parts are at least 1 mm long, so a direction may be off by 1e3 times the position.
    for teeth in range(9, 151):
        gap, kink = tangency_residual(tooth_profile(form, teeth, PITCH, ROLLER, **options))
        assert gap < 1e-13
        assert kink < 1e-12


@forms
@pytest.mark.parametrize("teeth", [9, *(pytest.param(n, marks=pytest.mark.long) for n in (11, 17, 28, 60, 111, 150))])
def test_distance_agrees_with_a_dense_polyline(form, options, teeth):
    profile = tooth_profile(form, teeth, PITCH, ROLLER, **options)
    line = outline(profile, 6001)
    rng = np.random.default_rng(teeth)
    angle = rng.uniform(-pi / teeth, pi / teeth, 150)
    radius = rng.uniform(profile.seat_radius - ROLLER / 4, profile.tip_radius + ROLLER / 2, 150)
    points = np.column_stack([radius * np.sin(angle), radius * np.cos(angle)])
    found = np.empty((len(points), 3))
    distances(table(profile), points, found)
    expected = distance_to_polyline(points, line)
    # Centres that a roller can occupy: not deeper in the material than half its radius.
    allowed = (expected > ROLLER / 4) & (found[:, 0] > 0.0)
    assert allowed.sum() > 20
    # A chord of length h lies up to h^2/(8 r) off an arc of radius r; the broken edge is the sharpest one.
    step = 2.0 * profile.length / 6000
    tolerance = step**2 / (8.0 * 0.02 * ROLLER)
    np.testing.assert_allclose(found[allowed, 0], expected[allowed], atol=tolerance)
    # The gradient is a unit vector, and the contact point x - phi g lies on the surface.
    np.testing.assert_allclose(np.hypot(found[:, 1], found[:, 2]), 1.0, atol=1e-12)
    contact = points - found[:, :1] * found[:, 1:]
    assert distance_to_polyline(contact[allowed], line).max() < tolerance


@forms
def test_distance_is_continuous_and_its_gradient_right(form, options):
    """Central differences along a path that rises out of the gap and across to the next tooth."""
    profile = tooth_profile(form, 19, PITCH, ROLLER, **options)
    gap = table(profile)
    h = 1e-7
    last = profile.tip_radius + ROLLER / 4
    for share in np.linspace(0.002, 1.0, 300):
        eta = profile.seat_radius - 1e-4 + share * (last - profile.seat_radius)
        xi = share * 0.9 * eta * tan(pi / 19)
        phi, gx, gy = gap_distance(gap, xi, eta)
        slope_x = (gap_distance(gap, xi + h, eta)[0] - gap_distance(gap, xi - h, eta)[0]) / (2 * h)
        slope_y = (gap_distance(gap, xi, eta + h)[0] - gap_distance(gap, xi, eta - h)[0]) / (2 * h)
        # Error h^2/6 phi''' + h |jump of phi''|/2 + rounding 1e-17/h: below h/(10 um), the closest centre passed.
        np.testing.assert_allclose((slope_x, slope_y), (gx, gy), atol=1e-2 if form == "single-point" else 2e-3)
        assert gap_distance(gap, -xi, eta) == (phi, -gx, gy)


@forms
def test_a_resting_roller_just_touches_the_bottom(form, options):
    for teeth in (9, 28, 150):
        profile = tooth_profile(form, teeth, PITCH, ROLLER, **options)
        phi, gx, gy = gap_distance(table(profile), 0.0, profile.seat_radius)
        assert phi == pytest.approx(ROLLER / 2, abs=1e-14)
        if form != "single-point":  # there the roller is in the centre of the seat, where every direction is normal
            assert (gx, gy) == pytest.approx((0.0, 1.0), abs=1e-12)


@all_forms
def test_outline_is_symmetric_and_stays_within_its_tooth_pitch(form, options):
    for teeth in (9, 10, 37, 150):
        profile = tooth_profile(form, teeth, PITCH, ROLLER, **options)
        line = outline(profile, 401)
        np.testing.assert_allclose(line * [-1.0, 1.0], line[::-1], atol=1e-15)
        assert np.abs(np.arctan2(line[:, 0], line[:, 1])).max() <= pi / teeth + 1e-12
        assert np.hypot(*line.T).max() == pytest.approx(profile.tip_radius, abs=1e-12)


@pytest.mark.parametrize(("form", "options"), FORMS[5:8], ids=[form for form, _ in FORMS[5:8]])
def test_a_roller_is_released_over_the_corner_of_a_wall(form, options):
    """Above the end of the wall the corner is nearest: the distance grows from it and pushes outward.

    Where nothing followed the wall, the distance jumped from the wall's to none at all: a roller pressed sideways lost
    its elastic energy there, and one that landed next to the gap found itself deep in the tooth.
    """
    profile = tooth_profile(form, 30, PITCH, ROLLER, **options)
    rows, (x, y) = table(profile), profile.elements[-3].at(1.0)[0]
    pressed = x - (ROLLER / 2 - 1e-4)  # 0.1 mm into the wall
    below, above = (gap_distance(rows, pressed, y + step) for step in (-1e-9, 1e-9))
    assert ROLLER / 2 - below[0] == pytest.approx(1e-4, rel=1e-3)
    assert above == pytest.approx(below, abs=2e-5)  # the normal turns by 1e-9/1e-4 where the roller is in the middle
    outside = gap_distance(rows, pressed, y + 1e-3)
    assert outside[0] > below[0]
    assert outside[1] < 0.0 < outside[2]  # back to the middle of the gap, and out of it
    # On the middle of the tooth a roller stands on the tip circle.
    top = profile.tip_radius + ROLLER / 2
    found = gap_distance(rows, top * sin(pi / 30), top * cos(pi / 30))
    assert found[0] == pytest.approx(ROLLER / 2, abs=1e-14)


def test_ansi_dimensions():
    """The 17 numbers of the GEARS-IDS sheet for type II: P = 1 in, 28 teeth, roller 0.625 in."""
    inch, z, dr = 0.0254, 28, 0.625
    profile = tooth_profile("asa-ii", z, inch, dr * inch)
    seat, working, straight, topping, *_ = profile.elements
    pitch_radius = 1 / (2 * sin(pi / z))
    w, t = working.centre[0] / inch, working.centre[1] / inch - pitch_radius
    bx, by = topping.centre[0] / inch, topping.centre[1] / inch - pitch_radius
    f = topping.radius / inch
    h = sqrt(f**2 - (1.4 * dr - 0.5) ** 2)
    # the point where the topping arc meets the centre line of the tooth, from its definition
    line = np.array([sin(pi / z), cos(pi / z)])
    b = np.array([bx, by + pitch_radius])
    pointed = 2 * (b @ line + sqrt(f**2 - (b @ b - (b @ line) ** 2)))
    found = {
        "Ds": 2 * seat.radius / inch,
        "R": seat.radius / inch,
        "A": -np.degrees(seat.end_angle),
        "B": np.degrees(working.end_angle - working.start_angle),
        "ac": np.hypot(w, t),
        "M": -w,
        "T": t,
        "E": working.radius / inch,
        "xy": 2 * working.radius / inch * sin((working.end_angle - working.start_angle) / 2),
        "yz": straight.length / inch,
        "ab": np.hypot(bx, by),
        "W": bx,
        "V": -by,
        "F": f,
        "H": h,
        "S": 0.5 * cos(pi / z) + h * sin(pi / z),
        "PD": 2 * pitch_radius,
        "OD": 2 * profile.tip_radius / inch,
        "pointed OD": pointed,
    }
    printed = {
        "Ds": 0.6311, "R": 0.3156, "A": 37.1429, "B": 16.0, "ac": 0.5, "M": 0.3986, "T": 0.3019, "E": 0.8156,
        "xy": 0.2270, "yz": 0.0844, "ab": 0.875, "W": 0.8695, "V": 0.0980, "F": 0.5114, "H": 0.3477, "S": 0.5358,
        "PD": 8.9314, "OD": 9.4752, "pointed OD": 9.5706,
    }  # fmt: skip
    for name, value in printed.items():
        assert found[name] == pytest.approx(value, abs=0.5001e-4), name


@pytest.mark.parametrize(
    ("pitch", "roller", "teeth", "ds", "e", "f", "clearance"),
    [
        (0.0889, 0.05398, 60, 54.3261e-3, 70.347e-3, 43.604e-3, 0.173e-3),
        (0.1143, 0.07239, 64, 72.8281e-3, 94.3261e-3, 58.4384e-3, 0.219e-3),
    ],
)
def test_ansi_dimensions_of_the_marine_engines(pitch, roller, teeth, ds, e, f, clearance):
    profile = tooth_profile("asa-ii", teeth, pitch, roller)
    seat, working, _, topping, *_ = profile.elements
    assert 2 * seat.radius == pytest.approx(ds, abs=1e-7)
    assert working.radius == pytest.approx(e, abs=1e-6)
    assert topping.radius == pytest.approx(f, abs=1e-6)
    assert pitch / (2 * sin(pi / teeth)) - profile.seat_radius == pytest.approx(clearance, abs=0.5e-6)


def test_iso_606_gap():
    """08B, 19 teeth: seat and flank radii, roller seating angle, root and tip diameters from the formulas, in mm."""
    p, d1, z = 12.7, 8.51, 19
    d = p / sin(pi / z)
    for gap, ri, re, alpha in [
        ("minimum", 0.505 * d1, 0.12 * d1 * (z + 2), 140 - 90 / z),
        ("maximum", 0.505 * d1 + 0.069 * d1 ** (1 / 3), 0.008 * d1 * (z**2 + 180), 120 - 90 / z),
    ]:
        profile = tooth_profile("iso-606", z, p * 1e-3, d1 * 1e-3, gap=gap)
        seat, flank, *_ = profile.elements
        assert seat.radius * 1e3 == pytest.approx(ri, rel=1e-12)
        assert flank.radius * 1e3 == pytest.approx(re, rel=1e-12)
        assert 2 * (seat.end_angle - seat.start_angle) == pytest.approx(radians(alpha), rel=1e-12)
        assert 2e3 * (seat.centre[1] - seat.radius) == pytest.approx(d - d1, rel=1e-12)
        tip = d - d1 + p * (2.25 - 1.6 / z) / 2
        assert (2e3 * profile.tip_radius == pytest.approx(tip, rel=1e-12)) == (gap == "minimum")
        assert 2e3 * profile.tip_radius < tip * (1 + 1e-12)  # wide gaps leave a pointed, lower tooth
    low, mean, high = (
        tooth_profile("iso-606", z, p * 1e-3, d1 * 1e-3, gap=g).elements[1].radius
        for g in ("minimum", "mean", "maximum")
    )
    assert mean == pytest.approx((low + high) / 2, rel=1e-12)


def test_single_point_pushes_along_the_displacement():
    profile = tooth_profile("single-point", 30, PITCH, ROLLER)
    for angle in np.linspace(-3.0, -0.2, 9):
        phi, gx, gy = gap_distance(table(profile), 1e-5 * cos(angle), profile.seat_radius + 1e-5 * sin(angle))
        # The seat radius is 4e-1 m: differences of 1e-5 m carry a relative rounding of 1e-16 * 0.4/1e-5 = 4e-12.
        assert ROLLER / 2 - phi == pytest.approx(1e-5, rel=1e-10)
        assert (gx, gy) == pytest.approx((-cos(angle), -sin(angle)), abs=1e-10)
    assert gap_distance(table(profile), 0.0, profile.seat_radius)[0] == pytest.approx(ROLLER / 2, abs=1e-16)


def test_distance_from_a_circle_tends_to_that_from_a_line():
    # phi = u.n + k |u_t|^2/2 + O(k^2): at k = 1e-9/m the difference from a line is 0.5e-9 (0.3 m)^2.
    line, _, _ = distance(0.3, 0.4, 0.0, 1.0, 0.0)
    arc, _, _ = distance(0.3, 0.4, 0.0, 1.0, 1e-9)
    assert line == 0.4
    assert arc - line == pytest.approx(0.5e-9 * 0.09, rel=1e-5)
    assert distance(0.0, 2.0, 0.0, 1.0, -0.5) == (2.0, 0.0, 1.0)  # the centre of a hollow arc of radius 2


def test_profile_that_is_not_folded():
    """A bulging guide: line, quarter circle around the origin."""
    guide = Profile((Segment((-2.0, 1.0), (0.0, 1.0)), Arc((0.0, 0.0), 1.0, pi / 2, 0.0)), False, 1.0, 1.0)
    assert tangency_residual(guide) == pytest.approx((0.0, 0.0), abs=1e-15)
    rows = table(guide)
    assert profile_distance(rows, -1.0, 1.25) == pytest.approx((0.25, 0.0, 1.0))
    assert profile_distance(rows, 3.0, 4.0) == pytest.approx((4.0, 0.6, 0.8))
    np.testing.assert_allclose(outline(guide, 3)[[0, -1]], [[-2.0, 1.0], [1.0, 0.0]], atol=1e-15)


@forms
def test_rows_selected_one_by_one_give_the_same_distance(form, options):
    profile = tooth_profile(form, 23, PITCH, ROLLER, **options)
    gap = table(profile)
    rng = np.random.default_rng(1)
    for xi, eta in zip(
        rng.uniform(0, PITCH / 2, 200), profile.seat_radius + rng.uniform(-0.01, 0.05, 200), strict=True
    ):
        row = profile_row(gap, 0)
        for e in range(1, len(gap)):
            row = beyond(row, profile_row(gap, e), xi, eta)
        assert distance(xi - row[0], eta - row[1], *row[2:5]) == pytest.approx(gap_distance(gap, xi, eta), abs=1e-14)


def seat_in_two(teeth, pitch, roller_diameter):
    """The gap of asa-ii with its seat as two arcs: seven elements."""
    gap = tooth_profile("asa-ii", teeth, pitch, roller_diameter)
    seat = gap.elements[0]
    middle = 0.5 * (seat.start_angle + seat.end_angle)
    halves = seat._replace(end_angle=middle), seat._replace(start_angle=middle)
    return gap._replace(elements=(*halves, *gap.elements[1:]))


def one_sided(teeth, pitch, roller_diameter):
    return tooth_profile("asa-ii", teeth, pitch, roller_diameter)._replace(symmetric=False)


@pytest.mark.parametrize(
    ("form", "said"),
    [
        (seat_in_two, ["at most 6 arcs and lines, not 7"]),
        (one_sided, ["must be symmetric"]),
        (lambda *sizes: seat_in_two(*sizes)._replace(symmetric=False), ["must be symmetric", "not 7"]),
    ],
)
def test_a_gap_that_the_kernels_cannot_hold_is_refused(monkeypatch, form, said):
    monkeypatch.setattr("chaindrive.geometry.tooth_forms.TOOTH_FORMS", {**TOOTH_FORMS, "new": form})
    with pytest.raises(InputError) as caught:
        tooth_profile("new", 17, PITCH, ROLLER)
    for problem, text in zip(caught.value.problems, said, strict=True):
        assert (problem.place, problem.value) == ("tooth.form", "new")
        assert text in problem.message


def test_the_longest_gaps_have_as_many_elements_as_are_allowed():
    assert max(len(tooth_profile(form, 17, PITCH, ROLLER, **o).elements) for form, o in FORMS) == MOST_ELEMENTS


@pytest.mark.parametrize("teeth", [6, 9, 17, 40])
@pytest.mark.parametrize(("form", "options"), FORMS[:5], ids=[f"{f}-{o}" for f, o in FORMS[:5]])
def test_which_way_a_roller_does_not_fit(form, options, teeth):
    """From thin to thick rollers: too small, then possible, then too large. The flanks are multiples of the roller."""

    def refused(roller):
        try:
            tooth_profile(form, teeth, PITCH, roller, **options)
        except InputError as error:
            return str(error)
        return ""

    found = [refused(0.01 * percent * PITCH) for percent in range(1, 100)]
    thin = sum("too small for the pitch" in message for message in found)
    thick = sum("too large for the pitch" in message for message in found)
    assert thin >= 2
    assert thick >= 3
    assert all("too small" in message for message in found[:thin])
    assert found[thin:-thick] == [""] * (99 - thin - thick)


def test_too_few_teeth_for_the_arcs_are_said_to_be_too_few():
    """With a flank factor of 1.24 the least number is 5, with 1.4 no permitted number suffices."""
    with pytest.raises(InputError, match=r"do not meet with a flank factor of 1\.24: use more teeth \(got 5 teeth\)"):
        tooth_profile("asa-ii", 5, PITCH, ROLLER, flank_factor=1.24)
    tooth_profile("asa-ii", 6, PITCH, ROLLER, flank_factor=1.24)
    tooth_profile("asa-ii", 5, PITCH, ROLLER)


def test_what_cannot_be_made_is_said():
    with pytest.raises(InputError) as caught:
        tooth_profile("hex", 3, 0.01, 0.02)
    assert [p.place for p in caught.value.problems] == ["tooth.form", "teeth", "roller_diameter"]
    with pytest.raises(InputError, match="height above clearance"):
        tooth_profile("rectangular", 20, PITCH, ROLLER, clearance=1e-3, height=1e-3)
    with pytest.raises(InputError, match="minimum, maximum, mean"):
        tooth_profile("iso-606", 20, PITCH, ROLLER, gap="middle")
    for form, options in FORMS[:5]:
        with pytest.raises(InputError, match="leave no tooth"):
            tooth_profile(form, 60, PITCH, 0.98 * PITCH, **options)
    for form, more in (("circular", {}), ("rectangular", {"height": 0.31 * PITCH})):
        with pytest.raises(InputError, match="leave no tooth"):
            tooth_profile(form, 20, PITCH, ROLLER, clearance=0.3 * PITCH, **more)


CONVEYORS = [(0.6, 0.15), (0.1, 0.05), (0.16, 0.009), (PITCH, ROLLER)]
"""Pitch and roller: an apron feeder, M80-P-100, M20-B-160, 56B. [m]"""


@pytest.mark.parametrize(("pitch", "roller"), CONVEYORS)
@pytest.mark.parametrize("teeth", [5, 8, 13, 40])
def test_the_teeth_of_conveyor_sprockets(pitch, roller, teeth):
    """Flat bottom of 0.01 p, root d - d1, flanks of 16.5 degrees against the tooth, a head about the next roller."""
    gap, half = tooth_profile("conveyor", teeth, pitch, roller), pi / teeth
    pitch_radius = pitch / (2.0 * sin(half))
    bottom, seat, flank, *rest = gap.elements
    assert bottom.start == pytest.approx((0.0, pitch_radius - roller / 2), abs=1e-15)
    assert bottom.end[0] == pytest.approx(0.005 * pitch)
    assert seat.radius == pytest.approx(0.505 * roller)
    _, (ux, uy) = flank.at(0.0)
    assert atan2(ux, uy) - half == pytest.approx(radians(16.5))
    assert gap.tip_radius == pytest.approx(pitch / 2 * (0.6 + 1 / tan(half)))
    if len(rest) == 3:
        head = rest[0]
        assert head.centre == pytest.approx((pitch_radius * sin(2 * half), pitch_radius * cos(2 * half)))
        # GOST 592-81: (p - d1/2 - e/2) cos(angle), with a seat as wide as the roller instead of 1 % wider
        assert head.radius == pytest.approx((pitch - roller / 2 - 0.005 * pitch) * cos(radians(16.5)), rel=0.025)


@pytest.mark.parametrize(("teeth", "angle"), [(7, 86), (10, 68), (13, 60), (19, 52), (34, 48)])
def test_gaps_of_conveyor_sprockets_are_as_wide_as_in_the_table_of_the_standard(teeth, angle):
    """GOST 592-81 has one angle of the gap for 6 to 8, 9 to 11, ... teeth: met in the middle of each."""
    _, (ux, uy) = tooth_profile("conveyor", teeth, PITCH, ROLLER).elements[2].at(0.0)
    assert 2.0 * degrees(atan2(ux, uy)) == pytest.approx(angle, abs=5.0)
    assert 2.0 * (13.0 + 180.0 / teeth) < angle < 2.0 * (20.0 + 180.0 / teeth)


def test_teeth_of_conveyor_sprockets_need_a_flank():
    with pytest.raises(InputError) as caught:
        tooth_profile("conveyor", 5, 0.1, 0.05, flank_angle=0.95)
    assert [(p.place, p.value) for p in caught.value.problems] == [("tooth.flank_angle", "0.95 rad")]


def lift(teeth, pitch, roller, clearance):
    """Amount by which the corner of a wall that ends at the pitch circle plus clearance is in the way.

    The corner of the wall at (d/2 + c, R + c), the next roller at (p cos(pi/z), -p sin(pi/z)) from the seat.
    """
    x, y = pitch * cos(pi / teeth) - (roller / 2 + clearance), pitch * sin(pi / teeth) + clearance
    return hypot(x, y) - (pitch - roller / 2)


@pytest.mark.parametrize(("pitch", "roller"), CONVEYORS)
@pytest.mark.parametrize("teeth", [6, 8, 13, 40])
def test_how_far_circular_teeth_are_in_the_way_of_rollers(pitch, roller, teeth):
    """The corner is rounded by 0.02 d1, outwards: at most this much beyond the end of the wall."""
    clearance = 0.0025 * roller + 0.0015 * 0.0254
    found = obstruction(tooth_profile("circular", teeth, pitch, roller), teeth, pitch, roller / 2)
    sharp = lift(teeth, pitch, roller, clearance)
    assert sharp - 1e-4 * pitch < found < sharp + 0.02 * roller


@pytest.mark.parametrize("form", ["iso-606", "asa-ii", "conveyor"])
@pytest.mark.parametrize("teeth", [7, 11, 17, 38, 120])
def test_teeth_of_standards_leave_room_for_rollers_that_enter_and_leave(form, teeth):
    assert obstruction(tooth_profile(form, teeth, PITCH, ROLLER), teeth, PITCH, ROLLER / 2) < 0.0


@pytest.mark.parametrize("form", ["circular", "conveyor", "iso-606"])
def test_a_roller_that_turns_about_the_next_one_meets_the_tooth_as_deep_as_is_said(form):
    """Its distance from the surface along its path, from the routine that runs use: it overlaps by the obstruction."""
    teeth, pitch, roller = 8, 0.6, 0.15
    gap, half = tooth_profile(form, teeth, pitch, roller), pi / teeth
    radius = pitch / (2.0 * sin(half))
    centre = np.array([radius * sin(2 * half), radius * cos(2 * half)])
    start = atan2(radius - centre[1], -centre[0])
    depths = []
    for turned in np.linspace(0.0, 0.6, 400):
        x, y = centre + pitch * np.array([cos(start - turned), sin(start - turned)])
        depths.append(roller / 2 - gap_distance(table(gap), x, y)[0])
    said = obstruction(gap, teeth, pitch, roller / 2)
    if said > 0.0:
        assert max(depths) == pytest.approx(said, rel=0.1)
    else:  # it only touches the seat in which it begins
        assert max(depths) < 1e-12


@pytest.mark.parametrize("teeth", [9, 17, 60])
def test_walls_of_a_kinematic_seat_are_square_to_the_pitch_polygon(teeth):
    """Both hold the roller on the pitch circle; one that turns about its neighbour passes without being lifted."""
    gap, radius = tooth_profile("kinematic-seat", teeth, PITCH, ROLLER), 0.5 * ROLLER
    found = wedge(gap, radius)
    assert found.flank.seat_radius == pytest.approx(PITCH / (2.0 * sin(pi / teeth)), rel=1e-9)
    _, (ux, uy) = gap.elements[2].at(1.0)
    side = np.array([cos(pi / teeth), -sin(pi / teeth)])  # to the roller beside it
    assert ux * side[0] + uy * side[1] == pytest.approx(0.0, abs=1e-12)
    assert obstruction(gap, teeth, PITCH, radius) < 1e-9 * PITCH


@pytest.mark.parametrize("teeth", [6, 9, 11, 23, 60, 150])
@pytest.mark.parametrize(("pitch", "roller"), [(PITCH, ROLLER), (0.0127, 0.00782)])
def test_a_roller_rests_on_the_pitch_circle_between_the_six_points(teeth, pitch, roller):
    """Bottom and lower flanks touch the resting roller: pressed inwards it meets all three at once."""
    gap = tooth_profile("six-point", teeth, pitch, roller)
    pitch_radius = pitch / (2.0 * sin(pi / teeth))
    found = wedge(gap, 0.5 * roller)
    assert found.rise == pytest.approx(0.0, abs=1e-12 * roller)
    assert found.flank.seat_radius == pytest.approx(pitch_radius, rel=1e-12)
    bottom, lower, upper = (gap.elements[k] for k in (0, 2, 4))
    assert all(isinstance(line, Segment) for line in (bottom, lower, upper))
    for line in (bottom, lower):
        (x, y), (ux, uy) = line.at(0.5)
        height = (0.0 - x) * -uy + (pitch_radius - y) * ux
        assert height == pytest.approx(0.5 * roller, rel=1e-12)
    standard = tooth_profile("iso-606", teeth, pitch, roller)
    assert gap.tip_radius == pytest.approx(standard.tip_radius, rel=1e-4)
    end, _ = standard.elements[1].at(1.0)
    (x, y), (ux, uy) = upper.at(0.0)
    assert (end[0] - x) * uy == pytest.approx((end[1] - y) * ux, abs=1e-9 * pitch)


def test_lines_between_points_of_the_seat_would_hold_a_roller_off_the_pitch_circle():
    """Six points on the seat itself, the root points 40 degrees apart: the height of that arc, 0.24 mm of 3.91 mm."""
    radius, beta, pitch_radius = 3.91e-3, radians(40.0), 0.04
    points = [(radius * sin(a), pitch_radius - radius * cos(a)) for a in (0.5 * beta, 1.5 * beta, 2.2 * beta)]
    lines = (Segment((0.0, points[0][1]), points[0]), *(Segment(*ends) for ends in pairwise(points)))
    bottom = Profile(lines[:1], True, 0.05, pitch_radius)
    phi, _, _ = gap_distance(table(bottom), 0.0, pitch_radius)
    assert radius - phi == pytest.approx(radius * (1.0 - cos(0.5 * beta)), rel=1e-12)
    assert radius - phi == pytest.approx(0.24e-3, abs=0.005e-3)
    for line in lines[1:]:  # all lines are as near to the middle: the roller has no place there
        (x, y), (ux, uy) = line.at(0.5)
        assert -x * -uy + (pitch_radius - y) * ux < radius
    tangent = tooth_profile("six-point", 20, 0.0127, 2.0 * radius)
    assert wedge(tangent, radius).rise == pytest.approx(0.0, abs=1e-12)
