"""Closed-form solutions against published numbers and against independent computations."""

import numpy as np
import pytest

from chaindrive.analyses.analytical import formulas as f
from chaindrive.analyses.analytical.four_bar import tight_span_kinematics

# Pedersen (2004), Tables 5.1 to 5.4 (6L60MC) and 5.5 to 5.8 (6S90MC-C).
L60 = {"pitch": 0.0889, "mass": 3.01, "links": 122, "stiffness": 815e6, "teeth": 60, "speed": 10.673}
S90 = {"pitch": 0.1143, "mass": 13.6, "links": 144, "stiffness": 2137e6, "teeth": 64, "speed": 9.270}


def test_pace_of_the_marine_drives():
    speed = 2 * np.pi * 2.0  # 120 rpm
    assert f.tooth_frequency(speed, 60) == pytest.approx(120.0, rel=1e-14)
    assert f.loop_time(122, speed, 60) == pytest.approx(122 / 120, rel=1e-14)
    assert f.tooth_frequency(2 * np.pi * 76 / 60, 64) == pytest.approx(81.067, abs=5e-4)
    assert f.loop_time(144, 2 * np.pi * 76 / 60, 64) == pytest.approx(1.7763, abs=5e-5)
    # Omar (2014): 23 teeth of 12.7 mm at 1 rev/s: 0.29210 m/s along the chain, 0.29301 m/s on the pitch circle.
    assert f.chain_speed(2 * np.pi, 23, 0.0127) == pytest.approx(0.29210, abs=1e-9)
    assert 2 * np.pi * f.pitch_radius(0.0127, 23) == pytest.approx(0.29301, abs=5e-6)


def test_pull_of_a_chain():
    # Bhandari, example 14.7: 12.9537 kW on 19 teeth of 15.875 mm at 1400 rpm; power over chain speed.
    speed = 1400 * np.pi / 30
    assert f.chain_pull(12953.7 / speed, 19, 0.015875) == pytest.approx(1840.558878, rel=1e-9)
    assert f.chain_pull(10.0, [20, 40], 0.0127) == pytest.approx(10.0 / f.pitch_radius(0.0127, [20, 40]), rel=5e-3)
    assert (f.chain_pull(10.0, [20, 40], 0.0127) > 10.0 / f.pitch_radius(0.0127, [20, 40])).all()


@pytest.mark.parametrize(
    ("length", "links", "tension", "printed", "recomputed"),
    [
        (1.8797, 21, 25e3, 7.3, 7.253),
        (1.8797, 21, 19e3, 6.3, 6.323),
        (2.2312, 25, 26e3, 6.2, 6.222),
        (2.2312, 25, 20e3, 5.5, 5.457),
    ],
)
def test_static_string_of_the_thesis(length, links, tension, printed, recomputed):
    frequency = f.static_string_frequency(1, length, tension, links * L60["mass"])
    assert frequency == pytest.approx(recomputed, abs=6e-4)
    assert frequency == pytest.approx(printed, abs=0.05)


@pytest.mark.parametrize(
    ("length", "tension", "expected", "printed"),
    [
        (1.87974, 25e3, 6.113, 6.1),
        (1.87974, 19e3, 5.022, 5.1),
        (2.23116, 26e3, 5.289, 5.2),
        (2.23116, 20e3, 4.396, 4.5),
    ],
)
def test_moving_string_of_the_thesis(length, tension, expected, printed):
    frequency = f.moving_string_frequency(1, length, tension, L60["mass"] / L60["pitch"], L60["speed"])
    assert frequency == pytest.approx(expected, abs=6e-4)
    assert frequency == pytest.approx(printed, rel=0.03)  # the peaks of Figs. 5.6 and 5.7


