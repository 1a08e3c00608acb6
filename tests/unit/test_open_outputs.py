"""Output of runs of open chains, with and without wheels: files, resumption, reports, figures, commands."""

from __future__ import annotations

import inspect
import math

import matplotlib as mpl
import numpy as np
import pytest

import chaindrive
from chaindrive import plots
from chaindrive.analyses.results.loop import link_load, tension_envelope
from chaindrive.analyses.results.rainflow import link_rainflow
from chaindrive.cli.main import main
from chaindrive.errors import InputError
from chaindrive.model import Body, BodyEnd, FreeEnd, GroundEnd, Wheel, override
from support.open_drives import PITCH, hanging, open_drive
from support.short_searches import give_up_early

pytestmark = pytest.mark.usefixtures("few_windows")

mpl.use("Agg")

RADIUS = PITCH / (2.0 * math.sin(math.pi / 19))


def lift(until=0.02):
    wheel = Wheel(
        name="sheave",
        teeth=19,
        inertia=0.02,
        tooth={"form": "iso-606"},
        side="back",
        position=(RADIUS, 0.8),
        body="mast",
        mass=2.0,
    )
    up = math.pi / 2
    motion = {"kind": "move", "by": 0.02, "duration": 0.04}
    bodies = [
        Body(name="mast", mass=10.0, joint={"kind": "prismatic", "direction": up, "motion": motion}),
        Body(name="carriage", mass=50.0, joint={"kind": "prismatic", "direction": up, "damping": 500.0}),
    ]
    ends = GroundEnd(position=(0.0, 0.0)), BodyEnd(body="carriage", position=(2.0 * RADIUS, 0.2))
    return open_drive(ends, 65, until=until, wheels=[wheel], bodies=bodies, run={"start": "at_rest"})


DRIVES = {
    "lift": lift,
    "hanging": lambda until=0.02: hanging(12, load=1.0, until=until),
    "falling": lambda until=0.02: open_drive((FreeEnd(position=(0.0, 0.0)), FreeEnd(mass=1.0)), 5, until=until),
}


CLEARANCE = {"joint_clearance": 5e-5, "pin_diameter": 0.00794}


def linked(made):
    """The same with rigid links."""
    changes = {"run.formulation.kind": "link"} | {f"chain.{name}": value for name, value in CLEARANCE.items()}
    return lambda until=0.02: override(made(until=until), changes)


DRIVES |= {f"{name} of links": linked(made) for name, made in DRIVES.items()}
EACH = [pytest.param(name, marks=() if name in ("lift", "hanging") else pytest.mark.long) for name in DRIVES]
"""By default a chain with wheels and one without; ``test_commands`` has free ends. Ends and outputs of links are
those of rollers, and ``verification/test_open_links.py`` runs them."""


@pytest.fixture(scope="module", params=EACH)
def made(request, tmp_path_factory):
    path = tmp_path_factory.mktemp(request.param) / "run.nc"
    return chaindrive.simulate(DRIVES[request.param](), output=path), path


def test_files_hold_what_was_computed(made):
    solution, path = made
    there = chaindrive.open(path)
    links = solution.drive.chain.links
    assert there.values("link_tension").shape[1] == links
    assert there.values("roller_position").shape[1:] == (links + 1, 2)
    if "pin_force" in there:
        assert there.values("link_angle").shape[1] == links
        assert there.values("pin_force").shape[1:] == (links + 1, 2)
    assert there.values("link_path_position")[-1] == pytest.approx(np.arange(links) + 0.5)
    assert there.values("span_tension").shape[1] == len(solution.drive.span_names)
    assert there.drive == solution.drive


class Stop:
    """Ctrl-C once the run has reached a time."""

    def __init__(self, time):
        self.time = time

    def __call__(self, progress):
        if progress.time > self.time:
            raise KeyboardInterrupt


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name == "lift" else pytest.mark.long) for name in DRIVES]
)
def test_an_interrupted_run_goes_on_bit_for_bit(name, tmp_path, monkeypatch):
    monkeypatch.setattr("chaindrive.simulation.simulate.BUDGET", 777 * 10)  # cut at odd places
    drive = DRIVES[name](until=0.01)
    whole = chaindrive.simulate(drive)
    path = tmp_path / "run.nc"
    cut = chaindrive.simulate(drive, output=path, progress=Stop(0.004))
    assert cut.status.name == "INTERRUPTED"
    cut.close()
    resumed = chaindrive.simulate(drive, output=path, resume=True)
    for channel in ("roller_position", "link_tension", "energy_kinetic"):
        assert np.array_equal(resumed.values(channel), whole.values(channel))


