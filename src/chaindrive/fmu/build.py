"""Conversion of a drive to an FMU."""

from __future__ import annotations

import math
import os
import tempfile
import zipfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from chaindrive.contract.status import Status
from chaindrive.contract.system import System
from chaindrive.errors import InputError, Problem
from chaindrive.fmu.description import description
from chaindrive.fmu.emitted import PROCESSORS, Emitted, data_object
from chaindrive.fmu.image import Image, image_of
from chaindrive.fmu.model import Cells, Model, header
from chaindrive.fmu.parameters import Followed, followed, parameter_variables
from chaindrive.fmu.python_archive import library_of, needs_python, python_parts
from chaindrive.fmu.toolchain import PLATFORMS, compiler_for, link
from chaindrive.fmu.variables import input_variables, output_variables, with_inputs
from chaindrive.kernels.compiler import ENABLED
from chaindrive.kernels.source import kernels_digest
from chaindrive.model import Drive, FormulationOptions, SolverOptions, drive_of
from chaindrive.model.arguments import names_of, path_of
from chaindrive.model.own_law import laws_in
from chaindrive.results.files import ZIP_SIGNATURE, check_target
from chaindrive.results.lowlevel import replacing
from chaindrive.simulation.quasi_static import with_scaled_masses
from chaindrive.simulation.settings import chosen_method, run_with, settings_of
from chaindrive.simulation.start import prepare
from chaindrive.solvers import library_steps
from chaindrive.solvers.control import Control
from chaindrive.solvers.integrator import METHODS, SolverSettings, bound, check, new_control

__all__ = ["VERSIONS", "Prepared", "Written", "model_of", "prepared", "write_fmu"]

VERSIONS = ("2.0", "3.0")
WANTED = "an FMU such as drive.fmu"
MOST_STEPS = 2**62
STOP = 1.0
"""End of the default experiment if the run of the drive has no end time. [s]"""


class Written(NamedTuple):
    """An FMU that has been written."""

    path: Path
    model: Model
    warnings: tuple[str, ...]
    """Warnings issued at the start of the drive."""

    def __repr__(self) -> str:
        return f"<FMU {self.path}: {self.model.contents}>"


class Prepared(NamedTuple):
    """A drive at its start, in the form required by the time-stepping loop of its method."""

    drive: Drive
    system: System
    control: Control
    aside: Any
    """See ``System.aside``."""
    settings: SolverSettings
    keys: list[Followed]
    """The parameters of the FMU."""

    @property
    def method(self) -> str:
        """Name of the method."""
        return self.settings.method


