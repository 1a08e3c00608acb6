"""Figures 5.2 to 5.7: circular and real tooth on the 6L60MC."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from _drawing import CIRCULAR, REAL, STRING, grid, mark, shade
from _rows import KILO, Row, below, near
from _signals import SEGMENT_1, SEGMENT_4, highest, side_bands
from matplotlib.axes import Axes

from _pedersen.entry import Entry
from _pedersen.runs import ROLLER, Run, Runs
from chaindrive.analyses.analytical.formulas import static_string_frequency
from chaindrive.mechanism.facts import drive_facts
from chaindrive.plots.style import styled

TEETH = (("circular", CIRCULAR), ("real", REAL))
LEVEL = "30 %: 1 mm in the length of the path changes it by 6.7 kN"
WHY_CORNER = (
    "in the thesis there is nothing beyond the half circle of the circular tooth. Here the half circle ends in a "
    "corner and a low tooth, because otherwise a pressed roller that passes the end of the half circle would lose "
    "its elastic energy. Rollers roll on and off over this corner, which counts as contact, whereas the tolerance is "
    "that of contact with the half circle only."
)
WHY_SEATED = (
    "with the real tooth it is mainly the level of the force that varies on these sprockets: it decreases to the "
    "centrifugal tension and increases again. The roughness there is smaller than in the spans, but the difference "
    "is less pronounced than with the circular tooth."
)
WHY_ROUGH = (
    "with the real tooth segment 4 also oscillates at 33, 87 and 153 Hz, which the thesis itself mentions in "
    "connection with Figure 5.7."
)
UNDAMPED = "the span is not damped; "


def both(runs: Runs) -> tuple[Run, Run]:
    """The runs with the circular tooth and with the real tooth."""
    return runs["l60-circular"], runs["l60-real"]


def entries(runs: Runs) -> list[Entry]:
    """Figures 5.2 to 5.7."""
    return [link_force(runs), mean_link_force(runs), strand(runs, SEGMENT_1), strand(runs, SEGMENT_4),
            spectra(runs, SEGMENT_1), spectra(runs, SEGMENT_4)]  # fmt: skip


# Figure 5.2 -----------------------------------------------------------------------------------------------------------


class Variation(NamedTuple):
    """Variation of the link force, over all links. [N]"""

    seated: float
    """Roughness, the root mean square about the running mean of the link over 0.1 s, while the link is on sprocket 1 or
    3.
    """
    free: float
    """Roughness while the link is in a span."""
    overall: float
    """Roughness at all times."""
    level: float
    """Standard deviation of the force itself while the link is on sprocket 1 or 3, including the decrease and increase
    of its level.
    """


def variation(run: Run) -> Variation:
    """Variation of the link forces of a run. The running mean over 0.1 s removes the drift of the level; the remainder
    is the visible roughness of a curve.
    """
    force, body = run.link_tension, run.contact_surface
    width = round(0.1 * run.case.rate)
    rough = force[width // 2 : width // 2 + len(force) - width] - _running_mean(force, width)
    body = body[width // 2 : width // 2 + len(rough)]
    seated = (body == 0) | (body == 2)
    free = body == -1

    def rms(chosen: np.ndarray) -> float:
        return float(np.sqrt(np.mean(rough[chosen] ** 2)))

    level = force[(run.contact_surface == 0) | (run.contact_surface == 2)].std()
    return Variation(rms(seated), rms(free), rms(np.ones_like(seated)), float(level))


def _running_mean(values: np.ndarray, width: int) -> np.ndarray:
    total = np.cumsum(values, axis=0)
    return (total[width:] - total[:-width]) / width


def stay_rows(run: Run, table: tuple[tuple[int, str], ...], words: str, why: str = "") -> list[Row]:
    """Rows with the contact times of rollers on sprockets, which are gates if no cause of longer contact times is
    known.
    """
    wraps, tooth = drive_facts(run.drive).route.wrap, 1.0 / run.tooth
    rows = []
    for wheel, thesis in table:
        middle = (float(wraps[wheel]) * run.drive.wheels[wheel].teeth / (2.0 * np.pi) + 0.5) * tooth * KILO
        rows.append(Row(f"{words}contact time on sprocket {wheel + 1}", thesis, f"wrap/ω + ½ tooth = {middle:.1f} ms",
                        run.stays.duration[wheel] * KILO, middle, 0.5 * tooth * KILO, "ms",
                        "wrap/ω plus at most one tooth", gate=not why, why=why))  # fmt: skip
    return rows


def link_force(runs: Runs) -> Entry:
    circular, real = both(runs)
    table = ((0, "9.3 … 9.6 s"), (2, "9.8 … 9.9 s"))
    rows = stay_rows(circular, table, "circular tooth: ", WHY_CORNER) + stay_rows(real, table, "real tooth: ")
    of_circular, of_real = variation(circular), variation(real)
    rows += [
        below("roughness of the link force, real divided by circular tooth", "“noticeable smaller” with the real tooth",
              of_real.overall / of_circular.overall, 1.0, gate=True),
        below("real tooth: roughness in the spans, divided by that on sprockets 1 and 3", "larger on sprockets 1 and 3",
              of_real.free / of_real.seated, 1.0, why=WHY_SEATED),
        below("circular tooth: roughness on sprockets 1 and 3, divided by that in the spans", "larger before and after",
              of_circular.seated / of_circular.free, 1.0, gate=True),
    ]  # fmt: skip
    remark = (
        "Roughness is the root mean square of the deviation of a link force from its running mean over 0.1 s, for "
        f"all links and 40 s. It is {of_circular.seated / KILO:.2f} kN on sprockets 1 and 3 and "
        f"{of_circular.free / KILO:.2f} kN in the spans for the circular tooth, and {of_real.seated / KILO:.2f} and "
        f"{of_real.free / KILO:.2f} kN for the real tooth. Including the variation of its level, the force of a link "
        f"on sprockets 1 and 3 has a standard deviation of {of_circular.level / KILO:.1f} kN (circular) and "
        f"{of_real.level / KILO:.1f} kN (real)."
    )
    words = (
        "with the real tooth the link force varies noticeably while the link is on sprocket 1 (9.3 to 9.6 s) and on "
        "sprocket 3 (9.8 to 9.9 s); with the circular tooth it varies just before and after that; the amplitude is "
        "noticeably smaller with the real tooth."
    )
    return Entry("5.2", "link force between two rollers over one second, 6L60MC", words, tuple(rows), remark,
                 _draw_link_force(runs))  # fmt: skip


@styled
def _draw_link_force(runs: Runs):
    figure, axes_of = grid(2, 1, 8.5, 5.0, sharex=True, sharey=True)
    for axes, (name, colour) in zip(axes_of[:, 0], TEETH, strict=True):
        run = runs[f"l60-{name}"]
        rows, time = run.loop()
        shade(axes, time, run.contact_surface[rows, ROLLER])
        axes.plot(time, run.link_tension[rows, ROLLER] / KILO, color=colour)
        axes.set(ylabel="link force [kN]", xlim=(0, time[-1]), ylim=(0, None))
        label(axes, f"{name} tooth", colour)
    axes_of[1, 0].set_xlabel("time [s]   (shaded: its first roller touches sprocket 1 to 4)")
    return figure


def label(axes: Axes, words: str, colour: str = REAL) -> None:
    """Write a text into the upper right corner of the axes."""
    axes.text(0.995, 0.95, words, transform=axes.transAxes, ha="right", va="top", fontweight="bold", color=colour,
              bbox={"facecolor": "white", "edgecolor": "none", "pad": 1.5, "alpha": 0.8})  # fmt: skip


# Figure 5.3 -----------------------------------------------------------------------------------------------------------


def mean_link_force(runs: Runs) -> Entry:
    rows = []
    for name, thesis, spread in (("circular", 25.0, 13.0), ("real", 19.0, 6.0)):
        run = runs[f"l60-{name}"]
        tension = run.tension[:, SEGMENT_1] / KILO
        rows.append(near(f"mean tension of segment 1, {name} tooth", f"≈ {thesis:g} kN", f"{thesis:g} kN",
                         float(tension.mean()), thesis, 0.3, "kN", LEVEL, gate=True))  # fmt: skip
        largest = float(np.abs(tension - tension.mean()).max())
        rows.append(Row(f"amplitude, {name} tooth", f"up to ≈ {spread:g} kN", f"{spread / 2:g} to {2 * spread:g} kN",
                        largest, 1.25 * spread, 0.75 * spread, "kN", "factor 2 either way: 40 s here, one second in "
                        "the figure", gate=True))  # fmt: skip
    circular, real = both(runs)
    rows.append(below("mean tension, real divided by circular tooth", "19/25 = 0.76, “decreasing effect”",
                      float(real.mean[0] / circular.mean[0]), 1.0, gate=True))  # fmt: skip
    words = (
        "the mean over the links of segment 1 is approximately 25 kN with the circular and 19 kN with the real tooth, "
        "its amplitude up to approximately 13 kN and 6 kN."
    )
    remark = (
        "With the real tooth the rollers sit 0.173 mm below the pitch circle, with the circular tooth on the pitch "
        "circle. This causes the difference between the means, as the thesis says."
    )
    return Entry("5.3", "mean link force of segment 1", words, tuple(rows), remark, _draw_mean(runs))


@styled
def _draw_mean(runs: Runs):
    figure, axes_of = grid(1, 1, 8.5, 3.3)
    axes = axes_of[0, 0]
    for (name, colour), thesis in zip(TEETH, (25.0, 19.0), strict=True):
        run = runs[f"l60-{name}"]
        last = slice(-round(run.case.rate) - 1, None)
        time, mean = run.time[last], run.mean[SEGMENT_1] / KILO
        axes.plot(time, run.tension[last, SEGMENT_1] / KILO, color=colour,
                  label=f"{name} tooth: mean of 40 s {mean:.1f} kN, thesis {thesis:g} kN")  # fmt: skip
        axes.axhline(mean, color=colour, lw=0.9, ls="--")
    axes.set(xlabel="time [s]", ylabel="mean link force, segment 1 [kN]", xlim=(time[0], time[-1]), ylim=(5, 45))
    axes.legend(loc="upper left", ncols=2)
    return figure


# Figures 5.4 and 5.5 --------------------------------------------------------------------------------------------------


def rough(run: Run, span: int) -> float:
    """Share of the motion of a span's middle above 20 Hz: its root mean square divided by that of the whole motion."""
    spectrum = run.spectrum(span)
    power = spectrum.amplitude**2
    return float(np.sqrt(power[spectrum.frequency > 20.0].sum() / power.sum()))


