"""The equations of motion of a mechanism derived a second time: absolute coordinates and Lagrange multipliers.

Pedersen (2004), section 2.4, Eqs. 2.10, 2.11 and 2.19 (3.86), with Phi^T lambda in Eqs. 2.14 to 2.16:

    [ M  Phi^T ] [ q''    ]   [ g     ]
    [ Phi   0  ] [ lambda ] = [ gamma ],    q = (x, y, theta) of the centre of mass of every body.

Points are complex numbers, so that nothing of the package's own geometry is used; only ``BodyData`` is read.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from chaindrive.mechanism.tree import FIXED, GROUND, PRISMATIC, REVOLUTE, BodyData


class Frame(NamedTuple):
    """A body's own frame: origin, velocity of the origin, angle, angular velocity."""

    origin: complex
    velocity: complex
    angle: float
    angular_velocity: float

    def place(self, own: complex) -> complex:
        return self.origin + np.exp(1j * self.angle) * own

    def rate(self, own: complex) -> complex:
        return self.velocity + 1j * self.angular_velocity * np.exp(1j * self.angle) * own


def number(point) -> complex:
    return complex(point[0], point[1])


def frames(bodies: list[BodyData], s, rate) -> list[Frame]:
    """Frames of all bodies at joint coordinates s and their rates; parents before children."""
    made: list[Frame] = []
    j = 0
    for body in bodies:
        parent, origin = Frame(0j, 0j, 0.0, 0.0), 0j
        if body.parent != GROUND:
            parent, origin = made[body.parent], number(bodies[body.parent].position)
        own = number(body.position) - origin
        turn = angular_velocity = 0.0
        slip = 0j
        if body.joint == REVOLUTE:
            turn, angular_velocity, j = s[j], rate[j], j + 1
        elif body.joint == PRISMATIC:
            unit = number(body.direction) / abs(number(body.direction))
            own, slip, j = own + s[j] * unit, rate[j] * unit * np.exp(1j * parent.angle), j + 1
        velocity = parent.rate(own) + slip
        made.append(Frame(parent.place(own), velocity, parent.angle + turn, parent.angular_velocity + angular_velocity))
    return made


class Solution(NamedTuple):
    acceleration: np.ndarray
    """Accelerations of the joint coordinates, (J,)"""
    force: np.ndarray
    """Force of every body on its parent, complex, (B,)"""
    moment: np.ndarray
    """Moment of every body on its parent, about the joint's point, (B,)"""
    multipliers: np.ndarray


def joint_spring(body: BodyData, s: float, rate: float) -> float:
    """Force of the joint's own laws on its coordinate, without stops."""
    return body.load - body.stiffness * (s - body.neutral) - body.damping * rate


