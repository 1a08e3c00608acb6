"""Rigid links in Cartesian and in path coordinates: Jacobians, evaluations and steps of explicit and implicit methods.

    python docs/validation/path_coordinates.py [--write]

``--write`` makes ``path-coordinates.md`` next to this file. Takes a quarter of an hour.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from _made import made
from _writing import options, publish
from scipy.integrate import BDF, OdeSolver, Radau
from scipy.sparse import csc_matrix

import chaindrive as cd
from chaindrive.contract.states import Kind
from chaindrive.contract.status import FIRST_FAILURE, Accepted, Status
from chaindrive.contract.system import System
from chaindrive.kernels.tables import copied
from chaindrive.model import LinkOptions, override
from chaindrive.simulation.start import prepare
from chaindrive.solvers import Integrator, SolverSettings

HERE = Path(__file__).parent
PAGE = HERE / "path-coordinates.md"

DRIVES = ("industrial-08b", "pfeiffer-roller", "v6-timing")
PITCHES = 2.0
"""Travel of the chain in the compared runs. [pitches]"""
LEAD = 4.0
"""Travel of the chain before the compared runs. [pitches]"""
TOLERANCES = (1.0, 0.01)
"""Factor on the default tolerances of the formulation."""
IMPLICIT: dict[str, type[OdeSolver]] = {"BDF": BDF, "Radau IIA": Radau}
WORDS = """The tables show the following:

- Both sets of coordinates give the same motion: they differ by no more than the tolerance allows.
- The contribution of the joints to the Jacobian changes half as fast in path coordinates at first, and a third as much
  over a whole pitch.
- Implicit methods gain nothing from this: they need as many Jacobians, factorisations and steps. The other causes of
  short steps, which are the opening and closing of contacts and the frequencies of joints and contacts, are the same in
  both. Hippmann, Arnold
  and Schittenhelm (2005) do not state what their coordinates save; undamped oscillations and contacts limit the step
  of all their methods (section 4.1).
- Explicit methods need as many steps and evaluations, but each evaluation costs more: for each link it needs two
  polynomials, a sine and a cosine, and a search for the element of the trajectory. chaindrive therefore uses Cartesian
  coordinates.
- In both sets of coordinates chaindrive searches for contacts in the same way, by boxes and circles around guides and
  wheels between steps. Hippmann, Arnold and
  Schittenhelm (2005, section 2.2) instead obtain the wheel or guide that a link touches from its element of the
  trajectory. This could save at most the share in the last table, and would miss contacts of a link far from the
  trajectory (in a slack span that whips or a chain that jumps). chaindrive therefore does not use this.
