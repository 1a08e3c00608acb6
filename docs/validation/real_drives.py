"""Real drives compared with their hand calculations.

    python docs/validation/real_drives.py [NAME ...] [--write]

runs the named examples, by default all, and prints a table for each; ``--write`` makes ``real-drives.md`` next to this
file. Rows are kept in ``build/validation/real-drives``: a call that was interrupted is resumed by the next one, and
when a calculation has been edited, its file there must be deleted. Each drive has a function here, which takes the run
of its example and returns rows, each with a quantity by hand and by chaindrive. To add a drive, write its function and
a line in ``DRIVES``; the page and the test (``tests/verification/test_real_drives.py``) then include it.
"""

from __future__ import annotations

import argparse
import functools
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from _made import kept, kept_folder, made
from numpy.typing import NDArray
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

import chaindrive as cd
from chaindrive.mechanism.layout import route_in_pitches
from chaindrive.mechanism.save_rate import recommended_rate

HERE = Path(__file__).parent
PAGE = HERE / "real-drives.md"
FloatArray = NDArray[np.float64]
TURN, RPM = 2.0 * math.pi, math.pi / 30.0
LONG = 1000
"""Number of links above which rows are large."""


class Row(NamedTuple):
    """A quantity, calculated by hand and by chaindrive."""

    quantity: str
    unit: str
    hand: float
    computed: float
    allowed: float
    """Relative difference that the simplifications of the hand calculation can explain [-]"""
    how: str
    """The formula"""

    @property
    def difference(self) -> float:
        """Difference relative to the value by hand. [-]"""
        return self.computed / self.hand - 1.0

    @property
    def agrees(self) -> bool:
        """Whether the difference is permitted."""
        return abs(self.difference) <= self.allowed


# What the hand calculations share -------------------------------------------------------------------------------------


def pull_per_torque(drive: cd.Drive, wheel: int) -> float:
    """Force in the chain divided by the torque on a wheel, averaged over its teeth: 2 pi / (z p). [1/m]"""
    return TURN / (drive.wheels[wheel].teeth * drive.chain.pitch)


def chain_inertia(drive: cd.Drive, wheel: int) -> float:
    """Inertia of the chain referred to the shaft of a wheel: its mass times (z p / 2 pi)^2. [kg m^2]"""
    return drive.chain.links * drive.chain.link_mass / pull_per_torque(drive, wheel) ** 2


def kloss(speed: float, power: float, rated: float, synchronous: float, pull_out: float) -> float:
    """Torque of an induction motor by Kloss (1916), from speeds of the motor in rpm. [N m]"""
    slip, rated_slip = 1.0 - speed / synchronous, 1.0 - rated / synchronous
    critical = rated_slip * (pull_out + math.sqrt(pull_out**2 - 1.0))
    return 2.0 * pull_out * power / (rated * RPM) / (slip / critical + critical / slip)


def running_speed(torque: float, power: float, rated: float, synchronous: float, pull_out: float) -> float:
    """Speed in rpm at which such a motor has this torque, which may be negative."""
    rated_slip = 1.0 - rated / synchronous

    def left(slip: float) -> float:
        return kloss((1.0 - slip) * synchronous, power, rated, synchronous, pull_out) - torque

    ends = sorted(math.copysign(part * rated_slip, torque) for part in (1e-6, 2.0))
    return (1.0 - float(brentq(left, *ends))) * synchronous


def mean(run: cd.Solution, name: str, item: int | None, begin: float, end: float) -> float:
    """Mean of a channel between two instants."""
    rows = (run.time >= begin) & (run.time <= end)
    return float((run.values(name) if item is None else run.values(name, item=item))[rows].mean())


def mean_speed(run: cd.Solution, wheel: int, begin: float, end: float) -> float:
    """Mean speed, from the angle turned. [rad/s]"""
    at = np.interp([begin, end], run.time, run.values("wheel_angle", item=wheel))
    return float(at[1] - at[0]) / (end - begin)


def net_pull(run: cd.Solution, tight: int, slack: int, begin: float, end: float) -> float:
    """Mean tension of the tight span less that of the slack span. [N]"""
    return mean(run, "span_tension", tight, begin, end) - mean(run, "span_tension", slack, begin, end)


def amplitude(angle: FloatArray, values: FloatArray, order: float, *others: float) -> float:
    """Amplitude of an order with respect to an angle [rad], by least squares together with other orders and a straight
    line.
    """
    columns = [np.ones_like(angle), angle - angle.mean()]
    for each in (order, *others):
        columns += [np.cos(each * angle), np.sin(each * angle)]
    found = np.linalg.lstsq(np.column_stack(columns), values, rcond=None)[0]
    return float(np.hypot(found[2], found[3]))


# The drives -----------------------------------------------------------------------------------------------------------


