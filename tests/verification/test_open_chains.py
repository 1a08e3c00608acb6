"""Open chains against closed-form solutions: hanging, catenary, capstan, hoist, two falls of a lift, momentum and
energy.
"""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.special import jn_zeros

from chaindrive import simulate
from chaindrive.analyses.linear.linearised import system_modes
from chaindrive.formulations import compile_system
from chaindrive.model import Body, BodyEnd, FreeEnd, GroundEnd, SaveOptions, SolverOptions, Wheel, WheelEnd, override
from chaindrive.simulation.start import prepare
from support.open_drives import LINK_MASS, PITCH, hanging, open_drive

G = 9.81
TEETH = 19
RADIUS = PITCH / (2.0 * math.sin(math.pi / TEETH))
EVERYTHING = SaveOptions(channels="all", precision="double")
BOTH = pytest.mark.parametrize("kind", ["roller", "link"])
LONG = pytest.mark.long


def sprocket(name="sprocket", **fields):
    given = {"teeth": TEETH, "inertia": 0.02, "tooth": {"form": "iso-606"}, "side": "back", "position": (RADIUS, 1.0)}
    return Wheel(name=name, **(given | fields))


def formed(kind, drive):
    """The drive in a formulation; with rigid links these have equal masses.

    Friction rises as in the examples, over 0.01 m/s: ten times as steep, it takes ten times as many steps.
    """
    alike = {"chain.inner_link.mass": drive.chain.link_mass} if kind == "link" else {}
    return override(drive, {"run.formulation.kind": kind, "run.formulation.friction_sharpness": 0.1} | alike)


def at_rest(drive, name):
    system = prepare(drive).system
    assert system.story.notes["static_converged"]
    return system.channel(name).read(system.row(0.0, system.state))


# ---- hanging


def small_oscillations(links, count):
    """Squares of the lowest angular frequencies times pitch over gravity."""
    found = system_modes(prepare(hanging(links)).system, count)
    assert found.residual < 1e-6
    return (2.0 * math.pi * found.frequency) ** 2 * PITCH / G


def test_two_masses_on_two_links():
    # roots of the Laguerre polynomial x^2 - 4 x + 2 (Lagrange)
    assert small_oscillations(2, 2) == pytest.approx([2.0 - math.sqrt(2.0), 2.0 + math.sqrt(2.0)], rel=1e-5)


@pytest.mark.parametrize("links", [3, 6])
def test_masses_on_links_have_the_roots_of_laguerre_polynomials(links):
    roots = np.polynomial.laguerre.lagroots(np.eye(links + 1)[links])
    assert small_oscillations(links, 3) == pytest.approx(roots[:3], rel=1e-5)


def test_many_masses_come_to_the_zeros_of_j0():
    # Bernoulli: w = j_0n / 2 sqrt(g/L); the discrete one is off as 1 / (4 N), taken out by two lengths
    wanted = (jn_zeros(0, 3) / 2.0) ** 2
    coarse, fine = (small_oscillations(links, 3) * links for links in (40, 80))
    assert coarse == pytest.approx(wanted, rel=0.02)
    assert fine == pytest.approx(wanted, rel=0.01)
    assert 2.0 * fine - coarse == pytest.approx(wanted, rel=1e-3)


def test_tension_of_a_hanging_chain_is_the_weight_below():
    drive = hanging(20, load=3.0)
    tension = at_rest(drive, "link_tension")
    below = 3.0 + LINK_MASS * (19.5 - np.arange(20))
    assert tension == pytest.approx(below * G, rel=1e-8)
    # with the half link of the anchored joint the fitting carries the whole chain
    assert at_rest(drive, "anchor_force") == pytest.approx(
        np.array([[0.0, -(3.0 + 20 * LINK_MASS) * G], [0.0, 0.0]]), abs=1e-6
    )


