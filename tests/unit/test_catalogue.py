"""The catalogue against the dimensions of ISO 606 and ANSI B29.1, and the chain made from it."""

import math

import pytest

from chaindrive.errors import InputError
from chaindrive.model import BICYCLE_CHAINS, Chain, standard_chain, standard_names
from chaindrive.model.links import link_dimensions

INCH = 0.0254
# ANSI B29.1: name, pitch and roller (25, 35: bush) diameter in inches. For 180 the metric 35.71 mm is 1.406 in.
ANSI = {
    "25": (0.25, 0.130),
    "35": (0.375, 0.200),
    "41": (0.5, 0.306),
    "40": (0.5, 0.312),
    "50": (0.625, 0.400),
    "60": (0.75, 0.469),
    "80": (1.0, 0.625),
    "100": (1.25, 0.75),
    "120": (1.5, 0.875),
    "140": (1.75, 1.0),
    "160": (2.0, 1.125),
    "180": (2.25, 1.406),
    "200": (2.5, 1.562),
    "240": (3.0, 1.875),
}
# ISO 606, B series: pitch, roller, inner width, pin in mm, breaking load in kN of one and of two strands
ISO_B = {
    "05B": (8.0, 5.0, 3.0, 2.31, 4.4, 7.8),
    "06B": (9.525, 6.35, 5.72, 3.28, 8.9, 16.9),
    "08B": (12.7, 8.51, 7.75, 4.45, 17.8, 31.1),
    "10B": (15.875, 10.16, 9.65, 5.08, 22.2, 44.5),
    "12B": (19.05, 12.07, 11.68, 5.72, 28.9, 57.8),
    "16B": (25.4, 15.88, 17.02, 8.28, 60.0, 106.0),
    "24B": (38.1, 25.4, 25.4, 14.63, 160.0, 280.0),
    "56B": (88.9, 53.98, 53.34, 34.32, 850.0, 1600.0),
    "72B": (114.3, 72.39, 68.58, 44.48, 1400.0, 2500.0),
}


@pytest.mark.parametrize("name", ANSI)
def test_ansi_chains_have_the_dimensions_of_the_standard_in_inches(name):
    chain = standard_chain(name)
    pitch, roller = ANSI[name]
    assert chain.pitch == pytest.approx(pitch * INCH, abs=1e-9)
    # catalogues round to 0.01 mm; the inch table itself is rounded to 0.001 in = 0.0254 mm
    assert chain.roller_diameter == pytest.approx(roller * INCH, abs=0.03e-3)


@pytest.mark.parametrize("name", ISO_B)
@pytest.mark.parametrize("strands", [1, 2])
def test_b_series(name, strands):
    chain = standard_chain(f"{name}-{strands}")
    pitch, roller, width, pin, load_1, load_2 = ISO_B[name]
    assert chain.pitch == pytest.approx(pitch / 1e3, rel=1e-12)
    assert chain.roller_diameter == pytest.approx(roller / 1e3, rel=1e-12)
    assert chain.inner_width == pytest.approx(width / 1e3, rel=1e-12)
    assert chain.pin_diameter == pytest.approx(pin / 1e3, rel=1e-12)
    assert chain.breaking_load == pytest.approx(1e3 * (load_1 if strands == 1 else load_2), rel=1e-12)
    assert chain.strands == strands


# ISO 606:1994 as GOST 13568-97, table A.1, prints it: breaking load in kN of one, two and three strands; from 16B on
# ISO 606:2004.
FORMER = {
    "05B": (4.4, 7.8, 11.1), "06B": (8.9, 16.9, 24.9), "08B": (17.8, 31.1, 44.5), "10B": (22.2, 44.5, 66.7),
    "12B": (28.9, 57.8, 86.7), "16B": (60.0, 106.0, 160.0), "20B": (95.0, 170.0, 250.0), "24B": (160.0, 280.0, 425.0),
    "28B": (200.0, 360.0, 530.0), "32B": (250.0, 450.0, 670.0), "08A": (13.8, 27.6, 41.4), "10A": (21.8, 43.6, 65.4),
    "12A": (31.1, 62.3, 93.4), "16A": (55.6, 111.2, 166.8), "20A": (86.7, 173.5, 260.2), "24A": (124.6, 249.1, 373.7),
    "28A": (169.0, 338.1, 507.1), "32A": (222.4, 444.8, 667.2), "40A": (347.0, 693.9, 1040.9),
}  # fmt: skip
# ISO 606:2015, minimum of one strand in kN; and what a maker (Donghua 2020) promises, up to 2 % more
MINIMUM = {
    "08A": (13.9, 14.1), "10A": (21.8, 22.2), "12A": (31.3, 31.8), "16A": (55.6, 56.7), "20A": (87.0, 88.5),
    "24A": (125.0, 127.0), "28A": (170.0, 172.4), "32A": (223.0, 226.8), "36A": (281.0, 280.2), "40A": (347.0, 353.8),
    "48A": (500.0, 510.3),
}  # fmt: skip


