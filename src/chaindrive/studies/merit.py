"""Figures of merit: values computed from a solution, as defined by a study."""

from __future__ import annotations

import math
from collections.abc import Container, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.analyses.results.peaks import Which, extreme_channel
from chaindrive.contract.channels import Channel
from chaindrive.errors import InputError, Problem
from chaindrive.model.limits import FINDINGS, VERDICT_FINDINGS
from chaindrive.model.problems import nearest
from chaindrive.model.study.description import DividingChannel, FigureOfMerit
from chaindrive.studies.difference import Reference, reference_of, rms_difference
from chaindrive.units import factor_of, kind_of, parse_unit, to_si

if TYPE_CHECKING:
    from chaindrive.results import Solution

__all__ = ["Measured", "NotKnownError", "evaluate", "item_index", "measured_unit", "prepare_figures"]

ALL = "all"
OF_ONE_ITEM = {"peak_frequency": "a spectrum", "rms_difference": "a measured curve"}
REDUCTIONS: dict[str, Any] = {
    "max": np.max,
    "min": np.min,
    "mean": np.mean,
    "rms": lambda x: math.sqrt(np.mean(np.square(x))),
    "range": np.ptp,
    "last": lambda x: np.mean(x[-1]),
}
OF_EXTREMES: dict[str, tuple[Which, ...]] = {"max": ("max",), "min": ("min",), "range": ("max", "min")}
"""Extremes over all steps that a reduction uses, of channels for which they are stored."""
UNITS = FINDINGS | VERDICT_FINDINGS
OF_STEADINESS = ("span_tension", "wheel_angle", "wheel_speed")
OF_SHEAVES = ("sheave_thrust", "running_radius", "wheel_torque", "wheel_speed", "sheave_slip")
OF_CONVEYORS = ("guide_force", "joint_position", "wheel_torque")
VERDICT_CHANNELS = {
    "slip": OF_SHEAVES,
    "thrust_ratio": OF_SHEAVES,
    "contact_force": ("tooth_force_max", "contact_force", "contact_surface"),
    "bearing_force": ("bearing_force_max", "bearing_force"),
    "vibration": ("span_displacement",),
    **dict.fromkeys(("motor", "start_torque", "take_up"), OF_CONVEYORS),
}
"""Channels from which the findings of the verdict are computed, in addition to OF_STEADINESS and the work channels,
which every run keeps."""
STRENGTH_CHANNELS = (
    "link_tension", "link_tension_max", "link_tension_min", "link_path_position", "span_tension", "span_tension_max",
    "wheel_angle", "wheel_speed",
)  # fmt: skip


class NotKnownError(InputError):
    """Raised if a successful run has no value for a figure; the other values in its row are valid."""


class Divisor(NamedTuple):
    """The channel by which the channel of a figure is divided."""

    channel: str
    item: tuple[int | str, ...]
    reduce: str
    """Reduction of the channel; if it is empty, values are divided at every instant."""


class Measured(NamedTuple):
    """A figure of merit matched to the channels of a drive."""

    channel: str
    item: tuple[int | str, ...]
    reduce: str
    start: float | None
    """Start of the window [s]; None: the time at which the run became steady."""
    stop: float
    """End of the window [s]; infinite: the end of the run."""
    factor: float
    """Factor by which the value in SI units is multiplied."""
    band: tuple[float, float]
    """Frequency band in which the highest peak is sought. [Hz]"""
    finding: str = ""
    """Finding of the analysis ``strength`` or of the verdict that is used instead of a channel; ``channel`` is then
    empty."""
    for_finding: tuple[str, ...] = ()
    """Channels that the finding needs, where the formulation has them."""
    reference: Reference | None = None
    """Measured curve for comparison."""
    divisor: Divisor | None = None
    """Channel by which values are divided, for a ratio."""
    extremes: tuple[str, ...] = ()
    """Channels with the extremes over all steps, for the reductions of the channel and of the divisor."""

    @property
    def channels(self) -> tuple[str, ...]:
        """Channels that a run must keep for this figure."""
        if self.finding:
            return self.for_finding
        return (self.channel, *(() if self.divisor is None else (self.divisor.channel,)), *self.extremes)


def measured_unit(figure: FigureOfMerit, channel_unit: str) -> str:
    """Return the unit of a figure."""
    if figure.divide_by is not None:
        return "1"
    return figure.unit or ("Hz" if figure.reduce == "peak_frequency" else channel_unit)


