"""The compiler behind ``kernel``: Numba with a target of its own.

Only this file, ``from_the_end.py`` and ``shortcuts.py`` use the internals of Numba and llvmlite.

Differences from ``numba.njit``, with reasons:

- One processor: code is generated for x86-64-v3 if the processor supports it (nearly all since 2015 do), and otherwise
  for exactly this processor. Code for x86-64-v3 can be compiled on one machine and run on another, and gives the same
  bits on all of them. ``benchmarks/README.md`` states what this costs or gains. The target is separate from Numba's
  own: a user's other Numba code is still compiled for the usual processor.
- A kernel that only kernels call (``inner``) has no machine code: its callers include its intermediate code.
- A kernel has its own copy of the kernels that it calls, except for large kernels that are compiled separately
  (``apart``), see ``_Library``.
- Files on disk are found by a key of the source, see ``source.py`` and ``cache.py``.
- NamedTuples are passed by reference, see ``by_reference.py``; their lowering is at the end of this file.

For each of these differences, ``tests/unit/test_kernel_compiler.py`` shows what breaks if a new version of Numba
changes it.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import hashlib
import os
import platform
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any, ClassVar

import llvmlite
import llvmlite.binding as llvm
import numba
from llvmlite import ir
from numba import types
from numba._dynfunc import make_function
from numba.core import cgutils, config, imputils
from numba.core.bytecode import FunctionIdentity
from numba.core.caching import _Cache
from numba.core.codegen import JITCodeLibrary, JITCPUCodegen
from numba.core.compiler import Compiler, CompileResult, Flags
from numba.core.compiler_lock import global_compiler_lock
from numba.core.cpu import CPUContext, CPUTargetOptions
from numba.core.decorators import jit
from numba.core.dispatcher import Dispatcher
from numba.core.externals import c_math_functions
from numba.core.fastmathpass import rewrite_module
from numba.core.registry import CPUDispatcher, CPUTarget
from numba.core.serialize import dumps
from numba.core.sigutils import normalize_signature
from numba.core.target_extension import CPU, dispatcher_registry, jit_registry, target_registry
from numba.core.typing.templates import AttributeTemplate
from numba.core.untyped_passes import ExtractByteCode
from numba.extending import (
    NativeValue,
    infer_getattr,
    lower_getattr_generic,
    models,
    register_model,
    typeof_impl,
    unbox,
)
from numba.np import arrayobj

from chaindrive.kernels.by_reference import WORD, Block, ByReference, Field, handed_over, is_absent
from chaindrive.kernels.cache import KernelFiles, cache_folder, say_missing
from chaindrive.kernels.shortcuts import take_shortcuts
from chaindrive.kernels.source import source_key

__all__ = ["ENABLED", "dispatcher_of"]

ENABLED = not config.DISABLE_JIT  # type: ignore[attr-defined]
"""Whether kernels are compiled; with NUMBA_DISABLE_JIT=1 they are plain Python."""
Place = tuple[str, tuple[Any, ...]]
"""Where compiled code is stored: the name of the kernel and the key of its file."""
TARGET = "chaindrive"
PORTABLE = "x86-64-v3"
PORTABLE_FEATURES = (
    "cx8 fxsr mmx sse sse2 sse3 ssse3 sse4.1 sse4.2 avx avx2 fma bmi bmi2 f16c lzcnt movbe popcnt cx16 sahf xsave"
)
"""Features that a processor needs to run code for x86-64-v3, with the names used by LLVM."""


# The target


class _Codegen(JITCPUCodegen):
    """Machine code for x86-64-v3 if the processor supports it, unless another is requested."""

    def _get_host_cpu_name(self) -> str:
        return PORTABLE if _runs_portable_code() else super()._get_host_cpu_name()

    def _get_host_cpu_features(self) -> str:
        if _runs_portable_code():
            return ",".join(f"+{feature}" for feature in PORTABLE_FEATURES.split())
        return super()._get_host_cpu_features()


@functools.cache
def _runs_portable_code() -> bool:
    """Return whether code is generated for x86-64-v3. CHAINDRIVE_PROCESSOR=native selects code for exactly this
    processor.
    """
    asked = os.environ.get("CHAINDRIVE_PROCESSOR") == "native" or config.CPU_NAME is not None  # type: ignore[attr-defined]
    if asked or platform.machine().lower() not in ("x86_64", "amd64"):
        return False
    features = llvm.get_host_cpu_features()
    return all(features.get(feature, False) for feature in PORTABLE_FEATURES.split())


class _Library(JITCodeLibrary):
    """The code of one kernel, complete in itself.

    Numba leaves copies of called kernels in each caller, as weak symbols; the process uses the copy that it loaded
    first. A process that compiles loads different copies from a process that finds everything on disk. The same kernel
    then called code that was optimised differently, and its results differed in the last bits. A run that was
    interrupted and continued in a new process would thus differ from an uninterrupted run. The copies are therefore
    internal to the caller.

    For a kernel that only kernels call, only the intermediate code is kept, which the callers include and optimise with
    their own code. A kernel that is compiled separately is not copied: its callers call its machine code. This exists
    once in a process (``_KernelCache.apart``), and is loaded before the callers. Its intermediate code is not kept,
    because no kernel includes it. The intermediate code of any other kernel with machine code is read when a kernel
    includes it.
    """

    def __init__(self, codegen: Any, name: str) -> None:
        super().__init__(codegen, name)
        self.linked_only = getattr(_COMPILING, "linked_only", False)
        self.called_only = not self.linked_only and _is_apart(name)
        self._unread = b""
        self.place: Place | None = None
        """Where a separately compiled kernel is stored."""
        self.called: dict[Place, _Library] = {}
        """Separately compiled kernels that are called from this library, or from libraries linked into it."""

    def add_linking_library(self, library: Any) -> None:
        """Link a library into this one; a separately compiled library is only called."""
        if not isinstance(library, _Library):
            super().add_linking_library(library)
            return
        self.called |= library.called
        if library.place is None:
            super().add_linking_library(library)
        else:
            self.called[library.place] = library

    def _optimize_functions(self, module: Any) -> None:
        """Optimise functions as Numba does, except for declarations, for each of which Numba would set up all passes.

        Versions with LLVM's older pass managers set up the passes once per module, and need no exception.
        """
        if not hasattr(self._codegen, "_pass_builder"):
            super()._optimize_functions(module)
            return
        module.data_layout = self._codegen._data_layout
        for function in module.functions:
            if not function.is_declaration:
                passes, builder = self._codegen._function_pass_manager()
                passes.run(function, builder)

    def _optimize_final_module(self) -> None:
        if not self.linked_only:
            super()._optimize_final_module()

    def _finalize_final_module(self) -> None:
        if self.linked_only:
            self._finalize_dynamic_globals()
            self._verify_declare_only_symbols()
            self._finalized, self._shared_module = True, self._final_module
            _copy_where_linked(self._shared_module)
            return
        module = self._final_module
        copies = [fn for fn in module.functions if not fn.is_declaration and fn.linkage == llvm.Linkage.linkonce_odr]
        if copies and not self.called_only:
            self._shared_module = module.clone()  # code linked by other kernels, in which each copy is needed once
            _copy_where_linked(self._shared_module)
        for function in copies:
            function.linkage = "internal"
        super()._finalize_final_module()

    def _get_module_for_linking(self) -> Any:
        if self._unread:
            self._shared_module, self._unread = llvm.parse_bitcode(self._unread), b""
        return super()._get_module_for_linking()

    def serialize(self) -> tuple[str, str, Any]:
        """Return the arguments of ``_unserialize``.

        Raises KeyboardInterrupt if it occurred while LLVM passed on the generated code, as exceptions cannot leave a
        function called from C, and the code is then missing.
        """
        if not self.linked_only and self._object_caching_enabled and self._compiled_object is None:
            raise KeyboardInterrupt
        if self.linked_only:
            return self.serialize_using_bitcode()
        module = self._final_module
        defined = [each.name for each in (*module.functions, *module.global_variables) if not each.is_declaration]
        linked = b"" if self.called_only else self._get_module_for_linking().as_bitcode()
        return self.name, "object", (self._get_compiled_object(), defined, linked)

    @classmethod
    def _unserialize(cls, codegen: Any, state: tuple[str, str, Any]) -> _Library:
        name, kind, data = state
        before, _COMPILING.linked_only = getattr(_COMPILING, "linked_only", False), kind == "bitcode"
        try:
            if kind == "bitcode":
                return super()._unserialize(codegen, state)
            library: _Library = codegen.create_library(name)
        finally:
            _COMPILING.linked_only = before
        machine_code, defined, library._unread = data
        library.called_only = not library._unread
        library.enable_object_caching()
        library._set_compiled_object(machine_code)
        library._finalize_final_module()
        codegen._engine._defined_symbols.update(defined)
        return library


def _copy_where_linked(module: Any) -> None:
    """Allow all linked modules to contain copies of the same functions, of which one is kept."""
    for function in module.functions:
        if not function.is_declaration and function.linkage == llvm.Linkage.external:
            function.linkage = "linkonce_odr"


@contextlib.contextmanager
def _untimed() -> Iterator[None]:
    """Suppress the notifications at every call of LLVM, by which Numba measures time."""
    lock = llvm.ffi.lib._lock
    told, lock._cblist = lock._cblist, []
    try:
        yield
    finally:
        lock._cblist = told


_COMPILING = threading.local()
"""State of the compilation in this thread: ``linked_only``, whether only other kernels call the kernel, and ``kernel``,
see :func:`compiling`.
"""
_Codegen._library_class = _Library


def compiling() -> tuple[_KernelCache, Any] | None:
    """Return the cache and the signature of the kernel that this thread is compiling."""
    return getattr(_COMPILING, "kernel", None)


def _is_apart(name: str) -> bool:
    """Return whether a library of this name is that of a separate kernel. Other libraries, which Numba compiles in
    addition, are linked into it.
    """
    kernel = compiling()
    return kernel is not None and kernel[0].apart and kernel[0].function_name == name


class _Context(CPUContext):
    """The context that lowers to the code generator of this package."""

    def init(self) -> None:
        self.is32bit = sys.maxsize < 2**32
        self._declared = -1
        self._sizes: dict[Any, int] = {}
        self._internal_codegen = _Codegen("chaindrive.exec")
        c_math_functions.install(self)

    def refresh(self) -> None:
        """Register what has been declared to Numba since the last call. Numba calls this method often."""
        while (declared := self._count_declared()) != self._declared:
            super().refresh()
            self._declared = declared

    def _count_declared(self) -> int:
        registries = (*self._registries.items(), *self.typing_context._registries.items())
        return sum(len(getattr(each, name)) for each, loader in registries for name in loader.registry_items)

    def get_abi_sizeof(self, ty: Any) -> int:
        """Return the size of a value; cached for numbers and addresses, because Numba makes LLVM read a module to find
        it. [bytes]
        """
        if not isinstance(ty, (ir.IntType, ir.DoubleType, ir.PointerType)):
            return int(super().get_abi_sizeof(ty))
        if ty not in self._sizes:
            self._sizes[ty] = int(super().get_abi_sizeof(ty))
        return self._sizes[ty]

    def post_lowering(self, mod: Any, library: Any) -> None:
        """Lower as Numba does, but without its memory runtime, as kernels allocate nothing and count no references."""
        if self.fastmath:
            rewrite_module(mod, self.fastmath)

    def get_executable(self, library: Any, fndesc: Any, env: Any) -> Any:
        """Return the function that calls a kernel from Python, or a substitute that is never called if only kernels
        call the kernel.
        """
        if not library.linked_only:
            return super().get_executable(library, fndesc, env)
        return make_function(fndesc.lookup_module(), fndesc.qualname.split(".")[-1], "", 0, env, (library,))


class _Flags(Flags):
    """Compiler flags with a faster comparison, as they are part of a key that Numba looks up for every call whose types
    it infers.

    Symbols are also named after the flags. Numba writes the set of ``fastmath`` flags in an order that differs between
    processes. If a separate kernel was compiled again in a different process, its symbol no longer matched its callers
    on disk, and the process crashed.
    """

    __slots__ = ()
    options: ClassVar[Any]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Flags):
            return NotImplemented
        mine, theirs, options = self._values, other._values, self.options
        return mine == theirs or all(
            mine.get(name, options[name].default) == theirs.get(name, options[name].default)
            for name in {*mine, *theirs}
        )

    def __hash__(self) -> int:
        return hash(Flags)

    def _summary_args(self) -> list[tuple[str, Any]]:
        """Return the flags after which symbols are named, with sets in sorted order."""
        named = super()._summary_args()
        return [(name, sorted(value.flags) if name == "fastmath" else value) for name, value in named]


class _Options(CPUTargetOptions):
    noalias = CPUTargetOptions.Mapping("noalias")

    @classmethod
    def parse_as_flags(cls, flags: Any, options: Any) -> Any:
        flags.__class__ = _Flags
        return super().parse_as_flags(flags, options)


class _TargetDescriptor(CPUTarget):
    options = _Options

    @functools.cached_property
    def _toplevel_target_context(self) -> _Context:
        return _Context(self.typing_context, self._target_name)


class _Target(CPU):
    """Like Numba's own target, with separate contexts and a separate code generator."""