@pytest.mark.parametrize("name", FORMER)
def test_breaking_loads_are_the_minimum_of_the_standard_for_each_number_of_strands(name):
    """For the B series they agree to the digit; those of the A series have since been rounded up by at most 0.8 %."""
    for strands, load in enumerate(FORMER[name], 1):
        chain = standard_chain(f"{name}-{strands}")
        assert chain.strands == strands
        most = 1.0 if name.endswith("B") else 1.008
        assert load * 1e3 * 0.9999 < chain.breaking_load < most * load * 1e3 * 1.0001, strands
        assert "ISO 606" in chain.sources["breaking_load"]


@pytest.mark.parametrize("name", MINIMUM)
def test_breaking_loads_of_the_a_series_are_the_standards_not_a_makers(name):
    standard, maker = MINIMUM[name]
    chain = standard_chain(f"{name}-1")
    assert chain.breaking_load == pytest.approx(1e3 * standard, rel=1e-12)
    assert standard == pytest.approx(maker, rel=0.021)
    for strands in (2, 3):
        assert standard_chain(f"{name}-{strands}").breaking_load == pytest.approx(strands * 1e3 * standard, rel=1e-12)


def test_breaking_loads_that_are_a_makers_say_so():
    for name in ("04B-1", "04B-2", "085-1", "085-2"):
        assert "manufacturer's minimum" in standard_chain(name).sources["breaking_load"]


# ISO 606, in mm, the largest allowed: roller, pin, depth of inner plates, transverse pitch; the smallest: inner width
SIZES = {
    "05B": (5.00, 2.31, 7.11, 5.64, 3.00), "06B": (6.35, 3.28, 8.26, 10.24, 5.72),
    "08B": (8.51, 4.45, 11.81, 13.92, 7.75),
    "10B": (10.16, 5.08, 14.73, 16.59, 9.65), "12B": (12.07, 5.72, 16.13, 19.46, 11.68),
    "16B": (15.88, 8.28, 21.08, 31.88, 17.02), "20B": (19.05, 10.19, 26.42, 36.45, 19.56),
    "24B": (25.40, 14.63, 33.40, 48.36, 25.40), "28B": (27.94, 15.90, 37.08, 59.56, 30.99),
    "32B": (29.21, 17.81, 42.29, 58.55, 30.99), "40B": (39.37, 22.89, 52.96, 72.29, 38.10),
    "48B": (48.26, 29.24, 63.88, 91.21, 45.72), "56B": (53.98, 34.32, 77.85, 106.60, 53.34),
    "64B": (63.50, 39.40, 90.17, 119.89, 60.96), "72B": (72.39, 44.48, 103.63, 136.27, 68.58),
    "04C": (3.30, 2.31, 6.02, 6.40, 3.10), "06C": (5.08, 3.60, 9.05, 10.13, 4.68),
    "08A": (7.92, 3.98, 12.07, 14.38, 7.85),
    "10A": (10.16, 5.09, 15.09, 18.11, 9.40), "12A": (11.91, 5.96, 18.10, 22.78, 12.57),
    "16A": (15.88, 7.94, 24.13, 29.29, 15.75), "20A": (19.05, 9.54, 30.17, 35.76, 18.90),
    "24A": (22.23, 11.11, 36.20, 45.44, 25.22), "28A": (25.40, 12.71, 42.23, 48.87, 25.22),
    "32A": (28.58, 14.29, 48.26, 58.55, 31.55), "36A": (35.71, 17.46, 54.30, 65.84, 35.48),
    "40A": (39.68, 19.85, 60.33, 71.55, 37.85), "48A": (47.63, 23.81, 72.39, 87.83, 47.35),
}  # fmt: skip


@pytest.mark.parametrize("name", SIZES)
def test_sizes_are_within_those_of_the_standard(name):
    """Dimensions from memory: rollers, transverse pitch and width to 0.01 mm; makers print pins and plates a little
    smaller.
    """
    roller, pin, depth, transverse, width = SIZES[name]
    chain = standard_chain(f"{name}-2")
    assert 1e3 * chain.roller_diameter == pytest.approx(roller, abs=0.011)
    assert 1e3 * chain.transverse_pitch == pytest.approx(transverse, abs=0.011)
    assert width - 0.011 < 1e3 * chain.inner_width < 1.03 * width
    assert 0.993 * pin - 0.011 < 1e3 * chain.pin_diameter < pin + 0.011
    assert 0.97 * depth < 1e3 * chain.inner_plate_depth < depth + 0.011


