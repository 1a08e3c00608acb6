"""Inputs that are written into the wheels, bodies and tensioners of a drive between steps (``contract.inputs``)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from chaindrive.contract.inputs import FREE_LOAD, INPUT_COLUMNS, POSITION, SPEED, Input
from chaindrive.contract.states import FloatArray
from chaindrive.mechanism import motion as motions
from chaindrive.mechanism.element_kernels import Elements
from chaindrive.mechanism.tree_kernels import PRISMATIC, REVOLUTE, Tree
from chaindrive.model.torques.acting import INPUT

__all__ = ["mechanism_inputs", "torque_inputs", "wheel_inputs"]

UNITS = {REVOLUTE: ("N m", "rad"), PRISMATIC: ("N", "m")}
"""Units of force and coordinate for each kind of joint."""


def torque_inputs(
    p: Any, names: Sequence[str], positions: Sequence[int], speeds: Sequence[int], group: str = "wheels"
) -> tuple[Input, ...]:
    """Return the input torques on wheels with these names, whose angles and speeds are at these indices of the state,
    (W,).

    p has ``running``, ``torque`` and ``torque_table``.
    """
    return tuple(
        Input(group, names[w], "torque", "N m", FREE_LOAD, _cell(p.torque_table, p.torque, k), positions[w], speeds[w])
        for w in range(len(names))
        for k in range(p.running.first[w], p.running.end[w])
        if p.torque.kind[k] == INPUT
    )


def _cell(table: FloatArray, rows: Any, k: int) -> FloatArray:
    """Return the row of a table of loads, torques or motions that belongs to input k of these rows."""
    cell: FloatArray = table[rows.rows[k], :INPUT_COLUMNS]
    return cell


def wheel_inputs(
    p: Any, kinds: ArrayLike, names: Sequence[str], positions: Sequence[int], speeds: Sequence[int]
) -> tuple[Input, ...]:
    """Return the input torques on wheels, and the speeds of wheels whose motion is an input.

    kinds (W,): values of ``MotionKind``. p also has ``motion`` and ``motion_table``.
    """
    followed = np.flatnonzero(np.asarray(kinds) == motions.INPUT)
    return torque_inputs(p, names, positions, speeds) + tuple(
        Input("wheels", names[w], "speed", "rad/s", SPEED, _cell(p.motion_table, p.motion, w), positions[w], speeds[w])
        for w in followed.tolist()
    )


def mechanism_inputs(
    tree: Tree, elements: Elements, names: tuple[Sequence[str], Sequence[str]], places: tuple[int, int]
) -> tuple[Input, ...]:
    """Return those forces on joints of bodies, motions of joints, and supply pressures of tensioners that are inputs.

    names: of the bodies and of the tensioners; places: indices in the state of the first joint coordinate and its
    speed.
    """
    bodies, tensioners = names
    given = np.flatnonzero(elements.supply.given).tolist()
    cells = [_cell(elements.supply_table, elements.supply, k) for k in given]
    return tuple(_joint_inputs(tree, bodies, places)) + tuple(
        Input("tensioners", tensioners[k], "supply_pressure", "Pa", FREE_LOAD, cell)
        for k, cell in zip(given, cells, strict=True)
    )


def _joint_inputs(tree: Tree, names: Sequence[str], places: tuple[int, int]) -> Iterator[Input]:
    """Yield the force on the joint of every body, and the motion of the joint, if they are inputs."""
    loads = {int(tree.load.coordinate[k]): int(k) for k in np.flatnonzero(tree.load.given)}
    for b, name in enumerate(names):
        j, (force, way) = int(tree.body.coordinate[b]), UNITS.get(int(tree.body.joint[b]), ("", ""))
        place = places[0] + j, places[1] + j
        if j in loads:
            yield Input("bodies", name, "force", force, FREE_LOAD, _cell(tree.load_table, tree.load, loads[j]), *place)
        if tree.body.motion[b] == motions.INPUT:
            yield Input("bodies", name, "position", way, POSITION, _cell(tree.motion_table, tree.motion, j), *place)
