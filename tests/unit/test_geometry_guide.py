"""Surfaces of guides and the distance from them."""

from itertools import pairwise
from math import asin, cos, hypot, pi, sin, sqrt
from types import SimpleNamespace

import numpy as np
import pytest

from chaindrive.geometry.guide import Piece, middle, on_span, outline, path, profile_of, straight, table
from chaindrive.geometry.kernels import FAR, NOTHING_NEAR, distance, lone_element, open_profile_distance
from chaindrive.geometry.profile import Arc, Segment
from chaindrive.geometry.route import route
from chaindrive.kernels import kernel

ANY_DEPTH = 1e2
OTHER = {"left": "right", "right": "left"}
START, END = (0.3, -0.2), (1.1, 0.4)
"""A flat part of exactly 1 m."""
STRAIGHT = {"end_radius": 0.2, "end_length": 0.07}
S_SHAPE = (
    Piece(0.15),
    Piece(0.4, 0.5, "left"),
    Piece(0.1),
    Piece(0.5, 0.3, "right"),
    Piece(0.3, 0.12, "right"),
    Piece(0.2, 0.9, "left"),
)
HORSESHOE = (Piece(0.12), Piece(0.25 * 1.5 * pi, 0.25, "left"), Piece(0.1))
"""One arc of 270 degrees between two lines."""


def guides():
    """Guides of every shape, on both sides of the chain."""
    found = {}
    for side in ("left", "right"):
        found[f"straight-{side}"] = straight(START, END, side, **STRAIGHT)
        found[f"s-shape-{side}"] = path((0.1, 0.2), 0.7, S_SHAPE, side, 0.05, 0.03)
        found[f"horseshoe-{side}"] = path((-0.3, 0.1), -1.1, HORSESHOE, side, 0.04, 0.04)
    return found


GUIDES = guides()
each = pytest.mark.parametrize("profile", GUIDES.values(), ids=GUIDES.keys())


@kernel
def _distances(rows, points, limit, out):
    for i in range(points.shape[0]):
        out[i, 0], out[i, 1], out[i, 2] = open_profile_distance(
            rows, 0, rows.shape[0], points[i, 0], points[i, 1], limit
        )


def distances(profile, points, limit=ANY_DEPTH):
    """phi, gx, gy of many points, by the compiled routine; shape (n, 3)."""
    points = np.ascontiguousarray(points, dtype=np.float64)
    out = np.empty((len(points), 3))
    _distances(table(profile), points, limit, out)
    return out


def one(profile, x, y, limit=ANY_DEPTH):
    return distances(profile, [(x, y)], limit)[0]


def scattered(profile, n, margin, seed):
    """Points at random in the rectangle around a guide and a margin."""
    line = outline(profile)
    return np.random.default_rng(seed).uniform(line.min(axis=0) - margin, line.max(axis=0) + margin, (n, 2))


def along(profile):
    """Points, tangents and normals at 40 places on every element."""
    for element in profile:
        for fraction in np.linspace(0.01, 0.99, 40):
            (x, y), (tx, ty) = element.at(fraction)
            yield x, y, -ty, tx


