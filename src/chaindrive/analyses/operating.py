"""What closed forms say about a drive at its speed and given span tensions: critical speeds, loads, losses.

Tensions are what the links carry, the centrifugal part included (Pedersen 2004, section 4.4.2, eta = 0). Those at rest
are only a first guess of them: centres that are fixed keep the length of the path, but at speed the rollers lie less
deep in their seats, and a stiff chain tightens by it (6L60MC: 4.3 kN at rest, 16 to 19 kN running).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from chaindrive.analyses import formulas
from chaindrive.geometry.route import Route, pitch_radius, route
from chaindrive.mechanism.loads import mean_torque
from chaindrive.mechanism.running import driver, running_direction, turning_signs, wheel_load
from chaindrive.model import Drive, RunUp

__all__ = [
    "OperatingPoint",
    "ToothLoads",
    "critical_speeds",
    "joint_loss",
    "load_power",
    "operating_point",
    "span_frequencies",
    "tooth_loads",
]

FloatArray = NDArray[np.float64]


class OperatingPoint(NamedTuple):
    """A drive with W wheels that runs at the speed of its driver. Span k runs from wheel k to wheel k + 1 (mod W)."""

    drive: Drive
    route: Route
    tension: FloatArray
    """What the links of each span carry, shape (W,). [N]"""
    driver: int
    """Index of the driver, the first wheel whose motion is prescribed."""
    driver_speed: float
    """Its mean (after a run-up: last) speed, without sign. [rad/s]"""
    chain_speed: float
    """[m/s]"""

    @property
    def tooth_frequency(self) -> float:
        """[Hz]"""
        return self.chain_speed / self.drive.chain.pitch

    @property
    def mass_per_length(self) -> float:
        """[kg/m]"""
        return self.drive.chain.link_mass / self.drive.chain.pitch


class ToothLoads(NamedTuple):
    """Contact forces at the ends of the wrap of one wheel."""

    rollers: int
    """Mean number of rollers on the wheel, rounded."""
    first: float
    """Where the chain arrives. [N]"""
    last: float
    """Where it leaves. [N]"""


def operating_point(drive: Drive, tension: ArrayLike) -> OperatingPoint:
    """The operating point of a drive whose spans carry these tensions, shape (W,) [N].

    Raises InputError for a route that does not exist.
    """
    teeth = np.array([wheel.teeth for wheel in drive.wheels])
    path = route(
        [wheel.position for wheel in drive.wheels], pitch_radius(drive.chain.pitch, teeth), turning_signs(drive)
    )
    first = driver(drive)
    motion = drive.wheels[first].motion
    assert motion is not None
    speed = abs(motion.running_speed if isinstance(motion, RunUp) else motion.speed)
    pace = float(formulas.chain_speed(speed, drive.wheels[first].teeth, drive.chain.pitch))
    return OperatingPoint(drive, path, np.asarray(tension, dtype=np.float64), first, speed, pace)


def span_frequencies(point: OperatingPoint, mode: int = 1, running: bool = True) -> FloatArray:
    """Transverse natural frequency of every span, shape (W,) [Hz]; nan where the span runs above its critical speed."""
    speed = point.chain_speed if running else 0.0
    return np.asarray(
        formulas.moving_string_frequency(mode, point.route.span_length, point.tension, point.mass_per_length, speed)
    )


def critical_speeds(point: OperatingPoint, orders: Sequence[float], mode: int = 1) -> FloatArray:
    """Driver speeds at which an excitation meets the natural frequency of a span, shape (1 + orders, W) [rad/s].

    Row 0 is the tooth frequency, the following rows the given orders of the driver. At the speed of order k a tension
    that varies with the order 2 k makes the span parametrically unstable too (Naguleswaran & Williams 1968).
    """
    per_turn = point.drive.wheels[point.driver].teeth * point.drive.chain.pitch
    wavenumbers = 2.0 * np.pi * np.array([1.0 / point.drive.chain.pitch, *(order / per_turn for order in orders)])
    speed = formulas.string_resonance_speed(
        point.route.span_length[None, :], point.tension[None, :], point.mass_per_length, wavenumbers[:, None], mode
    )
    return np.asarray(2.0 * np.pi * speed / per_turn)


def tooth_loads(point: OperatingPoint) -> list[ToothLoads]:
    """Loads of the first and the last tooth of every wheel by Binder's sum for two spans (Eq. 4.41, corrected).

    A span that carries less than the centrifugal tension presses on no tooth. See
    :func:`chaindrive.analyses.formulas.binder_tooth_loads` for short wraps, where the loads come out too high.
    """
    centrifugal = float(formulas.centrifugal_tension(point.mass_per_length, point.chain_speed))
    forward = running_direction(point.drive) > 0
    found = []
    for index, wheel in enumerate(point.drive.wheels):
        rollers = max(round(float(point.route.wrap[index]) * wheel.teeth / (2.0 * np.pi)), 1)
        before, after = (max(float(point.tension[span]), centrifugal) for span in (index - 1, index))
        arriving, leaving = (before, after) if forward else (after, before)
        loads = formulas.binder_tooth_loads(rollers, wheel.teeth, arriving, leaving, centrifugal)
        found.append(ToothLoads(rollers, float(loads[0]), float(loads[-1])))
    return found


def joint_loss(point: OperatingPoint, friction: float, pin_diameter: float) -> float:
    """Power lost by Coulomb friction of the joints [W].

    Every pitch advanced bends a joint by 2 pi / z where the chain arrives on a wheel and again where it leaves, under
    the tension of that span: mu r_pin (V / P) sum over the wheels of (2 pi / z) (T_before + T_after). For two wheels
    relative to T_t V this is :func:`chaindrive.analyses.formulas.joint_friction_efficiency`.
    """
    teeth = np.array([wheel.teeth for wheel in point.drive.wheels])
    bent = 2.0 * np.pi / teeth * (point.tension + np.roll(point.tension, 1))
    return float(0.5 * friction * pin_diameter * point.tooth_frequency * bent.sum())


def load_power(point: OperatingPoint) -> float:
    """Power that the loads and bearings of the freely turning wheels take [W]."""
    power = 0.0
    for wheel in point.drive.wheels:
        if wheel.motion is None:
            speed = 2.0 * np.pi * point.tooth_frequency / wheel.teeth
            load = mean_torque(wheel_load(wheel), speed)
            power += (load + wheel.bearing_friction + wheel.bearing_damping * speed) * speed
    return power
