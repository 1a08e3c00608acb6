"""Modular integration compared with that of the whole drive: order and stability versus macro step, energy created,
benefit.

    python docs/validation/modular_integration.py [--write]

``--write`` makes ``modular-integration.md`` and its picture next to this file. Takes some minutes.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from _drawing import PICTURES, grid, save
from _made import made
from _writing import main_of
from numpy.typing import NDArray

import chaindrive as cd
from chaindrive.contract.status import Status
from chaindrive.contract.system import System
from chaindrive.plots.style import styled
from chaindrive.simulation.start import prepare
from chaindrive.solvers import SolverSettings, integrator_for
from chaindrive.solvers.modular import EXTRAPOLATIONS, SCHEMES

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1] / "tests"))
from support.small_drives import two_wheels  # noqa: E402

FloatArray = NDArray[np.float64]
PAGE, PICTURE = HERE / "modular-integration.md", PICTURES / "modular-integration.png"
WHOLE = "verlet-beeman"
ROUNDS = 5
"""Number of repetitions for CPU times."""
NEVER = 1e9
"""Interval between rows, which is so long that no row is stored. [s]"""
STEP, MACRO_STEPS = 5e-7, (1.6e-5, 8e-6, 4e-6, 2e-6)
UNTIL = 2e-3
"""Data for the orders: step of the chain, macro steps, end of the runs. [s]"""
LONGEST, FINENESS, STABLE_UNTIL = 64.0, 1.25, 0.02
"""Search for the longest stable macro step: initial number of steps of the chain, factor, simulated time [s]."""
INERTIA, INERTIAS = 1e-3, (1e-2, 1e-3, 1e-4)
"""Moments of inertia of the driven wheel. [kg m^2]"""
CONVEYOR, CONVEYOR_UNTIL, FREQUENCIES, DAMPING_RATIO = "conveyor-16b", 5e-3, (0.01, 1.0, 3.0, 10.0, 30.0), 0.05
"""The take-up of the conveyor: its frequencies divided by that of the links, and its damping ratio. [-]"""
ENGINE, ENGINE_UNTIL = "v6-timing", 1e-3


class Ran(NamedTuple):
    """A run."""

    status: Status
    state: FloatArray
    seconds: float
    """CPU time [s]"""
    steps: int
    evaluations: int
    notes: dict[str, Any]
    """Notes of the modules; empty for a run of the whole drive."""

    @property
    def made(self) -> float:
        """Energy created by the coupling, divided by the energy exchanged. [-]"""
        account = self.notes["bonds"]["chain and mechanism"]
        return float(account["made"] / account["exchanged"])


def started(drive: cd.Drive) -> System:
    """The drive at speed."""
    return prepare(drive, drive.run.formulation).system.as_integrated


def ran(system: System, until: float, method: str = WHOLE, **options: Any) -> Ran:
    """Run from the start, with the contact memory restored."""
    own = replace(system, state=system.state.copy())
    own.kernels.begin(0.0, own.state, own.parameters)
    integrator = integrator_for(own, SolverSettings(method=method, **options), NEVER)
    begun, status = time.process_time(), Status.RUNNING
    while status == Status.RUNNING:
        status = integrator.advance(until, 10**9)
    seconds, told = time.process_time() - begun, integrator.statistics
    notes = integrator.notes().get("modules", {})
    return Ran(status, integrator.state, seconds, told.steps, told.evaluations, notes)


def fastest(system: System, until: float, ways: Sequence[tuple[str, dict[str, Any]]]) -> list[Ran]:
    """Runs by several methods with options, which take turns; for each, the run with the shortest CPU time, after a
    first run for compilation.
    """
    for method, options in ways:
        ran(system, 1e-5, method, **options)
    rounds = [[ran(system, until, method, **options) for method, options in ways] for _ in range(ROUNDS)]
    return [min(runs, key=lambda run: run.seconds) for runs in zip(*rounds, strict=True)]


def drive_of(inertia: float) -> cd.Drive:
    """An 08B drive with 16 and 16 teeth, 40 links, 10 rad/s, and 5 N m on a wheel of this inertia [kg m^2]."""
    return two_wheels(second={"inertia": inertia, "load_torque": 5.0})


def orders() -> dict[tuple[str, str], list[tuple[float, float]]]:
    """Largest error of the speed of the driven wheel [rad/s] for each macro step, and the energy created [-]."""
    system = started(drive_of(INERTIA))
    place = system.positions + int(system.modules.places[1])
    tight = {"step": STEP, "atol_angle": 1e-12, "atol_angular_speed": 1e-9}
    whole = ran(system, UNTIL, **tight).state[place]
    found = {}
    for scheme in SCHEMES:
        for extrapolation in EXTRAPOLATIONS:
            runs = [
                ran(system, UNTIL, "modular", macro_step=H, scheme=scheme, extrapolation=extrapolation, **tight)
                for H in MACRO_STEPS
            ]
            found[scheme, extrapolation] = [(abs(float(run.state[place] - whole)), run.made) for run in runs]
    return found


def longest_stable(inertia: float, scheme: str, extrapolation: str) -> tuple[float, float]:
    """The longest macro step with which the driven wheel runs as in the whole drive, and the step of the chain. [s]

    The speed of the wheel at the end differs by less than 1 %, and the energy created is less than a tenth of the
    energy exchanged.
    """
    system = started(drive_of(inertia))
    place = system.positions + int(system.modules.places[1])
    whole = ran(system, STABLE_UNTIL).state[place]
    step = integrator_for(system, SolverSettings("modular"), NEVER).step
    factor = LONGEST
    while factor > 0.5:
        run = ran(system, STABLE_UNTIL, "modular", macro_step=factor * step, scheme=scheme, extrapolation=extrapolation)
        if run.status == Status.REACHED_END and abs(run.state[place] / whole - 1.0) < 0.01 and abs(run.made) < 0.1:
            return factor * step, step
        factor /= FINENESS
    return 0.0, step


def with_stiff_take_up(frequency: float) -> cd.Drive:
    """The conveyor with a different stiffness of its take-up at the same force, and the frequency of the mass of the
    take-up [rad/s].
    """
    drive = cd.example(CONVEYOR)
    (body,) = drive.bodies
    mass = body.mass + drive.wheels[0].mass
    stiffness, force = mass * frequency**2, body.joint.stiffness * body.joint.neutral
    damping = 2.0 * DAMPING_RATIO * mass * frequency
    joint = {"stiffness": stiffness, "neutral": force / stiffness, "damping": damping}
    held = body.model_copy(update={"joint": body.joint.model_copy(update=joint)})
    return drive.model_copy(update={"bodies": (held,)})


def stiff() -> list[tuple[float, Ran, Ran]]:
    """Runs of the conveyor, as a whole and in modules, with increasingly stiff take-ups, given by their frequencies
    divided by that of the links.
    """
    links = float(started(cd.example(CONVEYOR)).story.notes["step_limits"]["links"])
    found = []
    for part in FREQUENCIES:
        system = started(with_stiff_take_up(part * links))
        whole, modules = fastest(system, CONVEYOR_UNTIL, [(WHOLE, {}), ("modular", {})])
        found.append((part, whole, modules))
    return found


def engine() -> dict[str, Ran]:
    """Runs of the timing drive of a V6 as a whole and in modules."""
    system = started(cd.example(ENGINE))
    ways: dict[str, tuple[str, dict[str, Any]]] = {
        "verlet-beeman": (WHOLE, {}),
        "dormand-prince": ("dormand-prince", {}),
    }
    ways |= {
        f"modular, H = {count} h": (
            "modular", {"scheme": "corrected", "macro_step": count / system.motion.highest_frequency})
        for count in (1, 4, 16)
    }  # fmt: skip
    return dict(zip(ways, fastest(system, ENGINE_UNTIL, list(ways.values())), strict=True))


def _order(pairs: Sequence[tuple[float, float]]) -> float:
    """Order of convergence between the two shortest macro steps."""
    return math.log2(pairs[-2][0] / pairs[-1][0]) if pairs[-1][0] > 0.0 else math.nan


def _orders_table(found: dict[tuple[str, str], list[tuple[float, float]]]) -> str:
    heads = ["scheme", "polynomial", *(f"{1e6 * H:g} us" for H in MACRO_STEPS), "order", "energy created"]
    lines = ["| " + " | ".join(heads) + " |", "|:--|:--|" + "--:|" * (len(heads) - 2)]
    for (scheme, extrapolation), pairs in found.items():
        cells = [scheme, extrapolation, *(f"{error:.1e}" for error, _ in pairs)]
        lines.append("| " + " | ".join([*cells, f"{_order(pairs):.1f}", f"{pairs[-1][1]:+.0e}"]) + " |")
    return "\n".join(lines)


def _stability_table(found: dict[tuple[str, str], list[tuple[float, float]]]) -> str:
    heads = ["scheme", "polynomial", *(f"{inertia:g} kg m^2" for inertia in INERTIAS)]
    lines = ["| " + " | ".join(heads) + " |", "|:--|:--|" + "--:|" * len(INERTIAS)]
    for names, limits in found.items():
        cells = (
            f"{'at least ' if limit >= LONGEST * step else ''}{1e6 * limit:.3g} us ({limit / step:.2g})"
            for limit, step in limits
        )
        lines.append("| " + " | ".join([*names, *cells]) + " |")
    return "\n".join(lines)


def _stiff_table(found: Sequence[tuple[float, Ran, Ran]]) -> str:
    heads = [
        "frequency / links",
        "steps of the whole",
        "CPU [ms]",
        "steps of the chain",
        "of the mechanism",
        "CPU [ms]",
        "gain",
    ]
    lines = ["| " + " | ".join([*heads, "energy created [J]"]) + " |", "|" + "--:|" * (len(heads) + 1)]
    for part, whole, parts in found:
        cells = (
            f"{part:g}", str(whole.steps), f"{1e3 * whole.seconds:.3g}", str(parts.steps),
            str(parts.notes["mechanism_steps"]), f"{1e3 * parts.seconds:.3g}",
            f"{whole.seconds / parts.seconds:.2g}", f"{parts.notes['bonds']['chain and mechanism']['made']:+.0e}",
        )  # fmt: skip
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _engine_table(found: dict[str, Ran]) -> str:
    lines = ["| method | CPU [ms] | steps of the chain | evaluations of chain | of mechanism | energy created |"]
    lines.append("|:--|--:|--:|--:|--:|--:|")
    for name, run in found.items():
        own = str(run.notes["mechanism_evaluations"]) if run.notes else "with the chain"
        energy = f"{run.made:+.0e}" if run.notes else ""
        cells = (name, f"{1e3 * run.seconds:.3g}", str(run.steps), str(run.evaluations), own, energy)
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


@styled
def picture(order: dict[tuple[str, str], list[tuple[float, float]]], stiffer: Sequence[tuple[float, Ran, Ran]]) -> Any:
    """Draw the errors versus macro step, and the CPU time versus the frequency of the take-up."""
    figure, axes_of = grid(1, 2, 10.0, 4.0)
    left, right = axes_of[0]
    for (scheme, extrapolation), pairs in order.items():
        line = "-" if scheme == "corrected" else "--"
        colour = ("#0B4F6C", "#E69F00", "#D55E00")[EXTRAPOLATIONS[extrapolation]]
        left.loglog([1e6 * H for H in MACRO_STEPS], [error for error, _ in pairs], line, marker="o", ms=4,
                    color=colour, label=f"{scheme}, {extrapolation}")  # fmt: skip
    left.set(xlabel="macro step [us]", ylabel="error of the speed of the wheel [rad/s]", title="order")
    steps = [1e6 * H for H in MACRO_STEPS]
    left.set_xticks(steps, [f"{each:g}" for each in steps])
    left.minorticks_off()
    left.legend(fontsize=8)
    parts = [each[0] for each in stiffer]
    right.loglog(parts, [1e3 * each[1].seconds for each in stiffer], "o-", color="#7A868F", label="whole")
    right.loglog(parts, [1e3 * each[2].seconds for each in stiffer], "o-", color="#0B4F6C", label="in modules")
    right.set(
        xlabel="frequency of the take-up divided by that of links", ylabel="CPU time [ms]", title="a stiff mechanism"
    )
    right.legend()
    return figure


def page(write: bool) -> str:
    """The whole page. write: also makes the picture."""
    say = lambda what: print(what, file=sys.stderr, flush=True)  # noqa: E731
    say("orders")
    order = orders()
    say("stability")
    limits = {
        (scheme, extrapolation): [longest_stable(inertia, scheme, extrapolation) for inertia in INERTIAS]
        for scheme in SCHEMES
        for extrapolation in EXTRAPOLATIONS
    }
    frequencies = [started(drive_of(inertia)).motion.coupling_frequency for inertia in INERTIAS]
    of_wheels = ", ".join(f"{1e6 / frequency:.3g}" for frequency in frequencies)
    say(CONVEYOR)
    stiffer = stiff()
    say(ENGINE)
    of_engine = engine()
    if write:
        save(picture(order, stiffer), PICTURE)
    gain = of_engine["verlet-beeman"].seconds / of_engine["modular, H = 4 h"].seconds
    of_paper, of_dopri = 18344.4 / 748.1, 2487.9 / 748.1  # CPU times of Table 2
    return f"""# Modular integration

