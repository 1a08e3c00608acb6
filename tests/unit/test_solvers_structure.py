"""The matrix of an implicit step: coloured differences and formulas compared with plain differences; its solution
against a dense one.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from chaindrive.contract.system import System
from chaindrive.formulations import compile_system
from chaindrive.model import loads
from chaindrive.solvers.elimination import factorise, solve
from chaindrive.solvers.linearising import linearise_of
from chaindrive.solvers.structure import Structure, full_matrix, structure_of

HEAD = """
name = "two wheels"
[chain]
standard = "08B-1"
links = {links}
link_damping = 100
joint_friction = {friction}
[run.formulation]
kind = "{kind}"
[contact]
stiffness = "3 GN/m^1.5"
exponent = 1.5
restitution = 0.3
friction = {friction}
"""
WHEEL = """
[[wheels]]
name = "{name}"
teeth = 15
position = [{x}, 0]
tooth = {{ form = "iso-606" }}
inertia = "4 kg*cm^2"
{more}
"""
ARM = """
[[bodies]]
name = "arm"
mass = 0.2
inertia = "1 kg*cm^2"
joint = { kind = "revolute", position = [0.1207, 0.05] }
[[tensioners]]
name = "piston"
kind = "hydraulic"
from_position = [0.06, -0.05]
to_body = "arm"
to_position = [0.0, -0.07]
stiffness = "1.5 kN/m"
preload = "40 N"
piston_diameter = "12 mm"
chamber_length = "25 mm"
supply_pressure = "3 bar"
leakage = { gap = "35 um", length = "15 mm" }
check_valve = { diameter = "3 mm", opening_pressure = "0.1 bar" }
oil = { bulk_modulus = "1.5 GPa", viscosity = "15 mPa*s", density = "850 kg/m^3", air_content = 0.02 }
"""
FOLLOW, LEAD, SCALE = 3e-11, 5e-6, 0.9


def moving(kind: str, friction: float, links: int = 35, arm: bool = False) -> tuple[System, np.ndarray, np.ndarray]:
    """A drive that rolls under load, its state and its derivative there."""
    motion = 'motion = { kind = "constant_speed", speed = "500 rpm" }'
    text = HEAD.format(kind=kind, friction=friction, links=links)
    text += WHEEL.format(name="driver", x=0.0, more=motion)
    text += WHEEL.format(
        name="driven", x=0.1207, more='load_torque = 10\nmass = 0.5\nbody = "arm"' if arm else "load_torque = 10"
    )
    drive = loads(text + (ARM if arm else ""))
    system = compile_system(drive, drive.run.formulation, True)
    y, rng = system.state.copy(), np.random.default_rng(5)
    n = system.positions
    # Displaced by what links and contacts are stretched by, so that both carry forces and rub.
    y[:n] += rng.uniform(-2e-5, 2e-5, n) if kind == "roller" else rng.uniform(-2e-6, 2e-6, n)
    y[n : 2 * n] = system.motion.rolling + rng.uniform(-0.01, 0.01, n)
    system.kernels.begin(0.0, y, system.parameters)
    y[:n] += rng.uniform(-1e-7, 1e-7, n)  # what begins to slide is at a kink
    dy = np.zeros_like(y)
    system.kernels.rhs(0.0, y, dy, system.parameters)
    return system, y, dy


def coloured(system: System) -> System:
    """That drive without analytical derivatives."""
    return replace(system, kernels=system.kernels._replace(tangent=None))


def filled(system: System, y: np.ndarray, dy: np.ndarray) -> tuple[Structure, int]:
    """The structure filled with the matrix of a step, and the number of evaluations."""
    structure = structure_of(system)
    return structure, int(linearise_of(system.kernels)(0.0, y, dy, FOLLOW, LEAD, SCALE, structure, system.parameters))


def by_differences(system: System, y: np.ndarray, dy: np.ndarray, structure: Structure) -> np.ndarray:
    """The matrix 1 - SCALE G, from differences in one unknown after the other."""
    n = system.positions
    full = np.eye(y.size - n)
    there, rate = y.copy(), np.zeros_like(y)
    for j in structure.solved:
        delta = min(structure.moves[j, 0] / FOLLOW, structure.moves[j, 1] / LEAD)
        there[:] = y
        there[n + j] += LEAD * delta
        if j < n:
            there[j] += FOLLOW * delta
        system.kernels.rhs(0.0, there, rate, system.parameters)
        full[structure.solved, j] -= SCALE * (rate[n:] - dy[n:])[structure.solved] / delta
    return full


@pytest.mark.parametrize(
    ("kind", "friction", "arm"),
    [
        ("roller", 0.0, False),
        ("roller", 0.1, False),
        pytest.param("link", 0.1, False, marks=pytest.mark.long),
        ("roller", 0.0, True),
    ],
    ids=["rollers", "friction", "links", "arm"],
)
def test_the_coloured_jacobian_is_the_plain_one(kind, friction, arm):
    system, y, dy = moving(kind, friction, arm=arm)
    structure, spent = filled(coloured(system), y, dy)
    expected = by_differences(system, y, dy, structure)
    matrix = full_matrix(structure)
    chain = structure.chain.ravel()
    scale = np.abs(expected - np.eye(expected.shape[0])).max()
    assert scale > 0.05  # it carries load
    np.testing.assert_allclose(matrix[chain], expected[chain], atol=1e-6 * scale)
    # Rows of the border come from its columns, which holds for potentials and dampers.
    border = structure.border
    rows = expected[np.ix_(border, chain)]
    assert np.abs(rows).max() > 0.0
    if friction == 0.0:
        np.testing.assert_allclose(matrix[np.ix_(border, chain)], rows, atol=1e-3 * np.abs(rows).max())
    np.testing.assert_allclose(matrix[np.ix_(border, border)], expected[np.ix_(border, border)], atol=1e-6 * scale)
    # Three colours of blocks; with elastic friction a joint reaches over two links, and a block holds two.
    coordinates = {"roller": 2, "link": 3}[kind] * (2 if kind == "roller" and friction else 1)
    assert spent == 3 * coordinates + border.size
    assert structure.chain.shape[1] == coordinates


@pytest.mark.parametrize(
    ("kind", "friction", "arm", "links"),
    [
        ("roller", 0.0, False, 35),
        ("roller", 0.1, False, 34),
        pytest.param("link", 0.1, False, 35, marks=pytest.mark.long),
        ("roller", 0.1, True, 35),
    ],
    ids=["rollers", "friction", "links", "arm"],
)
def test_the_jacobian_by_formulas_is_the_plain_one(kind, friction, arm, links):
    system, y, dy = moving(kind, friction, links, arm)
    structure, spent = filled(system, y, dy)
    expected, matrix = by_differences(system, y, dy, structure), full_matrix(structure)
    own = system.motion.chains[0].velocities.ravel()
    scale = np.abs(expected - np.eye(expected.shape[0])).max()
    np.testing.assert_allclose(matrix[own], expected[own], atol=2e-5 * scale)
    # Rows of wheels and mechanism come from their columns, also those of the links that stand in the border.
    others = np.setdiff1d(structure.border, own)
    rows = expected[np.ix_(others, own)]
    assert np.abs(rows).max() > 0.0
    if friction == 0.0:
        np.testing.assert_allclose(matrix[np.ix_(others, own)], rows, atol=2e-3 * np.abs(rows).max())
    np.testing.assert_allclose(matrix[np.ix_(others, others)], expected[np.ix_(others, others)], atol=1e-6 * scale)
    # One evaluation at the state itself, and one for each of these.
    assert spent == 1 + others.size


@pytest.mark.long
def test_pins_in_the_middle_of_their_bushes_are_as_stiff_in_every_direction():
    """As placed, forces have no direction there, and directions from rounding must not count."""
    system, y, dy = moving("link", 0.0)
    y[:] = system.state
    system.kernels.begin(0.0, y, system.parameters)
    system.kernels.rhs(0.0, y, dy, system.parameters)
    pin = system.parameters.pin
    assert np.count_nonzero(pin.penetration < 1e-18) > 5
    matrix = full_matrix(filled(system, y, dy)[0])
    assert np.isfinite(matrix).all()
    p, link = system.parameters, 14  # in a span
    pull = SCALE * FOLLOW * p.joint.stiffness[link] * p.body.inverse_mass[link]
    for direction in range(2):
        own, before, behind = (system.motion.chains[0].velocities[link + d, direction] for d in (0, -1, 1))
        np.testing.assert_allclose(matrix[own, [own, before, behind]], [1.0 + 2.0 * pull, -pull, -pull], rtol=1e-12)


def test_links_of_the_border_turn_wheels():
    # Rollers are counted so that those of the border are in a span: counted on until one that is pressed is the last.
    system, y, dy = moving("roller", 0.0)
    n, links, planar = system.positions, len(system.motion.chains[0].velocities), system.parameters.planar
    pressed = int(np.argmax(planar.contact.force[: planar.used.slots[0]]))
    run = int(np.flatnonzero(planar.segment.slot[: planar.used.segments[0]] <= pressed)[-1])
    roller = int(planar.segment.first[run]) + pressed - int(planar.segment.slot[run])
    for first in (0, links, n, n + links):
        y[first : first + links] = np.roll(y[first : first + links], links - 1 - roller)
    system.kernels.begin(0.0, y, system.parameters)
    system.kernels.rhs(0.0, y, dy, system.parameters)
    structure, _ = filled(system, y, dy)
    own = system.motion.chains[0].velocities.ravel()
    wheels, beside = np.setdiff1d(structure.border, own), np.intersect1d(structure.border, own)
    expected = by_differences(system, y, dy, structure)[np.ix_(wheels, beside)]
    assert np.abs(expected).max() > 0.0
    found = full_matrix(structure)[np.ix_(wheels, beside)]
    np.testing.assert_allclose(found, expected, atol=2e-3 * np.abs(expected).max())


@pytest.mark.parametrize(("kind", "friction", "links"), [("roller", 0.1, 35), ("link", 0.1, 34), ("roller", 0.0, 34)])
def test_the_blocks_are_solved_as_a_dense_matrix(kind, friction, links):
    # An odd number of links in blocks of two leaves three to the border.
    structure, _ = filled(*moving(kind, friction, links))
    matrix = full_matrix(structure)
    right = np.random.default_rng(1).normal(size=matrix.shape[0])
    assert factorise(structure)
    solution = right.copy()
    solve(structure, right, solution)
    exact = np.linalg.solve(matrix, right)
    np.testing.assert_allclose(solution[structure.solved], exact[structure.solved], rtol=1e-9, atol=1e-12)


def test_a_singular_equation_is_told():
    structure, _ = filled(*moving("roller", 0.0))
    structure.diagonal[7, 1] = structure.upper[7, 1] = structure.lower[7, 1] = 0.0
    structure.right[7, 1] = 0.0
    assert not factorise(structure)
    assert structure.fault[0] == structure.chain[7, 0]
