"""The right-hand side of the equations of motion of the chain drive block.

Wheels turn on fixed bearings; the chain between two of them is a spring that can only pull, and a damper. With W wheels
of angles theta and radii R (negative where the chain turns the wheel clockwise), span k leads from wheel k to wheel
k + 1:

    e_k = R_(k+1) theta_(k+1) - R_k theta_k + offset_k        elongation; all of them sum to minus the slack
    J_k theta_k'' = R_k (F_k - F_(k-1)) + shaft - bearing - friction     F_k the tension of span k (physics/span.py)

With ripple, a sin(n theta_w + phi) is added to e_k, where wheel w is at either end of span k, and -F_k a n cos(n
theta_w + phi) is added to the moment on wheel w. Like the other moments this is -F_k de_k/dtheta_w, so that ripple
creates no energy.

State: q = [theta(W)],  v = dq/dt,  w = [work integrals (parameters.WORKS), works of shafts(W), states of motors and
governors].

Simscape's block is the case of two wheels A and B with x = R_A theta_A - R_B theta_B, e_1 = x - S/2, e_0 = -x - S/2 and
one damper for both spans. Its manual prints F = -(x - S/2) k - x' b and T_A = -F R_A for the torque of the chain on A,
which would drive a leading wheel further ahead without an energy source. The corrected equations are T_A = +F R_A, T_B
= -F R_B.
"""

from __future__ import annotations

import math

from chaindrive.formulations.block import parameters as P
from chaindrive.kernels import fill, index, kernel
from chaindrive.kernels.interpolation import interpolate_map
from chaindrive.mechanism.wheels import shaft_moment, turn_wheel
from chaindrive.physics.bearing import bearing_moment, bearing_turned, sticking_bearing_moment
from chaindrive.physics.span import span_energy, span_force, span_spring
from chaindrive.physics.unbalance import mass_moment

N_WORKS = len(P.WORKS)


@kernel(apart=True)
def rhs(t, y, dy, p):
    """Write dy/dt of the state y at time t. Elongations and tensions stay in ``p.pull``."""
    n = p.wheels
    for w in range(n):
        dy[w] = y[n + w]
    for k in range(2 * n, y.size):
        dy[k] = 0.0
    _elongations(y, p)
    if p.ripples:
        _ripple(y, p)
    dy[2 * n + P.WORK_LINK_DAMPING] = _net_tension(p) if p.net else _tensions(p)
    if p.ripples:
        _ripple_moments(p)
    for w in range(n):
        _turn(t, y, dy, p, w)


@kernel(inner=True)
def _elongations(y, p):
    """Compute the elongation of every span and its rate."""
    n = p.wheels
    for k in range(n):
        after = k + 1 if k + 1 < n else 0
        before, ahead = p.wheel.radius[k], p.wheel.radius[after]
        p.pull.elongation[k] = ahead * y[after] - before * y[k] + p.span.offset[k]
        p.pull.rate[k] = ahead * y[n + after] - before * y[n + k]


@kernel(inner=True)
def _ripple(y, p):
    """Add the ripples to the elongations and their rates."""
    ripple, pull = p.ripple, p.pull
    for i in range(ripple.span.size):
        w, k = index(ripple.wheel[i]), index(ripple.span[i])
        angle = ripple.order[i] * y[w] + ripple.phase[i]
        pull.elongation[k] += ripple.amplitude[i] * math.sin(angle)
        ripple.slope[i] = ripple.amplitude[i] * ripple.order[i] * math.cos(angle)
        pull.rate[k] += ripple.slope[i] * y[index(p.wheels) + w]


@kernel(inner=True)
def _ripple_moments(p):
    """Compute the moments of the tensions on the wheels due to the ripples."""
    ripple, pull = p.ripple, p.pull
    fill(pull.ripple_moment, 0.0)
    for i in range(ripple.span.size):
        pull.ripple_moment[index(ripple.wheel[i])] -= pull.tension[index(ripple.span[i])] * ripple.slope[i]


@kernel(inner=True)
def _tensions(p):
    """Compute the tension of every span; return the power of the dampers. [W]"""
    lost = 0.0
    for k in range(p.wheels):
        elongation, rate = p.pull.elongation[k], p.pull.rate[k]
        stiffness = p.span.stiffness[k]
        tension = span_force(elongation, rate, stiffness, p.span.damping[k], p.damping_in_slack)
        p.pull.tension[k] = tension
        lost += (tension - span_spring(elongation, stiffness)) * rate
    return lost


