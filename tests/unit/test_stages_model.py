"""Stages of a drive: refusals with their places, and output about them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import chaindrive as cd
from chaindrive.cli.commands import app
from chaindrive.errors import InputError
from chaindrive.mechanism.stages import chains_alone
from chaindrive.model import Drive, loads, override

pytestmark = pytest.mark.usefixtures("few_windows")

TEXT = """
name = "two"
chain = { standard = "08B-1", links = 80 }
contact = { stiffness = "1 GN/m^1.5" }

[[wheels]]
name = "motor"
teeth = 17
position = [0.0, 0.0]
tooth = { form = "iso-606" }
motion = { kind = "constant_speed", speed = "600 rpm" }

[[wheels]]
name = "middle"
teeth = 34
position = [0.3435, 0.0]
tooth = { form = "iso-606" }
inertia = 4e-3

[[stages]]
name = "second"
shaft = { from_wheel = "middle", to_wheel = "small" }
chain = { standard = "10B-1", links = 90 }

[[stages.wheels]]
name = "small"
teeth = 19
position = [0.0, 0.0]
tooth = { form = "iso-606" }
inertia = 2e-3

[[stages.wheels]]
name = "drum"
teeth = 38
position = [0.0, -0.4855]
tooth = { form = "iso-606" }
inertia = 0.05
load_torque = 60.0

