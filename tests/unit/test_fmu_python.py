"""Drives as FMUs that the importer's Python steps: their content, and that an importer gets our own numbers."""

from __future__ import annotations

import io
import json
import math
import os
import shutil
import subprocess
import sys
import sysconfig
import xml.etree.ElementTree as ET
import zipfile
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import numpy as np
import pytest

import chaindrive as cd
from chaindrive.contract.status import Status
from chaindrive.errors import InputError
from chaindrive.fmu import python_archive, toolchain
from chaindrive.fmu.build import model_of, prepared, write_fmu
from chaindrive.fmu.python_run import PythonRun, opened
from chaindrive.fmu.variables import with_inputs
from chaindrive.kernels.compiler import ENABLED
from chaindrive.model import override
from chaindrive.model.files.drives import loads
from chaindrive.results.checkpoint import read_arrays, write_arrays
from chaindrive.solvers.choice import integrator_for
from chaindrive.version import release
from support import fmus
from support.fmus import OwnRun, repeats_bit_for_bit
from support.input_drives import on_a_slide
from support.small_drives import two_wheels

fmpy = pytest.importorskip("fmpy")
pytest.importorskip("pythonfmu")
pytest.importorskip("pythonfmu3")
H = 1e-3
TORQUE, STIFFNESS = "wheels.driven.torque", "chain.link_stiffness"
VERSIONS = ("2.0", "3.0")
LONG = pytest.mark.long
WANTED = {"formulation": "block", "inputs": [TORQUE], "parameters": [STIFFNESS]}
SUPPORT = Path(fmus.__file__).parent
HERE = os.pathsep.join(sys.path)
"""Folder in which a separate process finds chaindrive."""


@pytest.fixture(scope="module")
def drive():
    return two_wheels()


@pytest.fixture(scope="module")
def written(drive, tmp_path_factory):
    """The drive as an FMU for a Python, by version."""
    folder = tmp_path_factory.mktemp("fmus")
    return {each: write_fmu(drive, folder / f"{each}.fmu", version=each, python=True, **WANTED) for each in VERSIONS}


@pytest.fixture
def open_fmu(tmp_path):
    return fmus.opened(tmp_path)


def run_of(drive, inputs=(), parameters=(), outputs=(), **options) -> PythonRun:
    """A run without an archive, at the end of its initialization."""
    ready = prepared(with_inputs(drive, inputs), parameters=parameters, compiled=False, **options)
    return PythonRun(ready, model_of(ready, outputs), "{token}")


def begun(run: PythonRun) -> PythonRun:
    run.enter_initialization()
    run.exit_initialization()
    return run


# What is written


@pytest.mark.parametrize("version", VERSIONS)
def test_it_is_valid_and_says_what_it_needs(written, version):
    from fmpy.validation import validate_fmu

    path = written[version].path
    assert validate_fmu(str(path)) == []
    told = fmpy.read_model_description(str(path))
    for text in (told.description, told.generationTool):
        assert f"needs Python with chaindrive {release()}" in text
    assert told.coSimulation.needsExecutionTool
    assert sorted(fmpy.supported_platforms(str(path))) == ["linux64", "win64"]


def test_its_repr_names_the_file_and_is_short(written):
    for made in written.values():
        assert str(made.path) in repr(made)
        assert made.model.name in repr(made.model)
        assert max(len(repr(made)), len(repr(made.model))) < 200 + len(str(made.path))


def test_its_drive_is_data_and_the_licence_of_the_library_goes_with_it(written):
    with zipfile.ZipFile(written["2.0"].path) as archive:
        names = set(archive.namelist())
        own = {name for name in names if not name.startswith(("resources/pythonfmu/", "binaries/"))}
        assert own == {
            "modelDescription.xml",
            "resources/chaindrive.json",
            "resources/drive.toml",
            "resources/slavemodule.txt",
            "resources/chaindrive_fmi2.py",
            "resources/chaindrive_here.py",
            "documentation/licenses/pythonfmu.txt",
        }
        assert b"Permission is hereby granted" in archive.read("documentation/licenses/pythonfmu.txt")
        again = loads(archive.read("resources/drive.toml").decode())
    assert again.run.formulation.kind == "block"
    assert again.inputs[TORQUE].declared


