"""Further requirements on methods that control their step: keep works within their tolerance, and do not resolve the
fastest oscillation.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from chaindrive.contract.status import Status
from chaindrive.solvers import METHODS, Integrator, SolverSettings
from support import solver_problems as problems

ADAPTIVE = [
    name for name, method in METHODS.items() if not method.fixed_step and method.step_times_frequency < math.inf
]
"""Implicit steps damp what is faster than they are, and know the errors of positions only."""
pytestmark = pytest.mark.parametrize(
    "method", [pytest.param(name, marks=() if name == "dormand-prince" else pytest.mark.long) for name in ADAPTIVE]
)
"""The other methods run by default in ``verification/test_adaptive_methods_on_a_drive.py``."""


def ran(s, until: float, interval: float = 50.0, **options) -> Integrator:
    run = Integrator(s, SolverSettings(**options), interval, chunk_rows=2000)
    assert run.advance(until, 10**9) == Status.REACHED_END
    return run


@pytest.mark.parametrize("wide", [1e-2, 1e-1, 1.0])
def test_a_work_is_held_to_its_own_tolerance(method, wide):
    # Tolerances of the states as wide as the motion itself; the loss may be wrong by 1e-3 of the work done, and the
    # estimate says at least by how much.
    loss = problems.oscillator_exact(3.0)[2]
    run = ran(problems.oscillator(work=True), 3.0, method=method, atol_length=wide, atol_speed=wide, step=5.0)
    assert abs(run.state[2] - loss) < 1e-3 * loss
    assert 0.0 < run.work_errors[0] <= 1e-3 * loss


def test_the_fastest_oscillation_is_hardly_fed_or_damped(method):
    # Tolerances too wide to matter, no damping: what changes the amplitude is the method. 1e-3 in a radian is a damping
    # ratio of 1e-3, less than links have.
    w = 50.0
    s = problems.system(problems.OSCILLATOR, [1.0], [0.0], frequency=w, highest_frequency=w)
    run = ran(s, 20.0, method=method, atol_length=1e9, atol_speed=1e9)
    longest = METHODS[method].step_times_frequency / w
    assert longest * (1.0 - 1e-12) <= run.statistics.largest_step <= 1.01 * longest
    assert abs(math.log(math.hypot(run.state[0], run.state[1] / w))) < 1e-3 * w * 20.0


def test_a_bounce_is_that_of_a_tight_run(method):
    # Impacts change the right-hand side in accept, at the end of a step: their instants are known to a step only, and
    # with steps of at most 1e-4 s two contacts agree in the height of what follows to a thousandth.
    heights = [
        ran(problems.ball(), 0.5, 1e-3, method=name, atol_length=1e-10, atol_speed=1e-9, step=step).take_rows()[1][:, 1]
        for name, step in ((method, 1e-4), ("verlet", 2e-5))
    ]
    np.testing.assert_allclose(heights[0], heights[1], rtol=0, atol=1e-4)
    assert heights[1][400:].max() > 0.01  # it has been up again
