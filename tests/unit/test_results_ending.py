"""An ending soon after a start that was not in equilibrium says so first, in every output."""

from __future__ import annotations

from pathlib import Path

import pytest

import chaindrive as cd
from chaindrive.cli.run import Request, Signals, _end
from chaindrive.contract.status import Status
from chaindrive.errors import ComputationError
from chaindrive.formulations.planar.endings import CHAIN_JUMPED_TOOTH
from chaindrive.report.subject import Subject
from chaindrive.report.summary import warnings_of
from chaindrive.results.attributes import encode
from chaindrive.results.ending import ending_text, likely_cause
from chaindrive.results.layout import Layout
from support.small_drives import two_wheels

RESTLESS = {"static_residual": 12.0, "static_iterations": 100, "loops": 0.31}
FIRST = "The start was not in equilibrium (largest residual force 12 N); this ending, 0.31 loops of the chain later, is"


def test_only_a_failure_soon_after_an_unbalanced_start_is_laid_to_it() -> None:
    jumped = CHAIN_JUMPED_TOOTH
    assert likely_cause(jumped, RESTLESS).startswith(FIRST)
    assert likely_cause(jumped, RESTLESS | {"static_tolerance": 1.0}).startswith(FIRST)
    balanced = likely_cause(jumped, RESTLESS | {"static_tolerance": 20.0})  # its forces are, its place is no start
    assert "not in equilibrium" not in balanced
    assert "not a valid start" in balanced
    assert likely_cause(jumped, RESTLESS | {"loops": 1.2}) == ""
    assert likely_cause(jumped, RESTLESS | {"static_span_tension": [3.0, 4.0]}) == ""
    assert likely_cause(jumped, RESTLESS | {"static_span_tension": [3.0, 4.0], "static_converged": False}) != ""
    assert likely_cause(Status.REACHED_END, RESTLESS) == ""
    assert likely_cause(Status.INTERRUPTED, RESTLESS) == ""
    assert likely_cause(jumped, {}) == ""  # a file of an earlier version
    assert ending_text(jumped, {}) == f"{jumped.meaning} {jumped.advice}"


@pytest.fixture(scope="module")
def unbalanced() -> cd.Solution:
    """A run that ended by a jump, as if its start had not been in equilibrium."""
    overloaded = two_wheels(
        second={"load_torque": 60.0, "inertia": 1e-3},
        contact={"stiffness": 1e9, "restitution": 0.0},
        link_stiffness=2e5,
        link_damping=20.0,
    )
    ran = cd.simulate(overloaded, 0.1, save=cd.SaveOptions(rate=10_000.0), start="as_placed")  # nothing holds it
    assert ran.status == CHAIN_JUMPED_TOOTH
    assert 0.0 < ran.notes["loops"] < 0.2
    notes = {key: value for key, value in ran.notes.items() if key != "static_span_tension"}
    table = {name: ran.values(name) for name in ran.channels}
    layout = Layout(tuple(ran.channels.values()), ran.labels)
    return cd.Solution.from_memory(layout, ran.time, table, ran.attrs | {"notes": encode(notes | RESTLESS)})


def test_every_output_says_it_first(unbalanced: cd.Solution) -> None:
    assert unbalanced.ending.startswith(FIRST)
    assert CHAIN_JUMPED_TOOTH.meaning in unbalanced.ending
    assert f"status: CHAIN_JUMPED_TOOTH. {FIRST}" in unbalanced.summary()
    assert FIRST in unbalanced._repr_html_()
    subject = Subject("run", unbalanced, unbalanced.drive, unbalanced.time, slice(None))
    assert warnings_of([subject])[0].startswith(FIRST)
    request = Request("drive.toml", None, False, False, [], None, {})
    with pytest.raises(ComputationError) as caught:
        _end(unbalanced, Path("results.nc"), request, Signals())
    assert caught.value.message.startswith(FIRST)
    assert caught.value.message.endswith(f"{CHAIN_JUMPED_TOOTH.meaning} It happened at roller 32 on wheel 'driven'.")
