"""Results of one drive in several formulations side by side: made-up solutions whose differences have known causes."""

from __future__ import annotations

import math

import numpy as np
import pytest

import chaindrive as cd
from chaindrive import results
from chaindrive.analyses.results.differences import EFFECTS, left_out_text
from chaindrive.analyses.results.side_by_side import side_by_side
from chaindrive.contract.channels import Channel
from chaindrive.formulations import compile_system
from chaindrive.formulations.registry import FORMULATIONS
from chaindrive.model import override
from chaindrive.report.formulations import formulations_sections
from chaindrive.report.subject import subject_of
from chaindrive.results import Solution
from chaindrive.results.layout import Layout
from support.small_drives import two_wheels

TEETH = 16, 32
SPEED, TORQUE, TENSION = 10.0, -4.0, 300.0
RADIUS = 0.0127 * TEETH[1] / (2.0 * math.pi)
PULL = -TORQUE / RADIUS
TIME = np.linspace(0.0, 4.0, 4001)

WORKS = ("link_damping", "bearing", "articulation", "contact", "friction", "guide", "tensioner")


def made(
    kind: str,
    losses: dict[str, float],
    *,
    level: float = 0.0,
    waves: float = 0.0,
    left_out: tuple[str, ...] = (),
    stored: float = 0.0,
    steady: bool | None = None,
    drop: tuple[str, ...] = (),
    status: str = "REACHED_END",
    slower: float = 1.0,
    links: int | None = None,
) -> Solution:
    """A result in which everything is constant except the tensions, with waves [N] once in a revolution of the driver.

    losses: by cause [W], the only ones that the formulation has. level: tension of both spans above that of others [N].
    stored: rate of stored energy [W].
    """
    drive = two_wheels(TEETH, 24.0, speed=SPEED, links=links)
    drive = override(drive, {"run.formulation.kind": "block"}) if kind == "block" else drive
    speed = np.array([SPEED, slower * SPEED * TEETH[0] / TEETH[1]])
    out = -TORQUE * speed[1]
    put_in = out + sum(losses.values()) + stored
    rows = TIME.size
    wave = waves * np.sin(SPEED * TIME)[:, None]
    table = {
        "wheel_angle": (("wheel",), "rad", speed * TIME[:, None]),
        "wheel_speed": (("wheel",), "rad/s", np.broadcast_to(speed, (rows, 2)).copy()),
        "wheel_torque": (("wheel",), "N m", np.broadcast_to([put_in / SPEED, TORQUE], (rows, 2)).copy()),
        "span_tension": (("span",), "N", level + np.array([TENSION, TENSION + PULL]) + wave),
        "work_input": ((), "J", put_in * TIME),
        "work_output": ((), "J", out * TIME),
        **{f"work_{key}": ((), "J", power * TIME) for key, power in losses.items()},
        "energy_kinetic": ((), "J", stored * TIME),
        "energy_elastic": ((), "J", 0.0 * TIME),
        "energy_gravity": ((), "J", 0.0 * TIME),
        "energy_residual": ((), "J", 0.0 * TIME),
    }
    channels, offset = [], 0
    for name, (dims, unit, values) in table.items():
        if name not in drop:
            channels.append(Channel(name, dims, unit, name, offset, values.shape[1:]))
            offset += channels[-1].size
    attributes = results.describe(
        drive.to_toml(), {}, name=drive.name, formulation=kind, solver="dormand-prince", offered=list(table)
    )
    notes = {"left_out": list(left_out)} if left_out else {}
    notes |= {} if steady is None else {"steady": steady}
    attributes |= {"status": status, "notes": results.attributes.encode(notes)}
    attributes |= {"statistics": results.attributes.encode({"steps": 100 if kind == "block" else 90000})}
    labels = {"wheel": ("driver", "driven"), "span": drive.span_names}
    kept = {name: table[name][2] for name in table if name not in drop}
    return Solution.from_memory(Layout(tuple(channels), labels), TIME, kept, attributes)


LEFT_OUT = ("inertia of the chain", "weight of the chain", "polygonal action", "contact with teeth")
LESS = {"bearing": 1.0}
MORE = {"bearing": 1.0, "articulation": 2.0, "friction": 0.5}


def row_of(compared, quantity: str, where: str = ""):
    (row,) = [row for row in compared.rows if (row.quantity, row.where) == (quantity, where)]
    return row


