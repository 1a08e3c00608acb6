"""The start: static equilibrium, wanted preload or sag, velocities that roll with the driver."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest

import chaindrive as cd
from chaindrive.model import override
from chaindrive.solvers.jacobian import forces_at_rest
from chaindrive.start import STATIC_TOLERANCE, channel_at_start, prepare


@pytest.fixture(scope="module")
def drive() -> cd.Drive:
    return cd.example("industrial-08b")


def test_start_at_rest_is_an_equilibrium(drive: cd.Drive) -> None:
    system = prepare(drive, start="at_rest").system
    assert np.abs(forces_at_rest(system, 0.0, system.state)).max() < STATIC_TOLERANCE
    assert not system.warnings
    # Moment balance of the conveyor about its centre: (tight - slack) R = load torque; the wheel is free.
    slack, tight = channel_at_start(system, "span_tension")
    radius = drive.chain.pitch / (2.0 * math.sin(math.pi / 38))
    weight = drive.chain.links * drive.chain.link_mass * 9.81  # the strands' own weight acts besides: at most this
    assert (tight - slack) * radius == pytest.approx(40.0, abs=weight * radius)


def test_slack_span_hangs_on_top(drive: cd.Drive) -> None:
    system = prepare(drive, start="at_rest").system
    slack, tight = channel_at_start(system, "span_displacement")
    assert system.notes["placing_sag"] == pytest.approx(abs(slack), rel=0.2)
    assert abs(slack) > 5.0 * abs(tight)


def test_start_at_speed_rolls(drive: cd.Drive) -> None:
    """No tooth runs into a roller: the first evaluation finds no approach faster than the mesh allows."""
    system = prepare(drive, start="at_speed").system
    speed = channel_at_start(system, "wheel_speed")
    # Equal tooth frequencies: z1 w1 = z2 w2.
    assert 17 * speed[0] == pytest.approx(38 * speed[1], rel=1e-12)
    rollers = channel_at_start(system, "roller_velocity")
    chain_speed = abs(speed[0]) * 17 * drive.chain.pitch / (2.0 * math.pi)
    # On a wheel a roller moves on the pitch circle: p z w / (2 pi) times (pi/z)/sin(pi/z), 0.6 % above for z=17.
    ratio = np.hypot(*rollers.T) / chain_speed
    assert ratio.max() < (math.pi / 17) / math.sin(math.pi / 17) + 1e-3
    assert ratio.min() > 1.0 - 1e-2
    force = channel_at_start(system, "contact_force")
    assert force.max() < 3.0 * 40.0 / 0.0769  # statics only: far below any impact


def test_wanted_tension_by_moving_a_wheel(drive: cd.Drive) -> None:
    wanted = override(drive, {"preload": {"span": 0, "tension": "200 N", "by": "wheel", "wheel": 1}})
    started = prepare(wanted, start="at_rest")
    assert channel_at_start(started.system, "span_tension")[0] == pytest.approx(200.0, rel=1e-3)
    moved = started.drive.wheels[1].position[0] - drive.wheels[1].position[0]
    said = re.search(r"moved by ([+-][0-9.]+) mm", started.system.notes["preload_adjustment"])
    assert said is not None
    assert float(said[1]) == pytest.approx(moved * 1e3, abs=1e-4)
    assert 0.0 < moved < 1e-3


def test_wanted_sag(drive: cd.Drive) -> None:
    wanted = override(drive, {"preload": {"span": 0, "sag": "15 mm", "by": "wheel", "wheel": 1}})
    started = prepare(wanted, start="at_rest")
    assert abs(channel_at_start(started.system, "span_displacement")[0]) == pytest.approx(0.015, rel=1e-3)
    assert started.drive.wheels[1].position[0] < drive.wheels[1].position[0]


def test_wanted_tension_by_the_pitch() -> None:
    marine = override(cd.example("6l60mc"), {"preload": {"span": 0, "tension": "21 kN", "by": "pitch"}})
    started = prepare(marine, start="at_rest")
    assert channel_at_start(started.system, "span_tension")[0] == pytest.approx(21e3, rel=1e-3)
    assert started.drive.chain.pitch < marine.chain.pitch
    assert "pitch changed" in started.system.notes["preload_adjustment"]


def test_preload_out_of_reach_is_said(drive: cd.Drive) -> None:
    far = override(drive, {"preload": {"span": 0, "sag": "400 mm", "by": "wheel", "wheel": 1}})
    with pytest.raises(cd.InputError, match="was not reached"):
        prepare(far, start="at_rest")


def test_marine_drives_static_tension() -> None:
    """Prototype: 5.0-5.6 kN, +-0.5 kN with the phase of placing (6L60MC); 66.7-78 kN (6S90MC-C, both centres)."""
    small = prepare(cd.example("6l60mc"), start="at_rest").system.notes
    large = prepare(cd.example("6s90mc-c"), start="at_rest").system.notes
    assert 4.0e3 < min(small["static_span_tension"]) < max(small["static_span_tension"]) < 6.1e3
    assert 60e3 < min(large["static_span_tension"]) < max(large["static_span_tension"]) < 78e3
    assert small["static_residual"] < STATIC_TOLERANCE
    assert large["static_residual"] < STATIC_TOLERANCE
