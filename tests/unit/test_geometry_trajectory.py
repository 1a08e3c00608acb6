"""The trajectory of the chain, and coordinates along and across it."""

from __future__ import annotations

from functools import cache
from typing import Any

import _generated as generated
import numpy as np
import pytest
from numpy.polynomial import polynomial
from scipy.integrate import quad

from chaindrive.errors import InputError
from chaindrive.geometry import trajectory_kernels as K
from chaindrive.geometry.route import Route, route
from chaindrive.geometry.trajectory import ArcError, GuideArc, Trajectory, trajectory, trajectory_of_fitting_arcs
from chaindrive.mechanism.facts import drive_facts

SEED, COUNT = 9, 6
RADIUS, PITCH = 0.05, 0.0127
TWO = route([(0, 0), (0.5, 0)], [RADIUS, RADIUS], [1, 1])  # span 0 is the lower one
FOUR = route([(0, 0), (0.3, 0.02), (0.25, 0.2), (0.12, 0.06)], [0.04, 0.02, 0.06, 0.015], [1, 1, 1, -1])
GUIDE = 0


def below(x: float, indentation: float, radius: float) -> GuideArc:
    """An arc of a guide below span 0 of two wheels, pressed into it by this amount."""
    return GuideArc((x, -RADIUS - radius + indentation), radius, -1.0, GUIDE)


FLAT = (below(0.15, 0.005, 0.3), below(0.35, 0.005, 0.3))


@cache
def drives() -> list[tuple[Route, float, Trajectory]]:
    """Routes of drives at random, with their pitch and trajectory."""
    found = []
    for index in range(COUNT):
        drive = generated.generate(SEED, index)
        way = drive_facts(drive).route
        found.append((way, drive.chain.pitch, trajectory(way, drive.chain.pitch)))
    return found


@cache
def guided() -> Trajectory:
    return trajectory(TWO, PITCH, (FLAT, ()))


def curves() -> list[Trajectory]:
    return [curve for _, _, curve in drives()] + [guided(), trajectory(FOUR, PITCH)]


def point(curve: Trajectory, s: float) -> Any:
    return K.trajectory_point(curve.table, 0, s)


def places(curve: Trajectory, count: int, seed: int = 1) -> Any:
    return np.random.default_rng(seed).uniform(0.0, curve.length, count)


def state(curve: Trajectory, rng: np.random.Generator) -> tuple[Any, ...]:
    """A point of the curve at random, and coordinates, rates and second derivatives of a link beside it."""
    s = rng.uniform(-2.0, 3.0) * curve.length
    at = K.trajectory_point(curve.table, int(rng.integers(len(curve.table))), s)
    y = rng.uniform(-0.5, 0.5) * min(curve.transition, 0.9 / max(abs(at[6]), 1e-9))
    return at, s, y, rng.uniform(-1.0, 1.0), rng.uniform(-5.0, 5.0, 3), rng.uniform(-1e3, 1e3, 3)


# ---- the curve


def test_generated_drives_have_what_a_route_can_have():
    ways = [way for way, _, _ in drives()]
    assert {float(np.sign(way.signs.sum())) for way in ways} >= {-1.0, 1.0}
    assert max(len(way.radii) for way in ways) >= 4
    assert any(len(set(way.signs)) == 2 for way in ways)  # a wheel on the back of the chain


def test_the_curve_closes():
    for curve in curves():
        assert curve.residual < 1e-14 * curve.length
        ends = curve.table[:, K.END]
        np.testing.assert_array_equal(ends[:-1], curve.table[1:, K.BEGIN])
        before, after = np.ones(K.POSITION_TERMS), (-1.0) ** np.arange(K.POSITION_TERMS)
        for first in (K.X, K.Y):
            terms = curve.table[:, first : first + K.POSITION_TERMS]
            np.testing.assert_allclose(terms @ before, np.roll(terms @ after, -1), atol=2e-14 * curve.length)
        terms = curve.table[:, K.ANGLE : K.ANGLE + K.ANGLE_TERMS]
        joints = np.roll(terms @ after[:5], -1) + np.append(np.zeros(len(terms) - 1), curve.table[0, K.TURN])
        np.testing.assert_allclose(terms @ before[:5], joints, atol=1e-13)


