"""Compiling gives the same results as Numba by shortcuts; these tests show what another version of Numba has broken."""

from __future__ import annotations

import copy
import math
import operator
from collections.abc import Callable
from typing import Any

import llvmlite.binding as llvm
import numpy as np
import pytest
from numba.core import event, ir, types, utils
from numba.core.codegen import CPUCodeLibrary
from numba.core.compiler import Flags, run_frontend
from numba.core.cpu import CPUContext
from numba.core.inline_closurecall import InlineWorker
from numba.core.postproc import PostProcessor
from numba.core.targetconfig import ConfigStack
from numba.core.types.functions import BaseFunction
from numba.core.typing import context, npydecl
from numba.extending import overload

from chaindrive.fmu.emitted import _anew
from chaindrive.kernels import compiler, kernel

pytestmark = pytest.mark.skipif(not compiler.ENABLED, reason="nothing is compiled")


@kernel(inline=True)
def softened(x, width):
    return x / (width + abs(x))


@kernel(inner=True)
def halved(x):
    return 0.5 * x


@kernel
def worked(x, y):
    total = 0
    for i in range(x.size):
        y[i] = halved(2.0) * 2.0 * softened(x[i], 0.1) + softened(y[i], 0.2) if x[i] > 0 else total * softened(0.5, 0.3)
        total += i
    return np.sqrt(total) + softened(total, 2.0)


SIGNATURE = (types.float64[::1], types.float64[::1])


