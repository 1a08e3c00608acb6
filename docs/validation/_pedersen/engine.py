"""Functions for the figures of sections 5.7 and 5.8: curves, spectra, and the substitute for the crank's
acceleration.
"""

from __future__ import annotations

import numpy as np
from _cases import S90
from _drawing import REAL, grid, mark
from _rows import KILO, Row, below, near, number, table
from _signals import highest
from matplotlib.figure import Figure

from _pedersen.cases import (
    AMPLITUDES,
    GUIDES_OSCILLATING,
    NO_GUIDES,
    NO_GUIDES_OSCILLATING,
    TIGHTENER_OSCILLATING,
)
from _pedersen.entry import Entry
from _pedersen.runs import ROLLER, Run, Runs
from _pedersen.teeth import label
from chaindrive.analyses.analytical.formulas import centrifugal_tension
from chaindrive.analyses.signals.spectra import Spectrum
from chaindrive.model import example
from chaindrive.plots.style import styled

ORDER = 7.6
"""Frequency of the sixth order at 76 rpm. [Hz]"""
FACTOR_2 = "factor 2 either way: the crank's acceleration is a substitute"
Panel = tuple[str, str]
"""Key of a run, and its description."""


def within_factor(quantity: str, thesis: str, ours: float, value: float, unit: str, gate: bool = True) -> Row:
    """A row for a number that may be half or twice that of the thesis."""
    words = f"{value / 2:g} to {2 * value:g} {unit}"
    return Row(quantity, thesis, words, ours, 1.25 * value, 0.75 * value, unit, FACTOR_2, gate=gate)


def line(spectrum: Spectrum, quantity: str, value: float, share: float = 0.03, **options: object) -> Row:
    """A row for the highest peak around a frequency that the thesis names."""
    found = highest(spectrum, (1.0 - 0.12) * value, (1.0 + 0.12) * value).frequency
    reason = f"{100 * share:g} %"
    return near(quantity, f"≈ {value:g} Hz", f"{value:g} Hz", found, value, share, "Hz", reason, **options)


def order_line(spectrum: Spectrum, quantity: str, order: float, thesis: float, **options: object) -> Row:
    """A row for the highest peak around a multiple of the crank's frequency."""
    value = order * 76.0 / 60.0
    found = highest(spectrum, value - 0.4, value + 0.4).frequency
    return Row(quantity, f"≈ {thesis:g} Hz", f"{order:g} × 76/60 = {value:.2f} Hz", found, value,
               2.0 * spectrum.resolution, "Hz", "resolution, twice", **options)  # fmt: skip


def dominant(spectrum: Spectrum, quantity: str, value: float, **options: object) -> Row:
    """A row for the highest peak of the spectrum."""
    found = highest(spectrum, 1.0, 100.0).frequency
    return Row(quantity, f"≈ {value:g} Hz", f"{value:g} Hz", found, value, 2.0 * spectrum.resolution, "Hz",
               "resolution, twice", **options)  # fmt: skip


def tooth_line(spectrum: Spectrum, quantity: str, low: float = 60.0) -> Row:
    """A row for the highest peak above ``low`` [Hz], which is at the tooth frequency."""
    found = highest(spectrum, low, 100.0).frequency
    value = 64.0 * 76.0 / 60.0
    return Row(quantity, "81 Hz", f"64 × 76/60 = {value:.3f} Hz", found, value, spectrum.resolution, "Hz", "resolution",
               gate=True)  # fmt: skip


def in_mm(spectrum: Spectrum) -> Spectrum:
    """A spectrum converted from metres to millimetres."""
    return spectrum._replace(amplitude=spectrum.amplitude * KILO)


@styled
def curves(runs: Runs, panels: tuple[Panel, ...], span: int, seconds: float = 5.0) -> Figure:
    """Draw the displacement of the middle of a span in the last seconds, positive outwards, with a panel for each
    run.
    """
    figure, axes_of = grid(len(panels), 1, 8.5, 0.6 + 2.0 * len(panels), sharex=False, sharey=True)
    for axes, (key, words) in zip(axes_of[:, 0], panels, strict=True):
        run = runs[key]
        last = slice(-round(seconds * run.case.rate) - 1, None)
        axes.plot(run.time[last], run.outward(span)[last], color=REAL, lw=0.7)
        axes.set(ylabel="outward [mm]", xlim=(run.time[last][0], run.time[-1]))
        label(axes, words)
    axes_of[-1, 0].set_xlabel("time [s]")
    return figure