def catenary_error(kind, links, pitch):
    """Greatest errors of the joints' height and of the tension in the middle of links, or in joints, both relative."""
    width, rise, length = 1.0, 0.2, 1.5
    ends = GroundEnd(position=(0.0, 0.0), stiffness=1e12), GroundEnd(position=(width, rise), stiffness=1e12)
    mass = 4.0 * pitch
    chain = {"pitch": pitch, "link_mass": mass, "link_stiffness": 1e9, "roller_diameter": 0.5 * pitch}
    system = prepare(formed(kind, open_drive(ends, links, chain=chain))).system
    row = system.row(0.0, system.state)
    place = system.channel("roller_position").read(row)
    a = brentq(lambda a: 2.0 * a * math.sinh(width / (2.0 * a)) - math.sqrt(length**2 - rise**2), 0.05, 50.0)
    middle = 0.5 * width - a * math.atanh(rise / length)  # of the vertex
    height = a * np.cosh((place[:, 0] - middle) / a) - a * math.cosh(middle / a)
    if kind == "roller":
        tension, at = system.channel("link_tension").read(row), 0.5 * (place[1:, 0] + place[:-1, 0])
    else:
        tension, at = np.hypot(*system.channel("pin_force").read(row)[1:-1].T), place[1:-1, 0]
    wanted = 4.0 * G * a * np.cosh((at - middle) / a)
    return np.abs(place[:, 1] - height).max() / length, np.abs(tension / wanted - 1.0).max()


@BOTH
def test_a_chain_between_two_anchors_comes_to_the_catenary(kind):
    errors = np.array([catenary_error(kind, links, 1.5 / links) for links in (15, 30, 60)])
    assert errors[-1, 0] < 2e-4
    assert errors[-1, 1] < 1e-3
    # links are chords of the curve: second order
    assert errors[:-1] / errors[1:] == pytest.approx(np.full((2, 2), 4.0), rel=0.1)


@BOTH
def test_two_anchors_with_a_load_at_mid_are_a_triangle(kind):
    load, half = 400.0, 0.6
    wheel = sprocket(position=(half, -0.4), mass=load, body="load", side="front")
    body = Body(name="load", mass=1e-3, joint={"kind": "prismatic", "direction": math.pi / 2})
    ends = GroundEnd(position=(0.0, 0.0)), GroundEnd(position=(2.0 * half, 0.0))
    drive = open_drive(ends, 61, wheels=[wheel], bodies=[body])
    system = prepare(formed(kind, drive)).system
    row = system.row(0.0, system.state)
    force, centre = (system.channel(name).read(row) for name in ("anchor_force", "wheel_position"))
    weight = load + 1e-3 + 61 * LINK_MASS
    assert force[:, 1].sum() == pytest.approx(-weight * G, rel=1e-6)
    # tangents from the anchors to the pitch circle, where it hangs
    drop, distance = -centre[0, 1], math.hypot(half, centre[0, 1])
    slope = math.atan2(drop, half) + math.asin(RADIUS / distance)
    assert np.hypot(*force.T) == pytest.approx(0.5 * weight * G / math.sin(slope), rel=0.01)


# ---- momentum and energy


def test_a_chain_let_go_keeps_its_momentum():
    ends = FreeEnd(position=(0.0, 0.0), mass=1.0), FreeEnd(mass=2.0, direction=0.3)
    drive = open_drive(ends, 20, until=0.3)
    found = simulate(drive, save=EVERYTHING)
    mass = np.full(21, LINK_MASS)
    mass[0], mass[-1] = 1.0 + 0.5 * LINK_MASS, 2.0 + 0.5 * LINK_MASS
    momentum = np.tensordot(found.values("roller_velocity"), mass, axes=(1, 0))
    assert momentum[:, 0] == pytest.approx(0.0, abs=1e-9)
    assert momentum[:, 1] == pytest.approx(-G * mass.sum() * found.time, rel=1e-9, abs=1e-9)
    assert found.values("link_tension") == pytest.approx(0.0, abs=1e-6)


def test_a_swinging_chain_keeps_its_energy():
    drive = hanging(15, load=2.0, until=0.6)
    swung = drive.model_copy(
        update={
            "chain": drive.chain.model_copy(update={"ends": (drive.chain.ends[0], FreeEnd(mass=2.0, direction=0.2))})
        }
    )
    tight = SolverOptions(atol_speed=1e-6, atol_length=1e-10)
    found = simulate(swung, start="as_placed", save=EVERYTHING, solver=tight)
    stored = sum(found.values(f"energy_{name}") for name in ("kinetic", "elastic", "gravity"))
    assert np.ptp(found.values("energy_kinetic")) > 5.0
    assert np.ptp(stored) < 2e-4 * np.ptp(found.values("energy_kinetic"))
    place = found.values("roller_position")[:, -1]
    assert np.ptp(place[:, 0]) > 0.2


