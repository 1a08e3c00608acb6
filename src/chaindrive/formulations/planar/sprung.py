"""Contacts that keep their springs although other contacts are rigid, on surfaces with ``contact.compliant``.

A step suited to rigid contacts is long for such contacts. Their force is the mean over the step
(physics/mean_contact.py), by the same law as for compliant contacts. It depends on the speed after the step, because
the depth changes by the mean of the speeds before and after. The solver finds both together (contract/rigid.py,
``press``).
"""

from __future__ import annotations

from chaindrive.kernels import kernel
from chaindrive.physics.contact import impact_speed, normal_force
from chaindrive.physics.mean_contact import mean_elastic_force, pressed_part

__all__ = ["press_contact", "remember_landings"]

PROBED, FINEST = 1e-6, 1e-12
"""Change of the depth, as a fraction of it, with which the slope of the force is computed [-]; smallest depth used, for
a contact that is neither open nor pressed [m]."""


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
    """Return the mean force of slot k [N], and its elastic part, over a step in which a contact of this depth [m] opens
    at a mean speed [m/s].

    stored: the approach speed of the impact [m/s].
    """
    later, own = depth - h * speed, p.candidate
    elastic = mean_elastic_force(depth, later, p.surface.stiffness[surface], p.surface.exponent[surface])
    pressed = 0.5 * (max(depth, 0.0) + max(later, 0.0))
    impact = impact_speed(max(stored, p.speed_floor), elastic, pressed, own.speed_of_depth[k])
    viscous = own.viscous[k] * pressed_part(depth, later)
    return normal_force(elastic, -speed, impact, own.hysteresis[k], viscous, pressed), elastic


@kernel(inner=True)
def remember_landings(p):
    """Store the approach speed of every contact with a spring that has closed in the last step; delete the speed if the
    contact has opened.

    ``candidates.update_impact_memory`` does the same for compliant contacts. Here the stored speed is that before the
    step, because the step has changed it.
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
