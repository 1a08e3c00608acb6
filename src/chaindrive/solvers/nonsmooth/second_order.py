"""One step of the nonsmooth generalized-alpha method, which is of second order as long as contacts do not change.

Chen, Acary, Virlez & Brüls, Int. J. Numer. Methods Eng. 96 (2013) 487; Brüls, Acary & Cardona, Comput. Methods Appl.
Mech. Eng. 281 (2014) 131. Velocities are integrated by generalized alpha from smooth accelerations s, and jump by
impulses:

    s1 = M^-1 (f + W lambda1)                                  lambda1: forces of contacts that stay closed
    (1 - alpha_m) a1 + alpha_m a = (1 - alpha_f) s1 + alpha_f s
    u1 = u + h ((1 - gamma) a + gamma a1) + jump
    q1 = q + h u + h^2 ((1/2 - beta) a + beta a1) + h/2 jump

Unlike in both papers, forces of contacts that stay closed belong to the smooth part, with lambda1 from complementarity
at the level of accelerations (Pfeiffer, Fritz & Srnik, Eq. 8): with impulses alone the method is only of first order
for a contact that slides along a curve. The jump accounts for the rest: impacts, and contacts that close, open, slide
or stick within the step. Its impulses solve the problem of Newton's impact for the entire step, with the friction
limits of both parts together. After a change the history of accelerations is restarted.

The equations are solved by iteration over q1 and u1, which converges where beta (h omega)^2 < 1.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from chaindrive.contract.states import FloatArray, IntArray
from chaindrive.contract.unilateral import ContactKernels, UnilateralSystem
from chaindrive.kernels import copy_into, kernel
from chaindrive.solvers.complementarity.forms import compact_form, forces_of_compact_form
from chaindrive.solvers.complementarity.lemke import lemke
from chaindrive.solvers.complementarity.outcome import Outcome
from chaindrive.solvers.nonsmooth.impulses import (
    INACTIVE,
    STICKS,
    TOUCHING,
    find_impulses,
    meeting,
    number_rows,
    scatter,
)

__all__ = ["AlphaWork", "alpha_work", "nonsmooth_alpha"]

SOLVED = int(Outcome.SOLVED)
STILL = 1e-9
"""A contact stays closed if it separates after an impulse at no more than this speed. [m/s]"""
ITERATIONS, CONVERGED = 20, 1e-12
"""Largest number of iterations; the iterations end when the change in the velocities, relative to the largest velocity,
is below the second value. [-]
"""


class AlphaWork(NamedTuple):
    """Memory and scratch arrays of a step in addition to ``StepWork``; names that end in 1 refer to the end of the
    step.
    """

    alpha_m: float
    alpha_f: float
    gamma: float
    beta: float
    smooth: FloatArray
    """s, (f,). [m/s^2]"""
    algorithmic: FloatArray
    """a, (f,). [m/s^2]"""
    force: FloatArray
    """lambda, (2n,). [N]"""
    averaged: FloatArray
    """Algorithmic averages of the forces, (2n,). [N]"""
    closed: IntArray
    """1 for contacts that were closed at the end of the last step, (n,)."""
    begun: IntArray
    """0 if the history must be restarted, (1,)."""
    smooth1: FloatArray
    algorithmic1: FloatArray
    force1: FloatArray
    averaged1: FloatArray
    jump: FloatArray
    """(f,) [m/s]"""
    velocity: FloatArray
    """u1, (f,)."""
    position: FloatArray
    """q1, (f,)."""
    direction: FloatArray
    """Sliding directions of the closed contacts, (n,)."""
    touching: IntArray
    """Numbers of the contacts that touch or were closed, (n,)."""
    was: FloatArray
    """``StepWork.sliding`` before the step, (n,)."""


def alpha_work(system: UnilateralSystem, spectral_radius: float) -> AlphaWork:
    """Return the memory before the first step, and scratch arrays; spectral_radius: spectral radius at infinity, 0 to 1
    (Chung & Hulbert 1993).
    """
    n, f, rho = system.contacts, system.velocities, spectral_radius
    alpha_m, alpha_f = (2.0 * rho - 1.0) / (rho + 1.0), rho / (rho + 1.0)
    gamma = 0.5 + alpha_f - alpha_m
    return AlphaWork(
        alpha_m=alpha_m,
        alpha_f=alpha_f,
        gamma=gamma,
        beta=0.25 * (gamma + 0.5) ** 2,
        smooth=np.zeros(f),
        algorithmic=np.zeros(f),
        force=np.zeros(2 * n),
        averaged=np.zeros(2 * n),
        closed=np.zeros(n, np.int64),
        begun=np.zeros(1, np.int64),
        smooth1=np.zeros(f),
        algorithmic1=np.zeros(f),
        force1=np.zeros(2 * n),
        averaged1=np.zeros(2 * n),
        jump=np.zeros(f),
        velocity=np.zeros(f),
        position=np.zeros(f),
        direction=np.zeros(n),
        touching=np.zeros(n, np.int64),
        was=np.zeros(n),
    )


@kernel(inline=True)
def averaged_value(g, value1, value, averaged):
    """Return one value by the recursion of generalized alpha."""
    return ((1.0 - g.alpha_f) * value1 + g.alpha_f * value - g.alpha_m * averaged) / (1.0 - g.alpha_m)


def nonsmooth_alpha(kernels: ContactKernels) -> Callable[..., int]:
    """Return the kernel step(t, h, q, u, w, g, p) of a system, which advances q and u by h in place and returns an
    outcome.

    w: result of ``impulses.step_work``; g: result of ``alpha_work``; p: parameters of the system.
    """
    evaluate, solve_mass, project = kernels.evaluate, kernels.solve_mass, kernels.project
    spread, inverse_inertia, meet = kernels.spread, kernels.inverse_inertia, meeting(kernels)

    @kernel(inner=True)
    def find_forces(w, g, p):
        """Find the forces of the contacts that were closed, and the smooth accelerations, at the state just
        evaluated.
        """
        solve_mass(w.state.force, g.smooth1, p)
        project(g.velocity, w.before, p)
        k, outcome = 0, SOLVED
        for i in range(g.closed.size):
            if g.closed[i] == 1:
                w.active[k] = i
                k += 1
        number_rows(w, k)
        if k > 0:
            project(g.smooth1, w.after, p)
            inverse_inertia(w.rows, 2 * k, w.matrix, p)
            for c in range(k):
                i = w.active[c]
                slip = w.before[w.rows[k + c]] + w.state.drift[w.rows[k + c]]
                sticks = w.sliding[i] == STICKS or slip == 0.0
                g.direction[c] = 0.0 if sticks else np.sign(slip)
                w.friction[c] = w.laws.static_friction[i] if sticks else w.laws.friction[i]
                w.vector[c] = w.after[i] + w.state.rate[i]
                w.vector[k + c] = w.after[w.rows[k + c]] + w.state.rate[w.rows[k + c]]
            n = compact_form(w.matrix, w.vector, w.friction, g.direction, w.given, k, w.a, w.b)
            outcome, pivots, _ = lemke(w.a, w.b, n, w.x, w.lemke, 20 * n + 50)
            w.counts[2] += pivots
            forces_of_compact_form(w.x, w.friction, g.direction, w.given, k, w.found)
            for r in range(2 * k):  # no acceleration if a contact jams (Painleve): the impulse must suffice
                w.found[r] = w.found[r] if outcome == SOLVED else 0.0
        scatter(w.found, w, k, g.force1)
        if k > 0:
            spread(g.force1, w.force, p)
            solve_mass(w.force, w.rate, p)
            for j in range(g.smooth1.size):
                g.smooth1[j] += w.rate[j]

    @kernel(inner=True)
    def predict(h, q, u, g):
        """Compute the averages, and with the present jump the state at the end of the step."""
        for r in range(g.force.size):
            g.averaged1[r] = averaged_value(g, g.force1[r], g.force[r], g.averaged[r])
        for j in range(q.size):
            a, a1 = g.algorithmic[j], averaged_value(g, g.smooth1[j], g.smooth[j], g.algorithmic[j])
            g.algorithmic1[j] = a1
            g.velocity[j] = u[j] + h * ((1.0 - g.gamma) * a + g.gamma * a1) + g.jump[j]
            g.position[j] = q[j] + h * u[j] + h * h * ((0.5 - g.beta) * a + g.beta * a1) + 0.5 * h * g.jump[j]

    @kernel(inner=True)
    def find_jump(h, u, k, w, g, p):
        """Find the jump of the velocities due to k active contacts; return an outcome. ``impulse`` then contains the
        impulses of the jump.
        """
        number_rows(w, k)
        for r in range(w.impulse.size):
            w.impulse[r] = -h * ((1.0 - g.gamma) * g.averaged[r] + g.gamma * g.averaged1[r])
        spread(w.impulse, w.force, p)
        solve_mass(w.force, w.free, p)
        for j in range(u.size):
            w.free[j] += g.velocity[j] - g.jump[j]
        meet(u, w, k, p)
        copy_into(w.sliding, g.was)
        outcome = find_impulses(w, k)
        for r in range(2 * k):
            w.impulse[w.rows[r]] += w.found[r]
        spread(w.impulse, w.force, p)
        solve_mass(w.force, g.jump, p)
        scatter(w.found, w, k, w.impulse)
        return outcome

    @kernel(inner=True)
    def find_touching(w, g):
        """Find the contacts that touch at the predicted end or were closed; return their number."""
        k = 0
        for i in range(g.closed.size):
            if w.state.gap[i] <= TOUCHING or g.closed[i] == 1:
                g.touching[k] = i
                k += 1
                w.penetration[0] = max(w.penetration[0], -w.state.gap[i])
            else:
                g.was[i] = w.sliding[i] = INACTIVE
        return k

    @kernel(inner=True)
    def find_closed(w, g, p):
        """Find the contacts that stay closed after the step; return whether any contact closed, opened, or began to
        slide or to stick.
        """
        project(g.velocity, w.after, p)
        changed = False
        for i in range(g.closed.size):
            closed = 1 if w.impulse[i] > 0.0 and w.after[i] + w.state.drift[i] <= STILL else 0
            changed = changed or closed != g.closed[i] or (closed == 1 and w.sliding[i] != g.was[i])
            g.closed[i] = closed
        return changed

    @kernel(inner=True)
    def begin_anew(t, w, g, p):
        """Set the accelerations and forces at a state, without a history."""
        evaluate(t, g.position, g.velocity, 0.0, w.state, p)
        find_forces(w, g, p)
        copy_into(g.smooth, g.smooth1)
        copy_into(g.algorithmic, g.smooth1)
        copy_into(g.force, g.force1)
        copy_into(g.averaged, g.force1)
        g.begun[0] = 1

    @kernel
    def step(t, h, q, u, w, g, p):
        copy_into(g.position, q)
        copy_into(g.velocity, u)
        if g.begun[0] == 0:
            begin_anew(t, w, g, p)
        copy_into(g.was, w.sliding)
        copy_into(g.smooth1, g.smooth)
        copy_into(g.force1, g.force)
        for j in range(u.size):
            g.jump[j] = 0.0
        outcome, k = SOLVED, 0
        for iteration in range(ITERATIONS):
            change, largest = 0.0, 0.0
            copy_into(w.middle, g.velocity)
            predict(h, q, u, g)
            evaluate(t + h, g.position, g.velocity, 0.0, w.state, p)
            if iteration == 0:
                k = find_touching(w, g)
            find_forces(w, g, p)
            predict(h, q, u, g)
            if k > 0:
                for c in range(k):
                    w.active[c] = g.touching[c]
                outcome = find_jump(h, u, k, w, g, p)
                predict(h, q, u, g)
            for j in range(u.size):
                change = max(change, abs(g.velocity[j] - w.middle[j]))
                largest = max(largest, abs(g.velocity[j]))
            if outcome != SOLVED or (iteration > 0 and change <= CONVERGED * largest):
                break
        if k == 0:
            scatter(w.found, w, 0, w.impulse)
        changed = find_closed(w, g, p)
        w.counts[0] += 1
        w.counts[1] += 1 if k > 0 else 0
        copy_into(q, g.position)
        copy_into(u, g.velocity)
        copy_into(g.smooth, g.smooth1)
        copy_into(g.algorithmic, g.algorithmic1)
        copy_into(g.force, g.force1)
        copy_into(g.averaged, g.averaged1)
        g.begun[0] = 0 if changed else 1
        return outcome

    return step
