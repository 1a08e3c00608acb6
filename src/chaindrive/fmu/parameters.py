"""Parameters of an FMU: numbers in the file of a drive that change numbers of the compiled drive in a known way.

To find the effect of a key, the drive is compiled with other values of the key. If every number that changes is base +
slope x value^power with one of POWERS, over the whole range, the FMU can compute it without a compiler. If anything
else changes (shapes, whole numbers, a curve in the geometry), the key cannot be a parameter.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel

from chaindrive.contract.system import System
from chaindrive.errors import InputError, Problem
from chaindrive.fmu.image import Image
from chaindrive.fmu.model import Effect, Variable
from chaindrive.model import Drive, override
from chaindrive.model.files.keys import unit_of
from chaindrive.simulation.start import as_laid

__all__ = ["Followed", "followed", "parameter_variables", "with_numbers"]

POWERS = (1.0, -1.0, 0.5, -0.5, 2.0, -2.0)
"""Powers in the laws by which numbers depend on a key: for masses and their inverses, and for damping and frequencies,
which contain a root."""
RANGE = (0.5, 2.0)
"""Smallest and largest value of a parameter relative to the value in the file. [-]"""
TRIED = (0.5, 0.8, 1.3, 2.0)
"""Values at which the drive is compiled, relative to the value in the file: the ends determine the law, and the others
check it."""
AGREEMENT = 1e-9
"""Largest deviation of a number from its law, relative to that number. [-]"""


class Law(NamedTuple):
    """The law by which one number of the compiled drive depends on a value in the file."""

    field: str
    """Field of the parameters of the system, such as "planar.wheel.inertia"."""
    element: tuple[int, ...]
    """Indices of the number in the field; empty for a single number."""
    slope: float
    power: float


class Followed(NamedTuple):
    """A key whose value the FMU can change."""

    path: str
    value: float
    """Value in the file."""
    unit: str
    laws: tuple[Law, ...]
    highest_frequency: float
    """Largest value of ``Motion.highest_frequency`` within the range of the key. [rad/s]"""


def followed(drive: Drive, paths: Sequence[str]) -> list[Followed]:
    """Return the keys of a drive at these paths, as for ``--set``, with the numbers that depend on them.

    Raises InputError with every path that does not lead to a number in the file, and with the reasons why numbers
    cannot be parameters.
    """
    found, problems = [], []
    base = as_laid(drive) if paths else None
    for path in dict.fromkeys(paths):
        try:
            found.append(_followed(drive, base, path))
        except InputError as error:
            problems += [problem._replace(place="--parameter") for problem in error.problems]
    owners: dict[tuple[str, tuple[int, ...]], str] = {}
    for key in found:
        for law in key.laws:
            other = owners.setdefault((law.field, law.element), key.path)
            if other != key.path and not any(problem.value == key.path for problem in problems):
                message = f"sets numbers that {other} also sets ({law.field}): only one of them can be a parameter"
                problems.append(Problem("--parameter", message, key.path))
    if problems:
        raise InputError(problems)
    return found


def _followed(drive: Drive, base: Any, path: str) -> Followed:
    value, unit = _number(drive, path)
    systems = [_varied(drive, path, factor * value) for factor in TRIED]
    if any(not np.array_equal(system.motion.rolling, base.motion.rolling) for system in systems):
        raise _refused(path, "the speeds at the start of the run depend on it")
    laws = tuple(_laws(base, systems, value, path))
    if not laws:
        raise _refused(path, "nothing in the compiled drive depends on it")
    return Followed(path, value, unit, laws, max(system.motion.highest_frequency for system in systems))


def _varied(drive: Drive, path: str, value: float) -> Any:
    try:
        return as_laid(override(drive, {path: value}))
    except InputError as error:
        first = error.problems[0]
        raise _refused(path, f"at {value:g}, which is tried, {first.place} {first.message}") from None


def _refused(path: str, reason: str) -> InputError:
    return InputError(Problem(path, f"cannot be a parameter of an FMU: {reason}", path))


def _number(drive: Drive, path: str) -> tuple[float, str]:
    """Return the number at a key, and its unit."""
    here: Any = drive
    unit = "1"
    for part in re.findall(r"[^.\[\]]+", path):
        if isinstance(here, (list, tuple)):
            named = [each for each in here if getattr(each, "name", None) == part]
            here = named[0] if named else here[int(part)] if part.isdigit() and int(part) < len(here) else None
        elif isinstance(here, BaseModel) and part in type(here).model_fields:
            unit = unit_of(type(here).model_fields[part]) or "1"
            here = getattr(here, part)
        else:
            here = None
        if here is None:
            break
    if isinstance(here, bool) or not isinstance(here, (int, float)):
        override(drive, {path: "1"})  # says what is wrong with the path, if anything is
        raise _refused(path, "the file has no value for it")
    if isinstance(here, int):
        raise _refused(path, "it is a whole number")
    if here == 0.0:
        raise _refused(
            path,
            "it is 0 in the file; give it another value, and the parameter can then range from half to "
            "twice that value",
        )
    return float(here), unit


def _laws(base: System, systems: Sequence[System], value: float, path: str) -> Iterator[Law]:
    """Yield the law of every number that differs. Raises InputError for a number that does not follow any law."""
    changing = (*base.memory, *base.scratch)
    values = value * np.array(TRIED)
    all_leaves = [dict(_leaves(system.parameters, "")) for system in systems]
    for name, before in _leaves(base.parameters, ""):
        if any(name == each or name.startswith(f"{each}.") for each in changing):
            continue
        cells = [leaves.get(name) for leaves in all_leaves]
        if any(cell is None or np.shape(cell) != np.shape(before) for cell in cells):
            raise _refused(path, f"the layout of the compiled drive depends on it ({name})")
        table = np.stack([np.asarray(cell, dtype=np.float64).ravel() for cell in cells])
        same = (table == table[0]) | (np.isnan(table) & np.isnan(table[0]))
        for k in np.flatnonzero(~same.all(axis=0)):
            law = _law(values, table[:, k])
            if law is None or np.asarray(before).dtype.kind != "f":
                raise _refused(path, f"a quantity depends on it, but not by a simple law ({name})")
            yield Law(name, tuple(int(i) for i in np.unravel_index(k, np.shape(before))), *law)


def _law(values: NDArray[np.float64], cells: NDArray[np.float64]) -> tuple[float, float] | None:
    """Return the slope and the power of the law by which a number depends on a value; None if no power fits."""
    if not np.isfinite(cells).all():
        return None
    for power in POWERS:
        x = values**power
        slope = (cells[-1] - cells[0]) / (x[-1] - x[0])
        if np.abs(cells[0] + slope * (x - x[0]) - cells).max() <= AGREEMENT * np.abs(cells).max():
            return float(slope), power
    return None


def _leaves(values: Any, name: str) -> Iterator[tuple[str, Any]]:
    """Yield the numbers and arrays of a NamedTuple with their names."""
    for field, value in zip(values._fields, values, strict=True):
        path = f"{name}.{field}" if name else field
        if isinstance(value, tuple):
            yield from _leaves(value, path)
        else:
            yield path, value


def with_numbers(system: System, laws: Sequence[Law], numbers: Sequence[float]) -> System:
    """Return the system with numbers changed according to the laws; numbers in arrays are changed in place."""
    parameters = system.parameters
    for law, number in zip(laws, numbers, strict=True):
        if law.element:
            attrgetter(law.field)(parameters)[law.element] = number
        else:
            parameters = _replaced(parameters, law.field, number)
    return system if parameters is system.parameters else replace(system, parameters=parameters)


def _replaced(values: Any, path: str, number: float) -> Any:
    """Return a NamedTuple with a new number at a path such as "planar.pitch"."""
    name, _, rest = path.partition(".")
    return values._replace(**{name: _replaced(getattr(values, name), rest, number) if rest else number})


def parameter_variables(keys: Sequence[Followed], system: System, image: Image) -> list[Variable]:
    """Return the variables that represent parameters.

    The parameters of the system are the second argument in the image. The third argument shares arrays with the second
    but has its own numbers.
    """
    found = []
    for key in keys:
        effects = []
        for law in key.laws:
            leaf = attrgetter(law.field)(system.parameters)
            here = float(leaf[law.element]) if law.element else float(leaf)
            places = [image.offset(leaf, *law.element)] if law.element else [image.word(k, law.field) for k in (1, 2)]
            effects.append(Effect(tuple(places), law.slope, here - law.slope * key.value**law.power, law.power))
        least, largest = sorted(factor * key.value for factor in RANGE)
        text = f"{key.path} of the file; the start of the run is the same as with the value in the file"
        found.append(
            Variable(
                key.path,
                "parameter",
                key.unit,
                text,
                initial=key.value,
                least=least,
                largest=largest,
                effects=tuple(effects),
            )
        )
    return found
