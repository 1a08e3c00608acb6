"""Wheels on bodies that move: statics, momentum of the whole drive, limits of stiff supports, unbalance, motions."""

from __future__ import annotations

import cmath
import math
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pytest

from chaindrive.contract.system import System
from chaindrive.formulations.roller.variants import VARIANTS
from chaindrive.model import Body, Drive, PrismaticJoint, RevoluteJoint
from support.small_drives import (
    ANCHOR,
    HOOK,
    PIVOT,
    SolverSettings,
    channel,
    compiled,
    hydraulic,
    mechanism,
    rates,
    resting,
    rolling,
    run,
    tightened,
    two_wheels,
)

GRAVITY = -9.81j


def points(values) -> np.ndarray:
    """Vectors (..., 2) as complex numbers."""
    return np.asarray(values) @ [1.0, 1.0j]


def cross(a, b):
    """Moment of b at a."""
    return (np.conj(a) * b).imag


# ---- at rest


@pytest.fixture(scope="module")
def at_rest() -> System:
    return resting(compiled(tightened(driven={"load_torque": 0.4}), moving=False))


def outside(system: System, wheel: int) -> tuple[complex, float]:
    """Force and moment on the rollers of a wheel, from the outer links and their weight."""
    place = points(channel(system, "roller_position"))
    centre = points(channel(system, "wheel_position"))[wheel]
    touching = channel(system, "contact_surface") == wheel
    first = next(i for i in range(len(place)) if touching[i] and not touching[i - 1] and not touching[i - 2])
    count = next(
        k
        for k in range(len(place))
        if not (touching[(first + k) % len(place)] or touching[(first + k + 1) % len(place)])
    )
    on = (first + np.arange(count)) % len(place)
    along = np.roll(place, -1) - place
    pull = channel(system, "link_tension") * along / abs(along)
    weight = system.parameters.mass * GRAVITY
    force = pull[on[-1]] - pull[on[0] - 1] + count * weight
    moment = cross(place[on[-1]] - centre, pull[on[-1]]) - cross(place[on[0]] - centre, pull[on[0] - 1])
    return force, moment + cross(place[on] - centre, weight).sum()


def test_wheels_carry_their_chain(at_rest):
    """Bearing force = tensions of both spans and weights; the torques about the centre balance the load."""
    bearing = points(channel(at_rest, "bearing_force"))
    for wheel, mass, load in ((0, 0.0, None), (1, 0.0, -0.4), (2, 0.2, 0.0)):
        force, moment = outside(at_rest, wheel)
        assert abs(force) > 20.0
        assert bearing[wheel] == pytest.approx(force + mass * GRAVITY, abs=1e-6 * abs(force))
        if load is not None:
            assert moment == pytest.approx(-load, abs=1e-6)


def test_the_arm_of_the_tightener_at_rest(at_rest):
    """Forces and moments of wheel, spring and weight about the pivot (Pedersen 2004, Fig. 3.20)."""
    turn = cmath.exp(1j * channel(at_rest, "body_angle")[0])
    pivot, anchor = complex(*PIVOT), complex(*ANCHOR)
    hook = pivot + turn * (complex(*HOOK) - pivot)
    assert channel(at_rest, "tensioner_position")[0] == pytest.approx(abs(hook - anchor), abs=1e-15)
    spring = channel(at_rest, "tensioner_force")[0]
    assert spring == pytest.approx(-60.0 - 2e4 * (abs(hook - anchor) - 0.15), abs=1e-9)
    pulled = spring * (hook - anchor) / abs(hook - anchor)
    centre = points(channel(at_rest, "body_position"))[0]
    assert centre == pytest.approx(pivot + turn * (0.07 + 0.11j - pivot), abs=1e-15)
    wheel, bearing = points(channel(at_rest, "wheel_position"))[2], points(channel(at_rest, "bearing_force"))[2]
    weight = 0.3 * GRAVITY
    force = points(channel(at_rest, "joint_force"))[0]
    assert force == pytest.approx(pulled + weight + bearing, abs=1e-6 * abs(bearing))
    moments = cross(hook - pivot, pulled), cross(centre - pivot, weight), cross(wheel - pivot, bearing)
    assert min(map(abs, moments)) > 0.1
    assert sum(moments) == pytest.approx(0.0, abs=1e-6 * max(map(abs, moments)))
    assert channel(at_rest, "joint_moment")[0] == pytest.approx(0.0, abs=1e-6)


# ---- momentum of the whole drive


