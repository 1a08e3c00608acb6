"""Open chains of rigid links against closed-form solutions: physical pendulums, fittings at their ends, rest as with
rollers.
"""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy.special import jn_zeros

from chaindrive import simulate
from chaindrive.analyses.linear.linearised import system_modes
from chaindrive.contract.bordered import bordered, dense
from chaindrive.formulations import compile_system
from chaindrive.model import (
    Body,
    BodyEnd,
    FreeEnd,
    GroundEnd,
    Guide,
    SaveOptions,
    SolverOptions,
    Wheel,
    WheelEnd,
    override,
)
from chaindrive.simulation.start import prepare
from support.open_drives import LINK_MASS, PITCH, hanging, open_drive

G = 9.81
TEETH = 19
RADIUS = PITCH / (2.0 * math.sin(math.pi / TEETH))
EVERYTHING = SaveOptions(channels="all", precision="double")
TIGHT = SolverOptions(atol_speed=1e-6, atol_length=1e-10)
POINTS, ROD = LINK_MASS * PITCH**2 / 4.0, LINK_MASS * PITCH**2 / 12.0
"""Moments of inertia of two point masses in the joints, and of a slender rod. [kg m^2]"""
CLEARANCE = {"joint_clearance": 6e-5, "pin_diameter": 0.00794}


def linked(drive, inertia=None, **options):
    """The drive with rigid links, all of one mass and with one moment of inertia [kg m^2]."""
    changes = {"run.formulation.kind": "link", "chain.inner_link.mass": LINK_MASS}
    changes |= {f"run.formulation.{name}": value for name, value in options.items()}
    if inertia is not None:
        changes |= {f"chain.{name}_link.inertia": inertia for name in ("inner", "outer")}
    return override(drive, changes)


def sprocket(name="sprocket", **fields):
    given = {"teeth": TEETH, "inertia": 0.02, "tooth": {"form": "iso-606"}, "side": "back", "position": (RADIUS, 1.0)}
    return Wheel(name=name, **(given | fields))


def rest(drive, *names):
    """Channels of a drive in equilibrium."""
    system = prepare(drive).system
    assert system.story.notes["static_converged"]
    row = system.row(0.0, system.state)
    return [system.channel(name).read(row) for name in names]


def small_oscillations(drive, count):
    """Squares of the lowest angular frequencies times pitch over gravity."""
    found = system_modes(prepare(drive).system, count)
    assert found.residual < 1e-6
    return (2.0 * math.pi * found.frequency) ** 2 * PITCH / G


# ---- hanging


@pytest.mark.parametrize("links", [2, 3, 6])
def test_links_with_their_mass_in_the_joints_have_the_roots_of_laguerre_polynomials(links):
    # N = 2: 2 - sqrt 2 = 0.585786, 2 + sqrt 2 = 3.414214
    roots = np.polynomial.laguerre.lagroots(np.eye(links + 1)[links])
    count = min(links, 3)
    assert small_oscillations(linked(hanging(links), POINTS), count) == pytest.approx(roots[:count], rel=1e-5)


def test_two_uniform_rods_are_a_double_physical_pendulum():
    # (3/2 - 4/3 x)(1/2 - x/3) = x^2/4 with x = w^2 P/g
    wanted = [3.0 - 6.0 / math.sqrt(7.0), 3.0 + 6.0 / math.sqrt(7.0)]
    assert small_oscillations(linked(hanging(2, load=0.0), ROD), 2) == pytest.approx(wanted, rel=1e-5)


def test_one_uniform_rod_is_a_physical_pendulum():
    assert small_oscillations(linked(hanging(1, load=0.0), ROD), 1) == pytest.approx([1.5], rel=1e-5)


def test_clearance_does_not_change_the_pendulum_of_a_taut_chain():
    # as long as it hangs straight, pins roll at the walls of their bushes: longer by nothing, turned by little
    given = hanging(3, load=2.0)
    loose = override(given, {f"chain.{name}": value for name, value in CLEARANCE.items()})
    assert small_oscillations(linked(loose), 1) == pytest.approx(small_oscillations(linked(given), 1), rel=0.005)


def test_many_links_come_to_the_zeros_of_j0():
    wanted = (jn_zeros(0, 3) / 2.0) ** 2
    coarse, fine = (small_oscillations(linked(hanging(links), POINTS), 3) * links for links in (40, 80))
    assert fine == pytest.approx(wanted, rel=0.01)
    assert 2.0 * fine - coarse == pytest.approx(wanted, rel=1e-3)


