"""Chains of rigid links without wheels, for closed-form solutions and conservation laws."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from chaindrive.contract.bordered import bordered
from chaindrive.contract.system import System
from chaindrive.formulations.link import parameters as L
from chaindrive.formulations.link.chain import coordinates_of
from chaindrive.formulations.link.compile import link_velocities, parameters_of, system_at_rest
from chaindrive.formulations.planar.compile import planar_parameters
from chaindrive.formulations.planar.limits import Expected
from chaindrive.formulations.planar.surfaces import NO_SURFACES
from chaindrive.mechanism.description import Mechanism
from chaindrive.mechanism.elements import build_elements
from chaindrive.mechanism.links import LinkData
from chaindrive.mechanism.tree import build_tree
from chaindrive.model import Chain, LinkOptions
from support.small_drives import PITCH, chain

FloatArray = NDArray[np.float64]

OPEN = 1e3
"""Clearance of an open joint: its pin never touches its bush. [m]"""


def links(count: int, **given: Any) -> LinkData:
    """Links of one kind, of 8.8 g, without clearance; any value may be given, one or (count,)."""
    mass = given.get("mass", 0.0088)
    values = {
        "mass": mass, "inertia": 0.15 * np.mean(mass) * PITCH**2, "length": PITCH, "clearance": 0.0, "stiffness": 1e7,
        "damping": 0.0, "plate_radius": 0.005,
    } | given  # fmt: skip
    centre = values.pop("centre", (0.5 * np.mean(values["length"]), 0.0))
    arrays = {name: np.broadcast_to(np.asarray(value, float), (count,)).copy() for name, value in values.items()}
    middles = np.broadcast_to(np.asarray(centre, float), (count, 2)).copy()
    return LinkData(**arrays, centre=middles, pin_radius=0.002, estimates={})


def free_links(
    of: Chain, data: LinkData, bushes: FloatArray, gravity: tuple[float, float] = (0.0, 0.0), **options: Any
) -> System:
    """A closed chain of rigid links, its bushes at (N, 2) [m]."""
    tree, none = build_tree([]), np.zeros(0)
    mechanism = Mechanism(tree, build_elements([], tree), {}, 0, (), none, none, none, none)
    chosen = LinkOptions(**options)
    planar = planar_parameters(of, gravity, chosen, NO_SURFACES, mechanism, coordinates_of(of.links), len(L.WORKS))
    parameters = parameters_of(of, data, chosen, planar)
    return system_at_rest(parameters, bushes, none, mechanism, Expected(0.0, none))


def ring(count: int, stretch: float = 0.0, **given: Any) -> tuple[System, FloatArray]:
    """A regular polygon of links, stretched by a part of the pitch, and its bushes (N, 2)."""
    options = {key: given.pop(key) for key in ("joint", "oil_damping", "oil_film") if key in given}
    radius = (1.0 + stretch) * PITCH / (2.0 * np.sin(np.pi / count))
    angle = 2.0 * np.pi * np.arange(count) / count
    bushes = radius * np.column_stack([np.cos(angle), np.sin(angle)])
    return free_links(chain(count), links(count, **given), bushes, **options), bushes


def turning(system: System, bushes: FloatArray, rate: float) -> FloatArray:
    """The state of a ring that turns as one about the origin at a rate [rad/s]."""
    state = system.state.copy()
    n = len(bushes)
    velocity = rate * np.column_stack([-bushes[:, 1], bushes[:, 0]])
    state[3 * n : 6 * n] = link_velocities(system.parameters, bushes, velocity)
    return state


def stiffness_of(system: System, convex: bool = False) -> Any:
    """The stiffness at the state of a system, in blocks."""
    n = system.parameters.links
    matrix = bordered(n, 3, 0)
    force = np.zeros(system.positions)
    system.kernels.forces(0.0, system.state, system.parameters, force)
    system.rest.statics.stiffness(0.0, system.state, system.parameters, matrix, convex)
    return matrix
