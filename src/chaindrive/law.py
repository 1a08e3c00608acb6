"""User-defined laws: decorators for Python functions that a drive uses instead of a law of the package.

    import chaindrive as cd

    @cd.law.tensioner(lengths=("80 mm", "120 mm"), rates=("-1 m/s", "1 m/s"))
    def piston(length, rate):
        return 4e3 * (0.12 - length) - 300.0 * rate

    drive = drive.replace("tensioners.piston.law", piston)

A law receives and returns plain numbers in SI units. It is compiled like the kernels of the package. It may use
``math``, arrays and numbers of its module, which are read once, ``interpolate``, ``interpolate_map`` and functions
decorated with ``kernel``, but it must not allocate memory. It must depend only on its arguments, because a run
evaluates it several times in a step.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from chaindrive.errors import InputError, Problem
from chaindrive.kernels import kernel
from chaindrive.kernels.interpolation import interpolate, interpolate_map
from chaindrive.model.contact import CONTACT_LAW, FRICTION_LAW, elastic_values
from chaindrive.model.own_law import Law, gives_energy, points_between
from chaindrive.model.tensioner import TENSIONER_LAW
from chaindrive.model.torques.own import LOAD_LAW, TORQUE_LAW
from chaindrive.units import to_si

__all__ = ["contact", "friction", "interpolate", "interpolate_map", "kernel", "load", "tensioner", "torque"]

Function = Callable[..., float]
Range = Sequence[float | str]


def tensioner(*, lengths: Range, rates: Range, actuator: bool = False) -> Callable[[Function], Law]:
    """Decorate a function (length [m], rate [m/s]) that returns the force of a tensioner [N], positive where it pushes.

    It acts in parallel with the spring, the damper and the stops of the tensioner whose ``law`` it is; rates are
    positive during extension. lengths, rates: ranges (from, to) of its arguments; the range of the rates must include
    0. The values in these ranges are checked, and the steepest slopes limit the step sizes of the methods. In the
    energy balance, all of its work counts as work of the tensioner. actuator: whether the law may supply energy;
    otherwise its rate-dependent part must oppose the rate.

    Raises InputError if the function is not suitable, because it has wrong arguments, returns a value that is not
    finite, supplies energy, or allocates memory.
    """
    axes = [_points("lengths", lengths, "m"), _points("rates", rates, "m/s", with_zero=True)]

    def decorate(function: Function) -> Law:
        law = Law.of(TENSIONER_LAW, function, axes)
        if not actuator and (where := gives_energy(law, 1)) is not None:
            message = (
                f"supplies energy at {where}, where its force acts in the direction of the rate; an actuator needs "
                "actuator=True"
            )
            raise InputError(Problem(f"law {law.name}", message))
        return law

    return decorate


def torque(*, speeds: Range, until: float | str = "1 s") -> Callable[[Function], Law]:
    """Decorate a function (time [s], angle [rad], speed [rad/s]) that returns a torque on a wheel [N m].

    Torque and speed are positive counter-clockwise; the angle is that through which the wheel has turned since the
    start, in the direction of rotation. A wheel or rotor uses the law as ``torque = {"kind": "law", "law": ...}``.
    speeds: range (from, to) of the speed; until: end of the time range, from 0, in which the values are checked. The
    steepest slope with speed limits the step sizes of the methods. The power of the torque is included in the energy
    balance like that of any other torque.

    Raises InputError like ``tensioner``.
    """
    return functools.partial(Law.of, TORQUE_LAW, axes=_torque_axes(speeds, until))


def load(*, speeds: Range, until: float | str = "1 s") -> Callable[[Function], Law]:
    """Decorate a function (time [s], angle [rad], speed [rad/s]) that returns an opposing torque [N m], at least 0.

    One of the ``loads`` of a wheel or rotor uses it as ``{"torque": {"kind": "law", "law": ...}}``, and the description
    of the load determines what it opposes. If it opposes the motion, the speed is a magnitude. speeds, until: as for
    ``torque``.

    Raises InputError like ``tensioner``, and for a value below 0 at a speed of at least 0.
    """
    axes = _torque_axes(speeds, until)

    def decorate(function: Function) -> Law:
        law = Law.of(LOAD_LAW, function, axes)
        if not law.values[..., axes[2] >= 0.0].min(initial=0.0) >= 0.0:
            message = "is below 0 at a speed of at least 0, where a load must oppose the motion: use a torque to drive"
            raise InputError(Problem(f"law {law.name}", message))
        return law

    return decorate


def friction(*, speeds: Range, forces: Range) -> Callable[[Function], Law]:
    """Decorate a function (speed [m/s], force [N]) that returns a coefficient of friction [-], at least 0.

    A contact uses it as its ``coefficient_law``. The speed is the magnitude of the sliding speed, so that friction
    opposes sliding for any law, and the force is the normal force of one roller. With elastic friction, a contact
    sticks up to the coefficient times the force, and slides at this limit. Smoothed friction is this product times the
    smoothed sign of the speed. speeds, forces: ranges (from, to) of the arguments, starting at 0 or above. The steepest
    rise with speed limits the step sizes of the methods. Outside the ranges a value below 0 is treated as 0.

    Raises InputError like ``tensioner``, and for a value below 0.
    """
    axes = [_points("speeds", speeds, "m/s", least=0.0), _points("forces", forces, "N", least=0.0)]

    def decorate(function: Function) -> Law:
        law = Law.of(FRICTION_LAW, function, axes)
        if not law.values.min() >= 0.0:
            message = "is below 0, so that friction would drive: a coefficient must be at least 0"
            raise InputError(Problem(f"law {law.name}", message))
        return law

    return decorate


def contact(*, depths: Range, rates: Range, impact_speeds: Range = ("5 cm/s", "5 m/s")) -> Callable[[Function], Law]:
    """Decorate a function (depth [m], rate [m/s], impact_speed [m/s]) that returns a normal force [N].

    A contact uses it as its ``law``. The depth is the penetration of one roller, the rate is the time derivative of the
    depth, positive on approach, and the impact speed is the rate at which the contact began. The force is that of all
    strands. At zero rate it is the elastic force: it depends only on the depth, with which it rises from 0, and its
    integral is the stored energy. Energy is lost through the difference between the force at any other rate and the
    elastic force, so this difference must oppose the rate. The function is evaluated only at depths above 0. A force
    below 0 is treated as 0, because a contact does not pull. depths: range (from, to), from 0; rates: a range that
    includes 0; impact_speeds: a range above 0. Rates may be larger than the impact speed if other forces press on the
    roller: a law that divides one by the other must limit the ratio.

    Raises InputError like ``tensioner``, and for an elastic force that does not rise from 0 or depends on the impact
    speed.
    """
    deep = _points("depths", depths, "m", least=0.0)
    if deep[0] != 0.0 or deep[-1] > DEEPEST:
        message = f"must begin at 0 and end at {1e3 * DEEPEST:g} mm or less: rollers are not pressed deeper into steel"
        raise InputError(Problem("depths", message, repr(depths)))
    deep[0] = FIRST_DEPTH * deep[-1]
    speeds = _points("impact_speeds", impact_speeds, "m/s", least=0.0)
    if speeds[0] == 0.0:
        raise InputError(Problem("impact_speeds", "must begin above 0", repr(impact_speeds)))
    axes = [deep, _points("rates", rates, "m/s", with_zero=True), speeds]

    def decorate(function: Function) -> Law:
        law = Law.of(CONTACT_LAW, function, axes)
        if problems := [Problem(f"law {law.name}", text) for text in _not_a_contact(law)]:
            raise InputError(problems)
        return law

    return decorate


DEEPEST = 0.1
"""Largest penetration allowed in the range of a contact law. [m]"""
FIRST_DEPTH = 1e-4
"""First depth at which a contact law is checked, relative to its largest depth. The force at this depth may be at most
``TOUCHING`` times the largest force. [-]
"""
TOUCHING = 0.02
LIGHTEST = 1.0
"""Smallest plausible force of a contact law at its largest depth; a smaller force is not in newtons, or its depths are
not in metres. [N]
"""


def _not_a_contact(law: Law) -> Iterator[str]:
    """Yield the reasons why a function is not suitable as a contact law."""
    depths, elastic = law.axes[0], elastic_values(law)
    largest = float(np.abs(elastic).max())
    still = law.values[:, law.axes[1] == 0.0, :][:, 0, :]
    spread = np.ptp(still, axis=1)
    if spread.max() > 1e-9 * largest:
        at = f"rate = 0 and depth = {depths[int(spread.argmax())]:g}"
        yield f"depends on the impact speed at {at}: the stored energy must depend only on the depth"
    if not abs(elastic[0]) <= TOUCHING * largest:
        yield f"is {elastic[0]:g} N at first contact (depth = {depths[0]:g}, rate = 0): it must rise from 0"
    if not elastic.min() > 0.0:
        at = depths[int(elastic.argmin())]
        yield f"does not push at depth = {at:g}, rate = 0: the force is {elastic.min():g} N and must be above 0"
    rises = np.diff(elastic)
    if rises.min() < 0.0:
        k = int(rises.argmin())
        yield (
            f"falls from {elastic[k]:g} to {elastic[k + 1]:g} N between depth = {depths[k]:g} and {depths[k + 1]:g}, "
            "rate = 0: the force must increase with the depth"
        )
    if not elastic[-1] >= LIGHTEST:
        yield f"is {elastic[-1]:g} N at depth = {depths[-1]:g}, rate = 0: check that depths are in m and forces in N"
    if (where := gives_energy(law, 1, along=-1.0)) is not None:
        yield (
            f"supplies energy at {where}: the force must be larger than at rate = 0 on approach and smaller on rebound"
        )


def _torque_axes(speeds: Range, until: float | str) -> list[Any]:
    angles = points_between(0.0, 2.0 * math.pi)
    return [_points("until", (0.0, until), "s"), angles, _points("speeds", speeds, "rad/s")]


def _points(name: str, given: Range, unit: str, with_zero: bool = False, least: float = -math.inf) -> Any:
    ends = tuple(given) if isinstance(given, Iterable) and not isinstance(given, str) else ()
    if len(ends) != 2:
        raise InputError(Problem(name, f"must be a range (from, to) in {unit}, or with units", repr(given)))
    try:
        low, high = (to_si(end, unit) for end in ends)
        if low < least:
            raise ValueError(f"must begin at {least:g} or above, not at {low:g}")
        return points_between(low, high, with_zero)
    except ValueError as error:
        raise InputError(Problem(name, str(error), repr(given))) from None
