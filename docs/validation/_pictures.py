"""The pictures of the page about the marine drives."""

from __future__ import annotations

import numpy as np
from _cases import DISSIPATIVE
from _drawing import CIRCULAR, PICTURES, REAL, STRING, THESIS, grid, save
from _quantities import Outcome
from _signals import SEGMENT_1
from matplotlib.figure import Figure

from chaindrive.plots.style import styled, wheel_colour

NAMES = {"real": "real tooth", "circular": "circular tooth"}
Outcomes = dict[str, Outcome]


def draw_all(results: Outcomes) -> None:
    """Draw every picture into the folder ``pictures``."""
    for draw in (transients, sensitivity, states):
        save(draw(results), PICTURES / f"{draw.__name__}.png")


@styled
def transients(results: Outcomes) -> Figure:
    """Draw the mean tension of segment 1 in each second, after two kinds of start."""
    figure, axes_of = grid(1, 1, 8.5, 3.6)
    axes = axes_of[0, 0]
    for name, colour in (("real", REAL), ("circular", CIRCULAR)):
        for suffix, line, words in (("", "-", "at speed"), ("-at-rest", "--", "at rest"),
                                    ("-dormand-prince", ":", "at speed, Dormand-Prince")):  # fmt: skip
            history = results[f"l60-{name}{suffix}"].history / 1e3
            axes.plot(np.arange(history.size) + 0.5, history, line, color=colour, label=f"{NAMES[name]}, start {words}")
    for value, colour in ((19.0, REAL), (25.0, CIRCULAR)):
        axes.axhline(value, color=colour, lw=0.8, alpha=0.6)
        axes.text(60.3, value, f"thesis {value:g}", color=colour, va="center", fontsize=8.5)
    axes.set(xlabel="time [s]", ylabel="mean tension of segment 1 [kN]", xlim=(0, 60), ylim=(0, 28),
             title="6L60MC: mean in each second")  # fmt: skip
    axes.legend(ncols=2, loc="lower right")
    return figure


@styled
def sensitivity(results: Outcomes) -> Figure:
    """Draw the mean tension against contact stiffness and exponent."""
    figure, axes_of = grid(1, 2, 10.0, 3.6)
    for axes, key, base, thesis, title in (
        (axes_of[0, 0], "l60", "l60-real", 19.0, "6L60MC, real tooth"),
        (axes_of[0, 1], "s90", "s90-gate", 71.0, "6S90MC-C, friction 0.1, joint damping 0.5"),
    ):
        stiffness = [0.3, 1.0, 1.75, 3.0, 10.0]
        runs = [results[base if k == 1.0 else f"{key}-stiffness-{k:g}"] for k in stiffness]
        axes.semilogx(stiffness, [r.mean[SEGMENT_1] / 1e3 for r in runs], "o-", color=REAL, label="running, n = 1.5")
        axes.semilogx(stiffness, [r.static[SEGMENT_1] / 1e3 for r in runs], "s--", color=STRING, ms=4,
                      label="at rest, n = 1.5")  # fmt: skip
        for name, exponent, marker in (("10/9", "10/9", "^"), ("1", "1", "D")):
            value = results[f"{key}-exponent-{name}"]
            if not value.failed:
                axes.plot(1.0, value.mean[SEGMENT_1] / 1e3, marker, color=THESIS, ms=7, ls="",
                          label=f"running, n = {exponent}")  # fmt: skip
        axes.axhline(thesis, color=CIRCULAR, label=f"thesis {thesis:g} kN")
        axes.set(xlabel=r"contact stiffness [$10^9$ N/m$^n$]", ylabel="mean tension of segment 1 [kN]", title=title)
        axes.set_xticks([0.3, 1.0, 3.0, 10.0], ["0.3", "1", "3", "10"])
        axes.minorticks_off()
        axes.set_ylim(0, None)
        axes.legend(fontsize=8)
    return figure


@styled
def states(results: Outcomes) -> Figure:
    """Draw the mean tension of segment 1 of the undamped 6L60MC in each second, for every contact law."""
    figure, axes_of = grid(1, 2, 10.5, 3.8, sharey=True)
    for axes, memory in zip(axes_of[0], ("stored", "reference"), strict=True):
        for number, law in enumerate(DISSIPATIVE):
            history = results[f"l60-{law}-{memory}"].history / 1e3
            axes.plot(np.arange(history.size) + 0.5, history, color=wheel_colour(number) if number < 6 else "#22303C",
                      label=law)  # fmt: skip
        axes.set(xlabel="time [s]", xlim=(0, 40), ylim=(14, 27))
        axes.set_title("impact speed stored" if memory == "stored" else "reference speed of 1 m/s")
    axes_of[0, 0].set_ylabel("mean tension of segment 1 [kN]")
    axes_of[0, 1].legend(fontsize=7.5, ncols=2, loc="upper left")
    return figure
