"""Combines two systems joined by a shaft into one: their states, kernels, channels and endings are placed side by
side.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Any, Literal, NamedTuple

import numpy as np

from chaindrive.contract.channels import Channel
from chaindrive.contract.inputs import Input
from chaindrive.contract.modular import Modules
from chaindrive.contract.motion import Motion
from chaindrive.contract.port import Port
from chaindrive.contract.states import FloatArray, Kind
from chaindrive.contract.status import Status
from chaindrive.contract.story import Story
from chaindrive.contract.system import System
from chaindrive.coupling.joined_contacts import contacts_of, joined_laws
from chaindrive.coupling.joined_kernels import (
    MEMORY,
    SCRATCH,
    SECOND_ENDINGS,
    Joined,
    ShaftChannels,
    ShaftNow,
    joined_kernels,
)
from chaindrive.formulations.declare import blank_row, in_a_row, one
from chaindrive.kernels.tables import blank
from chaindrive.model import RotorShaft

__all__ = ["SHAFT_TORQUE", "Named", "join", "prefixed", "stage_channel", "stand_beside", "torque_wanted"]

SHAFT_TORQUE = "torque of the shaft on the wheel that it drives"
DAMPING_RATIO = 0.02
"""Damping ratio of the torsional vibration of a shaft for which no damping is given. [-]"""


class Named(NamedTuple):
    """The part driven through a shaft."""

    name: str
    what: Literal["stage", "rotor"]

    @property
    def label(self) -> str:
        """Name in warnings: "stage 'final'"."""
        return f"{self.what} {self.name!r}"


joined = lru_cache(maxsize=None)(joined_kernels)


def torque_wanted(system: System, port: Port) -> float:
    """Return the torque that a shaft must exert on a wheel to keep it at the speed of the state. [N m]"""
    rates = np.zeros_like(system.state)
    system.kernels.rhs(0.0, system.state, rates, system.parameters)
    mass = system.masses[port.angle]
    return -float(mass * rates[port.speed]) if math.isfinite(mass) else 0.0


def join(
    first: System, second: System, ports: tuple[Port, Port], shaft: RotorShaft, torque: float, named: Named
) -> System:
    """Combine two systems that are joined by an elastic shaft, which transmits a torque in their states [N m].

    ports: the wheel of the first system that turns the shaft, and the wheel of the second system that the shaft turns;
    named: the second system, whose name is the prefix of its channels, "final.link_tension", and of their dimensions.
    Both systems must be in their coordinates of integration.
    """
    stiffness = shaft.stiffness or 0.0
    one, other = ports
    compliance = shaft.ratio**2 / first.masses[one.angle] + 1.0 / second.masses[other.angle]
    damping = shaft.damping
    if damping is None:
        damping = 2.0 * DAMPING_RATIO * math.sqrt(stiffness / compliance)
    rate = damping * compliance
    p = _parameters(first, second, ports, blank(ShaftNow, 1))._replace(
        ratio=shaft.ratio,
        stiffness=float(stiffness),
        damping=float(damping),
        backlash=shaft.backlash,
        frequency=rate + math.sqrt(rate * rate + stiffness * compliance),
    )
    twist = torque / p.stiffness + math.copysign(0.5 * p.backlash, torque)
    p.shaft_zero[0] = twist - (p.ratio * first.state[p.angle1] - second.state[p.angle2])
    shaft_facts = {"stiffness": p.stiffness, "damping": p.damping, "torque_at_start": float(torque)}
    return _joined(first, second, p, named, shaft_facts, rigid=False)


def stand_beside(
    first: System,
    second: System,
    ports: tuple[Port, Port],
    ratio: float,
    given: FloatArray,
    torque: float,
    named: Named,
) -> System:
    """Combine two systems between which a rigid shaft acts with an externally given torque (``rigid_shafts``).

    given: an array with this torque, (1,) [N m]; ports, torque and named as in ``join``.
    """
    p = _parameters(first, second, ports, ShaftNow(given, np.zeros(1), np.zeros(1)))._replace(ratio=ratio)
    return _joined(first, second, p, named, {"torque_at_start": float(torque)}, rigid=True)


def _joined(first: System, second: System, p: Joined, named: Named, shaft_facts: dict[str, Any], rigid: bool) -> System:
    """Combine two systems, and return the result; shaft_facts: facts about the shaft, for the notes."""
    name = named.name
    p.running2.turned[p.wheel2] = 1.0
    shaft = () if rigid else in_a_row(SHAFT_CHANNELS)
    noted = dict(first.story.notes.get(f"{named.what}s", {})) | {
        name: dict(second.story.notes) | {"shaft": shaft_facts}
    }
    last = [] if rigid else [0.0]
    system = System(
        kernels=joined(first.kernels, second.kernels, rigid),
        parameters=p,
        memory=_within(first, second, MEMORY, "memory"),
        scratch=_within(first, second, SCRATCH, "scratch"),
        state=_side_by_side(first, second, first.state, second.state, last),
        positions=first.positions + second.positions,
        kinds=_side_by_side(first, second, first.kinds, second.kinds, [int(Kind.WORK)] * len(last)).astype(np.int64),
        channels=(*first.channels, *_moved([*second.channels, *_moved(shaft, second.row_size)], first.row_size, name)),
        labels=dict(first.labels) | {prefixed(name, dim): names for dim, names in second.labels.items()},
        masses=np.concatenate([first.masses, second.masses]),
        coupled=first.coupled or second.coupled,
        force_scale=max(first.force_scale, second.force_scale),
        inputs=tuple(_inputs(first, second, named)),
        motion=_motion(first, second, p.frequency),
        story=_story(first, second, named, noted),
        rigid=joined_laws(first, second),
        modules=None if rigid else _modules(first, second),
        port=first.port,  # its positions and works also come first here
    )
    system.kernels.begin(0.0, system.state, p)
    return system


def _inputs(first: System, second: System, named: Named) -> Iterator[Input]:
    """Yield the inputs of both systems, in the layout of the combined state."""
    for each in first.inputs:
        yield each.moved(0, second.positions)
    for each in second.inputs:
        moved = each.moved(first.positions, first.positions + first.velocities)
        yield moved if named.what == "rotor" else moved._replace(stage=named.name)


def _modules(first: System, second: System) -> Modules | None:
    """Return the combined division into modules if both systems have one; the shaft belongs to the mechanism."""
    one, other = first.modules, second.modules
    if one is None or other is None:
        return None

    def chain_alone(system: System) -> System:
        chains = one.chain_alone(first), other.chain_alone(second)
        own = {name: chain.parameters for name, chain in zip(("first", "second"), chains, strict=True)}
        highest = max(chain.motion.highest_frequency for chain in chains)
        parameters = system.parameters._replace(frequency=0.0, **own)
        return replace(system, parameters=parameters, motion=system.motion.limited_by(highest))

    of_one, of_other = (
        np.isin(np.arange(system.state.size), cut.places) for system, cut in ((first, one), (second, other))
    )
    places = np.flatnonzero(_side_by_side(first, second, of_one, of_other, [0]))
    return Modules(places, one.forces + other.forces, chain_alone)


def _motion(one: System, other: System, frequency: float) -> Motion:
    """Return the data for an integrator of both systems and of a shaft with this highest frequency [rad/s]."""
    first, second = one.motion, other.motion
    moved = (chain._replace(velocities=chain.velocities + one.velocities) for chain in second.chains)
    return Motion(
        chains=(*first.chains, *moved),
        rolling=np.concatenate([first.rolling, second.rolling]),
        highest_frequency=max(first.highest_frequency, second.highest_frequency, frequency),
        undamped_frequency=max(*(_apart(each)[0] for each in (first, second)), frequency),
        damping_rate=max(*(_apart(each)[1] for each in (first, second)), 0.5 * frequency),
        coupling_frequency=max(first.coupling_frequency, second.coupling_frequency),
        chatter_rate=max(first.chatter_rate, second.chatter_rate),
        stops=np.union1d(first.stops, second.stops),
        tolerances={kind: min(first.tolerances[kind], second.tolerances[kind]) for kind in first.tolerances},
    )


def _apart(motion: Motion) -> tuple[float, float]:
    """Return the highest undamped frequency and the highest damping rate; if they are not known separately, the upper
    bounds that follow from ``highest_frequency``.
    """
    if motion.undamped_frequency > 0.0:
        return motion.undamped_frequency, motion.damping_rate
    return motion.highest_frequency, 0.5 * motion.highest_frequency


def _story(first: System, second: System, named: Named, noted: dict[str, Any]) -> Story:
    """Return the combined story of both systems; noted: the notes of all stages, or of all rotors, by name."""
    one, other = first.story, second.story
    return Story(
        endings=(*one.endings, *(_stage_status(status) for status in other.endings)),
        ended_at=_ended_at(first, second, named),
        findings=_findings(first, second, named, noted),
        warnings=(*one.warnings, *(f"{named.label}: {text}" for text in other.warnings)),
        notes=dict(one.notes) | {f"{named.what}s": noted},
    )


def prefixed(name: str, dim: str) -> str:
    """Return the name of a dimension with the prefix of its stage, such as "final.link"; axes are the same for all
    stages.
    """
    return dim if dim == "axis" else f"{name}.{dim}"


def _parameters(first: System, second: System, ports: tuple[Port, Port], shaft: ShaftNow) -> Joined:
    """Return the parameters of both systems, with a shaft that transmits no torque."""
    one, other = ports
    return Joined(
        first=first.parameters,
        second=second.parameters,
        q1=first.positions,
        q2=second.positions,
        v1=first.velocities,
        v2=second.velocities,
        w1=first.state.size - first.positions - first.velocities,
        w2=second.state.size - second.positions - second.velocities,
        row1=first.row_size,
        row2=second.row_size,
        forces1=0 if first.modules is None else first.modules.forces,
        running1=one.running,
        running2=other.running,
        wheel1=one.wheel,
        wheel2=other.wheel,
        angle1=one.angle,
        angle2=other.angle,
        ratio=1.0,
        stiffness=0.0,
        damping=0.0,
        backlash=0.0,
        frequency=0.0,
        shaft_zero=np.zeros(1),
        y1=np.zeros_like(first.state),
        dy1=np.zeros_like(first.state),
        y2=np.zeros_like(second.state),
        dy2=np.zeros_like(second.state),
        shaft=shaft,
        row=blank_row(SHAFT_CHANNELS),
        contacts=contacts_of(first, second),
    )


def _side_by_side(first: System, second: System, one: Any, other: Any, last: list[Any]) -> Any:
    """Return [q1 q2 | v1 v2 | w1 w2, *last] from two arrays in the layouts of the two states."""
    cuts = [[0, s.positions, s.positions + s.velocities, s.state.size] for s in (first, second)]
    parts = [part[own[k] : own[k + 1]] for k in range(3) for part, own in zip((one, other), cuts, strict=True)]
    return np.concatenate([*parts, last])


SHAFT_CHANNELS = ShaftChannels(
    torque=one("shaft_torque", (), "N m", SHAFT_TORQUE, ()),
    twist=one("shaft_twist", (), "rad", "twist of the shaft, from the middle of the backlash", ()),
    lost=one("shaft_lost", (), "J", "work lost in the shaft, integrated with the motion", ()),
    elastic=one("shaft_elastic", (), "J", "elastic energy of the shaft", ()),
)


def _moved(channels: Iterable[Channel], by: int, name: str = "") -> tuple[Channel, ...]:
    """Return the channels at later places in a row, with a prefix if there is one."""
    moved = (channel._replace(offset=channel.offset + by) for channel in channels)
    return tuple(stage_channel(name, channel) if name else channel for channel in moved)


def stage_channel(name: str, channel: Channel) -> Channel:
    """Return a channel of a stage under its name in the combined system, such as "final.link_tension"."""
    dims = tuple(prefixed(name, dim) for dim in channel.dims)
    return channel._replace(name=f"{name}.{channel.name}", dims=dims)


def _within(first: System, second: System, own: tuple[str, ...], which: str) -> tuple[str, ...]:
    """Return the names of fields of both systems and of the combination, as they are in the combined parameters."""
    return (
        *(f"first.{name}" for name in getattr(first, which)),
        *(f"second.{name}" for name in getattr(second, which)),
        *own,
    )


def _stage_status(status: Status) -> Status:
    return replace(status, code=status.code + SECOND_ENDINGS)


def _ended_at(first: System, second: System, named: Named) -> Callable[[Status, float, FloatArray], str]:
    def ended_at(status: Status, time: float, state: FloatArray) -> str:
        one, other = _states(first, second, state)
        behind = status.code >= SECOND_ENDINGS
        system, own = (second, other) if behind else (first, one)
        if system.story.ended_at is None:
            return named.label if behind else ""
        code = status.code - SECOND_ENDINGS if behind else status.code
        where = system.story.ended_at(replace(status, code=code), time, own)
        return f"{where} of {named.label}" if behind and where else where

    return ended_at


def _findings(
    first: System, second: System, named: Named, noted: dict[str, Any]
) -> Callable[[FloatArray], tuple[dict[str, Any], tuple[str, ...]]]:
    """Return the function that returns the findings of both systems; noted: the notes of all stages, or of all rotors,
    by name, to which the notes of the second system are added.
    """
    key, name = f"{named.what}s", named.name

    def findings(state: FloatArray) -> tuple[dict[str, Any], tuple[str, ...]]:
        one, other = _states(first, second, state)
        facts, texts = ({}, ()) if first.story.findings is None else first.story.findings(one)
        behind, more = ({}, ()) if second.story.findings is None else second.story.findings(other)
        each = noted | facts.get(key, {}) | {name: noted[name] | behind}
        return facts | {key: each}, (*texts, *(f"{named.label}: {text}" for text in more))

    return findings


def _states(first: System, second: System, state: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the states of both systems within the combined state."""
    q, v = first.positions + second.positions, first.velocities + second.velocities
    w1 = first.state.size - first.positions - first.velocities
    w = w1 + second.state.size - second.positions - second.velocities
    parts = state[:q], state[q : q + v], state[q + v : q + v + w]
    cuts = first.positions, first.velocities, w1
    one = [part[:cut] for part, cut in zip(parts, cuts, strict=True)]
    other = [part[cut:] for part, cut in zip(parts, cuts, strict=True)]
    return np.concatenate(one), np.concatenate(other)
