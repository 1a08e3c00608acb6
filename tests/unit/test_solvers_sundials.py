"""BDF and IDA of SUNDIALS: closed-form solutions, their linear solvers, other methods, a resumed run, a missing
library.
"""

from __future__ import annotations

import math
import sys
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.special import ellipj, ellipk

import chaindrive as cd
from chaindrive.cli.main import main
from chaindrive.contract.states import Kind
from chaindrive.contract.status import Status
from chaindrive.errors import InputError
from chaindrive.solvers import SolverSettings, integrator_for, newton, sundials
from chaindrive.solvers.structure import structure_of
from support import euler_top, small_drives
from support import solver_problems as problems

METHODS = ("bdf", "ida")
LINEAR_SOLVERS = ("dense", "block-gauss", "structured")


@pytest.fixture
def _library() -> None:
    pytest.importorskip("sksundae")


with_library = pytest.mark.usefixtures("_library")


def settings(method: str, linear_solver: str = "structured", tolerance: float = 1e-7, **given) -> SolverSettings:
    held = {"atol_length": tolerance, "atol_angle": tolerance}
    held |= {"atol_speed": 10.0 * tolerance, "atol_angular_speed": 10.0 * tolerance}
    return SolverSettings(method=method, linear_solver=linear_solver, **(held | given))


def ended(system, wanted: SolverSettings, until: float, interval: float = 0.05):
    """Integrator at the end of a run, times and rows."""
    run = integrator_for(system, wanted, interval, chunk_rows=round(until / interval) + 2)
    while (status := run.advance(until)) == Status.RUNNING:
        pass
    assert status == Status.REACHED_END
    return run, *run.take_rows()


@with_library
@pytest.mark.parametrize("linear_solver", LINEAR_SOLVERS)
@pytest.mark.parametrize("method", METHODS)
def test_errors_follow_the_tolerance(method, linear_solver):
    """A damped oscillator including its loss: the error is in proportion to the tolerance."""
    errors = []
    for tolerance in (1e-5, 1e-7, 1e-9):
        wanted = settings(method, linear_solver, tolerance)
        run, times, rows = ended(problems.oscillator(work=True), wanted, 8.0)
        errors.append(np.abs(rows[:, 1:4] - problems.oscillator_exact(times)).max())
        assert errors[-1] < 50.0 * (10.0 * tolerance)  # of the speed, over some hundred steps
        assert np.abs(run.state - problems.oscillator_exact(8.0)).max() <= errors[-1]
    assert errors[0] > 10.0 * errors[1] > 100.0 * errors[2]  # a hundredth of the tolerance each


@with_library
@pytest.mark.parametrize("method", METHODS)
def test_a_pendulum_swings_by_its_closed_form(method):
    """sin(angle / 2) = k sn(w t + K), k = sin(amplitude / 2), started at rest at 2 rad."""
    amplitude, frequency = 2.0, 3.0
    s = problems.system(problems.PENDULUM, [amplitude], [0.0], frequency=frequency)
    _, times, rows = ended(s, settings(method, tolerance=1e-9), 5.0)
    k = math.sin(0.5 * amplitude)
    exact = 2.0 * np.arcsin(k * ellipj(frequency * times + ellipk(k * k), k * k)[0])
    np.testing.assert_allclose(rows[:, 1], exact, atol=1e-6)


@with_library
@pytest.mark.parametrize("linear_solver", LINEAR_SOLVERS)
@pytest.mark.parametrize("method", METHODS)
def test_a_fast_decay_does_not_set_the_step(method, linear_solver):
    """With damping a million times the frequency an explicit step is 1e-6 s, while x = exp(-t w / (2 D)) changes in 1e6
    s.
    """
    damping = 5e5
    s = problems.system(problems.OSCILLATOR, [1.0], [0.0], frequency=1.0, damping=damping)
    run, _, rows = ended(s, settings(method, linear_solver), 100.0, 10.0)
    assert run.statistics.steps < 200
    np.testing.assert_allclose(rows[:, 1], np.exp(-rows[:, 0] / (2.0 * damping)), atol=2e-6)


@with_library
@pytest.mark.parametrize("method", METHODS)
def test_what_is_counted(method):
    """A Jacobian of the oscillator takes one evaluation with the positions eliminated, and two in full."""
    for linear_solver, each in (("structured", 1), ("block-gauss", 1), ("dense", 2)):
        s = problems.oscillator(work=True)
        run, _, _ = ended(s, settings(method, linear_solver), 8.0, 20.0)
        found = run.statistics
        assert found.jacobians > 0
        assert found.evaluations_for_jacobians == each * found.jacobians
        assert s.parameters.calls[0] == found.evaluations
        assert found.rejected == found.failed_error_tests + found.failed_correctors
        assert found.evaluations > found.evaluations_for_jacobians + 4 * found.steps