def test_three_strands_are_no_multiple_in_the_b_series_and_one_in_the_a_series():
    for name, times in (("08B", 2.5), ("16B", 2.67), ("08A", 3.0), ("32A", 3.0), ("06C", 3.0)):
        single, triple = standard_chain(name), standard_chain(f"{name}-3")
        assert triple.breaking_load / single.breaking_load == pytest.approx(times, abs=0.005), name
        assert triple.pitch == single.pitch
        assert triple.pin_diameter == single.pin_diameter
        assert triple.transverse_pitch == single.transverse_pitch


def test_a_number_of_strands_beside_a_name_without_one():
    for name, strands, named in (("08B", 2, "08B-2"), ("08B", 3, "08B-3"), ("40", 2, "08A-2")):
        chain, other = Chain(standard=name, strands=strands, links=100), Chain(standard=named, links=100)
        assert chain.link_mass == other.link_mass
        assert chain.breaking_load == other.breaking_load
        assert chain.link_stiffness == other.link_stiffness
        assert chain.sources["strands"] == "given"
        assert chain.sources["link_mass"] == other.sources["link_mass"]
        assert chain.sources["link_mass"].startswith("catalogue")
    assert Chain(**Chain(standard="08B", strands=2, links=100).model_dump(exclude_unset=True)).strands == 2


def test_strands_that_no_catalogue_has_are_estimated_and_say_so():
    # 04B: 3 and 5 kN, 0.11 and 0.23 kg/m; 48A: 500, 1000, 1500 kN; 08B: 17.8, 31.1, 44.5 kN, 0.69, 1.34, 1.92 kg/m
    for name, strands, load, mass in (
        ("04B", 3, 7.5e3, 0.345), ("48A", 4, 2000e3, 95.4667), ("08B", 6, 89e3, 3.84), ("08A", 4, 55.6e3, 2.24),
    ):  # fmt: skip
        chain = Chain(standard=name, strands=strands, links=100)
        assert chain.breaking_load == pytest.approx(load, rel=1e-12)
        assert chain.link_mass / chain.pitch == pytest.approx(mass, rel=1e-6)
        assert chain.sources["link_mass"].startswith("estimated")
        assert chain.sources["breaking_load"].startswith("estimated")
    assert Chain(standard="40-3", links=100).sources["breaking_load"].startswith("catalogue")
    assert Chain(standard="40-3", links=100).sources["link_mass"].startswith("estimated")


def test_the_estimate_of_three_strands_fits_those_that_are_known():
    """One and a half times two strands; manufacturers differ by as much from each other."""
    for name in (*GALAXY, "12A", "16A", "20A", "24A", "28A", "32A"):
        two, three = (standard_chain(f"{name}-{k}").mass_per_length for k in (2, 3))
        assert 1.5 * two == pytest.approx(three, rel=0.085), name


def test_every_entry_is_a_possible_chain():
    for name in standard_names():
        chain = standard_chain(name)
        assert chain.pin_diameter < chain.roller_diameter < 0.72 * chain.pitch, name
        assert chain.inner_width < chain.transverse_pitch, name
        assert chain.inner_plate_depth < 1.01 * chain.pitch, name
        # plates and pins grow with the square of the pitch, so these ratios hold for all sizes (41 is a light chain;
        # strands of 05B share plates that are lighter than two: each further one adds 0.15 to the 0.20 kg/m of one)
        assert 2.45e3 < chain.mass_per_length / chain.pitch**2 / chain.strands < 9e3, name
        assert 0.4e8 < chain.breaking_load / chain.pitch**2 / chain.strands < 1.6e8, name
        made = Chain(standard=name, links=100)
        assert made.link_mass == pytest.approx(chain.mass_per_length * chain.pitch, rel=1e-12)


def test_two_strands_weigh_and_carry_about_twice_as_much():
    for name in standard_names():
        if name.endswith("-2"):
            single, double = standard_chain(name.removesuffix("-2")), standard_chain(name)
            # plates between the strands are shared; makers' masses are rounded to 0.01 kg/m (05B: 0.20 and 0.33)
            assert 1.6 < double.mass_per_length / single.mass_per_length < 2.2, name
            assert 1.5 < double.breaking_load / single.breaking_load < 2.005, name  # 10B: 22.2 and 44.5 kN


