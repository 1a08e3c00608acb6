"""A drive as an FMU that is stepped in the importer's Python: the counterpart of ``shell/run.h`` of a compiled FMU.

pythonfmu (FMI 2.0) and pythonfmu3 (3.0) provide the shared libraries, which call the scripts in ``slaves/``; these
scripts call this module. The steps are taken by ``simulation.machines.DrivePart``, as for a drive coupled to machines.
"""

from __future__ import annotations

import atexit
import ctypes
import io
import json
import math
import sys
from collections.abc import Callable, Iterable, Sequence
from enum import IntEnum
from pathlib import Path
from typing import Any

import numpy as np

from chaindrive.contract.inputs import FREE_LOAD, POSITION
from chaindrive.cosimulation.signals import Signals
from chaindrive.cosimulation.subsystem import SubsystemError
from chaindrive.errors import ChaindriveError
from chaindrive.fmu.build import Prepared, model_of, prepared
from chaindrive.fmu.description import CATEGORIES
from chaindrive.fmu.model import Model
from chaindrive.fmu.parameters import with_numbers
from chaindrive.model.files.drives import load
from chaindrive.results.checkpoint import read_arrays, write_arrays
from chaindrive.simulation.machines import DrivePart
from chaindrive.solvers.choice import integrator_for
from chaindrive.solvers.integrator import Integrator
from chaindrive.version import __version__, release

__all__ = ["PythonRun", "Slave", "opened"]

SNAPSHOT = "run_"
"""Prefix of the names of arrays that belong to the integrator in a saved state."""


class Phase(IntEnum):
    """Phase of an instance."""

    INSTANTIATED = 1
    INITIALISING = 2
    STEPPING = 4
    ENDED = 8


PHASES = {
    Phase.INSTANTIATED: "before the initialization",
    Phase.INITIALISING: "during the initialization",
    Phase.STEPPING: "between steps",
    Phase.ENDED: "after the run has ended; set an earlier state, or reset",
}


