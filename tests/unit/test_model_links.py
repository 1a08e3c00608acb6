"""Inner and outer links in files: sources, derived values, contradictions, and writing."""

import pytest

from chaindrive.errors import InputError
from chaindrive.model import Chain, Drive, Link, loads, override, standard_chain, standard_names
from chaindrive.model.links import PLATES_AND_CLEARANCE, link_dimensions, series_stiffness

TEXT = """
name = "pair"
[chain]
standard = "08B-1"
links = 108
joint_clearance = "0.05 mm"
elongation = 0
[chain.inner_link]
mass = "9.5 g"
inertia = "250 g*mm^2"
[chain.outer_link]
mass = "8 g"
centre_of_mass = ["6.3 mm", "0.1 mm"]
plate_depth = "10.9 mm"
[contact]
stiffness = "50 GN/m^1.5"
[[wheels]]
name = "motor"
teeth = 17
position = [0, 0]
tooth = { form = "iso-606" }
motion = { kind = "constant_speed", speed = "500 rpm" }
[[wheels]]
name = "load"
teeth = 38
position = ["509.2 mm", 0]
inertia = "0.1 kg*m^2"
tooth = { form = "iso-606" }
"""
BLOCK, LINK = {"run.formulation.kind": "block"}, {"run.formulation.kind": "link"}


def problems(changes):
    """Messages of the drive of TEXT with single values changed, by place."""
    with pytest.raises(InputError) as caught:
        override(loads(TEXT), changes)
    return {problem.place: problem.message for problem in caught.value.problems}


def test_quantities_and_tables_are_read():
    chain = loads(TEXT).chain
    assert chain.inner_link == Link(mass=0.0095, inertia=250e-9)
    assert chain.outer_link == Link(mass=0.008, centre_of_mass=(0.0063, 0.0001), plate_depth=0.0109)
    assert (chain.joint_clearance, chain.elongation) == (0.05e-3, 0.0)
    each = Chain(standard="08B-1", links=3, elongation=["0.5 %", 0, 0.001], joint_clearance=("20 um", 0, "0.02 mm"))
    assert each.elongation == (0.005, 0.0, 0.001)
    assert each.joint_clearance == (20e-6, 0.0, 20e-6)


def test_a_drive_with_links_prints_itself():
    text = TEXT.replace("elongation = 0", "elongation = 0.0").replace('"0.05 mm"', str(["0.05 mm"] * 108))
    drive = loads(text)
    again = loads(drive.to_toml())
    assert again == drive
    assert again.to_toml() == drive.to_toml()
    assert again.chain.sources == drive.chain.sources
    assert Drive.from_dict(drive.to_dict()) == drive
    assert "[chain.inner_link]\nmass = 0.0095  # kg\ninertia = 2.5e-07  # kg*m^2\n" in drive.to_toml()


def test_a_drive_without_links_says_nothing_of_them():
    text = TEXT.partition("joint_clearance")[0] + TEXT[TEXT.index("[contact]") :]
    assert "inner_link" not in loads(text).to_toml()
    assert set(loads(text).to_dict()["chain"]) == {"standard", "links"}


def test_sources():
    sources = loads(TEXT).chain.sources
    assert sources["inner_link.mass"] == sources["outer_link.plate_depth"] == sources["joint_clearance"] == "given"
    assert sources["link_mass"] == "mass of inner_link and outer_link"
    assert sources["outer_link.inertia"].startswith("estimated: plates, bushes")
    assert sources["inner_link.plate_depth"].startswith("catalogue: Donghua")
    assert "Farnell" in sources["inner_link.plate_thickness"]
    assert sources["inner_link.stiffness"].startswith("estimated: half an inner and half an outer link")
    assert sources["inner_link.centre_of_mass"] == "default: midway between the joints"
    plain = Chain(standard="20B-1", links=10).sources
    assert plain["inner_link.mass"].startswith("estimated: volumes")
    assert plain["inner_link.plate_thickness"].startswith("estimated: 0.47 x (transverse pitch")
    assert plain["outer_link.plate_depth"].startswith("estimated: the same as that of the inner plates")
    assert plain["joint_clearance"] == plain["elongation"] == "default"
    assert Chain(standard="40", links=10).sources["outer_link.plate_thickness"] == "catalogue: ASME B29.1M"
    one = Chain(standard="08B-1", links=10, inner_link={"mass": "9 g"}).sources
    assert one["outer_link.mass"] == "2 x link_mass - inner_link.mass"


