"""A shift of a bicycle: the parts of the drive that follow from it, refused values, and the evaluation of a run."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import chaindrive as cd
from chaindrive.analyses.results.shifting import Shifting, _course
from chaindrive.analyses.results.tiles import Sign, shift_tile
from chaindrive.errors import InputError
from chaindrive.model import loads


def bicycle(**shift: Any) -> cd.Drive:
    return cd.example("bicycle-50x19").replace({"bicycle.shift": shift})


def refusal_of(**changes: Any) -> str:
    with pytest.raises(InputError) as error:
        cd.example("bicycle-50x19").replace({name.replace("__", "."): value for name, value in changes.items()})
    return str(error.value)


# The drive ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("to", "outwards", "cogs"), [(21, -1.0, [21]), (17, 1.0, [17]), (14, 1.0, [17, 15, 14])])
def test_cogs_on_the_way_stand_side_by_side_and_pulleys_move_to_the_last_and_beyond(
    to: int, outwards: float, cogs: list[int]
) -> None:
    drive = bicycle(to=to, start=0.1, duration=0.2, overshift=5e-4, hold=0.3)
    cog, pulleys = drive.wheels[-1], drive.wheels[1:-1]
    assert [each.teeth for each in cog.cogs] == cogs
    offsets = [each.offset for each in cog.cogs]
    np.testing.assert_allclose(offsets, outwards * 3.75e-3 * np.arange(1, len(cogs) + 1), rtol=1e-12)
    for pulley in pulleys:
        motion = pulley.lateral_motion
        assert motion is not None
        np.testing.assert_allclose(motion.times, [0.0, 0.1, 0.3, 0.6, 0.8])
        plane = offsets[-1]
        beyond = plane + outwards * 5e-4
        np.testing.assert_allclose(motion.coordinates, [0.0, 0.0, beyond, beyond, plane])
    assert loads(drive.to_toml()) == drive


def test_pulleys_stay_where_no_hold_is_given_and_may_move_at_once() -> None:
    motion = bicycle(to=21).wheels[1].lateral_motion
    assert motion is not None
    assert motion.times == (0.0, 0.05)
    np.testing.assert_allclose(motion.coordinates, (0.0, -3.75e-3))


def test_what_cannot_be_shifted_is_refused_in_the_terms_of_the_bicycle() -> None:
    told_of_20 = refusal_of(bicycle__shift={"to": 20})
    assert "bicycle.shift.to: cog 20 is not in cassette" in told_of_20
    assert "did you mean 21? (got 20)" in told_of_20  # not 19, on which the chain is already
    assert "bicycle.shift.to: the chain is already on cog 19" in refusal_of(bicycle__shift={"to": 19})
    assert "its teeth would touch those of the pulley" in refusal_of(bicycle__shift={"to": 25})
    far = refusal_of(bicycle__shift={"to": 21, "overshift": 0.03})
    assert "bicycle.shift.to: the pulleys would move to" in far
    assert "beyond the reach of the derailleur" in far
    plane = refusal_of(bicycle__shift={"to": 21}, run__formulation={"kind": "roller"})
    assert plane.count("bicycle.shift: ") == 2
    short = refusal_of(
        bicycle__shift={"to": 21}, bicycle__gear="50x19", chain__links=108, bicycle__derailleur__upper="-74 deg"
    )
    assert "bicycle.shift.to: 50x21 with 108 links: too short by" in short
    with pytest.raises(InputError, match="needs a derailleur"):
        cd.example("single-speed-46x16").replace({"bicycle.cassette": [16, 18], "bicycle.shift": {"to": 18}})


def test_wheels_with_cogs_refuse_what_they_cannot_have() -> None:
    cogs = [{"teeth": 21, "offset": "-3.75 mm"}]
    both = refusal_of(
        wheels__cog__cogs=cogs, wheels__cog__tilt=["1 deg", "0 deg"], wheels__cog__tooth_width_wide="4 mm"
    )
    assert "tilt" in both
    assert "tooth_width_wide" in both
    near = refusal_of(wheels__cog__cogs=[*cogs, {"teeth": 23, "offset": "-4 mm"}])
    assert "wheels.cog.cogs[1].offset: must be at least" in near
    twice = refusal_of(**{"wheels__guide pulley__lateral_motion": {"kind": "move", "by": 1e-3, "duration": 1.0},
                    "wheels__guide pulley__lateral_stiffness": 1e5})  # fmt: skip
    assert "lateral_stiffness or lateral_motion" in twice


def test_gates_are_on_teeth_of_cogs_that_are_there() -> None:
    """All of them are reported at once, each with its place, its value and what is allowed."""
    cogs = [{"teeth": 21, "offset": "-3.75 mm", "gates": [{"tooth": 21}, {"tooth": 0, "teeth": 22}]}]
    wrong = refusal_of(wheels__cog__cogs=cogs, wheels__cog__gates=[{"tooth": 19}])
    assert "wheels.cog.gates[0].tooth: the last tooth is 18 (got 19)" in wrong
    assert "wheels.cog.cogs[0].gates[0].tooth: the last tooth is 20 (got 21)" in wrong
    assert "wheels.cog.cogs[0].gates[1].teeth: there are 21 (got 22)" in wrong
    gates = [{"tooth": 0, "lean": "-2 mm"}, {"tooth": 1, "depth": "4 mm"}]
    wrong = refusal_of(wheels__cog__gates=gates, wheels__cog__cogs=cogs)
    assert "wheels.cog.gates[0].lean: must be within" in wrong
    assert "wheels.cog.gates[1].depth: must be at most 0.00317 m, a quarter of the pitch (got 0.004 m)" in wrong
    assert "are for shifts between cogs" in refusal_of(wheels__cog__gates=[{"tooth": 0}])


# What became of it ----------------------------------------------------------------------------------------------------


def test_a_shift_is_over_when_the_chain_lies_on_the_new_cog_as_far_as_at_the_end() -> None:
    old = [9, 9, 7, 4, 1, 0, 0, 0, 0, 0, 0, 0]
    new = [0, 0, 0, 2, 4, 6, 8, 10, 11, 10, 11, 10]
    assert _course(np.array([old, new], dtype=float).T) == (1, 3, 7)
    assert _course(np.array([new, old], dtype=float).T)[0] == 0
    assert _course(np.array([old[:5], new[:5]], dtype=float).T) == (-1, 3, -1)
    assert _course(np.array([[9, 9, 9], [0, 0, 0]], dtype=float).T) == (0, -1, -1)
    back = np.array([[9, 8, 7, 9, 9], [0, 1, 2, 0, 0]], dtype=float).T
    assert _course(back) == (0, 1, 3)
    flickering = np.array([[9, 5, 0, 0, 0, 0], [0, 2, 6, 0, 0, 6]], dtype=float).T
    assert _course(flickering) == (1, 1, 5)


def test_the_tile_says_when_the_shift_was_complete_or_what_to_do() -> None:
    over = Shifting("cog", (19, 21), (0, 11), 21, 0.1, 0.25, math.radians(200.0), 431.0)
    tile = shift_tile(over)
    assert tile.sign == Sign.GOOD
    assert "on the 21-tooth cog from 250 ms on" in tile.headline
    assert "the shift took 150 ms" in tile.lines[0]
    assert "100 ms; meanwhile cog turned 200 deg; largest tension of a link 431 N" in tile.lines[0]
    for found, words in (
        (over._replace(cog=19, start=math.nan, end=math.nan), "stays on the 19-tooth cog"),
        (over._replace(cog=19), "fell back to the 19-tooth cog"),
        (over._replace(cog=0, end=math.nan), "not complete"),
    ):
        tile = shift_tile(found)
        assert tile.sign == Sign.BEYOND
        assert words in tile.headline
        assert "bicycle.shift.overshift" in tile.lines[-1]
