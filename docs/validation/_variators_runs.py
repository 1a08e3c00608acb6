"""Runs of the page about variators: input and stored results of each."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from _made import kept
from _variators_euler import euler

import chaindrive as cd
from chaindrive.analyses.results.losses import losses
from chaindrive.analyses.results.plate_forces import plate_forces, plate_peaks, plate_system
from chaindrive.model import Drive, override

UNTIL, SINCE = 0.8, 0.65
"""End of a run and start of the time window for its means [s], as in the prototype."""
LONG = 2.0
"""End of a run that is divided into several such time windows [s]"""
LONG_LOADS = (50.0, 91.0, 100.0, 150.0)
"""[N m]"""
STEP = 2e-6
"""[s]"""
LOADS = (0.0, 50.0, 100.0, 150.0, 175.0)
"""[N m]"""
RADII = (32e-3, 40e-3, 49.5e-3, 58e-3, 68e-3)
"""Running radius of the driving pair [m]"""
TORQUES = (119.0, 107.0, 91.0, 74.0, 51.0)
"""Load at each running radius, which is half of the slip limit [N m]"""
STEPS = (0.25e-6, 0.5e-6, 1e-6, 2e-6, 3e-6)
SMOOTH = (1e-1, 3e-2, 1e-2, 3e-3, 1e-3, 1e-4)
"""[m/s]"""
ECCENTRICITIES = (-2e-4, -1e-4, 0.0, 1e-4, 2e-4)
"""[m]"""
BENDING = (0.55, 2.2, 10.0)
"""[N m^2]"""
PRESSED = 1000.0
"""Normal force above which the ratio of friction to normal force is evaluated [N]. A row contains the friction during
the last step but the normal force at its end, which do not match when a pin leaves.
"""
REACH = {"sheaves.primary.inner_radius": "26 mm", "sheaves.secondary.inner_radius": "26 mm"}
RIGID = {"sheaves.primary.tilt_stiffness": None, "sheaves.secondary.tilt_stiffness": None}
LOAD, RADIUS = "sheaves.secondary.load_torque", "sheaves.primary.running_radius"


def variator(changes: Mapping[str, Any], step: float | None = STEP) -> Drive:
    """The example with changed values."""
    solver = {} if step is None else {"run.solver.step": step}
    return override(cd.example("cvt-63"), {**changes, **solver})


def means(drive: Drive, **options: Any) -> dict[str, Any]:
    """Means of a run from SINCE on."""
    begun = time.process_time()
    solution = cd.simulate(drive, until=UNTIL, **options)
    spent = time.process_time() - begun
    found: dict[str, Any] = {"ending": solution.status.name, "seconds": spent, "steps": solution.statistics["steps"]}
    if solution.status.name != "REACHED_END":
        return found | {"end": float(solution.time[-1])}
    rows = slice(int(np.searchsorted(solution.time, SINCE)), None)
    thrust = np.asarray(solution.values("sheave_thrust", rows)).mean(axis=0)
    tension = np.asarray(solution.values("span_tension", rows)).mean(axis=0)
    return found | {
        "thrusts": thrust.tolist(),
        "ratio": float(thrust[0] / thrust[1]),
        "tight": float(tension.max()),
        "slack": float(tension.min()),
        "efficiency": losses(solution, SINCE, UNTIL).efficiency,
        "speed": float(np.asarray(solution.values("wheel_speed", rows))[:, 1].mean()),
        "residual": float(solution.audit.relative_residual),
    }


def from_the_end_of(changes: Mapping[str, Any]) -> dict[str, Any]:
    """Means of a run of the example that continues from the end of a run with different values."""
    before = cd.simulate(variator(changes), until=0.3)
    return means(variator({}), initial=before)


def windows(load: float) -> dict[str, Any]:
    """Thrust ratios in the time windows of a long run at a load [N m]."""
    solution = cd.simulate(variator({LOAD: load}), until=LONG)
    thrust, width = np.asarray(solution.values("sheave_thrust")), UNTIL - SINCE
    starts = np.arange(SINCE, LONG - 0.999 * width, width)
    parts = [thrust[(solution.time >= at) & (solution.time < at + width)].mean(axis=0) for at in starts]
    return {"ratios": [float(first / second) for first, second in parts]}


def second_program(radius: float, load: float, turned: bool, tilting: bool, step: float) -> dict[str, float]:
    """Means of the second program."""
    drive = variator({**REACH, RADIUS: radius, LOAD: load})
    found = euler(drive, step, turned, tilting, UNTIL, SINCE)
    return {"ratio": found.thrust_ratio, "tight": found.tight}


def marks() -> dict[str, Any]:
    """Numbers for the features of Figures 9 and 10, from one run of the example."""
    drive = variator({})
    solution = cd.simulate(drive, until=0.5)
    found = plate_forces(solution, 0.3, 0.5)
    rows = slice(int(np.searchsorted(solution.time, 0.3)), None)

    def channel(name: str) -> Any:
        return np.asarray(solution.values(name, rows), dtype=np.float64)

    axial, normal, tension = channel("pin_axial_force"), channel("pin_normal_force"), channel("link_tension")
    radial, around = channel("pin_radial_friction"), channel("pin_circumferential_friction")
    drift, held, where = channel("pin_drift"), axial > 0.0, found.where
    pair = np.where(held, np.where(channel("roller_position")[..., 0] > 0.0775, 1, 0), -1)
    total, pressed = np.hypot(radial, around), normal > PRESSED
    free = (where >= 2) & (np.roll(where, 1, axis=1) >= 2)
    change = tension - np.roll(tension, 1, axis=1)
    window = solution.time[-1] - 0.3
    lost = {name: np.asarray(solution.values(f"work_{name}", rows)) for name in ("friction_radial", "output")}
    power = {name: float(work[-1] - work[0]) / window for name, work in lost.items()}
    by_place = [_over_the_wrap(pair == w, normal, around) for w in (0, 1)]
    strands = [float(tension[where == 2 + k].mean()) for k in (0, 1)]
    torque = float(drive.wheels[1].load_torque)
    running = channel("running_radius").mean(axis=0)
    peaks = {each.quantity: each._asdict() for each in plate_peaks(found)}
    clasp = found.force[:, found.clasp] / found.mean[:, found.link[found.clasp]]
    on = where[:, found.link[found.clasp]]
    return {
        "outside": float(max(np.abs(force[free]).max() for force in (normal, radial, around))),
        "normal": by_place,
        "cone": float(np.quantile(total[pressed] / normal[pressed], 0.99) / drive.chain.pins.friction),
        "sticking": float((np.hypot(drift, channel("pin_slip"))[held] < 1e-9).mean()),
        "radial power": float(-2.0 * (radial * drift).sum(axis=1).mean()),
        "radial loss": power["friction_radial"],
        "output": power["output"],
        "change": float(np.std(change[held])),
        "unexplained": float(np.std((change + 2.0 * around)[held])),
        "strands": strands,
        "pull": torque / float(running[1]),
        "ripple": [float(tension[where == 2 + k].std()) for k in (0, 1)],
        "peaks": peaks,
        "clasp": {
            name: [float(clasp[on == k].min()), float(clasp[on == k].mean()), float(clasp[on == k].max())]
            for k, name in enumerate(found.names)
        },
        "variants": _variants(drive, tension, around, axial),
        "extension": plate_system(drive).extension(),
    }


def _over_the_wrap(on: Any, normal: Any, around: Any) -> dict[str, list[float]]:
    """Mean normal force and circumferential friction [N] in tenths of the time of a pin in a groove."""
    stays = []
    for pin in range(on.shape[1]):
        edges = np.flatnonzero(np.diff(on[:, pin].astype(int)))
        for first, last in itertools.pairwise(edges):
            if on[first + 1, pin]:
                part = slice(first + 1, last + 1)
                places = np.linspace(0.0, 1.0, last - first)
                grid = (np.arange(10) + 0.5) / 10.0
                stays.append([np.interp(grid, places, each[part, pin]) for each in (normal, around)])
    mean = np.mean(stays, axis=0)
    return {"normal": mean[0].tolist(), "around": mean[1].tolist()}


def _variants(drive: Drive, tension: Any, around: Any, axial: Any) -> dict[str, list[float]]:
    """Largest forces of all plates and of the clasp plates [N] for several eccentricities and bending stiffnesses."""
    found = {}
    for bending in BENDING:
        changed = override(drive, {"chain.plates.bending_stiffness": bending})
        system = plate_system(changed)
        clasp = np.flatnonzero((system.row == 0) | (system.row == system.row.max()))
        for eccentricity in ECCENTRICITIES if bending == 2.2 else (0.0,):
            force = system.forces(tension, around, eccentricity * axial)
            outer = force[:, clasp]
            found[f"{bending:g} {eccentricity:g}"] = [float(force.max()), float(outer.max()), float(outer.min())]
    return found


def jobs() -> dict[str, Callable[[], dict[str, Any]]]:
    """All runs, by their keys."""
    found: dict[str, Callable[[], dict[str, Any]]] = {"marks": marks}
    for load in LOADS:
        found[f"load {load:g}"] = _means_of({LOAD: load})
    found["rigid"] = _means_of(RIGID)
    for radius, load in zip(RADII, TORQUES, strict=True):
        found[f"radius {1e3 * radius:g}"] = _means_of({**REACH, RADIUS: radius, LOAD: load})
    for step in STEPS:
        found[f"step {1e6 * step:g}"] = _means_of({}, step)
        found[f"step {1e6 * step:g} at 68 mm"] = _means_of({**REACH, RADIUS: RADII[-1], LOAD: TORQUES[-1]}, step)
    found["step auto"] = _means_of({}, None)
    for speed in SMOOTH:
        smooth = {"run.formulation.friction_law": "smoothed", "run.formulation.friction_speed": speed}
        found[f"smooth {speed:g}"] = _means_of(smooth)
        found[f"smooth {speed:g} rigid"] = _means_of({**smooth, **RIGID})
    for name, changes in STARTS.items():
        found[f"start {name}"] = lambda changes=changes: from_the_end_of(changes)
    for load in LONG_LOADS:
        found[f"windows {load:g}"] = lambda load=load: windows(load)
    for radius, load in ((RADII[2], 100.0), (RADII[-1], TORQUES[-1])):
        for turned, tilting in ((True, True), (False, True), (True, False), (False, False)):
            key = f"second {1e3 * radius:g} {int(turned)}{int(tilting)}"
            found[key] = lambda a=(radius, load, turned, tilting, STEP): second_program(*a)
    return found


STARTS = {
    "without load": {LOAD: 0.0},
    "150 N m": {LOAD: 150.0},
    "clamped by 26 kN": {"sheaves.secondary.clamping_force": "26 kN"},
    "40 N m, clamped by 15 kN": {LOAD: 40.0, "sheaves.secondary.clamping_force": "15 kN"},
}
"""Runs from the end of which the example continues."""


def _means_of(changes: Mapping[str, Any], step: float | None = STEP) -> Callable[[], dict[str, Any]]:
    return lambda: means(variator(changes, step))


def everything(folder: Path, only: str = "") -> dict[str, Any]:
    """All results, which are kept in a folder; missing results are computed."""
    found = {}
    for key, compute in jobs().items():
        if key.startswith(only):
            found[key] = kept(folder / f"{key.replace(' ', '-')}.json", compute)
            print(key, {k: v for k, v in found[key].items() if k in ("ratio", "tight", "ending")}, flush=True)
    return found