"""
"""Text about the tables."""
SHIFT = 1e-7
"""Displacement of an unknown for a Jacobian by differences [m, rad]; for velocities it is a thousand times as large."""


class Drive(NamedTuple):
    """A running drive in one kind of coordinates."""

    system: System
    """The system, with the state and memory that it has reached."""
    pitch_time: float
    """Time in which the chain advances by one pitch. [s]"""


class Cost(NamedTuple):
    """Cost and result of a run."""

    method: str
    coordinates: str
    tolerance: float
    steps: int
    rejected: int
    evaluations: int
    """Number of evaluations, without those for Jacobians."""
    jacobians: int
    factorisations: int
    seconds: float
    """CPU time."""
    state: Any
    """Positions of the bushes at the end, (2 N,) [m]"""


def started(name: str) -> System:
    """An example with rigid links, settled and rolling at its speed.

    The joints have no clearance: the direction in which a pin touches its bush would change equally in both sets of
    coordinates, and would hide their differences.
    """
    drive = override(cd.example(name), {"chain.joint_clearance": 0.0})
    return prepare(drive, LinkOptions(coordinates="path"), start="at_speed").system


def running(start: System) -> dict[str, Drive]:
    """The drive in one kind of coordinates, in its state after some time."""
    pitch_time = start.parameters.planar.pitch / abs(float(start.story.notes["chain_speed"]))
    integrator = Integrator(start, SolverSettings(), LEAD * pitch_time)
    finish(integrator, LEAD * pitch_time)
    reached = replace(start, state=integrator.state.copy())
    return {"cartesian": Drive(reached, pitch_time), "path": Drive(reached.as_integrated, pitch_time)}


def finish(integrator: Integrator, until: float) -> None:
    """Integrate to the end. Raises RuntimeError if that fails."""
    while (status := integrator.advance(until)) == Status.RUNNING:
        integrator.take_rows()
    if status != Status.REACHED_END:
        raise RuntimeError(status.description)


def bushes(system: System, state: Any) -> Any:
    """Positions of the bushes. [m]"""
    return system.channel("roller_position").read(system.row(0.0, state)).T.ravel().copy()


def tolerances(system: System, factor: float, works: float) -> Any:
    """Absolute tolerance of every state. works: tolerance of the work integrals."""
    values = {kind: factor * value for kind, value in system.motion.tolerances.items()} | {Kind.WORK: works}
    return np.array([values[Kind(kind)] for kind in system.kinds])


def explicit(drive: Drive, coordinates: str, factor: float) -> Cost:
    """Run by Dormand-Prince over a number of pitches."""
    names = ("length", "angle", "speed", "angular_speed", "pressure")
    kinds = (Kind.LENGTH, Kind.ANGLE, Kind.SPEED, Kind.ANGULAR_SPEED, Kind.PRESSURE)
    given = {
        f"atol_{name}": factor * drive.system.motion.tolerances[kind] for name, kind in zip(names, kinds, strict=True)
    }
    system, end = drive.system, PITCHES * drive.pitch_time
    finish(Integrator(system, SolverSettings(**given), end), 1e-3 * end)  # compiles, or loads
    begin(system)
    integrator = Integrator(system, SolverSettings(**given), end)
    begun = time.process_time()
    finish(integrator, end)
    seconds, did = time.process_time() - begun, integrator.statistics
    place = bushes(system, integrator.state)
    return Cost("Dormand-Prince", coordinates, factor, did.steps, did.rejected, did.evaluations, 0, 0, seconds, place)


def begin(system: System) -> None:
    """Set the contact memory for the state of the system. Raises RuntimeError if the run ends in this state."""
    if system.kernels.begin(0.0, system.state, system.parameters) >= FIRST_FAILURE:
        raise RuntimeError("the run ends in this state")


class Counted:
    """The right-hand side and its Jacobian by finite differences, for a method that knows nothing about the drive and
    its memory.
    """

    def __init__(self, system: System) -> None:
        self.system, self.evaluations = system, 0
        self.shifts = np.where(np.isin(system.kinds, (Kind.LENGTH, Kind.ANGLE)), SHIFT, 1e3 * SHIFT)
        self.shifts[system.kinds == Kind.PRESSURE] = 1.0

    def rate(self, t: float, y: Any) -> Any:
        """dy/dt."""
        self.evaluations += 1
        dy = np.zeros_like(y)
        self.system.kernels.rhs(t, y, dy, self.system.parameters)
        return dy

    def jacobian(self, t: float, y: Any) -> Any:
        """d(dy/dt)/dy; the columns of work integrals are zero."""
        before, found = self.evaluations, np.zeros((y.size, y.size))
        at = self.rate(t, y)
        for j in np.flatnonzero(self.system.kinds != Kind.WORK):
            moved = y.copy()
            moved[j] += self.shifts[j]
            found[:, j] = (self.rate(t, moved) - at) / self.shifts[j]
        self.evaluations = before
        return csc_matrix(found)


def implicit(drive: Drive, coordinates: str, method: str, factor: float) -> Cost:
    """Run by an implicit method of scipy; the memory of the contacts is updated after each accepted step."""
    system, end = drive.system, PITCHES * drive.pitch_time
    begin(system)
    count = Counted(system)
    begun = time.process_time()
    found = IMPLICIT[method](
        count.rate, 0.0, system.state.copy(), end, rtol=1e-13, atol=tolerances(system, factor, 1e9), jac=count.jacobian
    )
    steps = 0
    while found.status == "running":
        message = found.step()
        if found.status == "failed":
            raise RuntimeError(message)
        steps += 1
        before = count.evaluations
        count.rate(found.t, found.y)
        answer = system.kernels.accept(found.t, found.y, system.parameters)
        if answer >= FIRST_FAILURE:
            raise RuntimeError(f"ending {answer}")
        if answer != Accepted.RHS_CHANGED:
            count.evaluations = before
    seconds = time.process_time() - begun
    return Cost(
        method,
        coordinates,
        factor,
        steps,
        0,
        count.evaluations,
        found.njev,
        found.nlu,
        seconds,
        bushes(system, found.y),
    )


def change_of_jacobian(drive: Drive) -> dict[float, float]:
    """Relative change of the Jacobian of the accelerations with respect to positions after travel by parts of a
    pitch.
    """
    system = drive.system
    begin(system)
    first, rows = _stiffness(system, system.state), {}
    integrator = Integrator(system, SolverSettings(), drive.pitch_time)
    for part in (0.125, 0.25, 0.5, 1.0):
        finish(integrator, part * drive.pitch_time)
        other = _stiffness(system, integrator.state)
        rows[part] = float(np.linalg.norm(other - first) / np.linalg.norm(first))
    return rows


def _stiffness(system: System, state: Any) -> Any:
    """Contribution of the joints to the derivative of the accelerations of the links with respect to their positions.

    Contacts are left out because they open and close. Lengths are in pitches, so that they are comparable with angles.
    """
    n = 3 * system.parameters.links
    p = system.parameters
    none = copied(p.planar.used)
    for count in none:
        count[:] = 0
    alone = replace(system, parameters=p._replace(planar=p.planar._replace(used=none)))
    found = Counted(alone).jacobian(0.0, state)[system.positions : system.positions + n, :n].toarray()
    scale = np.concatenate([np.full(2 * n // 3, p.planar.pitch), np.ones(n // 3)])
    return found * scale / scale[:, None]


class Search(NamedTuple):
    """CPU times of the search for contacts. [s]"""

    every: float
    """Simulated time between two searches."""
    whole: float
    """One search."""
    step: float
    """CPU time of the run between two searches, without the searches."""


def search(drive: Drive, cost: Cost) -> Search:
    """Measure the search for contacts. drive: a drive in path coordinates."""
    system = drive.system
    begin(system)
    p = system.parameters
    due = float(p.planar.search.due[0])
    rates = np.zeros_like(system.state)
    whole = _least(lambda: system.kernels.begin(0.0, system.state, p))
    rhs = _least(lambda: system.kernels.rhs(0.0, system.state, rates, p))
    run = cost.seconds / (PITCHES * drive.pitch_time)
    searching = max(whole - rhs, 0.0)
    return Search(due, searching, max(run * due - searching, 0.0))


def _least(call: Any, times: int = 300) -> float:
    """The shortest CPU time of a call. [s]"""
    call()
    least = np.inf
    for _ in range(times):
        begun = time.perf_counter()
        call()
        least = min(least, time.perf_counter() - begun)
    return float(least)


class Rows(NamedTuple):
    """Rows of the tables for a drive."""

    curve: list[str]
    costs: list[str]
    changed: list[str]
    searched: list[str]


def curve(name: str, system: System) -> str:
    """The row of the trajectory of a drive in path coordinates."""
    notes = system.story.notes
    left_out = ", ".join(f"{guide} ({arcs})" for guide, arcs in notes["trajectory_left_out"].items()) or "none"
    return (
        f"| {name} | {notes['trajectory_length']:.4f} | {1e3 * notes['trajectory_offset']:.2g} "
        f"| {1e3 * system.parameters.planar.pitch:.4g} | {left_out} |"
    )


def measured(name: str) -> Rows:
    """Rows of the tables for a drive."""
    start = started(name)
    drives = running(start)
    curves = [curve(name, drives["path"].system)]
    costs = []
    for factor in TOLERANCES:
        costs += [explicit(drive, coordinates, factor) for coordinates, drive in drives.items()]
    for method in IMPLICIT:
        costs += [implicit(drive, coordinates, method, TOLERANCES[0]) for coordinates, drive in drives.items()]
    reference = next(cost for cost in costs if cost.tolerance == min(TOLERANCES))
    rows = []
    for cost in costs:
        off = 1e6 * float(np.abs(cost.state - reference.state).max())
        each = 1e6 * cost.seconds / cost.evaluations
        more = f"{cost.jacobians} | {cost.factorisations} | |" if cost.jacobians else f"| | {each:.1f} |"
        rows.append(
            f"| {name} | {cost.method} | {cost.tolerance:g} | {cost.coordinates} | {cost.steps} | {cost.evaluations} |"
            f" {more} {off:.2g} |"
        )
        print(rows[-1], flush=True)
    changes = {coordinates: change_of_jacobian(drive) for coordinates, drive in drives.items()}
    changed = [
        f"| {name} | {coordinates} | " + " | ".join(f"{100.0 * value:.2g} %" for value in change.values()) + " |"
        for coordinates, change in changes.items()
    ]
    own = next(cost for cost in costs if cost.coordinates == "path")
    cost = search(drives["path"], own)
    share = 100.0 * cost.whole / (cost.whole + cost.step)
    times = f"{1e6 * cost.every:.0f} | {1e6 * cost.whole:.1f} | {share:.2g} %"
    searched = [f"| {name} | {times} |"]
    print(*curves, *changed, *searched, sep="\n", flush=True)
    return Rows(curves, rows, changed, searched)


def page(tables: Sequence[Rows]) -> str:
    """The page as Markdown."""
    curves, costs, changed, searched = ("\n".join(itertools.chain(*rows)) for rows in zip(*tables, strict=True))
    return f"""# Coordinates of rigid links