def prepare_figures(
    figures: Sequence[FigureOfMerit], channels: Sequence[Channel], labels: Mapping[str, tuple[str, ...]]
) -> tuple[list[Measured], list[str]]:
    """Return the figures matched to the channels, and their units. Raises an InputError that lists all figures that do
    not fit the channels.
    """
    known = {channel.name: channel for channel in channels}
    problems: list[Problem] = []
    made: list[Measured] = []
    units: list[str] = []
    for i, figure in enumerate(figures):
        place = f"figures_of_merit[{i}]"
        if figure.finding is not None:
            try:
                made.append(_of_finding(figure, figure.finding, known))
                units.append(measured_unit(figure, UNITS[figure.finding] or "1"))
            except ValueError as error:
                field = "divide_by" if figure.divide_by is not None else "unit"
                problems.append(Problem(f"{place}.{field}", str(error), repr(figure.divide_by or figure.unit)))
            continue
        channel = known.get(figure.channel or "")
        if channel is None:
            message = f"is not a channel of this drive{nearest(figure.channel or '', known)}"
            problems.append(Problem(f"{place}.channel", message, repr(figure.channel)))
            continue
        try:
            chosen = _indices(figure.item, channel, labels)
            if figure.reduce in OF_ONE_ITEM and np.zeros(channel.shape)[chosen].ndim:
                message = (
                    f"{OF_ONE_ITEM[figure.reduce]} needs one item: give an index or a name for each of the dimensions "
                    f"{', '.join(channel.dims)}"
                )
                problems.append(Problem(f"{place}.item", message, repr(list(figure.item))))
        except InputError as error:
            problems += [problem._replace(place=f"{place}.item") for problem in error.problems]
        divisor, unit = None, channel.unit
        if figure.divide_by_channel is not None:
            try:
                divisor, unit = _divisor(figure.divide_by_channel, channel.unit, known, labels)
            except InputError as error:
                problems += [each._replace(place=f"{place}.divide_by_channel.{each.place}") for each in error.problems]
                continue
        try:
            factor = _factor(figure, unit)
        except ValueError as error:
            field = "divide_by" if figure.divide_by is not None else "unit"
            problems.append(Problem(f"{place}.{field}", str(error), repr(figure.divide_by or figure.unit)))
            continue
        reference = None
        if figure.measured is not None:
            try:
                reference = reference_of(figure.measured, _readable(channel.unit))
            except ValueError as error:
                problems.append(Problem(f"{place}.measured", str(error), repr(figure.measured.unit)))
        stop = math.inf if figure.stop is None else figure.stop
        highest = math.inf if figure.highest_frequency is None else figure.highest_frequency
        band = (figure.lowest_frequency, highest)
        start = None if isinstance(figure.start, str) else figure.start
        made.append(
            Measured(
                channel.name, figure.item, figure.reduce or "", start, stop, factor, band, reference=reference,
                divisor=divisor, extremes=_extremes(channel, figure.reduce or "", divisor, known),
            )
        )  # fmt: skip
        units.append(measured_unit(figure, unit))
    if problems:
        raise InputError(problems)
    return made, units


def _divisor(
    given: DividingChannel, unit: str, known: Mapping[str, Channel], labels: Mapping[str, tuple[str, ...]]
) -> tuple[Divisor, str]:
    """Return the divisor for a channel with this unit, and the unit of the ratio. Raises InputError if it does not
    fit.
    """
    channel = known.get(given.channel)
    if channel is None:
        message = f"is not a channel of this drive{nearest(given.channel, known)}"
        raise InputError(Problem("channel", message, repr(given.channel)))
    chosen = _indices(given.item, channel, labels)
    if given.reduce is None and np.zeros(channel.shape)[chosen].ndim:
        message = (
            "a ratio at every instant needs one item: give an index or a name for each of the dimensions "
            f"{', '.join(channel.dims)}; or set reduce"
        )
        raise InputError(Problem("item", message, repr(list(given.item))))
    mine, other = _readable(unit), _readable(channel.unit)
    return Divisor(channel.name, given.item, given.reduce or ""), _unit_of_ratio(mine, other)


