"""The pictures of the validation page."""

from __future__ import annotations

from pathlib import Path

import matplotlib
import numpy as np
from _cases import DISSIPATIVE
from _quantities import FRACTIONS, ROLLER, SEGMENT_1, SEGMENT_4, Outcome
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from PIL import Image

from chaindrive.analyses.formulas import binder_tooth_loads, centrifugal_tension
from chaindrive.plots.style import new_figure, styled, wheel_colour

matplotlib.use("Agg")
FOLDER = Path(__file__).parent / "pictures"
REAL, CIRCULAR, STRING = "#0B4F6C", "#E69F00", "#7A868F"
NAMES = {"real": "real tooth", "circular": "circular tooth"}
Outcomes = dict[str, Outcome]


def draw_all(results: Outcomes) -> None:
    """Draw every picture into the folder ``pictures``."""
    FOLDER.mkdir(exist_ok=True)
    for draw in (transients, link_force, mean_link_force, strands, spectra_l60, contact_history, contact_binder,
                 spectra_s90, friction_history, link_s90, moments_and_strands, restitution, sensitivity,
                 states):  # fmt: skip
        figure = draw(results)
        path = FOLDER / f"{draw.__name__.replace('_', '-')}.png"
        figure.savefig(path, dpi=120, metadata={"Software": None})
        with Image.open(path) as picture:  # 128 colours are enough for lines and a third of the size
            small = picture.convert("RGB").quantize(128, dither=Image.Dither.NONE)
        small.save(path, optimize=True)


def _grid(rows: int, columns: int, width: float, height: float, **options: object) -> tuple[Figure, np.ndarray]:
    figure = new_figure(width, height)
    return figure, figure.subplots(rows, columns, squeeze=False, **options)


def _one_second(outcome: Outcome, wanted: float = 1.05) -> tuple[np.ndarray, np.ndarray]:
    """Rows of the last loop that begin where the shown roller meets sprocket 1, and time from there. [s]"""
    time = outcome.shown["time"]
    body = outcome.shown["contact_body"]
    begins = np.flatnonzero((body[1:] == 0) & (body[:-1] == -1)) + 1
    before = [k for k in begins if time[k] + wanted <= time[-1] and not (body[max(0, k - 40) : k] == 0).any()]
    start = time[before[-1]] - 0.06
    rows = np.flatnonzero((time >= start) & (time <= start + wanted))
    return rows, time[rows] - start


def _shade(axes: Axes, outcome: Outcome, rows: np.ndarray, time: np.ndarray) -> None:
    """Where the shown roller touches which sprocket; gaps of a bouncing roller are bridged."""
    body = outcome.shown["contact_body"][rows]
    for wheel in range(4):
        touching = np.flatnonzero(body == wheel)
        for part in np.split(touching, np.flatnonzero(np.diff(touching) > 60) + 1):
            if part.size > 3:
                axes.axvspan(time[part[0]], time[part[-1]], color=wheel_colour(wheel), alpha=0.13, lw=0)
                middle = 0.5 * (time[part[0]] + time[part[-1]])
                axes.text(middle, 1.0, f"{wheel + 1}", transform=axes.get_xaxis_transform(), ha="center", va="bottom",
                          fontsize=8.5, color=wheel_colour(wheel), fontweight="bold")  # fmt: skip


@styled
def transients(results: Outcomes) -> Figure:
    """Tension of segment 1, mean over each second, from two starts."""
    figure, grid = _grid(1, 1, 8.5, 3.6)
    axes = grid[0, 0]
    for name, colour in (("real", REAL), ("circular", CIRCULAR)):
        for suffix, line, words in (("", "-", "at speed"), ("-at-rest", "--", "at rest"),
                                    ("-dormand-prince", ":", "at speed, Dormand-Prince")):  # fmt: skip
            history = results[f"l60-{name}{suffix}"].history / 1e3
            axes.plot(np.arange(history.size) + 0.5, history, line, color=colour, label=f"{NAMES[name]}, start {words}")
    for value, colour in ((19.0, REAL), (25.0, CIRCULAR)):
        axes.axhline(value, color=colour, lw=0.8, alpha=0.6)
        axes.text(60.3, value, f"thesis {value:g}", color=colour, va="center", fontsize=8.5)
    axes.set(xlabel="time [s]", ylabel="mean tension of segment 1 [kN]", xlim=(0, 60), ylim=(0, 28),
             title="6L60MC: mean over each second")  # fmt: skip
    axes.legend(ncols=2, loc="lower right")
    return figure


