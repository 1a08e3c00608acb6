"""Operations that compiled code executes, counted: a counter in every basic block of the code that LLVM has optimised.

What a block computes, reads and writes is read from its text; how often it is executed is counted by running a copy of
the code once. So nothing is estimated. What the translation to machine code adds is not seen: registers that are
spilled and read again.
"""

from __future__ import annotations

import ctypes
import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import llvmlite.binding as llvm
import numpy as np

from chaindrive.kernels.by_reference import handed_over
from chaindrive.kernels.compiler import PORTABLE, PORTABLE_FEATURES

ARITHMETIC = re.compile(r"= f(add|sub|mul|div|rem) (?:[a-z]+ )*?(<\d+ x double>|double) ")
INTRINSIC = re.compile(r"call .*?@(?:llvm\.)?(sqrt|fma|fmuladd|vector\.reduce\.fadd)(?:\.(?:v(\d+))?f64)?\(")
MASKED = re.compile(r"call .*?@llvm\.masked\.(load|store|gather|scatter)\.v(\d+)(f64|i64|p0)")
LOAD = re.compile(r"= load (?:volatile )?(<\d+ x \w+>|\w+), ptr")
STORE = re.compile(r"^\s*store (?:volatile )?(<\d+ x \w+>|\w+) ")
MOVED = re.compile(r"call void @llvm\.(memset|memcpy|memmove)\.\S+\(.*?, i64 (%?[\w.\"$-]+), i1")
LIBRARY = re.compile(r"call .*?@(?:llvm\.)?(a?(?:sin|cos|tan)|atan2|tanh|exp|expm1|log|pow)(?:\.(?:v(\d+))?f64)?\(")
LABEL = re.compile(r"^(?:[\w.$-]+|\"[^\"]*\"):")
ASSEMBLY = re.compile(r"^\s*v(?:add|sub|mul|div|sqrt|fn?m(?:add|sub)\d+)(pd|sd)\s+(.*)$", re.MULTILINE)
WRAPPER = "cpython"
"""Part of the names of functions by which Python calls a kernel."""


class Operations(NamedTuple):
    """Numbers of executed operations."""

    flops: int
    """additions, multiplications, divisions and roots of doubles; fused ones are two"""
    packed: int
    """floating-point operations in vector registers"""
    divisions: int
    roots: int
    read: int
    written: int
    """bytes written and read, whatever their type [bytes]"""
    calls: int
    """of the C library: sine, power ..."""


class Assembly(NamedTuple):
    """Instructions of floating-point arithmetic in machine code."""

    wide: int
    """with four doubles"""
    narrow: int
    """with two"""
    scalar: int


def counted(function: Any, *arguments: Any) -> Callable[[], Operations]:
    """A function that runs a copy of a kernel, and returns what it has executed.

    arguments: whole numbers, floats and NamedTuples. The copy changes arrays as the kernel does.
    """
    texts, symbol = _optimised(function, *arguments)
    text, blocks = _with_counters(texts)
    module = llvm.parse_assembly(text)
    module.verify()
    machine = llvm.Target.from_triple(llvm.get_process_triple()).create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=llvm.get_host_cpu_features().flatten(), opt=2, jit=True
    )
    engine = llvm.create_mcjit_compiler(module, machine)
    engine.finalize_object()
    place = engine.get_global_value_address("executed")
    executed = np.ctypeslib.as_array((ctypes.c_int64 * (len(blocks) + 2)).from_address(place))
    kinds, values = zip(*map(_native, arguments), strict=True)
    called = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, *kinds)(
        engine.get_function_address(symbol)
    )

    def run() -> Operations:
        executed[:] = 0
        answer, fault = ctypes.c_int64(), ctypes.c_void_p()
        if called(ctypes.addressof(answer), ctypes.addressof(fault), *values) != 0:
            raise RuntimeError(f"{function.__name__} has failed")
        found: Counter[str] = Counter(read=int(executed[-2]), written=int(executed[-1]))
        for times, block in zip(executed, blocks, strict=False):
            for what, number in block.items():
                found[what] += int(times) * number
        return Operations(*(found[what] for what in Operations._fields))

    run.engine = engine  # it holds the code
    return run


def assembly(function: Any, *arguments: Any) -> Assembly:
    """Arithmetic instructions in the machine code of a kernel, including everything that it calls."""
    module = llvm.parse_assembly(_optimised(function, *arguments)[0])
    features = ",".join(f"+{feature}" for feature in PORTABLE_FEATURES.split())
    target = llvm.Target.from_triple(llvm.get_process_triple())
    machine = target.create_target_machine(cpu=PORTABLE, features=features, opt=3)
    found = Counter(
        "scalar" if kind == "sd" else "wide" if "%ymm" in registers else "narrow"
        for kind, registers in ASSEMBLY.findall(machine.emit_assembly(module))
    )
    return Assembly(*(found[what] for what in Assembly._fields))


def _native(argument: Any) -> tuple[Any, Any]:
    """Type and value of an argument for C."""
    if isinstance(argument, int):
        return ctypes.c_int64, argument
    if isinstance(argument, float):
        return ctypes.c_double, argument
    return ctypes.c_void_p, handed_over(argument).address


