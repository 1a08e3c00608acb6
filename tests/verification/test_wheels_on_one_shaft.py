"""Two wheels of one chain on one shaft (``shaft_with``): one inertia, the differential lever, equilibrium, balance."""

from __future__ import annotations

import math

import numpy as np
import pytest

from chaindrive import InputError, example, simulate
from chaindrive.analyses.linear.linearised import frequencies_by_part, mode_shares, system_modes
from chaindrive.contract.status import Status
from chaindrive.formulations import compile_system
from chaindrive.model import GroundEnd, SaveOptions, SolverOptions, override
from chaindrive.simulation.start import _warn_of_slack, prepare
from chaindrive.solvers.integrator import Integrator, SolverSettings
from support.differential_drives import BLOCK, LARGE, PULLEY, SMALL, differential, radius
from support.open_drives import LINK_MASS, PITCH

G = 9.81
BOTH = pytest.mark.parametrize("kind", ["roller", pytest.param("link", marks=pytest.mark.long)])
EVERYTHING = SaveOptions(channels="all", precision="double")
TURNED = 2.0 * math.pi / math.gcd(LARGE, SMALL)
"""Angle after which whole pitches have run onto both wheels, and the same rollers of other links lie in the gaps."""


def formed(kind, drive):
    alike = {"chain.inner_link.mass": LINK_MASS} if kind == "link" else {}
    return override(drive, {"run.formulation.kind": kind} | alike)


def turning(speed, ramp=0.05):
    return {"motion": {"kind": "constant_speed", "speed": speed, "ramp": ramp}}


class Rest:
    """A drive at rest."""

    def __init__(self, drive):
        self.system = prepare(drive).system
        self.notes = self.system.story.notes
        assert self.notes["static_converged"]

    def __getitem__(self, name):
        return self.system.channel(name).read(self.system.row(0.0, self.system.state))


@BOTH
def test_each_strand_carries_half_of_the_block(kind):
    rest = Rest(formed(kind, differential(large=turning(1.0))))
    tension = rest["span_tension"]
    hanging = 0.5 * BLOCK * G  # at the pulley; the strands carry half of the chain around it and themselves, too
    around = 0.5 * PULLEY * LINK_MASS * G / 2.0
    own = 0.5 * (0.4 / PITCH) * LINK_MASS * G
    assert tension[1:3] == pytest.approx(hanging + around + own, rel=2e-3)
    torque = rest["wheel_torque"]
    assert torque[1] == pytest.approx(0.0, abs=1e-3)  # the pulley turns freely
    lever = PITCH / (2.0 * math.pi)
    # the shaft holds the difference of both strands, less the difference of the free ends
    ends = tension[0] * LARGE - tension[3] * SMALL
    assert torque[0] + torque[2] == pytest.approx(lever * (hanging * (LARGE - SMALL) - ends), rel=0.05)


def test_a_shaft_that_nothing_holds_turns_until_both_wheels_balance():
    # both ends on the ground: the shaft alone finds its place, where what it passes from wheel to wheel is equal
    ends = (
        GroundEnd(position=(-2.0 * radius(LARGE) - radius(PULLEY), -0.3), stiffness=2e4),
        GroundEnd(position=(2.0 * radius(SMALL) + radius(PULLEY), -0.3), stiffness=2e4),
    )
    rest = Rest(differential(ends=ends))
    large, pulley, small = rest["wheel_torque"]
    assert pulley == pytest.approx(0.0, abs=1e-2)
    assert large == pytest.approx(-small, abs=1e-2)
    assert abs(large) > 1.0
    before, one, other, behind = rest["span_tension"]
    assert one == pytest.approx(other, rel=1e-3)
    # T (R - r) = T1 R - T2 r at the mean levers
    assert before * LARGE - behind * SMALL == pytest.approx(one * (LARGE - SMALL), rel=0.05)


def test_only_the_sum_of_both_inertias_and_of_their_torques_counts():
    alike = [
        {"large": {"inertia": 0.029, "torque": -40.0}, "small": {"inertia": 0.001}},
        {"large": {"inertia": 0.004}, "small": {"inertia": 0.026, "torque": -40.0}},
    ]
    # By equal steps: the limit of the step takes the wheels of a shaft each by itself.
    equal = {"until": 0.02, "solver": {"method": "verlet-beeman", "step": "5 us"}}
    one, other = (simulate(differential(run=equal, **each), save=EVERYTHING) for each in alike)
    speed = one["wheel_speed"].values
    assert np.array_equal(speed[:, 0], speed[:, 2])
    assert abs(speed[-1, 0]) > 0.1
    for name in ("wheel_speed", "link_tension"):
        values = one[name].values
        assert other[name].values == pytest.approx(values, abs=1e-8 * np.abs(values).max())
    first, second = (system_modes(Rest(differential(**each)).system, 8).frequency for each in alike)
    assert second == pytest.approx(first, rel=1e-7)


