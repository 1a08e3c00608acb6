"""Positions of rollers on rigid teeth and rails: projection after a step, and kinematic seats.

    python docs/validation/rigid_chains_positions.py [--write]

``--write`` makes ``rigid-chains-positions.md`` next to this file. Runs are kept in
``build/validation/rigid-chains-positions``: a call that was interrupted is resumed by the next one.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from _made import kept, kept_folder, made
from _writing import main_of
from rigid_chains import FROM, SEATED, SEATED_UNTIL, STEP, STEPPED, STEPPED_LINKS, longer, stepped

import chaindrive as cd
from chaindrive.formulations.planar.rigid_laws import ALLOWED
from chaindrive.model import Drive, example, override
from chaindrive.model.body import GROUND
from chaindrive.studies.formulations import in_formulation

PAGE = Path(__file__).with_name("rigid-chains-positions.md")
PROJECTION = "run.formulation.position_projection"
LONG = f"{STEPPED}, {STEPPED_LINKS} links"
STEPS = {LONG: (5e-5, 1e-4, 2e-4), "v6-timing": (1e-5, 2e-5, 4e-5)}
"""Drives whose positions are projected, with their steps. [s]"""
TIMING_UNTIL = 0.02
"""Length of the run of the timing drive. [s]"""
LINKS = {LONG: "clearance", "v6-timing": "ideal"}
"""Joints of the links. With clearance, pins break the timing drive at such steps, with and without projection."""
CHAINS = {"rollers": "roller", "links": "link"}


class Numbers(NamedTuple):
    """The compared numbers. They are for the last two thirds of a run, except for work and depths."""

    status: str
    tight: float
    """mean tension of the tightest span [N]"""
    most: float
    """tension exceeded by 1 % of all links [N]"""
    tooth: float
    """force on teeth exceeded by 1 % of the rollers in contact, in stored rows [N]"""
    seat: float
    """median distance of rollers in contact with wheels from their pitch circles, divided by the pitch [-]"""
    impacts: float
    """[J]"""
    projection: float
    """energy input by the projection of positions [J]"""
    input: float
    """[J]"""
    residual: float
    """residual of the energy balance, relative to the input [-]"""
    deepest: float
    """largest penetration relative to the pitch [-]; 0 with springs"""
    steps: int


def numbers(drive: Drive) -> list[Any]:
    """Run a drive and return its numbers, in a form for JSON."""
    run = cd.simulate(drive, progress=False)
    later = run.time >= FROM * run.time[-1]
    force, surface = (np.asarray(run.values(f"contact_{what}")[later]) for what in ("force", "surface"))
    force, wheels = np.abs(force), len(drive.wheels)
    on_teeth = (surface >= 0) & (surface < wheels) & (force > 0.0)
    work = float(run.values("work_input")[-1])
    projected = 0.0 - float(run.values("work_projection")[-1]) if "work_projection" in run.channels else 0.0
    return list(
        Numbers(
            run.status.name,
            float(np.nanmean(run.values("span_tension")[later], axis=0).max()),
            float(np.nanquantile(run.values("link_tension")[later], 0.99)),
            float(np.quantile(force[on_teeth], 0.99)),
            _off_the_circle(drive, np.asarray(run.values("roller_position")[later]), surface, on_teeth),
            float(run.values("work_contact")[-1]),
            projected,
            work,
            float(np.abs(run.values("energy_residual")).max()) / work,
            run.notes.get("largest_penetration", 0.0) / drive.chain.pitch,
            run.statistics["steps"],
        )
    )


def _off_the_circle(drive: Drive, place: np.ndarray, surface: np.ndarray, on_teeth: np.ndarray) -> float:
    """Distance of rollers from the pitch circle (see ``Numbers.seat``), for wheels that do not move."""
    apart = []
    for w, wheel in enumerate(drive.wheels):
        if wheel.body == GROUND:
            there = on_teeth & (surface == w)
            distance = np.hypot(*(place[there] - np.asarray(wheel.position)).T)
            apart.append(distance - 0.5 * drive.chain.pitch / np.sin(np.pi / wheel.teeth))
    return float(np.median(np.abs(np.concatenate(apart))) / drive.chain.pitch)


def _of(name: str, drive: Drive) -> Numbers:
    """The numbers of a run, which are kept by its name."""

    def computed() -> list[Any]:
        print(name, flush=True)
        return numbers(drive)

    return Numbers(*kept(kept_folder("rigid-chains-positions") / f"{name}.json", computed))


def _table(columns: tuple[str, ...], rows: list[str]) -> str:
    return "\n".join([f"| {' | '.join(columns)} |", f"|:--|:--|{'--:|' * (len(columns) - 2)}", *rows])


PROJECTED = (
    "drive", "contacts", "deepest", "tight span, mean [N]", "link, 1 % [N]", "impacts [J]", "projection [J]",
    "input [J]", "balance", "steps",
)  # fmt: skip


def _projections() -> str:
    """The table of drives with and without projection."""
    rows = []
    for name, steps in STEPS.items():
        base = longer(example(STEPPED), STEPPED_LINKS) if name == LONG else example(name)
        base = base if name == LONG else override(base, {"run.until": TIMING_UNTIL})
        for chain, kind in CHAINS.items():
            springs = in_formulation(base, kind)
            if kind == "link":
                springs = override(springs, {"run.formulation.joint": LINKS[name]})
            ways = {f"{chain}, springs": springs}
            for step in steps:
                hard = stepped(in_formulation(springs, f"{kind}-rigid"), step)
                told = f"{chain}, rigid, {1e6 * step:g} µs"
                ways |= {told: hard, f"{told}, projected": override(hard, {PROJECTION: True})}
            for way, drive in ways.items():
                found = _of(f"{name} {way} {LINKS[name]}", drive)
                rows.append(_projected_row(f"`{name}`" if "springs" in way else "", way, found))
    return _table(PROJECTED, rows)


def _projected_row(name: str, way: str, found: Numbers) -> str:
    way += f", {found.status}" if found.status != "REACHED_END" else ""
    projection = f"{found.projection:.2g}" if "projected" in way else "–"
    return (
        f"| {name} | {way} | {_part(found.deepest)} | {found.tight:.4g} | {found.most:.4g} | {found.impacts:.3g} | "
        f"{projection} | {found.input:.4g} | {found.residual:.1g} | {found.steps} |"
    )


def _part(value: float) -> str:
    return f"{100.0 * value:.2g} %" if value else "–"


SEATS = (
    "drive", "contacts", "from the pitch circle", "tight span, mean [N]", "link, 1 % [N]", "tooth, 1 % [N]",
    "impacts [J]", "balance", "deepest", "steps",
)  # fmt: skip


def _seats() -> str:
    """The table that compares kinematic seats with teeth, for rigid contacts and for springs."""
    rows = []
    for name in SEATED:
        base = override(example(name), {"run.until": SEATED_UNTIL, "contact.friction": 0.0})
        contacts = {"springs": in_formulation(base, "roller"), "rigid": in_formulation(base, "roller-rigid")}
        for told, drive in contacts.items():
            teeth = stepped(drive, STEP) if told == "rigid" else drive
            changes = {f"wheels.{i}.tooth": {"form": "kinematic-seat"} for i in range(len(drive.wheels))}
            for way, each in {"teeth": teeth, "kinematic seats": override(teeth, changes)}.items():
                found = _of(f"{name} {told} {way}, median", each)
                rows.append(
                    f"| `{name}` | {told}, {way} | {_part(found.seat)} | {found.tight:.4g} | {found.most:.4g} | "
                    f"{found.tooth:.3g} | {found.impacts:.2g} | {found.residual:.1g} | {_part(found.deepest)} | "
                    f"{found.steps} |"
                )
    return _table(SEATS, rows)


def page() -> str:
    """The whole page, in Markdown."""
    return f"""# Positions of rollers on rigid teeth

