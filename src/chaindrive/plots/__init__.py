"""Pictures of drives and results. Every function returns a matplotlib Figure and shows nothing.

Importing this package imports matplotlib; nothing else in chaindrive does.
"""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType

from matplotlib.figure import Figure

from chaindrive.plots.around import plot_overview, plot_tension_around
from chaindrive.plots.drive import plot_drive
from chaindrive.plots.results import plot_contact_force, plot_energy, plot_link_tension, plot_span

__all__ = [
    "PLOTS",
    "plot_contact_force",
    "plot_drive",
    "plot_energy",
    "plot_link_tension",
    "plot_overview",
    "plot_span",
    "plot_tension_around",
]

PLOTS: MappingProxyType[str, Callable[..., Figure]] = MappingProxyType(
    {
        "overview": plot_overview,
        "link-tension": plot_link_tension,
        "contact-force": plot_contact_force,
        "span": plot_span,
        "tension-around": plot_tension_around,
        "energy": plot_energy,
    }
)
"""Plots of a result by the name they have on the command line. The first argument is the result; what else one takes
(link, roller, span, time, start, stop) stands in its signature."""