@BOTH
def test_the_block_sinks_by_half_the_difference_of_the_teeth_and_no_energy_is_lost(kind):
    # p (z1 - z2)/2 for a turn; the work of the shaft is that of the weights over the repeating angle
    speed, ramp = -4.0, 0.1
    until = ramp / 2.0 + TURNED / abs(speed) + 0.2
    drive = formed(kind, differential(large=turning(speed, ramp), run={"until": until}))
    solution = simulate(drive, save=EVERYTHING)
    assert solution.audit.relative_residual < 1e-4
    time, angle = solution["time"].values, solution["wheel_angle"].values
    assert angle[:, 2] - angle[0, 2] == pytest.approx(angle[:, 0] - angle[0, 0], abs=1e-12)
    height = solution["wheel_position"].values[:, 1, 1]
    begin = int(np.flatnonzero(time > ramp)[0])
    stop = int(np.argmin(np.abs(angle[:, 0] - (angle[begin, 0] - TURNED))))
    sunk = PITCH * (LARGE - SMALL) / 2.0 * TURNED / (2.0 * math.pi)
    assert height[begin] - height[stop] == pytest.approx(sunk, rel=0.02)


def test_a_run_goes_on_from_its_checkpoint_bit_for_bit():
    drive = differential(large=turning(-4.0))
    whole, first, other = (Integrator(prepare(drive).system, SolverSettings(), 1e-3, 1000) for _ in range(3))
    assert whole.advance(0.01) == Status.REACHED_END
    assert first.advance(0.01, 5) == Status.RUNNING
    other.restore(first.snapshot())
    while (status := other.advance(0.01)) == Status.RUNNING:
        pass
    assert status == Status.REACHED_END
    assert np.array_equal(other.state, whole.state)


def test_implicit_steps_agree_with_explicit_ones():
    drive = override(example("differential-hoist"), {"wheels.0.motion": None, "wheels.0.torque": -40.0})
    tight = {"atol_length": 1e-9, "atol_angle": 1e-8, "atol_speed": 1e-5, "atol_angular_speed": 1e-4}
    one, other = (
        simulate(drive, until=0.01, save=EVERYTHING, solver=solver)["wheel_speed"].values
        for solver in (SolverOptions(method="dormand-prince"), SolverOptions(method="generalized-alpha", **tight))
    )
    assert other == pytest.approx(one, abs=5e-3 * np.abs(one).max())


# ---- on one centre: the differential hoist

TEETH, HOISTED, PULL = (18, 16, 15), 251.0, PITCH / (4.0 * math.pi)
"""Numbers of the example: teeth, mass of pulley and load [kg], and the lever of the load for a tooth of difference
[m].
"""
LEVER = PULL * (TEETH[0] - TEETH[2])


@BOTH
def test_the_hoist_hangs_on_both_wheels_of_its_shaft(kind):
    drive = override(example("differential-hoist"), {"run.formulation.kind": kind})
    rest = Rest(drive)
    chain = drive.chain.links * drive.chain.link_mass
    assert rest["bearing_force"][[0, 2], 1].sum() == pytest.approx(-(HOISTED + chain) * G, rel=1e-6)
    # half of the load, of the chain around the pulley and of the strand itself, 0.5 m long
    own = (0.25 * TEETH[1] + 0.25 / PITCH) * drive.chain.link_mass * G
    assert rest["span_tension"][:2] == pytest.approx(0.5 * HOISTED * G + own, rel=2e-3)
    torque = rest["wheel_torque"]
    assert torque[0] + torque[2] == pytest.approx(-HOISTED * G * LEVER, rel=0.05)
    # the loop hangs by its weight, which its ends carry together, and lies on nothing
    tension, place, force = rest["link_tension"], rest["roller_position"], rest["contact_force"]
    assert 0.0 < rest["span_tension"][2] < 0.02 * HOISTED * G
    below = np.flatnonzero((place[:, 1] < -0.1) & (place[:, 1] > -0.9) & (tension < 0.02 * HOISTED * G))
    assert below.size > 30
    assert force[below] == pytest.approx(0.0, abs=1e-9)


def test_the_loop_swings_as_a_hanging_chain():
    # its strands hang close to each other, and swing together as one chain does: f = j0 sqrt(g / L) / (4 pi)
    rest = Rest(example("differential-hoist"))
    found = system_modes(rest.system, 3)
    parts = frequencies_by_part(found, mode_shares(rest.system, found))
    assert list(parts) == ["small - large perpendicular to gravity"]
    depth = -rest["roller_position"][:, 1].min()
    swinging = 2.404826 * math.sqrt(G / depth) / (4.0 * math.pi)
    assert parts["small - large perpendicular to gravity"][0] == pytest.approx(swinging, rel=0.01)


