"""Wheels on bodies that move, in space: the planar formulation, virtual work, balances, a cage, wheels that slide."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

import numpy as np
import pytest
from numba.core import config

import chaindrive as cd
from chaindrive.contract.status import Status
from chaindrive.contract.system import System
from chaindrive.errors import InputError
from chaindrive.formulations import compile_system
from chaindrive.formulations.spatial import parameters as S
from chaindrive.model import Drive, override
from chaindrive.simulation.start import settle
from chaindrive.solvers import Integrator, SolverSettings
from support.caged_drives import PITCH, cage_angle, caged, route_length
from support.small_drives import wheels_in_space
from support.spatial_chains import AS_IN_SPACE, state_in_space

pytestmark = pytest.mark.skipif(bool(config.DISABLE_JIT), reason="minutes in plain Python")

LOADED = {"load_torque": 6.0, "bearing_friction": 0.02}
LINKS = 62
SPRING = {"stiffness": 0.4, "neutral": -1.2, "load": 0.0, "friction": 0.05}
"""A joint with a spring (0.5 N m as drawn) and a clutch."""
OVAL = {"pitch_line": {"form": "ellipse", "ovality": 1.1, "angle": 0.7}}
SMOOTH = {"friction_sharpness": 0.1}
YIELDING = {"lateral_stiffness": 2e4, "lateral_damping": 1.0}


def compiled(drive: Drive) -> System:
    return compile_system(drive, drive.run.formulation, True)


def moving(system: System) -> np.ndarray:
    y = system.state.copy()
    y[system.positions : system.positions + system.velocities] = system.motion.rolling
    return y


def after(system: System, state: np.ndarray, until: float, step: float) -> np.ndarray:
    run = Integrator(dataclasses.replace(system, state=state), SolverSettings(method="splitting", step=step), 1.0)
    while (status := run.advance(until)) == Status.RUNNING:
        pass
    assert status == Status.REACHED_END
    return run.state


def read(system: System, state: np.ndarray, name: str) -> np.ndarray:
    return system.channel(name).read(system.row(0.0, state))


@pytest.mark.parametrize("line", [{}, OVAL], ids=["round", "oval"])
def test_in_a_plane_it_is_the_formulation_with_rigid_links(line: Mapping) -> None:
    """Accelerations of links, wheels and cage at a moving, stretched state: those of ``link`` with ideal joints."""
    losses = {"link_damping": 0.0, "joint_damping": 1e-4}
    given = {"cog": LOADED | line, "gravity": (0.0, -9.81), "joint": SPRING, **losses}
    space = compiled(caged(**given, options={"friction_law": "smoothed"}))
    plane = compiled(caged(**given, kind="link", options=AS_IN_SPACE))
    n, border = space.parameters.links, 5
    space.parameters.owner[:] = np.column_stack([np.arange(n), np.ones(n, dtype=int)])
    rng = np.random.default_rng(5)
    y = np.concatenate([plane.state[: 3 * n + border], plane.motion.rolling, plane.state[2 * (3 * n + border) :]])
    y[: 2 * n] += 1e-4 * rng.normal(size=2 * n)
    y[2 * n : 3 * n] += 1e-3 * rng.normal(size=n)
    y[3 * n + border - 1] += 0.003
    y[3 * n + border : 6 * n + 2 * border] += rng.normal(size=3 * n + border)
    z = state_in_space(y, n, border, space.state.size)
    for system, state in ((plane, y), (space, z)):
        system.kernels.begin(0.0, state, system.parameters)
    flat, rates = np.full_like(y, np.nan), np.full_like(z, np.nan)
    plane.kernels.rhs(0.0, y, flat, plane.parameters)
    space.kernels.rhs(0.0, z, rates, space.parameters)
    assert (read(plane, y, "contact_force") > 10.0).sum() > 5
    v, at = 3 * n + border, 7 * n + border
    largest = np.abs(flat[v : v + 3 * n]).max()
    np.testing.assert_allclose(rates[at : at + 2 * n], flat[v : v + 2 * n], atol=1e-8 * largest)
    np.testing.assert_allclose(rates[at + 5 * n : at + 6 * n], flat[v + 2 * n : v + 3 * n], atol=1e-8 * largest)
    np.testing.assert_allclose(rates[at + 6 * n : at + 6 * n + border], flat[v + 3 * n : v + 3 * n + border], rtol=1e-6)
    assert not rates[at + 2 * n : at + 5 * n].any()
    for name in ("joint_force", "joint_moment", "bearing_force", "energy_kinetic", "power_bearing", "power_friction"):
        np.testing.assert_allclose(read(space, z, name), read(plane, y, name), rtol=1e-6, atol=1e-7, err_msg=name)


SUPPORTS = {
    "tilted pulleys on a cage": {"offset": 0.003, "tilt": (0.03, -0.02)},
    "on a cage, with an oval cog": {"offset": 0.003, "tilt": (0.03, -0.02), "cog": OVAL},
    "on a spring along the axis": {"offset": 0.003, "cog": {"mass": 0.1, **YIELDING}, "pulleys": YIELDING},
    "on an elastic shaft": {
        "offset": 0.001,
        "cog": {"mass": 0.1, "tilt": (0.01, 0.02), "shaft": {"length": 0.1, "bending_stiffness": 30.0}},
    },
}


@pytest.mark.parametrize("support", SUPPORTS.values(), ids=SUPPORTS)
def test_forces_are_minus_the_slope_of_the_energy(support: Mapping) -> None:
    """Without friction, by differences of stored energy, for every wheel that turns and every joint; gravity, too."""
    contact = {"friction": 0.0, "restitution": 1.0}
    drive = caged(**support, contact=contact, joint=SPRING, gravity=(1.0, -9.81), options={"side_damping": 0.0})
    system = compiled(drive)
    y, n = system.state.copy(), system.parameters.links
    layout = system.parameters.planar.layout
    rng = np.random.default_rng(8)
    y[: 3 * n] += 1e-4 * rng.normal(size=3 * n)
    y[layout.joint_position : layout.positions] += 1e-3 * rng.uniform(
        -1.0, 1.0, layout.positions - layout.joint_position
    )
    system.kernels.begin(0.0, y, system.parameters)
    assert np.abs(read(system, y, "tilting_moment")).max() > 0.01
    force = np.zeros(system.velocities)
    system.kernels.forces(0.0, y, system.parameters, force)

    def stored(state: np.ndarray) -> float:
        return float(read(system, state, "energy_elastic") + read(system, state, "energy_gravity"))

    scale = np.abs(force[6 * n :]).max()
    for k in range(layout.wheel_angle + 1, layout.positions):
        by = np.zeros_like(y)
        by[k] = 1e-7
        slope = (stored(y + by) - stored(y - by)) / 2e-7
        assert force[k - n] == pytest.approx(-slope, rel=1e-5, abs=1e-5 * scale), system.story.name_of(k - n)


@pytest.mark.parametrize("support", SUPPORTS.values(), ids=SUPPORTS)
def test_a_wheel_that_rides_askew_turns_as_its_frame_does(support: Mapping) -> None:
    """Its angular velocity apart from its own rotation, by differences of its axes while joints move: W = sum of e x
    e'/2.
    """
    system = compiled(caged(**support, joint=SPRING))
    p, layout = system.parameters, system.parameters.planar.layout
    y, rates = moving(system), np.zeros(layout.size)
    joints = layout.positions - layout.joint_position
    speed = np.random.default_rng(3).uniform(5.0, 10.0, joints)
    y[layout.joint_speed : layout.joint_speed + joints] = speed

    def frames(after: float) -> np.ndarray:
        state = y.copy()
        state[layout.joint_position : layout.positions] += after * speed
        system.kernels.rhs(0.0, state, rates, p)
        return p.axes[:, : S.CENTRE].reshape(-1, 3, 3).copy()

    moved = (frames(1e-6) - frames(-1e-6)) / 2e-6
    axes = frames(0.0)
    turning = 0.5 * np.cross(axes, moved).sum(axis=1)
    own = np.einsum("wka,wa->wk", axes, turning)
    np.testing.assert_allclose(p.axes[:, S.TURNING : S.TURNING + 3], own, atol=1e-7)
    assert "tilt" not in support or np.abs(own).max() > 0.1


def test_a_cage_holds_the_slack_span_with_its_moment() -> None:
    """At rest, without friction: the moment of its spring is the tension times the slope of the length of the route.

    Of arcs about the pitch circles, where the chain makes chords: 0.5 %.
    """
    found = []
    for offset in (0.0, 0.004):
        drive = caged(LINKS, offset=offset, cog=LOADED, contact={"friction": 0.0}, joint={"load": -0.6})
        system = settle(compiled(drive))
        assert system.story.notes["static_converged"]
        turned = float(read(system, system.state, "joint_position")[0])
        angle = cage_angle(LINKS) + turned
        lever = PITCH * (route_length(angle + 1e-4) - route_length(angle - 1e-4)) / 2e-4
        found.append(read(system, system.state, "span_tension"))
        assert found[-1][0] == pytest.approx(0.6 / abs(lever), rel=5e-3)
    assert found[1] == pytest.approx(found[0], rel=2e-2)
    assert found[0][3] == pytest.approx(6.0 / (0.5 * PITCH / np.sin(np.pi / 12)) + found[0][2], rel=0.02)


@pytest.mark.long
def test_power_balance_with_a_cage_that_moves() -> None:
    """Pedals shake the cage; its damper and its clutch, tilted pulleys and sliding wheels dissipate energy; to second
    order.
    """
    pedals = {"kind": "pedals", "mean": -12.0, "ripple": 0.8}
    ring = {"motion": None, "initial_speed": -8.0, "torque": pedals, "inertia": 2e-3}
    cog = {"mass": 0.1, "load_viscous": 0.5, **YIELDING}
    drive = caged(offset=0.003, tilt=(0.004, 0.01), ring=ring, cog=cog, joint=SPRING, options=SMOOTH)
    system = settle(compiled(drive))
    missing = []
    for step in (1e-6, 5e-7):
        end = after(system, moving(system), 0.06, step)
        missing.append(abs(float(read(system, end, "energy_residual"))))
    assert abs(float(read(system, end, "joint_position")[0])) > 1e-3
    assert abs(float(read(system, end, "wheel_offset")[3] - 0.003)) > 1e-6
    assert float(read(system, end, "work_bearing")) > 1e-4
    assert missing[1] < 1e-6 * float(read(system, end, "work_input"))
    assert missing[1] < 0.5 * missing[0]


def test_a_mirror_changes_nothing_but_the_side() -> None:
    yielding = {"mass": 0.1, **LOADED, **YIELDING}
    one = compiled(caged(offset=0.003, tilt=(0.004, 0.01), cog=yielding, joint=SPRING))
    other = compiled(caged(offset=-0.003, tilt=(-0.004, -0.01), cog=yielding, joint=SPRING))
    n, layout = one.parameters.links, one.parameters.planar.layout
    at = layout.positions
    turned = np.ones(layout.size)
    for part in (slice(2 * n, 3 * n), slice(4 * n, 6 * n), slice(at + 2 * n, at + 5 * n)):
        turned[part] = -1.0
    turned[[layout.joint_position + 1, layout.joint_speed + 1]] = -1.0  # of the cog along its axis
    ends = [after(system, moving(system), 0.005, 1e-6) for system in (one, other)]
    assert abs(ends[0][layout.joint_position]) > 1e-4
    np.testing.assert_allclose(ends[1], turned * ends[0], atol=1e-9 * np.abs(ends[0]).max())


def test_a_wheel_on_a_spring_along_its_axis() -> None:
    """At rest: spring force = thrust of the chain = tension times slope of both spans, at the displaced position."""
    sliding = {"load_torque": 4.0, "mass": 0.2, "lateral_stiffness": 2e4}
    flat = {"joint_friction": 0.0, "sideways": {"bend_play": 0.05}, "contact": {"friction": 0.0}}
    drive = wheels_in_space(offset=0.003, second=sliding, **flat)
    system = settle(compiled(drive))
    assert system.story.notes["static_converged"]
    thrust, offset = (read(system, system.state, name) for name in ("axial_thrust", "wheel_offset"))
    assert offset[0] == 0.0
    assert 0.0 < 0.003 - offset[1] < 0.003
    assert thrust[1] == pytest.approx(-2e4 * (0.003 - offset[1]), rel=1e-3)
    aside, tension = read(system, system.state, "roller_offset"), read(system, system.state, "span_tension")
    slopes = [np.polyfit(np.arange(7), aside[span], 1)[0] / PITCH for span in (np.arange(8, 15), np.arange(25, 32))]
    assert abs(thrust[1]) == pytest.approx(tension @ np.abs(slopes), rel=0.02)


def test_a_run_in_two_parts_is_one_run() -> None:
    cog = {"mass": 0.1, **LOADED, **YIELDING, "freewheel": {"inertia": 0.02, "stiffness": 500.0, "damping": 0.1}}
    drive = caged(offset=0.003, cog=cog, joint=SPRING)
    save, solver = cd.SaveOptions(rate=1000.0, precision="double"), cd.SolverOptions(method="splitting", step=5e-7)
    whole = cd.simulate(drive, until=0.01, solver=solver, save=save)
    part = cd.simulate(drive, until=0.005, solver=solver, save=save)
    rest = cd.simulate(drive, until=0.005, solver=solver, save=save, initial=part)
    for name, tolerance in (("roller_position", 1e-9), ("wheel_offset", 1e-9), ("joint_position", 1e-8)):
        np.testing.assert_allclose(rest.values(name)[-1], whole.values(name)[-1], atol=tolerance, err_msg=name)
    np.testing.assert_allclose(rest.values("freewheel_torque")[-1], whole.values("freewheel_torque")[-1], rtol=1e-5)


@pytest.mark.parametrize(
    ("changes", "place", "words"),
    [
        ({"cog": {"lateral_stiffness": 1e4}}, "wheels[3].mass", "moves along its axis"),
        ({"cog": {"lateral_damping": 1.0}}, "wheels[3].lateral_damping", "applies only with lateral_stiffness"),
        ({"ring": {"freewheel": {"inertia": 1.0, "stiffness": 1.0}}}, "wheels[0].freewheel", "with a motion"),
        ({"pulleys": {"mass": None}}, "wheels[1].mass", "mass"),
    ],
)
def test_what_is_wrong_is_told(changes: dict, place: str, words: str) -> None:
    with pytest.raises(InputError) as caught:
        caged(**changes)
    assert place in {problem.place for problem in caught.value.problems}
    assert words in str(caught.value)


def test_a_plane_model_refuses_a_wheel_that_slides() -> None:
    drive = caged(cog={"mass": 0.1, **YIELDING})
    with pytest.raises(InputError) as caught:
        override(drive, {"run.formulation.kind": "link"})
    assert {problem.place for problem in caught.value.problems} == {"wheels[3].lateral_stiffness"}


@pytest.mark.parametrize(("gear", "until"), [("50x21", 0.006), pytest.param("50x28", 0.3, marks=pytest.mark.long)])
def test_a_chain_far_aside_finds_the_teeth(gear: str, until: float) -> None:
    """The largest chainring on the largest cog, 25 mm aside: every pitch of slope uses the play of all joints.

    By default on a cog that is less far aside, where the search for rest is shorter.
    """
    drive = override(cd.example("bicycle-50x19"), {"bicycle.gear": gear})
    run = cd.simulate(drive, until=until, save=cd.SaveOptions(rate=500.0))
    assert run.status == cd.Status.REACHED_END
    assert not run.warnings
