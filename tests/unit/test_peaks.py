"""Extremes of forces at every step: the same whatever the rate of rows, in every formulation, and never below a row."""

from __future__ import annotations

import functools
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from chaindrive import Drive, SaveOptions, example, simulate
from chaindrive.analyses.results.extremes import extremes
from chaindrive.analyses.results.peaks import of_rows_text
from chaindrive.analyses.results.rainflow import link_rainflow
from chaindrive.analyses.results.verdict import verdict
from chaindrive.formulations.planar.peaks import SLOW, turning
from chaindrive.physics.contact import impact_speed, normal_force
from chaindrive.results.solution import Solution
from chaindrive.studies.formulations import in_formulation
from support import small_drives

PHASES = 40
"""Start times of a force within a step under test."""
UNTIL, COARSE, FINE = 0.03, 500.0, 50_000.0
BASES = {
    "link_tension_max": "link_tension",
    "link_tension_min": "link_tension",
    "span_tension_max": "span_tension",
    "span_tension_min": "span_tension",
    "bearing_force_max": "bearing_force",
    "guide_force_max": "guide_force",
    "tensioner_force_max": "tensioner_force",
    "tensioner_force_min": "tensioner_force",
}


def drive_of(kind: str) -> Drive:
    """Small drives; that with rollers has a guide and a tensioner."""
    return example("timing-06b") if kind == "roller" else in_formulation(example("industrial-08b"), kind)


@functools.cache
def run_of(kind: str, rate: float) -> Solution:
    return simulate(drive_of(kind), UNTIL, save=SaveOptions(rate=rate, precision="double"), progress=False)


def momentary(solution: Solution, name: str) -> np.ndarray:
    """Values of the rows; for a vector, its magnitude."""
    values = np.asarray(solution.values(BASES[name]))
    return np.hypot(values[..., 0], values[..., 1]) if values.ndim == 3 else values


def over(values: np.ndarray, name: str) -> np.ndarray:
    return values.max(axis=0) if name.endswith("_max") else values.min(axis=0)


@pytest.mark.parametrize("kind", ["roller", pytest.param("link", marks=pytest.mark.long), "block"])
def test_extremes_do_not_depend_on_the_rate_of_rows(kind: str) -> None:
    """Rows are interpolated and leave the steps as they are; fine rows may exceed the values at the ends of steps
    slightly.
    """
    coarse, fine = run_of(kind, COARSE), run_of(kind, FINE)
    names = [name for name in coarse.channels if name.endswith(("_max", "_min"))]
    assert "bearing_force_max" in names
    for name in names:
        values = np.asarray(coarse.values(name))
        last = np.flatnonzero(fine.time <= coarse.time[-1] + 1e-12)[-1]
        others = np.asarray(fine.values(name, slice(0, last + 1)))
        limit = 2e-3 * np.abs(values).max()
        np.testing.assert_allclose(over(values, name), over(others, name), rtol=0.0, atol=limit, err_msg=name)


@pytest.mark.parametrize("kind", ["roller", "link", "block"])
def test_extremes_hold_every_row_and_what_fine_rows_see(kind: str) -> None:
    coarse, fine = run_of(kind, COARSE), run_of(kind, FINE)
    step = round(FINE / COARSE)
    for name in set(BASES) & set(coarse.channels):
        shown, rows, between = (
            np.asarray(coarse.values(name)), momentary(coarse, name), momentary(fine, name)
        )  # fmt: skip
        sign = 1.0 if name.endswith("_max") else -1.0
        scale = np.abs(between).max()
        assert (sign * (shown - rows) >= -1e-12 * scale).all(), name
        for k in range(1, len(shown)):
            inside = over(between[(k - 1) * step + 1 : k * step + 1], name)
            assert (sign * (shown[k] - inside) >= -5e-3 * scale).all(), f"{name}, row {k}"
            if "tension" in name:  # fine rows see all of it but what links vibrate within 20 us
                around = over(between[(k - 1) * step : k * step + 2], name)
                assert (sign * (shown[k] - around) <= 0.1 * scale).all(), f"{name} of another time, row {k}"


