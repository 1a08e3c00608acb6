"""Ratings, fatigue and wear as formulas: tables of makers and standards, closed-form solutions, scaling."""

from __future__ import annotations

import math

import numpy as np
import pytest

from chaindrive.analyses.analytical import fatigue, rating
from chaindrive.analyses.analytical.fatigue import Woehler
from chaindrive.analyses.analytical.limits import chain_limits
from chaindrive.model import Chain, Limits, example

RPM = math.pi / 30.0
HORSEPOWER = 745.69987
INCH = 0.0254
LINE = Woehler(strength=2000.0, knee=3e6, exponent=5.0, exponent_below=9.0)

# Shigley, table 17-20: rated horsepower of one strand, 17 teeth, plates govern
SHIGLEY = [
    (40, 50, 0.37), (40, 100, 0.69), (40, 200, 1.29), (40, 500, 2.93), (40, 1000, 5.48),
    (60, 50, 1.24), (60, 100, 2.31), (60, 200, 4.30), (60, 500, 9.81), (60, 1000, 18.31),
    (80, 50, 2.88), (80, 100, 5.38), (80, 200, 10.0), (80, 500, 22.9),
]  # fmt: skip


@pytest.mark.parametrize(("number", "rpm", "horsepower"), SHIGLEY)
def test_rating_is_that_of_the_table(number, rpm, horsepower):
    chain = Chain(standard=str(number), links=100)
    found = rating.wheel_rating(chain, 17, rpm * RPM)
    assert min(found) == found[0] or rpm > 900
    assert min(found) / HORSEPOWER == pytest.approx(horsepower, rel=0.015)


def test_bhandari_example_14_7():
    """10A at 1400 rpm, 17 teeth: 11.67 kW, which is the envelope of rollers and bushes."""
    assert rating.roller_bush_power(17, 1400 * RPM, 0.625 * INCH) == pytest.approx(11.67e3, rel=0.005)


@pytest.mark.parametrize(("number", "rpm"), [(40, 1773), (60, 1227), (80, 949)])
def test_where_the_envelopes_cross(number, rpm):
    pitch = number / 80 * INCH
    below, above = (
        rating.plate_power(17, n * RPM, pitch) - rating.roller_bush_power(17, n * RPM, pitch)
        for n in (rpm - 1, rpm + 1)
    )
    assert below < 0.0 < above


@pytest.mark.parametrize("rpm", [200.0, 1400.0, 3000.0])
def test_metric_forms_agree(rpm):
    """GB/T 18150 (ISO 10823) prints 0.003 z^1.08 n^0.9 (p / 25.4)^(3 - 0.0028 p) and 950 z^1.5 p^0.8 / n^1.5 kW."""
    teeth, pitch = 19, 19.05
    plates = 0.003 * teeth**1.08 * rpm**0.9 * (pitch / 25.4) ** (3.0 - 0.0028 * pitch)
    rollers = 950.0 * teeth**1.5 * pitch**0.8 / rpm**1.5
    assert rating.plate_power(teeth, rpm * RPM, 1e-3 * pitch) == pytest.approx(1e3 * plates, rel=0.01)
    assert rating.roller_bush_power(teeth, rpm * RPM, 1e-3 * pitch) == pytest.approx(1e3 * rollers, rel=0.01)


def test_galling_is_shigleys_speed():
    """Eq. 17-40: at the tension that the power means the speed is 1000 (82.5 / (7.95^p 1.0278^z 1.323^F/1000))^1/s."""
    teeth, inches, rpm = 21, 0.75, 2500.0
    power = rating.galling_power(teeth, rpm * RPM, inches * INCH)
    pounds = power / HORSEPOWER * 396_000.0 / (teeth * inches * rpm)
    slope = 1.59 * math.log10(inches) + 1.873
    most = 1000.0 * (82.5 / (7.95**inches * 1.0278**teeth * 1.323 ** (pounds / 1000.0))) ** (1.0 / slope)
    assert most == pytest.approx(rpm, rel=1e-9)
    assert rating.galling_power(17, 9000 * RPM, 0.5 * INCH) == 0.0


