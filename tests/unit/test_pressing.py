"""Parts that motions press onto each other are refused with the instant, and those that only come close are not."""

from __future__ import annotations

import math

import numpy as np
import pytest
from _rigid_chain_rows import PITCH, TEETH, on_flanks
from scipy.integrate import cumulative_simpson
from scipy.optimize import brentq

import chaindrive as cd
from chaindrive.errors import InputError
from chaindrive.geometry.pressing import RESOLVED, sampled_depth
from chaindrive.mechanism.joint_courses import joint_course
from chaindrive.mechanism.joint_motions import joint_motion
from chaindrive.mechanism.layout import judge_layout
from chaindrive.mechanism.motion import motion_acceleration
from chaindrive.mechanism.pressing import SEATED
from chaindrive.model import override
from chaindrive.model.body import PrismaticHarmonic, PrismaticMove, PrismaticTable

ROOM = 2e-4
"""Distance between the cover and the rollers, as drawn. [m]"""
RADIUS = PITCH / (2.0 * math.sin(math.pi / TEETH))
COUNTED = ROOM + SEATED * PITCH
"""Penetration from which the cover counts as pressing. [m]"""
DOWN = {"kind": "prismatic", "direction": "-90 deg"}
TABLE = {
    "monotone": PrismaticTable(times=(0.1, 0.3, 0.5, 0.6), positions=(0.0, 2e-3, 1e-3, 5e-3)),
    "smooth": PrismaticTable(
        times=(0.1, 0.2, 0.4, 0.5, 0.7), positions=(0.0, 2e-3, 2e-3, -1e-3, 3e-3), interpolation="smooth"
    ),
}


def under_a_cover(*bodies: dict, side: str = "left", **changes) -> cd.Drive:
    """A chain on half a wheel, and a flat cover over it on the last of the bodies, ROOM above the rollers."""
    base = on_flanks(0.0, 0.0)
    height = RADIUS + base.chain.roller_diameter / 2.0 + ROOM
    shape = {"kind": "straight", "start": (-0.01, height), "end": (0.01, height), "side": side}
    cover = {"name": "cover", "shape": shape, "contact": {"stiffness": 1e9, "friction": 0.3}}
    held = {"kind": "constant_speed", "speed": 0.0}
    wheel = {"name": "wheel", "teeth": TEETH, "position": (0.0, 0.0), "inertia": 0.01, "motion": held, "mass": 1.0}
    given = {
        "name": "under a cover",
        "loop": "clockwise",
        "chain": base.chain,
        "contact": {"stiffness": 1e10, "friction": 0.3},
        "wheels": [wheel | {"tooth": {"form": "iso-606"}}],
        "bodies": [{"mass": 1.0, "inertia": 1.0} | body for body in bodies],
        "guides": [cover | ({"body": bodies[-1]["name"]} if bodies else {})],
        "run": base.run.model_copy(update={"start": "as_placed", "until": 0.03}),
    }
    return cd.Drive(**(given | changes))


def press(motion: dict, **changes) -> cd.Drive:
    """Move the cover down as prescribed."""
    return under_a_cover({"name": "press", "joint": DOWN | {"motion": motion}}, **changes)


def instants(drive: cd.Drive) -> tuple[float, float]:
    """Times at which the only problem begins and is worst, in ms, from its text."""
    (problem,) = judge_layout(drive).problems
    assert problem.place == "guides[0]"
    words = problem.message.split("(at ")[1].split(" on)")[0]
    worst, since = words.split(", from ")
    scale = {"s": 1e3, "ms": 1.0}
    return tuple(float(each.split()[0]) * scale[each.split()[1]] for each in (since, worst))


# ---- courses of joints


@pytest.mark.parametrize(
    "motion",
    [
        PrismaticMove(by=-3e-3, start=0.1, duration=0.4),
        PrismaticHarmonic(amplitude=2e-3, frequency=4.0, phase=0.7, start=0.15, fade_in=0.3),
        pytest.param(PrismaticHarmonic(amplitude=2e-3, frequency=4.0), marks=pytest.mark.long),
        *TABLE.values(),
    ],
)
def test_courses_are_the_integrals_of_what_runs_integrate(motion):
    packed, course = joint_motion(motion), joint_course(motion)
    times = np.linspace(0.0, 1.0, 20_001)
    a = np.array([motion_acceleration(packed.kind, t, 0.0, packed.row, packed.table, 0) for t in times])
    speed = cumulative_simpson(a, x=times, initial=0.0)
    np.testing.assert_allclose(course.coordinate(times), cumulative_simpson(speed, x=times, initial=0.0), atol=1e-7)
    gone = np.abs(np.diff(course.coordinate(times))).cumsum()
    way = course.way(times)
    assert (np.diff(way) >= np.abs(np.diff(course.coordinate(times))) - 1e-15).all()
    assert way[-1] - way[0] <= (1.0 + 1e-9) * gone[-1] if motion.kind != "harmonic" else way[-1] < 2.0 * gone[-1]
    assert course.largest >= np.abs(course.coordinate(times)).max() - 1e-12