@kernel(inner=True)
def _net_tension(p):
    """Compute the single element between two wheels, whose net force is the tension of the stretched span.

    Return the power of the dampers [W]. Slack is not negative, so at most one of the two springs is stretched; there is
    only one damper.
    """
    stiffness, damping = p.span.stiffness[0], p.span.damping[0]
    taut = 1 if p.pull.elongation[1] > p.pull.elongation[0] else 0
    elongation, rate = p.pull.elongation[taut], p.pull.rate[taut]
    force = span_force(elongation, rate, stiffness, damping, p.damping_in_slack)
    p.pull.tension[taut] = max(force, 0.0)
    p.pull.tension[1 - taut] = max(-force, 0.0)
    return (force - span_spring(elongation, stiffness)) * rate


@kernel(inner=True)
def _turn(t, y, dy, p, w):
    """Compute the angular acceleration of wheel w, and the powers of its shaft and bearing."""
    n, work = p.wheels, 2 * p.wheels
    before = w - 1 if w > 0 else n - 1
    angular_velocity = y[n + w]
    moment = p.wheel.radius[w] * (p.pull.tension[w] - p.pull.tension[before])
    if p.ripples:
        moment += p.pull.ripple_moment[w]
    rubbing = chain_friction(angular_velocity, p, w)
    dy[work + P.WORK_LINK_DAMPING] += rubbing * angular_velocity
    bearing = _bearing(y[w], angular_velocity, p, w)
    machines, own = work + N_WORKS + n, work + N_WORKS + w
    shaft = shaft_moment(t, y[w], angular_velocity, y, dy, machines, work, own, p, w)
    ex, ey = mass_moment(y[w], p.wheel.moment_x[w], p.wheel.moment_y[w])
    moment += shaft - bearing - rubbing + ex * p.gravity_y - ey * p.gravity_x
    dy[work + P.WORK_BEARING] += bearing * angular_velocity
    kind, inertia = p.motion_kind[w], p.wheel.inertia[w]
    turn_wheel(kind, t, y[w], angular_velocity, moment, inertia, dy, n + w, work, own, p, w)


@kernel(inner=True)
def chain_friction(turning, p, w):
    """Return the friction torque of the chain against the rotation of wheel w, from its joints and rollers. [N m]

    The torque is |R| (mu (F_k + F_(k-1)) + f), smoothed by tanh, because links articulate where they enter and leave
    the wheel, under the tensions there. A span whose damper pushes causes no friction. f is the value of a map that
    depends on speed and tensions, if there is one.
    """
    if p.wheel.tension_friction[w] == 0.0 and not p.maps_friction:
        return 0.0
    before = w - 1 if w > 0 else p.wheels - 1
    pulling = max(p.pull.tension[w], 0.0) + max(p.pull.tension[before], 0.0)
    radius, given = abs(p.wheel.radius[w]), p.friction_map
    size = p.wheel.tension_friction[w] * radius * pulling
    if p.maps_friction:
        size += radius * interpolate_map(abs(turning) * radius, pulling, given.speeds, given.tensions, given.forces)
    return size * math.tanh(turning / p.wheel.standstill[w])


@kernel(inner=True)
def _bearing(angle, turning, p, w):
    """Return the torque of the bearing of wheel w against its rotation. [N m]"""
    damping, friction, inertia = p.wheel.bearing_damping[w], p.wheel.bearing_friction[w], p.wheel.inertia[w]
    if p.sticks and friction > 0.0:
        stiffness = p.wheel.bearing_stiffness[w]
        return sticking_bearing_moment(angle - p.bearing_angle[w], turning, damping, friction, stiffness, inertia)
    return bearing_moment(turning, damping, friction)


@kernel(inner=True)
def stick(y, p, anew):
    """Let the anchors of bearings follow at an accepted state.

    anew: reset them so that turning parts slide, as at the start of a run.
    """
    for w in range(p.wheels):
        friction, inertia, angle = p.wheel.bearing_friction[w], p.wheel.inertia[w], y[w]
        if p.sticks and friction > 0.0:
            turned, stiffness = angle - p.bearing_angle[w], p.wheel.bearing_stiffness[w]
            left = bearing_turned(turned, y[p.wheels + w], friction, stiffness, inertia, anew)
            if left != turned:
                p.bearing_angle[w] = angle - left


@kernel(inner=True)
def energies(y, p):
    """Return the kinetic, elastic and gravity energy of the state evaluated last. [J]"""
    kinetic, elastic, gravity = 0.0, 0.0, 0.0
    for w in range(p.wheels):
        kinetic += 0.5 * p.wheel.inertia[w] * y[p.wheels + w] ** 2
        ex, ey = mass_moment(y[w], p.wheel.moment_x[w], p.wheel.moment_y[w])
        gravity -= p.gravity_x * ex + p.gravity_y * ey
        elastic += span_energy(p.pull.elongation[w], p.span.stiffness[w])
    return kinetic, elastic, gravity
