"""Wheels in space whose teeth have a width: plates at their sides, narrow-wide wheels, thrusts, mode of a driveline."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterator

import numpy as np
import pytest
from numba.core import config
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from chaindrive.analyses.linear.linearised import in_line, mode_shares, system_modes
from chaindrive.analyses.signals.frequencies import frequencies_at_rest
from chaindrive.contract.status import Status
from chaindrive.contract.system import System
from chaindrive.errors import ComputationError, InputError
from chaindrive.formulations import compile_system
from chaindrive.formulations.spatial import parameters as S
from chaindrive.model import override
from chaindrive.simulation.start import settle
from chaindrive.solvers import Integrator, SolverSettings
from chaindrive.solvers.equilibrium import equilibrium
from support.small_drives import PITCH, in_space, two_wheels, wheels_in_space
from support.spatial_slopes import OPTIONS, SMOOTH, SOFT, pushed, read, slopes, started

pytestmark = pytest.mark.skipif(bool(config.DISABLE_JIT), reason="minutes in plain Python")

FloatArray = NDArray[np.float64]
LOADED = {"load_torque": 4.0, "bearing_friction": 0.02}
WIDE = {"tooth_width": 3e-3, "tooth_width_wide": 10.6e-3}
"""Inner plates reach none of the narrow teeth, outer plates the wide ones."""


def states(system: System, state: FloatArray, until: float, step: float, count: int = 1) -> Iterator[FloatArray]:
    """States at a number of equal distances up to a time, to be used in sequence: gaps of teeth are counted in
    ``p``.
    """
    run = Integrator(dataclasses.replace(system, state=state), SolverSettings(method="splitting", step=step), 1.0)
    for k in range(count):
        while (status := run.advance(until * (k + 1) / count)) == Status.RUNNING:
            pass
        assert status == Status.REACHED_END
        yield run.state.copy()


def equilibrium_of(system: System) -> System:
    """The state at rest, as accurately as rounding allows."""
    found = equilibrium(system, tolerance=1e-6)
    system.kernels.begin(0.0, found.state, system.parameters)
    return dataclasses.replace(system, state=found.state)


# Forces on plates -----------------------------------------------------------------------------------------------------


def parts_touched(system: System, state: FloatArray) -> dict[str, int]:
    """Numbers of plates on the flanks of teeth, on their edges, and on top of them, as defined in sides.py.

    Reckoned here from the poses of links alone. Where wheels are narrow-wide a tooth is taken as the kernel has it.
    """
    p, n = system.parameters, system.parameters.links
    turn = Rotation.from_quat(np.roll(state[3 * n : 7 * n].reshape(4, n).T, -1, axis=1))
    centre, along, axis = state[: 3 * n].reshape(3, n).T, turn.apply([1.0, 0.0, 0.0]), turn.apply([0.0, 0.0, 1.0])
    read(system, state, "side_force")
    found = dict.fromkeys(("flank", "edge", "riding"), 0)
    for s in range(p.planar.used.segments[0]):
        w, slot = p.planar.segment.surface[s], p.planar.segment.slot[s]
        frame = p.axes[w, : S.CENTRE].reshape(3, 3)
        tooth = S.Teeth(*(column[w] for column in p.tooth))
        tip = tooth.half - (tooth.tip - tooth.full) * tooth.slope
        steep = max(tip / p.chamfer, 1.0)
        for joint in range(p.planar.segment.first[s], p.planar.segment.end[s]):
            link, rear = p.owner[joint]
            sign = 1.0 if rear else -1.0
            place = centre[link] - sign * (0.5 * PITCH - p.planar.roller_radius) * along[link]
            x, a = frame @ (place - p.axes[w, S.CENTRE : S.MOVING]), frame @ axis[link]
            off = -x[2] / a[2]
            far = np.hypot(*(x + off * a)[:2])
            flank = tooth.half - max(far - tooth.full, 0.0) * tooth.slope
            half = min(flank, steep * (tooth.tip - far))
            depth, most = abs(off) + half - p.half_width, 2.0 * max(half + p.chamfer, 0.0)
            k = slot + joint - p.planar.segment.first[s]
            if far < tooth.tip + p.chamfer:  # farther away the next tooth may be the wide one
                assert p.slot.side[k] == pytest.approx(min(depth, most), abs=1e-12)
            else:
                assert max(p.slot.side[k], min(depth, most)) <= 0.0
            if min(depth, most) > 1e-6:
                found["riding" if depth > most else ("edge" if half < flank else "flank")] += 1
    return found


@pytest.mark.parametrize("wide", [{}, WIDE], ids=["inner plates", "inner and outer plates"])
def test_forces_on_plates_are_minus_the_slope_of_the_energy(wide: dict) -> None:
    """For shifts aside and outward, on flanks of teeth, on their edges, and where plates ride on them; on wheels askew,
    too.

    Soft joints and teeth, so that differences of the energy see the plates. Every force and every moment about the axes
    of every link.
    """
    contact = SMOOTH | {"stiffness": 1e6}
    system = in_space(
        offset=4e-4, tilt=(0.01, -0.02), first=wide, second=LOADED | wide, contact=contact, options=OPTIONS,
        gravity=(0.0, 0.0), **SOFT,
    )  # fmt: skip
    p = system.parameters
    gap = (p.outer_half_width if wide else p.half_width) - (p.tooth.half_wide if wide else p.tooth.half)[0]
    cases = [(gap + 5e-4, 0.0), (-gap - 5e-4, 2e-3), (gap + 2e-3, 2.5e-3), (gap + 5e-3, 2.5e-3), (-gap - 6e-3, -3e-3)]
    cases += [(gap + 6e-3, 3e-3), (-gap - 5e-3, 3.5e-3), (gap + 6e-3, -3.2e-3), (-gap - 8e-3, 3e-3)]
    touched, outer = dict.fromkeys(("flank", "edge", "riding"), 0), 0
    for seed, (aside, outward) in enumerate(cases):
        y = pushed(system, aside, outward, seed)
        system.kernels.begin(0.0, y, p)
        for part, count in parts_touched(system, y).items():
            touched[part] += count
        outer += int((p.slot.outer[: p.planar.used.slots[0]] > 1e-6).sum())
        force, slope = slopes(system, y)
        n = p.links
        for part in (slice(0, 3 * n), slice(3 * n, 6 * n)):
            largest = np.abs(force[part]).max()
            np.testing.assert_allclose(force[part], slope[part], atol=2e-5 * largest)
    assert outer > 5 if wide else min(touched.values()) > 3, (touched, outer)


@pytest.mark.parametrize("form", ["asa-ii", "iso-606", "six-point"])
def test_a_wheel_turned_by_whole_teeth_is_the_same(form: str) -> None:
    """Forces on links, thrusts, and powers: padding rollers in rows touch no tooth at any angle."""
    system = in_space(offset=4e-4, tilt=(0.01, -0.02), tooth={"form": form}, second=LOADED)
    y, p = started(system), system.parameters
    rates = []
    for turned in range(12):
        z = y.copy()
        z[p.planar.layout.wheel_angle + 0] += turned * 2.0 * np.pi / 12
        system.kernels.begin(0.0, z, p)
        dy = np.full_like(z, np.nan)
        system.kernels.rhs(0.0, z, dy, p)
        rates.append(dy)
    assert np.abs(rates[0][system.positions :]).max() > 0.0
    for dy in rates[1:]:
        np.testing.assert_allclose(dy, rates[0], rtol=1e-6, atol=1e-9 * np.abs(rates[0]).max())


# Narrow-wide wheels ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("loop", ["clockwise", "counterclockwise"])
def test_outer_links_lie_on_wide_teeth_and_touch_them(loop: str) -> None:
    """Inner plates reach none of the narrow teeth, outer ones the wide ones: at any angle, in either direction."""
    speed = -10.0 if loop == "clockwise" else 10.0
    drive = override(wheels_in_space(offset=3e-3, first=WIDE, second=LOADED | WIDE, speed=speed), {"loop": loop})
    system = compile_system(drive, drive.run.formulation, True)
    p = system.parameters
    assert 2.0 * p.outer_half_width > 10.6e-3 > 2.0 * p.half_width
    pressed = np.zeros(2)
    for state in states(system, started(system), 0.12, 1e-6, 20):  # 0.105 s are two teeth
        read(system, state, "side_force")
        slots = p.planar.used.slots[0]
        pressed = np.maximum(pressed, [p.slot.side[:slots].max(), p.slot.outer[:slots].max()])
    assert pressed[0] <= 0.0
    assert pressed[1] > 0.0
    assert float(read(system, state, "work_side_plates")) > 0.0
    missing = abs(float(read(system, state, "energy_residual")))
    assert missing < 1e-3 * abs(float(read(system, state, "work_input")))


def test_narrow_wide_wheels_that_no_chain_runs_on_are_refused() -> None:
    """All at once, each with the value that is wrong and what is allowed there."""
    wrong = {"teeth": 13, "tooth_width": 9e-3, "tooth_width_wide": 0.02}
    plays = {"pin_play": 0.003, "bend_play": 0.4, "twist_play": 0.4}
    with pytest.raises(InputError) as caught:
        wheels_in_space(second=wrong, first={"tooth_width_wide": 0.001}, sideways=plays)
    told = {problem.place: problem for problem in caught.value.problems}
    expected = {
        "wheels[1].teeth": ("13", "must be even"),
        "wheels[1].tooth_width": ("0.009", "less than the inner width"),
        "wheels[1].tooth_width_wide": ("0.02", "less than the room between the outer plates"),
        "wheels[0].tooth_width_wide": ("0.001", "more than the width of the narrow teeth"),
        "chain.sideways.pin_play": ("0.003", "must be at most"),
        "chain.sideways.bend_play": ("0.4", "must be at most"),
        "chain.sideways.twist_play": ("0.4", "must be at most"),
    }
    assert set(told) == set(expected)
    for place, (value, words) in expected.items():
        assert told[place].value == value
        assert words in told[place].message


def test_an_odd_number_of_links_says_why_it_cannot_be() -> None:
    with pytest.raises(InputError) as caught:
        wheels_in_space(links=35)
    (problem,) = caught.value.problems
    assert (problem.place, problem.value) == ("chain.links", "35")
    assert "must be even" in problem.message


# Losses, thrusts, modes -----------------------------------------------------------------------------------------------


def test_a_small_wheel_loses_more_in_joints() -> None:
    """mu r (T_in + T_out) 2 pi/z for every link that passes: twice as much on half as many teeth."""
    sideways, losses = {"bend_play": 0.005, "twist_play": 0.01}, {"joint_friction": 0.1, "pin_diameter": 0.00445}
    drive = two_wheels(
        (24, 12), 11.66, second=LOADED, contact={"friction": 0.0, "restitution": 0.5}, sideways=sideways, links=42,
        run={"formulation": {"kind": "spatial"}, "solver": {"method": "splitting"}}, **losses,
    )  # fmt: skip
    system = compile_system(drive, drive.run.formulation, True)
    early, late = states(system, started(system), 0.2, 2e-6, 2)
    lost = read(system, late, "wheel_losses") - read(system, early, "wheel_losses")
    assert lost[1, S.LOST_JOINTS] / lost[0, S.LOST_JOINTS] == pytest.approx(2.0, rel=0.1)


def test_thrusts_of_a_running_drive_aside_are_what_moves_its_links_aside() -> None:
    """Momentum along the axes, at every instant: the thrusts on both wheels equal the momentum lost by links. On
    average they are opposite, and tension times slope: over eleven links, less the play on both wheels, to over nine,
    where the wheels hold the first and the last.
    """
    offset = 2e-3
    drive = wheels_in_space(offset=offset, second=LOADED, sideways={"bend_play": 0.05})
    system = settle(compile_system(drive, drive.run.formulation, True))
    names = ("axial_thrust", "span_tension", "lateral_acceleration")
    running = itertools.islice(states(system, started(system), 0.25, 2e-6, 1000), 400, None)
    rows = [[read(system, y, name) for name in names] for y in running]
    thrust, tension, moved = (np.array(each) for each in zip(*rows, strict=True))
    masses = system.masses[2 * drive.chain.links : 3 * drive.chain.links]
    np.testing.assert_allclose(thrust.sum(axis=1), -moved @ masses, atol=1e-9 * np.abs(thrust).max())
    tensions, mean = tension.mean(axis=0).sum(), thrust.mean(axis=0)
    play = system.parameters.half_width - system.parameters.tooth.half[0]
    assert mean[0] * mean[1] < 0.0
    assert abs(mean).min() > tensions * (offset - 2.0 * play) / (11.0 * PITCH)
    assert abs(mean).max() < tensions * offset / (9.0 * PITCH)


def test_the_mode_of_a_driveline() -> None:
    """A wheel of inertia J on a taut span of n links of stiffness k, the other one held: f = R sqrt(k/(n J))/(2 pi).

    n: of every link the square of its tension over that of the span, which is its part of the elastic energy; links on
    the wheels have less the more teeth have taken from it.
    """
    still = {"motion": {"kind": "constant_speed", "speed": 0.0}}
    drive = wheels_in_space(
        first=still, second={"torque": 20.0, "inertia": 0.02}, joint_friction=0.0, link_damping=0.0,
        joint_damping=0.0, contact=SMOOTH | {"stiffness": 1e12}, gravity=(0.0, 0.0),
    )  # fmt: skip
    system = settle(compile_system(drive, drive.run.formulation, False))
    assert system.story.notes["static_converged"]
    radius = PITCH / (2.0 * np.sin(np.pi / 12))
    tension = read(system, system.state, "link_tension")
    assert tension.max() == pytest.approx(20.0 / radius, rel=0.02)
    at = system.parameters.planar.layout.wheel_speed + 1
    y = system.state.copy()
    y[at] = 0.05
    speeds = np.array([state[at] for state in states(system, y, 0.15, 1e-6, 1500)])
    falls = np.flatnonzero((speeds[:-1] > 0.0) & (speeds[1:] <= 0.0))
    crossed = falls + speeds[falls] / (speeds[falls] - speeds[falls + 1])
    assert len(crossed) > 2
    frequency = 1.0 / (np.diff(crossed).mean() * 1e-4)
    links = ((tension / tension.max()) ** 2).sum()
    expected = radius * np.sqrt(drive.chain.link_stiffness / (links * 0.02)) / (2.0 * np.pi)
    assert frequency == pytest.approx(expected, rel=0.02)


def test_modes_are_those_of_the_formulation_with_rigid_links() -> None:
    """Links are held out of the plane, where they play on teeth and in joints and have no frequency.

    Every roller belongs to the link of its bush, as in that formulation.
    """
    sideways = {"bend_play": 0.01, "twist_play": 0.01, "pin_play": 1e-4}
    drive = wheels_in_space(second={"torque": 20.0}, sideways=sideways, contact=SMOOTH, joint_friction=0.0)
    flat = override(drive, {"run.formulation": {"kind": "link", "joint": "ideal"}})
    space, plane = (compile_system(each, each.run.formulation, False) for each in (drive, flat))
    n = drive.chain.links
    space.parameters.owner[:] = np.column_stack([np.arange(n), np.ones(n, dtype=int)])
    space, plane = (equilibrium_of(settle(each)) for each in (space, plane))
    found, expected = system_modes(space), system_modes(plane)
    assert expected.frequency.min() > 0.0
    np.testing.assert_allclose(found.frequency, expected.frequency, rtol=1e-4)
    assert not found.shape[:, 2 * n : 5 * n].any()
    found, expected = (mode_shares(*each) for each in ((space, found), (plane, expected)))
    assert found.part == expected.part
    np.testing.assert_allclose(found.share.sum(axis=1), 1.0, rtol=1e-12)


def test_wheels_aside_are_taken_in_line_for_modes() -> None:
    """As described they have none, and the message says what to use; in line the wheel oscillates as a driveline."""
    second = {"torque": 20.0, "inertia": 0.02}
    drive = wheels_in_space(offset=3e-3, tilt=(0.0, 0.01), second=second, contact=SMOOTH)
    with pytest.raises(ComputationError, match="wheels in line"):
        system_modes(compile_system(drive, drive.run.formulation, False))
    flat = in_line(drive)
    assert in_line(flat) is flat
    system = settle(compile_system(flat, flat.run.formulation, False))
    modes = system_modes(system)
    assert (modes.frequency > 0.0).all()
    swinging = modes.energy[:, 6 * drive.chain.links + 1].argmax()
    tension = read(system, system.state, "link_tension")
    links = ((tension / tension.max()) ** 2).sum()
    radius = PITCH / (2.0 * np.sin(np.pi / 12))
    expected = radius * np.sqrt(drive.chain.link_stiffness / (links * 0.02)) / (2.0 * np.pi)
    assert modes.frequency[swinging] == pytest.approx(expected, rel=0.05)
    found = frequencies_at_rest(drive, 6)
    np.testing.assert_allclose(found["wheels"][0], modes.frequency[swinging], rtol=1e-6)
