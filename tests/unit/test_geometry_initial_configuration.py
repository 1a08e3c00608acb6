"""Placing rollers on routes: taut and slack, front and back wheels, both senses."""

import numpy as np
import pytest

from chaindrive.errors import InputError
from chaindrive.geometry.hanging import hang
from chaindrive.geometry.initial_configuration import fitting_links, place_chain
from chaindrive.geometry.route import length_in_pitches, pitch_radius, route

SIGNS = [1, -1, 1, 1]
L60 = {
    "centres": [(0.0, 0.0), (0.5560, 2.2020), (0.3366, 3.0944), (-0.5560, 2.2020)],
    "teeth": [60, 30, 28, 30],
    "signs": SIGNS,
    "pitch": 0.0889,
    "links": 122,
}
S90 = {
    "centres": [(0.0, 0.0), (0.453, 3.195), (0.333, 4.748), (-1.098, 3.875)],
    "teeth": [64, 32, 32, 32],
    "signs": SIGNS,
    "pitch": 0.1143,
    "links": 144,
}
BICYCLE = {"centres": [(0.4152, 0.05), (0.0, 0.0)], "teeth": [40, 11], "signs": [1, 1], "pitch": 0.0127, "links": 92}
TINY_WRAP = {  # the last wheel turns the chain by less than a pitch
    "centres": [(0.0, 0.0), (1.0015, 0.0), (0.5, 0.108)],
    "teeth": [24, 24, 9],
    "signs": [1, 1, 1],
    "pitch": 0.0254,
    "links": 103,
}
DRIVES = {"6L60MC": L60, "6S90MC-C": S90, "bicycle": BICYCLE, "tiny wrap": TINY_WRAP}
PHASES = (0.0, 0.3, 0.77)


def place(drive, **changes):
    return place_chain(**{**drive, **changes})


def link_lengths(configuration):
    return np.hypot(*(np.roll(configuration.roller_position, -1, axis=0) - configuration.roller_position).T)


def seat_error(configuration, drive):
    """Largest angle between a wrapped roller and the centre line of its gap. [rad]"""
    seated = np.flatnonzero(configuration.seat_wheel >= 0)
    wheel = configuration.seat_wheel[seated]
    line = (
        configuration.wheel_angle[wheel]
        + 2 * np.pi * configuration.seat_gap[seated] / np.asarray(drive["teeth"])[wheel]
    )
    arm = configuration.roller_position[seated] - np.asarray(drive["centres"])[wheel]
    across = np.cos(line) * arm[:, 1] - np.sin(line) * arm[:, 0]
    return np.abs(np.arctan2(across, np.cos(line) * arm[:, 0] + np.sin(line) * arm[:, 1])).max()


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("drive", DRIVES.values(), ids=DRIVES)
def test_equal_distances_and_rollers_in_their_gaps(drive, phase):
    configuration = place(drive, phase=phase)
    on_wheel = configuration.span_of_link < 0
    lengths = link_lengths(configuration)
    # Coordinates of metres: rounding 1e-15 m.
    np.testing.assert_allclose(lengths[~on_wheel], configuration.spacing, atol=2e-14)
    np.testing.assert_allclose(lengths[on_wheel], drive["pitch"], atol=2e-14)
    assert seat_error(configuration, drive) < 1e-12
    teeth = np.asarray(drive["teeth"])
    seated = configuration.seat_wheel >= 0
    assert np.all(configuration.seat_gap[~seated] == -1)
    assert np.all(
        (configuration.seat_gap[seated] >= 0)
        & (configuration.seat_gap[seated] < teeth[configuration.seat_wheel[seated]])
    )
    # Consecutive rollers on one wheel lie in consecutive gaps: upward where the wheel turns counter-clockwise.
    after = np.roll(np.arange(drive["links"]), -1)
    w = configuration.seat_wheel[on_wheel]
    step = (configuration.seat_gap[after[on_wheel]] - configuration.seat_gap[on_wheel]) % teeth[w]
    assert np.all(step == np.asarray(drive["signs"])[w] % teeth[w])


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("drive", [L60, S90], ids=["6L60MC", "6S90MC-C"])
def test_rollers_lie_on_the_route_in_order(drive, phase):
    configuration = place(drive, phase=phase)
    path = configuration.route
    assert configuration.seat_wheel[0] == 0
    assert configuration.seat_wheel[-1] == -1
    element = np.where(configuration.seat_wheel >= 0, 2 * configuration.seat_wheel, 2 * configuration.roller_span + 1)
    assert np.all(np.diff(element) >= 0)
    for w in range(4):  # as many rollers as the wrap has teeth, give or take one
        teeth_wrapped = path.wrap[w] * drive["teeth"][w] / (2 * np.pi)
        assert abs(np.count_nonzero(configuration.seat_wheel == w) - teeth_wrapped) <= 1.0
    free = configuration.seat_wheel < 0
    arm = configuration.roller_position[free] - path.span_start[configuration.roller_span[free]]
    u = path.span_direction[configuration.roller_span[free]]
    np.testing.assert_allclose(arm[:, 0] * u[:, 1] - arm[:, 1] * u[:, 0], 0.0, atol=1e-14)


