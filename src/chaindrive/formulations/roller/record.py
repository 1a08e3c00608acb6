"""The channels of the roller formulation: their list, and the kernel that writes one row of them."""

from __future__ import annotations

import math
from functools import partial
from typing import NamedTuple

from chaindrive.formulations.roller.carriers import Carrying, mass_moment
from chaindrive.formulations.roller.parameters import (
    CONTACT_ELASTIC,
    CONTACT_FORCE,
    CONTACT_FRICTION,
    CONTACT_PENETRATION,
    FRAME_SPIN,
    FRAME_VX,
    FRAME_VY,
    FRAME_X,
    FRAME_Y,
    INDEX_BODY,
    INDEX_TEETH,
    LINK_TENSION,
    MESH_JUMPS,
    PUSH_MOMENT,
    PUSH_X,
    PUSH_Y,
    SEARCH_ENERGY,
    SEGMENT_END,
    SEGMENT_FIRST,
    SEGMENT_SLOT,
    SEGMENT_SURFACE,
    SURFACE_EXPONENT,
    USED_SEGMENTS,
    WHEEL_INERTIA,
    WHEEL_MASS,
    WORK_INPUT,
    WORK_OUTPUT,
    WORKS,
)
from chaindrive.kernels import Kernel, kernel
from chaindrive.physics.link import link_energy
from chaindrive.system import Channel, Holds, Kept, Precision

# Columns of Parameters.spans
SPAN_START, SPAN_END = 0, 1  # along the loop, from the first seat on wheel 0 [pitches]
SPAN_X, SPAN_Y, SPAN_UX, SPAN_UY = 2, 3, 4, 5  # middle [m] and direction of travel of the straight tangent
SPAN_COLUMNS = 6

N_WORKS = len(WORKS)


class Counts(NamedTuple):
    """How many of everything there are in a drive."""

    links: int
    wheels: int
    guides: int
    bodies: int
    tensioners: int


def channels(counts: Counts) -> tuple[Channel, ...]:
    """Channels in the order of a row. Those of guides, bodies and tensioners are there when the drive has any."""
    n, w = counts.links, counts.wheels
    table = [
        _many("link_tension", ("link",), "N", "tension of link i, between rollers i and i + 1", (n,)),
        _many("roller_position", ("roller", "axis"), "m", "centre of every roller", (n, 2)),
        _many("roller_velocity", ("roller", "axis"), "m/s", "velocity of every roller", (n, 2), kept="on request"),
        _many("contact_force", ("roller",), "N", "normal force on a roller", (n,)),
        _many(
            "contact_penetration",
            ("roller",),
            "m",
            "penetration of a roller, negative: its distance from the tooth; not-a-number far from any",
            (n,),
            kept="on request",
        ),
        _many(
            "friction_force",
            ("roller",),
            "N",
            "friction force on a roller, counter-clockwise of the normal positive",
            (n,),
        ),
        _many(
            "contact_body",
            ("roller",),
            "1",
            "index of the wheel that touches the roller; guides are counted on after the wheels; -1 for none",
            (n,),
            holds="index",
        ),
        _many(
            "link_path_position",
            ("link",),
            "pitch",
            "where the middle of the link is along the loop, from the first seat on wheel 0",
            (n,),
        ),
        _one("wheel_angle", ("wheel",), "rad", "angle of the wheel, counter-clockwise", (w,)),
        _one("wheel_speed", ("wheel",), "rad/s", "angular velocity of the wheel", (w,)),
        _one("wheel_torque", ("wheel",), "N m", _TORQUE_TEXT, (w,)),
        _one("wheel_position", ("wheel", "axis"), "m", "centre of the wheel", (w, 2)),
        _one(
            "bearing_force",
            ("wheel", "axis"),
            "N",
            "force of the wheel on its bearing: chain, weight and inertia of the wheel (as far as its mass is given)",
            (w, 2),
        ),
        _one(
            "tooth_jumps",
            ("wheel",),
            "1",
            "how many teeth the chain has jumped on the wheel since the start of the run, whichever way",
            (w,),
            holds="count",
        ),
        _one("span_tension", ("span",), "N", "mean tension of the links in the span after wheel k", (w,)),
        _one(
            "span_displacement",
            ("span",),
            "m",
            "transverse displacement at the middle of the span, left of travel positive",
            (w,),
        ),
        *_carrier_channels(counts),
        *(_one(f"power_{name}", (), "W", _WORK_TEXT[name], ()) for name in WORKS),
        *(_account(f"work_{name}", f"{_WORK_TEXT[name]}, integrated along") for name in WORKS),
        _account("energy_kinetic", "of rollers, wheels and bodies"),
        _account("energy_elastic", "of links, contacts, joints and tensioners"),
        _account("energy_gravity", "of rollers, bodies and what rides on them, zero at height zero"),
        _account("energy_residual", "what the audit cannot account for: stored - start - input + output + losses"),
        _one("shaft_work", ("wheel",), "J", _SHAFT_TEXT, (w,), kept="always"),
    ]
    made: list[Channel] = []
    offset = 0
    for channel in table:
        made.append(channel._replace(offset=offset))
        offset += channel.size
    return tuple(made)


