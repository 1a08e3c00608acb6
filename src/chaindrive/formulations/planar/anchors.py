"""The anchored ends of an open chain: fittings that hold its first or last joint on the ground, a body or a wheel.

The anchor at X goes along with what holds it; on a wheel X = C + r (cos, sin) turns with it. A formulation says with
which force f, and moment, the chain acts on it there; here they go to the wheel or the body.

The fitting of a chain of rollers is a spring and damper alike in all directions between the joint at x and its anchor:
f = k (x - X) + c (v - V), and -f on the joint. The joint is a mass like any other, so that no coordinate depends on
another one. That of rigid links is a joint as between links (formulations.link).
"""

from __future__ import annotations

import math

import numpy as np

from chaindrive.formulations.planar import parameters as P
from chaindrive.formulations.planar.parameters import FloatArray, IntArray, PlanarParameters
from chaindrive.geometry.route import pitch_radius
from chaindrive.kernels import kernel
from chaindrive.mechanism import motion as motions
from chaindrive.mechanism import tree
from chaindrive.mechanism.description import Mechanism
from chaindrive.mechanism.tree import GROUND, point_rates
from chaindrive.mechanism.tree_kernels import ANGULAR_VELOCITY, COORDINATE, PARENT
from chaindrive.model import BodyEnd, Chain, Drive, FreeEnd, WheelEnd

__all__ = [
    "anchor_energy",
    "anchor_forces",
    "anchor_matrices",
    "anchor_rates",
    "anchor_stiffness",
    "hanging_weight",
    "is_held",
    "load_anchored_bodies",
    "load_anchored_wheel",
    "place_anchors_on_bodies",
    "place_anchors_on_wheels",
    "put_anchors",
    "wheel_rates",
]


def is_held(chain: Chain) -> bool:
    """Whether an end of the chain is where it cannot run off: on the ground or on a body."""
    return any(not isinstance(end, (FreeEnd, WheelEnd)) for end in chain.ends or ())


def hanging_weight(drive: Drive) -> float:
    """Weight of the loads on the free ends of an open chain. [N]"""
    loads = (end.mass for end in drive.chain.ends or () if isinstance(end, FreeEnd))
    return sum(loads) * math.hypot(*drive.gravity)


def put_anchors(p: PlanarParameters, drive: Drive, mechanism: Mechanism, angle: FloatArray) -> PlanarParameters:
    """The parameters with the anchors of the ends; angle (W,): of the wheels where the run starts [rad]."""
    chain = drive.chain
    rows, indices = [], []
    for number, end in enumerate(chain.ends or ()):
        if isinstance(end, FreeEnd):
            continue
        row = np.zeros(P.ANCHOR_COLUMNS)
        index = np.array([number * (chain.joints - 1), GROUND, -1, number])
        if isinstance(end, WheelEnd):
            w = 0 if number == 0 else len(drive.wheels) - 1
            index[P.ANCHOR_WHEEL] = w
            radius, turned = float(pitch_radius(chain.pitch, drive.wheels[w].teeth)), end.angle - float(angle[w])
            row[[P.ANCHOR_OWN_X, P.ANCHOR_OWN_Y]] = radius * math.cos(turned), radius * math.sin(turned)
        else:
            body, origin = mechanism.bodies[end.body] if isinstance(end, BodyEnd) else (GROUND, (0.0, 0.0))
            index[P.ANCHOR_BODY] = body
            row[[P.ANCHOR_OWN_X, P.ANCHOR_OWN_Y]] = np.subtract(end.position, origin)
            row[[P.ANCHOR_X, P.ANCHOR_Y]] = end.position
        row[P.ANCHOR_STIFFNESS] = chain.link_stiffness if end.stiffness is None else end.stiffness
        row[P.ANCHOR_DAMPING] = chain.link_damping if end.damping is None else end.damping
        row[[P.ANCHOR_XX, P.ANCHOR_YY]] = row[P.ANCHOR_STIFFNESS]
        rows.append(row)
        indices.append(index)
    if not rows:
        return p
    return p._replace(anchor=np.array(rows), anchor_index=np.array(indices, dtype=np.int64))


