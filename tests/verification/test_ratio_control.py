"""The controller of the ratio: its linear loop against the analytical step response, its limits, and in a run."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import chaindrive as cd
from chaindrive.errors import InputError
from chaindrive.formulations.cvt.compile import compile_cvt
from chaindrive.model import CvtOptions, Drive, override
from chaindrive.physics.controller import controller_output, controller_rate

FORCE = 25e3
CONTROL = {
    "ratio": 1.0, "proportional": 300e3, "integral": 3e6, "least_force": 3e3, "largest_force": 80e3,
}  # fmt: skip


def controlled(pair: str = "primary", force: float = FORCE, **changes: Any) -> Drive:
    """Both pairs clamped, one of them by a controller with an initial force."""
    control = CONTROL | changes
    given = {"sheaves.primary.clamping_force": 25e3, "sheaves.secondary.clamping_force": 20e3}
    given |= {f"sheaves.{pair}.clamping_force": force, f"sheaves.{pair}.ratio_control": control}
    return override(cd.example("cvt-63"), given)


def loop(gain: float, proportional: float, integral: float, limit: float, until: float, step: float) -> Any:
    """Response of x' = gain u under the controller to a step of the target from 0 to 1: x and the integral part."""
    state, times = np.zeros(2), np.arange(0.0, until, step)

    def rate(now: Any) -> Any:
        error = 1.0 - now[0]
        output = controller_output(error, now[1], proportional, -limit, limit)
        return np.array([gain * output, controller_rate(error, now[1], proportional, integral, -limit, limit)])

    found = []
    for _ in times:
        found.append(state.copy())
        middle = state + 0.5 * step * rate(state)  # midpoint method
        state = state + step * rate(middle)
    return times, np.array(found)


@pytest.mark.parametrize("damping", [0.4, 0.9])
def test_the_linear_loop_has_the_analytical_step_response(damping):
    # x' = k u, u = P e + X, X' = I e: x'' + k P x' + k I x = k I, x(0) = 0, x'(0) = k P. With k P = 2 D w, k I = w^2:
    # x = 1 - exp(-D w t) (cos(w_d t) - D w / w_d sin(w_d t)), w_d = w sqrt(1 - D^2)
    gain, w = 2.0, 10.0
    step = 1e-3
    times, found = loop(gain, 2.0 * damping * w / gain, w * w / gain, 1e9, 1.0, step)
    wd = w * math.sqrt(1.0 - damping**2)
    expected = 1.0 - np.exp(-damping * w * times) * (np.cos(wd * times) - damping * w / wd * np.sin(wd * times))
    # The midpoint method errs by about (w h)^2 / 6 in the amplitude over 1/w.
    np.testing.assert_allclose(found[:, 0], expected, atol=(w * step) ** 2)


def test_the_integral_part_does_not_wind_up_at_a_limit():
    # At the limit L: X' = I e + (I / P) (L - P e - X) = (I / P) (L - X): it runs to L, and so the loop leaves the limit
    # as soon as the deviation changes its sign. Without back-calculation it would have grown by I e t.
    times, found = loop(0.1, 10.0, 5.0, 0.5, 40.0, 1e-3)
    assert found[:, 1].max() < 0.5 * (1.0 + 1e-6)
    # From there, x = 1, x' = k L, the linear loop (D = w = 0.7 / s) overshoots by less than k L / w.
    assert found[:, 0].max() < 1.0 + 0.05 / math.sqrt(0.5)
    assert found[-1, 0] == pytest.approx(1.0, abs=1e-3)
    assert times[np.argmax(found[:, 0] > 0.9)] == pytest.approx(0.9 / 0.05, rel=0.02)  # all the time at the limit


@pytest.mark.parametrize(("pair", "sign"), [("primary", 1.0), ("secondary", -1.0)])
def test_the_force_is_the_sum_of_its_parts(pair, sign):
    system = compile_cvt(controlled(pair, ratio=1.05), CvtOptions(), at_speed=True)
    p, state = system.parameters, system.state.copy()
    n, w = p.pins, 0 if pair == "primary" else 1
    speeds = 2 * n + 4
    state[speeds : speeds + speeds] = system.motion.rolling
    part = 2e3
    state[state.size - 2 + w] = part / CONTROL["largest_force"]
    rates = np.zeros_like(state)
    system.kernels.rhs(0.0, state, rates, p)
    turning = np.abs(state[speeds + 2 * n : speeds + 2 * n + 2])
    error = sign * (turning[0] / turning[1] - 1.05)
    force = FORCE + CONTROL["proportional"] * error + part
    assert CONTROL["least_force"] < force < CONTROL["largest_force"]
    at = speeds + 2 * n + 2 + w
    assert rates[at] * p.sheave.mass[w] == pytest.approx(force - p.sum.thrust[w] - p.sheave.damping[w] * state[at])
    assert rates[-2 + w] * CONTROL["largest_force"] == pytest.approx(CONTROL["integral"] * error)
    assert rates[-1 - w] == 0.0


