"""The two chains of ``tandem`` as blocks, joined exactly by their shaft, or each with its own integrator."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

import chaindrive as cd
from chaindrive.contract.status import Status
from chaindrive.contract.system import System
from chaindrive.cosimulation.master import Connection, Coupling, Master, PowerBond
from chaindrive.cosimulation.signals import Signals
from chaindrive.formulations import compile_system
from chaindrive.mechanism.stages import first_stage, stage_drives
from chaindrive.model import InputTorque
from chaindrive.physics.torsion import torsion_torque
from chaindrive.simulation.machines import DrivePart, Reading
from chaindrive.simulation.start import prepare
from chaindrive.solvers import Integrator, SolverSettings

__all__ = ["Modular", "monolithic_stages"]

FloatArray = NDArray[np.float64]
TIGHT = SolverSettings(atol_length=1e-12, atol_angle=1e-12, atol_speed=1e-9, atol_angular_speed=1e-9)
DRIVER, DRIVEN = "stoker, left", "stoker, right"


def tandem() -> cd.Drive:
    """The example in the formulation of blocks."""
    drive = cd.example("tandem")
    return drive.model_copy(update={"run": drive.run.model_copy(update={"formulation": cd.BlockOptions()})})


def whole() -> System:
    """The system of both chains and their shaft, at the start."""
    drive = tandem()
    return prepare(drive, drive.run.formulation).system.as_integrated


def monolithic_stages(until: float) -> FloatArray:
    """Speeds of all wheels at a time [rad/s]."""
    system = whole()
    integrator = Integrator(system, TIGHT, until)
    while (status := integrator.advance(until)) == Status.RUNNING:
        integrator.take_rows()
    assert status == Status.REACHED_END
    state = integrator.state
    return state[system.positions : system.positions + system.velocities]


class Shaft:
    """The elastic shaft, whose torque follows from the motion of both ends and is positive if it acts counter-clockwise
    on the driven wheel.
    """

    inputs = ("angle", "speed", "driven angle", "driven speed")
    outputs = ("torque", "reaction")
    feedthrough = True

    def __init__(self, parameters: Any) -> None:
        self.p = parameters

    def read(self, time: float, inputs: FloatArray) -> FloatArray:
        p, (angle, speed, driven, driven_speed) = self.p, inputs
        twist = p.ratio * angle - driven + p.shaft_zero[0]
        torque, _ = torsion_torque(twist, p.ratio * speed - driven_speed, p.stiffness, p.damping, p.backlash)
        return np.array([torque, -p.ratio * torque])

    def step(self, time: float, step: float, inputs: Signals) -> None:
        return

    def save(self) -> FloatArray:
        return np.zeros(0)

    def restore(self, saved: FloatArray) -> None:
        return


class Modular:
    """Both chains and the shaft as parts of a master, starting from the initial state of the whole system."""

    def __init__(self, coupling: Coupling) -> None:
        together, drive = whole(), tandem()
        p = together.parameters
        cuts = (p.q1, p.q2, p.v1, p.v2, p.w1, p.w2)
        q1, q2, v1, v2, w1, w2, _ = np.split(together.state, np.cumsum(cuts))
        chains = (first_stage(drive), stage_drives(drive)[0])
        parts: dict[str, Any] = {}
        self.systems, self.integrators = [], []
        for name, chain, wheel, state in (
            ("first", chains[0], DRIVER, (q1, v1, w1)), ("second", chains[1], DRIVEN, (q2, v2, w2))
        ):  # fmt: skip
            system = compile_system(_with_input(chain, wheel), drive.run.formulation, True).as_integrated
            system = replace(system, state=np.concatenate(state))
            integrator = Integrator(system, TIGHT, 1e9)
            (cell,) = system.inputs
            read = [Reading(f"{wheel}.angle", cell.position), Reading(f"{wheel}.speed", cell.speed)]
            parts[name] = DrivePart(system, integrator, [cell], read)
            self.systems.append(system)
            self.integrators.append(integrator)
        parts["shaft"] = Shaft(p)
        connections = [
            Connection("first", f"{DRIVER}.angle", "shaft", "angle"),
            Connection("first", f"{DRIVER}.speed", "shaft", "speed"),
            Connection("second", f"{DRIVEN}.angle", "shaft", "driven angle"),
            Connection("second", f"{DRIVEN}.speed", "shaft", "driven speed"),
            Connection("shaft", "reaction", "first", f"wheels.{DRIVER}.torque"),
            Connection("shaft", "torque", "second", f"wheels.{DRIVEN}.torque"),
        ]
        bonds = [
            PowerBond("driver", "shaft", "reaction", "first", f"{DRIVER}.speed"),
            PowerBond("driven", "shaft", "torque", "second", f"{DRIVEN}.speed"),
        ]
        self.master = Master(parts, connections, coupling, bonds)

    def run(self, until: float) -> FloatArray:
        """Speeds of all wheels at a time [rad/s]. Raises FailedPartError."""
        self.master.begin()
        while self.master.time < until:
            self.master.advance(until)
        found = zip(self.systems, self.integrators, strict=True)
        return np.concatenate([i.state[s.positions : s.positions + s.velocities] for s, i in found])


def _with_input(chain: cd.Drive, name: str) -> cd.Drive:
    """A chain with an input torque on one of its wheels."""
    wheels = []
    for wheel in chain.wheels:
        own = wheel.torque if isinstance(wheel.torque, tuple) else (wheel.torque,) if wheel.torque else ()
        torque = (*own, InputTorque()) if wheel.name == name else wheel.torque
        wheels.append(wheel.model_copy(update={"torque": torque}))
    return chain.model_copy(update={"wheels": tuple(wheels)})