@pytest.mark.parametrize(("drive", "stiffness", "tension"), [(L60, 815e6, 12.1e3), (S90, 2137e6, 98e3)])
def test_kinematic_preload_of_the_marine_engines(drive, stiffness, tension):
    """K (d - P) of rollers at equal distances on the pitch circles: 12.1 kN and 98 kN, whatever the phase +-0.5 kN."""
    found = [stiffness * drive["pitch"] * place(drive, phase=p).strain for p in np.arange(8) / 8]
    assert np.mean(found) == pytest.approx(tension, rel=0.02)
    assert max(found) - min(found) < 1.2e3


def test_spans_of_the_6l60mc_take_all_the_stretch():
    # 1.69 mm over the 64.4 links that are not on a wheel: 21.4 kN, the 21.2 kN of free spans in Pedersen's table.
    found = [815e6 * (place(L60, phase=p).spacing - 0.0889) for p in np.arange(8) / 8]
    path = place(L60).route
    free = 122 - path.wrap @ np.asarray(L60["teeth"]) / (2 * np.pi)
    assert np.mean(found) == pytest.approx(815e6 * (path.span_length.sum() / free - 0.0889), rel=0.03)


@pytest.mark.parametrize(("offset", "tension"), [(-0.219e-3, 70e3), (0.219e-3, 126e3)])
def test_radius_of_the_wrapped_rollers_moves_the_preload(offset, tension):
    """6S90MC-C with the rollers in the bottom of the seats, and as far above the pitch circle: 70 and 126 kN."""
    radii = pitch_radius(S90["pitch"], S90["teeth"]) + offset
    path = route(S90["centres"], radii, SIGNS)
    configuration = [place(S90, radii=radii, phase=p, links=144) for p in np.arange(4) / 4]
    assert np.mean([2137e6 * 0.1143 * p.strain for p in configuration]) == pytest.approx(tension, rel=0.02)
    np.testing.assert_array_equal(configuration[0].route.radii, path.radii)


@pytest.mark.parametrize("links", [92, 94], ids=["taut", "slack"])
def test_turning_and_mirroring(links):
    drive = {**BICYCLE, "centres": np.array(BICYCLE["centres"]), "links": links}
    taut = place(drive, links=links)
    c, s = np.cos(0.6), np.sin(0.6)
    turn = np.array([[c, s], [-s, c]])
    turned = place(drive, centres=drive["centres"] @ turn, gravity=tuple(np.array([0.0, -9.81]) @ turn))
    mirror = np.array([-1.0, 1.0])
    mirrored = place(drive, centres=drive["centres"] * mirror, signs=[-1, -1])
    np.testing.assert_allclose(turned.roller_position, taut.roller_position @ turn, atol=1e-12)
    np.testing.assert_allclose(turned.roller_tangent, taut.roller_tangent @ turn, atol=1e-11)
    np.testing.assert_allclose(np.exp(1j * (turned.wheel_angle - taut.wheel_angle - 0.6)), 1.0, atol=1e-12)
    np.testing.assert_allclose(mirrored.roller_position, taut.roller_position * mirror, atol=1e-12)
    np.testing.assert_allclose(np.exp(1j * (mirrored.wheel_angle + taut.wheel_angle - np.pi)), 1.0, atol=1e-12)
    np.testing.assert_allclose(mirrored.wheel_rate, -taut.wheel_rate)
    np.testing.assert_array_equal(mirrored.seat_wheel, taut.seat_wheel)