def test_scaling_of_the_envelopes():
    base = {"teeth": 19, "speed": 60.0, "pitch": 0.0127}
    assert rating.plate_power(38, 60.0, 0.0127) == pytest.approx(2**1.08 * rating.plate_power(**base))
    assert rating.plate_power(19, 120.0, 0.0127) == pytest.approx(2**0.9 * rating.plate_power(**base))
    assert rating.roller_bush_power(19, 120.0, 0.0127) == pytest.approx(2**-1.5 * rating.roller_bush_power(**base))
    assert rating.roller_bush_power(19, 0.0, 0.0127) == math.inf
    assert rating.tooth_factor(19) == 1.0
    assert rating.tooth_factor(17) / rating.tooth_factor(21) == pytest.approx(
        rating.plate_power(21, 60.0, 0.0127) / rating.plate_power(17, 60.0, 0.0127)
    )


def test_the_b_series_is_rated_by_its_own_plates():
    """12B has two thirds of the dynamic strength of 12A on the same pitch: so is its rating, with the same rollers."""
    a, b = (Chain(standard=name, links=100) for name in ("12A-1", "12B-1"))
    of_a = rating.wheel_rating(a, 19, 20.0)
    of_b = rating.wheel_rating(b, 19, 20.0, 3720.0)
    assert of_b[0] / of_a[0] == pytest.approx(3720.0 / 5490.0, rel=0.01)
    assert of_b[1:] == of_a[1:]
    two = rating.wheel_rating(Chain(standard="12A-2", links=100), 19, 20.0)
    assert np.allclose(np.array(two) / of_a, 1.7)


@pytest.mark.parametrize(
    ("standard", "strength", "told"),
    [
        ("LH0822", 1e4, "leaf"),
        ("64B-1", 1e5, "101.6 mm"),
        ("520", None, "limits.dynamic_strength"),
        ("520", 1e4, ""),
        ("12A-1", None, ""),
    ],
)
def test_why_a_chain_is_not_rated(standard, strength, told):
    """Advice on the dynamic strength only where it helps."""
    reason = rating.not_rated(Chain(standard=standard, links=100), strength)
    assert told in reason
    assert bool(reason) == bool(told)
    assert ("limits.dynamic_strength" in reason) == (told == "limits.dynamic_strength")


@pytest.mark.parametrize("chain", [{"standard": "bicycle-11"}, {"standard": "LH0822"}, {"standard": "520"}])
def test_no_rating_for_others(chain):
    assert rating.rating_class(Chain(links=100, **chain)) is None
    assert all(map(math.isnan, rating.wheel_rating(Chain(links=100, **chain), 17, 50.0)))


def test_classes():
    assert rating.rating_class(Chain(standard="25", links=100)) == "bush"
    assert rating.rating_class(Chain(standard="41", links=100)) == "light"
    assert rating.rating_class(Chain(standard="56B-1", links=100), 88.9e3) is None  # beyond what ANSI rates
    own = Chain(pitch=0.0127, roller_diameter=0.0085, link_mass=0.01, link_stiffness=1e7, links=100)
    assert rating.rating_class(own) is None
    assert rating.rating_class(own, 2500.0) == "standard"


# --- plates ----------------------------------------------------------------------------------------------------------


def test_goodman_by_hand():
    """Range 1000 N about 1500 N, breaking load 10 kN: amplitude 500, mean 1500, so amplitude 500 / (1 - 0.15) without
    mean; half of a range from zero R has mean R / 2 and amplitude R / 2: R / 2 / (1 - R / 20000) is the same."""
    found = fatigue.pulsating_range(1000.0, 1000.0, 10e3)
    assert found == pytest.approx(1000.0 * 10e3 / 9e3)
    assert found / 2.0 / (1.0 - found / 2.0 / 10e3) == pytest.approx(500.0 / (1.0 - 0.15))
    assert fatigue.plain_range(found, 1000.0, 10e3) == pytest.approx(1000.0)


