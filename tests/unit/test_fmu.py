"""Drives as FMUs: their content, and that an importer gets the numbers of our own runs."""

from __future__ import annotations

import math
import re
import shutil
import subprocess
import tomllib
import xml.etree.ElementTree as ET
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

import chaindrive as cd
from chaindrive.errors import InputError
from chaindrive.fmu import toolchain
from chaindrive.fmu.build import prepared, write_fmu
from chaindrive.fmu.description import _powers, _typed, _units
from chaindrive.fmu.image import image_of
from chaindrive.fmu.parameters import _law, followed
from chaindrive.fmu.variables import Variable, _part, with_inputs
from chaindrive.kernels.compiler import ENABLED
from chaindrive.kernels.tables import Reals, blank
from chaindrive.model import override
from support.fmus import OwnRun, opened, repeats_bit_for_bit
from support.input_drives import on_a_slide
from support.small_drives import two_wheels

fmpy = pytest.importorskip("fmpy")
needs_compiler = pytest.mark.skipif(
    not ENABLED or shutil.which("gcc") is None, reason="needs compiled kernels, and gcc"
)
H = 1e-3
TORQUE, SPEED, STIFFNESS = "wheels.driven.torque", "wheels.driver.speed", "chain.link_stiffness"


@pytest.fixture(scope="module")
def drive():
    return two_wheels()


@pytest.fixture(scope="module")
def written(drive, tmp_path_factory):
    """The drive as an FMU of both versions, by version."""
    folder = tmp_path_factory.mktemp("fmus")
    wanted = {"formulation": "block", "inputs": [TORQUE], "parameters": [STIFFNESS]}
    return {
        version: write_fmu(drive, folder / f"{version}.fmu", version=version, **wanted) for version in ("2.0", "3.0")
    }


@pytest.fixture
def open_fmu(tmp_path):
    return opened(tmp_path)


def own(drive, **options):
    return OwnRun(prepared(drive, "block", **options))


# The image


class Inner(NamedTuple):
    a: Reals
    b: Reals


class Outer(NamedTuple):
    number: float
    table: Inner
    part: np.ndarray
    whole: np.ndarray
    nothing: np.ndarray


def test_an_image_holds_arrays_once_and_addresses_from_its_beginning():
    whole = np.arange(12.0).reshape(3, 4)
    table = blank(Inner, 2)
    table.b[:] = 5.0, 6.0
    outer = Outer(2.5, table, whole[1], whole, np.zeros(0))
    image = image_of(outer)
    at = image.offset(whole)
    assert image.offset(outer.part, 2) == at + 6 * 8
    assert np.frombuffer(image.content, count=12, offset=at).tolist() == whole.ravel().tolist()
    assert np.frombuffer(image.content, count=2, offset=image.offset(table.b)).tolist() == [5.0, 6.0]
    assert np.frombuffer(image.content, count=1, offset=image.word(0, "number")).tolist() == [2.5]
    # four arrays that are not empty, and one that is: each address is in the words, and within the image
    addresses = [int.from_bytes(image.content[k : k + 8], "little") for k in image.pointers]
    assert len(addresses) == 5
    assert sorted(addresses)[1:] == sorted([image.offset(each) for each in (table.a, table.b, outer.part, whole)])
    with pytest.raises(LookupError):
        image.offset(np.zeros(3))


# Parameters


@pytest.mark.parametrize("power", [1.0, -1.0, 0.5, -0.5, 2.0, -2.0])
def test_the_law_of_a_number_is_found(power):
    values = np.array([1.0, 1.6, 2.6, 4.0])
    slope, found = _law(values, 3.0 - 7.0 * values**power)
    assert found == power
    assert math.isclose(slope, -7.0, rel_tol=1e-12)


def test_a_number_without_a_simple_law_has_none():
    values = np.array([1.0, 1.6, 2.6, 4.0])
    assert _law(values, np.sin(values)) is None
    assert _law(values, np.array([1.0, 2.0, np.inf, 4.0])) is None


def test_keys_that_cannot_be_parameters_are_refused_with_the_reason(drive):
    with pytest.raises(InputError) as refused:
        followed(drive, ["chain.links", "chain.link_stifness", "name", "wheels.0.teeth", "chain.pitch"])
    told = {problem.value or problem.message: problem.message for problem in refused.value.problems}
    assert "whole number" in told["chain.links"]
    assert any("link_stiffness" in text for text in told.values())
    assert "at 0.00635, which is tried, chain.roller_diameter" in told["chain.pitch"]  # half of the pitch
    assert len(told) == 5


