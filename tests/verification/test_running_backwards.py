"""A drive run backwards is the drive run forward in a mirror; and two descriptions of one drive are one drive."""

from __future__ import annotations

import numpy as np
import pytest

from chaindrive.model import Drive
from support.small_drives import PITCH, SolverSettings, compiled, run, two_wheels

ROUNDING = 1e-9
"""Allowed in positions [m]: rounding of 1e-16 m, and decisions of the step control that depend on it (the tolerance,
1e-10 m a step at the most); 1e-9 m perturbations grow by e^(60 t), a factor of 4 in 0.02 s."""


TIGHT = SolverSettings(atol_length=1e-10, atol_angle=1e-10, atol_speed=1e-6, atol_angular_speed=1e-6)
LAWS = {
    "smoothed": ({"friction_speed": 0.1, "friction_sharpness": 0.3}, TIGHT),
    "elastic": ({"friction_law": "elastic"}, SolverSettings(method="verlet", step=2e-6)),
}
"""Options of each law of friction, and a method: the release of an anchor is decided from step to step, and both runs
take the same steps if the step is given.
"""


def trajectory(speed, law, loop="counterclockwise"):
    """Two wheels of 16 teeth, 12 pitches apart, gravity along the line of centres: symmetric at the start."""
    given = two_wheels(
        (16, 16), 12.0 + 0.01, speed=speed, links=40, gravity=(-9.81, 0.0), link_stiffness=2e6, link_damping=10.0,
        joint_damping=1e-4, joint_friction=0.1, pin_diameter=0.00445, second={"load_torque": 2.0, "inertia": 5e-4},
        contact={"stiffness": 1e9, "restitution": 0.4, "friction": 0.15},
    )  # fmt: skip
    drive = Drive(**(given.model_dump(exclude_none=True) | {"loop": loop}))
    options, settings = LAWS[law]
    done = run(compiled(drive, **options), 0.02, 1e-3, settings)
    assert done.status.name == "REACHED_END"
    return done.channels


@pytest.fixture(scope="module", params=["elastic", "smoothed"])
def law(request):
    return request.param


@pytest.fixture(scope="module")
def forward(law):
    channels = trajectory(40.0, law)
    assert np.ptp(channels["link_tension"]) > 50.0
    assert channels["work_friction"][-1] > 1e-3
    assert channels["work_articulation"][-1] > 1e-3
    return channels


def numbering(start, target):
    """Number of the roller of ``start`` at each point of ``target``."""
    number = np.array([np.argmin(np.linalg.norm(start - point, axis=1)) for point in target])
    np.testing.assert_allclose(start[number], target, rtol=0.0, atol=1e-12)
    return number


def compare(other, one, number, flip, sign):
    moved = one["roller_position"] * flip
    np.testing.assert_allclose(other["roller_position"][:, number], moved, rtol=0.0, atol=ROUNDING)
    np.testing.assert_allclose(other["wheel_speed"], sign * one["wheel_speed"], rtol=0.0, atol=1e-5)
    np.testing.assert_allclose(other["work_input"], one["work_input"], rtol=0.0, atol=1e-6)
    scale = one["contact_force"].max()
    np.testing.assert_allclose(other["contact_force"][:, number], one["contact_force"], rtol=0.0, atol=1e-5 * scale)


def test_running_backwards_is_running_forward_in_a_mirror(forward, law):
    backward = trajectory(-40.0, law)
    start = forward["roller_position"][0]
    assert np.count_nonzero(np.abs(start[:, 0]) < 1e-4 * PITCH) == 2  # rollers on both touch points of the driver
    flip = np.array([1.0, -1.0])
    compare(backward, forward, numbering(backward["roller_position"][0], start * flip), flip, -1.0)


def test_two_descriptions_of_one_drive(forward, law):
    # A chain on the front of all wheels whose loop is called clockwise, driven counter-clockwise, runs against its
    # route: the same physics as the counter-clockwise loop, the rollers numbered the other way round.
    against = trajectory(40.0, law, loop="clockwise")
    number = numbering(against["roller_position"][0], forward["roller_position"][0])
    assert np.all(np.diff(number) % 40 == 39)
    compare(against, forward, number, np.ones(2), 1.0)
