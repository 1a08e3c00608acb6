"""Figures 5.28 to 5.32, 5.34 and 5.36: guide bars on the 6S90MC-C at oscillating speed."""

from __future__ import annotations

import numpy as np
from _rows import KILO, Row, below, near, number
from _signals import SEGMENT_1, SEGMENT_4, highest

from _pedersen.cases import GUIDES_OSCILLATING, NO_GUIDES, NO_GUIDES_OSCILLATING
from _pedersen.engine import constant_level, curves, dominant, in_mm, one, order_line, spectra, swing, within_factor
from _pedersen.entry import Entry
from _pedersen.runs import Runs

OSCILLATING = ((NO_GUIDES_OSCILLATING, "without guides"), (GUIDES_OSCILLATING, "with guides"))
WHY_STATE = "without guides the span has several states; amplitude, orders and initial state decide which one occurs."
AROUND = ((1.0, 2.8), (4.8, 6.6), (10.4, 12.4))
"""Frequency ranges of the lines near 1.9, 5.6 and 11.4 Hz. [Hz]"""


def entries(runs: Runs) -> list[Entry]:
    """Figures 5.28 to 5.32."""
    return [swing_1(runs), closer(runs), swing_4(runs), orders_1(runs), orders_4(runs)]


def forces(runs: Runs) -> list[Entry]:
    """Figures 5.34 and 5.36."""
    return [link_oscillating(runs), contact_oscillating(runs)]


def swing_1(runs: Runs) -> Entry:
    free, guided = swing(runs[NO_GUIDES_OSCILLATING], SEGMENT_1), swing(runs[GUIDES_OSCILLATING], SEGMENT_1)
    rows = (
        below(
            "oscillation with guides divided by that without",
            "“the guide-bars reduce the amplitude”",
            guided / free,
            1.0,
            gate=True,
        ),
    )
    remark = f"The root mean square is {free:.0f} mm without and {guided:.1f} mm with guides."
    words = "with an oscillating angular velocity the guide-bars reduce the amplitude of segment 1."
    return Entry(
        "5.28", "oscillation of segment 1, oscillating speed", words, rows, remark, curves(runs, OSCILLATING, SEGMENT_1)
    )


def closer(runs: Runs) -> Entry:
    run = runs[NO_GUIDES_OSCILLATING]
    x = np.convolve(run.outward(SEGMENT_1), np.full(5, 0.2), mode="valid") / KILO
    speed = np.gradient(x, 1.0 / run.case.rate)
    out, back = float(np.percentile(speed, 99.5)), float(-np.percentile(speed, 0.5))
    mean = float(x.mean()) * KILO
    # Away from the side on which the strand hangs on average the movement is the faster one.
    faster, slower = (back, out) if mean > 0.0 else (out, back)
    rows = (
        below(
            "speed of the span towards the side on which it hangs, divided by that away from it",
            "“changes faster” one way",
            slower / faster,
            1.0,
        ),
        below(
            "largest change of the speed from row to row divided by the largest speed",
            "“there is a horizontal tangent”",
            float(np.abs(np.diff(speed)).max() / np.abs(speed).max()),
            0.5,
            gate=True,
        ),
    )
    remark = (
        f"The span vibrates with the sixth order about a mean of {mean:+.0f} mm from the tangent: it may hang on "
        f"either side, and stays there or changes sides, depending on amplitude and initial state. It moves at up to "
        f"{faster:.1f} m/s in one direction and {slower:.1f} m/s in the other. So the asymmetry that the thesis "
        f"describes belongs to one of these states, and does not depend on the direction of release."
    )
    words = (
        "a closer look shows a horizontal tangent where the motion of the span reverses; the span changes faster "
        "from negative to positive displacement, with and without guides, perhaps because of the direction in which "
        "the sprocket releases the roller."
    )
    return Entry(
        "5.29",
        "oscillation of segment 1, oscillating speed, closer",
        words,
        rows,
        remark,
        curves(runs, OSCILLATING, SEGMENT_1, 1.0),
    )


