"""The channels of the roller formulation: its own groups, and the order of all of them in a row."""

from __future__ import annotations

import math
from collections.abc import Sequence

from chaindrive.formulations.planar.carriers import Carrying
from chaindrive.formulations.planar.channels import Counts, Group, several
from chaindrive.formulations.planar.record import (
    CONTACTS,
    GUIDES,
    PATH,
    SHAFTS,
    WORK,
    energies_group,
    spans_group,
    wheels_group,
)
from chaindrive.formulations.planar.record_mechanism import mechanism_groups
from chaindrive.formulations.roller.chain import positions_of, tensions_of, velocities_of
from chaindrive.formulations.roller.parameters import (
    LINK_TENSION,
)
from chaindrive.kernels import Kernel, kernel
from chaindrive.physics.link import link_energy
from chaindrive.system import Channel

__all__ = ["chain_energies", "groups"]


def groups(carrying: Carrying, energies: Kernel) -> tuple[Group, ...]:
    """All channels of the formulation, in the order of a row; energies: see ``planar.record.balance``."""
    return (
        LINKS,
        ROLLERS,
        CONTACTS,
        PATH,
        wheels_group(carrying.centre_acceleration),
        spans_group(positions_of, tensions_of),
        GUIDES,
        *mechanism_groups(carrying),
        WORK,
        energies_group(energies),
        SHAFTS,
    )


def _link_channels(counts: Counts) -> Sequence[Channel]:
    text = "tension of link i, between rollers i and i + 1"
    return (several("link_tension", ("link",), "N", text, (counts.links,)),)


@kernel(inner=True)
def _links(y, dy, p, part):
    for i in range(p.links):
        part[i] = p.link[LINK_TENSION, i]


LINKS = Group(_link_channels, _links)


def _roller_channels(counts: Counts) -> Sequence[Channel]:
    shape = (counts.links, 2)
    return (
        several("roller_position", ("roller", "axis"), "m", "centre of every roller", shape),
        several("roller_velocity", ("roller", "axis"), "m/s", "velocity of every roller", shape, kept="on request"),
    )


@kernel(inner=True)
def _rollers(y, dy, p, part):
    n, place, velocity = p.links, positions_of(y, p), velocities_of(y, p)
    for i in range(n):
        part[2 * i], part[2 * i + 1] = place[i], place[n + i]
        part[2 * n + 2 * i], part[2 * n + 2 * i + 1] = velocity[i], velocity[n + i]


ROLLERS = Group(_roller_channels, _rollers)


@kernel(inner=True)
def chain_energies(y, p):
    """Kinetic, elastic and gravity energy of rollers and links, without contacts. [J]"""
    n, place, velocity = p.links, positions_of(y, p), velocities_of(y, p)
    squares, gravity, elastic = 0.0, 0.0, 0.0
    for i in range(n):
        j = i + 1 if i + 1 < n else 0
        squares += velocity[i] ** 2 + velocity[n + i] ** 2
        gravity -= p.mass * (p.planar.gravity_x * place[i] + p.planar.gravity_y * place[n + i])
        length = math.sqrt((place[j] - place[i]) ** 2 + (place[n + j] - place[n + i]) ** 2)
        elastic += link_energy(length, p.planar.pitch, p.stiffness)
    return 0.5 * p.mass * squares, elastic, gravity
