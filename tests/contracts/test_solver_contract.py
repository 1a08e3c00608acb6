"""Requirements on every integrator, whatever its method: this suite runs over every entry of METHODS except those that
take no other system: those for rigid contacts (tests/verification/test_rigid_chains.py), that for a system in modules
(tests/unit/test_solvers_modular.py), and that for friction solved at
every contact by itself (tests/unit/test_solvers_leapfrog.py)."""

from __future__ import annotations

import importlib.util

import numpy as np
import pytest
from scipy.optimize import brentq

from chaindrive.contract.status import Status
from chaindrive.errors import InputError
from chaindrive.solvers import METHODS, SolverSettings
from chaindrive.solvers import integrator_for as Integrator
from support import solver_problems as problems
from support.solver_problems import run

OF_LIBRARY = ("bdf", "ida")
"""Methods of a library that may be missing; their rejected steps are known only when a step is taken."""
pytestmark = pytest.mark.parametrize(
    "method",
    [
        name
        for name in METHODS
        if name not in ("leapfrog", "modular", "moreau-jean", "nonsmooth-alpha")
        and (name not in OF_LIBRARY or importlib.util.find_spec("sksundae") is not None)
    ],
)

STEP = {"generalized-alpha": 5e-4, "splitting": 2e-3, "verlet": 2e-3, "verlet-beeman": 2e-3}
"""Longest step of methods of second order, so that they are accurate enough for the comparisons below."""


def settings(method: str, **options) -> SolverSettings:
    fixed = {"step": STEP[method]} if method in STEP else {}
    return SolverSettings(**({"method": method, "atol_length": 1e-7, "atol_speed": 1e-6} | fixed | options))


def test_solution_and_work_of_a_damped_oscillator(method):
    # Verlet with h = 2e-3 and w = 2: phase error t (w h)^2 w / 24 = 1e-5 at t = 8, amplitudes up to 2 (speed), and the
    # velocity-dependent part of the same order; Runge-Kutta at these tolerances is far better.
    s = problems.oscillator(work=True)
    status, times, rows = run(Integrator(s, settings(method), 0.05), 8.0)
    assert status == Status.REACHED_END
    np.testing.assert_allclose(rows[:, 1:4], problems.oscillator_exact(times), atol=5e-5)


def test_rows_lie_at_exact_instants(method):
    # Row k at t0 + k dt by one multiplication: equality, not closeness. 0.1 is no binary fraction.
    s = problems.oscillator()
    integrator = Integrator(s, settings(method), 0.1, chunk_rows=7, t_start=0.3)
    status, times, rows = run(integrator, 0.3 + 40 * 0.1)
    assert status == Status.REACHED_END
    np.testing.assert_array_equal(times, 0.3 + np.arange(41) * 0.1)
    np.testing.assert_array_equal(rows[:, 0], times)
    np.testing.assert_array_equal(rows[0, 1:3], s.state)


def test_full_buffer_and_used_budget_return_running(method):
    integrator = Integrator(problems.oscillator(), settings(method), 0.1, chunk_rows=3)
    assert integrator.advance(1.0) == Status.RUNNING
    assert integrator.rows_waiting == 3
    assert integrator.advance(1.0) == Status.RUNNING  # nothing taken: nothing moves
    np.testing.assert_array_equal(integrator.take_rows()[0], [0.0, 0.1, 0.2])
    integrator = Integrator(problems.oscillator(), settings(method), 0.1)
    assert integrator.advance(1.0, budget_steps=2) == Status.RUNNING
    statistics = integrator.statistics
    assert statistics.steps + (0 if method in OF_LIBRARY else statistics.rejected) == 2
    assert integrator.advance(1.0) == Status.REACHED_END
    assert integrator.time == 1.0


def test_stops_and_end_are_hit_exactly(method):
    stops = (0.1, 0.25, 1.0 / 3.0, 2.0)
    s = problems.oscillator(stops=stops)
    integrator = Integrator(s, settings(method), 0.3)
    assert integrator.advance(0.7) == Status.REACHED_END
    assert integrator.time == 0.7
    assert integrator.advance(2.5) == Status.REACHED_END
    assert integrator.time == 2.5
    accepted = problems.accepted_times(s)
    assert set(accepted) >= {*stops, 0.7, 2.5}
    assert np.all(np.diff(accepted) > 0.0)


def test_accept_is_called_once_per_accepted_step(method):
    s = problems.ball()
    integrator = Integrator(s, settings(method), 0.01)
    status, _, rows = run(integrator, 2.0)
    # accept answers 23 when it is not called directly after an evaluation at its point
    assert status == Status.REACHED_END
    statistics = integrator.statistics
    assert problems.accepted_times(s).size == statistics.steps
    assert s.parameters.calls[0] == statistics.evaluations
    assert s.parameters.calls[2] == 1.0
    # Flights last 0.29 s 0.7^k after the first fall of 0.14 s: at least three bounces begin and end within 2 s.
    assert statistics.changed >= 2 * 3
    assert rows[:, 3].max() > 0.0  # record sees the memory
    assert statistics.smallest_step <= statistics.mean_step <= statistics.largest_step
    assert statistics.mean_step * statistics.steps == pytest.approx(2.0, rel=1e-12)


