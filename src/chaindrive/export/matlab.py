"""A result as a MATLAB file (version 5) with one struct for each channel."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from chaindrive.errors import InputError, Problem
from chaindrive.export.selection import Rows, Selection, element_unit, rows_of, select
from chaindrive.export.tables import Progress
from chaindrive.export.target import check_export, maker, writing
from chaindrive.results.layout import storage_dtype

if TYPE_CHECKING:
    from chaindrive.results import Solution

__all__ = ["LARGEST", "matlab_names", "write_matlab"]

LARGEST = 2**31 - 2**16
"""Largest size of one variable in a version 5 file; MATLAB reads only variables below 2 GB. [bytes]"""
LONGEST_NAME = 63
_KEYWORDS = frozenset(
    """
    break case catch classdef continue else elseif end for function global if otherwise parfor persistent return spmd
    switch try while
    """.split()  # noqa: SIM905 (a list of twenty lines would not be clearer)
)


def matlab_names(names: Sequence[str]) -> dict[str, str]:
    """Return a valid and unique MATLAB name for every name.

    Each has at most 63 letters, digits and underscores, and begins with a letter.
    """
    found: dict[str, str] = {}
    for name in names:
        valid = re.sub(r"[^A-Za-z0-9_]", "_", name)[:LONGEST_NAME]
        if not re.match(r"[A-Za-z]", valid) or valid in _KEYWORDS:
            valid = f"x_{valid}"[:LONGEST_NAME]
        stem, number = valid, 2
        while valid in found.values():
            end = f"_{number}"
            valid, number = stem[: LONGEST_NAME - len(end)] + end, number + 1
        found[name] = valid
    return found


def write_matlab(
    solution: Solution,
    path: str | os.PathLike[str],
    channels: Sequence[str] | str | None = None,
    every: int = 1,
    start: float | str | None = None,
    stop: float | str | None = None,
    overwrite: bool = False,
    progress: Progress | None = None,
) -> int:
    """Write channels over time as a .mat file of version 5, which any MATLAB or Octave can open; return the number of
    rows.

    ``time`` is a struct with ``value`` (rows, 1) and ``unit``. Every channel is a struct with ``value`` (rows, ...),
    ``unit``, ``dims``, ``names`` (of the elements along each dimension after time) and ``description``. A channel of
    joints, some of which turn and some slide, also has ``units``, one for each joint. ``info`` contains drive, run and
    versions. Arguments and errors are those of :func:`chaindrive.export.tables.write_table`, except that channels are
    always written completely. Also raises InputError for a variable of 2 GB or more, which this format cannot contain.
    """
    target = check_export(path, overwrite=overwrite, wanted="a file such as run.mat")
    rows = rows_of(solution.time, start, stop, every)
    chosen = select(solution, channels, rows)
    names = list(dict.fromkeys(column.channel for column in chosen.columns))
    _check_sizes(solution, names, rows)
    from scipy.io import savemat

    with writing(target) as part:
        with part.open("wb") as file:
            variables = _Variables(solution, names, chosen, progress)
            savemat(file, variables, long_field_names=True, do_compression=True, oned_as="column")
        with part.open("r+b") as file:  # the text at the beginning of the file, with 116 characters
            file.write(f"MATLAB 5.0 MAT-file, {maker()}".ljust(116)[:116].encode("ascii", "replace"))
    return rows.size


def _check_sizes(solution: Solution, names: Sequence[str], rows: Rows) -> None:
    problems = []
    for name in names:
        channel = solution.channel(name)
        size = rows.size * channel.size * storage_dtype(channel).itemsize
        if size > LARGEST:
            message = (
                "a variable in a .mat file must be smaller than 2 GB: choose a window (--start, --stop), "
                "every nth instant (--every) or other channels; or read the results file itself, which is HDF5 "
                "(netCDF-4): in MATLAB "
                f'ncread("run.nc", "{name}")'
            )
            problems.append(Problem(name, message, f"{size / 1e9:.3g} GB"))
    if problems:
        raise InputError(problems)


class _Variables(Mapping[str, Any]):
    """Variables of the file by name. Each is created only when it is written, so that only one channel is in memory."""

    def __init__(self, solution: Solution, names: Sequence[str], chosen: Selection, progress: Progress | None) -> None:
        self._solution, self._chosen, self._progress = solution, chosen, progress
        self._channels = {matlab: name for name, matlab in matlab_names(["info", "time", *names]).items()}

    def __len__(self) -> int:
        return len(self._channels)

    def __iter__(self) -> Iterator[str]:
        for done, name in enumerate(self._channels, 1):
            yield name
            if self._progress is not None:
                self._progress(done, len(self))

    def __getitem__(self, key: str) -> Any:
        name = self._channels[key]
        if name == "info":
            return _info(self._solution)
        rows = self._chosen.rows
        part = slice(rows.first, rows.stop, rows.every)
        if name == "time":
            return {"value": self._solution.time[part].reshape(-1, 1), "unit": "s", "description": "time"}
        return self._channel(name, part)

    def _channel(self, name: str, part: slice) -> dict[str, Any]:
        channel = self._solution.channel(name)
        values = self._solution.values(name, part)
        labels = [self._solution.labels.get(dim, tuple(str(i) for i in range(n))) for dim, n in _along(channel)]
        units = [element_unit(self._solution, channel, k) for k in range(channel.size)]
        found = {
            "value": values.reshape(-1, 1) if values.ndim == 1 else values,
            "unit": units[0] if len(set(units)) == 1 else "see units",
            "dims": _cells(("time", *channel.dims)),
            "names": _cells([_cells(words) for words in labels]),
            "description": channel.description or name.replace("_", " "),
        }
        return found if len(set(units)) == 1 else {**found, "units": _cells(units)}


def _along(channel: Any) -> list[tuple[str, int]]:
    return list(zip(channel.dims, channel.shape, strict=True))


def _cells(values: Sequence[Any]) -> Any:
    """Return a cell array with one row."""
    made = np.empty((1, len(values)), dtype=object)
    for i, value in enumerate(values):
        made[0, i] = value
    return made


def _info(solution: Solution) -> dict[str, Any]:
    """Return facts about the source of the results."""
    attrs = solution.attrs
    texts = ("name", "source", "formulation", "solver", "history", "drive", "options", "versions", "statistics")
    return {
        "program": maker(),
        "status": solution.status.name,
        "warnings": _cells(solution.warnings),
        **{key: attrs.get(key, "") for key in texts},
    }
