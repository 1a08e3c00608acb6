"""Numba internals that the package needs, one test each, to show what another version has broken."""

from __future__ import annotations

import gc
import os
import pickle
import platform
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import numba
import numpy as np
import pytest
from numba import types

from chaindrive.fmu.emitted import _anew
from chaindrive.kernels import compiler, kernel, told_by_type
from chaindrive.kernels.cache import DIGEST_BYTES
from support.forked import posix, run_script

pytestmark = pytest.mark.skipif(not compiler.ENABLED, reason="nothing is compiled")


@kernel(inner=True)
def halved(x):
    return 0.5 * x


@kernel
def quarter(x):
    return halved(halved(x))


def library_of(function):
    return next(iter(function.overloads.values())).library


def test_the_target_is_apart_from_numbas_own() -> None:
    """A user's own Numba code keeps its target processor."""

    @numba.njit
    def elsewhere(x):
        return x + 1.0

    assert quarter(8.0) == 2.0
    assert elsewhere(1.0) == 2.0
    own = quarter.targetctx.codegen()
    assert own is not elsewhere.targetctx.codegen()
    assert elsewhere.targetctx.codegen().magic_tuple()[1] != compiler.PORTABLE


@pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="another kind of processor")
def test_code_is_made_for_one_processor_of_ten_years() -> None:
    if not compiler._runs_portable_code():
        pytest.skip("a processor without AVX2")
    assert quarter.targetctx.codegen().magic_tuple()[1] == compiler.PORTABLE

    @kernel
    def multiplied(x, y):
        for i in range(x.size):
            x[i] = x[i] * y[i] + x[i]

    multiplied(np.ones(64), np.ones(64))
    assembly = library_of(multiplied).get_asm_str() if not multiplied.stats.cache_hits else "ymm vfmadd"
    assert "vfmadd" in assembly
    assert "zmm" not in assembly


@pytest.mark.parametrize(("name", "portable"), [("", True), ("native", False)])
def test_a_user_may_ask_for_the_very_processor(name: str, portable: bool) -> None:
    code = "from chaindrive.kernels import compiler; print(compiler._runs_portable_code())"
    environment = os.environ | {"CHAINDRIVE_PROCESSOR": name}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.split() == [str(portable and compiler._runs_portable_code())]


def test_a_kernel_for_kernels_has_no_machine_code() -> None:
    quarter(1.0)
    with pytest.raises(TypeError, match="called only by other kernels"):
        halved(1.0)
    assert all(overload.library.linked_only for overload in halved.overloads.values())
    assert not library_of(quarter).linked_only


def bound(factor):
    @kernel
    def multiplied(x):
        return factor * x

    return multiplied


def through(kernels):
    @kernel
    def both(x):
        return kernels[0](x) + kernels[1](x)

    return both


def test_a_tuple_of_kernels_is_named_by_them() -> None:
    one, other = (through((bound(2.0), bound(factor))) for factor in (3.0, 4.0))
    assert compiler._identity(one.py_func) == compiler._identity(through((bound(2.0), bound(3.0))).py_func)
    assert compiler._identity(one.py_func) != compiler._identity(other.py_func)


def test_symbols_are_named_after_the_source() -> None:
    """Two kernels of one factory have two names, and the same in every process."""
    two, three = bound(2.0), bound(3.0)
    assert (two(1.0), three(1.0)) == (2.0, 3.0)
    names = [next(iter(f.overloads.values())).fndesc.mangled_name for f in (two, three)]
    assert names[0] != names[1]
    assert compiler._identity(two.py_func) == compiler._identity(bound(2.0).py_func)


