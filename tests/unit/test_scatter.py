"""Scatter of the extremes of a run: equal windows of its steady part, and repetitions from disturbed starts."""

import itertools
import math
import shutil
import subprocess
import sys

import numpy as np
import pytest

import chaindrive as cd
from chaindrive.analyses.results.scatter import LEAST, MOST, SCATTERED, Spread, equal_windows, spread_of_windows
from chaindrive.analyses.results.steadiness import Part, headline_part
from chaindrive.analyses.results.strength import Finding
from chaindrive.analyses.results.verdict import headline_extremes
from chaindrive.cli.main import main
from chaindrive.cli.scatter_table import advise_repeating, show_scatter
from chaindrive.contract.states import Kind
from chaindrive.errors import InputError
from chaindrive.formulations import compile_system
from chaindrive.results.attributes import describe, encode, fault_in_attributes
from chaindrive.results.repeats import Repeat, packed_repeats, repeats_in, store_repeats
from chaindrive.simulation.disturbance import DISTURBANCE, disturbed
from chaindrive.studies import repeating
from support.made_run import solution_of

PRESS = {"angles": [0.0, 1.0, 2.0, 2.0 * math.pi], "torques": [0.0, 40.0, 0.0, 0.0]}


@pytest.fixture(scope="module")
def run(shared_runs):
    """Half a second of the industrial drive with rollers."""
    return shared_runs.run("industrial-08b", 0.5)


def turning(turns, rows=4001, peaks=(), drive=None, irregular=False, rise=0.0):
    """A second of the industrial drive with this many turns of its motor, and peaks of the tension at times in it.

    irregular: the tension fluctuates by 60 N and never repeats; rise: its relative growth over the second.
    """
    drive = drive or cd.example("industrial-08b")
    time = np.linspace(0.0, 1.0, rows)
    teeth = np.array([wheel.teeth for wheel in drive.wheels])
    speeds = np.broadcast_to(-2.0 * math.pi * turns * teeth[0] / teeth, (rows, teeth.size)).copy()
    tension = np.full((rows, 2), 500.0) * (1.0 + rise * time[:, None])
    if irregular:
        tension += 60.0 * np.sign(np.random.default_rng(1).standard_normal((rows, 1)))
    for at, value in peaks:
        tension[int(np.argmin(np.abs(time - at))), 1] = value
    return solution_of(
        drive, time, {"span_tension": tension, "wheel_speed": speeds, "wheel_angle": speeds * time[:, None]}
    )


@pytest.mark.parametrize(("turns", "count", "each"), [(4.0, 4, 1.0), (9.0, 9, 1.0), (27.0, 10, 2.0)])
def test_a_part_is_cut_into_whole_revolutions(turns, count, each):
    made = turning(turns)
    windows = equal_windows(made, Part("steady part", 0.0, 1.0))
    assert len(windows) == count <= MOST
    assert (windows[0].start, windows[-1].stop) == (0, made.time.size)
    assert all(one.stop == other.start for one, other in itertools.pairwise(windows))
    lengths = [(rows.stop - rows.start) / (made.time.size - 1) * turns for rows in windows[1:]]
    assert lengths == pytest.approx([each] * (count - 1), abs=2.0 * turns / made.time.size)


def test_teeth_where_nothing_else_excites():
    """Two turns of 17 teeth: a load that repeats once in a turn cannot be divided, a constant one after whole teeth."""
    part = Part("steady part", 0.0, 1.0)
    assert len(equal_windows(turning(2.0), part)) == MOST
    few = turning(7.0 / 17.0)  # windows of two teeth at least: one tooth may fall between two rows
    assert len(equal_windows(few, part)) == 3
    assert equal_windows(turning(5.0 / 17.0), part) == ()
    pressed = turning(2.0, drive=cd.example("industrial-08b").replace("wheels.0.load_table", PRESS))
    assert equal_windows(pressed, part) == ()
    assert len(equal_windows(turning(4.0, drive=pressed.drive), part)) == 4
    joined = turning(2.0)  # a chain alone whose motor sprocket is on a shaft: what is behind it may vary in a turn
    joined.attrs["notes"] = encode({"shafts": ["motor"]})
    assert equal_windows(joined, part) == ()


