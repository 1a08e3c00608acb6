"""Critical speeds, tooth loads and losses of whole drives."""

import numpy as np
import pytest

import chaindrive as cd
from chaindrive.analyses import formulas
from chaindrive.analyses.operating import (
    critical_speeds,
    joint_loss,
    load_power,
    operating_point,
    span_frequencies,
    tooth_loads,
)
from chaindrive.model import override


def test_critical_speeds_of_the_6s90():
    """Pedersen (2004), section 5.9: at 80.08 kN, in per cent of 76 rpm, recomputed with eta = 0.

    Span 0: teeth 5.9, order 6 60.0, half of it 107.3 (order 3 meets f1); order 6 in span 2 91.0 and in span 3 41.9.
    """
    point = operating_point(cd.example("6s90mc-c"), np.full(4, 80.08e3))
    percent = 100 * critical_speeds(point, [3, 6]) / (2 * np.pi * 76 / 60)
    assert percent.shape == (3, 4)
    np.testing.assert_allclose(percent[:, 0], [5.9, 107.3, 60.0], atol=0.06)
    np.testing.assert_allclose(percent[2, 2:], [91.0, 41.9], atol=0.1)


def test_frequencies_of_the_6s90():
    """The moving string at 70 kN: 3.818 Hz in span 0; 2.599 and 7.796 Hz in span 3. V = 9.266 m/s, printed 9.270."""
    point = operating_point(cd.example("6s90mc-c"), np.full(4, 70e3))
    assert point.tooth_frequency == pytest.approx(81.067, abs=5e-4)
    assert span_frequencies(point)[0] == pytest.approx(3.818, rel=1e-3)
    assert span_frequencies(point)[3] == pytest.approx(2.599, rel=1e-3)
    assert span_frequencies(point, 3)[3] == pytest.approx(7.796, rel=1e-3)
    # At rest f1 = c / (2 l).
    assert span_frequencies(point, running=False)[0] == pytest.approx(
        np.sqrt(70e3 / (13.6 / 0.1143)) / (2 * 2.71266), rel=1e-5
    )


def test_an_order_meets_its_frequency_at_its_critical_speed():
    """At the speed that is found the order's frequency is that of the span: k n = f1(V)."""
    drive = cd.example("6l60mc")
    speed = critical_speeds(operating_point(drive, np.full(4, 20e3)), [1.5])[1, 3]
    there = operating_point(override(drive, {"wheels.0.motion.speed": float(speed)}), np.full(4, 20e3))
    assert span_frequencies(there)[3] == pytest.approx(1.5 * speed / (2 * np.pi), rel=1e-9)


def test_tooth_loads():
    """The end of a long wrap feels its own span only: (T - m V^2) sin(alpha) / sin(zeta + alpha) (Eq. 4.41)."""
    drive = cd.example("6l60mc")
    tension = np.array([25e3, 21e3, 22e3, 26e3])
    first = tooth_loads(operating_point(drive, tension))[0]
    assert first.rollers == 33
    angle, pitch_angle = np.radians(33.0), 2 * np.pi / 60
    # Of the other span r^32 = 0.01 is left, 0.8654^32.
    share = np.sin(pitch_angle) / np.sin(angle + pitch_angle)
    centrifugal = 3.01 / 0.0889 * (2 * 60 * 0.0889) ** 2
    assert first.first == pytest.approx((26e3 - centrifugal) * share, rel=0.011)
    assert first.last == pytest.approx((25e3 - centrifugal) * share, rel=0.011)
    # Running backwards the chain arrives where it left.
    backwards = override(drive, {"wheels.0.motion.speed": "-120 rpm"})
    turned = tooth_loads(operating_point(backwards, tension))[0]
    assert (turned.first, turned.last) == (pytest.approx(first.last), pytest.approx(first.first))
    # A chain that carries less than the centrifugal tension lies on no tooth.
    assert tooth_loads(operating_point(drive, np.full(4, 0.9 * centrifugal)))[0].first == 0.0


def test_losses_of_two_wheels():
    """Against the closed form for two wheels, 1 - eta = loss / (T_t V), and the power of the conveyor's load."""
    drive = cd.example("industrial-08b")
    point = operating_point(drive, [50.0, 550.0])
    expected = 1.0 - formulas.joint_friction_efficiency(0.1, 4.45e-3, 12.7e-3, 17, 38, 50.0 / 550.0)
    assert joint_loss(point, 0.1, 4.45e-3) == pytest.approx(expected * 550.0 * point.chain_speed, rel=1e-12)
    speed = 17 / 38 * 500 * np.pi / 30
    assert load_power(point) == pytest.approx((40.0 + 0.2 + 0.01 * speed) * speed, rel=1e-12)
    # 2 N m s/rad and 0.5 N m s^2/rad^2 more, and a table whose mean is 3 N m.
    table = {"angles": ["0 deg", "90 deg", "180 deg", "270 deg", "360 deg"], "torques": [3, 8, 3, -2, 3]}
    more = {"wheels.1.load_viscous": 2.0, "wheels.1.load_quadratic": 0.5, "wheels.1.load_table": table}
    loaded = operating_point(override(drive, more), [50.0, 550.0])
    added = (2.0 * speed + 0.5 * speed**2 + 3.0) * speed
    assert load_power(loaded) == pytest.approx(load_power(point) + added, rel=1e-12)


def test_a_run_down_is_judged_at_its_faster_speed():
    motion = {"kind": "run_down", "initial_speed": "-500 rpm", "final_speed": 0, "duration": 1}
    drive = cd.example("industrial-08b")
    slowing = operating_point(override(drive, {"wheels.0.motion": motion}), [50.0, 550.0])
    assert slowing.chain_speed == pytest.approx(operating_point(drive, [50.0, 550.0]).chain_speed, rel=1e-12)
