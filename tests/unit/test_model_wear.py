"""Worn chains, scatter, attachments and payload in files: values, derived values, problems."""

import math
import statistics
from itertools import pairwise

import numpy as np
import pytest

from chaindrive.errors import InputError
from chaindrive.geometry.profile import outline
from chaindrive.geometry.tooth_forms import tooth_profile
from chaindrive.geometry.tooth_forms.wear import worn
from chaindrive.mechanism.links import link_data
from chaindrive.mechanism.teeth import tooth_gap
from chaindrive.model import Chain, Drive, example, loads, override

WALLS = {"clearance": 0.1e-3, "height": 1.5e-3}
SIMPLE = {"rectangular": WALLS, "semi-real": WALLS | {"flank_angle": 0.4, "corner_radius": 0.5e-3}}
GOODS = {"span": 1, "mass_per_length": "5 kg/m"}


@pytest.fixture(name="drive")
def harvester() -> Drive:
    return example("harvester-10b")


def problems(drive: Drive, changes: dict) -> dict[str, str]:
    """Messages, by place."""
    with pytest.raises(InputError) as caught:
        override(drive, changes)
    return {problem.place: problem.message for problem in caught.value.problems}


@pytest.mark.parametrize("links", [12, 13])
def test_wear_is_in_the_outer_links(links):
    """Pins and bushes wear: from bush to bush an inner link keeps its length, and the mean is the requested
    elongation.
    """
    chain = Chain(standard="10B-1", links=links, wear="2 %")
    assert chain.elongations[:4] == (0.0, 0.04, 0.0, 0.04)
    assert chain.elongations[-1] == (0.02 if links % 2 else 0.04)
    assert sum(chain.elongations) / links == pytest.approx(0.02, rel=1e-12)
    assert chain.mean_pitch == pytest.approx(1.02 * chain.pitch, rel=1e-12)


def test_wear_comes_on_top_of_elongation():
    chain = Chain(standard="10B-1", links=4, wear="1 %", elongation=[0.001, 0.002, 0.003, 0.004])
    assert chain.elongations == pytest.approx([0.001, 0.022, 0.003, 0.024], rel=1e-12)


def test_scatter_has_its_deviation_no_mean_and_repeats_with_its_seed():
    """2000 draws: the standard deviation of a sample is off by sigma / sqrt(2 n), 1.6 %; four times that is allowed."""
    one, same, other = (
        Chain(standard="10B-1", links=2000, scatter={"deviation": "0.1 %", "seed": seed}).elongations
        for seed in (7, 7, 8)
    )
    assert one == same != other
    assert statistics.stdev(one) == pytest.approx(1e-3, rel=4.0 / math.sqrt(4000.0))
    assert statistics.fmean(one) == pytest.approx(0.0, abs=1e-15)


def test_attachments_are_on_their_links():
    chain = Chain(
        standard="10B-1", links=10, attachments=[{"mass": "1 kg", "every": 4, "first": 1}, {"mass": 0.5, "every": 5}]
    )
    assert chain.attached_masses == (0.5, 1.0, 0.0, 0.0, 0.0, 1.5, 0.0, 0.0, 0.0, 1.0)


def test_rigid_links_have_attachments_and_wear(drive):
    worn_out = override(drive, {"chain.wear": 0.01, "chain.attachments": [{"mass": "0.1 kg", "every": 3}]})
    before, after = link_data(drive), link_data(worn_out)
    assert after.mass - before.mass == pytest.approx([0.1, 0.0, 0.0] * 32, abs=1e-15)
    assert after.length - before.length == pytest.approx([0.0, 0.02 * drive.chain.pitch] * 48, abs=1e-15)


def test_a_drive_with_all_of_it_prints_itself(drive):
    given = {
        "chain.wear": "1 %",
        "chain.scatter": {"deviation": "0.02 %", "seed": 3},
        "chain.attachments": [{"mass": "20 g", "every": 6}],
        "wheels.0.tooth_wear": "0.1 mm",
        "payloads": [GOODS | {"feed_speed": "1 m/s", "gravity": [0, -3]}],
    }
    full = override(drive, given)
    again = loads(full.to_toml())
    assert again == full
    assert again.chain.elongations == full.chain.elongations
    assert full.payloads[0].gravity == (0.0, -3.0)