class PythonRun:
    """One instance of the FMU. Calls and values that are not allowed raise ValueError with the reason."""

    def __init__(self, ready: Prepared, model: Model, token: str) -> None:
        self._ready, self._token = ready, token
        self._variables = model.variables
        self._given = [each for each in model.variables if each.causality != "output"]
        first = model.image.offset(ready.control.rows)
        width = ready.control.rows.itemsize
        self._places = [(each.offset - first) // width for each in model.variables]
        self._follows = any(each.kind != FREE_LOAD for each in ready.system.inputs)
        self._untouched = {name: array.copy() for name, array in ready.system.memory_arrays().items()}
        self._values = np.array([each.initial for each in self._given])
        self._phase = Phase.INSTANTIATED
        self._start = self._time = 0.0
        self._changed = self._begun = False
        self._row = np.full(ready.system.row_size, math.nan)
        self._integrator: Integrator
        self._part: DrivePart
        self.reason = ""
        """Why the run has ended; empty as long as it has not."""

    def enter_initialization(self) -> None:
        """Allow outputs to be read."""
        self._may(Phase.INSTANTIATED, "Entering the initialization")
        self._phase = Phase.INITIALISING

    def exit_initialization(self) -> None:
        """Set the run to its start, with the present values of inputs and parameters."""
        self._may(Phase.INITIALISING, "Ending the initialization")
        self._begin()
        self._phase = Phase.STEPPING

    def get(self, references: Iterable[int]) -> list[float]:
        """Return the values of variables, given by their value references."""
        return [self._value(v) for v in references]

    def _value(self, reference: int) -> float:
        if reference == len(self._variables):
            return self._start + self._time
        variable = self._known(reference)
        if reference < len(self._given):
            return float(self._values[reference])
        if self._phase == Phase.INSTANTIATED:
            raise ValueError(f"The output {variable.name!r} has no value before the initialization.")
        if self._phase == Phase.INITIALISING:
            self._begin()
        return float(self._row[self._places[reference]])

    def _known(self, reference: int) -> Any:
        if not 0 <= reference < len(self._variables):
            raise ValueError(f"There is no variable with the value reference {reference}.")
        return self._variables[reference]

    def set(self, references: Sequence[int], values: Sequence[float]) -> None:
        """Set inputs and parameters, given by their value references."""
        for reference, value in zip(references, values, strict=True):
            variable = self._known(reference)
            if reference >= len(self._given):
                raise ValueError(f"{variable.name!r} is an output, and cannot be set.")
            if not math.isfinite(value):
                raise ValueError(f"{variable.name!r} must be a finite number, not {value}.")
            if not variable.least <= value <= variable.largest:
                allowed = f"between {variable.least:g} and {variable.largest:g}"
                raise ValueError(f"{variable.name!r} must be {allowed}, not {value:g}.")
            early = Phase.INSTANTIATED | Phase.INITIALISING
            self._may(
                early if variable.causality == "parameter" else early | Phase.STEPPING, f"Setting {variable.name!r}"
            )
            self._values[reference] = value
            self._changed = True
            self._begun &= self._phase == Phase.STEPPING

    def step(self, time: float, step: float) -> bool:
        """Advance by a step [s] from a time of the importer; return whether the end of the step was reached. If not,
        see ``reason``.

        The run begins at the time of the first step.
        """
        self._may(Phase.STEPPING, "A step")
        if self._time == 0.0:
            self._start = time
        expected = self._start + self._time
        if not 0.0 < step < math.inf:
            raise ValueError(f"A step must take a finite time above zero, not {step:g} s.")
        if not abs(time - expected) <= 1e-6 * step + 1e-12 * abs(expected):
            raise ValueError(f"The step must begin at t = {expected!r} s, where the last one ended, not at {time!r} s.")
        until = time + step - self._start
        if self._changed or self._follows:
            self._part.give(until - self._time, self._signals(until - self._time))
            self._changed = False
        self._integrator.record_at(until)
        try:
            self._part.advance(until)
        except SubsystemError:
            self._end()
        self._time = self._integrator.time
        self._row = self._integrator.take_rows()[1][0]
        return self._phase == Phase.STEPPING

    def _end(self) -> None:
        """Record the outputs at the end of the run, and the reason."""
        self._phase, time, status = Phase.ENDED, self._integrator.time, self._part.ended
        assert status is not None
        self.reason = f"The run ended at t = {self._start + time:.9g} s: {status.description} {status.advice}".strip()
        self._integrator.record_at(time)
        self._integrator.advance(time, budget_steps=0)

    def fail(self, reason: str) -> None:
        """End the run, which cannot continue, for a reason."""
        self._phase, self.reason = Phase.ENDED, reason

    def _signals(self, step: float) -> Signals:
        """Return the inputs over the next step [s].

        They are constant, except that positions are reached at the mean speed of the step.
        """
        inputs = self._ready.system.inputs
        found = np.zeros((2, len(inputs)))
        found[0] = self._values[: len(inputs)]
        for k, each in enumerate(inputs):
            if each.kind == POSITION:
                here = self._integrator.state[each.position]
                found[:, k] = here, (found[0, k] - here) / step
        return Signals(self._time, found)

    def _begin(self) -> None:
        """Record the outputs at the start, with the present values."""
        if self._begun:
            return
        self._make()
        for value, each in zip(self._values, self._ready.system.inputs, strict=False):
            if each.kind == FREE_LOAD:
                each.write(0.0, np.array([value]))
        self._time, self._changed, self._begun = 0.0, False, True
        self._integrator.record_at(0.0)
        self._part.advance(0.0)
        self._row = self._integrator.take_rows()[1][0]

    def _make(self) -> None:
        """Make an integrator at the start of the drive with the present parameters."""
        inputs = len(self._ready.system.inputs)
        laws = [law for key in self._ready.keys for law in key.laws]
        values = zip(self._values[inputs:], self._given[inputs:], strict=True)
        numbers = [each.number(value) for value, variable in values for each in variable.effects]
        system = with_numbers(self._ready.system, laws, numbers)
        for name, array in system.memory_arrays().items():
            array[...] = self._untouched[name]
        self._integrator = integrator_for(system, self._ready.settings, math.inf, 1)
        self._part = DrivePart(system, self._integrator, system.inputs, ())

    def _may(self, phases: int, what: str) -> None:
        if not self._phase & phases:
            raise ValueError(f"{what} is not allowed {PHASES[self._phase]}.")

    def save(self) -> bytes:
        """Return the state of the instance, from which a run can be repeated bit for bit."""
        progress = np.array([self._time, self._start, self._phase, self._changed])
        token = np.frombuffer(self._token.encode(), np.uint8)
        arrays: dict[str, Any] = {"token": token, "values": self._values, "progress": progress}
        if self._begun:
            own = self._integrator.snapshot()
            arrays |= {"row": self._row} | {SNAPSHOT + name: array for name, array in own.items()}
        file = io.BytesIO()
        write_arrays(file, arrays)
        return file.getvalue()

    def restore(self, saved: bytes) -> None:
        """Return to a saved state of an instance of the same model."""
        try:
            arrays, whole = read_arrays(io.BytesIO(saved))
        except Exception as error:  # of the readers of zip files and arrays, whatever they meet
            raise ValueError(f"The state is damaged ({error}).") from None
        if not whole:
            raise ValueError("The state is damaged: its digest is not that of its content.")
        if arrays["token"].tobytes() != self._token.encode():
            raise ValueError("The state does not belong to this model.")
        self._values = arrays["values"]
        self._time, self._start = arrays["progress"][:2].tolist()
        self._phase, self._changed = Phase(int(arrays["progress"][2])), bool(arrays["progress"][3])
        self._begun, self.reason = "row" in arrays, ""
        if self._begun:
            self._make()
            own = {name.removeprefix(SNAPSHOT): array for name, array in arrays.items() if name.startswith(SNAPSHOT)}
            self._integrator.restore(own)
            self._row = arrays["row"]


def opened(resources: Path) -> PythonRun:
    """Return an instance of the FMU whose resources are in a folder. Raises ValueError for a different version of
    chaindrive.
    """
    contents = json.loads((resources / "chaindrive.json").read_text(encoding="utf-8"))
    if contents["release"] != release():
        needed = f"This FMU needs Python with chaindrive {contents['release']} where it runs"
        raise ValueError(f"{needed}; this Python has chaindrive {__version__}.")
    try:
        ready = prepared(load(resources / "drive.toml"), parameters=contents["parameters"], compiled=False)
        return PythonRun(ready, model_of(ready, contents["outputs"]), contents["token"])
    except ChaindriveError as error:
        raise ValueError(str(error)) from None


def _outlive_the_interpreter() -> None:
    """Keep all objects of modules alive for ever if the library has started Python and will end it.

    The library ends Python in a separate thread, when parts of LLVM may already be unloaded. Freeing the objects would
    then crash the process.
    """
    kept = [dict(vars(module)) for module in sys.modules.values()]
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(kept))