This page is written by `python docs/validation/modular_integration.py --write`; it was {made()}, on two cores
shared with other work.

The method `modular` integrates a chain and its mechanism (wheels, bodies, tensioners) separately, each by its own
method, and couples them at the ends of macro steps ([decision 17](../decisions/0017-modular-integration.md)):

```
chaindrive run drive.toml --solver modular --set run.solver.macro_step="4 us"
```

![Error versus macro step; CPU time versus frequency of a stiff mechanism](pictures/{PICTURE.name})

## Order

An 08B chain of 40 links runs on two wheels of 16 teeth at 10 rad/s, with 5 N m on a wheel of {INERTIA:g} kg m^2. The
table gives the deviation of the speed of this wheel after {1e3 * UNTIL:g} ms [rad/s] from that of the whole drive by
`{WHOLE}`, both with steps of {1e6 * STEP:g} us. *Energy created*: by the coupling, relative to the energy exchanged, at
the shortest macro step. A polynomial of degree k has an error of order H^(k+1); with `corrected` the order is higher by
one.

{_orders_table(order)}

Contacts open and close within this time, so forces are not smooth; for two masses, whose motion is smooth, the orders
are 1, 2, 3 and 2, 3, 4 (`tests/unit/test_solvers_modular.py`).

## Stability

