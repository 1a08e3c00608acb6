"""The pictures of the page about rigid links."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
from _drawing import PICTURES, REAL, THESIS, grid, save
from _links_cases import FOUR, V6, Kept
from _links_measure import deviation, spectrum
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from chaindrive.analyses.results.statistics import contact_windows, surface_names
from chaindrive.analyses.signals.orders import OrderSpectrum
from chaindrive.analyses.signals.transmission import transmission_orders
from chaindrive.plots import plot_waterfall
from chaindrive.plots.style import styled, wheel_colour

RPM = 30.0 / math.pi
GUIDE = "#B7B0A4"


def draw_all(runs: Mapping[str, Kept], run_up: str) -> None:
    """Draw every picture into the folder ``pictures``."""
    links = {name: runs[f"{name}-clearance"] for name in (V6, FOUR)}
    for name, run in links.items():
        save(cycle(run), PICTURES / f"links-cycle-{name}.png")
    save(spectra(links), PICTURES / "links-spectra.png")
    save(slow(runs["v6-2500"]), PICTURES / "links-v6-2500.png")
    solution = runs[run_up].solution
    for channel, index, name in (("tensioner_force", None, "tensioner"), ("span_tension", 3, "tight")):
        figure = plot_waterfall(solution, channel, index, columns=120, highest=2500.0 if index else 1200.0)
        save(figure, PICTURES / f"links-run-up-{name}.png")


@styled
def cycle(run: Kept, roller: int = 0) -> Figure:
    """Draw the contact force and the joint force of one bush on its way around the loop, from the crankshaft on."""
    solution, drive = run.solution, run.case.drive
    stays = contact_windows(solution, roller, wheels_only=False)
    begin = next(stay.start for stay in stays if stay.wheel == 0)
    loop = drive.chain.links / drive.wheels[0].teeth * 2.0 * math.pi
    end = begin + loop / float(solution.values("wheel_speed", item=0).mean())
    time = 1e3 * (solution.time - begin)
    period = 1e3 * (end - begin)
    figure, axes = grid(2, 1, 10.0, 6.4, sharex=True)
    contact, joint = axes[:, 0]
    # What of the revolution lies beyond the end of the run is shown from before its start: a revolution earlier.
    for shift in (0.0, period):
        contact.plot(time + shift, solution.values("contact_force", item=roller), color=REAL, lw=0.8)
        force = solution.values("pin_force", item=roller)
        joint.plot(time + shift, np.hypot(force[:, 0], force[:, 1]), color=REAL, lw=0.8)
        if time[-1] >= period:
            break
    for stay in stays:
        colour = wheel_colour(stay.wheel) if stay.wheel < len(drive.wheels) else GUIDE
        for shift in (0.0, period):
            for one in (contact, joint):
                one.axvspan(1e3 * (stay.start - begin) + shift, 1e3 * (stay.stop - begin) + shift, color=colour,
                            alpha=0.18, lw=0)  # fmt: skip
            if time[-1] >= period:
                break
    contact.set(ylabel="contact force [N]", xlim=(0.0, period))
    contact.set_ylim(bottom=0.0)
    joint.set(ylabel="joint force [N]", xlabel="time since the bush entered the crankshaft sprocket [ms]")
    joint.set_ylim(bottom=0.0)
    names = surface_names(drive)
    patches = [Patch(color=wheel_colour(k), alpha=0.3, label=name) for k, name in enumerate(names[: len(drive.wheels)])]
    patches.append(Patch(color=GUIDE, alpha=0.3, label="rails"))
    figure.legend(handles=patches, loc="outside lower center", ncols=6)
    contact.set_title(f"{drive.name}: one revolution of the chain", loc="left")
    return figure


@styled
def spectra(runs: Mapping[str, Kept]) -> Figure:
    """Draw order spectra of the angle of the tension guide and of the tensioner force, with a row for each drive."""
    figure, axes = grid(2, 2, 11.0, 6.6)
    for row, (name, run) in enumerate(runs.items()):
        angle = spectrum(run.solution, "joint_position", "tension guide")
        _stems(axes[row, 0], angle, 1e3, "tension guide [mrad]")
        _stems(axes[row, 1], spectrum(run.solution, "tensioner_force"), 1.0, "tensioner force [N]")
        rpm = RPM * float(run.solution.values("wheel_speed", item=0).mean())
        axes[row, 0].set_title(f"{name}, {rpm:.0f} rpm", loc="left")
    return figure


def _stems(axes: Axes, found: OrderSpectrum, scale: float, label: str, highest: float = 24.0) -> None:
    shown = found.order <= highest
    axes.plot(found.order[shown], scale * found.amplitude[shown], color=REAL, lw=1.0)
    axes.set(xlim=(0.0, highest), ylim=(0.0, None), xlabel="order of the crankshaft", ylabel=f"amplitude: {label}")
    axes.set_xticks(np.arange(0.0, highest + 1.0, 3.0))


@styled
def slow(run: Kept) -> Figure:
    """Draw the deviation of both camshafts and the tensioner force over two working cycles at 2500 rpm, and their
    spectra.
    """
    solution = run.solution
    figure, axes = grid(2, 2, 11.0, 6.6, width_ratios=(1.6, 1.0))
    turned = np.abs(solution.values("wheel_angle", item=0))
    crank = np.degrees(turned - turned[0])
    for wheel, colour in (("right bank", REAL), ("left bank", THESIS)):
        found = deviation(run, wheel)
        at = np.degrees(found.turned - found.turned[0])
        axes[0, 0].plot(at, np.degrees(found.angle), color=colour, lw=1.0, label=wheel)
    axes[1, 0].plot(crank, solution.values("tensioner_force", item=0), color=REAL, lw=0.9)
    axes[0, 0].set(ylabel="deviation of the camshaft [deg]")
    axes[0, 0].legend(loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=2)
    axes[1, 0].set(ylabel="tensioner force [N]", xlabel="angle of the crankshaft [deg]", ylim=(0.0, None))
    for one in axes[:, 0]:
        one.set_xlim(0.0, 1440.0)
        one.set_xticks(np.arange(0.0, 1441.0, 180.0))
    axes[0, 0].set_title("V6 at 2500 rpm", loc="left")
    lines = transmission_orders(deviation(run, "right bank"))
    axes[0, 1].plot(lines.frequency, np.degrees(lines.amplitude), color=REAL, lw=1.0)
    axes[0, 1].set(xlim=(0.0, 24.0), ylim=(0.0, None), ylabel="amplitude: right bank [deg]")
    axes[0, 1].set_xticks(np.arange(0.0, 25.0, 3.0))
    _stems(axes[1, 1], spectrum(solution, "tensioner_force"), 1.0, "tensioner force [N]")
    return figure
