"""Velocity Verlet: order with and without velocity-dependent forces, stability limit, steps between stops."""

from __future__ import annotations

import math

import numpy as np
import pytest

from chaindrive.contract.status import Status
from chaindrive.errors import InputError
from chaindrive.solvers import Integrator, SolverSettings
from chaindrive.solvers.verlet import STEP_TIMES_FREQUENCY
from support import solver_problems as problems


def rows_of(s, step: float | None, interval: float, until: float) -> tuple[np.ndarray, Integrator]:
    integrator = Integrator(s, SolverSettings(method="verlet", step=step), interval, chunk_rows=2000)
    assert integrator.advance(until, 10**9) == Status.REACHED_END
    return integrator.take_rows()[1][:, 1:-1], integrator


@pytest.mark.parametrize(
    ("make", "exact"),
    [(problems.kepler, problems.kepler_exact), (lambda: problems.oscillator(work=True), problems.oscillator_exact)],
    ids=["orbit", "damped oscillator with work"],
)
def test_order_is_two_also_between_the_steps(make, exact):
    # Global error of order 2 at every saved instant (irregular against the steps): slope within 0.1 of 2.
    steps = np.array([4e-3, 2e-3, 1e-3])
    times = np.arange(30) * 0.0917
    errors = [np.abs(rows_of(make(), h, 0.0917, 2.7)[0][:30] - exact(times)).max(axis=0) for h in steps]
    slopes = np.diff(np.log(errors), axis=0) / np.diff(np.log(steps))[:, None]
    np.testing.assert_allclose(slopes, 2.0, atol=0.1)


def test_interpolation_inside_a_step_is_of_third_order():
    # One step: cubic Hermite values in its middle differ from the exact ones by O(h^3) (the speed; the method itself
    # is wrong by O(h^3) after one step).
    steps = np.array([0.08, 0.04, 0.02])
    errors = []
    for h in steps:
        rows, _ = rows_of(problems.kepler(), h, 0.5 * h, h)
        errors.append(np.abs(rows[1] - problems.kepler_exact(0.5 * h)).max())
    np.testing.assert_allclose(np.diff(np.log(errors)) / np.diff(np.log(steps)), 3.0, atol=0.3)


def test_discrete_oscillation_and_its_invariant():
    # Without damping x_(n+1) - (2 - (w h)^2) x_n + x_(n-1) = 0, so x_n = cos(n phi) with cos(phi) = 1 - (w h)^2 / 2
    # exactly (start at rest): the error after 1000 steps is rounding, 1000 eps ~ 2e-13, not the h^2 of the method.
    w, h = 2.0, 0.1
    s = problems.system(problems.OSCILLATOR, [1.0], [0.0], frequency=w)
    rows, _ = rows_of(s, h, h, 100.0)
    phi = math.acos(1.0 - 0.5 * (w * h) ** 2)
    np.testing.assert_allclose(rows[:, 0], np.cos(np.arange(1001) * phi), atol=2e-11)


@pytest.mark.parametrize(("step_times_frequency", "stable"), [(1.99, True), (2.01, False)])
def test_stability_limit(step_times_frequency, stable):
    # |cos(phi)| <= 1 holds for w h <= 2 only. Beyond it the solution grows as exp(n arccosh(w^2 h^2 / 2 - 1)).
    s = problems.system(problems.OSCILLATOR, [1.0], [0.0], frequency=1.0)
    _, run = rows_of(s, step_times_frequency, 1e4, 400 * step_times_frequency)
    assert (abs(run.state[0]) <= 1.0 + 1e-9) == stable


@pytest.mark.parametrize("rate", [0.0, 0.234, 2.34])
def test_stability_limit_with_damping(rate):
    # x'' = -x - c x' with v* = v + h a: an eigenvalue of the step reaches -1 where (h/2)^2 + c h = 1.
    limit = 2.0 / (rate + math.sqrt(rate * rate + 1.0))

    def radius(h):
        position, predicted = np.array([1.0, h, 0.5 * h * h]), np.array([0.0, 1.0, h])
        acceleration = -position - rate * predicted
        velocity = np.array([0.0, 1.0, 0.5 * h]) + 0.5 * h * acceleration
        return np.abs(np.linalg.eigvals(np.array([position, velocity, acceleration]))).max()

    assert radius(0.999 * limit) <= 1.0 + 1e-9
    assert radius(1.001 * limit) > 1.0 + 1e-6


def test_step_from_the_highest_frequency():
    s = problems.system(problems.OSCILLATOR, [1.0], [0.0], frequency=80.0, highest_frequency=80.0)
    _, run = rows_of(s, None, 1.0, 1.0)
    assert run.statistics.steps == 100
    assert run.statistics.largest_step == pytest.approx(STEP_TIMES_FREQUENCY / 80.0)


