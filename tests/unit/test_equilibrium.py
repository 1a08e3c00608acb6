"""Static equilibria with known answers: catenary, one-sided floor, slack ring on a peg, a wheel under load."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pytest

from chaindrive.contract.colouring import chain_colouring
from chaindrive.contract.kernels import Kernels
from chaindrive.contract.motion import Motion
from chaindrive.contract.rest import Rest
from chaindrive.contract.states import Kind
from chaindrive.contract.story import Story
from chaindrive.contract.system import System
from chaindrive.formulations.planar.endings import CHAIN_JUMPED_TOOTH
from chaindrive.kernels import kernel
from chaindrive.solvers.equilibrium import equilibrium
from chaindrive.solvers.jacobian import force_jacobian, forces_at_rest

GRAVITY = 9.81


class Net(NamedTuple):
    """Point masses joined by springs, over a one-sided floor y = 0 and a bumpy round wheel at the origin."""

    links: int
    closed: bool
    stiffness: float  # of a link, K [N/m]
    length: float
    masses: np.ndarray  # of every position
    floor: float  # F = k d^1.5 [N/m^1.5]
    peg: float
    radius: float
    bump: float  # radius + bump cos(teeth (phi - theta))
    teeth: int
    torque: float
    lowest: float  # begin refuses anything below
    seen: np.ndarray  # memory: y of mass 0 at the last begin


@kernel
def net_rhs(t, y, dy, p):
    n, q = p.links, 2 * p.links + 1
    force = dy[q:]
    for i in range(q):
        dy[i], force[i] = y[q + i], 0.0
    for i in range(n if p.closed else n - 1):
        j = (i + 1) % n
        rx, ry = y[j] - y[i], y[n + j] - y[n + i]
        length = np.sqrt(rx * rx + ry * ry)
        pull = p.stiffness * (length - p.length) / length
        force[i] += pull * rx
        force[j] -= pull * rx
        force[n + i] += pull * ry
        force[n + j] -= pull * ry
    force[2 * n] = p.torque
    for i in range(n):
        force[n + i] += p.floor * max(-y[n + i], 0.0) ** 1.5
        if np.isfinite(p.masses[i]):
            force[n + i] -= p.masses[i] * 9.81
        r = np.sqrt(y[i] ** 2 + y[n + i] ** 2)
        if p.peg == 0.0 or r > p.radius + abs(p.bump):
            continue
        phase = p.teeth * (np.arctan2(y[n + i], y[i]) - y[2 * n])
        depth = p.radius + p.bump * np.cos(phase) - r
        if depth > 0.0:
            normal = p.peg * depth**1.5
            along = normal * p.bump * p.teeth * np.sin(phase)
            force[i] += (normal * y[i] - along * y[n + i] / r) / r
            force[n + i] += (normal * y[n + i] + along * y[i] / r) / r
            force[2 * n] -= along
    for i in range(q):
        force[i] /= p.masses[i]


@kernel
def net_begin(t, y, p):
    p.seen[0] = y[p.links]
    for i in range(p.links, 2 * p.links):
        if y[i] < p.lowest:
            return 20
    return 0


@kernel
def net_unused(t, y, p):
    raise RuntimeError("statics calls neither accept nor record")


def net(x, y, *, mass=1.0, fixed=(), inertia=np.inf, angle=0.0, **physics):
    """A System of len(x) masses and one wheel angle; ``fixed`` masses have a prescribed motion."""
    n = len(x)
    masses = np.full(2 * n + 1, float(mass))
    masses[-1] = inertia
    for i in fixed:
        masses[[i, n + i]] = np.inf
    given = {
        "closed": False,
        "stiffness": 0.0,
        "length": 1.0,
        "floor": 0.0,
        "peg": 0.0,
        "radius": 1.0,
        "bump": 0.0,
        "teeth": 1,
        "torque": 0.0,
        "lowest": -np.inf,
    } | physics
    colours, neighbours = chain_colouring(n, 2, border=1)
    return System(
        kernels=Kernels(rhs=net_rhs, accept=net_unused, record=net_unused, begin=net_begin),
        parameters=Net(links=n, masses=masses, seen=np.array([np.nan]), **given),
        memory=("seen",),
        state=np.concatenate([x, y, [angle], np.zeros(2 * n + 1)]),
        positions=2 * n + 1,
        kinds=np.array([Kind.LENGTH] * 2 * n + [Kind.ANGLE] + [Kind.SPEED] * 2 * n + [Kind.ANGULAR_SPEED]),
        channels=(),
        labels={},
        masses=masses,
        motion=Motion(rolling=np.zeros(2 * n + 1), highest_frequency=2.0 * np.sqrt(given["stiffness"] / mass)),
        rest=Rest(colours=colours, neighbours=neighbours),
        story=Story(endings=(CHAIN_JUMPED_TOOTH,)),
    )


def hanging(n, pull, stiffness, mass, length):
    """Exact positions of n + 1 masses between two supports of equal height with the horizontal force ``pull``.

    Link k carries (H, V_k) with V_k = (k - (n - 1) / 2) m g, is parallel to it and l0 + |T_k|/K long.
    """
    weight = (np.arange(n) - 0.5 * (n - 1)) * mass * GRAVITY
    tension = np.hypot(pull, weight)
    stretched = length + tension / stiffness
    x = np.concatenate([[0.0], np.cumsum(stretched * pull / tension)])
    y = np.concatenate([[0.0], np.cumsum(stretched * weight / tension)])
    return x, y


def straight(x):
    return np.linspace(x[0], x[-1], len(x)), np.zeros(len(x))


def test_tight_chain_hangs_in_its_catenary():
    n, stiffness, line_mass, span, pull = 40, 1e8, 0.69, 0.5, 100.0
    length, arc = span / n, span
    for _ in range(20):  # the unstretched length for which the span is 0.5 m
        x, y = hanging(n, pull, stiffness, line_mass * arc / n, length)
        length *= span / x[-1]
        arc = np.hypot(np.diff(x), np.diff(y)).sum()
    system = net(*straight(x), mass=line_mass * arc / n, fixed=(0, n), stiffness=stiffness, length=length)
    found = equilibrium(system)
    assert found.converged
    assert found.method == "newton"
    assert found.residual <= found.tolerance
    # The softest mode of the string has the stiffness T pi^2 / (n L) = 49 N/m for each mass: 1e-6 N move it 2e-8 m.
    assert np.abs(found.state[: n + 1] - x).max() < 5e-8
    assert np.abs(found.state[n + 1 : 2 * n + 2] - y).max() < 5e-8
    # f = H/(w) (cosh(w L / 2H) - 1), w = 0.69 kg/m * g: 2.11533 mm. The funicular polygon of equal weights at equal
    # distances is inscribed in the parabola 2.11528 mm; catenary and parabola differ by 5e-8 m, twice that is allowed.
    w = line_mass * GRAVITY
    sag = pull / w * (np.cosh(w * span / 2.0 / pull) - 1.0)
    assert sag == pytest.approx(2.11533e-3, abs=5e-9)
    assert -found.state[n + 1 : 2 * n + 2].min() == pytest.approx(sag, abs=1e-7)


@pytest.mark.parametrize("n", [5, pytest.param(14, marks=pytest.mark.long)])
def test_chain_with_slack_falls_into_its_catenary(n):
    """It starts as a line under compression and reaches a sag of a sixth of the span."""
    stiffness = 1e7
    x, y = hanging(n, 9.0 * n / 14, stiffness, 0.1, 0.05)
    assert -y.min() > 0.17 * x[-1]
    system = net(*straight(x), mass=0.1, fixed=(0, n), stiffness=stiffness, length=0.05)
    found = equilibrium(system)
    assert found.converged
    assert np.abs(found.state[n + 1 : 2 * n + 2] - y).max() < 1e-7
    assert np.abs(found.state[: n + 1] - x).max() < 1e-7


def test_tight_string_is_straight():
    """K = 8e8 N/m, 20 kN, started with zigzag errors of 0.1 mm, that is 80 kN."""
    n, stiffness, tension = 15, 8.15e8, 2e4
    x, y = hanging(n, tension, stiffness, 3.0, 0.114)
    rng = np.random.default_rng(1)
    noise = 1e-4 * rng.standard_normal((2, n + 1)) * (np.arange(n + 1) % n > 0)
    found = equilibrium(net(x + noise[0], y + noise[1], mass=3.0, fixed=(0, n), stiffness=stiffness, length=0.114))
    assert found.converged
    assert np.abs(found.state[n + 1 : 2 * n + 2] - y).max() < 1e-8
    assert found.iterations < 25


def test_masses_come_to_rest_on_a_one_sided_floor():
    heights = np.array([0.02, 1e-5, 0.0, -1e-6, -1e-3, -0.05])
    found = equilibrium(net(np.arange(6.0), heights, mass=3.0, floor=1e9), largest_step=1e-3)
    assert found.converged
    depth = (3.0 * GRAVITY / 1e9) ** (2.0 / 3.0)  # m g = K d^1.5
    # dF/dd = 1.5 K d^0.5 = 4.6e6 N/m: 1e-6 N are 2e-13 m
    assert np.allclose(-found.state[6:12], depth, rtol=0.0, atol=1e-12)
    assert np.array_equal(found.state[:6], np.arange(6.0))  # nothing pulls sideways: rollers stay where they are


def test_quadratic_convergence_near_the_end():
    system = net(np.zeros(1), np.array([-0.012]), mass=3.0, floor=1e4)
    found = equilibrium(system, largest_step=1.0)
    errors = np.array(found.history)
    # Newton on F = m g - K d^1.5: e' = e^2 F''/(2 F'^2), F' = 1.5 K d^0.5, F'' = 0.75 K d^-0.5
    depth = (3.0 * GRAVITY / 1e4) ** (2.0 / 3.0)
    factor = 0.75e4 / np.sqrt(depth) / 2.0 / (1.5e4 * np.sqrt(depth)) ** 2
    inside = (errors[:-1] < 1.0) & (errors[:-1] > 1e-4)
    assert inside.any()
    assert np.allclose(errors[1:][inside], factor * errors[:-1][inside] ** 2, rtol=0.02, atol=1e-10)


@pytest.mark.parametrize("n", [11, pytest.param(13, marks=pytest.mark.long), 31])
def test_slack_ring_hangs_over_a_peg(n):
    """A regular polygon around a peg, twice too large for it, falls until it hangs: slack, stiff, partly in contact."""
    angle = 2.0 * np.pi * (np.arange(n) + 0.3) / n
    x, y = np.cos(angle), np.sin(angle)
    length = 2.0 * np.sin(np.pi / n)
    system = net(x, y, mass=0.5, closed=True, stiffness=1e7, length=length, peg=1e8, radius=0.5)
    found = equilibrium(system, largest_step=0.05)
    assert found.converged
    x, y = found.state[:n], found.state[n : 2 * n]
    assert y.min() < -1.0
    touching = np.hypot(x, y) < 0.5
    assert 1 <= touching.sum() < n
    # Mutual forces cancel: the contacts carry the weight.
    normal = 1e8 * np.maximum(0.5 - np.hypot(x, y), 0.0) ** 1.5
    assert normal @ (y / np.hypot(x, y)) == pytest.approx(n * 0.5 * GRAVITY, rel=1e-7)
    assert normal @ (x / np.hypot(x, y)) == pytest.approx(0.0, abs=1e-4)
    # Stable: no direction in which the forces drive away from it.
    jacobian = force_jacobian(system, 0.0, found.state, 1e-7).toarray()[:-1, :-1]
    assert np.linalg.eigvalsh(jacobian + jacobian.T).max() < 1.0  # N/m, against stiffnesses of 1e7


def test_stiff_tight_ring_of_122_rollers_presses_on_a_round_support():
    """K = 815e6 N/m, 12 kN of tension, placed with errors of 0.1 mm, equivalent to 80 kN: a few linear solutions
    suffice.
    """
    n, pitch, stiffness, peg = 122, 0.1143, 815e6, 1e9
    radius, length = pitch / (2.0 * np.sin(np.pi / n)), pitch - 1.5e-5
    angle = 2.0 * np.pi * np.arange(n) / n
    noise = 1e-4 * np.random.default_rng(0).standard_normal((2, n))
    system = net(
        radius * np.cos(angle) + noise[0],
        radius * np.sin(angle) + noise[1],
        mass=3.0,
        closed=True,
        stiffness=stiffness,
        length=length,
        peg=peg,
        radius=radius,
    )
    found = equilibrium(system)
    assert found.converged
    assert found.iterations < 40
    x, y = found.state[:n], found.state[n : 2 * n]
    r = np.hypot(x, y)
    tension = stiffness * (np.hypot(np.roll(x, -1) - x, np.roll(y, -1) - y) - length)
    # Without gravity the ring is regular: 2 T sin(pi/n) = k d^1.5 with T = K (2 (R - d) sin(pi/n) - l). On a support
    # without friction weight makes T(top) - T(bottom) = (m g / P) 2 R = m g n / pi = 1.14 kN and keeps the means.
    depth = 0.0
    for _ in range(50):
        mean = stiffness * (2.0 * (radius - depth) * np.sin(np.pi / n) - length)
        depth = (2.0 * mean * np.sin(np.pi / n) / peg) ** (2.0 / 3.0)
    assert tension.mean() == pytest.approx(mean, rel=0.02)
    assert np.ptp(tension) == pytest.approx(3.0 * GRAVITY * n / np.pi, rel=0.01)
    assert (radius - r).mean() == pytest.approx(depth, rel=0.02)


def test_free_wheel_turns_until_the_masses_carry_its_torque():
    """Masses pulled onto a bumpy wheel by their links; the wheel, loaded by a torque, is a border of the Jacobian."""
    n, torque = 12, 30.0
    angle = 2.0 * np.pi * np.arange(n) / n
    system = net(
        0.5 * np.cos(angle),
        0.5 * np.sin(angle),
        mass=0.5,
        closed=True,
        stiffness=1e6,
        length=np.sin(np.pi / n) * 0.97,
        peg=1e8,
        radius=0.5,
        bump=-0.01,
        teeth=n,
        torque=torque,
        inertia=2.0,
        fixed=(0,),
    )
    found = equilibrium(system)
    assert found.converged
    theta = found.state[2 * n]
    assert 1e-4 < theta < 0.5 * np.pi / n  # turned by less than half of the way from seat to tip
    force = forces_at_rest(system, 0.0, found.state)
    assert abs(force[2 * n]) <= found.tolerance
    assert (
        np.abs(
            forces_at_rest(replace(system, parameters=system.parameters._replace(torque=0.0)), 0.0, found.state)[2 * n]
            + torque
        )
        <= found.tolerance
    )


def test_prescribed_wheel_stays():
    n = 12
    angle = 2.0 * np.pi * np.arange(n) / n
    system = net(
        0.5 * np.cos(angle),
        0.5 * np.sin(angle),
        closed=True,
        stiffness=1e6,
        length=0.25,
        peg=1e8,
        radius=0.5,
        bump=-0.01,
        teeth=n,
        torque=1e5,
        angle=0.02,
    )
    found = equilibrium(system)
    assert found.converged
    assert found.state[2 * n] == 0.02


def test_settling_takes_over_where_newton_runs_out_of_steps():
    heights = np.array([0.02, 0.0, -1e-3])
    system = net(np.arange(3.0), heights, mass=3.0, floor=1e6)
    found = equilibrium(system, max_iterations=5, largest_step=1e-3)  # 20 mm cannot be fallen in 5 steps of 1 mm
    assert found.method == "settling"
    assert found.converged
    assert np.allclose(-found.state[3:6], (3.0 * GRAVITY / 1e6) ** (2.0 / 3.0), rtol=1e-7)


def test_no_equilibrium_is_said_and_memory_is_that_of_the_best_position():
    system = net(np.arange(2.0), np.ones(2), lowest=0.5)  # nothing to rest on; refused below 0.5 m
    found = equilibrium(system, max_iterations=30, largest_step=0.1)
    assert not found.converged
    assert found.status == CHAIN_JUMPED_TOOTH
    assert found.residual == pytest.approx(GRAVITY)
    assert system.parameters.seen[0] == found.state[2]


def test_start_velocities_and_start_state_are_left_alone():
    system = net(np.arange(2.0), np.array([0.0, -1e-3]), mass=3.0, floor=1e6)
    system.state[5:] = 7.0
    before = system.state.copy()
    found = equilibrium(system)
    assert np.array_equal(system.state, before)
    assert not found.state[5:].any()
    assert system.parameters.seen[0] == found.state[2]  # memory belongs to the equilibrium


def test_tolerance_below_rounding_is_not_claimed():
    n = 10
    x, y = hanging(n, 2e4, 8.15e8, 3.0, 0.114)
    system = net(x + 5.0, y, mass=3.0, fixed=(0, n), stiffness=8.15e8, length=0.114)
    found = equilibrium(system, tolerance=1e-12, max_iterations=30, ways=())
    assert not found.converged
    assert equilibrium(system).converged


def test_not_a_number_is_not_an_equilibrium():
    system = net(np.arange(2.0), np.array([0.0, np.nan]), mass=3.0, floor=1e6)
    found = equilibrium(system)
    assert not found.converged
    assert found.iterations == 0


def test_nothing_free_is_refused():
    with pytest.raises(ValueError, match="prescribed"):
        equilibrium(net(np.arange(2.0), np.zeros(2), fixed=(0, 1)))


def test_the_limit_of_a_search_is_one_of_effort_and_is_told():
    """The limit is not one of time: a busy machine finds the same, and the message does not blame the drive."""
    x, _ = hanging(8, 50.0, 1e5, 0.02, 0.1)
    system = net(*straight(x), mass=0.02, stiffness=1e5, length=0.1, fixed=(0, 8))
    begin = system.kernels.begin

    def slow(*arguments):
        time.sleep(0.002)
        return begin(*arguments)

    whole = equilibrium(system)
    assert whole.converged
    assert not whole.exhausted
    limited = equilibrium(system, effort=2.0 * system.velocities)
    assert limited.exhausted
    assert not limited.converged
    busy = equilibrium(replace(system, kernels=system.kernels._replace(begin=slow)), effort=2.0 * system.velocities)
    np.testing.assert_array_equal(busy.state, limited.state)
    assert busy.iterations == limited.iterations