def test_both_masses_and_both_stiffnesses_make_those_of_the_chain():
    inner, outer = {"mass": 3.0, "stiffness": 2e8}, {"mass": 2.0, "stiffness": 3e8}
    size = {"links": 10, "pitch": 0.1, "roller_diameter": 0.05}
    for chain in (
        Chain(**size, inner_link=inner, outer_link=outer),
        Chain(**size, inner_link=Link(**inner), outer_link=Link(**outer)),
        Chain(standard="56B", links=10, inner_link=inner, outer_link=outer),  # before catalogue and estimate
    ):
        assert chain.link_mass == 2.5
        # 1/K = 1/(2 x 2e8) + 1/(2 x 3e8) = (3 + 2)/12e8
        assert chain.link_stiffness == pytest.approx(2.4e8, rel=1e-12)
        assert chain.sources["link_stiffness"] == "stiffness of inner_link and outer_link"
    one = Chain(standard="56B", links=10, inner_link=inner)
    assert one.link_mass == pytest.approx(35.78 * 0.0889)
    assert one.sources["link_mass"].startswith("catalogue")


def test_kinds():
    bush = {name for name in standard_names() if standard_chain(name).kind == "bush"}
    assert bush == {"04C-1", "04C-2", "04C-3", "06C-1", "06C-2", "06C-3", "25", "25-2", "25-3", "35", "35-2", "35-3"}
    assert Chain(standard="25", links=10).kind == "bush"
    assert Chain(standard="08B", links=10).kind == "roller"
    given = Chain(standard="08B", links=10, kind="bush")
    assert (given.kind, given.sources["kind"]) == ("bush", "given")


def test_plates_of_the_catalogue():
    # ASME B29.1M: LPT 0.060 in, outer plates 0.82 P deep; those of the light 41 have no source
    forty = standard_chain("40")
    assert forty.inner_plate_thickness == forty.outer_plate_thickness == pytest.approx(0.060 * 0.0254, abs=1e-9)
    assert forty.outer_plate_depth == pytest.approx(0.82 * 0.0127, abs=5e-6)
    assert standard_chain("41").outer_plate_depth is None
    sixteen = standard_chain("16B-2")
    assert (sixteen.inner_plate_thickness, sixteen.outer_plate_thickness) == (4.15e-3, 3.1e-3)
    assert standard_chain("72B").inner_plate_thickness is None


def test_the_estimate_of_plates_fits_all_chains_that_have_data():
    """Four plates fill the transverse pitch less the inner width, except for clearance. 06B to 12B have one
    intermediate plate in place of two; 41 is a light chain, in the space of its heavier relatives."""
    others = {"06B-1", "08B-1", "10B-1", "12B-1"}
    chains = [standard_chain(name) for name in standard_names() if name.endswith("-1") and name not in others]
    known = [chain for chain in chains if chain.inner_plate_thickness is not None]
    assert len(known) == 15
    for chain in known:
        both = 2.0 * (chain.inner_plate_thickness + chain.outer_plate_thickness)
        share = both / (chain.transverse_pitch - chain.inner_width)
        apart = {"16B-1": 0.04, "085-1": 0.06}.get(chain.name, 0.01)
        assert share == pytest.approx(PLATES_AND_CLEARANCE, rel=apart), chain.name


