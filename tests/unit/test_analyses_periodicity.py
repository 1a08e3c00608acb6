"""How well a signal repeats, on signals of known answer."""

from __future__ import annotations

import math

import numpy as np
import pytest

import chaindrive as cd
from chaindrive.analyses.results.periodicity import period_text, repetition, repetitions, share_text
from support.moving_run import SPEED, moving_run

TIME = np.linspace(0.0, 4.0, 4001)


def test_a_periodic_signal_repeats():
    """Not a whole number of rows per period: the spline between them errs by 5 (h w)^4 / 384 of a sine of w."""
    period = 1.0 / 7.3
    signal = np.sin(2.0 * np.pi * TIME / period) + 5.0
    error = 5.0 / 384.0 * (1e-3 * 2.0 * np.pi / period) ** 4
    assert repetition(TIME, signal, period, 1.0) < 2.0 * error
    assert repetition(TIME, signal, 3.0 * period, 1.0) < 2.0 * error


def test_rows_long_before_the_comparison_do_not_count():
    """The spline begins shortly before the first instant that is compared."""
    signal = np.random.default_rng(3).normal(size=TIME.size)
    altered = np.where(TIME < 2.4, 1e3, signal)
    assert repetition(TIME, altered, 0.5, 1.0) == pytest.approx(repetition(TIME, signal, 0.5, 1.0), rel=1e-12)


def test_half_a_period_turns_the_sign():
    """x(t) - x(t - T/2) = 2 x(t), over sqrt(2) standard deviations: sqrt(2)."""
    signal = np.sin(2.0 * np.pi * TIME / 0.1)
    assert repetition(TIME, signal, 0.05, 1.0) == pytest.approx(math.sqrt(2.0), rel=1e-3)


def test_another_vibration_shows_by_its_share():
    """sin of period 0.1 with a sine of amplitude a whose phase is turned by half over 0.1 s: 2 a over sqrt(1 + a^2),
    divided by sqrt(2).
    """
    a = 0.1
    signal = np.sin(2.0 * np.pi * TIME / 0.1) + a * np.sin(2.0 * np.pi * TIME * 45.0)
    expected = 2.0 * a / math.sqrt(1.0 + a * a) / math.sqrt(2.0)
    assert repetition(TIME, signal, 0.1, 1.0) == pytest.approx(expected, rel=0.01)


def test_noise_is_not_related():
    """n rows: the standard error of the ratio is about 1/sqrt(2 n)."""
    signal = np.random.default_rng(1).normal(size=TIME.size)
    assert repetition(TIME, signal, 0.5, 2.0) == pytest.approx(1.0, abs=5.0 / math.sqrt(2.0 * 2000))


def test_a_constant_repeats_whatever_its_rounding():
    signal = 52.36 + 1e-13 * np.random.default_rng(1).normal(size=TIME.size)
    assert repetition(TIME, signal, 0.5, 2.0) < 1e-6
    assert repetition(TIME, np.zeros_like(TIME), 0.5, 2.0) == 0.0


def test_what_varies_less_than_is_asked_for_is_constant():
    """Rounding in a span without tension is compared with spans under some hundred newtons."""
    noise = 1e-14 * np.random.default_rng(1).normal(size=TIME.size)
    assert repetition(TIME, noise, 0.5, 2.0) > 0.5
    assert repetition(TIME, noise, 0.5, 2.0, least=1e-4) < 1e-6


def test_too_short_a_result_tells_nothing():
    assert math.isnan(repetition(TIME, np.sin(TIME), 2.5, 2.0))
    assert math.isnan(repetition(TIME[:4], TIME[:4], 1e-3, 1e-3))


def test_of_a_run(shared_runs):
    """The tension of the tight span repeats with the driver; torque is shown only for the wheel with a prescribed
    motion.
    """
    solution = shared_runs.run("industrial-08b", 0.5)
    table = {row.name: row for row in repetitions(solution)}
    assert set(table) == {
        "span tension of motor - conveyor",
        "span tension of conveyor - motor",
        "wheel speed of conveyor",
        "wheel torque of motor",
        "power input",
    }
    tight = table["span tension of conveyor - motor"]
    assert math.isnan(tight.loop)  # 0.76 s do not fit
    assert 0.0 < tight.period < 0.5
    assert math.isfinite(tight.tooth)


def test_a_run_with_half_orders_is_compared_with_itself_two_revolutions_before():
    """The load over the angle of a camshaft of timing-06b repeats every second turn of the crankshaft."""
    run, drive = moving_run(), cd.example("timing-06b")
    assert period_text(drive) == "period of 2 revolutions of the driver"
    assert period_text(cd.example("6l60mc")) == "revolution of the driver"
    run.values("wheel_speed")[:] *= 2.0  # 0.05 s are five turns
    run.values("span_tension")[:] = 400.0 + np.sin(SPEED * run.time)[:, None]
    found = {row.name: row for row in repetitions(run)}
    tension = found[f"span tension of {drive.span_names[0]}"]
    assert tension.period < 1e-3
    assert math.isnan(tension.loop)


def test_shares_are_percents_of_two_digits():
    assert [share_text(x) for x in (0.0, 0.00123, 0.216, 1.412)] == ["0", "0.12", "22", "140"]


def test_without_speeds_there_is_no_table():
    drive = cd.example("industrial-08b")
    save = drive.run.save.model_copy(update={"channels": ("span_tension",)})
    assert repetitions(cd.simulate(drive, 0.01, save=save)) == []