@styled
def overlay(runs: Runs, panels: tuple[Panel, ...], span: int, colours: tuple[str, ...]) -> Figure:
    """Draw the displacement of the middle of a span within 2 s, positive outwards, with all runs in one panel."""
    figure, axes_of = grid(1, 1, 8.5, 3.3)
    axes = axes_of[0, 0]
    for (key, words), colour in zip(panels, colours, strict=True):
        run = runs[key]
        last = slice(-round(2.0 * run.case.rate) - 1, None)
        axes.plot(run.time[last] - run.time[last][0], run.outward(span)[last], color=colour, lw=0.9, label=words)
    axes.set(xlabel="time [s]", ylabel="outward [mm]", xlim=(0.0, 2.0))
    axes.margins(y=0.2)
    axes.legend(ncols=2, loc="upper right")
    return figure


@styled
def spectra(panels: tuple[tuple[Spectrum, str, tuple[float, ...]], ...], upto: float, unit: str) -> Figure:
    """Draw spectra, one below the other, with the peaks that the thesis names."""
    figure, axes_of = grid(len(panels), 1, 8.5, 0.8 + 2.1 * len(panels), sharex=True)
    for axes, (spectrum, words, marks) in zip(axes_of[:, 0], panels, strict=True):
        low = (spectrum.frequency >= 0.4) & (spectrum.frequency <= upto)
        axes.semilogy(spectrum.frequency[low], spectrum.amplitude[low], color=REAL, lw=0.9)
        mark(axes, marks)
        axes.set(ylabel=f"amplitude [{unit}]", xlim=(0, upto))
        axes.set_title(words, pad=11)
    axes_of[-1, 0].set_xlabel("frequency [Hz]   (triangles: peaks that the thesis names)")
    return figure


@styled
def one(runs: Runs, panels: tuple[Panel, ...], channel: str, words: str, seconds: float = 5.0) -> Figure:
    """Draw forces on one roller or link in the last seconds, with a panel for each run. [kN]"""
    figure, axes_of = grid(len(panels), 1, 8.5, 0.6 + 2.0 * len(panels), sharey=True)
    for axes, (key, name) in zip(axes_of[:, 0], panels, strict=True):
        run = runs[key]
        values = run.tooth_force if channel == "contact_force" else run.link_tension
        last = slice(-round(seconds * run.case.rate) - 1, None)
        axes.plot(run.time[run.used][last], values[last, ROLLER] / KILO, color=REAL, lw=0.6)
        axes.set(ylabel=words, xlim=(run.time[-1] - seconds, run.time[-1]), ylim=(0, None))
        label(axes, name)
    axes_of[-1, 0].set_xlabel("time [s]")
    return figure


# The substitute -------------------------------------------------------------------------------------------------------


def crank(runs: Runs) -> Entry:
    """The acceleration of the crank, which the thesis uses in Figures 4.3 to 4.7."""
    orders = example(f"{S90}-oscillating").wheels[0].motion.orders
    mean = 76.0 * 2.0 * np.pi / 60.0
    speed = runs[NO_GUIDES_OSCILLATING].values("wheel_speed")[:, 0].astype(np.float64)
    strongest = max(term.amplitude for term in orders if term.order != 6)
    six = next(term.amplitude for term in orders if term.order == 6)
    rows = (
        below("largest amplitude of another order divided by that of the sixth", "“the major peak is at the 6th”",
              strongest / six, 0.5, gate=True),
        Row("mean speed of the oscillating crank", "76 rpm", "7.9587 rad/s", float(speed.mean()), mean, 0.005 * mean,
            "rad/s", "0.5 %: the fade-in leaves a residual", gate=True),
    )  # fmt: skip
    remark = (
        "**This is a guess.** The thesis uses the maker's curve, but the available text contains neither numbers nor "
        "axes of it. What is known: six cylinders, two-stroke, 76 rpm, and a dominant sixth order. Six equal firings "
        "per revolution have the orders 6, 12 and 18; their cosines add up to a short push and a long decay. The "
        f"amplitudes ({', '.join(f'{term.amplitude:g} rad/s² of order {term.order:g}' for term in orders)}) are "
        f"assumptions. Order 15, which the thesis reads off Figure 5.32, is *not* included: six equal cylinders do "
        f"not have it, and 19 Hz is also two and a half times the sixth order. The amplitude of the sixth order is "
        f"the whole number of rad/s² for which the largest link force without guides is nearest to the 1.8 MN of the "
        f"thesis; all other numbers of Figures 5.28 to 5.47 are predictions. The speed then fluctuates by "
        f"{100 * (speed.max() - speed.min()) / 2 / mean:.1f} % about its mean. The table shows the results for other "
        f"amplitudes, from 10 to 20 s (the largest values over all links and rollers, and the median over all "
        f"rollers of the largest value for one roller in 5 s):\n\n" + _amplitudes(runs) + "\n\nThe motion is given "
        "as `orders` of the crank angle, which is exact and short; `angle_table` takes a measured curve, as in the "
        "thesis. The drive has several states, so that the numbers jump instead of growing steadily with the "
        "amplitude."
    )
    words = (
        "(section 4.3.1) the angular acceleration of a 6S90MC engine, given by its maker as a function of the crank "
        "angle, is entered as a cubic spline and faded in over one second; its largest component is the sixth order "
        "(section 5.9.3)."
    )
    return Entry("crank", "The crank's acceleration: a substitute", words, rows, remark, _draw_crank(runs))


