"""The chain between the sheaves in both of its forms: pins as point masses, or links as rigid bodies.

    points   coordinates x, y of every pin; link i is a spring and damper from pin i to pin i + 1
    rigid    coordinates x, y of the centre and angle of every link (Pfeiffer, Fritz & Srnik 1997, section 4.1); joint i
             is a bushing, a spring and damper in the plane, between the front end of link i - 1 and the rear end of
             link i; pin i, one bolt, is part of link i, at its rear end

All other modules use only the pins: their positions and velocities in ``p.place``, their acceleration due to a force,
and their mobility. ``p.rigid`` determines which form is used.
"""

from __future__ import annotations

import math

from chaindrive.geometry.sines import vector_sincos
from chaindrive.kernels import copy_into, kernel
from chaindrive.physics.link import link_dissipation, link_energy, link_force

__all__ = ["chain_energies", "mean_velocity", "pin_mobility", "pull", "push", "velocity_after"]


@kernel(inner=True)
def pull(y, dy, p, speeds):
    """Compute the positions of the pins, and accelerations due to links and weight; return the damping power of the
    links. [W]

    speeds: index in the state at which the velocities begin.
    """
    if p.rigid:
        _turned(y, p)
        _place_ends(y, p, speeds)
        _join(p)
    else:
        _place_points(y, p, speeds)
        _stretch(p)
    _accelerate(dy, p, speeds)
    # A sum in a loop of its own: in one that writes, its order would depend on where the arrays lie.
    lost = 0.0
    for i in range(p.pins):
        lost += p.link.lost[i]
    return lost


@kernel(inner=True)
def _place_points(y, p, speeds):
    """Copy positions and velocities of the pins from the state."""
    n = p.pins
    copy_into(p.place.x, y[:n])
    copy_into(p.place.y, y[n : 2 * n])
    copy_into(p.place.vx, y[speeds : speeds + n])
    copy_into(p.place.vy, y[speeds + n : speeds + 2 * n])


@kernel(inner=True, parallel_sums=False)  # reordered, the parts of pi/2 in vector_sincos would be one
def _turned(y, p):
    """Compute the arm of every link from its centre to its pin."""
    n = p.pins
    for i in range(n):
        sine, cosine = vector_sincos(y[2 * n + i])
        half = 0.5 * p.link.pitch[i]
        p.place.arm_x[i], p.place.arm_y[i] = -half * cosine, -half * sine


@kernel(inner=True)
def _place_ends(y, p, speeds):
    """Compute positions and velocities of the pins at the rear ends of the links."""
    n, place = p.pins, p.place
    for i in range(n):
        turning = y[speeds + 2 * n + i]
        place.x[i], place.y[i] = y[i] + place.arm_x[i], y[n + i] + place.arm_y[i]
        place.vx[i] = y[speeds + i] - turning * place.arm_y[i]
        place.vy[i] = y[speeds + n + i] + turning * place.arm_x[i]
        place.turning[i] = turning


@kernel(inner=True)
def _stretch(p):
    """Compute the tension of every link, each of which is a spring."""
    for i in range(p.pins - 1):
        _one_link(p, i, i + 1)
    _one_link(p, p.pins - 1, 0)


@kernel(inline=True)
def _one_link(p, i, j):
    """Compute the tension of link i, from pin i to pin j, and its damping power."""
    place = p.place
    dx, dy = place.x[j] - place.x[i], place.y[j] - place.y[i]
    length = math.sqrt(dx * dx + dy * dy)
    ux, uy = dx / length, dy / length
    rate = (place.vx[j] - place.vx[i]) * ux + (place.vy[j] - place.vy[i]) * uy
    tension = link_force(length, rate, p.link.pitch[i], p.link_stiffness, p.link_damping)
    p.link.tension[i], p.link.pull_x[i], p.link.pull_y[i] = tension, tension * ux, tension * uy
    p.link.lost[i] = link_dissipation(rate, p.link_damping)


@kernel(inner=True)
def _join(p):
    """Compute the force of every bushing on the front end of its link, and its component along the link."""
    for i in range(p.pins - 1):
        _one_joint(p, i, i + 1)
    _one_joint(p, p.pins - 1, 0)


@kernel(inline=True)
def _one_joint(p, i, j):
    """Compute the force of the bushing between link i and the next link j, and its damping power."""
    place, k, d = p.place, p.link_stiffness, p.link_damping
    ax, ay = place.arm_x[i], place.arm_y[i]
    gap_x, gap_y = _gap(p, i, j)
    rate_x = place.vx[j] - place.vx[i] - 2.0 * place.turning[i] * ay
    rate_y = place.vy[j] - place.vy[i] + 2.0 * place.turning[i] * ax
    fx, fy = k * gap_x + d * rate_x, k * gap_y + d * rate_y
    p.link.pull_x[i], p.link.pull_y[i] = fx, fy
    if p.revolute:
        fx, fy = p.joint_x[i], p.joint_y[i]
    p.link.tension[i] = -2.0 * (fx * ax + fy * ay) / p.link.pitch[i]
    p.link.lost[i] = d * (rate_x * rate_x + rate_y * rate_y)


