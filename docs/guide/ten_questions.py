"""Ask two drives ten questions, and write the page with the answers: python docs/guide/ten_questions.py [--runs FOLDER]

Every answer is read off a run or an analysis; every picture is a plot of the run that its command makes. With --runs
results in FOLDER named NAME.nc, NAME-faster.nc and NAME-worn.nc are used instead of new simulations.
"""

from __future__ import annotations

import argparse
import math
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
from PIL import Image

import chaindrive as cd
from chaindrive import plots
from chaindrive.analyses.results.verdict import Tile

HERE = Path(__file__).resolve().parent
PAGE, PICTURES = HERE / "ten-questions.md", HERE / "pictures"
COLOURS, DPI = 96, 100
WORN = 0.005
"""Elongation of a worn chain: half a percent, a quarter to a sixth of the usual limit."""


class Drive(NamedTuple):
    """A drive for which the questions are answered."""

    name: str
    until: float
    """[s]"""
    driver: str
    speed: float
    """[rpm]"""


DRIVES = (Drive("timing-06b", 0.5, "crankshaft", 3000.0), Drive("6s90mc-c", 10.0, "crankshaft", 76.0))


class Runs:
    """The runs of one drive: as described, 10 % faster, worn."""

    def __init__(self, drive: Drive, folder: Path) -> None:
        self.drive, self.folder = drive, folder
        self.base = self._run("", {})
        self.faster = self._run("-faster", {f"wheels.{drive.driver}.motion.speed": f"{1.1 * drive.speed:g} rpm"})
        self.worn = self._run("-worn", {"chain.elongation": WORN})

    def _run(self, suffix: str, changes: dict[str, object]) -> cd.Solution | str:
        """Return a run, or the reason why there is none."""
        path = self.folder / f"{self.drive.name}{suffix}.nc"
        if not path.exists():
            try:
                changed = cd.example(self.drive.name).replace(changes)
                solution = cd.simulate(changed, until=self.drive.until, output=path)
            except (cd.InputError, cd.ComputationError) as error:
                return str(error).splitlines()[-1].strip()
            solution.close()
        solution = cd.open(path)
        return f"{solution.status.name}: {solution.status.meaning}" if solution.status.failed else solution


def headline_of(tile: Tile) -> str:
    """Return the headline of a tile with how it is judged and its first line."""
    first = tile.lines[0] if tile.lines else ""
    if first.startswith(tile.headline):
        return f"{first} ({tile.word})"
    return f"{tile.headline} ({tile.word})" + (f"; {first}" if first else "")


def of_tile(*keys: str) -> Callable[[Runs], str]:
    """Return a function that answers with one or several tiles of the verdict."""

    def answer(runs: Runs) -> str:
        tiles = [(key, runs.base.verdict.tile(key)) for key in keys]
        return " ".join(
            f"{tile.title}: {headline_of(tile)}." if tile else f"{key.capitalize()}: **not judged**."
            for key, tile in tiles
        )

    return answer


def window(run: cd.Solution) -> slice:
    """Return the window of the verdict, as a slice of the instants."""
    time = run.time
    return slice(int(np.searchsorted(time, run.verdict.start)), int(np.searchsorted(time, run.verdict.stop, "right")))


def tooth(runs: Runs) -> str:
    """Name the sprocket on which the largest tooth force of the steady part acts."""
    tile = runs.base.verdict.tile("contact_force")
    wheel = runs.base.drive.wheels[tile.index].name
    return f"{tile.headline} on the {wheel}, at {1e3 * tile.time:.4g} ms ({tile.word})."


def travel(runs: Runs) -> str:
    """State travel and force of the tensioner, where the drive has one that moves."""
    run = runs.base
    if "tensioner_position" not in run.channels:
        return "**Not judged**: the tensioner of this drive is a sprocket that is adjusted once and then fixed."
    part = window(run)
    moved = float(np.ptp(run.values("tensioner_position")[part, 0]))
    force = run.values("tensioner_force")[part, 0]
    return f"{1e3 * moved:.3g} mm in the steady part, with forces from {force.min():.4g} N to {force.max():.4g} N."


def noise(runs: Runs) -> str:
    """Compare the tooth order of the driver's torque with its strongest order."""
    run, part = runs.base, window(runs.base)
    wheel = next(i for i, wheel in enumerate(run.drive.wheels) if wheel.name == runs.drive.driver)
    teeth = run.drive.wheels[wheel].teeth
    torque = run.values("wheel_torque")[part, wheel]
    angle = abs(run.values("wheel_angle")[part, wheel])
    turns = (angle[-1] - angle[0]) / (2.0 * math.pi)
    even = np.linspace(angle[0], angle[-1], torque.size)
    hann = np.hanning(torque.size)
    resampled = np.interp(even, angle, torque)
    spectrum = 2.0 * abs(np.fft.rfft((resampled - resampled.mean()) * hann)) / hann.sum()
    orders = np.arange(spectrum.size) / turns
    strongest = float(orders[int(np.argmax(np.where(orders > 0.5, spectrum, 0.0)))])
    at_teeth = float(spectrum[abs(orders - teeth) < 1.0].max())
    most, of_teeth = _shown(spectrum.max(), "N m"), abs(strongest - teeth) < 1.0
    which = f"the tooth order, {teeth}" if of_teeth else f"{strongest:.3g}"
    rest = "" if of_teeth else f"; the tooth order, {teeth}, has {_shown(at_teeth, 'N m')}"
    return (
        f"The strongest order in the torque of the {runs.drive.driver} is {which}, with an amplitude of {most}{rest}. "
        f"Radiated sound is **not judged**."
    )


def _shown(value: float, unit: str) -> str:
    """Write a number with three digits, in thousands if it is large."""
    return f"{value / 1e3:.3g} k{unit}" if abs(value) >= 1e3 else f"{value:.3g} {unit}"