@pytest.mark.skipif(not ENABLED or shutil.which("gcc") is None, reason="needs compiled kernels, and gcc")
@pytest.mark.parametrize("version", VERSIONS)
def test_it_has_the_variables_of_the_compiled_one(written, drive, tmp_path, version):
    compiled = write_fmu(drive, tmp_path / "x.fmu", version=version, **WANTED)
    rooms = []
    for path in (written[version].path, compiled.path):
        with zipfile.ZipFile(path) as archive:
            root = ET.fromstring(archive.read("modelDescription.xml"))
        rooms.append([ET.tostring(root.find(name)) for name in ("ModelVariables", "UnitDefinitions", "ModelStructure")])
    assert rooms[0] == rooms[1]


def test_no_compiler_is_asked_for(monkeypatch, drive, tmp_path):
    monkeypatch.setattr(toolchain.shutil, "which", lambda _: None)
    monkeypatch.setattr(toolchain.importlib.util, "find_spec", lambda _: None)
    with pytest.raises(InputError, match="--python writes an FMU without a compiler"):
        write_fmu(drive, tmp_path / "x.fmu", formulation="block")
    monkeypatch.undo()
    monkeypatch.setattr(toolchain.shutil, "which", lambda _: None)
    assert write_fmu(drive, tmp_path / "x.fmu", formulation="block", python=True).path.exists()


def test_without_the_library_it_says_what_to_install(monkeypatch, drive, tmp_path):
    def nothing(name):
        raise PackageNotFoundError(name)

    monkeypatch.setattr(python_archive, "distribution", nothing)
    with pytest.raises(InputError, match=r"pythonfmu3.*pip install chaindrive\[fmu\]"):
        write_fmu(drive, tmp_path / "x.fmu", version="3.0", python=True)
    assert not list(tmp_path.iterdir())


def test_the_command_names_it_as_what_it_is(tmp_path, monkeypatch, capsys):
    from chaindrive.cli.main import main

    (tmp_path / "drive.toml").write_text(two_wheels().to_toml())
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as left:
        main(["fmu", "drive.toml", "--python", "--formulation", "block", "--channel", "span_tension"])
    assert left.value.code == 0
    said = capsys.readouterr().out
    assert "Wrote drive-python.fmu" in said
    assert f"needs Python with chaindrive {release()}" in said
    assert (tmp_path / "drive-python.fmu").exists()


# The same numbers


@pytest.mark.parametrize("version", VERSIONS)
def test_an_importer_gets_the_numbers_of_our_own_run(written, drive, open_fmu, version):
    """Bit for bit, also with an input that changes."""
    fmu = open_fmu(written[version].path)
    own = OwnRun(prepared(with_inputs(drive, [TORQUE]), "block"))
    (given,) = own.ready.system.inputs
    assert np.array_equal(fmu.start(), own.to(0.0, fmu.outputs))
    for k in range(20):
        if k in (5, 12):
            torque = -20.0 if k == 5 else 30.0
            fmu.set({TORQUE: torque})
            given.write(0.0, np.array([torque]))
            own.integrator.change_loads()
        assert np.array_equal(fmu.step(k * H, H), own.to(k * H + H, fmu.outputs)), k
    fmu.close()


def test_outputs_do_not_change_the_run(drive):
    """Steps whose works have errors are judged by the time since the start of the run, whatever is recorded."""
    run = begun(run_of(drive, [TORQUE], outputs=["wheel_speed"], formulation="block", solver="dormand-prince"))
    ready = prepared(with_inputs(drive, [TORQUE]), "block", "dormand-prince")
    plain = integrator_for(ready.system, ready.settings, math.inf, 1)
    plain.advance(0.0)
    run.set([0], [-20.0])
    ready.system.inputs[0].write(0.0, np.array([-20.0]))
    plain.change_loads()
    for k in range(10):
        assert run.step(k * H, H)
        while plain.advance(k * H + H) == Status.RUNNING:
            pass
    assert np.array_equal(run._integrator.state, plain.state)
    assert run._integrator.statistics.mean_step == plain.statistics.mean_step


def test_a_wheel_reaches_the_speed_that_is_its_input(drive):
    run = begun(run_of(drive, ["wheels.driver.speed"], outputs=["wheel_speed.driver"], formulation="block"))
    (start,) = run.get([1])
    for k, speed in enumerate((start, 0.9 * start, 1.1 * start, -start)):
        run.set([0], [speed])
        assert run.step(k * H, H)
        assert run.get([1, 2]) == pytest.approx([speed, k * H + H], rel=1e-9)


