"""Wheels in space: the planar formulation where all is in a plane, symmetry, balances, side forces, losses."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from numba.core import config

import chaindrive as cd
from chaindrive.errors import InputError
from chaindrive.formulations import compile_system
from chaindrive.formulations.spatial import parameters as S
from chaindrive.model import LinkOptions, override
from chaindrive.solvers import Integrator, SolverSettings
from chaindrive.start import prepare
from chaindrive.system import Status, System
from support.small_drives import PITCH, in_space, wheels_in_space

pytestmark = pytest.mark.skipif(bool(config.DISABLE_JIT), reason="minutes in plain Python")

LOADED = {"load_torque": 4.0, "bearing_friction": 0.02}


def moving(system: System) -> np.ndarray:
    y = system.state.copy()
    y[system.positions : system.positions + system.velocities] = system.rolling
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

    There every roller is carried by the link whose bush it is on; here it is for once, too.
    """
    drive = wheels_in_space(second=LOADED, joint_friction=0.0)
    space = compile_system(drive, drive.run.formulation, True)
    flat = override(drive, {"run.formulation": {"kind": "link", "joint": "ideal"}})
    plane = compile_system(flat, LinkOptions(joint="ideal"), True)
    n = drive.chain.links
    space.parameters.owner[:] = np.column_stack([np.arange(n), np.ones(n, dtype=int)])
    rng = np.random.default_rng(3)
    y = np.concatenate([plane.state[: 3 * n + 2], plane.rolling, plane.state[2 * (3 * n + 2) :]])
    y[: 2 * n] += 2e-5 * rng.normal(size=2 * n)
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
    np.testing.assert_allclose(rates[at : at + 2 * n], flat_rates[v : v + 2 * n], atol=1e-10 * largest)
    np.testing.assert_allclose(rates[at + 5 * n : at + 6 * n], flat_rates[v + 2 * n : v + 3 * n], atol=1e-10 * largest)
    np.testing.assert_allclose(
        rates[at + 6 * n : at + 6 * n + 2], flat_rates[v + 3 * n : v + 3 * n + 2], rtol=1e-10, atol=1e-9
    )
    assert not rates[at + 2 * n : at + 5 * n].any()  # nothing leaves the plane
    for name in ("power_contact", "power_friction", "power_output", "power_link_damping"):
        assert read(space, z, name) == pytest.approx(float(read(plane, y, name)), rel=1e-9, abs=1e-12), name


def mirrored(state: np.ndarray, n: int, wheels: int) -> np.ndarray:
    """A state seen in a mirror that lies in the plane of the drawing."""
    other = state.copy()
    at = 7 * n + wheels
    for part in (slice(2 * n, 3 * n), slice(4 * n, 6 * n), slice(at + 2 * n, at + 5 * n)):
        other[part] *= -1.0  # z; x and y of the quaternion; its velocity; angular velocity about x and y
    return other


def test_a_mirror_changes_nothing_but_the_side() -> None:
    one = in_space(offset=4e-4, tilt=(0.003, -0.006), second=LOADED)
    other = in_space(offset=-4e-4, tilt=(-0.003, 0.006), second=LOADED)
    n = one.parameters.links
    np.testing.assert_allclose(other.state, mirrored(one.state, n, 2), atol=1e-15)
    ends = [after(system, moving(system), 0.005, 1e-6) for system in (one, other)]
    assert np.abs(ends[0][2 * n : 3 * n]).max() > 1e-4
    np.testing.assert_allclose(ends[1], mirrored(ends[0], n, 2), atol=1e-9 * np.abs(ends[0]).max())


def test_the_whole_turned_and_carried_away_runs_alike() -> None:
    """Both wheels askew by the same angle and aside alike: nothing is out of line, all is as if in a plane."""
    aligned = in_space(second=LOADED, gravity=(0.0, 0.0))
    tilt = (0.02, 0.0)
    askew = in_space(tilt=tilt, second=LOADED, first={"tilt": tilt, "offset": 0.01}, offset=0.01, gravity=(0.0, 0.0))
    start, steps = 0.004, 1e-6
    ends = [after(system, moving(system), start, steps) for system in (aligned, askew)]
    for name in ("link_tension", "contact_force", "wheel_speed"):
        found = [read(system, end, name) for system, end in zip((aligned, askew), ends, strict=True)]
        np.testing.assert_allclose(found[1], found[0], rtol=2e-3, atol=2e-3 * np.abs(found[0]).max())


def test_power_balance_of_wheels_aside_and_askew() -> None:
    """Input = output + losses + what is stored, to second order in the step; plates rub on the sides of teeth."""
    system = in_space(offset=6e-4, tilt=(0.004, -0.008), second=LOADED)
    missing = []
    for step in (1e-6, 5e-7):
        end = after(system, moving(system), 0.02, step)
        missing.append(abs(float(read(system, end, "energy_residual"))))
    lost = float(read(system, end, "work_side_plates"))
    assert lost > 0.0
    assert missing[1] < 1e-2 * lost
    assert missing[1] < 0.7 * missing[0]


def test_side_force_of_an_offset_drive_is_tension_times_slope() -> None:
    """At rest, within the play of the joints: F = T delta/L of both spans on either wheel, opposite on both.

    delta is the offset less what the wheel lets the chain float between its teeth and plates.
    """
    offset = 0.002
    drive = wheels_in_space(offset=offset, second=LOADED, joint_friction=0.0, sideways={"bend_play": 0.05})
    start = prepare(drive)
    assert start.system.notes["static_converged"]
    state = start.system.state
    thrust, tension = read(start.system, state, "axial_thrust"), read(start.system, state, "span_tension")
    assert thrust.sum() == pytest.approx(0.0, abs=1e-3 * abs(thrust[0]))
    aside = read(start.system, state, "roller_offset")
    delta = np.ptp(aside)
    assert offset - 2.2 * 0.035 * 0.625 * PITCH < delta < offset
    assert abs(thrust[0]) == pytest.approx(tension.sum() * delta / (11.0 * PITCH), rel=0.1)


def test_losses_in_joints_are_those_of_the_links_that_turn() -> None:
    """mu r (T_in + T_out) 2 pi/z for every link that comes onto a wheel and leaves it again."""
    drive = wheels_in_space(second=LOADED, joint_damping=0.0, contact={"friction": 0.0, "restitution": 0.5})
    solution = cd.simulate(drive, until=0.6, save=cd.SaveOptions(rate=2000.0))
    window = solution["time"].values > 0.3
    tension = solution["span_tension"].values[window].mean(axis=0).sum()
    rate = 12 * 10.0 / (2.0 * np.pi)  # teeth a second
    expected = 2.0 * 0.1 * 0.5 * 0.00445 * tension * 2.0 * np.pi / 12 * rate
    found = solution["power_articulation"].values[window].mean()
    assert found == pytest.approx(expected, rel=0.05)


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
    half, full, slope = system.parameters.tooth[0]
    assert half == pytest.approx(0.5 * 0.93 * 0.625 * PITCH)
    assert full == pytest.approx(PITCH / (2.0 * np.sin(np.pi / 12)))
    assert slope > 0.0
    assert system.parameters.axes[0, S.E3 : S.E3 + 3].tolist() == [0.0, 0.0, 1.0]
