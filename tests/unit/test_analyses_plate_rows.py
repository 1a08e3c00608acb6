"""Forces of single plates: closed-form solutions, equilibrium, a second way by finite elements, plates that do not
push.
"""

import numpy as np
import pytest

from chaindrive.analyses.analytical.plate_rows import PlateRows, PlateSystem
from chaindrive.errors import ComputationError
from support import plates_by_elements

THREE = "ABCCBAABCCBAAABCCBAABCCBA"
LOPSIDED = "ABCACBABCAB"


def rows_of(pattern=THREE, links=63, bending=2.2, stiffness=3e7):
    return PlateRows(links, tuple(map("ABC".index, pattern)), 0.96e-3, 24e-3, stiffness, bending)


def strand(rows, tension=5e3):
    """Forces in a straight chain, (P,)."""
    system, none = PlateSystem(rows), np.zeros((1, rows.links))
    return system, system.forces(none + tension, none, none)[0]


def loads(links, seed=1, friction=150.0, moment=0.5):
    """Tensions, friction and moments as on an arc, (N,) each."""
    random = np.random.default_rng(seed)
    tension = 3e3 + 1500.0 * np.sin(2.0 * np.pi * np.arange(links) / links) + random.normal(0.0, 30.0, links)
    return tension, friction * random.normal(size=links), moment * random.normal(size=links)


def test_a_strand_of_9_8_8_plates():
    """Values of an earlier, independent program for the same model: 5 kN, one side of the chain and its middle row."""
    expected = [557, 596, 623, 609, 609, 609, 596, 634, 627, 640, 661, 496, 484]
    system, force = strand(rows_of())
    by_row = np.array([force[system.row == row].mean() for row in range(25)])
    np.testing.assert_array_equal(np.round(by_row[:13]), expected)
    np.testing.assert_allclose(by_row, by_row[::-1], rtol=1e-10)  # left and right alike
    assert by_row[0] / (5e3 / 9) == pytest.approx(1.00, abs=5e-3)
    for bending, share in ((0.55, 0.92), (10.0, 1.04)):
        assert strand(rows_of(bending=bending))[1][0] / (5e3 / 9) == pytest.approx(share, abs=5e-3)
    assert 1.0 / system.extension() == pytest.approx(2.4e8, rel=0.02)


def test_rigid_pins_share_the_pull_alike():
    _, force = strand(rows_of(bending=1e6))
    shared = 5e3 / np.array([9, 8, 8])
    system = PlateSystem(rows_of(bending=1e6))
    np.testing.assert_allclose(force, shared[system.link % 3], rtol=1e-5)
    assert 1.0 / system.extension() == pytest.approx(3.0 / sum(1.0 / (3e7 * n) for n in (9, 8, 8)), rel=1e-5)


@pytest.mark.parametrize("softness", [1e-6, 0.1, 1.0, 10.0, 1e5])
def test_a_pin_on_two_supports_pulled_at_three_places(softness):
    """Pattern BABAB, rows h apart: the plates of A are supports at +-h, those of B pull at 0 and +-2h.

    By hand, with X the force in the middle and g = k h^3 / EI: the middle lies h^3/EI (5/12 X - 11/12 (T - X)) ahead of
    the outer rows, on both pins of a link, so that X / T = (1/2 + 11 g / 6) / (3/2 + 8 g / 3): 1/3 for rigid pins,
    11/16 for soft ones, the middle support of a beam on three.
    """
    h, stiffness = 0.96e-3, 3e7
    system, force = strand(rows_of("BABAB", 6, stiffness * h**3 / softness))
    middle = force[(system.row == 2) & (system.link == 1)][0]
    assert middle / 5e3 == pytest.approx((0.5 + 11.0 / 6.0 * softness) / (1.5 + 8.0 / 3.0 * softness), rel=1e-9)
    np.testing.assert_allclose(force[system.link % 2 == 0], 2.5e3, rtol=1e-12)


def test_the_extension_of_a_link_by_plates_and_bending():
    """Pattern BAAB: four-point bending by T/2 at +-b and +-a, c = a - b apart: T/2k + (T/2) c^2 (b + c/3) / EI."""
    b, c = 0.48e-3, 0.96e-3
    expected = 0.5 / 3e7 + 0.5 * c**2 * (b + c / 3.0) / 2.2
    assert PlateSystem(rows_of("BAAB", 4)).extension() == pytest.approx(expected, rel=1e-10)


