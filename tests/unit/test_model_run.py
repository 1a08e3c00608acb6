"""Endings of runs in files: at a time or in a steady state, and the criteria for steady."""

import pytest

from chaindrive.errors import InputError
from chaindrive.model import BlockOptions, RollerOptions, Run, SteadyOptions, example, loads, override
from chaindrive.simulation.simulate import simulate
from chaindrive.simulation.steady import Criteria


def problems(make):
    with pytest.raises(InputError) as caught:
        make()
    return {problem.place: problem.message for problem in caught.value.problems}


def test_until_is_a_time_or_steady():
    assert Run().until == 10.0
    assert Run(until="500 ms").until == 0.5
    assert Run(until="steady").until == "steady"
    assert Run(until=" steady ").until == "steady"
    assert Run(until="steady", at_most="20 s").at_most == 20.0


@pytest.mark.parametrize(
    ("until", "says"),
    [
        ("stedy", "'stedy' is not a quantity: give a number, a space and a unit, such as '2 s', or 'steady'"),
        (0, "must be a time above 0 s and at most 1e+07 s or 'steady'"),
        ("2 kg", "give a time such as '2 s', or 'steady'"),
        (True, "not true or false, or 'steady'"),
        (["steady"], "not a list, or 'steady'"),
        (float("inf"), "must be a finite number, or 'steady'"),
    ],
)
def test_until_is_nothing_else(until, says):
    found = problems(lambda: Run(until=until))
    assert set(found) == {"until"}
    assert says in found["until"]


def test_at_most_belongs_to_steady():
    assert "applies only to until = 'steady'" in problems(lambda: Run(until=3.0, at_most=2.0))["at_most"]
    assert "applies only to until = 'steady'" in problems(lambda: Run(at_most=2.0))["at_most"]
    assert set(problems(lambda: Run(until="never", at_most=-1))) == {"until", "at_most"}


def test_what_counts_as_steady():
    """The defaults are the same as without a description; each can be set."""
    assert SteadyOptions().model_dump() == Criteria()._asdict()
    made = Run(until="steady", steady={"imbalance": 0.02, "tension": 0.01, "revolutions": 5, "loops": 0})
    assert Criteria(**made.steady.model_dump()) == Criteria(0.02, 0.01, 5, 0.0)
    found = problems(lambda: Run(steady={"imbalance": 0, "tension": 2, "revolutions": 0.5, "loops": -1, "loop": 1}))
    assert set(found) == {f"steady.{name}" for name in ("imbalance", "tension", "revolutions", "loops", "loop")}


def test_bezier_has_a_sharpness_of_its_own():
    """Beyond 1 its curve turns back: it used to be an internal error when the run was compiled."""
    assert RollerOptions(friction_regularisation="tanh", friction_sharpness=2.0).friction_sharpness == 2.0
    assert RollerOptions(friction_regularisation="bezier", friction_sharpness=1.0).friction_sharpness == 1.0
    with pytest.raises(InputError, match=r"friction_sharpness: must be at most 1 with .*'bezier'.*\(got 2\.0\)"):
        RollerOptions(friction_regularisation="bezier", friction_sharpness=2.0)


def test_it_round_trips():
    changes = {"run.until": "steady", "run.at_most": "3 s", "run.steady.revolutions": 7}
    drive = override(example("industrial-08b"), changes)
    text = str(drive)
    assert 'until = "steady"\nat_most = 3.0  # s\n' in text
    assert loads(text) == drive
    assert override(drive, {"run.until": 2, "run.at_most": "none"}).run.until == 2.0
    assert "run.at_most" in problems(lambda: override(drive, {"run.until": 2}))


def test_another_formulation_takes_over_what_it_has_as_well(monkeypatch):
    drive = override(example("industrial-08b"), {"run.formulation": {"kind": "roller", "friction_sharpness": 0.3}})
    links = override(drive, {"run.formulation.kind": "link"}).run.formulation
    assert (links.kind, links.friction_sharpness) == ("link", 0.3)
    assert override(drive, {"run.formulation.kind": "block"}).run.formulation == BlockOptions()
    journals = override(drive, {"run.formulation.kind": "link", "run.formulation.joint": "journal"})
    assert override(journals, {"run.formulation.kind": "roller"}).run.formulation == drive.run.formulation

    taken = []
    monkeypatch.setattr(
        "chaindrive.simulation.simulate.prepare", lambda drive, options, *_: taken.append(options) or 1 / 0
    )
    with pytest.raises(ZeroDivisionError):
        simulate(drive, 0.1, formulation="link")
    assert taken == [links]
