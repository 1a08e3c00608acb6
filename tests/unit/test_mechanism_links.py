"""Links as numbers: closed-form solutions of their parts against hand calculation, and the arrays of a drive."""

import math

import numpy as np
import pytest
from scipy.integrate import quad

from chaindrive.mechanism.link_bodies import STEEL, inner_body, outer_body, stadium_area, stadium_polar_moment
from chaindrive.mechanism.links import link_data
from chaindrive.model import Chain, loads, standard_chain, standard_names
from chaindrive.model.links import link_dimensions

P, DEPTH, THICKNESS, WIDTH, PIN, BUSH, ROLLER = 0.1, 0.08, 0.01, 0.05, 0.02, 0.03, 0.04


def drive(**chain):
    """A drive with two wheels and the given chain, 08B-1 with 10 links by default."""
    fields = {"standard": '"08B-1"', "links": 10} | chain
    lines = "\n".join(f"{name} = {value}" for name, value in fields.items() if value is not None)
    return loads(f"""
name = "two"
chain = {{ {", ".join(lines.splitlines())} }}
contact = {{ stiffness = 1e9 }}
[[wheels]]
name = "a"
teeth = 12
position = [0, 0]
motion = {{ kind = "constant_speed", speed = 1 }}
tooth = {{ form = "circular" }}
[[wheels]]
name = "b"
teeth = 12
position = [1, 0]
inertia = 1
tooth = {{ form = "circular" }}
""")


def test_a_stadium():
    # 4 x 2 m between half discs of radius 1 m: 8 + pi; 4^3/6 + 2 x 4 + pi (1/2 + 4^2/4) = 32.8038
    assert stadium_area(4.0, 2.0) == pytest.approx(8 + math.pi, rel=1e-14)
    assert stadium_polar_moment(4.0, 2.0) == pytest.approx(64 / 6 + 8 + 4.5 * math.pi, rel=1e-14)
    # a disc, and a sum of strips w(y) = L + 2 sqrt(r^2 - y^2): w^3/12 + y^2 w
    assert stadium_polar_moment(0.0, 2.0) == pytest.approx(math.pi / 2, rel=1e-14)

    def strip(y):
        w = 0.1 + 2 * math.sqrt(0.04**2 - y**2)
        return w**3 / 12 + y**2 * w

    assert stadium_polar_moment(P, DEPTH) == pytest.approx(quad(strip, -0.04, 0.04, epsabs=1e-16)[0], rel=1e-9)


def test_an_inner_link_by_hand():
    # area 0.008 + 0.25 pi 0.0064 - 2 x 0.25 pi 0.0009 = 0.01161283 m^2; bushes 70 mm long, rollers 50 mm
    body = inner_body(P, DEPTH, THICKNESS, WIDTH, PIN, BUSH, ROLLER)
    plates, bushes, rollers = 1.8232143, 0.4315759, 0.4315759
    assert body.mass == pytest.approx(plates + bushes + rollers, rel=1e-6)
    # stadium 3.60543e-5 m^4: 0.04 x 0.1^3/6 + 0.2 x 0.04^3 + 0.0016 pi (0.0008 + 0.0025); a hole has
    # pi/32 x 0.03^4 + 0.25 pi 0.0009 x 0.05^2 = 1.846662e-6 m^4
    moment = 0.04e-3 / 6 + 0.2 * 0.04**3 + 0.0016 * math.pi * 0.0033
    hole = math.pi / 32 * 0.03**4 + 0.25 * math.pi * 0.0009 * 0.05**2
    assert moment == pytest.approx(3.60543e-5, rel=1e-5)
    assert hole == pytest.approx(1.846662e-6, rel=1e-5)
    expected = 2 * 7850 * 0.01 * (moment - 2 * hole)
    expected += bushes * ((0.03**2 + 0.02**2) / 8 + 0.05**2)
    expected += rollers * 0.05**2  # points: a roller does not turn with the link
    assert body.inertia == pytest.approx(expected, rel=1e-6)


def test_an_outer_link_by_hand():
    # plates 0.01302655 - 0.5 pi 0.0004 = 0.01239823 m^2; pins through 50 + 2 (8 + 10) = 86 mm
    body = outer_body(P, DEPTH, THICKNESS, WIDTH, 0.008, PIN)
    plates = 2 * 7850 * 0.01 * (0.008 + 0.25 * math.pi * 0.0064 - 0.5 * math.pi * 0.0004)
    pins = 2 * 7850 * 0.086 * 0.25 * math.pi * 0.0004
    assert plates == pytest.approx(1.946522, rel=1e-6)
    assert pins == pytest.approx(0.4241774, rel=1e-5)
    assert body.mass == pytest.approx(plates + pins, rel=1e-12)
    hole = math.pi / 32 * 0.02**4 + 0.25 * math.pi * 0.0004 * 0.05**2
    moment = 0.04e-3 / 6 + 0.2 * 0.04**3 + 0.0016 * math.pi * 0.0033 - 2 * hole
    assert body.inertia == pytest.approx(157 * moment + pins * (0.0004 / 8 + 0.0025), rel=1e-12)
    assert STEEL == 7850.0