def test_a_peak_between_rows_is_in_the_verdict_and_in_the_table_of_peaks() -> None:
    """Largest tooth force of the timing drive: rows at 500 Hz show less than two thirds of it."""
    coarse, fine = run_of("roller", COARSE), run_of("roller", FINE)
    force = np.asarray(fine.values("contact_force")).max()
    assert np.asarray(coarse.values("contact_force")).max() < 0.67 * force
    tiles = [verdict(run, 0.0, UNTIL).tile("contact_force") for run in (coarse, fine)]
    found = [next(f for f in verdict(run, 0.0, UNTIL).findings if f.key == "contact_force") for run in (coarse, fine)]
    assert found[0].value == pytest.approx(found[1].value, rel=1e-2)
    assert found[0].value >= 0.99 * force
    assert tiles[0] is not None
    assert "crankshaft" in tiles[0].lines[0]
    peaks = [peak.value for peak in extremes(coarse).peaks if peak.quantity == "largest tooth force"]
    assert max(peaks) == found[0].value
    tight = max(p.value for p in extremes(coarse).peaks if p.quantity == "largest link tension")
    assert tight == np.asarray(coarse.values("link_tension_max")).max()


def test_ranges_of_the_fatigue_of_links_do_not_depend_on_the_rate() -> None:
    largest = []
    for rate in (COARSE, FINE):
        cycles = link_rainflow(run_of("roller", rate), start=0.0, stop=UNTIL)
        largest.append(max(cycles.range))
    assert largest[0] == pytest.approx(largest[1], rel=1e-2)
    rows_only = np.ptp(np.asarray(run_of("roller", COARSE).values("link_tension")), axis=0).max()
    assert rows_only < 0.95 * largest[1]


def test_extremes_go_on_where_a_run_was_cut() -> None:
    """Extremes are memory: a run in pieces stores the same ones as an uninterrupted run."""
    from chaindrive.solvers import Integrator, SolverSettings

    system = small_drives.compiled(small_drives.two_wheels())
    rolling = replace(system, state=system.state.copy())
    whole = Integrator(rolling, SolverSettings(), 1e-3)
    whole.advance(5e-3)
    rows = whole.take_rows()[1]
    again = small_drives.compiled(small_drives.two_wheels())
    first = Integrator(again, SolverSettings(), 1e-3)
    first.advance(5e-3, budget_steps=7)
    kept = first.snapshot()
    other = small_drives.compiled(small_drives.two_wheels())
    second = Integrator(other, SolverSettings(), 1e-3)
    second.restore(kept)
    second.advance(5e-3)
    np.testing.assert_array_equal(second.take_rows()[1], rows)


def test_means_keep_the_extremes_of_their_interval() -> None:
    mean = simulate(
        drive_of("block"), UNTIL, save=SaveOptions(rate=COARSE, reduce="mean", oversample=4, precision="double"),
        progress=False,
    )  # fmt: skip
    rows = simulate(drive_of("block"), UNTIL, save=SaveOptions(rate=4 * COARSE, precision="double"), progress=False)
    shown, each = np.asarray(mean.values("span_tension_max")), np.asarray(rows.values("span_tension_max"))
    count = len(shown)
    np.testing.assert_array_equal(shown, each[: 4 * count].reshape(count, 4, -1).max(axis=1))


def test_results_without_extremes_say_that_peaks_are_those_of_rows() -> None:
    kept = SaveOptions(rate=COARSE, channels=("link_tension", "bearing_force", "link_path_position", "span_tension"))
    plain = simulate(drive_of("roller"), 0.01, save=kept, progress=False)
    for name, key in (("link_tension", "tension"), ("bearing_force", "bearing_force")):
        text = of_rows_text(plain, name)
        assert "500" in text
        tile = verdict(plain, 0.0, 0.01).tile(key)
        assert tile is not None
        assert text in tile.lines
        assert of_rows_text(run_of("roller", COARSE), name) == ""
        with_extremes = run_of("roller", COARSE)
        tile = verdict(with_extremes, 0.0, float(with_extremes.time[-1])).tile(key)
        assert tile is not None
        assert not [line for line in tile.lines if "500" in line or "instants" in line]


