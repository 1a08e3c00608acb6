"""The channels of the rocker-pin chain: their list, and the kernel that writes one row of them."""

from __future__ import annotations

import math
from typing import NamedTuple

from chaindrive.formulations.balance import balance_channels, write_balance
from chaindrive.formulations.cvt import parameters as P
from chaindrive.formulations.cvt.peaks import include
from chaindrive.formulations.cvt.rhs import BEFORE_TILTS, closing_force, energies, rhs
from chaindrive.formulations.declare import (
    SINCE_THE_ROW_BEFORE,
    WORK_INPUT,
    WORK_OUTPUT,
    Shown,
    motion_torque,
    one,
    several,
    torque_channels,
)
from chaindrive.kernels import copy_into, kernel
from chaindrive.physics.sheave import normal_force

N_WORKS, PAIRS = len(P.WORKS), P.PAIRS


class PinChannels(NamedTuple):
    """Channels of every pin."""

    position: Shown
    surface: Shown
    axial: Shown
    normal: Shown
    radial: Shown
    circumferential: Shown
    slip: Shown
    drift: Shown


class StrandChannels(NamedTuple):
    """Channels of both spans."""

    tension: Shown
    displacement: Shown


class SheaveChannels(NamedTuple):
    """Channels of every pair of sheaves."""

    thrust: Shown
    force: Shown
    closed: Shown
    speed: Shown
    tilt: Shown
    running: Shown
    touching: Shown
    sliding: Shown


class VariatorChannels(NamedTuple):
    """The channels, in the order of a row."""

    angle: Shown
    speed: Shown
    torque: Shown
    position: Shown
    bearing_force: Shown
    strand: StrandChannels
    link: Shown
    place: Shown
    peaks: Shown
    pin: Shown
    sheave: Shown
    balance: Shown
    motor: Shown
    load: Shown
    motion: Shown


_DISPLACEMENT = (
    "transverse displacement at the middle of the span, from the tangent to the present mean running circles, "
    "left of travel positive"
)
_PLACE = (
    "position of the middle of the link along the loop with the present mean running radii, from the point where the "
    "chain runs onto wheel 0 if that turns counter-clockwise"
)


def channels(pins: int, torques: bool = False, inputs: bool = False) -> VariatorChannels:
    """Return the channels of a chain with this many pins.

    torques: whether the drive has motors or lists of loads; inputs: whether a motion is an input.
    """
    w = PAIRS
    ccw = "counter-clockwise positive"
    return VariatorChannels(
        angle=one("wheel_angle", ("wheel",), "rad", "angle of the pair of sheaves, counter-clockwise", (w,)),
        speed=one("wheel_speed", ("wheel",), "rad/s", "angular velocity of the pair of sheaves", (w,)),
        torque=one(
            "wheel_torque", ("wheel",), "N m", f"torque of shaft and bearing on the pair of sheaves, {ccw}", (w,)
        ),
        position=one("wheel_position", ("wheel", "axis"), "m", "centre of the pair of sheaves", (w, 2)),
        bearing_force=one("bearing_force", ("wheel", "axis"), "N", "force of the pins on the pair of sheaves", (w, 2)),
        strand=StrandChannels(
            tension=one("span_tension", ("span",), "N", "mean tension of the links of the span after wheel k", (w,)),
            displacement=one("span_displacement", ("span",), "m", _DISPLACEMENT, (w,)),
        ),
        link=several("link_tension", ("link",), "N", "tension of the link, of its spring and damper", (pins,)),
        place=several("link_path_position", ("link",), "pitch", _PLACE, (pins,)),
        peaks=_peaks(pins, w),
        pin=_pin_channels(pins),
        sheave=_sheave_channels(w),
        balance=balance_channels(
            _WORK_TEXT,
            kinetic="of pins and sheaves",
            elastic="of links, pins and tilted sheaves",
            gravity="of the chain, zero at the height of the origin",
            wheels=w,
        ),
        **torque_channels(w if torques else 0)._asdict(),
        motion=motion_torque(w if inputs else 0),
    )


def _peaks(n: int, w: int) -> P.Peaks:
    since = SINCE_THE_ROW_BEFORE
    most, least = f"largest tension of the link {since}", f"smallest tension of the link {since}"
    axial, bearing = f"largest force along the pin {since}", f"largest bearing force {since}"
    return P.Peaks(
        largest_tension=several("link_tension_max", ("link",), "N", most, (n,), holds="largest"),
        smallest_tension=several("link_tension_min", ("link",), "N", least, (n,), holds="smallest"),
        axial=several("pin_axial_force_max", ("pin",), "N", axial, (n,), holds="largest"),
        bearing=one("bearing_force_max", ("wheel",), "N", bearing, (w,), holds="largest"),
    )