def strand(runs: Runs, span: int) -> Entry:
    circular, real = both(runs)
    swing = {name: float(runs[f"l60-{name}"].displacement[:, span].std()) * KILO for name, _ in TEETH}
    ratio = rough(real, span) / rough(circular, span)
    rows = [below("share of the oscillation above 20 Hz, real divided by circular tooth", "“smoothing effect”", ratio,
          1.0,
                  gate=span == SEGMENT_1, why=WHY_ROUGH)]  # fmt: skip
    common = (
        f"The root mean square of the oscillation over 40 s is {swing['circular']:.1f} mm for the circular and "
        f"{swing['real']:.1f} mm for the real tooth."
    )
    if span == SEGMENT_1:
        first = [highest(run.spectrum(span), 1.0, 10.0).frequency for run in (circular, real)]
        # The thesis itself has 6.1 and 5.1 Hz and calls that approximately the same.
        same = "“approximately the same” (5.1/6.1 = 0.84)"
        rows.insert(0, near("main frequency, real divided by circular tooth", same, "0.84", first[1] / first[0],
                            5.1 / 6.1, 0.06, "", "3 % each", gate=True))  # fmt: skip
        words = ("both teeth give similar vibrations with approximately the same main frequency; the real tooth has a "
                 "smoothing effect.")  # fmt: skip
        return Entry("5.4", "oscillation of segment 1", words, tuple(rows), common, _draw_strand(runs, span))
    unlike = abs(np.log(swing["real"] / swing["circular"]))
    rows.insert(0, Row("amplitude, the larger divided by the smaller",
                       "“somewhat different in the size of the amplitudes”", "1.1 to 4",
                       float(np.exp(unlike)), 2.55, 1.45, "", "no number in the thesis"))  # fmt: skip
    words = "the two teeth differ somewhat in the amplitudes of the vibration; the real tooth has a smoothing effect."
    return Entry("5.5", "oscillation of segment 4", words, tuple(rows), common, _draw_strand(runs, span))