def test_laps_go_on():
    for way, _, curve in drives():
        loop = 2.0 * np.pi * np.sign(way.signs @ way.wrap)
        for s in places(curve, 3):
            at = point(curve, s)
            for lap in (-2, 1, 5):
                there = point(curve, s + lap * curve.length)
                np.testing.assert_allclose(there[1:3], at[1:3], atol=1e-14 * curve.length)
                assert there[3] == pytest.approx(at[3] + lap * loop, abs=1e-12)


def test_position_is_the_integral_of_the_tangent_to_rounding():
    v = np.linspace(-1.0, 1.0, 21)
    for curve in curves():
        for row in curve.table:
            angle = polynomial.polyval(v, row[K.ANGLE : K.ANGLE + K.ANGLE_TERMS])
            for first, tangent in ((K.X, np.cos(angle)), (K.Y, np.sin(angle))):
                rate = polynomial.polyval(v, polynomial.polyder(row[first : first + K.POSITION_TERMS]))
                np.testing.assert_allclose(rate * row[K.INVERSE_HALF], tangent, atol=2e-14)


def test_derivatives_by_differences():
    """Fourth-order differences of the results of the kernel, within an element."""
    weights = np.array([1.0, -8.0, 0.0, 8.0, -1.0]) / 12.0
    for number, curve in enumerate(curves()):
        rng = np.random.default_rng(number)
        for row in rng.integers(0, len(curve.table), 8):
            half = 1.0 / curve.table[row, K.INVERSE_HALF]
            step = 0.02 * half
            s = curve.table[row, K.MIDDLE] + rng.uniform(-0.9, 0.9) * half
            near = np.array([point(curve, s + k * step) for k in range(-2, 3)])
            rates = weights @ near / step
            _, _, _, _, c, n, curvature, slope = near[2]
            largest = np.abs(1.0 / curve.transition)
            np.testing.assert_allclose(rates[1:3], (c, n), atol=1e-9)
            np.testing.assert_allclose(rates[3], curvature, atol=1e-9 * largest)
            np.testing.assert_allclose(rates[6], slope, atol=1e-7 * largest**2)
            assert c**2 + n**2 == pytest.approx(1.0, abs=1e-15)


def test_curvature_and_its_slope_are_continuous():
    for curve in curves():
        largest = max(abs(point(curve, s)[6]) for s in 0.5 * curve.arcs.sum(axis=1))
        for joint in curve.table[:, K.BEGIN]:
            before, after = point(curve, joint - 1e-9 * curve.length), point(curve, joint + 1e-9 * curve.length)
            near = 2e-9 * curve.length / curve.transition
            assert before[6] == pytest.approx(after[6], abs=3.0 * largest * near)
            assert before[7] == pytest.approx(after[7], abs=12.0 * largest / curve.transition * near)


def test_the_curve_lies_on_the_wheels():
    """In the middle of a wrap always, and between its transitions if these leave an arc."""
    for way, pitch, curve in drives():
        for w, (first, last) in enumerate(curve.arcs):
            middle = 0.5 * (first + last)
            left = max(0.0, 0.5 * (last - first) - 0.5 * pitch)
            for s in (middle - left, middle, middle + left):
                _, x, y, _, c, n, curvature, _ = point(curve, s)
                np.testing.assert_allclose(
                    (x - n * way.signs[w] * way.radii[w], y + c * way.signs[w] * way.radii[w]),
                    way.centres[w],
                    atol=2e-14 * curve.length,
                )
                if left > 0.0:
                    assert curvature == pytest.approx(way.signs[w] / way.radii[w], rel=1e-12)


