"""The right-hand side of the equations of motion of the rocker-pin chain, with and without friction.

Two pairs of sheaves hold the pins of the chain by their ends; one sheave of each pair is movable along its axis
(physics/sheave.py). The model follows Pfeiffer, Fritz & Srnik (1997), section 4.1. The chain consists of point masses
at the pins or of rigid links (chain.py); the equations below are those of point masses.

State: q = [chain(2 N: x, y of pins; or 3 N: x, y, angle of links), angles(W), closed(W)],  v = dq/dt,  w = [work
integrals (parameters.WORKS), works of shafts(W), tilt a(W), tilt b(W), states of motors and governors,
integral parts of the controllers(W)].

    m x_i''   = T_i u_i - T_(i-1) u_(i-1) + 2 Q (tan(beta) e_r + (a, b)) + 2 G / cos(beta) e_r + 2 F e_t + m g
    J w_k'    = shaft - bearing - sum of 2 F r
    m_k s_k'' = S_k - d_k s_k' - sum of Q                               or s_k as prescribed
    a_k'      = (sum of Q X / k - a_k) / tau,   b_k likewise               tilt about inertial axes

A tilt of given size turns towards the moment instead, or is fixed if its direction is also given.

G and F are the forces of friction on one end of a pin, along the generator and around the axis. ``rhs`` uses the forces
that the last ``resolve`` found (contract/pointwise.py).
"""

from __future__ import annotations

import math

from chaindrive.formulations.cvt import parameters as P
from chaindrive.formulations.cvt.chain import (
    chain_energies,
    mean_velocity,
    pin_mobility,
    pull,
    push,
    velocity_after,
)
from chaindrive.formulations.cvt.joints import hold_joints, pull_joints, ready_joints
from chaindrive.kernels import fill, kernel
from chaindrive.mechanism.motion import FREE, motion_acceleration
from chaindrive.mechanism.torque_kernels import linear_value
from chaindrive.mechanism.wheels import shaft_moment, turn_wheel
from chaindrive.physics.bearing import bearing_moment
from chaindrive.physics.controller import controller_output, controller_rate
from chaindrive.physics.pointwise_friction import coulomb, coupled_coulomb, regularised
from chaindrive.physics.sheave import axial_force, closure, closure_rate, tilt_rate

N_WORKS, PAIRS, TILTS = len(P.WORKS), P.PAIRS, P.TILTS
BEFORE_TILTS = N_WORKS + PAIRS
"""Number of works that precede the tilts in the state."""
SWEEPS, SETTLED = 12, 1e-3
"""Largest number of times that friction and the forces of revolute joints are solved in turn; and the change in
friction below which they count as solved, relative to the largest axial force of a pin times the coefficient of
friction. [-]"""
NEAR = 1.001
"""Smallest radius within which pins are checked for contact, relative to the running radius as drawn. [-]"""


@kernel(apart=True)
def rhs(t, y, dy, p):
    """Write dy/dt of the state y at time t, with the friction that was found last."""
    release(t, y, dy, p)
    speeds = p.coordinates + 2 * PAIRS
    work = 2 * speeds
    if p.revolute:
        pull_joints(dy, speeds, p)
    fill(p.sum.torque, 0.0)
    lost = 0.0
    for c in range(p.contacts[0]):
        i, w = p.touch.pin[c], p.touch.wheel[c]
        ex, ey, radius = p.touch.ex[c], p.touch.ey[c], p.touch.radius[c]
        outward, around = 2.0 * p.pin.along[i] / p.cosine, 2.0 * p.pin.across[i]
        vx, vy = p.place.vx[i], p.place.vy[i]
        _pull(dy, speeds, i, w, outward, around, ex, ey, p)
        p.sum.torque[w] -= around * radius
        dy[work + P.WORK_RADIAL] -= outward * (vx * ex + vy * ey)
        lost -= around * (vy * ex - vx * ey)
    for w in range(PAIRS):
        lost -= _brake(dy, speeds, w, work, y[speeds + p.coordinates + w], 0.0, p)
    dy[work + P.WORK_CIRCUMFERENTIAL] += lost


@kernel(apart=True)
def release(t, y, dy, p):
    """Write dy/dt without friction; contacts are left in ``p.touch``, tensions in ``p.link``, sums in ``p.sum``."""
    speeds = p.coordinates + 2 * PAIRS
    work = 2 * speeds
    for k in range(speeds):
        dy[k] = y[speeds + k]
    for k in range(work, y.size):
        dy[k] = 0.0
    dy[work + P.WORK_LINK_DAMPING] = pull(y, dy, p, speeds)
    dy[work + P.WORK_PIN_DAMPING] = _press(y, dy, p, speeds)
    for w in range(PAIRS):
        _tilt(y, dy, p, w, work)
        _close(t, y, dy, p, w, speeds, work)
        _turn(t, y, dy, p, w, speeds, work)


