"""Requirements on every system with rigid contacts (contract/rigid.py): this suite runs over every entry of ENTRIES."""

from __future__ import annotations

import math

import numpy as np
import pytest

from chaindrive.contract.system import System
from chaindrive.kernels.compiler import ENABLED, _cell_name
from chaindrive.model import example, override
from chaindrive.simulation.start import as_laid

STEP = 2e-5
FEW = 16
"""Least number of contacts to be closed, over all surfaces. [-]"""
LINKS, REVOLUTE = {"kind": "link", "joint": "clearance"}, {"kind": "link", "joint": "revolute"}
ENTRIES = {
    "rollers": ("industrial-08b", {"kind": "roller"}),
    "rollers, surfaces on bodies": ("timing-06b", {"kind": "roller"}),
    "rollers, open chain": ("hoist", {"kind": "roller"}),
    "rollers, two wheels on one shaft": ("differential-hoist", {"kind": "roller"}),
    "rollers, stages": ("tandem", {"kind": "roller"}),
    "rollers, rotors on elastic shafts": ("pump-10b", {"kind": "roller"}),
    "links": ("industrial-08b", LINKS),
    "links, surfaces on bodies": ("timing-06b", LINKS),
    "links, two wheels on one shaft": ("differential-hoist", LINKS),
    "links, stages on a rigid shaft": ("chain-hoist", LINKS),
    "revolute links": ("industrial-08b", REVOLUTE),
}