class Jet(NamedTuple):
    """A complex function of time: value, first and second derivative."""

    value: complex
    rate: complex = 0.0
    bend: complex = 0.0

    def __add__(self, other):
        return Jet(*(a + b for a, b in zip(self, other, strict=True)))

    def times(self, other: Jet) -> Jet:
        value, rate, bend = other
        bend = self.bend * value + 2.0 * self.rate * rate + self.value * bend
        return Jet(self.value * value, self.rate * value + self.value * rate, bend)


def turned(angle: float, angular_velocity: float, acceleration: float) -> Jet:
    unit = cmath.exp(1j * angle)
    return Jet(unit, 1j * angular_velocity * unit, (1j * acceleration - angular_velocity**2) * unit)


class Motion(NamedTuple):
    """The point z of a body in the drawing is at shift + turn z."""

    shift: Jet = Jet(0.0)
    turn: Jet = Jet(1.0)
    acceleration: float = 0.0
    """Angular acceleration. [rad/s^2]"""

    def place(self, drawn) -> Jet:
        return self.shift + self.turn.times(Jet(complex(*drawn) if isinstance(drawn, tuple) else drawn))


def motions(drive: Drive, system: System, y: np.ndarray, dy: np.ndarray) -> dict[str, Motion]:
    """Motions of all bodies, from the joint coordinates alone."""
    found = {"ground": Motion()}
    j, n = 2 * system.parameters.links + len(drive.wheels), system.positions
    for body in drive.bodies:
        parent, joint = found[body.parent], body.joint
        if isinstance(joint, PrismaticJoint):
            slide = Jet(y[j], y[n + j], dy[n + j]).times(Jet(cmath.exp(1j * joint.direction)))
            found[body.name] = parent._replace(shift=parent.shift + parent.turn.times(slide))
        elif isinstance(joint, RevoluteJoint):
            turn = parent.turn.times(turned(y[j], y[n + j], dy[n + j]))
            pivot, back = parent.place(joint.position), turn.times(Jet(-complex(*joint.position)))
            found[body.name] = Motion(pivot + back, turn, parent.acceleration + dy[n + j])
        else:
            found[body.name] = parent
        j += joint.kind != "fixed"
    return found


class Parts(NamedTuple):
    """Rate of change of momentum, of its moment about the origin, and those due to weights."""

    momentum: complex = 0.0
    moment: float = 0.0
    weight: complex = 0.0
    moment_of_weight: float = 0.0

    def __add__(self, other):
        return Parts(*(a + b for a, b in zip(self, other, strict=True)))


def point(mass: float, at: Jet) -> Parts:
    weight = mass * GRAVITY
    return Parts(mass * at.bend, mass * cross(at.value, at.bend), weight, cross(at.value, weight))


def wheel_parts(drive: Drive, placed: System, w: int, y, dy, moving: dict[str, Motion]) -> Parts:
    """L = m c x v + c x e' + e x v + J w, with c the centre, v its velocity and e the moment of mass about it."""
    wheel, n, at = drive.wheels[w], placed.positions, 2 * placed.parameters.links + w
    centre = moving[wheel.body].place(wheel.position)
    found = point(wheel.mass or 0.0, centre) + Parts(0.0, (wheel.inertia or 0.0) * dy[n + at])
    if wheel.unbalance is not None:
        angle = wheel.unbalance.angle + y[at] - placed.state[at]
        ex = turned(angle, y[n + at], dy[n + at]).times(Jet(wheel.unbalance.mass_moment))
        moment = cross(centre.value, ex.bend) + cross(ex.value, centre.bend)
        found += Parts(ex.bend, moment, 0.0, cross(ex.value, GRAVITY))
    return found