@kernel(inner=True)
def _press(y, dy, p, speeds):
    """Find the contacts and the resulting forces along the pins; return the damping power of the pins. [W]

    The damping of the tilt itself is added in ``_tilt``.
    """
    place, chain, tilts = p.place, p.coordinates, 2 * speeds + BEFORE_TILTS
    for w in range(PAIRS):
        p.sum.thrust[w] = p.sum.tilting_x[w] = p.sum.tilting_y[w] = 0.0
        p.sum.damped_x[w] = p.sum.damped_y[w] = p.sum.touching[w] = p.sum.running[w] = 0.0
        p.sum.bearing_x[w] = p.sum.bearing_y[w] = 0.0
    slope = p.sine / p.cosine
    lost, c = 0.0, 0
    for i in range(p.pins):
        along = (place.x[i] - p.wheel.x[0]) * p.line_x + (place.y[i] - p.wheel.y[0]) * p.line_y
        w = 1 if along > 0.5 * p.distance else 0
        x, above = place.x[i] - p.wheel.x[w], place.y[i] - p.wheel.y[w]
        a, b, closed = y[tilts + w], y[tilts + PAIRS + w], y[chain + PAIRS + w]
        square = x * x + above * above
        reference = p.sheave.radius[w]
        farthest = NEAR * reference + (0.5 * abs(closed) + 2.0 * reference * (abs(a) + abs(b))) / slope
        if square >= farthest * farthest:
            continue
        radius = math.sqrt(square)
        deep = closure(reference, radius, slope, closed, a * x + b * above)
        if deep <= 0.0:
            continue
        vx, vy = place.vx[i], place.vy[i]
        ex, ey = x / radius, above / radius
        closing = y[speeds + chain + PAIRS + w]
        rate = closure_rate(vx * ex + vy * ey, slope, closing, a * vx + b * vy)
        axial = axial_force(deep, rate, p.pin_stiffness, p.pin_damping)
        damped = axial - p.pin_stiffness * deep
        lost += damped * rate
        p.touch.pin[c], p.touch.wheel[c], p.touch.radius[c] = i, w, radius
        p.touch.ex[c], p.touch.ey[c], p.touch.axial[c] = ex, ey, axial
        c += 1
        p.sum.thrust[w] += axial
        p.sum.tilting_x[w] += axial * x
        p.sum.tilting_y[w] += axial * above
        p.sum.damped_x[w] += damped * x
        p.sum.damped_y[w] += damped * above
        p.sum.touching[w] += 1.0
        p.sum.running[w] += radius
        fx, fy = 2.0 * axial * (slope * ex + a), 2.0 * axial * (slope * ey + b)
        push(dy, speeds, i, fx, fy, p)
        p.sum.bearing_x[w] -= fx
        p.sum.bearing_y[w] -= fy
    p.contacts[0] = c
    for w in range(PAIRS):
        if p.sum.touching[w] > 0.0:
            p.sum.running[w] /= p.sum.touching[w]
    return lost


@kernel(inner=True)
def _tilt(y, dy, p, w, work):
    """Write the rates of the tilt of pair w, and the powers lost in the tilt itself and in the damping of the pins."""
    first = work + BEFORE_TILTS + w
    if p.sheave.time[w] == math.inf:
        dy[first] = dy[first + PAIRS] = 0.0
        return
    stiffness, time, size = p.sheave.stiffness[w], p.sheave.time[w], p.sheave.size[w]
    moment_a, moment_b = p.sum.tilting_x[w], p.sum.tilting_y[w]
    if size > 0.0:  # as large as given, towards the moment
        moment = math.sqrt(moment_a * moment_a + moment_b * moment_b)
        stiffness = moment / size if moment > 0.0 else math.inf
    rate_a = tilt_rate(moment_a, y[first], stiffness, time)
    rate_b = tilt_rate(moment_b, y[first + PAIRS], stiffness, time)
    if size > 0.0:  # what pins do on it is neither stored nor given back
        dy[work + P.WORK_TILT] += 2.0 * (moment_a * rate_a + moment_b * rate_b)
    else:
        dy[work + P.WORK_TILT] += 2.0 * stiffness * time * (rate_a * rate_a + rate_b * rate_b)
    dy[first], dy[first + PAIRS] = rate_a, rate_b
    dy[work + P.WORK_PIN_DAMPING] -= 2.0 * (p.sum.damped_x[w] * rate_a + p.sum.damped_y[w] * rate_b)


