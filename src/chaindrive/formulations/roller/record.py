"""The channels of the roller formulation: their list, and the kernel that writes one row of them."""

from __future__ import annotations

import math

from chaindrive.formulations.roller.parameters import (
    CONTACT_ELASTIC,
    CONTACT_FORCE,
    CONTACT_FRICTION,
    CONTACT_NORMAL_X,
    CONTACT_NORMAL_Y,
    CONTACT_PENETRATION,
    INDEX_TEETH,
    LINK_TENSION,
    SEARCH_ENERGY,
    SEGMENT_END,
    SEGMENT_FIRST,
    SEGMENT_SLOT,
    SEGMENT_WHEEL,
    USED_SEGMENTS,
    WHEEL_EXPONENT,
    WHEEL_INERTIA,
    WHEEL_X,
    WHEEL_Y,
    WORK_INPUT,
    WORK_OUTPUT,
    WORKS,
)
from chaindrive.formulations.roller.rhs import rhs
from chaindrive.kernels import kernel
from chaindrive.physics.link import link_energy
from chaindrive.system import Channel

# Columns of Parameters.spans
SPAN_START, SPAN_END = 0, 1  # along the loop, from the first seat on wheel 0 [pitches]
SPAN_X, SPAN_Y, SPAN_UX, SPAN_UY = 2, 3, 4, 5  # middle [m] and direction of travel of the straight tangent
SPAN_COLUMNS = 6

N_WORKS = len(WORKS)


def channels(links: int, wheels: int) -> tuple[Channel, ...]:
    """Channels in the order of a row. Dimensions: link and roller N, wheel and span W, axis 2."""
    n, w = links, wheels
    table: list[tuple[str, tuple[str, ...], str, str, tuple[int, ...]]] = [
        ("link_tension", ("link",), "N", "tension of link i, between rollers i and i + 1", (n,)),
        ("roller_position", ("roller", "axis"), "m", "centre of every roller", (n, 2)),
        ("roller_velocity", ("roller", "axis"), "m/s", "velocity of every roller", (n, 2)),
        ("contact_force", ("roller",), "N", "normal force on a roller", (n,)),
        (
            "contact_penetration",
            ("roller",),
            "m",
            "penetration of a roller, negative: its distance from the tooth; not-a-number far from any",
            (n,),
        ),
        (
            "friction_force",
            ("roller",),
            "N",
            "friction force on a roller, counter-clockwise of the normal positive",
            (n,),
        ),
        ("contact_body", ("roller",), "1", "index of the wheel that touches the roller, -1 for none", (n,)),
        (
            "link_path_position",
            ("link",),
            "pitch",
            "where the middle of the link is along the loop, from the first seat on wheel 0",
            (n,),
        ),
        ("wheel_angle", ("wheel",), "rad", "angle of the wheel, counter-clockwise", (w,)),
        ("wheel_speed", ("wheel",), "rad/s", "angular velocity of the wheel", (w,)),
        ("wheel_torque", ("wheel",), "N m", "torque that the shaft exerts on the wheel (motor, load, bearing)", (w,)),
        ("wheel_position", ("wheel", "axis"), "m", "centre of the wheel", (w, 2)),
        ("span_tension", ("span",), "N", "mean tension of the links in the span after wheel k", (w,)),
        (
            "span_displacement",
            ("span",),
            "m",
            "transverse displacement at the middle of the span, left of travel positive",
            (w,),
        ),
    ]
    table += [(f"power_{name}", (), "W", _WORK_TEXT[name], ()) for name in WORKS]
    table += [(f"work_{name}", (), "J", _WORK_TEXT[name] + ", integrated along", ()) for name in WORKS]
    table += [
        ("energy_kinetic", (), "J", "of rollers and wheels", ()),
        ("energy_elastic", (), "J", "of links and contacts", ()),
        ("energy_gravity", (), "J", "of the rollers, zero at height zero", ()),
        ("energy_residual", (), "J", "what the audit cannot account for: stored - start - input + output + losses", ()),
    ]
    made: list[Channel] = []
    offset = 0
    for name, dims, unit, text, shape in table:
        channel = Channel(name, dims, unit, text, offset, shape)
        made.append(channel)
        offset += channel.size
    return tuple(made)


_WORK_TEXT = {
    "input": "supplied by prescribed motions",
    "output": "delivered to loads",
    "link_damping": "lost in link damping",
    "joint": "lost in joints",
    "contact": "lost in normal contact",
    "friction": "lost in friction of rollers on teeth",
    "bearing": "lost in bearings of the wheels",
}


