"""The 122-link chain of the 6L60MC in chaindrive itself, by the default method in the plane, nothing recorded."""

from __future__ import annotations

import numpy as np

import chaindrive as cd
from chaindrive.contract.status import Status
from chaindrive.simulation.start import prepare
from chaindrive.solvers.integrator import Integrator, SolverSettings
from peers.chain import ChainData, cpu_of, is_stable, mean_tension

METHOD = "verlet-beeman"


class ChaindriveChain:
    """The example as in the package; ``step`` None is the default one."""

    def __init__(self, data: ChainData) -> None:
        self.data = data
        self.system = prepare(cd.example("6l60mc")).system
        self.position, self.velocity = data.position, data.velocity
        self.steps = 0
        self.held = {name: array.copy() for name, array in self.system.memory_arrays().items()}

    def run(self, step: float | None, until: float) -> float:
        """Integrate from the start; returns the CPU time. [s]"""
        for name, array in self.system.memory_arrays().items():
            array[...] = self.held[name]
        run = Integrator(self.system, SolverSettings(method=METHOD, step=step), 1e6)
        status = Status.RUNNING

        def go() -> None:
            nonlocal status
            while status == Status.RUNNING:
                status = run.advance(until, 10**9)
                run.take_rows()

        used = cpu_of(go)
        n, n_q = len(self.data.position), self.system.positions
        state = run.state if status == Status.REACHED_END else np.full(self.system.state.size, np.nan)
        self.position = state[: 2 * n].reshape(2, n).T.copy()
        self.velocity = state[n_q : n_q + 2 * n].reshape(2, n).T.copy()
        self.steps = run.statistics.steps
        return used

    def stable(self, step: float, until: float) -> bool:
        """Whether a run with this step ends with sensible numbers."""
        self.run(step, until)
        return is_stable(self.position, self.velocity, self.data)

    @property
    def tension(self) -> float:
        """Mean link tension at the end of the last run. [N]"""
        return mean_tension(self.position, self.data)
