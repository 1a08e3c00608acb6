"""Figures 5.24 to 5.27, 5.33 and 5.35: guide bars on the 6S90MC-C at constant speed."""

from __future__ import annotations

import numpy as np
from _drawing import CIRCULAR, REAL
from _rows import KILO, below, near, number
from _signals import SEGMENT_1, SEGMENT_4, highest, string_frequencies

from _pedersen.cases import GUIDES, NO_GUIDES, TIGHTENER
from _pedersen.engine import (
    above_centrifugal,
    constant_level,
    dominant,
    in_mm,
    line,
    one,
    overlay,
    spectra,
    swing,
    tooth_line,
)
from _pedersen.entry import Entry
from _pedersen.runs import Runs
from chaindrive.analyses.signals.spectra import amplitude_spectrum

CONSTANT = ((GUIDES, "with guides"), (NO_GUIDES, "without guides"))
SAID = "76 rpm constant; friction 0.1, joint damping 0.5 N m s/rad; "
WHY_BARS = "the thesis does not give the positions and lengths of the bars; the free length between them determines "
"this frequency."


def entries(runs: Runs) -> list[Entry]:
    """Figures 5.24 to 5.27."""
    return [strand(runs, SEGMENT_1), strand(runs, SEGMENT_4), spectrum_1(runs), spectrum_4(runs)]


def forces(runs: Runs) -> list[Entry]:
    """Figures 5.33 and 5.35."""
    return [link_constant(runs), contact_constant(runs)]


def strand(runs: Runs, span: int) -> Entry:
    guided, free = runs[GUIDES], runs[NO_GUIDES]
    rows = (
        below(
            "oscillation with guides divided by that without",
            "“the guide-bars reduce the amplitude”",
            swing(guided, span) / swing(free, span),
            1.0,
            gate=True,
        ),
        below(
            "mean outward displacement, without guides minus with guides",
            "with guides is the top curve",
            float(free.outward(span).mean() - guided.outward(span).mean()),
            0.0,
            "mm",
            gate=True,
        ),
    )
    remark = (
        f"The root mean square is {swing(free, span):.2f} mm without and {swing(guided, span):.2f} mm with "
        f"guides, about a "
        f"mean of {free.outward(span).mean():.1f} and {guided.outward(span).mean():.1f} mm outward. Without guides "
        "the span sags under its weight. Bars on the outside could not move the guided span above the free span, so "
        "the bars are assumed to be on the inside."
    )
    words = (
        SAID
        + "the guide-bars reduce the amplitude of the oscillations; the curve with guide-bars lies above the other."
    )
    number_ = "5.24" if span == SEGMENT_1 else "5.25"
    return Entry(
        number_,
        f"oscillation of segment {span + 1} with and without guides",
        words,
        rows,
        remark,
        overlay(runs, CONSTANT, span, (REAL, CIRCULAR)),
    )


def spectrum_1(runs: Runs) -> Entry:
    guided, free = runs[GUIDES].spectrum(SEGMENT_1), runs[NO_GUIDES].spectrum(SEGMENT_1)
    second = string_frequencies(runs[GUIDES].drive, SEGMENT_1, runs[GUIDES].mean[SEGMENT_1])[1]
    lower = highest(guided, 1.0, 40.0).frequency
    rows = (
        dominant(free, "without guides: dominant frequency", 3.8, gate=True),
        near(
            "without guides: compared with the moving string",
            "≈ 3.8 Hz",
            f"Eq. 4.27: {runs[NO_GUIDES].string(SEGMENT_1)[0]:.3f} Hz",
            highest(free, 1.0, 40.0).frequency,
            runs[NO_GUIDES].string(SEGMENT_1)[0],
            0.03,
            "Hz",
            "3 %",
            gate=True,
        ),
        tooth_line(free, "without guides: tooth frequency"),
        tooth_line(guided, "with guides: dominant frequency", 1.0),
        near(
            "with guides: highest below 40 Hz",
            "≈ 7.8 Hz",
            "7.8 Hz",
            lower,
            7.8,
            0.05,
            "Hz",
            "5 %",
            gate=True,
            why=WHY_BARS,
        ),
        near(
            "with guides: the same, compared with the second mode of the moving string",
            "≈ 7.8 Hz",
            f"Eq. 4.27: {second:.3f} Hz",
            lower,
            second,
            0.1,
            "Hz",
            "10 %: the bar holds 0.5 m of the span",
        ),
    )
    words = (
        "without guides the dominant frequency is approximately 3.8 Hz, and the tooth frequency of 81 Hz is seen; "
        "with guides the dominant frequency is 81 Hz, and there is a lower frequency of approximately 7.8 Hz."
    )
    remark = "With a bar in the middle, only the modes with a node there remain: the second mode and its multiples."
    marks = ((free, "without guides", (3.8, 81.0)), (guided, "with guides", (7.8, 81.0)))
    return Entry(
        "5.26",
        "spectrum of segment 1 without and with guides",
        words,
        rows,
        remark,
        spectra(tuple((in_mm(s), w, m) for s, w, m in marks), 100.0, "mm"),
    )


