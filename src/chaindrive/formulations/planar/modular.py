"""The mechanism of a planar drive as a separate module: wheels, bodies and tensioners under given forces of a chain.

The cut is that of Hippmann, Arnold & Schittenhelm (2005), section 4.1: links are on one side; wheels, guides and
tensioners are on the other; contact forces act between them. The forces that are exchanged are the resultants on every
surface (force, and moment about the origin of its frame) and on the anchors of an open chain:

    force = [x(S), y(S), moment(S) of the surfaces, x(A), y(A), moment(A) of the anchors]
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from chaindrive.contract.modular import ModularKernels, Modules
from chaindrive.formulations.planar.axles import wheel_speed
from chaindrive.formulations.planar.limits import mechanism_rates
from chaindrive.formulations.planar.parameters import PlanarParameters
from chaindrive.formulations.planar.support import fixed_accelerations, supported_moments, supported_motion
from chaindrive.kernels import Kernel, kernel

if TYPE_CHECKING:
    from chaindrive.contract.system import System
    from chaindrive.mechanism.description import Mechanism

__all__ = ["modular_kernels", "modules_of"]


def modules_of(p: PlanarParameters, mechanism: Mechanism) -> Modules:
    """Return the cut between a chain and the mechanism of its drive."""
    layout = p.layout
    places = np.concatenate(
        [
            np.arange(layout.wheel_angle, layout.positions),
            np.arange(layout.wheel_speed, layout.work),
            np.arange(layout.machine, layout.size),
        ]
    )
    return Modules(places, 3 * (p.surfaces + p.anchor.roller.size), partial(_chain_alone, mechanism))


def _chain_alone(mechanism: Mechanism, system: System) -> System:
    """Return the system with the step limit of its chain alone: surfaces are held fixed, and the mechanism is
    omitted.
    """
    planar: PlanarParameters = system.parameters.planar
    _, rate = mechanism_rates(planar, mechanism)
    limit = planar.limit._replace(mechanism=np.zeros(1), damping=planar.limit.damping - rate, rate=np.zeros(1))
    surface = planar.surface._replace(inverse_mass=np.zeros(planar.surfaces))
    parameters = system.parameters._replace(planar=planar._replace(limit=limit, surface=surface))
    frequency = system.kernels.asked("frequency", "modular integration")
    system.kernels.rhs(0.0, system.state, planar.derivative, system.parameters)
    highest = float(frequency(system.state, parameters))
    return replace(system, parameters=parameters, motion=system.motion.limited_by(highest))


@kernel(inner=True)
def _supported_accelerations(t, y, dy, p):
    """Write the accelerations of wheels and joints that follow from the resultants on the surfaces into dy."""
    supported_moments(t, y, dy, p)
    supported_motion(t, y, dy, p)


@kernel(inner=True)
def _put_forces(p, force):
    """Write forces, in the order given above, into the resultants of the last evaluation."""
    n, anchors = p.surfaces, p.anchor.roller.size
    for s in range(n):
        p.resultant.x[s], p.resultant.y[s], p.resultant.moment[s] = force[s], force[n + s], force[2 * n + s]
    for a in range(anchors):
        first = 3 * n + a
        p.anchor.force_x[a], p.anchor.force_y[a] = force[first], force[first + anchors]
        p.anchor.moment[a] = force[first + 2 * anchors]


@kernel(inner=True)
def _forces(p, force):
    """See contract/modular.py."""
    planar = p.planar
    n, anchors = planar.surfaces, planar.anchor.roller.size
    for s in range(n):
        force[s], force[n + s] = planar.resultant.x[s], planar.resultant.y[s]
        force[2 * n + s] = planar.resultant.moment[s]
    for a in range(anchors):
        first = 3 * n + a
        force[first], force[first + anchors] = planar.anchor.force_x[a], planar.anchor.force_y[a]
        force[first + 2 * anchors] = planar.anchor.moment[a]


@kernel(inner=True)
def _power(y, force, p):
    """See contract/modular.py. The effect of anchors on wheels is included in the resultants of the wheels."""
    planar, power = p.planar, 0.0
    n, anchors = planar.surfaces, planar.anchor.roller.size
    for s in range(n):
        turning = wheel_speed(y, planar, s) if s < planar.wheels else planar.frame.angular_velocity[s]
        power += force[s] * planar.frame.vx[s] + force[n + s] * planar.frame.vy[s] + force[2 * n + s] * turning
    for a in range(anchors):
        if planar.anchor.body[a] >= 0:
            first = 3 * n + a
            power += force[first] * planar.anchor.vx[a] + force[first + anchors] * planar.anchor.vy[a]
            power += force[first + 2 * anchors] * planar.anchor.turning[a]
    return power


def modular_kernels(frames: Kernel, on_bodies: bool) -> ModularKernels:
    """Return the kernels of the module, compiled around the frames of the supports of the chain (variants.py)."""
    accelerations = _supported_accelerations if on_bodies else fixed_accelerations

    @kernel(apart=True)
    def mechanism(t, y, dy, force, p):
        """See contract/modular.py."""
        planar = p.planar
        layout = planar.layout
        for i in range(layout.wheel_angle, layout.positions):
            dy[i] = y[layout.positions + i]
        for k in range(layout.wheel_speed, layout.size):
            dy[k] = 0.0
        frames(y, planar)
        _put_forces(planar, force)
        accelerations(t, y, dy, planar)

    return ModularKernels(mechanism, _forces, _power)