def test_rows_of_a_step_have_the_memory_that_held_during_it(method):
    """The ball touches the floor within a step: its rows know nothing of it, and those of the next step do."""
    s = problems.ball()
    status, times, rows = run(Integrator(s, settings(method), 1e-4), 0.3)
    assert status == Status.REACHED_END
    height, touched = rows[:, 1], rows[:, 3] > 0.0
    accepted = problems.accepted_times(s)
    ends = accepted[np.searchsorted(accepted, times * (1.0 - 1e-14))]  # of the step that a row falls into
    under = np.flatnonzero(height < 0.0)
    landed = ends[under[0]]  # the step in which it comes down
    assert not touched[times <= landed].any()
    assert (under[times[under] <= landed]).size > 0
    later = (times > landed) & (height < 0.0)
    lifted = ends[np.flatnonzero((times > landed) & (height >= 0.0))[0]]
    assert touched[later].all()
    assert touched[(times > landed) & (times <= lifted)].all()
    assert not touched[times > lifted][0]


def cut_run(method: str, until: float, budget: int, chunk_rows: int, fresh: bool, **options):
    """A run cut after every ``budget`` steps, and carried on by another system and integrator when ``fresh``."""
    # A low frequency makes a step that is chosen from it too long for the contact: it is shortened while running.
    s = problems.ball(highest_frequency=10.0)
    integrator = Integrator(s, settings(method, **options), 0.013, chunk_rows)
    times, rows = [], []
    while (status := integrator.advance(until, budget)) == Status.RUNNING:
        if fresh:
            saved = integrator.snapshot()
            integrator.advance(until, 3)  # a copy: what happens to the old run does not matter
            s = problems.ball(highest_frequency=10.0)
            integrator = Integrator(s, settings(method, **options), 0.013, chunk_rows)
            integrator.restore(saved)
        t, r = integrator.take_rows()
        times.append(t)
        rows.append(r)
    t, r = integrator.take_rows()
    assert status == Status.REACHED_END
    memory = s.memory_arrays()["touch"].copy()
    return np.concatenate([*times, t]), np.concatenate([*rows, r]), integrator.state, memory, integrator.statistics


LONG = pytest.mark.long


@pytest.mark.parametrize(
    ("options", "budget", "chunk_rows", "fresh"),
    [
        pytest.param(options, *cut, id=f"{step}-{'-'.join(map(str, cut))}", marks=marks)
        for step, options, often in (("given step", {}, LONG), ("chosen step", {"step": None}, ()))
        for cut, marks in (
            ((1, 500, True), often),
            ((2, 1, False), ()),
            ((7, 2, True), ()),
            ((10**9, 1, True), ()),
            ((31, 500, False), ()),
        )
    ],
)
def test_cut_anywhere_goes_on_bit_for_bit(method, budget, chunk_rows, fresh, options):
    if fresh and method in OF_LIBRARY:
        pytest.skip("a snapshot does not hold the history of the library")
    whole = cut_run(method, 0.5, 10**9, 500, fresh=False, **options)
    cut = cut_run(method, 0.5, budget, chunk_rows, fresh, **options)
    for a, b in zip(whole[:4], cut[:4], strict=True):
        np.testing.assert_array_equal(a, b)
    assert whole[4] == cut[4]


OVERHEATED = Status("OVERHEATED", problems.WALL_STATUS, "It became too hot.", "Cool it.")


def with_ending(system):
    """The system with an ending of its own, for which it names a place."""
    where = lambda status, time, state: f"{status.name} at {time:.3g} s, angle {state[0]:.3g}"  # noqa: E731
    return system.with_story(endings=(OVERHEATED,), ended_at=where)


def test_accept_ends_the_run(method):
    ending = OVERHEATED
    s = with_ending(problems.oscillator(fail_time=0.5, fail_status=float(ending.code)))
    integrator = Integrator(s, settings(method), 0.05)
    status, times, _ = run(integrator, 2.0)
    assert status == ending
    assert (status.meaning, status.advice) == (ending.meaning, ending.advice)
    assert status.where == f"OVERHEATED at {integrator.time:.3g} s, angle {integrator.state[0]:.3g}"
    assert integrator.time >= 0.5
    assert times[-1] == np.floor(integrator.time / 0.05 + 1e-9) * 0.05  # rows inside the last step are not lost
    assert integrator.advance(2.0) == status  # and it stays ended
    assert problems.accepted_times(s).size == integrator.statistics.steps


def test_begin_ends_the_run(method):
    s = with_ending(problems.oscillator(begin_status=float(OVERHEATED.code)))
    integrator = Integrator(s, settings(method), 0.05)
    assert integrator.advance(1.0) == OVERHEATED
    assert integrator.statistics.steps == 0