def test_moving_string_of_6s90():
    density = S90["mass"] / S90["pitch"]
    first, second = f.moving_string_frequency(np.array([1, 2]), 2.71266, 70e3, density, S90["speed"])
    assert (first, second) == (pytest.approx(3.818, abs=6e-4), pytest.approx(7.635, abs=6e-4))
    spans = f.moving_string_frequency(np.array([1, 3]), 3.98534, 70e3, density, S90["speed"])
    np.testing.assert_allclose(spans, [2.599, 7.796], atol=6e-4)


def test_moving_string_limits():
    # V = 0: the string at rest. V = c: critical, no restoring force. V > c: none.
    assert f.moving_string_frequency(3, 2.0, 1e4, 30.0) == pytest.approx(f.static_string_frequency(3, 2.0, 1e4, 60.0))
    critical = np.sqrt(1e4 / 30.0)
    assert f.moving_string_frequency(1, 2.0, 1e4, 30.0, critical) == pytest.approx(0.0, abs=1e-12)
    assert np.isnan(f.moving_string_frequency(1, 2.0, 1e4, 30.0, 1.01 * critical))
    # V / c = 0.4, l = pi, c = pi: w_n = 2.638938 n (checked by Galerkin's method in the source of the table)
    wave = np.pi * np.array([1, 2, 3]) * (1 - 0.4**2)
    angular = 2 * np.pi * f.moving_string_frequency(np.array([1, 2, 3]), 1.0, 1.0, 1.0, 0.4)
    np.testing.assert_allclose(angular, wave, rtol=1e-14)
    np.testing.assert_allclose(angular, [2.638938, 5.277876, 7.916813], atol=1e-6)


def test_relaxed_string_by_weight_tensioner():
    # eta = 1: c^2 = (T_s + rho V^2) / rho and w_n = n pi / L * T_s / sqrt(rho (T_s + rho V^2)).
    static, density, speed, length = 5e3, 30.0, 8.0, 1.7
    expected = np.pi / length * static / np.sqrt(density * (static + density * speed**2)) / (2 * np.pi)
    assert f.moving_string_frequency(1, length, static, density, speed, 1.0) == pytest.approx(expected, rel=1e-13)


def test_moving_string_mode_satisfies_the_wave_equation():
    # c^2 y'' = 2 V y'_t + V^2 y'' + y_tt (Eq. 4.22), by central differences of step h: error O(h^2 w^2) about 1e-6.
    length, tension, density, speed = 1.3, 900.0, 4.0, 6.0
    h = 1e-4

    def y(x, t):
        return f.moving_string_mode(x, t, 2, length, tension, density, speed)

    x, t = np.linspace(0.1, 1.2, 7), 0.37
    xx = (y(x + h, t) - 2 * y(x, t) + y(x - h, t)) / h**2
    tt = (y(x, t + h / 10) - 2 * y(x, t) + y(x, t - h / 10)) / (h / 10) ** 2
    xt = (y(x + h, t + h / 10) - y(x - h, t + h / 10) - y(x + h, t - h / 10) + y(x - h, t - h / 10)) / (0.4 * h * h)
    left = (tension / density - speed**2) * xx
    np.testing.assert_allclose(left - 2 * speed * xt - tt, 0.0, atol=1e-4 * np.abs(tt).max())
    np.testing.assert_allclose(y(np.array([0.0, length]), t), 0.0, atol=1e-12)


@pytest.mark.parametrize(
    ("length", "excitation", "percent"),
    [
        (2.71266, "half order", (107.3, 116.2)),
        (2.71266, "order", (60.0, 61.5)),
        (2.71266, "tooth", (5.9, 5.9)),
        (1.67627, "order", (91.0, 96.3)),
        (3.98534, "order", (41.9, 42.3)),
        (3.98534, "half order", (78.9, 82.2)),
    ],
)
def test_resonance_speeds_of_6s90(length, excitation, percent):
    # Sec. 5.9.1: F = Pb / 25 = 80.08 kN; percent of the rated speed for eta = 0 and eta = 1, rounded to a tenth.
    radius = f.pitch_radius(S90["pitch"], 64)
    wavenumber = {"half order": 3.0 / radius, "order": 6.0 / radius, "tooth": 2 * np.pi / S90["pitch"]}[excitation]
    rated = radius * 2 * np.pi * 76 / 60
    speeds = f.string_resonance_speed(length, 80.08e3, S90["mass"] / S90["pitch"], wavenumber, 1, np.array([0.0, 1.0]))
    np.testing.assert_allclose(100 * speeds / rated, percent, atol=0.06)


