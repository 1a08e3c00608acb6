"""A drive without a prescribed motion: its file, its driver, direction and speed."""

from __future__ import annotations

import pytest

from chaindrive.errors import InputError
from chaindrive.mechanism.balance import balance_speed, net_torque
from chaindrive.mechanism.facts import drive_facts
from chaindrive.model import Drive, TorqueOverSpeed, TorqueOverTime, driving_torque, load, loads, override

CURVE = {"over": "speed", "speeds": [0, "700 rpm", "750 rpm"], "torques": ["20 N*m", "18 N*m", 0]}
COURSE = {"over": "time", "times": [0, "0.5 s", 1], "torques": [0, "12 N*m", "12 N*m"]}
RPM = 3.14159265358979 / 30.0


def drive(motor, load=None, **changes):
    """A motor of 20 teeth and a wheel of 40; fields of both in tables."""
    wheels = [
        {"name": "motor", "teeth": 20, "position": (0, 0), "tooth": {"form": "iso-606"}, "inertia": 0.01} | motor,
        {"name": "load", "teeth": 40, "position": (0.5, 0), "tooth": {"form": "iso-606"}, "inertia": 0.1}
        | (load or {}),
    ]
    chain = {"standard": "08B-1", "links": 110}
    return Drive(**{"name": "d", "chain": chain, "contact": {"stiffness": 1e9}, "wheels": wheels} | changes)


@pytest.mark.parametrize("torque", ["12 N*m", CURVE, COURSE])
def test_a_torque_round_trips(torque, tmp_path):
    made = drive({"torque": torque, "initial_speed": "-90 rpm"})
    assert loads(str(made)) == made
    file = tmp_path / "drive.toml"
    file.write_text(str(made), encoding="utf-8")
    assert load(file) == made
    assert Drive.from_dict(made.to_dict()) == made


def test_tables_are_models_of_their_own():
    made = drive({"torque": CURVE}).wheels[0].torque
    assert isinstance(made, TorqueOverSpeed)
    assert made == TorqueOverSpeed(speeds=(0, "700 rpm", "750 rpm"), torques=(20, 18, 0))
    assert made.speeds[1] == pytest.approx(700 * RPM)
    assert drive({"torque": COURSE}).wheels[0].torque == TorqueOverTime(times=(0, 0.5, 1), torques=(0, 12, 12))


def test_a_table_can_be_changed_by_its_path():
    changed = override(drive({"torque": CURVE}), {"wheels.0.torque.torques": ["30 N*m", 18, 0]})
    assert changed.wheels[0].torque.torques == (30.0, 18.0, 0.0)
    assert override(changed, {"wheels.motor.torque": "3 N*m"}).wheels[0].torque == 3.0


@pytest.mark.parametrize(
    ("torque", "place", "says"),
    [
        ({**CURVE, "over": "tim"}, ".over", "must be one of 'time', 'speed', 'angle'; did you mean 'time'?"),
        ({"times": [0, 1], "torques": [1, 2]}, ".over", "is missing: one of 'time', 'speed', 'angle'"),
        ({**COURSE, "times": [0, 1, 1]}, ".times", "must increase, but times[2] = 1 follows 1"),
        ({**COURSE, "times": [0, 1, "-1 s"]}, ".times[2]", "must be a time"),
        ({**CURVE, "speeds": [0, 1]}, ".torques", "must have 2 entries, one for each of the speeds, not 3"),
        ({**CURVE, "torques": [1, 2, "3 kg"]}, ".torques[2]", "is a mass; give a torque"),
        ({"over": "time", "times": [0], "torques": [1]}, ".times", "needs at least 2, but there is one"),
        ({**COURSE, "speeds": [1]}, ".speeds", "applies to over = 'speed', not to 'time'"),
        ({"over": "speed", "torques": [1, 2]}, ".speeds", "is missing: increasing angular speeds"),
        ("3 kg", "", "is a mass; give a torque"),
        ([[1, 2]], "[0]", "must be a torque such as '50 N*m', not a list"),
        (["2 N*m", "3 m"], "[1]", "is a length; give a torque"),
        (True, "", "must be a torque"),
    ],
)
def test_torques_that_are_wrong(torque, place, says):
    with pytest.raises(InputError) as error:
        drive({"torque": torque})
    assert any(p.place == f"wheels[0].torque{place}" and says in p.message for p in error.value.problems)