@styled
def link_force(results: Outcomes) -> Figure:
    """One link over one turn of the chain, both teeth (Fig. 5.2)."""
    figure, grid = _grid(2, 1, 8.5, 5.0, sharex=True, sharey=True)
    for axes, (name, colour) in zip(grid[:, 0], (("circular", CIRCULAR), ("real", REAL)), strict=True):
        outcome = results[f"l60-{name}-contacts"]
        rows, time = _one_second(outcome)
        _shade(axes, outcome, rows, time)
        axes.plot(time, outcome.shown["link_tension"][rows] / 1e3, color=colour)
        axes.set(ylabel="link tension [kN]", xlim=(0, time[-1]), ylim=(0, None))
        axes.text(0.995, 0.95, NAMES[name], transform=axes.transAxes, ha="right", va="top", fontweight="bold",
                  color=colour)  # fmt: skip
    grid[1, 0].set_xlabel("time [s]   (shaded: its first roller touches sprocket 1 to 4)")
    return figure


@styled
def mean_link_force(results: Outcomes) -> Figure:
    """Mean over the links of segment 1 during one second (Fig. 5.3)."""
    figure, grid = _grid(1, 1, 8.5, 3.3)
    axes = grid[0, 0]
    for name, colour, thesis in (("circular", CIRCULAR, 25.0), ("real", REAL, 19.0)):
        outcome = results[f"l60-{name}"]
        last = outcome.shown["time"] >= outcome.shown["time"][-1] - 1.0
        time = outcome.shown["time"][last]
        mean = outcome.mean[SEGMENT_1] / 1e3
        axes.plot(time, outcome.shown["span_tension"][last, SEGMENT_1] / 1e3, color=colour,
                  label=f"{NAMES[name]}: mean of 40 s {mean:.1f} kN, thesis {thesis:g} kN")  # fmt: skip
        axes.axhline(mean, color=colour, lw=0.9, ls="--")
    axes.set(xlabel="time [s]", ylabel="mean link tension, segment 1 [kN]", xlim=(time[0], time[-1]), ylim=(5, 45))
    axes.legend(loc="upper left", ncols=2)
    return figure


@styled
def strands(results: Outcomes) -> Figure:
    """Middles of segments 1 and 4 (Figs. 5.4 and 5.5)."""
    figure, grid = _grid(2, 1, 8.5, 5.4, sharex=True)
    for axes, span, number, words in ((grid[0, 0], SEGMENT_1, 1, "5.4"), (grid[1, 0], SEGMENT_4, 4, "5.5")):
        for name, colour in (("circular", CIRCULAR), ("real", REAL)):
            outcome = results[f"l60-{name}"]
            last = outcome.shown["time"] >= outcome.shown["time"][-1] - 2.0
            axes.plot(outcome.shown["time"][last], outcome.shown["span_displacement"][last, span] * 1e3, color=colour,
                      label=NAMES[name])  # fmt: skip
        axes.set(ylabel="displacement [mm]", title=f"Segment {number} (thesis Fig. {words})")
    grid[1, 0].set(xlabel="time [s]", xlim=(58.0, 60.0))
    grid[0, 0].legend(loc="upper right", ncols=2)
    return figure


def _spectrum(axes: Axes, outcome: Outcome, span: int, colour: str, marks: tuple[float, ...], upto: float) -> None:
    spectrum = outcome.spectrum[span]
    low = (spectrum.frequency >= 0.4) & (spectrum.frequency <= upto)
    axes.semilogy(spectrum.frequency[low], spectrum.amplitude[low] * 1e3, color=colour, lw=0.9)
    for mode in (0, 2, 4):
        axes.axvline(outcome.string[span][mode], color=STRING, ls="--", lw=0.9, zorder=0)
    for mark in marks:
        axes.plot(mark, 1.0, marker="v", color="#D55E00", ms=7, clip_on=False, zorder=5,
                  transform=axes.get_xaxis_transform())  # fmt: skip


