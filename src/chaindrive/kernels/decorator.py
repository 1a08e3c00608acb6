"""The decorator of compiled functions, see the package."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from chaindrive.kernels.compiler import ENABLED, dispatcher_of

__all__ = ["Kernel", "copy_into", "fill", "index", "kernel", "largest_of"]

F = TypeVar("F", bound=Callable[..., Any])

Kernel = Callable[..., Any]
"""A compiled function, as a type hint for functions that compile other functions around it."""

index = np.uintp
"""Unsigned indices. A signed index that is not clearly a loop counter is tested for being negative (counted from the
end), which prevents a loop from using vector registers.
"""


def kernel(
    function: F | None = None,
    *,
    inline: bool = False,
    inner: bool = False,
    apart: bool = False,
    without: tuple[str, Any] | None = None,
    parallel_sums: bool = True,
    distinct: bool = False,
) -> Any:
    """Compile a function with the settings of the package, cached on disk. Use it for every compiled function.

    inline: insert the body at each call before optimisation; for scalar laws inside vectorised loops, and functions
    that return a view of an array. Anything longer should be a separate function, because a large function takes longer
    to compile than its parts. inner: the kernel is called only by other kernels, never from Python. The entry from
    Python is then not compiled. apart: the kernel is compiled once, separately, and other kernels call its machine
    code. All other kernels are included in their callers and optimised with them. Use this for large kernels with many
    callers, such as the right-hand side. without: a field of the parameters whose type shows whether it is empty
    (``by_reference.told_by_type``), and the kernel that is compiled in place of this one if it is empty. parallel_sums:
    let the compiler reorder sums and contract a*b+c, so that reductions use vector registers. The compiler never
    assumes that there is no NaN or infinity: a divergence must remain visible. distinct: values that the kernel writes
    into one of its arrays are not read through any other argument. A loop over many arrays then uses vector registers
    without first comparing all their addresses.

    A kernel allocates nothing and returns no array: it writes into arrays of its caller. Numba therefore counts no
    references, which would cost atomic instructions at every call and view (0.3 microseconds per step, as measured).
    """
    options: dict[str, Any] = {
        "inline": inline,
        "inner": inner,
        "apart": apart,
        "without": without,
        "parallel_sums": parallel_sums,
        "distinct": distinct,
    }
    if function is None:
        return functools.partial(kernel, **options)
    if not ENABLED:
        return function
    return dispatcher_of(function, **options)


@kernel(inner=True)
def copy_into(found: Any, given: Any) -> None:
    """Write ``given`` into ``found``, which has the same size. This is done one row at a time, because loops over
    arrays that may overlap are not vectorised.
    """
    for j in range(given.size):
        found[j] = given[j]


@kernel(inner=True)
def fill(found: Any, value: float) -> None:
    """Write one value into all of ``found``."""
    for j in range(found.size):
        found[j] = value


@kernel(inner=True)
def largest_of(values: Any, begin: int, end: int, least: float) -> float:
    """Return the largest of some values and ``least``; NaN is ignored.

    Four values are compared at a time, because in sequence each comparison would wait for the previous one.
    """
    first, second, third, fourth = least, least, least, least
    k = begin
    while k + 3 < end:
        a, b, c, d = values[k], values[k + 1], values[k + 2], values[k + 3]
        first, second = a if a > first else first, b if b > second else second
        third, fourth = c if c > third else third, d if d > fourth else fourth
        k += 4
    while k < end:
        first = values[k] if values[k] > first else first
        k += 1
    return max(max(first, second), max(third, fourth))
