"""Solvers advance a :class:`chaindrive.contract.system.System`. They are not specific to chains."""

from __future__ import annotations

from chaindrive.solvers.choice import integrator_for
from chaindrive.solvers.integrator import METHODS, Integrator, SolverSettings, Statistics

__all__ = ["METHODS", "Integrator", "SolverSettings", "Statistics", "integrator_for"]
