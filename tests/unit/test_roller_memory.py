"""Contact memory of the roller formulation, and the endings that physics gives a run."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import chaindrive as cd
from chaindrive.formulations.roller import parameters as names
from chaindrive.formulations.roller.accept import _gaps_in_order
from chaindrive.solvers import SolverSettings
from chaindrive.start import prepare
from chaindrive.system import Accepted, Status

sys.path.insert(0, str(Path(__file__).parents[1] / "verification"))

from small_drives import channel, compiled, run, two_wheels

FLOOR = 0.05


class Seat:
    """One roller in the middle of the wrap of the driver, which can be lifted, pressed and moved."""

    def __init__(self, **options):
        self.system = compiled(two_wheels(gravity=(0.0, 0.0)), moving=False, **options)
        self.p = self.system.parameters
        n = self.p.links
        x, y = self.system.state[: 2 * n].reshape(2, n)
        self.roller = int(np.argmin(x))  # driver at the origin: the far left of its wrap
        self.inward = -np.array([x[self.roller], y[self.roller]]) / np.hypot(x[self.roller], y[self.roller])
        self.deep = channel(self.system, "contact_penetration")[self.roller]

    def accept(self, penetration, approach=0.0, t=1e-6):
        """Press the roller to this penetration [m], moving inward with ``approach`` [m/s]; what accept answers."""
        n, q = self.p.links, self.system.positions
        y = self.system.state.copy()
        y[[self.roller, n + self.roller]] += (penetration - self.deep) * self.inward
        y[[q + self.roller, q + n + self.roller]] = approach * self.inward
        dy = np.zeros_like(y)
        self.system.kernels.rhs(t, y, dy, self.p)
        return self.system.kernels.accept(t, y, self.p)

    @property
    def speed(self):
        return self.p.impact_speed[0, self.roller]

    @property
    def candidate(self):
        """The same number where the right-hand side reads it."""
        for s in range(self.p.segments_used[0]):
            wheel, first, end, slot = self.p.segment[s]
            if wheel == 0 and first <= self.roller < end:
                return self.p.candidate[names.CANDIDATE_SPEED, slot + self.roller - first]
        raise AssertionError("the roller is no candidate")


def test_impact_speed_is_stored_once_and_forgotten_at_release():
    seat = Seat(impact_speed_floor=FLOOR)
    seat.accept(-1e-5)
    assert seat.speed == seat.candidate == 0.0
    assert seat.accept(1e-6, 0.8) == Accepted.RHS_CHANGED
    assert seat.speed == seat.candidate == pytest.approx(0.8, rel=1e-9)
    assert seat.accept(5e-6, 0.3) == Accepted.UNCHANGED  # goes on, slower
    assert seat.accept(5e-6, -0.6) == Accepted.UNCHANGED  # and comes back
    assert seat.speed == pytest.approx(0.8, rel=1e-9)
    assert seat.accept(-1e-7, -0.6) == Accepted.RHS_CHANGED  # parted
    assert seat.speed == seat.candidate == 0.0
    assert seat.accept(1e-6, 0.2) == Accepted.RHS_CHANGED  # the next impact has its own speed
    assert seat.speed == pytest.approx(0.2, rel=1e-9)


@pytest.mark.parametrize("approach", [1e-3, 0.0, -0.4])
def test_gentle_contacts_get_the_floor(approach):
    seat = Seat(impact_speed_floor=FLOOR)
    seat.accept(-1e-5)
    assert seat.accept(1e-7, approach) == Accepted.RHS_CHANGED
    assert seat.speed == FLOOR


def test_a_contact_that_lasted_from_the_start_has_a_speed():
    seat = Seat(impact_speed_floor=FLOOR)
    y = seat.system.state.copy()
    n = seat.p.links
    y[[seat.roller, n + seat.roller]] += (1e-6 - seat.deep) * seat.inward
    seat.system.kernels.begin(0.0, y, seat.p)
    assert seat.speed == 1.0  # prototype: 1 m/s for rollers that are seated at the start


def test_reference_speed_never_changes_the_right_hand_side():
    seat = Seat(impact_memory="reference", reference_speed=0.7)
    seat.accept(-1e-5)
    assert seat.accept(1e-6, 0.3) == Accepted.UNCHANGED
    assert seat.speed == 0.7
    assert seat.accept(-1e-6, -0.3) == Accepted.UNCHANGED


def test_memory_changes_on_accepted_steps_only():
    # What a solver does between two calls of accept, whatever the state, leaves everything as it is.
    seat = Seat()
    rng = np.random.default_rng(8)
    before = {k: a.copy() for k, a in seat.system.memory_arrays().items()}
    dy = np.zeros_like(seat.system.state)
    for scale in np.geomspace(1e-7, 10.0, 30):
        seat.system.kernels.rhs(rng.uniform(), seat.system.state + rng.normal(scale=scale, size=dy.size), dy, seat.p)
    for name, array in seat.system.memory_arrays().items():
        np.testing.assert_array_equal(array, before[name], err_msg=name)


def test_every_run_of_candidates_is_searched_in_time():
    # Between two searches no roller can come into reach unseen: the search margin over twice the largest speed.
    system = compiled(two_wheels(speed=80.0))
    p = system.parameters
    fastest = np.abs(system.rolling[: 2 * p.links]).max()
    assert p.search[names.SEARCH_DUE] <= p.search_margin / (2.0 * fastest)


@pytest.fixture(scope="module")
def marine():
    """The 6L60MC at its static equilibrium."""
    return prepare(cd.example("6l60mc")).system


def test_overlapping_reach_of_two_wheels(marine):
    # Span 2 is so short (0.41 m, 4.6 pitches) that both wheels look at some of its rollers. Each remembers its own gap,
    # the one nearest in angle; sharing one number puts a roller into a tooth with 1e8 N.
    p, n = marine.parameters, marine.parameters.links
    reach = p.wheel[:, names.WHEEL_REACH] + p.search_margin
    roller = marine.state[: 2 * n].reshape(2, n).T
    seen = np.array([np.linalg.norm(roller - p.wheel[w, :2], axis=1) <= reach[w] for w in range(4)])
    np.testing.assert_array_equal(p.gap >= 0, seen)
    shared = np.flatnonzero(seen[1] & seen[2])
    assert shared.size > 0
    assert np.all(p.gap[1, shared] != p.gap[2, shared])
    for w in range(4):
        d = roller - p.wheel[w, :2]
        teeth = p.wheel_index[w, names.INDEX_TEETH]
        turn = (np.arctan2(d[:, 1], d[:, 0]) - marine.state[2 * n + w]) * teeth / (2.0 * np.pi)
        off = np.abs((turn - p.gap[w] + 0.5) % 1.0 - 0.5)
        assert np.all(((turn - p.gap[w] + 0.5) % teeth)[seen[w]] < 1.0)
        assert np.all(off[seen[w]] <= 0.5)
    force = channel(marine, "contact_force")
    assert 0.0 < force.max() < 5e3


def test_a_roller_inside_the_tip_circle_keeps_its_gap():
    # The search takes the nearest gap outside the tip circle only: a roller on a flank does not change its tooth when
    # the wheel turns under it by more than half a pitch angle.
    system = compiled(two_wheels(gravity=(0.0, 0.0)), moving=False)
    p, n = system.parameters, system.parameters.links
    before = p.gap.copy()
    roller = system.state[: 2 * n].reshape(2, n).T
    tip = p.wheel[:, names.WHEEL_TIP]
    inside = np.array([np.linalg.norm(roller - p.wheel[w, :2], axis=1) <= tip[w] for w in range(2)])
    assert inside.sum() > 10
    y = system.state.copy()
    y[2 * n] += 0.7 * 2.0 * np.pi / 16
    system.kernels.rhs(10.0, y, np.zeros_like(y), p)
    system.kernels.accept(10.0, y, p)
    np.testing.assert_array_equal(p.gap[inside], before[inside])


def settings(step=None):
    return SolverSettings(atol_length=1e-8, atol_speed=1e-4, step=step)


def test_breaking_load_ends_the_run():
    # 20 N m at the driven wheel are 20/(16 P/2 pi) = 618 N in the tight span.
    drive = two_wheels(second={"load_torque": 20.0}, breaking_load=500.0)
    done = run(compiled(drive), 0.5, 1e-3, settings())
    assert done.status is Status.TENSION_ABOVE_BREAKING_LOAD
    assert 0.0 < done.times[-1] < 0.5
    without = two_wheels(second={"load_torque": 20.0}, breaking_load=None)
    assert run(compiled(without), 0.05, 1e-3, settings()).status is Status.REACHED_END


def test_soft_contact_is_too_deep():
    # 2 kN on a contact of 1e5 N/m^1.5 would go (2e3/1e5)^(2/3) = 74 mm deep, the limit is a quarter of 8.5 mm.
    drive = two_wheels(second={"load_torque": 60.0}, contact={"stiffness": 1e5}, tooth={"form": "circular"})
    done = run(compiled(drive), 0.5, 1e-3, settings())
    assert done.status is Status.PENETRATION_TOO_DEEP


def test_a_chain_that_flies_off_has_left_the_wheel():
    # Soft links let the whole chain fly apart, away from its middle at 5 m/s: the wheels lose all rollers.
    system = compiled(two_wheels(gravity=(0.0, 0.0), link_stiffness=1e3))
    n, q = system.parameters.links, system.positions
    x, y = system.state[: 2 * n].reshape(2, n)
    away = np.array([x - x.mean(), y - y.mean()])
    state = system.state.copy()
    state[q : q + 2 * n] = (5.0 * away / np.hypot(*away)).ravel()
    assert run(replace(system, state=state), 0.1, 1e-3, settings()).status is Status.CHAIN_LEFT_WHEEL


def test_a_chain_that_is_overloaded_jumps():
    # A driver at 20 rad/s against a wheel that hardly moves (1000 kg m^2), with a chain that is slack and stretches:
    # rollers climb up their flanks and over the teeth.
    drive = two_wheels(
        span=11.9, links=40, speed=20.0, second={"inertia": 1e3}, link_stiffness=1e5, link_damping=5.0,
        contact={"stiffness": 1e9, "restitution": 0.5},
    )  # fmt: skip
    system = compiled(drive, moving=False)
    state = system.state.copy()
    state[system.positions + 2 * 40] = 20.0
    done = run(replace(system, state=state), 1.0, 1e-3, settings())
    assert done.status is Status.CHAIN_JUMPED_TOOTH
    assert done.status.advice


def test_two_rollers_pressed_into_one_gap_have_jumped():
    # The memory itself says so, whatever led there.
    system = compiled(two_wheels(gravity=(0.0, 0.0)), moving=False)
    p = system.parameters
    seated = np.flatnonzero(p.gap[0] >= 0)
    i = seated[len(seated) // 2]
    p.impact_speed[0, [i, i + 1]] = 1.0
    assert _gaps_in_order(p) == Accepted.UNCHANGED
    p.gap[0, i + 1] = (p.gap[0, i + 1] + 1) % 16
    assert _gaps_in_order(p) == Status.CHAIN_JUMPED_TOOTH


def test_endings_by_verlet_are_the_same():
    drive = two_wheels(second={"load_torque": 20.0}, breaking_load=500.0)
    done = run(compiled(drive), 0.5, 1e-3, SolverSettings(method="verlet"))
    assert done.status is Status.TENSION_ABOVE_BREAKING_LOAD
