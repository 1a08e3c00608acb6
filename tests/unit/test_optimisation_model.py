"""Studies that look for the best values: expressions that are read and never run, variables, and what is refused."""

from __future__ import annotations

import contextlib
import copy
import math
import random

import pytest

from chaindrive.errors import InputError
from chaindrive.model.study.description import Study
from chaindrive.model.study.expression import comparison, expression
from chaindrive.model.study.files import drive_of, load_study, study_path
from chaindrive.model.study.optimisation import Optimisation, Variable
from chaindrive.studies import run_study
from chaindrive.studies.evaluations import drive_with

NAMES = ("largest force", "load", "x-1", "a / b")
ROW = {"largest force": 700.0, "load": 30.0, "x-1": -2.0, "a / b": 0.5}
FIELDS = {
    "name": "small",
    "drive": "industrial-08b",
    "minimise": "largest",
    "variables": [
        {"name": "load", "unit": "N*m", "least": 20, "most": "0.04 kN*m", "set": "wheels.1.load_torque"},
        {"name": "links", "least": 108, "most": 113, "step": 2, "set": "chain.links"},
    ],
    "figures_of_merit": [{"name": "largest", "channel": "link_tension", "reduce": "max"}],
}


def problems(fields: dict) -> dict[str, str]:
    with pytest.raises(InputError) as caught:
        Optimisation.from_dict(fields)
    found: dict[str, str] = {}
    for problem in caught.value.problems:
        found[problem.place] = f"{found.get(problem.place, '')} {problem.message}"
    return found


def changed(**changes: object) -> dict:
    return copy.deepcopy(FIELDS) | changes


def test_bounds_may_be_in_another_unit_of_the_same_kind() -> None:
    speed = Variable(name="n", unit="1/min", least="300 rpm", most="20 rev/s", set="x")
    assert speed.bounds == (300.0, 1200.0)
    torque = Variable(name="m", unit="ft-lb", least="12 in-lb", most=40, set="x")
    assert torque.bounds == (1.0, 40.0)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("load", 30.0),
        ("largest force", 700.0),
        ("a / b", 0.5),  # a column of this name, and not a quotient of two
        ("'a / b' * 4", 2.0),
        ("2 * load - 1", 59.0),
        ("'largest force' + 0.1 * load", 703.0),
        ("max('largest force', load, 1e3) - min(load, 'x-1')", 1002.0),
        ("abs('x-1') ** 3", 8.0),
        ("-(load + 2) / 4", -8.0),
        ("2 ** 3 ** 2", 512.0),
        ("'x-1' ** 2", 4.0),
        (" load\n", 30.0),
    ],
)
def test_expressions(text: str, value: float) -> None:
    assert expression(text, NAMES).value(ROW) == pytest.approx(value, rel=1e-15)


@pytest.mark.parametrize("text", ["1 / (load - 30)", "'x-1' ** 0.5", "9.0 ** 9 ** 9 ** 9", "1e308 * load"])
def test_an_expression_without_a_value_is_not_a_number(text: str) -> None:
    assert math.isnan(expression(text, NAMES).value(ROW))


def test_min_and_max_do_not_lose_what_is_missing() -> None:
    missing = ROW | {"load": math.nan}
    for text in ("min(load, 1)", "max(1, load)", "abs(load)", "load + 1"):
        assert math.isnan(expression(text, NAMES).value(missing))


UNSAFE = [
    "__import__('os').system('true')",
    "load.__class__",
    "().__class__.__bases__[0].__subclasses__()",
    "open('/etc/passwd')",
    "[load for load in (1, 2)]",
    "lambda: load",
    "load if load else 1",
    "load and 1",
    "load < 3",
    "load @ load",
    "load % 2",
    "load // 2",
    "load << 9999999",
    "~load",
    "not load",
    "True",
    "None",
    "1j",
    "...",
    "f'{load}'",
    "b'load'",
    "max(*load)",
    "max(load, key=load)",
    "max",
    "min()",
    "abs(load, 1)",
    "(load := 3)",
    "load; load",
    "load = 3",
    "",
    "load +",
    "'largest force",
    "1e999",
    "9" * 400,
    "(" * 500 + "load" + ")" * 500,
    "+" * 200 + "load",
    "load" + " + 1" * 400,
    "load[0]",
    "{'load'}",
    "yield load",
    "await load",
]


