"""Endings of an integration of rigid contacts, in addition to the general ones of ``contract/status.py``."""

from __future__ import annotations

from chaindrive.contract.status import FORMULATION_ENDINGS, Status

__all__ = ["NOT_SOLVED", "PAINLEVE", "TOO_MANY_EVENTS"]

PAINLEVE = Status(
    "PAINLEVE",
    FORMULATION_ENDINGS,
    "A sliding contact jams (Painleve): with its friction, rigid bodies have no acceleration, or several.",
    "Reduce the friction of this contact, or give it a stiffness; time stepping continues with an impact.",
)
NOT_SOLVED = Status(
    "NOT_SOLVED",
    FORMULATION_ENDINGS + 1,
    "The complementarity problem of the contacts was not solved.",
    "Look for contacts that are given twice, and for masses that differ by many orders of magnitude.",
)
TOO_MANY_EVENTS = Status(
    "TOO_MANY_EVENTS",
    FORMULATION_ENDINGS + 2,
    "The largest number of changes of contacts was reached.",
    "Raise rest_speed, below which a bouncing contact comes to rest, or use time stepping.",
)