@pytest.mark.parametrize(("pair", "sense"), [("primary", 1.0), ("secondary", -1.0)])
def test_a_run_holds_the_ratio_within_the_limits(pair, sense):
    drive = controlled(pair, ratio=1.03, largest_force=30e3)
    drive = override(drive, {"sheaves.primary.motion.speed": sense * 200.0})
    run = cd.simulate(drive, until=0.35, progress=False)
    later = run.time > 0.25
    speed, force = run.values("wheel_speed"), run.values("sheave_force")[:, 0 if pair == "primary" else 1]
    ratio = (speed[later, 0] / speed[later, 1]).mean()
    # The integral part leaves no deviation in the mean; without a controller it is 1.034 or more with these forces.
    assert ratio == pytest.approx(1.03, abs=2e-3)
    assert force.min() >= CONTROL["least_force"] - 1e-6
    assert force.max() <= 30e3 + 1e-6
    assert run.audit.relative_residual < 1e-3


@pytest.mark.parametrize(
    ("driving", "driven", "known"),
    [(0.0, 0.0, False), (15.0, 15.0, False), (15.0, -60.0, False), (40.0, 40.0, True)],
    ids=["at rest", "slowly", "pulled back by its load", "at speed"],
)
def test_the_force_stays_while_no_ratio_is_known(driving, driven, known):
    """That is below a tenth of the speed of the run, 200 rad/s, or while the pairs turn in opposite directions."""
    system = compile_cvt(controlled(ratio=1.05), CvtOptions(), at_speed=False)
    state, rates = system.state.copy(), np.zeros_like(system.state)
    p, wheels = system.parameters, system.positions + 2 * system.parameters.pins
    state[wheels : wheels + 2] = driving, driven
    system.kernels.rhs(0.0, state, rates, p)
    assert rates[-2:].any() == known
    force = rates[wheels + 2] * p.sheave.mass[0] + p.sum.thrust[0]
    assert (force == pytest.approx(FORCE)) != known


@pytest.mark.long
def test_it_shifts_from_rest():
    run = cd.simulate(cd.example("cvt-63-shift"), start="at_rest", progress=False)
    assert not run.status.failed
    speed = run.values("wheel_speed", slice(-20, None)).mean(axis=0)
    assert speed[0] / speed[1] == pytest.approx(0.6, rel=0.02)


def test_a_continued_run_begins_with_the_force_that_there_was():
    first = cd.simulate(controlled(ratio=1.03), until=0.1, progress=False)
    force = first.values("sheave_force")[-1, 0]
    assert abs(force - FORCE) > 100.0
    again = controlled(force=30e3, ratio=1.03, largest_force=90e3)
    second = cd.simulate(again, until=0.005, initial=first, progress=False)
    assert second.values("sheave_force")[0, 0] == pytest.approx(force, rel=1e-3)
    without = override(again, {"sheaves.primary.ratio_control": None})
    third = cd.simulate(without, until=0.002, initial=first, progress=False)
    assert third.values("sheave_force")[0, 0] == pytest.approx(30e3)


def test_an_interrupted_run_goes_on_with_its_controller(tmp_path):
    def stop(progress: Any) -> None:
        if progress.time > 0.05:
            raise KeyboardInterrupt

    drive, file = cd.example("cvt-63-shift"), tmp_path / "run.nc"
    whole = cd.simulate(drive, until=0.3, progress=False)
    assert cd.simulate(drive, until=0.3, output=file, progress=stop).status == cd.Status.INTERRUPTED
    resumed = cd.simulate(drive, until=0.3, output=file, resume=True, progress=False)
    for name in ("sheave_force", "wheel_speed", "work_input"):
        np.testing.assert_array_equal(resumed.values(name), whole.values(name))


def test_the_example_shifts_under_load():
    run = cd.simulate(cd.example("cvt-63-shift"), until=0.5, progress=False)
    control = run.drive.sheaves[0].ratio_control
    speed = run.values("wheel_speed")
    ratio = speed[:, 0] / speed[:, 1]
    assert control is not None
    wanted = np.interp(run.time, control.times, control.targets)
    assert ratio[np.searchsorted(run.time, 0.19)] == pytest.approx(1.9, abs=0.02)
    assert np.abs(ratio - wanted)[run.time > 0.05].max() < 0.06
    radius = run.values("running_radius")
    assert radius[-1, 0] > radius[0, 0] + 5e-3
    assert radius[-1, 1] < radius[0, 1] - 3e-3
    assert run.audit.relative_residual < 1e-3


@pytest.mark.parametrize(
    ("changes", "place", "words"),
    [
        ({"sheaves.primary.clamping_force": None}, "sheaves[0].ratio_control", "clamping_force, which is missing"),
        ({"sheaves.primary.clamping_force": 1e3}, "sheaves[0].clamping_force", "between least_force"),
        ({"sheaves.secondary.clamping_force": None}, "sheaves[0].ratio_control", "fixed by sheaves[1]"),
        ({"sheaves.secondary.ratio_control": CONTROL}, "sheaves[1].ratio_control", "one controller"),
        ({"sheaves.primary.ratio_control.ratio": 4.0}, "sheaves[0].ratio_control.ratio", "out of reach"),
        ({"sheaves.primary.ratio_control.largest_force": 1e3}, "sheaves[0].ratio_control.largest_force", "above"),
    ],
)
def test_what_cannot_be_is_refused(changes, place, words):
    with pytest.raises(InputError) as error:
        override(controlled(), changes)
    assert any(problem.place.startswith(place) and words in problem.message for problem in error.value.problems), error
