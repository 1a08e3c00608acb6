"""Hoists of several chains: a stage with an open chain, by statics, ratios and work; and the weight in the balance."""

from __future__ import annotations

import math

import numpy as np
import pytest

from chaindrive import example, simulate
from chaindrive.mechanism.facts import drive_facts
from chaindrive.mechanism.stages import chains_alone
from chaindrive.mechanism.weights import weight_pull
from chaindrive.model import FreeEnd, SaveOptions, Wheel, WheelEnd, override
from chaindrive.simulation.start import prepare
from support.hanging_loops import hand_chain
from support.open_drives import CHAIN, LINK_MASS, PITCH, open_drive

G = 9.81
TEETH = 12
LEVER = TEETH * PITCH / (2.0 * math.pi)
"""Mean lever arm of a chain on the lifting sprocket. [m]"""
RADIUS = PITCH / (2.0 * math.sin(math.pi / TEETH))
LOAD = 200.0
BOTH = pytest.mark.parametrize("kind", ["roller", pytest.param("link", marks=pytest.mark.long)])
TOOTH = {"form": "iso-606"}


def lifting(**shaft):
    """The stage: a load on the left, nothing on the right, lifted by a sprocket that turns clockwise."""
    return {
        "name": "lift",
        "loop": "clockwise",
        "shaft": {"from_wheel": "hand wheel", "to_wheel": "sprocket"} | shaft,
        "chain": {
            **CHAIN,
            "link_stiffness": 1e7,
            "links": 40,
            "ends": ({"kind": "free", "mass": LOAD, "position": (-RADIUS, -0.5)}, {"kind": "free"}),
        },
        "wheels": ({"name": "sprocket", "teeth": TEETH, "position": (0.0, 0.0), "inertia": 0.01, "tooth": TOOTH},),
    }


def hoist(kind="roller", wheel=None, run=None, **shaft):
    alike = {"chain.inner_link.mass": 0.0088, "stages.0.chain.inner_link.mass": LINK_MASS} if kind == "link" else {}
    drive = hand_chain(wheel=wheel, run=run, stages=(lifting(**shaft),))
    return override(drive, {"run.formulation.kind": kind} | alike)


def at_rest(drive):
    """A function that gives a channel of a drive at rest."""
    system = prepare(drive, start="at_rest").system
    assert system.story.notes["static_converged"]
    assert system.story.notes["stages"]["lift"]["static_converged"]
    row = system.row(0.0, system.state)
    return lambda name: system.channel(name).read(row)


def place_of_load(read):
    return read("lift.roller_position")[0]


@BOTH
def test_the_shaft_carries_the_load_at_its_lever(kind):
    # statics of the sprocket: torque = tension x where the strands hang, and the drive is held by its first wheel
    ratio = -0.1
    read = at_rest(hoist(kind, {"motion": {"kind": "constant_speed", "speed": 1.0}}, ratio=ratio))
    tension = read("lift.link_tension")
    assert tension[0] == pytest.approx(LOAD * G, rel=1e-3)
    places, mass = read("lift.roller_position"), np.full(41, LINK_MASS)
    mass[[0, -1]] = 0.5 * LINK_MASS
    mass[0] += LOAD
    moment = -G * float(mass @ places[:, 0])  # of all weights about the axis, counter-clockwise
    assert float(read("lift.shaft_torque")) == pytest.approx(-moment, rel=1e-4)
    assert abs(moment) == pytest.approx(LOAD * G * LEVER, rel=0.05)


def test_a_drum_on_a_shaft_holds_what_hangs_on_it():
    drive = hoist(wheel={"motion": {"kind": "constant_speed", "speed": 1.0}})
    end = {"kind": "wheel", "wheel": "sprocket", "angle": "-30 deg"}
    read = at_rest(
        override(drive, {"stages.0.chain.ends": [{"kind": "free", "mass": LOAD}, end], "stages.0.chain.links": 20})
    )
    assert read("lift.link_tension")[0] == pytest.approx(LOAD * G, rel=1e-3)
    assert abs(float(read("lift.shaft_torque"))) == pytest.approx(LOAD * G * RADIUS, rel=0.05)