def test_a_moment_of_all_pins_bends_all_alike():
    system, none = PlateSystem(rows_of()), np.zeros((1, 63))
    np.testing.assert_allclose(
        system.forces(none + 5e3, none, none + 2.0), system.forces(none + 5e3, none, none), rtol=1e-9
    )


def test_a_moment_of_one_pin_stretches_the_clasp_plates_behind_it():
    """A thrust ahead of the neutral axis bends the ends forward: the clasp plate of the link behind pulls harder."""
    system, none = PlateSystem(rows_of()), np.zeros((1, 63))
    moment = none.copy()
    moment[0, 31] = 0.3
    change = (system.forces(none + 5e3, none, moment) - system.forces(none + 5e3, none, none))[0]
    outer = {int(system.link[q]): change[q] for q in np.flatnonzero(system.row == 0)}
    assert outer[30] > 10.0
    moment[0, 31], moment[0, 30] = 0.0, 0.3
    change = (system.forces(none + 5e3, none, moment) - system.forces(none + 5e3, none, none))[0]
    assert change[(system.row == 0) & (system.link == 30)][0] < -10.0


@pytest.mark.parametrize("pattern", [THREE, LOPSIDED])
def test_every_pin_is_in_equilibrium(pattern):
    rows = rows_of(pattern)
    system = PlateSystem(rows)
    tension, friction, moment = loads(63, moment=0.1)
    force = system.forces(tension, friction, moment)[0]
    pull = np.bincount(system.link, force)
    np.testing.assert_allclose(pull, tension, rtol=1e-9)
    turning = np.bincount(system.link, force * rows.places[system.row])
    arm = 5e-3 * tension.max()
    np.testing.assert_allclose(turning - np.roll(turning, 1), 0.0, atol=1e-9 * arm)
    assert force.min() > 0.0  # so that nothing was slack


@pytest.mark.parametrize(
    ("pattern", "bending", "friction", "slack"),
    [
        (THREE, 2.2, 150.0, False),
        (LOPSIDED, 2.2, 150.0, False),
        (THREE, 0.3, 2000.0, True),
        (LOPSIDED, 0.4, 600.0, True),
    ],
)
def test_against_finite_elements(pattern, bending, friction, slack):
    rows = rows_of(pattern, 9, bending)
    given = loads(9, friction=friction)
    force = PlateSystem(rows).forces(*given)[0]
    expected = plates_by_elements.forces(rows, *given)
    np.testing.assert_allclose(force, expected, atol=1e-5 * expected.max())
    assert (expected == 0.0).any() == slack


def test_instants_are_independent_of_each_other():
    system = PlateSystem(rows_of(links=9, bending=0.3))
    each = [loads(9, seed, friction=2e3) for seed in range(4)]
    together = system.forces(*(np.array(part) for part in zip(*each, strict=True)))
    for k, given in enumerate(each):
        np.testing.assert_allclose(together[k], system.forces(*given)[0], rtol=1e-9, atol=1e-6)
    assert (together == 0.0).any()


def test_the_numbering_of_links_may_begin_at_any_period():
    system = PlateSystem(rows_of())
    given = loads(63)
    shifted = system.forces(*(np.roll(part, 3) for part in given))
    np.testing.assert_allclose(shifted, np.roll(system.forces(*given), 25, axis=1), rtol=1e-9)


def test_a_chain_without_tension_has_no_forces():
    system, none = PlateSystem(rows_of(links=6)), np.zeros((1, 6))
    assert not system.forces(none, none, none).any()
    assert not system.forces(none - 100.0, none, none).any()  # pushed
    _, friction, moment = loads(6)
    np.testing.assert_allclose(system.forces(none, friction, moment), 0.0, atol=1e-5)
    np.testing.assert_allclose(system.forces(none, none + 50.0, none), 0.0, atol=1e-5)


def test_some_links_that_are_slack():
    tension, friction, moment = loads(63)
    tension[10:14] = [0.0, -50.0, -20.0, 0.0]
    system = PlateSystem(rows_of())
    force = system.forces(tension, friction, moment)[0]
    np.testing.assert_allclose(np.bincount(system.link, force), np.maximum(tension, 0.0), atol=1e-5)
    assert force.min() >= 0.0


def test_loads_that_are_not_numbers():
    system, none = PlateSystem(rows_of()), np.zeros((1, 63))
    with pytest.raises(ComputationError, match="finite"):
        system.forces(none + np.nan, none, none)
