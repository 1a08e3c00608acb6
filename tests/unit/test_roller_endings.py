"""Every way in which a run of the roller formulation can end early, each caused by physics or by the solver."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

import chaindrive as cd
from chaindrive.contract.status import Accepted, Status
from chaindrive.contract.system import System
from chaindrive.formulations.planar.endings import (
    CHAIN_JUMPED_TOOTH,
    CHAIN_LEFT_WHEEL,
    PENETRATION_TOO_DEEP,
    TENSION_ABOVE_BREAKING_LOAD,
    _torn,
)
from chaindrive.model import Guide, override
from chaindrive.solvers import Integrator, SolverSettings
from support.small_drives import PITCH, channel, compiled, free_chain, rates, two_wheels

FloatArray = NDArray[np.float64]

INTERVAL = 1e-4


def run(system: System, until: float, settings: SolverSettings | None = None) -> tuple[Status, Integrator, FloatArray]:
    """A run to its end or ending; the rows recorded on the way, all of them finite except where there is no value."""
    integrator = Integrator(system, settings or SolverSettings(), INTERVAL, chunk_rows=round(until / INTERVAL) + 2)
    while (status := integrator.advance(until)) == Status.RUNNING:
        pass
    times, rows = integrator.take_rows()
    assert np.isfinite(integrator.state).all()
    assert (np.diff(times) > 0.0).all()
    if status != Status.REACHED_END:
        assert integrator.time < until
        assert integrator.advance(until) == status  # and it stays ended
        assert status.failed
        assert status.advice
    return status, integrator, rows


def slots_of(system: System, wheel: int) -> NDArray[np.int64]:
    """Slot of every roller on a wheel, -1 where it is not a candidate, (N,)."""
    p = system.parameters
    slots = np.full(p.links, -1)
    segment = p.planar.segment
    for s in range(p.planar.used.segments[0]):
        if segment.surface[s] == wheel:
            first, end = segment.first[s], segment.end[s]
            slots[first:end] = segment.slot[s] + np.arange(end - first)
    return slots


def overloaded(**changes):
    """A soft chain (1 % longer at 2 kN) whose driven wheel is held back by 60 N m: 1.8 kN in the tight span."""
    given = {"second": {"load_torque": 60.0, "inertia": 1e-3}, "contact": {"stiffness": 1e9, "restitution": 0.0}}
    return two_wheels(**(given | {"speed": 20.0, "link_stiffness": 2e5, "link_damping": 20.0} | changes))


def test_jumped_tooth_under_overload() -> None:
    # 1.8 kN stretch a pitch by 1.8e3/2e5 = 9 mm, far more than half a pitch over a few links: the chain climbs out.
    system = compiled(overloaded())
    status, _, _ = run(system, 0.05)
    assert status == CHAIN_JUMPED_TOOTH
    named = re.fullmatch(r"roller (\d+) on wheel 'driven'", status.where)
    assert named is not None, status.where
    # What was found: two neighbours, both pressed, whose gaps on one wheel are not neighbours; the named one is there.
    p, teeth = system.parameters, 16
    pressed = (p.planar.impact_speed > 0.0) & (np.roll(p.planar.impact_speed, -1, axis=1) > 0.0)
    apart = (np.roll(p.planar.gap, -1, axis=1) - p.planar.gap) % teeth
    torn = pressed & (apart != 1) & (apart != teeth - 1)
    assert torn.any()
    assert torn[1, int(named[1]) - 1]


def test_a_stiff_chain_does_not_jump() -> None:
    status, _, _ = run(compiled(overloaded(link_stiffness=1e7)), 0.02)
    assert status == Status.REACHED_END


@pytest.mark.parametrize("error", [0, 2])
def test_jumped_tooth_from_memory(error: int) -> None:
    """One roller of a calm drive put into a gap that is not next to that of the roller before it."""
    system = compiled(two_wheels())
    p, y = system.parameters, system.state
    distance = np.hypot(y[: p.links], y[p.links : 2 * p.links])
    seated = np.flatnonzero((p.planar.gap[0] >= 0) & (distance < p.planar.wheel.tip[0]))
    pair = seated[3:5]
    p.planar.impact_speed[0] = 0.0
    p.planar.impact_speed[0, pair] = 1.0
    gap = p.planar.gap[0, pair[0]]
    assert p.planar.gap[0, pair[1]] == gap + 1

    def searched() -> int:
        """Accept with a search due, and contacts that agree with memory, so that none begins or ends."""
        p.planar.contact.penetration[:] = np.where(p.planar.candidate.speed > 0.0, 1e-9, -1e-9)
        p.planar.search.due[0] = 0.0
        return system.kernels.accept(0.0, y, p)

    p.planar.candidate.speed[:] = 0.0
    p.planar.candidate.speed[slots_of(system, 0)[pair]] = 1.0
    assert searched() == Accepted.REARRANGED
    p.planar.gap[0, pair[1]] = (gap + error) % 16
    assert searched() == CHAIN_JUMPED_TOOTH.code


def test_chain_thrown_off_its_wheels() -> None:
    """A rubber-like ring (1 kN/m per link, 13 N at twice its length) whose rollers fly outward at 40 m/s.

    Kinetic energy of a roller 0.5 x 0.0088 x 40^2 = 7 J; stretching a link to three times its length takes 0.5 x 1e3 x
    (2 x 0.0127)^2 = 0.3 J. All rollers get away from wheels of 33 mm radius.
    """
    drive = two_wheels(link_stiffness=1e3)
    system = compiled(drive, moving=False)
    y, n = system.state.copy(), drive.chain.links
    r = y[: 2 * n].reshape(2, n).T
    right = drive.wheels[1].position[0]
    nearest = np.stack([np.clip(r[:, 0], 0.0, right), np.zeros(n)], axis=1)  # on the line from centre to centre
    away = r - nearest
    y[system.positions : system.positions + 2 * n] = (40.0 * away / np.hypot(*away.T)[:, None]).T.ravel()
    status, integrator, _ = run(replace(system, state=y), 0.02)
    assert status == CHAIN_LEFT_WHEEL
    x, z = integrator.state[: 2 * n].reshape(2, n)
    nearest_roller = [np.hypot(x - wheel.position[0], z).min() for wheel in drive.wheels]
    empty = nearest_roller > system.parameters.planar.surface.reach
    assert empty.any()
    left = [wheel for wheel, without in enumerate(empty) if without]
    last = [int(system.parameters.planar.mesh.roller[wheel]) for wheel in left]
    names = [drive.wheels[wheel].name for wheel in left]
    told = [f"wheel {name!r}, last touched by roller {roller}" for name, roller in zip(names, last, strict=True)]
    assert status.where == ", ".join(told)
    # they started on that wheel: its half of the ring
    started = system.state[: 2 * n].reshape(2, n)
    for wheel, roller in zip(left, last, strict=True):
        away = [np.hypot(started[0, roller] - w.position[0], started[1, roller]) for w in drive.wheels]
        assert int(np.argmin(away)) == wheel


def test_no_chain_on_a_wheel_at_the_start() -> None:
    system = compiled(two_wheels(), moving=False)
    y = system.state.copy()
    y[: system.parameters.links] += 10.0
    status, integrator, rows = run(replace(system, state=y), 0.02)
    assert status == CHAIN_LEFT_WHEEL
    assert integrator.statistics.steps == 0
    assert len(rows) == 1


def test_breaking_load() -> None:
    """The driver accelerates 1 kg m^2 within 10 ms. a = 1.5 speed/ramp = 1500 rad/s^2 would take 46 kN."""
    drive = two_wheels(breaking_load=3000.0, second={"inertia": 1.0}, ramp=0.01)
    system = compiled(drive, at_speed=False)
    status, integrator, _ = run(system, 0.03)
    assert status == TENSION_ABOVE_BREAKING_LOAD
    tension = channel(system, "link_tension", integrator.state)
    assert tension.max() == pytest.approx(3000.0, rel=1e-9)  # met to the instant, not at the first step beyond
    assert status.where == f"link {tension.argmax()} in the span 'driven - driver': 3 kN"


def test_the_advice_on_a_broken_chain_changes_nothing_else() -> None:
    """A chain of the catalogue has a breaking load, which cannot be removed, and a link stiffness that follows it."""
    chain = cd.example("timing-06b").chain
    assert all(key in TENSION_ABOVE_BREAKING_LOAD.advice for key in ("chain.breaking_load", "chain.link_stiffness"))
    assert chain.breaking_load is not None
    given = {"breaking_load": 4.0 * chain.breaking_load}
    with_both = given | {"link_stiffness": chain.link_stiffness}
    stronger, advised = (cd.Chain(standard="06B-1", links=130, **each) for each in (given, with_both))
    assert stronger.link_stiffness == pytest.approx(4.0 * chain.link_stiffness)
    assert (advised.link_stiffness, advised.link_damping) == (chain.link_stiffness, chain.link_damping)


def test_too_deep() -> None:
    """A tight chain on teeth of rubber: 12.01 pitches between the wheels for a chain of 12, 1e3 N/m^1.5."""
    system = compiled(two_wheels(span=12.01, contact={"stiffness": 1e3}))
    status, integrator, rows = run(system, 0.05)
    assert status == PENETRATION_TOO_DEEP
    quarter = 0.25 * 0.00851
    deepest = np.nanmax(channel(system, "contact_penetration", integrator.state))
    assert quarter < deepest < 1.05 * quarter
    assert np.nanmax(system.channel("contact_penetration").read(rows)) <= quarter
    roller = int(np.nanargmax(channel(system, "contact_penetration", integrator.state)))
    assert re.fullmatch(rf"roller {roller} on wheel '(driver|driven)': 2\.\d+ mm", status.where)


def test_not_a_number() -> None:
    """Verlet far beyond its limit of stability, 2/frequency = 2e-5 s, on a ring without wheels, so that it diverges."""
    drive = two_wheels()
    n = drive.chain.links
    angle = 2.0 * np.pi * np.arange(n) / n
    ring = 1.001 * PITCH / (2.0 * np.sin(np.pi / n)) * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    ring += np.random.default_rng(1).uniform(-1e-6, 1e-6, ring.shape)
    system = free_chain(drive.chain, (0.0, 0.0), ring)
    # Beyond any length that doubles hold, growth per step (step x frequency)^2 = 1e12: within some 30 steps.
    step = 1e6 / system.motion.highest_frequency
    integrator = Integrator(system, SolverSettings(method="verlet", step=step), 1e6 * step)
    with np.errstate(all="ignore"):
        status = integrator.advance(1e6 * step)
    assert status == Status.NOT_A_NUMBER
    assert np.isfinite(integrator.state).all()
    assert 0 < integrator.statistics.steps < 100


def test_step_too_small() -> None:
    """No step is short enough for a length known to 1e-40 m: rounding of h v, 1e-16 h, is larger."""
    system = compiled(two_wheels())
    status, integrator, _ = run(system, 0.01, SolverSettings(atol_length=1e-40))
    assert status == Status.STEP_TOO_SMALL
    assert integrator.statistics.steps == 0
    assert status.where == ""  # nothing is pressed yet
    slots = slots_of(system, 1)
    system.parameters.planar.contact.penetration[:] = -1e-3
    system.parameters.planar.contact.penetration[slots[slots >= 0][1]] = 2e-5
    roller = int(np.flatnonzero(slots >= 0)[1])
    told = system.status(Status.STEP_TOO_SMALL.code, 0.0, system.state).where
    assert told == f"roller {roller} on wheel 'driven', pressed 20 \u00b5m deep"


@pytest.mark.parametrize(
    ("name", "load", "where"),
    [
        ("hoist", "3 kN", r"link \d+ in the span 'free end - sprocket': 4\.9"),
        ("hanging-chain", "5 N", r"link 0 in the span 'ground - free end': 5"),
    ],
)
def test_a_link_that_breaks_in_an_open_chain_is_told_with_its_span(name: str, load: str, where: str) -> None:
    """500 kg x g = 4.9 kN hang on the hoist's first end; the hanging chain has no wheel."""
    found = cd.simulate(override(cd.example(name), {"chain.breaking_load": load}), until=0.05)
    assert found.status == TENSION_ABOVE_BREAKING_LOAD
    assert re.match(where, found.status.where)


