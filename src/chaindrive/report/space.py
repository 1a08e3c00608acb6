"""Data for drawing links and wheels in space: dimensions of the links and positions of the wheels."""

from __future__ import annotations

from typing import Any

from chaindrive.formulations.spatial.teeth import half_tooth_width, tip_relief
from chaindrive.model.links import link_dimensions

__all__ = ["space_entry"]

BETWEEN_PLATES = 0.06
"""Gap between an inner and an outer plate, relative to the sum of their thicknesses. [-]"""


def space_entry(drive: Any) -> dict[str, Any] | None:
    """Dimensions of links in space and positions of the wheels, lengths in m; None if links stay in the plane."""
    if drive.run.formulation.kind != "spatial":
        return None
    size = {name: dimension.value for name, dimension in link_dimensions(drive.chain).items()}
    plates = {
        name: {"depth": size[f"{name}_link.plate_depth"], "thickness": size[f"{name}_link.plate_thickness"]}
        for name in ("inner", "outer")
    }
    gap = BETWEEN_PLATES * (plates["inner"]["thickness"] + plates["outer"]["thickness"])
    wheels = []
    for wheel in drive.wheels:
        half = half_tooth_width(drive.chain, wheel)
        wheels.append(
            {
                "offset": float(wheel.offset),
                "tilt": [float(angle) for angle in wheel.tilt],
                "half_width": half,
                "relief": tip_relief(drive.chain, half),
            }
        )
    return plates | {
        "gap": gap,
        "width": size["inner_width"],
        "pin": 0.5 * size["pin_diameter"],
        "wheels": wheels,
    }
