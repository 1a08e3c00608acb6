"""Integrators for rigid contacts with dry friction and impacts, in a
``chaindrive.contract.unilateral.UnilateralSystem``.

``EventDriven`` locates every change of contact and is as accurate as its tolerance, for up to about twenty contacts.
``TimeStepping`` takes steps of constant length regardless of such changes, by the method of Moreau and Jean or by
second-order generalized alpha.
"""

from __future__ import annotations

from chaindrive.solvers.nonsmooth.dense import Mechanics, dense_system
from chaindrive.solvers.nonsmooth.event_driven import Event, EventDriven, Motion
from chaindrive.solvers.nonsmooth.impacts import LAWS, Impact, impact
from chaindrive.solvers.nonsmooth.time_stepping import TIME_STEPPING, Steps, TimeStepping

__all__ = [
    "LAWS",
    "TIME_STEPPING",
    "Event",
    "EventDriven",
    "Impact",
    "Mechanics",
    "Motion",
    "Steps",
    "TimeStepping",
    "dense_system",
    "impact",
]