def test_a_line_is_straight():
    curve = trajectory(FOUR, PITCH)
    for leave, arrive in zip(curve.arcs[:, 1], np.append(curve.arcs[1:, 0], curve.length), strict=True):
        for share in (0.0, 0.5, 1.0):
            place = leave + 0.5 * PITCH + share * (arrive - leave - PITCH)
            assert point(curve, place + (0.5 - share) * 1e-9)[6:] == (0.0, 0.0)


def test_length_of_two_equal_wheels():
    """Four transitions, arcs and lines that they leave, from the formula of the curvature by quadrature."""
    for pitch in (PITCH, 0.05):
        advance, _ = quad(lambda s, p=pitch: np.cos(p / RADIUS * ((s / p) ** 3 - 0.5 * (s / p) ** 4)), 0.0, pitch)
        turn = 0.5 * pitch / RADIUS
        beyond = advance - RADIUS * np.sin(turn)  # past the centre of the wheel, where the line begins
        exact = 4.0 * pitch + 2.0 * (0.5 - 2.0 * beyond) + 2.0 * RADIUS * (np.pi - 2.0 * turn)
        assert trajectory(TWO, pitch).length == pytest.approx(exact, rel=1e-14)


def test_short_transitions_leave_the_route():
    """Lines that move sideways change no length to first order: each transition adds L^3/(504 R^2).

    From L - (theta R + x - R sin theta), theta = L/(2 R), x = the integral of cos of (L/R)(u^3 - u^4/2).
    """
    for way, pitch, _ in drives():
        for share in (0.1, 0.05):
            more = trajectory(way, share * pitch).length - way.length
            assert more == pytest.approx((share * pitch) ** 3 / 504.0 * np.sum(2.0 / way.radii**2), rel=0.01)


def test_a_mirrored_route_has_the_mirrored_curve():
    curve = trajectory(FOUR, PITCH)
    other = trajectory(route(FOUR.centres * [1.0, -1.0], FOUR.radii, -FOUR.signs), PITCH)
    for s in places(curve, 20):
        np.testing.assert_allclose(
            point(other, s)[1:], np.array(point(curve, s)[1:]) * [1, -1, -1, 1, -1, -1, -1], atol=1e-9
        )


def test_a_wheel_that_the_chain_just_touches_bends_hardly_anything():
    way = route([(0, 0), (0.5, 0), (0.25, 0.0)], [RADIUS] * 3, [1, 1, 1])
    curve = trajectory(way, PITCH)
    assert way.wrap[2] == pytest.approx(0.0, abs=1e-12)
    # Transitions of its neighbours move the span outwards, and it holds it.
    moved = PITCH**2 / (40.0 * RADIUS)
    assert abs(curve.length - trajectory(TWO, PITCH).length) < 4.0 * moved**2 / 0.25
    assert abs(point(curve, curve.arcs[2].mean())[6]) < 1.5 * 3.0 * moved / 0.25 / PITCH
    # One that is wrapped by less than a transition: bent less than its circle, and touched in the middle.
    way = route([(0, 0), (0.5, 0), (0.25, 0.0005)], [RADIUS] * 3, [1, 1, 1])
    curve = trajectory(way, PITCH)
    arc = curve.arcs[2]
    assert 0.0 < arc[1] - arc[0] < 0.1 * PITCH
    s = np.linspace(arc[0] - PITCH, arc[1] + PITCH, 201)
    at = np.array([point(curve, place)[1:] for place in s])
    assert 0.0 < at[:, 5].max() < 0.15 / RADIUS
    assert np.hypot(at[:, 0] - 0.25, at[:, 1] - 0.0005).min() == pytest.approx(RADIUS, rel=1e-12)


# ---- guides