@pytest.mark.parametrize("side", ["left", "right"])
def test_contact_conditions_of_the_thesis(side):
    """Pedersen (2004), Eqs. 3.87-3.94 with D.1-D.8, D.1 with the sign that D.9 needs, written out on their own.

    n_g is t_g turned counter-clockwise and points to the chain: r_gi is the end that has the guide on the right of t_g.
    """
    radius, end_length, indentation = 0.2, 0.07, 0.013
    profile = straight(START, END, side, radius, end_length, indentation)
    ri, rj = (np.array(START), np.array(END)) if side == "right" else (np.array(END), np.array(START))
    length = hypot(*(rj - ri))
    t = (rj - ri) / length
    n = np.array([-t[1], t[0]])
    ri, rj = ri + indentation * n, rj + indentation * n
    rng = np.random.default_rng(5)
    s, h = rng.uniform(-0.1, length + 0.1, 4000), rng.uniform(-0.05, 0.05, 4000)
    points = ri + s[:, None] * t + h[:, None] * n
    found = distances(profile, points)
    contacts = np.zeros(3, dtype=int)
    # The thesis ends the rounded parts at a normal of the flat part, this package at a normal of the rounded end:
    # between them lies |h - h_end| tan(asin(L_ge/R_ge)), h_end the height of the end of the arc.
    height = sqrt(radius**2 - end_length**2) - radius
    for r, (phi, gx, gy), sp, hp in zip(points, found, s, h, strict=True):
        beyond = max(-sp, sp - length) - end_length
        if abs(beyond) <= abs(hp - height) * end_length / sqrt(radius**2 - end_length**2):
            continue
        d2 = r - ri
        along_flat = d2 @ t
        if 0.0 < along_flat < length and -d2 @ n > 0.0:
            area, penetration, normal = 1, -d2 @ n, n
        elif -end_length < along_flat < 0.0 and (d := hypot(*(r - (ri - radius * n)))) < radius:
            area, penetration, normal = 0, radius - d, (r - (ri - radius * n)) / d
        elif length < along_flat < length + end_length and (d := hypot(*(r - (rj - radius * n)))) < radius:
            area, penetration, normal = 2, radius - d, (r - (rj - radius * n)) / d
        else:
            assert phi >= 0.0
            continue
        contacts[area] += 1
        assert -phi == pytest.approx(penetration, abs=1e-14)
        assert (gx, gy) == pytest.approx(normal, abs=1e-13)
    assert contacts.min() > 50
    # D.9, D.10: both ends turn about the middle, counter-clockwise
    angle, centre = 0.03, 0.5 * (ri + rj)
    turned = straight(START, END, side, radius, end_length, indentation, angle)
    turn = np.array([[cos(angle), -sin(angle)], [sin(angle), cos(angle)]])
    flat = turned[1]
    np.testing.assert_allclose(flat.start, centre + turn @ (ri - centre), atol=1e-15)
    np.testing.assert_allclose(flat.end, centre + turn @ (rj - centre), atol=1e-15)


@each
def test_distance_agrees_with_the_nearest_point_of_a_dense_outline(profile):
    points = scattered(profile, 200, 0.15, 1)
    found = distances(profile, points)
    line = outline(profile, 1e-3)
    a, d = line[:-1], np.diff(line, axis=0)
    # A chord over an angle of 1e-3 lies up to R 1e-6/8 off its arc, and R is 0.9 m at most.
    tolerance = 0.9e-6 / 8.0
    ends = 0
    for p, (phi, gx, gy) in zip(points, found, strict=True):
        t = np.clip(((p - a) * d).sum(axis=1) / (d * d).sum(axis=1), 0.0, 1.0)
        away = np.hypot(*(p - a - t[:, None] * d).T)
        nearest = int(np.argmin(away))
        if (nearest == 0 and t[0] == 0.0) or (nearest == len(a) - 1 and t[-1] == 1.0):
            ends += 1  # open ends: nothing, or a part farther away
            assert abs(phi) > away[nearest] - tolerance
            continue
        assert abs(phi) == pytest.approx(away[nearest], abs=tolerance)
        foot = p - phi * np.array([gx, gy])
        t = np.clip(((foot - a) * d).sum(axis=1) / (d * d).sum(axis=1), 0.0, 1.0)
        assert np.hypot(*(foot - a - t[:, None] * d).T).min() < tolerance
    assert ends < 150


@each
def test_points_off_the_surface_find_it_again(profile):
    for x, y, nx, ny in along(profile):
        for height in (-0.01, -1e-6, 0.0, 1e-6, 0.01):
            phi, gx, gy = one(profile, x + height * nx, y + height * ny, 0.011)
            # Coordinates of 1 m carry 2e-16, normals of an arc of 4 cm 25 times as much.
            assert phi == pytest.approx(height, abs=2e-15)
            assert (gx, gy) == pytest.approx((nx, ny), abs=1e-13)


