"""Links and tooth contacts of several chains at once: numbers of the same roller of all chains are adjacent.

A chain of N rollers in one of L lanes has its number i at (i L + lane). Links are the kernel of a single chain with
indices L times as large. Contacts are those of ``formulations/planar/contact.py`` in one loop, without its columns in
between: selections without branches, the lanes as the innermost loop. A roller that only some chains have near a tooth
is computed in all lanes and counts in those.
"""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import numpy as np

from chaindrive.formulations.planar.tables import Surfaces
from chaindrive.formulations.roller.parameters import Links
from chaindrive.formulations.roller.rhs import _one_link
from chaindrive.geometry.kernels import beyond, distance, profile_row
from chaindrive.kernels import Kernel, index, kernel
from chaindrive.kernels.tables import Reals, Wholes
from chaindrive.physics.contact import contact_dissipation, elastic_force_hertz, impact_speed, normal_force
from chaindrive.physics.elastic_friction import held_force
from chaindrive.physics.friction import friction_force, tanh_sign

FEW, MOST = 4, 6
"""Elements of half a tooth gap, see contact.py."""


class Chains(NamedTuple):
    """Links of L chains of N rollers."""

    rollers: int
    positions: int
    """of one chain"""
    pitch: float
    stiffness: float
    damping: float
    state: np.ndarray
    """(states L,)"""
    link: Links
    """(N L,) each"""


class Runs(NamedTuple):
    """Runs of adjacent rollers, each near a wheel in at least one chain, (runs,) each."""

    wheel: Wholes
    first: Wholes
    end: Wholes
    slot: Wholes
    """of the first one, in every lane"""
    few: Wholes
    """1 where half a tooth gap has no more than FEW elements"""
    profile: Wholes
    """first row of its tooth gap"""


class Slots(NamedTuple):
    """Data of a chain on its rollers near a wheel, (slots L,) each; see ``planar.tables``."""

    near: Reals
    """1 where this chain has the roller near the wheel, else 0"""
    cos: Reals
    sin: Reals
    speed: Reals
    held: Reals
    x: Reals
    y: Reals


class Turned(NamedTuple):
    """Wheels, (W L,) each."""

    cos: Reals
    sin: Reals
    angular_velocity: Reals


class Contacts(NamedTuple):
    """Input and output of all contacts of L chains."""

    rollers: int
    speed_floor: float
    friction_speed: float
    friction_sharpness: float
    x: np.ndarray
    y: np.ndarray
    """(W,) centres of the wheels [m]"""
    surface: Surfaces
    profile: np.ndarray
    run: Runs
    slot: Slots
    turned: Turned
    place: np.ndarray
    velocity: np.ndarray
    """(2 N L,), of the rollers [m, m/s]"""
    force_x: np.ndarray
    force_y: np.ndarray
    """(N L,), on the rollers [N]"""
    moment: np.ndarray
    """(W L,) on the wheels [N m]"""
    lost: np.ndarray
    rubbed: np.ndarray
    """(L,) powers of contact and friction [W]"""


@functools.cache
def links_in_lanes(lanes: int) -> Kernel:
    """Kernel (count, chains): computes springs and dampers of all links of closed chains ``count`` times."""
    width, zero = index(lanes), index(0)

    @kernel(inner=True)
    def links(y, p):
        dissipated = 0.0
        n, positions = index(p.rollers) * width, index(p.positions) * width
        last = n - width
        for i in range(last):
            dissipated += _one_link(y, p.link, i, i + width, n, positions, p.pitch, p.stiffness, p.damping)
        for i in range(width):
            dissipated += _one_link(y, p.link, last + i, zero + i, n, positions, p.pitch, p.stiffness, p.damping)
        return dissipated

    def loop(count, chains):
        for _ in range(count):
            chains.state[0] += 1e-30 * links(chains.state, chains)

    return kernel(loop)