def test_forces_of_soft_fittings_are_minus_the_slope_of_the_energy():
    """In every direction, with displaced joints between two fittings as compliant as links."""
    ends = GroundEnd(position=(0.0, 0.0), stiffness=3e4), GroundEnd(position=(0.1, 0.02), stiffness=7e4)
    drive = open_drive(ends, 4, chain={"link_stiffness": 1e5, "link_damping": 0.0})
    system = compile_system(drive, drive.run.formulation, False)
    n, p = system.positions, system.parameters
    y = system.state.copy()
    y[:n] += 2e-3 * np.random.default_rng(6).standard_normal(n)
    force = np.zeros(n)
    system.kernels.forces(0.0, y, p, force)

    def stored(state):
        row = system.row(0.0, state)
        return float(sum(system.channel(f"energy_{name}").read(row) for name in ("elastic", "gravity")))

    steps = 1e-7 * np.eye(n, y.size)
    slope = np.array([(stored(y + step) - stored(y - step)) / 2e-7 for step in steps])
    assert force == pytest.approx(-slope, abs=1e-6 * np.abs(force).max())
    assert np.abs(system.channel("anchor_force").read(system.row(0.0, y))).min() > 1.0


# ---- wheels


@pytest.mark.parametrize("kind", ["roller", pytest.param("link", marks=LONG)])
def test_hoist_lifts_with_its_weight_and_inertia(kind):
    load, alpha, ramp = 500.0, 20.0, 0.4
    ends = FreeEnd(mass=load, position=(0.0, 0.0)), FreeEnd(mass=1.0)
    motion = {"kind": "constant_speed", "speed": -alpha * ramp, "ramp": ramp}
    wheel = sprocket(motion=motion, position=(RADIUS, 1.0))
    drive = open_drive(ends, 80, until=0.6, wheels=[wheel], run={"start": "at_rest"})
    found = simulate(formed(kind, drive), save=EVERYTHING)
    assert found.status.name == "REACHED_END"
    time, velocity = found.time, found.values("roller_velocity")[:, 0, 1]
    speed = np.abs(found.values("wheel_speed")[:, 0]) * TEETH * PITCH / (2.0 * math.pi)
    assert velocity == pytest.approx(speed, abs=0.03 * speed.max())  # but for polygon action and what swings
    # impulse of the tension over the whole lift: m (g T + v)
    pull = found.values("link_tension")[:, 0]
    bottom = load + (0.5 if kind == "roller" else 1.0) * LINK_MASS  # below where the tension is told
    impulse = np.trapezoid(pull, time)
    assert impulse == pytest.approx(bottom * (G * time[-1] + velocity[-1]), rel=2e-4)
    lifting = (time > 0.1) & (time < 0.3)
    mean = bottom * (G + (velocity[lifting][-1] - velocity[lifting][0]) / (time[lifting][-1] - time[lifting][0]))
    assert pull[lifting].mean() == pytest.approx(mean, rel=0.01)
    assert pull[lifting].mean() > 1.1 * bottom * G
    assert found.audit.relative_residual < 1e-5


@BOTH
def test_two_loads_over_a_free_wheel_are_atwoods_machine(kind):
    heavy, light, inertia = 50.0, 40.0, 0.1
    ends = FreeEnd(mass=heavy, position=(0.0, 0.2)), FreeEnd(mass=light)
    wheel = sprocket(inertia=inertia, position=(RADIUS, 1.0))
    links = 60
    drive = open_drive(ends, links, until=0.3, wheels=[wheel], friction=0.0)
    found = simulate(formed(kind, drive), save=EVERYTHING)
    arm = TEETH * PITCH / (2.0 * math.pi)
    pulls = found.values("link_tension")[0, [0, -1]]  # held at first
    below = (0.5, 0.5) if kind == "roller" else (1.0, 0.0)  # links below where the tension is told
    assert pulls == pytest.approx([(heavy + below[0] * LINK_MASS) * G, (light + below[1] * LINK_MASS) * G], rel=1e-4)
    moving = heavy + light + links * LINK_MASS + inertia / arm**2
    top = difference_of_weights(found, heavy, light)
    speed = np.abs(found.values("wheel_speed")[:, 0]) * arm
    assert np.polyfit(found.time, speed, 1)[0] == pytest.approx(top / moving, rel=0.02)