def _carrier_channels(counts: Counts) -> list[Channel]:
    """Channels of guides, bodies and tensioners."""
    table: list[Channel] = []
    g, b, k = counts.guides, counts.bodies, counts.tensioners
    if g:
        table += [_one("guide_force", ("guide", "axis"), "N", "force of the chain on the guide", (g, 2))]
    if b:
        table += [
            _one("joint_position", ("body",), "1", "coordinate of the body's joint, 0 in the drawing [rad or m]", (b,)),
            _one("joint_speed", ("body",), "1", "its rate [rad/s or m/s]", (b,)),
            _one(
                "joint_force", ("body", "axis"), "N", "force of the body on what carries it, through its joint", (b, 2)
            ),
            _one("joint_moment", ("body",), "N m", "moment of the body on what carries it, about its joint", (b,)),
            _one("body_position", ("body", "axis"), "m", "centre of mass of the body", (b, 2)),
            _one("body_angle", ("body",), "rad", "angle by which the body has turned from the drawing", (b,)),
        ]
    if k:
        table += [
            _one("tensioner_position", ("tensioner",), "m", "distance between the ends of the tensioner", (k,)),
            _one("tensioner_force", ("tensioner",), "N", "force with which it pushes its ends apart", (k,)),
            _one(
                "tensioner_pressure",
                ("tensioner",),
                "Pa",
                "pressure in its chamber; not-a-number without a chamber",
                (k,),
            ),
        ]
    return table


def _one(
    name: str, dims: tuple[str, ...], unit: str, text: str, shape: tuple[int, ...],
    kept: Kept = "standard", holds: Holds = "quantity", precision: Precision = "double",
) -> Channel:  # fmt: skip
    """A channel whose place in the row is not known yet."""
    return Channel(name, dims, unit, text, 0, shape, kept, holds, precision)


_many = partial(_one, precision="single")
"""The same for what there is of every link or roller: single precision halves a results file."""


def _account(name: str, text: str) -> Channel:
    """An account of the energy balance, which every result holds."""
    return _one(name, (), "J", text, (), kept="always")


_TORQUE_TEXT = "torque that the shaft exerts on the wheel (motor, load, bearing), counter-clockwise positive"
_SHAFT_TEXT = (
    "work that motor and load of the wheel have put into the drive, negative: taken out of it; integrated along"
)
_WORK_TEXT = {
    "input": "supplied by prescribed motions, or by torques that drive, negative where they brake",
    "output": "delivered to loads, negative where they drive",
    "link_damping": "lost in link damping",
    "joint": "lost in joints of the chain",
    "contact": "lost in normal contact with teeth",
    "friction": "lost in friction of rollers on teeth",
    "bearing": "lost in bearings of the wheels and in joints of the bodies",
    "guide": "lost in contact with guides and friction on them",
    "tensioner": "lost in tensioners, or given to their oil",
}


