"""Limits of an explicit step: frequencies and damping rates of a chain as built and of its contacts.

A joint of stiffness k connects the ends of two links. In the plane of the chain and in the transverse plane, the
highest frequency is that of neighbouring links that turn against each other, with arms a of pin and b of bush, or that
move against each other along the chain:

    w^2 = 2 k (2/m)  along,    2 k e  across, e the larger eigenvalue of the mobility of a link at its two ends,
    w^2 = 4 Kt/Ix about the length,    + 4 Kb/Iy by bending out of the plane,
          + 4 k/Iz where joints stick with the stiffness k; it is M/z0 if they deflect by z0 under a friction moment M.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from chaindrive.contract.states import FloatArray
from chaindrive.formulations.planar import limits as planar_limits
from chaindrive.formulations.planar.frequency import frequency_of
from chaindrive.formulations.planar.limits import (
    Expected,
    Frequencies,
    frequencies,
    lone_rate,
    step_limit,
    tangents,
    together_with_mechanism,
)
from chaindrive.formulations.spatial import parameters as S
from chaindrive.formulations.spatial.chain import ONE
from chaindrive.kernels import kernel
from chaindrive.mechanism.motion import MotionKind

if TYPE_CHECKING:
    from chaindrive.mechanism.description import Mechanism

__all__ = ["frequency", "highest_frequencies", "limits_of_links", "rows_of", "set_limits"]


def rows_of(p: S.Parameters, *rows: np.uintp) -> list[FloatArray]:
    """Return the rows of ``p.body`` as arrays over all links, (N,) each."""
    table = p.body.reshape(p.blocks, S.BODY_ROWS, S.STRIDE)[:, :, 1 : 1 + S.LANES]
    return [table[:, int(row) // S.STRIDE].reshape(-1)[: p.links] for row in rows]


def _compliance(inverse_mass: FloatArray, inverse_inertia: FloatArray, pin: FloatArray, bush: FloatArray) -> FloatArray:
    """Return the largest eigenvalue of the mobility of every link at its ends, across or along it, (N,). [1/kg]"""
    middle = inverse_mass + 0.5 * (bush**2 + pin**2) * inverse_inertia
    half = 0.5 * (bush**2 - pin**2) * inverse_inertia
    across: FloatArray = middle + np.hypot(half, inverse_mass - pin * bush * inverse_inertia)
    return np.maximum(across, 2.0 * inverse_mass)


class _Links(NamedTuple):
    """Squares of the highest frequencies of the joints [rad^2/s^2] and damping rates of the joints [1/s], for each kind
    of motion.
    """

    along: tuple[float, float]
    across: tuple[float, float]
    turning: tuple[float, float]
    """rotation of neighbouring links against each other in the plane"""
    bending: tuple[float, float]
    """bending of neighbouring links out of the plane"""
    twisting: tuple[float, float]
    yielding: float
    """Largest mobility of a link at its ends. [1/kg]"""

    @property
    def square(self) -> float:
        """Largest square of the frequency for parts that act together."""
        return max(self.turning[0] + self.along[0], self.across[0] + self.bending[0], self.twisting[0])

    @property
    def rate(self) -> float:
        """Largest damping rate for parts that act together."""
        return max(self.along[1] + self.turning[1], self.across[1] + self.bending[1], self.twisting[1])


def _links(p: S.Parameters, tension: float) -> _Links:
    """Return frequencies and damping rates of the joints at a tension [N]."""
    inverse, i1, i2, i3 = rows_of(p, S.INVERSE_MASS, S.INVERSE1, S.INVERSE2, S.INVERSE3)
    rear_x, rear_y, front_x, front_y = rows_of(p, S.REAR_X, S.REAR_Y, S.FRONT_X, S.FRONT_Y)
    kx, ky, kz, cx, cy, cz = rows_of(p, S.STIFF_X, S.STIFF_Y, S.STIFF_Z, S.DAMP_X, S.DAMP_Y, S.DAMP_Z)
    twist, bend, swing, pin = rows_of(p, S.STIFF_TWIST, S.STIFF_BEND, S.DAMP_SWING, S.DAMP_PIN)
    front, rear = np.hypot(front_x, front_y), np.hypot(rear_x, rear_y)
    plane, lateral = _compliance(inverse, i3, front, rear), _compliance(inverse, i2, front, rear)
    sticks = 0.0
    if p.yielding:
        sticks = p.joint_friction_radius * tension / p.presliding
    elif p.joint_friction_radius > 0.0:
        sticks = p.joint_friction_stiffness

    def of(compliance: FloatArray, stiffness: float, damping: float) -> tuple[float, float]:
        return float(compliance.max() * stiffness), float(compliance.max() * damping)

    return _Links(
        along=of(2.0 * plane, max(kx.max(), ky.max()), max(cx.max(), cy.max())),
        across=of(2.0 * lateral, kz.max(), cz.max()),
        turning=of(4.0 * i3, sticks, pin.max()),
        bending=of(4.0 * i2, bend.max(), swing.max()),
        twisting=of(4.0 * i1, twist.max(), swing.max()),
        yielding=float(max(plane.max(), lateral.max())),
    )


def highest_frequencies(p: S.Parameters, mechanism: Mechanism, expected: Expected) -> Frequencies:
    """Return the frequencies that limit an explicit step, see Motion. [rad/s]"""
    links = _links(p, expected.tension)
    contact = max(float(tangents(p.planar).max(initial=0.0)), p.side_stiffness if p.planar.wheels else 0.0)
    square, rate_of_joints = together_with_mechanism(
        p.planar, mechanism, lambda factor: links.square + factor * contact * links.yielding
    )
    square += _aside(p)
    return frequencies(square, links.rate + rate_of_joints, lone_rate(p.planar, mechanism, expected.load_damping))


def limits_of_links(p: S.Parameters, expected: Expected) -> tuple[dict[str, float], float]:
    """Return the frequencies by which links, joints and plates limit an explicit step, and the largest mobility of a
    link end.

    Each frequency is that of a part considered alone [rad/s]. The mobility is in 1/kg.
    """
    links = _links(p, expected.tension)
    found = {
        "links along the chain": links.along,
        "links transverse to the chain": links.across,
        "friction and damping of the joints": links.turning,
        "bending of the links out of the plane": links.bending,
        "torsion of the links": links.twisting,
    }
    limits = {name: step_limit(square, rate, 0.0) for name, (square, rate) in found.items()}
    beside = p.side_stiffness * links.yielding + _aside(p) if p.planar.wheels else 0.0
    return limits | {"plates beside the teeth": step_limit(beside, 0.0, 0.0)}, links.yielding


def _aside(p: S.Parameters) -> float:
    """Return the squared frequency of a wheel between plates that press on half of its teeth from both sides. [1/s^2]

    It is the largest value for all wheels that can move along their axes.
    """
    found = [0.0]
    for w in np.flatnonzero(p.aside >= 0):
        if p.planar.tree.body.motion[p.aside[w]] != MotionKind.FREE:
            continue
        mass = p.planar.tree.body.mass[p.aside[w]]
        found.append(0.5 * float(p.planar.wheel.teeth[w]) * p.side_stiffness / float(mass))
    return max(found)


def set_limits(p: S.Parameters, mechanism: Mechanism, expected: Expected) -> None:
    """Write the limits that the kernel ``frequency`` adds to those of the contacts that it finds."""
    planar_limits.set_sticking(p.planar, float(rows_of(p, S.STIFF_X)[0].max()))
    planar_limits.set_limits(p.planar, mechanism, expected.load_damping)
    links = _links(p, 0.0)
    p.planar.limit.square[0] += links.square + _aside(p)
    p.planar.limit.damping[0] += links.rate


@kernel(inner=True)
def _yielding(p, i, nx, ny, arm):
    """Return 1/m + b^2/I of the link that carries roller i, for an impulse at its joint along (nx, ny). [1/kg]"""
    link = p.owner[i, 0]
    b = link // S.LANES
    k = np.uintp(link - b * S.LANES) + ONE
    s, body = p.link[b], p.body[b]
    joint_x, joint_y = (S.BX, S.BY) if p.owner[i, 1] != 0 else (S.PX, S.PY)
    lever = abs((s[joint_x + k] - s[S.X + k]) * ny - (s[joint_y + k] - s[S.Y + k]) * nx) + arm
    return body[S.INVERSE_MASS + k] + lever * lever * body[S.INVERSE3 + k]


@kernel(inner=True)
def _with_joints(p, square, rate):
    """Add the friction of the joints to the squared frequency and the damping rate."""
    if p.yielding and p.joint_friction_radius > 0.0:
        steepest = 0.0
        for i in range(p.links):
            b = i // S.LANES
            k = np.uintp(i - b * S.LANES) + ONE
            steepest = max(steepest, p.link[b][S.PIN_GRIP + k] * p.body[b][S.INVERSE3 + k])
        square += 4.0 * p.joint_friction_radius * steepest / p.presliding
    return square, rate


frequency = frequency_of(_yielding, _with_joints)
