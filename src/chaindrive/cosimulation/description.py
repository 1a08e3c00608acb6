"""Compares the description of an FMU with the requirements of a drive; none of its code is run."""

from __future__ import annotations

import platform
import re
import sys
from collections.abc import Container, Iterator, Sequence
from typing import Any, NamedTuple

from chaindrive.cosimulation.archive import DESCRIPTION, checked_archive
from chaindrive.errors import InputError, Problem
from chaindrive.model.machine import Machine, Signal
from chaindrive.model.problems import nearest
from chaindrive.units import parse_unit, to_si

__all__ = ["Fmu", "Variable", "described", "system_folder"]

REALS = ("Real", "Float64")
INTEGERS = ("Integer", "Int32", "Int64")
POWERS = {
    "N m": (1, 2, -2),
    "rad/s": (0, 0, -1),
    "rad": (0, 0, 0),
    "N": (1, 1, -2),
    "m": (0, 1, 0),
    "m/s": (0, 1, -1),
    "Pa": (1, -1, -2),
    "m^3/s": (0, 3, -1),
}
"""Exponents of kg, m and s for each unit of a signal."""
SETTABLE = ("parameter", "input", "structuralParameter")


class Variable(NamedTuple):
    """A variable of an FMU."""

    name: str
    reference: int
    factor: float = 1.0
    """Factor from the unit of the variable to SI units: SI value = factor x value."""
    kind: str = "Real"
    """A name in REALS or INTEGERS, "Boolean" or "String"."""


class Fmu(NamedTuple):
    """An FMU for co-simulation whose description meets the requirements of a drive."""

    file: str
    version: int
    """Major version of FMI, 2 or 3"""
    identifier: str
    guid: str
    library: str
    """Path within the archive of the binary for this system."""
    inputs: tuple[Variable, ...]
    outputs: tuple[Variable, ...]
    start: tuple[tuple[Variable, Any], ...]
    """Start values, in the units of the FMU."""
    feedthrough: bool
    variable_step: bool
    derivatives: bool
    """Whether the FMU accepts derivatives of inputs."""
    state: bool
    """Whether the FMU can return to an earlier state."""
    serialised: bool
    """Whether a state can be stored in a file."""


def _no_fmpy(place: str) -> InputError:
    """Return the error to raise if FMPy is missing."""
    return InputError(Problem(place, 'FMUs need FMPy: pip install "chaindrive[fmi]"'))


