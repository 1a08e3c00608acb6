"""Chains of links that move in space, without wheels: conservation laws, and closed-form solutions of vibration and
statics.
"""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from numba.core import config
from scipy.spatial.transform import Rotation

from chaindrive.contract.status import Status
from chaindrive.contract.system import System
from chaindrive.formulations.planar.parameters import WORK_LINK_DAMPING
from chaindrive.formulations.spatial import parameters as S
from chaindrive.model import SpatialOptions
from chaindrive.solvers import Integrator, SolverSettings
from chaindrive.solvers.equilibrium import equilibrium
from chaindrive.solvers.jacobian import force_jacobian
from support.small_drives import PITCH
from support.spatial_chains import (
    INERTIA,
    MASS,
    circle,
    evaluated,
    free_links,
    hold,
    links,
    open_joint,
    ring,
    set_link,
)

pytestmark = pytest.mark.skipif(bool(config.DISABLE_JIT), reason="minutes in plain Python")

PLAYS = {"bend_play": 0.0227, "twist_play": 0.0227, "pin_play": 1e-4}


def parts(state: np.ndarray, n: int) -> tuple[np.ndarray, ...]:
    """Centres, quaternions, velocities and angular velocities of links, (N, 3), (N, 4), (N, 3), (N, 3)."""
    q, v = state[: 7 * n], state[7 * n : 13 * n]
    return (
        q[: 3 * n].reshape(3, n).T,
        q[3 * n :].reshape(4, n).T,
        v[: 3 * n].reshape(3, n).T,
        v[3 * n :].reshape(3, n).T,
    )


def thrown(system: System, seed: int = 1) -> np.ndarray:
    """The state of a free ring whose links all move differently."""
    n, rng = system.parameters.links, np.random.default_rng(seed)
    y = system.state.copy()
    y[7 * n : 10 * n] += 0.3 * rng.normal(size=3 * n)
    y[10 * n : 13 * n] += 20.0 * rng.normal(size=3 * n)
    return y


