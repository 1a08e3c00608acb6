"""Friction of a single contact in two directions, implicit over a step: the force follows from the sliding speed at the
end of the step.

For a contact at one end of a pin, v0 are the sliding speeds in directions g and t at which it would slide after the
step if there were no friction, and D is their change within the step per unit force (step times the Delassus matrix of
the contact):

    v = v0 + D F                              F = -mu N v / |v|    where it slides       (Coulomb)
                                              |F| <= mu N          where it sticks, v = 0
    N = (Q + F_g sin(beta)) / cos(beta)                            physics/sheave.py

or, regularised, F = -mu N v / sqrt(|v|^2 + v_eps^2) throughout. The problem has exactly one solution, which can be
computed for any step: friction does not limit the step, whereas an explicit law is stable only up to 2 v_eps / (d mu N
/ h). In the principal directions of D, with the principal values d_i, with s = |v| or the root above, L = mu N and u_i
= v0_i / (s + d_i L), both laws are

    u_1^2 + u_2^2 + (v_eps / s)^2 = 1,     L (cos(beta) + mu sin(beta) u_g) = mu Q,      F = -L u

These are two equations for s and L. As the reciprocal square root of the first is nearly linear, Newton's method solves
them in a fixed number of iterations without branches, so that several contacts are solved at once in vector registers.
For a point mass g and t are the principal directions; for the end of a rigid link they are not.
"""

from __future__ import annotations

import math

from chaindrive.kernels import kernel

__all__ = ["coulomb", "coupled_coulomb", "regularised"]

TINY = 1e-300
ITERATIONS = 3
"""Number of iterations for Coulomb friction. The error of the first guess is at most 1e-3, as d_g and d_t are similar,
and each iteration squares the error."""
MOST_ITERATIONS = 40
"""Largest number of iterations for regularised friction, whose first guess may be far from the solution."""
ACCURACY = 1e-12
"""Change of the sliding speed below which the iteration for regularised friction ends, relative to the speed without
friction. [-]"""


@kernel(inline=True)
def _newton(speed, limit, along, across, give_1, give_2, thrust, skew_1, skew_2, cosine, smooth):
    """Speed s and limit L after one iteration, in the principal directions 1 and 2.

    thrust: mu Q [N]; skew_1, skew_2: mu sin(beta) times the component of g in each direction [-]; other arguments as
    for ``coulomb``.
    """
    slower_1 = 1.0 / (speed + give_1 * limit)
    slower_2 = 1.0 / (speed + give_2 * limit)
    left = smooth / max(speed, TINY)
    u_1, u_2 = along * slower_1, across * slower_2
    square_1, square_2, square_e = u_1 * u_1, u_2 * u_2, left * left
    total = square_1 + square_2 + square_e
    by_speed = square_1 * slower_1 + square_2 * slower_2 + square_e / max(speed, TINY)
    by_limit = square_1 * slower_1 * give_1 + square_2 * slower_2 * give_2
    lifted = skew_1 * u_1 + skew_2 * u_2
    excess = total * (math.sqrt(total) - 1.0)
    missing = thrust - limit * (cosine + lifted)
    bend_1, bend_2 = limit * skew_1 * u_1 * slower_1, limit * skew_2 * u_2 * slower_2
    bend = bend_1 + bend_2
    own = cosine + lifted - bend_1 * give_1 - bend_2 * give_2
    divided = 1.0 / (by_speed * own + by_limit * bend + TINY)
    faster = (excess * own - by_limit * missing) * divided
    more = (by_speed * missing + bend * excess) * divided
    return max(speed + faster, 0.0), max(limit + more, 0.0)


@kernel(inline=True)
def _guess(along, across, give_1, give_2, thrust, skew_1, skew_2, cosine):
    """Speed s and limit L for continued sliding in the direction of v0."""
    free = math.sqrt(along * along + across * across) + TINY
    u_1, u_2 = along / free, across / free
    limit = thrust / (cosine + skew_1 * u_1 + skew_2 * u_2)
    speed = max(free - limit * (give_1 * u_1 * u_1 + give_2 * u_2 * u_2), 0.0)
    return speed, limit + TINY


