"""Every channel that the results of a formulation can have, whatever the parts of the drive."""

from __future__ import annotations

from chaindrive.contract.channels import Channel
from chaindrive.formulations.block.record import channels as block_channels
from chaindrive.formulations.cvt.record import channels as cvt_channels
from chaindrive.formulations.declare import channels_of
from chaindrive.formulations.link.variants import PATH_VARIANTS as LINK
from chaindrive.formulations.planar.channels import Counts, channels
from chaindrive.formulations.roller.variants import VARIANTS as ROLLER
from chaindrive.formulations.spatial.kernels import VARIANTS as SPATIAL

__all__ = ["every_channel"]

PLANAR = {"roller": ROLLER, "link": LINK, "spatial": SPATIAL}


def every_channel(kind: str) -> tuple[Channel, ...]:
    """Return the channels of a formulation for a drive with one part of every kind; empty for an unknown one."""
    if kind in PLANAR:
        return channels(PLANAR[kind].supported.groups, Counts._make([1] * len(Counts._fields)))
    others = {"block": block_channels, "cvt": cvt_channels}
    return tuple(channels_of(others[kind](1, torques=True, inputs=True))) if kind in others else ()
