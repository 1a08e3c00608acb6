"""Torques and loads of a wheel beyond the row that every wheel has in ``loads``: terms, which add up.

A term has a row of the array ``term`` (T, COLUMNS), whose columns are named below, and rows of ``table``. It acts on
the wheel in one of three senses: counter-clockwise positive; against the running sense; or against the motion that
there is, as value x tanh(speed / standstill), which vanishes at standstill. Some have a state of their own, the current
of a motor or the integral part of a governor, as a part of its reference value; it stands in the state of the system.
"""

from __future__ import annotations

import math

from chaindrive.kernels import kernel
from chaindrive.mechanism.motion import row_of, smooth_weight
from chaindrive.physics.motors import dc_current_rate, flux_of, governor_rate, governor_torque, kloss_torque

KIND = 0  # CONSTANT, ...
SENSE_OF = 1  # COUNTERCLOCKWISE, AGAINST_SENSE, AGAINST_MOTION
RUNNING = 2  # running sense of the wheel: +1 counter-clockwise, -1 clockwise
REFERENCE = 3  # angle of the wheel at the start of the run [rad]
GEAR, PHASE, PERIOD = 4, 5, 6  # angle of the table = gear x turned + phase, modulo the period, from 0 [-, rad, rad]
ROWS, ROWS_END = 7, 8  # rows of the table that belong to this term
START, RISE, HOLD, FALL = 9, 10, 11, 12  # course in time; HOLD infinite: until the run ends [s]
EVERY, PULSES = 13, 14  # [s, -]
VALUE = 15  # torque where it is constant, mean of orders [N m]; of motors and governors by kind, see below
STATE = 16  # which of the states of all terms is its own; -1 for none
STANDSTILL = 17  # speed scale of what acts against the motion [rad/s]
A, B, C, D, E = 18, 19, 20, 21, 22  # by kind
WHEEL = 23  # that it acts on
COLUMNS = 24

CONSTANT, OVER_TIME, OVER_SPEED, OVER_ANGLE, ORDERS, INDUCTION, DC, GOVERNOR, PEDALS = 0, 1, 2, 3, 4, 5, 6, 7, 8
"""INDUCTION: VALUE pull-out torque; A synchronous speed with its sign, B critical slip speed, C the same at rest, D 1
where the voltage is tabulated, otherwise V/f; table of the supply: time, frequency, slope, voltage, slope, 0.
DC: VALUE stall torque with its sign, A no-load speed, B time constant; table: time, voltage, slope. The state is the
current over that at stall.
GOVERNOR: VALUE largest size of its torque, to which the state is referred; A speed with its sign, B proportional, C
integral, D least, E largest; RISE the ramp of the wanted speed.
PEDALS: VALUE mean, A ripple, B dead centre."""
COUNTERCLOCKWISE, AGAINST_SENSE, AGAINST_MOTION = 0, 1, 2
TABLE_COLUMNS = 6
"""Linear: point, value, slope, 0, 0, 0. Over the angle: knot, four coefficients of the cubic after it. Orders: order,
amplitude, phase."""


@kernel
def linear_value(x, table, first, end, column):
    """Piecewise linear value in ``column`` of rows table[first:end], whose slope stands in the next one; constant
    beyond both ends.
    """
    if x <= table[first, 0]:
        return table[first, column]
    if x >= table[end - 1, 0]:
        return table[end - 1, column]
    row = row_of(x, table, first, end)
    return table[row, column] + table[row, column + 1] * (x - table[row, 0])


@kernel
def periodic_value(x, period, table, first, end):
    """Value of the cubics of table[first:end], whose knots begin at 0, repeated with a period."""
    inside = x - period * math.floor(x / period)
    row = row_of(inside, table, first, end)
    u = inside - table[row, 0]
    return ((table[row, 1] * u + table[row, 2]) * u + table[row, 3]) * u + table[row, 4]


@kernel
def orders_value(angle, table, first, end):
    """Sum of amplitude x sin(order x angle + phase)."""
    total = 0.0
    for i in range(first, end):
        total += table[i, 1] * math.sin(table[i, 0] * angle + table[i, 2])
    return total


@kernel
def course_weight(t, term, k):
    """How much of term k acts at time t: 0 before its start, smoothly to 1, and back to 0 after its hold."""
    s = t - term[k, START]
    if s < 0.0:
        return 0.0
    if term[k, PULSES] > 1.0:
        s -= term[k, EVERY] * min(math.floor(s / term[k, EVERY]), term[k, PULSES] - 1.0)
    rise, hold, fall = term[k, RISE], term[k, HOLD], term[k, FALL]
    if s < rise:
        return smooth_weight(s / rise)
    s -= rise + hold
    if s < 0.0:
        return 1.0
    return 1.0 - smooth_weight(s / fall) if s < fall else 0.0


