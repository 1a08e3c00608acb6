"""What limits an explicit step at a state: its contacts and tensions, besides what the drive is built with.

For one roller of mass m, with links of stiffness K and damping D, on a surface whose contact has the slope k and the
damping c, w^2 = (4 K + k)/m and the damping rate (4 D + 16 C/P^2 + c)/m (``limits.highest_frequency``). Here

    k = n K d^(n-1) (1 + D d'/v0)    at the depth that an approaching roller will reach,
    c = K d^n D/v0 + c_viscous       of Hunt & Crossley (physics/contact.py); along a guide
        mu F dsign/dv                where a roller slides slowly, the slope of the regularised friction,
    C = C_viscous + mu r F/phi*      with the force F of the tightest joint.

A surface that can move adds the inverse of its mass, for all its contacts together. Friction of a roller on a tooth is
left out: a roller sticks in its seat, where any step of use is far beyond that slope; what it then dissipates too
much is missing in the balance, which is looked at, too (chaindrive.stretches).
"""

from __future__ import annotations

import math

from chaindrive.formulations.roller.parameters import (
    CANDIDATE_SPEED,
    CONTACT_ELASTIC,
    CONTACT_FORCE,
    CONTACT_PENETRATION,
    CONTACT_RATE,
    CONTACT_SLIP,
    LIMIT_DAMPING,
    LIMIT_RATE,
    LIMIT_SQUARE,
    LINK_TENSION,
    SEGMENT_END,
    SEGMENT_FIRST,
    SEGMENT_SLOT,
    SEGMENT_SURFACE,
    SURFACE_EXPONENT,
    SURFACE_FRICTION,
    SURFACE_HYSTERESIS,
    SURFACE_INVERSE_MASS,
    SURFACE_STIFFNESS,
    SURFACE_VISCOUS,
    USED_SEGMENTS,
)
from chaindrive.kernels import kernel
from chaindrive.physics.friction import regularised_sign

__all__ = ["frequency"]

HARD_IMPACT = 0.1
"""Kinetic energy of an approach over the elastic energy at which the depth to come is computed. [-]"""
SMALL_SLIP = 0.05
"""Of the speed scale of the friction law, for its slope. [-]"""


@kernel
def frequency(y, p):
    """The limit c + sqrt(c^2 + w^2) at the state y that was evaluated last. [rad/s]"""
    square, rate, before = 0.0, 0.0, -1
    stiffness_sum, damping_sum = 0.0, 0.0
    for s in range(p.segments_used[USED_SEGMENTS]):
        surface = p.segment[s, SEGMENT_SURFACE]
        if surface != before:
            stiffness_sum, damping_sum, before = 0.0, 0.0, surface
        stiffness, damping, more, more_damping = _contacts(p, surface, s)
        stiffness_sum += more
        damping_sum += more_damping
        yielding = p.surface[surface, SURFACE_INVERSE_MASS]
        square = max(square, stiffness / p.mass + stiffness_sum * yielding)
        rate = max(rate, damping / p.mass + damping_sum * yielding)
    rate += p.limit[LIMIT_DAMPING]
    if p.joint_friction_radius > 0.0:
        tightest = 0.0
        for i in range(p.links):
            tightest = max(tightest, abs(p.link[LINK_TENSION, i]))
        joint = p.joint_friction_radius * tightest / p.joint_friction_rate
        rate += 16.0 * joint / (p.pitch * p.pitch * p.mass)
    rate = max(rate, p.limit[LIMIT_RATE])
    square += p.limit[LIMIT_SQUARE]
    return rate + math.sqrt(rate * rate + square)


@kernel(inner=True)
def _contacts(p, surface, s):
    """Largest stiffness [N/m] and damping [N s/m] of the contacts of one run of rollers, and the sums of both."""
    slot = p.segment[s, SEGMENT_SLOT]
    row = p.surface[surface]
    stiffness, damping, stiffness_sum, damping_sum = 0.0, 0.0, 0.0, 0.0
    for k in range(slot, slot + p.segment[s, SEGMENT_END] - p.segment[s, SEGMENT_FIRST]):
        depth = p.contact[CONTACT_PENETRATION, k]
        if not depth > 0.0:
            continue
        exponent, elastic, approach = row[SURFACE_EXPONENT], p.contact[CONTACT_ELASTIC, k], p.contact[CONTACT_RATE, k]
        if approach > 0.0:
            # K dmax^(n+1)/(n+1) = K d^(n+1)/(n+1) + m d'^2/2
            impact = 0.5 * (exponent + 1.0) * p.mass * approach * approach
            if impact > HARD_IMPACT * elastic * depth:
                depth = ((elastic * depth + impact) / row[SURFACE_STIFFNESS]) ** (1.0 / (exponent + 1.0))
                elastic = row[SURFACE_STIFFNESS] * depth**exponent
        speed = max(p.candidate[CANDIDATE_SPEED, k], p.speed_floor)
        ratio = min(max(approach / speed, 0.0), 1.0)
        slope = exponent * elastic / depth * (1.0 + row[SURFACE_HYSTERESIS] * ratio)
        across = row[SURFACE_VISCOUS] + row[SURFACE_HYSTERESIS] * elastic / speed
        if surface >= p.wheels and row[SURFACE_FRICTION] > 0.0:
            across = max(across, row[SURFACE_FRICTION] * p.contact[CONTACT_FORCE, k] * _slope(p, k))
        stiffness, damping = max(stiffness, slope), max(damping, across)
        stiffness_sum += slope
        damping_sum += across
    return stiffness, damping, stiffness_sum, damping_sum


@kernel(inner=True)
def _slope(p, k):
    """How steeply the regularised sign of contact k changes with its slip. [s/m]"""
    slip, scale = p.contact[CONTACT_SLIP, k], SMALL_SLIP * p.friction_speed * min(p.friction_sharpness, 1.0)
    after = regularised_sign(p.friction_kind, slip + scale, p.friction_speed, p.friction_sharpness)
    before = regularised_sign(p.friction_kind, slip - scale, p.friction_speed, p.friction_sharpness)
    return (after - before) / (2.0 * scale)
