"""Rigid links with rigid contacts: their joints against dense equations, constraints against closed-form solutions."""

from __future__ import annotations

import contextlib
import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import chaindrive as cd
from chaindrive.errors import InputError
from chaindrive.formulations import compile_system
from chaindrive.formulations.link import parameters as L
from chaindrive.formulations.link.rigid import CLOSING
from chaindrive.model import Drive, FreeEnd, GroundEnd, SaveOptions, example, override
from chaindrive.simulation.start import channel_at_start, prepare
from support.open_drives import LINK_MASS, PITCH, open_drive

STEP = 2e-5
G = 9.81
RNG = np.random.default_rng(30)
ROD = LINK_MASS * PITCH**2 / 12.0
"""Moment of inertia of a slender rod. [kg m^2]"""


def rigid(drive: Drive, joint: str, step: float = STEP, **changes: object) -> Drive:
    """A drive with rigid links on rigid contacts; changes by path, with __ for a dot."""
    tight = {"chain.joint_clearance": 0.0} if joint == "revolute" else {}
    formulation = {"kind": "link", "contacts": "rigid", "joint": joint}
    given = {"run.formulation": formulation, "run.solver.method": "auto", "run.solver.step": step}
    return override(drive, given | tight | {key.replace("__", "."): value for key, value in changes.items()})


def rods(ends: object, links: int, until: float, **run: object) -> Drive:
    """An open chain of slender rods, revolute joints between them."""
    inertia = {f"chain.{name}_link.inertia": ROD for name in ("inner", "outer")}
    drive = open_drive(ends, links, until, run={"start": "as_placed", "save": SaveOptions(channels="all")} | run)
    return override(rigid(drive, "revolute", 1e-4), {"chain.inner_link.mass": LINK_MASS} | inertia)


def rates_of(p, n: int, joints: int) -> np.ndarray:
    """J: rates of the vectors from bushes to pins, first all x, then all y, and of the angles, (3 J, 3 N)."""
    rates = np.zeros((3, joints, 3, n))
    for i in range(n):
        ahead, link = (i + 1) % joints, p.link
        for j, sign, x, y in ((i, -1.0, link.bush_x[i], link.bush_y[i]), (ahead, 1.0, link.pin_x[i], link.pin_y[i])):
            rates[0, j, 0, i] += sign
            rates[1, j, 1, i] += sign
            rates[0, j, 2, i] -= sign * y
            rates[1, j, 2, i] += sign * x
            rates[2, j, 2, i] -= sign
    return rates.reshape(3 * joints, 3 * n)


def resistance(p, joints: int, held: np.ndarray) -> np.ndarray:
    """D = h^2 K/4 + h C/2 of joints for displacement and rotation, (3 J, 3 J); held: which are constraints."""
    pin, found = p.pin, np.zeros((3 * joints, 3 * joints))
    for j in range(joints):
        x, y, depth, force = pin.normal_x[j], pin.normal_y[j], pin.penetration[j], pin.force[j]
        k, c = p.joint.stiffness[j], p.joint.damping[j]
        along, across = np.outer((x, y), (x, y)), np.outer((-y, x), (-y, x))
        stiffness, damping = k * np.eye(2), c * np.eye(2)
        if p.joint_kind == L.CLEARANCE and depth > 0.0 and force > 0.0:
            stiffness, damping = k * along + k * depth / (depth + p.joint.clearance[j]) * across, c * along
        elif p.joint_kind == L.CLEARANCE:
            stiffness = damping = np.zeros((2, 2))
        plane = np.ix_([j, joints + j], [j, joints + j])
        found[plane] = 0.25 * STEP**2 * stiffness + 0.5 * STEP * damping
        if k > 0.0 or held[j]:
            found[2 * joints + j, 2 * joints + j] = 0.5 * STEP * p.joint_damping
    return found


def masses(p, n: int, joints: int) -> tuple[np.ndarray, np.ndarray]:
    """Masses of links, and moments of inertia including the tension's contribution: h^2/4 of its rotational
    stiffness.
    """
    pull = np.column_stack([p.pin.force_x, p.pin.force_y])
    bush, pin = np.column_stack([p.link.bush_x, p.link.bush_y])[:n], np.column_stack([p.link.pin_x, p.link.pin_y])[:n]
    ahead = (np.arange(n) + 1) % joints
    turned = np.maximum((pull[:n] * bush).sum(axis=1), 0.0) + np.maximum(-(pull[ahead] * pin).sum(axis=1), 0.0)
    mass = np.concatenate([p.body.mass, p.body.mass, p.body.inertia])
    return np.diag(mass), np.diag(np.concatenate([np.zeros(2 * n), 0.25 * STEP**2 * turned]))


