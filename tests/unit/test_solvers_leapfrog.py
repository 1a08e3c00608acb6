"""Leapfrog with pointwise implicit friction: a mass on springs on a belt, whose motion is known."""

from __future__ import annotations

import math

import numpy as np
import pytest

from chaindrive.contract.status import Status
from chaindrive.errors import InputError
from chaindrive.solvers import Integrator, SolverSettings
from support import mass_on_belt, solver_problems


def run(system, until, step, interval=0.01, budget=10**9, chunk_rows=500):
    """Times and rows."""
    integrator = Integrator(system, SolverSettings(method="leapfrog", step=step), interval, chunk_rows)
    times, rows = [], []
    while True:
        status = integrator.advance(until, budget)
        t, r = integrator.take_rows()
        times.append(t)
        rows.append(r)
        if status != Status.RUNNING:
            assert status == Status.REACHED_END
            return np.concatenate(times), np.concatenate(rows)


def test_a_sliding_mass_stops_after_its_way_and_stays():
    # Without springs m v' = -mu N along the way: it stops after v0 m / (mu N), v0^2 m / (2 mu N) further on. The step
    # in which it stops is the only one that is not exact: h v0 of it at most.
    vx, vy, limit, mass, step = 0.3, -0.4, 4.0, 2.0, 1e-3
    times, rows = run(mass_on_belt.system(0.0, limit, 0.0, (0.0, 0.0, vx, vy), mass), 1.0, step)
    way = 0.25 * mass / (2.0 * limit)
    assert math.hypot(*rows[-1, :2]) == pytest.approx(way, abs=step * limit / mass * step)
    assert rows[-1, 1] / rows[-1, 0] == pytest.approx(vy / vx, rel=1e-12)
    assert np.abs(rows[times > 0.25 + step, 2:4]).max() < 1e-100
    assert rows[-1, 4] == pytest.approx(0.5 * mass * 0.25, rel=1e-13)  # all of its energy


def test_work_of_friction_is_exact():
    # What is stored and what is put in by the belt, F u, balance to rounding in each step without springs.
    _, rows = run(mass_on_belt.system(0.0, 4.0, 0.5, (0.0, 0.0, 0.1, 0.7)), 0.2, 1e-3, interval=1e-3)
    kinetic = 0.5 * 2.0 * (rows[:, 2:4] ** 2).sum(axis=1)
    supplied = 2.0 * (rows[:, 2] - rows[0, 2]) * 0.5  # the impulse on the mass times the speed of the belt
    np.testing.assert_allclose(kinetic - kinetic[0] + rows[:, 4], supplied, atol=1e-13)


def slipping(step):
    """Largest error of a mass that its belt carries to mu N / k and then releases to oscillate about it."""
    stiffness, limit, belt, mass = 800.0, 4.0, 0.05, 2.0
    turning = math.sqrt(stiffness / mass)
    system = mass_on_belt.system(stiffness, limit, belt, (0.0, 0.0, belt, 0.0), mass)
    times, rows = run(system, 0.3, step, interval=3e-3)
    slips = limit / stiffness / belt
    later = times - slips
    # x = u t until k x = mu N; from there x = mu N/k + u/w sin(w t), slower than the belt but for instants.
    exact = np.where(later < 0.0, belt * times, limit / stiffness + belt / turning * np.sin(turning * later))
    return np.abs(rows[:, 0] - exact).max(), rows[(times > 0.01) & (later < -2 * step), 2]


def test_stick_and_slip_on_a_belt():
    errors, stuck = zip(*(slipping(step) for step in (1e-3, 5e-4, 2.5e-4)), strict=True)
    for speeds in stuck:
        np.testing.assert_array_equal(speeds, 0.05)  # it moves with the belt to the last bit
    # The instant of slipping is met to a step; the force changes continuously there, so that the order is kept.
    assert errors[0] < 2e-6
    assert errors[0] / errors[1] > 3.0
    assert errors[1] / errors[2] > 3.0


def test_steps_beyond_what_an_explicit_law_could_take():
    # An explicit law that is smoothed over v_eps = 1e-6 m/s would need steps below 2 m v_eps / (mu N) = 1e-6 s.
    _, rows = run(mass_on_belt.system(0.0, 4.0, 0.0, (0.0, 0.0, 1.0, 0.0)), 2.0, 0.05)
    assert rows[-1, 2] == 0.0
    assert (np.diff(rows[:, 2]) <= 1e-15).all()


def test_in_pieces_it_is_the_same_to_the_last_bit():
    def fresh():
        return mass_on_belt.system(800.0, 4.0, 0.05, (0.002, 0.003, 0.0, 0.1))

    _, whole = run(fresh(), 0.5, 1.1e-3, interval=3e-3)
    _, pieces = run(fresh(), 0.5, 1.1e-3, interval=3e-3, budget=7, chunk_rows=5)
    np.testing.assert_array_equal(whole, pieces)
    first = Integrator(fresh(), SolverSettings(method="leapfrog", step=1.1e-3), 3e-3)
    first.advance(0.5, 100)
    second = Integrator(fresh(), SolverSettings(method="leapfrog", step=1.1e-3), 3e-3)
    second.restore(first.snapshot())
    assert second.advance(0.5) == Status.REACHED_END
    np.testing.assert_array_equal(second.take_rows()[1], whole)


def test_rows_do_not_change_the_run():
    often, seldom = (
        run(mass_on_belt.system(800.0, 4.0, 0.05, (0.002, 0.003, 0.0, 0.1)), 0.5, 1.1e-3, interval=interval)[1]
        for interval in (1e-4, 0.5)
    )
    np.testing.assert_array_equal(often[-1], seldom[-1])


def test_the_method_and_such_friction_belong_together():
    with pytest.raises(InputError, match="needs 'leapfrog' or 'auto'"):
        Integrator(mass_on_belt.system(1.0, 1.0, 0.0, (0.0,) * 4), SolverSettings(method="verlet", step=0.1), 0.1)
    with pytest.raises(InputError) as only:
        Integrator(mass_on_belt.system(1.0, 1.0, 0.0, (0.0,) * 4), SolverSettings(method="moreau-jean", step=0.1), 0.1)
    (problem,) = only.value.problems  # and not that moreau-jean needs rigid contacts
    assert problem.place == "run.solver.method"
    assert "'leapfrog'" in problem.message
    with pytest.raises(InputError, match="'leapfrog' is for friction that is solved at every contact separately"):
        Integrator(solver_problems.oscillator(), SolverSettings(method="leapfrog", step=0.1), 0.1)