def test_links_of_several_strands_by_hand():
    # Inner links stand side by side. Outer ones have two outer plates, two stacks of 15 mm between three strands and
    # pins of 86 + 2 x 90 = 266 mm: 20 + 30 mm of plates in all.
    one = inner_body(P, DEPTH, THICKNESS, WIDTH, PIN, BUSH, ROLLER)
    three = inner_body(P, DEPTH, THICKNESS, WIDTH, PIN, BUSH, ROLLER, 3)
    assert three == pytest.approx((3.0 * one.mass, 3.0 * one.inertia), rel=1e-14)
    body = outer_body(P, DEPTH, THICKNESS, WIDTH, 0.008, PIN, 3, 0.09, 0.015)
    assert body.mass == pytest.approx(2.5 * 1.946522 + 266 / 86 * 0.4241774, rel=1e-6)
    hole = math.pi / 32 * 0.02**4 + 0.25 * math.pi * 0.0004 * 0.05**2
    moment = 0.04e-3 / 6 + 0.2 * 0.04**3 + 0.0016 * math.pi * 0.0033 - 2 * hole
    pins = 266 / 86 * 0.4241774 * (0.0004 / 8 + 0.0025)
    assert body.inertia == pytest.approx(2.5 * 157 * moment + pins, rel=1e-6)


def test_a_bush_chain_has_no_rollers():
    bush = inner_body(P, DEPTH, THICKNESS, WIDTH, PIN, BUSH, BUSH)
    assert bush.mass == pytest.approx(1.8232143 + 0.4315759, rel=1e-6)


def test_volumes_of_all_standard_chains_are_near_the_makers_masses():
    """Steel parts of these dimensions weigh what a manufacturer states, except for the waist of plates and for
    estimates.
    """
    ratios = {}
    for name in standard_names():
        chain = Chain(standard=name, links=10)
        size = {key: dimension.value for key, dimension in link_dimensions(chain).items()}
        inner = inner_body(
            chain.pitch,
            size["inner_link.plate_depth"],
            size["inner_link.plate_thickness"],
            size["inner_width"],
            size["pin_diameter"],
            size["bush_diameter"],
            chain.roller_diameter,
            chain.strands,
        )
        outer = outer_body(
            chain.pitch,
            size["outer_link.plate_depth"],
            size["outer_link.plate_thickness"],
            size["inner_width"],
            size["inner_link.plate_thickness"],
            size["pin_diameter"],
            chain.strands,
            size.get("transverse_pitch", 0.0),
            size.get("intermediate_plate_thickness", 0.0),
        )
        ratios[standard_chain(name).name] = 0.5 * (inner.mass + outer.mass) / chain.link_mass
    several = {name: ratio for name, ratio in ratios.items() if not name.endswith("-1")}
    ratios = {name: ratio for name, ratio in ratios.items() if name.endswith("-1")}
    assert (len(ratios), len(several)) == (30, 58)
    # The masses of 08A-2, and of 08A-3 by them, are 10 % less than twice that of 08A-1
    assert several.pop("08A-2") == pytest.approx(1.245, abs=0.005)
    assert several.pop("08A-3") == pytest.approx(1.246, abs=0.005)
    assert 0.96 < min(several.values()) < max(several.values()) < 1.19
    assert ratios.pop("05B-1") == pytest.approx(0.88, abs=0.005)
    assert ratios.pop("04B-1") == pytest.approx(1.17, abs=0.005)
    assert min(ratios.values()) > 0.97
    assert max(ratios.values()) < 1.16