class _Dispatcher(CPUDispatcher):
    """The dispatcher for functions that Numba itself provides, such as those of numpy. It compiles them for this
    target; they are only linked into kernels.
    """

    targetdescr = _TargetDescriptor(TARGET)
    linked_only = True

    def compile(self, sig: Any) -> Any:
        """Load or compile for a signature.

        Garbage collection is suspended meanwhile: it took a fifth of the time, because of the many objects that Numba
        keeps.
        """
        before, _COMPILING.linked_only = getattr(_COMPILING, "linked_only", False), self.linked_only
        collecting = gc.isenabled()
        gc.disable()
        try:
            with global_compiler_lock, _untimed():
                return super().compile(sig)
        finally:
            if collecting:
                gc.enable()
            _COMPILING.linked_only = before


take_shortcuts()
target_registry[TARGET] = _Target
dispatcher_registry[_Target] = _Dispatcher
jit_registry[_Target] = functools.partial(jit, _target=TARGET)


# The decorator's part


class _Pipeline(Compiler):
    """Numba's pipeline, with symbols named after the source, so that they are the same in every process.

    Numba names symbols after a count of the functions that a process has compiled. Two kernels from one factory that
    were compiled in different processes could thus have the same name, and be confused if both are linked.
    """

    added: ClassVar[list[tuple[Any, Any]]] = []
    """Passes of this process besides Numba's, each with the pass that it follows, see ``from_the_end.py``."""

    def define_pipelines(self) -> Any:
        pipelines = super().define_pipelines()
        for pipeline in pipelines:
            for added, before in self.added:
                pipeline.add_pass_after(added, before)
            pipeline.finalize()
        return pipelines

    def compile_extra(self, func: Any) -> Any:
        self.state.func_id = FunctionIdentity.from_function(func)
        self.state.func_id.unique_id = _identity(func)
        self.state.func_id.unique_name = f"{func.__qualname__}${self.state.func_id.unique_id}"
        ExtractByteCode().run_pass(self.state)
        self.state.lifted, self.state.lifted_from = (), None
        return self._compile_bytecode()


