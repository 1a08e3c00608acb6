"""The content of a reduced drive, and its errors relative to the detailed drive."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.model import Drive
from chaindrive.model.friction_map import FrictionMap
from chaindrive.studies.ripple import RipplePoint, Wave

__all__ = ["LossPoint", "Losses", "Reduced", "SpanLine", "shares"]

FloatArray = NDArray[np.float64]


class SpanLine(NamedTuple):
    """Tension of a span as a function of its elongation: stiffness x (elongation + offset), or 0 where this is
    negative.
    """

    name: str
    stiffness: float
    """[N/m]"""
    offset: float
    """[m]"""
    error: float
    check_error: float
    """Largest deviation at the points used for the fit, and at the other points, relative to the largest tension.
    [-]"""

    def tension(self, elongation: FloatArray | float) -> FloatArray:
        """Return the tension in the reduced drive. [N]"""
        return np.maximum(self.stiffness * (np.asarray(elongation) + self.offset), 0.0)


class LossPoint(NamedTuple):
    """A run at a speed of the driver and a load on the driven wheel."""

    speed: float
    """Magnitude of the speed. [rad/s]"""
    load: float
    """[N m]"""
    fitted: bool
    input: float
    loss: float
    """Power at the driver, and the part of it that is lost in the chain and its contacts. [W]"""
    chain_speed: float
    """[m/s]"""
    pulls: FloatArray
    """Sum of the mean tensions before and after every wheel, (W,). [N]"""
    reduced: float
    """Loss of the reduced drive. [W]"""

    @property
    def pull_power(self) -> float:
        """Sum of the pulls times the speed of the chain. [W]"""
        return float(self.pulls.sum()) * self.chain_speed

    @property
    def error(self) -> float:
        """Error of the loss relative to the power at the driver. [-]"""
        return (self.reduced - self.loss) / self.input


class Losses(NamedTuple):
    """Losses of a reduced drive."""

    friction: float = 0.0
    damping: float = 0.0
    """Friction and damping at the driver. [N m, N m s/rad]"""
    tension_friction: float = 0.0
    """Chain friction divided by chain tension. [-]"""
    friction_map: FrictionMap | None = None

    def power(self, at: LossPoint) -> float:
        """Return the power lost at the operating point of a run. [W]"""
        found = (self.friction + self.damping * at.speed) * at.speed + self.tension_friction * at.pull_power
        if self.friction_map is not None:
            parts = shares(self.friction_map.speeds, self.friction_map.tensions, at)
            found += float(parts @ np.ravel(self.friction_map.forces)) * at.chain_speed
        return found


class Reduced(NamedTuple):
    """A reduced drive, and its errors relative to the detailed drive."""

    drive: Drive
    """Drive in the formulation 'block'."""
    detailed: str
    """Formulation of the detailed runs."""
    spans: tuple[SpanLine, ...]
    losses: tuple[LossPoint, ...]
    slack: float
    """Length of the chain minus the length of its route; negative if the chain is pretensioned. [m]"""
    friction: float
    damping: float
    """Losses modelled as friction and damping of the driver's bearing. [N m, N m s/rad]"""
    tension_friction: float
    """Losses modelled as chain friction, divided by chain tension. [-]"""
    friction_map: FrictionMap | None
    """Losses modelled by a friction map, instead of the other three values."""
    largest_load: float
    largest_speed: float
    """Largest load and speed of the detailed runs. [N m, rad/s]"""
    waves: tuple[Wave, ...] = ()
    """Ripple of the spans, if requested."""
    ripples: tuple[RipplePoint, ...] = ()
    """Tensions with ripple in every run."""

    def __repr__(self) -> str:
        load, speed = f"{self.largest_load:.4g} N m", f"{self.largest_speed:.4g} rad/s"
        return f"<Reduced {self.drive.name}: {len(self.spans)} spans, from {self.detailed!r}, up to {load} and {speed}>"

    def table(self) -> str:
        """Return the values and errors as a text of several lines."""
        lines = [
            f"Reduced from the formulation {self.detailed!r}, at rest with loads up to {self.largest_load:.4g} N m, "
            f"and running at up to {self.largest_speed:.4g} rad/s.",
            "span                             stiffness [N/m]   error of the fit   at other loads",
        ]
        lines += [
            f"{line.name[:30]:30s}   {line.stiffness:15.6g}   {line.error:16.2%}   {line.check_error:14.2%}"
            for line in self.spans
        ]
        lines += [
            f"slack {1e3 * self.slack:.4g} mm; losses: {self._losses_text()}",
            "speed [rad/s]   load [N m]   input [W]    loss [W]   reduced [W]      error / input",
        ]
        lines += [
            f"{each.speed:13.4g}   {each.load:10.4g}   {each.input:9.4g}   {each.loss:9.4g}   {each.reduced:11.4g}   "
            f"{each.error:18.2%}{'' if each.fitted else '   not used for the fit'}"
            for each in self.losses
        ]
        return "\n".join([*lines, *self._ripple_lines()])

    def _ripple_lines(self) -> Iterator[str]:
        """Yield lines with the waves, compared with polygonal action, and with the tensions that result from them."""
        if not self.waves:
            return
        yield "ripple of the span               with the angle of   order   amplitude [um]   polygonal action [um]"
        for wave in self.waves:
            wheel = self.drive.wheels[wave.wheel]
            yield (
                f"{self.spans[wave.span].name[:30]:30s}   {wheel.name[:17]:17s}   {wave.harmonic * wheel.teeth:5d}   "
                f"{1e6 * wave.amplitude:14.4g}   {1e6 * wave.polygon:21.4g}"
            )
        yield "speed [rad/s]   load [N m]   tension [N]   at the tooth frequency [N]   reduced [N]   error"
        for each in self.ripples:
            yield (
                f"{each.speed:13.4g}   {each.load:10.4g}   {each.tension:11.4g}   {abs(each.detailed):26.4g}   "
                f"{abs(each.reduced):11.4g}   {each.error:5.2%}   {self.spans[each.span].name}"
                f"{'' if each.fitted else ', not used for the fit'}"
            )

    def _losses_text(self) -> str:
        given = self.friction_map
        if given is None:
            return (
                f"{self.friction:.4g} N m and {self.damping:.4g} N m s/rad at the driver, and "
                f"{self.tension_friction:.4g} times the tensions before and after every wheel"
            )
        low, high = (of(map(of, given.forces)) for of in (min, max))
        return (
            f"{low:.4g} to {high:.4g} N against the chain at every wheel, from a map for {given.speeds[0]:.4g} to "
            f"{given.speeds[-1]:.4g} m/s and {given.tensions[0]:.4g} to {given.tensions[-1]:.4g} N"
        )

    def to_toml(self) -> str:
        """Return the reduced drive as the text of a file, with the table as comments."""
        comments = "\n".join(f"# {line}".rstrip() for line in self.table().splitlines())
        return f"{comments}\n\n{self.drive.to_toml()}"


def shares(speeds: Sequence[float], tensions: Any, at: LossPoint) -> FloatArray:
    """Return the weights of the points of a map in the force that opposes the chain in a run, summed over the wheels,
    (n m,). [-]
    """
    over_speed = np.array([np.interp(at.chain_speed, speeds, unit) for unit in np.eye(len(speeds))])
    over_tension = np.array([np.interp(at.pulls, tensions, unit).sum() for unit in np.eye(len(tensions))])
    return np.asarray(np.outer(over_speed, over_tension).ravel())