def test_a_depth_between_the_instants_is_found():
    """A dip of a millisecond within a hundred seconds; the surfaces otherwise rest."""

    def way(t):
        return 2e-3 * np.clip((t - 77.7) / 1e-3, 0.0, 1.0)

    def depth(t):
        return way(t) * (t < 77.7005) + (2e-3 - way(t)) * (t >= 77.7005) - 0.5e-3

    times, found = sampled_depth(depth, way, np.linspace(0.0, 100.0, 5), 1e-4)
    first = times[np.argmax(found > 1e-4)]
    assert 77.7003 <= first <= 77.7003 + RESOLVED * 1e-4 / 2.0
    assert found.max() == pytest.approx(0.5e-3, rel=0.02)
    assert times.size < 100


# ---- drives


def test_a_cover_that_moves_down():
    """x with 10 x^3 - 15 x^4 + 6 x^5 = way / 1 mm; it ends 0.8 mm in the rollers."""
    drive = press({"kind": "move", "by": 1e-3, "start": 5e-3, "duration": 20e-3})
    x = brentq(lambda x: x**3 * (10.0 - 15.0 * x + 6.0 * x * x) - COUNTED / 1e-3, 0.0, 1.0)
    assert instants(drive) == pytest.approx((5.0 + 20.0 * x, 25.0), rel=1e-2)
    (problem,) = judge_layout(drive).problems
    assert "800 µm" in problem.message
    assert "'press'" in problem.message
    assert "compliant" in problem.message
    assert judge_layout(override(drive, {"run.until": 5e-3 + 19e-3 * x})).problems == ()
    with pytest.raises(InputError, match="'cover' presses the rollers"):
        cd.simulate(drive, progress=False)
    assert judge_layout(override(drive, {"run.formulation.contacts": "compliant"})).problems == ()


def test_a_table_with_a_short_dip():
    """0.5 mm down and up again within 4 ms of 100 s."""
    table = {"kind": "table", "times": (0.0, 40.0, 40.002, 40.004, 100.0), "positions": (0.0, 0.0, 5e-4, 0.0, 0.0)}
    since, worst = instants(press(table, run=on_flanks(0.0, 0.0).run.model_copy(update={"until": 100.0})))
    x = brentq(lambda x: x**3 * (10.0 - 15.0 * x + 6.0 * x * x) - COUNTED / 5e-4, 0.0, 1.0)
    assert since == pytest.approx(4e4 + 2.0 * x, abs=0.1)
    assert worst == pytest.approx(40002.0, abs=0.1)


def test_a_wheel_that_swings_against_a_cover():
    """On an arm of 100 mm, by 0.01 rad at 5 Hz: at the top of a swing it is 1 mm higher."""
    swing = {"kind": "harmonic", "amplitude": 0.01, "frequency": 5.0, "start": 0.05, "fade_in": 0.2}
    joint = {"kind": "revolute", "position": (-0.1, 0.0), "motion": swing}
    drive = under_a_cover(
        {"name": "arm", "joint": joint}, run=on_flanks(0.0, 0.0).run.model_copy(update={"until": 9e3})
    )
    wheel = drive.wheels[0].model_copy(update={"body": "arm"})
    guide = drive.guides[0].model_copy(update={"body": "ground"})
    drive = override(drive, {"wheels": [wheel], "guides": [guide]})
    course = joint_course(drive.bodies[0].joint.motion)
    times = np.linspace(0.0, 0.45, 100_001)
    height = 0.1 * np.sin(course.coordinate(times))
    first = times[np.argmax(height > COUNTED)]
    since, worst = instants(drive)
    assert since == pytest.approx(1e3 * first, abs=0.1)
    assert np.interp(worst / 1e3 % 0.2 + 0.2, times, height) == pytest.approx(1e-3, rel=0.02)


def test_a_guide_that_moves_onto_another_one():
    """Two rails on either side of a span: one turns about an end, and closes the channel at the other one."""
    drive = channel({"kind": "move", "by": "2 deg", "duration": 0.01})
    (problem,) = judge_layout(drive).problems
    assert problem.place == "guides[1]"
    assert "too close" in problem.message
    assert "'lever'" in problem.message
    assert judge_layout(channel({"kind": "move", "by": "0.4 deg", "duration": 0.01})).problems == ()
    assert judge_layout(channel({"kind": "move", "by": "-5 deg", "duration": 0.01})).problems == ()


