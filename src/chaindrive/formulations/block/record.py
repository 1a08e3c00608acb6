"""The channels of the chain drive block: their list, and the kernel that writes one row of them."""

from __future__ import annotations

from typing import NamedTuple

from chaindrive.formulations.balance import balance_channels, write_balance
from chaindrive.formulations.block import parameters as P
from chaindrive.formulations.block.peaks import force_on_bearing, include
from chaindrive.formulations.block.rhs import chain_friction, energies, rhs
from chaindrive.formulations.declare import (
    SINCE_THE_ROW_BEFORE,
    WORK_INPUT,
    WORK_OUTPUT,
    Shown,
    motion_torque,
    one,
    torque_channels,
)
from chaindrive.kernels import copy_into, kernel
from chaindrive.physics.unbalance import mass_moment

N_WORKS = len(P.WORKS)


class BlockChannels(NamedTuple):
    """The channels, in the order of a row."""

    angle: Shown
    speed: Shown
    torque: Shown
    position: Shown
    bearing_force: Shown
    tension: Shown
    elongation: Shown
    peaks: Shown
    balance: Shown
    motor: Shown
    load: Shown
    motion: Shown


def channels(wheels: int, torques: bool = False, inputs: bool = False) -> BlockChannels:
    """Return the channels of a drive with this many wheels and spans.

    torques: whether the drive has motors or loads; inputs: whether a motion is an input.
    """
    w = wheels
    return BlockChannels(
        angle=one("wheel_angle", ("wheel",), "rad", "angle of the wheel, counter-clockwise", (w,)),
        speed=one("wheel_speed", ("wheel",), "rad/s", "angular velocity of the wheel", (w,)),
        torque=one(
            "wheel_torque",
            ("wheel",),
            "N m",
            "torque that the shaft exerts on the wheel (motor, load, bearing), counter-clockwise positive",
            (w,),
        ),
        position=one("wheel_position", ("wheel", "axis"), "m", "centre of the wheel", (w, 2)),
        bearing_force=one(
            "bearing_force",
            ("wheel", "axis"),
            "N",
            "force of the wheel on its bearing: spans, weight and inertia of the wheel (if its mass is given)",
            (w, 2),
        ),
        tension=one(
            "span_tension", ("span",), "N", "tension of the span after wheel k, of its spring and damper", (w,)
        ),
        elongation=one(
            "span_elongation", ("span",), "m", "elongation of the span after wheel k; negative: slack", (w,)
        ),
        peaks=_peaks(w),
        balance=balance_channels(
            _WORK_TEXT,
            kinetic="of the wheels",
            elastic="of the spans",
            gravity="of eccentric masses, zero at the height of their wheel's axis",
            wheels=w,
        ),
        **torque_channels(w if torques else 0)._asdict(),
        motion=motion_torque(w if inputs else 0),
    )


def _peaks(w: int) -> P.Peaks:
    since = SINCE_THE_ROW_BEFORE
    tight, slack = (
        f"largest tension of the span after wheel k {since}",
        f"smallest tension of the span after wheel k {since}",
    )
    return P.Peaks(
        largest_tension=one("span_tension_max", ("span",), "N", tight, (w,), holds="largest"),
        smallest_tension=one("span_tension_min", ("span",), "N", slack, (w,), holds="smallest"),
        bearing=one("bearing_force_max", ("wheel",), "N", f"largest bearing force {since}", (w,), holds="largest"),
    )


_WORK_TEXT = {
    "input": WORK_INPUT,
    "output": WORK_OUTPUT,
    "link_damping": "lost in the chain: damping of the spans, and friction that grows with their tensions",
    "bearing": "lost in bearings of the wheels",
}


@kernel(apart=True)
def record(t, y, p, row):
    """Write all channels at (t, y) into row, in the order of ``channels``."""
    own, n, dy = p.row.views, p.wheels, p.derivative
    rhs(t, y, dy, p)
    for w in range(n):
        own.angle[w], own.speed[w] = y[w], y[n + w]
        own.torque[w] = _shaft_torque(y, dy, p, w)
        own.position[w, 0], own.position[w, 1] = p.wheel.x[w], p.wheel.y[w]
        own.bearing_force[w, 0], own.bearing_force[w, 1] = force_on_bearing(y, dy, p, w)
        own.tension[w], own.elongation[w] = p.pull.tension[w], p.pull.elongation[w]
        own.peaks.largest_tension[w] = p.peaks.largest_tension[w]
        own.peaks.smallest_tension[w], own.peaks.bearing[w] = p.peaks.smallest_tension[w], p.peaks.bearing[w]
    include(y, dy, p, own.peaks)
    write_balance(own.balance, y, dy, 2 * n, 2 * n + N_WORKS, energies(y, p), p.start_energy[0])
    for w in range(own.motor.size):
        own.motor[w], own.load[w] = p.shaft.driving[w], p.shaft.load[w]
    for w in range(own.motion.size):
        own.motion[w] = p.shaft.motion[w]
    copy_into(row, p.row.values)


@kernel(inner=True)
def _shaft_torque(y, dy, p, w):
    """Return the torque that the shaft (motor, load, bearing) exerts on wheel w in the last evaluation, with rates in
    dy. [N m]
    """
    before = w - 1 if w > 0 else p.wheels - 1
    chain = p.wheel.radius[w] * (p.pull.tension[w] - p.pull.tension[before])
    if p.ripples:
        chain += p.pull.ripple_moment[w]
    ex, ey = mass_moment(y[w], p.wheel.moment_x[w], p.wheel.moment_y[w])
    rubbing = chain_friction(y[p.wheels + w], p, w)
    return p.wheel.inertia[w] * dy[p.wheels + w] - chain + rubbing - ex * p.gravity_y + ey * p.gravity_x
