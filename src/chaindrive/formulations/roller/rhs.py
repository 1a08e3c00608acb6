"""The right-hand side of the equations of motion of the roller formulation.

Rollers are lumped masses, and links are springs and dampers. Viscous and friction moments of the joints act as force
couples (Pedersen 2004, chapter 3). Wheels turn, and guides rest, on the ground or on the bodies of a mechanism. The
coordinates of the chain are x(N), y(N) of its rollers; planar/layout.py defines the rest of the state.
"""

from __future__ import annotations

import math

from chaindrive.formulations.planar.anchors import anchor_forces
from chaindrive.formulations.planar.contact import contact_forces
from chaindrive.formulations.planar.end_forces import pull_ends
from chaindrive.formulations.planar.parameters import (
    WORK_ARTICULATION,
    WORK_LINK_DAMPING,
)
from chaindrive.formulations.planar.payload import carry
from chaindrive.formulations.planar.sticking import relaxed
from chaindrive.formulations.roller.chain import positions_of, velocities_of
from chaindrive.formulations.roller.joints import damped_joints, held_joints, smoothed_joints, viscous_joints
from chaindrive.kernels import Kernel, index, kernel
from chaindrive.physics.joint import couple_force, link_angular_velocity
from chaindrive.physics.link import link_dissipation, link_force

ZERO, ONE = index(0), index(1)


def evaluation(frames: Kernel, accelerations: Kernel) -> Kernel:
    """Return the right-hand side, compiled around the kernels of the supports of the chain (variants.py)."""

    @kernel(apart=True)
    def rhs(t, y, dy, p):
        """Write dy/dt of the state y at time t.

        Frames, links, contacts and their resultants are left in the scratch arrays of p.
        """
        planar = p.planar
        positions = index(planar.layout.positions)
        for i in range(positions):
            dy[i] = y[positions + i]
        for k in range(index(planar.layout.wheel_speed), index(y.size)):
            dy[k] = 0.0
        frames(y, planar)
        _link_forces(t, y, dy, p)
        if not planar.closed:
            anchored = anchor_forces(positions_of(y, p), velocities_of(y, p), velocities_of(dy, p), planar)
            dy[index(planar.layout.work) + index(WORK_LINK_DAMPING)] += anchored
            pull_ends(t, velocities_of(y, p), velocities_of(dy, p), dy, planar)
        contact_forces(positions_of(y, p), velocities_of(y, p), velocities_of(dy, p), dy, planar)
        _roller_accelerations(dy, p)
        carry(positions_of(y, p), velocities_of(y, p), velocities_of(dy, p), p.roller.mass, dy, planar)
        accelerations(t, y, dy, planar)

    return rhs


@kernel(inner=True)
def _link_forces(t, y, dy, p):
    """Compute tensions, joint moments and their powers, and add the sum of link forces on every roller [N] to dy."""
    n = index(p.links)
    positions, work = index(p.planar.layout.positions), index(p.planar.layout.work)
    last = n - ONE
    link = p.link
    closed = p.planar.closed
    dissipated = _links(y, p)
    if not closed:
        _no_link(link, last)
    dy[work + index(WORK_LINK_DAMPING)] = dissipated

    if p.joint_damping != 0.0 or p.joint_friction_radius != 0.0:
        damped = p.joint_relaxation > 0.0 and p.planar.elastic_joints
        if damped:
            kept, gained = relaxed(t, p.joint_relaxation, p.planar)
            lost = damped_joints(p, kept, gained, link.moment)
        else:
            lost = viscous_joints(p, 0.0, 0.0, link.moment)
        if p.joint_friction_radius != 0.0 and p.planar.elastic_friction and not damped:
            lost += held_joints(p, 0.0, 0.0, link.moment)
        elif p.joint_friction_radius != 0.0 and not p.planar.elastic_friction:
            lost += smoothed_joints(p, 0.0, 0.0, link.moment)
        if not closed:
            lost -= _free_end_joints(link, last, p)
        _couples(link, link.force_x, link.force_y)
        dy[work + index(WORK_ARTICULATION)] = lost

    _on_rollers(link.force_x, dy[positions : positions + n])
    _on_rollers(link.force_y, dy[positions + n : positions + n + n])


@kernel(inner=True)
def _links(y, p):
    """Compute springs and dampers between all rollers; return the dissipated power. [W]"""
    return _uneven_links(y, p) if p.uneven_pitch else _even_links(y, p)