def _pin_channels(n: int) -> PinChannels:
    end = "on one end of the pin"
    around = "around the axis, counter-clockwise positive"
    return PinChannels(
        position=several("roller_position", ("roller", "axis"), "m", "position of the pin", (n, 2)),
        surface=several(
            "contact_surface",
            ("roller",),
            "1",
            "index of the wheel that touches the pin; -1 for none",
            (n,),
            holds="index",
        ),
        axial=several("pin_axial_force", ("pin",), "N", "axial force of the pin, its thrust on either sheave", (n,)),
        normal=several("pin_normal_force", ("pin",), "N", f"normal force {end}", (n,)),
        radial=several("pin_radial_friction", ("pin",), "N", f"friction {end} along the cone, outwards positive", (n,)),
        circumferential=several("pin_circumferential_friction", ("pin",), "N", f"friction {end} {around}", (n,)),
        slip=several("pin_slip", ("pin",), "m/s", f"speed at which the pin slides on the sheaves {around}", (n,)),
        drift=several(
            "pin_drift", ("pin",), "m/s", "speed at which the pin slides along the cone, outwards positive", (n,)
        ),
    )


def _sheave_channels(w: int) -> SheaveChannels:
    return SheaveChannels(
        thrust=one("sheave_thrust", ("wheel",), "N", "sum of the axial forces of the pins on a sheave", (w,)),
        force=one(
            "sheave_force",
            ("wheel",),
            "N",
            "force that closes the pair, given or required by its prescribed position",
            (w,),
        ),
        closed=one("sheave_closure", ("wheel",), "m", "closing travel of the pair from its drawn position", (w,)),
        speed=one("sheave_closing_speed", ("wheel",), "m/s", "speed at which the pair closes", (w,)),
        tilt=one("sheave_tilt", ("wheel", "axis"), "rad", "tilt of each sheave, away from +x and from +y", (w, 2)),
        running=one("running_radius", ("wheel",), "m", "mean radius of the pins in the pair; 0 without pins", (w,)),
        touching=one("pins_in_contact", ("wheel",), "1", "number of pins that the pair holds", (w,), holds="count"),
        sliding=one(
            "sheave_slip", ("wheel",), "m/s", "mean speed at which pins slide around the axis, counter-clockwise", (w,)
        ),
    )


_WORK_TEXT = {
    "input": WORK_INPUT,
    "output": WORK_OUTPUT,
    "link_damping": "lost in the damping of the links",
    "friction_radial": "lost in friction of the pins along the cones",
    "friction_circumferential": "lost in friction of the pins around the axes",
    "pin_damping": "lost in the axial damping of the pins",
    "sheave_damping": "lost in the damping of sheaves that move along their axis",
    "tilt": "lost in the damping of the tilt, or work done on a given deformation",
    "bearing": "lost in bearings of the sheaves",
}


@kernel(apart=True)
def record(t, y, p, row):
    """Write all channels at (t, y) into row, in the order of ``channels``."""
    own, dy = p.row.views, p.derivative
    rhs(t, y, dy, p)
    speeds = p.coordinates + 2 * PAIRS
    work = 2 * speeds
    for w in range(PAIRS):
        at = speeds + p.coordinates + w
        own.angle[w], own.speed[w] = y[p.coordinates + w], y[at]
        own.torque[w] = p.wheel.inertia[w] * dy[at] - p.sum.torque[w]
        own.position[w, 0], own.position[w, 1] = p.wheel.x[w], p.wheel.y[w]
        own.bearing_force[w, 0], own.bearing_force[w, 1] = p.sum.bearing_x[w], p.sum.bearing_y[w]
        own.peaks.bearing[w] = p.peaks.bearing[w]
        _sheave(own.sheave, y, dy, p, w, speeds)
    _strands(own.strand, p)
    _places(own.place, p)
    copy_into(own.link, p.link.tension)
    copy_into(own.peaks.largest_tension, p.peaks.largest_tension)
    copy_into(own.peaks.smallest_tension, p.peaks.smallest_tension)
    copy_into(own.peaks.axial, p.peaks.axial)
    include(p, own.peaks)
    _pins(own.pin, p)
    write_balance(own.balance, y, dy, work, work + N_WORKS, energies(y, p), p.start_energy[0])
    for w in range(own.motor.size):
        own.motor[w], own.load[w] = p.shaft.driving[w], p.shaft.load[w]
    for w in range(own.motion.size):
        own.motion[w] = p.shaft.motion[w]
    copy_into(row, p.row.values)


@kernel(inner=True)
def _sheave(own, y, dy, p, w, speeds):
    """Write the channels of pair w."""
    closed = p.coordinates + PAIRS + w
    at = speeds + closed
    own.thrust[w] = p.sum.thrust[w]
    own.force[w] = closing_force(dy[at], y[at], p, w)
    own.closed[w], own.speed[w] = y[closed], y[at]
    tilt = 2 * speeds + BEFORE_TILTS + w
    own.tilt[w, 0], own.tilt[w, 1] = y[tilt], y[tilt + PAIRS]
    own.running[w], own.touching[w], own.sliding[w] = p.sum.running[w], p.sum.touching[w], p.sum.sliding[w]


