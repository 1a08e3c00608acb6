"""Chains with rigid contacts compared with the same chains with springs in their contacts: examples, steps, generated
drives.

    python docs/validation/rigid_chains.py [--write]

``--write`` makes ``rigid-chains.md`` next to this file. Runs are kept in ``build/validation/rigid-chains``: a call that
was interrupted is resumed by the next one.
"""

from __future__ import annotations

import math
import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from _generated import generate
from _made import kept, kept_folder, made
from _rigid_chain_rows import CARRIED, METHODS, PULL, ROWS, SLIDING, STATIC
from _sprung_rails import SOFT, soft_rail
from _writing import main_of

import chaindrive as cd
from chaindrive.errors import ChaindriveError
from chaindrive.geometry.initial_configuration import fitting_distance
from chaindrive.geometry.route import tooth_frequency
from chaindrive.mechanism.facts import drive_facts
from chaindrive.model import Drive, example, override
from chaindrive.studies.formulations import in_formulation

PAGE = Path(__file__).with_name("rigid-chains.md")
EXAMPLES = {"timing-06b": 0.1, "pfeiffer-roller": 0.04, "v6-timing": 0.02, "6s90mc-c": 1.0}
"""The examples and the lengths of their runs [s]."""
FIXED = "6s90mc-c"
"""Examples that are preloaded on fixed centres."""
STIFFENED = ("v6-timing", FIXED)
"""Examples that are also run with stiffer contacts."""
WAYS = {
    "rollers, springs": "roller",
    "rollers, rigid": "roller-rigid",
    "links, springs": "link",
    "links, rigid": "link-rigid",
}
KEPT = "v6-timing"
"""An example in which some contacts keep their springs."""
KEPT_STEP = 1e-5
"""A long step for that example. [s]"""
LOSSES = {"timing-06b": 0.04, "v6-timing": 0.01}
"""Examples whose losses are examined in detail, with the lengths of their runs [s]."""
LOSS_STEPS = (2e-5, 1e-5, 5e-6, 2.5e-6, 1.25e-6)
"""Steps for these losses. [s]"""
TRUE_LAW = "flores"
"""A contact law whose restitution is close to the given value."""
STEPPED, STEPPED_LINKS, STEPPED_UNTIL = "industrial-08b", 120, 0.2
STEP = 2e-5
"""Step of drives with kinematic seats. [s]"""
STEPS = (1e-5, 2e-5, 5e-5, 1e-4, 2e-4)
"""Steps with which one drive is run. [s]"""
SEATED, SEATED_UNTIL = ("industrial-08b", "timing-06b"), 0.1
"""Drives that are run with kinematic seats, and the length of their runs [s]."""
SEED, COUNT = 30, 60
"""Generated drives."""
SOFTEST = 20.0
"""Factor on the stiffness of contacts, for the limit of stiff springs."""
FROM = 1.0 / 3.0
"""Fraction of a run after which numbers are evaluated."""
ACCOUNTS = {"articulation": "joints", "contact": "impacts", "friction": "friction on teeth", "guide": "guides"}


class Numbers(NamedTuple):
    """Compared numbers."""

    status: str
    cpu: float
    """CPU time [s], including the search for equilibrium but not compilation"""
    steps: int
    tight: float
    """mean tension of the tightest span [N]"""
    most: float
    """tension exceeded by 1 % of all links [N]"""
    tooth: float
    """force on teeth exceeded by 1 % of the rollers in contact, in stored rows [N]"""
    lost: dict[str, float]
    """[J]"""
    work: float
    """[J]"""
    residual: float
    """residual of the energy balance, relative to the energy exchanged [-]"""
    deepest: float
    """largest penetration relative to the pitch [-]; 0 with springs"""


