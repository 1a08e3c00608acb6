"""The table of a bicycle: derived parts, overrides, and messages about impossible ones."""

import math
import random
import tomllib

import numpy as np
import pytest

from chaindrive.errors import InputError
from chaindrive.formulations.spatial.placing import bush_offsets, wheel_axes
from chaindrive.mechanism.layout import initial_configuration, placed_chain
from chaindrive.model import Bicycle, Body, Chain, Derailleur, Drive, Wheel, load, loads, override
from chaindrive.placing.bicycle import generated
from support.schemas import drive_validator

PITCH = 0.0127
TEXT = """
name = "bicycle"
notes = ["own note"]

[chain]
standard = "bicycle-11"

[contact]
stiffness = "30 MN/m"
exponent = 1

[bicycle]
gear = "50x19"
chainrings = [50, 34]
cassette = [11, 12, 13, 14, 15, 17, 19, 21, 23, 25, 28]
chainstay = "410 mm"
straight_chainline = true

[bicycle.derailleur]

[run]
formulation = { kind = "roller" }
"""


@pytest.fixture
def bicycle():
    return loads(TEXT)


def problems(change, text=TEXT):
    """Places and messages of the problems of a bicycle after a change of its fields."""
    fields = tomllib.loads(text)
    change(fields)
    with pytest.raises(InputError) as caught:
        Drive.from_dict(fields)
    return {problem.place: problem.message for problem in caught.value.problems}


# What follows -------------------------------------------------------------------------------------------------------


def test_wheels_and_bodies_of_a_bicycle_with_derailleur(bicycle):
    assert [(w.name, w.teeth, w.side) for w in bicycle.wheels] == [
        ("chainring", 50, "front"),
        ("tension pulley", 11, "front"),
        ("guide pulley", 11, "back"),
        ("cog", 19, "front"),
    ]
    assert bicycle.loop == "clockwise"
    ring, tension, guide, cog = bicycle.wheels
    assert ring.position == (0.0, 0.0)
    assert cog.position == pytest.approx((-math.sqrt(0.41**2 - 0.07**2), 0.07))
    assert guide.position[0] - cog.position[0] == pytest.approx(0.008)
    radius = [0.5 * PITCH / math.sin(math.pi / z) for z in (19, 11)]
    assert math.dist(guide.position, cog.position) == pytest.approx(sum(radius) + 0.014)
    assert math.dist(guide.position, tension.position) == pytest.approx(0.056)
    (cage,) = bicycle.bodies
    assert {w.name for w in bicycle.wheels if w.body == "cage"} == {"tension pulley", "guide pulley"}
    assert cage.joint.position == pytest.approx(guide.position)
    assert cage.centre_of_mass == pytest.approx(np.mean([guide.position, tension.position], axis=0))
    assert bicycle.chain.links == 108
    assert bicycle.notes[0] == "own note"
    assert any("108 links" in note for note in bicycle.notes)
    assert any("-76.0 deg" in note for note in bicycle.notes)


EVERY = pytest.mark.parametrize("every", [3, pytest.param(1, marks=pytest.mark.long)], ids=["third", "all"])


def test_power_and_cadence_become_motion_and_load(bicycle):
    ring, *_, cog = bicycle.wheels
    assert ring.motion.speed == pytest.approx(-1.5 * 2 * math.pi)  # clockwise
    speed = 1.5 * 2 * math.pi * 50 / 19
    assert cog.load_torque * speed == pytest.approx(250.0)
    assert cog.inertia == pytest.approx(85.0 * 0.34**2)
    assert override(bicycle, {"bicycle.rider.rear_inertia": 0.1}).wheels[3].inertia == 0.1
    air = override(bicycle, {"bicycle.rider.resistance": "air"}).wheels[3]
    assert air.load_torque == 0.0
    assert air.load_quadratic * speed**3 == pytest.approx(250.0)
    legs = override(bicycle, {"bicycle.rider.pedals": "torque"}).wheels[0]
    assert legs.motion is None
    assert legs.torque * legs.initial_speed == pytest.approx(250.0)
    assert legs.torque < 0.0