def winch(run: cd.Solution) -> list[Row]:
    """A weight lifted by a motor with an inverter: rigid shafts, slip by Kloss' formula."""
    drive = run.drive
    ratio, gear, weight, friction = 17 / 38, 20.0, 600.0 * 9.81 * 0.15, 5.0
    plate = (4000.0, 1435.0, 1500.0, 2.9)
    up, down = (weight + friction) * ratio / gear, (weight - friction) * ratio / gear
    hoisting, lowering = running_speed(up, *plate) / gear, -running_speed(-down, *plate) / gear
    pull = pull_per_torque(drive, 1)
    rate = TURN * (50.0 - 3.0) / 0.6 / 2.0 / gear  # of the field, seen on the sprocket [rad/s^2]
    accelerating = up * gear + (4.7 + 15.0 * ratio**2 + chain_inertia(drive, 0)) * rate
    # The rotor lags behind the field by the slip that gives the torque left while it slows down at -rate_down.
    rate_down = TURN * 100.0 / 1.2 / 2.0 / gear
    left = up * gear - (4.7 + 15.0 * ratio**2 + chain_inertia(drive, 0)) * rate_down
    lag = (1500.0 - running_speed(left / gear, *plate)) * RPM / gear
    turns = 1.8 - lag / rate_down
    speed, time = run.values("wheel_speed", item=0), run.time
    after = np.flatnonzero((speed < 0.0) & (time > 1.2))[0]
    crossing = float(np.interp(0.0, -speed[after - 1 : after + 1], time[after - 1 : after + 1]))
    travelled = float(np.ptp(np.interp([1.2, 0.0], time, run.values("wheel_angle", item=1)))) * 0.15
    # the field runs through the mean of 3 and 50 Hz for 0.6 s, then 50 Hz; less the slip of both
    lag_up = (1500.0 - running_speed(accelerating / gear, *plate)) / 1500.0 * 50.0
    field = (0.5 * (3.0 + 50.0) - lag_up) * 0.6 + hoisting * gear / 1500.0 * 50.0 * 0.6
    return [
        Row("speed of the sprocket, hoisting", "rpm", hoisting, mean_speed(run, 0, 0.95, 1.2) / RPM, 0.002,
            "Kloss at (W + M) z1 / (z2 i)"),
        Row("speed of the sprocket, lowering", "rpm", lowering, mean_speed(run, 0, 2.7, 3.0) / RPM, 0.002,
            "Kloss at -(W - M) z1 / (z2 i), beyond the synchronous speed"),
        Row("net pull of the chain, hoisting", "N", (weight + friction) * pull, net_pull(run, 1, 0, 0.95, 1.2), 0.03,
            "2 pi (W + M) / (z2 p)"),
        Row("net pull of the chain, starting", "N", (weight + friction + 15.0 * rate * ratio) * pull,
            net_pull(run, 1, 0, 0.2, 0.5), 0.03, "2 pi (W + M + J2 a z1/z2) / (z2 p)"),
        Row("torque of the motor at the sprocket, starting", "N m", accelerating,
            mean(run, "motor_torque", 0, 0.2, 0.5), 0.03, "(W + M) z1/z2 + J a, J on the sprocket"),
        Row("time of standstill during the reversal", "s", turns, crossing, 0.01,
            "field at rest at 1.8 s, minus the slip divided by the rate of the field"),
        Row("height reached at 1.2 s", "m", field / 50.0 * 1500.0 * RPM / gear * ratio * 0.15, travelled, 0.03,
            "angle of the field less slip, times 0.15 m"),
    ]  # fmt: skip


def press(run: cd.Solution) -> list[Row]:
    """An angle-dependent load on a motor without a flywheel: mean torque, and speed fluctuation with all parts on one
    rigid shaft.
    """
    drive = run.drive
    ratio, gear, plate = 19 / 57, 6.0, (5500.0, 1460.0, 1500.0, 3.0)
    torque = (90.0 + 600.0 * 70.0 / 180.0) * ratio
    running = running_speed(torque / gear, *plate) / gear
    inertia = 1.2 + 8.0 * ratio**2 + chain_inertia(drive, 0)
    flanks = np.array([0.0, 50.0, 60.0, 120.0, 130.0, 180.0]) * math.pi / 180.0

    def rates(t: float, y: FloatArray) -> list[float]:
        load = 90.0 + float(np.interp(y[1] % math.pi, flanks, [0.0, 0.0, 600.0, 600.0, 0.0, 0.0]))
        return [(gear * kloss(gear * y[0] / RPM, *plate) - load * ratio) / inertia, y[0] * ratio]

    rigid = solve_ivp(rates, (0.0, 3.0), [running * RPM, 0.0], max_step=1e-3, rtol=1e-8)
    settled = rigid.y[1] > rigid.y[1][-1] - 3.0 * math.pi
    swing = amplitude(rigid.y[1][settled], rigid.y[0][settled], 2.0)
    motor = gear * np.array([kloss(gear * w / RPM, *plate) for w in rigid.y[0][settled]])
    time = rigid.t[settled]
    given = float(np.trapezoid(motor * rigid.y[0][settled], time)) / (time[-1] - time[0])
    begin, end = _half_turns(run, 1, 3)
    rows = (run.time >= begin) & (run.time <= end)
    angle = run.values("wheel_angle", item=1)[rows]
    own = np.array([1.2, 8.0 * ratio])  # of all that turns, so that the oscillation of the chain is not counted
    together = run.values("wheel_speed")[rows] @ own / (own[0] + ratio * own[1])
    work = np.interp([begin, end], run.time, run.values("shaft_work", item=0))
    power = float(work[1] - work[0]) / (end - begin)
    return [
        Row("mean speed of the sprocket", "rpm", running, mean_speed(run, 0, begin, end) / RPM, 0.004,
            "Kloss at the mean load, 90 + 600 x 70/180 N m"),
        Row("mean power of the motor", "W", given, power, 0.015,
            "mean of M w on one rigid shaft, integrated numerically; chaindrive includes the losses of the chain"),
        Row("fluctuation of the speed, twice per revolution of the cylinder", "rad/s", swing,
            amplitude(angle, together, 2.0), 0.03, "amplitude on one rigid shaft, integrated numerically"),
        Row("work of the impression in one stroke", "J", (90.0 * 180.0 + 600.0 * 70.0) * math.pi / 180.0,
            _work_of_load(run, begin, end) / 3.0, 0.002, "integral of the load over the angle"),
    ]  # fmt: skip


