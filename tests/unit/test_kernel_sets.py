"""How many sets of kernels there are: a formulation compiles one for each support and each type of its parameters."""

from collections import defaultdict

import pytest

import chaindrive as cd
from chaindrive.formulations import compile_system
from chaindrive.kernels.by_reference import handed_over
from chaindrive.kernels.compiler import ENABLED
from chaindrive.model import example_names

MOST = 7


@pytest.mark.skipif(not ENABLED, reason="plain Python compiles nothing")
def test_all_examples_together_need_few_sets_of_kernels() -> None:
    sets = defaultdict(list)
    for name in example_names():
        drive = cd.example(name)
        system = compile_system(drive, drive.run.formulation, False)
        sets[system.kernels.rhs, str(handed_over(system.parameters).type)].append(name)
    assert 1 < len(sets) <= MOST, list(sets.values())
