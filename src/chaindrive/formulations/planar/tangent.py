"""Derivatives of contact forces with respect to the positions of rollers.

An implicit step needs them in addition to the forces.

A contact of depth d and rate d' has the normal n, the tangent t = n^ turned counter-clockwise, the normal force N(d,
d') and the friction F(N, s) of the slip, or of the spring of elastic friction. If a roller moves by dx relative to the
surface, which turns with the angular velocity w, and its velocity changes by dv,

    n changes by h t (t.dx),   t by -h n (t.dx),   d by -n.dx,   d' by -n.dv' - (t.v) h (t.dx),   dv' = dv - w dx^,

with h the turning of the normal along the surface (``geometry.kernels.bend``). The derivatives of the laws are in
physics/, beside the laws. User-defined laws and goods, which also change the masses, have no derivatives.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from chaindrive.formulations.planar.statics import guide_bend, tooth_bend
from chaindrive.formulations.planar.sticking import joint_spring, joint_stiffness
from chaindrive.kernels import kernel
from chaindrive.physics.contact import impact_speed, impact_speed_slope, normal_force_slopes
from chaindrive.physics.elastic_friction import damped_slopes, held_slopes, turn_since_slope
from chaindrive.physics.friction import regularised_slope
from chaindrive.physics.joint import joint_friction_slopes

if TYPE_CHECKING:
    from chaindrive.formulations.planar.parameters import PlanarParameters

__all__ = ["Slopes", "Turning", "contact_slopes", "force_change", "has_derivatives", "presses", "turning_slopes"]


def has_derivatives(p: PlanarParameters) -> bool:
    """Return whether all forces of a drive have analytical derivatives."""
    return not (p.own_laws or p.payload.x.size or p.rigid_contacts)


class Turning(NamedTuple):
    """Resistance of the joints of a chain to rotation."""

    damping: float
    """[N m s/rad]"""
    radius: float
    """friction coefficient times pin radius [m]"""
    rate: float
    """rate over which the sign of friction is smoothed [rad/s]"""
    stiffness: float
    """stiffness of the springs that model elastic friction or are in series with damping [N m/rad]"""
    relaxation: float
    """this stiffness divided by the damping in series with the spring [1/s]; 0: there is no such damping"""


@kernel(inner=True)
def turning_slopes(law, j, cosine, sine, rate, force, kept, gained, p):
    """Return the derivatives of the moment of joint j with respect to angle [N m/rad], rate [N m s/rad] and pin force
    [m].

    law: ``Turning``; cosine, sine: of the angle of the joint; rate: rate of this angle [rad/s]; force: force of the pin
    [N]; kept, gained: results of ``sticking.relaxed``.
    """
    series = law.relaxation > 0.0 and p.elastic_joints
    by_turn, by_rate, by_force = 0.0, 0.0 if series else law.damping, 0.0
    if series or (law.radius != 0.0 and p.elastic_friction):
        spring = joint_spring(cosine, sine, law.stiffness, p.hinge, j)
        radius = law.radius if p.elastic_friction else 0.0
        limit = radius * abs(force)
        by_spring, by_limit = held_slopes(spring, limit)
        if series:
            by_spring, by_limit = damped_slopes(spring, p.hinge.moment[j], limit, kept, gained)
        by_turn = by_spring * joint_stiffness(cosine, sine, law.stiffness, p.hinge, j)
        by_force = by_limit * radius * (1.0 if force >= 0.0 else -1.0)
    if law.radius != 0.0 and not p.elastic_friction:
        smoothed, by_force = joint_friction_slopes(rate, force, law.radius, law.rate)
        by_rate += smoothed
    return by_turn, by_rate, by_force


class Slopes(NamedTuple):
    """Derivatives of the force of a contact that presses, see ``contact_slopes``."""

    by_depth: float
    by_rate: float
    """derivatives of the normal force with respect to depth [N/m] and rate [N s/m]"""
    by_force: float
    by_place: float
    by_slip: float
    """derivatives of friction with respect to normal force [-], position along the surface [N/m] and slip [N s/m]"""
    by_turn: float
    """derivative of friction with respect to the rotation of a link, if a part of the link itself slides [N/rad]"""
    bend: float
    """change of direction of the normal along the surface [1/m]"""


@kernel(inner=True)
def contact_slopes(place, p, s, i):
    """Return the derivatives of the pressed contact of roller i in run s; place as in contact.py."""
    surface, face = p.segment.surface[s], p.segment.face[s]
    k = p.segment.slot[s] + i - p.segment.first[s]
    contact, candidate = p.contact, p.candidate
    depth, elastic = contact.penetration[k], contact.elastic[k]
    steepness = p.surface.exponent[surface] * elastic / depth
    stored, of_depth = max(candidate.speed[k], p.speed_floor), candidate.speed_of_depth[k]
    speed = impact_speed(stored, elastic, depth, of_depth)
    faster = impact_speed_slope(stored, elastic, depth, of_depth, steepness)
    hysteresis, viscous = candidate.hysteresis[k], candidate.viscous[k]
    by_depth, by_rate = normal_force_slopes(elastic, contact.rate[k], speed, hysteresis, viscous, steepness, faster)
    wheel = surface < p.wheels
    bend = tooth_bend(place, p, surface, face, i, k) if wheel else guide_bend(place, p, surface, i)
    by_force, by_place, by_slip, by_turn = 0.0, 0.0, 0.0, 0.0
    coefficient = candidate.friction[k]
    if p.has_friction and p.elastic_friction:
        by_spring, by_limit = held_slopes(contact.spring[k], coefficient * contact.force[k])
        by_force = -by_limit * coefficient
        by_place, by_turn = _spring_slopes(place, p, surface, face * p.rollers + i, i, k, bend)
        by_place, by_turn = -by_spring * by_place, -by_spring * by_turn
    elif p.has_friction:
        slope = regularised_slope(p.friction_kind, contact.slip[k], p.friction_speed, p.friction_sharpness)
        by_force, by_slip = -coefficient * contact.sign[k], -coefficient * contact.force[k] * slope
    return Slopes(by_depth, by_rate, by_force, by_place, by_slip, by_turn, bend)


@kernel(inner=True)
def _spring_slopes(place, p, surface, row, i, k, bend):
    """Return derivatives of the spring force of roller i, in slot k.

    They are with respect to its position along the surface [N/m] and to the rotation of its link, if a part of the link
    slides [N/rad]. row: row of its anchor.
    """
    anchored, c, sine = p.anchored, p.frame.cos[surface], p.frame.sin[surface]
    stiffness, arm = anchored.held[row] * p.surface.tangential[surface], p.surface.arm[surface]
    off_x = place[i] - p.frame.x[surface] - (c * anchored.x[row] - sine * anchored.y[row])
    off_y = place[p.rollers + i] - p.frame.y[surface] - (sine * anchored.x[row] + c * anchored.y[row])
    out = off_x * p.contact.normal_x[k] + off_y * p.contact.normal_y[k]
    by_turn = 0.0
    if arm > 0.0:
        hx, hy = p.heading_x[i], p.heading_y[i]
        own_x, own_y = c * hx + sine * hy, c * hy - sine * hx
        by_turn = -stiffness * arm * turn_since_slope(own_x, own_y, anchored.cos[row], anchored.sin[row])
    return stiffness * (1.0 - bend * out), by_turn


@kernel(inner=True)
def force_change(p, slopes, s, i, dx, dy, dvx, dvy, turn, spin):
    """Return the change of the force on roller i in run s, (x, y), and of its friction.

    The change is due to a displacement (dx, dy) and a velocity (dvx, dvy) of the roller. If a part of its link slides,
    it is also due to a rotation ``turn`` and an angular velocity ``spin`` of the link. With displacements equal to
    ``follow`` and velocities equal to ``lead`` (contract/kernels.py), the changes are derivatives.
    """
    surface, k = p.segment.surface[s], p.segment.slot[s] + i - p.segment.first[s]
    contact, turning, arm = p.contact, p.frame.angular_velocity[surface], p.surface.arm[surface]
    nx, ny, force, friction = contact.normal_x[k], contact.normal_y[k], contact.force[k], contact.friction[k]
    along, out = nx * dy - ny * dx, nx * dx + ny * dy
    dvx, dvy = dvx + turning * dy, dvy - turning * dx
    turned, passing = slopes.bend * along, contact.slip[k]
    if arm > 0.0:
        passing += arm * (p.turning[i] - turning)
    closing = -(nx * dvx + ny * dvy) - passing * turned
    sliding = nx * dvy - ny * dvx + contact.rate[k] * turned - arm * spin
    normal = slopes.by_rate * closing - slopes.by_depth * out
    tangential = slopes.by_force * normal + slopes.by_place * along + slopes.by_slip * sliding + slopes.by_turn * turn
    across, upright = tangential + force * turned, normal - friction * turned
    return upright * nx - across * ny, upright * ny + across * nx, tangential


@kernel(inner=True)
def presses(p, k):
    """Return whether the force in slot k changes with the position of its roller."""
    return p.contact.penetration[k] > 0.0 and p.contact.force[k] > 0.0