@each
def test_deeper_than_the_limit_there_is_nothing(profile):
    """A rail has no back: points deeper behind it than its depth do not touch."""
    limit = 0.01
    points = scattered(profile, 2000, 0.1, 2)
    deep, thin = distances(profile, points), distances(profile, points, limit)
    assert thin[:, 0].min() >= -limit
    near = np.abs(deep[:, 0]) < limit
    assert near.sum() > 20
    np.testing.assert_array_equal(thin[near], deep[near])
    for x, y, nx, ny in along(profile):
        assert one(profile, x - 0.999 * limit * nx, y - 0.999 * limit * ny, limit)[0] < 0.0
        assert one(profile, x - 1.001 * limit * nx, y - 1.001 * limit * ny, limit)[0] > limit


@each
def test_distance_and_gradient_are_continuous_across_joints(profile):
    """Along a line that crosses the normal of a joint, at rollers' distance in front and a little behind."""
    for before, after in pairwise(profile):
        (x, y), (tx, ty) = after.at(0.0)
        for height in (-0.01, 0.0, 0.02, 0.036):
            step = 1e-7
            u = np.linspace(-5, 5, 11) * step
            points = np.column_stack([x - height * ty + u * tx, y + height * tx + u * ty])
            phi, gx, gy = distances(profile, points, 0.02).T
            # Parallel curves of the surface have the curvature k/(1 + k height): phi leaves the height by half of it
            # times u^2, and its gradient turns by it times the step from one point to the next.
            curvature = max(abs(k / (1.0 + k * height)) for k in (before.curvature, after.curvature))
            assert phi == pytest.approx(height, abs=0.5 * curvature * u[-1] ** 2 * (1 + 1e-4) + 1e-15)
            assert np.hypot(np.diff(gx), np.diff(gy)).max() <= step * curvature * (1 + 1e-4) + 1e-14


@each
def test_rollers_arrive_and_leave_over_the_ends(profile):
    """In front of the rail, its end is an edge: distance and gradient continue from the last normal without a jump."""
    for element, fraction, away in ((profile[0], 0.0, -1.0), (profile[-1], 1.0, 1.0)):
        (x, y), (tx, ty) = element.at(fraction)
        height, reach = 0.003, 1e-7
        u = away * np.linspace(-reach, reach, 9)
        points = np.column_stack([x - height * ty + u * tx, y + height * tx + u * ty])
        phi, gx, gy = distances(profile, points, 0.02).T
        assert phi == pytest.approx(height, abs=reach**2 / height)
        assert np.hypot(np.diff(gx), np.diff(gy)).max() <= 0.25 * reach / height * (1 + 1e-3) + 0.25 * reach * 50
        beyond = (x - 0.001 * ty + 0.002 * away * tx, y + 0.001 * tx + 0.002 * away * ty)
        assert one(profile, *beyond, 0.02)[0] == pytest.approx(hypot(0.001, 0.002))
        behind = (x + 0.001 * ty + 0.002 * away * tx, y - 0.001 * tx + 0.002 * away * ty)
        assert one(profile, *behind, 0.02)[0] > hypot(0.001, 0.002)


@each
def test_no_point_falls_between_two_elements(profile):
    rows = table(profile)
    for row in rows[1:]:
        sx, sy, tx, ty = row[5:9]
        for height in np.linspace(-0.01, 0.03, 41):
            x, y = sx - height * ty, sy + height * tx
            for px in (np.nextafter(x, -9.0), x, np.nextafter(x, 9.0)):
                for py in (np.nextafter(y, -9.0), y, np.nextafter(y, 9.0)):
                    assert one(profile, px, py, 0.02)[0] == pytest.approx(height, abs=1e-14)


@each
def test_gradient_agrees_with_differences(profile):
    h = 1e-6
    points = scattered(profile, 1500, 0.05, 3)
    found = distances(profile, points, 0.02)
    points, found = points[np.abs(found[:, 0]) < 0.02], found[np.abs(found[:, 0]) < 0.02]
    assert len(points) > 20
    for axis, column in ((0, 1), (1, 2)):
        shift = np.eye(2)[axis] * h
        ahead, behind = distances(profile, points + shift, 0.03)[:, 0], distances(profile, points - shift, 0.03)[:, 0]
        inside = (ahead < 1.0) & (behind < 1.0)  # not beside an open end
        assert inside.sum() > 0.9 * len(points)
        slope = (ahead - behind)[inside] / (2 * h)
        # h^2/6 |phi'''| + h/2 |jump of phi''| + rounding 2e-16/h; curvatures of phi are at most 1/(4 cm - 2 cm)
        np.testing.assert_allclose(slope, found[inside, column], atol=h / 2 * 50 + 1e-9)


