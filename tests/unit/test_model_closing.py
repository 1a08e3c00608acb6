"""Numbers of links that follow from the route, and wheels and bodies that are moved until the chain closes.

Closed-form solutions: two wheels with the centres a apart take 2 sqrt(a^2 - (R2 - R1)^2)/p + (z1 + z2)/2 + (z2 - z1)
b/pi pitches with sin b = (R2 - R1)/a, and about X = 2 a/p + (z1 + z2)/2 + ((z2 - z1)/(2 pi))^2 p/a (ISO 606, annex).
"""

from __future__ import annotations

import copy
import math

import numpy as np
import pytest

import chaindrive as cd
from chaindrive.errors import InputError
from chaindrive.mechanism.facts import drive_facts
from chaindrive.mechanism.layout import route_in_pitches
from chaindrive.model import loads, override
from chaindrive.model.files.drives import drive_of

PITCH = 0.0127
TWO = {
    "name": "two",
    "loop": "counterclockwise",
    "chain": {"standard": "08B-1", "links": "auto"},
    "contact": {"stiffness": 5e10},
    "wheels": [
        {
            "name": "motor",
            "teeth": 17,
            "position": ["0 mm", "0 mm"],
            "tooth": {"form": "iso-606"},
            "motion": {"kind": "constant_speed", "speed": "100 rpm"},
        },
        {"name": "drum", "teeth": 38, "position": ["509.2 mm", 0], "inertia": 0.1, "tooth": {"form": "iso-606"}},
    ],
}


def changed(path: str, value: object, fields: dict = TWO) -> dict:
    made = copy.deepcopy(fields)
    here = made
    *before, last = path.split(".")
    for name in before:
        here = here[int(name)] if isinstance(here, list) else here.setdefault(name, {})
    here[int(last) if isinstance(here, list) else last] = value
    return made


def drive(fields: dict) -> cd.Drive:
    return cd.Drive.from_dict(fields)


def problems(fields: dict) -> dict[str, str]:
    with pytest.raises(InputError) as caught:
        drive(fields)
    return {problem.place: problem.message for problem in caught.value.problems}


def exact(distance: float, z1: int, z2: int, pitch: float = PITCH) -> float:
    r1, r2 = (pitch / (2.0 * math.sin(math.pi / z)) for z in (z1, z2))
    b = math.asin((r2 - r1) / distance)
    return 2.0 * math.sqrt(distance**2 - (r2 - r1) ** 2) / pitch + 0.5 * (z1 + z2) + (z2 - z1) * b / math.pi


def iso_distance(links: int, z1: int, z2: int) -> float:
    """Centre distance by the formula of the standards: a = p/8 (2 X - z1 - z2 + sqrt((...)^2 - 8/pi^2 (z2 - z1)^2))."""
    free = 2 * links - z1 - z2
    return PITCH / 8.0 * (free + math.sqrt(free**2 - 8.0 / math.pi**2 * (z2 - z1) ** 2))


@pytest.mark.parametrize(("teeth", "distance"), [(38, 0.5092), (17, 0.4), (57, 0.7), (19, 0.3217), (76, 1.1)])
def test_the_fewest_even_number_that_reaches_around(teeth: int, distance: float) -> None:
    made = drive(changed("wheels.1.teeth", teeth, changed("wheels.1.position", [distance, 0.0])))
    needed = exact(distance, 17, teeth)
    assert made.chain.links == 2 * math.ceil(needed / 2.0)
    assert made.chain.links % 2 == 0
    assert route_in_pitches(made) == pytest.approx(needed, rel=1e-12)
    assert made.chain.sources["links"] == "the route ('auto')"


def test_auto_is_kept_so_that_other_teeth_get_other_links() -> None:
    made = drive(TWO)
    assert made.chain.links == 108
    assert made.to_dict()["chain"]["links"] == "auto"
    assert 'links = "auto"  # 108' in made.to_toml()
    assert loads(made.to_toml()) == made
    assert override(made, {"wheels.drum.teeth": 57}).chain.links == 2 * math.ceil(exact(0.5092, 17, 57) / 2.0)
    assert override(made, {"chain.links": 110}).chain.links == 110
    assert override(made, {"chain.links": 110}).chain.links_follow is False
    copied = made.model_copy(update={"chain": made.chain.model_copy(update={"links": 110})})
    assert copied.to_dict()["chain"]["links"] == drive_of(copied).chain.links == 110
    assert drive_of(made.model_copy(update={"name": "other"})).chain.links_follow