@pytest.mark.parametrize("text", UNSAFE)
def test_nothing_but_arithmetic(text: str) -> None:
    with pytest.raises(ValueError, match=r"expression|column|takes|operations"):
        expression(text, NAMES)


def test_random_text_is_read_or_refused() -> None:
    """Any text gives an answer, or a ValueError with a sentence; never another exception."""
    chance = random.Random(3)
    parts = [
        "load",
        "'largest force'",
        "max(",
        "abs(",
        "(",
        ")",
        "+",
        "-",
        "**",
        "/",
        "1",
        "0",
        "9e99",
        ",",
        "'",
        "\0",
        " ",
    ]
    read = 0
    for _ in range(4000):
        text = "".join(chance.choice(parts) for _ in range(chance.randint(1, 9)))
        with contextlib.suppress(ValueError):
            assert isinstance(expression(text, NAMES).value(ROW), float)
            read += 1
    assert read > 20


def test_an_unknown_column_is_named_with_the_nearest() -> None:
    with pytest.raises(ValueError, match="did you mean 'largest force'"):
        expression("'largest forse' + 1", NAMES)


@pytest.mark.parametrize(
    ("text", "excess"),
    [
        ("load <= 30", 0.0),
        ("load <= 28", 2.0),
        ("load >= 28", 0.0),
        ("'load' >= 3.5e1", 5.0),
        ("largest force <= 600", 100.0),  # a column without its quotes
        ("a / b <= 0.25", 0.25),
        ("'largest force' - 10 * load >= 401", 1.0),
        ("'x-1' <= -3", 1.0),
        ("load <= 2 * 14", 2.0),
    ],
)
def test_constraints(text: str, excess: float) -> None:
    assert comparison(text, NAMES).excess(ROW) == pytest.approx(excess, rel=1e-12)


@pytest.mark.parametrize(
    "text",
    [
        *("load", "load < 3", "load <= load", "1 <= load <= 3", "load == 3", "3 >= load", "load <= 1/0", "load <="),
        *("-" * 950 + "load <= 3", "(" * 400 + "load" + ")" * 400 + " <= 3", "load <= " + "-" * 950 + "3"),
    ],
    ids=lambda text: text[:20],
)
def test_what_is_no_constraint(text: str) -> None:
    with pytest.raises(ValueError, match=r"column|expression|has no value|must be like|nested"):
        comparison(text, NAMES)


@pytest.mark.parametrize("text", ["load <= 'largest force' / 2", "largest force >= load", "3 >= load"])
def test_a_column_where_the_bound_belongs_is_named(text: str) -> None:
    with pytest.raises(ValueError, match=r"has the column '(largest force|load)' after <= or >="):
        comparison(text, NAMES)


def test_variables() -> None:
    load, links = Optimisation.from_dict(FIELDS).variables
    assert load.bounds == (20.0, 40.0)
    assert load.first == 30.0
    assert load.places == (0.0, 1.0)
    assert load.value(0.123456789) == 22.46913578
    assert load.place(load.value(0.3)) == pytest.approx(0.3, abs=1e-12)
    assert (load.value(-0.1), load.value(1.1)) == (20.0, 40.0)
    assert load.changes(22.5) == {"wheels.1.load_torque": "22.5 N*m"}
    assert links.bounds == (108.0, 112.0)  # 113 is no even number
    assert links.places == (0.0, 2.0)
    assert [links.value(k) for k in (0.0, 0.6, 2.0, 9.0)] == [108.0, 110.0, 112.0, 112.0]
    assert links.changes(110.0) == {"chain.links": 110}
    turning = Variable(name="a", unit="deg", least=0, most=90, on_circle={"set": "p", "centre": [1, 2], "radius": 2})
    assert turning.changes(90.0)["p"] == pytest.approx([1.0, 4.0])


