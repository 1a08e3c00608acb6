"""Co-simulation compared with the whole system: orders of convergence of schemes and extrapolations, energy residual,
stability, two stages.

    python docs/validation/co_simulation.py [--write]

``--write`` makes ``co-simulation.md`` next to this file. Takes some minutes.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from _coupled_stages import Modular, monolithic_stages
from _made import made
from _writing import main_of

import chaindrive as cd
from chaindrive.cosimulation.master import EXTRAPOLATIONS, Coupling, FailedPartError, Master

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1] / "tests"))
from support import coupled_pump  # noqa: E402
from support.two_masses import Masses, exact, master, simulated  # noqa: E402

PAGE = HERE / "co-simulation.md"
SCHEMES = ("jacobi", "gauss-seidel", "iterated")
MASSES_UNTIL, MASSES_STEPS = 1.0, (0.02, 0.01, 0.005)
OF_PUMP = (("jacobi", "linear"), ("gauss-seidel", "linear"), ("gauss-seidel", "quadratic"), ("iterated", "linear"))
PUMP_UNTIL, PUMP_STEPS = 0.1, (2e-3, 1e-3, 5e-4)
STAGES_UNTIL, STAGES_STEPS = 0.01, (1.6e-4, 8e-5, 4e-5)
STIFFER = (20.0, 200.0, 2000.0)
"""Stiffness of the coupling of the two masses. [N/m]"""
LONGEST, FINENESS, REPEATED, GROWN = 0.2, 1.25, 100, 100.0
"""Search for the longest stable step: longest step tried [s], factor between steps, number of steps in a run, and the
growth of the energy at which a run is stopped.
"""


class Errors(NamedTuple):
    """Errors of a scheme at macro steps, each half of the previous one."""

    scheme: str
    extrapolation: str
    errors: tuple[float, ...]
    """Largest deviation from the whole system, for each macro step."""
    made: float
    """Energy residual at the shortest step, divided by the energy exchanged. [-]"""
    sweeps: float
    """Mean number of times that each part takes a macro step."""
    seconds: float = 0.0
    """CPU time of the run with the shortest step. [s]"""

    @property
    def order(self) -> float:
        """Order of convergence between the last two steps."""
        return math.log2(self.errors[-2] / self.errors[-1]) if self.errors[-1] > 0.0 else math.nan


def two_masses() -> list[Errors]:
    """Every scheme with every polynomial, compared with the closed-form solution."""
    whole, found = exact(Masses(), MASSES_UNTIL), []
    for scheme in SCHEMES:
        for extrapolation in EXTRAPOLATIONS:
            errors = []
            for step in MASSES_STEPS:
                end, run = simulated(Masses(), Coupling(step, scheme, extrapolation), MASSES_UNTIL)
                errors.append(float(np.abs(end - whole).max()))
            account = run.accounts["spring"]
            share = account.made / account.exchanged
            found.append(Errors(scheme, extrapolation, tuple(errors), share, run.sweeps / run.steps))
    return found


def longest_stable(masses: Masses, scheme: str, extrapolation: str) -> float:
    """The longest macro step for which the motion of the damped masses does not grow. [s]"""
    step = LONGEST
    while step > 1e-6:
        if _stable(masses, Coupling(step, scheme, extrapolation, iterations=50)):
            return step
        step /= FINENESS
    return 0.0


@np.errstate(over="raise", invalid="raise")
def _stable(masses: Masses, coupling: Coupling) -> bool:
    run = master(masses, coupling)
    begun, end = _energy(masses, run), REPEATED * coupling.step
    try:
        while run.time < end:
            run.advance(end)
            if not _energy(masses, run) < GROWN * begun:
                return False
    except (FailedPartError, FloatingPointError):
        return False
    return _energy(masses, run) < begun


def _energy(masses: Masses, run: Master) -> float:
    """Energy of both masses and of all springs. [J]"""
    p, (x1, v1), (x2, v2) = masses, *(run.parts[name].y[:2] for name in ("first", "second"))
    kinetic = p.m1 * v1 * v1 + p.m2 * v2 * v2
    return float(0.5 * (kinetic + p.k1 * x1 * x1 + p.k2 * x2 * x2 + p.kc * (x2 - x1) ** 2))


def pump() -> list[Errors]:
    """``pump-10b``, in the roller formulation, with its motor outside the drive, compared with the motor within the
    drive.
    """
    return [_pumped(scheme, extrapolation) for scheme, extrapolation in OF_PUMP]


def _pumped(scheme: str, extrapolation: str) -> Errors:
    whole = cd.simulate(_in_rollers(coupled_pump.monolithic()), PUMP_UNTIL, progress=False)["motor.speed"].values
    errors, seconds = [], 0.0
    for step in PUMP_STEPS:
        drive = _in_rollers(coupled_pump.coupled(step=step, scheme=scheme, extrapolation=extrapolation))
        begun = time.process_time()
        run = cd.simulate(drive, PUMP_UNTIL, machines={"supply": coupled_pump.Motor()}, progress=False)
        seconds = time.process_time() - begun
        errors.append(float(np.abs(run["motor.speed"].values - whole).max()))
    coupling = run.notes["coupling"]
    (account,) = coupling["bonds"].values()
    share, sweeps = account["made"] / account["exchanged"], coupling["sweeps"] / coupling["macro_steps"]
    return Errors(scheme, extrapolation, tuple(errors), share, sweeps, seconds)


def _in_rollers(drive: cd.Drive) -> cd.Drive:
    run = drive.run.model_copy(update={"formulation": cd.RollerOptions(), "solver": _tight()})
    return drive.model_copy(update={"run": run})


def _tight() -> cd.SolverOptions:
    return cd.SolverOptions(method="dormand-prince", atol_angular_speed=1e-6, atol_angle=1e-10, atol_length=1e-10)


def stages() -> tuple[list[Errors], float]:
    """The errors of ``tandem`` when its chains are joined by co-simulation instead of exactly; also the CPU time of the
    whole drive [s].
    """
    monolithic_stages(STAGES_UNTIL)  # compiles
    begun = time.process_time()
    whole = monolithic_stages(STAGES_UNTIL)
    alone = time.process_time() - begun
    found = []
    for scheme in SCHEMES:
        for extrapolation in EXTRAPOLATIONS:
            errors, share, sweeps, seconds = [], math.nan, 0.0, 0.0
            for step in STAGES_STEPS:
                modular = Modular(Coupling(step, scheme, extrapolation))
                begun = time.process_time()
                try:
                    end = modular.run(STAGES_UNTIL)
                except FailedPartError:
                    errors.append(math.inf)
                    continue
                seconds = time.process_time() - begun
                errors.append(float(np.abs(end - whole).max()))
                accounts = modular.master.accounts.values()
                share = sum(a.made for a in accounts) / sum(a.exchanged for a in accounts)
                sweeps = modular.master.sweeps / modular.master.steps
            found.append(Errors(scheme, extrapolation, tuple(errors), share, sweeps, seconds))
    return found, alone


def _table(rows: Sequence[Errors], steps: Sequence[float], unit: str, scale: float, timed: bool = False) -> str:
    """Errors and orders as a Markdown table. scale: factor that converts the steps to the unit shown."""
    heads = [
        "scheme",
        "polynomial",
        *(f"{scale * step:g} {unit}" for step in steps),
        "order",
        "energy residual",
        "sweeps",
    ]
    heads += ["CPU [s]"] * timed
    lines = ["| " + " | ".join(heads) + " |", "|:--|:--|" + "--:|" * (len(heads) - 2)]
    for row in rows:
        cells = [row.scheme, row.extrapolation, *(f"{error:.1e}" for error in row.errors)]
        cells += [f"{row.order:.2f}", f"{row.made:+.1e}", f"{row.sweeps:.1f}"] + [f"{row.seconds:.2g}"] * timed
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _stability_table() -> str:
    lines = [
        "| scheme | polynomial | " + " | ".join(f"{k:g} N/m" for k in STIFFER) + " |",
        "|:--|:--|" + "--:|" * len(STIFFER),
    ]
    for scheme in SCHEMES:
        for extrapolation in EXTRAPOLATIONS:
            found = [longest_stable(Masses(kc=k), scheme, extrapolation) for k in STIFFER]
            cells = (
                f"{'at least ' if x == LONGEST else ''}{x:.2g} ({x * math.sqrt(2.0 * k):.2g})"
                for x, k in zip(found, STIFFER, strict=True)
            )
            lines.append(f"| {scheme} | {extrapolation} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def page(say: Callable[[str], None]) -> str:
    """The whole page."""
    say("two masses")
    masses = two_masses()
    say("stability")
    stability = _stability_table()
    say("pump-10b")
    pumped = pump()
    say("stages")
    staged, alone = stages()
    return f"""# Co-simulation

