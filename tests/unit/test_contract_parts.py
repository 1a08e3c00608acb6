"""The contract in parts: omitted parts have a meaning, and kernels depend on few of its modules."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest

import chaindrive
from chaindrive.contract import system as contract
from chaindrive.contract.memory import KeptMemory
from chaindrive.kernels.source import KERNEL, closure
from chaindrive.simulation.start import prepare
from support import solver_problems as problems
from support.small_drives import two_wheels

ROOT = Path(chaindrive.__file__).parent
PARTS = {part: getattr(contract, part.capitalize()) for part in ("motion", "rest", "modes", "story")}
KERNELS = [path for path in sorted(ROOT.rglob("*.py")) if KERNEL.search(path.read_text(encoding="utf-8"))]


def test_a_system_without_rest_modes_and_story():
    system = problems.oscillator()
    assert system.velocities == 1
    assert system.colours.tolist() == [-1]
    assert system.masses_at_rest.tolist() == system.masses.tolist()
    assert system.as_integrated is system
    assert system.story.name_of(3) == "position 3"
    assert system.modes.playing.size == 0
    assert system.modes.none_because == ""
    assert system.rest.held == ()


def test_one_part_is_changed_and_the_others_stay():
    system = problems.oscillator().noted({"a": 1})
    assert system.noted({"b": 2}).story.notes == {"a": 1, "b": 2}
    assert system.story.notes == {"a": 1}
    changed = system.with_motion(stops=np.ones(1)).with_rest(held=(0,)).with_story(warnings=("w",))
    assert changed.motion.stops.tolist() == [1.0]
    assert changed.motion.highest_frequency == system.motion.highest_frequency
    assert np.isinf(changed.masses_at_rest).all()
    assert (changed.story.warnings, changed.story.notes) == (("w",), {"a": 1})
    with pytest.raises(TypeError, match="unknown"):
        system.with_rest(unknown=1)


def test_every_field_of_a_part_has_its_text():
    source = {part: (ROOT / "contract" / f"{part}.py").read_text(encoding="utf-8") for part in PARTS}
    for part, kind in PARTS.items():
        for field in dataclasses.fields(kind):
            after = source[part].split(f"\n    {field.name}: ", 1)[1].split("\n    ", 1)[1]
            assert after.startswith('"""'), f"{part}.{field.name}"


def test_no_kernel_depends_on_the_whole_contract():
    """Otherwise every edit of a text for users would recompile all kernels."""
    whole = {ROOT / "contract" / f"{name}.py" for name in ("system", "motion", "modes", "story")}
    assert all(file.exists() for file in whole)
    assert [path.relative_to(ROOT).as_posix() for path in KERNELS if not whole.isdisjoint(closure(path))] == []


def test_memory_is_put_back_as_it_was_kept():
    system = prepare(two_wheels()).system
    arrays = [array for array in system.memory_arrays().values() if array.size]
    assert len(arrays) > 10
    memory = KeptMemory(system)
    for number in (1, 2):
        for array in arrays:
            array[...] = number
        memory.keep()
        for array in arrays:
            array[...] = 3
        memory.put_back()
        assert all((array == number).all() for array in arrays)