@styled
def spectra_l60(results: Outcomes) -> Figure:
    """Spectra of segments 1 and 4 (Figs. 5.6 and 5.7)."""
    figure, grid = _grid(2, 2, 10.5, 6.0, sharex=True, sharey="row")
    marks = {(0, "circular"): (6.1,), (0, "real"): (5.1,), (3, "circular"): (5.2, 15.5, 25.5, 83, 120, 157),
             (3, "real"): (4.5, 13, 33, 87, 120, 153)}  # fmt: skip
    for row, span in enumerate((SEGMENT_1, SEGMENT_4)):
        for column, (name, colour) in enumerate((("circular", CIRCULAR), ("real", REAL))):
            axes = grid[row, column]
            _spectrum(axes, results[f"l60-{name}"], span, colour, marks[span, name], 180.0)
            axes.set_title(f"Segment {span + 1}, {NAMES[name]} (thesis Fig. {'5.6' if row == 0 else '5.7'})", pad=11)
            axes.set_ylim(5e-4, 40.0 if row == 0 else 4.0)
        grid[row, 0].set_ylabel("amplitude [mm]")
    for axes in grid[1]:
        axes.set(xlabel="frequency [Hz]", xlim=(0, 180), xticks=range(0, 181, 20))
    figure.supxlabel("triangles: peaks that the thesis names; dashed: odd modes of the moving string at the run's own "
                     "mean tension", fontsize=9)  # fmt: skip
    return figure


@styled
def contact_history(results: Outcomes) -> Figure:
    """Contact force on one roller over one turn of the chain (Fig. 5.8)."""
    figure, grid = _grid(2, 1, 8.5, 5.0, sharex=True, sharey=True)
    for axes, (name, colour) in zip(grid[:, 0], (("circular", CIRCULAR), ("real", REAL)), strict=True):
        outcome = results[f"l60-{name}-contacts"]
        rows, time = _one_second(outcome)
        _shade(axes, outcome, rows, time)
        axes.plot(time, outcome.shown["contact_force"][rows] / 1e3, color=colour)
        axes.set(ylabel="contact force [kN]", xlim=(0, time[-1]))
        axes.text(0.995, 0.95, NAMES[name], transform=axes.transAxes, ha="right", va="top", fontweight="bold",
                  color=colour)  # fmt: skip
    grid[1, 0].set_xlabel(f"time [s]   (roller {ROLLER}; shaded: touches sprocket 1 to 4)")
    return figure


@styled
def contact_binder(results: Outcomes) -> Figure:
    """Contact force through the stay on each sprocket against Binder's formula (Figs. 5.9 and 5.10)."""
    figure, grid = _grid(2, 2, 10.0, 6.4)
    for axes, wheel in zip(grid.ravel(), range(4), strict=True):
        top = 0.0
        for name, colour in (("circular", CIRCULAR), ("real", REAL)):
            outcome = results[f"l60-{name}-contacts"]
            low, _, high = outcome.contacts["passage"][wheel] / 1e3
            axes.fill_between(FRACTIONS, low, high, color=colour, alpha=0.15, lw=0)
            axes.plot(FRACTIONS, outcome.contacts["passage_mean"][wheel] / 1e3, color=colour,
                      label=f"{NAMES[name]}: mean of all stays")  # fmt: skip
            loads = binder_loads(outcome, wheel) / 1e3
            axes.plot(np.linspace(0, 1, loads.size), loads, "o", ms=3.5, color=colour, mfc="white", label="Binder")
            top = max(top, loads.max())
        axes.set(ylim=(0, 1.5 * top), xlim=(0, 1), title=f"Sprocket {wheel + 1}")
    for axes in grid[1]:
        axes.set_xlabel("fraction of the stay [1]")
    for axes in grid[:, 0]:
        axes.set_ylabel("contact force [kN]")
    grid[0, 0].legend(fontsize=8)
    return figure


