"""Rows of ``chaindrive check`` about the inner and the outer links, where the file says something of them."""

from __future__ import annotations

from chaindrive.mechanism.links import link_data
from chaindrive.model import Drive
from chaindrive.numbers import quantity

__all__ = ["link_rows"]

_FIELDS = {"inner_link", "outer_link", "joint_clearance", "elongation"}


def link_rows(drive: Drive) -> list[tuple[str, str, str]]:
    """Name, value and field of ``Chain.sources`` of each row; none where the file says nothing of links."""
    chain = drive.chain
    if not _FIELDS & chain.model_fields_set:
        return []
    data = link_data(drive)
    rows: list[tuple[str, str, str]] = []
    for index, name in enumerate(("inner", "outer")):
        mass, inertia = float(data.mass[index]), float(data.inertia[index])
        rows.append(
            (
                f"mass of an {name} link",
                quantity(1e3 * mass, "g") if mass < 1.0 else f"{mass:.4g} kg",
                f"{name}_link.mass",
            )
        )
        rows.append((f"inertia of an {name} link", f"{1e6 * inertia:.4g} kg mm^2", f"{name}_link.inertia"))
    for text, given, factor, unit, field in (
        ("clearance of the joints", chain.joint_clearance, 1e3, "mm", "joint_clearance"),
        ("elongation of the links", chain.elongation, 1e2, "%", "elongation"),
    ):
        values = given if isinstance(given, tuple) else (given,)
        if any(values):
            low, high = factor * min(values), factor * max(values)
            rows.append((text, f"{low:.4g} {unit}" if low == high else f"{low:.4g} to {high:.4g} {unit}", field))
    return rows
