"""Forces in the individual plates of a rocker-pin chain: pins are beams, plates are springs in rows that can only pull.

Pfeiffer, Fritz & Srnik (1997), section 4.1, model "the pair of rocker pins as bending beams and the plates as linear
springs", but print no equations. Plate q of link j lies in the row z_q, and

    F_q = k (c_j + w_j+1(z_q) - w_j(z_q)) >= 0,        sum of F_q over the link = T_j

with the elongation c_j of the link as a whole and w_i the deflection of pin i (``physics.bending_pin``) under the
plates of link i, which pull it forward, those of link i - 1, the friction f_i on each of its ends, the moments Q_i e of
the thrust, and its inertia, which balances the other loads and is spread evenly over the rows. A pin that tilts by b_i
adds b_i z to w_i. The forces minimise the energy, so that the equations are symmetric:

    F + k D' G D F + D' Z b - E' c = s - k D' w,        Z' D F = 0,        E F = T

D is +1 for the plates of link i on pin i and -1 for those of link i - 1; G is the flexibility of the beam, w the
deflection by all other loads. s is 0 for a plate that pulls; a plate that would push has s > 0 and no force
(complementarity: F >= 0, s >= 0, F s = 0). Turning all pins by the same angle stretches no plate, so b_0 = 0. The
matrix depends only on the chain. It is factorised once and solved for loads on one period; the solutions for loads on
the other periods are copies.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from chaindrive.errors import ComputationError
from chaindrive.physics.bending_pin import bent_by_end_moments, bent_by_force
from chaindrive.solvers.complementarity import Outcome, solve_lcp

__all__ = ["PlateRows", "PlateSystem"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

ROUNDING = 1e-9
"""A plate that pushes with less than this fraction of the largest load counts as not pushing (rounding). [-]"""
SLACKNESS = 1e-9
"""Number added to the diagonal of the complementarity problem: a link whose plates are all slack would otherwise have
no stiffness. [-]"""


class PlateRows(NamedTuple):
    """Plates and pins of a chain across its width."""

    links: int
    """Number of links N, a multiple of the period of the pattern"""
    pattern: tuple[int, ...]
    """For each of the R rows, from one side to the other, the index of the link within a period that has a plate there,
    (R,)"""
    row_pitch: float
    """Distance between neighbouring rows [m]"""
    pin_length: float
    """[m]"""
    plate_stiffness: float
    """Stiffness of one plate, k [N/m]"""
    bending_stiffness: float
    """Bending stiffness of a pair of pins, EI [N m^2]"""

    @property
    def places(self) -> FloatArray:
        """Distance of every row from the middle of the pin, (R,). [m]"""
        rows = len(self.pattern)
        return np.asarray((np.arange(rows) - 0.5 * (rows - 1)) * self.row_pitch, dtype=np.float64)


class PlateSystem:
    """Factorised equations of the plates and pins of a closed chain with N links and P plates, for any number of
    loads.
    """

    def __init__(self, rows: PlateRows) -> None:
        """Factorise the equations of these rows."""
        from scipy import sparse
        from scipy.sparse.linalg import splu

        self.rows = rows
        n, pattern = rows.links, np.array(rows.pattern)
        of_links = [np.flatnonzero(pattern == j % (pattern.max() + 1)) for j in range(n)]
        self.link: IntArray = np.repeat(np.arange(n), [each.size for each in of_links])
        """Link of every plate, (P,)."""
        self.row: IntArray = np.concatenate(of_links)
        """Row of every plate, (P,)."""
        count, size, places = self.link.size, pattern.size, rows.places
        plates = np.arange(count)
        pulled = sparse.csr_array((np.ones(count), (self.link * size + self.row, plates)), shape=(n * size, count))
        held = ((self.link + 1) % n * size + self.row, plates)
        self._on_pins = pulled - sparse.csr_array((np.ones(count), held), shape=(n * size, count))
        beam = rows.plate_stiffness * bent_by_force(places[:, None], places, rows.bending_stiffness)
        bent = sparse.block_diag([beam] * n, format="csr")
        half = 0.5 * rows.pin_length
        tilts = sparse.kron(sparse.eye_array(n), places[:, None] / half, format="csc")[:, 1:]
        turned = (self._on_pins.T @ tilts).tocsc()
        together = sparse.csc_array((np.ones(count), (plates, self.link)), shape=(count, n))
        compliance = sparse.eye_array(count) + self._on_pins.T @ bent @ self._on_pins
        matrix = [[compliance, turned, -together], [turned.T, None, None], [together.T, None, None]]
        self._factors = splu(sparse.block_array(matrix, format="csc"))
        stiff, bending = rows.plate_stiffness, rows.bending_stiffness
        by_ends = bent_by_force(places, half, bending) + bent_by_force(places, -half, bending)
        self._shapes = (stiff * by_ends, stiff * bent_by_end_moments(places, bending), beam.mean(axis=1))
        self._by_tension, self._by_friction, self._by_moment = self._influences(pattern.max() + 1)
        right = np.zeros((self._factors.shape[0], size))
        right[:size] = np.eye(size)
        self._by_slack: FloatArray = self._factors.solve(right)[:count]

    def forces(self, tension: ArrayLike, end_force: ArrayLike, end_moment: ArrayLike) -> FloatArray:
        """Return the force of every plate at M instants, (M, P). [N]

        tension (M, N) [N]: tension of every link; a link under compression counts as slack. end_force (M, N) [N]: force
        on each end of every pin, towards the next pin. end_moment (M, N) [N m]: moment on both ends of every pin,
        bending them towards the next pin. Raises ComputationError if no forces are found, for example if values are not
        finite.
        """
        pull = np.maximum(np.atleast_2d(np.asarray(tension, dtype=np.float64)), 0.0)
        friction, moment = (np.asarray(each, dtype=np.float64) for each in (end_force, end_moment))
        known = np.isfinite(pull) & np.isfinite(friction) & np.isfinite(moment)
        if not known.all():
            raise ComputationError("Plate forces can be computed only from finite loads.")
        found = pull @ self._by_tension + friction @ self._by_friction + moment @ self._by_moment
        arm = np.ptp(self.rows.places)
        size = pull.max(axis=1) + 2.0 * np.abs(friction).max(axis=-1) + np.abs(moment).max(axis=-1) / arm
        least = -ROUNDING * size
        for m in np.flatnonzero(found.min(axis=1) < least):
            found[m] += self._relieved(found[m], least[m])
        return np.maximum(found, 0.0)

    def extension(self) -> float:
        """Mean elongation of a link per unit of tension when all links have the same tension. [m/N]"""
        n = self.rows.links
        right = np.zeros(self._factors.shape[0])
        right[-n:] = 1.0
        return float(self._factors.solve(right)[-n:].mean()) / self.rows.plate_stiffness

    def _influences(self, period: int) -> FloatArray:
        """Return plate forces, negative if a plate would push, (3, N, P): per unit of the tension of each link, of the
        friction force on each end of each pin, and of the moment on both ends of each pin. [-, -, 1/m]
        """
        n, count, size = self.rows.links, self.link.size, len(self.rows.pattern)
        units = np.zeros((3, 3 * period, n))
        for load in range(3):
            units[load, load * period : (load + 1) * period, :period] = np.eye(period)
        pull, friction, moment = units
        inertia = np.roll(pull, 1, axis=1) - pull - 2.0 * friction
        loads = zip((friction, moment, inertia), self._shapes, strict=True)
        deflected = sum(load[..., None] * shape for load, shape in loads).reshape(3 * period, -1)
        right = np.zeros((self._factors.shape[0], 3 * period))
        right[:count] = -(self._on_pins.T @ deflected.T)
        right[-n:] = pull.T
        first = self._factors.solve(right)[:count].T.reshape(3, period, count)
        return np.concatenate([np.roll(first, k * size, axis=-1) for k in range(n // period)], axis=1)

    def _relieved(self, force: FloatArray, least: float) -> FloatArray:
        """Return the change in the plate forces when plates that would push become slack, (P,). [N]

        The complementarity problem contains only plates that push, and plates that start to push as a result. As soon
        as none of the others pushes, its solution is the solution for all plates.
        """
        pushing = np.flatnonzero(force < least)
        while True:
            responses = np.column_stack([self._response(int(plate)) for plate in pushing])
            matrix = responses[pushing] + SLACKNESS * np.eye(pushing.size)
            solved = solve_lcp(matrix, force[pushing])
            if solved.outcome != Outcome.SOLVED:
                raise ComputationError(f"Plate forces could not be computed: {solved.outcome.meaning}")
            change = responses @ solved.x
            more = np.setdiff1d(np.flatnonzero(force + change < least), pushing)
            if not more.size:
                return np.asarray(change)
            pushing = np.union1d(pushing, more)

    def _response(self, plate: int) -> FloatArray:
        """Return the forces of all plates per unit of s of one plate, (P,). [-]"""
        size = len(self.rows.pattern)
        return np.roll(self._by_slack[:, plate % size], plate - plate % size)
