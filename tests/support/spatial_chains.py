"""Chains of links in space without wheels, for closed-form solutions and conservation laws."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from chaindrive.contract.system import System
from chaindrive.formulations.planar.compile import planar_parameters
from chaindrive.formulations.planar.limits import Expected
from chaindrive.formulations.planar.surfaces import NO_SURFACES
from chaindrive.formulations.spatial import parameters as S
from chaindrive.formulations.spatial.compile import parameters_of, spatial_layout, system_at_rest
from chaindrive.formulations.spatial.links import SpatialLinks
from chaindrive.formulations.spatial.placing import link_attitudes
from chaindrive.mechanism.description import Mechanism
from chaindrive.mechanism.elements import build_elements
from chaindrive.mechanism.tree import build_tree
from chaindrive.model import SpatialOptions
from support import link_chains
from support.small_drives import PITCH, chain

FloatArray = NDArray[np.float64]

MASS = 0.0024
INERTIA = (2.1e-8, 8.5e-8, 8.0e-8)
"""Moments of inertia of a bicycle chain: twist, lateral, in the plane. [kg m^2]"""


def links(count: int, **given: Any) -> SpatialLinks:
    """Links of one kind without losses and plays; any value may be given."""
    values = {
        "side_stiffness": 1e7, "side_damping": 0.0, "pin_play": 0.0, "bend_stiffness": 300.0, "twist_stiffness": 100.0,
        "bend_play": 0.0, "twist_play": 0.0, "swing_damping": 0.0,
    } | {name: given.pop(name) for name in SpatialLinks._fields if name in given and name != "inertia"}  # fmt: skip
    inertia = np.broadcast_to(np.asarray(given.pop("inertia", INERTIA), float), (count, 3)).copy()
    plane = link_chains.links(count, **({"mass": MASS, "inertia": inertia[:, 2], "stiffness": 1e7} | given))
    return SpatialLinks(plane=plane, inertia=inertia, estimates={}, **values)


def free_links(
    data: SpatialLinks, bushes: FloatArray, gravity: tuple[float, float] = (0.0, 0.0), axis: Any = (0.0, 0.0, 1.0),
    options: SpatialOptions | None = None, **of_chain: Any,
) -> System:  # fmt: skip
    """A closed chain of links, its bushes at (N, 3) [m], its pins along ``axis`` as nearly as can be."""
    n = len(bushes)
    tree, none = build_tree([]), np.zeros(0)
    mechanism = Mechanism(tree, build_elements([], tree), {}, 0, (), none, none, none, none)
    options = options or SpatialOptions()
    of = chain(n, **of_chain)
    planar = planar_parameters(of, gravity, options, NO_SURFACES, mechanism, 7 * n, len(S.WORKS))
    p = parameters_of(of, data, options, spatial_layout(planar, n, len(S.WORKS)))
    place = link_attitudes(bushes, np.broadcast_to(np.asarray(axis, float), (n, 3)), data.plane.centre)
    return system_at_rest(p, place, none, mechanism, Expected(0.0, none))


def circle(count: int, stretch: float = 0.0) -> FloatArray:
    """Bushes of a regular polygon of links, stretched by a part of the pitch, (N, 3)."""
    radius = (1.0 + stretch) * PITCH / (2.0 * np.sin(np.pi / count))
    angle = 2.0 * np.pi * np.arange(count) / count
    return radius * np.column_stack([np.cos(angle), np.sin(angle), np.zeros(count)])


def ring(count: int = 40, **given: Any) -> System:
    """A free regular polygon of links."""
    return free_links(links(count, **given), circle(count))


def body_rows(p: S.Parameters, *rows: np.uintp) -> list[FloatArray]:
    """Views of rows of ``p.body`` with all lanes, (B, STRIDE) each: changes there apply to the links."""
    table = p.body.reshape(p.blocks, S.BODY_ROWS, S.STRIDE)
    return [table[:, int(row) // S.STRIDE] for row in rows]


def set_link(p: S.Parameters, row: np.uintp, link: int, value: float) -> None:
    """One number of one link."""
    (table,) = body_rows(p, row)
    table[link // S.LANES, link % S.LANES + 1] = value


def hold(p: S.Parameters, link: int) -> None:
    """Hold a link in place: forces do not move it."""
    for row in (S.INVERSE_MASS, S.INVERSE1, S.INVERSE2, S.INVERSE3):
        set_link(p, row, link, 0.0)


def open_joint(p: S.Parameters, joint: int) -> None:
    """Take a joint apart."""
    for row in range(12, S.BODY_ROWS):
        set_link(p, np.uintp(row * S.STRIDE), joint, 0.0)


def evaluated(system: System, state: FloatArray) -> FloatArray:
    """dy/dt at a state."""
    dy = np.full_like(state, np.nan)
    system.kernels.rhs(0.0, state, dy, system.parameters)
    return dy


def state_in_space(flat: np.ndarray, n: int, border: int, size: int) -> np.ndarray:
    """A state of the formulation ``link`` as one of ``spatial``, with these numbers of states, wheels and joints."""
    place, speed = flat[: 3 * n + border], flat[3 * n + border : 6 * n + 2 * border]
    z, at = np.zeros(size), 7 * n + border
    z[: 2 * n], angle = place[: 2 * n], place[2 * n : 3 * n]
    z[3 * n : 4 * n], z[6 * n : 7 * n] = np.cos(0.5 * angle), np.sin(0.5 * angle)
    z[7 * n : at] = place[3 * n :]
    z[at : at + 2 * n], z[at + 5 * n : at + 6 * n + border] = speed[: 2 * n], speed[2 * n :]
    return z


AS_IN_SPACE = {"joint": "ideal", "friction_law": "smoothed", "friction_sharpness": 0.1}
"""Options of rigid links whose joints and friction are those of links in space."""
