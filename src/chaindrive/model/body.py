"""Bodies that support wheels, guides and tensioners, joined to the ground or to each other by joints.

All positions are those of the reference configuration: global coordinates, with every joint at coordinate zero.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Annotated, ClassVar, Literal

from pydantic import Field, ValidationInfo, field_validator

from chaindrive.model.base import Model, Name, Quantity, Vector
from chaindrive.model.course import Duration
from chaindrive.model.load_over_time import JointForceLoad, TorqueLoad
from chaindrive.model.points import MOST_POINTS, as_many, increasing
from chaindrive.model.tabulated import TIMES, Tabulated, Times
from chaindrive.numbers import quantity

__all__ = [
    "GROUND",
    "Body",
    "FixedJoint",
    "InputMotion",
    "Joint",
    "PrismaticHarmonic",
    "PrismaticJoint",
    "PrismaticMotion",
    "PrismaticMove",
    "PrismaticTable",
    "RevoluteHarmonic",
    "RevoluteJoint",
    "RevoluteMotion",
    "RevoluteMove",
    "RevoluteTable",
    "coordinate_text",
    "motion_text",
    "moving_bodies",
    "parents_first",
]

GROUND = "ground"
"""Name of the fixed frame; no body may have this name."""

Position = Annotated[tuple[float, float], Vector("m", most=1e3)]
Angle = Annotated[float, Quantity("rad", least=-1e3, most=1e3)]
Shift = Annotated[float, Quantity("m", least=-1e3, most=1e3)]
Frequency = Annotated[float, Quantity("Hz", above=0, most=1e5)]
Phase = Annotated[float, Quantity("rad", least=-1e3, most=1e3)]
PositiveTime = Annotated[float, Quantity("s", above=0, most=1e6)]

CLOSEST_TIMES = 1e-9
"""Smallest time between two points of a table of coordinates. [s]"""
FASTEST = 1e5
"""Largest mean speed between two points of a table of coordinates. [rad/s, m/s]"""
_FADE_IN = "Time over which the oscillation grows smoothly from zero; default: one period."


# Prescribed motions of joints -----------------------------------------------------------------------------------------


class RevoluteMove(Model):
    """The joint turns by an angle, from rest to rest, along a polynomial of degree five."""

    kind: Literal["move"] = "move"
    by: Angle = Field(description="Angle by which the joint turns, positive counter-clockwise, such as '2 deg'.")
    start: Duration = Field(0.0, description="Time at which the move begins.")
    duration: PositiveTime = Field(description="Duration of the move.")


class PrismaticMove(Model):
    """The joint shifts by a length, from rest to rest, along a polynomial of degree five."""

    kind: Literal["move"] = "move"
    by: Shift = Field(description="Length by which the joint shifts along its direction, such as '5 mm'.")
    start: Duration = Field(0.0, description="Time at which the move begins.")
    duration: PositiveTime = Field(description="Duration of the move.")


class RevoluteHarmonic(Model):
    """The joint swings: angle = amplitude x sin(2 pi x frequency x (t - start) + phase), smoothly faded in."""

    kind: Literal["harmonic"] = "harmonic"
    amplitude: Annotated[float, Quantity("rad", least=0, most=1e3)] = Field(description="Amplitude of the angle.")
    frequency: Frequency = Field(description="Frequency, such as '7.5 Hz'.")
    phase: Phase = Field(0.0, description="Phase.")
    start: Duration = Field(0.0, description="Time at which the oscillation begins.")
    fade_in: PositiveTime | None = Field(None, description=_FADE_IN)


class PrismaticHarmonic(Model):
    """The joint oscillates: shift = amplitude x sin(2 pi x frequency x (t - start) + phase), smoothly faded in."""

    kind: Literal["harmonic"] = "harmonic"
    amplitude: Annotated[float, Quantity("m", least=0, most=1e3)] = Field(description="Amplitude of the shift.")
    frequency: Frequency = Field(description="Frequency, such as '7.5 Hz'.")
    phase: Phase = Field(0.0, description="Phase.")
    start: Duration = Field(0.0, description="Time at which the oscillation begins.")
    fade_in: PositiveTime | None = Field(None, description=_FADE_IN)


class InputMotion(Model):
    """The coordinate of the joint is set between steps, by a coupled machine or by a program that uses an FMU.

    Until it is set for the first time, the joint rests at 0, in the reference configuration.
    """

    kind: Literal["input"] = "input"


def _not_at_once(values: tuple[float, ...], times: tuple[float, ...]) -> None:
    """Raise ValueError if a table of coordinates has points too close to each other, or jumps."""
    for index, ((start, end), (before, after)) in enumerate(zip(pairwise(times), pairwise(values), strict=True)):
        if end - start < CLOSEST_TIMES or abs(after - before) > FASTEST * (end - start):
            raise ValueError(
                f"changes by {after - before:g} within {end - start:g} s, from times[{index}] to times[{index + 1}]: "
                f"points must be at least {CLOSEST_TIMES:g} s apart, and the mean speed at most {FASTEST:g} per second"
            )


class _CoordinateTable(Tabulated):
    """A coordinate tabulated over time, at rest before the first and after the last point. Values from a file are
    taken relative to its first value.
    """

    from_the_first: ClassVar[bool] = True
    kind: Literal["table"] = "table"
    times: Times = Field(description=TIMES)
    interpolation: Literal["monotone", "smooth"] = Field(
        "monotone",
        description="'monotone': between two points the joint never moves beyond either of them, and between equal "
        "points it rests; for motions with few points. 'smooth': a spline, for measured or computed curves with many "
        "points.",
    )

    _times_increase = field_validator("times")(increasing)

    @field_validator("angles", "positions", check_fields=False)
    @classmethod
    def _from_the_drawing(cls, values: tuple[float, ...], info: ValidationInfo) -> tuple[float, ...]:
        as_many(values, info, "times")
        if values[0] != 0.0:
            raise ValueError(
                f"must start at 0, the coordinate of the reference configuration, not at {values[0]:g}: subtract this "
                "value from all coordinates, or draw the body where the table starts"
            )
        if "times" in info.data:  # wrong times are reported on their own
            _not_at_once(values, info.data["times"])
        return values

    @property
    def coordinates(self) -> tuple[float, ...]:
        """The coordinate at each time. [rad or m]"""
        return tuple(getattr(self, self.ordinates[0]))


class RevoluteTable(_CoordinateTable):
    """The joint turns as tabulated over time; speed and acceleration are continuous.

    It rests before the first and after the last point. Polynomials of degree five between the points.
    """

    ordinates: ClassVar[tuple[str, ...]] = ("angles",)
    angles: Annotated[tuple[Angle, ...], Field(min_length=2, max_length=MOST_POINTS)] = Field(
        description="Angle at each time, positive counter-clockwise, starting at 0, such as "
        "['0 deg', '2 deg', '0 deg']."
    )


class PrismaticTable(_CoordinateTable):
    """The joint shifts as tabulated over time; speed and acceleration are continuous.

    It rests before the first and after the last point. Polynomials of degree five between the points.
    """

    ordinates: ClassVar[tuple[str, ...]] = ("positions",)
    positions: Annotated[tuple[Shift, ...], Field(min_length=2, max_length=MOST_POINTS)] = Field(
        description="Shift along the direction at each time, starting at 0, such as "
        "['0 mm', '400 mm', '400 mm', '0 mm']."
    )


RevoluteMotion = Annotated[RevoluteMove | RevoluteHarmonic | RevoluteTable | InputMotion, Field(discriminator="kind")]
PrismaticMotion = Annotated[
    PrismaticMove | PrismaticHarmonic | PrismaticTable | InputMotion, Field(discriminator="kind")
]


# Joints ---------------------------------------------------------------------------------------------------------------


class _MovingJoint(Model):
    """Common checks of the end stops of revolute and prismatic joints."""

    @field_validator("lower", "upper", check_fields=False)
    @classmethod
    def _lets_the_drawing_be(cls, stop: float | None, info: ValidationInfo) -> float | None:
        if stop is None:
            return stop
        lower = info.data.get("lower")
        if info.field_name == "upper" and lower is not None and stop <= lower:
            raise ValueError(f"must be above lower = {lower:g}")
        if (stop > 0.0) if info.field_name == "lower" else (stop < 0.0):
            bound = "at most" if info.field_name == "lower" else "at least"
            raise ValueError(
                f"must be {bound} 0, the coordinate of the reference configuration: otherwise the joint starts beyond "
                "this end stop"
            )
        return stop

    @field_validator("stop_stiffness", check_fields=False)
    @classmethod
    def _stops_are_elastic(cls, stiffness: float | None, info: ValidationInfo) -> float | None:
        if stiffness is None and any(info.data.get(name) is not None for name in ("lower", "upper")):
            raise ValueError("is needed for the end stops lower and upper")
        return stiffness


class FixedJoint(Model):
    """The body is rigidly attached to its parent."""

    kind: Literal["fixed"] = "fixed"


class RevoluteJoint(_MovingJoint):
    """The body turns about a point of its parent. The coordinate is the angle turned from the reference configuration.

    The moment in the positive direction is load - stiffness x (angle - neutral) - damping x rate - friction, plus that
    of the end stops. With friction, the joint sticks, or slides at the full value of friction. If friction_rate is
    given, the moment of friction is friction x tanh(rate / friction_rate).
    """

    kind: Literal["revolute"] = "revolute"
    position: Position = Field(description="Point [x, y] about which the body turns.")
    stiffness: Annotated[float, Quantity("N*m/rad", least=0, most=1e15)] = Field(
        0.0, description="Stiffness of a torsion spring in the joint."
    )
    damping: Annotated[float, Quantity("N*m*s/rad", least=0, most=1e12)] = Field(
        0.0, description="Viscous damping of the joint."
    )
    friction: Annotated[float, Quantity("N*m", least=0, most=1e12)] = Field(
        0.0, description="Coulomb friction of the joint, such as that of a derailleur clutch."
    )
    friction_rate: Annotated[float, Quantity("rad/s", above=0, most=1e6)] | None = Field(
        None,
        description="Rate at which smoothed friction has 76 % of its full value; at lower rates the joint creeps. "
        "Default: friction is elastic, so that the joint sticks; with friction_law = 'smoothed', 0.1 rad/s.",
    )
    neutral: Angle = Field(0.0, description="Angle at which the torsion spring is unloaded.")
    load: TorqueLoad = Field(
        0.0,
        description="Torque on the body, positive counter-clockwise: a number, a table over time, { kind = 'harmonic' "
        "}, { kind = 'input' }, or a list of these, which add up.",
    )
    lower: Angle | None = Field(None, description="Angle of the lower end stop; omit it if there is none.")
    upper: Angle | None = Field(None, description="Angle of the upper end stop; omit it if there is none.")
    stop_stiffness: Annotated[float, Quantity("N*m/rad", above=0, most=1e15)] | None = Field(
        None, validate_default=True, description="Stiffness of the end stops."
    )
    stop_damping: Annotated[float, Quantity("N*m*s/rad", least=0, most=1e12)] = Field(
        0.0, description="Viscous damping of the end stops, which never pull."
    )
    motion: RevoluteMotion | None = Field(None, description="Prescribed motion; omit it if the joint moves freely.")


class PrismaticJoint(_MovingJoint):
    """The body shifts along a direction of its parent. The coordinate is the shift from the reference configuration.

    The force along the direction is load - stiffness x (shift - neutral) - damping x rate - friction, plus that of the
    end stops. With friction, the joint sticks, or slides at the full value of friction. If friction_speed is given, the
    force of friction is friction x tanh(speed / friction_speed).
    """

    kind: Literal["prismatic"] = "prismatic"
    direction: Angle = Field(description="Direction of a positive shift, counter-clockwise from the x axis.")
    position: Position = Field(
        (0.0, 0.0), description="Point [x, y] of the slide about which the moment in the joint is reported."
    )
    stiffness: Annotated[float, Quantity("N/m", least=0, most=1e15)] = Field(
        0.0, description="Stiffness of a spring in the joint."
    )
    damping: Annotated[float, Quantity("N*s/m", least=0, most=1e12)] = Field(
        0.0, description="Viscous damping of the joint."
    )
    friction: Annotated[float, Quantity("N", least=0, most=1e12)] = Field(
        0.0, description="Coulomb friction of the joint."
    )
    friction_speed: Annotated[float, Quantity("m/s", above=0, most=1e6)] | None = Field(
        None,
        description="Speed at which smoothed friction has 76 % of its full value; at lower speeds the joint creeps. "
        "Default: friction is elastic, so that the joint sticks; with friction_law = 'smoothed', 0.005 m/s.",
    )
    neutral: Shift = Field(0.0, description="Shift at which the spring is unloaded.")
    load: JointForceLoad = Field(
        0.0,
        description="Force on the body along the direction: a number, a table over time, { kind = 'harmonic' }, "
        "{ kind = 'input' }, or a list of these, which add up.",
    )
    lower: Shift | None = Field(None, description="Displacement at the lower end stop; omit it if there is none.")
    upper: Shift | None = Field(None, description="Displacement at the upper end stop; omit it if there is none.")
    stop_stiffness: Annotated[float, Quantity("N/m", above=0, most=1e15)] | None = Field(
        None, validate_default=True, description="Stiffness of the end stops."
    )
    stop_damping: Annotated[float, Quantity("N*s/m", least=0, most=1e12)] = Field(
        0.0, description="Viscous damping of the end stops, which never pull."
    )
    motion: PrismaticMotion | None = Field(None, description="Prescribed motion; omit it if the joint moves freely.")


Joint = Annotated[FixedJoint | RevoluteJoint | PrismaticJoint, Field(discriminator="kind")]


# Bodies ---------------------------------------------------------------------------------------------------------------


class Body(Model):
    """A rigid body, such as the weight arm of a tensioner. It supports wheels and guides, and tensioners act on it."""

    name: Name = Field(description="Name of the body, unique in the drive; 'ground' is reserved for the fixed frame.")
    parent: Name = Field(GROUND, description="Name of the body to which the joint connects this body, or 'ground'.")
    mass: Annotated[float, Quantity("kg", least=0, most=1e7)] = Field(
        0.0, description="Mass of the body, without the bodies that it carries."
    )
    inertia: Annotated[float, Quantity("kg*m^2", least=0, most=1e9)] = Field(
        0.0, description="Moment of inertia about the centre of mass."
    )
    centre_of_mass: Position | None = Field(
        None, description="Centre of mass [x, y]; default: the position of the joint."
    )
    joint: Joint = Field(description="Joint of the body, such as { kind = 'revolute', position = ['0 m', '1 m'] }.")

    @field_validator("name")
    @classmethod
    def _is_not_the_ground(cls, name: str) -> str:
        if name == GROUND:
            raise ValueError("must be a different name: 'ground' is reserved for the fixed frame")
        return name


def coordinate_text(joint: RevoluteJoint | PrismaticJoint, value: float) -> str:
    """Return a coordinate of a joint as text with its unit, an angle in degrees or a length."""
    return f"{math.degrees(value):.4g}°" if joint.kind == "revolute" else quantity(value, "m")


def motion_text(joint: RevoluteJoint | PrismaticJoint) -> str:
    """Return a description of the prescribed motion of a joint; empty if it moves freely."""
    motion = joint.motion
    if motion is None:
        return ""
    if motion.kind == "input":
        return "moved by an external input"
    if motion.kind == "move":
        return f"moved by {coordinate_text(joint, motion.by)} in {quantity(motion.duration, 's')}"
    if motion.kind == "table":
        low, high = (coordinate_text(joint, each(motion.coordinates)) for each in (min, max))
        when = f"from {quantity(motion.times[0], 's')} to {quantity(motion.times[-1], 's')}"
        return f"moved by a table between {low} and {high}, {when}"
    return f"moved by ±{coordinate_text(joint, motion.amplitude)} at {quantity(motion.frequency, 'Hz')}"


def parents_first(bodies: Sequence[Body]) -> tuple[Body, ...]:
    """Return the bodies with every parent before its children, otherwise in the given order.

    Bodies in a cycle, or with a missing parent, come last.
    """
    placed: list[Body] = []
    known = {GROUND}
    waiting = list(bodies)
    while waiting:
        ready = next((body for body in waiting if body.parent in known), None)
        if ready is None:
            break
        waiting.remove(ready)
        placed.append(ready)
        known.add(ready.name)
    return (*placed, *waiting)


def moving_bodies(bodies: Iterable[Body]) -> frozenset[str]:
    """Return the names of the bodies that can move, because their own joint, or that of a body that supports them, is
    revolute or prismatic.
    """
    moving: set[str] = set()
    for body in parents_first(tuple(bodies)):
        if body.joint.kind != "fixed" or body.parent in moving:
            moving.add(body.name)
    return frozenset(moving)