[run]
until = 0.02
start = "at_speed"
formulation = { kind = "block" }
"""

WRONG = [
    (('from_wheel = "middle"', 'from_wheel = "midle"'), "stages[0].shaft.from_wheel", "is not a wheel of that chain"),
    (('to_wheel = "small"', 'to_wheel = "smal"'), "stages[0].shaft.to_wheel", "is not a wheel of the stage"),
    (('to_wheel = "small"', 'to_wheel = "small", ratio = 0'), "stages[0].shaft.ratio", "must not be 0"),
    (
        ('to_wheel = "small"', 'to_wheel = "small", from_stage = "third"'),
        "stages[0].shaft.from_stage",
        "not an earlier stage",
    ),
    (
        ('to_wheel = "small"', 'to_wheel = "small", backlash = "1 deg"'),
        "stages[0].shaft.backlash",
        "as the shaft is rigid otherwise",
    ),
    (('to_wheel = "small"', 'to_wheel = "small", damping = 1.0'), "stages[0].shaft.damping", "needs a stiffness"),
    (
        (
            "inertia = 4e-3",
            "inertia = 4e-3\nmass = 1.0\nunbalance = { mass_moment = 1e-3 }\nshaft = { length = 0.1, diameter = 0.02 }",
        ),
        "stages[0].shaft.from_wheel",
        "has an unbalance and an elastic support",
    ),
    (('name = "second"', 'name = "se.cond"'), "stages[0].name", "must not contain '.'"),
    (("links = 90", "links = 2"), "stages[0].chain.links", "must be"),
    (("links = 90", 'links = 90, ends = [{ kind = "free" }, { kind = "free" }]'), "stages[0].chain.ends", ""),
    (("load_torque = 60.0", "initial_speed = 3.0"), "stages[0].wheels[1].initial_speed", "cannot be given in a stage"),
    (
        ("load_torque = 60.0", "motion = { kind = 'constant_speed', speed = 1.0 }"),
        "stages[0].wheels[1].motion",
        "which is turned by its shaft",
    ),
    (("inertia = 2e-3\n", ""), "stages[0].wheels[0]", "needs an inertia"),
    (('kind = "block"', 'kind = "spatial"'), "stages", "cannot be simulated with links in space"),
    (('name = "drum"', 'name = "small"'), "stages[0].wheels[1].name", "must be unique"),
]


@pytest.mark.parametrize(("change", "place", "says"), WRONG, ids=[w[1] for w in WRONG])
def test_what_cannot_be_is_refused_at_its_place(change: tuple[str, str], place: str, says: str) -> None:
    assert change[0] in TEXT
    with pytest.raises(InputError) as caught:
        loads(TEXT.replace(*change))
    found = {problem.place: problem.message for problem in caught.value.problems}
    assert place in found, found
    assert says in found[place]


def test_problems_of_all_chains_are_told_at_once() -> None:
    text = TEXT.replace('from_wheel = "middle"', 'from_wheel = "x"').replace("600 rpm", "600 N")
    with pytest.raises(InputError) as caught:
        loads(text.replace("links = 90", "links = 2"))
    places = {problem.place for problem in caught.value.problems}
    assert {"wheels[0].motion.speed", "stages[0].chain.links"} <= places


def test_the_text_of_a_drive_gives_it_again() -> None:
    drive = loads(TEXT)
    assert loads(drive.to_toml()) == drive
    changed = override(drive, {"stages.0.shaft.ratio": "-2", "stages.second.wheels.drum.load_torque": "30 N m"})
    assert changed.stages[0].shaft.ratio == -2.0
    assert changed.stages[0].wheels[1].load_torque == 30.0


def test_each_chain_alone_is_a_drive() -> None:
    first, second = chains_alone(loads(TEXT))
    for chain in (first, second):
        assert isinstance(chain, Drive)
        assert loads(chain.to_toml()) == chain
    assert first.wheels[1].load_torque == pytest.approx(30.0)
    assert second.name == "two: second"
    assert second.wheels[0].motion is not None


@pytest.fixture(scope="module")
def result(tmp_path_factory: Any) -> Path:
    path: Path = tmp_path_factory.mktemp("stages") / "two.nc"
    cd.simulate(loads(TEXT), output=path).close()
    return path


def test_every_chain_is_a_solution_of_its_own(result: Path) -> None:
    with cd.open(result) as solution:
        assert solution.stages == ("second",)
        first, second = solution.chains
        assert second["wheel_speed"].sel(wheel="drum").shape == solution.time.shape
        assert not any("." in name for name in (*first.channels, *second.channels))
        assert "shaft_torque" in second
        assert "shaft_torque" not in first
        assert second.drive.chain.links == 90
        assert second.notes["static_converged"]
        assert "shaft" in second.notes
        assert "loops" in second.notes
        assert second.offers("shaft_torque")
        assert not first.offers("shaft_torque")
        with pytest.raises(InputError, match="no such stage; available: 'second'"):
            solution.stage("secnd")
        saved = result.with_name("saved.nc")
        second.save(saved)
    with cd.open(saved) as alone:
        assert alone.name == "two: second"
        assert alone.audit.input > 0.0
        assert alone.drive.wheels[1].name == "drum"


@pytest.mark.filterwarnings("ignore:.*divide:RuntimeWarning")  # a slack span of the block has no tension at rest
def test_what_is_printed_and_drawn_by_chain(result: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "two.toml").write_text(TEXT)

    def output_of(*arguments: str) -> str:
        found = CliRunner().invoke(app, list(arguments))
        assert found.exit_code == 0, found.output
        return found.output

    assert "two: second" in output_of("check", "two.toml")
    assert (tmp_path / "two-second.png").exists()
    assert "two: second" in output_of("analyze", "two.toml")
    assert "Energy of two: second" in output_of("info", str(result))
    output_of("plot", str(result), "overview", "--stage", "second")
    assert (tmp_path / "two-second-overview.png").exists()
    output_of("export", str(result), "-o", "s.csv", "--stage", "second", "--channels", "shaft_torque")
    assert "shaft_torque" in (tmp_path / "s.csv").read_text()
    output_of("report", str(result), "-o", "r.html")
    page = (tmp_path / "r.html").read_text()
    assert "two: second" in page
    wrong = CliRunner().invoke(app, ["export", "two.toml", "-o", "s.svg", "--stage", "x"])
    assert isinstance(wrong.exception, InputError)
