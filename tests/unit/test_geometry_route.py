"""Tangents, wrap angles and lengths of routes."""

import math

import numpy as np
import pytest

from chaindrive.errors import InputError
from chaindrive.geometry.route import length_in_pitches, pitch_radius, route, taut_route

# Pedersen (2004), Tables 5.1, 5.4 and 5.5, 5.8; wheel 2 (index 1) runs on the back of the chain.
L60 = {
    "centres": [(0.0, 0.0), (0.5560, 2.2020), (0.3366, 3.0944), (-0.5560, 2.2020)],
    "radii": [0.849325, 0.425245, 0.397000, 0.425245],
    "teeth": [60, 30, 28, 30],
    "pitch": 0.0889,
    "length": [1.8797, 0.4104, 1.2619, 2.2312],
    "leaving": [0.3485, 2.2748, 2.3337, 3.2010],
    "arriving": [3.4901, 5.4164, 2.3337, 3.2010],
    "wrap": [3.4306, 1.2153, 3.2005, 0.8674],
}
S90 = {
    "centres": [(0.0, 0.0), (0.453, 3.195), (0.333199, 4.748179), (-1.098, 3.875)],  # centre 3 of sec. 5.9.3
    "radii": [1.164715, 0.583055, 0.583055, 0.583055],
    "teeth": [64, 32, 32, 32],
    "pitch": 0.1143,
    "length": [2.71266, 1.0329, 1.6765, 3.98533],
    "leaving": [0.4315, 2.3726, 2.1186, 3.2728],
    "arriving": [3.5731, 5.5143, 2.1186, 3.2728],
    "wrap": [3.4419, 1.2004, 2.8875, 1.1542],
}
SIGNS = [1, -1, 1, 1]


@pytest.mark.parametrize("drive", [L60, S90], ids=["6L60MC", "6S90MC-C"])
def test_tables_of_pedersen(drive):
    path = route(drive["centres"], drive["radii"], SIGNS)
    # Printed to 1e-4 (m, rad); centres to 1e-4 m move a touch point by as much.
    np.testing.assert_allclose(path.span_length, drive["length"], atol=1e-4)
    np.testing.assert_allclose(path.departure_angle, drive["leaving"], atol=1.1e-4)
    np.testing.assert_allclose(np.roll(path.arrival_angle, -1), drive["arriving"], atol=1.1e-4)
    np.testing.assert_allclose(path.wrap, drive["wrap"], atol=1.5e-4)


def test_length_counts_pitches_on_the_wheels():
    """Path minus chain: 7.32 mm with arcs, only 1.69 mm with wrapped links counted as pitches (6L60MC, 122 links)."""
    path = route(L60["centres"], L60["radii"], SIGNS)
    chain = 122 * 0.0889
    assert path.length - chain == pytest.approx(7.32e-3, abs=5e-6)
    assert length_in_pitches(path, 0.0889, L60["teeth"]) * 0.0889 - chain == pytest.approx(1.69e-3, abs=5e-6)


def test_two_equal_wheels():
    # 2 C/P + z links fill two wheels of z teeth: every number here is exact.
    path = route([(0, 0), (0.4, 0.3)], pitch_radius(0.01, [20, 20]), [1, 1])
    np.testing.assert_allclose(path.span_length, 0.5, rtol=1e-15)
    np.testing.assert_allclose(path.wrap, np.pi, rtol=1e-15)
    assert length_in_pitches(path, 0.01, [20, 20]) == pytest.approx(120.0, rel=1e-15)


def test_unequal_wheels_against_the_closed_form():
    # L/p = 2 C cos a + (n + N)/2 + (N - n) a/pi, sin a = (R2 - R1)/C; 20/63 teeth, C = 36 pitches: 114.805.
    radii = pitch_radius(1.0, [20, 63])
    a = np.arcsin((radii[1] - radii[0]) / 36.0)
    exact = 72.0 * np.cos(a) + 83.0 / 2.0 + 43.0 * a / np.pi
    for signs in ([1, 1], [-1, -1]):
        assert length_in_pitches(route([(0, 0), (36, 0)], radii, signs), 1.0, [20, 63]) == pytest.approx(
            exact, rel=1e-14
        )
    assert exact == pytest.approx(114.805, abs=5e-4)


@pytest.mark.parametrize("drive", [L60, S90], ids=["6L60MC", "6S90MC-C"])
def test_touch_points_are_tangent_points(drive):
    path = route(drive["centres"], drive["radii"], SIGNS)
    ends = np.roll(path.centres, -1, axis=0)
    for touch, centre, radius in [
        (path.span_start, path.centres, path.radii),
        (path.span_end, ends, np.roll(path.radii, -1)),
    ]:
        arm = touch - centre
        np.testing.assert_allclose(np.hypot(*arm.T), radius, rtol=1e-14)
        np.testing.assert_allclose((arm * path.span_direction).sum(axis=1), 0.0, atol=1e-14)
    np.testing.assert_allclose(
        path.span_start + path.span_length[:, None] * path.span_direction, path.span_end, atol=1e-14
    )
    assert path.signs @ path.wrap == pytest.approx(2 * np.pi, rel=1e-14)


