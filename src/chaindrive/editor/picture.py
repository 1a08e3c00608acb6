"""The picture of a state as in the report: the chain as placed, or at rest with its tensions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from chaindrive.contract.system import System
from chaindrive.drawing.along_route import chain_along_route
from chaindrive.mechanism.facts import drive_facts
from chaindrive.mechanism.layout import initial_configuration
from chaindrive.mechanism.variator import placed_chain
from chaindrive.model import Drive
from chaindrive.report.drive import drive_entry, extent_of
from chaindrive.report.frames import frames_entry
from chaindrive.report.pack import Blob
from chaindrive.simulation.at_rest import AtRest
from chaindrive.simulation.start import channel_at_start

__all__ = ["placed_picture", "rest_picture"]

QUICKLY = 1
"""A low level of compression, because the picture does not leave this machine."""


def placed_picture(drive: Drive) -> dict[str, Any]:
    """Return the picture of a drive with its chain as placed, for the page. Raises InputError if the chain cannot be
    placed.
    """
    if drive.sheaves:
        rollers, angles = placed_chain(drive)[0], np.zeros(len(drive.wheels))
    else:
        placed = initial_configuration(drive)
        rollers, angles = placed.roller_position, placed.wheel_angle
    return _picture(drive, {"roller_position": rollers, "wheel_angle": angles})


def rest_picture(drive: Drive, rest: AtRest, system: System) -> dict[str, Any]:
    """Return the picture of a drive at rest, with links coloured by their tension."""
    table: dict[str, Any] = {
        "wheel_angle": rest.wheel_angles,
        "wheel_position": rest.wheel_positions,
        "body_position": rest.body_positions,
        "body_angle": rest.body_angles,
    }
    if rest.rollers is None:
        advance = drive_facts(drive).pitches_turned(rest.wheel_angles[:1])
        table["roller_position"] = chain_along_route(drive, advance)[0][0]
    else:
        table["roller_position"] = rest.rollers
        table["link_tension"] = channel_at_start(system, "link_tension")
    return _picture(drive, table)


def _picture(drive: Drive, table: Mapping[str, NDArray[Any]]) -> dict[str, Any]:
    """Return the drive and one frame as in a report, with their data."""
    blob = Blob()
    rollers = np.asarray(table["roller_position"], dtype=np.float64)[None]
    entry = drive_entry(drive, blob, extent_of(drive, rollers))
    one = {name: np.asarray(values, dtype=np.float64)[None] for name, values in table.items()}
    frames = frames_entry(drive, one, np.zeros(1), np.zeros(1), np.zeros(1, dtype=np.int64), blob, stored=1)
    return {"drive": entry, "frames": frames, "data": blob.packed(QUICKLY)}