def momenta(state: np.ndarray, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Momentum and angular momentum about the origin."""
    place, q, velocity, own = parts(state, n)
    spin = Rotation.from_quat(np.roll(q, -1, axis=1)).apply(own * INERTIA)
    return MASS * velocity.sum(axis=0), (MASS * np.cross(place, velocity) + spin).sum(axis=0)


def energy(system: System, state: np.ndarray) -> float:
    row = system.row(0.0, state)
    return float(sum(system.channel(f"energy_{k}").read(row) for k in ("kinetic", "elastic", "gravity")))


def after(system: System, state: np.ndarray, until: float, step: float) -> np.ndarray:
    run = Integrator(dataclasses.replace(system, state=state), SolverSettings(method="splitting", step=step), 1.0)
    while (status := run.advance(until)) == Status.RUNNING:
        pass
    assert status == Status.REACHED_END
    return run.state


def test_rows_of_links_begin_at_lines_of_the_cache() -> None:
    p = ring(34).parameters
    for table, lane in ((p.link, 1), (p.body, 1), (p.near, 0)):
        assert (table.ctypes.data + lane * table.itemsize) % 64 == 0


def test_forces_and_moments_are_all_within_the_chain() -> None:
    """At any state, with all losses: dP/dt = 0 and dL/dt = 0 to the rounding of the forces."""
    system = ring(34, damping=30.0, swing_damping=2e-4, side_damping=5.0, **PLAYS)
    n = 34
    y = thrown(system)
    y[: 7 * n] += 1e-3 * PITCH * np.random.default_rng(4).normal(size=7 * n)
    _, q, _, own = parts(y, n)
    q /= np.linalg.norm(q, axis=1, keepdims=True)
    y[3 * n : 7 * n] = q.T.ravel()
    dy = evaluated(system, y)
    place, _, acceleration, turning = parts(y, n)[0], *parts(np.concatenate([y[: 7 * n], dy[7 * n :]]), n)[1:]
    torque = turning * INERTIA + np.cross(own, own * INERTIA)
    change = np.cross(place, MASS * acceleration) + Rotation.from_quat(np.roll(q, -1, axis=1)).apply(torque)
    largest = MASS * np.abs(acceleration).max()
    assert np.abs(MASS * acceleration.sum(axis=0)).max() < 1e-14 * n * largest
    assert np.abs(change.sum(axis=0)).max() < 1e-14 * n * largest * np.abs(place).max()


def test_a_free_ring_keeps_momentum_and_angular_momentum_to_rounding_and_energy_to_second_order() -> None:
    system = ring(40, **PLAYS)
    start, n = thrown(system), 40
    linear, angular = momenta(start, n)
    stored = energy(system, start)
    missing = []
    for step in (4e-6, 2e-6, 1e-6):
        run = Integrator(dataclasses.replace(system, state=start), SolverSettings(method="splitting", step=step), 1.0)
        errors = []
        for instant in np.linspace(0.0, 0.02, 21)[1:]:
            assert run.advance(instant) == Status.REACHED_END
            errors.append((energy(system, run.state) - stored) / stored)
        end = run.state
        found = momenta(end, n)
        scale = MASS * np.abs(parts(start, n)[2]).sum()
        assert np.abs(found[0] - linear).max() < 1e-14 * scale
        assert np.abs(found[1] - angular).max() < 1e-11 * np.abs(angular).max()
        assert np.abs((parts(end, n)[1] ** 2).sum(axis=1) - 1.0).max() < 1e-11
        missing.append(np.linalg.norm(errors) / len(errors) ** 0.5)
    # The error of the energy of a symplectic method goes up and down: its size, over all of the run, falls with the
    # square of the step.
    assert missing[0] < 0.05
    assert missing[2] < 0.25 * missing[0]
    assert missing[2] < 3e-3


def test_the_rotation_vector_makes_energy_out_of_nothing() -> None:
    """Omar's bushing in a ring of eleven links, without damping: it flutters, and shorter steps do not stop it.

    Where its torque is off by the angle a, half that of the pin, a swing z of a link has z'' + w^2 exp(-i a) z = 0,
    which grows at w sin(a/2): at a = 16.4 degrees it takes 14 % of the critical damping to hold it.
    """
    grown = {}
    for bushing in ("quaternion", "rotation-vector"):
        data = links(11, bend_stiffness=300.0, twist_stiffness=50.0)
        system = free_links(data, circle(11), options=SpatialOptions(bushing=bushing))
        start = thrown(system)
        for step in (1e-6, 5e-7):
            end = after(system, start, 5e-4, step)
            grown[bushing, step] = energy(system, end) / energy(system, start) - 1.0
    assert abs(grown["quaternion", 5e-7]) < 1e-3
    assert grown["rotation-vector", 5e-7] > 1e3
    assert grown["rotation-vector", 5e-7] == pytest.approx(grown["rotation-vector", 1e-6], rel=0.05)


def test_losses_are_what_goes_missing() -> None:
    """Losses equal the decrease of energy to second order, though the damping of single links settles within some
    twenty steps.
    """
    system = ring(40, damping=20.0, swing_damping=2e-4, **PLAYS)
    start, missing = thrown(system), []
    for step in (2e-6, 1e-6, 5e-7):
        end = after(system, start, 0.01, step)
        lost = end[system.parameters.planar.layout.work + WORK_LINK_DAMPING]
        missing.append((energy(system, start) - energy(system, end) - lost) / lost)
    assert lost > 0.3 * energy(system, start)
    assert abs(missing[2]) < 1e-3
    assert missing[0] / missing[1] == pytest.approx(4.0, rel=0.15)
    assert missing[1] / missing[2] == pytest.approx(4.0, rel=0.15)


def test_quaternions_come_back_to_their_length_in_the_course_of_time() -> None:
    """e(t) = e0 exp(-2 a t), to first order in e0, with the method that needs it."""
    rate, n, until = 300.0, 12, 4e-3
    system = free_links(links(n), circle(n), options=SpatialOptions(quaternion_feedback=rate))
    y = system.state.copy()
    y[3 * n : 7 * n] *= 1.0 - 5e-7
    e0 = 1.0 - (parts(y, n)[1] ** 2).sum(axis=1)
    run = Integrator(dataclasses.replace(system, state=y), SolverSettings(atol_angle=1e-13, atol_length=1e-13), 1.0)
    while (status := run.advance(until)) == Status.RUNNING:
        pass
    assert status == Status.REACHED_END
    e = 1.0 - (parts(run.state, n)[1] ** 2).sum(axis=1)
    np.testing.assert_allclose(e, e0 * np.exp(-2.0 * rate * until), rtol=1e-4)


def test_quaternions_come_back_to_their_length_at_the_rate_they_are_given() -> None:
    """e = 1 - q.q: e' = -2 a e q.q, hence e = e0 exp(-2 a t) for small e."""
    rate, n = 300.0, 12
    system = free_links(links(n), circle(n), options=SpatialOptions(quaternion_feedback=rate))
    y = system.state.copy()
    y[3 * n : 7 * n] *= 1.0 + 1e-6
    dy = evaluated(system, y)
    e = 1.0 - (parts(y, n)[1] ** 2).sum(axis=1)
    change = -2.0 * (y[3 * n : 7 * n] * dy[3 * n : 7 * n]).reshape(4, n).sum(axis=0)
    np.testing.assert_allclose(change, -2.0 * rate * e, rtol=1e-5)


# The infinite straight chain ------------------------------------------------------------------------------------------

KX, KZ, KB, KT, TENSION = 1e7, 0.7e7, 300.0, 100.0, 200.0


def middle_blocks() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Stiffness between a link of a straight chain under tension and the link before it, itself, and the next, (6, 6).

    That chain is open; the ends do not affect the middle.
    """
    n, at = 9, 4
    bushes = np.zeros((n, 3))
    bushes[:, 0] = (PITCH + TENSION / KX) * np.arange(n)
    system = free_links(links(n, stiffness=KX, side_stiffness=KZ, bend_stiffness=KB, twist_stiffness=KT), bushes)
    open_joint(system.parameters, 0)
    place = system.state[: 7 * n].reshape(7, n)
    place[:3], place[0] = 0.0, bushes[:, 0]
    place[3:], place[3] = 0.0, 1.0
    stiffness = -force_jacobian(system, 0.0, system.state, 1e-7).toarray().reshape(6, n, 6, n)
    return tuple(stiffness[:, at, :, at + k] for k in (-1, 0, 1))


def squares(kappa: float) -> np.ndarray:
    """The six squares of frequencies at a wave number. [rad^2/s^2]"""
    e, d = np.exp(1j * kappa), TENSION / KX
    sine = np.sin(0.5 * kappa)
    found = [4.0 * KX / MASS * sine**2, 4.0 * KT / INERTIA[0] * sine**2]
    c, turn = np.array([[e - 1.0, -0.5 * PITCH * (e + 1.0)]]), np.array([[0.0, 1.0]])
    for k, inertia, bend in ((KX, INERTIA[2], 0.0), (KZ, INERTIA[1], KB)):
        b = c - d * turn
        matrix = k * b.conj().T @ b + TENSION * (c.conj().T @ turn + turn.T @ c - d * turn.T @ turn)
        matrix += np.diag([0.0, TENSION * PITCH + bend * abs(e - 1.0) ** 2])
        found += list(np.linalg.eigvalsh(matrix / np.sqrt(np.outer([MASS, inertia], [MASS, inertia]))))
    return np.sort(found)


def test_all_frequencies_of_an_endless_chain_under_tension() -> None:
    """Energy of a joint to second order, D the vector from pin to bush, d = T/k its length at rest, x along the chain:

        axial and twist: w = 2 sqrt(k/m) sin(kappa/2);
        across, at (displacement, angle) of a link, E = exp(i kappa), c = [E - 1, -(P/2)(E + 1)], e = [0, 1]:
        k |c - d e|^2/2 + T (P/2 |e|^2 + Re(c* e) - d |e|^2/2) + kr |E - 1|^2 |e|^2/2.

    Where the stiffness across is that along the chain the terms in d fall out: k c^H c + T P.
    """
    before, own, behind = middle_blocks()
    masses = np.array([MASS, MASS, MASS, *INERTIA])
    for kappa in np.linspace(0.1, np.pi, 12):
        e = np.exp(1j * kappa)
        matrix = before / e + own + behind * e
        found = np.linalg.eigvalsh(0.5 * (matrix + matrix.conj().T) / np.sqrt(np.outer(masses, masses)))
        # Differences over 1e-7 of forces of 200 N: 2e-16 x 200/1e-7 of the stiffness 1e7 is 4e-14, and the third order
        # of the turns 1e-14; frequencies of strings are 1e-4 of the largest.
        np.testing.assert_allclose(np.sqrt(found), np.sqrt(squares(kappa)), rtol=1e-8)


def test_a_string_of_stiff_links_has_the_frequency_of_one_with_rigid_links() -> None:
    """T = 200 N, 12 links per wave: 1346.04 rad/s with k = 1e7, 1347.05 with rigid links (w^2 of the module's
    facts).
    """
    kappa = 2.0 * np.pi / 12
    s, c = np.sin(0.5 * kappa), np.cos(0.5 * kappa)
    rigid = 4.0 * TENSION / PITCH * s**2 / (MASS * c**2 + 4.0 * INERTIA[2] / PITCH**2 * s**2)
    assert np.sqrt(squares(kappa)[0]) < np.sqrt(rigid)
    assert np.sqrt(squares(kappa)[0]) == pytest.approx(np.sqrt(rigid), rel=1.5e-3)


# Statics --------------------------------------------------------------------------------------------------------------


def offset_span(count: int, delta: float, tension: float, **given) -> tuple[float, float]:
    """Lateral force and tension at the end of a span of free links between two held ones, offset by delta. [N]

    The joint at the far side is open, so that nothing closes the loop.
    """
    n = count + 2
    bushes = np.zeros((n, 3))
    bushes[:, 0] = PITCH * np.arange(n)
    system = free_links(links(n, **given), bushes)
    p = system.parameters
    open_joint(p, 0)
    place = system.state[: 7 * n].reshape(7, n)
    place[:3], place[3:], place[3] = 0.0, 0.0, 1.0
    # Every joint is stretched by T/k; the free links lie on the line between the ends.
    place[0] = (PITCH + tension / 1e7) * np.arange(n)
    place[2, 1:-1] = delta * (np.arange(count) + 0.5) / count
    place[2, -1] = delta
    hold(p, 0)
    hold(p, n - 1)
    # Longer by the way aside: the last link moves up by what that takes.
    place[0, -1] -= 0.5 * delta**2 / (count * PITCH)
    place[0, 1:-1] -= 0.5 * delta**2 / (count * PITCH) * (np.arange(count) + 0.5) / count
    masses = system.masses.reshape(6, n).copy()
    masses[:, [0, -1]] = np.inf
    found = equilibrium(dataclasses.replace(system, masses=masses.ravel()), tolerance=1e-3)
    assert found.converged
    row = system.row(0.0, found.state)
    force = system.channel("bushing_force").read(row)
    slope = system.channel("link_orientation").read(row)
    turned = Rotation.from_quat(np.roll(slope[n - 2], -1)).apply(force[n - 1])
    return float(abs(turned[2])), float(turned[0])


@pytest.mark.parametrize("bend", [50.0, 500.0])
def test_lateral_load_of_an_offset_span(bend: float) -> None:
    """F = T delta/(P (n - sinh(n k/2)/(sinh(k/2) cosh((n + 1) k/2)))), k = 2 asinh(sqrt(T P/kb)/2): n rigid links
    between two clamped ones, joints of bending stiffness kb.
    """
    n, delta = 36, 0.01
    force, tension = offset_span(n, delta, 240.0, bend_stiffness=bend)
    k = 2.0 * np.arcsinh(0.5 * np.sqrt(tension * PITCH / bend))
    rest = np.sinh(0.5 * n * k) / (np.sinh(0.5 * k) * np.cosh(0.5 * (n + 1) * k))
    assert force == pytest.approx(tension * delta / (PITCH * (n - rest)), rel=5e-3)
    assert force > 1.2 * tension * delta / (n * PITCH)


def test_play_takes_the_bending_from_an_offset_span() -> None:
    """While its angle is within the play of the joints: tension times slope."""
    force, tension = offset_span(36, 0.01, 240.0, bend_stiffness=500.0, bend_play=np.radians(1.3))
    assert force == pytest.approx(tension * 0.01 / (36 * PITCH), rel=5e-3)


def test_a_span_that_uses_up_the_play_of_its_end_joints_bends_there_only() -> None:
    """F = T (delta/P - 2 a)/(n - 2), a = (P F + kb g)/(kb + T P): the first and last of n free links turn by a, beyond
    the play g of the joints at the held ones, against their stiffness kb; all between are straight, within their play.
    """
    n, delta, bend, play = 36, 0.018, 500.0, np.radians(1.3)
    force, tension = offset_span(n, delta, 240.0, bend_stiffness=bend, bend_play=play)
    end = 1.0 / (bend + tension * PITCH)
    expected = tension * (delta / PITCH - 2.0 * bend * play * end) / (n - 2 + 2.0 * tension * PITCH * end)
    turned = (PITCH * expected + bend * play) * end
    assert play < turned
    assert expected / tension - turned < play  # so the second joint does not bend
    assert force == pytest.approx(expected, rel=5e-3)
    assert force > 1.02 * tension * delta / (n * PITCH)


# Hanging chains -------------------------------------------------------------------------------------------------------


def hanging(count: int, bend: float) -> System:
    """A number of links that hang below a fixed one, with their pins along z."""
    n = count + 1
    bushes = np.zeros((n, 3))
    bushes[:, 1] = -PITCH * np.arange(n)
    data = links(n, stiffness=1e6, side_stiffness=1e6, bend_stiffness=bend, twist_stiffness=bend)
    system = free_links(data, bushes, (0.0, -9.81))
    p, place = system.parameters, system.state[: 7 * n].reshape(7, n)
    along = place[3:, 1].copy()
    place[0], place[2] = 0.0, 0.0
    place[1] = -PITCH * (np.arange(n) + 0.5)
    place[3:] = along[:, None]
    open_joint(p, 0)
    set_link(p, S.STIFF_BEND, 1, 0.0)  # the first joint is a hinge in both planes
    hold(p, 0)
    hung = MASS * 9.81 * (n - 1 - np.arange(n - 1)) / 1e6
    place[1, 1:] -= np.cumsum(hung)
    return system


def modes(system: System) -> np.ndarray:
    """Frequencies of the links that hang. [rad/s]"""
    n = system.parameters.links
    stiffness = -force_jacobian(system, 0.0, system.state, 1e-6).toarray().reshape(6, n, 6, n)[:, 1:, :, 1:]
    masses = np.array([MASS, MASS, MASS, *INERTIA])
    root = np.sqrt(np.outer(np.repeat(masses, n - 1), np.repeat(masses, n - 1)))
    matrix = stiffness.reshape(6 * n - 6, 6 * n - 6) / root
    return np.sqrt(np.maximum(np.linalg.eigvalsh(0.5 * (matrix + matrix.T)), 0.0))


def test_a_hanging_chain_swings_as_a_chain_in_its_plane_and_as_a_rod_across_it() -> None:
    """In the plane: hinged rods, M_ij = m P^2 (n - max(i, j) + ...) exactly; nearly 1.2024 sqrt(g/L) of a string.
    Across, joints stiff: a rod, M w^2 = m g L/2 over its inertia about the joint; nearly sqrt(1.5 g/L).
    """
    n = 24
    found = modes(hanging(n, 2e3))
    i = np.arange(1, n + 1)
    heavier = np.maximum(i[:, None], i[None, :])
    mass = MASS * PITCH**2 * (n - heavier + 0.5) + np.diag(np.full(n, INERTIA[2] - 0.25 * MASS * PITCH**2))
    stiffness = np.diag(MASS * 9.81 * PITCH * (n - i + 0.5))
    hinged = np.sqrt(np.linalg.eigvals(np.linalg.solve(mass, stiffness)).real.min())
    length = n * PITCH
    rod = MASS * n * 9.81 * 0.5 * length
    inertia = n * INERTIA[1] + MASS * PITCH**2 * ((i - 0.5) ** 2).sum()
    assert hinged == pytest.approx(1.2024 * np.sqrt(9.81 / length), rel=0.01)
    assert found[0] == pytest.approx(hinged, rel=1e-4)
    near = found[np.argmin(np.abs(found - np.sqrt(rod / inertia)))]
    assert near == pytest.approx(np.sqrt(rod / inertia), rel=2e-3)
    assert near == pytest.approx(np.sqrt(1.5 * 9.81 / length), rel=0.02)
    assert near > 1.01 * found[0]


def test_a_link_on_a_ball_joint_is_a_conical_pendulum() -> None:
    """W^2 = m g l/((Iy + m l^2 - Ix) cos th), for a rigid body of slender shape turning about the vertical."""
    n, tilt = 3, 0.4
    system = hanging(n - 1, 1e-30)
    open_joint(system.parameters, 2)
    hold(system.parameters, 2)
    lever = 0.5 * PITCH
    inertia = (INERTIA[0], INERTIA[1], INERTIA[1])
    p = system.parameters
    for link in range(n):
        set_link(p, S.I3, link, INERTIA[1])
    set_link(p, S.INVERSE3, 1, 1.0 / INERTIA[1])
    p.inertia[:] = np.repeat([*inertia, *(1.0 / np.array(inertia))], n)
    p.gyration[:] = np.repeat([0.0, (inertia[2] - inertia[0]) / inertia[1], (inertia[0] - inertia[1]) / inertia[2]], n)
    rate = np.sqrt(MASS * 9.81 * lever / ((inertia[1] + MASS * lever**2 - inertia[0]) * np.cos(tilt)))
    y = system.state.copy()
    place, speed = y[: 7 * n].reshape(7, n), y[7 * n : 13 * n].reshape(6, n)
    q = Rotation.from_rotvec([0.0, 0.0, tilt]) * Rotation.from_quat(np.roll(place[3:, 1], -1))
    pull = np.array([rate**2 * lever * np.sin(tilt), -9.81, 0.0])
    place[3:, 1] = np.roll(q.as_quat(), 1)
    place[:3, 1] = [0.0, -PITCH, 0.0] + q.apply([lever, 0.0, 0.0]) + MASS * pull / 1e6
    spin = np.array([0.0, rate, 0.0])
    speed[:3, 1] = np.cross(spin, place[:3, 1] - [0.0, -PITCH, 0.0])
    speed[3:, 1] = q.inv().apply(spin)
    end = after(system, y, np.pi / rate, 4e-6)
    half = end[: 7 * n].reshape(7, n)[:3, 1]
    expected = place[:3, 1] * [-1.0, 1.0, 1.0]  # half a turn later on the other side, as high
    np.testing.assert_allclose(half, expected, atol=2e-4 * lever)