@pytest.mark.parametrize("joint", ["clearance", "ideal", "revolute"])
@pytest.mark.parametrize("name", ["industrial-08b", pytest.param("v6-timing", marks=pytest.mark.long), "hoist"])
def test_joints_are_eliminated_exactly(name: str, joint: str) -> None:
    """Accelerations of a step are those of M + J^T D J, or with multipliers of J v+ = -b d/h, solved densely.

    A closed chain, and one between an anchor and a load. Links are moved at random, so that joints are open and closed.
    """
    drive = rigid(example(name), joint, chain__joint_damping=1e-3)
    system = compile_system(drive, drive.run.formulation, True)
    p, at, y = system.parameters, system.positions, system.state.copy()
    n, joints = p.links, p.planar.rollers
    chain = slice(at, at + 3 * n)
    y[: 2 * n] += 2e-5 * RNG.standard_normal(2 * n)
    y[chain] = system.motion.rolling[: 3 * n] + 0.1 * RNG.standard_normal(3 * n)
    explicit, found = np.zeros((2, y.size))
    system.kernels.rhs(0.0, y, explicit, p)
    system.kernels.rigid.release(0.0, y, found, STEP, p)
    held = np.zeros(joints, dtype=bool)
    if joint == "revolute":
        held[slice(None) if p.planar.closed else slice(1, -1)] = True
    rates, resists = rates_of(p, n, joints), resistance(p, joints, held)
    mass, turned = masses(p, n, joints)
    rows = np.flatnonzero(np.concatenate([held, held, np.zeros_like(held)]))
    gap = np.concatenate([p.pin.x - p.place[:joints], p.pin.y - p.place[joints:], np.zeros(joints)])[rows]
    force = mass @ explicit[chain]
    implicit = mass + turned + rates.T @ resists @ rates
    constraint = rates[rows]
    if rows.size:  # the force of a constraint acts at its pin on both links
        behind = rows % joints
        constraint[np.arange(rows.size), 2 * n + behind] += np.where(
            rows < joints, gap[np.searchsorted(rows, behind + joints)], -gap[np.searchsorted(rows, behind)]
        )
    matrix = np.block([[implicit, constraint.T], [constraint, np.zeros((rows.size, rows.size))]])
    right = np.concatenate([force, -(constraint @ y[chain] + CLOSING * gap / STEP) / STEP])
    expected = np.linalg.solve(matrix, right)[: 3 * n]
    np.testing.assert_allclose(found[chain], expected, rtol=0.0, atol=1e-9 * np.abs(expected).max())
    jolt = RNG.standard_normal(system.velocities)
    right = np.concatenate([mass @ jolt[: 3 * n], np.zeros(rows.size)])
    expected = np.linalg.solve(matrix, right)[: 3 * n]
    system.kernels.rigid.soften(jolt, p)
    np.testing.assert_allclose(jolt[: 3 * n], expected, rtol=0.0, atol=1e-9 * np.abs(expected).max())


