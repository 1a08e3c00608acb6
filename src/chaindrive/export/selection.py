"""Selection of the channels, elements and instants of a result for a table, which is read block by block."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import combinations, product
from numbers import Integral
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.errors import InputError, Problem
from chaindrive.model.arguments import names_of, times
from chaindrive.model.problems import shown

if TYPE_CHECKING:
    from chaindrive.contract.channels import Channel
    from chaindrive.results import Solution

__all__ = ["Column", "Rows", "Selection", "element_unit", "rows_of", "select", "split_names"]

BLOCK_BYTES = 1 << 24
"""Size of the blocks that are read and written. Blocks keep the memory of an export independent of the length of the
run."""
NO_UNIT = "-"


class Column(NamedTuple):
    """A column of a table, which is one element of a channel."""

    channel: str
    place: int
    """Index of the element, counted through all dimensions of the channel."""
    label: str
    """Label such as ``link_tension[12]`` or ``wheel_position[crankshaft,x]``."""
    unit: str
    description: str

    @property
    def heading(self) -> str:
        """Name and unit: ``link_tension[12] [N]``."""
        return f"{self.label} [{self.unit}]"


class Rows(NamedTuple):
    """Selected instants of a result: every n-th from ``first`` up to, but not including, ``stop``."""

    first: int
    stop: int
    every: int

    @property
    def size(self) -> int:
        """Number of instants."""
        return len(range(self.first, self.stop, self.every))


class Selection(NamedTuple):
    """The columns and instants that a table contains."""

    columns: tuple[Column, ...]
    rows: Rows

    def blocks(self, solution: Solution) -> Iterator[tuple[NDArray[np.float64], list[NDArray[Any]]]]:
        """Yield times [s] and the values of the columns, block by block.

        Indices (``Channel.whole``) are whole numbers, -1 for none.
        """
        names = list(dict.fromkeys(column.channel for column in self.columns))
        width = sum(8 * solution.channel(name).size for name in names) + 8
        size = max(1, BLOCK_BYTES // width // self.rows.every) * self.rows.every
        times = solution.time
        for at in range(self.rows.first, self.rows.stop, size):
            part = slice(at, min(at + size, self.rows.stop))
            read = {name: _flat(solution, name, part)[:: self.rows.every] for name in names}
            columns = [read[column.channel][:, column.place] for column in self.columns]
            yield times[part][:: self.rows.every], columns


def _flat(solution: Solution, name: str, part: slice) -> NDArray[Any]:
    values = solution.values(name, part)
    values = values.reshape(len(values), -1)
    if solution.channel(name).whole:
        return np.where(np.isfinite(values), np.rint(values), -1.0).astype(np.int32)
    return values


def split_names(text: str) -> list[str]:
    """Split a string at its commas into names, such as "span_tension,wheel_speed[crankshaft]", but not at commas in
    brackets.
    """
    return [name.strip() for name in re.split(r",(?![^\[]*\])", text) if name.strip()]


def rows_of(time: NDArray[np.float64], start: float | str | None, stop: float | str | None, every: int = 1) -> Rows:
    """Return every n-th stored instant from start to stop [s, or text with a unit], by default over the whole result.

    Raises InputError if there are none, for ends that are not times, and for ``every`` below 1.
    """
    start, stop = times(start=start, stop=stop)
    problems = []
    if not isinstance(every, Integral) or isinstance(every, bool) or every < 1:
        problems.append(
            Problem("every", "must be a whole number of at least 1: every n-th instant is selected", shown(every))
        )
    low = 0 if start is None else int(np.searchsorted(time, start - 1e-9 * abs(start)))
    high = time.size if stop is None else int(np.searchsorted(time, stop + 1e-9 * abs(stop), side="right"))
    if low >= high:
        held = f"{time[0]:g} to {time[-1]:g} s" if time.size else "nothing"
        window = (
            f"{'the beginning' if start is None else f'{start:g} s'} to {'the end' if stop is None else f'{stop:g} s'}"
        )
        problems.append(Problem("time", f"this window contains no saved instant; saved: {held}", window))
    if problems:
        raise InputError(problems)
    return Rows(low, high, every)


def select(solution: Solution, channels: Sequence[str] | str | None, rows: Rows) -> Selection:
    """Return the columns for channels of a result, by default all; ``link_tension[12]`` selects a single element.

    channels: names as a list, or as one string in which commas separate them. An element is selected by its number, or
    by its name if it has one: ``wheel_speed[crankshaft]``, ``bearing_force[crankshaft,x]``. Raises InputError listing
    everything that does not exist.
    """
    channels = _listed(channels)
    names = _names(solution)
    problems: list[Problem] = []
    columns: list[Column] = []
    if channels is not None and not channels:
        problems.append(Problem("channels", "names no channel: omit it to export all channels"))
    for asked in list(solution.channels) if channels is None else channels:
        name, bracket, inside = asked.partition("[")
        if name.strip() == "time" and not bracket:
            continue
        try:
            channel = solution.channel(name.strip())
        except InputError as error:
            problems += [problem._replace(place="channels", value=repr(asked)) for problem in error.problems]
            continue
        found = _columns(solution, channel, names)
        if bracket:
            wanted = _words(f"[{inside.rstrip()}")
            numbered = _columns(solution, channel, {})
            spelt = zip(*(_columns(solution, channel, some) for some in _subsets(names)), strict=True)
            fits = [wanted in (_words(column.label)[: len(wanted)] for column in ways) for ways in spelt]
            found = [column for column, fit in zip(found, fits, strict=True) if fit]
            if not found:
                example = f"{numbered[0].label} to {numbered[-1].label}"
                problems.append(Problem("channels", f"there is no such element; available: {example}", repr(asked)))
        columns += found
    if problems:
        raise InputError(problems)
    return Selection(tuple(dict.fromkeys(columns)), rows)


def _listed(channels: Sequence[str] | str | None) -> Sequence[str] | None:
    """Return names of channels as a list; None stays None. Raises InputError for anything else."""
    if channels is None:
        return None
    return split_names(channels) if isinstance(channels, str) else names_of(channels, "channels", "names of channels")


def _subsets(names: dict[str, tuple[str, ...]]) -> list[dict[str, tuple[str, ...]]]:
    """Return every choice of dimensions whose elements are given by name, while the others are given by number."""
    return [dict(some) for size in range(len(names) + 1) for some in combinations(names.items(), size)]


def _words(label: str) -> list[str]:
    """Return the words in the brackets of a label, split at the commas."""
    return [word.strip() for word in label.partition("[")[2].removesuffix("]").split(",")]


def _names(solution: Solution) -> dict[str, tuple[str, ...]]:
    """Return the names along those dimensions whose elements they identify uniquely."""
    return {dim: tuple(names) for dim, names in solution.labels.items() if len(set(names)) == len(names)}


def _columns(solution: Solution, channel: Channel, names: dict[str, tuple[str, ...]]) -> list[Column]:
    """Return a column for every element of a channel."""
    along = [
        names.get(dim) or tuple(str(i) for i in range(length))
        for dim, length in zip(channel.dims, channel.shape, strict=True)
    ]
    columns = []
    for place, words in enumerate(product(*along)):
        label = f"{channel.name}[{','.join(words)}]" if words else channel.name
        columns.append(Column(channel.name, place, label, element_unit(solution, channel, place), channel.description))
    return columns


def element_unit(solution: Solution, channel: Channel, place: int) -> str:
    """Return the unit of one element, "-" for numbers without a unit.

    It is the unit of the channel, except for joints: m or m/s for a sliding joint, and rad or rad/s for a turning one.
    """
    if channel.name in ("joint_position", "joint_speed") and channel.dims == ("body",):
        try:
            kind = solution.drive.bodies[place].joint.kind
        except (InputError, IndexError):
            return NO_UNIT
        unit = {"revolute": "rad", "prismatic": "m"}.get(kind, NO_UNIT)
        return unit if channel.name == "joint_position" or unit == NO_UNIT else f"{unit}/s"
    return channel.unit if channel.unit not in ("", "1", "-") else NO_UNIT
