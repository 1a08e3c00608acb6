"""Results made up of signals whose spectra are known, on real drives."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from chaindrive.model import Drive
from chaindrive.results import Solution
from chaindrive.results.attributes import FORMAT
from support.made_run import solution_of


def made_up(drive: Drive, time: np.ndarray, attrs: Mapping[str, str] | None = None, **table: np.ndarray) -> Solution:
    """A result of a drive that holds these channels, (rows, *shape)."""
    attributes = {"chaindrive_format": str(FORMAT), "name": drive.name, "drive": drive.to_toml()}
    attributes |= {"status": "REACHED_END", **(attrs or {})}
    return solution_of(drive, time, table, attributes)


def turning(drive: Drive, chain_angle: np.ndarray) -> np.ndarray:
    """Angles of all wheels when the first has turned by ``chain_angle`` [rad] in its direction, without any error."""
    from chaindrive.mechanism.facts import drive_facts

    teeth = np.array([wheel.teeth for wheel in drive.wheels])
    return drive_facts(drive).senses * np.abs(chain_angle)[:, None] * teeth[0] / teeth
