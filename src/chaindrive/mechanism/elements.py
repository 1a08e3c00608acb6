"""Elements that tension a chain: conversion of plain numbers into the arrays that kernels read, and data for a run.

The kernels are in ``element_kernels`` and can be imported from here.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from chaindrive.kernels.tables import blank
from chaindrive.mechanism import element_kernels as K
from chaindrive.mechanism.element_kernels import Elements, FloatArray, energy, forces, latch, start
from chaindrive.mechanism.load_kernels import load_at
from chaindrive.mechanism.loads import pack_loads
from chaindrive.mechanism.tree import Tree, kinematics, place, point_rates
from chaindrive.physics.tensioners.hydraulic import bulk_modulus, gap_conductance, largest_valve_slope, valve_flow

if TYPE_CHECKING:
    from chaindrive.model.load_over_time import LoadRow

__all__ = [
    "ElementData",
    "ElementLimits",
    "Elements",
    "HydraulicData",
    "LawData",
    "RatchetData",
    "build_elements",
    "element_limits",
    "element_stops",
    "energy",
    "forces",
    "initial_pressures",
    "joint_matrices",
    "latch",
    "start",
]

COLUMN_LEFT = 0.01
"""Smallest oil column, as a fraction of the column in the reference configuration, since a volume of zero would give
infinite rates. [-]
"""

VALVE_RANGE_LEAST = 5e3
"""Smallest pressure range over which a check valve opens if no full-opening pressure is given. By default this range
equals its opening pressure. [Pa]"""


class RatchetData(NamedTuple):
    """A pawl that lets an element extend and holds it when it retracts."""

    pitch: float = 0.0
    """Distance between teeth, one of which holds in the reference configuration; 0: stepless. [m]"""
    stiffness: float = 0.0
    """Stiffness of pawl and tooth. [N/m]"""
    damping: float = 0.0
    """[N s/m]"""
    backlash: float = 0.0
    """Distance by which the element retracts from a tooth before the tooth supports it. [m]"""


class HydraulicData(NamedTuple):
    """Piston, chamber, gap, check valve and oil. Laws and sources: ``physics.tensioners.hydraulic``."""

    piston_diameter: float
    """[m]"""
    chamber_length: float
    """Length of the oil column in the reference configuration. [m]"""
    supply_pressure: float
    """Supply pressure above atmospheric at the start of the run. [Pa]"""
    bulk_modulus: float
    """Bulk modulus of the oil without air. [Pa]"""
    viscosity: float
    """Dynamic viscosity. [Pa s]"""
    density: float
    """[kg/m^3]"""
    air_content: float = 0.0
    """Volume of undissolved air over volume of oil at atmospheric pressure. [-]"""
    polytropic_exponent: float = 1.0
    """Polytropic exponent of the air: 1 slow (isothermal) to 1.4 fast (adiabatic). [-]"""
    gap: float = 0.0
    """Radial leakage gap around the piston; 0: sealed. [m]"""
    gap_length: float = 1.0
    """Length of the gap along the flow. [m]"""
    eccentricity: float = 0.0
    """Eccentricity of the piston divided by the gap, 0 to 1. [-]"""
    valve_diameter: float = 0.0
    """Diameter of the orifice of the check valve; 0: no valve. [m]"""
    discharge_coefficient: float = 0.7
    """[-]"""
    opening_pressure: float = 0.0
    """Pressure difference at which the valve begins to open. [Pa]"""
    full_opening_pressure: float | None = None
    """Pressure difference at which the valve is fully open; None: twice the opening pressure, but at least 5 kPa above
    it. [Pa]
    """
    supply: LoadRow | None = None
    """The supply pressure as a function of time; None: constant. [Pa]"""


class LawData(NamedTuple):
    """A user-defined law, in parallel with the spring."""

    address: int
    """Address of the function of length and rate (``kernels.pointers``)."""
    stiffness: float
    damping: float
    """Steepest decrease of the law with length and with rate, for step limits; below 0 if it only increases. [N/m, N
    s/m]
    """


class ElementData(NamedTuple):
    """An element as plain numbers. Its ends are given in GLOBAL coordinates of the reference configuration [m]."""

    name: str
    body_a: int
    """Body at the first end, -1: ground."""
    a: tuple[float, float]
    body_b: int
    b: tuple[float, float]
    stiffness: float = 0.0
    """[N/m]"""
    damping: float = 0.0
    """Damping on extension, and also on compression unless that is given. [N s/m]"""
    damping_compression: float | None = None
    """[N s/m]"""
    free_length: float | None = None
    """Length without spring force; None: calculated from the preload. [m]"""
    preload: float = 0.0
    """Force in the reference configuration, pushing positive; without stiffness it is constant. [N]"""
    shortest: float | None = None
    longest: float | None = None
    """Lengths at which the end stops make contact. [m]"""
    stop_stiffness: float = 0.0
    """[N/m]"""
    stop_damping: float = 0.0
    """[N s/m]"""
    ratchet: RatchetData | None = None
    hydraulic: HydraulicData | None = None
    law: LawData | None = None

    @property
    def drawing_length(self) -> float:
        """Distance between the ends in the reference configuration. [m]"""
        return math.hypot(self.b[0] - self.a[0], self.b[1] - self.a[1])


def build_elements(data: Sequence[ElementData], tree: Tree) -> Elements:
    """Return the elements for the kernels, with latches not yet set (see :func:`start`).

    Raises ValueError with all problems, one per line: ends on the same body or at the same position, stops in the wrong
    order, both a free length and a preload, or a chamber that is empty at the shortest length.
    """
    problems = [text for each in data for text in _problems(each, tree.bodies)]
    if problems:
        raise ValueError("\n".join(problems))
    count = len(data)
    value = blank(K.ElementRows, count)
    value.pressure_index[:] = -1
    value.fastest[:] = math.inf
    pressures = 0
    kinematics(np.zeros(2 * tree.joints), 0, tree.joints, tree)  # the reference configuration
    for k, each in enumerate(data):
        value.kind[k], value.body_a[k], value.body_b[k] = K.SPRING_DAMPER, each.body_a, each.body_b
        value.ratchet[k] = each.ratchet is not None
        value.ax[k], value.ay[k] = np.subtract(each.a, place(tree, each.body_a, 0.0, 0.0)[:2])
        value.bx[k], value.by[k] = np.subtract(each.b, place(tree, each.body_b, 0.0, 0.0)[:2])
        _spring_values(value, k, each)
        if each.hydraulic is not None:
            value.kind[k], value.pressure_index[k] = K.HYDRAULIC, pressures
            pressures += 1
            _hydraulic_values(value, k, each.hydraulic, each.drawing_length)
        if each.law is not None:
            value.law[k] = each.law.address
            value.law_stiffness[k], value.law_damping[k] = max(each.law.stiffness, 0.0), max(each.law.damping, 0.0)
    supply = pack_loads([(k, _supply(each.hydraulic)) for k, each in enumerate(data)])
    return Elements(count, value, supply.rows, supply.table, np.full(count, -np.inf), blank(K.ElementStates, count))


def _supply(given: HydraulicData | None) -> LoadRow:
    """Return the supply pressure of an element as a load over time; 0 without a chamber. [Pa]"""
    from chaindrive.model.load_over_time import constant_row

    if given is None:
        return constant_row(0.0)
    return given.supply or constant_row(given.supply_pressure)


def _spring_values(value: K.ElementRows, k: int, each: ElementData) -> None:
    """Write the values of spring, damper, stops and ratchet of element k."""
    length = each.drawing_length
    if each.free_length is not None:
        reference, preload = each.free_length, 0.0
    elif each.stiffness > 0.0:
        reference, preload = length + each.preload / each.stiffness, 0.0
    else:
        reference, preload = length, each.preload
    value.stiffness[k], value.reference[k], value.preload[k] = each.stiffness, reference, preload
    compression = each.damping if each.damping_compression is None else each.damping_compression
    value.damping_extension[k], value.damping_compression[k] = each.damping, compression
    value.shortest[k] = -math.inf if each.shortest is None else each.shortest
    value.longest[k] = math.inf if each.longest is None else each.longest
    value.stop_stiffness[k], value.stop_damping[k] = each.stop_stiffness, each.stop_damping
    if each.ratchet is not None:
        value.ratchet_pitch[k], value.ratchet_reference[k] = each.ratchet.pitch, length
        value.ratchet_stiffness[k], value.ratchet_damping[k] = each.ratchet.stiffness, each.ratchet.damping
        value.ratchet_backlash[k] = each.ratchet.backlash


def _hydraulic_values(value: K.ElementRows, k: int, given: HydraulicData, length: float) -> None:
    """Write the values of chamber, valve, gap and oil of element k."""
    value.area[k] = 0.25 * math.pi * given.piston_diameter**2
    value.column_offset[k], value.column_least[k] = given.chamber_length - length, COLUMN_LEFT * given.chamber_length
    opening, full = given.opening_pressure, given.full_opening_pressure
    value.valve_opening[k] = opening
    value.valve_range[k] = max(opening, VALVE_RANGE_LEAST) if full is None else full - opening
    orifice = 0.25 * math.pi * given.valve_diameter**2
    value.valve_coefficient[k] = given.discharge_coefficient * orifice * math.sqrt(2.0 / given.density)
    value.gap[k] = gap_conductance(
        given.piston_diameter, given.gap, given.gap_length, given.eccentricity, given.viscosity
    )
    value.oil_modulus[k], value.oil_air[k] = given.bulk_modulus, given.air_content
    value.oil_exponent[k] = given.polytropic_exponent


def _problems(each: ElementData, bodies: int) -> list[str]:
    """Return the problems of one element, one line each."""
    found = []
    length = each.drawing_length
    shortest = -math.inf if each.shortest is None else each.shortest
    longest = math.inf if each.longest is None else each.longest
    for end in (each.body_a, each.body_b):
        if not -1 <= end < bodies:
            found.append(f"its end is on body {end}, which does not exist; available: -1 (ground) to {bodies - 1}")
    if each.body_a == each.body_b:
        found.append(f"both of its ends are on body {each.body_a}: it has no effect")
    if not (math.isfinite(length) and length > 0.0):
        found.append(f"its ends are {length!r} m apart in the reference configuration, so that it has no direction")
    if not shortest < longest:
        found.append(f"the shortest length {each.shortest!r} m is not below the longest {each.longest!r} m")
    if each.free_length is not None and each.preload != 0.0:
        found.append(
            f"a free length of {each.free_length!r} m and a preload of {each.preload!r} N exclude each other: give "
            "only one of them"
        )
    for name in ("stiffness", "damping", "stop_stiffness", "stop_damping"):
        if not getattr(each, name) >= 0.0:
            found.append(f"{name} {getattr(each, name)!r} is below zero")
    if each.damping_compression is not None and not each.damping_compression >= 0.0:
        found.append(f"damping_compression {each.damping_compression!r} is below zero")
    if each.ratchet is not None:
        found += [f"ratchet {name} {x!r} is below zero" for name, x in each.ratchet._asdict().items() if not x >= 0.0]
    if each.hydraulic is not None:
        found += _hydraulic_problems(each.hydraulic, length, shortest)
    return [f"tensioner {each.name!r}: {text}" for text in found]


def _hydraulic_problems(given: HydraulicData, length: float, shortest: float) -> list[str]:
    found = []
    for name in (
        "piston_diameter",
        "chamber_length",
        "bulk_modulus",
        "viscosity",
        "density",
        "polytropic_exponent",
        "gap_length",
    ):
        if not getattr(given, name) > 0.0:
            found.append(f"{name} {getattr(given, name)!r} is not above zero")
    for name in ("supply_pressure", "air_content", "gap", "valve_diameter", "discharge_coefficient"):
        if not getattr(given, name) >= 0.0:
            found.append(f"{name} {getattr(given, name)!r} is below zero")
    if not 0.0 <= given.eccentricity <= 1.0:
        found.append(f"eccentricity {given.eccentricity!r} is outside 0 (concentric) to 1 (touching)")
    if not given.opening_pressure >= 0.0:
        found.append(f"opening_pressure {given.opening_pressure!r} Pa is below zero")
    if given.full_opening_pressure is not None and not given.full_opening_pressure > given.opening_pressure:
        found.append(
            f"full_opening_pressure {given.full_opening_pressure!r} Pa is not above the opening pressure "
            f"{given.opening_pressure!r} Pa"
        )
    emptied = given.chamber_length + shortest - length
    if shortest > -math.inf and not emptied > 0.0:
        found.append(
            f"the oil column of {given.chamber_length!r} m would be {emptied:.6g} m long at the shortest length of "
            "the element; increase chamber_length or the shortest length"
        )
    return found


def element_stops(data: Sequence[ElementData]) -> FloatArray:
    """Return the instants after the start at which a supply pressure has a kink. [s]"""
    given = [each.hydraulic.supply for each in data if each.hydraulic is not None]
    return np.array(sorted({t for supply in given if supply is not None for t in supply.stops if t > 0.0}))


def initial_pressures(elements: Elements) -> FloatArray:
    """Return the pressures at which the pistons stay at rest, because the inflow through the valve equals the leakage,
    (H,). [Pa]

    Without a leak, this is the supply pressure minus the opening pressure. With neither leak nor valve it is the supply
    pressure, as the chamber was filled and closed. With a leak but no valve, the chamber is empty.
    """
    hydraulic = np.flatnonzero(elements.value.kind == K.HYDRAULIC)
    return np.array([_rest_pressure(elements, int(k)) for k in hydraulic])


def _rest_pressure(elements: Elements, k: int) -> float:
    value, supply = elements.value, float(load_at(0.0, elements.supply, elements.supply_table, k))
    opening, gap = float(value.valve_opening[k]), float(value.gap[k])
    coefficient, range_ = float(value.valve_coefficient[k]), float(value.valve_range[k])
    if gap == 0.0:
        return supply if coefficient == 0.0 else max(0.0, supply - opening)
    low, high = 0.0, supply
    for _ in range(80):  # the inflow falls, the leak grows with the chamber pressure
        middle = 0.5 * (low + high)
        inflow = valve_flow(supply - middle, opening, range_, coefficient)
        low, high = (middle, high) if inflow > gap * middle else (low, middle)
    return 0.5 * (low + high)


class ElementLimits(NamedTuple):
    """Stiffness, damping and pressure rate of every element, which limit explicit steps, (T,) each."""

    stiffness: FloatArray
    """Largest stiffness along the line: spring, a closed stop, a ratchet, oil without air, a user-defined law. [N/m]"""
    damping: FloatArray
    """Largest damping along the line: damper, a closed stop, a ratchet. [N s/m]"""
    rate: FloatArray
    """Largest rate at which the pressure settles by itself, 0 without chamber. [1/s]"""


def element_limits(elements: Elements) -> ElementLimits:
    """Return the largest stiffness, damping and pressure rate of every element.

    The stiffness of the oil is A E_l/l, without air, as under high pressure, where l is the column at the shortest
    length (or, if none is given, in the reference configuration). The rate is E/V times the slope of all flows with
    pressure, at most ``fastest``. The valve is open only below the supply pressure, where E is at most that at the
    highest supply pressure.
    """
    value = elements.value
    stops = np.isfinite(value.shortest) | np.isfinite(value.longest)
    stiffness = value.stiffness + stops * value.stop_stiffness + value.ratchet_stiffness + value.law_stiffness
    damping = np.maximum(value.damping_extension, value.damping_compression)
    damping = damping + stops * value.stop_damping + value.ratchet_damping + value.law_damping
    rate = np.zeros(elements.count)
    for k in np.flatnonzero(value.kind == K.HYDRAULIC):
        column = value.column_least[k] / COLUMN_LEFT
        if math.isfinite(value.shortest[k]):
            column = value.shortest[k] + value.column_offset[k]
        stiffness[k] += value.area[k] * value.oil_modulus[k] / column
        highest = elements.supply_table[elements.supply.rows[k] : elements.supply.rows_end[k], -1].max()
        filling = bulk_modulus(highest, value.oil_modulus[k], value.oil_air[k], value.oil_exponent[k])
        slope = largest_valve_slope(value.valve_opening[k], value.valve_range[k], value.valve_coefficient[k])
        flows = max(filling * (slope + value.gap[k]), value.oil_modulus[k] * value.gap[k])
        rate[k] = min(flows / (value.area[k] * column), float(value.fastest[k]))
    return ElementLimits(stiffness, damping, rate)


def joint_matrices(elements: Elements, tree: Tree) -> tuple[FloatArray, FloatArray]:
    """Return the stiffness and damping matrices of :func:`element_limits` for the joints in the reference
    configuration, (J, J) each.

    They are the sums of k n n^T and of c n n^T with n_j = dL/ds_j, for ``tree.stiffness_frequency``.
    """
    limits = element_limits(elements)
    stiffness, damping = np.zeros((tree.joints, tree.joints)), np.zeros((tree.joints, tree.joints))
    for k in range(elements.count):
        rates = line_rates(elements, tree, k)
        stiffness += limits.stiffness[k] * np.outer(rates, rates)
        damping += limits.damping[k] * np.outer(rates, rates)
    return stiffness, damping


def line_rates(elements: Elements, tree: Tree, k: int) -> FloatArray:
    """Return the rate of the length of element k for a unit speed of each joint, in the reference configuration, (J,).
    [-, m]
    """
    kinematics(np.zeros(2 * tree.joints), 0, tree.joints, tree)
    a, b = int(elements.value.body_a[k]), int(elements.value.body_b[k])
    start_x, start_y, _, _ = place(tree, a, elements.value.ax[k], elements.value.ay[k])
    end_x, end_y, _, _ = place(tree, b, elements.value.bx[k], elements.value.by[k])
    length = math.hypot(end_x - start_x, end_y - start_y)
    line = np.array([end_x - start_x, end_y - start_y]) / length
    return line @ (point_rates(tree, b, (end_x, end_y)) - point_rates(tree, a, (start_x, start_y)))
