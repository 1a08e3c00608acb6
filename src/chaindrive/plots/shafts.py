"""Plots of torque and power of the shafts over time, and of the motor torque as a function of speed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.figure import Figure

from chaindrive.analyses.results.shafts import MotorCurve, Shafts, motor_curve, shafts
from chaindrive.analyses.signals.selection import wheel_index
from chaindrive.plots.definition import draws, tabulates
from chaindrive.plots.style import INK, LINE, heading, new_figure, scale_for, show_times, wheel_colour
from chaindrive.plots.tables import side_by_side, table
from chaindrive.results.solution import Solution

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from pandas import DataFrame

__all__ = ["data_shafts", "plot_shafts"]


def _shafts(
    solution: Solution, wheel: int | str | None = None, start: float | None = None, stop: float | None = None
) -> tuple[Shafts, int, NDArray[np.float64], MotorCurve | None]:
    """wheel: number or name of the wheel whose torque is drawn as a function of its speed; default: the driver. start,
    stop [s]: by default the whole result. Needs the channels wheel_torque and wheel_speed.
    """
    found, index = shafts(solution, start, stop), wheel_index(solution.drive, wheel)
    return found, index, found.driving[:, index], motor_curve(solution.drive, index)


@tabulates(_shafts)
def data_shafts(found: Shafts, index: int, own: NDArray[np.float64], curve: MotorCurve | None) -> DataFrame:
    """The data of :func:`plot_shafts`: time [s], torque [N m] and power [W] of each shaft, and the motor
    curve.
    """
    columns = {"time [s]": found.time}
    for w, name in enumerate(found.names):
        columns[f"torque on {name} [N*m]"] = found.torque[:, w]
        columns[f"power into {name} [W]"] = found.power[:, w]
    name = found.names[index]
    columns |= {f"speed of {name} [rad/s]": found.speed[:, index], f"torque that drives {name} [N*m]": own}
    if curve is None:
        return table(columns)
    motor = table({"speed [rad/s]": curve.speed, "torque of the motor at that speed [N*m]": curve.torque})
    return side_by_side(over_time=table(columns), motor=motor)


@draws(_shafts)
def plot_shafts(found: Shafts, index: int, own: NDArray[np.float64], curve: MotorCurve | None) -> Figure:
    """Plot torque and power of every shaft over time, and the driving torque on a wheel as a function of its speed,
    with the motor curve.
    """
    figure = new_figure(9.0, 9.0)
    torques, powers, over_speed = figure.subplots(3, 1)
    for axes, values, base, what, title in (
        (torques, found.torque, "N m", "torque", "Shaft torque on the wheels"),
        (powers, found.power, "W", "power", "Power supplied by the shafts"),
    ):
        unit = scale_for(values, base)
        for w, name in enumerate(found.names):
            axes.plot(found.time, unit(values[:, w]), color=wheel_colour(w), lw=0.8, label=name)
        axes.set_xlabel("time [s]")
        axes.set_ylabel(f"{what} [{unit.unit}]")
        show_times(axes, float(found.time[0]), float(found.time[-1]))
        heading(axes, title, "counter-clockwise positive" if axes is torques else "negative: power taken out")
    torques.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), borderaxespad=0.2)
    unit, rpm = scale_for(own, "N m"), 30.0 / np.pi
    if curve is not None:
        over_speed.plot(curve.speed * rpm, unit(curve.torque), color=INK, lw=1.0, ls="--", label="at steady speeds")
    over_speed.plot(found.speed[:, index] * rpm, unit(own), color=LINE, lw=0.7, label="in the run")
    over_speed.set_xlabel(f"speed of {found.names[index]} [rpm]")
    over_speed.set_ylabel(f"torque [{unit.unit}]")
    heading(over_speed, f"Driving torque on {found.names[index]} versus its speed")
    over_speed.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), borderaxespad=0.2)
    return figure
