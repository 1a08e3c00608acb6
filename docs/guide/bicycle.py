"""Measure and draw the oval chainring of "A bicycle": python docs/guide/bicycle.py

It simulates the example bicycle-50x19 in one plane, with the chainring of the page, over two turns of the crank.
"""

from __future__ import annotations

import io
import re
import tomllib
from pathlib import Path

import numpy as np
from _measured import with_table
from matplotlib.figure import Figure
from PIL import Image

import chaindrive as cd
from chaindrive.analyses.analytical.oval import lever_arms, oval_text
from chaindrive.mechanism.facts import drive_facts
from chaindrive.model import example_path
from chaindrive.plots import plot_drive

HERE = Path(__file__).resolve().parent
PAGE, PICTURES = HERE / "bicycle.md", HERE / "pictures"
LINE = re.compile(r"^pitch_line = (.*)$", re.MULTILINE)
COLOURS, DPI = 64, 90
TURN, TURNS_BEFORE = 2.0 * np.pi, 1


def drive_of_page(page: str) -> cd.Drive:
    """Return the example with the pitch line of the page."""
    found = LINE.search(page)
    assert found is not None, "no pitch line on the page"
    fields = tomllib.loads(example_path("bicycle-50x19").read_text(encoding="utf-8"))
    fields["bicycle"] |= {"pitch_line": tomllib.loads(found[0])["pitch_line"], "straight_chainline": True}
    fields["run"] = {
        "until": "1.4 s",
        "start": "at_speed",
        "formulation": {"kind": "roller"},
        "save": {"rate": "2 kHz", "channels": ["wheel_angle", "wheel_speed"]},
    }
    return cd.Drive.from_dict(fields)


def save(figure: Figure, name: str) -> None:
    """Write a figure as a small PNG file."""
    buffer = io.BytesIO()
    figure.savefig(buffer, dpi=DPI, format="png", bbox_inches="tight")
    Image.open(buffer).convert("RGB").quantize(COLOURS).save(PICTURES / f"bicycle-oval-{name}.png", optimize=True)


def main() -> None:
    """Simulate, draw, and write the results into the page."""
    page = PAGE.read_text(encoding="utf-8")
    drive = drive_of_page(page)
    save(plot_drive(drive), "drive")
    run = cd.simulate(drive)
    angle, speed = run.values("wheel_angle"), run.values("wheel_speed")
    turned = angle[0, 0] - angle[:, 0]
    whole = (turned >= TURNS_BEFORE * TURN) & (turned < (TURNS_BEFORE + 1) * TURN)
    ratio = speed[whole, -1] / speed[whole, 0]
    arms = lever_arms(drive, angle[whole, 0])[:, 0] / drive_facts(drive).pitch_radii[-1]
    figure = Figure(figsize=(7.5, 3.4))
    axes = figure.subplots()
    at = np.degrees(turned[whole] - TURNS_BEFORE * TURN)
    axes.plot(at, ratio, lw=0.8, label="simulated")
    axes.plot(at, arms, lw=1.2, label="lever arm / pitch radius of the cog")
    axes.set_xlabel("angle of the crank [deg]")
    axes.set_ylabel("speed of the cog / crank [-]")
    axes.set_xlim(0.0, 360.0)
    axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2, frameon=False)
    save(figure, "ratio")
    twice = np.exp(2j * turned[whole])
    sizes = [2.0 * abs(np.mean((each - each.mean()) * twice)) for each in (ratio, arms)]
    lines = [
        f"> {oval_text(drive)}",
        "",
        f"In the simulation the ratio varies twice per turn by ±{sizes[0]:.4f}; "
        f"the lever arm alone gives ±{sizes[1]:.4f}.",
    ]
    PAGE.write_text(with_table(page, "oval", lines), encoding="utf-8")


if __name__ == "__main__":
    main()
