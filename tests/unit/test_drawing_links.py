"""Drawing of rigid links: pins held by the links, plates around both joints with the depth of the chain's plates."""

import math

import numpy as np
import pytest

from chaindrive.drawing.links import link_sizes, links_view
from chaindrive.drawing.scene import scene_of
from chaindrive.model import example
from chaindrive.model.links import link_dimensions
from support.rigid_run import CLEARANCE, offsets, rigid
from support.small_drives import two_wheels


def test_only_rigid_links_have_sizes():
    assert link_sizes(example("timing-06b")) is None
    assert scene_of(example("timing-06b")).links is None
    assert link_sizes(rigid(example("timing-06b"))) is not None


def test_sizes_are_those_of_the_chain():
    chain = example("timing-06b").chain
    outer = chain.outer_link.model_copy(update={"plate_depth": 7e-3})
    drive = rigid(example("timing-06b").model_copy(update={"chain": chain.model_copy(update={"outer_link": outer})}))
    sizes, value = link_sizes(drive), link_dimensions(drive.chain)
    inner = 0.5 * value["inner_link.plate_depth"].value
    np.testing.assert_allclose(sizes.rear, np.where(np.arange(drive.chain.links) % 2, 3.5e-3, inner))
    np.testing.assert_array_equal(sizes.front, sizes.rear)
    np.testing.assert_allclose(sizes.clearance, 0.5 * CLEARANCE)
    np.testing.assert_allclose(sizes.length, drive.chain.pitch - 0.5 * CLEARANCE)
    assert sizes.pin == 0.5 * drive.chain.pin_diameter
    assert sizes.pin < sizes.bush < 0.5 * drive.chain.roller_diameter


@pytest.mark.parametrize("joint", ["journal", "ideal"])
def test_joints_without_clearance_have_none(joint):
    drive = rigid(example("timing-06b"), joint)
    sizes = link_sizes(drive)
    assert not sizes.clearance.any()
    np.testing.assert_allclose(sizes.length, drive.chain.pitch)


def test_of_an_odd_number_the_last_link_is_cranked():
    drive = rigid(two_wheels(links=41, inner_link={"plate_depth": 9e-3}, outer_link={"plate_depth": 8e-3}))
    sizes = link_sizes(drive)
    assert (sizes.rear[-1], sizes.front[-1]) == (4.5e-3, 4e-3)
    assert list(sizes.front[:3]) == [4.5e-3, 4e-3, 4.5e-3]


@pytest.fixture
def view():
    """Links whose pins lie anywhere in their bushes, except in the joint that closes the chain."""
    drive = rigid(example("timing-06b"))
    random, links = np.random.default_rng(3), drive.chain.links
    wanted = random.uniform(-1e-5, 1e-5, (links, 2))
    angles = np.cumsum(random.uniform(-0.3, 0.3, links))
    bushes, length = np.zeros((links, 2)), drive.chain.pitch - 0.5 * CLEARANCE
    for i in range(1, links):
        pin = bushes[i - 1] + length * np.array([math.cos(angles[i - 1]), math.sin(angles[i - 1])])
        bushes[i] = pin - wanted[i]
    return links_view(drive, bushes, angles), wanted, drive


def test_a_pin_is_where_its_link_holds_it(view):
    links, wanted, drive = view
    np.testing.assert_allclose((links.pins - links.bushes)[1:], wanted[1:], atol=1e-15)
    np.testing.assert_allclose(links.pins - links.bushes, offsets(drive, links.bushes, links.angles), atol=1e-15)
    several = links.sizes.pins(np.stack([links.bushes] * 3), np.stack([links.angles] * 3))
    np.testing.assert_array_equal(several[1], links.pins)


def test_plates_go_around_both_joints(view):
    links, _, _ = view
    depth, pitch = 2.0 * links.sizes.rear[0], links.sizes.length[0]
    for i in (0, 1, 50):
        plate, pin = links.plates[i], links.pins[i + 1]
        np.testing.assert_array_equal(plate[0], plate[-1])
        from_line = np.abs((plate - links.bushes[i]) @ [-math.sin(links.angles[i]), math.cos(links.angles[i])])
        nearest = np.minimum(np.hypot(*(plate - links.bushes[i]).T), np.hypot(*(plate - pin).T))
        np.testing.assert_allclose(nearest, links.sizes.rear[i], rtol=1e-12)
        assert from_line.max() == pytest.approx(links.sizes.rear[i])
        x, y = plate.T
        area = 0.5 * float(np.sum(x[:-1] * y[1:] - x[1:] * y[:-1]))
        assert area == pytest.approx(pitch * depth + 0.25 * math.pi * depth**2, rel=0.01)  # its arcs are polygons


def test_the_contour_has_the_points_of_the_outline(view):
    links, _, _ = view
    for i in (0, 7):
        elements = links.contour(i)
        for element, after in zip(elements, (*elements[1:], elements[0]), strict=True):
            np.testing.assert_allclose(element.at(1.0)[0], after.at(0.0)[0], atol=1e-15)
        found = [element.at(k / 12)[0] for element in elements[::2] for k in range(13)]
        np.testing.assert_allclose(found, links.plates[i][:-1], atol=1e-15)


def test_without_angles_links_point_to_the_next_bush():
    drive = rigid(example("timing-06b"))
    scene = scene_of(drive)
    ahead = np.roll(scene.rollers, -1, axis=0) - scene.rollers
    along = np.stack([np.cos(scene.links.angles), np.sin(scene.links.angles)], axis=1)
    np.testing.assert_allclose(along, ahead / np.hypot(*ahead.T)[:, None], atol=1e-12)
    assert np.hypot(*(scene.links.pins - scene.rollers).T).max() < 0.02 * drive.chain.pitch
