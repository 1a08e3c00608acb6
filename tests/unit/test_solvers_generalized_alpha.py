"""Generalized alpha: order, damping of what is faster than the step, stiff problems, cost."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest

from chaindrive.contract.status import Status
from chaindrive.errors import InputError
from chaindrive.kernels import kernel
from chaindrive.simulation.start import prepare
from chaindrive.solvers import Integrator, SolverSettings
from chaindrive.solvers import generalized_alpha as method
from support import solver_problems as problems
from support.staged_drives import two_stages


@kernel
def a_tenth_of_a_second(p):
    return 0.1


def end_of(system, step: float, until: float, **tolerances: float) -> tuple[np.ndarray, Integrator]:
    """State at the end of a run with no step longer than ``step``."""
    settings = SolverSettings(method="generalized-alpha", step=step, **tolerances)
    integrator = Integrator(system, settings, 10.0 * until)
    assert integrator.advance(until, 10**9) == Status.REACHED_END
    return integrator.state, integrator


def test_order_is_two_over_an_orbit():
    errors = []
    for steps in (800, 1600, 3200):
        state, integrator = end_of(problems.kepler(), 2 * math.pi / steps, 2 * math.pi, atol_length=1e-3)
        assert integrator.statistics.steps == steps
        errors.append(np.abs(state - problems.kepler().state).max())
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    np.testing.assert_allclose(orders, 2.0, atol=0.15)


def test_what_is_much_faster_than_the_step_is_gone_after_two_steps():
    # Spectral radius at infinity is 0: its three eigenvalues are, so that the third power of the step's matrix is none.
    stiff = problems.system(problems.OSCILLATOR, [1e-6], [0.0], frequency=1e4)
    state, integrator = end_of(stiff, 0.1, 1.0, atol_length=1e9, atol_speed=1e9)
    assert integrator.statistics.steps == 10
    assert abs(state[0]) < 1e-6 * abs(stiff.state[0])


def test_the_error_of_a_constant_jerk_is_what_is_estimated():
    # q = j t^3 / 6 from a at the instant to which the auxiliary rates belong: alpha_m - alpha_f steps from now.
    jerk, h = 6.0, 0.1
    rate = jerk * (method.ALPHA_M - method.ALPHA_F) * h
    after = rate + jerk * h
    way = h * h * ((0.5 - method.BETA) * rate + method.BETA * after)
    assert way - jerk * h**3 / 6.0 == pytest.approx(method.ERROR * h * h * (after - rate), rel=1e-12)
    speed = h * ((1.0 - method.GAMMA) * rate + method.GAMMA * after)
    assert speed == pytest.approx(jerk * h**2 / 2.0, rel=1e-12)


def test_a_stiff_limit_cycle_takes_few_steps():
    # Van der Pol with mu = 1e4 over half a period: an explicit method needs some mu^2 steps.
    system = problems.system(problems.VAN_DER_POL, [2.0], [0.0], mu=1e4)
    state, integrator = end_of(system, 100.0, 5e3, atol_length=1e-5, atol_speed=1e3)
    cost = integrator.statistics
    assert cost.steps < 5000
    assert 0 < cost.jacobians == cost.evaluations_for_jacobians < cost.steps + cost.rejected  # one unknown
    assert cost.failed_error_tests + cost.failed_correctors == cost.rejected
    y = state[0]
    assert 1.0 < y < 2.0
    # on the slow branch x' = x / (mu (1 - x^2)), which gives ln x - x^2 / 2 = t / mu + constant
    start = system.state[0]
    way = math.log(y / start) - 0.5 * (y * y - start * start)
    assert way == pytest.approx(5e3 / 1e4, rel=1e-2)


def test_a_drive_without_structure_is_refused():
    system = problems.system(problems.OSCILLATOR, *2 * [[0.0] * (method.LARGEST_BORDER + 1)])
    with pytest.raises(InputError, match="dormand-prince"):
        Integrator(system, SolverSettings(method="generalized-alpha"), 1.0)


@pytest.mark.long
def test_no_step_is_longer_than_the_memory_holds():
    calm = problems.system(problems.OSCILLATOR, [1e-3], [0.0], frequency=0.01)
    free, integrator = end_of(calm, 10.0, 20.0)
    assert integrator.statistics.largest_step > 1.0
    held = dataclasses.replace(calm, kernels=calm.kernels._replace(horizon=a_tenth_of_a_second))
    state, integrator = end_of(held, 10.0, 20.0)
    assert integrator.statistics.largest_step == pytest.approx(0.1)
    np.testing.assert_allclose(state, free, atol=1e-3 * 1e-3)


@pytest.mark.long
@pytest.mark.parametrize("shaft", [None, {"stiffness": 2e4}], ids=["rigid", "elastic"])
def test_two_chains_on_a_shaft(shaft):
    # Without any damping but that of long steps: two rollers of a slack span are 4 um off after a tenth of a link.
    system = prepare(two_stages("roller", shaft=shaft)).system
    memory = {name: array.copy() for name, array in system.memory_arrays().items()}
    states = []
    for name in ("dormand-prince", "generalized-alpha"):
        for part, array in system.memory_arrays().items():
            array[...] = memory[part]
        integrator = Integrator(system, SolverSettings(method=name), 1.0)
        assert integrator.advance(5e-3, 10**9) == Status.REACHED_END
        states.append(integrator.state[: system.positions])
    assert integrator.statistics.mean_step > 1e-5
    np.testing.assert_allclose(*states, rtol=0, atol=1e-5)