def test_a_run_begins_where_another_one_ended():
    drive = lift(until=0.05)
    first = chaindrive.simulate(drive)
    still = drive.model_copy(
        update={"bodies": (drive.bodies[0].model_copy(update={"joint": {"kind": "fixed"}}), drive.bodies[1])}
    )
    with pytest.raises(InputError):  # a prescribed joint begins at rest
        chaindrive.simulate(drive, initial=first)
    assert still.bodies[1] == drive.bodies[1]
    free = hanging(12, load=1.0, until=0.05)
    swung = chaindrive.simulate(free, start="as_placed")
    on = chaindrive.simulate(free, initial=swung)
    assert on.values("roller_position")[0] == pytest.approx(swung.values("roller_position")[-1], abs=1e-9)


def test_reports_figures_and_analyses(made, tmp_path):
    solution, _ = made
    page = tmp_path / "report.html"
    chaindrive.write_report([solution], page)
    assert "closed" in page.read_text("utf-8")
    assert solution._repr_html_()
    assert solution.drive._repr_html_()
    forces = {"contact_force", "bearing_force"} & {tile.key for tile in solution.verdict.tiles}
    assert bool(forces) == bool(solution.drive.wheels)  # without wheels there are none
    refused = []
    drawn = 0
    for name in plots.__all__:
        draw = getattr(plots, name)
        first = next(iter(inspect.signature(draw).parameters), "") if name.startswith(("plot_", "data_")) else ""
        if first not in ("solution", "drive"):
            continue
        drawn += 1
        try:
            draw(solution if first == "solution" else solution.drive)
        except InputError:  # what this drive has not: wheels, turns of a wheel, guides
            refused.append(name)
    assert drawn - len(refused) > 10
    assert not [name for name in refused if any(word in name for word in ("tension", "span", "drive", "energ", "loop"))]
    assert drawn > 10
    links = solution.drive.chain.links
    assert tension_envelope(solution).link_high.shape == (links,)
    assert np.isnan(link_load(solution, 0).articulation[:, 0]).all()
    assert np.isnan(link_load(solution, links - 1).articulation[:, 1]).all()
    assert np.isfinite(link_load(solution, 1).articulation).all()
    assert link_rainflow(solution).loops == 0.0


def test_what_nothing_holds_is_released_as_placed(monkeypatch):
    give_up_early(monkeypatch)
    body = Body(name="stone", mass=5.0, joint={"kind": "prismatic", "direction": math.pi / 2})
    drive = open_drive((FreeEnd(mass=0.1), BodyEnd(body="stone", position=(0.0, 0.0))), 3, until=0.05, bodies=[body])
    found = chaindrive.simulate(drive)
    assert not found.notes["static_converged"]
    assert "the chain is released as placed" in found.warnings[0]
    fallen = found.values("joint_position")[:, 0]
    assert fallen == pytest.approx(-0.5 * 9.81 * found.time**2, abs=1e-5)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("hanging", marks=pytest.mark.long),
        "lift",
        "falling",
        pytest.param("lift of links", marks=pytest.mark.long),
    ],
)
def test_commands(name, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "drive.toml").write_text(str(DRIVES[name](until=0.01)), encoding="utf-8")

    def call(*arguments):
        with pytest.raises(SystemExit) as ended:
            main(list(arguments))
        said = capsys.readouterr()
        return ended.value.code or 0, said.out + said.err

    assert call("check", "drive.toml")[0] == 0
    code, said = call("analyze", "drive.toml")
    if name.startswith("falling"):  # nothing holds it
        assert code == 2
        assert "equilibrium" in said
    else:
        assert code == 0
        assert "System eigenfrequencies" in said
    assert call("analyze", "drive.toml", "--tension", "1 kN")[0] == 1
    assert call("run", "drive.toml")[0] == 0
    assert call("info", "drive.nc")[0] == 0
    assert call("export", "drive.toml", "-o", "drive.svg")[0] == 0
    assert call("export", "drive.nc", "-o", "drive.csv")[0] == 0
