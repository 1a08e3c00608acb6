"""The search of an optimisation: two derivative-free methods of SciPy, for points (places) within bounds.

Objectives evaluated from simulations have no derivatives, have kinks where a peak moves from one link to another, and
have no value if a drive cannot be built or its run ends early. Both methods only compare values. Differential evolution
(Storn and Price 1997) requests a whole generation at a time, which the pool computes in parallel, and finds the region
of the minimum. The method of Nelder and Mead (1965), restarted when its simplex has shrunk, then descends to the
minimum; it is repeated from a better neighbouring point if the variables with steps have one. Nelder-Mead alone needs
fewer runs if the region of the minimum is known.

With the same seed and values both methods request the same places in the same order, so an interrupted search is
continued by repeating the requests, which are answered by existing runs.
"""

from __future__ import annotations

import contextlib
import inspect
import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from chaindrive.model.study.optimisation import Optimisation

__all__ = ["FAILED", "INFEASIBLE", "Ask", "search"]

FloatArray = NDArray[np.float64]
Ask = Callable[[Sequence[FloatArray]], list[float]]
"""Function that returns the merits of places. A smaller merit is better; all are finite, and runs that meet all
constraints have merits below INFEASIBLE."""

INFEASIBLE, FAILED = 1e100, 4e100
"""Lowest merit of runs that violate a constraint (their merits are up to twice as large), and merit of runs that
failed."""
ENDLESS = 1_000_000
"""Limit on generations or steps, which is never reached, because the number of evaluations ends a search earlier."""
EVOLVED = 0.7
"""Fraction of the evaluations after which Nelder-Mead continues from the best place found by differential evolution.
[-]"""
FIRST_SIMPLEX, FINAL_SIMPLEX = 0.15, 0.05
"""Size of the first simplex, relative to the ranges: for Nelder-Mead alone, and for Nelder-Mead after differential
evolution. [-]"""
RESTARTS = 5
"""Number of restarts of Nelder-Mead from its best place, each with half the previous simplex size."""
STALE = 30
"""Differential evolution ends after this number of consecutive generations without a new place."""
SAME = 1e-9
"""No further restart is made if the relative gain of a restart is below this value. [-]"""


def search(study: Optimisation, ask: Ask) -> None:
    """Request evaluations of points, each coordinate within ``Variable.places`` of its variable, until the search has
    converged.
    """
    begin = np.array([variable.place(variable.first) for variable in study.variables])
    free = np.array([variable.step is None for variable in study.variables])
    if study.search.method == "nelder-mead":
        _downhill(study, ask, begin, free, FIRST_SIMPLEX)
        return
    best = _evolve(study, ask, begin)
    size = FINAL_SIMPLEX
    while True:
        merit = ask([best])[0]
        if free.any():
            best, merit = _downhill(study, ask, best, free, size)
        beside = _beside(study, best, free)
        merits = ask(beside) if beside else []
        if not merits or min(merits) >= merit:
            return
        best, size = beside[int(np.argmin(merits))], 0.5 * FINAL_SIMPLEX


def _beside(study: Optimisation, place: FloatArray, free: NDArray[np.bool_]) -> list[FloatArray]:
    """Return the places that are one step away in either direction of one variable with steps, within the bounds."""
    found = []
    for k in np.flatnonzero(~free):
        for step in (-1.0, 1.0):
            other = place.copy()
            other[k] = round(other[k]) + step
            if 0.0 <= other[k] <= study.variables[k].places[1]:
                found.append(other)
    return found


class _ShareUsed(Exception):
    """Raised when differential evolution has used its share of the evaluations."""