def _half_turns(run: cd.Solution, wheel: int, count: int) -> tuple[float, float]:
    """The last two instants between which a wheel turns by this number of half revolutions. [s]"""
    angle = run.values("wheel_angle", item=wheel)
    begin = float(np.interp(angle[-1] - count * math.pi, angle, run.time))
    return begin, float(run.time[-1])


def _work_of_load(run: cd.Solution, begin: float, end: float) -> float:
    work = np.interp([begin, end], run.time, run.values("work_output"))
    return float(work[1] - work[0])


def harvester(run: cd.Solution) -> list[Row]:
    """A load pulse on a shaft with a governor: the whole drive as one rigid shaft, and the first peak with two masses
    joined by a spring.
    """
    drive = run.drive
    ratio, before = 0.5, 620.0 * RPM
    inertia = 4.0 + 1.5 * ratio**2 + chain_inertia(drive, 0)
    standing = (120.0 + 0.02 * (before * ratio) ** 2) * ratio
    time, course = run.time, _pulse

    def rates(t: float, y: FloatArray) -> list[float]:
        error = before - y[0]
        resisting = (120.0 + 0.02 * (y[0] * ratio) ** 2 + 900.0 * course(t - 0.5)) * ratio
        return [(20.0 * error + y[1] - resisting) / inertia, 40.0 * error]

    rigid = solve_ivp(rates, (0.0, 1.2), [before, standing], max_step=1e-3, rtol=1e-9, dense_output=True)
    fine = rigid.sol(np.linspace(0.0, 1.2, 12001))[0]
    speeds = run.values("wheel_speed")
    moving = 4.0 + 1.5 * ratio**2
    together = speeds @ np.array([4.0, 1.5 * ratio]) / moving
    smooth = np.convolve(together, np.ones(5) / 5.0, "valid")
    impulse = 900.0 * 0.08 * ratio
    lost = inertia * (before - float(np.interp(0.6, time, together)))
    given = float(np.trapezoid((run.values("motor_torque", item=0) - standing)[(time >= 0.5) & (time <= 0.6)],
                               time[(time >= 0.5) & (time <= 0.6)]))  # fmt: skip
    # two masses on the tight span: static share of the jackshaft's inertia, overshoot of a ramp of 20 ms
    links = float(run.values("span_tension").shape[1])
    assert links == 2
    tight = 35.1 + 0.5 * 17  # links of the straight span, and half of those on the small wheel, which yield, too
    stiffness = drive.chain.link_stiffness / tight / pull_per_torque(drive, 0) ** 2
    reduced = 1.0 / (1.0 / 4.0 + 1.0 / (1.5 * ratio**2))
    period = TURN * math.sqrt(reduced / stiffness)
    x = math.pi * 0.02 / period
    share = 4.0 / (4.0 + 1.5 * ratio**2)
    peak = (standing + 900.0 * ratio * share * (1.0 + abs(math.sin(x)) / x)) * pull_per_torque(drive, 0)
    rows = (time > 0.5) & (time < 0.58)
    return [
        Row("torque of the governor before the pulse", "N m", standing, mean(run, "motor_torque", 0, 0.2, 0.5), 0.02,
            "(crop + fan) z1/z2; chaindrive includes the losses of the chain"),
        Row("angular momentum lost and supplied by the governor in the pulse", "N m s", impulse, lost + given, 0.05,
            "900 N m x (hold + rise) x z1/z2"),
        Row("lowest speed of the drive as a whole", "rpm", float(fine.min()) / RPM, float(smooth.min()) / RPM, 0.01,
            "one rigid shaft, integrated numerically"),
        Row("largest pull in the first shock", "N", peak, float(run.values("span_tension")[rows].max()), 0.12,
            "two masses joined by the tight span, under a ramp of 20 ms"),
    ]  # fmt: skip


