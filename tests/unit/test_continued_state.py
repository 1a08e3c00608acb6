"""Facts that a state passes on to the next run: turns of the path, the heavy side of wheels, loads that fade in."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from chaindrive.contract.end_state import EndState
from chaindrive.formulations.roller.continued import continued, end_state
from chaindrive.kernels.tables import blank
from chaindrive.mechanism import motion
from chaindrive.mechanism.continuing import transients_ended
from chaindrive.mechanism.torques import pack
from chaindrive.model import Drive, LoadTable, RollerOptions
from support.small_drives import channel, compiled, two_wheels

TEETH = 16


def ended(drive: Drive) -> EndState:
    """The start state of a drive as the end of a run."""
    system = compiled(drive, moving=True)
    return end_state(system, drive, 0.5, system.state)


def with_facts(end: EndState, **changes) -> EndState:
    """That state with other facts."""
    return replace(end, facts=end.facts | changes)


@pytest.mark.parametrize("turns", [0, 1, -3])
def test_the_path_goes_on_where_the_wheel_has_turned_past_its_old_angle(turns: int) -> None:
    """An angle of pi and one of -pi are the same position of a wheel, but not of the path: a turn is 16 of 40 pitches.

    The middle of link i is at i + 1/2 + z (angle - path_angle) / 2 pi pitches, modulo the number of links.
    """
    drive = two_wheels()
    end = ended(drive)
    begun = float(end.facts["path_angle"]) + 2.0 * math.pi * turns
    system = continued(drive, RollerOptions(), with_facts(end, path_angle=np.array(begun)))
    links = drive.chain.links
    assert TEETH % links  # otherwise a turn would not be seen
    turned = TEETH * (end.state[2 * links] - begun) / (2.0 * math.pi)
    apart = channel(system, "link_path_position") - (np.arange(links) + 0.5 + turned)
    np.testing.assert_allclose((apart + links / 2) % links - links / 2, 0.0, atol=1e-9)


@pytest.mark.parametrize("angle", [0.0, 0.7, -2.0])
def test_the_heavy_side_of_a_wheel_stays_where_it_is_on_the_wheel(angle: float) -> None:
    """If a wheel was ``angle`` further at its first start than now, its mass is that much further back on the wheel."""
    unbalance = {"mass_moment": 0.01, "angle": 0.3}
    drive = two_wheels(second={"unbalance": unbalance, "mass": 1.0})
    end = ended(drive)
    first = compiled(drive, moving=True).parameters.planar.wheel
    reference = end.facts["reference_angle"] + np.array([0.0, angle])
    now = continued(drive, RollerOptions(), with_facts(end, reference_angle=reference)).parameters.planar.wheel
    expected = complex(first.moment_x[1], first.moment_y[1]) * np.exp(-1j * angle)
    assert abs(complex(first.moment_x[1], first.moment_y[1])) == pytest.approx(0.01, rel=1e-12)
    assert complex(now.moment_x[1], now.moment_y[1]) == pytest.approx(expected, abs=1e-15)


def test_a_load_has_settled_when_it_has_faded_in() -> None:
    still = blank(motion.MotionRows, 2)
    table = LoadTable(angles=("0 deg", "90 deg", "180 deg", "360 deg"), torques=(1, 2, 3, 1), start=1.0, fade_in=2.0)
    load = pack([[], [table]], 1.0, 0.0, 0.5)[:2]
    assert transients_ended(still, *load, 0.9).tolist() == [True, False]
    assert transients_ended(still, *load, 2.9).tolist() == [True, False]
    assert transients_ended(still, *load, 3.0).tolist() == [True, True]
    still.start[0] = still.fade_in[0] = 2.0
    assert transients_ended(still, *load, 3.9).tolist() == [False, True]
    still.ramp[0] = 5.0
    assert transients_ended(still, *load, 4.9).tolist() == [False, True]
    assert transients_ended(still, *load, 5.0).tolist() == [True, True]