def test_a_guide_pushes_the_chain_out_of_its_span():
    """Tangents from a wheel to a circle on the other side of the chain, and the flat part between two such circles."""
    curve = guided()
    assert len(curve.arcs) == 4
    flat = 0.5 * (curve.arcs[1, 1] + curve.arcs[2, 0])
    _, x, y, angle, *_ = point(curve, flat)
    assert x == pytest.approx(0.25, abs=1e-12)
    # The bends, a = 10.7 mm, are shorter than a transition. They touch the circle in their middle, outside of which the
    # flat part lies by what the chain has turned aside up to there.
    bend = curve.arcs[1, 1] - curve.arcs[1, 0]

    def turned(s: float) -> float:
        u = np.clip((s / PITCH, (s - bend) / PITCH), 0.0, 1.0)
        return float(PITCH / 0.3 * (u[0] ** 3 - 0.5 * u[0] ** 4 - u[1] ** 3 + 0.5 * u[1] ** 4))

    to_middle = 0.5 * (PITCH + bend)
    aside = quad(lambda s: np.sin(turned(s)), 0.0, bend)[0] + quad(lambda s: np.sin(turned(s)), bend, to_middle)[0]
    higher = 0.3 * np.cos(turned(to_middle)) + aside - 0.3
    assert 1e-5 < higher < PITCH**2 / (40.0 * 0.3)
    assert y == pytest.approx(-RADIUS + 0.005 + higher, abs=1e-12)
    assert angle == pytest.approx(2.0 * np.pi, abs=1e-12)
    middle = point(curve, curve.arcs[1].mean())
    assert np.hypot(middle[1] - 0.15, middle[2] + 0.345) == pytest.approx(0.3, rel=1e-12)


def test_a_guide_without_indentation_bends_nothing():
    curve, plain = trajectory(TWO, PITCH, ((below(0.2, 0.0, 0.3),), ())), trajectory(TWO, PITCH)
    # The transition of the wheel moves the span outwards, to the guide.
    moved = PITCH**2 / (40.0 * RADIUS)
    assert abs(curve.length - plain.length) < moved**2 / 0.2 * 4.0
    for s in places(plain, 20):
        np.testing.assert_allclose(point(curve, s)[1:3], point(plain, s)[1:3], atol=2.0 * moved)


@pytest.mark.parametrize("radius", [0.02, 0.9])
def test_arcs_that_meet_each_other(radius: float):
    """A guide of three arcs, tangent to each other without a line: the middle one stays, the others yield."""
    centre = np.array([0.25, -RADIUS - 0.6 + 0.01])
    side = [
        GuideArc(tuple(centre + (0.6 - radius) * np.array([np.sin(a), np.cos(a)])), radius, -1.0, GUIDE)
        for a in (-0.03, 0.03)
    ]
    curve = trajectory(TWO, PITCH, ((side[0], GuideArc(tuple(centre), 0.6, -1.0, GUIDE), side[1]), ()))
    assert curve.residual < 1e-14 * curve.length
    assert curve.arcs[2, 0] == pytest.approx(curve.arcs[1, 1], abs=1e-13)
    assert curve.arcs[2].mean() - curve.arcs[0, 1] == pytest.approx(curve.arcs[4, 0] - curve.arcs[2].mean(), abs=1e-12)
    _, x, y, _, c, n, curvature, _ = point(curve, curve.arcs[2].mean())
    np.testing.assert_allclose((x + 0.6 * n, y - 0.6 * c), centre, atol=1e-13)
    assert curvature == pytest.approx(-1.0 / 0.6, rel=1e-12)
    largest = PITCH**2 / 40.0 * abs(1.0 / radius - 1.0 / 0.6) * 1.1
    for arc, (first, last) in zip(side, (curve.arcs[1], curve.arcs[3]), strict=True):
        _, x, y, _, c, n, _, _ = point(curve, 0.5 * (first + last))
        assert np.hypot(x + radius * n - arc.centre[0], y - radius * c - arc.centre[1]) < largest


