"""The chain drive block against closed-form solutions: periods, energy, dead zone, steady transmission, limit of the
tension.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.integrate import solve_ivp
from scipy.interpolate import CubicHermiteSpline
from scipy.optimize import brentq

import chaindrive as cd
from chaindrive.analyses.linear.linearised import system_modes
from chaindrive.contract.system import System
from chaindrive.formulations import compile_system
from chaindrive.geometry.route import length_in_pitches
from chaindrive.mechanism.facts import drive_facts
from chaindrive.model import override
from chaindrive.simulation.start import prepare
from support import block_drives as blocks
from support.block_drives import INERTIAS, RADII, STIFFNESS

FloatArray = NDArray[np.float64]

FREQUENCY = math.sqrt(STIFFNESS * sum(r * r / j for r, j in zip(RADII, INERTIAS, strict=True)))
"""w of x'' + w^2 x = 0 for a taut chain: x = R_a theta_a - R_b theta_b, J_a theta_a'' = -k R_a x."""
SLACK, SPEED = 2e-3, 0.1


def relative(solution: cd.Solution) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Time, x = R_a theta_a - R_b theta_b, and its rate."""
    turns = np.array([RADII[0], -RADII[1]])
    return solution.time, solution.values("wheel_angle") @ turns, solution.values("wheel_speed") @ turns


def periods(solution: cd.Solution) -> FloatArray:
    """Times between passages of x through zero upwards, from Hermite splines of x and x'."""
    time, x, rate = relative(solution)
    course = CubicHermiteSpline(time, x, rate)
    up = np.flatnonzero((x[:-1] < 0.0) & (x[1:] >= 0.0))
    return np.diff([brentq(course, time[i], time[i + 1], xtol=1e-15) for i in up])


def test_the_frequency_is_that_of_the_data() -> None:
    assert pytest.approx(212.1320, abs=1e-4) == FREQUENCY


@pytest.mark.parametrize("compliance", ["spans", "block"])
def test_period_of_a_taut_chain(compliance: str) -> None:
    drive = blocks.two_wheels(compliance=compliance, targets=blocks.relative_speed(SPEED))
    found = periods(blocks.run(drive, 0.3))
    assert found.size >= 8
    np.testing.assert_allclose(found, 2.0 * math.pi / FREQUENCY, rtol=1e-6)


@pytest.mark.parametrize("compliance", ["spans", "block"])
def test_period_with_slack(compliance: str) -> None:
    """Half a period at each edge, plus twice the crossing of the slack at the speed v."""
    drive = blocks.two_wheels(compliance=compliance, slack=SLACK, targets=blocks.relative_speed(SPEED))
    wanted = 2.0 * math.pi / FREQUENCY + 2.0 * SLACK / SPEED
    assert wanted == pytest.approx(0.0696, abs=5e-5)
    found = periods(blocks.run(drive, 0.5))
    assert found.size >= 5
    np.testing.assert_allclose(found, wanted, rtol=1e-6)


def test_both_spans_under_pretension_are_springs_in_parallel() -> None:
    """Pretension: both spans pull, 2 k, until one of them is slack."""
    drive = blocks.two_wheels(slack=-SLACK, targets=blocks.relative_speed(SPEED))
    found = periods(blocks.run(drive, 0.2))
    np.testing.assert_allclose(found, 2.0 * math.pi / FREQUENCY / math.sqrt(2.0), rtol=1e-6)


def test_modes_are_those_of_the_closed_form() -> None:
    """About an equilibrium with pretension: rotation of the whole, and the two springs in parallel."""
    modes = system_modes(prepare(blocks.two_wheels(slack=-SLACK), start="at_rest").system)
    wanted = math.sqrt(2.0) * FREQUENCY / (2.0 * math.pi)
    assert modes.frequency[0] == pytest.approx(0.0, abs=1e-3 * wanted)
    assert modes.frequency[1] == pytest.approx(wanted, rel=1e-6)


