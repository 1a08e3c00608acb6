"""FMUs as machines: their description, archives that are refused, the same numbers as a Python object."""

from __future__ import annotations

import io
import struct
import zipfile
from pathlib import Path

import numpy as np
import pytest

import chaindrive as cd
from chaindrive.cli.main import main
from chaindrive.cosimulation.archive import unpack
from chaindrive.cosimulation.description import described, system_folder
from chaindrive.errors import InputError
from chaindrive.model import Machine
from support import coupled_pump
from support.coupled_pump import Motor
from support.made_fmu import COMPILER, motor_description, motor_fmu, written

pytest.importorskip("fmpy")
compiled = pytest.mark.skipif(COMPILER is None, reason="no C compiler")
SHAFT = {"rotor": "motor", "torque": "torque", "speed": "speed"}


def drive(file: Path, shaft=None, parameters=None, **coupling) -> cd.Drive:
    given = coupled_pump.coupled(**coupling).to_dict()
    machine = {"name": "supply", "file": str(file), "shafts": [shaft or SHAFT], "parameters": parameters or {}}
    return cd.Drive(**given | {"machines": [machine]})


def run(file: Path, until: float = 0.01, **fields) -> cd.Solution:
    return cd.simulate(drive(file, **fields), until, allow_machines=["supply"], progress=False)


def refused(file: Path, **fields) -> dict[str, str]:
    made = drive(file, **fields)
    with pytest.raises(InputError) as error:
        described(made.machines[0], "machines[0]", made.signals(0))
    return {problem.place: problem.message for problem in error.value.problems}


@compiled
@pytest.mark.parametrize("version", [2, 3])
def test_the_motor_as_an_fmu_is_the_motor_in_python(version: int, tmp_path: Path) -> None:
    found = run(motor_fmu(tmp_path, version), step=2e-4)
    python = cd.simulate(coupled_pump.coupled(step=2e-4), 0.01, machines={"supply": Motor()}, progress=False)
    # FMI 2.0 takes derivatives of inputs, as the Python object does; FMI 3.0 the value in the middle: h^2 / 24 T.
    assert not found.status.failed
    exact = version == 2
    assert np.allclose(found["motor.speed"], python["motor.speed"], rtol=1e-9 if exact else 1e-5, atol=1e-9)


@compiled
@pytest.mark.parametrize("version", [pytest.param(2, marks=pytest.mark.long), 3])
def test_iterated_and_resumed(version: int, tmp_path: Path, monkeypatch) -> None:
    from chaindrive.simulation import machines

    monkeypatch.setattr(machines, "MOMENT", 0.0)
    made = drive(motor_fmu(tmp_path, version), step=5e-4, scheme="iterated")
    whole = cd.simulate(made, 0.004, allow_machines=["supply"], progress=False)

    def interrupting(progress) -> None:
        if progress.time > 0.002:
            raise KeyboardInterrupt

    path = tmp_path / "run.nc"
    cd.simulate(made, 0.004, allow_machines=["supply"], output=path, progress=interrupting).close()
    with cd.simulate(made, 0.004, allow_machines=["supply"], output=path, resume=True, progress=False) as resumed:
        assert np.array_equal(resumed["motor.speed"], whole["motor.speed"])


@compiled
def test_parameters_and_signals_have_units(tmp_path: Path) -> None:
    rated = run(motor_fmu(tmp_path), parameters={"stall_torque": "0.02 kN*m", "time_constant": "10 ms"}, step=2e-4)
    plain = run(motor_fmu(tmp_path), parameters={"stall_torque": 20, "time_constant": 0.01}, step=2e-4)
    other = run(motor_fmu(tmp_path), parameters={"stall_torque": 40}, step=2e-4)
    assert np.array_equal(rated["motor.speed"], plain["motor.speed"])
    assert not np.allclose(rated["motor.speed"], other["motor.speed"], rtol=0.1)
    straight = run(motor_fmu(tmp_path), step=2e-4)
    for unit in ("rev/min", "1/min"):
        rpm = motor_fmu(tmp_path, speed=unit, no_load_speed="rev/min")
        turned = run(rpm, parameters={"no_load_speed": "150 rad/s"}, step=2e-4)
        assert np.allclose(turned["motor.speed"], straight["motor.speed"], rtol=1e-9)


@compiled
def test_a_gear_refers_torque_and_speed(tmp_path: Path) -> None:
    """A motor behind a gear of -2 is equivalent to one of twice the torque and half the speed that turns the other
    way.
    """
    geared = run(motor_fmu(tmp_path), shaft=SHAFT | {"gear_ratio": -2}, step=2e-4)
    alike = run(motor_fmu(tmp_path), parameters={"stall_torque": -80, "no_load_speed": -75}, step=2e-4)
    assert np.allclose(geared["motor.speed"], alike["motor.speed"], rtol=1e-9)


