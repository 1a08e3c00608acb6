"""The start of a drive with several chains or rotors: each is brought to its start separately, then all are joined by
their shafts.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from chaindrive.contract.modes import JoiningShaft
from chaindrive.contract.port import Port
from chaindrive.contract.system import System
from chaindrive.coupling.joined import Named, join, stand_beside, torque_wanted
from chaindrive.coupling.joined_modes import joined_modes
from chaindrive.coupling.rigid_shafts import RigidShaft, Seat, hold
from chaindrive.coupling.rotor import compile_rotor
from chaindrive.errors import InputError
from chaindrive.formulations.planar.anchors import is_held
from chaindrive.mechanism.facts import drive_facts
from chaindrive.mechanism.stages import first_stage, rotor_turnings, stage_drives, wheel_named
from chaindrive.model import Drive, Rotor, RotorShaft, Stage

__all__ = ["Begin", "begin_joined"]

Begin = Callable[[Drive, str, Mapping[int, float], int | None], tuple[Drive, System]]
"""Function that brings one chain to its start. Its arguments are the chain, the required start, the shaft torques on
the wheels of the chain by number [N m], counter-clockwise positive, and the wheel that a shaft holds during the search
for equilibrium (None: there is no shaft)."""


class _ShaftDemand(NamedTuple):
    """A system at its start, and the torque that its shaft must transmit to it."""

    at_rest: System
    """System at rest, for the analysis of modes."""
    system: System
    """System in its coordinates of integration."""
    wheel: int
    """Number of the wheel turned by the shaft."""
    torque: float
    """Torque required of the shaft. [N m]"""


def begin_joined(drive: Drive, start: str, begin: Begin) -> tuple[Drive, System]:
    """Bring each chain of a drive to its start, and join them by their shafts, in their coordinates of integration.

    Chains are started from the last to the first, because the torque required of a shaft loads the chain that drives
    it. begin: function that brings one chain to its start.
    """
    first = first_stage(drive)
    if start == "at_speed" and drive_facts(first).given_speed is not None and drive_facts(drive).given_speed is None:
        start = "at_rest"  # a rotor drives: its speed is the final speed of the drive, not its start
    chains = {None: first} | {stage.name: each for stage, each in zip(drive.stages, stage_drives(drive), strict=True)}
    if start == "at_speed" and any(is_held(c.chain) or not drive_facts(c).one_speed for c in chains.values()):
        start = "at_rest"  # as such a chain does alone: the parts that it moves are at rest
    torques: dict[str | None, dict[int, float]] = {name: {} for name in chains}
    demands: dict[str, _ShaftDemand] = {}
    for rotor, turning in zip(drive.rotors, rotor_turnings(drive), strict=True):
        system = compile_rotor(rotor, turning, start == "at_speed")
        demands[rotor.name] = _ShaftDemand(system, system, 0, torque_wanted(system, port_of(system, 0)))
        _pull(chains, torques, rotor.shaft, demands[rotor.name].torque)
    for stage in reversed(drive.stages):
        own, shaft = chains[stage.name], stage.shaft
        wheel = wheel_named(own, shaft.to_wheel)
        with _in_stage(drive, stage):
            at_rest = begin(own, start, torques[stage.name], wheel)[1]
            wanted = _torque_in_equilibrium(at_rest, wheel) - torques[stage.name].get(wheel, 0.0)
            system = at_rest.as_integrated
        if start != "at_speed" and not drive_facts(first).driver_speed:
            system.state[system.positions : system.positions + system.velocities] = 0.0
        _pull(chains, torques, shaft, wanted)
        demands[stage.name] = _ShaftDemand(at_rest, system, wheel, wanted)
    begun, system = begin(first, start, torques[None], None)
    whole = _joined(drive, chains, system, demands)
    speeds = {"initial_speed": None}  # given if a rotor drives, see first_stage
    wheels = [
        wheel if wheel.initial_speed == given.initial_speed else wheel.model_copy(update=speeds)
        for given, wheel in zip(drive.wheels, begun.wheels, strict=True)
    ]
    return begun.model_copy(update={"wheels": tuple(wheels), "stages": drive.stages, "rotors": drive.rotors}), whole


def _torque_in_equilibrium(system: System, wheel: int) -> float:
    """Return the torque that a shaft must exert on a wheel in the equilibrium from which its chain starts. [N m]

    The velocities of the start are those of smooth rolling. Rollers settle in their teeth within the first fractions of
    a millisecond; until then, friction and damping of all their contacts may act in one direction. Such forces are
    omitted, as in the search for equilibrium, which includes only the friction that keeps its direction while the drive
    runs.
    """
    if not system.motion.chains:
        return torque_wanted(system, port_of(system, wheel))
    state, dragged = system.state, system.rest.dragged
    if dragged is None:
        state = state.copy()
        state[system.positions : system.positions + system.velocities] = 0.0
    found = replace(system, state=state, parameters=system.rest.searched if dragged is None else dragged)
    found.kernels.begin(0.0, state, found.parameters)
    torque = torque_wanted(found, port_of(found, wheel))
    system.kernels.begin(0.0, system.state, system.parameters)
    return torque


def _pull(
    chains: Mapping[str | None, Drive], torques: dict[str | None, dict[int, float]], shaft: RotorShaft, wanted: float
) -> None:
    """Add the torque required of a shaft [N m] to the load of the wheel that drives this shaft, in place."""
    turning, pulled = wheel_named(chains[shaft.from_stage], shaft.from_wheel), torques[shaft.from_stage]
    pulled[turning] = pulled.get(turning, 0.0) - shaft.ratio * wanted


def _joined(
    drive: Drive, chains: Mapping[str | None, Drive], first: System, demands: Mapping[str, _ShaftDemand]
) -> System:
    """Combine all systems, with the shafts between them. first: system of the first chain, at rest."""
    whole = first.as_integrated
    held: list[RigidShaft] = []
    shafts: list[JoiningShaft] = []
    systems: dict[str | None, System] = {None: whole}
    parts: tuple[Stage | Rotor, ...] = (*drive.stages, *drive.rotors)
    given = np.zeros(sum(part.shaft.stiffness is None for part in parts))
    before: dict[str | None, tuple[int, int]] = {None: (0, 0)}
    for part in parts:
        shaft, (_, system, wheel, torque) = part.shaft, demands[part.name]
        named = Named(part.name, "stage" if isinstance(part, Stage) else "rotor")
        at, works = whole.positions, whole.state.size - whole.positions - whole.velocities
        turning = wheel_named(chains[shaft.from_stage], shaft.from_wheel)
        there = _seat(systems[shaft.from_stage], turning, before[shaft.from_stage])
        ports = there.port._replace(angle=there.angle, speed=whole.positions + there.angle), port_of(system, wheel)
        stiffness = math.inf if shaft.stiffness is None else shaft.stiffness
        shafts.append(JoiningShaft(there.angle, at + ports[1].angle, shaft.ratio, stiffness, torque))
        _pace(system, ports[1], shaft.ratio * float(whole.state[whole.positions + there.angle]))
        if shaft.stiffness is None:
            own = given[len(held) : len(held) + 1]
            held.append(RigidShaft(part.name, there, _seat(system, wheel, (at, works)), shaft.ratio))
            whole = stand_beside(whole, system, ports, shaft.ratio, own, torque, named)
        else:
            whole = join(whole, system, ports, shaft, torque, named)
        systems[part.name], before[part.name] = system, (at, works)
    whole = hold(whole, held, given) if held else whole
    at_rest = [("", first), *((part.name, demands[part.name].at_rest) for part in parts)]
    return replace(whole, modes=joined_modes(at_rest, shafts))


def _seat(system: System, wheel: int, before: tuple[int, int]) -> Seat:
    """Return the seat of a wheel in the combined system; before: numbers of positions and works in the systems before
    its own.
    """
    port = port_of(system, wheel)
    return Seat(port, before[0] + port.angle, before[1])


@contextlib.contextmanager
def _in_stage(drive: Drive, stage: Stage) -> Iterator[None]:
    """Report the problems that occur within the context under the key of the stage."""
    try:
        yield
    except InputError as error:
        place = f"stages[{drive.stages.index(stage)}]"
        raise InputError([problem._replace(place=f"{place}.{problem.place}") for problem in error.problems]) from None


def port_of(system: System, wheel: int) -> Port:
    """Return the port at which a shaft is joined to a wheel."""
    assert system.port is not None  # ensured by the checks of the model
    return system.port(wheel)


def _pace(system: System, port: Port, speed: float) -> None:
    """Set the start velocities of a system so that the wheel turned by its shaft has the given speed [rad/s], in
    place.
    """
    velocities = system.state[system.positions : system.positions + system.velocities]
    own = float(velocities[port.angle])
    if own != 0.0:
        velocities *= speed / own
    velocities[port.angle] = speed