@pytest.mark.parametrize("links", [1, 2])
def test_a_few_links_that_are_drawn_aside_find_their_rest(links):
    """The middle of a single link is one point, which does not show how far it may move in a step."""
    anchor, load = GroundEnd(position=(0.0, 0.0)), FreeEnd(mass=1000.0, direction=-0.75 * math.pi)
    drive = linked(open_drive((load, anchor), links, chain=CLEARANCE, run={"start": "at_rest"}))
    (place,) = rest(drive, "roller_position")
    assert place[0] == pytest.approx((0.0, -links * PITCH), abs=3e-4)


@pytest.mark.parametrize("joint", ["clearance", "journal", "ideal"])
def test_pins_and_fittings_carry_the_weight_below(joint):
    drive = override(hanging(20, load=3.0), {f"chain.{name}": value for name, value in CLEARANCE.items()})
    pins, tension, anchors = rest(linked(drive, joint=joint), "pin_force", "link_tension", "anchor_force")
    below = 3.0 + LINK_MASS * (20.0 - np.arange(21))
    assert pins[:, 1] == pytest.approx(below * G, rel=1e-7)
    assert tension == pytest.approx(below[1:] * G, rel=1e-7)
    assert anchors == pytest.approx(np.array([[0.0, -below[0] * G], [0.0, 0.0]]), abs=1e-6)


def test_a_damped_fitting_takes_the_swing_of_a_single_link():
    # I x'' + c x' + m g P/2 x = 0: the joint to the ground has the friction of the others
    damping, start, until = 2e-5, 0.05, 1.5
    anchor = GroundEnd(position=(0.0, 0.0), stiffness=1e7)
    chain = {"joint_damping": damping, "link_stiffness": 1e7}
    free = FreeEnd(direction=start - 0.5 * math.pi)
    drive = linked(open_drive((anchor, free), 1, until=until, chain=chain), ROD)
    found = simulate(drive, start="as_placed", save=EVERYTHING, solver=TIGHT)
    inertia, decay = LINK_MASS * PITCH**2 / 3.0, 0.5 * damping / (LINK_MASS * PITCH**2 / 3.0)
    rate = math.sqrt(0.5 * LINK_MASS * G * PITCH / inertia - decay**2)
    time = found.time
    wanted = start * np.exp(-decay * time) * (np.cos(rate * time) + decay / rate * np.sin(rate * time))
    swing = found.values("link_angle")[:, 0] + 0.5 * math.pi
    assert swing == pytest.approx(wanted, abs=0.01 * start)
    assert found.values("pin_moment")[:, 0] == pytest.approx(damping * found.values("link_angular_velocity")[:, 0])
    assert found.audit.relative_residual < 1e-5


# ---- the same at rest as rollers


def lift():
    """Chain from the ground over a wheel on a mast with a spring to a lever that turns."""
    up = math.pi / 2
    bodies = [
        Body(name="mast", mass=10.0, joint={"kind": "prismatic", "direction": up, "stiffness": 1e5}),
        Body(
            name="lever", mass=40.0, inertia=2.0, centre_of_mass=(2.0 * RADIUS, 0.2),
            joint={"kind": "revolute", "position": (2.0 * RADIUS + 0.4, 0.2)},
        ),
    ]  # fmt: skip
    ends = GroundEnd(position=(0.0, 0.0)), BodyEnd(body="lever", position=(2.0 * RADIUS, 0.2))
    return open_drive(ends, 96, wheels=[sprocket(mass=3.0, body="mast")], bodies=bodies)


def drum(motion=None):
    ends = WheelEnd(wheel="sprocket", angle=2.5), FreeEnd(mass=50.0)
    return open_drive(ends, 50, wheels=[sprocket(motion=motion)], loop="clockwise", run={"start": "at_rest"})


def triangle():
    body = Body(name="load", mass=1e-3, joint={"kind": "prismatic", "direction": math.pi / 2})
    wheel = sprocket(position=(0.6, -0.4), mass=400.0, body="load", side="front")
    ends = GroundEnd(position=(0.0, 0.0)), GroundEnd(position=(1.2, 0.1))
    return open_drive(ends, 64, wheels=[wheel], bodies=[body])


def stretched():
    ends = GroundEnd(position=(0.0, 0.0), stiffness=3e7), GroundEnd(position=(0.0, -20.02 * PITCH))
    return open_drive(ends, 20, chain=CLEARANCE)


@pytest.mark.parametrize(
    ("made", "joint"),
    [
        *(pytest.param(lift, joint, marks=pytest.mark.long) for joint in ("clearance", "ideal")),
        *itertools.product((lambda: drum({"kind": "constant_speed", "speed": 2.0}), triangle), ("clearance", "ideal")),
    ],
)
def test_anchors_carry_what_they_do_with_rollers(made, joint):
    # a link yields in the joint at its pin, half a link away from where one of rollers does on both sides of a wheel:
    # what that makes goes with the compliance of the links
    def apart(stiffness):
        drive = override(made(), {"chain.link_stiffness": stiffness})
        links, rollers = (rest(each, "anchor_force")[0] for each in (linked(drive, joint=joint), drive))
        return np.abs(links - rollers).max() / np.abs(rollers).max()

    soft, stiff = apart(1e8), apart(1e10)
    assert soft < 0.01  # of the drum, whose teeth leave little to the anchor
    assert stiff < 2e-7 + 0.02 * soft