def test_goodman_at_its_ends():
    assert fatigue.pulsating_range(700.0, 0.0, 5e3) == 700.0
    assert fatigue.pulsating_range(700.0, -300.0, 5e3) == 700.0  # a link bears no pressure
    assert fatigue.pulsating_range(700.0, 5e3, 5e3) == math.inf
    np.testing.assert_allclose(fatigue.pulsating_range(np.array([1.0, 2.0]), np.array([0.0, 50.0]), 100.0), [1.0, 4.0])


def test_conformance_test_endures_three_million_cycles():
    """ISO 606, annex D: the test from 2 % of the breaking load to F_max is at the dynamic strength."""
    load, strength = 18e3, 2480.0
    least = 0.02 * load
    most = fatigue.conformance_force(strength, least, load)
    pulsating = fatigue.pulsating_range(most - least, least, load)
    assert pulsating == pytest.approx(strength)
    assert fatigue.cycles_to_failure([pulsating], LINE._replace(strength=strength))[0] == pytest.approx(3e6)


def test_basquin_by_hand():
    assert fatigue.cycles_to_failure([4000.0], LINE)[0] == pytest.approx(3e6 / 2**5)
    assert fatigue.cycles_to_failure([1000.0], LINE)[0] == pytest.approx(3e6 * 2**9)
    assert fatigue.cycles_to_failure([0.0], LINE)[0] == math.inf
    assert fatigue.cycles_to_failure([math.inf], LINE)[0] == 0.0
    for cycles in (1e3, 3e6, 1e9):
        assert fatigue.cycles_to_failure([fatigue.endurable_range(cycles, LINE)], LINE)[0] == pytest.approx(cycles)


def test_miner_by_hand():
    """Half of the life at one range and a quarter at another make three quarters."""
    endured = fatigue.cycles_to_failure([3000.0, 1500.0], LINE)
    assert fatigue.damage([3000.0, 1500.0], [0.5 * endured[0], 0.25 * endured[1]], LINE) == pytest.approx(0.75)
    assert fatigue.damage([], [], LINE) == 0.0
    assert fatigue.damage([math.inf], [0.5], LINE) == math.inf


# --- rollers, joints -------------------------------------------------------------------------------------------------


def test_rollers_last_as_rated_at_the_rated_power():
    assert fatigue.roller_bush_life(5e3, 5e3, 100) == rating.RATED_LIFE == 15_000 * 3600
    assert fatigue.roller_bush_life(5e3, 5e3, 150) == pytest.approx(1.5 * rating.RATED_LIFE)
    assert fatigue.roller_bush_life(10e3, 5e3, 100) == pytest.approx(rating.RATED_LIFE / 2**2.5)
    assert fatigue.roller_bush_life(0.0, 5e3, 100) == math.inf


def test_wear_by_hand():
    """20 and 40 teeth, 1 kN before the one and behind the other; pin 4 mm, area 50 mm^2."""
    depth = fatigue.wear_per_loop(4e-3, 50e-6, [20, 40], [1000.0, 0.0], [0.0, 1000.0], 1e-15)
    pressure, path = 1000.0 / 50e-6, 2e-3 * 2.0 * math.pi * (1 / 20 + 1 / 40)
    assert depth == pytest.approx(1e-15 * pressure * path)
    assert fatigue.wear_per_loop(4e-3, 50e-6, [20], [-5.0], [-5.0], 1e-15) == 0.0
    assert fatigue.wear_life(0.03, 12.7e-3, depth, 2.0) == pytest.approx(0.03 * 12.7e-3 / depth * 2.0)
    assert fatigue.wear_life(0.03, 12.7e-3, 0.0, 2.0) == math.inf
    assert fatigue.bearing_pressure(1000.0, 50e-6) == pytest.approx(20e6)