@EVERY
def test_the_spring_is_the_same_in_all_gears(bicycle, every):
    """Torque that takes up chain, clockwise: 1 N m at -90 deg, 0.3 N m/rad more further forward."""
    for gear in bicycle.bicycle.gears[::every]:
        drive = override(bicycle, {"bicycle.gear": gear})
        (cage,), (_, tension, guide, _) = drive.bodies, drive.wheels
        joint = cage.joint
        away = np.subtract(tension.position, guide.position)
        direction = math.atan2(away[1], away[0])
        torque = joint.load - joint.stiffness * (0.0 - joint.neutral)
        assert torque == pytest.approx(-(1.0 + 0.3 * (direction + math.pi / 2)), rel=1e-12), gear
        assert direction + joint.lower == pytest.approx(-math.pi)
        assert direction + joint.upper == pytest.approx(math.radians(-20.0))


@EVERY
def test_the_chain_closes_in_all_gears(bicycle, every):
    for gear in bicycle.bicycle.gears[::every]:
        drive = override(bicycle, {"bicycle.gear": gear})
        lay, _ = placed_chain(drive)
        apart = np.linalg.norm(np.roll(lay.roller_position, -1, axis=0) - lay.roller_position, axis=1)
        assert len(apart) == 108
        np.testing.assert_allclose(apart, PITCH, rtol=1e-11)
        assert lay.slack_span == -1, gear


def test_a_pivot_beside_the_guide_pulley(bicycle):
    moved = override(bicycle, {"bicycle.derailleur.pivot": ["10 mm", "4 mm"]})
    assert [w.position for w in moved.wheels] == [w.position for w in bicycle.wheels]
    (_, tension, guide, _), pivot = moved.wheels, np.array(moved.bodies[0].joint.position)
    along = np.subtract(tension.position, guide.position) / 0.056
    left = np.array([-along[1], along[0]])
    np.testing.assert_allclose(pivot - guide.position, 0.01 * along + 0.004 * left, atol=1e-12)


def test_chain_lines():
    """The largest ring and the smallest cog are the outermost; the plane of the drawing is that of the ring in use."""
    fields = tomllib.loads(TEXT)
    fields["run"]["formulation"]["kind"] = "spatial"
    lines = {"cassette_line": "40 mm", "chainline": "44 mm", "ring_spacing": "8 mm", "cog_pitch": "4 mm"}
    fields["bicycle"] |= lines | {"derailleur": None, "straight_chainline": False}

    def offsets(**changes):
        drive = Drive.from_dict(dict(fields, bicycle=fields["bicycle"] | changes))
        return [wheel.offset for wheel in drive.wheels]

    # rings at 48 and 40 mm, cogs from 60 mm (11) to 20 mm (28), 17 in the middle
    for gear, aside in (("50x11", 60 - 48), ("50x17", 40 - 48), ("34x28", 20 - 40), ("34x17", 0)):
        assert offsets(gear=gear) == pytest.approx([0.0, 1e-3 * aside]), gear
    # left out: smallest cog at 61.2 mm
    assert offsets(cassette_line=None)[1] == pytest.approx(61.2e-3 - 6 * 4e-3 - 48e-3)
    assert offsets(cassette_line=None, chainrings=[50], cassette=[19]) == [0.0, 0.0]
    assert offsets(straight_chainline=True) == [0.0, 0.0]


