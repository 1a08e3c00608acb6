"""Deviation of the speed of a wheel from its mean ratio, of speeds that are known."""

import numpy as np
import pytest

from chaindrive.analyses.signals.ratio import speed_ratio
from chaindrive.errors import InputError
from chaindrive.mechanism.facts import drive_facts
from chaindrive.model import example
from support.signals_of_known_answer import made_up

TIME = np.arange(4001) / 2000.0
SPEED = 2 * np.pi * 5.0
"""Magnitude of the speed of the driver: ten revolutions per second. [rad/s]"""


@pytest.fixture(scope="module")
def drive():
    return example("6s90mc-c")  # its tightener is a wheel on the back of the chain


def speeds_of(drive, course, ripple):
    """Speeds of all wheels in the ratio of their teeth, the driven ones with a ripple at their own speed."""
    teeth, first = np.array([wheel.teeth for wheel in drive.wheels]), drive_facts(drive).driver
    own = np.outer(course, teeth[first] / teeth) * drive_facts(drive).senses
    for w in range(len(teeth)):
        own[:, w] *= 1.0 if w == first else 1.0 + ripple
    return made_up(drive, TIME, wheel_speed=own)


def test_a_ripple_is_found_on_both_sides_of_the_chain(drive):
    """w = w_d z_d / z (1 + a sin(5 phi)): over whole periods the mean ratio is that of the teeth."""
    ripple = 0.02 * np.sin(5 * SPEED * TIME)
    run = speeds_of(drive, np.full(TIME.size, SPEED), ripple)
    found = [speed_ratio(run, w, start=0.0, stop=2.0) for w in (1, 2, 3)]
    back = [w for w, wheel in enumerate(drive.wheels) if wheel.side == "back"]
    assert back
    assert {each.wheel for each in found} >= set(back)
    for each in found:
        assert each.mean == pytest.approx(each.teeth, rel=1e-9)
        np.testing.assert_allclose(each.relative, ripple, atol=1e-9)
        np.testing.assert_allclose(each.absolute, SPEED * each.teeth * ripple, atol=1e-7)
        assert each.absolute.mean() == pytest.approx(0.0, abs=1e-3)


def test_a_wheel_that_lost_teeth_is_measured_from_its_own_mean(drive):
    """The first half at the ratio of the teeth, the second 1 % slower: half a per cent up, half down."""
    slower = np.where(TIME < 1.0, 0.0, -0.01)
    found = speed_ratio(speeds_of(drive, np.full(TIME.size, SPEED), slower), 1, start=0.0, stop=2.0)
    assert found.mean / found.teeth == pytest.approx(0.995, abs=1e-5)
    assert found.relative[100] == pytest.approx(1.0 / 0.995 - 1.0, abs=1e-5)
    assert found.relative[-100] == pytest.approx(0.99 / 0.995 - 1.0, abs=1e-5)


def test_from_rest_the_ratio_is_told_once_the_reference_turns(drive):
    found = speed_ratio(speeds_of(drive, SPEED * TIME / 2.0, np.full(TIME.size, 0.0)), 1, start=0.0, stop=2.0)
    slow = TIME < 0.01 * 2.0 - 1e-9
    assert np.isnan(found.relative[slow]).all()
    np.testing.assert_allclose(found.relative[~slow], 0.0, atol=1e-12)
    np.testing.assert_allclose(found.absolute, 0.0, atol=1e-12)


def test_what_has_no_ratio_is_refused(drive):
    forth_and_back = speeds_of(drive, SPEED * np.cos(np.pi * TIME), np.zeros(TIME.size))
    with pytest.raises(InputError, match="does not turn on average"):
        speed_ratio(forth_and_back, 1, start=0.0, stop=2.0)
    with pytest.raises(InputError, match=r"^wheel: .*reference"):
        speed_ratio(forth_and_back, drive_facts(drive).driver, start=0.0, stop=2.0)
    with pytest.raises(InputError, match="wheel_speed"):
        speed_ratio(made_up(drive, TIME, power_input=TIME), 1, start=0.0, stop=2.0)
