"""Plots of drives and results. Every ``plot_`` function returns a matplotlib Figure without showing it. The ``data_``
function of the same name and with the same arguments returns the plotted values as a pandas DataFrame, in SI units.

Importing this package imports matplotlib; no other package of chaindrive does.
"""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType
from typing import TYPE_CHECKING

from matplotlib.figure import Figure

from chaindrive.plot_names import PLOT_NAMES
from chaindrive.plots.around import data_overview, data_tension_around, plot_overview, plot_tension_around
from chaindrive.plots.campbell import (
    data_waterfall,
    data_waterfall_of_runs,
    plot_waterfall,
    plot_waterfall_of_runs,
)
from chaindrive.plots.drive import data_drive, plot_drive
from chaindrive.plots.energy import data_energy, plot_energy
from chaindrive.plots.loads import (
    data_bearing_force,
    data_comparison,
    data_losses,
    data_rainflow,
    plot_bearing_force,
    plot_comparison,
    plot_losses,
    plot_rainflow,
)
from chaindrive.plots.loop import (
    data_link_load,
    data_peaks,
    data_tension_envelope,
    plot_link_load,
    plot_peaks,
    plot_tension_envelope,
)
from chaindrive.plots.pins import (
    data_pin_forces,
    data_pin_slip,
    data_variator,
    plot_pin_forces,
    plot_pin_slip,
    plot_variator,
)
from chaindrive.plots.plates import data_plate_forces, plot_plate_forces
from chaindrive.plots.results import (
    data_contact_force,
    data_link_tension,
    data_span,
    plot_contact_force,
    plot_link_tension,
    plot_span,
)
from chaindrive.plots.shafts import data_shafts, plot_shafts
from chaindrive.plots.spectra import data_orders, data_spectrum, plot_orders, plot_spectrum
from chaindrive.plots.speed_map import data_campbell, plot_campbell
from chaindrive.plots.speeds import data_speeds, plot_speeds
from chaindrive.plots.tables import tables_of
from chaindrive.plots.transmission import data_transmission_error, plot_transmission_error

if TYPE_CHECKING:
    from pandas import DataFrame

__all__ = [
    "DATA",
    "PLOTS",
    "data_bearing_force",
    "data_campbell",
    "data_comparison",
    "data_contact_force",
    "data_drive",
    "data_energy",
    "data_link_load",
    "data_link_tension",
    "data_losses",
    "data_orders",
    "data_overview",
    "data_peaks",
    "data_pin_forces",
    "data_pin_slip",
    "data_plate_forces",
    "data_rainflow",
    "data_shafts",
    "data_span",
    "data_spectrum",
    "data_speeds",
    "data_tension_around",
    "data_tension_envelope",
    "data_transmission_error",
    "data_variator",
    "data_waterfall",
    "data_waterfall_of_runs",
    "plot_bearing_force",
    "plot_campbell",
    "plot_comparison",
    "plot_contact_force",
    "plot_drive",
    "plot_energy",
    "plot_link_load",
    "plot_link_tension",
    "plot_losses",
    "plot_orders",
    "plot_overview",
    "plot_peaks",
    "plot_pin_forces",
    "plot_pin_slip",
    "plot_plate_forces",
    "plot_rainflow",
    "plot_shafts",
    "plot_span",
    "plot_spectrum",
    "plot_speeds",
    "plot_tension_around",
    "plot_tension_envelope",
    "plot_transmission_error",
    "plot_variator",
    "plot_waterfall",
    "plot_waterfall_of_runs",
    "tables_of",
]

PLOTS: MappingProxyType[str, Callable[..., Figure]] = MappingProxyType(
    {name: globals()[f"plot_{name.replace('-', '_')}"] for name in PLOT_NAMES}
)
"""Functions that plot a result, by their names on the command line. The first argument is the result; each signature
lists the others (link, roller, span, channel, index, wheel, time, start, stop ...)."""

DATA: MappingProxyType[str, Callable[..., DataFrame]] = MappingProxyType(
    {name: globals()[f"data_{name.replace('-', '_')}"] for name in PLOT_NAMES}
)
"""Functions that return the values in each plot of ``PLOTS``, under the same names and with the same arguments."""
