"""Machines coupled to a drive: the drive as one part of a co-simulation, and the run in macro steps."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from chaindrive.contract.inputs import Input
from chaindrive.contract.states import FloatArray
from chaindrive.contract.status import Status
from chaindrive.contract.system import System
from chaindrive.cosimulation.description import Fmu, described
from chaindrive.cosimulation.fmu import FmuPart
from chaindrive.cosimulation.master import Account, Connection, Coupling, FailedPartError, Master, PowerBond
from chaindrive.cosimulation.signals import Signals
from chaindrive.cosimulation.subsystem import Subsystem, SubsystemError, can_restore
from chaindrive.errors import InputError, Problem
from chaindrive.mechanism.save_rate import fastest_excitation
from chaindrive.model import CouplingOptions, Drive, Machine
from chaindrive.model.arguments import names_of
from chaindrive.model.inputs import Seat
from chaindrive.model.machine import Signal
from chaindrive.model.problems import shown
from chaindrive.numbers import quantity
from chaindrive.solvers.integrator import Integrator

__all__ = ["CoupledRun", "DrivePart", "Reading", "couple", "coupling_of", "machines_of", "release"]

DRIVE = "drive"
"""Name of the drive among the parts."""
PER_PERIOD = 10
"""Least number of macro steps in a period of the fastest excitation."""
LONGEST = 1e-3
"""The longest macro step that is chosen automatically. [s]"""
TOLERANCE = 1e-3
"""Tolerance of the step control if the macro step is chosen automatically. [-]"""
MOMENT = 0.05
"""Time between two checks of the keyboard. [s of wall clock]"""
DOUBTED = 0.01
"""A warning is given if the energy created by a coupling exceeds this fraction of the energy exchanged. [-]"""


def machines_of(drive: Drive, given: Mapping[str, Subsystem] | None, allowed: Collection[str]) -> dict[str, Subsystem]:
    """Return the machines of a drive by name: objects that were given, and FMUs whose code is allowed to run.

    Raises InputError for a machine that is neither, and for names that do not exist in the drive.
    """
    if not isinstance(given, Mapping | None):
        message = "must be a mapping of names of machines to their objects, such as {'engine': Engine()}"
        raise InputError(Problem("machines", message, shown(given)))
    found: dict[str, Subsystem] = dict(given or {})
    allowed = names_of(allowed, "allow_machines", "names of machines, such as ['engine']")
    names = [machine.name for machine in drive.machines]
    listed = ", ".join(names) or "none"
    unknown = [("machines", name) for name in found if name not in names]
    unknown += [("allow_machines", name) for name in allowed if name not in names]
    trusted: dict[str, Machine] = {}
    problems = [Problem(place, f"the drive has no such machine; it has {listed}", repr(n)) for place, n in unknown]
    for k, machine in enumerate(drive.machines):
        if machine.name in found:
            if not isinstance(found[machine.name], Subsystem):
                message = "must have inputs, outputs, read and step (chaindrive.cosimulation.subsystem.Subsystem)"
                problems.append(Problem(f"machines[{machine.name!r}]", message, repr(found[machine.name])))
        elif machine.file is None:
            message = "has no file: pass its object, simulate(..., machines={name: object})"
            problems.append(Problem(f"machines[{k}]", message, repr(machine.name)))
        elif machine.name not in allowed:
            message = (
                "is an FMU, which runs code from its author; if you trust it, allow it by name: "
                f"--allow-machine {machine.name!r}, or simulate(..., allow_machines=[{machine.name!r}])"
            )
            problems.append(Problem(f"machines[{k}].file", message, repr(machine.file)))
        else:
            trusted[f"machines[{k}]"] = machine
    fmus: dict[str, Fmu] = {}
    for place, machine in trusted.items():
        try:
            fmus[place] = described(machine, place, drive.signals(drive.machines.index(machine)))
        except InputError as error:
            problems += error.problems
    if problems:
        raise InputError(problems)
    for place, fmu in fmus.items():
        found[trusted[place].name] = FmuPart(fmu, trusted[place].name, f"{place}.file")
    return found


def release(parts: Mapping[str, Subsystem]) -> None:
    """Close all machines that can be closed."""
    for part in parts.values():
        if callable(close := getattr(part, "close", None)):
            close()


def coupling_of(drive: Drive, options: CouplingOptions) -> Coupling:
    """Return the settings for the exchange of signals; the macro step is chosen automatically if none is given."""
    step, tolerance = options.step, options.tolerance
    if step == "auto":
        fastest = fastest_excitation(drive)
        step = min(LONGEST, 1.0 / (PER_PERIOD * fastest)) if fastest > 0.0 else LONGEST
        tolerance = TOLERANCE if tolerance is None else tolerance
    return Coupling(float(step), options.scheme, options.extrapolation, tolerance, options.iterations)


class Reading(NamedTuple):
    """An output of a drive and its source."""

    name: str
    """Name of the output, such as ``wheels.crankshaft.speed``."""
    place: int | None
    """Index in the state; None if the output is read from a channel."""
    channel: str = ""
    number: int = 0
    """Index of the part in the channel."""

    def value(self, system: System, state: FloatArray, row: FloatArray | None) -> float:
        """Return the value of the output at a state (n,); row: all channels at this state, needed if the output is read
        from a channel.
        """
        if self.place is not None:
            return float(state[self.place])
        assert row is not None
        return float(np.ravel(system.channel(self.channel).read(row))[self.number])


class DrivePart:
    """A drive as one part of a co-simulation.

    Its inputs and outputs have names (``contract.inputs``). Torques and motions of wheels are counter-clockwise
    positive.
    """

    def __init__(self, system: System, integrator: Integrator, inputs: Sequence[Input], read: Sequence[Reading]):
        self._system, self._integrator = system, integrator
        self._cells, self._readings = tuple(inputs), tuple(read)
        self.inputs = tuple(each.name for each in inputs)
        self.outputs = tuple(each.name for each in read)
        self.ended: Status | None = None
        """How the run of the drive ended, if it did not reach the end of a step."""

    def read(self, time: float, inputs: FloatArray) -> FloatArray:
        """Return the outputs of the drive, (outputs,)."""
        state = self._integrator.state
        row = None if all(each.place is not None for each in self._readings) else self._system.row(time, state)
        return np.array([each.value(self._system, state, row) for each in self._readings])

    def step(self, time: float, step: float, inputs: Signals) -> None:
        """Advance by one step with inputs that are given for this step. Raises SubsystemError if the run of the drive
        ends within the step.
        """
        self.give(step, inputs)
        self.advance(time + step)

    def give(self, step: float, inputs: Signals) -> None:
        """Set the inputs for the next step, of length ``step`` [s]."""
        for k, each in enumerate(self._cells):
            each.write(inputs.since, each.course(inputs.coefficients[:, k], step, self._integrator.state))
        self._integrator.change_loads()

    def advance(self, until: float) -> None:
        """Integrate to a time [s]. Raises SubsystemError if the run of the drive ends earlier."""
        status = Status.RUNNING
        while status == Status.RUNNING:
            status = self._integrator.advance(until)
        if status != Status.REACHED_END:
            self.ended = status
            raise SubsystemError(status.description)

    def save(self) -> Any:
        """Return the state, the memory and the rows of the drive."""
        return self._integrator.snapshot()

    def restore(self, saved: Any) -> None:
        """Return to a saved state."""
        self._integrator.restore(saved)


class CoupledRun:
    """The run of a drive with its machines: it acts as an integrator, but advances in the macro steps of a master."""

    def __init__(self, integrator: Integrator, master: Master, room: int) -> None:
        self._integrator, self.master, self._room = integrator, master, room
        self._drive: DrivePart = master.parts[DRIVE]

    def begin(self) -> Status:
        """Read the signals at the start; returns RUNNING, or the reason for a failure."""
        try:
            self.master.begin()
        except FailedPartError as error:
            return self._failed(error)
        return Status.RUNNING

    def advance(self, until: float, budget_steps: int) -> Status:
        """Integrate towards ``until`` [s] for a short time; see ``Integrator.advance``."""
        begun = time.monotonic()
        if not self.master.ready and (status := self.begin()) != Status.RUNNING:
            return status
        while self.master.time < until:
            if self._integrator.rows_waiting >= self._room:
                return Status.RUNNING
            try:
                self.master.advance(until)
            except FailedPartError as error:
                return self._failed(error)
            if time.monotonic() - begun > MOMENT and self.master.time < until:
                return Status.RUNNING
        return Status.REACHED_END

    def _failed(self, error: FailedPartError) -> Status:
        """Return the status after a failure: the status with which the run of the drive ended, or that of a failed
        machine.
        """
        if error.part == DRIVE and self._drive.ended is not None:
            return self._drive.ended
        return replace(Status.MACHINE_FAILED, where=f"machine {error.part!r}: {error.reason.rstrip('.')}")

    @property
    def _machines(self) -> list[tuple[str, Any]]:
        """Machines with their names, in the order of the drive."""
        return [(name, part) for name, part in self.master.parts.items() if name != DRIVE]

    def checkpoint(self) -> dict[str, Any]:
        """Return arrays from which the master and the machines can continue; machines whose state cannot be saved are
        omitted.
        """
        found = {f"couple_{name}": array for name, array in self.master.state().items()}
        for k, (_, part) in enumerate(self._machines):
            with contextlib.suppress(Exception):  # raised by third-party code: treated as unable to save its state
                if can_restore(part) and isinstance(saved := part.save(), np.ndarray):
                    found[f"machine{k}"] = saved
        return found

    def restore(self, arrays: Mapping[str, Any]) -> None:
        """Continue from ``checkpoint``. Raises an InputError that names every machine whose state is missing."""
        lost = [name for k, (name, _) in enumerate(self._machines) if f"machine{k}" not in arrays]
        if lost:
            message = "its state cannot be saved, so a run with it cannot be resumed; run without --resume"
            raise InputError([Problem("resume", message, f"machine {name!r}") for name in lost])
        self.master.restore({name[7:]: array for name, array in arrays.items() if name.startswith("couple_")})
        for k, (name, part) in enumerate(self._machines):
            try:
                part.restore(arrays[f"machine{k}"])
            except Exception as error:  # raised by third-party code
                reason = f"its state cannot be restored ({type(error).__name__}: {error}); run without --resume"
                raise InputError(Problem("resume", reason, f"machine {name!r}")) from None

    def notes(self) -> dict[str, Any]:
        """Return facts about the coupling for the results, with the energy account of every power bond."""
        master, coupling = self.master, self.master.coupling
        accounts = {name: vars(account).copy() for name, account in master.accounts.items()}
        return {
            "coupling": {
                "scheme": coupling.scheme,
                "extrapolation": coupling.extrapolation,
                "macro_steps": master.steps,
                "sweeps": master.sweeps,
                "mean_macro_step": master.time / master.steps if master.steps else 0.0,
                "bonds": accounts,
            }
        }

    def warnings(self) -> tuple[str, ...]:
        """Return warnings about couplings that created or lost a significant amount of energy."""
        return tuple(
            _doubt(name, account)
            for name, account in self.master.accounts.items()
            if abs(account.made) > DOUBTED * account.exchanged
        )


def _doubt(name: str, account: Account) -> str:
    """Return a warning about a coupling that created or lost energy."""
    what, share = "created" if account.made > 0.0 else "lost", abs(account.made) / account.exchanged
    return (
        f"the coupling of {name} {what} {quantity(abs(account.made), 'J', 3)}, {100.0 * share:.2g} % of the "
        f"{quantity(account.exchanged, 'J', 3)} exchanged: use a shorter run.coupling.step, or run.coupling.scheme = "
        "'iterated'"
    )


def couple(
    drive: Drive,
    system: System,
    integrator: Integrator,
    machines: Mapping[str, Subsystem],
    coupling: Coupling,
    room: int,
) -> CoupledRun:
    """Connect the machines of a drive to its run; room: number of rows that may wait before a macro step begins.

    Machines take a step before the drive. Raises InputError for variables that a machine does not have, or that are
    left without a signal.
    """
    inputs = {each.name: each for each in system.inputs}
    read: dict[str, Reading] = {}
    written: list[Input] = []
    connections: list[Connection] = []
    bonds: list[PowerBond] = []
    parts: dict[str, Any] = {}
    problems: list[Problem] = []
    for k, machine in enumerate(drive.machines):
        part, signals = machines[machine.name], drive.signals(k)
        problems += _missing(machine, part, signals, f"machines[{k}]")
        parts[machine.name] = part
        for _, signal in signals:
            name = signal.name
            if not signal.given:
                read.setdefault(name, _reading(drive, signal.seat, signal.key, system))
                connections.append(Connection(DRIVE, name, machine.name, signal.variable, signal.factor))
                continue
            written.append(inputs[name])
            connections.append(Connection(machine.name, signal.variable, DRIVE, name, signal.factor))
            if signal.partner:
                other = f"{signal.seat.name}.{signal.partner}"
                read.setdefault(other, _reading(drive, signal.seat, signal.partner, system))
                bond = f"machine {machine.name!r} at {_called(signal.seat)}"
                bonds.append(PowerBond(bond, machine.name, signal.variable, DRIVE, other, signal.factor))
    if problems:
        raise InputError(problems)
    parts[DRIVE] = DrivePart(system, integrator, written, list(read.values()))
    return CoupledRun(integrator, Master(parts, connections, coupling, bonds, integrator.time), room)


CHANNELS = {
    "wheels": {"angle": "wheel_angle", "speed": "wheel_speed", "torque": "motion_torque"},
    "bodies": {"position": "joint_position", "speed": "joint_speed", "force": "motion_force"},
    "tensioners": {
        "position": "tensioner_position",
        "force": "tensioner_force",
        "pressure": "tensioner_pressure",
        "inflow": "tensioner_inflow",
    },
}
"""Channels that contain the quantities of parts."""


def _reading(drive: Drive, seat: Seat, quantity: str, system: System) -> Reading:
    """Return the source of a quantity of a part, such as the "speed" of a wheel."""
    name = f"{seat.name}.{quantity}"
    for each in system.inputs:
        if each.seat == seat.name and quantity in ("angle", "position", "speed") and each.position >= 0:
            return Reading(name, each.speed if quantity == "speed" else each.position)
    if seat.group == "rotors":
        return Reading(name, None, f"{seat.part}.{quantity}")
    parts = getattr(drive.chain_parts[seat.stage or None], seat.group)
    index = next(k for k, each in enumerate(parts) if each is not None and each.name == seat.part)
    channel = CHANNELS[seat.group][quantity]
    return Reading(name, None, f"{seat.stage}.{channel}" if seat.stage else channel, index)


def _called(seat: Seat) -> str:
    """Return how a part is called in the name of a bond: "'final.camshaft'", "body 'arm'"."""
    what = {"bodies": "body ", "tensioners": "tensioner "}.get(seat.group, "")
    return f"{what}{seat.called!r}"


def _missing(machine: Machine, part: Subsystem, signals: Sequence[tuple[str, Signal]], place: str) -> list[Problem]:
    """Return the problems with variables that a machine does not have, or does not have as input or output, and with
    inputs that have no signal.
    """
    problems, used = [], {signal.variable for _, signal in signals}
    for where, signal in signals:
        which, other = ("outputs", "inputs") if signal.given else ("inputs", "outputs")
        name = signal.variable
        if name in getattr(part, which):
            continue
        if name in getattr(part, other):
            message = f"must be one of the {which} of machine {machine.name!r}; it is one of its {other}"
        else:
            listed = ", ".join(getattr(part, which)) or "none"
            message = f"machine {machine.name!r} has no such variable; its {which} are {listed}"
        problems.append(Problem(where, message, repr(name)))
    for name in part.inputs:
        if name not in used:
            message = (
                f"input {name!r} of machine {machine.name!r} has no signal: name it in shafts, bodies or tensioners"
            )
            problems.append(Problem(f"{place}.shafts", message))
    return problems