def write_fmu(
    drive: Drive | str | os.PathLike[str],
    output: str | os.PathLike[str],
    *,
    version: str = "2.0",
    platforms: Sequence[str] | str = ("linux64",),
    inputs: Sequence[str] | str = (),
    outputs: Sequence[str] | str = (),
    parameters: Sequence[str] | str = (),
    formulation: FormulationOptions | str | None = None,
    solver: SolverOptions | str | None = None,
    start: str | None = None,
    python: bool = False,
    overwrite: bool = False,
) -> Written:
    """Write a drive as an FMU for co-simulation, which contains its compiled equations and method, but no Python.

    drive: a drive, the path of its file, or the name of an example. output: the file, such as "drive.fmu". version:
    that of the interface, "2.0" or "3.0". platforms: "linux64" and "win64", both x86-64. inputs: additional inputs
    besides those of the drive, such as "wheels.NAME.torque" [N m], "wheels.NAME.speed" [rad/s, of a wheel with a motion
    of the kind "constant_speed"], both counter-clockwise, "bodies.NAME.force" [N, N m], "bodies.NAME.position" [m,
    rad], "tensioners.NAME.supply_pressure" [Pa], "rotors.NAME.torque". outputs: names of channels or of individual
    values ("wheel_speed.crankshaft"); default: ``variables.DEFAULT_CHANNELS``. parameters: paths of numbers in the
    file, such as "chain.link_stiffness", which an importer may set to between half and twice the value in the file,
    without a compiler. formulation, solver, start: as for ``simulate``. python: write an FMU without compiled
    equations, for tools that have a Python with chaindrive. That Python then takes the steps; the FMU needs no compiler
    and works on both platforms. overwrite: replace an existing file.

    The run begins at the start of the drive. Its steps end at communication points; otherwise they are those of
    ``simulate``. Raises InputError for wrong input and if no C compiler is found; ComputationError if the compiler
    fails.
    """
    drive = drive_of(drive)
    platforms = names_of(platforms, "platforms", "platforms, such as ['linux64', 'win64']")
    inputs = names_of(inputs, "inputs", "names of inputs, such as ['wheels.crankshaft.torque']")
    outputs = names_of(outputs, "outputs", "names of channels and their values, such as ['span_tension']")
    parameters = names_of(parameters, "parameters", "paths of numbers, such as ['chain.link_stiffness']")
    _check_choices(version, platforms)
    place = path_of(output, "output", WANTED)
    target = check_target(place, overwrite=overwrite, signature=ZIP_SIGNATURE, wanted=WANTED)
    if python:
        library_of(version)
    for name in () if python else platforms:  # what is missing is reported before anything is computed
        compiler_for(name)
    drive = with_inputs(drive, inputs)
    _check_laws(drive)
    ready = prepared(drive, formulation, solver, start, parameters, compiled=not python)
    model = model_of(ready, outputs)
    until = drive.run.until
    stop = STOP if isinstance(until, str) else float(until)
    with tempfile.TemporaryDirectory() as folder, replacing(target) as part:
        given = drive.model_copy(update={"run": ready.drive.run})
        if python:
            model = replace(model, needs=needs_python())
            parts = python_parts(model, version, given, outputs, parameters)
        else:
            parts = {"resources/drive.toml": given.to_toml().encode()}
            parts |= _libraries(model, ready, version, platforms, Path(folder))
        text = description(model, version, _communication_step(stop), stop)
        _pack(part, {"modelDescription.xml": text.encode()} | parts)
    return Written(target, model, ready.system.story.warnings)


def _check_laws(drive: Drive) -> None:
    """Refuse user-defined laws, which only exist at an address in this process."""
    message = "is a user-defined law, that is, a function of this process, which an FMU cannot contain: use a table"
    if problems := [Problem(place, message, law.name) for place, law in laws_in(drive)]:
        raise InputError(problems)


def _check_choices(version: str, platforms: Sequence[str]) -> None:
    """Refuse unknown choices, and list all of them."""
    problems = []
    if version not in VERSIONS:
        problems.append(
            Problem("--fmi", f"must be one of the versions of the interface: {', '.join(VERSIONS)}", version)
        )
    for name in platforms:
        if name not in PLATFORMS:
            problems.append(
                Problem(
                    "--platform",
                    f"must be one of the platforms for which libraries can be built: {', '.join(PLATFORMS)}",
                    name,
                )
            )
    if not platforms:
        problems.append(Problem("--platform", f"must be at least one of {', '.join(PLATFORMS)}"))
    if problems:
        raise InputError(problems)