def test_a_chain_between_two_fittings_is_as_long_and_as_stiff_as_with_rollers():
    # clearance makes it no longer, and half a link at each end with its fitting is what rollers have there
    links, rollers = (rest(drive, "anchor_force")[0] for drive in (linked(stretched()), stretched()))
    weight = 20.0 * LINK_MASS * G
    fittings = 1.0 / 3e7, 1.0 / 1e8
    force = (0.02 * PITCH - 0.5 * weight * (fittings[0] - fittings[1])) / (20.0 / 1e8 + sum(fittings))
    assert abs(rollers[0, 1] - rollers[1, 1]) == pytest.approx(2.0 * force, rel=1e-8)
    assert links == pytest.approx(rollers, rel=1e-7, abs=1e-6)
    assert -links[:, 1].sum() == pytest.approx(weight, rel=1e-8)


def on_a_table():
    """A chain to the right from a fitting, all of it on a rail: the load on its end acts on its last roller."""
    ends = GroundEnd(position=(0.0, 0.0)), FreeEnd(mass=8.0, direction=0.0)
    radius = 0.5 * 0.01588
    shape = {"kind": "straight", "start": (-0.05, -radius), "end": (0.4, -radius), "side": "right"}
    contact = {"stiffness": "50 MN/m", "exponent": 1.0, "friction": 0.1, "restitution": 0.1}
    return open_drive(ends, 8, until=0.02, guides=[Guide(name="table", shape=shape, contact=contact)])


def test_a_load_on_the_end_stands_on_its_roller():
    contacts, pins, tension = rest(linked(on_a_table()), "contact_force", "pin_force", "link_tension")
    assert contacts[-1] == pytest.approx((8.0 + 0.5 * LINK_MASS) * G, rel=1e-3)
    assert contacts[2:-1] == pytest.approx(np.full(6, LINK_MASS * G), rel=0.05)
    assert np.hypot(*pins[-1]) == pytest.approx(8.0 * G, rel=1e-3)
    assert np.abs(tension).max() < 1.0


def test_a_roller_on_the_last_pin_slides_with_friction():
    """Released under a pull along the table, it accelerates under the pull less friction, with a closed balance."""
    drive, pull = linked(on_a_table()), 4.0
    # plates slide with their edges: friction under a heavy load would turn its link up
    ends = FreeEnd(position=(0.0, 0.0)), FreeEnd(direction=0.0)
    free = {"chain": drive.chain.model_copy(update={"ends": ends}), "gravity": (pull, -G)}
    found = simulate(drive.model_copy(update=free), until=0.15, save=EVERYTHING, start="as_placed")
    assert found.status.name == "REACHED_END"
    late = found.time > 0.05
    speed = found.values("roller_velocity")[late, -1, 0]
    assert np.polyfit(found.time[late], speed, 1)[0] == pytest.approx(pull - 0.1 * G, rel=0.01)
    assert found.audit.relative_residual < 1e-4


@pytest.mark.parametrize("joint", ["clearance", "ideal"])
@pytest.mark.parametrize("made", [lift, drum, triangle, lambda: hanging(4, load=1.0), on_a_table])
def test_stiffness_is_the_derivative_of_the_forces(made, joint):
    given = override(made(), {f"chain.{name}": value for name, value in CLEARANCE.items()})
    # friction without memory, as the search for a rest has it
    drive = linked(given, joint=joint, friction_law="smoothed")
    system = compile_system(drive, drive.run.formulation, False)
    p, n = system.rest.searched, system.positions
    generator, links = np.random.default_rng(1), p.links
    y = system.state.copy()
    y[: 2 * links] += 3e-4 * generator.standard_normal(2 * links)  # most joints pressed, in all directions
    y[2 * links : 3 * links] += 3e-3 * generator.standard_normal(links)

    def forces(q):
        found = np.zeros(n)
        system.kernels.forces(0.0, q, p, found)
        return found

    matrix, shift = bordered(links, 3, n - 3 * links), 1e-8
    forces(y)
    system.rest.statics.stiffness(0.0, y, p, matrix, False)
    wanted = np.empty((n, n))
    for i in range(n):
        step = np.zeros(y.size)
        step[i] = shift
        wanted[:, i] = (forces(y - step) - forces(y + step)) / (2.0 * shift)
    scale = np.sqrt(np.abs(np.diag(wanted)) + 1e3)
    assert (np.abs(dense(matrix) - wanted) / np.outer(scale, scale)).max() < 2e-6


# ---- in motion


