"""Figures 5.8 to 5.10: contact forces on the 6L60MC, and Binder's formula."""

from __future__ import annotations

import numpy as np
from _drawing import grid, shade
from _rows import KILO, Row, below, number, table
from _signals import FRACTIONS

from _pedersen.entry import Entry
from _pedersen.runs import ROLLER, Run, Runs
from _pedersen.teeth import TEETH, label
from chaindrive.analyses.analytical.formulas import binder_tooth_loads, centrifugal_tension
from chaindrive.plots.style import styled

WHY_BETTER = (
    "in newtons the forces of individual passages scatter {share:.2f} times as much with the real tooth as with the "
    "circular tooth, that is, about as much, and therefore more in relation to the smaller loads. The thesis "
    "compares one second of one roller by eye."
)
LONG = (0, 2)
"""Sprockets with long wraps."""


def entries(runs: Runs) -> list[Entry]:
    """Figures 5.8 to 5.10."""
    return [history(runs), loads(runs, (0, 1)), loads(runs, (2, 3))]


def history(runs: Runs) -> Entry:
    largest = {name: float(runs[f"l60-{name}"].contact_force.max()) / KILO for name, _ in TEETH}
    remark = (
        f"The largest force over all rollers and 40 s is {largest['circular']:.0f} kN with the circular and "
        f"{largest['real']:.0f} kN with the real tooth."
    )
    words = "the curves are shown without comment."
    return Entry("5.8", "contact force on a roller over one turn of the chain", words, (), remark, _draw_history(runs))


@styled
def _draw_history(runs: Runs):
    figure, axes_of = grid(2, 1, 8.5, 5.0, sharex=True, sharey=True)
    for axes, (name, colour) in zip(axes_of[:, 0], TEETH, strict=True):
        run = runs[f"l60-{name}"]
        rows, time = run.loop()
        shade(axes, time, run.contact_surface[rows, ROLLER])
        axes.plot(time, run.contact_force[rows, ROLLER] / KILO, color=colour)
        axes.set(ylabel="contact force [kN]", xlim=(0, time[-1]))
        label(axes, f"{name} tooth", colour)
    axes_of[1, 0].set_xlabel(f"time [s]   (roller {ROLLER}; shaded: touches sprocket 1 to 4)")
    return figure


def binder_loads(run: Run, wheel: int, corrected: bool = True) -> np.ndarray:
    """Binder's loads (Eq.

    4.41) for the most frequent number of rollers on the wheel, with the tensions of the run [N]. corrected: as in
    ``binder_tooth_loads``; otherwise with q_a and q_b in full and 2 q_c sin(alpha / 2) as printed.
    """
    teeth, rollers = run.drive.wheels[wheel].teeth, len(run.seats[wheel])
    carried = centrifugal_tension(run.drive.chain.link_mass / run.drive.chain.pitch, run.speed)
    tensions = run.mean[wheel - 1], run.mean[wheel]
    if corrected:
        return binder_tooth_loads(rollers, teeth, *tensions, carried)
    return binder_tooth_loads(rollers, teeth, *tensions) + 2.0 * carried * np.sin(np.pi / teeth)


def deviation(run: Run, wheel: int, corrected: bool = True) -> float:
    """Root mean square of (simulated - Binder) divided by that of Binder, without the rollers at either end of the
    wrap.
    """
    seats, formula = run.seats[wheel], binder_loads(run, wheel, corrected)
    inner = slice(1, -1)
    return float(np.sqrt(np.mean((seats - formula)[inner] ** 2) / np.mean(formula[inner] ** 2)))


def scatter(run: Run, wheel: int) -> tuple[float, float]:
    """Root mean square deviation of the individual passages of rollers from Binder [N], and this deviation divided by
    Binder's loads.
    """
    formula = binder_loads(run, wheel)
    inner = (1.0 / formula.size < FRACTIONS) & (1.0 - 1.0 / formula.size > FRACTIONS)
    expected = np.interp(FRACTIONS, np.linspace(0.0, 1.0, formula.size), formula)[inner]
    found = float(np.sqrt(np.mean((run.stays.passage[wheel][:, inner] - expected) ** 2)))
    return found, found / float(np.sqrt(np.mean(expected**2)))