def test_a_step_that_is_tried_again_tells_why_by_its_length():
    """It is a quarter after the corrector failed (ETACF of CVODE, likewise IDA); any other ratio is due to the error
    test.
    """
    counts, rejected = np.zeros(4, dtype=np.int64), np.zeros(1, dtype=np.int64)
    trial = sundials._Trial(SimpleNamespace(counts=SimpleNamespace(rejected=rejected)), counts)
    trial.begin(1.0)
    for end in (1.8, 1.2, 1.2, 1.1, 1.025):
        trial.evaluated(end)
    assert counts[sundials.FAILED_CORRECTORS] == 2
    assert counts[sundials.FAILED_ERROR_TESTS] == 1
    assert rejected[0] == 3


@with_library
@pytest.mark.parametrize("method", METHODS)
def test_a_kink_of_the_motion_begins_anew(method):
    """The speed of a ramp that ends at 0.3 s is 6 v (t^2 / 2 tc - t^3 / 3 tc^2) / tc: cubic up to the kink."""
    s = problems.system(problems.RAMP, [0.0], [0.0], speed=2.0, ramp_time=0.3, stops=(0.3,))
    _, times, rows = ended(s, settings(method), 1.0)
    x = np.minimum(times / 0.3, 1.0)
    np.testing.assert_allclose(rows[:, 2], 2.0 * x * x * (3.0 - 2.0 * x), atol=2e-5)
    assert 0.3 in problems.accepted_times(s)


@with_library
@pytest.mark.parametrize("method", METHODS)
def test_a_resumed_run_agrees_within_the_tolerance(method):
    _, _, rows = ended(problems.oscillator(work=True), settings(method), 8.0)
    run = integrator_for(problems.oscillator(work=True), settings(method), 0.05)
    run.advance(3.3)
    saved = run.snapshot()
    again = integrator_for(problems.oscillator(work=True), settings(method), 0.05)
    again.restore(saved)
    assert again.statistics == run.statistics
    assert again.advance(8.0) == Status.REACHED_END
    np.testing.assert_allclose(again.take_rows()[1], rows, atol=5e-5)  # 50 tolerances of speed, as above
    assert again.statistics.jacobians > run.statistics.jacobians
    explicit = integrator_for(problems.oscillator(work=True), SolverSettings(), 0.05)
    with pytest.raises(InputError, match="checkpoint"):
        again.restore(explicit.snapshot())


def loaded():
    return small_drives.two_wheels(second={"load_torque": 5.0}, link_damping=100.0)


def rolling():
    return small_drives.compiled(loaded())


@with_library
@pytest.mark.parametrize(
    ("method", "linear_solver"),
    [
        ("bdf", "structured"),
        ("bdf", "dense"),
        pytest.param("bdf", "block-gauss", marks=pytest.mark.long),
        ("ida", "structured"),
    ],
)
def test_a_roller_drive_moves_as_by_dormand_prince(method, linear_solver):
    until = 2e-3
    s = rolling()
    by_rk, _, _ = ended(s, small_drives.TIGHT, until, until)
    run, _, _ = ended(rolling(), settings(method, linear_solver, 1e-10), until, until)
    n, work = s.positions, s.kinds == Kind.WORK
    np.testing.assert_allclose(run.state[:n], by_rk.state[:n], atol=2e-8)
    np.testing.assert_allclose(run.state[work], by_rk.state[work], atol=1e-5 * np.abs(by_rk.state[work]).max())


@with_library
def test_all_linear_solvers_solve_the_same_equations():
    """(1 - g J) z = r against a dense solution with the Jacobian in full, for a chain with wheels."""
    from chaindrive.solvers.newton import BlockGauss, Jacobian, Structured

    s = rolling()
    y, dy, n = s.state, small_drives.rates(s, s.state), s.positions
    s.kernels.begin(0.0, y, s.parameters)

    def evaluate(t, y, dy):
        s.kernels.rhs(t, y, dy, s.parameters)

    tolerance = np.full(y.size, np.inf)
    tolerance[:n] = 1e-8
    tolerance[n : n + s.velocities] = 1e-4
    evaluate(0.0, y, dy)
    g = 2e-5
    jacobian, _ = Jacobian(s, tolerance).at(0.0, y, dy)
    kept = np.flatnonzero(s.kinds != Kind.WORK)
    r = np.where(np.isfinite(tolerance), tolerance * np.random.default_rng(3).normal(size=y.size), 0.0)
    exact = np.linalg.solve(np.eye(kept.size) - g * jacobian[np.ix_(kept, kept)], r[kept])
    for kind in (BlockGauss, Structured):
        matrix = kind(s, evaluate, tolerance)
        matrix.factorise(0.0, y, dy, g)
        found = matrix.solve(0.0, y, dy, r, g)[kept]
        np.testing.assert_allclose(found / tolerance[kept], exact / tolerance[kept], atol=2e-3)
        np.testing.assert_allclose(matrix.solve(0.0, y, dy, r, 3.0 * g)[kept], 0.5 * found, rtol=1e-12)