The page and all its numbers are generated by [`rigid_chains_positions.py`](rigid_chains_positions.py). Means and *1 %*
values are for the last two thirds of a run. *1 %*: the value exceeded by one per cent of all links, or of all rollers
in contact, in the stored rows.

- {made()}

## Projection of positions

An incoming roller is detected halfway through a step. By then it has entered the tooth, and an impulse, which
changes only velocities, leaves it there. With `position_projection = true`
([guide](../guide/rigid-contacts.md#the-step)) the roller is moved out again after the step, to a depth of {
        100.0 * ALLOWED:g} % of the pitch. The table covers a chain of {STEPPED_LINKS} rollers (`{
        STEPPED
    }` with a longer centre
distance) and the timing drive of a V6, and includes runs with springs in their contacts for comparison. *Projection*:
the energy that the projection adds to the chain.

{_projections()}

{PROJECTION_TEXT}

## Kinematic seats

Pedersen's constraint (2004, section 3.4) holds a roller on the pitch circle, at its position between two teeth, until
the wheel would have to pull it. Teeth of the form `kinematic-seat` do the same by contacts: by unilateral constraints
if contacts are rigid, and by contact springs if they are not. The table compares them with the teeth of the drives,
without friction. *From the pitch circle*: median distance of the rollers in contact from the pitch circle, relative to
the pitch.

{_seats()}

{SEATS_TEXT}
"""


PROJECTION_TEXT = """\
- With the default step, or with steps of up to 50 µs here, hardly any roller reaches the allowed depth: results for
  rollers do not change, and results for links hardly change.
- At 100 and 200 µs (71 and 35 steps for each link) the largest depth is a quarter to three fifths smaller. The tension
  exceeded by 1 % of the links, which long steps increase, is closer to that with springs; with rollers and 100 µs it
  agrees to within 1 %. Mean tensions of spans agree to within 1 % with and without projection.
- The price is artificial energy, part of which impacts dissipate again. It is small compared with the energy
  transmitted, but not compared with the losses on teeth; if these matter, use shorter steps.
- With links that have clearance the artificial energy is three to four times as large as with rollers: a bush that is
  pushed out of a tooth is pressed against its pin.
- In the timing drive, with steps of 20 and 40 µs (24 and 12 steps for each link), rollers enter deeper than allowed
  within a single step. No projection can prevent this: depths remain as they were, or increase if links are pushed."""

SEATS_TEXT = """\
- With rigid contacts a seat acts like the constraint: rollers are on the pitch circle to within thousandths or
  hundredths of a per cent of the pitch. In ordinary teeth, which are cut deeper, they are not.
- With springs, rollers are displaced from the pitch circle by the deflection of the walls. The displacement is small in
  the industrial drive, whose teeth are stiff. It is larger in the timing drive, in which the walls then distribute the
  load among more rollers, so that forces are smaller.
- With seats, mean tensions with rigid contacts and with springs agree to within 2 %; in the timing drive they are 8 %
  below those with teeth. Because the first rollers on a wheel carry the difference between the tensions of its spans,
  the largest forces on seats are 2.3 to 3.3 times those on teeth."""

if __name__ == "__main__":
    main_of(__doc__, PAGE, lambda _: page())
