"""Dashpots that would set the step: in series with the spring of a joint, oil of a tensioner, contacts pressed gently."""

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
from chaindrive.model import FreeEnd, override
from chaindrive.solvers import Integrator, SolverSettings
from support.open_drives import LINK_MASS, PITCH, open_drive

LONG = pytest.mark.long
STIFFNESS = 0.25 * 1e8 * PITCH**2
"""Of the springs of the joints of ``open_drive``. [N m/rad]"""
TURNING = 0.1
"""Rate of the joint at the start. [rad/s]"""


def bent(damping: float) -> tuple[System, np.ndarray]:
    """Three equal rollers in line, the middle one moving against the others: one joint, which turns."""
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
    """Rate and moment: phi'' = -6 M/(m P^2), M' = k phi' - (k/C) M, begun with M = C phi'."""
    rates = np.array([[0.0, -6.0 / (LINK_MASS * PITCH**2)], [STIFFNESS, -STIFFNESS / damping]])
    rate, moment = expm(until * rates) @ (TURNING, damping * TURNING)
    return float(rate), float(moment)


@pytest.mark.parametrize("damping", [0.06, 0.3, 30.0])
@pytest.mark.parametrize("method", ["verlet", "dormand-prince"])
def test_a_joint_follows_spring_and_dashpot_in_series_with_the_second_order(damping, method):
    until, errors = 1.2e-4, []
    rate, moment = closed_form(damping, until)
    both = math.sqrt(STIFFNESS * LINK_MASS * PITCH**2 / 6.0)  # moment over rate, of equal energy
    size = math.hypot(1.0, damping / both) * TURNING
    for step in (8e-6, 4e-6, 2e-6, 1e-6):
        options = {"step": step} if method == "verlet" else {"step": step, "atol_length": 1.0, "atol_speed": 1e9}
        found = moved(damping, SolverSettings(method=method, **options), until)
        errors.append(math.hypot(found[0] - rate, (found[1] - moment) / both) / size)
    assert errors[0] < 0.1
    assert errors[2] / errors[3] > 3.4
    assert errors[3] < 2e-3
