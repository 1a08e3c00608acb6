"""Euler's top by every method: a system with more positions than velocities, compared with the invariants of its
motion.
"""

from __future__ import annotations

import importlib.util

import numpy as np
import pytest

from chaindrive.contract.status import Status
from chaindrive.solvers import METHODS, SolverSettings
from chaindrive.solvers import integrator_for as Integrator
from support import euler_top
from support.solver_problems import run

OF_LIBRARY = ("bdf", "ida")
SECOND_ORDER = ("generalized-alpha", "splitting", "verlet", "verlet-beeman")
DEFAULT = ("dormand-prince", "splitting")
"""One method of each kind; the others share their loop."""
pytestmark = pytest.mark.parametrize(
    "method",
    [
        pytest.param(name, marks=() if name in DEFAULT else pytest.mark.long)
        for name in METHODS
        if name not in ("leapfrog", "modular", "moreau-jean", "nonsmooth-alpha")
        and (name not in OF_LIBRARY or importlib.util.find_spec("sksundae") is not None)
    ],
)


def top_rows(method, step, until, interval):
    s = euler_top.euler_top()
    options = {"step": step} if METHODS[method].fixed_step else {"atol_angle": 1e-9, "atol_angular_speed": 1e-8}
    return run(Integrator(s, SolverSettings(method=method, **options), interval), until)


def test_more_positions_than_velocities(method):
    """Euler's top: its angular velocity is periodic, its momentum is constant in space, its quaternion stays one.

    With a fixed step all errors fall with its square; the rows lie inside the steps, too.
    """
    assert euler_top.period() == pytest.approx(euler_top.PERIOD, abs=1e-7)
    errors = []
    for step in (2e-3, 1e-3):
        status, _, rows = top_rows(method, step, 1.0, euler_top.period() / 777.0)
        assert status == Status.REACHED_END
        momentum = euler_top.angular_momentum(rows)
        errors.append(
            [
                np.abs(rows[777, 4:7] - rows[0, 4:7]).max() / 10.0,
                np.abs(momentum - momentum[0]).max() / np.linalg.norm(momentum[0]),
                np.abs((rows[:, :4] ** 2).sum(axis=1) - 1.0).max(),
            ]
        )
    # w h = 0.026 at the longer step: (w h)^2 = 7e-4 a radian, of which there are twelve.
    assert np.max(errors) < (5e-3 if method in SECOND_ORDER else 1e-6)
    if METHODS[method].fixed_step:
        ended = np.array(errors) > 1e-11  # what a method keeps to rounding does not fall
        assert (np.array(errors[0]) > 3.0 * np.array(errors[1]))[ended.any(axis=0)].all()


def test_a_top_cut_into_pieces_gives_the_same_bits(method):
    if method in OF_LIBRARY:
        pytest.skip("a snapshot does not hold the history of the library")
    whole = top_rows(method, 2e-3, 0.5, 3.3e-3)[2]
    s = euler_top.euler_top()
    options = {"step": 2e-3} if METHODS[method].fixed_step else {"atol_angle": 1e-9, "atol_angular_speed": 1e-8}
    integrator = Integrator(s, SolverSettings(method=method, **options), 3.3e-3, chunk_rows=4)
    rows = []
    while (status := integrator.advance(0.5, 7)) == Status.RUNNING:
        saved = integrator.snapshot()
        s = euler_top.euler_top()
        integrator = Integrator(s, SolverSettings(method=method, **options), 3.3e-3, chunk_rows=4)
        integrator.restore(saved)
        rows.append(integrator.take_rows()[1])
    rows.append(integrator.take_rows()[1])
    assert status == Status.REACHED_END
    np.testing.assert_array_equal(np.concatenate(rows), whole)