This page is written by `python docs/validation/path_coordinates.py --write`; it was {made()}.

The same drives, with rigid links and without clearance in their joints, run in Cartesian coordinates (x, y and angle of
each link) and in path coordinates (s, y and gamma along the trajectory of the chain; Hippmann, Arnold and Schittenhelm
2005, section 2.2). Each chain first travels {LEAD:g} pitches; then {PITCHES:g} more pitches are integrated and
compared. Tolerances are multiples of the defaults of chaindrive. The implicit methods are those of scipy, with
Jacobians by finite differences; the memory of contacts is updated after their accepted steps. *Error* is the largest
distance of a bush at the end from its position in the run by Dormand-Prince with the tightest tolerance.

The trajectory runs around the wheels and the arcs of guides on which the chain lies; arcs near the chain that it does
not follow are omitted.

| drive | length [m] | largest distance of links from it [mm] | pitch [mm] | arcs of guides omitted |
|:--|--:|--:|--:|:--|
{curves}

| drive | method | tolerance | coordinates | steps | evaluations | Jacobians | factorisations | CPU [us] | error [um] |
|:--|:--|--:|:--|--:|--:|--:|--:|--:|--:|
{costs}

*Evaluations* do not include those for Jacobians. *CPU* is the CPU time of a run divided by its evaluations.

The next table concerns the contribution of the joints to the Jacobian of the accelerations with respect to positions,
with lengths in pitches. (Contacts are left out, because they open and close in the same way in both sets of
coordinates.) It gives the relative change of this contribution after the chain has travelled a part of a pitch.

| drive | coordinates | 1/8 pitch | 1/4 pitch | 1/2 pitch | 1 pitch |
|:--|:--|--:|--:|--:|--:|
{changed}

The last table is about the search for contacts, which uses boxes and circles around wheels and guides. It gives the
interval between two searches, the CPU time of a search, and its share of the CPU time of a run by Dormand-Prince.

| drive | interval [us of simulated time] | search [us] | share |
|:--|--:|--:|--:|
{searched}

{WORDS}"""


def main(words: Sequence[str] | None = None) -> None:
    """Compute, print, and write the page."""
    parser = options(__doc__, PAGE)
    parser.add_argument("--drives", nargs="*", default=DRIVES, help="examples to run")
    asked = parser.parse_args(words)
    text = page([measured(name) for name in asked.drives])
    publish(text, PAGE, asked.write)


if __name__ == "__main__":
    main()
