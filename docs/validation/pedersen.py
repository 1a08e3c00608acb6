"""Simulates the drives of chapter 5 of Pedersen (2004) and writes the pages that compare it figure by figure.

    python docs/validation/pedersen.py [FOLDER] [--processes 2]
    python docs/validation/pedersen.py --figure 5.6

makes ``pedersen.md``, ``pedersen/*.md`` and ``pictures/pedersen/*.png`` next to this file, or, with ``--figure``, the
picture and the text of one figure, in the working folder, from the runs that it needs. The results of the runs are kept
in ``build/validation/pedersen`` or in FOLDER: an interrupted call is resumed by the next one with the same kernels, and
no run is repeated when only text and pictures are edited.
"""

from __future__ import annotations

import argparse
import functools
import sys
from collections.abc import Callable, Mapping, Sequence
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
from _pedersen.page import pages
from _pedersen.runs import Runs, RunsOnDemand, make
from _signals import SEGMENT_1, SEGMENT_4
from _simulate import PROCESSES, simulate_all

Studies = Mapping[str, Mapping[str, resonance.Curve]]


def all_cases() -> list[Case]:
    """All runs of the pages except those of the studies."""
    return [
        *cases.teeth_cases(),
        *cases.friction_cases(),
        *cases.restitution_cases(),
        *cases.engine_cases(),
        *forms.cases(),
    ]


def simulate(folder: Path, processes: int = PROCESSES, say: bool = True) -> Runs:
    """Make all runs of the pages; results files stay in the folder."""
    return Runs(simulate_all(all_cases(), functools.partial(make, folder), processes, say).values())


def sweep(folder: Path, processes: int = PROCESSES, say: bool = True) -> Studies:
    """Run the two studies of section 5.9; their tables stay in the folder."""
    found = {}
    for name in (resonance.ANGLE, resonance.SPEED):
        found[name] = resonance.sweep(name, folder, processes)
        if say:
            print(f"study {name}", file=sys.stderr)
    return found


def _friction(figure: Callable[..., Entry], *of: str) -> Callable[[Runs], Entry]:
    """A figure about one roller in its tooth gaps, made from whole runs and from a detailed run."""
    return lambda runs: figure(*(friction.look(runs[key]) if "path" in key else runs[key] for key in of))


