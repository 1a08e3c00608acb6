"""Machines coupled to a drive, as ``chaindrive check`` prints them; none of their code is run."""

from __future__ import annotations

from collections.abc import Iterator

from chaindrive.errors import InputError, Problem
from chaindrive.model import Drive

__all__ = ["machine_lines"]


def machine_lines(drive: Drive) -> Iterator[str]:
    """Yield a line for every machine. Raises InputError with every point in which an FMU does not match the drive."""
    from chaindrive.cosimulation.description import described

    problems: list[Problem] = []
    for k, machine in enumerate(drive.machines):
        parts = ", ".join(repr(coupled.seat.called) for _, coupled in machine.couplings)
        if machine.file is None:
            yield f"Machine {machine.name!r} at {parts}: a Python object passed to simulate"
            continue
        try:
            fmu = described(machine, f"machines[{k}]", drive.signals(k))
        except InputError as error:
            problems += error.problems
            continue
        able = (
            "can repeat steps and be resumed"
            if fmu.serialised
            else "can repeat steps"
            if fmu.state
            else "cannot repeat steps"
        )
        where = f"FMU {machine.file}, FMI {fmu.version}.0"
        yield f"Machine {machine.name!r} at {parts}: {where}, {able}; its code was not run"
    if problems:
        raise InputError(problems)
