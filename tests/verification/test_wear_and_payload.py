"""Worn chains, unequal links, and payload, against closed-form solutions and the balances of momentum and energy."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np
import pytest
from numba.core import config

import chaindrive as cd
from chaindrive.formulations import compile_system
from chaindrive.mechanism.layout import placed_chain, route_in_pitches
from chaindrive.model import RollerOptions, override
from support.small_drives import PITCH, chain, channel, free_chain, rates, two_wheels

compiled = pytest.mark.skipif(bool(config.DISABLE_JIT), reason="minutes in plain Python")
GRAVITY = 9.81
WORN_OUT = "CHAIN_JUMPED_TOOTH"


def ring(links: int, rng: np.random.Generator) -> np.ndarray:
    """Rollers on a circle displaced by a hundredth of the pitch, (N, 2)."""
    angle = 2.0 * np.pi * np.arange(links) / links
    radius = 0.5 * PITCH / math.sin(np.pi / links)
    return radius * np.column_stack([np.cos(angle), np.sin(angle)]) + 0.01 * PITCH * rng.standard_normal((links, 2))


# Links that differ ----------------------------------------------------------------------------------------------------


def test_every_link_has_its_own_length():
    """The tension of each link is T_i = k (l_i - P (1 + e_i))."""
    links = chain(24, wear=0.01, scatter={"deviation": 1e-3, "seed": 5})
    place = ring(24, np.random.default_rng(1))
    system = free_chain(links, (0.0, 0.0), place)
    length = np.hypot(*(np.roll(place, -1, axis=0) - place).T)
    wanted = links.link_stiffness * (length - PITCH * (1.0 + np.array(links.elongations)))
    np.testing.assert_allclose(channel(system, "link_tension"), wanted, rtol=1e-9, atol=1e-6)
    assert channel(system, "energy_elastic") == pytest.approx(0.5 * (wanted**2).sum() / links.link_stiffness, rel=1e-9)


def test_attachments_add_their_mass_and_weight():
    """Momentum balance: sum of m a = M g, whatever the link forces; kinetic energy is sum of m v^2 / 2, weight sum of m
    g y.
    """
    links = chain(24, attachments=[{"mass": 0.05, "every": 4, "first": 1}])
    rng = np.random.default_rng(2)
    place = ring(24, rng)
    system = free_chain(links, (1.0, -GRAVITY), place)
    on_links = np.array(links.attached_masses)
    mass = links.link_mass + 0.5 * (on_links + np.roll(on_links, 1))
    y = system.state.copy()
    y[48:96] = rng.standard_normal(48)
    rate = rates(system, y)[48:96].reshape(2, 24)
    np.testing.assert_allclose(rate @ mass, mass.sum() * np.array([1.0, -GRAVITY]), rtol=1e-6)
    assert channel(system, "energy_kinetic", y) == pytest.approx(0.5 * (y[48:96].reshape(2, 24) ** 2 @ mass).sum())
    assert channel(system, "energy_gravity", y) == pytest.approx(mass @ place @ np.array([-1.0, GRAVITY]), rel=1e-9)


def test_equal_links_are_computed_alike_on_both_ways():
    """The code for unequal links gives the same bits as that for equal ones if the links are equal."""
    drive = two_wheels()
    system = compile_system(drive, RollerOptions(), True)
    y = system.state.copy()
    rng = np.random.default_rng(3)
    y[: 2 * drive.chain.links] += 1e-5 * rng.standard_normal(2 * drive.chain.links)
    before = rates(system, y)
    dy = np.zeros_like(y)
    system.kernels.rhs(0.0, y, dy, system.parameters._replace(uneven_pitch=True))
    np.testing.assert_array_equal(dy, before)


# A worn chain on its wheels -------------------------------------------------------------------------------------------


def taut(teeth: tuple[int, int], links: int, pitch: float) -> float:
    """Centre distance at which a chain is taut, by bisection: 2 c cos(a) + wraps = links x pitch."""
    radius = [0.5 * pitch / math.sin(math.pi / z) for z in teeth]
    low, high = 1.01 * abs(radius[1] - radius[0]), links * pitch
    for _ in range(100):
        centre = 0.5 * (low + high)
        tilt = math.asin((radius[1] - radius[0]) / centre)
        wrapped = (math.pi - 2.0 * tilt) * teeth[0] + (math.pi + 2.0 * tilt) * teeth[1]
        short = 2.0 * centre * math.cos(tilt) / pitch + wrapped / (2.0 * math.pi) < links
        low, high = (centre, high) if short else (low, centre)
    return low


def worn_drive(load: float = 20.0, slack: float = 0.5e-3, teeth: tuple[int, int] = (20, 40), **of_chain) -> cd.Drive:
    """An 08B on two wheels, moved apart until little slack is left; 60 rpm, a load torque in N m."""
    of_chain = {"standard": "08B-1", "links": 80} | of_chain
    centre = taut(teeth, 80, cd.Chain(**of_chain).mean_pitch) - slack
    motion = {"kind": "constant_speed", "speed": "60 rpm", "ramp": "0.1 s"}
    tooth = {"form": "iso-606"}
    return cd.Drive(
        name="worn",
        gravity=(0.0, 0.0),
        chain=of_chain,
        contact={"stiffness": 2e10, "friction": 0.05},
        wheels=[
            {"name": "driver", "teeth": teeth[0], "position": (0.0, 0.0), "tooth": tooth, "motion": motion},
            {"name": "driven", "teeth": teeth[1], "position": (centre, 0.0), "tooth": tooth, "inertia": 0.01,
             "load_torque": load},
        ],
        run={"until": 0.6, "formulation": {"friction_speed": 0.02, "friction_sharpness": 0.1}, "save": {"rate": 500}},
    )  # fmt: skip


@pytest.mark.parametrize("of_chain", [{"elongation": 0.01}, {"wear": 0.02}, {"wear": 0.01, "elongation": 0.005}])
def test_length_and_centre_distance_of_a_worn_chain(of_chain):
    """At the taut centre distance calculated by hand the route takes exactly the links of the chain, unstretched."""
    drive = worn_drive(slack=0.0, **of_chain)
    assert route_in_pitches(drive) == pytest.approx(80.0, abs=1e-9)
    placed, _ = placed_chain(drive)
    assert placed.strain == pytest.approx(0.0, abs=5e-5)  # wraps are no whole number of teeth
    assert sum(1.0 + e for e in drive.chain.elongations) * 12.7e-3 == pytest.approx(80 * drive.chain.mean_pitch)


@cache
def radii(elongation: float) -> tuple[np.ndarray, np.ndarray]:
    """Distances of the rollers from both wheels at the end of a run, over P (1 + e) / (2 sin(pi/z))."""
    drive = worn_drive(elongation=elongation)
    run = cd.simulate(drive)
    assert run.status.name == "REACHED_END"
    assert np.abs(run.values("energy_residual")).max() < 1e-6 * run.values("work_input")[-1]
    place = run.values("roller_position")[-1]
    longer = 12.7e-3 * (1.0 + elongation)
    return tuple(
        np.sort(np.hypot(*(place - wheel.position).T)) / (0.5 * longer / math.sin(math.pi / wheel.teeth))
        for wheel in drive.wheels
    )  # type: ignore[return-value]


@compiled
@pytest.mark.parametrize("elongation", [0.03, *(pytest.param(e, marks=pytest.mark.long) for e in (0.01, 0.02))])
def test_rollers_of_a_worn_chain_ride_on_a_larger_circle(elongation):
    """Where a chain pulls, a link spans one tooth: R = P (1 + e) / (2 sin(pi/z)) (Binder 1956).

    Those behind the tight span on the driver lie on it, up to what links of 240 N (0.07 % of EA/P) and teeth yield.
    On the driven wheel, from the slack side, they climb to it and never beyond.
    """
    driver, driven = radii(elongation)
    np.testing.assert_allclose(driver[:3], 1.0, atol=1.5e-3)
    on_wheel = driven[:20]
    assert on_wheel[0] < 1.0 - 0.5 * elongation
    assert np.median(driven[12:16]) == pytest.approx(1.0, abs=2e-3)


@compiled
@pytest.mark.parametrize(
    ("elongation", "ending"),
    [
        (0.0, "REACHED_END"),
        pytest.param(0.01, "REACHED_END", marks=pytest.mark.long),
        (0.03, WORN_OUT),
    ],
)
def test_a_worn_chain_jumps_where_a_new_one_holds(elongation, ending):
    """3 % on 40 teeth, where 3.4 % reach the tips: under the same load and slack the worn chain climbs out."""
    run = cd.simulate(worn_drive(load=60.0, slack=1.5e-3, elongation=elongation))
    assert run.status.name == ending
    assert run.time[-1] > 0.0


# Payload --------------------------------------------------------------------------------------------------------------

DENSITY, SPEED, START, END, TRANSITION = 10.0, 0.8, 0.1, 0.6, 0.06
LINKS = 138


def elevator(kind: str = "roller", feed_speed: float = 0.0, resistance: float = 0.0, lean: float = 0.0) -> cd.Drive:
    """Two wheels of 20 teeth, 0.75 m apart, one above the other (or leaning), goods on the rising strand.

    The chain is four times as soft as an 08B is, and the contacts too: steps are twice as long.
    """
    turning = 2.0 * math.pi * SPEED / (20 * 12.7e-3)  # a tooth for every link
    apart = (LINKS - 20) / 2 * 12.7e-3 - 1e-4
    up = np.array([-math.sin(lean), math.cos(lean)])
    goods = {"span": 1, "mass_per_length": DENSITY, "start": START, "end": END, "transition": TRANSITION}
    motion = {"kind": "constant_speed", "speed": turning}
    return cd.Drive(
        name="elevator",
        gravity=(0.0, -GRAVITY),
        chain={"standard": "08B-1", "links": LINKS, "link_stiffness": 3e7},
        contact={"stiffness": 5e9, "restitution": 0.5},
        wheels=[
            {
                "name": "head",
                "teeth": 20,
                "position": tuple(apart * up),
                "tooth": {"form": "iso-606"},
                "motion": motion,
            },
            {"name": "boot", "teeth": 20, "position": (0.0, 0.0), "tooth": {"form": "iso-606"}, "inertia": 1e-3},
        ],
        payloads=[goods | {"feed_speed": feed_speed, "resistance": resistance}],
        run={"until": 0.8, "formulation": {"kind": kind, "friction_speed": 0.02}, "save": {"rate": 4000}},
    )


@cache
def lifting(*of_elevator: Any) -> cd.Solution:
    return cd.simulate(elevator(*of_elevator))


def settled(run: cd.Solution) -> np.ndarray:
    """Rows of the last 40 tooth passages, a whole number: over 20, means scatter by 1 % due to rounding."""
    return run.time > run.time[-1] - 40 * 12.7e-3 / SPEED


def along_the_strand(run: cd.Solution, height: float) -> float:
    """Mean tension of the rising strand at a height. [N]"""
    found = []
    for place, tension in zip(run.values("roller_position")[settled(run)], run.values("link_tension")[settled(run)],
                              strict=True):  # fmt: skip
        middle = 0.5 * (place + np.roll(place, -1, axis=0))
        rising = middle[:, 0] > 0.02
        order = np.argsort(middle[rising, 1])
        found.append(np.interp(height, middle[rising, 1][order], tension[rising][order]))
    return float(np.mean(found))


LINKS_TOO = pytest.mark.parametrize("kind", ["roller", pytest.param("link", marks=pytest.mark.long)])


@compiled
@LINKS_TOO
def test_tension_of_a_loaded_strand(kind):
    """Momentum balance of the chain and goods between two heights: T_2 - T_1 = (m' H + q (h_2 - h_1)) g + m' v (v -
    u).
    """
    run = lifting(kind, 0.0)  # the run of the test of its power
    low, high = 0.05, 0.7
    carried = DENSITY * (END - START - TRANSITION)
    chain_weight = run.drive.chain.link_mass / 12.7e-3 * (high - low) * GRAVITY
    wanted = carried * GRAVITY + chain_weight + DENSITY * SPEED**2
    assert run.values("payload_mass", item=0)[settled(run)].mean() == pytest.approx(carried, rel=2e-3)
    assert along_the_strand(run, high) - along_the_strand(run, low) == pytest.approx(wanted, rel=0.01)


@compiled
@LINKS_TOO
@pytest.mark.parametrize("feed_speed", [0.0, pytest.param(SPEED, marks=pytest.mark.long)])
def test_power_of_an_elevator(kind, feed_speed):
    """P = m' v (g H + v^2/2 - u^2/2) into the goods, and m' v (u - v)^2/2 lost as they are accelerated."""
    run = lifting(kind, feed_speed)
    flow = DENSITY * SPEED
    height = END - START - TRANSITION
    rows = settled(run)
    given = flow * (GRAVITY * height + 0.5 * (SPEED**2 - feed_speed**2))
    lost = flow * 0.5 * (SPEED - feed_speed) ** 2
    assert run.values("payload_power", item=0)[rows].mean() == pytest.approx(given, rel=3e-3)
    assert run.values("payload_loss", item=0)[rows].mean() == pytest.approx(lost, rel=0.02, abs=2e-3 * given)
    losses = sum(run.values(f"power_{name}")[rows].mean() for name in ("link_damping", "articulation", "contact"))
    assert run.values("power_input")[rows].mean() == pytest.approx(given + lost + losses, rel=0.01)
    assert np.abs(run.values("energy_residual")).max() < 1e-4 * run.values("work_input")[-1]


def risen(run: cd.Solution, lean: float) -> float:
    """Mean height between the middles of feed and discharge on an inclined strand that sags. [m]"""
    up, right = np.array([-math.sin(lean), math.cos(lean)]), np.array([math.cos(lean), math.sin(lean)])
    side = 0.5 * 12.7e-3 / math.sin(math.pi / 20)
    heights = []
    for place in run.values("roller_position")[settled(run)]:
        strand = place[place @ right > 0.5 * side]
        strand = strand[np.argsort(strand @ up)]
        low, high = np.interp([START + 0.5 * TRANSITION, END - 0.5 * TRANSITION], strand @ up, strand[:, 1])
        heights.append(high - low)
    return float(np.mean(heights))


@compiled
def test_goods_that_are_dragged_up_a_slope():
    """A scraper: m' L g (sin b + f cos b) along the slope b; the share of friction is lost."""
    lean = math.radians(40.0)
    run = lifting("roller", SPEED, 0.4, lean)
    rows, length = settled(run), END - START - TRANSITION
    across = DENSITY * length * GRAVITY * math.sin(lean)
    rising = DENSITY * SPEED * GRAVITY * risen(run, lean)
    assert run.values("payload_power", item=0)[rows].mean() == pytest.approx(rising, rel=2e-3)
    assert risen(run, lean) == pytest.approx(length * math.cos(lean), rel=0.01)
    assert run.values("payload_loss", item=0)[rows].mean() == pytest.approx(0.4 * across * SPEED, rel=0.01)


def test_goods_on_a_link_press_on_its_own_two_rollers():
    """Half of them act on each: on the roller where the link begins and on that where the next link does."""
    goods = {"span": 1, "mass": 2.0, "every": 5, "first": 3}
    drive = override(two_wheels(), {"payloads": [goods]})
    share = compile_system(drive, RollerOptions(), True).parameters.planar.payload_share[0]
    wanted = np.zeros(drive.chain.links)
    wanted[3::5] += 1.0
    wanted[np.arange(4, drive.chain.links + 1, 5) % drive.chain.links] += 1.0
    np.testing.assert_array_equal(share, wanted)


@compiled
def test_goods_beyond_the_span_are_refused():
    drive = elevator()
    goods = {"span": 1, "mass": "1 kg", "every": 4, "end": "1.2 m"}
    with pytest.raises(cd.InputError) as caught:
        cd.simulate(override(drive, {"payloads": [goods]}))
    assert caught.value.problems[0].place == "payloads[0].end"