def on_the_ground(drive: Drive, system: System, t: float, y: np.ndarray, moving: dict[str, Motion]):
    """Force that the drive exerts on the ground, and its moment about the origin, from channels."""
    said = {c.name: channel(system, c.name, y, t) for c in system.channels}
    p, force, moment = system.parameters, 0j, 0.0

    def add(at, acting, couple=0.0):
        nonlocal force, moment
        force, moment = force + acting, moment + cross(at, acting) + couple

    for w, wheel in enumerate(drive.wheels):
        torque, bearing = said["wheel_torque"][w], points(said["bearing_force"][w])
        if wheel.body == "ground":
            add(points(said["wheel_position"][w]), bearing, -torque)
        else:  # motor and load stand on the ground, the bearing on the body
            turning = said["wheel_speed"][w] - moving[wheel.body].turn.rate.imag / moving[wheel.body].turn.value.real
            bearing_moment = wheel.bearing_damping * turning + wheel.bearing_friction * math.tanh(turning / 1e-2)
            add(0.0, 0.0, -(torque + bearing_moment))
    for b, body in enumerate(drive.bodies):
        if body.parent == "ground":
            at = moving[body.name].place(getattr(body.joint, "position", body.centre_of_mass)).value
            add(at, points(said["joint_force"][b]), said["joint_moment"][b])
    for g, guide in enumerate(drive.guides):
        if guide.body == "ground":
            add(0.0, points(said["guide_force"][g]), p.planar.resultant.moment[len(drive.wheels) + g])
    for k, tensioner in enumerate(drive.tensioners):
        ends = (
            moving[tensioner.from_body].place(tensioner.from_position).value,
            moving[tensioner.to_body].place(tensioner.to_position).value,
        )
        spring_force = said["tensioner_force"][k] * (ends[1] - ends[0]) / abs(ends[1] - ends[0])
        for name, at, sign in ((tensioner.from_body, ends[0], -1.0), (tensioner.to_body, ends[1], 1.0)):
            if name == "ground":
                add(at, sign * spring_force)
    return force, moment


@pytest.mark.parametrize("name", ["mechanism", "hydraulic", "arm"])
def test_momentum_of_the_whole_drive(name):
    """Force of the drive on the ground = its weight - the rate of its momentum; likewise for moments about the origin.

    Every force between parts of the drive has dropped out: an identity, to the rounding of the terms.
    """
    drive = {"mechanism": mechanism, "hydraulic": hydraulic, "arm": tightened}[name]()
    placed = compiled(drive, moving=False)
    system = rolling(resting(placed))
    for until in (1e-3, 4e-3, 0.013):
        done = run(system, until, until, SolverSettings())
        y, dy = done.state, rates(system, done.state, until)
        n, links, mass = system.positions, system.parameters.links, system.parameters.mass
        moving = motions(drive, system, y, dy)
        total = Parts()
        for i in range(links):
            x = [complex(*v[[i, links + i]]) for v in (y[:n], y[n : 2 * n], dy[n : 2 * n])]
            total += point(mass, Jet(*x))
        for body in drive.bodies:
            centre = body.centre_of_mass or getattr(body.joint, "position", (0.0, 0.0))
            total += point(body.mass, moving[body.name].place(centre))
            total += Parts(0.0, body.inertia * moving[body.name].acceleration)
        for w in range(len(drive.wheels)):
            total += wheel_parts(drive, placed, w, y, dy, moving)
        force, moment = on_the_ground(drive, system, until, y, moving)
        size = np.abs(channel(system, "contact_force", y)).sum() + np.abs(channel(system, "link_tension", y)).sum()
        assert force == pytest.approx(total.weight - total.momentum, abs=1e-12 * size)
        assert moment == pytest.approx(total.moment_of_weight - total.moment, abs=1e-12 * size)
        assert abs(total.momentum) > 0.1
        assert abs(total.moment) > 1e-3


# ---- supports that hardly move


def slide(name: str, parent: str, direction: float, **joint) -> Body:
    mass = 0.0 if joint.get("motion") else 0.2
    return Body(name=name, parent=parent, mass=mass, joint={"kind": "prismatic", "direction": direction} | joint)


def loaded(*bodies: Body, **second) -> Drive:
    """Two wheels under load, the driven one with the given changes."""
    return two_wheels(
        speed=0.0, bodies=bodies, second={"load_torque": 2.0, "mass": 0.3} | second,
        link_stiffness=1e6, link_damping=20.0, joint_damping=0.01, contact={"restitution": 0.0},
    )  # fmt: skip


def test_stiff_slides_become_a_fixed_centre():
    """A wheel on two slides, one on the other, is displaced by F/k, together with the rest of the drive."""
    fixed = resting(compiled(loaded(), moving=False))
    bearing = points(channel(fixed, "bearing_force"))[1] + 0.4 * GRAVITY  # the slides weigh, too
    aside = []
    for stiffness in (1e8, 1e9, 1e11):
        law = {"stiffness": stiffness, "damping": 1e-6 * stiffness}
        drive = loaded(
            slide("along", "ground", 0.3, **law), slide("across", "along", 0.3 + math.pi / 2, **law), body="across"
        )
        supported = resting(compiled(drive, moving=False))
        shift = points(channel(supported, "joint_position")) * cmath.exp(0.3j)
        # The outer slide carries its own weight only: without that of the inner one, along the inner.
        expected = bearing - (0.2 * GRAVITY * cmath.exp(-0.3j)).imag * 1j * cmath.exp(0.3j)
        assert shift == pytest.approx(expected / stiffness, rel=1e5 / stiffness + 1e-5)
        tension = channel(supported, "link_tension") - channel(fixed, "link_tension")
        aside.append(np.abs(tension).max())
    # Links of 1e6 N/m, moved at both ends of two spans by F/k: (F/k) K of which no more than a tenth arrives.
    assert aside[0] < abs(bearing) / 1e8 * 1e6
    assert aside[0] / aside[1] == pytest.approx(10.0, rel=0.02)
    # In motion the stiffest slide yields as part of what its contacts do: some 8 of 3e7 N/m each against 1e11 N/m.
    runs = []
    for system in (fixed, supported):
        state = rolling(system).state
        state[system.positions + 2 * system.parameters.links + 1] += 2.0
        runs.append(run(replace(system, state=state), 4e-3, 2e-4, SolverSettings()).channels["wheel_speed"][:, 1])
    assert np.ptp(runs[0]) > 0.5
    np.testing.assert_allclose(runs[1], runs[0], rtol=0.0, atol=2.4e-3 * np.ptp(runs[0]))