def test_links_that_go_over_are_as_long_as_the_pitch_in_space():
    """In the way the spatial formulation places its bushes: the wheels of a cage are where the loop closes in space."""
    fields = tomllib.loads(TEXT)
    fields["bicycle"] |= {"straight_chainline": False, "chainline": "45 mm"}
    bike, chain = Bicycle.from_dict(fields["bicycle"]), Chain(standard="bicycle-11", links=110)
    made = generated(bike, chain, 110)
    assert made.problems == ()
    wheels = [Wheel(**{name: v for name, v in table.items() if name != "body"}) for table in made.wheels]
    fields = {"name": "fixed", "loop": "clockwise", "chain": chain, "contact": fields["contact"], "wheels": wheels}
    drive = Drive.from_dict(fields | {"run": {"formulation": {"kind": "spatial"}}})
    assert [w.offset for w in wheels] == pytest.approx([0.0, *[-10.05e-3] * 3])
    lay = initial_configuration(drive)
    axes = np.array([wheel_axes(wheel.tilt) for wheel in drive.wheels])
    centres = np.array([[*wheel.position, wheel.offset] for wheel in drive.wheels])
    aside, _ = bush_offsets(lay, axes, centres)
    bushes = np.column_stack([lay.roller_position, aside])
    apart = np.linalg.norm(np.roll(bushes, -1, axis=0) - bushes, axis=1)
    np.testing.assert_allclose(apart, PITCH, rtol=1e-9)
    assert np.ptp(aside) == pytest.approx(10.05e-3)


def single(**bicycle):
    fields = tomllib.loads(TEXT)
    fields["bicycle"] = {"gear": "46x16", "chainrings": [46], "cassette": [16], "chainstay": "405 mm"} | bicycle
    return Drive.from_dict(fields)


def test_one_gear_is_tightened_by_its_axle():
    drive = single(axle_travel="20 mm", slack="0.5 mm")
    assert [w.name for w in drive.wheels] == ["chainring", "cog"]
    back = math.hypot(*drive.wheels[1].position) - 0.405
    assert 0.0 < back < 0.02
    lay = initial_configuration(drive)
    assert lay.slack_span >= 0
    needed = sum(lay.route.span_length) / PITCH + float(lay.route.wrap @ np.array([46, 16])) / (2.0 * math.pi)
    assert (drive.chain.links - needed) * PITCH == pytest.approx(0.5e-3, abs=1e-9)
    with pytest.raises(InputError, match=r"46x16 with 102 links: slack by .* mm with the axle 20 mm back"):
        override(drive, {"chain.links": 102})
    with pytest.raises(InputError, match="46x16 with 90 links: too short by"):
        override(drive, {"chain.links": 90})
    fixed = single()
    assert fixed.chain.links == 96
    with pytest.raises(InputError, match=r"46x16 with 94 links: too short by .* mm"):
        override(fixed, {"chain.links": 94})


@pytest.mark.parametrize("pushes", ["up", "down"])
def test_a_tensioner_arm(pushes):
    drive = single(tensioner={"pushes": pushes, "lower": "-120 deg", "upper": "50 deg"})
    assert [w.name for w in drive.wheels] == ["chainring", "tensioner pulley", "cog"]
    assert drive.wheels[1].side == ("back" if pushes == "up" else "front")
    lay, _ = placed_chain(drive)
    apart = np.linalg.norm(np.roll(lay.roller_position, -1, axis=0) - lay.roller_position, axis=1)
    np.testing.assert_allclose(apart, PITCH, rtol=1e-11)
    assert (drive.bodies[0].joint.load > 0.0) == (pushes == "up")


# What is put over it, and found again -------------------------------------------------------------------------------

OVER = [
    {},
    {"bicycle.gear": "34x28"},
    {"wheels.cog.mass": "2 kg", "wheels.guide pulley.teeth": 12},
    {"wheels.chainring.motion.ramp": "1 s"},
    {"wheels.chainring.motion": {"kind": "orders", "speed": "-80 rpm", "orders": [{"order": 2, "amplitude": 1}]}},
    {"bodies.cage.joint.lower": "none", "bodies.cage.mass": "50 g"},
    {"wheels.3.load_torque": "none", "wheels.cog.load_viscous": 0.3},
    {"chain.links": 110, "notes": ["other"]},
]


