"""The main table of the validation page: what the thesis says, what is expected, what comes out, and the verdict."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from _cases import DISSIPATIVE
from _pictures import binder_loads
from _quantities import SEGMENT_1, SEGMENT_4, Outcome, drive_route, highest, side_bands

KILO = 1e3
Outcomes = dict[str, Outcome]


class Row(NamedTuple):
    """One number of the page."""

    quantity: str
    thesis: str
    expected: str
    """What is compared with, in words: a formula, or the same number computed before."""
    ours: float
    reference: float
    """What ``ours`` is compared with; with ``bound`` the number it must stay below."""
    tolerance: float
    """In the unit of the quantity; for a bound not used."""
    unit: str
    reason: str
    """Where the tolerance comes from."""
    gate: bool = False
    bound: bool = False

    @property
    def difference(self) -> float:
        """What comes out minus the reference."""
        return self.ours - self.reference

    @property
    def within(self) -> bool:
        """True when the number is where it must be; a number that is not a number is not."""
        if self.bound:
            return bool(self.ours < self.reference)
        return bool(abs(self.difference) <= self.tolerance)


def gate_rows(results: Outcomes) -> list[Row]:
    """6S90MC-C with friction 0.1 and joint damping 0.5 N m s: the firm gate."""
    rows = []
    for key, words in (("s90-gate", "velocity Verlet"), ("s90-gate-dormand-prince", "Dormand-Prince")):
        for span, number in ((SEGMENT_1, 1), (SEGMENT_4, 4)):
            rows.append(Row(f"mean tension of segment {number}, {words}", "≈ 70 kN", "71 kN",
                            results[key].mean[span] / KILO, 71.0, 1.42, "kN", "2 %", gate=True))  # fmt: skip
    run = results["s90-gate"]
    spectra, tooth = run.spectrum, run.tooth
    resolution = spectra[SEGMENT_1].resolution
    for span, thesis, value, low, high, string in (
        (SEGMENT_1, "3.8 Hz", 3.9, 1.0, 40.0, run.string[SEGMENT_1][0]),
        (SEGMENT_4, "2.6 Hz", 2.6, 1.0, 40.0, run.string[SEGMENT_4][0]),
        (SEGMENT_4, "7.8 Hz", 7.8, 6.0, 10.0, run.string[SEGMENT_4][2]),
    ):
        found = highest(spectra[span], low, high).frequency
        mode = "third mode" if value == 7.8 else "first peak"
        rows.append(
            Row(
                f"{mode} of segment {span + 1}",
                thesis,
                f"{value:g} Hz",
                found,
                value,
                max(0.03 * value, resolution),
                "Hz",
                "3 %, at least the resolution of 10 s",
                gate=True,
            )
        )
        rows.append(Row(f"{mode} of segment {span + 1} against the moving string", thesis, f"Eq. 4.27: {string:.3f} Hz",
                        found, string, 0.03 * string, "Hz", "3 %", gate=True))  # fmt: skip
    for span in (SEGMENT_1, SEGMENT_4):
        found = highest(spectra[span], 60.0, 100.0).frequency
        rows.append(Row(f"tooth frequency in segment {span + 1}", "81 Hz", f"64 × 76/60 = {tooth:.3f} Hz", found, tooth,
                        resolution, "Hz", "resolution", gate=True))  # fmt: skip
    return rows


def damping_rows(results: Outcomes) -> list[Row]:
    """6S90MC-C: what friction, joint damping and the contact law do."""
    rows = []
    for key, words, thesis, value, share in (
        ("s90-joint-5", "friction 0.1, joint damping 5 N m s", "≈ 70 kN", 67.5, 0.02),
        ("s90-friction", "friction 0.1 alone", "≈ 90 kN", 85.6, 0.02),
        ("s90-bare", "neither friction nor joint damping", "–", 90.5, 0.15),
    ):
        reason = f"{100 * share:g} % of the prototype" + ("; undamped" if share > 0.1 else "")
        rows.append(Row(f"mean tension of segment 1, {words}", thesis, f"{value:g} kN",
                        results[key].mean[SEGMENT_1] / KILO, value, share * value, "kN", reason))  # fmt: skip
    found = results["s90-friction"].mean[SEGMENT_1] / KILO
    words = "mean tension of segment 1, friction 0.1 alone, against the thesis"
    rows.append(Row(words, "≈ 90 kN", "90 kN", found, 90.0, 9.0, "kN", "10 %: read from a figure"))  # fmt: skip
    laws = np.array([results[f"s90-{law}-{memory}"].mean[SEGMENT_1] / KILO for law in DISSIPATIVE
                     for memory in ("stored", "reference")])  # fmt: skip
    for words, value in (("lowest", laws.min()), ("highest", laws.max())):
        words = f"{words} tension of segment 1 over {laws.size} damped contact laws"
        rows.append(Row(words, "–", "71 kN", float(value), 71.0,
                        0.71, "kN", "1 %; the prototype's spread was 0.3 kN", gate=True))  # fmt: skip
    gate, moment = results["s90-gate"].contacts, results["s90-moment-5"].moment
    rows.append(Row("largest contact force", "≈ 25 kN", "25 kN", gate["largest"] / KILO, 25.0, 2.5, "kN",
                    "10 %: read from a figure", gate=True))  # fmt: skip
    rows.append(Row("largest joint moment, joint damping 5 N m s", "within ± 150 N m", "below 150 N m", moment, 150.0,
                    np.nan, "N m", "bound", gate=True, bound=True))  # fmt: skip
    bounce = results["s90-elastic-1"]
    largest = bounce.contacts["largest"] / KILO if bounce.contacts else np.nan
    rows.append(Row("largest contact force, restitution 1, no joint damping", "bounces to ≈ 100 kN", "100 kN", largest,
                    100.0, 100.0, "kN", "factor 2: one stay of one roller in a figure"))  # fmt: skip
    return rows


def window_rows(results: Outcomes) -> list[Row]:
    """When a roller is on which sprocket."""
    rows = []
    s90, tooth = results["s90-gate"].contacts, 1.0 / results["s90-gate"].tooth
    wraps, thesis = (
        (0.4325, 0.0754, 0.1814, 0.0725),
        ("8.75 … 9.20 s", "9.48 … 9.57 s", "9.65 … 9.85 s", "8.25 … 8.34 s"),
    )
    for wheel in range(4):
        stay = s90["stay"][wheel] * KILO
        rows.append(Row(f"6S90MC-C: stay on sprocket {wheel + 1}", thesis[wheel],
                        f"wrap/ω + ½ tooth = {wraps[wheel] * KILO + 0.5 * tooth * KILO:.1f} ms", stay,
                        wraps[wheel] * KILO + 0.5 * tooth * KILO, 0.5 * tooth * KILO, "ms",
                        "wrap/ω plus at most one tooth", gate=True))  # fmt: skip
    for wheel, late in ((0, 0.50), (1, 1.23), (2, 1.40)):
        rows.append(Row(f"6S90MC-C: from sprocket 4 to sprocket {wheel + 1}", f"{late:.2f} s", f"{late:.2f} s",
                        s90["lag"][wheel] * KILO, late * KILO, (tooth + 0.01) * KILO, "ms",
                        "one tooth and the reading, 10 ms", gate=True))  # fmt: skip
    for name in ("real", "circular"):
        run = results[f"l60-{name}-contacts"]
        tooth = 1.0 / run.tooth
        for wheel, words in ((0, "9.3 … 9.6 s"), (2, "9.8 … 9.9 s")):
            middle = (wrap_times(run)[wheel] + 0.5 * tooth) * KILO
            expected = f"wrap/ω + ½ tooth = {middle:.1f} ms"
            rows.append(Row(f"6L60MC, {name}: stay on sprocket {wheel + 1}", words, expected,
                            run.contacts["stay"][wheel] * KILO, middle, 0.5 * tooth * KILO, "ms",
                            "wrap/ω plus at most one tooth", gate=True))  # fmt: skip
    return rows


def wrap_times(run: Outcome) -> list[float]:
    """Time in which a sprocket turns by its wrap, by sprocket [s]."""
    drive = run.case.model
    wraps = drive_route(drive).wrap
    return [float(w) * wheel.teeth / (2.0 * np.pi * run.tooth) for w, wheel in zip(wraps, drive.wheels, strict=True)]


def l60_rows(results: Outcomes) -> list[Row]:
    """6L60MC at 120 rpm without friction or joint damping."""
    rows = []
    table = (
        ("real", SEGMENT_1, 19.0, 18.9, 5.1), ("real", SEGMENT_4, 20.0, 19.0, 4.5),
        ("circular", SEGMENT_1, 25.0, 24.2, 6.1), ("circular", SEGMENT_4, 26.0, 24.5, 5.2),
    )  # fmt: skip
    for name, span, thesis, before, peak in table:
        run, words = results[f"l60-{name}"], f"{name} tooth, segment {span + 1}"
        found = run.mean[span] / KILO
        rows.append(Row(f"mean tension, {words}", f"{thesis:g} kN", f"{thesis:g} kN", found, thesis, 0.3 * thesis, "kN",
                        "30 %: the level is not sharp in the data", gate=True))  # fmt: skip
        rows.append(Row(f"mean tension, {words}", f"{thesis:g} kN", f"prototype {before:g} kN", found, before,
                        0.15 * before, "kN", "15 %: undamped"))  # fmt: skip
        first, string = highest(run.spectrum[span], 1.0, 60.0).frequency, run.string[span]
        expected = f"Eq. 4.27: {string[0]:.3f} Hz"
        rows.append(Row(f"first peak, {words}, against the moving string", f"{peak:g} Hz", expected, first,
                        string[0], 0.03 * string[0], "Hz", "3 %", gate=True))  # fmt: skip
        rows.append(Row(f"first peak, {words}, against the thesis", f"{peak:g} Hz", f"{peak:g} Hz", first, peak,
                        0.03 * peak + 0.05, "Hz", "3 % and the reading, 0.05 Hz"))  # fmt: skip
    for name, mode, thesis in (("real", 3, 13.0), ("circular", 3, 15.5), ("circular", 5, 25.5)):
        run = results[f"l60-{name}"]
        string = run.string[SEGMENT_4][mode - 1]
        found = highest(run.spectrum[SEGMENT_4], 0.85 * string, 1.15 * string).frequency
        expected = f"Eq. 4.27: {string:.2f} Hz"
        words = "5 %" if mode == 3 else "5 %; undamped, broad"
        rows.append(Row(f"mode {mode} of segment 4, {name} tooth", f"{thesis:g} Hz", expected, found, string,
                        0.05 * string, "Hz", words, gate=mode == 3))  # fmt: skip
    for name, spread in (("real", 6.0), ("circular", 13.0)):
        run = results[f"l60-{name}"]
        low, middle, high = (x[SEGMENT_1] / KILO for x in (run.low, run.mean, run.high))
        rows.append(Row(f"amplitude of the mean link force of segment 1, {name} tooth", f"≤ {spread:g} kN",
                        f"{spread / 2:g} to {2 * spread:g} kN", float(max(high - middle, middle - low)), 1.25 * spread,
                        0.75 * spread, "kN", "factor 2 either way"))  # fmt: skip
    for name, thesis in (("real", (87, 153)), ("circular", (83, 157))):
        run = results[f"l60-{name}"]
        below, above = side_bands(run.spectrum[SEGMENT_4], run.tooth)
        words = f"side bands in segment 4, {name} tooth: {below:.1f} + {above:.1f} Hz"
        rows.append(Row(words, f"{thesis[0]} + {thesis[1]} Hz", f"2 × {run.tooth:g} Hz", below + above, 2.0 * run.tooth,
                        2.0 * run.spectrum[SEGMENT_4].resolution, "Hz", "resolution, twice",
                        gate=name == "real"))  # fmt: skip
        found = highest(run.spectrum[SEGMENT_4], run.tooth - 20.0, run.tooth + 20.0).frequency
        rows.append(Row(f"tooth frequency in segment 4, {name} tooth", "120 Hz", "60 × 2 = 120 Hz", found, run.tooth,
                        run.spectrum[SEGMENT_4].resolution, "Hz", "resolution", gate=True))  # fmt: skip
    return rows


def binder_rows(results: Outcomes) -> list[Row]:
    """Contact forces against Binder's formula on the two long wraps."""
    rows = []
    for name in ("real", "circular"):
        run = results[f"l60-{name}-contacts"]
        for wheel in (0, 2):
            rows.append(Row(f"contact forces on sprocket {wheel + 1}, {name} tooth: rms deviation from Binder",
                            "“in better agreement” with the real tooth", "0", binder_deviation(run, wheel), 0.2, np.nan,
                            "of the rms load", "bound 0.2", gate=True, bound=True))  # fmt: skip
    return rows


def binder_deviation(run: Outcome, wheel: int, corrected: bool = True) -> float:
    """Root mean square of (simulated - Binder) over that of Binder, without the rollers at either end of the wrap."""
    seats, loads = run.contacts["seats"][wheel], binder_loads(run, wheel, corrected)
    inner = slice(1, -1)
    return float(np.sqrt(np.mean((seats - loads)[inner] ** 2) / np.mean(loads[inner] ** 2)))
