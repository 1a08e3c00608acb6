"""Plots of channels over time and over frequency."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from numpy.typing import NDArray

from chaindrive.analyses.formulas import moving_string_frequency
from chaindrive.analyses.spectra import channel_spectrum, peaks
from chaindrive.analyses.statistics import (
    ContactWindow,
    SolutionLike,
    chain_pace,
    check_index,
    contact_windows,
    get_channel,
    mean_span_tension,
    time_slice,
)
from chaindrive.drawing.scene import drive_route
from chaindrive.errors import InputError
from chaindrive.plots.style import (
    INK,
    LINE,
    MARK,
    RAIL,
    heading,
    new_figure,
    scale_for,
    show_times,
    styled,
    wheel_colour,
)

__all__ = [
    "draw_contact_force",
    "draw_displacement",
    "plot_contact_force",
    "plot_energy",
    "plot_link_tension",
    "plot_span",
    "string_frequencies",
    "wheel_legend",
    "wheel_patches",
]


def last_loop(solution: SolutionLike) -> tuple[float, float]:
    """Start and stop [s] of the last loop of the chain, or of the whole run when that is shorter."""
    times = np.asarray(get_channel(solution, "wheel_speed")["time"].values, dtype=np.float64)
    stop = float(times[-1])
    pace = chain_pace(solution, 0.5 * (float(times[0]) + stop), stop)
    loop = solution.drive.chain.links / pace if pace > 0.0 else np.inf
    return max(float(times[0]), stop - loop), stop


def second_half(solution: SolutionLike, name: str, start: float | None, stop: float | None) -> tuple[float, float]:
    """A window of time for statistics [s]: what was asked for, by default the second half of the run."""
    times = np.asarray(get_channel(solution, name)["time"].values, dtype=np.float64)
    last = float(times[-1]) if stop is None else stop
    return (0.5 * (float(times[0]) + last) if start is None else start), last


def _window(
    solution: SolutionLike, start: float | None, stop: float | None, margin: float = 0.0
) -> tuple[float, float]:
    first, last = last_loop(solution) if start is None or stop is None else (start, stop)
    return (first if start is None else start) - margin, (last if stop is None else stop)


@styled
def plot_link_tension(
    solution: SolutionLike, link: int = 0, start: float | None = None, stop: float | None = None
) -> Figure:
    """Tension of one link, by default over the last loop of the chain; bands show on which wheel the link is.

    Needs the channels link_tension, contact_body and wheel_speed. start, stop [s].
    """
    channel = get_channel(solution, "link_tension")
    check_index("link", link, channel.sizes["link"])
    first, last = _window(solution, start, stop)
    part = time_slice(channel, first, last).isel(link=link)
    values = np.asarray(part.values, dtype=np.float64)
    unit = scale_for(values, "N")
    figure = new_figure(9.0, 4.2)
    axes = figure.add_subplot()
    axes.plot(part["time"].values, unit(values), color=LINE)
    show_times(axes, first, last)
    axes.set_xlabel("time [s]")
    axes.set_ylabel(f"tension of link {link} [{unit.unit}]")
    following = (link + 1) % channel.sizes["link"]
    here, there = (contact_windows(solution, roller, wheels_only=False) for roller in (link, following))
    _draw_bands(axes, solution, _common(here, there))
    remark = f"mean {unit.text(float(values.mean()))}, {unit.range(values)}"
    heading(axes, f"Tension of link {link}", remark)
    wheel_legend(figure, solution)
    return figure


def _common(first: list[ContactWindow], second: list[ContactWindow]) -> list[ContactWindow]:
    """When both rollers of a link are on one wheel."""
    both = []
    for a in first:
        for b in second:
            start, stop = max(a.start, b.start), min(a.stop, b.stop)
            if a.wheel == b.wheel and stop > start:
                both.append(ContactWindow(a.wheel, start, stop))
    return both


def _draw_bands(axes: Axes, solution: SolutionLike, windows: list[ContactWindow]) -> None:
    first, last = axes.get_xlim()
    wheels = len(solution.drive.wheels)
    for window in windows:
        if window.stop >= first and window.start <= last:
            colour, alpha = (wheel_colour(window.wheel), 0.22) if window.wheel < wheels else (RAIL, 0.45)
            axes.axvspan(window.start, window.stop, color=colour, alpha=alpha, lw=0, zorder=0)
    show_times(axes, first, last)


def wheel_patches(solution: SolutionLike) -> list[Patch]:
    """Entries of a legend that tells which band stands for which wheel, and for guides."""
    names = [wheel.name for wheel in solution.drive.wheels]
    found = [Patch(color=wheel_colour(w), alpha=0.35, lw=0, label=f"on {name}") for w, name in enumerate(names)]
    if solution.drive.guides:
        found.append(Patch(color=RAIL, alpha=0.6, lw=0, label="on a guide"))
    return found


def wheel_legend(figure: Figure, solution: SolutionLike) -> None:
    """Colours of the wheels in rows below the axes."""
    patches = wheel_patches(solution)
    figure.legend(handles=patches, loc="outside lower center", ncols=min(len(patches), 5))


@styled
def plot_contact_force(
    solution: SolutionLike, roller: int = 0, start: float | None = None, stop: float | None = None
) -> Figure:
    """Contact force of one roller, by default over the last loop of the chain; bands show on which wheel it is.

    Needs the channels contact_force, contact_body and wheel_speed. start, stop [s].
    """
    figure = new_figure(9.0, 4.2)
    axes = figure.add_subplot()
    draw_contact_force(axes, solution, roller, start, stop)
    wheel_legend(figure, solution)
    return figure


def draw_contact_force(
    axes: Axes, solution: SolutionLike, roller: int, start: float | None = None, stop: float | None = None
) -> None:
    """Draw what :func:`plot_contact_force` shows into axes."""
    channel = get_channel(solution, "contact_force")
    check_index("roller", roller, channel.sizes["roller"])
    first, last = _window(solution, start, stop)
    part = time_slice(channel, first, last).isel(roller=roller)
    values = np.asarray(part.values, dtype=np.float64)
    unit = scale_for(values, "N")
    axes.plot(part["time"].values, unit(values), color=LINE, lw=0.9)
    show_times(axes, first, last)
    axes.set_ylim(bottom=0.0)
    axes.set_xlabel("time [s]")
    axes.set_ylabel(f"contact force [{unit.unit}]")
    _draw_bands(axes, solution, contact_windows(solution, roller, wheels_only=False))
    heading(axes, f"Contact force of roller {roller}", f"largest {unit.text(float(np.max(values)))}")


def string_frequencies(
    solution: SolutionLike, span: int, start: float | None = None, stop: float | None = None, modes: int = 3
) -> NDArray[np.float64]:
    """Natural frequencies of a span as a moving string at its mean tension, shape (modes,) [Hz]; nan where slack.

    Pedersen (2004), Eq. 4.27 with eta = 0: the tension that the links carry contains the centrifugal part.
    """
    drive = solution.drive
    way = drive_route(drive)
    check_index("span", span, len(way.span_length))
    tension = mean_span_tension(solution, span, start, stop)
    if not tension > 0.0:
        return np.full(modes, np.nan)
    speed = chain_pace(solution, start, stop) * drive.chain.pitch
    density = drive.chain.link_mass / drive.chain.pitch
    length = float(way.span_length[span])
    return np.asarray(moving_string_frequency(np.arange(1, modes + 1), length, tension, density, speed))


@styled
def plot_span(solution: SolutionLike, span: int = 0, start: float | None = None, stop: float | None = None) -> Figure:
    """Transverse displacement of the middle of a span, and its amplitude spectrum.

    The spectrum is taken over start..stop [s], by default the second half of the run; marked are the tooth frequency
    and the natural frequencies of the moving string at the span's mean tension.
    Needs the channels span_displacement, span_tension and wheel_speed.
    """
    channel = get_channel(solution, "span_displacement")
    check_index("span", span, channel.sizes["span"])
    first, last = second_half(solution, "span_displacement", start, stop)
    figure = new_figure(9.0, 6.6)
    above, below = figure.subplots(2, 1, height_ratios=(1.0, 1.25))
    draw_displacement(above, solution, span, first, last)
    spectrum = channel_spectrum(time_slice(channel, first, last).isel(span=span), trend="linear", padding=4)
    tooth = chain_pace(solution, first, last)
    strings = string_frequencies(solution, span, first, last)
    highest = min(float(spectrum.frequency[-1]), 1.35 * tooth if tooth > 0.0 else np.inf)
    shown = (spectrum.frequency > 0.5 * spectrum.resolution) & (spectrum.frequency <= highest)
    unit = scale_for(spectrum.amplitude[shown], "m")
    below.semilogy(spectrum.frequency[shown], unit(spectrum.amplitude[shown]), color=LINE)
    top = float(unit(spectrum.amplitude[shown].max()))
    below.set_ylim(2e-5 * top, 12.0 * top)
    below.set_xlim(0.0, highest)
    below.set_xlabel("frequency [Hz]")
    below.set_ylabel(f"amplitude [{unit.unit}]")
    heading(below, "Amplitude spectrum", f"{first:.4g} to {last:.4g} s, resolution {spectrum.resolution:.3g} Hz")
    _mark_frequencies(below, strings, tooth, highest)
    found = sorted(peaks(spectrum, 4, 0.03, spectrum.resolution, 0.99 * highest), key=lambda peak: peak.frequency)
    for i, peak in enumerate(found):
        crowded = i + 1 < len(found) and found[i + 1].frequency - peak.frequency < 0.09 * highest
        _label_peak(below, peak.frequency, float(unit(peak.amplitude)), crowded and peak.frequency > 0.08 * highest)
    return figure


def draw_displacement(axes: Axes, solution: SolutionLike, span: int, start: float, stop: float) -> None:
    """Draw the displacement of the middle of a span over time into axes."""
    part = time_slice(get_channel(solution, "span_displacement"), start, stop).isel(span=span)
    values = np.asarray(part.values, dtype=np.float64)
    unit = scale_for(values, "m")
    axes.plot(part["time"].values, unit(values), color=LINE, lw=0.9)
    show_times(axes, start, stop)
    axes.set_xlabel("time [s]")
    axes.set_ylabel(f"displacement [{unit.unit}]")
    wheels = solution.drive.wheels
    between = f"{wheels[span].name} to {wheels[(span + 1) % len(wheels)].name}"
    heading(axes, f"Middle of span {span}", f"{between}; {unit.range(values)}")


def _mark_frequencies(axes: Axes, strings: NDArray[np.float64], tooth: float, highest: float) -> None:
    handles = []
    usable = strings[np.isfinite(strings) & (strings > 0.0) & (strings <= highest)]
    for n, frequency in enumerate(usable):
        label = "moving string, " + ", ".join(f"{x:.3g}" for x in usable) + " Hz" if n == 0 else None
        line = axes.axvline(float(frequency), color=MARK, lw=1.0, ls=(0, (5, 2)), zorder=1, label=label)
        handles += [line] if n == 0 else []
    if 0.0 < tooth <= highest:
        handles.append(
            axes.axvline(tooth, color="#009E73", lw=1.2, ls=":", zorder=1, label=f"tooth frequency, {tooth:.4g} Hz")
        )
    if handles:
        legend = axes.legend(
            handles=handles, loc="upper center", ncols=2, frameon=True, edgecolor="none", framealpha=0.9
        )
        legend.set_zorder(7)


def _label_peak(axes: Axes, frequency: float, amplitude: float, leftward: bool) -> None:
    axes.plot([frequency], [amplitude], "o", ms=3.5, color=INK, zorder=6)
    axes.annotate(
        f"{frequency:.3g} Hz", (frequency, amplitude), (-4 if leftward else 4, 4), textcoords="offset points",
        fontsize=8, color=INK, ha="right" if leftward else "left",
        bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.75, "pad": 0.8}, zorder=5,
    )  # fmt: skip


_WORKS = ("input", "output", "link_damping", "joint", "contact", "friction", "bearing", "guide", "tensioner")
_LINES = ("-", "--", "-.")


@styled
def plot_energy(solution: SolutionLike) -> Figure:
    """The energy audit over time: work in, out and lost; changes of stored energy; what the audit cannot account for.

    Needs the channel energy_residual; the works (work_*) and energies (energy_*) that are kept are drawn.
    """
    residual = get_channel(solution, "energy_residual")
    times = np.asarray(residual["time"].values, dtype=np.float64)
    works = {name: _kept(solution, f"work_{name}") for name in _WORKS}
    energies = {name: _kept(solution, f"energy_{name}") for name in ("kinetic", "elastic", "gravity")}
    used = {name: values for name, values in works.items() if values is not None and np.any(values != values[0])}
    losses = {name.replace("_", " "): used[name] for name in used if name not in ("input", "output")}
    balance = {label: used[name] for name, label in (("input", "put in"), ("output", "taken out")) if name in used}
    if losses:
        balance["lost"] = np.sum(list(losses.values()), axis=0)
    changes = {name: values - values[0] for name, values in energies.items() if values is not None}
    figure = new_figure(9.0, 8.2)
    panels = figure.subplots(4, 1, sharex=True, height_ratios=(1.2, 1.2, 1.2, 0.9))
    _lines(panels[0], times, balance, "work", "Work")
    _lines(panels[1], times, losses, "work", "Losses")
    _lines(panels[2], times, changes, "change", "Stored energy since the start")
    values = np.asarray(residual.values, dtype=np.float64)
    unit = scale_for(values, "J")
    panels[3].plot(times, unit(values), color=MARK)
    panels[3].set_ylabel(f"residual [{unit.unit}]")
    panels[3].set_xlabel("time [s]")
    show_times(panels[3], times[0], times[-1])
    turned = max((float(np.ptp(v)) for v in [*used.values(), *changes.values()]), default=0.0)
    worst = float(np.max(np.abs(values)))
    share = f"largest {unit.text(worst)}" + (f", {worst / turned:.1e} of the largest account" if turned > 0.0 else "")
    heading(panels[3], "Not accounted for", share)
    return figure


def _kept(solution: SolutionLike, name: str) -> NDArray[np.float64] | None:
    try:
        return np.asarray(solution[name].values, dtype=np.float64)
    except (KeyError, InputError):
        return None


def _lines(
    axes: Axes, times: NDArray[np.float64], series: dict[str, NDArray[np.float64]], what: str, title: str
) -> None:
    unit = scale_for(np.concatenate(list(series.values())) if series else [0.0], "J")
    for n, (name, values) in enumerate(series.items()):
        colour = INK if n == 0 else wheel_colour(n - 1)
        axes.plot(times, unit(values), color=colour, ls=_LINES[n % len(_LINES)], label=name)
    axes.set_ylabel(f"{what} [{unit.unit}]")
    heading(axes, title)
    if series:
        axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), borderaxespad=0.2)
