"""The steady state: its criteria on arrays of known answer, the watch on a made-up drive, and whole runs."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import chaindrive as cd
from chaindrive.cli.main import main
from chaindrive.contract.status import Status
from chaindrive.mechanism.facts import drive_facts
from chaindrive.model import override
from chaindrive.simulation.steady import (
    READINGS_PER_TOOTH,
    Criteria,
    Cycle,
    Reading,
    SteadyWatch,
    cycle_of,
    power_imbalance,
    streak_start,
    tension_change,
)
from support.interrupted import Stop

CYCLE = Cycle(wheel=0, teeth=10, links=25, speed=4.0 * math.pi)
"""Half a second per revolution, 2.5 revolutions per loop: a row of 5 revolutions is needed."""


@pytest.fixture(scope="module")
def drive() -> cd.Drive:
    return cd.example("industrial-08b")


# Criteria -------------------------------------------------------------------------------------------------------------


def test_power_imbalance():
    """|in - out - lost| / largest: balanced; a tenth stored; a drive driven by its load; at rest."""
    found = power_imbalance([100.0, 100.0, -50.0, 0.0], [80.0, 80.0, -60.0, 0.0], [20.0, 10.0, 10.0, 0.0])
    np.testing.assert_allclose(found, [0.0, 0.1, 0.0, 0.0], atol=1e-15)


def test_tension_change():
    """Relative to the tightest span of the later revolution, the largest over the spans."""
    found = tension_change([[100.0, 1.0], [100.0, 3.0], [200.0, 3.0]])
    assert found[0] == math.inf
    np.testing.assert_allclose(found[1:], [0.02, 0.5], rtol=1e-15)


def test_a_slack_span_does_not_hinder():
    """From 0.01 N to 0.02 N is a doubling, but negligible compared with 100 N."""
    assert tension_change([[100.0, 0.01], [100.0, 0.02]])[1] == pytest.approx(1e-4, rel=1e-9)


def test_streak_is_broken_by_a_single_revolution():
    good, bad = 0.001, 0.02
    imbalance = np.array([good, good, bad, good, good, good])
    change = np.zeros(6)
    assert streak_start(imbalance, change, Criteria(), 3) == 3
    assert streak_start(imbalance, change, Criteria(), 4) is None
    assert streak_start(imbalance[:3], change[:3], Criteria(), 1) is None
    assert streak_start(np.full(6, good), np.array([math.inf, 0, 0, 0.006, 0, 0]), Criteria(), 2) == 4


def test_row_lasts_two_loops():
    assert Criteria().needed(CYCLE) == 5
    assert Criteria().needed(CYCLE._replace(links=10)) == 3  # 2 loops are 2 revolutions: the least number rules
    assert Criteria().needed(CYCLE._replace(links=20)) == 4  # exactly


# The watch on a made-up drive -----------------------------------------------------------------------------------------


def course(time: float, settling: float) -> Reading:
    """A driver at constant speed, 100 W input, 90 W lost from the start on, the rest once it has settled; one span."""
    stored = 10.0 * min(time, settling)
    works = np.array([100.0 * time, 0.0, 100.0 * time - stored])
    return Reading(time, 1.0 + CYCLE.speed * time, CYCLE.speed, works, np.array([1000.0]))


def watched(watch: SteadyWatch, settling: float) -> float:
    """Follow the watch to its end; returns its time."""
    for _ in range(100_000):
        reading = course(watch.target, settling)
        if watch.reached(reading):
            return reading.time
    raise AssertionError("the watch never ends a run")


def test_steady_after_the_transient_and_one_loop_more():
    """Begin 0.2 s; the imbalance is 10 % until 1.7 s, the end of the third revolution. Five more are needed: 4.2 s.
    One loop of 1.25 s follows.
    """
    watch = SteadyWatch(CYCLE, 1, begin=0.2)
    assert watched(watch, settling=1.7) == pytest.approx(0.2 + 8 * 0.5 + 1.25, abs=1e-9)
    notes = watch.notes()
    assert notes["steady"] is True
    assert notes["steady_since"] == pytest.approx(1.7, abs=1e-9)
    assert notes["steady_revolutions"] == 5
    assert notes["steady_imbalance"] < 1e-12
    assert notes["loop_time"] == pytest.approx(1.25, rel=1e-12)


def test_not_steady_within_the_time_allowed():
    watch = SteadyWatch(CYCLE, 1, begin=0.0, at_most=3.2)
    assert watched(watch, settling=1e9) == pytest.approx(3.5, abs=1e-9)  # the revolution that 3.2 s falls into is ended
    assert watch.notes()["steady"] is False
    assert "steady_since" not in watch.notes()
    assert watch.notes()["steady_imbalance"] == pytest.approx(0.1, rel=1e-9)


def test_waits_for_200_revolutions_or_10_loops():
    assert SteadyWatch(CYCLE, 1, begin=1.0).at_most == pytest.approx(1.0 + 200 * 0.5, rel=1e-12)
    assert SteadyWatch(CYCLE._replace(links=1000), 1, begin=1.0).at_most == pytest.approx(1.0 + 500.0, rel=1e-12)


def test_drifting_tension_is_not_steady():
    """Power balances, but the tension rises by 1 % per revolution."""

    def drifting(time: float) -> Reading:
        return course(time, 0.0)._replace(tension=np.array([1000.0 * 1.01 ** (time / CYCLE.revolution)]))

    watch = SteadyWatch(CYCLE, 1, begin=0.0, at_most=10.0)
    while not watch.reached(drifting(watch.target)):
        pass
    assert not watch.steady
    assert watch.notes()["steady_tension_change"] == pytest.approx(0.01 / 1.01, rel=1e-6)


def test_readings_follow_the_angle_of_an_uneven_driver():
    """Speed 4 pi (1 + 0.2 sin(angle)): readings lie at equal angles, which a prediction from the last speed meets to
    second order: |change of speed| dt^2 / 2 <= 0.2 x 1.2 part^2 / 2, part = 2 pi / 40.
    """

    def turned(angle: float, wait: float) -> float:
        for _ in range(200):  # explicit midpoint
            h = wait / 200
            middle = angle + 0.5 * h * CYCLE.speed * (1.0 + 0.2 * math.sin(angle))
            angle += h * CYCLE.speed * (1.0 + 0.2 * math.sin(middle))
        return angle

    watch = SteadyWatch(CYCLE, 1, begin=0.0, at_most=2.0)
    time, angle, part, worst = 0.0, 0.0, 2.0 * math.pi / (READINGS_PER_TOOTH * CYCLE.teeth), 0.0
    count = 0
    while True:
        speed = CYCLE.speed * (1.0 + 0.2 * math.sin(angle))
        if watch.reached(Reading(time, angle, speed, np.zeros(3), np.array([1.0]))):
            break
        angle, time = turned(angle, watch.target - time), watch.target
        count += 1
        worst = max(worst, abs(angle - count * part))
    assert count > 100
    assert 0.0 < worst < 0.5 * 0.2 * 1.2 * part**2


def test_the_period_may_be_that_of_a_load():
    """A load that repeats every 2.5 revolutions of the driver: 1.25 s. Its periods are equal, revolutions are not."""

    def loaded(time: float) -> Reading:
        phase = 2.0 * math.pi * time / 1.25
        work = 100.0 * time + 100.0 * (1.0 - math.cos(phase)) / phase * time if phase else 0.0
        tension = np.array([1000.0 + 300.0 * math.sin(phase)])
        return Reading(time, CYCLE.speed * time, CYCLE.speed, np.array([work, 0.9 * 100.0 * time, 0.1 * work]), tension)

    def ends(cycle: Cycle) -> SteadyWatch:
        watch = SteadyWatch(cycle, 1, begin=0.0, at_most=10.0)
        while not watch.reached(loaded(watch.target)):
            pass
        return watch

    assert not ends(CYCLE).steady
    watch = ends(CYCLE._replace(repeats=25))
    assert watch.steady
    assert watch.notes()["period_turns"] == 2.5
    assert watch.notes()["steady_since"] == pytest.approx(1.25, abs=1e-9)  # of the first, nothing is known before it
    assert watch.needed == 3


def test_cycle_of_loads(drive):
    """The period of motions and loads together, in pitches: that of the load, of both, of the driver alone."""
    wheels = [wheel.name for wheel in drive.wheels]
    assert [wheel.teeth for wheel in drive.wheels] == [17, 38], wheels
    table = {"angles": [0, 2, 4, 2 * math.pi], "torques": [1.0, 2.0, 3.0, 1.0]}
    assert cycle_of(drive).pitches == 17
    assert cycle_of(override(drive, {"wheels.1.load_table": table})).pitches == 38
    uneven = {"kind": "orders", "speed": -50.0, "orders": [{"order": 2, "amplitude": 1.0}]}
    assert cycle_of(override(drive, {"wheels.1.load_table": table, "wheels.0.motion": uneven})).pitches == 17 * 38
    half = uneven | {"orders": [{"order": 1.5, "amplitude": 1.0}]}
    assert drive_facts(override(drive, {"wheels.0.motion": half})).period == 34
    assert drive_facts(override(drive, {"wheels.1.load_table": table})).load_periods == (38,)
    steady = table | {"torques": [2.0] * 4}
    assert cycle_of(override(drive, {"wheels.1.load_table": steady})).pitches == 17


def test_cycle_of_oscillations_over_time(drive):
    """A wheel on a slide that moves, or a load on its joint: the pitches that pass in whole cycles, and in whole turns
    of a load over the angle.
    """
    passing = 17 * abs(drive.wheels[0].motion.speed) / (2.0 * math.pi)  # teeth per second

    def slide(*frequencies, **joint):
        loads = [{"kind": "harmonic", "amplitude": 10.0, "frequency": each} for each in frequencies]
        along = {"kind": "prismatic", "direction": 0.0, "load": loads or 0.0} | joint
        bodies = [{"name": "slide", "mass": 5.0, "joint": along}]
        return override(drive, {"bodies": bodies, "wheels.1.body": "slide", "wheels.1.mass": 1.0})

    moved = {"kind": "harmonic", "amplitude": 1e-4, "frequency": 3.0 * passing / 40.0}
    table = {"angles": [0, 2, 4, 2 * math.pi], "torques": [1.0, 2.0, 3.0, 1.0]}
    assert cycle_of(slide()).pitches == 17
    for each in (slide(moved["frequency"]), slide(motion=moved)):
        assert cycle_of(each).pitches == 40
        assert not drive_facts(each).repeats_with_teeth
        assert cycle_of(override(each, {"wheels.1.load_table": table})).pitches == 38 * 20
    assert cycle_of(slide(passing / 800.0)).pitches == pytest.approx(800, abs=2)  # slower than a pitch by far
    with pytest.raises(cd.InputError, match=r"bodies.* no common period within 60 .*Hz"):
        cycle_of(slide(passing / math.pi, passing / math.e))


def test_restored_watch_goes_on_alike():
    one, other = (SteadyWatch(CYCLE, 1, begin=0.2) for _ in range(2))
    for _ in range(77):
        one.reached(course(one.target, 1.7))
    other.restore(one.state())
    assert watched(one, 1.7) == watched(other, 1.7)
    assert one.notes() == other.notes()


def test_watch_that_ended_in_vain_goes_on_when_given_more_time():
    short = SteadyWatch(CYCLE, 1, begin=0.0, at_most=1.0)
    assert watched(short, settling=1.7) == pytest.approx(1.0, abs=1e-9)
    longer = SteadyWatch(CYCLE, 1, begin=0.0, at_most=20.0)
    longer.restore(short.state())
    whole = SteadyWatch(CYCLE, 1, begin=0.0, at_most=20.0)
    assert watched(longer, 1.7) == watched(whole, 1.7)
    assert longer.notes() == whole.notes()


# Motions --------------------------------------------------------------------------------------------------------------


def test_cycle_of_an_example(drive):
    """500 rpm: 0.12 s; 108 links on 17 teeth."""
    cycle = cycle_of(drive)
    assert (cycle.wheel, cycle.teeth, cycle.links, cycle.direction) == (0, 17, 108, -1.0)
    assert cycle.revolution == pytest.approx(0.12, rel=1e-12)
    assert cycle.loop == pytest.approx(0.12 * 108 / 17, rel=1e-12)


def test_motions_that_do_not_repeat_are_refused(drive):
    run_up = {"kind": "run_up", "initial_speed": -10.0, "final_speed": -50.0, "start": 0.1, "duration": 1.0}
    with pytest.raises(cd.InputError, match="run-up"):
        cd.simulate(_moved(drive, run_up), "steady")
    odd = {"kind": "orders", "speed": -50.0, "orders": [{"order": 1.01, "amplitude": 1.0}], "over": "angle"}
    with pytest.raises(cd.InputError, match=r"within 60 revolutions of the driver.*order 1\.01 of the driver"):
        cycle_of(_moved(drive, odd))
    whole = odd | {"orders": [{"order": 6, "amplitude": 1.0}]}
    assert cycle_of(_moved(drive, whole)).speed == 50.0


def test_half_orders_repeat_after_two_revolutions(drive):
    """Those of a four-stroke engine, 1.5 and 4.5 with 6 cylinders: a working cycle takes two revolutions."""
    orders = [{"order": order, "amplitude": 1.0} for order in (1.5, 3, 4.5)]
    cycle = cycle_of(_moved(drive, {"kind": "orders", "speed": -50.0, "orders": orders}))
    assert cycle.pitches == 2 * cycle.teeth
    assert cycle.period == pytest.approx(2.0 * 2.0 * math.pi / 50.0, rel=1e-12)


def _moved(drive: cd.Drive, motion: dict) -> cd.Drive:
    data = drive.model_dump()
    data["wheels"][0]["motion"] = motion
    return cd.Drive(**data)


def test_at_most_is_checked(drive):
    with pytest.raises(cd.InputError, match="at_most"):
        cd.simulate(drive, "steady", at_most=-1.0)
    with pytest.raises(cd.InputError, match="at_most"):
        cd.simulate(drive, 0.1, at_most=1.0)


# Whole runs -----------------------------------------------------------------------------------------------------------


FAST = {"run.solver.method": "verlet", "run.save.channels": ["span_tension", "wheel_speed"]}


@pytest.fixture(scope="module", params=["block", pytest.param("roller", marks=pytest.mark.long)])
def quick(request, drive) -> cd.Drive:
    """The industrial drive by the fast method, with few channels."""
    return override(drive, FAST | {"run.formulation.kind": request.param})


@pytest.fixture(scope="module")
def whole(quick):
    return cd.simulate(quick, "steady", at_most=6.0)


def test_run_becomes_steady_and_ends_a_loop_later(whole):
    """13 revolutions of 0.12 s (two loops are 12.7) are balanced, and a loop of 0.762 s follows.

    What the drive takes from its driver over the last loop it gives to load, bearings, joints, links and contacts.
    """
    assert whole.status == Status.REACHED_END
    notes = whole.notes
    assert notes["steady"] is True
    assert notes["steady_revolutions"] == 13
    assert notes["end_time"] == pytest.approx(notes["steady_since"] + 13 * 0.12 + 0.12 * 108 / 17, abs=1e-9)
    assert notes["steady_imbalance"] <= 0.01
    assert notes["steady_tension_change"] <= 0.005
    last = whole.time >= whole.time[-1] - 0.12 * 6
    given = np.ptp(whole.values("work_input")[last])
    used = sum(np.ptp(whole.values(n)[last]) for n in whole.channels if n.startswith("work_") and n != "work_input")
    assert used == pytest.approx(given, rel=0.01)


def test_a_run_to_the_steady_state_that_was_cut_gives_the_same_numbers(quick, whole, tmp_path: Path, monkeypatch):
    if quick.run.formulation.kind == "block":
        monkeypatch.setattr("chaindrive.simulation.simulate.BUDGET", 1000)  # cut at odd places
    path = tmp_path / "run.nc"
    cut = cd.simulate(quick, "steady", at_most=6.0, output=path, progress=Stop(0.7))
    assert cut.status == Status.INTERRUPTED
    assert 0 < cut.time.size < whole.time.size
    cut.close()
    again = cd.simulate(quick, "steady", at_most=6.0, output=path, resume=True)
    assert again.status == Status.REACHED_END
    np.testing.assert_array_equal(again.time, whole.time)
    for name in whole.channels:
        np.testing.assert_array_equal(again.values(name), whole.values(name), err_msg=name)
    assert again.notes == whole.notes
    again.close()


def test_run_that_is_not_steady_in_time(drive, tmp_path, monkeypatch, capfd):
    """From rest within 0.2 s; 0.36 s later 3 revolutions have passed, not 13. Both the command line and info report
    this.
    """
    monkeypatch.chdir(tmp_path)
    Path("drive.toml").write_text(override(drive, FAST | {"wheels.0.motion.ramp": 0.2}).to_toml())
    with pytest.raises(SystemExit) as ending:
        main(["run", "drive.toml", "--start", "at_rest", "--until", "steady", "--at-most", "450 ms"])
    assert ending.value.code == 0
    assert "in the time allowed" in capfd.readouterr().out
    with cd.open("drive.nc") as solution:
        assert solution.status == Status.REACHED_END
        assert solution.notes["steady"] is False
        assert solution.notes["end_time"] == pytest.approx(0.2 + 3 * 0.12, abs=1e-9)
    with pytest.raises(SystemExit):
        main(["info", "drive.nc"])
    shown = capfd.readouterr().out
    assert "not reached" in shown
    assert "Periodicity" in shown


LENIENT = {"run.steady.imbalance": 1.0, "run.steady.tension": 1.0, "run.steady.revolutions": 2, "run.steady.loops": 0}
"""Steady after two revolutions: power and tensions may change by up to 100 %."""


def test_a_file_may_ask_for_the_steady_state(quick, tmp_path, monkeypatch, capfd):
    """2 revolutions of 0.12 s and a loop of 0.12 s x 108/17: the criteria of the file apply."""
    lenient = override(quick, LENIENT | {"run.until": "steady", "run.at_most": "5 s"})
    end = 0.12 * (3 + 108 / 17)  # the first revolution has none before it to compare with
    solution = cd.simulate(lenient)
    assert solution.notes["steady_revolutions_needed"] == 2
    assert solution.notes["end_time"] == pytest.approx(end, abs=1e-9)
    rate = solution.drive.run.save.rate  # that of the drive, which leaves it to chaindrive
    assert solution.drive.run == lenient.run.model_copy(
        update={"save": lenient.run.save.model_copy(update={"rate": rate})}
    )

    monkeypatch.chdir(tmp_path)
    Path("drive.toml").write_text(str(lenient))
    with pytest.raises(SystemExit) as ending:
        main(["run", "drive.toml"])
    assert ending.value.code == 0, capfd.readouterr().err
    with cd.open("drive.nc") as found:
        assert found.notes == solution.notes
        np.testing.assert_array_equal(found.time, solution.time)


def test_arguments_go_before_the_file(quick, tmp_path, monkeypatch, capfd):
    waiting = override(quick, LENIENT | {"run.until": "steady", "run.at_most": "5 s"})
    timed = cd.simulate(waiting, 0.01)
    assert timed.notes["end_time"] == pytest.approx(0.01, abs=1e-12)
    assert "steady" not in timed.notes
    assert (timed.drive.run.until, timed.drive.run.at_most) == (0.01, None)
    # Less than one revolution is waited for: the one that 0.05 s falls into is ended.
    short = cd.simulate(waiting, at_most=0.05)
    assert short.notes["steady"] is False
    assert short.notes["end_time"] == pytest.approx(0.12, abs=1e-9)
    strict = cd.simulate(waiting, at_most=0.3, steady=cd.model.SteadyOptions(revolutions=50))
    assert strict.notes["steady_revolutions_needed"] == 50
    assert strict.notes["steady"] is False

    monkeypatch.chdir(tmp_path)
    Path("drive.toml").write_text(str(waiting))
    with pytest.raises(SystemExit) as ending:
        main(["run", "drive.toml", "--until", "10 ms"])
    assert ending.value.code == 0, capfd.readouterr().err
    with cd.open("drive.nc") as found:
        assert found.notes["end_time"] == pytest.approx(0.01, abs=1e-12)
        assert found.drive.run == timed.drive.run
    with pytest.raises(SystemExit):
        main(["run", "drive.toml", "--force", "--at-most", "50 ms"])
    with cd.open("drive.nc") as found:
        assert found.notes["end_time"] == pytest.approx(0.12, abs=1e-9)


def test_a_timed_run_may_go_on_until_it_is_steady(quick, tmp_path):
    """The end of a run is not part of its identity."""
    lenient, path = override(quick, LENIENT), tmp_path / "run.nc"
    cd.simulate(lenient, 0.2, output=path).close()
    with cd.simulate(lenient, "steady", at_most=5.0, output=path, resume=True) as on:
        assert on.status == Status.REACHED_END
        assert on.notes["steady"] is True
        assert on.notes["steady_since"] > 0.2 - 1e-9
        assert on.time[0] == 0.0


def test_a_drive_whose_motions_have_kinks_waits_for_the_steady_state(tmp_path):
    """Starting from rest, its time limit follows from the end of the ramp."""
    drive = override(cd.example("industrial-08b"), {"run.start": "at_rest"})

    def stop(progress):
        raise KeyboardInterrupt

    found = cd.simulate(drive, "steady", output=tmp_path / "run.nc", progress=stop)
    assert found.status == cd.Status.INTERRUPTED
    assert found.drive.run.at_most > 0.0
    assert type(found.drive.run.at_most) is float
