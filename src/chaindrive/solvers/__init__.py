"""Solvers advance a :class:`chaindrive.contract.system.System`; they would run a pendulum."""

from __future__ import annotations

from chaindrive.solvers.choice import integrator_for
from chaindrive.solvers.integrator import METHODS, Integrator, SolverSettings, Statistics

__all__ = ["METHODS", "Integrator", "SolverSettings", "Statistics", "integrator_for"]