def test_a_chain_with_unequal_links_is_cut_into_loops():
    """108 links on a motor of 17 teeth: 6.4 turns of it are a loop, 7 whole ones the shortest window."""
    drive = cd.example("industrial-08b").replace("chain.scatter", {"deviation": 1e-4, "seed": 1})
    part = Part("steady part", 0.0, 1.0)
    assert equal_windows(turning(20.0, drive=drive), part) == ()
    assert len(equal_windows(turning(22.0, drive=drive), part)) == LEAST
    worn = cd.example("industrial-08b").replace("chain.wear", 0.01)  # inner and outer links alternate
    assert len(equal_windows(turning(9.0, drive=worn), part)) == 9


def test_an_open_chain_and_a_standstill_are_not_cut():
    assert equal_windows(turning(0.0), Part("steady part", 0.0, 1.0)) == ()


def test_windows_have_the_extremes_of_their_rows():
    made = turning(8.0, peaks=[(0.55, 900.0), (0.95, 700.0)])
    finding = next(each for each in made.verdict.findings if each.key == "tension_steady")
    assert finding.value == 900.0
    assert finding.windows == Spread(500.0, 600.0, 900.0, 4)
    assert finding.windows.share == pytest.approx(4.0 / 9.0)
    tile = made.verdict.tile("tension")
    assert tile.scatter == "4 windows: 500 N to 900 N"
    assert tile.scatter in repr(made.verdict)


def test_even_extremes_are_told_as_one_number():
    tile = turning(8.0).verdict.tile("tension")
    assert tile.scatter == ""
    assert "4 windows of this part 500 N, median 500 N" in tile.lines


def test_what_is_not_a_number_is_no_extreme():
    values = np.array([[1.0], [np.nan], [np.nan], [np.nan], [3.0], [2.0]])
    assert spread_of_windows(values, (slice(0, 2), slice(2, 4), slice(4, 6))) == Spread(1.0, 2.0, 3.0, 2)
    assert spread_of_windows(values, (slice(0, 2), slice(2, 4))) is None


def test_a_disturbed_start():
    system = compile_system(cd.example("industrial-08b"), cd.example("industrial-08b").run.formulation, True)
    system.state[system.positions : system.positions + system.velocities] = system.motion.rolling
    assert disturbed(system, 0) is system
    one, same, other = (disturbed(system, number).state for number in (3, 3, 4))
    assert (one == same).all()
    assert (one != other).any()
    change = one - system.state
    speeds = system.kinds == Kind.SPEED
    assert (change[~speeds] == 0.0).all()  # places, and the wheels, one of which has a prescribed motion
    scale = np.abs(system.state[speeds]).max()
    assert change[speeds].std() == pytest.approx(DISTURBANCE * scale, rel=0.2)
    assert disturbed(system, 3).story.notes["disturbance"] == 3


@pytest.mark.parametrize("number", [-1, 1.5, True, "3"])
def test_a_number_that_is_no_disturbance(number):
    with pytest.raises(InputError, match="disturbance: must be a whole number from 0"):
        cd.simulate(cd.example("industrial-08b"), 0.001, disturbance=number)


REPEATS = (
    Repeat(1, "REACHED_END", {"tension_steady": 600.0, "final.contact_force": 40.0}),
    Repeat(2, "CHAIN_JUMPED_TOOTH", {}, "at 0.2 s"),
)


def test_repetitions_in_the_attributes_of_results():
    text = packed_repeats(reversed(REPEATS))
    assert repeats_in({"repeats": text}) == REPEATS
    assert [each.failed for each in REPEATS] == [False, True]
    assert repeats_in({}) == ()
    attributes = describe("", {})
    assert fault_in_attributes(attributes | {"repeats": text}) == ""


@pytest.mark.parametrize(
    "text", ["[]", "{", '{"runs": {}}', '{"runs": [1]}', '{"runs": [{"disturbance": 1, "status": "", "extremes": []}]}',
             '{"runs": [{"disturbance": 1, "status": "", "extremes": {"a": "b"}}]}'],
)  # fmt: skip
def test_damaged_repetitions_are_refused(text):
    assert fault_in_attributes(describe("", {}) | {"repeats": text}).startswith("repeats")


