"""From the solver options of a drive to the settings of an integrator."""

from __future__ import annotations

from chaindrive.model import SolverOptions
from chaindrive.solvers.integrator import SolverSettings

__all__ = ["chosen_step", "settings_of"]


def chosen_step(options: SolverOptions) -> bool:
    """Whether the step is to be chosen from the drive."""
    return options.step in (None, "auto")


def settings_of(options: SolverOptions) -> SolverSettings:
    """Settings with these options; a step that is to be chosen is None."""
    given = {name: getattr(options, name) for name in SolverSettings._fields}
    return SolverSettings(**(given | ({"step": None} if chosen_step(options) else {})))
