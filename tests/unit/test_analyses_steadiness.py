"""Steadiness: a drive that still gains speed is not steady, however smoothly its tensions repeat."""

import numpy as np
import pytest

import chaindrive as cd
from chaindrive.analyses.results.steadiness import PACE, pace_change, steadiness
from support.made_run import solution_of

TIME = np.arange(0.0, 2.0005, 1e-3)


def turning(gain: float) -> cd.Solution:
    """Wheels of a drive whose speed rises linearly from 50 rad/s by this many rad/s^2, at the same tensions
    throughout.
    """
    drive = cd.example("industrial-08b")
    teeth = np.array([wheel.teeth for wheel in drive.wheels])
    turned = 50.0 * TIME + 0.5 * gain * TIME**2
    return solution_of(
        drive,
        TIME,
        {
            "span_tension": np.tile([300.0, 20.0], (TIME.size, 1)),
            "wheel_angle": turned[:, None] * teeth[0] / teeth,
            "wheel_speed": np.gradient(turned, TIME)[:, None] * teeth[0] / teeth,
        },
    )


@pytest.mark.parametrize(("gain", "steady"), [(0.0, True), (0.1, True), (10.0, False), (-10.0, False)])
def test_a_drive_that_changes_its_speed_is_not_steady(gain: float, steady: bool) -> None:
    found = steadiness(turning(gain))
    assert found.steady is steady
    assert not found.irregular
    assert ("speeds are still changing" in found.text) is not steady


def test_the_change_is_that_of_the_mean_speeds_of_both_halves() -> None:
    """The halves of the last part are a half of its duration apart."""
    solution = turning(10.0)
    name, change = pace_change(solution)
    assert name in {wheel.name for wheel in solution.drive.wheels}
    part = solution.time[-1] - 0.5 * solution.time[-1]
    assert PACE < change < 10.0 * part / 50.0
    assert pace_change(turning(-10.0))[1] == pytest.approx(change, rel=1.0)