def _optimised(function: Any, *arguments: Any) -> tuple[str, str]:
    """Text of the optimised code of a kernel and of all that it calls, as one module; and the name of its function."""
    function.compile_for(*arguments)
    compiled = function.overloads[tuple(function.typeof_pyval(handed_over(argument)) for argument in arguments)]
    libraries, waiting = [compiled.library], dict(compiled.library.called)
    places = set(waiting)
    while waiting:
        library = waiting.popitem()[1]
        libraries.append(library)
        waiting |= {place: each for place, each in library.called.items() if place not in places}
        places |= set(library.called)
    modules = list(map(_module, libraries))
    symbol = compiled.fndesc.llvm_func_name
    seen = {symbol} | {each.name for module in modules for each in module.functions if each.is_declaration}
    for module in modules:
        for each in module.functions:
            if not each.is_declaration:
                each.linkage = "external" if each.name in seen else "internal"
    whole = modules[0]
    for module in modules[1:]:
        whole.link_in(module)
    return str(whole), symbol


def _module(library: Any) -> llvm.ModuleRef:
    """A copy of the intermediate code of a kernel. A file keeps none of kernels that are compiled apart."""
    try:
        linked = library._get_module_for_linking()
    except RuntimeError as error:
        raise RuntimeError(
            f"{library.name}: compiled by another process, which has kept machine code only; "
            "use a folder without compiled kernels (NUMBA_CACHE_DIR)"
        ) from error
    return llvm.parse_bitcode(linked.as_bitcode())


def _with_counters(text: str) -> tuple[str, list[Counter[str]]]:
    """The code with a counter in every block, followed by two for bytes; and the operations of each block."""
    found: list[str] = []
    blocks: list[Counter[str]] = []
    inside = fresh = False
    for line in _without_wrappers(text):
        if line.startswith("define "):
            inside = fresh = True
            blocks.append(Counter())
        elif line == "}":
            inside = False
        elif inside and LABEL.match(line):
            if not found[-1].startswith("define "):
                blocks.append(Counter())
            fresh = True
        elif inside and line.strip():
            if fresh and " = phi " not in line:
                found += _increment(len(blocks) - 1, "1", f"block.{len(blocks)}")
                fresh = False
            found += _done_by(line, blocks[-1], len(found))
        found.append(line)
    found.append(f"@executed = global [{len(blocks) + 2} x i64] zeroinitializer")
    places = {"i64 READ)": f"i64 {len(blocks)})", "i64 WRITTEN)": f"i64 {len(blocks) + 1})"}
    whole = "\n".join(found)
    for name, place in places.items():
        whole = whole.replace(name, place)
    return whole, blocks


def _without_wrappers(text: str) -> Iterator[str]:
    """Lines of a module except for the entries from Python."""
    dropped = False
    for line in text.splitlines():
        dropped = dropped or (line.startswith("define ") and WRAPPER in line.split("(")[0])
        if not dropped:
            yield line
        elif line == "}":
            dropped = False


def _increment(place: int | str, by: str, name: str) -> list[str]:
    """Lines that add to a counter."""
    pointer = f"getelementptr (i64, ptr @executed, i64 {place})"
    return [
        f"  %counted.{name}.old = load i64, ptr {pointer}",
        f"  %counted.{name}.new = add i64 %counted.{name}.old, {by}",
        f"  store i64 %counted.{name}.new, ptr {pointer}",
    ]


def _done_by(line: str, block: Counter[str], number: int) -> list[str]:
    """Add the operations of a line to those of its block; returns lines that count values known only at run time."""
    if found := ARITHMETIC.search(line):
        width = _lanes(found[2])
        _flops(block, width, width)
        block["divisions"] += width * (found[1] in ("div", "rem"))
    elif found := INTRINSIC.search(line):
        width = int(found[2] or 1)
        each = {"sqrt": width, "fma": 2 * width, "fmuladd": 2 * width}.get(found[1], width - 1)
        _flops(block, each, width)
        block["roots"] += width * (found[1] == "sqrt")
    elif found := MASKED.search(line):
        block["read" if found[1] in ("load", "gather") else "written"] += 8 * int(found[2])
    elif found := LOAD.search(line):
        block["read"] += _size(found[1])
    elif found := STORE.search(line):
        block["written"] += _size(found[1])
    elif found := MOVED.search(line):
        lines = _increment("WRITTEN", found[2], f"written.{number}")
        return lines if found[1] == "memset" else lines + _increment("READ", found[2], f"read.{number}")
    elif found := LIBRARY.search(line):
        block["calls"] += int(found[2] or 1)
    return []


def _flops(block: Counter[str], flops: int, width: int) -> None:
    block["flops"] += flops
    block["packed"] += flops * (width > 1)


def _lanes(kind: str) -> int:
    """Number of values in a type of LLVM."""
    return int(kind[1:].split()[0]) if kind.startswith("<") else 1


def _size(kind: str) -> int:
    """Bytes of a type of LLVM. Raises ValueError for a type of neither numbers nor addresses."""
    of = kind.rstrip(">").split()[-1]
    if of in ("double", "ptr"):
        return 8 * _lanes(kind)
    if of == "float":
        return 4 * _lanes(kind)
    if not re.fullmatch(r"i\d+", of):
        raise ValueError(f"no size is known of {kind!r}")
    return -(-int(of[1:]) // 8) * _lanes(kind)