# Inputs, outputs, choices


@pytest.mark.parametrize(
    ("wanted", "says"),
    [
        ("wheels.drivn.torque", "driven"),
        ("wheels.driven.angle", "inputs can be wheels.driver.speed, wheels.driven.torque"),
        ("wheels.driver.torque", "follows its motion"),
        ("wheels.driven.speed", "constant_speed"),
        ("chain.torque", "inputs can be"),
    ],
)
def test_an_input_that_is_not_possible_is_refused(drive, wanted, says):
    with pytest.raises(InputError, match=says):
        with_inputs(drive, [wanted])


def test_what_is_asked_for_becomes_an_input_of_the_drive():
    given = override(on_a_slide({"kind": "roller"}, {"load": 50.0}), {"wheels.load.name": "the load"})
    names = [
        "wheels.motor.speed",
        "wheels.'the load'.torque",
        "bodies.slide.force",
        "tensioners.piston.supply_pressure",
    ]
    made = with_inputs(given, names)
    assert [name for name, place in made.inputs.items() if place.declared] == [name.replace("'", "") for name in names]
    assert made.wheels[0].motion.speed == given.wheels[0].motion.speed
    assert made.bodies[0].joint.load[0] == 50.0
    assert made.tensioners[0].supply_pressure.mean == given.tensioners[0].supply_pressure
    assert with_inputs(made, names) is made
    with pytest.raises(InputError, match="follows its motion whatever the force"):
        with_inputs(given, ["bodies.slide.force", "bodies.slide.position"])


def test_wrong_choices_are_refused_together(drive, tmp_path):
    with pytest.raises(InputError) as refused:
        write_fmu(drive, tmp_path / "x.fmu", version="1.0", platforms=["mac"])
    assert [problem.place for problem in refused.value.problems] == ["--fmi", "--platform"]


@needs_compiler
def test_an_output_that_there_is_not_is_refused_with_the_nearest(drive, tmp_path):
    with pytest.raises(InputError) as refused:
        write_fmu(drive, tmp_path / "x.fmu", formulation="block", outputs=["span_tensoin", "wheel_speed.drivn"])
    told = {problem.value: problem.message for problem in refused.value.problems}
    assert "span_tension" in told["span_tensoin"]
    assert "wheel_speed.driven" in told["wheel_speed.drivn"]
    assert not list(tmp_path.iterdir())


def test_a_method_of_a_library_is_refused(drive, tmp_path):
    pytest.importorskip("sksundae")
    with pytest.raises(InputError, match=r"only use with --python.*got bdf"):
        write_fmu(drive, tmp_path / "x.fmu", formulation="block", solver="bdf")
    assert not list(tmp_path.iterdir())


def test_without_a_compiler_it_says_what_to_install(monkeypatch, drive, tmp_path):
    monkeypatch.setattr(toolchain.shutil, "which", lambda _: None)
    monkeypatch.setattr(toolchain.importlib.util, "find_spec", lambda _: None)
    with pytest.raises(InputError, match=re.escape("pip install chaindrive[fmu]")):
        write_fmu(drive, tmp_path / "x.fmu")


def test_units_in_powers_of_base_units():
    assert _powers("N.m.s/rad") == {"kg": 1, "m": 2, "s": -1, "rad": -1}
    assert _powers("kg.m^2") == {"kg": 1, "m": 2}
    assert _powers("m^2.kg") == {"kg": 1, "m": 2}
    assert _powers("N/m^1.5") is None
    assert _powers("pitch") is None


def test_a_unit_is_defined_once_however_it_is_spelled():
    """Channels have N m and keys N*m: an importer needs one unit with its display unit."""
    both = [Variable("a", "output", "N m", "", 0), Variable("b", "parameter", "N*m", "", 1)]
    root = ET.fromstring(f"<u>{''.join(_units(both))}</u>")
    units = {unit.get("name"): unit for unit in root.iter("Unit")}
    assert sorted(units) == ["N.m", "s"]
    assert sum(1 for unit in root.iter("Unit")) == 2
    assert [each.get("name") for each in units["N.m"].iter("DisplayUnit")] == ["kN.m"]
    assert all(_typed(each)["displayUnit"] == "kN.m" for each in both)