def _extremes(channel: Channel, reduce: str, divisor: Divisor | None, known: Mapping[str, Channel]) -> tuple[str, ...]:
    """Return the channels with the extremes over all steps from which a figure is computed, if there are any."""
    if divisor is None:
        reduced = [(channel, reduce)]
    elif divisor.reduce:
        reduced = [(channel, reduce), (known[divisor.channel], divisor.reduce)]
    else:  # a quotient at every instant
        return ()
    read = {
        _extreme(each, which, known): None for each, reduction in reduced for which in OF_EXTREMES.get(reduction, ())
    }
    return tuple(name for name in read if name not in [each.name for each, _ in reduced])


def _extreme(channel: Channel, which: Which, known: Mapping[str, Channel]) -> str:
    """Return the name of the channel with the extremes of a channel over all steps; that of the channel itself if there
    are none, or only those of the magnitudes of its vectors.
    """
    name = extreme_channel(known, channel.name, which)
    return name if known[name].dims == channel.dims else channel.name


def _unit_of_ratio(unit: str, below: str) -> str:
    if kind_of(unit) == kind_of(below):
        return "1"
    if not below:
        return unit
    return f"{unit or 1}/{below}" if below.isalpha() else f"{unit or 1}/({below})"


def _of_finding(figure: FigureOfMerit, finding: str, known: Container[str]) -> Measured:
    """Return a figure of the verdict or of strength and life, by default for the steady part.

    Raises ValueError for a unit of a different kind.
    """
    start = figure.start if "start" in figure.model_fields_set else math.nan
    stop = math.inf if figure.stop is None else figure.stop
    factor = _factor(figure, UNITS[finding])
    wanted = STRENGTH_CHANNELS if finding in FINDINGS else (*OF_STEADINESS, *VERDICT_CHANNELS.get(finding, ()))
    needed = tuple(name for name in wanted if name in known)
    begin = None if isinstance(start, str) else start
    return Measured("", (), "", begin, stop, factor, (0.0, math.inf), finding, needed)


def _factor(figure: FigureOfMerit, channel_unit: str) -> float:
    """Return the factor that converts values from the unit of the channel to the unit of the figure. Raises ValueError
    if the units are of different kinds, or if ``divide_by`` is zero.
    """
    unit = "Hz" if figure.reduce == "peak_frequency" else channel_unit
    if figure.divide_by is not None:
        whole = to_si(figure.divide_by, _readable(unit))
        if whole == 0.0:
            raise ValueError("must not be zero")
        return 1.0 / whole
    if not figure.unit:
        return 1.0
    quantity = _readable(unit)
    return parse_unit(quantity).factor / factor_of(figure.unit, quantity)


def _readable(unit: str) -> str:
    """Return the unit, or an empty string if the values are plain numbers or pitches."""
    return "" if unit in ("1", "pitch") else unit


def _indices(
    item: Sequence[int | str], channel: Channel, labels: Mapping[str, tuple[str, ...]]
) -> tuple[int | slice, ...]:
    """Return the chosen item as indices into a row of the channel. Raises InputError for items that do not exist."""
    if len(item) > len(channel.dims):
        message = f"{channel.name} has the dimensions {', '.join(channel.dims) or 'none'}: at most one item in each"
        raise InputError(Problem("item", message, repr(list(item))))
    found: list[int | slice] = []
    for wanted, dim, size in zip(item, channel.dims, channel.shape, strict=False):
        names = labels.get(dim, ())
        if wanted == ALL:
            found.append(slice(None))
        else:
            found.append(item_index(wanted, dim, size, names, f", or {ALL!r}"))
    return tuple(found)


def item_index(wanted: int | str, dim: str, size: int, names: Sequence[str], also: str = "") -> int:
    """Return the number of an item given by name or number. Raises an InputError that states what is allowed, followed
    by ``also``.
    """
    if wanted in names:
        return names.index(str(wanted))
    if isinstance(wanted, int) and 0 <= wanted < size:
        return wanted
    named = f", or one of {', '.join(names)}" if names else ""
    message = f"{dim} is an index from 0 to {size - 1}{named}{also}{nearest(str(wanted), names)}"
    raise InputError(Problem("item", message, repr(wanted)))