class _Kernel(_Dispatcher):
    """A kernel that Python calls. It takes NamedTuples by reference."""

    linked_only = False
    _cache: Any
    _compiler: Any

    def __call__(self, *arguments: Any) -> Any:
        """Call the kernel from Python."""
        return super().__call__(*map(handed_over, arguments))

    def compile(self, sig: Any) -> Any:
        """Load or compile the kernel for a signature."""
        before, _COMPILING.kernel = compiling(), (self._cache, sig)
        try:
            return super().compile(sig)
        finally:
            _COMPILING.kernel = before
            self._cache.give_up()

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Return the kernel for a call from another kernel. A literal number is treated like any other number, and not
        as a type of its own.

        Otherwise the kernel would be compiled again for each such number. If the kernel is inlined, LLVM knows the
        number anyway.
        """
        known = {name: types.unliteral(kind) for name, kind in kws.items()}
        return super().get_call_template(tuple(map(types.unliteral, args)), known)

    def compile_for(self, *arguments: Any) -> None:
        """Load or compile the kernel for arguments like these, without calling it."""
        self.compile(tuple(self.typeof_pyval(handed_over(argument)) for argument in arguments))


class _Inner(_Kernel):
    """A kernel that only other kernels call."""

    linked_only = True

    def __call__(self, *_: Any, **__: Any) -> Any:
        raise TypeError(f"{self.py_func.__name__} can be called only by other kernels (kernel(inner=True))")


def dispatcher_of(
    function: Callable[..., Any],
    *,
    inline: bool,
    inner: bool,
    apart: bool,
    without: tuple[str, Callable[..., Any]] | None,
    parallel_sums: bool,
    distinct: bool,
) -> _Kernel:
    """Return the dispatcher that compiles a function when it is called, see ``kernel``."""
    options = {
        "nopython": True,
        "boundscheck": None,
        "error_model": "numpy",
        "nogil": True,
        "fastmath": {"reassoc", "contract", "arcp", "nsz"} if parallel_sums else False,
        "inline": "always" if inline else "never",
        "noalias": distinct,
        "_nrt": False,
        "no_cfunc_wrapper": True,
        "no_cpython_wrapper": inner,
    }
    dispatcher = (_Inner if inner else _Kernel)(function, targetoptions=options, pipeline_class=_Pipeline)
    if without:
        dispatcher._compiler._get_implementation = functools.partial(_implementation, function, *without)
    dispatcher._cache = _KernelCache(function, apart=apart)
    return dispatcher


def _implementation(function: Any, name: str, other: Any, args: Any, _: Any) -> Any:
    """Return the function that is compiled for arguments of these types: the given function, or its replacement if the
    types show that a part is absent.
    """
    return other.py_func if any(is_absent(kind, name) for kind in args) else function


def _identity(function: Any) -> str:
    """Return a name for a function, made from its source and the values that it closes over. [hex digits]

    Numba hashes the pickled values, which differ in every process; their names do not.
    """
    cells = tuple(_cell_name(cell.cell_contents) for cell in function.__closure__ or ())
    place = (function.__module__, function.__qualname__, function.__code__.co_firstlineno)
    return hashlib.sha256(repr((place, source_key(function), cells)).encode()).hexdigest()[:16]


def _cell_name(content: Any) -> str:
    if isinstance(content, Dispatcher):
        return _identity(content.py_func)
    return repr([_cell_name(each) for each in content]) if isinstance(content, tuple) else repr(content)


class _KernelCache(_Cache):
    """The cache in which a dispatcher looks for compiled code, and saves the code that it compiles."""

    locks_late: ClassVar[bool] = False
    """Whether a kernel is locked when its types are known, instead of before its callees, see ``from_the_end.py``."""

    kernels_apart: ClassVar[dict[Place, Any]] = {}
    """Separately compiled kernels that this process has loaded."""

    def __init__(self, function: Any, *, apart: bool) -> None:
        self._function, self.apart, self.function_name = function, apart, function.__qualname__
        place = f"{function.__module__}.{function.__qualname__}"
        self._files = KernelFiles(f"{place}-{function.__code__.co_firstlineno}.{sys.implementation.cache_tag}")
        self._locked: list[tuple[Any, ...]] = []
        self._found: Any = None

    def key(self, sig: Any) -> tuple[Any, ...]:
        """Return everything on which the machine code for a signature depends."""
        versions = (numba.__version__, llvmlite.__version__)
        target = _Dispatcher.targetdescr.target_context
        target.refresh()
        return normalize_signature(sig), target.codegen().magic_tuple(), versions, _identity(self._function)

    def has(self, sig: Any) -> bool:
        """Return whether code has been compiled for a signature."""
        return self._files.has(self.key(sig))

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the code compiled for a signature; None if there is none. Other processes then leave the compilation
        to this one.
        """
        found = self._loaded(self.key(sig), target_context)
        if found is None:
            say_missing()
            return None if self.locks_late else self.lock_and_load(sig, target_context)
        return found

    def lock_and_load(self, sig: Any, target_context: Any) -> Any:
        """Acquire the lock of a signature, and return what another process has compiled meanwhile; None if there is
        nothing.
        """
        key = self.key(sig)
        self._files.lock(key)
        self._locked.append(key)
        self._found = self._loaded(key, target_context)
        return self._found

    def _loaded(self, key: tuple[Any, ...], target_context: Any) -> Any:
        """Return the code in a file, with the separate kernels that it calls; None if one of these files is missing."""
        place = (self._files.name, key)
        return _apart(place, target_context) if self.apart else _rebuilt(place, target_context)

    def save_overload(self, sig: Any, data: Any) -> None:
        """Save the code compiled for a signature."""
        key = self.key(sig)
        if self.apart:
            data.library.place = (self._files.name, key)
            self.kernels_apart[data.library.place] = data._replace(metadata=None)  # times, of one dispatcher only
        if data is self._found or data.library.has_dynamic_globals:  # these are addresses of this process
            return
        library, environments = (
            data.library.serialize(),
            () if data.library.linked_only else tuple(data._find_referenced_environments()),
        )
        data.fndesc.typemap = data.fndesc.calltypes = None
        saved = (library, data.fndesc, data.environment, data.signature, False, (), "", data.reload_init, environments)
        self._files.save(key, dumps((self._files.name, key, (tuple(data.library.called), saved))))

    def give_up(self) -> None:
        """Release the lock, so that other processes can compile this kernel or find the saved code."""
        while self._locked:
            self._files.unlock(self._locked.pop())

    @property
    def cache_path(self) -> str:
        """Folder of the files."""
        return str(cache_folder())

    def enable(self) -> None:
        """Do nothing: the cache is always on."""

    def disable(self) -> None:
        """Do nothing: the cache is always on."""

    def flush(self) -> None:
        """Do nothing: unused files are removed elsewhere, see ``cache.py``."""


