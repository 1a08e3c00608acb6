"""Common style of all plots: colours that colour-blind readers can distinguish, units with prefixes, and figures
without global state.
"""

from __future__ import annotations

import functools
import io
import math
import warnings
from collections.abc import Callable
from typing import Any, ParamSpec

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from numpy.typing import ArrayLike, NDArray

from chaindrive.model.arguments import converting_arguments

__all__ = [
    "INK",
    "LINE",
    "MARK",
    "RAIL",
    "Scale",
    "heading",
    "new_figure",
    "scale_for",
    "show_times",
    "styled",
    "tension_colours",
    "wheel_colour",
]

P = ParamSpec("P")

# Okabe & Ito (2008), without black and yellow, which vanish as text or as a pale band.
_WHEELS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00")
INK = "#22303C"
LINE = "#0B4F6C"
MARK = "#D55E00"
RAIL = "#DCC08A"

_FONTS = (
    "Noto Sans CJK SC", "Noto Sans CJK JP", "Source Han Sans SC", "WenQuanYi Micro Hei", "Microsoft YaHei", "Yu Gothic",
    "Malgun Gothic", "PingFang SC", "Hiragino Sans", "Noto Sans Devanagari", "Noto Sans Thai", "Arial Unicode MS",
)  # fmt: skip
"""Fonts for characters missing from DejaVu Sans, the font of matplotlib. Those that are installed are used."""

_SETTINGS: dict[str, Any] = {
    "font.size": 9.5,
    "axes.titlesize": 10.5,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.titlecolor": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": "#8A949C",
    "axes.linewidth": 0.8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.formatter.useoffset": False,
    "axes.formatter.limits": (-4, 5),
    "grid.color": "#E3E7EA",
    "grid.linewidth": 0.7,
    "xtick.color": "#55606A",
    "ytick.color": "#55606A",
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "lines.linewidth": 1.1,
    "legend.frameon": False,
    "legend.fontsize": 8.5,
    "figure.facecolor": "white",
    "figure.dpi": 110,
    "savefig.dpi": 160,
    "agg.path.chunksize": 20_000,
    "path.simplify": True,
    "text.parse_math": False,
}

_PREFIXES = {-9: "n", -6: "µ", -3: "m", 0: "", 3: "k", 6: "M", 9: "G"}


class Scale:
    """A unit with a prefix: values times ``factor`` are in ``unit``."""

    def __init__(self, factor: float, unit: str) -> None:
        self.factor, self.unit = factor, unit

    def __call__(self, values: ArrayLike) -> NDArray[np.float64]:
        """Values in the prefixed unit."""
        return np.asarray(values, dtype=np.float64) * self.factor

    def text(self, value: float, digits: int = 3) -> str:
        """A value with its unit as text, rounded to the given number of significant digits."""
        return f"{_rounded(value * self.factor, digits)} {self.unit}"

    def range(self, values: ArrayLike, digits: int = 3) -> str:
        """Smallest and largest of the values with the unit as text, such as "3.68 to 28.9 kN"."""
        numbers = np.asarray(values, dtype=np.float64) * self.factor
        numbers = numbers[np.isfinite(numbers)]
        if not numbers.size:
            return "no finite value"
        return f"{_rounded(float(numbers.min()), digits)} to {_rounded(float(numbers.max()), digits)} {self.unit}"


def _rounded(value: float, digits: int) -> str:
    if value == 0.0 or not math.isfinite(value):
        return f"{value:g}"
    decimals = max(0, digits - 1 - math.floor(math.log10(abs(value))))
    return f"{value:.{decimals}f}".replace("-", "−")


def scale_for(values: ArrayLike, unit: str) -> Scale:
    """Scale with the prefix for which the largest of these values (SI) is between 1 and 1000; lengths are never scaled
    above metres.
    """
    numbers = np.abs(np.asarray(values, dtype=np.float64))
    finite = numbers[np.isfinite(numbers)]
    largest = float(finite.max()) if finite.size else 0.0
    power = 3 * math.floor(math.log10(largest) / 3.0 + 1e-9) if largest > 0.0 else 0
    power = min(max(power, -9), 0 if unit == "m" else 9)
    return Scale(10.0**-power, _PREFIXES[power] + unit)


class _Shown(Figure):
    """A figure that a notebook shows without pyplot, which would keep the figure in memory."""

    def _repr_png_(self) -> bytes:
        file = io.BytesIO()
        with warnings.catch_warnings():  # of letters that the font does not have
            warnings.simplefilter("ignore")
            self.savefig(file, format="png", dpi=self.dpi)
        return file.getvalue()


def new_figure(width: float, height: float) -> Figure:
    """A figure of this size [inches] that belongs to no window and is not part of any global state."""
    return _Shown(figsize=(width, height), layout="constrained")


@functools.cache
def _families() -> tuple[str, ...]:
    from matplotlib.font_manager import fontManager

    installed = set(fontManager.get_font_names())
    return ("DejaVu Sans", *(name for name in _FONTS if name in installed))


def styled(plot: Callable[P, Figure]) -> Callable[P, Figure]:
    """Decorator that makes a plot function draw in the style of this package, independent of the user's settings, which
    are restored.

    Arguments are converted as in :func:`chaindrive.model.arguments.converting_arguments`.
    """
    asked = converting_arguments(plot)

    @functools.wraps(plot)
    def with_style(*args: P.args, **kwargs: P.kwargs) -> Figure:
        with matplotlib.rc_context(_SETTINGS | {"font.family": list(_families())}):  # type: ignore[arg-type]
            return asked(*args, **kwargs)

    return with_style


def wheel_colour(wheel: int) -> str:
    """Colour of a wheel in every plot."""
    return _WHEELS[wheel % len(_WHEELS)]


def tension_colours() -> LinearSegmentedColormap:
    """Colours for increasing tension: the part of the plasma colour map that is readable on white."""
    plasma = matplotlib.colormaps["plasma"]
    return LinearSegmentedColormap.from_list("tension", [plasma(x) for x in np.linspace(0.0, 0.88, 64)])


def show_times(axes: Axes, first: float, last: float) -> None:
    """Limit a time axis to the range from first to last [s]; a single instant is centred in a range of one
    millisecond.
    """
    half = 0.0 if last > first else 5e-4
    axes.set_xlim(first - half, last + half)


def heading(axes: Axes, title: str, remark: str = "") -> None:
    """Write a bold title at the left and a plain remark at the right, both above the axes."""
    axes.set_title(title, loc="left")
    if remark:
        axes.set_title(remark, loc="right", fontsize=8.5, fontweight="normal", color="#55606A")
