"""Elements that tension a chain, between points of two bodies of the tree: spring and damper, ratchet, hydraulic.

Every element acts along the line between its two points, with a force > 0 that pushes them apart. The laws stand in
``physics.tensioners``; here they meet bodies, state vector and memory. A hydraulic element has one state: the pressure
in its chamber above atmospheric [Pa]. A ratchet has a memory: the length at which its pawl holds now. It moves on at
accepted steps only (:func:`latch`).

Heat and work: what dampers and stops turn into heat counts as lost. So does all work done on the oil of a hydraulic
element (its compression, too, which comes back; what the oil pump supplies counts negative), so that the energy audit
closes without knowing what happens inside the oil.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.kernels import kernel
from chaindrive.mechanism.tree_kernels import apply_force, place
from chaindrive.physics.tensioners.hydraulic import (
    bulk_modulus,
    oil_pressure,
    pressure_rate,
    valve_flow,
)
from chaindrive.physics.tensioners.mechanical import (
    damping_force,
    ratchet_depth,
    ratchet_latch,
    spring_energy,
    spring_force,
    stop_energy,
    stop_force,
)

__all__ = ["Elements", "energy", "forces", "latch", "start"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

SPRING_DAMPER, HYDRAULIC = 0, 1

# Columns of Elements.index, int, one row an element
KIND = 0  # SPRING_DAMPER or HYDRAULIC
BODY_A, BODY_B = 1, 2  # bodies of its ends, -1 ground
PRESSURE_INDEX = 3  # which of the pressure states is its own, -1 none
RATCHET = 4  # 1 where it has a ratchet
INDEX_COLUMNS = 5

# Columns of Elements.value, float, one row an element
AX, AY, BX, BY = 0, 1, 2, 3  # its ends, in the frames of their bodies [m]
STIFFNESS, REFERENCE, PRELOAD = 4, 5, 6  # spring: F0 + k (L0 - L) [N/m, m, N]
DAMPING_EXTENSION, DAMPING_COMPRESSION = 7, 8  # [N s/m]
SHORTEST, LONGEST = 9, 10  # lengths at its end stops, -inf and inf without [m]
STOP_STIFFNESS, STOP_DAMPING = 11, 12  # [N/m, N s/m]
RATCHET_PITCH, RATCHET_REFERENCE = 13, 14  # teeth at reference + k pitch; pitch 0 stepless [m]
RATCHET_STIFFNESS, RATCHET_DAMPING, RATCHET_BACKLASH = 15, 16, 17  # [N/m, N s/m, m]
AREA = 18  # of the piston [m^2]
COLUMN_OFFSET, COLUMN_LEAST = 19, 20  # oil column = length + offset, taken as no shorter than the least [m]
SUPPLY = 21  # supply pressure above atmospheric [Pa]
VALVE_OPENING, VALVE_RANGE, VALVE_COEFFICIENT = 22, 23, 24  # see hydraulic.valve_flow [Pa, Pa, m^3/(s sqrt(Pa))]
GAP = 25  # conductance of the leakage gap [m^3/(s Pa)]
OIL_MODULUS, OIL_AIR, OIL_EXPONENT = 26, 27, 28  # see hydraulic.bulk_modulus [Pa, -, -]
VALUE_COLUMNS = 29

# Columns of Elements.state, scratch of the last evaluation, one row an element
LENGTH, RATE = 0, 1  # [m, m/s], extension positive
FORCE = 2  # pushing positive [N]
LOST = 3  # power turned into heat or done on the oil [W]
PRESSURE = 4  # in the chamber above atmospheric, never below absolute zero; 0 without chamber [Pa]
STATE_COLUMNS = 5


class Elements(NamedTuple):
    """Elements as kernels read them, T of them."""

    count: int  # type: ignore[assignment]
    """T"""
    index: IntArray  # type: ignore[assignment]
    """(T, INDEX_COLUMNS)"""
    value: FloatArray
    """(T, VALUE_COLUMNS)"""
    # memory, changed by start and latch only
    latch: FloatArray
    """(T,) length at which the ratchet holds now, -inf without one or before the start [m]"""
    # scratch
    state: FloatArray
    """(T, STATE_COLUMNS)"""


@kernel
def forces(y, pressures_at, dy, tree, elements):
    """Evaluate all elements: forces into the wrenches of the tree, pressure rates into dy; returns the lost power. [W]

    y, dy: state and its derivative; pressures_at: index of the first pressure in both. To be called after the
    kinematics and clear of the tree. Power counts as lost as the head of this file says.
    """
    total = 0.0
    for k in range(elements.count):
        a, b = elements.index[k, BODY_A], elements.index[k, BODY_B]
        xa, ya, vxa, vya = place(tree, a, elements.value[k, AX], elements.value[k, AY])
        xb, yb, vxb, vyb = place(tree, b, elements.value[k, BX], elements.value[k, BY])
        ux, uy = xb - xa, yb - ya
        length = math.sqrt(ux * ux + uy * uy)
        ux, uy = ux / length, uy / length
        rate = ux * (vxb - vxa) + uy * (vyb - vya)
        force, lost = _mechanical(elements.value, k, length, rate, elements.latch[k])
        if elements.index[k, KIND] == HYDRAULIC:
            at = pressures_at + elements.index[k, PRESSURE_INDEX]
            pressure = oil_pressure(y[at])
            dy[at] = _chamber(elements.value, k, length, rate, y[at], pressure)
            oil_force = elements.value[k, AREA] * pressure
            force += oil_force
            lost -= oil_force * rate
            elements.state[k, PRESSURE] = pressure
        elements.state[k, LENGTH] = length
        elements.state[k, RATE] = rate
        elements.state[k, FORCE] = force
        elements.state[k, LOST] = lost
        apply_force(tree, a, xa, ya, -force * ux, -force * uy, 0.0)
        apply_force(tree, b, xb, yb, force * ux, force * uy, 0.0)
        total += lost
    return total


@kernel
def _mechanical(value, k, length, rate, latch_length):
    """Force of spring, damper, end stops and ratchet of element k, and the power they turn into heat. [N, W]"""
    damper = damping_force(rate, value[k, DAMPING_EXTENSION], value[k, DAMPING_COMPRESSION])
    force = spring_force(length, value[k, REFERENCE], value[k, STIFFNESS], value[k, PRELOAD]) + damper
    lost = -damper * rate
    stiffness, damping = value[k, STOP_STIFFNESS], value[k, STOP_DAMPING]
    short, short_lost = stop_force(value[k, SHORTEST] - length, -rate, stiffness, damping)
    long, long_lost = stop_force(length - value[k, LONGEST], rate, stiffness, damping)
    depth = ratchet_depth(length, latch_length, value[k, RATCHET_BACKLASH])
    tooth, tooth_lost = stop_force(depth, -rate, value[k, RATCHET_STIFFNESS], value[k, RATCHET_DAMPING])
    return force + short - long + tooth, lost + short_lost + long_lost + tooth_lost


@kernel
def _chamber(value, k, length, rate, state, pressure):
    """Rate of the pressure state of element k. [Pa/s] state: as integrated; pressure: as it acts. [Pa]"""
    column = length + value[k, COLUMN_OFFSET]
    column = value[k, COLUMN_LEAST] if column < value[k, COLUMN_LEAST] else column
    area = value[k, AREA]
    modulus = bulk_modulus(state, value[k, OIL_MODULUS], value[k, OIL_AIR], value[k, OIL_EXPONENT])
    inflow = valve_flow(
        value[k, SUPPLY] - pressure, value[k, VALVE_OPENING], value[k, VALVE_RANGE], value[k, VALVE_COEFFICIENT]
    )
    return pressure_rate(modulus, area * column, inflow - value[k, GAP] * pressure, area * rate)


@kernel
def latch(elements):
    """Let the pawl of every ratchet fall into the tooth reached in the state evaluated last; 1 where any moved, else 0.

    For accepted steps, directly after :func:`forces` at that state. A tooth that has just been reached does not press
    yet: forces are the same before and after.
    """
    moved = 0
    for k in range(elements.count):
        if elements.index[k, RATCHET] == 1:
            reached = ratchet_latch(
                elements.latch[k],
                elements.state[k, LENGTH],
                elements.value[k, RATCHET_REFERENCE],
                elements.value[k, RATCHET_PITCH],
            )
            if reached != elements.latch[k]:
                elements.latch[k] = reached
                moved = 1
    return moved


@kernel
def start(elements):
    """Set the latches for the state evaluated last, from which a run starts: forget where they were before."""
    for k in range(elements.count):
        elements.latch[k] = -math.inf
    latch(elements)


@kernel
def energy(elements):
    """Elastic energy of springs, stops and ratchets in the state evaluated last, zero at the free length [J].

    A constant force (preload without stiffness) counts with its potential, zero in the reference configuration.
    """
    total, value = 0.0, elements.value
    for k in range(elements.count):
        length = elements.state[k, LENGTH]
        total += spring_energy(length, value[k, REFERENCE], value[k, STIFFNESS], value[k, PRELOAD])
        total += stop_energy(value[k, SHORTEST] - length, value[k, STOP_STIFFNESS])
        total += stop_energy(length - value[k, LONGEST], value[k, STOP_STIFFNESS])
        depth = ratchet_depth(length, elements.latch[k], value[k, RATCHET_BACKLASH])
        total += stop_energy(depth, value[k, RATCHET_STIFFNESS])
    return total
