"""The kernels of the formulation with Cartesian and with path coordinates, each in the variants of the
planar package.
"""

from __future__ import annotations

from functools import partial

from chaindrive.formulations.link.chain import chain_kernels
from chaindrive.formulations.link.coordinates import ALONG_THE_PATH, CARTESIAN, Coordinates
from chaindrive.formulations.link.frequency import frequency
from chaindrive.formulations.link.record import chain_energies, groups
from chaindrive.formulations.link.rhs import evaluation
from chaindrive.formulations.link.rigid import RIGID_CHAIN
from chaindrive.formulations.link.statics import forces_of, statics
from chaindrive.formulations.link.tangent import tangent
from chaindrive.formulations.planar.variants import Recipes, Variants

__all__ = ["PATH_VARIANTS", "VARIANTS"]


def _variants(coordinates: Coordinates) -> Variants:
    return Variants.of(
        Recipes(
            chain=chain_kernels(coordinates.in_plane),
            evaluation=partial(evaluation, coordinates),
            energies=chain_energies(coordinates.last_in_plane),
            groups=partial(groups, coordinates),
            frequency=frequency,
            forces=forces_of,
            statics=statics,
            tangent=tangent if coordinates is CARTESIAN else None,
            rigid=RIGID_CHAIN if coordinates is CARTESIAN else None,
        )
    )


VARIANTS = _variants(CARTESIAN)
PATH_VARIANTS = _variants(ALONG_THE_PATH)
"""Variants without statics; ``forces`` and the stiffness are always computed in Cartesian coordinates."""