def _pulse(s: float) -> float:
    """Shape of the load pulse: it rises within 20 ms, lasts 60 ms and falls within 20 ms."""

    def weight(x: float) -> float:
        return x**3 * (10.0 - 15.0 * x + 6.0 * x * x)

    if s <= 0.0 or s >= 0.1:
        return 0.0
    return weight(s / 0.02) if s < 0.02 else weight((0.1 - s) / 0.02) if s > 0.08 else 1.0


def timing(run: cd.Solution) -> list[Row]:
    """A run-up with orders: angle turned, cyclic irregularity, work of the camshafts, stored energy."""
    drive = run.drive
    first, last = 1000.0 * RPM, 6000.0 * RPM
    turned = first * 0.05 + 0.5 * (first + last) * 0.4 + last * 0.05
    time, angle, speed = run.time, run.values("wheel_angle", item=0), run.values("wheel_speed", item=0)
    slow, fast = time < 0.05, time > 0.45
    # each order from the mean angle, which at an even speed is speed times time
    found = [
        amplitude(mean * time[rows], speed[rows], *orders) / mean
        for rows, mean, orders in ((slow, first, (2, 4)), (fast, last, (2, 4)), (fast, last, (4, 2)))
    ]
    mass = drive.chain.links * drive.chain.link_mass
    radius = 1.0 / pull_per_torque(drive, 0)
    stored = 0.5 * (2.0 * 0.0015 * 0.25 + mass * radius**2) * (last**2 - first**2)
    kinetic = run.values("energy_kinetic")
    return [
        Row("revolutions of the crankshaft", "1", turned / TURN, float(angle[-1] - angle[0]) / TURN, 1e-4,
            "integral of the speed over time"),
        Row("2nd order of the speed at 1000 rpm", "%", 100 * 1600.0 / (2.0 * first**2), 100 * found[0], 0.01,
            "A / (k w^2)"),
        Row("2nd order of the speed at 6000 rpm", "%", 100 * 1600.0 / (2.0 * last**2), 100 * found[1], 0.01,
            "A / (k w^2)"),
        Row("4th order of the speed at 6000 rpm", "%", 100 * 600.0 / (4.0 * last**2), 100 * found[2], 0.01,
            "A / (k w^2)"),
        Row("work of both camshafts", "J", 2.0 * 3.0 * 0.5 * turned, float(run.values("work_output")[-1]), 0.01,
            "mean of 3 N m each, times the angle; the last period of the cams is incomplete"),
        Row("energy stored in camshafts and chain", "J", stored, float(kinetic[-1] - kinetic[0]), 0.03,
            "J w^2 / 2 + m v^2 / 2"),
    ]  # fmt: skip


def hoist(run: cd.Solution) -> list[Row]:
    """A load on an open chain, lifted by a sprocket: weight, acceleration, speed."""
    load, speed = 500.0, 11 * 0.0254 * 30.0 / 60.0
    pull, time = run.values("link_tension")[:, 0], run.time
    ramp, late = time <= 0.4, time >= 0.6
    height = run.values("roller_position")[:, 0, 1]
    return [
        Row("tension at rest", "N", load * 9.81, float(pull[0]), 0.001, "m g"),
        Row("mean tension during the run-up", "N", load * (9.81 + speed / 0.4),
            float(np.trapezoid(pull[ramp], time[ramp]) / time[ramp][-1]), 0.02, "m (g + v / t)"),
        Row("mean tension while it rises", "N", load * 9.81, float(pull[time > 0.5].mean()), 0.01, "m g"),
        Row("speed of the load", "m/s", speed, float(np.polyfit(time[late], height[late], 1)[0]), 0.01, "z p n"),
    ]  # fmt: skip


def differential_hoist(run: cd.Solution) -> list[Row]:
    """A load on the chain between two sprockets on one shaft: lever arms, spans, and lift per revolution."""
    weight, rise = (250.0 + 1.0) * 9.81, (18 - 15) * 0.0254 / 2.0
    time, late = run.time, run.time >= 0.4
    angle, height = run.values("wheel_angle")[:, 0], run.values("wheel_position")[:, 1, 1]
    torque = run.values("wheel_torque")
    shaft = (torque[:, 0] + torque[:, 2])[late]
    lifted = float(np.polyfit(angle[late], height[late], 1)[0])
    return [
        *(Row(f"tension at rest, {name} span", "N", 0.5 * weight, float(run.values("span_tension")[0, k]), 0.01,
              "half of the load") for k, name in enumerate(("large", "small"))),
        Row("mean torque on the shaft", "N m", weight * rise / TURN, -float(np.trapezoid(shaft, -angle[late])
            / (angle[late][0] - angle[late][-1])), 0.05, "W p (z1 - z2) / (4 pi)"),
        Row("rise per revolution", "mm", 1e3 * rise, -1e3 * TURN * lifted, 0.02, "p (z1 - z2) / 2"),
        Row("speed of the load", "mm/s", 1e3 * rise / 3.0, 1e3 * float(np.polyfit(time[late], height[late], 1)[0]),
            0.02, "20 revolutions per minute"),
    ]  # fmt: skip


