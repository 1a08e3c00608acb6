"""The main table of the page about the marine drives: levels of tension."""

from __future__ import annotations

import numpy as np
from _cases import DISSIPATIVE
from _quantities import Outcome
from _rows import KILO, Row
from _signals import SEGMENT_1, SEGMENT_4

Outcomes = dict[str, Outcome]


def gate_rows(results: Outcomes) -> list[Row]:
    """Rows for the 6S90MC-C with friction 0.1 and joint damping 0.5 N m s, which are the strict gate."""
    rows = []
    for key, words in (("s90-gate", "velocity Verlet"), ("s90-gate-dormand-prince", "Dormand-Prince")):
        for span, number in ((SEGMENT_1, 1), (SEGMENT_4, 4)):
            rows.append(Row(f"mean tension of segment {number}, {words}", "≈ 70 kN", "71 kN",
                            results[key].mean[span] / KILO, 71.0, 1.42, "kN", "2 %", gate=True))  # fmt: skip
    return rows


def damping_rows(results: Outcomes) -> list[Row]:
    """Rows for the effects of friction, joint damping and the contact law on the 6S90MC-C."""
    rows = []
    for key, words, thesis, value, share in (
        ("s90-joint-5", "friction 0.1, joint damping 5 N m s", "≈ 70 kN", 67.5, 0.02),
        ("s90-friction", "friction 0.1 alone", "≈ 90 kN", 85.6, 0.02),
        ("s90-bare", "neither friction nor joint damping", "–", 90.5, 0.15),
    ):
        reason = f"{100 * share:g} % of the prototype" + ("; undamped" if share > 0.1 else "")
        rows.append(Row(f"mean tension of segment 1, {words}", thesis, f"{value:g} kN",
                        results[key].mean[SEGMENT_1] / KILO, value, share * value, "kN", reason,
                        why="undamped: several states (below)."))  # fmt: skip
    laws = np.array([results[f"s90-{law}-{memory}"].mean[SEGMENT_1] / KILO for law in DISSIPATIVE
                     for memory in ("stored", "reference")])  # fmt: skip
    for words, value in (("lowest", laws.min()), ("highest", laws.max())):
        words = f"{words} tension of segment 1 over {laws.size} damped contact laws"
        rows.append(Row(words, "–", "71 kN", float(value), 71.0,
                        0.71, "kN", "1 %; the prototype's spread was 0.3 kN", gate=True))  # fmt: skip
    return rows


def l60_rows(results: Outcomes) -> list[Row]:
    """Rows for the 6L60MC at 120 rpm without friction or joint damping, compared with the prototype."""
    rows = []
    table = (
        ("real", SEGMENT_1, 19.0, 18.9), ("real", SEGMENT_4, 20.0, 19.0),
        ("circular", SEGMENT_1, 25.0, 24.2), ("circular", SEGMENT_4, 26.0, 24.5),
    )  # fmt: skip
    for name, span, thesis, before in table:
        rows.append(Row(f"mean tension, {name} tooth, segment {span + 1}", f"{thesis:g} kN", f"prototype {before:g} kN",
                        results[f"l60-{name}"].mean[span] / KILO, before, 0.15 * before, "kN", "15 %: undamped",
                        gate=True))  # fmt: skip
    return rows
