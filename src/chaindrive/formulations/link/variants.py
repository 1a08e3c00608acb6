"""The kernels of the formulation, compiled in two variants: everything on the ground, and supported by a mechanism."""

from __future__ import annotations

from chaindrive.formulations.link.chain import CHAIN_KERNELS
from chaindrive.formulations.link.frequency import frequency
from chaindrive.formulations.link.record import chain_energies, groups
from chaindrive.formulations.link.rhs import evaluation
from chaindrive.formulations.link.statics import forces_of, statics
from chaindrive.formulations.planar.variants import Recipes, Variants

__all__ = ["VARIANTS"]

VARIANTS = Variants.of(
    Recipes(
        chain=CHAIN_KERNELS,
        evaluation=evaluation,
        energies=chain_energies,
        groups=groups,
        frequency=frequency,
        forces=forces_of,
        statics=statics,
    )
)
