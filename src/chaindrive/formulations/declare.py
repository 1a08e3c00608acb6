"""How formulations declare channels, and the texts of accounts that all of them have."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from chaindrive.contract.channels import Channel, Holds, Kept, Precision

__all__ = [
    "RESIDUAL",
    "SHAFT_WORK",
    "WORK_INPUT",
    "WORK_OUTPUT",
    "account",
    "in_a_row",
    "one",
    "several",
    "torque_channels",
]

WORK_INPUT = "supplied by prescribed motions, or by torques that drive, negative where they brake"
WORK_OUTPUT = "delivered to loads, negative where they drive"
SHAFT_WORK = "work of motor and load of the wheel on the drive, negative: output; integrated with the motion"
RESIDUAL = "energy residual: stored - start - input + output + losses"


def one(
    name: str, dims: tuple[str, ...], unit: str, text: str, shape: tuple[int, ...],
    kept: Kept = "standard", holds: Holds = "quantity", precision: Precision = "double",
) -> Channel:  # fmt: skip
    """A channel whose place in the row is not known yet."""
    return Channel(name, dims, unit, text, 0, shape, kept, holds, precision)


several = partial(one, precision="single")
"""The same for what there is of every link or roller: single precision halves a results file."""


def account(name: str, text: str) -> Channel:
    """An account of the energy balance, which every result holds."""
    return one(name, (), "J", text, (), kept="always")


def torque_channels(wheels: int) -> tuple[Channel, ...]:
    """Of a drive with torques that drive, or with lists of loads: both on every wheel, or on the hub behind it."""
    drives = "torque that drives the wheel (motor, pedals, weight), counter-clockwise positive"
    loads = "torque of all loads of the wheel, counter-clockwise positive"
    return (
        one("motor_torque", ("wheel",), "N m", drives, (wheels,)),
        one("load_torque", ("wheel",), "N m", loads, (wheels,)),
    )


def in_a_row(channels: Iterable[Channel]) -> tuple[Channel, ...]:
    """The channels with their places, side by side in this order."""
    made: list[Channel] = []
    offset = 0
    for channel in channels:
        made.append(channel._replace(offset=offset))
        offset += channel.size
    return tuple(made)
