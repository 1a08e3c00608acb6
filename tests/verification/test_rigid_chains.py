"""Rigid contacts of chains: the equations of a step compared with dense ones, and drives with those on springs."""

from __future__ import annotations

import functools

import numpy as np
import pytest

import chaindrive as cd
from chaindrive.analyses.results.tiles import Sign
from chaindrive.analyses.results.verdict import verdict
from chaindrive.errors import InputError
from chaindrive.formulations import compile_system
from chaindrive.formulations.planar.findings import TOO_DEEP
from chaindrive.formulations.planar.rigid_laws import RESOLVED
from chaindrive.model import Drive, example, override
from chaindrive.report.formulations import formulations_sections
from chaindrive.report.subject import subject_of
from chaindrive.simulation.settings import chosen_method
from chaindrive.simulation.start import as_laid
from chaindrive.solvers import Integrator, SolverSettings
from chaindrive.solvers.complementarity import Outcome, solve_contacts
from chaindrive.studies.formulations import in_formulation
from chaindrive.templates import TEMPLATES

STEP = 2e-5
RNG = np.random.default_rng(30)


ROLLERS: dict[str, str] = {"kind": "roller"}
LINKS: dict[str, str] = {"kind": "link", "joint": "clearance"}
IDEAL: dict[str, str] = {"kind": "link", "joint": "ideal"}
REVOLUTE: dict[str, str] = {"kind": "link", "joint": "revolute"}
CHAINS = [
    pytest.param(ROLLERS, id="rollers"),
    pytest.param(LINKS, id="links"),
    pytest.param(REVOLUTE, id="revolute"),
]


def rigid(name: str, formulation: dict[str, str] = ROLLERS, **changes: object) -> Drive:
    """An example with rigid contacts; changes by path, with __ for a dot."""
    tight = {"chain.joint_clearance": 0.0} if formulation is REVOLUTE else {}
    return override(
        example(name),
        {"run.formulation": formulation | {"contacts": "rigid"}, "run.solver.step": STEP}
        | tight
        | {key.replace("__", "."): value for key, value in changes.items()},
    )


class Instant:
    """A rigid system at its start, moved by random velocities and released from its contacts."""

    def __init__(self, name: str, formulation: dict[str, str] = ROLLERS) -> None:
        drive = rigid(name, formulation)
        self.system = compile_system(drive, drive.run.formulation, True)
        self.kernels, self.p = self.system.kernels.rigid, self.system.parameters
        self.n, self.y = self.system.positions, self.system.state.copy()
        self.y[self.n : 2 * self.n] = self.system.motion.rolling
        moves = np.isfinite(self.system.masses)
        self.y[self.n : 2 * self.n][moves] += 0.1 * RNG.standard_normal(moves.sum())
        self.dy, self.contacts = np.zeros_like(self.y), self.system.rigid.laws.friction.size
        self.kernels.release(0.0, self.y, self.dy, STEP, self.p)

    def near(self, count: int) -> np.ndarray:
        """Numbers of the contacts with the smallest gaps, a given count for each surface; also sets their positions."""
        gap, opening = np.zeros((2, self.contacts))
        self.kernels.gaps(gap, opening, self.p)
        surface, found = self.p.planar.rigid.surface, []
        for each in range(self.p.planar.surfaces):
            there = np.flatnonzero(np.isfinite(gap) & (surface == each))
            found.append(there[np.argsort(gap[there])[:count]])
        return np.concatenate(found).astype(np.int64)

    def speeds(self, y: np.ndarray, active: np.ndarray) -> np.ndarray:
        found = np.zeros(2 * self.contacts)
        self.kernels.speeds(y, 0.0, active, active.size, found, self.p)
        return found[np.concatenate([active, active + self.contacts])]