@pytest.mark.parametrize("links", [60, 80, 108, 110, 140])
def test_the_centre_distance_of_a_number_of_links(links: int) -> None:
    """Exact to rounding by our own formula; the formula of the standards is off by less than 0.2 mm."""
    fields = changed("closing", {"wheel": "drum", "direction": 0}, changed("chain.links", links))
    made = drive(fields)
    x, y = made.wheels[1].position
    assert y == 0.0
    assert exact(x, 17, 38) == pytest.approx(links, abs=1e-9)
    assert x == pytest.approx(iso_distance(links, 17, 38), abs=2e-4)
    again = loads(made.to_toml())
    assert again == made  # it closes where it is: nothing is moved any more
    assert again.wheels[1].position == (x, y)
    assert override(made, {"chain.links": 112}).wheels[1].position[0] == pytest.approx(
        iso_distance(112, 17, 38), abs=2e-4
    )


def test_slack_and_sag() -> None:
    fields = changed("closing", {"wheel": "drum", "slack": "0.41 mm"}, changed("chain.links", 108))
    made = drive(fields)
    x = made.wheels[1].position[0]
    assert exact(x, 17, 38) * PITCH == pytest.approx(108 * PITCH - 0.41e-3, abs=1e-11)
    made = drive(changed("closing", {"wheel": "drum", "sag": "9 mm"}, changed("chain.links", 108)))
    x = made.wheels[1].position[0]
    span = math.sqrt(x**2 - (PITCH / 2 * (1 / math.sin(math.pi / 38) - 1 / math.sin(math.pi / 17))) ** 2)
    assert exact(x, 17, 38) * PITCH == pytest.approx(108 * PITCH - 8.0 / 3.0 * 0.009**2 / span, abs=1e-11)


def test_auto_and_closing_take_the_number_nearest_to_the_drawing() -> None:
    made = drive(changed("closing", {"wheel": "drum"}, changed("wheels.1.position", ["514 mm", "3 mm"])))
    assert made.chain.links == 108
    x, y = made.wheels[1].position
    assert exact(math.hypot(x, y), 17, 38) == pytest.approx(108.0, abs=1e-9)
    assert math.atan2(y, x) == pytest.approx(math.atan2(3, 514), abs=1e-3)  # what tightens most: along the centres


def test_a_worn_chain_is_laid_with_its_own_pitch() -> None:
    fields = changed("closing", {"wheel": "drum"}, changed("chain", {"standard": "08B-1", "links": 108}))
    fields = changed("chain.elongation", "1 %", fields)
    fields = changed("run", {"formulation": {"kind": "link", "friction_speed": 0.1}}, fields)
    made = drive(fields)
    assert route_in_pitches(made) == pytest.approx(108.0, abs=1e-9)
    assert exact(made.wheels[1].position[0], 17, 38, 1.01 * PITCH) == pytest.approx(108.0, abs=1e-9)


ARM = TWO | {
    "chain": {"standard": "08B-1", "links": 112},
    "wheels": [
        *TWO["wheels"],
        {
            "name": "idler",
            "body": "arm",
            "teeth": 15,
            "position": ["250 mm", "60 mm"],
            "side": "back",
            "inertia": 1e-4,
            "mass": 0.2,
            "tooth": {"form": "iso-606"},
        },
    ],
    "bodies": [
        {
            "name": "arm",
            "mass": 0.5,
            "inertia": 1e-3,
            "centre_of_mass": ["220 mm", "100 mm"],
            "joint": {"kind": "revolute", "position": ["150 mm", "60 mm"], "lower": "-40 deg", "upper": "30 deg",
                      "stop_stiffness": 1e4},
        },
        {
            "name": "foot",
            "parent": "arm",
            "mass": 0.1,
            "inertia": 1e-5,
            "centre_of_mass": [0.25, 0.1],
            "joint": {"kind": "prismatic", "position": [0.25, 0.1], "direction": "90 deg", "stiffness": 1e4},
        },
    ],
    "tensioners": [
        {"name": "spring", "kind": "spring_damper", "from_position": [0.25, 0.3], "to_body": "arm",
         "to_position": [0.25, 0.11], "stiffness": 2e3, "preload": 80},
    ],
}  # fmt: skip


