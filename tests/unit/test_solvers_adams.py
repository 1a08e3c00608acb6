"""Adams' method: its coefficients against polynomials, order and step, dense output, cost compared with LSODE's."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest
from numpy.polynomial import Polynomial
from scipy.integrate import solve_ivp

from chaindrive.contract.status import Status
from chaindrive.solvers import Integrator, SolverSettings
from chaindrive.solvers.adams import (
    END,
    HIGHEST_ORDER,
    PREDICTED,
    correct,
    estimate_error,
    interpolate,
    predict,
    set_coefficients,
    take_back,
    update_differences,
)
from chaindrive.solvers.control import take
from support import solver_problems as problems

METHOD = "adams"


def run_of(s, until: float, interval: float = 50.0, **options) -> tuple[np.ndarray, Integrator]:
    run = Integrator(s, SolverSettings(method=METHOD, **options), interval, chunk_rows=2000)
    assert run.advance(until, 10**9) == Status.REACHED_END
    return run.take_rows()[1][:, 1:-1], run


class Quadrature:
    """Steps of any length and order along y' = f(t), made by the kernels of the method."""

    def __init__(self, f) -> None:
        s = problems.system(problems.RAMP, [0.0], [0.0])
        self.c = Integrator(s, SolverSettings(method=METHOD), 50.0)._control
        self.f, self.times = f, [0.0]
        self.c.stages[1] = f(0.0)

    def step(self, h: float, order: int) -> tuple[float, float]:
        """The predicted and the corrected change."""
        c, n = self.c, self.c.own.number
        n.order[0] = order
        set_coefficients(n, c.own.of, h)
        predict(c, h)
        predicted = c.trial[0] - c.state[0]
        end = self.times[-1] + h
        c.stages[PREDICTED] = c.stages[END] = self.f(end)
        correct(c, h)
        corrected = c.trial[0] - c.state[0]
        update_differences(c)
        take(c, end, h)
        n.last_order[0], n.last_step[0] = order, h
        self.times.append(end)
        return predicted, corrected

    def area(self, points: list[float], begin: float, end: float) -> float:
        """Integral of the polynomial through f at these points."""
        middle, width = np.mean(points), np.ptp(points) or 1.0
        x = (np.array(points) - middle) / width
        values = np.linalg.solve(np.vander(x, increasing=True), [self.f(t) for t in points])
        whole = Polynomial(values).integ()
        return width * (whole((end - middle) / width) - whole((begin - middle) / width))


