"""One decorator for every compiled function of the package.

``kernel`` compiles with the settings that the hot loops need (``compiler.py``) and keeps what it compiled on the disk
(``cache.py``), under a key of the source that it depends on (``source.py``). Numba's own cache looks at the file of the
function alone, so that an edit of a callee in another module returns stale physics; and it cannot cache a function made
by a factory that closes over other compiled functions, which is how a solver is bound to a formulation (``solvers/``).
Parameters are handed over by reference (``by_reference.py``).

With ``NUMBA_DISABLE_JIT=1`` the decorator returns the plain Python function.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar

from chaindrive.kernels.by_reference import told_by_type
from chaindrive.kernels.compiler import ENABLED, dispatcher_of

__all__ = ["Kernel", "copy_into", "kernel", "told_by_type"]

F = TypeVar("F", bound=Callable[..., Any])

Kernel = Callable[..., Any]
"""A compiled function, as a type hint of the functions that compile others around it."""


def kernel(
    function: F | None = None,
    *,
    inline: bool = False,
    inner: bool = False,
    without: tuple[str, Any] | None = None,
    parallel_sums: bool = True,
) -> Any:
    """Compile a function with the settings of the package, cached on disk. Use it for every compiled function.

    inline: insert the body at each call before optimisation: scalar laws inside vectorised loops, and what returns a
    view of an array. Everything longer is a function of its own: a large one takes the compiler more than its parts.
    inner: only other kernels call it, Python never does. The way in from Python is not compiled then.
    without: a field of the parameters whose type tells whether there is any (``by_reference.told_by_type``), and the
    kernel that is compiled in the place of this one where there is none.
    parallel_sums: let the compiler reorder sums and contract a*b+c, so that reductions use vector registers. It never
    assumes that there is no NaN or infinity: a blow-up must stay visible.

    A kernel allocates nothing and returns no array: it writes into arrays that its caller holds. Numba therefore counts
    no references, which would cost atomic instructions at every call and view (0.3 microseconds a step, measured).
    """
    if function is None:
        return functools.partial(kernel, inline=inline, inner=inner, without=without, parallel_sums=parallel_sums)
    if not ENABLED:
        return function
    return dispatcher_of(function, inline=inline, inner=inner, without=without, parallel_sums=parallel_sums)


@kernel(inner=True)
def copy_into(found: Any, given: Any) -> None:
    """Write ``given`` into ``found``, of its size: one row at a time, for rows that may overlap are not vectorised."""
    for j in range(given.size):
        found[j] = given[j]
