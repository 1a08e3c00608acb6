"""Figures 5.38 to 5.47: the tightener of the 6S90MC-C, with guides, at constant and oscillating speed."""

from __future__ import annotations

import numpy as np
from _drawing import REAL, grid
from _rows import KILO, Row, below, near
from _signals import SEGMENT_1, averaged_spectrum, highest, string_frequencies

from _pedersen.cases import FREE_STRANDS, GUIDES, GUIDES_OSCILLATING, TIGHTENER, TIGHTENER_OSCILLATING
from _pedersen.engine import (
    above_centrifugal,
    curves,
    dominant,
    line,
    one,
    order_line,
    spectra,
    swing,
    tooth_line,
    within_factor,
)
from _pedersen.entry import Entry
from _pedersen.runs import Run, Runs
from chaindrive.analyses.analytical.formulas import centrifugal_tension
from chaindrive.mechanism.facts import drive_facts
from chaindrive.plots.style import styled

BOTH = ((TIGHTENER, "constant speed"), (TIGHTENER_OSCILLATING, "oscillating speed"))
PLACE = (0.334, 4.749)
"""Centre of sprocket 3 in static equilibrium, as printed. [m]"""
WHY_PAIR = (
    "it follows the tension (see Figure 5.27): at the 90 kN of the thesis instead of the {tension:.1f} kN here it "
    "would be at {there:.2f} Hz."
)
WHY_HANGS = (
    "a span that is pressed by a bar at 5 mm is at 5 mm less the deflection of the bar, and never beyond. A "
    "displacement of 5.2 to 6.2 mm is typical of a span that hangs freely: it is {free:.1f} mm without guides here "
    "(to the inside), and the sag of this span at 90 kN, ρ g sin(slope) L²/8 divided by T − ρV², is {sag:.1f} mm. "
    "In the figure, segment 1 does not seem to touch its guide."
)
WHY_FREE = (
    "a span that is held by its bar has no first mode; the strongest line is that of the arm. Without guides the first "
    "mode is at {free:.2f} Hz (moving string {string:.2f} Hz). At the 90 kN of the thesis it would be at {there:.2f} "
    "Hz; 5.1 Hz would need {need:.0f} kN."
)


def entries(runs: Runs) -> list[Entry]:
    """Figures 5.38 to 5.47."""
    return [arm(runs, "5.38"), arm(runs, "5.39"), arm_spectrum(runs), strand(runs, "5.41"), strand(runs, "5.42"),
            strand_spectrum(runs), link(runs, "5.44"), link(runs, "5.45"), contact(runs, "5.46"),
            contact(runs, "5.47")]  # fmt: skip


def arm_x(run: Run) -> np.ndarray:
    """x of the centre of mass of the weight arm. [mm]"""
    return run.values("body_position")[:, 0, 0].astype(np.float64) * KILO


def arm(runs: Runs, figure: str) -> Entry:
    steady, engine = (arm_x(runs[key]) for key, _ in BOTH)
    run = runs[TIGHTENER]
    title, words, rows = "x of the weight arm, oscillating speed", "the amplitude is larger than at constant speed.", ()
    remark = (
        f"The standard deviation is {engine.std():.2f} mm and the range {np.ptp(engine):.1f} mm; at constant speed "
        f"they are {steady.std() * KILO:.1f} µm and {np.ptp(steady) * KILO:.0f} µm."
    )
    if figure == "5.38":
        title, words = (
            "x of the weight arm, constant speed",
            (
                "the oscillation of the arm is shown; in static equilibrium the centre of sprocket 3 is at (0.334, "
                "4.749) m."
            ),
        )
        place = run.solution.values("wheel_position")[0, 2]
        away = float(np.hypot(*(place - np.array(PLACE)))) * KILO
        rows = (
            below(
                "centre of sprocket 3 at rest: distance from the printed position",
                "(0.334, 4.749) m",
                away,
                0.71,
                "mm",
                gate=True,
            ),
            near(
                "mean x of the arm's centre of mass",
                "0.1975 m in the drawing",
                "197.5 mm",
                float(steady.mean()),
                197.5,
                1.0 / 197.5,
                "mm",
                "the arm turns by less than a degree",
                gate=True,
            ),
        )
        remark = (
            f"At rest the centre is at ({place[0]:.5f}, {place[1]:.5f}) m; the bound corresponds to half a "
            f"millimetre in both coordinates. The spring force is "
            f"{-runs[TIGHTENER].values('tensioner_force').mean() / KILO:.1f} kN instead of the 60 kN in the drawing."
        )
    else:
        rows = (
            below(
                "range at constant speed divided by that at oscillating speed",
                "smaller",
                float(np.ptp(steady) / np.ptp(engine)),
                1.0,
                gate=True,
            ),
        )
    key = TIGHTENER if figure == "5.38" else TIGHTENER_OSCILLATING
    return Entry(figure, title, words, rows, remark, _draw_arm(runs[key]))


