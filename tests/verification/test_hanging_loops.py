"""A chain that hangs in a loop from one wheel: the catenary, its weight, its circulation, and its energy."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.special import jn_zeros

from chaindrive import simulate
from chaindrive.analyses.linear.linearised import system_modes
from chaindrive.model import SaveOptions, override
from chaindrive.simulation.start import prepare
from support.hanging_loops import LINK_MASS, PITCH, hand_chain

G = 9.81
BOTH = pytest.mark.parametrize("kind", ["roller", "link"])


def formed(kind, drive):
    alike = {"chain.inner_link.mass": LINK_MASS} if kind == "link" else {}
    return override(drive, {"run.formulation.kind": kind} | alike)


class Rest:
    """A loop at rest."""

    def __init__(self, drive):
        self.system = prepare(drive).system
        assert self.system.story.notes["static_converged"]
        self.notes = self.system.story.notes

    def __getitem__(self, name):
        return self.system.channel(name).read(self.system.row(0.0, self.system.state))


@BOTH
def test_the_wheel_carries_the_weight_of_the_chain(kind):
    rest = Rest(formed(kind, hand_chain(links=60)))
    assert rest["bearing_force"][0] == pytest.approx([0.0, -60 * LINK_MASS * G], rel=1e-6, abs=1e-6)
    assert rest.notes["static_holding_torque"] == pytest.approx(0.0, abs=1e-6)


def test_both_strands_carry_half_of_the_loop_each():
    # perpendicular to gravity the tension is the same everywhere, along it it grows by the weight of a link
    links = 80
    rest = Rest(hand_chain(links=links))
    place = rest["roller_position"]
    below = place[:, 1] < 1.0 - 5.0 * PITCH  # no roller there touches the wheel
    tension = rest["link_tension"]
    step = np.roll(place, -1, axis=0) - place
    unit = step / np.hypot(*step.T)[:, None]
    loop = below & np.roll(below, -1)
    across = tension[loop] * np.abs(unit[loop, 0])
    assert np.ptp(across) < 1e-3 * across.mean()
    along = (tension * unit[:, 1])[loop]
    order = np.argsort(along)
    assert np.diff(along[order]) == pytest.approx(LINK_MASS * G, rel=1e-3)
    hanging = int(loop.sum()) - 1
    assert np.ptp(along) == pytest.approx(hanging * LINK_MASS * G, rel=1e-3)


def test_the_loop_is_a_catenary():
    # y = a cosh(x/a): half the length s and half the width d of a part of the loop give a, with sinh(d/a) = s/a, and
    # the tension at its ends, w (a + depth); a is but two pitches at the bottom, whose link is the least continuous
    rest = Rest(hand_chain(links=240, teeth=60))
    place, tension = rest["roller_position"], rest["link_tension"]
    lowest = int(np.argmin(place[:, 1]))
    reach = 80
    around = (lowest + np.arange(-reach, reach + 1)) % 240
    part = place[around]
    width, length = 0.5 * abs(part[-1, 0] - part[0, 0]), reach * PITCH
    a = brentq(lambda a: math.sinh(width / a) - length / a, 0.05 * width, width, xtol=1e-15)
    depth = a * (math.cosh(width / a) - 1.0)
    assert 0.5 * (part[0, 1] + part[-1, 1]) - place[lowest, 1] == pytest.approx(depth, rel=1e-3)
    weight = LINK_MASS / PITCH * G
    ends = 0.5 * (tension[around[0] - 1] + tension[around[0]])
    assert ends == pytest.approx(weight * (a + depth), rel=2e-3)
    assert tension[lowest] == pytest.approx(weight * a, rel=0.05)


@BOTH
def test_its_displacement_is_how_far_it_hangs_below_the_axis(kind):
    rest = Rest(formed(kind, hand_chain(links=60)))
    assert rest["span_displacement"][0] == pytest.approx(rest["roller_position"][:, 1].min() - 1.0, abs=1e-6)


def test_gravity_gives_it_its_direction():
    down = Rest(hand_chain(links=60))
    aside = Rest(hand_chain(links=60, gravity=(G, 0.0)))
    assert aside["roller_position"][:, 0].max() - 0.1 == pytest.approx(
        1.0 - down["roller_position"][:, 1].min(), rel=1e-9
    )
    assert aside["span_tension"] == pytest.approx(down["span_tension"], rel=1e-6)


def test_a_wheel_on_a_spring_sinks_by_the_weight_and_takes_its_loop_along():
    weight, stiffness = (60 * LINK_MASS + 3.0) * G, 1e4
    slide = {"kind": "prismatic", "direction": math.pi / 2.0, "stiffness": stiffness, "damping": 10.0}
    rest = Rest(
        hand_chain(bodies=({"name": "slide", "mass": 2.0, "joint": slide},), wheel={"body": "slide", "mass": 1.0})
    )
    height = rest["wheel_position"][0, 1]
    assert 1.0 - height == pytest.approx(weight / stiffness, rel=1e-6)
    assert rest["span_displacement"][0] == pytest.approx(rest["roller_position"][:, 1].min() - height, rel=1e-9)


def test_a_long_loop_swings_like_a_chain_that_hangs():
    # two strands side by side, tied at the bottom, swing as one of their length does: j_01 / 2 sqrt(g/L) (Bernoulli)
    held = {"motion": {"kind": "constant_speed", "speed": 1.0}}
    rest = Rest(hand_chain(links=140, teeth=10, wheel=held))
    length = 1.0 - rest["roller_position"][:, 1].min()
    lowest = 2.0 * math.pi * system_modes(rest.system, 1).frequency[0]
    assert lowest == pytest.approx(0.5 * float(jn_zeros(0, 1)[0]) * math.sqrt(G / length), rel=0.01)


@BOTH
def test_a_torque_turns_wheel_and_chain_as_one_mass(kind):
    # 0.2 N m on the wheel and the chain, all of which moves at the speed of its pitch circle
    drive = formed(kind, hand_chain(wheel={"torque": 0.2}, run={"until": 0.2}))
    solution = simulate(drive, save=SaveOptions(channels="all", precision="double"))
    radius = PITCH * 20 / (2.0 * math.pi)
    inertia = 0.01 + 60 * LINK_MASS * radius**2
    speed = float(solution["wheel_speed"].values[-1, 0])
    assert speed == pytest.approx(0.2 * 0.2 / inertia, rel=0.01)
    assert solution.audit.relative_residual < 1e-4


@pytest.mark.long
def test_a_loop_that_goes_round_keeps_its_shape_and_carries_its_centrifugal_tension():
    # Routh: a chain that runs along the curve in which it hangs stays there, with m v^2 more tension
    drive = hand_chain(links=100, teeth=40, wheel={"motion": {"kind": "constant_speed", "speed": 4.0, "ramp": 0.5}},
                       run={"until": 3.0})  # fmt: skip
    solution = simulate(drive, save=SaveOptions(channels="all"))
    speed = 4.0 * PITCH * 40 / (2.0 * math.pi)
    late = solution["time"].values > 1.0
    tension, depth = solution["span_tension"].values[:, 0], solution["span_displacement"].values[:, 0]
    assert tension[late].mean() - tension[0] == pytest.approx(LINK_MASS / PITCH * speed**2, rel=0.1)
    assert depth[late].mean() == pytest.approx(depth[0], rel=0.02)
