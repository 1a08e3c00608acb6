"""``chaindrive info``: shows the content of a results file."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from chaindrive.cli import console
from chaindrive.errors import InputError, Problem
from chaindrive.numbers import column, count, integration, quantity, scaled

if TYPE_CHECKING:
    from rich.table import Table

    from chaindrive.analyses.results.periodicity import Repetition
    from chaindrive.analyses.results.strength import Finding
    from chaindrive.model import Drive
    from chaindrive.results import EnergyAudit, Solution

WITH_DETAILS = 110
"""Smallest terminal width at which the details of a verdict have a column of their own; otherwise they are below each
answer."""

__all__ = [
    "audit_table",
    "coupling_bonds",
    "coupling_table",
    "info",
    "show_verdict",
    "show_where",
    "statistics_table",
    "steady_line",
]


def info(file: str, start: str | None = None, stop: str | None = None) -> None:
    """Print drive, ending, verdict, statistics, channels and energy balance of a results file.

    start, stop: window of the headline values, as times with units; by default the steady part. Raises InputError for
    anything that is not a time, and for a window without stored instants.
    """
    from chaindrive import results
    from chaindrive.analyses.results.periodicity import repetitions
    from chaindrive.analyses.signals.windows import instants, window_of
    from chaindrive.cli.report import parse_window
    from chaindrive.cli.scatter_table import show_scatter, warn_of_repeats

    problems: list[Problem] = []
    given = parse_window(start, stop, problems)
    window = given["start"], given["stop"]
    if problems:
        raise InputError(problems)
    with results.open(file) as solution:
        if window != (None, None):
            window_of(instants(solution), window[0], window[1], least=2)
        console.say(solution.name or "unnamed drive", "bold")
        for warning in solution.warnings:
            console.warn(warning)
        warn_of_repeats(solution)
        for chain in solution.chains:
            console.headline(f"Verdict on {chain.name}" if solution.stages else "Verdict")
            show_scatter(chain, show_verdict(chain, *window))
        console.headline("Run")
        console.out().print(_facts(file, solution))
        if solution.statistics:
            console.headline("Integration")
            console.out().print(statistics_table(solution.statistics, solution.notes))
        console.headline("Channels")
        console.out().print(_channels(solution))
        for chain in solution.chains:
            console.headline(f"Energy of {chain.name}" if solution.stages or solution.rotors else "Energy")
            console.out().print(audit_table(chain.audit))
            show_where(chain, *window)
            _show_conveyor(chain, *window)
            _show_shafts(chain, *window)
            _show_strength(chain, *window)
            _show_plates(chain, *window)
            repeats = repetitions(chain)
            if repeats:
                console.headline("Periodicity")
                console.out().print(_repetition_table(repeats, chain.drive))
        for name in solution.rotors:
            console.headline(f"Energy of rotor {name}")
            console.out().print(audit_table(solution.rotor_audit(name)))
        if bonds := coupling_bonds(solution):
            console.headline("Energy of couplings")
            console.out().print(coupling_table(bonds))


def _facts(file: str, solution: Solution) -> Table:
    from chaindrive.analyses.results.jumps import jumps_text
    from chaindrive.analyses.results.periodicity import steady_text
    from chaindrive.results.trajectory import trajectory_text

    time = solution.time
    covered = "nothing stored"
    if time.size:
        covered = f"{quantity(float(time[0]), 's')} to {quantity(float(time[-1]), 's', 6)}, {count(time.size)} instants"
    rows: list[tuple[str, object]] = [
        ("file", f"{file}, {quantity(os.path.getsize(file), 'B', 3)}"),
        ("time", covered),
        ("ended", solution.ending),
    ]
    for key in ("formulation", "solver"):
        if solution.attrs.get(key, "").strip():
            rows.append((key, solution.attrs[key]))
    if left_out := solution.notes.get("left_out"):
        rows.append(("neglects", ", ".join(left_out)))
    rows += [
        (f"steady: {chain.name}" if solution.stages else "steady", steady_line(chain)) for chain in solution.chains
    ]
    if text := steady_text(solution.notes):
        rows.append(("waited for", text))
    if text := jumps_text(solution.notes):
        rows.append(("teeth jumped", text))
    for chain in solution.chains:
        if text := trajectory_text(chain.notes):
            rows.append((f"path coordinates: {chain.name}" if solution.stages else "path coordinates", text))
    if solution.versions:
        rows.append(("computed with", ", ".join(f"{name} {version}" for name, version in solution.versions.items())))
    return console.grid(*rows)


def steady_line(solution: Solution) -> str:
    """Return a line that says whether the run is steady or NOT STEADY, or the reason why this is not known."""
    from chaindrive.analyses.results.steadiness import steadiness

    try:
        return steadiness(solution).text
    except InputError as error:
        return f"not known: {error.problems[0].message}"


def show_verdict(solution: Solution, start: float | None = None, stop: float | None = None) -> tuple[Finding, ...]:
    """Print the verdict on the chain of a run, one row per answer, and return its findings; if too little was stored,
    print the reason and return none.
    """
    from chaindrive.analyses.results.verdict import verdict

    try:
        found = verdict(solution, start, stop)
    except InputError as error:
        console.say(f"no verdict: {console.printable(error.problems[0].message)}")
        return ()
    wide = console.out().width >= WITH_DETAILS
    columns = ("", "", "", "") if wide else ("", "")
    table = console.table(*columns, caption=f"{found.part.name} {found.window}; {found.summary}", headed=False)
    for tile in found.tiles:
        title, answer = f"{tile.mark} {tile.title}", (tile.headline, tile.word, tile.brief)
        cells = (title, *answer) if wide else (title, f"{tile.headline}, {tile.word}\n{tile.brief}".rstrip())
        table.add_row(*map(console.printable, cells))
    console.out().print(table)
    return found.findings


def statistics_table(statistics: Mapping[str, Any], notes: Mapping[str, Any]) -> Table:
    """Return a table with the statistics of the integration."""
    return console.grid(*integration(statistics, notes).items())


def _channels(solution: Solution) -> Table:
    table = console.table("channel", "unit", "sizes", "")
    for channel in solution.channels.values():
        sizes = " x ".join(f"{length} {dim}" for dim, length in zip(channel.dims, channel.shape, strict=True))
        table.add_row(channel.name, channel.unit, sizes, console.printable(channel.description))
    return table


def _repetition_table(repeats: list[Repetition], drive: Drive) -> Table:
    from chaindrive.analyses.results.periodicity import MEANING, period_text, share_text
    from chaindrive.mechanism.facts import drive_facts

    names = ("loop", period_text(drive), drive_facts(drive).passing)
    shown = [k for k, name in enumerate(names) if name not in names[:k]]
    table = console.table("channel", *(f">{names[k]}" for k in shown), caption=MEANING)
    for row in repeats:
        shares = [f"{share_text(row.shares[k])} %" if math.isfinite(row.shares[k]) else "-" for k in shown]
        table.add_row(console.printable(row.name), *shares)
    return table


def show_where(solution: Solution, start: float | None = None, stop: float | None = None) -> None:
    """Print the efficiency or the reason why there is none, and the losses at each wheel if they are known."""
    from chaindrive.analyses.results.losses import efficiency_text, losses, wheel_losses

    try:
        console.say(f"Efficiency: {efficiency_text(losses(solution, start, stop))}")
        found = wheel_losses(solution, start, stop)
    except InputError as error:
        console.say(f"Efficiency: not meaningful: {error.problems[0].message}")
        return
    if found is None:
        return
    factor, unit = scaled([found.elsewhere, *found.power.ravel()], "W")
    table = console.table(f"lost at [{unit}]", *(f">{cause}" for cause in found.causes), ">together")
    for name, powers in zip(found.wheels, found.power, strict=True):
        table.add_row(console.printable(name), *(column(x * factor) for x in powers), column(powers.sum() * factor))
    table.add_row("elsewhere", *("" for _ in found.causes), column(found.elsewhere * factor))
    console.out().print(table)


def _show_conveyor(solution: Solution, start: float | None, stop: float | None) -> None:
    """Print the power of a conveyor for each rail and part; print nothing for other drives."""
    from chaindrive.analyses.analytical.conveyor_pull import is_conveyor
    from chaindrive.analyses.results.conveyor import conveyor

    if not is_conveyor(solution.drive):
        return
    try:
        found = conveyor(solution, start, stop)
    except InputError:  # the verdict gives the reason
        return
    factor, unit = scaled((value for part in found.parts for value in (part.power, part.by_hand)), "W")
    caption = f"means, {found.part.text}; by hand: friction due to the weight on straight rails, and goods"
    table = console.table("power of the conveyor", f">mean [{unit}]", f">by hand [{unit}]", caption=caption)
    for part in found.parts:
        by_hand = column(part.by_hand * factor) if math.isfinite(part.by_hand) else ""
        table.add_row(console.printable(part.name), column(part.power * factor), by_hand)
    console.out().print(table)


def _show_shafts(solution: Solution, start: float | None, stop: float | None) -> None:
    """Print mean speed, and torque and power summed over all wheels, of every shaft, if these channels were kept."""
    import numpy as np

    from chaindrive.analyses.results.shafts import mean_shafts
    from chaindrive.mechanism.facts import drive_facts

    try:
        found = mean_shafts(solution, start, stop)
    except InputError:
        return
    if not all(math.isfinite(power) for power in found.power):
        return
    axles, wheels = drive_facts(solution.drive).axles, solution.labels["wheel"]
    torques, powers = (np.bincount(axles, weights=each) for each in (found.torque, found.power))
    torque, torque_unit = scaled(torques, "N m")
    power, power_unit = scaled(powers, "W")
    caption = f"means from {quantity(found.start, 's')} to {quantity(found.stop, 's')}; power into the drive"
    table = console.table(
        "shaft", ">speed [rpm]", f">torque [{torque_unit}]", f">power [{power_unit}]", caption=caption
    )
    for axle, (on_it, pull) in enumerate(zip(torques, powers, strict=True)):
        name = ", ".join(wheel for wheel, own in zip(wheels, axles, strict=True) if own == axle)
        speed = 30.0 / math.pi * float(found.speed[axles == axle][0])
        table.add_row(console.printable(name), column(speed), column(torque * on_it), column(power * pull))
    console.out().print(table)


def _show_strength(solution: Solution, start: float | None, stop: float | None) -> None:
    """Print strength and life, or the reason why they are not known."""
    from chaindrive.analyses.results.strength import strength
    from chaindrive.cli.strength_tables import show_strength

    console.headline("Strength and life")
    try:
        show_strength(strength(solution, start, stop))
    except InputError as error:
        console.say(f"Not known: {error.problems[0].message}.", "dim")


def _show_plates(solution: Solution, start: float | None, stop: float | None) -> None:
    """Print the extreme forces in individual plates, if the plates of the chain are given."""
    from chaindrive.analyses.results.plate_forces import plate_forces, plate_peaks

    if solution.drive.chain.plates is None:
        return
    console.headline("Forces of plates")
    try:
        found = plate_forces(solution, start, stop)
    except InputError as error:
        console.say(f"Not known: {error.problems[0].message}.", "dim")
        return
    covered = f"{quantity(float(found.time[0]), 's')} to {quantity(float(found.time[-1]), 's')}"
    table = console.table(
        "", ">force\n[N]", ">mean of the\nlink's plates [N]", ">link", ">row", "where", caption=covered
    )
    for each in plate_peaks(found):
        where = f"{each.where}, {quantity(each.time, 's', 6)}"
        numbers = column(each.value, 1), column(each.mean, 1), str(each.link), str(each.row)
        table.add_row(each.quantity, *numbers, console.printable(where))
    console.out().print(table)


def coupling_bonds(solution: Solution) -> Mapping[str, Mapping[str, float]]:
    """Return the energy accounts of the couplings with machines and between modules, by name; empty without
    couplings.
    """
    machines: Mapping[str, Mapping[str, float]] = solution.notes.get("coupling", {}).get("bonds", {})
    modules: Mapping[str, Mapping[str, float]] = solution.notes.get("modules", {}).get("bonds", {})
    return {**machines, **modules}


def coupling_table(bonds: Mapping[str, Mapping[str, float]]) -> Table:
    """Return a table with the energy that each machine supplies to the drive, or the chain to its mechanism, and the
    energy residual of each coupling.
    """
    energies, unit = scaled((account["exchanged"] for account in bonds.values()), "J")
    table = console.table("coupling", f">supplied [{unit}]", f">energy residual [{unit}]", ">share of exchanged")
    for name, account in bonds.items():
        share = account["made"] / account["exchanged"] if account["exchanged"] else 0.0
        numbers = (column(account[key] * energies) for key in ("transferred", "made"))
        table.add_row(console.printable(name), *numbers, f"{share:.1e}")
    return table


def audit_table(audit: EnergyAudit) -> Table:
    """Return a table of the energy balance: input = output + losses + stored + residual."""
    rows = audit.rows
    energies, unit = scaled(rows.values(), "J")
    powers, power_unit = scaled((value / audit.duration for value in rows.values() if audit.duration > 0.0), "W")
    residual, of_what = audit.judged
    caption = f"Energy residual: at most {residual:.1e} {of_what}"
    over = quantity(audit.duration, "s", 6)  # with means from the middle of the first to that of the last
    table = console.table("energy", f">over {over} [{unit}]", f">mean power [{power_unit}]", caption=caption)
    for name, energy in rows.items():
        power = column(energy / audit.duration * powers) if audit.duration > 0.0 else ""
        table.add_row(console.printable(name), column(energy * energies), power)
    return table