def difference_of_weights(found, heavy, light):
    """Weight on one side of a wheel less that on the other: loads, and links below the height of the touch points."""
    place = found.values("roller_position")[0]
    height = place[:, 1] - place[0, 1]
    mass = np.full(len(place), LINK_MASS)
    mass[0], mass[-1] = heavy + 0.5 * LINK_MASS, light + 0.5 * LINK_MASS
    middle = place[:, 0] < place[:, 0].mean()
    assert height.max() > 0.5
    return G * abs(mass[middle].sum() - mass[~middle].sum())


@pytest.mark.parametrize(
    ("kind", "turns", "friction"),
    [
        ("roller", 0.5, 0.1),
        *(
            pytest.param(*case, marks=LONG)
            for case in itertools.product(("roller", "link"), (0.25, 0.5), (0.1, 0.25))
            if case != ("roller", 0.5, 0.1)
        ),
    ],
)
def test_capstan(kind, turns, friction):
    # Euler and Eytelwein: T2 = T1 e^(mu phi) where a chain slides on a drum that stands still
    pitch, around, load = 0.01, 90, 20.0
    radius = pitch / (2.0 * math.sin(math.pi / around))
    drum = Wheel(
        name="drum",
        teeth=around,
        position=(0.0, 0.0),
        tooth={"form": "smooth"},
        side="back",
        motion={"kind": "constant_speed", "speed": 0.0},
    )
    wrap = 2.0 * math.pi * turns
    leaves = np.array([math.cos(math.pi - wrap), math.sin(math.pi - wrap)])  # where the chain leaves, from the centre
    along = np.array([leaves[1], -leaves[0]])
    pulled = radius * leaves + 0.1 * along
    move = {"kind": "move", "by": 0.06, "duration": 0.4}
    pull = {"kind": "prismatic", "direction": math.atan2(along[1], along[0]), "motion": move}
    slide = Body(name="slide", mass=1.0, joint=pull)
    ends = FreeEnd(mass=load), BodyEnd(body="slide", position=tuple(pulled))
    chain = {"pitch": pitch, "link_mass": 1e-4, "link_stiffness": 5e5, "roller_diameter": 0.006}
    if kind == "link":
        # the formula is that of a chain that slides without vibration: rigid links whose joints damp nothing chatter on
        # the drum (4 to 6 % less at friction 0.25), roller by roller to 1.3 m/s where the chain is pulled with 0.5 m/s
        chain["joint_damping"] = 2e-4
    drive = open_drive(
        ends, 70, until=0.2, chain=chain, wheels=[drum], bodies=[slide], friction=friction, run={"start": "at_rest"}
    )
    found = simulate(formed(kind, drive), save=EVERYTHING)
    assert found.status.name == "REACHED_END"
    tension = found.values("span_tension")
    slowest = np.linalg.norm(found.values("roller_velocity"), axis=2).min(axis=1)
    sliding = (found.time > 0.1) & (slowest > 5e-3)  # at first the pulled strand only stretches
    assert sliding.sum() > 30
    ratio = tension[sliding, 1].mean() / tension[sliding, 0].mean()
    assert ratio == pytest.approx(math.exp(friction * wrap), rel=2e-3)
    assert found.audit.relative_residual < 1e-4


@BOTH
def test_a_slide_with_a_load_gives_an_end_its_tension(kind):
    pull = {"kind": "prismatic", "direction": 0.0, "load": 500.0}
    ends = GroundEnd(position=(0.0, 0.0)), BodyEnd(body="pull", position=(31 * PITCH, 0.0))
    drive = open_drive(ends, 31, bodies=[Body(name="pull", mass=0.2, joint=pull)], gravity=(0.0, 0.0))
    assert at_rest(formed(kind, drive), "link_tension") == pytest.approx(500.0, rel=1e-6)


