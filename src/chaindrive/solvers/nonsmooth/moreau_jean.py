"""One step of the method of Moreau and Jean: impulses of all contacts over a step, without finding the times at which
contacts close.

Moreau, Unilateral contact and dry friction in finite freedom dynamics (1988); Jean, Comput. Methods Appl. Mech. Eng.
177 (1999) 235. With theta = 1/2 (Moreau's midpoint)

    q_m = q + (1 - theta) h u
    u+  = u + M^-1 (h f(t_m, q_m, u) + W P)       P: impulses of the contacts with g_N(q_m) <= 0
    q+  = q_m + theta h u+

P solves the problem of an impact by Newton's law. The method is of second order if no contact is closed and forces
depend on positions only, and of first order otherwise. A contact force at rest appears as an impulse h lambda, so
losses in impacts and losses due to forces are not distinguished.

A step is a separate compiled function, which an integrator of chains can call directly.
"""

from __future__ import annotations

from collections.abc import Callable

from chaindrive.contract.unilateral import ContactKernels
from chaindrive.kernels import kernel
from chaindrive.solvers.complementarity.outcome import Outcome
from chaindrive.solvers.nonsmooth.impulses import find_active, find_impulses, meeting, scatter

__all__ = ["moreau_jean"]

SOLVED = int(Outcome.SOLVED)


def moreau_jean(kernels: ContactKernels) -> Callable[..., int]:
    """Return the kernel step(t, h, theta, q, u, w, p) of a system, which advances q and u by h in place and returns an
    outcome.

    w: result of ``step_work``, whose ``sliding`` is the memory of the system; p: parameters of the system.
    """
    evaluate, solve_mass, spread = kernels.evaluate, kernels.solve_mass, kernels.spread
    meet = meeting(kernels)

    @kernel
    def step(t, h, theta, q, u, w, p):
        for j in range(q.size):
            w.middle[j] = q[j] + (1.0 - theta) * h * u[j]
        evaluate(t + (1.0 - theta) * h, w.middle, u, h, w.state, p)
        solve_mass(w.state.force, w.rate, p)
        for j in range(u.size):
            w.free[j] = u[j] + h * w.rate[j]
        outcome, k = SOLVED, find_active(w)
        if k > 0:
            meet(u, w, k, p)
            outcome = find_impulses(w, k)
            w.counts[1] += 1
        scatter(w.found, w, k, w.impulse)
        if k > 0:
            spread(w.impulse, w.force, p)
            solve_mass(w.force, w.rate, p)
            for j in range(u.size):
                w.free[j] += w.rate[j]
        for j in range(u.size):
            u[j] = w.free[j]
            q[j] = w.middle[j] + theta * h * u[j]
        w.counts[0] += 1
        return outcome

    return step