@posix
def test_two_kernels_of_one_factory_that_processes_compiled_apart_are_not_taken_for_each_other(tmp_path: Path) -> None:
    """Both linked into a third: symbols that count what a process compiled were the same."""
    script = tmp_path / "script.py"
    script.write_text(
        "import sys\n"
        "from chaindrive.kernels import kernel\n"
        "def bound(factor):\n"
        "    @kernel\n"
        "    def multiplied(x):\n"
        "        return factor * x\n"
        "    return multiplied\n"
        "two, three = bound(2.0), bound(3.0)\n"
        "@kernel\n"
        "def both(x):\n"
        "    return two(x) + 10.0 * three(x)\n"
        "print({'two': two, 'three': three, 'both': both}[sys.argv[1]](1.0))\n"
    )
    said = []
    for name in ("two", "three", "both"):
        with run_script(script, tmp_path / "cache", name) as process:
            assert process.wait() == 0, process.err
            said.append(process.out.strip())
    assert said == ["2.0", "3.0", "32.0"]


def scaling(factor):
    @kernel(apart=True)
    def scaled(x):
        return factor * x

    return scaled


def test_a_kernel_apart_is_there_once() -> None:
    one, same, other = scaling(5.0), scaling(5.0), scaling(7.0)
    assert (one(1.0), same(1.0), other(1.0)) == (5.0, 5.0, 7.0)
    assert library_of(one) is library_of(same)
    assert library_of(one) is not library_of(other)


APART = """
import sys
from chaindrive.kernels import kernel

@kernel(apart=True)
def cubed(x):
    return x * x * x

@kernel(inner=True)
def halved(x):
    return 0.5 * cubed(x)

@kernel
def once(x):
    return halved(x)

@kernel
def twice(x):
    return halved(x) + cubed(x)

@kernel
def once_more(x):
    return once(x) + 1.0

kernels = {"cubed": cubed, "once": once, "twice": twice, "once_more": once_more}
for name in sys.argv[1:]:
    print(kernels[name](2.0))
for kernel in (once, twice):
    for overload in kernel.overloads.values():
        defined = {function.name for function in overload.library.get_defined_functions()}
        called = [library for library in overload.library.called.values()]
        assert called == [found.library for found in cubed.overloads.values()] or not cubed.overloads
        assert not any("cubed" in name for name in defined), defined
"""


@posix
def test_a_kernel_apart_is_called_and_not_copied(tmp_path: Path) -> None:
    """This holds in the process that compiles and in those that find callers on the disk, in any order, even without
    its file.
    """
    script, cache = tmp_path / "script.py", tmp_path / "cache"
    script.write_text(APART)

    def results_of(*names: str) -> list[float]:
        with run_script(script, cache, *names) as process:
            assert process.wait() == 0, process.err
            return list(map(float, process.out.split()))

    assert results_of("once", "twice", "cubed") == [4.0, 12.0, 8.0]
    assert results_of("twice", "once") == [12.0, 4.0]
    assert results_of("cubed", "twice") == [8.0, 12.0]
    saved = [path for path in cache.rglob("*.nbc") if "cubed" in path.name]
    assert len(saved) == 1
    saved[0].unlink()
    assert results_of("twice") == [12.0]
    assert saved[0].exists()  # with its caller it was compiled anew


@posix
def test_intermediate_code_is_kept_for_those_who_take_it_in(tmp_path: Path) -> None:
    """A separately compiled kernel has none; that of other kernels is read from the disk when a new caller is
    compiled.
    """
    script, cache = tmp_path / "script.py", tmp_path / "cache"
    script.write_text(APART)
    for name, answer in (("once", 4.0), ("once_more", 5.0), ("once_more", 5.0)):
        with run_script(script, cache, name) as process:
            assert process.wait() == 0, process.err
            assert float(process.out) == answer
    kept = {path.name.split("-")[0]: pickle.loads(path.read_bytes()[DIGEST_BYTES:]) for path in cache.rglob("*.nbc")}
    kinds = {name.split(".")[-1]: saved[0][1:] for name, (_, _, (_, saved)) in kept.items()}
    assert kinds.keys() == {"cubed", "halved", "once", "once_more"}
    assert kinds["halved"][0] == "bitcode"
    assert [bool(kinds[name][1][-1]) for name in ("cubed", "once", "once_more")] == [False, True, True]


