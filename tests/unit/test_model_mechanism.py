"""Bodies, guides, tensioners, loads and unbalance of a drive: files, cross-checks, all problems at once."""

import copy
import math
import pickle
import tomllib

import pytest

from chaindrive.errors import InputError
from chaindrive.model import (
    Body,
    Drive,
    FixedJoint,
    HydraulicTensioner,
    OnSpanGuide,
    PathGuide,
    PrismaticHarmonic,
    PrismaticJoint,
    PrismaticMove,
    RevoluteHarmonic,
    RevoluteJoint,
    RevoluteMove,
    SpringDamperTensioner,
    StraightGuide,
    loads,
    moving_bodies,
    override,
    parents_first,
)
from support.schemas import drive_validator

TEXT = """
name = "with a tightener"
[chain]
standard = "08B-1"
links = 108
[contact]
stiffness = "50 GN/m^1.5"
[[wheels]]
name = "motor"
teeth = 17
position = ["0 mm", 0]
tooth = { form = "iso-606" }
motion = { kind = "run_down", initial_speed = "500 rpm", final_speed = 0, start = 1, duration = 2 }
[[wheels]]
name = "fan"
teeth = 38
position = ["509.2 mm", 0.0]
inertia = "0.1 kg*m^2"
load_viscous = "0.1 N*m*s/rad"
load_quadratic = "2 mN*m*s^2/rad^2"
load_table = { angles = ["0 deg", "90 deg", "180 deg", "360 deg"], torques = [1, "2 N*m", 3, 1], phase = 0.5 }
unbalance = { mass_moment = "10 g*m", angle = "90 deg" }
tooth = { form = "iso-606" }
[[wheels]]
name = "tightener"
body = "arm"
teeth = 20
position = ["250 mm", "200 mm"]
mass = "1.2 kg"
inertia = "1e-3 kg*m^2"
tooth = { form = "iso-606" }

[[bodies]]
name = "shoe"
parent = "arm"
mass = "0.3 kg"
[bodies.joint]
kind = "prismatic"
direction = "90 deg"
stiffness = "1 kN/m"
lower = "-1 mm"
upper = 0
stop_stiffness = 1e6
[[bodies]]
name = "lug"
parent = "shoe"
mass = "0.1 kg"
centre_of_mass = ["0.2 m", "0.2 m"]
joint = { kind = "fixed" }
[[bodies]]
name = "arm"
mass = "3 kg"
inertia = "0.01 kg*m^2"
centre_of_mass = ["0.3 m", "0.2 m"]
[bodies.joint]
kind = "revolute"
position = ["0.4 m", "0.2 m"]
damping = "0.2 N*m*s/rad"
lower = "-5 deg"
stop_stiffness = 100.0

[[guides]]
name = "rail"
contact = { stiffness = "3 MN/m", exponent = 1 }
contact_radius = 0
[guides.shape]
kind = "path"
start = [0.1, -0.1]
direction = "5 deg"
side = "right"
pieces = [{ length = "50 mm" }, { length = "80 mm", radius = "0.4 m", bend = "right" }]
[[guides]]
name = "bar"
body = "lug"
contact = { stiffness = "3 MN/m", exponent = 1, friction = 0.1 }
shape = { kind = "on_span", span = 1, length = "100 mm", indentation = "2 mm", end_radius = 0.1, end_length = 0.02 }
[[guides]]
name = "plank"
contact = { stiffness = "3 MN/m", exponent = 1 }
shape = { kind = "straight", start = [0.1, -0.2], end = [0.4, -0.2], side = "left", rotation = "1 deg" }

[[tensioners]]
kind = "spring_damper"
name = "spring"
from_position = [0.1, 0.4]
to_body = "arm"
to_position = [0.2, 0.2]
stiffness = "10 kN/m"
damping = "20 N*s/m"
damping_compression = "200 N*s/m"
preload = 150
shortest = "0.15 m"
longest = "0.3 m"
stop_stiffness = "1 MN/m"
ratchet = { pitch = "1 mm", stiffness = "5 MN/m", backlash = "0.2 mm" }
[[tensioners]]
kind = "hydraulic"
name = "oil"
from_body = "arm"
from_position = [0.3, 0.25]
to_body = "shoe"
to_position = [0.3, 0.2]
piston_diameter = "12 mm"
chamber_length = "20 mm"
supply_pressure = "3 bar"
leakage = { gap = "30 um", length = "15 mm" }
check_valve = { diameter = "3 mm", opening_pressure = "20 kPa", full_opening_pressure = "50 kPa" }
oil = { viscosity = "10 mPa*s", air_content = 0.02 }

[run]
until = "2 s"
"""


