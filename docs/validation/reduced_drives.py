"""Reduced drives beside the detailed runs that they stand for: ``python docs/validation/reduced_drives.py --write``."""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np
from _made import made

import chaindrive as cd

PAGE = Path(__file__).with_name("reduced-drives.md")
DRIVE, LOAD, HELD = "industrial-08b", 40.0, 25.0
"""The example, the largest load of the design, and a load that no fit has seen. [N m]"""
UNTIL, FROM = 0.5, 0.3
"""End of the runs that are compared, and the time from which they are. [s]"""


class Compared(NamedTuple):
    """A number of both runs."""

    name: str
    unit: str
    detailed: float
    reduced: float


def compared(reduced: cd.Drive) -> tuple[list[Compared], float]:
    """Both drives under a load between those of the design; and the CPU time of the detailed run over the other's."""
    runs, cpu = [], []
    for drive in (cd.example(DRIVE), reduced):
        loaded = drive.replace("wheels.conveyor.load_torque", HELD)
        cd.simulate(loaded, until=0.01, progress=False)  # compiles
        begun = time.process_time()
        runs.append(cd.simulate(loaded, until=UNTIL, progress=False))
        cpu.append(time.process_time() - begun)
    rows = []
    late = [run.time >= FROM for run in runs]
    for name, unit, of in (
        ("tension of the tight span, mean", "N", lambda x: x.mean(axis=0).max()),
        ("tension of the tight span, standard deviation", "N", lambda x: x.std(axis=0)[int(x.mean(axis=0).argmax())]),
    ):
        rows.append(
            Compared(name, unit, *(float(of(r.values("span_tension")[k])) for r, k in zip(runs, late, strict=True)))
        )
    speeds = [float(np.std(r.values("wheel_speed")[k, 1])) for r, k in zip(runs, late, strict=True)]
    rows.append(Compared("speed of the conveyor, standard deviation", "rad/s", *speeds))
    return rows, cpu[0] / cpu[1]


def page() -> str:
    """The page."""
    found = cd.reduce(DRIVE, load=LOAD)
    rows, gain = compared(found.drive)
    table = "\n".join(f"| {row.name} | {row.detailed:.4g} {row.unit} | {row.reduced:.4g} {row.unit} |" for row in rows)
    return f"""# Reduced drives

By `python docs/validation/reduced_drives.py --write`, {made()}.

The example `{DRIVE}`, rollers on teeth, reduced with `chaindrive reduce {DRIVE} --load "{LOAD:g} N*m"` to a
[chain drive block](../guide/block.md#identified-from-detailed-runs):

```text
{found.table()}
```

Detailed and reduced drive under {HELD:g} N m, which no fit has seen, from {FROM:g} to {UNTIL:g} s:

| | rollers | reduced |
|:--|--:|--:|
{table}

The reduced run takes 1/{gain:.0f} of the CPU time. It has no polygonal action, so what fluctuates with the teeth is
missing in it, and no weight: the slack span of the detailed drive pulls in both.
"""


def main() -> None:
    """Print the page, and write it if wanted."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true")
    told = parser.parse_args()
    text = page()
    print(text)
    if told.write:
        PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