@pytest.mark.parametrize("centre", [(0.0, 0.0), (0.3, -0.7)])
def test_a_wheel_on_a_body_that_cannot_move_is_one_on_the_ground(centre):
    """Bit for bit where the frame of the body is that of the ground, otherwise up to rounding; also with unbalance.

    Bit for bit with the kernels of the same variant; those without a mechanism round elsewhere.
    """
    block = Body(name="block", mass=1.0, centre_of_mass=centre, joint={"kind": "fixed"})
    given = {"unbalance": {"mass_moment": 3e-3, "angle": 1.0}, "bearing_damping": 0.01, "bearing_friction": 0.02}
    plain, same = compiled(loaded(**given)), compiled(loaded(**given))
    assert plain.kernels is VARIANTS.fixed_centres.kernels
    systems = [replace(same, kernels=VARIANTS.supported.kernels), compiled(loaded(block, body="block", **given)), plain]
    made = []
    for system in systems:
        n, links = system.positions, system.parameters.links
        system.state[n + 2 * links + 1] += 2.0
        system.kernels.begin(0.0, system.state, system.parameters)
        done = run(system, 2e-3, 1e-4, SolverSettings("verlet"))
        made.append(done.channels)
    ground, supported, bare = made
    for name, values in ground.items():
        within = 1e-8 * np.nanmax(np.abs(ground["energy_kinetic"] if name.startswith("energy") else values))
        np.testing.assert_allclose(bare[name], values, rtol=0.0, atol=within, err_msg=f"{name} of the plain variant")
        if name == "energy_gravity":  # counted from another height: the block, the wheel
            values, supported[name] = values - values[0], supported[name] - supported[name][0]
        size = 0.0 if centre == (0.0, 0.0) else within
        np.testing.assert_allclose(supported[name], values, rtol=0.0, atol=size, err_msg=name)
    force = supported["joint_force"][:, 0] - supported["bearing_force"][:, 1] - [0.0, -9.81]
    np.testing.assert_allclose(force, 0.0, atol=1e-12 * np.abs(supported["joint_force"]).max())


# ---- unbalance


@pytest.mark.parametrize("wheel", [0, 1])
def test_unbalance_at_a_fixed_centre(wheel):
    """Compared with the balanced wheel at the same state: m e (a' out of phase, w^2 in phase) on the bearing, e x m g
    as torque: a driver must balance it, a free wheel is accelerated by it."""
    moment, angle = 2e-3, 0.7
    unbalance = {"unbalance": {"mass_moment": moment, "angle": angle}, "mass": 0.3, "inertia": 1e-3}
    drives = [two_wheels(speed=40.0), two_wheels(speed=40.0, **{("first", "second")[wheel]: unbalance})]
    (plain, uneven), n = [compiled(drive) for drive in drives], 2 * 40 + 2
    rng = np.random.default_rng(1)
    for _ in range(3):
        y = plain.state.copy()
        y[[80 + wheel, n + 80 + wheel]] += rng.uniform(-0.02, 0.02), rng.uniform(-2.0, 2.0)
        angular_velocity, e = (
            y[n + 80 + wheel],
            moment * cmath.exp(1j * (angle + y[80 + wheel] - plain.state[80 + wheel])),
        )
        torque = cross(e, GRAVITY)
        before, after = rates(plain, y), rates(uneven, y)
        alpha = after[n + 80 + wheel]
        if wheel == 1:
            assert alpha - before[n + 80 + wheel] == pytest.approx(torque / 1e-3, rel=1e-9)
        pushed = points(channel(uneven, "bearing_force", y) - channel(plain, "bearing_force", y))[wheel]
        held = channel(uneven, "wheel_torque", y) - channel(plain, "wheel_torque", y)
        assert pushed == pytest.approx(
            0.3 * GRAVITY + angular_velocity**2 * e - 1j * alpha * e, abs=1e-9 * abs(angular_velocity**2 * e)
        )
        assert held[wheel] == pytest.approx(-torque if wheel == 0 else 0.0, abs=1e-9)
        lifted = channel(uneven, "energy_gravity", y) - channel(plain, "energy_gravity", y)
        assert lifted == pytest.approx(-(e * np.conj(GRAVITY)).real, abs=1e-14)