def test_the_collector_of_garbage_is_on_again() -> None:
    @kernel
    def wrong(x):
        return x.no_such_thing

    with pytest.raises(numba.core.errors.TypingError):
        wrong(1.0)
    assert gc.isenabled()


@told_by_type("rows", "on")
class Parameters(NamedTuple):
    rows: np.ndarray
    on: bool
    factor: float


@kernel
def summed(p):
    total = 1.0 if p.on else 0.0
    for i in range(p.rows.size):
        total += p.factor * p.rows[i]
    return total


def test_parameters_are_read_by_reference_and_types_tell_what_is_absent() -> None:
    assert summed(Parameters(np.arange(4.0), True, 2.0)) == 13.0
    assert summed(Parameters(np.empty(0), False, 2.0)) == 0.0
    assert len(summed.overloads) == 2


@kernel(inner=True)
def turned(x, y, cosine, sine):
    for i in range(x.size):
        x[i], y[i] = cosine[i] * x[i] - sine[i] * y[i], sine[i] * x[i] + cosine[i] * y[i]


@kernel(inner=True, distinct=True)
def turned_distinct(x, y, cosine, sine):
    for i in range(x.size):
        x[i], y[i] = cosine[i] * x[i] - sine[i] * y[i], sine[i] * x[i] + cosine[i] * y[i]


@kernel
def turn(x, y, cosine, sine):
    turned(x, y, cosine, sine)


@kernel
def turn_distinct(x, y, cosine, sine):
    turned_distinct(x, y, cosine, sine)


def test_a_loop_over_distinct_arrays_compares_no_addresses() -> None:
    for function, compares in ((turn, True), (turn_distinct, False)):
        x, y, cosine, sine = np.array([1.0, 0.0]), np.zeros(2), np.array([0.6, 1.0]), np.array([0.8, 0.0])
        function(x, y, cosine, sine)
        assert (x.tolist(), y.tolist()) == ([0.6, 0.0], [0.8, 0.0])
        if function.stats.cache_hits:
            pytest.skip("read from the disk, where the code of LLVM is not kept: CI compiles it")
        (llvm,) = function.inspect_llvm().values()
        if numba.version_info[:2] >= (0, 62):  # LLVM 15 of earlier versions leaves these loops scalar: slower, no more
            assert "vector.body" in llvm
            assert ("vector.memcheck" in llvm) == compares


def test_flags_of_the_compiler_compare_as_numbas_own() -> None:
    from numba.core.compiler import Flags

    one, other = Flags(), Flags()
    one.__class__ = other.__class__ = compiler._Flags
    assert one == other
    assert hash(one) == hash(other)
    other.nrt = True
    assert one != other
    one.nrt = True
    assert one == other
    assert one == Flags(one)


class Listed(set[str]):
    """A set that is written in the order in which it was made; other sets, in that of their process."""

    def __init__(self, items):
        super().__init__(items)
        self.written = repr(list(items))

    def __repr__(self):
        return self.written

    def copy(self):
        return self


def test_names_of_symbols_do_not_depend_on_the_order_of_a_set() -> None:
    """A separate kernel that is compiled again is found by its callers on the disk."""
    from numba.core.cpu_options import FastMathOptions

    names = set()
    for options in (["arcp", "contract", "nsz"], ["nsz", "arcp", "contract"]):
        flags = compiler._Flags()
        flags.fastmath = FastMathOptions(Listed(options))
        assert str(flags.fastmath.flags) == str(options)
        names.add(flags.get_mangle_string())
    assert len(names) == 1


@kernel(inner=True)
def raised(x, power):
    found = 1.0
    for _ in range(power):
        found *= x
    return found


@kernel
def sum_of_powers(x, n):
    return raised(x, 2) + raised(x, 3) + raised(x, n)


def test_a_number_that_the_caller_knows_makes_no_kernel_of_its_own() -> None:
    assert sum_of_powers(2.0, 4) == 4.0 + 8.0 + 16.0
    _anew(sum_of_powers, (types.float64, types.int64))
    assert list(raised.overloads) == [(types.float64, types.int64)]