@pytest.mark.parametrize(
    ("changes", "place", "said"),
    [
        ({"chain.wear": 0.5}, "chain.wear", "at most 0.1"),
        ({"chain.wear": 0.1, "chain.elongation": 0.1}, "chain.wear", "the length of a link by 30 %"),
        ({"chain.scatter": {"deviation": 0.02}, "chain.elongation": -0.05}, "chain.scatter.deviation", "-5 to 20 %"),
        ({"chain.attachments": [{"mass": 1, "first": 96}]}, "chain.attachments[0].first", "from 0 to 95"),
        ({"payloads": [GOODS | {"span": 2}]}, "payloads[0].span", "from 0 to 1"),
        ({"payloads": [GOODS | {"mass": 1}]}, "payloads[0].mass", "either"),
        ({"payloads": [{"span": 1}]}, "payloads[0].mass", "either"),
        ({"payloads": [GOODS | {"every": 4}]}, "payloads[0].every", "applies only with mass"),
        ({"payloads": [GOODS | {"start": 0.2, "end": 0.1}]}, "payloads[0].end", "greater than start"),
        ({"payloads": [GOODS], "run.formulation": {"kind": "block"}}, "payloads[0]", "roller"),
        ({"payloads": [GOODS], "run.formulation": {"kind": "spatial"}}, "payloads[0]", "roller"),
        ({"chain.wear": 0.01, "run.formulation": {"kind": "block"}}, "chain.wear", "roller"),
        ({"chain.scatter": {"deviation": 1e-3}, "run.formulation": {"kind": "block"}}, "chain.scatter", "roller"),
        ({"chain.attachments": [{"mass": 1}], "run.formulation": {"kind": "block"}}, "chain.attachments", "roller"),
    ],
)
def test_what_does_not_fit_is_told_with_its_place(drive, changes, place, said):
    found = problems(drive, changes)
    assert said in found[place]


@pytest.mark.parametrize("teeth", [11, pytest.param(21, marks=pytest.mark.long), 60])
@pytest.mark.parametrize("form", ["iso-606", "asa-ii", "conveyor", "circular", *SIMPLE])
def test_a_worn_gap_is_the_parallel_curve(form, teeth):
    """Every point of seat and flank lies in the material by the depth of wear, more than the radius of the edge."""
    depth, gap = 0.3e-3, tooth_profile(form, teeth, 15.875e-3, 10.16e-3, **SIMPLE.get(form, {}))
    after = worn(gap, teeth, depth)
    old = outline(gap, 40001)
    for element in after.elements[: 1 if form == "circular" else 2]:
        for fraction in (0.0, 0.3, 0.6):
            point, _ = element.at(fraction)
            assert min(np.hypot(*(old - point).T)) == pytest.approx(depth, abs=1e-6)
    assert after.seat_radius == pytest.approx(gap.seat_radius - depth, rel=1e-12)
    assert after.tip_radius <= gap.tip_radius * (1.0 + 3e-3)  # the corner of a wider gap lies a little farther out
    for before, behind in pairwise(after.elements):
        (end, along), (start, onwards) = before.at(1.0), behind.at(0.0)
        assert math.dist(end, start) < 1e-9
        assert math.dist(along, onwards) < 1e-6
    (x, y), _ = after.elements[-1].at(1.0)
    assert math.atan2(x, y) <= math.pi / teeth + 1e-9


def test_a_smooth_rim_has_no_teeth_that_wear(drive):
    with pytest.raises(InputError) as caught:
        tooth_gap(override(drive, {"wheels.1.tooth": {"form": "smooth"}, "wheels.1.tooth_wear": "0.1 mm"}), 1)
    assert "smooth rim" in caught.value.problems[0].message


def test_teeth_cannot_be_worn_away(drive):
    with pytest.raises(InputError) as caught:
        tooth_gap(override(drive, {"wheels.1.tooth_wear": "4 mm"}), 1)
    assert caught.value.problems[0].place == "wheels[1].tooth_wear"
