"""The variables of an FMU: outputs are channels by name, inputs act on wheels."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.contract.channels import Channel
from chaindrive.contract.port import Port
from chaindrive.contract.system import System
from chaindrive.errors import InputError, Problem
from chaindrive.fmu.image import Image
from chaindrive.fmu.model import Effect, SpeedCells, Variable
from chaindrive.mechanism.motion import CONSTANT_SPEED, FREE, RUN_UP
from chaindrive.model import Drive, Rotor, Stage
from chaindrive.model.problems import nearest_of

__all__ = ["DEFAULT_CHANNELS", "Asked", "asked_inputs", "input_variables", "output_names", "output_variables"]

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
)
"""Channels that are outputs unless others are asked for, as far as the formulation has them."""
IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def output_variables(system: System, wanted: Sequence[str], image: Image, rows: NDArray[np.float64]) -> list[Variable]:
    """Outputs, from names of channels or of single values of them ("wheel_speed.crankshaft").

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
            problems.append(Problem("--channel", f"no channel of this formulation, nor a value of one{near}", name))
        for each in chosen:
            found[each.name] = each._replace(offset=image.offset(rows, 0, each.offset))
    if problems:
        raise InputError(problems)
    return list(found.values())


def output_names(system: System) -> dict[str, list[str]]:
    """Names of the values of every channel, by the name of the channel."""
    return {channel.name: [each.name for each in _values_of(channel, system)] for channel in system.channels}


def _values_of(channel: Channel, system: System) -> Iterator[Variable]:
    """Its values as outputs; their offset is the place in a row."""
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
    """A name as a part of a structured name: quoted, unless it is an identifier."""
    return label if IDENTIFIER.fullmatch(label) else f"'{label}'"


class Asked(NamedTuple):
    """An input that was asked for."""

    name: str
    wheel: int
    quantity: str
    """"torque" or "speed"."""
    port: Port


def asked_inputs(drive: Drive, system: System, wanted: Sequence[str]) -> list[Asked]:
    """Inputs from their names, "wheels.NAME.torque" or "wheels.NAME.speed"; the system lets them act.

    The system must not have run. Raises InputError with all that are not possible.
    """
    names = [wheel.name for wheel in drive.wheels]
    found, problems = [], []
    for text in dict.fromkeys(wanted):
        first, _, rest = text.partition(".")
        wheel, _, quantity = rest.rpartition(".")
        wheel = wheel.strip("'")
        number = int(wheel) if wheel.isdigit() and int(wheel) < len(names) and wheel not in names else None
        if first != "wheels" or quantity not in ("torque", "speed") or not wheel:
            message = "inputs are the torque or the speed of a wheel, such as wheels.crankshaft.torque"
            problems.append(Problem("--input", message, text))
            continue
        if number is None and wheel not in names:
            message = f"the drive has no wheel of this name{nearest_of(wheel, names)}"
            problems.append(Problem("--input", message, text))
            continue
        k = names.index(wheel) if number is None else number
        if system.port is None:
            problems.append(Problem("--input", "not possible for this kind of drive: its wheels have no port", text))
            continue
        port = system.port(k)
        if hindrance := _shafts(drive, k) or _hindrance(port, quantity):
            problems.append(Problem("--input", hindrance, text))
            continue
        found.append(Asked(f"wheels.{_part(names[k])}.{quantity}", k, quantity, port))
    for each in found:
        if each.quantity == "torque":
            each.port.running.turned[each.port.wheel] = 1.0
        else:
            row = each.port.wheel
            each.port.motion_kind[row] = RUN_UP
            each.port.motion.speed[row] = each.port.motion.run_duration[row] = 0.0
    if problems:
        raise InputError(problems)
    return found


def _shafts(drive: Drive, wheel: int) -> str:
    """Why a wheel has no inputs where a shaft turns another part by it; empty where none does."""
    parts: tuple[Stage | Rotor, ...] = (*drive.stages, *drive.rotors)
    for part in parts:
        shaft = part.shaft
        if shaft.from_stage is None and shaft.from_wheel == drive.wheels[wheel].name:
            return f"a shaft to {part.name!r} is joined to the wheel"
    return ""


def _hindrance(port: Port, quantity: str) -> str:
    """Why an input is not possible at a wheel; empty where it is."""
    kind = FREE if port.motion_kind is None else int(port.motion_kind[port.wheel])
    if quantity == "torque":
        return "" if kind == FREE else "the wheel follows its motion whatever the torque; its speed can be an input"
    if kind == CONSTANT_SPEED:
        return ""
    return 'a speed can be an input where the file gives the wheel a motion of the kind "constant_speed"'


def input_variables(asked: Sequence[Asked], state: NDArray[np.float64], image: Image) -> list[Variable]:
    """Variables of inputs. state: of the control of the run, which the image contains, (n,)."""
    found = []
    for each in asked:
        port, name = each.port, each.name.split(".")[1]
        if each.quantity == "torque":
            effect = Effect(image.offset(port.running.joined, port.wheel))
            told = f"torque on wheel {name} besides its loads, counter-clockwise"
            found.append(Variable(each.name, "input", "N m", told, effects=(effect,)))
            continue
        cells = SpeedCells(
            image.offset(port.motion.start, port.wheel),
            image.offset(port.motion.run_duration, port.wheel),
            image.offset(port.motion.run_change, port.wheel),
            image.offset(state, port.speed),
        )
        told = f"speed that wheel {name} reaches at the end of a step, counter-clockwise"
        found.append(Variable(each.name, "input", "rad/s", told, initial=float(state[port.speed]), speed=cells))
    return found