@pytest.fixture
def numbas_own(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Fixture: a call that restores Numba's own ways."""

    def take_no_shortcuts() -> None:
        replaced: Any = (
            (ir.Inst, "_rec_list_vars"),
            (InlineWorker, "run_untyped_passes"),
            (npydecl, "ufunc_find_matching_loop"),
            (PostProcessor, "run"),
            (BaseFunction, "get_call_type"),
            (context, "order_by_target_specificity"),
            (utils, "order_by_target_specificity"),
        )
        for place, name in replaced:
            monkeypatch.setattr(place, name, getattr(place, name).__wrapped__)
        for copied in (ir.Scope, ir.Loc):
            monkeypatch.delattr(copied, "__deepcopy__")
        for own, name in ((compiler._Context, "refresh"), (compiler._Context, "get_abi_sizeof")):
            monkeypatch.setattr(own, name, getattr(CPUContext, name))
        monkeypatch.setattr(compiler._Library, "_optimize_functions", CPUCodeLibrary._optimize_functions)
        monkeypatch.setattr(compiler._Flags, "__eq__", Flags.__eq__)

    return take_no_shortcuts


def test_the_machine_code_is_the_same(numbas_own: Callable[[], None]) -> None:
    shorter = _anew(worked, SIGNATURE).library.get_asm_str()
    numbas_own()
    assert _anew(worked, SIGNATURE).library.get_asm_str() == shorter
    assert "sqrt" in shorter


def test_variables_of_statements_are_those_that_numba_lists(numbas_own: Callable[[], None]) -> None:
    statements = [each for block in run_frontend(worked.py_func).blocks.values() for each in block.body]
    names = [[var.name for var in each.list_vars()] for each in statements]
    numbas_own()
    assert names == [[var.name for var in each.list_vars()] for each in statements]
    assert len({name for each in names for name in each}) > 20


def test_calls_with_numbers_and_arrays_have_the_signatures_that_numba_finds(numbas_own: Callable[[], None]) -> None:
    inference = worked.targetctx.typing_context
    numbers = (types.float64, types.int64, types.uintp, types.boolean, types.literal(3))
    array = types.float64[:, ::1]
    operators = (operator.add, operator.truediv, operator.pow, operator.lt, operator.eq, operator.floordiv)
    calls: list[Any] = [(each, (a, b)) for each in operators for a in numbers for b in numbers]
    calls += [(operator.getitem, (array, index)) for index in (*numbers[1:3], types.UniTuple(types.int64, 2))]
    calls += [(operator.setitem, (types.float64[::1], types.int64, number)) for number in numbers]
    calls += [(math.sqrt, (number,)) for number in numbers] + [(np.isfinite, (types.float64,)), (len, (array,))]

    def signatures() -> list[Any]:
        return [inference.resolve_value_type(each).get_call_type(inference, kinds, {}) for each, kinds in calls]

    shorter = [signatures(), signatures()]
    numbas_own()
    assert shorter == [signatures()] * 2


def test_what_is_compiled_for_a_call_is_found_anew(numbas_own: Callable[[], None]) -> None:
    """Code of an ``overload`` has the flags of the kernel that calls it; Numba's own code is looked up once."""
    inference, tried = worked.targetctx.typing_context, []

    def fourfold(x):
        return 4.0 * x

    @overload(fourfold)
    def compiled_fourfold(x):
        tried.append(x)
        return lambda x: 4.0 * x

    inference.refresh()
    for flags in (Flags(), Flags()):
        flags.noalias = bool(tried)
        with ConfigStack().enter(flags):
            inference.resolve_value_type(fourfold).get_call_type(inference, (types.float64,), {})
    assert len(tried) == 2


def test_copies_of_a_block_are_those_that_numba_makes(numbas_own: Callable[[], None]) -> None:
    block = run_frontend(worked.py_func).blocks[0]
    copy.deepcopy(block).scope.redefine("total", block.loc)
    ours = copy.deepcopy(block)
    numbas_own()
    theirs = copy.deepcopy(block)
    assert ours.scope == theirs.scope == block.scope
    assert [str(each) for each in ours.body] == [str(each) for each in theirs.body]
    variables = [var for each in ours.body for var in each.list_vars()]
    assert variables
    assert all(var.scope is ours.scope is not block.scope for var in variables)


def test_code_is_inserted_as_a_copy() -> None:
    """Names of variables that one call gives to the code must not be those of the next one."""
    first = _anew(worked, SIGNATURE).library.get_asm_str()
    assert _anew(worked, SIGNATURE).library.get_asm_str() == first


def test_what_is_declared_between_two_kernels_is_known_to_the_second() -> None:
    assert worked(np.ones(2), np.ones(2)) > 0.0

    def trebled(x):
        return 3.0 * x

    @overload(trebled)
    def compiled_trebled(x):
        return lambda x: 3.0 * x

    @kernel
    def nine_times(x):
        return trebled(trebled(x))

    assert nine_times(2.0) == 18.0


def test_flags_are_equal_as_numba_has_it() -> None:
    one: Any = compiler._Flags()
    other: Any = compiler._Flags()
    assert one == other
    one.noalias = True
    assert one != other
    assert not Flags.__eq__(one, other)
    one.noalias = False  # as it is without being told
    assert one == other
    assert Flags.__eq__(one, other)


def test_sizes_are_those_that_llvm_says() -> None:
    context = worked.targetctx
    kinds = [context.get_value_type(each) for each in (types.float64, types.int64, types.boolean, types.voidptr)]
    assert [context.get_abi_sizeof(kind) for kind in kinds] == [8, 8, 1, 8]
    assert [CPUContext.get_abi_sizeof(context, kind) for kind in kinds] == [8, 8, 1, 8]


def test_code_for_other_kernels_is_what_they_link() -> None:
    """The code kept on the disk is linked without a copy, and occurs once where two of its callers meet."""
    halved.compile((types.float64,))
    library = halved.overloads[types.float64,].library
    assert library._get_module_for_linking() is library._final_module
    linked = {each.linkage for each in library._final_module.functions if not each.is_declaration}
    assert linked == {llvm.Linkage.linkonce_odr}


def test_variables_are_followed_for_whom_reads_them() -> None:
    """The variables alive at the beginning of a block are determined only for generators and for deletions."""

    def counted(n):
        yield n
        yield n + 1

    assert run_frontend(counted).block_entry_vars
    assert not run_frontend(worked.py_func).block_entry_vars
    assert run_frontend(worked.py_func, emit_dels=True).block_entry_vars


def test_calls_of_llvm_are_told_of_again_when_a_kernel_is_compiled() -> None:
    with event.install_recorder("numba:llvm_lock") as recorder:
        _anew(worked, SIGNATURE)
        assert not recorder.buffer
        llvm.parse_assembly("")
    assert recorder.buffer
