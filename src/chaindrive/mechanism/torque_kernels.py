"""The torques on the wheels: one list of rows, those of one wheel after another, which add up.

A torque has a row of the table ``torque`` and rows of the array ``torque_table``. It acts on its wheel in one of three
senses (``model.torques.acting``). Some have a state of their own, the current of a motor or the integral part of a
governor, as a part of its reference value; it is part of the state of the system.

The row of the wheel itself, in the table ``running``, describes its motion. The direction of rotation of a wheel is
the one in which the driver turns it through the chain (``DriveFacts.senses``); it holds for all of a run, also
while that turns backwards. Angles count from the start of the run, in the direction of rotation.

Power that loads take is ``output`` in the balance, and so is that of torques that are counter-clockwise whichever way
the drive runs, such as that of a weight on a winch, except a motor's (``Running.motor``): that is ``input``, also while
it brakes.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from chaindrive.kernels import kernel
from chaindrive.kernels.pointers import call_at_three
from chaindrive.kernels.tables import Reals, Wholes
from chaindrive.mechanism.motion import cubic_value, row_of, smooth_weight
from chaindrive.model.torques.acting import (
    AGAINST_MOTION,
    AGAINST_SENSE,
    CONSTANT,
    COUNTERCLOCKWISE,
    DIRECT_CURRENT,
    GOVERNOR,
    INDUCTION,
    INPUT,
    LAW,
    ORDERS,
    OVER_ANGLE,
    OVER_SPEED,
    OVER_TIME,
    OVER_TURN,
    PEDALS,
    RESISTANCE,
)
from chaindrive.physics.controller import controller_output, controller_rate
from chaindrive.physics.motors import dc_current_rate, flux_of, kloss_torque


class Running(NamedTuple):
    """Running data of every wheel, (W,) each."""

    sense: Reals
    """+1 where the wheel runs counter-clockwise, -1 where clockwise"""
    reference_angle: Reals
    """angle of the wheel at the start of the run [rad]"""
    first: Wholes
    end: Wholes
    """its rows of ``torque``; none if both are equal"""
    motor: Reals
    """1 where the power of counter-clockwise torques is input, 0 where it is output"""
    joined: Reals
    """torque of shafts that join it to wheels of other chains, counter-clockwise positive; set while a run continues"""
    turned: Reals
    """1 where such a shaft turns the wheel, so that its power is input"""


class TorqueRows(NamedTuple):
    """Torques, one each.

    Meaning of ``value`` and ``a`` to ``e``, by kind:

    - RESISTANCE: ``value`` against the rotation; ``a`` c [N m s/rad] and ``b`` q [N m s^2/rad^2] against the
      speed, c w + q w abs(w).
    - OVER_ANGLE, OVER_TURN: cubics over the angle turned; over a turn the course rises linearly.
    - INDUCTION: ``value`` pull-out torque; ``a`` synchronous speed with its sign, ``b`` critical slip speed, ``c`` the
      same at rest, ``d`` 1 where the voltage is tabulated, otherwise V/f; table of the supply: time, frequency, slope,
      voltage, slope.
    - DIRECT_CURRENT: ``value`` stall torque with its sign; ``a`` no-load speed, ``b`` time constant; table: time,
      voltage, slope. The state is the current over that at stall.
    - LAW: ``law`` of time, angle turned and speed, in its own direction.
    - GOVERNOR: ``value`` largest size of its torque, to which the state is referred; ``a`` speed with its sign, ``b``
      proportional, ``c`` integral, ``d`` least, ``e`` largest; ``rise`` the ramp of the required speed.
    - PEDALS: ``value`` mean, ``a`` ripple, ``b`` dead centre, turned in the direction of the mean.
    - INPUT: one row of the table, a cubic in time since the first of its numbers (``contract.inputs``).
    """

    kind: Wholes
    """CONSTANT, ..."""
    sense_of: Wholes
    """COUNTERCLOCKWISE, AGAINST_SENSE, AGAINST_MOTION"""
    gear: Reals
    phase: Reals
    period: Reals
    """angle of the table = gear x turned + phase, modulo the period, from 0 [-, rad, rad]"""
    rows: Wholes
    rows_end: Wholes
    """rows of the table that belong to it"""
    start: Reals
    rise: Reals
    hold: Reals
    fall: Reals
    """course over time; ``hold`` infinite: until the run ends [s]"""
    every: Reals
    pulses: Reals
    """[s, -]"""
    value: Reals
    """constant torque, mean of orders [N m]; of other kinds see above"""
    state: Wholes
    """index of its state among those of all torques; -1 for none"""
    law: Wholes
    """address of a user-defined law [kernels.pointers]"""
    standstill: Reals
    """speed scale of torques that act against the motion [rad/s]"""
    a: Reals
    b: Reals
    c: Reals
    d: Reals
    e: Reals
    """coefficients of the law of the kind"""


TABLE_COLUMNS = 6
"""Linear: point, value, slope. Over the angle: knot, four coefficients of the cubic after it. Orders: order, amplitude,
phase. The rest is 0."""


@kernel
def linear_value(x, table, first, end, column):
    """Piecewise linear value in ``column`` of rows table[first:end], whose slope is in the next one; constant
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
    return cubic_value(x - period * math.floor(x / period), table, first, end)


