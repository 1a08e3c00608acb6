"""Channels in groups: each is declared next to the kernel that writes it, and writes just that part of a row."""

import ast
from itertools import chain
from pathlib import Path

import numpy as np
import pytest

import chaindrive
from chaindrive.contract.channels import Channel
from chaindrive.contract.system import System
from chaindrive.formulations import compile_system
from chaindrive.formulations.declare import Row
from chaindrive.formulations.link.variants import VARIANTS as LINK
from chaindrive.formulations.planar.channels import Counts, Group, channels, counts_of
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


@pytest.fixture(
    scope="module",
    params=[
        *("roller, with a mechanism", "link, on the ground"),  # each group of either is in one of them
        *(pytest.param(each, marks=pytest.mark.long) for each in ("roller, on the ground", "link, with a mechanism")),
    ],
)
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
def no_group(y, dy, p):
    """Write nothing."""


@kernel(inline=True)
def no_groups(which, y, dy, p):
    """Write nothing."""


def one_of(writes):
    """Lets one of up to four groups write, selected by its number."""
    (a, first), (b, second), (c, third), (d, fourth) = (*writes, *[(-1, no_group)] * 3)[:4]

    @kernel(inner=True)
    def one_of_four(which, y, dy, p):
        if which == a:
            first(y, dy, p)
        elif which == b:
            second(y, dy, p)
        elif which == c:
            third(y, dy, p)
        elif which == d:
            fourth(y, dy, p)

    return one_of_four


def chosen(writes):
    """Lets one of many groups write, selected by its number; in fours, because each kernel contains the code of all
    that it calls.
    """
    parts = [one_of(writes[k : k + 4]) for k in range(0, len(writes), 4)]
    first, second, third, fourth, fifth, sixth = (*parts, *[no_groups] * 5)[:6]
    assert len(parts) <= 6

    @kernel
    def written(which, y, dy, p):
        first(which, y, dy, p)
        second(which, y, dy, p)
        third(which, y, dy, p)
        fourth(which, y, dy, p)
        fifth(which, y, dy, p)
        sixth(which, y, dy, p)

    return written


def parts(row: Row) -> list[list[np.ndarray]]:
    """The views of every group."""
    return [list(group) for group in row.views]


def test_the_views_are_those_of_the_channels_in_their_places(system: System, groups: tuple[Group, ...]) -> None:
    row, counts = system.parameters.row, counts_of(system.parameters.planar)
    assert row._fields == ("values", "views")
    assert row.views._fields == tuple(group.name for group in groups)
    row.values[:] = np.arange(system.row_size)
    flat = [view.ravel() for group in parts(row) for view in group]
    np.testing.assert_array_equal(np.concatenate(flat), np.arange(system.row_size))
    for group, own in zip(groups, row.views, strict=True):
        for declared, view in zip(group.declare(counts), own, strict=True):
            if isinstance(declared, Channel) and declared.size:
                channel = next(c for c in system.channels if c.name == declared.name)
                np.testing.assert_array_equal(channel.read(row.values), view if declared.shape else view[0])
    assert [c.name for group in groups for c in group.channels(counts)] == [c.name for c in system.channels]


def test_every_group_writes_its_own_views_and_all_of_them(system: System, groups: tuple[Group, ...]) -> None:
    write = chosen([(number, group.write) for number, group in enumerate(groups) if group.write is not None])
    p, y = system.parameters, system.state
    whole, dy, values = system.row(0.0, y), p.planar.derivative, p.row.values
    for number in range(len(groups)):
        rows = []
        for fill in FILLS:
            values[:] = fill
            write(number, y, dy, p)
            rows.append(values.copy())
        untouched = (np.stack(rows) == np.array(FILLS)[:, None]).all(axis=0)
        values[:] = 0.0
        for view in parts(p.row)[number]:
            view[...] = 1.0
        inside = values == 1.0
        np.testing.assert_array_equal(untouched, ~inside)
        np.testing.assert_array_equal([row[inside] for row in rows], [whole[inside]] * 2)


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


def test_channels_are_declared_by_the_names_of_their_views() -> None:
    """By position, two of one shape in the wrong order would show each other's numbers unnoticed."""
    package = Path(chaindrive.__file__).parent
    trees = {
        path: list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
        for room in ("formulations", "coupling")
        for path in (package / room).rglob("*.py")
    }
    classes = {
        node.name
        for node in chain.from_iterable(trees.values())
        if isinstance(node, ast.ClassDef)
        and any(isinstance(each, ast.AnnAssign) and ast.unparse(each.annotation) == "Shown" for each in node.body)
    }
    declared = [
        (path, node)
        for path, nodes in trees.items()
        for node in nodes
        if isinstance(node, ast.Call) and ast.unparse(node.func) in classes
    ]
    assert [f"{path.name}:{node.lineno}" for path, node in declared if node.args] == []
    assert len(declared) > 20