def test_plates_of_chains_without_data():
    # 20B: 0.94 x (36.45 - 19.56) / 2 = 7.938 mm for both plates; bush (19.05 + 10.19) / 2 = 14.62 mm, so that
    # 26.4 - 14.62 = 11.78 and 26.4 - 10.19 = 16.21 mm of the plates carry: 7.938 x 16.21 / 27.99 = 4.597 mm
    twenty = link_dimensions(Chain(standard="20B-1", links=10))
    assert twenty["bush_diameter"].value == pytest.approx(14.62e-3, abs=1e-9)
    assert twenty["outer_link.plate_depth"].value == 26.4e-3
    assert twenty["inner_link.plate_thickness"].value == pytest.approx(4.597e-3, abs=1e-6)
    assert twenty["outer_link.plate_thickness"].value == pytest.approx(3.341e-3, abs=1e-6)
    bare = Chain(links=10, pitch=0.1, roller_diameter=0.05, link_mass=1, link_stiffness=1e8)
    found = {name: dimension.value for name, dimension in link_dimensions(bare).items()}
    assert found == pytest.approx(
        {
            "pin_diameter": 0.025,
            "inner_width": 0.0625,
            "bush_diameter": 0.0375,
            "inner_link.plate_depth": 0.095,
            "outer_link.plate_depth": 0.082,
            "inner_link.plate_thickness": 0.0125,
            "outer_link.plate_thickness": 0.0125,
        }
    )
    light = link_dimensions(Chain(standard="41", links=10))["outer_link.plate_depth"]
    assert light.value == pytest.approx(9.91e-3 * 0.82 / 0.95, rel=1e-12)
    assert light.source == "estimated: 0.82 / 0.95 of that of the inner plates (ASME B29.1M)"
    bush = link_dimensions(Chain(standard="25", links=10))
    assert bush["bush_diameter"].value == 3.3e-3
    assert bush["pin_diameter"].source.startswith("catalogue")


def test_contradictions_are_all_told_at_once():
    found = problems(
        {
            "chain.link_mass": "10 g",
            "chain.link_stiffness": "100 MN/m",
            "chain.inner_link.stiffness": "100 MN/m",
            "chain.outer_link.stiffness": "150 MN/m",
            "chain.inner_link.inertia": "2 kg*mm^2",
            "chain.inner_link.plate_depth": "6 mm",
            "chain.outer_link.centre_of_mass": [0.013, 0],
            "chain.outer_link.plate_depth": "12.7 mm",
            "chain.joint_clearance": "1.2 mm",
        }
    )
    assert found == {
        "chain.link_mass": "contradicts inner_link.mass and outer_link.mass, whose mean is 0.00875 kg: omit one "
        "of them",
        "chain.link_stiffness": "contradicts inner_link.stiffness and outer_link.stiffness: half an inner and half an "
        "outer link in series together have 1.2e+08 N/m; omit one of them",
        # 9.5 g x (9.35 mm)^2
        "chain.inner_link.inertia": "must be at most 8.305e-07 kg m^2: no part of this link of 0.0095 kg is farther "
        "from its middle than 0.00935 m, half the sum of pitch and plate depth",
        "chain.inner_link.plate_depth": "must be more than the diameter 0.00648 m of the bush, which goes through the "
        "plate",
        "chain.outer_link.centre_of_mass": "must be within the link: from 0 (its bush) to 0.0127 m (its pin) along it, "
        "and at most 0.00635 m, half the depth of its plates, beside the line between them",
        "chain.outer_link.plate_depth": "must be less than the pitch 0.0127 m of the shortest link: the round ends of "
        "neighbouring plates would collide",
        "chain.joint_clearance": "must be less than 0.0011125 m, pin_diameter / 4: no chain wears that far",
    }


