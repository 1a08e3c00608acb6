"""The linear equations in the corrector of an implicit method, solved with the structure of a drive.

For x = [q, v], dx/dt = f(t, x), the corrector of a method solves, in a simplified Newton iteration,

    (1 - g J) z = r        J = df/dx, g: step times a coefficient of the method

Here v contains the velocities and all other states (pressures), except works, on which the motion does not depend. With
dq/dt = v, elimination of z_q leaves ("block Gauss": Hippmann, Arnold & Schittenhelm 2005, Eq. 22)

    (1 - g A_v - g^2 A_q) z_v = r_v + g A_q r_q        z_q = r_q + g z_v

with the derivatives A of dv/dt. ``linearising.py`` fills this matrix; the remaining term on the right-hand side is one
difference along r_q. If dq/dt = N(q) v (quaternions), N z_v replaces z_v in z_q, and the derivative of N is omitted: it
is of the order of the angle turned in a step, which slows the iteration slightly.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

import numpy as np

from chaindrive.contract.states import FloatArray
from chaindrive.contract.system import System
from chaindrive.solvers.elimination import factorise, solve
from chaindrive.solvers.linearising import linearise_of
from chaindrive.solvers.structure import SHIFT, full_matrix, structure_of

__all__ = ["BlockGauss", "Jacobian", "NewtonMatrix", "SingularMatrixError", "Structured"]

Evaluate = Callable[[float, FloatArray, FloatArray], None]
"""(t, y, dy): writes the derivative of all states into dy, and counts the evaluations."""

NOTHING = 1e-30
"""Factor for the shift of states that are not to be shifted: it is so small that rounding removes the shift. [-]"""
NEGLIGIBLE = 1e-6
"""If the residual of the positions, divided by their tolerances, is below this value, its term on the right-hand side
is omitted. [-]"""


class SingularMatrixError(ArithmeticError):
    """Raised if 1 - g J is singular, so that a step of this length is impossible. unknown: index of the unknown without
    a pivot, counted after the positions.
    """

    def __init__(self, unknown: int) -> None:
        super().__init__(unknown)
        self.unknown = unknown


class NewtonMatrix(ABC):
    """The matrix 1 - g J and the solution of equations with it.

    Vectors have the size of the state; their entries for works are left unchanged. tolerance: tolerance of every state,
    (n,).
    """

    def __init__(self, system: System, evaluate: Evaluate, tolerance: FloatArray) -> None:
        self._positions, self._velocities = system.positions, system.velocities
        self._evaluate, self._parameters = evaluate, system.parameters
        self._rates_kernel = system.kernels.rates
        self._linearise = linearise_of(system.kernels)
        self._structure = structure_of(system)
        self._tolerance = tolerance[: self._positions]
        self._shifted, self._rates = np.empty(system.state.size), np.empty(system.state.size)
        self._g = 0.0

    def factorise(self, t: float, y: FloatArray, dy: FloatArray, g: float) -> int:
        """Compute J at (t, y), where dy is the derivative, and factorise the matrix; return the number of evaluations.

        Raises SingularMatrixError.
        """
        evaluations = self._linearise(t, y, dy, g * g, g, 1.0, self._structure, self._parameters)
        self._g = g
        self._factorise()
        return int(evaluations)

    def solve(self, t: float, y: FloatArray, dy: FloatArray, r: FloatArray, g: float) -> FloatArray:
        """Return the solution z for the right-hand side r, (n,). y, dy: present iterate and its derivative; g: present
        value of g, which may have changed since factorisation.

        If g differs from the value g_0 used for the factors, z is scaled by 2/(1 + g/g_0) (Hindmarsh et al. 2005).
        """
        n = self._positions
        q, v = r[:n], r[n:].copy()
        size = float(np.abs(q / self._tolerance).max(initial=0.0))
        if size > NEGLIGIBLE:
            part = SHIFT / size
            self._shifted[:] = y
            self._shifted[:n] += part * q
            self._evaluate(t, self._shifted, self._rates)
            v += self._g / part * (self._rates[n:] - dy[n:])
        z = np.empty_like(r)
        z[n:] = self._solve(v)
        z[:n] = q + self._g * self._rates_of_positions(y, z[n : n + self._velocities])
        return 2.0 / (1.0 + g / self._g) * z

    def _rates_of_positions(self, y: FloatArray, v: FloatArray) -> FloatArray:
        """Return dq/dt at y for the velocities v, (n_q,)."""
        if self._rates_kernel is None:
            return v
        found = np.empty(self._positions)
        self._rates_kernel(y[: self._positions], v, found, self._parameters)
        return found

    @abstractmethod
    def _factorise(self) -> None:
        """Factorise the matrix that is stored in the structure."""

    @abstractmethod
    def _solve(self, v: FloatArray) -> FloatArray:
        """Return the solution with the factors for the states after the positions."""


class BlockGauss(NewtonMatrix):
    """The remaining dense matrix, n_v x n_v, with Gaussian elimination."""

    def _factorise(self) -> None:
        from scipy.linalg.lapack import dgetrf

        *self._factors, info = dgetrf(full_matrix(self._structure), overwrite_a=True)
        if info > 0:  # counted from 1
            raise SingularMatrixError(info - 1)

    def _solve(self, v: FloatArray) -> FloatArray:
        from scipy.linalg.lapack import dgetrs

        return np.asarray(dgetrs(*self._factors, v)[0])


class Structured(NewtonMatrix):
    """The matrix with the structure of a closed chain and a border (Eq. 23): cyclic and block tridiagonal."""

    def _factorise(self) -> None:
        if not factorise(self._structure):
            raise SingularMatrixError(int(self._structure.fault[0]))

    def _solve(self, v: FloatArray) -> FloatArray:
        z = v.copy()
        solve(self._structure, v, z)
        return z


class Jacobian:
    """The full matrix J by differences: with the colours of a chain, or state by state if the rates of positions are
    not v.
    """

    def __init__(self, system: System, tolerance: FloatArray) -> None:
        self._positions, self._velocities = system.positions, system.velocities
        self._rhs, self._parameters = system.kernels.rhs, system.parameters
        self._shift = np.where(np.isfinite(tolerance), SHIFT * tolerance, 0.0)
        self._coloured = system.kernels.rates is None
        if self._coloured:
            self._linearise = linearise_of(system.kernels)
            self._structure = structure_of(system)

    def at(self, t: float, y: FloatArray, dy: FloatArray) -> tuple[FloatArray, int]:
        """Return J at (t, y), where dy is the derivative, as (n, n) with zero columns for works, and the number of
        evaluations.
        """
        return self._by_colours(t, y, dy) if self._coloured else self._by_states(t, y, dy)

    def _by_colours(self, t: float, y: FloatArray, dy: FloatArray) -> tuple[FloatArray, int]:
        n, full, taken = self._positions, np.zeros((y.size, y.size)), 0
        full[:n, n : n + self._velocities] = np.eye(n)
        for follow, lead in ((1.0, NOTHING), (NOTHING, 1.0)):
            taken += int(self._linearise(t, y, dy, follow, lead, -1.0, self._structure, self._parameters))
            a = full_matrix(self._structure) - np.eye(y.size - n)
            if lead == NOTHING:
                full[n:, :n] = a[:, : self._velocities]
            else:
                full[n:, n:] = a
        return full, taken

    def _by_states(self, t: float, y: FloatArray, dy: FloatArray) -> tuple[FloatArray, int]:
        full, shifted, rates = np.zeros((y.size, y.size)), y.copy(), np.empty(y.size)
        states = np.flatnonzero(self._shift)
        for j in states:
            shifted[j] = y[j] + self._shift[j]
            self._rhs(t, shifted, rates, self._parameters)
            full[:, j] = (rates - dy) / (shifted[j] - y[j])
            shifted[j] = y[j]
        return full, states.size