class Released:
    """A system at its start, moved by random velocities and released from its contacts."""

    def __init__(self, name: str, formulation: dict[str, str]) -> None:
        given = example(name)
        own = {"contacts": "rigid", "position_projection": not given.stages and not given.rotors}
        changes: dict[str, object] = {"run.formulation": formulation | own, "run.solver.step": STEP}
        if formulation is REVOLUTE:
            changes["chain.joint_clearance"] = 0.0
        drive = override(given, changes)
        self.system: System = as_laid(drive)
        self.kernels, self.p = self.system.kernels.rigid, self.system.parameters
        self.n, self.contacts = self.system.positions, self.system.rigid.laws.friction.size
        self.random, self.y = np.random.default_rng(30), self.system.state.copy()
        self.speeds = slice(self.n, self.n + self.system.velocities)
        self.y[self.speeds] = self.system.motion.rolling + self.jolt()
        self.system.kernels.begin(0.0, self.y, self.p)
        self.dy = np.zeros_like(self.y)
        self.kernels.release(0.0, self.y, self.dy, STEP, self.p)
        self.gap, self.opening = np.full((2, self.contacts), np.nan)
        self.fastest = self.kernels.gaps(self.gap, self.opening, self.p)
        near = np.flatnonzero(np.isfinite(self.gap))
        self.active = near[:: max(near.size // FEW, 1)].astype(np.int64)

    def jolt(self) -> np.ndarray:
        """Random velocities of all that moves freely."""
        free = np.isfinite(self.system.masses)
        return np.where(free, 0.1 * self.random.standard_normal(free.size), 0.0)

    def speeds_at(self, velocities: np.ndarray) -> np.ndarray:
        """Speeds of the active contacts with these velocities, normal ones first, (2 k,)."""
        found, y = np.full(2 * self.contacts, np.nan), self.y.copy()
        y[self.speeds] = velocities
        self.kernels.speeds(y, 0.0, self.active, self.active.size, found, self.p)
        return found[np.concatenate([self.active, self.active + self.contacts])]


LONG = {"links, stages on a rigid shaft"}
"""Cases whose kernels nothing else needs: links as above, in the stages of above."""


@pytest.fixture(
    scope="module", params=[pytest.param(key, marks=pytest.mark.long) if key in LONG else key for key in ENTRIES]
)
def released(request: pytest.FixtureRequest) -> Released:
    return Released(*ENTRIES[request.param])


def test_what_forces_do_is_softened_as_in_the_step(released: Released) -> None:
    """Rates of an evaluation become those of the release, linearly, where no constraint adds its own."""
    none, one = np.zeros(0, np.int64), released.jolt()
    released.kernels.give(none, 0, np.zeros(0), released.p)
    rates = np.zeros_like(released.y)
    released.system.kernels.rhs(0.0, released.y, rates, released.p)
    soft, jolted, both = rates[released.speeds].copy(), one.copy(), rates[released.speeds] - 3.0 * one
    for change in (soft, jolted, both):
        released.kernels.soften(change, released.p)
    scale = np.abs(soft).max() + np.abs(jolted).max()
    np.testing.assert_allclose(both, soft - 3.0 * jolted, rtol=0.0, atol=1e-9 * scale)
    if released.system.rigid.closing == 0.0:
        np.testing.assert_allclose(soft, released.dy[released.speeds], rtol=0.0, atol=1e-9 * np.abs(rates).max())


def test_gaps_are_told_of_what_is_near(released: Released) -> None:
    assert not np.isnan(released.gap).any()
    assert np.isfinite(released.opening[np.isfinite(released.gap)]).all()
    assert released.active.size >= FEW // 2


def test_gaps_open_with_the_normal_speeds(released: Released) -> None:
    normal = released.speeds_at(released.y[released.speeds])[: released.active.size]
    np.testing.assert_allclose(normal, released.opening[released.active], rtol=1e-9, atol=1e-12)


def test_speeds_are_linear_in_the_velocities(released: Released) -> None:
    v, one, other = released.y[released.speeds], released.jolt(), released.jolt()
    given = released.speeds_at(v)
    both = released.speeds_at(v + 2.0 * one - other) - given
    parts = 2.0 * (released.speeds_at(v + one) - given) - (released.speeds_at(v + other) - given)
    np.testing.assert_allclose(both, parts, rtol=0.0, atol=1e-9 * np.abs(given).max())


def test_the_inverse_inertia_is_symmetric_and_dissipates(released: Released) -> None:
    """G = G^T without negative eigenvalues; its columns are the changes of the speeds by a unit impulse."""
    k, v = released.active.size, released.y[released.speeds]
    matrix, change = np.full((2 * k, 2 * k), np.nan), np.zeros(released.system.velocities)
    released.kernels.inverse_inertia(released.y, released.active, k, matrix, released.p)
    np.testing.assert_allclose(matrix, matrix.T, rtol=0.0, atol=1e-9 * matrix.max())
    assert np.linalg.eigvalsh(matrix).min() > -1e-9 * matrix.max()
    impulse = 1e-3 * released.random.standard_normal(2 * k)
    released.kernels.respond(k, impulse, change, released.p)
    moved = released.speeds_at(v + change) - released.speeds_at(v)
    np.testing.assert_allclose(moved, matrix @ impulse, rtol=0.0, atol=1e-9 * np.abs(matrix @ impulse).max())
    assert (change[~np.isfinite(released.system.masses)] == 0.0).all()


def test_the_inverse_inertia_is_renewed_at_another_place(released: Released) -> None:
    """It is that of a release there, whatever contacts exert; small forces hardly bend a chain of constraints."""
    renew, k = released.kernels.renew, released.active.size
    if renew is None:
        assert released.system.rigid.allowed == math.inf
        return
    there, found, p = released.y.copy(), np.zeros((3, 2 * k, 2 * k)), released.p
    there[: released.n] += STEP * released.y[released.speeds]
    for place, matrix, anew in ((released.y, found[0], False), (there, found[1], False), (there, found[2], True)):
        released.kernels.release(0.0, released.y if anew else place, released.dy, STEP, p)
        if anew:
            released.kernels.give(released.active, k, 1e-3 * released.random.standard_normal(2 * k), p)
            released.system.kernels.rhs(0.0, place, released.dy, p)
            renew(0.0, place, released.dy, STEP, p)
        released.kernels.gaps(released.gap, released.opening, p)
        released.kernels.inverse_inertia(place, released.active, k, matrix, p)
    changed = np.abs(found[1] - found[0]).max()
    assert np.abs(found[1] - found[2]).max() < 1e-3 * changed
    released.kernels.release(0.0, released.y, released.dy, STEP, p)
    released.kernels.gaps(released.gap, released.opening, p)


def test_the_stored_energy_is_booked(released: Released) -> None:
    """It is that of the rows, counted in the account of the projection of positions and nowhere else."""
    if released.kernels.book is None:
        assert not [each for each in released.system.channels if each.name.endswith("work_projection")]
        return
    system, y = released.system, released.y.copy()
    row = np.zeros(system.row_size)
    system.kernels.record(0.0, y, released.p, row)
    stored = sum(float(system.channel(f"energy_{of}").read(row)) for of in ("kinetic", "elastic", "gravity"))
    system.kernels.rhs(0.0, y, released.dy, released.p)
    released.kernels.book(0.5, y, released.p)
    changed = np.flatnonzero(y != released.y)
    assert changed.size == 1
    assert y[changed[0]] - released.y[changed[0]] == pytest.approx(0.5 * stored, rel=1e-9)
    system.kernels.record(0.0, y, released.p, row)
    assert float(system.channel("work_projection").read(row)) == y[changed[0]]


def test_no_contact_closes_faster_than_is_told(released: Released) -> None:
    """Before and after blows on all that moves, twice as fast as it turns."""
    v, near = released.y[released.speeds], np.isfinite(released.gap)
    assert np.abs(released.opening[near]).max() <= released.fastest
    for blow in (2.0 * released.system.motion.rolling - v, v + released.jolt()):
        assert -released.speeds_at(blow)[: released.active.size].min() <= released.fastest


def test_springs_press_less_the_faster_they_open(released: Released) -> None:
    """The impulse of a contact of any gap falls with its speed, by half the slope over the mean that is given for the
    slope at the end; it never pulls, is that of the energy law where nothing moves, and none where the gap stays open.
    """
    press, p, contact = released.kernels.press, released.p, int(released.active[0])
    deep, h = 2e-6, STEP
    assert press(contact, 0.0, 0.0, 0.0, h, p)[0] == 0.0
    for gap in (-deep, 0.0, 0.5 * deep):
        means = np.linspace(-2.03, 1.96, 81) * deep / h
        impulses, slopes = np.array([press(contact, gap, 0.0, mean, h, p) for mean in means]).T
        assert (impulses >= 0.0).all()
        assert (np.diff(impulses) <= 0.0).all()
        slightly = 1e-4 * deep / h
        faster = np.array([press(contact, gap, 0.0, mean + slightly, h, p)[0] for mean in means])
        found = (impulses - faster) / (2.0 * slightly)  # the mean moves by half of what the speed at the end does
        np.testing.assert_allclose(found, slopes, rtol=1e-2, atol=1e-3 * slopes.max())
    assert press(contact, deep, 0.0, 0.0, h, p) == (0.0, 0.0)
    rest = [press(contact, -each, 0.0, 0.0, h, p)[0] / h for each in (deep, 2.0 * deep)]
    exponent = math.log2(rest[1] / rest[0])
    assert exponent == pytest.approx(1.5, rel=1e-9)
    at_once = [press(contact, -deep, 0.0, mean, h, p)[0] for mean in (-1e-3, 0.0, 1e-3)]
    assert at_once[0] > at_once[1] > at_once[2]


def test_kernels_have_the_same_name_in_every_process(released: Released) -> None:
    """What a kernel closes over is part of its key on the disk: no address may be in it."""
    for kernel in filter(None, released.kernels):
        for cell in getattr(kernel, "py_func", kernel).__closure__ or ():
            assert not ENABLED or " at 0x" not in _cell_name(cell.cell_contents), kernel


def test_forces_that_are_given_act_in_every_evaluation(released: Released) -> None:
    """They enter linearly, until others are given; what is released has none."""
    k, rhs = released.active.size, released.system.kernels.rhs
    force, rates = np.abs(released.random.standard_normal(2 * k)), np.zeros((4, released.y.size))
    for row, times in zip(rates, (0.0, 1.0, 2.0, 0.0), strict=True):
        released.kernels.give(released.active, k, times * force, released.p)
        rhs(0.0, released.y, row, released.p)
    none, once, twice, again = rates[:, released.speeds]
    assert np.abs(once - none).max() > 0.0
    np.testing.assert_allclose(twice - none, 2.0 * (once - none), rtol=0.0, atol=1e-9 * np.abs(none).max())
    np.testing.assert_array_equal(again, none)
