"""Dashpots that would limit the step: in series with springs of joints, oil in tensioners, lightly pressed contacts."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.linalg import expm

import chaindrive as cd
from chaindrive.contract.status import Status
from chaindrive.contract.system import System
from chaindrive.formulations import compile_system
from chaindrive.formulations.planar import assembly, limits
from chaindrive.model import FreeEnd, SaveOptions, override
from chaindrive.simulation.start import prepare
from chaindrive.solvers import Integrator, SolverSettings
from support.open_drives import LINK_MASS, PITCH, open_drive

LONG = pytest.mark.long
STIFFNESS = 0.25 * 1e8 * PITCH**2
"""Stiffness of the springs in the joints of ``open_drive``. [N m/rad]"""
TURNING = 0.1
"""Rate of the joint at the start. [rad/s]"""


def bent(damping: float) -> tuple[System, np.ndarray]:
    """Three equal rollers in line, the middle one moving against the others: a single joint that turns."""
    ends = FreeEnd(mass=0.5 * LINK_MASS, position=(0.0, 0.0)), FreeEnd(mass=0.5 * LINK_MASS, direction=0.0)
    chain = {"joint_damping": damping, "link_damping": 0.0}
    drive = open_drive(ends, 2, gravity=(0.0, 0.0), chain=chain)
    system = compile_system(drive, drive.run.formulation, False)
    state = system.state.copy()
    state[system.positions + 3 : system.positions + 6] = TURNING * PITCH / 6.0 * np.array([1.0, -2.0, 1.0])
    return system, state


def moved(damping: float, settings: SolverSettings, until: float) -> tuple[float, float, float]:
    """Rate of the joint [rad/s], its moment [N m] and the work lost in it [J] after a time [s]."""
    system, state = bent(damping)
    run = Integrator(replace(system, state=state), settings, until)
    assert run.advance(until) == Status.REACHED_END
    y, layout = run.state, system.parameters.planar.layout
    system.kernels.rhs(until, y, np.zeros_like(y), system.parameters)
    velocity = y[system.positions + 3 : system.positions + 6]
    work = sum(y[layout.work : layout.machine])  # nothing else loses any
    return float(velocity @ (1.0, -2.0, 1.0)) / PITCH, float(system.parameters.link.moment[1]), float(work)


def closed_form(damping: float, until: float) -> tuple[float, float]:
    """Rate and moment: phi'' = -6 M/(m P^2), M' = k phi' - (k/C) M, starting from M = C phi'."""
    rates = np.array([[0.0, -6.0 / (LINK_MASS * PITCH**2)], [STIFFNESS, -STIFFNESS / damping]])
    rate, moment = expm(until * rates) @ (TURNING, damping * TURNING)
    return float(rate), float(moment)


METHODS = pytest.mark.parametrize("method", ["verlet", "dormand-prince"])


def steps_of(method: str, step: float) -> SolverSettings:
    """Options for constant steps of this length. [s]"""
    return SolverSettings(method=method, step=step, atol_length=1.0, atol_speed=1e9, rtol_work=math.inf)


@pytest.mark.parametrize("damping", [0.06, 0.3, 30.0])
@METHODS
def test_a_joint_follows_spring_and_dashpot_in_series_with_the_second_order(damping, method):
    until, errors = 1.2e-4, []
    rate, moment = closed_form(damping, until)
    both = math.sqrt(STIFFNESS * LINK_MASS * PITCH**2 / 6.0)  # moment over rate, of equal energy
    size = math.hypot(1.0, damping / both) * TURNING
    for step in (8e-6, 4e-6, 2e-6, 1e-6):
        found = moved(damping, steps_of(method, step), until)
        errors.append(math.hypot(found[0] - rate, (found[1] - moment) / both) / size)
    assert errors[0] < 0.1
    assert errors[2] / errors[3] > 3.4
    assert errors[3] < 2e-3


