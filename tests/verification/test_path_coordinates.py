"""Links in path coordinates move as they do in Cartesian ones."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import chaindrive as cd
from chaindrive.cli.main import main
from chaindrive.contract.system import System
from chaindrive.errors import ComputationError
from chaindrive.formulations import compile_system
from chaindrive.formulations.link.path import in_plane
from chaindrive.model import LinkOptions
from chaindrive.results.trajectory import trajectory_text
from chaindrive.simulation.start import prepare
from support.small_drives import TIGHT, rolling, run, running_links

SAVE = cd.SaveOptions(rate=2000.0, precision="double", channels="all")


@pytest.fixture(scope="module")
def start() -> System:
    return rolling(compile_system(running_links(), LinkOptions(coordinates="path"), True))


@pytest.fixture(scope="module")
def along(start: System) -> System:
    return start.as_integrated


def test_a_state_goes_to_the_path_and_back(start: System, along: System) -> None:
    n, v = along.parameters.links, along.positions
    np.testing.assert_allclose(in_plane(along.parameters, along.state), start.state, atol=1e-9)
    place, beside = along.state[:n], along.state[n : 2 * n]
    pitch = running_links().chain.pitch
    np.testing.assert_allclose(np.diff(place), pitch, atol=0.02 * pitch)
    assert np.abs(beside).max() < 0.25 * pitch
    assert np.abs(along.state[2 * n : 3 * n]).max() < 0.3
    speed = along.state[v : v + n]
    np.testing.assert_allclose(speed, speed.mean(), rtol=0.05)


def test_all_that_is_recorded_is_the_same(start: System, along: System) -> None:
    rows = {name: system.row(0.0, system.state) for name, system in (("plane", start), ("path", along))}
    for channel in start.channels:
        there, here = channel.read(rows["plane"]), along.channel(channel.name).read(rows["path"])
        size = float(np.nanmax(np.abs(there), initial=0.0))
        np.testing.assert_allclose(here, there, atol=1e-7 * size + 1e-12, err_msg=channel.name)


@pytest.mark.parametrize(
    ("joint", "tolerance"), [pytest.param("ideal", 2e-6, marks=pytest.mark.long), ("clearance", 1e-4)]
)
def test_links_move_alike_in_both(joint: str, tolerance: float) -> None:
    """Without stored impact speeds, which depend on the ends of steps; rattling pins amplify every difference.

    Anchors of elastic friction follow from step to step, too.
    """
    law = "smoothed" if joint == "ideal" else None
    options = LinkOptions(coordinates="path", joint=joint, impact_memory="reference", friction_law=law)
    start = rolling(compile_system(running_links(), options, True))
    found = []
    for system in (start, start.as_integrated):
        system.kernels.begin(0.0, system.state, system.parameters)
        found.append(run(system, 2e-3, 5e-4, TIGHT).channels)
    for name in ("roller_position", "link_angle", "wheel_angle", "link_tension", "contact_force", "work_guide"):
        size = float(np.nanmax(np.abs(found[0][name])))
        np.testing.assert_allclose(found[1][name], found[0][name], atol=tolerance * size, err_msg=name)
    exchanged = found[1]["work_input"][-1] + found[1]["energy_kinetic"][0]
    np.testing.assert_allclose(found[1]["energy_residual"], 0.0, atol=1e-7 * exchanged)


def test_a_run_goes_on_in_either(start: System) -> None:
    slow = running_links(speed=20.0, guides=(), contact={"stiffness": 1e8, "exponent": 1.5})
    # memory begins anew: anchors of elastic friction would be lost
    path, plane = (LinkOptions(coordinates=kind, friction_law="smoothed") for kind in ("path", "cartesian"))
    options = {"save": SAVE, "solver": "dormand-prince"}
    whole = cd.simulate(slow, until=0.004, formulation=path, **options)
    assert whole.status.name == "REACHED_END"
    part = cd.simulate(slow, until=0.002, formulation=path, **options)
    for formulation in (path, plane):
        rest = cd.simulate(slow, until=0.002, formulation=formulation, initial=part, **options)
        np.testing.assert_allclose(rest.values("roller_position")[-1], whole.values("roller_position")[-1], atol=1e-7)
    moved = whole.values("trajectory_position")[-1] - whole.values("trajectory_position")[0]
    np.testing.assert_allclose(moved, moved.mean(), rtol=0.05)


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "left_out"),
    [
        pytest.param("pfeiffer-roller", {"fixed rail": 2}, marks=pytest.mark.long),
        ("v6-timing", {"right rail": 2, "left rail": 2, "tight rail": 2}),
    ],
)
def test_the_trajectory_follows_rails_whose_ends_the_chain_does_not_touch(name: str, left_out: dict[str, int]) -> None:
    """Only rounded ends near the chain are left out, not the rails, which deflect the chain by two pitches and more."""
    drive = cd.example(name)
    system = prepare(drive, LinkOptions(coordinates="path"), start="at_speed").system.as_integrated
    n, notes = system.parameters.links, system.story.notes
    assert notes["trajectory_left_out"] == left_out
    assert notes["trajectory_offset"] == np.abs(system.state[n : 2 * n]).max() < 0.06 * drive.chain.pitch


def test_the_trajectory_in_words() -> None:
    assert trajectory_text({}) == ""
    assert trajectory_text({"trajectory_length": 1.25}) == "trajectory of 1.25 m"  # of a version before
    notes = {"trajectory_length": 1.25, "trajectory_offset": 4e-4, "trajectory_left_out": {"a": 1, "b": 2}}
    assert trajectory_text(notes).endswith(": a (1), b (2)")
    assert "400 µm" in trajectory_text(notes)
    assert "left out" not in trajectory_text(notes | {"trajectory_left_out": {}})


@pytest.mark.long
def test_the_trajectory_is_told(tmp_path, monkeypatch, capsys: pytest.CaptureFixture[str]) -> None:
    """It is described by check, at the end of a run, by info and in the report: rails left out, and distances of links
    from it.
    """
    monkeypatch.chdir(tmp_path)
    given = ["pfeiffer-roller", "--set", "run.formulation.coordinates=path"]
    told = {}
    for words in (
        ["check", *given, "--no-draw"],
        ["run", *given, "--until", "0.5 ms", "--set", "run.save.rate=20000", "-o", "run.nc", "--report"],
        ["info", "run.nc"],
    ):
        with pytest.raises(SystemExit) as ending:
            main(words)
        assert ending.value.code == 0
        told[words[0]] = " ".join(capsys.readouterr().out.split())
    told["report"] = Path("run.html").read_text(encoding="utf-8")
    for text in told.values():
        assert re.search(r"trajectory of 1\.143[78] m, links up to 430 µm away from it.*fixed rail \(2\)", text)


def test_a_link_beyond_a_bend_has_no_path(start: System) -> None:
    state = start.state.copy()
    n = start.parameters.links
    frame = start.parameters.planar.frame
    centre = np.array([frame.x[0], frame.y[0]])
    place = state[: 2 * n].reshape(2, n).T - centre
    nearest = 1 + int(np.argmin(np.hypot(*place[1:].T)))
    state[[nearest, n + nearest]] = centre - 0.1 * place[nearest]
    with pytest.raises(ComputationError, match=f"link {nearest} .*coordinates = 'cartesian'"):
        _ = replace(start, state=state).as_integrated
