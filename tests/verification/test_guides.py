"""Guides in a whole drive: forces at rest, friction of a sliding chain, one rail described in several ways, energy."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import pytest
from scipy.optimize import brentq

from chaindrive.contract.system import System
from chaindrive.geometry.route import Route, pitch_radius, route
from chaindrive.model import Body, Drive, Guide
from chaindrive.results.audit import audit, is_audit_channel
from support.small_drives import (
    PITCH,
    Run,
    SolverSettings,
    channel,
    compiled,
    pressed,
    rail,
    rates,
    resting,
    rolling,
    run,
    two_wheels,
)

STEPS = SolverSettings(method="verlet")
RADIUS = 0.5 * 0.00851
"""Radius of a roller. [m]"""
GUIDE = 2
"""Number of the first guide among the surfaces of a drive of two wheels."""


def vectors(system: System) -> tuple[np.ndarray, np.ndarray]:
    """Force of link i on roller i, and of link i - 1 on it, (N, 2) each. [N]"""
    place = channel(system, "roller_position")
    along = np.roll(place, -1, axis=0) - place
    pull = channel(system, "link_tension")[:, None] * along / np.hypot(*along.T)[:, None]
    return pull, -np.roll(pull, 1, axis=0)


def held_by(system: System, surface: int) -> np.ndarray:
    """Sum of the forces of the outer links on the run of rollers touching a surface, and of their weight. (2,) [N]"""
    touching = np.flatnonzero(channel(system, "contact_surface") == surface)
    rollers = np.arange(touching[0], touching[-1] + 1)  # a roller between two that touch may be free
    ahead, behind = vectors(system)
    p = system.parameters
    weight = len(rollers) * p.mass * np.array([p.planar.gravity_x, p.planar.gravity_y])
    return ahead[rollers[-1]] + behind[rollers[0]] + weight


# ---- at rest


@pytest.mark.parametrize(("span", "side"), [(0, "left"), (1, "right")])
def test_a_taut_span_pressed_aside(span, side):
    """The deflected chain presses on the guide with T (sin a1 + sin a2).

    The angles of the free parts follow from the common tangents of the pitch circles and the circles on which rollers
    lie round the ends of the rail. The chain is a polygon, which lies up to P^2/(8 R) off its circles, and each roller
    sinks in by (F/K)^(2/3): sideways shifts over the free length L change the sine by this shift over L.
    """
    depth, radius, teeth = 0.012, 0.2, 30
    drive = two_wheels(
        (teeth, teeth), 36.0, gravity=(0.0, 0.0), contact={"stiffness": 1e10},
        guides=[rail(span, side=side, length=8 * PITCH, indentation=depth, end_radius=radius, end_length=0.04)],
        second={"load_torque": 5.0},
    )  # fmt: skip
    system = resting(compiled(drive, moving=False))
    force = channel(system, "guide_force")[0]
    # Equilibrium of the rollers on the rail: exact, but for the forces that are left at each of them.
    np.testing.assert_allclose(force, held_by(system, GUIDE), rtol=0.0, atol=20 * 1e-6)
    # The same from the geometry alone. Travelling to the right, with the guide to the left: mirror what is not so.
    wheel = float(pitch_radius(PITCH, teeth))
    inside = side == "left"
    middle, half, around = 18.0 * PITCH, 4.0 * PITCH, radius + RADIUS
    sign = 1.0 if inside else -1.0
    height = -wheel - sign * depth + sign * around  # of the middles of the rounded ends
    way = route(
        [(0.0, 0.0), (middle - half, height), (middle + half, height), (36.0 * PITCH, 0.0)],
        [wheel, around, around, wheel], [1.0, sign, sign, 1.0],
    )  # fmt: skip
    slopes, free = [way.span_direction[k, 1] for k in (0, 2)], min(way.span_length[[0, 2]])
    tension = channel(system, "span_tension")[span]
    assert tension > 20.0
    expected = tension * (slopes[1] - slopes[0])
    sunk = (np.abs(expected) / 1e9) ** (2.0 / 3.0)
    aside = PITCH**2 / 8.0 * (1.0 / wheel + 1.0 / around) + sunk
    error = 2.0 * tension * aside / free
    assert error < 0.06 * abs(expected)  # the tolerance leaves something to be tested
    upwards = 1.0 if span == 0 else -1.0  # span 1 is span 0 turned by half a turn
    assert upwards * force[1] == pytest.approx(expected, abs=error)
    assert force[0] == pytest.approx(0.0, abs=error)


@pytest.mark.parametrize("joint", ["prismatic", "revolute"])
def test_a_sprung_guide_rests_between_chain_and_spring(joint):
    """Force of the guide along its joint = spring: stiffness x (coordinate - neutral) - load, and the weight."""
    given: dict[str, Any] = {"direction": 1.2} if joint == "prismatic" else {"position": (0.2, -0.05)}
    stiffness, neutral, load = (2e4, -1e-3, 5.0) if joint == "prismatic" else (500.0, 0.03, -0.4)
    law = {"kind": joint, "stiffness": stiffness, "neutral": neutral, "load": load} | given
    shoe = Body(name="shoe", mass=0.2, inertia=1e-4, centre_of_mass=(0.07, -0.02), joint=law)
    drive = two_wheels(bodies=[shoe], guides=[rail(0, body="shoe")], second={"load_torque": -1.0})
    system = resting(compiled(drive, moving=False))
    force, coordinate = channel(system, "guide_force")[0], channel(system, "joint_position")[0]
    spring = stiffness * (coordinate - neutral) - load
    weight = np.array([0.0, -0.2 * 9.81])
    np.testing.assert_allclose(force, held_by(system, GUIDE), rtol=0.0, atol=20 * 1e-6)
    if joint == "prismatic":
        along = np.array([math.cos(1.2), math.sin(1.2)])
        assert (force + weight) @ along == pytest.approx(spring, abs=1e-6)
        assert force @ along > 1.0
        np.testing.assert_allclose(channel(system, "joint_force")[0], force + weight, rtol=0.0, atol=1e-6)
    else:
        moment = system.parameters.planar.resultant.moment[GUIDE]  # about the origin of its frame: the joint
        lever = channel(system, "body_position")[0, 0] - 0.2
        assert moment - 0.2 * 9.81 * lever == pytest.approx(spring, abs=1e-6)
        assert abs(moment) > 0.1
        assert channel(system, "joint_moment")[0] == pytest.approx(spring, abs=1e-6)


# ---- the sliding chain


class Slide(NamedTuple):
    drive: Drive
    way: Route
    """Round the driver, the driven wheel, and the circle on which the rollers lie round the guide."""


def slide(friction: float, speed: float) -> Slide:
    """A chain that slides over an arc in its tight span, with a length for which it is slightly stretched."""
    teeth, links, around, stiffness, tension = 30, 104, 0.25, 2e6, 60.0
    wheel, height = float(pitch_radius(PITCH, teeth)), float(pitch_radius(PITCH, teeth)) - around + 0.045

    def way(distance: float) -> Route:
        return route([(0.0, 0.0), (distance, 0.0), (0.5 * distance, height)], [wheel, wheel, around], [1.0, 1.0, 1.0])

    def missing(distance: float) -> float:
        made = way(distance)
        wrapped = (made.wrap[0] + made.wrap[1]) * teeth / (2.0 * math.pi)
        on_rail = made.wrap[2] / (2.0 * math.asin(0.5 * PITCH / around))
        return made.span_length.sum() / PITCH + wrapped + on_rail - links * (1.0 + tension / (stiffness * PITCH))

    distance = float(brentq(missing, 0.3, 0.8, xtol=1e-14))
    half, surface = 0.5 * way(distance).wrap[2] + 0.1, around - RADIUS
    arc = {
        "kind": "path", "side": "left", "direction": math.pi - half,
        "start": (0.5 * distance + surface * math.sin(half), height + surface * math.cos(half)),
        "pieces": [{"length": 2.0 * half * surface, "radius": surface, "bend": "left"}],
    }  # fmt: skip
    soft = {"stiffness": 1e9, "restitution": 0.0}
    drive = two_wheels(
        (teeth, teeth), links=links, gravity=(0.0, 0.0), speed=speed / wheel, contact=soft,
        guides=[Guide(name="arc", contact=pressed(friction=friction, **soft), shape=arc)],
        second={"position": (distance, 0.0), "load_torque": 4.0}, link_stiffness=stiffness, link_damping=30.0,
    )  # fmt: skip
    return Slide(drive, way(distance))


@cache
def slide_at_rest() -> np.ndarray:
    """The chain round the guide, at rest: there is no friction then, whatever its coefficient."""
    return resting(compiled(slide(0.3, 1.0).drive, moving=False)).state


def along_guide(found: Slide, done: Run, since: float) -> np.ndarray:
    """Tension before and after the guide, the angle by which it turns the chain, speed of the chain, (4, rows)."""
    keep = done.times >= since
    place, tension = done.channels["roller_position"][keep], done.channels["link_tension"][keep]
    along = np.roll(place, -1, axis=1) - place
    x, above = place[..., 0] + 0.5 * along[..., 0], place[..., 1] > 0.0
    ends = zip(found.way.span_start[1:, 0], found.way.span_end[1:, 0], strict=True)
    (wheel, guide), (guide_left, next_wheel) = ends  # the chain runs to the left
    before = above & (x < wheel - 0.5 * PITCH) & (x > guide + 0.5 * PITCH)
    after = above & (x < guide_left - 0.5 * PITCH) & (x > next_wheel + 0.5 * PITCH)
    heading = np.arctan2(along[..., 1], along[..., 0]) % (2.0 * math.pi)

    def mean(values, where):
        return np.array([row[chosen].mean() for row, chosen in zip(values, where, strict=True)])

    speed = np.hypot(*np.moveaxis(done.channels["roller_velocity"][keep], -1, 0))
    turned = mean(heading, after) - mean(heading, before)
    return np.array([mean(tension, before), mean(tension, after), turned, mean(speed, after)])


@pytest.mark.parametrize(
    ("friction", "speed"), [pytest.param(0.3, 1.0, marks=pytest.mark.long), (0.3, 6.0), (0.0, 1.0)]
)
def test_capstan(friction, speed):
    """(T2 - m V^2/P)/(T1 - m V^2/P) = exp(mu phi): the formula of Eytelwein and Euler for a belt with mass.

    phi: what the guide turns the chain by. A polygon with sides P on a radius R slides like a belt but for (P/R)^2/12,
    2e-4. Waves of 1 N to 5 N run to and fro between the wheels: tensions are means over twelve stretches of time, and
    the spread of these shows how well their mean is known (three standard errors). Waves press the chain on the guide
    unevenly, and it is not linear that they lift it: in proportion to their square, (5/90)^2 = 3e-3 of the effect of
    the guide.
    """
    found = slide(friction, speed)
    system = rolling(replace(compiled(found.drive, moving=False), state=slide_at_rest()))
    until, since = (0.5, 0.2) if speed < 2.0 else (0.8, 0.2)
    done = run(system, until, 2.5e-4, SolverSettings())
    assert done.status.name == "REACHED_END"
    rows = along_guide(found, done, since)
    stretches = np.array_split(rows, 12, axis=1)
    before, after, turned, running = np.array([stretch.mean(axis=1) for stretch in stretches]).T
    np.testing.assert_allclose(turned, found.way.wrap[2], rtol=0.02)
    np.testing.assert_allclose(running, speed, rtol=0.01)
    centrifugal = system.parameters.mass * running**2 / PITCH
    missing = np.log((after - centrifugal) / (before - centrifugal)) - friction * turned
    waves = rows[0].std() / (rows[0].mean() - centrifugal.mean())
    tolerance = 3.0 * missing.std() / math.sqrt(12) + (2e-4 + waves**2) * friction * turned.mean()
    assert missing.mean() == pytest.approx(0.0, abs=tolerance)
    assert tolerance < 0.06 * 0.3 * turned.mean()
    if speed > 2.0:  # a belt without mass would have
        assert np.log(after / before).mean() < 0.85 * friction * turned.mean()


# ---- one rail described in several ways


def plain(shape: dict[str, Any], body: str = "ground", friction: float = 0.2, **changes: Any) -> Guide:
    contact = pressed(stiffness=1e9, friction=friction, restitution=0.4)
    return Guide(name="rail", body=body, shape=shape, contact=contact, **changes)


ENDS = {"end_radius": 0.08, "end_length": 0.015, "indentation": 1.5e-3, "rotation": 0.02}


def rail_described_by(way: str) -> Guide:
    """A rail 7 pitches long inside the lower span of ``two_wheels()``, 16 teeth and 12 pitches between the wheels."""
    y, middle, length = -float(pitch_radius(PITCH, 16)) + RADIUS, 6.0 * PITCH, 7.0 * PITCH
    start, end = (middle - 0.5 * length, y), (middle + 0.5 * length, y)
    shapes: dict[str, dict[str, Any]] = {
        "on_span": {"kind": "on_span", "span": 0, "side": "left", "length": length},
        "straight": {"kind": "straight", "start": start, "end": end, "side": "left"},
        "backwards": {"kind": "straight", "start": end, "end": start, "side": "right"},
        "path": {
            "kind": "path", "start": start, "direction": 0.0, "side": "left",
            "pieces": [{"length": 2.0 * PITCH}, {"length": 5.0 * PITCH}],
        },
    }  # fmt: skip
    return plain(shapes[way] | ENDS)


def started(*guides: Guide, bodies: tuple[Body, ...] = (), **changes: Any) -> System:
    """A system at speed, with all the rollers on the rail pressed into it."""
    given = {"contact": {"friction": 0.1, "restitution": 0.5}, "second": {"load_torque": 1.0}, "link_stiffness": 1e6}
    return compiled(two_wheels(guides=guides, bodies=bodies, **(given | changes)), friction_sharpness=0.1)


def agree(system: System, other: System, relative: float) -> None:
    """The derivatives of both agree at the start and in states around it."""
    rng = np.random.default_rng(4)
    n = system.positions
    for _ in range(5):
        one, two = rates(system, system.state), rates(other, other.state)
        assert np.abs(channel(system, "guide_force")).min() > 1.0
        for part in (slice(n), slice(n, 2 * n), slice(2 * n, None)):
            np.testing.assert_allclose(two[part], one[part], rtol=0.0, atol=relative * np.abs(one[part]).max())
        shift = rng.uniform(-1e-4, 1e-4, n)
        for each in (system, other):
            each.state[:n] += shift
            each.kernels.begin(0.0, each.state, each.parameters)


@pytest.mark.parametrize("way", ["straight", "backwards", "path"])
def test_one_rail_described_in_several_ways(way):
    """Rounding: 1e-17 m of a penetration of 1 mm is 1e-14, and a factor of a hundred for sums of many of them."""
    agree(started(rail_described_by("on_span")), started(rail_described_by(way)), 1e-12)


@pytest.mark.parametrize("centre", [(0.0, 0.0), (0.3, -0.7)])
def test_a_guide_on_a_body_that_cannot_move_is_one_on_the_ground(centre):
    """Bit for bit where the frame of the body is that of the ground; otherwise up to rounding, as in the test above."""
    block = Body(name="block", mass=1.0, centre_of_mass=centre, joint={"kind": "fixed"})
    fixed = started(rail_described_by("on_span"))
    supported = started(rail_described_by("on_span").model_copy(update={"body": "block"}), bodies=(block,))
    agree(fixed, supported, 0.0 if centre == (0.0, 0.0) else 1e-12)
    force = channel(supported, "joint_force")[0] - [0.0, -9.81]  # without its weight
    np.testing.assert_allclose(force, channel(supported, "guide_force")[0], rtol=1e-12)


def test_a_drive_with_guides_in_a_mirror():
    """x -> -x: left becomes right, counter-clockwise clockwise.

    Both are brought to rest on their own, to 1e-6 N of the 10 N that press on the rails: speeds and forces differ by
    1e-7 of their size, and a factor of ten for growth from contact to contact.
    """

    def made(mirrored: bool) -> Run:
        sign, side = (-1.0, "left") if mirrored else (1.0, "right")
        pieces = [{"length": 0.04}, {"length": 0.04, "radius": 0.3, "bend": side}]
        curved = {
            "kind": "path", "start": (sign * 0.12, 0.038), "direction": -0.118 if mirrored else math.pi + 0.118,
            "side": side, "pieces": pieces, "end_radius": 0.05, "end_length": 0.01,
        }  # fmt: skip
        flat = {"kind": "on_span", "span": 0, "side": side, "length": 0.06}
        guides = [
            plain(flat | ENDS | {"indentation": 4e-3, "rotation": sign * 0.03}),
            plain(curved).model_copy(update={"name": "curved"}),
        ]
        drive = two_wheels(
            (13, 17), guides=guides, gravity=(sign * 1.7, -9.0), speed=sign * 20.0, link_damping=30.0,
            contact={"friction": 0.1, "restitution": 0.3}, second={"load_torque": 3.0}, link_stiffness=1e6,
        )  # fmt: skip
        drive = drive.model_copy(update={"loop": "clockwise" if mirrored else "counterclockwise"})
        if mirrored:
            wheels = [w.model_copy(update={"position": (-w.position[0], w.position[1])}) for w in drive.wheels]
            drive = drive.model_copy(update={"wheels": tuple(wheels)})
        done = run(rolling(resting(compiled(drive, moving=False, friction_sharpness=0.1))), 0.01, 5e-4, STEPS)
        assert done.status.name == "REACHED_END"
        return done

    one, two = (made(mirrored).channels for mirrored in (False, True))
    assert (np.abs(one["guide_force"]).max(axis=(0, 2)) > 2.0).all()
    for name in ("guide_force", "roller_velocity", "roller_position"):
        size = np.abs(one[name]).max()
        np.testing.assert_allclose(two[name], one[name] * [-1.0, 1.0], rtol=0.0, atol=1e-6 * size)
    for name, sign in (("wheel_speed", -1.0), ("friction_force", -1.0), ("link_tension", 1.0), ("work_guide", 1.0)):
        np.testing.assert_allclose(two[name], sign * one[name], rtol=0.0, atol=1e-6 * np.abs(one[name]).max())


# ---- the surface as the thesis has it


@pytest.mark.parametrize(("turned", "turning"), [(0.0, 0.0), (0.35, 1.5)])
def test_contact_conditions_of_the_thesis(turned, turning):
    """Pedersen (2004), Eqs. 3.87 to 3.94 and 3.47, for one roller anywhere round a rail that has been turned.

    The line of roller centres touches the surface. In the thesis the guide rests; the approach speed is here that of
    the roller against the turning guide.
    """
    pivot, stiffness = np.array([0.1, 0.35]), 1e7
    flat = {"kind": "straight", "start": (0.05, 0.3), "end": (0.2, 0.33), "side": "right"}
    ends = {"end_radius": 0.1, "end_length": 0.03, "indentation": 2e-3, "rotation": 0.05}
    arm = Body(name="arm", mass=1.0, inertia=1.0, joint={"kind": "revolute", "position": tuple(pivot)})
    guide = Guide(
        name="far away", body="arm", contact_radius=0.0, shape=flat | ends,
        contact={"stiffness": stiffness, "exponent": 1.0, "restitution": 0.6},
    )  # fmt: skip
    system = compiled(two_wheels(bodies=[arm], guides=[guide]), moving=False, impact_memory="stored")
    p, n, roller = system.parameters, system.positions, 3
    swing = np.array([[math.cos(turned), -math.sin(turned)], [math.sin(turned), math.cos(turned)]])
    # D.1 to D.10: tangent, normal to the chain, indentation and rotation about the middle; then the turned arm
    ri, rj = np.array(flat["start"]), np.array(flat["end"])
    length = math.dist(ri, rj)
    t = (rj - ri) / length
    middle = 0.5 * (ri + rj) + 2e-3 * np.array([-t[1], t[0]])
    t = np.array([t[0] * math.cos(0.05) - t[1] * math.sin(0.05), t[1] * math.cos(0.05) + t[0] * math.sin(0.05)])
    middle, t = pivot + swing @ (middle - pivot), swing @ t
    normal, ri, rj = np.array([-t[1], t[0]]), middle - 0.5 * length * t, middle + 0.5 * length * t
    rng = np.random.default_rng(11)
    seen = [0, 0, 0, 0]
    for along, above in rng.uniform([-0.028, -0.003], [length + 0.028, 0.001], (400, 2)):
        place, velocity = ri + along * t + above * normal, rng.uniform(-0.5, 0.5, 2)
        if not 0.0 < along < length:  # as far above the rounded end
            place -= (0.1 - math.sqrt(0.1**2 - max(-along, along - length) ** 2)) * normal
        y = system.state.copy()
        y[[roller, p.links + roller]] = place
        y[[n + roller, n + p.links + roller]] = velocity
        y[n - 1], y[2 * n - 1] = turned, turning
        system.kernels.begin(0.0, y, p)
        away = place - ri
        centre = ri - 0.1 * normal if along < 0.0 else rj - 0.1 * normal
        if 0.0 < away @ t < length:  # Eqs. 3.87, 3.88
            area, depth, out = 2, -away @ normal, normal
        else:  # Eqs. 3.89 to 3.94
            area, depth = 1 if along < 0.0 else 3, 0.1 - math.dist(place, centre)
            out = (place - centre) / math.dist(place, centre)
        force = channel(system, "guide_force", y)[0]
        if depth <= 0.0:
            seen[0] += 1
            assert not force.any()
            continue
        seen[area] += 1
        approach = -out @ (velocity - turning * np.array([-(place - pivot)[1], (place - pivot)[0]]))
        # Eq. 3.47 with the impact speed of a roller that starts in contact, 1 m/s
        damped = stiffness * depth * (1.0 + 0.75 * (1.0 - 0.6**2) * approach / 1.0)
        np.testing.assert_allclose(force, -damped * out, rtol=1e-9, atol=1e-9 * stiffness * depth)
        assert channel(system, "contact_penetration", y)[roller] == pytest.approx(depth, abs=1e-14)
        assert channel(system, "contact_surface", y)[roller] == GUIDE
    assert min(seen) > 20


# ---- energy, and getting there


def moving_guide(kind: str) -> Drive:
    """A rail with friction in the tight span: on the ground with or without rounded ends, sprung, or swinging."""
    swinging = {"kind": "harmonic", "amplitude": 0.004, "frequency": 60.0, "start": 0.0, "fade_in": 0.01}
    joints: dict[str, dict[str, Any]] = {
        "ground": {"kind": "fixed"},
        "edges": {"kind": "fixed"},
        "slide": {"kind": "prismatic", "direction": 1.4, "stiffness": 1e4, "damping": 3.0, "load": 20.0},
        "swing": {"kind": "revolute", "position": (0.2, 0.01), "motion": swinging},
    }
    body = Body(name="shoe", mass=0.1, inertia=1e-5, centre_of_mass=(0.08, 0.02), joint=joints[kind])
    ends = ENDS | {"end_length": 0.0} if kind == "edges" else ENDS
    rail = plain({"kind": "on_span", "span": 1, "side": "left", "length": 7.0 * PITCH} | ends, "shoe")
    given = {"contact": {"friction": 0.1, "restitution": 0.4}, "second": {"load_torque": 1.0}, "link_damping": 5.0}
    return two_wheels(bodies=[body], guides=[rail], link_stiffness=1e6, **given)


@pytest.mark.parametrize("kind", ["ground", "edges", "slide", "swing"])
def test_energy(kind):
    """The residual of the audit falls with the tolerance, and the guide's share of the energy is large."""
    system = resting(compiled(moving_guide(kind), moving=False, friction_sharpness=0.2))
    found = []
    for level in (1e-8, 1e-14):
        settings = SolverSettings("dormand-prince", 0.0, level, level, 1e4 * level, 1e4 * level)
        done = run(rolling(system), 0.04, 5e-4, settings)
        assert done.status.name == "REACHED_END"
        balance = audit(done.times, {name: done.channels[name] for name in done.channels if is_audit_channel(name)})
        found.append(balance.relative_residual)
        assert balance.losses["guide"] > 2e-3 * balance.energy_exchanged
    assert found[0] < 1e-5
    assert found[1] < 0.1 * found[0]