@pytest.mark.parametrize(
    ("changes", "place", "message"),
    [
        (
            {"chain.joint_clearance": [0.0] * 107 + [0.002]},
            "chain.joint_clearance[107]",
            "must be less than 0.0011125 m, pin_diameter / 4: no chain wears that far",
        ),
        (
            {"chain.joint_clearance": [0.002] * 108},
            "chain.joint_clearance[0]",
            "must be less than 0.0011125 m, pin_diameter / 4: no chain wears that far; "
            "107 more of the values are too large",
        ),
        (
            {"chain.pin_diameter": "8 mm", "chain.joint_clearance": "0.6 mm"},
            "chain.joint_clearance",
            "must be less than 0.000255 m, or the bush of 0.008255 m would have no wall",
        ),
        (
            {"chain.kind": "bush", "chain.pin_diameter": "8 mm", "chain.joint_clearance": "0.6 mm"},
            "chain.joint_clearance",
            "must be less than 0.00051 m, or the bush of 0.00851 m would have no wall",
        ),
        (
            {"chain.pin_diameter": "8.51 mm"},
            "chain.pin_diameter",
            "must be less than roller_diameter 0.00851 m: the pin is inside the roller",
        ),
        (
            {"chain.joint_clearance": ["nan", 0.0, -1e-6]},
            "chain.joint_clearance",
            "[0] must be a finite number; [2] must be a length at least 0 m",
        ),
        (
            {"chain.inner_link.stiffness": float("nan")},
            "chain.inner_link.stiffness",
            "must be a finite number",
        ),
        (
            {"chain.outer_link.inertia": 0.0},
            "chain.outer_link.inertia",
            "must be a moment of inertia above 0",
        ),
        (  # 8 g x ((12.7 + 10.9)/2 mm)^2, and less 8 g x (6.3 mm)^2 with the centre of mass at the bush
            {"chain.outer_link.inertia": 1.2e-6},
            "chain.outer_link.inertia",
            "must be at most 1.114e-06 kg m^2: no part of this link of 0.008 kg is farther from its middle than 0.0118",
        ),
        (
            {"chain.outer_link.inertia": 0.9e-6, "chain.outer_link.centre_of_mass": ["0.05 mm", 0]},
            "chain.outer_link.inertia",
            "must be at most 7.964e-07 kg m^2",
        ),
        (
            {"chain.outer_link.centre_of_mass": ["6 mm", "-5.5 mm"]},
            "chain.outer_link.centre_of_mass",
            "must be within the link: from 0 (its bush) to 0.0127 m (its pin) along it, and at most 0.00545 m, half "
            "the depth",
        ),
        (
            {"chain.outer_link.plate_depth": "12.5 mm", "chain.elongation": [0.0, -0.02] * 54, **LINK},
            "chain.outer_link.plate_depth",
            "must be less than the pitch 0.012446 m of the shortest link: the round ends of neighbouring plates",
        ),
        (
            {"chain.pin_diameter": "6.4 mm", "chain.outer_link.plate_depth": "6 mm"},
            "chain.outer_link.plate_depth",
            "must be more than the diameter 0.0064 m of the pin, which goes through the plate",
        ),
        (
            {"chain.joint_clearance": [0.0] * 3},
            "chain.joint_clearance",
            "must be one value, or a list with one for each joint: 108, not 3",
        ),
        (
            {"chain.joint_clearance": []},
            "chain.joint_clearance",
            "must be one value or a list of at least one value",
        ),
        (
            {"chain.elongation": [0.0, "5 mm", 0.5]},
            "chain.elongation",
            "[1] '5 mm' is a length; give a plain number such as 0.1; [2] must be a number at least -0.05 and at "
            "most 0.2",
        ),
        (
            {"chain.inner_link.mass": 0},
            "chain.inner_link.mass",
            "must be a mass above 0 kg",
        ),
        (
            {"chain.inner_link.inertia": -1},
            "chain.inner_link.inertia",
            "must be a moment of inertia above 0",
        ),
        (
            {"chain.inner_link.weight": 1},
            "chain.inner_link.weight",
            "is not a known field",
        ),
        (
            {"chain.kind": "bushes"},
            "chain.kind",
            "must be 'roller', 'bush', 'leaf' or 'rocker-pin'; did you mean 'bush'?",
        ),
        (
            {"chain.elongation": [0.0] * 107 + [0.001], **BLOCK},
            "chain.elongation",
            "the chain drive block has links as long as the pitch: omit it, or use formulation = 'roller' or 'link'",
        ),
    ],
)
def test_what_no_chain_can_have(changes, place, message):
    found = problems(changes)
    assert list(found) == [place]
    assert found[place].startswith(message)