# ---- prescribed motions and stops


def test_a_wheel_moved_out_tightens_the_chain():
    """1 mm outwards stretches every span by 1 mm, and the wrapped links of toothed wheels at most as much as these.

    So the tension rises by K d over 12 to 20 links of K. The work of the motion is stored, or lost in the chain.
    """
    by, stiffness = 1e-3, 1e6
    law = {"motion": {"kind": "move", "by": by, "duration": 0.02}}
    drive = loaded(slide("carriage", "ground", 0.0, **law), body="carriage", load_torque=0.0, bearing_damping=0.4)
    system = resting(compiled(drive, moving=False))
    before = channel(system, "span_tension")
    done = run(system, 0.1, 5e-5, SolverSettings())
    said = done.channels
    np.testing.assert_allclose(said["joint_position"][-1], by, rtol=1e-12)
    rise = said["span_tension"][-1] - before
    assert (stiffness * by / 20.0 < rise).all()
    assert (rise < stiffness * by / 12.0).all()
    # The same at rest, with the wheel drawn there or the joint put there: the run has come to rest within a thousandth.
    drawn = loaded(load_torque=0.0)
    x, y = drawn.wheels[1].position
    moved = drawn.wheels[1].model_copy(update={"position": (x + by, y)})
    there = resting(compiled(drawn.model_copy(update={"wheels": (drawn.wheels[0], moved)}), moving=False))
    put = system.state.copy()
    put[system.positions - 1] = by
    shifted = resting(replace(system, state=put))
    for other in (there, shifted):
        np.testing.assert_allclose(channel(other, "span_tension"), said["span_tension"][-1], rtol=1e-3)
    np.testing.assert_allclose(channel(shifted, "span_tension"), channel(there, "span_tension"), rtol=1e-6)
    # Work: force that holds the carriage times way, by the trapezium rule in 400 steps of a smooth motion.
    force = -said["joint_force"][:, 0, 0]
    way = said["joint_position"][:, 0]
    by_hand = (0.5 * (force[1:] + force[:-1]) * np.diff(way)).sum()
    by_hand += np.trapezoid(said["wheel_torque"][:, 0] * said["wheel_speed"][:, 0], done.times)
    work = said["work_input"][-1]
    assert work == pytest.approx(by_hand, rel=1e-4)
    # Half of the last force on the way, for a chain without slack: about what a spring takes up.
    assert work == pytest.approx(0.5 * (force[0] + force[-1]) * by, rel=0.1)
    assert np.abs(said["energy_residual"]).max() < 1e-5 * work


@pytest.mark.parametrize("sign", [-1.0, 1.0])
def test_end_stops_hold(sign):
    """A carriage that a load pushes against its stop rests beyond it by force over stiffness."""
    stops = {"stop_stiffness": 2e6, "stop_damping": 50.0, "lower": -4e-4, "upper": 3e-4}
    law = stops | {"load": sign * 300.0, "damping": 50.0}
    drive = loaded(slide("carriage", "ground", 0.0, **law), body="carriage", bearing_damping=0.4)
    system = resting(compiled(drive, moving=False))
    stop = law["upper"] if sign > 0.0 else law["lower"]
    force = law["load"] + channel(system, "bearing_force")[1, 0]
    assert sign * force > 50.0
    assert channel(system, "joint_position")[0] - stop == pytest.approx(force / 2e6, rel=1e-6)
    # Let loose from the drawing it comes to rest there, too, and the audit knows what the stop has lost.
    tight = SolverSettings(atol_length=1e-12, atol_angle=1e-12, atol_speed=1e-8, atol_angular_speed=1e-8)
    loose = run(compiled(drive, at_speed=False), 0.1, 1e-3, tight).channels
    assert loose["joint_position"][-1, 0] - stop == pytest.approx(force / 2e6, rel=0.01)
    assert np.abs(loose["energy_residual"]).max() < 2e-5 * loose["energy_kinetic"].max()