def spectrum_4(runs: Runs) -> Entry:
    guided, free = runs[GUIDES].spectrum(SEGMENT_4), runs[NO_GUIDES].spectrum(SEGMENT_4)
    run = runs[GUIDES]
    wheel = amplitude_spectrum(run.values("wheel_speed")[:, 2].astype(np.float64), 1.0 / run.case.rate)
    first, second = (highest(wheel, 0.9 * f, 1.1 * f).frequency for f in (6.6, 13.2))
    other = runs[TIGHTENER]
    more = above_centrifugal(other) / above_centrifugal(run)
    moved = amplitude_spectrum(other.values("wheel_speed")[:, 2].astype(np.float64), 1.0 / other.case.rate)
    tight = highest(moved, 0.93 * 7.6, 1.07 * 7.6).frequency
    rows = (
        line(free, "without guides: first", 2.6, gate=True),
        line(free, "without guides: second", 7.8, gate=True),
        tooth_line(free, "without guides: tooth frequency"),
        tooth_line(guided, "with guides: dominant frequency", 1.0),
        line(guided, "with guides: a lower line", 6.6, gate=True),
        line(guided, "with guides: another line", 13.2, gate=True),
        near(
            "with guides: the second divided by the first of these lines, in the speed of sprocket 3",
            "13.2/6.6 = 2",
            "2",
            second / first,
            2.0,
            0.01,
            "",
            "1 %",
            gate=True,
        ),
    )
    words = (
        "without guides the dominant frequencies are at approximately 2.6 Hz, 7.8 Hz and the tooth frequency of 81 "
        "Hz; with guides 81 Hz dominates, and the dominant lower frequencies are at approximately 6.6 and 13.2 Hz."
    )
    remark = (
        f"The lines at {first:.2f} and {second:.2f} Hz are not modes of the span and do not depend on the bars: they "
        f"occur in the speeds of the three driven sprockets and in all tensions, with and without guides. Their "
        f"frequencies follow the tension in excess of the centrifugal tension: with the tightener (Figure 5.40) this "
        f"is {more:.2f} times larger, and the frequencies of the pair are {tight / first:.2f} times higher, where "
        f"√{more:.2f} = {np.sqrt(more):.2f}. The sprockets would oscillate like this relative to the crankshaft if "
        f"their rollers roll in the concave seats, in which this tension holds them. In the displacement of the span "
        f"these lines are weak here, and at the beginning a mode between the bars is stronger "
        f"({highest(guided, 7.0, 12.0).frequency:.2f} Hz, dying out)."
    )
    marks = ((free, "without guides", (2.6, 7.8, 81.0)), (guided, "with guides", (6.6, 13.2, 81.0)))
    return Entry(
        "5.27",
        "spectrum of segment 4 without and with guides",
        words,
        rows,
        remark,
        spectra(tuple((in_mm(s), w, m) for s, w, m in marks), 100.0, "mm"),
    )


def link_constant(runs: Runs) -> Entry:
    free, guided = runs[NO_GUIDES], runs[GUIDES]
    rows = (
        near(
            "mean tension of segment 1, without guides",
            "≈ 70 kN",
            "70 kN",
            free.mean[0] / KILO,
            70.0,
            0.05,
            "kN",
            "5 %",
            gate=True,
        ),
        near(
            "mean tension of segment 1, with guides",
            "≈ 70 kN",
            "70 kN",
            guided.mean[0] / KILO,
            70.0,
            0.05,
            "kN",
            "5 %",
            gate=True,
        ),
        near(
            "largest link force, with guides divided by without",
            "“similar”",
            "1",
            float(guided.link_tension.max() / free.link_tension.max()),
            1.0,
            0.05,
            "",
            "5 %",
            gate=True,
        ),
    )
    words = (
        "the link force is similar with and without guides; with the given tightener the pre-tension is about 70 kN."
    )
    return Entry(
        "5.33",
        "link force without and with guides",
        words,
        rows,
        "",
        one(runs, tuple(reversed(CONSTANT)), "link_tension", "link force [kN]"),
    )


def contact_constant(runs: Runs) -> Entry:
    guided = float(runs[GUIDES].tooth_force.max()) / KILO
    rows = (
        near(
            "largest contact force without guides",
            "≈ 25 kN",
            "25 kN",
            constant_level(runs),
            25.0,
            0.1,
            "kN",
            "10 %: read from a figure",
            gate=True,
        ),
        near(
            "largest contact force with guides",
            "≈ 25 kN",
            "25 kN",
            guided,
            25.0,
            0.1,
            "kN",
            "10 %: read from a figure",
            gate=True,
        ),
    )
    run = runs[GUIDES]
    on_bar = np.where(run.contact_surface >= 4, run.contact_force, 0.0)
    remark = f"A roller is pressed against a guide with at most {number(float(on_bar.max()) / KILO)} kN."
    words = "the contact force is similar with and without guides; the largest is approximately 25 kN."
    return Entry(
        "5.35",
        "contact force without and with guides",
        words,
        rows,
        remark,
        one(runs, tuple(reversed(CONSTANT)), "contact_force", "contact force [kN]"),
    )
