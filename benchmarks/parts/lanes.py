"""Variants of one drive in lanes: gain of loops, similarity of contacts, possible gain of a run.

Lanes were to give three times the throughput of runs one after another. Loops over links and rollers use vector
registers within one chain already; so what lanes can gain is measured where it is largest, in the contacts, and in the
links, and the bound of a run follows from what each part of a step takes.
"""

from __future__ import annotations

import dataclasses
import functools
from typing import Any, NamedTuple

import numpy as np
from measure import Cost, Row, Section, paired

import chaindrive as cd
from chaindrive.contract.system import System
from chaindrive.formulations.planar.contact import contact_forces
from chaindrive.formulations.planar.parameters import LAW_HERTZ
from chaindrive.formulations.roller.chain import positions_of, velocities_of
from chaindrive.formulations.roller.parameters import Links
from chaindrive.formulations.roller.rhs import _links
from chaindrive.kernels import kernel
from chaindrive.kernels.tables import blank
from chaindrive.model import override
from chaindrive.physics.friction import Regularisation
from chaindrive.simulation.start import prepare
from chaindrive.solvers.integrator import Integrator, SolverSettings
from parts.drives import RARE, advance_to
from parts.lane_kernels import (
    FEW,
    Chain,
    Chains,
    Contacts,
    Runs,
    Slots,
    Turned,
    contacts_in_lanes,
    links_in_lanes,
    of_one_chain,
)
from parts.operations import assembly, counted
from parts.steps import Parts, parts_of

METHODS = {"6s90mc-c": "verlet", "industrial-08b": "verlet-beeman"}
"""The drives, and the integration method of their variants."""
LANES = (4, 8)
REGISTER = 4
"""Doubles in a vector register of x86-64-v3."""
DISTURBED = 0.01
"""Standard deviation of the disturbance of roller velocities of every variant at the start. [m/s]"""
SPREADS = {"disturbed starts": 0.0, "speeds 1 % apart": 0.01}
"""Kinds of variants: relative increase of the driver's speed from each to the next. [-]"""
AFTER = 0.2
"""Time that variants run before loops are timed. [s]"""
LOOPS = 3
"""Number of the first parts of a step that are loops over links, rollers or states."""
ROUNDING = 1e-9
"""Deviation of forces in lanes, over the largest one, that rounding may cause. [-]"""
WANTED = 3.0
"""Throughput of lanes over that of runs one after another. [-]"""


class Variant(NamedTuple):
    """One of several variants of a drive, as it runs."""

    system: System
    run: Integrator


def variants(name: str, spread: float) -> list[Variant]:
    """At most as many variants as lanes, at their starts."""
    drive, random, found = cd.example(name), np.random.default_rng(7), []
    motion: Any = drive.wheels[0].motion
    for k in range(max(LANES)):
        changed = override(drive, {"wheels.0.motion.speed": motion.speed * (1.0 + spread * k)})
        system = prepare(changed, changed.run.formulation).system
        state, links = system.state.copy(), system.parameters.links
        state[system.positions : system.positions + 2 * links] += random.normal(0.0, DISTURBED, 2 * links)
        system = dataclasses.replace(system, state=state)
        found.append(Variant(system, Integrator(system, SolverSettings(method=METHODS[name]), RARE)))
    return found


@functools.cache
def running_variants(name: str, spread: float, after: float = AFTER) -> list[Variant]:
    """The same after a time [s], with an evaluation at their states."""
    found = variants(name, spread)
    for each in found:
        advance_to(each.run, after)
        each.system.kernels.rhs(each.run.time, each.run.state, each.run.state, each.system.parameters)
    return found


def chains_in_lanes(group: list[Variant]) -> Chains:
    """The links of some variants."""
    p = group[0].system.parameters
    return Chains(
        rollers=p.links,
        positions=p.planar.layout.positions,
        pitch=p.planar.pitch,
        stiffness=p.stiffness,
        damping=p.damping,
        state=_side_by_side([each.run.state for each in group]),
        link=blank(Links, p.links * len(group)),
    )


