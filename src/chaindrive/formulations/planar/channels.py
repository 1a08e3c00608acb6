"""Channels in groups: a group declares its channels together with the kernel that writes them.

A formulation lists its groups once (``groups`` in its record.py). Where each part of a row lies, the channels with
their places, and the kernel that writes a whole row all follow from that list.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np

from chaindrive.contract.channels import Channel
from chaindrive.formulations.declare import in_a_row
from chaindrive.formulations.planar.parameters import IntArray, PlanarParameters
from chaindrive.formulations.planar.support import sum_contact_forces_on_ground
from chaindrive.kernels import Kernel, kernel
from chaindrive.mechanism.torques import by_torques

__all__ = ["Counts", "Group", "channels", "counts_of", "recording", "starts"]


class Counts(NamedTuple):
    """How many of everything there are in a drive."""

    links: int
    """Rows of what there is of every link"""
    rollers: int
    spans: int
    wheels: int
    guides: int
    bodies: int
    tensioners: int
    further_faces: int
    """Of wheels in whose gaps rollers are wedged, beyond one for each."""
    tilted: bool
    """Whether any wheel is tilted, or may be."""
    freewheels: bool = False
    """Whether any wheel has a freewheel."""
    torques: bool = False
    """Whether any wheel has a torque that drives, or a list of loads."""
    anchored: bool = False
    """Whether an end of the chain is anchored."""
    payloads: int = 0


def counts_of(p: PlanarParameters) -> Counts:
    """How many of everything there are in the drive of these parameters."""
    return Counts(
        links=p.rollers if p.closed else p.rollers - 1,
        rollers=p.rollers,
        spans=p.spans.x.size,
        wheels=p.wheels,
        guides=p.surfaces - p.wheels,
        bodies=p.named_bodies,
        tensioners=p.elements.count,
        further_faces=p.faces - p.surfaces,
        tilted=p.tilted,
        freewheels=bool((p.wheel.hub >= 0).any()),
        torques=by_torques(p.torque),
        anchored=p.anchor.roller.size > 0,
        payloads=p.payload.x.size,
    )


class Group(NamedTuple):
    """Channels that stand side by side in a row, and what writes them."""

    declare: Callable[[Counts], Sequence[Channel]]
    """The channels in the order of the row, ``offset`` not set; of what a drive has none of, none or empty ones."""
    write: Kernel | None
    """(y, dy, p, part): writes all of them into their part of the row, directly after an evaluation of y into dy; p are
    the parameters of the formulation. Inline, as it is called at one place. None in a variant without such parts."""


def channels(groups: Iterable[Group], counts: Counts) -> tuple[Channel, ...]:
    """All channels of the groups in the order of a row."""
    return in_a_row(channel for group in groups for channel in group.declare(counts))


def starts(groups: Sequence[Group], counts: Counts) -> IntArray:
    """Where the part of every group begins in a row, and where the last one ends, (groups + 1,)."""
    sizes = [sum(channel.size for channel in group.declare(counts)) for group in groups]
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)


def recording(rhs: Kernel, groups: Sequence[Group]) -> Kernel:
    """The kernel that writes a row, folded from the groups."""
    write = _folded([_part(group.write, number) for number, group in enumerate(groups) if group.write is not None])

    @kernel
    def record(t, y, p, row):
        """Write all channels at (t, y) into row."""
        dy = p.planar.derivative
        rhs(t, y, dy, p)
        sum_contact_forces_on_ground(p.planar)
        write(y, dy, p, row)

    return record


def _part(write: Kernel, number: int) -> Kernel:
    """Write the group of this number into its part of the row."""

    @kernel(inline=True)
    def part(y, dy, p, row):
        write(y, dy, p, row[p.planar.row_starts[number] : p.planar.row_starts[number + 1]])

    return part


@kernel(inline=True)
def _nothing(y, dy, p, row):
    """An empty row."""


def _folded(writes: Sequence[Kernel]) -> Kernel:
    """All of them after each other, by fours: each kernel holds the code of all that it calls."""
    if len(writes) == 1:
        return writes[0]
    quarter = -(-len(writes) // 4)
    parts = [_folded(writes[k : k + quarter]) for k in range(0, len(writes), quarter)]
    first, second, third, fourth = (*parts, _nothing, _nothing)[:4]

    @kernel(inner=True)
    def all_four(y, dy, p, row):
        first(y, dy, p, row)
        second(y, dy, p, row)
        third(y, dy, p, row)
        fourth(y, dy, p, row)

    return all_four