def test_energy_converges_with_the_step_of_verlet():
    """Contacts begin with a kink in the third derivative, F = K d^1.5: less than second order, but decreasing with
    every step.
    """
    system = resting(compiled(moving_guide("slide"), moving=False, friction_sharpness=0.2))
    found = []
    for step in (4e-6, 2e-6, 1e-6):
        done = run(rolling(system), 0.02, 5e-4, SolverSettings("verlet", step=step))
        found.append(np.abs(done.channels["energy_residual"]).max())
    assert all(b < 0.5 * a for a, b in pairwise(found))


def test_a_guide_that_turns_fast_misses_no_roller():
    """A bar swings round its end into a chain at rest, 5 m/s at its tip: the joint itself is at rest."""
    swing = {
        "kind": "revolute",
        "position": (0.0, 0.05),
        "motion": {"kind": "move", "by": -0.45, "start": 1.5e-3, "duration": 0.02},
    }
    bar = Body(name="bar", mass=0.1, inertia=1e-4, joint=swing)
    shape = {"kind": "straight", "start": (0.1, 0.08), "end": (0.04, 0.06), "side": "right"}
    ends = {"end_radius": 0.05, "end_length": 0.02}
    drive = two_wheels(bodies=[bar], guides=[plain(shape | ends, "bar")], gravity=(0.0, 0.0), link_stiffness=1e5)
    system = compiled(drive, at_speed=False)
    done = run(system, 0.0215, 1e-4, SolverSettings(atol_length=1e-11, atol_speed=1e-7))
    assert done.status.name == "REACHED_END"
    assert np.abs(done.channels["guide_force"]).max() > 50.0
    # A roller that was found too late would be deep at once, with energy from nowhere.
    assert np.nanmax(done.channels["contact_penetration"]) < 1e-4
    assert np.abs(done.channels["energy_residual"]).max() < 1e-4 * done.channels["work_input"].max()