def test_a_loaded_chain_has_the_taut_mode() -> None:
    """The driver is prescribed: J_b theta_b'' = -k R_b^2 theta_b, and one span is slack."""
    motion = {"kind": "constant_speed", "speed": 10.0}
    drive = blocks.two_wheels({"motion": motion}, {"load_torque": 5.0}, slack=SLACK)
    modes = system_modes(prepare(drive, start="at_rest").system)
    wanted = math.sqrt(STIFFNESS * RADII[1] ** 2 / INERTIAS[1]) / (2.0 * math.pi)
    np.testing.assert_allclose(modes.frequency, [wanted], rtol=1e-6)


def shaken(system: System, seed: int, slack: float) -> FloatArray:
    """A state with elongations of some slacks and speeds of some rad/s."""
    rng = np.random.default_rng(seed)
    y = system.state.copy()
    y[: system.positions] = 3.0 * slack * rng.uniform(-1.0, 1.0, system.positions) / np.array(RADII)
    y[system.positions : 2 * system.positions] = rng.uniform(-5.0, 5.0, system.positions)
    return y


def printed_force(x: float, rate: float, damping: float) -> float:
    """F of Simscape's page: negative where the chain pulls wheel A back."""
    if x > SLACK / 2.0:
        return -(x - SLACK / 2.0) * STIFFNESS - rate * damping
    if x < -SLACK / 2.0:
        return -(x + SLACK / 2.0) * STIFFNESS - rate * damping
    return -rate * damping


def test_the_block_is_that_of_simscape_with_the_sign_corrected() -> None:
    """T_A = +F R_A and T_B = -F R_B, at random states in both branches and in the dead zone."""
    damping = 40.0
    drive = blocks.two_wheels(compliance="block", slack=SLACK, damping=damping)
    system = compile_system(drive, drive.run.formulation, False)
    for seed in range(50):
        y = shaken(system, seed, SLACK)
        dy = np.empty_like(y)
        system.kernels.rhs(0.0, y, dy, system.parameters)
        x, rate = (RADII[0] * y[at] - RADII[1] * y[at + 1] for at in (0, 2))
        force = printed_force(x, rate, damping)
        np.testing.assert_allclose(
            dy[2:4], [force * RADII[0] / INERTIAS[0], -force * RADII[1] / INERTIAS[1]], rtol=1e-12
        )


@pytest.mark.parametrize(("sign", "grows"), [(1.0, False), (-1.0, True)])
def test_the_printed_sign_feeds_energy(sign: float, grows: bool) -> None:
    """Without any source the energy of both wheels can only fall; with T_A = -F R_A, as printed, it grows."""

    def equations(_: float, y: FloatArray) -> list[float]:
        x, rate = RADII[0] * y[0] - RADII[1] * y[1], RADII[0] * y[2] - RADII[1] * y[3]
        torque = sign * printed_force(x, rate, 40.0)
        return [y[2], y[3], torque * RADII[0] / INERTIAS[0], -torque * RADII[1] / INERTIAS[1]]

    start = [0.0, 0.0, 0.5 * SPEED / RADII[0], -0.5 * SPEED / RADII[1]]
    found = solve_ivp(equations, (0.0, 0.06), start, rtol=1e-9, atol=1e-12)
    kinetic = 0.5 * np.array(INERTIAS) @ found.y[2:] ** 2
    assert (kinetic[-1] > 10.0 * kinetic[0]) == grows
    assert (kinetic.max() <= kinetic[0] * (1.0 + 1e-9)) == (not grows)


