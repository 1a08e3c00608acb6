"""The controller of the step compared with DOPRI5 as published, and the account of the works."""

from __future__ import annotations

import numpy as np
import pytest

from chaindrive.kernels.tables import blank
from chaindrive.solvers import control as ctl
from chaindrive.solvers.runge_kutta import controlling
from chaindrive.solvers.works import book_works

SAFETY, SMALLEST, LARGEST = 0.9, 0.2, 10.0
STEP = 1e-3


def account(states: int = 1) -> ctl.Control:
    """The data of the controller in their initial state."""
    zeros = np.zeros(states)
    times = blank(ctl.Times, 1)
    times.largest_step[0] = times.end[0] = np.inf
    times.error_before[0] = 1e-4
    return ctl.Control(
        state=zeros.copy(),
        derivative=zeros.copy(),
        before=zeros.copy(),
        trial=zeros.copy(),
        stages=np.zeros((7, states)),
        inside=zeros.copy(),
        times=times,
        counts=blank(ctl.Counts, 1),
        tolerance=np.ones(states),
        weights=np.ones(states),
        stops=np.zeros(0),
        rows=np.zeros((1, 1)),
        row_times=np.zeros(1),
        works=np.arange(states),
        account=blank(ctl.Accounts, states),
        own=np.zeros(0),
    )


@pytest.fixture(scope="module")
def control():
    return controlling(4)


@pytest.mark.parametrize("error", [1e-3, 0.02, 0.5, 1.0])
@pytest.mark.parametrize("before", [1e-4, 0.01, 0.9])
def test_the_next_step_is_that_of_dopri5(control, error: float, before: float) -> None:
    """Hairer, Norsett & Wanner (1993), section IV.2 of vol. II and the code DOPRI5: with beta = 0.04,

    FAC11 = ERR**(0.2 - 0.75 * 0.04) = ERR**0.17, FAC = FAC11 / FACOLD**0.04, H = H / (FAC / 0.9).
    """
    c = account()
    c.times.error_before[0] = before
    assert control(error, STEP, c)
    factor = min(LARGEST, max(SMALLEST, SAFETY * before**0.04 / error**0.17))
    assert c.times.next_step[0] == pytest.approx(STEP * factor, rel=1e-12)
    assert c.times.error_before[0] == pytest.approx(max(error, 1e-4), rel=1e-12)


@pytest.mark.parametrize(("error", "factor"), [(2.0, SAFETY / 2.0**0.17), (1e9, SMALLEST)])
def test_a_rejected_step_is_shortened_by_its_own_error_only(control, error: float, factor: float) -> None:
    c = account()
    assert not control(error, STEP, c)
    assert c.times.next_step[0] == pytest.approx(STEP * factor, rel=1e-12)
    assert c.times.error_before[0] == 1e-4  # of the last accepted step
    assert c.counts.rejected[0] == 1


def test_no_step_grows_directly_after_a_rejected_one(control) -> None:
    c = account()
    control(2.0, STEP, c)
    shorter = c.times.next_step[0]
    assert control(1e-6, shorter, c)
    assert c.times.next_step[0] == shorter
    assert control(1e-6, shorter, c)
    assert c.times.next_step[0] > 2.0 * shorter


def test_errors_of_a_work_add_up_with_and_without_their_sign() -> None:
    c = account(2)
    for trial, error in (([3.0, 1.0], [0.1, 0.2]), ([1.0, 2.0], [-0.3, 0.1])):
        c.trial[:] = trial
        c.account.step_error[:] = error
        book_works(c)
        c.state[:] = c.trial
    np.testing.assert_allclose(c.account.turned, [3.0 + 2.0, 1.0 + 1.0])
    np.testing.assert_allclose(c.account.error, [0.4, 0.3])
    np.testing.assert_allclose(c.account.drift, [-0.2, 0.3])
