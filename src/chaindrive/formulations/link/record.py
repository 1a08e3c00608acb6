"""The channels of the link formulation: its own groups, and the order of all groups in a row."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from chaindrive.formulations.declare import Shown, several
from chaindrive.formulations.link.chain import positions_of, tensions_of
from chaindrive.formulations.link.coordinates import ALONG_THE_PATH, Coordinates
from chaindrive.formulations.planar.channels import Counts, Group
from chaindrive.formulations.planar.payload import payload_energies
from chaindrive.formulations.planar.record import WORK_TEXT
from chaindrive.formulations.planar.record_mechanism import groups_around
from chaindrive.formulations.planar.support import Support
from chaindrive.kernels import Kernel, kernel
from chaindrive.physics.pin import pin_energy

__all__ = ["chain_energies", "groups"]


WORKS = WORK_TEXT | {
    "link_damping": "lost in contacts of pins in bushes",
    "articulation": "lost in the rotation of pins in bushes",
    "oil_film": "lost in oil between pins and bushes, and on teeth and guides",
}


def groups(coordinates: Coordinates, support: Support, energies: Kernel) -> tuple[Group, ...]:
    """Return all channels of the formulation, in the order of a row; energies: see ``planar.record.balance``."""
    along = _trajectory_group(coordinates is ALONG_THE_PATH)
    chain = [_chain_group(coordinates.last_in_plane), along, JOINTS]
    return groups_around(chain, support, energies, positions_of, tensions_of, WORKS)


class _Chain(NamedTuple):
    tension: Shown
    position: Shown
    velocity: Shown
    angle: Shown
    angular_velocity: Shown


def _chain_channels(counts: Counts) -> _Chain:
    n, joints = counts.links, (counts.rollers, 2)
    tension = "force of the pin of link i along the link"
    return _Chain(
        tension=several("link_tension", ("link",), "N", tension, (n,)),
        position=several(
            "roller_position", ("roller", "axis"), "m", "centre of every bush, or of the roller on it", joints
        ),
        velocity=several(
            "roller_velocity", ("roller", "axis"), "m/s", "velocity of every bush", joints, kept="on request"
        ),
        angle=several("link_angle", ("link",), "rad", "direction of link i from its bush to its pin", (n,)),
        angular_velocity=several(
            "link_angular_velocity", ("link",), "rad/s", "angular velocity of the link", (n,), kept="on request"
        ),
    )


def _chain_group(last_in_plane: Kernel) -> Group:
    @kernel(inner=True)
    def write(y, dy, p):
        own, n, v, joints = p.row.views.chain, p.links, p.planar.layout.positions, p.planar.rollers
        plane = last_in_plane(y, p)
        for j in range(joints):
            own.position[j, 0], own.position[j, 1] = p.place[j], p.place[joints + j]
            own.velocity[j, 0], own.velocity[j, 1] = p.velocity[j], p.velocity[joints + j]
        for i in range(n):
            own.tension[i] = p.link.tension[i]
            own.angle[i] = plane[2 * n + i]
            own.angular_velocity[i] = plane[v + 2 * n + i]

    return Group("chain", _chain_channels, write)


class _Trajectory(NamedTuple):
    position: Shown
    offset: Shown
    angle: Shown


def _trajectory_group(along: bool) -> Group:
    """Return the channels of links along the trajectory, which are empty with Cartesian coordinates."""
    return Group("trajectory", partial(_trajectory_channels, along), _trajectory if along else None, optional=True)


def _trajectory_channels(along: bool, counts: Counts) -> _Trajectory:
    n = (counts.links if along else 0,)
    place = "position of the link's centre of mass along the trajectory, from the point where it runs onto wheel 0"
    offset = "distance of the link's centre of mass from the trajectory, left of travel positive"
    angle = "angle of the link relative to the direction of the trajectory, counter-clockwise"
    return _Trajectory(
        position=several("trajectory_position", ("link",), "m", place, n, kept="on request"),
        offset=several("trajectory_offset", ("link",), "m", offset, n, kept="on request"),
        angle=several("trajectory_angle", ("link",), "rad", angle, n, kept="on request"),
    )


@kernel(inner=True)
def _trajectory(y, dy, p):
    own, n = p.row.views.trajectory, p.links
    for i in range(n):
        own.position[i], own.offset[i], own.angle[i] = y[i], y[n + i], y[2 * n + i]


class _Joints(NamedTuple):
    force: Shown
    gap: Shown
    moment: Shown


def _joint_channels(counts: Counts) -> _Joints:
    n = counts.rollers
    force = "force of the pin of the previous link on the bush at the roller; for an open chain also at its ends"
    gap = "gap between pin and bush; negative: penetration"
    moment = "friction moment in the joint, on the previous link"
    return _Joints(
        force=several("pin_force", ("roller", "axis"), "N", force, (n, 2)),
        gap=several("pin_gap", ("roller",), "m", gap, (n,)),
        moment=several("pin_moment", ("roller",), "N m", moment, (n,), kept="on request"),
    )


@kernel(inner=True)
def _joints(y, dy, p):
    own, pin = p.row.views.joints, p.pin
    for j in range(p.planar.rollers):
        own.force[j, 0], own.force[j, 1] = pin.force_x[j], pin.force_y[j]
        own.gap[j], own.moment[j] = -pin.penetration[j], pin.moment[j]


JOINTS = Group("joints", _joint_channels, _joints)


def chain_energies(last_in_plane: Kernel) -> Kernel:
    """Return the kernel of the energies of the chain (``planar.variants.Recipes``), around a kernel of
    ``Coordinates``.
    """

    @kernel(inner=True)
    def energies(y, p):
        """Return the kinetic, elastic and gravity energy of links and joints, without contacts. [J]"""
        n, v = p.links, p.planar.layout.positions
        plane = last_in_plane(y, p)
        kinetic, elastic, gravity = 0.0, 0.0, 0.0
        for i in range(n):
            mass, inertia = p.body.mass[i], p.body.inertia[i]
            kinetic += mass * (plane[v + i] ** 2 + plane[v + n + i] ** 2) + inertia * plane[v + 2 * n + i] ** 2
            gravity -= mass * (p.planar.gravity_x * plane[i] + p.planar.gravity_y * plane[n + i])
            elastic += pin_energy(p.pin.penetration[i], p.joint.stiffness[i])
        if not p.planar.closed:
            elastic += pin_energy(p.pin.penetration[n], p.joint.stiffness[n])
        moving, lifted = payload_energies(plane[: 2 * n], plane[v : v + 2 * n], p.planar)
        return 0.5 * kinetic + moving, elastic, gravity + lifted

    return energies