@styled
def _draw_strand(runs: Runs, span: int):
    figure, axes_of = grid(1, 1, 8.5, 3.1)
    for name, colour in TEETH:
        run = runs[f"l60-{name}"]
        last = slice(-2 * round(run.case.rate) - 1, None)
        axes_of[0, 0].plot(run.time[last], run.displacement[last, span] * KILO, color=colour, label=f"{name} tooth")
    axes_of[0, 0].set(xlabel="time [s]", ylabel="displacement [mm]", xlim=(run.time[last][0], run.time[-1]))
    axes_of[0, 0].legend(loc="upper right", ncols=2)
    return figure


# Figures 5.6 and 5.7 --------------------------------------------------------------------------------------------------

PEAKS = {
    ("circular", SEGMENT_1): (6.1,),
    ("real", SEGMENT_1): (5.1,),
    ("circular", SEGMENT_4): (5.2, 15.5, 25.5, 83.0, 120.0, 157.0),
    ("real", SEGMENT_4): (4.5, 13.0, 33.0, 87.0, 120.0, 153.0),
}
"""Peaks that the thesis names. [Hz]"""
STRINGS = {("circular", SEGMENT_1): (7.3, 25.0, 21), ("real", SEGMENT_1): (6.3, 19.0, 21),
           ("circular", SEGMENT_4): (6.2, 26.0, 25), ("real", SEGMENT_4): (5.5, 20.0, 25)}  # fmt: skip
