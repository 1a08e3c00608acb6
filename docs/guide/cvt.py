"""Draw the pictures of "The chain of a CVT": python docs/guide/cvt.py

A run of the example cvt-63 in its steady state, and the shift of cvt-63-shift.
"""

from __future__ import annotations

import io
from pathlib import Path

from matplotlib.figure import Figure
from PIL import Image

import chaindrive as cd
from chaindrive.plots import plot_drive, plot_pin_forces, plot_pin_slip, plot_variator

PICTURES = Path(__file__).resolve().parent / "pictures"
COLOURS, DPI = 64, 90


def save(figure: Figure, name: str) -> None:
    """Write a figure as a small PNG file."""
    buffer = io.BytesIO()
    figure.savefig(buffer, dpi=DPI, format="png", bbox_inches="tight")
    Image.open(buffer).convert("RGB").quantize(COLOURS).save(PICTURES / f"cvt-{name}.png", optimize=True)


def main() -> None:
    """Simulate and draw."""
    save(plot_drive(cd.example("cvt-63-shift")), "drive")
    steady = cd.simulate("cvt-63", until=0.5)
    save(plot_pin_forces(steady), "pin-forces")
    save(plot_pin_slip(steady), "pin-slip")
    save(plot_variator(cd.simulate("cvt-63-shift")), "shift")


if __name__ == "__main__":
    main()