@styled
def _draw_arm(run: Run):
    figure, axes_of = grid(1, 1, 8.5, 2.8)
    last = slice(-round(5.0 * run.case.rate) - 1, None)
    axes_of[0, 0].plot(run.time[last], arm_x(run)[last], color=REAL, lw=0.6)
    axes_of[0, 0].set(xlabel="time [s]", ylabel="x of the arm [mm]", xlim=(run.time[last][0], run.time[-1]))
    axes_of[0, 0].ticklabel_format(useOffset=False)
    return figure


def arm_spectrum(runs: Runs) -> Entry:
    steady, engine = (averaged_spectrum(arm_x(runs[key]), 1e-3) for key, _ in BOTH)
    first = highest(steady, 7.0, 8.2).frequency
    run = runs[TIGHTENER]
    # It goes with the root of the tension above the centrifugal one.
    there = first * float(np.sqrt(1.0 + (90e3 - run.mean[0]) / above_centrifugal(run)))
    why = WHY_PAIR.format(tension=runs[TIGHTENER].mean[0] / KILO, there=there)
    rows = (
        line(steady, "constant speed: a line", 7.6, 0.05, gate=True, why=why),
        line(steady, "constant speed: another line", 15.2, 0.05, gate=True, why=why),
        near(
            "constant speed: the second divided by the first",
            "15.2/7.6 = 2",
            "2",
            highest(steady, 14.0, 16.4).frequency / first,
            2.0,
            0.01,
            "",
            "1 %",
            gate=True,
        ),
        near(
            "constant speed: the first, converted to 90 kN",
            "≈ 7.6 Hz",
            "7.6 Hz",
            there,
            7.6,
            0.03,
            "Hz",
            "3 %",
            gate=True,
        ),
        tooth_line(steady, "constant speed: tooth frequency"),
        dominant(engine, "oscillating speed: dominant frequency", 7.6, gate=True),
        order_line(engine, "oscillating speed: order 12", 12, 15.2, gate=True),
    )
    remark = (
        f"At constant speed there is no excitation at 7.6 Hz. The pair of {first:.2f} and "
        f"{highest(steady, 14.0, 16.4).frequency:.2f} Hz is the pair that occurs at a lower tension in Figure 5.27; "
        f"that the thesis finds it at the sixth order is a coincidence. The strongest line here, "
        f"{highest(steady, 9.0, 13.0).frequency:.2f} Hz, is not mentioned in the thesis."
    )
    words = (
        "at constant speed the dominant frequencies are approximately 7.6 and 15.2 Hz, and the tooth frequency of "
        "81 Hz is seen; at oscillating speed they are approximately 7.6 Hz, the sixth order, and 15.2 Hz."
    )
    panels = ((steady, "constant speed", (7.6, 15.2, 81.0)), (engine, "oscillating speed", (7.6, 15.2)))
    return Entry("5.40", "spectrum of the weight arm", words, rows, remark, spectra(panels, 100.0, "mm"))


