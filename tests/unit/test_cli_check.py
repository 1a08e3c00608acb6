"""``chaindrive check``: geometry first, then the rest; their output and pictures, and interruption."""

import signal
from pathlib import Path

import numpy as np
import pytest

import chaindrive.simulation.start
from chaindrive.cli.check import speed_text
from chaindrive.cli.endings import INTERRUPTED
from chaindrive.cli.main import main
from chaindrive.cli.searching import searching
from chaindrive.geometry import guide as guides
from chaindrive.mechanism.facts import drive_facts
from chaindrive.mechanism.rails import guide_profile
from chaindrive.model import example, override
from chaindrive.plots import data_drive
from chaindrive.simulation.at_rest import at_rest
from chaindrive.simulation.start import prepare
from support.forked import Forked, posix
from support.short_searches import give_up_early
from support.three_wheels import ARM, three


@pytest.fixture
def call(tmp_path, monkeypatch, capfd):
    """Run the command line in this process, in a folder of its own: exit code, standard output, standard error."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        capfd.readouterr()
        with pytest.raises(SystemExit) as ending:
            main([str(argument) for argument in arguments])
        return ending.value.code, *capfd.readouterr()

    return run


@pytest.fixture
def pictures(monkeypatch):
    """The states that would be drawn, in order; nothing is drawn."""
    drawn = []
    monkeypatch.setattr("chaindrive.plots.plot_drive", lambda drive, rest=None: drawn.append(rest))
    monkeypatch.setattr("chaindrive.cli.check.save_picture", lambda figure, path: None)
    return drawn


def test_geometry_comes_before_the_search(call, monkeypatch, pictures):
    """When the search begins, everything about the geometry has been printed and drawn; Ctrl-C leaves it."""
    drawn_before = []

    def stopped(*_, **__):
        drawn_before.extend(pictures)
        raise KeyboardInterrupt

    monkeypatch.setattr(chaindrive.simulation.start, "prepare", stopped)
    code, out, err = call("check", "timing-06b")
    assert code == INTERRUPTED
    for part in ("crankshaft", "147.85", "386.74", "The route takes 129.984 pitches around wheels and rails"):
        assert part in out
    assert "Chain speed of the run: 9.525 m/s" in out
    assert "Drawn with the chain as placed in timing-06b.png" in out
    assert "At rest" not in out
    assert "Interrupted during the search for the static equilibrium" in err
    assert drawn_before == [None]


@posix
def test_ctrl_c_in_the_search(tmp_path):
    """A chain of 1,596 links, whose configuration and rest take seconds; the signal comes after the tables."""
    long = ["--set", "chain.links=1596", "--set", 'wheels.1.position=["9960 mm", "0 mm"]', "--no-draw"]
    with Forked(lambda: main(["check", "industrial-08b", *long]), tmp_path) as process:
        process.wait(until=lambda: "\nChain speed of the run" in process.out)
        before = process.out
        process.send_signal(signal.SIGINT)
        code, rest, err = process.wait(), process.out.removeprefix(before), process.err
    assert code == INTERRUPTED, err
    assert "the chain has 1596 links" in before
    assert "At rest" not in rest
    assert err.startswith("Interrupted")
    assert "Traceback" not in err


def test_no_equilibrium(call, monkeypatch, pictures):
    monkeypatch.setattr(chaindrive.simulation.start, "prepare", lambda *_, **__: pytest.fail("it was searched for"))
    code, out, _ = call("check", "industrial-08b", "--no-equilibrium")
    assert code == 0
    assert "Static equilibrium skipped" in out
    assert "The route takes 107.968 pitches" in out
    assert pictures == [None]


def test_another_formulation(call):
    """Only the block prints the stiffness of its spans; for a wrong name the option is named."""
    code, out, err = call("check", "industrial-08b", "--formulation", "block", "--no-draw")
    assert code == 0, err
    assert "stiffness of the spans" in out
    code, _, err = call("check", "industrial-08b", "--formulation", "blok", "--no-draw")
    assert code == 1
    assert "--formulation: must be one of" in err


def test_places_and_forces_at_rest(call):
    """6S90MC-C: the arm turns until the spring, 1.2 m and 60 kN as drawn, balances the pull of the chain on the
    wheel.
    """
    code, out, _ = call("check", "6s90mc-c-tightener", "--no-draw")
    assert code == 0
    shown = out.split("At rest", 1)[1]
    started = prepare(example("6s90mc-c-tightener"), start="at_rest")
    rest = at_rest(started.system)
    force, length = float(rest.tensioner_forces[0]), float(rest.tensioner_lengths[0])
    assert force == pytest.approx(6e6 * (1.19 - length), rel=1e-9)  # spring at rest, no damping
    assert force > -59e3
    assert f"{force / 1e3:.3f}" in shown
    assert f"{(length - 1.2) * 1e3:+.2f}" in shown
    assert f"{np.degrees(rest.joint_positions[0]):.4g}°" in shown
    assert f"{rest.wheel_positions[2, 0] * 1e3:.2f}" in shown
    # moments about the pivot of the arm: chain, spring, weights
    w, b = rest.wheel_positions[2], rest.body_positions[0]
    np.testing.assert_allclose(np.hypot(*(b - (0.49, 4.68))), np.hypot(0.1975 - 0.49, 4.7328 - 4.68), rtol=1e-9)
    np.testing.assert_allclose(np.hypot(*(w - (0.49, 4.68))), np.hypot(0.333 - 0.49, 4.748 - 4.68), rtol=1e-9)


def test_the_chain_is_drawn_where_it_rests():
    """Timing 06B: placed, rollers of the led spans lie up to 8 mm behind the rails; at rest they lie on them."""
    drive = example("timing-06b")
    rest = at_rest(prepare(drive).system)
    assert rest.found
    table = data_drive(drive, rest)
    rollers = table[table["part"] == "roller"][["x [m]", "y [m]"]].to_numpy()
    np.testing.assert_array_equal(rollers, rest.rollers)
    placed = data_drive(drive)
    before = placed[placed["part"] == "roller"][["x [m]", "y [m]"]].to_numpy()
    profile = guide_profile(drive.guides[1], drive_facts(drive).route, 0.5 * drive.chain.roller_diameter, 1)
    radius = 0.5 * drive.chain.roller_diameter
    assert deepest(before, profile) > radius  # the initial configuration goes through the fixed rail
    assert deepest(rollers, profile) < 1e-4  # contact forces press them in by some micrometres
    # the tension rail is drawn where its body is
    rail = table[(table["part"] == "guide") & (table["number"] == 0)][["x [m]", "y [m]"]].to_numpy()
    drawn = placed[(placed["part"] == "guide") & (placed["number"] == 0)][["x [m]", "y [m]"]].to_numpy()
    assert 1e-4 < np.hypot(*(rail - drawn).T).max() < 5e-3


def deepest(rollers, profile):
    """Largest penetration of rollers into the surface, by the polyline of its middle part, from its normals. [m]"""
    line = guides.outline(profile)
    along = np.diff(line, axis=0)
    length = np.hypot(*along.T)
    normal = np.column_stack([-along[:, 1], along[:, 0]]) / length[:, None]
    seen = rollers[:, None] - line[None, :-1]
    share = (seen * along).sum(axis=2) / length**2
    height = (seen * normal).sum(axis=2)
    inside = (share >= 0) & (share <= 1) & (np.abs(height) < 0.02)
    return float(np.max(np.where(inside, 0.5 * 6.35e-3 - height, -np.inf)))


def test_speed_of_a_motion_that_starts_from_nothing():
    """The speed of a run-up from standstill was printed as 0 m/s: 17 teeth of 12.7 mm at 500 rpm give 1.799 m/s."""
    drive = example("industrial-08b")
    assert speed_text(drive) == "1.799 m/s"
    assert speed_text(override(drive, {"run.start": "at_rest"})) == "1.799 m/s, from rest within 500 ms"
    motion = '{ kind = "run_up", initial_speed = 0, final_speed = "-500 rpm", duration = "3 s" }'
    assert speed_text(override(drive, {"wheels.0.motion": motion})) == "0 to 1.799 m/s within 3 s"
    motion = '{ kind = "run_down", initial_speed = "-500 rpm", final_speed = 0, duration = "3 s" }'
    assert speed_text(override(drive, {"wheels.0.motion": motion})) == "1.799 to 0 m/s within 3 s"


def test_what_cannot_be_built_is_drawn_and_refused(call, pictures):
    """All tables, the picture, then the problems: nothing is searched."""
    Path("idler.toml").write_text(three(30, 0.005).to_toml())
    code, out, err = call("check", "idler.toml")
    assert code == 1
    assert "wheels[2]: 'idler' reaches 28.2 mm into span 0 (motor - drum)" in err
    assert "motor - drum" in out
    assert "At rest" not in out
    assert pictures == [None]


def test_a_start_that_is_not_at_rest_says_so(call, pictures, monkeypatch):
    """Only the chain holds an arm that is pushed away from it, and the arm's idler can leave the chain."""
    give_up_early(monkeypatch)
    arm = ARM.replace('stiffness = "1 MN/m"', 'load = "-200 N"')
    Path("unheld.toml").write_text(three(17, 0.08, arm, links=99, on_body=True).to_toml())
    code, out, err = call("check", "unheld.toml")
    assert code == 0
    assert "Start of the run: not at rest" in out
    assert "At rest" not in out
    assert "force at rest" not in out
    assert "Drawn at the start of its run in unheld.png" in out
    assert "no static equilibrium" in err
    assert pictures[0] is None
    assert not pictures[1].found


