"""Functions for the pictures of all validation pages."""

from __future__ import annotations

from pathlib import Path

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray
from PIL import Image

from chaindrive.plots.style import new_figure, wheel_colour

matplotlib.use("Agg")
PICTURES = Path(__file__).parent / "pictures"
REAL, CIRCULAR, STRING, THESIS = "#0B4F6C", "#E69F00", "#7A868F", "#D55E00"


def grid(rows: int, columns: int, width: float, height: float, **options: object) -> tuple[Figure, np.ndarray]:
    """A figure with a size in inches, and its axes, (rows, columns)."""
    figure = new_figure(width, height)
    return figure, figure.subplots(rows, columns, squeeze=False, **options)


def save(figure: Figure, path: Path) -> None:
    """Write a picture with 128 colours, which are enough for lines and reduce the file to a third of its size."""
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=120, metadata={"Software": None})
    with Image.open(path) as picture:
        small = picture.convert("RGB").quantize(128, dither=Image.Dither.NONE)
    small.save(path, optimize=True)


def shade(axes: Axes, time: NDArray[np.float64], body: NDArray[np.float64], wheels: int = 4, bridge: int = 60) -> None:
    """Colour the times at which a roller touches a wheel, by wheel; interruptions of up to ``bridge`` rows, when a
    roller bounces, are bridged.
    """
    for wheel in range(wheels):
        touching = np.flatnonzero(body == wheel)
        for part in np.split(touching, np.flatnonzero(np.diff(touching) > bridge) + 1):
            if part.size > 3:
                axes.axvspan(time[part[0]], time[part[-1]], color=wheel_colour(wheel), alpha=0.13, lw=0)
                middle = 0.5 * (time[part[0]] + time[part[-1]])
                axes.text(middle, 1.0, f"{wheel + 1}", transform=axes.get_xaxis_transform(), ha="center", va="bottom",
                          fontsize=8.5, color=wheel_colour(wheel), fontweight="bold")  # fmt: skip


def mark(axes: Axes, frequencies: tuple[float, ...]) -> None:
    """Draw triangles at the top of the axes at the peaks that the source names."""
    for frequency in frequencies:
        axes.plot(frequency, 1.0, marker="v", color=THESIS, ms=7, clip_on=False, zorder=5,
                  transform=axes.get_xaxis_transform())  # fmt: skip
