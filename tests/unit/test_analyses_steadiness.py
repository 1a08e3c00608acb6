"""Steadiness: a drive that still gains speed is not steady, however smoothly its tensions repeat."""

import numpy as np
import pytest

import chaindrive as cd
from chaindrive.analyses.results.steadiness import DRIFT, PACE, creep, pace_change, steadiness
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


def pulled(course: np.ndarray, scatter: float = 0.0, seed: int = 0) -> cd.Solution:
    """Wheels at constant speed whose tight span has this course of its tension, relative to 300 N, with a tooth ripple
    and a random scatter, both relative to 300 N, that differs from revolution to revolution.
    """
    drive = cd.example("industrial-08b")
    teeth = np.array([wheel.teeth for wheel in drive.wheels])
    turned = 50.0 * TIME
    random = np.random.default_rng(seed)
    noise = np.interp(TIME, np.arange(0.0, 2.1, 0.02), random.standard_normal(105))
    tight = 300.0 * (course + 0.02 * np.sin(teeth[0] * turned) + scatter * noise)
    return solution_of(
        drive,
        TIME,
        {
            "span_tension": np.stack([tight, np.full(TIME.size, 20.0)], axis=1),
            "wheel_angle": turned[:, None] * teeth[0] / teeth,
            "wheel_speed": np.full((TIME.size, 2), 50.0) * teeth[0] / teeth,
        },
    )


@pytest.mark.parametrize(
    ("course", "steady"),
    [
        (1.0 + 0.0 * TIME, True),
        (1.0 + 0.02 * TIME, False),  # 2 % in the last part, which halves differ by 1 %
        (1.0 - 0.02 * TIME, False),
        (1.0 + 0.001 * TIME, True),
        (1.5 - 0.5 * np.exp(-TIME / 6.0), False),  # after the run, a quarter of the tension is still to come
        (1.5 - 0.5 * np.exp(-TIME / 0.1), True),
        (1.5 - 0.5 * np.exp(-TIME / 0.3), True),  # 1.7 % in the last part, which fades
    ],
)
def test_a_slow_trend_is_not_steady_unless_it_fades(course: np.ndarray, steady: bool) -> None:
    found = steadiness(pulled(course))
    assert found.steady is steady
    assert ("slowly changing" in found.text) is not steady
    assert (found.drift > DRIFT) is not steady


def test_a_trend_is_continued_as_it_runs() -> None:
    """A ramp goes on: the last part is a second long, and a change of a fiftieth a second becomes two fiftieths."""
    slow = creep(pulled(1.0 + 0.02 * TIME))
    assert slow is not None
    mean = 1.0 + 0.02 * 1.5
    part = 1.0 - TIME[-1] % (2.0 * np.pi / 50.0)
    assert slow.what == f"tension of span {cd.example('industrial-08b').span_names[0]}"
    assert slow.change == pytest.approx(0.02 * part / mean, rel=0.1)
    assert slow.expected == pytest.approx(2.0 * slow.change, rel=0.1)
    faded = creep(pulled(1.5 - 0.5 * np.exp(-TIME / 0.3)))
    assert faded is None or faded.expected < 0.3 * faded.change


def test_scatter_is_not_a_trend() -> None:
    """Of fifty irregular motions without a trend, whose revolutions scatter by 4 %, none is taken for a slow change."""
    assert all(steadiness(pulled(1.0 + 0.0 * TIME, 0.04, seed)).steady for seed in range(50))
