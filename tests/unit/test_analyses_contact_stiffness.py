"""Contact laws against recomputed tables and published stiffnesses."""

import math

import numpy as np
import pytest

from chaindrive.analyses.analytical import contact_stiffness as c
from chaindrive.errors import InputError

STEEL_ON_STEEL = c.compliance(c.STEEL, c.STEEL)
FORCES = np.array([1e2, 1e3, 1e4])


@pytest.mark.parametrize(
    ("law", "outer", "micrometres"),
    [
        ("johnson", -0.010, [0.2113, 1.6814, 12.4968]),
        ("esdu-78035", -0.010, [0.2488, 2.0563, 16.2464]),
        ("dubowsky-freudenstein", -0.010, [0.2400, 1.9682, 15.3653]),
    ],
)
def test_roller_in_a_seat(law, outer, micrometres):
    """Radii 9 in 10 mm, length 15 mm, E = 206 GPa, nu = 0.3; recomputed table, printed to four decimals."""
    contact = c.line_contact(law, 0.009, outer, 0.015, STEEL_ON_STEEL)
    np.testing.assert_allclose(contact.indentation(FORCES) * 1e6, micrometres, atol=6e-5)


@pytest.mark.parametrize(
    ("law", "micrometres"),
    [
        ("johnson", [0.2665, 2.2334, 18.017]),
        ("radzimovsky", [0.2718, 2.2860, 18.543]),
        ("esdu-78035", [0.3040, 2.6084, 21.767]),
    ],
)
def test_two_solid_cylinders(law, micrometres):
    contact = c.line_contact(law, 0.010, 0.009, 0.015, STEEL_ON_STEEL)
    np.testing.assert_allclose(contact.indentation(FORCES) * 1e6, micrometres, rtol=2.5e-4)


def test_radzimovsky_in_its_own_words():
    """The formula as published: F h / L (2/3 + ln(4 r_i / b) + ln(4 r_j / b)) with b the full width."""
    width = 2 * c.hertz_half_width(1e3, 0.010, 0.009, 0.015, STEEL_ON_STEEL)
    expected = 1e3 * STEEL_ON_STEEL / 0.015 * (2 / 3 + math.log(0.04 / width) + math.log(0.036 / width))
    contact = c.line_contact("radzimovsky", 0.010, 0.009, 0.015, STEEL_ON_STEEL)
    assert contact.indentation(1e3) == pytest.approx(expected, rel=1e-13)


def test_hertz():
    """Half width [um] and largest pressure [MPa] of the same pair; in a line contact the pressure is a half ellipse."""
    half = c.hertz_half_width(FORCES, 0.010, 0.009, 0.015, STEEL_ON_STEEL)
    pressure = c.hertz_pressure(FORCES, 0.010, 0.009, 0.015, STEEL_ON_STEEL)
    np.testing.assert_allclose(half * 1e6, [18.848, 59.601, 188.48], rtol=3e-5)
    np.testing.assert_allclose(pressure / 1e6, [225.2, 712.1, 2251.8], rtol=3e-4)
    np.testing.assert_allclose(math.pi / 2 * half * pressure * 0.015, FORCES, rtol=1e-14)
    # On a plane R is the radius of the cylinder.
    assert c.hertz_half_width(1.0, 0.01, math.inf, 1.0, 1e-12) == pytest.approx(2 * math.sqrt(0.01e-12), rel=1e-14)


def test_spheres():
    """Hertz: K = 4/3 E* sqrt(R), E* = E / (2 (1 - nu^2)) for equal materials; a plane is a sphere of radius inf."""
    modulus = 206e9 / (2 * (1 - 0.3**2))
    assert c.sphere_plane_stiffness(0.009, STEEL_ON_STEEL) == pytest.approx(4 / 3 * modulus * 0.009**0.5, rel=1e-14)
    assert c.sphere_stiffness(0.009, math.inf, STEEL_ON_STEEL) == pytest.approx(
        c.sphere_plane_stiffness(0.009, STEEL_ON_STEEL), rel=1e-15
    )
    assert c.sphere_stiffness(0.009, 0.009, STEEL_ON_STEEL) == pytest.approx(
        c.sphere_plane_stiffness(0.0045, STEEL_ON_STEEL), rel=1e-14
    )