@pytest.mark.parametrize("name", ["industrial-08b", "hoist", "bucket-elevator"])
def test_links_are_eliminated_exactly(name: str) -> None:
    """Accelerations of a step are (M + J^T D J + D_anchors)^-1 M a with D = h^2 k/4 + h c/2, solved densely.

    A closed chain, one between an anchor and a load, one with goods on it.
    """
    instant = Instant(name)
    p, n = instant.p, instant.p.links
    explicit = np.zeros_like(instant.dy)
    instant.system.kernels.rhs(0.0, instant.y, explicit, p)
    rates = np.zeros((n, 2 * n))
    for i in range(n if p.planar.closed else n - 1):
        j = (i + 1) % n
        rates[i, [j, n + j]] += p.link.x[i], p.link.y[i]
        rates[i, [i, n + i]] -= p.link.x[i], p.link.y[i]
    mass = np.diag(np.tile(p.roller.mass + p.planar.carried, 2))
    resists = 0.25 * STEP**2 * p.stiffness + 0.5 * STEP * p.damping
    anchors, held = np.zeros((2 * n, 2 * n)), p.planar.anchor
    for roller, k, c in zip(held.roller, held.stiffness, held.damping, strict=True):
        for row in (roller, n + roller):
            anchors[row, row] += 0.25 * STEP**2 * k + 0.5 * STEP * c
    a = explicit[instant.n : instant.n + 2 * n]
    expected = np.linalg.solve(mass + resists * rates.T @ rates + anchors, mass @ a)
    np.testing.assert_allclose(
        instant.dy[instant.n : instant.n + 2 * n], expected, rtol=0.0, atol=1e-9 * np.abs(a).max()
    )


@pytest.mark.parametrize("formulation", CHAINS)
@pytest.mark.parametrize("name", ["industrial-08b", "timing-06b"])
def test_impulses_change_the_speeds_of_contacts_by_the_inverse_inertia(name: str, formulation: dict[str, str]) -> None:
    """W^T M^-1 W P, column by column, is the change of speed of all contacts by the velocities due to P; also on
    bodies.
    """
    instant = Instant(name, formulation)
    active = instant.near(4)
    size = 2 * active.size
    matrix = np.zeros((size, size))
    instant.kernels.inverse_inertia(instant.y, active, active.size, matrix, instant.p)
    before = instant.speeds(instant.y, active)
    change = np.zeros(instant.n)
    for column in range(size):
        instant.kernels.respond(active.size, np.eye(size)[column], change, instant.p)
        moved = instant.y.copy()
        moved[instant.n : 2 * instant.n] += change
        found = instant.speeds(moved, active) - before
        np.testing.assert_allclose(found, matrix[:, column], rtol=0.0, atol=1e-9 * matrix.max())
        # wheels and bodies are accelerated by a force as by an impulse
        border, forced = instant.p.planar.layout.wheel_angle, np.zeros_like(instant.dy)
        instant.kernels.give(active, active.size, np.eye(size)[column], instant.p)
        instant.system.kernels.rhs(0.0, instant.y, forced, instant.p)
        by_force = (forced - instant.dy)[instant.n + border : 2 * instant.n]
        scale = np.abs(instant.dy[instant.n + border : 2 * instant.n]).max() + np.abs(change).max()
        np.testing.assert_allclose(by_force, change[border:], rtol=1e-6, atol=1e-9 * scale)
    np.testing.assert_allclose(matrix, matrix.T, rtol=0.0, atol=1e-9 * matrix.max())
    values = np.linalg.eigvalsh(matrix)  # along a row of revolute links all slide alike
    assert values.min() > (-1e-12 * values.max() if formulation is REVOLUTE else 0.0)