def test_an_arm_is_turned_with_all_that_it_carries() -> None:
    links = 110
    made = drive(changed("closing", {"body": "arm"}, changed("chain.links", links, ARM)))
    assert route_in_pitches(made) == pytest.approx(links, abs=1e-9)
    pivot, before = np.array([0.15, 0.06]), np.array([0.25, 0.06])
    after = np.array(made.wheels[2].position)
    assert np.hypot(*(after - pivot)) == pytest.approx(np.hypot(*(before - pivot)), rel=1e-12)
    angle = math.atan2(*(after - pivot)[::-1]) - math.atan2(*(before - pivot)[::-1])
    assert 1e-4 < abs(angle) < math.radians(40)
    turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    arm, foot = made.bodies
    moved = {
        (0.22, 0.1): arm.centre_of_mass,
        (0.25, 0.1): foot.centre_of_mass,
        (0.25, 0.11): made.tensioners[0].to_position,
    }
    for point, place in moved.items():
        np.testing.assert_allclose(place, pivot + turn @ (np.array(point) - pivot), rtol=0, atol=1e-12)
    np.testing.assert_allclose(foot.joint.position, foot.centre_of_mass, atol=1e-12)
    assert foot.joint.direction == pytest.approx(math.pi / 2 + angle, abs=1e-12)
    assert arm.joint.position == (0.15, 0.06)
    assert made.tensioners[0].from_position == (0.25, 0.3)
    assert (arm.joint.lower, arm.joint.upper) == pytest.approx((math.radians(-40) - angle, math.radians(30) - angle))
    assert arm.joint.neutral == pytest.approx(-angle)
    assert loads(made.to_toml()) == made


def test_a_slide_is_shifted() -> None:
    fields = copy.deepcopy(ARM)
    fields["bodies"][0]["joint"] = {"kind": "prismatic", "direction": "90 deg", "position": [0.25, 0.1]}
    made = drive(changed("closing", {"body": "arm"}, changed("chain.links", 110, fields)))
    assert route_in_pitches(made) == pytest.approx(110, abs=1e-9)
    assert made.wheels[2].position[0] == pytest.approx(0.25, abs=1e-15)
    shift = made.wheels[2].position[1] - 0.06
    assert made.bodies[0].centre_of_mass == pytest.approx((0.22, 0.1 + shift))


def test_rails_on_the_body_and_beside_the_chain_count() -> None:
    """A guide pressed into the tight side needs a longer chain, or a smaller centre distance."""
    rail = {
        "name": "rail",
        "shape": {"kind": "on_span", "span": 0, "length": "200 mm", "end_radius": "60 mm", "end_length": "20 mm",
                  "indentation": "25 mm"},
        "contact": {"stiffness": 2e8},
    }  # fmt: skip
    fields = changed("closing", {"wheel": "drum", "direction": 0}, changed("chain.links", 108)) | {"guides": [rail]}
    made = drive(fields)
    assert route_in_pitches(made) == pytest.approx(108.0, abs=1e-9)
    assert made.wheels[1].position[0] < iso_distance(108, 17, 38) - 1e-3
    assert drive(TWO | {"guides": [rail]}).chain.links == 110


@pytest.mark.parametrize("kind", ["roller", "link", "block", "spatial"])
def test_every_formulation_takes_it(kind: str) -> None:
    from chaindrive.formulations import compile_system

    fields = changed("closing", {"wheel": "drum", "slack": "0.2 mm"})
    formulation = {"kind": kind} if kind == "block" else {"kind": kind, "friction_speed": 0.1}
    made = drive(changed("run", {"formulation": formulation}, fields))
    assert made.chain.links == 108
    assert compile_system(made, made.run.formulation, True) is not None
    assert drive_facts(made).route.span_length[0] > 0.5