@each
def test_gradient_is_a_unit_vector(profile):
    found = distances(profile, scattered(profile, 500, 0.2, 4))
    np.testing.assert_allclose(np.hypot(found[:, 1], found[:, 2]), 1.0, atol=1e-14)


@pytest.mark.parametrize("side", ["left", "right"])
def test_mirrored_guides(side):
    """Mirrored at the x-axis, left becomes right, and angles change their sign."""
    mirrored = [Piece(p.length, p.radius, OTHER[p.bend]) for p in S_SHAPE]
    here = path((0.1, 0.2), 0.7, S_SHAPE, side, 0.05, 0.03, 0.004, 0.1)
    there = path((0.1, -0.2), -0.7, mirrored, OTHER[side], 0.05, 0.03, 0.004, -0.1)
    points = scattered(here, 500, 0.05, 6)
    expected = distances(here, points, 0.02) * [1.0, 1.0, -1.0]
    expected[expected[:, 0] == NOTHING_NEAR] = [NOTHING_NEAR, 0.0, 1.0]
    np.testing.assert_allclose(distances(there, points * [1.0, -1.0], 0.02), expected, atol=1e-13)


@pytest.mark.parametrize("side", ["left", "right"])
def test_a_guide_moves_with_its_description(side):
    angle, shift = 1.9, np.array([3.0, -2.0])
    turn = np.array([[cos(angle), -sin(angle)], [sin(angle), cos(angle)]])
    here = path((0.1, 0.2), 0.7, S_SHAPE, side, 0.05, 0.03, 0.004, 0.1)
    there = path(turn @ (0.1, 0.2) + shift, 0.7 + angle, S_SHAPE, side, 0.05, 0.03, 0.004, 0.1)
    points = scattered(here, 500, 0.05, 7)
    before, after = distances(here, points, 0.02), distances(there, points @ turn.T + shift, 0.02)
    np.testing.assert_allclose(after[:, 0], before[:, 0], atol=1e-13)
    touching = before[:, 0] < NOTHING_NEAR
    np.testing.assert_allclose(after[touching, 1:], before[touching, 1:] @ turn.T, atol=1e-12)


def test_the_same_guide_described_against_the_chain():
    np.testing.assert_allclose(
        table(straight(START, END, "left", 0.2, 0.07, 0.01, 0.02)),
        table(straight(END, START, "right", 0.2, 0.07, 0.01, 0.02)),
        atol=1e-14,
    )


@pytest.mark.parametrize("side", ["left", "right"])
def test_on_span_rollers_just_touch(side):
    a, b, radius = np.array([0.4, -0.3]), np.array([-1.2, 2.6]), 0.036
    profile = on_span(a, b, 0.4, side, 1.3, 0.1, 0.05, contact_radius=radius)
    span = hypot(*(b - a))
    u = (b - a) / span
    for fraction in np.linspace(-0.49, 0.49, 9):
        x, y = a + 0.4 * (b - a) + 1.3 * fraction * u
        phi, gx, gy = one(profile, x, y)
        assert phi == pytest.approx(radius, abs=1e-15)
        # the normal points from the guide to the chain
        assert gx * -u[1] + gy * u[0] == pytest.approx(-1.0 if side == "left" else 1.0)
    # at the ends of the flat part the surface begins to fall away by R - sqrt(R^2 - s^2)
    x, y = a + 0.4 * (b - a) + (0.65 + 0.05) * u
    assert one(profile, x, y)[0] > radius + 1e-4
    # indentation presses it in, along the whole flat part
    pressed = on_span(a, b, 0.4, side, 1.3, 0.1, 0.05, 0.005, contact_radius=radius)
    for fraction in (-0.49, 0.0, 0.49):
        x, y = a + 0.4 * (b - a) + 1.3 * fraction * u
        assert one(pressed, x, y)[0] == pytest.approx(radius - 0.005, abs=1e-15)
    # a small rotation moves a point that is s ahead of the middle by s sin(angle) to the left
    turned = on_span(a, b, 0.4, side, 1.3, 0.1, 0.05, 0.0, 0.01, contact_radius=radius)
    (mx, my), _ = middle(turned)
    np.testing.assert_allclose((mx, my), middle(profile)[0], atol=1e-15)
    away = np.array([-u[1], u[0]]) * (radius if side == "left" else -radius)
    x, y = np.array([mx, my]) + 0.5 * (cos(0.01) * u + sin(0.01) * np.array([-u[1], u[0]]))
    assert one(turned, x, y)[0] == pytest.approx(0.0, abs=1e-15)
    np.testing.assert_allclose((mx, my), a + 0.4 * (b - a) + away, atol=1e-15)


