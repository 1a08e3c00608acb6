"""A machine coupled to a drive: a separate model with which the drive exchanges torques and speeds during a run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, ClassVar, Literal, NamedTuple

from pydantic import Field, field_validator

from chaindrive.errors import Problem
from chaindrive.model.base import Model, Name, Quantity, Text
from chaindrive.model.inputs import NO_OIL, ChainParts, InputPlace, Seat, input_places
from chaindrive.model.problems import nearest
from chaindrive.model.rotor import Rotor

__all__ = ["Machine", "MachineBody", "MachineShaft", "MachineTensioner", "Signal", "machine_problems"]

MOST_SHAFTS, MOST_PARAMETERS = 20, 1000


class Signal(NamedTuple):
    """A variable of a machine that is coupled to a quantity of a part of the drive."""

    key: str
    """Key of the variable, such as "torque"."""
    variable: str
    seat: Seat
    """The part of the drive."""
    given: bool
    """Whether the machine supplies the variable, as its output, or receives it, as its input."""
    unit: str
    factor: float = 1.0
    """Factor from the value sent to the value received."""
    partner: str = ""
    """For a variable supplied by the machine: the quantity of the drive whose product with this variable is a power."""

    @property
    def name(self) -> str:
        """Name of the quantity of the drive, such as "wheels.crankshaft.torque"."""
        return f"{self.seat.name}.{self.key}"


ActsOn = Annotated[
    Literal["drive", "machine"],
    Field(
        description="Whether the torque or force in the machine's variable acts on the drive or on the machine. "
        "'machine': the reaction acts on the drive, with the opposite sign. An FMU exported by chaindrive uses the "
        "torque or force that acts on itself."
    ),
]
SIGN = {"drive": 1.0, "machine": -1.0}
"""Sign of the torque or force on the drive relative to that in the variable."""


def _declared(inputs: Mapping[str, InputPlace], name: str) -> bool:
    """Return whether the description of the drive makes this quantity an input."""
    return name in inputs and inputs[name].declared > 0


class MachineShaft(Model):
    """A wheel or rotor that a machine turns or loads, and the variables of the machine for its torque and motion.

    A wheel whose motion is an input receives its speed from the machine, which receives the torque that this requires.
    """

    variables: ClassVar[tuple[str, ...]] = ("torque", "speed", "angle")
    wheel: Name | None = Field(None, description="Name of the wheel.")
    stage: Name | None = Field(None, description="Stage of the wheel; default: the first chain.")
    rotor: Name | None = Field(None, description="Name of the rotor, instead of a wheel.")
    torque: Name | None = Field(
        None,
        description="Output of the machine: its torque on the wheel, counter-clockwise positive. The wheel needs "
        "torque = { kind = 'input' }. If the wheel has motion = { kind = 'input' }, this is an input of the "
        "machine instead: the torque that the speed requires.",
    )
    speed: Name | None = Field(
        None,
        description="Input of the machine: the speed of the wheel. If the wheel has motion = { kind = 'input' }, "
        "this is an output of the machine instead, which the wheel follows.",
    )
    angle: Name | None = Field(None, description="Input of the machine: the angle of the wheel.")
    acts_on: ActsOn = "drive"
    gear_ratio: Annotated[float, Quantity("", least=-1e4, most=1e4)] = Field(
        1.0,
        description="Speed of the machine's shaft divided by that of the wheel; negative if they turn in opposite "
        "directions.",
    )

    @field_validator("gear_ratio")
    @classmethod
    def _turns(cls, ratio: float) -> float:
        if ratio == 0.0:
            raise ValueError("must not be 0")
        return ratio

    @property
    def key(self) -> str:
        """The key that names the part."""
        return "wheel" if self.rotor is None else "rotor"

    @property
    def seat(self) -> Seat:
        """The wheel or rotor to which the machine is coupled."""
        if self.rotor is not None:
            return Seat("rotors", self.rotor)
        return Seat("wheels", f"{self.wheel}", self.stage or "")

    def signals(self, inputs: Mapping[str, InputPlace]) -> Iterator[Signal]:
        """Yield the signals between variables of the machine and the wheel or rotor; inputs: inputs of the drive, by
        name.
        """
        ratio, led = self.gear_ratio, _declared(inputs, f"{self.seat.name}.speed")
        torque, speed = ("", "torque") if led else ("speed", "")
        if self.torque is not None:
            factor = SIGN[self.acts_on] * (1.0 / ratio if led else ratio)
            yield Signal("torque", self.torque, self.seat, not led, "N m", factor, torque)
        if self.speed is not None:
            yield Signal("speed", self.speed, self.seat, led, "rad/s", 1.0 / ratio if led else ratio, speed)
        if self.angle is not None:
            yield Signal("angle", self.angle, self.seat, False, "rad", ratio)


class MachineBody(Model):
    """A body that a machine pushes or moves, and the variables of the machine for the force and motion of its joint.

    Forces, positions and speeds refer to the coordinate of the joint; for a revolute joint they are torques, angles and
    angular velocities. A body whose motion is an input receives its position from the machine, which receives the force
    that this requires.
    """

    variables: ClassVar[tuple[str, ...]] = ("force", "position", "speed")
    key: ClassVar[str] = "body"
    body: Name = Field(description="Name of the body.")
    stage: Name | None = Field(None, description="Stage of the body; default: the first chain.")
    force: Name | None = Field(
        None,
        description="Output of the machine: its force on the body in the positive direction of the joint. The joint "
        "needs load = { kind = 'input' }. If the joint has motion = { kind = 'input' }, this is an input of "
        "the machine instead: the force that the motion requires.",
    )
    position: Name | None = Field(
        None,
        description="Input of the machine: the coordinate of the joint. If the joint has motion = { kind = 'input' "
        "}, this is an output of the machine instead, which the body follows.",
    )
    speed: Name | None = Field(
        None, description="Input of the machine: the rate of change of the coordinate of the joint."
    )
    acts_on: ActsOn = "drive"

    @property
    def seat(self) -> Seat:
        """The body."""
        return Seat("bodies", self.body, self.stage or "")

    def signals(self, inputs: Mapping[str, InputPlace]) -> Iterator[Signal]:
        """Yield the signals between variables of the machine and the body; inputs: inputs of the drive, by name."""
        names = [f"{self.seat.name}.{quantity}" for quantity in ("force", "position")]
        led = _declared(inputs, names[1])
        force, way = (inputs[name].unit if name in inputs else "" for name in names)
        if self.force is not None:
            sign = SIGN[self.acts_on]
            yield Signal("force", self.force, self.seat, not led, force, sign, "" if led else "speed")
        if self.position is not None:
            yield Signal("position", self.position, self.seat, led, way)
        if self.speed is not None:
            yield Signal("speed", self.speed, self.seat, False, f"{way}/s")


class MachineTensioner(Model):
    """A hydraulic tensioner that a machine supplies with oil."""

    variables: ClassVar[tuple[str, ...]] = ("supply_pressure", "inflow", "pressure", "position", "force")
    key: ClassVar[str] = "tensioner"
    tensioner: Name = Field(description="Name of the tensioner.")
    stage: Name | None = Field(None, description="Stage of the tensioner; default: the first chain.")
    supply_pressure: Name | None = Field(
        None,
        description="Output of the machine: the supply pressure above atmospheric pressure. The tensioner needs "
        "supply_pressure = { kind = 'input' }.",
    )
    inflow: Name | None = Field(None, description="Input of the machine: the volume flow of oil into the tensioner.")
    pressure: Name | None = Field(None, description="Input of the machine: the pressure in the chamber.")
    position: Name | None = Field(
        None, description="Input of the machine: the distance between the ends of the tensioner."
    )
    force: Name | None = Field(
        None, description="Input of the machine: the force that pushes the ends of the tensioner apart."
    )

    @property
    def seat(self) -> Seat:
        """The tensioner."""
        return Seat("tensioners", self.tensioner, self.stage or "")

    def signals(self, inputs: Mapping[str, InputPlace]) -> Iterator[Signal]:
        """Yield the signals between variables of the machine and tensioner. inputs: inputs of the drive, by name."""
        if self.supply_pressure is not None:
            yield Signal("supply_pressure", self.supply_pressure, self.seat, True, "Pa", partner="inflow")
        for key, unit in zip(self.variables[1:], ("m^3/s", "Pa", "m", "N"), strict=True):
            if (variable := getattr(self, key)) is not None:
                yield Signal(key, variable, self.seat, False, unit)


class Machine(Model):
    """A machine coupled to the drive, such as an engine, a vehicle or a controller, as an FMU or a Python object.

    An FMU runs code from its author, so it is loaded only if the run explicitly allows it by name.
    """

    name: Name = Field(description="Name of the machine.")
    file: Name | None = Field(
        None,
        description="FMU for co-simulation (FMI 2.0 or 3.0), relative to the file of the drive; default: a Python "
        "object given to simulate.",
    )
    shafts: Annotated[tuple[MachineShaft, ...], Field(max_length=MOST_SHAFTS)] = Field(
        (), description="Wheels and rotors to which the machine is coupled."
    )
    bodies: Annotated[tuple[MachineBody, ...], Field(max_length=MOST_SHAFTS)] = Field(
        (), description="Bodies to which the machine is coupled."
    )
    tensioners: Annotated[tuple[MachineTensioner, ...], Field(max_length=MOST_SHAFTS)] = Field(
        (), description="Hydraulic tensioners to which the machine is coupled."
    )
    parameters: Annotated[dict[Name, bool | float | Text], Field(max_length=MOST_PARAMETERS)] = Field(
        default_factory=dict,
        description="Start values of the machine's parameters and other inputs, such as { inertia = '0.2 kg*m^2' }, "
        "in the unit given, or in that of the FMU if none is given.",
    )

    @property
    def couplings(self) -> Iterator[tuple[str, MachineShaft | MachineBody | MachineTensioner]]:
        """The parts to which the machine is coupled, each with its place, such as "shafts[0]"."""
        for name in ("shafts", "bodies", "tensioners"):
            yield from ((f"{name}[{k}]", coupled) for k, coupled in enumerate(getattr(self, name)))

    @field_validator("file")
    @classmethod
    def _beside_the_drive(cls, file: str | None) -> str | None:
        from chaindrive.model.files.drawing import beside

        return None if file is None else str(beside(file))


def machine_problems(
    machines: Sequence[Machine | None], chains: Mapping[str | None, ChainParts], rotors: Sequence[Rotor | None]
) -> Iterator[Problem]:
    """Yield the problems of the machines of a drive; their places start with "machines[k]".

    chains: parts of the first chain under None, and of each stage under its name, with None in place of invalid parts.
    """
    names: set[str] = set()
    written: set[str] = set()
    whole = None not in rotors and all(None not in parts for chain in chains.values() for parts in chain)
    inputs = input_places(chains, rotors)
    for k, machine in enumerate(machines):
        if machine is None:
            continue
        if machine.name in names:
            yield Problem(f"machines[{k}].name", "must be unique among machines", repr(machine.name))
        names.add(machine.name)
        if not list(machine.couplings):
            yield Problem(f"machines[{k}]", "name the parts to which it is coupled: shafts, bodies or tensioners")
        for where, coupled in machine.couplings:
            place = f"machines[{k}].{where}"
            if isinstance(coupled, MachineShaft) and (coupled.wheel is None) == (coupled.rotor is None):
                yield Problem(place, "name either a wheel or a rotor")
                continue
            signals = list(coupled.signals(inputs))
            if not signals:
                *others, last = coupled.variables
                listed = f"{', '.join(others)} or {last}"
                yield Problem(place, f"name at least one variable of the machine: {listed}")
            if (missing := _missing_part(coupled.seat, coupled.key, place, chains, rotors)) is not None:
                if whole:
                    yield missing
                continue
            if isinstance(coupled, MachineTensioner):
                yield from _oil_problems(coupled, place, inputs[f"{coupled.seat.name}.supply_pressure"])
            for signal in signals:
                if not signal.given:
                    continue
                yield from _input_problems(signal, f"{place}.{signal.key}", inputs[signal.name])
                if signal.name in written:
                    message = (
                        f"another machine already supplies the {signal.key.replace('_', ' ')} of {signal.seat.called!r}"
                    )
                    yield Problem(f"{place}.{signal.key}", message, signal.variable)
                written.add(signal.name)


def _input_problems(signal: Signal, place: str, given: InputPlace) -> Iterator[Problem]:
    """Yield the problem of a quantity that a machine cannot supply."""
    if given.declared == 1 and not given.hindrance:
        return
    key = {"force": "load", "position": "motion", "speed": "motion"}.get(signal.key, signal.key)
    message = f"{signal.seat.name} needs one {key} = {{ kind = 'input' }} for it, and has {given.declared}"
    if given.hindrance:
        message = f"cannot be given: {given.hindrance}"
    yield Problem(place, message, repr(signal.variable))


def _oil_problems(coupled: MachineTensioner, place: str, supply: InputPlace) -> Iterator[Problem]:
    """Yield the problems of quantities that a machine cannot exchange with a tensioner."""
    if coupled.pressure is not None and supply.hindrance == NO_OIL:
        yield Problem(f"{place}.pressure", f"is not available: {NO_OIL}", repr(coupled.pressure))
    if coupled.inflow is not None and not supply.declared:
        reason = supply.hindrance or "the tensioner needs supply_pressure = { kind = 'input' } for it"
        yield Problem(f"{place}.inflow", f"is not available: {reason}", repr(coupled.inflow))


def _missing_part(
    seat: Seat,
    key: str,
    place: str,
    chains: Mapping[str | None, ChainParts],
    rotors: Sequence[Rotor | None],
) -> Problem | None:
    """Return the problem of a stage or part that does not exist; None if it exists. key: kind of the part, such as
    "wheel".
    """
    if (seat.stage or None) not in chains:
        stages = ", ".join(name for name in chains if name) or "none"
        return Problem(f"{place}.stage", f"there is no such stage; available: {stages}", repr(seat.stage))
    parts = rotors if seat.group == "rotors" else getattr(chains[seat.stage or None], seat.group)
    names = [each.name for each in parts if each is not None]
    if seat.part in names:
        return None
    message = f"there is no such {key}{nearest(seat.part, names) or '.'} Available: {', '.join(names) or 'none'}"
    return Problem(f"{place}.{key}", message, repr(seat.part))