def kinds(row) -> list[str]:
    return [reason.kind for reason in row.differences[0].reasons]


def test_a_loss_that_only_another_run_has_is_none_where_it_was_kept():
    """Oil films: two runs with rigid links, one of them without oil; and rollers, which have no such channel."""
    runs = {"oil": made("link", LESS | {"oil_film": 3.0}), "dry": made("link", LESS | {"oil_film": 0.0})}
    (row,) = [row for row in side_by_side(runs | {"roller": made("roller", LESS)}, {}).rows if row.where == "oil films"]
    assert row.values[:2] == (pytest.approx(3.0), 0.0)
    assert math.isnan(row.values[2])
    assert "has no work_oil_film" in row.absent[2]


@pytest.fixture(scope="module")
def compared():
    block = made("block", LESS, left_out=LEFT_OUT)
    roller = made("roller", MORE, level=30.0, waves=20.0)
    own = {"wheels": np.array([50.0]), "a transverse": np.array([9.0])}
    modes = {"block": {"wheels": np.array([60.0])}, "roller": own}
    return side_by_side({"block": block, "roller": roller}, modes)


def test_what_is_the_same_says_by_what(compared):
    assert row_of(compared, "speed, mean", "driver").differences[0].text == "prescribed"
    ratio = row_of(compared, "speed over that of driver", "driven")
    assert ratio.values == pytest.approx((0.5, 0.5))
    assert ratio.differences[0].text == "the same: 16 and 32 teeth"
    apart = row_of(compared, "tension after minus before", "driven")
    assert apart.values == pytest.approx((PULL, PULL), rel=1e-9)
    assert apart.differences[0].text == "the same: balances the torque at driven"
    assert row_of(compared, "output").differences[0].text == "the same"


def test_the_level_of_the_tensions_is_what_the_other_has(compared):
    level = row_of(compared, "tension, mean", "driver - driven")
    assert level.values[1] - level.values[0] == pytest.approx(30.0, abs=0.1)
    assert level.differences[0].relative == pytest.approx(30.0 / 330.0, rel=0.01)
    texts = [reason.text for reason in level.differences[0].reasons]
    assert [text.split(":")[0] for text in texts] == [
        "block neglects the inertia of the chain",
        "block neglects the weight of the chain",
    ]
    assert row_of(compared, "tension, range", "driver - driven").values == pytest.approx((0.0, 40.0), abs=0.01)


def test_losses_account_for_power_torque_and_efficiency(compared):
    for quantity, where in (
        ("input", ""),
        ("total losses", ""),
        ("efficiency", ""),
        ("shaft torque, mean", "driver"),
    ):
        row = row_of(compared, quantity, where)
        assert kinds(row) == ["losses"], quantity
        assert row.differences[0].text == (
            "losses that block does not model: joints of the chain 2 W, friction on teeth 500 mW"
        )
    joint = row_of(compared, "lost in", "joints of the chain")
    assert joint.absent == ("the formulation 'block' has no work_articulation", "")
    assert math.isnan(joint.values[0])
    assert joint.values[1] == pytest.approx(2.0)
    assert row_of(compared, "lost in", "bearings and joints of bodies").differences[0].same


def test_losses_that_do_not_account_for_it_do_not_explain_it():
    block = made("block", {"bearing": 1.0, "link_damping": 0.0}, left_out=LEFT_OUT)
    roller = made("roller", {"bearing": 3.0, "link_damping": 0.0, "articulation": 2.0})  # 2 W more than the joint says
    found = side_by_side({"block": block, "roller": roller})
    assert row_of(found, "input").differences[0].text == "not explained"
    assert row_of(found, "lost in", "bearings and joints of bodies").differences[0].text == "not explained"


def test_an_effect_explains_only_the_side_to_which_it_works():
    lower = side_by_side({"block": made("block", LESS, left_out=LEFT_OUT), "roller": made("roller", LESS, level=-30.0)})
    assert row_of(lower, "tension, mean", "driver - driven").differences[0].text == "not explained"
    turned = side_by_side({"roller": made("roller", LESS, level=30.0), "block": made("block", LESS, left_out=LEFT_OUT)})
    assert kinds(row_of(turned, "tension, mean", "driver - driven")) == ["left out", "left out"]
    both = side_by_side(
        {"a": made("block", LESS, left_out=LEFT_OUT), "b": made("roller", LESS, level=30.0, left_out=LEFT_OUT)}
    )
    assert row_of(both, "tension, mean", "driver - driven").differences[0].text == "not explained"


