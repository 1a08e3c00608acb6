"""The torques on the wheels, as one list of rows, wheel by wheel; the torques on a wheel add up.

A torque has a row of the table ``torque`` and rows of the array ``torque_table``. It acts on its wheel in one of three
senses (``model.torques.acting``). Some torques have a state of their own, which is part of the state of the system: the
current of a motor or the integral part of a governor, relative to its reference value.

The row of the wheel itself, in the table ``running``, describes its rotation. The direction of rotation of a wheel is
that in which the driver turns it through the chain (``DriveFacts.senses``); it applies to the whole run, even while the
drive turns backwards. Angles are counted from the start of the run, in the direction of rotation.

Power that loads absorb is ``output`` in the balance. So is the power of torques with a fixed direction, whichever way
the drive runs, such as that of a weight on a winch. The power of motors (``Running.motor``) is ``input``, even while
they brake.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import chaindrive.model.torques.acting as A
from chaindrive.kernels import kernel
from chaindrive.kernels.pointers import call_at_three
from chaindrive.kernels.tables import Reals, Wholes
from chaindrive.mechanism.motion import cubic_value, row_of, smooth_weight
from chaindrive.physics.controller import controller_output, controller_rate
from chaindrive.physics.motors import dc_current_rate, flux_of, kloss_torque


class Running(NamedTuple):
    """Running data of every wheel, (W,) each."""

    sense: Reals
    """+1 if the wheel turns counter-clockwise, -1 if clockwise"""
    reference_angle: Reals
    """angle of the wheel at the start of the run [rad]"""
    first: Wholes
    end: Wholes
    """rows of ``torque`` that belong to the wheel; none if both are equal"""
    motor: Reals
    """1 if the power of counter-clockwise torques is input, 0 if it is output"""
    joined: Reals
    """torque of shafts that join the wheel to wheels of other chains, counter-clockwise positive; set during a run"""
    turned: Reals
    """1 if such a shaft turns the wheel, so that its power is input"""


class TorqueRows(NamedTuple):
    """Torques, one per row.

    The branches of ``torque_of``, ``_motor_torque`` and ``_value`` state what ``value`` and ``a`` to ``e`` mean.
    """

    kind: Wholes
    """CONSTANT, ..."""
    sense_of: Wholes
    """COUNTERCLOCKWISE, AGAINST_SENSE, AGAINST_MOTION"""
    gear: Reals
    phase: Reals
    period: Reals
    """angle in the table = gear x angle turned + phase, modulo the period [-, rad, rad]"""
    rows: Wholes
    rows_end: Wholes
    """rows of the table that belong to the torque"""
    start: Reals
    rise: Reals
    hold: Reals
    fall: Reals
    """course over time; ``hold`` infinite: until the run ends [s]"""
    every: Reals
    pulses: Reals
    """[s, -]"""
    value: Reals
    """for most kinds the constant torque, the mean, or the largest torque [N m]"""
    state: Wholes
    """index of the state of the torque among those of all torques; -1: none"""
    law: Wholes
    """address of a user-defined law [kernels.pointers]"""
    standstill: Reals
    """speed scale of torques that act against the motion [rad/s]"""
    a: Reals
    b: Reals
    c: Reals
    d: Reals
    e: Reals
    """coefficients, depending on the kind"""


TABLE_COLUMNS = 6
"""Linear: point, value, slope. Over the angle: knot, four coefficients of the cubic after it. Orders: order, amplitude,
phase. Unused columns are 0.
"""


@kernel
def linear_value(x, table, first, end, column):
    """Return a piecewise linear value from ``column`` of the rows table[first:end], with the slope in the next column;
    constant beyond both ends.
    """
    if x <= table[first, 0]:
        return table[first, column]
    if x >= table[end - 1, 0]:
        return table[end - 1, column]
    row = row_of(x, table, first, end)
    return table[row, column] + table[row, column + 1] * (x - table[row, 0])


@kernel
def periodic_value(x, period, table, first, end):
    """Return the value of the cubics of table[first:end], whose knots begin at 0, repeated with a period."""
    return cubic_value(x - period * math.floor(x / period), table, first, end)


@kernel
def orders_value(angle, table, first, end):
    """Return the sum of amplitude x sin(order x angle + phase)."""
    total = 0.0
    for i in range(first, end):
        total += table[i, 1] * math.sin(table[i, 0] * angle + table[i, 2])
    return total


@kernel
def course_weight(t, torque, k):
    """Return the fraction of torque k that acts at time t: 0 before its start, rising to 1, and falling back to 0 after
    its hold.

    It changes smoothly, or linearly for OVER_TURN (Pedersen 2004, section 4.3.1). Without a rise, the full torque acts
    at its start, so that it is included in the static equilibrium at the start of a run.
    """
    s = t - torque.start[k]
    if s < 0.0:
        return 0.0
    if torque.pulses[k] > 1.0:
        s -= torque.every[k] * min(math.floor(s / torque.every[k]), torque.pulses[k] - 1.0)
    rise, hold, fall = torque.rise[k], torque.hold[k], torque.fall[k]
    if s < rise:
        return s / rise if torque.kind[k] == A.OVER_TURN else smooth_weight(s / rise)
    s -= rise + hold
    if s < 0.0:
        return 1.0
    return 1.0 - smooth_weight(s / fall) if s < fall else 0.0


@kernel
def _motor_torque(kind, t, speed, own, p, k):
    """Return the torque of a motor or governor with the state ``own`` at a speed [rad/s], counter-clockwise. [N m]"""
    torque, table = p.torque, p.torque_table
    first, end = torque.rows[k], torque.rows_end[k]
    if kind == A.INDUCTION:
        # value: pull-out torque; a: synchronous speed with its sign; b: pull-out slip speed, c: the same at rest;
        # d: 1 if the voltage is tabulated, otherwise V/f; table: time, frequency, slope, voltage, slope of the supply
        frequency, flux = 1.0, 1.0
        if first < end:
            frequency = linear_value(t, table, first, end, 1)
            voltage = linear_value(t, table, first, end, 3) if torque.d[k] > 0.0 else -1.0
            flux = flux_of(frequency, voltage)
        slip_speed = frequency * torque.a[k] - speed
        return kloss_torque(slip_speed, flux, torque.value[k], torque.b[k], torque.c[k], abs(torque.a[k]))
    if kind == A.DIRECT_CURRENT:
        # value: stall torque with its sign; a: no-load speed; b: time constant; table: time, voltage, slope;
        # state: the current divided by the current at stall
        if torque.state[k] >= 0.0:
            return torque.value[k] * own
        voltage = linear_value(t, table, first, end, 1) if first < end else 1.0
        return torque.value[k] * (voltage - speed / torque.a[k])
    if kind == A.GOVERNOR:
        # value: largest magnitude of the torque, to which the state is referred; a: speed with its sign;
        # b: proportional gain; c: integral gain; d: least and e: largest torque; rise: ramp of the set speed
        part = torque.value[k] * own
        limited = controller_output(_too_slow(t, speed, torque, k), part, torque.b[k], torque.d[k], torque.e[k])
        return math.copysign(1.0, torque.a[k]) * limited
    return math.nan


@kernel
def _too_slow(t, speed, torque, k):
    """Return the amount by which a governed wheel is slower than its set speed, in the direction of that speed.
    [rad/s]
    """
    wanted = abs(torque.a[k])
    if t < torque.rise[k]:
        wanted *= smooth_weight(t / torque.rise[k])
    return wanted - math.copysign(1.0, torque.a[k]) * speed


@kernel
def state_rate(t, speed, own, p, k):
    """Return the rate of the state ``own`` of torque k, with its wheel at a speed [rad/s]. [1/s]"""
    torque = p.torque
    if torque.kind[k] == A.DIRECT_CURRENT:
        first, end = torque.rows[k], torque.rows_end[k]
        voltage = linear_value(t, p.torque_table, first, end, 1) if first < end else 1.0
        return dc_current_rate(speed, own, voltage, torque.a[k], torque.b[k])
    reference = torque.value[k]
    error, part = _too_slow(t, speed, torque, k), reference * own
    return controller_rate(error, part, torque.b[k], torque.c[k], torque.d[k], torque.e[k]) / reference


@kernel
def _value(t, angle, speed, p, w, k):
    """Return torque k, other than of a motor, at its full size in its own direction; NaN for an unknown kind. [N m]"""
    torque, table = p.torque, p.torque_table
    kind, sense_of, running = torque.kind[k], torque.sense_of[k], p.running.sense[w]
    first, end = torque.rows[k], torque.rows_end[k]
    value, turned, x = torque.value[k], running * (angle - p.running.reference_angle[w]), speed
    if sense_of == A.AGAINST_SENSE:
        x = running * speed
    elif sense_of == A.AGAINST_MOTION:
        x = abs(speed)
    if kind == A.CONSTANT:
        return value
    if kind == A.OVER_TIME:
        return linear_value(t, table, first, end, 1)
    if kind == A.INPUT:
        # table: one row, a cubic in the time since its first number (``contract.inputs``)
        return cubic_value(t, table, first, end)
    if kind == A.OVER_SPEED:
        return linear_value(x, table, first, end, 1)
    if kind == A.LAW:
        # law: a function of time, angle turned and speed, in its own direction
        return call_at_three(torque.law[k], t, turned, x)
    if kind in (A.OVER_ANGLE, A.OVER_TURN):
        # table: cubics as functions of the angle turned; with OVER_TURN the torque fades in linearly
        return periodic_value(torque.gear[k] * turned + torque.phase[k], torque.period[k], table, first, end)
    if kind == A.ORDERS:
        # value: mean; the orders act in the sense of the mean; without one, in that of the run
        swing = orders_value(torque.gear[k] * turned, table, first, end)
        backwards = value < 0.0 or (value == 0.0 and running < 0.0)
        return value - swing if sense_of == A.COUNTERCLOCKWISE and backwards else value + swing
    if kind == A.PEDALS:
        # value: mean; a: ripple; b: dead centre, turned in the direction of the mean
        turned = math.copysign(1.0, value) * (angle - p.running.reference_angle[w])
        return value * (1.0 - torque.a[k] * math.cos(2.0 * (turned - torque.b[k])))
    return math.nan


@kernel
def torque_of(t, angle, speed, own, p, w, k):
    """Return torque k on wheel w, counter-clockwise positive. [N m]

    t [s]; angle [rad], speed [rad/s] of the wheel, counter-clockwise; own: the state of the torque, if it has one. p
    has ``running``, ``torque`` and ``torque_table``.
    """
    kind, running = p.torque.kind[k], p.running.sense[w]
    if kind == A.RESISTANCE:
        # value: opposes the rotation; a [N m s/rad], b [N m s^2/rad^2]: oppose the speed w with a w + b w abs(w)
        return -running * p.torque.value[k] - (p.torque.a[k] + p.torque.b[k] * abs(speed)) * speed
    if kind >= A.INDUCTION:
        return _motor_torque(kind, t, speed, own, p, k)
    weight, sense_of = course_weight(t, p.torque, k), p.torque.sense_of[k]
    if weight == 0.0:
        return 0.0
    value = weight * _value(t, angle, speed, p, w, k)
    if sense_of == A.COUNTERCLOCKWISE:
        return value
    if sense_of == A.AGAINST_SENSE:
        return -running * value
    return -value * math.tanh(speed / p.torque.standstill[k])


@kernel
def wheel_torques(t, angle, speed, y, dy, first_state, p, w):
    """Return the torque of the loads on wheel w, including those of shafts, and the torque of fixed direction. [N m, N
    m]

    Both are positive counter-clockwise. The rates of the states are written into dy, where they begin at
    ``first_state``, as in y.
    """
    resisting, applied = p.running.joined[w], 0.0
    for k in range(p.running.first[w], p.running.end[w]):
        at, own = p.torque.state[k], 0.0
        if at >= 0:
            own = y[first_state + at]
            dy[first_state + at] = state_rate(t, speed, own, p, k)
        torque = torque_of(t, angle, speed, own, p, w, k)
        if p.torque.sense_of[k] == A.COUNTERCLOCKWISE:
            applied += torque
        else:
            resisting += torque
    return resisting, applied


@kernel(inner=True)
def torque_at_rest(t, angle, y, first_state, p, w):
    """Return the sum of the torques on wheel w at standstill, excluding those of shafts, counter-clockwise. [N m]"""
    total = 0.0
    for k in range(p.running.first[w], p.running.end[w]):
        at = p.torque.state[k]
        own = y[first_state + at] if at >= 0 else 0.0
        total += torque_of(t, angle, 0.0, own, p, w, k)
    return total


@kernel(inline=True)
def shaft_powers(load, applied, speed, p, w):
    """Return the powers of input and output at wheel w: what the two torques of ``wheel_torques`` supply to the drive
    and take from it. [W]

    speed: of the wheel [rad/s].
    """
    driving = p.running.joined[w] if p.running.turned[w] > 0.0 else 0.0
    if p.running.motor[w] > 0.0:
        return (driving + applied) * speed, (driving - load) * speed
    return driving * speed, (driving - load - applied) * speed