def test_a_flat_part_shorter_than_a_transition_keeps_its_length():
    curve = trajectory(TWO, PITCH, ((below(0.247, 0.005, 0.3), below(0.253, 0.005, 0.3)), ()))
    wraps = curve.arcs[1:3, 1] - curve.arcs[1:3, 0]
    assert wraps[0] == pytest.approx(wraps[1], rel=1e-6)
    assert curve.arcs[2, 0] - curve.arcs[1, 1] == pytest.approx(0.006, rel=1e-10)


@pytest.mark.parametrize(
    ("arcs", "text"),
    [
        ([below(0.25, -0.001, 0.3)], "guides of span 0, arc 0: the chain does not touch it"),
        ([below(0.15, 0.005, 0.3), below(0.25, 0.004, 0.3), below(0.35, 0.005, 0.3)], "span 0, arc 1: the chain does"),
        ([below(0.25, 0.005, 0.1), below(0.25, 0.006, 0.3)], "span 0, arc 1: overlaps with guides of span 0, arc 0"),
        (
            [GuideArc((0.6, -0.06), 0.03, 1.0, GUIDE), GuideArc((0.6, 0.06), 0.03, 1.0, GUIDE)],
            "does not form a closed loop",
        ),
    ],
)
def test_arcs_that_do_not_belong_there(arcs: list[GuideArc], text: str):
    with pytest.raises(InputError, match=text):
        trajectory(TWO, PITCH, (arcs, ()))


@pytest.mark.parametrize(
    ("arcs", "refused"),
    [
        ([below(0.15, 0.005, 0.3), below(0.25, 0.004, 0.3), below(0.35, 0.005, 0.3)], [1]),
        ([below(0.05, -0.002, 0.02), below(0.25, 0.005, 0.3), below(0.45, -0.001, 0.02)], [0, 2]),
        ([below(0.25, 0.005, 0.1), below(0.25, 0.006, 0.3)], [0]),
        ([below(0.25, -0.001, 0.3)], [0]),
        ([below(0.25, 0.005, 0.3), *(GuideArc((0.6, y), 0.03, 1.0, GUIDE) for y in (-0.06, 0.06))], [2]),
        ([below(0.15, 0.005, 0.3), below(0.35, 0.005, 0.3)], []),
    ],
)  # fmt: skip
def test_only_arcs_that_do_not_belong_there_are_left_out(arcs: list[GuideArc], refused: list[int]):
    curve, left_out = trajectory_of_fitting_arcs(TWO, PITCH, (arcs, ()))
    assert sorted(left_out) == sorted(arcs[number] for number in refused)
    kept = [arc for number, arc in enumerate(arcs) if number not in refused]
    np.testing.assert_array_equal(curve.table, trajectory(TWO, PITCH, (kept, ())).table)


def test_an_arc_is_left_out_where_the_curve_does_not_close_with_it():
    wheel = below(0.06, 0.03, 0.02)
    curve, left_out = trajectory_of_fitting_arcs(TWO, 0.4, ((wheel,), ()))
    assert left_out == [wheel]
    np.testing.assert_array_equal(curve.table, trajectory(TWO, 0.4).table)


def test_without_arcs_nothing_can_be_left_out():
    with pytest.raises(InputError, match="transition") as told:
        trajectory_of_fitting_arcs(TWO, 0.51, ((), ()))
    assert not isinstance(told.value, ArcError)


@pytest.mark.parametrize("length", [0.0, -0.01, np.nan, 0.51])
def test_transitions_that_are_refused(length: float):
    with pytest.raises(InputError, match=r"transition: must be above 0 and at most 0.5 m"):
        trajectory(TWO, length)


def test_arcs_that_leave_no_room_between_two_wheels():
    with pytest.raises(InputError, match=r"must leave at least one straight line as long as a transition, 0\.25 m"):
        trajectory(TWO, 0.25, ((below(0.25, 0.005, 0.3),), ()))


