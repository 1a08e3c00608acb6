"""Ends of open chains in the description: permitted and refused values, messages, and files."""

from __future__ import annotations

import tomllib

import pytest

from chaindrive.errors import InputError
from chaindrive.model import BodyEnd, Chain, Drive, FreeEnd, GroundEnd, WheelEnd, example, loads
from support.schemas import drive_validator

TEXT = """
name = "lift"
[chain]
standard = "16B-1"
links = 60
ends = [
  { kind = "ground", position = [0, "10 mm"] },
  { kind = "body", body = "carriage", position = ["153 mm", "0.2 m"], stiffness = "1 MN/m" },
]
[contact]
stiffness = "5 GN/m^1.5"
restitution = 0
friction = 0.1
[[wheels]]
name = "sheave"
teeth = 19
position = ["77 mm", "0.9 m"]
side = "back"
inertia = 0.01
tooth = { form = "smooth" }
[[bodies]]
name = "carriage"
mass = 100
joint = { kind = "prismatic", direction = "90 deg" }
[run]
start = "at_rest"
"""


def problems(text):
    with pytest.raises(InputError) as caught:
        loads(text)
    return {problem.place: problem for problem in caught.value.problems}


def test_a_file_says_both_ends_and_keeps_them():
    drive = loads(TEXT)
    first, second = drive.chain.ends
    assert first == GroundEnd(position=(0.0, 0.01))
    assert second == BodyEnd(body="carriage", position=(0.153, 0.2), stiffness=1e6)
    assert loads(str(drive)) == drive
    assert Drive.from_dict(drive.to_dict()) == drive
    assert not list(drive_validator().iter_errors(tomllib.loads(TEXT)))
    assert drive.span_names == ("ground - sheave", "sheave - carriage")


def test_joints_and_masses():
    free = FreeEnd(mass=3.0)
    chain = Chain(standard="16B-1", links=60, ends=(WheelEnd(wheel="drum", angle=0.0), free))
    assert (chain.joints, Chain(standard="16B-1", links=60).joints) == (61, 60)
    assert chain.end_masses == pytest.approx((0.5 * chain.link_mass, 3.0 + 0.5 * chain.link_mass))


@pytest.mark.parametrize(
    ("old", "new", "place", "says"),
    [
        ('kind = "ground", position', 'kind = "ceiling", position', "chain.ends[0].kind", "ground"),
        ('body = "carriage"', 'body = "carrige"', "chain.ends[1].body", "did you mean 'carriage'"),
        ("links = 60", "links = 0", "chain.links", "from 1"),
        ("[run]", "[run]\nuntil = 'steady'", "run.until", "does not circulate"),
        (
            "[run]",
            "[run]\nformulation = { kind = 'link', coordinates = 'path' }",
            "run.formulation.coordinates",
            "use 'cartesian'",
        ),
        ("[run]", "[run]\nformulation = { kind = 'spatial' }", "chain.ends", "run.formulation.kind = 'roller'"),
        ("[run]", "[run]\nformulation = { kind = 'block' }", "wheels[0].tooth.form", "supports only sprockets"),
        ("[run]", "[preload]\nspan = 2\ntension = 100\n[run]", "preload.span", "from 0 to 1"),
        (
            '{ kind = "ground", position = [0, "10 mm"] }',
            '{ kind = "wheel", wheel = "sheve", angle = 0 }',
            "chain.ends[0].wheel",
            "must be 'sheave', the first wheel",
        ),
        (
            '{ kind = "ground", position = [0, "10 mm"] }',
            '{ kind = "free", position = [0, 0] }',
            "chain.ends[0].position",
            "follows from the number of links",
        ),
    ],
)
def test_what_is_wrong_is_told_with_its_place(old, new, place, says):
    import re

    assert old in TEXT
    found = problems(TEXT.replace(old, new, 1))
    assert place in found, found
    assert re.search(says, found[place].message), found[place].message


