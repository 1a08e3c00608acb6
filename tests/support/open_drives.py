"""Drives with open chains, for tests."""

from __future__ import annotations

from typing import Any

from chaindrive.model import Chain, Contact, Drive, FreeEnd, GroundEnd, Run

__all__ = ["PITCH", "hanging", "open_drive"]

PITCH = 0.0254
LINK_MASS = 0.07
CHAIN: dict[str, Any] = {
    "pitch": PITCH,
    "link_mass": LINK_MASS,
    "link_stiffness": 1e8,
    "roller_diameter": 0.01588,
}


def open_drive(ends: Any, links: int, until: float = 0.1, run: Any = None, chain: Any = None, **fields: Any) -> Drive:
    """A drive with an open chain of 16A (25.4 mm, 70 g a link); chain, run: values that replace the defaults here."""
    contact = Contact(stiffness="5 GN/m^1.5", restitution=0.0, friction=fields.pop("friction", 0.1))
    return Drive(
        name="open",
        chain=Chain(links=links, ends=ends, **(CHAIN | (chain or {}))),
        contact=contact,
        run=Run(until=until, **(run or {})),
        **fields,
    )


def hanging(links: int, load: float | None = None, **fields: Any) -> Drive:
    """A chain that hangs from the origin; with load None all of its free joints have the mass of a link."""
    end = FreeEnd(mass=0.5 * LINK_MASS if load is None else load)
    anchor = GroundEnd(position=(0.0, 0.0), stiffness=1e9, damping=0.0)
    return open_drive((anchor, end), links, chain={"link_damping": 0.0}, **fields)
