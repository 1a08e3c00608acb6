"""The cage of a derailleur at rest: its spring pulls the lower run with M / (dL/d theta), by virtual work."""

import math

import numpy as np
import pytest

import chaindrive as cd
from chaindrive.mechanism.facts import drive_facts
from chaindrive.mechanism.layout import initial_configuration
from chaindrive.model import Drive, override
from chaindrive.simulation.start import channel_at_start, prepare
from chaindrive.solvers.rest import StructuredRest

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


def in_space(gear, chainstay, **more):
    """A bicycle whose links move in space, with play along the pins and in bending."""
    ring, cog = (int(teeth) for teeth in gear.split("x"))
    bicycle = {"gear": gear, "chainrings": [ring], "cassette": [cog], "chainstay": chainstay} | more
    rider = {"cadence": "90 rpm", "power": "250 W", "rear_inertia": "0.1 kg*m^2"}
    sideways = {"pin_play": "0.1 mm", "bend_play": "1.3 deg", "bend_stiffness": "300 N*m/rad"}
    sideways |= {"twist_stiffness": "100 N*m/rad"}
    chain = {"standard": "bicycle-single", "link_stiffness": "30 MN/m", "sideways": sideways}
    return Drive.from_dict(
        {
            "name": f"{gear}, {chainstay}",
            "chain": chain,
            "contact": {"stiffness": "8 GN/m^1.5", "exponent": 1.5, "friction": 0.1},
            "bicycle": bicycle | {"tooth": {"form": "iso-606"}, "rider": rider},
            "run": {"formulation": {"kind": "spatial"}},
        }
    )


TENSIONED = {"pushes": "down", "pivot": ["30 mm", "-40 mm"], "upper": "20 deg"}


@pytest.mark.parametrize(
    "drive",
    [
        in_space("46x16", "1.5 m", axle_travel="20 mm"),
        in_space("42x18", "900 mm", tensioner=TENSIONED),
        in_space("50x19", "1.5 m", straight_chainline=True, derailleur={"pulley_width": "1.9 mm"}),
    ],
    ids=lambda drive: drive.name,
)
def test_long_chainstays_take_hardly_more_steps(drive):
    """In line, the steps of Newton's method straighten a taut span, however many links it has.

    Of the three bicycles, none came to rest within 4,000 steps when the search held taut links in the plane.
    """
    notes = prepare(drive, start="at_rest").system.story.notes
    assert notes["static_converged"]
    assert notes["static_method"] == "newton"
    assert notes["static_iterations"] < 400


def test_a_cargo_bicycle_with_a_derailleur_comes_to_rest():
    """Its links roll within their play on wheels out of line; after the steps of Newton's method none is left to do."""
    drive = in_space(
        "32x10", "1.5 m", cassette=[51, 28, 10], derailleur={"cage_length": "93 mm", "pulley_width": 0.0019}
    )
    notes = prepare(drive, start="at_rest").system.story.notes
    assert notes["static_converged"]
    assert notes["static_method"] == "newton"


def test_play_along_the_pins_holds_no_link_in_the_plane():
    """Links between the wheels under tension have no force that makes the plane unstable: no stiffness is added there.

    Along z and about the length of the link and its transverse axis, it is.
    """
    system = prepare(in_space("46x16", "405 mm", axle_travel="20 mm"), start="at_rest").system
    rest = StructuredRest(system, 0.0)
    q = system.state[: system.positions].copy()
    rest.renew(q)
    both = []
    for convex in (False, True):
        rest.linearise(q, convex=convex)
        both.append(rest._matrix.diagonal.copy())
    free = channel_at_start(system, "contact_surface") < 0
    pull = channel_at_start(system, "link_tension")
    taut = free & np.roll(free, -1) & (pull > 0.5 * pull.max())
    assert taut.sum() > 20
    added = (both[1] - both[0])[taut]
    across, along = system.force_scale / 12.7e-3, added[:, 2, 2]
    assert (along > 0.5 * across).all()
    assert (added[:, [3, 4], [3, 4]] > 0.0).all()
    np.testing.assert_allclose(added[:, :2, :2], 0.0, atol=1e-9 * across)
    np.testing.assert_allclose(added[:, 5, 5], 0.0, atol=1e-9 * across * 12.7e-3**2)


LOADS = {
    "viscous": {"load_viscous": "0.34 N*m*s/rad"},
    "quadratic": {"load_quadratic": "0.0126 N*m*s^2/rad^2"},
    "vehicle": {
        "vehicle": {
            "equivalent_mass": "10 kg",
            "mass": "80 kg",
            "rolling_radius": "335 mm",
            "rolling_resistance": 0.004,
            "drag_area": "0.36 m^2",
        }
    },
}


@pytest.mark.parametrize("load", LOADS)
def test_a_bicycle_in_space_starts_at_speed_with_the_loads_of_that_speed(load):
    """The tight span pulls the cog with the load at its speed, T r = M(w), as in the plane and not as at rest.

    The slack span pulls back with its weight, some 1 % of it; bushings and teeth deform differently in the plane.
    """
    bicycle = in_space("46x16", "405 mm", axle_travel="20 mm").replace({"bicycle.rider.power": "0 W"})
    drive = bicycle.replace({"wheels": [{"name": "cog", "load_torque": 0.0, **LOADS[load]}]})
    space, plane = (
        prepare(override(drive, {"run.formulation.kind": kind}), start="at_speed").system
        for kind in ("spatial", "roller")
    )
    pulls = [channel_at_start(system, "span_tension") for system in (space, plane)]
    np.testing.assert_allclose(pulls[0], pulls[1], rtol=0.01)
    cog, speed = drive.wheels[1], 2.0 * math.pi * 1.5 * 46.0 / 16.0
    loads = {"viscous": 0.34 * speed, "quadratic": 0.0126 * speed**2}
    if load in loads:
        slack, tight = sorted(pulls[0])
        assert (tight - slack) * 12.7e-3 / (2.0 * math.sin(math.pi / cog.teeth)) == pytest.approx(loads[load], rel=0.03)
    assert max(pulls[0]) > 10.0 * max(space.story.notes["static_span_tension"])
