"""Rotors outside a chain: torsion of their shafts, torques by ratio, start-up of a motor, energy, backlash.

Where there are two, the first has an elastic shaft and the second a rigid one, as in the example of the pump: kernels
are compiled for each order.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import brentq

import chaindrive as cd
from chaindrive.contract.status import Status
from chaindrive.mechanism.facts import drive_facts
from chaindrive.mechanism.stages import chains_alone, first_stage, rotor_turnings
from chaindrive.model import Rotor, loads
from chaindrive.simulation.start import prepare
from chaindrive.solvers import Integrator, SolverSettings
from support.staged_drives import at, compiled_only, effective, two_stages, with_rotors

KINDS = ["block", *(pytest.param(k, marks=(compiled_only, pytest.mark.long)) for k in ("roller", "link"))]
TURNED = {"motion": {"kind": "constant_speed", "speed": 60.0}}


def rotor(name: str, wheel: str, inertia: float = 0.01, shaft: dict[str, Any] | None = None, **given: Any) -> Any:
    return {"name": name, "inertia": inertia, "shaft": {"from_wheel": wheel} | (shaft or {})} | given


@pytest.mark.parametrize("stiffness", [None, 2e4])
def test_torques_at_rest_are_those_of_the_ratio(stiffness: float | None) -> None:
    """A gear of ratio r turns a load M the other way: -M in its shaft, r M on the wheel, F = r M / R in the chain."""
    gear = {"ratio": -3.0} | ({} if stiffness is None else {"stiffness": stiffness})
    system = prepare(with_rotors(rotor("pump", "rear", shaft=gear, load_torque=12.0), front=TURNED)).system
    assert at(system, "pump.speed") == pytest.approx(-90.0, rel=1e-12)
    assert at(system, "pump.shaft_torque") == pytest.approx(-12.0, rel=1e-9)
    assert at(system, "span_tension").max() == pytest.approx(36.0 / effective(34), rel=1e-9)
    rates = np.zeros_like(system.state)
    system.kernels.rhs(0.0, system.state, rates, system.parameters)
    assert np.abs(rates[system.positions : 2 * system.positions]).max() < 1e-6


def test_two_rotors_swing_against_each_other() -> None:
    """Free-free torsion through a rigidly joined wheel without chain forces: w^2 = k (1/J1 + 1/J2).

    The wheel, held by nothing (slack chain), turns with the first rotor as one inertia J1; the second on a spring.
    """
    stiffness, first, second = 4e3, 0.01 + 2e-3, 0.005
    drive = with_rotors(
        rotor("disc", "rear", second, {"stiffness": stiffness, "damping": 0.0}),
        rotor("flywheel", "rear", 0.01, {"ratio": -1.0}),
        front={"motion": {"kind": "constant_speed", "speed": 0.0}}, rear={"inertia": 2e-3},
        run={"formulation": {"kind": "block", "slack": 1.0, "damping": 0.0}},
    )  # fmt: skip
    system = prepare(drive).system
    period = 2.0 * math.pi / math.sqrt(stiffness * (1.0 / first + 1.0 / second))
    y = system.state.copy()
    q = system.positions
    rear, disc, flywheel = 1, 2, 3
    y[q + rear], y[q + flywheel], y[q + disc] = 1.0, -1.0, -first / second
    settings = SolverSettings(atol_angle=1e-13, atol_angular_speed=1e-10, rtol_work=math.inf)
    run = Integrator(replace(system, state=y), settings, period, 1000)
    while (status := run.advance(20.25 * period)) == Status.RUNNING:
        pass
    assert status == Status.REACHED_END
    assert run.state[rear] - y[rear] == pytest.approx(period / (2.0 * math.pi), rel=1e-6)
    assert run.state[flywheel] == pytest.approx(y[flywheel] - (run.state[rear] - y[rear]), rel=1e-9)
    np.testing.assert_allclose(run.state[[q + rear, q + flywheel, q + disc]], 0.0, atol=1e-5)


MOTOR = {"kind": "dc_motor", "stall_torque": 15.0, "no_load_speed": 150.0}
FAN = 1e-3
"""Load of the rear wheel over the square of its speed. [N m s^2/rad^2]"""


@pytest.mark.parametrize("shaft", [{}, {"stiffness": 2e4}])
def test_a_motor_on_a_rotor_starts_as_the_integral_says(shaft: dict[str, Any]) -> None:
    """t = integral of J dw / (T_m - T_l), reduced to the motor that drives the front wheel through a gear of 2.

    One of the shafts is elastic, its own or that of the flywheel on the rear wheel.
    """
    ratio, own, flywheel = 2.0, 0.01, 0.01
    to_rear = 1.0 / (ratio * 34.0 / 17.0)
    inertia = own + 2e-3 / ratio**2 + (2e-3 + flywheel) * to_rear**2

    def left(speed: float) -> float:
        return 15.0 * (1.0 - speed / 150.0) - to_rear * FAN * (to_rear * speed) ** 2

    reached = 120.0
    time = quad(lambda w: inertia / left(w), 0.0, reached)[0]
    motor = rotor("motor", "front", own, {"ratio": ratio} | shaft, torque=MOTOR)
    disc = rotor("flywheel", "rear", flywheel, {} if shaft else {"stiffness": 2e4})
    drive = with_rotors(
        *((motor, disc) if shaft else (disc, motor)),
        rear={"load_quadratic": FAN}, run={"until": time, "start": "at_rest", "save": {"rate": 4000.0}},
    )  # fmt: skip
    solution = cd.simulate(drive)
    assert not solution.warnings
    assert solution.values("motor.speed")[0] == 0.0
    assert solution.values("motor.speed")[-1] == pytest.approx(reached, rel=2e-3 if shaft else 1e-3)
    put_in = solution.rotor_audit("motor").input
    speed, torque = solution.values("motor.speed"), solution.values("motor.motor_torque")
    assert put_in == pytest.approx(np.trapezoid(speed * torque, solution.time), rel=1e-4)


def test_a_motor_on_a_rotor_drives_the_drive() -> None:
    """It is checked as the driver, determines the sense of rotation, and balances with loads of other rotors.

    15 (1 - w / 150) = c w_g r_g with both through ratios: the generator turns 3 times as fast as the rear wheel.
    """
    motor = rotor("motor", "front", shaft={"ratio": -2.0}, torque=MOTOR)
    generator = rotor("generator", "rear", shaft={"ratio": 3.0}, load_viscous=0.02)
    drive = with_rotors(motor, generator)
    over = 3.0 * 0.5 / 2.0  # speed of the generator over that of the motor
    speed = 15.0 / (15.0 / 150.0 + 0.02 * over**2)
    assert first_stage(drive).wheels[0].initial_speed == pytest.approx(-speed / 2.0, rel=1e-9)
    one, other = rotor_turnings(drive)
    assert one.motor
    assert not other.motor
    assert (one.speed, other.speed) == pytest.approx((speed, -over * speed), rel=1e-9)
    (alone,) = chains_alone(drive)
    assert not alone.rotors
    assert loads(alone.to_toml()) == alone
    assert loads(drive.to_toml()) == drive


@pytest.mark.long
def test_a_motor_on_a_rotor_runs_at_the_speed_of_its_balance() -> None:
    """This is the speed of the test above."""
    motor = rotor("motor", "front", shaft={"ratio": -2.0}, torque=MOTOR)
    generator = rotor("generator", "rear", shaft={"ratio": 3.0}, load_viscous=0.02)
    over = 3.0 * 0.5 / 2.0
    speed = 15.0 / (15.0 / 150.0 + 0.02 * over**2)
    solution = cd.simulate(with_rotors(motor, generator, front={"initial_speed": -0.5 * speed}), until=0.2)
    assert not solution.warnings
    drive = with_rotors(motor, generator)
    assert cd.simulate(drive, until=0.001).values("motor.speed")[0] == 0.0  # as with a motor on a wheel
    assert np.ptp(solution.values("motor.speed")) < 1e-6 * speed
    assert solution.values("generator.shaft_torque")[-1] == pytest.approx(-0.02 * over * speed, rel=1e-6)


@pytest.mark.parametrize("kind", KINDS)
def test_energy_goes_through_the_couplings(kind: str) -> None:
    """The energy of a motor minus that stored in its rotor passes through its shaft into the chain, and on into the
    load.
    """
    motor = rotor("motor", "front", 4e-3, {"ratio": 2.0, "stiffness": 3e3, "damping": 0.2}, torque=MOTOR)
    drum = rotor("drum", "rear", 0.02, {"ratio": -0.5}, load_torque=20.0, bearing_damping=0.01)
    drum["loads"] = [{"torque": 15.0, "start": 0.01, "rise": 0.005, "hold": 0.02}]
    drive = with_rotors(motor, drum, kind=kind, run={"until": 0.1})
    solution = cd.simulate(drive)
    assert solution.status == Status.REACHED_END
    assert not solution.warnings
    works = solution.values("shaft_work")
    scale = np.abs(works).max()
    taken = solution.values("drum.shaft_work")
    np.testing.assert_allclose(-works[:, 1], taken, atol=1e-12 * scale)
    lost, stored = solution.values("motor.shaft_lost"), solution.values("motor.shaft_elastic")
    through = -solution.values("motor.shaft_work")
    np.testing.assert_allclose(through, works[:, 0] + lost + stored - stored[0], atol=2e-6 * scale)
    for audit in (solution.audit, solution.rotor_audit("motor"), solution.rotor_audit("drum")):
        assert audit.relative_residual < 1e-5
    assert solution.rotor_audit("motor").input == pytest.approx(solution.values("motor.own_work")[-1], rel=1e-12)
    assert solution.rotor_audit("drum").losses["bearing"] > 0.0


def test_backlash_parts_a_rotor_from_its_wheel() -> None:
    """It turns on alone while the wheel is braked, by the angle of the backlash, without torque in between."""
    braked = {"kind": "run_down", "initial_speed": 60.0, "final_speed": 30.0, "duration": 0.02, "ramp": 0.0}
    disc = rotor("disc", "rear", 0.01, {"stiffness": 1e4, "backlash": 0.02}, load_torque=2.0)
    drive = with_rotors(disc, rotor("flywheel", "front"), front={"motion": braked})
    solution = cd.simulate(drive, until=0.02)
    twist, torque = solution.values("disc.shaft_twist"), solution.values("disc.shaft_torque")
    assert torque[0] == pytest.approx(2.0, rel=1e-6)
    assert twist[0] == pytest.approx(0.01 + 2.0 / 1e4, rel=1e-6)
    within = np.abs(twist) < 0.01
    assert within.sum() > 3
    np.testing.assert_allclose(torque[within], 0.0, atol=1e-12)
    first = int(np.flatnonzero(within)[0])
    free = solution.values("disc.speed")[first : first + 3]
    np.testing.assert_allclose(np.diff(free) / np.diff(solution.time[first : first + 3]), -2.0 / 0.01, rtol=1e-4)
    assert twist.min() < -0.01


@pytest.mark.long
def test_rotors_behind_stages() -> None:
    """One on the wheel that a shaft turns, elastic and rigid; one at the end, which drives all of it."""
    behind = {"ratio": 2.0, "from_stage": "second"}
    disc = Rotor(**rotor("disc", "small", shaft=behind, load_torque=5.0))
    drive = two_stages(shaft={"stiffness": 2e4}).model_copy(update={"rotors": (disc,)})
    system = prepare(drive).system
    assert at(system, "disc.speed") == pytest.approx(60.0, rel=1e-12)
    assert at(system, "second.shaft_torque") == pytest.approx(30.0 + 10.0, rel=1e-9)
    rates = np.zeros_like(system.state)
    system.kernels.rhs(0.0, system.state, rates, system.parameters)
    assert np.abs(rates[system.positions : 2 * system.positions]).max() < 1e-6
    engine = Rotor(**rotor("engine", "drum", shaft={"ratio": -1.0, "from_stage": "second"}, torque=-9.0))
    standing = two_stages(drum={"load_torque": 0.0}, motor={"load_viscous": 0.5})
    front = standing.wheels[0].model_copy(update={"motion": None})
    driven = standing.model_copy(update={"wheels": (front, standing.wheels[1]), "rotors": (engine,)})
    ratio = 4.0  # motor over drum
    speed = 9.0 / (0.5 * ratio) / ratio
    (turning,) = rotor_turnings(driven)
    assert turning.speed == pytest.approx(-speed, rel=1e-9)
    assert chains_alone(driven)[0].wheels[1].initial_speed == pytest.approx(2.0 * speed, rel=1e-6)
    front = front.model_copy(update={"initial_speed": 4.0 * speed})
    running = driven.model_copy(update={"wheels": (front, driven.wheels[1])})
    solution = cd.simulate(running, until=0.05)
    assert solution.values("engine.speed")[-1] == pytest.approx(-speed, rel=1e-6)


def test_a_wheel_on_the_back_turns_its_rotor_the_other_way() -> None:
    """Speed of a rotor: ratio times that of its wheel, whose sense is that of its side of the chain."""
    drive = cd.example("v6-timing")
    senses, lead = drive_facts(drive).senses, drive_facts(drive).driver
    back = next(k for k, wheel in enumerate(drive.wheels) if wheel.side != drive.wheels[lead].side)
    disc = Rotor(**rotor("disc", drive.wheels[back].name, shaft={"ratio": 3.0}))
    (turning,) = rotor_turnings(drive.model_copy(update={"rotors": (disc,)}))
    pace = abs(drive_facts(drive).driver_speed) * drive.wheels[lead].teeth / drive.wheels[back].teeth
    assert senses[back] == -senses[lead]
    assert turning.speed == pytest.approx(3.0 * senses[back] * pace, rel=1e-12)


@compiled_only
def test_the_pump_runs_up_to_where_kloss_and_its_load_balance() -> None:
    """Example pump-10b: M(w) = k (w / 2)^2 / 2 + losses, the run-up by the sum of inertias on the motor."""
    drive = cd.example("pump-10b")
    solution = cd.simulate(drive, formulation="block", progress=False)
    synchronous, rated, pull_out, start = 1500.0 * math.pi / 30.0, 1435.0 * math.pi / 30.0, 2.9, 2.4
    torque, slip = 4000.0 / rated, 1.0 - rated / synchronous
    critical = slip * (pull_out + math.sqrt(pull_out**2 - 1.0))  # Kloss, through rated and pull-out torque
    at_rest = (pull_out + math.sqrt(pull_out**2 - start**2)) / start  # and at rest through the starting torque

    def kloss(speed: float) -> float:
        s = 1.0 - speed / synchronous
        bend = critical + (min(1.0 / at_rest, at_rest) - critical) * max((s - critical) / (1.0 - critical), 0.0)
        return 2.0 * pull_out * torque / (s / bend + bend / s)

    def load(speed: float) -> float:
        return 7.8e-3 * (0.5 * speed) ** 2 / 2.0 + 0.3 / 2.0

    assert kloss(1e-9) == pytest.approx(start * torque, rel=1e-6)
    end = float(brentq(lambda w: kloss(w) - load(w), 140.0, 157.0))
    assert solution.values("motor.speed")[-1] == pytest.approx(end, rel=1e-4)
    assert solution.values("pump.speed")[-1] == pytest.approx(0.5 * end, rel=1e-4)
    assert solution.values("pump.shaft_torque")[-1] == pytest.approx(7.8e-3 * (0.5 * end) ** 2, rel=1e-3)
    assert solution.values("motor.shaft_twist")[-1] == pytest.approx(-(load(end) / 1e3 + math.radians(1.0)), rel=1e-3)
    inertia = 0.011 + 1.2e-3 + (18e-3 + 60e-3) / 4.0
    time = quad(lambda w: inertia / (kloss(w) - load(w)), 0.0, 140.0, limit=200)[0]
    early = np.flatnonzero(solution.values("motor.speed") > 140.0)[0]
    assert solution.time[early] == pytest.approx(time, rel=0.05)  # play, coupling and chain yield at first