def _rebuilt(place: Place, target_context: Any) -> Any:
    """Return the code that was saved at a place; None if there is none, or if a called kernel is missing."""
    name, key = place
    if (data := KernelFiles(name).load(key)) is None:
        return None
    places, saved = data
    called = {each: _apart(each, target_context) for each in places}
    if None in called.values():
        return None
    found = CompileResult._rebuild(target_context, *saved)
    found.library.called = {each: kernel.library for each, kernel in called.items()}
    return found


def _apart(place: Place, target_context: Any) -> Any:
    """Return the separately compiled kernel at a place, loaded once in a process; None if it is missing."""
    kernels = _KernelCache.kernels_apart
    if place not in kernels and (found := _rebuilt(place, target_context)) is not None:
        found.library.place, kernels[place] = place, found
    return kernels.get(place)


# NamedTuples by reference


@typeof_impl.register(Block)
def _type_of_block(block: Block, _: Any) -> ByReference:
    return block.type


register_model(ByReference)(models.OpaqueModel)


@unbox(ByReference)
def _unbox(_: ByReference, block: Any, context: Any) -> NativeValue:
    address = context.pyapi.object_getattr_string(block, "address")
    pointer = context.pyapi.long_as_voidptr(address)
    context.pyapi.decref(address)
    return NativeValue(pointer)


