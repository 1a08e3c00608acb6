"""Verlet with an extrapolated velocity: order, damping and its work of fourth order, stability, unequal steps."""

from __future__ import annotations

import math

import numpy as np
import pytest

from chaindrive.contract.motion import Motion
from chaindrive.contract.status import Status
from chaindrive.solvers import Integrator, SolverSettings
from chaindrive.solvers.verlet_beeman import OF_STABLE, STEP_TIMES_FREQUENCY, extrapolated, longest_step
from support import solver_problems as problems


def run_of(s, step: float | None, interval: float, until: float, method: str = "verlet-beeman") -> Integrator:
    integrator = Integrator(s, SolverSettings(method=method, step=step), interval, chunk_rows=2000)
    assert integrator.advance(until, 10**9) == Status.REACHED_END
    return integrator


def slopes(errors, steps) -> np.ndarray:
    return np.diff(np.log(np.abs(errors)), axis=0) / np.diff(np.log(steps))[:, None]


@pytest.mark.parametrize(
    ("make", "exact"),
    [(problems.kepler, problems.kepler_exact), (lambda: problems.oscillator(work=True), problems.oscillator_exact)],
    ids=["orbit", "damped oscillator with work"],
)
def test_order_is_two_also_between_the_steps(make, exact):
    steps = np.array([4e-3, 2e-3, 1e-3])
    times = np.arange(30) * 0.0917
    errors = [
        np.abs(run_of(make(), h, 0.0917, 2.7).take_rows()[1][:30, 1:-1] - exact(times)).max(axis=0) for h in steps
    ]
    np.testing.assert_allclose(slopes(errors, steps), 2.0, atol=0.1)


def lost_at_the_end(method: str, step: float) -> float:
    """Work of the damper of x'' = -x - 2 z x', from x = 0 with speed 1, until it is practically at rest: the whole
    energy 1/2.
    """
    s = problems.system(problems.OSCILLATOR, [0.0], [1.0], frequency=1.0, damping=0.01, work=True)
    return float(run_of(s, step, 1e4, 2000.0, method).state[2])


@pytest.mark.parametrize(("method", "order"), [("verlet", 2.0), ("verlet-beeman", 4.0)])
def test_order_of_the_work_of_a_damper(method, order):
    """F v* is accounted for, F (v + v1)/2 is the true work: with v* = v + h a the ratio is 1 + (w h)^2/2, else the
    errors of v* are of third order and across the motion, so that their work is one order smaller still."""
    steps = np.array([0.8, 0.4, 0.2])
    found = slopes([[lost_at_the_end(method, h) - 0.5] for h in steps], steps)
    np.testing.assert_allclose(found[-1], order, atol=0.3)


def decay(method: str, step: float) -> float:
    """Rate at which an oscillation of the frequency 1 decays, over the exact one, 1e-4; to 1e-4 of it."""
    s = problems.system(problems.OSCILLATOR, [1.0], [0.0], frequency=1.0, damping=1e-4)
    run = run_of(s, step, 1e4, 5000.0, method)
    ended, c = run.state.copy(), step * step / 4.0
    # h^2/4 x^2 is what velocities of Verlet leave out of the energy of this frequency.
    energy = ended[1] ** 2 + (1.0 - c) * ended[0] ** 2
    return -math.log(energy / (1.0 - c)) / 2.0 / 5000.0 / 1e-4


def test_damping_is_right_to_the_fourth_order():
    """With v + h a it is too strong by (w h)^2/2; with extrapolation by less than (w h)^4/2."""
    for step in (0.25, 0.5):
        assert decay("verlet", step) - 1.0 == pytest.approx(0.5 * step**2, rel=0.15)
        assert 0.0 < decay("verlet-beeman", step) - 1.0 < 0.55 * step**4


def radius(frequency: float, rate: float, step: float) -> float:
    """Largest eigenvalue of a step of x'' = -w^2 x - c x', in x, v, a and the previous a."""
    position = np.array([1.0, step, 0.5 * step**2, 0.0])
    predicted = np.array([0.0, 1.0, 1.5 * step, -0.5 * step])
    acceleration = -(frequency**2) * position - rate * predicted
    velocity = np.array([0.0, 1.0, 0.5 * step, 0.0]) + 0.5 * step * acceleration
    return np.abs(np.linalg.eigvals(np.array([position, velocity, acceleration, [0.0, 0.0, 1.0, 0.0]]))).max()