def test_a_jump_in_an_open_chain_is_not_sought_across_its_ends() -> None:
    gaps, all_press = np.array([3, 4, 5, 6]), np.ones(4, dtype=np.bool_)
    assert _torn(gaps, all_press, 20, closed=False) == -1
    assert _torn(gaps, all_press, 20, closed=True) == 0  # from gap 6 to gap 3
    assert _torn(np.array([3, 4, 6, 7]), all_press, 20, closed=False) == 2


def test_a_number_that_is_none_is_named() -> None:
    system = compiled(two_wheels())
    p = system.parameters
    slot = int(slots_of(system, 1)[slots_of(system, 1) >= 0][2])
    roller = int(np.flatnonzero(slots_of(system, 1) == slot)[0])
    kept = p.planar.contact.penetration[slot]
    p.planar.contact.penetration[slot] = np.nan
    assert system.story.ended_at(Status.NOT_A_NUMBER, 0.0, system.state) == f"roller {roller} on wheel 'driven'"
    p.planar.contact.penetration[slot] = kept
    assert system.story.ended_at(Status.NOT_A_NUMBER, 0.0, system.state) == ""
    p.link.tension[4] = np.inf
    assert system.story.ended_at(Status.NOT_A_NUMBER, 0.0, system.state).startswith("link 4")
    assert system.status(Status.REACHED_END.code, 0.0, system.state).where == ""


