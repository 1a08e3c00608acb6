"""Estimated cost of a run before it starts, from its longest possible steps and the measured time of an evaluation.

With rigid contacts complete steps are timed, because their duration depends on the number of closed contacts.
"""

from __future__ import annotations

import statistics
import time
from typing import NamedTuple

import numpy as np

from chaindrive.contract.memory import KeptMemory
from chaindrive.contract.system import System
from chaindrive.kernels import Kernel
from chaindrive.numbers import clock, count, quantity
from chaindrive.simulation.empty_call import no_evaluation
from chaindrive.solvers.integrator import METHODS, Integrator, SolverSettings, largest_step

__all__ = ["Cost", "expected_cost"]

TRIALS, CALLS = 20, 20
"""Number of trials, and number of evaluations per trial. The median of the trials is used, because timings on a busy
machine scatter in both directions."""
STEPS = 50
"""Number of steps that are timed with rigid contacts, after the same number of steps that are not timed."""
OVERHEAD = 1.4
"""Time of a step divided by the time of its evaluations. [-]"""


class Cost(NamedTuple):
    """Cost of a run with the longest possible steps; friction and impacts can make the steps shorter and the cost
    higher.
    """

    step: float
    """[s]"""
    steps: float
    seconds: float
    """Processor time, excluding compilation and the storage of rows. [s]"""

    def text(self, simulated: float) -> str:
        """Return a text that states the cost of a simulated time [s]."""
        longest = f"{count(round(self.steps))} steps of at most {quantity(self.step, 's', 2)}"
        return f"at least {longest}, about {clock(self.seconds)} of computing for {quantity(simulated, 's')}"


def expected_cost(system: System, settings: SolverSettings, simulated: float, longer: float = 1.0) -> Cost | None:
    """Return the cost of a simulated time [s], or None if no limit of the step is known in advance.

    longer: factor by which scaled masses lengthen the step (``quasi_static``) [-].
    """
    step = longer * largest_step(system, settings)
    if not np.isfinite(step):
        return None
    steps = max(simulated / step, 1.0)
    if system.rigid is not None:
        return Cost(step, steps, steps * _time_of_step(system, settings))
    evaluations = METHODS[settings.method].evaluations * steps
    return Cost(step, steps, OVERHEAD * evaluations * _time_of_evaluation(system))


def _time_of_step(system: System, settings: SolverSettings) -> float:
    """Return the duration of a step with rigid contacts from the state of a system; the memory of the system is
    restored afterwards. [s]
    """
    memory = KeptMemory(system)
    run = Integrator(system, settings, save_interval=1e6)
    run.advance(1e6, budget_steps=STEPS)
    begun = time.thread_time()
    run.advance(1e6, budget_steps=STEPS)
    used = time.thread_time() - begun
    memory.put_back()
    return used / STEPS


def _time_of_evaluation(system: System) -> float:
    """Return the duration of an evaluation at the state of a system; the scratch arrays of the system change, its
    memory does not. [s]
    """
    called, empty = (_time_of_call(system, each) for each in (system.kernels.rhs, no_evaluation))
    return max(called - empty, 0.01 * called)


def _time_of_call(system: System, function: Kernel) -> float:
    """Return the duration of a call of a kernel that takes the arguments of an evaluation. [s]"""
    rates, trials = np.zeros(system.state.size), []
    for _ in range(TRIALS):
        begun = time.thread_time()
        for _ in range(CALLS):
            function(0.0, system.state, rates, system.parameters)
        trials.append(time.thread_time() - begun)
    return statistics.median(trials) / CALLS
