"""Shortcuts in compilation: results that Numba computes repeatedly are computed once here.

This module uses Numba's internals. Numba determines the variables of every statement in a dozen passes. It generates
the intermediate code of a scalar law at every call at which the law is inlined, and copies all variables of the law
with each of its blocks. For every sum of two floats it determines which numpy loop to use, after trying sums of lists,
sets and dates; it does the same for elements of arrays. At every call it determines which templates of a function suit
a target. After every pass it determines which variables are alive at the beginning of a block, which matters only for
generators and Python objects, and kernels have neither. The results here are the same, and so is the machine code, bit
for bit (``tests/unit/test_kernel_shortcuts.py``); the time saved is given in decision 8.

As functions of Numba's own modules are replaced, other Numba code in the process also uses the replacements.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from numba.core import ir, transforms, types, utils
from numba.core.inline_closurecall import InlineWorker
from numba.core.postproc import PostProcessor, VariableLifetime
from numba.core.types.functions import BaseFunction
from numba.core.typing import context, npydecl

__all__ = ["take_shortcuts"]

VARIABLE, INSTRUCTION, SEQUENCE, MAPPING, OTHER = range(5)
NUMBERS = {types.Integer, types.Float, types.Boolean, types.IntegerLiteral, types.BooleanLiteral}
PLAIN = frozenset({*NUMBERS, types.Array, types.UniTuple, types.Tuple, types.SliceType, types.NoneType})
"""Types whose signatures can be kept: numbers, arrays, tuples, slices and None."""


@functools.cache
def _kind(cls: Any) -> int:
    """Return the role of a class in the search for variables, cached because checking every value takes several times
    as long.
    """
    if issubclass(cls, ir.Var):
        return VARIABLE
    if issubclass(cls, ir.Inst):
        return INSTRUCTION
    if issubclass(cls, (list, tuple)):
        return SEQUENCE
    return MAPPING if issubclass(cls, dict) else OTHER


def _listed(listed: Callable[..., Any]) -> Callable[..., Any]:
    """Return a faster version of Numba's method that lists the variables named in a part of an instruction."""

    @functools.wraps(listed)
    def variables(_: Any, value: Any) -> list[Any]:
        found: list[Any] = []
        _append_variables(value, found)
        return found

    return variables


def _append_variables(value: Any, found: list[Any]) -> None:
    kind = _kind(value.__class__)
    if kind == VARIABLE:
        found.append(value)
    elif kind == INSTRUCTION:
        found += value.list_vars()
    elif kind != OTHER:
        for each in value.values() if kind == MAPPING else value:
            _append_variables(each, found)


def _untyped_once(run: Callable[..., Any]) -> Callable[..., Any]:
    """Return a version of Numba's method for generating inlined code that runs once per function; each caller uses a
    copy.
    """
    made: dict[Any, Any] = {}

    @functools.wraps(run)
    def untyped(worker: Any, func: Any, enable_ssa: bool = False) -> Any:
        if enable_ssa:  # for an overload, by its types
            return run(worker, func, enable_ssa)
        worker.flags.enable_ssa = False  # flags of the kernel into which it is inlined, as in the method itself
        if func not in made:
            made[func] = run(worker, func)
        return made[func]

    return untyped


def _loop_once(find: Callable[..., Any]) -> Callable[..., Any]:
    """Return a cached version of Numba's function that finds the loop of a numpy ufunc for given argument types."""
    found = functools.cache(find)

    @functools.wraps(find)
    def loop(ufunc: Any, types: Any) -> Any:
        return found(ufunc, tuple(types))

    return loop


def _ordered_once(order: Callable[..., Any]) -> Callable[..., Any]:
    """Return a cached version of Numba's function that sorts the templates of a function by how well they suit a
    target.
    """
    found: dict[Any, list[Any]] = {}

    @functools.wraps(order)
    def ordered(target: Any, templates: Any, fnkey: str = "") -> list[Any]:
        key = (target, tuple(templates))
        if key not in found:
            found[key] = order(target, templates, fnkey)
        return found[key].copy()

    return ordered


def _signature_once(find: Callable[..., Any]) -> Callable[..., Any]:
    """Return a cached version of Numba's method that finds the signature of a call, which is always the same for
    Numba's own functions.

    For an element of an array, for example, Numba first tries lists, dictionaries and strings. Code compiled for a call
    (``overload``) is looked up again, because it depends on the flags of the caller.
    """
    found: dict[Any, tuple[Any, ...]] = {}

    @functools.wraps(find)
    def signature(function: Any, context: Any, args: Any, kws: Any) -> Any:
        if kws or not PLAIN.issuperset(map(type, args)):
            return find(function, context, args, kws)
        key = (id(function), id(context), tuple(args))
        if key in found:
            return found[key][0]
        answer = find(function, context, args, kws)
        if function.get_impl_key(answer) == function.typing_key:  # else of code compiled for the call
            found[key] = answer, function, context  # kept alive with it, so that their identities are not reused
        return answer

    return signature


def _scope_copied(scope: Any, memo: dict[int, Any]) -> Any:
    """Return a copy of the names of a function, for a copy of one of its blocks; the variables themselves never change.

    Numba has no such copy: it copies every variable of the function with every block that is inlined.
    """
    copied = memo[id(scope)] = ir.Scope(scope.parent, scope.loc)
    copied.localvars._con.update(scope.localvars._con)
    copied.redefined.update(scope.redefined)
    copied.var_redefinitions.update({name: set(versions) for name, versions in scope.var_redefinitions.items()})
    return copied


def _itself(place: Any, memo: dict[int, Any]) -> Any:
    """Return a position in the source unchanged when a statement is copied, because it never changes."""
    return place


def _alive_where_needed(run: Callable[..., None]) -> Callable[..., None]:
    """Return a version of Numba's method that follows variables through the blocks of a function after a pass, without
    what kernels do not need.

    The variables that are alive at the beginning of a block are needed only for generators, and where Python objects
    are released (``emit_dels``).
    """

    @functools.wraps(run)
    def follow(after: Any, emit_dels: bool = False, extend_lifetimes: bool = False) -> None:
        code = after.func_ir
        if emit_dels or code.is_generator:
            run(after, emit_dels, extend_lifetimes)
            return
        code.blocks = transforms.canonicalize_cfg(code.blocks)
        code.variable_lifetime, code.generator_info = VariableLifetime(code.blocks), None

    return follow


@functools.cache
def take_shortcuts() -> None:
    """Make Numba use these replacements in this process."""
    setattr(ir.Inst, "_rec_list_vars", _listed(ir.Inst._rec_list_vars))  # noqa: B010 (mypy treats it as a method)
    setattr(InlineWorker, "run_untyped_passes", _untyped_once(InlineWorker.run_untyped_passes))  # noqa: B010
    setattr(PostProcessor, "run", _alive_where_needed(PostProcessor.run))  # noqa: B010
    setattr(BaseFunction, "get_call_type", _signature_once(BaseFunction.get_call_type))  # noqa: B010
    setattr(ir.Scope, "__deepcopy__", _scope_copied)  # noqa: B010
    setattr(ir.Loc, "__deepcopy__", _itself)  # noqa: B010
    npydecl.ufunc_find_matching_loop = _loop_once(npydecl.ufunc_find_matching_loop)
    utils.order_by_target_specificity = _ordered_once(utils.order_by_target_specificity)
    context.order_by_target_specificity = utils.order_by_target_specificity