@pytest.mark.parametrize("changes", OVER)
def test_a_drive_that_is_written_is_the_same_again(bicycle, changes):
    drive = override(bicycle, changes)
    again = loads(str(drive))
    assert again == drive
    assert Drive.from_dict(drive.to_dict()) == drive
    assert str(again) == str(drive)
    assert "position" not in str(drive).split("[run]")[0]  # places follow from the bicycle
    drive_validator().validate(tomllib.loads(str(drive)))


def test_what_is_placed_can_be_changed_without_changing_what_is_placed_next(bicycle):
    first, second = (generated(bicycle.bicycle, bicycle.chain, bicycle.chain.links) for _ in range(2))
    assert first == second
    first.wheels[0]["tooth"]["form"] = "other"
    assert generated(bicycle.bicycle, bicycle.chain, bicycle.chain.links) == second


def test_what_is_put_over_it_holds(bicycle):
    assert override(bicycle, OVER[2]).wheels[3].mass == 2.0
    assert override(bicycle, OVER[2]).wheels[2].teeth == 12
    motion = override(bicycle, OVER[3]).wheels[0].motion
    assert (motion.ramp, motion.speed) == (1.0, bicycle.wheels[0].motion.speed)
    assert override(bicycle, OVER[4]).wheels[0].motion.kind == "orders"
    cage = override(bicycle, OVER[5]).bodies[0]
    assert (cage.joint.lower, cage.mass) == (None, 0.05)
    assert cage.joint.upper == bicycle.bodies[0].joint.upper
    cog = override(bicycle, OVER[6]).wheels[3]
    assert (cog.load_torque, cog.load_viscous) == (0.0, 0.3)
    # it stays when the gear changes, and the gear's own values change
    both = override(override(bicycle, OVER[2]), {"bicycle.gear": "50x11"})
    assert (both.wheels[3].mass, both.wheels[3].teeth) == (2.0, 11)
    assert both.wheels[3].load_torque < bicycle.wheels[3].load_torque


def test_from_python(bicycle):
    made = Drive(
        name="bicycle",
        notes=["own note"],
        chain={"standard": "bicycle-11"},
        contact=bicycle.contact,
        bicycle=Bicycle(
            gear="50 x 19",
            chainrings=[50, 34],
            cassette=bicycle.bicycle.cassette,
            chainstay="410 mm",
            straight_chainline=True,
            derailleur=Derailleur(),
        ),
        run=bicycle.run,
    )
    assert made == bicycle
    more = Body(name="rocker", mass=1.0, inertia=0.1, joint={"kind": "revolute", "position": [0.1, 0.1]})
    assert [body.name for body in Drive(**made.to_dict() | {"bodies": [more]}).bodies] == ["cage", "rocker"]


def test_a_moved_wheel_is_kept(bicycle):
    wheel = bicycle.wheels[3].model_copy(update={"position": (-0.41, 0.07)})
    moved = bicycle.model_copy(update={"wheels": (*bicycle.wheels[:3], wheel)})
    assert loads(moved.to_toml()).wheels[3].position == (-0.41, 0.07)


def test_links_that_are_left_out_follow_and_say_so(bicycle):
    assert bicycle.chain.sources["links"].startswith("estimated")
    assert "links" not in bicycle.to_dict()["chain"]
    larger = {"bicycle.cassette": [19, 34], "bicycle.gear": "50x34"}
    assert override(bicycle, larger).chain.links == 110
    with pytest.raises(InputError, match="50x34 with 108 links: too short"):
        override(bicycle, larger | {"chain.links": 108})
    given = override(bicycle, {"chain.links": 110})
    assert given.chain.sources["links"] == "given"
    assert not any("left out" in note for note in given.notes)


# What cannot be -----------------------------------------------------------------------------------------------------


def test_a_gear_that_does_not_close_says_by_how_much():
    found = problems(lambda f: f["bicycle"].update(gear="34x11") or f["chain"].update(links=110))
    (message,) = found.values()
    assert list(found) == ["bicycle.gear"]
    assert message.startswith("34x11 with 110 links: slack by 23.4 mm with the cage at -180 deg; use fewer links")
    assert "50x28 closes with 108" in message
    (message,) = problems(lambda f: f["bicycle"].update(gear="50x28") or f["chain"].update(links=104)).values()
    assert message.startswith("50x28 with 104 links: too short by 27.1 mm with the cage at -20 deg; use more links")