@kernel(inner=True)
def _close(t, y, dy, p, w, speeds, work):
    """Write the acceleration of the movable sheave of pair w, and the powers of its force and its damping."""
    at = speeds + p.coordinates + PAIRS + w
    speed = y[at]
    damping = p.sheave.damping[w] * speed
    dy[work + P.WORK_SHEAVE_DAMPING] += damping * speed
    if p.shift_kind[w] == FREE:
        force = p.sheave.force[w] if p.control.sense[w] == 0.0 else _controlled_force(t, y, dy, p, w, speeds)
        dy[at] = (force - damping - p.sum.thrust[w]) / p.sheave.mass[w]
        dy[work + P.WORK_INPUT] += force * speed
    else:
        dy[at] = motion_acceleration(p.shift_kind[w], t, y[p.coordinates + PAIRS + w], p.shift, p.shift_table, w)
        dy[work + P.WORK_INPUT] += closing_force(dy[at], speed, p, w) * speed


@kernel(inner=True)
def _controlled_force(t, y, dy, p, w, speeds):
    """Return the force of the ratio controller on pair w [N], and write the rate of its integral part into dy.

    The proportional and integral parts are added to the initial force, within limits. If the driven pair hardly turns,
    or turns opposite to the driving pair, as under a load before a start, the ratio is undefined and the force stays.
    """
    control, given, own = p.control, p.sheave.force[w], y.size - PAIRS + w
    least, largest, gain = control.least[w], control.largest[w], control.proportional[w]
    part = largest * y[own]
    driving = w if control.sense[w] > 0.0 else 1 - w
    first, second = y[speeds + p.coordinates + driving], y[speeds + p.coordinates + 1 - driving]
    if abs(second) <= control.slow[w] or first * second <= 0.0:
        return given + controller_output(0.0, part, gain, least - given, largest - given)
    wanted = linear_value(t, p.target, control.rows[w], control.rows_end[w], 1)
    error = control.sense[w] * (first / second - wanted)
    low, high = least - given, largest - given
    dy[own] = controller_rate(error, part, gain, control.integral[w], low, high) / largest
    return given + controller_output(error, part, gain, low, high)


@kernel(inline=True)
def closing_force(acceleration, speed, p, w):
    """Return the force that closes pair w, whose sheave moves with this acceleration [m/s^2] and speed [m/s]. [N]"""
    return p.sum.thrust[w] + p.sheave.damping[w] * speed + p.sheave.mass[w] * acceleration


@kernel(inner=True)
def _turn(t, y, dy, p, w, speeds, work):
    """Write the angular acceleration of pair w without the friction of its pins, and the powers of its shaft and
    bearing.
    """
    at, own, machines = speeds + p.coordinates + w, work + N_WORKS + w, work + BEFORE_TILTS + TILTS
    angle, speed = y[p.coordinates + w], y[at]
    bearing = bearing_moment(speed, p.wheel.bearing_damping[w], p.wheel.bearing_friction[w])
    moment = shaft_moment(t, angle, speed, y, dy, machines, work, own, p, w) - bearing
    dy[work + P.WORK_BEARING] += bearing * speed
    turn_wheel(p.motion_kind[w], t, angle, speed, moment, p.wheel.inertia[w], dy, at, work, own, p, w)


@kernel(inline=True)
def _pull(dy, speeds, i, w, outward, around, ex, ey, p):
    """Apply the force of pair w on pin i, outwards and around the axis [N], to the pin, and its reaction
    to the pair.
    """
    fx, fy = outward * ex - around * ey, outward * ey + around * ex
    push(dy, speeds, i, fx, fy, p)
    p.sum.bearing_x[w] -= fx
    p.sum.bearing_y[w] -= fy


@kernel(inline=True)
def _brake(dy, speeds, w, work, speed, h, p):
    """Apply the friction of its pins to pair w; return the power that it receives from them, at the mean speed. [W]

    h: duration of the step over which the speed is averaged [s]; 0: use the speed at the start of the step.
    """
    at, torque = speeds + p.coordinates + w, p.sum.torque[w]
    if p.motion_kind[w] == FREE:
        dy[at] += torque / p.wheel.inertia[w]
        return torque * (speed + 0.5 * h * dy[at])
    power = torque * (speed + 0.5 * h * dy[at])
    dy[work] -= power
    dy[work + N_WORKS + w] -= power
    return power


