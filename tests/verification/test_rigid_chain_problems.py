"""Chains with rigid contacts against closed-form solutions, also the source of docs/validation/rigid-chains.md."""

from __future__ import annotations

import math

import numpy as np
import pytest
from _rigid_chain_rows import CARRIED, FLANK, METHODS, PITCH, PLAY, ROWS, TEETH, G, drag_conveyor, on_flanks

import chaindrive as cd
from chaindrive.contract.rigid import MOST_DENSE
from chaindrive.errors import InputError
from chaindrive.formulations import compile_system
from chaindrive.mechanism import layout
from chaindrive.mechanism.layout import judge_layout
from chaindrive.model import override
from chaindrive.solvers import Integrator, SolverSettings


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("problem", ROWS)
def test_numbers_of_the_page(problem: str, method: str) -> None:
    for row in ROWS[problem](method):
        assert row.kept, row


def test_a_conveyor_that_sticks_does_not_move() -> None:
    """The carriage rests until its chain pulls with static friction; with sliding friction alone it would have
    moved.
    """
    held = cd.simulate(override(drag_conveyor(), {"run.until": 0.1}), progress=False)
    x = held.values("roller_position")[:, -1, 0]
    slips = np.argmax(held.values("link_tension")[:, 0] > 0.29 * CARRIED * G)
    assert slips > 10
    assert np.ptp(x[:slips]) < 1e-7  # results have single precision
    assert np.ptp(x) > 1e-5
    easier = override(drag_conveyor(), {"run.until": 0.1, "guides.0.contact.static_friction": 0.2})
    assert np.ptp(cd.simulate(easier, progress=False).values("roller_position")[:slips, -1, 0]) > 1e-6


def test_more_contacts_than_a_matrix_holds() -> None:
    """200 rollers on one rail: each carries its weight, the last one the carriage."""
    run = cd.simulate(override(drag_conveyor(200), {"run.until": 0.01}), progress=False)
    chain, force = run.drive.chain, run.values("contact_force")[-1]
    assert np.count_nonzero(force) > MOST_DENSE
    np.testing.assert_allclose(force[1:-1], chain.link_mass * G, rtol=1e-3)
    assert force[-1] == pytest.approx((CARRIED + 0.5 * chain.link_mass) * G, rel=1e-4)


@pytest.mark.parametrize("method", METHODS)
def test_a_roller_falls_into_a_gap_and_comes_to_rest(method: str) -> None:
    """It falls on a flank, slides back and forth with friction, and stays at the bottom, on the pitch circle.

    Links that pull with nothing leave every roller alone. Down the flank it slides with g (sin - mu cos); energy never
    grows, and losses occur in contacts.
    """
    friction, steep = 0.3, 0.5 * math.pi - FLANK
    chain = on_flanks(1.0, 1.0).chain.model_copy(update={"link_stiffness": 1e-9, "link_damping": 0.0})
    contact = {"stiffness": 1e10, "friction": friction}
    drive = on_flanks(0.0, 0.0, chain=chain, gravity=(0.0, -G), contact=contact)
    system = compile_system(drive, drive.run.formulation, True)
    n, radius = system.parameters.links, PITCH / (2.0 * math.sin(math.pi / TEETH))
    top = int(np.argmax(system.state[n : 2 * n]))  # over a gap that looks up
    system.state[top], system.state[n + top] = 0.4e-3, radius + 0.8e-3
    run = Integrator(system, SolverSettings(method=method, step=1e-5), 1e-4)
    run.advance(0.1)
    time, rows = run.take_rows()[:2]
    x, y = system.channel("roller_position").read(rows)[:, top].T
    down = slice(np.argmax(x < 0.36e-3), np.argmax(x < 0.1e-3))
    twice = np.polyfit(time[down], np.hypot(x, y - radius)[down], 2)[0]
    assert -2.0 * twice == pytest.approx(G * (math.sin(steep) - friction * math.cos(steep)), rel=1e-3)
    kept = sum(system.channel(f"energy_{kind}").read(rows) for kind in ("kinetic", "gravity"))
    kept = kept - system.channel("work_input").read(rows)  # of the loads on the ends
    lost = sum(system.channel(f"work_{account}").read(rows) for account in ("contact", "friction"))
    assert np.diff(kept).max() < 1e-12
    left = 1e-12 if method == METHODS[0] else 2e-5 * lost[-1]  # iteration ends within a part of the tolerance
    np.testing.assert_allclose(kept[0] - kept, lost, rtol=0.0, atol=left)
    assert abs(x[-1]) <= PLAY
    assert y[-1] == pytest.approx(radius, abs=2.0 * PLAY)
    assert np.ptp(y[-50:]) < 1e-12
    assert np.hypot(*run.state[system.positions + np.array([top, n + top])]) < 1e-9