The table gives the longest stable macro step for several inertias of the driven wheel, and in brackets its ratio to the
step of the chain. A macro step counts as stable if the speed of this wheel after {1e3 * STABLE_UNTIL:g} ms agrees with
that in the whole drive to within 1 % and the coupling creates less than a tenth of the energy exchanged (the steps
tried increase by {100 * (FINENESS - 1):.0f} % each, up to {LONGEST:g} steps of the chain).

{_stability_table(limits)}

A light wheel oscillates fast on its rollers. Forces that act one macro step late excite this oscillation; the forces of
`corrected` hardly excite it. If no macro step is given, it is at most four steps of the chain, and at most the
reciprocal of the frequency of wheels and guides on their contacts, here {of_wheels} us.

## The timing drive of a V6

`{ENGINE}` runs for {1e3 * ENGINE_UNTIL:g} ms from its start at speed, with default steps h of the chain. Here and
below, CPU times are the shortest of {ROUNDS} runs, in which the methods take turns.

{_engine_table(of_engine)}

In the paper (Hippmann, Arnold and Schittenhelm 2005) the modules were {of_paper:.1f} times faster than DASSL for the
whole model (Table 2), and {of_dopri:.1f} times faster than DOPRI5. Here the whole drive by the same explicit method
takes {gain:.2f} times the CPU time of the modules, so modules give hardly any gain or even a loss. In the paper,
modules avoided an implicit method for the links; DASSL is implicit because engine models with thousands of states have
constraints. Our mechanism is in minimal coordinates without constraints, so that the whole drive can be integrated
explicitly anyway; an evaluation of the mechanism alone takes a small fraction of the time for the chain; and the step
is limited by links, not by bodies.

## Where it is worthwhile

`{CONVEYOR}`, with 1,596 links on rails, runs for {1e3 * CONVEYOR_UNTIL:g} ms from rest. Its take-up is made
increasingly stiff, so that the frequency of its mass reaches multiples of the frequency of the links. No real take-up
is that stiff; it stands for a model of a valve train, a gear or a hydraulic circuit in the mechanism. *Gain*: CPU time
of the whole drive divided by that of the modules.

{_stiff_table(stiffer)}

The whole drive takes the step of its stiffest part for all links. With modules only the mechanism takes this step, with
three evaluations for each step, each done twice. So modules are worthwhile if something in the mechanism is stiffer
than links and contacts, and if the chain takes about ten times as long to evaluate as its mechanism, as with long
chains on rails. Links of a half-inch chain vibrate at 20 kHz and more, and few mechanisms are as fast; with ordinary
mechanisms, modules take a little more time than the whole drive. Stiff models outside the drive are coupled as
[machines](../guide/co-simulation.md), which is the same method for whole drives."""


if __name__ == "__main__":
    main_of(__doc__, PAGE, page)
