"""Creep shifting of a CVT, with elastic and rigid sheaves, and the directions along which a sticking pin is held.

    python docs/validation/creep_shifting.py [--write]

``--write`` makes ``creep-shifting.md`` next to this file. Takes two minutes.
"""

from __future__ import annotations

import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from _made import kept, kept_folder, made
from _writing import main_of

import chaindrive as cd
from chaindrive.model import Drive, override

HERE = Path(__file__).parent
PAGE = HERE / "creep-shifting.md"

NAME = "cvt-63"
SPEEDS = (50.0, 100.0, 200.0, 400.0)
"""Speeds of the driver. [rad/s]"""
SPEED = 200.0
RATIOS = (0.05, 0.1, 0.15, 0.2, 0.3)
"""Logarithm of the ratio of the forces divided by this ratio in equilibrium, used with both signs. [-]"""
RATIO = 0.15
SETTLED, SHIFTED = 10.0, 4.0
"""Loops of the chain for settling and for shifting; the first part of each is omitted."""
STIFFER = (0.5, 1.0, 2.0, 4.0, 8.0)
"""Factors on the stiffness of pins and links. [-]"""
STEPS = (1e-6, 2e-6, 4e-6)
TURNED = "turned = 0.5 * h * y[at]"
"""The line of the formulation that turns the directions with the sheaves."""
THRUSTS = """
import chaindrive as cd, json
from chaindrive.model import override
sheaves = {{f"sheaves.{{name}}.tilt_stiffness": None for name in ("primary", "secondary")}}
drive = override(cd.example({name!r}), sheaves | {{"run.solver": {{"method": "leapfrog", "step": {step!r}}}}})
solution = cd.simulate(drive, until=0.8, progress=False)
first, second = solution["sheave_thrust"].sel(time=slice(0.65, None)).mean("time").values
print(json.dumps(float(first / second)))
"""


class Creep(NamedTuple):
    """Shifting of the chain caused by a pair of clamping forces."""

    equilibrium: float
    """Thrust ratio S1/S2 at which the speed ratio stays constant [-]"""
    inwards: float
    outwards: float
    """Rate of change of the running radius on the driving pair, for a smaller and for a larger thrust ratio [m/s]"""


def drive_of(elastic: bool, speed: float, links: str = "points", stiffer: float = 1.0) -> Drive:
    """The example without load. speed: of the driver [rad/s]; stiffer: factor on the stiffness of its pins and
    links.
    """
    chain = cd.example(NAME).chain
    changes: dict[str, Any] = {
        "sheaves.secondary.load_torque": 0.0,
        "sheaves.primary.motion.speed": speed,
        "run.formulation.links": links,
        "chain.pins.stiffness": stiffer * chain.pins.stiffness,
        "chain.link_stiffness": stiffer * chain.link_stiffness,
        "run.save.rate": 97.3 * speed / (4.0 * math.pi),  # in no step with the pins
    }
    if not elastic:
        changes |= {"sheaves.primary.tilt_stiffness": None, "sheaves.secondary.tilt_stiffness": None}
    return override(cd.example(NAME), changes)