def test_links_let_go_keep_their_momentum():
    ends = FreeEnd(position=(0.0, 0.0), mass=1.0), FreeEnd(mass=2.0, direction=0.3)
    found = simulate(linked(open_drive(ends, 20, until=0.3)), save=EVERYTHING)
    fallen = found.values("roller_position") - found.values("roller_position")[0]
    assert fallen[..., 0] == pytest.approx(0.0, abs=1e-9)
    assert fallen[..., 1] == pytest.approx(np.tile(-0.5 * G * found.time[:, None] ** 2, 21), abs=1e-7)
    assert found.values("pin_force") == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize("method", ["dormand-prince", pytest.param("verlet", marks=pytest.mark.long)])
@pytest.mark.parametrize("first", [True, False])
def test_a_swinging_chain_keeps_its_energy(first, method):
    anchor = GroundEnd(position=(0.0, 0.0), stiffness=1e9, damping=0.0)
    load = FreeEnd(mass=2.0, direction=0.2)
    chain = {"link_damping": 0.0, "link_stiffness": 1e6}
    drive = linked(open_drive((anchor, load) if first else (load, anchor), 15, until=0.3, chain=chain), joint="ideal")
    solver = TIGHT if method == "dormand-prince" else SolverOptions(method="verlet", step=2e-6)
    found = simulate(drive, start="as_placed", save=EVERYTHING, solver=solver)
    stored = sum(found.values(f"energy_{name}") for name in ("kinetic", "elastic", "gravity"))
    assert np.ptp(found.values("energy_kinetic")) > 3.0
    assert np.ptp(stored) < 2e-4 * np.ptp(found.values("energy_kinetic"))


def test_a_fitting_with_friction_turns_the_wheel_that_holds_it():
    """The loss of a link in the fitting on a free wheel appears at the wheel and in the balance."""
    chain = CLEARANCE | {"joint_friction": 0.3, "joint_damping": 1e-3}
    wheel = sprocket(position=(0.0, 0.0), inertia=0.5)
    ends = WheelEnd(wheel="sprocket", angle=2.8), FreeEnd(mass=5.0)
    drive = open_drive(ends, 25, until=0.15, chain=chain, wheels=[wheel], loop="clockwise", friction=0.0)
    found = simulate(linked(drive), save=EVERYTHING, solver=TIGHT, start="as_placed")
    assert found.values("work_articulation")[-1] > 0.0
    assert np.abs(found.values("pin_moment")[:, 0]).max() > 0.0
    assert found.audit.relative_residual < 1e-4


def test_the_load_on_either_free_end_is_felt_by_its_link():
    load, speed = 30.0, 3.0
    motion = {"kind": "constant_speed", "speed": speed, "ramp": 0.05}
    for ends in ((FreeEnd(mass=load, position=(0.0, 0.0)), FreeEnd(mass=1.0)), (FreeEnd(), FreeEnd(mass=load))):
        wheel = sprocket(motion=motion)
        start = ends if ends[0].position else (FreeEnd(position=(0.0, 0.6)), ends[1])
        found = simulate(linked(open_drive(start, 60, until=0.1, wheels=[wheel], run={"start": "at_rest"})))
        pins, loaded = found.values("pin_force"), 0 if ends[0].mass else -1
        velocity = np.gradient(found.values("roller_position")[:, loaded, 1], found.time)
        impulse = np.trapezoid(pins[:, loaded, 1], found.time)
        wanted = load * (G * found.time[-1] + velocity[-1] - velocity[0])
        assert abs(impulse) == pytest.approx(wanted, rel=0.01)
        assert np.sign(impulse) == (-1.0 if loaded == 0 else 1.0)
        assert found.audit.relative_residual < 1e-5


def test_two_loads_on_one_link_turn_about_each_other():
    """Without weight each pulls with m w^2 r, r its distance from the centre of mass of all three."""
    loads, rate = (1.0, 2.5), 40.0
    ends = FreeEnd(mass=loads[0], position=(0.0, 0.0)), FreeEnd(mass=loads[1], direction=0.0)
    drive = linked(open_drive(ends, 1, gravity=(0.0, 0.0)))
    system = compile_system(drive, drive.run.formulation, False)
    state = system.state.copy()
    state[system.positions + 2] = rate
    pins, tension = (system.channel(name).read(system.row(0.0, state)) for name in ("pin_force", "link_tension"))
    middle = (0.5 * LINK_MASS + loads[1]) * PITCH / (LINK_MASS + sum(loads))
    pull = loads[0] * rate**2 * middle, loads[1] * rate**2 * (PITCH - middle)
    assert pins == pytest.approx(np.array([[-pull[0], 0.0], [-pull[1], 0.0]]), rel=1e-9, abs=1e-9)
    assert tension == pytest.approx([pull[1]], rel=1e-9)
