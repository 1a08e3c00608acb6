"""Results made up of signals whose spectra are known, on real drives."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from chaindrive.model import Drive
from chaindrive.results import Solution
from chaindrive.results.attributes import FORMAT
from chaindrive.results.layout import Layout
from chaindrive.system import Channel

UNITS = {
    "span_displacement": "m",
    "span_tension": "N",
    "wheel_speed": "rad/s",
    "wheel_angle": "rad",
    "wheel_torque": "N m",
    "bearing_force": "N",
    "power_input": "W",
    "contact_body": "1",
}


def made_up(drive: Drive, time: np.ndarray, attrs: Mapping[str, str] | None = None, **table: np.ndarray) -> Solution:
    """A result of a drive that holds these channels, (rows, *shape)."""
    channels, offset = [], 0
    for name, values in table.items():
        first = {"span": "span", "bear": "wheel", "whee": "wheel", "cont": "roller"}.get(name[:4], "")
        dims = (first, "axis")[: values.ndim - 1]
        channels.append(Channel(name, dims, UNITS[name], name, offset, values.shape[1:]))
        offset += int(np.prod(values.shape[1:]))
    labels = {"wheel": tuple(wheel.name for wheel in drive.wheels), "axis": ("x", "y")}
    attributes = {"chaindrive_format": str(FORMAT), "name": drive.name, "drive": drive.to_toml()}
    attributes |= {"status": "REACHED_END", **(attrs or {})}
    return Solution.from_memory(Layout(tuple(channels), labels), time, table, attributes)


def turning(drive: Drive, chain_angle: np.ndarray) -> np.ndarray:
    """Angles of all wheels when the first has turned by ``chain_angle`` [rad] the way it does, without any error."""
    from chaindrive.analyses.signals import running_senses

    teeth = np.array([wheel.teeth for wheel in drive.wheels])
    return running_senses(drive) * np.abs(chain_angle)[:, None] * teeth[0] / teeth