def test_the_verdict_has_lowest_median_and_largest_of_the_runs():
    made = turning(8.0)
    made.keep_repeats([Repeat(1, "REACHED_END", {"tension_steady": 620.0}), Repeat(2, "FAILED", {})])
    made.keep_repeats([*made.repeats, Repeat(3, "REACHED_END", {"tension_steady": 540.0})])
    finding = next(each for each in made.verdict.findings if each.key == "tension_steady")
    assert finding.runs == Spread(500.0, 540.0, 620.0, 3)
    assert made.verdict.tile("tension").scatter == "3 runs: 500 N to 620 N"
    assert all(each.runs is None for each in made.verdict_of(0.2, 0.4).findings)  # of another part


def test_repetitions_are_stored_in_the_file(run, tmp_path):
    path = tmp_path / "run.nc"
    run.save(path)
    store_repeats(path, REPEATS)
    with cd.open(path) as stored:
        assert stored.repeats == REPEATS
        assert (stored.values("link_tension") == run.values("link_tension")).all()
        assert stored.drive_text == run.drive_text


SCRIPT = """
import chaindrive as cd

print("the script runs")
run = cd.simulate("industrial-08b", until=0.02, formulation="block")
print([each.status for each in cd.repeat(run, 3, workers=2)])
"""


@pytest.mark.long
def test_a_script_repeats_in_several_processes_which_do_not_run_it_again(tmp_path):
    """Without ``if __name__ == "__main__":``: spawned processes would start by running the script itself."""
    (tmp_path / "script.py").write_text(SCRIPT, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "script.py"], cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["the script runs", "['REACHED_END', 'REACHED_END']"]
    assert "Traceback" not in done.stderr


def test_a_regular_run_repeats(tmp_path):
    """Disturbed by rounding only, a short run of two sprockets has the same extremes."""
    done = cd.simulate(cd.example("industrial-08b"), 0.03, save=cd.SaveOptions(rate=2000.0), progress=False)
    told = []
    repeats = cd.repeat(done, 3, workers=1, progress=told.append)
    assert [each.disturbance for each in repeats] == [1, 2]
    own = headline_extremes(done)
    assert own.keys() >= {"tension_steady", "tension_run", "contact_force", "bearing_force", "vibration"}
    for each in repeats:
        assert each.extremes == pytest.approx(own, rel=1e-3)
        assert each.extremes != own
    assert [(each.done, each.total) for each in told] == [(1, 3), (2, 3), (3, 3)]
    assert told[-1].remaining == 0.0
    assert cd.repeat(done, 3, workers=1, progress=told.append) == repeats  # nothing is computed again
    assert len(told) == 3
    done.save(tmp_path / "run.nc")
    with cd.open(tmp_path / "run.nc") as stored:
        assert stored.repeats == repeats


def test_what_cannot_be_repeated(run):
    for runs in (1, 2.5, 10_000, True):
        with pytest.raises(InputError, match="runs: must be a whole number from 2"):
            cd.repeat(run, runs)
    first = cd.simulate(cd.example("industrial-08b"), 0.002, formulation="block", progress=False)
    after = cd.simulate(cd.example("industrial-08b"), 0.002, formulation="block", initial=first, progress=False)
    with pytest.raises(InputError, match="began at the end of another run"):
        cd.repeat(after)
    own = cd.simulate(cd.example("industrial-08b"), 0.002, formulation="block", disturbance=2, progress=False)
    with pytest.raises(InputError, match="its start is perturbed"):
        cd.repeat(own)


def called(capfd, *arguments):
    """Exit code and texts of the command line in this process."""
    with pytest.raises(SystemExit) as ending:
        main([str(argument) for argument in arguments])
    return ending.value.code, *capfd.readouterr()


