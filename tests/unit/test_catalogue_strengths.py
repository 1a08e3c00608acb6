"""Dynamic strengths and bearing areas of the catalogue: no table was available, so they must agree with other published
data.
"""

import math

import pytest

from chaindrive.analyses.analytical.rating import PER_DYNAMIC_STRENGTH, plate_power
from chaindrive.model import chain_strength, standard_chain, standard_names, strand_factor

B_SERIES = [name for name in standard_names() if name.endswith("B-1") and name != "04B-1"]
A_SERIES = [name for name in standard_names() if name[-3:] in ("A-1", "C-1")]


def _bush_length(chain):
    return chain_strength(chain.name).bearing_area / chain.pin_diameter


@pytest.mark.parametrize("name", B_SERIES)
def test_plates_of_the_b_series_bear_one_stress(name):
    """ISO 606, annex C: dynamic strength over the section of two inner plates, falling with p^(-0.0008 p); from 05B to
    72B, whose strengths differ by a factor 160, it is the same within 2 %."""
    chain = standard_chain(name)
    pitch, roller, pin, depth, width = (
        1e3 * x
        for x in (chain.pitch, chain.roller_diameter, chain.pin_diameter, chain.inner_plate_depth, chain.inner_width)
    )
    bush = pin * (roller / pin) ** 0.475
    thickness = (0.99 * 1e3 * _bush_length(chain) - width) / 2.0
    section = 2.0 * thickness * (0.99 * depth - bush)
    stress = chain_strength(name).dynamic_strength / section * pitch ** (0.0008 * pitch)
    assert stress == pytest.approx(131.2, rel=0.025)


@pytest.mark.parametrize("name", A_SERIES)
def test_plates_of_the_a_series_are_rated_by_their_dynamic_strength(name):
    """ANSI B29.1 at one tooth and one rpm, as a force, over the dynamic strength of ISO 606: one number."""
    chain = standard_chain(name)
    force = plate_power(1, math.pi / 30.0, chain.pitch) / (chain.pitch / 60.0)
    assert force / chain_strength(name).dynamic_strength == pytest.approx(PER_DYNAMIC_STRENGTH, rel=0.065)


def test_the_light_chain_is_rated_by_its_own_constant():
    chain = standard_chain("085-1")
    force = plate_power(1, math.pi / 30.0, chain.pitch, "light") / (chain.pitch / 60.0)
    assert force / chain_strength("085-1").dynamic_strength == pytest.approx(PER_DYNAMIC_STRENGTH, rel=0.03)


@pytest.mark.parametrize(
    "name",
    [n for n in standard_names() if n.endswith("-1") and standard_chain(n).inner_plate_thickness is not None],
)
def test_bushes_are_as_long_as_inner_links_are_wide(name):
    """Width over the inner link, with plate thickness from another source, with 2 to 20 % of it play and crimp."""
    chain = standard_chain(name)
    plates = _bush_length(chain) - chain.inner_width
    assert 1.0 <= plates / (2.0 * chain.inner_plate_thickness) <= 1.15


# What makers print as bearing area of one strand, cm^2
AREAS = {"06B-1": 0.28, "08B-1": 0.50, "10B-1": 0.67, "16B-1": 2.10, "20B-1": 2.96, "32B-1": 8.11, "48B-1": 20.63}


@pytest.mark.parametrize(("name", "area"), AREAS.items())
def test_bearing_areas_are_those_of_makers(name, area):
    assert 1e4 * chain_strength(name).bearing_area == pytest.approx(area, abs=0.01)


def test_several_strands():
    """ANSI B29.1, as in Bhandari's example 14.2: four strands carry 3.3 times the load of one; areas add up."""
    one, four = chain_strength("16A-1"), chain_strength("16A", 4)
    assert strand_factor(4) == 3.3
    assert four.dynamic_strength == pytest.approx(3.3 * one.dynamic_strength)
    assert four.dynamic_strength_source.startswith("estimated: 3.3 x")
    assert four.bearing_area == pytest.approx(4.0 * one.bearing_area)
    assert strand_factor(12) == pytest.approx(2.0 * strand_factor(6))
    assert all(strand_factor(n) < strand_factor(n + 1) for n in range(1, 20))


@pytest.mark.parametrize("name", ["520", "bicycle-11", "LH0822", "M80-B-100", "S45", None, "no such"])
def test_other_series_have_none(name):
    assert chain_strength(name).dynamic_strength is None


def test_sources_say_that_they_are_unverified():
    assert "unverified" in chain_strength("08B-1").dynamic_strength_source
    assert chain_strength("04B-1").dynamic_strength is None  # of which nothing is known
    assert chain_strength("04B-1").bearing_area > 0.0