def drive(**changes):
    """The drive of TEXT with single values changed, paths written with __."""
    return override(loads(TEXT), {path.replace("__", "."): value for path, value in changes.items()})


def problems(make):
    """The messages that ``make`` raises, by place."""
    with pytest.raises(InputError) as caught:
        make()
    assert caught.value.__cause__ is None
    return {problem.place: problem for problem in caught.value.problems}


def replaced(*pairs):
    """Problems of the file with texts replaced by others."""
    text = TEXT
    for old, new in pairs:
        assert text.count(old) >= 1, old
        text = text.replace(old, new, 1)
    return problems(lambda: loads(text))


# What is read ---------------------------------------------------------------------------------------------------------


def test_what_a_file_says():
    read = drive()
    shoe, lug, arm = read.bodies
    assert isinstance(shoe.joint, PrismaticJoint)
    assert shoe.joint.direction == pytest.approx(math.pi / 2)
    assert (shoe.joint.position, shoe.joint.stiffness, shoe.joint.lower) == ((0.0, 0.0), 1000.0, -0.001)
    assert (shoe.joint.neutral, shoe.joint.load, shoe.joint.motion, shoe.centre_of_mass) == (0.0, 0.0, None, None)
    assert isinstance(lug.joint, FixedJoint)
    assert isinstance(arm.joint, RevoluteJoint)
    assert (arm.parent, arm.mass, arm.inertia, arm.joint.position) == ("ground", 3.0, 0.01, (0.4, 0.2))
    assert arm.joint.upper is None
    rail, bar, plank = (guide.shape for guide in read.guides)
    assert isinstance(rail, PathGuide)
    assert [piece.bend for piece in rail.pieces] == [None, "right"]
    assert isinstance(bar, OnSpanGuide)
    assert (bar.at, bar.side, bar.span, bar.indentation) == (0.5, "left", 1, 0.002)
    assert isinstance(plank, StraightGuide)
    assert [guide.contact_radius for guide in read.guides] == [0.0, None, None]
    spring, oil = read.tensioners
    assert isinstance(spring, SpringDamperTensioner)
    assert (spring.from_body, spring.to_body, spring.free_length) == ("ground", "arm", None)
    assert spring.drawing_length == pytest.approx(math.hypot(0.1, 0.2), rel=1e-15)
    assert (spring.ratchet.pitch, spring.ratchet.damping) == (0.001, 0.0)
    assert isinstance(oil, HydraulicTensioner)
    assert (oil.supply_pressure, oil.oil.viscosity, oil.oil.bulk_modulus) == (3e5, 0.01, 1.7e9)
    assert (oil.stiffness, oil.preload, oil.ratchet) == (0.0, None, None)
    fan = read.wheels[1]
    assert (fan.load_viscous, fan.load_quadratic, fan.load_table.phase) == (0.1, 0.002, 0.5)
    assert fan.load_table.torques == (1.0, 2.0, 3.0, 1.0)
    assert fan.unbalance.mass_moment == 0.01
    assert [wheel.body for wheel in read.wheels] == ["ground", "ground", "arm"]


def test_files_without_a_mechanism_have_none():
    first = TEXT[: TEXT.index("[[bodies]]")].replace('body = "arm"\n', "")
    plain = loads(first + '[run]\nuntil = "2 s"')
    assert (plain.bodies, plain.guides, plain.tensioners) == ((), (), ())
    assert plain.wheels[0].load_table is None
    for text in ("bodies", "guides", "tensioners"):
        assert f"{text} =" not in str(plain)
        assert f"[{text}" not in str(plain)


