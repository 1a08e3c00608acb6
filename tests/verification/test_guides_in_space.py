"""Guides in space: the planar formulation with rigid links, virtual work, friction out of the plane, a balance."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from numba.core import config

import chaindrive as cd
from chaindrive.contract.system import System
from chaindrive.formulations import compile_system
from chaindrive.model import Body, Drive, SaveOptions
from chaindrive.simulation.start import settle
from support.small_drives import PITCH, rail, two_wheels
from support.spatial_chains import AS_IN_SPACE, state_in_space

pytestmark = pytest.mark.skipif(bool(config.DISABLE_JIT), reason="minutes in plain Python")

LINKS, BORDER = 34, 3


def guided(kind: str, contact: Any, options: Any = None, solver: Any = None, **given: Any) -> Drive:
    """Two wheels; a rail on the ground in one span, and one on a slide that a spring presses into the other one."""
    spring = {"kind": "prismatic", "direction": 0.5 * math.pi, "stiffness": 2e5, "damping": 20.0}
    shoe = Body(name="shoe", mass=0.2, joint=spring)
    on_rails = {"stiffness": 1e8, "exponent": 1.5} | contact
    guides = [rail(0, "floor", contact=on_rails), rail(1, "sprung", "shoe", contact=on_rails)]
    run = {"formulation": {"kind": kind} | (options or {}), "solver": solver or {}}
    losses = {"link_damping": 5.0, "joint_damping": 1e-4} | given
    return two_wheels((12, 12), 11.0, links=LINKS, guides=guides, bodies=[shoe], run=run, contact=contact, **losses)


def compiled(drive: Drive) -> System:
    return compile_system(drive, drive.run.formulation, True)


def read(system: System, state: np.ndarray, name: str) -> np.ndarray:
    return system.channel(name).read(system.row(0.0, state))


def test_in_a_plane_it_is_the_formulation_with_rigid_links() -> None:
    """Accelerations of links, wheels and the sprung rail at a moving, stretched state, with friction and losses."""
    contact = {"friction": 0.2, "restitution": 0.4}
    smoothed = {"friction_law": "smoothed"}
    # damping of links acts elsewhere in rigid links
    space = compiled(guided("spatial", contact, smoothed, link_damping=0.0))
    plane = compiled(guided("link", contact, AS_IN_SPACE, link_damping=0.0))
    n = LINKS
    space.parameters.owner[:] = np.column_stack([np.arange(n), np.ones(n, dtype=int)])
    rng = np.random.default_rng(5)
    y = np.concatenate([plane.state[: 3 * n + BORDER], plane.motion.rolling, plane.state[2 * (3 * n + BORDER) :]])
    y[: 2 * n] += 1e-4 * rng.normal(size=2 * n)
    y[2 * n : 3 * n] += 1e-3 * rng.normal(size=n)
    y[3 * n + BORDER - 1] += 1e-4
    y[3 * n + BORDER : 6 * n + 2 * BORDER] += rng.normal(size=3 * n + BORDER)
    z = state_in_space(y, n, BORDER, space.state.size)
    for system, state in ((plane, y), (space, z)):
        system.kernels.begin(0.0, state, system.parameters)
    flat, rates = np.full_like(y, np.nan), np.full_like(z, np.nan)
    plane.kernels.rhs(0.0, y, flat, plane.parameters)
    space.kernels.rhs(0.0, z, rates, space.parameters)
    assert (np.hypot(*read(plane, y, "guide_force").T) > 20.0).all()
    v, at = 3 * n + BORDER, 7 * n + BORDER
    largest = np.abs(flat[v : v + 3 * n]).max()
    np.testing.assert_allclose(rates[at : at + 2 * n], flat[v : v + 2 * n], atol=1e-8 * largest)
    np.testing.assert_allclose(rates[at + 5 * n : at + 6 * n], flat[v + 2 * n : v + 3 * n], atol=1e-8 * largest)
    np.testing.assert_allclose(rates[at + 6 * n : at + 6 * n + BORDER], flat[v + 3 * n : v + 3 * n + BORDER], rtol=1e-6)
    assert not rates[at + 2 * n : at + 5 * n].any()
    for name in ("guide_force", "joint_force", "power_guide", "energy_elastic", "power_friction"):
        np.testing.assert_allclose(read(space, z, name), read(plane, y, name), rtol=1e-6, atol=1e-7, err_msg=name)


def test_forces_are_minus_the_slope_of_the_energy() -> None:
    """Without friction, of links that are shifted and turned in space, of wheels and of the sprung rail."""
    drive = guided("spatial", {"friction": 0.0, "restitution": 1.0}, {"side_damping": 0.0}, second={"offset": 0.001})
    system = compiled(drive)
    layout, y, n = system.parameters.planar.layout, system.state.copy(), LINKS
    rng = np.random.default_rng(8)
    y[: 3 * n] += 1e-4 * rng.normal(size=3 * n)
    y[layout.positions - 1] += 1e-4
    system.kernels.begin(0.0, y, system.parameters)
    pressed = read(system, y, "contact_surface") >= 2
    assert pressed.sum() > 4
    force = np.zeros(system.velocities)
    system.kernels.forces(0.0, y, system.parameters, force)

    def stored(state: np.ndarray) -> float:
        return float(read(system, state, "energy_elastic") + read(system, state, "energy_gravity"))

    # places of the links along x, y and z, their turns about their own axes, then wheels and the rail
    shifted = [(shift(y, k, 1.0), k) for k in range(3 * n)]
    shifted += [(turn(y, n, k % n, k // n), 3 * n + k) for k in range(3 * n)]
    shifted += [(shift(y, k, 1.0), k - n) for k in range(layout.wheel_angle + 1, layout.positions)]
    scale = np.abs(force[: 3 * n]).max()
    for by, velocity in shifted:
        slope = (stored(y + 1e-8 * by) - stored(y - 1e-8 * by)) / 2e-8
        size = scale * (1.0 if velocity < 3 * n else PITCH)
        assert force[velocity] == pytest.approx(-slope, rel=1e-4, abs=1e-4 * size), system.story.name_of(velocity)


def shift(y: np.ndarray, at: int, by: float) -> np.ndarray:
    """Displace one coordinate."""
    found = np.zeros_like(y)
    found[at] = by
    return found


def turn(y: np.ndarray, n: int, link: int, axis: int) -> np.ndarray:
    """Change of the quaternion of a link per radian of rotation about one of its own axes."""
    at = 3 * n + link + n * np.arange(4)
    w, a, b, d = y[at]
    found = np.zeros_like(y)
    found[at] = 0.5 * np.array([[-a, w, d, -b], [-b, -d, w, a], [-d, b, -a, w]][axis])
    return found


def test_friction_of_a_guide_acts_against_sliding_out_of_the_plane() -> None:
    """All links move aside with the speed of the chain: the friction has equal parts along and across the guide."""
    system = compiled(guided("spatial", {"friction": 0.2, "restitution": 1.0}, {"friction_speed": 1e-3}))
    layout, n = system.parameters.planar.layout, LINKS
    y = system.state.copy()
    y[system.positions : system.positions + system.velocities] = system.motion.rolling
    speed = 10.0 * PITCH / (2.0 * math.sin(math.pi / 12))
    y[layout.positions + 2 * n : layout.positions + 3 * n] = speed
    system.kernels.begin(0.0, y, system.parameters)
    slots = system.parameters
    rates = np.zeros_like(y)
    system.kernels.rhs(0.0, y, rates, slots)
    planar, found = slots.planar, 0
    for s in range(int(planar.used.segments[0])):
        if planar.segment.surface[s] < 2:
            continue
        for k in range(
            planar.segment.slot[s], planar.segment.slot[s] + planar.segment.end[s] - planar.segment.first[s]
        ):
            force, along, across = planar.contact.force[k], planar.contact.friction[k], slots.slot.axial[k]
            if force > 1.0:
                found += 1
                assert math.hypot(along, across) == pytest.approx(0.2 * force, rel=1e-3)
                assert across == pytest.approx(-abs(along), rel=0.05)
    assert found > 4


def test_at_rest_and_running_guides_carry_what_they_do_with_rigid_links() -> None:
    contact = {"friction": 0.1, "restitution": 0.3}
    forces, works = [], []
    for kind, options, method in (
        ("link", {"joint": "ideal"}, "dormand-prince"),
        ("spatial", {"friction_sharpness": 0.1}, "splitting"),
    ):
        drive = guided(kind, contact, options, {"method": method}, second={"load_torque": 1.0})
        rest = settle(compiled(drive))
        assert rest.story.notes["static_converged"]
        forces.append(read(rest, rest.state, "guide_force"))
        found = cd.simulate(drive, until=0.05, save=SaveOptions(channels="all", precision="double"))
        assert found.status.name == "REACHED_END"
        assert found.audit.relative_residual < 2e-3
        works.append(found.values("work_guide")[-1])
        bearing = np.hypot(*np.moveaxis(found.values("bearing_force"), -1, 0)).max(axis=0)
        largest = found.values("bearing_force_max").max(axis=0)
        assert (largest >= 0.999 * bearing).all()
        assert (largest < 1.5 * bearing).all()  # rows are 1 ms apart
    np.testing.assert_allclose(forces[1], forces[0], rtol=0.02, atol=0.01 * np.abs(forces[0]).max())
    assert works[1] == pytest.approx(works[0], rel=0.1)
