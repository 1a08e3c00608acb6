"""Make the pictures of the README, of tooth forms and of the Campbell diagram: make.py [teeth | campbell]"""

from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt

import chaindrive as cd
from chaindrive.geometry.profile import outline
from chaindrive.geometry.tooth_forms import TOOTH_FORMS, tooth_profile
from chaindrive.model.study.files import study_path
from chaindrive.plots import plot_campbell, plot_overview

FOLDER = Path(__file__).parent


def overview(name: str, until: float) -> None:
    """Simulate an example and draw its overview into a picture of the same name."""
    solution = cd.simulate(cd.example(name), until=until)
    if solution.status.failed:
        raise SystemExit(f"{name}: {solution.status.meaning}")
    plot_overview(solution).savefig(FOLDER / f"{name}.png", dpi=110)


OPTIONS: dict[str, dict[str, Any]] = {
    "rectangular": {"clearance": 5e-5, "height": 1e-3},
    "semi-real": {"clearance": 5e-5, "height": 1e-3, "flank_angle": 0.4, "corner_radius": 5e-4},
}


def tooth_forms(teeth: int = 17, pitch: float = 12.7, roller: float = 8.51) -> None:
    """Draw a gap of every tooth form with the roller that rests in it, 08B in mm, into teeth.png."""
    figure, axes = plt.subplots(2, 5, figsize=(12.5, 5.4), sharex=True, sharey=True)
    forms = [form for form in TOOTH_FORMS if form != "profile"]  # which is drawn by somebody else
    for place, form in zip(axes.flat, forms, strict=False):
        profile = tooth_profile(form, teeth, pitch * 1e-3, roller * 1e-3, **OPTIONS.get(form, {}))
        pitch_radius = pitch / (2.0 * math.sin(math.pi / teeth))
        line = 1e3 * outline(profile, 2001)
        place.fill_between(line[:, 0], line[:, 1] - pitch_radius, -6.5, color="#C9D1D6", step=None)
        place.plot(line[:, 0], line[:, 1] - pitch_radius, color="#30404A", lw=1.2)
        place.add_patch(
            plt.Circle((0.0, 1e3 * profile.seat_radius - pitch_radius), 0.5 * roller, fill=False, color="#0072B2")
        )
        place.axhline(0.0, color="#8A949C", lw=0.6, ls=":")
        place.set_title(form, fontsize=10)
        place.set_aspect("equal")
    for place in axes.flat[len(forms) :]:
        place.axis("off")
    axes[0, 0].set_ylim(-6.5, 5.0)
    figure.supylabel("above the pitch circle [mm]", fontsize=9)
    figure.tight_layout(rect=(0.02, 0.0, 1.0, 1.0))
    figure.savefig(FOLDER / "teeth.png", dpi=90)


def campbell(output: Path | None = None) -> None:
    """Run the study timing-06b-speed, or take it from its folder, and draw its Campbell diagram: a minute of CPU."""
    table = cd.run_study(study_path("timing-06b-speed"), output=output)
    plot_campbell(table).savefig(FOLDER / "study-campbell.png", dpi=100)


if __name__ == "__main__":
    wanted = sys.argv[1:] or ["teeth", "campbell", "overview"]
    if "teeth" in wanted:
        tooth_forms()
    if "campbell" in wanted:
        campbell(Path(sys.argv[2]) if len(sys.argv) > 2 else None)
    if "overview" in wanted:
        overview("6l60mc", 3.0)