def test_tangents_carry_the_chain_along():
    configuration = place(L60)
    seated = configuration.seat_wheel >= 0
    z, radius = np.asarray(L60["teeth"]), pitch_radius(L60["pitch"], L60["teeth"])
    # One pitch of chain per tooth: |omega| z P/(2 pi) = 1.
    np.testing.assert_allclose(configuration.wheel_rate * z * 0.0889 / (2 * np.pi), SIGNS, rtol=1e-14)
    speed = np.hypot(*configuration.roller_tangent.T)
    np.testing.assert_allclose(
        speed[seated], (radius * np.abs(configuration.wheel_rate))[configuration.seat_wheel[seated]], rtol=1e-12
    )
    np.testing.assert_allclose(speed[~seated], configuration.spacing / 0.0889, rtol=1e-12)
    ahead = np.roll(configuration.roller_position, -1, axis=0) - configuration.roller_position
    assert np.all((ahead * configuration.roller_tangent).sum(axis=1) > 0.0)


def test_next_phase_is_where_the_tangents_lead():
    """Turning the wheels by a small part of a tooth moves the seated rollers along their tangents."""
    step = 1e-4  # of a tooth
    here, there = place(BICYCLE, phase=0.4), place(BICYCLE, phase=0.4 + step)
    seated = here.seat_wheel == 0
    moved = there.roller_position - here.roller_position
    advance = step * BICYCLE["pitch"]
    # Second order: advance^2/(2 R) = (1.3e-6)^2/0.16.
    np.testing.assert_allclose(moved[seated], advance * here.roller_tangent[seated], atol=2e-11)


@pytest.mark.parametrize("gravity", [(0.0, -9.81), (9.81, 0.0)])
def test_catenary(gravity):
    """0.69 kg/m over 0.5 m with H = 100 N: sag 2.11533 mm, a = H/(w g), length 2 a sinh(L/(2 a))."""
    a = 100.0 / (0.69 * 9.81)
    links, down = 1000, np.array(gravity) / 9.81
    across = np.array([-down[1], down[0]])
    joints = hang((0.0, 0.0), 0.5 * across, links, 2 * a * np.sinh(0.25 / a) / links, gravity, across)
    # A polygon of n links sags 1 - O(1/n^2) of the curve: 2e-9 m; the printed value ends at 1e-8 m.
    assert (joints @ down).max() == pytest.approx(a * (np.cosh(0.25 / a) - 1.0), abs=1e-8)
    assert (joints @ down).max() == pytest.approx(2.11533e-3, abs=1e-8)
    np.testing.assert_allclose(np.hypot(*np.diff(joints, axis=0).T), 2 * a * np.sinh(0.25 / a) / links, rtol=1e-10)


def test_hanging_joints_are_in_equilibrium():
    """In every joint the two link forces carry the same weight: H tan(angle) grows by one weight per joint."""
    joints = hang((0.0, 0.0), (0.9, 0.3), 24, 0.05, (0.0, -9.81), (0.0, 1.0))
    d = np.diff(joints, axis=0)
    np.testing.assert_allclose(np.hypot(*d.T), 0.05, atol=1e-14)
    np.testing.assert_allclose(np.diff(d[:, 1] / d[:, 0], n=2), 0.0, atol=1e-11)
    assert hang((0.0, 0.0), (1.0, 0.0), 3, 0.3, (0.0, -9.81), (0.0, 1.0)) is None


