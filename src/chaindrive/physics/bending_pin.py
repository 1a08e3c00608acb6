"""A pair of rocker pins as a beam transverse to the chain. Plates, friction at the ends and thrust bend it in the
running direction of the chain.

It is an Euler beam with free ends, EI w'''' = sum of F delta(z - a), in the plane of the running direction and the
pin's axis; w is positive towards the next pin. |z - a|^3 / 12 solves this equation for a unit force. As the forces on a
pin are in equilibrium, its deflection is the sum of these terms, and w'' vanishes beyond the outermost force, as
required. The mean and slope of w, which describe the rigid motion of the pin, remain undetermined.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["bent_by_end_moments", "bent_by_force"]

FloatArray = NDArray[np.float64]


def bent_by_force(place: ArrayLike, at: ArrayLike, bending_stiffness: float) -> FloatArray:
    """Deflection at z due to a unit force at a, one of several in equilibrium. [m/N]

    The shapes of place z and at a [m] must be broadcastable; bending_stiffness EI of the pair [N m^2].
    """
    apart = np.abs(np.asarray(place, dtype=np.float64) - np.asarray(at, dtype=np.float64))
    return apart**3 / (12.0 * bending_stiffness)


def bent_by_end_moments(place: ArrayLike, bending_stiffness: float) -> FloatArray:
    """Deflection at z, between the ends, due to unit moments at both ends, which bend the ends forward. [1/N]

    w'' = M / EI. A thrust Q acting at a distance e ahead of the neutral axis has the moment Q e. place z [m], from the
    middle; bending_stiffness EI [N m^2].
    """
    return np.asarray(place, dtype=np.float64) ** 2 / (2.0 * bending_stiffness)