def numbers(drive: Drive) -> list[Any]:
    """Run a drive and return its numbers, in a form for JSON."""
    cd.simulate(drive, 1e-4, progress=False)  # compiles
    begun = time.process_time()
    run = cd.simulate(drive, progress=False)
    cpu, later = time.process_time() - begun, run.time >= FROM * run.time[-1]
    force = np.abs(run.values("contact_force")[later])
    surface = np.asarray(run.values("contact_surface"))[later]
    on_teeth = force[(surface >= 0) & (surface < len(drive.wheels)) & (force > 0.0)]
    works = {name: float(run.values(f"work_{name}")[-1]) for name in ("input", "output", *ACCOUNTS)}
    exchanged = max(works["input"], -works["output"], sum(works[name] for name in ACCOUNTS), 1e-300)
    return list(
        Numbers(
            run.status.name,
            cpu,
            run.statistics["steps"],
            float(np.nanmean(run.values("span_tension")[later], axis=0).max()),
            float(np.nanquantile(run.values("link_tension")[later], 0.99)),
            float(np.quantile(on_teeth, 0.99)) if on_teeth.size else 0.0,
            {name: works[name] for name in ACCOUNTS},
            exchanged,
            float(np.abs(run.values("energy_residual")).max()) / exchanged,
            run.notes.get("largest_penetration", 0.0) / drive.chain.pitch,
        )
    )


def stepped(drive: Drive, step: float) -> Drive:
    """The same drive with a step [s]."""
    return override(drive, {"run.solver.step": step})


def longer(drive: Drive, links: int) -> Drive:
    """A drive of two wheels with a different number of links, whose second wheel is moved to keep the slack."""
    way, teeth = drive_facts(drive).route, [wheel.teeth for wheel in drive.wheels]
    taut = {n: fitting_distance(way, drive.chain.pitch, teeth, n) or 0.0 for n in (drive.chain.links, links)}
    x, y = drive.wheels[1].position
    moved = (x + taut[links] - taut[drive.chain.links], y)
    return override(drive, {"chain.links": links, "wheels.1.position": moved, "run.until": STEPPED_UNTIL})


def revolute(drive: Drive) -> Drive:
    """The same drive with rigid contacts and with rigid links whose joints are constraints."""
    tight = override(drive, {"chain.joint_clearance": 0.0})
    return override(in_formulation(tight, "link-rigid"), {"run.formulation.joint": "revolute"})


def stiffer(drive: Drive, factor: float) -> Drive:
    """The same drive with stiffer contacts."""
    changes = {"contact.stiffness": factor * drive.contact.stiffness}
    changes |= {
        f"{parts}.{i}.contact.stiffness": factor * part.contact.stiffness
        for parts in ("wheels", "guides")
        for i, part in enumerate(getattr(drive, parts))
        if part.contact is not None
    }
    return override(drive, changes)


class Runs:
    """The numbers of runs, which are kept by name."""

    def __init__(self) -> None:
        self._folder = kept_folder("rigid-chains")

    def of(self, name: str, drive: Drive) -> Numbers | None:
        """The numbers of a drive; None if it cannot be run in this way."""

        def computed() -> list[Any]:
            print(name, flush=True)
            try:
                return numbers(drive)
            except ChaindriveError as error:
                print(f"    {error}", flush=True)
                return []

        found = kept(self._folder / f"{name}.json", computed)
        return Numbers(*found) if found else None