def test_bushes_that_do_not_turn_on_teeth_explain_less_friction_there_and_no_more():
    for friction, told in ((1.5, ["left out"]), (0.1, [])):
        rubbing = made("link", MORE | {"friction": friction})
        pair = {"roller": made("roller", MORE, left_out=("rotation of bushes on teeth",)), "link": rubbing}
        assert kinds(row_of(side_by_side(pair), "lost in", "friction on teeth")) == told


def test_frequencies_by_part(compared):
    wheels = row_of(compared, "eigenfrequency 1 at rest", "wheels")
    assert wheels.values == (60.0, 50.0)
    assert [r.text.partition(":")[0] for r in wheels.differences[0].reasons] == [
        "block neglects the inertia of the chain"
    ]
    across = row_of(compared, "eigenfrequency 1 at rest", "a transverse")
    assert across.absent[0] == "block has no such mode among those compared"
    assert across.differences[0].text == ""
    none = side_by_side({"block": made("block", LESS), "roller": made("roller", LESS)})
    assert not [row for row in none.rows if row.group == "frequencies"]


def test_a_higher_frequency_with_more_mass_is_not_explained():
    modes = {"block": {"wheels": np.array([50.0])}, "roller": {"wheels": np.array([60.0])}}
    pair = {"block": made("block", LESS, left_out=LEFT_OUT), "roller": made("roller", LESS)}
    found = side_by_side(pair, modes)
    assert row_of(found, "eigenfrequency 1 at rest", "wheels").differences[0].text == "not explained"


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"stored": 5.0}, "is not steady in its window"),
        ({"steady": False}, "was not steady when it ended"),
        ({"status": "INTERRUPTED"}, "did not reach its end (INTERRUPTED)"),
    ],
)
def test_doubts_about_a_run_are_told_and_explain(changes, words):
    block, roller = made("block", LESS), made("roller", LESS, slower=0.9, **changes)
    found = side_by_side({"block": block, "roller": roller})
    assert [words in remark for remark in found.remarks] == [True]
    assert found.remarks[0].startswith("roller: ")
    assert words in row_of(found, "speed, mean", "driven").differences[0].text
    assert not side_by_side({"block": block, "roller": made("roller", LESS)}).remarks


def test_a_channel_that_was_not_kept_and_a_balance_that_is_missing():
    roller = made("roller", LESS, drop=("wheel_torque", "energy_residual"))
    found = side_by_side({"block": made("block", LESS), "roller": roller})
    torque = row_of(found, "shaft torque, mean", "driver")
    assert torque.absent == ("", "the run did not keep wheel_torque (run.save.channels)")
    balance = row_of(found, "energy residual over energy exchanged")
    assert balance.values[0] == pytest.approx(0.0, abs=1e-12)
    assert balance.absent[1] == "channels of work or energy were not kept"
    assert row_of(found, "steps").values == (100.0, 90000.0)
    assert row_of(found, "steps").differences == ()


def test_the_tolerance_is_the_callers():
    pair = {"block": made("block", LESS), "roller": made("roller", LESS, level=30.0)}
    assert not row_of(side_by_side(pair), "tension, mean", "driver - driven").differences[0].same
    assert row_of(side_by_side(pair, tolerance=0.2), "tension, mean", "driver - driven").differences[0].same


def test_three_are_compared_with_the_first():
    third = made("roller", LESS, level=60.0)
    found = side_by_side({"a": made("block", LESS), "b": made("roller", LESS, level=30.0), "c": third})
    relative = [d.relative for d in row_of(found, "tension, mean", "driver - driven").differences]
    assert relative == pytest.approx([30.0 / 330.0, 60.0 / 360.0], rel=0.01)
    assert [name for name in found.dataframe().columns if "difference" in name] == ["b: difference", "c: difference"]


def test_as_a_table(compared):
    frame = compared.dataframe()
    assert list(frame.columns[:6]) == ["group", "quantity", "where", "unit", "block", "roller"]
    assert len(frame) == len(compared.rows)
    line = frame[(frame["quantity"] == "input")].iloc[0]
    assert line["roller"] - line["block"] == pytest.approx(2.5)
    assert "joints of the chain" in line["roller: explained by"]


