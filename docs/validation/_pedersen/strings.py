"""Figures 5.48 to 5.50: natural frequencies of the spans of the 6S90MC-C versus speed, by formulas only."""

from __future__ import annotations

import numpy as np
from _drawing import grid
from _rows import KILO, Row, number, table

from _pedersen.entry import Entry
from chaindrive.analyses.analytical.formulas import moving_string_frequency, string_resonance_speed
from chaindrive.mechanism.facts import drive_facts
from chaindrive.model import example
from chaindrive.plots.style import styled, wheel_colour

BREAKING_LOAD = 2002.0 * KILO
"""P_b of the thesis, used with the mass of the doubled chain (13.6 kg per link). [N]"""
FRACTIONS = (5, 10, 25, 30, 35, 40, 45)
MARKS = "*osD+^x"
DRIVE = example("6s90mc-c")
RATED = 76.0 / 60.0
"""Maximum continuous rating. [rev/s]"""
TURN = DRIVE.wheels[0].teeth * DRIVE.chain.pitch
"""Travel of the chain per revolution of the crankshaft. [m]"""
DENSITY = DRIVE.chain.link_mass / DRIVE.chain.pitch
LENGTHS = drive_facts(DRIVE).route.span_length
HALF, ORDER, TEETH = 3.0, 6.0, float(DRIVE.wheels[0].teeth)
"""Excitations per revolution: half the sixth order, the sixth order, the teeth."""
WAY_OF_COUNTING = "percent of 76 rpm"
WHY_SEGMENT_3 = "the thesis reads one value between the two limits off a figure."


def crossing(segment: int, fraction: float, per_turn: float, relaxation: float) -> float:
    """Speed at which the frequency of an excitation equals the first string frequency of a segment [% of the
    rating].
    """
    tension, wavenumber = BREAKING_LOAD / fraction, 2.0 * np.pi * per_turn / TURN
    speed = string_resonance_speed(LENGTHS[segment - 1], tension, DENSITY, wavenumber, 1, relaxation)
    return 100.0 * float(speed) / (RATED * TURN)


def entries() -> list[Entry]:
    """Figures 5.48 to 5.50."""
    return [fan(), one_tension(), other_segments()]


def fan() -> Entry:
    lines = [
        [f"1/{fraction}", number(BREAKING_LOAD / fraction / KILO, 4),
         *(number(crossing(1, fraction, per_turn, eta), 4) for per_turn in (HALF, ORDER, TEETH) for eta in (0.0, 1.0))]
        for fraction in FRACTIONS
    ]  # fmt: skip
    remark = (
        "The table gives the speeds, in per cent of 76 rpm, at which segment 1 is in resonance (relaxation 0: the "
        "given tension is that in the links; relaxation 1: it is the static tension):\n\n"
        + table(["tension / P_b", "[kN]", "half 6th order, η = 0", "η = 1", "6th order, η = 0", "η = 1", "teeth, η = 0",
                 "η = 1"], lines)
        + "\n\nP_b = 2002 kN is used with the mass of the doubled chain, which reproduces the crossings in the thesis."
    )  # fmt: skip
    words = (
        "natural frequency of segment 1 (Eq. 4.27) versus speed for seven pre-tensions and relaxation factors 0 and "
        "1, together with the tooth frequency, the sixth order and half the sixth order; the figure shows curves "
        "without numbers."
    )
    return Entry("5.48", "natural frequency of segment 1 for seven tensions", words, (), remark, _draw((1,), FRACTIONS))


def _between(
    quantity: str, thesis: str, segment: int, per_turn: float, low: float, high: float, reason: str
) -> list[Row]:
    found = [crossing(segment, 25, per_turn, eta) for eta in (0.0, 1.0)]
    return [
        Row(f"{quantity}, η = {eta}", thesis, f"{value:g} %", ours, value, 0.5, "%", reason,
            gate=True)
        for eta, ours, value in zip((0, 1), found, (low, high), strict=True)
    ]  # fmt: skip


