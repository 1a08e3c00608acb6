"""Compares the results that several formulations of one drive have in common, and explains the differences."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.analyses.results.differences import ROUNDING, TOLERANCE, Difference, Facts, explained
from chaindrive.analyses.results.losses import STEADY, Losses, losses
from chaindrive.analyses.results.steadiness import steadiness
from chaindrive.analyses.signals.selection import steady_window
from chaindrive.analyses.signals.windows import instants, window_of
from chaindrive.contract.status import Status
from chaindrive.errors import InputError, Problem
from chaindrive.mechanism.facts import drive_facts
from chaindrive.model import Drive
from chaindrive.numbers import column, count, quantity, scaled
from chaindrive.results.audit import LOSS_NAMES, OUT_OF_BALANCE

if TYPE_CHECKING:
    from pandas import DataFrame

    from chaindrive.results.solution import Solution

__all__ = ["FormulationRow", "SideBySide", "side_by_side"]

FloatArray = NDArray[np.float64]

MODES = 2
"""Number of the lowest frequencies that are compared for every part."""


class FormulationRow(NamedTuple):
    """One quantity in F formulations."""

    group: str
    """wheels, spans, power, frequencies, computation."""
    quantity: str
    where: str
    """Wheel, span, cause of a loss, part of a mode; empty if there is only one."""
    unit: str
    values: tuple[float, ...]
    """One value for each formulation, nan if missing."""
    absent: tuple[str, ...]
    """Reason why a formulation has no value; empty if it has one."""
    differences: tuple[Difference, ...]
    """Difference of every other formulation from the first; empty if there is nothing to compare."""

    @property
    def heading(self) -> str:
        """Return the quantity with the unit used in ``texts``."""
        unit = self._scaled[1]
        return f"{self.quantity} [{unit}]" if unit else self.quantity

    @property
    def texts(self) -> tuple[str, ...]:
        """Return the values as strings for a table; "–" if missing, 0 for values that are only rounding errors compared
        with the others.
        """
        factor, unit = self._scaled
        largest = max((abs(value) for value in self.values if math.isfinite(value)), default=0.0)
        return tuple(_text(value, factor, largest, bool(unit)) for value in self.values)

    @property
    def _scaled(self) -> tuple[float, str]:
        return scaled(self.values, self.unit) if self.unit not in ("", "1") else (1.0, "")


def _text(value: float, factor: float, largest: float, measured: bool) -> str:
    if not math.isfinite(value):
        return "–"
    if abs(value) <= ROUNDING * largest and measured:
        value = 0.0
    if not measured and value.is_integer() and value > 1.0:
        return count(value)
    return f"{value:.1e}" if not measured and 0.0 < largest < 1e-3 else column(value * factor)


class SideBySide(NamedTuple):
    """A drive in F formulations."""

    labels: tuple[str, ...]
    """Names of the formulations; the others are compared with the first."""
    rows: tuple[FormulationRow, ...]
    left_out: tuple[tuple[str, ...], ...]
    """Description of the effects that each formulation neglects."""
    windows: tuple[tuple[float, float], ...]
    """Start and end of the averaging interval of each run. [s]"""
    remarks: tuple[str, ...]
    """Warnings about runs that are not steady or did not reach their end."""
    tolerance: float
    """Values that differ by no more than this fraction of the larger one count as the same. [-]"""

    @property
    def legend(self) -> tuple[str, ...]:
        """Return every reason for a difference or a missing value once; a table refers to these reasons by number."""
        found: dict[str, None] = {}
        for row in self.rows:
            found |= dict.fromkeys(filter(None, row.absent))
            for difference in row.differences:
                if not difference.same:
                    found |= dict.fromkeys(reason.text for reason in difference.reasons)
        return tuple(found)

    def explanation(self, row: FormulationRow, index: int) -> str:
        """Return why a value in a row does or does not differ from the first: numbers of the legend (from 1), or a few
        words.

        index: index of the formulation, from 1.
        """
        legend = self.legend
        reasons = [why for why in (row.absent[0], row.absent[index]) if why]
        if not reasons and row.differences:
            difference = row.differences[index - 1]
            if difference.same or not difference.reasons:
                return difference.text
            reasons = [reason.text for reason in difference.reasons]
        return ", ".join(f"[{legend.index(text) + 1}]" for text in reasons)

    def dataframe(self) -> DataFrame:
        """Return the rows as a table with values in SI units, differences relative to the larger value, and the
        reasons.
        """
        import pandas

        made: list[dict[str, Any]] = []
        for row in self.rows:
            cells: dict[str, Any] = {key: getattr(row, key) for key in ("group", "quantity", "where", "unit")}
            cells |= dict(zip(self.labels, row.values, strict=True))
            for label, difference in zip(self.labels[1:], row.differences or (None,) * len(self.labels), strict=False):
                cells[f"{label}: difference"] = difference.relative if difference else math.nan
                cells[f"{label}: explained by"] = difference.text if difference else ""
            cells["absent"] = "; ".join(filter(None, row.absent))
            made.append(cells)
        return pandas.DataFrame(made)


def side_by_side(
    solutions: Mapping[str, Solution],
    modes: Mapping[str, Mapping[str, FloatArray]] | None = None,
    tolerance: float = TOLERANCE,
) -> SideBySide:
    """Compare at least two results of one drive, given by label, and return the comparison.

    Means and ranges cover the steady part of each result (``steady_window``): the last whole revolutions of the driver.
    Differences are relative to the first result. modes: eigenfrequencies of each result by the part that moves most,
    lowest first [Hz] (``analyses.linear.linearised.frequencies_by_part``); None: they are not compared. tolerance:
    difference of two values, relative to the larger, up to which they count as equal.

    Differences are explained only by facts: effects that a formulation notes as neglected (``notes["left_out"]``),
    losses that it does not model, an early end, a run that is not steady, a violated energy balance. Raises InputError
    for fewer than two results, for results with different wheels or chains, and if nothing was stored.
    """
    _check(solutions)
    each = [_read(label, solution, (modes or {}).get(label)) for label, solution in solutions.items()]
    rows = _rows(each)
    facts = [one.facts for one in each]
    scales: dict[tuple[str, str], float] = {}
    for row in rows:
        finite = [abs(value) for value in row.values if math.isfinite(value)]
        key = row.group, row.unit
        scales[key] = max([scales.get(key, 0.0), *finite])
    made = []
    for row in rows:
        if row.group != "computation":
            found = tuple(
                explained(row.group, row.quantity, row.where, row.values[0], value, facts[0], other, tolerance,
                          scales[row.group, row.unit])
                for value, other in zip(row.values[1:], facts[1:], strict=True)
            )  # fmt: skip
            row = row._replace(differences=found)
        made.append(row)
    return SideBySide(
        tuple(solutions),
        tuple(made),
        tuple(fact.left_out for fact in facts),
        tuple(one.window for one in each),
        tuple(f"{fact.label}: {doubt}" for fact in facts for doubt in fact.doubts),
        tolerance,
    )


class _Read(NamedTuple):
    """Data read from one result."""

    label: str
    solution: Solution
    drive: Drive
    window: tuple[float, float]
    means: dict[str, FloatArray]
    """Means of every channel over the window, by item."""
    ranges: dict[str, FloatArray]
    """Maximum minus minimum of every channel in the window, by item."""
    losses: Losses | None
    no_losses: str
    modes: Mapping[str, FloatArray] | None
    facts: Facts


CHANNELS = ("wheel_speed", "wheel_torque", "span_tension")


def _check(solutions: Mapping[str, Solution]) -> None:
    """Raise InputError for results that do not belong to one drive."""
    if len(solutions) < 2:
        raise InputError(Problem("solutions", "at least two results are needed", str(len(solutions))))
    problems, first = [], next(iter(solutions.values())).drive
    for label, solution in solutions.items():
        drive = solution.drive
        same = [(w.name, w.teeth) for w in drive.wheels] == [(w.name, w.teeth) for w in first.wheels]
        if not same or drive.chain.links != first.chain.links:
            problems.append(Problem(label, "is a result of a different drive: its wheels or chain differ"))
    if problems:
        raise InputError(problems)


def _read(label: str, solution: Solution, modes: Mapping[str, FloatArray] | None) -> _Read:
    start, stop = steady_window(solution)
    rows = window_of(instants(solution), start, stop).rows
    means, ranges = {}, {}
    for name in CHANNELS:
        if name in solution:
            values = np.asarray(solution.values(name, rows), dtype=np.float64)
            means[name], ranges[name] = values.mean(axis=0), np.ptp(values, axis=0)
    try:
        lost, no_losses = losses(solution), ""
    except InputError as error:
        lost, no_losses = None, error.problems[0].message
    return _Read(
        label, solution, solution.drive, (start, stop), means, ranges, lost, no_losses, modes,
        _facts(label, solution, means, lost),
    )  # fmt: skip


def _facts(label: str, solution: Solution, means: Mapping[str, FloatArray], lost: Losses | None) -> Facts:
    """Return the facts about one result that may explain differences from another result."""
    doubts = []
    if solution.status != Status.REACHED_END:
        doubts.append(f"did not reach its end ({solution.status.name})")
    if solution.notes.get("steady") is False:
        doubts.append("was not steady when it ended")
    elif steadiness(solution).steady is False:
        doubts.append("is NOT STEADY")
    elif lost is not None and abs(lost.stored) > STEADY * abs(lost.input):
        doubts.append(f"is not steady in its window: {quantity(lost.stored, 'W', 3)} goes into stored energy")
    if _balance(solution) > OUT_OF_BALANCE:
        doubts.append("violates its energy balance")
    powers = {} if lost is None else dict(zip(lost.keys, (float(x) for x in lost.power), strict=True))
    return Facts(
        label=label,
        drive=solution.drive,
        left_out=tuple(solution.notes.get("left_out", ())),
        doubts=tuple(doubts),
        losses=powers,
        loss_names=solution.loss_names,
        no_loss=tuple(key for key in LOSS_NAMES if solution.offers(f"work_{key}") is False),
        put_in=math.nan if lost is None else lost.input,
        speed=means.get("wheel_speed"),
        torque=means.get("wheel_torque"),
    )


def _balance(solution: Solution) -> float:
    """Return the energy residual divided by the energy exchanged; nan if channels of work or energy were not kept."""
    whole = {"work_input", "energy_kinetic", "energy_residual"} <= solution.channels.keys()
    return solution.audit.relative_residual if whole else math.nan


def _rows(each: Sequence[_Read]) -> list[FormulationRow]:
    drive = each[0].drive
    return [*_wheels(each, drive), *_spans(each, drive), *_powers(each), *_frequencies(each), *_computation(each)]


def _row(group: str, what: str, where: str, unit: str, cells: Sequence[tuple[float, str]]) -> FormulationRow:
    """Return a row; cells: each value, and the reason if it is missing."""
    return FormulationRow(group, what, where, unit, tuple(c[0] for c in cells), tuple(c[1] for c in cells), ())


def _channel(each: Sequence[_Read], name: str, item: int, ranges: bool = False) -> list[tuple[float, str]]:
    """Return the mean or the range of an item of a channel in every result."""
    return [
        (float((one.ranges if ranges else one.means)[name][item]), "")
        if name in one.means
        else (math.nan, one.solution.absent(name))
        for one in each
    ]


def _wheels(each: Sequence[_Read], drive: Drive) -> list[FormulationRow]:
    made, first = [], drive_facts(drive).driver
    for w, wheel in enumerate(drive.wheels):
        speed = _channel(each, "wheel_speed", w)
        made.append(_row("wheels", "speed, mean", wheel.name, "rad/s", speed))
        made.append(_row("wheels", "speed, range", wheel.name, "rad/s", _channel(each, "wheel_speed", w, True)))
        if w != first:
            base = _channel(each, "wheel_speed", first)
            ratio = [
                (v / b if b else math.nan, why or ("" if b else f"{drive.wheels[first].name} stands still"))
                for (v, why), (b, _) in zip(speed, base, strict=True)
            ]
            made.append(_row("wheels", f"speed over that of {drive.wheels[first].name}", wheel.name, "1", ratio))
    for w, wheel in enumerate(drive.wheels):
        made.append(_row("wheels", "shaft torque, mean", wheel.name, "N m", _channel(each, "wheel_torque", w)))
        ranges = _channel(each, "wheel_torque", w, True)
        made.append(_row("wheels", "shaft torque, range", wheel.name, "N m", ranges))
    return made


def _spans(each: Sequence[_Read], drive: Drive) -> list[FormulationRow]:
    made, names = [], drive.span_names
    for k, name in enumerate(names):
        made.append(_row("spans", "tension, mean", name, "N", _channel(each, "span_tension", k)))
        made.append(_row("spans", "tension, range", name, "N", _channel(each, "span_tension", k, True)))
    for w, wheel in enumerate(drive.wheels):
        after, before = (_channel(each, "span_tension", k) for k in (w, w - 1))
        apart = [(a - b, why) for (a, why), (b, _) in zip(after, before, strict=True)]
        made.append(_row("spans", "tension after minus before", wheel.name, "N", apart))
    return made


def _powers(each: Sequence[_Read]) -> list[FormulationRow]:
    def cells(name: str) -> list[tuple[float, str]]:
        return [
            (math.nan, one.no_losses) if one.losses is None else (float(getattr(one.losses, name)), "") for one in each
        ]

    made = [_row("power", "input", "", "W", cells("input")), _row("power", "output", "", "W", cells("output"))]
    for key in LOSS_NAMES:
        if any(key in one.facts.losses for one in each):
            words = " or ".join(dict.fromkeys(one.solution.loss_names[key] for one in each if key in one.facts.losses))
            made.append(_row("power", "lost in", words, "W", [_lost(one, key) for one in each]))
    made.append(_row("power", "total losses", "", "W", cells("total")))
    efficiency = [
        (value, why or ("" if one.losses is None else one.losses.no_efficiency))
        for one, (value, why) in zip(each, cells("efficiency"), strict=True)
    ]
    made.append(_row("power", "efficiency", "", "1", efficiency))
    return made


def _lost(one: _Read, key: str) -> tuple[float, str]:
    """Return the power lost by a cause [W], and the reason if it is unknown; the reason is empty if this formulation
    has no such losses.
    """
    if key in one.facts.losses:
        return one.facts.losses[key], ""
    if f"work_{key}" in one.solution and not one.no_losses:
        return 0.0, ""
    return math.nan, one.no_losses or one.solution.absent(f"work_{key}")


def _frequencies(each: Sequence[_Read]) -> list[FormulationRow]:
    """Return the rows of the lowest modes, for every part that moves most in some mode of some formulation."""
    if not any(one.modes for one in each):
        return []
    parts = list(dict.fromkeys(part for one in each for part in one.modes or ()))
    made = []
    for part in parts:
        count = min(MODES, max(len((one.modes or {}).get(part, ())) for one in each))
        for k in range(count):
            cells = []
            for one in each:
                known = (one.modes or {}).get(part, ())
                why = "" if len(known) > k else f"{one.label} has no such mode among those compared"
                cells.append((float(known[k]) if not why else math.nan, why))
            made.append(_row("frequencies", f"eigenfrequency {k + 1} at rest", part, "Hz", cells))
    return made


def _computation(each: Sequence[_Read]) -> list[FormulationRow]:
    """Return the rows of computing cost and energy balance, in which formulations need not agree."""
    balance = [_balance(one.solution) for one in each]
    missed = [(value, "" if math.isfinite(value) else "channels of work or energy were not kept") for value in balance]
    made = [_row("computation", "energy residual over energy exchanged", "", "1", missed)]
    for words, unit, key in (("steps", "", "steps"), ("wall-clock time", "s", "wall_time")):
        found = [one.solution.statistics.get(key) for one in each]
        cells = [(math.nan, "not known") if value is None else (float(value), "") for value in found]
        made.append(_row("computation", words, "", unit, cells))
    return made