def page(runs: Runs) -> str:
    """The whole page, in Markdown."""
    return f"""# Chains with rigid contacts

This page compares the same drives with springs in their contacts (`contacts = "compliant"`) and with rigid contacts
(`contacts = "rigid"`, [decision 13](../decisions/0013-rigid-contacts.md)). The page and all its numbers are generated
by [`rigid_chains.py`](rigid_chains.py). Numbers are for the last two thirds of each run. *1 %*: the value exceeded by
one per cent of all links, or of all rollers in contact, in the stored rows.

- {made()}

## Examples

{HEADING}
{chr(10).join(_examples(runs))}

- Where the chain has a tensioner, mean tensions, losses and forces on teeth agree between rollers and links,
  and between springs and rigid contacts. A rigid contact stores no energy, so that *impacts* is the total loss in
  contacts.
- With *revolute* joints, links are as rigid as the contacts and have no clearance. Then only the tensioner and the
  wheels yield to the polygonal action. Tensions fluctuate more and pump up a hydraulic tensioner, so that its mean
  force, all tensions and the losses on guides increase. The largest tensions are impulses divided by the step, and
  therefore increase as the step becomes shorter.
- `v6-timing`: with springs, rollers are pressed into teeth and rails, which shortens the path of the chain; with rigid
  contacts the tensioner is compressed further, and all tensions are higher. With contacts {SOFTEST:g} times stiffer,
  the results with springs approach those with rigid contacts.
- `6s90mc-c` is preloaded on fixed centres. Its tension depends on the lengths of chain and route: teeth with springs
  yield under it, rigid teeth do not. With contacts {SOFTEST:g} times stiffer the result is close to that with rigid
  contacts. If links are as rigid as the teeth, no model can determine the tension of a closed chain on fixed centres:
  the loop is statically indeterminate, and a micrometre of wear changes its tension.
  Revolute joints are refused there.

## Some contacts with springs

`{KEPT}` runs with rigid contacts except where a wheel or guide keeps its springs (`contact.compliant`,
[guide](../guide/rigid-contacts.md#contacts-that-keep-their-springs)). The table compares this with springs everywhere
and with rigid contacts everywhere:

{HEADING}
{chr(10).join(_mixed(runs))}

- The difference between springs and rigid contacts is due to the teeth here, not to the rails: all around the wheels,
  rollers are pressed into their seats, which shortens the path of the chain. If the teeth keep their springs, all
  tensions and losses are as with springs everywhere; springs in the rails alone hardly change anything.
- With springs in all contacts the equations are the same as with the usual springs, and only the method differs: its
  steps are those of rigid contacts, and the contact law, including its losses, is integrated implicitly. A step of {
        1e6 * KEPT_STEP:g} µs does not resolve a contact;
  means and losses remain accurate, and the energy residual, which decreases with the square of the step, is as with
  rigid contacts.
- Links with springs in all contacts need no shorter step, whereas links on rigid teeth do.

## Closed forms

{CLOSED_HEADING}
{chr(10).join(_closed_forms())}

- The conveyor has {CARRIED:g} kg on a rail, drawn at {1e3 * PULL:g} mm/s by a chain of 40 links that also lies on
  it; its coefficients of friction are {STATIC:g} when it sticks and {SLIDING:g} when it slides
  (`static_friction`, `friction`).
- The values for straight flanks are compared with Binder's series for a wheel without friction. Kinematic seats are
  explained below.
- The last rows are for a chain that bounces on a rail of {1e-6 * SOFT:g} kN/mm without leaving it; each roller is on
  its own spring.

## Kinematic seats

Pedersen (2004, section 3.4) first used a constraint that fixes rollers at their positions on the pitch circle, and then
abandoned it: the steps became small when rollers were captured, and forces pulled rollers towards the wheel before his
rule released them. Teeth of the form `kinematic-seat` hold rollers in a similar way by contacts without friction, with
walls perpendicular to the sides of the pitch polygon. The table compares the same drives with their own teeth, without
friction, and with such seats:

{HEADING}
{chr(10).join(_seats(runs))}

- Steps are as long as with other teeth, and no contact pulls.
- The first two rollers on a wheel carry the whole difference between the tensions of its spans, so that forces are
  larger than on teeth, whose inclined flanks distribute it among several rollers. The other links on the wheel keep the
  tension with which they entered. Mean tensions of spans differ by a few per cent. The constraint is a poor model of
  tooth loads, but an adequate model of the motion.

Results with springs in the contacts, and the distances of the rollers from the pitch circle, are on the page about
[positions](rigid-chains-positions.md#kinematic-seats).

## Steps

The table is for a chain of {STEPPED_LINKS} rollers (`{STEPPED}` with the centre distance that {STEPPED_LINKS} links
need, {1e3 * longer(example(STEPPED), STEPPED_LINKS).wheels[1].position[0]:.1f} mm) over {STEPPED_UNTIL:g} s, and
includes a run with springs in its contacts for comparison:

{HEADING}
{chr(10).join(_steps(runs))}

The chain advances by a link in {1e3 * _link_passage(longer(example(STEPPED), STEPPED_LINKS)):.2g} ms. An incoming
roller is detected halfway through a step; by then it may have entered the tooth by its speed times half a step. The
largest of these penetrations, *deepest*, strains the chain, most of all where spans are short and stiff. A run gives a
warning if it exceeds 0.5 % of the pitch. Positions can be
[projected](rigid-chains-positions.md#projection-of-positions) to reduce it.

Which step to choose:

- The default step (*none given* in the table) depends on the drive: there are 80 to 150 steps while the chain advances
  by a link, and at least 30 in a period of the fastest transverse vibration of tight links, which decides in slow
  drives.
- Mean tensions of spans are accurate over the whole range, to within 1 % at 200 µs. Peaks and losses are not: up to 50
  µs (140 steps for each link) the tension exceeded by 1 % of the links agrees with that of springs to within 2 %; at
  100 µs it is 4 to 7 % higher, and at 200 µs it is 17 to 20 % higher and impacts lose nine times as much energy.
- To check a result, halve the step: numbers that do not change are reliable. Contact forces are means over a step, and
  always change with it.

## Losses taken apart

Joints and friction on teeth lose less with rigid contacts than with springs. Here the drives run with steps of several
lengths, and with springs of a different contact law, `{TRUE_LAW}`. Joints of links are ideal, that is, as stiff as the
links:

{HEADING}
{chr(10).join(_losses(runs))}

The table gives the losses with rigid contacts and the shortest step, {1e6 * LOSS_STEPS[-1]:g} µs, divided by those
of the other runs:

{PARTS_HEADING}
{chr(10).join(_parts(runs))}

- *Contact law.* This accounts for most of the difference. By the default law, `lankarani-nikravesh`, a contact
  rebounds faster than its restitution of 0.3 implies ([contact](../theory/contact.md)): rollers rattle and slide more
  in their seats. With `{TRUE_LAW}`, which is closer to the given restitution, joints lose nearly as much as with rigid
  contacts, and teeth as much or less.
- *Step.* With a longer step, a landing roller receives a single impulse, and some of the vibrations that follow are
  missed. The effect is small in joints and larger on teeth.
- *Joint law.* In chains of rollers, the springs and dampers of joint friction are made as soft as the step can resolve;
  in chains of links they keep their own values and are integrated implicitly. Relative to springs in the contacts, the
  losses of both are reduced by nearly the same factor.

## Generated drives

{_generated(runs)}
"""