def one_tension() -> Entry:
    rounding = "rounding of the thesis"
    rows = _between("half the sixth order", "107 … 116 % of 76 rpm", 1, HALF, 107.0, 116.0, rounding)
    rows += _between("teeth", "≈ 6 %", 1, TEETH, 6.0, 6.0, rounding)
    rows += [
        Row(f"sixth order, η = {eta:g}", "≈ 60 %", "60 %", crossing(1, 25, ORDER, eta), 60.0, 2.0, "%",
            "read from a figure", gate=True)
        for eta in (0.0, 1.0)
    ]  # fmt: skip
    words = (
        "at P_b/25 the resonance with half the sixth order is at 107 to 116 % of the rated speed, depending on the "
        "relaxation; that with the teeth is at approximately 6 %, and that with the sixth order at approximately 60 "
        "%. The first of these is called the most critical."
    )
    return Entry("5.49", "natural frequency of segment 1 at P_b/25", words, tuple(rows), "", _draw((1,), (25,)))


def other_segments() -> Entry:
    rows = []
    for segment, thesis in ((3, 93.0), (4, 42.0)):
        found = [crossing(segment, 25, ORDER, eta) for eta in (0.0, 1.0)]
        middle, half = 0.5 * sum(found), 0.5 * abs(found[1] - found[0])
        quantity, reason = f"segment {segment}: sixth order, middle of η = 0 and 1", "half the distance between "
        "them, and rounding"
        rows.append(
            Row(quantity, f"≈ {thesis:g} %", f"{thesis:g} %", middle, thesis, half + 0.5, "%", reason, gate=True)
        )
    least = min(crossing(2, 25, per_turn, eta) for per_turn in (HALF, ORDER) for eta in (0.0, 1.0))
    rows.append(Row("segment 2: lowest crossing", "above 100 %", "100 to 300 %", least, 200.0, 100.0, "%",
                    "bound", gate=True))  # fmt: skip
    lines = [
        [str(segment), *(number(crossing(segment, 25, per_turn, eta), 4) for per_turn in (HALF, ORDER)
                         for eta in (0.0, 1.0))]
        for segment in (2, 3, 4)
    ]  # fmt: skip
    remark = (
        "The table gives the crossings in per cent of 76 rpm:\n\n"
        + table(["segment", "half 6th order, η = 0", "η = 1", "6th order, η = 0", "η = 1"], lines)
        + "\n\nThe text of the thesis announces the crossing with half the sixth order as the most critical; but the "
        "93 % and 42 % that it then gives for segments 3 and 4 are crossings with the full sixth order. The "
        "crossings with half the order are in the second and third columns."
    )
    words = (
        "at P_b/25 resonance is reached above the rated speed for segment 2, at approximately 93 % for segment 3 and "
        "at approximately 42 % for segment 4."
    )
    return Entry(
        "5.50", "natural frequency of segments 2 to 4 at P_b/25", words, tuple(rows), remark, _draw((2, 3, 4), (25,))
    )


@styled
def _draw(segments: tuple[int, ...], fractions: tuple[int, ...]):
    figure, axes_of = grid(1, len(segments), 8.5 if len(segments) == 1 else 11.0, 4.2, sharey=True)
    percent = np.linspace(1.0, 150.0, 300)
    pace = percent / 100.0 * RATED
    for axes, segment in zip(axes_of[0], segments, strict=True):
        for k, fraction in enumerate(fractions):
            colour = wheel_colour(k) if k < 6 else "#22303C"
            for eta, line in ((0.0, "-"), (1.0, ":")):
                length, tension = LENGTHS[segment - 1], BREAKING_LOAD / fraction
                frequency = moving_string_frequency(1, length, tension, DENSITY, pace * TURN, eta)
                axes.plot(percent, frequency, line, color=colour, marker=MARKS[k], markevery=40, ms=4.5,
                          label=f"P_b/{fraction}" if eta == 0.0 else None)  # fmt: skip
        for per_turn, words, line in (
            (TEETH, "teeth", (0, (1, 3))),
            (ORDER, "6th order", "-."),
            (HALF, "half of it", "--"),
        ):
            axes.plot(percent, per_turn * pace, color="#7A868F", ls=line, lw=1.2, label=words)
        axes.set(xlabel="speed [% of 76 rpm]", xlim=(0, 150), ylim=(0, 16), title=f"segment {segment}")
    axes_of[0, 0].set_ylabel("natural frequency [Hz]")
    axes_of[0, 0].legend(fontsize=8, ncols=5 if len(segments) == 1 else 2, loc="upper center")
    return figure