def test_quotes_within_a_name_are_escaped():
    assert _part("moteur d'entr\u00e9e") == "'moteur d\\'entr\u00e9e'"
    assert _part("a\\b") == "'a\\\\b'"
    assert _part("motor") == "motor"


def test_a_file_that_is_no_fmu_is_never_replaced(drive, tmp_path):
    path = tmp_path / "drive.toml"
    path.write_text("name = 'mine'")
    with pytest.raises(InputError, match="is not an FMU"):
        write_fmu(drive, path, overwrite=True)
    assert path.read_text() == "name = 'mine'"


# What is written


@needs_compiler
def test_both_versions_are_valid_and_the_same_each_time(written, drive, tmp_path):
    from fmpy.validation import validate_fmu

    for made in written.values():
        assert validate_fmu(str(made.path)) == []
    again = write_fmu(drive, tmp_path / "again.fmu", formulation="block", inputs=[TORQUE], parameters=[STIFFNESS])
    assert again.model.token == written["2.0"].model.token
    assert again.path.read_bytes() == written["2.0"].path.read_bytes()


@needs_compiler
def test_the_archive_holds_nothing_but_the_library_and_data(written):
    with zipfile.ZipFile(written["3.0"].path) as archive:
        names = set(archive.namelist())
        stored = tomllib.loads(archive.read("resources/drive.toml").decode())
        assert stored["run"]["formulation"]["kind"] == "block"  # as it was written, not as the drive file has it
        identifier = written["3.0"].model.identifier
        assert names == {"modelDescription.xml", "resources/drive.toml", f"binaries/x86_64-linux/{identifier}.so"}
        root = ET.fromstring(archive.read("modelDescription.xml"))
    torque = root.find(f".//*[@name='{TORQUE}']")
    assert torque is not None
    assert torque.get("unit") == "N.m"
    assert root.find(".//Unit[@name='rad/s']/DisplayUnit[@name='rpm']") is not None


# The same numbers


@needs_compiler
@pytest.mark.parametrize("version", ["2.0", "3.0"])
def test_an_importer_gets_the_numbers_of_our_own_run(written, drive, open_fmu, version):
    """Bit for bit, also with an input that changes: the code is the same, compiled for the same kind of processor."""
    fmu = open_fmu(written[version].path)
    run = own(with_inputs(drive, [TORQUE]))
    (given,) = run.ready.system.inputs
    assert np.array_equal(fmu.start(), run.to(0.0, fmu.outputs))
    for k in range(20):
        if k in (5, 12):
            torque = -20.0 if k == 5 else 30.0
            fmu.set({TORQUE: torque})
            given.write(0.0, np.array([torque]))
            run.integrator.change_loads()
        assert np.array_equal(fmu.step(k * H, H), run.to(k * H + H, fmu.outputs)), k
    fmu.close()


@needs_compiler
def test_the_work_of_an_input_is_in_the_energy_balance(drive, tmp_path, open_fmu):
    """dE/dt = input - output - losses, in which a torque T on a wheel of speed w counts as an output -T w, like any
    load.

    The residual that the run itself integrates stays below 1e-6 of the work of the torque.
    """
    channels = ["energy_residual", "work_output", "wheel_speed.driven"]
    made = write_fmu(drive, tmp_path / "x.fmu", formulation="block", inputs=[TORQUE], outputs=channels)
    fmu, plain, work = open_fmu(made.path), own(drive), 0.0
    before = fmu.start()
    without = plain.to(0.0, channels)
    fmu.set({TORQUE: 25.0})
    for k in range(50):
        after = fmu.step(k * H, H)
        without = plain.to(k * H + H, channels)
        work += 25.0 * 0.5 * (before[2] + after[2]) * H
        before = after
    residual, output, _ = before
    assert abs(work) > 1.0
    assert abs(residual) < 1e-6 * abs(work)
    assert output - without[1] == pytest.approx(-work, rel=0.1)
    fmu.close()


@needs_compiler
def test_a_wheel_reaches_the_speed_that_is_its_input(drive, tmp_path, open_fmu):
    made = write_fmu(drive, tmp_path / "x.fmu", formulation="block", inputs=[SPEED], outputs=["wheel_speed.driver"])
    fmu = open_fmu(made.path)
    (start,) = fmu.start()
    assert fmu.step(0.0, H)[0] == pytest.approx(start, rel=1e-12)
    for k, speed in enumerate((0.9 * start, 1.1 * start, 1.1 * start, -start), start=1):
        fmu.set({SPEED: speed})
        assert fmu.step(k * H, H)[0] == pytest.approx(speed, rel=1e-9)
    fmu.close()


