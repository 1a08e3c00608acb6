"""Dormand-Prince 8(5,3): its coefficients, error estimate, order, dense output, cost."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest
from scipy.integrate import DOP853

from chaindrive.contract.status import Status
from chaindrive.solvers import Integrator, SolverSettings
from chaindrive.solvers.dormand_prince_853 import TABLEAU
from chaindrive.solvers.runge_kutta import error_norm
from chaindrive.solvers.tableau import in_rows
from support import solver_problems as problems

METHOD = "dormand-prince-853"
STAGES = len(TABLEAU.nodes)
ALL = STAGES + len(TABLEAU.further)
UNLIMITED = {"atol_length": 1e9, "atol_speed": 1e9}
"""Tolerances so wide that `step`, the largest step, is the only one: a fixed step."""


def rows_of(s, settings: SolverSettings, interval: float, until: float) -> tuple[np.ndarray, Integrator]:
    integrator = Integrator(s, settings, interval, chunk_rows=2000)
    assert integrator.advance(until, 10**9) == Status.REACHED_END
    return integrator.take_rows()[1][:, 1:-1], integrator


def matrix() -> np.ndarray:
    """a of all sixteen stages, those of the dense output last."""
    found = np.zeros((ALL, ALL))
    for stage, row in enumerate((*TABLEAU.a, *TABLEAU.further), start=1):
        found[stage, : len(row)] = row
    return found


def test_its_coefficients_are_those_of_the_code_dop853():
    given = pytest.importorskip("scipy.integrate._ivp.dop853_coefficients")
    np.testing.assert_array_equal(matrix(), given.A)
    np.testing.assert_array_equal([*TABLEAU.nodes, *TABLEAU.further_nodes], given.C)
    np.testing.assert_array_equal([*TABLEAU.error, 0.0], given.E5)
    np.testing.assert_array_equal([*TABLEAU.second_error, 0.0], given.E3)


def test_quadrature_conditions():
    # As for any tableau: sum_i b_i c_i^(q-1) = 1/q; both estimates vanish up to their orders 5 and 3 and see the next
    # one; the dense output is exact for polynomials up to degree 7, x = 1 gives b, and its slopes at both ends are k_1
    # and k_13.
    a, c = matrix(), np.array([*TABLEAU.nodes, *TABLEAU.further_nodes])
    np.testing.assert_allclose(a.sum(axis=1), c, atol=1e-14)
    b = a[STAGES - 1]
    for q in range(1, TABLEAU.order + 1):
        assert b @ c ** (q - 1) == pytest.approx(1 / q, abs=1e-14)
    for weights, order in ((TABLEAU.error, 5), (TABLEAU.second_error, 3)):
        moments = [np.array(weights) @ c[: len(weights)] ** q for q in range(order + 1)]
        np.testing.assert_allclose(moments[:order], 0.0, atol=1e-14)
        assert abs(moments[order]) > 1e-4
    dense, powers = np.array(TABLEAU.dense), np.arange(1, 8)
    np.testing.assert_allclose(dense.sum(axis=1), b, atol=1e-12)
    for x in (0.1, 0.5, 0.9):
        for q in range(1, 8):
            assert (dense @ x**powers) @ c ** (q - 1) == pytest.approx(x**q / q, abs=1e-12)
    np.testing.assert_allclose(dense[:, 0], np.eye(ALL)[0], atol=1e-12)
    np.testing.assert_allclose(dense @ powers, np.eye(ALL)[STAGES - 1], atol=1e-11)


def test_both_errors_are_combined_as_in_dop853():
    """Hairer, Norsett & Wanner (1993), eq. II.10.17, without the rows of further stages."""
    rng = np.random.default_rng(1)
    run = Integrator(problems.kepler(), SolverSettings(method=METHOD, atol_length=0.5, atol_speed=0.25), 1.0)
    c = run._control
    c.stages[...] = rng.normal(size=c.stages.shape)
    norm = error_norm(in_rows(TABLEAU, TABLEAU.error), in_rows(TABLEAU, TABLEAU.second_error))
    scaled = c.stages[: STAGES - 1] / np.array([0.5, 0.5, 0.25, 0.25])
    first, second = (np.linalg.norm(np.array(e) @ scaled) for e in (TABLEAU.error, TABLEAU.second_error))
    expected = 0.3 * first**2 / math.sqrt((first**2 + 0.01 * second**2) * 4)
    assert norm(0.3, c) == pytest.approx(expected, rel=1e-13)
    c.stages[...] = 0.0
    assert norm(0.3, c) == 0.0


def test_order_is_eight_over_an_orbit():
    # Halving the step divides the error by 256. At these steps errors are 2e-10 to 1e-12: above rounding.
    steps = 2.0 * math.pi / np.array([60, 80, 120])
    errors = [
        np.abs(
            rows_of(problems.kepler(0.3), SolverSettings(method=METHOD, step=h, **UNLIMITED), 7.0, 2 * math.pi)[1].state
            - problems.kepler(0.3).state
        ).max()
        for h in steps
    ]
    assert 1e-13 < errors[-1] < errors[0] < 1e-9
    np.testing.assert_allclose(np.diff(np.log(errors)) / np.diff(np.log(steps)), 8.0, atol=0.5)


def one_step(h: float) -> tuple[np.ndarray, np.ndarray]:
    """States at 0.4 of one step from an exact state, and at its end."""
    s = dataclasses.replace(problems.kepler(), state=problems.kepler_exact(1.0))
    rows, run = rows_of(s, SolverSettings(method=METHOD, step=h, **UNLIMITED), 0.4 * h, h)
    assert run.statistics.steps == 1
    return rows[1], run.state


def test_one_step_is_that_of_scipy():
    def rhs(_, y):
        return np.array([*y[2:], *(-y[:2] / np.hypot(*y[:2]) ** 3)])

    theirs = DOP853(rhs, 0.0, problems.kepler_exact(1.0), 0.3, first_step=0.3, rtol=1e3, atol=1e9)
    theirs.step()
    inside, end = one_step(0.3)
    np.testing.assert_allclose(inside, theirs.dense_output()(0.12), rtol=0, atol=1e-14)
    np.testing.assert_allclose(end, theirs.y, rtol=0, atol=1e-14)


def test_order_of_one_step_and_of_its_dense_output():
    # One step from an exact state: the end is wrong by O(h^9), the polynomial of degree 7 inside by O(h^8).
    steps = np.array([0.24, 0.16, 0.12])
    found = [one_step(h) for h in steps]
    inside = [np.abs(x - problems.kepler_exact(1.0 + 0.4 * h)).max() for h, (x, _) in zip(steps, found, strict=True)]
    end = [np.abs(x - problems.kepler_exact(1.0 + h)).max() for h, (_, x) in zip(steps, found, strict=True)]
    np.testing.assert_allclose(np.diff(np.log(inside)) / np.diff(np.log(steps)), 8.0, atol=0.3)
    assert np.all(np.diff(np.log(end)) / np.diff(np.log(steps)) > 8.3)


@pytest.mark.parametrize("step", [0.05, None])
def test_twelve_evaluations_a_step_and_three_more_where_rows_fall_into_it(step):
    s = problems.kepler(0.8)
    rows, run = rows_of(s, SolverSettings(method=METHOD, atol_length=1e-6, atol_speed=1e-6, step=step), 0.1, 10.0)
    cost = run.statistics
    accepted = problems.accepted_times(s)
    due = 0.1 * np.arange(1, len(rows))
    within = due[~np.isclose(due[:, None], accepted[None, :], rtol=1e-12, atol=0.0).any(axis=1)]
    inside = np.unique(np.searchsorted(accepted, within)).size
    assert cost.rejected > 0
    assert 0 < inside < cost.steps
    tried = cost.steps + cost.rejected
    assert cost.evaluations == 12 * tried + 3 * inside + (1 if step else 2)


def test_error_is_proportional_to_the_tolerance():
    tolerances = np.array([1e-6, 1e-8, 1e-10])
    errors = []
    for tolerance in tolerances:
        settings = SolverSettings(method=METHOD, atol_length=tolerance, atol_speed=tolerance)
        rows, _ = rows_of(problems.kepler(), settings, 0.05, 6.0)
        errors.append(np.abs(rows - problems.kepler_exact(np.arange(121) * 0.05)).max())
    np.testing.assert_allclose(np.diff(np.log(errors)) / np.diff(np.log(tolerances)), 1.0, atol=0.2)
    assert np.all(np.array(errors) < 1e3 * tolerances)


def test_it_costs_less_than_order_five_at_a_tight_tolerance():
    cost = {}
    for method in ("dormand-prince", METHOD):
        settings = SolverSettings(method=method, atol_length=1e-11, atol_speed=1e-11)
        cost[method] = rows_of(problems.kepler(), settings, 10.0, 6.0)[1].statistics.evaluations
    assert cost[METHOD] < 0.5 * cost["dormand-prince"]
