"""Channels in groups: each is declared beside the kernel that writes it, and writes just that part of a row."""

import numpy as np
import pytest

from chaindrive.contract.system import System
from chaindrive.formulations import compile_system
from chaindrive.formulations.link.variants import VARIANTS as LINK
from chaindrive.formulations.planar.channels import Counts, Group, channels, counts_of, starts
from chaindrive.formulations.planar.variants import Variants
from chaindrive.formulations.roller.variants import VARIANTS as ROLLER
from chaindrive.kernels import kernel
from chaindrive.kernels.by_reference import handed_over, is_absent
from chaindrive.model import LinkOptions, RollerOptions
from support import small_drives

DRIVES = {
    "on the ground": lambda: small_drives.two_wheels((11, 13), 12.0, guides=[small_drives.rail(1, "flat")]),
    "with a mechanism": small_drives.hydraulic,
}
FILLS = (-1234.5, 9876.25)


FORMULATIONS = {"roller": (ROLLER, RollerOptions()), "link": (LINK, LinkOptions())}


@pytest.fixture(scope="module", params=[f"{kind}, {drive}" for kind in FORMULATIONS for drive in DRIVES])
def compiled(request: pytest.FixtureRequest) -> tuple[Variants, System]:
    kind, drive = request.param.split(", ")
    variants, options = FORMULATIONS[kind]
    return variants, compile_system(DRIVES[drive](), options, True)


@pytest.fixture
def system(compiled: tuple[Variants, System]) -> System:
    return compiled[1]


@pytest.fixture
def groups(compiled: tuple[Variants, System]) -> tuple[Group, ...]:
    variants, system = compiled
    return variants.of_drive(system.parameters.planar).groups


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


def test_groups_cover_the_row_without_gap_or_overlap(system: System, groups: tuple[Group, ...]) -> None:
    first = starts(groups, counts_of(system.parameters.planar))
    assert first[0] == 0
    assert first[-1] == system.row_size
    np.testing.assert_array_equal(first, system.parameters.planar.row_starts)
    places = np.concatenate([np.arange(c.offset, c.offset + c.size) for c in system.channels])
    np.testing.assert_array_equal(places, np.arange(system.row_size))
    declared = [[c.name for c in group.declare(counts_of(system.parameters.planar))] for group in groups]
    assert [name for names in declared for name in names] == [c.name for c in system.channels]


def test_every_group_writes_its_own_part_and_all_of_it(system: System, groups: tuple[Group, ...]) -> None:
    write = nothing
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


@pytest.mark.parametrize("variants", [ROLLER, LINK])
def test_both_variants_declare_the_same_channels(variants: Variants) -> None:
    fixed = small_drives.compiled(small_drives.two_wheels())
    assert variants.of_drive(fixed.parameters.planar) is variants.fixed_centres
    ones = Counts(**dict.fromkeys(Counts._fields, 1))
    assert channels(variants.fixed_centres.groups, ones) == channels(variants.supported.groups, ones)
    names = [c.name for c in channels(variants.supported.groups, ones)]
    assert len(set(names)) == len(names)


def test_the_type_of_a_plain_drive_tells_what_it_has_none_of() -> None:
    kind = handed_over(small_drives.compiled(small_drives.two_wheels()).parameters).type
    assert is_absent(kind, "ways")
    assert not is_absent(kind, "closed")