def _run_of_contacts(lanes: int, elements: int, elastic: bool) -> Kernel:
    """Kernel of the contacts of one run; elastic: with elastic friction, else smoothed by a hyperbolic tangent."""
    width = index(lanes)

    @kernel(inner=True, distinct=True)
    def contacts(p, s, force_x, force_y, moment, lost, rubbed):
        w, place, velocity, slots, turned = index(p.run.wheel[s]), p.place, p.velocity, p.slot, p.turned
        n, first, slot = index(p.rollers), index(p.run.first[s]), index(p.run.slot[s])
        cx, cy, surface, row = p.x[w], p.y[w], p.surface, index(p.run.profile[s])
        radius, stiffness, tangential = surface.radius[w], surface.stiffness[w], surface.tangential[w]
        hysteresis, viscous, friction = surface.hysteresis[w], surface.viscous[w], surface.friction[w]
        speed_of_depth, floor = surface.speed_of_depth[w], p.speed_floor
        seat, second = profile_row(p.profile, row), profile_row(p.profile, row + 1)
        third, fourth = profile_row(p.profile, row + 2), profile_row(p.profile, row + 3)
        fifth, outermost = profile_row(p.profile, row + 4), profile_row(p.profile, row + 5)
        for i in range(index(p.run.end[s]) - first):
            for lane in range(width):
                k, r = (slot + i) * width + lane, (first + i) * width + lane
                a = w * width + lane
                ca, sa, angular_velocity = turned.cos[a], turned.sin[a], turned.angular_velocity[a]
                ux, uy = ca * slots.cos[k] - sa * slots.sin[k], sa * slots.cos[k] + ca * slots.sin[k]
                rx, ry = place[r] - cx, place[n * width + r] - cy
                side, eta = ux * ry - uy * rx, ux * rx + uy * ry
                mirror = 1.0 if side >= 0.0 else -1.0
                xi = mirror * side
                facing = beyond(seat, second, xi, eta)
                facing = beyond(facing, third, xi, eta)
                facing = beyond(facing, fourth, xi, eta)
                if elements > FEW:
                    facing = beyond(facing, fifth, xi, eta)
                    facing = beyond(facing, outermost, xi, eta)
                phi, gx, gy = distance(xi - facing[0], eta - facing[1], facing[2], facing[3], facing[4])
                gx *= mirror
                nx, ny = gy * ux - gx * uy, gy * uy + gx * ux
                vx = velocity[r] + angular_velocity * ry
                vy = velocity[n * width + r] - angular_velocity * rx
                rate, slip = -(vx * nx + vy * ny), vy * nx - vx * ny
                depth = radius - phi if slots.near[k] > 0.0 else -1.0
                pressed = elastic_force_hertz(depth, stiffness)
                speed = impact_speed(max(slots.speed[k], floor), pressed, depth, speed_of_depth)
                normal = normal_force(pressed, rate, speed, hysteresis, viscous, depth)
                if elastic:
                    stretch_x = rx - (ca * slots.x[k] - sa * slots.y[k])
                    stretch_y = ry - (sa * slots.x[k] + ca * slots.y[k])
                    spring = slots.held[k] * tangential * (stretch_y * nx - stretch_x * ny)
                    along = -held_force(spring, friction * normal)
                else:
                    along = friction_force(tanh_sign(slip, p.friction_speed, p.friction_sharpness), normal, friction)
                fx, fy = normal * nx - along * ny, normal * ny + along * nx
                force_x[r] += fx
                force_y[r] += fy
                moment[a] -= rx * fy - ry * fx
                lost[lane] += contact_dissipation(normal, pressed, rate)
                rubbed[lane] -= along * slip

    return contacts


@functools.cache
def contacts_in_lanes(lanes: int, elastic: bool) -> Kernel:
    """Kernel (count, contacts): computes the contacts of all chains with their wheels ``count`` times, added to the
    outputs.
    """
    few, most = _run_of_contacts(lanes, FEW, elastic), _run_of_contacts(lanes, MOST, elastic)

    @kernel(inner=True)
    def all_runs(p):
        for s in range(p.run.wheel.size):
            if p.run.few[s] != 0:
                few(p, s, p.force_x, p.force_y, p.moment, p.lost, p.rubbed)
            else:
                most(p, s, p.force_x, p.force_y, p.moment, p.lost, p.rubbed)

    def loop(count, contacts):
        for _ in range(count):
            all_runs(contacts)
            contacts.place[0] += 1e-30 * contacts.force_x[0]

    return kernel(loop)


@functools.cache
def of_one_chain(stage: Any) -> Kernel:
    """Kernel (count, chain) of a stage of the evaluation of single chains: stage(state, rates, parameters)."""

    def loop(count, chain):
        for _ in range(count):
            stage(chain.state, chain.rates, chain.parameters)
            chain.state[0] += 1e-30 * chain.rates[0]

    return kernel(loop)


class Chain(NamedTuple):
    """One chain at a state."""

    state: np.ndarray
    rates: np.ndarray
    parameters: Any
