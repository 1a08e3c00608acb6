"""Forces over time on bodies and on free ends, and motions of bodies by a table, against closed-form solutions and
balances.
"""

from __future__ import annotations

import cmath
import math

import numpy as np
import pytest

from chaindrive import simulate
from chaindrive.mechanism.joint_motions import position_table
from chaindrive.mechanism.tree import GROUND, PRISMATIC, REVOLUTE, BodyData
from chaindrive.model import Body, BodyEnd, FreeEnd, GroundEnd, SaveOptions, override
from chaindrive.model.load_over_time import ForceOverTime, HarmonicForce, load_rows
from chaindrive.simulation.start import prepare
from support.mechanism_alone import alone
from support.mechanism_states import DOWN, TIGHT, run
from support.open_drives import LINK_MASS, PITCH, open_drive

EVERYTHING = SaveOptions(channels="all", precision="double")
ELASTIC = {"link_stiffness": 1e6, "link_damping": 400.0}
BOTH = pytest.mark.parametrize("kind", ["roller", "link"])

# ---- forces on bodies


def test_a_free_mass_is_accelerated_by_the_impulse_of_its_load():
    # v = (1/m) integral of F: a ramp to 60 N in 0.2 s, held for 0.3 s, down to -20 N in 0.1 s and held
    times, forces, mass = (0.1, 0.3, 0.6, 0.7), (0.0, 60.0, 60.0, -20.0), 3.0
    half = tuple(0.5 * force for force in forces)
    load = load_rows((5.0, *(ForceOverTime(times=times, forces=half) for _ in range(2))))
    body = BodyData(GROUND, PRISMATIC, mass, direction=(1.0, 0.0), load=5.0, loads=load)
    at, rows, _ = run(alone([body]), 1.0, 0.05)
    fine = np.linspace(0.0, 1.0, 100_001)
    impulse = np.concatenate([[0.0], np.cumsum(np.interp(fine[:-1] + 5e-6, times, forces)) * 1e-5])
    wanted = (5.0 * at + np.interp(at, fine, impulse)) / mass
    np.testing.assert_allclose(rows["joint_speed"][:, 0], wanted, atol=1e-8)
    # the constant part is a potential, the rest is input
    assert abs(rows["energy_residual"]).max() < 1e-9
    assert rows["work_input"][-1] == pytest.approx(
        rows["energy_kinetic"][-1] - 5.0 * rows["joint_position"][-1, 0], rel=1e-9
    )


def test_a_harmonic_torque_swings_a_spring_and_damper_as_its_transfer_function_says():
    inertia, stiffness, damping, amplitude, frequency, phase = 0.4, 90.0, 3.0, 12.0, 3.1, 0.6
    turning = 2.0 * math.pi * frequency
    loads = load_rows((HarmonicForce(amplitude=amplitude, frequency=frequency, phase=phase),))
    body = BodyData(GROUND, REVOLUTE, 1.0, inertia, stiffness=stiffness, damping=damping, loads=loads)
    times, rows, _ = run(alone([body]), 6.0, 0.01)  # free swings fall by exp(-3.75 t)
    response = amplitude / (stiffness - inertia * turning**2 + 1j * damping * turning)
    wanted = (response * np.exp(1j * (turning * times + phase))).imag
    np.testing.assert_allclose(rows["joint_position"][400:, 0], wanted[400:], atol=1e-5 * abs(response))
    assert rows["work_joint"][-1] > 10.0
    assert abs(rows["energy_residual"]).max() < 1e-7


def test_a_force_that_begins_at_once_is_there_at_its_start():
    loads = load_rows(HarmonicForce(amplitude=10.0, frequency=1.0, phase="90 deg", start=0.25, fade_in=0.0))
    times, rows, _ = run(alone([BodyData(GROUND, PRISMATIC, 2.0, loads=loads)]), 1.0, 0.05)
    since = np.maximum(times - 0.25, 0.0)
    wanted = 5.0 / (2.0 * math.pi) * np.sin(2.0 * math.pi * since)
    np.testing.assert_allclose(rows["joint_speed"][:, 0], wanted, atol=1e-6)


# ---- motions by a table


