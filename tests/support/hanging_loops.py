"""Chains that hang in a loop from one wheel, for tests."""

from __future__ import annotations

from typing import Any

from chaindrive.model import Chain, Contact, Drive, Run, Wheel

__all__ = ["LINK_MASS", "PITCH", "hand_chain"]

PITCH = 0.0127
LINK_MASS = 0.0088


def hand_chain(links: int = 60, teeth: int = 20, run: Any = None, wheel: Any = None, **fields: Any) -> Drive:
    """A closed 08B chain on one sprocket; run, wheel: values that replace the defaults here."""
    turning = {} if {"torque", "initial_speed", "motion"} & set(wheel or ()) else {"initial_speed": 5.0}
    given: dict[str, Any] = {"position": (0.1, 1.0), "inertia": 0.01, "tooth": {"form": "iso-606"}} | turning
    return Drive(
        name="hand chain",
        chain=Chain(links=links, pitch=PITCH, link_mass=LINK_MASS, link_stiffness=1e7, roller_diameter=0.00851),
        contact=Contact(stiffness="5 GN/m^1.5", restitution=0.0, friction=0.1),
        wheels=(Wheel(**({"name": "hand wheel", "teeth": teeth} | given | (wheel or {}))),),
        run=Run(**({"until": 0.1, "start": "at_rest"} | (run or {}))),
        **fields,
    )
