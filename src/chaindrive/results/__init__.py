"""Results: the object that a run returns, its storage during the run, and its energy balance.

``open`` opens a results file; ``ResultsWriter`` stores the rows of a run; with ``checkpoint`` an interrupted run can be
resumed. Importing this package loads neither xarray nor HDF5.
"""

from chaindrive.results import checkpoint
from chaindrive.results.attributes import describe
from chaindrive.results.audit import EnergyAudit
from chaindrive.results.layout import UnknownChannelError, nearest, select
from chaindrive.results.solution import Solution
from chaindrive.results.solution import open_solution as open  # the public name is chaindrive.open
from chaindrive.results.writer import ResultsWriter

__all__ = [
    "EnergyAudit",
    "ResultsWriter",
    "Solution",
    "UnknownChannelError",
    "checkpoint",
    "describe",
    "nearest",
    "open",
    "select",
]