def under_a_cover(room: float, moves: bool = False) -> cd.Drive:
    """A chain on half a wheel, and a flat cover over it with a clearance for the rollers [m], which may come down."""
    base = on_flanks(0.0, 0.0)
    radius = PITCH / (2.0 * math.sin(math.pi / TEETH))
    height = radius + base.chain.roller_diameter / 2.0 + room
    shape = {"kind": "straight", "start": (-0.01, height), "end": (0.01, height), "side": "left"}
    move = {"kind": "move", "by": 1e-3, "start": 0.0, "duration": 0.02}
    press = {"name": "press", "mass": 1.0, "inertia": 1.0, "centre_of_mass": (0.0, 0.1)}
    press |= {"joint": {"kind": "prismatic", "direction": "-90 deg", "motion": move}}
    held = {"kind": "constant_speed", "speed": 0.0}
    wheel = {"name": "wheel", "teeth": TEETH, "position": (0.0, 0.0), "inertia": 0.01, "motion": held}
    return cd.Drive(
        name="under a cover",
        gravity=(0.0, -G),
        loop="clockwise",
        chain=base.chain,
        contact={"stiffness": 1e10, "friction": 0.3},
        wheels=[wheel | {"tooth": {"form": "iso-606"}}],
        bodies=[press] if moves else [],
        guides=[
            {
                "name": "cover",
                "body": "press" if moves else "ground",
                "shape": shape,
                "contact": {"stiffness": 1e9, "friction": 0.3},
            }
        ],
        run=base.run.model_copy(update={"start": "as_placed", "until": 0.03}),
    )


def test_a_cover_that_leaves_rollers_no_room_is_refused() -> None:
    with pytest.raises(InputError, match="'cover' presses the rollers") as refused:
        cd.simulate(under_a_cover(-2e-4), progress=False)
    assert [problem.place for problem in refused.value.problems] == ["guides[0]"]
    assert judge_layout(under_a_cover(0.0)).problems == ()
    assert judge_layout(override(under_a_cover(-2e-4), {"run.formulation.contacts": "compliant"})).problems == ()
    for part in ("guides.0.contact", "contact"):
        assert judge_layout(override(under_a_cover(-2e-4), {f"{part}.compliant": True})).problems == ()


def test_a_roller_that_jams_ends_the_run_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """A cover that comes down on the chain, as prescribed, on a wheel that is held; without the check before a run."""
    drive = under_a_cover(2e-4, moves=True)
    with pytest.raises(InputError, match="presses the rollers"):
        cd.simulate(drive, progress=False)
    monkeypatch.setattr(layout, "pressed_parts", lambda *_: ())
    run = cd.simulate(drive, progress=False)
    assert run.status.name == "CONTACTS_NOT_SOLVED"
    assert run.status.where.endswith("pressed by wheel 'wheel' and guide 'cover'")
    assert "room" in run.status.advice
    assert 0.005 < run.time[-1] < 0.012


def test_static_friction_is_for_rigid_contacts() -> None:
    with pytest.raises(InputError, match="static_friction") as refused:
        override(drag_conveyor(), {"run.formulation": {"kind": "roller"}, "run.solver": {}})
    assert [problem.place for problem in refused.value.problems] == ["guides[0].contact.static_friction"]
    with pytest.raises(InputError, match="at least the coefficient of sliding"):
        override(drag_conveyor(), {"guides.0.contact.static_friction": 0.1})