def test_stiffness_of_the_6l60mc():
    """Pedersen (2004), Table 5.2, Eq. 3.31: 1.41, 1.68, 1.85, 2.03 GN/m at 5, 15, 25, 40 kN, not the 1 GN/m used.

    Roller radius 26.99 mm in a seat 0.173 mm wider, the printed length 26.99 mm, E = 206 GPa.
    """
    contact = c.line_contact("dubowsky-freudenstein", 0.02699, -(0.02699 + 0.173e-3), 0.02699, STEEL_ON_STEEL)
    stiffness = contact.secant_stiffness(np.array([5e3, 15e3, 25e3, 40e3]))
    np.testing.assert_allclose(stiffness / 1e9, [1.41, 1.68, 1.85, 2.03], atol=0.02)


@pytest.mark.parametrize("law", ["johnson", "esdu-78035", "dubowsky-freudenstein"])
def test_tangent_secant_and_inverse(law):
    contact = c.line_contact(law, 0.009, -0.010, 0.015, STEEL_ON_STEEL)
    # Central difference, error h^2 / 6 times the third derivative, 1 / F^2: relative 1e-8 / 6 and rounding.
    force, step = 2e3, 0.2
    slope = 2 * step / (contact.indentation(force + step) - contact.indentation(force - step))
    assert contact.tangent_stiffness(force) == pytest.approx(slope, rel=1e-8)
    assert contact.secant_stiffness(force) * contact.indentation(force) == pytest.approx(force, rel=1e-15)
    assert contact.tangent_stiffness(force) > contact.secant_stiffness(force)  # it stiffens
    np.testing.assert_allclose(contact.force(contact.indentation(FORCES)), FORCES, rtol=1e-12)
    assert contact.force(0.0) == 0.0
    assert np.isnan(contact.force(1.0))


def test_johnson_turns_back():
    """F = 4 pi E* L dR / e^2: there the indentation is largest, and beyond it there is no result."""
    modulus = 206e9 / (2 * (1 - 0.3**2))
    contact = c.line_contact("johnson", 0.009, -0.010, 0.015, STEEL_ON_STEEL)
    largest = 4 * math.pi * modulus * 0.015 * 0.001 / math.e**2
    assert contact.largest_force == pytest.approx(largest, rel=1e-12)
    assert contact.indentation(0.999 * largest) < contact.indentation(largest * (1 - 1e-9))
    assert np.isnan(contact.indentation(1.01 * largest))
    assert np.isnan(contact.tangent_stiffness(1.01 * largest))


def test_cylinder_on_a_plane():
    """Eq. 3.32 is Eq. 3.31 with one radius infinite."""
    contact = c.line_contact("dubowsky-freudenstein", 0.036, math.inf, 0.068, 1e-10)
    expected = 100 * 1e-10 / 0.068 * (math.log(0.068**3 / (100 * 1e-10 * 0.036)) + 1)
    assert contact.indentation(100.0) == pytest.approx(expected, rel=1e-13)


def test_where_a_law_does_not_hold():
    with pytest.raises(InputError, match="does not apply to a plane"):
        c.line_contact("johnson", 0.01, math.inf, 0.01, 1e-12)
    with pytest.raises(InputError, match="solid"):
        c.line_contact("radzimovsky", 0.01, -0.02, 0.01, 1e-12)
    with pytest.raises(InputError, match="radius of a hollow must be larger"):
        c.line_contact("johnson", 0.01, -0.009, 0.01, 1e-12)
    with pytest.raises(InputError, match="3 problems"):
        c.line_contact("goldsmith", -0.01, 0.02, 0.0, 1e-12)