@pytest.mark.parametrize("interval", [0.05, 0.3])
def test_an_ending_is_met_to_the_instant(method, interval):
    """Where the closed-form solution of the oscillator passes -0.3 m; there are no rows beyond."""
    s = with_ending(problems.oscillator(wall=-0.3))
    integrator = Integrator(s, settings(method), interval)
    status, times, _ = run(integrator, 2.0)
    assert status == OVERHEATED
    instant = brentq(lambda t: problems.oscillator_exact(t)[0] + 0.3, 0.5, 1.5, xtol=1e-14)
    within = 5e-5 if method in STEP else 5e-6 if method in OF_LIBRARY else 1e-7  # errors of some ten steps add up
    assert integrator.time == pytest.approx(instant, abs=within)
    assert integrator.state[0] == pytest.approx(-0.3, abs=1e-12)
    assert integrator.state[0] <= -0.3
    assert times[-1] == np.floor(instant / interval) * interval
    assert integrator.advance(2.0) == status


def test_an_ending_that_nobody_declared_is_told(method):
    s = problems.oscillator(fail_time=0.5, fail_status=23.0)
    with pytest.raises(ValueError, match="code 23, which is not one of its endings"):
        run(Integrator(s, settings(method), 0.05), 2.0)


@pytest.mark.parametrize("instant", [-1.0, 0.5])
def test_not_a_number_ends_the_run_before_it_enters_the_state(method, instant):
    s = problems.oscillator(nan_time=instant)
    integrator = Integrator(s, settings(method), 0.1)
    assert integrator.advance(1.0) == Status.NOT_A_NUMBER
    assert np.all(np.isfinite(integrator.state))
    assert integrator.time <= max(instant, 0.0)
    _, rows = integrator.take_rows()
    assert np.all(np.isfinite(rows))
    assert integrator.advance(1.0) == Status.NOT_A_NUMBER


def test_too_many_steps(method):
    integrator = Integrator(problems.oscillator(), settings(method, max_steps=4), 0.1)
    assert integrator.advance(10.0) == Status.TOO_MANY_STEPS
    statistics = integrator.statistics
    counted = statistics.steps + statistics.rejected
    assert counted >= 4 if method in OF_LIBRARY else counted == 4


def test_wrong_settings_are_reported_all_at_once(method):
    wrong = SolverSettings(method=method, rtol=-1.0, atol_length=0.0, step=-2.0, max_steps=0)
    with pytest.raises(InputError) as caught:
        Integrator(problems.oscillator(), wrong, save_interval=0.0, chunk_rows=0)
    places = {p.place for p in caught.value.problems}
    assert places == {
        "run.solver.rtol",
        "run.solver.atol_length",
        "run.solver.step",
        "run.solver.max_steps",
        "run.save.rate",
        "run.save.chunk_rows",
    }


def test_a_foreign_snapshot_is_refused_and_changes_nothing(method):
    saved = Integrator(problems.kepler(), settings(method), 0.1).snapshot()
    integrator = Integrator(problems.oscillator(), settings(method), 0.1)
    integrator.advance(0.5)
    before = integrator.snapshot()
    with pytest.raises(InputError, match="checkpoint"):
        integrator.restore(saved)
    after = integrator.snapshot()
    for name, array in before.items():
        np.testing.assert_array_equal(array, after[name])


def test_a_load_that_is_changed_between_two_calls_acts_from_there_on(method):
    # An undamped oscillator of 2 rad/s for 1 s, then of 3 rad/s: x = x1 cos 3 s + v1/3 sin 3 s. Tolerances as above
    # times (3/2)^3, for its phase error; the derivative of before would be wrong by (9 - 4) x. Generalized alpha keeps
    # its algorithmic acceleration, as when the memory changes forces: an error of h (9 - 4) x in the speed, at most.
    s = problems.oscillator()
    s.parameters.number[problems.DAMPING] = 0.0
    integrator = Integrator(s, settings(method), 10.0)
    assert integrator.advance(1.0) == Status.REACHED_END
    x, v = integrator.state[:2]
    evaluations = integrator.statistics.evaluations
    s.parameters.number[problems.FREQUENCY] = 3.0
    integrator.change_loads()
    assert integrator.advance(1.0) == Status.REACHED_END
    assert integrator.statistics.evaluations == evaluations + 1
    assert integrator.advance(1.0) == Status.REACHED_END  # once
    assert integrator.statistics.evaluations == evaluations + 1
    assert integrator.advance(3.0) == Status.REACHED_END
    found = integrator.state[:2]
    sine, cosine = np.sin(6.0), np.cos(6.0)
    expected = [x * cosine + v / 3.0 * sine, -3.0 * x * sine + v * cosine]
    np.testing.assert_allclose(
        found, expected, atol=STEP[method] * 5.0 * abs(x) if method == "generalized-alpha" else 2e-4
    )
