"""A drive seen in a mirror, turned, or run backwards moves as its image: nothing in the code prefers a direction.

The placing and the state are not mirrored by hand: each drive is described, compiled, settled and run by itself. Its
image must come out. Rollers are numbered along the route from the first on wheel 0, and mirrored drives are routed the
same way round, so that roller i has roller i as its image.

Tolerance: a difference by rounding, 1e-16 of lengths of 0.3 m, is 1e-16 m, and becomes 1e-9 N at 1e7 N/m. Contacts part
neighbouring trajectories (a stored impact speed is a step of the right-hand side): a factor 1e4 is left for the growth
over 0.02 s, and the pictures still agree to a millionth of the forces.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numba.core import config
from numpy.typing import NDArray
from small_drives import TIGHT, Run, run

from chaindrive.formulations import compile_system
from chaindrive.model import Chain, Contact, Drive, Wheel

FloatArray = NDArray[np.float64]

PITCH = 0.0127
UNTIL, INTERVAL = (1e-4, 5e-5) if config.DISABLE_JIT else (0.02, 5e-4)
GRAVITY = (1.7, -9.0)
"""Not along an axis, so that a sign error in either component shows."""

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
    contact = Contact(stiffness=1e10, exponent=1.5, restitution=0.3, friction=0.1)
    loop = "clockwise" if mirrored else "counterclockwise"
    return Drive(
        name="three", gravity=move(*GRAVITY), loop=loop, chain=chain, wheels=wheels, contact=contact, **changes
    )


LINKS = 62


def result(drive: Drive) -> Run:
    from dataclasses import replace

    system = compile_system(drive, drive.run.formulation, True)
    state = system.state.copy()
    state[system.positions : 2 * system.positions] = system.rolling
    found = run(replace(system, state=state), UNTIL, INTERVAL, TIGHT)
    assert found.status.name == "REACHED_END"
    return found


def image(vectors: FloatArray, move: Map) -> FloatArray:
    """Points or velocities (..., 2) as the map shows them."""
    return np.stack(move(vectors[..., 0], vectors[..., 1]), axis=-1)


def compare(a: Run, b: Run, move: Map, sense: float) -> None:
    """b is the image of a; sense: -1 where the map turns counter-clockwise into clockwise."""
    for name in ("roller_position", "roller_velocity", "wheel_position"):
        size = np.abs(a.channels[name]).max()
        np.testing.assert_allclose(b.channels[name], image(a.channels[name], move), rtol=0.0, atol=1e-6 * size)
    for name in ("wheel_speed", "wheel_torque", "friction_force", "span_displacement"):
        size = np.nanmax(np.abs(a.channels[name]))
        np.testing.assert_allclose(b.channels[name], sense * a.channels[name], rtol=0.0, atol=1e-6 * size)
    turned = a.channels["wheel_angle"] - a.channels["wheel_angle"][0]
    np.testing.assert_allclose(b.channels["wheel_angle"] - b.channels["wheel_angle"][0], sense * turned, atol=1e-9)
    for name in ("link_tension", "contact_force", "span_tension", "link_path_position", "contact_body"):
        size = np.abs(a.channels[name]).max()
        np.testing.assert_allclose(b.channels[name], a.channels[name], rtol=0.0, atol=1e-6 * size)
    scale = np.abs(a.channels["energy_kinetic"]).max()
    for name in a.channels:
        if name.startswith(("work_", "energy_kinetic", "energy_elastic")):
            np.testing.assert_allclose(b.channels[name], a.channels[name], rtol=0.0, atol=1e-6 * scale)


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