@kernel(inline=True)
def _gap(p, i, j):
    """Return the vector from the front end of link i to the pin of link j: the deflection of its bushing. [m]"""
    place = p.place
    return place.x[j] - place.x[i] + 2.0 * place.arm_x[i], place.y[j] - place.y[i] + 2.0 * place.arm_y[i]


@kernel(inner=True)
def _accelerate(dy, p, speeds):
    """Compute the accelerations of pins or links due to the forces at both ends and their weight."""
    n, per_mass = p.pins, 1.0 / p.link_mass
    pull_x, pull_y = p.link.pull_x, p.link.pull_y
    dy[speeds] = (pull_x[0] - pull_x[n - 1]) * per_mass + p.gravity_x
    dy[speeds + n] = (pull_y[0] - pull_y[n - 1]) * per_mass + p.gravity_y
    for i in range(1, n):
        dy[speeds + i] = (pull_x[i] - pull_x[i - 1]) * per_mass + p.gravity_x
        dy[speeds + n + i] = (pull_y[i] - pull_y[i - 1]) * per_mass + p.gravity_y
    if p.rigid:
        place, per_inertia = p.place, p.per_inertia
        for i in range(n):
            before = i - 1 if i > 0 else n - 1
            both_x, both_y = pull_x[i] + pull_x[before], pull_y[i] + pull_y[before]
            dy[speeds + 2 * n + i] = (place.arm_y[i] * both_x - place.arm_x[i] * both_y) * per_inertia


@kernel(inline=True)
def push(dy, speeds, i, fx, fy, p):
    """Add the accelerations due to a force on pin i [N] to the accelerations of the pin, or of the link to which it
    belongs.
    """
    n = p.pins
    dy[speeds + i] += fx / p.link_mass
    dy[speeds + n + i] += fy / p.link_mass
    if p.rigid:
        dy[speeds + 2 * n + i] += (p.place.arm_x[i] * fy - p.place.arm_y[i] * fx) * p.per_inertia


@kernel(inline=True)
def pin_mobility(i, ex, ey, p):
    """Return the mobility of pin i, 1/m + a_k a_l / J: radial, radial due to a circumferential impulse,
    circumferential. [1/kg]

    It is the Delassus matrix at the pin, for the directions (ex, ey) outwards and (-ey, ex) around the axis; a: moments
    of unit forces in these directions.
    """
    per_mass = 1.0 / p.link_mass
    if not p.rigid:
        return per_mass, 0.0, per_mass
    ax, ay = p.place.arm_x[i], p.place.arm_y[i]
    outwards, around = ax * ey - ay * ex, ax * ex + ay * ey
    per_inertia = p.per_inertia
    return (
        per_mass + outwards * outwards * per_inertia,
        outwards * around * per_inertia,
        per_mass + around * around * per_inertia,
    )


@kernel(inline=True)
def mean_velocity(dy, speeds, i, half, p):
    """Return the mean velocity of pin i over a step of length 2 ``half`` [s], from the state in its middle. [m/s]"""
    n, place = p.pins, p.place
    vx, vy = place.vx[i] + half * dy[speeds + i], place.vy[i] + half * dy[speeds + n + i]
    if p.rigid:
        faster = half * dy[speeds + 2 * n + i]
        vx -= faster * place.arm_y[i]
        vy += faster * place.arm_x[i]
    return vx, vy


@kernel(inline=True)
def velocity_after(dy, speeds, i, h, p):
    """Return the velocity of pin i after a step h [s], including the rotation of its link since the middle of the step.
    [m/s]
    """
    n, place = p.pins, p.place
    vx, vy = place.vx[i] + h * dy[speeds + i], place.vy[i] + h * dy[speeds + n + i]
    if p.rigid:
        turning = place.turning[i] + h * dy[speeds + 2 * n + i]
        faster, inwards = turning - place.turning[i], 0.5 * h * turning * turning
        vx -= faster * place.arm_y[i] + inwards * place.arm_x[i]
        vy += faster * place.arm_x[i] - inwards * place.arm_y[i]
    return vx, vy


@kernel(inner=True)
def chain_energies(y, p, speeds):
    """Return the kinetic, elastic and gravity energy of the chain in the state that was evaluated last. [J]"""
    n, place = p.pins, p.place
    kinetic, elastic, gravity = 0.0, 0.0, 0.0
    for i in range(n):
        j = i + 1 if i + 1 < n else 0
        kinetic += 0.5 * p.link_mass * (y[speeds + i] ** 2 + y[speeds + n + i] ** 2)
        gravity -= p.link_mass * (p.gravity_x * y[i] + p.gravity_y * y[n + i])
        if p.rigid:
            kinetic += 0.5 * y[speeds + 2 * n + i] ** 2 / p.per_inertia
            gap_x, gap_y = _gap(p, i, j)
            elastic += 0.5 * p.link_stiffness * (gap_x * gap_x + gap_y * gap_y)
        else:
            length = math.sqrt((place.x[j] - place.x[i]) ** 2 + (place.y[j] - place.y[i]) ** 2)
            elastic += link_energy(length, p.link.pitch[i], p.link_stiffness)
    return kinetic, elastic, gravity