def test_one_mass_or_stiffness_leaves_something_for_the_other():
    text = TEXT.replace('mass = "8 g"\n', "")
    with pytest.raises(InputError) as caught:
        override(loads(text), {"chain.inner_link.mass": "18 g", "chain.outer_link.stiffness": "60 MN/m"})
    found = {problem.place: problem.message for problem in caught.value.problems}
    # 0.69 kg/m x 12.7 mm = 8.763 g; 86 x 17.8 kN / 12.7 mm = 120.54 MN/m
    assert found["chain.inner_link.mass"].startswith("must be less than 2 x link_mass = 0.017526 kg")
    assert found["chain.outer_link.stiffness"].startswith("must be above link_stiffness / 2 = 6.0267")


def test_clearance_needs_the_pin():
    text = TEXT.replace(
        'standard = "08B-1"', 'pitch = "12.7 mm"\nroller_diameter = "8.51 mm"\nlink_stiffness = "100 MN/m"'
    )
    with pytest.raises(InputError) as caught:
        loads(text)
    (problem,) = caught.value.problems
    assert problem.place == "chain.pin_diameter"
    assert problem.message == "is needed for joint_clearance, which is the bore of the bush minus the pin diameter"
    assert loads(text.replace('"0.05 mm"', "0")).chain.link_mass == pytest.approx(0.00875)


def test_halves_in_series():
    assert series_stiffness(5.0, 5.0) == 5.0
    assert series_stiffness(1.0, 3.0) == 1.5


def test_plates_of_the_catalogue_collide_where_the_pitch_is_too_short_for_them():
    found = problems({"chain.pitch": "11.5 mm", "chain.roller_diameter": "7 mm"})
    assert found["chain.pitch"].startswith(
        "must be more than the plate depth 0.0118 m of inner_link (catalogue: Donghua"
    )
    assert found["chain.pitch"].endswith(
        "neighbouring plates would collide; correct it, or give inner_link.plate_depth"
    )


@pytest.mark.parametrize(
    ("formulation", "place", "message"),
    [
        ({"kind": "roller", "oil_damping": 1}, "oil_damping", "applies to kind = 'link', not to 'roller'"),
        ({"kind": "link", "compliance": "block"}, "compliance", "applies to kind = 'block', not to 'link'"),
        (
            {"kind": "block", "on_jump": "stop"},
            "on_jump",
            "applies to kind = 'roller', kind = 'link' and kind = 'spatial', not to 'block'",
        ),
        ({"kind": "link", "oil_dampin": 1}, "oil_dampin", "is not a known field; did you mean 'oil_damping'?"),
        ({"oil_film": 1e-5}, "oil_film", "applies to kind = 'link', not to 'roller'"),
    ],
)
def test_options_of_another_formulation_say_whose_they_are(formulation, place, message):
    with pytest.raises(InputError) as caught:
        Drive.from_dict(loads(TEXT).to_dict() | {"run": {"formulation": formulation}})
    (problem,) = caught.value.problems
    assert problem.place == f"run.formulation.{place}"
    assert problem.message.startswith(message)


def test_fields_of_another_tooth_form_say_so_too_and_all_at_once():
    with pytest.raises(InputError) as caught:
        loads(TEXT.replace('form = "iso-606"', 'form = "iso-606", flank_factor = 1.4') + "[run.formulation]\nslack = 1")
    found = {problem.place: problem.message for problem in caught.value.problems}
    assert set(found) == {"wheels[0].tooth.flank_factor", "wheels[1].tooth.flank_factor", "run.formulation.slack"}
    assert found["wheels[0].tooth.flank_factor"].startswith("applies to form = 'asa-ii', not to 'iso-606'")