def binder_loads(outcome: Outcome, wheel: int, corrected: bool = True) -> np.ndarray:
    """Binder's loads (Eq. 4.41) on as many rollers as the run has most often on the wheel, with its own tensions [N].

    corrected: as ``binder_tooth_loads``; otherwise with q_a and q_b in full and the printed 2 q_c sin(alpha / 2).
    """
    drive = outcome.case.model
    teeth, rollers = drive.wheels[wheel].teeth, len(outcome.contacts["seats"][wheel])
    carried = centrifugal_tension(drive.chain.link_mass / drive.chain.pitch, outcome.speed)
    tensions = outcome.mean[wheel - 1], outcome.mean[wheel]
    if corrected:
        return binder_tooth_loads(rollers, teeth, *tensions, carried)
    return binder_tooth_loads(rollers, teeth, *tensions) + 2.0 * carried * np.sin(np.pi / teeth)


@styled
def spectra_s90(results: Outcomes) -> Figure:
    """Spectra of segments 1 and 4 of the 6S90MC-C without guide bars (Figs. 5.26 and 5.27, top)."""
    figure, grid = _grid(1, 2, 10.5, 3.6, sharey=True)
    for axes, span, marks, words in ((grid[0, 0], 0, (3.8, 81.0), "5.26"), (grid[0, 1], 3, (2.6, 7.8, 81.0), "5.27")):
        _spectrum(axes, results["s90-gate"], span, REAL, marks, 100.0)
        axes.set(xlabel="frequency [Hz]", xlim=(0, 100), ylim=(1e-4, 10.0))
        axes.set_title(f"Segment {span + 1} (thesis Fig. {words}, top)", pad=11)
    grid[0, 0].set_ylabel("amplitude [mm]")
    return figure


@styled
def friction_history(results: Outcomes) -> Figure:
    """Contact and friction force of one roller over 2 s, without and with friction (Figs. 5.13 to 5.16)."""
    figure, grid = _grid(3, 1, 8.5, 6.6, sharex=True)
    for axes, key, name, label in (
        (grid[0, 0], "s90-bare", "contact_force", "contact force [kN]\nwithout friction"),
        (grid[1, 0], "s90-friction", "contact_force", "contact force [kN]\nfriction 0.1"),
        (grid[2, 0], "s90-friction", "friction_force", "friction force [kN]\nfriction 0.1"),
    ):
        outcome = results[key]
        rows, time = _one_second(outcome, 1.85)
        _shade(axes, outcome, rows, time)
        axes.plot(time, outcome.shown[name][rows] / 1e3, color=REAL, lw=0.8)
        axes.set(ylabel=label, xlim=(0, time[-1]))
    top = max(grid[0, 0].get_ylim()[1], grid[1, 0].get_ylim()[1])
    for axes in grid[:2, 0]:
        axes.set_ylim(0, top)
    grid[2, 0].set_xlabel(f"time [s]   (roller {ROLLER}; shaded: touches sprocket 1 to 4)")
    return figure


@styled
def link_s90(results: Outcomes) -> Figure:
    """Link force over 2 s: friction and joint damping smooth it (Figs. 5.17 and 5.23)."""
    table = (("s90-bare", "neither friction nor joint damping"), ("s90-friction", "friction 0.1"),
             ("s90-gate", "friction 0.1, joint damping 0.5 N m s"),
             ("s90-joint-5", "friction 0.1, joint damping 5 N m s"))  # fmt: skip
    figure, grid = _grid(4, 1, 8.5, 7.6, sharex=True, sharey=True)
    for axes, (key, words) in zip(grid[:, 0], table, strict=True):
        outcome = results[key]
        rows, time = _one_second(outcome, 1.85)
        _shade(axes, outcome, rows, time)
        axes.plot(time, outcome.shown["link_tension"][rows] / 1e3, color=REAL, lw=0.9)
        mean = outcome.mean[SEGMENT_1] / 1e3
        axes.axhline(mean, color="#D55E00", lw=0.9, ls="--")
        axes.text(0.995, 0.06, f"{words}: mean of segment 1 {mean:.1f} kN", transform=axes.transAxes, ha="right",
                  fontsize=9, bbox={"facecolor": "white", "edgecolor": "none", "pad": 1.5, "alpha": 0.8})  # fmt: skip
        axes.set(ylabel="link tension [kN]", xlim=(0, time[-1]), ylim=(0, None))
    grid[-1, 0].set_xlabel("time [s]   (shaded: its first roller touches sprocket 1 to 4)")
    return figure


