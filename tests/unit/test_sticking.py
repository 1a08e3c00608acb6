"""Anchors of rollers and links on a table: springs, sliding, lifting, turning; memory moves at accepted states only."""

from __future__ import annotations

import numpy as np
import pytest

from chaindrive.contract.system import System
from chaindrive.formulations import compile_system
from chaindrive.model import FreeEnd, Guide, override
from support.open_drives import open_drive

RADIUS, DEPTH, FRICTION = 0.5 * 0.01588, 2e-5, 0.2


class OnTable:
    """A short chain that lies on a table along x, pressed in by DEPTH, and the friction on its rollers."""

    def __init__(self, kind: str = "roller") -> None:
        table = Guide(
            name="table",
            contact={"stiffness": 5e9, "restitution": 0.0, "friction": FRICTION},
            shape={"kind": "straight", "start": (-1.0, 0.0), "end": (1.5, 0.0), "side": "right"},
        )
        ends = FreeEnd(position=(0.0, RADIUS - DEPTH)), FreeEnd(direction=0.0)
        drive = override(open_drive(ends, 4, guides=[table], gravity=(0.0, 0.0)), {"run.formulation.kind": kind})
        self.system: System = compile_system(drive, drive.run.formulation, False)
        self.y, self.planar = self.system.state.copy(), self.system.parameters.planar
        assert self.system.kernels.begin(0.0, self.y, self.system.parameters) == 0

    @property
    def stiffness(self) -> float:
        return float(self.planar.surface.tangential[-1])

    def move(self, along: float = 0.0, up: float = 0.0, turn: float = 0.0) -> None:
        n = self.system.parameters.links if turn else self.y[: self.planar.layout.wheel_angle].size // 2
        self.y[:n] += along
        self.y[n : 2 * n] += up
        self.y[2 * n : 3 * n] += turn

    def friction(self) -> np.ndarray:
        """Friction on the rollers along x. [N]"""
        dy = np.zeros_like(self.y)
        self.system.kernels.rhs(0.0, self.y, dy, self.system.parameters)
        used = int(self.planar.used.slots[0])
        contact = self.planar.contact
        return -contact.friction[:used] * contact.normal_y[:used]

    def limit(self) -> float:
        self.friction()
        used = int(self.planar.used.slots[0])
        return FRICTION * float(self.planar.contact.force[:used].max())

    def accept(self) -> None:
        self.friction()
        self.system.kernels.accept(0.0, self.y, self.system.parameters)


@pytest.fixture
def lying() -> OnTable:
    return OnTable()


def test_a_roller_is_held_by_a_spring_up_to_the_limit(lying):
    assert lying.friction() == pytest.approx(0.0, abs=1e-12)
    small = 0.3 * lying.limit() / lying.stiffness
    lying.move(small)
    assert lying.friction() == pytest.approx(-0.3 * lying.limit(), rel=1e-9)
    lying.move(9.0 * small)
    assert lying.friction() == pytest.approx(-lying.limit(), rel=1e-9)


def test_only_an_accepted_state_moves_the_anchor(lying):
    far = 5.0 * lying.limit() / lying.stiffness
    lying.move(far)
    lying.friction()
    lying.move(-far)
    assert lying.friction() == pytest.approx(0.0, abs=1e-9)  # a trial stage leaves nothing behind
    lying.move(far)
    lying.accept()
    assert lying.friction() == pytest.approx(-lying.limit(), rel=1e-9)
    lying.move(-0.5 * lying.limit() / lying.stiffness)
    assert lying.friction() == pytest.approx(-0.5 * lying.limit(), rel=1e-6)
    lying.move(-2.0 * lying.limit() / lying.stiffness)
    assert lying.friction() == pytest.approx(lying.limit(), rel=1e-9)  # the other way


def test_a_roller_that_was_lifted_forgets_where_it_stuck(lying):
    lying.move(0.5 * lying.limit() / lying.stiffness)
    lying.move(up=2.0 * DEPTH)
    lying.accept()
    lying.move(up=-2.0 * DEPTH)
    assert lying.friction() == pytest.approx(0.0, abs=1e-12)
    lying.accept()
    lying.move(0.25 * lying.limit() / lying.stiffness)
    assert lying.friction() == pytest.approx(-0.25 * lying.limit(), rel=1e-6)


def test_a_link_sticks_with_its_plates_and_not_with_the_middle_of_its_bush():
    # turned by a small angle about its bush, the place that touches the table moves by the angle times the arm
    links = OnTable("link")
    arm = float(links.planar.surface.arm[-1])
    assert arm > 0.5 * RADIUS
    turn = 0.2 * links.limit() / links.stiffness / arm
    before = links.planar.heading_y.copy()
    links.move(turn=turn)
    found, limit = np.abs(links.friction()), links.limit()
    assert links.planar.heading_y[:4] - before[:4] == pytest.approx(turn, rel=1e-6)
    assert found[:4] == pytest.approx(0.2 * limit, rel=0.05)
