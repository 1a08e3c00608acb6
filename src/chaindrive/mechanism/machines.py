"""From the torques and loads of a wheel, as its file has them, to the terms that the kernels add up."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from chaindrive.mechanism import term_kernels as K
from chaindrive.mechanism.terms import Course, Term
from chaindrive.model import (
    DcMotor,
    Governor,
    InductionMotor,
    PedalTorque,
    Rotor,
    TorqueOrders,
    TorqueOverAngle,
    TorqueOverSpeed,
    TorqueOverTime,
    Wheel,
    WheelLoad,
)
from chaindrive.model.torque import SingleTorque

__all__ = ["in_terms", "loads_of", "terms_of"]


def in_terms(torque: object) -> bool:
    """Whether a torque is made of terms, rather than of what every wheel has a place for (``loads.Load.torque``)."""
    single = (int, float, TorqueOverTime, TorqueOverSpeed, PedalTorque)
    return not isinstance(torque, single)


def terms_of(wheel: Wheel | Rotor, at_speed: bool = True) -> tuple[Term, ...]:
    """Torques and loads of a wheel that are made of terms. at_speed: governors want their full speed at once."""
    found: list[Term] = []
    if in_terms(wheel.torque):
        torques = wheel.torque if isinstance(wheel.torque, tuple) else (wheel.torque,)
        found += [_term(torque, at_speed) for torque in torques]
    return (*found, *loads_of(wheel))


def loads_of(wheel: Wheel | Rotor) -> tuple[Term, ...]:
    """The terms of its list of loads, and the rolling resistance of a vehicle."""
    rolling = 0.0 if wheel.vehicle is None else wheel.vehicle.rolling_torque
    road = (Term(K.CONSTANT, value=rolling, sense_of=K.AGAINST_MOTION),) if rolling > 0.0 else ()
    return (*(_load(load) for load in wheel.loads), *road)


def _load(load: WheelLoad) -> Term:
    hold = math.inf if load.hold is None else load.hold
    fall = load.rise if load.fall is None else load.fall
    course = Course(load.start, load.rise, hold, fall, load.every or math.inf, load.pulses)
    sense_of = K.AGAINST_MOTION if load.against == "motion" else K.AGAINST_SENSE
    return _term(load.torque, True)._replace(sense_of=sense_of, course=course, standstill=load.standstill_speed)


def _term(torque: SingleTorque, at_speed: bool) -> Term:
    """One torque, counter-clockwise positive."""
    if isinstance(torque, TorqueOverTime):
        return Term(K.OVER_TIME, points=(torque.times, torque.torques))
    if isinstance(torque, TorqueOverSpeed):
        return Term(K.OVER_SPEED, points=(torque.speeds, torque.torques))
    if isinstance(torque, TorqueOverAngle):
        values = torque.gear_ratio * np.array(torque.torques)
        values[-1] = values[0]  # the same but for rounding
        return Term(K.OVER_ANGLE, points=(torque.angles, values), gear=torque.gear_ratio, phase=torque.phase)
    if isinstance(torque, TorqueOrders):
        gear = torque.gear_ratio
        terms = np.array([(term.order, gear * term.amplitude, term.phase) for term in torque.orders]).T
        return Term(K.ORDERS, value=gear * torque.mean, points=tuple(terms), gear=gear)
    if isinstance(torque, PedalTorque):
        return Term(K.PEDALS, value=torque.mean, numbers=(torque.ripple, torque.phase))
    if isinstance(torque, InductionMotor):
        return _induction(torque)
    if isinstance(torque, DcMotor):
        return _direct_current(torque)
    if isinstance(torque, Governor):
        return _governor(torque, at_speed)
    return Term(K.CONSTANT, value=float(torque))


def _induction(motor: InductionMotor) -> Term:
    """Speeds and torque on the wheel, behind the gear."""
    gear, supply = motor.gear_ratio, motor.supply
    synchronous = motor.synchronous_speed / gear
    critical, at_rest = (abs(synchronous) * slip for slip in (motor.critical_slip, motor.critical_slip_at_rest))
    pull_out = gear * motor.pull_out_ratio * motor.rated_torque
    points: tuple[ArrayLike, ...] = ()
    tabulated = supply is not None and supply.voltages is not None
    if supply is not None:
        times = np.array(supply.times)
        frequencies = np.ones(times.size) if supply.frequencies is None else np.array(supply.frequencies)
        if supply.frequencies is not None:
            frequencies = frequencies / motor.frequency
        voltages = np.ones(times.size) if supply.voltages is None else np.array(supply.voltages)
        points = (times, frequencies, voltages)
    numbers = (synchronous, critical, at_rest, float(tabulated))
    return Term(K.INDUCTION, value=pull_out, numbers=numbers, points=points)


def _direct_current(motor: DcMotor) -> Term:
    stall = math.copysign(motor.gear_ratio * motor.stall_torque, motor.no_load_speed)
    points = () if motor.supply is None else (motor.supply.times, motor.supply.voltages)
    numbers = (motor.no_load_speed / motor.gear_ratio, motor.time_constant)
    return Term(K.DC, value=stall, numbers=numbers, points=points, has_state=motor.time_constant > 0.0)


def _governor(given: Governor, at_speed: bool) -> Term:
    limits = given.least_torque, given.largest_torque
    return Term(
        K.GOVERNOR,
        value=max(abs(limit) for limit in limits),
        numbers=(given.speed, given.proportional, given.integral, *limits),
        course=Course(rise=0.0 if at_speed else given.ramp),
        has_state=True,
    )