@pytest.mark.parametrize("relaxation", [0.0, 0.2, 0.5, 1.0])
def test_resonance_speed_solves_its_condition(relaxation):
    speed = f.string_resonance_speed(2.0, 1e4, 30.0, 2.5, 2, relaxation)
    frequency = f.moving_string_frequency(2, 2.0, 1e4, 30.0, speed, relaxation)
    assert 2.5 * speed == pytest.approx(2 * np.pi * frequency, rel=1e-12)


def test_critical_damping():
    # Sec. 5.3.1: 4.9e7 N s/m for the whole chain of 6S90; sec. 5.2.1: 1.2085e7 for 6L60.
    assert f.critical_link_damping(144, 13.6, 2137e6) == pytest.approx(4.910e7, abs=5e3)
    assert f.critical_link_damping(122, 3.01, 815e6) == pytest.approx(1.2085e7, abs=500)
    assert f.critical_link_damping(1, 13.6, 2137e6) == pytest.approx(3.410e5, abs=50)


def test_critical_damping_is_that_of_the_strand():
    """Pedersen (2004), Eqs. 4.58 to 4.62: strand mass n m, stiffness K/n, damping D/n has a double root."""
    stiffness, mass, links = 815e6, 3.01, 122
    strand_damping = f.critical_link_damping(links, mass, stiffness) / links
    discriminant = strand_damping**2 - 4.0 * (links * mass) * (stiffness / links)
    assert discriminant == pytest.approx(0.0, abs=1e-12 * strand_damping**2)


def test_pressure_angles_and_ratios():
    degrees = [np.degrees(f.pressure_angle(20, of)) for of in ("new", "mean", "minimum")]
    np.testing.assert_allclose(degrees, [29.0, 21.4, 13.8], atol=1e-12)
    ratios = [f.binder_ratio(20, np.radians(d)) for d in (29.0, 21.4, 13.8)]
    np.testing.assert_allclose(ratios, [0.662894, 0.574853, 0.452663], atol=5e-7)
    np.testing.assert_allclose(f.binder_ratio(np.array([60, 64])), [0.865440, 0.873058], atol=5e-7)


@pytest.mark.parametrize(
    ("teeth", "angle", "first"),
    [(20, 29.0, 0.42253), (20, 21.4, 0.48685), (20, 13.8, 0.58642), (60, 33.0, 0.16610), (64, 33.125, 0.15660)],
)
def test_first_tooth_load(teeth, angle, first):
    loads = f.binder_tooth_loads(30, teeth, 1.0, 0.0, angle=np.radians(angle))
    assert loads[0] == pytest.approx(first, abs=5e-6)


def test_tooth_and_link_loads_balance_on_every_roller():
    # A roller is pulled by the link towards the span (tension T_i-1, along +x), by the next link (T_i, turned by alpha)
    # and pushed outwards by the flank, whose normal makes the angle zeta with the first of them. Their sum is zero.
    teeth, rollers, pull = 20, 12, 1000.0
    zeta, alpha = f.pressure_angle(teeth), 2 * np.pi / teeth
    tension = np.concatenate(([pull], f.binder_link_tensions(rollers, teeth, pull, 0.0)))
    load = f.binder_tooth_loads(rollers, teeth, pull, 0.0)
    for i in range(rollers - 1):
        toward_span = tension[i] * np.array([1.0, 0.0])
        next_link = tension[i + 1] * np.array([-np.cos(alpha), -np.sin(alpha)])
        flank = load[i] * np.array([-np.cos(zeta), np.sin(zeta)])
        residual = toward_span + next_link + flank
        np.testing.assert_allclose(residual, 0.0, atol=1e-9 * pull)


