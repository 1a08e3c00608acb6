"""The link as a spring and damper."""

import math

import pytest

from chaindrive.physics.link import critical_link_damping, link_dissipation, link_energy, link_force, strand_stiffness


def test_force_of_the_6l60mc_link():
    # Pedersen (2004), Eq. 3.7 with K = 815e6 N/m: 1 um is 815 N, and D = 1e5 N s/m at 1 mm/s adds 100 N.
    assert link_force(0.0889 + 1e-6, 1e-3, 0.0889, 815e6, 1e5) == pytest.approx(915.0, rel=1e-9)
    assert link_force(0.0889 - 1e-6, 0.0, 0.0889, 815e6, 1e5) == pytest.approx(-815.0, rel=1e-9)


def test_elastic_force_is_the_slope_of_the_energy():
    # The energy is quadratic, so the central difference is exact; P enters with 1e-16 P / 1e-5 m = 1e-12 relative.
    pitch, stiffness, length, h = 0.0889, 815e6, 0.08895, 1e-5
    slope = (link_energy(length + h, pitch, stiffness) - link_energy(length - h, pitch, stiffness)) / (2.0 * h)
    assert slope == pytest.approx(link_force(length, 0.0, pitch, stiffness, 0.0), rel=1e-10)


def test_damping_power_is_the_dissipation():
    for rate in (-0.3, 0.0, 0.2):
        force = link_force(0.09, rate, 0.0889, 1e8, 2e4) - link_force(0.09, 0.0, 0.0889, 1e8, 2e4)
        assert force * rate == pytest.approx(link_dissipation(rate, 2e4), rel=1e-10, abs=0.0)
        assert link_dissipation(rate, 2e4) >= 0.0


def test_springs_in_series():
    # Pedersen (2004), Eq. 4.58: the same force stretches n links n times as far.
    stiffness, links, force = 815e6, 122, 19e3
    assert force / strand_stiffness(stiffness, links) == pytest.approx(links * (force / stiffness), rel=1e-14)


def test_critical_damping_of_a_strand():
    # Pedersen (2004), Eqs. 4.59-4.62: strand mass n m, stiffness K/n, damping D/n has the double root -sqrt(K/m)/n.
    stiffness, mass, links = 815e6, 3.01, 122
    damping = critical_link_damping(stiffness, mass, links)
    strand_mass, strand_damping = links * mass, damping / links
    discriminant = strand_damping**2 - 4.0 * strand_mass * strand_stiffness(stiffness, links)
    assert discriminant == pytest.approx(0.0, abs=1e-12 * strand_damping**2)
    assert damping == pytest.approx(2.0 * links * math.sqrt(stiffness * mass), rel=1e-15)
