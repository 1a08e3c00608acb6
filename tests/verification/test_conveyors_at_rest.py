"""Conveyors with rails: each strand comes to rest on its own side of its rails, with tensions of its weight.

Two sprockets, rails under one strand or both, whole or in part, level or inclined, any chain and slack. No tension
exceeds the pull of the weight of the whole chain along a slope plus the tension of a freely hanging strand.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from chaindrive.model import Drive, Guide, Wheel
from chaindrive.simulation.start import prepare

SIZES = {"08B-1": 12.7e-3, "16B-1": 25.4e-3, "24B-1": 38.1e-3}
GRAVITY = 9.81


def conveyor(seed: int) -> Drive:
    """A random conveyor."""
    rng = np.random.default_rng(seed)
    standard = str(rng.choice(list(SIZES)))
    pitch, teeth = SIZES[standard], int(rng.integers(11, 30))
    length, slope = float(rng.uniform(60, 250)) * pitch, math.radians(float(rng.choice([0, 0, 5, 15])))
    rails = []
    for span, side in rng.permutation([(0, "right"), (1, "left")])[: int(rng.integers(1, 3))]:
        share = float(rng.choice([0.92, 0.9, 0.5]))
        shape = {"kind": "on_span", "span": int(span), "side": str(side), "length": share * length}
        contact = {"stiffness": 1e8, "friction": 0.1}
        rails.append(Guide(name=f"rail {span}", shape=shape, contact=contact))
    turn = -float(rng.uniform(10, 90))
    head = Wheel(
        name="head", teeth=teeth, position=(length * math.cos(slope), length * math.sin(slope)),
        motion={"kind": "constant_speed", "speed": f"{turn:.1f} rpm"}, tooth={"form": "iso-606"},
    )  # fmt: skip
    tail = Wheel(name="tail", teeth=teeth, position=(0.0, 0.0), inertia=0.05, tooth={"form": "iso-606"})
    return Drive(
        name=f"conveyor {seed}", loop="clockwise", chain={"standard": standard, "links": "auto"},
        wheels=[tail, head], guides=rails, contact={"stiffness": 1e10, "friction": 0.1},
    )  # fmt: skip


@pytest.mark.parametrize("seed", [*range(4), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(4, 100))])
def test_strands_rest_on_their_own_rails(seed: int) -> None:
    drive = conveyor(seed)
    started = prepare(drive, drive.run.formulation, "at_rest", None)
    system, drive = started.system, started.drive
    notes = system.story.notes
    weight_of_chain = drive.chain.link_mass * drive.chain.links * GRAVITY
    assert notes["static_residual"] < 1e-4 * weight_of_chain, notes
    row = system.row(0.0, system.state)
    tension = system.channel("link_tension").read(row)
    place = system.channel("roller_position").read(row)
    weight = drive.chain.link_mass / drive.chain.pitch * GRAVITY
    length = float(np.hypot(*np.diff([wheel.position for wheel in drive.wheels], axis=0)[0]))
    rise = abs(drive.wheels[1].position[1] - drive.wheels[0].position[1])
    # a strand that hangs freely over all of its length with a sag of 2 % of it: H = w l^2 / (8 f)
    limit = weight * (rise + length / (8.0 * 0.01) + length)
    assert np.abs(tension).max() < limit
    along = (drive.wheels[1].position - np.array(drive.wheels[0].position)) / length
    across = np.array([-along[1], along[0]])
    on = (place @ along > 0.15 * length) & (place @ along < 0.85 * length)
    height = place @ across
    sense = np.sign(np.roll(place @ along, -1) - place @ along)
    upper, lower = height[on & (sense > 0.0)], height[on & (sense < 0.0)]
    assert upper.size
    assert lower.size
    radius = drive.chain.pitch / (2.0 * math.sin(math.pi / drive.wheels[0].teeth))
    for guide in drive.guides:
        kept = upper if guide.shape.span == 0 else lower
        side = 1.0 if guide.shape.span == 0 else -1.0
        if guide.shape.length > 0.9 * length:
            assert np.abs(kept - side * radius).max() < drive.chain.pitch, f"{guide.name}: off its rail"
    if len({g.shape.span for g in drive.guides}) == 2 and all(g.shape.length > 0.9 * length for g in drive.guides):
        assert upper.min() > lower.max()


def two_rails() -> Drive:
    """Five metres of 16B with a rail under each strand, the slack of which would arch up to the other rail."""
    rails = [
        Guide(
            name=f"rail {span}",
            shape={"kind": "on_span", "span": span, "side": side, "length": 4.6},
            contact={"stiffness": 1e8, "friction": 0.1},
        )
        for span, side in ((0, "right"), (1, "left"))
    ]
    wheels = [
        Wheel(name="tail", teeth=19, position=(0.0, 0.0), inertia=0.05, tooth={"form": "iso-606"}),
        Wheel(
            name="head", teeth=19, position=(5.0, 0.0), motion={"kind": "constant_speed", "speed": "-60 rpm"},
            tooth={"form": "iso-606"},
        ),
    ]  # fmt: skip
    chain = {"standard": "16B-1", "links": "auto"}
    return Drive(
        name="two rails", loop="clockwise", chain=chain, wheels=wheels, guides=rails, contact={"stiffness": 1e10}
    )


def test_the_return_strand_does_not_arch_onto_the_upper_rail() -> None:
    """It used to come to rest there with 29.6 kN."""
    drive = two_rails()
    system = prepare(drive, drive.run.formulation, "at_rest", None).system
    row = system.row(0.0, system.state)
    assert np.abs(system.channel("link_tension").read(row)).max() < 100.0
    assert not any("wrong side" in warning for warning in system.story.warnings)


def test_a_rest_far_beyond_all_loads_is_doubted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chaindrive.mechanism.layout._meets_others", lambda placed, pitch: False)
    drive = two_rails()
    system = prepare(drive, drive.run.formulation, "at_rest", None).system
    warning = next(each for each in system.story.warnings if "wrong side" in each)
    assert "kN" in warning
    assert system.story.notes["static_converged"]


@pytest.mark.parametrize(("rails", "lies"), [((1,), True), ((0, 1), False)])
def test_a_strand_that_lies_on_the_other_one_is_doubted(rails: tuple[int, ...], lies: bool) -> None:
    """2.2 m of 10B-1 without a rail under the upper strand: it sags by more than the 86 mm between both strands."""
    sides = {0: "right", 1: "left"}
    guides = [
        Guide(
            name=f"rail {k}",
            shape={"kind": "on_span", "span": k, "at": 0.5, "side": sides[k], "length": 1.9},
            contact={"stiffness": 1e8, "friction": 0.1},
        )
        for k in rails
    ]
    ends = [(0.0, 0.0), (2.2, 0.0)]
    wheels = [
        Wheel(name="tail", teeth=17, position=ends[0], inertia=0.05, tooth={"form": "iso-606"}),
        Wheel(name="head", teeth=17, position=ends[1], tooth={"form": "iso-606"},
              motion={"kind": "constant_speed", "speed": "-20 rpm"}),
    ]  # fmt: skip
    drive = Drive(
        name="sagging", loop="clockwise", chain={"standard": "10B-1", "links": 296}, wheels=wheels, guides=guides,
        contact={"stiffness": 1e10, "friction": 0.1},
    )  # fmt: skip
    system = prepare(drive, drive.run.formulation, "at_rest", None).system
    told = [each for each in system.story.warnings if "lies on itself" in each]
    assert len(told) == lies
    row = system.row(0.0, system.state)
    upper = system.channel("roller_position").read(row)[20:120, 1]
    assert (upper.min() < 0.0) == lies
