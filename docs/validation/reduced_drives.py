"""Reduced drives compared with the detailed runs that they represent: ``python docs/validation/reduced_drives.py
--write``.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from _made import made
from _writing import main_of

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))

import chaindrive as cd
from chaindrive.fmu.build import write_fmu
from support.fmus import opened

PAGE = Path(__file__).with_name("reduced-drives.md")
DRIVE, LOAD, HELD = "industrial-08b", 40.0, 25.0
"""The example, the largest load of the design, and a load not used in any fit. [N m]"""
UNTIL, FROM = 0.5, 0.3
"""End of the compared runs, and the time from which on they are compared. [s]"""
STEP, STEPS, ROUNDS = 1e-3, 1000, 5
"""Communication step of the FMU [s], steps per round, and number of rounds, of which the fastest counts."""


class Compared(NamedTuple):
    """A quantity from all runs: with rollers, reduced, and reduced with ripple."""

    name: str
    unit: str
    detailed: float
    reduced: float
    rippled: float


def compared(*reduced: cd.Drive) -> tuple[list[Compared], list[float]]:
    """Compare all drives under a load between those used for the fit; also the CPU time of the detailed run divided by
    that of each reduced run.
    """
    runs, cpu = [], []
    for drive in (cd.example(DRIVE), *reduced):
        loaded = drive.replace("wheels.conveyor.load_torque", HELD)
        cd.simulate(loaded, until=0.01, progress=False)  # compiles
        begun = time.process_time()
        runs.append(cd.simulate(loaded, until=UNTIL, progress=False))
        cpu.append(time.process_time() - begun)
    late = [run.time >= FROM for run in runs]
    tensions = [run.values("span_tension")[kept] for run, kept in zip(runs, late, strict=True)]
    tight = [values[:, int(values.mean(axis=0).argmax())] for values in tensions]
    speeds = [run.values("wheel_speed")[kept, 1] for run, kept in zip(runs, late, strict=True)]
    angles = [run.values("wheel_angle")[kept, 0] for run, kept in zip(runs, late, strict=True)]
    teeth = cd.example(DRIVE).wheels[0].teeth
    rows = [Compared("tension of the tight span, mean", "N", *(float(x.mean()) for x in tight))]
    for name, unit, courses in (
        ("tension of the tight span", "N", tight),
        ("speed of the conveyor", "rad/s", speeds),
    ):
        waves = (_amplitude(teeth * angle, x) for angle, x in zip(angles, courses, strict=True))
        rows.append(Compared(f"{name}, amplitude at the tooth frequency", unit, *waves))
        rows.append(Compared(f"{name}, standard deviation", unit, *(float(x.std()) for x in courses)))
    return rows, [cpu[0] / each for each in cpu[1:]]


def _amplitude(angle: Any, course: Any) -> float:
    """Amplitude of the component of a signal that varies with the sine and cosine of an angle."""
    waves = np.column_stack([np.ones(angle.size), np.sin(angle), np.cos(angle)])
    return float(np.hypot(*np.linalg.lstsq(waves, course - course.mean(), rcond=None)[0][1:]))


class Pace(NamedTuple):
    """CPU time of the FMU divided by the time that it simulates."""

    step: float
    """CPU time of its steps, called by FMPy [-]"""
    with_outputs: float
    """CPU time with all outputs read after each step [-]"""
    outputs: int


def pace(reduced: cd.Drive) -> Pace:
    """Measure the speed of the reduced drive as an FMU."""
    with tempfile.TemporaryDirectory() as folder:
        fmu = opened(Path(folder))(write_fmu(reduced, Path(folder) / "reduced.fmu").path)
        fmu.start()
        seconds: tuple[list[float], list[float]] = [], []
        for number in range(2 * ROUNDS):
            reads = number % 2
            begun = time.process_time()
            for k in range(number * STEPS, (number + 1) * STEPS):
                fmu.model.doStep(k * STEP, STEP)
                if reads:
                    fmu.get()
            seconds[reads].append(time.process_time() - begun)
        fmu.close()
        return Pace(*(min(each) / (STEPS * STEP) for each in seconds), len(fmu.outputs))


def page() -> str:
    """The page."""
    found = cd.reduce(DRIVE, load=LOAD)
    by_map = cd.reduce(DRIVE, load=LOAD, loss_map=True).table().splitlines()
    losses = "\n".join(by_map[next(k for k, line in enumerate(by_map) if line.startswith("slack")) :])
    with_ripple = cd.reduce(DRIVE, load=LOAD, ripple=True)
    waves = with_ripple.table().splitlines()
    ripple = "\n".join(waves[next(k for k, line in enumerate(waves) if line.startswith("ripple")) :])
    rows, gains = compared(found.drive, with_ripple.drive)
    fmu, fmu_with_ripple = pace(found.drive), pace(with_ripple.drive)
    table = "\n".join(f"| {row.name} | {' | '.join(f'{value:.4g} {row.unit}' for value in row[2:])} |" for row in rows)
    return f"""# Reduced drives

This page is written by `python docs/validation/reduced_drives.py --write`; it was {made()}.

The example `{DRIVE}`, in the roller formulation, is reduced with `chaindrive reduce {DRIVE} --load "{LOAD:g} N*m"` to a
[chain drive block](../guide/block.md#identified-from-detailed-runs):

```text
{found.table()}
```

With `--loss-map` the losses are a map over speed and tensions, which is fitted to nine runs and checked with three
more:

```text
{losses}
```

With `--ripple` the block also contains the fluctuations that repeat with the teeth, as functions of the angles of the
wheels
([guide](../guide/block.md#ripple-over-the-angle)). *Polygonal action* is the closed form for a chain that leaves the
wheel along a straight line. *Error* is the difference between the detailed and the reduced tension at the tooth
frequency, including phases, relative to the mean tension. The span from motor to conveyor is slack in these runs and is
not listed:

```text
{ripple}
```

At half the speed the tooth frequency is near the torsional resonance of the drive.

The table compares the detailed and the reduced drive from {FROM:g} to {UNTIL:g} s under {HELD:g} N m, a load that was
not used for any fit:

| | rollers | reduced | with ripple |
|:--|--:|--:|--:|
{table}

The reduced run takes 1/{gains[0]:.0f} of the CPU time, with ripple 1/{gains[1]:.0f}. Without ripple, all fluctuation
with the teeth is missing. The remaining fluctuation of the reduced drive is the torsional vibration from its start,
which dies out more slowly than in the detailed drive, because the spans are damped only as their links are, not by
teeth and rollers. The reduced drive has no weight, whereas in the detailed drive the weight of the slack span increases
the tension of both spans.

Run as an [FMU](../guide/fmu.md) by FMPy in steps of {1e3 * STEP:g} ms (fastest of {ROUNDS} rounds of {STEPS} steps, CPU
time on two cores shared with other work), it takes {1e3 * fmu.step:.2g} ms for a simulated second: {1.0 / fmu.step:.0f}
times faster than real time. With all {fmu.outputs} outputs read from Python after each step
it takes {1e3 * fmu.with_outputs:.2g} ms: {1.0 / fmu.with_outputs:.0f} times. With ripple it takes
{1e3 * fmu_with_ripple.step:.2g} ms without the outputs: {1.0 / fmu_with_ripple.step:.0f} times.
"""


if __name__ == "__main__":
    main_of(__doc__, PAGE, lambda _: page())