if not sys.orig_argv:  # no program was started with this Python
    atexit.register(_outlive_the_interpreter)


class Slave:
    """Common base class of the slaves for both versions of the interface, listed before the class of the library.

    After an exception the library for version 2.0 crashes the process of the importer at its next call. Once there is
    an instance, no exception is therefore passed to the library: a fault ends the run, and the next step reports it.
    """

    log_categories = CATEGORIES
    statuses: Any
    """Status codes of the library."""
    log: Any

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        try:
            self._run = opened(Path(given["resources"]))
        except Exception as error:  # without an instance, the library of version 2.0 may be silent
            sys.stderr.write(f"{error}\n")
            raise

    def _guarded(self, call: Callable[..., Any], *arguments: Any, otherwise: Any = None) -> Any:
        """Return the result of a call; if the call fails, end the run and return another value."""
        try:
            return call(*arguments)
        except Exception as error:  # the importer must not suffer from it, whatever it is
            self._run.fail(str(error))
            self.log(self._run.reason, self.statuses.error)
            return otherwise

    def enter_initialization_mode(self) -> None:
        """Allow outputs to be read."""
        self._guarded(self._run.enter_initialization)

    def exit_initialization_mode(self) -> None:
        """Set the run to its start."""
        self._guarded(self._run.exit_initialization)

    def read(self, references: Sequence[int]) -> list[float]:
        """Return the values of variables; not-a-number for variables without a value."""
        return self._guarded(self._run.get, references, otherwise=[math.nan] * len(references))

    def write(self, references: Sequence[int], values: Sequence[float]) -> None:
        """Set inputs and parameters."""
        self._guarded(self._run.set, references, values)

    def advance(self, time: float, step: float) -> bool:
        """Take a step and return whether its end was reached."""
        reached = self._guarded(self._run.step, time, step)
        if reached is False:
            self.log(self._run.reason, self.statuses.discard)
        return bool(reached)

    def _get_fmu_state(self) -> bytes:
        return self._guarded(self._run.save, otherwise=b"")

    def _set_fmu_state(self, state: bytes) -> None:
        self._guarded(self._run.restore, state)

    @staticmethod
    def _fmu_state_to_bytes(state: bytes) -> bytes:
        return state

    @staticmethod
    def _fmu_state_from_bytes(state: bytes) -> bytes:
        return state
