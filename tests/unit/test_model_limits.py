"""The table [limits] of a drive and of its stages: read, printed, refused."""

import pytest
from typer.testing import CliRunner

import chaindrive as cd
from chaindrive.cli.commands import app
from chaindrive.errors import InputError
from chaindrive.mechanism.stages import chains_alone
from chaindrive.model import Limits, example, loads, override

GIVEN = """
[limits]
tension = "6 kN"
dynamic_strength = "2.5 kN"
bearing_pressure = "25 MPa"
wear_coefficient = "2e-10 mm^2/N"
elongation = "2 %"
life = "15000 h"
"""


def test_read_with_units_and_printed_again():
    drive = loads(example("industrial-08b").to_toml().replace("\n[run]", GIVEN + "\n[run]", 1))
    limits = drive.limits
    assert (limits.tension, limits.dynamic_strength, limits.bearing_pressure) == (6e3, 2.5e3, 25e6)
    assert limits.wear_coefficient == pytest.approx(2e-16)
    assert limits.elongation == pytest.approx(0.02)
    assert limits.life == pytest.approx(5.4e7)
    assert limits.application_factor == 1.0
    assert loads(drive.to_toml()) == drive
    assert example("industrial-08b").limits is None


def test_all_that_is_wrong_is_told_at_once():
    wrong = {"tension": "3 m", "woehler_exponent": 0.5, "life": -1, "tensoin": 3}
    with pytest.raises(InputError) as told:
        cd.Drive.from_dict(example("industrial-08b").to_dict() | {"limits": wrong})
    places = {problem.place for problem in told.value.problems}
    assert places == {"limits.tension", "limits.woehler_exponent", "limits.life", "limits.tensoin"}


@pytest.mark.parametrize("name", ["tension", "dynamic_strength"])
def test_a_limit_above_the_breaking_load_is_refused(name):
    drive = example("industrial-08b")
    with pytest.raises(InputError, match=rf"limits\.{name}.*breaking load of the chain, 17800 N"):
        override(drive, {f"limits.{name}": "19 kN"})
    assert getattr(override(drive, {f"limits.{name}": "17.8 kN"}).limits, name) == 17.8e3


def test_it_is_told_beside_other_problems():
    fields = example("industrial-08b").to_dict() | {"limits": {"tension": "1 MN"}, "gravity": [1, 2, 3]}
    with pytest.raises(InputError) as told:
        cd.Drive.from_dict(fields)
    assert {problem.place for problem in told.value.problems} == {"gravity", "limits.tension"}


def test_every_stage_has_its_own():
    drive = example("tandem")
    stage = drive.stages[0].model_copy(update={"limits": Limits(life="3000 h")})
    both = drive.model_copy(update={"limits": Limits(life="1000 h"), "stages": (stage,)})
    assert [each.limits.life / 3600.0 for each in chains_alone(both)] == pytest.approx([1000.0, 3000.0])
    assert loads(both.to_toml()) == both
    fields = drive.to_dict()
    fields["stages"][0]["limits"] = {"tension": "1 GN"}
    with pytest.raises(InputError, match=r"stages\[0\]\.limits\.tension"):
        cd.Drive.from_dict(fields)


@pytest.mark.parametrize("kind", ["roller", "link", "block"])
def test_no_formulation_minds(kind):
    drive = override(example("industrial-08b"), {"limits.life": "100 h", "run.formulation.kind": kind})
    assert drive.limits.life == pytest.approx(3.6e5)


def test_keys_explain_them():
    found = CliRunner().invoke(app, ["keys", "limits"], env={"COLUMNS": "160"})
    assert found.exit_code == 0
    for name in Limits.model_fields:
        assert name in found.stdout
    assert "Haibach" in found.stdout
