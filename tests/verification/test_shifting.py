"""A chain that is shifted from cog to cog: forces beside and on teeth, places where both cogs fit, and whole shifts."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np
import pytest
from numba.core import config

import chaindrive as cd
from chaindrive.analyses.results.shifting import shifting
from chaindrive.errors import InputError
from chaindrive.formulations.planar.cassette import leading_angle
from chaindrive.formulations.spatial.gates import Approach, Ring, gates_away, lead_over_tips
from support.small_drives import PITCH, in_space
from support.spatial_chains import evaluated
from support.spatial_slopes import OPTIONS, SMOOTH, SOFT, pushed, slopes, started

COGS = [{"teeth": 15, "offset": -6e-3}, {"teeth": 11, "offset": 7e-3}]
PLAIN = {"gates": [], "cogs": [cog | {"gates": []} for cog in COGS]}
GATES = [
    {"tooth": 0, "teeth": 11, "lean": 8e-4},
    *({"tooth": k, "lean": -1e-3, "depth": 2e-3} for k in range(1, 11, 3)),
]
SHAPED = {"gates": GATES, "cogs": [cog | {"gates": GATES} for cog in COGS]}
LOADED = {"load_torque": 4.0, "bearing_friction": 0.02}

compiled = pytest.mark.skipif(bool(config.DISABLE_JIT), reason="minutes in plain Python")


# Forces ---------------------------------------------------------------------------------------------------------------


@compiled
@pytest.mark.parametrize("cogs", [PLAIN, SHAPED], ids=["plain", "gates"])
def test_forces_on_a_chain_between_cogs_are_minus_the_slope_of_the_energy(cogs: dict[str, Any]) -> None:
    """Links on a cog, on the tips of its teeth, through them, and next to it: every force and moment on every link."""
    system = in_space(
        first={}, second=LOADED | cogs, contact=SMOOTH | {"stiffness": 1e6},
        options=OPTIONS,
        gravity=(0.0, 0.0), **SOFT,
    )  # fmt: skip
    p, n = system.parameters, system.parameters.links
    cogs, ends, beyond = set(), 0, 0
    for seed, (aside, outward) in enumerate(
        [(-6e-3, 0.0), (-4e-3, 1e-3), (-5e-3, -2e-3), (7e-3, 2e-3), (4.5e-3, 3e-3), (3e-3, 3.5e-3), (-9e-3, -1e-3)]
    ):
        y = pushed(system, aside, outward, seed)
        system.kernels.begin(0.0, y, p)
        force, slope = slopes(system, y)
        for part in (slice(0, 3 * n), slice(3 * n, 6 * n)):
            np.testing.assert_allclose(force[part], slope[part], atol=2e-5 * np.abs(force[part]).max())
        for s in range(p.planar.used.segments[0]):
            cog, slot = int(p.planar.face.cog[p.planar.segment.face[s]]), int(p.planar.segment.slot[s])
            slots = slice(slot, slot + int(p.planar.segment.end[s] - p.planar.segment.first[s]))
            if (p.planar.contact.force[slots] > 0.0).any() and cog >= 0:
                cogs.add(cog)
            flat = np.hypot(p.planar.contact.normal_x[slots], p.planar.contact.normal_y[slots]) < 0.9
            ends += int(((p.planar.contact.force[slots] > 0.0) & flat).sum())
            beyond += int((p.slot.side[slots] > 1e-6).sum())
    assert cogs == {0, 1}
    assert min(ends, beyond) > 3, (ends, beyond)


@compiled
def test_forces_are_those_of_gates_that_are_looked_up_for_every_link() -> None:
    """Within the pitch circle, and deep enough below the lowest tip, no gate matters, and none is looked up."""
    system = in_space(
        first={}, second=LOADED | SHAPED | {"tooth_width": 1.6e-3}, contact=SMOOTH | {"stiffness": 1e6},
        options=OPTIONS,
        gravity=(0.0, 0.0), **SOFT,
    )  # fmt: skip
    p = system.parameters
    lowest, lean, leaning = p.tooth.lowest.copy(), p.cut.lean.copy(), 0
    for seed, (aside, outward) in enumerate([(-6e-3, 0.0), (-4e-3, 1e-3), (4.5e-3, 3e-3), (3e-3, 3.5e-3)]):
        y = pushed(system, aside, outward, seed)
        system.kernels.begin(0.0, y, p)
        found = evaluated(system, y)
        p.tooth.lowest[:] = -np.inf
        np.testing.assert_array_equal(evaluated(system, y), found)
        p.cut.lean[:] = 0.0
        leaning += not np.array_equal(evaluated(system, y), found)
        p.tooth.lowest[:], p.cut.lean[:] = lowest, lean
    assert leaning > 0


@compiled
def test_cogs_that_the_chain_does_not_reach_change_nothing() -> None:
    """Forces of a chain on the wheel itself are those without cogs, if its links are away from the cogs."""
    far = [{"teeth": 11, "offset": 0.03}]
    alone, beside = (in_space(offset=4e-4, second=LOADED | cogs) for cogs in ({}, {"cogs": far}))
    one, other = (evaluated(system, started(system)) for system in (alone, beside))
    first = alone.positions
    np.testing.assert_allclose(
        one[first : first + alone.velocities], other[first : first + alone.velocities], atol=1e-9 * np.abs(one).max()
    )
    names = beside.labels["teeth"]
    seated = beside.channel("seated_rollers").read(beside.row(0.0, started(beside)))
    assert names[-1].endswith(" 11")
    assert seated[-1] == 0
    assert "seated_rollers" not in [channel.name for channel in alone.channels]


# Where cogs fit each other --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("teeth", "other", "apart"), [(19, 21, 3.75e-3), (19, 17, 3.75e-3), (28, 25, 3.65e-3)])
def test_whole_links_lead_over_between_the_gaps_that_fit(teeth: int, other: int, apart: float) -> None:
    """From a gap of the larger cog along the tangent to the pitch circle of the smaller one, and around that."""
    small, large = sorted(0.5 * PITCH / math.sin(math.pi / z) for z in (teeth, other))
    angle = leading_angle(PITCH, teeth, other, apart)
    start = large * np.array([1.0, 0.0])
    touch = small * np.array([math.cos(math.acos(small / large)), math.sin(math.acos(small / large))])
    way = math.hypot(float(np.linalg.norm(touch - start)), apart) + small * (angle - math.acos(small / large))
    assert abs(float(touch @ (touch - start))) < 1e-12 * small * large  # a tangent
    assert way / PITCH == pytest.approx(round(way / PITCH), abs=1e-9)
    assert 1 <= round(way / PITCH) <= 3


def test_five_links_lead_over_the_tips_of_the_larger_cog_and_along_the_tangent_to_the_smaller_one() -> None:
    """Rollers one pitch from each other: on the pitch circle, halfway, on the tips, and again; then the tangent."""
    tip = 0.0452
    small, large = (0.5 * PITCH / math.sin(math.pi / z) for z in (19, 21))
    places = [complex(large)]
    for radius in (0.5 * (large + tip), tip, tip):
        low, high = 0.0, 1.0
        for _ in range(60):  # bisection over the angle to the next roller
            step = 0.5 * (low + high)
            there = radius * np.exp(1j * (np.angle(places[-1]) + step))
            low, high = (step, high) if abs(there - places[-1]) < PITCH else (low, step)
        places.append(there)
    touch = small * np.exp(1j * (np.angle(places[-1]) + math.acos(small / tip)))
    assert abs((np.conj(touch) * (places[-1] - touch)).real) < 1e-12  # a tangent
    arc = lead_over_tips(PITCH, 19, 21, tip) - float(np.angle(touch))
    assert abs(places[-1] - touch) + small * arc == pytest.approx(2.0 * PITCH, rel=1e-9)


@pytest.mark.parametrize("inside", [False, True])
def test_the_chain_comes_straight_from_the_wheel_before(inside: bool) -> None:
    """A line from the pitch circle of the cog to that of the wheel before, and from plane to plane; the point as far
    from the axis as the tips is found by bisection.
    """
    lying, other, distance, tip, apart = 0.0386, 0.0225, 0.0751, 0.0452, 3.75e-3
    approach = Approach(distance, -other if inside else other, 1.1e-3, 0.8e-3, 1.7e-3)
    normal = np.exp(1j * math.acos((lying + approach.radius) / distance))  # of the line; the wheel before lies along x
    start, end = lying * normal, distance - approach.radius * normal
    assert abs((np.conj(end - start) * normal).real) < 1e-12  # a common tangent
    low, high = 0.0, 1.0
    for _ in range(60):
        way = 0.5 * (low + high)
        low, high = (way, high) if abs(start + way * (end - start)) < tip else (low, way)
    assert approach.aside(apart, lying, tip) == pytest.approx(way * apart, rel=1e-9)


@pytest.mark.parametrize("apart", [3.75e-3, 2.9e-3])
@pytest.mark.parametrize(("small", "large"), [(11, 13), (19, 21), (28, 32)])
@pytest.mark.parametrize("climbs", [True, False])
def test_tips_find_between_the_plates_or_stay_beside_them(climbs: bool, small: int, large: int, apart: float) -> None:
    """Whatever the cogs, where the chain comes to the tips that take or hold it are as far from its middle plane as
    fits between the plates, the others far enough to clear them; no tip leans by more than half the inner width.
    """
    radii = [0.5 * PITCH / math.sin(math.pi / z) for z in (small, large)]
    tip = radii[1] + 2.6e-3
    approach = Approach(radii[0 if climbs else 1] + 0.0225 + 0.014, 0.0225, 1.1e-3, 0.8e-3, 1.7e-3)
    rings = [Ring(0.0, large, tip, 0.0), Ring(apart, small, radii[0] + 2.6e-3, 0.3)]
    if climbs:
        rings = [rings[0]._replace(offset=-apart), rings[1]._replace(offset=0.0)]
    every, *gates = gates_away(PITCH, approach, *rings)
    come = approach.aside(apart, radii[0 if climbs else 1], tip)
    aside = apart - come if climbs else come
    for gate, taken in ((every, not climbs), *((each, climbs) for each in gates)):
        there = aside - gate.lean
        wanted = approach.between if taken else approach.beside
        assert there == pytest.approx(wanted, abs=1e-12) or abs(gate.lean) == approach.room
        assert abs(gate.lean) <= approach.room


@pytest.mark.parametrize("onto_larger", [True, False])
def test_gates_stand_where_the_links_fit(onto_larger: bool) -> None:
    """The chain is taken up, or let go, at gaps from which the five links lead to a gap of the smaller cog."""
    tip, behind = 0.0452, 0.618
    large = Ring(-3.75e-3 if onto_larger else 0.0, 21, tip, behind if onto_larger else 0.0)
    small = Ring(0.0 if onto_larger else 3.75e-3, 19, 0.041, 0.0 if onto_larger else behind)
    every, *gates = gates_away(PITCH, Approach(0.0751, 0.0225, 1.1e-3, 0.8e-3, 1.7e-3), large, small)
    assert (every.tooth, every.teeth) == (0, 21)
    assert len(gates) == 2
    lead = lead_over_tips(PITCH, 19, 21, tip)
    for gate in gates:
        gap = gate.tooth if onto_larger else gate.tooth - 1
        place = large.behind + 2.0 * math.pi * gap / 21 + (-lead if onto_larger else lead) - small.behind
        off = place * 19 / (2.0 * math.pi)
        assert abs(off - round(off)) < 0.06
        assert (gate.lean > every.lean) == onto_larger


# Whole shifts ---------------------------------------------------------------------------------------------------------


def bicycle(to: int, start: float, overshift: float) -> cd.Drive:
    """The road bicycle at 250 W, shifted under power by a rider with his mass behind the wheel."""
    changes: dict[str, Any] = {
        "bicycle.shift": {"to": to, "start": start, "duration": 0.05, "overshift": overshift},
        "bicycle.rider.pedals": "torque", "bicycle.rider.rear_inertia": None,
        "run.save.rate": "1 kHz",
    }  # fmt: skip
    return cd.example("bicycle-50x19").replace(changes)


@cache
def before_it(to: int) -> cd.Solution:
    """A tenth of a millisecond, long before the shift: all shifts continue from there, so that the equilibrium is found
    once.

    With an inertia on the rear wheel instead of the rider's mass: the search takes a quarter of the time.
    """
    return cd.simulate(bicycle(to, 1.0, 0.0).replace({"bicycle.rider.rear_inertia": "0.1 kg*m^2"}), until=1e-4)


@cache
def shifted(to: int, start: float, overshift: float, until: float) -> cd.Solution:
    return cd.simulate(bicycle(to, start, overshift), until=until, initial=before_it(to))


def ratio(solution: cd.Solution, duration: float) -> float:
    """Turns of the cog per turn of the crank, at the end of a run."""
    angle, time = solution.values("wheel_angle"), np.asarray(solution.time)
    first = int(np.searchsorted(time, time[-1] - duration))
    return float((angle[-1, 3] - angle[first, 3]) / (angle[-1, 0] - angle[first, 0]))


@compiled
@pytest.mark.parametrize(
    ("to", "start", "overshift", "until"),
    [(21, 0.0, 0.0, 0.25), pytest.param(17, 0.0, 0.0, 0.42, marks=pytest.mark.long)],
)
def test_a_shift_completes(to: int, start: float, overshift: float, until: float) -> None:
    """All of the chain moves over, the crank turns by the new ratio, and energy is kept.

    Crank and chain swing at some 20 Hz afterwards, over whose periods the ratio is a mean: it is within 2 % of the new
    one, and 10 % off that before.
    """
    solution = shifted(to, start, overshift, until)
    found = shifting(solution)
    assert found.complete
    assert found.cog == to
    assert found.teeth[:2] == (19, to)
    assert found.seated[0] == 0
    assert start < found.start < found.end < until - 0.05
    assert 0.0 < found.turned < 2.0 * math.pi
    assert found.tension > 200.0
    assert ratio(solution, 0.1) == pytest.approx(50.0 / to, rel=0.02)
    assert solution.audit.relative_residual < 1e-3
    tile = solution.verdict.tile("shift")
    assert tile is not None
    assert tile.sign == "good"
    assert f"{to}-tooth" in tile.headline
    offset = solution.values("wheel_offset")[-1]
    apart = math.copysign(3.75e-3 + overshift, 19 - to)
    np.testing.assert_allclose(offset[[1, 2]] - offset[3], apart, atol=1e-9)


@compiled
def test_pulleys_that_do_not_reach_the_cog_shift_nothing_and_the_verdict_says_so() -> None:
    solution = shifted(21, 0.0, -2.75e-3, 0.08)
    found = shifting(solution)
    assert not found.complete
    assert found.cog == 19
    assert found.seated[1] == 0
    assert math.isnan(found.end)
    assert ratio(solution, 0.06) == pytest.approx(50.0 / 19.0, rel=0.02)
    tile = solution.verdict.tile("shift")
    assert tile is not None
    assert tile.word == "NOT COMPLETE"
    assert "stays on the 19-tooth cog" in tile.headline
    assert "overshift" in tile.lines[-1]


def test_a_drive_without_cogs_has_no_shift() -> None:
    class Made:
        drive = cd.example("bicycle-50x19")

    with pytest.raises(InputError, match="no wheel has cogs"):
        shifting(Made())  # type: ignore[arg-type]
