"""A drive that is turned, mirrored, described backwards or run backwards does the turned, mirrored, same thing."""

from __future__ import annotations

import math

import numpy as np
import pytest
from small_drives import PITCH, SolverSettings, chain, compiled, run, two_wheels

from chaindrive.model import Contact, Drive, Wheel

UNTIL = 0.02
OPTIONS = {"friction_speed": 0.1, "friction_sharpness": 0.3}


def drive(turn=0.0, mirror=False):
    """Three wheels, one of them on the back of the chain, with every kind of loss; turned, then mirrored at x = 0."""
    c, s = math.cos(turn), math.sin(turn)
    sign = -1.0 if mirror else 1.0

    def placed(x, y):
        return sign * (c * x - s * y), s * x + c * y

    common = {"tooth": {"form": "asa-ii"}, "inertia": 5e-4}
    motion = {"kind": "constant_speed", "speed": sign * 40.0, "ramp": 0.0}
    wheels = (
        Wheel(name="driver", teeth=17, position=placed(0.0, 0.0), motion=motion, **common),
        Wheel(name="driven", teeth=21, position=placed(0.1955, 0.01), load_torque=2.0, bearing_friction=0.1, **common),
        Wheel(name="idler", teeth=12, position=placed(0.10, 0.054), side="back", **common),
    )
    return Drive(
        name="three",
        gravity=placed(0.0, -9.81),
        loop="clockwise" if mirror else "counterclockwise",
        chain=chain(50, link_stiffness=2e6, link_damping=10.0, joint_damping=1e-4),
        wheels=wheels,
        contact=Contact(stiffness=1e9, exponent=1.5, restitution=0.4, friction=0.15),
    )


def trajectory(given):
    settings = SolverSettings(atol_length=1e-10, atol_angle=1e-10, atol_speed=1e-6, atol_angular_speed=1e-6)
    done = run(compiled(given, **OPTIONS), UNTIL, 1e-3, settings)
    assert done.status.name == "REACHED_END"
    return done.channels


SCALARS = (
    "link_tension",
    "contact_force",
    "span_tension",
    "work_input",
    "work_contact",
    "work_friction",
    "energy_kinetic",
)


def compare(one, other, matrix, sign):
    """Positions by the matrix, wheels by the sign, all that is no vector the same.

    Rounding differs (1e-16 of 0.2 m), and grows with every impact: 1e-9 m perturbations of the start grow to 2e-4 m in
    0.2 s in undamped drives, a factor e^(60 t) or 4 in 0.02 s. The step control repeats its decisions up to one that is
    decided by rounding, which would then leave errors of the tolerance, 1e-10 m a step.
    """
    exact = one["roller_position"] @ matrix.T
    np.testing.assert_allclose(other["roller_position"], exact, rtol=0.0, atol=1e-9)
    np.testing.assert_allclose(other["roller_velocity"], one["roller_velocity"] @ matrix.T, rtol=0.0, atol=1e-5)
    np.testing.assert_allclose(other["wheel_speed"], sign * one["wheel_speed"], rtol=0.0, atol=1e-5)
    np.testing.assert_allclose(other["wheel_torque"], sign * one["wheel_torque"], rtol=0.0, atol=1e-3)
    for name in SCALARS:
        scale = np.nanmax(np.abs(one[name]))
        np.testing.assert_allclose(other[name], one[name], rtol=0.0, atol=1e-5 * scale, err_msg=name)


@pytest.fixture(scope="module")
def plain():
    channels = trajectory(drive())
    # something goes on: tensions vary, teeth engage, everything loses energy
    assert np.ptp(channels["link_tension"]) > 50.0
    assert channels["work_friction"][-1] > 1e-3
    assert np.count_nonzero(np.any(np.diff(channels["contact_body"], axis=0) != 0, axis=0)) > 5
    return channels


@pytest.mark.parametrize("turn", [0.5 * math.pi, 0.7, math.pi, -2.0])
def test_turned(plain, turn):
    c, s = math.cos(turn), math.sin(turn)
    compare(plain, trajectory(drive(turn)), np.array([[c, -s], [s, c]]), 1.0)


def test_mirrored(plain):
    compare(plain, trajectory(drive(mirror=True)), np.diag([-1.0, 1.0]), -1.0)


def test_turned_and_mirrored(plain):
    c, s = math.cos(0.7), math.sin(0.7)
    compare(plain, trajectory(drive(0.7, mirror=True)), np.array([[-c, s], [s, c]]), -1.0)


def symmetric(speed, loop="counterclockwise"):
    """Two wheels of 16 teeth 12 pitches apart: at the start mirrored at the line of centres, gravity along it."""
    given = two_wheels(
        (16, 16), 12.0 + 0.01, speed=speed, links=40, gravity=(-9.81, 0.0), link_stiffness=2e6, link_damping=10.0,
        joint_damping=1e-4, contact={"stiffness": 1e9, "restitution": 0.4, "friction": 0.15},
        second={"load_torque": 2.0, "inertia": 5e-4},
    )  # fmt: skip
    data = given.model_dump(exclude_none=True) | {"loop": loop}
    return Drive(**data)


def test_running_backwards_is_running_forward_in_a_mirror():
    forward, backward = trajectory(symmetric(40.0)), trajectory(symmetric(-40.0))
    # The first roller lies on the touch point of wheel 0, and by symmetry one on the other touch point: mirrored at
    # y = 0 the rollers are the same, numbered the other way round.
    start = forward["roller_position"][0]
    touching = np.flatnonzero(np.abs(start[:, 0]) < 1e-4 * PITCH)
    assert len(touching) == 2
    mirrored = start * [1.0, -1.0]
    number = np.array([np.argmin(np.linalg.norm(start - point, axis=1)) for point in mirrored])
    np.testing.assert_allclose(start[number], mirrored, rtol=0.0, atol=1e-12)
    np.testing.assert_allclose(
        backward["roller_position"][:, number], forward["roller_position"] * [1.0, -1.0], rtol=0.0, atol=1e-9
    )
    np.testing.assert_allclose(backward["wheel_speed"], -forward["wheel_speed"], rtol=0.0, atol=1e-5)
    np.testing.assert_allclose(backward["work_input"], forward["work_input"], rtol=0.0, atol=1e-6)
    np.testing.assert_allclose(
        backward["contact_force"][:, number],
        forward["contact_force"],
        atol=1e-5 * forward["contact_force"].max(),
        rtol=0.0,
    )


def test_two_descriptions_of_one_drive():
    # A chain on the front of all wheels whose loop is called clockwise, driven counter-clockwise, runs against its
    # route: the same physics as the counter-clockwise loop, the rollers numbered the other way round.
    along, against = trajectory(symmetric(40.0)), trajectory(symmetric(40.0, loop="clockwise"))
    a, b = along["roller_position"][0], against["roller_position"][0]
    number = np.array([np.argmin(np.linalg.norm(b - point, axis=1)) for point in a])
    np.testing.assert_allclose(b[number], a, rtol=0.0, atol=1e-12)
    assert np.all(np.diff(number) % 40 == 39)
    np.testing.assert_allclose(against["roller_position"][:, number], along["roller_position"], rtol=0.0, atol=1e-9)
    np.testing.assert_allclose(against["wheel_speed"], along["wheel_speed"], rtol=0.0, atol=1e-5)
    # span 0 of the one is span 1 of the other
    np.testing.assert_allclose(
        against["span_tension"][0, ::-1], along["span_tension"][0], atol=1e-6 * np.abs(along["span_tension"]).max()
    )
