"""Chapter 5 of Pedersen (2004), figure by figure: every number that the validation page marks as a gate.

The fast tests at the top run by default; the rest, all runs of the page, by ``python tests/long.py``.
"""

from __future__ import annotations

import importlib

import numpy as np
import pytest

import chaindrive as cd

DRAWINGS = (1, 11, 20, 37, 51)
FIGURES = (*(f"5.{k}" for k in range(1, 54) if k not in DRAWINGS), "forms", "crank")
WITHOUT_GATE = ("5.5", "5.8", "5.12", "5.14", "5.48")
"""Figures about which the thesis states nothing that is definite enough."""


def helper(name: str):
    """A module of the page."""
    return importlib.import_module(name)


def test_every_case_of_the_page_describes_a_drive():
    cases = helper("pedersen").all_cases()
    assert len({case.key for case in cases}) == len(cases)
    for case in cases:
        assert len(case.model.wheels) == 4, case.key
        assert case.begin < case.until, case.key


def test_resonance_speeds_of_the_strands():
    """Thesis section 5.9.1: 107 to 116 %, 60 %, 6 % (segment 1), 93 % (segment 3), 42 % (segment 4) of 76 rpm."""
    entries = {entry.number: entry for entry in helper("_pedersen.strings").entries()}
    assert sum(len(entry.gates) for entry in entries.values()) == 9
    for entry in entries.values():
        assert not [row.quantity for row in entry.gates if not row.within], entry.number


def test_an_entry_says_what_is_missed_and_why():
    row = helper("_rows").Row(
        "tension", "70 kN", "70 kN", 60.0, 70.0, 5.0, "kN", "reading", gate=True, why="it is slack."
    )
    entry = helper("_pedersen.entry").Entry("5.99", "a title", "words", (row,), "remark", None)
    assert entry.verdict == "0 of 1 numbers within tolerance, 0 of 1 gates met"
    assert "**no**" in entry.text()
    assert "it is slack" in entry.text()
    met = entry._replace(rows=(row._replace(ours=74.0),))
    assert met.verdict == "1 of 1 numbers within tolerance, 1 of 1 gates met"
    assert "it is slack" not in met.text()


def test_pages_are_written_in_their_folders(tmp_path):
    helper("pedersen").write_pages({"pedersen.md": "all", "pedersen/one.md": "one"}, tmp_path)
    assert (tmp_path / "pedersen.md").read_text() == "all"
    assert (tmp_path / "pedersen" / "one.md").read_text() == "one"


def test_a_case_is_made_with_its_part_of_the_tolerances(tmp_path):
    """It takes more steps than with the default tolerances, which are those of a case with the part 1."""
    case = next(case for case in helper("pedersen").all_cases() if case.tolerance < 1.0)
    case = case._replace(until=10e-3)
    made = {}
    for part in (1.0, case.tolerance):
        stored = helper("_pedersen.runs").make(tmp_path, case._replace(key=f"part-{part:g}", tolerance=part))
        with cd.open(stored.path) as solution:
            assert solution.status == cd.Status.REACHED_END
            made[part] = solution.statistics["steps"]
    alone = cd.simulate(case.model, case.until, start=case.start, solver=cd.SolverOptions(method=case.method))
    assert made[1.0] == alone.statistics["steps"]
    assert made[case.tolerance] > made[1.0]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Folder for the results of the runs."""
    return tmp_path_factory.mktemp("pedersen")


@pytest.fixture(scope="module")
def runs(folder):
    """Every run of the page."""
    return helper("pedersen").simulate(folder, say=False)


@pytest.fixture(scope="module")
def entries(runs, folder):
    """Every figure of the page, by its number."""
    page = helper("pedersen")
    studies = page.sweep(folder, say=False)
    return {entry.number: entry for group in page.entries(runs, studies).values() for entry in group}


@pytest.mark.validation
def test_the_page_has_every_figure(entries):
    assert set(entries) == set(FIGURES)
    for number, entry in entries.items():
        assert bool(entry.gates) != (number in WITHOUT_GATE), number


@pytest.mark.validation
@pytest.mark.parametrize("number", [number for number in FIGURES if number not in WITHOUT_GATE])
def test_every_gate_of_the_page_holds(entries, number):
    missed = [
        f"{row.quantity}: {row.ours:.6g}, expected {row.expected} ({row.reason})"
        for row in entries[number].gates
        if not row.within
    ]
    assert not missed, "\n".join(missed)


@pytest.mark.validation
def test_every_run_reaches_its_end(runs):
    """Except those with a constant contact stiffness, some of which are meant to fail."""
    assert not [key for key, run in runs.items() if run.failed and not key.endswith("-linear")]


@pytest.mark.validation
def test_energy_is_accounted_for(runs):
    """Real teeth, Dormand-Prince at the tolerances of the examples: a ten-thousandth of the energy exchanged."""
    for key, run in runs.items():
        if not key.startswith("form-") and "circular" not in key:
            assert run.residual < 1e-4, key


@pytest.mark.validation
def test_printed_binder_formula_is_refuted(runs):
    """With q_a, q_b in full and 2 q_c sin(alpha / 2) Binder's loads have over twice the error of the corrected ones."""
    deviation = helper("_pedersen.binder").deviation
    for name in ("real", "circular"):
        for wheel in (0, 2):
            assert deviation(runs[f"l60-{name}"], wheel, corrected=False) > 2.0 * deviation(runs[f"l60-{name}"], wheel)


@pytest.mark.validation
def test_tangential_speed_is_that_of_the_run(runs):
    """The speed that the page computes from positions: friction = -mu N tanh(v / (v* eps)), as in the run."""
    look = helper("_pedersen.friction").look(runs["s90-path-friction"])
    force, friction = (look.run.values(name)[look.rows, 40] for name in ("contact_force", "friction_force"))
    pressed = force > 100.0
    np.testing.assert_allclose(friction[pressed], -0.1 * force[pressed] * np.tanh(look.seen.slip[pressed] / 1e-3),
                               atol=0.005 * force.max())  # fmt: skip
