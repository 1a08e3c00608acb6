"""Wheels that are tilted, by hand or by the elastic shaft that carries them (Hippmann et al. 2005, 2.1)."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

import chaindrive as cd
from chaindrive.cli.check_mechanism import shaft_lines
from chaindrive.contract.system import System
from chaindrive.errors import InputError
from chaindrive.formulations import compile_system
from chaindrive.formulations.planar.tables import Tilts
from chaindrive.kernels.tables import blank, copied
from chaindrive.model import Body, Drive, LinkOptions, RollerOptions
from chaindrive.simulation.start import settle
from support.small_drives import channel, compiled, rates, two_wheels, with_planar

FloatArray = NDArray[np.float64]
LENGTH, EI, DAMPING = 0.03, 210.0, 300.0
SHAFT = {"length": LENGTH, "bending_stiffness": EI, "damping": DAMPING}
OPTIONS = {"roller": RollerOptions(), "link": LinkOptions()}
DRIVEN = {"mass": 0.2, "load_torque": 5.0, "tooth": {"form": "iso-606"}}


def about_x(angle: float) -> FloatArray:
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])


def about_y(angle: float) -> FloatArray:
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]])


def about_z(angle: float) -> FloatArray:
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def tilted(alpha: float, beta: float) -> System:
    """A driven wheel that is tilted far more than a chain tolerates, which does not matter for kinematics."""
    system = compiled(two_wheels(second={"tilt": (1e-4, 0.0)}), moving=True)
    tilt = copied(system.parameters.planar.tilt)
    tilt.x[1], tilt.y[1] = alpha, beta
    return replace(system, parameters=with_planar(system.parameters, tilt=tilt))


def folded(system: System, angle: float, speed: float = 0.0) -> tuple[float, float, float]:
    """Cosine, sine and rate of the angle of the virtual wheel, of a wheel that has turned by ``angle`` [rad]."""
    y, layout = system.state.copy(), system.parameters.planar.layout
    y[layout.wheel_angle + 1], y[layout.wheel_speed + 1] = angle, speed
    rates(system, y)
    frame = system.parameters.planar.frame
    return float(frame.cos[1]), float(frame.sin[1]), float(frame.angular_velocity[1])


@pytest.mark.parametrize(("alpha", "beta"), [(0.1, 0.0), (0.0, -0.2), (0.15, 0.1), (-0.05, 0.3)])
def test_folding_is_a_cardan_rotation_of_the_actual_wheel_into_the_plane(alpha: float, beta: float) -> None:
    """Eq. 2: T_AW = T_CA^T Rz(gamma) is Rx(a) Ry(b) for some a and b; at right angles both agree."""
    system = tilted(alpha, beta)
    for angle in np.linspace(0.0, 6.0, 13):
        c, s, _ = folded(system, float(angle))
        assert c * c + s * s == pytest.approx(1.0, rel=1e-14)
        actual = about_x(alpha) @ about_y(beta) @ about_z(float(angle))
        turned = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
        fold = actual.T @ turned
        b = math.atan2(fold[0, 2], fold[0, 0])
        a = math.atan2(fold[2, 1], fold[1, 1])
        np.testing.assert_allclose(fold, about_x(a) @ about_y(b), atol=1e-14)
        assert abs(a) + abs(b) < 2.0 * (abs(alpha) + abs(beta))
        shift = 1e-5
        ahead, behind = (math.atan2(*folded(system, float(angle) + d)[1::-1]) for d in (shift, -shift))
        rate = (ahead - behind + math.pi) % (2.0 * math.pi) - math.pi
        assert folded(system, float(angle), 7.0)[2] == pytest.approx(7.0 * rate / (2.0 * shift), rel=1e-8)


def test_a_tilted_wheel_turns_as_a_universal_joint() -> None:
    """tan gamma = cos alpha tan phi: the speed ratio varies twice per revolution between cos alpha and 1/cos alpha."""
    system = tilted(0.2, 0.0)
    speeds = [folded(system, angle, 1.0)[2] for angle in np.linspace(0.0, math.pi, 181)]
    assert max(speeds) == pytest.approx(1.0 / math.cos(0.2), rel=1e-12)
    assert min(speeds) == pytest.approx(math.cos(0.2), rel=1e-12)


def test_teeth_move_while_the_shaft_of_their_wheel_bends() -> None:
    """The rate of the virtual wheel is the change of its angle, with wheel and shaft moving together."""
    stub = {"length": 1e-3, "bending_stiffness": EI, "damping": DAMPING}
    system = compiled(two_wheels(span=12.01, second=DRIVEN | {"shaft": stub}), True)
    planar = system.parameters.planar
    layout, joints = planar.layout, slice(planar.layout.joint_position, planar.layout.joint_position + 2)
    y = system.state.copy()
    y[joints], y[layout.wheel_angle + 1] = (1e-4, -2e-4), 0.7  # tilts by 0.15 and 0.3 rad
    y[layout.joint_speed : layout.joint_speed + 2], y[layout.wheel_speed + 1] = (0.3, 0.2), 7.0

    def turned(time: float) -> tuple[float, float]:
        moved = y.copy()
        moved[joints] += time * y[layout.joint_speed : layout.joint_speed + 2]
        moved[layout.wheel_angle + 1] += 7.0 * time
        rates(system, moved)
        return math.atan2(planar.frame.sin[1], planar.frame.cos[1]), float(planar.frame.angular_velocity[1])

    shift = 1e-7
    rate = (turned(shift)[0] - turned(-shift)[0]) / (2.0 * shift)
    assert turned(0.0)[1] == pytest.approx(rate, rel=1e-6)
    assert abs(rate - 7.0) > 10.0  # most of it is that of the shaft


def on_slides() -> Drive:
    """The driven wheel on two springs that represent its shaft, without a tilt."""
    spring = {"kind": "prismatic", "stiffness": 3.0 * EI / LENGTH**3, "damping": DAMPING}
    place = two_wheels(span=12.01).wheels[1].position
    bodies = [
        Body(name="x", joint=spring | {"direction": 0.0, "position": place}),
        Body(name="y", parent="x", joint=spring | {"direction": math.pi / 2.0, "position": place}),
    ]
    return two_wheels(span=12.01, second=DRIVEN | {"body": "y"}, bodies=bodies)


def test_without_a_tilt_a_shaft_is_two_springs() -> None:
    """Every rate of change is the same, except that the cosine of 90 degrees is 6e-17."""
    shaft, slides = (
        compiled(two_wheels(span=12.01, second=DRIVEN | {"shaft": SHAFT}), True),
        compiled(on_slides(), True),
    )
    y = slides.state.copy()
    y[: 2 * slides.positions] += np.random.default_rng(2).normal(0.0, 1e-5, 2 * slides.positions)
    straight = blank(Tilts, len(shaft.parameters.planar.tilt.x))
    untilted = replace(shaft, parameters=with_planar(shaft.parameters, tilt=straight))
    same = rates(slides, y)
    np.testing.assert_allclose(rates(untilted, y), same, rtol=1e-12, atol=1e-12 * np.abs(same).max())
    assert not np.array_equal(rates(shaft, y), rates(untilted, y))


@pytest.mark.parametrize("kind", ["roller", "link"])
def test_a_loaded_shaft_bends_as_a_cantilever(kind: str) -> None:
    """Deflection F L^3/(3 EI), slope F L^2/(2 EI), moment F L at the clamped end, about axes perpendicular to the
    force.
    """
    drive = two_wheels(span=12.01, speed=0.0, second=DRIVEN | {"shaft": SHAFT})
    system = settle(compile_system(drive, OPTIONS[kind], False))
    force = channel(system, "bearing_force")[1]
    assert np.hypot(*force) > 100.0
    moved = channel(system, "wheel_position")[1] - drive.wheels[1].position
    np.testing.assert_allclose(moved, force * LENGTH**3 / (3.0 * EI), rtol=1e-6, atol=1e-9 * abs(moved).max())
    slope = force * LENGTH**2 / (2.0 * EI)
    tilt, moment = channel(system, "wheel_tilt")[1], channel(system, "tilting_moment")[1]
    np.testing.assert_allclose(tilt, [-slope[1], slope[0]], rtol=1e-6, atol=1e-9 * np.abs(slope).max())
    np.testing.assert_allclose(moment, np.cross([0.0, 0.0, LENGTH], [*force, 0.0])[:2], rtol=1e-12)
    assert not channel(system, "wheel_tilt")[0].any()


@pytest.mark.parametrize("kind", ["roller", "link"])
def test_powers_balance_with_a_shaft_that_tilts(kind: str) -> None:
    """A shaft so short that its slope is 0.05 rad: the effect of folding on the work is a thousand times the
    residual.
    """
    stub = {"length": 1e-3, "bending_stiffness": 2.4e7 * 1e-9 / 3.0, "damping": DAMPING}
    drive = two_wheels(span=12.02, speed=60.0, second=DRIVEN | {"shaft": stub}, link_damping=30.0)
    missing = []
    for tolerance in (1.0, 0.03):
        solver = cd.SolverOptions(
            atol_length=1e-9 * tolerance,
            atol_angle=1e-9 * tolerance,
            atol_speed=1e-5 * tolerance,
            atol_angular_speed=1e-5 * tolerance,
        )
        solution = cd.simulate(drive, 0.02, formulation=OPTIONS[kind], solver=solver, start="at_speed")
        assert solution.status == cd.Status.REACHED_END
        missing.append(solution.audit.relative_residual)
    assert np.abs(solution.values("wheel_tilt")).max() > 0.01
    assert missing[1] < 1e-6
    assert any("tilted by up to" in warning for warning in solution.warnings)


def test_check_says_how_a_shaft_yields() -> None:
    """For 206 GPa, 12 mm and 30 mm, 3 E I/L^3 = 23.3 MN/m and 1.5/L = 50 rad/m."""
    drive = two_wheels(second=DRIVEN | {"shaft": {"length": 0.03, "diameter": 0.012}})
    (line,) = shaft_lines(drive)
    assert line == "shaft of driven: 23.3 MN/m; 1 kN moves the wheel by 42.9 µm and tilts it by 0.123 deg."


def test_a_tilt_beyond_the_reach_of_a_plane_model_is_refused() -> None:
    """16 teeth of 12.7 mm, 5/8 of it between the plates: 0.035 of that is 0.489 degrees at the pitch circle."""
    two_wheels(second={"tilt": ("0.48 deg", "0 deg")})
    with pytest.raises(InputError) as caught:
        two_wheels(second={"tilt": ("0.4 deg", "0.3 deg")})
    (problem,) = caught.value.problems
    assert problem.place == "wheels[1].tilt"
    assert "0.489 deg" in problem.message


def test_what_a_wheel_on_a_shaft_cannot_have() -> None:
    eccentric = {"mass_moment": 1e-4}
    with pytest.raises(InputError) as caught:
        two_wheels(second={"shaft": {"length": 0.03, "diameter": 0.012}, "body": "arm", "unbalance": eccentric})
    assert {p.place for p in caught.value.problems} >= {"wheels[1].mass", "wheels[1].body", "wheels[1].unbalance"}
    for given in ({"length": 0.03}, {"length": 0.03, "diameter": 0.012, "bending_stiffness": 200.0}):
        with pytest.raises(InputError, match="either diameter or bending_stiffness"):
            cd.model.Shaft(**given)
