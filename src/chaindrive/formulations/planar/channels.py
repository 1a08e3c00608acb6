"""Channels in groups: a group declares its channels together with the kernel that writes them.

A formulation lists its groups once (``groups`` in its record.py). The channels with their positions in a row, the views
through which kernels write them (``Parameters.row``), and the kernel that writes a whole row all follow from that list.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Any, NamedTuple

from chaindrive.contract.channels import Channel
from chaindrive.formulations.declare import Row, blank_row, channels_of, in_a_row
from chaindrive.formulations.planar.parameters import PlanarParameters
from chaindrive.kernels import Kernel, copy_into, kernel
from chaindrive.mechanism.motion import INPUT
from chaindrive.mechanism.torques import by_torques

__all__ = ["Counts", "Group", "channels", "counts_of", "recording", "row_of"]


class Counts(NamedTuple):
    """Numbers of parts of each kind in a drive."""

    links: int
    """Number of rows for quantities of links."""
    rollers: int
    spans: int
    wheels: int
    guides: int
    bodies: int
    tensioners: int
    further_faces: int
    """Number of additional faces of wheels in whose gaps rollers can be wedged."""
    tilted: bool
    """Whether any wheel is or may be tilted."""
    freewheels: bool = False
    wheel_inputs: bool = False
    joint_inputs: bool = False
    oil_inputs: bool = False
    """Whether any wheel has a freewheel; and whether motions of wheels, motions of joints, or oil
    pressures are inputs."""
    torques: bool = False
    """Whether any wheel has a driving torque or a list of loads."""
    anchored: bool = False
    """Whether an end of the chain is anchored."""
    projected: bool = False
    """Whether the positions of rigid contacts are corrected by projection."""
    payloads: int = 0
    cogs: int = 0
    """Number of additional cogs on the hubs of wheels."""


def counts_of(p: PlanarParameters) -> Counts:
    """Return the numbers of parts of each kind in the drive with these parameters."""
    return Counts(
        links=p.rollers if p.closed else p.rollers - 1,
        rollers=p.rollers,
        spans=p.spans.x.size,
        wheels=p.wheels,
        guides=p.surfaces - p.wheels,
        bodies=p.named_bodies,
        tensioners=p.elements.count,
        further_faces=p.faces - p.surfaces - p.cog.wheel.size,
        tilted=p.tilted,
        freewheels=bool((p.wheel.hub >= 0).any()),
        wheel_inputs=bool((p.wheel.motion == INPUT).any()),
        joint_inputs=bool((p.tree.body.motion[: p.named_bodies] == INPUT).any()),
        oil_inputs=bool(p.elements.supply.given.any()),
        torques=by_torques(p.torque),
        anchored=p.anchor.roller.size > 0,
        projected=p.projects,
        payloads=p.payload.x.size,
        cogs=p.cog.wheel.size,
    )


class Group(NamedTuple):
    """Adjacent channels of a row, and the kernel that writes them."""

    name: str
    """Name of the field of ``p.row.views`` that the kernel writes."""
    declare: Callable[[Counts], Any]
    """A function that creates a NamedTuple of the channels of the group, see ``declare``."""
    write: Kernel | None
    """(y, dy, p): writes all channels into their views, directly after an evaluation of y into dy; p are the parameters
    of the formulation. It is inlined, because it is called in one place only. None in a variant without such parts."""
    optional: bool = False
    """Whether the channels are absent from a drive without these parts; in other groups they are then empty."""

    def channels(self, counts: Counts) -> tuple[Channel, ...]:
        """Return the channels of the group in a drive with these counts."""
        found = tuple(channels_of(self.declare(counts)))
        return () if self.optional and not any(channel.size for channel in found) else found


def channels(groups: Iterable[Group], counts: Counts) -> tuple[Channel, ...]:
    """Return all channels of the groups, in the order of a row."""
    return in_a_row(channel for group in groups for channel in group.channels(counts))


def row_of(groups: Sequence[Group], counts: Counts) -> Row:
    """Return a row with the views of the groups, by the names of the groups."""
    by_name = _named(tuple(group.name for group in groups))
    return blank_row(by_name(*(group.declare(counts) for group in groups)))


@cache
def _named(names: tuple[str, ...]) -> Callable[..., tuple[Any, ...]]:
    """Return the NamedTuple with fields of these names, which is one class for all drives of a formulation."""
    return namedtuple("Groups", names)


def recording(rhs: Kernel, groups: Sequence[Group]) -> Kernel:
    """Return the kernel that writes a row, composed from the kernels of the groups."""
    write = _folded([group.write for group in groups if group.write is not None])

    @kernel(apart=True)
    def record(t, y, p, row):
        """Write all channels at (t, y) into row."""
        dy = p.planar.derivative
        rhs(t, y, dy, p)
        write(y, dy, p)
        copy_into(row, p.row.values)

    return record


@kernel(inline=True)
def _nothing(y, dy, p):
    """Write no channels."""


def _folded(writes: Sequence[Kernel]) -> Kernel:
    """Return one kernel that calls all of these kernels in turn.

    They are called in groups of four, because each kernel contains the code of all kernels that it calls.
    """
    if len(writes) == 1:
        return writes[0]
    quarter = -(-len(writes) // 4)
    parts = [_folded(writes[k : k + quarter]) for k in range(0, len(writes), quarter)]
    first, second, third, fourth = (*parts, _nothing, _nothing)[:4]

    @kernel(inner=True)
    def all_four(y, dy, p):
        first(y, dy, p)
        second(y, dy, p)
        third(y, dy, p)
        fourth(y, dy, p)

    return all_four