@infer_getattr
class _Fields(AttributeTemplate):
    key = ByReference

    def generic_resolve(self, typ: ByReference, attribute: str) -> Any:  # type: ignore[override]
        field = typ.fields.get(attribute)
        return field.type if field else None


@lower_getattr_generic(ByReference)
def _read_field(context: Any, builder: Any, typ: ByReference, pointer: Any, attribute: str) -> Any:
    field = typ.fields[attribute]
    if isinstance(field.type, ByReference):
        return cgutils.gep_inbounds(builder, pointer, field.word * WORD)
    if isinstance(field.type, types.Array):
        return _read_array(context, builder, field, pointer)
    word = ir.DoubleType() if field.type == types.float64 else ir.IntType(64)
    value = _read_word(builder, pointer, field.word, word) if field.known is None else word(field.known)
    if field.type == types.boolean:
        value = builder.icmp_unsigned("!=", value, ir.Constant(value.type, 0))
    return imputils.impl_ret_untracked(context, builder, field.type, value)


def _read_array(context: Any, builder: Any, field: Field, pointer: Any) -> Any:
    """Return the array of a field, in Numba's form. It has no owner, because references are not counted."""
    array, kind = arrayobj.make_array(field.type)(context, builder), field.type
    word, size = ir.IntType(64), context.get_abi_sizeof(context.get_data_type(kind.dtype))
    address = _read_word(builder, pointer, field.word, array.data.type)
    shape = [_read_word(builder, pointer, field.word + 1 + k, word) for k in range(kind.ndim)]
    if field.known is not None:
        shape[0] = word(field.known)
    if kind.layout == "C":
        strides = [word(size)]
        for length in shape[:0:-1]:
            strides.insert(0, builder.mul(strides[0], length, flags=("nsw",)))
    else:
        strides = [_read_word(builder, pointer, field.word + 1 + kind.ndim + k, word) for k in range(kind.ndim)]
    arrayobj.populate_array(array, address, shape, strides, word(size), None)
    return array._getvalue()


def _read_word(builder: Any, pointer: Any, word: int, kind: Any) -> Any:
    place = builder.bitcast(cgutils.gep_inbounds(builder, pointer, word * WORD), kind.as_pointer())
    value = builder.load(place, align=WORD)
    value.set_metadata("invariant.load", builder.module.add_metadata([]))
    return value