@kernel(inline=True)
def coulomb(along, across, give_along, give_across, axial, friction, sine, cosine):
    """Forces (F_g, F_t) of Coulomb friction, sticking or sliding, if g and t are the principal directions of D. [N]

    along, across: v0_g, v0_t [m/s]; give_along, give_across: d_g, d_t, which are positive and differ by no more than
    some tens of per cent [m/s/N]; axial Q, not negative [N]; friction mu [-]; sine, cosine of beta. mu sin(beta) must
    be below cos(beta).
    """
    holding_g, holding_t = -along / give_along, -across / give_across
    held_by = friction * (axial + holding_g * sine) / cosine
    sticks = holding_g * holding_g + holding_t * holding_t <= held_by * max(held_by, 0.0)
    thrust, skew = friction * axial, friction * sine
    speed, limit = _guess(along, across, give_along, give_across, thrust, skew, 0.0, cosine)
    speed, limit = _newton(speed, limit, along, across, give_along, give_across, thrust, skew, 0.0, cosine, 0.0)
    speed, limit = _newton(speed, limit, along, across, give_along, give_across, thrust, skew, 0.0, cosine, 0.0)
    speed, limit = _newton(speed, limit, along, across, give_along, give_across, thrust, skew, 0.0, cosine, 0.0)
    slide_g = -limit * along / (speed + give_along * limit)
    slide_t = -limit * across / (speed + give_across * limit)
    return holding_g if sticks else slide_g, holding_t if sticks else slide_t


@kernel(inline=True)
def _principal(give_along, give_askew, give_across):
    """Cosine and sine of the angle from g towards t to the first principal direction of D, and both principal values of
    D.
    """
    apart = give_along - give_across
    root = math.sqrt(apart * apart + 4.0 * give_askew * give_askew)
    sign = 1.0 if apart >= 0.0 else -1.0
    slope = 2.0 * give_askew * sign / (abs(apart) + root + TINY)
    c = 1.0 / math.sqrt(1.0 + slope * slope)
    return c, slope * c, give_along + slope * give_askew, give_across - slope * give_askew


@kernel(inline=True)
def coupled_coulomb(along, across, give_along, give_askew, give_across, axial, friction, sine, cosine):
    """Forces (F_g, F_t) of Coulomb friction, sticking or sliding, for any positive definite D. [N]

    Arguments as for ``coulomb``, except for D_gg, D_gt and D_tt [m/s/N]; the principal values of D may differ by a
    factor of 5. For give_askew = 0 the result agrees with ``coulomb``.
    """
    c, s, give_1, give_2 = _principal(give_along, give_askew, give_across)
    v_1, v_2 = c * along + s * across, c * across - s * along
    holding_1, holding_2 = -v_1 / give_1, -v_2 / give_2
    held_by = friction * (axial + (c * holding_1 - s * holding_2) * sine) / cosine
    sticks = holding_1 * holding_1 + holding_2 * holding_2 <= held_by * max(held_by, 0.0)
    thrust, skew_1, skew_2 = friction * axial, friction * sine * c, -friction * sine * s
    speed, limit = _guess(v_1, v_2, give_1, give_2, thrust, skew_1, skew_2, cosine)
    speed, limit = _newton(speed, limit, v_1, v_2, give_1, give_2, thrust, skew_1, skew_2, cosine, 0.0)
    speed, limit = _newton(speed, limit, v_1, v_2, give_1, give_2, thrust, skew_1, skew_2, cosine, 0.0)
    speed, limit = _newton(speed, limit, v_1, v_2, give_1, give_2, thrust, skew_1, skew_2, cosine, 0.0)
    speed, limit = _newton(speed, limit, v_1, v_2, give_1, give_2, thrust, skew_1, skew_2, cosine, 0.0)
    speed, limit = _newton(speed, limit, v_1, v_2, give_1, give_2, thrust, skew_1, skew_2, cosine, 0.0)
    slide_1 = -limit * v_1 / (speed + give_1 * limit)
    slide_2 = -limit * v_2 / (speed + give_2 * limit)
    force_1, force_2 = holding_1 if sticks else slide_1, holding_2 if sticks else slide_2
    return c * force_1 - s * force_2, s * force_1 + c * force_2


@kernel
def regularised(along, across, give_along, give_askew, give_across, axial, friction, sine, cosine, smooth):
    """Forces (F_g, F_t) of friction with the direction and magnitude of v / sqrt(|v|^2 + smooth^2). [N]

    Arguments as for ``coupled_coulomb``; smooth: v_eps, above 0 [m/s].
    """
    c, s, give_1, give_2 = _principal(give_along, give_askew, give_across)
    v_1, v_2 = c * along + s * across, c * across - s * along
    thrust, skew_1, skew_2 = friction * axial, friction * sine * c, -friction * sine * s
    free = math.sqrt(v_1 * v_1 + v_2 * v_2 + smooth * smooth)
    limit = thrust / (cosine + (skew_1 * v_1 + skew_2 * v_2) / free)
    speed = max(free - limit * max(give_1, give_2), smooth)
    for _ in range(MOST_ITERATIONS):
        before = speed
        speed, limit = _newton(speed, limit, v_1, v_2, give_1, give_2, thrust, skew_1, skew_2, cosine, smooth)
        speed = max(speed, smooth)
        if abs(speed - before) <= ACCURACY * free:
            break
    force_1, force_2 = -limit * v_1 / (speed + give_1 * limit), -limit * v_2 / (speed + give_2 * limit)
    return c * force_1 - s * force_2, s * force_1 + c * force_2