def test_transitions_that_leave_no_curve():
    with pytest.raises(InputError, match="use shorter ones"):
        trajectory(TWO, 0.4, ((below(0.06, 0.03, 0.02),), ()))


# ---- coordinates


def test_positions_there_and_back():
    for number, curve in enumerate(curves()):
        rng = np.random.default_rng(number)
        for _ in range(20):
            _, s, y, gamma, _, _ = state(curve, rng)
            _, px, py, angle = K.to_plane(curve.table, 0, s, y, gamma)
            near = s + rng.uniform(-1.0, 1.0) * curve.transition
            turns = 2.0 * np.pi * rng.integers(-2, 3)
            _, *back = K.to_path(curve.table, int(rng.integers(len(curve.table))), px, py, angle + turns, near)
            np.testing.assert_allclose(back[:2], (s, y), atol=1e-13 * curve.length)
            assert back[2] == pytest.approx(gamma, abs=1e-12)


def test_the_nearest_foot_is_found_without_a_place_nearby():
    for curve in curves()[::3]:
        rng = np.random.default_rng(5)
        for s in places(curve, 4):
            y = rng.uniform(-0.2, 0.2) * curve.transition
            _, px, py, angle = K.to_plane(curve.table, 0, s, y, 0.3)
            row, *back = K.find(curve.table, px, py, angle)
            np.testing.assert_allclose(back, (s, y, 0.3), atol=1e-12 * max(1.0, curve.length))
            assert curve.table[row, K.BEGIN] <= s <= curve.table[row, K.END]


def test_velocities_there_and_back():
    for number, curve in enumerate(curves()):
        rng = np.random.default_rng(number)
        for _ in range(20):
            at, _, y, _, rates, _ = state(curve, rng)
            back = K.velocity_to_path(at, y, *K.velocity_to_plane(at, y, *rates))
            np.testing.assert_allclose(back, rates, rtol=1e-12, atol=1e-12 * (1.0 + abs(at[6])))


def test_accelerations_there_and_back():
    for number, curve in enumerate(curves()):
        rng = np.random.default_rng(number)
        for _ in range(20):
            at, _, y, _, rates, seconds = state(curve, rng)
            plane = K.acceleration_to_plane(at, y, *rates[:2], *seconds)
            back = K.acceleration_to_path(at, y, *rates[:2], *plane)
            size = 1e3 * (1.0 + abs(at[6])) + 25.0 * abs(at[7])
            np.testing.assert_allclose(back, seconds, rtol=1e-12, atol=1e-12 * size)


def test_velocities_and_accelerations_are_derivatives_of_a_motion():
    """A link that moves along s = s0 + s' t + s'' t^2/2, alike y and gamma: its place in the plane by differences."""
    first = np.array([1.0, -8.0, 0.0, 8.0, -1.0]) / 12.0
    second = np.array([-1.0, 16.0, -30.0, 16.0, -1.0]) / 12.0
    for number, curve in enumerate(curves()):
        rng = np.random.default_rng(number)
        for row in rng.integers(0, len(curve.table), 4):
            half = 1.0 / curve.table[row, K.INVERSE_HALF]
            s = curve.table[row, K.MIDDLE] + rng.uniform(-0.8, 0.8) * half
            at = point(curve, s)
            y, gamma = rng.uniform(-0.2, 0.2) * min(curve.transition, 1.0 / max(abs(at[6]), 1e-9)), 0.2
            dt = 0.01 * half / 2.0  # 2 m/s
            rates, seconds = np.array([2.0, 0.4, -3.0]), np.array([0.3, -0.2, 0.4]) / half
            motion = [np.array([s, y, gamma]) + k * dt * rates + 0.5 * (k * dt) ** 2 * seconds for k in range(-2, 3)]
            plane = np.array([K.to_plane(curve.table, 0, *place)[1:] for place in motion])
            velocity = K.velocity_to_plane(at, y, *rates)
            np.testing.assert_allclose(first @ plane / dt, velocity, atol=1e-8 * (1.0 + np.abs(velocity).max()))
            acceleration = K.acceleration_to_plane(at, y, *rates[:2], *seconds)
            size = 4.0 * (abs(at[6]) + abs(at[7]) * half) + np.abs(seconds).max()
            noise = 1e-15 * curve.length / dt**2
            np.testing.assert_allclose(second @ plane / dt**2, acceleration, atol=1e-6 * size + 4.0 * noise)