def test_a_list_of_plain_torques_acts_as_their_sum():
    several = drive({"torque": ["2 N*m", "3 N*m"]})
    assert several.wheels[0].torque == (2.0, 3.0)
    assert driving_torque(several.wheels[0].torque) == driving_torque(drive({"torque": "5 N*m"}).wheels[0].torque)
    assert loads(several.to_toml()) == several


MOTION = {"kind": "constant_speed", "speed": "90 rpm"}


@pytest.mark.parametrize(
    ("motor", "load", "place", "says"),
    [
        ({"initial_speed": 0}, {}, "wheels[0].initial_speed", "must not be 0"),
        (
            {"initial_speed": 9, "motion": MOTION},
            {},
            "wheels[0].initial_speed",
            "the wheel has a motion, which sets the speed at the start",
        ),
        ({"initial_speed": 9}, {"motion": MOTION}, "wheels[0].initial_speed", "wheels[1] 'load' has a motion"),
        (
            {"initial_speed": 9},
            {"initial_speed": 9},
            "wheels[1].initial_speed",
            "contradicts that of wheels[0] 'motor'",
        ),
        ({"initial_speed": 9}, {"initial_speed": -4.5}, "wheels[1].initial_speed", "180 rad/s there, -180 rad/s here"),
        ({}, {}, "wheels", "nothing drives the chain: at least one wheel needs a motion"),
        ({"torque": {**COURSE, "torques": [0, 0, 0]}}, {"load_torque": 3}, "wheels", "nothing drives"),
        ({"torque": 3, "inertia": None}, {}, "wheels[0].inertia", "is missing: the wheel turns freely"),
    ],
)
def test_drives_that_nothing_starts(motor, load, place, says):
    with pytest.raises(InputError) as error:
        drive(motor, load)
    assert any(p.place == place and says in p.message for p in error.value.problems)


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_what_a_curve_drives_with(sign):
    """It drives where torque and speed have the same sense, and at standstill; the larger braking torque beyond no load
    does not count.
    """

    def curve(speeds, torques):
        points = sorted((sign * w, sign * m) for w, m in zip(speeds, torques, strict=True))
        return TorqueOverSpeed(speeds=[w for w, _ in points], torques=[m for _, m in points])

    assert driving_torque(curve([0, 70, 100, 130], [20, 25, 0, -60])) == sign * 25.0
    assert driving_torque(curve([-40, 40], [8, 0])) == sign * 4.0  # at standstill
    assert driving_torque(curve([10, 20], [5, 0])) == sign * 5.0
    assert driving_torque(curve([-20, -10], [0, 5])) == sign * 5.0  # as at its end, up to standstill
    assert driving_torque(curve([-10, 10], [3, -3])) == 0.0  # a brake
    made = drive({"torque": curve([0, 70, 100, 130], [20, 25, 0, -60])}, {"load_torque": 10})
    assert drive_facts(made).senses.tolist() == [sign, sign]
    with pytest.raises(InputError, match="nothing drives"):
        drive({"torque": curve([-10, 10], [3, -3])})


def test_initial_speeds_that_agree_in_the_speed_of_the_chain():
    assert drive_facts(drive({"initial_speed": 9}, {"initial_speed": 4.5})).driver == 0


@pytest.mark.parametrize(
    ("motor", "load", "which", "senses", "puts_in"),
    [
        ({"torque": 12}, {}, 0, [1, 1], (True, False)),
        ({"torque": -12}, {}, 0, [-1, -1], (True, False)),
        ({"torque": -12}, {"initial_speed": 3}, 1, [1, 1], (False, False)),  # it brakes
        ({"torque": 12}, {"torque": 20}, 0, [1, 1], (True, True)),  # 0.6 per tooth against 0.5
        ({"torque": 12}, {"torque": -20}, 0, [1, 1], (True, False)),  # a winch
        ({"torque": 12}, {"torque": -30}, 1, [-1, -1], (False, True)),  # a winch that runs down
        ({"torque": 12, "initial_speed": 2}, {"torque": -30}, 0, [1, 1], (True, False)),
        ({"torque": {**COURSE, "torques": [0, -12, 4]}}, {}, 0, [-1, -1], (True, False)),
        ({"motion": MOTION}, {"torque": 20}, 0, [1, 1], (False, False)),
        ({"torque": 12}, {"side": "front", "load_torque": 4}, 0, [1, 1], (True, False)),
    ],
)
def test_which_wheel_drives_and_which_way(motor, load, which, senses, puts_in):
    made = drive(motor, load)
    assert drive_facts(made).driver == which
    assert drive_facts(made).senses.tolist() == senses
    assert drive_facts(made).direction == senses[0]
    assert drive_facts(made).motors == puts_in