def all_motions():
    """The drive with both kinds of motion on both kinds of joint."""
    swing = RevoluteHarmonic(amplitude="1 deg", frequency="5 Hz", phase=1.0, start=0.5)
    turn = RevoluteMove(by="2 deg", start=1, duration="0.5 s")
    shake = PrismaticHarmonic(amplitude="1 mm", frequency=7, fade_in=0.3)
    shift = PrismaticMove(by="-3 mm", duration=1)
    bodies = [
        Body(name="a", joint=RevoluteJoint(position=(0, 1), motion=swing), mass=1),
        Body(name="b", parent="a", joint=RevoluteJoint(position=(0, 2), motion=turn), mass=1),
        Body(name="c", parent="b", joint=PrismaticJoint(direction=0.3, position=(1, 1), motion=shake), mass=1),
        Body(name="d", parent="c", joint=PrismaticJoint(direction=0.3, motion=shift), mass=1),
    ]
    fields = drive().to_dict()
    return Drive(**fields | {"bodies": [*fields["bodies"], *bodies]})


@pytest.mark.parametrize("make", [drive, all_motions])
def test_round_trips(make):
    made = make()
    again = loads(str(made))
    assert again == made
    assert str(again) == str(made)
    assert Drive.from_dict(made.to_dict()) == made
    assert pickle.loads(pickle.dumps(made)) == made
    assert hash(again) == hash(made)


def test_what_is_printed_says_units():
    text = str(drive())
    for line in (
        "mass_moment = 0.01",
        '[bodies.joint]\nkind = "prismatic"',
        "stiffness = 1000.0  # N/m\n",
        "damping = 0.2  # N*m*s/rad\n",
        "direction = 0.08726646259971647  # rad",
        "stiffness = 3000000.0  # N/m^1\n",
        "piston_diameter = 0.012  # m\n",
        "load_quadratic = 0.002  # N*m*s^2/rad^2\n",
    ):
        assert line in text, line


def test_override_reaches_into_the_mechanism():
    assert drive(bodies__arm__joint__damping="1 N*m*s/rad").bodies[2].joint.damping == 1.0
    assert drive(tensioners__0__preload="2 kN").tensioners[0].preload == 2000.0
    assert drive(guides__bar__shape__indentation="5 mm").guides[1].shape.indentation == 0.005
    assert drive(wheels__fan__load_table="none").wheels[1].load_table is None


# Order of bodies ------------------------------------------------------------------------------------------------------


def test_parents_first():
    bodies = drive().bodies
    assert [body.name for body in parents_first(bodies)] == ["arm", "shoe", "lug"]
    # Order is kept where it can be.
    assert [body.name for body in parents_first(bodies[::-1])] == ["arm", "shoe", "lug"]
    chain = [Body(name=f"b{i}", parent=f"b{i + 1}" if i < 9 else "ground", joint=FixedJoint()) for i in range(10)]
    assert [body.name for body in parents_first(chain)] == [f"b{i}" for i in range(9, -1, -1)]


def test_moving_bodies():
    assert moving_bodies(drive().bodies) == {"arm", "shoe", "lug"}
    fixed = [Body(name="a", joint=FixedJoint()), Body(name="b", parent="a", joint=FixedJoint())]
    assert moving_bodies(fixed) == frozenset()


# What is wrong within one part ----------------------------------------------------------------------------------------