def test_a_cassette_beyond_the_reach_of_the_cage_says_how_far():
    found = problems(lambda f: f["bicycle"].update(cassette_line="80 mm"))
    assert list(found) == ["bicycle.gear"]
    for words in ("cog 19 is", "from the middle plane of the frame, beyond the reach of the derailleur", "mm"):
        assert words in found["bicycle.gear"]


def test_everything_that_is_wrong_at_once():
    def wrong(fields):
        fields["bicycle"] |= {"gear": "52x10"}
        fields["chain"] |= {"links": 109}
        fields["contact"] |= {"stiffness": "3 m"}
        fields["bicycle"]["derailleur"] = {"cage_length": "-1 mm", "inner_limit": "50 mm", "outer_limit": "40 mm"}

    found = problems(wrong)
    assert set(found) == {
        "chain.links", "contact.stiffness", "bicycle.gear", "bicycle.derailleur.cage_length",
        "bicycle.derailleur.outer_limit",
    }  # fmt: skip
    assert "52 is not in chainrings = [50, 34]; did you mean 50?" in found["bicycle.gear"]
    assert (
        "10 is not in cassette = [11, 12, 13, 14, 15, 17, 19, 21, 23, 25, 28]; did you mean 11?"
        in found["bicycle.gear"]
    )
    assert "even" in found["chain.links"]


WRONG = {
    "bicycle.gear": [
        lambda f: f["bicycle"].update(gear="50-19"),
        lambda f: f["bicycle"].update(cassette_line="80 mm"),
        lambda f: f["bicycle"].update(cassette_line="5 mm"),
    ],
    "chain.links": [lambda f: f["chain"].update(links=109)],
    "bicycle.derailleur.pivot": [lambda f: f["bicycle"]["derailleur"].update(pivot=["60 mm", "0 mm"])],
    "bicycle.derailleur.cage_length": [lambda f: f["bicycle"]["derailleur"].update(cage_length="50 mm")],
    "bicycle.derailleur.gap": [lambda f: f["bicycle"]["derailleur"].update(gap="4 mm")],
    "bicycle.derailleur": [lambda f: f["bicycle"]["derailleur"].update(cage_length="40 mm")],
    "bicycle.derailleur.upper": [lambda f: f["bicycle"]["derailleur"].update(lower="-20 deg", upper="-30 deg")],
    "bicycle.chainstay": [lambda f: f["bicycle"].update(chainstay="130 mm", derailleur=None)],
    "bicycle.bottom_bracket_drop": [lambda f: f["bicycle"].update(bottom_bracket_drop="0.5 m")],
    "bicycle.axle_travel": [lambda f: f["bicycle"].update(axle_travel="5 mm")],
    "bicycle.cassette": [lambda f: f["bicycle"].update(cassette=[19, 19])],
    "bicycle.tensioner": [lambda f: f["bicycle"].update(tensioner={})],
    "bicycle.rider.ripple": [lambda f: f["bicycle"].update(rider={"ripple": 0.7})],
    "bicycle.straight_chainline": [lambda f: f["bicycle"].update(straight_chainline=False)],
    "bicycle.derailler": [lambda f: f["bicycle"].update(derailler={})],
    "bicycle": [lambda f: f.update(bicycle=3)],
    "loop": [lambda f: f.update(loop="counterclockwise")],
    "wheels[0].name": [
        lambda f: f.update(wheels=[{"name": "cogg", "mass": 1}]),
        lambda f: f.update(wheels=[{"mass": 1}]),
    ],
    "wheels": [lambda f: f.update(wheels=3)],
    "wheels.cog.mass": [lambda f: f.update(wheels=[{"name": "cog", "mass": "3 m"}])],
    "wheels.cog.shaft.length": [lambda f: f.update(wheels=[{"name": "cog", "shaft": {"diameter": "1 cm"}}])],
    "bodies.cage.mass": [lambda f: f.update(bodies=[{"name": "cage", "mass": -1}])],
    "bodies.rocker.joint": [lambda f: f.update(bodies=[{"name": "rocker"}])],
}


