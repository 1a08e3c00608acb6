"""Quantities of a drive that can be inputs, which a machine or a program with an FMU sets during a run.

Names of inputs are, for example, "wheels.crankshaft.torque", and "stages.final.wheels.camshaft.torque" in a stage.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from chaindrive.model.body import Body
from chaindrive.model.load_over_time import InputForce, InputPressure, JointInputTorque
from chaindrive.model.rotor import Rotor
from chaindrive.model.tensioner import Tensioner
from chaindrive.model.torques.input import InputTorque
from chaindrive.model.torques.torque import torques_of
from chaindrive.model.wheel import Wheel

__all__ = ["ChainParts", "InputPlace", "Seat", "input_places"]


MOTION = ", motion = { kind = 'input' }"
NO_OIL = 'the tensioner has no oil: its kind is not "hydraulic"'


class ChainParts(NamedTuple):
    """The parts of a chain that can have inputs; None in place of an invalid part."""

    wheels: Sequence[Wheel | None]
    bodies: Sequence[Body | None] = ()
    tensioners: Sequence[Tensioner | None] = ()


class Seat(NamedTuple):
    """A part of a drive that can have inputs."""

    group: str
    """Kind of the part: "wheels", "rotors", "bodies" or "tensioners"."""
    part: str
    """Name of the part."""
    stage: str = ""
    """Stage of the part; empty in the first chain."""

    @property
    def name(self) -> str:
        """Path of the part, such as "wheels.crankshaft" or "stages.final.wheels.camshaft"."""
        own = f"{self.group}.{self.part}"
        return f"stages.{self.stage}.{own}" if self.stage else own

    @property
    def called(self) -> str:
        """Name of the part with that of its stage, such as "final.camshaft"."""
        return f"{self.stage}.{self.part}" if self.stage else self.part


class InputPlace(NamedTuple):
    """A quantity of a part that is an input, that can become one, or that cannot."""

    declared: int
    """Number of inputs that the description of the drive declares for the quantity."""
    unit: str
    path: str = ""
    """Path of the key that makes the quantity an input, such as "wheels.0.torque"."""
    value: Any = None
    """Value of this key that makes the quantity an input; None if it already is one or cannot be one."""
    hindrance: str = ""
    """Reason why the quantity cannot be an input."""


def input_places(
    chains: Mapping[str | None, ChainParts], rotors: Sequence[Rotor | None], wheels: str = "wheels"
) -> dict[str, InputPlace]:
    """Return the inputs and possible inputs of a drive, by name.

    chains: the parts of the first chain under None, and those of each stage under its name; wheels: key under which the
    first chain has its wheels.
    """
    found: dict[str, InputPlace] = {}
    for number, (stage, parts) in enumerate(chains.items(), start=-1):
        name, path = ("", "") if stage is None else (f"stages.{stage}.", f"stages.{number}.")
        key = wheels if stage is None else "wheels"
        for k, wheel in enumerate(parts.wheels):
            if wheel is not None:
                found |= dict(_of_wheel(wheel, f"{name}wheels.{wheel.name}", f"{path}{key}.{k}"))
        for k, body in enumerate(parts.bodies):
            if body is not None:
                found |= dict(_of_body(body, f"{name}bodies.{body.name}", f"{path}bodies.{k}"))
        for k, each in enumerate(parts.tensioners):
            if each is not None:
                found[f"{name}tensioners.{each.name}.supply_pressure"] = _of_oil(each, f"{path}tensioners.{k}")
    for k, rotor in enumerate(rotors):
        if rotor is not None:
            found[f"rotors.{rotor.name}.torque"] = _torque(rotor, f"rotors.{k}")
            reason = "a rotor has no prescribed motion: its torque can be an input"
            found[f"rotors.{rotor.name}.speed"] = InputPlace(0, "rad/s", hindrance=reason)
    return found


def _torque(part: Wheel | Rotor, path: str) -> InputPlace:
    """Return the torque on a part without a prescribed motion, as an input or a possible input."""
    declared = sum(isinstance(torque, InputTorque) for torque in torques_of(part.torque))
    given = _listed(part.torque) if part.torque != 0.0 else []
    return InputPlace(declared, "N m", f"{path}.torque", None if declared else [*given, {"kind": "input"}])


def _of_wheel(wheel: Wheel, name: str, path: str) -> Iterator[tuple[str, InputPlace]]:
    motion, torque = wheel.motion, _torque(wheel, path)
    if motion is not None:
        reason = f"the wheel follows its motion whatever the torque; its speed can be an input{MOTION}"
        torque = InputPlace(torque.declared, "N m", hindrance=reason)
    yield f"{name}.torque", torque
    if motion is not None and motion.kind == "input":
        yield f"{name}.speed", InputPlace(1, "rad/s")
    elif motion is not None and motion.kind == "constant_speed":
        value = {"kind": "input", "speed": motion.speed, "ramp": motion.ramp}
        yield f"{name}.speed", InputPlace(0, "rad/s", f"{path}.motion", value)
    else:
        reason = 'a speed can be an input where the file gives the wheel a motion of the kind "constant_speed"'
        yield f"{name}.speed", InputPlace(0, "rad/s", hindrance=reason)


def _of_body(body: Body, name: str, path: str) -> Iterator[tuple[str, InputPlace]]:
    joint = body.joint
    if joint.kind == "fixed":
        for quantity, unit in (("force", "N"), ("position", "m")):
            yield f"{name}.{quantity}", InputPlace(0, unit, hindrance="the joint of the body is fixed")
        return
    force, way = ("N", "m") if joint.kind == "prismatic" else ("N m", "rad")
    loads = _listed(joint.load) if joint.load != 0.0 else []
    declared = sum(isinstance(load, (InputForce, JointInputTorque)) for load in loads)
    value = None if declared else [*loads, {"kind": "input"}]
    pushed = InputPlace(declared, force, f"{path}.joint.load", value)
    moved = InputPlace(0, way, f"{path}.joint.motion", {"kind": "input"})
    if joint.motion is not None:
        reason = f"the body follows its motion whatever the force; its position can be an input{MOTION}"
        pushed = InputPlace(declared, force, hindrance=reason)
        moved = InputPlace(0, way, hindrance="the file gives the body a different motion")
        if joint.motion.kind == "input":
            moved = InputPlace(1, way)
    yield f"{name}.force", pushed
    yield f"{name}.position", moved


def _of_oil(tensioner: Tensioner, path: str) -> InputPlace:
    """Return the supply pressure of a tensioner, as an input or a possible input."""
    if tensioner.kind != "hydraulic":
        return InputPlace(0, "Pa", hindrance=NO_OIL)
    supply = tensioner.supply_pressure
    if isinstance(supply, float):
        return InputPlace(0, "Pa", f"{path}.supply_pressure", {"kind": "input", "mean": supply})
    if isinstance(supply, InputPressure):
        return InputPlace(1, "Pa")
    return InputPlace(0, "Pa", hindrance="the file gives the supply pressure over time")


def _listed(given: Any) -> list[Any]:
    """Return a list of the given load, or of the given loads if there are several."""
    return list(given) if isinstance(given, (list, tuple)) else [given]