@kernel(inner=True)
def _nothing(p):
    """Without anchors."""


@kernel(inner=True)
def _no_forces(place, velocity, force, p):
    return 0.0


@kernel(inner=True)
def _no_energy(place, p):
    return 0.0


@kernel(inner=True)
def _no_stiffness(p, matrix, convex):
    """Without anchors."""


@kernel(inner=True, without=("ways", _nothing))
def place_anchors_on_wheels(p):
    """Places and velocities of the anchors on wheels, whose frames are those of the state."""
    for a in range(p.anchor.shape[0]):
        w = p.anchor_index[a, P.ANCHOR_WHEEL]
        if w < 0:
            continue
        c, s = p.frame[w, P.FRAME_COS], p.frame[w, P.FRAME_SIN]
        own_x, own_y = p.anchor[a, P.ANCHOR_OWN_X], p.anchor[a, P.ANCHOR_OWN_Y]
        rx, ry, turning = c * own_x - s * own_y, s * own_x + c * own_y, p.frame[w, P.FRAME_ANGULAR_VELOCITY]
        p.anchor[a, P.ANCHOR_X], p.anchor[a, P.ANCHOR_Y] = p.frame[w, P.FRAME_X] + rx, p.frame[w, P.FRAME_Y] + ry
        p.anchor[a, P.ANCHOR_VX] = p.frame[w, P.FRAME_VX] - turning * ry
        p.anchor[a, P.ANCHOR_VY] = p.frame[w, P.FRAME_VY] + turning * rx
        p.anchor[a, P.ANCHOR_TURNING] = turning


@kernel(inner=True, without=("ways", _nothing))
def place_anchors_on_bodies(p):
    """Places and velocities of the anchors on bodies, whose frames are those of the state."""
    for a in range(p.anchor.shape[0]):
        body = p.anchor_index[a, P.ANCHOR_BODY]
        if body < 0:
            continue
        x, y, vx, vy = tree.place(p.tree, body, p.anchor[a, P.ANCHOR_OWN_X], p.anchor[a, P.ANCHOR_OWN_Y])
        p.anchor[a, P.ANCHOR_X], p.anchor[a, P.ANCHOR_Y] = x, y
        p.anchor[a, P.ANCHOR_VX], p.anchor[a, P.ANCHOR_VY] = vx, vy
        p.anchor[a, P.ANCHOR_TURNING] = p.tree.frame[body, ANGULAR_VELOCITY]


@kernel(inner=True, without=("ways", _no_forces))
def anchor_forces(place, velocity, force, p):
    """Forces of the anchors on their joints into ``force`` (2 N,) [N]; the power lost in them [W].

    place, velocity: of all joints, (2 N,), first all x, then all y [m, m/s]. Their reactions go to the resultants on
    wheels, and into ``p.anchor`` for bodies.
    """
    n, lost = p.rollers, 0.0
    for a in range(p.anchor.shape[0]):
        i = p.anchor_index[a, P.ANCHOR_ROLLER]
        dx, dy = place[i] - p.anchor[a, P.ANCHOR_X], place[n + i] - p.anchor[a, P.ANCHOR_Y]
        vx, vy = velocity[i] - p.anchor[a, P.ANCHOR_VX], velocity[n + i] - p.anchor[a, P.ANCHOR_VY]
        k, c = p.anchor[a, P.ANCHOR_STIFFNESS], p.anchor[a, P.ANCHOR_DAMPING]
        fx, fy = k * dx + c * vx, k * dy + c * vy
        p.anchor[a, P.ANCHOR_FORCE_X], p.anchor[a, P.ANCHOR_FORCE_Y] = fx, fy
        force[i] -= fx
        force[n + i] -= fy
        lost += c * (vx * vx + vy * vy)
        load_anchored_wheel(p, a)
    return lost