@kernel
def _motor_torque(kind, t, speed, own, term, table, k):
    """Torque of a motor or governor with the state ``own`` at a speed [rad/s], counter-clockwise. [N m]"""
    first, end = int(term[k, ROWS]), int(term[k, ROWS_END])
    if kind == INDUCTION:
        frequency, flux = 1.0, 1.0
        if first < end:
            frequency = linear_value(t, table, first, end, 1)
            voltage = linear_value(t, table, first, end, 3) if term[k, D] > 0.0 else -1.0
            flux = flux_of(frequency, voltage)
        slip_speed = frequency * term[k, A] - speed
        return kloss_torque(slip_speed, flux, term[k, VALUE], term[k, B], term[k, C], abs(term[k, A]))
    if kind == DC:
        if term[k, STATE] >= 0.0:
            return term[k, VALUE] * own
        voltage = linear_value(t, table, first, end, 1) if first < end else 1.0
        return term[k, VALUE] * (voltage - speed / term[k, A])
    sense = math.copysign(1.0, term[k, A])
    part = term[k, VALUE] * own
    return sense * governor_torque(_too_slow(t, speed, term, k), part, term[k, B], term[k, D], term[k, E])


@kernel
def _too_slow(t, speed, term, k):
    """By what a governed wheel is slower than wanted, in the sense of the wanted speed. [rad/s]"""
    wanted = abs(term[k, A])
    if t < term[k, RISE]:
        wanted *= smooth_weight(t / term[k, RISE])
    return wanted - math.copysign(1.0, term[k, A]) * speed


@kernel
def term_rate(t, speed, own, term, table, k):
    """Rate of the state ``own`` of term k, with its wheel at a speed [rad/s]. [1/s]"""
    if int(term[k, KIND]) == DC:
        first, end = int(term[k, ROWS]), int(term[k, ROWS_END])
        voltage = linear_value(t, table, first, end, 1) if first < end else 1.0
        return dc_current_rate(speed, own, voltage, term[k, A], term[k, B])
    reference = term[k, VALUE]
    error, part = _too_slow(t, speed, term, k), reference * own
    return governor_rate(error, part, term[k, B], term[k, C], term[k, D], term[k, E]) / reference


@kernel
def term_torque(t, angle, speed, own, term, table, k):
    """Torque of term k on its wheel, counter-clockwise positive. [N m]

    angle [rad], speed [rad/s] of the wheel, counter-clockwise; own: the state of the term, if it has one.
    """
    kind, sense_of, running = int(term[k, KIND]), int(term[k, SENSE_OF]), term[k, RUNNING]
    if INDUCTION <= kind <= GOVERNOR:
        return _motor_torque(kind, t, speed, own, term, table, k)
    weight = course_weight(t, term, k)
    if weight == 0.0:
        return 0.0
    first, end = int(term[k, ROWS]), int(term[k, ROWS_END])
    turned = running * (angle - term[k, REFERENCE])
    value = term[k, VALUE]
    if kind == OVER_TIME:
        value = linear_value(t, table, first, end, 1)
    elif kind == OVER_SPEED:
        x = speed
        if sense_of == AGAINST_SENSE:
            x = running * speed
        elif sense_of == AGAINST_MOTION:
            x = abs(speed)
        value = linear_value(x, table, first, end, 1)
    elif kind == OVER_ANGLE:
        value = periodic_value(term[k, GEAR] * turned + term[k, PHASE], term[k, PERIOD], table, first, end)
    elif kind == ORDERS:
        value += orders_value(term[k, GEAR] * turned, table, first, end)
    elif kind == PEDALS:
        turned = math.copysign(1.0, value) * (angle - term[k, REFERENCE])
        value *= 1.0 - term[k, A] * math.cos(2.0 * (turned - term[k, B]))
    if sense_of == COUNTERCLOCKWISE:
        return weight * value
    if sense_of == AGAINST_SENSE:
        return -running * weight * value
    return -weight * value * math.tanh(speed / term[k, STANDSTILL])


@kernel
def further_torques(t, angle, speed, y, dy, first_state, first, end, term, table):
    """Torque of the loads, and of torques that drive, among the terms first to end, counter-clockwise. [N m]

    Rates of their states go to dy, whose states of terms begin at ``first_state``, as in y.
    """
    resisting, applied = 0.0, 0.0
    for k in range(first, end):
        at, own = int(term[k, STATE]), 0.0
        if at >= 0:
            own = y[first_state + at]
            dy[first_state + at] = term_rate(t, speed, own, term, table, k)
        torque = term_torque(t, angle, speed, own, term, table, k)
        if term[k, SENSE_OF] == COUNTERCLOCKWISE:
            applied += torque
        else:
            resisting += torque
    return resisting, applied


@kernel
def torque_of_terms(t, angle, speed, y, first_state, first, end, term, table):
    """Sum of the terms first to end, counter-clockwise; changes nothing. [N m]"""
    total = 0.0
    for k in range(first, end):
        at = int(term[k, STATE])
        own = y[first_state + at] if at >= 0 else 0.0
        total += term_torque(t, angle, speed, own, term, table, k)
    return total
