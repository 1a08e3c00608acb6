"""The kernels of the formulation in two variants: with everything on the ground, and supported by a mechanism."""

from __future__ import annotations

from chaindrive.formulations.planar.variants import Recipes, Variants
from chaindrive.formulations.roller.chain import CHAIN_KERNELS
from chaindrive.formulations.roller.frequency import frequency
from chaindrive.formulations.roller.record import chain_energies, groups
from chaindrive.formulations.roller.rhs import evaluation
from chaindrive.formulations.roller.rigid import RIGID_CHAIN
from chaindrive.formulations.roller.statics import forces_of, statics
from chaindrive.formulations.roller.tangent import tangent

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
        tangent=tangent,
        rigid=RIGID_CHAIN,
    )
)