def contacts_of_lanes(group: list[Variant]) -> Contacts:
    """The tooth contacts of some variants. Raises ValueError for a drive with contacts that the lanes do not have."""
    planar, lanes = group[0].system.parameters.planar, len(group)
    wheels, rollers = planar.wheels, planar.rollers
    smoothed = planar.friction_kind == Regularisation.TANH or planar.elastic_friction
    if planar.surfaces > wheels or planar.faces > wheels or planar.gap_shift.shape[0] or not smoothed:
        raise ValueError("only teeth of round wheels are computed in lanes, with tanh or elastic friction")
    if any(law != LAW_HERTZ for law in planar.surface.law):
        raise ValueError("only the exponent 3/2 is computed in lanes")
    near = np.stack([_near(each.system) for each in group], axis=-1)  # (faces, rollers, lanes)
    run, places = _runs(near.any(axis=-1), planar)
    slot = blank(Slots, len(places) * lanes)
    for lane, each in enumerate(group):
        own = each.system.parameters.planar
        for k, (w, i) in enumerate(places):
            gap = own.wheel.gap[w] + max(own.gap[w, i], 0)
            at, anchor = k * lanes + lane, w * rollers + i
            slot.near[at], slot.speed[at] = near[w, i, lane], own.impact_speed[w, i]
            slot.cos[at], slot.sin[at] = own.direction[gap]
            if own.elastic_friction:
                slot.held[at], slot.x[at], slot.y[at] = (column[anchor] for column in own.anchored[:3])
    frames = [each.system.parameters.planar.frame for each in group]
    states = _side_by_side([each.run.state for each in group])
    positions = planar.layout.positions * lanes
    return Contacts(
        rollers=rollers,
        speed_floor=planar.speed_floor,
        friction_speed=planar.friction_speed,
        friction_sharpness=planar.friction_sharpness,
        x=planar.frame.x,
        y=planar.frame.y,
        surface=planar.surface,
        profile=planar.profile,
        run=run,
        slot=slot,
        turned=Turned(*(_side_by_side([getattr(frame, name) for frame in frames]) for name in Turned._fields)),
        place=states[: 2 * rollers * lanes].copy(),
        velocity=states[positions : positions + 2 * rollers * lanes].copy(),
        force_x=np.zeros(rollers * lanes),
        force_y=np.zeros(rollers * lanes),
        moment=np.zeros(wheels * lanes),
        lost=np.zeros(lanes),
        rubbed=np.zeros(lanes),
    )


def _runs(near: np.ndarray, planar: Any) -> tuple[Runs, list[tuple[int, int]]]:
    """Runs of rollers near wheels, (wheels, rollers), and wheel and roller of each of their slots."""
    places = [(int(w), int(i)) for w, i in np.argwhere(near)]
    begins = [k for k, (w, i) in enumerate(places) if k == 0 or places[k - 1] != (w, i - 1)]
    run = blank(Runs, len(begins))
    for s, (k, end) in enumerate(zip(begins, [*begins[1:], len(places)], strict=True)):
        w, first = places[k]
        row = planar.face.profile[w]
        run.wheel[s], run.first[s], run.end[s], run.slot[s] = w, first, first + end - k, k
        run.profile[s], run.few[s] = row, not planar.profile[row + FEW, 7:9].any()
    return run, places


def _near(system: System) -> np.ndarray:
    """Whether each roller of a chain is near each face, (faces, rollers)."""
    planar = system.parameters.planar
    found = np.zeros((planar.faces, planar.rollers), dtype=bool)
    segment = planar.segment
    for s in range(planar.used.segments[0]):
        found[segment.face[s], segment.first[s] : segment.end[s]] = True
    return found


def _side_by_side(arrays: list[np.ndarray]) -> np.ndarray:
    """Numbers of several chains, those of the same place next to each other."""
    return np.stack(arrays, axis=-1).ravel().astype(float)


@kernel(inner=True)
def links_alone(y, dy, p):
    """Springs and dampers of one chain."""
    dy[0] = _links(y, p)


@kernel(inner=True)
def contacts_alone(y, dy, p):
    """All contacts of one chain; frames are those of the last evaluation."""
    contact_forces(positions_of(y, p), velocities_of(y, p), velocities_of(dy, p), dy, p.planar)


class Loops(NamedTuple):
    """Both loops for all chains of a group, in lanes and one after another."""

    gains: tuple[float, float]
    """throughput over that of one after another, of links and of contacts, medians of those of turns [-]"""
    alone: tuple[float, float]
    """time of one chain alone [s]"""
    deviation: float
    """of contact forces in lanes, over the largest one [-]"""
    slots: int
    """rollers near wheels of all chains"""
    computed: int
    """rollers computed in lanes"""


