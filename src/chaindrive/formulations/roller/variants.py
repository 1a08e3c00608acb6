"""The kernels of the formulation, compiled in two variants: everything on the ground, and carried by a mechanism.

A chain on wheels that turn about fixed centres is the common drive. Nothing of the mechanism is compiled for it, which
halves the time to its first result; a drive with bodies or tensioners compiles the other variant.
"""

from __future__ import annotations

import math

from chaindrive.formulations.roller.accept import acceptance, margin
from chaindrive.formulations.roller.begin import beginning
from chaindrive.formulations.roller.carriers import (
    Carrying,
    add_pushes,
    carried_accelerations,
    carried_frames,
    carried_moments,
    grounded_accelerations,
    grounded_frames,
    grounded_moments,
)
from chaindrive.formulations.roller.frequency import frequency
from chaindrive.formulations.roller.parameters import FRAME_X, FRAME_Y, INDEX_BODY, Parameters
from chaindrive.formulations.roller.record import balance, recording
from chaindrive.formulations.roller.rhs import evaluation
from chaindrive.formulations.roller.statics import (
    border_mass_of,
    forces_of,
    joint_stiffness,
    no_joint_stiffness,
    statics,
)
from chaindrive.kernels import kernel
from chaindrive.mechanism import element_kernels as elements
from chaindrive.mechanism import tree
from chaindrive.mechanism.tree_kernels import ANGLE, CENTRE_X, CENTRE_Y, COORDINATE, PARENT, reach
from chaindrive.system import Kernels, Statics

__all__ = ["CARRIED_KERNELS", "GROUNDED_KERNELS", "kernels_for", "statics_for"]


@kernel(inline=True)
def _no_pushes(p):
    """The bodies have needed them already."""


@kernel(inline=True)
def _grounded_centre(p, w):
    return 0.0, 0.0


@kernel(inner=True)
def _carried_centre(p, w):
    """Acceleration of the centre of wheel w in the last evaluation. [m/s^2]"""
    body = p.surface_index[w, INDEX_BODY]
    if body < 0:
        return 0.0, 0.0
    x, y = p.frame[w, FRAME_X], p.frame[w, FRAME_Y]
    ax, ay = tree.bias(p.tree, body, x, y)
    while body >= 0:
        j = p.tree.index[body, COORDINATE]
        if j >= 0:
            ux, uy = reach(p.tree, body, x, y)
            ax += ux * p.tree.acceleration[j]
            ay += uy * p.tree.acceleration[j]
        body = p.tree.index[body, PARENT]
    return ax, ay


@kernel(inline=True)
def _no_rows(y, p, row, at):
    return at


@kernel(inner=True)
def _carried_rows(y, p, row, at):
    """Channels of bodies and tensioners; returns where they end in the row."""
    bodies = p.tree.bodies
    if bodies > 0:
        joints = 2 * p.links + p.wheels
        tree.reactions(p.tree, p.joint_force, p.joint_moment)
        for b in range(bodies):
            j = p.tree.index[b, COORDINATE]
            row[at + b] = y[joints + j] if j >= 0 else 0.0
            row[at + bodies + b] = y[p.positions + joints + j] if j >= 0 else 0.0
            row[at + 2 * bodies + 2 * b] = p.joint_force[b, 0]
            row[at + 2 * bodies + 2 * b + 1] = p.joint_force[b, 1]
            row[at + 4 * bodies + b] = p.joint_moment[b]
            px, py, _, _ = tree.place(p.tree, b, p.tree.body[b, CENTRE_X], p.tree.body[b, CENTRE_Y])
            row[at + 5 * bodies + 2 * b], row[at + 5 * bodies + 2 * b + 1] = px, py
            row[at + 7 * bodies + b] = p.tree.frame[b, ANGLE]
        at += 8 * bodies
    count = p.elements.count
    for k in range(count):
        row[at + k] = p.elements.state[k, elements.LENGTH]
        row[at + count + k] = p.elements.state[k, elements.FORCE]
        chamber = p.elements.index[k, elements.PRESSURE_INDEX]
        row[at + 2 * count + k] = p.elements.state[k, elements.PRESSURE] if chamber >= 0 else math.nan
    return at + 3 * count


@kernel(inline=True)
def _no_energies(y, p):
    return 0.0, 0.0, 0.0


@kernel(inner=True)
def _carried_energies(y, p):
    """Kinetic, elastic and gravity energy of bodies and tensioners in the state evaluated last. [J]"""
    at = 2 * p.links + p.wheels
    kinetic, elastic, gravity = tree.energies(p.tree, y, at, p.positions, p.gravity_x, p.gravity_y)
    return kinetic, elastic + elements.energy(p.elements), gravity


@kernel(inline=True)
def _no_latch(p):
    return False


@kernel(inline=True)
def _latch(p):
    """Latch ratchets; whether any moved."""
    return elements.latch(p.elements) > 0


@kernel(inline=True)
def _no_start(p):
    return False


@kernel(inline=True)
def _start(p):
    """Set the latches anew; whether that may have changed forces."""
    if p.elements.count == 0:
        return False
    elements.start(p.elements)
    return True


GROUNDED = Carrying(
    frames=grounded_frames,
    accelerations=grounded_accelerations,
    pushes=add_pushes,
    centre_acceleration=_grounded_centre,
    rows=_no_rows,
    energies=_no_energies,
    latch=_no_latch,
    start=_no_start,
    moments=grounded_moments,
    joint_stiffness=no_joint_stiffness,
)
CARRIED = Carrying(
    frames=carried_frames,
    accelerations=carried_accelerations,
    pushes=_no_pushes,
    centre_acceleration=_carried_centre,
    rows=_carried_rows,
    energies=_carried_energies,
    latch=_latch,
    start=_start,
    moments=carried_moments,
    joint_stiffness=joint_stiffness,
)


def _kernels(carrying: Carrying) -> Kernels:
    rhs = evaluation(carrying.frames, carrying.accelerations)
    energies = balance(carrying.energies)
    return Kernels(
        rhs=rhs,
        accept=acceptance(carrying.latch),
        record=recording(rhs, energies, carrying),
        begin=beginning(rhs, energies, carrying),
        frequency=frequency,
        margin=margin,
        forces=forces_of(rhs, carrying),
        mass=border_mass_of(rhs) if carrying is CARRIED else None,
    )


GROUNDED_KERNELS, CARRIED_KERNELS = _kernels(GROUNDED), _kernels(CARRIED)
GROUNDED_STATICS, CARRIED_STATICS = statics(GROUNDED), statics(CARRIED)


def kernels_for(p: Parameters) -> Kernels:
    """The kernels for a drive with these parameters; nothing is compiled before it is called."""
    return CARRIED_KERNELS if p.tree.bodies or p.elements.count else GROUNDED_KERNELS


def statics_for(p: Parameters) -> Statics | None:
    """Those of its statics; None for a chain too short for a ``Bordered`` matrix."""
    if p.links < 3:
        return None
    return CARRIED_STATICS if p.tree.bodies or p.elements.count else GROUNDED_STATICS