def test_the_step_follows_what_the_system_asks_for_while_running():
    # Ten times stiffer than was known: w h = 8 would be unstable. Halved until w h <= 1.6, 8/2^3 = 1.
    s = problems.system(problems.OSCILLATOR, [1.0], [0.0], frequency=80.0, highest_frequency=8.0)
    _, run = rows_of(s, None, 1.0, 1.0)
    assert abs(run.state[0]) <= 1.0 + 1e-9
    assert run.step == pytest.approx(STEP_TIMES_FREQUENCY / 8.0 / 8.0)
    assert run.cuts.number == 3
    assert run.cuts.first == run.cuts.last == 0.0
    assert run.cuts.largest_asked == pytest.approx(1.0)


def test_a_contact_that_occurs_shortens_the_step_when_it_occurs():
    # The ball falls for 0.143 s without a force that limits a step; the contact, sqrt(1.5 K sqrt(d)) ~ 60 rad/s, does.
    s = problems.ball(highest_frequency=10.0)
    _, run = rows_of(s, None, 0.01, 1.0)
    assert 0.14 < run.cuts.first < 0.3
    assert 1.6 / 100.0 / 2.0 < run.step < 1.6 / 50.0
    steps = np.diff(np.concatenate([[0.0], problems.accepted_times(s)]))
    assert steps.max() == pytest.approx(0.08, rel=0.05)
    assert steps[-1] <= run.step


def test_a_step_that_was_asked_for_stays_and_what_it_should_be_is_known():
    s = problems.system(problems.OSCILLATOR, [1.0], [0.0], frequency=80.0, highest_frequency=8.0)
    _, run = rows_of(s, 0.03, 1.0, 0.3)
    assert run.cuts.number == 0
    assert run.step == 0.03
    assert run.cuts.largest_asked == pytest.approx(0.03 * 80.0)


def test_no_step_and_no_frequency_is_refused():
    s = problems.system(problems.RAMP, [0.0], [0.0], highest_frequency=0.0, speed=1.0, ramp_time=1.0)
    with pytest.raises(InputError, match=r"solver\.step"):
        Integrator(s, SolverSettings(method="verlet"), 0.1)


def test_equal_steps_between_stops():
    stops = (0.35, 1.0)
    s = problems.oscillator(stops=stops)
    _, run = rows_of(s, 0.1, 0.2, 1.95)
    times = np.concatenate([[0.0], problems.accepted_times(s)])
    # ceil(0.35/0.1) = 4, ceil(0.65/0.1) = 7, ceil(0.95/0.1) = 10 equal steps
    expected = np.concatenate([np.linspace(0, 0.35, 5), np.linspace(0.35, 1.0, 8)[1:], np.linspace(1.0, 1.95, 11)[1:]])
    np.testing.assert_allclose(times, expected, rtol=1e-15)
    assert {*stops, 1.95} <= set(times)
    assert run.statistics.largest_step <= 0.1


def test_a_whole_number_of_steps_is_not_rounded_up():
    # 0.1 * 10 steps: (1.0 - 0.0) / 0.1 may exceed 10 by rounding; 0.3 / 0.1 = 2.9999999999999996 likewise.
    for until, count in ((1.0, 10), (0.3, 3), (0.7, 7)):
        _, run = rows_of(problems.oscillator(), 0.1, 10.0, until)
        assert run.statistics.steps == count


def test_one_evaluation_per_step():
    s = problems.ball()
    _, run = rows_of(s, 1e-3, 0.1, 1.0)
    cost = run.statistics
    assert cost.changed > 0
    assert cost.evaluations == cost.steps + 1 + cost.changed
    assert cost.rejected == 0


def test_an_earlier_end_within_a_run_is_reached_exactly():
    s = problems.oscillator()
    run = Integrator(s, SolverSettings(method="verlet", step=0.03), 0.1)
    assert run.advance(1.0, budget_steps=3) == Status.RUNNING
    assert run.advance(0.2) == Status.REACHED_END
    assert run.time == 0.2
    assert run.advance(1.0) == Status.REACHED_END
    np.testing.assert_allclose(run.state, problems.oscillator_exact(1.0)[:2], atol=2e-3)


def test_rows_that_are_not_copied_are_the_memory_of_the_next_ones():
    def taken(copied: bool) -> list[np.ndarray]:
        integrator = Integrator(problems.kepler(), SolverSettings(method="verlet", step=1e-2), 0.05, chunk_rows=8)
        found, before = [], None
        while integrator.advance(2.0, 10**9) == Status.RUNNING or integrator.rows_waiting:
            _, rows = integrator.take_rows(copied)
            assert before is None or np.shares_memory(rows, before) != copied
            found.append(rows.copy())
            before = rows
        return found

    for one, other in zip(taken(True), taken(False), strict=True):
        np.testing.assert_array_equal(one, other)