def recording(rhs: Kernel, energies: Kernel, carrying: Carrying) -> Kernel:
    """The kernel that writes a row, compiled around the kernels of what carries the chain (variants.py)."""
    pushes, centre_acceleration, rows = carrying.pushes, carrying.centre_acceleration, carrying.rows

    @kernel
    def record(t, y, p, row):
        """Write all channels at (t, y) into row, in the order of ``channels``."""
        n, wheels, positions = p.links, p.wheels, p.positions
        dy = p.derivative
        rhs(t, y, dy, p)
        pushes(p)
        at = 0
        for i in range(n):
            row[at + i] = p.link[LINK_TENSION, i]
        at += n
        for i in range(n):
            row[at + 2 * i], row[at + 2 * i + 1] = y[i], y[n + i]
            row[at + 2 * n + 2 * i], row[at + 2 * n + 2 * i + 1] = y[positions + i], y[positions + n + i]
        at += 4 * n
        _contacts(p, row, at)
        at += 4 * n
        _path_positions(y, p, row, at)
        path = at
        at += n
        for w in range(wheels):
            row[at + w] = y[2 * n + w]
            row[at + wheels + w] = y[positions + 2 * n + w]
            ax, ay = centre_acceleration(p, w)
            row[at + 2 * wheels + w] = shaft_torque(dy, p, w, ax, ay)
            row[at + 3 * wheels + 2 * w] = p.frame[w, FRAME_X]
            row[at + 3 * wheels + 2 * w + 1] = p.frame[w, FRAME_Y]
            fx, fy = bearing_force(dy, p, w, ax, ay)
            row[at + 5 * wheels + 2 * w], row[at + 5 * wheels + 2 * w + 1] = fx, fy
            row[at + 7 * wheels + w] = p.mesh[w, MESH_JUMPS]
        at += 8 * wheels
        _spans(y, p, row, path, at)
        at += 2 * wheels
        for g in range(wheels, p.surfaces):
            row[at], row[at + 1] = p.push[g, PUSH_X], p.push[g, PUSH_Y]
            at += 2
        at = rows(y, p, row, at)
        work = 2 * positions
        for k in range(N_WORKS):
            row[at + k] = dy[work + k]
            row[at + N_WORKS + k] = y[work + k]
        at += 2 * N_WORKS
        kinetic, elastic, gravity = energies(y, p)
        row[at], row[at + 1], row[at + 2] = kinetic, elastic, gravity
        residual = kinetic + elastic + gravity - p.search[SEARCH_ENERGY] - y[work + WORK_INPUT] + y[work + WORK_OUTPUT]
        for k in range(WORK_OUTPUT + 1, N_WORKS):
            residual += y[work + k]
        row[at + 3] = residual
        for w in range(wheels):
            row[at + 4 + w] = y[work + N_WORKS + w]

    return record


@kernel(inner=True)
def _contacts(p, row, at):
    """Contact force, penetration, friction and body of every roller; between two surfaces it shows the deeper one."""
    n = p.links
    for i in range(n):
        row[at + i] = 0.0
        row[at + n + i] = -p.pitch  # farther than a pitch from any surface: none faces the roller
        row[at + 2 * n + i] = 0.0
        row[at + 3 * n + i] = -1.0
    for s in range(p.segments_used[USED_SEGMENTS]):
        first, slot = p.segment[s, SEGMENT_FIRST], p.segment[s, SEGMENT_SLOT]
        for i in range(first, p.segment[s, SEGMENT_END]):
            k = slot + i - first
            penetration = p.contact[CONTACT_PENETRATION, k]
            if penetration > row[at + n + i]:
                row[at + n + i] = penetration
                row[at + i] = p.contact[CONTACT_FORCE, k]
                row[at + 2 * n + i] = p.contact[CONTACT_FRICTION, k]
                row[at + 3 * n + i] = p.segment[s, SEGMENT_SURFACE] if penetration > 0.0 else -1.0
    for i in range(n):
        if row[at + n + i] == -p.pitch:
            row[at + n + i] = math.nan


@kernel(inner=True)
def _path_positions(y, p, row, at):
    """Position of the middle of every link along the loop [pitches], from the teeth that wheel 0 has turned."""
    n = p.links
    turned = 0.0
    if p.wheels > 0:
        turned = (y[2 * n] - p.path_angle) * p.path_sign * p.wheel_index[0, INDEX_TEETH] / (2.0 * math.pi)
    for i in range(n):
        position = i + 0.5 + turned
        row[at + i] = position - n * math.floor(position / n)


@kernel(inner=True)
def shaft_torque(dy, p, w, ax, ay):
    """Torque that the shaft (motor, load, bearing) exerts on wheel w in the last evaluation, rates in dy. [N m]

    ax, ay: acceleration of its centre [m/s^2].
    """
    moment = p.push[w, PUSH_MOMENT]
    ex, ey = mass_moment(p, w)
    moment += ex * (p.gravity_y - ay) - ey * (p.gravity_x - ax)
    return p.wheel[w, WHEEL_INERTIA] * dy[p.positions + 2 * p.links + w] - moment