def test_what_is_doubtful_is_said_once(call):
    Path("idler.toml").write_text(three(17, 0.002).to_toml())
    code, out, err = call("check", "idler.toml", "--no-draw")
    assert code == 0
    assert err.count("reaches with its teeth") == 1
    assert "At rest" in out or "not at rest" in out


def test_a_wrong_place_for_the_picture_is_said_first(call):
    code, out, err = call("check", "industrial-08b", "--draw", "nowhere/a.png")
    assert code == 1
    assert "--draw" in err
    assert out == ""


def test_progress_where_there_is_no_terminal(monkeypatch, capfd):
    """At most one line every ten seconds."""
    clock = iter((0.0, 1.0, 11.0, 11.0, 12.0))
    monkeypatch.setattr("chaindrive.cli.searching.time.monotonic", lambda: next(clock))
    with searching("looking for the rest") as progress:
        progress("1 N left")
        progress("0.5 N left")
        progress("0.1 N left")
    assert capfd.readouterr().err == "looking for the rest: 0.5 N left\n"


def test_speeds_of_a_table_are_told():
    """For a conveyor that starts, runs, and stops: its slowest and its fastest speed."""
    assert speed_text(example("conveyor-16b")) == "0 m/s to 500 mm/s from its speed table"


@pytest.mark.parametrize(("power", "told"), [("250 W", False), ("1500 W", True)])
def test_a_slack_side_that_does_not_hold_the_chain_on_its_teeth_is_told(call, pictures, power, told):
    planar = ("--set", "bicycle.straight_chainline=true", "--set", "run.formulation={ kind = 'roller' }")
    code, _, errors = call("check", "bicycle-50x19", "--set", f"bicycle.rider.power={power}", *planar)
    assert code == 0, errors
    assert ("its teeth need" in " ".join(errors.split())) == told
