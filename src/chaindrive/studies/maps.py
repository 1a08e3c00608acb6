"""The maps of a study over speed and frequency: one for each signal, curve and set of values of the other
parameters.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from chaindrive.analyses.results.speed_map import Column, Crossing, crossings, map_lines, map_of
from chaindrive.analyses.signals.waterfall import CampbellLine, Waterfall
from chaindrive.errors import InputError, Problem
from chaindrive.model.problems import nearest

if TYPE_CHECKING:
    from chaindrive.studies.table import Row, StudyTable

__all__ = ["SpeedMap", "lines_of_rows", "map_named", "maps_of"]


class SpeedMap(NamedTuple):
    """Map of one signal over the speed in the runs of a study."""

    curve: str
    """Curve of the study, with the values of the other parameters; empty if there is only one line."""
    waterfall: Waterfall
    """The map; its ``run`` holds row numbers of the table."""
    lines: list[CampbellLine]
    crossings: list[Crossing]
    """Crossings, with those near the operating speed first."""
    operating: float | None
    """Operating speed of the driver. [rad/s]"""

    @property
    def title(self) -> str:
        """Title of the map."""
        return f"{self.waterfall.label}, {self.curve}" if self.curve else self.waterfall.label


def lines_of_rows(table: StudyTable) -> dict[str, list[Row]]:
    """Return the rows by the label of their line, which consists of the curve and the values of the other
    parameters.
    """
    parameters = table.study.parameters[1:]
    points = [parameter.points() for parameter in parameters]
    names: dict[tuple[object, ...], str] = {}
    for curve, values in itertools.product(table.study.curves, itertools.product(*points)):
        others = (
            f"{p.name} {v:g} {p.unit}".strip() if isinstance(v, float) else f"{p.name} {v}"
            for p, v in zip(parameters, values, strict=True)
        )
        own = [curve.name] if len(table.study.curves) > 1 or not parameters else []
        names[(curve.name, *values)] = ", ".join([*own, *others])
    lines: dict[str, list[Row]] = {name: [] for name in names.values()}
    for row in table.rows:
        lines[names[(row.curve, *row.parameters[1:])]].append(row)
    return lines


def maps_of(table: StudyTable) -> tuple[SpeedMap, ...]:
    """Return all maps of a study, sorted first by signal.

    Raises InputError if the study kept no spectra, or if all runs have the same speed.
    """
    if not table.study.spectra:
        message = "the study stores none: add a table [[spectra]] with a channel to its file"
        raise InputError(Problem("spectra", message))
    found: list[SpeedMap] = []
    reasons: list[Problem] = []
    for name, runs in _columns(table):
        signals = {column.label for columns in runs.values() for column in columns}
        try:
            found += _of_line(name, runs, table.operating)
        except InputError as error:
            reasons += error.problems if signals else []
    if not found:
        raise InputError(reasons or Problem("spectra", "no run has ended with a result"))
    order = list(dict.fromkeys(each.waterfall.label for each in found))
    return tuple(sorted(found, key=lambda each: order.index(each.waterfall.label)))


def _columns(table: StudyTable) -> Iterator[tuple[str, dict[int, tuple[Column, ...]]]]:
    """Yield the spectra by the numbers of their runs, for every line of the study."""
    lines = lines_of_rows(table)
    for name, rows in lines.items():
        kept = {row.run: table.spectra[row.run] for row in rows if row.run in table.spectra}
        yield (name if len(lines) > 1 else "", kept)


def _of_line(name: str, runs: dict[int, tuple[Column, ...]], operating: float | None) -> list[SpeedMap]:
    made = []
    for columns in zip(*runs.values(), strict=True):
        found = map_of(columns, list(runs))
        made.append(SpeedMap(name, found, map_lines(columns), crossings(columns, operating), operating))
    return made


def map_named(
    table: StudyTable, channel: str | None = None, index: int | str | None = None, curve: str | None = None
) -> SpeedMap:
    """Return one map of a study, by default the first; index: number or name of the item of the channel.

    Raises an InputError that lists the available maps.
    """
    there = maps_of(table)
    curves = list(dict.fromkeys(each.curve for each in there))
    channels = list(dict.fromkeys(each.waterfall.channel for each in there))
    if curve is not None and curve not in curves:
        raise InputError(Problem("curve", f"is not one of {', '.join(curves)}{nearest(curve, curves)}", repr(curve)))
    if channel is not None and channel not in channels:
        message = (
            f"the study stores no spectra of this channel, only of {', '.join(channels)}{nearest(channel, channels)}"
        )
        raise InputError(Problem("channel", message, repr(channel)))
    chosen = [
        each
        for each in there
        if curve in (None, each.curve)
        and channel in (None, each.waterfall.channel)
        and (index is None or index == each.waterfall.item or str(index) == _item_name(each.waterfall))
    ]
    if not chosen:
        labels = dict.fromkeys(each.waterfall.label for each in there)
        raise InputError(Problem("index", f"is not an item with spectra; available: {', '.join(labels)}", repr(index)))
    return chosen[0]


def _item_name(found: Waterfall) -> str:
    """Return the name of the item, as in the label of its signal."""
    return found.label.partition(" of ")[2]
