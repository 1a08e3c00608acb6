"""Limit of an explicit step in a given state of a system. It follows from the highest frequency with the damping in
this state, and this frequency is found by iteration.

A step h of kick-drift-kick whose forces use a velocity predicted by v + h a + k h/2 (a - a0), with a0 from the previous
step, is stable while no eigenvalue of

    h^2/4 M^-1 K + (1 + k) h M^-1 C,    K = -dF/dq,    C = -dF/dv

is above 1. Stiffness is thus combined with the damping of the same motion, whereas separate bounds of stiffness and
damping for the entire system would combine values that never occur together. The matrix is not formed: its product with
a vector u is the difference of two evaluations, one at positions and velocities shifted along u and one shifted against
it. Repeated, this turns u into the eigenvector of the largest eigenvalue (power iteration, von Mises &
Pollaczek-Geiringer, Z. angew. Math. Mech. 9, 1929, 152-164). During a run u is kept, so that it follows changes of the
system. States other than positions and velocities are held constant.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from chaindrive.contract.kernels import Kernels
from chaindrive.contract.states import FloatArray
from chaindrive.kernels import kernel
from chaindrive.solvers.control import bound_kernel

if TYPE_CHECKING:
    from chaindrive.contract.system import System

__all__ = ["Fastest", "fastest_of", "highest_frequency", "iterating"]

SHIFT = 1e-9
"""Size of a shift: the square root of the sum of squares over all links, in which rotations are multiplied by radii of
gyration [m]. It is smaller than the penetration in a loaded contact. A link that barely touches and sticks therefore
has the same effect as in a vibration of noticeable amplitude."""
ITERATIONS = 100
"""Number of iterations, starting from a vector in which all parts move, after which the frequency is less than 1 % too
low."""


class Fastest(NamedTuple):
    """Current estimate of the fastest motion of a system with n_q positions and n_v velocities."""

    vector: FloatArray
    """Velocities of the fastest motion, (n_v,), normalised to 1 with the weights ``weight``."""
    weight: FloatArray
    """Masses divided by the median mass, zero where a motion is prescribed, (n_v,)"""
    turned: FloatArray
    """scratch: rates of the positions for the velocities ``vector``, (n_q,)"""
    shifted: FloatArray
    """scratch, (states,)"""
    ahead: FloatArray
    """scratch: rates at the state shifted along the vector, (states,)"""
    back: FloatArray
    """scratch: rates at the state shifted against the vector, (states,)"""


def fastest_of(system: System) -> Fastest:
    """Return a first estimate with a vector in which all parts move, and with scratch arrays."""
    n, m, free = system.positions, system.velocities, np.isfinite(system.masses)
    weight = np.where(free, system.masses, 0.0) / float(np.median(system.masses[free]) if free.any() else 1.0)
    vector = np.random.default_rng(0).standard_normal(m) * free
    size = math.sqrt(float(weight @ vector**2)) or 1.0
    states = system.state.size
    return Fastest(vector / size, weight, np.zeros(n), np.zeros(states), np.zeros(states), np.zeros(states))


def iterating(kernels: Kernels) -> Callable[..., float]:
    """Return the kernel iterate(t, y, h, carried, fastest, p), which performs one iteration at the state y for steps h
    [s], with two evaluations; carried: 1 + k.

    The kernel returns the frequency of an undamped oscillation with the same margin of stability for this step [rad/s],
    or 0 if there is no resistance. It updates ``fastest``.
    """
    rhs, rates = kernels.rhs, kernels.rates or _straight

    @kernel(inner=True)
    def iterate(t, y, h, carried, fastest, p):
        vector, shifted, n = fastest.vector, fastest.shifted, fastest.turned.size
        rates(y[:n], vector, fastest.turned, p)
        for side in range(2):
            by = SHIFT if side == 0 else -SHIFT
            for j in range(y.size):
                shifted[j] = y[j]
            for j in range(n):
                shifted[j] += by * fastest.turned[j]
            for j in range(vector.size):
                shifted[n + j] += by * 4.0 * carried / h * vector[j]
            rhs(t, shifted, fastest.ahead if side == 0 else fastest.back, p)
        square = 0.0
        for j in range(vector.size):
            change = 0.5 * (fastest.back[n + j] - fastest.ahead[n + j]) / SHIFT
            shifted[n + j] = change
            square += fastest.weight[j] * change * change
        if not 0.0 < square < math.inf:  # isfinite subtracts a sum from itself, which is 0 where sums may be reordered
            return 0.0
        size = math.sqrt(square)
        for j in range(vector.size):
            vector[j] = shifted[n + j] / size
        return math.sqrt(size)

    return iterate


@kernel(inline=True)
def _straight(q, v, dq, p):
    """Write the rates of positions that are equal to the velocities."""
    for j in range(q.size):
        dq[j] = v[j]


def highest_frequency(system: System, carried: float = 1.0, iterations: int = ITERATIONS) -> float:
    """Return the frequency c + sqrt(c^2 + w^2) of the fastest motion at the state of a system; see ``Motion``. [rad/s]

    carried: weight of damping, 1 + k in the formula of the module. The memory is unchanged, but scratch arrays change.
    """
    search, guess = _searching(system.kernels), system.motion.highest_frequency
    return float(search(system.state, guess, iterations, carried, fastest_of(system), system.parameters))


@functools.cache
def _searching(kernels: Kernels) -> Any:
    """Return the kernel that performs all iterations, starting from a first guess [rad/s]; it is made once per
    process.
    """
    iterate = iterating(kernels)

    def search(y, guess, iterations, carried, fastest, p):
        found = guess
        for _ in range(iterations):
            asked = iterate(0.0, y, 2.0 / found, carried, fastest, p)
            if not asked > 0.0:
                return guess
            found = asked
        return found

    return bound_kernel(search, kernels.rhs)