def forklift(run: cd.Solution) -> list[Row]:
    """A carriage lifted by a chain over a sheave on the inner mast, twice as fast as the mast: weight, acceleration,
    friction.
    """
    mass, by, duration = 1680.0, 0.4, 1.6
    acceleration = 10.0 / math.sqrt(3.0) * by / duration**2
    fall = np.hypot(*run.values("anchor_force")[:, 1].T)
    moved = np.ptp(run.values("joint_position"), axis=0)
    return [
        Row("tension at rest", "N", mass * 9.81, float(fall[0]), 0.002, "m g of carriage and load"),
        Row("largest tension", "N", mass * (9.81 + 2.0 * acceleration) + 150.0, float(fall.max()), 0.05,
            "m (g + 2 a) + friction of the rollers; in chaindrive the chain also vibrates"),
        Row("travel of the carriage divided by that of the mast", "1", 2.0, float(moved[1] / moved[0]), 0.005, "2 : 1"),
        Row("force on the sheave at rest", "N", 2.0 * mass * 9.81,
            abs(float(run.values("bearing_force")[0, 0, 1])), 0.01, "both falls"),
    ]  # fmt: skip


def two_legs(run: cd.Solution) -> list[Row]:
    """Two legs, one gear and the mass of the rider: pull, and the ripple of pull and speed over one revolution of the
    crank.
    """
    drive, ripple, speed = run.drive, 0.75, 90.0 * RPM
    torque, ratio = 250.0 / speed, 46 / 16
    pull, rider = torque * pull_per_torque(drive, 0), 85.0 * 0.34**2 * ratio**2
    turned = np.abs(run.values("wheel_angle", item=0) - run.values("wheel_angle", item=0)[0])
    turn = (turned >= TURN) & (turned <= 2.0 * TURN)
    begin, end = float(run.time[turn][0]), float(run.time[turn][-1])
    tight = int(run.values("span_tension")[turn].mean(axis=0).argmax())
    swing = amplitude(turned[turn], run.values("span_tension", item=tight)[turn], 2.0)
    faster = amplitude(turned[turn], np.abs(run.values("wheel_speed", item=1))[turn], 2.0)
    radius = 0.5 * (drive.chain.pin_diameter or 0.0)
    lost = float(np.diff(np.interp([begin, end], run.time, run.values("work_articulation")))[0])
    both = float(run.values("span_tension")[turn].mean(axis=0).sum())
    return [
        Row("net pull of the chain, mean", "N", pull, net_pull(run, tight, 1 - tight, begin, end), 0.02,
            "2 pi T / (z p), T = P / w"),
        Row("2nd order of the tight span", "N", ripple * pull * rider / (rider + 0.1), swing, 0.03,
            "0.75 of the mean, times J / (J + J of the crank) for rider and bicycle"),
        Row("2nd order of the speed of the rear wheel", "rad/s",
            ratio * ripple * torque / (2.0 * speed * (rider + 0.1)), faster, 0.05, "i 0.75 T / (2 w J)"),
        Row("lost in joints per revolution", "J", 0.09 * radius * both * TURN * (1.0 + ratio), lost, 0.01,
            "mu r (F1 + F2) 2 pi (1 + i), with the simulated mean tensions of both spans"),
    ]  # fmt: skip


def conveyor(run: cd.Solution) -> list[Row]:
    """A slat conveyor of 20 m: friction of chain and goods on rails, and the work of starting."""
    drive = run.drive
    chain = drive.chain.link_mass / drive.chain.pitch + 3.0
    goods = 40.0 * 18.8
    friction = 0.1 * 9.81 * (2.0 * chain * 19.4 + goods)
    speed = 56.24 * RPM / pull_per_torque(drive, 1)
    moved = goods + drive.chain.links * drive.chain.pitch * chain + (0.05 + 0.1) * pull_per_torque(drive, 1) ** 2
    kinetic = 0.5 * moved * speed**2
    work = run.values("work_input")
    started, run_on = (float(np.diff(np.interp(times, run.time, work))[0]) for times in ((0.0, 1.0), (1.2, 1.6)))
    return [
        Row("goods on the chain", "kg", goods, mean(run, "payload_mass", None, 1.2, 1.6), 0.005,
            "m' times the length between the centres of feed and discharge"),
        Row("pull at constant speed", "N", friction, run_on / (0.4 * speed), 0.02,
            "mu g (m' L of both spans + goods)"),
        Row("kinetic energy", "J", kinetic, mean(run, "energy_kinetic", None, 1.2, 1.6), 0.01, "m v^2 / 2"),
        Row("work of starting", "J", friction * 0.5 * speed + kinetic, started, 0.03,
            "pull times v t / 2, plus m v^2 / 2; goods arrive at full speed"),
    ]  # fmt: skip