def test_too_many_steps() -> None:
    status, integrator, _ = run(compiled(two_wheels()), 0.01, SolverSettings(max_steps=50))
    assert status == Status.TOO_MANY_STEPS
    statistics = integrator.statistics
    assert statistics.steps + statistics.rejected == 50


def test_a_solution_says_how_it_ended() -> None:
    drive = overloaded(speed=5.0)
    sol = cd.simulate(drive, 0.1, start="as_placed", save=cd.SaveOptions(rate=10_000.0))
    assert sol.status == CHAIN_JUMPED_TOOTH
    assert sol.status.advice in sol.summary()
    assert 0.0 < float(sol["time"][-1]) < 0.1
    assert np.isfinite(sol["link_tension"].values).all()


@pytest.mark.parametrize("deepest", [None, "6 mm"])
def test_too_deep_in_a_guide(deepest: str | None) -> None:
    """A strand that runs at 3 m/s into a soft guide, 100 N/m^1.5 per roller, ends when the guide is overloaded."""
    shape = {"kind": "on_span", "span": 0, "side": "left", "length": "100 mm"}
    guide = {
        "name": "soft",
        "contact_radius": 0,
        "shape": shape,
        "contact": {"stiffness": 100.0},
        "max_penetration": deepest,
    }
    drive = two_wheels(speed=0.0, guides=[Guide(**guide)])
    system = compiled(drive, at_speed=False)
    y, n = system.state.copy(), drive.chain.links
    free = slots_of(system, 0) < 0
    free &= slots_of(system, 1) < 0
    # Left of the direction of travel along span 0, from wheel 0 to wheel 1.
    across = np.array(drive.wheels[1].position) - np.array(drive.wheels[0].position)
    left = np.array([-across[1], across[0]]) / np.hypot(*across)
    for axis in range(2):
        y[system.positions + axis * n : system.positions + axis * n + n][free] = 3.0 * left[axis]
    status, integrator, _ = run(replace(system, state=y), 0.02)
    assert status == PENETRATION_TOO_DEEP
    assert "on guide 'soft': " in status.where
    limit = 0.25 * drive.chain.roller_diameter if deepest is None else 6e-3
    # The last step was at most some 2/frequency long.
    found = np.nanmax(channel(system, "contact_penetration", integrator.state))
    assert limit < found < limit + 3.0 * 4.0 / system.motion.highest_frequency


