"""Several chains in one drive: torques and tensions of the shafts between them, their torsion, energy, resumption."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.linalg import eigh

import chaindrive as cd
from chaindrive.contract.states import Kind
from chaindrive.contract.status import Status
from chaindrive.contract.system import System
from chaindrive.coupling.joined import torque_wanted
from chaindrive.mechanism.stages import chains_alone, stage_drives
from chaindrive.model import SaveOptions, loads, override
from chaindrive.physics.torsion import torsion_energy, torsion_torque
from chaindrive.simulation.start import prepare
from chaindrive.solvers import Integrator, SolverSettings
from support.staged_drives import LOAD, TEETH, at, compiled_only, effective, two_stages

LONG = pytest.mark.long
KINDS = pytest.mark.parametrize(
    "kind", ["block", *(pytest.param(k, marks=(compiled_only, LONG)) for k in ("roller", "link"))]
)


def test_torques_and_tensions_at_the_start_are_those_of_the_ratios() -> None:
    """T_small = M 19/38; F = T/R on either chain; the shaft is twisted by T/k; everything runs on steadily."""
    system = prepare(two_stages(shaft={"stiffness": 2e4})).system
    torque = LOAD * TEETH[2] / TEETH[3]
    assert at(system, "second.shaft_torque") == pytest.approx(torque, rel=1e-9)
    assert at(system, "second.shaft_twist") == pytest.approx(torque / 2e4, rel=1e-9)
    assert at(system, "second.span_tension").max() == pytest.approx(torque / effective(19), rel=1e-9)
    assert at(system, "span_tension").max() == pytest.approx(torque / effective(34), rel=1e-9)
    speeds = 60.0 * np.array([1.0, 0.5, 0.5, 0.25])
    found = np.concatenate([at(system, "wheel_speed"), at(system, "second.wheel_speed")])
    np.testing.assert_allclose(found, speeds, rtol=1e-12)
    rates = np.zeros_like(system.state)
    system.kernels.rhs(0.0, system.state, rates, system.parameters)
    assert np.abs(rates[system.positions : 2 * system.positions]).max() < 1e-6


@compiled_only
def test_the_first_chain_starts_with_the_pull_of_the_second_one() -> None:
    """A start at speed has the tensions of one at rest if no loss keeps its direction: rollers that are about to settle
    in their teeth do not count. A bearing adds its friction, M_small = M_bearing.
    """

    def pull(start: str, **small: float) -> float:
        drive = override(two_stages("roller", small=small), {"contact.friction": 0.1})
        return float(at(prepare(drive, start=start).system, "span_tension").max())

    at_rest, friction = pull("at_rest"), 0.2 * LOAD
    assert pull("at_speed") == pytest.approx(at_rest, rel=1e-3)
    assert pull("at_speed", bearing_friction=friction) - at_rest == pytest.approx(friction / effective(34), rel=0.02)


def test_a_gear_turns_the_other_way_and_takes_its_ratio() -> None:
    """The wheel behind it has r times the speed of the one before, and the torque before it is r times that behind
    it.
    """
    system = prepare(two_stages(shaft={"ratio": -3.0})).system
    torque = -LOAD * TEETH[2] / TEETH[3]  # the load is against the running sense, which is clockwise here
    assert at(system, "second.wheel_speed")[0] == pytest.approx(-90.0, rel=1e-12)
    assert at(system, "second.shaft_torque") == pytest.approx(torque, rel=1e-9)
    assert at(system, "span_tension").max() == pytest.approx(3.0 * abs(torque) / effective(34), rel=1e-9)


def test_the_eigenfrequencies_of_two_wheels_with_a_shaft_between_them() -> None:
    """The motor is at rest and the drum is heavy: J1, J2 on their chains, and the shaft between, of ratio r.

    K = [[k1 + r^2 k, -r k], [-r k, k2 + k]]: released in each mode, every wheel oscillates at its frequency.
    """
    ratio, stiffness = 1.7, 5e3
    spring = {"link_stiffness": 2e6, "link_damping": 0.0}
    drive = two_stages(
        options={"slack": -1e-3}, shaft={"ratio": ratio, "stiffness": stiffness, "damping": 0.0},
        motor={"motion": {"kind": "constant_speed", "speed": 0.0}}, middle={"inertia": 3e-3},
        drum={"inertia": 1e9, "load_torque": 0.0}, chain=spring, second_chain=spring,
    )  # fmt: skip
    system = prepare(drive).system
    notes = system.story.notes
    k1 = sum(notes["span_stiffness"]) * effective(34) ** 2
    k2 = sum(notes["stages"]["second"]["span_stiffness"]) * effective(19) ** 2
    matrix = np.array([[k1 + ratio**2 * stiffness, -ratio * stiffness], [-ratio * stiffness, k2 + stiffness]])
    squares, shapes = eigh(matrix, np.diag([3e-3, 2e-3]))
    wheels = [system.positions + 1, system.positions + 2]
    for square, shape in zip(squares, shapes.T, strict=True):
        y = system.state.copy()
        y[wheels] = 1e-3 * shape / np.abs(shape).max()
        period = 2.0 * math.pi / math.sqrt(square)
        settings = SolverSettings(rtol=0.0, atol_angle=1e-13, atol_angular_speed=1e-10, rtol_work=math.inf)
        run = Integrator(replace(system, state=y), settings, period / 64.0, 1000)
        while (status := run.advance(10.0 * period)) == Status.RUNNING:
            pass
        assert status == Status.REACHED_END
        np.testing.assert_allclose(run.state[wheels], y[wheels], rtol=1e-4)


@KINDS
def test_no_energy_is_lost_between_the_chains(kind: str) -> None:
    """The energy from the first chain leaves the shaft again, except that stored in torsion and lost in damping."""
    options = {"joint": "ideal"} if kind == "link" else {}
    drive = two_stages(kind, options=options, shaft={"stiffness": 2e4, "damping": 1.0}, drum={"bearing_damping": 0.1})
    solution = cd.simulate(drive)
    assert solution.status == Status.REACHED_END
    second = solution.stage("second")
    given = -solution.values("shaft_work")[:, 1]
    taken = second.values("shaft_work")[:, 0]
    lost, stored = second.values("shaft_lost"), second.values("shaft_elastic")
    moved = np.abs(given).max()
    np.testing.assert_allclose(given, taken + lost + stored - stored[0], atol=2e-6 * moved)
    assert lost[-1] > 0.0 or kind == "block"  # nothing swings there
    for chain in solution.chains:
        assert chain.audit.relative_residual < 1e-5
        assert not chain.warnings


@LONG
@compiled_only
def test_a_stage_pulls_as_a_load_does() -> None:
    """A chain that turns a stage pulls on average like the same chain loaded with the torque of the stage."""
    drive = two_stages("roller")
    means = SaveOptions(reduce="mean")  # the pull vibrates by more than its mean may differ
    both = cd.simulate(drive, until=0.4, save=means)
    alone = cd.simulate(chains_alone(drive)[0], until=0.4, save=means)
    late = both.time > 0.1
    pulls = [np.diff(s.values("span_tension")[late].mean(axis=0))[0] for s in (both.chains[0], alone)]
    assert pulls[0] == pytest.approx(pulls[1], rel=0.01)
    assert both.chains[0].drive.wheels[1].load_torque == pytest.approx(30.0, rel=1e-9)


def test_a_drive_that_torques_turn_balances_with_its_stages() -> None:
    """Motor torque M on 17 teeth against c w on the drum: w = M i / c, i the ratio of both chains."""
    wheels = {"motor": {"motion": None, "torque": 8.0}, "drum": {"load_torque": 0.0, "load_viscous": 2.0}}
    ratio = (TEETH[1] / TEETH[0]) * (TEETH[3] / TEETH[2])
    (stage,) = stage_drives(two_stages(**wheels))
    assert stage.wheels[0].initial_speed == pytest.approx(8.0 * ratio / 2.0 * 38 / 19, rel=1e-9)
    solution = cd.simulate(two_stages(**wheels), until=1.0)
    assert solution.values("second.wheel_speed")[-1, 1] == pytest.approx(8.0 * ratio / 2.0, rel=1e-3)


@pytest.mark.parametrize(
    ("kind", "method"),
    [
        ("block", "dormand-prince"),
        *(
            pytest.param(*case, marks=(compiled_only, LONG))
            for case in [
                ("block", "verlet"),
                ("roller", "dormand-prince"),
                ("roller", "verlet"),
                ("link", "verlet"),
                ("link", "dormand-prince"),
            ]
        ),
    ],
)
def test_a_rigid_shaft_stays_rigid(kind: str, method: str) -> None:
    """r phi - psi and r phi' - psi' keep their initial values, up to rounding, while the drum swings."""
    options = {"joint": "ideal"} if kind == "link" else {}
    pulse = {"torque": 40.0, "start": 0.001, "rise": 0.001, "hold": 0.004}
    drive = two_stages(kind, options=options, shaft={"ratio": -1.7}, drum={"loads": [pulse]})
    system = prepare(drive).system
    step = 0.5 / system.motion.highest_frequency if method == "verlet" else 1e-4
    run = Integrator(system, SolverSettings(method=method), step, 100_000)
    q, driving, turned = system.positions, wheel_places(system)[1], wheel_places(system, "second")[0]
    start, torques = run.state.copy(), []
    for k in range(1, 11):
        while (status := run.advance(1e-3 * k)) == Status.RUNNING:
            pass
        assert status == Status.REACHED_END
        moved = run.state - start
        assert -1.7 * moved[driving] == pytest.approx(moved[turned], rel=1e-11)
        assert -1.7 * run.state[q + driving] == pytest.approx(run.state[q + turned], rel=1e-11)
        torques.append(float(at(system, "second.shaft_torque", run.state)))
    assert np.ptp(torques) > 5.0  # the pulse comes through
    assert abs(moved[turned]) > 0.4


def test_a_rigid_shaft_that_slips_is_reported() -> None:
    """Slip is the angle of the wheel before the shaft, times the ratio, minus that of the wheel behind it."""
    system = prepare(two_stages(shaft={"ratio": -1.7})).system
    driving, turned = wheel_places(system)[1], wheel_places(system, "second")[0]
    state = system.state.copy()
    state[driving] += 10.0
    state[turned] += -17.0
    assert not any("slipped" in text for text in system.story.findings(state)[1])
    state[turned] += 0.1
    assert [text for text in system.story.findings(state)[1] if "shaft of 'second' has slipped by 5.7 deg" in text]


def wheel_places(system: System, stage: str = "") -> list[int]:
    """Positions of the angles of the wheels of a chain in the state, found by turning each coordinate a little."""
    name = f"{stage}.wheel_angle" if stage else "wheel_angle"
    angles, found = at(system, name), {}
    for place in np.flatnonzero(system.kinds[: system.positions] == Kind.ANGLE):
        state = system.state.copy()
        state[place] += 1e-3
        for wheel in np.flatnonzero(at(system, name, state) != angles):
            found[int(wheel)] = int(place)
    return [found[wheel] for wheel in range(angles.size)]


@compiled_only
def test_an_elastic_shaft_becomes_the_rigid_one_as_it_gets_stiffer() -> None:
    """Vibrations of two chains after a pulse, compared with those with k: the difference falls as 1/k."""
    pulse = {"torque": 40.0, "start": 0.001, "rise": 0.01, "hold": 0.02}

    def tensions(shaft: dict[str, Any]) -> Any:
        drive = two_stages(shaft=shaft, drum={"loads": [pulse]})
        solution = cd.simulate(drive, until=0.03)
        return np.concatenate([solution.values("span_tension"), solution.values("second.span_tension")], axis=1)

    rigid = tensions({})
    assert np.ptp(rigid, axis=0).max() > 300.0
    off = [np.abs(tensions({"stiffness": k, "damping": 0.02 * k / 1e4}) - rigid).max() for k in (2e5, 8e5, 3.2e6)]
    assert off[0] / off[1] == pytest.approx(4.0, rel=0.25)
    assert off[1] / off[2] == pytest.approx(4.0, rel=0.25)


def test_wheels_on_a_rigid_shaft_swing_as_one() -> None:
    """J = J1 + r^2 J2 on k1 + r^2 k2: frequency of both chains with wheels that a rigid shaft joins."""
    ratio, spring = 1.7, {"link_stiffness": 2e6, "link_damping": 0.0}
    drive = two_stages(
        options={"slack": -1e-3}, shaft={"ratio": ratio}, motor={"motion": {"kind": "constant_speed", "speed": 0.0}},
        middle={"inertia": 3e-3}, drum={"inertia": 1e9, "load_torque": 0.0}, chain=spring, second_chain=spring,
    )  # fmt: skip
    system = prepare(drive).system
    k1 = sum(system.story.notes["span_stiffness"]) * effective(34) ** 2
    k2 = sum(system.story.notes["stages"]["second"]["span_stiffness"]) * effective(19) ** 2
    period = 2.0 * math.pi * math.sqrt((3e-3 + ratio**2 * 2e-3) / (k1 + ratio**2 * k2))
    y = system.state.copy()
    y[system.positions + 1], y[system.positions + 2] = 0.01, ratio * 0.01
    settings = SolverSettings(atol_angle=1e-13, atol_angular_speed=1e-10, rtol_work=math.inf)
    run = Integrator(replace(system, state=y), settings, period / 64.0, 1000)
    while (status := run.advance(10.25 * period)) == Status.RUNNING:
        pass
    assert status == Status.REACHED_END
    amplitude = 0.01 * period / (2.0 * math.pi)
    assert run.state[1] - y[1] == pytest.approx(amplitude, rel=1e-6)
    assert run.state[2] - y[2] == pytest.approx(ratio * amplitude, rel=1e-6)
    assert run.state[system.positions + 1] == pytest.approx(0.0, abs=1e-5)


@KINDS
def test_a_rigid_shaft_gives_all_that_it_takes(kind: str) -> None:
    """Works on both of its wheels are equal and opposite, row by row; all balances close; torques join both chains."""
    options = {"joint": "ideal"} if kind == "link" else {}
    pulse = {"torque": 40.0, "start": 0.01, "rise": 0.005, "hold": 0.01}
    solution = cd.simulate(two_stages(kind, options=options, shaft={"ratio": -1.7}, drum={"loads": [pulse]}))
    assert solution.status == Status.REACHED_END
    second = solution.stage("second")
    given, taken = solution.values("shaft_work")[:, 1], second.values("shaft_work")[:, 0]
    np.testing.assert_allclose(-given, taken, atol=1e-12 * np.abs(given).max())
    torque = second.values("shaft_torque")
    np.testing.assert_allclose(second.values("wheel_torque")[:, 0], torque, atol=1e-9 * np.abs(torque).max())
    np.testing.assert_allclose(solution.values("wheel_torque")[:, 1], 1.7 * torque, atol=1e-9 * np.abs(torque).max())
    np.testing.assert_allclose(solution.values("power_output"), -given_power(solution), atol=1e-6)
    for chain in solution.chains:
        assert chain.audit.relative_residual < 1e-5
        assert not chain.warnings
    assert "shaft_twist" not in second


def given_power(solution: Any) -> Any:
    """Power that the shafts supply to a chain whose motor has a motion, at its other wheel. [W]"""
    return (solution.values("wheel_torque") * solution.values("wheel_speed"))[:, 1]


@LONG
def test_rigid_and_elastic_shafts_on_one_wheel_and_behind_each_other() -> None:
    """One mass matrix for all rigid shafts: torques at rest follow the ratios, motions those of one inertia."""
    one = two_stages(drum={"loads": [{"torque": 30.0, "start": 0.002, "rise": 0.002}]})
    stage = one.stages[0]

    def another(name: str, **shaft: Any) -> Any:
        return stage.model_copy(update={"name": name, "shaft": stage.shaft.model_copy(update=shaft)})

    drive = one.model_copy(
        update={
            "stages": (
                stage,
                another("beside", ratio=0.5),
                another("behind", from_stage="second", from_wheel="drum"),
                another("same wheel", from_stage="second", from_wheel="small", ratio=-2.0),
                another("elastic", from_stage="same wheel", from_wheel="small", stiffness=2e3),
                another("last", from_stage="elastic", from_wheel="small"),
            )
        }
    )
    system = prepare(drive).system
    torques = {name: float(at(system, f"{name}.shaft_torque")) for name in ("last", "elastic", "same wheel", "beside")}
    assert torques["last"] == pytest.approx(-30.0, rel=1e-9)
    assert torques["elastic"] == pytest.approx(-60.0, rel=1e-9)
    assert torques["same wheel"] == pytest.approx(-90.0, rel=1e-9)
    assert at(system, "second.shaft_torque") == pytest.approx(0.5 * 90.0 + 180.0, rel=1e-9)
    rates = np.zeros_like(system.state)
    system.kernels.rhs(0.0, system.state, rates, system.parameters)
    assert np.abs(rates[system.positions : 2 * system.positions]).max() < 1e-6
    solution = cd.simulate(drive, until=0.02)
    middle = solution.values("wheel_angle")[:, 1]
    for name, ratio in (("second", 1.0), ("beside", 0.5), ("same wheel", -2.0)):
        turned = solution.values(f"{name}.wheel_angle")[:, 0]
        np.testing.assert_allclose(turned - turned[0], ratio * (middle - middle[0]), atol=1e-12)
    assert np.ptp(solution.values("behind.shaft_torque")) > 5.0
    for chain in solution.chains:
        assert chain.audit.relative_residual < 1e-6


def test_backlash_carries_nothing_within_it() -> None:
    """Torque and energy of the law, and a shaft that starts on the driving side."""
    for twist in (-0.3, -0.1, 0.0, 0.1, 0.3):
        beyond = math.copysign(max(abs(twist) - 0.1, 0.0), twist)
        torque, lost = torsion_torque(twist, 0.0, 50.0, 1.0, 0.2)
        assert torque == pytest.approx(50.0 * beyond, abs=1e-12)
        assert lost == 0.0
        assert torsion_energy(twist, 50.0, 0.2) == pytest.approx(25.0 * beyond**2, abs=1e-12)
    assert torsion_torque(0.1, -3.0, 50.0, 1.0, 0.0) == pytest.approx((2.0, 9.0))
    assert torsion_torque(0.15, -9.0, 50.0, 1.0, 0.2)[0] == 0.0  # parting teeth do not pull
    system = prepare(two_stages(shaft={"stiffness": 2e4, "backlash": 0.02})).system
    assert at(system, "second.shaft_torque") == pytest.approx(30.0, rel=1e-9)
    assert at(system, "second.shaft_twist") == pytest.approx(0.01 + 30.0 / 2e4, rel=1e-9)


@pytest.mark.parametrize("backlash", [0.0, 0.2])
@pytest.mark.parametrize(("twist", "rate"), [(0.3, 2.0), (0.3, -2.0), (0.05, 2.0), (0.12, -9.0)])
def test_a_shaft_twisted_the_other_way_has_the_opposite_torque_and_the_same_losses(
    backlash: float, twist: float, rate: float
) -> None:
    """Both sides of the backlash act alike: the damper takes energy on each, as teeth meet and as they separate."""
    torque, lost = torsion_torque(twist, rate, 50.0, 1.0, backlash)
    assert torsion_torque(-twist, -rate, 50.0, 1.0, backlash) == pytest.approx((-torque, lost))
    assert lost >= 0.0


def test_the_damping_of_a_shaft_is_a_part_of_what_is_critical_for_the_inertias_on_both_sides() -> None:
    """2 z sqrt(k/(r^2/J1 + 1/J2)) with z = 2 %: the wheel before a gear of ratio r acts like J1/r^2 behind it."""
    ratio, stiffness = 3.0, 2e4
    system = prepare(two_stages(shaft={"ratio": ratio, "stiffness": stiffness}, middle={"inertia": 5e-3})).system
    wanted = 0.04 * math.sqrt(stiffness / (ratio**2 / 5e-3 + 1.0 / 2e-3))
    assert system.story.notes["stages"]["second"]["shaft"]["damping"] == pytest.approx(wanted, rel=1e-9)


def test_a_stage_whose_chain_reaches_its_maximum_ends_the_run_to_the_instant() -> None:
    """The first chain is far from its maximum: the ending is that of the stage, at its maximum tension."""
    pulse = {"torque": 40.0, "start": 0.002, "rise": 0.01}
    drive = two_stages(second_chain={"breaking_load": 1000.0}, drum={"loads": [pulse]})
    system = prepare(drive).system
    run = Integrator(system, SolverSettings(), 1e-3, 1000)
    while (status := run.advance(0.05)) == Status.RUNNING:
        pass
    assert status.name == "TENSION_AT_MAXIMUM"
    assert system.story.ended_at is not None
    assert system.story.ended_at(status, run.time, run.state).endswith(" of stage 'second'")
    assert at(system, "second.span_tension", run.state).max() == pytest.approx(1000.0, rel=1e-6)
    assert at(system, "span_tension", run.state).max() < 700.0


def test_steps_end_where_a_load_of_a_stage_has_a_kink() -> None:
    pulse = {"torque": 40.0, "start": 0.01, "rise": 0.005, "hold": 0.01, "fall": 0.002}
    stops = prepare(two_stages(drum={"loads": [pulse]})).system.motion.stops
    assert stops == pytest.approx([0.01, 0.015, 0.025, 0.027])


@LONG
def test_several_stages_on_one_wheel_and_one_behind_the_other() -> None:
    """Torques add up on the wheel that turns two of them, and are passed on from stage to stage."""
    one = two_stages()
    stage = one.stages[0]
    third = stage.model_copy(update={"name": "third", "shaft": stage.shaft.model_copy(update={"ratio": 0.5})})
    behind = stage.model_copy(
        update={
            "name": "last",
            "shaft": stage.shaft.model_copy(update={"from_stage": "second", "from_wheel": "drum"}),
        }
    )
    drive = one.model_copy(update={"stages": (stage, third, behind)})
    system = prepare(drive).system
    on_drum = LOAD + 30.0
    assert at(system, "second.shaft_torque") == pytest.approx(0.5 * on_drum, rel=1e-9)
    assert at(system, "third.shaft_torque") == pytest.approx(30.0, rel=1e-9)
    assert at(system, "last.shaft_torque") == pytest.approx(30.0, rel=1e-9)
    pulled = 0.5 * on_drum + 0.5 * 30.0
    assert at(system, "span_tension").max() == pytest.approx(pulled / effective(34), rel=1e-9)
    solution = cd.simulate(drive, until=0.02)
    assert solution.stages == ("second", "third", "last")
    assert solution.values("last.wheel_speed")[-1, 1] == pytest.approx(60.0 / 8.0, rel=1e-6)
    assert loads(drive.to_toml()) == drive


def test_going_on_gives_the_same_bit_for_bit() -> None:
    """From a snapshot of state and memory, in a newly compiled system."""
    drive = two_stages(shaft={"stiffness": 2e3, "backlash": 0.01}, drum={"load_viscous": 0.3})
    settings = SolverSettings()
    whole = Integrator(prepare(drive).system, settings, 1e-3, 1000)
    assert whole.advance(0.03) == Status.REACHED_END
    first = Integrator(prepare(drive).system, settings, 1e-3, 1000)
    assert first.advance(0.03, 5) == Status.RUNNING
    other = Integrator(prepare(drive).system, settings, 1e-3, 1000)
    other.restore(first.snapshot())
    while (status := other.advance(0.03)) == Status.RUNNING:
        pass
    assert status == Status.REACHED_END
    np.testing.assert_array_equal(other.state, whole.state)


def test_what_a_stage_wants_of_its_shaft() -> None:
    """The torque that keeps its wheel at its speed, including that of a bearing and of a load over the speed."""
    drive = two_stages(drum={"load_torque": 0.0, "load_viscous": 0.4}, small={"bearing_friction": 0.7})
    system = prepare(stage_drives(drive)[0]).system
    assert system.port is not None
    assert torque_wanted(system, system.port(0)) == pytest.approx(0.5 * 0.4 * 15.0 + 0.7, rel=1e-6)
