"""Eigenfrequencies of whole drives against recomputed numbers of the thesis and against closed-form solutions."""

import numpy as np
import pytest

import chaindrive as cd
from chaindrive.analyses.linear.modes import LongitudinalModel, drive_model, full_modes, wheel_modes
from chaindrive.errors import InputError
from chaindrive.model import override


@pytest.mark.parametrize(
    ("name", "free", "full", "full_with_chain", "alone"),
    [
        (
            "6s90mc-c",
            (23, 8, 14, 34),
            [12.321, 23.962, 67.437, 179.80],
            [12.229, 23.863, 65.044],
            [12.371, 24.050, 66.069],
        ),
        ("6l60mc", (20, 4, 13, 24), [40.505, 78.810, 240.36], [39.187, 77.264, 209.55], [40.905, 79.679, 219.87]),
    ],
)
def test_marine_drives(name, free, full, full_with_chain, alone):
    """Pedersen (2004) 4.4.7, 4.4.8 with 2 K R^2, recomputed independently; printed to five digits."""
    drive = cd.example(name)
    bare, loaded = drive_model(drive, chain_on_wheels=False), drive_model(drive)
    assert bare.free_rollers == loaded.free_rollers == free
    np.testing.assert_allclose(full_modes(bare).frequency[: len(full)], full, rtol=5e-5)
    np.testing.assert_allclose(full_modes(loaded, 3).frequency, full_with_chain, rtol=5e-5)
    np.testing.assert_allclose(wheel_modes(loaded).frequency, alone, rtol=5e-5)


def two_wheels(**changes):
    model = LongitudinalModel(
        free_rollers=(9, 9),
        link_stiffness=1e6,
        roller_mass=0.01,
        radius=np.array([0.05, 0.1]),
        inertia=np.array([1.0, 0.02]),
        fixed=(0,),
    )
    return model._replace(**changes)


def test_one_wheel_on_springs():
    """Driver fixed, driven wheel on two spans of K / 10: w = R sqrt(2 K / 10 / J)."""
    expected = 0.1 * np.sqrt(2 * 1e6 / 10 / 0.02) / (2 * np.pi)
    assert wheel_modes(two_wheels()).frequency[0] == pytest.approx(expected, rel=1e-12)
    # With one span slack: w = sqrt(k R^2 / J) (Mahalingam 1958).
    single = wheel_modes(two_wheels(slack=(0,)))
    assert single.frequency[0] == pytest.approx(expected / np.sqrt(2), rel=1e-12)
    # Light rollers move in proportion to their distance from the driver: they add 2 m sum (j / 10)^2 to J / R^2
    # (Rayleigh's quotient, right to the second order of their share 5.7 m / 2).
    light = 1e-5
    moving = 2.0 + 2 * light * sum((j / 10) ** 2 for j in range(1, 10))
    found = full_modes(two_wheels(roller_mass=light), 1).frequency[0]
    assert found == pytest.approx(np.sqrt(2e5 / moving) / (2 * np.pi), rel=(5.7 * light / 2) ** 2 + 1e-9)


def test_span_between_fixed_wheels():
    """A row of n masses between walls: w_j = 2 sqrt(K / m) sin(j pi / (2 (n + 1))), and sine shapes."""
    modes = full_modes(two_wheels(fixed=(0, 1), free_rollers=(7, 0)))
    j = np.arange(1, 8)
    np.testing.assert_allclose(modes.frequency, 2 * np.sqrt(1e8) * np.sin(j * np.pi / 16) / (2 * np.pi), rtol=1e-12)
    np.testing.assert_array_equal(modes.roller_span, np.zeros(7))
    np.testing.assert_array_equal(modes.wheel_angle, np.zeros((7, 2)))
    np.testing.assert_allclose(modes.roller_displacement[0], np.sin(j * np.pi / 8), atol=1e-12)


def test_free_drive_turns_as_a_whole():
    """Null vector of the corrected matrix: all R theta = x equal (fails with K R^2 on the diagonal, Eq. 4.53)."""
    model = two_wheels(fixed=())
    for modes in (full_modes(model), wheel_modes(model)):
        assert modes.frequency[0] == 0.0
        assert modes.frequency[1] > 1.0
        np.testing.assert_allclose(modes.wheel_angle[0] * model.radius, [1.0, 1.0], rtol=1e-9)
        np.testing.assert_allclose(modes.roller_displacement[0], 1.0, rtol=1e-9)


def test_shapes_are_orthogonal_and_scaled():
    model = drive_model(cd.example("6l60mc"))
    modes = full_modes(model)
    assert len(modes.frequency) == 3 + 20 + 4 + 13 + 24
    kinetic = (modes.wheel_angle * model.inertia) @ modes.wheel_angle.T
    kinetic += model.roller_mass[modes.roller_span] * modes.roller_displacement @ modes.roller_displacement.T
    size = np.sqrt(np.diag(kinetic))
    np.testing.assert_allclose(kinetic / np.outer(size, size), np.eye(size.size), atol=1e-9)
    moved = np.hstack([modes.wheel_angle * model.radius, modes.roller_displacement])
    np.testing.assert_allclose(moved.max(axis=1), 1.0, rtol=1e-12)
    np.testing.assert_array_equal(modes.wheel_angle[:, 0], 0.0)


def test_slack_span_of_a_drive_is_left_out():
    """The upper span of the conveyor hangs; the rest is the tight span K / n on J* (Mahalingam 1958)."""
    drive = cd.example("industrial-08b")
    model = drive_model(drive)
    assert model.slack == (0,)
    rate = model.link_stiffness / (model.free_rollers[1] + 1)
    expected = model.radius[1] * np.sqrt(rate / model.inertia[1]) / (2 * np.pi)
    assert wheel_modes(model).frequency[0] == pytest.approx(expected, rel=1e-12)
    assert full_modes(model, 1).frequency[0] == pytest.approx(expected, rel=0.02)
    assert set(full_modes(model).roller_span) == {1}


def test_chain_that_does_not_fit():
    with pytest.raises(InputError, match=r"chain\.links"):
        drive_model(override(cd.example("6l60mc"), {"chain.links": 100}))


def test_nothing_left_to_turn():
    assert wheel_modes(two_wheels(fixed=(0, 1))).frequency.size == 0
