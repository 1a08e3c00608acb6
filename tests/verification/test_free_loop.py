"""A closed chain that runs free of wheels and gravity keeps its shape: T = rho v^2."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from chaindrive.analyses.analytical.formulas import free_polygon_tension
from support.small_drives import SolverSettings, chain, channel, free_chain, order_of, rates, run


def moving(links, position, velocity, **of_chain):
    """A free chain with its rollers at position (N, 2) and their velocity (N, 2)."""
    system = free_chain(chain(links, **of_chain), (0.0, 0.0), position)
    state = system.state.copy()
    state[2 * links : 4 * links] = velocity.T.ravel()
    return replace(system, state=state)


def polygon(links, angular_velocity, stiffness=1e6, mass=0.0088, pitch=0.0127):
    """A regular polygon that turns with ``angular_velocity``, stretched accordingly; and its radius.

    Sum of both link forces on a roller: 2 T sin(pi/N) = m w^2 R. With the chord l = 2 R sin(pi/N) and T = K (l - P):
    K (l - P) = m w^2 l/(4 sin^2(pi/N)).
    """
    half = np.pi / links
    chord = stiffness * pitch / (stiffness - mass * angular_velocity**2 / (4.0 * np.sin(half) ** 2))
    radius = chord / (2.0 * np.sin(half))
    angle = 2.0 * half * np.arange(links)
    position = radius * np.column_stack([np.cos(angle), np.sin(angle)])
    velocity = angular_velocity * np.column_stack([-position[:, 1], position[:, 0]])
    return moving(links, position, velocity, link_stiffness=stiffness, link_mass=mass, pitch=pitch), radius


@pytest.mark.parametrize("links", [3, 12, 60])
def test_tension_of_a_turning_polygon(links):
    angular_velocity = 40.0
    system, radius = polygon(links, angular_velocity)
    # T = m w^2 R/(2 sin(pi/N)) = m (w R)^2/l exactly, l the chord. Rounding: K times a few ulp of a coordinate.
    ulp = 8.0 * 1e6 * np.finfo(float).eps * radius
    tension = channel(system, "link_tension")
    np.testing.assert_allclose(
        tension, 0.0088 * angular_velocity**2 * radius / (2.0 * np.sin(np.pi / links)), rtol=0.0, atol=ulp
    )
    chord = 2.0 * radius * np.sin(np.pi / links)
    np.testing.assert_allclose(tension, 0.0088 * (angular_velocity * radius) ** 2 / chord, rtol=0.0, atol=ulp)
    np.testing.assert_allclose(
        tension, free_polygon_tension(0.0088, chord, angular_velocity, links), rtol=0.0, atol=ulp
    )
    # All accelerations are centripetal.
    dy = rates(system, system.state)
    np.testing.assert_allclose(
        dy[2 * links : 4 * links], -(angular_velocity**2) * system.state[: 2 * links], rtol=0.0, atol=2.0 * ulp / 0.0088
    )


def test_a_turning_polygon_turns_on():
    # One whole turn brings every roller back to where it was.
    links, angular_velocity = 24, 60.0
    system, radius = polygon(links, angular_velocity)
    settings = SolverSettings(atol_length=1e-12, atol_speed=1e-8, step=5e-6)
    done = run(system, 2.0 * np.pi / angular_velocity, 1e-3, settings)
    # Turning by w at steps h: (w h)^6 per step, below rounding; rounding of 2e4 steps, 1e-16 x 0.05 m sqrt(2e4), is
    # amplified as a tangential drift at most in proportion to the time.
    np.testing.assert_allclose(done.state[: 2 * links], system.state[: 2 * links], rtol=0.0, atol=1e-11)
    assert np.ptp(done.channels["link_tension"]) < 1e-3 * done.channels["link_tension"].mean()
    distance = np.linalg.norm(done.channels["roller_position"], axis=2)
    np.testing.assert_allclose(distance, radius, rtol=1e-10)


def ellipse(links, ratio, strain, pitch):
    """Points (N, 2) on an ellipse at equal chords, with their tangents; chord (1 + strain) pitch."""
    from scipy.optimize import brentq

    def walk(size):
        t, parameters = 0.0, [0.0]
        chord = (1.0 + strain) * pitch
        for _ in range(links):
            x, y = size * np.cos(t), ratio * size * np.sin(t)
            step = chord / size

            def beyond(u, x=x, y=y):
                return np.hypot(size * np.cos(u) - x, ratio * size * np.sin(u) - y) - chord

            t = brentq(beyond, t, t + 3 * step / ratio, xtol=1e-15)
            parameters.append(t)
        return np.array(parameters)

    around = links * pitch / np.pi
    size = brentq(lambda a: walk(a)[-1] - 2.0 * np.pi, 0.4 * around, around)
    t = walk(size)[:-1]
    tangent = np.column_stack([-np.sin(t), ratio * np.cos(t)])
    return size * np.column_stack([np.cos(t), ratio * np.sin(t)]), tangent / np.hypot(*tangent.T)[:, None], size


def drift(links):
    """Deviation of rollers from an ellipse of 1 m circumference while the chain runs an eighth of it; and its
    tensions.
    """
    ratio, speed, line, elasticity = 0.6, 5.0, 0.7, 1.75e4
    pitch = 1.0 / links
    strain = line * speed**2 / elasticity  # T = rho v^2 = EA strain
    position, tangent, size = ellipse(links, ratio, strain, pitch)
    system = moving(
        links, position, speed * tangent,
        pitch=pitch, link_mass=line * (1.0 + strain) * pitch, link_stiffness=elasticity / pitch,
        roller_diameter=0.4 * pitch,
    )  # fmt: skip
    done = run(system, 0.125 / speed, 0.005, SolverSettings(atol_length=1e-10, atol_speed=1e-6))
    x, y = done.state[:links], done.state[links : 2 * links]
    outside = np.abs(np.hypot(x, y / ratio) / size - 1.0).max()
    return outside, done.channels["link_tension"][-1], line * speed**2


def test_any_shape_is_steady():
    # String of mass rho per length: rho v^2 kappa = T kappa for every curve. The polygon is a curve to O(1/N^2).
    found = [drift(links) for links in (40, 80, 160)]
    np.testing.assert_allclose(order_of([f[0] for f in found], 2.0), 2.0, atol=0.1)
    assert found[-1][0] < 2e-4
    np.testing.assert_allclose(found[-1][1], found[-1][2], rtol=5e-3)
    assert found[-1][1].mean() == pytest.approx(found[-1][2], rel=5e-4)
