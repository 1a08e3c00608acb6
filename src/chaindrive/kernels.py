"""One decorator for every compiled function of the package.

``kernel`` is ``numba.njit`` with the settings that the hot loops need and an on-disk cache whose key is the source text
of the *whole* package. Numba's own ``cache=True`` looks at the file of the function alone, so that an edit of a callee
in another module returns stale physics; and it cannot cache a function made by a factory that closes over other
compiled functions, which is how a solver is bound to a formulation (``solvers/``). Both are settled here only.

With ``NUMBA_DISABLE_JIT=1`` the decorator returns the plain Python function.
"""

from __future__ import annotations

import functools
import hashlib
import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numba
from numba.core import config
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator
from numba.core.dispatcher import Dispatcher
from numba.core.registry import CPUDispatcher

__all__ = ["Kernel", "kernel"]

F = TypeVar("F", bound=Callable[..., Any])

Kernel = Callable[..., Any]
"""A compiled function, as a type hint of the functions that compile others around it."""

OLD_CACHES_KEPT = 2
"""How many caches of earlier source texts stay on disk beside the current one."""


@functools.cache
def source_hash() -> str:
    """Hash of every Python file of the package: any edit anywhere makes a new cache. [hex digits]"""
    root = Path(__file__).parent
    digest = hashlib.sha256(numba.__version__.encode())
    for path in sorted(root.rglob("*.py")):
        digest.update(path.relative_to(root).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:20]


def _cache_root() -> Path:
    if chosen := os.environ.get("NUMBA_CACHE_DIR"):
        return Path(chosen) / "chaindrive"
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", Path.home()))
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "chaindrive" / "kernels"


@functools.cache
def cache_directory() -> Path:
    """The folder that holds the compiled code of this source text; made when missing, older ones cleared away."""
    try:
        folder = _cache_root() / source_hash()
        if not folder.is_dir():
            folder.mkdir(parents=True)
            others = sorted(
                (f for f in folder.parent.iterdir() if f != folder), key=lambda f: f.stat().st_mtime, reverse=True
            )
            for old in others[OLD_CACHES_KEPT:]:
                shutil.rmtree(old, ignore_errors=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError:  # a read-only home: compile anew in each process rather than fail
        folder = Path(tempfile.mkdtemp(prefix="chaindrive-kernels-"))
    return folder


class _PackageLocator(_CacheLocator):
    """Tells Numba where the cache lies and what makes it stale."""

    def __init__(self, py_func: Any, py_file: str) -> None:
        self._lineno = py_func.__code__.co_firstlineno

    def ensure_cache_path(self) -> None:
        os.makedirs(self.get_cache_path(), exist_ok=True)

    def get_cache_path(self) -> str:
        return str(cache_directory())

    def get_source_stamp(self) -> str:
        return source_hash()

    def get_disambiguator(self) -> str:
        return str(self._lineno)

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> _PackageLocator:
        return cls(py_func, py_file)


class _PackageCacheImpl(CompileResultCacheImpl):
    _locator_classes = [_PackageLocator]  # noqa: RUF012 (declared so by Numba)


class _PackageCache(FunctionCache):
    _impl_class = _PackageCacheImpl

    def _index_key(self, sig: Any, codegen: Any) -> tuple[Any, ...]:
        """Numba hashes what a closure closes over by pickling it, which differs in every process; names do not."""
        cells = self._py_func.__closure__ or ()
        return sig, codegen.magic_tuple(), source_hash(), tuple(_cell_name(cell.cell_contents) for cell in cells)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """What is on disk for this signature, or None; also None when the index names a class that is gone."""
        try:
            return super().load_overload(sig, target_context)
        except (ImportError, AttributeError):
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Add to the index on disk; an index that cannot be read is begun anew."""
        try:
            super().save_overload(sig, data)
        except (ImportError, AttributeError):
            self.flush()
            super().save_overload(sig, data)


def _cell_name(content: Any) -> str:
    if isinstance(content, Dispatcher):
        inner = content.py_func
        nested = ",".join(_cell_name(c.cell_contents) for c in inner.__closure__ or ())
        return f"{inner.__module__}.{inner.__qualname__}[{nested}]"
    return repr(content)


class _Inner(CPUDispatcher):
    """A kernel for other kernels only."""

    def __call__(self, *_: Any, **__: Any) -> Any:
        raise TypeError(f"{self.py_func.__name__} is called by other kernels only (kernel(inner=True))")


def kernel(function: F | None = None, *, inline: bool = False, inner: bool = False, parallel_sums: bool = True) -> Any:
    """Compile a function with the settings of the package, cached on disk. Use it for every compiled function.

    inline: insert the body at each call before optimisation (small scalar laws inside vectorised loops).
    inner: only other kernels call it, Python never does. The way in from Python is not compiled then, which costs more
    than the function itself where it takes all parameters of a drive (60 arrays to be unpacked).
    parallel_sums: let the compiler reorder sums and contract a*b+c, so that reductions use vector registers. It never
    assumes that there is no NaN or infinity: a blow-up must stay visible.

    A kernel allocates nothing and returns no array: it writes into arrays that its caller holds. Numba therefore counts
    no references, which would cost atomic instructions at every call and view (0.3 microseconds a step, measured).
    """
    if function is None:
        return functools.partial(kernel, inline=inline, inner=inner, parallel_sums=parallel_sums)
    if config.DISABLE_JIT:  # type: ignore[attr-defined]
        return function
    compile_function: Any = numba.njit
    dispatcher = compile_function(
        function,
        error_model="numpy",
        nogil=True,
        fastmath={"reassoc", "contract", "arcp", "nsz"} if parallel_sums else False,
        inline="always" if inline else "never",
        _nrt=False,
        no_cfunc_wrapper=True,
        no_cpython_wrapper=inner,
    )
    if inner:
        dispatcher.__class__ = _Inner
    dispatcher._cache = _PackageCache(function)
    return dispatcher