def test_description_to_surface():
    way = route([(0.0, 0.0), (3.0, 0.0)], [0.5, 0.5], [1.0, 1.0])
    ends = {"end_radius": 0.2, "end_length": 0.05, "indentation": 0.01, "rotation": 0.02}
    flat = SimpleNamespace(kind="straight", start=START, end=END, side="left", **ends)
    assert profile_of(flat, way, 0.1) == straight(START, END, "left", 0.2, 0.05, 0.01, 0.02)
    span = SimpleNamespace(kind="on_span", span=0, at=0.4, side="right", length=0.8, **ends)
    start, end = way.span_start[0], way.span_end[0]
    assert profile_of(span, way, 0.1) == on_span(start, end, 0.4, "right", 0.8, 0.2, 0.05, 0.01, 0.02, 0.1)
    pieces = [SimpleNamespace(length=p.length, radius=p.radius, bend=p.bend) for p in S_SHAPE]
    bent = SimpleNamespace(kind="path", start=START, direction=0.3, pieces=pieces, side="left", **ends)
    assert profile_of(bent, way, 0.1) == path(START, 0.3, S_SHAPE, "left", 0.2, 0.05, 0.01, 0.02)
    span.span = 2
    with pytest.raises(ValueError, match="span 2 does not exist"):
        profile_of(span, way, 0.1)
    with pytest.raises(ValueError, match="straight, on_span or path"):
        profile_of(SimpleNamespace(**{**vars(flat), "kind": "wavy"}), way, 0.1)


def test_rounded_ends_are_tangent_and_as_long_as_said():
    profile = straight((0.0, 0.0), (1.0, 0.0), "right", 0.2, 0.07)
    first, flat, last = profile
    assert isinstance(flat, Segment)
    assert (flat.start, flat.end) == ((0.0, 0.0), (1.0, 0.0))
    for arc, (x, y) in ((first, first.at(0.0)[0]), (last, last.at(1.0)[0])):
        assert isinstance(arc, Arc)
        assert arc.curvature == pytest.approx(1.0 / 0.2)
        assert arc.length == pytest.approx(0.2 * asin(0.35))
        assert y == pytest.approx(sqrt(0.2**2 - 0.07**2) - 0.2, abs=1e-15)
        assert max(-x, x - 1.0) == pytest.approx(0.07, abs=1e-15)
    assert len(straight((0.0, 0.0), (1.0, 0.0), "right", 0.2, 0.0)) == 1
    quarter = straight((0.0, 0.0), (1.0, 0.0), "right", 0.2, 0.2)
    assert quarter[-1].at(1.0)[0] == pytest.approx((1.2, -0.2))


def test_pieces_bend_as_said_and_the_guide_lies_on_its_side():
    quarter = Piece(0.25 * pi, 0.5, "left")
    # from (1, 0) upwards around (0.5, 0), ending at (0.5, 0.5) to the left
    bulging, hollow = (path((1.0, 0.0), 0.5 * pi, (quarter,), side) for side in ("left", "right"))
    assert one(bulging, 0.5 + 0.6 * cos(0.7), 0.6 * sin(0.7)) == pytest.approx((0.1, cos(0.7), sin(0.7)))
    assert one(hollow, 0.5 + 0.4 * cos(0.7), 0.4 * sin(0.7)) == pytest.approx((0.1, -cos(0.7), -sin(0.7)))
    assert one(bulging, 0.5 + 0.4 * cos(0.7), 0.4 * sin(0.7))[0] == pytest.approx(-0.1)
    # beyond the centre no part of the arc faces the point, only its end at (0.5, 0.5)
    x, y = 0.5 - 0.4 * cos(0.7), -0.4 * sin(0.7)
    assert one(hollow, x, y)[0] == pytest.approx(hypot(x - 0.5, y - 0.5))
    # indentation: along the normal in the middle of the arc, towards the chain
    diagonal = sqrt(0.5)
    for profile, towards in ((bulging, 1.0), (hollow, -1.0)):
        side = "left" if profile is bulging else "right"
        (x, y), _ = middle(path((1.0, 0.0), 0.5 * pi, (quarter,), side, indentation=0.01))
        assert (x, y) == pytest.approx([c + towards * 0.01 * diagonal for c in middle(profile)[0]])