@pytest.mark.parametrize("rate", [0.0, 0.117, 1.17, 11.7])
def test_stability_limit(rate):
    # An eigenvalue reaches -1 where (w h/2)^2 + 2 c h = 1.
    limit = 2.0 / (2.0 * rate + math.sqrt(4.0 * rate * rate + 1.0))
    assert radius(1.0, rate, 0.999 * limit) <= 1.0 + 1e-9
    assert radius(1.0, rate, 1.001 * limit) > 1.0 + 1e-6


@pytest.mark.parametrize("ratio", [0.0, 0.1, 0.5, 1.0, 3.0, 30.0])
@pytest.mark.parametrize("apart", [True, False], ids=["damping known apart", "their limit alone"])
def test_its_own_step_is_stable_for_any_damping(ratio, apart):
    highest = ratio + math.sqrt(ratio * ratio + 1.0)
    s = problems.system(
        problems.OSCILLATOR, [1.0], [0.0], frequency=1.0, damping=0.5 * ratio, highest_frequency=highest
    )
    if apart:
        s = s.with_motion(undamped_frequency=1.0, damping_rate=ratio)
    run = run_of(s, None, 1e4, 300.0 / highest)
    assert radius(1.0, ratio, run.step) <= 1.0 + 1e-9
    assert run.cuts.number == 0
    assert abs(run.state[0]) <= 1.0 + 1e-9


def test_its_step_is_limited_by_frequency_and_by_damping_apart():
    """STEP_TIMES_FREQUENCY/w, but OF_STABLE of the step at which (w h/2)^2 + 2 c h is 1."""

    def step(w: float, c: float, highest: float) -> float:
        return longest_step(Motion(np.zeros(1), highest_frequency=highest, undamped_frequency=w, damping_rate=c))

    def own_limit(w: float, c: float) -> float:
        return c + math.sqrt(c * c + w * w)

    assert step(2.0, 0.1, own_limit(2.0, 0.1)) == pytest.approx(STEP_TIMES_FREQUENCY / 2.0)
    stiff = step(2.0, 3.0, own_limit(2.0, 3.0))
    limit = stiff / OF_STABLE
    assert (2.0 * limit / 2.0) ** 2 + 2.0 * 3.0 * limit == pytest.approx(1.0)
    assert step(2.0, 0.1, own_limit(2.0, 3.0)) == pytest.approx(stiff)  # what rests on the limit is damping
    assert step(0.0, 0.0, 5.0) == pytest.approx(0.2 * OF_STABLE)


@pytest.mark.parametrize("damping", [0.0, 0.3, 2.0, 30.0])
@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 1.0])
def test_the_step_of_a_part_is_stable_for_every_damping_that_the_part_can_have(damping, share):
    """The whole vibrates at 3 rad/s with this damping; a part of it at 1 rad/s with a share of the damping."""

    def motion(w: float, c: float, **known: float) -> Motion:
        return Motion(np.zeros(1), highest_frequency=c + math.sqrt(c * c + w * w), **known)

    whole, part = motion(3.0, damping, undamped_frequency=3.0, damping_rate=damping), motion(1.0, share * damping)
    step = longest_step(whole.limited_by(part.highest_frequency))
    assert radius(1.0, share * damping, step) <= 1.0 + 1e-9
    assert step >= longest_step(part) * (1.0 - 1e-9)  # which is stable for every damping whatever
    if damping == 0.3:
        assert step > 1.3 * longest_step(part)


def test_a_part_whose_own_limit_is_higher_has_frequency_and_damping_of_the_whole():
    whole = Motion(np.zeros(1), highest_frequency=3.0, undamped_frequency=3.0, damping_rate=0.0)
    assert whole.limited_by(3.1).limited_by(3.0).frequency_and_damping == (3.0, 0.0)
    assert whole.limited_by(2.0).frequency_and_damping == (2.0, 0.0)


def test_the_first_step_is_that_of_verlet():
    first = [run_of(problems.oscillator(), 0.1, 1.0, 0.1, name).state for name in ("verlet", "verlet-beeman")]
    np.testing.assert_array_equal(*first)


def test_rates_are_carried_on_by_no_more_than_the_step_before():
    assert extrapolated(0.1, 0.0) == 0.0
    assert extrapolated(0.1, 0.1) == pytest.approx(0.05)
    assert extrapolated(0.05, 0.1) == pytest.approx(0.0125)  # half the step after a cut
    assert extrapolated(0.1, 1e-9) == pytest.approx(0.05)  # behind one that a stop left over


def test_one_evaluation_per_step():
    s = problems.ball()
    cost = run_of(s, 1e-3, 0.1, 1.0).statistics
    assert cost.changed > 0
    assert cost.evaluations == cost.steps + 1 + cost.changed
