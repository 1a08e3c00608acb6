"""A machine coupled to a drive: a model of its own, which exchanges torques and speeds with wheels during a run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated

from pydantic import Field, field_validator

from chaindrive.errors import Problem
from chaindrive.model.base import Model, Name, Quantity, Text
from chaindrive.model.problems import nearest
from chaindrive.model.rotor import Rotor
from chaindrive.model.torques.input import InputTorque
from chaindrive.model.torques.torque import torques_of
from chaindrive.model.wheel import Wheel

__all__ = ["Machine", "MachineShaft", "machine_problems"]

MOST_SHAFTS, MOST_PARAMETERS = 20, 1000


class MachineShaft(Model):
    """A wheel or rotor that a machine turns or loads: which variables of the machine are its torque and motion."""

    wheel: Name | None = Field(None, description="Name of the wheel.")
    stage: Name | None = Field(None, description="Stage of the wheel; default: the first chain.")
    rotor: Name | None = Field(None, description="Name of the rotor, instead of a wheel.")
    torque: Name | None = Field(
        None,
        description="Output of the machine: its torque on the wheel, counter-clockwise positive. The wheel needs "
        "torque = { kind = 'input' }.",
    )
    speed: Name | None = Field(None, description="Input of the machine: the speed of the wheel.")
    angle: Name | None = Field(None, description="Input of the machine: the angle of the wheel.")
    gear_ratio: Annotated[float, Quantity("", least=-1e4, most=1e4)] = Field(
        1.0, description="Speed of the machine's shaft over that of the wheel; negative: it turns the other way."
    )

    @field_validator("gear_ratio")
    @classmethod
    def _turns(cls, ratio: float) -> float:
        if ratio == 0.0:
            raise ValueError("must not be 0")
        return ratio

    @property
    def part(self) -> str:
        """Name of the wheel or rotor, with its stage: "final.camshaft"."""
        if self.rotor is not None:
            return self.rotor
        return f"{self.stage}.{self.wheel}" if self.stage else f"{self.wheel}"


class Machine(Model):
    """A machine coupled to the drive: an engine, a vehicle, a controller, in an FMU or as a Python object.

    An FMU runs the code of whoever made it, so it is loaded only if the run allows it by name.
    """

    name: Name = Field(description="Name of the machine.")
    file: Name | None = Field(
        None,
        description="FMU for co-simulation (FMI 2.0 or 3.0), relative to the file of the drive; default: a Python "
        "object given to simulate.",
    )
    shafts: Annotated[tuple[MachineShaft, ...], Field(min_length=1, max_length=MOST_SHAFTS)] = Field(
        description="Wheels and rotors that it is coupled to."
    )
    parameters: Annotated[dict[Name, bool | float | Text], Field(max_length=MOST_PARAMETERS)] = Field(
        default_factory=dict,
        description="Start values of its parameters and other inputs, such as { inertia = '0.2 kg*m^2' }, in the unit "
        "given or, without one, that of the FMU.",
    )

    @field_validator("file")
    @classmethod
    def _beside_the_drive(cls, file: str | None) -> str | None:
        from chaindrive.model.files.drawing import beside

        return None if file is None else str(beside(file))


def machine_problems(
    machines: Sequence[Machine | None],
    known: Mapping[str | None, Sequence[Wheel | None]],
    rotors: Sequence[Rotor | None],
) -> Iterator[Problem]:
    """Problems of the machines of a drive; places start with "machines[k]". Wrong parts are None.

    known: wheels of all stages by their names, those of the first chain by None.
    """
    names: set[str] = set()
    written: set[str] = set()
    whole = None not in rotors and all(None not in wheels for wheels in known.values())
    for k, machine in enumerate(machines):
        if machine is None:
            continue
        if machine.name in names:
            yield Problem(f"machines[{k}].name", "must be unique among machines", repr(machine.name))
        names.add(machine.name)
        for j, shaft in enumerate(machine.shafts):
            place = f"machines[{k}].shafts[{j}]"
            yield from _shaft_problems(shaft, place, known, rotors, whole)
            if shaft.torque is not None and shaft.part in written:
                yield Problem(f"{place}.torque", f"another machine gives the torque on {shaft.part!r}", shaft.torque)
            written |= {shaft.part} if shaft.torque is not None else set()


def _shaft_problems(
    shaft: MachineShaft,
    place: str,
    known: Mapping[str | None, Sequence[Wheel | None]],
    rotors: Sequence[Rotor | None],
    whole: bool,
) -> Iterator[Problem]:
    """Problems of one of the shafts of a machine; whole: whether all wheels and rotors are well-formed."""
    if (shaft.wheel is None) == (shaft.rotor is None):
        yield Problem(place, "name either a wheel or a rotor")
        return
    if shaft.torque is None and shaft.speed is None and shaft.angle is None:
        yield Problem(place, "name at least one variable of the machine: torque, speed or angle")
    if shaft.rotor is not None:
        parts: Sequence[Wheel | Rotor | None] = rotors
    elif shaft.stage in known:
        parts = known[shaft.stage]
    else:
        if whole:
            stages = ", ".join(name for name in known if name) or "none"
            yield Problem(f"{place}.stage", f"there is no such stage; there are {stages}", repr(shaft.stage))
        return
    name, key = (shaft.rotor, "rotor") if shaft.rotor is not None else (shaft.wheel, "wheel")
    part = next((each for each in parts if each is not None and each.name == name), None)
    if part is None:
        if whole:
            names = [each.name for each in parts if each is not None]
            listed = ", ".join(names) or "none"
            message = f"there is no such {key}{nearest(str(name), names)}; there are {listed}"
            yield Problem(f"{place}.{key}", message, repr(name))
        return
    count = sum(isinstance(torque, InputTorque) for torque in torques_of(part.torque))
    if shaft.torque is not None and count != 1:
        message = f"{key} {name!r} needs one torque = {{ kind = 'input' }} for it, and has {count}"
        yield Problem(f"{place}.torque", message, repr(shaft.torque))
