"""Runs of the pages, which are kept as results files, and the quantities that all figures use."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from _cases import Case
from _signals import Stays, averaged_spectrum, mean_speed, stays, string_frequencies
from _simulate import tolerances
from numpy.typing import NDArray

import chaindrive as cd
from chaindrive.analyses.results.statistics import mean_contact_force_by_seat
from chaindrive.analyses.signals.spectra import Spectrum
from chaindrive.model import SaveOptions, SolverOptions
from chaindrive.results import Solution

ROLLER = 40
"""The roller, and the link after it, whose time histories are shown."""


class Stored(NamedTuple):
    """A finished run."""

    case: Case
    path: Path


def make(folder: Path, case: Case) -> Stored:
    """Simulate a case and keep its solution in the folder; a stored solution is used if there is one."""
    path = folder / f"{case.key}.nc"
    if path.exists():
        return Stored(case, path)
    save = SaveOptions(rate=case.rate, channels=case.keep)
    solver = SolverOptions(method=case.method, **tolerances(case.tolerance), **dict(case.solver))
    unfinished = path.with_suffix(".part.nc")
    cd.simulate(
        case.model, case.until, start=case.start, save=save, solver=solver, output=unfinished, overwrite=True
    ).close()
    unfinished.rename(path)
    return Stored(case, path)


class Run:
    """One stored run; quantities are read and computed once, when they are requested."""

    def __init__(self, stored: Stored) -> None:
        self.case, self.path = stored
        self.drive = self.case.model
        self.speed = mean_speed(self.drive)
        self.tooth = self.speed / self.drive.chain.pitch
        self._spectra: dict[int, Spectrum] = {}

    @functools.cached_property
    def solution(self) -> Solution:
        """The opened results file."""
        return cd.open(self.path)

    @functools.cached_property
    def time(self) -> NDArray[np.float64]:
        """Instants of the rows. [s]"""
        return self.solution.time

    @functools.cached_property
    def used(self) -> slice:
        """Rows within the time window for statistics."""
        return slice(int(np.searchsorted(self.time, self.case.begin - 1e-9)), None)

    @property
    def failed(self) -> bool:
        """Whether the run failed to reach its end."""
        return self.solution.status.name != "REACHED_END"

    def values(self, name: str) -> NDArray[np.float64]:
        """Values of a channel within the time window for statistics."""
        return self.solution.values(name)[self.used]

    @functools.cached_property
    def tension(self) -> NDArray[np.float64]:
        """Mean tension of every span, (rows, spans). [N]"""
        return self.values("span_tension")

    @functools.cached_property
    def mean(self) -> NDArray[np.float64]:
        """Mean span tensions. [N]"""
        return self.tension.mean(axis=0)

    @functools.cached_property
    def displacement(self) -> NDArray[np.float64]:
        """Displacement of the middle of every span, (rows, spans). [m]"""
        return self.values("span_displacement")

    def outward(self, span: int) -> NDArray[np.float64]:
        """Displacement of the middle of a span, positive outwards from the loop as in the thesis, (rows,) [mm]."""
        return -1e3 * self.displacement[:, span].astype(np.float64)

    def largest_of_one(self, values: NDArray[np.float64], stretch: float = 5.0) -> float:
        """Largest value for one roller or link within 5 s, as a figure shows it; the median over all of them."""
        rows = round(stretch * self.case.rate)
        parts = [values[k : k + rows].max(axis=0) for k in range(0, len(values) - rows + 1, rows)]
        return float(np.median(np.array(parts)))

    @functools.cached_property
    def tooth_force(self) -> NDArray[np.float64]:
        """Contact force of the rollers that touch wheels, 0 elsewhere, (rows, rollers). [N]"""
        return np.where(self.contact_surface < len(self.drive.wheels), self.contact_force, 0.0)

    def spectrum(self, span: int) -> Spectrum:
        """Spectrum of the displacement of the middle of a span, averaged over sections of 10 s."""
        if span not in self._spectra:
            self._spectra[span] = averaged_spectrum(self.displacement[:, span], 1.0 / self.case.rate)
        return self._spectra[span]

    def string(self, span: int) -> NDArray[np.float64]:
        """Natural frequencies of the moving string at the mean tension of the run, modes 1 to 9 [Hz]."""
        return string_frequencies(self.drive, span, self.mean[span])

    @functools.cached_property
    def stays(self) -> Stays:
        """Passages of the rollers over the wheels."""
        return stays(self.solution, self.drive, self.case.begin)

    @functools.cached_property
    def seats(self) -> dict[int, NDArray[np.float64]]:
        """Mean contact force by position in the wrap, for each wheel. [N]"""
        return {w: mean_contact_force_by_seat(self.solution, w, self.case.begin) for w in range(len(self.drive.wheels))}

    @functools.cached_property
    def contact_force(self) -> NDArray[np.float64]:
        """Contact force on every roller, (rows, rollers). [N]"""
        return self.values("contact_force")

    @functools.cached_property
    def contact_surface(self) -> NDArray[np.float64]:
        """Wheel that each roller touches, (rows, rollers)."""
        return self.values("contact_surface")

    @functools.cached_property
    def link_tension(self) -> NDArray[np.float64]:
        """(rows, links) [N]"""
        return self.values("link_tension")

    @property
    def residual(self) -> float:
        """Energy that the energy balance cannot account for, as a fraction of the energy exchanged."""
        return self.solution.audit.relative_residual

    def loop(self, wanted: float = 1.05, before: float = 0.06, wheel: int = 0) -> tuple[slice, NDArray[np.float64]]:
        """Rows of the last ``wanted`` seconds that begin when the shown roller meets a sprocket, and the time from
        there on [s].

        Row numbers are those within the time window for statistics.
        """
        time = self.time[self.used]
        body = self.contact_surface[:, ROLLER]
        begins = np.flatnonzero((body[1:] == wheel) & (body[:-1] == -1)) + 1
        pause = round(0.04 * self.case.rate)
        fit = [k for k in begins if time[0] <= time[k] - before <= time[-1] - wanted
               and not (body[max(0, k - pause) : k] == wheel).any()]  # fmt: skip
        first = int(np.searchsorted(time, time[fit[-1]] - before))
        rows = slice(first, first + round(wanted * self.case.rate) + 1)
        return rows, time[rows] - time[first]


class Runs(Mapping[str, Run]):
    """All runs of the pages, by key."""

    def __init__(self, stored: Iterable[Stored]) -> None:
        self._runs = {item.case.key: Run(item) for item in stored}

    def __getitem__(self, key: str) -> Run:
        return self._runs[key]

    def __iter__(self) -> Any:
        return iter(self._runs)

    def __len__(self) -> int:
        return len(self._runs)


class RunsOnDemand(Runs):
    """The runs, which are made when they are requested."""

    def __init__(self, cases: Iterable[Case], make: Callable[[Case], Stored]) -> None:
        super().__init__([])
        self._cases = {case.key: case for case in cases}
        self._make = make

    def __getitem__(self, key: str) -> Run:
        if key not in self._runs:
            self._runs[key] = Run(self._make(self._cases[key]))
        return self._runs[key]

    def __iter__(self) -> Any:
        return iter(self._cases)

    def __len__(self) -> int:
        return len(self._cases)
