"""A mechanism without a chain as a system that the solvers run: pendulums, carriages, tensioner arms by themselves.

State with J joint coordinates, n_q = J:

    q = [coordinate(J)],  v = dq/dt,  w = work integrals (WORKS)
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from chaindrive.kernels import kernel
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
    ANGLE,
    CENTRE_X,
    CENTRE_Y,
    COORDINATE,
    FloatArray,
    assemble,
    clear,
    kinematics,
    place,
    solve,
)
from chaindrive.mechanism.tree_reactions import energies, reactions
from chaindrive.system import Channel, Kernels, Kind, System

__all__ = ["WORKS", "Parameters", "alone"]

WORK_INPUT, WORK_JOINT = 0, 1
WORKS = ("input", "joint")
"""Supplied by prescribed motions; lost in dampers and end stops of the joints. [J]"""


class Parameters(NamedTuple):
    """What the kernels read, and their scratch. B bodies."""

    tree: Tree
    gravity_x: float
    gravity_y: float
    joint_force: FloatArray
    """(B, 2) scratch of ``record``"""
    joint_moment: FloatArray
    """(B,) scratch of ``record``"""
    derivative: FloatArray
    """(states,) for evaluations by ``record`` and ``begin``"""
    start_energy: FloatArray
    """(1,) memory: what the audit starts from [J]"""


@kernel
def rhs(t, y, dy, p):
    """Derivative of the state (system.py)."""
    tree = p.tree
    n = tree.joints
    kinematics(y, 0, n, tree)
    clear(tree, p.gravity_x, p.gravity_y)
    lost = assemble(y, 0, n, tree)
    supplied = solve(t, y, 0, n, tree, dy)
    for j in range(n):
        dy[j] = y[n + j]
    dy[2 * n + WORK_INPUT] = supplied
    dy[2 * n + WORK_JOINT] = lost


@kernel
def accept(t, y, p):
    """Nothing is remembered: Accepted.UNCHANGED."""
    return 0


@kernel
def begin(t, y, p):
    """Store the energy that the audit starts from, less what has been supplied and plus what has been lost."""
    rhs(t, y, p.derivative, p)
    p.start_energy[0] = 0.0
    p.start_energy[0] = _residual(y, p)
    return 0


@kernel
def _residual(y, p):
    """Energy that the audit cannot account for. [J]"""
    n = p.tree.joints
    kinetic, elastic, gravity = energies(p.tree, y, 0, n, p.gravity_x, p.gravity_y)
    return kinetic + elastic + gravity - p.start_energy[0] - y[2 * n + WORK_INPUT] + y[2 * n + WORK_JOINT]


@kernel
def record(t, y, p, row):
    """Write all channels at (t, y) into row, in the order of ``_channels``."""
    tree = p.tree
    n, count = tree.joints, tree.bodies
    rhs(t, y, p.derivative, p)
    reactions(tree, p.joint_force, p.joint_moment)
    for b in range(count):
        j = tree.index[b, COORDINATE]
        row[b], row[count + b] = 0.0, 0.0
        if j >= 0:
            row[b], row[count + b] = y[j], y[n + j]
        row[2 * count + 2 * b], row[2 * count + 2 * b + 1] = p.joint_force[b, 0], p.joint_force[b, 1]
        row[4 * count + b] = p.joint_moment[b]
        px, py, _, _ = place(tree, b, tree.body[b, CENTRE_X], tree.body[b, CENTRE_Y])
        row[5 * count + 2 * b], row[5 * count + 2 * b + 1] = px, py
        row[7 * count + b] = tree.frame[b, ANGLE]
    at = 8 * count
    for k in range(2):
        row[at + k], row[at + 2 + k] = p.derivative[2 * n + k], y[2 * n + k]
    row[at + 4], row[at + 5], row[at + 6] = energies(tree, y, 0, n, p.gravity_x, p.gravity_y)
    row[at + 7] = _residual(y, p)


def _channels(b: int) -> tuple[Channel, ...]:
    table: list[tuple[str, tuple[str, ...], str, str]] = [
        ("joint_position", ("body",), "m or rad", "coordinate of the joint of every body, 0 for a fixed one"),
        ("joint_speed", ("body",), "m/s or rad/s", "its rate"),
        ("joint_force", ("body", "axis"), "N", "force of every body on its parent, through its joint"),
        ("joint_moment", ("body",), "N m", "moment of every body on its parent, about the joint's point"),
        ("body_position", ("body", "axis"), "m", "centre of mass"),
        ("body_angle", ("body",), "rad", "turned since the drawing position"),
        ("power_input", (), "W", "supplied by prescribed motions"),
        ("power_joint", (), "W", "lost in dampers and stops of the joints"),
        ("work_input", (), "J", "supplied by prescribed motions, integrated along"),
        ("work_joint", (), "J", "lost in dampers and stops of the joints, integrated along"),
        ("energy_kinetic", (), "J", "of the bodies"),
        ("energy_elastic", (), "J", "of springs, stops and constant loads of the joints"),
        ("energy_gravity", (), "J", "of the bodies, zero at the global origin"),
        ("energy_residual", (), "J", "what the audit cannot account for: stored - start - input + losses"),
    ]
    made: list[Channel] = []
    offset = 0
    for name, dims, unit, text in table:
        shape = tuple({"body": b, "axis": 2}[d] for d in dims)
        made.append(Channel(name, dims, unit, text, offset, shape))
        offset += made[-1].size
    return tuple(made)


def alone(
    bodies: Sequence[BodyData],
    gravity: tuple[float, float] = (0.0, 0.0),
    position: Sequence[float] | None = None,
    speed: Sequence[float] | None = None,
    names: Sequence[str] | None = None,
) -> System:
    """The system of a mechanism in gravity [m/s^2], released at joint coordinates and speeds (J,) each. [m, rad, s]

    position, speed: None starts in the drawing position at rest, or where prescribed motions start. names: of the
    bodies. Raises ValueError as ``build_tree``, and when no joint moves.
    """
    tree = build_tree(bodies)
    n = tree.joints
    if n == 0:
        raise ValueError("a mechanism that moves needs a revolute or prismatic joint")
    state = np.zeros(2 * n + len(WORKS))
    state[:n], state[n : 2 * n] = joint_start(bodies)
    if position is not None:
        state[:n] = position
    if speed is not None:
        state[n : 2 * n] = speed
    parameters = Parameters(
        tree=tree,
        gravity_x=float(gravity[0]),
        gravity_y=float(gravity[1]),
        joint_force=np.zeros((tree.bodies, 2)),
        joint_moment=np.zeros(tree.bodies),
        derivative=np.zeros(len(state)),
        start_energy=np.zeros(1),
    )
    turning = [kind == REVOLUTE for kind in joint_kinds(tree)]
    kinds = [Kind.ANGLE if turns else Kind.LENGTH for turns in turning]
    kinds += [Kind.ANGULAR_SPEED if turns else Kind.SPEED for turns in turning]
    prescribed = np.array([body.motion is not None for body in bodies if body.joint != FIXED])
    frequency, rate = stiffness_frequency(tree)
    system = System(
        kernels=Kernels(rhs, accept, record, begin),
        parameters=parameters,
        memory=("start_energy",),
        state=state,
        rolling=np.zeros(n),
        positions=n,
        kinds=np.array(kinds + [Kind.WORK] * len(WORKS), dtype=np.int64),
        channels=_channels(tree.bodies),
        labels={"body": tuple(names or map(str, range(tree.bodies))), "axis": ("x", "y")},
        highest_frequency=rate + math.hypot(rate, frequency),
        stops=joint_stops(bodies),
        colours=np.full(n, -1),
        masses=np.where(prescribed, math.inf, mass_matrix(tree).diagonal()),
    )
    begin(0.0, system.state, parameters)
    return system
