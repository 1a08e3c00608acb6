"""Make the pictures of the gallery: python docs/gallery/make.py [NAME ...]

Every example is simulated for a short time at speed, drawn as placed, and drawn with the tension around its loop at the
end of the run. The two that vibrate most are shown over time as well.
"""

from __future__ import annotations

import io
import sys
from pathlib import Path

from matplotlib.figure import Figure
from PIL import Image

import chaindrive as cd
from chaindrive.model.files.text import example_names
from chaindrive.plots import plot_drive, plot_span, plot_tension_around

FOLDER = Path(__file__).parent / "pictures"
COLOURS = 96
"""Number of colours of a picture: drawings need few, and the repository stays small."""
DPI = 120
UNTIL = {
    "timing-06b": 0.2, "timing-06b-run-up": 0.45, "v6-timing": 0.2, "pfeiffer-roller": 0.2, "industrial-08b": 0.5,
    "harvester-10b": 0.58, "harvester-10b-worn": 0.58, "tandem": 0.35, "bicycle-shift": 0.3,
    "motorcycle": 0.3, "conveyor-16b": 0.4, "hoist": 1.5, "chain-hoist": 0.5, "forklift-mast": 1.0,
    "hanging-chain": 0.3, "differential-hoist": 1.0, "cvt-63": 0.3, "cvt-63-shift": 0.8,
}  # fmt: skip
"""Simulated time of these examples; the others run for two seconds. [s]"""
SPANS = {"6s90mc-c-oscillating": 3, "6s90mc-c-guides-oscillating": 3}
"""Examples whose span is drawn over time."""


def save(figure: Figure, name: str) -> None:
    """Write a figure as a small PNG file."""
    buffer = io.BytesIO()
    figure.savefig(buffer, dpi=DPI, format="png", bbox_inches="tight")
    picture = Image.open(buffer).convert("RGB").quantize(COLOURS)
    picture.save(FOLDER / f"{name}.png", optimize=True)
    print(f"{name}.png: {(FOLDER / f'{name}.png').stat().st_size / 1e3:.0f} kB", flush=True)


def pictures(name: str) -> None:
    """Make all pictures of one example."""
    drive = cd.example(name)
    save(plot_drive(drive), f"{name}-drive")
    solution = cd.simulate(drive, until=UNTIL.get(name, 2.0))
    if solution.status.failed:
        raise SystemExit(f"{name}: {solution.status.meaning}")
    save(plot_tension_around(solution), f"{name}-tension")
    if name in SPANS:
        save(plot_span(solution, span=SPANS[name]), f"{name}-span")


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for chosen in sys.argv[1:] or example_names():
        pictures(chosen)