def test_all_problems_at_once() -> None:
    first, second = copy.deepcopy(FIELDS["variables"])
    found = problems(
        changed(
            minimise="largets + 1",
            maximise="largest",
            constraints=["largest <= 3", "__import__('os') <= 3", "other >= 1"],
            variables=[
                first | {"least": 50},
                second | {"step": 0, "start": 200},
                {"name": "best", "least": "3 mm", "most": 4, "unit": "deg"},
            ],
            figures_of_merit=[{"name": "largest", "channel": "link_tension", "reduce": "max", "start": 1, "stop": 0.5}],
            search={"method": "downhill"},
        )
    )
    assert "give either minimise or maximise; both are given" in found["minimise"]
    assert set(found) >= {
        "minimise", "constraints[1]", "constraints[2]", "variables[0].most", "variables[1].step", "variables[1].start",
        "variables[2].name", "variables[2].least", "variables[2]", "figures_of_merit[0].stop", "search.method",
    }  # fmt: skip
    assert "above least, 50" in found["variables[0].most"]
    assert "is not a column of this study" in found["constraints[2]"]
    assert "__import__" in found["constraints[1]"]


def test_one_problem_each() -> None:
    first, second = copy.deepcopy(FIELDS["variables"])
    assert "neither is given" in problems(changed(minimise=None))["minimise"]
    unknown = problems(changed(minimise="'largets'"))["minimise"]
    assert "did you mean 'largest'" in unknown
    assert (
        "whole number of steps" in problems(changed(variables=[first, second | {"start": 109}]))["variables[1].start"]
    )
    assert "does not support steps" in problems(changed(search={"method": "nelder-mead"}))["variables[1].step"]
    assert "at most the range" in problems(changed(variables=[first | {"step": 30}]))["variables[0].step"]
    assert "used twice" in problems(changed(variables=[first, second | {"name": "load"}]))["variables[1].name"]
    quoted = problems(changed(variables=[first | {"name": "a'b\"c"}]))["variables[0].name"]
    assert "both kinds of quotes" in quoted
    assert "is missing" in problems({k: v for k, v in FIELDS.items() if k != "variables"})["variables"]


def test_which_kind_of_study_a_file_is(tmp_path) -> None:
    path = tmp_path / "study.toml"
    path.write_text(
        'name = "a"\ndrive = "industrial-08b"\nmaximise = "largest"\n'
        '[[variables]]\nname = "load"\nunit = "N*m"\nleast = 20\nmost = 40\nset = "wheels.1.load_torque"\n'
        '[[figures_of_merit]]\nname = "largest"\nchannel = "link_tension"\nreduce = "max"\n'
    )
    study = load_study(path)
    assert isinstance(study, Optimisation)
    assert study.sense == -1.0
    with pytest.raises(InputError, match=r"cd.optimise"):
        run_study(path)
    assert not isinstance(study, Study)


def test_the_search_that_comes_along() -> None:
    """Its drive can be built at all corners of its bounds, as its number of links follows; source and doubts are
    stated.
    """
    study = load_study(study_path("smoothest-centres"))
    assert isinstance(study, Optimisation)
    assert study.source
    assert study.notes
    base = drive_of(study)
    (low, high), (few, many) = (variable.bounds for variable in study.variables)
    for values in ((low, few), (low, many), (high, few), (high, many)):
        made = drive_with(study, base, values)
        assert made.chain.links % 2 == 0
        assert made.wheels[1].position[0] == pytest.approx(values[0] * 1e-3)
        assert made.wheels[0].teeth == values[1]