def motorcycle(run: cd.Solution) -> list[Row]:
    """Engine torque transmitted by a gear and a chain to a vehicle on a slope: acceleration and pull over whole engine
    cycles.
    """
    drive = run.drive
    torque, ratio, vehicle = 4.0 * 33.0, 45 / 15, drive.wheels[1].vehicle
    assert vehicle is not None
    turned = -run.values("wheel_angle", item=0)
    turned = turned - turned[0]
    # a cycle is two turns of the crankshaft, half of one of the countershaft
    cycles = math.pi * np.array([1, 2, math.floor(turned[-1] / math.pi) - 1, math.floor(turned[-1] / math.pi)])
    first, last = float(cycles[0]), float(cycles[-1])
    at = np.interp(cycles, turned, run.time)
    begin, end = float(at[0]), float(at[-1])
    # the wheel swings on its chain: speeds are means of the first and of the last cycle
    speeds = [-0.31 * mean_speed(run, 1, float(at[k]), float(at[k + 1])) for k in (0, 2)]
    between = 0.5 * float(at[2] + at[3] - at[0] - at[1])
    slope, mean_square = math.atan(0.05), (speeds[0] ** 2 + speeds[0] * speeds[1] + speeds[1] ** 2) / 3.0
    road = 210.0 * 9.81 * (math.sin(slope) + 0.015 * math.cos(slope)) + 0.5 * 1.2 * 0.55 * mean_square
    chain = drive.chain.links * drive.chain.link_mass / (pull_per_torque(drive, 1) * 0.31) ** 2
    mass = 217.0 + (0.35 + 0.192 * ratio**2) / 0.31**2 + chain
    rate = (torque * ratio / 0.31 - road) / mass
    pull = (torque - 0.192 * ratio * rate / 0.31) * pull_per_torque(drive, 0)
    return [
        Row("acceleration over whole cycles", "m/s^2", rate, (speeds[1] - speeds[0]) / between, 0.03,
            "(T i / r - m g sin a - c m g cos a - air) / M, where M includes engine, wheels and chain"),
        Row("net pull of the chain, mean", "N", pull, net_pull(run, 1, 0, begin, end), 0.03,
            "(T - J dw/dt) 2 pi / (z p) at the countershaft"),
        Row("work of the engine", "J", torque * (last - first),
            float(np.diff(np.interp([begin, end], run.time, run.values("work_input")))[0]), 0.005,
            "T times the angle"),
    ]  # fmt: skip


def tandem(run: cd.Solution) -> list[Row]:
    """Four legs on two chains: torques by the numbers of teeth over one revolution of the cranks, and losses in joints.

    The losses are taken over the second half of the run, when the spans no longer oscillate as after the start; joints
    also turn under the tension of the slack span.
    """
    timing, rear = run.chains
    torque, ripple, speed = 16.7, 0.75, 86.0 * RPM
    begin, end = 0.0, TURN / speed
    pull = [pull_per_torque(chain.drive, 0) * each for chain, each in ((timing, torque), (rear, 2.0 * torque))]
    axle, inertia = rear.values("shaft_torque"), 0.15 + 0.15 + 6e-3
    vehicle = 19.3 * (53 / 16) ** 2
    angle = -rear.values("wheel_angle", item=0)
    tight = rear.values("span_tension")[:, 1]
    turn = (run.time >= begin) & (run.time <= end)
    swing = amplitude(angle[turn], tight[turn], 2.0)
    radius = 0.5 * (rear.drive.chain.pin_diameter or 0.0)
    later = (run.time >= 0.5 * end) & (run.time <= end)
    tensions = [each + 2.0 * float(chain.values("span_tension")[later, 0].mean())
                for each, chain in zip(pull, (timing, rear), strict=True)]  # fmt: skip
    lost = [
        0.09 * radius * tensions[0] * (speed + speed) * 0.5 * end,
        0.09 * radius * tensions[1] * (speed + speed * 53 / 16) * 0.5 * end,
    ]
    found = [float(np.diff(np.interp([0.5 * end, end], run.time, chain.values("work_articulation")))[0])
             for chain in (timing, rear)]  # fmt: skip
    return [
        Row("net pull of the timing chain, mean", "N", pull[0], net_pull(timing, 1, 0, begin, end), 0.02,
            "2 pi T / (z p), the captain's torque"),
        Row("net pull of the drive chain, mean", "N", pull[1], net_pull(rear, 1, 0, begin, end), 0.02,
            "2 pi T / (z p), the torque of both"),
        Row("2nd order of its tight span", "N", ripple * pull[1] * vehicle / (vehicle + inertia), swing, 0.03,
            "0.75 of the mean; the inertia of the cranks takes J/(J + m r^2 i^2) of it"),
        Row("torque on the axle between the two chains", "N m", 2.0 * torque, -float(axle[turn].mean()), 0.02,
            "torque of both"),
        Row("lost in joints of the timing chain", "J", lost[0], found[0], 0.05,
            "mu r (F + 2 S) (w + w) t over half a revolution, S: tension of the slack span"),
        Row("lost in joints of the drive chain", "J", lost[1], found[1], 0.05,
            "mu r (F + 2 S) (w + i w) t, likewise"),
    ]  # fmt: skip