@needs_compiler
@pytest.mark.long
def test_position_force_and_supply_pressure_are_those_of_our_own_run(tmp_path, open_fmu):
    """A position is reached at the end of a step, with its mean speed there; loads hold over it.

    Before it, the own run gets the polynomials that the shell makes of them; both differ in rounding alone. A method of
    fifth order integrates a speed that changes linearly exactly.
    """
    drive = override(on_a_slide({"kind": "roller"}, {}), {"run.solver.method": "dormand-prince"})
    names = ["bodies.slide.position", "tensioners.piston.supply_pressure"]
    outputs = ["joint_position.slide", "joint_speed.slide", "motion_force.slide", "tensioner_pressure.piston"]
    for wanted, force in ((names, False), (["bodies.slide.force"], True)):
        made = with_inputs(drive, wanted)
        written = write_fmu(made, tmp_path / f"{force}.fmu", inputs=wanted, outputs=outputs[: 2 if force else 4])
        fmu, run = open_fmu(written.path), OwnRun(prepared(made))
        assert np.array_equal(fmu.start(), run.to(0.0, fmu.outputs))
        system, before, values = run.ready.system, 0.0, {}
        for k, after in enumerate((1e-5, 3e-5, -2e-5, 0.0)):
            values = {wanted[0]: 1e6 * after} if force else {names[0]: after, names[1]: 2e5 + 1e9 * after}
            fmu.set(values)
            for given in system.inputs:
                value = values[given.name]
                line = [value - (after - before), (after - before) / H] if given.quantity == "position" else [value]
                given.write(k * H, given.course(np.array(line), H, run.integrator.state))
            run.integrator.change_loads()
            before, found, expected = after, fmu.step(k * H, H), run.to(k * H + H, fmu.outputs)
            assert found == pytest.approx(expected, rel=1e-6, abs=1e-9)
            assert force or found[0] == pytest.approx(after, abs=1e-12)
        fmu.close()


@needs_compiler
def test_a_parameter_acts_as_the_value_in_the_file(written, drive, open_fmu):
    """As for a drive compiled with that value, from the same start; the laws of its numbers agree to 1e-9 with it."""
    stiffness = drive.chain.link_stiffness
    fmu = open_fmu(written["2.0"].path)
    fmu.start(**{STIFFNESS: 1.5 * stiffness})
    ready = prepared(override(drive, {STIFFNESS: 1.5 * stiffness}), "block")
    other = OwnRun(ready._replace(system=replace(ready.system, state=prepared(drive, "block").system.state)))
    other.to(0.0, fmu.outputs)
    for k in range(10):
        found, expected = fmu.step(k * H, H), other.to(k * H + H, fmu.outputs)
        assert found == pytest.approx(expected, rel=1e-6, abs=1e-6 * np.abs(expected).max()), k
    with pytest.raises(Exception, match="fmi2SetReal"):
        fmu.set({STIFFNESS: stiffness})
    assert "until the end of the initialization" in fmu.messages[-1]
    fmu.close()


# States


@needs_compiler
@pytest.mark.parametrize("version", ["2.0", "3.0"])
def test_a_run_goes_back_to_a_state_bit_for_bit(written, open_fmu, version):
    fmu = open_fmu(written[version].path)
    fmu.start()
    other = open_fmu(written[version].path)
    other.start()
    repeats_bit_for_bit(fmu, other, {TORQUE: -15.0}, H)
    fmu.close()
    other.close()


