"""FMUs of small drives, opened by FMPy, and the same drives run by our own integrator between the same instants."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from chaindrive.fmu.build import Prepared
from chaindrive.fmu.variables import output_names
from chaindrive.solvers.choice import integrator_for

__all__ = ["Opened", "OwnRun", "opened", "repeats_bit_for_bit"]

FloatArray = NDArray[np.float64]


class Opened:
    """An instance of an FMU, by FMPy, with its variables by name."""

    def __init__(self, path: Path, folder: Path) -> None:
        import fmpy
        from fmpy.fmi2 import FMU2Slave
        from fmpy.fmi3 import FMU3Slave

        self.description = fmpy.read_model_description(str(path))
        self.three = self.description.fmiVersion == "3.0"
        self.messages: list[str] = []
        self.numbers = {each.name: each.valueReference for each in self.description.modelVariables}
        self.outputs = [each.name for each in self.description.modelVariables if each.causality == "output"]
        fmpy.extract(str(path), str(folder))
        made = FMU3Slave if self.three else FMU2Slave
        self.model: Any = made(
            guid=self.description.guid,
            unzipDirectory=str(folder),
            modelIdentifier=self.description.coSimulation.modelIdentifier,
            instanceName="one",
        )
        if self.three:
            self.model.instantiate(
                earlyReturnAllowed=True, logMessage=lambda *said: self.messages.append(said[-1].decode())
            )
        else:
            self.model.instantiate(callbacks=self._callbacks())

    def _callbacks(self) -> Any:
        from fmpy.fmi2 import defaultCallbacks, fmi2CallbackFunctions, fmi2CallbackLoggerTYPE

        def heard(_: Any, name: bytes, status: int, category: bytes, message: bytes) -> None:
            self.messages.append(message.decode())

        found = fmi2CallbackFunctions()
        found.logger = fmi2CallbackLoggerTYPE(heard)
        found.allocateMemory, found.freeMemory = defaultCallbacks.allocateMemory, defaultCallbacks.freeMemory
        return found

    def start(self, time: float = 0.0, **values: float) -> FloatArray:
        """Initialize with values of inputs and parameters; the outputs at the start."""
        if self.three:
            self.set(values)
            self.model.enterInitializationMode(startTime=time)
        else:
            self.model.setupExperiment(startTime=time)
            self.set(values)
            self.model.enterInitializationMode()
        self.model.exitInitializationMode()
        return self.get()

    def set(self, values: dict[str, float]) -> None:
        """Set inputs or parameters."""
        write = self.model.setFloat64 if self.three else self.model.setReal
        write([self.numbers[name] for name in values], list(values.values()))

    def get(self, *names: str) -> FloatArray:
        """Values of outputs, all of them by default."""
        read = self.model.getFloat64 if self.three else self.model.getReal
        return np.array(read([self.numbers[name] for name in names or self.outputs]))

    def step(self, time: float, duration: float) -> FloatArray:
        """A step, and the outputs after it."""
        self.model.doStep(time, duration)
        return self.get()

    def state(self) -> Any:
        """The state of the instance."""
        return self.model.getFMUState() if self.three else self.model.getFMUstate()

    def put_back(self, state: Any) -> None:
        """Return to a state."""
        (self.model.setFMUState if self.three else self.model.setFMUstate)(state)

    def serialized(self, state: Any) -> Any:
        """The bytes of a state."""
        return (self.model.serializeFMUState if self.three else self.model.serializeFMUstate)(state)

    def deserialized(self, kept: Any) -> Any:
        """A state from its bytes."""
        return (self.model.deserializeFMUState if self.three else self.model.deSerializeFMUstate)(kept)

    def close(self) -> None:
        """Free the instance."""
        self.model.freeInstance()


def repeats_bit_for_bit(fmu: Opened, other: Opened, values: dict[str, float], step: float) -> None:
    """An instance at its start returns to a state and repeats its steps [s], as does another one from its bytes."""
    fmu.set(values)
    for k in range(5):
        fmu.step(k * step, step)
    state = fmu.state()
    kept = fmu.serialized(state)
    first = [fmu.step(k * step, step) for k in range(5, 10)]
    fmu.put_back(state)
    assert np.array_equal([fmu.step(k * step, step) for k in range(5, 10)], first)
    other.put_back(other.deserialized(kept))
    assert np.array_equal([other.step(k * step, step) for k in range(5, 10)], first)


def opened(folder: Path) -> Callable[[Path], Opened]:
    """Fixture: opens FMUs, each in a folder of its own."""
    number = iter(range(1000))
    return lambda path: Opened(path, folder / f"opened{next(number)}")


class OwnRun:
    """Our own integrator, which stops and records where an importer would."""

    def __init__(self, ready: Prepared) -> None:
        self.ready = ready
        self.integrator = integrator_for(ready.system, ready.settings, math.inf, 1)
        places = {channel.name: channel.offset for channel in ready.system.channels}
        self._places = {
            name: places[channel] + k
            for channel, names in output_names(ready.system).items()
            for k, name in enumerate(names)
        }

    def to(self, time: float, outputs: list[str]) -> FloatArray:
        """Integrate to a time; outputs there, by name."""
        self.integrator.record_at(time)
        while self.integrator.advance(time).name == "RUNNING":
            pass
        return self.integrator.take_rows()[1][0][[self._places[name] for name in outputs]]
