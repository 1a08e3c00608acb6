"""The examples with open chains against the hand calculations in their notes."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import pytest

from chaindrive import example, simulate
from chaindrive.model import override

G = 9.81


class ByHand(NamedTuple):
    """Some numbers of a drive, calculated by hand."""

    tension: float
    """Tension in its chain at rest [N]."""
    more: float
    """Further numbers."""


def hand_hoist() -> ByHand:
    """Tension of the load at rest; and its mean while the wheel runs up, by the mean acceleration."""
    load, speed = 500.0, 11 * 0.0254 * 30.0 / 60.0
    return ByHand(load * G, load * (G + speed / 0.4))


def hand_forklift() -> ByHand:
    """Tension of carriage and load at rest; and the largest, with friction, as the cylinder moves."""
    mass, by, duration = 1680.0, 0.4, 1.6
    acceleration = 10.0 / math.sqrt(3.0) * by / duration**2
    return ByHand(mass * G, mass * (G + 2.0 * acceleration) + 150.0)


def hand_hanging() -> ByHand:
    """Tension of the uppermost link, hanging straight; and the period of the pendulum with its amplitude [s]."""
    mass, link, links, length, amplitude = 2.0, 0.69 * 0.0127, 30, 30 * 0.0127, math.radians(34.4)
    chain = links * link
    own = math.sqrt((mass + chain / 3.0) / (mass + chain / 2.0))
    wide = 1.0 + amplitude**2 / 16.0 + 11.0 * amplitude**4 / 3072.0
    return ByHand((mass + chain - 0.5 * link) * G, 2.0 * math.pi * math.sqrt(length / G) * own * wide)


def test_hoist():
    wanted, found = hand_hoist(), simulate(example("hoist"), until=1.2)
    pull = found.values("link_tension")[:, 0]
    assert pull[0] == pytest.approx(wanted.tension, rel=0.001)
    ramp = found.time <= 0.4
    assert np.trapezoid(pull[ramp], found.time[ramp]) / 0.4 == pytest.approx(wanted.more, rel=0.02)
    assert pull[found.time > 0.5].mean() == pytest.approx(wanted.tension, rel=0.01)
    height = found.values("roller_position")[:, 0, 1]
    late = found.time >= 0.6
    assert np.polyfit(found.time[late], height[late], 1)[0] == pytest.approx(11 * 0.0254 * 0.5, rel=0.01)
    assert not found.warnings


def test_forklift_mast():
    """Until after the middle of the move, where it is fastest and the acceleration has changed its sign."""
    wanted, found = hand_forklift(), simulate(example("forklift-mast"), until=1.0)
    fall = np.hypot(*found.values("anchor_force")[:, 1].T)
    assert fall[0] == pytest.approx(wanted.tension, rel=0.002)
    assert wanted.more < fall.max() < 1.05 * wanted.more
    moved = np.ptp(found.values("joint_position"), axis=0)
    assert moved[1] / moved[0] == pytest.approx(2.0, rel=0.005)
    # sheave: both falls
    assert abs(found.values("bearing_force")[0, 0, 1]) == pytest.approx(2.0 * wanted.tension, rel=0.01)
    assert found.audit.relative_residual < 1e-6


def test_forklift_mast_with_a_leaf_chain():
    """A leaf chain lies with its plates on the sheave and carries the same load; until after the largest
    acceleration.
    """
    wanted = hand_forklift()
    found = simulate(override(example("forklift-mast"), {"chain.standard": "LH1634"}), until=0.6)
    assert (found.drive.chain.kind, found.drive.chain.roller_diameter) == ("leaf", pytest.approx(0.02413))
    fall = np.hypot(*found.values("anchor_force")[:, 1].T)
    assert fall[0] == pytest.approx(wanted.tension, rel=0.002)
    assert wanted.more < fall.max() < 1.05 * wanted.more
    assert found.audit.relative_residual < 1e-6


def test_hanging_chain():
    wanted, found = hand_hanging(), simulate(example("hanging-chain"))
    place = found.values("roller_position")[:, -1]
    angle = np.arctan2(place[:, 0], -place[:, 1])
    i = np.flatnonzero(np.diff(np.sign(angle)))
    through = found.time[i] - angle[i] * np.diff(found.time)[i] / (angle[i + 1] - angle[i])
    assert 2.0 * np.diff(through) == pytest.approx(wanted.more, rel=0.002)
    straight = simulate(example("hanging-chain"), until=0.001, start="at_rest")
    assert straight.values("link_tension")[0, 0] == pytest.approx(wanted.tension, rel=1e-3)