def elevator(run: cd.Solution) -> list[Row]:
    """Goods on the rising span are lifted and accelerated to the speed of the chain: weight and momentum."""
    drive, density, height = run.drive, 12.5, 4.85 - 0.1 - 0.4
    speed = 33.0 * RPM / (TURN / (20 * 0.1016))
    flow = density * speed
    begin = float(run.time[-1]) - math.floor((float(run.time[-1]) - 1.5) * speed / 0.4064) * 0.4064 / speed
    end = float(run.time[-1])
    lifting, moving = flow * 9.81 * height, 0.5 * flow * speed**2
    buckets = 1.6 * 30 / (120 * 0.1016)  # over the length of the chain [kg/m]
    chain = 0.9 / 0.1016 + buckets
    bearing = 3.0 * pull_per_torque(drive, 1)
    # In the middle of both spans: weight of the goods above the boot's side of it, acceleration of goods, bearing.
    middle = 0.5 * 5.079
    above = density * 9.81 * (middle - 0.3) + density * speed**2 + bearing
    # joints turn by 2 pi / z where the chain comes on and leaves, under the tension there
    tensions = [mean(run, "span_tension", k, begin, end) for k in (0, 1)]
    ends = [
        tensions[k] + sign * chain * 9.81 * middle + (goods if k else 0.0)
        for k, sign, goods in ((0, 1, 0), (0, -1, 0), (1, 1, density * 9.81 * (4.65 - middle)), (1, -1, -above))
    ]
    joints = 0.15 * 0.5 * 0.019 * sum(ends) * 33.0 * RPM
    return [
        Row("grain on the chain", "kg", density * height, mean(run, "payload_mass", 0, begin, end), 0.005,
            "m' times the length between the centres of feed and discharge"),
        Row("flow of grain", "t/h", 3.6 * flow,
            3.6 * mean(run, "payload_mass", 0, begin, end) / height
            * mean_speed(run, 0, begin, end) / pull_per_torque(drive, 0), 0.005, "m' v"),
        Row("power transferred to the grain", "W", lifting + moving, mean(run, "payload_power", 0, begin, end), 0.005,
            "m' v (g H + v^2 / 2)"),
        Row("power lost as the grain comes up to speed", "W", moving, mean(run, "payload_loss", 0, begin, end), 0.02,
            "m' v^3 / 2"),
        Row("tension of the rising span minus that of the falling span, halfway up", "N", above,
            net_pull(run, 1, 0, begin, end), 0.05, "m' g (h - h1) + m' v^2 + friction of the bearing"),
        Row("power of the motor", "W", lifting + 2.0 * moving + 3.0 * 33.0 * RPM + joints,
            mean(run, "power_input", None, begin, end), 0.02,
            "m' v (g H + v^2) + bearing + joints (mu r F w where the chain bends)"),
    ]  # fmt: skip


def harvester_worn(run: cd.Solution) -> list[Row]:
    """The harvester with a chain that is 2 % longer: pitch circles and centre distance for this chain, and the same
    pulse.
    """
    drive = run.drive
    pitch = 1.02 * drive.chain.pitch
    radius = [0.5 * pitch / math.sin(math.pi / z) for z in (17, 34)]

    def too_long(centre: float) -> float:
        tilt = math.asin((radius[1] - radius[0]) / centre)
        wrapped = (math.pi - 2.0 * tilt) * 17 + (math.pi + 2.0 * tilt) * 34
        return 2.0 * centre * math.cos(tilt) / pitch + wrapped / TURN - drive.chain.links

    taut = float(brentq(too_long, 0.2, 2.0))
    new, place = cd.example("harvester-10b"), run.values("roller_position")
    rows = (run.time > 0.2) & (run.time < 0.5)
    # the first four rollers behind the tight span, two of either kind, on a wrap of 171 degrees from 94 degrees on
    x, y = np.moveaxis(place[rows] - np.array(drive.wheels[0].position), 2, 0)
    behind = (np.arctan2(y, x) % TURN - math.radians(94.3)) / (TURN / 17) - 0.25
    on = np.hypot(x, y)[(behind > 0.0) & (behind < 4.0) & (np.hypot(x, y) < 1.1 * radius[0])]
    ratio, before = 0.5, 620.0 * RPM
    standing = (120.0 + 0.02 * (before * ratio) ** 2) * ratio
    together = run.values("wheel_speed") @ np.array([4.0, 1.5 * ratio]) / (4.0 + 1.5 * ratio**2)
    pulse = (run.time >= 0.5) & (run.time <= 0.6)
    inertia = 4.0 + 1.5 * ratio**2 + chain_inertia(drive, 0)
    given = float(np.trapezoid((run.values("motor_torque", item=0) - standing)[pulse], run.time[pulse]))
    lost = inertia * (before - float(np.interp(0.6, run.time, together)))
    return [
        Row("length of the chain", "m", 96 * pitch, 96 * drive.chain.mean_pitch, 1e-9, "N p (1 + e)"),
        Row("centre distance at which it is taut", "mm", 1e3 * taut, 1e3 * _taut(drive), 1e-6,
            "2 c cos a + wraps on both larger circles"),
        Row("distance of the rollers next to the tight span from the axis of the jackshaft", "mm", 1e3 * radius[0],
            1e3 * float(on.mean()), 0.005, "p (1 + e) / (2 sin(pi / z)); outer links are 4 % longer, inner links are "
            "as new"),
        Row("torque of the governor before the pulse", "N m", standing, mean(run, "motor_torque", 0, 0.2, 0.5), 0.04,
            f"as for {new.name}; chaindrive includes the losses of the chain"),
        Row("angular momentum lost and supplied by the governor in the "
            "pulse", "N m s", 900.0 * 0.08 * ratio, lost + given, 0.05,
            "900 N m x (hold + rise) x z1/z2"),
    ]  # fmt: skip