WRONG = [
    # bodies
    ('joint = { kind = "fixed" }', "", "bodies[1].joint", "is missing: joint of the body"),
    ('kind = "fixed"', 'kind = "hinge"', "bodies[1].joint.kind", "'fixed', 'revolute', 'prismatic'"),
    ('kind = "fixed"', "", "bodies[1].joint.kind", "is missing: one of 'fixed'"),
    ('kind = "fixed"', 'kind = "fixed", damping = 1', "bodies[1].joint.damping", "not to 'fixed'"),
    ('direction = "90 deg"\n', "", "bodies[0].joint.direction", "is missing: direction of a positive shift"),
    ('position = ["0.4 m", "0.2 m"]', "", "bodies[2].joint.position", "about which the body turns"),
    ('stiffness = "1 kN/m"', 'stiffness = "1 kN*m/rad"', "bodies[0].joint.stiffness", "a stiffness"),
    ("upper = 0", "upper = -0.002", "bodies[0].joint.upper", "above lower = -0.001"),
    (
        "upper = 0",
        "upper = -0.0005",
        "bodies[0].joint.upper",
        "at least 0, the coordinate of the reference configuration",
    ),
    (
        'lower = "-5 deg"',
        'lower = "5 deg"',
        "bodies[2].joint.lower",
        "at most 0, the coordinate of the reference configuration",
    ),
    ("stop_stiffness = 1e6", "", "bodies[0].joint.stop_stiffness", "is needed for the end stops"),
    ("stop_stiffness = 100.0", "", "bodies[2].joint.stop_stiffness", "is needed for the end stops"),
    ("upper = 0", 'motion = { kind = "shake" }', "bodies[0].joint.motion.kind", "'move', 'harmonic'"),
    (
        "upper = 0",
        'motion = { kind = "harmonic", amplitude = 0.1 }',
        "bodies[0].joint.motion.frequency",
        "is missing",
    ),
    (
        "upper = 0",
        'motion = { kind = "move", by = "1 deg", duration = 1 }',
        "bodies[0].joint.motion.by",
        "is an angle; give a length",
    ),
    ("upper = 0", 'motion = { kind = "move", by = 1, duration = 0 }', "bodies[0].joint.motion.duration", "above 0"),
    ('mass = "3 kg"', "mass = -3", "bodies[2].mass", "at least 0 kg"),
    # guides
    ('name = "rail"', 'nmae = "r"\nname = "rail"', "guides[0].nmae", "did you mean 'name'?"),
    ("contact_radius = 0\n", "contact_radius = -1\n", "guides[0].contact_radius", "at least 0 m"),
    ("contact_radius = 0\n", 'contact_radius = "13 mm"\n', "guides[0].contact_radius", "at most the pitch 0.0127 m"),
    ("end = [0.4, -0.2]", "end = [0.1, -0.2]", "guides[2].shape.end", "has no length"),
    (', side = "left", rotation', ", rotation", "guides[2].shape.side", "is missing: side of the chain"),
    ("end_length = 0.02", "end_length = 0.11", "guides[1].shape.end_length", "at most end_radius 0.1 m"),
    ("end_radius = 0.1, ", "", "guides[1].shape.end_length", "at most end_radius 0 m"),
    ("span = 1", "span = 3", "guides[1].shape.span", "from 0 to 2: the drive has 3 spans"),
    ('length = "100 mm"', 'length = "100 m"', "guides[1].shape.length", "the distance between the wheels 'fan'"),
    ('length = "100 mm"', "length = 0", "guides[1].shape.length", "above 0 m"),
    ("span = 1", "span = 1, at = 1.5", "guides[1].shape.at", "at least 0 and at most 1"),
    (', bend = "right"', "", "guides[0].shape.pieces[1].bend", "is needed for a piece with a radius"),
    ('{ length = "50 mm" }', '{ length = 0.1, bend = "left" }', "guides[0].shape.pieces[0].bend", "needs a radius"),
    ('length = "80 mm"', 'length = "2.6 m"', "guides[0].shape.pieces[1].bend", "full circle"),
    ("pieces = [{", "pieces = [] # [{", "guides[0].shape.pieces", "at least 1"),
    ('kind = "path"', 'kind = "curve"', "guides[0].shape.kind", "'straight', 'on_span', 'path'"),
    # tensioners
    ("preload = 150", "", "tensioners[0].preload", "is missing: the spring needs"),
    ("preload = 150", "preload = 150\nfree_length = 0.3", "tensioners[0].preload", "is an alternative to free_length"),
    (
        'stiffness = "10 kN/m"\n',
        "stiffness = 0\nfree_length = 0.3\n",
        "tensioners[0].preload",
        "is an alternative to free_length",
    ),
    ('longest = "0.3 m"', 'longest = "0.1 m"', "tensioners[0].longest", "above shortest = 0.15 m"),
    ('longest = "0.3 m"', 'longest = "0.2 m"', "tensioners[0].longest", "length in the drawing, 0.223607 m"),
    ('shortest = "0.15 m"', 'shortest = "0.25 m"', "tensioners[0].shortest", "length in the drawing, 0.223607 m"),
    ('stop_stiffness = "1 MN/m"', "", "tensioners[0].stop_stiffness", "is needed for the end stops"),
    ("to_position = [0.2, 0.2]", "to_position = [0.1, 0.4]", "tensioners[0].to_position", "has no direction"),
    ('stiffness = "5 MN/m", ', "", "tensioners[0].ratchet.stiffness", "is missing: stiffness of the pawl"),
    ('pitch = "1 mm"', 'pitch = "-1 mm"', "tensioners[0].ratchet.pitch", "at least 0 m"),
    ('kind = "hydraulic"', 'kind = "pneumatic"', "tensioners[1].kind", "'spring_damper', 'hydraulic'"),
    ('piston_diameter = "12 mm"', "piston_diameter = 0", "tensioners[1].piston_diameter", "above 0 m"),
    ('chamber_length = "20 mm"', "", "tensioners[1].chamber_length", "is missing: length of the oil column"),
    ('chamber_length = "20 mm"', 'chamber_length = "-2 cm"', "tensioners[1].chamber_length", "above 0 m"),
    ('gap = "30 um"', "gap = 0", "tensioners[1].leakage.gap", "above 0 m"),
    ('gap = "30 um"', 'gap = "3 mm"', "tensioners[1].leakage", "a tenth of piston_diameter"),
    (
        "supply_pressure",
        'shortest = "20 mm"\nstop_stiffness = 1e6\nsupply_pressure',
        "tensioners[1].shortest",
        "0.03 m",
    ),
    (
        'full_opening_pressure = "50 kPa"',
        "full_opening_pressure = 1",
        "tensioners[1].check_valve.full_opening_pressure",
        "above opening_pressure = 20000 Pa",
    ),
    ('viscosity = "10 mPa*s"', 'viscosity = "10 mm"', "tensioners[1].oil.viscosity", "is a length"),
    # wheels
    ('"2 N*m", 3, 1]', '"2 N*m", 3, 2]', "wheels[1].load_table.torques", "must equal the first"),
    ('"2 N*m", 3, 1]', '"2 N*m", 3, 3, 1]', "wheels[1].load_table.torques", "4 entries, one for each angle"),
    ('"180 deg", "360 deg"', '"180 deg", "270 deg"', "wheels[1].load_table.angles", "exactly one turn"),
    ('"180 deg", "360 deg"', '"80 deg", "360 deg"', "wheels[1].load_table.angles", "must increase, but angles[2]"),
    ('load_viscous = "0.1 N*m*s/rad"', "load_viscous = -1", "wheels[1].load_viscous", "at least 0"),
    ('"10 g*m"', '"10 g"', "wheels[1].unbalance.mass_moment", "is a mass"),
    ("final_speed = 0", 'final_speed = "600 rpm"', "wheels[0].motion.final_speed", "between 0 and initial_speed 52.35"),
    ("final_speed = 0", 'final_speed = "-6 rpm"', "wheels[0].motion.final_speed", "between 0 and initial_speed 52.35"),
    ('initial_speed = "500 rpm"', "initial_speed = 0", "wheels[0].motion.final_speed", "initial_speed other than 0"),
    (
        'kind = "run_down"',
        'kind = "run_dwn"',
        "wheels[0].motion.kind",
        "'run_up', 'run_down', 'speed_table'; did you mean 'run_down'?",
    ),
]