COLUMNS = (
    "drive", "contacts", "tight span, mean [N]", "link, 1 % [N]", "tooth, 1 % [N]", "joints [J]", "impacts [J]",
    "friction on teeth [J]", "guides [J]", "balance", "deepest", "steps", "CPU [s]",
)  # fmt: skip
HEADING = f"| {' | '.join(COLUMNS)} |\n|:--|:--|{'--:|' * (len(COLUMNS) - 2)}"


def _row(name: str, what: str, found: Numbers | None) -> str:
    if found is None:
        return f"| {name} | {what} | – | – | – | – | – | – | – | – | – | – | – |"
    if found.status != "REACHED_END":
        what += f", {found.status}"
    lost = " | ".join(f"{found.lost[account]:.3g}" for account in ACCOUNTS)
    deepest = f"{100.0 * found.deepest:.2g} %" if found.deepest else "–"
    return (
        f"| {name} | {what} | {found.tight:.4g} | {found.most:.4g} | {found.tooth:.3g} | {lost} | "
        f"{found.residual:.1g} | {deepest} | {found.steps} | {found.cpu:.2g} |"
    )


CLOSED_HEADING = "| problem | quantity | known | found |\n|:--|:--|--:|--:|"


def _closed_forms() -> list[str]:
    rows = [row for problem in (*ROWS.values(), soft_rail) for row in problem(METHODS[0])]
    return [f"| {row.problem} | {row.quantity} [{row.unit}] | {row.wanted:.5g} | {row.found:.5g} |" for row in rows]


