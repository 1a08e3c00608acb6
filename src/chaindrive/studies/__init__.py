"""Studies: many runs of one drive, in parallel processes or on a cluster, that can be resumed and end with one table.

run_study   runs a study (model.study.description.Study, or its file) and returns a StudyTable
plan        from a study to its runs, some of which begin where another run ends
merit       figures of merit: values computed from a solution
worker      one run, in any process
pools       computation of runs: in this process, in several processes, on a cluster
store       rows and end states on disk, so that an interrupted study can be continued
table       the resulting table
optimising  runs an optimisation (model.study.optimisation.Optimisation) and returns an OptimisationTable
search      selection of the next runs of an optimisation
evaluations the resulting table of an optimisation
formulations  one drive in several formulations, compared
repeating   one run from perturbed starts, to find how much its extremes scatter
reducing    a chain drive block that replaces a drive, identified from detailed runs
reduced     the content and the errors of a reduced drive
ripple      the part that repeats with the teeth, identified from the same runs
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from chaindrive.studies.evaluations import OptimisationTable
    from chaindrive.studies.execute import StudyProgress, run_study
    from chaindrive.studies.formulations import FormulationComparison, compare
    from chaindrive.studies.optimising import OptimisationProgress, optimise
    from chaindrive.studies.reduced import Reduced
    from chaindrive.studies.reducing import reduce
    from chaindrive.studies.repeating import RepeatProgress, repeat
    from chaindrive.studies.table import StudyTable

__all__ = [
    "FormulationComparison",
    "OptimisationProgress",
    "OptimisationTable",
    "Reduced",
    "RepeatProgress",
    "StudyProgress",
    "StudyTable",
    "compare",
    "optimise",
    "reduce",
    "repeat",
    "run_study",
]

_HOME = {
    "FormulationComparison": "formulations",
    "OptimisationProgress": "optimising",
    "OptimisationTable": "evaluations",
    "Reduced": "reduced",
    "RepeatProgress": "repeating",
    "StudyProgress": "execute",
    "StudyTable": "table",
    "compare": "formulations",
    "optimise": "optimising",
    "reduce": "reducing",
    "repeat": "repeating",
    "run_study": "execute",
}


def __getattr__(name: str) -> Any:
    """Import names when first used: a worker must be able to prepare before NumPy is loaded."""
    from importlib import import_module

    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