@compiled
def test_a_pi_control_in_an_fmu_is_the_governor_of_the_drive(tmp_path: Path) -> None:
    """Its torque depends on the speed at the same instant; M = P (w0 - w) + I times the integral of w0 - w."""
    speed, gain, integral = 20.0, 0.5, 8.0
    pi = {
        "no_load_speed": speed,
        "gain": "0.5 N*m*s/rad",
        "leak": 0,
        "time_constant": 1.0,
        "stall_torque": integral * speed,
    }
    rows = cd.SaveOptions(rate=500)
    fields = drive(motor_fmu(tmp_path), parameters=pi, step=1e-4).to_dict()
    fields["rotors"][0]["torque"]["mean"] = gain * speed  # the shaft carries it at the start
    made = cd.Drive(**fields)
    found = cd.simulate(made, 0.1, allow_machines=["supply"], save=rows, progress=False)
    governor = {"kind": "governor", "speed": speed, "largest_torque": 1e3, "least_torque": -1e3}
    given = coupled_pump.monolithic().to_dict()
    motor, pump = given["rotors"]
    motor["torque"] = governor | {"proportional": gain, "integral": integral}
    whole = cd.simulate(cd.Drive(**given | {"rotors": [motor, pump]}), 0.1, save=rows, progress=False)
    assert float(whole["motor.speed"].max()) > 0.2 * speed
    assert np.allclose(found["motor.speed"], whole["motor.speed"], rtol=0.0, atol=2e-5 * speed)


@compiled
def test_an_fmu_that_fails_in_the_middle_ends_the_run_with_its_words(tmp_path: Path) -> None:
    found = run(motor_fmu(tmp_path), parameters={"fails_at": "5 ms"}, step=5e-4)
    assert found.status.name == "MACHINE_FAILED"
    assert found.status.where.startswith("machine 'supply': ")
    assert "the winding burnt out" in found.status.where
    assert found.time[-1] == pytest.approx(0.005, abs=1e-3)


def test_what_does_not_fit_is_told_by_place(tmp_path: Path) -> None:
    file = written(tmp_path / "m.fmu", motor_description(), {f"binaries/{system_folder(2)}/motor.so": b"x"})
    shaft = {"rotor": "motor", "torque": "speed", "speed": "torque", "angle": "phi"}
    told = refused(file, shaft=shaft, parameters={"stall_torqe": 1, "torque": 2, "time_constant": "3 m", "current": 1})
    assert "must be an output" in told["machines[0].shafts[0].torque"]
    assert "must be an input" in told["machines[0].shafts[0].speed"]
    assert "the FMU has no such variable" in told["machines[0].shafts[0].angle"]
    assert "the FMU has no such variable; did you mean 'stall_torque'?" in told["machines[0].parameters.stall_torqe"]
    assert "coupled to the drive" in told["machines[0].parameters.torque"]
    assert "machines[0].parameters.time_constant" in told
    assert "must be a parameter or an input" in told["machines[0].parameters.current"]
    wrong = written(tmp_path / "u.fmu", motor_description(speed="m", torque="rad/s"), {})
    told = refused(wrong)
    assert (
        "must be a torque, in N m or an equivalent unit; the unit of this variable is 'rad/s'"
        in told["machines[0].shafts[0].torque"]
    )
    assert "must be a speed" in told["machines[0].shafts[0].speed"]


def test_a_missing_binary_is_told_with_those_that_are_there(tmp_path: Path) -> None:
    file = written(tmp_path / "m.fmu", motor_description(), {"binaries/vax32/motor.exe": b"x"})
    assert "has no binary for this system" in refused(file)["machines[0].file"]
    assert "it has vax32" in refused(file)["machines[0].file"]


def test_a_library_that_does_not_load_is_told(tmp_path: Path) -> None:
    file = written(tmp_path / "m.fmu", motor_description(), {f"binaries/{system_folder(2)}/motor.so": b"no library"})
    before = Path.cwd()
    with pytest.raises(InputError, match="cannot be started"):
        run(file)
    assert Path.cwd() == before


@pytest.mark.parametrize("name", ["../out", "/etc/out", "a/../../out", "c:out", "a\\..\\out"])
def test_paths_that_lead_out_are_refused(name: str, tmp_path: Path) -> None:
    file = written(tmp_path / "m.fmu", motor_description(), {name: b"x"})
    assert "leads out of it" in refused(file)["machines[0].file"]