def _taut(drive: cd.Drive) -> float:
    """Position of the second wheel at which the chain is just taut. [m]"""

    def over(centre: float) -> float:
        return route_in_pitches(drive, [[0.0, 0.0], [centre, 0.0]]) - drive.chain.links

    return float(brentq(over, 0.3, 1.0, xtol=1e-12))


DRIVES: dict[str, Callable[[cd.Solution], list[Row]]] = {
    "timing-06b-run-up": timing,
    "winch-16b": winch,
    "press-12b": press,
    "harvester-10b": harvester,
    "tandem": tandem,
    "motorcycle": motorcycle,
    "conveyor-16b": conveyor,
    "two-legs-46x16": two_legs,
    "hoist": hoist,
    "differential-hoist": differential_hoist,
    "forklift-mast": forklift,
    "harvester-10b-worn": harvester_worn,
    "bucket-elevator": elevator,
}
"""The examples and their hand calculations."""


def rows_of(name: str) -> list[Row]:
    """Run an unchanged example with all channels in double precision, and compare it with its hand calculation.

    Rows are stored at least 5000 times per second, or as often as the file says for very long chains.
    """
    drive = cd.example(name)
    rate = drive.run.save.rate if drive.chain.links > LONG else max(recommended_rate(drive), 5000.0)
    save = drive.run.save.model_copy(update={"precision": "double", "rate": rate})
    return DRIVES[name](cd.simulate(drive, save=save))


def table_of(rows: list[Row]) -> list[str]:
    """The rows as a table in Markdown."""
    lines = ["| quantity | by hand | chaindrive | difference | |", "|:--|--:|--:|--:|:--|"]
    for row in rows:
        values = " | ".join(f"{value:.5g} {row.unit.replace('1', '')}".strip() for value in (row.hand, row.computed))
        marked = "" if row.agrees else " **more than explained**"
        lines.append(f"| {row.quantity} | {values} | {100 * row.difference:+.2f} %{marked} | {row.how} |")
    return lines


def page(found: dict[str, list[Row]]) -> str:
    """The page, made from all rows."""
    lines = [
        "# Real drives compared with their hand calculations",
        "",
        f"This page is written by `python docs/validation/real_drives.py --write`; it was {made()}. "
        "`tests/verification/test_real_drives.py` asserts these numbers.",
        "",
        "Each drive is an example of the package, which `chaindrive run NAME` simulates; its notes state the sources "
        "of its data and their uncertainties. *By hand* assumes rigid shafts and a chain without losses, unless the "
        "last column states otherwise. The difference is due to effects that chaindrive includes in addition "
        "(losses, polygonal action, vibration of the chain).",
    ]
    for name, rows in found.items():
        drive = cd.example(name)
        lines += ["", f"## {drive.name}", "", f"`{name}`: {_first_line(DRIVES[name])}", "", *table_of(rows)]
    return "\n".join(lines) + "\n"


def _first_line(function: Any) -> str:
    return str(function.__doc__).strip().splitlines()[0]


def main() -> None:
    """Run the examples, and print and write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", choices=[[], *DRIVES], default=[], metavar="NAME", help=", ".join(DRIVES))
    parser.add_argument("--write", action="store_true", help=f"write {PAGE.name}; needs all drives")
    asked = parser.parse_args()
    folder, found = kept_folder("real-drives"), {}
    for name in asked.names or DRIVES:
        computed = kept(folder / f"{name}.json", functools.partial(rows_of, name))
        found[name] = [Row(*row) for row in computed]
        print(name, *table_of(found[name]), sep="\n", end="\n\n", flush=True)
    if asked.write and not asked.names:
        PAGE.write_text(page(found), encoding="utf-8")


if __name__ == "__main__":
    main()
