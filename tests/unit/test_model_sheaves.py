"""The description of a variator: derived values, refusals, and the output of ``check``."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import chaindrive as cd
from chaindrive.cli.main import main
from chaindrive.errors import InputError
from chaindrive.formulations import compile_system
from chaindrive.geometry.variator import second_radius
from chaindrive.mechanism.facts import drive_facts
from chaindrive.mechanism.variator import clampings, loop_of
from chaindrive.model import Drive, loads, override
from chaindrive.model.study.files import load_study, study_path


def variator(**changes: Any) -> Drive:
    return override(cd.example("cvt-63"), changes) if changes else cd.example("cvt-63")


def problems(**changes: Any) -> dict[str, str]:
    """Places and messages of refused values."""
    with pytest.raises(InputError) as error:
        variator(**{name.replace("__", "."): value for name, value in changes.items()})
    return {problem.place: problem.message for problem in error.value.problems}


def test_the_sheaves_are_the_wheels_of_the_drive():
    drive = variator()
    assert [wheel.name for wheel in drive.wheels] == ["primary", "secondary"]
    assert drive.wheels[1].load_torque == 100.0
    facts, loop = drive_facts(drive), loop_of(drive)
    second = second_radius(0.0495, 0.155, 9.85e-3, 63)
    np.testing.assert_allclose(facts.pitch_radii, [0.0495, second], rtol=1e-12)
    assert loop.radii == pytest.approx((0.0495, second), rel=1e-12)
    assert drive.span_names == ("primary - secondary", "secondary - primary")
    assert facts.driver == 0
    assert facts.senses.tolist() == [1, 1]


def test_the_second_radius_follows_from_the_first_or_the_first_from_the_second():
    other = override(
        variator(), {"sheaves.primary.running_radius": None, "sheaves.secondary.running_radius": "40.4 mm"}
    )
    first, second = loop_of(other).radii
    assert second == pytest.approx(0.0404)
    assert second_radius(first, 0.155, 9.85e-3, 63) == pytest.approx(second)


def test_its_file_gives_the_same_drive():
    for drive in (variator(), override(variator(), {"chain.elongation": [1e-3] * 31 + [-1e-3] * 32})):
        again = loads(drive.to_toml())
        assert again == drive
        assert again.wheels == drive.wheels
        assert "[[wheels]]" not in drive.to_toml()
        assert "[contact]" not in drive.to_toml()


def test_mixed_pitch():
    # In turn along the chain, whose last links may be no whole turn of them; the pitch is their mean.
    drive = variator(**{"chain.pitch": None, "chain.pitches": ["10.2 mm", "9.4 mm"]})
    chain = drive.chain
    assert chain.lengths == pytest.approx([0.0102, 0.0094] * 31 + [0.0102], rel=1e-12)
    assert chain.pitch == pytest.approx((32 * 0.0102 + 31 * 0.0094) / 63, rel=1e-12)
    assert chain.mean_pitch == pytest.approx(chain.pitch, rel=1e-12)
    assert chain.sources["pitch"] == "mean of pitches"
    again = loads(drive.to_toml())
    assert again == drive
    assert "\npitch =" not in drive.to_toml()
    radii = loop_of(drive).radii
    assert radii[1] == pytest.approx(second_radius(radii[0], 0.155, chain.lengths, 63), rel=1e-12)
    worn = override(drive, {"chain.elongation": 0.01})
    assert worn.chain.lengths == pytest.approx(np.array(chain.lengths) + 0.01 * chain.pitch, rel=1e-12)


def test_inertia_of_a_link():
    chain = variator().chain
    assert chain.link_inertia == pytest.approx(0.012 * 9.85e-3**2 * (1.4**2 + 1.1**2) / 12.0)
    assert "plate" in chain.sources["link_inertia"]
    assert "\nlink_inertia" not in variator().to_toml()  # but a comment


def test_clamping_forces_and_the_slip_limit():
    # M = 2 mu S R / cos(beta)
    primary, secondary = clampings(variator())
    radius = loop_of(variator()).radii[1]
    most = 2.0 * 0.09 * 20e3 * radius / math.cos(math.radians(11.0))
    assert secondary.largest_torque == pytest.approx(most, rel=1e-12)
    assert secondary.needed == pytest.approx(20e3 * 100.0 / most, rel=1e-12)
    assert primary.needed == secondary.needed  # the same pull at both radii
    assert primary.force is None
    system = compile_system(variator(), variator().run.formulation, True)
    assert not system.story.warnings
    weak = override(variator(), {"sheaves.secondary.clamping_force": "5 kN"})
    (warning,) = compile_system(weak, weak.run.formulation, True).story.warnings
    assert "below the slip limit" in warning
    assert "11 kN are needed" in warning


def test_the_study_of_the_thrust_ratio_has_one_slip_limit():
    study = load_study(study_path("cvt-63-thrust-ratio"))
    limit = clampings(variator())[1].largest_torque
    for curve in study.curves:
        clamped = variator(**study.set, **curve.set)
        assert clampings(clamped)[1].largest_torque == pytest.approx(limit, rel=1e-3)
    (parameter,) = study.parameters
    (loads_of_steps,) = parameter.also.values()
    np.testing.assert_allclose(loads_of_steps, np.array(parameter.points()) * limit, rtol=1e-3)


def test_a_ratio_out_of_reach():
    found = problems(sheaves__primary__running_radius="76 mm")
    assert "ratio out of reach" in found["sheaves[0].running_radius"]
    assert "does not close" in problems(sheaves__primary__running_radius="120 mm")["sheaves[0].running_radius"]
    shifted = problems(sheaves__primary__shift={"running_radius": "76 mm", "duration": "1 s"})
    assert "ratio out of reach" in shifted["sheaves[0].shift.running_radius"]


def test_a_chain_that_does_not_close():
    assert "too long" in problems(chain__links=120)["sheaves[0].running_radius"]
    assert "too short" in problems(chain__links=40)["sheaves[0].running_radius"]


def test_sheaves_that_would_touch():
    assert "would touch" in problems(sheaves__primary__outer_radius="90 mm")["sheaves[1].position"]
    assert "would touch at their inner radius" in problems(chain__pins__length="5 mm")["chain.pins.length"]


def test_pins_longer_than_the_groove():
    assert "too long for the groove" in problems(sheaves__primary__opening="12 mm")["sheaves[0].opening"]
    variator(**{"sheaves.primary.opening": "20 mm"})


def test_what_has_no_meaning_is_named_all_at_once():
    text = cd.example("cvt-63").to_toml()
    text += '\n[contact]\nstiffness = 1.0\n\n[preload]\ntension = 5.0\n\n[[guides]]\nname = "rail"\n'
    text = text.replace("[chain]\n", '[chain]\njoint_friction = 0.1\nstandard = "08B-1"\n')
    with pytest.raises(InputError) as error:
        loads(text)
    places = {problem.place for problem in error.value.problems}
    assert {"contact", "preload", "guides", "chain.joint_friction", "chain.standard"} <= places


@pytest.mark.parametrize(
    ("changes", "place", "words"),
    [
        ({"run__formulation__kind": "roller"}, "run.formulation.kind", "needs 'cvt'"),
        ({"loop": "clockwise"}, "loop", "negative speed"),
        ({"run__quasi_static": 2.0}, "run.quasi_static", "no meaning"),
        ({"chain__kind": "roller"}, "chain.kind", "must be 'rocker-pin'"),
        ({"chain__pins": None}, "chain.pins", "is missing"),
        ({"sheaves__secondary__clamping_force": None}, "sheaves[1].clamping_force", "is missing"),
        ({"sheaves__secondary__running_radius": 0.0495}, "sheaves[0].running_radius", "for both pairs"),
        ({"sheaves__primary__running_radius": None}, "sheaves[0].running_radius", "is missing"),
        ({"sheaves__secondary__inertia": None}, "sheaves[1].inertia", "is missing"),
        ({"sheaves__secondary__inertia": 4e-4}, "sheaves[1].inertia", "less than that of the chain on the sheaves"),
        ({"sheaves__secondary__name": "primary"}, "sheaves[1].name", "must be unique"),
        ({"sheaves__primary__motion": None, "sheaves__primary__inertia": 1.0}, "sheaves", "nothing drives"),
        ({"sheaves__secondary__initial_speed": 3.0}, "sheaves[1].initial_speed", "does not apply"),
        (
            {"sheaves__secondary__shift": {"running_radius": 0.05, "duration": 1.0}},
            "sheaves[1].shift",
            "contradicts clamping_force",
        ),
        (
            {"sheaves__secondary__motion": {"kind": "constant_speed", "speed": 1.0}},
            "sheaves[1].motion",
            "only one pair",
        ),
        ({"sheaves__primary__inner_radius": 0.08}, "sheaves[0].outer_radius", "must be larger"),
        ({"chain__pitches": ["9 mm", "10 mm"]}, "chain.pitch", "contradicts pitches"),
        (
            {"chain__pitch": None, "chain__pitches": ["9 mm"] * 64},
            "chain.pitches",
            "at most one value for each link: 63",
        ),
        ({"chain__pitch": None, "chain__pitches": "9 mm"}, "chain.pitches", "must be a list"),
        ({"chain__pitch": None, "chain__pitches": ["9 mm", 0.0]}, "chain.pitches", "[1] must be a length above 0"),
        ({"chain__elongation": [0.01] * 5}, "chain.elongation", "one for each link: 63, not 5"),
        ({"chain__link_inertia": 9e-8}, "chain.link_inertia", "less than that of a thin rod"),
        ({"run__formulation__joint": "revolute"}, "run.formulation.joint", "needs links = 'rigid'"),
        ({"run__formulation__links": "soft"}, "run.formulation.links", "'points' or 'rigid'"),
        (
            {"sheaves__primary__deformation": {"variation": 1e-3}},
            "sheaves[0].deformation",
            "contradicts tilt_stiffness",
        ),
        ({"sheaves__primary__deformation": {"variation": 0.1}}, "sheaves[0].deformation.variation", "at most"),
        ({"chain__pins__half_angle": "80 deg"}, "chain.pins.half_angle", "at most"),
        ({"chain__plates__rows": "ABBC"}, "chain.plates.rows", "A on both sides of the middle"),
        ({"chain__plates__rows": "AAAA"}, "chain.plates.rows", "at least two different letters"),
        ({"chain__plates__rows": "ACCA"}, "chain.plates.rows", "from A on"),
        ({"chain__plates__row_pitch": "2 mm"}, "chain.plates.row_pitch", "25 rows are 0.048 m wide"),
        ({"chain__plates__bending_stiffness": 0}, "chain.plates.bending_stiffness", "above 0"),
        ({"chain__links": 64}, "chain.links", "multiple of 3"),
    ],
)
def test_refusals(changes, place, words):
    assert words in problems(**changes)[place]


def test_parts_of_a_variator_without_sheaves():
    drive = cd.example("industrial-08b")
    with pytest.raises(InputError, match="is for a rocker-pin chain between conical sheaves"):
        override(drive, {"run.formulation.kind": "cvt"})
    with pytest.raises(InputError, match="runs between conical sheaves"):
        override(drive, {"chain.kind": "rocker-pin"})
    pins = {"length": 0.024, "half_angle": 0.19, "friction": 0.1, "stiffness": 1e8}
    with pytest.raises(InputError, match="are for kind = 'rocker-pin'"):
        override(drive, {"chain.pins": pins})
    for name, value in (("pitches", [0.0127, 0.0126]), ("link_inertia", 1e-6)):
        with pytest.raises(InputError, match="for kind = 'rocker-pin': omit"):
            override(drive, {f"chain.{name}": value})
    plates = cd.example("cvt-63").chain.plates
    with pytest.raises(InputError, match="are for kind = 'rocker-pin'"):
        override(drive, {"chain.plates": plates.model_dump()})


def test_one_pair_is_no_variator():
    fields = cd.example("cvt-63").to_dict()
    with pytest.raises(InputError, match="must be two"):
        Drive.from_dict(fields | {"sheaves": fields["sheaves"][:1]})


def test_it_can_be_driven_by_a_motor_and_run_clockwise():
    drive = variator(
        **{
            "sheaves.primary.motion": None,
            "sheaves.primary.inertia": "0.05 kg*m^2",
            "sheaves.primary.torque": {"kind": "dc_motor", "no_load_speed": "-2100 rpm", "stall_torque": "1 kN*m"},
            "sheaves.primary.initial_speed": "-1900 rpm",
            "run.until": 0.02,
        }
    )
    solution = cd.simulate(drive)
    speeds = solution.values("wheel_speed")
    assert (speeds < 0.0).all()
    assert solution.values("motor_torque")[-1, 0] < 0.0  # it drives clockwise
    assert not solution.warnings


def test_check_prints_the_ratio_and_the_slip_limit(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit, match="0"):
        main(["check", "cvt-63"])
    said = capsys.readouterr().out
    for words in ("Ratio 1.0003", "running radius", "slips above", "181.6", "11.014", "15.7", "243.5 MN/m", "Drawn"):
        assert words in said
    assert (tmp_path / "cvt-63.png").is_file()
    mixed = variator(**{"chain.pitch": None, "chain.pitches": ["10.2 mm", "9.4 mm", "9.95 mm"]})
    (tmp_path / "mixed.toml").write_text(mixed.to_toml(), encoding="utf-8")
    with pytest.raises(SystemExit, match="0"):
        main(["check", "mixed.toml", "--no-draw"])
    assert "9.4 mm to 10.2 mm" in capsys.readouterr().out
    with pytest.raises(SystemExit, match="1"):
        main(["analyze", "cvt-63"])
    assert "no analytical checks" in capsys.readouterr().err


def test_a_run_that_continues_from_the_end_of_another():
    drive = variator()
    whole = cd.simulate(drive, until=0.02)
    again = cd.simulate(drive, until=0.01, initial=cd.simulate(drive, until=0.01))
    np.testing.assert_allclose(again.values("wheel_speed")[-1], whole.values("wheel_speed")[-1], rtol=2e-3)
    assert again.values("work_input")[0] == 0.0
    with pytest.raises(InputError, match="with different links or running radii"):
        cd.simulate(override(drive, {"chain.links": 62, "chain.plates": None}), until=0.01, initial=whole)
    rigid = override(drive, {"run.formulation.links": "rigid"})
    with pytest.raises(InputError, match="different coordinates"):
        cd.simulate(rigid, until=0.01, initial=whole)
    begun = cd.simulate(rigid, until=0.01)
    again = cd.simulate(rigid, until=0.01, initial=begun)
    np.testing.assert_allclose(again.values("wheel_speed")[-1], whole.values("wheel_speed")[-1], rtol=2e-3)


def test_clamping_below_the_slip_limit_ends_with_its_reason():
    solution = cd.simulate(variator(**{"sheaves.secondary.clamping_force": "8 kN"}), until=0.5)
    assert solution.status.name == "CHAIN_SLIPS"
    assert "secondary" in solution.status.where
    assert "below the slip limit" in " ".join(solution.warnings)
