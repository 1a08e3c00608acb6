"""The link as a spring and damper."""

import pytest

from chaindrive.physics.link import link_dissipation, link_energy, link_force


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