@pytest.mark.parametrize(("times", "told"), [(1.1, False), (3.0, True)])
def test_a_roller_that_enters_a_guide_from_beside_it_is_reported(times: float, told: bool) -> None:
    """Through the surface it comes only a little beyond the limit before the run ends; from beside, to any depth."""
    shape = {"kind": "on_span", "span": 0, "side": "left", "length": "100 mm"}
    guide = Guide(name="rail", shape=shape, contact={"stiffness": 1e8})
    system = compiled(two_wheels(speed=0.0, guides=[guide]), at_speed=False)
    planar = system.parameters.planar
    rates(system, system.state)
    (segment,) = np.flatnonzero(planar.segment.surface[: planar.used.segments[0]] == 2)
    planar.contact.penetration[planar.segment.slot[segment] + 1] = times * planar.surface.max_penetration[2]
    found = [text for text in system.story.findings(system.state)[1] if "inside guide 'rail'" in text]
    assert bool(found) is told
    if told:
        assert found[0].startswith(f"roller {planar.segment.first[segment] + 1} is ")


def test_a_wheel_that_still_has_rollers_has_not_lost_the_chain() -> None:
    system = compiled(two_wheels())
    system.parameters.planar.gap[1] = -1
    assert re.fullmatch(
        r"wheel 'driven'(, last touched by roller \d+)?", system.story.ended_at(CHAIN_LEFT_WHEEL, 0.0, system.state)
    )
