"""The formulations of the physics of a drive, in one folder each. They differ in their coordinates."""

from __future__ import annotations

from chaindrive.contract.end_state import EndState
from chaindrive.contract.states import FloatArray
from chaindrive.contract.system import System
from chaindrive.model import Drive, FormulationOptions

__all__ = ["compile_system", "continue_system", "end_state_of"]


def compile_system(drive: Drive, options: FormulationOptions, at_speed: bool) -> System:
    """Compile a drive into the formulation of its options.

    at_speed: motions begin at their final speed instead of with a ramp.
    """
    from chaindrive.formulations.registry import FORMULATIONS

    return FORMULATIONS[options.kind].compiled(drive, options, at_speed)


def continue_system(drive: Drive, options: FormulationOptions, end: EndState) -> System:
    """Compile a drive with the end of another run as its state. Raises InputError if that state does not
    fit the drive.
    """
    from chaindrive.formulations.registry import FORMULATIONS

    return FORMULATIONS[options.kind].continued(drive, options, end)


def end_state_of(kind: str, system: System, drive: Drive, time: float, state: FloatArray) -> EndState:
    """Return the end state from which another run can begin.

    It holds ``state`` (n,), reached at ``time`` [s] by the system of ``drive``. kind: name of the formulation.
    """
    from chaindrive.formulations.registry import FORMULATIONS

    return FORMULATIONS[kind].end_state(system, drive, time, state)
