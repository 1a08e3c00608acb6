"""Worked examples in drive files (``worked/*.toml``): two are at rest, four are short runs."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path

import numpy as np
from _made import kept, kept_folder
from _worked_rows import RUN, Example

import chaindrive as cd
from chaindrive.analyses.analytical import formulas
from chaindrive.contract.system import System
from chaindrive.simulation.start import channel_at_start, prepare

FOLDER = Path(__file__).parent / "worked"


def load(name: str) -> cd.Drive:
    """A drive of the folder ``worked``."""
    return cd.load(FOLDER / f"{name}.toml")


def still(name: str) -> System:
    """A drive at rest."""
    return prepare(load(name), start="at_rest").system


def run(name: str) -> cd.Solution:
    """Run a drive as in its file, with all channels in double precision and 5000 rows per second."""
    save = {"rate": 5000.0, "precision": "double", "channels": "all"}
    drive = load(name)
    return cd.simulate(drive, save=drive.run.save.model_copy(update=save))


def after(solution: cd.Solution, begin: float) -> np.ndarray:
    """Rows from an instant on."""
    return np.asarray(solution.time >= begin)


def net_pull(name: str, tight: int, slack: int, begin: float) -> list[float]:
    """Mean tension of the tight span less that of the slack span. [N]"""
    solution = run(name)
    tension = solution.values("span_tension")[after(solution, begin)]
    return [float((tension[:, tight] - tension[:, slack]).mean())]


def chordal() -> list[float]:
    """Largest decrease of the load's speed from its maximum [%], from means over 50 ms, because the load vibrates on
    the chain at 120 Hz.

    In 50 ms the sprocket turns by 0.6 degrees; the angle from tooth to tooth is 40 degrees.
    """
    solution = run("chordal-9")
    speed = solution.values("roller_velocity")[after(solution, 1.0)][:, 0, 1]
    smooth = np.convolve(speed, np.full(251, 1.0 / 251.0), mode="valid")
    return [100.0 * float(1.0 - smooth.min() / smooth.max())]


def conveyor() -> list[float]:
    """Mean pull at constant speed, and while the goods are accelerated to 20 m/min. [N]"""
    solution = run("conveyor-start")
    pull, time = solution.values("link_tension")[:, 0], solution.time
    return [float(pull[(time >= begin) & (time <= end)].mean()) for begin, end in ((0.25, 0.4), (0.4, 0.6))]


def hoist() -> list[float]:
    """Ten times the tension of the link above the load. [kN]"""
    return [1e-2 * float(channel_at_start(still("hoist-3-t"), "link_tension")[0])]


def power_line() -> list[float]:
    """Sag [m] and largest tension. [N]"""
    system = still("power-line")
    heights = channel_at_start(system, "roller_position")[:, 1]
    return [float(-heights.min()), float(channel_at_start(system, "link_tension").max())]


COMPUTED: dict[str, Callable[[], list[float]]] = {
    "bicycle-48x24": functools.partial(net_pull, "bicycle-48x24", 0, 1, 0.475),
    "line-shaft-10b": functools.partial(net_pull, "line-shaft-10b", 1, 0, 0.1),
    "chordal-9": chordal,
    "conveyor-start": conveyor,
    "hoist-3-t": hoist,
    "power-line": power_line,
}
"""The functions that compute the numbers, by the names of the drive files."""


def number(name: str, which: int = 0) -> float:
    """A number from a drive file, which is computed once for each digest of the kernels."""
    return float(kept(kept_folder("worked-examples") / f"{name}.json", COMPUTED[name])[which])


def example(
    name: str,
    which: int,
    source: str,
    quantity: str,
    unit: str,
    theirs: float,
    why: str = "",
    settled: float | None = None,
) -> Example:
    """A row from a drive file."""
    given = f"`worked/{name}.toml`"
    return Example(RUN, source, quantity, given, unit, theirs, functools.partial(number, name, which), why, settled)


EXAMPLES = [
    example("bicycle-48x24", 0, "julia", "pull of a bicycle chain, run of 1.6 s", "N", 191.79623567921442),
    example("line-shaft-10b", 0, "bhandari", "pull of a 10B chain at 1400 rpm, run of 0.5 s", "N", 1840.558878),
    example("chordal-9", 0, "machinecalcs", "variation of the speed with 9 teeth, run of 4.6 s", "%", 6.0,
            "the value is 6.03 % before rounding; the load also swings "
            "sideways", 100.0 * float(formulas.polygon_speed_drop(9))),
    example("conveyor-start", 0, "guide", "pull of a conveyor at constant speed, run of 0.6 s", "N", 5880.0),
    example("conveyor-start", 1, "guide", "the same during the start, mean over 0.2 s", "N", 14130.0,
            "the source rounds 1/3 m/s to 0.33 m/s", 5880.0 + 5000.0 / 3.0 / 0.2),
    example("hoist-3-t", 0, "guide", "ten times the tension of a hoist at rest", "kN", 176.5),
    example("power-line", 0, "catenary", "sag of a power line of 140 m with a span of 120 m, at rest", "m", 31.70),
    example("power-line", 1, "catenary", "largest tension of this line, at rest", "N", 2740.0),
]  # fmt: skip