def loads(runs: Runs, wheels: tuple[int, int]) -> Entry:
    rows: list[Row] = []
    for wheel in wheels:
        if wheel in LONG:
            for name, _ in TEETH:
                rows.append(below(f"sprocket {wheel + 1}, {name} tooth: rms deviation from Binder, divided by the "
                f"rms of Binder's loads",
                                  "agrees", deviation(runs[f"l60-{name}"], wheel), 0.2, gate=True))  # fmt: skip
        else:
            least = min(deviation(runs[f"l60-{name}"], wheel) for name, _ in TEETH)
            rows.append(below(f"sprocket {wheel + 1}: 0.2 divided by the smaller rms deviation from Binder",
                              "“doesn’t compare well with either”", 0.2 / least, 1.0, gate=True))  # fmt: skip
    long = next(w for w in wheels if w in LONG)
    real, circular = (scatter(runs[f"l60-{name}"], long) for name in ("real", "circular"))
    rows.append(
        below(
            f"sprocket {long + 1}: relative rms deviation of individual passages from Binder, real divided by "
            f"circular tooth",
            "“in better agreement” with the real tooth",
            real[1] / circular[1],
            1.0,
            why=WHY_BETTER.format(share=real[0] / circular[0]),
        )
    )
    remark = (
        "Binder's formula is Eq. 4.41 with its terms corrected: only the tension in excess of the centrifugal "
        "tension decays along the wrap, and 2 q_c sin(α/2) is omitted, because it is the centripetal force that the "
        "tension of the chain supplies. The picture shows the mean of all passages of rollers, the band that "
        "contains 80 % of them, and Binder's loads with the mean tensions of the run. The table gives means over the "
        "rollers of the wrap except the first and the last:\n\n"
        + _comparison(runs, wheels)
        + "\n\nAs printed, the formula gives too large loads everywhere. On four to seven rollers, the sum of two "
        "one-sided solutions violates equilibrium and is 1.5 to 2 times too large. This is the mismatch that the "
        "thesis reports."
    )
    words = (
        "the contact forces agree better with the analytical result when the tooth is real; for the counterweight "
        "sprockets (2 and 4), where the contact is short, analysis and simulation do not compare well."
    )
    number_ = "5.9" if wheels[0] == 0 else "5.10"
    title = f"contact forces on sprockets {wheels[0] + 1} and {wheels[1] + 1} against Binder's formula"
    return Entry(number_, title, words, tuple(rows), remark, _draw_loads(runs, wheels))


def _comparison(runs: Runs, wheels: tuple[int, int]) -> str:
    lines = []
    for name, _ in TEETH:
        run = runs[f"l60-{name}"]
        for wheel in wheels:
            seats, formula = run.seats[wheel], binder_loads(run, wheel)
            printed, inner = binder_loads(run, wheel, corrected=False), slice(1, -1)
            lines.append([
                f"{name}, sprocket {wheel + 1}", str(seats.size), number(seats[inner].mean() / KILO),
                number(formula[inner].mean() / KILO), number(printed[inner].mean() / KILO),
                number(float(np.mean(formula[inner] / seats[inner])), 2), number(deviation(run, wheel), 2),
            ])  # fmt: skip
    return table(["tooth, sprocket", "rollers", "simulated [kN]", "Binder, corrected [kN]", "Binder, as printed [kN]",
                  "mean of corrected/simulated", "rms deviation"], lines)  # fmt: skip


@styled
def _draw_loads(runs: Runs, wheels: tuple[int, int]):
    figure, axes_of = grid(1, 2, 10.0, 3.5)
    for axes, wheel in zip(axes_of[0], wheels, strict=True):
        top = 0.0
        for name, colour in TEETH:
            run = runs[f"l60-{name}"]
            through = run.stays.passage[wheel] / KILO
            low, high = np.percentile(through, [10, 90], axis=0)
            axes.fill_between(FRACTIONS, low, high, color=colour, alpha=0.15, lw=0)
            axes.plot(FRACTIONS, through.mean(axis=0), color=colour, label=f"{name}: mean of all passages")
            formula = binder_loads(run, wheel) / KILO
            axes.plot(np.linspace(0, 1, formula.size), formula, "o", ms=3.5, color=colour, mfc="white",
                      label=f"{name}: Binder")  # fmt: skip
            top = max(top, formula.max())
        axes.set(ylim=(0, 1.5 * top), xlim=(0, 1), title=f"Sprocket {wheel + 1}", xlabel="fraction of the passage [1]")
    axes_of[0, 0].set_ylabel("contact force [kN]")
    axes_of[0, 0].legend(fontsize=8, ncols=2)
    return figure
