"""Rows of ``chaindrive check`` for the inner and the outer links, if the file mentions them."""

from __future__ import annotations

import math

import numpy as np

from chaindrive.mechanism.links import link_data
from chaindrive.model import Drive, standard_chain
from chaindrive.model.links import link_dimensions
from chaindrive.numbers import quantity

__all__ = ["double_pitch_lines", "link_rows", "strand_rows"]

_FIELDS = {"inner_link", "outer_link", "joint_clearance", "elongation", "wear", "scatter", "attachments"}


def link_rows(drive: Drive) -> list[tuple[str, str, str]]:
    """Return name, value and field of ``Chain.sources`` for each row; empty if the file does not mention the links."""
    chain = drive.chain
    if not _FIELDS & chain.model_fields_set:
        return []
    data = link_data(drive, ends=False)
    own = data.mass - np.array(chain.attached_masses)  # attachments have a row of their own
    rows: list[tuple[str, str, str]] = []
    for index, name in enumerate(("inner", "outer")):
        if index == chain.links:  # an open chain of one link
            continue
        mass, inertia = float(own[index]), float(data.inertia[index])
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
        ("elongation of the links", chain.elongations, 1e2, "%", "wear" if chain.wear else "elongation"),
        ("mass of attachments on a link", chain.attached_masses, 1.0, "kg", "attachments"),
    ):
        values = given if isinstance(given, tuple) else (given,)
        if any(values):
            low, high = factor * min(values), factor * max(values)
            rows.append((text, f"{low:.4g} {unit}" if low == high else f"{low:.4g} to {high:.4g} {unit}", field))
    return rows


def strand_rows(drive: Drive) -> list[tuple[str, str, str]]:
    """Return the rows for the strands and for the contact stiffness of one strand; empty for a single strand."""
    chain = drive.chain
    if chain.strands == 1:
        return []
    size = {name: dimension.value for name, dimension in link_dimensions(chain).items()}
    plates = 2.0 * (size["inner_link.plate_thickness"] + size["outer_link.plate_thickness"])
    width = size["inner_width"] + plates + (chain.strands - 1) * size["transverse_pitch"]
    apart = quantity(size["transverse_pitch"], "m")
    wide = f"{chain.strands}, {apart} apart, {quantity(width, 'm')} wide over the outer plates"
    rows = [("strands", wide, "strands")]
    if drive.contact.law is not None:  # whose force is that of all strands
        return rows
    unit = f"N/m^{drive.contact.exponent:g}" if drive.contact.exponent != 1 else "N/m"
    share = f"{drive.contact.stiffness / chain.strands:.4g} {unit}"
    return [*rows, ("contact stiffness of one strand", share, "")]


def double_pitch_lines(drive: Drive) -> list[str]:
    """Return the assumptions about the sprockets of a double-pitch chain from the catalogue; empty for any other drive.

    A sprocket for the base chain, with half the pitch and 2 z teeth, has a pitch circle of p/2 / sin(180/(2 z)). This
    is cos(180/(2 z)) times the pitch circle of a sprocket with z gaps of the whole pitch.
    """
    chain, teeth = drive.chain, [wheel.teeth for wheel in drive.wheels if wheel.tooth.form != "smooth"]
    if chain.standard is None or not teeth or standard_chain(chain.standard, chain.strands).series != "double-pitch":
        return []
    fewest = min(teeth)
    return [
        f"Double-pitch chain: every roller has its own tooth gap, and the key 'teeth' counts gaps of "
        f"{quantity(chain.pitch, 'm', 6)} (ISO 1275). On a sprocket for the base chain, with {2 * fewest} teeth "
        f"instead of {fewest}, the pitch circle would be "
        f"{100.0 * (1.0 - math.cos(0.5 * math.pi / fewest)):.2g} % smaller."
    ]