@pytest.mark.parametrize("name", ["industrial-08b", "timing-06b", "hoist"])
def test_sweeps_along_the_chain_solve_the_problem_of_the_matrix(name: str) -> None:
    """Impulses and speeds of sweeps without a matrix are those of Lemke's method with it; from any start.

    A closed chain, one whose surfaces ride on bodies, an open one; every third contact has a spring.
    """
    instant = Instant(name)
    active = instant.near(9)
    size, k = 2 * active.size, active.size
    matrix, vector = np.zeros((size, size)), instant.speeds(instant.y, active)
    instant.kernels.inverse_inertia(instant.y, active, k, matrix, instant.p)
    friction, compliance = np.full(k, 0.2), np.where(np.arange(k) % 3 == 0, 0.3 * matrix.max(), 0.0)
    matrix[np.arange(k), np.arange(k)] += compliance
    exact = solve_contacts(matrix, vector, friction)
    assert exact.outcome is Outcome.SOLVED
    assert (exact.force[:k] > 0.0).any()
    assert (exact.force[:k] == 0.0).any()
    for start in (np.zeros(size), exact.force + 1e-3 * RNG.standard_normal(size)):
        impulse, motion = start.copy(), np.zeros(size)
        sweeps, change = instant.kernels.relax(
            *(instant.y, active, k, vector, friction, compliance, impulse, motion, 500, 1e-12),
            *(instant.system.rigid.scratch, instant.p),
        )
        assert change <= 1e-12
        assert 1 < sweeps < 500
        np.testing.assert_allclose(impulse, exact.force, rtol=0.0, atol=1e-9 * np.abs(exact.force).max())
        np.testing.assert_allclose(motion, exact.motion, rtol=0.0, atol=1e-9 * np.abs(vector).max())


@pytest.mark.parametrize("formulation", CHAINS[:2])
@pytest.mark.parametrize("later", [-0.5 * STEP, 0.0, 0.5 * STEP])
def test_what_turns_with_its_wheel_has_no_speed_on_it(later: float, formulation: dict[str, str]) -> None:
    """Rollers and links that wheels carry along, with the velocity of another instant: w r, rotated with the wheel."""
    instant = Instant("industrial-08b", formulation)
    active, p = instant.near(4), instant.p.planar
    y, n, rollers = instant.y.copy(), instant.n, instant.p.links
    for contact in active:
        i, s = contact % rollers, p.rigid.surface[contact]
        speed = y[p.layout.wheel_speed + s]
        carried = 1j * speed * np.exp(1j * speed * later)
        carried *= complex(y[i] - p.frame.x[s], y[rollers + i] - p.frame.y[s])
        y[n + i], y[n + rollers + i] = carried.real, carried.imag
        if formulation is LINKS:
            y[n + 2 * rollers + i] = speed
    found = np.full(2 * instant.contacts, np.nan)
    instant.kernels.speeds(y, later, active, active.size, found, instant.p)
    relative = found[np.concatenate([active, active + instant.contacts])]
    assert np.abs(relative).max() < 1e-12 * np.abs(y[n : n + 2 * rollers]).max()


@functools.cache
def run_of(name: str, way: str, until: float, method: str = "auto") -> cd.Solution:
    """A run of an example; way: springs, or rigid contacts of a chain."""
    drive = example(name) if way == "springs" else rigid(name, OF_WAY[way], run__solver__method=method)
    return cd.simulate(override(drive, {"run.until": until}), progress=False)


OF_WAY = {"rollers": ROLLERS, "links": LINKS, "ideal": IDEAL, "revolute": REVOLUTE}


def tensions_of(run: cd.Solution) -> tuple[float, float]:
    """Mean tension of the tightest span, and the one that 1 % of all links exceed, after a third of a run. [N]"""
    later = run.time > 0.3 * run.time[-1]
    mean = np.nanmean(run.values("span_tension")[later], axis=0).max()
    return float(mean), float(np.quantile(run.values("link_tension")[later], 0.99))


@pytest.mark.parametrize("way", ["rollers", "links"])
@pytest.mark.parametrize(
    ("name", "until", "tension"),
    [("industrial-08b", 0.1, 0.01), pytest.param("timing-06b", 0.04, 0.03, marks=pytest.mark.long)],
)
def test_tensions_and_losses_beside_contacts_with_springs(name: str, until: float, tension: float, way: str) -> None:
    """The same drive in both ways: mean tension of the tight span, tension that 1 % of all links exceed, losses."""
    springs, hard = run_of(name, "springs", until), run_of(name, way, until)
    (mean, most), found = tensions_of(springs), tensions_of(hard)
    assert found == pytest.approx((mean, most), rel=2.0 * tension)
    assert found[0] == pytest.approx(mean, rel=tension)
    accounts = ("work_articulation", "work_bearing", "work_guide")
    lost = [sum(float(run.values(account)[-1]) for account in accounts) for run in (springs, hard)]
    assert lost[1] == pytest.approx(lost[0], rel=2.0 * tension)