def test_friction_shift():
    """Naji & Marshek (1983): delta = min(atan(mu_roller), atan(mu_bush))."""
    assert f.friction_shift(0.1) == pytest.approx(np.arctan(0.1), rel=1e-15)
    np.testing.assert_allclose(f.friction_shift(np.array([0.1, 0.3]), 0.2), np.arctan([0.1, 0.2]), rtol=1e-15)
    assert f.friction_shift(0.0) == 0.0


@pytest.mark.parametrize("arriving", [True, False])
def test_rollers_balance_with_friction(arriving):
    """Force triangle of every roller: a normal force at the angle zeta and friction at its limit, mu times this force.

    As in the test without friction, seen from the tight end of the wrap: x along the link towards it, y outwards. The
    flank goes up in the direction (sin zeta, cos zeta). On rollers that lose load (the chain arrives under tension)
    friction holds them up, on rollers that gain load (it leaves under tension) it holds them down.
    """
    teeth, rollers, pull, friction = 20, 12, 1000.0, 0.15
    zeta, alpha, shift = float(f.pressure_angle(teeth)), 2 * np.pi / teeth, float(f.friction_shift(friction))
    ends = (pull, 0.0) if arriving else (0.0, pull)
    links = f.binder_link_tensions(rollers, teeth, *ends, shift=shift)
    loads = f.binder_tooth_loads(rollers, teeth, *ends, shift=shift)
    if not arriving:
        links, loads = links[::-1], loads[::-1]
    tension = np.concatenate(([pull], links))
    up = np.array([np.sin(zeta), np.cos(zeta)])
    for i in range(rollers - 1):
        pulled = tension[i] * np.array([1.0, 0.0]) - tension[i + 1] * np.array([np.cos(alpha), np.sin(alpha)])
        normal = pulled @ np.array([np.cos(zeta), -np.sin(zeta)])
        assert normal == pytest.approx(loads[i] * np.cos(shift), rel=1e-12)
        assert -pulled @ up == pytest.approx((friction if arriving else -friction) * normal, rel=1e-9)
    # z = 20, zeta = 29 deg, delta = atan(0.15) = 8.531 deg: sin / sin of 37.531 or 20.469 deg and 18 deg more.
    assert tension[1] / pull == pytest.approx(0.738919 if arriving else 0.562140, abs=1e-6)


def test_two_spans_with_friction_and_its_limits():
    """The parts of both spans add, each with its own angle; too much friction leaves limits that still hold forces."""
    both = f.binder_tooth_loads(9, 20, 800.0, 300.0, 50.0, shift=0.1)
    parts = f.binder_tooth_loads(9, 20, 800.0, 50.0, 50.0, shift=0.1) + f.binder_tooth_loads(
        9, 20, 50.0, 300.0, 50.0, shift=0.1
    )
    np.testing.assert_allclose(both, parts, rtol=1e-14)
    # Beyond the pressure angle the tooth at the leaving end holds all: sin(alpha) / sin(alpha).
    np.testing.assert_allclose(f.binder_tooth_loads(5, 20, 0.0, 100.0, shift=0.6), [0, 0, 0, 0, 100.0], atol=1e-12)
    # At the arriving end nothing decays any more, and a roller is pressed on as on a drum: 2 T sin(alpha / 2).
    np.testing.assert_allclose(f.binder_link_tensions(5, 20, 100.0, 0.0, shift=1.4), 100.0, rtol=1e-12)
    drum = 2 * 100.0 * np.sin(np.pi / 20)
    np.testing.assert_allclose(f.binder_tooth_loads(5, 20, 100.0, 0.0, shift=1.4), drum, rtol=1e-12)


