"""Plots of the transmission error between two wheels over time, over the angle of one of the wheels, and over order."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from chaindrive.analyses.signals.frequencies import OrderMark, order_marks
from chaindrive.analyses.signals.spectra import Spectrum, Window, peaks, window_function
from chaindrive.analyses.signals.transmission import TransmissionError, transmission_error, transmission_orders
from chaindrive.errors import InputError
from chaindrive.plots.definition import draws, tabulates
from chaindrive.plots.spectra import draw_marks, draw_spectrum, highest_shown
from chaindrive.plots.style import INK, LINE, heading, new_figure, scale_for, show_times
from chaindrive.plots.tables import side_by_side, table
from chaindrive.results.solution import Solution

if TYPE_CHECKING:
    from pandas import DataFrame

__all__ = ["data_transmission_error", "plot_transmission_error"]


class _Orders(NamedTuple):
    """Order spectrum of a transmission error, the marked orders, and the highest order shown."""

    spectrum: Spectrum
    marks: list[OrderMark]
    last: float


def _transmission_error(
    solution: Solution,
    wheel: int | str | None = None,
    reference: int | str | None = None,
    start: float | None = None,
    stop: float | None = None,
    window: Window = "hann",
    highest: float | None = None,
) -> tuple[TransmissionError, _Orders | str]:
    """wheel: number or name of a wheel, by default the first wheel without prescribed motion after the reference;
    reference: number or name of the reference wheel, by default the driver. start, stop [s]: see
    :func:`chaindrive.analyses.signals.transmission.transmission_error`; highest: highest order drawn. Needs the channel
    wheel_angle.
    """
    window_function(window, 1)  # an unknown name is refused; it is no reason why there are no orders
    found = transmission_error(solution, reference, wheel, start, stop)
    try:
        orders = transmission_orders(found, window)
    except InputError as error:
        return found, error.problems[0].message
    last = highest_shown("", solution.drive.wheels[found.wheel_1].teeth, orders.frequency, highest)
    return found, _Orders(orders, order_marks(solution.drive, found.wheel_1, last), last)


@tabulates(_transmission_error)
def data_transmission_error(found: TransmissionError, orders: _Orders | str) -> DataFrame:
    """The data of :func:`plot_transmission_error`: time [s], angle of the reference wheel [rad], error as an angle
    [rad] and as a path [m]; orders and their amplitudes [rad], if the window contains a revolution.
    """
    first, second = found.names
    blocks = {
        "error": table(
            {
                "time [s]": found.time,
                f"angle of {first} [rad]": found.turned,
                f"transmission error at {second} [rad]": found.angle,
                f"transmission error at the pitch circle of {second} [m]": found.path,
            },
            **{"static part [rad]": found.mean, "rms [rad]": found.rms, "peak to peak [rad]": found.peak_to_peak},
        )
    }
    if not isinstance(orders, str):
        shown = orders.spectrum.frequency <= orders.last
        columns = {
            f"order of {first} [1]": orders.spectrum.frequency[shown],
            "amplitude of the transmission error [rad]": orders.spectrum.amplitude[shown],
        }
        blocks["orders"] = table(columns)
    return side_by_side(**blocks)


@draws(_transmission_error)
def plot_transmission_error(found: TransmissionError, orders: _Orders | str) -> Figure:
    """Plot the lead or lag of a wheel relative to a reference wheel, over time, over the angle of the reference wheel,
    and over order.

    The mean is subtracted and stated above the plot.
    """
    figure = new_figure(9.0, 8.6)
    over_time, over_angle, over_orders = figure.subplots(3, 1)
    unit = scale_for(found.angle, "rad")
    over_time.plot(found.time, unit(found.angle), color=LINE, lw=0.8)
    show_times(over_time, float(found.time[0]), float(found.time[-1]))
    over_time.set_xlabel("time [s]")
    title = f"Transmission error of {found.names[1]} against {found.names[0]}"
    figure.suptitle(title, x=0.01, ha="left", fontweight="bold", color=INK, size=11)
    still = scale_for(found.mean, "rad").text(found.mean)
    remark = f"peak to peak {unit.text(found.peak_to_peak)}, rms {unit.text(found.rms)}; static part {still} removed"
    heading(over_time, "Over time", remark)
    turn = np.degrees(found.turned) % 360.0
    over_angle.plot(turn, unit(found.angle), ".", color=LINE, ms=1.6, rasterized=turn.size > 5000)
    over_angle.set_xlim(0.0, 360.0)
    over_angle.set_xticks(range(0, 361, 45))
    over_angle.set_xlabel(f"angle of {found.names[0]} [deg]")
    heading(over_angle, "Over one revolution", "all revolutions superimposed")
    for axes in (over_time, over_angle):
        axes.set_ylabel(f"error [{unit.unit}]")
        _path_axis(axes, found, unit.factor)
    over_orders.set_xlabel(f"order of {found.names[0]} [cycles per revolution]")
    over_orders.set_ylabel(f"amplitude [{unit.unit}]")
    if isinstance(orders, str):
        heading(over_orders, "Orders")
        over_orders.text(0.5, 0.5, orders, ha="center", va="center", wrap=True, transform=over_orders.transAxes)
        return figure
    draw_spectrum(over_orders, orders.spectrum, unit, orders.last)
    largest = peaks(orders.spectrum, 1)
    at = f"largest at order {largest[0].frequency:.4g}: {unit.text(largest[0].amplitude)}" if largest else ""
    heading(over_orders, "Orders", at)
    draw_marks(figure, over_orders, orders.marks, orders.last)
    return figure


def _path_axis(axes: Axes, found: TransmissionError, factor: float) -> None:
    """Add a second axis on the right for the error as a path at the pitch circle."""
    path = scale_for(found.path, "m")
    ratio = found.radius * path.factor / factor
    other = axes.secondary_yaxis("right", functions=(lambda y: np.multiply(y, ratio), lambda y: np.divide(y, ratio)))
    other.set_ylabel(f"at the pitch circle [{path.unit}]")