def test_table_takes_long_arcs_apart_and_sees_points_from_its_origin():
    profile = GUIDES["horseshoe-left"]
    rows = table(profile)
    assert len(profile) == 5
    assert rows.shape == (6, 13)
    moved = table(profile, (0.3, -0.7))
    (x, y), (tx, ty) = profile[2].at(0.3)
    expected = open_profile_distance(rows, 0, 6, x - 0.01 * ty, y + 0.01 * tx, 1.0)
    found = open_profile_distance(moved, 0, 6, x - 0.01 * ty - 0.3, y + 0.01 * tx + 0.7, 1.0)
    assert found == pytest.approx(expected, abs=1e-14)
    # rows of several guides in one table: only those between first and end count
    both = np.concatenate([rows, table(GUIDES["straight-left"])])
    (x, y), (tx, ty) = GUIDES["straight-left"][1].at(0.5)
    assert open_profile_distance(both, 6, len(both), x - 0.01 * ty, y + 0.01 * tx, 0.1)[0] == pytest.approx(0.01)
    assert open_profile_distance(both, 6, 6, x, y, 0.1)[0] == NOTHING_NEAR


def test_outline_lies_on_the_surface():
    for profile in GUIDES.values():
        line = outline(profile)
        assert np.abs(distances(profile, line[1:-1])[:, 0]).max() < 1e-15
        np.testing.assert_allclose(line[[0, -1]], [profile[0].at(0.0)[0], profile[-1].at(1.0)[0]])
        length = np.hypot(*np.diff(line, axis=0).T).sum()
        # a chord over an angle a is shorter than its arc by a^2/24
        assert 1.0 - 0.02**2 / 24 <= length / sum(e.length for e in profile) <= 1.0


def test_guide_of_a_thousand_pieces():
    wave = [Piece(0.02, 0.03, "left" if k % 2 else "right") for k in range(1000)]
    profile = path((0.0, 0.0), 0.3, wave, "left", 0.02, 0.02)
    assert table(profile).shape == (1002, 13)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: straight((0, 0), (0, 0), "left"), "must differ"),
        (lambda: straight((0, 0), (1, 0), "up"), "left or right"),
        (lambda: straight((0, 0), (1, 0), "left", 0.1, 0.11), "end_length"),
        (lambda: straight((0, 0), (1, 0), "left", -0.1, 0.0), "at least 0"),
        (lambda: straight((0, 0), (float("inf"), 0), "left"), "finite|above 0"),
        (lambda: straight((0, 0), (1, 0), "left", rotation=float("nan")), "finite"),
        (lambda: on_span((0, 0), (0, 0), 0.5, "left", 1.0), "no length"),
        (lambda: on_span((0, 0), (1, 0), 1.5, "left", 1.0), "fraction"),
        (lambda: on_span((0, 0), (1, 0), 0.5, "left", 0.0), "above 0"),
        (lambda: on_span((0, 0), (1, 0), 0.5, "left", 0.5, contact_radius=-1.0), "contact_radius"),
        (lambda: path((0, 0), 0.0, (), "left"), "at least one piece"),
        (lambda: path((0, 0), 0.0, (Piece(-0.1),), "left"), "piece 0.*length"),
        (lambda: path((0, 0), 0.0, (Piece(0.1), Piece(0.1, 0.0)), "left"), "piece 1.*radius"),
        (lambda: path((0, 0), 0.0, (Piece(0.7, 0.1),), "left"), "full circle"),
        (lambda: path((0, 0), 0.0, (Piece(0.1, 0.03, "left"),), "right", contact_radius=0.03), "hollow"),
        (lambda: path((0, 0), 0.0, (Piece(0.5), Piece(0.45, 0.1), Piece(0.5)), "left"), "crosses itself"),
        (lambda: path((0, 0), 0.0, (Piece(0.3), Piece(0.5, 0.1), Piece(0.2, 0.5)), "left"), "crosses itself"),
        (lambda: table((Segment((0, 0), (1, 0)), Segment((1, 0), (2, 1)))), "kink of 0.785"),
        (lambda: table((Segment((0, 0), (1, 0)), Segment((1.1, 0), (2, 0)))), "gap of 0.1"),
    ],
)
def test_what_cannot_be_made_is_said(make, message):
    with pytest.raises(ValueError, match=message):
        make()


