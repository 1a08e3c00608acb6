"""A bicycle as its maker describes it; ``layout.py`` derives the wheels and bodies of a drive from it.

It is seen from the drive side, riding to the right: the bottom bracket is at the origin, and the rear axle is behind it
and higher by the drop. Lines (``chainline``, ``cassette_line``) and limits are distances from the middle plane of the
frame.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import Field, ValidationError, ValidationInfo, field_validator
from pydantic_core import InitErrorDetails

from chaindrive.errors import Problem
from chaindrive.model.base import Model, Name, Quantity, Vector, Whole
from chaindrive.model.bicycle.shift import Shift
from chaindrive.model.pitch_line import PitchLine
from chaindrive.model.tooth import IsoTooth, Tooth

__all__ = ["Bicycle", "Derailleur", "Generated", "Rider", "TensionerArm"]

Length = Annotated[float, Quantity("m", above=0, most=10)]
Width = Annotated[float, Quantity("m", above=0, most=0.1)]
Distance = Annotated[float, Quantity("m", least=-1, most=1)]
Spacing = Annotated[float, Quantity("m", least=0, most=1)]
Mass = Annotated[float, Quantity("kg", above=0, most=1e4)]
Inertia = Annotated[float, Quantity("kg*m^2", above=0, most=1e6)]
Direction = Annotated[float, Quantity("rad", least=-6.3, most=6.3)]
Torque = Annotated[float, Quantity("N*m", least=0, most=1e4)]
Teeth = Annotated[int, Whole(5, 200)]
Sprockets = Annotated[tuple[Teeth, ...], Field(min_length=1, max_length=20)]

_GEAR = re.compile(r"\s*(\d{1,3})\s*[x×]\s*(\d{1,3})\s*", re.IGNORECASE)


class Rider(Model):
    """The rider and the resistance. The crank turns at a given cadence or is turned by a torque."""

    cadence: Annotated[float, Quantity("rad/s", above=0, most=1e3)] = Field(
        9.42477796076938, description="Mean speed of the crank, such as '90 rpm'."
    )
    power: Annotated[float, Quantity("W", least=0, most=1e5)] = Field(
        250.0,
        description="Power absorbed by the resistance at the rear wheel at the cadence; the rider supplies the losses "
        "in addition.",
    )
    pedals: Literal["speed", "torque"] = Field(
        "speed",
        description="'speed': the crank turns at the cadence; 'torque': the crank is turned by the torque that gives "
        "the power at the cadence.",
    )
    ripple: Annotated[float, Quantity("", least=0, most=1)] | None = Field(
        None,
        description="Ripple c of the torque, mean x (1 - c cos 2(angle - phase)), for pedals = 'torque'; 0.7 to 0.8 is "
        "typical of riders. Default: constant torque.",
    )
    phase: Annotated[float, Quantity("rad", least=-1e3, most=1e3)] = Field(
        0.0, description="Angle of the crank, measured from the start, at which the rippled torque has its minimum."
    )
    ramp: Annotated[float, Quantity("s", least=0, most=1e3)] = Field(
        2.0, description="Time from rest to the cadence, for pedals = 'speed' and a run that starts at rest."
    )
    crank_inertia: Inertia = Field(0.1, description="Moment of inertia of cranks and legs about the bottom bracket.")
    mass: Mass = Field(85.0, description="Mass of rider and bicycle, driven by the rear wheel.")
    wheel_radius: Length = Field(0.34, description="Rolling radius of the rear wheel.")
    rear_inertia: Inertia | None = Field(
        None,
        description="Moment of inertia at the rear axle, such as that of a test rig; default: mass x wheel_radius^2.",
    )
    resistance: Literal["constant", "air"] = Field(
        "constant",
        description="Whether the torque at the rear wheel is constant or proportional to the square of the speed.",
    )

    @field_validator("ripple")
    @classmethod
    def _of_a_torque(cls, ripple: float | None, info: ValidationInfo) -> float | None:
        if ripple is not None and info.data.get("pedals") == "speed":
            raise ValueError("does not apply with pedals = 'speed': omit it, or set pedals = 'torque'")
        return ripple


class _Sprung(Model):
    """Common keys of a derailleur's cage and a tensioner's arm: the spring, the stops and the masses.

    The spring turns the cage or arm in the direction that takes up slack. Its torque is spring_torque at spring_angle
    and decreases by spring_stiffness for every additional radian. Angles are directions, 0 forward, -90 degrees down,
    so that the spring is the same in every gear.
    """

    spring_torque: Torque = Field(1.0, description="Torque of the spring at spring_angle.")
    spring_angle: Direction = Field(
        -1.5707963267948966, description="Direction in which the spring has spring_torque; 0 forward, '-90 deg' down."
    )
    spring_stiffness: Annotated[float, Quantity("N*m/rad", least=0, most=1e4)] = Field(
        0.3, description="Stiffness of the spring."
    )
    damping: Annotated[float, Quantity("N*m*s/rad", least=0, most=1e4)] = Field(
        0.01, description="Viscous damping of the pivot of the cage or arm."
    )
    friction: Torque | None = Field(
        None,
        description="Friction torque of the pivot of the cage or arm, such as that of a clutch; omit it if there is "
        "none.",
    )
    stop_stiffness: Annotated[float, Quantity("N*m/rad", above=0, most=1e9)] = Field(
        100.0, description="Stiffness of the stops at lower and upper."
    )
    mass: Mass = Field(0.04, description="Mass without the pulleys.")
    inertia: Inertia | None = Field(
        None, description="Moment of inertia about the centre of mass; default: that of a rod with this mass."
    )
    pulley_mass: Mass = Field(0.012, description="Mass of a pulley.")
    pulley_inertia: Inertia | None = Field(
        None,
        description="Moment of inertia of a pulley about its axis; default: that of a disk that reaches to the "
        "rollers.",
    )
    pulley_friction: Torque = Field(0.0, description="Coulomb friction torque of the bearing of a pulley.")
    pulley_drag: Annotated[float, Quantity("N*m*s/rad", least=0, most=1e3)] = Field(
        0.0, description="Viscous damping of the bearing of a pulley, with its seals."
    )
    pulley_width: Width | None = Field(None, description="Width of the pulleys' teeth; default: as for any wheel.")

    @field_validator("upper", check_fields=False)
    @classmethod
    def _above(cls, upper: float, info: ValidationInfo) -> float:
        lower = info.data.get("lower")
        if lower is not None and not lower < upper <= lower + 6.283185307179586:
            raise ValueError(f"must be above lower = {lower:g} rad, by at most one turn")
        return upper


class Derailleur(_Sprung):
    """A rear derailleur: a pivoted cage with two pulleys, which a spring turns backward.

    The guide pulley is at its adjusted position in every gear, ``ahead`` of the axle and ``gap`` below the cog;
    the cage turns until the chain closes.
    """

    guide_pulley: Teeth = Field(11, description="Number of teeth of the guide pulley, the upper one.")
    tension_pulley: Teeth = Field(11, description="Number of teeth of the tension pulley, the lower one.")
    cage_length: Length = Field(
        0.056,
        description="Distance between the axes of the pulleys: 55 to 56 mm for a short cage, 73 to 75 "
        "medium, 89 to 93 long.",
    )
    ahead: Distance = Field(0.008, description="How far the guide pulley is ahead of the rear axle.")
    gap: Annotated[float, Quantity("m", least=-0.05, most=0.5)] = Field(
        0.014,
        description="Gap between the pitch circles of cog and guide pulley; the gap between tooth tips is about 8 mm "
        "smaller.",
    )
    pivot: Annotated[tuple[float, float], Vector("m", most=1)] = Field(
        (0.0, 0.0),
        description="Pivot of the cage, measured from the axis of the guide pulley: [towards the tension pulley, to "
        "the left of this direction].",
    )
    centre_of_mass: Annotated[tuple[float, float], Vector("m", most=1)] | None = Field(
        None,
        description="Centre of mass of the cage, in the same coordinates as pivot; default: midway between the "
        "pulleys.",
    )
    lower: Direction = Field(
        -3.141592653589793,
        description="Direction from guide to tension pulley at the rear stop; '-180 deg' is backward.",
    )
    upper: Direction = Field(
        -0.3490658503988659,
        description="Direction from guide to tension pulley at the front stop, towards which a tight chain pulls the "
        "cage.",
    )
    inner_limit: Distance = Field(
        0.015, description="Smallest distance of the guide pulley from the middle plane of the frame (limit screw L)."
    )
    outer_limit: Distance = Field(
        0.066, description="Largest distance of the guide pulley from the middle plane of the frame (limit screw H)."
    )

    @field_validator("outer_limit")
    @classmethod
    def _outside(cls, outer: float, info: ValidationInfo) -> float:
        inner = info.data.get("inner_limit")
        if inner is not None and outer <= inner:
            raise ValueError(f"must be above inner_limit = {inner:g} m")
        return outer

    @field_validator("pivot")
    @classmethod
    def _in_the_cage(cls, pivot: tuple[float, float], info: ValidationInfo) -> tuple[float, float]:
        length = info.data.get("cage_length")
        if length is not None and pivot[0] ** 2 + pivot[1] ** 2 > length**2:
            raise ValueError(f"must lie on the cage, at most cage_length = {length:g} m from the guide pulley")
        return pivot


class TensionerArm(_Sprung):
    """A chain tensioner of a single-speed bicycle: an arm with a pulley that pushes the lower run up or down."""

    pulley: Teeth = Field(11, description="Number of teeth of the pulley.")
    pushes: Literal["up", "down"] = Field(
        "up",
        description="'up': the pulley pushes the lower run up, from outside the chain; 'down': it pushes the lower run "
        "down, from inside.",
    )
    pivot: Annotated[tuple[float, float], Vector("m", most=1)] = Field(
        (0.008, -0.028), description="Pivot of the arm, measured from the rear axle: [forward, up]."
    )
    arm_length: Length = Field(0.06, description="Distance from the pivot to the axis of the pulley.")
    lower: Direction = Field(-1.5707963267948966, description="Smallest angle of the arm; 0 forward, '-90 deg' down.")
    upper: Direction = Field(0.5, description="Largest angle of the arm.")


def _nearest_teeth(teeth: int, there: Sequence[int]) -> str:
    """Return a hint such as ``; did you mean 19 or 21?`` with the existing numbers of teeth that differ least."""
    if not there:
        return ""
    least = min(abs(each - teeth) for each in there)
    return f"; did you mean {' or '.join(str(each) for each in sorted(there) if abs(each - teeth) == least)}?"


class Bicycle(Model):
    """The drive of a bicycle: chainrings and cassette with their positions, derailleur or tensioner, and the rider.

    Wheels and bodies are derived from it. With a derailleur these are "chainring", "tension pulley", "guide pulley",
    "cog" and the body "cage"; with a tensioner "chainring", "tensioner pulley", "cog" and the body "tensioner arm";
    otherwise "chainring" and "cog".
    """

    chainrings: Sprockets = Field(description="Numbers of teeth of the chainrings, such as [50, 34].")
    cassette: Sprockets = Field(
        description="Numbers of teeth of the cogs, such as [11, 12, 13, 14, 15, 17, 19, 21, 23, 25, 28]."
    )
    gear: Name = Field(description="The gear in use, chainring x cog, such as '50x19'.")
    chainstay: Length = Field(description="Distance from the bottom bracket to the rear axle, such as '410 mm'.")
    bottom_bracket_drop: Distance = Field(
        0.07, description="Height of the axles above the bottom bracket, such as '70 mm'."
    )
    chainline: Distance = Field(
        0.0435, description="Distance of the middle of the chainrings from the middle plane of the frame."
    )
    ring_spacing: Spacing = Field(0.0075, description="Distance between neighbouring chainrings.")
    cassette_line: Distance | None = Field(
        None,
        description="Distance of the middle of the cassette from the middle plane of the frame. Default: smallest "
        "cog at 61.2 mm (hub of 130 mm); a single cog on the chain line.",
    )
    cog_pitch: Spacing = Field(
        0.00375, description="Distance between neighbouring cogs: 3.95 mm with 10 speeds, 3.75 mm with 11."
    )
    straight_chainline: bool = Field(
        False,
        description="Whether all wheels are in one plane in every gear. This is an idealisation that no real bicycle "
        "with gears achieves.",
    )
    ring_width: Width | None = Field(None, description="Width of the chainring's teeth; default: as for any wheel.")
    pitch_line: PitchLine | None = Field(
        None,
        description="Pitch line of oval chainrings, such as { form = 'ellipse', ovality = 1.1, angle = '-20 deg' }; it "
        "applies to all chainrings. Default: round.",
    )
    cog_width: Width | None = Field(None, description="Width of the cog's teeth; default: as for any wheel.")
    tooth: Tooth = Field(default_factory=IsoTooth, description="Tooth form of all wheels.")
    axle_travel: Annotated[float, Quantity("m", least=0, most=1)] = Field(
        0.0,
        description="How far the rear axle can be moved back, beyond the chainstay length, to tighten a chain without "
        "derailleur or tensioner; 0 if the dropouts fix the axle.",
    )
    slack: Annotated[float, Quantity("m", least=0, most=0.1)] = Field(
        0.0005,
        description="Slack left in the chain after the axle has been moved to tighten it: chain length minus path "
        "length.",
    )
    derailleur: Derailleur | None = Field(None, description="The rear derailleur; omit it if there is none.")
    tensioner: TensionerArm | None = Field(None, description="A tensioner arm; omit it if there is none.")
    shift: Shift | None = Field(
        None, description="A shift to a different cog during the run; omit it if the gear stays as it is."
    )
    rider: Rider = Field(default_factory=Rider, description="Cadence, power and resistance.")

    @field_validator("chainrings", "cassette")
    @classmethod
    def _each_once(cls, teeth: tuple[int, ...]) -> tuple[int, ...]:
        twice = sorted({count for count in teeth if teeth.count(count) > 1})
        if twice:
            raise ValueError(f"has {', '.join(map(str, twice))} twice: list each once")
        return teeth

    @field_validator("gear")
    @classmethod
    def _in_the_lists(cls, gear: str, info: ValidationInfo) -> str:
        found = _GEAR.fullmatch(gear)
        if found is None:
            raise ValueError("must be chainring x cog, such as '50x19'")
        wrong = []
        for teeth, name, one in ((found[1], "chainrings", "chainring"), (found[2], "cassette", "cog")):
            there = info.data.get(name)
            if there is not None and int(teeth) not in there:
                listed = ", ".join(map(str, there))
                wrong.append(f"{one} {teeth} is not in {name} = [{listed}]{_nearest_teeth(int(teeth), there)}")
        if wrong:
            raise ValueError(" And ".join(wrong))
        return f"{int(found[1])}x{int(found[2])}"

    @field_validator("bottom_bracket_drop")
    @classmethod
    def _less_than_chainstay(cls, drop: float, info: ValidationInfo) -> float:
        stay = info.data.get("chainstay")
        if stay is not None and abs(drop) >= stay:
            raise ValueError(f"must be less than chainstay = {stay:g} m")
        return drop

    @field_validator("axle_travel")
    @classmethod
    def _moves_freely(cls, travel: float, info: ValidationInfo) -> float:
        gears = [info.data.get(name) for name in ("chainrings", "cassette")]
        if travel > 0.0 and any(there is not None and len(there) > 1 for there in gears):
            raise ValueError("does not apply with several gears, as the axle does not move: omit it")
        return travel

    @field_validator("tensioner")
    @classmethod
    def _one_of_them(cls, tensioner: TensionerArm | None, info: ValidationInfo) -> TensionerArm | None:
        if tensioner is not None and info.data.get("derailleur") is not None:
            raise ValueError("cannot be given together with a derailleur, which tensions the chain")
        return tensioner

    @field_validator("shift")
    @classmethod
    def _by_a_derailleur(cls, shift: Shift | None, info: ValidationInfo) -> Shift | None:
        if shift is None:
            return None
        if info.data.get("derailleur", shift) is None:
            raise ValueError("needs a derailleur, which moves the chain: give bicycle.derailleur, or omit the shift")
        if info.data.get("straight_chainline"):
            raise ValueError("needs cogs side by side: omit straight_chainline")
        cassette, gear = info.data.get("cassette"), info.data.get("gear")
        wrong = ""
        if cassette is not None and shift.to not in cassette:
            there = ", ".join(map(str, cassette))
            others = [cog for cog in cassette if gear is None or not gear.endswith(f"x{cog}")]
            wrong = f"cog {shift.to} is not in cassette = [{there}]{_nearest_teeth(shift.to, others)}"
        elif gear is not None and gear.endswith(f"x{shift.to}"):
            wrong = f"the chain is already on cog {shift.to} in gear {gear!r}: name a different cog"
        if wrong:
            details = InitErrorDetails(type="value_error", loc=("to",), input=shift.to, ctx={"error": wrong})
            raise ValidationError.from_exception_data("Shift", [details])
        return shift

    @property
    def gears(self) -> tuple[str, ...]:
        """All gears, named as in ``gear``, ordered by chainring as listed, then by cog."""
        return tuple(f"{ring}x{cog}" for ring in self.chainrings for cog in self.cassette)

    @property
    def selected(self) -> tuple[int, int]:
        """Numbers of teeth of the chainring and the cog of the gear in use."""
        ring, _, cog = self.gear.partition("x")
        return int(ring), int(cog)


class Generated(NamedTuple):
    """The parts that a bicycle contributes to its drive, in SI units."""

    wheels: tuple[dict[str, Any], ...]
    bodies: tuple[dict[str, Any], ...]
    links: int
    """Number of links of the chain, given or derived."""
    notes: tuple[str, ...]
    problems: tuple[Problem, ...] = ()
    """Problems; if there are any, the wheels are only approximately placed."""
