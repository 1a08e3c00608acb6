"""Writes numbers in readable form: few digits, with a prefix and a unit."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

__all__ = ["clock", "column", "count", "hours", "integration", "kept_together", "percent", "quantity", "scaled"]

_SPACE = re.compile(
    r"(?<=[\d)]) (?=\d{3}\b|%|[kMGmµn]?(?:[NWJmshg]|Pa|Hz)\b|rpm\b|deg\b|bar\b)|(?<=N) (?=[ms]\b)|(?<=N m) (?=s\b)"
)
"""The spaces between groups of thousands, before a unit, and within a unit such as N m s/rad."""
_PREFIXES = {-9: "n", -6: "µ", -3: "m", 0: "", 3: "k", 6: "M", 9: "G", 12: "T"}


def _power(value: float) -> int:
    if value == 0.0 or not math.isfinite(value):
        return 0
    return min(max(3 * math.floor(math.log10(abs(value)) / 3.0 + 1e-9), -9), 12)


def quantity(value: float, unit: str, digits: int = 4) -> str:
    """A value with a prefix as text: 18400 N becomes "18.4 kN". By default there are four significant digits and no
    trailing zeros.
    """
    if not math.isfinite(value):
        return f"{value} {unit}"
    rounded = float(f"{value:.{digits}g}") + 0.0  # no minus zero
    power = _power(rounded)
    return f"{rounded / 10.0**power:.{max(digits, 4)}g} {_PREFIXES[power]}{unit}".rstrip()


def kept_together(text: str, space: str = "\u00a0") -> str:
    """The text with non-breaking spaces within numbers and before their units."""
    return _SPACE.sub(space, text)


def scaled(values: Iterable[float], unit: str) -> tuple[float, str]:
    """Factor and prefixed unit for which the largest of the values is between 1 and 1000."""
    finite = [abs(value) for value in values if math.isfinite(value)]
    power = _power(max(finite, default=0.0))
    return 10.0**-power, f"{_PREFIXES[power]}{unit}"


def column(value: float, decimals: int = 3) -> str:
    """A number for a column with aligned decimal points. A value that would be rounded to zero is written with a power
    of ten.
    """
    if not math.isfinite(value):
        return str(value)
    if value != 0.0 and abs(value) < 0.5 * 10.0**-decimals:
        return f"{value:.0e}"
    return f"{round(value, decimals) + 0.0:,.{decimals}f}".replace(",", " ")  # no minus zero


def count(value: float) -> str:
    """A whole number with spaces between groups of thousands: 1 234 567."""
    return f"{round(value):,}".replace(",", " ")


def clock(seconds: float) -> str:
    """A duration [s] as text, such as 4.2 s, 3 min 20 s or 2 h 05 min; "unknown" if it is not finite."""
    if not math.isfinite(seconds):
        return "unknown"
    if seconds < 60.0:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest:02d} s"
    return f"{minutes // 60} h {minutes % 60:02d} min"


def percent(share: float) -> str:
    """A fraction of a limit in percent, without the percent sign, such as < 0.1, 3.6, 104 or 4 400; a dash for nan."""
    value = 100.0 * share
    if not math.isfinite(value):
        return "-"
    if 0.0 < value < 0.1:
        return "< 0.1"
    return count(float(f"{value:.3g}")) if value >= 100.0 else f"{value:.3g}"


LONGEST = 1e6
"""Largest number of hours printed, about a century."""


def hours(seconds: float) -> str:
    """A life in hours with three digits, such as 0.2 h, 43.9 h, 12 500 h or > 1 000 000 h."""
    value = seconds / 3600.0
    if math.isnan(value):
        return "not known"
    if value > LONGEST:
        return f"> {count(LONGEST)} h"
    rounded = float(f"{value:.3g}")
    return f"{count(rounded)} h" if rounded >= 100.0 else f"{rounded:g} h"


def integration(
    statistics: Mapping[str, Any], notes: Mapping[str, Any], measured: Callable[[float, str, int], str] = quantity
) -> dict[str, str]:
    """Statistics of an integration as text, by their descriptions.

    notes: notes of the run; measured: function that writes a value with its unit. The cause of the step size follows
    the largest step, and the origin of Jacobians follows their cost.
    """
    known: dict[str, tuple[str, Callable[[Any], str]]] = {
        "steps": ("steps", count),
        "rejected": ("rejected steps", count),
        "evaluations": ("evaluations of the right-hand side", count),
        "changed": ("evaluations after an impact", count),
        "jacobians": ("Jacobians", count),
        "evaluations_for_jacobians": ("evaluations for Jacobians", count),
        "jacobians_by": ("Jacobians by", str),
        "smallest_step": ("smallest step", lambda value: measured(value, "s", 3)),
        "mean_step": ("mean step", lambda value: measured(value, "s", 3)),
        "largest_step": ("largest step", lambda value: measured(value, "s", 3)),
        "step_set_by": ("step set by", str),
        "simulated_time": ("simulated time", lambda value: measured(value, "s", 6)),
        "wall_time": ("wall-clock time", clock),
        "shortened": ("step shortened", str),
        "steps_taken_back": ("steps taken back", count),
    }
    statistics = dict(statistics) | {key: notes[key] for key in ("step_set_by", "jacobians_by") if key in notes}
    found = {words: str(form(statistics[key])) for key, (words, form) in known.items() if key in statistics}
    others = {key: value for key, value in statistics.items() if key not in known}
    return found | {key.replace("_", " "): _plain(value) for key, value in others.items()}


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else f"{value:g}"
