"""A second program for a variator, by semi-implicit Euler as in the earlier prototype, with switches for the
differences of the prototype. Point masses, links, tilt and pointwise Coulomb friction are as in ``formulations/cvt``,
but velocities are half a step late. With the switch ``turned``, directions of sliding turn with the sheaves within a
step; without it, a sticking pin drifts outwards at omega^2 r h / 2, as in the prototype. The switch ``tilting_force``
adds the component 2 Q (a, b) of the force of tilted sheaves, which belongs to the potential of the pins and is missing
in the equations of the prototype.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from chaindrive.geometry.variator import loop_around, place_pins
from chaindrive.kernels import kernel
from chaindrive.mechanism.variator import loop_of
from chaindrive.model import Drive
from chaindrive.model.wheel import ConstantSpeed
from chaindrive.physics.link import link_force
from chaindrive.physics.pointwise_friction import coulomb
from chaindrive.physics.sheave import axial_force, closure, closure_rate, tilt_rate


class Means(NamedTuple):
    """Means of the last part of a run."""

    thrust_ratio: float
    tight: float
    """Mean tension of links in the middle of the tight span [N]"""


@kernel
def _march(steps, first, h, x, v, turning, pitch, numbers, radii, turned, tilting_force, scratch):
    """Take steps; return the sums of both thrusts from step ``first`` on, and the mean tension of the tight span.

    x, v (N, 2): positions and velocities of the pins; turning (4,): speeds of both pairs, closure and closing speed of
    the second pair.
    """
    n = len(x)
    (
        mass,
        link_k,
        link_d,
        pin_k,
        pin_d,
        friction,
        beta,
        distance,
        inertia,
        load,
        force,
        sheave_m,
        sheave_d,
        tilt_k,
        tau,
    ) = numbers
    sine, cosine = math.sin(beta), math.cos(beta)
    slope = sine / cosine
    tilt, moment, pull, thrust, torque, total, strands, counts = scratch
    for step in range(steps):
        for i in range(n):
            j = (i + 1) % n
            dx, dy = x[j, 0] - x[i, 0], x[j, 1] - x[i, 1]
            length = math.sqrt(dx * dx + dy * dy)
            rate = ((v[j, 0] - v[i, 0]) * dx + (v[j, 1] - v[i, 1]) * dy) / length
            tension = link_force(length, rate, pitch, link_k, link_d)
            pull[i, 0], pull[i, 1] = tension * dx / length, tension * dy / length
            if step >= first:
                middle_x, middle_y = 0.5 * (x[i, 0] + x[j, 0]), 0.5 * (x[i, 1] + x[j, 1])
                if 0.4 * distance < middle_x < 0.6 * distance:
                    strand = 0 if middle_y < 0.0 else 1
                    strands[strand] += tension
                    counts[strand] += 1.0
        for w in range(2):
            thrust[w] = torque[w] = moment[w, 0] = moment[w, 1] = 0.0
        for i in range(n):
            ax, ay = (pull[i, 0] - pull[i - 1, 0]) / mass, (pull[i, 1] - pull[i - 1, 1]) / mass
            w = 1 if x[i, 0] > 0.5 * distance else 0
            px, py = x[i, 0] - w * distance, x[i, 1]
            radius = math.sqrt(px * px + py * py)
            closed, closing = (turning[2], turning[3]) if w == 1 else (0.0, 0.0)
            deep = closure(radii[w], radius, slope, closed, tilt[w, 0] * px + tilt[w, 1] * py)
            if deep <= 0.0:
                v[i, 0] += h * ax
                v[i, 1] += h * ay
                continue
            ex, ey = px / radius, py / radius
            tilting = tilt[w, 0] * v[i, 0] + tilt[w, 1] * v[i, 1]
            axial = axial_force(deep, closure_rate(v[i, 0] * ex + v[i, 1] * ey, slope, closing, tilting), pin_k, pin_d)
            ax += 2.0 * axial * (slope * ex + tilting_force * tilt[w, 0]) / mass
            ay += 2.0 * axial * (slope * ey + tilting_force * tilt[w, 1]) / mass
            vx, vy = v[i, 0] + h * ax, v[i, 1] + h * ay
            outwards, around = vx * ex + vy * ey, vy * ex - vx * ey
            ahead = turned * 0.5 * h * turning[w]
            along = (outwards + ahead * around) / cosine
            across = around - ahead * outwards - turning[w] * radius
            give = 2.0 * h / mass
            force_along, force_across = coulomb(along, across, give / cosine**2, give, axial, friction, sine, cosine)
            outward, forward = 2.0 * force_along / cosine, 2.0 * force_across
            v[i, 0] = vx + h / mass * (outward * ex - forward * ey)
            v[i, 1] = vy + h / mass * (outward * ey + forward * ex)
            thrust[w] += axial
            torque[w] -= forward * radius
            moment[w, 0] += axial * px
            moment[w, 1] += axial * py
        for i in range(n):
            x[i, 0] += h * v[i, 0]
            x[i, 1] += h * v[i, 1]
        turning[1] += h * (torque[1] - load) / inertia
        turning[3] += h * (force - sheave_d * turning[3] - thrust[1]) / sheave_m
        turning[2] += h * turning[3]
        for w in range(2):
            for axis in range(2):
                tilt[w, axis] += h * tilt_rate(moment[w, axis], tilt[w, axis], tilt_k, tau)
        if step >= first:
            total[0] += thrust[0]
            total[1] += thrust[1]
    return total[0] / total[1], max(strands[0] / counts[0], strands[1] / counts[1])


def euler(
    drive: Drive, step: float, turned: bool, tilting_force: bool, until: float = 0.8, since: float = 0.65
) -> Means:
    """Means from ``since`` to ``until`` [s] for a drive like the example cvt-63 without gravity, with this step [s]."""
    chain, (driver, driven) = drive.chain, drive.sheaves
    pins, loop = chain.pins, loop_of(drive)
    assert pins is not None
    assert isinstance(driver.motion, ConstantSpeed)
    distance = loop.distance
    pitches = [chain.pitch] * chain.links
    places, ways = place_pins(loop_around(*loop.radii, distance), pitches, [(0.0, 0.0), (distance, 0.0)])
    speed = driver.motion.speed
    held = loop.wraps[1] * loop.radii[1] / chain.pitch
    turning = np.array([speed, speed * loop.ratio**-1, driven.clamping_force / (held * pins.stiffness), 0.0])
    numbers = (
        chain.link_mass, chain.link_stiffness, chain.link_damping, pins.stiffness, pins.damping, pins.friction,
        pins.half_angle, distance, float(driven.inertia), float(driven.load_torque), float(driven.clamping_force),
        driven.sheave_mass, driven.sheave_damping, float(driven.tilt_stiffness), driven.tilt_time,
    )  # fmt: skip
    ratio, tight = _march(
        round(until / step), round(since / step), step, places.copy(), speed * loop.radii[0] * ways, turning,
        chain.pitch, numbers, np.array(loop.radii), float(turned), float(tilting_force),
        (np.zeros((2, 2)), np.zeros((2, 2)), np.zeros((chain.links, 2)), *np.zeros((5, 2))),
    )  # fmt: skip
    return Means(ratio, tight)