def test_centrifugal_tension_presses_on_no_tooth():
    density = L60["mass"] / L60["pitch"]
    centrifugal = f.centrifugal_tension(density, 2 * np.pi * 2 * f.pitch_radius(0.0889, 60))
    assert centrifugal == pytest.approx(3856.8, rel=1e-3)
    np.testing.assert_allclose(f.binder_tooth_loads(20, 60, centrifugal, centrifugal, centrifugal), 0.0, atol=1e-9)
    np.testing.assert_allclose(f.binder_link_tensions(20, 60, centrifugal, centrifugal, centrifugal), centrifugal)
    loads = f.binder_tooth_loads(33, 60, 19e3, 19e3, centrifugal)
    np.testing.assert_allclose(loads, loads[::-1], rtol=1e-12)
    np.testing.assert_allclose(loads[:3] / 1e3, [2.5, 2.2, 1.9], atol=0.06)  # compared with the thesis' figure


def test_capstan():
    assert f.capstan_ratio(0.3, np.pi) == pytest.approx(2.566332, abs=1e-6)
    assert f.capstan_ratio(0.1, np.pi, np.radians(11.0)) == pytest.approx(5.18858, abs=5e-6)


@pytest.mark.parametrize(
    ("teeth_1", "teeth_2", "expected"),
    [(52, 11, 0.99019), (52, 15, 0.99235), (52, 21, 0.99405), (15, 15, 0.98813), (53, 11, 0.99022), (53, 13, 0.99147)],
)
def test_joint_friction_efficiency(teeth_1, teeth_2, expected):
    assert f.joint_friction_efficiency(0.1, 3.6, 12.7, teeth_1, teeth_2) == pytest.approx(expected, abs=5e-6)


@pytest.mark.parametrize(
    ("teeth", "drop", "fluctuation", "rise", "harmonic"),
    [
        (9, 6.0307, 6.1550, 0.08816, 2.5000),
        (15, 2.1852, 2.2013, 0.05255, 0.8929),
        (23, 0.9314, 0.9343, 0.03420, 0.3788),
        (30, 0.5478, 0.5488, 0.02620, 0.2225),
        (64, 0.1205, 0.1205, 0.01227, 0.0488),
    ],
)
def test_polygon_table(teeth, drop, fluctuation, rise, harmonic):
    assert 100 * f.polygon_speed_drop(teeth) == pytest.approx(drop, abs=6e-5)
    assert 100 * f.polygon_speed_fluctuation(teeth) == pytest.approx(fluctuation, abs=6e-5)
    assert f.polygon_rise(teeth) == pytest.approx(rise, abs=6e-6)
    assert 100 * f.polygon_harmonic(teeth) == pytest.approx(harmonic, abs=6e-5)


def test_polygon_spectrum_is_that_of_the_chordal_speed():
    # Rectangle rule on 4096 points per tooth: aliasing leaves errors of about (k / 4096)^2.
    teeth, points = 11, 4096
    theta = (np.arange(points) + 0.5) / points * 2 * np.pi / teeth - np.pi / teeth
    speed = np.cos(theta)
    amplitudes = 2 * np.abs(np.fft.rfft(speed)) / points / speed.mean()
    np.testing.assert_allclose(f.polygon_harmonic(teeth, np.arange(1, 6)), amplitudes[1:6], rtol=1e-5)
    # largest acceleration of the span: w^2 R sin(pi / z)
    assert f.polygon_acceleration(3.0, 0.1) == pytest.approx(9.0 * f.pitch_radius(0.1, teeth) * np.sin(np.pi / teeth))


def test_free_polygon_and_free_loop():
    mass, pitch, speed, links = 0.2, 0.0127, 50.0, 24
    radius = f.pitch_radius(pitch, links)
    tension = f.free_polygon_tension(mass, pitch, speed, links)
    assert 2 * tension * np.sin(np.pi / links) == pytest.approx(mass * speed**2 * radius, rel=1e-13)
    assert tension == pytest.approx(f.centrifugal_tension(mass / pitch, speed * radius), rel=1e-13)