def test_nothing_of_a_run_is_left_at_its_next_start(drive):
    """For example the acceleration that led to a speed within the first step."""
    run = run_of(drive, ["wheels.driver.speed"], formulation="block")
    every = range(1, len(run._variables))
    untouched = run.save()
    first = begun(run).get(every)
    memory = run._ready.system.memory_arrays()
    before = {name: array.copy() for name, array in memory.items()}
    run.set([0], [1.0])
    assert run.step(0.0, H)
    assert any(not np.array_equal(array, before[name], equal_nan=True) for name, array in memory.items())
    run.restore(untouched)
    assert begun(run).get(every) == first
    assert all(np.array_equal(array, before[name], equal_nan=True) for name, array in memory.items())


def test_a_position_is_given_as_a_line_to_the_end_of_the_step():
    """From the position x0 of the body it is x0 + (x1 - x0)/h s; a pressure is constant."""
    wanted = ["bodies.slide.position", "tensioners.piston.supply_pressure"]
    run = run_of(on_a_slide({"kind": "roller"}, {}), wanted, outputs=["joint_position.slide"])
    names = [each.name for each in run._ready.system.inputs]
    run.set([names.index(name) for name in wanted], [3e-5, 2.5e5])
    run._make()
    k = names.index(wanted[0])
    here = run._ready.system.inputs[k].position
    run._integrator._control.state[here] = 1e-5
    found = run._signals(H).coefficients
    assert found[:, k] == pytest.approx([1e-5, 2e-2])
    assert found[:, 1 - k] == pytest.approx([2.5e5, 0.0])


@pytest.mark.long
@pytest.mark.parametrize(("method", "within"), [("dormand-prince", 1e-6), ("verlet-beeman", 5e-4)])
def test_positions_are_reached_with_the_mean_speed_of_the_step(method, within):
    """x(h) = x1 and x'(h) = (x1 - x0)/h, as for the compiled FMU.

    The speed changes linearly within a step h. Methods of fifth order integrate this exactly, of second order not.
    """
    given = override(on_a_slide({"kind": "roller"}, {}), {"run.solver.method": method})
    wanted = ["bodies.slide.position", "tensioners.piston.supply_pressure"]
    outputs = ["joint_position.slide", "joint_speed.slide"]
    run = begun(run_of(given, wanted, outputs=outputs))
    names = [each.name for each in run._variables]
    before = 0.0
    for k, after in enumerate((1e-5, 3e-5, -2e-5)):
        run.set([names.index(name) for name in wanted], [after, 2e5 + 1e9 * after])
        assert run.step(k * H, H)
        assert run.get([2, 3]) == pytest.approx([after, (after - before) / H], rel=within, abs=1e-12)
        before = after


def test_a_parameter_acts_as_the_value_in_the_file(drive):
    """As for a drive with that value, from the same start; again after the run went on with another one."""
    stiffness = drive.chain.link_stiffness
    run = run_of(drive, parameters=[STIFFNESS], outputs=["span_tension"], formulation="block")
    for value in (1.5 * stiffness, stiffness, 0.5 * stiffness):
        fresh = run_of(override(drive, {STIFFNESS: value}), outputs=["span_tension"], formulation="block")
        fresh._ready = fresh._ready._replace(system=_from(fresh._ready.system, run._ready.system.state))
        state = run.save()
        run.set([0], [value])
        for each, first in ((begun(run), 1), (begun(fresh), 0)):
            for k in range(5):
                assert each.step(k * H, H)
            each.found = each.get([first, first + 1])
        assert run.found == pytest.approx(fresh.found, rel=1e-6)
        run.restore(state)


def _from(system, state):
    from dataclasses import replace

    return replace(system, state=state)


@pytest.mark.long
def test_methods_of_a_library_can_be_used(drive):
    """They need Python in every step, which is available; the compiled FMU refuses them."""
    pytest.importorskip("sksundae")
    channels = ["span_tension"]
    run = begun(run_of(drive, outputs=channels, formulation="block", solver="bdf"))
    own = OwnRun(prepared(drive, "block", "bdf", compiled=False))
    names = [each.name for each in run._variables]
    own.to(0.0, names)
    for k in range(3):
        assert run.step(k * H, H)
        assert run.get(range(len(names))) == pytest.approx(own.to(k * H + H, names), rel=1e-9)


# States