def test_what_is_tied_to_the_ground_starts_at_rest_with_its_wheel_held():
    # a chain from the ground over the sprocket to a load on a slide: the load is held by the ground alone
    drive = hoist(wheel={"initial_speed": 1.0}, run={"start": "at_speed"})
    ends = [{"kind": "ground", "position": [-RADIUS, -0.5]}, {"kind": "free", "mass": LOAD}]
    tied = override(drive, {"stages.0.chain.ends": ends})
    system = prepare(tied).system
    assert system.story.notes["stages"]["lift"]["static_converged"]
    row = system.row(0.0, system.state)
    assert system.channel("lift.span_tension").read(row)[1] == pytest.approx(LOAD * G, rel=0.02)
    assert system.state[system.positions :][: system.velocities] == pytest.approx(0.0, abs=1e-9)


@pytest.mark.long
@BOTH
def test_the_shaft_lifts_the_load_by_its_ratio_and_no_energy_is_lost(kind):
    motion = {"kind": "constant_speed", "speed": 10.0, "ramp": 0.1}
    drive = hoist(kind, {"motion": motion}, {"until": 0.4, "start": "at_rest"}, ratio=-0.1)
    solution = simulate(drive, save=SaveOptions(channels="all", precision="double"))
    lift = solution.stage("lift")
    time, height = lift["time"].values, lift["roller_position"].values[:, 0, 1]
    late = time > 0.15
    assert np.polyfit(time[late], height[late], 1)[0] == pytest.approx(1.0 * LEVER, rel=0.05)
    for chain in solution.chains:
        assert chain.audit.relative_residual < 1e-4


# ---- the weight among torques and loads


def sprocket(**given):
    return Wheel(
        **({"name": "sprocket", "teeth": TEETH, "position": (0.0, 0.0), "inertia": 0.01, "tooth": TOOTH} | given)
    )


def test_weight_pulls_a_chain_by_its_loads_and_its_longer_strand():
    left, right = FreeEnd(mass=50.0, position=(-RADIUS, -0.5)), FreeEnd(mass=20.0)
    drive = open_drive((left, right), 60, wheels=(sprocket(),), loop="clockwise")
    way = drive_facts(drive).route
    longer = way.span_length[1] - way.span_length[0]
    assert weight_pull(drive, way) == pytest.approx(G * (20.0 - 50.0 + LINK_MASS / PITCH * longer), rel=1e-6)
    drum = open_drive((left.model_copy(update={"position": None}), WheelEnd(wheel="sprocket", angle=0.0)), 20,
                      wheels=(sprocket(),), loop="clockwise")  # fmt: skip
    way = drive_facts(drum).route
    assert weight_pull(drum, way) == pytest.approx(-G * (50.0 + LINK_MASS / PITCH * way.span_length[0]), rel=1e-6)
    assert weight_pull(hand_chain(), drive_facts(hand_chain()).route) == 0.0


def test_a_motor_that_hoists_runs_where_its_torque_meets_the_weight():
    # a direct-current motor, M = M0 (1 - w/w0), counter-clockwise: a load on the right is lifted, one on the left sinks
    stall, free = 500.0, 20.0
    motor = {"kind": "dc_motor", "stall_torque": stall, "no_load_speed": free}
    for side, loop in ((1.0, "counterclockwise"), (-1.0, "clockwise")):
        ends = FreeEnd(mass=LOAD, position=(side * RADIUS, -0.5)), FreeEnd()
        facts = drive_facts(open_drive(ends, 40, wheels=(sprocket(torque=motor),), loop=loop))
        needed = -side * weight_pull(facts.drive, facts.route) * LEVER * facts.direction
        assert needed > 0.9 * LOAD * G * LEVER
        assert facts.balance_speed == pytest.approx(free * (1.0 - side * needed / stall), rel=1e-6)


def test_the_weight_behind_a_shaft_loads_the_chain_that_turns_it():
    drive = hoist(wheel={"motion": {"kind": "constant_speed", "speed": 1.0}}, ratio=-0.1)
    first, lift = chains_alone(drive)
    pull = weight_pull(lift, drive_facts(lift).route)
    assert pull == pytest.approx(-LOAD * G, rel=0.02)
    assert first.wheels[0].load_torque == pytest.approx(-pull * LEVER * 0.1, rel=1e-9)


def test_the_example_is_as_by_hand():
    drive = example("chain-hoist")
    first, _ = chains_alone(drive)
    lever, hand = 9 * 0.0254 / (2.0 * math.pi), 24 * 0.01905 / (2.0 * math.pi)
    assert first.wheels[0].load_torque == pytest.approx(500.0 * G * lever / 20.0, rel=0.01)
    assert first.wheels[0].load_torque / hand == pytest.approx(122.0, rel=0.02)
