"""Two masses with springs and dampers, cut between them: the test model of co-simulation (Busch 2016).

    m1 x1'' = -k1 x1 - d1 x1' + f,   m2 x2'' = -k2 x2 - d2 x2' - f,   f = kc (x2 - x1) + dc (x2' - x1')

Mass 1 takes the force and gives its motion; mass 2, with the spring between both, takes the motion and gives the force.
Both are integrated by many small steps, so that the error is that of the coupling; the whole by a matrix exponential.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import expm

from chaindrive.cosimulation.master import Connection, Coupling, Master, PowerBond
from chaindrive.cosimulation.signals import Signals
from chaindrive.cosimulation.subsystem import SubsystemError

__all__ = ["BONDS", "CONNECTIONS", "Masses", "exact", "master", "simulated"]

FloatArray = NDArray[np.float64]
SUBSTEPS, PER_RADIAN = 4, 5
"""Least number of substeps of a part in a macro step, and in a radian of its fastest oscillation."""


@dataclass(frozen=True)
class Masses:
    """Numbers of the model, in SI units."""

    m1: float = 1.0
    m2: float = 1.0
    k1: float = 40.0
    k2: float = 25.0
    kc: float = 20.0
    d1: float = 0.3
    d2: float = 0.2
    dc: float = 0.4
    start: tuple[float, float, float, float] = (1.0, 0.0, -0.5, 0.0)
    """x1, v1, x2, v2"""


CONNECTIONS = [
    Connection("first", "position", "second", "position"),
    Connection("first", "velocity", "second", "velocity"),
    Connection("second", "force", "first", "force"),
]
BONDS = [PowerBond("spring", "second", "force", "first", "velocity")]


class _Mass:
    """A mass with its position, velocity and the work over its side of the coupling, by Runge-Kutta of order 4."""

    def __init__(self, masses: Masses, state: tuple[float, float]) -> None:
        self.p, self.y = masses, np.array([*state, 0.0])

    def rates(self, y: FloatArray, u: FloatArray) -> FloatArray:
        raise NotImplementedError

    def step(self, time: float, step: float, inputs: Signals) -> None:
        p = self.p
        fastest = math.sqrt((p.kc + max(p.k1, p.k2)) / min(p.m1, p.m2))
        steps = max(SUBSTEPS, math.ceil(PER_RADIAN * fastest * step))
        h = step / steps
        for k in range(steps):
            t, y = time + k * h, self.y
            a = self.rates(y, inputs.at(t))
            b = self.rates(y + 0.5 * h * a, inputs.at(t + 0.5 * h))
            c = self.rates(y + 0.5 * h * b, inputs.at(t + 0.5 * h))
            d = self.rates(y + h * c, inputs.at(t + h))
            self.y = y + h / 6.0 * (a + 2.0 * b + 2.0 * c + d)

    def save(self) -> FloatArray:
        return self.y.copy()

    def restore(self, saved: FloatArray) -> None:
        self.y = saved.copy()


class FirstMass(_Mass):
    inputs = ("force",)
    outputs = ("position", "velocity")

    def rates(self, y: FloatArray, u: FloatArray) -> FloatArray:
        p = self.p
        return np.array([y[1], (u[0] - p.k1 * y[0] - p.d1 * y[1]) / p.m1, u[0] * y[1]])

    def read(self, time: float, inputs: FloatArray) -> FloatArray:
        return self.y[:2].copy()


class SecondMass(_Mass):
    inputs = ("position", "velocity")
    outputs = ("force",)
    feedthrough = True

    def force(self, y: FloatArray, u: FloatArray) -> float:
        return float(self.p.kc * (y[0] - u[0]) + self.p.dc * (y[1] - u[1]))

    def rates(self, y: FloatArray, u: FloatArray) -> FloatArray:
        p, force = self.p, self.force(y, u)
        return np.array([y[1], (-p.k2 * y[0] - p.d2 * y[1] - force) / p.m2, force * u[1]])

    def read(self, time: float, inputs: FloatArray) -> FloatArray:
        return np.array([self.force(self.y, inputs)])


class Failing(SecondMass):
    """A second mass that fails after a time [s]."""

    fails_at = 0.5

    def step(self, time: float, step: float, inputs: Signals) -> None:
        if time >= self.fails_at:
            raise SubsystemError("the spring broke")
        super().step(time, step, inputs)


def master(masses: Masses, coupling: Coupling, second: type[SecondMass] = SecondMass) -> Master:
    """Both masses at their start."""
    parts = {"first": FirstMass(masses, masses.start[:2]), "second": second(masses, masses.start[2:])}
    made = Master(parts, CONNECTIONS, coupling, BONDS)
    made.begin()
    return made


def simulated(masses: Masses, coupling: Coupling, until: float) -> tuple[FloatArray, Master]:
    """x1, v1, x2, v2 at the end, and the master."""
    made = master(masses, coupling)
    while made.time < until:
        made.advance(until)
    return np.concatenate([made.parts["first"].y[:2], made.parts["second"].y[:2]]), made


def exact(masses: Masses, until: float) -> FloatArray:
    """x1, v1, x2, v2 at the end, by the matrix exponential of the whole."""
    p = masses
    a = np.array(
        [
            [0.0, 1.0, 0.0, 0.0],
            [-(p.k1 + p.kc) / p.m1, -(p.d1 + p.dc) / p.m1, p.kc / p.m1, p.dc / p.m1],
            [0.0, 0.0, 0.0, 1.0],
            [p.kc / p.m2, p.dc / p.m2, -(p.k2 + p.kc) / p.m2, -(p.d2 + p.dc) / p.m2],
        ]
    )
    return expm(a * until) @ np.array(p.start)
