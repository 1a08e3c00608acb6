"""The example ``pump-10b`` with a direct-current motor: within the drive, and as a machine coupled to it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

import chaindrive as cd
from chaindrive.cosimulation.signals import Signals

__all__ = ["Motor", "coupled", "monolithic"]

STALL_TORQUE, NO_LOAD_SPEED, TIME_CONSTANT = 40.0, 150.0, 0.02
SUBSTEPS = 4


class Motor:
    """A direct-current motor, T i' = 1 - w / w0 - i, M = i x stall torque, by Runge-Kutta steps of order 4."""

    inputs = ("speed",)
    outputs = ("torque",)

    def __init__(self) -> None:
        self.current = np.zeros(1)

    def rate(self, current: NDArray[np.float64], speed: float) -> NDArray[np.float64]:
        return (1.0 - speed / NO_LOAD_SPEED - current) / TIME_CONSTANT

    def step(self, time: float, step: float, inputs: Signals) -> None:
        h = step / SUBSTEPS
        for k in range(SUBSTEPS):
            at, i = time + k * h, self.current
            first, middle, last = (float(inputs.at(at + x * h)[0]) for x in (0.0, 0.5, 1.0))
            a = self.rate(i, first)
            b = self.rate(i + 0.5 * h * a, middle)
            c = self.rate(i + 0.5 * h * b, middle)
            self.current = i + h / 6.0 * (a + 2.0 * b + 2.0 * c + self.rate(i + h * c, last))

    def read(self, time: float, inputs: NDArray[np.float64]) -> NDArray[np.float64]:
        return STALL_TORQUE * self.current

    def save(self) -> NDArray[np.float64]:
        return self.current.copy()

    def restore(self, saved: NDArray[np.float64]) -> None:
        self.current = saved.copy()


def monolithic() -> cd.Drive:
    """The motor within the drive."""
    return _pump(
        {
            "kind": "dc_motor",
            "no_load_speed": NO_LOAD_SPEED,
            "stall_torque": STALL_TORQUE,
            "time_constant": TIME_CONSTANT,
        }
    )


def coupled(**coupling: Any) -> cd.Drive:
    """The motor as a machine; coupling: keys of run.coupling."""
    shafts = [{"rotor": "motor", "torque": "torque", "speed": "speed"}]
    torque = {"kind": "input", "largest": STALL_TORQUE}
    return _pump(torque, machines=[{"name": "supply", "shafts": shafts}], coupling=coupling)


def _pump(torque: Any, machines: Any = (), coupling: Any = None) -> cd.Drive:
    given = cd.example("pump-10b").to_dict()
    motor, pump = given["rotors"]
    run = given["run"] | {"formulation": {"kind": "block"}, "solver": {"method": "dormand-prince"}}
    return cd.Drive(
        **given
        | {"rotors": [motor | {"torque": torque}, pump], "machines": machines}
        | {"run": run | {"coupling": coupling or {}}}
    )