@pytest.mark.parametrize("until", [0.02, pytest.param(0.1, marks=pytest.mark.long)])
def test_links_turn_on_revolute_joints_that_stay_closed(until: float) -> None:
    """The gap of a joint settles below (h w)^2 P/(2 b), w of the fastest wheel."""
    run = cd.simulate(rigid(example("industrial-08b"), "revolute", run__until=until), progress=False)
    turned = STEP * np.abs(run.values("wheel_speed")).max()
    gap = np.abs(run.values("pin_gap")[len(run.time) // 3 :]).max()
    assert 0.1 < gap / (turned**2 * run.drive.chain.pitch / (2.0 * CLOSING)) < 1.0


def pendulum(angle: float, links: int, times: np.ndarray) -> np.ndarray:
    """Angles over time of hanging rods that all begin at one angle, from Lagrange's equations. (T, links) [rad]

    Rod i turns all below it: with n_ij rods below the lower one of two, A_ij = m l^2 (n_ij + 1/2), and m l^2 (n + 1/3)
    of one.
    """
    below = links - 1.0 - np.maximum.outer(np.arange(links), np.arange(links))
    weight = below + 0.5 - np.eye(links) / 6.0
    moment = links - 0.5 - np.arange(links)

    def rates(_: float, y: np.ndarray) -> np.ndarray:
        turned, speed = y[:links], y[links:]
        apart = np.subtract.outer(turned, turned)
        right = -(weight * np.sin(apart)) @ speed**2 - G / PITCH * moment * np.cos(turned)
        return np.concatenate([speed, np.linalg.solve(weight * np.cos(apart), right)])

    start = np.concatenate([np.full(links, angle), np.zeros(links)])
    found = solve_ivp(rates, (0.0, times[-1]), start, t_eval=times, rtol=1e-10, atol=1e-12)
    return found.y[:links].T


@pytest.mark.long  # a step of rigid links in an open chain has kernels that no other test needs
def test_a_pendulum_of_revolute_links_swings_as_lagrange_has_it() -> None:
    """Four rods are released at 40 degrees from the vertical, for one and a half swings; the joints stay closed.

    By default the equations of a step of such a chain are compared with dense ones (``hoist``, above).
    """
    start = math.radians(-50.0)
    ends = GroundEnd(position=(0.0, 0.0), stiffness=1e9, damping=0.0), FreeEnd(mass=0.0, direction=start)
    run = cd.simulate(rods(ends, 4, until=0.6), progress=False)
    expected = pendulum(start, 4, np.asarray(run.time))
    np.testing.assert_allclose(run.values("link_angle"), expected, rtol=0.0, atol=2e-3)
    assert np.abs(run.values("pin_gap")).max() < 1e-4 * PITCH
    assert np.abs(run.values("energy_residual")).max() < 1e-3 * 4.0 * LINK_MASS * G * 2.0 * PITCH


def hanging() -> Drive:
    """A chain of equal links between two hooks."""
    hooks = [GroundEnd(position=(x, 0.0)) for x in (0.0, 16.0 * PITCH)]
    return rods(tuple(hooks), 20, until=0.02, start="at_rest")


def test_a_hanging_chain_of_revolute_links_is_a_catenary() -> None:
    """Tangents of the angles of its links rise by m g/H from link to link, H the pull."""
    system = prepare(hanging(), start="at_rest").system
    angle, pull, gap = (channel_at_start(system, name) for name in ("link_angle", "anchor_force", "pin_gap"))
    assert np.diff(np.tan(angle)) == pytest.approx(LINK_MASS * G / np.abs(pull[:, 0]).mean(), rel=1e-5)
    assert np.abs(gap[1:-1]).max() < 1e-6 * PITCH


@pytest.mark.long
def test_a_hanging_chain_of_revolute_links_stays_at_rest() -> None:
    run = cd.simulate(hanging(), progress=False)
    angle = run.values("link_angle")
    np.testing.assert_allclose(angle[-1], angle[0], rtol=0.0, atol=1e-5)
    assert np.abs(run.values("pin_gap")[:, 1:-1]).max() < 1e-6 * PITCH


@pytest.mark.parametrize(
    ("changes", "place", "said"),
    [
        ({"joint": "revolute"}, "run.formulation.joint", "contacts = 'rigid'"),
        ({"joint": "revolute", "contacts": "rigid", "journal_stiffness": 1e8}, "run.formulation.journal_stiffness", ""),
        ({"joint": "revolute", "contacts": "rigid", "oil_damping": 20.0}, "run.formulation.oil_damping", "no gap"),
        ({"joint": "revolute", "contacts": "rigid"}, "chain.joint_clearance", "must be 0"),
        ({"contacts": "rigid", "coordinates": "path"}, "run.formulation.coordinates", "compliant"),
        ({"contacts": "rigid", "surface_oil_damping": 5.0}, "run.formulation.surface_oil_damping", "compliant"),
        ({"contacts": "rigid", "roller_damping": 1e-6}, "run.formulation.roller_damping", "compliant"),
    ],
)
def test_what_rigid_links_do_not_go_with(changes: dict[str, object], place: str, said: str) -> None:
    with pytest.raises(InputError) as refused:
        override(example("v6-timing"), {"run.formulation": {"kind": "link"} | changes})
    assert any(problem.place == place and said in problem.message for problem in refused.value.problems)


def test_contacts_of_links_become_rigid_without_becoming_those_of_rollers() -> None:
    drive = override(example("v6-timing"), {"run.formulation.contacts": "rigid"})
    assert (drive.run.formulation.kind, drive.run.formulation.contacts) == ("link", "rigid")


def test_a_rigid_loop_that_is_preloaded_on_fixed_centres_has_no_tension() -> None:
    for joint, fits in (("ideal", True), ("revolute", False)):
        drive = rigid(example("6s90mc-c"), joint)
        with contextlib.nullcontext() if fits else pytest.raises(InputError, match="statically indeterminate"):
            compile_system(drive, drive.run.formulation, True)


@pytest.mark.long
def test_a_revolute_run_goes_on_from_one_with_springs_without_its_gaps() -> None:
    """The joints of the run with springs are open by up to some micrometres; those of the next one begin closed."""
    given = override(example("timing-06b"), {"run.save.channels": "all", "chain.joint_clearance": 0.0})
    before = cd.simulate(override(given, {"run.formulation": {"kind": "link", "joint": "ideal"}}), 1e-3, progress=False)
    after = cd.simulate(rigid(given, "revolute"), 2e-4, initial=before, progress=False)
    pitch = given.chain.pitch
    assert np.abs(before.values("pin_gap")[-1]).max() > 1e-5 * pitch
    assert np.abs(after.values("pin_gap")[0]).max() < 1e-9 * pitch
    speeds = [run.values("wheel_speed")[at] for run, at in ((before, -1), (after, 0))]
    np.testing.assert_allclose(speeds[1], speeds[0], rtol=2e-2)
