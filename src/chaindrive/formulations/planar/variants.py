"""The support of the chain in two variants: with everything on the ground, and with the bodies of a mechanism.

Most drives have wheels that turn about fixed centres. For these drives no part of the mechanism is compiled, which
halves the time to the first result. A drive with bodies or tensioners compiles the other variant.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from chaindrive.contract.kernels import Kernels
from chaindrive.contract.rest import Statics
from chaindrive.formulations.planar.accept import acceptance, horizon, margin_of
from chaindrive.formulations.planar.begin import beginning
from chaindrive.formulations.planar.chain import ChainKernels
from chaindrive.formulations.planar.channels import Group, recording
from chaindrive.formulations.planar.freewheel import clutch_energy, latch_freewheels
from chaindrive.formulations.planar.modular import modular_kernels
from chaindrive.formulations.planar.parameters import (
    PlanarParameters,
)
from chaindrive.formulations.planar.peaks import gathering
from chaindrive.formulations.planar.record import balance
from chaindrive.formulations.planar.record_mechanism import write_bodies, write_freewheels, write_tensioners
from chaindrive.formulations.planar.rigid import RigidChain, rigid_kernels
from chaindrive.formulations.planar.statics import joint_stiffness, mechanism_mass, no_joint_stiffness
from chaindrive.formulations.planar.support import (
    Support,
    fixed_accelerations,
    fixed_frames,
    fixed_moments,
    speeds_behind,
    supported_accelerations,
    supported_frames,
    supported_moments,
)
from chaindrive.formulations.planar.tilt import remember_tilt
from chaindrive.kernels import Kernel, kernel
from chaindrive.mechanism import element_kernels as elements
from chaindrive.mechanism import tree
from chaindrive.mechanism.tree_kernels import point_jacobian

__all__ = ["FIXED_CENTRES", "SUPPORTED", "Recipes", "Variant", "Variants", "border_mass", "support_of"]


@kernel(inner=True)
def _fixed_centre(p, w):
    return 0.0, 0.0


@kernel(inner=True)
def _supported_centre(p, w):
    """Return the acceleration of the centre of wheel w in the last evaluation. [m/s^2]"""
    body = p.surface.body[w]
    if body < 0:
        return 0.0, 0.0
    x, y = p.frame.x[w], p.frame.y[w]
    ax, ay = tree.bias(p.tree, body, x, y)
    while body >= 0:
        j = p.tree.body.coordinate[body]
        if j >= 0:
            ux, uy = point_jacobian(p.tree, body, x, y)
            ax += ux * p.tree.acceleration[j]
            ay += uy * p.tree.acceleration[j]
        body = p.tree.body.parent[body]
    return ax, ay


@kernel(inner=True)
def _no_energies(y, p):
    return 0.0, 0.0, 0.0


@kernel(inner=True)
def _supported_energies(y, p):
    """Return the kinetic, elastic and gravity energy of bodies and tensioners in the state evaluated last. [J]"""
    at = p.layout.joint_position
    kinetic, elastic, gravity = tree.energies(p.tree, y, at, speeds_behind(p), p.gravity_x, p.gravity_y)
    return kinetic, elastic + elements.energy(p.elements) + clutch_energy(p), gravity


@kernel(inner=True)
def _no_latch(p):
    return False


@kernel(inner=True)
def _latch(p):
    """Latch ratchets and freewheels, and store the largest tilts; return whether any ratchet moved."""
    latch_freewheels(p)
    if p.tilted:
        remember_tilt(p)
    return elements.latch(p.elements) > 0


@kernel(inner=True)
def _no_stick(y, p, anew):
    """Do nothing, because there is no mechanism that could stick."""


@kernel(inner=True)
def _stick(y, p, anew):
    """Let the anchors of joints of bodies follow.

    anew: reset them as at the start of a run.
    """
    tree.stick_bodies(y, p.layout.joint_position, speeds_behind(p), p.tree, anew)


@kernel(inner=True)
def _no_start(p):
    return False


@kernel(inner=True)
def _start(p):
    """Set the latches for the initial state of a run; return whether forces may have changed."""
    latch_freewheels(p)
    if p.elements.count == 0:
        return False
    elements.start(p.elements)
    return True


FIXED_CENTRES = Support(
    frames=fixed_frames,
    accelerations=fixed_accelerations,
    centre_acceleration=_fixed_centre,
    bodies=None,
    tensioners=None,
    freewheels=None,
    energies=_no_energies,
    latch=_no_latch,
    stick=_no_stick,
    start=_no_start,
    moments=fixed_moments,
    joint_stiffness=no_joint_stiffness,
)
SUPPORTED = Support(
    frames=supported_frames,
    accelerations=supported_accelerations,
    centre_acceleration=_supported_centre,
    bodies=write_bodies,
    tensioners=write_tensioners,
    freewheels=write_freewheels,
    energies=_supported_energies,
    latch=_latch,
    stick=_stick,
    start=_start,
    moments=supported_moments,
    joint_stiffness=joint_stiffness,
)


class Recipes(NamedTuple):
    """Functions with which a planar formulation compiles its kernels around the support of its chain."""

    chain: ChainKernels
    evaluation: Callable[[Kernel, Kernel], Kernel]
    """(frames, accelerations): returns the right-hand side, compiled around these two kernels of ``Support``"""
    energies: Kernel
    """(y, p): returns kinetic, elastic and gravity energy of the chain without its contacts [J]"""
    groups: Callable[[Support, Kernel], tuple[Group, ...]]
    """(support, energies of all parts): returns the channels of the formulation, in the order of a row"""
    frequency: Kernel
    forces: Callable[[Kernel, Support], Kernel]
    """(rhs, support): returns the kernel of the generalised forces"""
    statics: Callable[[Support], Statics]
    tangent: Kernel | None = None
    """``Kernels.tangent`` of the formulation; None if it has none"""
    rigid: RigidChain | None = None
    """kernels of the chain under impulses of rigid contacts; None if the formulation has none"""


class Variant(NamedTuple):
    """The kernels of a formulation with one kind of support; nothing is compiled before they are called."""

    kernels: Kernels
    statics: Statics
    groups: tuple[Group, ...]
    """Channels in the order of a row; the same in both variants."""


class Variants(NamedTuple):
    """The two variants of a formulation: with everything on the ground, and supported by a mechanism."""

    fixed_centres: Variant
    supported: Variant

    @classmethod
    def of(cls, recipes: Recipes) -> Variants:
        """Return the variants of a formulation."""
        return cls(_variant(recipes, FIXED_CENTRES), _variant(recipes, SUPPORTED))

    def of_drive(self, p: PlanarParameters) -> Variant:
        """Return the variant that a drive with these parameters needs."""
        return self.supported if support_of(p) is SUPPORTED else self.fixed_centres


def support_of(p: PlanarParameters) -> Support:
    """Return ``SUPPORTED`` for a drive with bodies, tensioners or tilted wheels and for every open chain, otherwise
    ``FIXED_CENTRES``.
    """
    return SUPPORTED if p.tree.bodies or p.elements.count or p.tilted or not p.closed else FIXED_CENTRES


def _variant(recipes: Recipes, support: Support) -> Variant:
    rhs = recipes.evaluation(support.frames, support.accelerations)
    energies = balance(recipes.energies, support.energies)
    margin = margin_of(recipes.chain)
    groups = recipes.groups(support, energies)
    kernels = Kernels(
        rhs=rhs,
        accept=acceptance(recipes.chain, margin, support),
        record=recording(rhs, groups),
        begin=beginning(recipes.chain, rhs, energies, support),
        frequency=recipes.frequency,
        margin=margin,
        gather=gathering(support.centre_acceleration, recipes.chain.tensions),
        forces=recipes.forces(rhs, support),
        mass=border_mass(rhs) if support is SUPPORTED else None,
        horizon=horizon,
        tangent=recipes.tangent,
        modular=modular_kernels(support.frames, support is SUPPORTED),
        rigid=None if recipes.rigid is None else rigid_kernels(recipes.chain, recipes.rigid, rhs, energies, support),
    )
    return Variant(kernels, recipes.statics(support), groups)


def border_mass(rhs: Kernel) -> Kernel:
    """Return the kernel of the mass matrix of wheels and joints, compiled around an evaluation."""

    @kernel
    def mass(t, y, p, matrix):
        """Write the masses into matrix (A + J, A + J), see planar/statics.py."""
        rhs(t, y, p.planar.derivative, p)
        mechanism_mass(p.planar, matrix)

    return mass
