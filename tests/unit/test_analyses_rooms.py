"""Analyses are importable from their package and from ``chaindrive.analyses``."""

from __future__ import annotations

import pkgutil
import subprocess
import sys
from importlib import import_module

import pytest

from chaindrive import analyses

ROOMS = ("linear", "analytical", "signals", "results")
MODULES = [
    (room, found.name)
    for room in ROOMS
    for found in pkgutil.iter_modules(import_module(f"chaindrive.analyses.{room}").__path__)
]


@pytest.mark.parametrize(("room", "name"), [pair for pair in MODULES if pair[1] != "selection"])
def test_a_module_has_its_name_without_the_room_too(room, name):
    module = import_module(f"chaindrive.analyses.{room}.{name}")
    short = import_module(f"chaindrive.analyses.{name}")
    assert getattr(analyses, name) is short
    assert module.__all__
    assert all(getattr(short, public) is getattr(module, public) for public in module.__all__)


def test_the_room_of_signals_has_the_names_that_choose_one():
    selection = import_module("chaindrive.analyses.signals.selection")
    assert all(getattr(analyses.signals, public) is getattr(selection, public) for public in selection.__all__)


def test_a_name_that_does_not_exist_is_an_import_error():
    with pytest.raises(ImportError, match="no_such_law"):
        from chaindrive.analyses.formulas import no_such_law  # noqa: F401
    with pytest.raises(AttributeError, match="no_such_law"):
        _ = analyses.formulas.no_such_law


def test_nothing_is_loaded_before_it_is_used():
    code = (
        "import sys, chaindrive.analyses, chaindrive.analyses.stability;"
        "print([name for name in sys.modules if name.startswith(('scipy', 'numpy', 'chaindrive.analyses.linear.'))])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
