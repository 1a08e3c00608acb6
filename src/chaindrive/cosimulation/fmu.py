"""An FMU as a part of a co-simulation. It runs code from its author in this process."""

from __future__ import annotations

import contextlib
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from chaindrive.contract.states import FloatArray
from chaindrive.cosimulation.archive import checked_archive, unpack
from chaindrive.cosimulation.description import Fmu
from chaindrive.cosimulation.signals import Signals
from chaindrive.cosimulation.subsystem import SubsystemError
from chaindrive.errors import InputError, Problem

__all__ = ["FmuPart"]

MOST_MESSAGES = 5


class FmuPart:
    """A running FMU for co-simulation.

    During a step, its inputs have the values at the middle of the step, with an error of second order; if it supports
    this, their derivatives are passed instead (FMI 2.0). Raises InputError if it cannot be loaded or started.
    """

    def __init__(self, fmu: Fmu, name: str, place: str) -> None:
        self.fmu, self.name = fmu, name
        self.inputs = tuple(each.name for each in fmu.inputs)
        self.outputs = tuple(each.name for each in fmu.outputs)
        self.feedthrough, self.restorable, self.equal_steps = fmu.feedthrough, fmu.state, not fmu.variable_step
        self._given, self._read = ([each.reference for each in which] for which in (fmu.inputs, fmu.outputs))
        self._units = np.array([each.factor for each in fmu.inputs])
        self._units_read = np.array([each.factor for each in fmu.outputs])
        self._messages: list[str] = []
        self._running = False
        self._kept: Any = None
        self._folder = tempfile.TemporaryDirectory(prefix="chaindrive-fmu-")
        try:
            with checked_archive(fmu.file, place) as archive:
                unpack(archive, Path(self._folder.name))
            with contextlib.chdir("."):  # FMPy stays in the folder of a library that it cannot load
                self._instance = self._instantiated()
            self._set_start()
        except InputError:
            self._folder.cleanup()
            raise
        except Exception as error:  # of FMPy or the FMU
            self._folder.cleanup()
            raise InputError(Problem(place, f"cannot be started: {self._reason(error)}", repr(fmu.file))) from None

    def _instantiated(self) -> Any:
        """Return an instance of the FMU whose messages are kept."""
        from fmpy import fmi2, fmi3

        options = {
            "guid": self.fmu.guid,
            "modelIdentifier": self.fmu.identifier,
            "unzipDirectory": self._folder.name,
            "libraryPath": str(Path(self._folder.name) / self.fmu.library),
            "instanceName": self.name,
        }
        if self.fmu.version == 3:
            instance = fmi3.FMU3Slave(**options)
            instance.instantiate(logMessage=lambda _, status, __, text: self._keep(status, text))
            instance.enterInitializationMode(startTime=0.0)
            return instance
        instance = fmi2.FMU2Slave(**options)
        callbacks = fmi2.fmi2CallbackFunctions()
        callbacks.logger = fmi2.fmi2CallbackLoggerTYPE(lambda _, __, status, ___, text: self._keep(status, text))
        callbacks.allocateMemory = fmi2.fmi2CallbackAllocateMemoryTYPE(fmi2.calloc)
        callbacks.freeMemory = fmi2.fmi2CallbackFreeMemoryTYPE(fmi2.free)
        instance.instantiate(callbacks=callbacks)
        instance.setupExperiment(startTime=0.0)
        instance.enterInitializationMode()
        return instance

    def _keep(self, status: int, text: bytes | None) -> None:
        """Keep a message from the FMU if it is a warning or worse."""
        if status > 0 and text:
            self._messages = [*self._messages, text.decode("utf-8", "replace").strip()[:300]][-MOST_MESSAGES:]

    def _reason(self, error: Exception) -> str:
        """Return what went wrong, with the messages of the FMU."""
        messages, self._messages = self._messages, []
        return f"{error} (its messages: {'; '.join(messages)})" if messages else str(error)

    def _set_start(self) -> None:
        """Set parameters and other inputs."""
        for variable, value in self.fmu.start:
            getattr(self._instance, f"set{variable.kind}")([variable.reference], [value])

    def _set(self, values: FloatArray) -> None:
        if self._given:
            own = (values / self._units).tolist()
            (self._instance.setFloat64 if self.fmu.version == 3 else self._instance.setReal)(self._given, own)

    def _run(self) -> None:
        """Leave the initialisation mode, before the first step."""
        if not self._running:
            self._instance.exitInitializationMode()
            self._running = True

    @contextlib.contextmanager
    def _call(self) -> Any:
        """Raise errors of the FMU as SubsystemError, with its messages."""
        try:
            yield
        except SubsystemError:
            raise
        except Exception as error:  # of FMPy
            raise SubsystemError(self._reason(error)) from error

    def read(self, time: float, inputs: FloatArray) -> FloatArray:
        """Return the outputs of the FMU, in SI units."""
        with self._call():
            if self.feedthrough or not self._running:
                self._set(inputs)
            get = self._instance.getFloat64 if self.fmu.version == 3 else self._instance.getReal
            return self._units_read * np.array(get(self._read)) if self._read else np.zeros(0)

    def step(self, time: float, step: float, inputs: Signals) -> None:
        """Advance the FMU by a step. Raises SubsystemError with the message of the FMU."""
        with self._call():
            self._run()
            if self.fmu.derivatives and self._given:
                self._set(inputs.at(time))
                rates = (inputs.rates(time) / self._units).tolist()
                self._instance.setRealInputDerivatives(self._given, [1] * len(self._given), rates)
            else:
                self._set(inputs.at(time + 0.5 * step))
            answer = self._instance.doStep(time, step, not self.restorable)
            if answer is not None and answer[1]:
                raise SubsystemError(self._reason(RuntimeError("it requested the end of the simulation")))

    def save(self) -> NDArray[np.uint8] | Any:
        """Return the state of the FMU: an array if it can be stored in a file, otherwise a handle that is valid until
        the next call.
        """
        with self._call():
            self._run()
            three = self.fmu.version == 3
            if self._kept is not None:
                (self._instance.freeFMUState if three else self._instance.freeFMUstate)(self._kept)
            self._kept = self._instance.getFMUState() if three else self._instance.getFMUstate()
            if not self.fmu.serialised:
                return self._kept
            serialise = self._instance.serializeFMUState if three else self._instance.serializeFMUstate
            return np.frombuffer(serialise(self._kept), dtype=np.uint8).copy()

    def restore(self, saved: NDArray[np.uint8] | Any) -> None:
        """Return to a saved state."""
        with self._call():
            self._run()
            three, state, own = self.fmu.version == 3, saved, isinstance(saved, np.ndarray)
            if own:
                name = "deserializeFMUState" if three else "deSerializeFMUstate"
                state = getattr(self._instance, name)(saved.tobytes())
            (self._instance.setFMUState if three else self._instance.setFMUstate)(state)
            if own:
                (self._instance.freeFMUState if three else self._instance.freeFMUstate)(state)

    def close(self) -> None:
        """Free the instance and remove the unpacked files."""
        if self._instance is None:
            return
        with contextlib.suppress(Exception):  # it is needed no longer
            if self._running:
                self._instance.terminate()
            self._instance.freeInstance()
        self._instance = None
        self._folder.cleanup()
