"""Three runs give the same bits as before, here and on any other processor that runs the portable code."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import chaindrive
import digests
from chaindrive.kernels import compiler
from support.syntax import syntax_trees

pytestmark = [
    pytest.mark.skipif(not compiler.ENABLED, reason="nothing is compiled"),
    pytest.mark.skipif(sys.platform != "linux", reason="another mathematical library of the system"),
]
RUNS = (("6l60mc", "roller"), ("motor-08b", "block"), ("industrial-08b", "link"))


@pytest.mark.parametrize(("name", "kind"), RUNS)
def test_a_short_run_gives_the_same_bits(name: str, kind: str) -> None:
    if not compiler._runs_portable_code():
        pytest.skip("a processor without AVX2, or one that was asked for")
    kept = json.loads(digests.KEPT.read_text(encoding="utf-8"))[f"{name} {kind}"]
    assert digests.difference(kept, digests.computed(name, kind)) == "same"


@pytest.mark.long
@pytest.mark.parametrize("core", ["Haswell", "Prescott"])
def test_another_processor_gives_the_same_bits(core: str) -> None:
    """A processor for which numpy and OpenBLAS choose other kernels, with which the start is computed."""
    code = f"import digests; print(*(digests.computed(*run)['digest'] for run in {RUNS}))"
    older = "AVX512F AVX512CD AVX512_SKX AVX512_CLX AVX512_CNL"
    other = {
        "NPY_DISABLE_CPU_FEATURES": f"X86_V4 AVX512_ICL AVX512_SPR {older}",
        "OPENBLAS_CORETYPE": core,
        "PYTHONPATH": str(digests.KEPT.parent),
        "PYTHONWARNINGS": "ignore",  # numpy warns of features that this processor lacks anyway
    }
    done = subprocess.run(
        [sys.executable, "-c", code], env=os.environ | other, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == [digests.computed(*run)["digest"] for run in RUNS]


NAMES = frozenset(
    f"np.{name}"
    for name in (
        "sin", "cos", "tan", "arcsin", "arccos", "arctan", "arctan2", "sinh", "cosh", "tanh",
        "exp", "expm1", "exp2", "log", "log2", "log10", "log1p", "power", "cbrt",
    )
)  # fmt: skip
"""Functions of numpy whose last bits depend on the processor."""


@pytest.mark.parametrize("room", ["geometry", "placing", "mechanism", "formulations", "coupling", "simulation"])
def test_what_a_run_starts_from_is_computed_by_the_library_of_the_system(room: str) -> None:
    package = Path(chaindrive.__file__).parent
    trees = syntax_trees(sorted((package / room).rglob("*.py")))
    found = {
        f"{path.relative_to(package)}:{line}"
        for path, tree in trees.items()
        for line in vector_code(tree, compiled=False)
    }
    assert found == set()


def vector_code(node: ast.AST, compiled: bool) -> Iterator[int]:
    """Lines outside of kernels with such functions of numpy."""
    for part in ast.iter_child_nodes(node):
        decorators = getattr(part, "decorator_list", ())
        within = compiled or any("kernel" in ast.unparse(each) for each in decorators)
        if not within and isinstance(part, ast.Attribute) and ast.unparse(part) in NAMES:
            yield part.lineno
        yield from vector_code(part, within)


def test_a_run_that_moved_is_told_with_how_far() -> None:
    kept = {"digest": "a", "sums": {"wheel_speed": 2.0}}
    assert digests.difference(kept, kept) == "same"
    assert "5.0e-01 in wheel_speed" in digests.difference(kept, {"digest": "b", "sums": {"wheel_speed": 3.0}})
    assert "other channels" in digests.difference(kept, {"digest": "b", "sums": {}})