@needs_compiler
def test_bytes_of_a_state_that_are_not_whole_are_refused(written, open_fmu, tmp_path):
    """Two hundred damaged states, and that of another model, are refused; the run continues as if nothing had
    happened.
    """
    fmu = open_fmu(written["2.0"].path)
    fmu.start()
    early = fmu.model.serializeFMUstate(fmu.state())
    before = fmu.step(0.0, H)
    late = fmu.model.serializeFMUstate(fmu.state())
    chance = np.random.default_rng(32)
    for number in range(200):
        data = bytearray(late)
        place, length = int(chance.integers(len(data))), int(chance.integers(1, 64))
        if number % 4 == 0:  # a bit
            data[place] ^= 1 << int(chance.integers(8))
        elif number % 4 == 1:  # some bytes
            data[place : place + length] = bytes(each ^ 0x5A for each in data[place : place + length])
        elif number % 4 == 2:  # torn in writing over an earlier one
            differs = np.flatnonzero(np.frombuffer(early, np.uint8) != np.frombuffer(late, np.uint8))
            place = int(chance.integers(differs[0] + 1, differs[-1] + 1))
            data[place:] = early[place:]
        else:  # too short or too long
            data = data[:place] if place % 2 else data + bytes(length)
        with pytest.raises(Exception, match="fmi2DeSerializeFMUstate"):
            fmu.model.deSerializeFMUstate(bytes(data))
    said = " ".join(fmu.messages)
    assert len(fmu.messages) == 200
    assert "is damaged" in said
    assert f"has {len(late)} bytes, not" in said
    state = fmu.model.deSerializeFMUstate(late)
    fmu.step(H, H)
    fmu.put_back(state)
    assert np.array_equal(fmu.get(), before)
    given = {"formulation": "block", "inputs": [TORQUE], "parameters": [STIFFNESS]}
    other = open_fmu(write_fmu(two_wheels(speed=11.0), tmp_path / "other.fmu", **given).path)
    with pytest.raises(Exception, match="fmi2DeSerializeFMUstate"):
        other.model.deSerializeFMUstate(late)
    assert "does not belong to this model" in other.messages[-1]
    other.close()
    fmu.close()


@needs_compiler
def test_a_reset_run_begins_anew(written, open_fmu):
    fmu = open_fmu(written["2.0"].path)
    first = [fmu.start(), *(fmu.step(k * H, H) for k in range(3))]
    fmu.model.reset()
    assert np.array_equal([fmu.start(), *(fmu.step(k * H, H) for k in range(3))], first)
    fmu.model.reset()
    later = [fmu.start(time=7.0), *(fmu.step(7.0 + k * H, H) for k in range(3))]  # its own time begins at 0
    assert later == pytest.approx(np.array(first), rel=1e-6, abs=1e-6)
    fmu.close()


# Endings and errors


@needs_compiler
@pytest.mark.parametrize("version", ["2.0", "3.0"])
def test_an_ending_ends_the_step_with_its_reason(tmp_path, open_fmu, version):
    drive = two_wheels()
    options = cd.BlockOptions(maximum_tension=5e3)
    made = write_fmu(drive, tmp_path / "x.fmu", version=version, formulation=options, inputs=[TORQUE])
    fmu = open_fmu(made.path)
    fmu.start()
    fmu.set({TORQUE: -1e4})
    ended = None
    for k in range(200):
        try:
            answer = fmu.model.doStep(k * H, H)
        except Exception:
            ended = k
            break
        if fmu.three and answer[1]:
            ended = k
            break
    assert ended is not None
    (message,) = fmu.messages
    assert "tension" in message
    reached = answer[3] if fmu.three else _last_time(fmu)
    assert ended * H <= reached <= ended * H + H
    assert np.isfinite(fmu.get()).all()
    assert fmu.get("span_tension.'driver - driven'", "span_tension.'driven - driver'").max() == pytest.approx(
        5e3, rel=1e-6
    )
    fmu.close()


def _last_time(fmu) -> float:
    from ctypes import byref, c_double, c_int

    value, flag = c_double(), c_int()
    fmu.model.fmi2GetRealStatus(fmu.model.component, 2, byref(value))
    fmu.model.fmi2GetBooleanStatus(fmu.model.component, 3, byref(flag))
    assert flag.value == 1
    return value.value


@needs_compiler
def test_what_is_wrong_is_refused_with_words(written, open_fmu):
    fmu = open_fmu(written["2.0"].path)
    with pytest.raises(Exception, match="DoStep"):
        fmu.model.doStep(0.0, H)
    assert "before the initialization" in fmu.messages[-1]
    fmu.start()
    for call, says in (
        (lambda: fmu.model.doStep(1.0, H), "where the last one ended"),
        (lambda: fmu.model.doStep(0.0, -H), "above zero"),
        (lambda: fmu.set({TORQUE: math.nan}), "finite"),
        (lambda: fmu.model.setReal([9999], [1.0]), "9999"),
        (lambda: fmu.model.getReal([9999]), "9999"),
        (lambda: fmu.model.setReal([fmu.numbers[fmu.outputs[0]]], [1.0]), "neither an input nor a parameter"),
        (lambda: fmu.model.getInteger([0]), "integer"),
    ):
        with pytest.raises(Exception, match="fmi2"):
            call()
        assert says in fmu.messages[-1]
    assert np.isfinite(fmu.step(0.0, H)).all()
    fmu.close()