@pytest.mark.parametrize(("old", "new", "place", "says"), WRONG, ids=[f"{w[2]}: {w[3]}"[:70] for w in WRONG])
def test_wrong_parts(old, new, place, says):
    found = replaced((old, new))
    assert set(found) == {place}, found
    assert says in found[place].message, found[place]


# Cross-checks ---------------------------------------------------------------------------------------------------------


def test_bodies_that_are_named_must_be_there():
    found = replaced(
        ('body = "arm"\nteeth', 'body = "amr"\nteeth'),
        ('parent = "shoe"', 'parent = "shoo"'),
        ('body = "lug"', 'body = "lugg"'),
        ('to_body = "arm"', 'to_body = "Arm"'),
        ('from_body = "arm"', 'from_body = "floor"'),
    )
    names = {
        "wheels[2].body": "arm",
        "bodies[1].parent": "shoe",
        "guides[1].body": "lug",
        "tensioners[0].to_body": "arm",
    }
    assert set(found) == {*names, "tensioners[1].from_body"}
    for place, name in names.items():
        assert f"did you mean {name!r}?" in found[place].message
        assert "Available: 'arm', 'ground', 'lug', 'shoe'" in found[place].message


def test_a_body_that_is_wrong_in_itself_is_there():
    assert set(replaced(('mass = "3 kg"', "mass = -3"))) == {"bodies[2].mass"}
    # Without a name, nobody knows which one is missing.
    assert set(replaced(('name = "arm"\n', ""))) == {"bodies[2].name"}
    assert set(problems(lambda: override(drive(), {"bodies": 3}))) == {"bodies"}


def test_the_ground_is_no_body():
    found = replaced(('name = "arm"', 'name = "ground"'))
    assert "reserved for the fixed frame" in found["bodies[2].name"].message
    assert "wheels[2].body" in found  # on 'arm', which is not there any more