def evaluate(figure: Measured, solution: Solution) -> float:
    """Return the value of a figure for a run. Raises InputError if the run lacks the required channels, NotKnownError
    if this run has no value for the figure.
    """
    start = solution.notes.get("steady_since") if figure.start is None else figure.start
    if start is None:
        raise InputError(Problem("time", "the run did not become steady within the time allowed"))
    if figure.finding:
        value = _strength_value if figure.finding in FINDINGS else _verdict_value
        return figure.factor * value(figure, solution, start)
    time = solution.time
    inside = (time >= start * (1.0 - 1e-9)) & (time <= figure.stop * (1.0 + 1e-9))
    if not inside.any():
        raise InputError(Problem("time", "no stored instant lies in the window", f"{start} to {figure.stop} s"))
    if figure.divisor is not None:
        return figure.factor * _ratio(figure, figure.divisor, solution, inside)
    if figure.reduce in REDUCTIONS:
        return figure.factor * _reduced(figure, solution, inside)
    return figure.factor * _of_signal(figure, time[inside], _values(figure, solution, inside))


def _values(
    of: Measured | Divisor, solution: Solution, inside: NDArray[np.bool_], which: Which | None = None
) -> NDArray[np.float64]:
    """Return the chosen items of a channel at the instants ``inside``, or its extremes since the rows before if they
    were stored.
    """
    channel = solution.channel(of.channel)
    chosen = _indices(of.item, channel, solution.labels)
    name = channel.name if which is None else _extreme(channel, which, solution.channels)
    return np.asarray(solution.values(name)[inside], dtype=np.float64)[(slice(None), *chosen)]


def _reduced(of: Measured | Divisor, solution: Solution, inside: NDArray[np.bool_]) -> float:
    """Return a channel reduced over the instants ``inside``; extremes are those of all steps if they were stored."""
    if of.reduce == "range":
        largest, smallest = (_reduced(of._replace(reduce=each), solution, inside) for each in ("max", "min"))
        return largest - smallest
    (which,) = OF_EXTREMES.get(of.reduce, (None,))
    return float(REDUCTIONS[of.reduce](_values(of, solution, inside, which)))


def _ratio(figure: Measured, divisor: Divisor, solution: Solution, inside: NDArray[np.bool_]) -> float:
    """Return the ratio of two channels at the instants ``inside``. Raises NotKnownError if the divisor is zero."""
    at_every_instant = not divisor.reduce
    below = _values(divisor, solution, inside) if at_every_instant else np.array(_reduced(divisor, solution, inside))
    if not np.all(below):
        raise NotKnownError(Problem("divide_by_channel", "is zero in the window", divisor.channel))
    if not at_every_instant:
        return _reduced(figure, solution, inside) / float(below)
    values = _values(figure, solution, inside)
    return float(REDUCTIONS[figure.reduce](values / below.reshape(-1, *(1,) * (values.ndim - 1))))


def _verdict_value(figure: Measured, solution: Solution, start: float) -> float:
    """Return the value of a finding of the verdict on the first chain. Raises NotKnownError, with the reason, if it is
    not known.
    """
    from chaindrive.analyses.results.verdict import verdict_finding

    stop = None if math.isinf(figure.stop) else figure.stop
    try:
        found = verdict_finding(solution.chains[0], figure.finding, None if math.isnan(start) else start, stop)
    except InputError as error:
        raise NotKnownError(error.problems) from None
    return found.value


def _strength_value(figure: Measured, solution: Solution, start: float) -> float:
    """Return the value of a finding on strength and life. Raises InputError, with the missing key, if it is not
    known.
    """
    from chaindrive.analyses.results.strength import strength

    stop = None if math.isinf(figure.stop) else figure.stop
    found = strength(solution, None if math.isnan(start) else start, stop)
    one = found.finding(figure.finding)
    if one is None:
        why = next((found.missing[part] for part in ("plates", "rollers", "joints") if part in found.missing), "")
        raise InputError(Problem(f"finding {figure.finding!r}", why or "cannot be evaluated for this drive"))
    if math.isnan(one.value):
        raise InputError(Problem(one.missing or "finding", one.note, repr(figure.finding)))
    return one.value


def _of_signal(figure: Measured, time: NDArray[np.float64], values: NDArray[np.float64]) -> float:
    """Return the frequency of the highest peak [Hz], or the difference from the measured curve."""
    if figure.reference is not None:
        return rms_difference(time, values, figure.reference)[0]
    from chaindrive.analyses.signals.spectra import amplitude_spectrum, peaks, sampling_step
    from chaindrive.analyses.signals.windows import even_rows

    rows = even_rows(time)
    spectrum = amplitude_spectrum(values[:rows], sampling_step(time[:rows]))
    found = peaks(spectrum, 1, low=figure.band[0], high=figure.band[1])
    return found[0].frequency if found else math.nan
