"""The 122-link chain of the 6L60MC in EXUDYN: GeneralContact and the explicit integrator VelocityVerlet.

Alone: python benchmarks/peers/exudyn_chain.py
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
from peers.chain import ChainData, chain_data, cpu_of, is_stable, mean_tension, wheel_facets

NAME = "EXUDYN"
LEAN, ORDINARY = "lean", "ordinary"
THICKNESS = {LEAN: 0.2, ORDINARY: 0.02}
"""Half the width of the triangles across the plane. [m]"""
CELL = 0.2
"""Cells of the search tree; the quickest of 0.03 to 0.2 m. [m]"""
SAME = (
    "rollers as point masses in the plane, links as springs and dampers with the same values, gravity, wheel inertias "
    "and centres, start at speed from the same static equilibrium, no friction, one thread"
)
DIFFERENT = (
    "contact is linear (stiffness of the Hertz law at 2 kN, damper for a restitution of 0.66) instead of Hertz with "
    "Lankarani-Nikravesh; a tooth gap is nine flat facets that touch the true profile from outside instead of arcs "
    "(lean mesh: one long triangle for each facet; ordinary mesh: two); a roller is a sphere in the plane; the driver "
    "keeps its speed because its inertia is a million times as large; no channels are recorded, no work is integrated"
)


class ExudynChain:
    """The model; every ``run`` rebuilds it, because contact data cannot be reset."""

    def __init__(self, data: ChainData, mesh: str = LEAN) -> None:
        self.data, self.mesh = data, mesh
        self.position = data.position
        self.velocity = data.velocity
        self.triangles = 0

    def build(self) -> Any:
        """A system ready to be solved."""
        import exudyn
        from exudyn import itemInterface as item

        d = self.data
        container = exudyn.SystemContainer()
        system = container.AddSystem()
        contact = system.AddGeneralContact()
        contact.SetFrictionPairings(np.zeros((1, 1)))
        contact.sphereSphereContact = False
        # The springs of both partners act in series and their dampers in parallel.
        law = {
            "contactStiffness": 2.0 * d.contact_stiffness,
            "contactDamping": 0.5 * d.contact_damping,
            "frictionMaterialIndex": 0,
        }
        markers = []
        for (x, y), (vx, vy) in zip(d.position, d.velocity, strict=True):
            node = system.AddNode(item.NodePoint2D(referenceCoordinates=[x, y], initialVelocities=[vx, vy]))
            body = system.AddObject(item.ObjectMassPoint2D(mass=d.mass, nodeNumber=node))
            marker = system.AddMarker(item.MarkerBodyPosition(bodyNumber=body))
            system.AddLoad(item.LoadForceVector(markerNumber=marker, loadVector=[0.0, d.mass * d.gravity, 0.0]))
            contact.AddSphereWithMarker(marker, radius=d.roller_radius, **law)
            markers.append(marker)
        for i, marker in enumerate(markers):
            system.AddObject(
                item.ObjectConnectorSpringDamper(
                    markerNumbers=[marker, markers[(i + 1) % len(markers)]],
                    referenceLength=d.pitch,
                    stiffness=d.stiffness,
                    damping=d.damping,
                )
            )
        self.triangles = 0
        for w in range(len(d.teeth)):
            node = system.AddNode(
                item.Node1D(referenceCoordinates=[d.wheel_angle[w]], initialVelocities=[d.wheel_speed[w]])
            )
            body = system.AddObject(
                item.ObjectRotationalMass1D(
                    inertia=d.wheel_inertia[w], nodeNumber=node, referencePosition=[*d.wheel_position[w], 0.0]
                )
            )
            marker = system.AddMarker(item.MarkerBodyRigid(bodyNumber=body))
            points, triangles = facet_triangles(wheel_facets(d, w), self.mesh)
            self.triangles += len(triangles)
            contact.AddTrianglesRigidBodyBased(marker, pointList=points, triangleList=triangles, **law)
        low, high = d.position.min(axis=0) - 0.3, d.position.max(axis=0) + 0.3
        contact.SetSearchTreeBox([*low, -0.05], [*high, 0.05])
        contact.SetSearchTreeCellSize([*(int(n) for n in (high - low) / CELL), 1])
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
            settings.parallel.numberOfThreads = 1

            def solve() -> None:
                with contextlib.suppress(Exception):  # a blow-up is seen in the numbers
                    system.SolveDynamic(settings, solverType=exudyn.DynamicSolverType.VelocityVerlet)

            used = cpu_of(solve)
            n = len(self.data.position)
            moved = np.asarray(system.systemData.GetODE2Coordinates())[: 2 * n].reshape(n, 2)
            self.position = self.data.position + moved
            self.velocity = np.asarray(system.systemData.GetODE2Coordinates_t())[: 2 * n].reshape(n, 2)
        return used

    def stable(self, step: float, until: float) -> bool:
        """Whether a run with this step ends with sensible numbers."""
        self.run(step, 0.1 * until)  # a blow-up is slow, and mostly there by then
        if not is_stable(self.position, self.velocity, self.data):
            return False
        self.run(step, until)
        return is_stable(self.position, self.velocity, self.data)

    @property
    def tension(self) -> float:
        """Mean link tension at the end of the last run. [N]"""
        return mean_tension(self.position, self.data)


def facet_triangles(facets: np.ndarray, mesh: str) -> tuple[list[list[float]], list[list[int]]]:
    """Triangles whose intersections with the plane z = 0 are the facets; their normals point to the roller.

    Lean: one triangle a facet, the base of twice its length at one side of the plane, the apex at the other.
    Ordinary: the rectangle that the facet sweeps across the plane, as two triangles.
    """
    points: list[list[float]] = []
    triangles: list[list[int]] = []
    z = THICKNESS[mesh]
    for a, b in facets:
        o = len(points)
        middle, half = 0.5 * (a + b), 0.5 * (b - a)
        if mesh == LEAN:
            points += [[*(middle - 2.0 * half), -z], [*(middle + 2.0 * half), -z], [*middle, z]]
            triangles.append([o, o + 1, o + 2])
        else:
            points += [[*a, -z], [*b, -z], [*b, z], [*a, z]]
            triangles += [[o, o + 1, o + 2], [o, o + 2, o + 3]]
    return points, triangles


if __name__ == "__main__":
    for kind in (LEAN, ORDINARY):
        chain = ExudynChain(chain_data(), kind)
        for trial in (2e-5, 4e-5, 5e-5, 6e-5, 7e-5):
            seconds = chain.run(trial, 0.1)
            rate = 1e6 * seconds * trial / 0.1
            fine = is_stable(chain.position, chain.velocity, chain.data)
            print(f"{kind} mesh, step {1e6 * trial:.3g} us: {rate:.4g} us/step, stable {fine},", end=" ")
            print(f"tension {chain.tension:.5g} N, {chain.triangles} triangles")
