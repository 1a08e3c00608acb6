"""Three runs give the same bits as they did, here and on any other processor that runs the portable code."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

import digests
from chaindrive.kernels import compiler

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
def test_another_processor_gives_the_same_bits() -> None:
    """One for which numpy and OpenBLAS choose other kernels of theirs: the start is computed with these."""
    code = "import digests; print(digests.computed('6l60mc', 'roller')['digest'])"
    other = {
        "NPY_DISABLE_CPU_FEATURES": "AVX512F AVX512CD AVX512_SKX AVX512_CLX AVX512_CNL AVX512_ICL",
        "OPENBLAS_CORETYPE": "Haswell",
        "PYTHONPATH": str(digests.KEPT.parent),
        "PYTHONWARNINGS": "ignore",  # numpy warns of features that this processor lacks anyway
    }
    done = subprocess.run(
        [sys.executable, "-c", code], env=os.environ | other, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == digests.computed("6l60mc", "roller")["digest"]


def test_a_run_that_moved_is_told_with_how_far() -> None:
    kept = {"digest": "a", "sums": {"wheel_speed": 2.0}}
    assert digests.difference(kept, kept) == "same"
    assert "5.0e-01 in wheel_speed" in digests.difference(kept, {"digest": "b", "sums": {"wheel_speed": 3.0}})
    assert "other channels" in digests.difference(kept, {"digest": "b", "sums": {}})
