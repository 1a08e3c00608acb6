"""Forecast of a run, made before its first step: the part that limits the step, the cost, and ways to reduce the
cost.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from chaindrive.contract.system import System
from chaindrive.errors import InputError
from chaindrive.model import Drive, Run
from chaindrive.numbers import percent, quantity
from chaindrive.results.step_limits import step_set_by
from chaindrive.simulation.cost import Cost, expected_cost
from chaindrive.simulation.quasi_static import largest_factor, quasi_static_inertia
from chaindrive.simulation.settings import chosen_method, run_with, settings_of
from chaindrive.solvers.integrator import METHODS

__all__ = ["Forecast", "run_forecast"]

LONG = 60.0
"""If a run needs more computing time than this, changes that would reduce its cost are listed. [s]"""
STIFF = ("links", "contact with", "plates", "span", "tensioner")
"""How the names of the parts that limit the step by their stiffness begin (``planar.step_limits``)."""
SOFTER = 2.0
"""Factor by which the step that a part allows becomes longer if the stiffness of the part is divided by four. [-]"""
LEAST_GAIN = 1.3
"""Lower stiffness is suggested only if it lengthens the step of the run by at least this factor. [-]"""
MOST_PARTS = 3


class Forecast(NamedTuple):
    """Forecast of the step and the computing time of a run."""

    method: str
    """Method of integration."""
    reason: str
    """Why this method was chosen; empty if it was specified."""
    step_set_by: str
    """Parts that limit the step, with the step that each allows (``results.step_limits``); empty if none is known."""
    simulated: float
    """Simulated time to which the cost applies: 1 s for a run without a given end. [s]"""
    cost: Cost | None
    """Cost of the run; None if no limit of the step is known in advance."""
    cheaper: tuple[str, ...]
    """Changes that would reduce the cost of a long run, each with the accuracy that it sacrifices."""

    @property
    def text(self) -> str:
        """Return the forecast as one line; empty if nothing is known."""
        prefix = f"Step set by {self.step_set_by}: " if self.step_set_by else ""
        return f"{prefix}{self.cost.text(self.simulated)}." if self.cost else ""


def run_forecast(drive: Drive, system: System, run: Run, longer: float = 1.0) -> Forecast:
    """Return the forecast of a run of a drive, from timings of a few evaluations of its system, which is left
    unchanged.

    drive: the drive with its actual masses; system: prepared for ``run``, in its coordinates of integration; longer:
    factor by which scaled masses, which the system does not have yet, lengthen the step [-].
    """
    chosen = chosen_method(run, drive, system)
    simulated = 1.0 if isinstance(run.until, str) else float(run.until)
    cost = expected_cost(system, settings_of(run.solver, chosen.method), simulated, longer)
    limits = system.story.notes.get("step_limits", {})
    frequency = METHODS[chosen.method].step_times_frequency
    long = cost is not None and cost.seconds > LONG
    cheaper = tuple(_cheaper(drive, system, run, limits if math.isfinite(frequency) else {})) if long else ()
    return Forecast(chosen.method, chosen.reason, step_set_by(limits, frequency), simulated, cost, cheaper)


def _cheaper(drive: Drive, system: System, run: Run, limits: Mapping[str, float]) -> Iterator[str]:
    """Yield the changes that would reduce the cost of a run, each with its disadvantages; limits: limits of the step by
    part, the strictest first [rad/s].
    """
    if run.quasi_static is None and (factor := largest_factor(drive, system)) > 1.0:
        inertia = quasi_static_inertia(drive, system, factor)
        yield (
            f"run.quasi_static = {factor:g} would make the run {factor:g} times shorter, but vibrations and impacts "
            "would not be those of the drive, and inertia of the chain would add "
            f"{percent(inertia.tension)} % to tensions"
        )
    if softer := _softer(limits):
        yield softer
    if run.formulation.kind != "block" and _in_block(drive):
        yield (
            "run.formulation.kind = 'block' takes seconds, but has only springs between the wheels: no rollers, teeth, "
            "polygonal action or transverse vibration"
        )


def _softer(limits: Mapping[str, float]) -> str:
    """Return a text on the gain and the disadvantages of reducing the stiffness of the parts that limit the step to a
    quarter; empty if the gain is small.
    """
    strictest = next(iter(limits.values()), 0.0)
    stiff = [name for name, limit in limits.items() if name.startswith(STIFF) and limit > strictest / SOFTER]
    others = max((limit for name, limit in limits.items() if name not in stiff), default=0.0)
    gain = min(SOFTER, strictest / others) if others > 0.0 else SOFTER
    if not stiff or gain < LEAST_GAIN:
        return ""
    names = ", ".join(stiff[:MOST_PARTS]) + (" and others" if len(stiff) > MOST_PARTS else "")
    return (
        f"a quarter of the stiffness of {names} would make the run {gain:.2g} times shorter, but they would deflect "
        f"more under load, linear springs four times as much, and vibrate at half their present frequencies of at most "
        f"{quantity(strictest / math.tau, 'Hz', 2)}"
    )


def _in_block(drive: Drive) -> bool:
    """Whether the chain drive block can model a drive."""
    try:
        run_with(drive, {"formulation": "block"})
    except InputError:
        return False
    return True
