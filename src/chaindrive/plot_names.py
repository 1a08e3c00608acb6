"""Names of the plots of a result, in the order in which they are listed.

They are defined here, not with the plots, because the help of the command line lists them and must not load matplotlib.
"""

from __future__ import annotations

__all__ = ["OF_A_VARIATOR", "PLOT_NAMES"]

OF_A_VARIATOR = ("pin-forces", "pin-slip", "plate-forces", "variator")
"""Names of the plots that only drives with sheaves have."""
PLOT_NAMES = (
    "overview",
    "link-tension",
    "contact-force",
    "span",
    "tension-around",
    "energy",
    "tension-envelope",
    "link-load",
    "peaks",
    "bearing-force",
    "losses",
    "shafts",
    "speeds",
    "rainflow",
    "comparison",
    "spectrum",
    "orders",
    "waterfall",
    "transmission-error",
    *OF_A_VARIATOR,
)
"""Names of all plots. The plot ``link-tension`` is drawn by ``plots.plot_link_tension``."""