def test_a_link_that_follows_the_curve_at_constant_speed():
    """a = kappa s'^2 n, and it turns by kappa s' with the acceleration kappa' s'^2."""
    speed = 3.0
    for curve in curves():
        for s in places(curve, 5):
            at = point(curve, s)
            _, _, _, _, c, n, curvature, slope = at
            np.testing.assert_allclose(
                K.velocity_to_plane(at, 0.0, speed, 0.0, 0.0), (speed * c, speed * n, curvature * speed), atol=1e-14
            )
            towards = curvature * speed**2
            np.testing.assert_allclose(
                K.acceleration_to_plane(at, 0.0, speed, 0.0, 0.0, 0.0, 0.0),
                (-towards * n, towards * c, slope * speed**2),
                rtol=1e-14,
                atol=1e-14,
            )


def test_polar_coordinates_on_a_wheel():
    """Around the arc of one wheel: s = R phi, y = R - r, and the accelerations of polar coordinates."""
    curve = trajectory(TWO, PITCH)
    middle = curve.arcs[1].mean()  # at (0.55, 0), upwards
    r, phi, r_rate, phi_rate = 0.04, 0.6, 0.7, -30.0
    c, n = np.cos(phi), np.sin(phi)
    row, s, y, gamma = K.to_path(curve.table, 0, 0.5 + r * c, r * n, phi + 0.5 * np.pi + 0.1, middle)
    assert (s, y, gamma) == (
        pytest.approx(middle + RADIUS * phi, abs=1e-14), pytest.approx(RADIUS - r, abs=1e-14), pytest.approx(0.1)
    )  # fmt: skip
    at = K.trajectory_point(curve.table, row, s)
    velocity = r_rate * c - r * phi_rate * n, r_rate * n + r * phi_rate * c
    rates = K.velocity_to_path(at, y, *velocity, 0.0)
    np.testing.assert_allclose(rates, (RADIUS * phi_rate, -r_rate, -phi_rate), rtol=1e-12)
    # A body without acceleration: r'' = r phi'^2, phi'' = -2 r' phi'/r.
    seconds = K.acceleration_to_path(at, y, *rates[:2], 0.0, 0.0, 0.0)
    turning = -2.0 * r_rate * phi_rate / r
    np.testing.assert_allclose(seconds, (RADIUS * turning, -r * phi_rate**2, -turning), rtol=1e-12)


def test_beyond_the_centre_of_curvature_there_are_no_coordinates():
    curve = trajectory(TWO, PITCH)
    middle = curve.arcs[1].mean()
    at = point(curve, middle)
    for y in (1.02 * RADIUS, 3.0 * RADIUS):
        _, px, py, angle = K.to_plane(curve.table, 0, middle, y, 0.0)
        if y < 2.0 * RADIUS:
            assert np.isnan(K.to_path(curve.table, 0, px, py, angle, middle)[1:]).all()
        assert np.isnan(K.velocity_to_path(at, y, 1.0, 0.0, 0.0)[0])
        assert np.isnan(K.acceleration_to_path(at, y, 1.0, 0.0, 0.0, 0.0, 0.0)[0])
    _, s, y, _ = K.to_path(curve.table, 0, 0.5 + 0.02 * RADIUS, 0.0, 0.5 * np.pi, middle)
    assert (s, y) == (pytest.approx(middle), pytest.approx(0.98 * RADIUS))
    assert np.isnan(K.to_path(curve.table, 0, np.nan, 0.0, 0.0, middle)[1:]).all()
