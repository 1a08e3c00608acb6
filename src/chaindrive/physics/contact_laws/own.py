"""Properties of a user-defined contact law that a run needs before it begins, computed from its function F(d, d',
v0).
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from chaindrive.physics.contact_laws.base import ForceCoefficients
from chaindrive.physics.own_contact import ENERGY_PARTS

__all__ = ["coefficients", "impact_that_reaches", "speed_of_depth_own", "stored_energies"]

Force = Callable[[float, float, float], float]
"""F(d, d', v0) [N] as a function of depth [m], rate [m/s] and impact speed [m/s]."""
SHIFT = 1e-4
"""Step of the difference quotient for a slope, relative to the depth or the speed. [-]"""
FINER = 8
MOST_OVER_ELASTIC = 1e3
"""Largest impact speed in the search, relative to that of an elastic impact that reaches the same depth. [-]"""


def coefficients(force: Force, depth: float, speed: float) -> ForceCoefficients:
    """Coefficients of the power law K d^n that has the elastic force and slope of the law at a depth [m], with the
    damping c there.

    speed: impact speed and scale of the rates for which c = dF/dd' is computed [m/s]. Raises ValueError if the force is
    not positive or does not rise with the depth.
    """
    shift = SHIFT * depth
    elastic = force(depth, 0.0, speed)
    slope = (force(depth + shift, 0.0, speed) - force(depth - shift, 0.0, speed)) / (2.0 * shift)
    if not (0.0 < elastic < math.inf and 0.0 < slope < math.inf):
        raise ValueError(
            f"At a depth of {1e3 * depth:.4g} mm, where the step is estimated, the force of the law must be positive "
            f"and increase with depth; it is {elastic:.4g} N with a slope of {slope:.4g} N/m."
        )
    exponent, small = slope * depth / elastic, SHIFT * speed
    damping = (force(depth, small, speed) - force(depth, -small, speed)) / (2.0 * small)
    return ForceCoefficients(elastic / depth**exponent, exponent, 0.0, max(damping, 0.0))


def speed_of_depth_own(force: Force, mass: float, depth: float) -> float:
    """Approach speed of the free impact that comes to rest at a depth d, divided by sqrt(f_e d) at this depth.
    [1/sqrt(kg)]

    It corresponds to ``base.speed_of_depth``, for the form that the law has at this depth [m].
    """
    return impact_that_reaches(force, mass, depth) / math.sqrt(force(depth, 0.0, 1.0) * depth)


def impact_that_reaches(force: Force, mass: float, depth: float) -> float:
    """Approach speed at which a free mass [kg] comes to rest at a depth [m]. [m/s]

    Raises ValueError if no impact reaches this depth because the losses grow too steeply with the speed.
    """
    from scipy.integrate import quad  # slow to import, and every run imports this module
    from scipy.optimize import brentq

    energy, _ = quad(lambda d: force(d, 0.0, 1.0), 0.0, depth, limit=200)
    slowest = math.sqrt(2.0 * energy / mass)

    def too_deep(over_elastic: float) -> float:
        return _deepest(force, mass, over_elastic * slowest, depth) - 1.0

    low, high = 0.999, 2.0
    while too_deep(high) < 0.0:
        low, high = high, 2.0 * high
        if high > MOST_OVER_ELASTIC:
            raise ValueError(
                f"A mass of {mass:.4g} kg does not reach a depth of {1e3 * depth:.4g} mm in an impact at "
                f"{0.5 * high * slowest:.4g} m/s: the losses are too large."
            )
    return slowest * float(brentq(too_deep, low, high, xtol=1e-12))


def stored_energies(force: Force, deepest: float) -> NDArray[np.float64]:
    """Energy stored at the depths deepest (k/n)^2, n = ENERGY_PARTS, (n + 1,). [J]

    They are integrated as in ``own_contact.elastic_energy_own``, but over subintervals smaller by the factor FINER: a
    kink of the force within a subinterval causes an error proportional to the square of its width.
    """
    parts = ENERGY_PARTS * FINER
    nodes, weights = np.polynomial.legendre.leggauss(4)
    width = math.sqrt(deepest) / parts
    roots = width * (np.arange(parts)[:, None] + 0.5 * (1.0 + nodes))
    forces = np.array([max(force(depth, 0.0, 1.0), 0.0) for depth in np.square(roots).flat]).reshape(roots.shape)
    return np.concatenate([[0.0], np.cumsum(width * (weights * roots * forces).sum(axis=1))])[::FINER]


def _deepest(force: Force, mass: float, speed: float, depth: float) -> float:
    """Depth at which a free mass with a given impact speed comes to rest, relative to the depth given. [-]"""
    from scipy.integrate import solve_ivp  # slow to import

    unit = depth / speed

    def rates(_: float, state: list[float]) -> list[float]:
        pressed = max(force(depth * state[0], speed * state[1], speed), 0.0) if state[0] > 0.0 else 0.0
        return [state[1], -pressed / mass * unit / speed]

    def turned(_: float, state: list[float]) -> float:
        return state[1]

    turned.terminal = True  # type: ignore[attr-defined]
    run = solve_ivp(rates, (0.0, 1e3), (0.0, 1.0), events=turned, method="DOP853", rtol=1e-11, atol=1e-13)
    return float(run.y[0, -1])
