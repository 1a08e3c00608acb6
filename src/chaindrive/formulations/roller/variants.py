"""The kernels of the formulation, compiled in two variants: everything on the ground, and supported by a mechanism."""

from __future__ import annotations

from typing import NamedTuple

from chaindrive.formulations.planar.channels import Group, recording
from chaindrive.formulations.planar.record import balance
from chaindrive.formulations.planar.support import Support
from chaindrive.formulations.planar.variants import FIXED_CENTRES, SUPPORTED, support_of
from chaindrive.formulations.roller.accept import acceptance, margin
from chaindrive.formulations.roller.begin import beginning
from chaindrive.formulations.roller.frequency import frequency
from chaindrive.formulations.roller.parameters import Parameters
from chaindrive.formulations.roller.record import chain_energies, groups
from chaindrive.formulations.roller.rhs import evaluation
from chaindrive.formulations.roller.statics import border_mass_of, forces_of, statics
from chaindrive.system import Kernels, Statics

__all__ = ["FIXED_CENTRE_KERNELS", "GROUPS", "SUPPORTED_KERNELS", "kernels_for", "listed_groups", "statics_for"]


class _Variant(NamedTuple):
    kernels: Kernels
    statics: Statics
    groups: tuple[Group, ...]


def _variant(support: Support) -> _Variant:
    rhs = evaluation(support.frames, support.accelerations)
    energies = balance(chain_energies, support.energies)
    listed = groups(support, energies)
    kernels = Kernels(
        rhs=rhs,
        accept=acceptance(support.latch),
        record=recording(rhs, support.resultants, listed),
        begin=beginning(rhs, energies, support),
        frequency=frequency,
        margin=margin,
        forces=forces_of(rhs, support),
        mass=border_mass_of(rhs) if support is SUPPORTED else None,
    )
    return _Variant(kernels, statics(support), listed)


_VARIANTS = {support: _variant(support) for support in (FIXED_CENTRES, SUPPORTED)}
FIXED_CENTRE_KERNELS, SUPPORTED_KERNELS = _VARIANTS[FIXED_CENTRES].kernels, _VARIANTS[SUPPORTED].kernels
GROUPS = _VARIANTS[SUPPORTED].groups
"""The channels of the formulation, in the order of a row; the same in both variants."""


def listed_groups(p: Parameters) -> tuple[Group, ...]:
    """Those of the variant that a drive with these parameters needs."""
    return _VARIANTS[support_of(p.planar)].groups


def kernels_for(p: Parameters) -> Kernels:
    """The kernels for a drive with these parameters; nothing is compiled before it is called."""
    return _VARIANTS[support_of(p.planar)].kernels


def statics_for(p: Parameters) -> Statics | None:
    """Those of its statics; None for a chain too short for a ``Bordered`` matrix."""
    return None if p.links < 3 else _VARIANTS[support_of(p.planar)].statics
