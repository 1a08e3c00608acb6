"""The page of public worked examples: examples without a run are recomputed, those with a run in the long test."""

from __future__ import annotations

import re

import _worked_rows
import _worked_runs
import pytest
import worked_examples
from numba.core import config

PAGE = worked_examples.PAGE.read_text(encoding="utf-8")
EXAMPLES = [*_worked_rows.EXAMPLES, *_worked_runs.EXAMPLES]
APART = {"outside diameter", "power of No. 25, limited by plates", "power of 12A, example 14.1",
         "power of 8A, example 14.3", "power of 12B, example 14.4", "the same, as the package rates it"}  # fmt: skip
"""Quantities that differ from their source by more than 1 %; the page says why."""
VALUE = re.compile(r"[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?")


@pytest.mark.parametrize("example", _worked_rows.EXAMPLES, ids=lambda each: f"{each.source}: {each.quantity}")
def test_a_row_agrees_with_its_source_and_stands_on_the_page(example):
    (row,) = worked_examples.computed([example])
    assert worked_examples.line(row) in PAGE
    if example.why and example.settled is None and abs(row.difference) > worked_examples.NOTICED:
        assert example.quantity in APART
    else:
        assert abs(row.left) <= worked_examples.NOTICED


def test_every_run_stands_on_the_page_and_within_what_it_may():
    for example in _worked_runs.EXAMPLES:
        (line,) = (text for text in PAGE.splitlines() if f"| {example.quantity} | {example.given} |" in text)
        ours = float(VALUE.search(line.split("|")[5])[0])
        assert abs(ours / (example.settled or example.theirs) - 1.0) <= worked_examples.NOTICED, example.quantity


@pytest.mark.long
@pytest.mark.skipif(bool(config.DISABLE_JIT), reason="minutes in plain Python")
@pytest.mark.parametrize("name", _worked_runs.COMPUTED)
def test_a_run_agrees_with_its_source(name):
    values = _worked_runs.COMPUTED[name]()
    examples = [each for each in _worked_runs.EXAMPLES if each.given == f"`worked/{name}.toml`"]
    assert len(values) == len(examples)
    for value, example in zip(values, examples, strict=True):
        assert abs(value / (example.settled or example.theirs) - 1.0) <= worked_examples.NOTICED, example.quantity


@pytest.mark.parametrize("name", [pytest.param("hoist-3-t", marks=pytest.mark.long), "power-line"])
def test_a_drive_at_rest_agrees_with_its_source(name):
    values = _worked_runs.COMPUTED[name]()
    examples = [each for each in _worked_runs.EXAMPLES if each.given == f"`worked/{name}.toml`"]
    for value, example in zip(values, examples, strict=True):
        assert abs(value / example.theirs - 1.0) <= worked_examples.NOTICED, example.quantity


def test_there_are_forty_and_every_source_is_used():
    assert len(EXAMPLES) >= 40
    assert {each.source for each in EXAMPLES} == set(worked_examples.SOURCES)
    assert all(set(source) == {"title", "address"} for source in worked_examples.SOURCES.values())
    assert PAGE.count("\n| [") == len(EXAMPLES)


def test_what_differs_says_why():
    for example in EXAMPLES:
        assert example.why or example.settled is None, example.quantity


def test_the_drive_files_name_their_source():
    for path in _worked_runs.FOLDER.glob("*.toml"):
        drive = _worked_runs.load(path.stem)
        assert drive.source
        assert drive.notes
        assert path.stem in _worked_runs.COMPUTED
