"""The choice of the integrator class for a run. This is the only module that imports all integrator classes."""

from __future__ import annotations

from chaindrive.contract.system import System
from chaindrive.solvers import library_steps, modular
from chaindrive.solvers.integrator import METHODS, Integrator, SolverSettings
from chaindrive.solvers.modular_integrator import ModularIntegrator

__all__ = ["integrator_for"]


def integrator_for(
    system: System, settings: SolverSettings, save_interval: float, chunk_rows: int = 500, t_start: float = 0.0
) -> Integrator:
    """Return the integrator for these settings; see ``Integrator`` for the arguments. Raises InputError with all
    problems of the settings.
    """
    if METHODS.get(settings.method) is library_steps.METHOD:
        from chaindrive.solvers.sundials import Sundials

        return Sundials(system, settings, save_interval, chunk_rows, t_start)
    if METHODS.get(settings.method) is modular.METHOD:
        return ModularIntegrator(system, settings, save_interval, chunk_rows, t_start)
    return Integrator(system, settings, save_interval, chunk_rows, t_start)