def test_a_load_that_rises_has_not_given_way():
    drive = example("differential-hoist")
    system = compile_system(drive, drive.run.formulation, False)
    system.state[system.parameters.planar.layout.joint_position] += 4.0 * drive.chain.pitch
    found = _warn_of_slack(system.noted({"static_converged": False, "static_residual": 1.0}), drive)
    assert found.story.warnings == system.story.warnings


def test_the_shaft_raises_the_load_by_half_the_difference_of_the_teeth():
    drive = override(
        example("differential-hoist"), {"wheels.0.motion.ramp": "0.05 s", "wheels.0.motion.speed": "-60 rpm"}
    )
    solution = simulate(drive, until=0.4, save=EVERYTHING)
    assert solution.audit.relative_residual < 1e-4
    time, angle = solution["time"].values, solution["wheel_angle"].values[:, 0]
    height = solution["wheel_position"].values[:, 1, 1]
    late = time > 0.05
    assert np.polyfit(angle[late], height[late], 1)[0] == pytest.approx(-LEVER, rel=0.02)
    # both strands keep their load while links go from them into the loop
    strands = solution["span_tension"].values[late]
    assert strands[:, :2].mean(axis=0) == pytest.approx(0.5 * HOISTED * G, rel=0.01)
    assert np.abs(strands[:, 2]).max() < 0.02 * HOISTED * G
    assert np.ptp(angle) * TEETH[0] / (2.0 * math.pi) > 5.0


def test_a_span_has_the_links_between_its_two_wheels_however_far_each_has_turned():
    """A link is in a span once it has left the wheel before it, until it reaches the wheel behind it."""
    system = Rest(example("differential-hoist")).system
    p, state = system.parameters.planar, system.state.copy()
    turn = np.array([20.0, 18.0])  # teeth of the larger wheel of the shaft, and of the pulley
    state[p.layout.wheel_angle : p.layout.wheel_angle + 2] += 2.0 * math.pi * turn / TEETH[:2]
    places = state[: 2 * p.rollers]
    places += np.random.default_rng(1).normal(0.0, 1e-4, places.size)  # so that all tensions differ
    row = system.row(0.0, state)
    tension = system.channel("link_tension").read(row)
    teeth = np.array([turn[0], turn[1], turn[0] * TEETH[2] / TEETH[0]])
    for k, mean in enumerate(system.channel("span_tension").read(row)):
        left, reached = p.spans.start[k] - teeth[k], p.spans.end[k] - teeth[(k + 1) % p.wheels]
        inside = np.mod(np.arange(p.rollers) + 0.5 - left, p.rollers) <= reached - left
        assert mean == pytest.approx(tension[inside].mean(), rel=1e-9)


@pytest.mark.parametrize("part", [0.5, 1.2])
def test_friction_of_the_shaft_holds_the_load_where_it_is_larger_than_what_the_load_turns_with(part):
    drive = example("differential-hoist")
    held = float(-Rest(drive)["wheel_torque"][[0, 2]].sum())
    drive = override(drive, {
        "wheels.0.motion": None, "wheels.0.initial_speed": 0.1, "wheels.0.bearing_friction": part * held,
        "run.formulation.friction_law": "elastic",
    })  # fmt: skip
    solution = simulate(drive, until=0.03, save=EVERYTHING)
    time, speed = solution["time"].values, solution["wheel_speed"].values[:, 0]
    if part > 1.0:  # it gives way until its spring holds, by a thousandth of a radian
        assert np.ptp(solution["wheel_angle"].values[:, 0]) < 2e-3
        assert np.abs(speed[-5:]).max() < 0.02
        return
    # J w' = M - M_f, with all that moves at the mean speed of the chain
    masses, chain = 0.032 + 0.01 * (16.5 / 16.0) ** 2, drive.chain.links * drive.chain.link_mass
    masses += HOISTED * LEVER**2 + chain * (16.5 * PITCH / (2.0 * math.pi)) ** 2
    late = time > 0.01
    assert np.polyfit(time[late], speed[late], 1)[0] == pytest.approx((1.0 - part) * held / masses, rel=0.1)


def test_what_a_wheel_on_a_shaft_cannot_have_is_told_with_its_place():
    wrong = {
        "wheels[2].shaft_with": {"shaft_with": "motor"},
        "wheels[2].side": {"side": "back"},
        "wheels[2].motion": turning(1.0),
        "wheels[2].initial_speed": {"initial_speed": 1.0},
        "wheels[2].freewheel": {"freewheel": {"stiffness": 1e3, "inertia": 0.01}},
    }
    for place, values in wrong.items():
        with pytest.raises(InputError) as caught:
            differential(small=values)
        assert place in [problem.place for problem in caught.value.problems]
    runs = ({"formulation": {"kind": "block"}}, "wheels[2].shaft_with"), ({"until": "steady"}, "run.until")
    for run, place in runs:
        with pytest.raises(InputError) as caught:
            differential(run=run)
        assert place in [problem.place for problem in caught.value.problems]