This page is written by `python docs/validation/co_simulation.py --write`; it was {made()}.

This page compares systems whose parts are integrated by their own methods and exchange torques and motions at
communication points ([guide](../guide/co-simulation.md)) with the whole system integrated by one method. *Energy
residual*: energy
created by the
coupling, relative to the energy exchanged, at the shortest macro step; it is positive if the parts received more energy
than they supplied. *Sweeps*: how many times each part takes a macro step, on average. *Order*: order of convergence,
from the two shortest macro steps.

A signal that is approximated by a polynomial of degree k over a macro step H has an error of order H^(k+1) (Busch
2016).

## Two masses

In the test model of Busch (2016), two oscillators are joined by a spring and a damper: mass 1 receives the force and
returns its motion; mass 2, together with the spring, receives the motion and returns the force. The table gives the
largest deviation of
positions and velocities after {MASSES_UNTIL:g} s from the exact solution of the whole system, by its matrix exponential
[m, m/s].

{_table(masses, MASSES_STEPS, "ms", 1e3)}

### Stability

The table gives the longest stable macro step H [s] as a function of the stiffness k of the coupling spring, and in
brackets H times the frequency sqrt(2 k/m) of the coupling: a step is stable if the energy of masses and springs, which
the dampers dissipate, is
smaller after {REPEATED} steps (the steps tried increase by {100 * (FINENESS - 1):.0f} % each, up to {LONGEST:g} s). The
scheme
`iterated` counts as stable only if it converges within 50 iterations.