@pytest.mark.parametrize("name", ["08B-1", "08B-2", "16A-1", "25", "72B-2"])
@pytest.mark.parametrize("links", [10, 11])
def test_arrays(name, links):
    given = drive(standard=f'"{name}"', links=links)
    data, chain = link_data(given), given.chain
    for field in ("mass", "inertia", "length", "clearance", "stiffness", "damping", "plate_radius"):
        values = getattr(data, field)
        assert (values.shape, values.dtype, values.flags.c_contiguous) == ((links,), np.float64, True), field
        assert values.flags.writeable, field
    assert data.centre.shape == (links, 2)
    assert data.mass.mean() == pytest.approx(chain.link_mass, rel=1e-12)
    np.testing.assert_allclose(data.stiffness, chain.link_stiffness, rtol=1e-12)
    np.testing.assert_array_equal(data.damping, chain.link_damping)
    np.testing.assert_array_equal(data.length, chain.pitch)
    np.testing.assert_array_equal(data.clearance, 0.0)
    np.testing.assert_allclose(data.centre, [[0.5 * chain.pitch, 0.0]] * links, rtol=1e-12)
    assert data.plate_radius[0] == 0.5 * standard_chain(name).inner_plate_depth
    assert data.pin_radius == 0.5 * chain.pin_diameter
    # more than a rod as long as the pitch, less than two points at its ends and a plate's own turning
    assert (data.inertia > data.mass * chain.pitch**2 / 12).all()
    assert (data.inertia < data.mass * chain.pitch**2 / 3).all()


def test_the_estimated_share_of_inner_links():
    # 16A: makers' inner links are heavier, for they have bushes and rollers
    data = link_data(drive(standard='"16A-1"'))
    assert data.mass[0] / data.mass[1] == pytest.approx(1.41, abs=0.01)
    np.testing.assert_array_equal(data.mass[::2], data.mass[0])
    np.testing.assert_array_equal(data.inertia[1::2], data.inertia[1])
    # a given mass scales the moment of inertia, a given moment stays
    heavier = link_data(drive(standard='"16A-1"', inner_link="{ mass = 0.06 }", outer_link="{ inertia = 1e-5 }"))
    assert heavier.inertia[0] == pytest.approx(data.inertia[0] * 0.06 / data.mass[0], rel=1e-12)
    assert heavier.mass[1] == pytest.approx(2 * 2.6 * 0.0254 - 0.06, rel=1e-12)
    assert heavier.inertia[1] == 1e-5
    other = link_data(drive(standard='"16A-1"', outer_link="{ mass = 0.06 }"))
    assert other.mass[0] == pytest.approx(2 * 2.6 * 0.0254 - 0.06, rel=1e-12)


def test_a_taut_chain_has_its_pitch_whatever_the_clearance():
    clearance = [0.02e-3 * k for k in range(10)]
    elongation = [0.001 * k for k in range(10)]
    chain = Chain(standard="08B-1", links=10, joint_clearance=clearance, elongation=elongation)
    data = link_data(drive().model_copy(update={"chain": chain}))  # past the roller formulation, which has one pitch
    np.testing.assert_allclose(data.clearance, 0.5 * np.array(clearance), rtol=1e-14)
    # link 3 is 0.3 % longer than 12.7 mm, its pin in joint 4, whose radial clearance is 0.04 mm
    assert data.length[3] == pytest.approx(12.7381e-3 - 0.04e-3, abs=1e-12)
    assert data.length[9] == pytest.approx(12.7e-3 * 1.009 - 0.0, abs=1e-12)
    # each pin at the rear wall of its bush: from bush to bush it is the pitch with the elongation
    step = data.length + np.roll(data.clearance, -1)
    np.testing.assert_allclose(step, 12.7e-3 * (1 + np.array(elongation)), rtol=1e-14)
    np.testing.assert_allclose(data.centre[:, 0], 0.5 * data.length, rtol=1e-14)


@pytest.mark.parametrize("joint", ["journal", "ideal"])
def test_a_taut_chain_has_its_pitch_in_joints_without_clearance(joint):
    """Links are longer by the clearance that their joints would have, even if it differs from joint to joint."""
    clearance = [0.02e-3 * k for k in range(10)]
    chain = Chain(standard="08B-1", links=10, joint_clearance=clearance)
    data = link_data(drive().model_copy(update={"chain": chain})).jointed(joint)
    np.testing.assert_array_equal(data.clearance, np.zeros(10))
    np.testing.assert_allclose(data.length, np.full(10, 12.7e-3), rtol=1e-14)


def test_stiffness_of_halves():
    # halves of 1e8 and 3e8 N/m: 1/K = 1/2e8 + 1/6e8
    for links in (10, 11):
        chain = {"links": links, "inner_link": "{ stiffness = 1e8 }", "outer_link": "{ stiffness = 3e8 }"}
        np.testing.assert_allclose(link_data(drive(**chain)).stiffness, 1.5e8, rtol=1e-12)
    for one in ("inner_link", "outer_link"):
        data = link_data(drive(link_stiffness=1.5e8, **{one: "{ stiffness = 1e8 }"}))
        np.testing.assert_allclose(data.stiffness, 1.5e8, rtol=1e-12)


