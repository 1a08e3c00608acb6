"""Channels in groups: each is declared beside the kernel that writes it, and writes just that part of a row."""

import numpy as np
import pytest

from chaindrive.formulations.planar.channels import Counts, channels, counts_of, starts
from chaindrive.formulations.roller.variants import GROUPS, SUPPORTED_KERNELS, listed_groups
from chaindrive.kernels import kernel
from chaindrive.system import System
from support import small_drives

DRIVES = {
    "on the ground": lambda: small_drives.two_wheels((11, 13), 12.0, guides=[small_drives.rail(1, "flat")]),
    "with a mechanism": small_drives.hydraulic,
}
FILLS = (-1234.5, 9876.25)


@pytest.fixture(scope="module", params=DRIVES)
def system(request: pytest.FixtureRequest) -> System:
    return small_drives.compiled(DRIVES[request.param]())


@kernel(inline=True)
def nothing(which, y, dy, p, row):
    """No group."""


def chosen(before, write, number):
    """Lets one of many groups write."""

    @kernel(inner=True)
    def one_of(which, y, dy, p, row):
        before(which, y, dy, p, row)
        if which == number:
            first, end = p.planar.row_starts[number], p.planar.row_starts[number + 1]
            write(y, dy, p, row[first:end])

    return one_of


def entry(write):
    @kernel
    def written(which, y, dy, p, row):
        write(which, y, dy, p, row)

    return written


def test_groups_cover_the_row_without_gap_or_overlap(system: System) -> None:
    groups = listed_groups(system.parameters)
    first = starts(groups, counts_of(system.parameters.planar))
    assert first[0] == 0
    assert first[-1] == system.row_size
    np.testing.assert_array_equal(first, system.parameters.planar.row_starts)
    places = np.concatenate([np.arange(c.offset, c.offset + c.size) for c in system.channels])
    np.testing.assert_array_equal(places, np.arange(system.row_size))
    declared = [[c.name for c in group.declare(counts_of(system.parameters.planar))] for group in groups]
    assert [name for names in declared for name in names] == [c.name for c in system.channels]


def test_every_group_writes_its_own_part_and_all_of_it(system: System) -> None:
    write = nothing
    groups = listed_groups(system.parameters)
    for number, group in enumerate(groups):
        if group.write is not None:
            write = chosen(write, group.write, number)
    write = entry(write)
    p, y = system.parameters, system.state
    whole, dy = system.row(0.0, y), p.planar.derivative
    for number in range(len(groups)):
        rows = np.stack([np.full(system.row_size, fill) for fill in FILLS])
        for row in rows:
            write(number, y, dy, p, row)
        untouched = (rows == np.array(FILLS)[:, None]).all(axis=0)
        first, end = p.planar.row_starts[number : number + 2]
        inside = (np.arange(system.row_size) >= first) & (np.arange(system.row_size) < end)
        np.testing.assert_array_equal(untouched, ~inside)
        np.testing.assert_array_equal(rows[:, first:end], np.stack([whole[first:end]] * 2))


def test_both_variants_declare_the_same_channels() -> None:
    fixed = small_drives.compiled(small_drives.two_wheels())
    assert fixed.kernels is not SUPPORTED_KERNELS
    ones = Counts(1, 1, 1, 1, 1)
    assert channels(listed_groups(fixed.parameters), ones) == channels(GROUPS, ones)
    names = [c.name for c in channels(GROUPS, ones)]
    assert len(set(names)) == len(names)