def hanging(run: Run, tension: float) -> float:
    """Sag of segment 1 under the transverse component of its weight, at a tension [N] of the moving chain. [m]"""
    way, chain = drive_facts(run.drive).route, run.drive.chain
    across = abs(float(np.dot(run.drive.gravity, way.span_direction[SEGMENT_1] @ np.array([[0.0, 1.0], [-1.0, 0.0]]))))
    density = chain.link_mass / chain.pitch
    carried = tension - float(centrifugal_tension(density, run.speed))
    return density * across * float(way.span_length[SEGMENT_1]) ** 2 / (8.0 * carried)


def strand(runs: Runs, figure: str) -> Entry:
    steady, engine = (runs[key] for key, _ in BOTH)
    if figure == "5.41":
        free = float(np.abs(runs[FREE_STRANDS].outward(SEGMENT_1).mean()))
        out = steady.outward(SEGMENT_1)
        why = WHY_HANGS.format(free=free, sag=hanging(steady, 90e3) * KILO)
        rows = (
            Row(
                "mean displacement of segment 1",
                "axis from 5.2 to 6.2 mm",
                "5.7 mm",
                float(out.mean()),
                5.7,
                0.5,
                "mm",
                "the axis",
                why=why,
            ),
            Row(
                "without guides: absolute value of the mean displacement",
                "axis from 5.2 to 6.2 mm",
                "5.7 mm",
                free,
                5.7,
                0.5,
                "mm",
                "the axis",
            ),
            below("range of the displacement", "1 mm according to the axis", float(np.ptp(out)), 1.0, "mm", gate=True),
        )
        words = "the oscillation is shown; the printed axis goes from 5.2 to 6.2 mm."
        return Entry(
            figure,
            "oscillation of segment 1 with the tightener, constant speed",
            words,
            rows,
            "",
            curves(runs, (BOTH[0], (FREE_STRANDS, "the same without guides")), SEGMENT_1, 2.0),
        )
    rows = (
        below(
            "oscillation at constant speed divided by that at oscillating speed",
            "larger when oscillating",
            swing(steady, SEGMENT_1) / swing(engine, SEGMENT_1),
            1.0,
            gate=True,
        ),
    )
    words = "the oscillations are larger with an oscillating angular velocity than with a constant one."
    return Entry(
        figure,
        "oscillation of segment 1 with the tightener, oscillating speed",
        words,
        rows,
        "",
        curves(runs, (BOTH[1],), SEGMENT_1),
    )


def strand_spectrum(runs: Runs) -> Entry:
    steady, engine = (runs[key].spectrum(SEGMENT_1) for key, _ in BOTH)
    loose = runs[FREE_STRANDS]
    free = highest(loose.spectrum(SEGMENT_1), 1.0, 40.0).frequency
    string = loose.string(SEGMENT_1)[0]
    levels = np.arange(50e3, 150e3, 100.0)
    of_level = np.array([string_frequencies(loose.drive, SEGMENT_1, level)[0] for level in levels])
    why = WHY_FREE.format(
        free=free,
        string=string,
        there=float(np.interp(90e3, levels, of_level)),
        need=float(np.interp(5.1, of_level, levels)) / KILO,
    )
    rows = (
        tooth_line(steady, "constant speed: tooth frequency"),
        near(
            "constant speed: highest below 40 Hz",
            "≈ 5.1 Hz",
            "5.1 Hz",
            highest(steady, 1.0, 40.0).frequency,
            5.1,
            0.05,
            "Hz",
            "5 %",
            why=why,
        ),
        near(
            "constant speed without guides: highest below 40 Hz",
            "≈ 5.1 Hz",
            "5.1 Hz",
            free,
            5.1,
            0.05,
            "Hz",
            "5 %",
            why=why,
        ),
        near(
            "constant speed without guides: compared with the moving string",
            "≈ 5.1 Hz",
            f"Eq. 4.27: {string:.3f} Hz",
            free,
            string,
            0.03,
            "Hz",
            "3 %",
            gate=True,
        ),
        dominant(
            engine,
            "oscillating speed: dominant frequency",
            7.6,
            why="there are several lines of similar height, because the span is held by its bar.",
        ),
        order_line(engine, "oscillating speed: order 12", 12, 15.2),
    )
    words = (
        "at constant speed the dominant frequency is approximately 5.1 Hz, and the tooth frequency of 81 Hz is "
        "seen; at oscillating speed it is approximately 7.6 Hz, with a peak at 15.2 Hz."
    )
    panels = tuple(
        (s._replace(amplitude=s.amplitude * KILO), w, m)
        for s, w, m in ((steady, "constant speed", (5.1, 81.0)), (engine, "oscillating speed", (7.6, 15.2)))
    )
    return Entry("5.43", "spectrum of segment 1 with the tightener", words, rows, "", spectra(panels, 100.0, "mm"))