@kernel(apart=True)
def resolve(t, y, dy, h, p):
    """Find the friction of every pin, implicitly over a step h [s], see contract/pointwise.py."""
    if p.revolute:
        _settle(y, dy, h, p)
    else:
        _free_speeds(y, dy, h, p)
        _solve(p.touch, p.contacts[0], p.friction, p.sine, p.cosine, p.smooth, p.rigid)
    _apply(y, dy, h, p)


@kernel(inner=True)
def _settle(y, dy, h, p):
    """Solve friction and forces of revolute joints together, and add their accelerations to dy.

    Each contact is solved separately for given forces of the joints, then the joints for given friction, and so on.
    This is a projected gradient method. It always converges, because contacts are solved with the mobility of
    individual links, and the joints make that of a pin smaller. The iteration begins with the friction of the
    previous step.
    """
    touch, speeds, rates = p.touch, p.coordinates + 2 * PAIRS, p.joint.rates
    ready_joints(p)
    largest = 0.0
    for c in range(p.contacts[0]):
        touch.force_along[c], touch.force_across[c] = p.pin.along[touch.pin[c]], p.pin.across[touch.pin[c]]
        largest = max(largest, touch.axial[c])
    for _ in range(SWEEPS):
        _hold(y, dy, h, p)
        _free_speeds(y, rates, h, p)
        for c in range(p.contacts[0]):
            along, across, askew = touch.force_along[c], touch.force_across[c], touch.give_askew[c]
            touch.along[c] -= touch.give_along[c] * along + askew * across
            touch.across[c] -= touch.give_across[c] * across + askew * along
            touch.before_along[c], touch.before_across[c] = along, across
        _solve(touch, p.contacts[0], p.friction, p.sine, p.cosine, p.smooth, p.rigid)
        change = 0.0
        for c in range(p.contacts[0]):
            change = max(change, abs(touch.force_along[c] - touch.before_along[c]))
            change = max(change, abs(touch.force_across[c] - touch.before_across[c]))
        if change <= SETTLED * p.friction * largest:
            break
    _hold(y, dy, h, p)
    pull_joints(dy, speeds, p)


@kernel(inner=True)
def _hold(y, dy, h, p):
    """Find the joint forces with the friction in ``touch``; all accelerations are left in ``p.joint.rates``."""
    touch, speeds, rates = p.touch, p.coordinates + 2 * PAIRS, p.joint.rates
    for k in range(speeds, 2 * speeds):
        rates[k] = dy[k]
    for c in range(p.contacts[0]):
        outward, around = 2.0 * touch.force_along[c] / p.cosine, 2.0 * touch.force_across[c]
        ex, ey = touch.ex[c], touch.ey[c]
        push(rates, speeds, touch.pin[c], outward * ex - around * ey, outward * ey + around * ex, p)
    hold_joints(y, rates, speeds, h, p)


@kernel(inner=True)
def _free_speeds(y, dy, h, p):
    """Compute the speeds at which the pins would slide at the end of a step with these accelerations, and their
    mobilities.

    The directions turn with the sheaves, and are taken half a step after the middle. With the directions at the middle,
    a pin that is carried round would seem to slide inwards. The rotation of the pair of sheaves is predicted with the
    torque of the previous step, because its inertia is large compared with that of its pins.
    """
    speeds = p.coordinates + 2 * PAIRS
    touch, both = p.touch, 2.0 * h
    for c in range(p.contacts[0]):
        i, w = touch.pin[c], touch.wheel[c]
        at = speeds + p.coordinates + w
        predicted = y[at] + h * dy[at]
        if p.motion_kind[w] == FREE:
            predicted += h * p.expected[w] / p.wheel.inertia[w]
        ex, ey = touch.ex[c], touch.ey[c]
        vx, vy = velocity_after(dy, speeds, i, h, p)
        outwards, around = vx * ex + vy * ey, vy * ex - vx * ey
        turned = 0.5 * h * y[at]
        touch.along[c] = (outwards + turned * around) / p.cosine
        touch.across[c] = around - turned * outwards - predicted * touch.radius[c]
        radially, askew, around_it = pin_mobility(i, ex, ey, p)
        touch.give_along[c] = both * radially / (p.cosine * p.cosine)
        touch.give_askew[c] = both * askew / p.cosine
        touch.give_across[c] = both * around_it


