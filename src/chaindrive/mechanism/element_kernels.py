"""Elements that tension a chain, between points of two bodies of the tree: springs, dampers, ratchets and hydraulics.

Every element acts along the line between its two points. A positive force pushes them apart. The laws are in
``physics.tensioners``; here they are applied to bodies, state vector and memory. A hydraulic element has one state: the
pressure in its chamber above atmospheric [Pa]. A ratchet has a memory: the length at which its pawl holds at present.
This length changes only at accepted steps (:func:`latch`).

Energy turned into heat by dampers and stops counts as lost. So does all work done on the oil of a hydraulic element,
including the recoverable work of compression, and on a user-defined law; work of the oil pump counts as negative. The
energy balance then closes whatever happens inside the element.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.kernels import kernel
from chaindrive.kernels.pointers import call_at_two
from chaindrive.kernels.tables import Reals, Wholes
from chaindrive.mechanism.load_kernels import LoadRows, load_at
from chaindrive.mechanism.tree_kernels import apply_force, place
from chaindrive.physics.tensioners.hydraulic import (
    bulk_modulus,
    oil_pressure,
    pressure_rate,
    settling_modulus,
    valve_flow,
    valve_slope,
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

SPRING_DAMPER, HYDRAULIC = 0, 1


class ElementRows(NamedTuple):
    """Data of every element, (T,) each."""

    kind: Wholes
    """SPRING_DAMPER or HYDRAULIC"""
    body_a: Wholes
    body_b: Wholes
    """bodies at the two ends, -1: ground"""
    pressure_index: Wholes
    """index of the pressure state, -1: none"""
    ratchet: Wholes
    """1 for an element with a ratchet"""
    ax: Reals
    ay: Reals
    bx: Reals
    by: Reals
    """both ends, in the frames of their bodies [m]"""
    stiffness: Reals
    reference: Reals
    preload: Reals
    """spring force F0 + k (L0 - L): k, L0 and F0 [N/m, m, N]"""
    damping_extension: Reals
    damping_compression: Reals
    """[N s/m]"""
    shortest: Reals
    longest: Reals
    """lengths at the end stops, -inf and inf without stops [m]"""
    stop_stiffness: Reals
    stop_damping: Reals
    """[N/m, N s/m]"""
    ratchet_pitch: Reals
    ratchet_reference: Reals
    """the teeth are at reference + k pitch; pitch 0: stepless [m]"""
    ratchet_stiffness: Reals
    ratchet_damping: Reals
    ratchet_backlash: Reals
    """[N/m, N s/m, m]"""
    area: Reals
    """area of the piston [m^2]"""
    column_offset: Reals
    column_least: Reals
    """oil column = length + offset, but not shorter than the least column [m]"""
    valve_opening: Reals
    valve_range: Reals
    valve_coefficient: Reals
    """see hydraulic.valve_flow [Pa, Pa, m^3/(s sqrt(Pa))]"""
    gap: Reals
    """conductance of the leakage gap [m^3/(s Pa)]"""
    oil_modulus: Reals
    oil_air: Reals
    oil_exponent: Reals
    """see hydraulic.bulk_modulus [Pa, -, -]"""
    fastest: Reals
    """see hydraulic.settling_modulus [1/s]"""
    law: Wholes
    """address of the function of a user-defined law, 0: none (``kernels.pointers``)"""
    law_stiffness: Reals
    law_damping: Reals
    """steepest decrease of the law with length and with rate [N/m, N s/m]"""


class ElementStates(NamedTuple):
    """Values of the elements in the last evaluation, (T,) each."""

    length: Reals
    rate: Reals
    """length and rate of extension [m, m/s]"""
    force: Reals
    """force, pushing positive [N]"""
    lost: Reals
    """power turned into heat or supplied to the oil [W]"""
    pressure: Reals
    """pressure in the chamber above atmospheric, never below absolute zero; 0 without chamber [Pa]"""
    inflow: Reals
    """inflow of oil through the check valve; 0 without chamber [m^3/s]"""


class Elements(NamedTuple):
    """T elements, in the form that kernels read."""

    count: int  # type: ignore[assignment]
    """T"""
    value: ElementRows
    supply: LoadRows
    """supply pressures above atmospheric, one row for each element [Pa]"""
    supply_table: FloatArray
    """see mechanism.load_kernels"""
    # memory, changed by start and latch only
    latch: FloatArray
    """(T,) length at which the ratchet holds at present, -inf without a ratchet or before the start [m]"""
    # scratch
    state: ElementStates


@kernel
def forces(t, y, pressures_at, dy, tree, elements):
    """Evaluate all elements: add their forces to the wrenches of the tree, write pressure rates into dy, and return the
    lost power. [W]

    t [s]; y, dy: state and its derivative; pressures_at: index of the first pressure in both. To be called after the
    tree's ``kinematics`` and ``clear``. Lost power is counted as described at the top of this file.
    """
    total = 0.0
    for k in range(elements.count):
        a, b = elements.value.body_a[k], elements.value.body_b[k]
        xa, ya, vxa, vya = place(tree, a, elements.value.ax[k], elements.value.ay[k])
        xb, yb, vxb, vyb = place(tree, b, elements.value.bx[k], elements.value.by[k])
        ux, uy = xb - xa, yb - ya
        length = math.sqrt(ux * ux + uy * uy)
        ux, uy = ux / length, uy / length
        rate = ux * (vxb - vxa) + uy * (vyb - vya)
        force, lost = _mechanical(elements.value, k, length, rate, elements.latch[k])
        if elements.value.kind[k] == HYDRAULIC:
            at = pressures_at + elements.value.pressure_index[k]
            pressure = oil_pressure(y[at])
            supply = load_at(t, elements.supply, elements.supply_table, k)
            dy[at], elements.state.inflow[k] = _chamber(elements.value, k, length, rate, y[at], pressure, supply)
            oil_force = elements.value.area[k] * pressure
            force += oil_force
            lost -= oil_force * rate
            elements.state.pressure[k] = pressure
        if elements.value.law[k] != 0:
            own = call_at_two(elements.value.law[k], length, rate)
            force += own
            lost -= own * rate
        elements.state.length[k] = length
        elements.state.rate[k] = rate
        elements.state.force[k] = force
        elements.state.lost[k] = lost
        apply_force(tree, a, xa, ya, -force * ux, -force * uy, 0.0)
        apply_force(tree, b, xb, yb, force * ux, force * uy, 0.0)
        total += lost
    return total


@kernel
def _mechanical(value, k, length, rate, latch_length):
    """Return the force of spring, damper, end stops and ratchet of element k, and the power that they turn into heat.
    [N, W]
    """
    damper = damping_force(rate, value.damping_extension[k], value.damping_compression[k])
    force = spring_force(length, value.reference[k], value.stiffness[k], value.preload[k]) + damper
    lost = -damper * rate
    stiffness, damping = value.stop_stiffness[k], value.stop_damping[k]
    short, short_lost = stop_force(value.shortest[k] - length, -rate, stiffness, damping)
    long, long_lost = stop_force(length - value.longest[k], rate, stiffness, damping)
    depth = ratchet_depth(length, latch_length, value.ratchet_backlash[k])
    tooth, tooth_lost = stop_force(depth, -rate, value.ratchet_stiffness[k], value.ratchet_damping[k])
    return force + short - long + tooth, lost + short_lost + long_lost + tooth_lost


@kernel
def _chamber(value, k, length, rate, state, pressure, supply):
    """Return the rate of the pressure state of element k [Pa/s] and the inflow [m^3/s].

    state: pressure as integrated; pressure: as it acts; supply: supply pressure. [Pa]
    """
    column = length + value.column_offset[k]
    column = value.column_least[k] if column < value.column_least[k] else column
    area = value.area[k]
    modulus = bulk_modulus(state, value.oil_modulus[k], value.oil_air[k], value.oil_exponent[k])
    difference, opening = supply - pressure, value.valve_opening[k]
    inflow = valve_flow(difference, opening, value.valve_range[k], value.valve_coefficient[k])
    slope = valve_slope(difference, opening, value.valve_range[k], value.valve_coefficient[k]) + value.gap[k]
    modulus = settling_modulus(modulus, area * column, slope, value.fastest[k])
    return pressure_rate(modulus, area * column, inflow - value.gap[k] * pressure, area * rate), inflow


@kernel
def latch(elements):
    """Let the pawl of every ratchet engage the tooth reached in the state evaluated last; return 1 if any pawl has
    moved, else 0.

    To be called at accepted steps, directly after :func:`forces` at that state. A tooth that has just been reached does
    not press yet, so that forces are the same before and after.
    """
    moved = 0
    for k in range(elements.count):
        if elements.value.ratchet[k] == 1:
            reached = ratchet_latch(
                elements.latch[k],
                elements.state.length[k],
                elements.value.ratchet_reference[k],
                elements.value.ratchet_pitch[k],
            )
            if reached != elements.latch[k]:
                elements.latch[k] = reached
                moved = 1
    return moved


@kernel
def start(elements):
    """Set all latches for the state evaluated last, from which a run starts; their earlier positions are discarded."""
    for k in range(elements.count):
        elements.latch[k] = -math.inf
    latch(elements)


@kernel
def energy(elements):
    """Return the elastic energy of springs, stops and ratchets in the state evaluated last, zero at the free length
    [J].

    A constant force (preload without stiffness) contributes its potential energy, which is zero in the reference
    configuration.
    """
    total, value = 0.0, elements.value
    for k in range(elements.count):
        length = elements.state.length[k]
        total += spring_energy(length, value.reference[k], value.stiffness[k], value.preload[k])
        total += stop_energy(value.shortest[k] - length, value.stop_stiffness[k])
        total += stop_energy(length - value.longest[k], value.stop_stiffness[k])
        depth = ratchet_depth(length, elements.latch[k], value.ratchet_backlash[k])
        total += stop_energy(depth, value.ratchet_stiffness[k])
    return total