def link(runs: Runs, figure: str) -> Entry:
    if figure == "5.44":
        tension = runs[TIGHTENER].mean[0] / KILO
        rows = (
            near(
                "mean tension of segment 1",
                "≈ 90 kN",
                "90 kN",
                tension,
                90.0,
                0.1,
                "kN",
                "10 %: read from a figure",
                gate=True,
            ),
            below(
                "tension with the tightener fixed, divided by that with the tightener free",
                "different from Figure 5.33 (70/90)",
                runs[GUIDES].mean[0] / KILO / tension,
                1.0,
                gate=True,
            ),
        )
        words = "the pre-tension is approximately 90 kN, which differs from that with a fixed tightener."
        return Entry(
            figure,
            "link force with the tightener, constant speed",
            words,
            rows,
            "",
            one(runs, (BOTH[0],), "link_tension", "link force [kN]"),
        )
    ours = float(runs[TIGHTENER_OSCILLATING].link_tension.max()) / 1e6
    fixed = float(runs[GUIDES_OSCILLATING].link_tension.max()) / 1e6
    rows = (
        within_factor("largest link force", "≈ 0.8 MN", ours, 0.8, "MN"),
        below("largest link force divided by that with a fixed tightener", "0.8/1.2 = 0.67", ours / fixed, 1.0),
    )
    words = "the magnitude and the pattern of the link force change; its maximum is approximately 0.8 MN."
    return Entry(
        figure,
        "link force with the tightener, oscillating speed",
        words,
        rows,
        "",
        one(runs, (BOTH[1],), "link_tension", "link force [kN]"),
    )


def contact(runs: Runs, figure: str) -> Entry:
    if figure == "5.46":
        largest = float(runs[TIGHTENER].tooth_force.max()) / KILO
        rows = (
            near(
                "largest contact force",
                "≈ 35 kN",
                "35 kN",
                largest,
                35.0,
                0.1,
                "kN",
                "10 %: read from a figure",
                gate=True,
            ),
        )
        words = "the contact force is similar to that with the tightener fixed; the largest is approximately 35 kN."
        return Entry(
            figure,
            "contact force with the tightener, constant speed",
            words,
            rows,
            "",
            one(runs, (BOTH[0],), "contact_force", "contact force [kN]"),
        )
    run = runs[TIGHTENER_OSCILLATING]
    median = run.largest_of_one(run.tooth_force) / KILO
    rows = (
        within_factor("largest of all rollers in 20 s", "≈ 160 kN", float(run.tooth_force.max()) / KILO, 160.0, "kN"),
        within_factor("median of the rollers' largest in 5 s", "≈ 160 kN", median, 160.0, "kN", gate=False),
    )
    remark = ""
    words = "the contact force is similar to that with the tightener fixed; its maximum is approximately 160 kN."
    return Entry(
        figure,
        "contact force with the tightener, oscillating speed",
        words,
        rows,
        remark,
        one(runs, (BOTH[1],), "contact_force", "contact force [kN]"),
    )