def test_the_command_refuses_a_number_before_it_computes(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    code, _, err = called(capfd, "run", "industrial-08b", "--repeat", 1)
    assert code == 1
    assert "--repeat" in err
    assert "1000" in err
    assert not list(tmp_path.iterdir())


def outcomes_of(extremes, stop_after=math.inf):
    """Replacement for processes: outcomes with these extremes, and Ctrl-C after some of them."""

    def outcomes(tasks, workers):
        for task in tasks:
            if task.number > stop_after:
                raise KeyboardInterrupt
            number = task.number
            yield repeating.Outcome(number, "REACHED_END", "", (), 0.1, 0.1, 10, None, "", extremes=extremes(number))

    return outcomes


def test_the_command_keeps_and_resumes(tmp_path, monkeypatch, capfd):
    """Ctrl-C during repetitions keeps those that have ended; --resume computes the others; another end time discards
    them.
    """
    monkeypatch.chdir(tmp_path)
    given = ("run", "industrial-08b", "--until", "20 ms", "--formulation", "block")

    def of(number):
        return {"tension_steady": 500.0 + 100.0 * number}

    monkeypatch.setattr(repeating, "_outcomes", outcomes_of(of, stop_after=2))
    code, _, err = called(capfd, *given, "--repeat", 5)
    assert code == 130
    assert "--repeat 5 --resume" in err
    with cd.open("industrial-08b.nc") as stored:
        assert [each.disturbance for each in stored.repeats] == [1, 2]
    monkeypatch.setattr(repeating, "_outcomes", outcomes_of(of))
    code, out, _ = called(capfd, *given, "--repeat", 5, "--resume")
    assert code == 0
    assert "5 runs" in out
    with cd.open("industrial-08b.nc") as stored:
        assert [each.extremes["tension_steady"] for each in stored.repeats] == [600.0, 700.0, 800.0, 900.0]
    assert "900 N" in called(capfd, "info", "industrial-08b.nc")[1]
    called(capfd, *given[:3], "30 ms", *given[4:], "--resume")
    with cd.open("industrial-08b.nc") as stored:
        assert stored.repeats == ()


def test_windows_that_differ_advise_repetitions_of_an_irregular_motion(capfd):
    def advice(made):
        advise_repeating(made, made.verdict.findings)
        return " ".join(capfd.readouterr().err.split())

    assert advice(turning(8.0, irregular=True)) == ""  # the windows hardly differ
    made = turning(8.0, peaks=[(0.55, 900.0)], irregular=True)
    assert "560 N to 900 N in 4 equal windows" in advice(made)
    assert "--repeat 5" in advice(made)
    made.keep_repeats([Repeat(1, "REACHED_END", {"tension_steady": 620.0})])
    assert advice(made) == ""


def test_windows_that_differ_without_chance(capfd):
    """A regular motion is no matter of chance, and a run that is still changing has to continue."""
    for peak, rise, says in ((900.0, 0.0, ""), (500.0, 0.6, "still changing")):
        made = turning(8.0, peaks=[(0.55, peak)], rise=rise)
        assert max(each.windows.share for each in made.verdict.findings if each.windows) > SCATTERED
        advise_repeating(made, made.verdict.findings)
        err = capfd.readouterr().err
        assert "--repeat" not in err
        assert says in err
        assert bool(err) == bool(says)


def test_a_run_that_failed_is_not_to_be_continued(capfd, monkeypatch):
    """It has no checkpoint from which --resume could continue."""
    made = turning(8.0, peaks=[(0.55, 500.0)], rise=0.6)
    monkeypatch.setattr(type(made), "status", cd.Status.NOT_A_NUMBER)
    advise_repeating(made, made.verdict.findings)
    assert capfd.readouterr().err == ""


def test_a_small_range_is_told_in_full(capfd):
    """Windows between 0.03 % and 0.05 % of a span are no single number below 0.1 %."""
    finding = Finding("vibration", "amplitude", 5e-4, "", math.nan, "", "most", "", windows=Spread(3e-4, 4e-4, 5e-4, 4))
    made = turning(8.0, irregular=True)
    show_scatter(made, [finding])
    advise_repeating(made, [finding])
    out, err = capfd.readouterr()
    for text in (out, err):
        assert "0.03 % to 0.05 %" in " ".join(text.split())


@pytest.mark.long
def test_extremes_of_stages_have_their_name(shared_runs, tmp_path):
    path = tmp_path / "run.nc"
    shutil.copyfile(shared_runs.file("tandem", 0.02, formulation="block"), path)
    path.chmod(0o644)
    with cd.open(path) as stored:
        own = headline_extremes(stored)
    stage = stored.stages[0]
    assert {"tension_steady", f"{stage}.tension_steady"} <= own.keys()
    store_repeats(path, [Repeat(1, "REACHED_END", own)])
    with cd.open(path) as stored:
        first, second = (chain.repeats[0].extremes for chain in stored.chains[:2])
        assert first["tension_steady"] == own["tension_steady"]
        assert second["tension_steady"] == own[f"{stage}.tension_steady"]
        assert headline_part(stored.chains[1]).headline
