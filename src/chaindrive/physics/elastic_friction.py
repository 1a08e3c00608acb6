"""Coulomb friction of a contact that deflects elastically before it slides: a spring in series with a slider (Prandtl
1928). The elongation of the spring is the memory of the contact. Below the limit mu N of the slider the contact sticks,
and holds indefinitely at rest; at the limit the slider follows, so that the spring stays stretched by mu N / k. Forces
depend on displacements only: no slope with respect to speed limits the step of an integrator, however slow the sliding.
Between two accepted steps the slider is fixed and the force is cut off at the limit (``held_force``); at an accepted
state the slider moves to where the force of the spring equals the limit (a return map, Simo & Hughes 1998, section
1.4).

A dashpot in parallel with the slider (Bingham 1922; Perzyna 1966) slides at the rate e/c, where e is the excess of the
force over the limit: with the spring in series e' = k s' - (k/c) e while the contact is moved at s'. With the mean
speed since the last accepted state, the solution is exact and stable for every c (``relaxation``, ``damped_force``).
The result is of second order in the step, because the speed is taken as constant within the step. In slow motion the
force is the sum of the limit and the force of the dashpot.

While a bearing or joint sticks, a part that only this bearing or joint supports has no other damping. Therefore a
damper in parallel with the spring, within the same limit M, lets the mass m that the spring holds settle
(``settling_spring``):

    f = k (s - s_p) + 2 sqrt(k m) s',    at most +-M.
"""

from __future__ import annotations

import math

from chaindrive.kernels import kernel

__all__ = [
    "anchor_turned",
    "damped_force",
    "damped_slopes",
    "held_force",
    "held_share",
    "held_slopes",
    "relaxation",
    "settling_damping",
    "settling_spring",
    "spring_left",
    "turn_since",
    "turn_since_slope",
]


@kernel(inline=True)
def held_force(spring, limit):
    """Force, or moment, of a spring with a slider: the force of the spring, but at most +-limit.

    spring: force that the spring would have without the slider [N] or [N m]; limit mu N >= 0, in the same unit.
    """
    force = spring if spring < limit else limit
    return force if force > -limit else -limit


@kernel(inline=True)
def held_slopes(spring, limit):
    """Derivatives of :func:`held_force` with respect to the force of the spring and to the limit [-, -]; they are 1 and
    0 while the contact sticks.
    """
    if abs(spring) < limit:
        return 1.0, 0.0
    return 0.0, 1.0 if spring > 0.0 else -1.0


@kernel(inline=True)
def held_share(spring, limit):
    """Friction of a contact that slides in two directions: the fraction of the spring force that remains [-].

    spring: magnitude of the spring force [N]; limit mu N >= 0 [N]. Both directions share the same limit, and the slider
    moves in the direction of the spring force.
    """
    return limit / spring if spring > limit else 1.0


@kernel(inline=True)
def relaxation(rate, duration):
    """Fractions that remain after a given time of a relaxing force, and of a force that has grown uniformly during this
    time [-, -].

    exp(-a) and (1 - exp(-a))/a with a = rate duration; rate k/c [1/s], duration [s].
    """
    a = rate * duration
    return math.exp(-a), -math.expm1(-a) / a if a > 0.0 else 1.0


@kernel(inline=True)
def damped_force(spring, before, limit, kept, gained):
    """Force, or moment, of a spring in series with a slider and a dashpot, which are in parallel.

    spring: force that the spring would have if the slider had not moved since the last accepted state; before: its
    force at that state; limit >= 0 of the slider; all in [N] or [N m]. kept, gained: the fractions from
    :func:`relaxation` for the time since then.
    """
    alone = before * kept + (spring - before) * gained  # of the dashpot without a slider
    held = held_force(spring, limit)
    beyond, left = spring - held, before - held_force(before, limit)
    left = left if left * beyond > 0.0 else 0.0
    flowing = left * kept + (beyond - left) * gained
    slid = held + flowing if flowing * beyond > 0.0 else held
    return alone if limit == 0.0 else slid


@kernel(inline=True)
def damped_slopes(spring, before, limit, kept, gained):
    """Derivatives of :func:`damped_force` with respect to the force of the spring and to the limit [-, -]."""
    if limit == 0.0:
        return gained, 0.0
    held = held_force(spring, limit)
    beyond, left = spring - held, before - held_force(before, limit)
    by_spring, by_limit = held_slopes(spring, limit)
    left_by_limit = -held_slopes(before, limit)[1]
    if not left * beyond > 0.0:
        left, left_by_limit = 0.0, 0.0
    if not (left * kept + (beyond - left) * gained) * beyond > 0.0:
        return by_spring, by_limit
    flowing_by_limit = left_by_limit * (kept - gained) - by_limit * gained
    return by_spring + (1.0 - by_spring) * gained, by_limit + flowing_by_limit


@kernel(inline=True)
def turn_since(cosine, sine, anchor_cosine, anchor_sine):
    """Sine of the angle of a joint from its anchor [-].

    cosine, sine: of the angle between both links; anchor_cosine, anchor_sine: of the angle at which friction has no
    moment. Multiplied by a stiffness, the result is a moment with a potential; for the small angles before sliding, it
    equals the angle.
    """
    return sine * anchor_cosine - cosine * anchor_sine


@kernel(inline=True)
def turn_since_slope(cosine, sine, anchor_cosine, anchor_sine):
    """Derivative of :func:`turn_since` with respect to the angle between both links [1/rad]."""
    return cosine * anchor_cosine + sine * anchor_sine


@kernel(inline=True)
def anchor_turned(cosine, sine, turn):
    """Cosine and sine of the anchor angle of a joint that has turned away from its anchor by an angle with the sine
    ``turn`` [-].

    cosine, sine: of the present angle between both links.
    """
    c = math.sqrt(max(1.0 - turn * turn, 0.0))
    return cosine * c + sine * turn, sine * c - cosine * turn


@kernel(inline=True)
def settling_damping(stiffness, mass):
    """Damping in parallel with a spring with which a mass on the spring settles without oscillation: 2 sqrt(k m). [N
    s/m or N m s/rad]

    stiffness [N/m or N m/rad]; mass, or inertia, that the spring holds [kg or kg m^2].
    """
    return 2.0 * math.sqrt(stiffness * mass)


@kernel(inline=True)
def settling_spring(stretched, rate, stiffness, damping):
    """Force, or moment, of a spring and a damper in parallel, before the limit is applied, and the contribution of the
    damper.

    stretched: displacement from the anchor [m or rad]; rate: its rate of change [m/s or rad/s]; damping: from
    :func:`settling_damping`.
    """
    damper = damping * rate
    return stiffness * stretched + damper, damper


@kernel(inline=True)
def spring_left(force, damper):
    """Force of the spring in a contact that slides at its limit, [N] or [N m].

    The spring of a sliding contact is at the limit whatever the damper adds, so that deceleration does not unload the
    spring.
    """
    return force if force * damper > 0.0 else force - damper