@kernel(inner=True)
def load_anchored_wheel(p, a):
    """Hand the force and the moment on anchor a to the wheel that it is on, if it is on one."""
    w = p.anchor_index[a, P.ANCHOR_WHEEL]
    if w >= 0:
        fx, fy = p.anchor[a, P.ANCHOR_FORCE_X], p.anchor[a, P.ANCHOR_FORCE_Y]
        rx, ry = p.anchor[a, P.ANCHOR_X] - p.frame[w, P.FRAME_X], p.anchor[a, P.ANCHOR_Y] - p.frame[w, P.FRAME_Y]
        p.resultant[w, P.RESULTANT_X] += fx
        p.resultant[w, P.RESULTANT_Y] += fy
        p.resultant[w, P.RESULTANT_MOMENT] += rx * fy - ry * fx + p.anchor[a, P.ANCHOR_MOMENT]


@kernel(inner=True, without=("ways", _nothing))
def load_anchored_bodies(p):
    """Hand the forces of the anchors of the last evaluation to the bodies that hold them.

    They act where the anchors are now, which go with their bodies.
    """
    for a in range(p.anchor.shape[0]):
        body = p.anchor_index[a, P.ANCHOR_BODY]
        if body >= 0:
            x, y, _, _ = tree.place(p.tree, body, p.anchor[a, P.ANCHOR_OWN_X], p.anchor[a, P.ANCHOR_OWN_Y])
            fx, fy = p.anchor[a, P.ANCHOR_FORCE_X], p.anchor[a, P.ANCHOR_FORCE_Y]
            tree.apply_force(p.tree, body, x, y, fx, fy, p.anchor[a, P.ANCHOR_MOMENT])


@kernel(inner=True, without=("ways", _no_energy))
def anchor_energy(place, p):
    """Elastic energy of the fittings. [J]"""
    n, energy = p.rollers, 0.0
    for a in range(p.anchor.shape[0]):
        i = p.anchor_index[a, P.ANCHOR_ROLLER]
        dx, dy = place[i] - p.anchor[a, P.ANCHOR_X], place[n + i] - p.anchor[a, P.ANCHOR_Y]
        energy += 0.5 * p.anchor[a, P.ANCHOR_STIFFNESS] * (dx * dx + dy * dy)
    return energy


@kernel(inner=True, without=("ways", _no_stiffness))
def anchor_stiffness(p, matrix, convex):
    """Stiffness of the anchors on joints, wheels and bodies, into ``matrix``; after an evaluation.

    Against the joint it is that of the columns ANCHOR_XX to ANCHOR_YY.
    What the place of a force on a body does to its moment as the body moves stands with that of all forces on bodies
    (``statics.joint_stiffness``).
    """
    for a in range(p.anchor.shape[0]):
        i = p.anchor_index[a, P.ANCHOR_ROLLER]
        xx, xy, yy = p.anchor[a, P.ANCHOR_XX], p.anchor[a, P.ANCHOR_XY], p.anchor[a, P.ANCHOR_YY]
        matrix.diagonal[i, 0, 0] += xx
        matrix.diagonal[i, 0, 1] += xy
        matrix.diagonal[i, 1, 0] += xy
        matrix.diagonal[i, 1, 1] += yy
        w, body = p.anchor_index[a, P.ANCHOR_WHEEL], p.anchor_index[a, P.ANCHOR_BODY]
        x, y = p.anchor[a, P.ANCHOR_X], p.anchor[a, P.ANCHOR_Y]
        rx = ry = 0.0
        if w >= 0:
            rx, ry = x - p.frame[w, P.FRAME_X], y - p.frame[w, P.FRAME_Y]
            turned = rx * p.anchor[a, P.ANCHOR_FORCE_X] + ry * p.anchor[a, P.ANCHOR_FORCE_Y]
            sx, sy = xy * rx - xx * ry, yy * rx - xy * ry
            matrix.border[i, 0, w] -= sx
            matrix.border[i, 1, w] -= sy
            matrix.corner[w, w] += rx * sy - ry * sx + (max(turned, 0.0) if convex else turned)
            body, x, y = p.surface_index[w, P.INDEX_BODY], p.frame[w, P.FRAME_X], p.frame[w, P.FRAME_Y]
        _on_a_body(p, matrix, i, (xx, xy, yy), w, body, x, y, rx, ry)