def creep(elastic: bool, speed: float, ratio: float, links: str = "points", stiffer: float = 1.0) -> Creep:
    """Shift the chain in both directions from equilibrium. The logarithm is that of the ratio of the forces divided by
    this ratio in equilibrium.
    """
    drive = drive_of(elastic, speed, links, stiffer)
    turn = 4.0 * math.pi / speed  # about, of a chain twice as long as the way around a pair
    held = cd.simulate(drive, until=SETTLED * turn, progress=False)
    thrust = held.values("sheave_thrust")[len(held.time) * 6 // 10 :].mean(axis=0)
    balance = float(thrust[0] / thrust[1])
    rates = []
    for way in (-ratio, ratio):
        force = balance * drive.sheaves[1].clamping_force * math.exp(way)
        pressed = override(drive, {"sheaves.primary.clamping_force": force})
        run = cd.simulate(pressed, until=SHIFTED * turn, initial=held, progress=False)
        later = len(run.time) // 4
        times, radii = np.asarray(run.time)[later:], run.values("running_radius")[later:, 0]
        rates.append(float(np.polyfit(times, radii, 1)[0]))
    return Creep(balance, *rates)


def slope(found: Creep, ratio: float) -> float:
    """Rate of change of the running radius per unit of the logarithm. [m/s]"""
    return (found.outwards - found.inwards) / (2.0 * ratio)


def rigid_thrust_ratio(step: float, turning: bool) -> float:
    """Thrust ratio with rigid sheaves at a step [s].

    turning: whether directions turn with the sheaves. If not, a copy of the package in which they do not turn is used.
    """
    with tempfile.TemporaryDirectory(prefix="chaindrive-directions-") as folder:
        source = Path(cd.__file__).parent
        copy = Path(folder) / "chaindrive"
        shutil.copytree(source, copy, ignore=shutil.ignore_patterns("__pycache__"))
        if not turning:
            path = copy / "formulations" / "cvt" / "rhs.py"
            before, after = path.read_text(encoding="utf-8").split(TURNED)
            path.write_text(f"{before}turned = 0.0{after}", encoding="utf-8")
        said = subprocess.run(
            [sys.executable, "-c", THRUSTS.format(name=NAME, step=step)],
            env=os.environ | {"PYTHONPATH": folder}, capture_output=True, text=True, check=True,
        )  # fmt: skip
    return float(json.loads(said.stdout))


def _creep(folder: Path, elastic: bool, speed: float, ratio: float, links: str = "points") -> Creep:
    name = f"{'elastic' if elastic else 'rigid'} {speed:g} {ratio:g} {links}.json".replace(" ", "-")
    return Creep(*kept(folder / name, partial(creep, elastic, speed, ratio, links)))


def speed_rows(folder: Path) -> list[str]:
    """Rows with the rate as a function of the speed of the driver."""
    rows = []
    for words, elastic, links in (
        ("elastic", True, "points"),
        ("elastic, rigid links", True, "rigid"),
        ("rigid", False, "points"),
    ):
        for speed in SPEEDS:
            found = _creep(folder, elastic, speed, RATIO, links)
            rate = slope(found, RATIO)
            rows.append(
                f"| {words} | {speed:g} | {found.equilibrium:.3f} | {1e3 * found.inwards:.2f} | "
                f"{1e3 * found.outwards:.2f} | {1e6 * rate / speed:.0f} |"
            )
    return rows


def ratio_rows(folder: Path) -> list[str]:
    """Rows with the rate as a function of the logarithm of the ratio of the forces."""
    rows = []
    for ratio in RATIOS:
        elastic, rigid = (_creep(folder, yields, SPEED, ratio) for yields in (True, False))
        rows.append(
            f"| {ratio:g} | {1e3 * elastic.inwards:.2f} | {1e3 * elastic.outwards:.2f} | "
            f"{1e6 * slope(elastic, ratio) / SPEED:.0f} | {1e3 * rigid.inwards:.2f} | {1e3 * rigid.outwards:.2f} |"
        )
    return rows


def stiffness_rows(folder: Path) -> list[str]:
    """Rows with the rate for rigid sheaves as a function of the stiffness of pins and links."""
    rows = []
    for stiffer in STIFFER:
        name = f"rigid-stiffer-{stiffer:g}.json"
        found = Creep(*kept(folder / name, partial(creep, False, SPEED, RATIO, stiffer=stiffer)))
        rows.append(
            f"| {stiffer:g} | {found.equilibrium:.3f} | {1e3 * found.inwards:.2f} | {1e3 * found.outwards:.2f} | "
            f"{1e6 * slope(found, RATIO) / SPEED:.1f} |"
        )
    return rows


def direction_rows(folder: Path) -> list[str]:
    """Rows with the thrust ratio for rigid sheaves as a function of the step."""
    rows = []
    for step in STEPS:
        turning, staying = (
            kept(folder / f"directions-{step:g}-{turning}.json", partial(rigid_thrust_ratio, step, turning))
            for turning in (True, False)
        )
        rows.append(f"| {1e6 * step:g} | {turning:.3f} | {staying:.3f} |")
    return rows


def page(folder: Path) -> str:
    """The page as Markdown."""
    tables = (speed_rows, ratio_rows, stiffness_rows, direction_rows)
    speeds, ratios, stiffnesses, directions = ("\n".join(rows(folder)) for rows in tables)
    return f"""# Shifting by creep, and the directions of a stuck pin

This page is written by `python docs/validation/creep_shifting.py --write`; it was {made()}.

## Shifting by creep

Carbone, Mangialardi and Mantriota (2005, 2007) find that the speed ratio of a CVT changes at a rate proportional to the
speed of the driver and to the logarithm of the ratio of the clamping forces, divided by this ratio in equilibrium. The
reason is that pins move in and out while they pass through sheaves that yield; with rigid sheaves there is no such
creep. Here the example
`{NAME}` runs without load: the driving pair of sheaves is held for {SETTLED:g} loops of the chain, which gives
the ratio of the thrusts in equilibrium, S1/S2; it is then pressed together by a force whose ratio to the clamping force
of the other pair is smaller or larger. The rate at which its chain runs inwards or outwards is measured over
{SHIFTED:g} revolutions, of which the first is omitted.

With a ratio of the forces that is exp(±{RATIO:g}) times the ratio in equilibrium:

| sheaves | speed [rad/s] | S1/S2 | inwards [mm/s] | outwards [mm/s] | per rad and unit of ln [µm] |
|:--|--:|--:|--:|--:|--:|
{speeds}

At {SPEED:g} rad/s, with elastic and with rigid sheaves:

| ±ln | elastic: inwards [mm/s] | outwards [mm/s] | per rad and unit of ln [µm] | rigid: inwards | outwards |
|--:|--:|--:|--:|--:|--:|
{ratios}

With sheaves that yield, the rate divided by speed and logarithm is constant, for point masses and for rigid links.
Above
200 rad/s the centrifugal force of the chain, which reduces its pressure on the sheaves, becomes noticeable.
With rigid sheaves about an eighth of the rate remains, because pins still yield in compression, and links in tension.
With pins and links up to four times as stiff, less remains. With rigid sheaves, {SPEED:g} rad/s and exp(±{RATIO:g}):

| times as stiff | S1/S2 | inwards [mm/s] | outwards [mm/s] | per rad and unit of ln [µm] |
|--:|--:|--:|--:|--:|
{stiffnesses}

The last row is not a result of creep: its equilibrium ratio differs from that of the other rows, and the chain moves in
one direction only.

## The directions of a stuck pin

The table gives the thrust ratio of `{NAME}` with rigid sheaves from 0.65 to 0.8 s. In the first column the sliding
speeds are taken along the directions to which the sheaves have turned by the end of a step, as in chaindrive; in the
second they are taken along the directions halfway through the step, with a copy of the package that differs in this
line alone.

| step [µs] | directions at the end of the step | directions in the middle |
|--:|--:|--:|
{directions}
"""


if __name__ == "__main__":
    main_of(__doc__, PAGE, lambda _: page(kept_folder("creep-shifting")))