def _amplitudes(runs: Runs) -> str:
    lines = []
    names = (
        ("without guides", NO_GUIDES_OSCILLATING, "1.8 MN, 400 kN"),
        ("with guides", GUIDES_OSCILLATING, "1.2 MN, 200 kN"),
        ("guides and tightener", TIGHTENER_OSCILLATING, "0.8 MN, 160 kN"),
    )
    for name, key, thesis in names:
        for amplitude in sorted((6.0, *AMPLITUDES)):
            run = runs[key if amplitude == 6.0 else f"{key}-{amplitude:g}"]
            lines.append([f"{name}, {amplitude:g} rad/s²", thesis, number(run.link_tension.max() / KILO),
                          number(run.tooth_force.max() / KILO),
                          number(run.largest_of_one(run.tooth_force) / KILO)])  # fmt: skip
        if key == NO_GUIDES_OSCILLATING:
            run = runs["s90-oscillating-alone"]
            lines.append([f"{name}, sixth order alone, 6 rad/s²", thesis, number(run.link_tension.max() / KILO),
                          number(run.tooth_force.max() / KILO),
                          number(run.largest_of_one(run.tooth_force) / KILO)])  # fmt: skip
    return table(["drive", "thesis: link, contact", "largest link force [kN]", "largest contact force [kN]",
                  "of one roller [kN]"], lines)  # fmt: skip


@styled
def _draw_crank(runs: Runs) -> Figure:
    figure, axes_of = grid(1, 2, 10.0, 3.2)
    orders = example(f"{S90}-oscillating").wheels[0].motion.orders
    angle = np.linspace(0.0, 2.0 * np.pi, 1441)
    acceleration = sum(term.amplitude * np.sin(term.order * angle + term.phase) for term in orders)
    axes_of[0, 0].plot(np.degrees(angle), acceleration, color=REAL)
    axes_of[0, 0].set(
        xlabel="angle of the crank [°]", ylabel="acceleration [rad/s²]", xlim=(0, 360), xticks=range(0, 361, 60)
    )
    run = runs[NO_GUIDES_OSCILLATING]
    last = slice(-round(60.0 / 76.0 * run.case.rate) - 1, None)
    speed = run.values("wheel_speed")[last, 0]
    axes_of[0, 1].plot(np.arange(speed.size) / run.case.rate, speed, color=REAL)
    axes_of[0, 1].set(xlabel="time [s]   (one turn)", ylabel="speed of the crank [rad/s]", xlim=(0, 60.0 / 76.0))
    return figure


def swing(run: Run, span: int) -> float:
    """Root mean square of the displacement of the middle of a span about its mean. [mm]"""
    return float(run.outward(span).std())


def above_centrifugal(run: Run) -> float:
    """Mean tension of segment 1 less its centrifugal part. [N]"""
    return float(run.mean[0] - centrifugal_tension(run.drive.chain.link_mass / run.drive.chain.pitch, run.speed))


def constant_level(runs: Runs) -> float:
    """Largest contact force on a tooth at constant speed without guides. [kN]"""
    return float(runs[NO_GUIDES].tooth_force.max()) / KILO