"""Frequency of the string at rest (Eq. 5.1) as printed [Hz], its tension [kN], number of links in the span."""
WHY_FIRST = (
    "the frequency follows the tension. At the 20 kN given by the thesis, Eq. 4.27 gives 4.40 Hz for the first mode, "
    "not 4.5 Hz; at the tension of this run it gives the frequency that is found. The spectrum of a run of 10 s has "
    "lines 0.1 Hz apart."
)
WHY_FIFTH = (
    UNDAMPED + "its line is about 2 Hz wide, and the position of its highest point changes with the step of the "
    "integrator."
)
WHY_BANDS = (
    UNDAMPED + "it changes between modes and its sidebands are wide, so that the highest sidebands below and above "
    "the tooth frequency happen not to form a pair."
)


def first_rows(runs: Runs, span: int) -> list[Row]:
    """Rows that compare the first peak of a span with the thesis, the moving string and the string at rest."""
    rows = []
    for name, _ in TEETH:
        run, thesis = runs[f"l60-{name}"], PEAKS[name, span][0]
        found, string = highest(run.spectrum(span), 1.0, 10.0).frequency, run.string(span)[0]
        words = f"highest peak below 10 Hz, {name} tooth"
        rows.append(Row(words, f"≈ {thesis:g} Hz", f"{thesis:g} Hz", found, thesis, 0.03 * thesis + 0.05, "Hz",
                        "3 % and the reading, 0.05 Hz", why=WHY_FIRST))  # fmt: skip
        rows.append(near(f"{words}, compared with the moving string", f"≈ {thesis:g} Hz", f"Eq. 4.27: {string:.3f} "
        f"Hz", found,
                         string, 0.03, "Hz", "3 %", gate=True))  # fmt: skip
        printed, tension, links = STRINGS[name, span]
        chain = run.drive.chain
        at_rest = float(static_string_frequency(1, drive_facts(run.drive).route.span_length[span], tension * KILO,
                                                links * chain.link_mass))  # fmt: skip
        rows.append(Row(f"string at rest with {tension:g} kN, {name} tooth", f"{printed:g} Hz",
                        f"Eq. 5.1: {printed:g} Hz", at_rest, printed, 0.05, "Hz", "rounding", gate=True))  # fmt: skip
    return rows


