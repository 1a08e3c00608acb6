"""A mechanism without a chain as a system that the solvers run: pendulums, carriages, tensioner arms by themselves.

State with J joint coordinates, n_q = J, and H oil chambers:

    q = [coordinate(J)],  v = dq/dt,  w = [work integrals (WORKS) | chamber pressures (H)]
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from chaindrive.contract.channels import Channel, Kept
from chaindrive.contract.kernels import Kernels
from chaindrive.contract.motion import Motion
from chaindrive.contract.states import Kind
from chaindrive.contract.status import Accepted
from chaindrive.contract.system import System
from chaindrive.kernels import kernel
from chaindrive.mechanism.element_kernels import Elements, energy, forces, latch, start
from chaindrive.mechanism.elements import (
    ElementData,
    build_elements,
    element_limits,
    initial_pressures,
    joint_matrices,
)
from chaindrive.mechanism.tree import (
    FIXED,
    REVOLUTE,
    BodyData,
    Tree,
    build_tree,
    joint_kinds,
    joint_start,
    joint_stops,
    mass_matrix,
    stiffness_frequency,
)
from chaindrive.mechanism.tree_kernels import (
    FloatArray,
    assemble,
    clear,
    kinematics,
    load_joints,
    place,
    solve,
)
from chaindrive.mechanism.tree_reactions import energies, reactions

__all__ = ["WORKS", "Parameters", "alone"]

UNCHANGED, RHS_CHANGED = int(Accepted.UNCHANGED), int(Accepted.RHS_CHANGED)
WORK_INPUT, WORK_JOINT, WORK_TENSIONER = 0, 1, 2
WORKS = ("input", "joint", "tensioner")
"""Supplied by prescribed motions and loads over time; lost in dampers and end stops of the joints; lost in elements
between bodies. [J]"""

N_WORKS = len(WORKS)


class Parameters(NamedTuple):
    """Parameters of the kernels, and their scratch arrays. B bodies, T elements."""

    tree: Tree
    elements: Elements
    gravity_x: float
    gravity_y: float
    joint_force: FloatArray
    """(B, 2) scratch of ``record``"""
    joint_moment: FloatArray
    """(B,) scratch of ``record``"""
    derivative: FloatArray
    """(states,) for evaluations by ``record`` and ``begin``"""
    # memory
    start_energy: FloatArray
    """(1,) energy at the start of the audit [J]"""
    latch: FloatArray
    """(T,) the array of the same name in ``elements``"""


@kernel
def rhs(t, y, dy, p):
    """Derivative of the state (contract/kernels.py)."""
    tree = p.tree
    n = tree.joints
    kinematics(y, 0, n, tree)
    clear(tree, p.gravity_x, p.gravity_y)
    load_joints(t, tree)
    heat = forces(t, y, 2 * n + N_WORKS, dy, tree, p.elements)
    lost = assemble(y, 0, n, tree)
    supplied = solve(t, y, 0, n, tree, dy)
    for j in range(n):
        dy[j] = y[n + j]
    dy[2 * n + WORK_INPUT] = supplied
    dy[2 * n + WORK_JOINT] = lost
    dy[2 * n + WORK_TENSIONER] = heat


@kernel
def accept(t, y, p):
    """Move ratchets on; Accepted.RHS_CHANGED when one has, else Accepted.UNCHANGED."""
    return RHS_CHANGED if latch(p.elements) else UNCHANGED


@kernel
def begin(t, y, p):
    """Set ratchets to where they are, and store the energy at the start of the audit; Accepted.UNCHANGED."""
    rhs(t, y, p.derivative, p)
    start(p.elements)
    p.start_energy[0] = 0.0
    p.start_energy[0] = _residual(y, p)
    return 0


@kernel
def _energies(y, p):
    """Kinetic, elastic and gravity energy of bodies and elements. [J]"""
    kinetic, elastic, gravity = energies(p.tree, y, 0, p.tree.joints, p.gravity_x, p.gravity_y)
    return kinetic, elastic + energy(p.elements), gravity


@kernel
def _residual(y, p):
    """Energy that the audit cannot account for. [J]"""
    kinetic, elastic, gravity = _energies(y, p)
    at = 2 * p.tree.joints
    lost = y[at + WORK_JOINT] + y[at + WORK_TENSIONER]
    return kinetic + elastic + gravity - p.start_energy[0] - y[at + WORK_INPUT] + lost


@kernel
def record(t, y, p, row):
    """Write all channels at (t, y) into row, in the order of ``_channels``."""
    tree = p.tree
    n, count = tree.joints, tree.bodies
    rhs(t, y, p.derivative, p)
    reactions(tree, p.joint_force, p.joint_moment)
    for b in range(count):
        j = tree.body.coordinate[b]
        row[b], row[count + b] = 0.0, 0.0
        if j >= 0:
            row[b], row[count + b] = y[j], y[n + j]
        row[2 * count + 2 * b], row[2 * count + 2 * b + 1] = p.joint_force[b, 0], p.joint_force[b, 1]
        row[4 * count + b] = p.joint_moment[b]
        px, py, _, _ = place(tree, b, tree.body.centre_x[b], tree.body.centre_y[b])
        row[5 * count + 2 * b], row[5 * count + 2 * b + 1] = px, py
        row[7 * count + b] = tree.frame.angle[b]
    at = 8 * count
    for k in range(p.elements.count):
        row[at + k] = p.elements.state.length[k]
        row[at + p.elements.count + k] = p.elements.state.force[k]
        row[at + 2 * p.elements.count + k] = p.elements.state.pressure[k]
    at += 3 * p.elements.count
    for k in range(N_WORKS):
        row[at + k], row[at + N_WORKS + k] = p.derivative[2 * n + k], y[2 * n + k]
    at += 2 * N_WORKS
    row[at], row[at + 1], row[at + 2] = _energies(y, p)
    row[at + 3] = _residual(y, p)


def _channels(bodies: int, elements: int) -> tuple[Channel, ...]:
    table: list[tuple[str, tuple[str, ...], str, str]] = [
        ("joint_position", ("body",), "m or rad", "coordinate of the joint of every body, 0 for a fixed one"),
        ("joint_speed", ("body",), "m/s or rad/s", "its rate"),
        ("joint_force", ("body", "axis"), "N", "force of every body on its parent, through its joint"),
        ("joint_moment", ("body",), "N m", "moment of every body on its parent, about the joint's point"),
        ("body_position", ("body", "axis"), "m", "centre of mass"),
        ("body_angle", ("body",), "rad", "turned since the reference configuration"),
        ("tensioner_position", ("tensioner",), "m", "length of the element"),
        ("tensioner_force", ("tensioner",), "N", "force of the element, pushing its ends apart"),
        ("tensioner_pressure", ("tensioner",), "Pa", "in its chamber, above atmospheric; 0 without"),
    ]
    table += [(f"power_{name}", (), "W", _WORK_TEXT[name]) for name in WORKS]
    table += [(f"work_{name}", (), "J", _WORK_TEXT[name] + ", integrated along") for name in WORKS]
    table += [
        ("energy_kinetic", (), "J", "of the bodies"),
        ("energy_elastic", (), "J", "of springs, stops and constant loads"),
        ("energy_gravity", (), "J", "of the bodies, zero at the global origin"),
        ("energy_residual", (), "J", "what the audit cannot account for: stored - start - input + losses"),
    ]
    made: list[Channel] = []
    offset = 0
    for name, dims, unit, text in table:
        shape = tuple({"body": bodies, "axis": 2, "tensioner": elements}[d] for d in dims)
        if 0 not in shape:
            kept: Kept = "always" if name.startswith(("work_", "energy_")) else "standard"
            made.append(Channel(name, dims, unit, text, offset, shape, kept))
            offset += made[-1].size
    return tuple(made)


_WORK_TEXT = {
    "input": "supplied by prescribed motions and loads over time",
    "joint": "lost in dampers and stops of the joints",
    "tensioner": "lost in elements between bodies",
}


def alone(
    bodies: Sequence[BodyData],
    gravity: tuple[float, float] = (0.0, 0.0),
    position: Sequence[float] | None = None,
    speed: Sequence[float] | None = None,
    names: Sequence[str] | None = None,
    elements: Sequence[ElementData] = (),
) -> System:
    """The system of a mechanism in gravity [m/s^2], released at joint coordinates and speeds (J,) each. [m, rad, s]

    position, speed: None starts in the reference configuration at rest, or where prescribed motions start. names: of
    the bodies. elements: springs, dampers, ratchets and oil chambers between points of the bodies. Raises ValueError as
    ``build_tree`` and ``build_elements``, and when no joint moves.
    """
    tree = build_tree(bodies)
    n = tree.joints
    if n == 0:
        raise ValueError("a mechanism that moves needs a revolute or prismatic joint")
    built = build_elements(elements, tree)
    pressures = initial_pressures(built)
    state = np.concatenate([*joint_start(bodies), np.zeros(N_WORKS), pressures])
    if position is not None:
        state[:n] = position
    if speed is not None:
        state[n : 2 * n] = speed
    parameters = Parameters(
        tree=tree,
        elements=built,
        gravity_x=float(gravity[0]),
        gravity_y=float(gravity[1]),
        joint_force=np.zeros((tree.bodies, 2)),
        joint_moment=np.zeros(tree.bodies),
        derivative=np.zeros(len(state)),
        start_energy=np.zeros(1),
        latch=built.latch,
    )
    turning = [kind == REVOLUTE for kind in joint_kinds(tree)]
    kinds = [Kind.ANGLE if turns else Kind.LENGTH for turns in turning]
    kinds += [Kind.ANGULAR_SPEED if turns else Kind.SPEED for turns in turning]
    kinds += [Kind.WORK] * N_WORKS + [Kind.PRESSURE] * len(pressures)
    prescribed = np.array([body.motion is not None for body in bodies if body.joint != FIXED])
    system = System(
        kernels=Kernels(rhs, accept, record, begin),
        parameters=parameters,
        memory=("start_energy", "latch"),
        state=state,
        positions=n,
        kinds=np.array(kinds, dtype=np.int64),
        channels=_channels(tree.bodies, built.count),
        labels={
            "body": tuple(names or map(str, range(tree.bodies))),
            "tensioner": tuple(each.name for each in elements),
            "axis": ("x", "y"),
        },
        masses=np.where(prescribed, math.inf, mass_matrix(tree).diagonal()),
        motion=Motion(np.zeros(n), highest_frequency=_highest_frequency(tree, built), stops=joint_stops(bodies)),
    )
    begin(0.0, system.state, parameters)
    return system


def _highest_frequency(tree: Tree, elements: Elements) -> float:
    """What limits an explicit step, see Motion.highest_frequency. [rad/s]"""
    frequency, rate = stiffness_frequency(tree, (), *joint_matrices(elements, tree))
    return max(rate + math.hypot(rate, frequency), element_limits(elements).rate.max(initial=0.0))
