"""The constants of an explicit Runge-Kutta method, and kernels for its sums over stages with these constants compiled
in.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from chaindrive.kernels import kernel

__all__ = ["TERMS_AT_ONCE", "Tableau", "combination", "in_rows", "stage_arguments", "weighted_sum"]

TERMS_AT_ONCE = 6
"""Number of stages added in one pass; with more, the compiler can no longer prove that the arrays do not overlap."""


class Tableau(NamedTuple):
    """An explicit embedded pair with s stages, the last of which is the derivative at the end of the step.

    "First same as last": the next step begins with this derivative, and ``accept`` needs an evaluation exactly at this
    state. A pair without this property is brought into this form by adding its weights b as one more row of ``a``; this
    costs nothing, because the added stage is the first stage of the next step.
    """

    order: int
    """Order of the propagated solution."""
    error_order: int
    """Order of the embedded solution; the error estimate behaves as h^(error_order + 1)."""
    nodes: tuple[float, ...]
    """Coefficients c: s numbers, of which the first is 0 and the last 1."""
    a: tuple[tuple[float, ...], ...]
    """Rows for the stages 2 to s, with 1 to s - 1 numbers; the last row holds the weights b."""
    error: tuple[float, ...]
    """b - b_hat, s numbers."""
    dense: tuple[tuple[float, ...], ...]
    """A row for every stage, and then for every additional stage: y(t + x h) = y + h sum_i (dense[i][0] x + dense[i][1]
    x^2 + ...) k_i."""
    step_times_frequency: float = 1.2
    """Largest product of step and highest frequency of the system. With larger products the method may remain stable,
    but adds numerical damping to the fastest oscillations, which is missing from the energy balance. [-]"""
    second_error: tuple[float, ...] = ()
    """Error weights of a second embedded solution of lower order, if there is one (``error_norm``)."""
    further_nodes: tuple[float, ...] = ()
    """Coefficients c of the stages that only the dense output needs. These stages are evaluated in steps that contain a
    row."""
    further: tuple[tuple[float, ...], ...] = ()
    """Rows of ``a`` for the additional stages: weights of the s stages, then of the preceding additional stages."""


def weighted_sum(weights: tuple[float, ...], first: int = 0) -> Callable[..., Any]:
    """Return the kernel total(k, j) = sum_i weights[i] k[first + i, j], unrolled and without the terms of zero
    weight.
    """
    while weights and weights[-1] == 0.0:
        weights = weights[:-1]
    if not weights:
        raise ValueError("a sum needs a weight that is not zero")
    weight, row = weights[-1], first + len(weights) - 1
    if not any(weights[:-1]):

        @kernel(inline=True)
        def single(k, j):
            return weight * k[row, j]

        return single
    rest = weighted_sum(weights[:-1], first)

    @kernel(inline=True)
    def total(k, j):
        return rest(k, j) + weight * k[row, j]

    return total


def combination(weights: tuple[float, ...], first: int = 0) -> Callable[..., Any]:
    """Return the kernel combine(y, h, k, out): out = y + h sum_i weights[i] k[i], with at most TERMS_AT_ONCE terms in a
    pass.
    """
    total = weighted_sum(weights[:TERMS_AT_ONCE], first)

    @kernel(inline=True)
    def combine(y, h, k, out):
        for j in range(out.size):
            out[j] = y[j] + h * total(k, j)

    if not any(weights[TERMS_AT_ONCE:]):
        return combine
    others = combination(weights[TERMS_AT_ONCE:], first + TERMS_AT_ONCE)

    @kernel(inline=True)
    def combine_more(y, h, k, out):
        combine(y, h, k, out)
        others(out, h, k, out)

    return combine_more


def stage_arguments(a: tuple[tuple[float, ...], ...], stage: int = 1) -> Callable[..., Any]:
    """Return the kernel argument(stage, y, h, k, out), which writes the state at which a stage is evaluated; all
    constants are compiled in.
    """
    combine = combination(a[0])
    if len(a) == 1:

        @kernel(inner=True)
        def last(i, y, h, k, out):
            combine(y, h, k, out)

        return last
    others = stage_arguments(a[1:], stage + 1)

    @kernel(inner=True)
    def argument(i, y, h, k, out):
        if i == stage:
            combine(y, h, k, out)
        else:
            others(i, y, h, k, out)

    return argument


def in_rows(tableau: Tableau, of_stages: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the values of every stage in the order of the rows of ``Control.stages``, in which the last of the s
    stages comes after the additional stages. Weights omitted at the end are zero.
    """
    last, rows = len(tableau.nodes) - 1, len(tableau.nodes) + len(tableau.further)
    padded = (*of_stages, *(0.0,) * (rows - len(of_stages)))
    return (*padded[:last], *padded[last + 1 :], padded[last]) if of_stages else ()