def _seats(runs: Runs) -> list[str]:
    rows = []
    for name in SEATED:
        teeth = override(
            stepped(in_formulation(example(name), "roller-rigid"), STEP),
            {"run.until": SEATED_UNTIL, "contact.friction": 0.0},
        )
        seats = override(teeth, {f"wheels.{i}.tooth": {"form": "kinematic-seat"} for i in range(len(teeth.wheels))})
        rows += [
            _row(f"`{name}`", way, runs.of(f"{name} {way}", each))
            for way, each in {"teeth": teeth, "kinematic seats": seats}.items()
        ]
    return rows


def _examples(runs: Runs) -> list[str]:
    rows = []
    for name, until in EXAMPLES.items():
        drive = override(example(name), {"run.until": until})
        ways = {way: in_formulation(drive, kind) for way, kind in WAYS.items()}
        if name != FIXED:
            ways["links, rigid, revolute"] = revolute(drive)
        if name in STIFFENED:
            ways[f"rollers, springs, {SOFTEST:g} times stiffer"] = stiffer(drive, SOFTEST)
        rows += [_row(f"`{name}`", way, runs.of(f"{name} {way}", each)) for way, each in ways.items()]
    return rows


def _mixed(runs: Runs) -> list[str]:
    """Rows for a drive whose rails, teeth or both keep their springs."""
    drive = override(example(KEPT), {"run.until": EXAMPLES[KEPT]})
    rails = {f"guides.{i}.contact.compliant": True for i in range(len(drive.guides))}
    teeth = {"contact.compliant": True}
    springs = {"rails with springs": rails, "teeth with springs": teeth, "all with springs": teeth | rails}
    rows = []
    for chain, kind in (("rollers", "roller"), ("links", "link")):
        ways = {f"{chain}, springs": in_formulation(drive, kind)}
        hard = in_formulation(drive, f"{kind}-rigid")
        if kind == "roller":
            ways[f"{chain}, rigid"] = hard
        ways |= {
            f"{chain}, rigid, {what}": override(hard, changes)
            for what, changes in springs.items()
            if kind == "roller" or what == "all with springs"
        }
        long = stepped(override(hard, teeth | rails), KEPT_STEP)
        ways[f"{chain}, rigid, all with springs, {1e6 * KEPT_STEP:g} µs"] = long
        rows += [_row(f"`{KEPT}`", way, runs.of(f"{KEPT} {way}", each)) for way, each in ways.items()]
    return rows


def _steps(runs: Runs) -> list[str]:
    drive, name = longer(example(STEPPED), STEPPED_LINKS), f"{STEPPED}, {STEPPED_LINKS} links"
    rows = []
    for way, kind in WAYS.items():
        given = in_formulation(drive, kind)
        if not given.run.formulation.rigid_contacts:
            rows.append(_row(name, way, runs.of(f"{name} {way}", given)))
            continue
        for told, each in _with_steps(way, given).items():
            rows.append(_row("", told, runs.of(f"{name} {told}", each)))
    return rows


def _with_steps(way: str, drive: Drive) -> dict[str, Drive]:
    """The drive with every step, and with the default step."""
    return {f"{way}, {1e6 * step:g} µs": stepped(drive, step) for step in STEPS} | {f"{way}, none given": drive}


def _link_passage(drive: Drive) -> float:
    """Time in which the chain advances by a link. [s]"""
    return 1.0 / float(tooth_frequency(drive_facts(drive).highest_speed, drive.wheels[0].teeth))


def _ways_of_losses(name: str) -> dict[str, Drive]:
    """The drives whose losses are compared, by what distinguishes them."""
    drive = override(example(name), {"run.until": LOSSES[name]})
    links = override(in_formulation(drive, "link"), {"run.formulation.joint": "ideal"})
    ways: dict[str, Drive] = {}
    for told, springs in (("rollers", in_formulation(drive, "roller")), ("links", links)):
        hard = in_formulation(springs, f"{springs.run.formulation.kind}-rigid")
        ways[f"{told}, springs"] = springs
        ways[f"{told}, springs, {TRUE_LAW}"] = override(springs, {"run.formulation.contact_law": TRUE_LAW})
        ways |= {f"{told}, rigid, {1e6 * step:g} µs": stepped(hard, step) for step in LOSS_STEPS}
    return ways


