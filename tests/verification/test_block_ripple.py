"""Ripple of the elongations of a chain drive block: energy, quasi-static tension, kinematic limit, step limit."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import chaindrive as cd
from chaindrive.analyses.analytical.formulas import polygon_harmonic
from chaindrive.errors import InputError
from chaindrive.formulations import compile_system
from chaindrive.model import Drive
from support import block_drives as blocks
from support.block_drives import INERTIAS, RADII, STIFFNESS

AMPLITUDE, TEETH = 40e-6, (20, 40)
SPEED, LOAD = 1.0, 5.0
"""Speed of the driver [rad/s], and load on the driven wheel [N m]."""
INERTIA = 2e-3
"""Moment of inertia of the driven wheel, so that its acceleration takes 6e-5 of the load. [kg m^2]"""


def wave(span: int, wheel: int, phase: float = 0.0, amplitude: float = AMPLITUDE, **more: Any) -> dict[str, Any]:
    return {"span": span, "wheel": wheel, "amplitude": amplitude, "phase": phase} | more


def driven(ripple: list[dict[str, Any]], speed: float = SPEED, **options: Any) -> Drive:
    """A driver of prescribed speed, counter-clockwise, so that span 1, from the driven wheel to it, pulls."""
    motion = {"kind": "constant_speed", "speed": speed}
    return blocks.two_wheels(
        {"motion": motion}, {"load_torque": LOAD, "inertia": INERTIA}, ripple=ripple, damping_in_slack=False, **options
    )


def test_it_makes_no_energy() -> None:
    """For every wheel of a drive in which one turns backwards, with dampers, friction, an unbalance and runout."""
    ripple = [wave(k, (k + end) % 5, 0.7 * k + end) for k in range(5) for end in (0, 1)]
    ripple += [wave(1, 1, order=1, amplitude=1e-4), wave(3, 3, order=2, amplitude=1e-4)]
    drive = blocks.five_wheels(ripple=ripple, damping=20.0, slack=-1e-3)
    run = blocks.run(drive, 0.3)
    assert run.audit.relative_residual < 1e-9
    plain = blocks.run(drive.replace("run.formulation.ripple", []), 0.3)
    swing = [each.values("span_tension")[-200:].std(axis=0) for each in (run, plain)]
    assert np.all(swing[0] > 2.0 * swing[1])


def test_free_wheels_keep_their_energy() -> None:
    """Without dampers: the wheels gain the elastic energy that the spans lose by ripple."""
    ripple = [wave(0, 0, 0.3), wave(1, 1, 1.0), wave(1, 0, order=1, amplitude=1e-4)]
    wheels = ({"initial_speed": 20.0, "inertia": INERTIAS[0]}, {"initial_speed": 10.0, "inertia": INERTIAS[1]})
    run = blocks.run(blocks.two_wheels(*wheels, slack=-1e-3, ripple=ripple), 0.2)
    whole = run.values("energy_kinetic") + run.values("energy_elastic")
    assert np.ptp(run.values("energy_elastic")) > 1e-3 * whole[0]
    np.testing.assert_allclose(whole, whole[0], rtol=1e-9)


@pytest.mark.parametrize("wheel", [0, 1])
def test_slowly_the_load_divided_by_the_lever_arm(wheel: int) -> None:
    """F (R_b + de/dtheta_b) = M, and F = K e gives the angle of the driven wheel."""
    run = blocks.run(driven([wave(1, wheel, 0.4)], damping=100.0), 0.8)
    late = run.time > 0.3
    angles = run.values("wheel_angle")[late]
    turned = TEETH[wheel] * angles[:, wheel] + 0.4
    slope = AMPLITUDE * TEETH[wheel] * np.cos(turned)
    lever = RADII[1] - (slope if wheel == 1 else 0.0)
    tension = run.values("span_tension")[late, 1]
    np.testing.assert_allclose(tension, LOAD / lever, rtol=2e-4)
    if wheel:
        assert np.ptp(tension) == pytest.approx(2.0 * LOAD / RADII[1] * AMPLITUDE * TEETH[1] / RADII[1], rel=0.02)
    elongation = RADII[0] * angles[:, 0] - RADII[1] * angles[:, 1] + AMPLITUDE * np.sin(turned)
    np.testing.assert_allclose(STIFFNESS * elongation, tension, atol=0.05)
    torque = run.values("wheel_torque")[late, 0]
    driver = RADII[0] + (slope if wheel == 0 else 0.0)
    np.testing.assert_allclose(torque, tension * driver, rtol=2e-4)


def test_a_stiff_chain_turns_the_driven_wheel_as_the_lever_arms_say() -> None:
    """w_b (R_b - s_b) = w_a (R_a + s_a), s the slopes; for polygonal action its fluctuation is 2 / (z^2 - 1)."""
    teeth = TEETH[0]
    polygon = float(polygon_harmonic(teeth)) * RADII[0] / teeth
    run = blocks.run(driven([wave(1, 0, amplitude=polygon)], stiffness=1e9, damping=2e4, slack=1e-3), 0.8)
    late = run.time > 0.4
    slope = polygon * teeth * np.cos(teeth * run.values("wheel_angle")[late, 0])
    speeds = run.values("wheel_speed")[late]
    np.testing.assert_allclose(speeds[:, 1] * RADII[1], speeds[:, 0] * (RADII[0] + slope), rtol=1e-5)
    fluctuation = np.ptp(speeds[:, 1]) / (2.0 * speeds[:, 1].mean())
    assert fluctuation == pytest.approx(2.0 / (teeth**2 - 1.0), rel=2e-3)


def test_the_step_limit_knows_the_steepest_lever_arms() -> None:
    plain, rippled = (
        compile_system(drive, drive.run.formulation, at_speed=True).motion.highest_frequency
        for drive in map(driven, ([], [wave(1, 1, amplitude=2.5e-4, order=40)]))
    )
    assert rippled / plain == pytest.approx(math.hypot(1.0, 1.1) / math.sqrt(2.0), rel=1e-6)


def test_what_a_block_with_ripple_cannot_have() -> None:
    with pytest.raises(InputError, match="2 problems") as refused:
        blocks.two_wheels(
            ripple=[wave(0, 0)], compliance="block", targets=[{"variable": "tension", "span": 0, "value": 10.0}]
        )
    assert "needs compliance = 'spans'" in str(refused.value)
    with pytest.raises(InputError, match="must be from 0 to 1: the drive has 2 spans"):
        driven([wave(2, 0)])
    with pytest.raises(InputError, match="must be 1 or 2, the wheels at the ends of span 1"):
        blocks.five_wheels(ripple=[wave(1, 4)])
    with pytest.raises(InputError, match=r"for span 0 and wheel 0 .*below the radius of the wheel, 0.05 m"):
        cd.simulate(driven([wave(0, 0, amplitude=2e-3), wave(0, 0, amplitude=1e-3)]), until=0.01)