def impact_parameters(law: dict[str, float]) -> Any:
    """Planar parameters of a small drive with such contacts, after the search for candidates."""
    system = small_drives.compiled(small_drives.two_wheels(contact=law))
    system.kernels.begin(0.0, system.state, system.parameters)
    p = system.parameters.planar
    for column in p.contact:
        column[:] = 0.0
    p.contact.penetration[:] = -1e-3
    return p


@pytest.mark.parametrize("restitution", [1.0, 0.5])
@pytest.mark.parametrize("exponent", [1.0, 1.5, 2.0])
@pytest.mark.parametrize("step", [0.2, 0.6, 1.0])
def test_the_top_of_an_impact_between_two_steps_is_looked_for(step: float, exponent: float, restitution: float) -> None:
    """Two rollers come in as half a sine after each other: the top is seen wherever the steps are, but for what a cubic
    polynomial misses of the depth, step^4/384, and a rate at its begin by two differences, step^2/6 of at most step,
    of which 4/27 step is in the depth. (For Verlet that rate is exact.)
    """
    p = impact_parameters({"exponent": exponent, "restitution": restitution, "stiffness": 1e10, "friction": 0.0})
    w, slots = 0, (2, 5)
    speed, deepest = 1.0, 1e-5
    p.candidate.speed[:] = speed

    def force_of(angle: float) -> tuple[float, float, float]:
        """Depth, rate and force at an angle of the half sine, with free flight before and behind."""
        depth, rate = deepest * np.sin(angle), speed * np.cos(angle)
        if not 0.0 < angle < np.pi:
            depth, rate = deepest * min(angle, np.pi - angle), speed if angle <= 0.0 else -speed
        elastic = 1e10 * max(depth, 0.0) ** exponent
        stored = impact_speed(speed, elastic, depth, p.candidate.speed_of_depth[slots[0]])
        damping = p.candidate.hysteresis[slots[0]], p.candidate.viscous[slots[0]]
        return depth, rate, normal_force(elastic, rate, stored, *damping, depth)

    top = max(force_of(angle)[2] for angle in np.linspace(0.0, np.pi, 2001))
    for phase in np.arange(PHASES) / PHASES * step:
        for column in (p.course.time, p.course.tooth, *p.course.roller):
            column[:] = 0.0
        for slot, late in zip(slots, (0.0, 0.5 * np.pi), strict=True):
            p.contact.penetration[slot], p.contact.rate[slot], p.contact.force[slot] = force_of(-late - phase)
        turning(1e-12, p)
        p.peaks.tooth[:] = 0.0
        looks, lowest = 0, np.inf
        for k in range(1, round(1.5 * np.pi / step) + 4):
            angles = [k * step - phase - late for late in (0.0, 0.5 * np.pi)]
            for slot, angle in zip(slots, angles, strict=True):
                p.contact.penetration[slot], p.contact.rate[slot], p.contact.force[slot] = force_of(angle)
            p.tooth_force[w] = p.contact.force.max()
            p.peaks.tooth[w] = max(p.peaks.tooth[w], p.tooth_force[w])
            part = turning(k * step * deepest / speed, p)
            if part > 0.0:
                assert part < 1.0
                looks += 1
                inside = max(force_of(angle - (1.0 - part) * step)[2] for angle in angles)
                p.peaks.tooth[w] = max(p.peaks.tooth[w], inside)
            assert p.course.tooth[w] == p.tooth_force[w]
            assert p.course.time[1] == k * step * deepest / speed
        lowest = min(lowest, float(p.peaks.tooth[w]))
        assert looks <= 4
        missed = 0.5 * SLOW**2 + step**4 * (1.0 / 384.0 + 4.0 / 27.0 / 6.0)
        assert abs(lowest / top - 1.0) < 1e-3 + exponent * missed


def test_an_impact_shorter_than_two_steps_is_kept_at_its_top() -> None:
    """The largest tooth force of an 08B drive in its first 20 ms lies inside a step at whose ends it is 98.8 %."""
    kept, dense = (
        float(np.nanmax(simulate(
            example("industrial-08b"), 0.02, progress=False,
            save=SaveOptions(rate=rate, channels=("tooth_force_max",), precision="double"),
        ).values("tooth_force_max")))
        for rate in (COARSE, 1e6)
    )  # fmt: skip
    assert kept == pytest.approx(dense, rel=2e-3)