def test_what_is_refused_has_a_place_and_a_way_out() -> None:
    assert (
        "there is no such wheel; did you mean 'drum'"
        in problems(changed("closing", {"wheel": "dram"}))["closing.wheel"]
    )
    assert "exactly one of wheel and body; neither" in problems(changed("closing", {}))["closing"]
    assert "both are given" in problems(changed("closing", {"wheel": "drum", "body": "arm"}))["closing"]
    both = problems(changed("closing", {"wheel": "drum", "slack": 0.001, "sag": 0.01}))
    assert "either slack or sag" in both["closing.sag"]
    assert "there is no such body" in problems(changed("closing", {"body": "arm"}))["closing.body"]
    assert (
        "moves in its joint" in problems(changed("closing", {"body": "arm", "direction": 0}, ARM))["closing.direction"]
    )
    nowhere = problems(changed("closing", {"wheel": "drum", "direction": 0}, changed("chain.links", 32)))
    assert "does not close anywhere" in nowhere["closing.wheel"]
    assert "such as 108" in nowhere["closing.wheel"]
    stopped = problems(changed("closing", {"body": "arm"}, changed("chain.links", 130, ARM)))
    assert "-40 to 30 deg" in stopped["closing.body"]
    fixed = copy.deepcopy(ARM)
    fixed["bodies"][0]["joint"] = {"kind": "fixed"}
    assert "revolute or prismatic" in problems(changed("closing", {"body": "arm"}, fixed))["closing.body"]
    preload = changed(
        "preload", {"span": 0, "sag": 0.01, "by": "wheel", "wheel": 1}, changed("closing", {"wheel": "drum"})
    )
    assert "give only one of the two" in problems(preload)["closing"]
    assert "'auto'" in problems(changed("chain.links", "many"))["chain.links"]
    ends = [{"kind": "ground", "position": [0, 0.1]}, {"kind": "ground", "position": [0.5, 0.1]}]
    assert "needs a closed chain" in problems(changed("chain.ends", ends))["chain.links"]


def test_other_problems_are_told_at_once_and_none_of_the_stand_in() -> None:
    fields = changed("closing", {"wheel": "dram"}, changed("contact.stifness", 1.0))
    found = problems(fields)
    assert {"closing.wheel", "contact.stifness"} <= set(found)
    found = problems(changed("wheels.1.teeth", 3))
    assert set(found) == {"wheels[1].teeth"}
    found = problems(changed("wheels.1.inertia", None, changed("wheels.1.position", ["2 mm", 0])))
    assert not any("100" in message for message in found.values())
    assert "wheels[1].position" in found


def test_check_says_what_was_found() -> None:
    from chaindrive.cli.check import length_line

    made = drive(TWO)
    told = length_line(made, drive_facts(made).route)
    assert "the chain has 108 links: slack by 409.6 µm" in told
    distance = float(told.split("centre distance of ")[1].split(" mm")[0]) * 1e-3
    assert exact(distance, 17, 38) == pytest.approx(108.0, abs=1e-4)
    made = drive(changed("closing", {"wheel": "drum"}, changed("chain.links", 108)))
    told = length_line(made, drive_facts(made).route)
    assert f"Closed by wheel drum: drum at [{made.wheels[1].position[0] * 1e3:.3f}, 0.000] mm." in told
    made = drive(changed("closing", {"body": "arm"}, changed("chain.links", 110, ARM)))
    told = length_line(made, drive_facts(made).route)
    assert "Closed by body arm: idler at [" in told


def test_the_links_of_a_bicycle_follow_its_own_way() -> None:
    """'auto' is then the same as leaving them out; nothing else is moved."""
    bicycle = cd.example("bicycle-50x19")
    made = override(bicycle, {"chain.links": "auto"})
    assert made == override(bicycle, {"chain.links": "none"})
    assert made.chain.links > 100
    with pytest.raises(InputError, match="cage of a bicycle closes its chain"):
        override(bicycle, {"closing.wheel": "cog"})


SECOND = {
    "name": "second",
    "shaft": {"from_wheel": "drum", "to_wheel": "small"},
    "chain": {"standard": "10B-1", "links": "auto"},
    "wheels": [
        {"name": "small", "teeth": 15, "position": [0, 0], "inertia": 0.01, "tooth": {"form": "iso-606"}},
        {"name": "roller", "teeth": 45, "position": [0.6, 0], "inertia": 1.0, "tooth": {"form": "iso-606"}},
    ],
}


