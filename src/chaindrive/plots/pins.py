"""Plots of the chain of a variator: forces on a pin around the loop, slip and losses by position, and thrusts and ratio
over time.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from chaindrive.analyses.results.losses import LossHistory, loss_history
from chaindrive.analyses.results.steadiness import headline_part
from chaindrive.analyses.results.variator import (
    PinPassage,
    SheavePassage,
    VariatorPoint,
    pin_passage,
    ratios,
    sheave_passage,
    variator_point,
)
from chaindrive.analyses.signals.windows import instants, window_of
from chaindrive.plots.definition import draws, tabulates
from chaindrive.plots.loop import draw_zones
from chaindrive.plots.results import wheel_legend
from chaindrive.plots.style import INK, LINE, heading, new_figure, scale_for, show_times, wheel_colour
from chaindrive.plots.tables import side_by_side, table
from chaindrive.results.solution import Solution

if TYPE_CHECKING:
    from pandas import DataFrame

__all__ = [
    "data_pin_forces",
    "data_pin_slip",
    "data_variator",
    "draw_pin_force",
    "plot_pin_forces",
    "plot_pin_slip",
    "plot_variator",
]

FloatArray = NDArray[np.float64]

_OF_A_PIN = {
    "normal": "normal force",
    "radial": "radial friction",
    "circumferential": "circumferential friction",
    "tension": "link tension",
}
"""The forces during a passage that are drawn, as in Figure 9 of Pfeiffer, Fritz & Srnik (1997)."""
_REMARKS = {
    "normal": "on one end of the pin",
    "radial": "on one end, along the cone, positive outwards",
    "circumferential": "on one end, around the axis, positive in the direction in which the chain runs",
    "tension": "of the link after the pin",
}


def _pin_forces(
    solution: Solution, pin: int = 0, start: float | None = None, stop: float | None = None
) -> tuple[Solution, PinPassage]:
    """The default window is the last full loop. Needs the channels pin_normal_force, pin_radial_friction,
    pin_circumferential_friction, link_tension and link_path_position. start, stop [s].
    """
    return solution, pin_passage(solution, pin, start, stop)


@tabulates(_pin_forces)
def data_pin_forces(solution: Solution, found: PinPassage) -> DataFrame:
    """The data of :func:`plot_pin_forces` at each instant: position of the pin, forces on one end, and tension of its
    link.
    """
    forces = {f"{text} [N]": getattr(found, name) for name, text in _OF_A_PIN.items()}
    return table({"time [s]": found.time, "place [pitches]": found.place, **forces}, pin=found.pin)


@draws(_pin_forces)
def plot_pin_forces(solution: Solution, found: PinPassage) -> Figure:
    """Plot the forces on one pin of a variator and the tension of its link over one loop of the chain.

    The forces are the normal force and the radial and circumferential friction on one end of the pin (Pfeiffer, Fritz &
    Srnik 1997, Figure 9). Bands mark the pairs of sheaves.
    """
    figure = new_figure(9.5, 9.0)
    panels = figure.subplots(4, 1, sharex=True)
    for axes, name in zip(panels, _OF_A_PIN, strict=True):
        _draw_over_place(axes, solution, found, name)
    panels[-1].set_xlabel(f"position along the loop [pitches], {solution.drive.chain.links} per loop")
    wheel_legend(figure, solution)
    return figure


def _draw_over_place(axes: Axes, solution: Solution, found: PinPassage, name: str) -> None:
    values, order = getattr(found, name), np.argsort(found.place)
    unit = scale_for(values, "N")
    axes.plot(found.place[order], unit(values[order]), color=LINE, lw=0.9)
    axes.set_ylabel(f"{_OF_A_PIN[name].split()[-1]} [{unit.unit}]")
    place = found.place[order]
    half = 0.0 if place[-1] > place[0] else 0.5
    axes.set_xlim(place[0] - half, place[-1] + half)
    draw_zones(axes, found.zones, solution.drive.chain.links)
    title = _OF_A_PIN[name]
    which = f"{title[:1].upper()}{title[1:]}" + (f", pin {found.pin}" if name != "tension" else f", link {found.pin}")
    heading(axes, which, f"{_REMARKS[name]}; {unit.range(values)}")


def draw_pin_force(axes: Axes, solution: Solution, pin: int) -> None:
    """Draw the normal force on one pin over the last loop."""
    _draw_over_place(axes, solution, pin_passage(solution, pin), "normal")
    axes.set_xlabel(f"position along the loop [pitches], {solution.drive.chain.links} per loop")


def _pin_slip(
    solution: Solution, start: float | None = None, stop: float | None = None
) -> tuple[Solution, tuple[SheavePassage, SheavePassage]]:
    """The default window is the last full loop. Needs the channels of the pins, roller_position, wheel_position and
    contact_surface. start, stop [s].
    """
    return solution, (sheave_passage(solution, 0, start, stop), sheave_passage(solution, 1, start, stop))


_OF_A_SHEAVE = (
    ("slip", "Slip around the axis", "m/s", "positive in the direction of rotation"),
    ("drift", "Slip along the cone", "m/s", "positive outwards"),
    ("radius", "Running radius", "m", "radial drift of the pins during their passage"),
)


@tabulates(_pin_slip)
def data_pin_slip(solution: Solution, found: tuple[SheavePassage, SheavePassage]) -> DataFrame:
    """The data of :func:`plot_pin_slip`, side by side for both pairs of sheaves, by angle from the first contact."""
    return side_by_side(
        **{
            each.name: table(
                {
                    "angle [rad]": each.angle,
                    "slip around the axis [m/s]": each.slip,
                    "slip along the cone [m/s]": each.drift,
                    "running radius [m]": each.radius,
                    "loss around the axis [W/rad]": each.loss_around,
                    "loss along the cone [W/rad]": each.loss_radial,
                }
            )
            for each in found
        }
    )


@draws(_pin_slip)
def plot_pin_slip(solution: Solution, found: tuple[SheavePassage, SheavePassage]) -> Figure:
    """Plot the sliding speed of the pins and the friction losses: means over all pins, by their angle in each pair of
    sheaves.
    """
    figure = new_figure(9.5, 9.6)
    panels = figure.subplots(4, 1, sharex=True)
    for axes, (name, title, si, remark) in zip(panels, _OF_A_SHEAVE, strict=False):
        unit = scale_for(np.concatenate([getattr(each, name) for each in found]), si)
        for each in found:
            colour = wheel_colour(each.wheel)
            axes.plot(np.degrees(each.angle), unit(getattr(each, name)), color=colour, label=each.name)
        axes.set_ylabel(f"{title.split()[-1] if name == 'radius' else 'speed'} [{unit.unit}]")
        heading(axes, title, remark)
        if name != "radius":
            axes.axhline(0.0, color=INK, lw=0.6)
    for each in found:
        colour, degrees = wheel_colour(each.wheel), np.degrees(each.angle)
        around, radial = each.lost
        scale = math.radians(1.0)
        for values, dashes, which, whole in (
            (each.loss_around, "-", "around the axis", around),
            (each.loss_radial, "--", "along the cone", radial),
        ):
            panels[3].plot(
                degrees, scale * values, color=colour, ls=dashes, label=f"{each.name}, {which}: {whole:.4g} W"
            )
    panels[3].set_ylabel("loss [W/deg]")
    heading(panels[3], "Friction loss by position", f"{found[0].start:.4g} to {found[0].stop:.4g} s")
    panels[3].set_xlabel("angle from the first contact, in the direction of rotation [deg]")
    for axes in (panels[0], panels[3]):
        axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), borderaxespad=0.2)
    return figure


def _variator(
    solution: Solution, start: float | None = None, stop: float | None = None
) -> tuple[Solution, slice, dict[str, FloatArray], LossHistory, VariatorPoint]:
    """The default window is the whole run. Needs the channels sheave_thrust, running_radius, wheel_speed, wheel_torque
    and sheave_slip. start, stop [s].
    """
    times = instants(solution)
    window = window_of(times, start, stop, least=2)
    found = {name: values[window.rows] for name, values in ratios(solution).items()}
    history = loss_history(solution, window.start, window.stop, over="loop")
    return solution, window.rows, found, history, variator_point(solution)


@tabulates(_variator)
def data_variator(
    solution: Solution, rows: slice, found: dict[str, FloatArray], history: LossHistory, point: VariatorPoint
) -> DataFrame:
    """The data of :func:`plot_variator` side by side: thrusts, ratios and slip at each instant, and the mean losses."""
    names = [sheave.name for sheave in solution.drive.sheaves]
    columns: dict[str, FloatArray] = {"time [s]": instants(solution)[rows]}
    for name, text, unit in _OF_A_PAIR:
        columns |= {f"{text} of {pair} [{unit}]": solution.values(name, rows, w) for w, pair in enumerate(names)}
    columns |= {f"{name} [-]": values for name, values in found.items()}
    lost = table({"time of the mean [s]": history.time, "friction and damping [W]": history.power.sum(axis=1)})
    return side_by_side(over_time=table(columns), losses=lost)


_OF_A_PAIR = (
    ("sheave_thrust", "thrust", "N"),
    ("running_radius", "running radius", "m"),
    ("sheave_slip", "slip", "m/s"),
)


@draws(_variator)
def plot_variator(
    solution: Solution, rows: slice, found: dict[str, FloatArray], history: LossHistory, point: VariatorPoint
) -> Figure:
    """Plot thrusts, thrust ratio, transmission ratio, slip and losses of a variator over time."""
    times, names = instants(solution)[rows], [sheave.name for sheave in solution.drive.sheaves]
    part = headline_part(solution).name
    figure = new_figure(9.5, 10.6)
    panels = figure.subplots(5, 1, sharex=True)
    thrust = solution.values("sheave_thrust", rows)
    unit = scale_for(thrust, "N")
    limits = "; ".join(
        f"{100.0 * used:.3g} % of the slip limit on {n}" for used, n in zip(point.used, names, strict=True)
    )
    for w, name in enumerate(names):
        panels[0].plot(times, unit(thrust[:, w]), color=wheel_colour(w), lw=0.8, label=name)
    panels[0].set_ylabel(f"thrust [{unit.unit}]")
    heading(panels[0], "Thrusts", limits)
    panels[1].plot(times, found["thrust ratio"], color=LINE, lw=0.8)
    panels[1].set_ylabel("thrust ratio [-]")
    heading(panels[1], "Thrust ratio, driving over driven", f"mean of the {part} {point.thrust_ratio:.4f}")
    panels[2].plot(times, found["ratio of the running radii"], color=INK, lw=0.8, ls="--", label="of the running radii")
    panels[2].plot(times, found["speed ratio"], color=LINE, lw=0.9, label="of the speeds")
    panels[2].set_ylabel("ratio [-]")
    heading(panels[2], "Transmission ratio, driving over driven speed", f"mean of the {part} {point.ratio:.4f}")
    slip = solution.values("sheave_slip", rows)
    pace = scale_for(slip, "m/s")
    for w, name in enumerate(names):
        panels[3].plot(times, pace(slip[:, w]), color=wheel_colour(w), lw=0.8, label=name)
    panels[3].set_ylabel(f"slip [{pace.unit}]")
    heading(panels[3], "Mean slip of the pins around the axes", "counter-clockwise positive")
    lost = history.power.sum(axis=1)
    power = scale_for(lost, "W")
    panels[4].plot(history.time, power(lost), color=LINE, lw=0.9)
    panels[4].set_ylabel(f"losses [{power.unit}]")
    heading(panels[4], "Losses in the variator", f"means over {history.over}")
    panels[4].set_xlabel("time [s]")
    show_times(panels[4], times[0], times[-1])
    for k in (0, 2, 3):
        panels[k].legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), borderaxespad=0.2)
    return figure
