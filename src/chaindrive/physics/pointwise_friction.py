"""Friction in two directions of one contact, implicitly over a step: the force that its sliding at the end leads to.

Of a contact at one end of a pin, in directions g and t, with speeds v0 at which it would slide after the step without
friction, and what a force changes them by within it, d_g and d_t (step over mass):

    v_g = v0_g + d_g F_g                  F = -mu N v / |v|    where it slides       (Coulomb)
    v_t = v0_t + d_t F_t                  |F| <= mu N          where it sticks, v = 0
    N = (Q + F_g sin(beta)) / cos(beta)                        physics/sheave.py

or, regularised, F = -mu N v / sqrt(|v|^2 + v_eps^2) throughout. The problem has one solution, and that can be found
whatever the step is: friction limits no step, while an explicit law is stable up to 2 v_eps / (d mu N / h) only. With s
= |v|, or the root above, L = mu N and u_i = v0_i / (s + d_i L) both laws are

    u_g^2 + u_t^2 + (v_eps / s)^2 = 1,     L (cos(beta) + mu sin(beta) u_g) = mu Q,      F = -L u

two equations for s and L, which Newton's method solves: as 1/sqrt of the first is nearly linear, in a fixed number of
iterations, without branches, so that several contacts are solved at once in vector registers.
"""

from __future__ import annotations

import math

from chaindrive.kernels import kernel

__all__ = ["coulomb", "regularised"]

TINY = 1e-300
ITERATIONS = 3
"""Of Coulomb friction: the first guess is off by 1e-3 at most, as d_g and d_t are alike, and the error is squared."""
MOST_ITERATIONS = 40
"""Of regularised friction, whose first guess may be far off."""
ACCURACY = 1e-12
"""Change of the sliding speed that ends the latter, relative to the speed without friction. [-]"""


@kernel(inline=True)
def _newton(speed, limit, along, across, give_along, give_across, thrust, skew, cosine, smooth):
    """Speed s and limit L after one iteration. thrust: mu Q [N]; skew: mu sin(beta) [-]; others as of ``coulomb``."""
    slower_g = 1.0 / (speed + give_along * limit)
    slower_t = 1.0 / (speed + give_across * limit)
    left = smooth / max(speed, TINY)
    u_g, u_t = along * slower_g, across * slower_t
    square_g, square_t, square_e = u_g * u_g, u_t * u_t, left * left
    total = square_g + square_t + square_e
    by_speed = square_g * slower_g + square_t * slower_t + square_e / max(speed, TINY)
    by_limit = square_g * slower_g * give_along + square_t * slower_t * give_across
    excess = total * (math.sqrt(total) - 1.0)
    missing = thrust - limit * (cosine + skew * u_g)
    bend = limit * skew * u_g * slower_g
    own = cosine + skew * u_g - bend * give_along
    divided = 1.0 / (by_speed * own + by_limit * bend + TINY)
    faster = (excess * own - by_limit * missing) * divided
    more = (by_speed * missing + bend * excess) * divided
    return max(speed + faster, 0.0), max(limit + more, 0.0)


@kernel(inline=True)
def coulomb(along, across, give_along, give_across, axial, friction, sine, cosine):
    """Forces (F_g, F_t) of Coulomb friction that sticks or slides. [N]

    along, across: v0_g, v0_t [m/s]; give_along, give_across: d_g, d_t, above 0, alike within some tens of per cent
    [m/s/N]; axial Q, not negative [N]; friction mu [-]; sine, cosine of beta. mu sin(beta) must be below cos(beta).
    """
    holding_g, holding_t = -along / give_along, -across / give_across
    held_by = friction * (axial + holding_g * sine) / cosine
    sticks = holding_g * holding_g + holding_t * holding_t <= held_by * max(held_by, 0.0)
    thrust, skew = friction * axial, friction * sine
    free = math.sqrt(along * along + across * across) + TINY
    u_g, u_t = along / free, across / free
    limit = thrust / (cosine + skew * u_g)
    speed = max(free - limit * (give_along * u_g * u_g + give_across * u_t * u_t), 0.0)
    limit += TINY
    speed, limit = _newton(speed, limit, along, across, give_along, give_across, thrust, skew, cosine, 0.0)
    speed, limit = _newton(speed, limit, along, across, give_along, give_across, thrust, skew, cosine, 0.0)
    speed, limit = _newton(speed, limit, along, across, give_along, give_across, thrust, skew, cosine, 0.0)
    slide_g = -limit * along / (speed + give_along * limit)
    slide_t = -limit * across / (speed + give_across * limit)
    return holding_g if sticks else slide_g, holding_t if sticks else slide_t


@kernel
def regularised(along, across, give_along, give_across, axial, friction, sine, cosine, smooth):
    """Forces (F_g, F_t) of friction whose direction and size are those of v / sqrt(|v|^2 + smooth^2). [N]

    Arguments as of ``coulomb``; smooth: v_eps, above 0 [m/s].
    """
    thrust, skew = friction * axial, friction * sine
    free = math.sqrt(along * along + across * across + smooth * smooth)
    limit = thrust / (cosine + skew * along / free)
    speed = max(free - limit * max(give_along, give_across), smooth)
    for _ in range(MOST_ITERATIONS):
        before = speed
        speed, limit = _newton(speed, limit, along, across, give_along, give_across, thrust, skew, cosine, smooth)
        speed = max(speed, smooth)
        if abs(speed - before) <= ACCURACY * free:
            break
    return -limit * along / (speed + give_along * limit), -limit * across / (speed + give_across * limit)
