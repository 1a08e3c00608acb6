"""What the contacts of a state add to the limit of an explicit step.

A contact has the slope k and the damping c,

    k = n K d^(n-1) (1 + D d'/v0)    at the depth that an approaching roller will reach,
    c = K d^n D/v0 + c_viscous       of Hunt & Crossley (physics/contact.py); along a guide
        mu F dsign/dv                where a roller slides slowly, the slope of the regularised friction.

A surface that can move adds the inverse of its mass, for all its contacts together. A roller that is wedged between two
flanks has two such contacts. Friction of a roller on a tooth is left out: a roller sticks in its seat, where any step
of use is far beyond that slope; what it then dissipates too much is missing in the balance, which is looked at, too
(chaindrive.stretches).
"""

from __future__ import annotations

from chaindrive.formulations.planar import parameters as P
from chaindrive.kernels import kernel
from chaindrive.physics.friction import regularised_sign

__all__ = ["contact_rates"]

HARD_IMPACT = 0.1
"""Kinetic energy of an approach over the elastic energy at which the depth to come is computed. [-]"""
SMALL_SLIP = 0.05
"""Of the speed scale of the friction law, for its slope. [-]"""


@kernel(inline=True)
def contact_rates(p, mass):
    """Largest stiffness over mass [rad^2/s^2] and damping over mass [1/s] of the contacts evaluated last.

    mass: with which a roller meets a surface [kg].
    """
    square, rate, before = 0.0, 0.0, -1
    stiffness_sum, damping_sum = 0.0, 0.0
    for s in range(p.segments_used[P.USED_SEGMENTS]):
        surface = p.segment[s, P.SEGMENT_SURFACE]
        if surface != before:
            stiffness_sum, damping_sum, before = 0.0, 0.0, surface
        stiffness, damping, more, more_damping = _contacts(p, mass, surface, s)
        stiffness_sum += more
        damping_sum += more_damping
        yielding = p.surface[surface, P.SURFACE_INVERSE_MASS]
        square = max(square, stiffness / mass + stiffness_sum * yielding)
        rate = max(rate, damping / mass + damping_sum * yielding)
    return square, rate


@kernel(inner=True)
def _contacts(p, mass, surface, s):
    """Largest stiffness [N/m] and damping [N s/m] of the contacts of one run of rollers, and the sums of both."""
    slot = p.segment[s, P.SEGMENT_SLOT]
    row = p.surface[surface]
    together = 1.0 if p.face[p.segment[s, P.SEGMENT_FACE], P.FACE_SIDE] == 0 else 2.0
    stiffness, damping, stiffness_sum, damping_sum = 0.0, 0.0, 0.0, 0.0
    for k in range(slot, slot + p.segment[s, P.SEGMENT_END] - p.segment[s, P.SEGMENT_FIRST]):
        depth = p.contact[P.CONTACT_PENETRATION, k]
        if not depth > 0.0:
            continue
        exponent, elastic = row[P.SURFACE_EXPONENT], p.contact[P.CONTACT_ELASTIC, k]
        approach = p.contact[P.CONTACT_RATE, k]
        if approach > 0.0:
            # K dmax^(n+1)/(n+1) = K d^(n+1)/(n+1) + m d'^2/2
            impact = 0.5 * (exponent + 1.0) * mass * approach * approach
            if impact > HARD_IMPACT * elastic * depth:
                depth = ((elastic * depth + impact) / row[P.SURFACE_STIFFNESS]) ** (1.0 / (exponent + 1.0))
                elastic = row[P.SURFACE_STIFFNESS] * depth**exponent
        speed = max(p.candidate[P.CANDIDATE_SPEED, k], p.speed_floor)
        ratio = min(max(approach / speed, 0.0), 1.0)
        slope = exponent * elastic / depth * (1.0 + row[P.SURFACE_HYSTERESIS] * ratio)
        across = row[P.SURFACE_VISCOUS] + row[P.SURFACE_HYSTERESIS] * elastic / speed
        if surface >= p.wheels and row[P.SURFACE_FRICTION] > 0.0:
            across = max(across, row[P.SURFACE_FRICTION] * p.contact[P.CONTACT_FORCE, k] * _slope(p, k))
        stiffness, damping = max(stiffness, slope), max(damping, across)
        stiffness_sum += slope
        damping_sum += across
    return together * stiffness, together * damping, stiffness_sum, damping_sum


@kernel(inner=True)
def _slope(p, k):
    """How steeply the regularised sign of contact k changes with its slip. [s/m]"""
    slip, scale = p.contact[P.CONTACT_SLIP, k], SMALL_SLIP * p.friction_speed * min(p.friction_sharpness, 1.0)
    after = regularised_sign(p.friction_kind, slip + scale, p.friction_speed, p.friction_sharpness)
    before = regularised_sign(p.friction_kind, slip - scale, p.friction_speed, p.friction_sharpness)
    return (after - before) / (2.0 * scale)
