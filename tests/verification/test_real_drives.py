"""The real drives among the examples, each against its hand calculation (docs/validation/real_drives.py)."""

from __future__ import annotations

import pytest
import real_drives
from numba.core import config

import chaindrive as cd

pytestmark = pytest.mark.skipif(bool(config.DISABLE_JIT), reason="minutes in plain Python")


QUICK = {"harvester-10b"}
"""Drives run by default; the others take up to a minute each."""
RUNS = [pytest.param(name, marks=() if name in QUICK else pytest.mark.long) for name in real_drives.DRIVES]


@pytest.mark.parametrize("name", RUNS)
def test_a_drive_agrees_with_its_hand_calculation(name: str) -> None:
    """Within the deviation explained by the simplifications, a number for each row."""
    rows = real_drives.rows_of(name)
    assert len(rows) >= 3
    missed = [f"{row.quantity}: {row.computed:g} instead of {row.hand:g} {row.unit}" for row in rows if not row.agrees]
    assert not missed


@pytest.mark.parametrize("name", real_drives.DRIVES)
def test_a_drive_says_where_it_comes_from(name: str) -> None:
    drive = cd.example(name)
    assert drive.source
    assert len(drive.notes) >= 4
