"""Wheels in space: the planar formulation where everything is in a plane, symmetry, balances, side forces, losses."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from numba.core import config
from scipy.spatial.transform import Rotation

import chaindrive as cd
from chaindrive.analyses.results.losses import losses, wheel_losses
from chaindrive.contract.status import Status
from chaindrive.contract.system import System
from chaindrive.errors import InputError
from chaindrive.formulations import compile_system
from chaindrive.formulations.spatial import parameters as S
from chaindrive.model import LinkOptions, override
from chaindrive.simulation.start import settle
from chaindrive.solvers import Integrator, SolverSettings
from support.small_drives import PITCH, in_space, wheels_in_space
from support.spatial_chains import AS_IN_SPACE

pytestmark = pytest.mark.skipif(bool(config.DISABLE_JIT), reason="minutes in plain Python")

LOADED = {"load_torque": 4.0, "bearing_friction": 0.02}


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


def test_in_a_plane_it_is_the_formulation_with_rigid_links() -> None:
    """Accelerations of links and wheels at a moving, stretched state: equal to those of ``link`` with ideal joints.

    There every roller is carried by the link whose bush it is on; here, too, in this test. No damping in links: its
    force acts there at the pin and here at the bush, which would turn both links differently.
    """
    smoothed = {"friction_law": "smoothed"}
    drive = wheels_in_space(second=LOADED, joint_friction=0.0, link_damping=0.0, options=smoothed)
    space = compile_system(drive, drive.run.formulation, True)
    flat = override(drive, {"run.formulation": {"kind": "link", "joint": "ideal"}})
    plane = compile_system(flat, LinkOptions(**AS_IN_SPACE), True)
    n = drive.chain.links
    space.parameters.owner[:] = np.column_stack([np.arange(n), np.ones(n, dtype=int)])
    rng = np.random.default_rng(3)
    y = np.concatenate([plane.state[: 3 * n + 2], plane.motion.rolling, plane.state[2 * (3 * n + 2) :]])
    y[: 2 * n] += 1e-4 * rng.normal(size=2 * n)
    y[2 * n : 3 * n] += 1e-3 * rng.normal(size=n)
    y[3 * n + 2 : 6 * n + 4] += rng.normal(size=3 * n + 2)
    z = np.zeros_like(space.state)
    z[: 2 * n], z[3 * n : 4 * n], z[6 * n : 7 * n] = (
        y[: 2 * n],
        np.cos(0.5 * y[2 * n : 3 * n]),
        np.sin(0.5 * y[2 * n : 3 * n]),
    )
    z[7 * n : 7 * n + 2] = y[3 * n : 3 * n + 2]
    at, v = 7 * n + 2, 3 * n + 2
    z[at : at + 2 * n], z[at + 5 * n : at + 6 * n] = y[v : v + 2 * n], y[v + 2 * n : v + 3 * n]
    z[at + 6 * n : at + 6 * n + 2] = y[v + 3 * n : v + 3 * n + 2]
    for system, state in ((plane, y), (space, z)):
        system.kernels.begin(0.0, state, system.parameters)
    flat_rates, rates = np.full_like(y, np.nan), np.full_like(z, np.nan)
    plane.kernels.rhs(0.0, y, flat_rates, plane.parameters)
    space.kernels.rhs(0.0, z, rates, space.parameters)
    largest = np.abs(flat_rates[v : v + 3 * n]).max()
    assert read(plane, y, "contact_force").max() > 10.0
    np.testing.assert_allclose(rates[at : at + 2 * n], flat_rates[v : v + 2 * n], atol=1e-8 * largest)
    np.testing.assert_allclose(rates[at + 5 * n : at + 6 * n], flat_rates[v + 2 * n : v + 3 * n], atol=1e-8 * largest)
    np.testing.assert_allclose(
        rates[at + 6 * n : at + 6 * n + 2], flat_rates[v + 3 * n : v + 3 * n + 2], rtol=1e-7, atol=1e-6
    )
    assert not rates[at + 2 * n : at + 5 * n].any()  # nothing leaves the plane
    for name in ("power_contact", "power_friction", "power_output", "power_link_damping"):
        assert read(space, z, name) == pytest.approx(float(read(plane, y, name)), rel=1e-6, abs=1e-9), name


def mirrored(state: np.ndarray, n: int, wheels: int) -> np.ndarray:
    """A state seen in a mirror that lies in the plane of the drawing."""
    other = state.copy()
    at = 7 * n + wheels
    for part in (slice(2 * n, 3 * n), slice(4 * n, 6 * n), slice(at + 2 * n, at + 5 * n)):
        other[part] *= -1.0  # z; x and y of the quaternion; its velocity; angular velocity about x and y
    return other


def test_roll_is_that_of_the_orientation_and_changes_from_link_to_link_by_the_twist() -> None:
    """On a straight stretch, where links turn about their length only, the twist of a joint is the change of roll."""
    drive = wheels_in_space(second=LOADED)
    system = compile_system(drive, drive.run.formulation, True)
    n = drive.chain.links
    state = moving(system)
    rng = np.random.default_rng(11)
    state[3 * n : 7 * n] += 0.05 * rng.normal(size=4 * n)
    whole = Rotation.from_quat(np.roll(read(system, state, "link_orientation"), -1, axis=1))
    np.testing.assert_allclose(read(system, state, "link_roll"), whole.as_euler("ZYX")[:, 2], atol=1e-12)
    roll = 0.01 * rng.normal(size=n)
    turned = Rotation.from_rotvec(np.outer(roll, [1.0, 0.0, 0.0])).as_quat()
    state[3 * n : 7 * n] = np.roll(turned, 1, axis=1).T.ravel()
    np.testing.assert_allclose(read(system, state, "link_roll"), roll, atol=1e-12)
    twist = read(system, state, "bushing_angle")[:, 0]
    # bushing angles are twice the vector part midway between the links: 2 sin(a/2), a - a^3/24
    np.testing.assert_allclose(twist, roll - np.roll(roll, 1), atol=0.06**3 / 24)


def test_a_mirror_changes_nothing_but_the_side() -> None:
    one = in_space(offset=4e-4, tilt=(0.003, -0.006), second=LOADED)
    other = in_space(offset=-4e-4, tilt=(-0.003, 0.006), second=LOADED)
    n = one.parameters.links
    np.testing.assert_allclose(other.state, mirrored(one.state, n, 2), atol=1e-15)
    ends = [after(system, moving(system), 0.005, 1e-6) for system in (one, other)]
    assert np.abs(ends[0][2 * n : 3 * n]).max() > 1e-4
    np.testing.assert_allclose(ends[1], mirrored(ends[0], n, 2), atol=1e-9 * np.abs(ends[0]).max())


def test_the_whole_turned_and_carried_away_runs_alike() -> None:
    """Wheels, links and velocities rotated about the line of centres and translated: everything else is as before.

    From rest under load: contacts that only just touch would have met or not by the last bit. Without friction on
    teeth: searches for candidates occur at other instants, after which forces are evaluated again, equal to second
    order.
    """
    contact = {"friction": 0.0, "restitution": 0.5}
    drive = wheels_in_space(second=LOADED, gravity=(0.0, 0.0), contact=contact)
    system = settle(compile_system(drive, drive.run.formulation, False))
    n, p = system.parameters.links, system.parameters
    turn, aside = Rotation.from_rotvec([0.02, 0.0, 0.0]), np.array([0.0, 0.0, 0.01])
    start, at = moving(system), 7 * n + 2
    ends = [after(system, start, 0.004, 1e-6)]
    there = start.copy()
    there[: 3 * n] = (turn.apply(start[: 3 * n].reshape(3, n).T) + aside).T.ravel()
    attitude = turn * Rotation.from_quat(np.roll(start[3 * n : 7 * n].reshape(4, n).T, -1, axis=1))
    there[3 * n : 7 * n] = np.roll(attitude.as_quat(), 1, axis=1).T.ravel()
    there[at : at + 3 * n] = turn.apply(start[at : at + 3 * n].reshape(3, n).T).T.ravel()
    before = read(system, ends[0], "link_tension"), read(system, ends[0], "wheel_speed")
    for w in range(2):
        p.axes[w, : S.CENTRE] = turn.apply(np.eye(3)).ravel()
        p.axes[w, S.CENTRE : S.MOVING] = turn.apply(p.axes[w, S.CENTRE : S.MOVING]) + aside
    ends.append(after(system, there, 0.004, 1e-6))
    system.kernels.begin(0.0, ends[1], p)
    np.testing.assert_allclose(read(system, ends[1], "link_tension"), before[0], atol=2e-5 * np.abs(before[0]).max())
    np.testing.assert_allclose(read(system, ends[1], "wheel_speed"), before[1], rtol=1e-7)


def test_power_balance_of_wheels_aside_and_askew() -> None:
    """Input = output + losses + stored power, to second order in the step; plates slide on the sides of teeth."""
    system = in_space(offset=2e-3, tilt=(0.004, -0.008), second=LOADED)
    missing = []
    for step in (1e-6, 5e-7):
        end = after(system, moving(system), 0.04, step)
        missing.append(abs(float(read(system, end, "energy_residual"))))
    assert float(read(system, end, "work_side_plates")) > 1e-5
    assert missing[1] < 3e-4 * float(read(system, end, "work_input"))
    assert missing[1] < 0.7 * missing[0]


def test_side_force_of_an_offset_drive_is_tension_times_slope() -> None:
    """At rest, within the play of the joints: the sum of T dz/ds of both spans on either wheel, opposite on both."""
    drive = wheels_in_space(offset=0.002, second=LOADED, joint_friction=0.0, sideways={"bend_play": 0.05})
    system = settle(compile_system(drive, drive.run.formulation, False))
    assert system.story.notes["static_converged"]
    thrust, tension = read(system, system.state, "axial_thrust"), read(system, system.state, "span_tension")
    aside, free = read(system, system.state, "roller_offset"), read(system, system.state, "contact_surface") < 0.0
    slopes = []
    for span in (np.arange(8, 15), np.arange(25, 32)):  # lower, slack, to the wheel aside; upper, tight, back from it
        assert free[span].all()
        slopes.append(np.polyfit(np.arange(7), aside[span], 1)[0] / PITCH)
    assert slopes[0] > 0.0 > slopes[1]
    assert thrust.sum() == pytest.approx(0.0, abs=0.01 * abs(thrust[0]))
    assert abs(thrust[0]) == pytest.approx(tension @ np.abs(slopes), rel=0.02)


def test_losses_in_joints_are_those_of_the_links_that_turn() -> None:
    """mu r T 2 pi/z for every link that comes onto a wheel and for every one that leaves it.

    A pin carries the tension of its outer link. If that link is already on the wheel its tension is less than that of
    the span by the load of the tooth between: of half of all joints, so that the sum is an upper bound, reached within
    20 %.
    """
    drive = wheels_in_space(second=LOADED, joint_damping=0.0, contact={"friction": 0.0, "restitution": 0.5})
    solution = cd.simulate(drive, until=0.3, save=cd.SaveOptions(rate=2000.0))
    window = solution["time"].values > 0.15
    tension = solution["span_tension"].values[window].mean(axis=0).sum()
    rate = 12 * 10.0 / (2.0 * np.pi)  # teeth a second
    most = 2.0 * 0.1 * 0.5 * 0.00445 * tension * 2.0 * np.pi / 12 * rate
    found = solution["power_articulation"].values[window].mean()
    assert 0.8 * most < found < most


def test_losses_at_the_wheels_are_those_of_the_whole_drive_but_for_what_the_spans_take() -> None:
    """A bearing of constant friction loses M w; contacts of teeth and plates, and rotation of joints, occur only at
    wheels.
    """
    second = LOADED | {"bearing_friction": 0.05}
    drive = wheels_in_space(offset=0.002, second=second, contact={"friction": 0.1, "restitution": 0.5})
    solution = cd.simulate(drive, until=0.3, save=cd.SaveOptions(rate=2000.0, precision="double"))
    lost, audit = solution.values("wheel_losses")[-1], solution.audit
    joints, teeth, sides, bearings = lost.sum(axis=0)
    assert teeth == pytest.approx(audit.losses["contact"] + audit.losses["friction"], rel=1e-12)
    assert sides == pytest.approx(audit.losses["side_plates"], rel=1e-12)
    assert bearings == pytest.approx(audit.losses["bearing"], rel=1e-12)
    turned = np.abs(np.diff(solution.values("wheel_angle")[:, 1])).sum()
    assert lost[1, 3] == pytest.approx(0.05 * turned, rel=0.02)
    assert 0.9 * audit.losses["articulation"] < joints < audit.losses["articulation"]
    found = wheel_losses(solution)
    assert found is not None
    assert found.wheels == ("driver", "driven")
    total = losses(solution)
    assert found.power.sum() + found.elsewhere == pytest.approx(total.total, rel=1e-12)
    assert total.power[total.keys.index("side_plates")] > 0.0


@pytest.mark.parametrize(
    ("changes", "place"),
    [
        ({"links": 35}, "chain.links"),
        ({"sideways": {"pin_play": 0.005}}, "chain.sideways.pin_play"),
        ({"second": {"tooth_width": 0.009}}, "wheels[1].tooth_width"),
        ({"tilt": (0.2, 0.0)}, "wheels[1].tilt"),
        ({"strands": 2}, "chain.strands"),
    ],
)
def test_what_cannot_be_in_space_is_refused(changes: dict, place: str) -> None:
    with pytest.raises(InputError) as caught:
        wheels_in_space(**changes)
    assert place in {problem.place for problem in caught.value.problems}


def test_a_plane_model_refuses_wheels_aside() -> None:
    drive = wheels_in_space(offset=1e-3)
    with pytest.raises(InputError) as caught:
        override(drive, {"run.formulation.kind": "roller"})
    assert {problem.place for problem in caught.value.problems} == {"wheels[1].offset"}


def test_teeth_are_as_wide_as_the_standard_has_them() -> None:
    """ISO 606: 0.93 of the inner width up to 12.7 mm pitch, narrower by 0.13 pitch on either side at the tip."""
    system = in_space()
    tooth = system.parameters.tooth
    half, full, slope = tooth.half[0], tooth.full[0], tooth.slope[0]
    assert half == pytest.approx(0.5 * 0.93 * 0.625 * PITCH)
    assert full == pytest.approx(PITCH / (2.0 * np.sin(np.pi / 12)))
    assert slope > 0.0
    assert system.parameters.axes[0, S.E3 : S.E3 + 3].tolist() == [0.0, 0.0, 1.0]


def test_a_run_in_two_parts_is_one_run() -> None:
    drive = wheels_in_space(offset=6e-4, second=LOADED)
    save, solver = cd.SaveOptions(rate=1000.0, precision="double"), cd.SolverOptions(method="splitting", step=5e-7)
    whole = cd.simulate(drive, until=0.01, solver=solver, save=save)
    part = cd.simulate(drive, until=0.005, solver=solver, save=save)
    rest = cd.simulate(drive, until=0.005, solver=solver, save=save, initial=part)
    for name, tolerance in (("roller_position", 1e-9), ("roller_offset", 1e-9), ("axial_thrust", 1e-3)):
        np.testing.assert_allclose(rest.values(name)[-1], whole.values(name)[-1], atol=tolerance)


def test_the_example_runs_and_balances() -> None:
    """Within a thousandth of its losses; more closely with a given step, about 0.7 of the default.

    The balance is that of 10 ms: it is within 4.4e-4 to 6.8e-4 of the losses with loads of 36 to 44 N m. After 5 ms,
    in the middle of an engagement, it varies with the load from 7e-4 to 1.4e-3.
    """
    drive = cd.example("misaligned-08b")
    solution = cd.simulate(drive, until=0.01)
    assert solution.status is Status.REACHED_END
    assert solution.audit.largest_residual < 1e-3 * sum(solution.audit.losses.values())
    thrust = solution.values("axial_thrust")[-1]
    assert thrust[0] * thrust[1] < 0.0  # the chain pulls its wheels into line
    closer = cd.simulate(override(drive, {"run.solver": {"method": "splitting", "step": 2.5e-6}}), until=0.005)
    assert closer.audit.relative_residual < 1e-5