@needs_compiler
@pytest.mark.parametrize("version", ["2.0", "3.0"])
def test_calls_in_any_order_end_no_process(written, tmp_path, version):
    """A thousand calls at random, in a separate process, which ends normally."""
    found = written[version]
    with zipfile.ZipFile(found.path) as archive:
        archive.extractall(tmp_path)
    (library,) = tmp_path.glob("binaries/*/*.so")
    script = Path(__file__).parent.parent / "support" / "random_calls.py"
    done = subprocess.run(
        ["python3", str(script), str(library), version, found.model.token, str(len(found.model.variables)), "1000"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 20  # steps that were made


# Another importer


@needs_compiler
@pytest.mark.parametrize("version", ["2.0", "3.0"])
def test_an_importer_in_c_gets_the_same(written, open_fmu, tmp_path, version):
    headers = Path(fmpy.__file__).parent / "c-code"
    source = Path(__file__).parent.parent / "support" / "fmu_importer.c"
    program = tmp_path / "importer"
    subprocess.run(["gcc", "-O1", "-I", str(headers), str(source), "-o", str(program), "-ldl"], check=True)
    found = written[version]
    with zipfile.ZipFile(found.path) as archive:
        archive.extractall(tmp_path)
    (library,) = tmp_path.glob("binaries/*/*.so")
    count, number = len(found.model.variables), 0
    command = [str(program), str(library), version, found.model.token, str(H), "10", str(count), str(number), "-5"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    rows = np.array([[float(cell) for cell in line.split()] for line in done.stdout.splitlines()])
    fmu = open_fmu(found.path)
    names = [each.name for each in found.model.variables]
    fmu.start()
    fmu.set({TORQUE: -5.0})
    for k in range(10):
        fmu.step(k * H, H)
        assert np.array_equal(rows[k + 1, 1:], fmu.get(*names))
    fmu.close()


@needs_compiler
def test_the_shell_has_the_functions_of_the_standard(written, tmp_path):
    """Every function of both versions, with the arguments that the headers of the standard give it."""
    headers = Path(fmpy.__file__).parent / "c-code"
    for version, made in written.items():
        text = (headers / f"fmi{version[0]}Functions.h").read_text()
        names = set(re.findall(rf"(fmi{version[0]}\w+)TYPE +fmi", text)) - {"fmi2CompletedIntegratorStep"}
        with zipfile.ZipFile(made.path) as archive:
            archive.extractall(tmp_path / version)
        (library,) = (tmp_path / version).glob("binaries/*/*.so")
        symbols = subprocess.run(
            ["nm", "-D", "--defined-only", str(library)], capture_output=True, text=True, check=True
        )
        exported = {line.split()[-1] for line in symbols.stdout.splitlines()}
        only_for_model_exchange = {
            "fmi2EnterEventMode", "fmi2NewDiscreteStates", "fmi2EnterContinuousTimeMode", "fmi2SetTime",
            "fmi2SetContinuousStates", "fmi2GetDerivatives", "fmi2GetEventIndicators", "fmi2GetContinuousStates",
            "fmi2GetNominalsOfContinuousStates",
        }  # fmt: skip
        assert len(names) > 30
        assert names - only_for_model_exchange <= exported
        assert not {name for name in exported if not name.startswith("fmi")} - {"_init", "_fini"}


@needs_compiler
def test_the_command_writes_one(tmp_path, monkeypatch, capsys):
    from chaindrive.cli.main import main

    (tmp_path / "drive.toml").write_text(two_wheels().to_toml())
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as left:
        main(["fmu", "drive.toml", "--formulation", "block", "--input", TORQUE, "--channel", "span_tension"])
    assert left.value.code == 0
    assert "Wrote drive.fmu" in capsys.readouterr().out
    assert (tmp_path / "drive.fmu").exists()
    with pytest.raises(SystemExit) as left:
        main(["fmu", "drive.toml", "--formulation", "block"])
    assert left.value.code == 1
    assert "exists already" in capsys.readouterr().err


def test_python_offers_it():
    assert cd.write_fmu is write_fmu