@pytest.mark.parametrize(("place", "change"), [(place, change) for place, all_ in WRONG.items() for change in all_])
def test_problems_point_to_the_fields_of_the_bicycle(place, change):
    found = problems(change)
    assert place in found, found


def test_a_bicycle_stays_when_its_chain_is_wrong():
    found = problems(lambda f: f.update(chain={"standard": "bicycle-13"}))
    assert set(found) == {"chain.standard"}


def test_a_file_names_itself(tmp_path):
    path = tmp_path / "own.toml"
    path.write_text(TEXT.replace("50x19", "50x20"))
    with pytest.raises(InputError, match=r"own.toml: bicycle.gear: cog 20 is not in cassette"):
        load(path)


# Random bicycles ----------------------------------------------------------------------------------------------------


def random_fields(choice):
    """A bicycle such as a user might try."""
    rings = sorted(choice.sample(range(20, 61), choice.choice([1, 1, 2])), reverse=True)
    cogs = sorted(choice.sample(range(9, 53), choice.choice([1, 7, 10, 11, 12])))
    given = {
        "chainstay": choice.uniform(0.38, 0.48),
        "bottom_bracket_drop": choice.uniform(-0.02, 0.08),
        "straight_chainline": True,
    }
    kind = choice.choice(["derailleur", "derailleur", "derailleur", "tensioner", "axle"])
    if kind == "derailleur":
        given["derailleur"] = {
            "guide_pulley": choice.randint(9, 16),
            "tension_pulley": choice.randint(9, 18),
            "cage_length": choice.uniform(0.05, 0.11),
            "gap": choice.uniform(0.01, 0.03),
            "ahead": choice.uniform(-0.02, 0.02),
            "pivot": [choice.uniform(-0.01, 0.01), choice.uniform(-0.01, 0.01)],
        }
    else:
        rings, cogs = rings[:1], cogs[:1]
    if kind == "tensioner":
        given["tensioner"] = {"pulley": choice.randint(9, 14), "pushes": choice.choice(["up", "down"])}
    elif kind == "axle":
        given["axle_travel"] = choice.uniform(0.0, 0.02)
    given |= {"chainrings": rings, "cassette": cogs, "gear": f"{choice.choice(rings)}x{choice.choice(cogs)}"}
    return dict(tomllib.loads(TEXT), bicycle=given)


def made_or_wrong(make, given):
    """The drive made of it, or the problems if it cannot be made."""
    try:
        return make(given), ()
    except InputError as error:
        return None, error.problems


@pytest.mark.parametrize("count", [10, pytest.param(50, marks=pytest.mark.long)])
def test_random_bicycles_close_or_say_why(count):
    choice, closed = random.Random(12), 0
    for _ in range(count):
        drive, wrong = made_or_wrong(Drive.from_dict, random_fields(choice))
        assert all(problem.place.startswith("bicycle") for problem in wrong), wrong
        if drive is None:
            continue
        assert drive.chain.links % 2 == 0
        assert loads(str(drive)) == drive
        lay, wrong = made_or_wrong(initial_configuration, drive)
        if lay is None:  # without a tensioner a chain may hang too low
            assert not drive.bodies
            assert {problem.place for problem in wrong} == {"chain.links"}
            continue
        apart = np.linalg.norm(np.roll(lay.roller_position, -1, axis=0) - lay.roller_position, axis=1)
        np.testing.assert_allclose(apart, PITCH, rtol=1e-9)
        assert lay.slack_span == -1 or not drive.bodies
        closed += 1
    assert 0.5 * count < closed < 0.9 * count