def test_names():
    names = standard_names()
    assert len(names) == len(set(names))
    assert {"04B-1", "08B-1", "08B-2", "72B-3", "08A-1", "36A-2", "40", "40-2", "240", "48A-2", "48A-3"} <= set(names)
    assert not {"04B-3", "085-3"} & set(names)  # which nobody makes
    assert standard_chain("08B") == standard_chain("08B-1") == standard_chain(" 08b-1 ")
    assert standard_chain("40") == standard_chain("40-1") == standard_chain("08A-1")


def test_unknown_standard_names_the_three_nearest():
    with pytest.raises(InputError) as caught:
        Chain(standard="08X-1", links=100)
    (problem,) = caught.value.problems
    assert problem.place == "standard"
    assert problem.message.count("'") == 6
    assert "'08B-1'" in problem.message


def test_values_override_the_catalogue_and_say_where_they_come_from():
    chain = Chain(standard="08B-1", links=120, link_mass="9 g")
    assert chain.link_mass == 0.009
    assert chain.pitch == 0.0127
    assert chain.sources["link_mass"] == "given"
    assert chain.sources["pitch"].startswith("catalogue")
    assert chain.sources["link_stiffness"].startswith("estimated")
    assert chain.sources["link_damping"].startswith("estimated")
    assert chain.sources["joint_damping"] == "default"


def test_estimates():
    chain = Chain(standard="08B-1", links=120)
    # EA = 86 x breaking load; 2 % of 2 sqrt(m K)
    assert chain.link_stiffness == pytest.approx(86 * 17.8e3 / 0.0127, rel=1e-12)
    assert chain.link_damping == pytest.approx(0.04 * math.sqrt(0.69 * 0.0127 * chain.link_stiffness), rel=1e-12)
    # the two chains that the estimate comes from (Pedersen 2004, Tables 5.2 and 5.6), within their own scatter
    assert Chain(standard="56B-1", links=122).link_stiffness == pytest.approx(815e6, rel=0.02)
    assert Chain(standard="72B-1", links=144).link_stiffness == pytest.approx(1068.5e6, rel=0.02)
    stiff = Chain(standard="08B-1", links=120, link_stiffness="10 MN/m")
    assert stiff.link_damping == pytest.approx(0.04 * math.sqrt(stiff.link_mass * 10e6), rel=1e-12)


def test_strands_follow_the_name():
    assert Chain(standard="08B-2", links=120).strands == 2
    with pytest.raises(InputError, match="strands: must be 2"):
        Chain(standard="08B-2", links=120, strands=1)
    with pytest.raises(InputError, match="strands: must be 1 for 08B-1"):
        Chain(standard="08B-1", links=120, strands=2)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("08X-2", "did you mean '08B-2' or '08A-2' or '085-2'?"),
        ("08X", "did you mean '08B' or '08A' or '085'?"),
        ("42-3", "did you mean '40-3' or '25-3' or '240-3'?"),
        ("08B-4", "has 08B with 1, 2, 3 strands; with standard = '08B' and strands = 4, mass and"),
        ("04B-3", "has 04B with 1, 2 strands; with standard = '04B' and strands = 3, mass and"),
    ],
)
def test_only_chains_of_as_many_strands_in_the_same_series_are_suggested(name, said):
    with pytest.raises(InputError) as caught:
        Chain(standard=name, links=100)
    assert said in caught.value.problems[0].message


# Average mass of one strand in kg/m from another maker: Galaxy, British standard simplex (BS 228 / DIN 8187 / ISO 606).
# Plates and pins that no standard fixes make up to 8 % between the two for some sizes; the others agree within 4 %.
GALAXY = {
    "08B": (0.650, 0.08), "10B": (0.928, 0.04), "12B": (1.244, 0.08), "16B": (2.612, 0.04), "20B": (3.802, 0.04),
    "24B": (7.138, 0.04), "28B": (8.955, 0.08), "32B": (9.695, 0.08), "40B": (16.019, 0.04),
}  # fmt: skip


@pytest.mark.parametrize("name", GALAXY)
def test_masses_are_those_of_another_maker(name):
    mass, apart = GALAXY[name]
    assert standard_chain(name).mass_per_length == pytest.approx(mass, rel=apart)


def test_strands_that_share_no_plates_have_their_masses():
    """From 16 mm of pitch on a duplex chain is two simplex ones on longer pins, with as many intermediate plates.

    Smaller ones have an intermediate plate in place of two: those of 05B to 08B are made lighter.
    """
    for name in standard_names():
        chain = standard_chain(name)
        if chain.strands == 2 and chain.pitch > 0.015 and not chain.name.startswith("24B"):
            single = standard_chain(name.removesuffix("-2")).mass_per_length
            assert 1.93 < chain.mass_per_length / single < 2.18, name