def test_links_and_bombs_and_strangers_are_refused(tmp_path: Path) -> None:
    def message(path: Path) -> str:
        return refused(path)["machines[0].file"]

    link = tmp_path / "link.fmu"
    with zipfile.ZipFile(link, "w") as archive:
        archive.writestr("modelDescription.xml", motor_description())
        entry = zipfile.ZipInfo("resources/link")
        entry.external_attr = 0o120777 << 16
        archive.writestr(entry, "/etc/passwd")
    assert "contains a link" in message(link)
    assert "from very little data" in message(written(tmp_path / "b.fmu", motor_description(), {"z": bytes(3_000_000)}))
    entity = motor_description().replace("?>", '?><!DOCTYPE a [<!ENTITY b "c">]>', 1)
    assert "without document types" in message(written(tmp_path / "e.fmu", entity, {}))
    (tmp_path / "t.fmu").write_text("no archive")
    assert "not a readable FMU" in message(tmp_path / "t.fmu")
    assert "no such file" in message(tmp_path / "missing.fmu")
    with zipfile.ZipFile(tmp_path / "n.fmu", "w") as archive:
        archive.writestr("x", "y")
    assert "contains no modelDescription.xml" in message(tmp_path / "n.fmu")
    old = motor_description().replace('fmiVersion="2.0"', 'fmiVersion="1.0"')
    assert "its version is 1" in message(written(tmp_path / "o.fmu", old, {}))
    assert "cannot be read" in message(written(tmp_path / "x.fmu", '<a fmiVersion="2.0">', {}))
    assert "not an FMU for co-simulation" in message(
        written(tmp_path / "i.fmu", motor_description().replace('Identifier="motor"', 'Identifier="../m"'), {})
    )


def test_a_file_longer_than_it_says_is_not_unpacked(tmp_path: Path) -> None:
    """The size in the directory of the archive is not trusted; no more than that is written."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr("a", b"0123456789" * 1000)
    raw = content.getvalue()
    at = raw.rindex(b"PK\x01\x02")
    changed = io.BytesIO(raw[: at + 24] + struct.pack("<I", 10) + raw[at + 28 :])
    with zipfile.ZipFile(changed) as archive, pytest.raises(zipfile.BadZipFile):
        unpack(archive, tmp_path)
    assert sum(file.stat().st_size for file in tmp_path.iterdir()) <= 10


def test_the_code_of_an_fmu_runs_only_if_asked_for(tmp_path: Path) -> None:
    file = written(tmp_path / "m.fmu", motor_description(), {f"binaries/{system_folder(2)}/motor.so": b"x"})
    with pytest.raises(InputError, match="allow it by name: --allow-machine 'supply'"):
        cd.simulate(drive(file), 0.01, progress=False)
    assert described(Machine(name="m", file=str(file), shafts=[SHAFT]), "machines[0]", []).serialised


@compiled
def test_on_the_command_line(tmp_path: Path, monkeypatch, capfd) -> None:
    monkeypatch.chdir(tmp_path)
    motor_fmu(tmp_path)
    Path("pump.toml").write_text(str(drive(Path("motor2.fmu"), step=5e-4)))

    def call(*words: str) -> tuple[int, str]:
        with pytest.raises(SystemExit) as ended:
            main(list(words))
        told = capfd.readouterr()
        return int(ended.value.code or 0), " ".join((told.out + told.err).split())

    code, text = call("check", "pump.toml", "--no-draw", "--no-equilibrium")
    assert (code, "its code was not run" in text) == (0, True)
    code, text = call("run", "pump.toml", "--until", "5 ms")
    assert (code, "allow it by name: --allow-machine 'supply'" in text) == (1, True)
    code, text = call("run", "pump.toml", "--until", "5 ms", "--allow-machine", "supply")
    assert (code, "machine 'supply' at 'motor'" in text) == (0, True)
    code, text = call("run", "pump.toml", "--until", "5 ms", "--allow-machine", "engine", "--force")
    assert (code, "the drive has no such machine; it has supply" in text) == (1, True)
    code, text = call("info", "pump.nc")
    assert (code, "energy residual" in text) == (0, True)
    broken = str(drive(Path("motor2.fmu"), parameters={"fails_at": "1 ms"}, step=5e-4))
    Path("broken.toml").write_text(broken)
    code, text = call("run", "broken.toml", "--until", "5 ms", "--allow-machine", "supply")
    assert (code, "the winding burnt out" in text) == (2, True)