def test_links_of_a_stage_follow_and_its_wheel_is_moved() -> None:
    alone = drive(TWO | {"stages": [SECOND]})
    assert alone.chain.links == drive(TWO).chain.links
    stage = alone.stages[0]
    needed = exact(0.6, 15, 45, 0.015875)
    assert stage.chain.links == 2 * math.ceil(needed / 2.0)
    assert stage.chain.links_follow

    slack = 0.002
    closed = drive(TWO | {"stages": [SECOND | {"closing": {"wheel": "roller", "slack": slack}}]})
    stage = closed.stages[0]
    x, y = stage.wheels[1].position
    assert stage.chain.links * 0.015875 == pytest.approx(exact(x, 15, 45, 0.015875) * 0.015875 + slack, abs=1e-12)
    assert y == 0.0
    assert loads(closed.to_toml()) == closed  # 'auto' and the closing stand in the file again
    assert 'links = "auto"' in closed.to_toml().split("[[stages]]")[1]


def test_what_is_wrong_with_the_closing_of_a_stage_has_its_place() -> None:
    wrong = TWO | {"stages": [SECOND | {"closing": {"wheel": "rollers"}}]}
    assert "roller" in problems(wrong)["stages[0].closing.wheel"]
    short = TWO | {"stages": [SECOND | {"wheels": [SECOND["wheels"][0] | {"teeth": "x"}, SECOND["wheels"][1]]}]}
    assert set(problems(short)) == {"stages[0].wheels[0].teeth"}


def test_offsets_between_sprockets_make_spans_longer_in_space():
    """Two equal sprockets 40 mm out of line: the chain closes at the same distance in space, not in the plane."""
    fields = changed("chain.links", 100) | {"closing": {"wheel": "drum", "direction": 0.0}}
    fields = changed("run", {"formulation": {"kind": "spatial"}}, changed("wheels.1.teeth", 17, fields))
    straight, aside = (drive(changed("wheels.1.offset", offset, fields)) for offset in (0.0, 0.04))
    distance = aside.wheels[1].position[0]
    assert straight.wheels[1].position[0] == pytest.approx(math.hypot(distance, 0.04), rel=1e-9)
    assert route_in_pitches(aside) == pytest.approx(100.0, abs=1e-9)
    counted = changed("wheels.1.position", [distance, 0.0], changed("chain.links", "auto", aside.to_dict()))
    assert drive({key: value for key, value in counted.items() if key != "closing"}).chain.links == 100


def idler(links: object, distance: float = 0.5112, height: float = -0.07) -> dict:
    """Return two wheels at a distance, with an idler outside the lower span, at this height, on an upright slide."""
    tooth = {"form": "iso-606"}
    fields = changed("wheels.1.position", [distance, 0.0], changed("chain.links", links))
    driver, driven = fields["wheels"]
    outside = {"name": "idler", "teeth": 15, "side": "back", "body": "slide", "position": [0.25, height]}
    outside |= {"inertia": 1e-4, "mass": 0.2, "tooth": tooth}
    joint = {"kind": "prismatic", "direction": "90 deg", "stiffness": 5e3, "neutral": "20 mm"}
    fields["wheels"] = [driver, outside, driven]
    return fields | {"bodies": [{"name": "slide", "mass": 0.1, "joint": joint}], "closing": {"body": "slide"}}


@pytest.mark.parametrize("height", [-0.07, -0.06, -0.05])
def test_links_that_an_idler_pressed_into_a_span_can_tension(height: float) -> None:
    """Two wheels alone need 108.3 pitches, which no idler makes shorter: 108, the nearest even number, does not close,
    and 110 does.
    """
    assert route_in_pitches(drive(changed("wheels.1.position", [0.5112, 0.0]))) == pytest.approx(108.29, abs=0.01)
    made = drive(idler("auto", height=height))
    assert made.chain.links == 110
    assert made.wheels[1].position[1] > height
    assert route_in_pitches(made) == pytest.approx(110.0, abs=1e-9)
    assert drive(idler(110, height=height)).wheels[1].position == pytest.approx(made.wheels[1].position, abs=1e-9)


def test_another_number_is_advised_only_if_it_closes() -> None:
    short = problems(idler(108))["closing.body"]
    assert "108 links" in short
    assert "such as 110" in short
    stops = idler("auto")
    stops["bodies"][0]["joint"] |= {"lower": 0.0, "upper": "1 mm", "stop_stiffness": 1e6}
    stopped = problems(stops)["closing.body"]
    assert "no even number" in stopped
    assert "auto" not in stopped
