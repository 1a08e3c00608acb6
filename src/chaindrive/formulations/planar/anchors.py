"""The anchored ends of an open chain: fittings that hold its first or last joint to the ground, a body or a wheel.

The anchor at X moves with the part that holds it; on a wheel X = C + r (cos, sin) turns with it. A formulation gives
the force f and the moment of the chain on the anchor; this module passes them on to the wheel or the body.

The fitting of a chain of rollers is a spring and damper, equal in all directions, between the joint at x and its
anchor: f = k (x - X) + c (v - V), and -f on the joint. The joint is a mass like any other, so that no coordinate
depends on another coordinate. The fitting of rigid links is a joint like those between links (formulations.link).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from chaindrive.formulations.planar.parameters import FloatArray, PlanarParameters
from chaindrive.formulations.planar.tables import Anchors
from chaindrive.geometry.route import pitch_radius
from chaindrive.kernels import kernel
from chaindrive.kernels.tables import blank
from chaindrive.mechanism import motion as motions
from chaindrive.mechanism import tree
from chaindrive.mechanism.tree import GROUND, point_rates

if TYPE_CHECKING:
    from chaindrive.mechanism.description import Mechanism
    from chaindrive.model import Chain, Drive

__all__ = [
    "anchor_energy",
    "anchor_forces",
    "anchor_matrices",
    "anchor_rates",
    "anchor_stiffness",
    "is_held",
    "load_anchored_bodies",
    "load_anchored_wheel",
    "place_anchors_on_bodies",
    "place_anchors_on_wheels",
    "put_anchors",
    "wheel_rates",
]


def is_held(chain: Chain) -> bool:
    """Return whether an end of the chain is anchored to the ground or a body, so that the chain cannot run off."""
    from chaindrive.model import FreeEnd, WheelEnd

    return any(not isinstance(end, (FreeEnd, WheelEnd)) for end in chain.ends or ())


def put_anchors(p: PlanarParameters, drive: Drive, mechanism: Mechanism, angle: FloatArray) -> PlanarParameters:
    """Return the parameters with the anchors of the ends.

    angle (W,): initial angles of the wheels [rad].
    """
    from chaindrive.model import BodyEnd, FreeEnd, WheelEnd

    chain = drive.chain
    held = [(number, end) for number, end in enumerate(chain.ends or ()) if not isinstance(end, FreeEnd)]
    anchor = blank(Anchors, len(held))
    for a, (number, end) in enumerate(held):
        anchor.roller[a], anchor.end[a] = number * (chain.joints - 1), number
        anchor.body[a], anchor.wheel[a], anchor.cos[a] = GROUND, -1, 1.0
        if isinstance(end, WheelEnd):
            w = anchor.wheel[a] = 0 if number == 0 else len(drive.wheels) - 1
            radius, turned = float(pitch_radius(chain.pitch, drive.wheels[w].teeth)), end.angle - float(angle[w])
            anchor.own_x[a], anchor.own_y[a] = radius * math.cos(turned), radius * math.sin(turned)
        else:
            body, origin = mechanism.bodies[end.body] if isinstance(end, BodyEnd) else (GROUND, (0.0, 0.0))
            anchor.body[a] = body
            anchor.own_x[a], anchor.own_y[a] = np.subtract(end.position, origin)
            anchor.x[a], anchor.y[a] = end.position
        stiffness = chain.link_stiffness if end.stiffness is None else end.stiffness
        anchor.stiffness[a] = anchor.xx[a] = anchor.yy[a] = stiffness
        anchor.damping[a] = chain.link_damping if end.damping is None else end.damping
    return p._replace(anchor=anchor) if held else p


@kernel(inner=True)
def _nothing(p):
    """Do nothing, because the chain has no anchors."""


@kernel(inner=True)
def _no_forces(place, velocity, force, p):
    return 0.0


@kernel(inner=True)
def _no_energy(place, p):
    return 0.0


@kernel(inner=True)
def _no_stiffness(p, matrix, convex):
    """Add no stiffness, because the chain has no anchors."""


@kernel(inner=True, without=("ways", _nothing))
def place_anchors_on_wheels(p):
    """Compute positions and velocities of the anchors on wheels from the frames of the state."""
    for a in range(p.anchor.roller.size):
        w = p.anchor.wheel[a]
        if w < 0:
            continue
        c, s = p.frame.cos[w], p.frame.sin[w]
        own_x, own_y = p.anchor.own_x[a], p.anchor.own_y[a]
        rx, ry, turning = c * own_x - s * own_y, s * own_x + c * own_y, p.frame.angular_velocity[w]
        p.anchor.x[a], p.anchor.y[a] = p.frame.x[w] + rx, p.frame.y[w] + ry
        p.anchor.vx[a] = p.frame.vx[w] - turning * ry
        p.anchor.vy[a] = p.frame.vy[w] + turning * rx
        p.anchor.turning[a], p.anchor.cos[a], p.anchor.sin[a] = turning, c, s


@kernel(inner=True, without=("ways", _nothing))
def place_anchors_on_bodies(p):
    """Compute positions and velocities of the anchors on bodies from the frames of the state."""
    for a in range(p.anchor.roller.size):
        body = p.anchor.body[a]
        if body < 0:
            continue
        x, y, vx, vy = tree.place(p.tree, body, p.anchor.own_x[a], p.anchor.own_y[a])
        p.anchor.x[a], p.anchor.y[a] = x, y
        p.anchor.vx[a], p.anchor.vy[a] = vx, vy
        p.anchor.turning[a] = p.tree.frame.angular_velocity[body]
        p.anchor.cos[a], p.anchor.sin[a] = p.tree.frame.cos[body], p.tree.frame.sin[body]


@kernel(inner=True, without=("ways", _no_forces))
def anchor_forces(place, velocity, force, p):
    """Add the forces of the anchors on their joints to ``force`` (2 N,) [N]; return the power lost in the anchors [W].

    place, velocity: of all joints, (2 N,), first all x, then all y [m, m/s]. The reactions are added to the resultants
    on wheels, and are written into ``p.anchor`` for bodies.
    """
    n, lost = p.rollers, 0.0
    for a in range(p.anchor.roller.size):
        i = p.anchor.roller[a]
        dx, dy = place[i] - p.anchor.x[a], place[n + i] - p.anchor.y[a]
        vx, vy = velocity[i] - p.anchor.vx[a], velocity[n + i] - p.anchor.vy[a]
        k, c = p.anchor.stiffness[a], p.anchor.damping[a]
        fx, fy = k * dx + c * vx, k * dy + c * vy
        p.anchor.force_x[a], p.anchor.force_y[a] = fx, fy
        force[i] -= fx
        force[n + i] -= fy
        lost += c * (vx * vx + vy * vy)
        load_anchored_wheel(p, a)
    return lost


@kernel(inner=True)
def load_anchored_wheel(p, a):
    """Pass the force and the moment on anchor a to its wheel, if it is on one."""
    w = p.anchor.wheel[a]
    if w >= 0:
        fx, fy = p.anchor.force_x[a], p.anchor.force_y[a]
        rx, ry = p.anchor.x[a] - p.frame.x[w], p.anchor.y[a] - p.frame.y[w]
        p.resultant.x[w] += fx
        p.resultant.y[w] += fy
        p.resultant.moment[w] += rx * fy - ry * fx + p.anchor.moment[a]


@kernel(inner=True, without=("ways", _nothing))
def load_anchored_bodies(p):
    """Pass the anchor forces of the last evaluation to the bodies that hold the anchors.

    They act at the present positions of the anchors, which move with their bodies.
    """
    for a in range(p.anchor.roller.size):
        body = p.anchor.body[a]
        if body >= 0:
            x, y, _, _ = tree.place(p.tree, body, p.anchor.own_x[a], p.anchor.own_y[a])
            fx, fy = p.anchor.force_x[a], p.anchor.force_y[a]
            tree.apply_force(p.tree, body, x, y, fx, fy, p.anchor.moment[a])


@kernel(inner=True, without=("ways", _no_energy))
def anchor_energy(place, p):
    """Return the elastic energy of the fittings. [J]"""
    n, energy = p.rollers, 0.0
    for a in range(p.anchor.roller.size):
        i = p.anchor.roller[a]
        dx, dy = place[i] - p.anchor.x[a], place[n + i] - p.anchor.y[a]
        energy += 0.5 * p.anchor.stiffness[a] * (dx * dx + dy * dy)
    return energy


@kernel(inner=True, without=("ways", _no_stiffness))
def anchor_stiffness(p, matrix, convex):
    """Add the stiffness of the anchors on joints, wheels and bodies to ``matrix``, after an evaluation.

    The columns xx to yy contain the stiffness between the joint and the anchor. When the force moves with the body, its
    moment changes. This change is included with that of all forces on bodies (``statics.joint_stiffness``).
    """
    for a in range(p.anchor.roller.size):
        i = p.anchor.roller[a]
        xx, xy, yy = p.anchor.xx[a], p.anchor.xy[a], p.anchor.yy[a]
        matrix.diagonal[i, 0, 0] += xx
        matrix.diagonal[i, 0, 1] += xy
        matrix.diagonal[i, 1, 0] += xy
        matrix.diagonal[i, 1, 1] += yy
        w, body = p.anchor.wheel[a], p.anchor.body[a]
        x, y = p.anchor.x[a], p.anchor.y[a]
        rx = ry = 0.0
        if w >= 0:
            rx, ry = x - p.frame.x[w], y - p.frame.y[w]
            turned = rx * p.anchor.force_x[a] + ry * p.anchor.force_y[a]
            sx, sy = xy * rx - xx * ry, yy * rx - xy * ry
            axle = p.wheel.axle[w]
            matrix.border[i, 0, axle] -= sx
            matrix.border[i, 1, axle] -= sy
            matrix.corner[axle, axle] += rx * sy - ry * sx + (max(turned, 0.0) if convex else turned)
            body, x, y = p.surface.body[w], p.frame.x[w], p.frame.y[w]
        _on_a_body(p, matrix, i, (xx, xy, yy), w, body, x, y, rx, ry)


@kernel(inner=True)
def _on_a_body(p, matrix, i, stiffness, w, body, x, y, rx, ry):
    """Add the stiffness of a fitting at (x, y) for the joints that carry it, or that carry its wheel w."""
    xx, xy, yy = stiffness
    b = body
    while b >= 0:
        j = p.tree.body.coordinate[b]
        if j >= 0:
            gx, gy = tree.point_jacobian(p.tree, b, x, y)
            sx, sy = xx * gx + xy * gy, xy * gx + yy * gy
            matrix.border[i, 0, p.axles + j] -= sx
            matrix.border[i, 1, p.axles + j] -= sy
            if w >= 0:
                mixed = sy * rx - sx * ry
                matrix.corner[p.wheel.axle[w], p.axles + j] += mixed
                matrix.corner[p.axles + j, p.wheel.axle[w]] += mixed
            o = body
            while o >= 0:
                other = p.tree.body.coordinate[o]
                if other >= 0:
                    hx, hy = tree.point_jacobian(p.tree, o, x, y)
                    matrix.corner[p.axles + other, p.axles + j] += sx * hx + sy * hy
                o = p.tree.body.parent[o]
        b = p.tree.body.parent[b]


def anchor_matrices(p: PlanarParameters, mechanism: Mechanism) -> tuple[FloatArray, FloatArray]:
    """Return stiffness and damping of the anchors on bodies, (J, J) each, seen by the joints in their
    drawn positions.
    """
    joints = mechanism.tree.joints
    stiffness, damping = np.zeros((joints, joints)), np.zeros((joints, joints))
    origins = dict(mechanism.bodies.values())
    anchor = p.anchor
    for a in np.flatnonzero(anchor.body >= 0):
        body = int(anchor.body[a])
        x, y = origins[body]
        rates = point_rates(mechanism.tree, body, (float(anchor.own_x[a] + x), float(anchor.own_y[a] + y)))
        stiffness += anchor.stiffness[a] * rates.T @ rates
        damping += anchor.damping[a] * rates.T @ rates
    return stiffness, damping


def _yielding_of_wheel(p: PlanarParameters, a: int) -> float:
    """Return the speed of an anchor per unit impulse on it, due to the rotation of its wheel. [1/kg]"""
    w = p.anchor.wheel[a]
    if w < 0 or p.wheel.motion[w] != motions.FREE:
        return 0.0
    return float(p.anchor.own_x[a] ** 2 + p.anchor.own_y[a] ** 2) / float(p.wheel.inertia[w])


def wheel_rates(p: PlanarParameters) -> tuple[float, float]:
    """Return the largest squared frequency [rad^2/s^2] and the largest damping rate [1/s] of wheels that rotate against
    the fittings of their anchors.
    """
    yielding = [_yielding_of_wheel(p, a) for a in range(p.anchor.roller.size)]
    largest = [float(max([0.0, *(column * yielding)])) for column in (p.anchor.stiffness, p.anchor.damping)]
    return largest[0], largest[1]


def anchor_rates(
    p: PlanarParameters, link: tuple[float, float], mass: float, masses: tuple[float, float]
) -> tuple[float, float]:
    """Return the square of the highest frequency [rad^2/s^2] and the damping rate [1/s] of an open chain with anchors.

    link: stiffness and damping of a link [N/m, N s/m]; mass: mass of a roller [kg]; masses: masses of the two end
    joints [kg]. Gershgorin's theorem is applied to the matrix scaled by the square roots of the masses; a closed
    chain has 4 K/m and 4 D/m.
    """
    found = []
    for column, value in ((p.anchor.stiffness, link[0]), (p.anchor.damping, link[1])):
        largest = 4.0 * value / mass
        for a in range(p.anchor.roller.size):
            end = masses[p.anchor.end[a]]
            beside = value / math.sqrt(end * mass)
            held = (value + column[a]) / end + beside + column[a] * _yielding_of_wheel(p, a)
            largest = max(largest, held, 3.0 * value / mass + beside)
        found.append(float(largest))
    return found[0], found[1]
