"""BDF and IDA of SUNDIALS (Hindmarsh et al., ACM Trans. Math. Softw. 31, 2005), through the library scikit-sundae.

``bdf`` is CVODE: backward differentiation formulas of order 1 to 5 for dx/dt = f. ``ida`` is IDA, the successor of
DASSL, with the same formulas for the residual form (Hippmann, Arnold & Schittenhelm 2005, Eq. 19), here divided by the
masses: F = dx/dt - f = 0. The library takes one step at a time; everything else is the same as for every other method
(see ``library_steps.py``, also for works).

The library solves its linear equations by a dense LU factorisation for all states, or by a Krylov method with a
preconditioner. With an exact preconditioner (``newton.py``) the latter becomes a direct solver: GMRES ends after one
iteration.

A snapshot does not contain the history of the formulas. After ``restore``, and after a stop (a kink of a motion), a
method restarts with order 1, so a resumed run agrees with an uninterrupted run within the tolerances, but not bit for
bit.
"""

from __future__ import annotations

import contextlib
import io
import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import astuple
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.contract.states import FloatArray, Kind
from chaindrive.contract.status import Status
from chaindrive.contract.system import System
from chaindrive.errors import InputError, Problem
from chaindrive.solvers.control import ROUNDING, Control, bound_kernel
from chaindrive.solvers.integrator import BUDGET_STEPS, ImplicitStatistics, Integrator, SolverSettings
from chaindrive.solvers.library_steps import HAND_OVER
from chaindrive.solvers.newton import BlockGauss, Jacobian, NewtonMatrix, SingularMatrixError, Structured
from chaindrive.solvers.runge_kutta import preparing

__all__ = ["Sundials"]

LINEAR_SOLVERS: Mapping[str, type[NewtonMatrix] | None] = {
    "dense": None,
    "block-gauss": BlockGauss,
    "structured": Structured,
}
"""Solvers of the equations of the corrector; None means that SUNDIALS solves them."""
SHORTER = 0.1
"""Factor by which a step is shortened when it is repeated because of a non-finite derivative or a singular matrix.
[-]"""
TRIALS = 8
"""Largest number of such repetitions."""
AFTER_FAILED_CORRECTOR = 0.25
"""Factor by which SUNDIALS shortens the step after a corrector that did not converge. [-]"""
SAME = 1e-6
"""Relative accuracy with which the ratio of steps is compared with AFTER_FAILED_CORRECTOR. [-]"""
AT_ONCE = 1_000_000
"""Number of states times number of steps between two returns of ``advance``; for dense factorisations number of matrix
entries times number of steps."""
COUNTS = "implicit"
"""Name of the counts in a snapshot."""
JACOBIANS, FOR_JACOBIANS, FAILED_ERROR_TESTS, FAILED_CORRECTORS = range(4)
"""Indices of the counts, in the order of the fields of ``ImplicitStatistics`` after ``mean_step``."""
NOT_A_NUMBER, STEP_TOO_SMALL = Status.NOT_A_NUMBER.code, Status.STEP_TOO_SMALL.code