@pytest.mark.parametrize("smooth", [False, True])
def test_joints_follow_their_tables_and_are_supplied_with_the_power(smooth):
    times, turns = (0.1, 0.3, 0.45, 0.6, 0.9), (0.0, 0.5, 0.5, 1.1, -0.2)
    bodies = [
        BodyData(GROUND, REVOLUTE, 2.0, 0.3, (0.5, 0.1), motion=position_table(times, turns, smooth), damping=0.7),
        BodyData(0, PRISMATIC, 1.0, 0.1, (1.0, 0.3), (1.0, 0.0), (0.6, 0.8), stiffness=200.0),
    ]
    at, rows, _ = run(alone(bodies, DOWN), 1.2, 0.01)
    angle, speed = rows["joint_position"][:, 0], rows["joint_speed"][:, 0]
    here = np.searchsorted(at, np.array(times) - 1e-9)
    np.testing.assert_allclose(angle[here], turns, atol=1e-9)
    np.testing.assert_allclose(angle[at > 0.895], -0.2, atol=1e-9)
    np.testing.assert_allclose(speed[(at < 0.105) | (at > 0.895)], 0.0, atol=1e-8)
    if not smooth:  # never beyond the points, at rest where they are equal
        assert (speed[(at > 0.1) & (at < 0.3)] > 0.0).all()
        np.testing.assert_allclose(speed[(at > 0.295) & (at < 0.455)], 0.0, atol=1e-8)
        assert (angle.min(), angle.max()) == pytest.approx((-0.2, 1.1), abs=1e-9)
    assert np.ptp(rows["work_input"]) > 5.0
    assert abs(rows["energy_residual"]).max() < 1e-7


def test_two_points_are_the_polynomial_of_degree_five():
    motion = position_table((0.2, 0.7), (0.0, 1.1))
    at, rows, _ = run(alone([BodyData(GROUND, PRISMATIC, 1.0, motion=motion)]), 1.0, 0.05)
    x = np.clip((at - 0.2) / 0.5, 0.0, 1.0)
    np.testing.assert_allclose(rows["joint_position"][:, 0], 1.1 * x**3 * (10 - 15 * x + 6 * x**2), atol=1e-9)


def test_a_smooth_table_gives_the_acceleration_of_the_curve_behind_it():
    # 40 points of a cycloidal rise of a cam, s = h (x - sin(2 pi x)/(2 pi)): acceleration 2 pi h/T^2 sin(2 pi x)
    rise, duration = 0.02, 0.5
    at = np.linspace(0.0, duration, 41)
    motion = position_table(at, rise * (at / duration - np.sin(2 * np.pi * at / duration) / (2 * np.pi)), smooth=True)
    body = BodyData(GROUND, PRISMATIC, 5.0, motion=motion, direction=(1.0, 0.0))
    times, rows, _ = run(alone([body]), 0.5, 0.005, TIGHT)
    wanted = -5.0 * 2.0 * math.pi * rise / duration**2 * np.sin(2.0 * math.pi * times / duration)
    np.testing.assert_allclose(rows["joint_force"][:, 0, 0], wanted, atol=0.002 * np.abs(wanted).max())


# ---- open chains


def formed(kind, drive):
    """The drive in a formulation, with links of one mass."""
    alike = {"chain.inner_link.mass": drive.chain.link_mass} if kind == "link" else {}
    return override(drive, {"run.formulation.kind": kind} | alike)


def stretched(kind, end, until, bodies=(), links=10):
    """A chain along x without gravity, from a fitting on the ground; a link has 1 MN/m."""
    anchor = GroundEnd(position=(0.0, 0.0))
    drive = open_drive((anchor, end), links, until=until, chain=ELASTIC, bodies=list(bodies), gravity=(0.0, 0.0))
    return simulate(formed(kind, drive), save=EVERYTHING)


def springs_in_series(kind, links, free):
    """Springs of 1 MN/m between the ground and the second end: links and their fittings.

    Rigid links yield in their joints: to the fitting half a link in series with it, beyond a free end nothing.
    """
    if not free:
        return links + 2.0
    return links + 1.0 if kind == "roller" else links + 0.5


@BOTH
@pytest.mark.parametrize("on", ["body", "free end"])
def test_tension_follows_a_slow_ramp_of_the_force(kind, on):
    ramp = {"over": "time", "times": ["0.05 s", "0.25 s"], "forces": ["500 N", "1500 N"]}
    if on == "body":
        end = BodyEnd(body="pull", position=(10 * PITCH, 0.0))
        bodies = [Body(name="pull", mass=0.5, joint={"kind": "prismatic", "direction": 0.0, "load": ramp})]
    else:
        end, bodies = FreeEnd(mass=0.5, direction=0.0, force={"direction": 0.0, "size": ramp}), []
    found = stretched(kind, end, 0.35, bodies)
    wanted = np.interp(found.time, [0.05, 0.25], [500.0, 1500.0])
    error = found.values("link_tension") - wanted[:, None]
    # each kink of the ramp starts a swing of F'/w of the mass, with a third of the chain, on the chain and its fitting
    series = springs_in_series(kind, 10, on == "free end")
    swing = 5000.0 / math.sqrt(1e6 / series / (0.5 + 10.0 * LINK_MASS / 3.0))
    assert np.abs(error).max() < 2.0 * swing
    assert np.abs(error[found.time < 0.049]).max() < 0.01
    rising = (found.time > 0.06) & (found.time < 0.24)
    assert error[rising].mean() == pytest.approx(0.0, abs=0.05 * swing)
    # the work of the force beyond the start is the elastic energy, (F2^2 - F1^2)/2 over the stiffness
    stored = found.values("energy_elastic") - found.values("energy_elastic")[0]
    assert found.values("work_input")[-1] == pytest.approx((1500.0**2 - 500.0**2) / 2.0 * series / 1e6, rel=0.01)
    assert stored[-1] == pytest.approx(found.values("work_input")[-1], rel=0.01)
    assert found.audit.relative_residual < 1e-5


