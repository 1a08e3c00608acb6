"""A pair of rocker pins as a beam across the chain, bent along it by plates, friction at its ends and thrust.

Euler's beam with free ends, EI w'''' = sum of F delta(z - a), in the plane of the chain's motion and of the pin's axis;
w is positive towards the next pin. |z - a|^3 / 12 solves it for a unit force, so that the forces of a pin, which are in
equilibrium, bend it by the sum of these: beyond the outermost one w'' vanishes, as it must. What is left open is w's
mean and slope, the motion of the pin as a whole.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["bent_by_end_moments", "bent_by_force"]

FloatArray = NDArray[np.float64]


def bent_by_force(place: ArrayLike, at: ArrayLike, bending_stiffness: float) -> FloatArray:
    """Deflection at a place z by a unit force at a, one of several in equilibrium. [m/N]

    place, at [m], of shapes that broadcast; bending_stiffness EI of the pair [N m^2].
    """
    apart = np.abs(np.asarray(place, dtype=np.float64) - np.asarray(at, dtype=np.float64))
    return apart**3 / (12.0 * bending_stiffness)


def bent_by_end_moments(place: ArrayLike, bending_stiffness: float) -> FloatArray:
    """Deflection at a place z between the ends by unit moments at both, which bend the ends forward. [1/N]

    w'' = M / EI. A thrust Q that acts by e ahead of the neutral axis has the moment Q e. place [m], from the middle;
    bending_stiffness [N m^2].
    """
    return np.asarray(place, dtype=np.float64) ** 2 / (2.0 * bending_stiffness)