@pytest.mark.parametrize(
    ("name", "until", "way", "apart"),
    [
        ("industrial-08b", 0.1, "links", 0.005),
        pytest.param("timing-06b", 0.04, "links", 0.02, marks=pytest.mark.long),
        pytest.param("v6-timing", 0.01, "ideal", 0.02, marks=pytest.mark.long),
    ],
)
def test_rollers_and_rigid_links_have_the_same_tensions(name: str, until: float, way: str, apart: float) -> None:
    """Both with rigid contacts: mean tension of the tight span, tension that 1 % of all links exceed."""
    rollers, links = (tensions_of(run_of(name, each, until)) for each in ("rollers", way))
    assert links == pytest.approx(rollers, rel=apart)


@pytest.mark.parametrize(
    ("way", "method", "until", "missing"),
    [
        ("rollers", "auto", 0.1, 1e-5),
        ("links", "auto", 0.1, 1e-5),
        ("revolute", "auto", 0.02, 1e-5),
        pytest.param("revolute", "auto", 0.1, 1e-5, marks=pytest.mark.long),
        ("rollers", "nonsmooth-alpha", 0.1, 1e-5),
        pytest.param("revolute", "nonsmooth-alpha", 0.02, 1e-5, marks=pytest.mark.long),
        # corrections of pins that part and land in a step may not converge
        pytest.param("links", "nonsmooth-alpha", 0.1, 1e-4, marks=pytest.mark.long),
    ],
)
def test_energy_of_rigid_contacts(way: str, method: str, until: float, missing: float) -> None:
    """Impacts lose energy, friction as well, and the residual is a small part of the energy exchanged."""
    run = run_of("industrial-08b", way, until, method)
    exchanged = float(run.values("work_input")[-1])
    assert abs(run.values("energy_residual")).max() < missing * exchanged
    assert float(run.values("work_contact")[-1]) > 0.0
    assert float(run.values("work_friction")[-1]) > 0.0


@pytest.mark.parametrize(
    ("formulation", "name", "method"),
    [
        pytest.param(ROLLERS, "timing-06b", "moreau-jean", id="rollers on a mechanism"),
        pytest.param(ROLLERS, "industrial-08b", "nonsmooth-alpha", id="rollers"),
        # with kernels of their own
        pytest.param(REVOLUTE, "industrial-08b", "nonsmooth-alpha", id="revolute", marks=pytest.mark.long),
        pytest.param(LINKS, "industrial-08b", "nonsmooth-alpha", id="links", marks=pytest.mark.long),
        pytest.param(LINKS, "timing-06b", "moreau-jean", id="links on a mechanism", marks=pytest.mark.long),
        pytest.param(REVOLUTE, "timing-06b", "moreau-jean", id="revolute on a mechanism", marks=pytest.mark.long),
        pytest.param(ROLLERS, "timing-06b", "nonsmooth-alpha", marks=pytest.mark.long),
        pytest.param(LINKS, "timing-06b", "nonsmooth-alpha", marks=pytest.mark.long),
        pytest.param(REVOLUTE, "timing-06b", "nonsmooth-alpha", marks=pytest.mark.long),
    ],
)
def test_a_run_that_was_cut_goes_on_bit_for_bit(formulation: dict[str, str], name: str, method: str) -> None:
    drive = rigid(name, formulation)

    def integrator() -> Integrator:
        system = compile_system(drive, drive.run.formulation, True)
        system.state[system.positions : 2 * system.positions] = system.motion.rolling
        return Integrator(system, SolverSettings(method=method, step=STEP), 1e-4)

    whole, first, second = integrator(), integrator(), integrator()
    whole.advance(2e-3)
    first.advance(2e-3, budget_steps=37)
    second.restore(first.snapshot())
    second.advance(2e-3)
    np.testing.assert_array_equal(whole.state, second.state)
    np.testing.assert_array_equal(whole.take_rows()[1], second.take_rows()[1])


