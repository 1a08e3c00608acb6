"""Endings of an integration with rigid contacts, in addition to the general endings in ``contract/status.py``."""

from __future__ import annotations

from chaindrive.contract.status import FORMULATION_ENDINGS, Status

__all__ = ["NOT_SOLVED", "PAINLEVE", "TOO_MANY_EVENTS"]

PAINLEVE = Status(
    "PAINLEVE",
    FORMULATION_ENDINGS,
    "A sliding contact jams (Painleve): with this friction, rigid bodies have no acceleration, or no unique one.",
    "Reduce the friction of this contact, or give it a stiffness; time stepping continues with an impact.",
)
NOT_SOLVED = Status(
    "NOT_SOLVED",
    FORMULATION_ENDINGS + 1,
    "The complementarity problem of the contacts was not solved.",
    "Check for contacts that are given twice, and for masses that differ by many orders of magnitude.",
)
TOO_MANY_EVENTS = Status(
    "TOO_MANY_EVENTS",
    FORMULATION_ENDINGS + 2,
    "The largest permitted number of contact changes was reached.",
    "Raise rest_speed, below which a bouncing contact comes to rest, or use time stepping.",
)
