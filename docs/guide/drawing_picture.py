"""Draw the mixer of "From a drawing to a file" with its dimensions: python docs/guide/drawing_picture.py

The drive is the first whole file on the page, so that drawing and file cannot differ.
"""

from __future__ import annotations

import re
from pathlib import Path

from matplotlib.axes import Axes
from PIL import Image

from chaindrive.model.files.drives import loads
from chaindrive.plots import plot_drive

HERE = Path(__file__).resolve().parent
PICTURE = HERE / "pictures" / "drawing-mixer.png"
FILE = re.compile(r"```toml\n(name = .*?)```", re.DOTALL)
INK = "#b3261e"
COLOURS, DPI = 96, 110


def measure(axes: Axes, begin: tuple[float, float], end: tuple[float, float], text: str) -> None:
    """A dimension line with arrows at both ends and its number; horizontal or vertical. [m]"""
    axes.annotate("", end, begin, arrowprops={"arrowstyle": "<->", "color": INK, "lw": 1.0, "shrinkA": 0, "shrinkB": 0})
    middle = (0.5 * (begin[0] + end[0]), 0.5 * (begin[1] + end[1]))
    turned = 90 if begin[0] == end[0] else 0
    box = {"facecolor": "white", "edgecolor": "none", "pad": 1.0}
    axes.text(*middle, text, color=INK, fontsize=11, ha="center", va="center", rotation=turned, bbox=box, zorder=9)


def main() -> None:
    """Draw it."""
    found = FILE.search((HERE / "drawing.md").read_text(encoding="utf-8"))
    assert found is not None, "no file of a drive on the page"
    drive = loads(found[1])
    figure = plot_drive(drive)
    figure.set_size_inches(10.0, 6.2)
    axes = figure.axes[0]
    places = [wheel.position for wheel in drive.wheels]
    low = min(y for _, y in places) - 0.15
    left = -0.14
    for number, (x, y) in enumerate(places[1:]):
        level = low - 0.045 * number
        column = left - 0.045 * number
        for point in ((0.0, 0.0), (x, y)):
            axes.plot([point[0]] * 2, [point[1], level - 0.006], color=INK, lw=0.5, alpha=0.7)
            axes.plot([point[0], column - 0.006], [point[1]] * 2, color=INK, lw=0.5, alpha=0.35)
        measure(axes, (0.0, level), (x, level), f"{1e3 * x:g}")
        measure(axes, (column, 0.0), (column, y), f"{1e3 * y:g}")
    axes.set_xlim(left - 0.08, 0.74)
    axes.set_ylim(low - 0.08, 0.27)
    figure.savefig(PICTURE, dpi=DPI, bbox_inches="tight")
    Image.open(PICTURE).convert("RGB").quantize(COLOURS).save(PICTURE, optimize=True)


if __name__ == "__main__":
    main()
