"""Plates on the sides of teeth: a force with a potential wherever they touch, narrow-wide wheels; a driveline."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest
from numba.core import config
from numpy.typing import NDArray

from chaindrive.errors import InputError
from chaindrive.formulations import compile_system
from chaindrive.formulations.planar import parameters as P
from chaindrive.formulations.spatial import parameters as S
from chaindrive.model import override
from chaindrive.solvers import Integrator, SolverSettings
from chaindrive.start import settle
from chaindrive.system import Status, System
from support.small_drives import PITCH, in_space, wheels_in_space

pytestmark = pytest.mark.skipif(bool(config.DISABLE_JIT), reason="minutes in plain Python")

FloatArray = NDArray[np.float64]
LOADED = {"load_torque": 4.0, "bearing_friction": 0.02}
WITHOUT_LOSS: dict[str, Any] = {
    "contact": {"friction": 0.0, "restitution": 1.0},
    "options": {"side_friction": 0.0, "side_damping": 0.0},
}
WIDE = {"tooth_width": 3e-3, "tooth_width_wide": 10.6e-3}


def read(system: System, state: FloatArray, name: str) -> Any:
    return system.channel(name).read(system.row(0.0, state))


def states(system: System, state: FloatArray, until: float, step: float, count: int) -> list[FloatArray]:
    """States at equal distances up to a time."""
    run = Integrator(dataclasses.replace(system, state=state), SolverSettings(method="splitting", step=step), 1.0)
    found = []
    for k in range(count):
        while (status := run.advance(until * (k + 1) / count)) == Status.RUNNING:
            pass
        assert status == Status.REACHED_END
        found.append(run.state.copy())
    return found


def generalised(system: System, y: FloatArray) -> FloatArray:
    """Generalised forces, (n_v,); prescribed motions give none."""
    force = np.zeros(system.velocities)
    assert system.kernels.forces is not None
    system.kernels.forces(0.0, y, system.parameters, force)
    return force


@pytest.mark.parametrize(
    ("aside", "out"), [(0.3e-3, 0.0), (0.5e-3, 2.0e-3), (1.6e-3, 3.3e-3), (2.8e-3, 3.2e-3), (6e-3, 2.4e-3)]
)
@pytest.mark.parametrize("wheels", [{}, WIDE], ids=["alike", "narrow-wide"])
def test_the_force_on_plates_has_a_potential(aside: float, out: float, wheels: dict[str, float]) -> None:
    """Links pushed aside of and outward from their wheels: the force on each is minus the slope of the elastic energy.

    On the flank of a tooth, on its edge, with a chamfer beyond its tip, and riding on it, by how far they are pushed.
    """
    system = in_space(first=wheels, second=wheels, **WITHOUT_LOSS)
    n, rng = system.parameters.links, np.random.default_rng(5)
    y = system.state.copy()
    centre = np.array([y[:n].mean(), y[n : 2 * n].mean()])
    away = np.column_stack([y[:n], y[n : 2 * n]]) - centre
    away /= np.linalg.norm(away, axis=1)[:, None]
    spread = rng.uniform(0.8, 1.2, n)
    y[:n] += out * spread * away[:, 0]
    y[n : 2 * n] += out * spread * away[:, 1]
    y[2 * n : 3 * n] += aside * rng.uniform(0.95, 1.05, n)
    system.kernels.begin(0.0, y, system.parameters)
    force = generalised(system, y)
    used = system.parameters.planar.segments_used[P.USED_SLOTS]
    assert (system.parameters.slot[[S.SLOT_SIDE, S.SLOT_OUTER], :used] > 1e-7).any()

    def stored(state: FloatArray) -> float:
        return float(read(system, state, "energy_elastic") + read(system, state, "energy_gravity"))

    scale = np.abs(force[: 3 * n]).max()
    for k in rng.permutation(3 * n)[:60]:
        by = np.zeros_like(y)
        by[k] = 2e-9
        slope = (stored(y + by) - stored(y - by)) / 4e-9
        assert force[k] == pytest.approx(-slope, rel=1e-4, abs=1e-4 * scale), system.name_of(int(k))


@pytest.mark.parametrize("loop", ["clockwise", "counterclockwise"])
def test_outer_links_lie_on_wide_teeth_and_touch_them(loop: str) -> None:
    """Inner plates reach none of the narrow teeth, outer ones the wide ones: at any turn, whichever way it runs."""
    speed = -10.0 if loop == "clockwise" else 10.0
    drive = override(wheels_in_space(offset=1.2e-3, first=WIDE, second=LOADED | WIDE, speed=speed), {"loop": loop})
    system = compile_system(drive, drive.run.formulation, True)
    p = system.parameters
    assert 2.0 * p.outer_half_width > WIDE["tooth_width_wide"] > 2.0 * p.half_width
    y = system.state.copy()
    y[system.positions : system.positions + system.velocities] = system.rolling
    pressed = np.zeros(2)
    for state in states(system, y, 0.1, 1e-6, 20):  # a whole turn is 0.6 s: every second tooth passes
        read(system, state, "side_force")
        slots = p.planar.segments_used[P.USED_SLOTS]
        pressed = np.maximum(pressed, p.slot[[S.SLOT_SIDE, S.SLOT_OUTER], :slots].max(axis=1))
    assert pressed[0] <= 0.0
    assert pressed[1] > 0.0
    assert float(read(system, state, "work_side_plates")) > 0.0
    missing = abs(float(read(system, state, "energy_residual")))
    assert missing < 1e-3 * abs(float(read(system, state, "work_input")))


def test_narrow_wide_wheels_and_plays_that_no_chain_has_are_refused() -> None:
    """An odd number of teeth, teeth that fit between no plates, plays larger than the gap: all told at once."""
    wrong = {"teeth": 13, "tooth_width": 9e-3, "tooth_width_wide": 0.02}
    plays = {"pin_play": 0.003, "bend_play": 0.4, "twist_play": 0.4}
    with pytest.raises(InputError) as caught:
        wheels_in_space(second=wrong, first={"tooth_width_wide": 0.001}, sideways=plays)
    assert {problem.place for problem in caught.value.problems} == {
        "wheels[1].teeth", "wheels[1].tooth_width", "wheels[1].tooth_width_wide", "wheels[0].tooth_width_wide",
        "chain.sideways.pin_play", "chain.sideways.bend_play", "chain.sideways.twist_play",
    }  # fmt: skip
    for problem in caught.value.problems:
        assert problem.value


def test_the_mode_of_a_driveline() -> None:
    """A wheel of inertia J on a taut span of n links of stiffness k, the other one held: f = R sqrt(k/(n J))/(2 pi).

    n: of every link the square of its tension over that of the span, which is its part of the elastic energy; links on
    the wheels have less the more teeth have taken from it.
    """
    contact = {"friction": 0.0, "restitution": 1.0, "stiffness": 1e12}
    still = {"motion": {"kind": "constant_speed", "speed": 0.0}}
    drive = wheels_in_space(
        first=still, second={"torque": 20.0, "inertia": 0.02}, joint_friction=0.0, link_damping=0.0,
        joint_damping=0.0, contact=contact, gravity=(0.0, 0.0),
    )  # fmt: skip
    system = settle(compile_system(drive, drive.run.formulation, False))
    assert system.notes["static_converged"]
    radius = PITCH / (2.0 * np.sin(np.pi / 12))
    tension = read(system, system.state, "link_tension")
    assert tension.max() == pytest.approx(20.0 / radius, rel=0.02)
    at = system.parameters.planar.layout.wheel_speed + 1
    y = system.state.copy()
    y[at] = 0.05
    speeds = np.array([state[at] for state in states(system, y, 0.2, 1e-6, 2000)])
    falls = np.flatnonzero((speeds[:-1] > 0.0) & (speeds[1:] <= 0.0))
    crossed = falls + speeds[falls] / (speeds[falls] - speeds[falls + 1])
    assert len(crossed) > 2
    frequency = 1.0 / (np.diff(crossed).mean() * 1e-4)
    links = ((tension / tension.max()) ** 2).sum()
    expected = radius * np.sqrt(drive.chain.link_stiffness / (links * 0.02)) / (2.0 * np.pi)
    assert frequency == pytest.approx(expected, rel=0.02)
