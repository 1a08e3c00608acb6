"""The channels of every planar formulation: contacts, wheels, spans, guides, works and energies."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import partial
from typing import NamedTuple

from chaindrive.formulations.balance import Balance, balance_channels, write_balance
from chaindrive.formulations.declare import WORK_INPUT, WORK_OUTPUT, Shown, one, several
from chaindrive.formulations.planar import parameters as P
from chaindrive.formulations.planar.axles import speed_place, teeth_since_start, wheel_angle, wheel_speed
from chaindrive.formulations.planar.channels import Counts, Group
from chaindrive.formulations.planar.contact import elastic_force
from chaindrive.formulations.planar.own_laws import own_energy
from chaindrive.formulations.planar.support import mass_moment
from chaindrive.kernels import Kernel, kernel
from chaindrive.mechanism.wheels import bearing_force

__all__ = [
    "CONTACTS",
    "ENDS",
    "FLANKS",
    "GUIDES",
    "PATH",
    "WORK_TEXT",
    "balance",
    "balance_group",
    "bearing_force_in_plane",
    "spans_group",
    "tilt_group",
    "wheels_group",
]


class _Contacts(NamedTuple):
    force: Shown
    penetration: Shown
    friction: Shown
    surface: Shown


def _contact_channels(counts: Counts) -> _Contacts:
    n = (counts.rollers,)
    return _Contacts(
        force=several(
            "contact_force", ("roller",), "N", "normal force on a roller; for a rigid contact the mean over a step", n
        ),
        penetration=several(
            "contact_penetration",
            ("roller",),
            "m",
            "penetration of a roller; negative: its distance from the surface; NaN far from any wheel or guide",
            n,
            kept="on request",
        ),
        friction=several(
            "friction_force",
            ("roller",),
            "N",
            "friction force on a roller, positive when directed counter-clockwise from the normal",
            n,
        ),
        surface=several(
            "contact_surface",
            ("roller",),
            "1",
            "index of the wheel or guide that touches the roller; guides are numbered after the wheels; -1 for none",
            n,
            holds="index",
        ),
    )


@kernel(inner=True)
def _contacts(y, dy, p):
    """Write contact force, penetration, friction and touched surface of every roller; between two surfaces, the
    deeper contact counts.
    """
    planar, own = p.planar, p.row.views.contacts
    n = planar.rollers
    for i in range(n):
        own.force[i] = 0.0
        own.penetration[i] = -planar.pitch  # farther than a pitch from any surface: none faces the roller
        own.friction[i] = 0.0
        own.surface[i] = -1.0
    for s in range(planar.used.segments[0]):
        first, slot = planar.segment.first[s], planar.segment.slot[s]
        for i in range(first, planar.segment.end[s]):
            k = slot + i - first
            depth = planar.contact.penetration[k]
            if depth > own.penetration[i]:
                own.penetration[i] = depth
                own.force[i] = planar.contact.force[k]
                own.friction[i] = planar.contact.friction[k]
                touches = depth > 0.0 or own.force[i] > 0.0  # a rigid contact may close at the end of a step
                own.surface[i] = planar.segment.surface[s] if touches else -1.0
    for i in range(n):
        if own.penetration[i] == -planar.pitch:
            own.penetration[i] = math.nan


CONTACTS = Group("contacts", _contact_channels, _contacts)


class _Flanks(NamedTuple):
    force: Shown


def _flank_channels(counts: Counts) -> _Flanks:
    text = "normal force on a roller from each flank of its gap, where rollers are wedged between the two"
    rollers = counts.rollers if counts.further_faces else 0
    return _Flanks(force=several("flank_force", ("roller", "flank"), "N", text, (rollers, 2)))


@kernel(inner=True)
def _flanks(y, dy, p):
    planar, force = p.planar, p.row.views.flanks.force
    for i in range(force.shape[0]):
        force[i, 0], force[i, 1] = 0.0, 0.0
    for s in range(planar.used.segments[0] if force.size else 0):
        first, slot = planar.segment.first[s], planar.segment.slot[s]
        side = planar.face.side[planar.segment.face[s]]
        if side == 0:
            continue
        for i in range(first, planar.segment.end[s]):
            force[i, 1 if side > 0 else 0] += planar.contact.force[slot + i - first]


FLANKS = Group("flanks", _flank_channels, _flanks, optional=True)


class _Path(NamedTuple):
    position: Shown


def _path_channels(counts: Counts) -> _Path:
    text = (
        "position of the middle of the link along the loop, from the first seat on wheel 0; for an open chain along "
        "the chain, from its first end"
    )
    return _Path(position=several("link_path_position", ("link",), "pitch", text, (counts.links,)))


@kernel(inner=True)
def _path(y, dy, p):
    """Write the position of the middle of every link along the loop [pitches], from the rotation of
    wheel 0 in teeth.
    """
    position, n, turned = p.row.views.path.position, p.planar.rollers, _teeth_turned(y, p.planar)
    for i in range(position.size):
        along = i + 0.5 + turned
        position[i] = along - n * math.floor(along / n) if p.planar.closed else i + 0.5


@kernel(inner=True)
def _teeth_turned(y, p):
    """Return the number of teeth by which wheel 0 has turned since the chain was placed.

    It is positive in the direction in which the chain runs.
    """
    if p.wheels == 0:
        return 0.0
    turned = y[p.layout.wheel_angle] - p.path_angle
    return turned * p.path_sign * p.wheel.teeth[0] / (2.0 * math.pi)


PATH = Group("path", _path_channels, _path)


class _Wheels(NamedTuple):
    angle: Shown
    speed: Shown
    torque: Shown
    position: Shown
    bearing_force: Shown
    tooth_jumps: Shown


def wheels_group(centre_acceleration: Kernel) -> Group:
    """Return the channels of the wheels, around the kernel of the acceleration of their centres
    (``support.Support``).
    """

    @kernel(inner=True)
    def write(y, dy, p):
        planar, own = p.planar, p.row.views.wheels
        for w in range(planar.wheels):
            own.angle[w] = wheel_angle(y, planar, w)
            own.speed[w] = wheel_speed(y, planar, w)
            ax, ay = centre_acceleration(planar, w)
            own.torque[w] = _shaft_torque(dy, planar, w, ax, ay)
            own.position[w, 0], own.position[w, 1] = planar.frame.x[w], planar.frame.y[w]
            own.bearing_force[w, 0], own.bearing_force[w, 1] = bearing_force_in_plane(dy, planar, w, ax, ay)
            own.tooth_jumps[w] = planar.mesh.jumps[w]

    return Group("wheels", _wheel_channels, write)


def _wheel_channels(counts: Counts) -> _Wheels:
    w = counts.wheels
    torque = "torque that the shaft exerts on the wheel (motor, load, bearing), counter-clockwise positive"
    force = "force of the wheel on its bearing: chain, weight and inertia of the wheel (if its mass is given)"
    jumps = "number of teeth jumped by the chain on the wheel since the start of the run, in either direction"
    return _Wheels(
        angle=one("wheel_angle", ("wheel",), "rad", "angle of the wheel, counter-clockwise", (w,)),
        speed=one("wheel_speed", ("wheel",), "rad/s", "angular velocity of the wheel", (w,)),
        torque=one("wheel_torque", ("wheel",), "N m", torque, (w,)),
        position=one("wheel_position", ("wheel", "axis"), "m", "centre of the wheel", (w, 2)),
        bearing_force=one("bearing_force", ("wheel", "axis"), "N", force, (w, 2)),
        tooth_jumps=one("tooth_jumps", ("wheel",), "1", jumps, (w,), holds="count"),
    )


class _Tilts(NamedTuple):
    angle: Shown
    moment: Shown


def tilt_group(centre_acceleration: Kernel) -> Group:
    """Return the channels of wheels that tilt, around the kernel of the acceleration of their centres
    (``support.Support``).
    """

    @kernel(inner=True)
    def write(y, dy, p):
        planar, own = p.planar, p.row.views.tilts
        for w in range(own.angle.shape[0]):
            ax, ay = centre_acceleration(planar, w)
            fx, fy = bearing_force_in_plane(dy, planar, w, ax, ay)
            own.angle[w, 0], own.angle[w, 1] = planar.fold.alpha[w], planar.fold.beta[w]
            own.moment[w, 0], own.moment[w, 1] = -planar.tilt.length[w] * fy, planar.tilt.length[w] * fx

    return Group("tilts", _tilt_channels, write, optional=True)


def _tilt_channels(counts: Counts) -> _Tilts:
    w = counts.wheels if counts.tilted else 0
    tilt = "tilt angles of the wheel about x and y, relative to the plane of the chain"
    moment = (
        "moment about x and y of the bearing_force where the elastic shaft of the wheel is "
        "clamped; 0 without such a shaft"
    )
    return _Tilts(
        angle=one("wheel_tilt", ("wheel", "axis"), "rad", tilt, (w, 2)),
        moment=one("tilting_moment", ("wheel", "axis"), "N m", moment, (w, 2)),
    )


@kernel(inner=True)
def _shaft_torque(dy, p, w, ax, ay):
    """Return the torque that the shaft (motor, load, bearing) exerts on wheel w in the last evaluation. [N m]

    dy contains the rates; ax, ay: acceleration of the centre of the wheel [m/s^2].
    """
    moment = p.resultant.moment[w]
    ex, ey = mass_moment(p, w)
    moment += ex * (p.gravity_y - ay) - ey * (p.gravity_x - ax)
    return p.wheel.inertia[w] * dy[speed_place(p, w)] - moment


@kernel(inner=True)
def bearing_force_in_plane(dy, p, w, ax, ay):
    """Return the force of wheel w on its bearing in the last evaluation: applied forces minus inertia force. [N]

    ax, ay: acceleration of the centre of the wheel [m/s^2].
    """
    mass, alpha, speed = p.wheel.mass[w], dy[speed_place(p, w)], p.frame.angular_velocity[w]
    ex, ey = mass_moment(p, w)
    fx, fy = p.resultant.x[w], p.resultant.y[w]
    return bearing_force(fx, fy, mass, ex, ey, speed, alpha, p.gravity_x - ax, p.gravity_y - ay)


class _Spans(NamedTuple):
    tension: Shown
    displacement: Shown


def spans_group(positions_of: Kernel, tensions_of: Kernel) -> Group:
    """Return the channels of the spans.

    positions_of(y, p): returns the positions of the rollers, (2 N,), first all x, then all y [m]; tensions_of(p):
    returns the tensions of the links in the last evaluation, (N,) [N].
    """

    @kernel(inner=True)
    def write(y, dy, p):
        if p.planar.closed:
            _spans(y, positions_of(y, p), tensions_of(p), p.planar, p.row.views.spans)
        _open_spans(y, positions_of(y, p), tensions_of(p), p.planar, p.row.views.spans)

    return Group("spans", _span_channels, write)


def _span_channels(counts: Counts) -> _Spans:
    count = (counts.spans,)
    displacement = (
        "transverse displacement at the middle of the span, from the present tangent of its wheels (for a hanging "
        "loop from the line between its ends, perpendicular to gravity), positive to the left of the direction of "
        "travel"
    )
    return _Spans(
        tension=one("span_tension", ("span",), "N", "mean tension of the links in the span after wheel k", count),
        displacement=one("span_displacement", ("span",), "m", displacement, count),
    )


@kernel(inner=True)
def _tangent(p, k):
    """Return the middle [m] and the direction of travel of the straight tangent of a span, with its wheels as they are
    now.
    """
    behind = k + 1 if k + 1 < p.wheels else 0
    if behind == k:  # a loop hangs from its only wheel: the diameter perpendicular to gravity
        return p.frame.x[k], p.frame.y[k], p.spans.ux[k], p.spans.uy[k]
    if p.surface.body[k] < 0 and p.surface.body[behind] < 0:
        return p.spans.x[k], p.spans.y[k], p.spans.ux[k], p.spans.uy[k]
    dx, dy = p.frame.x[behind] - p.frame.x[k], p.frame.y[behind] - p.frame.y[k]
    leaving, arriving = p.spans.leaving[k], p.spans.arriving[k]
    square, nearer = dx * dx + dy * dy, arriving - leaving
    length = math.sqrt(max(square - nearer * nearer, 0.0))
    ux, uy = (length * dx + nearer * dy) / square, (length * dy - nearer * dx) / square
    mx = p.frame.x[k] + leaving * uy + 0.5 * length * ux
    my = p.frame.y[k] - leaving * ux + 0.5 * length * uy
    return mx, my, ux, uy


@kernel(inner=True)
def _spans(y, place, tension, p, own):
    """Write the mean tension of every span and the transverse displacement at its middle.

    The displacement (Pedersen 2004, appendix E) is measured from the tangent to the wheels in their present positions.
    A chain over two wheels of one shaft does not run at the same speed on all wheels. The links in a span are therefore
    determined by the angles of the two wheels of the span.
    """
    n, turned, longer = p.rollers, _teeth_turned(y, p), 0.0
    for k in range(p.wheels):
        if p.axles < p.wheels:
            turned = teeth_since_start(y, p, k)
            longer = turned - teeth_since_start(y, p, k + 1 if k + 1 < p.wheels else 0)
        start, end = p.spans.start[k], p.spans.end[k] + longer
        mx, my, ux, uy = _tangent(p, k)
        total, count, displacement = 0.0, 0, math.nan
        first, last, wrapped = _nearby(start - turned, end - start, n)
        for a in range(wrapped + last - first):
            i = a if a < wrapped else a - wrapped + first
            along = i + 0.5 + turned - start
            along -= n * math.floor(along / n)
            if along > end - start:
                continue
            total += tension[i]
            count += 1
            j = i + 1 if i + 1 < n else 0
            before = (place[i] - mx) * ux + (place[n + i] - my) * uy
            after = (place[j] - mx) * ux + (place[n + j] - my) * uy
            if (before <= 0.0) != (after <= 0.0):
                left_before = (place[n + i] - my) * ux - (place[i] - mx) * uy
                left_after = (place[n + j] - my) * ux - (place[j] - mx) * uy
                displacement = left_before - before * (left_after - left_before) / (after - before)
        own.tension[k] = total / count if count > 0 else math.nan
        own.displacement[k] = displacement


@kernel(inline=True)
def _nearby(start, length, n):
    """Return the links that may be in a span, as first, last, wrapped.

    They are the links from 0 to ``wrapped``, and those from ``first`` to ``last``. start: start of the span, in pitches
    from the position of link 0; length: length of the span [pitches]. Both ends are rounded outwards.
    """
    if not math.isfinite(start + length):
        return 0, n, 0
    first = math.floor(start - 0.5)
    first -= n * math.floor(first / n)
    last = first + min(max(math.ceil(length), 0) + 3, n)
    return int(first), int(min(last, n)), int(max(last - n, 0))


@kernel(inner=True)
def _no_open_spans(y, place, tension, p, own):
    """Write nothing, because a closed chain has no open spans."""


@kernel(inner=True, without=("ways", _no_open_spans))
def _open_spans(y, place, tension, p, own):
    """Write the mean tension and the displacement of every span of an open chain, whose ends and wheels may move far.

    A span consists of the links between its wheels, as determined by the angles of the wheels. Its displacement is
    measured from the line between its first and last joint.
    """
    for k in range(p.ways.before.size):
        before, behind = p.ways.before[k], p.ways.behind[k]
        low = p.spans.start[k] - teeth_since_start(y, p, before) if before >= 0 else -math.inf
        high = p.spans.end[k] - teeth_since_start(y, p, behind) if behind >= 0 else math.inf
        total, links, first = 0.0, 0, 0
        for i in range(p.rollers - 1):
            if low <= i + 0.5 <= high:
                first = i if links == 0 else first
                total += tension[i]
                links += 1
        own.tension[k] = total / links if links > 0 else math.nan
        own.displacement[k] = _off_the_middle(place, p, first, links) if links > 1 else math.nan


@kernel(inner=True)
def _off_the_middle(place, p, first, links):
    """Return how far the middle of the chain is to the left of the line from joint ``first`` over this many links."""
    n, last = p.rollers, first + links
    ux, uy = place[last] - place[first], place[n + last] - place[n + first]
    length = math.sqrt(ux * ux + uy * uy)
    if not length > 0.0:
        return math.nan
    ux, uy = ux / length, uy / length
    mx, my = 0.5 * (place[first] + place[last]), 0.5 * (place[n + first] + place[n + last])
    for i in range(first, last):
        before = (place[i] - mx) * ux + (place[n + i] - my) * uy
        after = (place[i + 1] - mx) * ux + (place[n + i + 1] - my) * uy
        if (before <= 0.0) != (after <= 0.0):
            left = (place[n + i] - my) * ux - (place[i] - mx) * uy
            left_after = (place[n + i + 1] - my) * ux - (place[i + 1] - mx) * uy
            return left - before * (left_after - left) / (after - before)
    return math.nan


class _Ends(NamedTuple):
    force: Shown


def _end_channels(counts: Counts) -> _Ends:
    text = "force of the chain on the anchors of its first and second end; zero at a free end"
    return _Ends(force=one("anchor_force", ("end", "axis"), "N", text, (2 if counts.anchored else 0, 2)))


@kernel(inner=True)
def _ends(y, dy, p):
    anchor, force = p.planar.anchor, p.row.views.ends.force
    for end in range(force.shape[0]):
        force[end, 0], force[end, 1] = 0.0, 0.0
    for a in range(anchor.roller.size):
        force[anchor.end[a], 0], force[anchor.end[a], 1] = anchor.force_x[a], anchor.force_y[a]


ENDS = Group("ends", _end_channels, _ends, optional=True)


class _Payloads(NamedTuple):
    mass: Shown
    power: Shown
    loss: Shown


def _payload_channels(counts: Counts) -> _Payloads:
    count = (counts.payloads,)
    given = "power delivered to goods: energy that they carry away minus energy that they bring; part of power_output"
    return _Payloads(
        mass=one("payload_mass", ("payload",), "kg", "mass of the goods on the chain", count),
        power=one("payload_power", ("payload",), "W", given, count),
        loss=one("payload_loss", ("payload",), "W", "lost in sliding of goods on the chain or in a trough", count),
    )


@kernel(inner=True)
def _payloads(y, dy, p):
    own, now = p.row.views.payloads, p.planar.payload_now
    for k in range(now.mass.size):
        own.mass[k], own.power[k], own.loss[k] = now.mass[k], now.given[k], now.lost[k]


PAYLOADS = Group("payloads", _payload_channels, _payloads, optional=True)


class _Guides(NamedTuple):
    force: Shown


def _guide_channels(counts: Counts) -> _Guides:
    return _Guides(
        force=one("guide_force", ("guide", "axis"), "N", "force of the chain on the guide", (counts.guides, 2))
    )


@kernel(inner=True)
def _guides(y, dy, p):
    planar, force = p.planar, p.row.views.guides.force
    for g in range(force.shape[0]):
        force[g, 0], force[g, 1] = planar.resultant.x[planar.wheels + g], planar.resultant.y[planar.wheels + g]


GUIDES = Group("guides", _guide_channels, _guides, optional=True)

WORK_TEXT = {
    "input": WORK_INPUT,
    "output": WORK_OUTPUT,
    "link_damping": "lost in link damping",
    "articulation": "lost in joints of the chain",
    "contact": "lost in normal contact with teeth",
    "friction": "lost in friction of rollers on teeth, and of sliding goods",
    "bearing": "lost in bearings of the wheels and in joints of the bodies",
    "guide": "lost in contact with guides and friction on them",
    "tensioner": "lost in tensioners and their oil",
}
"""Description of each of the works in ``parameters.WORKS``."""
PROJECTION = {"projection": "absorbed by the projection of positions between steps, negative when it adds energy"}
"""The last account, if positions of rigid contacts are projected; it has no power."""


def balance_group(energies: Kernel, works: Mapping[str, str] = WORK_TEXT) -> Group:
    """Return the channels of powers, works, stored energy and the residual of their balance.

    energies: the kernel that ``balance`` returns; works: descriptions of the planar works, followed by those of the
    formulation.
    """

    @kernel(inner=True)
    def write(y, dy, p):
        layout = p.planar.layout
        start = p.planar.search.energy[0]
        write_balance(p.row.views.balance, y, dy, layout.work, layout.shaft_work, energies(y, p), start)

    return Group("balance", partial(_balance_channels, works), write)


def _balance_channels(works: Mapping[str, str], counts: Counts) -> Balance:
    return balance_channels(
        works,
        kinetic="of rollers, wheels and bodies",
        elastic="of links, contacts, joints and tensioners",
        gravity="of rollers, bodies and everything they carry, zero at height zero",
        wheels=counts.wheels,
        between=PROJECTION if counts.projected else None,
    )


def balance(chain: Kernel, mechanism: Kernel) -> Kernel:
    """Return the kernel of all stored energies [J].

    chain(y, p): returns kinetic, elastic and gravity energy of the chain without its contacts; mechanism(y, planar
    parameters): returns the same for bodies and tensioners (``support.Support``).
    """

    @kernel(inner=True)
    def energies(y, p):
        """Return the kinetic, elastic and gravity energy of the state evaluated last. [J]"""
        kinetic, elastic, gravity = chain(y, p)
        kinetic, elastic, gravity = _with_surfaces(y, p.planar, kinetic, elastic, gravity)
        moving, sprung, lifted = mechanism(y, p.planar)
        return kinetic + moving, elastic + sprung, gravity + lifted

    return energies


@kernel(inner=True)
def _with_surfaces(y, p, kinetic, elastic, gravity):
    """Return these energies with those of wheels and contacts added. [J]"""
    for w in range(p.wheels):
        angular_velocity, mass = wheel_speed(y, p, w), p.wheel.mass[w]
        ex, ey = mass_moment(p, w)
        vx, vy = p.frame.vx[w], p.frame.vy[w]
        kinetic += 0.5 * p.wheel.inertia[w] * angular_velocity**2 + 0.5 * mass * (vx * vx + vy * vy)
        kinetic += angular_velocity * (ex * vy - ey * vx)
        gravity -= p.gravity_x * ex + p.gravity_y * ey
        if p.surface.body[w] >= 0:
            gravity -= mass * (p.gravity_x * p.frame.x[w] + p.gravity_y * p.frame.y[w])
    for s in range(p.used.segments[0]):
        surface, first, slot = (
            p.segment.surface[s],
            p.segment.first[s],
            p.segment.slot[s],
        )
        if p.surface.law[surface] == P.LAW_OWN:
            elastic += own_energy(p, surface, s)
            continue
        pressed = 0.0
        if p.surface.sprung[surface] > 0:  # the last evaluation has the mean of a step
            elastic_force(p, surface, s)
        for k in range(slot, slot + p.segment.end[s] - first):
            pressed += p.contact.elastic[k] * p.contact.penetration[k]
        elastic += pressed / (p.surface.exponent[surface] + 1.0)  # K d^(n+1)/(n+1) from K d^n
    return kinetic, elastic, gravity