@kernel
def _lone_elements(rows, points, reach, margin, out):
    for i in range(points.shape[0]):
        out[i] = lone_element(rows, 0, rows.shape[0], points[i, 0], points[i, 1], reach, margin)


@kernel
def _distances_of(rows, lone, points, out):
    for i in range(points.shape[0]):
        r = rows[lone[i]]
        out[i, 0], out[i, 1], out[i, 2] = distance(points[i, 0] - r[0], points[i, 1] - r[1], r[2], r[3], r[4])


def random_guide(rng):
    """A guide of one to eight pieces, some shorter than a search reaches, with or without rounded ends."""
    while True:
        radii = [None if rng.random() < 0.3 else float(rng.uniform(0.03, 1.5)) for _ in range(rng.integers(1, 9))]
        pieces = [
            Piece(
                float(rng.uniform(0.001, 0.2 if radius is None else 2.0 * radius)), radius, str(rng.choice(list(OTHER)))
            )
            for radius in radii
        ]
        ends = (float(rng.uniform(0.005, 0.05)), 0.004) if rng.random() < 0.7 else ()
        try:
            return path(rng.uniform(-1.0, 1.0, 2), rng.uniform(-pi, pi), pieces, str(rng.choice(list(OTHER))), *ends)
        except ValueError:  # it crosses itself
            continue


@pytest.mark.parametrize("seed", range(5))
def test_element_that_alone_faces_a_roller(seed):
    """Wherever within the margin a roller goes, the element found before is as near as the one from a search over all
    of them; one that was found to be far off comes within reach of none.
    """
    rng = np.random.default_rng(seed)
    reach, margin, found, alone, touching, far_away = 0.005, 0.002, 0, 0, 0, 0
    for _ in range(40):
        profile = random_guide(rng)
        rows = table(profile)
        on_it = [element.at(f)[0] for element in profile for f in rng.uniform(0.0, 1.0, 60)]
        around = rng.uniform(-1.0, 1.0, (len(on_it), 2)) * 1.5 * (reach + margin)
        points = np.concatenate([on_it + around, scattered(profile, 60, 0.02, rng)])
        lone = np.empty(len(points), dtype=np.int64)
        _lone_elements(rows, points, reach, margin, lone)
        direction, far = rng.uniform(-pi, pi, len(points)), margin * rng.uniform(0.0, 1.0, len(points)) ** 0.2
        moved = points + far[:, None] * np.column_stack([np.cos(direction), np.sin(direction)])
        expected = distances(profile, moved, reach)
        own = np.empty_like(expected)
        _distances_of(rows, np.maximum(lone, 0), moved, own)
        near = (lone >= 0) & (abs(expected[:, 0]) < reach)
        assert own[near] == pytest.approx(expected[near], abs=1e-15)
        far_off = (lone >= 0) & ~near
        assert (abs(own[far_off, 0]) > reach - 1e-12).all()
        assert (abs(expected[lone == FAR, 0]) > reach - 1e-12).all()
        found, alone, touching = found + len(lone), alone + (lone >= 0).sum(), touching + near.sum()
        far_away += (lone == FAR).sum()
    assert far_away > 0.1 * found
    assert alone > 0.3 * found
    assert touching > 0.2 * found