@kernel(inline=True)
def _running(p, w):
    """Return the mean radius at which the pins run in pair w; without pins, the radius as drawn. [m]"""
    return p.sum.running[w] if p.sum.touching[w] > 0.0 else p.sheave.radius[w]


@kernel(inline=True)
def _inclined(first, second, p):
    """Return the sine of the angle between spans and line of centres, from the running radii of both pairs. [-]"""
    return min(max((first - second) / p.distance, -1.0), 1.0)


@kernel(inner=True)
def _strands(own, p):
    """Write the mean tension of the links in each span, and the displacement of each span at its middle.

    A span is the common tangent of the mean running circles. In the order of the pins, the links of span 0 lead from
    pair 0 to pair 1, to the right of the line of centres, and the links of span 1 lead back.
    """
    n, place = p.pins, p.place
    first, second = _running(p, 0), _running(p, 1)
    sine = _inclined(first, second, p)
    cosine = math.sqrt(1.0 - sine * sine)
    length = p.distance * cosine
    for k in range(PAIRS):
        side = 1.0 - 2.0 * k
        # Direction of travel, and where the strand begins: at a right angle to it from the centre of its pair.
        ux = side * cosine * p.line_x - sine * p.line_y
        uy = side * cosine * p.line_y + sine * p.line_x
        radius = first if k == 0 else second
        x, above = p.wheel.x[k] + radius * uy, p.wheel.y[k] - radius * ux
        total, links, displacement = 0.0, 0, math.nan
        for i in range(n):
            j = i + 1 if i + 1 < n else 0
            here = (place.x[i] - x) * ux + (place.y[i] - above) * uy
            there = (place.x[j] - x) * ux + (place.y[j] - above) * uy
            if 0.0 < here < there < length:
                total += p.link.tension[i]
                links += 1
            if here <= 0.5 * length < there:
                part = (0.5 * length - here) / (there - here)
                before = (place.y[i] - above) * ux - (place.x[i] - x) * uy
                behind = (place.y[j] - above) * ux - (place.x[j] - x) * uy
                displacement = (1.0 - part) * before + part * behind
        own.tension[k] = total / links if links > 0 else 0.0
        own.displacement[k] = displacement


@kernel(inner=True)
def _places(own, p):
    """Write the position of the middle of every link along the loop, from the position of pin 0 on it. [pitches]"""
    n = p.pins
    pitches = _along(p.place.x[0], p.place.y[0], p) * n
    for i in range(n):
        along = pitches + i + 0.5
        own[i] = along - n * math.floor(along / n)


@kernel(inner=True)
def _along(x, above, p):
    """Return the position of a pin along the loop with the mean running radii, as a fraction of the length of the loop.
    [-]
    """
    first, second = _running(p, 0), _running(p, 1)
    sine = _inclined(first, second, p)
    span, inclination = p.distance * math.sqrt(1.0 - sine * sine), math.asin(sine)
    half = 0.5 * math.pi - inclination
    around_first, around_second = 2.0 * (math.pi - half) * first, 2.0 * half * second
    dx, dy = x - p.wheel.x[0], above - p.wheel.y[0]
    along, across = dx * p.line_x + dy * p.line_y, dy * p.line_x - dx * p.line_y
    begin, end = first * sine, p.distance + second * sine
    if along <= begin:
        angle = math.atan2(across, along) - half
        place = first * (angle if angle >= 0.0 else angle + 2.0 * math.pi)
    elif along >= end:
        place = around_first + span + second * (math.atan2(across, along - p.distance) + half)
    elif across < 0.0:
        place = around_first + span * (along - begin) / (end - begin)
    else:
        place = around_first + span + around_second + span * (end - along) / (end - begin)
    return place / (around_first + around_second + 2.0 * span)


@kernel(inner=True)
def _pins(own, p):
    """Write the channels of the pins, which are zero where a pin touches nothing."""
    for i in range(p.pins):
        own.position[i, 0], own.position[i, 1] = p.place.x[i], p.place.y[i]
        own.surface[i] = -1.0
        own.axial[i] = own.normal[i] = own.radial[i] = own.circumferential[i] = own.slip[i] = own.drift[i] = 0.0
    for c in range(p.contacts[0]):
        i, axial = p.touch.pin[c], p.touch.axial[c]
        own.axial[i], own.normal[i] = axial, normal_force(axial, p.pin.along[i], p.sine, p.cosine)
        own.radial[i], own.circumferential[i] = p.pin.along[i], p.pin.across[i]
        own.surface[i] = p.touch.wheel[c]
        own.slip[i], own.drift[i] = p.pin.sliding_across[i], p.pin.sliding_along[i]