@kernel
def orders_value(angle, table, first, end):
    """Sum of amplitude x sin(order x angle + phase)."""
    total = 0.0
    for i in range(first, end):
        total += table[i, 1] * math.sin(table[i, 0] * angle + table[i, 2])
    return total


@kernel
def course_weight(t, torque, k):
    """Part of torque k that acts at time t: 0 before its start, up to 1, and back to 0 after its hold.

    Smoothly; over a turn linearly (Pedersen 2004, section 4.3.1). Without a rise it acts at its start, too: the static
    equilibrium of the start then contains it.
    """
    s = t - torque.start[k]
    if s < 0.0:
        return 0.0
    if torque.pulses[k] > 1.0:
        s -= torque.every[k] * min(math.floor(s / torque.every[k]), torque.pulses[k] - 1.0)
    rise, hold, fall = torque.rise[k], torque.hold[k], torque.fall[k]
    if s < rise:
        return s / rise if torque.kind[k] == OVER_TURN else smooth_weight(s / rise)
    s -= rise + hold
    if s < 0.0:
        return 1.0
    return 1.0 - smooth_weight(s / fall) if s < fall else 0.0


@kernel
def _motor_torque(kind, t, speed, own, p, k):
    """Torque of a motor or governor with the state ``own`` at a speed [rad/s], counter-clockwise. [N m]"""
    torque, table = p.torque, p.torque_table
    first, end = torque.rows[k], torque.rows_end[k]
    if kind == INDUCTION:
        frequency, flux = 1.0, 1.0
        if first < end:
            frequency = linear_value(t, table, first, end, 1)
            voltage = linear_value(t, table, first, end, 3) if torque.d[k] > 0.0 else -1.0
            flux = flux_of(frequency, voltage)
        slip_speed = frequency * torque.a[k] - speed
        return kloss_torque(slip_speed, flux, torque.value[k], torque.b[k], torque.c[k], abs(torque.a[k]))
    if kind == DIRECT_CURRENT:
        if torque.state[k] >= 0.0:
            return torque.value[k] * own
        voltage = linear_value(t, table, first, end, 1) if first < end else 1.0
        return torque.value[k] * (voltage - speed / torque.a[k])
    if kind == GOVERNOR:
        part = torque.value[k] * own
        limited = controller_output(_too_slow(t, speed, torque, k), part, torque.b[k], torque.d[k], torque.e[k])
        return math.copysign(1.0, torque.a[k]) * limited
    return math.nan


@kernel
def _too_slow(t, speed, torque, k):
    """Amount by which a governed wheel is slower than its set speed, in the direction of that speed. [rad/s]"""
    wanted = abs(torque.a[k])
    if t < torque.rise[k]:
        wanted *= smooth_weight(t / torque.rise[k])
    return wanted - math.copysign(1.0, torque.a[k]) * speed


@kernel
def state_rate(t, speed, own, p, k):
    """Rate of the state ``own`` of torque k, with its wheel at a speed [rad/s]. [1/s]"""
    torque = p.torque
    if torque.kind[k] == DIRECT_CURRENT:
        first, end = torque.rows[k], torque.rows_end[k]
        voltage = linear_value(t, p.torque_table, first, end, 1) if first < end else 1.0
        return dc_current_rate(speed, own, voltage, torque.a[k], torque.b[k])
    reference = torque.value[k]
    error, part = _too_slow(t, speed, torque, k), reference * own
    return controller_rate(error, part, torque.b[k], torque.c[k], torque.d[k], torque.e[k]) / reference


