"""Solvers advance a :class:`chaindrive.system.System`; they know ``system.py`` only and run a pendulum like a chain."""

from __future__ import annotations

from chaindrive.solvers.integrator import METHODS, Integrator, SolverSettings, Statistics

__all__ = ["METHODS", "Integrator", "SolverSettings", "Statistics"]