def test_the_last_of_an_odd_number_of_links_is_cranked():
    links = {
        "inner_link": "{ mass = 0.012, inertia = 3e-7, centre_of_mass = [0.005, 0.001] }",
        "outer_link": "{ mass = 0.006, inertia = 1e-7, centre_of_mass = [0.008, 0] }",
    }
    data = link_data(drive(links=11, **links))
    np.testing.assert_array_equal(data.mass[:10], [0.012, 0.006] * 5)
    assert data.mass[10] == pytest.approx(0.009)
    # 6 g at (5, 1) mm and 3 g at (8, 0) mm: centre (6, 2/3) mm; 1 + 1/9 and 4 + 4/9 mm^2 from it
    np.testing.assert_allclose(data.centre[10], [0.006, 2e-3 / 3], rtol=1e-12)
    assert data.inertia[10] == pytest.approx(2e-7 + 6e-3 * 10e-6 / 9 + 3e-3 * 40e-6 / 9, rel=1e-12)
    np.testing.assert_array_equal(data.centre[0], [0.005, 0.001])
    np.testing.assert_array_equal(data.inertia[:2], [3e-7, 1e-7])
    assert data.estimates["cranked link"] == "the last of 11 links is half an inner and half an outer link"
    assert "cranked link" not in link_data(drive(links=12, **links)).estimates


def test_deeper_plates_make_the_plate_radius():
    data = link_data(drive(inner_link="{ plate_depth = 0.011 }", outer_link="{ plate_depth = 0.012 }"))
    np.testing.assert_array_equal(data.plate_radius, 0.006)


def test_estimates_are_told():
    bare = {"standard": None, "pitch": 0.1, "roller_diameter": 0.05, "link_mass": 1, "link_stiffness": 1e8}
    told = link_data(drive(**bare)).estimates
    assert told["pin_diameter"] == "0.5 x roller diameter (ASME B29.1M)"
    assert told["bush_diameter"] == "mean of roller and pin diameter"
    assert told["outer_link.plate_depth"] == "0.82 x pitch (ASME B29.1M)"
    assert told["inner_link.mass"] == "volumes of plates, bushes, rollers and pins, scaled to link_mass"
    assert told["link_damping"].startswith("2 %")
    link = "{ mass = 1, inertia = 1e-3, plate_depth = 0.09, plate_thickness = 0.01, stiffness = 1e8 }"
    all_given = {"pin_diameter": 0.02, "inner_width": 0.06, "link_damping": 1, "kind": '"bush"'}
    assert dict(link_data(drive(**bare, **all_given, inner_link=link, outer_link=link)).estimates) == {}


def test_strands_share_the_pins_and_the_plates_between_them():
    """16A-2 has twice of everything except pins; 08B-2 one plate between the strands: its outer links are lighter."""
    single, double = (link_data(drive(standard=f'"{name}"')) for name in ("16A-1", "16A-2"))
    masses = standard_chain("16A-2").link_mass / standard_chain("16A-1").link_mass
    assert double.mass / single.mass == pytest.approx(masses, rel=0.01)
    assert double.inertia / single.inertia == pytest.approx(masses, rel=0.01)
    assert double.pin_radius == single.pin_radius
    size = link_dimensions(Chain(standard="08B-2", links=10))
    # 0.94 (13.92 - 7.75) - 2 x 1.6 = 2.60 mm
    assert size["intermediate_plate_thickness"].value == pytest.approx(2.5998e-3, abs=1e-7)
    assert size["intermediate_plate_thickness"].source.startswith("estimated")
    assert size["transverse_pitch"].source.startswith("catalogue")
    single, double = (link_data(drive(standard=f'"{name}"')) for name in ("08B-1", "08B-2"))
    assert double.mass[1] / double.mass[0] < 0.96 * single.mass[1] / single.mass[0]
    bare = {"standard": None, "pitch": 0.1, "roller_diameter": 0.05, "link_mass": 2, "link_stiffness": 1e8}
    # no name: b1 62.5 mm, four plates of 12.5 mm: 62.5 + 50/0.94 mm from strand to strand, two plates between them
    size = link_dimensions(Chain(**{k: v for k, v in bare.items() if v}, links=10, strands=2))
    assert size["transverse_pitch"].value == pytest.approx(0.0625 + 0.05 / 0.94, rel=1e-12)
    assert size["intermediate_plate_thickness"].value == pytest.approx(0.025, rel=1e-12)
    assert "transverse_pitch" not in link_dimensions(Chain(standard="08B-1", links=10))
