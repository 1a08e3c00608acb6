"""Draw a contact law of "User-defined laws" with the contacts of a run: python docs/guide/own_laws_picture.py

The code is that of the page, so picture and page cannot differ.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from PIL import Image

import chaindrive as cd

HERE = Path(__file__).resolve().parent
PICTURE = HERE / "pictures" / "own-contact-law.png"
BLOCKS = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)
UNTIL, RATE = "20 ms", "100 kHz"
COLOURS, DPI = 64, 110


def main() -> None:
    """Simulate and draw it."""
    page: dict[str, Any] = {"__name__": "__main__"}
    for block in BLOCKS.findall((HERE / "own-laws.md").read_text(encoding="utf-8")):
        exec(compile(block, "own-laws.md", "exec"), page)
    save = cd.SaveOptions(rate=RATE, channels=["contact_penetration", "contact_force", "contact_surface"])
    solution = cd.simulate(page["lined"], until=UNTIL, save=save)
    on_rails = solution["contact_surface"].values >= len(page["lined"].wheels)
    depth = 1e3 * solution["contact_penetration"].values[on_rails]
    force = solution["contact_force"].values[on_rails]
    figure, axes = plt.subplots(figsize=(7.0, 4.2), layout="constrained")
    axes.plot(depth, force, ".", color="#4a7ebb", markersize=2.0, alpha=0.4, label="rollers of the run")
    axes.plot(1e3 * page["PENETRATION"], page["PRESSED"], "o-", color="#b3261e", label="curve of the press")
    axes.set_xlim(0.0, 1.1 * float(np.nanmax(depth)))
    axes.set_ylim(0.0, 1.1 * float(np.nanmax(force)))
    axes.set_xlabel("penetration [mm]")
    axes.set_ylabel("normal force on a roller [N]")
    axes.legend(loc="upper left")
    axes.grid(alpha=0.3)
    PICTURE.parent.mkdir(exist_ok=True)
    figure.savefig(PICTURE, dpi=DPI)
    Image.open(PICTURE).convert("RGB").quantize(COLOURS).save(PICTURE, optimize=True)
    print(f"{PICTURE.name}: {on_rails.sum()} contacts, up to {depth.max():.3f} mm and {force.max():.0f} N")


if __name__ == "__main__":
    main()