@kernel(inner=True)
def _even_links(y, p):
    """Compute springs and dampers of links with the same pitch; return the dissipated power. [W]"""
    n, positions, pitch, dissipated = index(p.links), index(p.planar.layout.positions), p.planar.pitch, 0.0
    last = n - ONE
    for i in range(last):
        dissipated += _one_link(y, p.link, i, i + ONE, n, positions, pitch, p.stiffness, p.damping)
    if p.planar.closed:
        dissipated += _one_link(y, p.link, last, ZERO, n, positions, pitch, p.stiffness, p.damping)
    return dissipated


@kernel(inner=True)
def _uneven_links(y, p):
    """Compute springs and dampers of links with different pitches; return the dissipated power. [W]"""
    n, positions, pitch, dissipated = index(p.links), index(p.planar.layout.positions), p.roller.pitch, 0.0
    last = n - ONE
    for i in range(last):
        dissipated += _one_link(y, p.link, i, i + ONE, n, positions, pitch[i], p.stiffness, p.damping)
    if p.planar.closed:
        dissipated += _one_link(y, p.link, last, ZERO, n, positions, pitch[last], p.stiffness, p.damping)
    return dissipated


@kernel(inline=True)
def _one_link(y, link, i, j, n, positions, pitch, stiffness, damping):
    """Compute spring and damper between rollers i and j (Pedersen 2004, Eq. 3.7); return the dissipated power. [W]"""
    rx = y[j] - y[i]
    ry = y[n + j] - y[n + i]
    vx = y[positions + j] - y[positions + i]
    vy = y[positions + n + j] - y[positions + n + i]
    inverse = 1.0 / math.sqrt(rx * rx + ry * ry)
    ux = rx * inverse
    uy = ry * inverse
    rate = ux * vx + uy * vy
    length = (rx * rx + ry * ry) * inverse
    tension = link_force(length, rate, pitch, stiffness, damping)
    link.x[i] = ux
    link.y[i] = uy
    link.tension[i] = tension
    link.angular_velocity[i] = link_angular_velocity(ux, uy, inverse, vx, vy)
    link.inverse[i] = inverse
    link.force_x[i] = tension * ux
    link.force_y[i] = tension * uy
    return link_dissipation(rate, damping)


@kernel(inner=True, distinct=True)
def _couples(link, force_x, force_y):
    """Add the moments of both joints of every link as a couple of transverse forces at its ends (Pedersen 2004, Eq.
    3.17).
    """
    last = index(force_x.size) - ONE
    for i in range(last):
        _couple(link, i, i + ONE, force_x, force_y)
    _couple(link, last, ZERO, force_x, force_y)


@kernel(inline=True)
def _couple(link, i, after, force_x, force_y):
    """Add the force couple of link i, whose second joint is ``after``."""
    fx, fy = couple_force(link.x[i], link.y[i], link.inverse[i], link.moment[after] - link.moment[i])
    force_x[i] -= fx
    force_y[i] -= fy


@kernel(inner=True, distinct=True)
def _on_rollers(force, found):
    """Compute one component of the forces of links on all rollers. [N]"""
    found[ZERO] = force[ZERO] - force[index(force.size) - ONE]
    for i in range(ONE, index(force.size)):
        found[i] = force[i] - force[i - ONE]


@kernel(inner=True)
def _roller_accelerations(dy, p):
    """Convert the forces on the rollers in dy to accelerations."""
    n, positions = index(p.links), index(p.planar.layout.positions)
    inverse = 1.0 / p.mass
    for i in range(n):
        dy[positions + i] = dy[positions + i] * inverse + p.planar.gravity_x
        dy[positions + n + i] = dy[positions + n + i] * inverse + p.planar.gravity_y
    if p.uneven_mass:
        gx, gy = p.planar.gravity_x, p.planar.gravity_y
        for i in range(n):
            part = p.mass / p.roller.mass[i]
            dy[positions + i] = (dy[positions + i] - gx) * part + gx
            dy[positions + n + i] = (dy[positions + n + i] - gy) * part + gy


@kernel(inner=True)
def _no_link(link, i):
    """Clear the row of the link after the last roller of an open chain, which does not exist."""
    link.x[i] = link.y[i] = link.inverse[i] = link.angular_velocity[i] = 0.0
    link.tension[i] = link.force_x[i] = link.force_y[i] = link.moment[i] = 0.0


@kernel(inner=True)
def _free_end_joints(link, last, p):
    """Remove the moments of the first and last joint of an open chain; return the power counted there. [W]"""
    lost = 0.0
    for i in (ZERO, last):
        before = last if i == ZERO else last - ONE
        lost += link.moment[i] * (link.angular_velocity[i] - link.angular_velocity[before])
        link.moment[i] = 0.0
    return lost
