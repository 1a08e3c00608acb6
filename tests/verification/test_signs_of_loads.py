"""A winch: direction of loads and torques as the drive runs up, down, and turns back; power in and out by sign."""

from __future__ import annotations

import numpy as np
import pytest

import chaindrive as cd
from chaindrive.analyses.results.comparison import comparison
from chaindrive.analyses.results.losses import losses
from chaindrive.model import SaveOptions
from support.small_drives import two_wheels

TEETH = (17, 25)
RATIO = TEETH[0] / TEETH[1]


def winch(load, motion, until, start="at_speed"):
    """A driver of 17 teeth and a drum of 25, both counter-clockwise at a positive speed."""
    drum = {"inertia": 0.02, "bearing_friction": 0.2} | load
    first = {"motion": motion}
    drive = two_wheels(TEETH, 12.0, first=first, second=drum, contact={"friction": 0.1}, joint_damping=2e-3)
    return cd.simulate(drive, until, start=start, save=SaveOptions(rate=2000))


def constant(speed):
    return {"kind": "constant_speed", "speed": speed, "ramp": 0.2}


@pytest.fixture(scope="module", params=[20.0, -20.0])
def lifting(request):
    """A weight that pulls the drum clockwise, up and down."""
    return request.param, winch({"torque": -30.0}, constant(request.param), 0.8)


def test_a_weight_pulls_the_same_way_up_and_down(lifting):
    """wheel_torque is counter-clockwise positive: the drum feels -30 N m and its bearing, the driver holds it."""
    speed, run = lifting
    bearing = -0.2 * np.sign(speed)
    torque = run.values("wheel_torque")[400:]
    np.testing.assert_allclose(torque[:, 1], -30.0 + bearing, rtol=1e-3)
    assert torque[:, 0].mean() == pytest.approx((30.0 - bearing) * RATIO, rel=0.02)


def test_what_goes_in_and_comes_out_follows_the_sign(lifting):
    speed, run = lifting
    found = losses(run)
    weight = 30.0 * abs(speed) * RATIO
    names = dict(zip(found.sources, found.source_power, strict=True))
    assert names["driven"] == pytest.approx(-weight * np.sign(speed), rel=2e-3)
    into, out = (names["driver"], weight) if speed > 0 else (weight, -names["driver"])
    assert (found.input, found.output) == (pytest.approx(into, rel=2e-3), pytest.approx(out, rel=2e-3))
    assert 0.9 < found.efficiency < 1.0
    assert found.input - found.output == pytest.approx(found.total, abs=2e-3 * found.input)
    assert run.audit.input > run.audit.output > 0.0


def test_the_driver_is_compared_with_its_sign(lifting):
    speed, run = lifting
    (row,) = [row for row in comparison(run).rows if row.quantity == "mean torque of the driver"]
    assert np.sign(row.simulated) == np.sign(speed)  # drives up, brakes down
    assert row.simulated == pytest.approx(row.analytical, rel=0.02)


def test_a_load_keeps_its_direction_while_the_drive_turns_back():
    """From 20 to -15 rad/s: the running sense is that of the faster, counter-clockwise; the load stays clockwise."""
    motion = {"kind": "run_up", "initial_speed": 20.0, "final_speed": -15.0, "duration": 0.4, "ramp": 0.1}
    run = winch({"load_torque": 30.0, "bearing_friction": 0.0}, motion, 0.5)
    np.testing.assert_allclose(run.values("wheel_torque")[:, 1], -30.0, rtol=1e-12)
    speed = run.values("wheel_speed")[:, 1]
    assert speed[0] > 10.0 > 0.0 > -8.0 > speed[-1]
    assert run.audit.relative_residual < 1e-3