def solve(bodies: list[BodyData], s, rate, gravity: complex, pushes=()) -> Solution:
    """Accelerations and multipliers; pushes: (body, point, force, moment), in complex numbers and global directions."""
    count = len(bodies)
    at = frames(bodies, s, rate)
    centre = [f.place(number(b.centre) - number(b.position)) for f, b in zip(at, bodies, strict=True)]
    mass = np.diag([m for b in bodies for m in (b.mass, b.mass, b.inertia)])
    load = np.zeros(3 * count)

    def act(b, place, force, moment=0.0):
        if b >= 0:
            arm = place - centre[b]
            load[3 * b : 3 * b + 3] += force.real, force.imag, (arm.conjugate() * force).imag + moment

    for b in range(count):
        act(b, centre[b], bodies[b].mass * gravity)
    for b, place, force, moment in pushes:
        act(b, place, force, moment)

    rows, right, owner = [], [], []
    own_force, own_moment = np.zeros(count, dtype=complex), np.zeros(count)  # of the joint's laws on the body
    ground = Frame(0j, 0j, 0.0, 0.0)
    joint = 0
    for i, body in enumerate(bodies):
        j = body.parent
        parent = at[j] if j >= 0 else ground
        point = at[i].origin  # of the joint, on body i
        own = number(body.position) - (number(bodies[j].position) if j >= 0 else 0j)
        held = parent.place(own)  # the same on the parent, at coordinate zero
        arm_i, arm_j = point - centre[i], held - (centre[j] if j >= 0 else 0j)
        wi, wj = at[i].angular_velocity, parent.angular_velocity

        def row(fi, ti, fj, tj, gamma, i=i, j=j):
            """One constraint: gradients with respect to the two bodies, fi and fj complex."""
            line = np.zeros(3 * count)
            line[3 * i : 3 * i + 3] = fi.real, fi.imag, ti
            if j >= 0:
                line[3 * j : 3 * j + 3] = fj.real, fj.imag, tj
            rows.append(line)
            right.append(gamma)
            owner.append(i)

        if body.joint in (REVOLUTE, FIXED):  # Eq. 2.10: both points coincide
            gap = wi**2 * arm_i - wj**2 * arm_j
            row(1 + 0j, -arm_i.imag, -1 + 0j, arm_j.imag, gap.real)
            row(1j, arm_i.real, -1j, -arm_j.real, gap.imag)
        if body.joint == PRISMATIC:  # Eq. 2.11: no distance from the line of the joint
            unit = number(body.direction) / abs(number(body.direction)) * np.exp(1j * parent.angle)
            across = 1j * unit
            distance = point - held
            slip = at[i].velocity - parent.rate(own)
            gamma = _dot(across, wi**2 * arm_i - wj**2 * arm_j) + wj**2 * _dot(across, distance)
            gamma -= 2.0 * wj * _dot(1j * across, slip)
            turning = _dot(1j * across, distance) - _dot(across, 1j * arm_j)
            row(across, _dot(across, 1j * arm_i), -across, turning, gamma)
        if body.joint in (PRISMATIC, FIXED):  # Eq. 2.11: no angle between the bodies
            row(0j, 1.0, 0j, -1.0, 0.0)
        if body.joint != FIXED:
            force = joint_spring(body, s[joint], rate[joint])
            joint += 1
            if body.joint == REVOLUTE:
                own_moment[i] = force
                act(i, point, 0j, force)
                act(j, point, 0j, -force)
            else:
                own_force[i] = force * unit
                act(i, point, force * unit)
                act(j, point, -force * unit)

    phi = np.array(rows)
    system = np.block([[mass, phi.T], [phi, np.zeros((len(phi), len(phi)))]])
    answer = np.linalg.solve(system, np.concatenate([load, right]))
    absolute, multipliers = answer[: 3 * count].reshape(count, 3), answer[3 * count :]
    # Force on body i at its joint: its own laws and -Phi^T lambda; on the parent the opposite.
    force, moment = -own_force, -own_moment
    for k, i in enumerate(owner):
        constraint = -phi[k, 3 * i : 3 * i + 3] * multipliers[k]
        reaction = complex(constraint[0], constraint[1])
        force[i] -= reaction
        moment[i] -= constraint[2] - ((at[i].origin - centre[i]).conjugate() * reaction).imag
    return Solution(_joint(bodies, at, centre, absolute), force, moment, multipliers)


def _dot(a: complex, b: complex) -> float:
    return (a.conjugate() * b).real


def _joint(bodies, at, centre, absolute) -> np.ndarray:
    """Accelerations of the joint coordinates from those of the bodies."""
    found = []

    def acceleration(b, place):
        if b < 0:
            return 0j
        arm = place - centre[b]
        turned = 1j * absolute[b, 2] * arm - at[b].angular_velocity ** 2 * arm
        return complex(absolute[b, 0], absolute[b, 1]) + turned

    for i, body in enumerate(bodies):
        j = body.parent
        turn = absolute[j, 2] if j >= 0 else 0.0
        if body.joint == REVOLUTE:
            found.append(absolute[i, 2] - turn)
        elif body.joint == PRISMATIC:
            angle = at[j].angle if j >= 0 else 0.0
            unit = number(body.direction) / abs(number(body.direction)) * np.exp(1j * angle)
            # Seen from the parent's material point under the joint, without Coriolis (across the line of the joint).
            found.append(_dot(unit, acceleration(i, at[i].origin) - acceleration(j, at[i].origin)))
    return np.array(found)
