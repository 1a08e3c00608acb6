"""chaindrive simulates the dynamics of chain drives: link tensions, contact forces, span vibration, losses.

In short:

    import chaindrive as cd

    drive = cd.load("6l60mc.toml")       # or cd.example("6l60mc"), or cd.Drive(chain=..., wheels=[...], ...)
    sol = cd.simulate(drive, until=2.0)
    sol["link_tension"]                  # xarray.DataArray (time, link), attrs["units"] == "N"
    sol.save("run.nc")
    cd.open("run.nc")
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from chaindrive import connections as connections
from chaindrive.version import __version__

if TYPE_CHECKING:
    import chaindrive.law as law
    import chaindrive.templates as templates
    from chaindrive.analyses.results.overview import table
    from chaindrive.contract.end_state import EndState
    from chaindrive.contract.status import Status
    from chaindrive.errors import ChaindriveError, ComputationError, InputError
    from chaindrive.fmu.build import write_fmu
    from chaindrive.model import (
        BlockOptions,
        Chain,
        Contact,
        Drive,
        LinkOptions,
        RollerOptions,
        SaveOptions,
        SolverOptions,
        SpatialOptions,
        Wheel,
    )
    from chaindrive.model.files.drives import example, load
    from chaindrive.model.study.description import Study
    from chaindrive.model.study.files import load_study
    from chaindrive.model.study.optimisation import Optimisation
    from chaindrive.notebook import show
    from chaindrive.report import write_report
    from chaindrive.results import Solution, open
    from chaindrive.simulation.simulate import simulate
    from chaindrive.studies import (
        FormulationComparison,
        OptimisationTable,
        Reduced,
        StudyTable,
        compare,
        optimise,
        reduce,
        repeat,
        run_study,
    )

_HOME = {
    "BlockOptions": "model",
    "ChaindriveError": "errors",
    "ComputationError": "errors",
    "InputError": "errors",
    "Chain": "model",
    "Contact": "model",
    "Drive": "model",
    "EndState": "contract.end_state",
    "LinkOptions": "model",
    "RollerOptions": "model",
    "SaveOptions": "model",
    "SolverOptions": "model",
    "SpatialOptions": "model",
    "Wheel": "model",
    "example": "model.files.drives",
    "load": "model.files.drives",
    "Solution": "results",
    "open": "results",
    "show": "notebook",
    "simulate": "simulation.simulate",
    "table": "analyses.results.overview",
    "Optimisation": "model.study.optimisation",
    "OptimisationTable": "studies",
    "optimise": "studies",
    "Reduced": "studies",
    "reduce": "studies",
    "repeat": "studies",
    "Study": "model.study.description",
    "StudyTable": "studies",
    "load_study": "model.study.files",
    "run_study": "studies",
    "FormulationComparison": "studies",
    "compare": "studies",
    "Status": "contract.status",
    "write_fmu": "fmu.build",
    "write_report": "report",
}

__all__ = [
    "BlockOptions",
    "Chain",
    "ChaindriveError",
    "ComputationError",
    "Contact",
    "Drive",
    "EndState",
    "FormulationComparison",
    "InputError",
    "LinkOptions",
    "Optimisation",
    "OptimisationTable",
    "Reduced",
    "RollerOptions",
    "SaveOptions",
    "Solution",
    "SolverOptions",
    "SpatialOptions",
    "Status",
    "Study",
    "StudyTable",
    "Wheel",
    "__version__",
    "compare",
    "example",
    "law",
    "load",
    "load_study",
    "open",
    "optimise",
    "reduce",
    "repeat",
    "run_study",
    "show",
    "simulate",
    "table",
    "templates",
    "write_fmu",
    "write_report",
]


def __getattr__(name: str) -> Any:
    """Import and return a public name when it is first used, so that the command line starts quickly."""
    from importlib import import_module

    if name == "law":
        import chaindrive.law

        return chaindrive.law
    if name == "templates":
        import chaindrive.templates

        return chaindrive.templates
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
