"""Machine code of kernels for another program, as one position-independent object file.

Numba generates code for the process in which it runs. Here, the optimised code of a kernel and of everything that it
calls is translated again for a target triple and a processor. For x86-64-v3 the instructions are the same as in
chaindrive's own runs; for generic x86-64 they differ. A kernel stored on the disk consists of machine code only, so
kernels that are called separately are compiled again; kernels that are inlined are part of their caller. This file
relies on internals of Numba and llvmlite, as ``kernels/compiler.py`` does.
"""

from __future__ import annotations

import functools
import pickle
import re
import types
from collections.abc import Iterable, Iterator
from typing import Any

import llvmlite.binding as llvm

from chaindrive.kernels.by_reference import handed_over
from chaindrive.kernels.cache import KernelFiles
from chaindrive.kernels.compiler import PORTABLE, PORTABLE_FEATURES, _identity, _Kernel, _KernelCache, _Pipeline
from chaindrive.kernels.source import source_key

__all__ = ["PROCESSORS", "Emitted", "data_object"]

PROCESSORS = {
    "v3": (PORTABLE, ",".join(f"+{feature}" for feature in PORTABLE_FEATURES.split())),
    "v1": ("x86-64", ""),
}
"""Processors for which code is generated, with the suffix of its symbols as key: name and features as
LLVM calls them."""


class _NoCache(_KernelCache):
    """A cache that loads and stores nothing, for a kernel whose intermediate code is needed."""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        return None


class Emitted:
    """A kernel for arguments of the given types, as object code for other programs.

    The kernel is compiled only if no earlier process has stored its object code on the disk.
    """

    def __init__(self, kernel: Any, *arguments: Any) -> None:
        self._kernel = kernel
        self._signature = tuple(kernel.typeof_pyval(handed_over(argument)) for argument in arguments)
        self._files = KernelFiles(f"emitted.{kernel._cache._files.name}")

    def object_code(self, name: str, triple: str, processor: str) -> bytes:
        """Return an object file with the kernel under a name, for a target triple and one of PROCESSORS.

        The kernel is a function int(int64 *answer, void **exception, arguments ...), which returns 0 on success.
        Nothing else in the file is visible from outside.
        """
        key = (self._kernel._cache.key(self._signature), name, triple, processor, source_key(Emitted.object_code))
        found: bytes | None = self._files.load(key)
        if found is None:
            found = _translated(*self._compiled, name, triple, processor)
            self._files.save(key, pickle.dumps((self._files.name, key, found)))
        return found

    @functools.cached_property
    def _compiled(self) -> tuple[str, tuple[str, ...]]:
        """Return the symbol of the kernel, and the optimised modules of the kernel and of all separate kernels that it
        calls.
        """
        apart = {_place(each): each for each in _called_by(self._kernel) if each._cache.apart}
        first = _anew(self._kernel, self._signature)
        modules, waiting, done = [str(first.library._final_module)], set(first.library.called), set()
        while waiting:
            place = waiting.pop()
            name, key = place
            done.add(place)
            found = _anew(apart[name, key[-1]], key[0][0])
            # The options of a kernel are part of its symbol; callers use the symbol of the kernel as it was compiled.
            symbol = _KernelCache.kernels_apart[place].fndesc.llvm_func_name
            modules.append(str(found.library._final_module).replace(found.fndesc.llvm_func_name, symbol))
            waiting |= found.library.called.keys() - done
        return first.fndesc.llvm_func_name, tuple(modules)


def _place(kernel: Any) -> tuple[str, str]:
    return kernel._cache._files.name, _identity(kernel.py_func)


def _anew(kernel: Any, signature: Any) -> Any:
    """Return the kernel compiled again for a signature, together with its intermediate code."""
    fresh = _Kernel(
        kernel.py_func,
        targetoptions=kernel.targetoptions | {"no_cpython_wrapper": True},
        pipeline_class=_Pipeline,
    )
    fresh._compiler._get_implementation = kernel._compiler._get_implementation
    fresh._cache = _NoCache(kernel.py_func, apart=False)
    fresh.compile(signature)
    return fresh.overloads[next(iter(fresh.overloads))]


def _called_by(kernel: Any) -> set[Any]:
    """Return all kernels that a kernel may call, and the kernel itself.

    They are found in the closures of the kernels and among the global names in their code.
    """
    found, waiting = set(), [kernel]
    while waiting:
        each = waiting.pop()
        if each not in found:
            found.add(each)
            waiting += _named_in(each.py_func)
            other = getattr(each._compiler._get_implementation, "args", ())
            waiting += [value for value in other if isinstance(value, _Kernel)]
    return found


def _named_in(function: Any) -> Iterator[Any]:
    """Yield the kernels named in the code of a function."""
    values = [cell.cell_contents for cell in function.__closure__ or ()]
    values += [function.__globals__.get(name) for name in function.__code__.co_names]
    modules = [value for value in values if isinstance(value, types.ModuleType)]
    values += [getattr(module, name, None) for module in modules for name in function.__code__.co_names]
    return (value for value in values if isinstance(value, _Kernel))


def _translated(symbol: str, modules: Iterable[str], name: str, triple: str, processor: str) -> bytes:
    """Return the object code of modules in which only one function is visible from outside, under a new name."""
    whole = llvm.parse_assembly(f'target triple = "{triple}"\n')
    for text in modules:
        whole.link_in(_parsed(text, triple))
    for each in (*whole.functions, *whole.global_variables):
        if not each.is_declaration and each.name != symbol:
            each.linkage = "internal"
    function = whole.get_function(symbol)
    function.name, function.visibility = name, "hidden"
    whole.verify()
    return _object_of(whole, triple, processor)


def data_object(name: str, content: bytes, triple: str) -> bytes:
    """Return an object file with constant bytes under a name, aligned to 64 bytes."""
    text = "".join(f"\\{byte:02x}" for byte in content)
    constant = f'@{name} = hidden constant [{len(content)} x i8] c"{text}", align 64'
    return _object_of(llvm.parse_assembly(f'target triple = "{triple}"\n{constant}\n'), triple, "v1")


def _object_of(module: Any, triple: str, processor: str) -> bytes:
    """Return the position-independent object code of a module."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    name, features = PROCESSORS[processor]
    machine = llvm.Target.from_triple(triple).create_target_machine(
        cpu=name, features=features, opt=3, reloc="pic", codemodel="small"
    )
    return bytes(machine.emit_object(module))


def _parsed(text: str, triple: str) -> Any:
    """Return a module for a target triple, with the data layout of that target."""
    text = re.sub(r"^target datalayout = .*$", "", text, flags=re.MULTILINE)
    return llvm.parse_assembly(re.sub(r"^target triple = .*$", f'target triple = "{triple}"', text, flags=re.MULTILINE))