@kernel
def record(t, y, p, row):
    """Write all channels at (t, y) into row, in the order of ``channels``."""
    n, wheels = p.links, p.wheels
    positions = 2 * n + wheels
    dy = p.derivative
    rhs(t, y, dy, p)
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
        row[at + 2 * wheels + w] = p.wheel[w, WHEEL_INERTIA] * dy[positions + 2 * n + w] - chain_moment(y, p, w)
        row[at + 3 * wheels + 2 * w] = p.wheel[w, WHEEL_X]
        row[at + 3 * wheels + 2 * w + 1] = p.wheel[w, WHEEL_Y]
    at += 5 * wheels
    _spans(y, p, row, path, at)
    at += 2 * wheels
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


@kernel
def _contacts(p, row, at):
    """Contact force, penetration, friction and body of every roller; between two wheels it shows the deeper one."""
    n = p.links
    for i in range(n):
        row[at + i] = 0.0
        row[at + n + i] = -p.pitch  # farther than a pitch from any tooth: no surface of the profile faces the roller
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
                row[at + 3 * n + i] = p.segment[s, SEGMENT_WHEEL] if penetration > 0.0 else -1.0
    for i in range(n):
        if row[at + n + i] == -p.pitch:
            row[at + n + i] = math.nan


@kernel
def _path_positions(y, p, row, at):
    """Position of the middle of every link along the loop [pitches], from the teeth that wheel 0 has turned."""
    n = p.links
    turned = 0.0
    if p.wheels > 0:
        turned = (y[2 * n] - p.path_angle) * p.path_sign * p.wheel_index[0, INDEX_TEETH] / (2.0 * math.pi)
    for i in range(n):
        position = i + 0.5 + turned
        row[at + i] = position - n * math.floor(position / n)


@kernel
def chain_moment(y, p, w):
    """Moment of the chain on wheel w, from the contact forces of the last evaluation. [N m]"""
    moment = 0.0
    n = p.links
    for s in range(p.segments_used[USED_SEGMENTS]):
        if p.segment[s, SEGMENT_WHEEL] != w:
            continue
        first, slot = p.segment[s, SEGMENT_FIRST], p.segment[s, SEGMENT_SLOT]
        for i in range(first, p.segment[s, SEGMENT_END]):
            k = slot + i - first
            force, rub = p.contact[CONTACT_FORCE, k], p.contact[CONTACT_FRICTION, k]
            nx, ny = p.contact[CONTACT_NORMAL_X, k], p.contact[CONTACT_NORMAL_Y, k]
            dx, dy = y[i] - p.wheel[w, WHEEL_X], y[n + i] - p.wheel[w, WHEEL_Y]
            moment -= dx * (force * ny + rub * nx) - dy * (force * nx - rub * ny)
    return moment


@kernel
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


@kernel
def energies(y, p):
    """Kinetic, elastic and gravity energy of the state that was evaluated last. [J]"""
    n, wheels = p.links, p.wheels
    positions = 2 * n + wheels
    squares, gravity, elastic = 0.0, 0.0, 0.0
    for i in range(n):
        j = i + 1 if i + 1 < n else 0
        squares += y[positions + i] ** 2 + y[positions + n + i] ** 2
        gravity -= p.mass * (p.gravity_x * y[i] + p.gravity_y * y[n + i])
        length = math.sqrt((y[j] - y[i]) ** 2 + (y[n + j] - y[n + i]) ** 2)
        elastic += link_energy(length, p.pitch, p.stiffness)
    kinetic = 0.5 * p.mass * squares
    for w in range(wheels):
        kinetic += 0.5 * p.wheel[w, WHEEL_INERTIA] * y[positions + 2 * n + w] ** 2
    for s in range(p.segments_used[USED_SEGMENTS]):
        w, first, slot = p.segment[s, SEGMENT_WHEEL], p.segment[s, SEGMENT_FIRST], p.segment[s, SEGMENT_SLOT]
        pressed = 0.0
        for k in range(slot, slot + p.segment[s, SEGMENT_END] - first):
            pressed += p.contact[CONTACT_ELASTIC, k] * p.contact[CONTACT_PENETRATION, k]
        elastic += pressed / (p.wheel[w, WHEEL_EXPONENT] + 1.0)  # K d^(n+1)/(n+1) from K d^n
    return kinetic, elastic, gravity