@kernel(inner=True)
def _solve(touch, contacts, friction, sine, cosine, smooth, rigid):
    """Solve for the friction forces of all contacts; Coulomb friction is solved for several contacts at a time."""
    along, across, axial = touch.along, touch.across, touch.axial
    give_g, give_gt, give_t = touch.give_along, touch.give_askew, touch.give_across
    force_along, force_across = touch.force_along, touch.force_across
    if smooth > 0.0:
        for c in range(contacts):
            force_along[c], force_across[c] = regularised(
                along[c], across[c], give_g[c], give_gt[c], give_t[c], axial[c], friction, sine, cosine, smooth
            )
    elif rigid:
        for c in range(contacts):
            force_along[c], force_across[c] = coupled_coulomb(
                along[c], across[c], give_g[c], give_gt[c], give_t[c], axial[c], friction, sine, cosine
            )
    else:
        for c in range(contacts):
            force_along[c], force_across[c] = coulomb(
                along[c], across[c], give_g[c], give_t[c], axial[c], friction, sine, cosine
            )


@kernel(inner=True)
def _apply(y, dy, h, p):
    """Apply the friction to pins and sheaves, and add its losses over the step."""
    pin, touch, sums = p.pin, p.touch, p.sum
    speeds = p.coordinates + 2 * PAIRS
    work = 2 * speeds
    fill(sums.torque, 0.0)
    fill(sums.sliding, 0.0)
    fill(pin.along, 0.0)
    fill(pin.across, 0.0)
    fill(pin.sliding_along, 0.0)
    fill(pin.sliding_across, 0.0)
    for c in range(p.contacts[0]):
        i, w, ex, ey = touch.pin[c], touch.wheel[c], touch.ex[c], touch.ey[c]
        along, across, askew = touch.force_along[c], touch.force_across[c], touch.give_askew[c]
        pin.along[i], pin.across[i] = along, across
        pin.sliding_along[i] = touch.along[c] + touch.give_along[c] * along + askew * across
        sliding = touch.across[c] + touch.give_across[c] * across + askew * along
        pin.sliding_across[i] = sliding
        sums.sliding[w] += sliding
        _pull(dy, speeds, i, w, 2.0 * along / p.cosine, 2.0 * across, ex, ey, p)
        sums.torque[w] -= 2.0 * across * touch.radius[c]
    radial, lost = 0.0, 0.0
    for c in range(p.contacts[0]):
        i, ex, ey = touch.pin[c], touch.ex[c], touch.ey[c]
        vx, vy = mean_velocity(dy, speeds, i, 0.5 * h, p)
        radial -= 2.0 * touch.force_along[c] / p.cosine * (vx * ex + vy * ey)
        lost -= 2.0 * touch.force_across[c] * (vy * ex - vx * ey)
    for w in range(PAIRS):
        lost -= _brake(dy, speeds, w, work, y[speeds + p.coordinates + w], h, p)
        if sums.touching[w] > 0.0:
            sums.sliding[w] /= sums.touching[w]
    dy[work + P.WORK_RADIAL] += radial
    dy[work + P.WORK_CIRCUMFERENTIAL] += lost


@kernel(inner=True)
def energies(y, p):
    """Return the kinetic, elastic and gravity energy of the state that was evaluated last. [J]"""
    chain = p.coordinates
    speeds = chain + 2 * PAIRS
    tilts = 2 * speeds + BEFORE_TILTS
    kinetic, elastic, gravity = chain_energies(y, p, speeds)
    for c in range(p.contacts[0]):
        i, w = p.touch.pin[c], p.touch.wheel[c]
        x, above = p.place.x[i] - p.wheel.x[w], p.place.y[i] - p.wheel.y[w]
        tilted = y[tilts + w] * x + y[tilts + PAIRS + w] * above
        closed = y[chain + PAIRS + w]
        deep = closure(p.sheave.radius[w], p.touch.radius[c], p.sine / p.cosine, closed, tilted)
        elastic += 0.5 * p.pin_stiffness * deep * deep
    for w in range(PAIRS):
        kinetic += 0.5 * p.wheel.inertia[w] * y[speeds + chain + w] ** 2
        kinetic += 0.5 * p.sheave.mass[w] * y[speeds + chain + PAIRS + w] ** 2
        if p.sheave.time[w] < math.inf and p.sheave.size[w] == 0.0:
            elastic += p.sheave.stiffness[w] * (y[tilts + w] ** 2 + y[tilts + PAIRS + w] ** 2)
    return kinetic, elastic, gravity
