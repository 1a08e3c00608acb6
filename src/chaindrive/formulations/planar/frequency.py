"""Effect of the contacts of a state on the limit of an explicit step.

A contact has the slope k and the damping c of Hunt & Crossley (physics/contact.py), at the depth that an approaching
roller will reach,

    k = n K d^(n-1) (1 + D d'/v0),        c = K d^n D/v0 + c_viscous,

with v0 as defined there. Along a guide, the damping is

    mu F dsign/dv    for a roller that slides slowly, with the slope of the regularised friction,
    F dmu/dv         for a coefficient by a user-defined law, where it rises most steeply with speed.

For a user-defined contact law, k and c are computed by differences, at the depth that its energy gives.

A surface that can move adds the inverse of its mass, for all its contacts together. A roller that is wedged between two
flanks has two such contacts.

Friction of a roller on a tooth is omitted: a roller sticks in its seat, and there any practical step is far beyond the
limit due to the slope of its friction. The excess energy that this friction then dissipates is missing from the
balance, which is also checked (chaindrive.simulation.stretches).
"""

from __future__ import annotations

from chaindrive.formulations.planar import parameters as P
from chaindrive.formulations.planar.limits import coupled_square, step_limit
from chaindrive.formulations.planar.own_laws import own_slopes
from chaindrive.kernels import Kernel, kernel
from chaindrive.physics.contact import impact_speed
from chaindrive.physics.friction import regularised_sign

__all__ = ["frequency_of"]

_limit_of, _coupled_square = kernel(inline=True)(step_limit), kernel(inline=True)(coupled_square)
"""``limits.step_limit`` and ``limits.coupled_square`` for kernels."""

HARD_IMPACT = 0.1
"""Ratio of the kinetic energy of an approach to the elastic energy above which the depth that will be reached is
computed. [-]"""
FAR_SLIP = 10.0
"""Slip, relative to the speed scale of the friction law, beyond which the law is flat. [-]"""
SMALL_SLIP = 0.05
"""Slip, relative to the speed scale of the friction law, at which its slope is taken. [-]"""


def frequency_of(yielding: Kernel, with_chain: Kernel) -> Kernel:
    """Return the kernel of the limit of an explicit step at a state, due to the contacts, the chain and the rest of the
    drive.

    yielding(p, i, nx, ny, arm): returns the speed of roller i along (nx, ny) per unit impulse [1/kg] at the end of an
    arm [m]; with_chain(p, square, rate): returns square and rate with the contribution of the chain.
    """
    contact_rates, with_own_laws = _contact_rates(yielding, _slopes, False), _contact_rates(yielding, _own_or, True)

    @kernel(apart=True)
    def frequency(y, p):
        """Return the limit c + sqrt(c^2 + w^2) at the state y evaluated last. [rad/s]"""
        square, rate = with_own_laws(p) if p.planar.own_laws else contact_rates(p)
        square, rate = with_chain(p, square, rate + p.planar.limit.damping[0])
        return _limit_of(square, rate, p.planar.limit.rate[0])

    return frequency


