"""Laws of one's own: decorators of Python functions that a drive takes in the place of a law of the package.

    import chaindrive as cd

    @cd.law.tensioner(lengths=("80 mm", "120 mm"), rates=("-1 m/s", "1 m/s"))
    def piston(length, rate):
        return 4e3 * (0.12 - length) - 300.0 * rate

    drive = drive.replace("tensioners.piston.law", piston)

A law gets and returns plain numbers in SI units. It is compiled like the kernels of the package: it may use ``math``,
arrays and numbers of its module, which are read once, ``interpolate``, ``interpolate_map`` and functions decorated with
``kernel``; it allocates nothing. It depends on its arguments alone: a run evaluates it several times in a step.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any

from chaindrive.errors import InputError, Problem
from chaindrive.kernels import kernel
from chaindrive.kernels.interpolation import interpolate, interpolate_map
from chaindrive.model.own_law import Law, gives_energy, points_between
from chaindrive.model.tensioner import TENSIONER_LAW
from chaindrive.model.torques.own import LOAD_LAW, TORQUE_LAW
from chaindrive.model.wheel import FRICTION_LAW
from chaindrive.units import to_si

__all__ = ["friction", "interpolate", "interpolate_map", "kernel", "load", "tensioner", "torque"]

Function = Callable[..., float]
Range = Sequence[float | str]


def tensioner(*, lengths: Range, rates: Range, actuator: bool = False) -> Callable[[Function], Law]:
    """Decorate a function (length [m], rate [m/s]) that returns the force of a tensioner [N], positive where it pushes.

    It acts in parallel with the spring, the damper and the stops of the tensioner that takes it as its ``law``; rates
    are positive as it extends. lengths, rates: ranges (from, to) in which it will be, rates with 0; its values there
    are checked, and its steepest slopes there limit the steps of the methods. All of its work is in the energy balance
    as that of the tensioner. actuator: it may give energy; otherwise its part that depends on the rate must oppose it.

    Raises InputError if the function does not fit: its arguments, a value that is not finite, a force that gives
    energy, memory that it allocates.
    """
    axes = [_points("lengths", lengths, "m"), _points("rates", rates, "m/s", with_zero=True)]

    def decorate(function: Function) -> Law:
        law = Law.of(TENSIONER_LAW, function, axes)
        if not actuator and (where := gives_energy(law, 1)) is not None:
            message = f"gives energy at {where}: its force acts with the rate there; is it an actuator (actuator=True)?"
            raise InputError(Problem(f"law {law.name}", message))
        return law

    return decorate


def torque(*, speeds: Range, until: float | str = "1 s") -> Callable[[Function], Law]:
    """Decorate a function (time [s], angle [rad], speed [rad/s]) that returns a torque on a wheel [N m].

    Torque and speed are positive counter-clockwise; the angle is the one turned in the direction of rotation since the
    start. A wheel or rotor takes it as ``torque = {"kind": "law", "law": ...}``. speeds: range (from, to) in which it
    will be, until: times from 0 at which its values are checked; its steepest slope over the speed limits the steps of
    the methods. Its power is in the energy balance as that of any torque.

    Raises InputError as ``tensioner``.
    """
    return functools.partial(Law.of, TORQUE_LAW, axes=_torque_axes(speeds, until))


def load(*, speeds: Range, until: float | str = "1 s") -> Callable[[Function], Law]:
    """Decorate a function (time [s], angle [rad], speed [rad/s]) that returns a torque that opposes [N m], at least 0.

    One of the ``loads`` of a wheel or rotor takes it as ``{"torque": {"kind": "law", "law": ...}}``, which says what it
    opposes; against the motion the speed is without sign. speeds, until: as of ``torque``.

    Raises InputError as ``tensioner``, and for a value below 0 at a speed of at least 0.
    """
    axes = _torque_axes(speeds, until)

    def decorate(function: Function) -> Law:
        law = Law.of(LOAD_LAW, function, axes)
        if not law.values[..., axes[2] >= 0.0].min(initial=0.0) >= 0.0:
            message = "is below 0 at a speed of at least 0, where a load opposes: what drives is a torque"
            raise InputError(Problem(f"law {law.name}", message))
        return law

    return decorate


def friction(*, speeds: Range, forces: Range) -> Callable[[Function], Law]:
    """Decorate a function (speed [m/s], force [N]) that returns a coefficient of friction [-], at least 0.

    A contact takes it as its ``coefficient_law``. The speed is that of sliding, without sign, the force the normal
    force of one roller, so that friction opposes sliding, whatever the law is. Elastic friction holds up to the
    coefficient times the force and slides at it; smoothed friction is their product with the smooth sign of the speed.
    speeds, forces: ranges (from, to) from at least 0 in which they will be; the steepest rise over the speed limits the
    steps of the methods. Outside of the ranges a value below 0 counts as 0.

    Raises InputError as ``tensioner``, and for a value below 0.
    """
    axes = [_points("speeds", speeds, "m/s", least=0.0), _points("forces", forces, "N", least=0.0)]

    def decorate(function: Function) -> Law:
        law = Law.of(FRICTION_LAW, function, axes)
        if not law.values.min() >= 0.0:
            message = "is below 0, where friction would drive: a coefficient is at least 0"
            raise InputError(Problem(f"law {law.name}", message))
        return law

    return decorate


def _torque_axes(speeds: Range, until: float | str) -> list[Any]:
    angles = points_between(0.0, 2.0 * math.pi)
    return [_points("until", (0.0, until), "s"), angles, _points("speeds", speeds, "rad/s")]


def _points(name: str, given: Range, unit: str, with_zero: bool = False, least: float = -math.inf) -> Any:
    try:
        low, high = (to_si(each, unit) for each in given)
        if low < least:
            raise ValueError(f"must begin at {least:g} or above, not at {low:g}")
        return points_between(low, high, with_zero)
    except (TypeError, ValueError) as error:
        raise InputError(Problem(name, str(error), repr(given))) from None