def spectra(runs: Runs, span: int) -> Entry:
    rows = first_rows(runs, span)
    if span == SEGMENT_1:
        for name, _ in TEETH:
            run = runs[f"l60-{name}"]
            main = highest(run.spectrum(span), 1.0, 10.0).amplitude
            for frequency, words in ((2.0, "driver"), (120.0, "tooth")):
                line = highest(run.spectrum(span), frequency - 0.3, frequency + 0.3).amplitude
                rows.append(below(f"peak at the {words} frequency, divided by the first peak, {name} tooth", "not seen",
                                  0.0 if np.isnan(line) else line / main, 0.1))  # fmt: skip
        words = (
            "a major peak at approximately 6.1 Hz (circular) and 5.1 Hz (real); neither the driver's 2 Hz nor the "
            "tooth frequency of 120 Hz is seen. At rest the frequencies of the string are 7.3 and 6.3 Hz; damping "
            "and the speed of the chain are said to lower them."
        )
        remark = (
            "The formula for a moving string in the thesis itself (Eq. 4.27) gives the observed "
            "frequencies of the peaks. Damping does "
            "not affect them, because only the links have damping."
        )
        return Entry("5.6", "spectrum of segment 1", words, tuple(rows), remark, _draw_spectra(runs, span))
    for name, mode, thesis in (("real", 3, 13.0), ("circular", 3, 15.5), ("circular", 5, 25.5)):
        run = runs[f"l60-{name}"]
        string = run.string(span)[mode - 1]
        found = highest(run.spectrum(span), 0.85 * string, 1.15 * string).frequency
        rows.append(near(f"mode {mode}, {name} tooth", f"≈ {thesis:g} Hz", f"Eq. 4.27: {string:.2f} Hz", found, string,
                         0.05, "Hz", "5 %", gate=mode == 3, why=WHY_FIFTH))  # fmt: skip
    for name, pair in (("real", (87, 153)), ("circular", (83, 157))):
        run = runs[f"l60-{name}"]
        low, high = side_bands(run.spectrum(span), run.tooth)
        resolution = run.spectrum(span).resolution
        found = highest(run.spectrum(span), run.tooth - 20.0, run.tooth + 20.0).frequency
        rows.append(Row(f"tooth frequency, {name} tooth", "120 Hz", "60 × 2 = 120 Hz", found, run.tooth, resolution,
                        "Hz", "resolution", gate=True))  # fmt: skip
        rows.append(Row(f"side bands, {name} tooth: {low:.1f} + {high:.1f} Hz", f"{pair[0]} + {pair[1]} Hz",
                        "2 × 120 Hz", low + high, 2.0 * run.tooth, 2.0 * resolution, "Hz", "resolution, twice",
                        gate=name == "real", why=WHY_BANDS))  # fmt: skip
    words = (
        "a major peak at approximately 5.2 Hz (circular) and 4.5 Hz (real), for both teeth a peak at the tooth "
        "frequency of 120 Hz, and further peaks at 15.5, 25.5, 83 and 157 Hz (circular) and at 13, 33, 87 and 153 Hz "
        "(real)."
    )
    remark = (
        "The middle of a span shows only the odd modes; which of them is the highest changes with time, because "
        "nothing damps them. The peaks at 87 and 153 Hz are sidebands, at 120 Hz minus and plus the 33 Hz at which "
        "the span also vibrates."
    )
    return Entry("5.7", "spectrum of segment 4", words, tuple(rows), remark, _draw_spectra(runs, span))


def draw_spectrum(axes: Axes, run: Run, span: int, colour: str, marks: tuple[float, ...], upto: float) -> None:
    """Draw the spectrum of the displacement of the middle of a span [mm], with the odd modes of the moving string and
    the peaks that the thesis names.
    """
    spectrum = run.spectrum(span)
    low = (spectrum.frequency >= 0.4) & (spectrum.frequency <= upto)
    axes.semilogy(spectrum.frequency[low], spectrum.amplitude[low] * KILO, color=colour, lw=0.9)
    for mode in (0, 2, 4):
        axes.axvline(run.string(span)[mode], color=STRING, ls="--", lw=0.9, zorder=0)
    mark(axes, marks)


@styled
def _draw_spectra(runs: Runs, span: int):
    figure, axes_of = grid(1, 2, 10.5, 3.5, sharex=True, sharey=True)
    for axes, (name, colour) in zip(axes_of[0], TEETH, strict=True):
        draw_spectrum(axes, runs[f"l60-{name}"], span, colour, PEAKS[name, span], 180.0)
        axes.set_title(f"{name} tooth", pad=11)
        axes.set_ylim(5e-4, 40.0 if span == SEGMENT_1 else 4.0)
        axes.set(xlim=(0, 180), xticks=range(0, 181, 20))
    axes_of[0, 0].set_ylabel("amplitude [mm]")
    figure.supxlabel("frequency [Hz]   (triangles: peaks that the thesis names; dashed: odd modes of the moving string "
                     "at the run's own tension)", fontsize=9)  # fmt: skip
    return figure
