"""Analyses of a drive or of its results, in a module and four packages; each uses only those listed above it.

carried     masses that a chain carries: attachments and goods
linear      small vibrations: eigenfrequencies and mode shapes, stability of a span
analytical  analytical checks: formulas by themselves, and applied to a drive at its speed and tensions
signals     one signal of a result: its window, spectrum, orders, waterfall, and the frequencies to mark in them
results     a complete result: means, peaks, loads, losses, load cycles, and its comparison with analytical
            checks and with the results of other formulations

The modules can also be imported without the name of their package: ``chaindrive.analyses.spectra`` is
``chaindrive.analyses.signals.spectra``.
"""

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from chaindrive.analyses.analytical import (
        back_tension,
        contact_stiffness,
        conveyor_pull,
        fatigue,
        formulas,
        four_bar,
        limits,
        operating,
        oval,
        plate_rows,
        rating,
    )
    from chaindrive.analyses.linear import linearised, modes, stability
    from chaindrive.analyses.results import (
        bearings,
        comparison,
        comparison_case,
        comparison_reasons,
        conveyor,
        conveyor_tiles,
        course,
        differences,
        extremes,
        jumps,
        loop,
        losses,
        overview,
        passing,
        peaks,
        periodicity,
        plate_forces,
        plates,
        rainflow,
        resonance,
        scatter,
        shafts,
        shifting,
        side_by_side,
        speed_map,
        statistics,
        steadiness,
        strength,
        tiles,
        variator,
        verdict,
    )
    from chaindrive.analyses.signals import frequencies, orders, ratio, spectra, transmission, waterfall, windows

__all__ = [
    "back_tension",
    "bearings",
    "carried",
    "comparison",
    "comparison_case",
    "comparison_reasons",
    "contact_stiffness",
    "conveyor",
    "conveyor_pull",
    "conveyor_tiles",
    "course",
    "differences",
    "extremes",
    "fatigue",
    "formulas",
    "four_bar",
    "frequencies",
    "jumps",
    "limits",
    "linearised",
    "loop",
    "losses",
    "modes",
    "operating",
    "orders",
    "oval",
    "overview",
    "passing",
    "peaks",
    "periodicity",
    "plate_forces",
    "plate_rows",
    "plates",
    "rainflow",
    "rating",
    "ratio",
    "resonance",
    "scatter",
    "shafts",
    "shifting",
    "side_by_side",
    "spectra",
    "speed_map",
    "stability",
    "statistics",
    "steadiness",
    "strength",
    "tiles",
    "transmission",
    "variator",
    "verdict",
    "waterfall",
    "windows",
]

_HOME = {
    "back_tension": "analytical",
    "contact_stiffness": "analytical",
    "conveyor_pull": "analytical",
    "fatigue": "analytical",
    "formulas": "analytical",
    "four_bar": "analytical",
    "limits": "analytical",
    "operating": "analytical",
    "oval": "analytical",
    "plate_rows": "analytical",
    "rating": "analytical",
    "linearised": "linear",
    "modes": "linear",
    "stability": "linear",
    "bearings": "results",
    "comparison": "results",
    "comparison_case": "results",
    "comparison_reasons": "results",
    "conveyor": "results",
    "conveyor_tiles": "results",
    "course": "results",
    "differences": "results",
    "extremes": "results",
    "jumps": "results",
    "loop": "results",
    "losses": "results",
    "overview": "results",
    "passing": "results",
    "peaks": "results",
    "periodicity": "results",
    "plate_forces": "results",
    "plates": "results",
    "rainflow": "results",
    "resonance": "results",
    "scatter": "results",
    "shafts": "results",
    "shifting": "results",
    "side_by_side": "results",
    "speed_map": "results",
    "statistics": "results",
    "steadiness": "results",
    "strength": "results",
    "tiles": "results",
    "variator": "results",
    "verdict": "results",
    "frequencies": "signals",
    "orders": "signals",
    "ratio": "signals",
    "spectra": "signals",
    "transmission": "signals",
    "waterfall": "signals",
    "windows": "signals",
}


class _ShortName(ModuleType):
    """A module under its short name; the module is loaded when one of its attributes is first used."""

    def __getattr__(self, name: str) -> Any:
        from importlib import import_module

        module = self.__name__.rpartition(".")[2]
        if name.startswith("__"):
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        return getattr(import_module(f"{__name__}.{_HOME[module]}.{module}"), name)


for _module in _HOME:
    globals()[_module] = sys.modules[f"{__name__}.{_module}"] = _ShortName(f"{__name__}.{_module}")
