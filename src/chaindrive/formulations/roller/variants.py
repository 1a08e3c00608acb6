"""The kernels of the formulation, compiled in two variants: everything on the ground, and carried by a mechanism."""

from __future__ import annotations

from typing import NamedTuple

from chaindrive.formulations.planar.carriers import Carrying
from chaindrive.formulations.planar.channels import Group, recording
from chaindrive.formulations.planar.record import balance
from chaindrive.formulations.planar.variants import CARRIED, GROUNDED, carrying_of
from chaindrive.formulations.roller.accept import acceptance
from chaindrive.formulations.roller.begin import beginning
from chaindrive.formulations.roller.frequency import frequency
from chaindrive.formulations.roller.parameters import (
    Parameters,
)
from chaindrive.formulations.roller.record import chain_energies, groups
from chaindrive.formulations.roller.rhs import evaluation
from chaindrive.formulations.roller.statics import statics
from chaindrive.system import Kernels, Statics

__all__ = ["CARRIED_KERNELS", "GROUNDED_KERNELS", "GROUPS", "kernels_for", "listed_groups", "statics_for"]


class _Variant(NamedTuple):
    kernels: Kernels
    statics: Statics
    groups: tuple[Group, ...]


def _variant(carrying: Carrying) -> _Variant:
    rhs = evaluation(carrying.frames, carrying.accelerations)
    energies = balance(chain_energies, carrying.energies)
    listed = groups(carrying, energies)
    kernels = Kernels(
        rhs=rhs,
        accept=acceptance(carrying.latch),
        record=recording(rhs, carrying.pushes, listed),
        begin=beginning(rhs, energies, carrying),
        frequency=frequency,
    )
    return _Variant(kernels, statics(rhs, carrying), listed)


_VARIANTS = {carrying: _variant(carrying) for carrying in (GROUNDED, CARRIED)}
GROUNDED_KERNELS, CARRIED_KERNELS = _VARIANTS[GROUNDED].kernels, _VARIANTS[CARRIED].kernels
GROUPS = _VARIANTS[CARRIED].groups
"""The channels of the formulation, in the order of a row; the same in both variants."""


def listed_groups(p: Parameters) -> tuple[Group, ...]:
    """Those of the variant that a drive with these parameters needs."""
    return _VARIANTS[carrying_of(p.planar)].groups


def kernels_for(p: Parameters) -> Kernels:
    """The kernels for a drive with these parameters; nothing is compiled before it is called."""
    return _VARIANTS[carrying_of(p.planar)].kernels


def statics_for(p: Parameters) -> Statics | None:
    """Those of its statics; None for a chain too short for a ``Bordered`` matrix."""
    return None if p.links < 3 else _VARIANTS[carrying_of(p.planar)].statics
