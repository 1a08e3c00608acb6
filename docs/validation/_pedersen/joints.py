"""Figures 5.21 to 5.23: damping of the joints on the 6S90MC-C."""

from __future__ import annotations

import numpy as np
from _drawing import REAL, THESIS, grid
from _rows import KILO, Row, below, near, number, table
from _signals import SEGMENT_1, highest, joint_moments

from _pedersen.entry import Entry
from _pedersen.runs import ROLLER, Runs
from _pedersen.teeth import label, variation
from chaindrive.plots.style import styled

SERIES = (("friction", "without joint damping"), ("joint-0.5", "0.5 N m s/rad"), ("joint-5", "5 N m s/rad"))
SHOWN = 10.0
"""Length of the time shown [s], as in the thesis."""


def entries(runs: Runs) -> list[Entry]:
    """Figures 5.21 to 5.23."""
    return [moment(runs), oscillation(runs), link_force(runs)]


def moment(runs: Runs) -> Entry:
    largest = {}
    shown = np.empty(0)
    for key, words in SERIES[1:]:
        run = runs[f"s90-{key}"]
        rows = np.arange(run.used.start, run.time.size)
        of_all = joint_moments(run.solution, run.drive, rows)
        largest[words] = float(np.abs(of_all).max())
        shown = of_all[-round(SHOWN * run.case.rate) :, ROLLER]
    run = runs["s90-joint-5"]
    pin = 0.5 * run.drive.chain.pin_diameter
    bound = 0.1 * 70e3 * pin
    rows_of = (
        below("largest moment in any joint, 5 N m s/rad", "within ± 150 N m", largest["5 N m s/rad"], 150.0, "N m",
              gate=True),
        Row("friction moment of a pin, μ F R_p (Figure 5.20)", "< 155 N m", "0.1 × 70 kN × 22.24 mm = 155.7 N m", bound,
            155.7, 0.05, "N m", "rounding; the thesis rounds down", gate=True),
        below("largest moment divided by the friction moment at 70 kN", "“lower than the physical amount”",
              largest["5 N m s/rad"] / bound, 1.0, gate=True),
    )  # fmt: skip
    remark = (
        f"These numbers cover all joints over 20 s; with 0.5 N m s/rad the largest moment is "
        f"{largest['0.5 N m s/rad']:.0f} N m. The thesis gives the unit of the coefficient as N s; it is N m s/rad."
    )
    words = "with C_d = 5 the damping moment on a roller is always within ± 150 N m."
    return Entry(
        "5.21", "damping moment of a joint, 5 N m s/rad", words, rows_of, remark, _draw_moment(shown, run.case.rate)
    )


@styled
def _draw_moment(shown: np.ndarray, rate: float):
    figure, axes_of = grid(1, 1, 8.5, 3.0)
    axes = axes_of[0, 0]
    axes.plot(np.arange(shown.size) / rate, shown, color=REAL, lw=0.6)
    for bound in (-150.0, 150.0):
        axes.axhline(bound, color=THESIS, lw=0.9, ls="--")
    axes.set(xlabel=f"time [s]   (joint of roller {ROLLER}; dashed: ± 150 N m)", ylabel="moment [N m]", xlim=(0, SHOWN))
    return figure


def oscillation(runs: Runs) -> Entry:
    swing = {key: float(runs[f"s90-{key}"].displacement[:, SEGMENT_1].std()) * KILO for key, _ in SERIES}
    rows = (
        below("oscillation of segment 1, with 5 N m s/rad divided by without", "“the amplitude is damped out”",
              swing["joint-5"] / swing["friction"], 0.5, gate=True),
    )  # fmt: skip
    remark = (
        "The root mean square of the oscillation over 20 s is "
        + ", ".join(f"{swing[key]:.2f} mm ({words})" for key, words in SERIES)
        + ". "
        "With 0.5 N m s/rad the span vibrates in its first mode "
        f"({highest(runs['s90-joint-0.5'].spectrum(SEGMENT_1), 1.0, 100.0).frequency:.2f} Hz), and more strongly "
        f"than without damping."
    )
    words = "joint damping has a major influence: the amplitude is damped out and the oscillations are smoother."
    return Entry("5.22", "oscillation of segment 1 without and with joint damping", words, rows, remark,
                 _draw_oscillation(runs))  # fmt: skip


@styled
def _draw_oscillation(runs: Runs):
    figure, axes_of = grid(3, 1, 8.5, 5.4, sharex=True, sharey=True)
    for axes, (key, words) in zip(axes_of[:, 0], SERIES, strict=True):
        run = runs[f"s90-{key}"]
        last = slice(-round(SHOWN * run.case.rate), None, 2)
        axes.plot(run.time[last], run.displacement[last, SEGMENT_1] * KILO, color=REAL, lw=0.7)
        axes.set_ylabel("displacement [mm]")
        label(axes, words)
    axes_of[-1, 0].set(xlabel="time [s]", xlim=(run.time[last][0], run.time[-1]))
    return figure


def link_force(runs: Runs) -> Entry:
    mean = {key: runs[f"s90-{key}"].mean[SEGMENT_1] / KILO for key, _ in SERIES}
    rough = {key: variation(runs[f"s90-{key}"]).overall for key, _ in SERIES}
    level = "10 %: read from a figure"
    rows = (
        near("mean tension of segment 1, without joint damping", "≈ 90 kN", "90 kN", mean["friction"], 90.0, 0.1, "kN",
             level, gate=True),
        near("mean tension of segment 1, 5 N m s/rad", "≈ 70 kN", "70 kN", mean["joint-5"], 70.0, 0.1, "kN", level,
             gate=True),
        below("roughness of the link force, with 5 N m s/rad divided by without", "“smoothing effect”",
              rough["joint-5"] / rough["friction"], 1.0, gate=True),
    )  # fmt: skip
    lines = []
    for key, words in SERIES:
        run = runs[f"s90-{key}"]
        lines.append([words, *(number(x / KILO) for x in run.mean), number(rough[key] / KILO),
                      number(run.link_tension.max() / KILO), number(run.contact_force.max() / KILO)])  # fmt: skip
    remark = table(["joint damping", "segment 1 [kN]", "2 [kN]", "3 [kN]", "4 [kN]", "roughness [kN]",
                    "largest link force [kN]", "largest contact force [kN]"], lines)  # fmt: skip
    words = (
        "joint damping has a smoothing effect on the link force; its average is approximately 70 kN instead of "
        "approximately 90 kN without."
    )
    return Entry("5.23", "link force without and with joint damping", words, rows, remark, _draw_link(runs))


@styled
def _draw_link(runs: Runs):
    figure, axes_of = grid(2, 1, 8.5, 4.6, sharex=True, sharey=True)
    for axes, (key, words) in zip(axes_of[:, 0], (SERIES[0], SERIES[2]), strict=True):
        run = runs[f"s90-{key}"]
        last = slice(-round(SHOWN * run.case.rate), None)
        axes.plot(run.time[run.used][last], run.link_tension[last, ROLLER] / KILO, color=REAL, lw=0.5)
        mean = run.mean[SEGMENT_1] / KILO
        axes.axhline(mean, color=THESIS, lw=0.9, ls="--")
        axes.set(ylabel="link force [kN]", ylim=(0, None))
        label(axes, f"{words}: mean of segment 1 {mean:.1f} kN")
    axes_of[-1, 0].set(xlabel="time [s]", xlim=(run.time[-1] - SHOWN, run.time[-1]))
    return figure
