"""Teeth that obstruct rollers that enter and leave are reported, with suitable alternatives."""

import pytest

from chaindrive.errors import InputError
from chaindrive.mechanism.layout import judge_layout
from chaindrive.mechanism.teeth import obstructions
from chaindrive.model import loads

APRON = """
name = "apron feeder"
loop = "clockwise"
[chain]
pitch = "{pitch} mm"
roller_diameter = "{roller} mm"
pin_diameter = "5 mm"
link_mass = "40 kg"
breaking_load = "1.5 MN"
links = {links}
[contact]
stiffness = "5 GN/m^1.5"
[[wheels]]
name = "head"
teeth = {teeth}
position = [0, 0]
tooth = {{ form = "{form}" }}
motion = {{ kind = "constant_speed", speed = "-0.5 rpm" }}
[[wheels]]
name = "tail"
teeth = {teeth}
position = ["{centres} mm", 0]
inertia = "500 kg*m^2"
tooth = {{ form = "{form}" }}
"""


def feeder(form, pitch=600.0, roller=150.0, teeth=8, links=40, formulation=""):
    text = APRON.format(
        form=form, pitch=pitch, roller=roller, teeth=teeth, links=links, centres=0.5 * (links - teeth) * pitch
    )
    return loads(text + formulation)


def warnings_of(drive):
    return [warning for warning in judge_layout(drive).warnings if "into the path of rollers" in warning]


def test_circular_teeth_of_a_long_pitch_are_told_with_how_far_they_reach_and_what_fits():
    """The corner of the wall lies 6.32 mm too far from the next roller, its rounding adds a little; the force is 215
    MN/m times that.
    """
    (warning,) = warnings_of(feeder("circular"))
    for fact in ("wheels[0].tooth, wheels[1].tooth", "6.59 mm", "1.42 MN", "1.5 MN", "'iso-606'", "'conveyor'"):
        assert fact in warning
    assert obstructions(feeder("circular")) == pytest.approx((6.59e-3, 6.59e-3), abs=0.01e-3)


@pytest.mark.parametrize("form", ["iso-606", "conveyor"])
@pytest.mark.parametrize(("pitch", "roller", "teeth"), [(600.0, 150.0, 8), (250.0, 85.0, 10), (100.0, 36.0, 6)])
def test_teeth_with_flanks_are_not(form, pitch, roller, teeth):
    drive = feeder(form, pitch, roller, teeth)
    assert warnings_of(drive) == []
    assert max(obstructions(drive)) < 0.0


def test_only_forms_that_fit_are_advised():
    """A pitch of 16 rollers: teeth of ISO 606 and ASA cannot be made."""
    (warning,) = warnings_of(feeder("circular", 160.0, 10.0, 8))
    assert "'conveyor'" in warning
    assert "iso-606" not in warning
    assert "asa-ii" not in warning


def test_teeth_that_cannot_be_made_name_a_form_that_can():
    with pytest.raises(InputError) as caught:
        judge_layout(feeder("iso-606", 160.0, 10.0, 8))
    assert [problem.place for problem in caught.value.problems] == ["wheels[0].tooth", "wheels[1].tooth"]
    assert all(problem.message.endswith("tooth.form = 'conveyor' fits") for problem in caught.value.problems)


def test_many_teeth_leave_room_for_rollers_between_walls():
    assert warnings_of(feeder("circular", 60.0, 15.0, 30, links=90)) == []


def test_a_formulation_without_teeth_needs_no_word():
    drive = feeder("circular", formulation='[run]\nformulation = { kind = "block" }\n')
    assert warnings_of(drive) == []