def _contact_rates(yielding: Kernel, slopes: Kernel, own: bool) -> Kernel:
    """Return the kernel of the limits due to contacts, compiled around the mobility of rollers and the stiffness of
    contacts.

    own: whether there are user-defined laws. Without them, the loop of the kernel must not contain calls of such laws,
    because all columns would have to be read again after each call.
    """

    @kernel(inner=not own, apart=own)
    def rates(p):
        """Return the square of the highest frequency of chain and mechanism with the contacts evaluated last
        [rad^2/s^2], and the largest damping of these contacts divided by mass [1/s].
        """
        planar = p.planar
        chain, mechanism = planar.limit.square[0], planar.limit.mechanism[0]
        if not planar.closed:  # its anchors join both as well
            chain, mechanism = chain + mechanism, 0.0
        square, rate, before = max(chain, mechanism), 0.0, -1
        stiffness_sum, damping_sum = 0.0, 0.0
        for s in range(planar.used.segments[0]):
            surface, slot = planar.segment.surface[s], planar.segment.slot[s]
            first = planar.segment.first[s]
            if surface != before:
                stiffness_sum, damping_sum, before = 0.0, 0.0, surface
            given, back = planar.surface, planar.segment.back[s]
            slides = surface >= planar.wheels and given.friction[surface] > 0.0 and not planar.elastic_friction
            largest, largest_rate = 0.0, 0.0
            for i in range(first, planar.segment.end[s]):
                k = slot + i - first
                if not planar.contact.penetration[k] > 0.0:
                    continue
                nx, ny = planar.contact.normal_x[k], planar.contact.normal_y[k]
                yields = yielding(p, i, nx, ny, 0.0)
                stiffness, damping = slopes(planar, surface, k, yields)
                flanks = 1.0
                if back > 0 and planar.contact.penetration[k - back] > 0.0:  # it is wedged between two flanks
                    other = slopes(planar, surface, k - back, yields)
                    stiffness, damping, flanks = stiffness + other[0], damping + other[1], 2.0
                largest = max(largest, stiffness * yields)
                largest_rate = max(largest_rate, damping * yields)
                if slides and abs(planar.contact.slip[k]) < FAR_SLIP * planar.friction_speed:
                    friction = given.friction[surface] * planar.contact.force[k] * _slope(planar, k)
                    damping = max(damping, friction)
                    across = yielding(p, i, -ny, nx, given.arm[surface])
                    largest_rate = max(largest_rate, friction * across)
                if given.friction_slope[surface] > 0.0:
                    friction = given.friction_slope[surface] * planar.contact.force[k]
                    damping = max(damping, friction)
                    across = yielding(p, i, -ny, nx, given.arm[surface])
                    largest_rate = max(largest_rate, friction * across)
                if planar.elastic_friction and given.friction[surface] > 0.0:
                    across = yielding(p, i, -ny, nx, given.arm[surface])
                    largest = max(largest, flanks * given.tangential[surface] * across)
                    stiffness = max(stiffness, given.tangential[surface])
                stiffness_sum += stiffness
                damping_sum += damping
            inverse = given.inverse_mass[surface]
            square = max(square, _coupled_square(chain, largest, mechanism, stiffness_sum * inverse))
            rate = max(rate, largest_rate + damping_sum * inverse)
        return square, rate

    return rates


@kernel(inner=True)
def _slopes(p, surface, k, yields):
    """Return stiffness [N/m] and damping [N s/m] of the contact in slot k at the depth that it will reach.

    The contact law is one of the built-in laws. yields: speed of the roller per unit impulse on it [1/kg].
    """
    given = p.surface
    exponent, hysteresis = given.exponent[surface], given.hysteresis[surface]
    depth, elastic, approach = p.contact.penetration[k], p.contact.elastic[k], p.contact.rate[k]
    if approach > 0.0:
        # K dmax^(n+1)/(n+1) = K d^(n+1)/(n+1) + m d'^2/2
        impact = 0.5 * (exponent + 1.0) * approach * approach / yields
        if impact > HARD_IMPACT * elastic * depth:
            depth = ((elastic * depth + impact) / given.stiffness[surface]) ** (1.0 / (exponent + 1.0))
            elastic = given.stiffness[surface] * depth**exponent
    stored = max(p.candidate.speed[k], p.speed_floor)
    speed = impact_speed(stored, elastic, depth, given.speed_of_depth[surface])
    ratio = min(max(approach / speed, 0.0), 1.0)
    stiffness = exponent * elastic / depth * (1.0 + hysteresis * ratio)
    return stiffness, given.viscous[surface] + hysteresis * elastic / speed


@kernel(inner=True)
def _own_or(p, surface, k, yields):
    """Return the same as ``_slopes``, but by a user-defined law if the surface has one."""
    if p.surface.law[surface] == P.LAW_OWN:
        return own_slopes(p, surface, k, yields)
    return _slopes(p, surface, k, yields)


@kernel(inner=True)
def _slope(p, k):
    """Return the slope of the regularised sign of contact k with respect to its slip. [s/m]"""
    slip, scale = p.contact.slip[k], SMALL_SLIP * p.friction_speed * min(p.friction_sharpness, 1.0)
    after = regularised_sign(p.friction_kind, slip + scale, p.friction_speed, p.friction_sharpness)
    before = regularised_sign(p.friction_kind, slip - scale, p.friction_speed, p.friction_sharpness)
    return (after - before) / (2.0 * scale)