@pytest.mark.parametrize(
    ("kind", "links", "top", "until"),
    [
        ("roller", 33, 0.4, 0.25),
        pytest.param("roller", 96, 1.2, 2.2, marks=LONG),
        pytest.param("link", 96, 1.2, 2.2, marks=LONG),
    ],
)
def test_a_lift_with_two_falls_doubles_the_way_and_halves_the_force(kind, links, top, until):
    # forklift: chain from the ground over a wheel on the mast to the carriage
    carriage, mast = 1000.0, 100.0
    # a short chain is stiff: less of a lift, and more damping, in less time
    lift, duration, damping = (0.02, 0.1, "100 kN*s/m") if until < 1.0 else (0.1, 0.8, "20 kN*s/m")
    wheel = sprocket(name="sheave", position=(RADIUS, top), mass=3.0, body="mast", inertia=0.01)
    motion = {"kind": "move", "by": lift, "duration": duration}
    up = math.pi / 2
    bodies = [
        Body(name="mast", mass=mast, joint={"kind": "prismatic", "direction": up, "motion": motion}),
        Body(name="carriage", mass=carriage, joint={"kind": "prismatic", "direction": up, "damping": damping}),
    ]
    ends = GroundEnd(position=(0.0, 0.0)), BodyEnd(body="carriage", position=(2.0 * RADIUS, 0.2))
    drive = open_drive(ends, links, until=until, wheels=[wheel], bodies=bodies, run={"start": "at_rest"})
    found = simulate(formed(kind, drive), save=EVERYTHING)
    moved = found.values("joint_position")[-1] - found.values("joint_position")[0]
    assert moved == pytest.approx([lift, 2.0 * lift], rel=0.005)
    force = found.values("anchor_force")[-1]
    assert force[1, 1] == pytest.approx(carriage * G, rel=0.002)
    # the wheel carries both falls: what lifts the mast has twice the load
    both = 2.0 * carriage * G
    assert abs(found.values("bearing_force")[-1, 0, 1]) == pytest.approx(both, rel=0.01)
    # half of the force that lifts acts in each fall, but for where the chain lies on the polygon of the wheel; what of
    # the chain is between the heights of both ends hangs in one of them
    lower = (0.2 + moved[1]) / PITCH * LINK_MASS * G
    assert abs(force[0, 1]) == pytest.approx(carriage * G - lower, rel=1.0 - math.cos(math.pi / TEETH))


@BOTH
def test_an_anchor_on_a_drum_is_where_it_is_said_to_be(kind):
    """Whatever the angle of the wheel in whose gaps the rollers lie, the first joint is there at rest."""
    wheel = sprocket(position=(0.1, -0.2), motion={"kind": "constant_speed", "speed": 1.0})
    ends = WheelEnd(wheel="sprocket", angle=2.5), FreeEnd(mass=50.0)
    drive = open_drive(ends, 50, wheels=[wheel], loop="clockwise", run={"start": "at_rest"})
    place = at_rest(formed(kind, drive), "roller_position")[0]
    assert place == pytest.approx((0.1 + RADIUS * math.cos(2.5), -0.2 + RADIUS * math.sin(2.5)), abs=1e-5)


@BOTH
def test_a_drum_winds_its_chain_up(kind):
    radius = PITCH / (2.0 * math.sin(math.pi / 30))
    wheel = Wheel(
        name="drum",
        teeth=30,
        position=(0.0, 0.0),
        inertia=0.1,
        tooth={"form": "iso-606"},
        motion={"kind": "constant_speed", "speed": 2.0, "ramp": 0.1},
    )
    ends = WheelEnd(wheel="drum", angle=2.5), FreeEnd(mass=50.0)
    drive = open_drive(ends, 60, until=0.6, wheels=[wheel], loop="clockwise", run={"start": "at_rest"})
    found = simulate(formed(kind, drive), save=EVERYTHING)
    angle = found.values("wheel_angle")[-1, 0] - found.values("wheel_angle")[0, 0]
    lift = found.values("roller_position")[-1, -1, 1] - found.values("roller_position")[0, -1, 1]
    assert abs(lift) == pytest.approx(abs(angle) * 30 * PITCH / (2.0 * math.pi), rel=0.02)
    pin = found.values("roller_position")[:, 0]
    assert np.hypot(*pin.T) == pytest.approx(radius, rel=1e-3)
    turned = np.unwrap(np.arctan2(pin[:, 1], pin[:, 0]))
    assert turned[-1] - turned[0] == pytest.approx(angle, abs=1e-3)
    assert found.audit.relative_residual < 1e-5
