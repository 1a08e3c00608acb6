"""Functions that kernels call at an address in their parameters: laws written by a user.

A kernel reads the address like any number, so it need not be compiled again for another law. The functions take and
return floats. As plain Python (NUMBA_DISABLE_JIT=1) the address is an index in a list.
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
"""Functions to which the addresses point, kept alive here."""


def address_of(function: Callable[..., float], arguments: int, digest: str) -> int:
    """Address of a compiled function of this number of floats; 0 is no function.

    digest: of everything that it depends on, its source and the values that it reads; a part of the key of its file and
    of its symbol. Raises numba's errors if it cannot be compiled: if it allocates memory, or uses unsupported features.
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
    """Type and code of a call of the function of this number of floats at an address."""

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
"""(address, x, y): value at (x, y) of the function at an address."""
call_at_three: Any = intrinsic(_at_three) if ENABLED else _called
"""(address, x, y, z): value at (x, y, z) of the function at an address."""
