"""Rotors of a drive: refusals with their places, and output about them."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from typer.testing import CliRunner

import chaindrive as cd
from chaindrive.analyses.analytical.operating import load_power, operating_point
from chaindrive.cli.check import speed_text
from chaindrive.cli.commands import app
from chaindrive.errors import InputError
from chaindrive.mechanism.stages import chains_alone
from chaindrive.model import loads, override

pytestmark = pytest.mark.usefixtures("few_windows")

TEXT = """
name = "geared"
chain = { standard = "08B-1", links = 80 }
contact = { stiffness = "1 GN/m^1.5" }

[[wheels]]
name = "front"
teeth = 17
position = [0.0, 0.0]
tooth = { form = "iso-606" }
inertia = 2e-3

[[wheels]]
name = "rear"
teeth = 34
position = [0.3435, 0.0]
tooth = { form = "iso-606" }
inertia = 4e-3
load_torque = 30.0

[[rotors]]
name = "motor"
inertia = 4e-3
torque = { kind = "dc_motor", stall_torque = "12 N m", no_load_speed = "1500 rpm" }
shaft = { from_wheel = "front", ratio = 3.0 }

[run]
until = 0.02
start = "at_speed"
formulation = { kind = "block" }
"""

WRONG = [
    (('from_wheel = "front"', 'from_wheel = "frnt"'), "rotors[0].shaft.from_wheel", "is not a wheel of that chain"),
    (("ratio = 3.0", "ratio = 0.0"), "rotors[0].shaft.ratio", "must not be 0"),
    (("ratio = 3.0", 'from_stage = "second"'), "rotors[0].shaft.from_stage", "is not an earlier stage"),
    (("ratio = 3.0", "backlash = 0.1"), "rotors[0].shaft.backlash", "needs a stiffness"),
    (("ratio = 3.0", "damping = 0.1"), "rotors[0].shaft.damping", "needs a stiffness"),
    (('name = "motor"', 'name = "mo.tor"'), "rotors[0].name", "must not contain '.'"),
    (("inertia = 4e-3\ntorque", "torque"), "rotors[0].inertia", ""),
    (('kind = "block"', 'kind = "spatial"'), "rotors", "cannot be simulated with links in space"),
    (("inertia = 2e-3\n", ""), "rotors[0].shaft.from_wheel", "needs an inertia"),
    (("torque = { kind", "x = { kind"), "rotors[0].x", ""),
]


@pytest.mark.parametrize(("change", "place", "says"), WRONG, ids=[w[1] + w[2][:5] for w in WRONG])
def test_what_cannot_be_is_refused_at_its_place(change: tuple[str, str], place: str, says: str) -> None:
    assert change[0] in TEXT
    with pytest.raises(InputError) as caught:
        loads(TEXT.replace(*change))
    found = {problem.place: problem.message for problem in caught.value.problems}
    assert place in found, found
    assert says in found[place]


def test_nothing_drives_without_the_motor() -> None:
    text = TEXT.replace("stall_torque", "stall_torque").replace(
        'torque = { kind = "dc_motor", stall_torque = "12 N m", no_load_speed = "1500 rpm" }', "load_torque = 2.0"
    )
    with pytest.raises(InputError, match="nothing drives"):
        loads(text)


def test_the_text_of_a_drive_gives_it_again() -> None:
    drive = loads(TEXT)
    assert loads(drive.to_toml()) == drive
    assert override(drive, {"rotors.motor.shaft.ratio": "-2"}).rotors[0].shaft.ratio == -2.0


FLYWHEEL = """[[rotors]]
name = "flywheel"
inertia = 2e-3
shaft = { from_wheel = "rear", stiffness = "20 kN*m/rad" }

"""
"""Inserted before the motor, it makes a drive with the kernels that test_rotors.py also needs."""


def test_what_is_printed_and_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "geared.toml").write_text(TEXT.replace("[[rotors]]", FLYWHEEL + "[[rotors]]"))

    def output_of(*arguments: str) -> str:
        found = CliRunner().invoke(app, list(arguments))
        assert found.exit_code == 0, found.output
        return " ".join(found.output.split())

    assert "front (3 times as fast, shaft rigid), 91.63 rad/s. torque on motor: direct-current" in output_of(
        "check", "geared.toml", "--no-draw"
    )
    assert "rotor motor" in output_of("run", "geared.toml", "-o", "geared.nc")
    told = output_of("info", "geared.nc")
    assert "Energy of rotor motor" in told
    assert "motor.shaft_torque" in told
    output_of("report", "geared.nc", "-o", "r.html")
    assert "Rotors outside the chains" in (tmp_path / "r.html").read_text()
    with cd.open("geared.nc") as solution:
        assert solution.rotors == ("flywheel", "motor")
        assert solution.chains[0]["motor.speed"].shape == solution.time.shape
        assert solution.rotor_audit("motor").input > 0.0
        assert not solution.warnings
        with pytest.raises(InputError, match="no such rotor; available: 'flywheel', 'motor'"):
            solution.rotor_audit("engine")


@pytest.mark.parametrize(("given", "start"), [(None, "from rest"), ("250 rpm", "at 899.6 mm/s")])
def test_the_balance_is_that_of_the_motor(given: str | None, start: str) -> None:
    """36 (1 - 3 w / 157.08) = 30 / 2 at 30.54 rad/s of the front wheel. With an initial speed, the motor counted as a
    constant torque of its value at that speed.
    """
    drive = loads(TEXT) if given is None else override(loads(TEXT), {"wheels.front.initial_speed": given})
    (alone,) = chains_alone(drive)
    told = speed_text(alone, drive)
    assert told.startswith(start)
    assert told.endswith("1.05 m/s, 291.7 rpm of front")


def test_a_motor_on_a_rotor_is_no_load() -> None:
    """Its torque in the chain alone is one that drives; the power of the loads is that of the rear wheel."""
    (alone,) = chains_alone(override(loads(TEXT), {"wheels.front.initial_speed": "250 rpm"}))
    speed = 250.0 * math.pi / 30.0
    assert alone.wheels[0].load_torque == 0.0
    assert alone.wheels[0].torque == pytest.approx(36.0 * (1.0 - 3.0 * 250.0 / 1500.0))
    assert load_power(operating_point(alone, [1.0, 1.0])) == pytest.approx(30.0 * 0.5 * speed)
