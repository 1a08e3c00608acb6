"""Elastic friction of links in space: losses, plane drives, sticking, sliding in two directions, memory."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from elastic_friction import drive, friction_radius

import chaindrive as cd
from chaindrive.contract.status import Status
from chaindrive.contract.system import System
from chaindrive.formulations import compile_system
from chaindrive.formulations.spatial import parameters as S
from chaindrive.geometry.route import pitch_radius
from chaindrive.model import Drive, SaveOptions, override
from chaindrive.results import checkpoint
from chaindrive.results.solution import Solution
from chaindrive.solvers import SolverSettings
from support.interrupted import Stop
from support.small_drives import PITCH, rail, run, settle, wheels_in_space

LONG = pytest.mark.long
EVERYTHING = SaveOptions(channels="all", precision="double")


def ran(given: Drive, **options: Any) -> Solution:
    """A run to its end."""
    found = cd.simulate(given, **options)
    assert found.status == Status.REACHED_END
    return found


def in_space(rpm: float, passages: float, **formulation: Any) -> Drive:
    """The drive of docs/validation/elastic-friction.md with links in space."""
    given = drive(rpm, passages, kind="spatial", **formulation)
    return override(given, {"run.solver": {"method": "splitting"}})


def lost(solution: Solution, name: str, first: int = 0) -> float:
    """Work of one kind of loss from a row on. [J]"""
    work = solution.values(f"work_{name}")
    return float(work[-1] - work[first])


# ---- losses


@pytest.mark.parametrize("rpm", [1000.0, pytest.param(10.0, marks=LONG)])
def test_joints_lose_what_coulomb_friction_takes_from_the_recorded_motion(rpm):
    # a joint slides when it has turned by mu r F/k from where it last stuck; turns of flat links are those about z
    given = in_space(rpm, 1.0)
    solution = ran(given)
    first = len(solution.time) // 2
    q, force = solution.values("link_orientation"), np.hypot(*np.moveaxis(solution.values("bushing_force"), -1, 0)[:2])
    heading = np.unwrap(2.0 * np.arctan2(q[..., 3], q[..., 0]), period=2.0 * math.pi, axis=0)
    angle = np.unwrap(heading - np.roll(heading, 1, axis=1), axis=0)
    stiffness = compile_system(given, given.run.formulation, True).parameters.joint_friction_stiffness
    anchor, work = angle[0].copy(), 0.0
    for i in range(1, len(angle)):
        limit = friction_radius(given) * force[i]
        away = angle[i] - anchor
        moved = np.sign(away) * np.maximum(np.abs(away) - limit / stiffness, 0.0)
        anchor += moved
        work += float((limit * np.abs(moved)).sum()) if i > first else 0.0
    assert lost(solution, "articulation", first) == pytest.approx(work, rel=2e-3)
    assert solution.audit.relative_residual < 1e-5


def test_a_plane_drive_loses_what_rigid_links_lose():
    """Compared with the formulation ``link`` with ideal joints, springs of the same stiffness, and every roller on the
    link of its bush.

    Joints start without a moment here, and there as those that slide: from the second half on nothing is left of that.
    """
    made = wheels_in_space(second={"load_torque": 2.0}, contact={"friction": 0.1, "restitution": 0.5})
    space = compile_system(made, made.run.formulation, True)
    n = made.chain.links
    space.parameters.owner[:] = np.column_stack([np.arange(n), np.ones(n, dtype=int)])
    flat = override(made, {"run.formulation": {"kind": "link", "joint": "ideal"}})
    plane = compile_system(flat, flat.run.formulation, True)
    stiffness = space.parameters.joint_friction_stiffness
    plane = replace(plane, parameters=plane.parameters._replace(joint_friction_stiffness=stiffness))
    runs = []
    for system, settings in (
        (space, SolverSettings(method="splitting", step=2e-6)),
        (plane, SolverSettings(method="dormand-prince")),
    ):
        system = settle(system)
        state = system.state.copy()
        state[system.positions : system.positions + system.motion.rolling.size] = system.motion.rolling
        runs.append(run(replace(system, state=state), 0.1, 1e-3, settings))
    for name, within in (("work_articulation", 5e-3), ("work_friction", 0.02), ("work_output", 1e-3)):
        lost = [each.channels[name][-1] - each.channels[name][50] for each in runs]
        assert lost[0] == pytest.approx(lost[1], rel=within), name
    tensions = [each.channels["span_tension"][50:].mean(axis=0) for each in runs]
    np.testing.assert_allclose(tensions[0], tensions[1], rtol=2e-3)


# ---- the step


def test_the_step_does_not_depend_on_the_speed_nor_is_much_shorter_than_without_friction():
    def highest_frequency(given: Drive) -> float:
        return compile_system(given, given.run.formulation, True).motion.highest_frequency

    limits = [highest_frequency(in_space(rpm, 1.0)) for rpm in (1000.0, 1.0)]
    assert limits[0] == limits[1]
    smooth = override(in_space(1.0, 1.0), {"chain.joint_friction": 0.0, "contact.friction": 0.0})
    assert highest_frequency(smooth) < limits[0] < 1.3 * highest_frequency(smooth)


# ---- sticking


class Seated:
    """A drive in space at rest, and the friction on the rollers pressed on its teeth."""

    def __init__(self, **given: Any) -> None:
        made = wheels_in_space(
            second={"load_torque": 2.0}, options={"friction_law": "elastic"}, contact={"friction": 0.1}, **given
        )
        self.system: System = settle(compile_system(made, made.run.formulation, False))
        self.p, self.y = self.system.parameters, self.system.state.copy()
        self.layout, self.n = self.p.planar.layout, self.p.links
        assert self.system.kernels.begin(0.0, self.y, self.p) == 0
        self.evaluate()
        self.accept()

    def evaluate(self) -> None:
        self.system.kernels.rhs(0.0, self.y, np.zeros_like(self.y), self.p)

    def accept(self) -> None:
        self.system.kernels.accept(0.0, self.y, self.p)

    def move(self, aside: float = 0.0, turn: float = 0.0) -> None:
        """Move all links along their pins [m] and wheel 1 about its axis [rad]."""
        self.y[2 * self.n : 3 * self.n] += aside
        self.y[self.layout.wheel_angle + 1] += turn
        self.evaluate()

    def pressed(self, surface: int = 1) -> tuple[np.ndarray, np.ndarray]:
        """Slots of the rollers that are pressed on the teeth of wheel 1, or on another surface, and these rollers."""
        planar, found = self.p.planar, []
        for s in range(int(planar.used.segments[0])):
            if planar.segment.surface[s] == surface:
                first, slot = planar.segment.first[s], planar.segment.slot[s]
                found += [(slot + i - first, i) for i in range(first, planar.segment.end[s])]
        slots, rollers = np.array(found).T
        pressed = planar.contact.force[slots] > 1.0
        return slots[pressed], rollers[pressed]

    def friction(self) -> tuple[np.ndarray, np.ndarray]:
        """Friction on these rollers, along the teeth and along the axis of the wheel. [N]"""
        k, _ = self.pressed()
        return self.p.planar.contact.friction[k], self.p.slot.axial[k]

    def limit(self) -> np.ndarray:
        return 0.1 * self.p.planar.contact.force[self.pressed()[0]]


@pytest.fixture
def seated() -> Seated:
    return Seated()


def test_a_roller_is_held_along_the_axis_by_a_spring_up_to_the_limit(seated):
    stiffness, least = seated.p.planar.surface.tangential[1], seated.limit().min()
    along = seated.friction()[0]
    small = 0.3 * least / stiffness
    seated.move(aside=small)
    np.testing.assert_allclose(seated.friction()[1], -0.3 * least, rtol=1e-6)
    np.testing.assert_allclose(seated.friction()[0], along, atol=1e-6 * least)
    seated.move(aside=1e3 * small)
    np.testing.assert_allclose(np.hypot(*seated.friction()), seated.limit(), rtol=1e-6)


def test_one_limit_holds_for_both_directions_together(seated):
    # the wheel turns by a, so that its teeth move along themselves by a r.n, and the links move aside as far: the force
    # points straight back, and its size is that of the limit
    planar = seated.p.planar
    far = 20.0 * seated.limit().max() / planar.surface.tangential[1]
    turn = far / pitch_radius(PITCH, 12)
    seated.move(aside=far, turn=turn)
    k, rollers = seated.pressed()
    rows = seated.p.link.reshape(-1, S.LINK_ROWS, S.STRIDE)[:, :, 1 : 1 + S.LANES].transpose(0, 2, 1)
    bush = int(S.BX) // S.STRIDE
    place = rows[rollers // S.LANES, rollers % S.LANES, bush : bush + 2] - seated.p.axes[1, 9:11]
    along = place[:, 0] * planar.contact.normal_x[k] + place[:, 1] * planar.contact.normal_y[k]
    found, axial = seated.friction()
    np.testing.assert_allclose(np.hypot(found, axial), seated.limit(), rtol=1e-6)
    np.testing.assert_allclose(found / axial, -turn * along / far, rtol=0.02)


def test_a_link_on_a_guide_is_held_against_rolling():
    # its plates touch at the arm b below the joint, and move aside by b times the roll
    on_rail = Seated(guides=[rail(1, contact={"friction": 0.2})])
    planar, n, y = on_rail.p.planar, on_rail.n, on_rail.y
    pressed, _ = on_rail.pressed(2)
    assert len(pressed) > 1
    limit = 0.2 * planar.contact.force[pressed]
    stiffness, arm = planar.surface.tangential[2], planar.surface.arm[2]
    along = planar.contact.friction[pressed].copy()
    roll = 0.1 * limit.min() / (stiffness * arm)
    w, a, b, d = (y[k * n : (k + 1) * n].copy() for k in range(3, 7))
    half = 0.5 * roll
    y[3 * n : 7 * n] = np.concatenate([w - half * a, a + half * w, b + half * d, d - half * b])
    on_rail.evaluate()
    np.testing.assert_allclose(np.abs(on_rail.p.slot.axial[pressed]), stiffness * arm * roll, rtol=5e-3)
    np.testing.assert_allclose(planar.contact.friction[pressed], along, atol=0.02 * limit.min())


def test_only_an_accepted_state_moves_the_anchors(seated):
    stiffness, least = seated.p.planar.surface.tangential[1], seated.limit().min()
    far = 50.0 * seated.limit().max() / stiffness
    before = seated.friction()
    seated.move(aside=far)
    seated.move(aside=-far)
    np.testing.assert_allclose(seated.friction(), before, atol=1e-6 * least)  # a trial stage leaves nothing behind
    seated.move(aside=far)
    seated.accept()
    np.testing.assert_allclose(seated.friction()[1], -seated.limit(), rtol=2e-2)
    seated.move(aside=-0.5 * least / stiffness)
    np.testing.assert_allclose(seated.friction()[1], -seated.limit() + 0.5 * least, rtol=2e-2)
    seated.move(aside=-far)
    np.testing.assert_allclose(seated.friction()[1], seated.limit(), rtol=2e-2)  # the other way


def test_a_joint_holds_up_to_its_limit_and_turns_on_with_it(seated):
    # every link turns by half a small angle against its neighbours, to either side in turn
    p, n = seated.p, seated.n
    moment = p.link[:, int(S.PIN_MOMENT) + 1 : int(S.PIN_MOMENT) + 1 + S.LANES]
    grip = p.link[:, int(S.PIN_GRIP) + 1 : int(S.PIN_GRIP) + 1 + S.LANES]

    def of_joints(rows: np.ndarray) -> np.ndarray:
        return rows.reshape(-1)[:n].copy()

    def turn(angle: float) -> None:
        each = 0.25 * angle * (-1.0) ** np.arange(n)
        w, z = seated.y[3 * n : 4 * n].copy(), seated.y[6 * n : 7 * n].copy()
        seated.y[3 * n : 4 * n], seated.y[6 * n : 7 * n] = w - each * z, z + each * w
        seated.evaluate()

    limit = p.joint_friction_radius * of_joints(grip)
    tight = limit > 0.5 * limit.max()
    small = 0.2 * limit[tight].min() / p.joint_friction_stiffness
    before = of_joints(moment)
    turn(small)
    found = of_joints(moment) - before
    np.testing.assert_allclose(np.abs(found[tight]), p.joint_friction_stiffness * small, rtol=1e-3)
    turn(500.0 * small)
    np.testing.assert_allclose(np.abs(of_joints(moment)), p.joint_friction_radius * of_joints(grip), rtol=1e-9)
    seated.accept()
    held = of_joints(moment)
    turn(-small)
    found = of_joints(moment) - held
    assert np.all(found * held <= 0.0)  # it gives way elastically


MU_R = 0.1 * 0.5 * 0.00445


def parked(share: float, until: float, law: str = "elastic") -> Drive:
    """Two equal wheels that turn freely in a taut chain, and a torque on one of them, as a share of the holding torque.

    As many teeth and an even span: no polygon turns them. The joints that come onto a wheel and leave it turn by dx/R
    each, and hold together 4 mu r T/R R.
    """
    made = wheels_in_space(
        span=11.03,
        first={"motion": None},
        second={"torque": 1e-6, "bearing_damping": 0.1},
        gravity=(0.0, 0.0),
        options={"friction_law": law},
        contact={"friction": 0.1},
        link_damping=20.0,
    )
    rest = settle(compile_system(made, made.run.formulation, False))
    tension = rest.channel("span_tension").read(rest.row(0.0, rest.state)).mean()
    return override(made, {"wheels.1.torque": share * 4.0 * MU_R * float(tension), "run.until": until})


@pytest.mark.parametrize(("share", "until"), [(0.6, 0.2), (1.6, 0.1), pytest.param(0.6, 10.0, marks=LONG)])
def test_a_parked_drive_stays_below_the_friction_of_its_joints(share, until):
    solution = ran(parked(share, until), save=EVERYTHING)
    turned = np.abs(solution.values("wheel_angle") - solution.values("wheel_angle")[0]).max(axis=1)
    if share < 1.0:
        quarter = len(turned) // 4
        assert turned.max() < 5e-3
        assert np.ptp(turned[-quarter:]) < (1e-7 if until > 1.0 else 1e-4)
        assert turned[-quarter:].mean() == pytest.approx(turned[-2 * quarter : -quarter].mean(), abs=2e-5)
    else:
        assert turned[-1] > 0.02
    assert solution.audit.relative_residual < 1e-5


# ---- memory


def test_a_run_that_was_cut_goes_on_bit_for_bit(tmp_path, monkeypatch):
    given = wheels_in_space(
        offset=0.002,
        tilt=(0.004, -0.008),
        second={"load_torque": 2.0},
        guides=[rail(1, contact={"friction": 0.2})],  # on the tight span
        options={"friction_law": "elastic"},
    )
    until, save = 0.003, SaveOptions(rate=20_000.0, channels="all", precision="double", chunk_rows=7)
    whole = ran(given, until=until, save=save)
    monkeypatch.setattr("chaindrive.simulation.simulate.BUDGET", 97 * 110)  # cut at odd places
    path = tmp_path / "run.nc"
    cut = cd.simulate(given, until, save=save, output=path, progress=Stop(0.4 * until))
    assert cut.status == Status.INTERRUPTED
    cut.close()
    saved = np.load(checkpoint.name_for(path))
    held, n = saved["solvememory_anchored.held"], given.chain.links
    assert held[: 2 * n].sum() > 5  # on teeth
    assert held[2 * n : 3 * n].sum() > 1  # on the rail
    assert held[3 * n :].sum() > 1  # sides of teeth
    assert np.ptp(saved["solvememory_hinge.sin"]) > 0.1
    again = ran(given, until=until, save=save, output=path, resume=True)
    for name in whole.channels:
        np.testing.assert_array_equal(again.values(name), whole.values(name), err_msg=name)