def _evolve(study: Optimisation, ask: Ask, begin: FloatArray) -> FloatArray:
    """Apply differential evolution until it has converged or has used its share of the evaluations; return the best
    place.
    """
    from scipy.optimize import differential_evolution

    bounds = [variable.places for variable in study.variables]
    ranges = np.array([most for _, most in bounds])
    whole = np.array([variable.step is not None for variable in study.variables])
    close = np.where(whole, 0.5, study.search.tolerance)

    most = study.search.evaluations * (EVOLVED if not whole.all() else 1.0)
    seen: set[tuple[float, ...]] = set()
    best, place_of_best, stale = math.inf, begin, 0

    def ask_all(_: Any, places: Iterable[FloatArray]) -> list[float]:
        nonlocal best, place_of_best, stale
        wanted = [np.where(whole, np.round(place), place) for place in places]
        before = len(seen)
        seen.update(tuple(place.tolist()) for place in wanted)
        stale = stale + 1 if len(seen) == before else 0
        if len(seen) > max(most, study.population) or stale > STALE:
            raise _ShareUsed
        merits = ask(wanted)
        first = int(np.argmin(merits))
        if merits[first] < best:
            best, place_of_best = merits[first], wanted[first]
        return merits

    def converged(intermediate_result: Any) -> bool:
        merits = np.asarray(intermediate_result.population_energies, dtype=np.float64)
        if merits.max() >= INFEASIBLE:
            return False
        if np.ptp(merits) <= study.search.tolerance * abs(merits.mean()):
            return True
        places = np.asarray(intermediate_result.population, dtype=np.float64)
        spread = np.ptp(np.where(whole, np.round(places), places), axis=0)
        return bool(np.all(spread <= np.where(whole, close, close * ranges)))

    count = len(study.variables)
    with contextlib.suppress(_ShareUsed):
        differential_evolution(
            lambda place: 0.0,  # never called: ask_all has the values
            bounds,
            init=_first_generation(study.population, bounds, begin, study.search.seed),
            maxiter=ENDLESS,
            tol=-1.0,  # never met: SciPy would also end where all runs of a generation fail alike
            atol=0.0,
            mutation=(0.5, 1.0),
            recombination=0.9 if count > 1 else 0.7,
            polish=False,
            updating="deferred",
            workers=ask_all,
            integrality=whole,
            callback=converged,
            **{_random_name(differential_evolution): np.random.default_rng(study.search.seed)},
        )
    return place_of_best


def _first_generation(
    members: int, bounds: Sequence[tuple[float, float]], begin: FloatArray, seed: int
) -> NDArray[np.float64]:
    """Return places spread evenly by a Latin hypercube; the first of them is the start of the search."""
    from scipy.stats import qmc

    sampler = qmc.LatinHypercube(len(bounds), **{_random_name(qmc.LatinHypercube): np.random.default_rng(seed)})
    low, high = np.array(bounds).T
    spread = low + sampler.random(members) * (high - low)
    nearest = int(np.argmin(np.abs((spread - begin) / (high - low)).sum(axis=1)))
    spread[nearest] = spread[0]
    spread[0] = begin
    return np.asarray(spread, dtype=np.float64)


def _random_name(function: Any) -> str:
    """Return the name of the argument for the random generator, which changed in SciPy 1.15."""
    return "rng" if "rng" in inspect.signature(function).parameters else "seed"


def _downhill(
    study: Optimisation, ask: Ask, begin: FloatArray, free: NDArray[np.bool_], size: float
) -> tuple[FloatArray, float]:
    """Apply Nelder-Mead to the variables without steps, from a place and with a simplex of this size, and restart it
    from the best place.

    Returns the best place and its merit.
    """
    from scipy.optimize import minimize

    at, best = begin[free], math.inf

    def value(place: FloatArray) -> float:
        whole = begin.copy()
        whole[free] = place
        return ask([whole])[0]

    for _ in range(RESTARTS + 1):
        simplex = np.vstack([at, np.tile(at, (len(at), 1))])
        for k in range(len(at)):  # towards the farther bound
            simplex[k + 1, k] += size if at[k] <= 0.5 else -size
        found = minimize(
            value,
            at,
            method="Nelder-Mead",
            bounds=[(0.0, 1.0)] * len(at),
            options={
                "initial_simplex": simplex,
                "xatol": study.search.tolerance,
                "fatol": math.inf,
                "maxiter": ENDLESS,
                "maxfev": ENDLESS,
            },
        )
        gain = best - found.fun
        if gain > 0.0:
            at, best = np.asarray(found.x, dtype=np.float64), float(found.fun)
        if gain <= SAME * abs(found.fun):
            break
        size *= 0.5
    place = begin.copy()
    place[free] = at
    return place, best
