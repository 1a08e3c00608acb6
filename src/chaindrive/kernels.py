"""One decorator for every compiled function of the package.

``kernel`` is ``numba.njit`` with the settings that the hot loops need and an on-disk cache whose key is the source text
of the *whole* package. Numba's own ``cache=True`` looks at the file of the function alone, so that an edit of a callee
in another module returns stale physics; and it cannot cache a function made by a factory that closes over other
compiled functions, which is how a solver is bound to a formulation (``solvers/``). Both are settled here only.

With ``NUMBA_DISABLE_JIT=1`` the decorator returns the plain Python function.
"""

from __future__ import annotations

import contextlib
import errno
import functools
import glob
import hashlib
import logging
import multiprocessing
import os
import pickle
import shutil
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numba
from llvmlite.binding import Linkage
from numba.core import config
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator
from numba.core.codegen import CPUCodeLibrary
from numba.core.dispatcher import Dispatcher
from numba.core.registry import CPUDispatcher
from numba.core.serialize import dumps

from chaindrive.by_reference import handed_over, is_absent

__all__ = ["Kernel", "copy_into", "kernel"]

F = TypeVar("F", bound=Callable[..., Any])

Kernel = Callable[..., Any]
"""A compiled function, as a type hint of the functions that compile others around it."""

DIGEST_BYTES = hashlib.sha256().digest_size

PART_LIFE = 600.0
"""How long a file that is being written is left alone; it takes a moment. [s]"""
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
    """The folder that holds the compiled code of this source text; made when missing, older ones cleared away.

    It may be one that cannot be made or written: what is in it is read then, everything else compiled in each process.
    """
    folder = _cache_root() / source_hash()
    try:
        if not folder.is_dir():
            folder.mkdir(parents=True, exist_ok=True)
            others = sorted(
                (f for f in folder.parent.iterdir() if f != folder), key=lambda f: f.stat().st_mtime, reverse=True
            )
            for old in others[OLD_CACHES_KEPT:]:
                shutil.rmtree(old, ignore_errors=True)
        for part in folder.glob(".*.part"):  # of processes that were killed
            with contextlib.suppress(OSError):
                if time.time() - part.stat().st_mtime > PART_LIFE:
                    part.unlink()
    except OSError as error:
        _say_not_kept(folder, error)
    return folder


@functools.cache
def _say(text: str) -> None:
    """Say something once, by the log; where nobody has set one up, Python prints it to standard error.

    Workers of a study say nothing: the process that began them compiles first.
    """
    if multiprocessing.parent_process() is None:
        logging.getLogger("chaindrive").warning(text)


def _say_not_kept(folder: Path, error: OSError) -> None:
    """Say that compiled kernels cannot be kept, and why."""
    _say(
        f"Note: compiled kernels cannot be kept in {folder} ({error.strerror or error}); they are compiled again in "
        "every run. Set NUMBA_CACHE_DIR to another folder."
    )


class _PackageLocator(_CacheLocator):
    """Tells Numba where the cache lies and what makes it stale."""

    def __init__(self, py_func: Any, py_file: str) -> None:
        self._lineno = py_func.__code__.co_firstlineno

    def ensure_cache_path(self) -> None:
        """Nothing: a file that cannot be written is told when it is written."""

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


class _KernelFiles:
    """One file for each kernel and signature: a digest of what follows, then what Numba needs to load it.

    Numba's own files have no digest (a damaged one ends the process, or computes something else) and an index that two
    processes can bring out of step with its files.
    """

    def __init__(self, folder: Path, name: str) -> None:
        self._folder, self._name = folder, name

    def load(self, key: tuple[Any, ...]) -> Any:
        """What was saved for this key; None when there is nothing, or nothing readable."""
        try:
            content = self._path(key).read_bytes()
        except (FileNotFoundError, NotADirectoryError, PermissionError):
            return None
        except OSError:
            content = b""
        digest, body = content[:DIGEST_BYTES], content[DIGEST_BYTES:]
        if hashlib.sha256(body).digest() == digest:
            with contextlib.suppress(Exception):  # whatever a class that is gone, or another file, raises
                name, found, data = pickle.loads(body)  # noqa: S301 (of this user's own process, and whole)
                return data if (name, found) == (self._name, key) else None
        _say(f"Note: files of compiled kernels in {self._folder} were damaged; these kernels are compiled again.")
        return None

    def save(self, key: tuple[Any, ...], data: Any) -> None:
        """Save what Numba needs to load the kernel. Raises OSError; an earlier file is then untouched."""
        body = dumps((self._name, key, data))
        path = self._path(key)
        self._folder.mkdir(parents=True, exist_ok=True)
        part = path.with_name(f".{path.name}.{os.getpid()}.part")
        try:
            with part.open("wb") as file:
                file.write(hashlib.sha256(body).digest())
                file.write(body)
            if path.is_dir():
                raise FileExistsError(errno.EEXIST, "a folder is in the way", str(path))
            part.replace(path)
        except BaseException:
            with contextlib.suppress(OSError):
                part.unlink()
            raise

    def flush(self) -> None:
        """Forget everything saved for this kernel."""
        for path in self._folder.glob(f"{glob.escape(self._name)}.*.nbc"):
            path.unlink(missing_ok=True)

    def _path(self, key: tuple[Any, ...]) -> Path:
        return self._folder / f"{self._name}.{hashlib.sha256(repr(key).encode()).hexdigest()[:20]}.nbc"


