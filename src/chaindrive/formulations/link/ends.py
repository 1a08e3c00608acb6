"""The ends of an open chain of rigid links: held by fittings, or free with a load.

An anchored end is a joint like those between links, with clearance, friction and oil. At the first end the pin of a
fitting is in the bush of link 0; at the second end the pin of the last link is in the bush of a fitting. The anchors
are in planar/anchors.py. On a free end only a force and the contacts of its roller act (planar/end_forces.py). A load
on a free end is a point mass that is part of the end link.
"""

from __future__ import annotations

from chaindrive.formulations.planar.anchors import load_anchored_wheel
from chaindrive.kernels import kernel

__all__ = ["heading_before", "load_anchors", "locate_ends", "show_forces", "show_loads", "turning_before"]


@kernel(inner=True)
def locate_ends(p):
    """Place the pin of the first joint and the bush of the last one: at the anchors or, at free ends, on the links."""
    n, joints, pin, planar = p.links, p.planar.rollers, p.pin, p.planar
    pin.x[0], pin.y[0] = p.place[0], p.place[joints]
    pin.vx[0], pin.vy[0] = p.velocity[0], p.velocity[joints]
    p.place[n], p.place[joints + n] = pin.x[n], pin.y[n]
    p.velocity[n], p.velocity[joints + n] = pin.vx[n], pin.vy[n]
    planar.turning[n] = planar.turning[n - 1]
    p.link.cos[n], p.link.sin[n] = p.link.cos[n - 1], p.link.sin[n - 1]
    for a in range(planar.anchor.roller.size):
        x, y = planar.anchor.x[a], planar.anchor.y[a]
        vx, vy = planar.anchor.vx[a], planar.anchor.vy[a]
        if planar.anchor.end[a] == 0:
            pin.x[0], pin.y[0], pin.vx[0], pin.vy[0] = x, y, vx, vy
        else:
            p.place[n], p.place[joints + n], p.velocity[n], p.velocity[joints + n] = x, y, vx, vy
            planar.turning[n] = planar.anchor.turning[a]
            p.link.cos[n], p.link.sin[n] = planar.anchor.cos[a], planar.anchor.sin[a]


@kernel(inner=True)
def turning_before(p):
    """Return the angular velocity of the part that holds the pin of the first joint, or of link 0 at a free end.
    [rad/s]
    """
    for a in range(p.planar.anchor.roller.size):
        if p.planar.anchor.end[a] == 0:
            return p.planar.anchor.turning[a]
    return p.planar.turning[0]


@kernel(inner=True)
def heading_before(p):
    """Return the direction of the part that holds the pin of the first joint, or of link 0 at a free end."""
    for a in range(p.planar.anchor.roller.size):
        if p.planar.anchor.end[a] == 0:
            return p.planar.anchor.cos[a], p.planar.anchor.sin[a]
    return p.link.cos[0], p.link.sin[0]


@kernel(inner=True)
def load_anchors(p):
    """Pass the forces and moments of the end joints to the anchors.

    The force on the last pin is written into ``force``.
    """
    n, joints, planar = p.links, p.planar.rollers, p.planar
    for a in range(planar.anchor.roller.size):
        first = planar.anchor.end[a] == 0
        j = 0 if first else n
        fx, fy = p.pin.force_x[j], p.pin.force_y[j]
        if first:
            fx, fy = -fx, -fy
        else:
            p.force[n], p.force[joints + n] = -fx, -fy
        planar.anchor.force_x[a], planar.anchor.force_y[a] = fx, fy
        planar.anchor.moment[a] = p.pin.moment[0] if first else p.link.moment[n]
        load_anchored_wheel(planar, a)


@kernel(inner=True)
def show_forces(p):
    """Write forces on free ends into the pins.

    This kernel must be called before contacts are computed, when nothing else acts on these ends.
    """
    n, joints = p.links, p.planar.rollers
    for k in range(p.planar.end_load.coordinate.size):
        if p.planar.end_load.coordinate[k] % joints == 0:
            p.pin.force_x[0], p.pin.force_y[0] = p.force[0], p.force[joints]
        else:
            p.pin.force_x[n], p.pin.force_y[n] = -p.force[n], -p.force[joints + n]


@kernel(inner=True)
def show_loads(y, dy, p):
    """Write the forces between loads and free ends into the pins and the tension there, from the
    accelerations in dy.
    """
    n, v, last = p.links, p.planar.layout.positions, p.links - 1
    if p.hung[0] > 0.0:
        fx, fy = _pull(y, dy, p, v, 0, p.hung[0], p.link.bush_x[0], p.link.bush_y[0])
        p.pin.force_x[0] += fx
        p.pin.force_y[0] += fy
        p.force[0] += fx
        p.force[p.planar.rollers] += fy
    if p.hung[1] > 0.0:
        fx, fy = _pull(y, dy, p, v, last, p.hung[1], p.link.pin_x[last], p.link.pin_y[last])
        p.pin.force_x[n] -= fx
        p.pin.force_y[n] -= fy
        p.link.tension[last] += fx * p.link.cos[last] + fy * p.link.sin[last]


@kernel(inner=True)
def _pull(y, dy, p, v, i, mass, ax, ay):
    """Return the force of a load on link i at the arm (ax, ay) from its centre of mass, due to weight
    and inertia. [N]
    """
    n = p.links
    turning, turns = y[v + 2 * n + i], dy[v + 2 * n + i]
    square = turning * turning
    fx = mass * (p.planar.gravity_x - (dy[v + i] - turns * ay - square * ax))
    fy = mass * (p.planar.gravity_y - (dy[v + n + i] + turns * ax - square * ay))
    return fx, fy