def _chain(each: Variant) -> Chain:
    return Chain(each.run.state, np.zeros_like(each.run.state), each.system.parameters)


@functools.cache
def measured(name: str, spread: float, lanes: int, count: int, repeats: int) -> Loops:
    """Gains of the first variants, of a given number."""
    group = running_variants(name, spread)[:lanes]
    elastic = bool(group[0].system.parameters.planar.elastic_friction)
    chains, contacts = chains_in_lanes(group), contacts_of_lanes(group)
    singles = [_chain(each) for each in group]
    things: dict[str, Any] = {
        "links in lanes": functools.partial(links_in_lanes(lanes), count, chains),
        "contacts in lanes": functools.partial(contacts_in_lanes(lanes, elastic), count, contacts),
    }
    for what, stage in (("links", links_alone), ("contacts", contacts_alone)):
        for k, each in enumerate(singles):
            things[f"{what} {k}"] = functools.partial(of_one_chain(stage), count, each)
    deviation = compare(group, contacts, contacts_in_lanes(lanes, elastic))
    for thing in things.values():
        thing()
    costs: dict[str, Cost] = paired(things, repeats)
    turns = {what: np.array(cost.repeats) for what, cost in costs.items()}
    gains, alone = [], []
    for what in ("links", "contacts"):
        one_after_another = sum(turns[f"{what} {k}"] for k in range(lanes))
        gains.append(float(np.median(one_after_another / turns[f"{what} in lanes"])))
        alone.append(float(np.median(one_after_another)) / (count * lanes))
    slots = sum(int(each.system.parameters.planar.used.slots[0]) for each in group)
    return Loops((gains[0], gains[1]), (alone[0], alone[1]), deviation, slots, len(contacts.slot.near))


def compare(group: list[Variant], contacts: Contacts, loop: Any) -> float:
    """Largest deviation of the forces on rollers in lanes from those of each chain alone, over the largest force. [-]

    Raises RuntimeError where it is more than rounding.
    """
    loop(1, contacts)
    rollers, lanes, deviation = contacts.rollers, len(group), 0.0
    found = np.concatenate((contacts.force_x, contacts.force_y)).reshape(2 * rollers, lanes)
    for lane, each in enumerate(group):
        one = _chain(each)
        of_one_chain(contacts_alone)(1, one)
        positions = each.system.parameters.planar.layout.positions
        wanted = one.rates[positions : positions + 2 * rollers]
        deviation = max(deviation, float(abs(found[:, lane] - wanted).max() / abs(wanted).max()))
    if not deviation < ROUNDING:
        raise RuntimeError(f"contacts in lanes deviate by {deviation:.2g} of the largest force")
    return deviation


def loops(quick: bool) -> Section:
    """Gain of links and contacts."""
    count, repeats = (200, 3) if quick else (2000, 9)
    rows, remarks = [], []
    for name in METHODS:
        for kind, spread in SPREADS.items():
            for lanes in LANES:
                cost = measured(name, spread, lanes, count, repeats)
                what = f"{name}, {kind}, {lanes} lanes"
                for stage, gain, alone in zip(("links", "contacts"), cost.gains, cost.alone, strict=True):
                    remark = f"{1e6 * alone:.3g} us per chain alone"
                    if stage == "contacts":
                        remark += f"; {cost.computed} rollers computed where {cost.slots} are near teeth"
                        remark += f"; forces deviate by {cost.deviation:.1g}"
                    rows.append(Row(f"{what}: {stage}", gain, "times", WANTED, at_least=True, remark=remark))
        remarks.append(_machine_code(name))
    remarks.insert(
        0,
        "The table gives the throughput in lanes divided by that of the same chains one after another, with our "
        "kernels, at states that were reached in a run. Deviations are those of forces on rollers from those of each "
        "chain alone, divided by the largest force.",
    )
    return Section("Loops in lanes", rows, remarks)