def test_a_step_that_lets_rollers_in_too_deep_is_told() -> None:
    run = cd.simulate(rigid("industrial-08b", run__solver__step=2e-4, run__until=0.02), progress=False)
    deepest = run.notes["largest_penetration"]
    assert deepest > TOO_DEEP * run.drive.chain.pitch
    depth = f"{100.0 * deepest / run.drive.chain.pitch:.2g} % of the pitch"
    assert any("solver.step" in warning and depth in warning for warning in run.warnings)


def test_a_tight_conveyor_on_rails_agrees_with_a_shorter_step() -> None:
    """No wheel has a load; take-up, rails and goods make the chain tight. Rollers land where they should, and joints
    and impacts lose what they lose in steps of 50 us."""
    drive = TEMPLATES["conveyor"].made({"length": "3 m", "speed": "0.1 m/s"}).drive
    changes = {"run.formulation": ROLLERS | {"contacts": "rigid"}, "run.until": 0.4, "run.save.rate": 500}
    run, fine = (
        cd.simulate(override(drive, changes | {"run.solver.step": step}), progress=False) for step in ("auto", 5e-5)
    )
    assert run.notes["largest_penetration"] < TOO_DEEP * drive.chain.pitch
    assert not any("penetrated" in warning for warning in run.warnings)
    lost, wanted = run.audit.losses, fine.audit.losses
    assert lost["guide"] == pytest.approx(wanted["guide"], rel=2e-3)
    assert lost["articulation"] == pytest.approx(wanted["articulation"], rel=0.05)
    assert lost["contact"] < 0.03 * lost["articulation"]


def test_forces_that_depend_on_the_step_are_not_judged() -> None:
    judged = {tile.key: tile for tile in verdict(run_of("timing-06b", "rollers", 0.01)).tiles}
    assert judged["contact_force"].sign == judged["bearing_force"].sign == Sign.OPEN
    assert any("step" in line for line in judged["contact_force"].lines)
    assert judged["tension"].sign != Sign.OPEN
    judged = {tile.key: tile for tile in verdict(run_of("industrial-08b", "revolute", 0.02)).tiles}
    assert judged["tension"].sign == Sign.OPEN
    judged = {tile.key: tile for tile in verdict(run_of("timing-06b", "springs", 0.01)).tiles}
    assert judged["contact_force"].sign != Sign.OPEN


@pytest.mark.parametrize(
    ("name", "changes", "place"),
    [
        ("industrial-08b", {"run.formulation.contact_law": "hertz"}, "run.formulation.contact_law"),
        ("industrial-08b", {"run.formulation.impact_memory": "stored"}, "run.formulation.impact_memory"),
    ],
)
def test_what_rigid_contacts_do_not_go_with(name: str, changes: dict[str, object], place: str) -> None:
    with pytest.raises(InputError) as refused:
        override(example(name), {"run.formulation": {"kind": "roller", "contacts": "rigid"}} | changes)
    assert place in [problem.place for problem in refused.value.problems]


def test_the_method_needs_rigid_contacts() -> None:
    with pytest.raises(InputError, match="contacts = 'rigid'"):
        override(example("industrial-08b"), {"run.solver.method": "moreau-jean"})


def test_a_method_for_springs_gives_way_and_a_warning_says_so() -> None:
    given = rigid("industrial-08b", run__solver__method="verlet")
    system = as_laid(given)
    assert chosen_method(given.run, given, system).method == "moreau-jean"
    assert [text for text in system.story.warnings if "'verlet'" in text and "'moreau-jean'" in text]