def lengths(kind: str, count: int) -> np.ndarray:
    rng = np.random.default_rng(3)
    return {
        "equal": np.full(count, 0.05),
        "random": 0.05 * rng.uniform(0.5, 2.0, count),
        "doubled now and then": 0.02 * 2.0 ** (np.arange(count) // 4 % 3),
    }[kind]


@pytest.mark.parametrize("kind", ["equal", "random", "doubled now and then"])
@pytest.mark.parametrize("orders", ["rising", "up and down"])
def test_a_step_integrates_the_polynomial_through_the_points_before(kind, orders):
    """Adams-Bashforth predicts with k points, Adams-Moulton corrects with k + 1, whatever the steps; and the dense
    output has the same polynomial."""
    quadrature = Quadrature(lambda t: math.cos(2.0 * t) + 0.3 * t)
    order = 1
    for count, h in enumerate(lengths(kind, 40)):
        predicted, corrected = quadrature.step(h, order)
        times = quadrature.times
        begin, end = times[-2:]
        assert predicted == pytest.approx(quadrature.area(times[-1 - order : -1], begin, end), abs=1e-12)
        assert corrected == pytest.approx(quadrature.area(times[-1 - order :], begin, end), abs=1e-12)
        for x in (0.0, 0.3, 1.0):
            interpolate(quadrature.c, x, None)
            back = quadrature.c.state[0] - quadrature.c.trial[0]
            assert back == pytest.approx(quadrature.area(times[-1 - order :], begin + x * h, end), abs=1e-12)
        most = min(9, count + 2)  # beyond, the systems of equations here lose digits
        rises = orders == "rising" or count % 6 != 5
        order = min(order + 1, most) if rises else max(order - 1, 1)


def test_a_step_that_is_taken_back_leaves_no_trace():
    quadrature = Quadrature(lambda t: math.cos(2.0 * t))
    for order, h in enumerate((0.05, 0.06, 0.04, 0.05), start=1):
        quadrature.step(h, order)
    c, n = quadrature.c, quadrature.c.own.number
    order = 5
    n.order[0] = order
    differences, psi = c.stages[1 : order + 1].copy(), c.own.of.psi[1:order].copy()
    set_coefficients(n, c.own.of, 0.08)
    predict(c, 0.08)
    c.stages[PREDICTED] = 7.0
    estimate_error(c, 0.08)
    take_back(c, 0.08, True)
    np.testing.assert_allclose(c.stages[1 : order + 1], differences, rtol=0, atol=1e-14)
    np.testing.assert_allclose(c.own.of.psi[1:order], psi, rtol=1e-14)
    assert c.times.next_step[0] == 0.04
    assert c.counts.rejected[0] == 1


def test_order_and_step_rise_with_the_tolerance():
    """On an orbit, a tighter tolerance gives higher orders. Evaluations grow by less than half from one
    hundredth to the next, where the fifth order of Dormand-Prince takes 100^(1/5) = 2.5 times as many."""
    found = []
    for tolerance in (1e-6, 1e-8, 1e-10, 1e-12):
        _, run = run_of(problems.kepler(), 20.0, atol_length=tolerance, atol_speed=tolerance)
        found.append((run._control.own.number.last_order[0], run.statistics.evaluations))
        assert np.abs(run.state - problems.kepler_exact(20.0)).max() < 1e3 * tolerance
    orders, evaluations = np.transpose(found)
    assert orders[-1] >= 11
    assert orders[-1] > orders[0]
    assert np.all(np.diff(np.log(evaluations)) < math.log(1.55))
    assert np.all(orders <= HIGHEST_ORDER)


@pytest.mark.parametrize("tolerance", [1e-6, 1e-10])
def test_it_costs_no_more_than_lsode(tolerance):
    # LSODA of SciPy, which takes the Adams methods of LSODE where nothing is stiff; absolute tolerances as here.
    def rhs(_, y):
        return [y[2], y[3], *(-y[:2] / np.hypot(y[0], y[1]) ** 3)]

    start, exact = problems.kepler(), problems.kepler_exact(20.0)
    theirs = solve_ivp(rhs, (0.0, 20.0), start.state, "LSODA", rtol=1e-13, atol=tolerance)
    free = dataclasses.replace(start, motion=dataclasses.replace(start.motion, highest_frequency=0.0))
    _, ours = run_of(free, 20.0, atol_length=tolerance, atol_speed=tolerance)
    assert ours.statistics.evaluations < theirs.nfev
    assert np.abs(ours.state - exact).max() < 3.0 * np.abs(theirs.y[:, -1] - exact).max()


def test_relative_tolerance_on_van_der_pol():
    mu, until = 2.0, 10.0
    s = problems.system(problems.VAN_DER_POL, [2.0], [0.0], mu=mu)
    reference = solve_ivp(
        lambda t, y: [y[1], mu * (1 - y[0] ** 2) * y[1] - y[0]], (0, until), s.state, "DOP853", rtol=1e-13, atol=1e-13
    ).y[:, -1]
    for rtol in (1e-5, 1e-8):
        _, run = run_of(s, until, rtol=rtol, atol_length=1e-12, atol_speed=1e-12)
        assert np.abs(run.state - reference).max() < 100.0 * rtol


@pytest.mark.parametrize("step", [0.05, None])
def test_two_evaluations_a_step_and_one_for_a_step_that_is_not_taken(step):
    s = problems.kepler(0.8)
    _, run = run_of(s, 10.0, 0.1, atol_length=1e-6, atol_speed=1e-6, step=step)
    cost = run.statistics
    assert cost.rejected > 0
    assert cost.evaluations == 2 * cost.steps + cost.rejected + (1 if step else 2)
    assert s.parameters.calls[0] == cost.evaluations


def test_a_kink_at_a_stop_lowers_the_order_and_costs_no_accuracy():
    # Pedersen (2004), eqs. 4.3 and 4.4: the acceleration of a ramp ends at tc with a kink. Angle w tc/2 + w (t - tc).
    w, tc = 4.0 * math.pi, 2.0
    s = problems.system(problems.RAMP, [0.0], [0.0], speed=w, ramp_time=tc, stops=(tc,))
    rows, _ = run_of(s, 3.0, 0.5, atol_length=1e-9, atol_speed=1e-9)
    np.testing.assert_allclose(rows[4:, 1], w, rtol=1e-8)
    np.testing.assert_allclose(rows[4:, 0], w * tc / 2 + w * np.array([0.0, 0.5, 1.0]), rtol=1e-8)
    assert tc in problems.accepted_times(s)


def test_a_singularity_ends_with_step_too_small():
    s = problems.system(problems.SINGULAR, [0.0], [1.0])
    run = Integrator(s, SolverSettings(method=METHOD, rtol=1e-6), 10.0)
    assert run.advance(2.0, 10**6) == Status.STEP_TOO_SMALL
    assert run.time == pytest.approx(1.0, abs=5e-5)
    assert np.all(np.isfinite(run.state))


def test_where_accept_changes_the_right_hand_side_order_and_step_are_kept():
    s = problems.ball()
    run = Integrator(s, SolverSettings(method=METHOD, atol_length=1e-9, atol_speed=1e-8), 1.0)
    before = after = 0
    while run.advance(1.0, 1) == Status.RUNNING:
        if run.statistics.changed > after:
            after = run.statistics.changed
            np.testing.assert_array_equal(run._control.stages[1], run._control.derivative)
            before += run._control.own.number.order[0] > 2
    assert after >= 6
    assert before >= after // 2
