"""The tooth gaps of a drive: their faults are reported by wheel, all at once, and none overwrites another's rows."""

from __future__ import annotations

import numpy as np
import pytest

from chaindrive.drawing.scene import scene_of
from chaindrive.errors import InputError
from chaindrive.formulations import compile_system
from chaindrive.geometry.profile import table
from chaindrive.geometry.tooth_forms import TOOTH_FORMS, tooth_profile
from chaindrive.mechanism.teeth import tooth_gap, tooth_gaps
from support.small_drives import two_wheels

LOW = {"form": "rectangular", "clearance": 2e-4, "height": 1e-4}


def compiled(drive):
    return compile_system(drive, drive.run.formulation, False)


def test_every_wheel_has_its_own_rows():
    """The longest profile before the shortest one."""
    drive = two_wheels((17, 13), 9.4, first={"tooth": {"form": "asa-ii"}}, second={"tooth": {"form": "circular"}})
    p = compiled(drive).parameters
    for w, gap in enumerate(tooth_gaps(drive)):
        first, end = p.planar.surface.profile[w], p.planar.surface.profile_end[w]
        rows = p.planar.profile[first:end]
        assert not rows[len(gap.elements) :].any()
        np.testing.assert_array_equal(rows[: len(gap.elements)], table(gap))
    assert p.planar.surface.profile_end[0] == p.planar.surface.profile[1]


def test_a_profile_that_is_too_long_is_refused_by_wheel(monkeypatch):
    """Such a profile was silently cut off, or written over the first row of the next wheel."""

    def seat_in_two(teeth, pitch, roller_diameter):
        gap = tooth_profile("asa-ii", teeth, pitch, roller_diameter)
        seat = gap.elements[0]
        middle = 0.5 * (seat.start_angle + seat.end_angle)
        halves = seat._replace(end_angle=middle), seat._replace(start_angle=middle)
        return gap._replace(elements=(*halves, *gap.elements[1:]))

    drive = two_wheels((17, 13), 9.4, first={"tooth": {"form": "circular"}})
    monkeypatch.setattr("chaindrive.geometry.tooth_forms.TOOTH_FORMS", {**TOOTH_FORMS, "circular": seat_in_two})
    with pytest.raises(InputError) as caught:
        compiled(drive)
    (problem,) = caught.value.problems
    assert problem.place == "wheels[0].tooth.form"
    assert problem.message.startswith("wheel 'driver': half of its gap may have at most 6 arcs and lines, not 7")
    assert problem.value == "circular"


@pytest.mark.parametrize("of_drive", [tooth_gaps, scene_of, compiled])
def test_all_wheels_whose_teeth_cannot_be_made_are_named(of_drive):
    drive = two_wheels((17, 13), 9.4, tooth=LOW)
    with pytest.raises(InputError) as caught:
        of_drive(drive)
    found = {problem.place: problem for problem in caught.value.problems}
    assert set(found) == {"wheels[0].tooth.height", "wheels[1].tooth.height"}
    assert found["wheels[0].tooth.height"].message.startswith("wheel 'driver': ")
    assert found["wheels[1].tooth.height"].message.startswith("wheel 'driven': ")
    assert found["wheels[1].tooth.height"].value == "0.0001"


def test_sizes_are_told_where_no_field_is_wrong():
    """Rollers of 0.37 pitches on 13 teeth of asa-ii: the flanks end before the middle of the tooth."""
    drive = two_wheels((17, 13), 9.4, first={"tooth": {"form": "circular"}}, roller_diameter=0.0043)
    tooth_gap(drive, 0)
    with pytest.raises(InputError) as caught:
        tooth_gap(drive, 1)
    (problem,) = caught.value.problems
    assert problem.place == "wheels[1].tooth"
    assert "wheel 'driven': " in problem.message
    assert "too small for the pitch" in problem.message
    assert problem.value == "13 teeth, rollers of 0.0043 m, a pitch of 0.0127 m"
