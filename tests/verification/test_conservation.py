"""Momentum, angular momentum and energy of a free chain; and the energy of a whole drive, with and without losses."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from support.small_drives import SolverSettings, chain, compiled, free_chain, order_of, rates, run, two_wheels

LINKS = 12
LOSSES = {"link_damping": 5.0, "joint_damping": 5e-5}


def tumbling(gravity=(0.0, 0.0), seed=3, **of_chain):
    """A crumpled ring with random velocities."""
    rng = np.random.default_rng(seed)
    angle = 2.0 * np.pi * np.arange(LINKS) / LINKS
    radius = 0.0127 / (2.0 * np.sin(np.pi / LINKS))
    position = radius * np.column_stack([np.cos(angle), np.sin(angle)]) + [0.3, -0.2]
    position += rng.normal(scale=2e-4, size=position.shape)
    system = free_chain(chain(LINKS, **({"link_stiffness": 1e5} | of_chain)), gravity, position)
    state = system.state.copy()
    state[2 * LINKS : 4 * LINKS] = rng.normal(size=2 * LINKS) + np.repeat([0.7, -0.4], LINKS)
    return replace(system, state=state)


def momenta(positions, velocities, mass):
    """Momentum (..., 2) and angular momentum about the origin (...)."""
    x, y = positions[..., 0], positions[..., 1]
    u, v = velocities[..., 0], velocities[..., 1]
    return mass * velocities.sum(axis=-2), mass * (x * v - y * u).sum(axis=-1)


@pytest.mark.parametrize("losses", [{}, LOSSES], ids=["lossless", "damped"])
@pytest.mark.parametrize("seed", range(5))
def test_forces_inside_the_chain_have_no_resultant(losses, seed):
    # Action equals reaction, and couples of joints cancel: sum F = 0, sum r x F = 0, to the rounding of the terms.
    system = tumbling(seed=seed, **losses)
    mass = system.parameters.mass
    acceleration = rates(system, system.state)[2 * LINKS : 4 * LINKS].reshape(2, LINKS)
    force = mass * acceleration
    total = np.abs(force).sum()
    np.testing.assert_allclose(force.sum(axis=1), 0.0, atol=4.0 * LINKS * np.finfo(float).eps * total)
    x, y = system.state[: 2 * LINKS].reshape(2, LINKS)
    moment = (x * force[1] - y * force[0]).sum()
    assert abs(moment) < 4.0 * LINKS * np.finfo(float).eps * total


@pytest.mark.parametrize("losses", [{}, LOSSES], ids=["lossless", "damped"])
def test_momentum_of_a_free_chain(losses):
    system = tumbling(**losses)
    mass = system.parameters.mass
    done = run(system, 0.05, 0.005, SolverSettings(atol_length=1e-13, atol_speed=1e-9))
    linear, angular = momenta(done.channels["roller_position"], done.channels["roller_velocity"], mass)
    # A Runge-Kutta method keeps linear invariants: rounding of the sums alone, N m v eps times sqrt(steps).
    rounding = LINKS * mass * 3.0 * np.finfo(float).eps * np.sqrt(done.steps)
    np.testing.assert_allclose(linear, np.broadcast_to(linear[0], linear.shape), rtol=0.0, atol=8.0 * rounding)
    # The angular momentum is quadratic: kept to the tolerance, errors of speed 1e-9 m/s a step times m r = 0.4 N m.
    np.testing.assert_allclose(angular, angular[0], rtol=0.0, atol=LINKS * mass * 0.4 * 1e-9 * 50.0)


def test_momentum_under_gravity():
    # p = p0 + M g t, and L = L0 + M (r_c x g): r_c falls along g, so that dL/dt = -M g x_c(t), x_c = x0 + u0 t.
    gravity = 9.81
    system = tumbling((0.0, -gravity), **LOSSES)
    total = LINKS * system.parameters.mass
    done = run(system, 0.05, 0.005, SolverSettings(atol_length=1e-13, atol_speed=1e-9))
    t, position, velocity = done.times, done.channels["roller_position"], done.channels["roller_velocity"]
    linear, angular = momenta(position, velocity, system.parameters.mass)
    expected = linear[0] + np.outer(t, [0.0, -total * gravity])
    np.testing.assert_allclose(linear, expected, rtol=0.0, atol=1e-13 * total * 10.0)
    centre, speed = position[0, :, 0].mean(), velocity[0, :, 0].mean()
    expected = angular[0] - total * gravity * (centre * t + 0.5 * speed * t**2)
    np.testing.assert_allclose(angular, expected, rtol=0.0, atol=total * 0.4 * 1e-9 * 50.0)


def energy_error(settings, losses):
    """Largest energy that the audit cannot account for, over the kinetic energy at the start."""
    system = tumbling((0.0, -9.81), **losses)
    done = run(system, 0.01, 2.5e-4, settings)
    assert done.channels["energy_residual"][0] == pytest.approx(0.0, abs=1e-15)
    return np.abs(done.channels["energy_residual"]).max() / done.channels["energy_kinetic"][0]


@pytest.mark.parametrize("losses", [{}, LOSSES], ids=["lossless", "damped"])
def test_energy_converges_with_the_step_of_verlet(losses):
    # Second order in positions, speeds and works. Highest frequency 2 sqrt(K/m) = 6.7e3 rad/s: w h = 0.03 and less.
    errors = [energy_error(SolverSettings(method="verlet", step=h), losses) for h in (5e-6, 2.5e-6, 1.25e-6)]
    np.testing.assert_allclose(order_of(errors, 2.0), 2.0, atol=0.2)
    assert errors[-1] < 1e-4


@pytest.mark.parametrize("losses", [{}, LOSSES], ids=["lossless", "damped"])
def test_energy_converges_with_the_step_of_dormand_prince(losses):
    # Tolerances so wide that the longest step is always taken: fifth order, and rows lie on the ends of steps.
    wide = {"atol_length": 1e3, "atol_speed": 1e3}
    errors = [energy_error(SolverSettings(step=h, **wide), losses) for h in (1e-4, 5e-5, 2.5e-5)]
    assert np.all(order_of(errors, 2.0) > 4.3)
    assert errors[-1] < 1e-6


@pytest.mark.parametrize("losses", [{}, LOSSES], ids=["lossless", "damped"])
def test_energy_converges_with_the_step_of_the_eighth_order(losses):
    # Likewise; at least the seventh power, down to 1e-10 of the energy at w h = 0.33.
    wide = {"method": "dormand-prince-853", "atol_length": 1e3, "atol_speed": 1e3}
    errors = [energy_error(SolverSettings(step=h, **wide), losses) for h in (2e-4, 1e-4, 5e-5)]
    assert np.all(order_of(errors, 2.0) > 6.8)
    assert errors[-1] < 1e-10


@pytest.mark.parametrize("method", ["dormand-prince-853", pytest.param("adams", marks=pytest.mark.long)])
@pytest.mark.parametrize("losses", [{}, LOSSES], ids=["lossless", "damped"])
def test_energy_converges_with_the_tolerance_of_high_orders(losses, method):
    levels = 10.0 ** -np.array([8, 10, 12])
    errors = [energy_error(SolverSettings(method=method, atol_length=a, atol_speed=1e4 * a), losses) for a in levels]
    assert np.log10(errors[0] / errors[-1]) > 2.5
    assert np.all(np.diff(errors) < 0.0)
    assert errors[-1] < 2e-7


@pytest.mark.parametrize("losses", [{}, LOSSES], ids=["lossless", "damped"])
def test_energy_converges_with_the_tolerance(losses):
    levels = 10.0 ** -np.arange(8, 13)
    errors = [energy_error(SolverSettings(atol_length=a, atol_speed=1e4 * a), losses) for a in levels]
    # Error per step proportional to the tolerance, steps to its power -1/5: at least 0.8 decades a decade on the whole.
    assert np.log10(errors[0] / errors[-1]) > 0.8 * 4.0
    assert np.all(np.diff(errors) < 0.0)
    assert errors[-1] < 2e-7


def drive_of_test(**contact):
    """A loaded drive of 8 and 11 teeth."""
    return two_wheels(
        (8, 11), 6.3, speed=60.0, contact={"stiffness": 1e9, **contact}, link_stiffness=1e6, links=22,
        second={"load_torque": 3.0, "inertia": 2e-4},
    )  # fmt: skip


def audit(drive, level, **options):
    """Largest residual over the energy exchanged (input and output), and the channels."""
    system = compiled(drive, **options)
    settings = SolverSettings(
        atol_length=level, atol_angle=level, atol_speed=1e4 * level, atol_angular_speed=1e4 * level
    )
    done = run(system, 0.05, 5e-4, settings)
    assert done.status.name == "REACHED_END"
    made = done.channels
    energy_exchanged = np.abs(made["work_input"][-1]) + np.abs(made["work_output"][-1])
    assert made["work_output"][-1] > 3.0 * 60.0 * 0.05 * 0.5  # it runs: torque times angle
    return np.abs(made["energy_residual"]).max() / energy_exchanged, made


def test_energy_of_a_lossless_drive():
    # Elastic contact and links, no friction, no damping: what goes in comes out or is stored. A residual below 1e-6 of
    # the energy exchanged at tight tolerance, and falling with it.
    drive = drive_of_test()
    errors = []
    for level in (1e-8, 1e-13):
        error, made = audit(drive, level, contact_law="hertz")
        errors.append(error)
    assert errors[-1] < 1e-6
    assert errors[-1] < 0.01 * errors[0]
    for name in ("link_damping", "articulation", "contact", "friction", "bearing"):
        assert np.all(made[f"work_{name}"] == 0.0)


@pytest.mark.parametrize("law", ["lankarani-nikravesh", "hunt-crossley", "flores"])
def test_energy_of_a_drive_with_all_losses(law):
    # Every loss is integrated along with the state: the residual is as small as without losses, for every law.
    drive = drive_of_test(restitution=0.6, friction=0.2)
    given = drive.model_dump(exclude_none=True)
    given["chain"] |= {"link_damping": 10.0, "joint_damping": 0.002}
    driven = given["wheels"][1] | {"bearing_damping": 1e-3, "bearing_friction": 0.1}
    given["wheels"] = (given["wheels"][0], driven)
    lossy = type(drive)(**given)
    errors = []
    for level in (1e-8, 1e-11):
        error, made = audit(lossy, level, contact_law=law, friction_speed=0.1, friction_sharpness=0.2)
        errors.append(error)
    assert errors[-1] < 1e-5
    assert errors[-1] < 0.5 * errors[0]
    for name in ("link_damping", "articulation", "contact", "friction", "bearing"):
        work = made[f"work_{name}"]
        assert np.all(np.diff(work) >= -1e-9)  # a loss never gives back
        assert work[-1] > 1e-4