@pytest.mark.parametrize(
    ("links", "width", "rise"), [(68, 66.32901979911188, -3.5343286824135967e-15), (92, 87.70792511150336, 2.58e-16)]
)
def test_a_span_that_is_level_but_for_rounding(links, width, rise):
    """The signs of the sums there are determined by rounding: on some machines the roots took more than 100
    iterations.
    """
    joints = hang((0.0, 0.0), (width, rise), links, 1.0, (0.0, -9.81), (0.0, 1.0))
    np.testing.assert_allclose(joints[:, 1], joints[::-1, 1], atol=1e-9)
    np.testing.assert_allclose(np.hypot(*np.diff(joints, axis=0).T), 1.0, rtol=1e-10)


def test_a_chain_that_hangs_upright_bends_to_the_side():
    joints = hang((0.0, 0.0), (0.0, 1.0), 26, 0.04, (0.0, -9.81), (1.0, 0.0))
    assert np.all(joints[1:-1, 0] > 0.0)
    np.testing.assert_allclose(joints[:, 1], 1.0 - joints[::-1, 1], atol=1e-12)


SLACK = [
    (BICYCLE, 94, 0),
    (BICYCLE, 94, 1),
    ({**BICYCLE, "signs": [-1, -1]}, 94, 0),
    ({**BICYCLE, "centres": [(0.0, 0.0), (0.05, 0.42)]}, 94, 1),
    (L60, 124, 0),
    (L60, 124, 2),
    (L60, 124, 3),
    (S90, 146, None),
]


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize(("drive", "links", "span"), SLACK)
def test_slack_chain(drive, links, span, phase):
    configuration = place(drive, links=links, slack_span=span, phase=phase)
    pitch = drive["pitch"]
    assert configuration.slack_span == (int(np.argmax(configuration.route.span_length)) if span is None else span)
    assert configuration.strain == 0.0
    np.testing.assert_allclose(link_lengths(configuration), pitch, atol=1e-13)
    assert seat_error(configuration, drive) < 1e-12
    assert np.all(
        np.bincount(configuration.seat_wheel[configuration.seat_wheel >= 0], minlength=len(drive["teeth"])) > 0
    )
    assert configuration.sag > pitch / 2
    free = configuration.roller_position[configuration.seat_wheel < 0]
    for centre, radius in zip(configuration.route.centres, configuration.route.radii, strict=True):
        assert np.hypot(*(free - centre).T).min() > radius - 0.051 * pitch
    ahead = np.roll(configuration.roller_position, -1, axis=0) - configuration.roller_position
    assert np.all((ahead * configuration.roller_tangent).sum(axis=1) > 0.0)


def test_sag_falls_to_zero_as_the_slack_vanishes():
    """Two equal wheels, 2 C/P + z pitches: parabola sag sqrt(3 L slack/8), from a slack far below a pitch."""
    drive = {"teeth": [20, 20], "signs": [1, 1], "pitch": 0.0127, "links": 100}
    for slack in (1e-3, 1e-4, 1e-5):
        length = 40 * 0.0127 - slack / 2  # both spans lose half, one of them hangs
        configuration = place({**drive, "centres": [(0.0, 0.0), (length, 0.0)]}, slack_span=1)
        assert configuration.slack_span == 1
        assert configuration.sag == pytest.approx(np.sqrt(3 * length * slack / 8), rel=0.15)
        np.testing.assert_allclose(link_lengths(configuration), 0.0127, atol=1e-13)
    exact = place({**drive, "centres": [(0.0, 0.0), (40 * 0.0127 + 1e-6, 0.0)]})
    assert exact.slack_span == -1
    assert exact.strain == pytest.approx(2e-6 / (100 * 0.0127), rel=0.01)


def test_a_wheel_between_two_rollers_turns_with_the_chain():
    """The angle of a wheel on which no roller lies changes linearly: 0.1 tooth of phase turns it by 0.1 tooth."""
    phases = np.arange(20) / 20
    configurations = [place(TINY_WRAP, phase=p) for p in phases]
    seated = [np.count_nonzero(p.seat_wheel == 2) for p in configurations]
    assert min(seated) == 0
    assert max(seated) == 1
    tooth = 2 * np.pi / 9
    turn = np.array([p.wheel_angle[2] for p in configurations]) - tooth * phases
    offset = (turn - turn[0] + tooth / 2) % tooth - tooth / 2
    # A chord that bridges the wheel is shorter than the arc: less than 1 - cos(half a tooth) = 6 % of a tooth.
    assert np.abs(offset).max() < 0.06 * tooth


