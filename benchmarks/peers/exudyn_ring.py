"""The ring of links in space in EXUDYN: rigid bodies with rotation vectors (Lie group), bushings, an explicit method.

Alone: python benchmarks/peers/exudyn_ring.py
"""

from __future__ import annotations

import contextlib
import io
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from peers.chain import cpu_of
from peers.ring import RingData, ring_data, ring_drive, sensible

NAME = "EXUDYN"
SAME = "links, masses, inertias, bushings with their dampers, start, no gravity, one thread"
DIFFERENT = (
    "angles of a bushing are those of a rotation vector in the frame of the pin; nothing is recorded, no work is "
    "integrated. VelocityVerlet with rotation vectors is the fastest combination of explicit method "
    "and node type that we found in EXUDYN"
)


class ExudynRing:
    """The model; every ``run`` rebuilds it."""

    def __init__(self, data: RingData) -> None:
        self.data = data
        self.place, self.velocity = data.place, data.velocity

    def build(self) -> Any:
        """A system ready to be solved."""
        import exudyn
        from exudyn import itemInterface as item
        from exudyn.rigidBodyUtilities import RigidBodyInertia

        d = self.data
        container = exudyn.SystemContainer()
        system = container.AddSystem()
        inertia = RigidBodyInertia(mass=d.mass, inertiaTensor=np.diag(d.inertia))
        ends = []
        for place, turn, velocity in zip(d.place, d.attitude.as_matrix(), d.velocity, strict=True):
            body = system.CreateRigidBody(
                inertia=inertia,
                nodeType=exudyn.NodeType.RotationRotationVector,
                referencePosition=list(place),
                referenceRotationMatrix=turn,
                initialVelocity=list(velocity),
                initialAngularVelocity=[0.0, 0.0, d.rate],
            )
            ends.append(
                [
                    system.AddMarker(item.MarkerBodyRigid(bodyNumber=body, localPosition=[side * d.pitch, 0.0, 0.0]))
                    for side in (0.5, -0.5)
                ]
            )
        stiffness = np.diag([*d.stiffness, *d.swing, 0.0])
        damping = np.diag([*d.damping, d.swing_damping, d.swing_damping, 0.0])
        for i, (pin, _) in enumerate(ends):
            bush = ends[(i + 1) % len(ends)][1]
            system.AddObject(
                item.RigidBodySpringDamper(markerNumbers=[pin, bush], stiffness=stiffness, damping=damping)
            )
        system.Assemble()
        return container, system

    def run(self, step: float, until: float) -> float:
        """Integrate; returns the CPU time of the solver alone. [s]"""
        import exudyn

        with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
            warnings.simplefilter("ignore", DeprecationWarning)
            _container, system = self.build()
            settings = exudyn.SimulationSettings()
            settings.solution.file.write = False
            settings.solution.sensors.writePeriod = 1e9
            settings.timeIntegration.endTime = until
            settings.timeIntegration.numberOfSteps = max(1, round(until / step))
            settings.timeIntegration.verboseMode = 0
            settings.timeIntegration.explicitIntegration.computeMassMatrixInversePerBody = True
            settings.parallel.numberOfThreads = 1

            def solve() -> None:
                with contextlib.suppress(Exception):  # a blow-up is seen in the numbers
                    system.SolveDynamic(settings, solverType=exudyn.DynamicSolverType.VelocityVerlet)

            used = cpu_of(solve)
            n = len(self.data.place)
            moved = np.asarray(system.systemData.GetODE2Coordinates()).reshape(n, 6)
            rates = np.asarray(system.systemData.GetODE2Coordinates_t()).reshape(n, 6)
        self.place, self.velocity = self.data.place + moved[:, :3], rates[:, :3]
        return used

    def stable(self, step: float, until: float) -> bool:
        """Whether a run with this step ends with sensible numbers."""
        self.run(step, 0.1 * until)
        if not sensible(self.velocity):
            return False
        self.run(step, until)
        return sensible(self.velocity)


if __name__ == "__main__":
    ring = ExudynRing(ring_data(ring_drive()))
    for trial in (2e-6, 4e-6, 8e-6):
        seconds = ring.run(trial, 0.002)
        print(f"step {1e6 * trial:.3g} us: {1e6 * seconds * trial / 0.002:.4g} us per step, {sensible(ring.velocity)}")