@kernel(inner=True)
def bearing_force(dy, p, w, ax, ay):
    """Force of wheel w on its bearing in the last evaluation: what acts on it, less what accelerates it. [N]

    ax, ay: acceleration of its centre [m/s^2].
    """
    mass, spin, alpha = p.wheel[w, WHEEL_MASS], p.frame[w, FRAME_SPIN], dy[p.positions + 2 * p.links + w]
    ex, ey = mass_moment(p, w)
    fx = p.push[w, PUSH_X] + mass * (p.gravity_x - ax) + alpha * ey + spin * spin * ex
    fy = p.push[w, PUSH_Y] + mass * (p.gravity_y - ay) - alpha * ex + spin * spin * ey
    return fx, fy


@kernel(inner=True)
def _spans(y, p, row, path, at):
    """Mean tension of every span, and its transverse displacement at the middle (Pedersen 2004, appendix E)."""
    n = p.links
    for k in range(p.wheels):
        start, end = p.spans[k, SPAN_START], p.spans[k, SPAN_END]
        mx, my, ux, uy = p.spans[k, SPAN_X], p.spans[k, SPAN_Y], p.spans[k, SPAN_UX], p.spans[k, SPAN_UY]
        total, count, displacement = 0.0, 0, math.nan
        for i in range(n):
            along = row[path + i] - start
            along -= n * math.floor(along / n)
            if along > end - start:
                continue
            total += p.link[LINK_TENSION, i]
            count += 1
            j = i + 1 if i + 1 < n else 0
            before = (y[i] - mx) * ux + (y[n + i] - my) * uy
            after = (y[j] - mx) * ux + (y[n + j] - my) * uy
            if (before <= 0.0) != (after <= 0.0):
                left_before = (y[n + i] - my) * ux - (y[i] - mx) * uy
                left_after = (y[n + j] - my) * ux - (y[j] - mx) * uy
                displacement = left_before - before * (left_after - left_before) / (after - before)
        row[at + k] = total / count if count > 0 else math.nan
        row[at + p.wheels + k] = displacement


def balance(carried_energies: Kernel) -> Kernel:
    """The kernel of stored energies, compiled around that of what carries the chain (variants.py)."""

    @kernel(inner=True)
    def energies(y, p):
        """Kinetic, elastic and gravity energy of the state that was evaluated last. [J]"""
        n, positions = p.links, p.positions
        squares, gravity, elastic = 0.0, 0.0, 0.0
        for i in range(n):
            j = i + 1 if i + 1 < n else 0
            squares += y[positions + i] ** 2 + y[positions + n + i] ** 2
            gravity -= p.mass * (p.gravity_x * y[i] + p.gravity_y * y[n + i])
            length = math.sqrt((y[j] - y[i]) ** 2 + (y[n + j] - y[n + i]) ** 2)
            elastic += link_energy(length, p.pitch, p.stiffness)
        kinetic = 0.5 * p.mass * squares
        for w in range(p.wheels):
            spin, mass = p.frame[w, FRAME_SPIN], p.wheel[w, WHEEL_MASS]
            ex, ey = mass_moment(p, w)
            vx, vy = p.frame[w, FRAME_VX], p.frame[w, FRAME_VY]
            kinetic += 0.5 * p.wheel[w, WHEEL_INERTIA] * spin**2 + 0.5 * mass * (vx * vx + vy * vy)
            kinetic += spin * (ex * vy - ey * vx)
            gravity -= p.gravity_x * ex + p.gravity_y * ey
            if p.surface_index[w, INDEX_BODY] >= 0:
                gravity -= mass * (p.gravity_x * p.frame[w, FRAME_X] + p.gravity_y * p.frame[w, FRAME_Y])
        for s in range(p.segments_used[USED_SEGMENTS]):
            surface, first, slot = (
                p.segment[s, SEGMENT_SURFACE],
                p.segment[s, SEGMENT_FIRST],
                p.segment[s, SEGMENT_SLOT],
            )
            pressed = 0.0
            for k in range(slot, slot + p.segment[s, SEGMENT_END] - first):
                pressed += p.contact[CONTACT_ELASTIC, k] * p.contact[CONTACT_PENETRATION, k]
            elastic += pressed / (p.surface[surface, SURFACE_EXPONENT] + 1.0)  # K d^(n+1)/(n+1) from K d^n
        moving, sprung, lifted = carried_energies(y, p)
        return kinetic + moving, elastic + sprung, gravity + lifted

    return energies