def _machine_code(name: str) -> str:
    """Machine code of the loops of a drive."""
    group = running_variants(name, 0.0)
    elastic = bool(group[0].system.parameters.planar.elastic_friction)
    told = []
    for lanes in LANES:
        contacts = contacts_of_lanes(group[:lanes])
        loop = contacts_in_lanes(lanes, elastic)
        found, done = assembly(loop, 1, contacts), counted(loop, 1, contacts)()
        told.append(
            f"in {lanes} lanes {found.wide} arithmetic instructions of four doubles, {found.narrow} of two, "
            f"{found.scalar} of one ({100.0 * done.packed / done.flops:.0f} % of the operations in registers)"
        )
    one = counted(of_one_chain(contacts_alone), 1, _chain(group[0]))()
    share = 100.0 * one.packed / one.flops
    return f"{name}, machine code of contacts: {'; '.join(told)}; for one chain {share:.0f} %."


def alike(quick: bool) -> Section:
    """Share of contacts common to all variants during a run of a second."""
    rows = []
    for name in METHODS:
        for kind, spread in SPREADS.items():
            group = variants(name, spread)
            samples = []
            for time in np.linspace(0.0, 1.0, 6 if quick else 201)[1:]:
                for each in group:
                    advance_to(each.run, float(time))
                samples.append([(_near(each.system), _pressed(each.system)) for each in group])
            for lanes in LANES:
                near, pressed = (np.array([[each[k] for each in sample[:lanes]] for sample in samples]) for k in (0, 1))
                common = near.all(axis=1).sum() / near.sum() * lanes
                extra = near.any(axis=1).sum() / near.sum() * lanes
                touching = pressed.all(axis=1).sum() / pressed.sum() * lanes
                remark = (
                    f"of rollers in contact {100.0 * touching:.0f} %; masked lanes compute {extra:.3g} times as many"
                )
                rows.append(Row(f"{name}, {kind}, {lanes} lanes", 100.0 * common, "%", remark=remark))
    remarks = [
        "The table gives the proportion of rollers near teeth that are near teeth in all lanes, over a run of 1 s; "
        "variants are compared roller by roller. Each variant starts with different random additions "
        f"of about {DISTURBED:g} m/s to the velocities."
    ]
    return Section("How similar the contacts of variants remain", rows, remarks)


def _pressed(system: System) -> np.ndarray:
    """Whether each roller touches each face, (faces, rollers)."""
    return np.asarray(system.parameters.planar.impact_speed > 0.0)


def bound(quick: bool) -> Section:
    """Largest possible gain of a run, from the shares of its parts."""
    count, repeats = (200, 3) if quick else (2000, 9)
    table: list[tuple[str, ...]] = []
    for name in METHODS:
        gains = [measured(name, 0.0, lanes, count, repeats).gains for lanes in LANES]
        links, contacts = (max(1.0, *(gain[k] for gain in gains)) for k in (0, 1))
        parts = _gaining(parts_of(name, 2 * count, repeats), links, contacts)
        alone = sum(time for time, _ in parts.values())
        shortened = [time / gain for time, gain in parts.values()]
        together, loops_alone = sum(shortened), sum(shortened[:LOOPS])
        table = table or [("example", *parts, "per step", "in lanes", "largest gain", "if only loops took time")]
        cells = (f"{time:.2f} / {gain:.2f}" for time, gain in parts.values())
        numbers = alone, together, alone / together, alone / loops_alone
        table.append((name, *cells, *(f"{number:.2f}" for number in numbers)))
    remarks = [
        "The cells give the time in us per step without rows, with default settings, and the gain. The gain of "
        "contacts and links is that measured above, the larger of those with "
        f"{' and '.join(map(str, LANES))} lanes with disturbed starts, and at least 1; the rest of "
        "evaluations gains as much as links. The method is a loop over "
        "states, which is already in registers. The work between steps (memory, search, extremes, frequency) is "
        f"assumed to become {REGISTER} times as fast, the width of a register, which code with branches never achieves."
    ]
    return Section("Largest possible gain of a run", [], remarks, table)


def _gaining(parts: Parts, links: float, contacts: float) -> dict[str, tuple[float, float]]:
    """Times of the parts of a step [us], and the possible gain of each."""
    between = parts.memory + parts.search + parts.extremes + parts.frequency
    return {
        "contacts": (parts.evaluations * parts.contacts, contacts),
        "rest of evaluations": (parts.evaluations * (parts.rhs - parts.contacts), links),
        "method": (parts.method, 1.0),
        "between steps": (between, float(REGISTER)),
    }