class Sundials(Integrator):
    """An integrator whose steps are taken by SUNDIALS. Raises InputError as ``Integrator`` does, and if scikit-sundae
    is not installed.
    """

    def __init__(
        self,
        system: System,
        settings: SolverSettings,
        save_interval: float,
        chunk_rows: int = 500,
        t_start: float = 0.0,
    ) -> None:
        super().__init__(system, settings, save_interval, chunk_rows, t_start)
        if settings.linear_solver not in LINEAR_SOLVERS:
            message = f"Known linear solvers: {', '.join(LINEAR_SOLVERS)}."
            raise InputError(Problem("run.solver.linear_solver", message, settings.linear_solver))
        matrix = LINEAR_SOLVERS[settings.linear_solver]
        self._most_steps = max(1, AT_ONCE // system.state.size ** (1 if matrix is Structured else 2))
        self._loop, self._advance = self._advance, self._go
        rhs = system.kernels.rhs
        self._find_first_step = bound_kernel(preparing(rhs, 1), rhs)
        self._longest_step = settings.step or 0.0
        self._counts = np.zeros(4, dtype=np.int64)
        self._equations = _Equations(system, self._control, self._counts, matrix)
        self._solver = SOLVERS[settings.method](_library(settings.method), self._equations, self._control)
        self._reached = math.nan
        self._singular = -1

    def compile(self) -> None:
        """Load or compile the loop and everything that it calls, without taking a step."""
        self._loop.compile_for(self._control, self._system.parameters, self._aside)  # type: ignore[attr-defined]

    @property
    def statistics(self) -> ImplicitStatistics:
        """Steps, evaluations, Jacobians, failures and step sizes since ``t_start``."""
        return ImplicitStatistics(*astuple(super().statistics), *self._counts.tolist())

    def snapshot(self) -> dict[str, NDArray[Any]]:
        """Return copies of everything needed to continue, except the history of the method, which restarts with order
        1.
        """
        return super().snapshot() | {COUNTS: self._counts.copy()}

    def restore(self, snapshot: dict[str, NDArray[Any]]) -> None:
        """Continue from a snapshot, with order 1. Raises InputError, and changes nothing, if the snapshot does not fit
        this run.
        """
        if COUNTS not in snapshot:
            raise InputError(Problem("checkpoint", "It was not written by an implicit method."))
        super().restore(snapshot)
        self._counts[:] = snapshot[COUNTS]
        self._reached = math.nan

    def change_loads(self) -> None:
        """Do the same as ``Integrator.change_loads``; the history of the method contains old rates, so the method
        restarts with order 1.
        """
        super().change_loads()
        self._reached = math.nan

    def advance(self, until: float, budget_steps: int = BUDGET_STEPS) -> Status:
        """Do the same as ``Integrator.advance``, but return after fewer steps if each step takes long."""
        return super().advance(until, min(budget_steps, self._most_steps))

    def _go(self, control: Control, parameters: Any, aside: Any) -> int:
        """Run the loop, with a step of SUNDIALS whenever the loop needs one; return the code of a Status."""
        while (code := self._loop(control, parameters, aside)) == HAND_OVER:
            control.counts.budget[0] += 1  # the loop counts a step when it requests it, and when it receives it
            if hindrance := self._take_step():
                return hindrance
        return code

    def _take_step(self) -> int:
        """Write the result of one step of SUNDIALS into ``trial``; return 0, or the code of the Status if the step is
        impossible.
        """
        c = self._control
        begin, target = self.time, float(c.times.segment_end[0])
        shortest = ROUNDING * max(abs(begin), abs(float(c.times.end[0])))
        fresh = self._reached != begin
        if fresh:
            self._begin_anew(0.0)
        self._reached = math.nan  # in case an exception ends the step
        while True:
            self._equations.trial.begin(begin)
            try:
                flag, time, x = self._solver.step(target)
            except (_NotFiniteError, SingularMatrixError) as error:
                self._singular = error.unknown if isinstance(error, SingularMatrixError) else -1
                c.counts.rejected[0] += 1
                c.counts.not_finite[0] += 1
                tried = self._equations.trial.end - begin
                if c.counts.not_finite[0] > TRIALS or not SHORTER * tried > shortest:
                    return NOT_A_NUMBER if self._singular < 0 else STEP_TOO_SMALL
                self._begin_anew(SHORTER * tried)
                continue
            if flag >= 0:
                break
            if fresh:
                return STEP_TOO_SMALL
            fresh = True
            self._begin_anew(0.0)
        if not time - begin > shortest and time < target:
            return NOT_A_NUMBER if c.counts.not_finite[0] > 0 else STEP_TOO_SMALL
        c.counts.not_finite[0] = 0
        self._singular = -1
        c.trial[:] = c.state
        c.trial[self._equations.kept] = x
        c.times.segment_end[0] = time
        c.counts.segment_steps[0] = 1
        self._reached = math.nan if time in c.stops else time
        return 0

    def _fault(self) -> int:
        return self._singular

    def _begin_anew(self, first_step: float) -> None:
        """Restart with order 1 at the present state; first_step [s]: 0 if it is to be found from the derivatives."""
        c = self._control
        c.times.next_step[0] = first_step or self._longest_step
        self._find_first_step(c, self._system.parameters)
        first = min(float(c.times.next_step[0]), float(c.times.segment_end[0]) - self.time)
        self._solver.begin(self.time, first, self._longest_step)


class _NotFiniteError(ArithmeticError):
    """Raised if a derivative is infinite or not a number."""


class _Trial:
    """The steps that SUNDIALS tries, inferred from its evaluations because scikit-sundae does not report failures."""

    def __init__(self, control: Control, counts: NDArray[np.int64]) -> None:
        self._rejected, self._counts = control.counts.rejected, counts
        self.start = self.end = math.nan

    def begin(self, time: float) -> None:
        """Record the time at which a step begins. [s]"""
        self.start = self.end = time

    def evaluated(self, time: float) -> None:
        """Record that the corrector evaluates at this time, which is the end of the step that is being tried. [s]"""
        if time == self.end or not time > self.start:
            return
        if self.end > self.start:
            ratio = (time - self.start) / (self.end - self.start)
            corrector = math.isclose(ratio, AFTER_FAILED_CORRECTOR, rel_tol=SAME)
            self._counts[FAILED_CORRECTORS if corrector else FAILED_ERROR_TESTS] += 1
            self._rejected[0] += 1
        self.end = time


class _Equations:
    """The differential equations dx/dt = f(t, x) and the equations of the corrector for SUNDIALS; x: all states except
    works, in their order.
    """

    def __init__(
        self, system: System, control: Control, counts: NDArray[np.int64], kind: type[NewtonMatrix] | None
    ) -> None:
        self._rhs, self._parameters = system.kernels.rhs, system.parameters
        self._evaluations, self._counts = control.counts.evaluations, counts
        self.kept = np.flatnonzero(system.kinds != Kind.WORK)
        self.trial = _Trial(control, counts)
        self._y, self._dy, self._r = (np.zeros(system.state.size) for _ in range(3))
        self.matrix = None if kind is None else kind(system, self._evaluate, control.tolerance)
        self._jacobian = Jacobian(system, control.tolerance) if kind is None else None
        self._last = _Solved(self._r, self._r, 1.0)

    def rates(self, t: float, x: FloatArray, found: FloatArray) -> None:
        """Write dx/dt into ``found``, (n,). Raises _NotFiniteError."""
        self.trial.evaluated(t)
        self._y[self.kept] = x
        self._evaluate(t, self._y, self._dy)
        found[:] = self._dy[self.kept]
        if not math.isfinite(found.sum()):
            raise _NotFiniteError

    def jacobian(self, t: float, x: FloatArray, dx: FloatArray) -> FloatArray:
        """Return df/dx at x, where dx is the derivative, (n, n)."""
        assert self._jacobian is not None
        self._place(x, dx)
        full, taken = self._jacobian.at(t, self._y, self._dy)
        self._count(taken)
        return full[np.ix_(self.kept, self.kept)]

    def factorise(self, t: float, x: FloatArray, dx: FloatArray, g: float) -> None:
        """Compute the Jacobian at x and factorise 1 - g J. Raises SingularMatrixError."""
        assert self.matrix is not None
        self._place(x, dx)
        self._count(self.matrix.factorise(t, self._y, self._dy, g))

    def solve(self, t: float, x: FloatArray, dx: FloatArray, r: FloatArray, g: float) -> FloatArray:
        """Return the solution z of (1 - g J) z = r, (n,)."""
        if self._last.asked:  # state of the sequence after ``product``
            self._last = self._last._replace(asked=False)
            return self._last.share * self._last.z
        assert self.matrix is not None
        self._place(x, dx)
        self._r[self.kept] = r
        z = self.matrix.solve(t, self._y, self._dy, self._r, g)[self.kept]
        self._last = _Solved(r.copy(), z)
        return z

    def product(self, v: FloatArray) -> FloatArray:
        """Return (1 - g J) v for the v that GMRES passes. This is a multiple of the last solution z, so that GMRES ends
        with this solution.
        """
        r, z = self._last.r, self._last.z
        largest = int(np.abs(z).argmax())
        self._last = _Solved(r, z, v[largest] / z[largest], asked=True)
        return self._last.share * r

    def _place(self, x: FloatArray, dx: FloatArray) -> None:
        self._y[self.kept], self._dy[self.kept] = x, dx

    def _evaluate(self, t: float, y: FloatArray, dy: FloatArray) -> None:
        self._rhs(t, y, dy, self._parameters)
        self._evaluations[0] += 1

    def _count(self, evaluations: int) -> None:
        """Count a Jacobian and its evaluations."""
        self._evaluations[0] += evaluations
        self._counts[JACOBIANS] += 1
        self._counts[FOR_JACOBIANS] += evaluations


class _Solved(NamedTuple):
    """The last equations that were solved."""

    r: FloatArray
    z: FloatArray
    share: float = 0.0
    """Multiple of z for which GMRES has requested the product. [-]"""
    asked: bool = False
    """Whether GMRES has requested the product and will request the solution for it next."""


class _Solver(ABC):
    """A solver of SUNDIALS, which can be restarted and takes steps."""

    def __init__(self, library: Any, equations: _Equations, control: Control) -> None:
        self._library, self._equations, self._control = library, equations, control
        self._messages = io.StringIO()
        kept = equations.kept
        self._options: dict[str, Any] = {
            "rtol": float(control.times.relative_tolerance[0]),
            "atol": control.tolerance[kept],
            "linsolver": "dense" if equations.matrix is None else "gmres",
        }

    def begin(self, time: float, first_step: float, longest_step: float) -> None:
        """Restart with order 1 at the present state; longest_step: 0 for no limit. [s]"""
        kept = self._equations.kept
        steps = {"first_step": first_step, "max_step": longest_step}
        self._solver = self._made(self._options | steps)
        self._start(time, self._control.state[kept], self._control.derivative[kept])

    def step(self, target: float) -> tuple[int, float, FloatArray]:
        """Take one step that does not go beyond target [s]; return the flag of SUNDIALS, negative if the step failed,
        and the time and the state reached.
        """
        with contextlib.redirect_stdout(self._messages):  # it prints why it fails
            found = self._solver.step(target, method="onestep", tstop=target)
        return found.status, found.t, found.y

    @abstractmethod
    def _made(self, options: dict[str, Any]) -> Any:
        """Make a solver of the library."""

    @abstractmethod
    def _start(self, time: float, x: FloatArray, dx: FloatArray) -> None:
        """Pass the initial state to the solver."""


class _Cvode(_Solver):
    """The CVODE solver, for dx/dt = f(t, x)."""

    def _made(self, options: dict[str, Any]) -> Any:
        equations, library = self._equations, self._library
        g = 0.0

        def rates(t, x, dx):
            equations.rates(t, x, dx)

        def jacobian(t, x, dx, found):
            found[:] = equations.jacobian(t, x, dx)

        def factorise(t, x, dx, kept, anew, gamma):
            equations.factorise(t, x, dx, gamma)
            anew[0] = 1

        def solve(t, x, dx, r, z, gamma, delta, side):
            nonlocal g
            g = gamma
            z[:] = equations.solve(t, x, dx, r, gamma)

        def product(t, x, dx, v, found):
            found[:] = (v - equations.product(v)) / g

        if equations.matrix is None:
            options = options | {"jacfn": jacobian}
        else:
            options = options | {
                "precond": library.CVODEPrecond(factorise, solve),
                "jactimes": library.CVODEJacTimes(None, product),
            }
        return library.CVODE(rates, method="BDF", **options)

    def _start(self, time: float, x: FloatArray, dx: FloatArray) -> None:
        self._solver.init_step(time, x)


class _Ida(_Solver):
    """The solver IDA for F(t, x, x') = x' - f(t, x) = 0; the matrix of its corrector is c - J = (1 - J / c) c."""

    def _made(self, options: dict[str, Any]) -> Any:
        equations, library = self._equations, self._library

        def residual(t, x, dx, found):
            equations.rates(t, x, found)
            found[:] = dx - found

        def jacobian(t, x, dx, residual, c, found):
            found[:] = -equations.jacobian(t, x, dx - residual)
            found[np.diag_indices_from(found)] += c

        def factorise(t, x, dx, residual, c):
            equations.factorise(t, x, dx - residual, 1.0 / c)

        def solve(t, x, dx, residual, r, z, c, delta):
            z[:] = equations.solve(t, x, dx - residual, r / c, 1.0 / c)

        def product(t, x, dx, residual, v, found, c):
            found[:] = c * equations.product(v)

        if equations.matrix is None:
            options = options | {"jacfn": jacobian}
        else:
            options = options | {
                "precond": library.IDAPrecond(factorise, solve),
                "jactimes": library.IDAJacTimes(None, product),
            }
        return library.IDA(residual, **options)

    def _start(self, time: float, x: FloatArray, dx: FloatArray) -> None:
        self._solver.init_step(time, x, dx)


SOLVERS: Mapping[str, type[_Solver]] = {"bdf": _Cvode, "ida": _Ida}


def _library(method: str) -> Any:
    """Return the module of scikit-sundae for a method. Raises an InputError that states how to install it."""
    try:
        from sksundae import cvode, ida
    except ImportError as error:
        message = (
            "The methods 'bdf' and 'ida' need the library scikit-sundae, which is not installed: "
            f"pip install chaindrive[sundials] ({error})"
        )
        raise InputError(Problem("run.solver.method", message, method)) from None
    return cvode if method == "bdf" else ida