CLOSE = "s90-path-friction"
FIGURES: dict[str, Callable[[Runs], Entry]] = {
    "5.2": teeth.link_force,
    "5.3": teeth.mean_link_force,
    "5.4": functools.partial(teeth.strand, span=SEGMENT_1),
    "5.5": functools.partial(teeth.strand, span=SEGMENT_4),
    "5.6": functools.partial(teeth.spectra, span=SEGMENT_1),
    "5.7": functools.partial(teeth.spectra, span=SEGMENT_4),
    "5.8": binder.history,
    "5.9": functools.partial(binder.loads, wheels=(0, 1)),
    "5.10": functools.partial(binder.loads, wheels=(2, 3)),
    "forms": lambda runs: forms.entries(runs)[0],
    "5.12": _friction(friction.path, "s90-path-bare", CLOSE),
    "5.13": _friction(friction.slip, "s90-friction", CLOSE),
    "5.14": _friction(friction.friction_force, "s90-friction", CLOSE),
    "5.15": _friction(friction.normalised, CLOSE),
    "5.16": friction.contact_force,
    "5.17": friction.link_force,
    "5.18": lambda runs: restitution.entries(runs)[0],
    "5.19": lambda runs: restitution.entries(runs)[1],
    "5.21": joints.moment,
    "5.22": joints.oscillation,
    "5.23": joints.link_force,
    "crank": engine.crank,
    "5.24": functools.partial(guides.strand, span=SEGMENT_1),
    "5.25": functools.partial(guides.strand, span=SEGMENT_4),
    "5.26": guides.spectrum_1,
    "5.27": guides.spectrum_4,
    "5.28": guides_oscillating.swing_1,
    "5.29": guides_oscillating.closer,
    "5.30": guides_oscillating.swing_4,
    "5.31": guides_oscillating.orders_1,
    "5.32": guides_oscillating.orders_4,
    "5.33": guides.link_constant,
    "5.34": guides_oscillating.link_oscillating,
    "5.35": guides.contact_constant,
    "5.36": guides_oscillating.contact_oscillating,
    "5.38": functools.partial(tightener.arm, figure="5.38"),
    "5.39": functools.partial(tightener.arm, figure="5.39"),
    "5.40": tightener.arm_spectrum,
    "5.41": functools.partial(tightener.strand, figure="5.41"),
    "5.42": functools.partial(tightener.strand, figure="5.42"),
    "5.43": tightener.strand_spectrum,
    "5.44": functools.partial(tightener.link, figure="5.44"),
    "5.45": functools.partial(tightener.link, figure="5.45"),
    "5.46": functools.partial(tightener.contact, figure="5.46"),
    "5.47": functools.partial(tightener.contact, figure="5.47"),
    "5.48": lambda runs: strings.fan(),
    "5.49": lambda runs: strings.one_tension(),
    "5.50": lambda runs: strings.other_segments(),
}
"""Functions that make the figures from the runs, by their numbers."""
OF_STUDIES: dict[str, tuple[str, Callable[[Mapping[str, resonance.Curve]], Entry]]] = {
    "5.52": (resonance.ANGLE, resonance.over_angle),
    "5.53": (resonance.SPEED, resonance.over_speed),
}
"""Functions that make the figures from the studies."""
GROUPS = {
    "Circular and real tooth: forces and spans (section 5.2)": ("5.2", "5.3", "5.4", "5.5"),
    "Circular and real tooth: spectra and contact forces (section 5.2)": ("5.6", "5.7", "5.8", "5.9", "5.10"),
    "Formulations of contact (sections 3.5.1 and 4.3.3)": ("forms",),
    "Friction between rollers and teeth (section 5.3)": ("5.12", "5.13", "5.14", "5.15", "5.16", "5.17"),
    "Restitution and joint damping (sections 5.4 and 5.6)": ("5.18", "5.19", "5.21", "5.22", "5.23"),
    "The crank (section 4.3.1)": ("crank",),
    "Guide bars at constant speed (section 5.7)": ("5.24", "5.25", "5.26", "5.27"),
    "Guide bars at oscillating speed (section 5.7)": ("5.28", "5.29", "5.30", "5.31", "5.32"),
    "Forces with guide bars (section 5.7)": ("5.33", "5.34", "5.35", "5.36"),
    "Motion of the tightener (section 5.8)": ("5.38", "5.39", "5.40", "5.41", "5.42", "5.43"),
    "Forces with the tightener (section 5.8)": ("5.44", "5.45", "5.46", "5.47"),
    "Resonance (section 5.9)": ("5.48", "5.49", "5.50", "5.52", "5.53"),
}
"""The figures on each page, by the title of the page."""


def entry(number: str, runs: Runs, study: Callable[[str], Mapping[str, resonance.Curve]]) -> Entry:
    """One figure. study: returns the curves of a study by its name."""
    if number in OF_STUDIES:
        name, draw = OF_STUDIES[number]
        return draw(study(name))
    return FIGURES[number](runs)


def entries(runs: Runs, studies: Studies) -> dict[str, Sequence[Entry]]:
    """All figures, under the titles of their pages."""
    return {
        title: [entry(number, runs, studies.__getitem__) for number in numbers] for title, numbers in GROUPS.items()
    }


def write_figure(number: str, kept: Path, processes: int) -> list[Path]:
    """Write the picture and the text of one figure in the working folder, from the runs that it needs; return the
    files.
    """
    runs = RunsOnDemand(all_cases(), functools.partial(make, kept))
    made = entry(number, runs, lambda name: resonance.sweep(name, kept, processes))
    picture, text = Path(made.name), Path(made.name).with_suffix(".md")
    save(made.picture, picture)
    text.write_text(made.text().replace("../pictures/pedersen/", "") + "\n", encoding="utf-8")
    return [picture, text]


def write_pages(texts: Mapping[str, str], folder: Path) -> None:
    """Write pages, by their names relative to a folder."""
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")


def main(folder: Path, processes: int) -> None:
    """Run everything, draw the pictures and write the pages."""
    runs, studies = simulate(folder, processes), sweep(folder, processes)
    groups = entries(runs, studies)
    for group in groups.values():
        for each in group:
            save(each.picture, PICTURES / "pedersen" / each.name)
    swept = sum(curve.at.size for curves in studies.values() for curve in curves.values())
    write_pages(pages(groups, runs, swept), Path(__file__).parent)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, help="folder in which results are kept")
    parser.add_argument("--processes", type=int, default=PROCESSES)
    known = [*FIGURES, *OF_STUDIES]
    parser.add_argument("--figure", choices=known, metavar="NUMBER", help=f"only this one: {', '.join(known)}")
    asked = parser.parse_args()
    if asked.figure:
        print(*write_figure(asked.figure, kept_folder("pedersen", asked.folder), asked.processes))
    else:
        main(kept_folder("pedersen", asked.folder), asked.processes)
