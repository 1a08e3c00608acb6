"""Modes of the linearised equations of motion against strings, the longitudinal model and pendulums."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

import chaindrive as cd
from chaindrive.analyses.analytical.formulas import static_string_frequency
from chaindrive.analyses.linear import linearised
from chaindrive.analyses.linear.linearised import frequencies_by_part, mode_shares, system_modes
from chaindrive.analyses.linear.modes import LongitudinalModel, full_modes
from chaindrive.geometry.route import pitch_radius
from chaindrive.mechanism.tree import GROUND, PRISMATIC, REVOLUTE, BodyData
from chaindrive.model import override
from chaindrive.simulation.start import prepare, settle
from support.mechanism_alone import alone
from support.small_drives import PITCH, compiled, two_wheels

LINKS, TEETH, STRAIN = 20, 16, 4e-3
MASS, STIFFNESS, INERTIA = 0.0088, 1e7, 1e-3
SEAT = 1e10
"""Stiffness of a seat, a thousand links. [N/m]"""


@pytest.fixture(scope="module")
def rigid():
    """Two equal wheels with walls that hold rollers without play, spans of 20 links, no gravity, and its rest.

    Half a turn of 16 teeth holds rollers at both tangent points: exactly 19 rollers of each span are free.
    """
    drive = two_wheels(
        (TEETH, TEETH),
        LINKS * (1.0 + STRAIN),
        links=2 * LINKS + TEETH,
        gravity=(0.0, 0.0),
        tooth={"form": "rectangular", "clearance": 0.0, "height": 2e-5},
        contact={"stiffness": SEAT, "exponent": 1.0},
    )
    system = settle(compiled(drive, moving=False))
    assert "static_span_tension" in system.story.notes
    return drive, system


def test_spans_between_seats(rigid):
    """Masses m on n links of length l under T with fixed ends have transverse frequencies 2 sqrt(T / (m l)) sin(j pi /
    (2 n)), both spans.

    Seats yield by T / SEAT under the pull and span links are stretched by T / K: T and l as the rest has them. Seats
    move by the ratio of stiffnesses, (T / l) / SEAT = 4e-6; the rounding of differences is 2.2e-16 / 5e-8 K = 0.04 N/m
    compared with the smallest stiffness T / l (pi / n)^2 = 970 N/m: 2e-5 of a frequency.
    """
    drive, system = rigid
    modes = system_modes(system)
    assert modes.residual <= system.rest.tolerance * system.force_scale  # 3.6e-3 N beside 500 N: 7e-6
    found = frequencies_by_part(modes, mode_shares(system, modes))
    tension = float(np.mean(system.story.notes["static_span_tension"]))
    length = PITCH * (1.0 + STRAIN) - 2 * tension / SEAT / LINKS
    wave = np.sqrt(tension / (MASS * length)) * np.sin(np.arange(1, LINKS) * np.pi / (2 * LINKS)) / np.pi
    across = np.sort(np.concatenate([found[f"{name} transverse"] for name in drive.span_names]))
    np.testing.assert_allclose(across[:30], np.repeat(wave, 2)[:30], rtol=3e-5)


def test_longitudinal_modes(rigid):
    """The longitudinal model with the nine rollers on the driven wheel, Eq. 4.55: rigid seats hold them to it.

    Two seats in series with the n links of a span add 2 K / (n SEAT) = 1e-4 to its compliance, and half of that to a
    frequency; the geometric stiffness T / l of the stretched chain is 4e-3 / n^2 of K / n, to which it adds.
    """
    drive, system = rigid
    radius = pitch_radius(PITCH, [TEETH, TEETH])
    model = LongitudinalModel(
        free_rollers=(LINKS - 1, LINKS - 1),
        link_stiffness=STIFFNESS,
        roller_mass=MASS,
        radius=radius,
        inertia=np.array([1.0, INERTIA + (TEETH // 2 + 1) * MASS * radius[1] ** 2]),
        fixed=(0,),
    )
    expected = full_modes(model, 3)
    modes = system_modes(system)
    shares = mode_shares(system, modes)
    np.testing.assert_allclose(shares.share.sum(axis=1), 1.0, rtol=1e-12)
    along = [i for i in range(modes.frequency.size) if not shares.largest(i)[0].endswith("transverse")][:3]
    np.testing.assert_allclose(modes.frequency[along], expected.frequency, rtol=1e-4)
    # Shape of the lowest: the driven wheel's part of the kinetic energy, and the rollers of a span relative to it.
    first = modes.shape[along[0]]
    links = drive.chain.links
    turned = first[2 * links + 1]
    x = system.state[:links]
    span = np.flatnonzero((system.state[links : 2 * links] > 0.0) & (x > 1e-6) & (x < x.max() - radius[1] - 1e-6))
    moved = np.sort(np.abs(first[span])) / (radius[1] * abs(turned))
    np.testing.assert_allclose(moved, np.sort(np.abs(expected.roller_displacement[0][: LINKS - 1])), atol=2e-4)


def test_wheel_on_a_slide(rigid):
    """The driven wheel on a slide with a mass M and a spring k in line with the spans: a row of masses at either span.

    By symmetry half of M, k and of the rollers on the wheel swings at the end of n links with 19 rollers. How many of
    the nine rollers there take part is open within two (those at the tangent points touch their walls only), 2 m / M =
    3.5e-4 of the mass; seats deform as in the test above, 1e-4 of the stiffness: 2.3e-4 of the frequency in all.
    """
    drive, system = rigid
    mass, spring = 50.0, 1e5
    pull = 2.0 * float(np.mean(system.story.notes["static_span_tension"]))
    slide = {"kind": "prismatic", "direction": 0.0, "stiffness": spring, "neutral": pull / spring}
    bodies = [{"name": "slide", "mass": mass, "joint": slide}]
    supported = override(drive, {"bodies": bodies, "wheels.1.body": "slide", "wheels.1.mass": 1e-6})
    at_rest = settle(compiled(supported, moving=False))
    modes = system_modes(at_rest, 60)
    found = frequencies_by_part(modes, mode_shares(at_rest, modes))
    stiffness = STIFFNESS * (2.0 * np.eye(LINKS) - np.eye(LINKS, k=1) - np.eye(LINKS, k=-1))
    stiffness[-1, -1] = STIFFNESS + 0.5 * spring
    masses = np.append(np.full(LINKS - 1, MASS), 0.5 * (mass + (TEETH // 2 + 1) * MASS))
    expected = np.sqrt(np.linalg.eigvalsh(stiffness / np.sqrt(np.outer(masses, masses)))[0]) / (2 * np.pi)
    np.testing.assert_allclose(found["slide"], [expected], rtol=2.3e-4)
    assert expected == pytest.approx(23.56, abs=0.01)


def test_scaling_and_number(rigid):
    _, system = rigid
    modes = system_modes(system, 12)
    whole = system_modes(system)
    assert whole.frequency.size == np.isfinite(system.masses).sum()
    np.testing.assert_allclose(modes.frequency, whole.frequency[:12], rtol=1e-9)
    assert np.all(np.diff(whole.frequency) >= 0.0)
    finite = np.where(np.isfinite(system.masses), system.masses, 0.0)
    np.testing.assert_allclose(modes.shape**2 @ finite, 1.0, rtol=1e-12)
    np.testing.assert_array_equal(modes.shape[:, 2 * (2 * LINKS + TEETH)], 0.0)  # the driver is held


def test_sparse_and_dense_agree(rigid, monkeypatch):
    _, system = rigid
    dense = system_modes(system, 10).frequency
    monkeypatch.setattr(linearised, "DENSE", 0)
    np.testing.assert_allclose(system_modes(system, 10).frequency, dense, rtol=1e-8)


def clustered(power):
    """The accelerations of 1041 coordinates for unit displacements: 23 modes apart, then 480 of nearly the same
    frequency, as of links on a rail, and stiff ones; the first differ the less, the higher the power.
    """
    low = 500.0 * np.arange(1, 24) ** 2
    rail = 1.35e6 * (1.0 + 1e-6 * np.linspace(0.0, 1.0, 480) ** power)
    square = np.concatenate([low, rail, np.geomspace(1e7, 5e8, 1041 - 503)])
    return square, sparse.diags_array(-square).tocsc()


def test_many_links_of_nearly_the_same_frequency():
    square, acceleration = clustered(2)
    found, vectors = linearised._lowest(acceleration, 40, 5e8)
    np.testing.assert_allclose(found, square[:40], rtol=1e-6)
    np.testing.assert_allclose(vectors[range(23), range(23)] ** 2, 1.0, rtol=1e-6)


def test_modes_that_the_iteration_does_not_find_are_missing(rigid, monkeypatch):
    """For frequencies that differ by 1e-17, the iteration took a minute and then raised an error."""
    square, acceleration = clustered(4)
    found, vectors = linearised._lowest(acceleration, 40, 5e8)
    assert 23 <= found.size == vectors.shape[1] < 40
    np.testing.assert_allclose(found, square[: found.size], rtol=1e-6)
    _, system = rigid
    lowest = linearised._lowest
    monkeypatch.setattr(linearised, "_lowest", lambda *given: tuple(each[..., :8] for each in lowest(*given)))
    assert system_modes(system, 10).missing == 2


@pytest.mark.parametrize("name", ["industrial-08b", "6s90mc-c-guides"])
@pytest.mark.parametrize("by", [(20.0, -10.0), (990.0, 700.0)])
def test_the_origin_can_be_anywhere(name, by):
    """Steps of differences grew with the distance from the diagonal x = y, beyond the depth of contacts: at (990, 700)
    m the second frequency of the drive without guides was 16.5 Hz instead of 11.6 Hz.
    """
    drive = cd.example(name)
    wheels = tuple(
        each.model_copy(update={"position": (each.position[0] + by[0], each.position[1] + by[1])})
        for each in drive.wheels
    )
    near, far = (prepare(each, start="at_rest").system for each in (drive, drive.model_copy(update={"wheels": wheels})))
    assert far.size == pytest.approx(near.size, rel=1e-6)
    np.testing.assert_allclose(system_modes(far, 30).frequency, system_modes(near, 30).frequency, rtol=3e-4)


@pytest.mark.parametrize("name", ["6s90mc-c", "6l60mc"])
def test_marine_drives(name):
    """Without gravity the lowest transverse mode of a span is that of a string with its ends within a pitch of the
    tangent points.

    f = sqrt(T / rho) / (2 l), with l between L - P and L + P. (With gravity the sag of the 6L60MC, whose tension is low
    at rest, lifts it by a tenth.) The wheels turn more slowly than between rigid seats (12.371 and 40.905 Hz, Eq.
    4.56).
    """
    drive = override(cd.example(name), {"gravity": [0.0, 0.0]})
    system = prepare(drive).system
    modes = system_modes(system, 60)
    found = frequencies_by_part(modes, mode_shares(system, modes))
    density = drive.chain.link_mass / drive.chain.pitch
    lengths = {"6s90mc-c": {0: 2.71266, 3: 3.98534}, "6l60mc": {0: 1.87974, 3: 2.23116}}[name]
    for span, length in lengths.items():
        tension = system.story.notes["static_span_tension"][span]
        longest, shortest = length + drive.chain.pitch, length - drive.chain.pitch
        low = static_string_frequency(1, longest, tension, density * longest)
        high = static_string_frequency(1, shortest, tension, density * shortest)
        assert low < found[f"{drive.span_names[span]} transverse"][0] < high
    assert found["wheels"][0] < {"6s90mc-c": 12.371, "6l60mc": 40.905}[name]


def test_hanging_span_of_the_conveyor():
    """Its lowest mode is antisymmetric: a symmetric one would stretch the chain (Irvine & Caughey 1974).

    Inextensible and flat: 2 f1 of the string, whose first mode is gone; its ends turn on the wheels by up to a pitch.
    """
    drive = cd.example("industrial-08b")
    system = prepare(drive, start="at_rest").system
    modes = system_modes(system, 20)
    found = frequencies_by_part(modes, mode_shares(system, modes))
    length, density = 0.505, drive.chain.link_mass / drive.chain.pitch
    first = static_string_frequency(1, length, system.story.notes["static_span_tension"][0], density * length)
    assert found["motor - conveyor transverse"][0] == pytest.approx(2 * first, rel=drive.chain.pitch / length)


def test_pendulums():
    """One pendulum: sqrt(m g l / (I + m l^2)). Two equal point masses: w^2 = (g / l) (2 -+ sqrt(2)), with a full mass
    matrix.
    """
    single = BodyData(GROUND, REVOLUTE, 1.3, 0.2, (0.0, -0.7))
    modes = system_modes(alone([single], (0.0, -9.81)))
    expected = np.sqrt(1.3 * 9.81 * 0.7 / (0.2 + 1.3 * 0.7**2)) / (2 * np.pi)
    np.testing.assert_allclose(modes.frequency, [expected], rtol=1e-8)
    double = [
        BodyData(GROUND, REVOLUTE, 1.0, 0.0, (0.0, -1.0)),
        BodyData(0, REVOLUTE, 1.0, 0.0, (0.0, -2.0), (0.0, -1.0)),
    ]
    modes = system_modes(alone(double, (0.0, -9.81)))
    # Central differences with steps of 1e-7 of angles of order 1: rounding 2e-9.
    np.testing.assert_allclose(
        (2 * np.pi * modes.frequency) ** 2, 9.81 * (2 + np.sqrt(2) * np.array([-1, 1])), rtol=1e-7
    )
    # Relative angles: the lower mode swings out further below, ratio of absolute angles sqrt(2).
    assert modes.shape[0, 1] / modes.shape[0, 0] == pytest.approx(np.sqrt(2) - 1, rel=1e-6)


def test_free_and_unstable():
    """A body on a slide without a spring: 0 Hz. An inverted pendulum has no frequency."""
    slide = BodyData(GROUND, PRISMATIC, 2.0)
    assert system_modes(alone([slide])).frequency[0] == 0.0
    upright = BodyData(GROUND, REVOLUTE, 1.0, 0.0, (0.0, 1.0))
    assert np.isnan(system_modes(alone([upright], (0.0, -9.81))).frequency[0])


def test_nothing_moves(rigid):
    from dataclasses import replace

    _, system = rigid
    held = replace(system, masses=np.full_like(system.masses, np.inf))
    assert system_modes(held).frequency.size == 0