def swing_4(runs: Runs) -> Entry:
    free, guided = runs[NO_GUIDES_OSCILLATING], runs[GUIDES_OSCILLATING]
    out = guided.outward(SEGMENT_4)
    rows = (
        below(
            "oscillation without guides divided by that with guides",
            "greater with the guide-bars",
            swing(free, SEGMENT_4) / swing(guided, SEGMENT_4),
            1.0,
            gate=True,
            why=WHY_STATE,
        ),
        below("with guides: largest displacement outward", "axis ends at 0.2 m", float(out.max()), 200.0, "mm"),
        below(
            "with guides: largest displacement inward", "axis ends at −0.1 m", float(-out.min()), 100.0, "mm", gate=True
        ),
        Row(
            "with guides: outward divided by inward",
            "the axis is drawn twice as far outward",
            "1.5 to 4",
            float(-out.max() / out.min()),
            2.75,
            1.25,
            "",
            "the axes of the figure",
        ),
    )
    remark = (
        f"The root mean square is {swing(free, SEGMENT_4):.0f} mm without and {swing(guided, SEGMENT_4):.0f} mm "
        f"with guides: "
        "the bars are on one side only, and the span bounces off them to the outside."
    )
    words = (
        "with guide-bars the amplitude of segment 4 is greater than without. The printed axes go from −0.1 to 0.2 m."
    )
    return Entry(
        "5.30", "oscillation of segment 4, oscillating speed", words, rows, remark, curves(runs, OSCILLATING, SEGMENT_4)
    )


def orders_1(runs: Runs) -> Entry:
    rows: list[Row] = []
    for key, words in OSCILLATING:
        spectrum = runs[key].spectrum(SEGMENT_1)
        rows.append(dominant(spectrum, f"{words}: dominant frequency", 7.6, gate=key == NO_GUIDES_OSCILLATING))
        for order, thesis in ((12, 15.2), (18, 22.9)):
            rows.append(
                order_line(spectrum, f"{words}: order {order}", order, thesis, gate=key == NO_GUIDES_OSCILLATING)
            )
    guided = runs[GUIDES_OSCILLATING].spectrum(SEGMENT_1)
    free = runs[NO_GUIDES_OSCILLATING].spectrum(SEGMENT_1)
    share = [highest(s, 1.0, 7.0).amplitude / highest(s, 7.2, 8.0).amplitude for s in (free, guided)]
    rows.append(
        below(
            "highest line below 7 Hz relative to that at 7.6 Hz, without guides divided by with guides",
            "lower frequencies occur with guides",
            share[0] / share[1],
            1.0,
            gate=True,
        )
    )
    words = (
        "with and without guides the dominant frequency is approximately 7.6 Hz, the sixth order; peaks at "
        "approximately 15.2 and 22.9 Hz are seen in both; with guides some lower frequencies occur."
    )
    panels = tuple((in_mm(runs[key].spectrum(SEGMENT_1)), name, (7.6, 15.2, 22.9)) for key, name in OSCILLATING)
    return Entry(
        "5.31", "spectrum of segment 1, oscillating speed", words, tuple(rows), "", spectra(panels, 50.0, "mm")
    )


def orders_4(runs: Runs) -> Entry:
    free, guided = (runs[key].spectrum(SEGMENT_4) for key, _ in OSCILLATING)
    alone = runs["s90-oscillating-alone"].spectrum(SEGMENT_4)
    rows = [
        dominant(guided, "with guides: dominant frequency", 7.6, gate=True),
        order_line(guided, "with guides: order 12", 12, 15.2, gate=True),
        order_line(guided, "with guides: order 15", 15, 19.0, why="no line there with the bars of this example."),
    ]
    lines, lines_alone = ([highest(s, *around).frequency for around in AROUND] for s in (free, alone))
    for value, found in zip((1.9, 5.6, 11.4), lines, strict=True):
        rows.append(
            near(
                f"without guides: highest around {value:g} Hz",
                f"≈ {value:g} Hz",
                f"{value:g} Hz",
                found,
                value,
                0.1,
                "Hz",
                "10 %",
                why=WHY_STATE,
            )
        )
    rows.append(
        near(
            "without guides: sum of the two lowest of these",
            "1.9 + 5.6 = 7.5 Hz",
            "7.6 Hz, the sixth order",
            lines[0] + lines[1],
            7.6,
            0.05,
            "Hz",
            "5 %: broad lines",
        )
    )
    remark = (
        "The thesis calls 1.9, 5.6 and 11.4 Hz unrelated to the excitation. They are related to it: the sixth order "
        f"stretches the span, and the frequencies of two modes of the span, here {lines[0]:.2f} and {lines[1]:.2f} "
        "Hz, add up to that of the sixth order, which is a combination resonance; 11.4 Hz is one and a half times "
        "7.6 Hz. The same may apply to the 19 Hz that the thesis takes for the fifteenth order, because this is two "
        "and a half times 7.6 Hz; without guides there is a line at "
        f"{highest(free, 18.4, 19.6).frequency:.2f} Hz although the substitute has no order 15. With the sixth order "
        f"alone the three lines are at {', '.join(f'{value:.2f}' for value in lines_alone)} Hz. Their exact "
        "frequencies depend on the state of the span."
    )
    words = (
        "with guides the dominant frequency is approximately 7.6 Hz, with peaks at the higher frequencies of 15.2 "
        "Hz (order 12) and 19 Hz (order 15); without guides the dominant frequencies are approximately 1.9, 5.6 "
        "and 11.4 Hz, none of which is directly related to the excitation."
    )
    panels = ((in_mm(free), "without guides", (1.9, 5.6, 11.4)), (in_mm(guided), "with guides", (7.6, 15.2, 19.0)))
    return Entry(
        "5.32", "spectrum of segment 4, oscillating speed", words, tuple(rows), remark, spectra(panels, 50.0, "mm")
    )