def _losses(runs: Runs) -> list[str]:
    return [
        _row(f"`{name}`", way, runs.of(f"losses of {name} {way}", drive))
        for name in LOSSES
        for way, drive in _ways_of_losses(name).items()
    ]


PARTS_HEADING = """\
| drive | chain | joints: springs | law | longest step | friction on teeth: springs | law | longest step |
|:--|:--|--:|--:|--:|--:|--:|--:|"""


def _parts(runs: Runs) -> list[str]:
    """Rows with the losses with the shortest step, divided by those with springs, with springs of the other law, and
    with the longest step.
    """
    lines = []
    for name in LOSSES:
        found = {way: runs.of(f"losses of {name} {way}", drive) for way, drive in _ways_of_losses(name).items()}
        for told in ("rollers", "links"):
            steps = [found[f"{told}, rigid, {1e6 * step:g} µs"] for step in LOSS_STEPS]
            others = found[f"{told}, springs"], found[f"{told}, springs, {TRUE_LAW}"], steps[0]
            cells = [
                f"{steps[-1].lost[account] / other.lost[account]:.2f}" if steps[-1] and other else "–"
                for account in ("articulation", "friction")
                for other in others
            ]
            lines.append(f"| `{name}` | {told} | {' | '.join(cells)} |")
    return lines


def _generated(runs: Runs) -> str:
    pairs, ended, refused = [], [], 0
    for index in range(COUNT):
        drive = generate(SEED, index)
        springs = runs.of(f"generated {index} springs", drive)
        hard = runs.of(f"generated {index} rigid", in_formulation(drive, "roller-rigid"))
        if springs is None or hard is None:
            refused += 1
        elif springs.status != hard.status:
            ended.append(f"| {index} {drive.name} | {springs.status} | {hard.status} |")
        else:
            pairs.append((index, drive, springs, hard))
    ratios = np.array([hard.tight / springs.tight for _, _, springs, hard in pairs if springs.tight > 0.0])
    worst = sorted(pairs, key=lambda each: -abs(math.log(max(each[3].tight, 1e-9) / max(each[2].tight, 1e-9))))[:10]
    lines = [
        f"| {index} {drive.name} | {springs.tight:.4g} | {hard.tight:.4g} | {hard.tight / springs.tight:.3g} | "
        f"{100.0 * hard.deepest:.2g} % | {hard.residual:.1g} |"
        for index, drive, springs, hard in worst
    ]
    worst_balance = max((hard.residual for *_, hard in pairs), default=0.0)
    heading = "\nOther endings:\n\n| drive | springs | rigid |\n|:--|:--|:--|\n"
    others = heading + "\n".join(ended) + "\n" if ended else ""
    quantiles = ", ".join(f"{value:.3g}" for value in np.quantile(ratios, (0.1, 0.5, 0.9)))
    return f"""\
{COUNT} drives of the [generator](generated-drives.md) are run with the default step: {len(pairs)} end in the same way
with springs and with rigid contacts, {len(ended)} end differently, and {refused} cannot be run with one of them.

The mean tension of the tightest span with rigid contacts, divided by that with springs, is {quantiles} (10th
percentile, median, 90th percentile). The largest energy residual with rigid contacts is {worst_balance:.1g} of the
energy exchanged. The ten drives with the largest difference in tension are preloaded on fixed centres, like `6s90mc-c`,
or have teeth that obstruct the path of the rollers (*simplified teeth*; `check` gives a warning): loaded contacts there
yield if they
have springs, and push the chain aside if they are rigid. One of the ten has a slack chain that jumps a tooth, in one of
the two runs sooner than in the other, and its means cover the time before.

| drive | springs [N] | rigid [N] | ratio | deepest | balance |
|:--|--:|--:|--:|--:|--:|
{chr(10).join(lines)}
{others}"""


if __name__ == "__main__":
    main_of(__doc__, PAGE, lambda _: page(Runs()))