@METHODS
def test_a_joint_takes_from_the_rollers_what_it_loses(method):
    # m P^2 phi'^2/12 of the three rollers; what the spring holds counts as lost until it is given back
    errors = []
    for step in (2e-6, 1e-6):
        rate, _, work = moved(0.3, steps_of(method, step), 6e-5)
        lost = LINK_MASS * PITCH**2 / 12.0 * (TURNING**2 - rate**2)
        assert lost > 0.5 * LINK_MASS * PITCH**2 / 12.0 * TURNING**2
        errors.append(abs(work / lost - 1.0))
    assert errors[1] < 1e-3
    assert errors[0] / errors[1] > 3.4


def damped(damping: float) -> cd.Drive:
    return override(cd.example("industrial-08b"), {"chain.joint_damping": damping})


@pytest.mark.parametrize("kind", ["roller", pytest.param("link", marks=LONG)])
def test_a_drive_loses_in_its_joints_what_dashpots_alone_lose_there(kind, monkeypatch):
    given = override(damped(0.05), {"run.formulation.kind": kind, "run.solver.method": "dormand-prince"})
    in_series = cd.simulate(given, until=5e-3, progress=False)
    monkeypatch.setattr(assembly, "SERIES_FROM", math.inf)
    alone = cd.simulate(given, until=5e-3, progress=False)
    losses = [run.audit.losses["articulation"] for run in (in_series, alone)]
    assert losses[0] == pytest.approx(losses[1], rel=2e-3)
    spans = [run.values("span_tension").mean(axis=0) for run in (in_series, alone)]
    np.testing.assert_allclose(*spans, rtol=1e-3)
    assert in_series.statistics["mean_step"] > 2.0 * alone.statistics["mean_step"]
    assert in_series.audit.relative_residual < 1e-5


def test_a_run_with_dashpots_in_series_goes_on_bit_for_bit(tmp_path):
    given, save = damped(0.05), SaveOptions(rate=20_000.0, channels="all", precision="double")
    whole = cd.simulate(given, until=2e-3, save=save, progress=False)
    path = tmp_path / "run.nc"

    def stop(progress: cd.Progress) -> None:
        if progress.time >= 8e-4:
            raise KeyboardInterrupt

    assert cd.simulate(given, until=2e-3, save=save, output=path, progress=stop).status == Status.INTERRUPTED
    again = cd.simulate(given, until=2e-3, save=save, output=path, resume=True, progress=False)
    for name in whole.channels:
        np.testing.assert_array_equal(again.values(name), whole.values(name), err_msg=name)


def test_a_wide_check_valve_sets_no_step_and_the_pressure_is_the_same(monkeypatch):
    wide = override(cd.example("timing-06b"), {"tensioners.0.check_valve.diameter": 0.01})
    quick = cd.simulate(wide, until=4e-3, progress=False)
    monkeypatch.setattr(limits, "let_oil_settle", lambda p, frequency: None)
    exact = cd.simulate(wide, until=4e-3, progress=False)
    pressures = [run.values("tensioner_pressure") for run in (quick, exact)]
    np.testing.assert_allclose(*pressures, atol=5e-3 * np.abs(pressures[1]).max())
    spans = [run.values("span_tension").mean(axis=0) for run in (quick, exact)]
    np.testing.assert_allclose(*spans, rtol=1e-3)
    assert quick.statistics["mean_step"] > 2.0 * exact.statistics["mean_step"]


@pytest.mark.parametrize("kind", ["roller", "link"])
def test_a_contact_that_began_gently_asks_for_no_shorter_step_than_its_depth(kind):
    given = {"run.formulation.kind": kind, "run.formulation.contact_law": "flores", "contact.restitution": 0.3}
    drive = override(cd.example("industrial-08b"), given)
    system = prepare(drive).system
    y, p = system.state, system.parameters
    system.kernels.begin(0.0, y, p)
    assert (p.planar.candidate.speed > 0.0).sum() > 10
    asked = []
    for speed in (10.0, 0.05):
        p.planar.candidate.speed[p.planar.candidate.speed > 0.0] = speed
        system.kernels.rhs(0.0, y, np.zeros_like(y), p)
        asked.append(system.kernels.frequency(y, p))
    assert asked[1] < 3.0 * asked[0]