def test_names_are_unique():
    found = replaced(('name = "lug"', 'name = "shoe"'), ('name = "bar"', 'name = "rail"'), ('"oil"', '"spring"'))
    assert set(found) == {"bodies[1].name", "guides[1].name", "guides[1].body", "tensioners[1].name"}
    assert "bodies[0] has the same name" in found["bodies[1].name"].message


def test_bodies_must_not_carry_each_other():
    found = replaced(('name = "arm"\n', 'name = "arm"\nparent = "lug"\n'))
    assert set(found) == {"bodies[0].parent"}
    assert "'shoe' on 'arm' on 'lug' on 'shoe'" in found["bodies[0].parent"].message
    found = replaced(('parent = "shoe"', 'parent = "lug"'))
    assert "'lug' on 'lug'" in found["bodies[1].parent"].message


def test_wheels_on_moving_bodies_need_mass():
    found = replaced(('mass = "1.2 kg"\n', ""))
    assert set(found) == {"wheels[2].mass"}
    assert "moves with the body 'arm'" in found["wheels[2].mass"].message
    # On a body that is fixed to the ground it does not.
    fixed = override(
        drive(wheels__tightener__body="ground"),
        {"bodies": [], "guides": [], "tensioners": [], "wheels.tightener.mass": None},
    )
    fields = fixed.to_dict() | {"bodies": [{"name": "plate", "joint": {"kind": "fixed"}}]}
    assert override(Drive(**fields), {"wheels.tightener.body": "plate"}).wheels[2].mass is None


def test_joints_must_move_mass():
    light = {"bodies.shoe.mass": 0, "bodies.lug.mass": 0, "bodies.lug.centre_of_mass": None}
    found = problems(lambda: override(drive(), light))
    assert set(found) == {"bodies[0]"}
    assert "'shoe' moves no mass" in found["bodies[0]"].message
    # The lug alone is enough, and so is a prescribed motion.
    assert override(drive(), {"bodies.shoe.mass": 0})
    move = {"kind": "move", "by": 0.001, "duration": 1}
    assert override(drive(), light | {"bodies.shoe.joint.motion": move})
    # An arm without mass is moved by its wheel, unless that sits on the joint.
    weightless = light | {"bodies.arm.mass": 0, "bodies.arm.inertia": 0, "bodies.shoe.joint.motion": move}
    assert override(drive(), weightless)
    on_joint = weightless | {"bodies.arm.joint.position": [0.25, 0.2], "wheels.tightener.position": [0.25, 0.2]}
    found = problems(lambda: override(drive(), on_joint))
    assert set(found) == {"bodies[2]"}
    assert "away from its joint, or an inertia" in found["bodies[2]"].message
    assert override(drive(), on_joint | {"bodies.arm.inertia": 1e-3})


def test_a_fixed_body_with_mass_needs_its_centre():
    found = replaced(('centre_of_mass = ["0.2 m", "0.2 m"]', ""))
    assert set(found) == {"bodies[1].centre_of_mass"}


def test_an_unbalance_is_a_part_of_the_wheel():
    """Cauchy: (m e)^2 < M J; here M J = 4 kg x 0.1 kg m^2, so that m e < 0.632456 kg m."""
    changes = {"wheels.fan.mass": 4.0, "wheels.fan.unbalance.mass_moment": 0.6324}
    assert override(drive(), changes).wheels[1].unbalance.mass_moment == 0.6324
    found = problems(lambda: override(drive(), changes | {"wheels.fan.unbalance.mass_moment": 0.6325}))
    assert "sqrt(mass x inertia) = 0.632456 kg m" in found["wheels[1].unbalance.mass_moment"].message


def test_ends_of_tensioners_must_move_against_each_other():
    found = replaced(('from_body = "arm"', 'from_body = "shoe"'))
    assert "from_body" in found["tensioners[1].to_body"].message
    found = replaced(('from_body = "arm"', 'from_body = "lug"'))
    assert "fixed joints connect the two" in found["tensioners[1].to_body"].message
    found = replaced(('to_body = "arm"', 'to_body = "ground"'))
    assert set(found) == {"tensioners[0].to_body"}