def described(machine: Machine, place: str, signals: Sequence[tuple[str, Signal]]) -> Fmu:
    """Read the description of the FMU of a machine, check it, and return the FMU.

    place: path of the machine, "machines[0]"; signals: the signals that it exchanges, each with its path. Raises
    InputError with everything that does not fit, each with its path: a refused archive, no co-simulation, no binary for
    this system, unknown variables, wrong causalities, types or units.
    """
    try:
        from fmpy import read_model_description
        from fmpy.model_description import ValidationError
    except ImportError:
        raise _no_fmpy(f"{place}.file") from None
    assert machine.file is not None
    file = machine.file
    with checked_archive(file, f"{place}.file") as archive:
        with archive.open(DESCRIPTION) as stream:
            version = re.search(rb"""fmiVersion\s*=\s*["'](\d+)[^"']*["']""", stream.read(100_000))
        if version is None or version[1] not in (b"2", b"3"):
            given = "none" if version is None else version[1].decode()
            raise InputError(Problem(f"{place}.file", f"must be FMI 2.0 or 3.0; its version is {given}", repr(file)))
        try:
            model = read_model_description(file)
        except ValidationError as error:
            reason = "; ".join(error.problems)[:500]
            raise InputError(Problem(f"{place}.file", f"its description is not valid: {reason}", repr(file))) from None
        except Exception as error:  # raised by lxml or FMPy
            reason = f"{type(error).__name__}: {error}"[:500]
            raise InputError(
                Problem(f"{place}.file", f"its description cannot be read ({reason})", repr(file))
            ) from None
        names = set(archive.namelist())
    major = int(version[1])
    cosimulation = model.coSimulation
    if cosimulation is None or not re.fullmatch(r"\w[\w.-]*", cosimulation.modelIdentifier or ""):
        raise InputError(Problem(f"{place}.file", "is not an FMU for co-simulation", repr(file)))
    library = f"binaries/{system_folder(major)}/{cosimulation.modelIdentifier}{_suffix()}"
    problems: list[Problem] = []
    if library not in names:
        systems = sorted({name.split("/")[1] for name in names if re.match(r"binaries/[^/]+/.", name)})
        message = f"has no binary for this system, {system_folder(major)}; it has {', '.join(systems) or 'none'}"
        problems.append(Problem(f"{place}.file", message, repr(file)))
    variables = {each.name: each for each in model.modelVariables}
    units = {unit.name: unit.baseUnit for unit in model.unitDefinitions}
    inputs: list[Variable] = []
    outputs: list[Variable] = []
    for where, signal in signals:
        (outputs if signal.given else inputs).append(_variable(signal, variables, units, where, problems))
    used = {signal.variable for _, signal in signals}
    start = list(_start(machine, used, variables, units, place, problems))
    if problems:
        raise InputError(problems)
    return Fmu(
        file=file,
        version=major,
        identifier=cosimulation.modelIdentifier,
        guid=model.guid if major == 2 else model.instantiationToken,
        library=library,
        inputs=tuple(inputs),
        outputs=tuple(outputs),
        start=tuple(start),
        feedthrough=_feeds_through(model, {each.name for each in outputs}, {each.name for each in inputs}),
        variable_step=bool(cosimulation.canHandleVariableCommunicationStepSize),
        derivatives=major == 2 and bool(cosimulation.canInterpolateInputs),
        state=bool(cosimulation.canGetAndSetFMUstate),
        serialised=bool(cosimulation.canGetAndSetFMUstate and cosimulation.canSerializeFMUstate),
    )


def system_folder(version: int) -> str:
    """Return the folder of the binaries for this system."""
    if version == 2:
        bits = "64" if sys.maxsize > 2**32 else "32"
        return {"win32": "win", "darwin": "darwin"}.get(sys.platform, "linux") + bits
    machine = {"amd64": "x86_64", "arm64": "aarch64"}.get(platform.machine().lower(), platform.machine().lower())
    return f"{machine}-{ {'win32': 'windows', 'darwin': 'darwin'}.get(sys.platform, 'linux') }"


def _suffix() -> str:
    return {"win32": ".dll", "darwin": ".dylib"}.get(sys.platform, ".so")


def _variable(
    signal: Signal, variables: dict[str, Any], units: dict[str, Any], place: str, problems: list[Problem]
) -> Variable:
    """Return the variable of a signal."""
    name, key, unit = signal.variable, signal.key.replace("_", " "), signal.unit
    causality, found = "output" if signal.given else "input", variables.get(name)
    if found is None:
        named = [other for other, each in variables.items() if each.causality == causality and each.type in REALS]
        listed = ", ".join(named[:20]) or "none"
        message = f"the FMU has no such variable{nearest(name, named) or '.'} Its {causality}s: {listed}"
        problems.append(Problem(place, message, repr(name)))
        return Variable(name, 0)
    if found.causality != causality:
        message = f"must be an {causality} of the FMU; the causality of this variable is {found.causality}"
        problems.append(Problem(place, message, repr(name)))
        return Variable(name, 0)
    if found.type not in REALS or found.shape:
        problems.append(Problem(place, f"must be a real number; this variable is a {found.type}", repr(name)))
    factor, dimension = 1.0, None
    if own := _unit_of(found):
        factor, dimension = _dimension(own, units, unit)
        if dimension is None:
            message = f"the unit {own!r} of this variable is not known; {unit} or an equivalent unit is needed"
            problems.append(Problem(place, message, repr(name)))
        elif dimension[:3] != POWERS[unit]:
            message = f"must be a {key}, in {unit} or an equivalent unit; the unit of this variable is {own!r}"
            problems.append(Problem(place, message, repr(name)))
    return Variable(name, found.valueReference, factor, found.type)