def prepared(
    drive: Drive,
    formulation: FormulationOptions | str | None = None,
    solver: SolverOptions | str | None = None,
    start: str | None = None,
    parameters: Sequence[str] = (),
    compiled: bool = True,
) -> Prepared:
    """Return the drive at its start. Raises InputError.

    compiled: whether the method must work without Python in every step.
    """
    given = {"formulation": formulation, "solver": solver, "start": start}
    run = run_with(drive, {name: value for name, value in given.items() if value is not None})
    moved = drive if run.quasi_static is None else with_scaled_masses(drive, run.quasi_static)
    keys = followed(moved.model_copy(update={"run": run}), parameters)
    system = prepare(moved, run.formulation, run.start).system.as_integrated
    method = chosen_method(run, drive, system).method
    if compiled and METHODS.get(method) is library_steps.METHOD:
        own = ", ".join(name for name, each in METHODS.items() if each is not library_steps.METHOD)
        message = f"this method belongs to a library, which an FMU can only use with --python; other methods: {own}"
        raise InputError(Problem("run.solver.method", message, method))
    highest = max([system.motion.highest_frequency, *(key.highest_frequency for key in keys)])
    if highest > system.motion.highest_frequency:
        # Frequency and damping of the drive with its parameters changed are not known separately.
        system = system.with_motion(highest_frequency=highest, undamped_frequency=0.0, damping_rate=0.0)
    settings = settings_of(run.solver, method)._replace(max_steps=MOST_STEPS)
    check(system, settings, math.inf, 1)
    system = METHODS[method].limiting(system)
    control = new_control(system, settings, math.inf, 1, 0.0)
    return Prepared(moved.model_copy(update={"run": run}), system, control, system.aside, settings, keys)


def model_of(ready: Prepared, outputs: Sequence[str]) -> Model:
    """Return the model of a drive at its start, with outputs as for ``write_fmu``.

    Raises InputError for outputs that do not exist.
    """
    image = image_of(ready.control, ready.system.parameters, ready.aside)
    made = [
        *input_variables(ready.system, ready.control.state, image),
        *parameter_variables(ready.keys, ready.system, image),
        *output_variables(ready.system, outputs, image, ready.control.rows),
    ]
    return Model(
        name=ready.drive.name,
        image=image,
        cells=_cells(image, ready.control),
        variables=tuple(made),
        endings=(*ready.system.story.endings, *(each for each in Status.GENERAL if each.failed)),
        facts={
            "formulation": ready.drive.run.formulation.kind,
            "method": ready.method,
            "kernels": kernels_digest(),
        },
    )


def _cells(image: Image, control: Control) -> Cells:
    times, counts = control.times, control.counts
    columns = (
        times.time,
        times.end,
        times.interval,
        counts.next_row,
        counts.filled,
        counts.budget,
        counts.loads_changed,
    )
    return Cells(*(image.offset(column) for column in columns))


def _communication_step(stop: float) -> float:
    """Return a step for the default experiment: 1, 2 or 5 times a power of ten, about a thousandth of
    its duration. [s]
    """
    exact = stop / 1000.0
    power = 10.0 ** math.floor(math.log10(exact))
    return max(factor * power for factor in (1.0, 2.0, 5.0) if factor * power <= exact * (1.0 + 1e-9))


def _libraries(model: Model, ready: Prepared, version: str, platforms: Sequence[str], folder: Path) -> dict[str, bytes]:
    """Return the shared library for each platform, with its path in the archive as key."""
    if not ENABLED:
        raise InputError(
            Problem("NUMBA_DISABLE_JIT", "must not be set, because an FMU is made of compiled functions", "1")
        )
    advance = bound(ready.method, ready.system.kernels)
    loop = Emitted(advance, ready.control, ready.system.parameters, ready.aside)
    (folder / "model.h").write_text(header(model), encoding="ascii")
    found = {}
    for name in platforms:
        platform = PLATFORMS[name]
        codes = {
            processor: loop.object_code(f"chaindrive_advance_{processor}", platform.triple, processor)
            for processor in PROCESSORS
        } | {"data": data_object("model_image", model.image.content, platform.triple)}
        for part, code in codes.items():
            (folder / f"{name}-{part}.o").write_bytes(code)
        objects = [folder / f"{name}-{part}.o" for part in codes]
        library = folder / f"{name}{platform.ending}"
        link(name, version, folder, objects, library)
        place = f"binaries/{platform.folders[version]}/{model.identifier}{platform.ending}"
        found[place] = library.read_bytes()
    return found


def _pack(path: Path, contents: dict[str, bytes]) -> None:
    """Write an archive; the same contents always give the same bytes."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in contents.items():
            info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            info.compress_type, info.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            archive.writestr(info, content)
