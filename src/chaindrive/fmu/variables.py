"""The variables of an FMU: outputs are channels given by name; inputs are those of the drive and others on request."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from chaindrive.contract.channels import Channel
from chaindrive.contract.inputs import FREE_LOAD, INPUT_COLUMNS, SPEED
from chaindrive.contract.system import System
from chaindrive.errors import InputError, Problem
from chaindrive.fmu.image import Image
from chaindrive.fmu.model import Course, Effect, Variable
from chaindrive.model import Drive, override
from chaindrive.model.problems import nearest_of

__all__ = ["DEFAULT_CHANNELS", "input_variables", "output_names", "output_variables", "with_inputs"]

DEFAULT_CHANNELS = (
    "wheel_angle",
    "wheel_speed",
    "wheel_torque",
    "bearing_force",
    "span_tension",
    "joint_position",
    "guide_force",
    "tensioner_position",
    "tensioner_force",
    "power_input",
    "power_output",
    "motion_torque",
    "motion_force",
    "tensioner_inflow",
)
"""Channels that are outputs unless others are requested, if the formulation has them."""
IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def output_variables(system: System, wanted: Sequence[str], image: Image, rows: NDArray[np.float64]) -> list[Variable]:
    """Return the outputs with the names of channels or of their individual values ("wheel_speed.crankshaft").

    rows: the buffer of rows in the image, (1, row_size). Raises InputError with all names that the formulation lacks.
    """
    found: dict[str, Variable] = {}
    problems = []
    every = {channel.name: list(_values_of(channel, system)) for channel in system.channels if channel.size}
    names = wanted or [name for name in every if name.rpartition(".")[2] in DEFAULT_CHANNELS]
    single = {each.name: each for values in every.values() for each in values}
    for name in names:
        chosen = every.get(name) or ([single[name]] if name in single else [])
        if not chosen:
            near = nearest_of(name, [*every, *single])
            problems.append(
                Problem(
                    "--channel", f"is neither a channel of this formulation nor a value of such a channel{near}", name
                )
            )
        for each in chosen:
            found[each.name] = each._replace(offset=image.offset(rows, 0, each.offset))
    if problems:
        raise InputError(problems)
    return list(found.values())


def output_names(system: System) -> dict[str, list[str]]:
    """Return the names of the values of every channel, with the name of the channel as key."""
    return {channel.name: [each.name for each in _values_of(channel, system)] for channel in system.channels}


def _values_of(channel: Channel, system: System) -> Iterator[Variable]:
    """Return the values of a channel as outputs; their offsets are their positions in a row."""
    places = [
        [f".{_part(label)}" for label in system.labels[dim]]
        if dim in system.labels
        else [f"[{k}]" for k in range(size)]
        for dim, size in zip(channel.dims, channel.shape, strict=True)
    ]
    for k, place in enumerate(product(*places)):
        unit = "1" if channel.whole else channel.unit
        yield Variable(f"{channel.name}{''.join(place)}", "output", unit, channel.description, channel.offset + k)


def _part(label: str) -> str:
    """Return a name as part of a structured name, quoted unless it is an identifier; quotes within are escaped."""
    if IDENTIFIER.fullmatch(label):
        return label
    escaped = label.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


def with_inputs(drive: Drive, wanted: Sequence[str]) -> Drive:
    """Return the drive with these quantities as inputs, such as "wheels.crankshaft.torque".

    They are added to the inputs that the drive already has. Raises InputError that lists everything that is not
    possible, with possible alternatives.
    """
    places = drive.inputs
    named = {_alias(name): name for name in places} | {name: name for name in places}
    for number, wheel in enumerate(drive.wheels):
        for quantity in ("torque", "speed"):
            named.setdefault(f"wheels.{number}.{quantity}", f"wheels.{wheel.name}.{quantity}")
    possible = [name for name, place in places.items() if not place.hindrance]
    changes: dict[str, Any] = {}
    problems = []
    for text in dict.fromkeys(wanted):
        name = named.get(text)
        if name is None:
            listed = ", ".join(possible) or "none"
            message = f"there is no such input (inputs can be {listed}){nearest_of(text, possible)}"
            problems.append(Problem("--input", message, text))
        elif places[name].hindrance:
            problems.append(Problem("--input", places[name].hindrance, text))
        elif not places[name].declared:
            changes[places[name].path] = places[name].value
    problems += [
        Problem(place.path, f"an FMU has only one input there, not {place.declared}")
        for place in places.values()
        if place.declared > 1
    ]
    if problems:
        raise InputError(problems)
    made = override(drive, changes) if changes else drive
    problems = [Problem("--input", made.inputs[named[text]].hindrance, text) for text in dict.fromkeys(wanted)]
    if any(problem.message for problem in problems):
        raise InputError([problem for problem in problems if problem.message])
    return made


def _alias(name: str) -> str:
    """Return the name of an input in the spelling of FMI.

    Parts that are not identifiers are quoted, as in "wheels.'wheel 2'.torque".
    """
    group, _, rest = name.partition(".")
    part, _, quantity = rest.rpartition(".")
    if group != "stages":
        return f"{group}.{_part(part)}.{quantity}"
    match = re.fullmatch(r"(.*)\.(wheels|bodies|tensioners)\.(.*)", part)
    assert match is not None
    return f"stages.{_part(match[1])}.{match[2]}.{_part(match[3])}.{quantity}"


DESCRIPTIONS = {
    "torque": "torque in addition to other loads, counter-clockwise, on",
    "force": "force or torque in addition to other loads, in the positive direction of the joint, on",
    "speed": "speed reached at the end of a step, counter-clockwise, of",
    "position": "coordinate, reached at the end of a step, of the joint of",
    "supply_pressure": "supply pressure of oil above that of the atmosphere, of",
}
"""Descriptions of inputs, with their quantity as key."""


def input_variables(system: System, state: NDArray[np.float64], image: Image) -> list[Variable]:
    """Return the variables that represent the inputs of a system.

    state: the state (n,) in the control of the run, which is in the image.
    """
    found = []
    for each in system.inputs:
        name, text = _alias(each.name), f"{DESCRIPTIONS[each.quantity]} {each.part}"
        last, initial = INPUT_COLUMNS - 1, 0.0
        if each.kind == FREE_LOAD:
            effect = Effect((image.offset(each.cell, last),))
            initial = float(each.cell[last])
            found.append(Variable(name, "input", each.unit, text, initial=initial, effects=(effect,)))
            continue
        course = Course(
            image.offset(each.cell), each.kind, image.offset(state, each.position), image.offset(state, each.speed)
        )
        initial = float(state[each.speed if each.kind == SPEED else each.position])
        found.append(Variable(name, "input", each.unit, text, initial=initial, course=course))
    return found
