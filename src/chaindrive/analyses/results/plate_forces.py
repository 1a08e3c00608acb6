"""Forces in the individual plates of a rocker-pin chain during a run, from link tensions and forces on the pins.

A run gives the total tension of every link. The forces of its plates follow from the tensions and from the friction and
thrust on the ends of the pins, separately at every stored instant (``analytical.plate_rows``).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.analyses.analytical.plate_rows import PlateRows, PlateSystem
from chaindrive.analyses.signals.windows import instants, mean_tooth_frequency, window_of
from chaindrive.errors import ComputationError, InputError, Problem
from chaindrive.mechanism.facts import drive_facts
from chaindrive.model import Drive
from chaindrive.results.solution import Solution

__all__ = ["PlateForces", "PlatePeak", "plate_forces", "plate_peaks", "plate_system"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

CHANNELS = (
    "link_tension", "pin_circumferential_friction", "pin_axial_force", "roller_position", "wheel_position",
)  # fmt: skip


class PlateForces(NamedTuple):
    """Forces in the P plates of N links at M instants."""

    time: FloatArray
    """(M,) [s]"""
    force: FloatArray
    """(M, P) [N]"""
    mean: FloatArray
    """Mean plate force of every link, (M, N) [N]"""
    link: IntArray
    """Link of every plate, (P,)"""
    row: IntArray
    """Row of every plate, (P,), from 0"""
    rows: int
    """Number of rows R"""
    where: IntArray
    """Index of the pair of sheaves that holds the first or the second pin of the link, or 2 + index of the span, (M,
    N)"""
    names: tuple[str, ...]
    """Names of both pairs and both spans: "on primary", "in span primary - secondary"."""

    @property
    def clasp(self) -> IntArray:
        """The clasp plates, which are the plates in the outermost rows."""
        return np.flatnonzero((self.row == 0) | (self.row == self.rows - 1))


class PlatePeak(NamedTuple):
    """One extreme of the plate forces."""

    quantity: str
    """Name of the extreme, such as "largest plate force"."""
    value: float
    """[N]"""
    mean: float
    """Mean plate force of the same link at the same instant [N]"""
    time: float
    """[s]"""
    link: int
    row: int
    """Row, counted from 0"""
    where: str
    """Place of the link, such as "on primary"."""


def plate_system(drive: Drive) -> PlateSystem:
    """Return the plates and pins of a drive, factorised once for each drive.

    Raises InputError if the drive does not give the plates of its chain.
    """
    chain = drive.chain
    if chain.plates is None or chain.pins is None:
        message = "are not given: plate forces need a rocker-pin chain with [chain.plates]"
        raise InputError(Problem("chain.plates", message))
    rows = PlateRows(
        links=chain.links,
        pattern=chain.plates.pattern,
        row_pitch=chain.plates.row_pitch,
        pin_length=chain.pins.length,
        plate_stiffness=chain.plates.stiffness,
        bending_stiffness=chain.plates.bending_stiffness,
    )
    return drive_facts(drive).once("plates in their rows", lambda: PlateSystem(rows))


def plate_forces(solution: Solution, start: float | None = None, stop: float | None = None) -> PlateForces:
    """Return the forces in all plates between start and stop [s]; by default over the last loop of the chain.

    Instants with values that are not finite, after a run has diverged, are omitted. Raises InputError for a chain
    without plates, if nothing is left in the window, if no forces could be computed, and without the channels
    link_tension, pin_circumferential_friction, pin_axial_force, roller_position and wheel_position.
    """
    system, drive = plate_system(solution.drive), solution.drive
    plates = drive.chain.plates
    assert plates is not None  # of a drive that has a system of plates
    times = instants(solution)
    if start is None and stop is None:
        pace = mean_tooth_frequency(solution, 0.5 * float(times[0] + times[-1]))
        start = float(times[-1]) - drive.chain.links / pace if pace > 0.0 else None
    rows = window_of(times, start, stop).rows
    read = [np.asarray(solution.values(name, rows), dtype=np.float64) for name in CHANNELS]
    known = np.all([np.isfinite(each).reshape(len(each), -1).all(axis=1) for each in read], axis=0)
    if not known.any():
        raise InputError(Problem("time", "the forces at all stored instants of this window are not finite"))
    tension, friction, axial, place, centre = (each[known] for each in read)
    try:
        force = system.forces(tension, friction, plates.eccentricity * axial)
    except ComputationError as error:
        raise InputError(Problem("chain.plates", f"no forces: {error.message}")) from None
    return PlateForces(
        time=times[rows][known],
        force=force,
        mean=np.maximum(tension, 0.0) / np.bincount(system.link),
        link=system.link,
        row=system.row,
        rows=len(plates.rows),
        where=_where(axial > 0.0, place, centre),
        names=tuple(f"on {wheel.name}" for wheel in drive.wheels)
        + tuple(f"in span {name}" for name in drive.span_names),
    )


def plate_peaks(found: PlateForces) -> tuple[PlatePeak, ...]:
    """Return the largest force in any plate and in any clasp plate, and the smallest force in any plate."""
    every = np.arange(found.link.size)
    return (
        _peak(found, "largest plate force", every, np.argmax),
        _peak(found, "largest force of a clasp plate", found.clasp, np.argmax),
        _peak(found, "smallest plate force", every, np.argmin),
    )


def _peak(
    found: PlateForces, quantity: str, plates: IntArray, extreme: Callable[[FloatArray], np.integer[Any]]
) -> PlatePeak:
    """Return one extreme over some plates, at the index given by argmax or argmin."""
    forces = found.force[:, plates]
    m, at = np.unravel_index(int(extreme(forces)), forces.shape)
    plate = int(plates[at])
    link = int(found.link[plate])
    return PlatePeak(
        quantity,
        float(found.force[m, plate]),
        float(found.mean[m, link]),
        float(found.time[m]),
        link,
        int(found.row[plate]),
        found.names[int(found.where[m, link])],
    )


def _where(touching: NDArray[np.bool_], place: FloatArray, centre: FloatArray) -> IntArray:
    """Return the index of the pair of sheaves, or 2 + index of the span, for every link, (M, N).

    touching (M, N): pair that holds each pin; place (M, N, 2): positions of the pins [m]; centre (M, 2, 2): positions
    of the pairs [m]. Counted counter-clockwise, links of the span after pair 0 lead towards pair 1.
    """
    apart = np.linalg.norm(place[:, :, None, :] - centre[:, None, :, :], axis=-1)
    pair = np.where(touching, apart.argmin(axis=-1), -1)
    ahead = np.roll(place, -1, axis=1) - place
    returns = np.einsum("mni,mi->mn", ahead, centre[:, 1] - centre[:, 0]) < 0.0
    on = np.where(pair >= 0, pair, np.roll(pair, -1, axis=1))
    return np.where(on >= 0, on, 2 + returns)
