"""Plots of the tension along the loop of the chain, of the loads on a link, and of the peaks of a run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from chaindrive.analyses.analytical.limits import chain_limits
from chaindrive.analyses.results.extremes import Extreme, extremes
from chaindrive.analyses.results.loop import Envelope, LinkLoad, Zone, link_load, tension_envelope
from chaindrive.analyses.results.peaks import extreme_values, tooth_forces
from chaindrive.analyses.signals.windows import instants, window_of
from chaindrive.plots.definition import draws, tabulates
from chaindrive.plots.results import wheel_legend
from chaindrive.plots.style import (
    INK,
    LINE,
    MARK,
    RAIL,
    heading,
    new_figure,
    scale_for,
    show_times,
    wheel_colour,
)
from chaindrive.plots.tables import side_by_side, table
from chaindrive.results.solution import Solution

if TYPE_CHECKING:
    from pandas import DataFrame

__all__ = [
    "data_link_load",
    "data_peaks",
    "data_tension_envelope",
    "draw_limits",
    "draw_zones",
    "plot_link_load",
    "plot_peaks",
    "plot_tension_envelope",
]


def draw_zones(axes: Axes, zones: tuple[Zone, ...], links: int) -> None:
    """Draw bands along the loop where the wheels and guides are, without changing the limits of the axes."""
    first, last = axes.get_xlim()
    for zone in zones:
        if zone.kind == "span":
            continue
        colour, alpha = (wheel_colour(zone.index), 0.22) if zone.kind == "wheel" else (RAIL, 0.45)
        for turn in range(int(first // links) - 1, int(last // links) + 1):
            start, end = (max(min(x + turn * links, last), first) for x in (zone.start, zone.end))
            if end > start:
                axes.axvspan(start, end, color=colour, alpha=alpha, lw=0, zorder=0)
    axes.set_xlim(first, last)


LIMIT = "#B00020"
"""Colour of the lines that mark load limits."""
FAR = 2.0
"""Largest ratio of a limit to the largest value for which the limit is drawn as a line. Above it the line would flatten
the curves, so the limit is stated as text instead."""


def _limits(solution: Solution) -> dict[str, float]:
    """Known limits of the tension of a link. [N]"""
    limits = chain_limits(solution.drive)
    named = {"limits.tension": limits.tension.value, "breaking load": limits.breaking_load.value}
    return {name: value for name, value in named.items() if value is not None}


def draw_limits(panels: Sequence[Axes], solution: Solution, unit: Any, largest: float) -> list[str]:
    """Draw lines at the allowed tension and the breaking load, and return a remark on each limit that is too high to be
    drawn.

    largest: largest value of the curves [N].
    """
    texts = []
    for name, value in _limits(solution).items():
        if value > FAR * largest:
            texts.append(f"{name} {unit.text(value)}: {100.0 * largest / value:.2g} % used")
            continue
        for axes in panels:
            axes.axhline(float(unit(value)), color=LIMIT, ls=(0, (5, 2)), lw=1.2, label=name)
    return texts


def _tension_envelope(
    solution: Solution, start: float | None = None, stop: float | None = None
) -> tuple[Solution, Envelope]:
    """The default window is the last full loop. Needs the channels link_tension and link_path_position. start, stop
    [s].
    """
    return solution, tension_envelope(solution, start, stop)


@tabulates(_tension_envelope)
def data_tension_envelope(solution: Solution, found: Envelope) -> DataFrame:
    """The data of :func:`plot_tension_envelope` side by side: tensions by position along the loop, tensions by link,
    and limits. [N]
    """
    limits = _limits(solution)
    further = {"limits": table({"limit": list(limits), "tension [N]": list(limits.values())})} if limits else {}
    return side_by_side(
        by_place=table(
            {
                "place [pitches]": found.places,
                "minimum tension [N]": found.low,
                "mean tension [N]": found.mean,
                "maximum tension [N]": found.high,
            }
        ),
        by_link=table(
            {
                "link": np.arange(found.link_low.size),
                "minimum tension of the link [N]": found.link_low,
                "mean tension of the link [N]": found.link_mean,
                "maximum tension of the link [N]": found.link_high,
            }
        ),
        **further,
    )


@draws(_tension_envelope)
def plot_tension_envelope(solution: Solution, found: Envelope) -> Figure:
    """Plot smallest, mean and largest tension by position along the loop and by link, by default over the last full
    loop.

    Bands mark wheels and guides; dashed lines mark limits.tension and the breaking load, if they are known and not too
    high.
    """
    links = found.link_low.size
    unit = scale_for([found.link_low.min(), found.link_high.max()], "N")
    figure = new_figure(9.5, 6.8)
    above, below = figure.subplots(2, 1, height_ratios=(1.25, 1.0))
    for axes, x, low, mean, high in (
        (above, found.places, found.low, found.mean, found.high),
        (below, np.arange(links), found.link_low, found.link_mean, found.link_high),
    ):
        axes.fill_between(x, unit(low), unit(high), color=LINE, alpha=0.25, lw=0, label="minimum to maximum")
        axes.plot(x, unit(high), color=LINE, lw=0.7)
        axes.plot(x, unit(low), color=LINE, lw=0.7)
        axes.plot(x, unit(mean), color=MARK, lw=1.2, label="mean")
        axes.set_ylabel(f"link tension [{unit.unit}]")
    beyond = draw_limits((above, below), solution, unit, found.link_high.max())
    above.set_xlim(0.0, links)
    draw_zones(above, found.zones, links)
    above.set_xlabel("position along the loop [pitches]")
    below.set_xlim(-0.5, links - 0.5)
    below.set_xlabel("link number [1]")
    number = f"{found.loops:.3g}"
    loops = "one loop" if number == "1" else f"{number} loops"
    heading(above, "Tension along the loop", f"{found.start:.4g} to {found.stop:.4g} s, {loops}")
    reached = unit.range([found.link_low.min(), found.link_high.max()])
    heading(below, "Tension by link", "; ".join([reached, *beyond]))
    above.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), borderaxespad=0.2)
    wheel_legend(figure, solution)
    return figure


def _link_load(
    solution: Solution, link: int = 0, start: float | None = None, stop: float | None = None
) -> tuple[Solution, int, LinkLoad]:
    """The default window is the last full loop. Needs the channels link_tension and link_path_position; contact_force
    and roller_position are shown if they were stored. start, stop [s].
    """
    return solution, link, link_load(solution, link, start, stop)


@tabulates(_link_load)
def data_link_load(solution: Solution, link: int, found: LinkLoad) -> DataFrame:
    """The data of :func:`plot_link_load` at each instant: position, tension, contact forces, and angles of the two
    joints.
    """
    columns = {"time [s]": found.time, "place [pitches]": found.place, f"tension of link {link} [N]": found.tension}
    joint = _joint(solution)
    if found.contact_force is not None:
        columns["contact force of its first roller [N]"] = found.contact_force[:, 0]
        columns["contact force of its second roller [N]"] = found.contact_force[:, 1]
    if found.articulation is not None:
        columns[f"joint angle at its first {joint} [rad]"] = found.articulation[:, 0]
        columns[f"joint angle at its second {joint} [rad]"] = found.articulation[:, 1]
    return table(columns)


def _joint(solution: Solution) -> str:
    """The kind of joint at the ends of a link."""
    return "pin" if solution.drive.sheaves else "roller"


@draws(_link_load)
def plot_link_load(solution: Solution, link: int, found: LinkLoad) -> Figure:
    """Plot the loads on a link over its position along the loop: tension, contact forces, and angles of its joints.

    Bands mark wheels and guides.
    """
    links = solution.drive.chain.links
    parts: list[tuple[str, str, NDArray[np.float64], str]] = [("Tension", "tension", found.tension[:, None], "N")]
    if found.contact_force is not None:
        parts.append(("Contact force of its rollers", "contact force", found.contact_force, "N"))
    if found.articulation is not None:
        parts.append(("Angles of its joints", "angle", np.degrees(found.articulation), "deg"))
    figure = new_figure(9.5, 2.1 + 2.0 * len(parts))
    panels = np.atleast_1d(figure.subplots(len(parts), 1, sharex=True))
    order = np.argsort(found.place)
    place = found.place[order]
    for axes, (title, what, values, si) in zip(panels, parts, strict=True):
        unit = scale_for(values, si) if si == "N" else None
        shown = values if unit is None else unit(values)
        ends = ("first", "second") if values.shape[1] == 2 else ("",)
        for k, end in enumerate(ends):
            label = f"{end} {_joint(solution)}" if end else None
            axes.plot(place, shown[order, k], color=(LINE, MARK)[k], lw=0.9, label=label)
        axes.set_ylabel(f"{what} [{si if unit is None else unit.unit}]")
        heading(axes, f"{title}, link {link}" if axes is panels[0] else title)
        if len(ends) > 1:
            axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), borderaxespad=0.2)
    half = 0.0 if place[-1] > place[0] else 0.5
    for axes in panels:
        axes.set_xlim(place[0] - half, place[-1] + half)
        draw_zones(axes, found.zones, links)
    panels[-1].set_xlabel(f"position along the loop [pitches], {links} per loop")
    wheel_legend(figure, solution)
    return figure


def _peaks(
    solution: Solution, start: float | None = None, stop: float | None = None
) -> tuple[dict[str, NDArray[np.float64]], Sequence[Extreme]]:
    """The default window is the whole run. Needs the channel link_tension, and either tooth_force_max or both
    contact_force and contact_surface; for a chain between sheaves pin_axial_force. start, stop [s].
    """
    times = instants(solution)
    rows = window_of(times, start, stop).rows
    pressed = solution.drive.sheaves
    force = extreme_values(solution, "pin_axial_force", rows) if pressed else tooth_forces(solution, rows)[0]
    over_time = {
        "time [s]": times[rows],
        "largest link tension [N]": extreme_values(solution, "link_tension", rows).max(axis=1),
        "smallest link tension [N]": extreme_values(solution, "link_tension", rows, "min").min(axis=1),
        f"largest {'pin' if pressed else 'tooth'} force [N]": force.max(axis=1),
    }
    return over_time, extremes(solution, start, stop).peaks


@tabulates(_peaks)
def data_peaks(over_time: dict[str, NDArray[np.float64]], found: Sequence[Extreme]) -> DataFrame:
    """The data of :func:`plot_peaks` side by side: largest values over time, and the table of all peaks of the run."""
    return side_by_side(over_time=table(over_time), peaks=_peak_table(found))


def table_of_peaks(solution: Solution, start: float | None = None, stop: float | None = None) -> DataFrame:
    """All peaks between two instants [s], with a row for each: quantity, value, time and position.

    Raises InputError if nothing was stored between them.
    """
    return _peak_table(extremes(solution, start, stop).peaks)


def _peak_table(found: Sequence[Extreme]) -> DataFrame:
    def column(name: str) -> list[Any]:
        return [getattr(peak, name) for peak in found]

    peaks = {
        "quantity": column("quantity"),
        "value [in its unit]": column("value"),
        "unit": column("unit"),
        "time of the peak [s]": column("time"),
        "row": column("row"),
        "of": column("kind"),
        "number": column("index"),
        "name": column("name"),
        "place [pitches]": column("place"),
        "where": column("where"),
        "direction [rad]": column("direction"),
    }
    return table(peaks)


@draws(_peaks)
def plot_peaks(curves: dict[str, NDArray[np.float64]], found: Sequence[Extreme]) -> Figure:
    """Plot the largest and smallest link tension and the largest tooth force of all links and wheels over time, with
    marks at the peaks.

    For a chain between sheaves, the largest force along a pin replaces the tooth force. The peaks are those of
    ``analyses.results.extremes``, whose full table ``data_peaks`` returns.
    """
    times = curves["time [s]"]
    figure = new_figure(9.5, 6.4)
    above, below = figure.subplots(2, 1, sharex=True)
    unit = scale_for(curves["largest link tension [N]"], "N")
    above.plot(times, unit(curves["largest link tension [N]"]), color=LINE, lw=0.8, label="largest")
    above.plot(times, unit(curves["smallest link tension [N]"]), color=MARK, lw=0.8, label="smallest")
    above.set_ylabel(f"link tension [{unit.unit}]")
    _mark_peaks(above, [p for p in found if "link tension" in p.quantity], unit)
    above.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), borderaxespad=0.2)
    heading(above, "Largest and smallest link tension")
    name = next(name for name in curves if name.endswith("force [N]"))
    force, title = scale_for(curves[name], "N"), name.removesuffix(" [N]")
    below.plot(times, force(curves[name]), color=LINE, lw=0.8)
    below.set_ylabel(f"{title.removeprefix('largest ')} [{force.unit}]")
    _mark_peaks(below, [p for p in found if p.quantity in (title, "largest contact force")], force)
    below.set_ylim(bottom=0.0)
    below.set_xlabel("time [s]")
    show_times(below, times[0], times[-1])
    heading(below, f"{title[:1].upper()}{title[1:]}")
    return figure


def _mark_peaks(axes: Axes, peaks: list[Extreme], unit: Any) -> None:
    """Draw dots at the peaks, and label the first of every kind with its value, item and position."""
    marked: set[str] = set()
    left, right = axes.dataLim.intervalx
    axes.margins(y=0.16)
    for peak in peaks:
        value = float(unit(peak.value))
        axes.plot([peak.time], [value], "o", ms=4.0, color=INK, zorder=6)
        if peak.quantity in marked:
            continue
        marked.add(peak.quantity)
        late = peak.time > 0.5 * (left + right)
        text = f"{unit.text(peak.value)}, {peak.kind} {peak.name}, {peak.where}".rstrip(", ")
        axes.annotate(
            text, (peak.time, value), (-6 if late else 6, -9 if "smallest" in peak.quantity else 5),
            textcoords="offset points", fontsize=8, color=INK, ha="right" if late else "left",
            bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.75, "pad": 0.8}, zorder=7,
        )  # fmt: skip
