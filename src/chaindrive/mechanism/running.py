"""How a drive runs: which way its wheels turn, where slack gathers, which motions are prescribed, what resists."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from chaindrive.errors import InputError, Problem
from chaindrive.geometry.route import tooth_frequency
from chaindrive.mechanism import course, fluctuation, torques
from chaindrive.mechanism import motion as motions
from chaindrive.mechanism.balance import Shaft, balance_speed, net_torque
from chaindrive.model import (
    VARYING,
    AngleTable,
    Drive,
    Governor,
    Orders,
    Rotor,
    RunUp,
    Stage,
    Wheel,
    driving_torque,
    loads_on,
    torques_on,
)

IntArray = NDArray[np.int64]


def turning_signs(drive: Drive | Stage) -> IntArray:
    """+1 for a wheel that turns counter-clockwise when the chain runs along the route, -1 for the others, (W,)."""
    loop = 1 if drive.loop == "counterclockwise" else -1
    return np.array([loop if wheel.side == "front" else -loop for wheel in drive.wheels])


def prescribed(drive: Drive) -> bool:
    """Whether the motion of a wheel is prescribed; otherwise torques drive, or it coasts from its initial speed."""
    return any(wheel.motion is not None for wheel in drive.wheels)


def driver(drive: Drive) -> int:
    """Index of the first wheel whose motion is prescribed.

    Where there is none, of the first one with an initial speed; and where there is none either, of the one whose torque
    pulls hardest at its teeth: by the largest with which it drives (``driving_torque``), per tooth. -1 without wheels.
    """
    if not drive.wheels:
        return -1
    for given in ([w.motion for w in drive.wheels], [w.initial_speed for w in drive.wheels]):
        if any(each is not None for each in given):
            return next(i for i, each in enumerate(given) if each is not None)
    return int(np.argmax([abs(driving_torque(w.torque)) / w.teeth for w in drive.wheels]))


def driver_speed(drive: Drive) -> float:
    """Prescribed speed of the driver, of one that changes the fastest; or its initial speed; 0 without. [rad/s]

    Counter-clockwise positive.
    """
    if not drive.wheels:
        return 0.0
    wheel = drive.wheels[driver(drive)]
    if isinstance(wheel.motion, VARYING):
        return wheel.motion.running_speed
    return wheel.motion.speed if wheel.motion is not None else wheel.initial_speed or 0.0


def running_direction(drive: Drive) -> int:
    """+1 when the chain runs along the route, -1 when it runs against it; in a run-up or run-down, at its fastest.

    By the speed of the driver (``driver_speed``), or by its torque where that has to start it.
    """
    if not drive.wheels:
        return 1
    first = driver(drive)
    wheel = drive.wheels[first]
    turning = driver_speed(drive)
    if wheel.motion is None and wheel.initial_speed is None:
        turning = driving_torque(wheel.torque)
    return 1 if turning * turning_signs(drive)[first] >= 0.0 else -1


def running_senses(drive: Drive) -> IntArray:
    """+1 for a wheel whose running sense is counter-clockwise, -1 for the others, (W,).

    It is the sense in which the driver turns the wheel through the chain, see ``running_direction``. It holds for a
    whole run, also where that turns back.
    """
    return np.asarray(turning_signs(drive) * running_direction(drive))


MOST_PERIOD = 60
"""Longest common period of motions and loads that is looked for, in revolutions of the driver."""


def period(drive: Drive) -> int:
    """Pitches of chain after which motions, tabulated loads and eccentric masses repeat together.

    Orders that are no whole numbers repeat after several turns. With neither a fluctuation nor such loads a revolution
    of the driver; also where they would take more than MOST_PERIOD revolutions of the driver to repeat.
    """
    if not drive.wheels:
        return drive.chain.links
    own = drive.wheels[driver(drive)].teeth
    found = _periods(drive)
    pitches = math.lcm(*found) if found else own
    return pitches if pitches <= MOST_PERIOD * own else own


def repeats_with_teeth(drive: Drive) -> bool:
    """Whether nothing but the teeth excites a drive: no motion that fluctuates, no varying load, no eccentric mass."""
    return not _periods(drive)


def _periods(drive: Drive) -> set[int]:
    """Pitches after which each of the motions, loads and eccentric masses repeats."""
    own = drive.wheels[driver(drive)].teeth
    motions_of_wheels = {_repeats(wheel, own) for wheel in drive.wheels if wheel.motion is not None}
    return set(load_periods(drive)) | motions_of_wheels - {0}


def _repeats(wheel: Wheel, own: int) -> int:
    """Pitches after which the fluctuation of a motion repeats, whole turns of the driver (own teeth) if it can be.

    0 without a fluctuation.
    """
    motion = wheel.motion
    if isinstance(motion, AngleTable):
        orders = [1.0]
    elif isinstance(motion, Orders):
        orders = [term.order for term in motion.orders]
    else:
        return 0
    for pitches, relative in ((own, own / wheel.teeth), *((k * wheel.teeth, k) for k in range(1, MOST_PERIOD + 1))):
        cycles = np.array(orders) * relative
        if np.all(np.abs(cycles - np.round(cycles)) < 1e-6 * np.maximum(cycles, 1.0)):
            return pitches
    return own


def load_periods(drive: Drive) -> list[int]:
    """Pitches of chain that pass while a wheel turns once whose load varies over its angle; the longest first.

    Of what repeats after several turns, such as half orders, those of that many.
    """
    found = {w.teeth for w in drive.wheels if w.unbalance is not None}
    found |= {w.teeth * turns for w in drive.wheels for cycles in _cycles(w) if (turns := _turns_of(cycles))}
    return sorted(found, reverse=True)


def load_orders(drive: Drive) -> list[tuple[int, float]]:
    """Wheel and order, in its turns, of torques and loads that vary over its angle, and of unbalance."""
    found = {(w, order) for w, wheel in enumerate(drive.wheels) for cycles in _cycles(wheel) for order in cycles}
    return sorted(found | {(w, 1.0) for w, wheel in enumerate(drive.wheels) if wheel.unbalance is not None})


def _cycles(part: Wheel | Rotor) -> list[tuple[float, ...]]:
    """How often its torques come round in a turn of it, those of each one together."""
    return [cycles for torque in torques_on(part) if (cycles := torque.facts().cycles)]


def _turns_of(cycles: Sequence[float]) -> int:
    """Turns after which all of them repeat; 0 where they take more than MOST_PERIOD."""
    for turns in range(1, MOST_PERIOD + 1):
        if all(abs(turns * each - round(turns * each)) < 1e-6 * max(turns * each, 1.0) for each in cycles):
            return turns
    return 0


def varies(part: Wheel | Rotor) -> bool:
    """Whether a wheel or rotor has a load or torque that varies over its angle."""
    return bool(_cycles(part))


def shafts(drive: Drive) -> list[Shaft]:
    """The wheels as the drive reduced to the shaft of its driver sees them."""
    if not drive.wheels:
        return []
    teeth = drive.wheels[driver(drive)].teeth
    return [
        shaft_of(wheel, float(sense), teeth / wheel.teeth)
        for wheel, sense in zip(drive.wheels, running_senses(drive), strict=True)
    ]


def shaft_of(part: Wheel | Rotor, sense: float, ratio: float) -> Shaft:
    """A wheel or rotor as a drive sees it that is reduced to one shaft; sense and ratio: see ``balance.Shaft``."""
    return Shaft(torques_on(part), sense, ratio, part.bearing_damping, part.bearing_friction)


def given_speed(drive: Drive) -> float | None:
    """The prescribed speed of the driver, of one that changes the fastest, or its initial speed, without sign. [rad/s]

    None where it has neither.
    """
    if prescribed(drive) or (drive.wheels and drive.wheels[driver(drive)].initial_speed is not None):
        return abs(driver_speed(drive))
    return None


def nominal_speed(drive: Drive) -> float | None:
    """Speed at which the driver is to run, without sign. [rad/s]

    The prescribed one, of a run-up or run-down the faster; without a prescribed motion its initial speed, or else the
    largest one at which torques and loads balance (``balance.balance_speed``). None where there is none of them.
    """
    if not drive.wheels:
        return None
    given = given_speed(drive)
    return balance_speed(shafts(drive)) if given is None else given


def starting_pace(drive: Drive) -> float:
    """A speed to reckon with where no nominal one is known: after a revolution of the driver from rest. [rad/s]

    Under the largest torques that drive and resist, with the inertias of the wheels: sqrt(4 pi M / J).
    """
    return pace_from_rest([(wheel, shaft.ratio) for wheel, shaft in zip(drive.wheels, shafts(drive), strict=True)])


def pace_from_rest(parts: Sequence[tuple[Wheel | Rotor, float]]) -> float:
    """The same of wheels and rotors, each with its speed over that of the driver. [rad/s]"""
    moment = inertia = 0.0
    for part, ratio in parts:
        moment += ratio * (abs(driving_torque(part.torque)) + sum(abs(load.facts().largest) for load in loads_on(part)))
        inertia += ratio**2 * ((part.turned_inertia or 0.0) + part.hub_inertia)
    return math.sqrt(4.0 * math.pi * moment / inertia)


def highest_speed(drive: Drive) -> float:
    """Highest speed of the driver to be reckoned with in its run, without sign. [rad/s]

    The prescribed or initial speed; else that at which torques and loads balance, or ``starting_pace`` where they do
    not, but no more than the torques can reach from rest until the end of the run.
    """
    if not drive.wheels:
        return 0.0
    given = given_speed(drive)
    if given is not None:
        return given
    return highest_between(drive, starting_pace(drive), balance_speed(shafts(drive)))


def highest_between(drive: Drive, pace: float, balance: float | None) -> float:
    """The speed at which torques balance, or a pace from rest where they do not; no more than is reached. [rad/s]"""
    until = drive.run.until if isinstance(drive.run.until, float) else math.inf
    return min(pace if balance is None else balance, pace**2 / (4.0 * math.pi) * until)


def chain_speeds(drive: Drive) -> tuple[float, float]:
    """Speed of the chain before and after the change of speed of a run-up or run-down; twice the same without. [m/s]

    Pitch times tooth frequency of the driver, at its nominal speed where no motion is prescribed (0 without one);
    positive in the sense in which the chain runs at its fastest.
    """
    if not drive.wheels:
        return 0.0, 0.0
    first = driver(drive)
    motion = drive.wheels[first].motion
    pair = np.array([nominal_speed(drive) or 0.0] * 2)
    if isinstance(motion, VARYING):
        pair = (
            turning_signs(drive)[first]
            * running_direction(drive)
            * np.array([motion.initial_speed, motion.final_speed])
        )
    speeds = np.sign(pair) * tooth_frequency(pair, drive.wheels[first].teeth) * drive.chain.pitch + 0.0  # never -0
    before, after = speeds
    return float(before), float(after)


def pitches_turned(drive: Drive, angle: ArrayLike) -> NDArray[np.float64]:
    """Pitches by which the chain has come along its route when wheel 0 has turned by an angle [rad], as the angle."""
    if drive.chain.ends is not None:  # its links are where they are along the chain, and go round nowhere
        return np.zeros_like(np.asarray(angle, dtype=np.float64))
    per_turn = float(turning_signs(drive)[0]) * drive.wheels[0].teeth
    return np.asarray(per_turn / (2.0 * np.pi) * np.asarray(angle, dtype=np.float64))


SLOW = 0.01
"""Speed scale of loads against the motion, over the highest speed of their wheel, where they have none of their own."""
SLOWEST = 1e-3
"""The least such scale. [rad/s]"""


def slow_speeds(drive: Drive) -> NDArray[np.float64]:
    """Speed scale of loads against the motion of every wheel, where they have none of their own, (W,). [rad/s]"""
    teeth = np.array([wheel.teeth for wheel in drive.wheels])
    return slow_speed(highest_speed(drive) * drive.wheels[driver(drive)].teeth / teeth)


def slow_speed(fastest: ArrayLike) -> NDArray[np.float64]:
    """The same from the highest speeds of wheels or rotors. [rad/s]"""
    return np.asarray(np.maximum(SLOW * np.asarray(fastest), SLOWEST))


def wheel_torques(drive: Drive, angles: NDArray[np.float64], at_speed: bool) -> torques.Torques:
    """The torques of all wheels, packed; angles (W,): of the wheels at the start of the run [rad]."""
    given = [torques_on(wheel) for wheel in drive.wheels]
    if not any(given):
        return torques.pack(given, running_senses(drive), angles, 0.0)
    packed = torques.pack(given, running_senses(drive), angles, slow_speeds(drive), motors(drive), at_speed)
    if not packed.states.size:
        return packed
    speed = abs(driver_speed(drive)) if at_speed else 0.0
    own = shafts(drive)
    speeds = [shaft.sense * shaft.ratio * speed for shaft in own]
    share = governors_share(own, speed)
    needed = [shaft.sense * share / shaft.ratio for shaft in own]
    return packed._replace(states=torques.initial_states(given, speeds, needed, at_speed))


def torque_damping(drive: Drive, speeds: ArrayLike) -> NDArray[np.float64]:
    """How steeply the torques on the wheels may fall with the speed, up to speeds (W,) [rad/s]. (W,) [N m s/rad]"""
    inertias = [wheel.turned_inertia or 0.0 for wheel in drive.wheels]
    given = [torques_on(wheel) for wheel in drive.wheels]
    return torques.steepest(given, speeds, inertias, slow_speeds(drive) if any(given) else 0.0)


def governors_share(shafts: Sequence[Shaft], speed: float) -> float:
    """What each shaft with a governor has to give so that all balance at a speed of the driver, on its shaft. [N m]

    0 without any.
    """
    own = [tuple(torque for torque in shaft.torques if not isinstance(torque, Governor)) for shaft in shafts]
    others = [shaft._replace(torques=left) for shaft, left in zip(shafts, own, strict=True)]
    governed = sum(len(shaft.torques) > len(left) for shaft, left in zip(shafts, own, strict=True))
    return -net_torque(others, speed) / governed if governed else 0.0


def motors(drive: Drive) -> tuple[bool, ...]:
    """Whether the power of the torque on each wheel is what is put in, rather than what is taken out, (W,).

    It is where no motion is prescribed and the torque, or the largest with which a table drives, acts in the running
    sense: that of a motor. The weight on a winch acts against it: what it gives or takes is taken out, as with a
    prescribed motion.
    """
    return tuple(
        is_motor(wheel, float(sense)) and not prescribed(drive)
        for wheel, sense in zip(drive.wheels, running_senses(drive), strict=True)
    )


def is_motor(part: Wheel | Rotor, sense: float) -> bool:
    """Whether the torque on a wheel or rotor acts in its running sense, by the largest with which it drives."""
    return driving_torque(part.torque) * sense > 0.0


def resistance(drive: Drive, index: int, speed: float) -> float:
    """Torque with which load and bearing of a wheel resist a steady speed in its running sense [rad/s]. [N m]

    A motor's torque drives, and is no load (``motors``).
    """
    wheel = drive.wheels[index]
    acting = loads_on(wheel) if motors(drive)[index] else torques_on(wheel)
    own = torques.resisting(acting, speed, float(running_senses(drive)[index]))
    return own + wheel.bearing_friction + wheel.bearing_damping * speed


def expected_pull(drive: Drive, speeds: ArrayLike, radii: ArrayLike) -> float:
    """What all loads and torques at their largest pull in the chain, without signs, for tolerances and scales. [N]

    speeds (W,): at which the wheels turn, without sign [rad/s]; radii (W,) [m].
    """
    total = 0.0
    for wheel, speed, radius in zip(drive.wheels, np.asarray(speeds), np.asarray(radii), strict=True):
        total += sum(abs(torque.facts(float(speed)).largest) for torque in torques_on(wheel)) / float(radius)
    return total


def slack_span(drive: Drive) -> int:
    """The span that the driver feeds: there slack gathers. (Span k runs from wheel k to wheel k + 1.)

    -1 in an open chain: its longest span.
    """
    if drive.chain.ends is not None:
        return -1
    first = driver(drive)
    return first if running_direction(drive) > 0 else (first - 1) % len(drive.wheels)


def wheel_motions(drive: Drive, at_speed: bool) -> list[tuple[motions.Motion | None, str]]:
    """The motions of all wheels, see ``wheel_motion``. Raises InputError with all that cannot be."""
    found: list[tuple[motions.Motion | None, str]] = []
    problems = []
    for index, wheel in enumerate(drive.wheels):
        try:
            found.append(wheel_motion(wheel, at_speed))
        except ValueError as error:
            problems.append(Problem(f"wheels[{index}].motion", str(error), wheel.name))
    if problems:
        raise InputError(problems)
    return found


def wheel_motion(wheel: Wheel, at_speed: bool) -> tuple[motions.Motion | None, str]:
    """The motion of a wheel as numbers, None when it turns freely; and a warning, or an empty text.

    at_speed: the run starts at the speed that the ramp would lead to. Raises ValueError for a fluctuation that cannot
    be (``fluctuation.orders``).
    """
    given = wheel.motion
    if given is None:
        return None, ""
    ramp = 0.0 if at_speed else given.ramp
    if isinstance(given, RunUp) and not given.orders:
        return motions.run_up(given.initial_speed, given.final_speed, given.start, given.duration, ramp), ""
    if isinstance(given, VARYING):
        harmonics = [(term.order, term.amplitude, term.phase) for term in given.orders]
        if isinstance(given, RunUp):
            knots = course.change_table(given.initial_speed, given.final_speed, given.start, given.duration)
        else:
            knots = course.speed_knots(given.times, given.speeds)
        squared = given.order_amplitudes == "speed_squared"
        return course.course(knots, ramp, harmonics, squared, given.orders_from), ""
    base = motions.constant_speed(given.speed, ramp)
    if given.kind == "constant_speed":
        return base, ""
    if given.kind == "orders":
        terms = [(term.order, term.amplitude, term.phase) for term in given.orders]
        return fluctuation.orders(base, terms, given.over == "angle", given.start, given.fade_in), ""
    table, mean = fluctuation.angle_table(
        base, np.array(given.angles), np.array(given.accelerations), given.start, given.fade_in
    )
    largest = float(np.abs(given.accelerations).max())
    if abs(mean) > 1e-3 * largest:
        return table, (
            f"wheel {wheel.name!r}: the tabulated acceleration has a mean of {mean:.4g} rad/s^2 over a turn, which "
            "would accelerate the wheel indefinitely; it was removed"
        )
    return table, ""
