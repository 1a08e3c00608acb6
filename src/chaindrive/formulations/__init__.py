"""The formulations of a drive's physics: in which coordinates it is written down. One folder each."""

from __future__ import annotations

from chaindrive.model import Drive, RollerOptions
from chaindrive.system import System

__all__ = ["compile_system"]


def compile_system(drive: Drive, options: RollerOptions, at_speed: bool) -> System:
    """Compile a drive into the formulation that its options belong to.

    at_speed: motions begin at their final speed instead of with their ramp.
    """
    from chaindrive.formulations.roller.compile import compile_roller

    return compile_roller(drive, options, at_speed)