def test_every_gap_gets_a_roller_as_the_phase_goes_on():
    """The route of rollers in gaps stays complete: wheel angle plus gap angle covers the wrap at every phase."""
    for phase in np.arange(20) / 20:
        configuration = place(S90, phase=phase)
        for w, z in enumerate(S90["teeth"]):
            gaps = configuration.seat_gap[configuration.seat_wheel == w]
            assert len(set(gaps)) == len(gaps)
            wrap = configuration.route.wrap[w] * z / (2 * np.pi)
            assert abs(len(gaps) - wrap) <= 1.0


def test_a_chain_that_is_too_short():
    with pytest.raises(InputError) as caught:
        place(L60, links=118)
    assert "needs 122.02 pitches; the chain has 118 links: at least 122" in str(caught.value)
    assert caught.value.problems[0].place == "chain.links"
    with pytest.raises(InputError, match="at least 92") as caught:
        place(BICYCLE, links=88)
    advised = float(str(caught.value).split("centres ")[1].split(" m apart")[0])
    path = route([(0, 0), (advised, 0)], pitch_radius(0.0127, [40, 11]), [1, 1])
    assert length_in_pitches(path, 0.0127, [40, 11]) == pytest.approx(88.0, abs=1e-3)


def test_a_chain_that_is_too_long():
    with pytest.raises(InputError, match="the chain has 162 links: it would sag"):
        place(L60, links=162)


def test_fitting_links_are_even_and_long_enough():
    assert [fitting_links(n) for n in (121.98, 122.019, 122.3, 121.0, 120.05)] == [122, 122, 124, 122, 120]


def test_drives_of_this_file_are_taut():
    for drive in DRIVES.values():
        configuration = place(drive)
        assert configuration.slack_span == -1
        assert 0.0 < configuration.strain < 2e-3


@pytest.mark.parametrize(("teeth", "links"), [(30, 33), (30, 60), (8, 61), (6, 9), (20, 300)])
@pytest.mark.parametrize("sign", [1, -1])
def test_a_loop_hangs_from_one_wheel(teeth, links, sign):
    pitch = 0.0127
    placed = place_chain([[0.1, 0.2]], [teeth], [sign], pitch, links)
    steps = np.roll(placed.roller_position, -1, axis=0) - placed.roller_position
    assert np.hypot(*steps.T) == pytest.approx(pitch, rel=1e-12)
    assert placed.roller_position[:, 0].mean() == pytest.approx(0.1, abs=0.05 * pitch)
    distance = np.hypot(*(placed.roller_position - (0.1, 0.2)).T)
    assert distance.min() == pytest.approx(placed.route.radii[0], rel=1e-12)
    on_wheel = np.flatnonzero(placed.seat_wheel == 0)
    assert teeth // 2 <= on_wheel.size < teeth
    assert np.diff(placed.seat_gap[on_wheel]) % teeth == pytest.approx(sign % teeth)
    assert placed.slack_span == 0
    assert placed.sag == pytest.approx(0.2 - placed.roller_position[:, 1].min(), abs=3.0 * pitch)


def test_a_loop_on_one_wheel_needs_links_that_hang():
    with pytest.raises(InputError) as caught:
        place_chain([[0.0, 0.0]], [30], [1], 0.0127, 32)
    assert caught.value.problems[0].place == "chain.links"
    assert "33" in caught.value.problems[0].message


def test_a_loop_on_one_wheel_needs_gravity():
    with pytest.raises(InputError) as caught:
        place_chain([[0.0, 0.0]], [30], [1], 0.0127, 60, gravity=(0.0, 0.0))
    assert caught.value.problems[0].place == "gravity"