def link_oscillating(runs: Runs) -> Entry:
    free, guided = runs[NO_GUIDES_OSCILLATING], runs[GUIDES_OSCILLATING]
    largest = [float(run.link_tension.max()) / 1e6 for run in (free, guided)]
    constant = float(runs[NO_GUIDES].link_tension.max()) / 1e6
    rows = (
        within_factor(
            "largest link force without guides (used to choose the amplitude)",
            "≈ 1.8 MN",
            largest[0],
            1.8,
            "MN",
            gate=False,
        ),
        within_factor("largest link force with guides", "≈ 1.2 MN", largest[1], 1.2, "MN"),
        below(
            "largest link force, with guides divided by without",
            "1.2/1.8 = 0.67",
            largest[1] / largest[0],
            1.0,
            gate=True,
        ),
    )
    remark = (
        f"The guides reduce the force more than in the thesis (to {largest[1] / largest[0]:.2f} instead of 0.67 "
        f"times the force without guides). The thesis adds that the force is “approximately twice” that at constant "
        f"speed. This is probably a slip of the pen: its 1.8 MN is about twenty times the 80 kN of Figure 5.33, our "
        f"force is {largest[0] / constant:.0f} times as large, and the contact forces in the thesis also grow “more "
        f"than ten to twenty times”."
    )
    words = "the maximal link force is approximately 1.8 MN without guides and approximately 1.2 MN with them."
    return Entry(
        "5.34",
        "link force, oscillating speed",
        words,
        rows,
        remark,
        one(runs, OSCILLATING, "link_tension", "link force [kN]"),
    )


def contact_oscillating(runs: Runs) -> Entry:
    free, guided = runs[NO_GUIDES_OSCILLATING], runs[GUIDES_OSCILLATING]
    ours = [run.largest_of_one(run.tooth_force) / KILO for run in (free, guided)]
    whole = [float(run.tooth_force.max()) / KILO for run in (free, guided)]
    rows = (
        within_factor("without guides: largest of all rollers in 20 s", "≈ 400 kN", whole[0], 400.0, "kN"),
        within_factor(
            "without guides: median of the rollers' largest in 5 s", "≈ 400 kN", ours[0], 400.0, "kN", gate=False
        ),
        within_factor("with guides: largest of all rollers in 20 s", "≈ 200 kN", whole[1], 200.0, "kN"),
        within_factor(
            "with guides: median of the rollers' largest in 5 s", "≈ 200 kN", ours[1], 200.0, "kN", gate=False
        ),
        below("with guides divided by without", "200/400 = 0.5", ours[1] / ours[0], 1.0, gate=True),
        Row(
            "without guides: largest divided by that at constant speed",
            "“more than ten to twenty times larger”",
            "7 to 20",
            ours[0] / constant_level(runs),
            13.5,
            6.5,
            "",
            "16 and 8 according to the numbers in the thesis",
        ),
    )
    on_bar = np.where(guided.contact_surface >= 4, guided.contact_force, 0.0)
    remark = (
        "A figure shows one roller for 5 s; the median of all rollers is the best comparison. A roller is pressed "
        f"against a guide with up to {number(float(on_bar.max()) / KILO)} kN, and with 3 MN/m^1.5 it sinks "
        f"{KILO * (float(on_bar.max()) / 3e6) ** (2 / 3):.0f} mm into it: rubber as soft as in the thesis cannot "
        f"hold this span, in the model of the thesis or in ours."
    )
    words = (
        "the maximal contact force is approximately 400 kN without guides and approximately 200 kN with them, more "
        "than ten to twenty times that at constant speed."
    )
    return Entry(
        "5.36",
        "contact force, oscillating speed",
        words,
        rows,
        remark,
        one(runs, OSCILLATING, "contact_force", "contact force [kN]"),
    )