def test_speeds_of_a_drive_that_a_curve_drives():
    """18 N m at 700 rpm falls to 0 at 750 rpm; a load of 18 N m is 9 N m at the motor's shaft: 725 rpm."""
    made = drive({"torque": CURVE}, {"load_torque": 18})
    assert drive_facts(made).nominal_speed == pytest.approx(725 * RPM, rel=1e-12)
    assert drive_facts(override(made, {"run.until": "steady"})).highest_speed == drive_facts(made).nominal_speed
    assert drive_facts(override(made, {"run.until": 9.0})).highest_speed == drive_facts(made).nominal_speed
    assert drive_facts(made).chain_speeds == pytest.approx((725 * RPM * 20 * 0.0127 / (2 * 3.14159265358979),) * 2)
    clockwise = {"over": "speed", "speeds": ["-750 rpm", "-700 rpm", 0], "torques": [0, -18, -20]}
    turned = drive({"torque": clockwise}, {"load_torque": 18})
    assert drive_facts(turned).nominal_speed == pytest.approx(725 * RPM, rel=1e-12)
    assert drive_facts(drive({"torque": CURVE, "initial_speed": "-30 rpm"})).nominal_speed == pytest.approx(30 * RPM)


@pytest.mark.parametrize(
    ("motor", "load", "speed"),
    [
        ({"torque": 12}, {"load_viscous": 0.3, "load_quadratic": 0.02}, None),
        ({"torque": 12, "bearing_damping": 0.02, "bearing_friction": 1.5}, {"load_torque": 4}, (12 - 1.5 - 2) / 0.02),
        ({"torque": COURSE}, {"load_viscous": 0.4}, 12 / 0.1),  # the last torque of a course in time
        ({"torque": CURVE}, {"torque": -36}, 700 * RPM),
    ],
)
def test_balance_in_closed_form(motor, load, speed):
    made = drive(motor, load)
    found = drive_facts(made).nominal_speed
    if speed is None:  # 12 = 0.3/4 w + 0.02/8 w^2
        speed = (-0.075 + (0.075**2 + 4 * 0.0025 * 12) ** 0.5) / (2 * 0.0025)
    assert found == pytest.approx(speed, rel=1e-10)
    assert net_torque(drive_facts(made).shafts, found) == pytest.approx(0.0, abs=1e-9)


def test_a_speed_that_cannot_be_reached_is_not_reckoned_with():
    """A little friction alone balances 12 N m at 12000 rad/s; until the run ends it reaches M t / J at most."""
    made = drive({"torque": 12, "bearing_damping": 0.001}, run={"until": 0.2})
    inertia = 0.01 + 0.1 / 4
    assert drive_facts(made).nominal_speed == pytest.approx(12000.0)
    assert drive_facts(made).highest_speed == pytest.approx(12 / inertia * 0.2)
    lossless = drive({"torque": 12}, run={"until": 0.2})  # no balance: what it has after a revolution from rest
    assert drive_facts(lossless).highest_speed == pytest.approx((2 * 12 / inertia * 2 * 3.14159265358979) ** 0.5)
    assert drive_facts(lossless).nominal_speed is None
    assert drive_facts(lossless).chain_speeds == (0.0, 0.0)


def test_the_largest_of_several_balances():
    """A curve with a dip: balances at 20 (unstable below), and at 90 rad/s; a load above all of it has none."""
    dip = {"over": "speed", "speeds": [0, 20, 40, 60, 100], "torques": [4, 8, 8, 14, 0]}
    made = drive({"torque": dip}, {"load_torque": 20})
    assert balance_speed(drive_facts(made).shafts) == pytest.approx(60 + 40 * 4 / 14, rel=1e-12)
    assert balance_speed(drive_facts(drive({"torque": dip}, {"load_torque": 29})).shafts) is None
    assert balance_speed(drive_facts(drive({"torque": 5}, {"load_torque": 9})).shafts) is None  # speeds up for ever
    assert (
        drive_facts(drive({"torque": CURVE}, {"torque": 2})).nominal_speed is None
    )  # the curve ends at 0, and 2 N m go on driving
    fan = drive({"torque": {**dip, "torques": [0, 0, 0, 5, 5]}}, {"load_quadratic": 0.002})
    assert balance_speed(drive_facts(fan).shafts) == pytest.approx((5 / 0.00025) ** 0.5, rel=1e-12)