@kernel(inner=True)
def _on_a_body(p, matrix, i, stiffness, w, body, x, y, rx, ry):
    """What a fitting adds to the joints that carry it, or that carry the wheel w that it is on, at (x, y)."""
    xx, xy, yy = stiffness
    b = body
    while b >= 0:
        j = p.tree.index[b, COORDINATE]
        if j >= 0:
            gx, gy = tree.point_jacobian(p.tree, b, x, y)
            sx, sy = xx * gx + xy * gy, xy * gx + yy * gy
            matrix.border[i, 0, p.wheels + j] -= sx
            matrix.border[i, 1, p.wheels + j] -= sy
            if w >= 0:
                mixed = sy * rx - sx * ry
                matrix.corner[w, p.wheels + j] += mixed
                matrix.corner[p.wheels + j, w] += mixed
            o = body
            while o >= 0:
                other = p.tree.index[o, COORDINATE]
                if other >= 0:
                    hx, hy = tree.point_jacobian(p.tree, o, x, y)
                    matrix.corner[p.wheels + other, p.wheels + j] += sx * hx + sy * hy
                o = p.tree.index[o, PARENT]
        b = p.tree.index[b, PARENT]


def anchor_matrices(p: PlanarParameters, mechanism: Mechanism) -> tuple[FloatArray, FloatArray]:
    """Stiffness and damping of the anchors on bodies as the joints feel them, where they are drawn, (J, J) each."""
    joints = mechanism.tree.joints
    stiffness, damping = np.zeros((joints, joints)), np.zeros((joints, joints))
    origins = dict(mechanism.bodies.values())
    for row, index in zip(p.anchor, p.anchor_index, strict=True):
        body = int(index[P.ANCHOR_BODY])
        if body < 0:
            continue
        x, y = row[[P.ANCHOR_OWN_X, P.ANCHOR_OWN_Y]] + origins[body]
        rates = point_rates(mechanism.tree, body, (float(x), float(y)))
        stiffness += row[P.ANCHOR_STIFFNESS] * rates.T @ rates
        damping += row[P.ANCHOR_DAMPING] * rates.T @ rates
    return stiffness, damping


def _yielding_of_wheel(p: PlanarParameters, row: FloatArray, index: IntArray) -> float:
    """Speed of an anchor over the impulse that gives it, by the turning of the wheel that it is on. [1/kg]"""
    w = index[P.ANCHOR_WHEEL]
    if w < 0 or p.wheel_index[w, P.INDEX_MOTION] != motions.FREE:
        return 0.0
    return float(row[P.ANCHOR_OWN_X] ** 2 + row[P.ANCHOR_OWN_Y] ** 2) / float(p.wheel[w, P.WHEEL_INERTIA])


def wheel_rates(p: PlanarParameters) -> tuple[float, float]:
    """Square of the frequency [rad^2/s^2], and damping rate [1/s], of wheels that turn against anchors on them."""
    rows = list(zip(p.anchor, p.anchor_index, strict=True))
    found = [
        max([0.0, *(float(row[column]) * _yielding_of_wheel(p, row, index) for row, index in rows)])
        for column in (P.ANCHOR_STIFFNESS, P.ANCHOR_DAMPING)
    ]
    return found[0], found[1]


def anchor_rates(
    p: PlanarParameters, link: tuple[float, float], mass: float, masses: tuple[float, float]
) -> tuple[float, float]:
    """Square of the highest frequency [rad^2/s^2], and damping rate [1/s], of an open chain of such links and anchors.

    link: stiffness and damping of a link [N/m, N s/m]; mass of a roller, masses of both ends [kg]. Gershgorin's
    theorem for the matrix scaled by the roots of the masses; of a closed chain 4 K/m and 4 D/m.
    """
    found = []
    for column, value in ((P.ANCHOR_STIFFNESS, link[0]), (P.ANCHOR_DAMPING, link[1])):
        largest = 4.0 * value / mass
        for row, index in zip(p.anchor, p.anchor_index, strict=True):
            end = masses[index[P.ANCHOR_END]]
            beside = value / math.sqrt(end * mass)
            held = (value + row[column]) / end + beside + row[column] * _yielding_of_wheel(p, row, index)
            largest = max(largest, held, 3.0 * value / mass + beside)
        found.append(float(largest))
    return found[0], found[1]
