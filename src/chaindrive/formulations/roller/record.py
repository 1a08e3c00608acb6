"""The channels of the roller formulation: its own groups, and the order of all groups in a row."""

from __future__ import annotations

import math
from typing import NamedTuple

from chaindrive.formulations.declare import Shown, several
from chaindrive.formulations.planar.anchors import anchor_energy
from chaindrive.formulations.planar.channels import Counts, Group
from chaindrive.formulations.planar.payload import payload_energies
from chaindrive.formulations.planar.record_mechanism import groups_around
from chaindrive.formulations.planar.support import Support
from chaindrive.formulations.roller.chain import positions_of, tensions_of, velocities_of
from chaindrive.kernels import Kernel, kernel
from chaindrive.physics.link import link_energy

__all__ = ["chain_energies", "groups"]


def groups(support: Support, energies: Kernel) -> tuple[Group, ...]:
    """Return all channels of the formulation, in the order of a row; energies: see ``planar.record.balance``."""
    return groups_around([CHAIN], support, energies, positions_of, tensions_of)


class _Chain(NamedTuple):
    tension: Shown
    position: Shown
    velocity: Shown


def _chain_channels(counts: Counts) -> _Chain:
    n, text = counts.rollers, "tension of link i, between rollers i and i + 1"
    return _Chain(
        tension=several("link_tension", ("link",), "N", text, (counts.links,)),
        position=several("roller_position", ("roller", "axis"), "m", "centre of every roller", (n, 2)),
        velocity=several(
            "roller_velocity", ("roller", "axis"), "m/s", "velocity of every roller", (n, 2), kept="on request"
        ),
    )


@kernel(inner=True)
def _chain(y, dy, p):
    own, n, place, velocity = p.row.views.chain, p.links, positions_of(y, p), velocities_of(y, p)
    for i in range(own.tension.size):
        own.tension[i] = p.link.tension[i]
    for i in range(n):
        own.position[i, 0], own.position[i, 1] = place[i], place[n + i]
        own.velocity[i, 0], own.velocity[i, 1] = velocity[i], velocity[n + i]


CHAIN = Group("chain", _chain_channels, _chain)


@kernel(inner=True)
def chain_energies(y, p):
    """Return the kinetic, elastic and gravity energy of rollers and links, without contacts. [J]"""
    n, place, velocity = p.links, positions_of(y, p), velocities_of(y, p)
    squares, gravity, elastic = 0.0, 0.0, 0.0
    for i in range(n):
        j = i + 1 if i + 1 < n else 0
        squares += velocity[i] ** 2 + velocity[n + i] ** 2
        gravity -= p.mass * (p.planar.gravity_x * place[i] + p.planar.gravity_y * place[n + i])
        if j == 0 and not p.planar.closed:
            break
        length = math.sqrt((place[j] - place[i]) ** 2 + (place[n + j] - place[n + i]) ** 2)
        elastic += link_energy(length, p.roller.pitch[i], p.stiffness)
    if p.uneven_mass:
        for i in range(n):
            more = p.roller.mass[i] - p.mass
            squares += more / p.mass * (velocity[i] ** 2 + velocity[n + i] ** 2)
            gravity -= more * (p.planar.gravity_x * place[i] + p.planar.gravity_y * place[n + i])
    if not p.planar.closed:
        elastic += anchor_energy(place, p.planar)
    moving, lifted = payload_energies(place, velocity, p.planar)
    return 0.5 * p.mass * squares + moving, elastic, gravity + lifted
