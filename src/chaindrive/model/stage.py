"""An additional chain of a drive, driven through a shaft by a wheel of an earlier chain."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field

from chaindrive.errors import Problem
from chaindrive.model.base import Model, Name, Quantity
from chaindrive.model.body import Body
from chaindrive.model.chain import Chain
from chaindrive.model.closing import Closing
from chaindrive.model.contact import Contact
from chaindrive.model.guide import Guide
from chaindrive.model.limits import Limits
from chaindrive.model.payload import Payload
from chaindrive.model.tensioner import Tensioner
from chaindrive.model.wheel import ConstantSpeed, Wheel

__all__ = [
    "RotorShaft",
    "Stage",
    "StageShaft",
    "shaft_problems",
    "stage_problems",
    "turning_problems",
    "wheels_with",
]

MOST_PARTS = 200


def _turning(ratio: float) -> float:
    if ratio == 0.0:
        raise ValueError("must not be 0: it is the speed of the driven wheel divided by that of the driving wheel")
    return ratio


class RotorShaft(Model):
    """The shaft or gearing through which a wheel turns a rotor or stage."""

    from_wheel: Name = Field(description="Name of the wheel that turns the shaft.")
    from_stage: Name | None = Field(
        None, description="Name of the stage to which this wheel belongs; default: the first chain."
    )
    ratio: Annotated[float, Quantity("", least=-1e4, most=1e4), AfterValidator(_turning)] = Field(
        1.0,
        description="Speed of the driven part divided by that of the driving wheel: 1 for a shaft, negative for a pair "
        "of gears.",
    )
    stiffness: Annotated[float, Quantity("N m/rad", above=0, most=1e12)] | None = Field(
        None, description="Torsional stiffness, referred to the driven part. Default: a rigid shaft."
    )
    damping: Annotated[float, Quantity("N m s/rad", least=0, most=1e9)] | None = Field(
        None,
        description="Torsional damping, only with a stiffness; default: 2 % of the critical damping for both inertias.",
    )
    backlash: Annotated[float, Quantity("rad", least=0, most=1.5)] = Field(
        0.0,
        description="Total backlash of teeth or keys, referred to the driven part; needs a stiffness.",
    )


class StageShaft(RotorShaft):
    """The shaft or gearing through which a wheel of an earlier chain drives the chain of a stage."""

    to_wheel: Name = Field(description="Name of the wheel of this stage that the shaft turns.")


class Stage(Model):
    """An additional chain with its wheels, guides and other parts, described as for the first chain. It has its own
    coordinate system: parts of different chains never touch.
    """

    name: Name = Field(description="Name of the stage.")
    shaft: StageShaft = Field(description="The shaft or gearing that drives the stage.")
    loop: Literal["counterclockwise", "clockwise"] = Field(
        "counterclockwise",
        description="Direction of rotation of wheels with side = 'front' when the chain runs in the order of the list.",
    )
    chain: Chain = Field(description="The chain.")
    contact: Contact | None = Field(None, description="Contact between rollers and teeth; default: that of the drive.")
    closing: Closing | None = Field(
        None,
        description="A wheel or body that is moved from its drawn position until the chain closes around its "
        "wheels and rails.",
    )
    wheels: Annotated[tuple[Wheel, ...], Field(min_length=1, max_length=MOST_PARTS)] = Field(
        description="The wheels, in the order in which the chain meets them."
    )
    bodies: Annotated[tuple[Body, ...], Field(max_length=MOST_PARTS)] = Field(
        (), description="Bodies that move and support wheels or guides; in any order."
    )
    guides: Annotated[tuple[Guide, ...], Field(max_length=MOST_PARTS)] = Field(
        (), description="Rails along which the chain slides."
    )
    tensioners: Annotated[tuple[Tensioner, ...], Field(max_length=MOST_PARTS)] = Field(
        (), description="Springs, dampers, ratchets and hydraulic elements between two points."
    )
    payloads: Annotated[tuple[Payload, ...], Field(max_length=MOST_PARTS)] = Field(
        (), description="Goods that the chain carries between two points of its route."
    )
    limits: Limits | None = Field(
        None, description="Load limits and required life of the chain, by which strength and life are judged."
    )

    def wheels_turned(self, speed: float) -> tuple[Wheel, ...]:
        """Return the wheels of the stage. In place of the shaft, a constant speed [rad/s] drives the wheel that the
        shaft turns (or the wheel to which that one is fixed by ``shaft_with``).
        """
        turned = next((w.shaft_with for w in self.wheels if w.name == self.shaft.to_wheel), None)
        return wheels_with(self.wheels, turned or self.shaft.to_wheel, {"motion": ConstantSpeed(speed=speed)})


def wheels_with(wheels: Sequence[Wheel], name: str, values: Mapping[str, Any]) -> tuple[Wheel, ...]:
    """Return the wheels, with the values of the wheel of this name changed."""
    return tuple(wheel.model_copy(update=values) if wheel.name == name else wheel for wheel in wheels)


def stage_problems(
    wheels: Sequence[Wheel | None], stages: Sequence[Stage | None], formulation: str
) -> Iterator[Problem]:
    """Yield the problems of the connections between stages, and of the wheels that turn them; their places start with
    "stages[k]".

    None takes the place of invalid stages and wheels.
    """
    known: dict[str | None, Sequence[Wheel | None]] = {None: wheels}
    for k, stage in enumerate(stages):
        if stage is None:
            continue
        place = f"stages[{k}]"
        yield from shaft_problems(stage.shaft, f"{place}.shaft")
        yield from _turned_problems(stage, place)
        if stage.shaft.from_stage in known or None not in stages:
            yield from turning_problems(stage.shaft, known, place)
        if stage.name in known:
            yield Problem(f"{place}.name", "must be unique, but an earlier stage has the same name", repr(stage.name))
        if "." in stage.name or "/" in stage.name:
            message = "must not contain '.' or '/': channels of results are called stage.channel"
            yield Problem(f"{place}.name", message, repr(stage.name))
        known.setdefault(stage.name, stage.wheels)
    if stages and formulation == "spatial":
        message = "cannot be simulated with links in space; use 'roller', 'link' or 'block'"
        yield Problem("stages", message, f"{len(stages)} and run.formulation.kind = 'spatial'")


def _turned_problems(stage: Stage, place: str) -> Iterator[Problem]:
    """Yield the problems of the wheel that the shaft turns, and of other wheels of the stage that are also driven."""
    names = [wheel.name for wheel in stage.wheels]
    if stage.shaft.to_wheel not in names:
        message = f"is not a wheel of the stage; available: {', '.join(map(repr, names))}"
        yield Problem(f"{place}.shaft.to_wheel", message, repr(stage.shaft.to_wheel))
    for index, wheel in enumerate(stage.wheels):
        there = f"{place}.wheels[{index}]"
        if wheel.motion is not None:
            yield Problem(f"{there}.motion", "cannot be given in a stage, which is turned by its shaft: omit it")
        if wheel.initial_speed is not None:
            yield Problem(
                f"{there}.initial_speed",
                "cannot be given in a stage, which starts together with the chain that drives it",
            )
        if wheel.name == stage.shaft.to_wheel:
            yield from _joined_problems(wheel, there, stage.shaft)


def turning_problems(
    shaft: RotorShaft, known: Mapping[str | None, Sequence[Wheel | None]], place: str
) -> Iterator[Problem]:
    """Yield the problems of the wheel that turns the shaft. known: wheels of the first chain under None, and of each
    previous stage under its name.
    """
    if shaft.from_stage not in known:
        before = ", ".join(repr(name) for name in known if name is not None) or "none"
        message = f"is not an earlier stage; available: {before}; omit it for the first chain"
        yield Problem(f"{place}.shaft.from_stage", message, repr(shaft.from_stage))
        return
    wheels = [wheel for wheel in known[shaft.from_stage] if wheel is not None]
    found = next((wheel for wheel in wheels if wheel.name == shaft.from_wheel), None)
    if found is None and len(wheels) == len(known[shaft.from_stage]):
        message = f"is not a wheel of that chain; available: {', '.join(repr(wheel.name) for wheel in wheels)}"
        yield Problem(f"{place}.shaft.from_wheel", message, repr(shaft.from_wheel))
    elif found is not None:
        yield from _joined_problems(found, f"{place}.shaft.from_wheel", shaft)


def shaft_problems(shaft: RotorShaft, place: str) -> Iterator[Problem]:
    """Yield the problems of keys that only an elastic shaft can have."""
    if shaft.stiffness is not None:
        return
    if shaft.damping is not None:
        message = "needs a stiffness, as the shaft is rigid otherwise: give a stiffness, or omit this"
        yield Problem(f"{place}.damping", message, f"{shaft.damping:g}")
    if shaft.backlash > 0.0:
        message = (
            "needs a stiffness, such as stiffness = '20 kN*m/rad', as the shaft is rigid otherwise: give a "
            "stiffness, or omit this"
        )
        yield Problem(f"{place}.backlash", message, f"{shaft.backlash:g}")


def _joined_problems(wheel: Wheel, place: str, shaft: RotorShaft) -> Iterator[Problem]:
    """Yield the problems of a wheel that is connected to a shaft."""
    moves = wheel.body != "ground" or wheel.shaft is not None
    if shaft.stiffness is None and wheel.unbalance is not None and moves:
        message = (
            f"wheel {wheel.name!r} has an unbalance and an elastic support, so no rigid shaft can be connected to it: "
            "give the shaft a stiffness, or omit the unbalance"
        )
        yield Problem(place, message, "")
    if wheel.shaft_with is not None:
        message = f"wheel {wheel.name!r} is fixed to the shaft of {wheel.shaft_with!r} (shaft_with): name that wheel"
        yield Problem(place, message, "")
    if wheel.freewheel is not None:
        yield Problem(place, f"wheel {wheel.name!r} has a freewheel, to which no shaft can be connected", "")
    if wheel.turned_inertia is None and wheel.motion is None:
        yield Problem(place, f"wheel {wheel.name!r} needs an inertia, as the shaft turns it", "")