class _PackageCache(FunctionCache):
    _impl_class = _PackageCacheImpl

    def __init__(self, py_func: Any) -> None:
        super().__init__(py_func)
        self._cache_file = _KernelFiles(cache_directory(), self._impl.filename_base)

    def _index_key(self, sig: Any, codegen: Any) -> tuple[Any, ...]:
        """Numba hashes what a closure closes over by pickling it, which differs in every process; names do not."""
        cells = tuple(_cell_name(cell.cell_contents) for cell in self._py_func.__closure__ or ())
        return sig, codegen.magic_tuple(), source_hash(), _hash_of_outsider(self._py_func), cells

    def save_overload(self, sig: Any, data: Any) -> None:
        """Save a kernel. A disk that takes no more, or a folder that is read only, is said once and no failure."""
        try:
            super().save_overload(sig, data)
        except OSError as error:
            _say_not_kept(cache_directory(), error)


def _cell_name(content: Any) -> str:
    if isinstance(content, Dispatcher):
        inner = content.py_func
        nested = ",".join(_cell_name(c.cell_contents) for c in inner.__closure__ or ())
        return f"{inner.__module__}.{inner.__qualname__}{_hash_of_outsider(inner)}[{nested}]"
    return repr(content)


def _hash_of_outsider(function: Any) -> str:
    """Hash of the file of a function that is not the package's, such as a kernel of a test; empty for all others.

    What ``source_hash`` is to the package: an edit there must not run what was compiled before.
    """
    path = Path(function.__code__.co_filename)
    return "" if path.is_relative_to(Path(__file__).parent) else _file_hash(path)


@functools.cache
def _file_hash(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()[:20]
    except OSError:  # typed into an interpreter: there is nothing to know it by in the next process
        return os.urandom(10).hex()


class _Kernel(CPUDispatcher):
    """A kernel whose machine code is complete in itself, and which takes NamedTuples by reference."""

    def __call__(self, *arguments: Any) -> Any:
        """Call the kernel from Python."""
        return super().__call__(*map(handed_over, arguments))

    def compile(self, sig: Any) -> Any:
        """Load or compile the kernel for a signature."""
        before, _SELF_CONTAINED.on = getattr(_SELF_CONTAINED, "on", False), True
        try:
            return super().compile(sig)
        finally:
            _SELF_CONTAINED.on = before


_SELF_CONTAINED = threading.local()
"""Whether a kernel of the package is being compiled in this thread."""
_finish_module = CPUCodeLibrary._finalize_final_module


def _finish_self_contained(library: Any) -> None:
    """Keep what a kernel calls to itself, before its machine code is made.

    Numba leaves copies of called kernels in each caller, as weak symbols of which the process takes the one that it
    loaded first. A process that compiles has loaded others than one that finds everything on the disk: the same
    kernel then called code that was optimised in another way, and gave other last bits. A run that was interrupted and
    goes on in a new process would differ from one that was not.
    """
    if getattr(_SELF_CONTAINED, "on", False):
        module = library._final_module
        copies = [fn.name for fn in module.functions if not fn.is_declaration and fn.linkage == Linkage.linkonce_odr]
        if copies:
            shared = module.clone()  # what other kernels link: there each copy is wanted once
            for function in shared.functions:
                if not function.is_declaration and function.linkage == Linkage.external:
                    function.linkage = "linkonce_odr"
            library._shared_module = shared
            for name in copies:
                module.get_function(name).linkage = "internal"
    _finish_module(library)


CPUCodeLibrary._finalize_final_module = _finish_self_contained  # type: ignore[method-assign]


class _Inner(_Kernel):
    """A kernel for other kernels only."""

    def __call__(self, *_: Any, **__: Any) -> Any:
        raise TypeError(f"{self.py_func.__name__} is called by other kernels only (kernel(inner=True))")


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
    dispatcher.__class__ = _Inner if inner else _Kernel
    if without:
        dispatcher._compiler._get_implementation = functools.partial(_implementation, function, *without)
    dispatcher._cache = _PackageCache(function)
    return dispatcher


def _implementation(function: Any, name: str, other: Any, args: Any, _: Any) -> Any:
    """What is compiled for arguments of these types: the function, or the other one where they tell of nothing."""
    return other.py_func if any(is_absent(kind, name) for kind in args) else function


@kernel(inner=True)
def copy_into(found: Any, given: Any) -> None:
    """Write ``given`` into ``found``, of its size: one row at a time, for rows that may overlap are not vectorised."""
    for j in range(given.size):
        found[j] = given[j]
