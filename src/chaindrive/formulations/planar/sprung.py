"""Contacts that keep their springs among rigid ones: those of surfaces with ``contact.compliant``.

A step for rigid contacts is long for them. Their force is the mean over the step (physics/mean_contact.py), by the same
law as with springs everywhere, and depends on the speed at the end of the step: the gap changes at the mean of the
speeds before and after. The solver finds force and speed together (contract/rigid.py, ``press``).
"""

from __future__ import annotations

from chaindrive.kernels import kernel
from chaindrive.physics.contact import impact_speed, normal_force
from chaindrive.physics.mean_contact import mean_elastic_force, pressed_part

__all__ = ["press_contact", "remember_landings"]

PROBED, FINEST = 1e-6, 1e-12
"""Relative change of the depth with which the slope of the force is found [-]; the smallest depth for this, where a
contact is neither open nor pressed [m]."""


@kernel(inner=True)
def press_contact(contact, gap, opening, speed, h, p):
    """See ``press`` of contract/rigid.py."""
    k, surface = p.rigid.slot[contact], p.rigid.surface[contact]
    stored = p.candidate.speed[k]
    if stored == 0.0:  # it lands in this step
        p.rigid.approach[contact] = stored = -opening if p.stored_memory else p.speed_floor
    force, elastic = _mean_force(-gap, speed, stored, h, k, surface, p)
    p.rigid.elastic[contact] = elastic
    probe = PROBED * max(abs(gap), abs(gap + h * speed), FINEST) / h
    more = _mean_force(-gap, speed - probe, stored, h, k, surface, p)[0]
    return h * force, 0.5 * h * (more - force) / probe


@kernel(inner=True)
def _mean_force(depth, speed, stored, h, k, surface, p):
    """Mean force of slot k over a step that begins at this depth [m] and opens at a mean speed [m/s]; its elastic part.

    stored: the approach speed of its impact [m/s]. [N]
    """
    later, own = depth - h * speed, p.candidate
    elastic = mean_elastic_force(depth, later, p.surface.stiffness[surface], p.surface.exponent[surface])
    pressed = 0.5 * (max(depth, 0.0) + max(later, 0.0))
    impact = impact_speed(max(stored, p.speed_floor), elastic, pressed, own.speed_of_depth[k])
    viscous = own.viscous[k] * pressed_part(depth, later)
    return normal_force(elastic, -speed, impact, own.hysteresis[k], viscous, pressed), elastic


@kernel(inner=True)
def remember_landings(p):
    """Store the approach speed of every contact with a spring that has closed in the last step, and clear it where one
    has opened; like ``candidates.update_impact_memory``, but with the speed before the step, which the step has
    changed.
    """
    for s in range(p.used.segments[0]):
        if p.surface.sprung[p.segment.surface[s]] == 0:
            continue
        face, first, slot = p.segment.face[s], p.segment.first[s], p.segment.slot[s]
        for i in range(p.segment.end[s] - first):
            k, pressed = slot + i, p.contact.penetration[slot + i] > 0.0
            if pressed != (p.candidate.speed[k] > 0.0):
                landed = max(p.rigid.approach[face * p.rollers + first + i], p.speed_floor)
                p.candidate.speed[k] = p.impact_speed[face, first + i] = landed if pressed else 0.0