{stability}

## A motor beside a drive

The example `pump-10b`, with rollers, is started by a direct-current motor whose current follows the voltage with a time
constant of 20 ms. The motor is simulated both within the drive and as a Python object. The table gives the largest
deviation of the rotor speed within {PUMP_UNTIL:g} s [rad/s]; the speed itself reaches 70 rad/s.

{_table(pumped, PUMP_STEPS, "ms", 1e3, timed=True)}

## Two stages

This is modular integration within one drive (Hippmann, Arnold and Schittenhelm 2005, section 3.3): the two chains of
`tandem`, as blocks, each with its own integrator, and the elastic shaft between them are compared with the whole drive,
in which they are joined exactly, from the same state. The table gives the
largest deviation of the speeds of all wheels after {1e3 * STAGES_UNTIL:g} ms [rad/s]. The whole drive took {alone:.2g}
s of CPU time.

{_table(staged, STAGES_STEPS, "us", 1e6, timed=True)}

The smaller stage vibrates on the shaft at about 1.5 krad/s, so that signals change within a few tenths of a
millisecond. Every part ends a step at the end of a macro step, and is evaluated once more there. What is gained by
using a different method for each part is not measured here.
"""


if __name__ == "__main__":
    main_of(__doc__, PAGE, lambda _: page(lambda what: print(what, file=sys.stderr, flush=True)))