@styled
def moments_and_strands(results: Outcomes) -> Figure:
    """Segment 1 over 10 s without and with joint damping (Fig. 5.22)."""
    figure, grid = _grid(3, 1, 8.5, 5.6, sharex=True, sharey=True)
    for axes, key, words in ((grid[0, 0], "s90-friction", "without joint damping"),
                             (grid[1, 0], "s90-gate", "joint damping 0.5 N m s"),
                             (grid[2, 0], "s90-joint-5", "joint damping 5 N m s")):  # fmt: skip
        shown = results[key].shown
        axes.plot(shown["long_time"], shown["long_displacement"][:, SEGMENT_1] * 1e3, color=REAL, lw=0.8)
        axes.set_title(words, fontsize=9.5)
        axes.set_ylabel("displacement [mm]")
    grid[-1, 0].set(xlabel="time [s]", xlim=(shown["long_time"][0], shown["long_time"][-1]))
    return figure


@styled
def restitution(results: Outcomes) -> Figure:
    """Contact force on sprocket 1 for four coefficients of restitution (Fig. 5.19)."""
    figure, grid = _grid(1, 4, 11.0, 3.2)
    table = (("s90-friction", "0"), ("s90-elastic-0.8", "0.8"), ("s90-elastic-0.9", "0.9"), ("s90-elastic-1", "1"))
    for axes, (key, words) in zip(grid[0], table, strict=True):
        outcome = results[key]
        rows, time = _one_second(outcome, 0.55)
        axes.plot(time, outcome.shown["contact_force"][rows] / 1e3, color=REAL, lw=0.7)
        axes.set(xlabel="time [s]", title=f"restitution {words}", xlim=(0, time[-1]), ylim=(0, None))
    grid[0, 0].set_ylabel("contact force [kN]")
    return figure


@styled
def sensitivity(results: Outcomes) -> Figure:
    """Mean tension against contact stiffness and exponent."""
    figure, grid = _grid(1, 2, 10.0, 3.6)
    for axes, key, base, thesis, title in (
        (grid[0, 0], "l60", "l60-real", 19.0, "6L60MC, real tooth"),
        (grid[0, 1], "s90", "s90-gate", 71.0, "6S90MC-C, friction 0.1, joint damping 0.5"),
    ):
        stiffness = [0.3, 1.0, 1.75, 3.0, 10.0]
        runs = [results[base if k == 1.0 else f"{key}-stiffness-{k:g}"] for k in stiffness]
        axes.semilogx(stiffness, [r.mean[SEGMENT_1] / 1e3 for r in runs], "o-", color=REAL, label="running, n = 1.5")
        axes.semilogx(stiffness, [r.static[SEGMENT_1] / 1e3 for r in runs], "s--", color=STRING, ms=4,
                      label="at rest, n = 1.5")  # fmt: skip
        for name, exponent, marker in (("10/9", "10/9", "^"), ("1", "1", "D")):
            value = results[f"{key}-exponent-{name}"]
            if not value.failed:
                axes.plot(1.0, value.mean[SEGMENT_1] / 1e3, marker, color="#D55E00", ms=7, ls="",
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
    """Tension of segment 1 of the undamped 6L60MC, mean over each second, with every contact law."""
    figure, grid = _grid(1, 2, 10.5, 3.8, sharey=True)
    for axes, memory in zip(grid[0], ("stored", "reference"), strict=True):
        for number, law in enumerate(DISSIPATIVE):
            history = results[f"l60-{law}-{memory}"].history / 1e3
            axes.plot(np.arange(history.size) + 0.5, history, color=wheel_colour(number) if number < 6 else "#22303C",
                      label=law)  # fmt: skip
        axes.set(xlabel="time [s]", xlim=(0, 40), ylim=(14, 27))
        axes.set_title("impact speed stored" if memory == "stored" else "reference speed of 1 m/s")
    grid[0, 0].set_ylabel("mean tension of segment 1 [kN]")
    grid[0, 1].legend(fontsize=7.5, ncols=2, loc="upper left")
    return figure
