"""Output for drives without a prescribed motion: figures, reports, commands, also at standstill or coasting."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from chaindrive.analyses.comparison import comparison
from chaindrive.analyses.losses import losses
from chaindrive.analyses.operating import load_power, operating_point
from chaindrive.analyses.periodicity import repetitions

import chaindrive as cd
from chaindrive.cli.main import main
from chaindrive.errors import InputError
from chaindrive.model import Drive

pytestmark = pytest.mark.usefixtures("few_windows")

WHEELS = (
    {"name": "motor", "teeth": 16, "position": (0, 0), "tooth": {"form": "asa-ii"}, "inertia": 1e-3},
    {"name": "fan", "teeth": 24, "position": (0.15135, 0), "tooth": {"form": "asa-ii"}, "inertia": 3e-3},
)
CURVE = {"over": "speed", "speeds": [-40, 40], "torques": [8, 0]}
"""4 N m at rest, falling to 0 at 40 rad/s."""
SAVE = cd.SaveOptions(rate=2500.0, channels="all")


def drive(motor: dict, fan: dict | None = None) -> Drive:
    chain = {"standard": "08B-1", "links": 44, "link_damping": 40.0}
    contact = {"stiffness": 1e9, "friction": 0.05}
    wheels = [WHEELS[0] | motor, WHEELS[1] | (fan or {})]
    return Drive(name="small", chain=chain, contact=contact, wheels=wheels, run={"save": {"rate": 2500.0}})


@pytest.fixture(scope="module")
def runs() -> dict[str, cd.Solution]:
    settled = drive({"torque": CURVE, "initial_speed": 20.0}, {"load_torque": 3.0})
    back = drive({"torque": 1.0, "initial_speed": 12.0, "bearing_friction": 0.1}, {"torque": -4.5})
    return {
        "settled": cd.simulate(settled, 0.9, save=SAVE),
        "turns back": cd.simulate(back, 0.1, save=SAVE),
        "coasts": cd.simulate(drive({"initial_speed": 12.0}, {"load_viscous": 0.01}), 0.2, save=SAVE),
        "stands": cd.simulate(drive({"torque": 1e-6, "bearing_friction": 0.5}), 0.05, save=SAVE),
    }


@pytest.fixture
def call(tmp_path, monkeypatch, capfd):
    """Run the command line in this process, in a folder of its own: exit code, standard output, standard error."""
    monkeypatch.chdir(tmp_path)

    def run(*words):
        capfd.readouterr()
        with pytest.raises(SystemExit) as ending:
            main([str(word) for word in words])
        return ending.value.code, *(" ".join(text.split()) for text in capfd.readouterr())

    return run


CASES = ("settled", "turns back", "coasts", "stands")


def all_but(case: str) -> list[Any]:
    """The cases, of which one runs in the default tests."""
    return [pytest.param(each, marks=() if each == case else pytest.mark.long) for each in CASES]


@pytest.mark.parametrize("case", all_but("turns back"))
def test_every_figure_is_drawn_or_says_why_not(runs, case):
    from chaindrive.plot_names import OF_A_VARIATOR
    from chaindrive.plots import DATA, PLOTS

    refused = {}
    for name in set(PLOTS) - {*OF_A_VARIATOR}:
        for make in (PLOTS[name], DATA[name]):
            try:
                make(runs[case])
            except InputError as error:
                refused[name] = str(error)
    if case == "settled":
        assert not refused
    for why in refused.values():
        assert "at least one revolution" in why or "stops or reverses" in why  # what stands trembles in its bearing


@pytest.mark.parametrize("case", all_but("settled"))
def test_info_and_report(runs, case, call, tmp_path: Path):
    runs[case].save(tmp_path / "run.nc")
    code, out, _ = call("info", "run.nc")
    assert code == 0
    assert ("Efficiency: not meaningful" in out) == (case != "settled")
    assert call("report", "run.nc", "-o", "run.html")[0] == 0


def test_closed_forms_beside_a_settled_run(runs):
    """The balance of torques, and the steps of tension at motor and load, each within the losses left out."""
    found = {row.quantity: row for row in comparison(runs["settled"]).rows}
    balance = found["mean torque of the driver"]
    assert balance.analytical == pytest.approx(2.0, rel=0.01)
    assert balance.simulated == pytest.approx(2.0, rel=0.02)
    steps = [r for r in comparison(runs["settled"]).rows if r.quantity == "mean tension difference across the wheel"]
    assert [r.where for r in steps] == ["motor", "fan"]
    for row in steps:
        assert row.simulated == pytest.approx(row.analytical, rel=0.05)
    assert losses(runs["settled"]).sources == ("motor", "fan")
    assert "wheel torque of motor" in [row.name for row in repetitions(runs["settled"])]


def test_why_others_are_not_compared(runs):
    for case in ("turns back", "coasts"):
        (left_out,) = comparison(runs[case]).left_out
        assert "the speed of the chain changes by" in left_out.reason


def test_the_operating_point_is_that_of_the_balance():
    """4 (1 - w / 40) = 3 x 2/3 at 20 rad/s; the torque of the motor is not a load: 3 N m at 13.3 rad/s are 40 W."""
    made = drive({"torque": CURVE}, {"load_torque": 3.0})
    point = operating_point(made, [10.0, 80.0])
    assert point.driver_speed == pytest.approx(20.0)
    assert load_power(point) == pytest.approx(40.0)
    with pytest.raises(
        InputError, match=r"wheels\[0\]\.initial_speed: is needed .* no speed at which torques and loads balance"
    ):
        operating_point(drive({"torque": 1.0}), [10.0, 80.0])
    assert operating_point(drive({"torque": 1.0}), [1.0, 1.0], 7.0).driver_speed == 7.0


@pytest.mark.parametrize(
    ("motor", "says"),
    [
        ({"torque": CURVE}, "from rest; torques and loads balance at"),
        ({"torque": CURVE, "initial_speed": 15.0}, "rpm of motor"),
        ({"torque": 1.0}, "from rest; there is no speed at which torques and loads balance"),
    ],
)
def test_check_says_how_fast_it_runs(motor, says, call, tmp_path: Path):
    (tmp_path / "small.toml").write_text(str(drive(motor, {"load_torque": 0.5})), encoding="utf-8")
    code, out, _ = call("check", "small.toml", "--no-draw")
    assert code == 0
    assert says in out
    assert "by its torque" in out
    assert "torque holding the driver until the start" in out
    assert "torque on motor: " in out


def test_analyze_without_a_speed_says_what_is_missing(call, tmp_path: Path):
    (tmp_path / "small.toml").write_text(str(drive({"torque": 1.0})), encoding="utf-8")
    code, _, err = call("analyze", "small.toml", "--tension", "50 N")
    assert code == 1
    assert "wheels[0].initial_speed: is needed" in err


def test_analyze_takes_the_balance(call, tmp_path: Path):
    made = drive({"torque": CURVE}, {"load_torque": 3.0})
    (tmp_path / "small.toml").write_text(str(made), encoding="utf-8")
    code, out, _ = call("analyze", "small.toml")
    assert code == 0
    assert "motor, 191 rpm" in out  # 20 rad/s
    assert "At 0 Hz the whole drive turns" in out
