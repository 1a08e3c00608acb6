"""Rigid contacts of rollers with wheels and guides, for time stepping (contract/rigid.py).

A contact is a pair of a face and a roller. There are F N contacts, numbered face by face. The force of a contact is not
a function of the state. It is the impulse of the last step divided by the length of the step, and every evaluation
takes it from memory. There is no elastic deformation, and all power of a contact is lost (Pfeiffer, Fritz & Srnik 1997,
section 2), except where a surface keeps its springs (sprung.py).

With the direction d of a contact, and r from the origin of the frame of its surface to the roller, a unit impulse gives
d to the roller and (-d, -r x d) to the surface. Where a part of a link slides, at an arm from the middle of the roller,
a unit friction impulse also gives the moment -arm to the link and arm to the surface.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from chaindrive.contract.rigid import RigidKernels
from chaindrive.contract.states import IntArray
from chaindrive.formulations.planar.candidates import SPEED_ALLOWANCE
from chaindrive.formulations.planar.chain import ChainKernels
from chaindrive.formulations.planar.sprung import press_contact
from chaindrive.formulations.planar.support import Support
from chaindrive.kernels import Kernel, copy_into, fill, kernel
from chaindrive.kernels.tables import Reals
from chaindrive.mechanism.motion import FREE

__all__ = ["RigidChain", "rigid_kernels"]


class RigidChain(NamedTuple):
    """Kernels of a formulation that apply impulses to its chain, with the links as in the last evaluation."""

    locate: Kernel
    """(y, later, p): computes positions and velocities of the rollers if the links that carry them continue to turn for
    a time [s]
    """
    prepare: Kernel
    """(h, p): prepares the implicit integration of the links over a step h [s]"""
    soften: Kernel
    """(v, p): converts velocities (C,) after a step, computed without the stiffness of links, into velocities with this
    stiffness"""
    correct: Kernel
    """(v, p): the same for residuals of velocities (C,) after a step; also adds the reactions to the forces carried by
    the constraints of the chain"""
    join: Kernel
    """(v, p): the same for velocities due to impulses on rollers that were treated as if they had no links"""
    mobility: Kernel
    """(count, matrix, p): adds the mobility of the rollers of ``p.planar.meeting`` in its directions, (2 count, 2
    count)
    """
    push: Kernel
    """(row, impulse, v, p): adds the impulse in a direction of ``p.planar.meeting`` to the velocities (C,)"""
    react: Kernel
    """(count, force, p): adds these forces, (2 count,), in the directions of ``p.planar.meeting``, to the forces
    carried by the constraints of the chain"""
    relax: Kernel | None = None
    """(count, vector, friction, compliance, impulse, motion, most, tolerance, scratch, p): sweeps over the contacts of
    ``p.planar.meeting``, see contract/rigid.py; None: the matrix is used"""


class Carried(NamedTuple):
    """Surfaces that are moved by impulses, (S,) each."""

    x: Reals
    y: Reals
    turn: Reals
    """velocities [m/s], angular velocity [rad/s]"""
    turns: Reals
    """angular velocity, per unit moment impulse, of surfaces that turn about a fixed centre and move no other surface
    [rad/s/(N m s)]"""
    coupled: IntArray
    """(S, S): indices of the surfaces moved by an impulse on each surface"""
    couples: IntArray
    """(S,): number of these surfaces; 0 for a surface that only turns"""


def carried_of(surfaces: int) -> Carried:
    """Return scratch arrays for this many surfaces."""
    x, y, turn, turns = np.zeros((4, surfaces))
    return Carried(x, y, turn, turns, np.zeros((surfaces, surfaces), np.int64), np.zeros(surfaces, np.int64))


def rigid_kernels(
    chain: ChainKernels, own: RigidChain, rhs: Kernel, energies: Kernel, support: Support
) -> RigidKernels:
    """Return the kernels of rigid contacts, compiled around the chain of a formulation, its energies and
    its support.
    """
    positions, velocities = chain.positions, chain.velocities
    frames, accelerations = support.frames, support.accelerations
    yielding = yielding_on_bodies(support) if support.bodies is not None else yield_on_ground

    @kernel(apart=True)
    def renew(t, y, dy, h, p):
        """See contract/rigid.py."""
        own.prepare(h, p)
        frames(y, p.planar)  # without contact forces
        fill(dy, 0.0)
        accelerations(t, y, dy, p.planar)
        yielding(t, y, dy, p.planar)

    @kernel(apart=True)
    def book(part, y, p):
        """See contract/rigid.py. The energy is recorded in the last work."""
        kinetic, elastic, gravity = energies(y, p)
        y[p.planar.layout.shaft_work - 1] += part * (kinetic + elastic + gravity)

    @kernel(apart=True)
    def release(t, y, dy, h, p):
        """See contract/rigid.py."""
        planar = p.planar
        fill(planar.rigid.normal, 0.0)
        fill(planar.rigid.friction, 0.0)
        fill(planar.rigid.elastic, 0.0)
        rhs(t, y, dy, p)
        own.prepare(h, p)
        own.soften(dy[planar.layout.positions : planar.layout.wheel_speed], p)
        yielding(t, y, dy, planar)

    @kernel(apart=True)
    def soften(change, p):
        """See contract/rigid.py."""
        own.correct(change[: p.planar.layout.wheel_angle], p)

    @kernel(apart=True)
    def gaps(gap, opening, p):
        """See contract/rigid.py."""
        planar, fastest = p.planar, 0.0
        fill(gap, math.inf)
        for s in range(planar.used.segments[0]):
            first, slot = planar.segment.first[s], planar.segment.slot[s]
            contact = planar.segment.face[s] * planar.rollers + first
            for i in range(planar.segment.end[s] - first):
                gap[contact + i] = -planar.contact.penetration[slot + i]
                opening[contact + i] = -planar.contact.rate[slot + i]
                fastest = max(fastest, abs(planar.contact.rate[slot + i]))
                planar.rigid.slot[contact + i] = slot + i
                planar.rigid.surface[contact + i] = planar.segment.surface[s]
        return 2.0 * fastest + SPEED_ALLOWANCE

    @kernel(apart=True)
    def speeds(y, later, active, count, speed, p):
        """See contract/rigid.py."""
        frames(y, p.planar)
        own.locate(y, later, p)
        _speeds(positions(y, p), velocities(y, p), later, active, count, speed, p.planar)

    @kernel(apart=True)
    def inverse_inertia(y, active, count, matrix, p):
        """See contract/rigid.py."""
        planar, size = p.planar, 2 * count
        _meet(positions(y, p), active, count, planar)
        for a in range(size):
            for b in range(size):
                matrix[a, b] = 0.0
        own.mobility(count, matrix, p)
        _surface_mobility(size, matrix, planar)

    @kernel(apart=True)
    def respond(count, impulse, change, p):
        """See contract/rigid.py."""
        planar = p.planar
        fill(change, 0.0)
        chain_of = change[: planar.layout.wheel_angle]
        for a in range(2 * count):
            own.push(a, impulse[a], chain_of, p)
        own.join(chain_of, p)
        _turn(count, impulse, change[planar.layout.wheel_angle :], planar)

    @kernel(apart=True)
    def give(active, count, force, p):
        """See contract/rigid.py."""
        rigid, contact, deepest = p.planar.rigid, p.planar.contact, p.planar.search.deepest
        fill(rigid.normal, 0.0)
        fill(rigid.friction, 0.0)
        for c in range(count):
            rigid.normal[active[c]], rigid.friction[active[c]] = force[c], force[count + c]
            if p.planar.surface.sprung[rigid.surface[active[c]]] > 0:
                continue
            deepest[0] = max(deepest[0], contact.penetration[rigid.slot[active[c]]])
        own.react(count, force, p)

    relax = relaxing(own, positions)
    return RigidKernels(release, soften, gaps, speeds, inverse_inertia, respond, give, press, relax, renew, book)


@kernel
def press(contact, gap, opening, speed, h, p):
    """See contract/rigid.py."""
    return press_contact(contact, gap, opening, speed, h, p.planar)


def relaxing(own: RigidChain, positions: Kernel) -> Kernel | None:
    """Return the kernel ``relax`` of contract/rigid.py, compiled around that of a chain."""
    chain: Any = own.relax
    if chain is None:
        return None

    @kernel(apart=True)
    def relax(y, active, count, vector, friction, compliance, impulse, motion, most, tolerance, scratch, p):
        """See contract/rigid.py."""
        _meet(positions(y, p), active, count, p.planar)
        return chain(count, vector, friction, compliance, impulse, motion, most, tolerance, scratch, p)

    return relax


@kernel(inner=True)
def _speeds(place, velocity, later, active, count, speed, p):
    """Compute the speeds of active contacts whose normals turn with their surfaces for a time, which may be negative.
    [m/s]

    A roller that moves with a surface has no speed relative to it, now or later. In the frame of the surface, the
    velocity of the roller is therefore turned back.
    """
    n, frame = p.rollers, p.frame
    for c in range(count):
        contact = active[c]
        k, s, i = p.rigid.slot[contact], p.rigid.surface[contact], contact % n
        rx, ry = place[i] - frame.x[s], place[n + i] - frame.y[s]
        vx, vy = velocity[i] - frame.vx[s], velocity[n + i] - frame.vy[s]
        turned = frame.angular_velocity[s] * later
        cosine, sine = math.cos(turned), math.sin(turned)
        wx = cosine * vx + sine * vy + frame.angular_velocity[s] * ry
        wy = cosine * vy - sine * vx - frame.angular_velocity[s] * rx
        nx, ny = p.contact.normal_x[k], p.contact.normal_y[k]
        speed[contact] = wx * nx + wy * ny
        slip = wy * nx - wx * ny
        if p.surface.arm[s] > 0.0:
            slip -= p.surface.arm[s] * (p.turning[i] - frame.angular_velocity[s])
        speed[p.rigid.slot.size + contact] = slip


@kernel(inner=True)
def yield_on_ground(t, y, dy, p):
    """Compute the mobility of surfaces if wheels turn about fixed centres and guides are fixed."""
    for w in range(p.wheels):
        a = p.wheel.axle[w]
        yields = 1.0 / p.axle.inertia[a] if p.wheel.motion[p.axle.wheel[a]] == FREE else 0.0
        p.response[a, 3 * w + 2] = yields
        for v in range(p.wheels):
            p.mobility[3 * v + 2, 3 * w + 2] = yields if p.wheel.axle[v] == a else 0.0


def yielding_on_bodies(support: Support) -> Kernel:
    """Return the kernel that computes the same for surfaces carried by bodies, from the accelerations due to unit
    forces and a unit moment on each surface.
    """
    frames, accelerations = support.frames, support.accelerations

    @kernel(inner=True)
    def yield_on_bodies(t, y, dy, p):
        speeds, first = p.layout.wheel_speed, p.layout.wheel_angle
        moved, resultant = p.moved, p.resultant
        for column in range(3 * p.surfaces):
            surface, kind = column // 3, column % 3
            if p.surface.body[surface] < 0 and (kind < 2 or surface >= p.wheels):
                continue  # on the ground
            frames(y, p)
            resultant.x[surface] = 1.0 if kind == 0 else 0.0
            resultant.y[surface] = 1.0 if kind == 1 else 0.0
            resultant.moment[surface] = 1.0 if kind == 2 else 0.0
            fill(p.derivative, 0.0)
            accelerations(t, y, p.derivative, p)
            copy_into(moved, y)
            for j in range(p.layout.positions - first):
                change = p.derivative[speeds + j] - dy[speeds + j]
                p.response[j, column] = moved[speeds + j] = change
            frames(moved, p)
            for s in range(p.surfaces):
                p.mobility[3 * s, column], p.mobility[3 * s + 1, column] = p.frame.vx[s], p.frame.vy[s]
                p.mobility[3 * s + 2, column] = p.frame.angular_velocity[s]
        frames(y, p)

    return yield_on_bodies


@kernel(inner=True)
def _turn(count, impulse, change, p):
    """Add the velocities of wheels and joints due to impulses in the directions of ``p.meeting``."""
    meeting, response = p.meeting, p.response
    for a in range(2 * count):
        column, size = 3 * meeting.surface[a], impulse[a]
        fx, fy, moment = -size * meeting.x[a], -size * meeting.y[a], size * meeting.lever[a]
        for j in range(change.size):
            by_force = response[j, column] * fx + response[j, column + 1] * fy
            change[j] += by_force + response[j, column + 2] * moment


@kernel(inner=True)
def _meet(place, active, count, p):
    """Write the directions of active contacts, normal directions first, and their lever arms on the surfaces into
    ``p.meeting``.
    """
    n, meeting = p.rollers, p.meeting
    for c in range(count):
        k, surface, roller = p.rigid.slot[active[c]], p.rigid.surface[active[c]], active[c] % n
        nx, ny = p.contact.normal_x[k], p.contact.normal_y[k]
        rx, ry = place[roller] - p.frame.x[surface], place[n + roller] - p.frame.y[surface]
        _point(meeting, c, roller, surface, nx, ny, rx, ry, 0.0)
        _point(meeting, count + c, roller, surface, -ny, nx, rx, ry, p.surface.arm[surface])


@kernel(inner=True)
def _point(meeting, a, roller, surface, dx, dy, rx, ry, arm):
    meeting.roller[a], meeting.surface[a] = roller, surface
    meeting.x[a], meeting.y[a] = dx, dy
    meeting.lever[a] = ry * dx - rx * dy + arm
    meeting.twist[a] = -arm


@kernel(inner=True)
def _surface_mobility(size, matrix, p):
    """Add the mobility of the surfaces in the directions of ``p.meeting`` to the matrix."""
    meeting, mobility = p.meeting, p.mobility
    if p.tree.bodies == 0:
        for a in range(size):
            i, lever = 3 * meeting.surface[a] + 2, meeting.lever[a]
            for b in range(size):
                matrix[a, b] += lever * mobility[i, 3 * meeting.surface[b] + 2] * meeting.lever[b]
        return
    for a in range(size):
        i = 3 * meeting.surface[a]
        ax, ay, am = -meeting.x[a], -meeting.y[a], meeting.lever[a]
        for b in range(size):
            j = 3 * meeting.surface[b]
            bx, by, bm = -meeting.x[b], -meeting.y[b], meeting.lever[b]
            fx = mobility[i, j] * bx + mobility[i, j + 1] * by + mobility[i, j + 2] * bm
            fy = mobility[i + 1, j] * bx + mobility[i + 1, j + 1] * by + mobility[i + 1, j + 2] * bm
            fm = mobility[i + 2, j] * bx + mobility[i + 2, j + 1] * by + mobility[i + 2, j + 2] * bm
            matrix[a, b] += ax * fx + ay * fy + am * fm


@kernel(inner=True)
def find_coupled(carried, p):
    """Find the surfaces that are moved by an impulse on each surface."""
    for s in range(p.surfaces):
        carried.couples[s] = 0
        for t in range(p.surfaces):
            if _moves(t, s, p):
                carried.coupled[s, carried.couples[s]] = t
                carried.couples[s] += 1
        carried.turns[s] = 0.0
        if p.surface.body[s] < 0 and carried.couples[s] < 2:
            carried.turns[s], carried.couples[s] = p.mobility[3 * s + 2, 3 * s + 2], 0


@kernel(inner=True)
def _moves(t, s, p):
    """Return whether impulses on surface s move surface t."""
    for i in range(3 * t + 2, 3 * t - 1, -1):
        for j in range(3 * s + 2, 3 * s - 1, -1):
            if p.mobility[i, j] != 0.0:
                return True
    return False


@kernel(inner=True)
def yield_of_surface(a, b, p):
    """Return the speed of a surface in one direction of ``p.meeting`` due to a unit impulse in another direction.
    [1/kg]
    """
    meeting, mobility, i = p.meeting, p.mobility, 3 * p.meeting.surface[a]
    x, y, moment = -meeting.x[b], -meeting.y[b], meeting.lever[b]
    fx = mobility[i, i] * x + mobility[i, i + 1] * y + mobility[i, i + 2] * moment
    fy = mobility[i + 1, i] * x + mobility[i + 1, i + 1] * y + mobility[i + 1, i + 2] * moment
    turn = mobility[i + 2, i] * x + mobility[i + 2, i + 1] * y + mobility[i + 2, i + 2] * moment
    return meeting.lever[a] * turn - meeting.x[a] * fx - meeting.y[a] * fy


@kernel(inner=True)
def push_surface(s, x, y, moment, carried, p):
    """Add the velocities of surfaces due to an impulse and its moment at the origin of the frame of one of the
    surfaces.
    """
    mobility = p.mobility
    for k in range(carried.couples[s]):
        t = carried.coupled[s, k]
        i, j = 3 * t, 3 * s
        carried.x[t] += mobility[i, j] * x + mobility[i, j + 1] * y + mobility[i, j + 2] * moment
        carried.y[t] += mobility[i + 1, j] * x + mobility[i + 1, j + 1] * y + mobility[i + 1, j + 2] * moment
        carried.turn[t] += mobility[i + 2, j] * x + mobility[i + 2, j + 1] * y + mobility[i + 2, j + 2] * moment
