"""A drive seen in a mirror, turned, or run backwards moves as its image: nothing in the code prefers a direction.

The initial configuration and the state are not mirrored by hand: each drive is described, compiled, placed and run
separately. The result must be its image. Rollers are numbered along the route from the first on wheel 0, and mirrored
drives are routed the same way round, so that roller i has roller i as its image.

Tolerance: a length of 0.3 m is rounded to 5e-17 m, which at 1e7 N/m is 5e-10 N of tensions around 200 N; and speeds are
what such forces give to 9 g within one period of a link, 1e-4 s: 1e-11 m/s. 1e-9 of the largest value leaves a factor
of 100 for growth from contact to contact.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numba.core import config
from numpy.typing import NDArray

from chaindrive.formulations import compile_system
from chaindrive.model import Chain, Contact, Drive, RollerOptions, Wheel
from chaindrive.solvers import SolverSettings
from support.small_drives import Run, run, two_wheels

FloatArray = NDArray[np.float64]

PITCH = 0.0127
UNTIL, INTERVAL = (1e-4, 5e-5) if config.DISABLE_JIT else (0.02, 5e-4)
GRAVITY = (1.7, -9.0)
"""Direction of gravity, not along an axis, so that a sign error in either component shows."""

FRICTION, SHARPNESS = 0.1, 0.1
STEPS = SolverSettings(method="verlet", step=5e-6)
"""Equal steps by a given step: with a step control, rounding decides where a step ends and which impact speed is stored
there.
"""

Point = tuple[float, float]
Map = Callable[[float, float], Point]


def identity(x: float, y: float) -> Point:
    return x, y


def mirror(x: float, y: float) -> Point:
    return -x, y


def turned_by(angle: float) -> Map:
    c, s = math.cos(angle), math.sin(angle)
    return lambda x, y: (c * x - s * y, s * x + c * y)


def three_wheels(move: Map = identity, mirrored: bool = False, **changes: Any) -> Drive:
    """Driver, a wheel on the back of the chain, and a loaded wheel: nothing about it is symmetric."""
    form = {"form": "asa-ii"}
    speed = 30.0
    places = {"driver": (0.0, 0.0), "driven": (0.26577, 0.02), "idler": (0.14, 0.075)}
    given: list[dict[str, Any]] = [
        {"name": "driver", "teeth": 17, "motion": {"kind": "constant_speed", "speed": -speed if mirrored else speed}},
        {"name": "driven", "teeth": 23, "inertia": 2e-3, "load_torque": 5.0, "bearing_damping": 0.01},
        {"name": "idler", "teeth": 13, "inertia": 2e-4, "side": "back", "bearing_friction": 0.02},
    ]
    wheels = tuple(Wheel(**(w | {"position": move(*places[w["name"]]), "tooth": form})) for w in given)
    chain = Chain(
        links=LINKS,
        pitch=PITCH,
        link_mass=0.0088,
        link_stiffness=1e7,
        link_damping=30.0,
        roller_diameter=0.00851,
        joint_damping=1e-3,
    )
    contact = Contact(stiffness=1e10, exponent=1.5, restitution=0.3, friction=FRICTION)
    loop = "clockwise" if mirrored else "counterclockwise"
    return Drive(
        name="three", gravity=move(*GRAVITY), loop=loop, chain=chain, wheels=wheels, contact=contact, **changes
    )


LINKS = 62


def result(drive: Drive) -> Run:
    system = compile_system(drive, RollerOptions(friction_sharpness=SHARPNESS), True)
    state = system.state.copy()
    state[system.positions : 2 * system.positions] = system.motion.rolling
    found = run(replace(system, state=state), UNTIL, INTERVAL, STEPS)
    assert found.status.name == "REACHED_END"
    return found


def image(vectors: FloatArray, move: Map) -> FloatArray:
    """Points or velocities (..., 2) under the map."""
    return np.stack(move(vectors[..., 0], vectors[..., 1]), axis=-1)


def compare(a: Run, b: Run, move: Map, sense: float) -> None:
    """Assert that b is the image of a; sense: -1 where the map turns counter-clockwise into clockwise."""
    for name in ("roller_position", "roller_velocity", "wheel_position"):
        size = np.abs(a.channels[name]).max()
        np.testing.assert_allclose(b.channels[name], image(a.channels[name], move), rtol=0.0, atol=1e-9 * size)
    for name in ("wheel_speed", "wheel_torque", "friction_force", "span_displacement"):
        allowed = 1e-9 * np.nanmax(np.abs(a.channels[name]))
        if name == "friction_force":  # mu N tanh(slip / (v* epsilon)), as far as velocities of rounding size differ
            apart = np.abs(b.channels["roller_velocity"] - image(a.channels["roller_velocity"], move)).max()
            slip = RollerOptions().friction_speed * SHARPNESS
            steepest = FRICTION * np.abs(a.channels["contact_force"]).max() / slip
            allowed += steepest * apart
        np.testing.assert_allclose(b.channels[name], sense * a.channels[name], rtol=0.0, atol=allowed)
    turned = a.channels["wheel_angle"] - a.channels["wheel_angle"][0]
    np.testing.assert_allclose(b.channels["wheel_angle"] - b.channels["wheel_angle"][0], sense * turned, atol=1e-11)
    for name in ("link_tension", "contact_force", "span_tension", "link_path_position", "contact_surface"):
        size = np.abs(a.channels[name]).max()
        np.testing.assert_allclose(b.channels[name], a.channels[name], rtol=0.0, atol=1e-9 * size)
    scale = np.abs(a.channels["energy_kinetic"]).max()
    for name in a.channels:
        if name.startswith(("work_", "energy_kinetic", "energy_elastic")):
            np.testing.assert_allclose(b.channels[name], a.channels[name], rtol=0.0, atol=1e-9 * scale)


@pytest.fixture(scope="module")
def original() -> Run:
    found = result(three_wheels())
    rolled = np.abs(found.channels["wheel_angle"][-1] - found.channels["wheel_angle"][0])
    if not config.DISABLE_JIT:  # more than a tooth: rollers have entered and left
        assert (rolled > 2.0 * math.pi / np.array([17, 23, 13])).all()
    return found


def test_mirrored(original: Run) -> None:
    compare(original, result(three_wheels(mirror, mirrored=True)), mirror, -1.0)


@pytest.mark.parametrize("angle", [0.5 * math.pi, -2.1])
def test_turned(original: Run, angle: float) -> None:
    move = turned_by(angle)
    compare(original, result(three_wheels(move)), move, 1.0)


def test_run_backwards() -> None:
    """Two equal wheels side by side are their own image upside down. Turned in the other direction, the motion is the
    image.

    The spans are whole pitches long and half the teeth of a wheel are wrapped: the initial configuration is its own
    image, too, only that its rollers are numbered the other way round. Forces are then summed in another order. In this
    drive a roller touches down so gently that rounding decides at which step: start positions changed by 1e-17 m change
    speeds by 4e-8 m/s within 4 ms, as measured. Hence 1e-6 here; and friction, which changes sign over v* eps = 0.01
    m/s, differs by mu F/(v* eps) = 0.1 F/0.01 for each m/s.
    """

    def upside_down(x: float, y: float) -> Point:
        return x, -y

    given: dict[str, Any] = {
        "span": 12.003,
        "second": {"load_torque": 5.0},
        "contact": {"restitution": 0.3, "friction": 0.1},
        "gravity": (2.0, 0.0),
        "link_damping": 30.0,
        "joint_damping": 1e-3,
    }
    forward, backward = (result(two_wheels(speed=speed, **given)) for speed in (30.0, -30.0))
    assert forward.channels["link_tension"].max() > (20.0 if config.DISABLE_JIT else 100.0)
    start = image(forward.channels["roller_position"][0], upside_down)
    apart = np.hypot(*(start[:, None] - backward.channels["roller_position"][0][None]).T).T
    partner = apart.argmin(axis=1)  # image of roller i
    assert sorted(partner) == list(range(len(start)))
    assert apart.min(axis=1).max() < 1e-14
    link = np.where(
        partner == np.roll(partner, -1) + 1, np.roll(partner, -1), len(start) - 1
    )  # from its last roller on
    for name in ("roller_position", "roller_velocity"):
        expected = image(forward.channels[name], upside_down)
        size = np.abs(expected).max()
        np.testing.assert_allclose(backward.channels[name][:, partner], expected, rtol=0.0, atol=1e-6 * size)
    for name, sense, order in (
        ("link_tension", 1.0, link),
        ("contact_force", 1.0, partner),
        ("friction_force", -1.0, partner),
        ("span_tension", 1.0, [1, 0]),
        ("wheel_speed", -1.0, [0, 1]),
        ("wheel_torque", -1.0, [0, 1]),
    ):
        expected = sense * forward.channels[name]
        tolerance = 1e-6 * np.abs(expected).max()
        if name == "friction_force":
            fastest, hardest = (
                np.abs(forward.channels["roller_velocity"]).max(),
                forward.channels["contact_force"].max(),
            )
            tolerance = 1e-6 * fastest * 0.1 * hardest / 0.01
        np.testing.assert_allclose(backward.channels[name][:, order], expected, rtol=0.0, atol=tolerance)