@pytest.mark.parametrize("speed", [0.5, 2.0, 8.0])
def test_the_rated_drive_wears_three_per_cent_in_its_life(speed):
    """Basis of the coefficient: 19 and 57 teeth, 120 links, rated power."""
    chain = Chain(standard="08A-1", links=120)
    coefficient = fatigue.rated_wear_coefficient(chain, 3.96e-3, 44.2e-6, speed)
    pull = min(rating.wheel_rating(chain, 19, 2.0 * math.pi * speed / (19 * chain.pitch))) / speed
    depth = fatigue.wear_per_loop(3.96e-3, 44.2e-6, [19, 57], [pull, 0.0], [0.0, pull], coefficient)
    loop = 120 * chain.pitch / speed
    assert fatigue.wear_life(0.03, chain.pitch, depth, loop) == pytest.approx(15_000 * 3600.0)
    assert 1e-18 < coefficient < 1e-14  # lubricated steel in boundary friction: 1e-17 to 1e-15 m^2/N


# --- limits ----------------------------------------------------------------------------------------------------------


def _with(**limits):
    return example("industrial-08b").model_copy(update={"limits": Limits(**limits)})


def test_limits_from_the_catalogue():
    found = chain_limits(example("industrial-08b"), 5.0)
    assert found.dynamic_strength.value == 2480.0
    assert "unverified" in found.dynamic_strength.source
    assert found.bearing_area.value == pytest.approx(4.45e-3 * 11.30e-3)
    assert found.tension == (None, "", "limits.tension")
    assert found.life.key == "limits.life"
    assert found.wear_coefficient.source.startswith("estimated")
    assert found.woehler == Woehler(2480.0, 3e6, 5.0, 9.0)
    assert chain_limits(example("industrial-08b")).wear_coefficient.value is None  # no speed told


def test_limits_given_come_first():
    found = chain_limits(_with(dynamic_strength=3000.0, woehler_exponent=7.0, bearing_area="60 mm^2", elongation="2 %"))
    assert found.dynamic_strength == (3000.0, "given: limits.dynamic_strength", "limits.dynamic_strength")
    assert found.woehler == Woehler(3000.0, 3e6, 7.0, 13.0)
    assert found.bearing_area.value == pytest.approx(60e-6)
    assert found.elongation.value == pytest.approx(0.02)
    assert chain_limits(_with(woehler_exponent_below=1000.0)).woehler_exponent_below == 1000.0


def test_an_elongation_that_the_teeth_do_not_accept_is_said():
    """The tips of 57 teeth are 2.6 % outside the pitch circle, and the largest teeth of industrial-08b 3.6 %."""
    told = chain_limits(example("press-12b")).elongation
    assert told.value == 0.03
    assert "cylinder accept only 2.63 %" in told.source
    assert "accept" not in chain_limits(example("industrial-08b")).elongation.source


def test_elongation_of_large_wheels():
    """200 % over the teeth: 2 % with 100 teeth, and never more than 3 %."""
    drive = example("industrial-08b")
    assert chain_limits(drive).elongation.value == 0.03
    large = drive.wheels[1].model_copy(update={"teeth": 100})
    wide = drive.model_copy(update={"wheels": (drive.wheels[0], large)})
    assert chain_limits(wide).elongation.value == pytest.approx(0.02)


def test_a_chain_by_its_values_has_an_estimated_area_and_no_dynamic_strength():
    found = chain_limits(example("6l60mc"))
    assert found.dynamic_strength.value is None
    assert found.woehler is None
    assert found.bearing_area.source.startswith("estimated")


def test_ratings_of_a_drive():
    """Load torque times speed over the driven wheel and the driver; the smaller wheel is nearer to its rating."""
    drive = example("industrial-08b")
    speed = drive.wheels[0].motion.speed
    motor, conveyor = rating.wheel_ratings(drive, abs(speed) / (2.0 * math.pi) * drive.wheels[0].teeth)
    assert motor.power == pytest.approx(conveyor.power)
    assert motor.power == pytest.approx(40.0 * abs(speed) * 17 / 38, rel=0.05)
    assert motor.used > conveyor.used
    assert motor.governing == "plates"
    assert motor.selection_power == pytest.approx(motor.power * (19 / 17) ** 1.08)
    doubled = rating.wheel_ratings(_with(application_factor=2.0), 100.0)[0]
    assert doubled.used == pytest.approx(2.0 * rating.wheel_ratings(drive, 100.0)[0].used)
