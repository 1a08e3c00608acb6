"""Kernels of the closed chain where the last link meets the first, and limits that hold for every link and roller."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from chaindrive.contract.system import System
from chaindrive.formulations.planar.endings import PENETRATION_TOO_DEEP, TENSION_ABOVE_BREAKING_LOAD
from chaindrive.formulations.planar.jumps import gaps_in_order
from chaindrive.formulations.planar.parameters import WORKS
from chaindrive.model import Drive, load
from chaindrive.model.files.text import example_path
from support.small_drives import PITCH, chain, channel, compiled, free_chain, rates, two_wheels

FloatArray = NDArray[np.float64]
LINKS = 12
RADIUS, SCALE = 4e-4, 2.0
"""Friction times pin radius [m], and the rate at which friction of the joints is regularised [rad/s]."""


def ring() -> tuple[System, FloatArray]:
    """A free chain, its rollers off a circle by up to 2 % of a pitch and moving at random."""
    random = np.random.default_rng(7)
    angle = 2.0 * math.pi * np.arange(LINKS) / LINKS
    radius = PITCH / (2.0 * math.sin(math.pi / LINKS))
    place = radius * np.column_stack([np.cos(angle), np.sin(angle)]) + random.uniform(-0.02, 0.02, (LINKS, 2)) * PITCH
    system = free_chain(chain(LINKS, link_damping=5.0), (0.0, 0.0), place)
    state = system.state.copy()
    state[system.positions : 2 * system.positions] = random.normal(0.0, 0.5, 2 * LINKS)
    return system, state


def test_friction_of_a_joint_is_that_of_the_mean_of_both_tensions() -> None:
    """P = sum mu r |T_before + T_after| / 2 tanh(w / w*) w over all joints, that of the last link with the first too.

    Tensions of neighbours differ by some hundred per cent here: one of them alone would give another sum.
    """
    system, y = ring()
    p = system.parameters._replace(joint_friction_radius=RADIUS, joint_friction_rate=SCALE, joint_damping=0.0)
    dy = np.zeros_like(y)
    system.kernels.rhs(0.0, y, dy, p)
    x, v = (y[at : at + 2 * LINKS].reshape(2, LINKS).T for at in (0, system.positions))
    along, rate = np.roll(x, -1, axis=0) - x, np.roll(v, -1, axis=0) - v
    length = np.hypot(*along.T)
    tension = 1e7 * (length - PITCH) + 5.0 * (along * rate).sum(axis=1) / length
    angular_velocity = (along[:, 0] * rate[:, 1] - along[:, 1] * rate[:, 0]) / length**2
    turning = angular_velocity - np.roll(angular_velocity, 1)
    force = 0.5 * np.abs(tension + np.roll(tension, 1))
    each = RADIUS * force * np.tanh(turning / SCALE) * turning
    assert each.min() > 0.0
    lost = dy[2 * system.positions + WORKS.index("articulation")]
    assert lost == pytest.approx(each.sum(), rel=1e-6)
    one_link = RADIUS * np.abs(tension) * np.tanh(turning / SCALE) * turning
    assert abs(one_link.sum() - lost) > 1e-2 * lost


def order_of_gaps(p) -> bool:
    return getattr(gaps_in_order, "py_func", gaps_in_order)(p)


@pytest.mark.parametrize("first", [0, 7, 38, 39])
@pytest.mark.parametrize(("step", "in_order"), [(1, True), (-1, True), (15, True), (0, False), (2, False), (8, False)])
def test_neighbours_sit_in_neighbouring_gaps(first: int, step: int, in_order: bool) -> None:
    """Any two neighbours in contact, including rollers 39 and 0 of 40; of 16 gaps 15 is one back."""
    system = compiled(two_wheels(), moving=False)
    p = system.parameters.planar
    assert p.rollers == 40
    p.impact_speed[:] = 0.0
    second = (first + 1) % p.rollers
    p.impact_speed[0, [first, second]] = 1.0
    p.gap[0, first], p.gap[0, second] = 5, (5 + step) % 16
    assert order_of_gaps(p) is in_order
    p.impact_speed[0, second] = 0.0  # one that does not press may be anywhere
    assert order_of_gaps(p)


@pytest.mark.parametrize("link", range(LINKS))
def test_any_link_can_break(link: int) -> None:
    system, _ = ring()
    y = system.state.copy()
    rates(system, y)
    strongest = float(system.parameters.link.tension.max())
    p = system.parameters._replace(breaking_load=strongest * 1.5)
    assert system.kernels.accept(0.0, y, p) < 10  # no ending
    p.link.tension[link] = strongest * 1.6
    assert system.kernels.accept(0.0, y, p) == TENSION_ABOVE_BREAKING_LOAD.code


@pytest.mark.parametrize(("share", "too_deep"), [(0.99, False), (1.01, True)])
def test_a_roller_may_be_pressed_as_deep_as_its_surface_bears(share: float, too_deep: bool) -> None:
    system = compiled(two_wheels(gravity=(0.0, 0.0)), moving=False)
    y, n, roller = system.state.copy(), system.parameters.links, 4
    rates(system, y)
    deep = channel(system, "contact_penetration", y)[roller]
    outward = y[[roller, n + roller]] / np.hypot(*y[[roller, n + roller]])
    limit = float(system.parameters.planar.surface.max_penetration[0])
    y[[roller, n + roller]] -= (share * limit - deep) * outward
    rates(system, y)
    ending = system.kernels.accept(0.0, y, system.parameters)
    assert (ending == PENETRATION_TOO_DEEP.code) is too_deep


def rolled(drive: Drive, by: int) -> Drive:
    """The same drive with its wheels numbered from another one; channels ordered by wheels are left out."""
    data = drive.to_dict()
    data["wheels"] = [*data["wheels"][by:], *data["wheels"][:by]]
    for name in ("preload", "guides", "bodies", "tensioners"):
        data.pop(name, None)
    return Drive(**data)


@pytest.mark.parametrize("by", range(4))
def test_the_path_runs_with_the_chain_whichever_wheel_comes_first(by: int) -> None:
    """Wheel 0 may turn with the loop or against it: links move on by v dt / pitch where their rollers move along.

    All rollers run with the chain speed, but for the polygon, which changes it by less than 1 %.
    """
    system = compiled(rolled(load(example_path("6l60mc")), by), moving=True)
    p, n = system.parameters, system.parameters.links
    y, dt = system.state.copy(), 1e-4
    before = channel(system, "link_path_position", y)
    y[: system.positions] += dt * system.motion.rolling
    moved = (channel(system, "link_path_position", y) - before + n / 2) % n - n / 2
    x, velocity = (of[: 2 * n].reshape(2, n).T for of in (system.state, system.motion.rolling))
    link = np.roll(x, -1, axis=0) - np.roll(x, 1, axis=0)  # from the roller before to the one after
    speeds = (velocity * link).sum(axis=1) / np.hypot(*link.T)
    assert abs(speeds.mean()) > 1.0
    np.testing.assert_allclose(moved, speeds.mean() * dt / p.planar.pitch, rtol=0.02)


@pytest.mark.parametrize("wheel", [0, 1])
def test_impact_speeds_are_stored_with_the_rollers_that_hit(wheel: int) -> None:
    """Rollers of one wheel hit its seats at 0.5 m/s; no other roller has an impact speed."""
    drive = two_wheels(gravity=(0.0, 0.0))
    system = compiled(drive, moving=False)
    y, n = system.state.copy(), system.parameters.links
    centre = np.array(drive.wheels[wheel].position)
    apart = y[: 2 * n].reshape(2, n).T - centre
    radius = PITCH / (2.0 * math.sin(math.pi / 16))
    seated = np.flatnonzero(np.abs(np.hypot(*apart.T) - radius) < 0.01 * PITCH)
    assert 6 <= seated.size <= 9
    for i in range(n):
        inward = -apart[i] / np.hypot(*apart[i])
        moved = 0.02 * PITCH * inward if i in seated else 0.0 * inward
        y[[i, n + i]] += moved
        y[[system.positions + i, system.positions + n + i]] = 0.5 * inward if i in seated else 0.0
    system.parameters.planar.impact_speed[:] = 0.0
    system.kernels.begin(0.0, system.state, system.parameters)
    before = system.parameters.planar.impact_speed.copy()
    rates(system, y)
    assert system.kernels.accept(0.0, y, system.parameters) < 10
    found = system.parameters.planar.impact_speed
    new = [i for i in range(n) if found[wheel, i] != before[wheel, i]]
    assert set(new) <= set(seated.tolist())
    assert new
    np.testing.assert_allclose(found[wheel, new], 0.5, rtol=0.02)
    assert np.array_equal(found[1 - wheel], before[1 - wheel])


def test_an_unbalanced_wheel_pulls_its_bearing_to_its_heavy_side() -> None:
    """At a steady speed w an eccentric mass m at e adds w^2 m e to the force on the bearing, outwards. No gravity."""
    speed, moment, angle = 25.0, 0.01, 0.3

    def force(**first) -> FloatArray:
        system = compiled(two_wheels(speed=speed, gravity=(0.0, 0.0), first=first), moving=True)
        y = system.state.copy()
        y[system.positions : 2 * system.positions] = system.motion.rolling
        return channel(system, "bearing_force", y)[0]

    added = force(unbalance={"mass_moment": moment, "angle": angle}, mass=1.0) - force(mass=1.0)
    np.testing.assert_allclose(added, speed**2 * moment * np.array([math.cos(angle), math.sin(angle)]), rtol=1e-9)