@BOTH
def test_a_harmonic_force_on_an_elastic_chain_moves_a_spring_and_a_mass(kind):
    mass, frequency, amplitude, links = 50.0, 4.0, 200.0, 10
    size = [2000.0, {"kind": "harmonic", "amplitude": amplitude, "frequency": frequency, "fade_in": "1.5 s"}]
    end = FreeEnd(mass=mass, direction=0.0, force={"direction": 0.0, "size": size})
    found = stretched(kind, end, 2.5, links=links)
    place = found.values("roller_position")[:, -1, 0]
    turning = 2.0 * math.pi * frequency
    moving = mass + links * LINK_MASS / 3.0  # Rayleigh: a third of a spring's own mass
    series = springs_in_series(kind, links, free=True)
    response = amplitude / complex(1e6 / series - moving * turning**2, 400.0 / series * turning)
    late = found.time > 2.0
    swing = 2.0 * np.mean((place - place[late].mean())[late] * np.exp(-1j * turning * found.time[late]))
    assert abs(swing) == pytest.approx(abs(response), rel=0.01)
    assert cmath.phase(swing * 1j / response) == pytest.approx(0.0, abs=0.02)
    assert found.audit.relative_residual < 1e-4
    # the static part is the tension at the start
    assert found.values("link_tension")[0] == pytest.approx(2000.0, rel=1e-6)


@BOTH
def test_a_force_on_the_first_end_pulls_as_on_the_second(kind):
    force = {"direction": "180 deg", "size": {"over": "time", "times": [0, 0.2], "forces": ["800 N", "1 kN"]}}
    ends = FreeEnd(mass=1.0, direction="180 deg", force=force), GroundEnd(position=(0.0, 0.0))
    drive = open_drive(ends, 6, until=0.2, chain=ELASTIC, gravity=(0.0, 0.0))
    found = simulate(formed(kind, drive), save=EVERYTHING)
    np.testing.assert_allclose(found.values("link_tension")[-1], 1000.0, rtol=0.01)
    np.testing.assert_allclose(found.values("anchor_force")[0], [[0.0, 0.0], [-800.0, 0.0]], atol=1e-3)
    if kind == "link":
        pin = found.values("pin_force")
        assert pin[0, 0] == pytest.approx([-800.0, 0.0], abs=0.1)


@BOTH
def test_a_force_upwards_carries_its_part_of_the_weight(kind):
    size = [60.0, {"over": "time", "times": [0, 1], "forces": [40, 400]}]  # at the start, 100 N
    end = FreeEnd(mass=30.0, force={"direction": "90 deg", "size": size})
    drive = formed(kind, open_drive((GroundEnd(position=(0.0, 0.0)), end), 5))
    system = prepare(drive).system
    force = system.channel("anchor_force").read(system.row(0.0, system.state))
    wanted = [0.0, 100.0 - 9.81 * (30.0 + 5 * LINK_MASS)]  # a rigid chain has its masses elsewhere, but as much
    np.testing.assert_allclose(force[0], wanted, atol=0.01)


@pytest.mark.parametrize("kind", ["roller", pytest.param("link", marks=pytest.mark.long)])
def test_a_slide_moved_by_a_table_stretches_a_chain_and_the_balance_closes(kind):
    motion = {
        "kind": "table",
        "times": ["0.02 s", "0.1 s", "0.15 s", "0.2 s"],
        "positions": ["0 mm", "10 mm", "10 mm", "4 mm"],
    }
    slide = Body(name="slide", mass=2.0, joint={"kind": "prismatic", "direction": 0.0, "motion": motion})
    found = stretched(kind, BodyEnd(body="slide", position=(10 * PITCH, 0.0)), 0.25, [slide])
    position, work = found.values("joint_position")[:, 0], found.values("work_input")
    held = (found.time > 0.11) & (found.time < 0.149)
    np.testing.assert_allclose(position[held], 0.010, atol=1e-7)
    stiffness = 1e6 / springs_in_series(kind, 10, free=False)
    tension = found.values("link_tension").mean(axis=1)
    assert tension[held].mean() == pytest.approx(stiffness * 0.010, rel=0.01)
    assert tension[-1] == pytest.approx(stiffness * 0.004, rel=0.02)
    assert work[held].mean() == pytest.approx(0.5 * stiffness * 0.010**2, rel=0.05)
    assert found.audit.relative_residual < 1e-4
