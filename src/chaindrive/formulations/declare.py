"""Declaration and writing of channels, and descriptions of the energy accounts that all formulations have.

Channels are declared in a NamedTuple, whose fields are channels or tuples of channels of one shape. The kernel that
writes them has a NamedTuple of the same class, which contains views of a row instead of channels (``blank_row``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.contract.channels import Channel, Holds, Kept, Precision

Shown = Any
"""A field of a NamedTuple of channels. In the declaration it is a channel, or several channels of one shape; in a row
it is a view of their values."""

__all__ = [
    "RESIDUAL",
    "SHAFT_WORK",
    "SINCE_THE_ROW_BEFORE",
    "WORK_INPUT",
    "WORK_OUTPUT",
    "Row",
    "Shown",
    "TorqueChannels",
    "account",
    "blank_row",
    "channels_of",
    "in_a_row",
    "motion_torque",
    "one",
    "several",
    "torque_channels",
]

WORK_INPUT = "supplied by prescribed motions and forces over time, or by driving torques, negative when they brake"
WORK_OUTPUT = "delivered to loads, negative when they drive"
SHAFT_WORK = "work done on the drive by motor and load of the wheel, negative for output; integrated with the motion"
SINCE_THE_ROW_BEFORE = "over all steps since the previous row"
RESIDUAL = "energy residual: stored - start - input + output + losses"


def one(
    name: str, dims: tuple[str, ...], unit: str, text: str, shape: tuple[int, ...],
    kept: Kept = "standard", holds: Holds = "quantity", precision: Precision = "double",
) -> Channel:  # fmt: skip
    """Return a channel whose position in the row is not yet known."""
    return Channel(name, dims, unit, text, 0, shape, kept, holds, precision)


several = partial(one, precision="single")
"""Channels of quantities of every link or roller. Single precision halves the size of a results file."""


def account(name: str, text: str) -> Channel:
    """Return a channel for an account of the energy balance, which every result contains."""
    return one(name, (), "J", text, (), kept="always")


class TorqueChannels(NamedTuple):
    """Channels of torques, (W,) each, for a drive with driving torques or lists of loads."""

    motor: Shown
    load: Shown


def motion_torque(wheels: int) -> Channel:
    """Return the channel of the torque that makes wheels follow their motions, for a drive in which a motion is an
    input.
    """
    text = "torque that makes the wheel follow its prescribed motion, counter-clockwise positive; 0 where it has none"
    return one("motion_torque", ("wheel",), "N m", text, (wheels,))


def torque_channels(wheels: int) -> TorqueChannels:
    """Return the torque channels of every wheel, or of its hub behind a freewheel."""
    drives = "torque that drives the wheel (motor, pedals, weight), counter-clockwise positive"
    loads = "torque of all loads of the wheel, counter-clockwise positive"
    return TorqueChannels(
        motor=one("motor_torque", ("wheel",), "N m", drives, (wheels,)),
        load=one("load_torque", ("wheel",), "N m", loads, (wheels,)),
    )


def in_a_row(channels: Iterable[Channel]) -> tuple[Channel, ...]:
    """Return the channels with their positions in a row, side by side in this order."""
    made: list[Channel] = []
    offset = 0
    for channel in channels:
        made.append(channel._replace(offset=offset))
        offset += channel.size
    return tuple(made)


def channels_of(declared: Iterable[Any]) -> Iterator[Channel]:
    """Yield the channels in a NamedTuple of channels, in the order of a row."""
    for field in declared:
        yield from (field,) if isinstance(field, Channel) else channels_of(field)


class Row(NamedTuple):
    """The values that ``record`` writes at one time."""

    values: NDArray[np.float64]
    """(row_size,)"""
    views: Any
    """Views of these values, with the names in the declaration."""


def blank_row(declared: tuple[Any, ...]) -> Row:
    """Return a row for the channels of a NamedTuple.

    The view of a channel has the shape of the channel; the view of a single value is an array of one element. Channels
    of one shape in a tuple share one view, (channels, *shape), or (channels,) for single values. A NamedTuple becomes a
    NamedTuple of views, and an empty tuple remains empty.
    """
    values = np.zeros(sum(channel.size for channel in channels_of(declared)))
    return Row(values, _views(declared, values))


def _views(declared: Any, row: NDArray[np.float64]) -> Any:
    if isinstance(declared, Channel):
        return row.reshape(declared.shape or (1,))
    if not declared:
        return row
    if not hasattr(declared, "_fields"):
        return row.reshape((len(declared), *declared[0].shape))
    made, first = [], 0
    for field in declared:
        end = first + sum(channel.size for channel in channels_of((field,)))
        made.append(_views(field, row[first:end]))
        first = end
    return type(declared)(*made)