def channel(motion: dict) -> cd.Drive:
    """Two wheels, and two rails of 100 mm along their first span, 1 mm wider apart than the rollers."""
    base = on_flanks(0.0, 0.0).chain
    apart = base.roller_diameter / 2.0 + 0.5e-3
    along = {"kind": "on_span", "span": 0, "length": 0.1, "indentation": -0.5e-3}
    rails = [{"name": f"{side} rail", "shape": along | {"side": side}} for side in ("left", "right")]
    alike = {"teeth": 20, "inertia": 0.01, "tooth": {"form": "iso-606"}}
    wheels = [alike | {"name": name, "position": (x, 0.0)} for name, x in (("one", 0.0), ("two", 0.5))]
    top = PITCH / (2.0 * math.sin(math.pi / 20)) + apart
    lever = {"kind": "revolute", "position": (0.2, -top), "motion": motion}
    return cd.Drive(
        name="channel",
        chain=base.model_copy(update={"ends": None, "links": 100}),
        contact={"stiffness": 1e10},
        wheels=[wheels[0] | {"motion": {"kind": "constant_speed", "speed": 10.0}}, wheels[1]],
        bodies=[{"name": "lever", "mass": 1.0, "inertia": 1.0, "joint": lever}],
        guides=[
            rail | {"body": body, "contact": {"stiffness": 1e9}}
            for rail, body in zip(rails, ("ground", "lever"), strict=True)
        ],
        run={"until": 0.1, "formulation": {"kind": "roller", "contacts": "rigid"}},
    )


def test_wheels_that_close_on_each_other():
    """An idler on the back of the span that leaves a wheel comes down until the chain has no space between the two."""
    drive = channel({"kind": "move", "by": "0 deg", "duration": 0.01})
    reach = PITCH / math.sin(math.pi / 20)
    for overlap in (1e-3, -1e-3):
        table = {"kind": "table", "times": (0, 1), "positions": (0, 0.1 - reach + overlap)}
        slide = {"kind": "prismatic", "direction": -math.atan(0.75), "motion": table}
        body = {"name": "slide", "mass": 1.0, "inertia": 1.0, "joint": slide}
        idler = {"name": "idler", "teeth": 20, "inertia": 0.01, "mass": 1.0, "body": "slide", "side": "back"}
        idler |= {"position": (0.42, 0.06), "tooth": {"form": "iso-606"}}
        given = override(drive, {"bodies": [body], "guides": [], "wheels": [*drive.wheels, idler], "run.until": 2.0})
        problems = [each for each in judge_layout(given).problems if "teeth of both" in each.message]
        assert len(problems) == (overlap > 0.0)
        assert judge_layout(override(given, {"bodies.0.joint.motion.positions": (0.0, -0.01)})).problems == ()


def test_what_may_give_way_or_is_not_known_is_left_to_the_run():
    move = {"kind": "move", "by": 1e-3, "duration": 20e-3}
    moved = {"name": "press", "joint": DOWN | {"motion": move}}
    free = {"name": "spring", "parent": "press", "joint": DOWN | {"stiffness": 1e5}}
    assert judge_layout(under_a_cover(moved, free)).problems == ()
    assert judge_layout(press({"kind": "input"})).problems == ()
    near = press(move | {"by": ROOM + 0.9 * SEATED * PITCH})
    assert judge_layout(near).problems == ()
    assert judge_layout(override(near, {"bodies.0.joint.motion.by": 1.1 * COUNTED})).problems
    away = press(move | {"by": -5e-3})
    assert judge_layout(away).problems == ()


def test_bodies_on_bodies_add_their_motions():
    """Each moves half of the distance; a body that carries both wheel and cover has no effect."""
    half = {"kind": "move", "by": 0.6 * COUNTED, "duration": 20e-3}
    first = {"name": "first", "joint": DOWN | {"motion": half}}
    second = {"name": "press", "parent": "first", "joint": DOWN | {"motion": half}}
    assert judge_layout(under_a_cover(first, second)).problems
    assert judge_layout(under_a_cover(first)).problems == ()
    both = under_a_cover({"name": "frame", "joint": DOWN | {"motion": half | {"by": 0.1}}})
    carried = both.wheels[0].model_copy(update={"body": "frame"})
    assert judge_layout(override(both, {"wheels": [carried]})).problems == ()
