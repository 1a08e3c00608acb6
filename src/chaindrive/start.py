"""The state from which a run starts: chain placed, preload found, static equilibrium, velocities that roll.

One place for what ``simulate`` and ``chaindrive check`` share.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.end_state import EndState
from chaindrive.errors import ComputationError, InputError, Problem
from chaindrive.formulations import compile_system, continue_system
from chaindrive.model import Drive, Preload, RollerOptions
from chaindrive.solvers.equilibrium import equilibrium
from chaindrive.system import System

__all__ = ["Start", "prepare"]

PRELOAD_TOLERANCE = 1e-3
"""Relative accuracy to which a wanted span tension or sag is met."""
STATIC_TOLERANCE = 1e-3
"""Largest force that may be left at the static equilibrium. [N, N m]"""
EASING_TOLERANCE = 1.0
"""The same on the way there, while obstacles come into their places. [N, N m]"""


class Start(NamedTuple):
    """A drive ready to run."""

    drive: Drive
    """With the wheel moved or the pitch changed where a preload asked for it."""
    system: System


def prepare(
    drive: Drive, options: RollerOptions | None = None, start: str | None = None, initial: EndState | None = None
) -> Start:
    """Compile a drive and bring it to its start state.

    start: "at_speed" (velocities that roll with the driver at its final speed) or "at_rest"; None: what drive.run says.
    The start is the static equilibrium under gravity, loads and preload, to a stated residual (``system.notes``); where
    none is found the kinematic placing is used and a warning says so.
    initial: the end of another run, from which this one goes on instead (formulations.continue_system).
    Raises InputError when the chain does not fit, or the preload cannot be met.
    """
    options = options or drive.run.formulation
    at_speed = (start or drive.run.start) == "at_speed"
    adjustment = {}
    if drive.preload is not None:
        wanted = drive.preload
        drive, change = _meet_preload(drive, wanted, options)
        adjustment = {"preload_adjustment": _adjustment_text(drive, wanted, change)}
    if initial is not None:
        system = continue_system(drive, options, initial)
        return Start(drive, _stepped_for(replace(system, notes=dict(system.notes) | adjustment)))
    system = settle(compile_system(drive, options, at_speed))
    system = replace(system, notes=dict(system.notes) | adjustment)
    moving = system.state.copy()
    rolling = system.rolling
    if system.intrusion > 0.0 and system.rolling_past is not None:
        rolling = system.rolling_past(system.state)
    moving[system.positions : 2 * system.positions] = rolling
    system = replace(system, state=moving)
    system.kernels.begin(0.0, system.state, system.parameters)
    return Start(drive, _stepped_for(system))


def _stepped_for(system: System) -> System:
    """The system with explicit steps short enough for the tensions that it starts with."""
    if system.frequency_at is None:
        return system
    return replace(system, highest_frequency=max(system.highest_frequency, system.frequency_at(system.state)))


def settle(system: System) -> System:
    """The same system in static equilibrium; its notes say how well it was met."""
    found = equilibrium(_let_in(system), tolerance=STATIC_TOLERANCE)
    notes = dict(system.notes) | {
        "static_residual": float(found.residual),
        "static_iterations": int(found.iterations),
        "static_method": found.method,
    }
    if not found.converged:
        warning = (
            f"no static equilibrium was found (largest force left {found.residual:.3g} N after {found.iterations} "
            "iterations); the run starts from the kinematic placing instead"
        )
        system.kernels.begin(0.0, system.state, system.parameters)
        return replace(system, notes=notes, warnings=(*system.warnings, warning))
    system = replace(system, state=found.state, notes=notes)
    system.kernels.begin(0.0, system.state, system.parameters)
    spans = channel_at_start(system, "span_tension")
    return replace(system, notes=notes | {"static_span_tension": [float(x) for x in spans]})


def _let_in(system: System) -> System:
    """The system with its obstacles at their places and the chain pushed out of their way, near its rest.

    They come from where they touch nothing, step by step, and the chain finds its rest at each. Where that fails they
    are put to their places at once.
    """
    if system.hold_back is None or system.intrusion == 0.0:
        return system
    held, step, eased = system.intrusion, 0.25 * system.intrusion, system
    while held > 0.0 and step > 1e-3 * system.intrusion:
        system.hold_back(max(held - step, 0.0), held)
        found = equilibrium(eased, tolerance=EASING_TOLERANCE)
        if found.converged:
            eased, held, step = replace(eased, state=found.state), max(held - step, 0.0), 1.5 * step
        else:
            step *= 0.5
    system.hold_back(0.0, 0.0)
    return eased


def channel_at_start(system: System, name: str) -> NDArray[np.float64]:
    """One channel evaluated at the start state, shaped as the channel is."""
    row = np.zeros(system.row_size)
    system.kernels.record(0.0, system.state, system.parameters, row)
    channel = next(c for c in system.channels if c.name == name)
    return row[channel.offset : channel.offset + channel.size].reshape(channel.shape)


def _meet_preload(drive: Drive, preload: Preload, options: RollerOptions) -> tuple[Drive, float]:
    """Move the named wheel, or change the pitch, until the span has the wanted static tension or sag.

    Returns the adjusted drive and by how much. [m]
    """
    wanted = preload.tension if preload.tension is not None else preload.sag
    assert wanted is not None
    channel = "span_tension" if preload.tension is not None else "span_displacement"

    def excess(change: float) -> float:
        changed = _adjusted(drive, preload, change)
        system = settle(compile_system(changed, options, False))
        return abs(float(channel_at_start(system, channel)[preload.span])) - wanted

    scale = 0.1 * drive.chain.pitch if preload.by == "wheel" else 1e-3 * drive.chain.pitch
    change = _solve(excess, scale, wanted)
    if change is None:
        what = f"tension of {wanted:.6g} N" if preload.tension is not None else f"sag of {wanted * 1e3:.4g} mm"
        raise InputError(
            Problem(
                "preload",
                f"a {what} in span {preload.span} was not reached within {3.2 * scale * 1e3:.3g} mm of adjustment; "
                "choose another direction, another wheel, or another number of links",
                f"{wanted:.6g}",
            )
        )
    return _adjusted(drive, preload, change), change


def _adjustment_text(drive: Drive, preload: Preload, change: float) -> str:
    if preload.by == "pitch":
        return f"pitch changed by {change * 1e3:+.5f} mm to {drive.chain.pitch * 1e3:.5f} mm"
    assert preload.wheel is not None
    wheel = drive.wheels[preload.wheel]
    x, y = wheel.position
    return f"wheel {wheel.name!r} moved by {change * 1e3:+.4f} mm to ({x:.7f}, {y:.7f}) m"


def _adjusted(drive: Drive, preload: Preload, change: float) -> Drive:
    """The drive with the wheel moved by ``change`` [m] along the direction, or the pitch changed by it."""
    data: dict[str, Any] = drive.model_dump(exclude_unset=False)
    if preload.by == "pitch":
        data["chain"]["pitch"] += change
    else:
        assert preload.wheel is not None
        direction = preload.direction if preload.direction is not None else _outward(drive, preload.wheel)
        x, y = data["wheels"][preload.wheel]["position"]
        data["wheels"][preload.wheel]["position"] = (
            x + change * math.cos(direction),
            y + change * math.sin(direction),
        )
    data["preload"] = None
    return Drive(**data)


def _outward(drive: Drive, wheel: int) -> float:
    """Direction away from the middle of the other wheels: moving there tightens the chain. [rad]"""
    others = np.array([w.position for i, w in enumerate(drive.wheels) if i != wheel]).mean(axis=0)
    away = np.array(drive.wheels[wheel].position) - others
    return math.atan2(away[1], away[0])


def _solve(excess: Callable[[float], float], scale: float, wanted: float) -> float | None:
    """Root of ``excess`` near zero: a bracket that grows on both sides, then Brent's method."""
    from scipy.optimize import brentq

    def safe(change: float) -> float:
        try:
            return excess(change)
        except (InputError, ComputationError):  # the chain does not fit there: no value on this side
            return math.nan

    middle = safe(0.0)
    for step in scale * np.geomspace(0.01, 3.2, 9):
        for end in (step, -step):
            value = safe(end)
            if middle * value <= 0.0:
                root: float = brentq(excess, *sorted((0.0, end)), xtol=1e-9, rtol=1e-12)
                return root if abs(excess(root)) <= PRELOAD_TOLERANCE * wanted else None
    return None
