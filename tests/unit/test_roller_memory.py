"""Contact memory of the roller formulation: its changes, its content, and detection of every contact."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numba.core import config
from numpy.typing import NDArray

import chaindrive as cd
from chaindrive.contract.status import Accepted, Status
from chaindrive.contract.system import System
from chaindrive.formulations import compile_system
from chaindrive.geometry.profile import outline
from chaindrive.geometry.tooth_forms import tooth_profile
from chaindrive.simulation.start import prepare
from chaindrive.solvers import Integrator, SolverSettings
from support.small_drives import PITCH, channel, compiled, rates, two_wheels

FloatArray = NDArray[np.float64]
EXAMPLES = ("6l60mc", "6s90mc-c", "industrial-08b")


def example(name: str) -> System:
    drive = cd.example(name)
    system = compile_system(drive, drive.run.formulation, True)
    system.state[system.positions : 2 * system.positions] = system.motion.rolling
    return system


def slots(system: System) -> list[tuple[int, int, int]]:
    """Every candidate as wheel, roller and slot."""
    p = system.parameters
    segment = p.planar.segment
    rows = zip(segment.surface, segment.first, segment.end, segment.slot, strict=True)
    used = list(rows)[: p.planar.used.segments[0]]
    return [(int(w), i, int(slot) + i - int(first)) for w, first, end, slot in used for i in range(first, end)]


def memory(system: System) -> dict[str, bytes]:
    return {name: array.tobytes() for name, array in system.memory_arrays().items()}


class Touching:
    """One roller in the middle of the wrap of wheel 0, placed at a given depth and speed towards the seat."""

    def __init__(self, **options) -> None:
        drive = two_wheels(contact={"restitution": 0.5}, gravity=(0.0, 0.0))
        self.system = compiled(drive, moving=False, **options)
        p = self.system.parameters
        self.n = p.links
        self.roller = 4
        self.slot = next(k for w, i, k in slots(self.system) if (w, i) == (0, self.roller))
        place = self.system.state[[self.roller, self.n + self.roller]]
        self.outward = place / np.hypot(*place)
        gap = tooth_profile("asa-ii", 16, PITCH, drive.chain.roller_diameter)
        self.seat = gap.seat_radius

    def at(self, depth: float, approach: float) -> FloatArray:
        """The state with that roller ``depth`` [m] in its seat, moving inward at ``approach`` [m/s]."""
        y = self.system.state.copy()
        x = [self.roller, self.n + self.roller]
        y[x] = (self.seat - depth) * self.outward
        y[np.add(x, self.system.positions)] = -approach * self.outward
        return y

    def accept(self, depth: float, approach: float) -> int:
        y = self.at(depth, approach)
        rates(self.system, y)
        p = self.system.parameters
        assert p.planar.contact.penetration[self.slot] == pytest.approx(depth, abs=1e-15)
        assert p.planar.contact.rate[self.slot] == pytest.approx(approach, abs=1e-15)
        return self.system.kernels.accept(0.0, y, p)

    @property
    def stored(self) -> float:
        p = self.system.parameters
        assert p.planar.impact_speed[0, self.roller] == p.planar.candidate.speed[self.slot]
        return float(p.planar.impact_speed[0, self.roller])

    def force(self, depth: float, approach: float) -> float:
        rates(self.system, self.at(depth, approach))
        return float(self.system.parameters.planar.contact.force[self.slot])


def test_impact_speed_is_stored_at_impact_and_forgotten_at_release() -> None:
    t = Touching()
    t.accept(-1e-6, 0.7)
    assert t.stored == 0.0
    assert t.accept(1e-6, 0.7) == Accepted.LIMIT_CHANGED
    assert t.stored == pytest.approx(0.7, rel=1e-12)
    for depth, approach in ((5e-6, 0.3), (8e-6, 0.0), (2e-6, -0.5), (1e-6, 2.0)):  # one contact, one impact speed
        assert t.accept(depth, approach) == Accepted.UNCHANGED
        assert t.stored == pytest.approx(0.7, rel=1e-12)
    assert t.accept(-1e-7, -0.5) == Accepted.UNCHANGED  # nothing becomes stiffer
    assert t.stored == 0.0
    assert t.accept(-1e-6, -0.5) == Accepted.UNCHANGED
    assert t.accept(1e-9, 1.5) == Accepted.LIMIT_CHANGED
    assert t.stored == pytest.approx(1.5, rel=1e-12)


@pytest.mark.parametrize(("depth", "approach"), [(1e-6, 0.7), (3e-5, 0.06), (1e-6, 0.01), (2e-6, -0.3), (-1e-7, -0.3)])
@pytest.mark.parametrize("impact_memory", ["stored", "bounded"])
def test_what_is_stored_changes_no_force_of_its_own_instant(depth: float, approach: float, impact_memory: str) -> None:
    t = Touching(impact_memory=impact_memory)
    t.accept(-1e-6 if depth > 0.0 else 1e-6, 0.7)
    before = t.force(depth, approach)
    assert t.accept(depth, approach) == (Accepted.LIMIT_CHANGED if depth > 0.0 else Accepted.UNCHANGED)
    assert t.force(depth, approach) == before


@pytest.mark.parametrize("approach", [0.01, 0.0, -0.2])
def test_a_gentle_touch_gets_the_floor(approach: float) -> None:
    t = Touching(impact_speed_floor=0.08)
    t.accept(-1e-6, approach)
    assert t.accept(1e-6, approach) == Accepted.LIMIT_CHANGED
    assert t.stored == 0.08


def test_force_follows_the_stored_speed() -> None:
    """Lankarani & Nikravesh: K d^n (1 + 0.75 (1 - e^2) v/v0), here d = 2 um, v = 0.2 m/s, e = 0.5."""
    t = Touching()
    elastic = 1e10 * (2e-6) ** 1.5
    for v0 in (0.4, 0.8):
        t.accept(-1e-6, v0)
        t.accept(1e-6, v0)
        # a depth of 2e-6 m from lengths of 0.03 m: 1e-11 relative
        assert t.force(2e-6, 0.2) == pytest.approx(elastic * (1.0 + 0.75 * 0.75 * 0.2 / v0), rel=1e-9)
        t.accept(-1e-6, 0.0)


def test_reference_speed_instead_of_memory() -> None:
    """The law takes one constant speed: accept never changes a force, and reports so."""
    t = Touching(impact_memory="reference", reference_speed=0.4)
    expected = 1e10 * (2e-6) ** 1.5 * (1.0 + 0.75 * 0.75 * 0.2 / 0.4)
    for depth, approach in ((-1e-6, 0.7), (1e-6, 0.7), (2e-6, -0.1), (-1e-6, -0.1), (1e-6, 3.0)):
        assert t.accept(depth, approach) == Accepted.UNCHANGED
        assert t.stored in (0.0, 0.4)
        assert t.force(2e-6, 0.2) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, 1.0),
        ({"reference_speed": 0.3}, 0.3),
        ({"reference_speed": 0.02, "impact_speed_floor": 0.08}, 0.08),
        ({"reference_speed": 0.3, "impact_memory": "reference"}, 0.3),
        ({"reference_speed": 0.02, "impact_speed_floor": 0.08, "impact_memory": "reference"}, 0.02),
    ],
)
def test_rollers_in_contact_at_the_start_have_the_reference_speed(options, expected) -> None:
    """With stored impact speeds it used to be 1 m/s for them, whatever reference_speed."""
    t, depth = Touching(**options), 2e-7  # which none of these speeds is too slow for
    y = t.at(depth, 0.0)
    t.system.kernels.begin(0.0, y, t.system.parameters)
    t.slot = next(k for w, i, k in slots(t.system) if (w, i) == (0, t.roller))
    assert t.stored == expected
    # Lankarani & Nikravesh with that speed: K d^n (1 + 0.75 (1 - e^2) v/v0), e = 0.5, v below v0
    force = 1e10 * depth**1.5 * (1.0 + 0.75 * 0.75 * 0.01 / expected)
    assert t.force(depth, 0.01) == pytest.approx(force, rel=1e-8)
    # its next impact has its own speed where that is stored, and the same again where it is not
    t.accept(-1e-6, 0.5)
    t.accept(1e-6, 0.5)
    assert t.stored == (expected if "impact_memory" in options else pytest.approx(0.5, rel=1e-12))


def test_rollers_seated_at_the_start() -> None:
    system = prepare(cd.example("6s90mc-c")).system
    p = system.parameters
    rates(system, system.state)
    pressed = [(w, i) for w, i, k in slots(system) if p.planar.contact.penetration[k] > 0.0]
    assert len(pressed) > 10
    expected = np.zeros_like(p.planar.impact_speed)
    for key in pressed:
        expected[key] = 1.0
    np.testing.assert_array_equal(p.planar.impact_speed, expected)


def test_trials_and_records_leave_memory_alone() -> None:
    system = example("6s90mc-c")
    integrator = Integrator(system, SolverSettings(), 1.0)
    integrator.advance(1.0, 20)
    before, rng = memory(system), np.random.default_rng(2)
    dy, row = np.zeros_like(system.state), np.zeros(system.row_size)
    for scale in (1e-4, 1e-2, 1.0, 1e6):
        y = integrator.state + scale * rng.normal(size=dy.size)
        system.kernels.rhs(5.0, y, dy, system.parameters)
        system.kernels.record(5.0, y, system.parameters, row)
        assert memory(system) == before


def test_a_roller_near_two_wheels_has_a_gap_on_each() -> None:
    """6L60MC: wheels 1 and 2 are joined by a span of 3 pitches only; a roller there is within reach of both."""
    system = prepare(cd.example("6l60mc")).system
    p, y, n = system.parameters, system.state, system.parameters.links
    both = np.flatnonzero((p.planar.gap[1] >= 0) & (p.planar.gap[2] >= 0))
    assert both.size > 0
    assert (p.planar.gap[1, both] != p.planar.gap[2, both]).all()
    for w, i, k in slots(system):
        teeth = (60, 30, 28, 30)[w]
        turn = math.atan2(y[n + i] - p.planar.surface.y[w], y[i] - p.planar.surface.x[w]) - y[2 * n + w]
        assert p.planar.gap[w, i] == round(turn * teeth / (2.0 * math.pi)) % teeth
        direction = 2.0 * math.pi * p.planar.gap[w, i] / teeth
        assert p.planar.candidate.cos[k] == pytest.approx(math.cos(direction), abs=1e-15)
        assert p.planar.candidate.sin[k] == pytest.approx(math.sin(direction), abs=1e-15)
        assert p.planar.candidate.speed[k] == p.planar.impact_speed[w, i]


def test_a_roller_inside_the_tip_circle_keeps_its_gap() -> None:
    t = Touching()
    system, n, roller = t.system, t.n, t.roller
    p = system.parameters
    gap = int(p.planar.gap[0, roller])

    def searched(radius: float, teeth_on: float) -> int:
        y = system.state.copy()
        angle = y[2 * n] + 2.0 * math.pi * (gap + teeth_on) / 16
        y[roller], y[n + roller] = radius * math.cos(angle), radius * math.sin(angle)
        rates(system, y)
        p.planar.contact.penetration[:] = -1.0  # the search alone
        p.planar.search.due[0] = 0.0
        assert system.kernels.accept(0.0, y, p) == Accepted.REARRANGED
        return int(p.planar.gap[0, roller])

    tip = float(p.planar.wheel.tip[0])
    assert searched(0.999 * tip, 0.6) == gap
    assert searched(1.001 * tip, 0.4) == gap
    assert searched(1.001 * tip, 0.6) == (gap + 1) % 16
    assert searched(0.999 * tip, 0.1) == (gap + 1) % 16
    assert searched(tip + 0.5 * 0.00851 + 0.26 * PITCH, 0.1) == -1  # beyond reach and margin of 0.25 pitches
    assert p.planar.impact_speed[0, roller] == 0.0
    assert searched(0.999 * tip, 0.1) == gap


@pytest.mark.parametrize("name", EXAMPLES[:2] if config.DISABLE_JIT else EXAMPLES)
@pytest.mark.parametrize("start", ["at_speed", "at_rest"])
def test_contact_forces_at_the_start_are_those_of_statics(name: str, start: str) -> None:
    """A roller in a wrong gap would have 1e8 N.

    Triangle of forces at a tooth, tight link T, pressure angle phi: P = T sin(2 pi/z)/sin(phi + 2 pi/z) (Binder 1956),
    largest for the smallest phi of the standard, 17 - 64/z degrees, on the wheel with the fewest teeth. 10 % are left
    for the weight and the speed of the chain.
    """
    drive = cd.example(name)
    system = prepare(drive, start=start).system
    z = min(wheel.teeth for wheel in drive.wheels)
    tooth = 2.0 * math.pi / z
    tension = channel(system, "link_tension").max()
    largest = tension * math.sin(tooth) / math.sin(math.radians(17.0 - 64.0 / z) + tooth)
    assert 0.0 < channel(system, "contact_force").max() < 1.1 * largest


@pytest.mark.parametrize("name", ["6l60mc", pytest.param("6s90mc-c", marks=pytest.mark.long), "industrial-08b"])
def test_no_contact_is_missed_between_searches(name: str) -> None:
    """During a run every roller is compared with points on the surface of every gap of every wheel.

    Points are h = 0.002 pitches apart at most: the distance to the nearest of them is too large by less than (h/2)^2
    (1/r + 1/d)/2 = 4.4e-5 pitches, where r = 0.02 roller diameters of 0.6 pitches is the sharpest radius (of the tip
    edge), and d > 0.3 pitches the distance itself.
    """
    drive, system = cd.example(name), example(name)
    p, n = system.parameters, system.parameters.links
    points, half = [], 0.5 * drive.chain.roller_diameter
    for wheel in drive.wheels:
        gap = tooth_profile(wheel.tooth.form, wheel.teeth, drive.chain.pitch, 2.0 * half, **_options(wheel.tooth))
        count = math.ceil(2.0 * gap.length / (0.002 * drive.chain.pitch))
        points.append(outline(gap, count)[:, ::-1])  # gap 0 along x: (xi, eta) -> (eta, xi)
    integrator = Integrator(system, SolverSettings(), 1.0)
    searches = {float(p.planar.search.due[0])}
    instants, compared = 3 if config.DISABLE_JIT else 12, 0
    for _ in range(instants):
        status = integrator.advance(1.0, 10 if config.DISABLE_JIT else 60)
        assert status == Status.RUNNING
        searches.add(float(p.planar.search.due[0]))
        y = integrator.state
        rates(system, y, integrator.time)
        slot = {(w, i): k for w, i, k in slots(system)}
        for w, wheel in enumerate(drive.wheels):
            arm = np.stack([y[:n], y[n : 2 * n]], axis=1) - wheel.position
            for i in np.flatnonzero(np.hypot(*arm.T) < p.planar.wheel.tip[w] + 2.0 * half):
                depth = half - _distance(arm[i], y[2 * n + w], wheel.teeth, points[w])
                k = slot.get((w, int(i)))
                if k is None:
                    assert depth < 0.0
                elif depth > -half:
                    found = p.planar.contact.penetration[k]
                    compared += 1
                    assert depth - 1e-12 <= found < depth + 5e-5 * drive.chain.pitch
    assert compared > 20 * instants
    if not config.DISABLE_JIT:
        assert len(searches) > 1


def _options(tooth) -> dict:
    return tooth.model_dump(exclude={"form"}, exclude_none=True)


def _distance(arm: FloatArray, angle: float, teeth: int, surface: FloatArray) -> float:
    """Distance from a roller to the nearest point of any gap: the roller is turned from gap to gap, the surface
    stays.
    """
    turn = -(angle + 2.0 * math.pi * np.arange(teeth) / teeth)
    x = np.cos(turn) * arm[0] - np.sin(turn) * arm[1]
    z = np.sin(turn) * arm[0] + np.cos(turn) * arm[1]
    near = x > 0.5 * np.hypot(*arm)  # gaps within 60 degrees; the others are farther away than these
    return math.sqrt(min(((surface - [a, b]) ** 2).sum(axis=1).min() for a, b in zip(x[near], z[near], strict=True)))