def test_two_free_ends_need_a_place():
    chain = {"standard": "16B-1", "links": 5}
    contact = {"stiffness": 1e9, "restitution": 0.0, "friction": 0.0}
    with pytest.raises(InputError, match=r"ends\[0\].position.*both ends are free"):
        Drive(name="falls", chain=chain | {"ends": [{"kind": "free"}, {"kind": "free"}]}, contact=contact)
    first = {"kind": "free", "position": [0, 0]}
    drive = Drive(name="falls", chain=chain | {"ends": [first, {"kind": "free"}]}, contact=contact)
    assert drive.span_names == ("free end - free end",)


def test_a_chain_has_no_span_beyond_the_wheel_that_it_is_anchored_to():
    """One wheel: from a fitting past it to another one there are two spans, from an anchor on it there is one."""
    beyond = "[[payloads]]\nspan = 2\nmass_per_length = 1\n[run]"
    text = TEXT.replace("[run]", beyond)
    assert problems(text)["payloads[0].span"].message == "must be from 0 to 1: the drive has 2 spans"
    on_wheel = text.replace('kind = "ground", position = [0, "10 mm"]', 'kind = "wheel", wheel = "sheave", angle = 0')
    assert problems(on_wheel)["payloads[0].span"].message == "must be from 0 to 0: the drive has 1 spans"


def test_closed_chains_need_wheels_and_links():
    fields = example("industrial-08b").to_dict()
    with pytest.raises(InputError, match=r"wheels.*needs at least 1.*chain.ends"):
        Drive.from_dict(fields | {"wheels": []})
    with pytest.raises(InputError, match=r"chain.links.*at least 3.*chain.ends"):
        Drive.from_dict(fields | {"chain": fields["chain"] | {"links": 2}})


def test_a_bicycle_has_a_closed_chain():
    fields = example("bicycle-50x19").to_dict()
    fields["chain"]["ends"] = [{"kind": "ground", "position": [0, 0]}, {"kind": "free"}]
    with pytest.raises(InputError, match="the chain of a bicycle is closed"):
        Drive.from_dict(fields)


HAND_CHAIN = """
name = "hand chain"
[chain]
standard = "08B-1"
links = 60
[contact]
stiffness = "50 GN/m^1.5"
[[wheels]]
name = "hand wheel"
teeth = 20
position = [0, 0]
tooth = { form = "iso-606" }
motion = { kind = "constant_speed", speed = "30 rpm" }
[run]
start = "at_rest"
"""


def test_a_closed_chain_may_hang_from_one_wheel():
    drive = loads(HAND_CHAIN)
    assert drive.span_names == ("hand wheel - hand wheel",)
    assert loads(str(drive)) == drive


@pytest.mark.parametrize(
    ("old", "new", "place", "says"),
    [
        ("links = 60", "links = 'auto'", "chain.links", "number of its links"),
        ("[contact]", "[closing]\nwheel = 'hand wheel'\n[contact]", "closing", "omit it"),
        ("[contact]", "[preload]\nspan = 0\ntension = 3\nby = 'pitch'\n[contact]", "preload", "two wheels"),
        ("[run]", "[run]\nformulation = { kind = 'block' }", "wheels", "'roller' or 'link'"),
        ("[run]", "[run]\nformulation = { kind = 'spatial' }", "wheels", "'roller' or 'link'"),
        ("[run]", "[run]\nformulation = { kind = 'link', coordinates = 'path' }", "run.formulation.coordinates", "two"),
        (
            "[run]",
            "[[payloads]]\nname = 'goods'\nspan = 0\nmass_per_length = 1\n[run]",
            "payloads[0]",
            "needs two wheels",
        ),
    ],
)
def test_what_a_loop_on_one_wheel_refuses(old, new, place, says):
    found = problems(HAND_CHAIN.replace(old, new))
    assert says in found[place].message