def test_sags():
    assert f.parabola_sag(0.5, 0.69, 100.0, 9.81) == pytest.approx(2.11528e-3, abs=5e-9)
    assert f.catenary_sag(0.5, 0.69, 100.0, 9.81) == pytest.approx(2.11533e-3, abs=5e-9)


def test_hanging_chain():
    angular = f.hanging_chain_frequencies(1.0, 4, 1.0)
    np.testing.assert_allclose(angular, [1.202413, 2.760039, 4.326864, 5.895767], atol=5e-7)


def test_meshing_impact_speed_from_positions():
    # The link about to be seated lies along the span, which here runs parallel to itself with the speed of the roller
    # seated last; its roller's speed relative to the seat is the seat's own rotation about that roller: w P.
    teeth, pitch, speed = 17, 0.0127, 100.0
    radius = f.pitch_radius(pitch, teeth)
    seats = [radius * np.exp(1j * (np.pi / 2 - k * 2 * np.pi / teeth)) for k in (0, 1)]
    relative = 1j * speed * (seats[0] - seats[1])
    assert abs(relative) == pytest.approx(speed * pitch, rel=1e-12)
    gamma = 0.3
    assert f.meshing_impact_speed(speed, teeth, pitch, gamma) == pytest.approx(
        abs(relative) * np.sin(2 * np.pi / teeth + gamma)
    )


def test_four_bar_parallelogram():
    motion = tight_span_kinematics(15, 15, 30.0)
    np.testing.assert_allclose(motion.ratio, 1.0, atol=1e-12)
    np.testing.assert_allclose(motion.driven_angle, motion.driver_angle, atol=1e-12)


def test_four_bar_half_pitch():
    # Published table: 0.978136, 1.022323; bounds cos(pi / 15) and its inverse in the limit of a long span. One sample
    # of 2000 per tooth is 2.1e-4 rad, where the ratio changes by 2 tan(pi / 15) 2.1e-4 = 9e-5 at most.
    motion = tight_span_kinematics(15, 15, 30.5)
    half = np.pi / 15
    assert motion.ratio.min() == pytest.approx(np.cos(half), abs=9e-5)
    assert motion.ratio.max() == pytest.approx(1 / np.cos(half), abs=9e-5)
    assert 100 * motion.ripple == pytest.approx(4.4188, abs=0.01)


@pytest.mark.parametrize(
    ("teeth_1", "teeth_2", "tangent"), [(15, 15, 30.5), (19, 57, 40.3), (45, 15, 12.0), (9, 11, 4.7)]
)
def test_four_bar_ratio_is_the_derivative_of_the_angle(teeth_1, teeth_2, tangent):
    motion = tight_span_kinematics(teeth_1, teeth_2, tangent)
    step = motion.driver_angle[1]
    # over one tooth of the driver the driven wheel turns one tooth
    mean = (motion.driven_angle[-1] - motion.driven_angle[0] + motion.ratio[-1] * teeth_1 / teeth_2 * step) / (
        2 * np.pi / teeth_2
    )
    assert mean == pytest.approx(1.0, abs=1e-5)
    slope = (motion.driven_angle[2:] - motion.driven_angle[:-2]) / (2 * step) * teeth_2 / teeth_1
    same = (motion.links[2:] == motion.links[:-2]) & (np.abs(np.diff(motion.ratio, 2)) < 1e-5)
    assert same.mean() > 0.95
    np.testing.assert_allclose(slope[same], motion.ratio[1:-1][same], atol=2e-6)


def test_four_bar_needs_a_span():
    with pytest.raises(ValueError, match="at least two pitches"):
        tight_span_kinematics(15, 15, 1.5)
