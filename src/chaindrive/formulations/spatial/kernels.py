"""The kernels of the formulation, put together: all of its wheels stand on the ground."""

from __future__ import annotations

from chaindrive.formulations.planar.accept import acceptance, margin_of
from chaindrive.formulations.planar.begin import beginning
from chaindrive.formulations.planar.channels import recording
from chaindrive.formulations.planar.record import balance
from chaindrive.formulations.planar.variants import FIXED_CENTRES
from chaindrive.formulations.spatial.chain import CHAIN, drift, inertial, rates, speeds
from chaindrive.formulations.spatial.limits import frequency
from chaindrive.formulations.spatial.record import chain_energies, groups
from chaindrive.formulations.spatial.rhs import rhs
from chaindrive.formulations.spatial.statics import forces
from chaindrive.system import Kernels

__all__ = ["GROUPS", "KERNELS"]

_energies = balance(chain_energies, FIXED_CENTRES.energies)
_margin = margin_of(CHAIN)
GROUPS = groups(_energies)
KERNELS = Kernels(
    rhs=rhs,
    accept=acceptance(CHAIN, _margin, FIXED_CENTRES.latch),
    record=recording(rhs, GROUPS),
    begin=beginning(CHAIN, rhs, _energies, FIXED_CENTRES),
    frequency=frequency,
    rates=rates,
    margin=_margin,
    forces=forces,
    drift=drift,
    inertial=inertial,
    speeds=speeds,
)
