"""Functions that kernels call at an address in their parameters: laws written by a user.

A kernel reads the address like any number, so that it need not be compiled again for a different law. The functions
take and return floats. In plain Python (NUMBA_DISABLE_JIT=1) the address is an index into a list.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from chaindrive.kernels.compiler import ENABLED, dispatcher_of

__all__ = ["address_of", "call_at_three", "call_at_two"]

_KEPT: list[Any] = []
"""The functions to which the addresses point; they are kept alive by this list."""


def address_of(function: Callable[..., float], arguments: int, digest: str) -> int:
    """Return the address of a compiled function that takes this number of floats; 0 stands for no function.

    digest: digest of everything on which the function depends, namely its source and the values that it reads; it is
    part of the key of the file and of the symbol. Raises numba's errors if the function cannot be compiled, because it
    allocates memory or uses unsupported features.
    """
    if not ENABLED:
        _KEPT.append(function)
        return len(_KEPT)
    assert isinstance(function, FunctionType)
    code, names = function.__code__, function.__globals__
    named = FunctionType(code, names, function.__name__, function.__defaults__, function.__closure__)
    named.__module__, named.__qualname__ = function.__module__, f"{function.__qualname__}.{digest}"
    options = {
        "inline": False,
        "inner": False,
        "apart": False,
        "without": None,
        "parallel_sums": False,
        "distinct": False,
    }
    dispatcher: Any = dispatcher_of(named, **options)  # type: ignore[arg-type]
    dispatcher.targetoptions["no_cfunc_wrapper"] = False
    signature = (types.float64,) * arguments
    dispatcher.compile(signature)
    made = dispatcher.overloads[signature]
    if made.signature.return_type != types.float64:
        raise TypeError(f"returns {made.signature.return_type}, not a float on every path")
    _KEPT.append(dispatcher)
    return int(made.library.get_pointer_to_function(made.fndesc.llvm_cfunc_wrapper_name))


def _called(address: int, *arguments: float) -> float:
    return float(_KEPT[address - 1](*arguments))


def _lowered(arguments: int) -> Any:
    """Return the type and the code of a call, at an address, of a function that takes this number of floats."""

    def lower(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        number = ir.DoubleType()
        kind = ir.FunctionType(number, [number] * arguments).as_pointer()
        return builder.call(builder.inttoptr(given[0], kind), list(given[1:]))

    return types.float64(types.int64, *(types.float64,) * arguments), lower


def _at_two(typing_context: Any, address: Any, x: Any, y: Any) -> Any:
    return _lowered(2)


def _at_three(typing_context: Any, address: Any, x: Any, y: Any, z: Any) -> Any:
    return _lowered(3)


call_at_two: Any = intrinsic(_at_two) if ENABLED else _called
"""(address, x, y): the value at (x, y) of the function at this address."""
call_at_three: Any = intrinsic(_at_three) if ENABLED else _called
"""(address, x, y, z): the value at (x, y, z) of the function at this address."""