@with_library
@pytest.mark.parametrize("linear_solver", ["dense", pytest.param("block-gauss", marks=pytest.mark.long)])
def test_quaternions_with_every_linear_solver(linear_solver):
    """Euler's top; the contract tests of solvers cover the structured one."""
    _, _, rows = ended(euler_top.euler_top(), settings("bdf", linear_solver, 1e-9), 0.5, 0.05)
    momentum = euler_top.angular_momentum(rows)
    np.testing.assert_allclose(momentum, np.broadcast_to(momentum[0], momentum.shape), atol=1e-6)


@with_library
@pytest.mark.parametrize("method", METHODS)
def test_an_exact_preconditioner_ends_gmres_after_one_iteration(method, monkeypatch):
    """A second iteration would request a product (p) that does not follow a solution (s) of new equations."""
    from chaindrive.solvers.newton import NewtonMatrix
    from chaindrive.solvers.sundials import _Equations

    order: list[str] = []
    solve, product = NewtonMatrix.solve, _Equations.product
    monkeypatch.setattr(NewtonMatrix, "solve", lambda *given: (order.append("s"), solve(*given))[1])
    monkeypatch.setattr(_Equations, "product", lambda *given: (order.append("p"), product(*given))[1])
    s = problems.system(problems.PENDULUM, [2.0], [0.0], frequency=3.0)
    run, _, _ = ended(s, settings(method), 5.0)
    found = "".join(order)
    assert found.count("p") > run.statistics.steps / 2
    assert "pp" not in found


@with_library
@pytest.mark.parametrize("linear_solver", ["block-gauss", "structured"])
@pytest.mark.parametrize("method", ["bdf", "ida"])
def test_an_equation_that_stays_singular_is_told_by_its_position(method, linear_solver, monkeypatch):
    # A row and a column vanish, whatever the step.
    def vanishing(function):
        def of(s):
            for row in (s.diagonal[5, 1], s.upper[5, 1], s.lower[5, 1], s.right[5, 1]):
                row[:] = 0.0
            for column in (s.diagonal[5, :, 1], s.upper[4, :, 1], s.lower[6, :, 1], s.below[5, :, 1]):
                column[:] = 0.0
            return function(s)

        return of

    for name in ("full_matrix", "factorise"):
        monkeypatch.setattr(newton, name, vanishing(getattr(newton, name)))
    system = rolling()
    run = integrator_for(system, settings(method, linear_solver), save_interval=1e-3)
    status = run.advance(1e-3)
    assert status == Status.STEP_TOO_SMALL
    block = structure_of(system).chain[5]
    assert status.where.split(",")[0] in {system.story.name_of(int(at)) for at in block}


def test_a_step_that_was_asked_for_is_the_longest():
    run, _, _ = ended(problems.oscillator(), settings("bdf", step=2e-3), 1.0)
    assert run.statistics.largest_step <= 2e-3 * (1.0 + 1e-12)


@with_library
def test_an_unknown_linear_solver_is_told():
    with pytest.raises(InputError, match="dense, block-gauss, structured"):
        integrator_for(problems.oscillator(), settings("bdf", "sparse"), 0.1)


@with_library
def test_a_drive_runs_and_its_results_tell_what_it_cost(tmp_path):
    drive = loaded()
    solution = cd.simulate(drive, "1 ms", solver="bdf", output=tmp_path / "a.nc")
    assert solution.status == Status.REACHED_END
    assert solution.statistics["jacobians"] > 0
    assert solution.statistics["evaluations_for_jacobians"] < solution.statistics["evaluations"]
    assert solution.notes["jacobians_by"] == "formulas"
    resumed = cd.simulate(drive, "2 ms", solver="bdf", output=tmp_path / "a.nc", resume=True)
    assert resumed.status == Status.REACHED_END
    assert resumed.statistics["jacobians"] > solution.statistics["jacobians"]


def without_library(monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "sksundae", None)


@pytest.mark.parametrize("method", METHODS)
def test_without_the_library_the_command_is_told(method, monkeypatch):
    without_library(monkeypatch)
    with pytest.raises(InputError) as caught:
        integrator_for(problems.oscillator(), settings(method), 0.1)
    (problem,) = caught.value.problems
    assert problem.place == "run.solver.method"
    assert "pip install chaindrive[sundials]" in problem.message


def test_without_the_library_the_command_line_shows_no_traceback(monkeypatch, tmp_path, capsys):
    without_library(monkeypatch)
    target = tmp_path / "drive.toml"
    target.write_text(loaded().to_toml())
    with pytest.raises(SystemExit) as ending:
        main(["run", str(target), "--solver", "bdf", "--until", "1 ms", "-o", str(tmp_path / "out.nc")])
    assert ending.value.code == 1
    told = capsys.readouterr().err
    assert "pip install chaindrive[sundials]" in " ".join(told.split())
    assert "Traceback" not in told
