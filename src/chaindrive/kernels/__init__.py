"""One decorator for every compiled function of the package.

``kernel`` compiles with the settings that the hot loops need (``compiler.py``) and stores the compiled code on disk
(``cache.py``), under a key formed from the source on which the code depends (``source.py``). Numba's own cache checks
only the file of the function, so that it would return stale code after an edit of a callee in a different module. Nor
can it cache a function made by a factory that closes over other compiled functions; this is how a solver is bound to a
formulation (``solvers/``). Parameters are passed by reference (``by_reference.py``).

With ``NUMBA_DISABLE_JIT=1`` the decorator returns the plain Python function. Numba is loaded when a name below is first
used, so that code that only needs the digest of the kernels does not wait for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from chaindrive.kernels.by_reference import told_by_type
    from chaindrive.kernels.decorator import Kernel, copy_into, fill, index, kernel, largest_of

__all__ = ["Kernel", "copy_into", "fill", "index", "kernel", "largest_of", "told_by_type"]


def __getattr__(name: str) -> Any:
    """Return a public name from the module that defines it. Raises AttributeError for any other name."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from chaindrive.kernels import by_reference, decorator

    return getattr(by_reference if name == "told_by_type" else decorator, name)
