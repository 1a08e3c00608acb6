"""Dormand-Prince and the shared Runge-Kutta loop: order, dense output, control of the step, cost."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from chaindrive.contract.status import Status
from chaindrive.solvers import METHODS, Integrator, SolverSettings
from chaindrive.solvers import integrator as integrator_module
from chaindrive.solvers.dormand_prince import TABLEAU
from chaindrive.solvers.runge_kutta import runge_kutta_method
from chaindrive.solvers.tableau import TERMS_AT_ONCE, Tableau, combination
from support import solver_problems as problems

BOGACKI_SHAMPINE = Tableau(  # Bogacki & Shampine (1989), order 3(2), with the cubic Hermite polynomial as dense output
    order=3,
    error_order=2,
    nodes=(0.0, 0.5, 0.75, 1.0),
    a=((0.5,), (0.0, 0.75), (2 / 9, 1 / 3, 4 / 9)),
    error=(2 / 9 - 7 / 24, 1 / 3 - 1 / 4, 4 / 9 - 1 / 3, -1 / 8),
    dense=((1.0, -4 / 3, 5 / 9), (0.0, 1.0, -2 / 3), (0.0, 4 / 3, -8 / 9), (0.0, -1.0, 1.0)),
)
TABLEAUS = {"dormand-prince": TABLEAU, "bogacki-shampine": BOGACKI_SHAMPINE}
UNLIMITED = {"atol_length": 1e9, "atol_speed": 1e9}
"""Tolerances so wide that `step`, the largest step, is the only one: a fixed step."""


def fixed(step: float, **options) -> SolverSettings:
    return SolverSettings(**(UNLIMITED | {"step": step} | options))


def rows_of(s, settings: SolverSettings, interval: float, until: float) -> tuple[np.ndarray, Integrator]:
    integrator = Integrator(s, settings, interval, chunk_rows=2000)
    assert integrator.advance(until, 10**9) == Status.REACHED_END
    return integrator.take_rows()[1][:, 1:-1], integrator


@pytest.mark.parametrize("tableau", TABLEAUS.values(), ids=TABLEAUS)
def test_quadrature_conditions_of_the_tableau(tableau):
    # sum_i b_i c_i^(q-1) = 1/q up to the order, for b, for b_hat to its order, and for the dense output
    # sum_i b_i(x) c_i^(q-1) = x^q/q up to the order of its polynomial; sum_j a_ij = c_i.
    c = np.array(tableau.nodes)
    b = np.array([*tableau.a[-1], 0.0])
    for row, node in zip(tableau.a, c[1:], strict=True):
        assert sum(row) == pytest.approx(node, abs=1e-14)
    for q in range(1, tableau.order + 1):
        assert b @ c ** (q - 1) == pytest.approx(1 / q, abs=1e-14)
    for q in range(1, tableau.error_order + 1):
        assert np.array(tableau.error) @ c ** (q - 1) == pytest.approx(0.0, abs=1e-15)
    assert abs(np.array(tableau.error) @ c**tableau.error_order) > 1e-4  # and the estimate sees the next order
    dense = np.array(tableau.dense)
    powers = np.arange(1, dense.shape[1] + 1)
    np.testing.assert_allclose(dense.sum(axis=1), b, atol=1e-14)
    for x in (0.1, 0.5, 0.9):
        for q in range(1, min(dense.shape[1], 4) + 1):
            assert (dense @ x**powers) @ c ** (q - 1) == pytest.approx(x**q / q, abs=1e-14)
    first, last = np.eye(c.size)[0], np.eye(c.size)[-1]
    np.testing.assert_allclose(dense[:, 0], first, atol=1e-14)  # slope k_1 at the start, k_s at the end: C1
    np.testing.assert_allclose(dense @ powers, last, atol=1e-13)


@pytest.mark.parametrize("count", [1, TERMS_AT_ONCE, TERMS_AT_ONCE + 1, 2 * TERMS_AT_ONCE + 3])
def test_combination_of_any_number_of_stages(count):
    rng = np.random.default_rng(1)
    weights = rng.normal(size=count)
    weights[1:-1:3] = 0.0
    y, k, out = rng.normal(size=37), rng.normal(size=(count, 37)), np.empty(37)
    combination(tuple(float(w) for w in weights))(y, 0.3, k, out)
    np.testing.assert_allclose(out, y + 0.3 * weights @ k, rtol=0, atol=1e-14)


def test_order_is_five_over_an_orbit():
    # Global error of order 5: halving the step divides the error by 32. Slope within 0.25 of 5, at steps where the
    # leading term rules and rounding (1e-13) does not.
    steps = 2.0 * math.pi / np.array([400, 800, 1600])
    errors = [
        np.abs(rows_of(problems.kepler(), fixed(h), 7.0, 2 * math.pi)[1].state - problems.kepler().state).max()
        for h in steps
    ]
    slopes = np.diff(np.log(errors)) / np.diff(np.log(steps))
    np.testing.assert_allclose(slopes, 5.0, atol=0.25)


def test_order_of_one_step_and_of_its_dense_output():
    # One step from an exact state: the end is wrong by O(h^6), the polynomial of order 4 inside by O(h^5). Started away
    # from the near point, where symmetry would hide the leading terms.
    start = problems.kepler_exact(1.0)
    steps = np.array([0.16, 0.08, 0.04])
    inside, end = [], []
    for h in steps:
        rows, _ = rows_of(replace(problems.kepler(), state=start), fixed(h), 0.5 * h, h)
        exact = problems.kepler_exact(1.0 + np.array([0.0, 0.5 * h, h]))
        inside.append(np.abs(rows - exact)[1].max())
        end.append(np.abs(rows - exact)[2].max())
    # the pair was made with a small leading coefficient, so that the next order still shows: at least 6
    assert np.all(np.diff(np.log(end)) / np.diff(np.log(steps)) > 5.8)
    np.testing.assert_allclose(np.diff(np.log(inside)) / np.diff(np.log(steps)), 5.0, atol=0.4)


def test_error_is_proportional_to_the_tolerance():
    # The estimate is O(h^5) as is the global error: error ~ tolerance^1 over five decades, slope within 0.2.
    tolerances = np.array([1e-5, 1e-7, 1e-9])
    errors = []
    for tolerance in tolerances:
        s = SolverSettings(atol_length=tolerance, atol_speed=tolerance)
        rows, _ = rows_of(problems.kepler(), s, 0.05, 6.0)
        errors.append(np.abs(rows - problems.kepler_exact(np.arange(121) * 0.05)).max())
    slope = np.diff(np.log(errors)) / np.diff(np.log(tolerances))
    np.testing.assert_allclose(slope, 1.0, atol=0.2)
    assert np.all(np.array(errors) < 1e3 * tolerances)


def test_relative_tolerance_on_van_der_pol():
    # Reference: DOP853 of SciPy at 1e-13. Absolute tolerances of 1e-12 leave the control to rtol.
    from scipy.integrate import solve_ivp

    mu, until = 2.0, 10.0
    s = problems.system(problems.VAN_DER_POL, [2.0], [0.0], mu=mu)
    reference = solve_ivp(
        lambda t, y: [y[1], mu * (1 - y[0] ** 2) * y[1] - y[0]], (0, until), s.state, "DOP853", rtol=1e-13, atol=1e-13
    ).y[:, -1]
    errors, steps = [], []
    for rtol in (1e-5, 1e-8):
        _, run = rows_of(
            problems.system(problems.VAN_DER_POL, [2.0], [0.0], mu=mu),
            SolverSettings(rtol=rtol, atol_length=1e-12, atol_speed=1e-12),
            20.0,
            until,
        )
        errors.append(np.abs(run.state - reference).max() / rtol)
        steps.append(run.statistics.steps)
    assert max(errors) < 100.0
    assert steps[1] / steps[0] == pytest.approx(1e3 ** (1 / 5), rel=0.25)  # h ~ tolerance^(1/5)


@pytest.mark.parametrize("step", [0.05, None])
def test_six_evaluations_per_step(step):
    # First same as last (Hippmann, Arnold & Schittenhelm 2005: 361255 = 6 * 60209 + 1): six evaluations for every step
    # tried, one at the start, and one more where the first step has to be found.
    s = problems.kepler(0.8)
    _, run = rows_of(s, SolverSettings(atol_length=1e-6, atol_speed=1e-6, step=step), 0.1, 10.0)
    cost = run.statistics
    assert cost.rejected > 0
    assert cost.evaluations == 6 * (cost.steps + cost.rejected) + (1 if step else 2)
    assert s.parameters.calls[0] == cost.evaluations


def test_polynomial_motion_is_exact():
    # Pedersen (2004), eqs. 4.3 and 4.4: a = 6 w t (tc - t) / tc^3 up to tc, then 0. The quadrature of the method is
    # exact for polynomials up to degree 4, and the kink at tc is a stop: speed w and angle w tc / 2 up to rounding.
    w, tc = 4.0 * math.pi, 2.0
    s = problems.system(problems.RAMP, [0.0], [0.0], speed=w, ramp_time=tc, stops=(tc,))
    rows, run = rows_of(s, SolverSettings(), 0.5, 3.0)
    np.testing.assert_allclose(rows[4:, 1], w, rtol=1e-12)
    np.testing.assert_allclose(rows[4:, 0], w * tc / 2 + w * np.array([0.0, 0.5, 1.0]), rtol=1e-12)
    # inside the ramp the dense output of order 4 is exact for the speed (degree 3) and the angle (degree 4), too
    t = np.array([0.5, 1.0, 1.5])
    np.testing.assert_allclose(rows[1:4, 1], w * t**2 * (3 * tc - 2 * t) / tc**3, rtol=1e-12)
    np.testing.assert_allclose(rows[1:4, 0], w * t**3 * (2 * tc - t) / (2 * tc**3), rtol=1e-12)
    assert tc in problems.accepted_times(s)
    assert run.statistics.rejected == 0


def test_a_stop_does_not_shorten_the_steps_after_it():
    # The step before the stop at 1.001 is short by force; the one after it must not have to grow again.
    s = problems.system(problems.RAMP, [0.0], [0.0], speed=1.0, ramp_time=1.0, stops=(1.0, 1.001))
    rows_of(s, SolverSettings(), 50.0, 20.0)
    steps = np.diff(problems.accepted_times(s))
    shortest = np.argmin(steps)
    assert steps[shortest] <= 0.001
    assert steps[shortest + 1] > 0.1


def test_no_step_is_longer_than_the_fastest_oscillation_allows():
    # Tolerances too wide to matter: the frequency of the system sets the longest step (1 % more before a stop).
    s = problems.system(problems.OSCILLATOR, [1.0], [0.0], frequency=20.0, highest_frequency=20.0)
    _, run = rows_of(s, SolverSettings(**UNLIMITED), 50.0, 10.0)
    longest = TABLEAU.step_times_frequency / 20.0
    assert longest * (1.0 - 1e-12) <= run.statistics.largest_step <= 1.01 * longest


def test_without_a_tolerance_work_does_not_steer_the_step():
    free = SolverSettings(rtol_work=math.inf)
    plain = rows_of(problems.oscillator(), free, 50.0, 20.0)[1]
    with_work = rows_of(problems.oscillator(work=True), free, 50.0, 20.0)[1]
    assert plain.statistics == with_work.statistics
    np.testing.assert_array_equal(plain.state, with_work.state[:2])


@pytest.mark.parametrize("wide", [1e-2, 1e-1, 1.0])
def test_a_work_is_held_to_its_own_tolerance(wide):
    # Tolerances of the states as wide as the motion itself: without its own one, the loss of 1.4 J is wrong by 0.13 J
    # and more. Held to 1e-3 of the work done it may be wrong by 1.4e-3 J, and the estimate says at least by how much.
    loss = problems.oscillator_exact(3.0)[2]

    def run(tolerance: float) -> Integrator:
        s = problems.oscillator(work=True)
        settings = SolverSettings(atol_length=wide, atol_speed=wide, rtol_work=tolerance, step=5.0)
        return rows_of(s, settings, 50.0, 3.0)[1]

    assert abs(run(math.inf).state[2] - loss) > 0.05 * loss
    held = run(1e-3)
    assert abs(held.state[2] - loss) < 1e-3 * loss
    assert 0.0 < held.work_errors[0] <= 1e-3 * loss


def test_singularity_ends_with_step_too_small():
    # v' = v^2 with v(0) = 1 is 1/(1 - t): steps shrink with 1 - t until they are below the rounding of t.
    # Relative errors of v of the size rtol shift the singularity by about rtol = 1e-6.
    s = problems.system(problems.SINGULAR, [0.0], [1.0])
    run = Integrator(s, SolverSettings(rtol=1e-6), 10.0)
    assert run.advance(2.0, 10**6) == Status.STEP_TOO_SMALL
    assert run.time == pytest.approx(1.0, abs=5e-6)
    assert np.all(np.isfinite(run.state))


def test_rejected_steps_change_no_memory():
    # A bounce hit with long steps: steps are rejected at the contact; the memory is that of the accepted ones.
    s = problems.ball()
    run = Integrator(s, SolverSettings(atol_length=1e-9, atol_speed=1e-8), 1.0)
    impacts = []
    while run.advance(0.3, 1) == Status.RUNNING:
        calls = int(s.parameters.log[0])
        assert calls == run.statistics.steps
        impacts.append(float(s.memory_arrays()["touch"][0]))
    assert run.statistics.rejected > 0
    # Dropped from h = 0.1 m, seen at an accepted point of the first compression: at most the speed sqrt(2 g (h + d))
    # that it has where the contact carries the weight, K d^1.5 = g, d = 6.2 mm.
    depth = (problems.GRAVITY / 2e4) ** (2 / 3)
    assert 1.3 < max(impacts) <= math.sqrt(2 * problems.GRAVITY * (0.1 + depth))


@pytest.mark.long
def test_another_tableau_on_the_same_loop(monkeypatch):
    # A new method is a tableau and a line in METHODS. Order 3, three evaluations per step.
    monkeypatch.setitem(METHODS, "bogacki-shampine", runge_kutta_method(BOGACKI_SHAMPINE))
    integrator_module.bound.cache_clear()
    steps = 2.0 * math.pi / np.array([1600, 3200])
    errors = []
    for h in steps:
        _, run = rows_of(problems.kepler(), fixed(h, method="bogacki-shampine"), 7.0, 2 * math.pi)
        errors.append(np.abs(run.state - problems.kepler().state).max())
        assert run.statistics.evaluations == 3 * run.statistics.steps + 1
    assert math.log(errors[0] / errors[1]) / math.log(2.0) == pytest.approx(3.0, abs=0.2)
