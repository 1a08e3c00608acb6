"""The kernels of the formulation in two variants: with everything on the ground, and with supports that move."""

from __future__ import annotations

from chaindrive.contract.kernels import Kernels
from chaindrive.formulations.planar.accept import acceptance, horizon, margin_of
from chaindrive.formulations.planar.begin import beginning
from chaindrive.formulations.planar.chain import ChainKernels
from chaindrive.formulations.planar.channels import recording
from chaindrive.formulations.planar.parameters import PlanarParameters
from chaindrive.formulations.planar.peaks import gathering
from chaindrive.formulations.planar.record import balance
from chaindrive.formulations.planar.variants import SUPPORTED, Variant, Variants, border_mass
from chaindrive.formulations.spatial.chain import (
    drift,
    inertial,
    locate,
    positions_of,
    rates,
    speeds,
    tensions_of,
    velocities_of,
)
from chaindrive.formulations.spatial.limits import frequency
from chaindrive.formulations.spatial.record import chain_energies, groups
from chaindrive.formulations.spatial.rhs import evaluation
from chaindrive.formulations.spatial.statics import forces_of, statics
from chaindrive.formulations.spatial.sticking import stick
from chaindrive.formulations.spatial.support import FIXED_IN_SPACE, SUPPORTED_IN_SPACE, Mounting

__all__ = ["VARIANTS", "variant_of"]


CHAIN = ChainKernels(locate, positions_of, velocities_of, tensions_of, stick)
"""The kernels that the planar package requires of the chain."""


def _variant(mounting: Mounting) -> Variant:
    support = mounting.planar
    rhs = evaluation(mounting)
    energies = balance(chain_energies, support.energies)
    margin = margin_of(CHAIN)
    own = groups(support, energies)
    forces = forces_of(rhs, mounting)
    kernels = Kernels(
        rhs=rhs,
        accept=acceptance(CHAIN, margin, support),
        record=recording(rhs, own),
        begin=beginning(CHAIN, rhs, energies, support),
        frequency=frequency,
        rates=rates,
        margin=margin,
        gather=gathering(support.centre_acceleration, CHAIN.tensions),
        forces=forces,
        mass=border_mass(rhs) if support is SUPPORTED else None,
        drift=drift,
        inertial=inertial,
        speeds=speeds,
        horizon=horizon,
    )
    return Variant(kernels, statics(forces), own)


VARIANTS = Variants(_variant(FIXED_IN_SPACE), _variant(SUPPORTED_IN_SPACE))


def variant_of(p: PlanarParameters) -> Variant:
    """Return the variant that a drive with these parameters needs."""
    return VARIANTS.of_drive(p)
