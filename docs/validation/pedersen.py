"""Simulates the drives of chapter 5 of Pedersen (2004) and writes the page that compares it figure by figure.

    python docs/validation/pedersen.py [FOLDER] [--processes 2]

makes ``pedersen.md`` and ``pictures/pedersen/*.png`` beside this file. The results of the runs are kept, in
``build/validation/pedersen`` or in the folder: the next call with the same kernels goes on where one was interrupted,
and work on the text and the pictures computes nothing.
"""

from __future__ import annotations

import argparse
import functools
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from _cases import Case
from _drawing import PICTURES, save
from _made import kept_folder
from _pedersen import (
    binder,
    cases,
    engine,
    forms,
    friction,
    guides,
    guides_oscillating,
    joints,
    resonance,
    restitution,
    strings,
    teeth,
    tightener,
)
from _pedersen.entry import Entry
from _pedersen.page import page
from _pedersen.runs import Runs, make
from _simulate import PROCESSES, simulate_all

Studies = Mapping[str, Mapping[str, resonance.Curve]]


def all_cases() -> list[Case]:
    """Every run of the page but those of the studies."""
    return [
        *cases.teeth_cases(),
        *cases.friction_cases(),
        *cases.restitution_cases(),
        *cases.engine_cases(),
        *forms.cases(),
    ]


def simulate(folder: Path, processes: int = PROCESSES, say: bool = True) -> Runs:
    """Make every run of the page; results files stay in the folder."""
    return Runs(simulate_all(all_cases(), functools.partial(make, folder), processes, say).values())


def sweep(folder: Path, processes: int = PROCESSES, say: bool = True) -> Studies:
    """The two studies of section 5.9; their tables stay in the folder."""
    found = {}
    for name in (resonance.ANGLE, resonance.SPEED):
        found[name] = resonance.sweep(name, folder, processes)
        if say:
            print(f"study {name}", file=sys.stderr)
    return found


def entries(runs: Runs, studies: Studies) -> dict[str, Sequence[Entry]]:
    """All figures, under the titles of their sections."""
    bars = [*guides.entries(runs), *guides_oscillating.entries(runs)]
    forces = [*guides.forces(runs), *guides_oscillating.forces(runs)]
    return {
        "Circular and real tooth (section 5.2)": [*teeth.entries(runs), *binder.entries(runs)],
        "Formulations of contact (sections 3.5.1 and 4.3.3)": forms.entries(runs),
        "Friction between rollers and teeth (section 5.3)": friction.entries(runs),
        "Coefficient of restitution (section 5.4)": restitution.entries(runs),
        "Damping of the joints (section 5.6)": joints.entries(runs),
        "The crank (section 4.3.1)": [engine.crank(runs)],
        "Guide bars (section 5.7)": [*bars, *sorted(forces, key=lambda entry: entry.number)],
        "Tightener (section 5.8)": tightener.entries(runs),
        "Resonance (section 5.9)": [*strings.entries(), *resonance.entries(studies)],
    }


def main(folder: Path, processes: int) -> None:
    """Run everything, draw, write the page."""
    runs, studies = simulate(folder, processes), sweep(folder, processes)
    groups = entries(runs, studies)
    for group in groups.values():
        for entry in group:
            save(entry.picture, PICTURES / "pedersen" / entry.name)
    swept = sum(curve.at.size for curves in studies.values() for curve in curves.values())
    text = page(groups, runs, swept)
    Path(__file__).with_name("pedersen.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, help="where results stay")
    parser.add_argument("--processes", type=int, default=PROCESSES)
    asked = parser.parse_args()
    main(kept_folder("pedersen", asked.folder), asked.processes)