def _unit_of(variable: Any) -> str:
    """Return the unit of a variable or of its type; empty without a unit."""
    declared = variable.declaredType.unit if variable.declaredType is not None else None
    return str(variable.unit or declared or "")


def _dimension(unit: str, units: dict[str, Any], quantity: str = "") -> tuple[float, tuple[int, int, int, int] | None]:
    """Return the factor to SI units and the exponents of kg, m, s and rad; None instead of the exponents for a unit
    that is unknown or has other base units. quantity: SI unit of the quantity, on which the meaning of a unit that the
    FMU does not define may depend (1/min).
    """
    base = units.get(unit)
    if base is not None:
        if base.A or base.K or base.mol or base.cd or base.offset:
            return 1.0, None
        return float(base.factor), (base.kg, base.m, base.s, base.rad)
    try:
        found = parse_unit(re.sub(r"(?<=[A-Za-z])(?=-?\d)", "^", unit.replace(".", "*")), quantity)
    except (ValueError, InputError):
        return 1.0, None
    powers = [found.dimension.mass, found.dimension.length, found.dimension.time, found.dimension.angle]
    whole = [int(power) for power in powers]
    return found.factor, (whole[0], whole[1], whole[2], whole[3]) if whole == powers else None


def _start(
    machine: Machine,
    used: Container[str],
    variables: dict[str, Any],
    units: dict[str, Any],
    place: str,
    problems: list[Problem],
) -> Iterator[tuple[Variable, Any]]:
    """Yield the start values of parameters and other inputs, in the units of the FMU; used: variables that are
    signals.
    """
    for name, value in machine.parameters.items():
        where, found = f"{place}.parameters.{name}", variables.get(name)
        if found is None:
            named = [other for other, each in variables.items() if each.causality in SETTABLE]
            listed = ", ".join(named[:20]) or "none"
            message = f"the FMU has no such variable{nearest(name, named) or '.'} Variables that can be set: {listed}"
            problems.append(Problem(where, message))
            continue
        if name in used or found.causality not in SETTABLE or found.variability == "constant":
            kind = "coupled to the drive" if name in used else f"a {found.causality or 'local variable'}"
            problems.append(Problem(where, f"must be a parameter or an input of the FMU; it is {kind}"))
            continue
        try:
            yield Variable(name, found.valueReference, 1.0, found.type), _value(value, found, units)
        except (ValueError, InputError) as error:
            problems.append(Problem(where, str(error), repr(value)))


def _value(value: Any, variable: Any, units: dict[str, Any]) -> Any:
    """Return a start value in the unit of its variable. Raises a ValueError that states what is allowed."""
    kind = variable.type
    if kind == "String":
        return str(value)
    if kind == "Boolean":
        if not isinstance(value, bool):
            raise ValueError("must be true or false")
        return value
    if isinstance(value, bool):
        raise ValueError(f"must be a number; the variable is a {kind}")
    if kind in INTEGERS:
        number = to_si(value, "")
        if number != int(number):
            raise ValueError("must be a whole number")
        return int(number)
    if kind not in REALS:
        raise ValueError(f"cannot be set: the variable is a {kind}")
    own = _unit_of(variable)
    if not isinstance(value, str):
        return float(value)
    if not own:
        return to_si(value, "")
    factor, dimension = _dimension(own, units)
    if dimension is None:
        raise ValueError(f"give a number without a unit: the unit {own!r} of the variable is not known")
    powers = zip(("kg", "m", "s", "rad"), dimension, strict=True)
    return to_si(value, "*".join(f"{name}^{power}" for name, power in powers if power)) / factor


def _feeds_through(model: Any, outputs: set[str], inputs: set[str]) -> bool:
    """Return whether an output may depend on an input at the same instant; true if the FMU does not state this."""
    for unknown in model.outputs:
        if unknown.variable.name in outputs:
            depends = unknown.dependencies
            if depends is None or inputs & {each.name for each in depends}:
                return True
    return False