@pytest.mark.parametrize("damping_in_slack", [False, True])
def test_spans_and_block_are_one_in_the_taut_branch(damping_in_slack: bool) -> None:
    """Without slack one span is taut. Each span has its own damper: where they act in slack, too, the block has
    the damping of both of them."""
    common: dict[str, Any] = {"slack": 0.0, "damping_in_slack": damping_in_slack}
    spans = blocks.two_wheels(compliance="spans", damping=30.0, **common)
    block = blocks.two_wheels(compliance="block", damping=60.0 if damping_in_slack else 30.0, **common)
    one, other = (compile_system(drive, drive.run.formulation, False) for drive in (spans, block))
    for seed in range(30):
        y = shaken(one, seed, SLACK)
        rates = []
        for system in (one, other):
            dy = np.empty_like(y)
            system.kernels.rhs(0.0, y, dy, system.parameters)
            rates.append(dy)
        np.testing.assert_allclose(rates[1], rates[0], rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("compliance", ["spans", "block"])
@pytest.mark.parametrize("damping_in_slack", [False, True])
def test_energy_of_a_rattling_chain(compliance: str, damping_in_slack: bool) -> None:
    """Back and forth through the slack: the energy of the damper equals the loss of the motion within the tolerance;
    ten times that if the damper engages with a jump.
    """
    drive = blocks.two_wheels(
        compliance=compliance,
        slack=SLACK,
        damping=20.0,
        damping_in_slack=damping_in_slack,
        targets=blocks.relative_speed(SPEED),
    )
    solution = blocks.run(drive, 0.5)
    lost = solution.audit.losses["link_damping"]
    assert lost > 0.1 * float(solution.values("energy_kinetic")[0])
    assert solution.audit.largest_residual < (1e-6 if damping_in_slack else 1e-5) * lost
    elongation, tension = solution.values("span_elongation"), solution.values("span_tension")
    np.testing.assert_allclose(elongation.sum(axis=1), -SLACK, atol=1e-12)  # the slack stays what it is
    slack = (elongation < 0.0).all(axis=1)
    assert slack.any()
    assert (np.abs(tension[slack]).max() > 0.1) == damping_in_slack
    assert damping_in_slack or tension.min() == 0.0


def test_a_damped_dead_zone_is_crossed_as_the_damper_lets() -> None:
    """In slack only the damper acts: x'' = -b x' (R_a^2/J_a + R_b^2/J_b), x' = v exp(-r t)."""
    damping = 20.0
    rate = damping * sum(r * r / j for r, j in zip(RADII, INERTIAS, strict=True))
    drive = blocks.two_wheels(compliance="block", slack=0.5, damping=damping, targets=blocks.relative_speed(SPEED))
    time, x, speed = relative(blocks.run(drive, 0.05))
    np.testing.assert_allclose(speed, SPEED * np.exp(-rate * time), rtol=1e-8)
    np.testing.assert_allclose(x, SPEED / rate * (1.0 - np.exp(-rate * time)), atol=1e-10)


def test_steady_transmission() -> None:
    """Speeds by the teeth, torques by the radii, efficiency by the bearings."""
    motion = {"kind": "constant_speed", "speed": 20.0}
    bearing, torque = 0.02, 8.0
    drive = blocks.two_wheels(
        {"motion": motion, "bearing_damping": bearing},
        {"load_torque": torque, "bearing_damping": bearing},
        slack=SLACK,
        damping=20.0,
    )
    solution = blocks.run(drive, 0.5)
    speed = solution.values("wheel_speed")
    np.testing.assert_allclose(speed[:, 1] / speed[:, 0], 0.5, rtol=1e-9)
    tension = (torque + bearing * 10.0) / RADII[1]
    np.testing.assert_allclose(solution.values("span_tension"), np.tile([0.0, tension], (speed.shape[0], 1)), atol=1e-6)
    shaft = solution.values("wheel_torque")
    np.testing.assert_allclose(shaft[:, 0], tension * RADII[0], rtol=1e-8)
    motor = tension * RADII[0] + bearing * 20.0
    efficiency = torque * 10.0 / (motor * 20.0)
    assert solution.audit.output / solution.audit.input == pytest.approx(efficiency, rel=1e-8)
    assert solution.audit.losses["bearing"] == pytest.approx(bearing * (20.0**2 + 10.0**2) * 0.5, rel=1e-8)


def test_back_driving() -> None:
    """A load that drives pulls in the other span; the motor absorbs its power."""
    motion = {"kind": "constant_speed", "speed": 20.0}
    solution = blocks.run(blocks.two_wheels({"motion": motion}, {"load_torque": -8.0}, slack=SLACK), 0.2)
    np.testing.assert_allclose(solution.values("span_tension")[-1], [8.0 / RADII[1], 0.0], atol=1e-6)
    assert float(solution.values("power_input")[-1]) == pytest.approx(-80.0)
    assert float(solution.values("power_output")[-1]) == pytest.approx(-80.0)


def test_any_number_of_wheels_balances_its_energy() -> None:
    drive = blocks.five_wheels(damping=100.0)
    solution = blocks.run(drive, 1.0)
    audit = solution.audit
    assert audit.largest_residual < 1e-6 * audit.energy_exchanged
    ratios = np.abs(solution.values("wheel_speed")).mean(axis=0) * [wheel.teeth for wheel in drive.wheels]
    np.testing.assert_allclose(ratios, ratios[0], rtol=1e-3)  # the unbalance swings a little
    np.testing.assert_allclose(solution.values("span_elongation").sum(axis=1), -1e-3, atol=1e-12)


def test_tight_spans_add_up_in_series() -> None:
    """Held at rest with a torque T on the last wheel: the driver holds it through four spans of one tension."""
    stiffness = 2e5
    system = prepare(blocks.five_wheels(stiffness=stiffness, slack=-4e-3), start="at_rest").system
    tension = system.channel("span_tension").read(system.row(0.0, system.state))
    elongation = system.channel("span_elongation").read(system.row(0.0, system.state))
    np.testing.assert_allclose(tension, stiffness * np.maximum(elongation, 0.0), atol=1e-6)
    radii = [wheel.teeth * blocks.PITCH / (2.0 * math.pi) for wheel in blocks.five_wheels().wheels]
    pulls = tension - np.roll(tension, 1)
    assert pulls[1] * radii[1] == pytest.approx(6.0, abs=1e-3)  # the load of the wheel "big"
    np.testing.assert_allclose(pulls[[2, 3]], 0.0, atol=1e-3)


def test_stiffness_and_slack_come_from_the_chain() -> None:
    """Links of a span in series; slack from links less pitches of the route, shared by compliance."""
    drive = blocks.five_wheels()
    drive = cd.Drive(
        **{
            **{f: getattr(drive, f) for f in ("name", "chain", "wheels", "contact")},
            "run": {"formulation": {"kind": "block"}},
        }
    )

    way = drive_facts(drive).route
    system = compile_system(drive, drive.run.formulation, False)
    np.testing.assert_allclose(system.story.notes["span_stiffness"], 5e6 * blocks.PITCH / way.span_length, rtol=1e-12)
    slack = (254 - length_in_pitches(way, blocks.PITCH, [w.teeth for w in drive.wheels])) * blocks.PITCH
    assert system.story.notes["slack"] == pytest.approx(slack, rel=1e-12)
    elongation = system.channel("span_elongation").read(system.row(0.0, system.state))
    np.testing.assert_allclose(elongation, -slack * way.span_length / way.span_length.sum(), rtol=1e-12)


@pytest.mark.parametrize("compliance", ["spans", "block"])
@pytest.mark.parametrize("slack", [0.0, SLACK])
def test_the_maximum_tension_ends_a_run_to_the_instant(compliance: str, slack: float) -> None:
    """F = k v/w sin(w (t - S/2v)): the maximum F is reached at t = S/2v + asin(F w/(k v))/w. The step over the slack
    edge leaves an error of 1e-8; without slack it is 1e-10.
    """
    limit = 30.0
    drive = blocks.two_wheels(
        compliance=compliance, slack=slack, maximum_tension=limit, targets=blocks.relative_speed(SPEED)
    )
    solution = blocks.run(drive, 0.5)
    instant = 0.5 * slack / SPEED + math.asin(limit * FREQUENCY / (STIFFNESS * SPEED)) / FREQUENCY
    assert solution.status.name == "TENSION_AT_MAXIMUM"
    assert solution.notes["end_time"] == pytest.approx(instant, rel=1e-7)
    assert "the span 'b - a': 30 N" in solution.status.description
    largest = solution.values("span_tension").max(axis=1)
    assert float(largest[:-1].max()) < limit
    assert solution.time[-1] == solution.notes["end_time"]
    assert float(largest[-1]) == pytest.approx(limit, rel=1e-12)


def test_the_breaking_load_is_the_maximum_unless_one_is_given() -> None:
    drive = override(blocks.two_wheels(targets=blocks.relative_speed(SPEED)), {"chain.breaking_load": "30 N"})
    assert blocks.run(drive, 0.5).status.name == "TENSION_AT_MAXIMUM"
    beyond = override(drive, {"run.formulation.maximum_tension": "300 N"})
    assert blocks.run(beyond, 0.5).status == cd.Status.REACHED_END


def test_periods_with_the_tolerances_that_the_block_has_by_itself() -> None:
    """The error is ten times the tolerance: 1e-5 of a period."""
    drive = blocks.two_wheels(slack=SLACK, targets=blocks.relative_speed(SPEED))
    drive = drive.model_copy(update={"run": drive.run.model_copy(update={"solver": cd.SolverOptions()})})
    wanted = 2.0 * math.pi / FREQUENCY + 2.0 * SLACK / SPEED
    np.testing.assert_allclose(periods(blocks.run(drive, 0.5)), wanted, rtol=1e-5)


def test_an_unbalanced_wheel_pulls_its_bearing_to_its_heavy_side() -> None:
    """At a constant speed w the bearing has the pull of both spans, and U w^2 towards the heavy side."""
    moment, speed, angle = 0.02, 30.0, 0.3
    heavy = {"mass_moment": moment, "angle": angle}
    motion = {"kind": "constant_speed", "speed": speed}
    pulled = []
    for unbalance in (None, heavy):
        drive = blocks.two_wheels({"motion": motion, "unbalance": unbalance, "mass": 1.0}, {"mass": 1.0})
        system = compile_system(drive, drive.run.formulation, True)
        y = system.state.copy()
        y[system.positions : 2 * system.positions] = system.motion.rolling
        pulled.append(system.channel("bearing_force").read(system.row(0.0, y))[0])
    wanted = moment * speed**2 * np.array([math.cos(angle), math.sin(angle)])
    np.testing.assert_allclose(pulled[1] - pulled[0], wanted, rtol=1e-9)


def test_bearings_carry_the_weight_of_the_wheels() -> None:
    """The pull of each span on one bearing is opposite to that on the other: at rest the sum is the weight of all
    wheels.
    """
    drive = override(cd.example("industrial-08b"), {"wheels.0.mass": 1.5, "wheels.1.mass": 4.0})
    system = compile_system(drive, cd.model.BlockOptions(), False)
    pulled = system.channel("bearing_force").read(system.row(0.0, system.state)).sum(axis=0)
    np.testing.assert_allclose(pulled, 5.5 * np.array(drive.gravity), rtol=1e-12, atol=1e-9)


def test_a_wheel_on_the_back_of_the_chain_turns_the_other_way() -> None:
    speed = blocks.run(blocks.five_wheels(damping=100.0), 0.01).values("wheel_speed")[-1]
    assert np.sign(speed).tolist() == [1.0, 1.0, 1.0, -1.0, 1.0]


@pytest.mark.parametrize("sense", [1.0, -1.0])
def test_either_span_ends_a_run_at_the_maximum_tension(sense: float) -> None:
    drive = blocks.two_wheels(maximum_tension=30.0, targets=blocks.relative_speed(sense * SPEED))
    solution = blocks.run(drive, 0.5)
    assert solution.status.name == "TENSION_AT_MAXIMUM"
    assert ("the span 'b - a': 30 N" if sense > 0.0 else "the span 'a - b': 30 N") in solution.status.description