@pytest.mark.parametrize("version", VERSIONS)
def test_a_run_goes_back_to_a_state_bit_for_bit(written, open_fmu, version):
    """Also in another instance, from the bytes of the state."""
    fmu = open_fmu(written[version].path)
    fmu.start()
    other = open_fmu(written[version].path)
    repeats_bit_for_bit(fmu, other, {TORQUE: -15.0}, H)
    fmu.close()
    other.close()


def test_a_state_that_is_not_whole_or_of_another_model_is_refused(drive):
    run = begun(run_of(drive, outputs=["span_tension"], formulation="block"))
    kept = run.save()
    arrays, _ = read_arrays(io.BytesIO(kept))
    name = "run_state.npy"
    with zipfile.ZipFile(io.BytesIO(kept)) as archive:
        contents = {each: archive.read(each) for each in archive.namelist()}
    changed = contents | {name: contents[name][:-1] + bytes([contents[name][-1] ^ 1])}
    for given, says in (
        (kept[: len(kept) // 2], "damaged"),
        (b"", "damaged"),
        (_archived(changed), "digest"),
        (_stored(arrays | {"token": np.frombuffer(b"{other}", np.uint8)}), "does not belong to this model"),
    ):
        with pytest.raises(ValueError, match=says):
            run.restore(given)
    before = run.get([0])
    run.step(0.0, H)
    run.restore(_stored(arrays))
    assert run.get([0]) == before


def _archived(contents: dict[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, content in contents.items():
            archive.writestr(name, content)
    return file.getvalue()


def _stored(arrays) -> bytes:
    file = io.BytesIO()
    write_arrays(file, arrays)
    return file.getvalue()


def test_a_reset_run_begins_anew(written, open_fmu):
    fmu = open_fmu(written["2.0"].path)
    first = [fmu.start(), *(fmu.step(k * H, H) for k in range(3))]
    fmu.model.reset()
    assert np.array_equal([fmu.start(), *(fmu.step(k * H, H) for k in range(3))], first)
    fmu.close()


# Endings and errors


@pytest.mark.parametrize("version", VERSIONS)
def test_an_ending_ends_the_step_with_its_reason(tmp_path, open_fmu, version):
    options = cd.BlockOptions(maximum_tension=5e3)
    made = write_fmu(
        two_wheels(), tmp_path / "x.fmu", version=version, formulation=options, inputs=[TORQUE], python=True
    )
    fmu = open_fmu(made.path)
    if not fmu.three:
        fmu.model.fmi2SetDebugLogging(fmu.model.component, 1, 0, None)
    fmu.start()
    fmu.set({TORQUE: -1e4})
    with pytest.raises(Exception, match="discard"):
        [fmu.step(k * H, H) for k in range(200)]
    (message,) = fmu.messages
    assert "tension" in message
    spans = fmu.get("span_tension.'driver - driven'", "span_tension.'driven - driver'")
    assert spans.max() == pytest.approx(5e3, rel=1e-6)
    fmu.close()


def test_what_is_wrong_is_refused_with_words(drive):
    run = run_of(drive, [TORQUE], [STIFFNESS], formulation="block")
    outputs = len(run._given)
    for call, says in (
        (lambda: run.step(0.0, H), "before the initialization"),
        (lambda: run.get([outputs]), "before the initialization"),
        (run.exit_initialization, "before the initialization"),
    ):
        with pytest.raises(ValueError, match=says):
            call()
    begun(run)
    for call, says in (
        (lambda: run.step(0.0, -H), "above zero"),
        (lambda: run.step(0.0, math.inf), "above zero"),
        (lambda: run.set([0], [math.nan]), "finite"),
        (lambda: run.set([9999], [1.0]), "9999"),
        (lambda: run.get([9999]), "9999"),
        (lambda: run.set([outputs], [1.0]), "is an output"),
        (lambda: run.set([1], [1.0]), "between"),
        (lambda: run.set([1], [drive.chain.link_stiffness]), "between steps"),
        (run.enter_initialization, "between steps"),
    ):
        with pytest.raises(ValueError, match=says):
            call()
    assert run.step(5.0, H)  # the run begins at the time of the first step
    with pytest.raises(ValueError, match="where the last one ended"):
        run.step(5.0, H)
    assert run.step(5.0 + H, H)


@pytest.mark.parametrize("version", VERSIONS)
def test_what_is_wrong_ends_the_run_and_not_the_importer(written, open_fmu, version):
    """The library of version 2.0 does not survive an exception. A reset, or an earlier state, repairs it."""
    fmu = open_fmu(written[version].path)
    first = fmu.start()
    state = fmu.state()
    fmu.set({TORQUE: math.nan})
    for _ in range(3):
        with pytest.raises(Exception, match="discard"):
            fmu.step(0.0, H)
    assert np.array_equal(fmu.get(), first)
    fmu.put_back(state)
    assert np.isfinite(fmu.step(0.0, H)).all()
    fmu.close()


def test_another_chaindrive_is_refused(written, tmp_path, capfd):
    with zipfile.ZipFile(written["2.0"].path) as archive:
        archive.extractall(tmp_path)
    place = tmp_path / "resources" / "chaindrive.json"
    told = json.loads(place.read_text())
    place.write_text(json.dumps(told | {"release": "7.1"}))
    with pytest.raises(ValueError, match=r"needs Python with chaindrive 7\.1 .* this Python has chaindrive"):
        opened(tmp_path / "resources")


def test_a_python_without_chaindrive_says_so(tmp_path):
    script = Path(python_archive.__file__).parent / "slaves" / "chaindrive_here.py"
    done = subprocess.run([sys.executable, "-I", "-S", str(script)], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "needs Python with chaindrive where it runs" in done.stderr


# Other importers


def _unpacked(made, folder: Path) -> tuple[Path, Path]:
    """The library for Linux, and the folder of resources."""
    with zipfile.ZipFile(made.path) as archive:
        archive.extractall(folder)
    (library,) = folder.glob("binaries/*/*.so")
    return library, folder / "resources"


@pytest.mark.long
def test_fmpy_simulates_it_in_a_process_of_its_own(written):
    """Random calls are made in such a process by default."""
    given = f"{str(written['2.0'].path)!r}, stop_time=0.01, output_interval=1e-3"
    code = f"import fmpy; print(fmpy.simulate_fmu({given})[-1][0])"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=os.environ | {"PYTHONPATH": HERE}
    )
    assert float(done.stdout) == pytest.approx(0.01)


@pytest.mark.parametrize("version", ["2.0", pytest.param("3.0", marks=LONG)])
def test_an_importer_without_python_gets_the_same(written, open_fmu, tmp_path, version):
    """An importer in C, into which the shared library of Python is loaded before the FMU."""
    python = Path(sysconfig.get_config_var("LIBDIR") or "") / (sysconfig.get_config_var("LDLIBRARY") or "none")
    if shutil.which("gcc") is None or python.suffix != ".so" or not python.exists():
        pytest.skip("needs gcc, and Python as a shared library")
    headers, program = Path(fmpy.__file__).parent / "c-code", tmp_path / "importer"
    source = SUPPORT / "fmu_importer.c"
    subprocess.run(["gcc", "-O1", "-w", "-I", str(headers), str(source), "-o", str(program), "-ldl"], check=True)
    library, resources = _unpacked(written[version], tmp_path)
    count = len(written[version].model.variables)
    command = [str(program), str(library), version, written[version].model.token, str(H), "5", str(count), "0", "-5"]
    around = {"LD_PRELOAD": str(python), "PYTHONHOME": sys.base_prefix, "PYTHONPATH": HERE}
    around["FMU_RESOURCES"] = resources.as_uri() if version == "2.0" else str(resources)
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=os.environ | around)
    assert done.returncode == 0, done.stderr
    rows = np.array([[float(cell) for cell in line.split()] for line in done.stdout.splitlines()])
    fmu = open_fmu(written[version].path)
    names = [each.name for each in written[version].model.variables]
    fmu.start()
    fmu.set({TORQUE: -5.0})
    for k in range(5):
        fmu.step(k * H, H)
        assert np.array_equal(rows[k + 1, 1:], fmu.get(*names))
    fmu.close()


@pytest.mark.long
@pytest.mark.parametrize("version", VERSIONS)
def test_calls_in_any_order_end_no_process(written, tmp_path, version):
    """A thousand calls at random; without null pointers, which end the library."""
    made = written[version]
    library, resources = _unpacked(made, tmp_path)
    script = SUPPORT / "random_calls.py"
    command = [sys.executable, str(script), str(library), version, made.model.token, str(len(made.model.variables))]
    done = subprocess.run(
        [*command, "1000", "1", str(resources)],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PYTHONPATH": HERE},
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 3  # steps that were made