def test_turning_and_mirroring_change_no_length():
    path = route(S90["centres"], S90["radii"], SIGNS)
    c, s = np.cos(0.7), np.sin(0.7)
    turned = route(path.centres @ [[c, s], [-s, c]] + [3.0, -2.0], path.radii, path.signs)
    mirrored = route(path.centres * [-1.0, 1.0], path.radii, -path.signs)
    for other in (turned, mirrored):
        np.testing.assert_allclose(other.span_length, path.span_length, rtol=1e-13)
        np.testing.assert_allclose(other.wrap, path.wrap, rtol=1e-13)
    np.testing.assert_allclose(
        (turned.departure_angle - path.departure_angle - 0.7) % (2 * np.pi) % 6.28318530, 0, atol=1e-6
    )
    np.testing.assert_allclose(mirrored.span_start, path.span_start * [-1.0, 1.0], atol=1e-14)


def test_overlapping_wheels_are_all_named():
    with pytest.raises(InputError) as caught:
        route([(0, 0), (1, 0), (1.1, 1), (0, 1.2)], [0.6, 0.6, 0.6, 0.1], [1, -1, 1, 1])
    assert [p.place for p in caught.value.problems] == ["wheels[1].position", "wheels[2].position"]
    assert "more than 1.2 m apart" in str(caught.value)


def test_a_wheel_that_the_chain_does_not_reach():
    with pytest.raises(InputError, match="a closed loop"):
        route([(0, 0), (1, 0), (0.5, 0.2)], [0.3, 0.3, 0.05], [1, 1, 1])
    with pytest.raises(InputError, match="a closed loop"):  # crossed: a figure of eight
        route([(0, 0), (1, 0)], [0.3, 0.3], [1, -1])
    with pytest.raises(InputError, match="needs wheels"):
        route(np.zeros((0, 2)), [], [])


@pytest.mark.parametrize("sign", [1, -1])
def test_a_loop_hangs_from_one_wheel_across_gravity(sign):
    down = route([(1.0, 2.0)], [0.3], [sign])
    assert down.wrap == pytest.approx([math.pi])
    assert down.span_start[0] == pytest.approx([1.0 - 0.3 * sign, 2.0])
    assert down.span_end[0] == pytest.approx([1.0 + 0.3 * sign, 2.0])
    assert down.wheels_of(0) == (0, 0)
    assert np.isnan(down.string_length).all()
    aside = route([(1.0, 2.0)], [0.3], [sign], gravity=(3.0, 0.0))
    assert aside.span_start[0] == pytest.approx([1.0, 2.0 - 0.3 * sign])
    assert (aside.arrival_angle - down.arrival_angle) % (2.0 * math.pi) == pytest.approx([0.5 * math.pi])


def arc(centre, radius, first, last, count=400):
    """Points on an arc between two directions [rad]."""
    angle = np.linspace(first, last, count)
    return np.asarray(centre) + radius * np.column_stack([np.cos(angle), np.sin(angle)])


def test_a_taut_route_around_a_row_of_small_circles_is_that_around_the_arc_they_follow():
    """A rail of radius 0.3 m, whose chain is 5 mm outside, bends the route like an idler of 0.305 m, to either side."""
    # The lower span runs along y = -0.1 from wheel 0 to wheel 1; one rail presses it down, one up by 55 mm.
    for sign, centre in ((1.0, (0.5, -0.2)), (-1.0, (0.5, -0.35))):
        wheels, radii = [(0.0, 0.0), (1.0, 0.0)], [0.1, 0.1]
        expected = route([wheels[0], centre, wheels[1]], [0.1, 0.305, 0.1], [1.0, sign, 1.0])
        middle = -np.pi / 2 if sign > 0 else np.pi / 2
        points = arc(centre, 0.3, middle - sign * 1.2, middle + sign * 1.2)
        found, at = taut_route(
            [wheels[0], *points, wheels[1]],
            [radii[0], *[0.005] * len(points), radii[1]],
            [1.0, *[sign] * len(points), 1.0],
            [False, *[True] * len(points), False],
        )
        assert 10 < len(at) < len(points)  # the ends stand off
        # chords of 2.4/400 rad are shorter than their arc by (angle/2)^2/6 of it, 1.5e-6
        assert found.length == pytest.approx(expected.length, rel=2e-6)
        assert found.wrap[[0, -1]] == pytest.approx(expected.wrap[[0, 2]], abs=0.004)


def test_a_taut_route_passes_by_what_it_does_not_reach():
    wheels = route([(0.0, 0.0), (1.0, 0.0)], [0.1, 0.1], [1.0, 1.0])
    points = arc((0.5, -0.5), 0.2, np.pi / 2 + 1, np.pi / 2 - 1, 50)
    found, at = taut_route(
        [(0.0, 0.0), *points, (1.0, 0.0)],
        [0.1, *[0.005] * 50, 0.1],
        [1.0, *[-1.0] * 50, 1.0],
        [False, *[True] * 50, False],
    )
    assert at.tolist() == [0, 51]
    assert found.length == wheels.length