def beside(other: str) -> Callable[[Runs], str]:
    """Return a function that compares another run with the first one: largest tension and tooth force."""

    def answer(runs: Runs) -> str:
        run = getattr(runs, other)
        if isinstance(run, str):
            return f"**Not judged**: there is no such run. {run}"
        told = {"largest tension": "link_tension_max", "tooth force": "tooth_force_max"}
        now = {words: (_largest(runs.base, name), _largest(run, name)) for words, name in told.items()}
        parts = [f"{words} {_shown(b, 'N')} instead of {_shown(a, 'N')}" for words, (a, b) in now.items()]
        return f"{'; '.join(parts)} (in the steady or last part of the run; {run.verdict.tile('steady').word})."

    return answer


def _largest(run: cd.Solution, channel: str) -> float:
    return float(run.values(channel)[window(run)].max())


class Question(NamedTuple):
    """A question, the command to type, its answer and its picture."""

    text: str
    command: str
    answer: Callable[[Runs], str]
    picture: Callable[[Runs], object]
    of: str = "base"
    """The run that is shown."""


def _range(run: cd.Solution) -> dict[str, float]:
    return {"start": run.verdict.start, "stop": run.verdict.stop}


QUESTIONS = (
    Question("Is it safe?", "chaindrive plot {0}.nc tension-envelope", of_tile("steady", "tension", "plates"),
             lambda run: plots.plot_tension_envelope(run)),
    Question("Is it near a resonance?", "chaindrive plot {0}.nc spectrum --channel span_tension --index 0",
             of_tile("resonance", "vibration"),
             lambda run: plots.plot_spectrum(run, "span_tension", 0, **_range(run))),
    Question("How large are the losses?", "chaindrive plot {0}.nc losses", of_tile("efficiency"),
             lambda run: plots.plot_losses(run, **_range(run))),
    Question("Which sprocket has the largest tooth force?", "chaindrive plot {0}.nc peaks", tooth,
             lambda run: plots.plot_peaks(run, **_range(run))),
    Question("How large are the bearing loads?", "chaindrive plot {0}.nc bearing-force", of_tile("bearing_force"),
             lambda run: plots.plot_bearing_force(run, **_range(run))),
    Question("How far does the tensioner travel?", "chaindrive plot {0}.nc overview", travel,
             lambda run: plots.plot_overview(run)),
    Question("Which order causes the noise?", "chaindrive plot {0}.nc orders --channel wheel_torque --index {1}", noise,
             lambda run: plots.plot_orders(run, "wheel_torque", 0, **_range(run))),
    Question("How long will it last?", "chaindrive plot {0}.nc rainflow", of_tile("life", "plates"),
             lambda run: plots.plot_rainflow(run, **_range(run))),
    Question("What if it runs 10 % faster?",
             'chaindrive run {0} --set wheels.{1}.motion.speed="{2:g} rpm" -o {0}-faster.nc\n'
             "chaindrive plot {0}-faster.nc tension-envelope", beside("faster"),
             lambda run: plots.plot_tension_envelope(run), "faster"),
    Question("What if the chain is worn by 0.5 %?",
             "chaindrive run {0} --set chain.elongation=0.005 -o {0}-worn.nc\n"
             "chaindrive plot {0}-worn.nc tension-envelope", beside("worn"),
             lambda run: plots.plot_tension_envelope(run), "worn"),
)  # fmt: skip


def drawn(question: Question, number: int, runs: Runs) -> str:
    """Draw the picture of an answer and return it as Markdown; nothing without a run to show."""
    run = getattr(runs, question.of)
    if isinstance(run, str):
        return ""
    name = f"question-{number}-{runs.drive.name}.png"
    figure = question.picture(run)
    figure.savefig(PICTURES / name, dpi=DPI, bbox_inches="tight")
    Image.open(PICTURES / name).convert("RGB").quantize(COLOURS).save(PICTURES / name, optimize=True)
    return f"\n![{question.text} {runs.drive.name}](pictures/{name})\n"


HEAD = """# Ten questions that engineers ask

This page answers an engineer's first questions and gives the command for each picture. The questions are answered
for the timing drive of a car engine (`timing-06b`, 3000 rpm) and the camshaft drive of a marine engine
(`6s90mc-c`, 76 rpm). Numbers and pictures are written by [`ten_questions.py`](ten_questions.py). They refer to the
steady part of each run (the last part if it is not steady), as in [the verdict](verdict.md); pictures over time show
only this part, as with `--start` and `--stop`. *Not judged* means that the drive file sets no limit. Run both drives
first:

```
chaindrive run timing-06b
chaindrive run 6s90mc-c
```

`chaindrive info timing-06b.nc` prints the answers on safety, resonance, losses, forces and life together;
`chaindrive report timing-06b.nc` shows the same answers.
"""


def page(asked: list[Runs]) -> str:
    """Return the whole page."""
    parts = [HEAD]
    for number, question in enumerate(QUESTIONS, 1):
        parts.append(f"## {number}. {question.text}\n")
        for runs in asked:
            drive = runs.drive
            command = question.command.format(drive.name, drive.driver, 1.1 * drive.speed)
            answer = question.answer(runs)
            shown = drawn(question, number, runs)
            parts.append(f"**{drive.name}**: {answer[0].upper()}{answer[1:]}\n\n```\n{command}\n```\n{shown}")
    return "\n".join(parts)


def main() -> None:
    """Make the missing runs, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=Path, help="folder with existing results")
    given = parser.parse_args().runs
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        asked = [Runs(drive, given or Path(folder)) for drive in DRIVES]
        PAGE.write_text(page(asked), encoding="utf-8")


if __name__ == "__main__":
    main()