def test_smoothed_friction_of_the_joints_shortens_a_step_that_is_chosen() -> None:
    """Its slope times 16/(P^2 m), times the step, is at most the value that a step resolves; a given step stays."""
    smoothed = rigid("single-speed-46x16", run__formulation__joint_friction_rate=1.0, run__solver__step="auto")
    limits = as_laid(smoothed).story.notes["step_limits"]
    explicit = as_laid(override(smoothed, {"run.formulation.contacts": "compliant"})).story.notes["step_limits"]
    name = "smoothed friction of the joints"
    assert limits == {name: pytest.approx(explicit[name] / RESOLVED)}
    given = rigid("single-speed-46x16", run__formulation__joint_friction_rate=1.0)
    assert as_laid(given).story.notes["step_limits"] == {"given": pytest.approx(1.0 / STEP)}


@pytest.mark.long
@pytest.mark.parametrize(("name", "until"), [("tandem", 0.02), ("chain-hoist", 0.02), ("pump-10b", 0.02)])
def test_stages_and_rotors_beside_contacts_with_springs(name: str, until: float) -> None:
    """Chains on an elastic shaft, on a rigid one, and rotors: tensions, torques of shafts, balances of all chains."""
    changes = {"run.until": until, "run.save.channels": "all"}
    springs, rigid_ones = (
        cd.simulate(override(in_formulation(example(name), kind), changes), progress=False)
        for kind in ("roller", "roller-rigid")
    )
    for channel in (each for each in springs.channels if each.endswith(("link_tension", "shaft_torque"))):
        means = [float(run.values(channel)[len(run.time) // 2 :].mean()) for run in (springs, rigid_ones)]
        assert means[1] == pytest.approx(means[0], rel=0.05), channel
    for chain in rigid_ones.chains:
        assert chain.audit.relative_residual < 1e-2


def test_two_wheels_on_one_shaft_turn_by_impulses_on_either() -> None:
    """A differential hoist lifts with the tensions that it has with springs in its contacts."""
    springs, rigid_ones = (
        cd.simulate(override(in_formulation(example("differential-hoist"), kind), {"run.until": 0.05}), progress=False)
        for kind in ("roller", "roller-rigid")
    )
    largest, smallest = (run.values("link_tension")[-1].max() for run in (springs, rigid_ones))
    assert smallest == pytest.approx(largest, rel=0.02)
    speeds = rigid_ones.values("wheel_speed")[-1]
    assert speeds[0] == pytest.approx(speeds[2])


@pytest.mark.parametrize("kind", ["roller", "link"])
def test_both_ways_side_by_side(kind: str) -> None:
    """The same drive with springs in its contacts and without: table, omissions, section of the report."""
    found = cd.compare(example("industrial-08b"), (kind, f"{kind}-rigid"), until=0.01, frequencies=False)
    assert found.table is not None
    assert found.table.labels == (kind, f"{kind}-rigid")
    assert "compliance of the contacts" in found.table.left_out[1]
    kinds = [run.drive.run.formulation.contacts for run in found.solutions.values()]
    assert kinds == ["compliant", "rigid"]
    subjects = [subject_of(run, label) for label, run in found.solutions.items()]
    assert [section.key for section in formulations_sections(subjects)] == ["formulations"]


def test_a_drive_with_rigid_contacts_has_springs_in_the_other_ways() -> None:
    """Revolute joints and the fixed step belong to rigid contacts, and are dropped with them."""
    given = rigid("industrial-08b", REVOLUTE)
    assert in_formulation(given, "link-rigid") is given
    springs, rollers = in_formulation(given, "link"), in_formulation(given, "roller-rigid")
    assert (springs.run.formulation.contacts, springs.run.formulation.joint) == ("compliant", "ideal")
    assert (rollers.run.formulation.contacts, rollers.run.solver.step) == ("rigid", STEP)
    assert springs.run.solver.step == "auto"


def test_friction_that_was_smoothed_sticks_where_contacts_become_rigid() -> None:
    smoothed = override(example("industrial-08b"), {"run.formulation.joint_friction_rate": 0.1})
    assert not smoothed.run.formulation.elastic_friction
    assert in_formulation(smoothed, "roller-rigid").run.formulation.elastic_friction