def test_the_legend_has_every_reason_once(compared):
    assert len(set(compared.legend)) == len(compared.legend)
    row = row_of(compared, "tension, mean", "driver - driven")
    numbers = [int(text.strip("[]")) for text in compared.explanation(row, 1).split(", ")]
    assert [compared.legend[n - 1] for n in numbers] == [reason.text for reason in row.differences[0].reasons]
    joint = row_of(compared, "lost in", "joints of the chain")
    assert compared.legend[int(compared.explanation(joint, 1).strip("[]")) - 1] == joint.absent[0]
    assert compared.explanation(row_of(compared, "output"), 1) == "the same"
    assert compared.explanation(row_of(compared, "steps"), 1) == ""


def test_values_as_they_are_printed(compared):
    assert row_of(compared, "tension, range", "driver - driven").heading == "tension, range [N]"
    rounding = row_of(compared, "output")._replace(values=(1e-14, 2500.0))
    assert (rounding.heading, rounding.texts) == ("output [kW]", ("0.000", "2.500"))
    assert row_of(compared, "steps").texts == ("100", "90 000")
    assert row_of(compared, "lost in", "joints of the chain").texts == ("–", "2.000")
    assert row_of(compared, "efficiency")._replace(values=(0.5, 1e-9)).texts == ("0.500", "1e-09")
    assert row_of(compared, "steps")._replace(values=(1e-5, 0.0)).texts == ("1.0e-05", "0.0e+00")


def test_the_section_of_the_report():
    block, roller = made("block", LESS, left_out=LEFT_OUT), made("roller", MORE, level=30.0, stored=5.0)
    (section,) = formulations_sections([subject_of(block, "B"), subject_of(roller, "R")])
    assert f"B neglects: {', '.join(LEFT_OUT)}." in section.paragraphs
    assert any(text.startswith("R: is not steady in its window") for text in section.paragraphs)
    (table,) = section.tables
    assert [column.heading for column in table.columns[2:5]] == ["B", "R", "R: difference [%]"]
    (line,) = [[cell.text for cell in row] for row in table.rows if row[0].text == "total losses [W]"]
    assert line[2:5] == ["1.000", "3.500", "+71.43"]
    assert all(
        f"[{k}] {text}" in section.paragraphs
        for k, text in enumerate(side_by_side({"B": block, "R": roller}).legend, 1)
    )


@pytest.mark.parametrize("kind", ["block", "roller"])
def test_no_section_for_one_formulation_or_for_other_drives(kind):
    first = subject_of(made("block", LESS), "a")
    second = subject_of(made(kind, LESS, links=74 if kind == "roller" else None), "b")
    assert formulations_sections([first, second]) == ()
    assert formulations_sections([first]) == ()


def test_what_cannot_be_compared():
    block = made("block", LESS)
    with pytest.raises(cd.InputError, match="at least two results are needed"):
        side_by_side({"block": block})
    with pytest.raises(cd.InputError, match="roller: is a result of a different drive"):
        side_by_side({"block": block, "roller": made("roller", LESS, links=74)})


@pytest.mark.parametrize("kind", FORMULATIONS)
def test_what_a_formulation_leaves_out_is_known(kind):
    drive = cd.example("cvt-63") if kind == "cvt" else two_wheels(joint_damping=0.01)
    drive = override(drive, {"run.formulation.kind": kind})
    left_out = compile_system(drive, drive.run.formulation, True).story.notes.get("left_out", [])
    assert set(left_out) <= set(EFFECTS)
    assert bool(left_out) == (kind == "block")


def test_without_gravity_a_chain_without_weight_is_nothing_left_out():
    for gravity, there in (((0.0, 0.0), False), ((0.0, -9.81), True)):
        drive = override(two_wheels(gravity=gravity), {"run.formulation.kind": "block"})
        left_out = compile_system(drive, drive.run.formulation, True).story.notes["left_out"]
        assert ("weight of the chain" in left_out) == there


def test_one_line_says_what_is_left_out():
    text = left_out_text(made("block", LESS, left_out=LEFT_OUT))
    assert text == f"The block neglects: {', '.join(LEFT_OUT)}"
    assert left_out_text(made("roller", LESS)) == ""
