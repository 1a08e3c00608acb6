"""Chains of rigid links without wheels against closed-form solutions: waves, pendulums, rings, pins in bushes,
momentum.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from chaindrive.contract.bordered import dense
from chaindrive.formulations.link.compile import compile_link
from chaindrive.model import LinkOptions
from chaindrive.solvers import SolverSettings
from chaindrive.solvers.rest import rest_of
from support.link_chains import OPEN, free_links, links, ring, stiffness_of, turning
from support.small_drives import PITCH, chain, channel, rates, run, two_wheels

G = 9.81


def bloch(system, wave):
    """Angular frequencies of waves exp(i wave j) along a ring, whose blocks are alike, each in its own frame."""
    n = system.parameters.links
    matrix = stiffness_of(system)
    angle = system.state[2 * n : 3 * n]

    def own(i):
        c, s = math.cos(angle[i]), math.sin(angle[i])
        return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])

    diagonal = own(5).T @ matrix.diagonal[5] @ own(5)
    ahead = own(5).T @ matrix.upper[5] @ own(6)
    behind = own(5).T @ matrix.upper[4].T @ own(4)
    stiffness = diagonal + ahead * np.exp(1j * wave) + behind * np.exp(-1j * wave)
    mass = system.masses[[5, n + 5, 2 * n + 5]]
    root = np.sqrt(mass)
    return np.sqrt(np.linalg.eigvalsh(stiffness / root[:, None] / root).clip(0.0))


@pytest.mark.parametrize("clearance", [0.0, 15e-6])
@pytest.mark.parametrize("wave", [0.05, 0.7, 2.0, math.pi])
def test_waves_along_a_straight_chain(wave: float, clearance: float) -> None:
    """All frequencies of an infinite straight chain of rigid links under tension T.

    With s = sin(wave/2) along 2 sqrt(k/m) s; across, in (y, angle), k_across B^H B + diag(0, T length) with
    B = [E - 1, -(length/2)(E + 1)], E = exp(i wave), and k_across = T/(c + T/k): k without clearance.
    """
    count, tension, stiffness, mass, inertia = 40_000, 200.0, 1e7, 0.0088, 2.1e-7
    length = PITCH - clearance
    system, _ = ring(
        count, tension / stiffness / PITCH, stiffness=stiffness, clearance=clearance, length=length, inertia=inertia,
        centre=(0.5 * length, 0.0),
    )  # fmt: skip
    assert channel(system, "link_tension")[7] == pytest.approx(tension, rel=1e-6)
    across = tension / (clearance + tension / stiffness)
    step = np.exp(1j * wave)
    b = np.array([step - 1.0, -0.5 * length * (step + 1.0)])
    matrix = across * np.outer(b.conj(), b) + np.diag([0.0, tension * length])
    root = np.sqrt([mass, inertia])
    expected = np.sqrt(np.linalg.eigvalsh(matrix / root[:, None] / root))
    along = 2.0 * math.sqrt(stiffness / mass) * math.sin(0.5 * wave)
    # The ring has the curvature 1/R = 2 pi/(N P); against the waves it counts as 1/(N wave).
    tolerance = max(1e-7, (8.0 / (count * wave)) ** 2)
    np.testing.assert_allclose(bloch(system, wave), np.sort([*expected, along]), rtol=tolerance)


@pytest.mark.parametrize("joint", ["clearance", "journal"])
def test_stiffness_is_the_derivative_of_the_forces(joint: str) -> None:
    count = 7
    system, _ = ring(count, 2e-3, joint=joint, clearance=1e-5, centre=(0.004, 0.0007))
    random = np.random.default_rng(4)
    state = system.state.copy()
    state[: 2 * count] += random.normal(0.0, 5e-6, 2 * count)
    state[2 * count : 3 * count] += random.normal(0.0, 2e-3, count)
    system = replace(system, state=state)
    exact = dense(stiffness_of(system))
    n = system.positions
    found = np.zeros((n, n))
    for k in range(n):
        step = 1e-9 if k < 2 * count else 1e-7
        columns = []
        for sign in (1.0, -1.0):
            there = state.copy()
            there[k] += sign * step
            force = np.zeros(n)
            system.kernels.forces(0.0, there, system.parameters, force)
            columns.append(force)
        found[:, k] = -(columns[0] - columns[1]) / (2.0 * step)
    scale = np.sqrt(np.outer(np.abs(np.diag(exact)), np.abs(np.diag(exact))))
    np.testing.assert_allclose(found / scale, exact / scale, atol=2e-5)
    assert np.linalg.eigvalsh(dense(stiffness_of(system, convex=True)))[0] > -1e-6 * np.abs(exact).max()


def test_a_link_may_turn_as_far_in_a_step_as_its_bush_may_go() -> None:
    """A bush far from all surfaces may move by a part of the size in one step, and an angle by that over its lever
    arm.
    """
    system, _ = ring(24, joint="journal")
    rest = rest_of(system, 0.0)
    n, q = 24, system.state[: system.positions]
    rest.renew(q)
    rest.linearise(q)
    limits = rest.limits()
    assert (limits[:n] > 0.0).all()
    assert limits[n : 2 * n] == pytest.approx(limits[:n], rel=1e-14)
    assert limits[2 * n : 3 * n] * rest.lever[2 * n : 3 * n] == pytest.approx(limits[:n], rel=1e-14)
    assert rest.lever[2 * n] < PITCH


def test_a_ring_that_turns() -> None:
    """Pins hold links on their circle: m w^2 r = 2 T sin(pi/N), r that of their centres of mass, T across the radius.

    Pin and bush lie on both sides of the corner, k d = T apart along its tangent.
    """
    count, rate, stiffness, mass = 12, 300.0, 1e7, 0.0088
    half = math.pi / count
    apart = 0.0
    for _ in range(50):
        radius = (PITCH + apart * math.cos(half)) / (2.0 * math.sin(half))
        middle = radius * math.cos(half) + 0.5 * apart * math.sin(half)
        apart = mass * rate**2 * middle / (2.0 * math.sin(half) * stiffness)
    system, _ = ring(count, stiffness=stiffness)
    turned = 2.0 * half * (np.arange(count) + 0.5)
    centre = middle * np.exp(1j * turned)
    state = system.state.copy()
    state[: 3 * count] = np.concatenate([centre.real, centre.imag, turned + 0.5 * math.pi])
    state[3 * count : 6 * count] = rate * np.concatenate([-centre.imag, centre.real, np.ones(count)])
    np.testing.assert_allclose(np.hypot(*channel(system, "pin_force", state).T), stiffness * apart, rtol=1e-9)
    acceleration = rates(system, state)[3 * count : 6 * count].reshape(3, count)
    towards = -(rate**2) * centre
    np.testing.assert_allclose(acceleration[0] + 1j * acceleration[1], towards, rtol=1e-9)
    np.testing.assert_allclose(acceleration[2], 0.0, atol=1e-6 * rate**2)


def pendulum(count: int, gravity: float = -G, **given):
    """A chain of a number of links that hangs from a link too heavy to move; their pins have no clearance."""
    mass = np.full(count + 2, 0.0088)
    mass[[0, 1]] = 1e9
    inertia = np.full(count + 2, 0.15 * 0.0088 * PITCH**2)
    inertia[[0, 1]] = 1e9
    clearance = np.zeros(count + 2)
    clearance[[0, 1]] = OPEN  # the pin of the last link, and between the heavy ones
    data = links(count + 2, mass=mass, inertia=inertia, clearance=clearance, stiffness=1e8, **given)
    bushes = np.column_stack([np.zeros(count + 2), -PITCH * np.arange(count + 2.0)])
    bushes[0] = 1.0, 0.0
    system = free_links(chain(count + 2), data, bushes, (0.0, gravity))
    state = system.state.copy()
    n = count + 2
    state[2 * n :][0:1] = 0.0
    # The last link has no bush to look at.
    state[3 * n - 1] = -0.5 * math.pi
    state[n - 1], state[2 * n - 1] = bushes[-1] + (0.0, -0.5 * PITCH)
    return replace(system, state=state), n


def hanging_frequencies(system, n: int, moving: slice) -> np.ndarray:
    """Frequencies of small motions about the state, which is first brought to rest."""
    from chaindrive.solvers.equilibrium import equilibrium

    held = replace(system, masses=np.where(system.masses > 1e6, math.inf, system.masses))
    found = equilibrium(held, tolerance=1e-9)
    assert found.converged
    matrix = dense(stiffness_of(replace(system, state=found.state)))
    free = np.flatnonzero(system.masses < 1e6)
    root = np.sqrt(system.masses[free])
    return np.sqrt(np.linalg.eigvalsh(matrix[np.ix_(free, free)] / root[:, None] / root))


def test_a_link_as_a_pendulum() -> None:
    """w^2 = m g l / (I + m l^2), l from the joint to the centre of mass."""
    system, n = pendulum(1)
    arm, mass, inertia = 0.5 * PITCH, 0.0088, 0.15 * 0.0088 * PITCH**2
    lowest = hanging_frequencies(system, n, slice(2, None))[0]
    assert lowest == pytest.approx(math.sqrt(mass * G * arm / (inertia + mass * arm**2)), rel=1e-6)


@pytest.mark.parametrize("count", [2, 5])
def test_links_that_hang(count: int) -> None:
    """Compared with the frequencies of the same pendulum in its angles alone."""
    system, n = pendulum(count)
    mass, inertia = 0.0088, 0.15 * 0.0088 * PITCH**2
    reach = np.array([[PITCH if k < i else 0.5 * PITCH if k == i else 0.0 for k in range(count)] for i in range(count)])
    matrix = mass * reach.T @ reach + inertia * np.eye(count)
    weight = np.diag(mass * G * reach.sum(axis=0))
    expected = np.sqrt(np.linalg.eigvals(np.linalg.solve(matrix, weight)).real)
    found = hanging_frequencies(system, n, slice(2, None))[:count]
    np.testing.assert_allclose(found, np.sort(expected), rtol=2e-5)


def pin_alone(offset, speed, **options):
    """A pin in a bush: the centres of mass of two links are on it, and there are no other contacts."""
    clearance = np.array([OPEN, 20e-6, OPEN, OPEN])
    centre = np.array([[PITCH, 0.0], [0.0, 0.0], [0.0, 0.0], [0.0, 0.0]])
    data = links(4, clearance=clearance, length=PITCH)._replace(centre=centre)
    bushes = np.array([[0.0, 0.0], [PITCH, 0.0], [5.0, 5.0], [6.0, 5.0]])
    system = free_links(chain(4), data, bushes, **options)
    state = system.state.copy()
    # Joint 1: pin of link 0, whose centre of mass is on it, in the bush of link 1, whose centre of mass is there.
    state[0], state[4] = PITCH + offset[0], offset[1]
    state[12], state[16] = speed
    return replace(system, state=state)


def test_a_pin_in_orbit() -> None:
    """mu w^2 e = k (e - c), with the reduced mass mu = m/2: the pin goes round in its bush at this rate."""
    stiffness, clearance, mass = 1e7, 20e-6, 0.0088
    eccentricity = 26e-6
    rate = math.sqrt(stiffness * (eccentricity - clearance) / (0.5 * mass * eccentricity))
    system = pin_alone((eccentricity, 0.0), (0.0, 0.5 * rate * eccentricity))
    state = system.state.copy()
    state[17] = -0.5 * rate * eccentricity  # the bush goes round the other way
    period = 2.0 * math.pi / rate
    found = run(replace(system, state=state), 3.0 * period, period / 64.0)
    gap = found.channels["pin_gap"][:, 1]
    np.testing.assert_allclose(gap, clearance - eccentricity, atol=1e-10)
    apart = found.state[[0, 4]] - found.state[[1, 5]]
    np.testing.assert_allclose(apart, [eccentricity, 0.0], atol=2e-9)


def test_a_pin_at_rest_in_oil() -> None:
    """The oil dissipates the rest after the solid contact, and both accounts close."""
    system = pin_alone((5e-6, 0.0), (0.4, 0.0), oil_damping=40.0, oil_film=1e-5)
    found = run(system, 2e-4, 1e-6)
    assert found.channels["work_oil_film"][-1] > 0.1 * found.channels["energy_kinetic"][0]
    start = found.channels["energy_kinetic"][0]
    np.testing.assert_allclose(found.channels["energy_residual"], 0.0, atol=3e-5 * start)  # impacts: the damper jumps
    # Closing in at the speed v, alone: m/2 v' = -D (1 - h/h0)^2 v loses D h0/3 in all to the touching.
    lost = 40.0 * 1e-5 / 3.0
    touched = np.flatnonzero(found.channels["pin_gap"][:, 1] < 0.0)[0]
    speed = found.channels["pin_gap"][touched - 1, 1] - found.channels["pin_gap"][touched, 1]
    assert speed / 1e-6 == pytest.approx(0.4 - lost / (0.5 * 0.0088), rel=0.02)


@pytest.mark.parametrize(("joint", "damping"), [("clearance", 0.0), ("clearance", 20.0), ("journal", 20.0)])
def test_momentum_and_energy(joint: str, damping: float) -> None:
    """A ring that tumbles freely keeps momentum and angular momentum, and accounts for all its energy."""
    count = 9
    system, bushes = ring(
        count, 1e-3, joint=joint, clearance=1e-5, damping=damping, centre=(0.005, 0.0006), length=PITCH - 1e-5
    )
    random = np.random.default_rng(2)
    state = turning(system, bushes, 80.0)
    state[3 * count : 6 * count] += random.normal(0.0, 1.0, 3 * count) * np.repeat([0.3, 0.3, 30.0], count)
    system = replace(system, state=state)

    def momenta(y):
        x, v = y[: 3 * count].reshape(3, count), y[3 * count : 6 * count].reshape(3, count)
        mass, inertia = system.masses[:count], system.masses[2 * count : 3 * count]
        return np.array(
            [(mass * v[0]).sum(), (mass * v[1]).sum(), (mass * (x[0] * v[1] - x[1] * v[0]) + inertia * v[2]).sum()]
        )

    dy = rates(system, state)
    force = system.masses.reshape(3, count) * dy[3 * count : 6 * count].reshape(3, count)
    place = state[: 3 * count].reshape(3, count)
    scale = np.abs(force[:2]).max()
    np.testing.assert_allclose(force[:2].sum(axis=1), 0.0, atol=1e-12 * scale)
    assert (place[0] * force[1] - place[1] * force[0] + force[2]).sum() == pytest.approx(0.0, abs=1e-13 * scale)
    settings = SolverSettings(atol_length=1e-13, atol_angle=1e-11, atol_speed=1e-9, atol_angular_speed=1e-7)
    found = run(system, 2e-3, 1e-4, settings)
    np.testing.assert_allclose(momenta(found.state), momenta(state), rtol=1e-10, atol=1e-13)
    missed = 1e-8 if joint == "journal" else 3e-6  # pins that meet their bushes make kinks in the forces
    start = found.channels["energy_kinetic"][0]
    np.testing.assert_allclose(found.channels["energy_residual"], 0.0, atol=missed * start)
    assert (found.channels["work_link_damping"][-1] > 0.0) == (damping > 0.0)


def test_a_chain_that_turns_as_one_loses_nothing_in_its_journals() -> None:
    system, bushes = ring(8, 1e-3, joint="journal", damping=50.0)
    assert channel(system, "power_link_damping", turning(system, bushes, 500.0)) == pytest.approx(0.0, abs=1e-9)


def test_a_chain_turned_or_mirrored_moves_likewise() -> None:
    count = 8
    system, _ = ring(count, 1e-3, clearance=1e-5, centre=(0.005, 0.0))
    random = np.random.default_rng(9)
    state = system.state.copy()
    state[:count] += random.normal(0.0, 1e-5, count)
    state[3 * count : 6 * count] = random.normal(0.0, 1.0, 3 * count)
    accelerations = rates(system, state)[3 * count : 6 * count].reshape(3, count)
    turn = np.exp(0.7j)

    def turned(y):
        z = y.reshape(3, count).copy()
        moved = (z[0] + 1j * z[1]) * turn
        return np.stack([moved.real, moved.imag, z[2]])

    there = state.copy()
    there[: 3 * count] = turned(state[: 3 * count]).ravel()
    there[2 * count : 3 * count] += 0.7
    there[3 * count : 6 * count] = turned(state[3 * count : 6 * count]).ravel()
    np.testing.assert_allclose(
        rates(system, there)[3 * count : 6 * count].reshape(3, count), turned(accelerations.ravel()),
        rtol=1e-9, atol=1e-6 * np.abs(accelerations).max(),
    )  # fmt: skip
    mirrored = state.copy()
    for first in (count, 2 * count, 4 * count, 5 * count):  # y and angle, and their rates
        mirrored[first : first + count] *= -1.0
    found = rates(system, mirrored)[3 * count : 6 * count].reshape(3, count)
    np.testing.assert_allclose(found[0], accelerations[0], rtol=1e-9, atol=1e-6 * np.abs(accelerations).max())
    np.testing.assert_allclose(found[1:], -accelerations[1:], rtol=1e-9, atol=1e-6 * np.abs(accelerations).max())


def test_only_losses_that_have_one_sense_hold_a_running_drive_in_balance() -> None:
    """Oil resists approach on either side of a contact: in the balance at speed it is absent, like impacts."""
    options = LinkOptions(oil_damping=10.0, surface_oil_damping=20.0, roller_damping=1e-5)
    system = compile_link(two_wheels(joint_friction=0.1, pin_diameter="4.45 mm"), options, at_speed=True)
    balanced, running = system.rest.dragged, system.parameters
    assert (running.oil_damping, running.surface_oil_damping) == (10.0, 20.0)
    assert (balanced.oil_damping, balanced.surface_oil_damping) == (0.0, 0.0)
    assert not balanced.joint.damping.any()
    assert balanced.joint_friction_radius == running.joint_friction_radius > 0.0
    assert balanced.roller_damping == running.roller_damping


def test_friction_between_the_last_link_and_the_first_is_that_of_all_joints() -> None:
    """For pins without contact it is d times the relative rate of rotation of both links, opposite on both."""
    count, damping = 7, 1e-4
    system, _ = ring(count, clearance=1e-4)
    system = replace(system, parameters=system.parameters._replace(joint_damping=damping))
    state = system.state.copy()
    turning_rate = np.random.default_rng(5).normal(0.0, 10.0, count)
    state[5 * count : 6 * count] = turning_rate
    moment = damping * (turning_rate - np.roll(turning_rate, 1))  # of joint j on the link before it
    np.testing.assert_allclose(channel(system, "pin_moment", state), moment, rtol=1e-12)
    on_links = system.masses[2 * count : 3 * count] * rates(system, state)[5 * count : 6 * count]
    np.testing.assert_allclose(on_links, np.roll(moment, -1) - moment, atol=1e-12 * np.abs(moment).max())
