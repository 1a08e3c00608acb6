"""The cage of a derailleur at rest: its spring pulls the lower run with M / (dL/d theta), by virtual work."""

import math

import numpy as np
import pytest

import chaindrive as cd
from chaindrive.mechanism.facts import drive_facts
from chaindrive.mechanism.layout import initial_configuration
from chaindrive.model import Drive, override
from chaindrive.simulation.start import channel_at_start, prepare

GEARS = ("50x11", "50x19", "34x28")


def flat(gear):
    """A bicycle without weight and friction in one plane, with rollers on springs."""
    return Drive.from_dict(
        {
            "name": gear,
            "gravity": [0.0, 0.0],
            "chain": {"standard": "bicycle-11", "links": 110, "link_stiffness": "30 MN/m"},
            "contact": {"stiffness": "30 MN/m", "exponent": 1},
            "bicycle": {
                "gear": gear,
                "chainrings": [50, 34],
                "cassette": [11, 19, 28],
                "chainstay": "410 mm",
                "straight_chainline": True,
                "derailleur": {"spring_torque": "1.2 N*m", "spring_angle": "-100 deg", "spring_stiffness": 0.4},
            },
            "run": {"formulation": {"kind": "roller"}},
        }
    )


@pytest.mark.parametrize("gear", GEARS)
def test_tension_of_the_lower_run(gear):
    """T dL/d theta = spring torque, of a spring that is the same in all gears: 1.2 N m + 0.4 N m/rad beyond -100 deg.

    Exactly, the two runs that end on the tension pulley pull it at its centre, the others pass through the pivot:
    r x (T_0 u_0 - T_1 u_1) = moment, u the directions of links in them. That the pulley turns freely makes T_0 = T_1
    but for the arms of its polygon, 1 - cos(pi / 11) = 4 % apart; the mean of both is then T to some 2 %.
    """
    drive = flat(gear)
    system = prepare(drive, start="at_rest").system
    assert system.story.notes["static_converged"]
    tension, pulled = (channel_at_start(system, name) for name in ("span_tension", "link_tension"))
    place = channel_at_start(system, "roller_position")
    turned = float(channel_at_start(system, "joint_position")[0])
    joint = drive.bodies[0].joint
    tail, head = drive.wheels[1].position, drive.wheels[2].position
    direction = math.atan2(tail[1] - head[1], tail[0] - head[0]) + turned
    moment = 1.2 + 0.4 * (direction - math.radians(-100.0))
    assert -(joint.load - joint.stiffness * (turned - joint.neutral)) == pytest.approx(moment, rel=1e-9)

    belongs = initial_configuration(drive).span_of_link
    arm, force = 0.056 * np.array([math.cos(direction), math.sin(direction)]), np.zeros(2)
    for span, sign in ((0, -1.0), (1, 1.0)):
        link = int(np.flatnonzero(belongs == span)[1])  # free of both wheels
        along = place[(link + 1) % 110] - place[link]
        force += sign * pulled[link] * along / np.hypot(*along)
    assert arm[0] * force[1] - arm[1] * force[0] == pytest.approx(moment, rel=1e-6)

    def length(angle):
        centres = [wheel.position for wheel in drive.wheels]
        centres[1] = (head[0] + 0.056 * math.cos(angle), head[1] + 0.056 * math.sin(angle))
        return drive_facts(drive).route_at(centres).length

    slope = (length(direction + 1e-4) - length(direction - 1e-4)) / 2e-4
    assert slope < 0.0
    assert tension[0] == pytest.approx(tension[1], rel=0.041)
    assert 0.5 * (tension[0] + tension[1]) * -slope == pytest.approx(moment, rel=0.02)


def test_a_bicycle_in_space_rests_as_in_the_plane():
    """In line, with the torque of the pedals and a slack chain, teeth press on links that are free to roll.

    The steps of the search do not become smaller for it (20,000 of them did not get there). Bushings and teeth deform
    differently from springs between rollers: tensions, of a chain that hangs, within 1 %.
    """
    drive = cd.example("two-legs-46x16")
    space, plane = (
        prepare(override(drive, {"run.formulation.kind": kind}), start="at_rest").system
        for kind in ("spatial", "roller")
    )
    notes = space.story.notes
    assert notes["static_converged"]
    assert notes["static_method"] == "newton"
    assert notes["static_iterations"] < 400
    np.testing.assert_allclose(notes["static_span_tension"], plane.story.notes["static_span_tension"], rtol=0.01)


def test_a_bicycle_that_coasts_along_comes_to_rest():
    """With 3 W, links carry a third of the tension that the spring of the cage gives them."""
    drive = cd.example("bicycle-50x19").replace({"bicycle.rider.power": "3 W"})
    notes = prepare(drive).system.story.notes
    assert notes["static_converged"]
    assert notes["static_method"] == "newton"
    assert notes["static_residual"] <= 1.0 * drive.chain.link_mass  # 1 m/s^2
