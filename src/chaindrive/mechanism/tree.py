"""Bodies in a tree of joints: conversion of plain numbers into the arrays that the kernels read.

The kernels are in ``tree_kernels`` (equations of motion) and ``tree_reactions`` (joint forces, energies); both can be
imported from here.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from chaindrive.kernels.tables import blank
from chaindrive.mechanism import motion as motions
from chaindrive.mechanism.loads import Loads, pack_loads
from chaindrive.mechanism.motion import Motion
from chaindrive.mechanism.tree_kernels import (
    FIXED,
    GROUND,
    PRISMATIC,
    REVOLUTE,
    Bodies,
    Composites,
    FloatArray,
    Frames,
    IntArray,
    Tree,
    Unbalanced,
    Wrenches,
    add_mass,
    apply_force,
    assemble,
    bias,
    clear,
    couple,
    couple_prescribed,
    kinematics,
    load_joints,
    outer,
    place,
    point_jacobian,
    solve,
    stick_bodies,
)
from chaindrive.mechanism.tree_reactions import energies, reactions, unbalanced_acceleration
from chaindrive.physics.elastic_friction import settling_damping

if TYPE_CHECKING:
    from chaindrive.model.load_over_time import LoadRow

__all__ = [
    "FIXED",
    "GROUND",
    "PRISMATIC",
    "REVOLUTE",
    "BodyData",
    "PointMass",
    "Tree",
    "add_mass",
    "apply_force",
    "assemble",
    "bias",
    "build_tree",
    "clear",
    "couple",
    "couple_prescribed",
    "energies",
    "joint_kinds",
    "joint_start",
    "joint_stops",
    "kinematics",
    "load_joints",
    "mass_matrix",
    "outer",
    "place",
    "point_rates",
    "reactions",
    "solve",
    "stick_bodies",
    "sticking_joints",
    "stiffness_frequency",
    "unbalanced_acceleration",
]

SMALLEST_PIVOT = 1e-12
"""Smallest pivot of a mass matrix scaled to a unit diagonal; if a pivot is smaller, some motion of the mechanism moves
no mass. [-]
"""


class BodyData(NamedTuple):
    """One body and the joint that holds it to its parent, in SI units.

    All positions are global, in the reference configuration.
    """

    parent: int = GROUND
    """Index of the parent body, or GROUND"""
    joint: int = FIXED
    """FIXED, REVOLUTE or PRISMATIC"""
    mass: float = 0.0
    inertia: float = 0.0
    """Moment of inertia about the centre of mass"""
    centre: tuple[float, float] = (0.0, 0.0)
    """Centre of mass"""
    position: tuple[float, float] = (0.0, 0.0)
    """Position of the joint, which is the origin of the frame of the body"""
    direction: tuple[float, float] = (1.0, 0.0)
    """Direction of a prismatic joint, a vector of any length but zero"""
    stiffness: float = 0.0
    """Stiffness of the joint's own spring. Units here and below are N and m for a prismatic joint, N m and rad for a
    revolute joint
    """
    damping: float = 0.0
    neutral: float = 0.0
    """Coordinate at which the spring is unloaded"""
    load: float = 0.0
    """Constant force or torque in the positive direction"""
    loads: Sequence[LoadRow] = ()
    """Additional loads, which change over time"""
    lower: float = -math.inf
    upper: float = math.inf
    """End stops"""
    stop_stiffness: float = 0.0
    stop_damping: float = 0.0
    friction: float = 0.0
    """Coulomb friction of the joint"""
    friction_rate: float = 1.0
    """Rate at which smoothed friction has 76 % of its full value"""
    friction_yield: float = 0.0
    """Displacement beyond which elastic friction slides; 0: friction is always smoothed"""
    motion: Motion | None = None
    """Prescribed motion (``motion.move``, ``motion.harmonic``, ``joint_motions.position_table``)"""


OWN_NUMBERS = (
    *("mass", "inertia", "stiffness", "damping", "neutral", "load", "lower", "upper"),
    *("stop_stiffness", "stop_damping", "friction", "friction_rate"),
)
"""Fields of ``BodyData`` that kernels read unchanged."""


class PointMass(NamedTuple):
    """A mass carried by a body, for the mass matrix in the reference configuration."""

    body: int
    position: tuple[float, float]
    """Global position in the reference configuration [m]"""
    mass: float
    """[kg]"""


def build_tree(bodies: Sequence[BodyData], point_masses: Sequence[PointMass] = (), wheels: int = 0) -> Tree:
    """Return the tree of bodies; each keeps its index, and joint coordinates are numbered in the order of the bodies.

    point_masses: masses carried by bodies, used only to check that every joint moves some mass; wheels: the largest
    number passed to ``couple`` or ``couple_prescribed``. Raises ValueError with one line for each error: unknown
    parents, cycles, joints without a direction, stops in the wrong order, negative masses, motions without mass.
    """
    problems = [text for b, body in enumerate(bodies) for text in _body_problems(b, body, len(bodies))]
    if problems:
        raise ValueError("\n".join(problems))
    order = _order(bodies)
    moving = [b for b, body in enumerate(bodies) if body.joint != FIXED]
    table = blank(Bodies, len(bodies))
    packed = motions.pack([bodies[b].motion for b in moving], np.zeros(len(moving)))
    table.coordinate[:], table.order[:] = -1, order
    table.coordinate[moving] = np.arange(len(moving))
    table.motion[moving] = packed.kinds
    for b, body in enumerate(bodies):
        table.parent[b], table.joint[b] = body.parent, body.joint
        origin = np.asarray(bodies[body.parent].position if body.parent >= 0 else (0.0, 0.0))
        table.joint_x[b], table.joint_y[b] = np.asarray(body.position) - origin
        table.centre_x[b], table.centre_y[b] = np.asarray(body.centre) - np.asarray(body.position)
        table.direction_x[b], table.direction_y[b] = np.asarray(body.direction) / math.hypot(*body.direction)
        for name in OWN_NUMBERS:
            getattr(table, name)[b] = getattr(body, name)
        table.sticking[b] = body.friction / body.friction_yield if body.friction_yield > 0.0 else 0.0
    loads = pack_loads([(j, load) for j, b in enumerate(moving) for load in bodies[b].loads])
    tree = _tree(table, packed, loads, wheels)
    if moving:
        _check_mass(tree, point_masses)
    return tree


def _tree(body: Bodies, packed: motions.Motions, loads: Loads, wheels: int) -> Tree:
    b, j = len(body.mass), len(packed.kinds)
    unbalanced = blank(Unbalanced, wheels)
    unbalanced.body[:] = GROUND
    return Tree(
        bodies=b,
        joints=j,
        elastic=False,
        body=body,
        motion=packed.rows,
        motion_table=packed.table,
        load=loads.rows,
        load_table=loads.table,
        anchor=np.zeros(b),
        applied=np.zeros(j),
        frame=blank(Frames, b),
        wrench=blank(Wrenches, b),
        composite=blank(Composites, b),
        mass=np.zeros((j, j)),
        factor=np.zeros((j, j)),
        force=np.zeros(j),
        acceleration=np.zeros(j),
        motion_force=np.zeros(j),
        coupling=np.zeros((wheels, j)),
        unbalanced=unbalanced,
    )


def _body_problems(b: int, body: BodyData, count: int) -> list[str]:
    """Return the problems of a single body."""
    found = []
    if not (body.parent == GROUND or 0 <= body.parent < count):
        found.append(f"body {b}: its parent {body.parent} does not exist; there are bodies 0 to {count - 1}")
    if body.joint not in (FIXED, REVOLUTE, PRISMATIC):
        found.append(f"body {b}: joint {body.joint} is not one of fixed (0), revolute (1), prismatic (2)")
    for name in ("mass", "inertia", "stop_stiffness", "stop_damping", "friction", "friction_yield"):
        if not getattr(body, name) >= 0.0:
            found.append(f"body {b}: {name} {getattr(body, name)!r} is below zero")
    if not math.hypot(*body.direction) > 0.0:
        found.append(f"body {b}: the direction {body.direction!r} has no length")
    if not body.friction_rate > 0.0:
        found.append(f"body {b}: friction_rate {body.friction_rate!r} is not above zero")
    if not body.lower < body.upper:
        found.append(f"body {b}: the lower end stop {body.lower!r} is not below the upper one {body.upper!r}")
    if body.joint == FIXED and body.motion is not None:
        found.append(f"body {b}: a fixed joint cannot have a motion")
    if body.joint == FIXED and body.loads:
        found.append(f"body {b}: a fixed joint cannot have a load")
    return found


def _order(bodies: Sequence[BodyData]) -> list[int]:
    """Return the indices of the bodies, with every parent before its children. Raises ValueError if there is a
    cycle.
    """
    order: list[int] = []
    placed = {GROUND}
    waiting = list(range(len(bodies)))
    while waiting:
        ready = [b for b in waiting if bodies[b].parent in placed]
        if not ready:
            raise ValueError(
                f"bodies {waiting}: each of them is supported by one of the others, and none by the ground"
            )
        order += ready
        placed.update(ready)
        waiting = [b for b in waiting if b not in placed]
    return order


def mass_matrix(tree: Tree, point_masses: Sequence[PointMass] = ()) -> FloatArray:
    """Return the mass matrix in the reference configuration, with point masses carried by bodies, shape (J, J).

    [kg, kg m, kg m^2]
    """
    if not tree.joints:
        return np.zeros((0, 0))
    y = np.zeros(2 * tree.joints)
    kinematics(y, 0, tree.joints, tree)
    clear(tree, 0.0, 0.0)
    for mass in point_masses:
        add_mass(tree, mass.body, float(mass.position[0]), float(mass.position[1]), float(mass.mass))
    assemble(y, 0, tree.joints, tree)
    return tree.mass.copy()


def _free(tree: Tree) -> IntArray:
    """Return the coordinates without a prescribed motion."""
    moving = tree.body.coordinate >= 0
    return tree.body.coordinate[moving & (tree.body.motion == motions.FREE)]


def _check_mass(tree: Tree, point_masses: Sequence[PointMass]) -> None:
    """Raise ValueError if some motion of free joints moves no mass in the reference configuration."""
    free = _free(tree)
    mass = mass_matrix(tree, point_masses)[np.ix_(free, free)]
    bodies = [int(np.flatnonzero(tree.body.coordinate == j)[0]) for j in free]
    nothing = [b for b, m in zip(bodies, mass.diagonal(), strict=True) if not m > 0.0]
    if nothing:
        raise ValueError(
            f"bodies {nothing}: their joints move no mass; give a mass or inertia to these bodies, or to what they "
            "support"
        )
    scale = 1.0 / np.sqrt(mass.diagonal())
    if len(free) and np.linalg.eigvalsh(mass * np.outer(scale, scale))[0] < SMALLEST_PIVOT:
        raise ValueError(
            f"bodies {bodies}: a combined motion of their joints moves no mass; give a mass or an inertia to the "
            "outer ones"
        )


def point_rates(tree: Tree, body: int, position: tuple[float, float]) -> FloatArray:
    """Return the velocity of a point of a body for a unit speed of every joint, (2, J).

    The position is global, in the reference configuration.
    """
    kinematics(np.zeros(2 * tree.joints), 0, tree.joints, tree)
    rates = np.zeros((2, tree.joints))
    while body >= 0:
        j = tree.body.coordinate[body]
        if j >= 0:
            rates[:, j] = point_jacobian(tree, body, float(position[0]), float(position[1]))
        body = int(tree.body.parent[body])
    return rates


def stiffness_frequency(
    tree: Tree,
    point_masses: Sequence[PointMass] = (),
    stiffness: FloatArray | None = None,
    damping: FloatArray | None = None,
) -> tuple[float, float]:
    """Return the highest undamped angular frequency [rad/s] and the highest damping rate [1/s] of the free joints' own
    springs.

    They follow from M^-1 K and M^-1 C in the reference configuration, with end stops closed and friction at its
    steepest, excluding elastic friction (``sticking_joints``). (0, 0) without free joints. stiffness, damping:
    additional matrices, (J, J), such as k n n^T with n = u . ``point_rates`` for a spring k along u.
    """
    from scipy.linalg import eigh

    free = _free(tree)
    if not len(free):
        return 0.0, 0.0
    moving = tree.body.coordinate >= 0
    order = np.flatnonzero(moving)[np.argsort(tree.body.coordinate[moving])]
    body = Bodies(*(column[order] for column in tree.body))
    mass = mass_matrix(tree, point_masses)[np.ix_(free, free)]

    def largest(own: FloatArray, more: FloatArray | None) -> float:
        matrix = np.diag(own)
        if more is not None:
            matrix += more
        return max(0.0, float(eigh(matrix[np.ix_(free, free)], mass, eigvals_only=True)[-1]))

    springs = body.stiffness + body.stop_stiffness
    smoothed = body.friction * ((body.sticking == 0.0) | (not tree.elastic))
    dampers = body.damping + body.stop_damping + smoothed / body.friction_rate
    return math.sqrt(largest(springs, stiffness)), largest(dampers, damping)


STICKING_SHARE = 0.1
"""Largest frequency of a body on the springs of elastic friction, as a fraction of the frequency of the links. It is
low enough for steps to resolve the spring and its damper, 2 w. [-]
"""


def sticking_joints(tree: Tree, point_masses: Sequence[PointMass], frequency: float) -> Tree:
    """Return the tree with elastic friction in its joints: the springs are stiff, but not so stiff that they shorten a
    step.

    frequency: of the links, which determines the step size [rad/s]. A damper in parallel with each spring lets the mass
    that the joint moves while the other joints are free, 1/(M^-1)_jj, settle. Joints with a prescribed motion do not
    oscillate.
    """
    body, free = tree.body, _free(tree)
    moved = np.zeros(tree.joints)
    if len(free):
        moved[free] = 1.0 / np.linalg.inv(mass_matrix(tree, point_masses)[np.ix_(free, free)]).diagonal()
    for b in np.flatnonzero(body.sticking > 0.0):
        mass = moved[body.coordinate[b]]
        if mass > 0.0:
            body.sticking[b] = min(body.sticking[b], (STICKING_SHARE * frequency) ** 2 * mass)
        body.settling[b] = settling_damping(float(body.sticking[b]), float(mass))
    return tree._replace(elastic=bool(body.sticking.any()))


def joint_kinds(tree: Tree) -> tuple[int, ...]:
    """Return REVOLUTE or PRISMATIC for every coordinate."""
    moving = np.flatnonzero(tree.body.coordinate >= 0)
    return tuple(int(kind) for kind in tree.body.joint[moving])


def joint_stops(bodies: Sequence[BodyData]) -> FloatArray:
    """Return the instants after the start at which the acceleration of a prescribed joint, or a time-dependent load,
    has a kink. [s]
    """
    moved = [body.motion.stops for body in bodies if body.motion is not None]
    loaded = [load.stops for body in bodies for load in body.loads]
    return np.array(sorted({t for stops in moved + loaded for t in stops if t > 0.0}))


def joint_start(bodies: Sequence[BodyData]) -> tuple[FloatArray, FloatArray]:
    """Return the coordinates [m or rad] and their speeds at the start of a run, (J,) each; zero unless a motion
    prescribes other values.
    """
    given = [body.motion for body in bodies if body.joint != FIXED]
    coordinates = [motion.initial_coordinate if motion is not None else 0.0 for motion in given]
    speeds = [motion.initial_speed if motion is not None else 0.0 for motion in given]
    return np.array(coordinates, dtype=float), np.array(speeds, dtype=float)