@kernel
def _value(t, angle, speed, p, w, k):
    """Torque k, not a motor, at its full size in its own direction; not-a-number of an unknown kind. [N m]"""
    torque, table = p.torque, p.torque_table
    kind, sense_of, running = torque.kind[k], torque.sense_of[k], p.running.sense[w]
    first, end = torque.rows[k], torque.rows_end[k]
    turned = running * (angle - p.running.reference_angle[w])
    value = torque.value[k]
    if kind == CONSTANT:
        return value
    if kind == OVER_TIME:
        return linear_value(t, table, first, end, 1)
    if kind == INPUT:
        return cubic_value(t, table, first, end)
    x = speed
    if sense_of == AGAINST_SENSE:
        x = running * speed
    elif sense_of == AGAINST_MOTION:
        x = abs(speed)
    if kind == OVER_SPEED:
        return linear_value(x, table, first, end, 1)
    if kind == LAW:
        return call_at_three(torque.law[k], t, turned, x)
    if kind in (OVER_ANGLE, OVER_TURN):
        return periodic_value(torque.gear[k] * turned + torque.phase[k], torque.period[k], table, first, end)
    if kind == ORDERS:  # in the sense of the mean; without one, of the run
        swing = orders_value(torque.gear[k] * turned, table, first, end)
        backwards = value < 0.0 or (value == 0.0 and running < 0.0)
        return value - swing if sense_of == COUNTERCLOCKWISE and backwards else value + swing
    if kind == PEDALS:
        turned = math.copysign(1.0, value) * (angle - p.running.reference_angle[w])
        return value * (1.0 - torque.a[k] * math.cos(2.0 * (turned - torque.b[k])))
    return math.nan


@kernel
def torque_of(t, angle, speed, own, p, w, k):
    """Torque k on its wheel w, counter-clockwise positive. [N m]

    t [s]; angle [rad], speed [rad/s] of the wheel, counter-clockwise; own: the state of the torque, if it has one. p
    has ``running``, ``torque`` and ``torque_table``.
    """
    kind, running = p.torque.kind[k], p.running.sense[w]
    if kind == RESISTANCE:
        return -running * p.torque.value[k] - (p.torque.a[k] + p.torque.b[k] * abs(speed)) * speed
    if kind >= INDUCTION:
        return _motor_torque(kind, t, speed, own, p, k)
    weight, sense_of = course_weight(t, p.torque, k), p.torque.sense_of[k]
    if weight == 0.0:
        return 0.0
    value = weight * _value(t, angle, speed, p, w, k)
    if sense_of == COUNTERCLOCKWISE:
        return value
    if sense_of == AGAINST_SENSE:
        return -running * value
    return -value * math.tanh(speed / p.torque.standstill[k])


@kernel
def wheel_torques(t, angle, speed, y, dy, first_state, p, w):
    """Torque of the loads on wheel w, including the torques of shafts, and of the counter-clockwise ones. [N m, N m]

    Both counter-clockwise positive. Rates of states go to dy, in which they begin at ``first_state``, as in y.
    """
    resisting, applied = p.running.joined[w], 0.0
    for k in range(p.running.first[w], p.running.end[w]):
        at, own = p.torque.state[k], 0.0
        if at >= 0:
            own = y[first_state + at]
            dy[first_state + at] = state_rate(t, speed, own, p, k)
        torque = torque_of(t, angle, speed, own, p, w, k)
        if p.torque.sense_of[k] == COUNTERCLOCKWISE:
            applied += torque
        else:
            resisting += torque
    return resisting, applied


@kernel(inner=True)
def torque_at_rest(t, angle, y, first_state, p, w):
    """Sum of the torques on wheel w at standstill without those of shafts, counter-clockwise; no states change. [N
    m]
    """
    total = 0.0
    for k in range(p.running.first[w], p.running.end[w]):
        at = p.torque.state[k]
        own = y[first_state + at] if at >= 0 else 0.0
        total += torque_of(t, angle, 0.0, own, p, w, k)
    return total


@kernel(inline=True)
def shaft_powers(load, applied, speed, p, w):
    """Power that the two torques of ``wheel_torques`` supply to the drive at wheel w and take from it: the parts of
    input and output. [W]

    speed of the wheel [rad/s].
    """
    driving = p.running.joined[w] if p.running.turned[w] > 0.0 else 0.0
    if p.running.motor[w] > 0.0:
        return (driving + applied) * speed, (driving - load) * speed
    return driving * speed, (driving - load - applied) * speed
