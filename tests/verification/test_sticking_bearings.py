"""Elastic friction in the bearings of wheels: parked drives stay, and drives that run down stop where they should."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import chaindrive as cd
from chaindrive.contract.status import Status
from chaindrive.coupling.rotor import compile_rotor
from chaindrive.formulations import compile_system
from chaindrive.mechanism.stages import RotorTurning
from chaindrive.model import Drive, Rotor, SaveOptions, override
from chaindrive.results.solution import Solution
from chaindrive.solvers.integrator import Integrator, SolverSettings
from support.interrupted import Stop
from support.small_drives import PITCH, tightened, two_wheels

LONG = pytest.mark.long
INERTIA, HOLDS = 1e-2, 0.5
"""Moment of inertia of each of two wheels [kg m^2]; Coulomb friction in the bearing of the second one [N m]."""
KINDS = pytest.mark.parametrize("kind", ["roller", *(pytest.param(kind, marks=LONG) for kind in ("link", "spatial"))])


def wheels(kind: str, first: dict[str, Any] | None = None, **second: Any) -> Drive:
    """Two equal wheels that are free, in a taut chain without friction; the bearing of the second one has friction."""
    driven = {"inertia": INERTIA, "bearing_friction": HOLDS} | second
    run = {"formulation": {"kind": kind}, "solver": {"method": "splitting" if kind == "spatial" else "verlet"}}
    free = {"motion": None, "inertia": INERTIA} | (first or {})
    given = {"links": 34, "gravity": (0.0, 0.0), "link_damping": 20.0, "run": run}
    return two_wheels((12, 12), 11.05, first=free, second=driven, **given)


def ran(given: Drive, until: float, **options: Any) -> Solution:
    """A run to its end."""
    found = cd.simulate(given, until, save=SaveOptions(rate=2000.0, precision="double", channels="all"), **options)
    assert found.status == Status.REACHED_END
    return found


@KINDS
@pytest.mark.parametrize(("share", "until"), [(0.9, 0.2), (1.2, 0.2), pytest.param(0.9, 10.0, marks=LONG)])
def test_a_wheel_stays_parked_below_the_friction_of_its_bearing(kind, share, until):
    # beyond it both wheels, and the chain, are accelerated by what is left; below it slides once, as it is put on
    solution = ran(wheels(kind, torque=share * HOLDS), until)
    angle = solution.values("wheel_angle")[:, 1]
    turned = angle - angle[0]
    if share < 1.0:
        assert np.abs(turned).max() < 2.5e-3
        assert np.ptp(turned[solution.time > 0.75 * until]) < (1e-6 if until > 1.0 else 2e-4)
        return
    radius = PITCH / (2.0 * np.sin(np.pi / 12))
    chain = solution.drive.chain
    inertia = 2.0 * INERTIA + chain.links * chain.link_mass * radius**2
    speed = solution.values("wheel_speed").mean(axis=1)  # the wheels swing against each other
    half = len(speed) // 2
    acceleration = (speed[-1] - speed[half]) / (solution.time[-1] - solution.time[half])
    assert acceleration == pytest.approx((share - 1.0) * HOLDS / inertia, rel=0.02)
    assert solution.audit.relative_residual < 1e-5


@KINDS
def test_a_wheel_runs_down_and_stops_where_its_energy_is_used_up(kind):
    # J w^2/2 = M phi; then it stays
    solution = ran(wheels(kind, {"initial_speed": 5.0}), 0.4)
    angle = solution.values("wheel_angle")[:, 1]
    energy = solution.values("energy_kinetic")[0]
    assert abs(angle[-1] - angle[0]) == pytest.approx(energy / HOLDS, rel=5e-3)
    assert solution.values("work_bearing")[-1] == pytest.approx(energy, rel=5e-3)
    assert np.ptp(angle[solution.time > 0.35]) < 1e-3
    assert solution.audit.relative_residual < 1e-5


def test_the_step_is_not_shorter_for_it():
    limits = [
        compile_system(each, each.run.formulation, True).motion.highest_frequency
        for each in (wheels("roller", torque=1.0), wheels("roller", torque=1.0, bearing_friction=0.0))
    ]
    assert limits[0] == limits[1]


def test_a_light_wheel_has_a_soft_bearing():
    # 0.02 of the frequency of the links, sqrt(4 K/m), at most
    given = wheels("roller", inertia=1e-7, torque=1.0)
    system = compile_system(given, given.run.formulation, True)
    stiffness = system.parameters.planar.wheel.bearing_stiffness[1]
    chain = given.chain
    assert stiffness == pytest.approx(0.02**2 * 4.0 * chain.link_stiffness / chain.link_mass * 1e-7)
    heavy = compile_system(wheels("roller", torque=1.0), given.run.formulation, True)
    assert heavy.parameters.planar.wheel.bearing_stiffness[1] == pytest.approx(HOLDS / 1e-3)


def test_the_bearing_of_a_wheel_on_an_arm_turns_with_the_arm():
    # the arm turns by a, the wheel by b: the spring has been turned by b - a, and the arm has the reaction
    given = override(tightened(tightener={"bearing_friction": 0.2}), {"chain.joint_friction": 0.0})
    system = compile_system(given, given.run.formulation, False)
    p, y = system.parameters, system.state.copy()
    layout, w = p.planar.layout, given.part_names["wheel"].index("tightener")
    assert system.kernels.begin(0.0, y, p) == 0
    stiffness = p.planar.wheel.bearing_stiffness[w]

    def moments(arm: float, wheel: float) -> np.ndarray:
        z, force = y.copy(), np.zeros(system.velocities)
        z[layout.joint_position] += arm
        z[layout.wheel_angle + w] += wheel
        system.kernels.forces(0.0, z, p, force)
        return force[[layout.wheel_angle + w, layout.joint_position]]

    turn = 0.3 * 0.2 / stiffness
    before, together, alone = moments(0.0, 0.0), moments(turn, turn), moments(0.0, turn)
    assert alone[0] - before[0] == pytest.approx(-stiffness * turn, rel=1e-3)
    assert alone[1] - before[1] == pytest.approx(stiffness * turn, rel=1e-3)
    assert abs(together[0] - before[0]) < 0.02 * stiffness * turn


@KINDS
def test_a_run_that_was_cut_goes_on_bit_for_bit(kind, tmp_path, monkeypatch):
    given, until = wheels(kind, torque=1.1 * HOLDS), 0.01
    save = SaveOptions(rate=10_000.0, precision="double", chunk_rows=7)
    whole = cd.simulate(given, until, save=save)
    monkeypatch.setattr("chaindrive.simulation.simulate.BUDGET", 97 * 110)  # cut at odd places
    path = tmp_path / "run.nc"
    cd.simulate(given, until, save=save, output=path, progress=Stop(0.4 * until)).close()
    again = cd.simulate(given, until, save=save, output=path, resume=True)
    assert again.status == Status.REACHED_END
    for name in whole.channels:
        np.testing.assert_array_equal(again.values(name), whole.values(name), err_msg=name)


def test_a_run_that_continues_another_one_keeps_its_bearings_wound_up():
    given = wheels("roller", torque=0.9 * HOLDS)
    whole, part = ran(given, 0.02), ran(given, 0.01)
    rest = ran(given, 0.01, initial=part)
    np.testing.assert_allclose(rest.values("wheel_angle")[-1], whole.values("wheel_angle")[-1], atol=1e-8)


def block(first: dict[str, Any] | None = None, **second: Any) -> Drive:
    """Two such wheels, with springs in place of a chain."""
    return override(wheels("roller", first, **second), {"run": {"formulation": {"kind": "block"}}})


def test_wheels_of_the_block_stay_parked_and_stop_where_their_energy_is_used_up():
    parked = ran(block(torque=0.9 * HOLDS), 0.2)
    stiffness = compile_system(parked.drive, parked.drive.run.formulation, True).parameters.wheel.bearing_stiffness[1]
    turned = parked.values("wheel_angle")[:, 1]
    assert np.abs(turned).max() < 10.0 * HOLDS / stiffness
    assert np.ptp(turned[parked.time > 0.15]) < 1e-6
    assert parked.values("wheel_speed")[-1] == pytest.approx(0.0, abs=1e-5)

    solution = ran(block({"initial_speed": 5.0}), 0.6)
    angle, energy = solution.values("wheel_angle")[:, 1], solution.values("energy_kinetic")[0]
    assert abs(angle[-1] - angle[0]) == pytest.approx(energy / HOLDS, rel=0.01)
    assert solution.values("work_bearing")[-1] == pytest.approx(energy, rel=0.01)
    assert np.ptp(angle[solution.time > 0.55]) < 1e-5
    assert solution.audit.relative_residual < 1e-6


@pytest.mark.parametrize("friction", [300.0, 200.0])
def test_a_load_is_parked_on_its_brake_without_a_shock(friction):
    """At the start the bearing exerts the torque that held the load, 220 N m, as far as its friction allows."""
    drive = override(cd.example("hoist"), {"wheels.0.motion": "none", "wheels.0.bearing_friction": friction})
    solution = ran(drive, 0.02)
    held = solution.notes["static_holding_torque"]
    assert held == pytest.approx(-220.3, abs=0.1)
    assert solution.values("wheel_torque")[0, 0] == pytest.approx(max(held, -friction), rel=1e-6)
    load = solution.values("span_tension")[:, 0]
    if friction > abs(held):
        np.testing.assert_allclose(load, load[0], rtol=1e-6)
    else:
        assert load.min() < 0.95 * load[0]


def test_a_parked_drive_of_the_block_does_not_move():
    turned = ran(block(torque=0.9 * HOLDS), 0.05).values("wheel_angle")
    np.testing.assert_allclose(turned - turned[0], 0.0, atol=1e-12)


def rotor(torque: float, speed: float) -> tuple[np.ndarray, np.ndarray]:
    """Angle and speed of a rotor with friction in its bearing, 0.2 s under a torque [N m], from a speed [rad/s]."""
    given = Rotor(name="fan", inertia=INERTIA, bearing_friction=HOLDS, torque=torque, shaft={"from_wheel": "driven"})
    system = compile_rotor(given, RotorTurning(speed or 1.0, True, 0.0), speed != 0.0)
    integrator = Integrator(system, SolverSettings(step=1e-5), 1e-3)
    assert integrator.advance(0.2) == Status.REACHED_END
    _, rows = integrator.take_rows()
    return rows[:, 0], rows[:, 1]


def test_a_rotor_stays_parked_and_stops_where_its_energy_is_used_up():
    angle, speed = rotor(0.9 * HOLDS, 0.0)
    assert np.abs(angle).max() < 1e-2
    assert np.ptp(angle[-50:]) < 1e-8
    angle, speed = rotor(0.0, 5.0)
    assert angle[-1] == pytest.approx(0.5 * INERTIA * 5.0**2 / HOLDS, rel=5e-3)
    assert abs(speed[-1]) < 1e-6
    angle, speed = rotor(1.2 * HOLDS, 0.0)
    assert speed[-1] - speed[100] == pytest.approx(0.2 * HOLDS / INERTIA * 0.1, rel=1e-3)
