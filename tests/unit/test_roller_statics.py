"""Exact stiffness of chain, contacts and mechanism, against differences of the forces."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import chaindrive as cd
from chaindrive.contract.bordered import bordered, dense
from chaindrive.contract.system import System
from chaindrive.formulations import compile_system
from chaindrive.formulations.planar.tables import Tilts
from chaindrive.kernels.tables import blank
from chaindrive.model import override
from chaindrive.simulation.start import settle
from chaindrive.solvers.rest import StructuredRest, rest_of
from support.small_drives import compiled, two_wheels, with_planar

DRIVES = ("industrial-08b", "6l60mc", "timing-06b", "v6-timing", "6s90mc-c-tightener")
SHIFT = 1e-9


def shaken(name: str) -> System:
    """A state at rest except for displacements of micrometres, which load and unload contacts and turn arms and
    wheels.
    """
    drive = override(cd.example(name), {"run.formulation.kind": "roller"})
    system = settle(compile_system(drive, drive.run.formulation, False))
    # The stiffness leaves out what little a tilt changes with the bending of its shaft.
    straight = blank(Tilts, len(system.parameters.planar.tilt.x))
    system = replace(system, parameters=with_planar(system.rest.searched, tilt=straight))
    noise = np.random.default_rng(3).standard_normal(system.positions)
    system.state[: system.positions] += 2e-6 * noise
    system.kernels.begin(0.0, system.state, system.parameters)
    return system


def forces(system: System, y: np.ndarray) -> np.ndarray:
    force = np.empty(system.positions)
    system.kernels.asked("forces", "this test")(0.0, y, system.parameters, force)
    return force


def stiffness(system: System, convex: bool) -> np.ndarray:
    assert system.rest.statics is not None
    links = system.parameters.links
    forces(system, system.state)
    matrix = bordered(links, 2, system.positions - 2 * links)
    system.rest.statics.stiffness(0.0, system.state, system.parameters, matrix, convex)
    return dense(matrix)


@pytest.mark.parametrize("name", DRIVES)
def test_stiffness_is_the_derivative_of_the_forces(name: str) -> None:
    system = shaken(name)
    free = np.flatnonzero(np.isfinite(system.masses))
    exact = stiffness(system, convex=False)[np.ix_(free, free)]
    differences = np.empty_like(exact)
    for column, position in enumerate(free):
        ahead, behind = system.state.copy(), system.state.copy()
        ahead[position] += SHIFT
        behind[position] -= SHIFT
        change = forces(system, behind) - forces(system, ahead)
        differences[:, column] = change[free] / (ahead[position] - behind[position])
    # A contact of 1e-7 m has a curvature of its force: 1e-9 m change its stiffness by (1e-9 / 1e-7)^2 / 24 of it.
    assert np.abs(exact - differences).max() < 1e-5 * np.abs(exact).max()
    assert np.array_equal(exact, exact.T)


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.long if name == "v6-timing" else ()) for name in DRIVES]
)
def test_the_convex_part_is_positive_semidefinite(name: str) -> None:
    system = shaken(name)
    n = 2 * system.parameters.links
    eigenvalues = np.linalg.eigvalsh(stiffness(system, convex=True)[:n, :n])
    assert eigenvalues[0] > -1e-9 * eigenvalues[-1]


def test_a_wheel_that_turns_takes_the_forces_of_its_contacts_along() -> None:
    """Soft contacts, pressed 0.1 mm: the force that turns with the wheel is 0.3 % of the stiffness from its rim.

    Next to the stiffness of links it would not be noticed above; here only the columns of the free wheel are compared.
    A linear law has no curvature, so that the differences are exact but for rounding, 1e-16 * 1e4 N / 1e-6 rad, and the
    bend of the teeth, whose force changes with the square of the shift.
    """
    drive = two_wheels(contact={"stiffness": 1e6, "exponent": 1.0}, gravity=(0.0, 0.0))
    system = compiled(drive, moving=False)
    n, y = drive.chain.links, system.state
    apart = y[: 2 * n].reshape(2, n).T - np.array(drive.wheels[1].position)
    distance = np.hypot(*apart.T)
    seated = np.flatnonzero(distance < 0.04)
    assert seated.size >= 7
    side = np.random.default_rng(5).uniform(-3e-5, 3e-5, seated.size)
    inward = -apart[seated] / distance[seated, None]
    moved = 1e-4 * inward + side[:, None] * np.column_stack([-inward[:, 1], inward[:, 0]])
    y[seated] += moved[:, 0]
    y[n + seated] += moved[:, 1]
    system.kernels.begin(0.0, y, system.parameters)
    wheel, shift = 2 * n + 1, 1e-6
    exact = stiffness(system, convex=False)[:, wheel]
    ahead, behind = y.copy(), y.copy()
    ahead[wheel] += shift
    behind[wheel] -= shift
    differences = (forces(system, behind) - forces(system, ahead)) / (2.0 * shift)
    rows = [*seated, *(n + seated), wheel]
    assert np.abs(differences[rows]).max() > 1e3
    np.testing.assert_allclose(exact[rows], differences[rows], atol=1e-4 * np.abs(differences[rows]).max())


@pytest.mark.parametrize("link", [0, 40, -1])
def test_only_links_at_which_the_stiffness_is_indefinite_are_restrained(link: int) -> None:
    """The equations of all other links, but for its neighbours, are those of Newton's method."""
    system = compile_system(cd.example("industrial-08b"), cd.RollerOptions(), False)
    rest = rest_of(system, 0.0)
    assert isinstance(rest, StructuredRest)
    q = system.state[: system.positions]
    rest.renew(q)
    rest.linearise(q, convex=True)
    stiffness = rest._matrix.diagonal[link, 0, 0]
    shift = 1e-3 * rest.row_sums()
    assert rest.factorise(shift)
    rest._matrix.diagonal[link] -= 2.0 * stiffness * np.eye(2)
    full = dense(rest._matrix) + np.diag(shift)
    assert not rest.factorise(shift)
    assert rest.factorise_restrained(shift)
    right = np.where(rest.free, np.linspace(1.0, 2.0, rest.free.size), 0.0)
    step = rest.solve(right)
    assert right @ step > 0.0
    links = rest._links
    place = np.arange(2 * links) % links
    far = np.flatnonzero(np.abs((place - link + links // 2) % links - links // 2) > 1)
    assert (full @ step)[far] == pytest.approx(right[far], rel=1e-6, abs=1e-6)