def test_hollows_of_guides_hold_the_chain():
    """The rail lies on the right and bends to the left: a hollow; its radius must exceed that of the plates or rollers
    in it.
    """
    hollow = ('length = "80 mm", radius = "0.4 m", bend = "right"', 'length = "4 mm", radius = "4 mm", bend = "left"')
    assert loads(TEXT.replace(*hollow)).guides[0].shape.pieces[1].radius == 0.004
    found = replaced(hollow, ("contact_radius = 0\n", 'contact_radius = "5 mm"\n'))
    assert set(found) == {"guides[0].shape.pieces[1].radius"}
    found = replaced(hollow, ("contact_radius = 0\n", ""))  # the radius of the rollers is 4.255 mm
    assert "above 0.004255 m" in found["guides[0].shape.pieces[1].radius"].message


def test_contact_laws_of_guides():
    found = replaced(('until = "2 s"', 'formulation = { contact_law = "flores" }'))
    assert set(found) == {"contact.restitution", *(f"guides[{i}].contact.restitution" for i in range(3))}


def test_constant_forces_need_no_spring():
    changes = {"tensioners.spring.stiffness": 0, "tensioners.spring.preload": None}
    assert override(drive(), changes).tensioners[0].preload is None
    found = problems(lambda: override(drive(), changes | {"tensioners.spring.free_length": 0.3}))
    assert "without stiffness the force is constant" in found["tensioners[0].preload"].message


def test_all_problems_at_once():
    found = replaced(
        ("links = 108", "links = 0"),
        ('mass = "3 kg"', 'mass = "3 m"'),
        ('mass = "1.2 kg"\n', ""),
        ('kind = "on_span", span = 1', 'kind = "on_span", span = 7'),
        ('viscosity = "10 mPa*s"', "viscosity = 0"),
        ('to_body = "arm"', 'to_body = "leg"'),
        ('until = "2 s"', 'until = "never"'),
    )
    assert set(found) == {
        "chain.links",
        "bodies[2].mass",
        "guides[1].shape.span",
        "tensioners[1].oil.viscosity",
        "tensioners[0].to_body",
        "run.until",
    }
    assert "; or" not in found["run.until"].message
    assert "or 'steady'" in found["run.until"].message


def test_lists_of_mechanisms_are_limited():
    body = {"name": "b", "joint": {"kind": "fixed"}}
    fields = drive().to_dict()
    fields |= {"bodies": [body | {"name": f"b{i}"} for i in range(201)], "guides": [], "tensioners": []}
    fields["wheels"][2] |= {"body": "ground"}
    assert "at most 200" in problems(lambda: Drive(**fields))["bodies"].message


# Everything, somewhere ------------------------------------------------------------------------------------------------


def places(value, before=()):
    """Paths of all values in nested tables and lists."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inside in items:
        yield (*before, key)
        yield from places(inside, (*before, key))


NONSENSE = {
    "negative": -1,
    "not a number": math.nan,
    "mass": "1 kg",
    "list": [1],
    "table": {"kind": "fixed"},
    "null": "\x00",
    "huge": 10**400,
    "object": object(),
}


@pytest.mark.parametrize(
    "wrong",
    [
        pytest.param(value, id=kind, marks=() if kind == "negative" else pytest.mark.long)
        for kind, value in NONSENSE.items()
    ],
)
def test_a_wrong_value_anywhere_is_no_traceback(wrong):
    """Every single value of a file replaced by this one: an InputError, or a drive that round trips."""
    original = drive().to_dict()
    for *path, last in places(original):
        fields = copy.deepcopy(original)
        here = fields
        for key in path:
            here = here[key]
        here[last] = wrong
        said = ""
        try:
            made = Drive.from_dict(fields)
            assert loads(str(made)) == made
        except InputError as error:
            said = str(error)
        assert "pydantic" not in said
        assert "Input should" not in said


@pytest.mark.parametrize("make", [drive, all_motions])
def test_files_fit_the_schema(make):
    validator = drive_validator()
    validator.validate(tomllib.loads(str(make())))
    validator.validate(tomllib.loads(TEXT))
    wrong = tomllib.loads(TEXT)
    wrong["bodies"][0]["joint"]["kind"] = "hinge"
    wrong["guides"][1]["shape"]["span"] = -1
    wrong["tensioners"][1]["oil"].pop("viscosity")
    found = {tuple(error.absolute_path)[:2] for error in validator.iter_errors(wrong)}
    assert found == {("bodies", 0), ("guides", 1), ("tensioners", 1)}