# Makers: inner width in mm, length of the pins in mm, mass of the chain in g and its links
BICYCLES = {
    "bicycle-12": (2.18, 5.25, 247, 118),
    "bicycle-11": (2.18, 5.5, 247, 118),
    "bicycle-10": (2.18, 5.9, 239, 116),
    "bicycle-9": (2.18, 6.6, 265, 116),
    "bicycle-8": (2.38, 7.1, 0.26 * 12.7 * 100, 100),
    "bicycle-single": (3.30, 8.6, 0.28 * 12.7 * 100, 100),
}


@pytest.mark.parametrize("name", BICYCLES)
def test_chains_of_bicycles(name):
    width, pins, mass, links = BICYCLES[name]
    chain, made = standard_chain(name), Chain(standard=f" {name.upper()}", links=110)
    assert chain.pitch == made.pitch == 0.0127
    assert chain.inner_width == pytest.approx(1e-3 * width)
    assert chain.roller_diameter == pytest.approx(7.75e-3)
    assert made.link_mass == pytest.approx(1e-3 * mass / links, rel=1e-3)
    assert made.breaking_load == 8000.0  # ISO 9633
    assert (chain.strands, chain.kind) == (1, "roller")
    # four plates and the play between them are between the inner width and the length of the pins
    sizes = link_dimensions(made)
    plates = 2.0 * sum(sizes[f"{link}_link.plate_thickness"].value for link in ("inner", "outer"))
    assert sizes["inner_width"].value + plates < 1e-3 * pins
    assert sizes["inner_link.plate_depth"].value < chain.pitch
    assert sizes["pin_diameter"].value < sizes["bush_diameter"].value < chain.roller_diameter
    for field in ("pitch", "roller_diameter", "pin_diameter", "inner_width", "breaking_load", "link_mass"):
        assert made.sources[field].startswith(("catalogue", "estimated")), field
    assert made.sources["pin_diameter"] == sizes["pin_diameter"].source
    assert made.sources["inner_link.plate_depth"].startswith("estimated")


def test_bicycle_chains_that_are_not_there():
    assert set(BICYCLE_CHAINS) == set(BICYCLES)
    assert not set(BICYCLE_CHAINS) & set(standard_names())
    with pytest.raises(InputError, match="which has bicycle-11 with one strand"):
        Chain(standard="bicycle-11-2", links=110)
    for name in ("bicycle-13", "bicycle"):
        with pytest.raises(InputError, match="which has bicycle-single, bicycle-8"):
            Chain(standard=name, links=110)
    with pytest.raises(InputError, match="must be 1 for bicycle-11"):
        Chain(standard="bicycle-11", strands=2, links=110)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("#40", "40"), ("ANSI 40", "40"), ("ANSI #60-2", "60-2"), ("RS40", "40"), ("ISO 08B", "08B"),
        ("DIN 8187 08B-1", "08B-1"), ("ISO 606 16A-2", "16A-2"), ("08-B1", "08B-1"), ("08B1", "08B-1"),
        ("8B", "08B"), ("8B-1", "08B-1"), ("08B duplex", "08B-2"), ("40 triple", "40-3"), ("Nr. 40", "40"),
        ("ASA 60", "60"), ('1/2" x 5/16"', "08B-1"), ("bicycle 11", "bicycle-11"),
    ],
)  # fmt: skip
def test_names_as_they_are_written_on_drawings_and_boxes(written: str, meant: str) -> None:
    assert standard_chain(written) == standard_chain(meant)


@pytest.mark.parametrize(
    ("name", "facts"),
    [
        ("228A", ("double-pitch", "ISO 1275")),
        ("2160", ("double-pitch", "ISO 1275")),
        ("C2162H", ("double-pitch", "chaindrive chains double-pitch")),
        ("25H", ("heavy", "'25'")),
        ("SC0404", ("silent",)),
        ("HV6", ("silent",)),
        ("SC-04", ("silent",)),
        ("Hy-Vo", ("silent",)),
    ],
)
def test_kinds_of_chains_that_are_not_there_are_refused_by_name(name: str, facts: tuple[str, ...]) -> None:
    """No chain of another kind is suggested: 208A is no 28A."""
    with pytest.raises(InputError) as refused:
        standard_chain(name)
    message = refused.value.problems[0].message
    assert all(fact in message for fact in facts)
    assert "did you mean" not in message
