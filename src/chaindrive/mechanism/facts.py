"""Facts that follow from a drive, computed once: its driver, the directions of rotation and speeds of its wheels, its
route and its period.

``drive_facts`` returns the facts of a drive, each of which is computed when it is first used. They are stored in the
drive object (in its slot ``_facts``). A copy of a drive, changed or not, has its own facts.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Hashable
from functools import cached_property
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from chaindrive.errors import InputError
from chaindrive.geometry.pitch_line import OvalWheel, PitchPolygon
from chaindrive.geometry.route import Route, oval_route, pitch_radius, tooth_frequency
from chaindrive.mechanism.balance import Shaft, balance_speed, is_motor, pace_from_rest, reached_speed, shaft_of
from chaindrive.mechanism.periods import MOST_PERIOD, common_period, load_periods, motion_periods, oscillations
from chaindrive.mechanism.routes import route_around
from chaindrive.mechanism.weights import weight_pull
from chaindrive.model import VARYING, Drive, Stage, driving_torque

__all__ = ["DriveFacts", "drive_facts", "moved_route", "slow_speed", "turning_signs"]

T = TypeVar("T")
FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

SLOW = 0.01
"""Default speed scale of loads that oppose the motion, relative to the highest speed of their wheel."""
SLOWEST = 1e-3
"""Smallest speed scale of loads that oppose the motion. [rad/s]"""


def drive_facts(drive: Drive) -> DriveFacts:
    """Return the facts of a drive, always the same facts for the same object."""
    found: DriveFacts | None = getattr(drive, "_facts", None)
    if found is None:
        found = DriveFacts(drive)
        object.__setattr__(drive, "_facts", found)
    return found


def moved_route(drive: Drive, centres: ArrayLike) -> Route:
    """Return the route with the wheels at their present positions, (W, 2) [m], or the route as drawn if the positions
    have diverged.
    """
    if np.isfinite(np.asarray(centres, dtype=np.float64)).all():
        with contextlib.suppress(InputError):
            return drive_facts(drive).route_at(centres)
    return drive_facts(drive).route


def turning_signs(chain: Drive | Stage) -> IntArray:
    """Return +1 for wheels that turn counter-clockwise when the chain runs along the route, -1 for the others, (W,).

    For a drive: ``DriveFacts.signs``.
    """
    loop = 1 if chain.loop == "counterclockwise" else -1
    return np.array([loop if wheel.side == "front" else -loop for wheel in chain.wheels])


def slow_speed(fastest: ArrayLike) -> FloatArray:
    """Return the speed scale of loads that oppose the motion, from the highest speeds of wheels or rotors. [rad/s]"""
    return np.asarray(np.maximum(SLOW * np.asarray(fastest), SLOWEST))


class DriveFacts:
    """Facts of one drive with W wheels. Arrays are read-only."""

    def __init__(self, drive: Drive) -> None:
        self.drive = drive
        self._kept: dict[Hashable, Any] = {}

    def once(self, key: Hashable, compute: Callable[[], T]) -> T:
        """Return the result of an analysis that depends only on the drive and on the key; it is computed the first
        time, then stored.
        """
        if key not in self._kept:
            self._kept[key] = compute()
        return cast(T, self._kept[key])

    @cached_property
    def prescribed(self) -> bool:
        """Whether the motion of a wheel is prescribed; otherwise torques drive, or the drive coasts from its initial
        speed.
        """
        return any(wheel.motion is not None for wheel in self.drive.wheels)

    @cached_property
    def driver(self) -> int:
        """Index of the first wheel whose motion is prescribed.

        If there is no such wheel, it is the first wheel with an initial speed, or else the wheel with the largest
        driving torque (``driving_torque``) per tooth. -1 without wheels.
        """
        wheels = self.drive.wheels
        if not wheels:
            return -1
        for given in ([w.motion for w in wheels], [w.initial_speed for w in wheels]):
            if any(each is not None for each in given):
                return next(i for i, each in enumerate(given) if each is not None)
        return int(np.argmax([abs(driving_torque(w.torque)) / w.teeth for w in wheels]))

    @cached_property
    def driver_speed(self) -> float:
        """Prescribed speed of the driver (the highest if it changes), or its initial speed; 0 without either. [rad/s]

        Counter-clockwise positive.
        """
        if not self.drive.wheels:
            return 0.0
        wheel = self.drive.wheels[self.driver]
        if isinstance(wheel.motion, VARYING):
            return wheel.motion.running_speed
        return wheel.motion.speed if wheel.motion is not None else wheel.initial_speed or 0.0

    @cached_property
    def teeth(self) -> IntArray:
        """Numbers of teeth of the wheels, (W,); for sheaves these are not whole numbers (``RunningWheel``)."""
        return _read_only(np.array([wheel.teeth for wheel in self.drive.wheels] or np.empty(0, np.int64)))

    @cached_property
    def signs(self) -> IntArray:
        """+1 for a wheel that turns counter-clockwise when the chain runs along the route, -1 for the others, (W,)."""
        return _read_only(turning_signs(self.drive))

    @cached_property
    def leaders(self) -> IntArray:
        """For every wheel, the first wheel on its shaft: the wheel itself, or the wheel named by ``shaft_with``,
        (W,).
        """
        number = {wheel.name: w for w, wheel in enumerate(self.drive.wheels)}
        found = [number[wheel.shaft_with or wheel.name] for wheel in self.drive.wheels]
        return _read_only(np.array(found, dtype=np.int64))

    @cached_property
    def axles(self) -> IntArray:
        """For each wheel the number of its shaft, (W,); shafts are numbered in the order of their first wheels."""
        return _read_only(np.unique(self.leaders, return_inverse=True)[1].astype(np.int64))

    @cached_property
    def one_speed(self) -> bool:
        """Whether the chain has the same speed on all wheels, which is not so if two wheels share a shaft."""
        return bool((self.leaders == np.arange(self.leaders.size)).all())

    @cached_property
    def direction(self) -> int:
        """+1 if the chain runs along the route, -1 if against it; in a run-up or run-down, at the highest speed.

        It follows from the speed of the driver, or from its torque if the driver has to be started by a torque.
        """
        if not self.drive.wheels:
            return 1
        wheel, turning = self.drive.wheels[self.driver], self.driver_speed
        if wheel.motion is None and wheel.initial_speed is None:
            turning = driving_torque(wheel.torque)
        return 1 if turning * self.signs[self.driver] >= 0.0 else -1

    @cached_property
    def senses(self) -> IntArray:
        """Direction of rotation of every wheel, +1 counter-clockwise, -1 clockwise, (W,).

        It is the direction in which the driver turns the wheel through the chain, see ``direction``. It applies to the
        entire run, even if the drive reverses.
        """
        return _read_only(np.asarray(self.signs * self.direction))

    @cached_property
    def levers(self) -> FloatArray:
        """Mean lever arm of the chain on every wheel: chain speed divided by wheel speed, z P / (2 pi), (W,). [m]"""
        return _read_only(np.array([w.teeth for w in self.drive.wheels]) * self.drive.chain.pitch / (2.0 * math.pi))

    @cached_property
    def slack_span(self) -> int:
        """The span into which the driver feeds the chain, where slack collects, or the span that hangs in a loop.

        Span k leads from wheel k to wheel k + 1. For an open chain the value is -1, which stands for its longest span.
        """
        if self.drive.chain.ends is not None:
            return -1
        if self.route.hanging_loop:
            return self.route.loop
        return self.driver if self.direction > 0 else (self.driver - 1) % len(self.drive.wheels)

    @cached_property
    def shafts(self) -> tuple[Shaft, ...]:
        """The wheels as shafts of the drive that is reduced to the shaft of its driver.

        For an open chain, the weight of chain and loads acts on the driver, at the mean lever arm z P / (2 pi).
        """
        if not self.drive.wheels:
            return ()
        teeth = self.drive.wheels[self.driver].teeth
        same = self.leaders == self.leaders[self.driver]
        found = [
            shaft_of(wheel, float(sense), 1.0 if on_it else teeth / wheel.teeth)
            for wheel, sense, on_it in zip(self.drive.wheels, self.senses, same, strict=True)
        ]
        if self.drive.chain.ends is not None:
            resists = -self.direction * weight_pull(self.drive, self.route) * float(self.levers[self.driver])
            found[self.driver] = found[self.driver]._replace(weight=resists)
        return tuple(found)

    @cached_property
    def motors(self) -> tuple[bool, ...]:
        """Whether the power of the torque on each wheel counts as input rather than as output, (W,).

        It counts as input if no motion is prescribed and the torque, or the largest driving torque of a table, acts in
        the direction of rotation, like the torque of a motor. The weight on a winch acts against the direction of
        rotation, so that its power counts as output, as it does with a prescribed motion.
        """
        return tuple(
            is_motor(wheel, float(sense)) and not self.prescribed
            for wheel, sense in zip(self.drive.wheels, self.senses, strict=True)
        )

    @cached_property
    def balance_speed(self) -> float | None:
        """Largest speed of the driver at which torques and loads balance (``balance.balance_speed``). [rad/s]"""
        return balance_speed(self.shafts)

    @cached_property
    def given_speed(self) -> float | None:
        """Magnitude of the prescribed speed of the driver (the highest if it changes), or of its initial speed. [rad/s]

        None if the driver has neither.
        """
        wheels = self.drive.wheels
        if self.prescribed or (wheels and wheels[self.driver].initial_speed is not None):
            return abs(self.driver_speed)
        return None

    @cached_property
    def nominal_speed(self) -> float | None:
        """Magnitude of the speed at which the driver is meant to turn. [rad/s]

        It is the prescribed speed (in a run-up or run-down, the higher one). Without a prescribed motion it is the
        initial speed, or else the largest speed at which torques and loads balance. None if none of these exists.
        """
        if not self.drive.wheels:
            return None
        return self.balance_speed if self.given_speed is None else self.given_speed

    @cached_property
    def starting_pace(self) -> float:
        """Expected speed if no nominal speed is known: the speed after one revolution of the driver from rest. [rad/s]

        It is computed with the largest driving and resisting torques (``balance.pace_from_rest``).
        """
        ratios = (shaft.ratio for shaft in self.shafts)
        return pace_from_rest(list(zip(self.drive.wheels, ratios, strict=True)))

    @cached_property
    def highest_speed(self) -> float:
        """Largest expected magnitude of the speed of the driver in its run. [rad/s]

        It is the prescribed or initial speed, or else the speed at which torques and loads balance, or
        ``starting_pace`` if they do not balance. It is at most the speed that the torques can reach from rest by the
        end of the run.
        """
        if not self.drive.wheels:
            return 0.0
        if self.given_speed is not None:
            return self.given_speed
        return reached_speed(self.drive, self.starting_pace, self.balance_speed)

    @cached_property
    def slow_speeds(self) -> FloatArray:
        """Default speed scale of loads that oppose the motion of every wheel, (W,). [rad/s]"""
        own = self.drive.wheels[self.driver].teeth
        return _read_only(slow_speed(self.highest_speed * own / self.teeth))

    @cached_property
    def chain_speeds(self) -> tuple[float, float]:
        """Speed of the chain before and after a run-up or run-down; otherwise the same speed twice. [m/s]

        It is the pitch times the tooth frequency of the driver. Without a prescribed motion, this is taken at the
        nominal speed (0 if there is none). It is positive in the direction in which the chain runs at its highest
        speed.
        """
        if not self.drive.wheels:
            return 0.0, 0.0
        wheel = self.drive.wheels[self.driver]
        pair = np.array([self.nominal_speed or 0.0] * 2)
        if isinstance(wheel.motion, VARYING):
            pair = self.senses[self.driver] * np.array([wheel.motion.initial_speed, wheel.motion.final_speed])
        pace = np.sign(pair) * tooth_frequency(pair, wheel.teeth) * self.drive.chain.pitch + 0.0  # never -0
        before, after = pace
        return float(before), float(after)

    def pitches_turned(self, angle: ArrayLike) -> FloatArray:
        """Return the number of pitches by which the chain advances when wheel 0 turns by an angle [rad], with the sign
        of the angle.

        It is zero for an open chain, whose links do not circulate.
        """
        if self.drive.chain.ends is not None:
            return np.zeros_like(np.asarray(angle, dtype=np.float64))
        per_turn = float(self.signs[0]) * self.drive.wheels[0].teeth
        return np.asarray(per_turn / (2.0 * np.pi) * np.asarray(angle, dtype=np.float64))

    @cached_property
    def load_periods(self) -> tuple[int, ...]:
        """Pitches of chain after which angle-dependent loads repeat (``periods.load_periods``)."""
        return tuple(load_periods(self.drive.wheels))

    @cached_property
    def periods(self) -> frozenset[int]:
        """Pitches after which each motion, load and eccentric mass, and the rotation of an oval sprocket, repeats."""
        wheels = self.drive.wheels
        turns = frozenset(wheel.teeth for wheel in wheels if wheel.pitch_line is not None)
        return frozenset(self.load_periods) | turns | motion_periods(wheels, wheels[self.driver].teeth if wheels else 0)

    @cached_property
    def oscillations(self) -> tuple[float, ...]:
        """Frequencies of the oscillations that depend on time: motions and loads of joints, forces on ends. [Hz]"""
        return tuple(oscillations(self.drive))

    @cached_property
    def common_period(self) -> int:
        """Pitches of chain after which motions, loads, eccentric masses and oscillations repeat together.

        Orders that are not whole numbers repeat after several turns. Oscillations over time are compared with the
        advance of the chain at the nominal speed. It is a revolution of the driver if nothing varies, and 0 if
        everything would take more than MOST_PERIOD revolutions of the driver to repeat.
        """
        wheel = self.drive.wheels[self.driver]
        if not (self.periods or self.oscillations):
            return wheel.teeth
        passing = float(tooth_frequency(self.nominal_speed or 0.0, wheel.teeth)) if self.oscillations else 0.0
        return common_period(math.lcm(*self.periods), self.oscillations, passing, MOST_PERIOD * wheel.teeth)

    @cached_property
    def period(self) -> int:
        """Pitches of chain after which the drive repeats: ``common_period``, or a revolution of the driver if there is
        none.

        In a drive with sheaves, which have no period of their own, it is one circulation of the chain, or the longest
        of the periods, because the revolutions of the two pairs of sheaves have no common multiple.
        """
        if not self.drive.wheels:
            return self.drive.chain.links
        if self.drive.sheaves:
            return max(self.periods, default=self.drive.chain.links)
        return self.common_period or self.drive.wheels[self.driver].teeth

    @property
    def passing(self) -> str:
        """Name of the part that passes with every pitch: a tooth of a wheel, or a pin of a chain between sheaves."""
        return "pin" if self.drive.sheaves else "tooth"

    @property
    def repeats_with_teeth(self) -> bool:
        """Whether only the teeth excite the drive: no motion or load that fluctuates, no eccentric mass."""
        return not (self.periods or self.oscillations)

    @cached_property
    def pitch_radii(self) -> FloatArray:
        """Radii of the pitch circles, (W,). [m]"""
        return _read_only(pitch_radius(self.drive.chain.pitch, self.teeth))

    @cached_property
    def wrapped_radii(self) -> FloatArray:
        """Radius of the circle on which the rollers lie on each wheel, (W,). [m]

        For a chain of nominal length this is the pitch circle. An elongated chain rides up the flanks until each link
        spans one tooth again, on a circle that is larger by the elongation. A shorter chain stays at the bottom of the
        gaps.
        """
        longer = max(self.drive.chain.mean_pitch, self.drive.chain.pitch)
        return _read_only(pitch_radius(longer, self.teeth))

    @cached_property
    def oval(self) -> OvalWheel | None:
        """The oval sprocket at the start of a run; None if there is none."""
        for w, wheel in enumerate(self.drive.wheels):
            if wheel.pitch_line is not None:
                return OvalWheel(
                    w, wheel.pitch_line.polygon(wheel.teeth, self.drive.chain.pitch), wheel.pitch_line.angle
                )
        return None

    def polygon_of(self, wheel: int) -> PitchPolygon | None:
        """Return the pitch polygon of the wheel with this number; None for a round wheel."""
        return self.oval.polygon if self.oval is not None and self.oval.wheel == wheel else None

    @cached_property
    def route(self) -> Route:
        """Route of the drive as drawn, around the pitch circles, and around an oval sprocket at its initial angle.

        Raises InputError, at every access, if there is no route.
        """
        found = self.route_at([wheel.position for wheel in self.drive.wheels])
        for part in found:
            if isinstance(part, np.ndarray):
                part.setflags(write=False)
        return found

    def route_at(self, centres: ArrayLike) -> Route:
        """Return the route with the wheels at these positions, shape (W, 2) [m]. Raises InputError if there is none."""
        found = route_around(self.drive, np.array(centres, dtype=np.float64), self.pitch_radii, self.signs)
        return found if self.oval is None else oval_route(found, self.oval)


def _read_only(array: NDArray[Any]) -> NDArray[Any]:
    array.setflags(write=False)
    return array
